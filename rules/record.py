"""A record of a frame as a value: where it started, and every stroke and decision since, each replayed by the referee.

    record = rules.Record(frame, [rules.RecordEntry(Told(rules.facts(frame, first="red")))])
    record = rules.Record.from_text(text)
    for step in record.steps: ...

A record holds what happened, not what the referee said of it: rulings follow from the rules, and `steps` has them. A
record that the referee or `rules.decide` refuses cannot be made. `rules.record_text` writes and reads the text.

Not part of it: the table, which `from_text` is given; times; strokes between frames.
"""

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rules.checks import check_player
from rules.decisions import decide, forfeit
from rules.frame import Frame, check_frame
from rules.outcome import balls_left
from rules.ruleset import MAX_BALLS, ball_name
from rules.ruling import Decision, Ruling, referee
from rules.state import Facts, Floats
from rules.words import INTENTIONS, SAFETY, Choice, Forfeit, Line, Told, print_line
from simcore.shots import Shots, float_array

if TYPE_CHECKING:
    from rules.strokes import Strokes
    from simcore import Physics, Table

TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
RULES, START, FIRST, PLAYERS, FRAME = "Rules", "Start", "First", "Players", "Frame"
OWN_TAGS = (RULES, START, FIRST)  # written from the frame the record starts with
BETWEEN_NAMES = ";"

Moved = tuple[int, float, float]  # a ball and where it came to rest, x and y in m


@dataclass(frozen=True, slots=True, eq=False)
class RecordEntry:
    """One line of a record: a stroke as it is told, or a decision.

    line: Told, Choice or Forfeit. shot: the single shot of the cue, if it is known. moved: balls that came to rest
    elsewhere than they lay (balls that fell, or were put back by the referee, are none of them). comments: lines of
    text before it.
    Raises ValueError for balls named twice, places that are not finite, comments that are not one printable line, and
    a shot or moved balls with a decision; TypeError for arguments of another type.
    """

    line: Line
    shot: Shots | None = None
    moved: tuple[Moved, ...] = ()
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _set(self, line=_checked_line(self.line), moved=_checked_moved(self.moved))
        _set(self, comments=checked_comments(self.comments))
        if self.shot is not None and not isinstance(self.shot, Shots):
            raise TypeError(f"shot = {self.shot!r:.80}: expected simcore.Shots or None")
        if self.shot is not None and self.shot.shape != ():
            raise ValueError(f"shot of shape {self.shot.shape}: expected a single one, such as shots[0]")
        if not isinstance(self.line, Told) and (self.shot is not None or self.moved):
            raise ValueError(f"{print_line(self.line)!r} is no stroke: expected neither a shot nor moved balls")

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
        moved = () if positions is None else _moved(frame, facts, float_array("positions", positions))
        return cls(Told(facts, nominated, intended), shot, moved)

    @classmethod
    def played(cls, frame: Frame, stroke: "Strokes", *, physics: "Physics | None" = None) -> "RecordEntry":
        """The entry of a stroke that the simulator plays; arguments and errors as of `rules.play`."""
        from rules.playing import simulated

        facts, positions = simulated(frame, stroke, physics)
        return cls.stroke(frame, facts, stroke.nomination, positions, stroke.shots)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, RecordEntry) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return *_comparable(self.line), self.shot, self.moved, self.comments


class Step(NamedTuple):
    """An entry replayed."""

    entry: RecordEntry
    before: Frame
    after: Frame
    ruling: Ruling | None  # None for a decision


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The record of one frame, or of its part since `start`.

    start: the frame when the record begins. entries: what happened since, in order. tags: names and values of what else
    is to be kept, such as ("Event", "Club night"); Players holds names, separated by semicolons, in the order of the
    players. comments: lines of text at the end.
    Raises ValueError when the referee or `rules.decide` refuses an entry, naming it, and for tags and comments that
    cannot be written on one line; TypeError for arguments of another type.
    """

    start: Frame
    entries: tuple[RecordEntry, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    steps: tuple[Step, ...] = field(init=False)

    def __post_init__(self) -> None:
        check_frame(self.start)
        _set(self, entries=tuple(self.entries), tags=_checked_tags(self.tags), comments=checked_comments(self.comments))
        n_players = self.start.ruleset.n_players
        if self.players and len(self.players) != n_players:
            raise ValueError(f"tag {PLAYERS}: {len(self.players)} names, expected {n_players}")
        _set(self, steps=_replayed(self.start, self.entries))

    @classmethod
    def from_text(cls, text: str, *, table: "Table | None" = None) -> "Record":
        """The record of the one frame written in `text`; ValueError names the line and what was expected."""
        from rules.record_text import parse_records

        records = parse_records(text, table)
        if len(records) != 1:
            raise ValueError(f"text: {len(records)} frames, expected one; rules.parse_records reads several")
        return records[0]

    @property
    def text(self) -> str:
        """The record in words, exact: `Record.from_text(record.text) == record`."""
        from rules.record_text import print_record

        return print_record(self)

    @property
    def final(self) -> Frame:
        """The frame after the last entry."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players in their order, () if they are not told."""
        names = dict(self.tags).get(PLAYERS)
        return () if names is None else tuple(name.strip() for name in names.split(BETWEEN_NAMES))

    def with_entry(self, entry: RecordEntry) -> "Record":
        """The record with one more entry; ValueError if the referee or `rules.decide` refuses it."""
        longer = object.__new__(Record)
        _set(longer, start=self.start, entries=(*self.entries, entry), tags=self.tags, comments=self.comments)
        _set(longer, steps=(*self.steps, advance(self.final, entry)))  # those before need not be replayed again
        return longer

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Record) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.start, self.entries, self.tags, self.comments

    def __repr__(self) -> str:
        scores = ":".join(str(points) for points in self.final.scores)
        return f"<record of {len(self.entries)} entries, {scores}>"


