"""Facts of strokes, from names a scorer would use or from the arrays of a simulator.

Not modelled by the planar simulator, and therefore never among its facts: jumps and balls off the table.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rules.checks import check_integer
from rules.frame import Frame, check_frame
from rules.ruleset import KIND_NAMES, MAX_BALLS, RED
from rules.state import BALL_SETS, OBSERVED_NAMES, Facts, FactsArrays, Ints
from rules.tolerances import GAP_STEP, PUSH_WINDOW
from simcore.shots import float_array, refuse_where

if TYPE_CHECKING:
    from simcore import ShotResults

Names = str | Iterable[str]


def facts(
    frame: Frame,
    *,
    first: Names = (),
    potted: Names = (),
    off_table: Names = (),
    touching: Names = (),
    observed: Names = (),
    placed: tuple[float, float] | None = None,
    played_by: int = -1,
    nearest_gap: float = math.nan,
    **other: Names,
) -> Facts:
    """Facts of one stroke in words.

    first: balls the cue ball met first. potted, off_table, touching: balls. observed: names of OBSERVED_NAMES.
    placed: (x, y), m, of a cue ball in hand. played_by: the player if it was not the striker. nearest_gap: how near the
    cue ball came to a ball on, m, nan = not told. other: further sets of `Facts` by name (touching_moved, touched,
    moving, unspotted, misspotted, jumped_before, jumped_after, fell). A set is a name or names: "cue", a colour, "red",
    which stands for the first red not yet named in the same set, or "red 7".
    Raises ValueError for a ball that is unknown, not there or named twice, or a placement that is not two finite
    numbers; TypeError for what is not a name or names.
    """
    check_frame(frame)
    if first and "first_contacts" in other:
        raise ValueError("first and first_contacts are the same: expected one of them")
    given: dict[str, Names] = {"potted": potted, "off_table": off_table, "touching": touching, **other}
    for name in other:
        if name not in BALL_SETS:
            raise ValueError(f"fact {name!r} is not known; expected one of {', '.join(BALL_SETS)}")
    x, y = _placement(placed)
    masks = {field: _ball_set(frame, field, _listed(field, names)) for field, names in given.items()}
    if "first_contacts" not in masks:
        masks["first_contacts"] = _ball_set(frame, "first_contacts", _listed("first", first))
    seen = _observed_set(_listed("observed", observed))
    player = check_integer("played_by", played_by, -1, frame.ruleset.n_players - 1)
    gap = float(float_array("nearest_gap", nearest_gap))
    gap = math.nan if math.isnan(gap) else gap  # one nan for all, so that facts can be equal
    return Facts(**masks, observed=seen, played_by=player, placed_x=x, placed_y=y, nearest_gap=gap)


def _listed(argument: str, names: Names) -> tuple[str, ...]:
    """The names one by one."""
    if isinstance(names, str):
        return (names,)
    if not isinstance(names, Iterable):
        raise TypeError(f"{argument} = {names!r:.80}: expected a name or names, () for none")
    listed = tuple(names)
    for i, name in enumerate(listed):
        if not isinstance(name, str):
            raise TypeError(f"{argument}[{i}] = {name!r:.80}: expected a name")
    return listed


def _placement(placed: tuple[float, float] | None) -> tuple[float, float]:
    """Both coordinates, m, nan for None."""
    if placed is None:
        return math.nan, math.nan
    place = float_array("placed", placed)
    if place.shape != (2,):
        raise ValueError(f"placed = {placed!r:.80}: expected (x, y) in metres, or None")
    refuse_where("placed", place, ~np.isfinite(place), "a finite number of metres")
    return float(place[0]), float(place[1])


def _ball_set(frame: Frame, field: str, names: tuple[str, ...]) -> int:
    mask = 0
    for name in names:
        ball = _ball(frame, field, name, mask)
        if mask >> ball & 1:
            raise ValueError(f"{field}: {name} is named twice")
        mask |= 1 << ball
    return mask


def _ball(frame: Frame, field: str, name: str, taken: int) -> int:
    if name == "red":
        free = frame.state.on_table & frame.ruleset.kind_masks[RED] & ~taken
        if not free:
            raise ValueError(f"{field}: more reds than the {frame.reds_left} on the table")
        return (free & -free).bit_length() - 1
    if name in KIND_NAMES[:RED]:
        return KIND_NAMES.index(name)
    kind, _, number = name.partition(" ")
    if kind == "red" and number.isdecimal() and 1 <= int(number) <= MAX_BALLS - RED:
        return RED + int(number) - 1
    raise ValueError(f"{field}: {name!r} is not a ball; expected one of {', '.join(KIND_NAMES)}, or red 1 to red 15")


def _observed_set(names: tuple[str, ...]) -> int:
    mask = 0
    for name in names:
        if name not in OBSERVED_NAMES:
            raise ValueError(f"observed: {name!r} is not known; expected one of {', '.join(OBSERVED_NAMES)}")
        mask |= 1 << OBSERVED_NAMES.index(name)
    return mask


def pack_sets(flags: NDArray[np.bool_]) -> Ints:
    """Ball sets (...) of flags (..., n_balls): bit i is ball i."""
    weights = np.left_shift(np.int64(1), np.arange(flags.shape[-1], dtype=np.int64))
    packed: Ints = flags.astype(np.int64) @ weights
    return packed


def facts_arrays(results: "ShotResults", placed: ArrayLike | None = None) -> FactsArrays:
    """Facts of simulated shots, flat (n,) in the order of the shots.

    How near the cue ball came to a ball on is not among them: a level of play judges misses in `rules.play` only.
    placed: (..., 2), m, where a cue ball in hand was placed, broadcast over the shots; None or nan = it was not.
    """
    n = results.status.size
    n_balls = results.first_contacts.shape[-1]
    first = results.first_contacts.reshape(n, n_balls)
    touching = results.touching.reshape(n, n_balls).copy()
    touching[:, 0] = False
    at_once = (results.moved_by.reshape(n, n_balls) == 0) & (results.moved_time.reshape(n, n_balls) < PUSH_WINDOW)
    no_cushion = results.cushions_before.reshape(n, n_balls)[:, :1] == 0
    places = np.full((n, 2), np.nan)
    if placed is not None:
        places[:] = np.broadcast_to(np.asarray(placed, dtype=np.float64), (*results.shape, 2)).reshape(n, 2)
    sets = {name: np.zeros(n, dtype=np.int64) for name in (*BALL_SETS, "observed", "played_by")}
    sets["first_contacts"] = pack_sets(first)
    sets["potted"] = pack_sets(results.pocket.reshape(n, n_balls) >= 0)
    sets["touching"] = pack_sets(touching)
    sets["touching_moved"] = pack_sets(touching & first & at_once & no_cushion)
    sets["played_by"] -= 1
    return FactsArrays(
        **sets,
        placed_x=np.ascontiguousarray(places[:, 0]),
        placed_y=np.ascontiguousarray(places[:, 1]),
        nearest_gap=np.full(n, np.nan),
    )


def nearest_gap(results: "ShotResults", balls: int, radius: float, row: int = 0) -> float:
    """Least gap, m, between the cue ball and the set `balls` in a logged shot, looked at every GAP_STEP; nan if none.

    radius: of the balls, m. What a referee sees of an attempt, not an exact minimum: a ball at 4 m/s moves 4 mm a step.
    """
    chosen = [ball for ball in range(1, results.pocket.shape[-1]) if balls >> ball & 1]
    duration = float(results.duration.reshape(-1)[row])
    path = results.trajectory(row, np.append(np.arange(0.0, duration, GAP_STEP), duration))
    apart = np.hypot(*np.moveaxis(path[:, chosen] - path[:, :1], -1, 0))
    there = apart[~np.isnan(apart)]
    return max(float(there.min()) - 2.0 * radius, 0.0) if there.size else math.nan


def facts_from_results(results: "ShotResults", row: int = 0, placed: ArrayLike | None = None) -> Facts:
    """Facts of one simulated shot; row: flat index of the shot. placed: (2,), m, or None."""
    return Facts(*(array[row].item() for array in facts_arrays(results, placed)))
