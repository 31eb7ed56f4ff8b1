"""Published and measured values beside what the simulator gives, item by item; written to docs/ground_truth.md.

    python -m bench.ground_truth            # write the page
    python -m bench.ground_truth --check    # exit status 1 if a tolerance is missed or the page is not up to date

Everything is computed by `simcore.simulate` from velocities, spins and strikes. Balls that are to hit something start
touching it, so that the state at the impact is exactly the one stated. Tolerances: 1e-12 relative where a formula
stands, one unit of the last printed digit for printed values, the experiment's for measured ones; what is computed
with the cushion model as it ships has the 1e-3 and 0.1 degrees of production.

Differences are shown to one digit or two, and those of rounding only as "< 1e-12", so that the page is the same
everywhere.
"""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

import simcore
from simcore.files import write_atomically
from simcore.kernel.types import ROLLING
from tests.oracles import closed_forms as cf

Floats = NDArray[np.float64]

PAGE = Path(__file__).parents[1] / "docs" / "ground_truth.md"
R = cf.R
HALL = simcore.Table.closed(40.0, 40.0)  # m; so wide that its cushions play a part only where balls start at one
MIDDLE = np.array([20.0, 20.0])
EXACT = 1e-12  # relative; what a formula holds to
NO_FRICTION = {"mu_ball_floor": 0.0, "mu_ball_range": 0.0}
CONVERGED = {"cushion_model": "mathavan2010_steps", "cushion_steps": 1000}
HEIGHTS = {"h = 1.4 R": 1.4 * R, "h = 36 mm": 0.036}  # of the nose: of Mathavan 2010, and our default


class Line(NamedTuple):
    """One value: as published, as computed, and whether they agree."""

    quantity: str
    published: str
    ours: str
    difference: str
    tolerance: str
    good: bool


class Item(NamedTuple):
    """One piece of ground truth."""

    number: int
    title: str
    source: str
    setting: str  # what is played, with all that differs from the defaults
    lines: Callable[[], list[Line]]


# --- lines -----------------------------------------------------------------------------------------------------------


def decimals(printed: str) -> int:
    return len(printed.partition(".")[2])


def fixed(value: float, places: int) -> str:
    """A number with so many decimals and a true minus sign; zero never has one."""
    text = f"{value:.{places}f}"
    return text.replace("-", "" if float(text) == 0.0 else "−")


def plain(value: float) -> str:
    """A positive number to two digits, a small one to one digit, 1e-6 rather than 1e-06."""
    if not value < 0.01:
        return f"{value:.2g}"
    mantissa, _, exponent = f"{value:.0e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def signed(difference: float, size: float = 1.0) -> str:
    """A difference; what rounding leaves of it, in values of this size, only as a bound."""
    if abs(difference) <= EXACT * max(1.0, abs(size)):
        return "< 1e-12"
    return ("+" if difference > 0.0 else "−") + plain(abs(difference))


def by_formula(quantity: str, printed: str, ours: float, formula: float) -> Line:
    """A value known by a formula, whose printed digits are checked too."""
    unit = 10.0 ** -decimals(printed)
    good = abs(ours - formula) <= EXACT * (abs(formula) or 1.0) and abs(formula - float(printed)) <= unit
    shown = fixed(ours, decimals(printed))
    return Line(quantity, printed, shown, signed(ours - formula, formula), "1e-12 of the formula", good)


def by_digits(quantity: str, printed: str, ours: float, tolerance: float | None = None) -> Line:
    """A printed value: one unit of its last digit, or the tolerance stated."""
    allowed = 10.0 ** -decimals(printed) if tolerance is None else tolerance
    difference = ours - float(printed)
    shown = fixed(ours, decimals(printed) + (tolerance is None or tolerance < 10.0 ** -decimals(printed)))
    good = abs(difference) <= allowed
    return Line(quantity, printed.replace("-", "−"), shown, signed(difference, ours), plain(allowed), good)


def by_count(quantity: str, expected: int, ours: int) -> Line:
    return Line(quantity, str(expected), str(ours), str(ours - expected), "0", ours == expected)


def by_share(quantity: str, printed: str, ours: float, share: float) -> Line:
    """A measured value and a tolerance relative to it."""
    error = ours / float(printed) - 1.0
    shown = fixed(ours, decimals(printed))
    return Line(quantity, printed, shown, f"{error:+.1%}".replace("-", "−"), f"{share:.0%}", abs(error) <= share)


