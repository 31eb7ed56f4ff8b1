"""The sheet of a match scored by hand: the match, and the records of its frames, grown together line by line.

    sheet = rules.ScoreSheet.start(["Ann", "Bob"], best_of=3)
    sheet = sheet.with_line(rules.parse_line(sheet.frame, "first red; pot red"))
    rules.write_records(path, sheet.records)

The rules of its frames say that positions are not known, so what they decide is told (see `OBSERVED_NAMES`). Records
carry the players in their order, the number of the frame and the number of frames that the match is the best of, so
that the sheet can be made again from them.

Not part of it: matches of several games, of added points, or of teams with more players than play a frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.files import rule_changes
from rules.frame import Frame
from rules.match import Match
from rules.record import BETWEEN_NAMES, PLAYERS, Record, RecordEntry, Step, checked_comments
from rules.ruleset import EDITION_NAMES
from rules.ruling import Decision
from rules.words import Choice, Line, Told

FRAME, BEST_OF = "Frame", "BestOf"  # tags
NAMES = ("A", "B", "C", "D", "E", "F")  # of players who are not named

Tags = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """One moment of a match scored by hand; build it with `start` or `sheets_of`, the constructor trusts."""

    match: Match
    frames: tuple[Record, ...]  # of the frames begun
    comments: tuple[str, ...] = ()  # on what follows

    @classmethod
    def start(
        cls, players: Sequence[str] = (), *, best_of: int = 1, pairs: bool = False, edition: str = "current"
    ) -> "ScoreSheet":
        """The sheet of a match about to begin.

        players: names in the order of play, the one who breaks first; default A and B (and C, D). best_of: frames, odd.
        pairs: four play, the first and third together. Without it more than two play each for himself.
        Raises ValueError for names, numbers and an edition that do not fit.
        """
        names = tuple(players) or NAMES[: 4 if pairs else 2]
        if pairs and len(names) != 4:
            raise ValueError(f"players: {len(names)} names, expected 4 for pairs")
        for name in names:
            if BETWEEN_NAMES in name:
                raise ValueError(f"players: {name!r}: a name cannot have {BETWEEN_NAMES!r} in it")
        n_sides = 2 if pairs else len(names)
        sides = [names[side::n_sides] for side in range(n_sides)]
        match = Match.start(
            sides, best_of=best_of, order=names, edition=edition, n_players=len(names), positions_known=0
        )
        return cls(match, (_opened(match, ()),))

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the frames begun, comments on what follows at their end."""
        *others, last = self.frames
        return (*others, Record(last.start, last.entries, last.tags, self.comments)) if self.comments else self.frames

    @property
    def frame(self) -> Frame:
        """The frame on the table, or the last one until the next is begun."""
        return self.match.frame

    @property
    def last(self) -> Step:
        """The last line of the frame, replayed; IndexError before the first."""
        return self.frames[-1].steps[-1]

    def begun(self, order: Sequence[str] | None = None) -> "ScoreSheet":
        """The sheet with the next frame set up if the last is over and there is one; itself otherwise.

        order: players in the order of play, opener first; default that of the last frame.
        Raises ValueError for an order that does not fit.
        """
        if not self.frame.is_over or self.match.is_over:
            return self
        match = self.match.next_frame(order)
        return replace(self, match=match, frames=(*self.frames, _opened(match, self.frames[-1].tags)))

    def with_line(self, line: Line) -> "ScoreSheet":
        """The sheet after a stroke, a decision or a forfeit of the frame, the next one if the last is over.

        Raises ValueError when the referee or `rules.decide` refuses it, or the match is over.
        """
        if self.match.is_over:
            raise ValueError("the match is over")
        sheet = self.begun()
        record = sheet.frames[-1].with_entry(RecordEntry(line, comments=self.comments))
        return ScoreSheet(_advanced(sheet.match, line), (*sheet.frames[:-1], record))

    def with_comment(self, comment: str) -> "ScoreSheet":
        """The sheet with a comment on what follows; ValueError unless it is a line of printable text."""
        return replace(self, comments=checked_comments((*self.comments, comment)))


