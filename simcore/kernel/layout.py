"""Where balls may lie: on the bed or in a pocket's mouth, without overlap; and what is wrong where they do not.

A centre is refused within the contact distance of a straight nose (for as far as the nose runs), in the sector that a
jaw arc and its contact distance span, inside a fall circle, or beyond all of these. Between the jaws of a pocket a
ball may lie outside the nose rectangle; the last part of the mouth is inside the fall circle.

Overlaps below OVERLAP are accepted everywhere: they count as touching. No distance is squared or rooted unless a
cheaper comparison leaves the matter open.
Not checked here: numbers that cannot be drawn at all, such as radii that are not positive.
"""

import math
from typing import Any

import numpy as np

from simcore.kernel.ball_ball import touching_distance
from simcore.kernel.cushion import nose_distance
from simcore.kernel.jit import door, kernel
from simcore.kernel.tolerances import JOIN_SLACK
from simcore.kernel.types import (
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
    JAW_X,
    JAW_Y,
    NOSE_LENGTH,
    NOSE_NX,
    NOSE_NY,
    NOSE_X,
    NOSE_Y,
    POCKET_RADIUS,
    POCKET_X,
    POCKET_Y,
    Floats,
    TableGeometry,
)

FAULT_NONE = 0
FAULT_ONE_NAN = 1  # one coordinate is nan and the other is not
FAULT_INFINITE = 2
FAULT_OVERLAP = 3  # `other` is the second ball
FAULT_NOSE = 4  # `other` is the nose
FAULT_JAW = 5  # `other` is the jaw
FAULT_FALL = 6  # `other` is the pocket
FAULT_OFF_BED = 7  # beyond everything; `other` is -1
FAULT_NO_CUE_BALL = 8  # it is absent and needed

OVERLAP = 1e-7  # m; a smaller overlap of what the user placed counts as touching


@kernel
def number_fault(x: float, y: float) -> int:
    """Fault of two coordinates as numbers; both nan is no fault, the ball is absent."""
    if math.isinf(x) or math.isinf(y):
        return FAULT_INFINITE
    if math.isnan(x) != math.isnan(y):
        return FAULT_ONE_NAN
    return FAULT_NONE


@kernel
def _within(dx: float, dy: float, distance: float) -> bool:
    """Cheap test that a separation is shorter than `distance`, before the exact one; False for nan."""
    return dx * dx + dy * dy < distance * distance


@kernel
def nose_gap(x: float, y: float, nose: int, geometry: TableGeometry) -> float:
    """Distance, m, of a point from a nose's line, negative behind it; inf if its foot point is off the nose."""
    dx, dy = x - geometry.nose[NOSE_X, nose], y - geometry.nose[NOSE_Y, nose]
    nx, ny = geometry.nose[NOSE_NX, nose], geometry.nose[NOSE_NY, nose]
    along = dx * ny - dy * nx
    if -JOIN_SLACK <= along <= geometry.nose[NOSE_LENGTH, nose] + JOIN_SLACK:
        return dx * nx + dy * ny
    return math.inf


@kernel
def jaw_gap(x: float, y: float, jaw: int, geometry: TableGeometry) -> float:
    """Distance, m, of a point from a jaw's arc, negative inside it; inf if it is not in the sector of the arc."""
    dx, dy = x - geometry.jaw[JAW_X, jaw], y - geometry.jaw[JAW_Y, jaw]
    past_from = geometry.jaw[JAW_FROM_X, jaw] * dy - geometry.jaw[JAW_FROM_Y, jaw] * dx
    before_to = dx * geometry.jaw[JAW_TO_Y, jaw] - dy * geometry.jaw[JAW_TO_X, jaw]
    if past_from >= 0.0 and before_to >= 0.0:
        return math.sqrt(dx * dx + dy * dy) - geometry.jaw[JAW_RADIUS, jaw]
    return math.inf


@kernel
def fall_gap(x: float, y: float, pocket: int, geometry: TableGeometry) -> float:
    """Distance, m, of a point from a fall circle, negative inside it."""
    dx, dy = x - geometry.pocket[POCKET_X, pocket], y - geometry.pocket[POCKET_Y, pocket]
    return math.sqrt(dx * dx + dy * dy) - geometry.pocket[POCKET_RADIUS, pocket]


