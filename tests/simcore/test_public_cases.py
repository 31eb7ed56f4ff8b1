"""Public bug reports of billiards simulators, each as a kind.

A case there is one input; here the gap, the cushion, the jaw or the angle is swept, many shots a call. The numbers in
the class docstrings are those of the list, with the report they come from. Speeds are those just after the strike,
without spin unless said otherwise. `violations` walks the log: overlaps, balls beyond cushions, energy, grazes.
"""

import math

import numpy as np
import pytest

import simcore
from bench.shot_checks import KINDS, violations
from simcore import EventKind, Motion, Physics, Shots, Status, Table
from simcore.kernel.cushion import nose_distance
from tests.simcore.shots_for_tests import R, rack, scattered

PHYSICS, TABLE = Physics.snooker(), Table.snooker()
RC = nose_distance(R, PHYSICS.nose_height)
GAPS = np.array([0.0, 1e-15, 1e-12, 1e-9, 1e-6, -0.99e-12])  # left open between "touching" balls, m
NOSES = range(6)
PARKED = (0.4, 2.9)  # m, out of the way of most shots


def unit(degrees):
    """Unit vectors at angles counter-clockwise from +x (..., 2)."""
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], -1)


def run(positions, v, w=None, **options):
    """Simulate layouts (..., n, 2) whose first balls move at v (..., k, 2), with spins w (..., k, 3), k <= n."""
    positions, v = np.asarray(positions, float), np.asarray(v, float)
    lead = np.broadcast_shapes(positions.shape[:-2], v.shape[:-2])
    velocity = np.zeros((*lead, positions.shape[-2], 2))
    velocity[..., : v.shape[-2], :] = v
    spin = np.zeros((*lead, positions.shape[-2], 3))
    if w is not None:
        spin[..., : np.shape(w)[-2], :] = w
    return simcore.simulate(positions, motion=Motion(velocity, spin), **options).check()


def clean(res, table=None):
    """Assert that nothing impossible happened in a logged batch."""
    worst = violations(res, table).max(axis=0)
    assert not worst.any(), {kind: amount for kind, amount in zip(KINDS, worst, strict=True) if amount > 0.0}


def first_events(res):
    """Kind, ball, other and time of the first event of each shot."""
    first = res.events.start[:-1]
    return res.events.kind[first], res.events.ball[first], res.events.other[first], res.events.t[first]


def at_nose(nose, along, out):
    """Points `out` m from a nose, at shares `along` of its length (..., 2)."""
    x, y, nx, ny, length = TABLE.geometry.nose[:, nose]
    along, out = np.asarray(along)[..., None], np.asarray(out)[..., None]
    return np.array([x, y]) + along * length * np.array([ny, -nx]) + out * np.array([nx, ny])


def normal(nose):
    """Unit normal of a nose, onto the bed."""
    return TABLE.geometry.nose[2:4, nose]


def grid(*axes):
    """All combinations of the values on the axes, flat, one array an axis."""
    return [a.ravel() for a in np.meshgrid(*axes, indexing="ij")]


class TestCueBallOnACushion:
    """Case 1, pooltool#217 and FastFiz: a cue ball that touches a cushion and is played into it leaves the table."""

    @pytest.mark.parametrize("nose", NOSES)
    def test_rebounds_at_once(self, nose):
        gap, along, turn = grid(GAPS, [0.1, 0.37, 0.9], [-80.0, -10.0, 0.0, 10.0, 80.0])
        towards = math.degrees(math.atan2(*-normal(nose)[::-1])) + turn
        start = np.stack([at_nose(nose, along, RC + gap), np.broadcast_to(PARKED, (len(gap), 2))], 1)
        v = 2.0 * unit(towards)
        res = run(start, v[:, None], log_events=True)
        kind, ball, index, t = first_events(res)
        assert (kind == EventKind.NOSE).all()
        assert (ball == 0).all()
        assert (index == nose).all()
        into = -v @ normal(nose)
        np.testing.assert_allclose(t, np.maximum(gap, 0.0) / into, rtol=1e-3, atol=1e-15)
        clean(res)
        straight = turn == 0.0
        assert (res.pocket[straight] == -1).all()

    @pytest.mark.parametrize("nose", NOSES)
    def test_speed_is_reversed_and_smaller(self, nose):
        gap = GAPS[:, None]
        start = at_nose(nose, np.full(len(GAPS), 0.4), RC + gap[:, 0])[:, None]
        res = run(start, -2.0 * normal(nose)[None, None], log_events=True)
        for k in range(len(GAPS)):
            values, _ = res.segments.of(k, 0)
            after = values[values[:, 0] <= 1e-6][-1]  # the gap of 1e-6 m closes in half a microsecond
            assert 0.5 < after[3:5] @ normal(nose) < 0.98 * 2.0

    def test_as_reported(self):
        start = [[RC, 1.2], PARKED]
        res = run(np.array([start] * 3), 2.0 * unit([180.0, 170.0, 190.0])[:, None], log_events=True)
        clean(res)
        assert (res.pocket[0] == -1).all()
        assert (res.cushions_before[:, 0] >= 1).all()