def by_range(quantity: str, low: str, high: str, ours: float) -> Line:
    """A measured range, or one end of it ("" = open): what is given is how far outside the value lies."""
    below, above = float(low or -math.inf), float(high or math.inf)
    outside = min(0.0, ours - below) + max(0.0, ours - above)
    published = f"{low} to {high}" if low and high else f"> {low}" if low else f"< {high}"
    shown = fixed(ours, max(decimals(low), decimals(high)) + 1)
    return Line(quantity, published, shown, "inside" if outside == 0.0 else signed(outside), "0", outside == 0.0)


# --- runs ------------------------------------------------------------------------------------------------------------


def run(positions: ArrayLike, v: ArrayLike, w: ArrayLike, stop: str = "rest", **physics: Any) -> simcore.ShotResults:
    """Balls (..., n, 2) with given velocities and spins, alone in the hall; checked to have finished."""
    motion, coefficients = simcore.Motion(v, w), simcore.Physics.snooker(**physics)
    return simcore.simulate(
        positions, motion=motion, table=HALL, physics=coefficients, log_events=True, stop=stop
    ).check()


def rolling_spin(v: ArrayLike) -> Floats:
    """Spins (..., 3) of balls that roll with velocities (..., 2)."""
    vx, vy = np.moveaxis(np.asarray(v, float), -1, 0)
    return np.stack([-vy / R, vx / R, np.zeros_like(vx)], axis=-1)


def one_ball(v: tuple[float, float], w: ArrayLike, **physics: Any) -> simcore.ShotResults:
    return run([MIDDLE], [v], [w], **physics)


def segments_from(res: simcore.ShotResults, t: float, ball: int = 0, shot: int = 0) -> tuple[Floats, NDArray[np.int64]]:
    """Values and states of a ball's motion segments, from the one that holds just after time t on."""
    assert res.segments is not None
    values, states = res.segments.of(shot, ball)
    first = np.flatnonzero(values[:, 0] <= t + 1e-9)[-1]
    return values[first:], states[first:]


def rolling_velocity(res: simcore.ShotResults, ball: int) -> Floats:
    """Velocity (2,) with which a ball begins to roll after an impact at time 0."""
    values, states = segments_from(res, 0.0, ball)
    return np.asarray(values[np.flatnonzero(states == ROLLING)[0], 3:5])


