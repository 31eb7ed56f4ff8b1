"""A gate against slowdowns that does not depend on how fast the machine is, or how busy.

    python -m bench.gate            # exit status 1 if a workload has become slower
    python -m bench.gate --pin      # pin the ratios found, by the least of several tries

Each workload's time is divided by that of a fixed piece of work, bench/baseline.py, which plays events too and changes
for no reason. Rounds of a millisecond of both take turns on one thread; the processor time of the thread counts, which
goes on only while the thread runs, and of all rounds the least. On a machine with three busy processes a core such
ratios spread by 3 to 7 per cent. `LIMIT` lies between that and the 25 per cent that must not pass. What looks too slow
is measured again, up to `TRIES` times, and the least counts: a slowdown stays, a disturbance does not.

On the processor that the ratios were pinned on the times themselves are compared too, loosely (`LOOSE`): a slowdown of
the baseline and of ours together, such as by another compiler, shows only there.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from bench import baseline
from bench.machine import processor
from bench.pins import read_pins, write_pins
from bench.workloads import WORKLOADS

SHOTS = {"2 balls": 64, "8 balls": 40, "16 balls": 32, "22 balls": 24, "break": 2}
BASELINE_EVENTS = 4000  # 0.7 ms
ROUNDS, TRIES = 300, 5
LIMIT, LOOSE = 1.12, 1.5


class Found(NamedTuple):
    """Of a workload: time in units of the baseline's, and µs an event."""

    ratio: float
    us_per_event: float


def thread_seconds(work: Callable[[], object]) -> float:
    """Processor time of this thread that a call takes, s."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def baseline_seconds() -> float:
    """Processor time of one piece of the baseline, s."""
    discs = baseline.start()
    return thread_seconds(lambda: baseline.run(discs, BASELINE_EVENTS))


def measure(shots: dict[str, int], rounds: int = ROUNDS) -> dict[str, Found]:
    """The least times of so many interleaved rounds, for the first shots of each workload."""
    workloads = {name: WORKLOADS[name]().part(slice(n)) for name, n in shots.items()}
    events = {name: int(w.run(threads=1).check().n_events.sum()) for name, w in workloads.items()}  # compiles too
    baseline_seconds()
    unit, least = float("inf"), dict.fromkeys(shots, float("inf"))
    gc.disable()
    try:
        for _ in range(rounds):
            for name, w in workloads.items():
                unit = min(unit, baseline_seconds())
                least[name] = min(least[name], thread_seconds(lambda w=w: w.run(threads=1)))
    finally:
        gc.enable()
    return {name: Found(least[name] / unit, least[name] / events[name] * 1e6) for name in shots}


def best(one: dict[str, Found], other: dict[str, Found]) -> dict[str, Found]:
    """The lesser numbers of two tries; `other` may leave out workloads."""
    return {name: Found(*map(min, found, other.get(name, found))) for name, found in one.items()}


def slower(found: dict[str, Found], pinned: dict[str, dict[str, Any]]) -> dict[str, str]:
    """By workload, in words, what is slower than it may be."""
    wrong, here = {}, processor()
    for name, (ratio, us) in found.items():
        pin = pinned[name]
        if ratio > LIMIT * pin["ratio"]:
            wrong[name] = f"{ratio:.3f} times the baseline, {excess(ratio, pin['ratio'])}"
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


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.gate", description=__doc__.partition("\n")[0])
    parser.add_argument("--pin", action="store_true", help="pin the ratios found")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args(arguments)
    found = measure(SHOTS, given.rounds)
    if given.pin:
        for _ in range(TRIES):
            found = best(found, measure(SHOTS, given.rounds))
        here = processor()
        write_pins("ratios", {name: {**f._asdict(), "processor": here} for name, f in found.items()})
    pinned = read_pins("ratios")
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
