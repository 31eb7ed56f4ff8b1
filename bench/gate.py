"""A gate against slowdowns that depends neither on how fast the machine is nor on how busy.

    python -m bench.gate            # exit status 1 if a workload has become slower
    python -m bench.gate --keep     # keep the present kernel, and pin its times

The kernel is timed against the one that was kept when its speed was last meant to change (bench/kept.py), in one
process: a round is two thirds of a millisecond of a workload in each, one straight after the other and by turns first.
Both run on one thread, whose processor time counts: it goes on only while the thread runs. The median over the rounds
of the ratio of their times an event is compared with `LIMIT`. Both do the same kind of work, so another processor, a
busy twin of the core or a full cache slows both by the same factor; a fixed piece of other work does not do: between
two models of processor its ratio moved by a quarter, and by 10 per cent with the load beside it.
What looks too slow is measured again, up to `TRIES` times in all, and the least counts.

On the model of processor that they were pinned on the times themselves are compared too, loosely (`LOOSE`): a slowdown
of both kernels together, such as by another compiler, shows only there.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

import simcore
from bench.kept import keep, kept_simcore
from bench.machine import processor
from bench.pins import read_pins, write_pins
from bench.workloads import WORKLOADS, Workload

SHOTS = {"2 balls": 64, "8 balls": 40, "16 balls": 32, "22 balls": 24, "break": 3}
ROUNDS, TRIES, PIN_TRIES = 300, 3, 5
LIMIT, LOOSE = 1.10, 1.5


class Found(NamedTuple):
    """Of a workload: time in units of the kept kernel's, and µs an event."""

    ratio: float
    us_per_event: float  # the least


def thread_seconds(work: Callable[[], object]) -> float:
    """Processor time of this thread that a call takes, s."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def kernel_call(package: ModuleType, workload: Workload) -> tuple[Callable[[], object], int]:
    """The call of the kernel that a package's `simulate` makes, ready to be made again, and its number of events.

    It goes straight to the machine code: numba's dispatcher takes named tuples of one form for one type, so that for
    the second of two packages it would search anew at every call, for longer than the workload takes.
    """
    door = sys.modules[f"{package.__name__}.simulate"]
    kernel, calls = door.run_serial, []

    def noted(*arguments: Any) -> None:
        calls.append(arguments)
        kernel(*arguments)

    shots = package.Shots(workload.shots.V0, workload.shots.phi)  # the workloads strike level and centrally
    door.run_serial = noted
    try:
        results = package.simulate(workload.positions, shots, threads=1).check()
    finally:
        door.run_serial = kernel
    (arguments,) = calls
    compiled = kernel.overloads[tuple(map(numba.typeof, arguments))]
    return partial(compiled.entry_point, *arguments), int(results.n_events.sum())


def measure(shots: dict[str, int], rounds: int = ROUNDS, packages: tuple[ModuleType, ...] = ()) -> dict[str, Found]:
    """Median ratio and least time of so many interleaved rounds, for the first shots of each workload.

    packages: the one to be timed and the kept one; default simcore and what bench/kept.py keeps.
    """
    pair = packages or (simcore, kept_simcore())
    parts = {name: WORKLOADS[name]().part(slice(n)) for name, n in shots.items()}
    calls = {name: [kernel_call(package, part) for package in pair] for name, part in parts.items()}  # compiles too
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in shots}
    gc.disable()
    try:
        for k in range(rounds):
            for name, ((own, _), (kept, _)) in calls.items():
                if k % 2:
                    own_s, kept_s = thread_seconds(own), thread_seconds(kept)
                else:
                    kept_s, own_s = thread_seconds(kept), thread_seconds(own)
                times[name].append((own_s, kept_s))
    finally:
        gc.enable()
    return {name: summary(np.array(times[name]), *(events for _, events in calls[name])) for name in shots}


def summary(times: NDArray[np.float64], events: int, kept_events: int) -> Found:
    """What rounds say of a workload: times of the kernel and of the kept one (rounds, 2), s, and events of each."""
    own, kept = times[:, 0] / events, times[:, 1] / kept_events
    return Found(float(np.median(own / kept)), float(own.min() * 1e6))


def best(one: dict[str, Found], other: dict[str, Found]) -> dict[str, Found]:
    """The lesser numbers of two tries; `other` may leave out workloads."""
    return {name: Found(*map(min, found, other.get(name, found))) for name, found in one.items()}


def slower(found: dict[str, Found], pinned: dict[str, dict[str, Any]]) -> dict[str, str]:
    """By workload, in words, what is slower than it may be."""
    wrong, here = {}, processor()
    for name, (ratio, us) in found.items():
        pin = pinned[name]
        if ratio > LIMIT:
            wrong[name] = f"{ratio:.3f} times as long as the kept kernel"
        elif pin["processor"] == here and us > LOOSE * pin["us_per_event"]:
            wrong[name] = f"{us:.2f} µs an event, {us / pin['us_per_event'] - 1.0:+.1%} from the pinned time"
    return wrong


def lines(found: dict[str, Found]) -> list[str]:
    """The numbers in words."""
    return [
        f"{name:10} {ratio:6.3f} times as long as the kept kernel; {us:.2f} µs an event"
        for name, (ratio, us) in found.items()
    ]


def pin(rounds: int) -> None:
    """Pin the times, medians of several tries."""
    tries, here = [measure(SHOTS, rounds) for _ in range(PIN_TRIES)], processor()
    medians = {name: float(np.median([found[name].us_per_event for found in tries])) for name in SHOTS}
    write_pins("times", {name: {"us_per_event": us, "processor": here} for name, us in medians.items()})


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.gate", description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", action="store_true", help="keep the present kernel and pin its times")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args(arguments)
    if given.keep:
        keep()
        pin(given.rounds)
    pinned, found = read_pins("times"), measure(SHOTS, given.rounds)
    for _ in range(TRIES - 1):
        if wrong := slower(found, pinned):
            found = best(found, measure({name: SHOTS[name] for name in wrong}, given.rounds))
    sys.stdout.write("\n".join(lines(found)) + "\n")
    wrong = slower(found, pinned)
    for name, sentence in wrong.items():
        sys.stderr.write(f"{name} is slower: {sentence}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
