"""The comparison with pooltool, without pooltool: matched conventions and coefficients, and that differences show."""

import copy
import json
import math

import numpy as np
import pytest

import simcore
from bench.against_pooltool import (
    TABLE,
    ball_arguments,
    compare,
    cue_arguments,
    lines,
    matched_physics,
    own_events,
    question,
    random_shots,
    report,
    ties_by_name,
)
from simcore.kernel.cushion import nose_distance

PHYSICS = matched_physics("frictional", 1.0)


@pytest.fixture(scope="module")
def played():
    """Ten shots, and our first five events of each."""
    layouts, shots = random_shots(np.random.default_rng(5), 10)
    results = simcore.simulate(layouts, shots, table=TABLE, physics=PHYSICS, log_events=True)
    return layouts, shots, [own_events(results, i, 5) for i in range(10)]


def test_conventions_are_those_of_from_pooltool(played):
    _, shots, _ = played
    cue = cue_arguments(shots)
    again = simcore.Shots.from_pooltool(cue["V0"], cue["phi"], cue["theta"], cue["a"], cue["b"])
    for field in ("V0", "phi", "theta", "a", "b"):
        np.testing.assert_allclose(getattr(again, field), getattr(shots, field), rtol=1e-14, atol=0)


def test_up_the_table_with_right_side():
    cue = cue_arguments(simcore.Shots(2.0, math.pi / 2.0, 0.1, 0.25, -0.2))
    assert cue["phi"] == pytest.approx(90.0)
    assert cue["theta"] == pytest.approx(math.degrees(0.1))
    assert (cue["a"], cue["b"]) == (-0.25, -0.2)


def test_matched_coefficients():
    """Each formula of pooltool's with its arguments against ours."""
    ball = ball_arguments(PHYSICS)
    u_sp = ball["u_sp_proportionality"] * ball["R"]
    assert 5.0 * u_sp * ball["g"] / (2.0 * ball["R"]) == pytest.approx(PHYSICS.alpha_spin, rel=1e-15)
    assert nose_distance(PHYSICS.R, PHYSICS.nose_height) == PHYSICS.R  # cushions touch at the distance R
    res = simcore.simulate([[0.9, 1.0]], simcore.Shots(2.0, 0.3, 0.0, 0.2, -0.1), physics=PHYSICS, log_events=True)
    struck = np.hypot(*res.segments.values[0, 3:5])
    assert struck == pytest.approx(2.0 * 2.0 / (1.0 + PHYSICS.m / PHYSICS.cue_mass + 2.5 * (0.04 + 0.01)), rel=1e-14)
    assert math.atan2(*res.segments.values[0, [4, 3]]) == pytest.approx(0.3, rel=1e-14)  # no squirt


def test_question_is_json(played):
    layouts, shots, _ = played
    given = json.loads(json.dumps(question(layouts, shots, PHYSICS, 5, None)))
    assert len(given["shots"]) == 10
    assert given["shots"][3]["positions"] == layouts[3].tolist()
    assert given["shots"][3]["a"] == -shots.a[3]
    assert given["ball_model"] == "frictional"


class TestComparison:
    def answers(self, played):
        return [{"events": events, "error": ""} for events in copy.deepcopy(played[2])]

    def test_the_same(self, played):
        found = report(played[2], self.answers(played))
        assert not found.partings
        assert not found.bad
        assert all(c.dt == 0.0 and c.dr == 0.0 for shot in found.compared for c in shot)
        assert sum(map(len, found.compared)) == 50
        assert "first event the same in 10, all compared events in 10" in lines(found)[0]

    @pytest.mark.parametrize("change", [{"kind": "other"}, {"balls": [4]}, {"t": 1e-3}])
    def test_another_first_event(self, played, change):
        answers = self.answers(played)
        answers[4]["events"][0] |= change
        assert report(played[2], answers).bad == [4]

    def test_another_place(self, played):
        answers = self.answers(played)
        answers[2]["events"][0]["positions"][5][1] += 2e-9
        found = report(played[2], answers)
        assert found.bad == [2]
        assert found.compared[2][0].dr == pytest.approx(2e-9, rel=1e-6)

    def test_an_event_that_is_not_there(self, played):
        answers = self.answers(played)
        del answers[7]["events"][-1]
        answers[7]["error"] = "ValueError: none"
        found = report(played[2], answers)
        assert list(found.partings) == [7]
        assert "pooltool nothing; it raised ValueError: none" in found.partings[7][1]

    def test_order(self, played):
        mine = played[2][0][:3]
        late = [{**event, "t": float(k)} for k, event in enumerate(mine)]
        same, how = compare(late, [late[0], {**late[2], "t": 1.0}, {**late[1], "t": 2.0}])
        assert len(same) == 1
        assert how.startswith("order: ")

    def test_ties_have_no_order(self):
        places = [[0.0, 0.0]]
        tied = [{"kind": "transition", "balls": [b], "t": 1.0 + b * 1e-16, "positions": places} for b in (0, 1)]
        assert compare(ties_by_name(tied), ties_by_name(tied[::-1])) == ([(0, 0.0, 0.0)] * 2, "")