def meeting(cut: ArrayLike, v: float, roll: float = 0.0, side: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """Positions, velocities, spins of a cue ball along +x that touches a resting ball at cut angles (...), rad.

    v: m/s; roll, side: R times the spin about the rolling axis and about the vertical, over v.
    """
    n = np.stack([np.cos(cut), np.sin(cut)], axis=-1)
    positions = np.stack([np.broadcast_to(MIDDLE, n.shape), MIDDLE + 2 * R * n], axis=-2)
    w = np.array([[0.0, roll * v / R, side * v / R], [0.0, 0.0, 0.0]])
    return positions, np.array([[v, 0.0], [0.0, 0.0]]), w


def hit(cut: ArrayLike, v: float = 1.0, roll: float = 0.0, side: float = 0.0, **physics: Any) -> Floats:
    """Velocities (..., 2, 2) of cue ball and object ball right after they met at the cut angles."""
    return run(*meeting(cut, v, roll, side), "first_contact", **physics).velocities


def angle(v: Floats) -> Any:
    """Directions in degrees of velocities (..., 2)."""
    return np.degrees(np.arctan2(v[..., 1], v[..., 0]))


def speed(v: Floats) -> float:
    return float(math.hypot(*v))


def throw(cut: ArrayLike, v: float = 1.0, roll: float = 0.0, side: float = 0.0) -> Any:
    """Degrees by which elastic balls throw: the object ball off the line of centres."""
    return np.degrees(cut) - angle(hit(cut, v, roll, side, e_ball=1.0)[..., 1, :])


def approach(degrees: ArrayLike, v: ArrayLike) -> Floats:
    """Velocities (..., 2) towards a cushion along x, at angles from the rail; 90 degrees exactly square."""
    at = np.radians(degrees)
    square = np.equal(degrees, 90.0)
    return np.stack(np.broadcast_arrays(np.where(square, 0.0, v * np.cos(at)), v * np.sin(at)), axis=-1)


def bounce(v: Floats, w: Floats, **physics: Any) -> Floats:
    """Motion (n, 5) right after balls with velocities (n, 2) and spins (n, 3) met the top cushion: v and R times w."""
    height = simcore.Physics.snooker(**physics).nose_height
    place = np.array([20.0, 40.0 - math.sqrt(R * R - (height - R) ** 2)])
    res = run(np.broadcast_to(place, v.shape)[:, None], v[:, None], w[:, None], **physics)
    assert res.events is not None
    after = np.empty((len(v), 5))
    for shot in range(len(v)):
        events = res.events.of(shot)
        met = events.t[events.kind == simcore.EventKind.NOSE][0]
        values = segments_from(res, met, shot=shot)[0][0]
        after[shot] = np.concatenate([values[3:5], R * values[7:10]])
    return after


def rebound(degrees: ArrayLike, v: ArrayLike = 1.0, side: float = 0.0, **physics: Any) -> tuple[Floats, Floats]:
    """Speed ratios and angles from the rail in degrees (n,) of rolling balls; side: R times vertical spin, m/s."""
    before = approach(degrees, v).reshape(-1, 2)
    w = rolling_spin(before) + np.array([0.0, 0.0, side / R])
    after = bounce(before, w, **physics)
    ratio = np.hypot(after[:, 0], after[:, 1]) / np.hypot(before[:, 0], before[:, 1])
    return ratio, np.degrees(np.arctan2(-after[:, 1], after[:, 0]))


def struck(a: float = 0.0, b: float = 0.0, **physics: Any) -> Floats:
    """Motion (5,) of a cue ball right after a level strike along +x at 1 m/s: velocity and R times spin."""
    shot, coefficients = simcore.Shots(V0=1.0, phi=0.0, a=a, b=b), simcore.Physics.snooker(**physics)
    res = simcore.simulate(MIDDLE[None], shot, table=HALL, physics=coefficients, log_events=True).check()
    values = segments_from(res, 0.0)[0][0]
    return np.concatenate([values[3:5], R * values[7:10]])


# --- one ball --------------------------------------------------------------------------------------------------------


def roll_to_rest() -> list[Line]:
    res = one_ball((1.0, 0.0), rolling_spin((1.0, 0.0)))
    return [
        by_formula("time, s", "8.026520", float(res.duration), cf.roll_time(1.0)),
        by_formula("distance, m", "4.013260", res.positions[0, 0] - 20.0, cf.roll_distance(1.0)),
    ]


def stun_to_rest() -> list[Line]:
    res = one_ball((2.0, 0.0), np.zeros(3))
    t, x, _, v = segments_from(res, 0.0)[0][1, :4]
    return [
        by_formula("slides for, s", "0.274762", t, cf.stun_slide_time(2.0)),
        by_formula("slides over, m", "0.471021", x - 20.0, cf.stun_slide_distance(2.0)),
        by_formula("begins to roll at, m/s", "1.428571", v, 10.0 / 7.0),
        by_formula("rolls for, s", "11.466457", float(res.duration) - t, cf.roll_time(10.0 / 7.0)),
        by_formula("rolls over, m", "8.190326", res.positions[0, 0] - x, cf.roll_distance(10.0 / 7.0)),
    ]


def coriolis() -> list[Line]:
    v, w, lines = (1.0, 0.5), (10.0, -20.0, 3.0), []
    for mu in (0.1, 0.212, 0.6):
        rolls = rolling_velocity(one_ball(v, w, mu_slide=mu), 0)
        for axis, printed, value, formula in zip(
            "xy", ("0.5642857", "0.2821429"), rolls, cf.rolling_velocity(v, w), strict=True
        ):
            lines.append(by_formula(f"rolls at v_{axis}, m/s, for μs = {mu}", printed, value, formula))
    return lines


def dead_stop() -> list[Line]:
    res = one_ball((1.0, 0.0), (0.0, cf.dead_stop_spin(1.0), 0.0))
    moving = [row for row in segments_from(res, 0.0)[0] if np.any(row[3:5])]
    return [
        by_digits("speed when sliding ends, m/s", "0", speed(res.velocities[0]), EXACT),
        by_count("stretches in which it moves (sliding only)", 1, len(moving)),
    ]


def decelerations() -> list[Line]:
    slide, roll = one_ball((2.0, 0.0), np.zeros(3)), one_ball((1.0, 0.0), rolling_spin((1.0, 0.0)))
    t, _, _, v = segments_from(slide, 0.0)[0][1, :4]
    return [
        by_range("sliding, m/s²", "1.75", "2.40", (2.0 - v) / t),
        by_range("rolling, m/s²", "0.124", "0.126", 1.0 / float(roll.duration)),
    ]


# --- two balls -------------------------------------------------------------------------------------------------------


def head_on() -> list[Line]:
    lines = []
    for e, rolls in ((1.0, "0.28571"), (0.95, "0.30357"), (0.89, "0.32500")):
        stun = hit(0.0, e_ball=e)
        for name, ball, formula in zip(("cue", "object"), stun, cf.head_on(1.0, e), strict=True):
            lines.append(by_formula(f"stun, e = {e}: {name} ball", f"{formula:.5f}", ball[0], formula))
        res = run(*meeting(0.0, 1.0, roll=1.0), e_ball=e, **NO_FRICTION)
        cue, given = cf.head_on_rolling(1.0, e)
        lines.append(by_formula(f"rolling, e = {e}: cue ball rolls", rolls, rolling_velocity(res, 0)[0], cue))
        ours = rolling_velocity(res, 1)[0]
        lines.append(by_formula(f"rolling, e = {e}: object ball rolls", f"{given:.5f}", ours, given))
    return lines


def right_angle() -> list[Line]:
    lines = []
    for degrees in (15.0, 30.0, 60.0):
        cue, given = hit(math.radians(degrees), e_ball=1.0, **NO_FRICTION)
        sine, cosine = cf.stun_elastic(1.0, math.radians(degrees))
        at = f"cut {degrees:.0f}°"
        lines += [
            by_formula(f"{at}: cue ball, sin φ", f"{sine:.5f}", speed(cue), sine),
            by_formula(f"{at}: object ball, cos φ", f"{cosine:.5f}", speed(given), cosine),
            by_formula(f"{at}: angle between, °", "90.00000", angle(given) - angle(cue), 90.0),
        ]
    return lines


def natural_roll() -> list[Line]:
    lines, half = [], math.asin(0.5)
    for name, cut, e, printed in (
        ("¾-ball, e = 1", math.asin(0.25), 1.0, "27.62649"),
        ("½-ball, e = 1", half, 1.0, "33.67050"),
        ("½-ball, e = .89", half, 0.89, "30.62412"),
    ):
        res = run(*meeting(cut, 1.0, roll=1.0), e_ball=e, **NO_FRICTION)
        formula = math.degrees(cf.natural_roll_deflection(cut, e))
        lines.append(by_formula(f"{name}: deflection, °", printed, -angle(rolling_velocity(res, 0)), formula))
    res = run(*meeting(half, 1.0, roll=1.0), e_ball=1.0, **NO_FRICTION)
    cue, given = cf.natural_roll_speeds(1.0, half, 1.0)
    lines += [
        by_formula("½-ball, e = 1: cue ball rolls", "0.557875", speed(rolling_velocity(res, 0)), cue),
        by_formula("½-ball, e = 1: object ball rolls", "0.618590", speed(rolling_velocity(res, 1)), given),
    ]
    return lines


def stun_throw() -> list[Line]:
    lines, cut = [], math.asin(0.5)
    formulas = np.degrees(cf.stun_throw(cut, 0.94, 0.06))
    names = ("throw, °", "cue ball off the tangent line, °", "separation, °")
    digits = ("3.43363", "3.30726", "83.25911")
    for v in (0.5, 5.0):
        cue, given = angle(hit(cut, v, e_ball=0.94, mu_ball_floor=0.06, mu_ball_range=0.0))
        ours = (30.0 - given, cue + 60.0, given - cue)
        for name, printed, value, formula in zip(names, digits, ours, formulas, strict=True):
            lines.append(by_formula(f"V = {v:.1f} m/s: {name}", printed, value, float(formula)))
    return lines


def largest_throw(v: float) -> tuple[float, float]:
    """Largest throw of a stun shot over cut angles, and that cut, degrees: grids that close in on it."""
    low, high = 5.0, 60.0
    for _ in range(5):
        cuts = np.linspace(low, high, 41)
        thrown = throw(np.radians(cuts), v)
        best = int(np.argmax(thrown))
        low, high = cuts[max(best - 1, 0)], cuts[min(best + 1, 40)]
    return float(thrown[best]), float(cuts[best])


def throws() -> list[Line]:
    lines = []
    ten, thirty = math.radians(10.0), math.radians(30.0)
    stick = math.degrees(math.atan(math.tan(ten) / 7.0))
    for v, stun, rolling, most, where in (
        (0.447, "4.7150", "2.1864", "5.3026", "33.01"),
        (1.341, "3.5491", "1.0042", "3.8758", "25.37"),
        (3.129, "1.6976", "0.3879", "2.6981", "18.26"),
    ):
        largest, cut = largest_throw(v)
        lines += [
            by_formula(f"V = {v} m/s: stun, cut 10° (sticks), °", "1.44295", float(throw(ten, v)), stick),
            by_digits(f"V = {v} m/s: stun, cut 30°, °", stun, float(throw(thirty, v))),
            by_digits(f"V = {v} m/s: rolling, cut 30°, °", rolling, float(throw(thirty, v, roll=1.0))),
            by_digits(f"V = {v} m/s: largest of a stun shot, °", most, largest),
            by_digits(f"V = {v} m/s: at the cut, °", where, cut),
        ]
    return lines


def gearing() -> list[Line]:
    lines = []
    for degrees in (5.0, 15.0):
        cut = math.radians(degrees)
        stun, inside, outside = (float(throw(cut, side=k * math.sin(cut))) for k in (0.0, -1.0, 1.0))
        at = f"cut {degrees:.0f}°"
        lines += [
            by_digits(f"{at}, outside side V sin φ: throw, rad", "0", math.radians(outside), EXACT),
            by_range(f"{at}, inside side −V sin φ: throw, ° (more than stun's)", f"{stun:.4f}", "", inside),
        ]
    return lines


OBLIQUE = (  # V m/s, cut degrees; measured; model with the friction law; model with .05: speeds m/s, angle degrees
    (1.539, 33.83, ("0.816", "0.836", "35.96"), ("0.930", "0.841", "31.11"), ("0.915", "0.827", "31.66")),
    (1.364, 40.52, ("0.925", "0.700", "30.50"), ("0.927", "0.682", "29.37"), ("0.918", "0.674", "29.71")),
    (0.942, 18.05, ("0.365", "0.581", "29.86"), ("0.386", "0.577", "29.01"), ("0.386", "0.576", "29.07")),
)


def played(v: float, cut: float, **physics: Any) -> tuple[float, float, float]:
    """Speeds of cue ball and object ball and the cue ball's angle in degrees after slip, for a rolling cue ball."""
    res = run(*meeting(math.radians(cut), v, roll=1.0), **physics)
    cue, given = rolling_velocity(res, 0), rolling_velocity(res, 1)
    return speed(cue), speed(given), -float(angle(cue))


def oblique() -> list[Line]:
    lines, errors = [], []
    names = ("cue ball, m/s", "object ball, m/s", "cue ball, °")
    for v, cut, measured, law, constant in OBLIQUE:
        at, ours = f"{v} m/s at {cut}°", played(v, cut)
        errors += [o / float(m) - 1.0 for o, m in zip(ours[:2], measured, strict=False)]
        for i, name in enumerate(names[:2]):
            lines.append(by_share(f"{at}, measured: {name}", measured[i], ours[i], 0.15))
        lines.append(by_digits(f"{at}, measured: {names[2]}", measured[2], ours[2], 5.0))
        rough = played(v, cut, mu_ball_floor=0.05, mu_ball_range=0.0)
        for i, name in enumerate(names):
            lines.append(by_digits(f"{at}, model: {name}", law[i], ours[i]))
            lines.append(by_digits(f"{at}, model with μ = .05: {name}", constant[i], rough[i]))
    rms = math.sqrt(sum(x * x for x in errors) / len(errors))
    return [*lines, by_range("root mean square error of the six measured speeds, %", "", "7", 100.0 * rms)]


# --- cushions --------------------------------------------------------------------------------------------------------

SPEEDS = np.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5])
ROLLING_REBOUNDS = {  # angle from the rail: speed ratio, angle after; "" = 90 degrees by symmetry
    "h = 1.4 R": {10: ("0.94326", "10.336"), 30: ("0.86136", "34.001"), 45: ("0.84761", "52.678"),
                  50: ("0.85162", "58.559"), 70: ("0.88829", "76.588"), 90: ("0.91066", "")},
    "h = 36 mm": {10: ("0.94479", "10.326"), 30: ("0.86575", "33.902"), 45: ("0.85429", "52.467"),
                  50: ("0.85921", "58.334"), 70: ("0.89782", "76.514"), 90: ("0.92056", "")},
}  # fmt: skip