def advance(frame: Frame, entry: RecordEntry) -> Step:
    """Replay one entry; ValueError as `rules.referee` and `rules.decide`, and for a place of a ball that is gone."""
    line = entry.line
    if isinstance(line, Told):
        positions = resting(frame, line.facts, entry.moved)
        following, ruling = referee(frame, line.facts, Decision(line.nominated), positions)
        return Step(entry, frame, following, ruling)
    if isinstance(line, Choice):
        return Step(entry, frame, decide(frame, line.option), None)
    if line.of_match and frame.is_over:
        check_player("player", line.player, frame.ruleset.n_players)
        return Step(entry, frame, frame, None)
    return Step(entry, frame, forfeit(frame, line.player), None)


def _replayed(start: Frame, entries: tuple[RecordEntry, ...]) -> tuple[Step, ...]:
    steps: list[Step] = []
    frame = start
    for i, entry in enumerate(entries, 1):
        if not isinstance(entry, RecordEntry):
            raise TypeError(f"entries: {entry!r:.80} is no rules.RecordEntry")
        try:
            steps.append(advance(frame, entry))
        except ValueError as error:
            raise ValueError(f"entry {i} ({print_line(entry.line)}): {error}") from None
        frame = steps[-1].after
    return tuple(steps)


def _comparable(line: Line) -> tuple[Any, ...]:
    """The line as values that compare as they should; nan is not equal to itself."""
    if isinstance(line, Told):
        return *(None if value != value else value for value in line.facts), line.nominated, line.intended
    return type(line), *line


def _left(frame: Frame, facts: Facts) -> int:
    """Balls that can have come to rest: those on the table but for what fell or flew, and the cue ball."""
    return int(balls_left(frame.state, facts)) & ~facts.unspotted & ~facts.fell


def lying(frame: Frame, facts: Facts) -> Floats:
    """Where the balls lay when the cue ball was struck."""
    places = np.array(frame.positions)
    if not math.isnan(facts.placed_x):
        places[0] = facts.placed_x, facts.placed_y
    return places


def resting(frame: Frame, facts: Facts, moved: tuple[Moved, ...]) -> Floats | None:
    """Positions as the referee takes them, None when nothing is told."""
    if not moved:
        return None
    places = lying(frame, facts)
    for ball, x, y in moved:
        if not _left(frame, facts) >> ball & 1:
            raise ValueError(f"{ball_name(ball)} is not on the table after the stroke, yet it has a place")
        places[ball] = x, y
    return places


def _moved(frame: Frame, facts: Facts, positions: Floats) -> tuple[Moved, ...]:
    """Balls whose place differs from the one before the stroke."""
    before, left = lying(frame, facts), _left(frame, facts)
    here = [ball for ball in range(min(len(positions), MAX_BALLS)) if left >> ball & 1]
    changed = [ball for ball in here if tuple(positions[ball]) != tuple(before[ball])]
    return tuple((ball, float(positions[ball, 0]), float(positions[ball, 1])) for ball in changed)


def _set(value: Any, **fields: Any) -> None:
    """Set fields of a frozen value while it is made."""
    for name, content in fields.items():
        object.__setattr__(value, name, content)


def _checked_line(line: Line) -> Line:
    if isinstance(line, Choice | Forfeit) or (isinstance(line, Told) and isinstance(line.facts, Facts)):
        if isinstance(line, Told) and line.intended not in ("", *INTENTIONS):
            raise ValueError(f"intended = {line.intended!r}: expected {SAFETY!r}, a ball's name, or '' = not told")
        return line
    raise TypeError(f"line = {line!r:.80}: expected Told, Choice or Forfeit of rules.words")


def _checked_moved(moved: tuple[Moved, ...]) -> tuple[Moved, ...]:
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


def checked_comments(comments: tuple[str, ...]) -> tuple[str, ...]:
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


def _checked_tags(tags: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    names = [name for name, _ in tags]
    for name, value in tags:
        if not TAG_NAME.fullmatch(name):
            raise ValueError(f"tag {name!r:.80}: expected a name of letters and digits with a capital first")
        if name in OWN_TAGS:
            raise ValueError(f"tag {name}: written from the frame the record starts with, so it is not given")
        if names.count(name) > 1:
            raise ValueError(f"tag {name} is given twice")
        check_printable(f"tag {name}", value)
    return tuple((name, value) for name, value in tags)