@kernel
def _nearest_pocket(x: float, y: float, geometry: TableGeometry) -> int:
    """Pocket whose fall circle has the nearest centre, -1 on a table without pockets."""
    nearest, best = -1, math.inf
    for pocket in range(geometry.pocket.shape[1]):
        dx, dy = x - geometry.pocket[POCKET_X, pocket], y - geometry.pocket[POCKET_Y, pocket]
        if dx * dx + dy * dy < best:
            nearest, best = pocket, dx * dx + dy * dy
    return nearest


@kernel
def in_mouth(x: float, y: float, reach: float, geometry: TableGeometry, width: float, length: float) -> bool:
    """Whether a point outside the nose rectangle, clear of sectors and fall circles, is in a pocket's mouth.

    It is if it lies on the bed's side of the nearest fall circle's centre and outside the full circles of its jaws:
    from there the way onto the bed is straight, away from all of them. reach: contact distance from a nose, m.
    """
    pocket = _nearest_pocket(x, y, geometry)
    if pocket < 0:
        return False
    fx, fy = geometry.pocket[POCKET_X, pocket], geometry.pocket[POCKET_Y, pocket]
    bed_x, bed_y = min(max(fx, 0.0), width), min(max(fy, 0.0), length)
    if not (x - fx) * (bed_x - fx) + (y - fy) * (bed_y - fy) > 0.0:
        return False
    for jaw in range(geometry.jaw.shape[1]):
        if geometry.jaw_pocket[jaw] == pocket:
            dx, dy = x - geometry.jaw[JAW_X, jaw], y - geometry.jaw[JAW_Y, jaw]
            if math.sqrt(dx * dx + dy * dy) < geometry.jaw[JAW_RADIUS, jaw] + reach - OVERLAP:
                return False
    return True


@kernel
def bed_fault(
    x: float, y: float, reach: float, geometry: TableGeometry, width: float, length: float
) -> tuple[int, int]:
    """Fault of one centre against the table, and the nose, jaw or pocket concerned.

    reach: contact distance from a nose, m; width, length: of the nose rectangle, m.
    """
    for nose in range(geometry.nose.shape[1]):
        if nose_gap(x, y, nose, geometry) < reach - OVERLAP:
            return FAULT_NOSE, nose
    for jaw in range(geometry.jaw.shape[1]):
        near = _within(
            x - geometry.jaw[JAW_X, jaw], y - geometry.jaw[JAW_Y, jaw], geometry.jaw[JAW_RADIUS, jaw] + reach
        )
        if near and jaw_gap(x, y, jaw, geometry) < reach - OVERLAP:
            return FAULT_JAW, jaw
    for pocket in range(geometry.pocket.shape[1]):
        near = _within(
            x - geometry.pocket[POCKET_X, pocket],
            y - geometry.pocket[POCKET_Y, pocket],
            geometry.pocket[POCKET_RADIUS, pocket],
        )
        if near and fall_gap(x, y, pocket, geometry) < -OVERLAP:
            return FAULT_FALL, pocket
    inside = 0.0 <= x <= width and 0.0 <= y <= length
    if inside or in_mouth(x, y, reach, geometry, width, length):
        return FAULT_NONE, -1
    return FAULT_OFF_BED, -1


@kernel
def _outside_rectangle(x: float, y: float, width: float, length: float) -> float:
    """Distance, m, of a point from the nose rectangle, 0 inside it."""
    dx, dy = x - min(max(x, 0.0), width), y - min(max(y, 0.0), length)
    return math.sqrt(dx * dx + dy * dy)


@kernel
def open_inset(reach: float, geometry: TableGeometry, width: float, length: float) -> float:
    """How far inside the nose rectangle, m, a centre is clear of all noses, jaws and falls, wherever it is along them.

    The noses are the sides of the rectangle. A circle whose centre is outside goes in by its radius less its distance.
    """
    inset = reach
    for jaw in range(geometry.jaw.shape[1]):
        away = _outside_rectangle(geometry.jaw[JAW_X, jaw], geometry.jaw[JAW_Y, jaw], width, length)
        inset = max(inset, geometry.jaw[JAW_RADIUS, jaw] + reach - away)
    for pocket in range(geometry.pocket.shape[1]):
        away = _outside_rectangle(geometry.pocket[POCKET_X, pocket], geometry.pocket[POCKET_Y, pocket], width, length)
        inset = max(inset, geometry.pocket[POCKET_RADIUS, pocket] - away)
    return inset


