"""The door: one shot or many, on any number of threads, compiled or not, give the same bits; wrong input is named."""

import dataclasses
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import simcore
from simcore import EventKind, Motion, Physics, Shots, Status, Table
from simcore.simulate import SERIAL_BELOW
from tests.simcore.shots_for_tests import R, break_motion, rack, scattered

ROOT = Path(__file__).resolve().parents[2]
TWO = np.array([[0.889, 0.9], [0.889, 1.9]])
FIELDS = [f.name for f in dataclasses.fields(simcore.ShotResults) if f.name not in ("events", "segments")]


def same_bits(one, two):
    """Names of the arrays that differ in any bit."""
    return [name for name in FIELDS if getattr(one, name).tobytes() != getattr(two, name).tobytes()]


def mixed_batch(n_shots=96, n_balls=9, seed=11):
    """Layouts (n_shots, n_balls, 2) and random strikes, with some balls absent and some miscues."""
    rng = np.random.default_rng(seed)
    layouts = np.array([scattered(rng, n_balls) for _ in range(n_shots)])
    layouts[rng.random((n_shots, n_balls)) < 0.2] = np.nan
    layouts[:, 0] = [scattered(rng, 1)[0] * 0 + (0.889, 0.35)] * n_shots
    layouts[:, 1:][np.linalg.norm(layouts[:, 1:] - layouts[:, :1], axis=-1) < 0.06] = np.nan
    off = rng.uniform(-0.4, 0.4, (2, n_shots))
    shots = Shots(
        rng.uniform(0.3, 6.0, n_shots), rng.uniform(0, 2 * np.pi, n_shots), rng.uniform(0, 0.5, n_shots), *off
    )
    return layouts, shots


def bits_by_model():
    """All that a small batch gives, as bytes, with the default models, the others, and with unequal balls."""
    n_balls = 6
    layouts, shots = mixed_batch(n_shots=6, n_balls=n_balls)
    smaller = np.linspace(1.0, 0.8, n_balls)
    found = []
    for options in (
        {},
        {"physics": Physics.snooker(cushion_model="mathavan2010_steps", ball_model="frictionless")},
        {"physics": Physics.snooker(cushion_model="mirror", mu_slide=0.9)},
        {"radius": R * smaller, "mass": Physics.snooker().m * smaller**3},
    ):
        results = simcore.simulate(layouts, shots, log_events=True, **options)
        found.append([getattr(results, name).tobytes() for name in FIELDS] + [results.segments.values.tobytes()])
    return found


class TestSameNumbersEverywhere:
    """DESIGN section 3.10."""

    def test_a_batch_row_is_the_single_shot(self):
        layouts, shots = mixed_batch()
        batch = simcore.simulate(layouts, shots)
        for k in range(0, len(shots), 7):
            assert same_bits(batch[k], simcore.simulate(layouts[k], shots[k])) == []

    def test_threads_do_not_matter(self):
        layouts, shots = mixed_batch(n_shots=300)
        one = simcore.simulate(layouts, shots, threads=1)
        for threads in range(2, numba.config.NUMBA_NUM_THREADS + 1):
            assert same_bits(one, simcore.simulate(layouts, shots, threads=threads)) == []
        assert same_bits(one, simcore.simulate(layouts, shots)) == []
        assert len(np.unique(one.n_events)) > 5  # the shots do differ

    def test_breaks_on_one_thread_and_many(self):
        layout = rack(1e-5)
        v, w = break_motion(np.random.default_rng(2), layout, 80)
        one = simcore.simulate(layout, motion=Motion(v, w), threads=1)
        assert same_bits(one, simcore.simulate(layout, motion=Motion(v, w))) == []

    def test_neighbours_in_the_batch_do_not_matter(self):
        layouts, shots = mixed_batch()
        order = np.random.default_rng(3).permutation(len(shots))
        batch, shuffled = simcore.simulate(layouts, shots), simcore.simulate(layouts[order], shots[order])
        assert same_bits(batch[order], shuffled) == []

    def test_without_compiling(self):
        """The same source as plain Python, in a process of its own, with every model and with unequal balls."""
        program = (
            "import json\n"
            "from tests.simcore.test_simulate import bits_by_model\n"
            "print(json.dumps([[a.hex() for a in bits] for bits in bits_by_model()]))"
        )
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert json.loads(run.stdout) == [[a.hex() for a in bits] for bits in bits_by_model()]

    def test_numbers_of_balls_do_not_matter(self):
        """Permuting the reds permutes the result, bit for bit (physics.md section 6)."""
        rng = np.random.default_rng(4)
        for gap in (1e-12, 1e-5):
            layout = rack(gap)
            v, w = break_motion(rng, layout, 20)
            order = np.concatenate([np.arange(7), 7 + rng.permutation(15)])
            plain = simcore.simulate(layout, motion=Motion(v, w))
            permuted = simcore.simulate(layout[order], motion=Motion(v[:, order], w[:, order]))
            assert plain.positions[:, order].tobytes() == permuted.positions.tobytes()
            assert (plain.n_events == permuted.n_events).all()

    def test_logging_changes_nothing(self):
        layouts, shots = mixed_batch()
        assert same_bits(simcore.simulate(layouts, shots), simcore.simulate(layouts, shots, log_events=True)) == []


