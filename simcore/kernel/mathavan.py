"""Impact of a ball on a cushion nose, Mathavan's 2010 equations: few steps, each as long as the slips turn little.

Mathavan, Jackson and Parkin (2010), "A theoretical analysis of billiard ball-cushion dynamics under cushion impacts":
the ball is pressed against the nose above its equator and onto the bed; both contacts rub while the normal impulse P
grows from 0 through greatest compression until e² of the work of compression is given back. In units of R and m the
equations are homogeneous in velocity and R times spin. Their right-hand sides hold the directions of the two slips
and nothing else, and both slips change linearly with the impulses of friction; so the state is the two slips and the
normal speed, and what a step can leave unresolved is the turning of a slip. Each step is a Runge-Kutta step of order
3 at the nodes of Radau's quadrature, which is of order 5 where the two contacts do not disturb each other.

Not modelled: deformation of the cushion (tangential rebound), vertical velocity, rubber that moves the nose.
"""

import math
from typing import Any, NamedTuple

from simcore.kernel.jit import kernel
from simcore.kernel.tolerances import (
    MOST_STEPS,
    NO_NOSE_SLIP,
    NO_TABLE_SLIP,
    NOSE_TURN,
    OVERSHOOT,
    SHORTEST_STEP,
    SMALLEST,
    STABLE_STEP,
    STIFF_STEP,
    TABLE_TURN,
)
from simcore.kernel.types import BallMotion

_SQRT_6 = math.sqrt(6.0)
C2, C3 = (6.0 - _SQRT_6) / 10.0, (6.0 + _SQRT_6) / 10.0  # Radau's nodes after 0, in steps
B1, B2, B3 = 1.0 / 9.0, (16.0 + _SQRT_6) / 36.0, (16.0 - _SQRT_6) / 36.0  # and weights
A32 = 1.0 / (6.0 * B3 * C2)  # the one choice that makes the step one of order 3
A31 = C3 - A32


class Nose(NamedTuple):
    """What stays the same during one impact, for R = m = 1."""

    sin: float  # height of the nose over the ball's centre, in units of R
    cos: float  # distance of the nose from the ball's vertical axis, in units of R
    mu_nose: float  # friction coefficient of ball and nose
    mu_table: float  # friction coefficient of ball and cloth
    cross: float  # slip along X that a unit of friction at one contact takes from the other
    along: float  # slip along S that a unit of friction at the nose takes
    lag: float  # slip along S, or Y, that a unit of friction at one contact takes from the other
    press: float  # friction of the cloth without friction at the nose
    press_more: float  # and what full friction at the nose upwards adds to it
    settling: float  # rate at which friction of the cloth takes a slip away, at most, over the stable length of a step
    slowing: float  # the least rate at which the approach is taken to fall when the rest of an impact is estimated


class Slips(NamedTuple):
    """The state during an impact, as a share of the motion before it; or its rates per unit of normal impulse."""

    sx: float  # slip at the nose along X
    ss: float  # slip at the nose along S, upwards over the ball's face
    tx: float  # slip on the cloth along X
    ty: float  # slip on the cloth along Y


class Point(NamedTuple):
    """Where a step begins: rates and what they were made from."""

    rates: Slips
    per_nose: float  # 1 / slip at the nose, at most 1 / NO_NOSE_SLIP
    per_table: float  # 1 / slip on the cloth, at most 1 / NO_TABLE_SLIP
    qx: float  # direction of the slip on the cloth, along X
    qy: float  # the same along Y


class Step(NamedTuple):
    """One step: its rates at the nodes, and its length in normal impulse."""

    length: float
    first: Slips
    second: Slips
    third: Slips
    stuck: bool  # friction has brought the slip at the nose to zero


class Course(NamedTuple):
    """The approach during a step, v + a x + b x² / 2 + c x³ / 3 at a share x of it, and the work before it."""

    h: float  # length of the step, in normal impulse
    work: float  # integral of the approach over the normal impulse, up to the step
    v: float
    a: float
    b: float
    c: float


@kernel
def _approach(y: Slips) -> float:
    """Normal velocity into the cushion, times 1 + sin; or its rate."""
    return y.ty - y.ss


@kernel
def _rates(fx: float, fs: float, table: float, qx: float, qy: float, nose: Nose) -> Slips:
    """Rates under friction f at the nose, and `table` on the cloth along q (Mathavan 2010, Eqs 13 and 17)."""
    return Slips(
        -3.5 * fx - table * (nose.cross * qx),
        (nose.sin * nose.cos - nose.along * fs) - table * (nose.lag * qy),
        -nose.cross * fx - table * (3.5 * qx),
        -(nose.cos + nose.lag * fs) - table * (3.5 * qy),
    )


