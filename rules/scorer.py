"""A scorer's session: lines typed in, the referee's calls out, and every step back and forth again.

    scorer = rules.Scorer.start(["Ann", "Bob"], best_of=3)
    scorer, said = scorer.enter("r")

A scorer is an immutable value: what is refused leaves nothing behind. A line tells a stroke or a decision, in the short
forms of `rules.shorthand` or in full words; or it is a comment (#), or one of the commands listed in HELP.

Not part of it: the terminal and files; `snookersim score` has them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.calls import ENGLISH, Voice, calls, catalogue, counts, standing_calls
from rules.prospects import deficit, points_available, snookers_required
from rules.record import BETWEEN_NAMES, Record
from rules.score_sheet import ScoreSheet, sheets_of
from rules.shorthand import DECISIONS, write_out
from rules.state import LOT_NAMES
from rules.words import DECIDE, FORFEIT_MATCH, parse_line, print_line

COMMENT = "#"
HELP = """\
Balls: r y gr br bl p bk, w (cue ball), or their names.
  r            red potted                        foul         no ball hit
  r r w        two reds and the cue ball         foul bl      blue hit first, a ball not on
  bk           black potted                      foul on bk   no ball hit, black nominated
  -            ball on hit, nothing potted       touch bl     blue touched, no stroke made
  - bk         the same, black nominated         free gr      the free ball taken, green potted
  in           in-off the ball on                # words      a comment
