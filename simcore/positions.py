"""Where the balls lie at the start of a shot: checked once at the door, and never altered.

Not decided here: which balls a game needs, and whether the cue ball is on the table.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from simcore.kernel.ball_ball import touching_distance
from simcore.kernel.cushion import nose_distance
from simcore.kernel.layout import (
    FAULT_FALL,
    FAULT_INFINITE,
    FAULT_JAW,
    FAULT_NO_CUE_BALL,
    FAULT_NONE,
    FAULT_NOSE,
    FAULT_ONE_NAN,
    FAULT_OVERLAP,
    fall_gap,
    first_layout_fault,
    jaw_gap,
    nose_gap,
)
from simcore.kernel.types import Floats
from simcore.shots import canonical_bytes, float_array, index_text, refuse_where
from simcore.table import Table

__all__ = [
    "ball_radii",
    "canonical_bytes",
    "check_layouts",
    "check_positions",
    "layout_array",
    "one_for_each",
    "same_for_all",
]


def check_positions(
    positions: ArrayLike, table: Table, radius: ArrayLike, nose_height: float, labels: Sequence[str] | None = None
) -> Floats:
    """Layouts of balls as a new contiguous array, refused if a ball cannot lie where it is said to.

    positions: (..., n_balls, 2), m; both coordinates nan = absent. radius: of all balls or of each (n_balls,), m.
    nose_height: of the noses over the bed, m. labels: names of the balls for messages, else "ball 0" and so on.
    Returns (..., n_balls, 2), float64, the same numbers bit for bit: overlaps below 1e-7 m count as touching.
    Raises ValueError naming layout, balls, distance and what was expected: wrong shape, one coordinate nan, infinite,
    balls that overlap, a ball behind a nose, inside a jaw, inside a fall circle or off the bed.
    """
    layouts = layout_array(positions)
    n_balls = layouts.shape[-2]
    if labels is not None and len(labels) != n_balls:
        raise ValueError(f"labels has {len(labels)} names: expected one for each of the {n_balls} balls")
    check_layouts(layouts, table, ball_radii(radius, n_balls), float(nose_height), labels)
    return layouts


def layout_array(positions: ArrayLike) -> Floats:
    """Layouts as a new contiguous array (..., n_balls, 2); ValueError for another shape, or what are no numbers."""
    layouts = float_array("positions", positions)
    if layouts.ndim < 2 or layouts.shape[-1] != 2 or layouts.shape[-2] == 0:
        raise ValueError(f"positions has shape {layouts.shape}: expected (..., n_balls, 2)")
    return np.ascontiguousarray(layouts)


def check_layouts(
    layouts: Floats,
    table: Table,
    radii: Floats,
    nose_height: float,
    labels: Sequence[str] | None = None,
    first_row: int = 0,
    cue_ball_needed: bool = False,
) -> None:
    """Refuse the first layout in which a ball cannot lie where it is said to.

    layouts: as `layout_array` gives them; radii: of each ball (n_balls,), m; first_row: what a message calls the first
    row; cue_ball_needed: ball 0 must not be absent; the rest, and ValueError, as in `check_positions`.
    """
    n_balls = layouts.shape[-2]
    rows = layouts.reshape(-1, n_balls, 2)
    geometry = tuple(table.geometry)
    at, fault, ball, other = first_layout_fault(
        rows, radii, nose_height, geometry, table.width, table.length, cue_ball_needed
    )
    if fault != FAULT_NONE:
        where = index_text(np.unravel_index(at, layouts.shape[:-2]), first_row)
        names = labels or [f"ball {i}" for i in range(n_balls)]
        text = _fault_text(fault, ball, other, rows[at], radii, nose_height, table, names)
        raise ValueError(f"positions{where}: {text}")


def ball_radii(radius: ArrayLike, n_balls: int) -> Floats:
    """Radius of each ball, m, as `one_for_each` gives it."""
    return one_for_each("radius", radius, n_balls, "a length > 0 in metres")


def one_for_each(name: str, values: ArrayLike, n_balls: int, expected: str) -> Floats:
    """A positive number for each ball as a new array (n_balls,), from one for all or one for each.

    name: what the numbers are, and expected: what they should be, for messages.
    Raises ValueError unless they are finite, > 0 and as many as the balls.
    """
    given = float_array(name, values)
    if given.shape not in ((), (n_balls,)):
        raise ValueError(f"{name} has shape {given.shape}: expected one number or one for each of the {n_balls} balls")
    refuse_where(name, given, ~(np.isfinite(given) & (given > 0.0)), expected)
    return given if given.shape else np.full(n_balls, given)


@lru_cache(maxsize=64)
def same_for_all(value: float, n_balls: int) -> Floats:
    """An array (n_balls,) of this value, to be read only: made once, for a single shot would pay dear for it twice."""
    return np.full(n_balls, value)


def _fault_text(
    fault: int,
    ball: int,
    other: int,
    layout: Floats,
    radii: Floats,
    nose_height: float,
    table: Table,
    names: Sequence[str],
) -> str:
    """The fault in words: ball or balls, what was found, what was expected."""
    x, y = float(layout[ball, 0]), float(layout[ball, 1])
    who = f"{names[ball]} at ({x!r}, {y!r})"
    if fault == FAULT_NO_CUE_BALL:
        return f"{names[ball]} is absent: a strike needs the cue ball"
    if fault == FAULT_ONE_NAN:
        return f"{who} has one coordinate nan: expected two numbers, or two nan for an absent ball"
    if fault == FAULT_INFINITE:
        return f"{who} is not finite: expected two numbers, or two nan for an absent ball"
    if fault == FAULT_OVERLAP:
        gap = float(np.hypot(*(layout[other] - layout[ball])))
        least = touching_distance(radii[ball], radii[other])
        return f"{names[ball]} and {names[other]} overlap: centres {gap:.9g} m apart, expected at least {least:.9g} m"
    reach = nose_distance(radii[ball], nose_height)
    if fault == FAULT_NOSE:
        gap = nose_gap(x, y, other, table.geometry)
        return f"{who} is {gap:.9g} m from a cushion's nose line: expected at least {reach:.9g} m"
    if fault == FAULT_JAW:
        gap, pocket = jaw_gap(x, y, other, table.geometry), table.pocket_names[table.geometry.jaw_pocket[other]]
        return f"{who} is {gap:.9g} m from a jaw of the {pocket} pocket: expected at least {reach:.9g} m"
    if fault == FAULT_FALL:
        depth, pocket = -fall_gap(x, y, other, table.geometry), table.pocket_names[other]
        return f"{who} is {depth:.9g} m inside the fall circle of the {pocket} pocket: expected a ball on the bed"
    return f"{who} is off the bed: expected 0 to {table.width:.9g} m across and 0 to {table.length:.9g} m along"