def _opened(match: Match, tags: Tags) -> Record:
    """The record of the frame just set up, with its own tags and the others of `tags`."""
    own = {
        PLAYERS: f"{BETWEEN_NAMES} ".join(match.players),
        FRAME: str(match.number + 1),
        BEST_OF: str(match.form.best_of),
    }
    return Record(match.frame, tags=(*(tag for tag in tags if tag[0] not in own), *own.items()))


def _advanced(match: Match, line: Line) -> Match:
    """The match after a line that the record has taken."""
    if isinstance(line, Told):
        return match.referee(line.facts, Decision(line.nominated), intended=line.intended)
    if isinstance(line, Choice):
        return match.decide(line.option)
    return match.forfeit(match.players[line.player])


def sheets_of(records: Sequence[Record]) -> list[ScoreSheet]:
    """Every moment of the match that the records tell, the first and the last included; one for each line.

    Raises ValueError, with the number of the record, for records that are not those of a match scored by hand.
    """
    sheets = [_first_sheet(records[0])]
    for number, record in enumerate(records, 1):
        try:
            sheets += _continued(sheets.pop(), number, record)
        except ValueError as error:
            raise ValueError(f"record {number}: {error}") from None
    return sheets


def _continued(sheet: ScoreSheet, number: int, record: Record) -> list[ScoreSheet]:
    """The sheet and every moment after it that the record of the frame `number`, from 1, tells."""
    begun = sheet.begun(_order(record) if number > 1 else None)
    if len(begun.frames) != number or not _agree(begun.frames[-1], record):
        raise ValueError("it does not follow from those before as a frame of one match")
    begun = replace(begun, frames=(*begun.frames[:-1], _opened(begun.match, record.tags)))
    sheets = [sheet if record.entries else begun]
    for entry in record.entries:
        if entry.moved or entry.shot:
            raise ValueError("a stroke has a shot or places, so it was not scored by hand")
        begun = replace(begun, comments=(*begun.comments, *entry.comments)).with_line(entry.line)
        sheets.append(begun)
    sheets[-1] = replace(sheets[-1], comments=record.comments)
    return sheets


def _agree(opened: Record, record: Record) -> bool:
    """Whether a record starts as the match has set its frame up, and says so in the tags that tell it."""
    own, told = dict(opened.tags), dict(record.tags)
    same_names = not record.players or record.players == opened.players
    return opened.start == record.start and same_names and all(told.get(n, own[n]) == own[n] for n in (FRAME, BEST_OF))


def _first_sheet(record: Record) -> ScoreSheet:
    """The sheet of the match whose first frame is recorded."""
    ruleset = record.start.ruleset
    if ruleset.positions_known:
        raise ValueError("record 1: positions are known in it, so it was not scored by hand")
    best_of = dict(record.tags).get(BEST_OF, "1")
    if not (best_of.isascii() and best_of.isdecimal() and len(best_of) < 4):
        raise ValueError(f"record 1: tag {BEST_OF} {best_of!r:.80}: expected a number of frames")
    players, n_sides = record.players or NAMES[: ruleset.n_players], ruleset.n_sides
    sides = [players[side::n_sides] for side in range(n_sides)]
    changes = rule_changes(ruleset) | {"edition": EDITION_NAMES[ruleset.edition]}
    opener = record.start.state.first_striker
    order = players[opener:] + players[:opener]
    match = Match.start(sides, best_of=int(best_of), first=opener % n_sides, order=order, **changes)
    return ScoreSheet(match, (_opened(match, record.tags),))


def _order(record: Record) -> tuple[str, ...] | None:
    """The players in the order of play, None if they are not told."""
    opener = record.start.state.first_striker
    return record.players[opener:] + record.players[:opener] or None
