"""A shot as one line of text, and results in a file: both come back bit for bit, and nonsense is named."""

import contextlib
import dataclasses
import io
import json
import math
import os
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simcore
from simcore import Motion, Physics, ShotResults, Shots, Table
from simcore.kernel.types import TableGeometry
from simcore.replay import play_text, shot_text
from tests.simcore.shots_for_tests import R, break_motion, rack

TWO = np.array([[0.889, 0.9], [0.889, 1.9]])
SHOT = Shots(2.0, 1.5, 0.1, 0.2, -0.3)
LINE = shot_text(TWO, SHOT)


def arrays(results):
    """All arrays of results by name, those of the log too."""
    found = {}
    for field in fields(results):
        value = getattr(results, field.name)
        if isinstance(value, np.ndarray):
            found[field.name] = value
        elif value is not None:
            found |= {f"{field.name}.{part.name}": getattr(value, part.name) for part in fields(value)}
    return found


def same(one, two):
    """Whether two results agree in every bit, shape and type."""
    a, b = arrays(one), arrays(two)
    return list(a) == list(b) and all(
        a[n].dtype == b[n].dtype and a[n].shape == b[n].shape and a[n].tobytes() == b[n].tobytes() for n in a
    )


class TestText:
    def test_a_strike(self):
        assert "\n" not in LINE
        assert same(play_text(LINE), simcore.simulate(TWO, SHOT))
        assert same(play_text(LINE + "\n", log_events=True), simcore.simulate(TWO, SHOT, log_events=True))

    def test_a_motion_and_absent_balls(self):
        layout = rack(1e-6)
        v, w = break_motion(np.random.default_rng(1), layout, 1)
        layout[3] = np.nan
        motion = Motion(v[0], w[0])
        assert same(play_text(shot_text(layout, motion=motion)), simcore.simulate(layout, motion=motion))

    def test_everything_else(self):
        given = {
            "table": Table.closed(1.3, 2.7),
            "physics": Physics.snooker(mu_roll=0.01, end_mass_ratio=math.inf, ball_model="frictionless"),
            "radius": [0.027, 0.024],
            "mass": [0.2, 0.1],
            "stop": "first_contact",
            "max_events": 77,
        }
        positions = [[0.5, 0.5], [0.6, 1.9]]
        assert same(play_text(shot_text(positions, SHOT, **given)), simcore.simulate(positions, SHOT, **given))

    @pytest.mark.parametrize("pockets", ["pro", "club", "tight"])
    def test_tables(self, pockets):
        table = Table.snooker(pockets)
        corner = Shots(3.0, math.atan2(-0.85, -0.87))
        text = shot_text(TWO[:1], corner, table=table)
        assert same(play_text(text), simcore.simulate(TWO[:1], corner, table=table))

    @settings(max_examples=60, deadline=None)
    @given(
        st.floats(0.03, 1.7), st.floats(0.03, 3.5), st.floats(0.0, 8.0), st.floats(-12.5, 12.5), st.floats(-0.5, 0.5)
    )
    def test_numbers_come_back_exactly(self, x, y, V0, phi, a):
        content = json.loads(shot_text([[x, y]], Shots(V0, phi, a=a)).split(" ", 2)[2])
        kept = [*content["positions"][0], *(content["shot"][name] for name in ("V0", "phi", "a"))]
        assert [float(value).hex() for value in kept] == [value.hex() for value in (x, y, V0, phi, a)]

    def test_printing_what_was_read_is_the_identity(self):
        content = json.loads(LINE.split(" ", 2)[2])
        again = shot_text(content["positions"], Shots(**content["shot"]), physics=Physics(**content["physics"]))
        assert again == LINE

    def test_refuses_to_write_batches_and_nameless_tables(self):
        with pytest.raises(ValueError, match=r"shape \(1, 2, 2\): expected \(n_balls, 2\)"):
            shot_text([TWO], SHOT)
        with pytest.raises(ValueError, match=r"shot axes \(2,\): expected one shot"):
            shot_text(TWO, Shots([1.0, 2.0], 1.0))
        with pytest.raises(ValueError, match="either shots or motion"):
            shot_text(TWO)
        with pytest.raises(ValueError, match="either shots or motion"):
            shot_text(TWO, SHOT, motion=Motion(np.zeros((2, 2))))
        geometry = TableGeometry(*map(np.array, Table.snooker().geometry))
        geometry.jaw[0, 0] += 1e-9
        moved = dataclasses.replace(Table.snooker(), geometry=geometry)
        with pytest.raises(ValueError, match="table 'snooker pro': expected one of"):
            shot_text(TWO, SHOT, table=moved)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "line = ''"),
            ("hello", "line = 'hello': expected a text that begins with 'snookersim-shot'"),
            ("snookersim-shot 2 {}", "format = '2': expected 1"),
            ("snookersim-shot 1", "not JSON"),
            ("snookersim-shot 1 {", "not JSON"),
            ("snookersim-shot 1 " + "[" * 100_000, "not JSON"),
            ("snookersim-shot 1 []", r"line = \[\]: expected an object"),
            ("snookersim-shot 1 {}", "line lacks mass, max_events, motion"),
            (LINE.replace("0.212", "NaN"), "shot text: .*NaN is not a JSON number"),
            (LINE.replace("0.212", "7" * 5000), "shot text: .*5000 digits"),
        ],
    )
    def test_refuses_other_texts(self, text, message):
        with pytest.raises(ValueError, match=message):
            play_text(text)

    def test_refuses_what_is_no_text(self):
        with pytest.raises(TypeError, match="shot text is bytes: expected str"):
            play_text(LINE.encode())

    @pytest.mark.parametrize(
        ("path", "value", "message"),
        [
            (("extra",), 1, "line has unknown extra"),
            (("shot", "phi"), "1.5", "shot.phi = '1.5': expected a number"),
            (("shot", "phi"), 200.0, "degrees"),
            (("shot", "V0"), True, "shot.V0 = True: expected a number"),
            (("shot", "V0"), 10**400, "a double can hold"),
            (("shot", "c"), 1.0, "shot has unknown c"),
            (("shot",), 3, "shot = 3: expected an object"),
            (("motion",), {"v": [], "w": []}, "unknown motion"),
            (("physics", "mu_roll"), -1.0, "Physics.mu_roll = -1.0"),
            (("physics", "mu_roll"), None, "physics.mu_roll = None: expected a number"),
            (("physics", "cushion_steps"), 20.0, "physics.cushion_steps = 20.0: expected a whole number"),
            (("physics", "mu"), 0.1, "physics has unknown mu"),
            (("positions",), 1.0, "positions = 1.0: expected a list"),
            (("positions", 1), [0.5], "positions.*rows of equal length"),
            (("positions", 1), [0.889, 0.91], "overlap"),
            (("table", "name"), "pool", "table.name = 'pool'"),
            (("table", "name"), "snooker huge", "pockets = 'huge'"),
            (("table", "name"), "closed", "other measures"),
            (("table", "measures"), "0", "table 'snooker pro' has other measures"),
            (("stop",), "soon", "stop = 'soon': expected one of rest"),
            (("stop",), ["rest"], "stop = "),
            (("max_events",), 1.5, "max_events = 1.5: expected a whole number"),
            (("radius",), -0.02, "radius"),
            (("mass",), [1.0], "mass has shape"),
        ],
    )
    def test_refuses_wrong_fields(self, path, value, message):
        content = json.loads(LINE.split(" ", 2)[2])
        place = content
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        with pytest.raises(ValueError, match=message):
            play_text("snookersim-shot 1 " + json.dumps(content))

    @pytest.mark.parametrize("name", sorted(json.loads(LINE.split(" ", 2)[2])))
    def test_refuses_a_missing_field(self, name):
        content = json.loads(LINE.split(" ", 2)[2])
        del content[name]
        with pytest.raises(ValueError, match="lacks"):
            play_text("snookersim-shot 1 " + json.dumps(content))

    @settings(max_examples=200, deadline=None)
    @given(st.data())
    def test_a_damaged_line_raises_only_value_errors(self, data):
        at = data.draw(st.integers(0, len(LINE) - 1))
        damaged = LINE[:at] + data.draw(st.text(max_size=3)) + LINE[at + data.draw(st.integers(0, 5)) :]
        with contextlib.suppress(ValueError):  # anything else would be a defect
            play_text(damaged)


