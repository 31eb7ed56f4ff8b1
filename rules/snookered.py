"""Is the cue ball snookered, and by which ball: exact geometry of tangent corridors (spec 6.1).

The cue ball is not snookered if some ball on can be hit on both extreme edges by straight paths that no ball not on
obstructs (WPBSA 2.17; the old text 2.15 read the same way). An edge path runs from the cue ball's centre to the point
where it would just graze the target; a ball obstructs if it reaches into the corridor that the cue ball sweeps.

Cue ball in hand: the placements from which a target is clear form a region bounded by the D, by circles around balls
(no overlap), by lines that touch both a target's and an obstacle's circle, and by tangents where those circles meet.
If the region is not empty it has a corner, so trying every corner decides; borders are moved by IN_HAND_MARGIN.

A jaw never snookers: a ball on that one obstructs nearer to the cue ball than any ball does is not snookered (WPBSA
2.17(e)), and by the old text a player whom jaws obstruct at every ball on, unsnookered, is angled (2.16).

Not modelled: jaws for a cue ball in hand; no place of the D is near one.
"""

import math
from typing import NamedTuple

from rules.ball_on import balls_on_of, colours_of
from rules.bed import Bed, in_the_d
from rules.jaws import gap_to_jaw_on_path
from rules.ruleset import COMMON_BALL, MAX_KINDS, RuleSet
from rules.state import ON_THE_TABLE, PHASE_COLOUR, PHASE_OVER, Floats, FrameState, Ints, state_at
from rules.tolerances import CORRIDOR_SLACK, IN_HAND_MARGIN, SAME_DISTANCE, TOUCHING_GAP, VERTEX_SLACK
from simcore.kernel.jit import door, kernel

LINES_PER_OBSTACLE = 6  # four common tangents, two tangents where the circles meet
NOTHING, LINE, CIRCLE = range(3)


class Blockers(NamedTuple):
    """Which balls stand nearest in the way."""

    balls: int  # set of equally near obstructing balls, 0 = the way is clear
    distance: float  # from the cue ball, m; inf = clear


class Snooker(NamedTuple):
    """Whether the cue ball is snookered on every ball on."""

    is_snookered: int  # 0 or 1
    effective: int  # set of effective snookering balls, 0 = none


class Snookers(NamedTuple):
    """Snookers of n frames as arrays."""

    is_snookered: Ints  # (n,) 1: no ball on can be hit on both edges
    effective: Ints  # (n,) set of effective snookering balls; 0 = none, or the cue ball is in hand


class Curve(NamedTuple):
    """Border of a region of placements: x·px + y·py = c (line) or |p − (x, y)| = c (circle)."""

    shape: int  # NOTHING, LINE or CIRCLE
    x: float  # unit normal, or centre
    y: float
    c: float  # offset, or radius, m