class TestFrozenObjectBall:
    """Case 2, FastFiz: an object ball frozen to a cushion and hit goes through the rail in 86 % of hits."""

    @pytest.mark.parametrize("nose", NOSES)
    def test_full_hit(self, nose):
        gap, speed = grid(GAPS, [0.6, 1.0, 3.0, 8.0])
        near = at_nose(nose, np.full(len(gap), 0.37), RC + gap)
        res = run(np.stack([near + 0.3 * normal(nose), near], 1), -speed[:, None, None] * normal(nose), log_events=True)
        clean(res)
        assert (res.first_contact == 1).all()
        assert (res.pocket == -1).all()
        assert (res.cushions_after[:, 1] >= 1).all()

    @pytest.mark.parametrize("nose", NOSES)
    def test_cue_ball_touching_it(self, nose):
        """The three-body version: cue ball touches the object ball, which touches the cushion."""
        gap, second = grid(GAPS, np.maximum(GAPS, 0.0))
        near = at_nose(nose, np.full(len(gap), 0.37), RC + gap)
        touching = near + (2.0 * R + second)[:, None] * normal(nose)
        res = run(np.stack([touching, near], 1), -3.0 * normal(nose)[None, None], log_events=True)
        clean(res)
        assert (res.first_contact == 1).all()
        assert (res.pocket == -1).all()
        assert (res.cushions_after[:, 1] >= 1).all()

    def test_random_hits(self):
        """3,000 hits of any thickness and direction on each of the gaps, over all noses."""
        rng = np.random.default_rng(2)
        n = 3_000
        nose, gap = rng.integers(0, 6, n), rng.choice(GAPS, n)
        near = np.array([at_nose(k, rng.uniform(0.1, 0.9), RC + g) for k, g in zip(nose, gap, strict=True)])
        side = rng.uniform(-80.0, 80.0, n)
        out = np.degrees(np.arctan2(*TABLE.geometry.nose[[3, 2]][:, nose])) + side
        cue = near + rng.uniform(0.1, 0.3, n)[:, None] * unit(out)
        on_bed = (cue > RC + 1e-3).all(1) & (cue < np.array([TABLE.width, TABLE.length]) - RC - 1e-3).all(1)
        to = near - cue
        aim = np.arctan2(to[:, 1], to[:, 0]) + np.arcsin(
            rng.uniform(-0.99, 0.99, n) * 2 * R / np.linalg.norm(to, axis=1)
        )
        v = rng.uniform(0.3, 8.0, n)[:, None] * np.stack([np.cos(aim), np.sin(aim)], -1)
        res = run(np.stack([cue, near], 1)[on_bed], v[on_bed][:, None], log_events=True)
        assert on_bed.sum() > 2_000
        clean(res)


