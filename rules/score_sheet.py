"""The sheet of a match scored by hand: the match, and the records of its frames, grown together line by line.

    sheet = rules.ScoreSheet.start(["Ann", "Bob"], best_of=3)
    sheet = sheet.with_line(rules.parse_line(sheet.frame, "first red; pot red"))
    rules.write_records(path, sheet.records)

The rules of its frames say that positions are not known, so what they decide is told (see `OBSERVED_NAMES`). Its
records are those of `rules.match_record`, and what else they say is kept: comments, and tags such as Event.

Not part of it: matches of several games, of added points, or of teams with more players than play a frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.frame import Frame
from rules.match import Match
from rules.match_record import AGREED, MATCH, SIDES, match_of, match_records, next_as, with_entry
from rules.record import BETWEEN_NAMES, FRAME, PLAYERS, Record, RecordEntry, Step, checked_comments
from rules.words import Forfeit, Line

NAMES = ("A", "B", "C", "D")  # of players who are not named
OWN_TAGS = (MATCH, SIDES, AGREED, FRAME, PLAYERS)


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
        n_sides = 2 if pairs else len(names)
        sides = [names[side::n_sides] for side in range(n_sides)]
        match = Match.start(
            sides, best_of=best_of, order=names, edition=edition, n_players=len(names), positions_known=0
        )
        return cls(match, match_records(match))

    @property
    def frame(self) -> Frame:
        """The frame on the table, or the last one until the next is begun."""
        return self.match.frame

    @property
    def last(self) -> Step:
        """The last line of the frame, replayed; IndexError before the first."""
        return self.frames[-1].steps[-1]

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the frames begun, comments on what follows at their end."""
        *others, last = self.frames
        return (*others, Record(last.start, last.entries, last.tags, self.comments)) if self.comments else self.frames

    def begun(self, order: Sequence[str] | None = None) -> "ScoreSheet":
        """The sheet with the next frame set up if the last is over and there is one; itself otherwise.

        order: players in the order of play, opener first; default that of the last frame.
        Raises ValueError for an order that does not fit.
        """
        if not self.frame.is_over or self.match.is_over:
            return self
        match = self.match.next_frame(order)
        tags = [tag for tag in self.frames[-1].tags if tag[0] not in OWN_TAGS]
        own = [(FRAME, str(match.number + 1)), (PLAYERS, f"{BETWEEN_NAMES} ".join(match.players))]
        return replace(self, match=match, frames=(*self.frames, Record(match.frame, (), (*tags, *own))))

    def with_line(self, line: Line) -> "ScoreSheet":
        """The sheet after a stroke, a decision or a forfeit of the frame, the next one if the last is over.

        Raises ValueError when the referee or `rules.decide` refuses it, or the match is over.
        """
        if self.match.is_over:
            raise ValueError("the match is over")
        of_match = isinstance(line, Forfeit) and line.of_match
        return (self if of_match else self.begun())._with_entry(RecordEntry(line, comments=self.comments))

    def _with_entry(self, entry: RecordEntry) -> "ScoreSheet":
        longer = self.frames[-1].with_entry(entry)  # first, as it refuses what contradicts the frame
        return ScoreSheet(with_entry(self.match, entry), (*self.frames[:-1], longer))

    def with_comment(self, comment: str) -> "ScoreSheet":
        """The sheet with a comment on what follows; ValueError unless it is a line of printable text."""
        return replace(self, comments=checked_comments((*self.comments, comment)))


def sheets_of(records: Sequence[Record]) -> list[ScoreSheet]:
    """Every moment of the match that the records tell, the first and the last included; one for each line.

    Raises ValueError as `rules.match_of`, and for frames whose positions are known: they were not scored by hand.
    """
    match_of(records)
    if records[0].start.ruleset.positions_known:
        raise ValueError("the frames have positions (rule positions_known): a match scored by hand has none")
    sheets = [ScoreSheet(match_of([_begun(records[0])]), (_begun(records[0]),))]
    for number, record in enumerate(records):
        sheet = sheets[-1]
        if number:
            sheet = ScoreSheet(next_as(sheet.match, record), (*sheet.frames, _begun(record)), sheet.comments)
        if not record.entries:
            sheets[-1] = sheet
        for entry in record.entries:
            sheet = sheet._with_entry(replace(entry, comments=(*sheet.comments, *entry.comments)))
            sheets.append(sheet)
        sheets[-1] = replace(sheets[-1], comments=(*sheets[-1].comments, *record.comments))
    return sheets


def _begun(record: Record) -> Record:
    """The record before the first entry."""
    return Record(record.start, (), record.tags)
