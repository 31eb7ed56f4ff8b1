"""When does a gap first fall through zero? By the definition, with 50 digits, and sharing nothing with the kernel.

The state of a pair is eight doubles, taken as exact: relative motion r + v s + a s², contact distance, window; of a
ball and a nose four: gap + rate s + half s² and the window. The window is cut where the gap turns; on every falling
stretch the gap crosses zero at most once. What the rules leave to rounding (DESIGN sections 3.2 and 3.3, physics.md
section 6) is named ambiguous: there any answer is right.
"""

from itertools import pairwise
from typing import NamedTuple

from mpmath import mp, mpf, sqrt

DIGITS = 60  # products of doubles and sums over the sizes met here are exact to 50

V_CLOSE = mpf("1e-9")  # m/s: a normal speed up to this is rounding
A_PRESS = mpf("1e-9")  # m/s²: a touching pair presses when its gap accelerates below minus this
GRAZE = mpf("1e-12")  # m: a gap that turns above minus this is a graze
SLOW = mpf("1e-3")  # m/s: a crossing at less is grazing: the gap rules, not the time
TIME = mpf("1e-12")  # s: times this near the end of the window may be in or out
GAP = mpf("1e-12")  # m
NOISE = mpf("1e-14")  # m: a slow gap this near zero at the end of the window may be in or out
HAIR = mpf("1e-3")  # relative width of the bands around V_CLOSE, A_PRESS that are ambiguous
BAND = mpf("0.1")  # the same around GRAZE: 1e-13 m


class Verdict(NamedTuple):
    """What the definition says of one window."""

    kind: str  # "contact", "none" or "ambiguous"
    time: mpf | None = None  # of the contact, s
    speed: mpf | None = None  # at which the gap closes then, m/s
    gap: mpf | None = None  # then; 0 unless the pair overlapped before, m
    slowest_turn: mpf | None = None  # least distance from zero of a gap that turned above -GRAZE before it, m


def evaluate(p, s):
    """Polynomial with coefficients from the highest down."""
    total = mpf(0)
    for c in p:
        total = total * s + c
    return total


def derivative(p):
    n = len(p) - 1
    return [c * (n - k) for k, c in enumerate(p[:-1])]


def bracketed(p, lo, hi):
    """The root of p between two points of opposite sign: Newton's steps, halved where they leave the bracket."""
    slope, rising = derivative(p), evaluate(p, hi) > 0
    s, tiny = (lo + hi) / 2, mpf(10) ** (5 - DIGITS) * max(abs(lo), abs(hi))
    for _ in range(8 * DIGITS):
        f = evaluate(p, s)
        if f == 0 or hi - lo <= tiny:
            return s
        if (f > 0) == rising:
            hi = s
        else:
            lo = s
        d = evaluate(slope, s)
        step = f / d if d != 0 else mpf("inf")
        following = s - step
        if not lo < following < hi:
            following = (lo + hi) / 2
        elif abs(step) <= tiny:
            return following
        s = following
    return s


def real_roots(p, lo, hi):
    """All roots of p in [lo, hi] at which it changes sign, ascending: between any two of them its slope has one."""
    while p and p[0] == 0:
        p = p[1:]
    if len(p) < 2:
        return []
    if len(p) == 2:
        s = -p[1] / p[0]
        return [s] if lo <= s <= hi else []
    points = [lo, *real_roots(derivative(p), lo, hi), hi]
    values = [evaluate(p, s) for s in points]
    pairs = zip(points, points[1:], values, values[1:], strict=False)
    return [bracketed(p, s0, s1) for s0, s1, f0, f1 in pairs if f0 * f1 < 0]


class Pair:
    """The gap of two points that must come `distance` apart: sqrt(x² + y²) - distance."""

    def __init__(self, row):
        x, y, vx, vy, ax, ay, self.distance, self.window = (mpf(float(value)) for value in row)
        self.x, self.y = [ax, vx, x], [ay, vy, y]
        with mp.workdps(DIGITS):
            self.p = [
                ax * ax + ay * ay,
                2 * (ax * vx + ay * vy),
                vx * vx + vy * vy + 2 * (x * ax + y * ay),
                2 * (x * vx + y * vy),
                x * x + y * y - self.distance**2,
            ]

    def at(self, s):
        """Gap, its rate and its acceleration."""
        x, y = evaluate(self.x, s), evaluate(self.y, s)
        vx, vy = evaluate(derivative(self.x), s), evaluate(derivative(self.y), s)
        apart = sqrt(x * x + y * y)
        if apart == 0:
            return -self.distance, mpf(0), mpf(0)
        rate = (x * vx + y * vy) / apart
        bend = (vx * vx + vy * vy + 2 * (x * self.x[0] + y * self.y[0]) - rate * rate) / apart
        return apart - self.distance, rate, bend


class Line:
    """The gap of a ball and a nose: gap + rate s + half s²."""

    def __init__(self, row):
        gap, rate, half, self.window = (mpf(float(value)) for value in row)
        self.p = [half, rate, gap]

    def at(self, s):
        first = derivative(self.p)
        return evaluate(self.p, s), evaluate(first, s), 2 * self.p[0]


def _near(value, limit):
    return abs(value - limit) <= HAIR * abs(limit)