class TestSquareCorner:
    """Case 3, pooltool#217: at 45 degrees into a corner, one of two simultaneous cushions is lost."""

    def test_returns_along_the_diagonal(self):
        square = Table.closed(2.0, 2.0)
        speed, sx, sy = grid([0.7, 2.0, 5.0], [-1.0, 1.0], [-1.0, 1.0])
        direction = np.stack([sx, sy], -1) / math.sqrt(2.0)
        start = 1.0 + 0.4 * np.sqrt(2.0) * direction
        res = run(start[:, None], speed[:, None, None] * direction[:, None], table=square, log_events=True)
        clean(res, square)
        off = res.positions[:, 0] - 1.0
        np.testing.assert_allclose(off[:, 0] * sx, off[:, 1] * sy, rtol=0, atol=1e-9)
        assert (res.cushions_before[:, 0] >= 2).all()
        assert (res.cushions_before[:, 0] % 2 == 0).all()

    def test_velocity_reverses(self):
        square = Table.closed(2.0, 2.0)
        res = run([[0.6, 0.6]], 2.0 * unit(225.0)[None], table=square, log_events=True)
        hits = res.events.of(0)
        t = hits.t[hits.kind == EventKind.NOSE]
        assert t[1] - t[0] <= 1e-9
        values, _ = res.segments.of(0, 0)
        before, after = values[values[:, 0] < t[0] - 1e-9][-1], values[values[:, 0] <= t[1] + 1e-9][-1]
        assert after[3] == pytest.approx(after[4], rel=1e-12)
        assert 0.0 < after[3] < -before[3]

    @pytest.mark.parametrize("pocket", range(4))
    def test_jaw_pair_of_a_corner(self, pocket):
        """A ball too wide for the corner meets both jaws at once and comes back along the diagonal."""
        corner = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])[pocket] * (TABLE.width, TABLE.length)
        inwards = np.sign(np.array([TABLE.width, TABLE.length]) / 2.0 - corner)
        start = corner + 0.3 * inwards
        v = -np.array([0.5, 2.0, 6.0])[:, None, None] * inwards / math.sqrt(2.0)
        res = run(start[None], v, radius=0.045, log_events=True, stop="rest")
        kinds = [res.events.of(k).kind for k in range(3)]
        for k in range(3):
            first = np.flatnonzero(kinds[k] == EventKind.JAW)[:2]
            assert abs(np.diff(res.events.of(k).t[first])) <= 1e-9
            assert set(TABLE.geometry.jaw_pocket[res.events.of(k).other[first]]) == {pocket}
            after = last_velocity(res, k, 0, res.events.of(k).t[first[0]] + 1e-9) * inwards
            assert after[0] > 0.0
            assert abs(after[0] - after[1]) <= 1e-9

    @pytest.mark.parametrize("side", [0, 1])
    def test_jaw_pair_of_a_middle_pocket(self, side):
        middle = TABLE.length / 2.0
        start = np.array([[0.4 if side == 0 else TABLE.width - 0.4, middle]])
        res = run(start, [[-2.0 if side == 0 else 2.0, 0.0]], radius=0.08, log_events=True)
        assert (res.events.of(0).kind == EventKind.JAW).sum() >= 2
        assert res.pocket[0] == -1
        assert abs(res.positions[0, 1] - middle) <= 1e-9


class TestBreaks:
    """Cases 4 and 12: a ball passes through another on a break; zero-gap racks."""

    def layout(self, gap):
        pitch = 2.0 * R + gap
        reds = [
            (0.889 + (k - r / 2) * pitch, 2.70 + r * pitch * math.sqrt(0.75)) for r in range(5) for k in range(r + 1)
        ]
        return np.array([(0.889, 0.9), *reds])

    @pytest.mark.parametrize("V", [3.262213, 6.0, 10.0])
    def test_no_ball_passes_another(self, V):
        """Case 4, pooltool#154, vrc8ball#52: directions of 90 +- 8 degrees in steps of 0.02."""
        res = run(self.layout(1e-6), V * unit(90.0 + np.arange(-400, 401) * 0.02)[:, None], log_events=True)
        clean(res)

    def test_against_a_dense_sampler(self):
        res = run(self.layout(1e-6), 6.0 * unit([86.0, 90.0, 91.3])[:, None], log_events=True)
        for k in range(3):
            for t in np.array_split(np.linspace(0.0, float(res.duration[k]), 40_000), 20):
                at = res.trajectory(k, t)
                apart = np.linalg.norm(at[:, :, None] - at[:, None], axis=-1) + np.eye(16)
                assert np.nanmin(apart) >= 2.0 * R - 1e-9

    def test_gaps_of_a_perfect_rack(self):
        """Case 12, FastFiz-P6: any gap works, also none at all; the outcome does depend on it, chaotically."""
        res = [run(self.layout(gap), [[0.0, 10.0]], log_events=True) for gap in (0.0, 1e-12, 1e-9, 1e-6, 1e-4)]
        for one in res:
            clean(one)
            assert 50 < one.n_events < 2_000
        assert not np.allclose(res[0].positions, res[3].positions, atol=1e-3, equal_nan=True)


