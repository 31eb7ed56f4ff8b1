"""What the referee says: the calls of a stroke or decision as short sentences, in English, Russian or Spanish.

    for line in rules.transcript(record, "ru"): print(line)

English is written here; the other languages are gettext catalogues (`locale`), with the words of the source texts of
the rules. Numbers are in digits.

Not modelled: what a referee answers when he is asked, and announcements of a tournament.
"""

import gettext
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from rules.faults import FAULTS
from rules.frame import Frame
from rules.match import Match
from rules.match_record import MATCH, matches_after
from rules.record import FRAME, Record, Step
from rules.record_text import short_words
from rules.ruleset import KIND_NAMES
from rules.ruling import Ruling
from rules.state import LOT_NAMES
from rules.words import Choice, Forfeit, Told

FOLDER = Path(__file__).parent / "locale"
DOMAIN = "snookersim"
ENGLISH = "en"
LANGUAGES = (ENGLISH, "ru", "es")

MARGIN = " " * 14  # under the calls
TITLE_TAGS = ("Event", "Site", "Date", "Round")
PLAYER, FRAME_NUMBER = "Player {n}", "Frame {n}"
POT, NO_SCORE, BREAK = "{balls}, break {n}.", "No score.", "{name}, {n}."
FOUL = ("Foul, {n} point: {why}.", "Foul, {n} points: {why}.")
FOUL_AND_MISS = ("Foul and a miss, {n} point: {why}.", "Foul and a miss, {n} points: {why}.")
TOUCHING, NOMINATED = "Touching ball.", "Nominated: {ball}."
FREE_BALL, IN_HAND, PUT_BACK = "Free ball.", "Cue ball in hand.", "Put back: {balls}."
WARNING = "{name} is warned: another miss loses the frame."
RE_SPOTTED = "Scores level: the black is re-spotted."
FRAME_TO, FRAME_TIED = "Frame to {name}, {score}.", "The frame is tied, {score}."
FORFEITED, MATCH_FORFEITED = "The frame is awarded against {name}.", "The match is awarded against {name}."
GAMES, FRAMES, POINTS = "Games {score}.", "Frames {score}.", "Points {score}."
MATCH_TO, MATCH_DRAWN = "{name} wins the match.", "The match is drawn."
DECISIONS = {
    "play": "{name} plays.",
    "free_ball": "{name} takes the free ball.",
    "play_again": "{name} asks {other} to play again.",
    "restore": "{name} has the balls replaced: {other} plays again.",
    "in_hand": "{name} plays from in hand.",
    "concede": "{name} concedes the frame.",
    "claim": "{name} claims the frame.",
    "re_rack": "The frame is void and is played again.",
}
PLAYS_FIRST = "{name} plays first."
SINGLE = (
    PLAYER,
    FRAME_NUMBER,
    POT,
    NO_SCORE,
    BREAK,
    TOUCHING,
    NOMINATED,
    FREE_BALL,
    IN_HAND,
    PUT_BACK,
    WARNING,
    RE_SPOTTED,
    FRAME_TO,
    FRAME_TIED,
    FORFEITED,
    MATCH_FORFEITED,
    GAMES,
    FRAMES,
    POINTS,
    MATCH_TO,
    MATCH_DRAWN,
    PLAYS_FIRST,
)
MESSAGES = (*SINGLE, *DECISIONS.values(), *(clause.words for clause in FAULTS), *KIND_NAMES)
PLURALS = (FOUL, FOUL_AND_MISS)


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
    numbered = tuple(words.gettext(PLAYER).format(n=n) for n in range(rules.n_players))
    return Voice(words, record.players or numbered, rules.n_sides)


def transcript(record: Record, language: str = ENGLISH, *, strokes: bool = False) -> list[str]:
    """The referee's calls and the score, a line for each entry of a record, with its tags and comments.

    language: "en", "ru" or "es". strokes: whether each stroke follows in its own words, numbers rounded.
    Raises ValueError for another language.
    """
    caller = voice(record, language)
    lines = [*_titles(caller, record), " – ".join(caller.side(side) for side in range(caller.n_sides)), ""]
    for number, step in enumerate(record.steps, 1):
        lines += [_comment(comment) for comment in step.entry.comments]
        lines.append(f"{number:3}  {score(step.after):>7}  {' '.join(calls(caller, step))}")
        if strokes and isinstance(step.entry.line, Told):
            lines.append(f"{MARGIN}{short_words(step.entry)}")
    return lines + [_comment(comment) for comment in record.comments]


def match_transcript(records: Sequence[Record], language: str = ENGLISH, *, strokes: bool = False) -> list[str]:
    """The calls of several records one after the other; of a match, with how it stands after each frame.

    Arguments as of `transcript`. Raises ValueError for another language, and if the first record says that it is of a
    match which the others do not continue.
    """
    is_match = bool(records) and MATCH in dict(records[0].tags)
    matches = matches_after(records) if is_match else (None,) * len(records)
    lines: list[str] = []
    for record, match in zip(records, matches, strict=True):
        lines += [*([""] if lines else []), *transcript(record, language, strokes=strokes)]
        if match is not None and match.frame.is_over:
            lines.append(" ".join(standing_calls(voice(record, language), match)))
    return lines


