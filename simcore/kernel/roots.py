"""First crossings: when a gap that is a polynomial of time first falls through zero.

An event is an overlap that falls: the first time in the window at which f <= 0 and f' < 0, or f' = 0 and f'' < 0
(physics.md sections 1 and 6). f is split at the roots of f'' into at most three pieces, convex or concave. On a
convex piece Newton's method from the left can neither miss nor pass the first crossing; on a concave one the signs at
the ends decide and Newton runs from the right. The root is then polished on the gap itself, evaluated from positions,
because expanded coefficients lose digits at slow closing speeds.
Not modelled: more than the first crossing; complex roots are never computed.
"""

import math
from typing import NamedTuple

from simcore.kernel.jit import inlined_kernel, kernel
from simcore.kernel.tolerances import A_PRESS, GRAZE, HOP, V_CLOSE, V_GRAZE, V_REST
from simcore.kernel.types import Relative

NEWTON_STEPS = 100
"""A double root halves the error at each step, so 60 steps reach rounding; the rest is reserve."""

BISECTION_STEPS = 200
POLISH_STEPS = 4
CONCAVE = 1  # the second of the three pieces


class Quartic(NamedTuple):
    """f(s) = (((a4 s + a3) s + a2) s + a1) s + a0."""

    a4: float  # m²/s⁴
    a3: float  # m²/s³
    a2: float  # m²/s²
    a1: float  # m²/s
    a0: float  # m²


class Search(NamedTuple):
    """A gap searched for contacts: its motion, its quartic, and where the quartic is concave."""

    r: Relative  # relative motion
    q: Quartic  # f = apart² - distance²
    distance: float  # of the centres at contact, m
    lo: float  # f'' < 0 from here, s
    hi: float  # to here, s
    window: float  # s


@kernel
def value(q: Quartic, s: float) -> float:
    """f(s), m²."""
    return (((q.a4 * s + q.a3) * s + q.a2) * s + q.a1) * s + q.a0


@kernel
def slope(q: Quartic, s: float) -> float:
    """f'(s), m²/s."""
    return ((4.0 * q.a4 * s + 3.0 * q.a3) * s + 2.0 * q.a2) * s + q.a1


@kernel
def gap_quartic(r: Relative, distance: float) -> Quartic:
    """|r + v s + a s²|² - distance² as a polynomial."""
    return Quartic(
        r.ax * r.ax + r.ay * r.ay,
        2.0 * (r.ax * r.vx + r.ay * r.vy),
        r.vx * r.vx + r.vy * r.vy + 2.0 * (r.x * r.ax + r.y * r.ay),
        2.0 * (r.x * r.vx + r.y * r.vy),
        r.x * r.x + r.y * r.y - distance * distance,
    )


@kernel
def inflections(q: Quartic, window: float) -> tuple[float, float]:
    """The part of [0, window] on which f is concave; (window, window) where there is none."""
    a, half_b, c = 6.0 * q.a4, 1.5 * q.a3, q.a2  # f''/2 = a s² + 2 half_b s + c, with a >= 0
    disc = half_b * half_b - a * c
    if disc <= 0.0 or a <= 0.0:
        return window, window
    root = math.sqrt(disc)
    big = -half_b - root if half_b > 0.0 else -half_b + root
    s0, s1 = c / big, big / a
    return min(max(min(s0, s1), 0.0), window), min(max(max(s0, s1), 0.0), window)


@kernel
def cross_convex(q: Quartic, left: float, right: float) -> float:
    """First crossing on a convex piece that starts outside (f > 0), or inf: tangents from the left never pass it."""
    s, f = left, value(q, left)
    for _ in range(NEWTON_STEPS):
        d = slope(q, s)
        if f <= 0.0:
            return s if s > left else math.inf
        if d >= 0.0:
            return math.inf
        following = s - f / d
        if following > right:
            return right if value(q, right) <= 0.0 else math.inf
        if following <= s:
            return s
        s, f = following, value(q, following)
    return s


@kernel
def cross_concave(q: Quartic, left: float, right: float) -> float:
    """The crossing on a concave piece that starts outside (f > 0) and ends inside: tangents from the right."""
    s = right
    for _ in range(NEWTON_STEPS):
        f, d = value(q, s), slope(q, s)
        if f >= 0.0 or d >= 0.0:
            return s
        following = s - f / d
        if following >= s:
            return s
        s = max(following, left)
    return s