CONTACT_KINDS = (EventKind.BALL, EventKind.NOSE, EventKind.JAW)
RC = math.sqrt(R**2 - (Physics.snooker().nose_height - R) ** 2)


def place_before(res, k, ball, t):
    """Where the motion that a ball had before the instant of time t takes it by t, m."""
    values, _ = res.segments.of(k, ball)
    values = values[values[:, 0] < t - 1e-9]
    if not len(values):
        return res.start_positions[k, ball]
    dt = t - values[-1, 0]
    return values[-1, 1:3] + values[-1, 3:5] * dt + values[-1, 5:7] * dt**2


def gap_before(res, k, e):
    """Distance that logged contact `e` of shot `k` leaves open, from the motions before it, m."""
    log, geometry = res.events.of(k), Table.snooker().geometry
    other, place = log.other[e], place_before(res, k, log.ball[e], log.t[e])
    if log.kind[e] == EventKind.BALL:
        return math.dist(place, place_before(res, k, other, log.t[e])) - 2.0 * R
    if log.kind[e] == EventKind.NOSE:
        return (place - geometry.nose[:2, other]) @ geometry.nose[2:4, other] - RC
    return math.dist(place, geometry.jaw[:2, other]) - geometry.jaw[2, other] - RC


def overlapping(kind, overlap):
    """Starts (n, 2, 2) whose ball 0 is `overlap` (n,) too deep in ball 1, nose 2 or jaw 9; the way in (2,); which."""
    geometry = Table.snooker().geometry
    start = np.full((len(overlap), 2, 2), (0.9, 2.5))
    if kind == EventKind.BALL:
        out, other = np.array([0.6, -0.8]), 1
        start[:, 0] = start[:, 1] + (2.0 * R - overlap)[:, None] * out
    elif kind == EventKind.NOSE:
        out, other = geometry.nose[2:4, 2], 2
        start[:, 0] = geometry.nose[:2, 2] + (0.0, -0.2) + (RC - overlap)[:, None] * out
    else:
        out, other = np.array([0.96, -0.28]), 9  # a little way from where the jaw joins the nose
        start[:, 0] = geometry.jaw[:2, 9] + (geometry.jaw[2, 9] + RC - overlap)[:, None] * out
    return start, -out, other


