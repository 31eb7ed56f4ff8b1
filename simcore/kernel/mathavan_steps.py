"""Impact of a ball on a cushion nose, Mathavan's 2010 equations in small steps of the normal impulse, as published.

The same equations as in `simcore.kernel.mathavan`, which is several times faster: this scheme makes no use of what
is special about them, and converges with the number of steps, so it stands for the converged answer in tests.
The slips' directions jump where a slip passes zero, so steps are split there (physics.md section 2, pseudo-code).

Not modelled: deformation of the cushion (tangential rebound), vertical velocity, rubber that moves the nose.
"""

import math
from typing import Any, NamedTuple

from simcore.kernel.jit import kernel
from simcore.kernel.tolerances import NO_NOSE_SLIP, NO_TABLE_SLIP, SHORTEST_SPLIT, STEP_CAP
from simcore.kernel.types import BallMotion


class Nose(NamedTuple):
    """What stays the same during one impact, for R = m = 1."""

    sin: float  # height of the nose over the ball's centre, in units of R
    cos: float  # distance of the nose from the ball's vertical axis, in units of R
    mu_nose: float  # friction coefficient of ball and nose
    mu_table: float  # friction coefficient of ball and cloth
    no_table_slip: float  # table slip that counts as zero, m/s
    no_nose_slip: float  # nose slip that counts as zero, m/s


@kernel
def _nose_slip(motion: BallMotion, nose: Nose) -> tuple[float, float]:
    """Slip at the nose along X and along S, upwards over the ball's face (Mathavan 2010, Eqs 13)."""
    return motion.vx + nose.sin * motion.wy - nose.cos * motion.wz, motion.wx - nose.sin * motion.vy


@kernel
def _table_slip(motion: BallMotion) -> tuple[float, float]:
    """Slip on the cloth along X and Y."""
    return motion.vx - motion.wy, motion.vy + motion.wx


@kernel
def _rates(fx: float, fs: float, qx: float, qy: float, nose: Nose) -> BallMotion:
    """Change of the local motion per unit of normal impulse (Mathavan 2010, Eqs 17).

    fx, fs: nose friction per unit impulse along X and S; qx, qy: direction of the table slip, or zero.
    """
    table = nose.mu_table * max(0.0, nose.sin + fs * nose.cos)
    tx, ty = table * qx, table * qy
    return BallMotion(
        -(fx + tx),
        -(nose.cos - nose.sin * fs + ty),
        -2.5 * (fs + ty),
        -2.5 * (nose.sin * fx - tx),
        2.5 * nose.cos * fx,
    )


@kernel
def _direction(x: float, y: float, floor: float) -> tuple[float, float]:
    """Unit vector along (x, y), zero if it is not longer than `floor`."""
    length = math.sqrt(x * x + y * y)
    if length > floor:
        return x / length, y / length
    return 0.0, 0.0


@kernel
def _split(zx: float, zy: float, dx: float, dy: float, h: float) -> float:
    """Step h, shortened to where a slip z with rate d passes closest to zero if that is well inside it."""
    rate = dx * dx + dy * dy
    if rate > 0.0:
        nearest = -(zx * dx + zy * dy) / rate
        if SHORTEST_SPLIT * h < nearest < h:
            return nearest
    return h


@kernel
def _nose_friction(
    slip: tuple[float, float], start: tuple[float, float], h: float, qx: float, qy: float, nose: Nose
) -> tuple[float, float]:
    """Nose friction per unit impulse along X and S: sticking if friction can hold the contact, else sliding.

    slip: at the point of the step where it is asked for; start: slip at the start of the step of length h; qx, qy:
    direction of the table slip. Source: physics.md section 2, `fric`.
    """
    lag = 2.5 - nose.sin
    d = 2.5 + nose.sin * nose.sin + nose.mu_table * qy * nose.cos * lag
    b = nose.mu_table * qx * (1.0 - 2.5 * nose.sin)
    limit = nose.mu_nose * nose.mu_nose
    hold_s = nose.sin * (nose.cos - nose.mu_table * qy * lag) / d  # holds a slip of zero
    hold_x = -b * (nose.sin + hold_s * nose.cos) / 3.5
    hold = hold_x * hold_x + hold_s * hold_s
    if hold <= limit:
        stop_s = hold_s + start[1] / (h * d)  # brings the slip to zero within h
        stop_x = (start[0] / h - b * (nose.sin + stop_s * nose.cos)) / 3.5
        if stop_x * stop_x + stop_s * stop_s <= limit:
            return stop_x, stop_s
    x, s = _direction(slip[0], slip[1], nose.no_nose_slip)
    if x == 0.0 and s == 0.0:
        x, s = _direction(hold_x, hold_s, 0.0)
    return nose.mu_nose * x, nose.mu_nose * s


