"""Records of a match: a record for each frame, with tags that say how the match is played; and the match from them.

    rules.write_records(path, rules.match_records(match))
    match = rules.match_of(rules.read_records(path))

The first record has the tag Match, such as "best of 19", "best of 5; games 3" or "best of 4; aggregate". Sides, such as
"Ann, Al; Ben, Bo", is there when it is not plain from the players of the first frame, and Agreed holds the rules of the
match where those of its first frame differ (aggregate matches). Every record has its number in Frame and the players in
Players, in the order of their numbers in that frame.

Not kept: the name of a player who forfeits a frame that he does not play in; a player of his side is named.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.files import rule_changes
from rules.match import Match, rotated
from rules.notation import parse_rules, print_rules
from rules.records.record import AGREED, FRAME, MATCH, PLAYERS, SIDES, Record, Tags
from rules.ruleset import EDITION_NAMES, GAME_NAMES, RuleSet
from rules.sides import side_of
from rules.steps import BETWEEN_NAMES, BETWEEN_PARTNERS, Step

FORM = re.compile(r"best of (\d{1,4})(?:; games (\d{1,4}))?(; aggregate)?", re.ASCII)


# --- writing ---------------------------------------------------------------------------------------------------------


def match_records(match: Match, tags: Iterable[tuple[str, str]] = ()) -> tuple[Record, ...]:
    """The records of a match, a frame each.

    tags: what else is to be kept, such as ("Event", "Club night"), written in every record.
    Raises ValueError for tags as `rules.Record` does.
    """
    return frame_records(match, [tuple(tags)])


def frame_records(match: Match, tags: Sequence[Tags], comments: tuple[str, ...] = ()) -> tuple[Record, ...]:
    """The records of a match, as `match_records`, with other tags for each frame.

    tags: of the frames in order; those that follow have the last. comments: at the end of the last record.
    """
    orders = [result.order for result in match.results if result.ended != "unplayed"]
    orders += [] if match.frame.is_over else [match.order]
    records = []
    for number, order in enumerate(orders):
        steps = [step for step in match.history if step.number == number]
        start = steps[0].before if steps else match.frame
        players = rotated(order, -start.state.first_striker)
        own = [(FRAME, str(number + 1)), (PLAYERS, f"{BETWEEN_NAMES} ".join(players))]
        form = [] if number else _match_tags(match, players, start.ruleset)
        others = tags[min(number, len(tags) - 1)]
        end = comments if number == len(orders) - 1 else ()
        records.append(Record(start, (), (*others, *form, *own), end).with_steps(steps))
    return tuple(records)


def _match_tags(match: Match, players: tuple[str, ...], rules: RuleSet) -> list[tuple[str, str]]:
    """The tags that say how the match is played."""
    form = match.form
    games = f"; games {form.games}" if form.games > 1 else ""
    found = [(MATCH, f"best of {form.best_of}{games}{'; aggregate' if form.aggregate else ''}")]
    if match.sides != _sides_of(players, form.n_sides):
        found.append((SIDES, f"{BETWEEN_NAMES} ".join(f"{BETWEEN_PARTNERS} ".join(side) for side in match.sides)))
    if match.ruleset != rules:
        found.append((AGREED, print_rules(match.ruleset)))
    return found


def _sides_of(players: tuple[str, ...], n_sides: int) -> tuple[tuple[str, ...], ...]:
    return tuple(players[side::n_sides] for side in range(n_sides))


# --- reading ---------------------------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """A match between two lines of its records."""

    match: Match
    comments: tuple[str, ...] = ()  # on what follows


def match_of(records: Iterable[Record]) -> Match:
    """The match that the records tell; ValueError names the frame that does not follow from those before.

    Comments at the end of a frame are taken as comments on what follows, those at the end of the last are left out.
    """
    return moments_of(records)[-1][-1].match


def moments_of(records: Iterable[Record]) -> list[list[Moment]]:
    """Every moment of a match, frame by frame: before its first line, and after each; errors as of `match_of`."""
    frames: list[list[Moment]] = []
    for number, record in enumerate(records, 1):
        try:
            frames.append(_moments(frames[-1][-1] if frames else None, record, number))
        except ValueError as error:
            raise ValueError(f"frame {number}: {error}") from None
    if not frames:
        raise ValueError("no record: expected those of the frames of a match")
    return frames


def _moments(last: Moment | None, record: Record, number: int) -> list[Moment]:
    """The moments of one frame; its steps are those of the record, which has replayed them."""
    told = dict(record.tags).get(FRAME, str(number))
    if told != str(number):
        raise ValueError(f"tag {FRAME} {told!r}: expected {number}")
    if not record.players:
        raise ValueError(f"there is no tag {PLAYERS}: expected the names of the players")
    match = _started(record) if last is None else _next(last.match, record)
    if match.frame != record.start:
        raise ValueError(f"it starts as {record.start.text:.60}…: expected {match.frame.text:.60}…")
    found = [Moment(match, last.comments if last else ())]
    for step in record.steps:
        found.append(Moment(found[-1].match.with_step(_commented(step, found[-1].comments))))
    found[-1] = found[-1]._replace(comments=(*found[-1].comments, *record.comments))
    return found


def _commented(step: Step, comments: tuple[str, ...]) -> Step:
    """The step with comments before its own."""
    entry = step.entry
    return replace(step, entry=replace(entry, comments=(*comments, *entry.comments))) if comments else step


def _in_order(record: Record) -> tuple[str, ...]:
    """The players in the order of play, the opener first."""
    return rotated(record.players, record.start.state.first_striker)


def _started(record: Record) -> Match:
    tags, start = dict(record.tags), record.start
    form = FORM.fullmatch(tags.get(MATCH, ""))
    if not form:
        raise ValueError(f"tag {MATCH} {tags.get(MATCH)!r}: expected one such as 'best of 5; games 3; aggregate'")
    rules = parse_rules(tags[AGREED], f"tag {AGREED}") if AGREED in tags else start.ruleset
    return Match.start(
        _sides(tags[SIDES]) if SIDES in tags else _sides_of(record.players, rules.n_sides),
        best_of=int(form[1]),
        games=int(form[2] or 1),
        aggregate=form[3] is not None,
        first=side_of(rules, start.state.first_striker),
        order=_in_order(record),
        table=start.table,
        game=GAME_NAMES[rules.game],
        edition=EDITION_NAMES[rules.edition],
        **rule_changes(rules),
    )


def _sides(text: str) -> list[list[str]]:
    return [[name.strip() for name in side.split(BETWEEN_PARTNERS)] for side in text.split(BETWEEN_NAMES)]


def _next(match: Match, record: Record) -> Match:
    """The match with its next frame set up with the opener and the order of the record's."""
    opener = side_of(match.ruleset, record.start.state.first_striker)
    return match.next_frame(_in_order(record), opener=opener)
