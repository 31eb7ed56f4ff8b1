"""A record of a frame as a value: where it started, and every stroke and decision since, each replayed by the referee.

    record = rules.Record(frame, [rules.RecordEntry(rules.StrokeLine(rules.facts(frame, first="red")))])
    record = rules.Record.from_text(text)
    for step in record.steps: ...

A record holds what happened, not what the referee said of it: rulings follow from the rules, and `steps` has them. A
record that the referee or `rules.decide` refuses cannot be made. `rules.records.text` writes and reads the text.

Not part of it: the table, which `from_text` is given; times; strokes between frames.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rules.frame import Frame, check_frame
from rules.records.lines import print_line
from rules.steps import BETWEEN_NAMES, RecordEntry, Step, advance, check_printable, checked_comments

if TYPE_CHECKING:
    from simcore import Table

TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
RULES, START, FIRST = START_TAGS = ("Rules", "Start", "First")  # written from the frame the record starts with
MATCH, SIDES, AGREED, FRAME, PLAYERS = MATCH_TAGS = ("Match", "Sides", "Agreed", "Frame", "Players")  # from the match

Tags = tuple[tuple[str, str], ...]


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
    tags: Tags = ()
    comments: tuple[str, ...] = ()
    steps: tuple[Step, ...] = field(init=False)

    def __post_init__(self) -> None:
        check_frame(self.start)
        _set(self, tags=_checked_tags(self.tags), comments=checked_comments(self.comments))
        n_players = self.start.ruleset.n_players
        if self.players and len(self.players) != n_players:
            raise ValueError(f"tag {PLAYERS}: {len(self.players)} names, expected {n_players}")
        entries = tuple(self.entries)
        _set(self, entries=entries, steps=_replayed(self.start, entries))

    @classmethod
    def from_text(cls, text: str, *, table: "Table | None" = None) -> "Record":
        """The record of the one frame written in `text`; ValueError names the line and what was expected."""
        from rules.records.text import parse_records

        records = parse_records(text, table)
        if len(records) != 1:
            raise ValueError(f"text: {len(records)} frames, expected one; rules.parse_records reads several")
        return records[0]

    @property
    def text(self) -> str:
        """The record in words, exact: `Record.from_text(record.text) == record`."""
        from rules.records.text import print_record

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
        return self.with_steps([advance(self.final, entry)])

    def with_steps(self, steps: Iterable[Step]) -> "Record":
        """The record with more steps, trusted to follow each other: they are not replayed."""
        longer = object.__new__(Record)
        _set(longer, start=self.start, tags=self.tags, comments=self.comments, steps=(*self.steps, *steps))
        _set(longer, entries=tuple(step.entry for step in longer.steps))
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


def _replayed(start: Frame, entries: Iterable[RecordEntry]) -> tuple[Step, ...]:
    steps: list[Step] = []
    frame = start
    for i, entry in enumerate(entries, 1):
        try:
            steps.append(advance(frame, entry))
        except ValueError as error:
            raise ValueError(f"entry {i} ({print_line(entry.line)}): {error}") from None
        frame = steps[-1].after
    return tuple(steps)


def _set(record: Record, **fields: Any) -> None:
    """Set fields of a frozen record while it is made."""
    for name, content in fields.items():
        object.__setattr__(record, name, content)


def _checked_tags(tags: Tags) -> Tags:
    names = [name for name, _ in tags]
    for name, value in tags:
        if not TAG_NAME.fullmatch(name):
            raise ValueError(f"tag {name!r:.80}: expected a name of letters and digits with a capital first")
        if name in START_TAGS:
            raise ValueError(f"tag {name}: written from the frame the record starts with, so it is not given")
        if names.count(name) > 1:
            raise ValueError(f"tag {name} is given twice")
        check_printable(f"tag {name}", value)
    return tuple((name, value) for name, value in tags)