def npy_file():
    stream = io.BytesIO()
    np.save(stream, np.zeros(3))
    return stream.getvalue()


class TestFile:
    @pytest.mark.parametrize("log", [False, True])
    @pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3)])
    def test_comes_back_exactly(self, tmp_path, shape, log):
        results = simcore.simulate(TWO, Shots(np.full(shape, 3.0), 1.5), log_events=log)
        results.save(tmp_path / "a.npz")
        assert same(ShotResults.load(tmp_path / "a.npz"), results)
        assert os.listdir(tmp_path) == ["a.npz"]

    def test_a_loaded_log_is_of_use(self, tmp_path):
        results = simcore.simulate(TWO, SHOT, log_events=True)
        results.save(str(tmp_path / "a"))  # any name: nothing is added to it
        again = ShotResults.load(str(tmp_path / "a"))
        np.testing.assert_array_equal(again.trajectory(0, [0.0, 0.5]), results.trajectory(0, [0.0, 0.5]))

    def test_picked_rows(self, tmp_path):
        results = simcore.simulate(TWO, Shots([1.0, 2.0, 3.0], 1.5))[1:]
        results.save(tmp_path / "a.npz")
        assert same(ShotResults.load(tmp_path / "a.npz"), results)

    def test_failure_leaves_the_old_file(self, tmp_path, monkeypatch):
        results = simcore.simulate(TWO, SHOT)
        results.save(tmp_path / "a.npz")
        before = (tmp_path / "a.npz").read_bytes()

        def broken(*_args, **_kwargs):
            raise OSError("disk full")

        monkeypatch.setattr(np, "savez_compressed", broken)
        with pytest.raises(OSError, match="disk full"):
            results.save(tmp_path / "a.npz")
        assert (tmp_path / "a.npz").read_bytes() == before
        assert os.listdir(tmp_path) == ["a.npz"]

    def test_bad_targets(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="no folder"):
            simcore.simulate(TWO, SHOT).save(tmp_path / "no" / "a.npz")
        with pytest.raises(FileNotFoundError):
            ShotResults.load(tmp_path / "b.npz")

    @pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04broken", b"\x80\x04\x95", npy_file()])
    def test_refuses_other_files(self, tmp_path, content):
        (tmp_path / "a.npz").write_bytes(content)
        with pytest.raises(ValueError, match=r"a\.npz: not a file of shot results"):
            ShotResults.load(tmp_path / "a.npz")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"schema": np.array(99)}, "schema 99: expected 1"),
            ({"schema": None}, "schema None"),
            ({"status": None}, "missing or unknown: status"),
            ({"extra": np.array(1)}, "missing or unknown: extra"),
            ({"events.t": None}, "missing or unknown: events"),
            ({"other.t": np.array(1.0)}, "missing or unknown"),
            ({"pocket": np.zeros(2)}, "pocket is float64"),
            ({"pocket": np.array([object()])}, "not a file of shot results"),
            ({"duration": np.zeros((2, 3)), "status": np.zeros(5, np.int8)}, "expected"),
        ],
    )
    def test_refuses_changed_files(self, tmp_path, change, message):
        simcore.simulate(TWO, SHOT, log_events=True).save(tmp_path / "a.npz")
        with np.load(tmp_path / "a.npz") as file:
            content = {**{name: file[name] for name in file.files}, **change}
        with (tmp_path / "a.npz").open("wb") as file:
            np.savez(file, **{name: array for name, array in content.items() if array is not None})
        with pytest.raises(ValueError, match=message):
            ShotResults.load(tmp_path / "a.npz")

    def test_a_truncated_file(self, tmp_path):
        simcore.simulate(TWO, SHOT).save(tmp_path / "a.npz")
        whole = (tmp_path / "a.npz").read_bytes()
        for length in (10, len(whole) // 2, len(whole) - 1):
            (tmp_path / "a.npz").write_bytes(whole[:length])
            with pytest.raises(ValueError, match="not a file of shot results"):
                ShotResults.load(tmp_path / "a.npz")


def test_radius_of_the_tests_is_the_default():
    assert Physics.snooker().R == R