@kernel
def _step(motion: BallMotion, h: float, nose: Nose) -> tuple[float, BallMotion]:
    """Length of the next step, at most h, and the rates at its midpoint."""
    sx, ss = _nose_slip(motion, nose)
    tx, ty = _table_slip(motion)
    qx, qy = _direction(tx, ty, nose.no_table_slip)
    fx, fs = _nose_friction((sx, ss), (sx, ss), h, qx, qy, nose)
    first = _rates(fx, fs, qx, qy, nose)
    dtx, dty = _table_slip(first)
    dsx, dss = _nose_slip(first, nose)
    h = _split(tx, ty, dtx, dty, h)
    if sx * sx + ss * ss > nose.no_nose_slip * nose.no_nose_slip:  # a held slip is noise and must not set the step
        h = _split(sx, ss, dsx, dss, h)
    half = 0.5 * h
    qx, qy = _direction(tx + half * dtx, ty + half * dty, nose.no_table_slip)
    fx, fs = _nose_friction((sx + half * dsx, ss + half * dss), (sx, ss), h, qx, qy, nose)
    return h, _rates(fx, fs, qx, qy, nose)


@kernel
def _advance(motion: BallMotion, h: float, rates: BallMotion) -> BallMotion:
    """Local motion after a normal impulse h at constant rates."""
    return BallMotion(
        motion.vx + h * rates.vx,
        motion.vy + h * rates.vy,
        motion.wx + h * rates.wx,
        motion.wy + h * rates.wy,
        motion.wz + h * rates.wz,
    )


@kernel
def _compress(motion: BallMotion, h0: float, cap: int, nose: Nose) -> tuple[BallMotion, float]:
    """Local motion at greatest compression (v_Y = 0), and the work that it took, per unit mass."""
    work = 0.0
    for _ in range(cap):
        h, rates = _step(motion, h0, nose)
        done = motion.vy + h * rates.vy <= 0.0
        if done:
            h = -motion.vy / rates.vy
        work += nose.cos * h * (motion.vy + 0.5 * h * rates.vy)
        motion = _advance(motion, h, rates)
        if done:
            break
    return BallMotion(motion.vx, 0.0, motion.wx, motion.wy, motion.wz), work


@kernel
def _last_step(speed: float, rate: float, work: float, nose: Nose) -> float:
    """Step of restitution that gives back just `work`: root of work = -cos (speed h + rate h^2 / 2), rate < 0."""
    alpha = -0.5 * nose.cos * rate
    beta = -nose.cos * speed
    divisor = beta + math.sqrt(beta * beta + 4.0 * alpha * work)
    return 2.0 * work / divisor if divisor > 0.0 else 0.0


@kernel
def _restore(motion: BallMotion, h0: float, cap: int, work: float, nose: Nose) -> BallMotion:
    """Local motion when the cushion has given back `work` per unit mass, from greatest compression on."""
    for _ in range(cap):
        h, rates = _step(motion, h0, nose)
        gain = -nose.cos * h * (motion.vy + 0.5 * h * rates.vy)
        if gain >= work:
            return _advance(motion, _last_step(motion.vy, rates.vy, work, nose), rates)
        work -= gain
        motion = _advance(motion, h, rates)
    return motion


@kernel
def _nose_of(motion: BallMotion, radius: float, physics: Any) -> Nose:
    """Constants of an impact that starts with a local motion; the nose is kept off the ball's top and bottom."""
    sine = min(1.0, max(-1.0, physics.nose_height / radius - 1.0))
    speed = math.sqrt(
        (motion.vx * motion.vx + motion.vy * motion.vy)
        + ((motion.wx * motion.wx + motion.wy * motion.wy) + motion.wz * motion.wz)
    )
    return Nose(
        sine,
        math.sqrt(1.0 - sine * sine),
        physics.mu_cushion,
        physics.mu_slide,
        NO_TABLE_SLIP * speed,
        NO_NOSE_SLIP * speed,
    )


@kernel
def impact_in_steps(motion: BallMotion, radius: float, e: float, steps: int, physics: Any) -> BallMotion:
    """Local motion after an impact with restitution e, for v_Y > 0 and a nose that meets the ball sideways.

    motion: along X, Y, Z with spins times R, m/s; radius: m; steps: in compression, more where friction takes more
    from a slip, 3.5 times itself, than the nose from the approach: a ball that jams would else gain energy.
    Source: Mathavan, Jackson and Parkin 2010, Eqs 13-17.
    """
    nose = _nose_of(motion, radius, physics)
    h0 = motion.vy / (steps * max(nose.cos, 3.5 * max(nose.mu_table, nose.mu_nose)))  # no slip is thrown far past zero
    cap = STEP_CAP * steps
    motion, work = _compress(motion, h0, cap, nose)
    return _restore(motion, h0, cap, e * e * work, nose)
