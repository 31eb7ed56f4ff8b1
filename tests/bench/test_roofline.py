"""The roofline: numbers that count, what is needed of what is done, and bounds from made-up peaks."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from bench import roofline
from bench.report import with_block
from bench.roofline import (
    OPERATIONS,
    PAGE,
    PIECES,
    TALLY,
    WORDS,
    Counted,
    Work,
    bound_ns,
    count,
    counted_array,
    counted_sqrt,
    done_work,
    needed_times,
    needed_work,
)
from bench.workloads import WORKLOADS, checksum

LATENCY = {"add": 1.0, "mul": 1.0, "div": 10.0, "sqrt": 15.0}


def noted(work):
    TALLY.clear()
    value = work()
    return value, {operation: number for operation, number in TALLY.done["other"].items() if number}


@pytest.mark.parametrize(
    ("work", "value", "done"),
    [
        (lambda x: x + x * x - 1.0, 7.75, {"add": 2, "mul": 1}),
        (lambda x: 1.0 / x + 2, 2.4, {"add": 1, "div": 1}),
        (lambda x: 2.0 * (3 - x), 1.0, {"add": 1, "mul": 1}),
        (lambda x: min(x, 1.0) + max(2.0, x), 3.5, {"add": 1, "compare": 2}),
        (lambda x: -abs(-x), -2.5, {}),
        (lambda x: counted_sqrt(x * 2.5), 2.5, {"mul": 1, "sqrt": 1}),
    ],
)
def test_operations_are_counted_once(work, value, done):
    found, counts = noted(lambda: work(Counted(2.5)))
    assert float(found) == value
    assert counts == done


def test_reads_and_writes_are_counted_and_rows_are_not():
    array = counted_array(np.array([[1.0, 2.0], [3.0, 4.0]]))

    def work():
        row = array[1]
        row[0] = row[1] + array[0, 0]
        return array[1, 0]

    value, counts = noted(work)
    assert value == 5.0
    assert counts == {"add": 1, "load": 3, "store": 1}
    assert counted_array(np.arange(3)).dtype.kind == "i"


def test_a_result_comes_after_the_last_of_its_operands(monkeypatch):
    monkeypatch.setattr(TALLY, "latency", dict.fromkeys(OPERATIONS, 0.0) | LATENCY)
    x = Counted(2.0)
    slow, quick = 1.0 / counted_sqrt(x), x + 1.0
    assert (slow.ready, quick.ready) == (25.0, 1.0)
    assert (-abs(slow)).ready == 25.0
    assert (quick * slow + x).ready == 27.0
    assert min(slow, quick).ready == 25.0


def test_chains_are_long_but_shorter_than_all_one_after_the_other(found):
    for n in found.values():
        done = {o: sum(part[o] for part in n["done"].values()) / n["events"] for o in OPERATIONS}
        assert 10.0 < n["chain_ns"] < sum(LATENCY.get(o, 0.0) * number for o, number in done.items())


@pytest.fixture(scope="module")
def found():
    return count({"2 balls": 3, "break": 1}, LATENCY)


def test_the_counted_shots_are_the_workloads(found):
    for name, n in (("2 balls", 3), ("break", 1)):
        results = WORKLOADS[name]().part(slice(n)).run(threads=1)
        assert found[name]["events"] == results.n_events.sum() == sum(found[name]["kinds"].values())


def test_counting_changes_no_bit():
    program = (
        "from bench.roofline import play; from bench.workloads import WORKLOADS, checksum; play({'2 balls': 1}, {});"
        "print(checksum(WORKLOADS['2 balls']().part(slice(3)).run(threads=1)))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, check=True, text=True
    )
    assert run.stdout.strip() == checksum(WORKLOADS["2 balls"]().part(slice(3)).run(threads=1))


def test_pieces(found):
    two, pack = found["2 balls"], found["break"]
    assert set(WORDS) == set(PIECES) - {"other"}
    assert pack["calls"]["ball"] >= pack["kinds"]["BALL"] > 10
    assert two["calls"]["cushion"] >= two["kinds"]["NOSE"] > 3
    tests = pack["done"]["partners"]
    assert tests["sqrt"] == tests["store"] == pack["calls"]["partners"] * pack["balls"]
    assert json.loads(json.dumps(found)) == found


def test_what_is_needed_is_part_of_what_is_done(found):
    for n in found.values():
        need, done = needed_work(n, 6), done_work(n)
        assert all(0.0 < a < b for a, b in zip(need, done, strict=True))
        assert sum(needed_times(n, 6).values()) > 1.0


def test_needed_by_hand():
    done = {piece: dict.fromkeys(OPERATIONS, 0) for piece in PIECES}
    done["cushion"]["mul"], done["partners"]["load"], done["ball"]["add"] = 100, 600, 7
    calls = {**dict.fromkeys(PIECES, 0), "cushion": 2, "partners": 10, "ball": 1}
    kinds = {"BALL": 1, "NOSE": 1, "JAW": 0, "POCKET": 0, "TRANSITION": 2}
    n = {"balls": 3, "events": 4, "kinds": kinds, "calls": calls, "done": done}
    assert needed_work(n, 6) == pytest.approx(Work((50 + 7) / 4, 0.0, 0.0, 60 * 5 * (2 / 3) / 4, 0.0))
    assert done_work(n) == pytest.approx(Work(107 / 4, 0.0, 0.0, 150.0, 0.0))


def test_the_busiest_unit_bounds():
    peak = {"scalar": 4.0, "scalar hard": 0.5, "vector": 16.0, "vector hard": 1.0, "L1": 80.0}
    assert bound_ns(Work(400.0, 10.0, 0.0, 20.0, 0.0), peak, "scalar") == 100.0
    assert bound_ns(Work(400.0, 10.0, 0.0, 300.0, 0.0), peak, "vector") == 30.0
    assert bound_ns(Work(40.0, 30.0, 0.0, 300.0, 0.0), peak, "scalar") == 60.0


def test_peaks_are_of_this_world():
    found = roofline.peaks()
    assert all(0.01 < value < 2000.0 for value in found.values())
    assert found["vector"] > 1.2 * found["scalar"]
    assert found["L1"] > found["memory"]


def test_the_page_has_its_tables():
    page = PAGE.read_text(encoding="utf-8")
    assert with_block(page, "roofline", "\nnew\n").count("new\n") == 1
    assert "| measured |" in page
