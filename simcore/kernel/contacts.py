"""When a ball next meets another ball, a nose, a jaw or a fall circle.

Cheap bounds reject most candidates before any polynomial. A bound may use the earliest event already known to drop a
candidate, but a root is always searched in the whole window in which the motions hold: otherwise its last bit would
depend on the order of the search.
Not modelled: concave jaws, balls above the bed.
"""

import math
from typing import NamedTuple

from simcore.kernel.ball_ball import touching_distance
from simcore.kernel.jit import inlined_kernel, kernel
from simcore.kernel.motion import position_and_velocity
from simcore.kernel.roots import first_crossing, line_crossing
from simcore.kernel.tolerances import GRAZE, JOIN_SLACK, LONGEST, T_SAME, UNDERFLOW
from simcore.kernel.types import (
    AX,
    AY,
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
    OWN_T,
    POCKET_RADIUS,
    POCKET_X,
    POCKET_Y,
    RADIUS,
    REACH,
    SLACK,
    T0,
    T_END,
    VX,
    VY,
    ZONE_X0,
    ZONE_X1,
    ZONE_Y0,
    ZONE_Y1,
    Floats,
    Relative,
    TableGeometry,
    X,
    Y,
)


class Box(NamedTuple):
    """Least and greatest coordinates, m."""

    x0: float
    x1: float
    y0: float
    y1: float


@inlined_kernel
def relative_motion(ball: Floats, i: int, j: int, now: float) -> Relative:
    """Motion of ball `j` as seen from ball `i`, from time `now` on."""
    xi, yi, vxi, vyi, axi, ayi = position_and_velocity(ball, i, now)
    xj, yj, vxj, vyj, axj, ayj = position_and_velocity(ball, j, now)
    return Relative(xj - xi, yj - yi, vxj - vxi, vyj - vyi, axj - axi, ayj - ayi)


@inlined_kernel
def slack(r: Relative, distance2: float, window: float) -> float:
    """More than 0 if two points surely stay further apart than the square root of `distance2` for `window` seconds.

    Along the present line of centres: on the circle of contact nothing lies further in than its tangent there. The
    least value of |r|² + rate s + bend s² - |r| distance, without a division: of the parabola's bottom only the sign.
    """
    apart2, rate, bend = r.x * r.x + r.y * r.y, r.x * r.vx + r.y * r.vy, r.x * r.ax + r.y * r.ay
    gap = apart2 - math.sqrt(apart2 * distance2)
    end = (rate + bend * window) * window
    end = end if end < 0.0 else 0.0
    turns = (rate < 0.0) & (-rate < 2.0 * bend * window)
    return 4.0 * bend * gap - rate * rate if turns else gap + end


@kernel
def write_slacks(ball: Floats, i: int, now: float) -> None:
    """Write for every ball whether it surely keeps out of ball `i`'s reach while both keep their motion.

    One loop without a branch, which compilers turn into vector instructions.
    """
    x, y, vx, vy, ax, ay = position_and_velocity(ball, i, now)
    radius, own = 4.0 * ball[RADIUS, i], ball[OWN_T, i]
    for j in range(ball.shape[1]):
        xj, yj, vxj, vyj, axj, ayj = position_and_velocity(ball, j, now)
        first = ball[OWN_T, j] if ball[OWN_T, j] < own else own
        window = first + T_SAME - now
        window = window if window < LONGEST else LONGEST
        r = Relative(xj - x, yj - y, vxj - vx, vyj - vy, axj - ax, ayj - ay)
        ball[SLACK, j] = slack(r, radius * ball[RADIUS, j], window)


@inlined_kernel
def misses(r: Relative, distance: float, window: float) -> bool:
    """Whether two points surely pass each other by more than `distance` within `window` seconds.

    By the sideways distance |r x v| / |v|, which changes with s² only, so that its ends bound it.
    """
    miss = r.x * r.vy - r.y * r.vx
    change = (r.ax * r.vy - r.ay * r.vx) * window * window
    nearest = min(miss, miss + change) if miss > 0.0 else -max(miss, miss + change)
    least = max(distance * distance * (r.vx * r.vx + r.vy * r.vy), UNDERFLOW)
    return nearest > 0.0 and nearest * nearest > least


@kernel
def time_to_ball(ball: Floats, i: int, j: int, now: float) -> float:
    """Time of the next contact of balls `i` and `j` while both keep their present motion, s, or inf."""
    r = relative_motion(ball, i, j, now)
    distance = touching_distance(ball[RADIUS, i], ball[RADIUS, j])
    useful = min(ball[OWN_T, i], ball[OWN_T, j]) + T_SAME - now
    if misses(r, distance, min(useful, LONGEST)):
        return math.inf
    return now + first_crossing(r, distance, min(min(ball[T_END, i], ball[T_END, j]) - now, LONGEST))


@inlined_kernel
def seen_from(ball: Floats, i: int, x: float, y: float) -> Relative:
    """Motion of ball `i` relative to a fixed point, from its segment's start on."""
    return Relative(ball[X, i] - x, ball[Y, i] - y, ball[VX, i], ball[VY, i], ball[AX, i], ball[AY, i])


