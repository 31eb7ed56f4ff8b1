"""A short slice of the soak, random shots in chains, all checked after every event; and the checker itself."""

import dataclasses

import numpy as np
import pytest

import simcore
from bench.clusters import ROUNDING, random_starts
from bench.shot_checks import KINDS, press_energy, violations
from bench.soak import CLUSTER_BALLS, Report, main, soak, soak_clusters
from simcore import Motion, Physics, Shots, Table
from simcore.kernel.tolerances import V_REST
from simcore.replay import play_text, shot_text
from tests.simcore.shots_for_tests import break_motion, rack


def test_ten_seconds_without_a_violation():
    report = Report()
    soak(report, seconds=10.0, max_shots=100_000, seed=20, chains=500)
    assert not report.bad, "\n".join(report.lines())
    assert report.shots >= 500


def test_clusters_without_a_violation():
    report = Report()
    soak_clusters(report, seconds=60.0, max_shots=2_000, seed=21, starts=500)
    assert not report.bad, "\n".join(report.lines())
    assert report.shots >= 500
    assert report.longest > 1_000


def test_an_interrupted_soak_reports_what_it_played(capsys, monkeypatch):
    tries = iter(range(2))

    def interrupt(results, *_, **__):
        if next(tries):
            raise KeyboardInterrupt
        return np.zeros((len(results), len(KINDS)))

    monkeypatch.setattr("bench.soak.violations", interrupt)
    assert main(["--shots", "100", "--chains", "8"]) == 0
    assert "shots 8, events" in capsys.readouterr().out


def test_a_start_of_clusters_is_printed_as_a_shot_that_plays_again(capsys, monkeypatch):
    found = np.zeros((8, len(KINDS)))
    found[5, 0] = 1e-6
    monkeypatch.setattr("bench.soak.violations", lambda *_, **__: found)
    assert main(["--clusters", "--shots", "8", "--chains", "8", "--seed", "4"]) == 1
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("overlap 1e-06: "))
    layouts, motion = random_starts(np.random.default_rng(4), 8, CLUSTER_BALLS, Table.snooker(), Physics.snooker())
    again = play_text(line.split(": ", 1)[1])
    assert again.positions.tobytes() == simcore.simulate(layouts[5], motion=motion[5]).positions.tobytes()


def test_clusters_touch_and_do_not_overlap():
    layouts, _ = random_starts(np.random.default_rng(6), 200, 9, Table.snooker(), Physics.snooker())
    apart = np.linalg.norm(layouts[:, :, None] - layouts[:, None], axis=-1) - 2.0 * Physics.snooker().R
    apart[:, np.arange(9), np.arange(9)] = np.nan
    assert np.nanmin(apart) >= -2.0 * ROUNDING
    assert (np.abs(np.nan_to_num(apart, nan=1.0)) < 1e-12).any((1, 2)).mean() > 0.8


