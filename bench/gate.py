"""A gate against slowdowns that does not depend on how fast the machine is, or how busy.

    python -m bench.gate            # exit status 1 if a workload has become slower
    python -m bench.gate --pin      # pin the numbers found, medians of several tries

A round is less than a millisecond of a workload in the kernel and, just before it, as much of a fixed piece of work,
bench/baseline.py, which plays events too and changes for no reason. Both run on one thread, whose processor time
counts: it goes on only while the thread runs. The median over the rounds of the ratio of the two is what is pinned, for
what disturbs a round, such as a busy twin of the core, disturbs both its halves. With two busy processes a core beside
it such medians stay within 3 to 7 per cent of each other (12 for the break) for minutes, and move by some 10 when the
work beside them changes; ratios of least times spread by 10 to 40. `LIMIT` lies between that and the 25 per cent that
must not pass. What looks too slow is measured again, up to `TRIES` times in all, and the least counts. Pin on a quiet
machine.

How far a ratio moves from one model of processor to another has not been measured: a failure says where it was pinned.
On the same model the times themselves are compared too, loosely (`LOOSE`): a slowdown of the baseline and of ours
together, such as by another compiler, shows only there.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bench import baseline
from bench.baseline import Floats
from bench.machine import processor
from bench.pins import read_pins, write_pins
from bench.workloads import WORKLOADS, Workload

SHOTS = {"2 balls": 64, "8 balls": 40, "16 balls": 32, "22 balls": 24, "break": 3}
BASELINE_EVENTS = 4000  # 0.7 ms, about as long as the workloads
ROUNDS, TRIES, PIN_TRIES = 300, 3, 5
LIMIT, LOOSE = 1.12, 1.5


class Found(NamedTuple):
    """Of a workload: time in units of the baseline's, and µs an event."""

    ratio: float
    us_per_event: float  # the least


def thread_seconds(work: Callable[[], object]) -> float:
    """Processor time of this thread that a call takes, s."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def baseline_seconds() -> float:
    """Processor time of one piece of the baseline, s."""
    discs = baseline.start()
    return thread_seconds(lambda: baseline.run(discs, BASELINE_EVENTS))


def kernel_call(workload: Workload) -> tuple[Callable[[], object], int]:
    """The call of the kernel that `simulate` makes for a workload, ready to be made again, and its number of events."""
    door = sys.modules["simcore.simulate"]
    kernel, calls = door.run_serial, []

    def noted(*arguments: Any) -> None:
        calls.append(arguments)
        kernel(*arguments)

    door.run_serial = noted
    try:
        results = workload.run(threads=1).check()
    finally:
        door.run_serial = kernel
    (arguments,) = calls
    return partial(kernel, *arguments), int(results.n_events.sum())


def measure(shots: dict[str, int], rounds: int = ROUNDS) -> dict[str, Found]:
    """Median ratio and least time of so many interleaved rounds, for the first shots of each workload."""
    calls = {name: kernel_call(WORKLOADS[name]().part(slice(n))) for name, n in shots.items()}  # compiles too
    baseline_seconds()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in shots}
    gc.disable()
    try:
        for _ in range(rounds):
            for name, (call, _) in calls.items():
                times[name].append((baseline_seconds(), thread_seconds(call)))
    finally:
        gc.enable()
    return {name: summary(np.array(times[name]), events) for name, (_, events) in calls.items()}


def summary(times: Floats, events: int) -> Found:
    """What rounds say of a workload of so many events: times of the baseline and of the workload (rounds, 2), s."""
    units, own = times.T
    return Found(float(np.median(own / units)), float(own.min() / events * 1e6))


def best(one: dict[str, Found], other: dict[str, Found]) -> dict[str, Found]:
    """The lesser numbers of two tries; `other` may leave out workloads."""
    return {name: Found(*map(min, found, other.get(name, found))) for name, found in one.items()}


def slower(found: dict[str, Found], pinned: dict[str, dict[str, Any]]) -> dict[str, str]:
    """By workload, in words, what is slower than it may be."""
    wrong, here = {}, processor()
    for name, (ratio, us) in found.items():
        pin = pinned[name]
        if ratio > LIMIT * pin["ratio"]:
            elsewhere = "" if pin["processor"] == here else f" on {pin['processor']}"
            wrong[name] = f"{ratio:.3f} times the baseline, {excess(ratio, pin['ratio'])}{elsewhere}"
        elif pin["processor"] == here and us > LOOSE * pin["us_per_event"]:
            wrong[name] = f"{us:.2f} µs an event, {excess(us, pin['us_per_event'])}"
    return wrong


def excess(value: float, pin: float) -> str:
    """How much more than the pinned value, in words."""
    return f"{value / pin - 1.0:+.1%} from the pinned {pin:.3f}"


def lines(found: dict[str, Found], pinned: dict[str, dict[str, Any]]) -> list[str]:
    """The numbers beside those pinned."""
    return [
        f"{name:10} {ratio:6.3f} times the baseline, {excess(ratio, pinned[name]['ratio'])}; {us:.2f} µs an event"
        for name, (ratio, us) in found.items()
    ]


def pin(rounds: int) -> None:
    """Pin the medians of several tries."""
    tries, here = [measure(SHOTS, rounds) for _ in range(PIN_TRIES)], processor()
    medians = {name: np.median([found[name] for found in tries], axis=0).tolist() for name in SHOTS}
    write_pins("ratios", {name: {**Found(*m)._asdict(), "processor": here} for name, m in medians.items()})


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.gate", description=__doc__.partition("\n")[0])
    parser.add_argument("--pin", action="store_true", help="pin the ratios found")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args(arguments)
    if given.pin:
        pin(given.rounds)
    pinned, found = read_pins("ratios"), measure(SHOTS, given.rounds)
    for _ in range(TRIES - 1):
        if wrong := slower(found, pinned):
            found = best(found, measure({name: SHOTS[name] for name in wrong}, given.rounds))
    sys.stdout.write("\n".join(lines(found, pinned)) + "\n")
    wrong = slower(found, pinned)
    for name, sentence in wrong.items():
        sys.stderr.write(f"{name} is slower: {sentence}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
