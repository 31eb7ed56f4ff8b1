"""A match as an immutable value: who plays whom, over what, the frame on the table, and all that happened.

    match = rules.Match.start(["Ann", "Ben"], best_of=3)                            # one player against another
    match = rules.Match.start([["Ann", "Al"], ["Ben", "Bo"]], n_players=4)          # pairs: four play in a fixed order
    match = rules.Match.start([["Ann", "Al"], ["Ben", "Bo"]], order=["Al", "Ben"])  # teams: one of each plays a frame
    match = rules.Match.start(["Ann", "Ben", "Cy"], penalty_to=1)                   # each for himself

Strokes, decisions and forfeits make new matches. Each is kept as a step (`rules.steps`): statistics are counted from
these (`rules.statistics`) and records written; how the match stands follows from the results (`rules.standing`).

A frame opened by the wrong side (WPBSA 3.3(d)): when it is seen after one stroke without a foul, go back to the match
before that stroke; seen later, the frame goes on, so tell `next_frame` who opened it. The later frames are opened as
if nothing had happened.

Not modelled: time; who may advise whom; concessions that are refused (do not enter them) or too early (conduct).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rules.checks import check_integer
from rules.decisions import value_left
from rules.frame import Frame, check_table, opening
from rules.playing import simulated
from rules.ruleset import RuleSet, checked_rules
from rules.ruling import Decision, Ruling
from rules.sides import side_of
from rules.standing import (
    MAX_FRAMES,
    Format,
    FrameResult,
    Standing,
    frames_to_the_end,
    points_in,
    present_game,
    standing,
)
from rules.state import CLAIM, CONCEDE, NOBODYS, Facts, Floats
from rules.steps import (
    DecisionLine,
    ForfeitLine,
    Line,
    RecordEntry,
    Step,
    StrokeStep,
    advance,
    check_name,
    stroke_step,
)
from rules.strokes import Strokes

if TYPE_CHECKING:
    from simcore import Physics, Table

UNPLAYED_FRAME = 147  # points by which each frame not played is lost in an aggregate match (4.3 note, WPBSA 4.2(b))

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class Match:
    """One moment of a match; build it with `start`, the constructor trusts."""

    sides: tuple[tuple[str, ...], ...]  # names of the players of each side
    form: Format  # frames a game, games a match, whether points are added
    ruleset: RuleSet  # the rules agreed on; in an aggregate match those of a frame differ
    first: int  # side that the lot named to open the first frame
    players: tuple[str, ...]  # of the present frame by their number in it; number p is of side p % n_sides
    frame: Frame  # the present frame, or the last one until the next is set up
    results: tuple[FrameResult, ...] = ()  # of the frames that are over
    history: tuple[Step, ...] = ()
    forfeited: int | None = None  # side that lost the match by forfeit

    @classmethod
    def start(
        cls,
        sides: Sequence[str | Sequence[str]],
        *,
        best_of: int = 1,
        games: int = 1,
        aggregate: bool = False,
        first: int = 0,
        order: Sequence[str] | None = None,
        table: "Table | None" = None,
        **rules: Any,
    ) -> "Match":
        """A match with its first frame set up.

        sides: of each a player's name, or several names; more than two sides play each for itself. best_of: frames a
        game, odd; in an aggregate match, where all are played, any number. games: games a match; of both at most
        MAX_FRAMES. first: number of the side that opens, by lot. order: players of the first frame in the order of
        play, opener first; default those named first. rules: game, edition and switches as of `RuleSet.named`:
        n_players=4 for pairs, penalty_to for more than two sides, feet_foul=0 for wheelchairs, handicap=(0, 21) for
        points that sides have before every frame.
        Raises ValueError for names, numbers, rules or an order that do not fit. Source: 2.1 to 2.3, 3.3.1, 3.14, 6.
        """
        teams = _teams(sides)
        n = len(teams)
        frames, games = check_integer("best_of", best_of, 1, MAX_FRAMES), check_integer("games", games, 1, MAX_FRAMES)
        if not isinstance(aggregate, bool):
            raise TypeError(f"aggregate = {aggregate!r:.80}: expected True or False")
        if any(np.ravel(rules.get("carried", 0))):
            raise ValueError("carried: the match itself adds up the points of an aggregate, expected none")
        form = Format(n, frames, games, aggregate)
        if not aggregate and best_of % 2 == 0:
            raise ValueError(f"best_of = {best_of}: expected an odd number of frames, or aggregate=True")
        check_integer("first", first, 0, n - 1)
        ruleset = RuleSet.named(**{"n_players": n, "n_sides": n, **rules})
        if ruleset.n_sides != n:
            raise ValueError(f"n_sides = {ruleset.n_sides}: expected {n}, as many as there are sides")
        if order is None:
            order = [name for rank in range(ruleset.n_players // n) for name in _ranked(teams, rank, first)]
        _check_order(teams, order, ruleset.n_players, first)
        frame = opening(_rules_of_frame(ruleset, form, ()), check_table(table), first)
        return cls(teams, form, ruleset, first, rotated(tuple(order), -first), frame)

    def referee(
        self,
        facts: Facts,
        decision: Decision | None = None,
        positions: Floats | None = None,
        *,
        intended: str = "",
        stroke: Strokes | None = None,
    ) -> "Match":
        """The match after a stroke whose facts are told; what the referee said of it is `ruling`.

        facts, decision, positions: as of `rules.referee`; an option taken becomes a step of its own. intended: what
        the striker meant, if it is known: "safety", or the ball that he meant to pot ("red", "red 3", "black").
        stroke: the stroke itself if it is known, whose shot is kept and not looked at.
        Raises ValueError and TypeError as `rules.referee` does, and ValueError for an intention that is not known.
        """
        match, decision = self, Decision() if decision is None else decision
        if isinstance(decision, Decision) and decision.option is not None:
            match, decision = self.decide(decision.option), decision._replace(option=None)
        shot = None if stroke is None else stroke.shots
        return match.with_step(stroke_step(match.frame, facts, decision, positions, shot, intended))

    def play(self, stroke: Strokes, *, physics: "Physics | None" = None, intended: str = "") -> "Match":
        """The match after a simulated stroke; arguments and errors as of `rules.play` and of `referee`."""
        facts, positions = simulated(self.frame, stroke, physics)
        return self.referee(facts, Decision(stroke.nomination), positions, intended=intended, stroke=stroke)

    def decide(self, name: str) -> "Match":
        """The match after a decision, one of `frame.decisions`; ValueError as of `rules.decide`.

        What the lot chooses ("player_0_first") and a re-rack are nobody's decisions in the history.
        """
        return self.with_line(DecisionLine(name))

    def forfeit(self, player: str) -> "Match":
        """The match after the referee has awarded the present frame against `player` (4.3, WPBSA 4.2(a)).

        Raises ValueError for a name that is not a player's, or when the frame is over.
        """
        return self._forfeited(player, of_match=False)

    def forfeit_match(self, player: str) -> "Match":
        """The match lost by the side of `player`, who refuses to play on or is excluded (4.2, 4.3, WPBSA 4.2(b)).

        The frame in progress is forfeited. Of the frames not played he loses as many as it takes to decide the match,
        in an aggregate match all of them by 147 points each (C103). Of more than two sides, see `rules.standing`.
        Raises ValueError for a name that is not a player's, or when the match is over.
        """
        return self._forfeited(player, of_match=True)

    def with_line(self, line: Line, comments: Sequence[str] = ()) -> "Match":
        """The match after what a line tells, such as `rules.parse_line(match.frame, text)`, with comments on it.

        Raises ValueError and TypeError as the referee, `decide` and `forfeit` do.
        """
        return self.with_step(advance(self.frame, RecordEntry(line, comments=tuple(comments))))

    def with_step(self, step: Step, player: str | None = None) -> "Match":
        """The match after a step, which is trusted to be of its frame.

        player: name of who acted, default the player of that number in the frame.
        Raises ValueError when the match is forfeited after its end.
        """
        line = step.entry.line
        loses = isinstance(line, ForfeitLine) and line.of_match
        if loses and self.is_over:
            raise ValueError("the match is over: it cannot be forfeited")
        named = replace(step, number=self.number, player=self._actor(step) if player is None else player)
        ended = step.after.is_over and not step.before.is_over
        results = (*self.results, self._result(named)) if ended else self.results
        match = replace(self, frame=step.after, results=results, history=(*self.history, named))
        return match._lost_by(self.side_of(named.player)) if loses else match

    def next_frame(self, order: Sequence[str] | None = None, *, opener: int | None = None) -> "Match":
        """The match with its next frame set up.

        order: players in the order of play, opener first; default those of the last frame. opener: number of the side
        that opens, when it is not the next in turn: by a new lot for a new game, or by mistake (see the module).
        Raises ValueError when the frame is not over, the match is, or the order does not fit.
        Source: 3.3.1 note, 3.14.1, 3.14.2.
        """
        if self.is_over:
            raise ValueError("the match is over: there is no next frame")
        if not self.frame.is_over:
            raise ValueError(f"frame {self.number + 1} is not over: there is no next frame yet")
        n = self.form.n_sides
        opener = (self.first + len(self.results)) % n if opener is None else check_integer("opener", opener, 0, n - 1)
        order = rotated(self.players, opener) if order is None else order
        _check_order(self.sides, order, len(self.players), opener)
        frame = opening(_rules_of_frame(self.ruleset, self.form, self.results), self.frame.table, opener)
        return replace(self, players=rotated(tuple(order), -opener), frame=frame)

    @property
    def number(self) -> int:
        """Number of the frame on the table, from 0."""
        return sum(result.ended != "unplayed" for result in self.results) - int(self.frame.is_over)

    @property
    def order(self) -> tuple[str, ...]:
        """Players of the frame in the order of play, its opener first."""
        return rotated(self.players, self.frame.state.first_striker)

    @property
    def striker(self) -> str:
        """Name of the player to play or to decide."""
        return self.players[self.frame.striker]

    @property
    def ruling(self) -> Ruling | None:
        """The referee's ruling on the last stroke, None before the first."""
        return next((step.ruling for step in reversed(self.history) if step.ruling), None)

    @property
    def standing(self) -> Standing:
        """Games, frames and points after the frames that are over."""
        return standing(self.results, self.form, self.forfeited)

    @property
    def is_over(self) -> bool:
        """Whether the match is decided."""
        return self.standing.is_over

    @property
    def winner(self) -> int | None:
        """Side that won the match; None while it is not over, or when it is drawn."""
        return self.standing.winner

    def side_of(self, player: str) -> int:
        """Number of the side that a player is of; ValueError for a name that is not a player's."""
        for number, names in enumerate(self.sides):
            if player in names:
                return number
        listed = ", ".join(name for names in self.sides for name in names)
        raise ValueError(f"player {player!r} does not play in this match; expected one of {listed}")

    def _actor(self, step: Step) -> str:
        """Name of who played, decided or offended, "" if nobody did."""
        line = step.entry.line
        if isinstance(step, StrokeStep):
            return self.players[step.ruling.striker]
        if isinstance(line, ForfeitLine):
            return self.players[line.player]
        return "" if step.decision in NOBODYS else self.players[step.before.striker]

    def _forfeited(self, player: str, of_match: bool) -> "Match":
        side = self.side_of(player)  # the number of its first player, who stands for one that does not play this frame
        number = self.players.index(player) if player in self.players else side
        return self.with_step(advance(self.frame, RecordEntry(ForfeitLine(number, of_match))), player)

    def _lost_by(self, side: int) -> "Match":
        """The match forfeited by a side, with the frames that it loses without playing them."""
        lost = self._unplayed(side)
        is_lost = self.form.aggregate or self.form.n_sides == 2
        count = frames_to_the_end(self.results, self.form, lost) if is_lost else 0
        return replace(self, results=(*self.results, *(lost,) * count), forfeited=side)

    def _result(self, step: Step) -> FrameResult:
        """The result of the frame that a step has ended.

        A frame conceded in an aggregate match gives the others the value of the balls left, a red counting 8
        (WPBSA 4.5(b)); the old text is silent.
        """
        state, ended = step.after.state, _ending(step)
        scores = step.after.scores
        if ended == "conceded" and self.form.aggregate:
            losers = step.before.state.conceded | 1 << side_of(self.ruleset, state.striker)
            left = value_left(self.ruleset, step.before.state)
            scores = tuple(points + left * (~losers >> side & 1) for side, points in enumerate(scores))
        return FrameResult(self.order, scores, state.winner if state.winner >= 0 else None, ended)

    def _unplayed(self, loser: int) -> FrameResult:
        """The result of a frame that is lost without being played."""
        points = UNPLAYED_FRAME if self.form.aggregate else 0
        scores = tuple(points * (side != loser) for side in range(self.form.n_sides))
        return FrameResult((), scores, 1 - loser if self.form.n_sides == 2 else None, "unplayed")

    def __repr__(self) -> str:
        form, sides = self.form, ["/".join(names) for names in self.sides]
        counted = self.standing._asdict()
        shown = ["games"] * (form.games > 1) + ["frames"] + ["points"] * form.aggregate
        count = [f"{name} {'–'.join(str(n) for n in counted[name])}" for name in shown]
        kind = "aggregate of" if form.aggregate else "best of"
        return f"<Match {' – '.join(sides)}, {kind} {form.best_of}: {', '.join(count)}, {self._to_come()}>"

    def _to_come(self) -> str:
        """The result of the match, or its frame and who acts next."""
        if self.is_over:
            return "drawn" if self.winner is None else f"{'/'.join(self.sides[self.winner])} won"
        score = "–".join(str(points) for points in self.frame.scores)
        does = "decide" if self.frame.options else "play"
        return f"frame {self.number + 1} {score}, {'over' if self.frame.is_over else f'{self.striker} to {does}'}"