@kernel
def _direction(x: float, y: float, floor: float) -> tuple[float, float, float]:
    """Direction of a slip and 1 / its length; a slip below its floor has a share of a direction."""
    per = 1.0 / math.sqrt(max(x * x + y * y, floor * floor))
    return x * per, y * per, per


@kernel
def _point(y: Slips, nose: Nose) -> Point:
    """Rates at a state; where a slip is below its floor, `_off_zero` mends them."""
    per_nose = 1.0 / math.sqrt(max(y.sx * y.sx + y.ss * y.ss, NO_NOSE_SLIP * NO_NOSE_SLIP))
    qx, qy, per_table = _direction(y.tx, y.ty, NO_TABLE_SLIP)
    table = max(0.0, nose.press + (nose.press_more * y.ss) * per_nose)
    k = _rates((nose.mu_nose * y.sx) * per_nose, (nose.mu_nose * y.ss) * per_nose, table, qx, qy, nose)
    return Point(k, per_nose, per_table, qx, qy)


@kernel
def _stopping(y: Slips, per: float, qx: float, qy: float, nose: Nose) -> tuple[float, float, bool]:
    """Friction at the nose that brings its slip to zero within an impulse 1 / per, and whether there is as much.

    If there is not, as much as there is, in that direction: so a slip that is small for the impulse trails its drift
    (an implicit step), where the friction along a slip would swing it about. The cloth slips along q.
    """
    pull = nose.mu_table * qy * nose.lag
    hold = nose.along + pull * nose.cos
    fs = (nose.sin * (nose.cos - pull) + y.ss * per) / hold if hold > 0.0 else 0.0
    fx = (y.sx * per - nose.mu_table * qx * nose.cross * (nose.sin + fs * nose.cos)) * (1.0 / 3.5)
    square = fx * fx + fs * fs
    if square <= nose.mu_nose * nose.mu_nose:
        return fx, fs, hold > 0.0
    scale = nose.mu_nose / math.sqrt(square)
    return fx * scale, fs * scale, False


@kernel
def _rates_stopping(y: Slips, per: float, qx: float, qy: float, nose: Nose) -> tuple[Slips, bool]:
    """Rates under the friction of `_stopping`, and whether there is as much."""
    fx, fs, enough = _stopping(y, per, qx, qy, nose)
    table = nose.mu_table * max(0.0, nose.sin + fs * nose.cos)
    return _rates(fx, fs, table, qx, qy, nose), enough


@kernel
def _off_zero(y: Slips, at: Point, nose: Nose) -> tuple[Slips, Point]:
    """State and rates where a slip is zero: friction holds the nose if it can, and the cloth never.

    A cloth slip of zero has no direction and no friction yet: it is moved just off it, to where all else pushes it.
    """
    k, per_table = at.rates, at.per_table
    if per_table > 0.5 / NO_TABLE_SLIP:
        push = _point(Slips(y.sx, y.ss, 0.0, 0.0), nose).rates
        qx, qy, _ = _direction(push.tx, push.ty, NO_TABLE_SLIP)
        y = Slips(y.sx, y.ss, 2.0 * NO_TABLE_SLIP * qx, 2.0 * NO_TABLE_SLIP * qy)
        at = _point(y, nose)
        k = at.rates
    if at.per_nose > 0.5 / NO_NOSE_SLIP:
        k, _ = _rates_stopping(Slips(0.0, 0.0, y.tx, y.ty), 0.0, at.qx, at.qy, nose)
    if per_table > 0.5 / NO_TABLE_SLIP and k.tx * at.qx + k.ty * at.qy > 0.0:
        return y, Point(k, at.per_nose, 0.0, at.qx, at.qy)  # it goes straight on: its turning would be rounding
    return y, Point(k, at.per_nose, at.per_table, at.qx, at.qy)


@kernel
def _moved(y: Slips, h: float, k: Slips) -> Slips:
    """State after an impulse h at constant rates."""
    return Slips(y.sx + h * k.sx, y.ss + h * k.ss, y.tx + h * k.tx, y.ty + h * k.ty)


@kernel
def _turning(zx: float, zy: float, dx: float, dy: float, per: float, often: float) -> float:
    """1 / impulse in which a slip z, of length 1 / per and rate d, turns by a tangent 1 / `often`, or is at zero."""
    return (abs(zx * dy - zy * dx) * often - min(zx * dx + zy * dy, 0.0)) * (per * per)


@kernel
def _step_length(y: Slips, at: Point, rest: float, floor: float, settling: float) -> float:
    """Impulse of the next step: all the rest if no slip turns or settles much, and never less than `floor`."""
    k = at.rates
    often = max(
        _turning(y.sx, y.ss, k.sx, k.ss, at.per_nose, 1.0 / NOSE_TURN),
        max(_turning(y.tx, y.ty, k.tx, k.ty, at.per_table, 1.0 / TABLE_TURN), settling * at.per_table),
    )
    return min(max(1.0 / often, floor), rest) if often > 0.0 else rest


