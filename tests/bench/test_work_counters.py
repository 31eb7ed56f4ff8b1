"""Work of a few shots, counted exactly; and that the counters count."""

import subprocess
import sys

import pytest

from bench.pins import differences, read_pins
from bench.work_counters import COUNTED, SHOTS, count, lines
from bench.workloads import WORKLOADS, checksum


@pytest.fixture(scope="module")
def found():
    return count()


def test_work_is_what_is_pinned(found):
    wrong = differences(read_pins("work"), found)
    assert not wrong, "if more or less work is meant: python -m bench.work_counters --pin\n" + "\n".join(wrong)


def test_the_compiled_code_plays_the_same_shots(found):
    for name, n in SHOTS.items():
        results = WORKLOADS[name]().part(slice(n)).run(threads=1)
        assert checksum(results) == found[name]["checksum"]
        assert results.n_events.sum() == found[name]["events"]


def test_numbers_fit_each_other(found):
    for n in found.values():
        assert n["contacts.slack"] >= n["contacts.time_to_ball"] > 0
        assert n["roots.value"] >= n["roots.first_crossing"] > 0
        assert n["schedule.refresh_pairs"] == n["schedule.find_own_event"] >= n["shot.step"] - n["shots"]
    for name, balls in (("2 balls", 2), ("22 balls", 22)):
        assert found[name]["contacts.slack"] == balls * found[name]["schedule.refresh_pairs"]
    assert len(lines(found)) == len(COUNTED) + 2


def test_a_name_that_is_no_kernel_is_refused():
    program = "from bench.work_counters import count_calls; count_calls({'roots.nothing': ''})"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert "has no attribute 'nothing'" in run.stderr