@kernel
def balls_overlap(dx: float, dy: float, r1: float, r2: float) -> bool:
    """Whether two balls at this distance in plan overlap by OVERLAP or more; False if one is absent (nan)."""
    if not _within(dx, dy, r1 + r2):  # spheres on a bed touch at 2 sqrt(r1 r2), never beyond r1 + r2
        return False
    return math.sqrt(dx * dx + dy * dy) < touching_distance(r1, r2) - OVERLAP


@kernel
def overlap_fault(positions: Floats, radius: Floats) -> tuple[int, int, int]:
    """First pair of balls that overlap, as (fault, ball, other)."""
    n_balls = positions.shape[0]
    for ball in range(n_balls):
        x, y, r = positions[ball, 0], positions[ball, 1], radius[ball]
        for other in range(ball + 1, n_balls):
            if balls_overlap(positions[other, 0] - x, positions[other, 1] - y, r, radius[other]):
                return FAULT_OVERLAP, ball, other
    return FAULT_NONE, -1, -1


@kernel
def greatest_reach(radius: Floats, nose_height: float) -> float:
    """Contact distance from a nose, m, of the ball that has the greatest."""
    reach = 0.0
    for ball in range(radius.size):
        reach = max(reach, nose_distance(radius[ball], nose_height))
    return reach


@kernel
def surely_clear(place: Floats, radius: Floats, inset: float, width: float, length: float) -> bool:
    """Whether all balls lie clear of the table's edges by `inset`, and of each other; then a layout has no fault.

    place: (2, n_balls) m, one row a coordinate. The inner loop has no branch, and starts at 0, so that compilers turn
    it into vector instructions: most layouts are clear, and need no closer look.
    """
    for ball in range(place.shape[1]):
        x, y, r = place[0, ball], place[1, ball], radius[ball]
        outside = (x < inset) | (x > width - inset) | (y < inset) | (y > length - inset)
        if outside or math.isnan(x) != math.isnan(y):
            return False
        near = 0
        for other in range(ball):
            near += 1 if _within(place[0, other] - x, place[1, other] - y, r + radius[other]) else 0
        if near > 0:
            return False
    return True


@kernel
def layout_fault(
    positions: Floats, radius: Floats, nose_height: float, geometry: TableGeometry, width: float, length: float
) -> tuple[int, int, int]:
    """First fault of one layout, as (fault, ball, other); (FAULT_NONE, -1, -1) if there is none.

    positions: (n_balls, 2) m, nan = absent; radius: (n_balls,) m; nose_height: m over the bed.
    """
    inset = open_inset(greatest_reach(radius, nose_height), geometry, width, length)
    for ball in range(positions.shape[0]):
        x, y = positions[ball, 0], positions[ball, 1]
        if inset <= x <= width - inset and inset <= y <= length - inset:
            continue
        fault, other = number_fault(x, y), -1
        if fault == FAULT_NONE and not math.isnan(x):
            fault, other = bed_fault(x, y, nose_distance(radius[ball], nose_height), geometry, width, length)
        if fault != FAULT_NONE:
            return fault, ball, other
    return overlap_fault(positions, radius)


@door
def first_layout_fault(
    positions: Floats,
    radius: Floats,
    nose_height: float,
    table: tuple[Any, ...],
    width: float,
    length: float,
    cue_ball_needed: bool,
) -> tuple[int, int, int, int]:
    """First fault of many layouts, as (layout, fault, ball, other); layout -1 if there is none.

    positions: (n_layouts, n_balls, 2) m; table: the fields of its geometry, as a plain tuple (see `batch`);
    cue_ball_needed: ball 0 must not be absent; the rest as in `layout_fault`.
    """
    geometry = TableGeometry(*table)
    inset = open_inset(greatest_reach(radius, nose_height), geometry, width, length)
    place = np.empty((2, positions.shape[1]))
    for layout in range(positions.shape[0]):
        for i in range(positions.shape[1]):
            place[0, i], place[1, i] = positions[layout, i, 0], positions[layout, i, 1]
        if cue_ball_needed and math.isnan(place[0, 0]) and math.isnan(place[1, 0]):
            return layout, FAULT_NO_CUE_BALL, 0, -1
        if surely_clear(place, radius, inset, width, length):
            continue
        fault, ball, other = layout_fault(positions[layout], radius, nose_height, geometry, width, length)
        if fault != FAULT_NONE:
            return layout, fault, ball, other
    return -1, FAULT_NONE, -1, -1