def measured_rebound() -> list[Line]:
    ratios = ("0.897", "0.948", "0.936", "0.908", "0.874", "0.836", "0.797")
    ours = rebound(90.0, SPEEDS)[0]
    return [by_share(f"v = {v} m/s", p, r, 0.03) for v, p, r in zip(SPEEDS.tolist(), ratios, ours, strict=True)]


def rebounds_at(height: str, how: str, tolerances: tuple[float, float], **physics: Any) -> list[Line]:
    printed = ROLLING_REBOUNDS[height]
    ratios, angles = rebound(list(printed), nose_height=HEIGHTS[height], **physics)
    lines = []
    for (at, (ratio, after)), r, a in zip(printed.items(), ratios, angles, strict=True):
        lines.append(by_digits(f"{height}, {how}, {at}°: speed ratio", ratio, r, tolerances[0]))
        if after:
            lines.append(by_digits(f"{height}, {how}, {at}°: angle after, °", after, a, tolerances[1]))
    return lines


def full_state(how: str, tolerance: float, **physics: Any) -> list[Line]:
    before = approach([45.0], 1.0)
    names = ("v_X", "v_Y", "Rω_X", "Rω_Y", "Rω_Z")
    printed = ("0.52044", "-0.67745", "-0.20171", "0.53003", "0.43581")
    ours = bounce(before, rolling_spin(before), **physics)[0]
    return [
        by_digits(f"h = 36 mm, {how}, 45°, V = 1: {name}, m/s", p, x, tolerance)
        for name, p, x in zip(names, printed, ours, strict=True)
    ]


