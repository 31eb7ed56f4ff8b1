"""The clock around the workloads: answers are checked, parts cover all shots, compiling is noticed, lines are kept."""

import json

import numpy as np
import pytest

import simcore
from bench import speed
from bench.pins import read_pins
from bench.speed import Case, append, check_answers, line, numbers, oracle_faults, parts_of, signatures, time_rounds
from bench.workloads import WORKLOADS, checksum


@pytest.fixture(scope="module")
def small():
    return WORKLOADS["2 balls"]().part(slice(160))


def test_answers_are_those_pinned():
    assert check_answers(["2 balls", "8 balls", "break"]) == []


def test_another_answer_is_named(monkeypatch):
    pinned = read_pins("answers")
    monkeypatch.setattr(speed, "read_pins", lambda _: pinned | {"22 balls": {**pinned["22 balls"], "events": 3}})
    (sentence,) = check_answers(["22 balls"])
    assert sentence.startswith("22 balls, events: ")


def test_the_oracle_notices_other_physics(small, monkeypatch):
    plain = simcore.simulate

    def other(*arguments, physics, **options):
        return plain(*arguments, physics=physics._replace(mu_roll=physics.mu_roll * (1.0 + 1e-6)), **options)

    assert not oracle_faults(small, 1)
    monkeypatch.setattr(simcore, "simulate", other)
    assert oracle_faults(small, 1)


def test_checksum_is_of_every_bit(small):
    results = small.run()
    before = checksum(results)
    results.positions[7, 1, 0] = np.nextafter(results.positions[7, 1, 0], 9.0)
    assert checksum(results) != before


def test_parts_are_all_the_shots(small, monkeypatch):
    monkeypatch.setattr(speed, "least_seconds", lambda _: 0.015)
    parts = parts_of(small, 1, 100_000)
    assert len(parts) == 5
    positions = np.concatenate([part().positions for part in parts])
    assert positions.tobytes() == small.run(threads=1).positions.tobytes()
    assert len(parts_of(small, 2, 100_000)) == 2  # 64 shots at least, for threads to be used
    assert len(parts_of(small, 1, 1_000)) == 1


def test_times_of_rounds():
    calls = []
    cases = [
        Case("a", 1, [lambda: calls.append("a0"), lambda: calls.append("a1")], 10, 20),
        Case("b", 1, [lambda: calls.append("b")], 5, None, 2),
    ]
    times = time_rounds(cases, 3)
    assert calls == ["a0", "a1", "b", "a0", "a1", "a0", "a1", "b"]
    assert [t.shape for t in times] == [(3, 2), (2, 1)]
    kept = numbers(cases[0], np.array([[1.0, 5.0], [2.0, 4.0], [6.0, 6.0]]))
    assert (kept["min_s"], kept["median_s"], kept["rounds"], kept["parts"]) == (5.0, 7.0, 3, 2)
    assert "2.00 events a shot" in line(kept)


def test_compiling_while_the_clock_runs_is_an_error(monkeypatch):
    assert any(name.startswith("simcore.kernel.batch.") for name in signatures())
    counts = iter([{"door": 1}, {"door": 2}, {"door": 2}])
    monkeypatch.setattr(speed, "signatures", lambda: next(counts))
    with pytest.raises(RuntimeError, match="door: 2, pinned 1"):
        time_rounds([Case("a", 1, [lambda: None], 1, 1)], 1)


def test_lines_are_appended(tmp_path):
    path = tmp_path / "results.jsonl"
    append({"a": 1}, path)
    append({"a": 2}, path)
    assert [json.loads(text)["a"] for text in path.read_text(encoding="utf-8").splitlines()] == [1, 2]


@pytest.mark.parametrize(("arguments", "word"), [(["nothing"], "unknown"), (["break", "--append"], "name none")])
def test_wrong_arguments(arguments, word, capsys):
    with pytest.raises(SystemExit):
        speed.main(arguments)
    assert word in capsys.readouterr().err
