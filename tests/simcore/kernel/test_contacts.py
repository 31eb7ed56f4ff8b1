"""When a ball meets what, piece by piece: motions seen from each other, boxes of paths, arcs that are not circles."""

import math

import numpy as np
import pytest

import simcore
from simcore.kernel.contacts import extent, relative_motion, time_to_jaw
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
    REACH,
    T0,
    T_END,
    VX,
    VY,
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