def test_command_line(capsys):
    assert main(["--shots", "64", "--chains", "64", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "shots 64," in out
    assert "violations 0, unfinished 0" in out


def test_a_violation_is_exit_status_1(capsys, monkeypatch):
    found = np.zeros((8, len(KINDS)))
    found[3, 2] = 1e-6
    monkeypatch.setattr("bench.soak.violations", lambda *_: found)
    assert main(["--shots", "8", "--chains", "8"]) == 1
    assert "violations 1, unfinished 0" in capsys.readouterr().out


def test_violations_are_printed_as_shots_that_play_again(capsys):
    report, layouts = Report(), np.array([[[0.1 + 0.2, 0.7], [0.9, 0.8]]])
    shots = Shots([1.0 / 3.0], 0.1, 0.2, -0.1, 0.3)
    results = simcore.simulate(layouts, shots)
    found = np.zeros((1, len(KINDS)))
    found[0, 0] = 1e-6
    report.add(results, found, lambda k: shot_text(layouts[k], shots[k]))
    assert report.bad
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith("overlap 1e-06: ")
    again = play_text(line.split(": ", 1)[1])
    assert again.positions.tobytes() == results.positions[0].tobytes()


@pytest.fixture(scope="module")
def logged():
    layout = rack(1e-6)
    v, w = break_motion(np.random.default_rng(5), layout, 4)
    return simcore.simulate(layout, motion=Motion(v, w), log_events=True)


def spoilt(results, **changes):
    """The results with some arrays of the log replaced: names with an underscore are segments_ or events_ ..."""
    events = dataclasses.replace(results.events, **{k[7:]: v for k, v in changes.items() if k.startswith("events_")})
    segments = dataclasses.replace(
        results.segments, **{k[9:]: v for k, v in changes.items() if k.startswith("segments_")}
    )
    return dataclasses.replace(results, events=events, segments=segments)


def found(results):
    """Kinds of violation in shot 2, the only one that is spoilt."""
    worst = violations(results)
    assert not worst[[0, 1, 3]].any()
    return {kind for kind, amount in zip(KINDS, worst[2], strict=True) if amount > 0.0}


def test_checker_finds_nothing_in_good_shots(logged):
    assert not violations(logged).any()


class TestCheckerFinds:
    """Each kind of violation, put into one shot of four."""

    def segments(self, logged):
        values = logged.segments.values.copy()
        return values, values[logged.segments.start[2] : logged.segments.start[3]]

    def test_a_ball_that_is_moved(self, logged):
        values, mine = self.segments(logged)
        mine[30:, 1] += 1e-7
        assert "jump" in found(spoilt(logged, segments_values=values))

    def transition(self, logged, values):
        """Segments of shot 2 that begin at its last transition to rolling."""
        mine = np.zeros(len(values), np.bool_)
        mine[logged.segments.start[2] : logged.segments.start[3]] = True
        rolling = mine & (logged.segments.state == 1)
        ends = logged.events.of(2)
        times = ends.t[ends.kind == simcore.EventKind.TRANSITION]
        return np.flatnonzero(rolling & np.isin(values[:, 0], times))[-1]

    def test_an_overlap(self, logged):
        values, mine = self.segments(logged)
        mine[2, 1:3] = logged.start_positions[2, 8] + 0.02  # the ball that was hit stands inside its neighbour
        mine[2, 3:7] = 0.0
        assert "overlap" in found(spoilt(logged, segments_values=values))

    def test_energy_from_nowhere(self, logged):
        values, _ = self.segments(logged)
        values[self.transition(logged, values), 3:5] *= 1.001
        assert "energy" in found(spoilt(logged, segments_values=values))

    def test_energy_from_nowhere_in_spin(self, logged):
        values, _ = self.segments(logged)
        values[self.transition(logged, values), 9] += 50.0
        assert "energy" in found(spoilt(logged, segments_values=values))

    def test_numbers_that_are_not_finite(self, logged):
        values, mine = self.segments(logged)
        mine[10, 5] = np.nan
        assert "not finite" in found(spoilt(logged, segments_values=values))

    def test_a_gap(self, logged):
        gap = logged.events.gap.copy()
        gap[logged.events.start[2]] = 2e-12
        assert found(spoilt(logged, events_gap=gap)) == {"gap"}

    def test_times_out_of_order(self, logged):
        t = logged.events.t.copy()
        t[logged.events.start[2]] += 3.0
        assert "order" in found(spoilt(logged, events_t=t))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_energy_of_a_line_that_parts_from_a_cushion(n):
    """n contacts that open with V_REST each: the k-th ball from the cushion leaves with k V_REST."""
    gained = sum(0.5 * Physics.snooker().m * (k * V_REST) ** 2 for k in range(1, n + 1))
    assert gained < press_energy(n) < 1.02 * gained


def test_checker_finds_a_ball_beyond_a_cushion():
    """The log of a table that is wider than the one it is checked against."""
    lone, wide = np.array([[1.0, 1.0]]), simcore.Table.closed(1.9, 3.569)
    res = simcore.simulate(lone, Shots(3.0, 0.0), table=wide, log_events=True)
    assert not violations(res, wide).any()
    assert violations(res, simcore.Table.closed(1.778, 3.569))[0, KINDS.index("beyond cushion")] > 0.0


def test_checker_finds_a_graze():
    """A logged contact that would not have been one: the balls only brush past each other."""
    layout, v = np.array([[0.5, 1.0], [0.5 + 0.0525, 1.5]]), np.array([[0.0, 1.0], [0.0, 0.0]])
    hit = simcore.simulate(layout, motion=Motion(v - [[1e-7, 0.0], [0.0, 0.0]]), log_events=True)
    assert hit.first_contact == -1
    near = layout - [[0.0, 0.0], [1e-9, 0.0]]
    res = simcore.simulate(near, motion=Motion(v), log_events=True)
    assert res.first_contact == 1
    assert not violations(res).any()
    values = res.segments.values.copy()
    moved = near + np.array([[0.0, 0.0], [1e-9 - 1e-13, 0.0]])
    graze = dataclasses.replace(spoilt(res, segments_values=values), start_positions=moved)
    assert violations(graze)[0, KINDS.index("graze")] > 0.0