@kernel
def _stiff_step(y: Slips, at: Point, h: float, nose: Nose) -> Step:
    """The step of length h for a nose slip that is small for it: stopped if there is friction enough, else trailing."""
    first, enough1 = _rates_stopping(y, 1.0 / h, at.qx, at.qy, nose)
    z = _moved(y, C2 * h, first)
    qx, qy, _ = _direction(z.tx, z.ty, NO_TABLE_SLIP)
    second, enough2 = _rates_stopping(y, 1.0 / h, qx, qy, nose)
    z = _moved(_moved(y, A31 * h, first), A32 * h, second)
    qx, qy, _ = _direction(z.tx, z.ty, NO_TABLE_SLIP)
    third, enough3 = _rates_stopping(y, 1.0 / h, qx, qy, nose)
    return Step(h, first, second, third, enough1 and enough2 and enough3)


@kernel
def _state_at(y: Slips, step: Step, x: float) -> Slips:
    """State at a share x of a step: the integral of the parabola through the rates at its nodes."""
    square = x * x
    b2 = square * (x * (1.0 / 3.0) - 0.5 * C3) * (1.0 / (C2 * (C2 - C3)))
    b3 = square * (x * (1.0 / 3.0) - 0.5 * C2) * (1.0 / (C3 * (C3 - C2)))
    h = step.length
    return _moved(_moved(_moved(y, h * (x - b2 - b3), step.first), h * b2, step.second), h * b3, step.third)


@kernel
def _state_after(y: Slips, step: Step) -> Slips:
    """State at the end of a step."""
    h = step.length
    y = _moved(_moved(_moved(y, h * B1, step.first), h * B2, step.second), h * B3, step.third)
    return Slips(0.0, 0.0, y.tx, y.ty) if step.stuck else y


@kernel
def _overrun(zx: float, zy: float, dx: float, dy: float, h: float) -> float:
    """Share of a step of length h that a slip z at its end has gone beyond its nearest to zero, at a rate d."""
    square = dx * dx + dy * dy
    return (zx * dx + zy * dy) / (h * square) if square > 0.0 else 0.0


@kernel
def _share_to_zero(y: Slips, after: Slips, step: Step, floor: float) -> float:
    """Share of a step at which the first slip that turned back in it was nearest to zero; not shorter than `floor`."""
    x, k = 1.0, step.third
    if y.sx * after.sx + y.ss * after.ss < 0.0:
        x = min(x, 1.0 - _overrun(after.sx, after.ss, k.sx, k.ss, step.length))
    if y.tx * after.tx + y.ty * after.ty < 0.0:
        x = min(x, 1.0 - _overrun(after.tx, after.ty, k.tx, k.ty, step.length))
    return min(max(x, floor / step.length), 1.0)


@kernel
def _course(v: float, work: float, step: Step) -> Course:
    """Approach during a step that begins with v, when `work` has been done."""
    first = _approach(step.first)
    rise2 = (_approach(step.second) - first) * (1.0 / C2)
    rise3 = (_approach(step.third) - first) * (1.0 / C3)
    c = (rise3 - rise2) * (1.0 / (C3 - C2))
    h = step.length
    return Course(h, work, v, h * first, h * (rise2 - C2 * c), h * c)


@kernel
def _work_at(c: Course, x: float) -> float:
    """Work of compression, over the distance of the nose, up to a share x of a step."""
    return c.work + c.h * x * (c.v + x * (0.5 * c.a + x * (c.b * (1.0 / 6.0) + x * (c.c * (1.0 / 12.0)))))


@kernel
def _greatest_work(c: Course, x: float, v: float) -> float:
    """Work at greatest compression, in a step whose approach has fallen through zero to v at a share x.

    There the work is flat: one correction with the mean slope finds its value far beyond the error of the step.
    """
    per, last = x / (c.v - v), x
    x = c.v * per
    x += (c.v + x * (c.a + x * (0.5 * c.b + x * (c.c * (1.0 / 3.0))))) * per
    return _work_at(c, min(max(x, 0.0), last))


@kernel
def _share_at_end(c: Course, x: float, v: float, excess: float) -> float:
    """Share of a step at which the work has fallen to what it shall be, `excess` over its value at the share x.

    v: approach at x. The approach is taken to fall evenly between the two.
    """
    v *= c.h
    divisor = math.sqrt(max(v * v + 2.0 * (c.h * (c.a + x * (c.b + x * c.c))) * excess, 0.0)) - v
    return max(x - 2.0 * excess / divisor, 0.0) if divisor > 0.0 else x