class TestLog:
    def test_contacts_are_exact(self):
        """DESIGN section 3.3: at every logged contact the gap is at most 1e-12 m, and no balls ever overlap."""
        layout = rack(1e-6)
        v, w = break_motion(np.random.default_rng(5), layout, 5)
        res = simcore.simulate(layout, motion=Motion(v, w), log_events=True)
        for k in range(5):
            log = res.events.of(k)
            assert len(log) == res.n_events[k]
            assert np.abs(log.gap).max() <= 1e-12
            assert (np.diff(log.t) >= -1e-9).all()
            times = np.concatenate([log.t, log.t[:-1] + 0.5 * np.diff(log.t)])
            places = res.trajectory(k, times)
            apart = np.linalg.norm(places[:, :, None] - places[:, None], axis=-1) + np.eye(22)
            assert np.nanmin(apart) >= 2.0 * R - 1e-12

    def test_gaps_are_those_of_the_motions(self):
        """The logged gap is what the motions before the contact leave open at its time, not a number of its own."""
        layouts, shots = mixed_batch(n_shots=400)
        res = simcore.simulate(layouts, shots, log_events=True)
        seen = {kind: [] for kind in CONTACT_KINDS}
        for k in range(400):
            log = res.events.of(k)
            for e in np.flatnonzero(np.isin(log.kind, CONTACT_KINDS)):
                if np.sum(np.abs(log.t - log.t[e]) <= 2e-9) == 1:  # alone in its instant
                    seen[log.kind[e]].append((log.gap[e], gap_before(res, k, e)))
        for kind, pairs in seen.items():
            logged, own = np.array(pairs).T
            assert len(pairs) >= 50, kind
            assert np.count_nonzero(logged) > 0.2 * len(pairs)  # rounding leaves something open
            np.testing.assert_allclose(logged, own, rtol=0, atol=5e-15)

    @pytest.mark.parametrize("kind", CONTACT_KINDS)
    def test_gap_of_an_overlap_at_the_start(self, kind):
        """Balls placed a little inside each other or a cushion, and driven on: the contact says how deep they were."""
        overlap = 10.0 ** np.linspace(-10.0, -7.05, 40)
        start, towards, other = overlapping(kind, overlap)
        velocities = np.zeros_like(start)
        velocities[:, 0] = 0.7 * towards
        res = simcore.simulate(start, motion=Motion(velocities), log_events=True)
        for k in range(len(overlap)):
            log = res.events.of(k)
            assert (log.t[0], log.kind[0], log.ball[0], log.other[0]) == (0.0, kind, 0, other)
            assert log.gap[0] == pytest.approx(-overlap[k], rel=0, abs=5e-15)
            assert log.gap[0] == pytest.approx(gap_before(res, k, 0), rel=0, abs=5e-15)

    def test_gap_of_a_contact_later_in_the_instant(self):
        """Two contacts 0.2 to 0.8 ns apart are resolved together; each gap is that of its own time."""
        later = np.linspace(0.2e-9, 0.8e-9, 7)
        speed, apart = 5.0, 2.0 * R
        start = np.full((7, 3, 2), (0.9, 1.5))
        start[:, 1] += apart * np.array([-0.5, math.sqrt(0.75)])
        start[:, 2, 0] += 0.5 * apart
        start[:, 2, 1] += math.sqrt(0.75) * apart + speed * later
        start[:, 0, 1] -= 1e-4
        velocities = np.zeros_like(start)
        velocities[:, 0, 1] = speed
        res = simcore.simulate(start, motion=Motion(velocities), log_events=True)
        for k in range(7):
            log = res.events.of(k)
            first = np.argsort(log.t[:2])
            assert list(log.other[first]) == [1, 2]
            assert log.t[first[1]] - log.t[first[0]] == pytest.approx(later[k], rel=0.05)
            assert np.abs(log.gap[:2]).max() <= 2e-15
            for e in first:
                assert log.gap[e] == pytest.approx(gap_before(res, k, e), rel=0, abs=2e-15)

    def test_trajectory_ends_where_the_shot_ends(self):
        layouts, shots = mixed_batch(n_shots=20)
        res = simcore.simulate(layouts, shots, log_events=True)
        for k in range(20):
            first, last = res.trajectory(k, [0.0, float(res.duration[k])])
            np.testing.assert_array_equal(first, layouts[k])
            np.testing.assert_allclose(last, res.positions[k], rtol=0, atol=1e-12)

    def test_needs_a_log(self):
        with pytest.raises(ValueError, match="log_events=True"):
            simcore.simulate(TWO, Shots(1.0, 1.0)).trajectory(0, [0.0])