def rolling_rebounds() -> list[Line]:
    lines = []
    for how, ratio, degrees, physics in (("converged", 2e-5, 1e-3, CONVERGED), ("as it ships", 1e-3, 0.1, {})):
        for height in ROLLING_REBOUNDS:
            lines += rebounds_at(height, how, (ratio, degrees), **physics)
        lines += full_state(how, ratio, **physics)
    return lines


def qualities_of_rebounds() -> list[Line]:
    physics = {**CONVERGED, "nose_height": 1.4 * R}
    slow, fast = (rebound(45.0, v, **physics)[1][0] for v in (0.5, 2.0))
    scan = np.arange(30, 60)
    ratios = rebound(scan, **physics)[0]
    square = np.array([[0.0, 1.0], [0.0, 1.0]])
    topspin, stun = bounce(square, np.array([[-2.0 / R, 0.0, 0.0], [0.0, 0.0, 0.0]]), **physics)
    lines = [
        by_digits("45°, angle at V = 2 less angle at V = .5 m/s, °", "0", fast - slow, 1e-3),
        by_count("whole angle of the largest loss, °", 42, int(scan[np.argmin(ratios)])),
        by_digits("ratio there", "0.84698", float(ratios.min()), 2e-5),
        by_digits("90°, topspin Rω = 2 V: speed ratio", "0.98000", -topspin[1], 2e-5),
        by_digits("90°, stun: speed ratio", "0.83732", -stun[1], 2e-5),
    ]
    for name, side, ratio, after in (("running", 2.0, "1.11565", "36.974"), ("check", -2.0, "0.83793", "54.897")):
        (r,), (a,) = rebound(45.0, side=side, **physics)
        lines.append(by_digits(f"45°, {name} side Rω = 2 V: speed ratio", ratio, r, 2e-5))
        lines.append(by_digits(f"45°, {name} side Rω = 2 V: angle after, °", after, a, 1e-3))
    return lines


