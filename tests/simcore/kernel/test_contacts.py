"""When a ball meets what, piece by piece: motions seen from each other, boxes of paths, arcs that are not circles."""

import math

import numpy as np
import pytest

import simcore
from simcore.kernel.contacts import extent, misses, relative_motion, slack, time_to_jaw, time_to_nose, write_slacks
from simcore.kernel.types import (
    AX,
    AY,
    BALL_FIELDS,
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
    JAW_X,
    JAW_Y,
    NOSE_NX,
    NOSE_NY,
    NOSE_X,
    NOSE_Y,
    OWN_T,
    RADIUS,
    REACH,
    SLACK,
    T0,
    T_END,
    VX,
    VY,
    Relative,
    X,
    Y,
)

TABLE = simcore.Table.snooker().geometry
EDGE = 0.0244


def balls(*motions, t0=(0.0, 0.0)):
    """Segments of balls (BALL_FIELDS, n) from their x, y, vx, vy, ax, ay."""
    ball = np.zeros((BALL_FIELDS, len(motions)))
    for i, motion in enumerate(motions):
        ball[[X, Y, VX, VY, AX, AY], i] = motion
        ball[T0, i], ball[T_END, i], ball[REACH, i] = t0[i], 9.0, EDGE
    return ball


def place(motion, s):
    x, y, vx, vy, ax, ay = motion
    return np.array([x + vx * s + ax * s * s, y + vy * s + ay * s * s])


def test_relative_motion_is_the_difference_of_two_paths_whenever_they_began():
    one, two = (0.3, 0.4, 1.0, -2.0, -0.5, 0.7), (1.1, 0.9, -0.6, 0.8, 0.3, -0.9)
    r = relative_motion(balls(one, two, t0=(1.0, 1.6)), 0, 1, 2.0)
    for s in (0.0, 0.5, 1.25):
        np.testing.assert_allclose(place(r, s), place(two, 0.4 + s) - place(one, 1.0 + s), rtol=0, atol=1e-14)


def nearest(r, window):
    """Least distance of two points in the window: at its ends, or where the derivative of its square vanishes."""
    a, v, c = np.array([r.ax, r.ay]), np.array([r.vx, r.vy]), np.array([r.x, r.y])
    turns = np.roots([4.0 * a @ a, 6.0 * a @ v, 2.0 * (v @ v + 2.0 * a @ c), 2.0 * v @ c])
    at = np.clip(np.concatenate([[0.0, window], turns.real]), 0.0, window)[:, None]
    return np.linalg.norm(c + at * (v + at * a), axis=1).min()


@pytest.mark.parametrize(("bound", "finds"), [(slack, 0.8), (misses, 0.3)])
def test_bounds_promise_nothing_false_and_find_most(bound, finds):
    """Pairs 0 to 2 m apart at 0 to 2 m/s: those said to keep apart do; and most that keep apart are said to."""
    rng, distance, apart, said = np.random.default_rng(3), 0.0525, 0, 0
    for _ in range(4_000):
        away, around, speed = distance + 2.0 * rng.random() ** 4, rng.uniform(0.0, 6.28), 2.0 * rng.random() ** 2
        to, bend = rng.uniform(0.0, 6.28, 2)
        r = Relative(
            away * math.cos(around), away * math.sin(around), speed * math.cos(to), speed * math.sin(to),
            math.cos(bend) * rng.random(), math.sin(bend) * rng.random(),
        )  # fmt: skip
        window = rng.uniform(0.0, 1.5)
        keeps = nearest(r, window) > distance
        positive = bound(r, distance * distance, window) > 0.0 if bound is slack else misses(r, distance, window)
        assert keeps or not positive
        apart, said = apart + keeps, said + (keeps and positive)
    assert 1_000 < apart < 3_900
    assert said > finds * apart


@pytest.mark.parametrize("bound", [slack, misses])
@pytest.mark.parametrize("over", [sign * 10.0**-k for k in (3, 6, 9, 12) for sign in (1.0, -1.0)])
def test_bounds_at_paths_that_barely_pass_or_meet(bound, over):
    """Straight paths, even, braked or speeding up, that pass at `over` m beyond the contact; and balls that part."""
    rng, distance, passes = np.random.default_rng(8), 0.0525, 0
    for _ in range(500):
        around, speed, back = rng.uniform(0.0, 6.28), 10.0 ** rng.uniform(-6.0, 1.0), rng.choice([0.0, 1e-3, 1.0])
        ux, uy, gain = math.cos(around), math.sin(around), rng.choice([0.0, -0.2, 0.2]) * speed
        side = distance + over
        x, y = -back * ux - side * uy, -back * uy + side * ux
        r = Relative(x, y, speed * ux, speed * uy, gain * ux, gain * uy)
        window = rng.choice([0.0, 1.0, 2.0])
        positive = bound(r, distance * distance, window) > 0.0 if bound is slack else misses(r, distance, window)
        reaches = window * (speed + window * gain) >= back
        assert not positive or over > 0.0 or not reaches
        passes += positive
    assert (passes > 0) == (over > 0.0 or bound is slack)


