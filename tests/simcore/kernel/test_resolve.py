"""One contact of an instant at a time, on a workspace filled by hand."""

import pytest

from simcore.kernel.batch import make_workspace
from simcore.kernel.resolve import bounce
from simcore.kernel.types import K_HOP, K_NX, K_NY, RADIUS, BallMotion
from simcore.physics import Physics

HOP = 1e-3


@pytest.mark.parametrize(
    ("rate", "after"),
    [(1e-4, HOP), (2e-9, HOP), (5e-10, HOP), (0.0, HOP), (-1e-6, HOP), (2e-3, 2e-3), (0.3, 0.3)],
)
def test_a_ball_leaves_with_at_least_its_hop(rate, after):
    """The rate is the speed at which the ball leaves the nose before; leaving more slowly, it would be back at once."""
    w = make_workspace(1)
    w.ball[RADIUS, 0], w.cushion[K_NX, 0], w.cushion[K_NY, 0], w.cushion[K_HOP, 0] = 0.02625, 0.6, -0.8, HOP
    m = bounce(w, 0, BallMotion(0.6 * rate + 0.8, -0.8 * rate + 0.6, 0.0, 0.0, 0.0), Physics.snooker())
    assert 0.6 * m.vx - 0.8 * m.vy == pytest.approx(after, abs=1e-15)