def _at_start(gap, rate, bend):
    """What the rule says of a touching pair at once: "contact", "none" or "ambiguous"."""
    if _near(rate, -V_CLOSE) or _near(rate, V_CLOSE):
        return "ambiguous"
    if rate > V_CLOSE:
        return "none"
    if rate < -V_CLOSE:
        return "contact"
    if _near(bend, -A_PRESS) or -A_PRESS < bend < 0:  # creeping: the rule waits for it to be more than rounding
        return "ambiguous"
    return "contact" if bend < -A_PRESS else "none"


def _sampled(motion, start, end):
    return [motion.at(start + (end - start) * k / 16) for k in range(17)]


def _presses_within(motion, start, end):
    """Whether a falling stretch, sampled, is as slow as rounding somewhere while it accelerates."""
    return any(abs(rate) <= V_CLOSE * (1 + HAIR) and bend < 0 for _, rate, bend in _sampled(motion, start, end))


def _closes_within(motion, start, end):
    """Whether a pair that stands still at first closes by more than rounding later in the stretch."""
    return any(rate < -V_CLOSE * (1 + HAIR) for _, rate, _ in _sampled(motion, start, end))


def _stretch(motion, start, end):
    """Verdict on a falling stretch of the gap, or None if it never reaches zero."""
    g0 = motion.at(start)[0]
    g1, rate1, bend1 = motion.at(end)
    turns = end < motion.window
    if not turns and abs(g1) <= max(TIME * -rate1, NOISE):
        return Verdict("ambiguous")
    shallow = turns and g1 > -GRAZE
    if shallow and g1 <= NOISE and _presses_within(motion, start, end):
        return Verdict("ambiguous")  # a graze by one rule; by the other a pair that lies there and presses
    if g1 > 0:
        return None
    if not turns and g1 > -GRAZE * (1 + BAND) and rate1 > -bend1 * mpf("1e-9") - V_CLOSE:
        return Verdict("ambiguous")  # it turns at the very end of the window, or does not
    if turns and abs(g1 + GRAZE) <= BAND * GRAZE:
        return Verdict("ambiguous")
    if turns and -GRAZE >= g1 > min(g0, 0) - GRAZE * (1 + BAND):
        return Verdict("ambiguous")  # an overlap that was there before sinks by less than a graze
    if shallow:
        return Verdict("none", slowest_turn=abs(g1))
    time = start if g0 <= 0 else bracketed(motion.p, start, end)
    gap, rate, bend = motion.at(time)
    if rate >= -V_CLOSE and bend >= -A_PRESS and (g1 > -GRAZE or not _closes_within(motion, time, end)):
        return Verdict("ambiguous")  # it creeps in
    return Verdict("contact", time, -rate, gap if g0 <= 0 else mpf(0))


def first_contact(motion):
    """The first contact in the window of a Pair or Line, by the definition."""
    with mp.workdps(DIGITS):
        gap, rate, bend = motion.at(mpf(0))
        at_start = _at_start(gap, rate, bend) if gap <= 0 else "none"
        if at_start == "ambiguous":
            return Verdict("ambiguous")
        turns = real_roots(derivative(motion.p), mpf(0), motion.window)
        points = [mpf(0), *turns, motion.window]
        turned = None
        for start, end in pairwise(points):
            if not evaluate(motion.p, end) < evaluate(motion.p, start):
                continue
            if at_start == "contact" and not rate < -V_CLOSE:
                g1, rate1, _ = motion.at(end)
                over = end < motion.window or rate1 >= -V_CLOSE * (1 + HAIR)  # nothing is left to be seen at the end
                shallow = over and g1 > -GRAZE * (1 + BAND)
                return Verdict("ambiguous") if shallow else Verdict("contact", mpf(0), -rate, gap)
            if start == 0 and gap <= 0 and at_start == "none":
                if gap - motion.at(end)[0] > GRAZE * (1 - BAND):
                    faster = _closes_within(motion, start, end)
                    return Verdict("contact", mpf(0), -rate, gap) if faster else Verdict("ambiguous")
                continue
            found = _stretch(motion, start, end)
            if found is not None and found.kind != "none":
                return found._replace(slowest_turn=turned)
            turned = found.slowest_turn if found is not None else turned
        return Verdict("none", slowest_turn=turned)


class Judgement(NamedTuple):
    """How an answer compares with the definition."""

    fault: str  # "", "missed", "ghost", "late", "gap"
    verdict: Verdict
    grazing: bool
    dt: float  # |answer - time|, s; 0 unless both are contacts
    gap: float  # |gap at the answer|, less that of an overlap there before, m


def judge(motion, answer):
    """Compare the time found for a Pair or Line, s or inf, with the definition."""
    verdict = first_contact(motion)
    with mp.workdps(DIGITS):
        found = answer < float("inf")
        if verdict.kind == "ambiguous":
            return Judgement("", verdict, False, 0.0, 0.0)
        if (verdict.kind == "contact") != found:
            return Judgement("ghost" if found else "missed", verdict, False, 0.0, 0.0)
        if not found:
            return Judgement("", verdict, False, 0.0, 0.0)
        t = mpf(float(answer))
        dt, grazing = abs(t - verdict.time), verdict.speed < SLOW
        off = max(abs(motion.at(verdict.time + (t - verdict.time) * k / 4)[0] - verdict.gap) for k in range(1, 5))
        fault = ""
        if not 0 <= t <= motion.window or off > GAP or motion.at(t)[1] > V_CLOSE * (1 + HAIR):
            fault = "gap"
        elif not grazing and dt > TIME:
            fault = "late"
        return Judgement(fault, verdict, bool(grazing), float(dt), float(off))
