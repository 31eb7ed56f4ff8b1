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
from itertools import zip_longest

import numpy as np

from rules.files import rule_changes
from rules.match import DECISION, FORFEIT, FORFEIT_MATCH, Entry, Match
from rules.record import BETWEEN_NAMES, FRAME, PLAYERS, Record, RecordEntry, lying, resting
from rules.record_text import parse_rules, print_rules
from rules.ruleset import EDITION_NAMES, GAME_NAMES
from rules.ruling import Decision
from rules.sides import side_of
from rules.strokes import Strokes
from rules.words import Choice, Forfeit, Told

MATCH, SIDES, AGREED = "Match", "Sides", "Agreed"
BETWEEN_PARTNERS = ","
FORM = re.compile(r"best of (\d{1,4})(?:; games (\d{1,4}))?(; aggregate)?", re.ASCII)


# --- writing ---------------------------------------------------------------------------------------------------------


def match_records(match: Match, tags: Iterable[tuple[str, str]] = ()) -> tuple[Record, ...]:
    """The records of a match, a frame each.

    tags: what else is to be kept, such as ("Event", "Club night"), written in every record.
    Raises ValueError for a name with a comma, a semicolon or spaces around it, and for tags as `rules.Record` does.
    """
    _check_names(match)
    orders = [result.order for result in match.results if result.ended != "unplayed"]
    orders += [] if match.frame.is_over else [match.order]
    records = []
    for number, order in enumerate(orders):
        entries = [entry for entry in match.history if entry.number == number]
        start = entries[0].before if entries else match.frame
        opener = start.state.first_striker
        players = order[-opener:] + order[:-opener]
        own = [(FRAME, str(number + 1)), (PLAYERS, f"{BETWEEN_NAMES} ".join(players))]
        form = [] if number else _match_tags(match, players, start.ruleset)
        records.append(Record(start, _entries(match, entries, players), (*tags, *form, *own)))
    return tuple(records)


def _match_tags(match: Match, players: tuple[str, ...], rules: object) -> list[tuple[str, str]]:
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


def _check_names(match: Match) -> None:
    for name in (name for side in match.sides for name in side):
        if name != name.strip() or BETWEEN_NAMES in name or BETWEEN_PARTNERS in name:
            raise ValueError(f"player {name!r}: expected no comma or semicolon, and no spaces around the name")


def _entries(match: Match, entries: Sequence[Entry], players: tuple[str, ...]) -> tuple[RecordEntry, ...]:
    """The entries of one frame; that of a frame forfeited with the match is told by the match's."""
    found = []
    for entry, following in zip_longest(entries, entries[1:]):
        lost_too = following is not None and (following.kind, following.player) == (FORFEIT_MATCH, entry.player)
        if entry.kind != FORFEIT or not lost_too:
            found.append(_entry(match, entry, players))
    return tuple(found)


def _entry(match: Match, entry: Entry, players: tuple[str, ...]) -> RecordEntry:
    if entry.kind == DECISION:
        return RecordEntry(Choice(entry.decision))
    if entry.kind in (FORFEIT, FORFEIT_MATCH):
        plays = entry.player in players
        number = players.index(entry.player) if plays else match.side_of(entry.player)  # numbers begin with the sides'
        return RecordEntry(Forfeit(number, entry.kind == FORFEIT_MATCH))
    assert entry.facts is not None
    after, known = entry.after.positions, entry.before.ruleset.positions_known
    positions = np.where(np.isnan(after), lying(entry.before, entry.facts), after) if known else None
    shot = None if entry.stroke is None else entry.stroke.shots
    return RecordEntry.stroke(entry.before, entry.facts, entry.nominated, positions, shot, entry.intended)


# --- reading ---------------------------------------------------------------------------------------------------------


def match_of(records: Iterable[Record]) -> Match:
    """The match that the records tell; ValueError names the frame that does not follow from those before."""
    return matches_after(records)[-1]


def matches_after(records: Iterable[Record]) -> tuple[Match, ...]:
    """The match after each of its frames; errors as of `match_of`."""
    match: Match | None = None
    found = []
    for number, record in enumerate(records, 1):
        try:
            match = _with_frame(match, record, number)
        except ValueError as error:
            raise ValueError(f"frame {number}: {error}") from None
        found.append(match)
    if not found:
        raise ValueError("no record: expected those of the frames of a match")
    return tuple(found)


def _with_frame(match: Match | None, record: Record, number: int) -> Match:
    told = dict(record.tags).get(FRAME, str(number))
    if told != str(number):
        raise ValueError(f"tag {FRAME} {told!r}: expected {number}")
    if not record.players:
        raise ValueError(f"there is no tag {PLAYERS}: expected the names of the players")
    match = _started(record) if match is None else next_as(match, record)
    if match.frame != record.start:
        raise ValueError(f"it starts as {record.start.text:.60}…: expected {match.frame.text:.60}…")
    for entry in record.entries:
        match = with_entry(match, entry)
    return match


def _in_order(record: Record) -> tuple[str, ...]:
    """The players in the order of play, the opener first."""
    opener = record.start.state.first_striker
    return record.players[opener:] + record.players[:opener]


def _started(record: Record) -> Match:
    tags, start = dict(record.tags), record.start
    form = FORM.fullmatch(tags.get(MATCH, ""))
    if not form:
        raise ValueError(f"tag {MATCH} {tags.get(MATCH)!r}: expected one such as 'best of 5; games 3; aggregate'")
    rules = parse_rules(tags[AGREED]) if AGREED in tags else start.ruleset
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


def next_as(match: Match, record: Record) -> Match:
    """The match with its next frame set up with the opener and the order of the record's."""
    opener = side_of(match.ruleset, record.start.state.first_striker)
    return match.next_frame(_in_order(record), opener=opener)


def with_entry(match: Match, entry: RecordEntry) -> Match:
    """The match after an entry of its frame; ValueError as of `Match`."""
    line = entry.line
    if isinstance(line, Choice):
        return match.decide(line.option)
    if isinstance(line, Forfeit):
        name = match.players[line.player]
        return match.forfeit_match(name) if line.of_match else match.forfeit(name)
    return match.referee(
        line.facts,
        Decision(line.nominated),
        resting(match.frame, line.facts, entry.moved),
        intended=line.intended,
        stroke=_stroke(line, entry),
    )


def _stroke(line: Told, entry: RecordEntry) -> Strokes | None:
    """The stroke, if its shot is known."""
    if entry.shot is None:
        return None
    return Strokes(entry.shot, line.nominated, (line.facts.placed_x, line.facts.placed_y))