class TestThinContacts:
    """Case 5, tailuge: contacts that fall between time steps are missed; ours are found down to 1e-11 m of overlap."""

    @pytest.mark.parametrize("degrees", [90.0, 0.0, 37.0, 211.3])
    def test_every_overlap_and_no_miss(self, degrees):
        overlap, V, k = grid([1e-5, 1e-6, 1e-9, 1e-11, -1e-11, -1e-9, -1e-6, -1e-5], [1.0, 3.0, 5.0], np.arange(200))
        along, across = unit(degrees), unit(degrees - 90.0)
        target = np.array([0.889, 1.8])
        cue = target + (2.0 * R - overlap)[:, None] * across - (0.6 - k * 1e-4)[:, None] * along
        res = run(
            np.stack([cue, np.broadcast_to(target, cue.shape)], 1), (V[:, None] * along)[:, None], stop="first_contact"
        )
        np.testing.assert_array_equal(res.first_contact == 1, overlap > 0.0)

    def test_rolling_and_screwing_balls_too(self):
        overlap, k, spin = grid([1e-6, 1e-9, -1e-9, -1e-6], np.arange(50), [-200.0, 0.0, 40.0, 90.0])
        cue = np.stack([0.889 + 2.0 * R - overlap, 1.2 + k * 1e-4], -1)
        w = np.zeros((len(k), 1, 3))
        w[:, 0, 0] = -spin  # about -x: topspin for a ball that goes up the table
        start = np.stack([cue, np.broadcast_to([0.889, 1.8], cue.shape)], 1)
        res = run(start, np.array([[0.0, 3.0]]), w, stop="first_contact")
        np.testing.assert_array_equal(res.first_contact == 1, overlap > 0.0)


class TestJaws:
    """Case 8, jaks6/WebGL-Billiards#6, vrcbce#198: stuck in the jaws, or off the table and counted as a pot."""

    @pytest.mark.parametrize("pockets", ["pro", "club", "tight"])
    def test_every_jaw_at_every_angle(self, pockets):
        table = Table.snooker(pockets)
        rng = np.random.default_rng(8)
        jaw, depth, V = grid(
            np.arange(12),
            np.concatenate([10.0 ** np.arange(-12.0, -1.9), -(10.0 ** np.arange(-9.0, -5.0))]),
            [0.5, 2.0, 6.0],
        )
        jaw = np.tile(jaw.astype(int), 6)
        depth, V = np.tile(depth, 6), np.tile(V, 6)
        centre = table.geometry.jaw[:2, jaw].T
        start = np.array([0.889, 1.7845]) + rng.uniform(-0.5, 0.5, (len(jaw), 2)) * (1.0, 2.0)
        to = centre - start
        miss = table.geometry.jaw[2, jaw] + RC - depth
        aim = np.arctan2(to[:, 1], to[:, 0]) + rng.choice([-1.0, 1.0], len(jaw)) * np.arcsin(
            miss / np.linalg.norm(to, axis=1)
        )
        v = V[:, None] * np.stack([np.cos(aim), np.sin(aim)], -1)
        res = run(start[:, None], v[:, None], table=table, log_events=True)
        clean(res, table)
        on_bed = np.isfinite(res.positions[:, 0]).all(-1)
        assert (on_bed == (res.pocket[:, 0] == -1)).all()
        assert (res.status == Status.REST).all()
        assert res.n_events.max() <= 100
        hit = np.unique(res.events.other[res.events.kind == EventKind.JAW])
        np.testing.assert_array_equal(hit, np.arange(12))

    @pytest.mark.parametrize("nose", NOSES)
    @pytest.mark.parametrize("end", [0, 1])
    def test_creeping_onto_a_nose(self, nose, end):
        """A ball that is over the jaw when it crosses the nose's line, by less than a graze, does not sink in."""
        slope, before = grid(10.0 ** np.arange(-10.0, -4.4, 0.5), [1e-8, 1e-7, 1e-6, 1e-5])
        length = TABLE.geometry.nose[4, nose]
        along = TABLE.geometry.nose[[3, 2], nose] * (1.0, -1.0) * (1.0 - 2.0 * end)
        v = along - slope[:, None] * normal(nose)
        start = at_nose(nose, end + (2.0 * end - 1.0) * before / length, RC)
        w = np.stack([-v[:, 1], v[:, 0], 0.0 * slope], -1)[:, None] / R
        clean(run(start[:, None], v[:, None], w, log_events=True))

    @pytest.mark.parametrize("nose", NOSES)
    @pytest.mark.parametrize("end", [0, 1])
    def test_creeping_off_a_nose_and_back(self, nose, end):
        """A ball that leaves a nose at its end, closing by less than a graze, is drawn back over it and meets it."""
        slope, off = grid(10.0 ** np.arange(-9.0, -3.9, 0.5), [1e-4, 1e-3, 1e-2])
        inwards = TABLE.geometry.nose[[3, 2], nose] * (1.0, -1.0) * (1.0 - 2.0 * end)
        v = -off[:, None] * inwards
        slip = slope[:, None] * normal(nose) - inwards
        start = at_nose(nose, end + (1.0 - 2.0 * end) * 2e-8 / TABLE.geometry.nose[4, nose], RC + 5e-15)
        w = np.stack([slip[:, 1] - v[:, 1], v[:, 0] - slip[:, 0], 0.0 * slope], -1)[:, None] / R
        result = run(np.broadcast_to(start, (len(slope), 1, 2)), v[:, None], w, log_events=True)
        clean(result)
        assert (result.cushions_before + result.cushions_after > 0).all()

    def test_rattling_comes_to_an_end(self):
        """Balls started between the jaws in all directions, up to 8 m/s."""
        rng = np.random.default_rng(9)
        places = np.array([(0.04, 0.04), (0.05, 0.03), (TABLE.width - 0.04, 0.045), (0.012, 1.7845), (0.02, 1.80)])
        start = places[rng.integers(0, len(places), 3_000)]
        v = rng.uniform(0.05, 8.0, 3_000)[:, None] * unit(rng.uniform(0.0, 360.0, 3_000))
        w = rng.normal(0.0, 60.0, (3_000, 1, 3))
        res = run(start[:, None], v[:, None], w, log_events=True)
        clean(res)
        assert res.n_events.max() <= 100