@kernel
def peak(q: Quartic, left: float, right: float) -> float:
    """Where f' falls through zero on a concave piece that rises at `left` and falls at `right`: bisection."""
    lo, hi = left, right
    for _ in range(BISECTION_STEPS):
        middle = 0.5 * (lo + hi)
        if middle <= lo or middle >= hi:
            return middle
        if slope(q, middle) > 0.0:
            lo = middle
        else:
            hi = middle
    return lo


@kernel
def concave_candidate(q: Quartic, left: float, right: float) -> float:
    """First time on a concave piece at which f may fall through zero, or fall while it is inside already; or inf."""
    if value(q, right) > 0.0 or slope(q, right) >= 0.0:
        return math.inf
    if value(q, left) > 0.0:
        return cross_concave(q, left, right)
    if slope(q, left) <= 0.0:
        return left
    top = peak(q, left, right)
    return cross_concave(q, top, right) if value(q, top) > 0.0 else top


@kernel
def gap_and_rate(r: Relative, distance: float, s: float) -> tuple[float, float, float]:
    """Gap (m), its rate (m/s) and its acceleration (m/s²) at time s, evaluated from positions."""
    x, y = r.x + s * (r.vx + s * r.ax), r.y + s * (r.vy + s * r.ay)
    vx, vy = r.vx + 2.0 * s * r.ax, r.vy + 2.0 * s * r.ay
    apart = math.sqrt(x * x + y * y)
    if apart <= 0.0:
        return -distance, 0.0, 0.0
    rate = (x * vx + y * vy) / apart
    sideways = vx * vx + vy * vy - rate * rate
    return apart - distance, rate, (sideways + 2.0 * (x * r.ax + y * r.ay)) / apart


@kernel
def polish(r: Relative, distance: float, s: float, window: float) -> float:
    """Newton's method on the gap itself from `s`, kept as long as the gap shrinks and still closes."""
    gap, rate, _ = gap_and_rate(r, distance, s)
    for _ in range(POLISH_STEPS):
        if gap == 0.0 or rate >= 0.0:
            return s
        following = min(max(s - gap / rate, 0.0), window)
        gap_there, rate_there, _ = gap_and_rate(r, distance, following)
        if abs(gap_there) >= abs(gap) or rate_there >= 0.0:
            return s
        s, gap, rate = following, gap_there, rate_there
    return s


@kernel
def sinks(r: Relative, distance: float, s: float, end: float) -> bool:
    """Whether the gap, zero or less and falling at `s`, sinks by GRAZE by `end`; what does not is a graze.

    An overlap that was there before does not count: a ball played away at 90 degrees from one it overlaps has only
    rounding along the normal. Between `s` and `end` the gap turns upwards at most once; the turn stays bracketed, for
    where the gap bends little Newton's method would jump far past it. The search starts in the middle: the rate at
    `s` may be rounding of either sign, and then the gap still has its fall before it.
    """
    floor = min(gap_and_rate(r, distance, s)[0], 0.0) - GRAZE
    gap, rate, _ = gap_and_rate(r, distance, end)
    if gap <= floor or rate <= 0.0:
        return gap <= floor
    lo, hi = s, end
    for _ in range(NEWTON_STEPS):
        if not lo < s < hi:
            s = 0.5 * (lo + hi)
        if not lo < s < hi:
            break
        gap, rate, acceleration = gap_and_rate(r, distance, s)
        if gap <= floor:
            return True
        if rate < 0.0 or (rate <= V_CLOSE and acceleration < 0.0):
            lo = s
        else:
            hi = s
        s = s - rate / acceleration if acceleration > 0.0 else lo
    return False


@kernel
def turn_before(r: Relative, distance: float, s: float, concave_from: float, window: float) -> float:
    """End of a stretch from `s` on in which a falling gap turns at most once.

    On the first convex piece the slope only rises; if it is still negative where f becomes concave, it stays so up to
    the second convex piece.
    """
    if s < concave_from and gap_and_rate(r, distance, concave_from)[1] >= 0.0:
        return concave_from
    return window


@kernel
def closes(rate: float, acceleration: float) -> bool:
    """Whether a touching pair closes, or stands still but for rounding and presses."""
    return rate < 0.0 or (rate <= V_CLOSE and acceleration < -A_PRESS)


@kernel
def hop_speed(acceleration: float) -> float:
    """Least parting speed of a contact, m/s, 0 unless its gap accelerates inwards.

    However weakly it does: a contact that stands still would else be found again at the same time, without end.
    """
    return min(V_REST, math.sqrt(-2.0 * HOP * acceleration)) if acceleration < 0.0 else 0.0