@kernel
def squared_distance_to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance from a point to the segment a-b, m²."""
    dx, dy = bx - ax, by - ay
    qx, qy = px - ax, py - ay
    length2 = dx * dx + dy * dy
    along = qx * dx + qy * dy
    share = min(max(along / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
    ex, ey = qx - share * dx, qy - share * dy
    return ex * ex + ey * ey


@kernel
def edge_point(cx: float, cy: float, tx: float, ty: float, diameter: float, side: float) -> tuple[float, float]:
    """Where a cue ball at c just grazes the target at t, on its left (side +1) or right (−1); t far enough away."""
    dx, dy = tx - cx, ty - cy
    d2 = max(dx * dx + dy * dy, diameter * diameter)
    path2 = d2 - diameter * diameter
    share = path2 / d2
    across = side * diameter * math.sqrt(path2) / d2
    return cx + share * dx - across * dy, cy + share * dy + across * dx


@kernel
def obstructs(bed: Bed, cx: float, cy: float, tx: float, ty: float, ox: float, oy: float, reach: float) -> bool:
    """Whether a ball at o comes nearer than `reach` to either edge path from c to the target at t."""
    for side in (1.0, -1.0):
        ex, ey = edge_point(cx, cy, tx, ty, 2.0 * bed.radius, side)
        if squared_distance_to_segment(ox, oy, cx, cy, ex, ey) < reach * reach:
            return True
    return False


@kernel
def blockers_of(bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int) -> Blockers:
    """Nearest of the balls `others` that obstruct an edge of `target` from c; touching the target nothing does."""
    tx, ty = positions[target, 0], positions[target, 1]
    touching = 2.0 * bed.radius + TOUCHING_GAP
    if (tx - cx) * (tx - cx) + (ty - cy) * (ty - cy) <= touching * touching:
        return Blockers(0, math.inf)
    found = Blockers(0, math.inf)
    for ball in range(1, positions.shape[0]):
        ox, oy = positions[ball, 0], positions[ball, 1]
        if others >> ball & 1 == 0 or not obstructs(bed, cx, cy, tx, ty, ox, oy, 2.0 * bed.radius - CORRIDOR_SLACK):
            continue
        distance = math.sqrt((ox - cx) * (ox - cx) + (oy - cy) * (oy - cy))
        found = nearer_blockers(found, Blockers(1 << ball, distance))
    if found.balls != 0 and gap_to_jaw(bed, cx, cy, tx, ty) < found.distance - 2.0 * bed.radius:
        return Blockers(0, math.inf)
    return found


@kernel
def gap_to_jaw(bed: Bed, cx: float, cy: float, tx: float, ty: float) -> float:
    """How far a cue ball at c is from the nearest jaw that obstructs an edge of the target at t; inf = none does, m."""
    nearest = math.inf
    for side in (1.0, -1.0):
        ex, ey = edge_point(cx, cy, tx, ty, 2.0 * bed.radius, side)
        nearest = min(nearest, gap_to_jaw_on_path(bed, cx, cy, ex, ey))
    return nearest


@kernel
def is_angled(bed: Bed, positions: Floats, on: int, cx: float, cy: float) -> bool:
    """Whether a jaw obstructs an edge of every ball on from c; asked of a player who is not snookered (2.16, D11)."""
    for target in range(1, positions.shape[0]):
        if on >> target & 1 != 0 and not gap_to_jaw(bed, cx, cy, positions[target, 0], positions[target, 1]) < math.inf:
            return False
    return on != 0


@kernel
def nearer_blockers(first: Blockers, second: Blockers) -> Blockers:
    """The nearer of two sets of obstructing balls, both if equally near."""
    if second.distance < first.distance - SAME_DISTANCE:
        return second
    if second.distance > first.distance + SAME_DISTANCE:
        return first
    return Blockers(first.balls | second.balls, min(first.distance, second.distance))


@kernel
def snooker_at(rules: RuleSet, bed: Bed, positions: Floats, on: int, others: int, cx: float, cy: float) -> Snooker:
    """Snooker of a cue ball at c on the balls `on`, with `others` the balls not on (WPBSA 2.17, old text 2.15).

    The effective ball is the one that hides every ball on, or by the old text (D25) the nearest of all.
    """
    common = -1
    nearest = Blockers(0, math.inf)
    for target in range(1, positions.shape[0]):
        if on >> target & 1 == 0:
            continue
        found = blockers_of(bed, positions, others, cx, cy, target)
        if found.balls == 0:
            return Snooker(0, 0)
        common &= found.balls
        nearest = nearer_blockers(nearest, found)
    if nearest.balls == 0:
        return Snooker(0, 0)
    return Snooker(1, common if rules.effective_ball == COMMON_BALL else nearest.balls)


@kernel
def is_clear_placement(bed: Bed, positions: Floats, others: int, target: int, cx: float, cy: float) -> bool:
    """Whether the cue ball may be placed at c in the D and both edges of `target` are then clear."""
    if not in_the_d(bed, cx, cy):
        return False
    room = 2.0 * bed.radius - VERTEX_SLACK
    reach = 2.0 * bed.radius - IN_HAND_MARGIN - VERTEX_SLACK
    tx, ty = positions[target, 0], positions[target, 1]
    for ball in range(1, positions.shape[0]):
        ox, oy = positions[ball, 0], positions[ball, 1]
        if (ox - cx) * (ox - cx) + (oy - cy) * (oy - cy) < room * room:
            return False
        if others >> ball & 1 != 0 and obstructs(bed, cx, cy, tx, ty, ox, oy, reach):
            return False
    return True


@kernel
def tangent_line(tx: float, ty: float, a: float, ox: float, oy: float, rho: float, which: int) -> Curve:
    """Line `which` of the six that bound where the circle (o, rho) hides an edge of the circle (t, a).

    0 to 3: tangents common to both circles; 4, 5: tangents of (t, a) where the circles meet.
    """
    dx, dy = ox - tx, oy - ty
    distance = math.sqrt(dx * dx + dy * dy)
    if distance <= 0.0:
        return Curve(NOTHING, 0.0, 0.0, 0.0)
    if which < 4:
        cosine = ((rho if which < 2 else -rho) - a) / distance
    else:
        cosine = (distance * distance + a * a - rho * rho) / (2.0 * distance * a)
    if abs(cosine) > 1.0:
        return Curve(NOTHING, 0.0, 0.0, 0.0)
    sine = math.sqrt(1.0 - cosine * cosine) * (1.0 if which % 2 == 0 else -1.0)
    nx = (cosine * dx - sine * dy) / distance
    ny = (cosine * dy + sine * dx) / distance
    offset = -a if which < 4 else a
    return Curve(LINE, nx, ny, nx * tx + ny * ty + offset)


@kernel
def border_curve(bed: Bed, positions: Floats, others: int, target: int, index: int) -> Curve:
    """Border number `index` of the clear placements: the D's two, a circle a ball, six lines an obstacle."""
    n = positions.shape[0]
    diameter = 2.0 * bed.radius
    if index == 0:
        return Curve(LINE, 0.0, 1.0, bed.baulk_y)
    if index == 1:
        return Curve(CIRCLE, bed.d_x, bed.baulk_y, bed.d_radius)
    if index < 2 + n:
        x, y = positions[index - 2, 0], positions[index - 2, 1]
        dx, dy = x - bed.d_x, y - bed.baulk_y
        near = dx * dx + dy * dy < (bed.d_radius + diameter) * (bed.d_radius + diameter)
        return Curve(CIRCLE if near and index > 2 else NOTHING, x, y, diameter)
    ball = (index - 2 - n) // LINES_PER_OBSTACLE
    if others >> ball & 1 == 0:
        return Curve(NOTHING, 0.0, 0.0, 0.0)
    return tangent_line(
        positions[target, 0],
        positions[target, 1],
        diameter,
        positions[ball, 0],
        positions[ball, 1],
        diameter - IN_HAND_MARGIN,
        (index - 2 - n) % LINES_PER_OBSTACLE,
    )