class TestTermination:
    """Case 9, pooltool#239, AI3603-Billiards#5: some shot hangs, or eats all memory."""

    def test_the_reported_strike_on_many_layouts(self):
        rng = np.random.default_rng(239)
        layouts = np.concatenate([[rack(gap) for gap in (0.0, 1e-12, 1e-6)], [scattered(rng, 22) for _ in range(200)]])
        shot = Shots(
            3.737866163253784, math.radians(284.9704885482788), math.radians(54.09402161836624), 0.008599, -0.026516
        )
        res = simcore.simulate(layouts, shot, log_events=True, max_events=2_000).check()
        clean(res)

    def test_random_strikes(self):
        """5,000 strikes up to 7 m/s, 60 degrees, whole miscue circle (bench/soak.py plays millions, chained)."""
        rng = np.random.default_rng(10)
        n = 5_000
        layouts = np.array([scattered(rng, 22) for _ in range(50)])
        around, off = rng.uniform(0.0, 2.0 * np.pi, n), 0.51 * np.sqrt(rng.random(n))
        shots = Shots(
            rng.uniform(0.0, 7.0, n), rng.uniform(-np.pi, np.pi, n), rng.uniform(0.0, np.pi / 3.0, n),
            off * np.cos(around), off * np.sin(around),
        )  # fmt: skip
        res = simcore.simulate(layouts[np.arange(n) % 50], shots).check()
        assert (res.status == Status.REST).all()
        assert res.n_events.max() <= 2_000

    def test_a_truncated_shot_is_named(self):
        res = simcore.simulate(rack(1e-6), Shots(6.0, np.pi / 2), max_events=10)
        assert res.status == Status.EVENT_CAP
        with pytest.raises(simcore.SimulationError, match="EVENT_CAP"):
            res.check()


class TestNewtonsCradle:
    """Case 10, pooltool PR#257: four balls in line, touching or nearly."""

    def test_finite_and_continuous(self):
        gaps = np.array([0.0, 1e-12, 1e-9, 1e-6, 1e-4])
        line = [np.array([(0.889, 1.3), *((0.889, 1.8 + (2.0 * R + g) * i) for i in range(4))]) for g in gaps]
        res = run(np.array(line), [[0.0, 2.0]], log_events=True)
        clean(res)
        assert (res.n_events < 20_000).all()
        assert (np.abs(res.positions[..., 0] - 0.889) < 1e-9).all()

    def test_only_the_last_ball_leaves(self):
        """e = 1, before the cloth acts: the cue ball starts touching the first ball."""
        gaps = np.array([0.0, 1e-12, 1e-9, 1e-6, 1e-4])
        line = np.array([[(0.889, 1.8 + (2.0 * R + g) * i) for i in range(5)] for g in gaps])
        elastic = Physics.snooker(e_ball=1.0)
        res = run(line, [[0.0, 2.0]], physics=elastic, log_events=True)
        for k, gap in enumerate(gaps):
            blow = 5.0 * gap / 2.0 + 1e-8  # s, the blow has run down the line by then
            v = [last_velocity(res, k, ball, blow) for ball in range(5)]
            np.testing.assert_allclose(v, [[0.0, 0.0]] * 4 + [[0.0, 2.0]], rtol=0, atol=2e-3 if gap > 1e-9 else 1e-6)


def last_velocity(res, k, ball, t):
    """Velocity with which a ball's last segment up to time t begins; 0 if it has none."""
    values, _ = res.segments.of(k, ball)
    values = values[values[:, 0] <= t]
    return values[-1, 3:5] if len(values) else np.zeros(2)