def test_nothing_is_promised_from_squares_that_vanish():
    """A ball that barely moves, and is about to roll off with its spin, is not said to miss the one beside it."""
    assert not misses(Relative(0.1, 0.0524999, -3e-161, 0.0, 0.0, 0.0), 0.0525, 1.0)
    assert not misses(Relative(0.1, 0.06, -3e-161, 0.0, 0.0, 0.0), 0.0525, 1.0)
    assert not misses(Relative(0.1, 0.06, -1e-160, 0.0, 0.0, 0.0), 0.0525, 1.0)
    assert misses(Relative(0.1, 0.06, -3e-100, 0.0, 0.0, 0.0), 0.0525, 1.0)


def test_slacks_of_all_balls():
    """Each from its own segment, its own radius, and until the first event of the two; what is not there has none."""
    motions = [(0.3, 0.4, 1.0, -2.0, -0.5, 0.7), (1.1, 0.9, -0.6, 0.8, 0.3, -0.9), (0.4, 0.5, 0.0, 0.0, 0.0, 0.0)]
    ball = balls(*motions, (math.nan, math.nan, 0.0, 0.0, 0.0, 0.0), t0=(1.0, 1.6, 0.0, 0.0))
    ball[RADIUS], ball[OWN_T] = (0.02, 0.03, 0.025, 0.025), (2.5, 2.2, math.inf, math.inf)
    write_slacks(ball, 0, 2.0)
    for j, window in ((1, 0.2), (2, 0.5)):
        distance2 = 4.0 * ball[RADIUS, 0] * ball[RADIUS, j]
        expected = slack(relative_motion(ball, 0, j, 2.0), distance2, window + 1e-9)
        assert ball[SLACK, j] == pytest.approx(expected, rel=1e-9)
    assert not ball[SLACK, 0] > 0.0
    assert not ball[SLACK, 3] > 0.0


@pytest.mark.parametrize("v", [-2.0, 0.0, 2.0])
@pytest.mark.parametrize("a", [-3.0, -1.0, 0.0, 1.0, 3.0])
def test_extent_is_what_the_path_covers(v, a):
    """Also where it turns inside the window; the path touches both ends."""
    path = 0.5 + v * np.linspace(0.0, 0.75, 10_001) + a * np.linspace(0.0, 0.75, 10_001) ** 2
    np.testing.assert_allclose(extent(0.5, v, a, 0.75), (path.min(), path.max()), rtol=0, atol=1e-8)


@pytest.mark.parametrize("k", range(TABLE.jaw.shape[1]))
def test_a_jaw_is_met_on_its_arc_only(k):
    """Balls sent at the centre of the arc from 0.3 m outside, at angles on the arc and beyond either end."""
    jaw = TABLE.jaw[:, k]
    first = math.atan2(jaw[JAW_FROM_Y], jaw[JAW_FROM_X])
    turn = (math.atan2(jaw[JAW_TO_Y], jaw[JAW_TO_X]) - first) % (2.0 * math.pi)
    for share in (-0.9, -0.1, 0.1, 0.5, 0.9, 1.1, 1.9):
        d = np.array([math.cos(first + share * turn), math.sin(first + share * turn)])
        start = jaw[[JAW_X, JAW_Y]] + (jaw[JAW_RADIUS] + EDGE + 0.3) * d
        s = time_to_jaw(balls((*start, *(-1.5 * d), 0.0, 0.0)), 0, TABLE, k)
        assert s == (pytest.approx(0.2, abs=1e-12) if 0.0 < share < 1.0 else math.inf)


def beyond_the_end(gap, rate, along, speed):
    """A ball beyond the start of nose 0, with this gap and place along it; it moves evenly, m and m/s."""
    x, y, nx, ny = TABLE.nose[[NOSE_X, NOSE_Y, NOSE_NX, NOSE_NY], 0]
    away = gap + EDGE
    return balls(
        (x + away * nx + along * ny, y + away * ny - along * nx, rate * nx + speed * ny, rate * ny - speed * nx, 0, 0)
    )


def test_a_ball_that_comes_over_the_end_of_a_nose_from_below_its_line_has_met_the_jaw():
    """It crosses the line 1 cm before the nose begins and is a tenth of a millimetre below it there: not the nose's."""
    assert time_to_nose(beyond_the_end(1e-4, -0.02, -0.02, 2.0), 0, TABLE, 0, 1.0) == math.inf


def test_a_ball_that_creeps_over_the_end_of_a_nose_meets_it_there():
    """It sinks below the line by half a graze before the nose begins, and meets it as it comes over its end."""
    gap, rate, speed = 1.5e-12, -2e-12, 0.01
    ball = beyond_the_end(gap, rate, -0.01, speed)
    found = time_to_nose(ball, 0, TABLE, 0, 1.0)
    assert found == pytest.approx(1.0, rel=1e-12)