@kernel
def radical_line(first: Curve, second: Curve) -> Curve:
    """Line through the two points where two circles meet."""
    dx, dy = second.x - first.x, second.y - first.y
    distance = math.sqrt(dx * dx + dy * dy)
    if distance <= 0.0:
        return Curve(NOTHING, 0.0, 0.0, 0.0)
    along = (distance * distance + first.c * first.c - second.c * second.c) / (2.0 * distance)
    nx, ny = dx / distance, dy / distance
    return Curve(LINE, nx, ny, nx * first.x + ny * first.y + along)


@kernel
def line_circle_point(line: Curve, circle: Curve, side: float) -> tuple[float, float]:
    """Point where a line meets a circle, one for each side ±1; nan if they are apart."""
    gap = line.c - line.x * circle.x - line.y * circle.y
    half2 = circle.c * circle.c - gap * gap
    if half2 < 0.0:
        return math.nan, math.nan
    half = side * math.sqrt(half2)
    return circle.x + gap * line.x - half * line.y, circle.y + gap * line.y + half * line.x


@kernel
def crossing(first: Curve, second: Curve, side: float) -> tuple[float, float]:
    """Common point of two curves, one for each side ±1 (two lines: +1 only); nan = none."""
    if first.shape == LINE and second.shape == LINE:
        det = first.x * second.y - first.y * second.x
        if det == 0.0 or side < 0.0:
            return math.nan, math.nan
        return (first.c * second.y - second.c * first.y) / det, (first.x * second.c - second.x * first.c) / det
    if first.shape == LINE and second.shape == CIRCLE:
        return line_circle_point(first, second, side)
    if first.shape == CIRCLE and second.shape == LINE:
        return line_circle_point(second, first, side)
    line = radical_line(first, second)
    if line.shape == NOTHING:
        return math.nan, math.nan
    return line_circle_point(line, first, side)