class TestSymmetricDoubleHit:
    """Case 11, FastFiz and tailuge: a ball played straight between two touching ones comes out asymmetric."""

    def test_stays_mirror_symmetric(self):
        gap, V = grid([0.0, 1e-12, 1e-9, 1e-6], [0.5, 2.0, 6.0])
        half = R + gap
        middle = 0.889
        start = np.stack(
            [
                np.stack([np.full(len(gap), middle), np.full(len(gap), 1.3)], -1),
                np.stack([middle + half, np.full(len(gap), 1.8)], -1),
                np.stack([middle - half, np.full(len(gap), 1.8)], -1),
            ],
            1,
        )
        res = run(start, np.stack([np.zeros(len(V)), V], -1)[:, None], log_events=True)
        clean(res)
        assert (np.abs(res.positions[:, 0, 0] - middle) <= 1e-9).all()
        both = res.pocket[:, 1] == -1
        assert ((res.pocket[:, 1] == -1) == (res.pocket[:, 2] == -1)).all()
        x, y = np.moveaxis(res.positions[both], -1, 0)
        np.testing.assert_allclose(x[:, 1] - middle, middle - x[:, 2], rtol=0, atol=1e-9)
        np.testing.assert_allclose(y[:, 1], y[:, 2], rtol=0, atol=1e-9)
        assert (res.first_contacts == [False, True, True]).all()


class TestOverlappingPlacement:
    """Case 15, tailuge, FastFiz: overlapping balls are refused at the door, naming the pair."""

    @pytest.mark.parametrize("overlap", [R, 1e-3, 1.1e-7])
    def test_refused(self, overlap):
        with pytest.raises(ValueError, match="ball 1 and ball 2 overlap"):
            run([[0.5, 0.5], [0.9, 1.0], [0.9 + 2.0 * R - overlap, 1.0]], [[1.0, 0.0]])

    @pytest.mark.parametrize("overlap", [0.9e-7, 1e-9, 1e-12])
    def test_tiny_overlap_counts_as_touching(self, overlap):
        given = np.array([[0.889, 1.0], [0.889 + 2.0 * R - overlap, 1.0]])
        res = run(np.array([given] * 2), unit([180.0, 0.0])[:, None])
        np.testing.assert_array_equal(res.start_positions, [given] * 2)
        assert list(res.moved_by[:, 1]) == [-1, 0]
        assert (res.positions[0, 1] == given[1]).all()


class TestTouchingBall:
    """Case 16, tailuge: played away from a touching ball, it stays; played into it by a degree, it moves."""

    AWAY = (90.0, 90.001, 91.0, 100.0, 120.0, 180.0)
    INTO = (89.95, 89.9, 89.0, 60.0, 0.0)

    def play(self, from_line, gaps):
        line, gap, turn = grid(np.arange(0.0, 360.0, 7.5), gaps, from_line)
        start = np.full((len(line), 2, 2), (0.889, 1.7))
        start[:, 1] += (2.0 * R + gap)[:, None] * unit(line)
        return start, run(start, unit(line + turn)[:, None])

    def test_away(self):
        start, res = self.play(self.AWAY, [0.0, 1e-12, 1e-9, 1e-6])
        start_only = run(start, np.zeros((1, 2)))
        assert (start_only.n_events == 0).all()
        still = res.moved_by[:, 1] == -1
        later = res.moved_time[:, 1] > 0.3  # back from a cushion, long after
        assert (still | later).all()
        assert still.mean() > 0.5
        assert (res.positions[still, 1] == start[still, 1]).all()
        assert not res.first_contacts[still].any()

    def test_into(self):
        _, res = self.play(self.INTO, [0.0, 1e-12, 1e-9])
        assert (res.first_contact == 1).all()
        assert (res.moved_time[:, 1] < 1e-4).all()

    def test_strikes(self):
        """The same with a cue, with draw and follow: a touching ball at exactly 90 degrees or more is not moved."""
        line, turn, b = grid(np.arange(0.0, 360.0, 22.5), [90.0, 91.0, 120.0, -90.0], [-0.4, 0.0, 0.4])
        start = np.full((len(line), 2, 2), (0.889, 1.7))
        start[:, 1] += 2.0 * R * unit(line)
        angle = np.radians((line + turn) % 360.0)
        res = simcore.simulate(start, Shots(1.0, angle, 0.0, 0.0, b))
        assert res.touching[:, 1].all()
        assert ((res.moved_by[:, 1] == -1) | (res.moved_time[:, 1] > 0.3)).all()