class TestStopRules:
    """DESIGN section 3.7: the shorter rules give the beginning of the full run."""

    def test_first_contact(self):
        layouts, shots = mixed_batch()
        full = simcore.simulate(layouts, shots, log_events=True)
        short = simcore.simulate(layouts, shots, stop="first_contact", log_events=True)
        stopped = short.status == Status.FIRST_CONTACT
        assert 20 < stopped.sum() < 96
        assert (full.first_contacts.any(1) == stopped).all()
        for k in np.flatnonzero(stopped):
            n = int(short.n_events[k])
            np.testing.assert_array_equal(short.events.of(k).t, full.events.of(k).t[:n])
            assert short.events.of(k).kind[-1] == EventKind.BALL
            np.testing.assert_array_equal(short.positions[k], full.trajectory(k, [short.duration[k]])[0])
            assert (
                np.linalg.norm(short.velocities[k, 0]) + np.nanmax(np.linalg.norm(short.velocities[k, 1:], axis=-1)) > 0
            )

    def test_first_pot(self):
        res = simcore.simulate(TWO[:1], Shots(2.0, np.arctan2(-0.9, -0.889)), stop="first_pot")
        assert res.status == Status.FIRST_POT
        assert res.pocket[0] == 0
        assert res.duration == res.pot_time[0]

    def test_first_pot_is_the_beginning_of_the_full_run(self):
        """To the bit: the log up to the first fall, and the place of every ball then."""
        rng = np.random.default_rng(31)
        layouts = np.array([scattered(rng, 12) for _ in range(150)])
        shots = Shots(rng.uniform(4.0, 7.0, 150), rng.uniform(-np.pi, np.pi, 150))
        full = simcore.simulate(layouts, shots, log_events=True)
        short = simcore.simulate(layouts, shots, log_events=True, stop="first_pot")
        potted = np.flatnonzero(short.status == Status.FIRST_POT)
        assert 10 < len(potted) < 150
        np.testing.assert_array_equal(potted, np.flatnonzero((full.pocket >= 0).any(-1)))
        for k in potted:
            begun, whole = short.events.of(k), full.events.of(k)
            for name in ("t", "kind", "ball", "other", "gap"):
                mine = getattr(begun, name)
                assert mine.tobytes() == getattr(whole, name)[: len(mine)].tobytes()
            at = full.pot_time[k].min()
            assert short.duration[k] == at == short.pot_time[k].min()
            np.testing.assert_array_equal(short.positions[k], full.trajectory(k, [at])[0])

    def test_rest_has_no_motion_left(self):
        layouts, shots = mixed_batch()
        res = simcore.simulate(layouts, shots)
        assert not res.velocities.any()
        assert not res.spins.any()


class TestFacts:
    def test_hits_nothing(self):
        """Public case 24: the strike is no contact."""
        res = simcore.simulate(TWO, Shots(0.3, 0.0))
        assert res.first_contact == -1
        assert not res.first_contacts.any()
        assert list(res.moved_by) == [0, -1]
        assert list(res.pot_time) == [math.inf, math.inf]
        assert list(res.moved_time) == [0.0, math.inf]

    def test_first_contact_and_what_moved_what(self):
        res = simcore.simulate(np.vstack([TWO, [[0.889, 2.4]]]), Shots(2.0, np.pi / 2))
        assert res.first_contact == 1
        assert list(res.moved_by) == [0, 0, 1]
        assert res.moved_time[0] == 0.0 < res.moved_time[1] < res.moved_time[2] < res.duration

    @pytest.mark.parametrize("speeds", [(2.0, 1.0), (1.0, 2.0)])
    def test_of_two_pushes_at_once_the_harder_counts(self, speeds):
        """Whichever ball is the harder one, the one to the left or the one to the right."""
        way = np.array([[math.sqrt(0.75), 0.5], [-math.sqrt(0.75), 0.5]])
        layout = np.array([*((0.9, 1.7) - 2.0 * R * way), (0.9, 1.7)])
        v = np.array([*(np.array(speeds)[:, None] * way), (0.0, 0.0)])
        res = simcore.simulate(layout, motion=Motion(v))
        assert list(res.moved_by) == [0, 1, int(np.argmax(speeds))]
        assert res.moved_time[2] < 1e-12

    def test_cushions_before_and_after(self):
        res = simcore.simulate(np.array([[0.889, 0.6], [0.889, 1.2]]), Shots(1.5, -np.pi / 2))
        assert list(res.cushions_before) == [1, 0]
        assert res.first_contact == 1

    def test_cushions_are_counted_as_the_log_has_them(self):
        res = simcore.simulate(*mixed_batch(n_shots=24), log_events=True)
        assert min(res.cushions_before.sum(), res.cushions_after.sum()) > 20
        for k in range(24):
            log = res.events.of(k)
            met = np.append(log.t[(log.kind == simcore.EventKind.BALL) & (log.ball == 0)], np.inf)[0]
            at_cushion = np.isin(log.kind, [simcore.EventKind.NOSE, simcore.EventKind.JAW])
            for counted, period in ((res.cushions_before, log.t < met), (res.cushions_after, log.t > met)):
                np.testing.assert_array_equal(counted[k], np.bincount(log.ball[at_cushion & period], minlength=9))

    def test_miscue_leaves_the_balls(self):
        res = simcore.simulate(TWO, Shots(2.0, 1.0, a=0.6))
        assert res.status == Status.MISCUE
        assert res.duration == 0.0
        np.testing.assert_array_equal(res.positions, TWO)

    def test_touching(self):
        res = simcore.simulate(np.array([[0.7, 2.3], [0.7 + 2 * R, 2.3], [0.7, 2.3 + 2 * R + 1e-3]]), Shots(1.0, np.pi))
        assert list(res.touching) == [False, True, False]

    def test_event_cap_is_reported(self):
        res = simcore.simulate(np.array([TWO, TWO]), Shots([2.0, 0.0], np.pi / 2), max_events=3)
        assert list(res.status) == [Status.EVENT_CAP, Status.REST]
        with pytest.raises(simcore.SimulationError, match=r"1 of 2 shots.*\[0\].*EVENT_CAP"):
            res.check()

    def test_spin_on_the_spot_has_an_exact_end(self):
        """Public case 19: pure side on a resting ball, and tiny speeds, end at the analytic time."""
        res = simcore.simulate(TWO, motion=Motion([[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0, 50.0], [0.0, 0.0, 0.0]]))
        assert res.duration == 5.0
        assert res.n_events == 0
        slow = simcore.simulate(TWO[:1], motion=Motion([[1e-6, 0.0]], [[0.0, 1e-6 / R, 0.0]]))
        assert slow.duration == pytest.approx(1e-6 / (0.0127 * 9.81), rel=1e-12)


