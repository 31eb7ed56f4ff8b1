"""What a second thread brings, beside what a second process brings that shares nothing with the first.

    python -m bench.scaling

In every round a workload is played over and over for a fifth of a second by one thread, by two threads of this process
that share each batch, and by two other processes at once with batches of their own. The median over the rounds of the
shots played, in units of those of one thread: what the processes miss of two, the machine takes (a shared core, clocks
that fall), and no program on it can have more.
"""

import argparse
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import numpy as np

from bench.workloads import WORKLOADS, Workload

NAMES, SHOTS = ("2 balls", "8 balls", "22 balls", "break"), 512  # workloads, and shots in a call
SLICE_S, AHEAD_S, ROUNDS = 0.2, 0.05, 30


@cache
def batch(name: str) -> Workload:
    """So many shots of a workload, its own repeated where it has fewer; compiled for one thread and two."""
    workload = WORKLOADS[name]()
    rows = np.arange(SHOTS) % len(workload.shots)
    made = Workload(name, workload.positions[rows], workload.shots[rows])
    for threads in (1, 2):
        made.run(threads=threads).check()
    return made


def shots_from(name: str, threads: int, start: float) -> float:
    """Shots played a second from a time of the monotonic clock on, for a slice."""
    workload, calls = batch(name), 0
    time.sleep(max(0.0, start - time.monotonic()))
    began = time.monotonic()
    while calls == 0 or time.monotonic() < start + SLICE_S:
        workload.run(threads=threads)
        calls += 1
    return calls * SHOTS / (time.monotonic() - began)


def measure(name: str, pool: ProcessPoolExecutor, rounds: int) -> tuple[float, float]:
    """Shots of two threads, and of two processes, in units of those of one thread; medians over rounds."""
    ratios = []
    for _ in range(rounds):
        one = shots_from(name, 1, time.monotonic())
        two = shots_from(name, 2, time.monotonic())
        start = time.monotonic() + AHEAD_S
        others = [pool.submit(shots_from, name, 1, start) for _ in range(2)]
        ratios.append((two / one, sum(other.result() for other in others) / one))
    threads, processes = np.median(ratios, axis=0)
    return float(threads), float(processes)


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args(arguments)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        for name in NAMES:
            batch(name)
            list(pool.map(shots_from, [name] * 4, [1] * 4, [0.0] * 4))  # both processes have it, too
            threads, processes = measure(name, pool, given.rounds)
            sys.stdout.write(
                f"{name:10} {SHOTS} shots a call: two threads {threads:.2f} x one, two processes {processes:.2f} x\n"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