After the balls: miss, full (a full ball was on), snookered (the next player is), behind (the free ball), push, double,
feet, jump, safe (meant so), try bk (black meant); or after a semicolon full words: - ; pot blue; touched pink
Decisions: play, free, again, back (balls replaced), hand, concede, claim, rerack; NAME (the lot's, of who begins);
by the referee: forfeit NAME (of the frame), forfeit_match NAME
Commands: help, undo, redo, score, decisions, frame, order NAME; NAME (of the next frame), save [FILE], quit."""


class Typed(NamedTuple):
    """A line that was typed, and the sheet on its other side: before it, or after it once it is undone."""

    text: str
    sheet: ScoreSheet


@dataclass(frozen=True, slots=True)
class Scorer:
    """One moment of a session; build it with `start` or `resume`, the constructor trusts."""

    sheet: ScoreSheet
    language: str = ENGLISH  # of the referee's calls
    earlier: tuple[Typed, ...] = ()
    undone: tuple[Typed, ...] = ()

    @classmethod
    def start(
        cls,
        players: Sequence[str] = (),
        *,
        best_of: int = 1,
        pairs: bool = False,
        edition: str = "current",
        language: str = ENGLISH,
    ) -> "Scorer":
        """The session of a match about to begin; arguments and errors as of `ScoreSheet.start`.

        language: "en", "ru" or "es", of the referee's calls; ValueError for another.
        """
        catalogue(language)
        return cls(ScoreSheet.start(players, best_of=best_of, pairs=pairs, edition=edition), language)

    @classmethod
    def resume(cls, records: Sequence[Record], *, language: str = ENGLISH) -> "Scorer":
        """The session that goes on where the records of a match end; errors as of `sheets_of` and of `start`."""
        catalogue(language)
        sheets = sheets_of(records)
        lines = [print_line(entry.line) for record in records for entry in record.entries]
        return cls(sheets[-1], language, tuple(map(Typed, lines, sheets)))

    @property
    def records(self) -> tuple[Record, ...]:
        """The match as `rules.write_records` saves it."""
        return self.sheet.records

    @property
    def prompt(self) -> str:
        """Who is to play or decide, before a line is typed."""
        if self.sheet.match.is_over:
            return "match over> "
        sheet = self.sheet.begun()
        return f"{'lot' if _lot(sheet) else sheet.match.striker}{'?' if sheet.frame.options else ''}> "

    def enter(self, text: str) -> tuple["Scorer", list[str]]:
        """The session after a typed line, and what is said to it, line by line.

        Raises ValueError that says what is not understood, or why the referee or the rules refuse it; TypeError for
        other things than text.
        """
        if not isinstance(text, str):
            raise TypeError(f"text = {text!r:.80}: expected str, a line such as 'r'")
        text = text.strip()
        word, _, rest = text.partition(" ")
        if not text:
            return self, []
        if text.startswith(COMMENT):
            return self._after(text, self.sheet.begun().with_comment(text.removeprefix(COMMENT).strip())), []
        if word.lower() == "order":
            return self._ordered(text, rest)
        if text.lower() in COMMANDS:
            return COMMANDS[text.lower()](self)
        return self._told(text)

    def _after(self, text: str, sheet: ScoreSheet) -> "Scorer":
        return replace(self, sheet=sheet, earlier=(*self.earlier, Typed(text, self.sheet)), undone=())

    def _told(self, text: str) -> tuple["Scorer", list[str]]:
        """After a stroke or a decision, with the decision that a stroke tells."""
        if self.sheet.match.is_over:
            raise ValueError("the match is over; undo takes the last line back")
        between = text.lower().startswith(FORFEIT_MATCH)  # the match may be lost without another frame
        sheet, said = self.sheet if between else self.sheet.begun(), []
        for words in write_out(sheet.frame, text, sheet.match.players):
            line = parse_line(sheet.frame, words)
            sheet = sheet.with_line(line)
            said += [f"  {words}", " ".join(calls(voice(sheet, self.language), sheet.last))]
        return self._after(text, sheet), [*said, *self._standing(sheet)]

    def _ordered(self, text: str, names: str) -> tuple["Scorer", list[str]]:
        """After the sides have chosen the order of play of the next frame (3.14.2)."""
        if not self.sheet.frame.is_over or self.sheet.match.is_over:
            raise ValueError("order: it is chosen between frames")
        sheet = self.sheet.begun([name.strip() for name in names.split(BETWEEN_NAMES)])
        return self._after(text, sheet), self._standing(sheet)

    def undo(self) -> tuple["Scorer", list[str]]:
        """The session before the last line; ValueError if there is none."""
        if not self.earlier:
            raise ValueError("there is nothing to undo")
        *earlier, (text, sheet) = self.earlier
        undone = (*self.undone, Typed(text, self.sheet))
        before = replace(self, sheet=sheet, earlier=tuple(earlier), undone=undone)
        return before, [f"undone: {text}", *self._standing(sheet)]

    def redo(self) -> tuple["Scorer", list[str]]:
        """The session with the line that was undone last; ValueError if there is none."""
        if not self.undone:
            raise ValueError("there is nothing to redo")
        *undone, (text, sheet) = self.undone
        earlier = (*self.earlier, Typed(text, self.sheet))
        after = replace(self, sheet=sheet, earlier=earlier, undone=tuple(undone))
        return after, [f"redone: {text}", *self._standing(sheet)]

    def board(self) -> list[str]:
        """Frames, points, and what is left to each side."""
        match = self.sheet.match
        frame = f"Frame {match.number + 1}, best of {match.form.best_of}, frames {counts(match.standing.frames)}"
        if self.sheet.frame.is_over:
            return [frame, *self._standing(self.sheet)]
        sides = [_side_line(self.sheet, side) for side in range(match.form.n_sides)]
        return [frame, *sides, _to_come(self.sheet), *_snookers(self.sheet)]

    def decisions(self) -> list[str]:
        """What may be decided now, as it is typed."""
        return [f"decisions: {', '.join(decision_words(self.sheet.begun())) or 'none'}"]

    def _standing(self, sheet: ScoreSheet) -> list[str]:
        """The score and what is to come: the next stroke, decision or frame, or the result of the match."""
        match = sheet.match
        if not match.frame.is_over:
            score = " – ".join(f"{name} {n}" for name, n in zip(_side_names(sheet), match.frame.scores, strict=True))
            return [f"{score}. {_to_come(sheet)}", *_snookers(sheet)]
        said = " ".join(standing_calls(voice(sheet, self.language), match))
        if match.is_over:
            return [said, f"({', '.join(counts(result.scores) for result in match.results)})"]
        following = sheet.begun().match
        return [said, f"Frame {following.number + 1}: {following.striker} to break off."]


def voice(sheet: ScoreSheet, language: str) -> Voice:
    """The voice that calls the strokes of the frame on the sheet."""
    return Voice(catalogue(language), sheet.match.players, sheet.match.form.n_sides)


def decision_words(sheet: ScoreSheet) -> list[str]:
    """The decisions open, as they are typed."""
    typed = {line.removeprefix(f"{DECIDE} "): word for word, line in DECISIONS.items()}  # short forms come last
    typed |= dict(zip(LOT_NAMES, sheet.match.players, strict=False))
    return [typed[name] for name in sheet.frame.decisions]


def _to_come(sheet: ScoreSheet) -> str:
    frame, name = sheet.frame, sheet.match.striker
    if frame.options:
        words = [word for word, _ in zip(decision_words(sheet), frame.options, strict=False)]
        return f"{'Lot' if _lot(sheet) else name}: {', '.join(words)}?"
    ball = "free ball" if frame.state.free_ball else f"{frame.ball_on} on"
    return f"{name}: {ball}, break {frame.state.break_points}, {points_available(frame)} left."


def _snookers(sheet: ScoreSheet) -> list[str]:
    needed = {name: snookers_required(sheet.frame, side) for side, name in enumerate(_side_names(sheet))}
    return [f"{name} needs {n} snooker{'s' * (n > 1)}." for name, n in needed.items() if n]


def _side_names(sheet: ScoreSheet) -> list[str]:
    return [" / ".join(side) for side in sheet.match.sides]


def _side_line(sheet: ScoreSheet, side: int) -> str:
    frame, name = sheet.frame, _side_names(sheet)[side]
    behind = deficit(frame, side)
    words = f"{behind} behind" if behind > 0 else f"{-behind} ahead" if behind < 0 else "level"
    return f"  {name}: {frame.scores[side]}, {words}, {points_available(frame, side)} available"


def _lot(sheet: ScoreSheet) -> bool:
    return bool(set(sheet.frame.options) & set(LOT_NAMES))


COMMANDS: dict[str, Callable[[Scorer], tuple[Scorer, list[str]]]] = {
    "help": lambda scorer: (scorer, HELP.splitlines()),
    "undo": Scorer.undo,
    "redo": Scorer.redo,
    "score": lambda scorer: (scorer, scorer.board()),
    "decisions": lambda scorer: (scorer, scorer.decisions()),
    "frame": lambda scorer: (scorer, [scorer.sheet.begun().frame.text]),
}
