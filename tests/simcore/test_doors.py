"""Doors (issue item 10): whatever is given either works or raises, naming field, value and index.

Those of tests/simcore/test_simulate.py (arguments that contradict each other, axes, event cap, overflow) are not
repeated here.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simcore
from simcore import Motion, Physics, Shots, Status, Table
from tests.simcore.shots_for_tests import R, scattered

TWO = np.array([[0.889, 0.9], [0.889, 1.9]])
ONE = TWO[:1]
NAN, INF = math.nan, math.inf


class TestStrikes:
    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("V0", NAN, r"Shots.V0\[1\] = nan: expected a finite number"),
            ("V0", INF, r"Shots.V0\[1\] = inf: expected a finite number"),
            ("V0", -1e-9, r"Shots.V0\[1\] = -1e-09: expected a speed >= 0"),
            ("phi", NAN, r"Shots.phi\[1\] = nan"),
            ("phi", -INF, r"Shots.phi\[1\] = -inf"),
            ("phi", 90.0, r"Shots.phi\[1\] = 90.0: .*degrees\?"),
            ("theta", -0.01, r"Shots.theta\[1\] = -0.01: expected radians in \[0, pi/2\)"),
            ("theta", math.pi / 2, r"Shots.theta\[1\] = 1.57"),
            ("theta", 45.0, r"Shots.theta\[1\] = 45.0: .*degrees\?"),
            ("theta", NAN, r"Shots.theta\[1\] = nan"),
            ("a", 1.01, r"Shots.a\[1\] = 1.01 and Shots.b\[1\] = 0.0: expected a\^2 \+ b\^2 <= 1"),
            ("b", -2.0, r"Shots.a\[1\] = 0.0 and Shots.b\[1\] = -2.0"),
            ("a", NAN, r"Shots.a\[1\] = nan"),
            ("b", INF, r"Shots.b\[1\] = inf"),
        ],
    )
    def test_one_bad_value_in_a_batch_is_named(self, field, value, message):
        good = {"V0": 1.0, "phi": 1.0, "theta": 0.0, "a": 0.0, "b": 0.0}
        with pytest.raises(ValueError, match=message):
            Shots(**{**good, field: [good[field], value, good[field]]})

    @pytest.mark.parametrize("value", ["fast", None, [[1.0], [1.0, 2.0]], 1j, [True], b"1"])
    def test_what_is_no_number_is_named(self, value):
        with pytest.raises(ValueError, match=r"Shots\.V0"):
            Shots(value, 1.0)

    def test_shapes_that_do_not_broadcast(self):
        with pytest.raises(ValueError, match=r"V0 \(2,\), phi \(3,\)"):
            Shots([1.0, 2.0], [1.0, 2.0, 3.0])

    @pytest.mark.parametrize(("a", "b"), [(1.0, 0.0), (0.0, -1.0), (0.6, 0.8)])
    def test_the_rim_of_the_ball_is_a_miscue(self, a, b):
        assert simcore.simulate(ONE, Shots(1.0, 1.0, a=a, b=b)).status == Status.MISCUE

    @pytest.mark.parametrize("V0", [0.0, 5e-324, 1e-300, 1e-12])
    def test_hardly_any_speed(self, V0):
        res = simcore.simulate(TWO, Shots(V0, 1.0)).check()
        np.testing.assert_allclose(res.positions, TWO, rtol=0, atol=1e-12)
        assert res.first_contact == -1

    @pytest.mark.parametrize("V0", [50.0, 100.0])
    def test_far_too_much_speed_ends_too(self, V0):
        res = simcore.simulate(TWO, Shots(V0, [1.0, 2.0], b=0.3), table=Table.closed(1.778, 3.569))
        assert np.isin(res.status, (Status.REST, Status.EVENT_CAP)).all()
        assert np.isfinite(res.positions).all()

    def test_the_steepest_elevation(self):
        steep = np.nextafter(np.pi / 2, 0.0)
        assert simcore.simulate(TWO, Shots(4.0, 1.0, steep, 0.3, 0.3)).check().status == Status.REST


class TestMotions:
    @pytest.mark.parametrize(
        ("v", "w", "message"),
        [
            ([[NAN, 0.0], [0.0, 0.0]], None, r"Motion.v\[0, 0\] = nan: expected a finite number"),
            ([[0.0, 0.0], [0.0, INF]], None, r"Motion.v\[1, 1\] = inf"),
            (np.zeros((2, 2)), [[0.0, 0.0, NAN], [0.0] * 3], r"Motion.w\[0, 2\] = nan"),
            (np.zeros((2, 3)), None, r"Motion.v has shape \(2, 3\): expected \(..., n_balls, 2\)"),
            (np.zeros((2, 2)), np.zeros((2, 2)), r"Motion.w has shape \(2, 2\)"),
            (np.zeros((2, 2)), np.zeros((3, 3)), "broadcast"),
            (1.0, None, "Motion.v has shape"),
            ("fast", None, "Motion.v"),
        ],
    )
    def test_bad_values_are_named(self, v, w, message):
        with pytest.raises(ValueError, match=message):
            Motion(v, w)

    def test_motion_of_an_absent_ball_is_not_looked_at(self):
        layout = np.array([TWO[0], [NAN, NAN]])
        v = [[0.0, 1.0], [5.0, 5.0]]
        assert simcore.simulate(layout, motion=Motion(v)).positions[0].tobytes() == (
            simcore.simulate(ONE, motion=Motion(v[:1])).positions[0].tobytes()
        )

    def test_an_absent_cue_ball_may_be_set_in_motion(self):
        layout = np.array([[NAN, NAN], TWO[1]])
        res = simcore.simulate(layout, motion=Motion([[1.0, 0.0], [0.0, 1.0]])).check()
        assert res.first_contact == -1
        assert np.isnan(res.positions[0]).all()
        assert res.moved_by.tolist() == [-1, 1]


class TestPositions:
    @pytest.mark.parametrize(
        ("layout", "message"),
        [
            ([[0.5, 0.5], [NAN, 0.9]], r"ball 1 at \(nan, 0.9\) has one coordinate nan"),
            ([[0.5, 0.5], [0.9, INF]], r"ball 1 at \(0.9, inf\) is not finite"),
            ([[0.5, 0.5], [0.5, 0.55]], "ball 0 and ball 1 overlap"),
            ([[0.5, 0.5], [0.01, 0.9]], r"ball 1 at \(0.01, 0.9\) is .* from a cushion"),
            ([[0.5, 0.5], [0.0, 0.0]], "ball 1 .* fall circle of the bottom left pocket"),
            ([[0.5, 0.5], [5.0, 9.0]], r"ball 1 at \(5.0, 9.0\) is off the bed"),
            ([[0.5, 0.5], [-0.5, 1.0]], "ball 1"),
        ],
    )
    @pytest.mark.parametrize("row", [None, 0, 2])
    def test_a_bad_layout_is_named_by_row_ball_and_value(self, layout, message, row):
        given = layout if row is None else [TWO.tolist()] * row + [layout] + [TWO.tolist()]
        where = "positions: " if row is None else rf"positions\[{row}\]: "
        with pytest.raises(ValueError, match=where + message):
            simcore.simulate(given, Shots(1.0, 1.0))

    @pytest.mark.parametrize(
        "positions", [0.5, [0.5, 0.5], np.zeros((2, 3)), np.zeros((0, 2)), np.zeros((3, 0, 2)), [], [[]]]
    )
    def test_wrong_shapes_and_no_balls(self, positions):
        with pytest.raises(ValueError, match=r"positions has shape .*expected \(..., n_balls, 2\)"):
            simcore.simulate(positions, Shots(1.0, 1.0))

    @pytest.mark.parametrize("positions", ["here", None, [[0.5, 0.5], [0.5]], [["a", "b"]], [[1j, 0]]])
    def test_what_is_no_number(self, positions):
        with pytest.raises(ValueError, match="positions"):
            simcore.simulate(positions, Shots(1.0, 1.0))

    def test_an_overlap_of_rounding_size_is_a_touch(self):
        """DESIGN section 2: under 1e-7 m counts as touching; positions given are never altered."""
        for overlap in (0.99e-7, 1e-9, 1e-15):
            layout = np.array([[0.5, 0.5], [0.5 + 2.0 * R - overlap, 0.5]])
            res = simcore.simulate(layout, Shots(0.2, math.pi)).check()  # away, and not as far as the cushion
            assert res.touching.tolist() == [False, True]
            assert res.positions[1].tobytes() == layout[1].tobytes()
        with pytest.raises(ValueError, match="overlap"):
            simcore.simulate([[0.5, 0.5], [0.5 + 2.0 * R - 1.01e-7, 0.5]], Shots(1.0, math.pi))

    def test_only_the_cue_ball(self):
        res = simcore.simulate(ONE, Shots(2.0, 1.0), log_events=True).check()
        assert res.positions.shape == (1, 2)
        assert res.first_contact == -1

    @pytest.mark.parametrize("n", [1, 2, 22, 30])
    def test_only_absent_balls_but_the_cue_ball(self, n):
        layout = np.full((n, 2), NAN)
        layout[0] = TWO[0]
        res = simcore.simulate(layout, Shots(2.0, 1.0)).check()
        assert res.positions[0].tobytes() == simcore.simulate(ONE, Shots(2.0, 1.0)).positions[0].tobytes()

    def test_no_ball_on_the_table(self):
        res = simcore.simulate(np.full((3, 2), NAN), motion=Motion(np.zeros((3, 2)))).check()
        assert res.duration == 0.0
        assert np.isnan(res.positions).all()

    @pytest.mark.parametrize("kind", [list, tuple, np.float32, np.int64, "fortran", "strided", "readonly"])
    def test_any_array_of_the_same_numbers(self, kind):
        """A read-only, strided or integer array is another type to numba: the door makes them one."""
        plain = np.array([[1.0, 1.0], [1.0, 2.0]])
        given = {
            list: plain.tolist,
            tuple: lambda: tuple(map(tuple, plain.tolist())),
            np.float32: lambda: plain.astype(np.float32),
            np.int64: lambda: plain.astype(np.int64),
            "fortran": lambda: np.asfortranarray(plain),
            "strided": lambda: np.repeat(plain, 2, axis=0)[::2],
            "readonly": lambda: np.broadcast_to(plain, (2, 2)),
        }[kind]()
        expect = simcore.simulate(plain, Shots(3.0, 1.5))
        assert simcore.simulate(given, Shots(3.0, 1.5)).positions.tobytes() == expect.positions.tobytes()

    def test_one_hundred_balls(self):
        rng = np.random.default_rng(1)
        layout = scattered(rng, 100)
        res = simcore.simulate(layout, Shots([6.0, 7.0], [1.0, 2.0]), log_events=True).check()
        assert res.positions.shape == (2, 100, 2)
        alone = simcore.simulate(layout, Shots(7.0, 2.0))
        assert res.positions[1].tobytes() == alone.positions.tobytes()


class TestBatches:
    @pytest.mark.parametrize("lead", [(0,), (3, 0), (0, 2)])
    def test_empty(self, lead):
        res = simcore.simulate(TWO, Shots(np.zeros(lead), 1.0), log_events=True).check()
        assert res.shape == lead
        assert res.positions.shape == (*lead, 2, 2)
        assert len(res.events) == 0

    def test_empty_layouts(self):
        assert simcore.simulate(np.zeros((0, 2, 2)), Shots(1.0, 1.0)).shape == (0,)

    def test_a_row_that_cannot_finish_harms_no_other(self):
        """Status per shot: the bad row is named, the others are those of a good batch, on one thread and on many."""
        n, bad = 200, 57
        rng = np.random.default_rng(2)
        v = np.zeros((n, 2, 2))
        v[:, 0] = rng.normal(0.0, 1.0, (n, 2))
        good = simcore.simulate(TWO, motion=Motion(v))
        v[bad, 0] = 1e300, 1e300
        for threads in (1, None):
            res = simcore.simulate(TWO, motion=Motion(v), threads=threads, max_events=2000)
            assert res.status[bad] in (Status.NOT_FINITE, Status.EVENT_CAP)
            others = np.arange(n) != bad
            assert res.positions[others].tobytes() == good.positions[others].tobytes()
            assert (res.status[others] == Status.REST).all()
            with pytest.raises(simcore.SimulationError, match=rf"1 of {n} shots.*\[{bad}\]"):
                res.check()

    def test_miscues_among_others(self):
        shots = Shots(2.0, 1.0, a=[0.0, 0.52, 0.0])
        assert simcore.simulate(TWO, shots).check().status.tolist() == [Status.REST, Status.MISCUE, Status.REST]


class TestOptions:
    @pytest.mark.parametrize("stop", ["", "REST", None, 1, "rest ", ["rest"], {}])
    def test_unknown_stop_rules(self, stop):
        with pytest.raises(ValueError, match=r"stop = .*expected one of rest, first_contact, first_pot"):
            simcore.simulate(TWO, Shots(1.0, 1.0), stop=stop)

    @pytest.mark.parametrize("name", ["threads", "max_events"])
    @pytest.mark.parametrize("value", [-1, 1.5, True, NAN, INF])
    def test_counts(self, name, value):
        with pytest.raises(ValueError, match=f"{name} = {value}: expected a whole number"):
            simcore.simulate(TWO, Shots(1.0, 1.0), **{name: value})

    @pytest.mark.parametrize("name", ["radius", "mass"])
    @pytest.mark.parametrize("value", [0.0, -1.0, NAN, INF, [0.02, NAN], [0.02], [[0.02, 0.02]]])
    def test_sizes(self, name, value):
        with pytest.raises(ValueError, match=name):
            simcore.simulate(TWO, Shots(1.0, 1.0), **{name: value})

    @pytest.mark.parametrize("name", ["radius", "mass"])
    def test_a_wrong_size_is_named_by_ball(self, name):
        with pytest.raises(ValueError, match=rf"{name}\[1\] = -1.0: expected"):
            simcore.simulate(TWO, Shots(1.0, 1.0), **{name: [0.02, -1.0]})

    @pytest.mark.parametrize("name", ["radius", "mass"])
    @pytest.mark.parametrize("value", ["0.02", True, 1j, object(), [0.02, [0.02]], [None, 0.02]])
    def test_sizes_that_are_no_numbers(self, name, value):
        with pytest.raises(ValueError, match=name):
            simcore.simulate(TWO, Shots(1.0, 1.0), **{name: value})

    @pytest.mark.parametrize("value", [2**63, 10**30])
    def test_counts_beyond_64_bits(self, value):
        with pytest.raises(ValueError, match=f"max_events = {value}: expected at most {2**63 - 1}"):
            simcore.simulate(TWO, Shots(1.0, 1.0), max_events=value)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"shots": Motion(np.zeros((2, 2)))}, r"shots is Motion: expected simcore\.Shots"),
            ({"motion": Shots(1.0, 1.0)}, r"motion is Shots: expected simcore\.Motion"),
            ({"shots": Shots(1.0, 1.0), "table": "club"}, r"table is str: expected simcore\.Table"),
            ({"shots": Shots(1.0, 1.0), "physics": {"e_ball": 0.9}}, r"physics is dict: expected simcore\.Physics"),
            ({"shots": Shots(1.0, 1.0), "physics": tuple(Physics())}, r"physics is tuple: expected simcore\.Physics"),
        ],
    )
    def test_things_of_another_kind(self, given, message):
        with pytest.raises(TypeError, match=message):
            simcore.simulate(TWO, **given)

    def test_coefficients_are_checked_again_at_the_door(self):
        """A named tuple can be made past `Physics.snooker`."""
        with pytest.raises(ValueError, match=r"Physics\.e_ball = 1\.5"):
            simcore.simulate(TWO, Shots(1.0, 1.0), physics=Physics(e_ball=1.5))

    @pytest.mark.parametrize(
        "limit",
        [
            {"mu_slide": 0.0}, {"mu_roll": 0.0}, {"alpha_spin": 0.0}, {"e_ball": 0.0}, {"e_ball": 1.0},
            {"mu_cushion": 0.0}, {"e_cushion": 0.0, "e_cushion_floor": 0.0}, {"nose_height": R}, {"cushion_steps": 1},
            {"mu_tip": 0.0},
            {"end_mass_ratio": INF}, {"e_tip": 0.0}, {"mu_cushion": 1.0},
        ],
        ids=str,
    )  # fmt: skip
    def test_coefficients_at_their_limits(self, limit):
        """Without friction a shot never ends by itself; it ends in a named status."""
        shots = Shots(1.5, [1.5, 0.4], b=0.1 * ("mu_tip" not in limit))
        physics, table = Physics.snooker(**limit), Table.closed(1.778, 3.569)
        res = simcore.simulate(TWO, shots, physics=physics, table=table, max_events=3000)
        assert np.isin(res.status, (Status.REST, Status.EVENT_CAP)).all()
        assert np.isfinite(res.positions).all()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-0.1, 1.9), st.floats(-0.1, 3.7)), min_size=1, max_size=6),
    st.floats(0.0, 10.0), st.floats(-12.0, 12.0), st.floats(0.0, 1.57), st.floats(-0.7, 0.7), st.floats(-0.7, 0.7),
)  # fmt: skip
def test_whatever_is_let_in_ends(places, V0, phi, theta, a, b):
    """Any layout: refused by name, or played to a legal end with every ball on the bed or in a pocket."""
    try:
        res = simcore.simulate(places, Shots(V0, phi, theta, a, b))
    except ValueError:
        return
    assert res.status in (Status.REST, Status.MISCUE)
    assert (np.isfinite(res.positions).all(-1) == (res.pocket < 0)).all()