@kernel
def _rest(v: float, at: Point, left: float, e: float, nose: Nose) -> float:
    """Impulse to the end of the impact from an approach v on, a little more than constant rates say.

    left: work that the cushion still gives back; less than 0 while it is not known, before greatest compression.
    """
    slowing = max(-_approach(at.rates), nose.slowing)
    if left < 0.0:
        return OVERSHOOT * (1.0 + e) * v / slowing
    divisor = math.sqrt(v * v + 2.0 * slowing * left) - v
    return 2.0 * OVERSHOOT * left / divisor if divisor > 0.0 else 0.0


@kernel
def _integrate(y: Slips, v: float, e: float, nose: Nose) -> Slips:
    """State at the end of an impact that begins with an approach v > 0; at most MOST_STEPS steps."""
    work, end, floor = 0.0, -1.0, SHORTEST_STEP * v  # the work at the end is known from greatest compression on
    at = _point(y, nose)
    for _ in range(MOST_STEPS):
        if at.per_nose > 0.5 / NO_NOSE_SLIP or at.per_table > 0.5 / NO_TABLE_SLIP:
            y, at = _off_zero(y, at, nose)
        left = work - end if end >= 0.0 else -1.0
        h = _step_length(y, at, _rest(v, at, left, e, nose), floor, nose.settling)
        if h * at.per_nose * nose.mu_nose * STIFF_STEP > 1.0:
            step = _stiff_step(y, at, h, nose)
        else:
            second = _point(_moved(y, C2 * h, at.rates), nose).rates
            third = _point(_moved(_moved(y, A31 * h, at.rates), A32 * h, second), nose).rates
            step = Step(h, at.rates, second, third, False)
        course = _course(v, work, step)
        after = _state_after(y, step)
        x = 1.0
        if min(y.sx * after.sx + y.ss * after.ss, y.tx * after.tx + y.ty * after.ty) < 0.0:
            x = _share_to_zero(y, after, step, floor)
            after = _state_at(y, step, x)
        v, work = _approach(after), _work_at(course, x)
        if end < 0.0 and v <= 0.0:
            end = (1.0 - e * e) * _greatest_work(course, x, v)
        if 0.0 <= end >= work:
            return _state_at(y, step, _share_at_end(course, x, v, end - work))
        y, at = after, _point(after, nose)
    return y


@kernel
def _nose_of(radius: float, physics: Any) -> Nose:
    """Constants of an impact; the nose is kept off the ball's top and bottom."""
    sin = min(1.0, max(-1.0, physics.nose_height / radius - 1.0))
    cos = math.sqrt(1.0 - sin * sin)
    mu_nose, mu_table = physics.mu_cushion, physics.mu_slide
    cross, along, lag = 1.0 - 2.5 * sin, 2.5 + sin * sin, 2.5 - sin
    press, press_more = mu_table * sin, mu_table * (mu_nose * cos)
    settling = 3.5 * (max(0.0, press) + press_more) / STABLE_STEP
    slowing = 0.25 * cos * (1.0 + sin)
    return Nose(sin, cos, mu_nose, mu_table, cross, along, lag, press, press_more, settling, slowing)


@kernel
def _motion_after(m: BallMotion, before: Slips, after: Slips, nose: Nose) -> BallMotion:
    """Local motion from the change of the slips: along X from the two impulses of friction."""
    ds, dt = after.sx - before.sx, after.tx - before.tx
    scale = 1.0 / (12.25 - nose.cross * nose.cross)
    fx = (nose.cross * dt - 3.5 * ds) * scale
    tx = (nose.cross * ds - 3.5 * dt) * scale
    vy = _approach(after) / (1.0 + nose.sin)
    wx = after.ty - vy
    wy, wz = m.wy - 2.5 * (nose.sin * fx - tx), m.wz + 2.5 * nose.cos * fx
    return BallMotion(m.vx - (fx + tx), min(vy, 0.0), wx, wy, wz)


@kernel
def impact(m: BallMotion, radius: float, e: float, physics: Any) -> BallMotion:
    """Local motion after an impact with restitution e, for v_Y > 0 and a nose that meets the ball sideways.

    m: along X, Y, Z with spins times R, m/s; radius: m.
    Source: Mathavan, Jackson and Parkin 2010, Eqs 13-17.
    """
    nose = _nose_of(radius, physics)
    size = max((abs(m.vx) + abs(m.vy)) + ((abs(m.wx) + abs(m.wy)) + abs(m.wz)), SMALLEST)
    scale = 1.0 / size
    m = BallMotion(scale * m.vx, scale * m.vy, scale * m.wx, scale * m.wy, scale * m.wz)
    before = Slips(m.vx + (nose.sin * m.wy - nose.cos * m.wz), m.wx - nose.sin * m.vy, m.vx - m.wy, m.vy + m.wx)
    m = _motion_after(m, before, _integrate(before, (1.0 + nose.sin) * m.vy, e, nose), nose)
    return BallMotion(size * m.vx, size * m.vy, size * m.wx, size * m.wy, size * m.wz)
