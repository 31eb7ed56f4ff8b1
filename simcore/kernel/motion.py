"""Motion on the cloth: slide, roll, rest, each a parabola known in closed form (physics.md section 1).

Spin about the vertical decays in every state without moving the ball, so it never makes an event; at a transition the
new state is constructed, never taken from the evolved residue.
Not modelled: nap, airborne balls, cloth friction on the vertical spin beyond a constant decay.
"""

import math
from typing import Any

from simcore.kernel.jit import inlined_kernel, kernel
from simcore.kernel.tolerances import SLIP_ZERO, SPEED_ZERO
from simcore.kernel.types import (
    AX,
    AY,
    RADIUS,
    REST,
    ROLLING,
    SLIDING,
    STATE,
    T0,
    T_END,
    TOUCHED,
    TOUCHED_BALL,
    TOUCHED_COUNT,
    VX,
    VY,
    WX,
    WY,
    WZ,
    BallMotion,
    Floats,
    Workspace,
    X,
    Y,
)


@kernel
def cloth_slip(m: BallMotion, radius: float) -> tuple[float, float]:
    """Velocity of the ball's lowest point over the cloth, m/s."""
    return m.vx - radius * m.wy, m.vy + radius * m.wx


@kernel
def rolling(vx: float, vy: float, wz: float, radius: float) -> BallMotion:
    """The motion without slip at this velocity."""
    return BallMotion(vx, vy, -vy / radius, vx / radius, wz)


@kernel
def after_slide(m: BallMotion, radius: float) -> BallMotion:
    """The rolling motion in which a slide from `m` ends: v - 2/7 of the slip, whatever the friction."""
    ux, uy = cloth_slip(m, radius)
    return rolling(m.vx - 2.0 / 7.0 * ux, m.vy - 2.0 / 7.0 * uy, m.wz, radius)


@kernel
def spin_at(wz: float, dt: float, alpha: float) -> float:
    """Spin about the vertical after `dt` seconds of constant decay `alpha`, rad/s."""
    left = abs(wz) - alpha * dt
    if left <= 0.0:
        return 0.0
    return left if wz > 0.0 else -left


@inlined_kernel
def position_and_velocity(ball: Floats, i: int, now: float) -> tuple[float, float, float, float, float, float]:
    """Position, velocity and half the acceleration of ball `i` at time `now`."""
    dt, ax, ay = now - ball[T0, i], ball[AX, i], ball[AY, i]
    x, y = ball[X, i] + dt * (ball[VX, i] + dt * ax), ball[Y, i] + dt * (ball[VY, i] + dt * ay)
    return x, y, ball[VX, i] + 2.0 * dt * ax, ball[VY, i] + 2.0 * dt * ay, ax, ay


@kernel
def position_at(w: Workspace, i: int, t: float) -> tuple[float, float]:
    """Where ball `i` is at time `t` of its segment, m."""
    x, y, _, _, _, _ = position_and_velocity(w.ball, i, t)
    return x, y


@kernel
def motion_at(w: Workspace, i: int, t: float, alpha: float) -> BallMotion:
    """Velocity and spin of ball `i` at time `t` of its segment; `alpha` is the decay of the vertical spin, rad/s2."""
    b = w.ball
    dt = t - b[T0, i]
    wz = spin_at(b[WZ, i], dt, alpha)
    if w.mark[STATE, i] == REST:
        return BallMotion(0.0, 0.0, 0.0, 0.0, wz)
    _, _, vx, vy, ax, ay = position_and_velocity(b, i, t)
    radius = b[RADIUS, i]
    if w.mark[STATE, i] == ROLLING:
        return rolling(vx, vy, wz, radius)
    return BallMotion(vx, vy, b[WX, i] + 5.0 * dt * ay / radius, b[WY, i] - 5.0 * dt * ax / radius, wz)


@kernel
def segment_of(m: BallMotion, radius: float, physics: Any) -> tuple[int, BallMotion, float, float, float]:
    """State, cleaned motion, half the acceleration (x, y) and length in seconds of the segment that `m` begins."""
    ux, uy = cloth_slip(m, radius)
    slip = math.sqrt(ux * ux + uy * uy)
    if slip > SLIP_ZERO:
        half = 0.5 * physics.mu_slide * physics.g
        length = slip / (7.0 * half) if half > 0.0 else math.inf
        return SLIDING, m, -half * ux / slip, -half * uy / slip, length
    r = after_slide(m, radius)
    speed = math.sqrt(r.vx * r.vx + r.vy * r.vy)
    if speed <= SPEED_ZERO:
        return REST, BallMotion(0.0, 0.0, 0.0, 0.0, m.wz), 0.0, 0.0, math.inf
    half = 0.5 * physics.mu_roll * physics.g
    length = speed / (2.0 * half) if half > 0.0 else math.inf
    return ROLLING, r, -half * r.vx / speed, -half * r.vy / speed, length


@kernel
def end_of_segment(w: Workspace, i: int, t: float, alpha: float) -> BallMotion:
    """The motion in which the segment of ball `i` ends at its transition time `t`, constructed from its start."""
    b = w.ball
    wz = spin_at(b[WZ, i], t - b[T0, i], alpha)
    if w.mark[STATE, i] == SLIDING:
        start = BallMotion(b[VX, i], b[VY, i], b[WX, i], b[WY, i], wz)
        return after_slide(start, b[RADIUS, i])
    return BallMotion(0.0, 0.0, 0.0, 0.0, wz)


@kernel
def advance(w: Workspace, i: int, t: float, alpha: float) -> None:
    """Move the start of ball `i`'s segment to time `t` of the same segment (its acceleration stays)."""
    b = w.ball
    x, y = position_at(w, i, t)
    m = motion_at(w, i, t, alpha)
    b[X, i], b[Y, i], b[T0, i] = x, y, t
    set_motion(w, i, m)


@kernel
def set_motion(w: Workspace, i: int, m: BallMotion) -> None:
    """Write velocity and spin of ball `i` at its segment's start."""
    b = w.ball
    b[VX, i], b[VY, i] = m.vx, m.vy
    b[WX, i], b[WY, i], b[WZ, i] = m.wx, m.wy, m.wz


@kernel
def mark_touched(w: Workspace, i: int) -> None:
    """Note that the motion of ball `i`, not yet marked, changes in this step."""
    w.mark[TOUCHED, i] = 1
    w.mark[TOUCHED_BALL, w.tally[TOUCHED_COUNT]] = i
    w.tally[TOUCHED_COUNT] += 1


@kernel
def clear_touched(w: Workspace) -> None:
    """Forget which balls the last step touched."""
    for k in range(w.tally[TOUCHED_COUNT]):
        w.mark[TOUCHED, w.mark[TOUCHED_BALL, k]] = 0
    w.tally[TOUCHED_COUNT] = 0


@kernel
def get_motion(w: Workspace, i: int) -> BallMotion:
    """Velocity and spin of ball `i` at its segment's start."""
    b = w.ball
    return BallMotion(b[VX, i], b[VY, i], b[WX, i], b[WY, i], b[WZ, i])


@kernel
def begin_segment(w: Workspace, i: int, physics: Any) -> None:
    """Start the segment that follows from ball `i`'s motion at its present start time."""
    b = w.ball
    state, m, ax, ay, length = segment_of(get_motion(w, i), b[RADIUS, i], physics)
    set_motion(w, i, m)
    w.mark[STATE, i] = state
    b[AX, i], b[AY, i] = ax, ay
    b[T_END, i] = b[T0, i] + length