def restitution_law() -> list[Line]:
    lines = []
    for v, e in ((1.0, 0.98), (1.8, 0.98), (2.8, 0.895), (3.5, 0.8355), (6.0, 0.623), (8.0, 0.6)):
        (ours,), _ = rebound(90.0, v, cushion_model="mirror")
        lines.append(by_formula(f"e at {v} m/s, read from the mirror model", f"{e:.4f}", ours, e))
    printed = ("0.9206", "0.9206", "0.9206", "0.9056", "0.8682", "0.8309", "0.7937")
    for how, tolerance, physics in (("converged", None, CONVERGED), ("as it ships", 1e-3, {})):
        ratios = rebound(90.0, SPEEDS, **physics)[0]
        for v, p, r in zip(SPEEDS.tolist(), printed, ratios, strict=True):
            lines.append(by_digits(f"{how}, v = {v} m/s: speed ratio", p, r, tolerance))
    return lines


# --- the cue, chains, windows ----------------------------------------------------------------------------------------


def cue_strikes() -> list[Line]:
    lines = []
    for mass, e_tip, printed in (
        (0.142, 1.0, "1.557632"), (0.142, 0.73, "1.347352"), (0.1406, 1.0, "1.561037"), (0.1406, 0.73, "1.350297"),
    ):  # fmt: skip
        formula = cf.cue_speed(1.0, ball=mass, e_tip=e_tip)
        lines.append(by_formula(f"v/V, m = {mass} kg, e = {e_tip}", printed, struck(m=mass, e_tip=e_tip)[0], formula))
    rolls = struck(b=0.4)
    lines.append(by_formula("Rω/v at b = .4", "1.000000", rolls[3] / rolls[0], 1.0))
    for ratio, printed_angles in ((20.0, ("1.485", "2.709")), (30.0, ("1.040", "1.886"))):
        for a, printed in zip((0.25, 0.5), printed_angles, strict=True):
            turned = float(angle(struck(a=a, end_mass_ratio=ratio)[:2]))
            formula = math.degrees(cf.squirt(a, ratio))
            lines.append(by_formula(f"squirt to the left at a = {a}, m/m_e = {ratio:.0f}, °", printed, turned, formula))
    return lines


