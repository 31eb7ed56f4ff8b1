"""The marks of a table as kernels of the rules layer take them: spots, the D, and where a centre may lie."""

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rules.ruleset import KIND_NAMES, MAX_KINDS, RuleSet
from rules.tolerances import D_SLACK
from simcore.kernel.jit import kernel
from simcore.physics import Physics

if TYPE_CHECKING:
    from simcore import Table

NOSE_HEIGHT = Physics().nose_height  # m; how near to a cushion a ball may lie does not hang on a run's physics


class Bed(NamedTuple):
    """Marks and limits of a table; metres, in the table's frame."""

    spot_x: tuple[float, ...]  # spot of each kind, x, nan = none (MAX_KINDS,)
    spot_y: tuple[float, ...]  # the same, y (MAX_KINDS,)
    low_y: float  # least y of a centre: contact distance from the bottom nose
    high_y: float  # greatest y of a centre
    baulk_y: float  # the baulk line
    d_x: float  # centre of the D, which lies on the baulk line
    d_radius: float  # radius of the D
    radius: float  # ball radius


@lru_cache(maxsize=64)
def bed_of(table: "Table", rules: RuleSet) -> Bed:
    """Marks of `table` for the balls of `rules`."""
    radius = rules.ball_radius
    contact = math.sqrt(radius * radius - (NOSE_HEIGHT - radius) * (NOSE_HEIGHT - radius))
    spots = [table.spots.get(name, (math.nan, math.nan)) for name in KIND_NAMES]
    spots += [(math.nan, math.nan)] * (MAX_KINDS - len(spots))
    return Bed(
        spot_x=tuple(float(x) for x, _ in spots),
        spot_y=tuple(float(y) for _, y in spots),
        low_y=contact,
        high_y=table.length - contact,
        baulk_y=table.baulk_line,
        d_x=table.d_x,
        d_radius=table.d_radius,
        radius=radius,
    )


@kernel
def in_the_d(bed: Bed, x: float, y: float) -> bool:
    """Whether a centre lies on or inside the D (spec 1: the boundary belongs to it)."""
    dx = x - bed.d_x
    dy = y - bed.baulk_y
    reach = bed.d_radius + D_SLACK
    return dy <= D_SLACK and dx * dx + dy * dy <= reach * reach