@kernel
def time_onto(along: float, rate: float, half: float) -> float:
    """First time at which along + rate s + half s², negative at 0, rises to zero, s, or inf."""
    disc = rate * rate - 4.0 * half * along
    if disc < 0.0:
        return math.inf
    if rate > 0.0:
        return -2.0 * along / (rate + math.sqrt(disc))
    return (math.sqrt(disc) - rate) / (2.0 * half) if half > 0.0 else math.inf


@inlined_kernel
def time_to_nose(ball: Floats, i: int, table: TableGeometry, k: int, useful: float) -> float:
    """Seconds after its segment's start at which ball `i` meets nose `k`, or inf; surely inf if later than `useful`.

    A ball that creeps over the nose's line beside the nose, by less than a graze of the jaw, meets it at its end; it
    may have left the nose at that end before. One that comes over the end deeper has met the jaw.
    """
    r = seen_from(ball, i, table.nose[NOSE_X, k], table.nose[NOSE_Y, k])
    nx, ny = table.nose[NOSE_NX, k], table.nose[NOSE_NY, k]
    gap = nx * r.x + ny * r.y - ball[REACH, i]
    rate, half = nx * r.vx + ny * r.vy, nx * r.ax + ny * r.ay
    if gap + (min(rate, 0.0) + min(half, 0.0) * useful) * useful > 0.0:
        return math.inf
    window = min(ball[T_END, i] - ball[T0, i], LONGEST)
    s = line_crossing(gap, rate, half, window)
    if s == math.inf:
        return s
    bend = ny * r.ax - nx * r.ay
    speed = ny * r.vx - nx * r.vy + 2.0 * s * bend
    along, length = ny * r.x - nx * r.y + s * (speed - s * bend), table.nose[NOSE_LENGTH, k]
    if -JOIN_SLACK <= along <= length + JOIN_SLACK:
        return s
    on = s + (time_onto(along, speed, bend) if along < 0.0 else time_onto(length - along, -speed, -bend))
    if not s < on < window:
        return math.inf
    gap_on = gap + on * (rate + on * half)
    if gap_on < min(gap, 0.0) - GRAZE:
        return math.inf
    return on + line_crossing(gap_on, rate + 2.0 * on * half, half, window - on)


@kernel
def time_to_jaw(ball: Floats, i: int, table: TableGeometry, k: int) -> float:
    """Seconds after its segment's start at which ball `i` meets jaw `k`, or inf."""
    r = seen_from(ball, i, table.jaw[JAW_X, k], table.jaw[JAW_Y, k])
    s = first_crossing(r, table.jaw[JAW_RADIUS, k] + ball[REACH, i], min(ball[T_END, i] - ball[T0, i], LONGEST))
    if s == math.inf:
        return s
    x, y = r.x + s * (r.vx + s * r.ax), r.y + s * (r.vy + s * r.ay)
    inside = table.jaw[JAW_FROM_X, k] * y - table.jaw[JAW_FROM_Y, k] * x >= 0.0
    inside = inside and x * table.jaw[JAW_TO_Y, k] - y * table.jaw[JAW_TO_X, k] >= 0.0
    return s if inside else math.inf


@kernel
def time_to_pocket(ball: Floats, i: int, table: TableGeometry, p: int) -> float:
    """Seconds after its segment's start at which ball `i`'s centre crosses the fall circle of pocket `p`, or inf."""
    r = seen_from(ball, i, table.pocket[POCKET_X, p], table.pocket[POCKET_Y, p])
    return first_crossing(r, table.pocket[POCKET_RADIUS, p], min(ball[T_END, i] - ball[T0, i], LONGEST))


@inlined_kernel
def extent(x: float, v: float, a: float, window: float) -> tuple[float, float]:
    """Least and greatest value of x + v s + a s² for s in [0, window]."""
    end = x + window * (v + window * a)
    lo, hi = min(x, end), max(x, end)
    if v * a < 0.0 and abs(v) < 2.0 * abs(a) * window:
        turn = x - v * v / (4.0 * a)
        return min(lo, turn), max(hi, turn)
    return lo, hi


@inlined_kernel
def path_box(ball: Floats, i: int, window: float) -> Box:
    """The box that holds ball `i`'s centre for `window` seconds from its segment's start."""
    x0, x1 = extent(ball[X, i], ball[VX, i], ball[AX, i], window)
    y0, y1 = extent(ball[Y, i], ball[VY, i], ball[AY, i], window)
    return Box(x0, x1, y0, y1)


@inlined_kernel
def in_zone(box: Box, reach: float, table: TableGeometry, p: int) -> bool:
    """Whether a path in this box may come within `reach` of pocket `p`'s jaws, or into its fall circle."""
    z = table.pocket
    across = z[ZONE_X0, p] - reach <= box.x1 and box.x0 <= z[ZONE_X1, p] + reach
    return across and z[ZONE_Y0, p] - reach <= box.y1 and box.y0 <= z[ZONE_Y1, p] + reach