def chain() -> list[Line]:
    positions = MIDDLE + 2 * R * np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    res = run(positions, [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]], np.zeros((3, 3)), e_ball=1.0)
    speeds = [segments_from(res, 0.0, ball)[0][0, 3] for ball in range(3)]
    names = ("cue ball", "first ball", "second ball")
    return [by_digits(f"{name}, m/s", p, v, EXACT) for name, p, v in zip(names, "001", speeds, strict=True)]


def chase() -> list[Line]:
    v = [(1.0, 0.0), (0.5, 0.0)]
    res = run([MIDDLE - (0.5, 0.0), MIDDLE], v, rolling_spin(v), "first_contact")
    assert res.events is not None
    return [by_formula("contact at, s", "0.895", float(res.events.of(0).t[-1]), cf.chase_time(0.5 - 2 * R, 1.0, 0.5))]


def ghost_root() -> list[Line]:
    v = [(0.5, 0.0), (0.0, 0.0)]
    res = run([MIDDLE, MIDDLE - (0.2, 0.0)], v, rolling_spin(v))
    assert res.events is not None
    contacts = int(np.count_nonzero(res.events.of(0).kind == simcore.EventKind.BALL))
    return [
        by_count("contacts", 0, contacts),
        by_formula("stops after, s", "4.0133", float(res.duration), cf.roll_time(0.5)),
        by_formula("stops after, m", "1.0033", res.positions[0, 0] - 20.0, cf.roll_distance(0.5)),
    ]


# --- the page --------------------------------------------------------------------------------------------------------

MATHAVAN_2009 = "Mathavan, Jackson, Parkin 2009, Am. J. Phys. 77, 788"
MATHAVAN_2010 = "Mathavan, Jackson, Parkin 2010, Proc. IMechE C 224, 1863"
CONVERGED_MODEL = f"{MATHAVAN_2010}: the model's equations, integrated to convergence apart from this program"
MECHANICS = "rigid-body mechanics"

