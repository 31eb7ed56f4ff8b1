"""Distances of a centre from the parts of the table, piece by piece."""

import math

import pytest

import simcore
from simcore.kernel.layout import jaw_gap

TABLE = simcore.Table.snooker().geometry


@pytest.mark.parametrize("k", range(TABLE.jaw.shape[1]))
def test_a_jaw_is_its_arc_only(k):
    """The gap is the distance from the arc at angles on it, inside and outside; beyond either end there is no jaw."""
    x, y, radius, from_x, from_y, to_x, to_y = TABLE.jaw[:, k]
    first = math.atan2(from_y, from_x)
    turn = (math.atan2(to_y, to_x) - first) % (2.0 * math.pi)
    for away in (-0.01, 0.0, 0.03):
        for share in (-0.9, -0.1, 0.1, 0.5, 0.9, 1.1, 1.9):
            angle = first + share * turn
            there = x + (radius + away) * math.cos(angle), y + (radius + away) * math.sin(angle)
            expected = pytest.approx(away, abs=1e-15) if 0.0 < share < 1.0 else math.inf
            assert jaw_gap(*there, k, TABLE) == expected
