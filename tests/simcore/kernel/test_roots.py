"""First crossings against the definition with 50 digits: none missed, none invented, exact times.

A seeded slice of what bench/roots.py runs in full; the cases are in tests/oracles/root_cases.py.
"""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simcore.kernel.roots import (
    Quartic,
    first_crossing,
    gap_and_rate,
    gap_quartic,
    hop_speed,
    inflections,
    line_crossing,
    value,
)
from simcore.kernel.types import Relative
from tests.kernels import first_crossings, line_crossings
from tests.oracles import root_cases
from tests.oracles.exact_roots import Line, Pair, first_contact, judge

R = 0.02625
SEED = 2026
V_CLOSE, GRAZE, OVERLAP = 1e-9, 1e-12, 1e-7


def times(rows):
    """The compiled kernel's answers (n,) for pairs (n, 8) or lines (n, 4)."""
    out = np.empty(len(rows))
    with np.errstate(over="ignore"):  # where the kernels run uncompiled, NumPy would warn that a step is infinite
        (first_crossings if rows.shape[1] == 8 else line_crossings)(np.ascontiguousarray(rows), out)
    return out


def faults(rows):
    """What is wrong with the kernel's answers, in words; and the judgements."""
    motion = Pair if rows.shape[1] == 8 else Line
    answers = times(rows)
    judged = [judge(motion(row), answer) for row, answer in zip(rows, answers, strict=True)]
    wrong = [
        f"{j.fault}: {row.tolist()} gives {answer}, expected {j.verdict.kind} {j.verdict.time}"
        for row, answer, j in zip(rows, answers, judged, strict=True)
        if j.fault
    ]
    return wrong, judged


# --- against 50 digits: issue item 2, DESIGN section 3.3 -------------------------------------------------------------


def test_as_they_arise_on_the_table():
    """Every contact in the logs of random shots and breaks: time to 1e-12 s, none missed, no ghost."""
    pairs, lines = root_cases.as_they_arise(SEED, 1000)
    for rows in (pairs, lines):
        wrong, judged = faults(rows)
        assert wrong == []
        assert sum(j.verdict.kind == "contact" for j in judged) > 15  # there is something to find
        assert sum(j.verdict.kind == "ambiguous" for j in judged) < 5


@pytest.mark.parametrize("kind", root_cases.HARD)
def test_hard_kinds(kind):
    wrong, judged = faults(root_cases.hard(kind, SEED, 90))
    assert wrong == []
    assert sum(j.verdict.kind == "ambiguous" for j in judged) < (45 if "window" in kind or "pressing" in kind else 9)


def test_hard_lines():
    wrong, judged = faults(root_cases.hard_lines(SEED, 190))
    assert wrong == []
    assert sum(j.verdict.kind == "contact" for j in judged) > 50


@pytest.mark.filterwarnings("ignore:Descending")  # one order of coefficients is deprecated, the other unknown to 1.3
def test_the_oracle_finds_the_roots_that_mpmath_finds():
    """The oracle's own check: for pairs that start apart, its time is the least root with falling gap of polyroots."""
    checked = 0
    for row in root_cases.hard("leading coefficient 1e-16 to 0", 5, 30):
        motion = Pair(row)
        with mpmath.workdps(60):
            if motion.p[0] == 0 or motion.at(mpmath.mpf(0))[0] <= 0:
                continue
            roots = mpmath.polyroots(motion.p, maxsteps=500, extraprec=800, error=False)
            real = sorted(r.real for r in roots if abs(r.imag) < mpmath.mpf(10) ** -40)
            falling = [s for s in real if 0 <= s <= motion.window and motion.at(s)[1] < 0]
            verdict = first_contact(motion)
            assert (verdict.kind == "contact") == bool(falling)
            if falling:
                assert abs(falling[0] - verdict.time) < mpmath.mpf(10) ** -40
                checked += 1
    assert checked >= 5