ITEMS = (
    Item(1, "Rolling to rest", "constant deceleration μr g", "Rolling at 1 m/s.", roll_to_rest),
    Item(2, "Stun to rest", "Coriolis 1835; 2v/(7 μs g), 12v²/(49 μs g)", "Without spin at 2 m/s.", stun_to_rest),
    Item(3, "What is left when sliding ends", "Coriolis 1835: v_roll = 5/7 v₀ − 2/7 R ẑ×ω₀, whatever μs is",
         "v₀ = (1, .5) m/s, ω₀ = (10, −20, 3) rad/s.", coriolis),
    Item(4, "Dead stop", "Coriolis 1835", "Backspin Rω = −2.5 v₀ at 1 m/s.", dead_stop),
    Item(5, "Head-on", f"{MECHANICS}: (1 ∓ e)/2; 2/7 + 5/7 (1 − e)/2 and 5/7 (1 + e)/2",
         "Full ball at 1 m/s, stun and rolling; speeds in m/s. For the rolling hits ball friction is 0.", head_on),
    Item(6, "The 90° rule", MECHANICS, "Stun at 1 m/s, e = 1, no ball friction; speeds in m/s.", right_angle),
    Item(7, "Natural roll", "Wallace & Schroeder 1988; Alciatore TP 3.3 and A.4; for e < 1 derived",
         "Rolling at 1 m/s, no ball friction, after slip has ended; speeds in m/s.", natural_roll),
    Item(8, "Throw with constant friction", "Alciatore TP A.5", "Stun, half-ball, e = .94, μ = .06.", stun_throw),
    Item(9, "Throw with the friction law", "Alciatore TP A.14; friction fitted to Marlow 1995",
         "e = 1, μ(s) = .009951 + .108 exp(−1.088 s).", throws),
    Item(10, "Gearing side", "Alciatore TP A.14", "Stun at 1 m/s with side, e = 1, friction law.", gearing),
    Item(11, "Oblique impacts, measured", f"{MATHAVAN_2009}, Table I (filmed); model values derived",
         "Cue ball rolling, after slip has ended; e = .89, friction law. The first shot is an outlier for every model: "
         "that of Mathavan, Jackson, Parkin 2014 gives .914, .831, 31.93; .917, .676, 29.91; .383, .579, 29.47.",
         oblique),
    Item(12, "Decelerations on the cloth, measured", MATHAVAN_2009, "Defaults.", decelerations),
    Item(13, "Square rebound, measured", f"{MATHAVAN_2009}: v' = −.0877 v² + 1.131 v − .0953",
         "Rolling square into a cushion, defaults: speed just after over speed just before.", measured_rebound),
    Item(14, "Rolling rebounds of the cushion model", CONVERGED_MODEL,
         "e = .98, μw = .14, μs = .212; angles from the rail; X along the rail, Y into it.", rolling_rebounds),
    Item(15, "Qualities of the cushion model", CONVERGED_MODEL,
         "h = 1.4 R, e = .98, converged. \"Running\" side is right side with the cushion on the left.",
         qualities_of_rebounds),
    Item(16, "Restitution law of the cushion", f"fitted to item 13 ({MATHAVAN_2009}) for h = 36 mm",
         "e = .98 up to 1.8 m/s, then .98 − .085 (v − 1.8), at least .6 (above 3.5 m/s an estimate).",
         restitution_law),
    Item(17, "The cue", "Leckie & Greenspan 2006; Alciatore TP A.30, A.31", "Level strike, cue of .50 kg.",
         cue_strikes),
    Item(18, "A frozen line", f"{MECHANICS}, impacts one after the other",
         "Cue ball at 1 m/s into two balls frozen in line, e = 1. A contact of finite stiffness (Hertz), which is not "
         "modelled, gives −.0710, .0764, .9945.", chain),
    Item(19, "A degenerate quartic", MECHANICS,
         "A rolls at 1 m/s from −.5 m, B at .5 m/s from 0: equal deceleration, relative motion without it.", chase),
    Item(20, "A root outside its window", MECHANICS,
         "A rolls at .5 m/s away from B, .2 m behind it. A's polynomial comes back to B at 8.3114 s; A does not.",
         ghost_root),
)  # fmt: skip

HEAD = """# Ground truth

Generated by `python -m bench.ground_truth`; edit that, not this page. The tests run its `--check`. The items are those
of [physics.md](reference/physics.md), section 5.

Every value is what `simcore.simulate` gives, beside what is published, printed or measured. R = 26.25 mm, μs = .212,
μr = .0127, g = 9.81 m/s² and the other defaults of `simcore.Physics.snooker()`, unless an item says otherwise.
Where a formula stands, it is met to 1e-12 and the difference is the one to the formula; the printed digits are
rounded. "As it ships" is the default cushion model, "converged" the published scheme of the same equations with
1,000 steps.
"""


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [header, ("---",) * len(header), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def section(item: Item, lines: list[Line]) -> str:
    rows = [(*line[:5], "yes" if line.good else "**NO**") for line in lines]
    header = ("quantity", "published", "ours", "difference", "tolerance", "met")
    return f"## {item.number}. {item.title}\n\nSource: {item.source}. {item.setting}\n\n{table(header, rows)}\n"


def page(results: dict[int, list[Line]]) -> str:
    """The whole page, from the lines of every item by its number."""
    rows = []
    for item in ITEMS:
        lines = results[item.number]
        met = sum(line.good for line in lines)
        rows.append((str(item.number), item.title, item.source, f"{met} of {len(lines)}"))
    summary = table(("item", "what", "source", "values met"), rows)
    return "\n".join([HEAD, summary, "", *(section(item, results[item.number]) for item in ITEMS)])


def missed(results: dict[int, list[Line]]) -> list[str]:
    """One sentence for every value outside its tolerance."""
    return [
        f"item {number}, {line.quantity}: {line.ours}, published {line.published}, tolerance {line.tolerance}"
        for number, lines in results.items()
        for line in lines
        if not line.good
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.ground_truth", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is not up to date")
    check = parser.parse_args(arguments).check
    results = {item.number: item.lines() for item in ITEMS}
    text, wrong = page(results), missed(results)
    if not check:
        write_atomically(PAGE, lambda path: path.write_text(text, encoding="utf-8"))
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        wrong.append(f"{PAGE.name} is not what the code generates: run python -m bench.ground_truth")
    for sentence in wrong:
        sys.stderr.write(sentence + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