class TestRestingBall:
    """Case 17, w0rm/elm-pool PR#19: a ball resting on a cushion emits cushion events."""

    def test_no_cushion_events(self):
        rng = np.random.default_rng(17)
        nose, gap, k = grid(np.arange(6), GAPS, np.arange(40))
        resting = np.array([at_nose(int(n), rng.uniform(0.1, 0.9), RC + g) for n, g in zip(nose, gap, strict=True)])
        start = np.stack([np.broadcast_to([0.889, 1.3], resting.shape), resting], 1)
        v = rng.uniform(0.5, 4.0, len(k))[:, None] * unit(rng.uniform(0.0, 360.0, len(k)))
        res = run(start, v[:, None], log_events=True)
        alone = res.moved_by[:, 1] == -1
        assert alone.sum() > 1_000
        assert not res.cushions_before[alone, 1].any()
        assert not res.cushions_after[alone, 1].any()
        shot = np.repeat(np.arange(len(k)), np.diff(res.events.start))
        assert not ((res.events.ball == 1) & alone[shot]).any()

    def test_rolling_along_a_cushion(self):
        """A ball rolled exactly along a nose has no contact with it, nor with the jaws of the middle pocket."""
        gap, V, direction = grid(np.maximum(GAPS, 0.0), [0.5, 1.0, 2.0], [1.0, -1.0])
        start = np.stack([RC + gap, np.where(direction > 0.0, 0.5, 3.0)], -1)
        w = np.zeros((len(V), 1, 3))
        w[:, 0, 0] = -V * direction / R
        res = run(start[:, None], np.stack([0.0 * V, V * direction], -1)[:, None], w, log_events=True)
        clean(res)
        jaw = res.events.other[(res.events.kind == EventKind.JAW)]
        assert not np.isin(jaw, np.flatnonzero(TABLE.geometry.jaw_pocket >= 4)).any()
        assert not (res.events.kind == EventKind.NOSE)[res.events.t < 0.3].any()

    def test_creeping_into_a_cushion(self):
        """However slowly a ball that rolls along a nose closes, it does not sink in (found by the soak)."""
        closing, rolls = grid(np.concatenate([[0.0], 10.0 ** np.arange(-16.0, -2.0)]), [0.0, 1.0])
        v = np.stack([-closing, np.full(len(closing), -0.55)], -1)
        w = rolls[:, None, None] / R * np.stack([-v[:, 1], v[:, 0], 0.0 * closing], -1)[:, None]
        res = run([[RC, 1.2]], v[:, None], w, log_events=True)
        clean(res)
        on_bed = np.isnan(res.positions[:, 0, 0]) == (rolls == 1.0)  # rolling, it gets as far as the corner pocket
        assert on_bed.all()
        assert np.nanmin(res.positions[:, 0, 0]) >= RC - 2e-12

    def test_creeping_into_a_ball(self):
        """The same for two touching balls that roll side by side."""
        closing = np.concatenate([[0.0], 10.0 ** np.arange(-16.0, -2.0)])
        v = np.zeros((len(closing), 2, 2)) + np.array([0.0, 0.5])
        v[:, 0, 0] = closing
        w = np.stack([-v[..., 1], v[..., 0], 0.0 * v[..., 0]], -1) / R
        res = run([[0.889 - 2.0 * R, 0.6], [0.889, 0.6]], v, w, log_events=True)
        clean(res)
        apart = np.linalg.norm(res.positions[:, 1] - res.positions[:, 0], axis=-1)
        assert (apart >= 2.0 * R - 2e-12).all()


