"""How a match stands, from the results of its frames: frames won, games won, points, and whether it is decided.

A game is over when its leader can no longer be caught, which for two sides and an odd number of frames is the first to
win more than half (article of the source, spec 10); an aggregate game, when all its frames are played. So is a match,
in games. Level at the end, it is drawn: impossible for two sides with odd numbers of frames and games.

Not modelled: leagues that play on when a match is decided.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class FrameResult:
    """How a frame ended."""

    order: tuple[str, ...]  # players in the order of play, its opener first; () of a frame not played
    scores: tuple[int, ...]  # points of each side in this frame alone, with its handicap
    winner: int | None  # side; None: level, or a frame not played of which no one side is the winner
    ended: str  # "played", "three misses", "conceded", "claimed", "forfeited" or "unplayed"


class Standing(NamedTuple):
    """The state of a match between frames, or after the last finished one."""

    games: tuple[int, ...]  # won by each side
    frames: tuple[int, ...]  # won by each side in the present game
    points: tuple[int, ...]  # of each side in it
    left: int  # frames of it not yet played
    is_over: bool  # whether the match is decided
    winner: int | None  # side that won the match; None: not over, or drawn


MAX_FRAMES = 9999  # a game, and games a match: as many as records have digits for


class Format(NamedTuple):
    """Over what a match is played."""

    n_sides: int = 2
    best_of: int = 1  # frames a game
    games: int = 1  # games a match
    aggregate: bool = False  # all frames are played and their points added


def leader(counts: Sequence[int], sides: Iterable[int]) -> int | None:
    """The one of `sides` that has the greatest count, None if it shares it."""
    best, *others = sorted(sides, key=lambda side: -counts[side])
    return None if others and counts[others[0]] == counts[best] else best


def is_decided(counts: Sequence[int], left: int) -> bool:
    """Whether the leading side stays ahead, whoever wins the `left` that remain, or none remain."""
    second, best = sorted(counts)[-2:]
    return left <= 0 or best > second + left


class Tally:
    """Frames and points of one game, added up result by result."""

    def __init__(self, form: Format, results: Iterable[FrameResult] = ()) -> None:
        self.form = form
        self.frames, self.points = [0] * form.n_sides, [0] * form.n_sides
        self.left = form.best_of
        for result in results:
            self.add(result)

    def add(self, result: FrameResult) -> None:
        """Count one more frame."""
        self.left -= 1
        if result.winner is not None:
            self.frames[result.winner] += 1
        for side, points in enumerate(result.scores):
            self.points[side] += points

    @property
    def is_over(self) -> bool:
        """Whether the frames decide the game."""
        return self.left == 0 if self.form.aggregate else is_decided(self.frames, self.left)

    @property
    def winner(self) -> int | None:
        """Side that won the game if it is over; None: drawn."""
        return leader(self.points if self.form.aggregate else self.frames, range(self.form.n_sides))


def games_of(results: Iterable[FrameResult], form: Format) -> list[list[FrameResult]]:
    """The results game by game; the last game may be unfinished, and is empty before the first frame."""
    games: list[list[FrameResult]] = [[]]
    tally = Tally(form)
    for result in results:
        if tally.is_over:
            games.append([])
            tally = Tally(form)
        games[-1].append(result)
        tally.add(result)
    return games


def frames_to_the_end(results: Iterable[FrameResult], form: Format, result: FrameResult) -> int:
    """How many more frames of that result decide the match."""
    tallies = [Tally(form, game) for game in games_of(results, form)]
    winners = [tally.winner for tally in tallies if tally.is_over]
    won = [winners.count(side) for side in range(form.n_sides)]
    left, count, tally = form.games - len(winners), 0, tallies[-1]
    while not is_decided(won, left):
        tally = Tally(form) if tally.is_over else tally
        while not tally.is_over:
            tally.add(result)
            count += 1
        if tally.winner is not None:
            won[tally.winner] += 1
        left -= 1
    return count


def present_game(results: Iterable[FrameResult], form: Format) -> list[FrameResult]:
    """The results of the game that goes on, none when the next is to begin."""
    game = games_of(results, form)[-1]
    return [] if Tally(form, game).is_over else game


def points_in(game: Iterable[FrameResult], n_sides: int) -> tuple[int, ...]:
    """Points of each side, added over frames."""
    scores = [result.scores for result in game]
    return tuple(sum(score[side] for score in scores) for side in range(n_sides))


def standing(results: Iterable[FrameResult], form: Format, forfeited: int | None = None) -> Standing:
    """The standing after `results`; forfeited: side that lost the match by forfeit, None = none.

    With more than two sides, one that forfeits leaves the match to whoever leads of the others: in games, else in
    frames, else in points (no source says).
    """
    tallies = [Tally(form, game) for game in games_of(results, form)]
    winners = [tally.winner for tally in tallies if tally.is_over]
    won = tuple(winners.count(side) for side in range(form.n_sides))
    frames, points = tuple(tallies[-1].frames), tuple(tallies[-1].points)
    is_over = is_decided(won, form.games - len(winners)) or forfeited is not None
    winner = leader(won, range(form.n_sides)) if is_over else None
    if forfeited is not None:
        inside = [side for side in range(form.n_sides) if side != forfeited]
        leaders = (leader(counts, inside) for counts in (won, frames, points))
        winner = next((side for side in leaders if side is not None), None)
    return Standing(won, frames, points, tallies[-1].left, is_over, winner)