def test_the_oracle_judges():
    """A wrong answer of each kind is found out."""
    chase = [-0.5, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0525, 8.0]
    time = (0.5 - 0.0525) / 0.5
    assert judge(Pair(chase), time).fault == ""
    assert judge(Pair(chase), math.inf).fault == "missed"
    assert judge(Pair(chase), time + 3e-12).fault == "gap"
    assert judge(Pair([*chase[:2], 0.01, *chase[3:7], 60.0]), (0.5 - 0.0525) / 0.01 + 3e-12).fault == "late"
    assert judge(Pair([*chase[:7], 0.5]), 0.5).fault == "ghost"


# --- known answers ---------------------------------------------------------------------------------------------------


def test_chase_at_equal_deceleration():
    """physics.md section 5.19: A at 1 m/s from -.5 m, B at .5 m/s: .895 s."""
    assert first_crossing(Relative(0.5, 0.0, -0.5, 0.0, 0.0, 0.0), 2.0 * R, 4.0) == pytest.approx(0.895, abs=1e-15)


def test_ghost_beyond_the_window():
    """physics.md section 5.20: A stops 4.0133 s on; the parabola comes back at 8.3114 s, outside the window."""
    half = 0.5 * 0.0127 * 9.81
    back = Relative(0.2, 0.0, 0.5, 0.0, -half, 0.0)
    assert first_crossing(back, 2.0 * R, 0.5 / (2.0 * half)) == math.inf
    assert first_crossing(back, 2.0 * R, 20.0) == pytest.approx(8.3114, abs=1e-4)


@pytest.mark.parametrize("s", [0.0, 0.3])
def test_gap_rate_and_acceleration_are_derivatives(s):
    """Of the distance of two centres, with 50 digits; the acceleration has a part for the motion sideways."""
    r = Relative(0.31, -0.2, -0.7, 0.45, 0.13, -0.08)

    def gap(t):
        return mpmath.hypot(r.x + t * (r.vx + t * r.ax), r.y + t * (r.vy + t * r.ay)) - mpmath.mpf(2.0 * R)

    with mpmath.workdps(50):
        expected = [mpmath.diff(gap, s, order) for order in range(3)]
    np.testing.assert_allclose(gap_and_rate(r, 2.0 * R, s), [float(e) for e in expected], rtol=1e-13)


def test_a_crossing_at_the_very_end_of_the_window_is_found():
    """Whoever cuts the window just where the gap reaches zero gets the contact, not none."""
    rng, found = np.random.default_rng(SEED), 0
    for angle, off in zip(rng.uniform(0.0, 6.28, 200), rng.uniform(-0.05, 0.05, 200), strict=True):
        c, s = math.cos(angle), math.sin(angle)
        r = Relative(-0.4 * c - off * s, -0.4 * s + off * c, 0.9 * c, 0.9 * s, 0.0, 0.0)
        time = first_crossing(r, 2.0 * R, 9.0)
        for window in (math.nextafter(time, 0.0), time):
            if gap_and_rate(r, 2.0 * R, window)[0] <= 0.0 and value(gap_quartic(r, 2.0 * R), window) <= 0.0:
                found += 1
                assert window - 2.0 * math.ulp(window) <= first_crossing(r, 2.0 * R, window) <= window
    assert found > 50


