"""What the referee says: the calls of a stroke or decision as short sentences, in English, Russian or Spanish.

    for line in rules.transcript(records, "ru"): print(line)

English is in `rules.wording`; the other languages are gettext catalogues (`locale`), with the words of the source texts
of the rules. Numbers are in digits.

Not modelled: what a referee answers when he is asked, and announcements of a tournament.
"""

import gettext
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from rules.frame import Frame
from rules.match import Match
from rules.records.match import moments_of
from rules.records.record import FRAME, MATCH, Record
from rules.records.text import comment_lines, short_words
from rules.ruleset import KIND_NAMES
from rules.ruling import Ruling
from rules.state import LOT_NAMES
from rules.steps import ForfeitLine, Step, StrokeStep
from rules.wording import DECIDED, FOULS, FOULS_AND_MISSES, Call

FOLDER = Path(__file__).parent / "locale"
DOMAIN = "snookersim"
ENGLISH = "en"
LANGUAGES = (ENGLISH, "ru", "es")

MARGIN = " " * 14  # under the calls
TITLE_TAGS = ("Event", "Site", "Date", "Round")


class Voice(NamedTuple):
    """A language, and what the players are called in it."""

    words: gettext.NullTranslations
    names: tuple[str, ...]  # of the players in their order
    n_sides: int

    def say(self, message: str, **details: object) -> str:
        """The message in this language."""
        return self.words.gettext(message).format(**details)

    def say_number(self, messages: tuple[str, str], n: int, **details: object) -> str:
        """The message in the form that goes with the number n."""
        return self.words.ngettext(*messages, n).format(n=n, **details)

    def side(self, side: int) -> str:
        """The names of a side's players."""
        return " / ".join(self.names[side :: self.n_sides])

    def balls(self, names: tuple[str, ...]) -> str:
        """The balls by their kinds."""
        return ", ".join(self.words.gettext(name.split()[0]) for name in names)


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> gettext.NullTranslations:
    """The messages of a language; ValueError lists those there are."""
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r}: expected one of {', '.join(LANGUAGES)}")
    if language == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [language])


def voice(record: Record, language: str = ENGLISH) -> Voice:
    """The voice that calls the strokes of a record; ValueError for an unknown language."""
    words = catalogue(language)
    rules = record.start.ruleset
    numbered = tuple(words.gettext(Call.PLAYER).format(n=n + 1) for n in range(rules.n_players))
    return Voice(words, record.players or numbered, rules.n_sides)


def transcript(records: Record | Sequence[Record], language: str = ENGLISH, *, strokes: bool = False) -> list[str]:
    """The referee's calls and the score, a line for each entry, with tags and comments.

    records: one, or several, which follow each other; those of a match with how it stands after each frame.
    language: "en", "ru" or "es". strokes: whether each stroke follows in its own words, numbers rounded.
    Raises ValueError for another language, and if the first record says that it is of a match which the others do not
    continue; TypeError for other things than records.
    """
    records = (records,) if isinstance(records, Record) else records
    if not isinstance(records, Sequence) or not all(isinstance(record, Record) for record in records):
        raise TypeError(f"records = {records!r:.80}: expected rules.Record, or several")
    is_match = bool(records) and MATCH in dict(records[0].tags)
    ends = [frame[-1].match for frame in moments_of(records)] if is_match else [None] * len(records)
    lines: list[str] = []
    for record, match in zip(records, ends, strict=True):
        caller = voice(record, language)
        lines += [*([""] if lines else []), *_frame_lines(caller, record, strokes)]
        if match is not None and match.frame.is_over:
            lines.append(" ".join(standing_calls(caller, match)))
    return lines


def _frame_lines(caller: Voice, record: Record, strokes: bool) -> list[str]:
    """The transcript of one frame; the sides are headed with the points that they begin with, if any do."""
    begun = record.start.scores if any(record.start.scores) else ()
    sides = [" ".join([caller.side(side), *map(str, begun[side:][:1])]) for side in range(caller.n_sides)]
    lines = [*_titles(caller, record), " – ".join(sides), ""]
    for number, step in enumerate(record.steps, 1):
        lines += comment_lines(step.entry.comments)
        lines.append(f"{number:3}  {score(step.after):>7}  {' '.join(calls(caller, step))}")
        if strokes and isinstance(step, StrokeStep):
            lines.append(f"{MARGIN}{short_words(step.entry)}")
    return lines + comment_lines(record.comments)


def standing_calls(caller: Voice, match: Match) -> list[str]:
    """How a match stands between frames, sentence by sentence."""
    standing, form = match.standing, match.form
    said = [caller.say(Call.GAMES, score=counts(standing.games))] if form.games > 1 else []
    said.append(caller.say(Call.FRAMES, score=counts(standing.frames)))
    said += [caller.say(Call.POINTS, score=counts(standing.points))] if form.aggregate else []
    if standing.is_over and standing.winner is None:
        said.append(caller.say(Call.MATCH_DRAWN))
    elif standing.winner is not None:
        said.append(caller.say(Call.MATCH_TO, name=" / ".join(match.sides[standing.winner])))
    return said