class TestDoors:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "either shots or motion"),
            ({"shots": Shots(1.0, 1.0), "motion": Motion(np.zeros((2, 2)))}, "either shots or motion"),
            ({"shots": Shots(1.0, 1.0), "stop": "now"}, "stop = 'now'.*first_contact"),
            ({"shots": Shots(1.0, 1.0), "threads": 0}, "threads = 0"),
            ({"shots": Shots(1.0, 1.0), "threads": 4096}, "threads = 4096.*at most"),
            ({"shots": Shots(1.0, 1.0), "max_events": 0}, "max_events = 0"),
            ({"shots": Shots(1.0, 1.0), "mass": [1.0]}, "mass has shape"),
            ({"shots": Shots(1.0, 1.0), "mass": -1.0}, "mass = -1"),
            ({"shots": Shots(1.0, 1.0), "radius": 0.0}, "radius"),
            ({"motion": Motion(np.zeros((3, 2)))}, "motion is for 3 balls: expected 2"),
        ],
    )
    def test_refuses(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            simcore.simulate(TWO, **arguments)

    def test_refuses_axes_that_do_not_broadcast(self):
        with pytest.raises(ValueError, match=r"shot axes \(3,\), the shots \(2,\)"):
            simcore.simulate(np.array([TWO] * 3), Shots([1.0, 2.0], 1.0))

    def test_refuses_a_strike_without_a_cue_ball(self):
        with pytest.raises(ValueError, match=r"positions\[1\]: ball 0 is absent"):
            simcore.simulate(np.array([TWO, [[np.nan, np.nan], [0.5, 0.5]]]), Shots(1.0, 1.0))

    def test_refuses_other_things_as_shots(self):
        with pytest.raises(TypeError, match=r"expected simcore\.Shots"):
            simcore.simulate(TWO, (1.0, 2.0))

    def test_empty_batch(self):
        res = simcore.simulate(TWO, Shots(np.zeros(0), 1.0))
        assert len(res) == 0
        assert res.positions.shape == (0, 2, 2)

    def test_axes_broadcast_as_in_numpy(self):
        layouts = np.array([TWO, TWO + 0.1, TWO + 0.2])[:, None]
        res = simcore.simulate(layouts, Shots([1.0, 2.0], 1.5))
        assert res.shape == (3, 2)
        assert res.positions.shape == (3, 2, 2, 2)
        assert same_bits(res[2, 1], simcore.simulate(TWO + 0.2, Shots(2.0, 1.5))) == []

    def test_given_positions_stay_as_they_are(self):
        given = TWO.copy()
        given.setflags(write=False)
        simcore.simulate(given, Shots(3.0, 1.5))
        np.testing.assert_array_equal(given, TWO)

    @pytest.mark.parametrize("axes", [(), (3,), (2, 3)])
    @pytest.mark.parametrize("moving", [False, True])
    def test_results_own_their_memory(self, axes, moving):
        """Nothing that one call returns is an argument's, or another call's, memory; what it was given it leaves."""
        layouts = np.broadcast_to(TWO, (*axes, 2, 2)).copy()
        radius, mass = np.array([R, R]), np.array([0.14, 0.14])
        start = {"motion": Motion(np.full((*axes, 2, 2), 0.5))} if moving else {"shots": Shots(np.full(axes, 2.0), 1.5)}
        given = [layouts, radius, mass, *(array for batch in start.values() for array in vars(batch).values())]
        one, two = (simcore.simulate(layouts, **start, radius=radius, mass=mass, log_events=True) for _ in range(2))
        told, before = one.positions.tobytes(), layouts.tobytes()
        own = [getattr(one, name) for name in FIELDS] + [one.events.t, one.segments.values]
        for array in own:
            assert not any(np.shares_memory(array, other) for other in given)
            assert not any(np.shares_memory(array, getattr(two, name)) for name in FIELDS)
            assert sum(np.shares_memory(array, other) for other in own) == 1
        for name in FIELDS:
            assert getattr(one, name).flags.writeable == (name != "start_positions")
        layouts[:], radius[:], mass[:] = 7.0, 7.0, 7.0
        assert (one.positions.tobytes(), one.start_positions.tobytes()) == (told, before)

    def test_positions_may_lie_in_memory_in_any_order(self):
        layouts, shots = mixed_batch(n_shots=6, n_balls=5)
        plain, radius = simcore.simulate(layouts, shots), np.linspace(0.024, R, 5)
        for given in (np.asfortranarray(layouts), layouts[::-1].copy()[::-1], layouts.astype(">f8"), layouts.tolist()):
            assert same_bits(plain, simcore.simulate(given, shots)) == []
        small = simcore.simulate(layouts, shots, radius=radius, mass=radius)
        assert same_bits(small, simcore.simulate(layouts, shots, radius=list(radius), mass=list(radius))) == []
        turned = radius[::-1].copy()[::-1]
        assert same_bits(small, simcore.simulate(layouts, shots, radius=turned, mass=turned)) == []
        assert same_bits(plain, small) != []

    def test_the_defaults_are_as_good_as_new_ones(self):
        """A default is made once, and nobody can change it."""
        layouts, shots = mixed_batch(n_shots=12)
        default = simcore.simulate(layouts, shots)
        mine = Table.snooker()
        for part in mine.geometry:
            with pytest.raises(ValueError, match="read-only"):
                part[...] = 0
        with pytest.raises(TypeError):
            mine.spots["pink"] = (0.0, 0.0)
        assert same_bits(default, simcore.simulate(layouts, shots)) == []
        fresh = {"table": Table.snooker(), "physics": Physics.snooker(), "radius": Physics().R, "mass": Physics().m}
        assert same_bits(default, simcore.simulate(layouts, shots, **fresh)) == []

    @pytest.mark.parametrize("n_shots", [1, SERIAL_BELOW - 1, SERIAL_BELOW])
    def test_threads_are_checked_for_batches_of_any_size(self, n_shots):
        shots = Shots(np.linspace(0.5, 1.0, n_shots), 1.0)
        for wrong in (0, 4096, 1.5, True):
            with pytest.raises(ValueError, match=f"threads = {wrong}"):
                simcore.simulate(TWO, shots, threads=wrong)
        one = simcore.simulate(TWO, shots, threads=1)
        assert same_bits(one, simcore.simulate(TWO, shots)) == []

    def test_one_hundred_balls_on_a_large_table(self):
        grid = np.stack(np.meshgrid(np.arange(10), np.arange(10)), -1).reshape(-1, 2) * 0.2 + 0.1
        res = simcore.simulate(grid, Shots(5.0, 0.3), table=Table.closed(2.0, 2.0))
        assert res.check().status == Status.REST

    def test_overflow_is_named(self):
        """A row whose arithmetic overflows is named, and its neighbours are right."""
        v = np.zeros((2, 1, 2))
        v[0, 0, 0], v[1, 0, 0] = 1e300, 1.0
        with np.errstate(all="ignore"):  # NumPy would warn of the overflow where the kernels run uncompiled
            res = simcore.simulate(TWO[:1], motion=Motion(v), max_events=1000)
        assert res.status[0] in (Status.NOT_FINITE, Status.EVENT_CAP)
        assert res.status[1] == Status.REST
        with pytest.raises(simcore.SimulationError):
            res.check()


def test_physics_and_table_reach_the_kernel():
    """Every switch changes the result: none is ignored on the way."""
    lay, shots = np.array([[0.3, 0.3], [0.6, 0.62], [1.2, 1.0]]), Shots(4.0, 0.8, 0.1, 0.2, 0.2)
    base = simcore.simulate(lay, shots)
    for change in (
        {"mu_slide": 0.2}, {"mu_roll": 0.01}, {"alpha_spin": 9.0}, {"ball_model": "frictionless"}, {"e_ball": 0.9},
        {"mu_ball_floor": 0.01}, {"mu_ball_range": 0.1}, {"mu_ball_decay": 1.0}, {"cushion_model": "mirror"},
        {"e_cushion": 0.9}, {"mu_cushion": 0.2}, {"nose_height": 0.037}, {"cushion_model": "mathavan2010_steps"},
        {"cue_mass": 0.6}, {"e_tip": 0.7}, {"end_mass_ratio": 30.0}, {"g": 9.8}, {"m": 0.14},
    ):  # fmt: skip
        assert same_bits(base, simcore.simulate(lay, shots, physics=Physics.snooker(**change))), change
    fine = Physics.snooker(cushion_model="mathavan2010_steps", cushion_steps=30)
    coarse = fine._replace(cushion_steps=20)
    assert same_bits(simcore.simulate(lay, shots, physics=fine), simcore.simulate(lay, shots, physics=coarse))
    assert same_bits(base, simcore.simulate(lay, shots, table=Table.closed(1.778, 3.569)))


WITH_THREADS = """
import numpy as np, simcore, threading
from tests.simcore.test_simulate import mixed_batch, same_bits
batch = mixed_batch(n_shots=200)
alone, found = simcore.simulate(*batch, threads=1), []
def play():
    found.append(same_bits(alone, simcore.simulate(*batch)))
"""
TWO_THREADS = """
workers = [threading.Thread(target=play) for _ in range(4)]
[worker.start() for worker in workers]
[worker.join() for worker in workers]
"""
FORKED = """
import multiprocessing
play()
def in_child(_):
    return same_bits(alone, simcore.simulate(*batch))
with multiprocessing.get_context("fork").Pool(2) as pool:
    found += pool.map_async(in_child, range(4)).get(timeout=100)
"""


@pytest.mark.parametrize("layer", ["omp", "workqueue"])
@pytest.mark.parametrize("program", [TWO_THREADS, FORKED], ids=["two Python threads", "forked processes"])
def test_parallel_runs_from_threads_and_children(program, layer):
    """The workqueue layer aborts when entered twice, the omp layer ends a forked child: neither happens here."""
    code = WITH_THREADS + program + "\nprint(sorted(map(len, found)), len(found))"
    environment = {**os.environ, "NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": "2", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=200, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("]")[0].strip("[").replace("0", "").strip(", ") == ""
    assert int(run.stdout.split()[-1]) >= 4


def test_large_balls_meet_the_jaws():
    """A pocket's zone reaches as far as the ball: no jaw contact is missed whatever the radius."""
    rng = np.random.default_rng(8)
    shots = Motion(v=2.0 * rng.uniform(-2.2, -0.2, (2000, 1, 2)))
    for radius in (0.02625, 0.05):
        starts = rng.uniform((0.2, 0.2), (0.5, 0.5), (2000, 1, 2))
        res = simcore.simulate(
            starts, motion=shots, radius=radius, physics=Physics.snooker(nose_height=0.036), log_events=True
        )
        jaw = Table.snooker().geometry.jaw
        reach = math.sqrt(radius**2 - (0.036 - radius) ** 2)
        for k in np.flatnonzero(np.bincount(np.repeat(np.arange(2000), np.diff(res.events.start)), minlength=2000) > 2)[
            :150
        ]:
            path = res.trajectory(int(k), np.linspace(0.0, min(1.5, float(res.duration[k])), 400))[:, 0]
            for j in (0, 1):  # the two jaws of the bottom left pocket
                x, y = path[:, 0] - jaw[0, j], path[:, 1] - jaw[1, j]
                inside = (jaw[3, j] * y - jaw[4, j] * x >= 0) & (x * jaw[6, j] - y * jaw[5, j] >= 0)
                assert not (inside & (np.hypot(x, y) < jaw[2, j] + reach - 1e-9)).any()


class TestMotionWithoutEnd:
    """Cloth without friction, or with hardly any: contacts are found however late they are."""

    @pytest.mark.parametrize("mu_roll", [0.0, 1e-300])
    def test_a_slow_ball_meets_a_far_one(self, mu_roll):
        """Uniform motion over 2 m - 2 R at 1e-5 m/s: the contact comes after LONGEST."""
        physics, v = Physics.snooker(mu_slide=0.0, mu_roll=mu_roll), 1e-5
        start, motion = [[1.0, 1.0], [1.0, 3.0]], Motion([[0.0, v], [0.0, 0.0]], [[-v / R, 0.0, 0.0], [0.0] * 3])
        res = simcore.simulate(
            start, motion=motion, physics=physics, table=Table.closed(2.0, 4.0), stop="first_contact", log_events=True
        )
        assert res.status == Status.FIRST_CONTACT
        assert res.duration == pytest.approx((2.0 - 2.0 * R) / v, rel=1e-9)
        assert res.events.other[-1] == 1
        assert res.trajectory(0, [1.5e5])[0, 0] == pytest.approx((1.0, 2.5), rel=1e-9)

    @pytest.mark.parametrize("coefficients", [{"mu_roll": 0.0}, {"mu_roll": 1e-12}, {"g": 1e-300}, {"mu_slide": 0.0}])
    def test_no_ball_leaves_a_table_without_pockets(self, coefficients):
        """Nor is a shot at rest that still moves: it ends at the event cap."""
        table, physics = Table.closed(1.778, 3.569), Physics.snooker(**coefficients)
        shots = Shots(3.0, np.linspace(0.0, 6.2, 50), a=0.1, b=0.2)
        res = simcore.simulate(TWO, shots, physics=physics, table=table, max_events=3000, threads=1)
        reach = math.sqrt(R**2 - (physics.nose_height - R) ** 2) - 1e-9
        assert (res.positions >= reach).all()
        assert (res.positions <= np.array([table.width, table.length]) - reach).all()
        moving = res.velocities.any((-2, -1))
        assert (moving == (res.status == Status.EVENT_CAP)).all()
        assert moving.all() or coefficients in ({"mu_slide": 0.0}, {"mu_roll": 1e-12})

    def test_more_cushions_than_are_counted(self):
        """The count stays at the greatest number that it can hold, it does not turn negative."""
        elastic = Physics.snooker(mu_roll=0.0, mu_slide=0.0, e_cushion=1.0, e_cushion_floor=1.0, cushion_model="mirror")
        res = simcore.simulate(
            [[1.0, 1.0]], motion=Motion([[8.0, 0.0]]), physics=elastic, table=Table.closed(2.0, 4.0), max_events=33_000
        )
        assert (int(res.status), int(res.n_events)) == (Status.EVENT_CAP, 33_000)
        assert res.cushions_before.tolist() == [2**15 - 1]


class TestShotNumbers:
    """Logs count shots from the end too, as arrays do."""

    def test_the_last_shot(self):
        res = simcore.simulate(TWO, Shots([1.0, 2.0, 3.0], 1.5), log_events=True)
        for k in range(3):
            assert res.events.of(k - 3).t.tobytes() == res.events.of(k).t.tobytes() != b""
            assert res.segments.of(k - 3, 0)[0].tobytes() == res.segments.of(k, 0)[0].tobytes() != b""
            times = [0.0, 0.3, 9.0]
            assert res.trajectory(k - 3, times).tobytes() == res.trajectory(k, times).tobytes()

    @pytest.mark.parametrize("k", [3, -4])
    def test_no_such_shot(self, k):
        res = simcore.simulate(TWO, Shots([1.0, 2.0, 3.0], 1.5), log_events=True)
        for ask in (res.events.of, lambda k: res.segments.of(k, 0), lambda k: res.trajectory(k, [0.0])):
            with pytest.raises(IndexError, match=str(k)):
                ask(k)
