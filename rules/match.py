"""A match as an immutable value: who plays whom, over how many frames, the frame on the table, and all that happened.

A game is the best of `best_of` frames, a match the best of `games` games. Every method that changes something returns
a new match; each stroke and decision is kept as an `Entry`, from which statistics are counted and records written.

Not modelled: time, and who may advise whom.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.bed import physics_for
from rules.checks import check_strokes
from rules.decisions import decide
from rules.frame import Frame, check_table
from rules.ruleset import EDITION_NAMES, GAME_NAMES, RuleSet
from rules.ruling import Decision, Ruling, referee
from rules.state import Facts, Floats
from rules.stroke_facts import facts_from_results
from rules.strokes import Strokes

if TYPE_CHECKING:
    from simcore import Physics, Table


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened in a match: a stroke, a decision, or a frame awarded by the referee."""

    number: int  # of the frame in the match, from 0
    kind: str  # "stroke", "decision" or "forfeit"
    player: str  # who played, decided or offended; "" = the lot or the referee
    before: Frame
    after: Frame
    decision: str = ""  # name of a decision
    nominated: str | None = None  # declared with a stroke
    facts: Facts | None = field(default=None, compare=False)  # of a stroke; may hold nan, and `after` follows from it
    stroke: Strokes | None = None  # the stroke itself where it was simulated
    intended: str = ""  # what the striker meant: "safety", a ball ("red", "red 3", "black"); "" = not told
    ruling: Ruling | None = None  # on a stroke


@dataclass(frozen=True, slots=True)
class FrameResult:
    """How a frame ended."""

    players: tuple[str, ...]  # by their number in the frame
    opener: int  # side that opened it
    scores: tuple[int, ...]  # points of each side in this frame alone
    winner: int | None  # side, None = level
    ended: str  # "played", "three misses", "conceded", "claimed", "forfeited" or "unplayed"


@dataclass(frozen=True, slots=True)
class Match:
    """One moment of a match; build it with `start`, the constructor trusts."""

    sides: tuple[tuple[str, ...], ...]  # players of each side by name
    best_of: int  # frames a game
    games: int  # games a match
    first: int  # side that the lot names to open the first frame
    players: tuple[str, ...]  # of the present frame, by their number in it
    frame: Frame  # the present frame, or the last one while the next is not begun
    results: tuple[FrameResult, ...] = ()  # of finished frames
    history: tuple[Entry, ...] = ()
    forfeited: int | None = None  # side that lost the match by forfeit

    @classmethod
    def start(
        cls,
        sides: Sequence[str | Sequence[str]],
        *,
        best_of: int = 1,
        games: int = 1,
        first: int = 0,
        order: Sequence[str] | None = None,
        table: "Table | None" = None,
        **rules: Any,
    ) -> "Match":
        """A match about to begin; rules: game, edition and switches as of `RuleSet.named`."""
        teams = tuple((side,) if isinstance(side, str) else tuple(side) for side in sides)
        ruleset = RuleSet.named(**rules)
        order = order or [teams[(first + i) % len(teams)][0] for i in range(len(teams))]
        frame = _opening(ruleset, check_table(table), first)
        return cls(teams, best_of, games, first, _seated(teams, order, first), frame)

    def referee(
        self,
        facts: Facts,
        decision: Decision | None = None,
        positions: Floats | None = None,
        *,
        intended: str = "",
    ) -> "Match":
        """The match after a stroke of which the facts are told; arguments as of `rules.referee`."""
        return self._ruled(facts, decision or Decision(), positions, intended, None)

    def play(self, stroke: Strokes, *, physics: "Physics | None" = None, intended: str = "") -> "Match":
        """The match after a simulated stroke; arguments as of `rules.play`."""
        from simcore import simulate

        check_strokes(self.frame, stroke)
        physics = physics_for(self.frame, physics)
        results = simulate(self.frame.placed(stroke), stroke.shots, table=self.frame.table, physics=physics).check()
        facts = facts_from_results(results, placed=stroke.placement)
        return self._ruled(facts, Decision(stroke.nomination), np.asarray(results.positions), intended, stroke)

    def decide(self, name: str) -> "Match":
        """The match after a decision, one of `match.frame.options` (with the new core: `match.frame.decisions`)."""
        player = "" if name.endswith("_first") or name == "re_rack" else self.striker
        entry = Entry(self.number, "decision", player, self.frame, decide(self.frame, name), name)
        return self._after(entry)

    def next_frame(self, order: Sequence[str] | None = None) -> "Match":
        """The match with the next frame set up; order: players in the order of play, default as before."""
        if self.is_over or not self.frame.is_over:
            raise ValueError("the match is over" if self.is_over else f"frame {self.number} is not over")
        opener = (self.first + len(self.results)) % len(self.sides)
        order = order or [*self.players[opener:], *self.players[:opener]]
        frame = _opening(self.frame.ruleset, self.frame.table, opener)
        return replace(self, frame=frame, players=_seated(self.sides, order, opener))

    @property
    def number(self) -> int:
        """Number of the present frame, from 0."""
        return len(self.results) - (1 if self.frame.is_over else 0)

    @property
    def striker(self) -> str:
        """Name of the player to play or to decide."""
        return self.players[self.frame.striker]

    @property
    def ruling(self) -> Ruling | None:
        """The ruling on the last stroke, None before the first."""
        return next((entry.ruling for entry in reversed(self.history) if entry.ruling), None)

    @property
    def frames_won(self) -> tuple[int, ...]:
        """Frames won by each side."""
        return tuple(sum(result.winner == side for result in self.results) for side in range(len(self.sides)))

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.winner is not None

    @property
    def winner(self) -> int | None:
        """Side that won the match, None while it is not decided."""
        won = self.frames_won
        return next((side for side, n in enumerate(won) if 2 * n > self.best_of), None)

    def _ruled(
        self, facts: Facts, decision: Decision, positions: Floats | None, intended: str, stroke: Strokes | None
    ) -> "Match":
        match = self if decision.option is None else self.decide(decision.option)
        before = match.frame
        after, ruling = referee(before, facts, Decision(decision.nominated), positions)
        entry = Entry(
            number=match.number,
            kind="stroke",
            player=match.players[ruling.striker],
            before=before,
            after=after,
            nominated=decision.nominated,
            facts=facts,
            stroke=stroke,
            intended=intended,
            ruling=ruling,
        )
        return match._after(entry)

    def _after(self, entry: Entry) -> "Match":
        results = (*self.results, self._result(entry)) if entry.after.is_over else self.results
        return replace(self, frame=entry.after, results=results, history=(*self.history, entry))

    def _result(self, entry: Entry) -> FrameResult:
        state = entry.after.state
        winner = state.winner if state.winner >= 0 else None
        return FrameResult(self.players, state.first_striker, entry.after.scores, winner, "played")


def _opening(ruleset: RuleSet, table: "Table", opener: int) -> Frame:
    """The opening of a frame with the rules in force."""
    frame = Frame.start(GAME_NAMES[ruleset.game], EDITION_NAMES[ruleset.edition], striker=opener, table=table)
    return replace(frame, ruleset=ruleset)


def _seated(sides: tuple[tuple[str, ...], ...], order: Sequence[str], opener: int) -> tuple[str, ...]:
    """The players by their number in the frame, where player p is of side p % n_sides."""
    order = tuple(order)
    return tuple(order[(p - opener) % len(order)] for p in range(len(order)))