class TestStopping:
    """Case 19, potato-ball-issues#5, tailuge#54: a slow ball, or one that spins on the spot, never sleeps."""

    def test_rolling(self):
        V = 10.0 ** np.arange(-11.0, -0.1)
        w = np.zeros((len(V), 1, 3))
        w[:, 0, 1] = V / R
        res = run([[0.889, 1.7]], np.stack([V, 0.0 * V], -1)[:, None], w)
        np.testing.assert_allclose(res.duration, V / (PHYSICS.mu_roll * PHYSICS.g), rtol=1e-9)

    def test_sliding(self):
        V = 10.0 ** np.arange(-10.0, 0.1)
        res = run([[0.889, 1.0]], np.stack([0.0 * V, V], -1)[:, None])
        slide, roll = 2.0 * V / (7.0 * PHYSICS.mu_slide * PHYSICS.g), 5.0 / 7.0 * V / (PHYSICS.mu_roll * PHYSICS.g)
        np.testing.assert_allclose(res.duration, slide + roll, rtol=1e-9)

    def test_spinning_on_the_spot(self):
        spin = np.array([-1e3, -50.0, -1e-9, 0.0, 1e-12, 50.0, 300.0])
        w = np.zeros((len(spin), 1, 3))
        w[:, 0, 2] = spin
        res = run([[0.889, 1.0]], np.zeros((len(spin), 1, 2)), w)
        np.testing.assert_array_equal(res.duration, np.abs(spin) / PHYSICS.alpha_spin)
        assert (res.moved_by == -1).all()
        assert not res.spins.any()
        assert (res.n_events == 0).all()

    def test_side_that_outlasts_the_roll(self):
        res = run([[0.889, 1.0]], [[0.1, 0.0]], [[0.0, 0.1 / R, 90.0]])
        assert res.duration == pytest.approx(9.0, rel=1e-12)
        assert not res.spins.any()


class TestDoors:
    """Cases 21 and 22."""

    def test_cue_ball_alone(self):
        """Case 21, pooltool#288."""
        res = simcore.simulate([[0.889, 0.5]], Shots([0.0, 1.0, 6.0], 1.0, 0.1, 0.1, 0.2)).check()
        assert (res.status == Status.REST).all()
        assert (res.first_contact == -1).all()

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1.0])
    def test_bad_speed_is_named(self, bad):
        """Case 22, FastFiz: a generic error for nan."""
        with pytest.raises(ValueError, match=r"Shots\.V0\[1\]"):
            Shots([1.0, bad], 0.0)

    def test_no_speed_at_all(self):
        res = simcore.simulate([[0.889, 0.5], [0.889, 0.5 + 2.0 * R]], Shots(0.0, np.pi / 2))
        assert res.status == Status.REST
        assert res.duration == 0.0
        assert list(res.moved_by) == [-1, -1]

    @pytest.mark.parametrize(
        ("cushion", "status"), [("mathavan2010", Status.EVENT_CAP), ("mathavan2010_steps", Status.NOT_FINITE)]
    )
    def test_a_bad_row_harms_no_other(self, cushion, status):
        """At 1e200 m/s one cushion model squares the speed and overflows; the other lets the ball come off for ever."""
        physics = simcore.Physics.snooker(cushion_model=cushion)
        v = np.zeros((5, 2, 2))
        v[:, 0, 1] = [1.0, 2.0, 1e200, 3.0, 4.0]
        layout = [[0.889, 0.5], [0.889, 1.5]]
        with np.errstate(all="ignore"):  # without compiling, NumPy would warn of the overflow
            res = simcore.simulate(layout, motion=Motion(v), physics=physics, max_events=1_000)
        good = [0, 1, 3, 4]
        assert res.status[2] == status
        assert (res.status[good] == Status.REST).all()
        alone = simcore.simulate(layout, motion=Motion(v[good]), physics=physics)
        assert res.positions[good].tobytes() == alone.positions.tobytes()


class TestStunDrawFollow:
    """Case 28, pooltool PR#153: a head-on shot with backspin makes the cue ball go forward."""

    def play(self, spin):
        """Full hits in all directions from 0.3 m; spin at impact in units of V / R about the rolling axis."""
        direction, V = grid(np.arange(0.0, 360.0, 15.0), [0.6, 2.0])
        along = unit(direction)
        start = np.stack([np.broadcast_to([0.889, 1.7845], along.shape), (0.889, 1.7845) + 2.0 * R * along], 1)
        w = spin * V[:, None, None] / R * np.stack([-along[:, 1], along[:, 0], 0.0 * V], -1)[:, None]
        res = run(start, (V[:, None] * along)[:, None], w, log_events=True)
        clean(res)
        shift = [res.trajectory(k, [0.25])[0, 0] - start[k, 0] for k in range(len(V))]
        return V, along, np.einsum("ki,ki->k", shift, along), res

    def test_stun_stops(self):
        V, along, ahead, res = self.play(0.0)
        e = PHYSICS.e_ball
        for k in range(len(V)):
            after = last_velocity(res, k, 0, 1e-9)
            np.testing.assert_allclose(after, (1.0 - e) / 2.0 * V[k] * along[k], rtol=0, atol=1e-9)
        assert (ahead >= 0.0).all()
        assert (ahead < 0.05 * V).all()

    def test_draw_reverses(self):
        assert (self.play(-1.0)[2] < -0.01).all()

    def test_follow_advances(self):
        assert (self.play(1.0)[2] > 0.02).all()
