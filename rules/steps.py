"""What happened in a frame, step by step: a line tells it, an entry keeps what else is known, a step what followed.

    entry = rules.RecordEntry(rules.StrokeLine(rules.facts(frame, first="red")))
    step = advance(frame, entry)            # step.after, step.ruling

Steps are the history of a match (`rules.Match`), and records of frames hold them (`rules.Record`).

Not part of it: the words that a line is written in; `rules.records.lines` has them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rules.checks import check_player
from rules.decisions import decide, forfeit
from rules.frame import Frame, check_frame
from rules.outcome import balls_left
from rules.playing import simulated
from rules.ruleset import KIND_NAMES, MAX_BALLS, RED, ball_name
from rules.ruling import Decision, Ruling, referee
from rules.state import Facts, Floats
from simcore.shots import Shots, float_array

if TYPE_CHECKING:
    from rules.strokes import Strokes
    from simcore import Physics

BETWEEN_NAMES, BETWEEN_PARTNERS = ";", ","  # what parts the names of sides and of partners where they are written
SAFETY = "safety"
INTENTIONS = (SAFETY, KIND_NAMES[RED], *(ball_name(ball) for ball in range(1, MAX_BALLS)))

Moved = tuple[int, float, float]  # a ball and where it came to rest, x and y in m


# --- what is told ----------------------------------------------------------------------------------------------------


class StrokeLine(NamedTuple):
    """A stroke as it is told."""

    facts: Facts
    nominated: str | None = None  # ball declared with it
    intended: str = ""  # what the striker meant, one of INTENTIONS; "" = not told


class DecisionLine(NamedTuple):
    """A decision, as `rules.decide` takes it."""

    option: str


class ForfeitLine(NamedTuple):
    """The referee's award of the frame, or of the match, against a player's side."""

    player: int  # number in the frame
    of_match: bool = False


Line = StrokeLine | DecisionLine | ForfeitLine


@dataclass(frozen=True, slots=True, eq=False)
class RecordEntry:
    """A stroke as it is told, or a decision, with what else is known of it.

    line: StrokeLine, DecisionLine or ForfeitLine. shot: the single shot of the cue, if it is known. moved: balls that
    came to rest elsewhere than they lay (balls that fell, or were put back by the referee, are none of them).
    comments: lines of text before it.
    Raises ValueError for an intention that is not known, balls named twice, places that are not finite, comments that
    are not one printable line, and a shot or moved balls with a decision; TypeError for arguments of another type.
    """

    line: Line
    shot: Shots | None = None
    moved: tuple[Moved, ...] = ()
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_line(self.line)
        object.__setattr__(self, "moved", _checked_moved(self.moved))
        object.__setattr__(self, "comments", checked_comments(self.comments))
        if self.shot is not None and not isinstance(self.shot, Shots):
            raise TypeError(f"shot = {self.shot!r:.80}: expected simcore.Shots or None")
        if self.shot is not None and self.shot.shape != ():
            raise ValueError(f"shot of shape {self.shot.shape}: expected a single one, such as shots[0]")
        if not isinstance(self.line, StrokeLine) and (self.shot is not None or self.moved):
            name = self.line.option if isinstance(self.line, DecisionLine) else "forfeit"
            raise ValueError(f"{name!r} is no stroke: expected neither a shot nor moved balls")

    @classmethod
    def stroke(
        cls,
        frame: Frame,
        facts: Facts,
        nominated: str | None = None,
        positions: ArrayLike | None = None,
        shot: Shots | None = None,
        intended: str = "",
    ) -> "RecordEntry":
        """The entry of a stroke of `frame`.

        facts, nominated: as `rules.referee` takes them. positions: (n_balls, 2), m, where the balls came to rest, None
        as there. shot: of the cue, if it is known. intended: what was meant, if it is told ("safety", "red 3").
        Raises ValueError and TypeError as `rules.RecordEntry`.
        """
        check_frame(frame)
        return cls(StrokeLine(facts, nominated, intended), shot, moved_balls(frame, facts, positions))

    @classmethod
    def played(cls, frame: Frame, stroke: "Strokes", *, physics: "Physics | None" = None) -> "RecordEntry":
        """The entry of a stroke that the simulator plays; arguments and errors as of `rules.play`."""
        facts, positions = simulated(frame, stroke, physics)
        return cls.stroke(frame, facts, stroke.nomination, positions, stroke.shots)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, RecordEntry) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return *_comparable(self.line), self.shot, self.moved, self.comments


def check_intended(intended: str) -> None:
    """ValueError unless it is known what was meant, or "" as it was not told."""
    if intended not in ("", *INTENTIONS):
        raise ValueError(f"intended {intended!r}: expected {SAFETY}, or the ball meant, such as red, red 3 or black")


def checked_comments(comments: Sequence[str]) -> tuple[str, ...]:
    """The comments; ValueError unless each is a line of printable text without spaces around it."""
    for comment in comments:
        check_printable("comment", comment)
        if comment != comment.strip():
            raise ValueError(f"comment {comment!r:.80}: expected no spaces around it")
    return tuple(comments)


def check_printable(what: str, text: str) -> None:
    """Refuse text that does not fit on one line as it is."""
    if not isinstance(text, str):
        raise TypeError(f"{what} {text!r:.80}: expected str")
    if not text.isprintable():
        raise ValueError(f"{what} {text!r:.80}: expected printable characters on one line")


def check_name(name: str) -> None:
    """Refuse a player's name that could not be told apart from others in a list of names on one line."""
    if name != " ".join(name.split()) or BETWEEN_NAMES in name or BETWEEN_PARTNERS in name:
        raise ValueError(f"player {name!r}: expected no comma or semicolon, and single spaces inside the name only")
    check_printable("player", name)


