"""The race with pooltool, without pooltool: matched speeds, turns, and what is made of its answers."""

import json
import math

import numpy as np
import pytest

import simcore
from bench import peers
from bench.peers import compare, line, peer_shots, question
from bench.workloads import WORKLOADS


@pytest.fixture
def workload():
    return WORKLOADS["8 balls"]().part(slice(4))


def test_the_cue_ball_leaves_with_the_same_speed(workload):
    physics = simcore.Physics.snooker()
    for k, shot in enumerate(peer_shots(workload, physics)):
        log = simcore.simulate(workload.positions[k], workload.shots[k], log_events=True)
        ours = math.hypot(*log.segments.values[0, 3:5])
        assert 2.0 * shot["V0"] / (1.0 + physics.m / physics.cue_mass) == pytest.approx(ours, rel=1e-14)
        assert math.radians(shot["phi"]) == pytest.approx(float(workload.shots.phi[k]), rel=1e-14)
        assert shot["positions"] == workload.positions[k].tolist()


def test_question_is_json(workload):
    given = json.loads(json.dumps(question({"8 balls": workload})))
    assert given["pockets"]
    assert len(given["workloads"]["8 balls"]) == 4


class Answers:
    """A pooltool that takes 2, 1, 1, ... s for a shot and raises in the third one."""

    def __init__(self):
        self.asked = 0

    def ask(self, name):
        assert name == "8 balls"
        self.asked += 1
        slow = 2.0 if self.asked == 1 else 1.0
        return {"seconds": [slow, slow, None, slow + 3.0], "events": [10, 12, None, 14]}


def test_least_times_of_the_shots_that_end(workload, monkeypatch):
    monkeypatch.setattr(peers, "thread_seconds", lambda work: work() is None or 0.51)
    other = Answers()
    found = compare(workload, other, 2)
    assert other.asked == 3
    assert found.shots == 3
    assert found.theirs_s == pytest.approx(2.0)
    assert found.their_events == 12.0
    assert found.ours_s == pytest.approx(1e-3)
    ours = workload.part(np.array([0, 1, 3])).run().n_events.mean()
    assert found.our_events == ours
    assert line(found).startswith("8 balls     2,000 times as fast: pooltool 0.5 shots/s with 12 events, ours 1,000")