@kernel
def is_clear_from_probes(bed: Bed, positions: Floats, others: int, target: int) -> bool:
    """Whether one of a few placements spread over the D is clear: the usual case, found without corners."""
    for across in range(-2, 3):
        for back in range(3):
            x = bed.d_x + 0.5 * across * bed.d_radius
            y = bed.baulk_y - 0.45 * back * bed.d_radius
            if is_clear_placement(bed, positions, others, target, x, y):
                return True
    return False


@kernel
def is_clear_from_corners(bed: Bed, positions: Floats, others: int, target: int) -> bool:
    """Whether any corner of the region of clear placements exists: where two of its borders meet."""
    n_curves = 2 + positions.shape[0] * (1 + LINES_PER_OBSTACLE)
    for i in range(n_curves):
        first = border_curve(bed, positions, others, target, i)
        if first.shape == NOTHING:
            continue
        for j in range(i):
            second = border_curve(bed, positions, others, target, j)
            if second.shape == NOTHING:
                continue
            for side in (1.0, -1.0):
                x, y = crossing(first, second, side)
                if is_clear_placement(bed, positions, others, target, x, y):
                    return True
    return False


@kernel
def is_snookered_in_hand(bed: Bed, positions: Floats, on: int, others: int) -> bool:
    """Whether the cue ball is snookered on every ball on from every placement in the D (old text 2.15.2)."""
    for target in range(1, positions.shape[0]):
        if on >> target & 1 != 0 and is_clear_from_probes(bed, positions, others, target):
            return False
    for target in range(1, positions.shape[0]):
        if on >> target & 1 != 0 and is_clear_from_corners(bed, positions, others, target):
            return False
    return on != 0


@kernel
def snooker_on(rules: RuleSet, bed: Bed, state: FrameState, positions: Floats, kind: int) -> Snooker:
    """Snooker of the striker if he declares `kind`, 0 = nothing; a nominee and the real balls on hide neither."""
    aim = balls_on_of(rules, state, kind)
    others = state.on_table & ~aim.playable & ~1
    if state.cue_in_hand == ON_THE_TABLE:
        return Snooker(0, 0)  # a ball on can be hit from beside it
    if state.cue_in_hand != 0:
        return Snooker(1 if is_snookered_in_hand(bed, positions, aim.first, others) else 0, 0)
    return snooker_at(rules, bed, positions, aim.first, others, positions[0, 0], positions[0, 1])


@kernel
def snooker_to_play(rules: RuleSet, bed: Bed, state: FrameState, positions: Floats, declared: int) -> Snooker:
    """Snooker of the player to play, who declared that kind, 0 = none.

    With a colour to choose and none declared he is if he is on every one, and then no ball is effective.
    Source: spec 6.1; WPBSA 2.17, old text 2.15.
    """
    if state.phase == PHASE_OVER:
        return Snooker(0, 0)
    if state.phase != PHASE_COLOUR or declared != 0:
        return snooker_on(rules, bed, state, positions, declared)
    for kind in range(1, MAX_KINDS):
        if rules.kind_masks[kind] & colours_of(rules, state.on_table) == 0:
            continue
        if snooker_on(rules, bed, state, positions, kind).is_snookered == 0:
            return Snooker(0, 0)
    return Snooker(1, 0)


@door
def find_snookers(rules: RuleSet, bed: Bed, states: Ints, positions: Floats, out: Snookers) -> None:
    """`snooker_to_play` of every frame; states (n, N_STATE), positions (n, n_balls, 2), m."""
    for i in range(states.shape[0]):
        state = state_at(states, i)
        found = snooker_to_play(rules, bed, state, positions[i], state.nominated)
        out.is_snookered[i] = found.is_snookered
        out.effective[i] = found.effective
