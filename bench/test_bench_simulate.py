"""Time `simcore.simulate` on the named workloads, on one thread, after checking what it answers on all.

Compilation is not timed.
"""

import pytest

from bench.pins import read_pins
from bench.speed import answer
from bench.workloads import WORKLOADS


@pytest.mark.benchmark(group="simulate")
@pytest.mark.parametrize("name", WORKLOADS)
def test_simulate(benchmark, name):
    workload = WORKLOADS[name]()
    pinned = read_pins("answers")[name]
    assert answer(workload.run()) == pinned
    results = benchmark(workload.run, threads=1)
    assert answer(results) == pinned
    benchmark.extra_info["events_per_shot"] = pinned["events"] / pinned["shots"]
    if benchmark.stats is not None:  # None where timing is switched off
        benchmark.extra_info["shots_per_s"] = pinned["shots"] / benchmark.stats.stats.min
        benchmark.extra_info["us_per_event"] = benchmark.stats.stats.min / pinned["events"] * 1e6