@kernel
def is_contact(c: Search, s: float) -> bool:
    """Whether the gap, zero or less at `s`, closes then, and sinks by more than a graze or is not done at the end."""
    _, rate, acceleration = gap_and_rate(c.r, c.distance, s)
    if rate < -V_GRAZE or not closes(rate, acceleration):
        return rate < -V_GRAZE
    end = turn_before(c.r, c.distance, s, c.lo, c.window)
    if sinks(c.r, c.distance, s, end):
        return True
    return gap_and_rate(c.r, c.distance, end)[1] < -V_CLOSE


@kernel
def accept(c: Search, s: float) -> float:
    """The polished time of the candidate `s` if it is a contact, else inf."""
    s = polish(c.r, c.distance, s, c.window)
    return s if is_contact(c, s) else math.inf


@kernel
def closing_later(c: Search, s: float) -> float:
    """When a gap that stands still at zero at `s`, on the concave piece, closes and is a contact; or inf."""
    _, rate, _ = gap_and_rate(c.r, c.distance, s)
    _, rate_there, acceleration_there = gap_and_rate(c.r, c.distance, c.hi)
    if abs(rate) > V_CLOSE or not closes(rate_there, acceleration_there):
        return math.inf
    lo, hi = s, c.hi
    for _ in range(BISECTION_STEPS):
        middle = 0.5 * (lo + hi)
        if middle <= lo or middle >= hi:
            break
        _, rate, acceleration = gap_and_rate(c.r, c.distance, middle)
        if closes(rate, acceleration):
            hi = middle
        else:
            lo = middle
    return hi if is_contact(c, hi) else math.inf


@kernel
def candidate(c: Search, piece: int) -> float:
    """First time on one of the three pieces at which f may fall through zero, or fall while it is inside; or inf."""
    if piece == CONCAVE:
        return concave_candidate(c.q, c.lo, c.hi) if c.hi > c.lo else math.inf
    if piece == 0 and c.q.a0 <= 0.0:
        return 0.0
    left, right = (0.0, c.lo) if piece == 0 else (c.hi, c.window)
    return cross_convex(c.q, left, right) if right > left else math.inf


@kernel
def first_crossing(r: Relative, distance: float, window: float) -> float:
    """First time in [0, window] at which a gap falls through zero, seconds, or inf.

    Parameters
    ----------
    r : Relative
        Motion of one centre relative to the other, m, m/s, m/s².
    distance : float
        Distance of the centres at contact, m.
    window : float
        Length of time in which `r` holds, s, finite.
    """
    q = gap_quartic(r, distance)
    lo, hi = inflections(q, window)
    c = Search(r, q, distance, lo, hi, window)
    for piece in range(3):  # one call in the source of what is long
        s = candidate(c, piece)
        found = accept(c, s) if s < math.inf else s
        if found == math.inf and s < math.inf and piece == CONCAVE:
            found = closing_later(c, s)
        if found < math.inf:
            return found
    return math.inf


@inlined_kernel
def line_crossing(gap: float, rate: float, half: float, window: float) -> float:
    """First time in [0, window] at which gap + rate s + half s² falls through zero, seconds, or inf.

    The roots are written without cancellation; the rules are those of `first_crossing`.
    """
    if gap <= 0.0 and closes(rate, 2.0 * half) and _is_contact(gap, rate, half, 0.0, window):
        return 0.0
    disc = rate * rate - 4.0 * half * gap
    if gap > 0.0 and rate < 0.0 and disc >= 0.0:
        s = 2.0 * gap / (math.sqrt(disc) - rate)
    elif rate >= 0.0 and half < 0.0:
        s = (rate + math.sqrt(max(disc, 0.0))) / (-2.0 * half)
    else:
        return math.inf
    return s if s <= window and _is_contact(gap, rate, half, s, window) else math.inf


@inlined_kernel
def _is_contact(gap: float, rate: float, half: float, s: float, window: float) -> bool:
    """Whether gap + rate t + half t², falling at s, sinks by GRAZE by the end of the window or still closes there."""
    floor = min(gap + s * (rate + s * half), 0.0) - GRAZE
    if half > 0.0 and -rate < 2.0 * half * window:
        return gap - 0.25 * rate * rate / half <= floor
    if gap + window * (rate + window * half) <= floor:
        return True
    return rate + 2.0 * half * window < -V_CLOSE
