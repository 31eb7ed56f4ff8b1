"""The gate: what it lets pass and what not, on made-up times; and the kept kernel that it compares with."""

import os
import re
import sys
import time
import zipfile

import numpy as np
import pytest

import simcore
from bench import gate
from bench.gate import LIMIT, LOOSE, Found, best, kernel_call, measure, slower, summary, thread_seconds
from bench.kept import ARCHIVE, PACKAGE, keep, kept_simcore, packed, renamed, sources, unpack
from bench.machine import processor
from bench.pins import read_pins, write_pins
from bench.workloads import WORKLOADS
from simcore.kernel.types import Facts

PIN = {"us_per_event": 1.0, "processor": processor()}


def test_limits():
    pinned = {"w": PIN}
    assert 1.07 < LIMIT < 1.25
    assert slower({"w": Found(1.07, 1.2)}, pinned) == {}
    assert slower({"w": Found(1.25, 1.25)}, pinned)["w"] == "1.250 times as long as the kept kernel"
    assert slower({"w": Found(1.0, 1.01 * LOOSE)}, pinned)["w"] == "1.52 µs an event, +51.5% from the pinned time"
    elsewhere = {"w": {**PIN, "processor": "another"}}
    assert slower({"w": Found(1.0, 9.0)}, elsewhere) == {}
    assert slower({"w": Found(1.25, 1.0)}, elsewhere)


def test_the_best_of_two_tries():
    found = best({"a": Found(2.0, 1.0), "b": Found(1.0, 1.0)}, {"a": Found(1.5, 1.1)})
    assert found == {"a": Found(1.5, 1.0), "b": Found(1.0, 1.0)}


def test_only_what_was_too_slow_is_measured_again(monkeypatch, capsys):
    tries = []

    def measured(shots, rounds):
        tries.append(list(shots))
        return {name: Found(1.0 if name == "break" or len(tries) > 1 else 1.5, 1.0) for name in shots}

    monkeypatch.setattr(gate, "measure", measured)
    monkeypatch.setattr(gate, "read_pins", lambda _: dict.fromkeys(gate.SHOTS, PIN))
    assert gate.main([]) == 0
    assert tries == [list(gate.SHOTS), [name for name in gate.SHOTS if name != "break"]]
    monkeypatch.setattr(gate, "measure", lambda shots, _: dict.fromkeys(shots, Found(1.25, 1.0)))
    assert gate.main([]) == 1
    assert "22 balls is slower: 1.250 times as long as the kept kernel" in capsys.readouterr().err


def test_times_are_of_the_processor():
    assert thread_seconds(lambda: time.sleep(0.05)) < 0.02


def test_a_ratio_is_the_median_of_pairs_and_a_time_the_least():
    """Of three rounds one was disturbed, both halves alike; the kept kernel has half the events."""
    found = summary(np.array([[2.0, 1.0], [6.6, 3.0], [1.5, 1.0]]), 1_000_000, 500_000)
    assert found == pytest.approx((1.0, 1.5))


def test_the_kernels_call_is_that_of_simulate():
    module, workload = sys.modules["simcore.simulate"], WORKLOADS["8 balls"]().part(slice(16))
    before = module.run_serial
    call, events = kernel_call(simcore, workload)
    assert module.run_serial is before
    assert events == workload.run().n_events.sum()
    facts = Facts(*call.args[4])
    expected = facts.positions.copy()
    facts.positions[:] = 0.0
    call()
    assert facts.positions.tobytes() == expected.tobytes()


def test_medians_of_tries_are_pinned(monkeypatch, tmp_path):
    tries = iter([1.0, 5.0, 2.0, 3.0, 9.0])
    monkeypatch.setattr(gate, "measure", lambda shots, _: dict.fromkeys(shots, Found(1.0, next(tries))))
    monkeypatch.setattr(gate, "write_pins", lambda section, found: write_pins(section, found, tmp_path / "pins.json"))
    gate.pin(1)
    pin = {"us_per_event": 3.0, "processor": processor()}
    assert read_pins("times", tmp_path / "pins.json") == dict.fromkeys(gate.SHOTS, pin)


def test_a_measurement_of_both():
    found = measure({"8 balls": 16}, rounds=9)
    assert 0.1 < found["8 balls"].ratio < 10.0
    assert found["8 balls"].us_per_event > 0.0


def test_a_kernel_is_as_fast_as_itself():
    """Of two copies of a call each is timed as often first as second."""
    found = measure({"8 balls": 40}, 60, (simcore, simcore))
    assert 0.8 < found["8 balls"].ratio < 1.25


def test_the_kept_kernel_is_another_one_that_plays():
    other = kept_simcore()
    assert other is not simcore
    assert other.simulate is not simcore.simulate
    mine = sys.modules[f"{PACKAGE}.kernel.shot"]
    assert mine.run_shot is not sys.modules["simcore.kernel.shot"].run_shot
    results = other.simulate([[0.889, 0.9], [0.889, 1.9]], other.Shots(2.0, np.pi / 2.0)).check()
    assert type(results).__module__ == f"{PACKAGE}.results"
    assert results.first_contact == 1


def test_keeping_makes_the_same_archive_of_the_same_sources(tmp_path):
    keep(tmp_path / "kept.zip")
    with zipfile.ZipFile(tmp_path / "kept.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == sources()
    assert (tmp_path / "kept.zip").read_bytes() == packed(sources())
    assert {"__init__.py", "simulate.py", "kernel/shot.py"} <= set(sources())
    assert "__main__.py" not in sources()


def test_unpacked_once_and_renamed(tmp_path):
    folder = unpack(ARCHIVE, tmp_path)
    files = {path.relative_to(folder / PACKAGE).as_posix() for path in folder.rglob("*.py")}
    with zipfile.ZipFile(ARCHIVE) as archive:
        assert files == set(archive.namelist())
    assert not [path for path in folder.rglob("*.py") if re.search(r"\bsimcore\b", path.read_text(encoding="utf-8"))]
    stamp = os.stat(folder / PACKAGE / "simulate.py").st_mtime_ns
    assert unpack(ARCHIVE, tmp_path) == folder
    assert os.stat(folder / PACKAGE / "simulate.py").st_mtime_ns == stamp
    assert os.listdir(tmp_path) == [folder.name]
    assert renamed(b"import simcore; my_simcore = simcore.x") == b"import kept_simcore; my_simcore = kept_simcore.x"


def test_keeping_comes_before_pinning(monkeypatch):
    done = []
    monkeypatch.setattr(gate, "keep", lambda: done.append("keep"))
    monkeypatch.setattr(gate, "pin", lambda rounds: done.append(f"pin {rounds}"))
    monkeypatch.setattr(gate, "read_pins", lambda _: dict.fromkeys(gate.SHOTS, PIN))
    monkeypatch.setattr(gate, "measure", lambda shots, _: dict.fromkeys(shots, Found(1.0, 1.0)))
    assert gate.main(["--keep", "--rounds", "7"]) == 0
    assert done == ["keep", "pin 7"]