def test_two_that_never_move():
    assert first_crossing(Relative(0.0525, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0525, 10.0) == math.inf
    assert first_crossing(Relative(0.1, 0.1, 0.0, 0.0, 0.0, 0.0), 0.0525, 10.0) == math.inf


@pytest.mark.parametrize("speed", [1e-8, 1e-6, 1e-3, 1.0])
def test_touching(speed):
    """physics.md section 6: closing is now, separating never; rounding is not closing."""
    assert first_crossing(Relative(0.0525, 0.0, -speed, 0.0, 0.0, 0.0), 0.0525, 10.0) == 0.0
    assert first_crossing(Relative(0.0525, 0.0, speed, 0.0, 0.0, 0.0), 0.0525, 10.0) == math.inf
    creeping = -0.05 * V_CLOSE  # sinks by less than a graze in 10 ms
    assert first_crossing(Relative(0.0525, 0.0, creeping, 0.0, 0.0, 0.0), 0.0525, 0.01) == math.inf
    assert line_crossing(0.0, -speed, 0.0, 10.0) == 0.0
    assert line_crossing(0.0, speed, 0.0, 10.0) == math.inf
    assert line_crossing(0.0, creeping, 0.0, 0.01) == math.inf


@pytest.mark.parametrize("overlap", [0.0, 1e-15, 1e-11, 1e-8, 9e-8])
def test_played_away_at_right_angles_is_no_contact(overlap):
    """physics.md section 6: only rounding along the normal, whatever overlap of the start was accepted."""
    rng = np.random.default_rng(8)
    for _ in range(200):
        angle, apart = rng.uniform(-np.pi, np.pi), 0.0525 - overlap
        n, v, half = np.array([math.cos(angle), math.sin(angle)]), rng.uniform(0.5, 4.0), -1.04
        t = np.array([-n[1], n[0]])
        assert first_crossing(Relative(*(apart * n), *(v * t), *(half * t)), 0.0525, v / 2.1) == math.inf
        assert line_crossing(-overlap, rng.choice([-1, 0, 1]) * 1e-17, 0.0, 5.0) == math.inf


@pytest.mark.parametrize("rate", [0.0, 1e-17, -1e-17, 5e-10])
def test_pressing_that_turns_later_is_a_contact(rate):
    """The gap falls from a standstill and turns inside the window; the rate at the start is rounding of either sign."""
    row = [0.0525, 0.0, rate, 1.0, 0.5 * (-0.2 - 1.0 / 0.0525), 3.0, 0.0525, 1.5]
    assert times(np.array([row]))[0] == 0.0


def test_a_small_overlap_that_parts_and_presses_again():
    """An accepted overlap: nothing while it opens, contact where it turns although it never came apart."""
    overlap, speed, half = 5e-8, 1e-4, -1.0
    turn = speed / (2.0 * -half)
    assert first_crossing(Relative(0.0525 - overlap, 0.0, speed, 0.0, half, 0.0), 0.0525, 1.0) == pytest.approx(turn)
    assert line_crossing(-overlap, speed, half, 1.0) == pytest.approx(turn)


@pytest.mark.parametrize("jerk", [0.01, 1.0, 100.0])
def test_slow_contact_whose_curvature_changes(jerk):
    """A touching pair closing at 1 µm/s sinks below 1e-12 m: contact now, also where the curvature changes fast."""
    row = np.array([0.0889, 0.0, -1.3e-6, 0.3, 0.0011 - 0.045 / 0.0889, -jerk / 10.8, 0.0889, 0.09])
    if first_contact(Pair(row)).kind == "contact":
        assert times(row[None])[0] == 0.0


def test_peak_that_just_touches_from_inside():
    """An overlap that vanishes exactly and comes again is a contact there; once missed by polishing past the peak."""
    row = [-5.3405819926410913e-05, 0.06249997389386408, 0.8750019073486328, 0.0008554458618164062, -0.015625]
    row += [-7.0078125, 0.0625, 0.1292689323543773]
    assert times(np.array([row]))[0] == pytest.approx(2.0**-14, abs=1e-8)


@pytest.mark.parametrize("pressing", [1e-12, 1e-8, 1e-4, 0.12, 0.13, 10.0])
def test_a_pressing_contact_opens_by_4_micrometres_or_parts_at_1_mm_a_second(pressing):
    """tolerances.py: whichever is less, however weakly it presses; what does not press need not part."""
    speed = hop_speed(-pressing)
    opening = speed * speed / (2.0 * pressing)
    assert opening == pytest.approx(4e-6) if pressing < 0.125 else speed == pytest.approx(1e-3)
    assert opening <= 4.0001e-6
    assert speed <= 1e-3
    assert hop_speed(pressing) == hop_speed(0.0) == 0.0


# --- properties ------------------------------------------------------------------------------------------------------

lengths = st.floats(-1.0, 1.0)
speeds = st.floats(-6.0, 6.0)
halves = st.floats(-2.1, 2.1)
windows = st.floats(1e-6, 4.0)
motions = st.builds(Relative, lengths, lengths, speeds, speeds, halves, halves)
distances = st.sampled_from([2.0 * R, 0.113272, 0.0889])


@given(motions, distances, windows)
def test_a_time_found_is_a_contact_and_the_first(r, distance, window):
    """In the window, gap about zero and closing; before it the gap never falls through zero."""
    start = gap_and_rate(r, distance, 0.0)[0]
    s = float(times(np.array([[*r, distance, window]]))[0])
    until = min(s, window)
    if s < math.inf:
        assert 0.0 <= s <= window
        gap, rate, _ = gap_and_rate(r, distance, s)
        assert rate <= V_CLOSE
        assert abs(gap) <= GRAZE or (start < 0.0 and gap < 0.0)
    if start > 0.0:
        grid = np.linspace(0.0, until, 500)
        gaps = np.hypot(r.x + grid * (r.vx + grid * r.ax), r.y + grid * (r.vy + grid * r.ay)) - distance
        assert gaps.min() > -2.0 * GRAZE


@given(motions, distances, windows)
def test_any_pair_against_the_definition(r, distance, window):
    assume(gap_and_rate(r, distance, 0.0)[0] > -OVERLAP)
    row = np.array([*r, distance, window])
    assert judge(Pair(row), float(times(row[None])[0])).fault in ("", "late")  # any size: noise may exceed 1e-12 s


@given(st.floats(-0.01, 3.0), speeds, halves, windows)
def test_any_line_against_the_definition(gap, rate, half, window):
    row = np.array([gap, rate, half, window])
    assert judge(Line(row), float(times(row[None])[0])).fault in ("", "late")


@given(motions, distances, windows)
def test_mirrors_and_swaps_give_the_same_bits(r, distance, window):
    """Looking from the other ball, or in a mirror, changes no bit (physics.md section 6: numbers do not matter)."""
    x, y, vx, vy, ax, ay = r
    looks = [r, (-x, -y, -vx, -vy, -ax, -ay), (x, -y, vx, -vy, ax, -ay), (y, x, vy, vx, ay, ax)]
    found = times(np.array([[*look, distance, window] for look in looks]))
    assert len(set(found[:3].tolist())) == 1
    assert found[3] == found[0]


@given(motions, distances, windows)
def test_compiled_and_plain_give_the_same_bits(r, distance, window):
    assert times(np.array([[*r, distance, window]]))[0] == first_crossing(r, distance, window)


@given(motions, distances)
def test_the_quartic_is_convex_outside_its_inflections(r, distance):
    q = gap_quartic(r, distance)
    lo, hi = inflections(q, 4.0)
    assert 0.0 <= lo <= hi <= 4.0
    for s in (0.5 * lo, 0.5 * (hi + 4.0)):
        if s < lo or s > hi:
            assert _bend(q, s) >= -1e-9
    if lo < hi:
        assert _bend(q, 0.5 * (lo + hi)) <= 1e-9


@pytest.mark.parametrize("a4", [1e-12, 1e-6, 1.0])
@pytest.mark.parametrize("a3", [-1.0, 1.0])
def test_inflections_lose_no_digits(a4, a3):
    """Where the quartic is almost a cubic, one root of f'' is far away and the near one must not suffer."""
    lo, hi = inflections(Quartic(a4, a3, -1e-3, 0.0, 1.0), 1e13)
    with mpmath.workdps(60):
        a, half_b = 6 * mpmath.mpf(a4), mpmath.mpf(1.5 * a3)
        exact = float((mpmath.sqrt(half_b * half_b + a * mpmath.mpf(1e-3)) - half_b) / a)
    assert (lo, hi) == (0.0, pytest.approx(exact, rel=1e-15))


def _bend(q: Quartic, s: float) -> float:
    return (12.0 * q.a4 * s + 6.0 * q.a3) * s + 2.0 * q.a2