def _check_line(line: Line) -> None:
    is_stroke = isinstance(line, StrokeLine) and isinstance(line.facts, Facts)
    if not is_stroke and not isinstance(line, DecisionLine | ForfeitLine):
        raise TypeError(f"line = {line!r:.80}: expected StrokeLine, DecisionLine or ForfeitLine")
    if isinstance(line, StrokeLine):
        check_intended(line.intended)


def _checked_moved(moved: Sequence[Moved]) -> tuple[Moved, ...]:
    found = sorted((int(ball), float(x), float(y)) for ball, x, y in moved)
    balls = [ball for ball, _, _ in found]
    for ball, x, y in found:
        if not 0 <= ball < MAX_BALLS:
            raise ValueError(f"moved: ball {ball}: expected 0 to {MAX_BALLS - 1}")
        if balls.count(ball) > 1:
            raise ValueError(f"moved: {ball_name(ball)} is given twice")
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError(f"moved: {ball_name(ball)} at ({x}, {y}): expected finite metres")
    return tuple(found)


def _comparable(line: Line) -> tuple[Any, ...]:
    """The line as values that compare as they should; nan is not equal to itself."""
    if isinstance(line, StrokeLine):
        return *(None if value != value else value for value in line.facts), line.nominated, line.intended
    return type(line), *line


# --- where balls came to rest ----------------------------------------------------------------------------------------


def _left(frame: Frame, facts: Facts) -> int:
    """Balls that can have come to rest: those on the table but for what fell or flew, and the cue ball."""
    return int(balls_left(frame.state, facts)) & ~facts.unspotted & ~facts.fell


def _lying(frame: Frame, facts: Facts) -> Floats:
    """Where the balls lay when the cue ball was struck."""
    places = np.array(frame.positions)
    if not math.isnan(facts.placed_x):
        places[0] = facts.placed_x, facts.placed_y
    return places


def resting(frame: Frame, facts: Facts, moved: tuple[Moved, ...]) -> Floats | None:
    """Positions as the referee takes them, None when nothing is told."""
    if not moved:
        return None
    places = _lying(frame, facts)
    for ball, x, y in moved:
        if not _left(frame, facts) >> ball & 1:
            raise ValueError(f"{ball_name(ball)} is not on the table after the stroke, yet it has a place")
        places[ball] = x, y
    return places


def moved_balls(frame: Frame, facts: Facts, positions: ArrayLike | None) -> tuple[Moved, ...]:
    """Balls whose place differs from the one before the stroke, () where positions are not told or not known."""
    if positions is None or not frame.ruleset.positions_known:
        return ()
    places = float_array("positions", positions)
    before, left = _lying(frame, facts), _left(frame, facts)
    here = [ball for ball in range(min(len(places), MAX_BALLS)) if left >> ball & 1]
    changed = [ball for ball in here if tuple(places[ball]) != tuple(before[ball])]
    return tuple((ball, float(places[ball, 0]), float(places[ball, 1])) for ball in changed)


# --- what followed ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """An entry, and the frames around it: of a decision or a forfeit; of a stroke it is a `StrokeStep`."""

    entry: RecordEntry
    before: Frame
    after: Frame
    ruling: Ruling | None = None  # on a stroke
    number: int = 0  # of the frame in its match, from 0
    player: str = ""  # who played, decided or offended; "" = the lot, the referee or both sides, or no match

    @property
    def decision(self) -> str:
        """Name of the decision, "" of what is none."""
        return self.entry.line.option if isinstance(self.entry.line, DecisionLine) else ""


@dataclass(frozen=True, slots=True)
class StrokeStep(Step):
    """The entry of a stroke, the frames around it, and the referee's ruling."""

    ruling: Ruling
    told: StrokeLine = field(kw_only=True, compare=False)  # the entry's line


def advance(frame: Frame, entry: RecordEntry) -> Step:
    """The step that an entry makes; ValueError as `rules.referee` and `rules.decide`, and for a place of a ball gone.

    TypeError unless it is a `rules.RecordEntry`.
    """
    if not isinstance(entry, RecordEntry):
        raise TypeError(f"entry = {entry!r:.80}: expected rules.RecordEntry")
    line = entry.line
    if isinstance(line, StrokeLine):
        positions = resting(frame, line.facts, entry.moved)
        after, ruling = referee(frame, line.facts, Decision(line.nominated), positions)
        return StrokeStep(entry, frame, after, ruling, told=line)
    if isinstance(line, DecisionLine):
        return Step(entry, frame, decide(frame, line.option))
    if line.of_match and frame.is_over:
        check_player("player", line.player, frame.ruleset.n_players)
        return Step(entry, frame, frame)
    return Step(entry, frame, forfeit(frame, line.player))


def stroke_step(
    frame: Frame,
    facts: Facts,
    decision: Decision,
    positions: Floats | None = None,
    shot: Shots | None = None,
    intended: str = "",
) -> StrokeStep:
    """The step of a stroke; facts, decision and positions as of `rules.referee`, the rest as of `RecordEntry.stroke`.

    Raises ValueError and TypeError as these do.
    """
    check_intended(intended)
    after, ruling = referee(frame, facts, decision, positions)
    line = StrokeLine(facts, decision.nominated, intended)
    return StrokeStep(RecordEntry(line, shot, moved_balls(frame, facts, positions)), frame, after, ruling, told=line)
