"""The marks of a table as kernels of the rules layer take them, and the physics that goes with a frame.

The size of the balls is the rule set's, the height of the noses is NOSE_HEIGHT: where a ball may lie hangs on both.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rules.ruleset import KIND_NAMES, MAX_KINDS, RuleSet
from rules.state import ON_THE_TABLE, Floats
from rules.tolerances import D_SLACK
from simcore.kernel.cushion import nose_distance
from simcore.kernel.jit import kernel
from simcore.physics import Physics

if TYPE_CHECKING:
    from rules.frame import Frame
    from simcore import Table

NOSE_HEIGHT = Physics().nose_height  # m; how near to a cushion a ball may lie does not hang on a run's physics


class Bed(NamedTuple):
    """Marks and limits of a table; metres, in the table's frame."""

    spot_x: tuple[float, ...]  # spot of each kind, x, nan = none (MAX_KINDS,)
    spot_y: tuple[float, ...]  # the same, y (MAX_KINDS,)
    high_x: float  # greatest x of a centre; the least is `low_y`, the contact distance
    low_y: float  # least y of a centre: contact distance from the bottom nose
    high_y: float  # greatest y of a centre
    baulk_y: float  # the baulk line
    d_x: float  # centre of the D, which lies on the baulk line
    d_radius: float  # radius of the D
    radius: float  # ball radius
    reach: float  # horizontal distance of a centre from a cushion that the ball touches
    jaw: Floats  # arcs of the jaws, as in simcore.kernel.types.TableGeometry (JAW_FIELDS, n_jaws)


@lru_cache(maxsize=64)
def bed_of(table: "Table", rules: RuleSet) -> Bed:
    """Marks of `table` for the balls of `rules`."""
    radius = rules.ball_radius
    contact = float(nose_distance(radius, NOSE_HEIGHT))
    spots = [table.spots.get(name, (math.nan, math.nan)) for name in KIND_NAMES]
    spots += [(math.nan, math.nan)] * (MAX_KINDS - len(spots))
    return Bed(
        spot_x=tuple(float(x) for x, _ in spots),
        spot_y=tuple(float(y) for _, y in spots),
        high_x=table.width - contact,
        low_y=contact,
        high_y=table.length - contact,
        baulk_y=table.baulk_line,
        d_x=table.d_x,
        d_radius=table.d_radius,
        radius=radius,
        reach=contact,
        jaw=table.geometry.jaw,
    )


def physics_for(frame: "Frame", physics: Physics | None) -> Physics:
    """The physics that a stroke of `frame` is played with: that given, default `Physics.snooker()`, with its balls.

    Raises TypeError for another type, ValueError for a nose height with which balls could come to rest where the frame
    does not let them lie.
    """
    given = Physics.snooker() if physics is None else physics
    if not isinstance(given, Physics):
        raise TypeError(f"physics = {given!r:.80}: expected simcore.Physics, such as Physics.snooker(mu_roll=0.01)")
    if given.nose_height != NOSE_HEIGHT:
        raise ValueError(
            f"physics: nose_height = {given.nose_height!r}: expected {NOSE_HEIGHT!r}, the height that frames are made "
            "for; use simcore.simulate for others"
        )
    return given._replace(R=frame.ruleset.ball_radius).check()


@kernel
def narrower(bed: Bed, by: float) -> Bed:
    """The bed for balls of a radius less by that, m, but for where they may lie."""
    return Bed(
        bed.spot_x,
        bed.spot_y,
        bed.high_x,
        bed.low_y,
        bed.high_y,
        bed.baulk_y,
        bed.d_x,
        bed.d_radius,
        bed.radius - by,
        bed.reach - by,
        bed.jaw,
    )


@kernel
def in_the_d(bed: Bed, x: float, y: float) -> bool:
    """Whether a centre lies on or inside the D (spec 1: the boundary belongs to it)."""
    dx = x - bed.d_x
    dy = y - bed.baulk_y
    reach = bed.d_radius + D_SLACK
    return dy <= D_SLACK and dx * dx + dy * dy <= reach * reach


@kernel
def may_be_placed(bed: Bed, in_hand: int, x: float, y: float) -> bool:
    """Whether a cue ball in hand may be placed there, other balls apart: in the D, or anywhere on the bed."""
    if in_hand != ON_THE_TABLE:
        return in_the_d(bed, x, y)
    return bed.low_y <= x <= bed.high_x and bed.low_y <= y <= bed.high_y
