"""Jaws in the way of a straight path: what hides a ball on without snookering the player (2.16, WPBSA 2.17(e)).

A jaw is a convex arc; the cue ball's centre meets it on the arc's circle widened by the reach of the ball. A path that
runs into a cushion beside the jaws does so through such an arc too, so noses need not be looked at.
"""

import math

from rules.bed import Bed
from rules.tolerances import CORRIDOR_SLACK
from simcore.kernel.jit import kernel
from simcore.kernel.types import (
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
    JAW_X,
    JAW_Y,
)


@kernel
def path_length_to(dx: float, dy: float, ux: float, uy: float, reach: float) -> float:
    """Distance a centre travels along the unit vector u until it is `reach` from a point at offset d, m; inf never."""
    along = dx * ux + dy * uy
    across2 = dx * dx + dy * dy - along * along
    if along <= 0.0 or across2 >= reach * reach:
        return math.inf
    return along - math.sqrt(reach * reach - across2)


@kernel
def path_length_to_jaw(bed: Bed, jaw: int, cx: float, cy: float, ux: float, uy: float) -> float:
    """Distance a cue ball at c travels along u until it reaches into a jaw, m; inf = never."""
    dx, dy = bed.jaw[JAW_X, jaw] - cx, bed.jaw[JAW_Y, jaw] - cy
    length = path_length_to(dx, dy, ux, uy, bed.jaw[JAW_RADIUS, jaw] + bed.reach - CORRIDOR_SLACK)
    if not 0.0 <= length < math.inf:
        return math.inf
    qx, qy = length * ux - dx, length * uy - dy
    after_from = bed.jaw[JAW_FROM_X, jaw] * qy - bed.jaw[JAW_FROM_Y, jaw] * qx
    before_to = qx * bed.jaw[JAW_TO_Y, jaw] - qy * bed.jaw[JAW_TO_X, jaw]
    return length if after_from >= 0.0 and before_to >= 0.0 else math.inf


@kernel
def path_length_to_any_jaw(bed: Bed, cx: float, cy: float, ux: float, uy: float) -> float:
    """The same to the jaw met first."""
    nearest = math.inf
    for jaw in range(bed.jaw.shape[1]):
        nearest = min(nearest, path_length_to_jaw(bed, jaw, cx, cy, ux, uy))
    return nearest


@kernel
def gap_to_jaw_on_path(bed: Bed, cx: float, cy: float, ex: float, ey: float) -> float:
    """How far a cue ball at c is from the nearest jaw that its path to e runs into; inf = the path is clear, m."""
    dx, dy = ex - cx, ey - cy
    distance = math.sqrt(dx * dx + dy * dy)
    nearest = math.inf
    if distance <= 0.0:
        return nearest
    for jaw in range(bed.jaw.shape[1]):
        if path_length_to_jaw(bed, jaw, cx, cy, dx / distance, dy / distance) < distance:
            jx, jy = bed.jaw[JAW_X, jaw] - cx, bed.jaw[JAW_Y, jaw] - cy
            nearest = min(nearest, math.sqrt(jx * jx + jy * jy) - bed.jaw[JAW_RADIUS, jaw] - bed.reach)
    return nearest
