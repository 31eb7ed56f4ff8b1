"""Simultaneous and pressing contacts (DESIGN 3.5 and 3.6, physics.md section 6): symmetry, frozen lines, finite events.

Where a rule is about the blow itself, the cue ball starts touching, so that no run-up changes its speed and spin.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import simcore
from bench.shot_checks import KINDS, violations
from simcore import EventKind, Motion, Physics, Table
from simcore.kernel.cushion import nose_distance
from simcore.simulate import MAX_EVENTS
from tests.simcore.shots_for_tests import R, break_motion, rack, scattered

POSITIONS = Path(__file__).resolve().parents[2] / "rules" / "positions"
ELASTIC = Physics.snooker(e_ball=1.0)
SMOOTH = Physics.snooker(e_ball=1.0, ball_model="frictionless")
RC = nose_distance(R, Physics.snooker().nose_height)
GAPS = (0.0, 1e-12, 1e-9, 1e-6, 1e-4)
MIDDLE = np.array([0.889, 1.7845])
NEAR_CLUSTER = [
    *((0.0244, 1.2 + 0.0525 * k) for k in range(6)),
    *((0.069867, 1.22625 + 0.0525 * k) for k in range(3)),
]  # the reds of rules/positions/tight_cluster_on_cushion.json


def unit(degrees):
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], -1)


def run(positions, v, w=(0.0, 0.0, 0.0), **options):
    """The first ball starts with velocity v (2,) and spin w (3,), the others rest; logged and finished."""
    positions = np.array(positions, float)
    velocity, spin = np.zeros((*positions.shape[:-2], positions.shape[-2], 2)), np.zeros((*positions.shape[:-1], 3))
    velocity[..., 0, :], spin[..., 0, :] = v, w
    return simcore.simulate(positions, motion=Motion(velocity, spin), log_events=True, **options).check()


def clean(res, table=None, physics=None):
    """Nothing impossible in a logged batch: no overlap, energy never rises, no graze ..."""
    worst = violations(res, table, physics).max(axis=0)
    assert not worst.any(), {kind: amount for kind, amount in zip(KINDS, worst, strict=True) if amount > 0.0}


def velocities_after(res, t, k=0):
    """Velocities with which the last segments up to time t begin (n_balls, 2); 0 for balls that did not move."""
    v = np.zeros((res.start_positions.shape[-2], 2))
    for ball in range(len(v)):
        values, _ = res.segments.of(k, ball)
        values = values[values[:, 0] <= t]
        if len(values):
            v[ball] = values[-1, 3:5]
    return v


def line(n, gap=0.0, direction=(0.0, 1.0)):
    """A cue ball and n balls in line, the cue ball touching the first, `gap` between the others (n + 1, 2)."""
    at = np.concatenate([[0.0], 2.0 * R + np.arange(n) * (2.0 * R + gap)])
    return MIDDLE + at[:, None] * np.array(direction)


class TestTwoBallsAtOnce:
    """A ball hits two touching ones in the middle."""

    def layout(self, turn, gap=0.0):
        """Cue ball moving at `turn` degrees, touching both balls 30 degrees to either side."""
        sides = unit(turn + np.array([30.0, -30.0]))
        return np.array([MIDDLE, *(MIDDLE + (2.0 * R + gap) * sides)])

    @pytest.mark.parametrize("turn", np.arange(0.0, 360.0, 17.0))
    def test_elastic_and_smooth(self, turn):
        """Cue ball -V/5, the others 2 sqrt(3)/5 V at 30 degrees to either side (physics.md section 6)."""
        res = run(self.layout(turn), 2.0 * unit(turn), physics=SMOOTH)
        v = velocities_after(res, 2e-9)
        expected = [-0.4 * unit(turn), *(0.8 * math.sqrt(3.0) * unit(turn + np.array([30.0, -30.0])))]
        np.testing.assert_allclose(v, expected, rtol=0, atol=1e-12)

    @pytest.mark.parametrize("gap", GAPS[:4])
    @pytest.mark.parametrize("rolling", [0.0, 1.0])
    def test_mirror_symmetric_to_the_end(self, gap, rolling):
        res = run(self.layout(90.0, gap), (0.0, 1.5), (-rolling * 1.5 / R, 0.0, 0.0))
        clean(res)
        x, y = res.positions.T
        assert abs(x[0] - MIDDLE[0]) <= 1e-9
        assert abs(x[1] + x[2] - 2.0 * MIDDLE[0]) <= 1e-9
        assert abs(y[1] - y[2]) <= 1e-9

    def test_friction_of_a_cluster_keeps_the_momentum(self):
        """What one ball of a contact gets the other one loses, and side does give a push along."""
        sums = []
        for physics in (Physics.snooker(), SMOOTH):
            res = run(self.layout(90.0), (0.0, 2.0), (10.0, 20.0, 90.0), physics=physics)
            v = velocities_after(res, 2e-9)
            np.testing.assert_allclose(v.sum(0), (0.0, 2.0), rtol=0, atol=1e-12)
            sums.append(v[1] + v[2])
        assert abs(sums[0][0]) > 1e-3 > 1e-12 > abs(sums[1][0])

    def test_a_cluster_of_unequal_balls_keeps_the_momentum(self):
        mass = np.array([0.14, 0.1, 0.2])
        res = run(self.layout(50.0), 2.0 * unit(50.0), (10.0, 20.0, 90.0), mass=mass)
        v = velocities_after(res, 2e-9)
        assert (np.linalg.norm(v, axis=1) > 0.1).all()
        np.testing.assert_allclose(mass @ v, 0.28 * unit(50.0), rtol=0, atol=1e-13)

    def test_a_contact_that_the_others_part_gets_no_impulse(self):
        """One ball strikes another hard, one that closes slowly from the side is left behind and goes on as it was."""
        ways = unit(np.array([30.0, -45.0]))
        v = np.array([2.0, 0.1])[:, None] * ways
        layout = np.array([*(MIDDLE - 2.0 * R * ways), MIDDLE])
        motion = Motion(np.array([*v, (0.0, 0.0)]))
        res = simcore.simulate(layout, motion=motion, physics=SMOOTH, log_events=True).check()
        np.testing.assert_allclose(velocities_after(res, 2e-9), [(0.0, 0.0), v[1], v[0]], rtol=0, atol=1e-12)

    def test_contacts_share_the_friction_that_stops_a_spinning_ball(self):
        """Five balls close on one that spins: together they slow its surface, none turns its slip round."""
        normals = unit(np.arange(0.0, 360.0, 72.0))
        layout = np.array([MIDDLE, *(MIDDLE + 2.0 * R * normals)])
        v, w = np.array([(0.0, 0.0), *(-normals)]), np.zeros((6, 3))
        w[0, 2] = 2.0 / R
        rough = Physics.snooker(mu_ball_floor=1.0, mu_ball_range=0.0)
        res = simcore.simulate(layout, motion=Motion(v, w), physics=rough, log_events=True).check()
        after = [values[values[:, 0] <= 1e-8][-1] for values, _ in (res.segments.of(0, ball) for ball in range(6))]
        for n, ball in zip(normals, after[1:], strict=True):
            along = n[0] * ball[4] - n[1] * ball[3]
            assert 0.0 <= R * (after[0][9] + ball[9]) - along <= 1.0  # 2 m/s before

    def test_a_row_of_contacts_at_the_same_instant_elsewhere(self):
        """Independent clusters at one instant do not disturb each other."""
        near = self.layout(90.0)
        far = near + np.array([0.5, 0.3])
        v = np.zeros((6, 2))
        v[[0, 3], 1] = 1.0
        both = simcore.simulate(np.concatenate([near, far]), motion=Motion(v), log_events=True)
        alone = simcore.simulate(near, motion=Motion(v[:3]), log_events=True)
        for ball in range(3):
            one, two = both.segments.of(0, ball)[0], alone.segments.of(0, ball)[0]
            np.testing.assert_allclose(one[:3, :7], two[:3, :7], rtol=0, atol=1e-12)

    def test_a_single_contact_at_the_instant_of_a_cluster_elsewhere(self):
        """It is resolved once, and its push is not forgotten."""
        layout = np.array([*self.layout(90.0), (0.5, 0.9), (0.5 + 2.0 * R, 0.9)])
        v = np.zeros((5, 2))
        v[0, 1], v[3, 0] = 1.0, 1.0
        res = simcore.simulate(layout, motion=Motion(v), log_events=True).check()
        e = Physics.snooker().e_ball
        np.testing.assert_allclose(velocities_after(res, 2e-9)[3:, 0], [(1.0 - e) / 2.0, (1.0 + e) / 2.0], rtol=1e-12)
        assert list(res.moved_by) == [0, 0, 0, 3, 3]

    def test_impulses_that_do_not_settle_are_named(self):
        """A ball of a millionth of the mass of the two that squeeze it: sweeps would have to go on for ever."""
        layout = MIDDLE + 2.0 * R * np.array([(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)])
        motion = Motion([(1.0, 0.0), (0.0, 0.0), (-1.0, 0.0)])
        res = simcore.simulate(layout, motion=motion, mass=[0.14, 0.14e-6, 0.14])
        assert res.status == simcore.Status.NOT_SETTLED
        with pytest.raises(simcore.SimulationError, match="NOT_SETTLED"):
            res.check()


class TestFrozenLine:
    @pytest.mark.parametrize("n", range(1, 7))
    @pytest.mark.parametrize("turn", [90.0, 0.0, 33.0, 251.0])
    def test_only_the_last_ball_leaves(self, n, turn):
        """Physics.md section 5 item 18: (0, ..., 0, 1), e = 1."""
        res = run(line(n, 0.0, unit(turn)), 1.5 * unit(turn), physics=ELASTIC)
        v = velocities_after(res, 1e-8)
        np.testing.assert_allclose(v, [[0.0, 0.0]] * n + [1.5 * unit(turn)], rtol=0, atol=1e-9)
        clean(res, physics=ELASTIC)

    @pytest.mark.parametrize("e", [0.95, 0.89, 0.6])
    def test_the_blow_loses_energy_ball_by_ball(self, e):
        """Down a line of two: (1+e)^2/4 of V for the last ball; the others share the rest and do not close any more."""
        res = run(line(2), (0.0, 1.0), physics=Physics.snooker(e_ball=e))
        v = velocities_after(res, 1e-8)[:, 1]
        assert v[2] == pytest.approx((1.0 + e) * (1.0 + e) / 4.0, rel=1e-12)
        assert v.sum() == pytest.approx(1.0, rel=1e-12)
        assert 0.0 <= v[0] <= v[1]

    @pytest.mark.parametrize("n", [1, 3, 6])
    def test_continuous_as_the_gap_closes(self, n):
        """The blow is over after n gaps; by then gaps of 1e-12 m to 1e-4 m give the velocities of a frozen line."""
        frozen = velocities_after(run(line(n), (0.0, 2.0), physics=ELASTIC), 1e-8)
        for gap in GAPS:
            res = run(line(n, gap), (0.0, 2.0), physics=ELASTIC)
            clean(res, physics=ELASTIC)
            v = velocities_after(res, 2.0 * n * gap + 1e-8)
            np.testing.assert_allclose(v, frozen, rtol=0, atol=10.0 * gap + 1e-9 if gap < 1e-5 else 2e-2)

    @pytest.mark.parametrize("rolling", [0.0, 1.0])
    def test_ends_are_continuous_too(self, rolling):
        """Two balls: where they come to rest moves by millimetres at most as the gap closes."""
        ends = [run(line(2, gap), (0.0, 1.0), (-rolling / R, 0.0, 0.0)).positions for gap in GAPS]
        for end in ends[1:]:
            np.testing.assert_allclose(end, ends[0], rtol=0, atol=5e-3)


class TestPressing:
    """A topspin ball driven against frozen balls: finite events (physics.md section 6: 2,173, 4,711, 14,868)."""

    def drive(self, positions, speed, topspin, **options):
        res = run(positions, (0.0, speed), (-topspin, 0.0, 0.0), **options)
        clean(res)
        return res

    @pytest.mark.parametrize(("n", "expected"), [(2, 2_173), (3, 4_711), (6, 14_868)])
    def test_topspin_into_a_frozen_line(self, n, expected):
        """Strikes up to 8 m/s with all the topspin a cue can give: 2,699, 6,236 and 19,183 events at worst."""
        positions = line(n)
        positions[0, 1] -= 0.5
        V0, b = np.meshgrid([1.0, 2.0, 4.0, 8.0], [0.3, 0.4, 0.51])
        res = simcore.simulate(positions, simcore.Shots(V0.ravel(), np.pi / 2.0, 0.0, 0.0, b.ravel()), log_events=True)
        clean(res.check())
        assert expected / 2 <= res.n_events.max() <= 2 * expected

    @pytest.mark.parametrize("n", [1, 2, 3, 6])
    def test_touching_and_with_more_topspin_than_a_cue_gives(self, n):
        """Up to 2.5 V / R at 8 m/s: 54,473 events at worst."""
        for speed in (0.5, 2.0, 8.0):
            for spin in (1.0, 2.5):
                assert self.drive(line(n), speed, spin * speed / R).n_events < 100_000

    @pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
    def test_against_a_ball_frozen_to_a_cushion(self, turn):
        x = {0.0: (1.778 - RC, 1.2), 90.0: (0.6, 3.569 - RC), 180.0: (RC, 1.2), 270.0: (0.6, RC)}[turn]
        d = unit(turn)
        for speed in (0.3, 1.0, 3.0):
            for spin in (0.0, 1.0, 2.5):
                w = spin * speed / R * np.array([-d[1], d[0], 0.0])
                res = run([np.array(x) - 2.0 * R * d, x], speed * d, w)
                clean(res)
                assert res.n_events < 20_000
                assert (res.pocket == -1).all()

    def test_most_absurd_spin(self):
        """R times the spin is 40 m/s: 145,000 events, and it still ends, below the default cap of 200,000."""
        res = run(line(6), (0.0, 8.0), (-8.0 * 2.5 / R * 2.0, 0.0, 0.0))
        clean(res)
        assert res.n_events < MAX_EVENTS

    def test_held_against_a_cushion(self):
        """A ball whose topspin drives it into a nose again and again."""
        for speed in (0.01, 0.1, 1.0, 4.0):
            res = run([[RC, 1.2]], (-speed, 0.0), (0.0, -10.0 * speed / R, 0.0))
            clean(res)
            assert res.n_events < 5_000

    def test_spin_alone_presses(self):
        """No speed at all, only topspin towards a touching ball or cushion."""
        for target in ([[RC, 1.2]], [[0.5, 1.2], [0.5 - 2.0 * R, 1.2]], [[RC + 2.0 * R, 1.2], [RC, 1.2]]):
            for spin in (1e-6, 1.0, 100.0):
                res = run(target, (0.0, 0.0), (0.0, -spin, 0.0))
                clean(res)
                assert res.n_events < 20_000


def moving_clusters(rng, n):
    """Layouts (n, 8, 2) of 3 to 8 touching balls, turned pieces of a triangular lattice, and their velocities."""
    sites = np.array([(a + 0.5 * b, math.sqrt(0.75) * b) for a in range(-2, 3) for b in range(-2, 3)])
    next_to = np.abs(np.linalg.norm(sites[:, None] - sites, axis=-1) - 1.0) < 1e-9
    layouts = np.full((n, 8, 2), np.nan)
    for layout in layouts:
        chosen = [12]  # the middle one
        for _ in range(rng.integers(2, 8)):
            chosen.append(rng.choice(np.setdiff1d(np.flatnonzero(next_to[chosen].any(0)), chosen)))
        along, across = unit(rng.uniform(0.0, 360.0) + np.array([0.0, 90.0]))
        layout[: len(chosen)] = MIDDLE + 2.0 * R * (sites[chosen] @ [along, across])
    together = rng.uniform(0.5, 2.0, (n, 1, 1)) * unit(rng.uniform(0.0, 360.0, n))[:, None]
    v = together + 10.0 ** rng.uniform(-4.0, -2.0, (n, 1, 1)) * rng.normal(size=(n, 8, 2))
    v[np.isnan(layouts)] = 0.0
    return layouts, v


def touching_pairs(layout):
    """Indices of touching balls i and j (n_pairs,), and the unit vectors from i to j (n_pairs, 2)."""
    to = layout - layout[:, None]
    apart = np.linalg.norm(to, axis=-1)
    i, j = np.nonzero(np.abs(apart - 2.0 * R) < 1e-9)
    return i, j, to[i, j] / apart[i, j, None]


class TestWeakPressing:
    """Contacts that stand still and press less than any limit are not found again and again at the same time."""

    def test_side_by_side(self):
        """Two touching balls roll almost the same way; friction pulls them together with 1e-14 to 1e-8 m/s²."""
        ulp = 2.0**-52
        turn = np.round(10.0 ** np.arange(-13.0, -7.1, 0.25) / ulp) * ulp  # m/s, exact beside 0.5
        positions = np.full((len(turn), 2, 2), 0.6)
        positions[:, 1] += math.sqrt(2.0) * R
        v = np.full_like(positions, (0.5, 0.0))
        v[:, 1] += turn[:, None] * [-1.0, 1.0]
        w = np.stack([-v[..., 1], v[..., 0], 0.0 * v[..., 0]], -1) / R
        res = simcore.simulate(positions, motion=Motion(v, w), log_events=True).check()
        clean(res)
        assert res.n_events.max() < 50

    def test_along_a_nose(self):
        """A ball slides along a nose that it touches, with a spin that drives it in with 1e-13 to 1e-6 m/s²."""
        slip = 10.0 ** np.arange(-14.0, -6.9, 0.25)
        v, w = np.zeros((len(slip), 1, 2)), np.zeros((len(slip), 1, 3))
        v[:, 0, 1], w[:, 0, 1] = -1.0, -slip / R
        res = simcore.simulate([[RC, 1.2]], motion=Motion(v, w), log_events=True).check()
        clean(res)
        assert res.n_events.max() < 50

    def test_back_within_the_instant(self):
        """A ball parts from a nose so slowly that its spin drives it back within a nanosecond of another contact."""
        parting = np.array([0.0, 5e-10, 9e-10, 1.1e-9, 1.3e-9, 1.6e-9, 1.9e-9, 2.1e-9, 1e-8])
        positions = np.array([(0.9, RC - 1e-16), (0.5, 2.0), (0.5 + 2.0 * R, 2.0)])
        v, w = np.zeros((len(parting), 3, 2)), np.zeros((len(parting), 3, 3))
        v[:, 0] = np.stack([np.full(len(parting), 0.95), parting], -1)
        v[:, 1, 0] = 0.5
        w[:, 0, :2] = 2e-7 / R, 0.95 / R
        res = simcore.simulate(positions, motion=Motion(v, w), log_events=True).check()
        clean(res)
        assert res.n_events.max() < 50


class TestClusters:
    def test_perfect_rack(self):
        """Fifteen reds without any gap: head-on, off-centre, with and without spin."""
        layout = rack(0.0)
        v, w = break_motion(np.random.default_rng(15), layout, 40)
        apex = layout[7] - layout[0]
        v[0, 0], w[0, 0] = 6.0 * apex / np.linalg.norm(apex), 0.0
        res = simcore.simulate(layout, motion=Motion(v, w), log_events=True).check()
        clean(res)
        assert res.n_events.max() < 20_000

    def test_head_on_break_of_a_perfect_rack_is_mirror_symmetric_at_first(self):
        """Along the axis of the pack, until chaos: all contacts of the first instant come in mirror pairs."""
        layout = rack(0.0)
        layout[0] = (0.889, 2.2)
        layout[[1, 2, 3, 4, 5, 6]] = np.nan
        res = run(layout, (0.0, 5.0))
        t = res.events.of(0).t[res.events.of(0).kind == EventKind.BALL][0]
        v = velocities_after(res, t + 1e-8)
        reds = layout[7:]
        for i, place in enumerate(reds):
            mirror = np.argmin(np.linalg.norm(reds - [2 * 0.889 - place[0], place[1]], axis=1))
            np.testing.assert_allclose(v[7 + i], v[7 + mirror] * [-1.0, 1.0], rtol=0, atol=1e-9)

    def test_tight_cluster_on_a_cushion(self):
        """Six reds along the left cushion and three nested: from all sides, hard and soft, also exactly frozen."""
        rng = np.random.default_rng(6)
        given = np.array([(0.9, 0.9), *NEAR_CLUSTER])
        frozen = given.copy()
        frozen[1:7] = [(RC, 1.2 + 2.0 * R * k) for k in range(6)]
        frozen[7:] = [(RC + R * math.sqrt(3.0), 1.2 + 2.0 * R * (k + 0.5)) for k in range(3)]
        for layout in (given, frozen):
            n = 150
            layouts = np.broadcast_to(layout, (n, 10, 2)).copy()
            layouts[:, 0] = np.array([0.07, 1.33]) + rng.uniform(0.2, 0.6, n)[:, None] * unit(
                rng.uniform(-60.0, 60.0, n)
            )
            target = layouts[np.arange(n), rng.integers(1, 10, n)] + rng.uniform(-R, R, (n, 2))
            to = target - layouts[:, 0]
            speed = rng.uniform(0.2, 8.0, n)[:, None]
            v = np.zeros((n, 10, 2))
            v[:, 0] = speed * to / np.linalg.norm(to, axis=1, keepdims=True)
            w = np.zeros((n, 10, 3))
            w[:, 0] = rng.normal(0.0, 1.0, (n, 3)) * speed / R
            res = simcore.simulate(layouts, motion=Motion(v, w), log_events=True).check()
            clean(res)
            assert res.n_events.max() < 20_000

    def test_the_position_file_is_that_cluster(self):
        file = POSITIONS / "tight_cluster_on_cushion.json"
        np.testing.assert_allclose(json.loads(file.read_text())["balls"]["red"], NEAR_CLUSTER, rtol=0, atol=1e-12)

    def test_clusters_that_move_together(self):
        """300 clusters of 3 to 8 touching balls at about 1 m/s whose contacts close at 1e-4 to 1e-2 m/s settle at once.

        The impulses they need are small against the momentum of each ball, so that they must be found from changes of
        speed: from whole velocities, rounding keeps their iteration from an end.
        """
        rng = np.random.default_rng(31)
        layouts, v = moving_clusters(rng, 300)
        res = simcore.simulate(layouts, motion=Motion(v), log_events=True).check()
        clean(res)
        assert res.n_events.max() < 1_000
        closing = np.zeros(300)
        for k, (layout, before) in enumerate(zip(layouts, v, strict=True)):
            after = velocities_after(res, 1e-8, k)
            # the last contacts of the instant come up to 1 ns late, when the cloth has taken 2.1 m/s² times that
            np.testing.assert_allclose(after.sum(0), before.sum(0), rtol=0, atol=1e-8)
            i, j, n = touching_pairs(layout)
            closing[k] = ((before[i] - before[j]) * n).sum(1).max()
            assert ((after[j] - after[i]) * n).sum(1).min() >= -1e-9
        assert np.sum((closing > 1e-4) & (closing < 3e-2)) > 200

    @pytest.mark.parametrize("corner", [(0, 0), (1, 0), (0, 1), (1, 1)])
    def test_three_balls_in_the_jaws_of_a_corner(self, corner):
        """Two balls touching each other and a jaw each, and the cue ball driven between them."""
        table = Table.snooker()
        rng = np.random.default_rng(33)
        flip = np.array([1.0, 1.0]) - 2.0 * np.array(corner)
        origin = np.array(corner) * (table.width, table.length)
        bottom = table.geometry.jaw[:3, 0]  # a ball on the bottom jaw whose mirror image about the diagonal touches it
        lo, hi = 0.3, 0.9
        for _ in range(200):
            turn = 0.5 * (lo + hi)
            x, y = bottom[0] - (bottom[2] + RC) * math.sin(turn), bottom[1] + (bottom[2] + RC) * math.cos(turn)
            lo, hi = (turn, hi) if abs(x - y) * math.sqrt(2.0) > 2.0 * R else (lo, turn)
        pair = origin + flip * np.array([(x, y), (y, x)])
        n = 60
        offset = np.concatenate([[0.0], rng.uniform(-0.03, 0.03, n - 1)])
        along, across = flip / math.sqrt(2.0), np.array([-flip[1], flip[0]]) / math.sqrt(2.0)
        cue = origin + 0.25 * along * math.sqrt(2.0) + offset[:, None] * across
        layouts = np.concatenate([cue[:, None], np.broadcast_to(pair, (n, 2, 2))], 1)
        v = np.zeros((n, 3, 2))
        v[:, 0] = -rng.uniform(0.4, 7.0, n)[:, None] * along
        w = np.zeros((n, 3, 3))
        w[1:, 0] = rng.normal(0.0, 60.0, (n - 1, 3))
        res = simcore.simulate(layouts, motion=Motion(v, w), log_events=True).check()
        clean(res)
        assert res.n_events.max() < 20_000
        assert (res.pocket[0, 1] == -1) == (res.pocket[0, 2] == -1)


class TestSquareCorner:
    """A rolling ball into a square corner: (-.5306, -.5306) of V, e = .98, h = 36 mm (physics.md section 6)."""

    @pytest.mark.parametrize("corner", [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])
    def test_reverses(self, corner):
        """Converged, to the digits given; as it ships and in 20 published steps, to their error."""
        d = np.array(corner) / math.sqrt(2.0)
        touching, square = 1.0 + (1.0 - RC) * np.array(corner), Table.closed(2.0, 2.0)
        for model, steps, error in (
            ("mathavan2010_steps", 1000, 5e-5),
            ("mathavan2010_steps", 20, 1e-3),
            ("mathavan2010", 20, 1e-3),
        ):
            physics = Physics.snooker(cushion_model=model, cushion_steps=steps)
            res = run([touching], d, (-d[1] / R, d[0] / R, 0.0), table=square, physics=physics)
            values, _ = res.segments.of(0, 0)
            after = values[values[:, 0] <= 1e-8][-1]
            np.testing.assert_allclose(after[3:5], -0.5306 * np.array(corner), rtol=0, atol=error)
            assert abs(abs(after[3]) - abs(after[4])) <= 1e-12
            assert abs(after[9]) * R <= 1e-12
            clean(res, square, physics)
            assert abs(abs(res.positions[0, 0] - 1.0) - abs(res.positions[0, 1] - 1.0)) <= 1e-9

    def test_any_angle(self):
        turn = np.arange(0.5, 90.0, 0.5)
        square = Table.closed(2.0, 2.0)
        start = np.full((len(turn), 1, 2), RC)
        v = -2.0 * unit(turn)[:, None]
        res = simcore.simulate(start, motion=Motion(v), table=square, log_events=True).check()
        clean(res, square)
        np.testing.assert_allclose(res.positions[:, 0], res.positions[::-1, 0, ::-1], rtol=0, atol=1e-9)


class TestNumbering:
    """Numbers of balls do not matter: permuting the balls permutes the result, bit for bit."""

    def compare(self, layouts, v, w, order):
        plain = simcore.simulate(layouts, motion=Motion(v, w)).check()
        row = np.arange(len(order))[:, None]
        other = simcore.simulate(layouts[row, order], motion=Motion(v[row, order], w[row, order])).check()
        assert plain.positions[row, order].tobytes() == other.positions.tobytes()
        assert plain.pot_time[row, order].tobytes() == other.pot_time.tobytes()
        assert (plain.pocket[row, order] == other.pocket).all()
        assert (plain.n_events == other.n_events).all()

    def test_100_breaks(self):
        rng = np.random.default_rng(100)
        for gap in (0.0, 1e-5):
            layout = rack(gap)
            v, w = break_motion(rng, layout, 50)
            order = np.array([np.concatenate([[0], 1 + rng.permutation(21)]) for _ in range(50)])
            self.compare(np.broadcast_to(layout, (50, 22, 2)).copy(), v, w, order)

    def test_500_shots(self):
        """Random layouts, all balls permuted, the moving one too."""
        rng = np.random.default_rng(500)
        layouts = np.array([scattered(rng, 12) for _ in range(500)])
        v, w = np.zeros((500, 12, 2)), np.zeros((500, 12, 3))
        v[:, 0] = rng.uniform(0.5, 8.0, 500)[:, None] * unit(rng.uniform(0.0, 360.0, 500))
        w[:, 0] = rng.normal(0.0, 80.0, (500, 3))
        self.compare(layouts, v, w, np.array([rng.permutation(12) for _ in range(500)]))

    def test_frozen_clusters(self):
        """Hexagons of touching balls, where many contacts share an instant."""
        rng = np.random.default_rng(7)
        hexagon = np.array([(0.0, 0.0), *(2.0 * R * unit(np.arange(0.0, 360.0, 60.0)))])
        n = 60
        turn = np.radians(rng.uniform(0.0, 360.0, n))
        spin = np.stack([np.stack([np.cos(turn), -np.sin(turn)], -1), np.stack([np.sin(turn), np.cos(turn)], -1)], -2)
        layouts = np.zeros((n, 8, 2))
        layouts[:, 1:] = MIDDLE + np.einsum("kij,bj->kbi", spin, hexagon)
        angle = rng.uniform(0.0, 360.0, n)
        layouts[:, 0] = MIDDLE + 0.4 * unit(angle)
        v, w = np.zeros((n, 8, 2)), np.zeros((n, 8, 3))
        v[:, 0] = -rng.uniform(0.5, 6.0, n)[:, None] * unit(angle + rng.uniform(-8.0, 8.0, n))
        w[:, 0] = rng.normal(0.0, 50.0, (n, 3))
        order = np.array([rng.permutation(8) for _ in range(n)])
        self.compare(layouts, v, w, order)
        clean(simcore.simulate(layouts, motion=Motion(v, w), log_events=True))


class TestMirroredTable:
    """Mirroring the table mirrors the result, until chaos magnifies the rounding of the mirrored coordinates."""

    @pytest.mark.parametrize("axis", [0, 1])
    def test_500_shots(self, axis):
        table = Table.snooker()
        size = (table.width, table.length)[axis]
        rng = np.random.default_rng(axis)
        layouts = np.array([scattered(rng, 4) for _ in range(500)])
        v, w = np.zeros((500, 4, 2)), np.zeros((500, 4, 3))
        v[:, 0] = rng.uniform(0.3, 3.0, 500)[:, None] * unit(rng.uniform(0.0, 360.0, 500))
        w[:, 0] = rng.normal(0.0, 30.0, (500, 3))
        plain = simcore.simulate(layouts, motion=Motion(v, w)).check()
        mirrored, mv, mw = layouts.copy(), v.copy(), -w
        mirrored[..., axis] = size - mirrored[..., axis]
        mv[..., axis] *= -1.0
        mw[..., axis] *= -1.0  # spin is an axial vector: it keeps its component across the mirror
        other = simcore.simulate(mirrored, motion=Motion(mv, mw)).check()
        back = other.positions.copy()
        back[..., axis] = size - back[..., axis]
        both = np.isfinite(plain.positions) & np.isfinite(back)
        apart = np.where(both, np.abs(np.where(both, plain.positions - back, 0.0)), 0.0).max((1, 2))
        assert np.median(apart[plain.first_contacts.any(1)]) <= 3e-15
        assert (apart < 1e-9).mean() > 0.95
        assert (plain.n_events == other.n_events).mean() > 0.97