def rotated(items: tuple[T, ...], n: int) -> tuple[T, ...]:
    """The items in their circular order from number n on; -n takes that back."""
    return items[n:] + items[:n]


def _ending(step: Step) -> str:
    """How the frame ended that a step has ended, as `FrameResult.ended`."""
    if isinstance(step, StrokeStep):
        return "three misses" if step.ruling.miss else "played"
    return {CONCEDE: "conceded", CLAIM: "claimed"}.get(step.decision, "forfeited")


def _teams(sides: Sequence[str | Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Names of the players of each side, checked."""
    if isinstance(sides, str) or not isinstance(sides, Sequence):
        raise TypeError(f"sides = {sides!r:.80}: expected a list of sides, such as ['Ann', 'Ben']")
    for number, side in enumerate(sides):
        if not isinstance(side, Sequence):
            raise TypeError(f"sides[{number}] = {side!r:.80}: expected a name, or the names of its players")
    if not sides:
        raise ValueError("sides: none of them, expected at least 2")
    teams = tuple((side,) if isinstance(side, str) else tuple(side) for side in sides)
    names = [name for team in teams for name in team]
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"sides: {name!r} is not a name; expected text that is not empty")
        if names.count(name) > 1:
            raise ValueError(f"sides: {name!r} is named twice")
        check_name(name)
    for number, team in enumerate(teams):
        if not team:
            raise ValueError(f"sides[{number}] has no player")
    return teams


def _ranked(teams: tuple[tuple[str, ...], ...], rank: int, first: int) -> list[str]:
    """The players named at place `rank` of their sides, in the order of the sides from `first` on."""
    for number, team in enumerate(teams):
        if rank >= len(team):
            raise ValueError(f"sides[{number}] has {len(team)} players: expected at least {rank + 1}")
    return [team[rank] for team in rotated(teams, first)]


def _check_order(teams: tuple[tuple[str, ...], ...], order: Sequence[str], n_players: int, opener: int) -> None:
    """Refuse an order of play in which the sides do not take turns from the opener on."""
    if not isinstance(order, Sequence):
        raise TypeError(f"order = {order!r:.80}: expected {n_players} names")
    if isinstance(order, str) or len(order) != n_players or len(set(order)) != n_players:
        raise ValueError(f"order = {order!r}: expected {n_players} different players")
    for place, name in enumerate(order):
        number = (opener + place) % len(teams)
        if name not in teams[number]:
            known = ", ".join(teams[number])
            raise ValueError(f"order: {name!r} in place {place + 1}: expected one of {known}")


def _rules_of_frame(ruleset: RuleSet, form: Format, results: Sequence[FrameResult]) -> RuleSet:
    """Rules of the frame that follows `results`.

    In an aggregate game a tied frame stands, and the last frame counts with the points of those before: the black is
    re-spotted only if the totals are level (3.3.8 note). Its frames are not claimed (spec 10).
    """
    if not form.aggregate:
        return ruleset
    game = present_game(results, form)
    is_last = len(game) == form.best_of - 1
    carried = points_in(game, form.n_sides) if is_last else ()
    return checked_rules(ruleset._replace(respot_on_tie=int(is_last), carried=carried, claim_lead=0))