def standing_calls(caller: Voice, match: Match) -> list[str]:
    """How a match stands between frames, sentence by sentence."""
    standing, form = match.standing, match.form
    said = [caller.say(GAMES, score=counts(standing.games))] if form.games > 1 else []
    said.append(caller.say(FRAMES, score=counts(standing.frames)))
    said += [caller.say(POINTS, score=counts(standing.points))] if form.aggregate else []
    if standing.is_over and standing.winner is None:
        said.append(caller.say(MATCH_DRAWN))
    elif standing.winner is not None:
        said.append(caller.say(MATCH_TO, name=" / ".join(match.sides[standing.winner])))
    return said


def _titles(caller: Voice, record: Record) -> list[str]:
    tags = dict(record.tags)
    parts = [tags[name] for name in TITLE_TAGS if name in tags]
    parts += [caller.say(FRAME_NUMBER, n=tags[FRAME])] if FRAME in tags else []
    return [", ".join(parts)] if parts else []


def _comment(text: str) -> str:
    return f"# {text}".rstrip()


def score(frame: Frame) -> str:
    """The points of the sides."""
    return counts(frame.scores)


def counts(numbers: Sequence[int]) -> str:
    """A number for each side."""
    return "–".join(str(number) for number in numbers)


def calls(caller: Voice, step: Step) -> list[str]:
    """What the referee says of one entry, sentence by sentence, who acts first."""
    line = step.entry.line
    if isinstance(line, Choice):
        return [*_decided(caller, step, line.option), *_ending(caller, step)]
    if isinstance(line, Forfeit):
        award = MATCH_FORFEITED if line.of_match else FORFEITED
        return [caller.say(award, name=caller.names[line.player]), *_ending(caller, step)]
    assert step.ruling is not None
    said = _before(caller, step, line) + _ruled(caller, step, step.ruling) + _after(caller, step, step.ruling)
    who = [] if said[0] == _total(caller, step) else [f"{caller.names[step.ruling.striker]}:"]
    return [*who, *said, *_ending(caller, step)]


def _total(caller: Voice, step: Step) -> str:
    """The break that was open before the stroke, as it is announced when it ends."""
    return caller.say(BREAK, name=caller.names[step.before.striker], n=step.before.state.break_points)


def _decided(caller: Voice, step: Step, option: str) -> list[str]:
    if option in LOT_NAMES:
        return [caller.say(PLAYS_FIRST, name=caller.names[LOT_NAMES.index(option)])]
    name, other = caller.names[step.before.striker], caller.names[step.before.state.offender]
    return [caller.say(DECISIONS[option], name=name, other=other)]


def _before(caller: Voice, step: Step, line: Told) -> list[str]:
    """What is announced or declared before the stroke; a colour that is then potted speaks for itself."""
    said = [caller.say(TOUCHING)] if line.facts.touching & _could_be_on(step.before) else []
    is_told = step.ruling is not None and step.ruling.points > 0 and not step.before.state.free_ball
    if line.nominated is not None and not is_told:
        said.append(caller.say(NOMINATED, ball=caller.balls((line.nominated,))))
    return said


def _could_be_on(frame: Frame) -> int:
    """Set of the balls that are on, or that the striker may make so."""
    choice = [name for name in frame.nominations() if name]
    return sum(1 << ball for ball in {*frame.balls_on(), *(KIND_NAMES.index(name) for name in choice)})


def _ruled(caller: Voice, step: Step, ruling: Ruling) -> list[str]:
    """The points or the penalty, and the break that it has ended."""
    has_ended = ruling.turn_passes and not ruling.points and step.before.state.break_points > 0
    total = [_total(caller, step)] if has_ended else []
    if ruling.foul:
        why = "; ".join(caller.words.gettext(foul.words) for foul in ruling.fouls)
        return [caller.say_number(FOUL_AND_MISS if ruling.miss else FOUL, ruling.penalty, why=why), *total]
    if not ruling.points:
        return total or [caller.say(NO_SCORE)]
    balls = caller.balls(ruling.potted)
    return [caller.say(POT, balls=balls[:1].upper() + balls[1:], n=ruling.break_points)]


def _after(caller: Voice, step: Step, ruling: Ruling) -> list[str]:
    """What the next player must know."""
    said = [caller.say(PUT_BACK, balls=caller.balls(ruling.replaced))] if ruling.replaced else []
    if step.after.cue_in_hand and not step.after.is_over and step.after.phase != "respotted":
        said.append(caller.say(IN_HAND))
    if ruling.free_ball:
        said.append(caller.say(FREE_BALL))
    if ruling.warned:
        said.append(caller.say(WARNING, name=caller.names[step.after.state.offender]))
    return said


def _ending(caller: Voice, step: Step) -> list[str]:
    """What is said when the frame ends, or its black is re-spotted."""
    after = step.after
    if after.phase == "respotted" and step.before.phase != "respotted":
        return [caller.say(RE_SPOTTED)]
    if not after.is_over or step.before.is_over:
        return []
    if after.state.winner < 0:
        return [caller.say(FRAME_TIED, score=score(after))]
    return [caller.say(FRAME_TO, name=caller.side(after.state.winner), score=score(after))]
