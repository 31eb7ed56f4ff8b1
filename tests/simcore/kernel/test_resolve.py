"""One contact of an instant at a time, on a workspace filled by hand."""

import itertools

import pytest

from simcore.kernel.batch import make_workspace
from simcore.kernel.resolve import bounce, sort_contacts
from simcore.kernel.types import C_X, C_Y, CONTACTS, K_HOP, K_NX, K_NY, RADIUS, BallMotion
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


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_contacts_are_ordered_by_their_midpoints_however_they_were_found(order):
    """By x, and by y where x is the same: so the sums over them do not depend on the numbers of the balls."""
    midpoints = [(0.2, 0.9), (0.5, 0.1), (0.5, 0.4), (0.5, 0.7)]
    w = make_workspace(8)
    w.tally[CONTACTS] = 4
    for c, k in enumerate(order):
        w.contact[C_X, c], w.contact[C_Y, c] = midpoints[k]
        w.contact_ball[:, c] = k, k + 4
    sort_contacts(w)
    assert list(zip(w.contact[C_X, :4], w.contact[C_Y, :4], strict=True)) == midpoints
    assert w.contact_ball[:, :4].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