def _titles(caller: Voice, record: Record) -> list[str]:
    tags = dict(record.tags)
    parts = [tags[name] for name in TITLE_TAGS if name in tags]
    parts += [caller.say(Call.FRAME_NUMBER, n=tags[FRAME])] if FRAME in tags else []
    return [", ".join(parts)] if parts else []


def score(frame: Frame) -> str:
    """The points of the sides."""
    return counts(frame.scores)


def counts(numbers: Sequence[int]) -> str:
    """A number for each side."""
    return "–".join(str(number) for number in numbers)


def calls(caller: Voice, step: Step) -> list[str]:
    """What the referee says of one entry, sentence by sentence, who acts first."""
    line = step.entry.line
    if isinstance(step, StrokeStep):
        return [*_stroke(caller, step), *_ending(caller, step)]
    if isinstance(line, ForfeitLine):
        award = Call.MATCH_FORFEITED if line.of_match else Call.FORFEITED
        return [caller.say(award, name=caller.names[line.player]), *_ending(caller, step)]
    return [*_decided(caller, step), *_ending(caller, step)]


def _stroke(caller: Voice, step: StrokeStep) -> list[str]:
    """What is said of a stroke; the total of a break has the striker's name in it, anything else is headed by it."""
    before, total = _before(caller, step), _total(caller, step)
    said = [*before, *_ruled(caller, step, total), *_after(caller, step, step.ruling)]
    speaks_for_itself = total and not (before or step.ruling.foul)
    return said if speaks_for_itself else [f"{caller.names[step.ruling.striker]}:", *said]


def _total(caller: Voice, step: StrokeStep) -> list[str]:
    """The break that the stroke has ended, as it is announced; [] if it has ended none."""
    ruling, n = step.ruling, step.before.state.break_points
    has_ended = ruling.turn_passes and not ruling.points and n > 0
    return [caller.say(Call.BREAK, name=caller.names[step.before.striker], n=n)] if has_ended else []


def _decided(caller: Voice, step: Step) -> list[str]:
    if step.decision in LOT_NAMES:
        return [caller.say(Call.PLAYS_FIRST, name=caller.names[LOT_NAMES.index(step.decision)])]
    name, other = caller.names[step.before.striker], caller.names[step.before.state.offender]
    return [caller.say(DECIDED[step.decision], name=name, other=other)]


def _before(caller: Voice, step: StrokeStep) -> list[str]:
    """What is announced or declared before the stroke; a colour that is then potted speaks for itself."""
    nominated = step.told.nominated
    said = [caller.say(Call.TOUCHING)] if step.told.facts.touching & _could_be_on(step.before) else []
    is_told = step.ruling.points > 0 and not step.before.state.free_ball
    if nominated is not None and not is_told:
        said.append(caller.say(Call.NOMINATED, ball=caller.balls((nominated,))))
    return said


def _could_be_on(frame: Frame) -> int:
    """Set of the balls that are on, or that the striker may make so."""
    choice = [name for name in frame.nominations() if name]
    return sum(1 << ball for ball in {*frame.balls_on(), *(KIND_NAMES.index(name) for name in choice)})


def _ruled(caller: Voice, step: StrokeStep, total: list[str]) -> list[str]:
    """The points or the penalty, and the break that it has ended."""
    ruling = step.ruling
    if ruling.foul:
        why = "; ".join(caller.words.gettext(foul.words) for foul in ruling.fouls)
        return [caller.say_number(FOULS_AND_MISSES if ruling.miss else FOULS, ruling.penalty, why=why), *total]
    if not ruling.points:
        return total or [caller.say(Call.NO_SCORE)]
    balls = caller.balls(ruling.potted)
    return [caller.say(Call.POT, balls=balls[:1].upper() + balls[1:], n=ruling.break_points)]


def _after(caller: Voice, step: Step, ruling: Ruling) -> list[str]:
    """What the next player must know."""
    put_back = Call.ALL_PUT_BACK if ruling.all_replaced else Call.PUT_BACK
    said = [caller.say(put_back, balls=caller.balls(ruling.replaced))] if ruling.replaced else []
    if step.after.cue_in_hand and not step.after.is_over and step.after.phase != "respotted":
        said.append(caller.say(Call.IN_HAND))
    if ruling.free_ball:
        said.append(caller.say(Call.FREE_BALL))
    if ruling.warned:
        said.append(caller.say(Call.WARNING, name=caller.names[step.after.state.offender]))
    if ruling.last_miss_next:
        said.append(caller.say(Call.LAST_MISS, name=caller.names[step.after.state.offender]))
    return said


def _ending(caller: Voice, step: Step) -> list[str]:
    """What is said when the frame ends, or its black is re-spotted."""
    after = step.after
    if after.phase == "respotted" and step.before.phase != "respotted":
        return [caller.say(Call.RE_SPOTTED)]
    if not after.is_over or step.before.is_over:
        return []
    if after.state.winner < 0:
        return [caller.say(Call.FRAME_TIED, score=score(after))]
    return [caller.say(Call.FRAME_TO, name=caller.side(after.state.winner), score=score(after))]
