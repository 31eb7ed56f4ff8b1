"""How fast it is: every workload on one and two threads, its answers checked first, appended to bench/results.jsonl.

    python -m bench.speed                    # all; some 30 s on a quiet machine
    python -m bench.speed "2 balls" break    # some
    python -m bench.speed --append           # all, and keep the numbers; then python -m bench.report
    python -m bench.speed --pin              # pin the answers found

Cases: the workloads of bench/workloads.py; "evaluate", a ranking of 400 candidates in mid_frame under 100 samples of
noise each, all refereed; "one shot", a single call of `simulate`, and the same shot in a batch; "batch N", N shots of
eight balls. Before the clock starts all shots have ended, events and end positions are those pinned, both numbers of
threads give the same bits, and the first shots of the small workloads, with the cushion scheme of the oracle, agree
with tests/oracles/stepping.py as closely as its test asks. Compiling (or loading what was compiled) is timed apart, and
it is an error if anything is compiled inside the timed region.

Every round times every case once, so that a busy spell meets all of them. A workload is cut into parts that take 3 ms
at most, timed one by one; the numbers are sums over the parts of the least and the median time of all rounds. Cases
that cannot be cut take part in fewer rounds.
"""

import argparse
import gc
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

import rules
import simcore
from bench.machine import describe
from bench.pins import differences, read_pins, write_pins
from bench.workloads import WORKLOADS, Workload, checksum, random_shots
from simcore import Noise
from simcore.files import write_atomically
from simcore.simulate import SERIAL_BELOW
from tests.oracles import stepping
from tests.simcore.test_against_oracle import Shot, disagreements, judge_start

RESULTS = Path(__file__).with_name("results.jsonl")
THREADS = (1, 2)
ROUNDS, ROUND_S = 200, 3e-3
PART_EVENTS = 1000  # a part has at least so many, so that the call itself stays a small share of it
CANDIDATES, SAMPLES = 400, 100
REPEATS = 16  # calls of a single shot that are timed together
BATCHES = (1, 4, 16, 64, 256, 1024, 4096)
ORACLE_BALLS, ORACLE_SHOTS = 8, 3  # the oracle plays workloads of at most so many balls, and so many shots of each


class Case(NamedTuple):
    """What is timed under one name: its parts one after the other."""

    name: str
    threads: int
    parts: list[Callable[[], object]]
    shots: int
    events: int | None  # where they are counted
    every: int = 1  # part in every so manieth round


# --- answers ---------------------------------------------------------------------------------------------------------


def answer(results: simcore.ShotResults) -> dict[str, int | str]:
    """What is pinned of a workload; RuntimeError (from `check`) if a shot did not end."""
    results.check()
    return {"shots": results.n_events.size, "events": int(results.n_events.sum()), "checksum": checksum(results)}


def oracle_faults(workload: Workload, n: int = ORACLE_SHOTS) -> list[str]:
    """In words, where its first shots differ from the oracle's by more than rounding can grow to.

    The cushions are those of `Shot.kernel`: integrated by the steps that the oracle takes too.
    """
    wrong, n_balls = [], workload.positions.shape[1]
    for k in range(n):
        shot = workload.shots[k]
        stroke = tuple(float(x) for x in (shot.V0, shot.phi, shot.theta, shot.a, shot.b))
        v, w = np.zeros((n_balls, 2)), np.zeros((n_balls, 3))
        v[0], w[0] = stepping.strike(*stroke)
        start = Shot(workload.positions[k], stroke, v, w)
        judged = judge_start(start, np.random.default_rng(k))
        if not len(judged.within_t):
            wrong.append(f"{workload.name}, shot {k}: the oracle judges nothing of it")
        wrong += [f"{workload.name}, shot {k}: {fault}" for fault in disagreements(start, judged)]
    return wrong


def check_threads(workload: Workload) -> dict[str, int | str]:
    """Its answer; RuntimeError if that depends on the number of threads."""
    answers = [answer(workload.run(threads=threads)) for threads in thread_counts()]
    if answers.count(answers[0]) != len(answers):
        raise RuntimeError(f"{workload.name}: answers differ between threads: {answers}")
    return answers[0]


def check_ranking(threads: int) -> None:
    """RuntimeError if the ranking has unfinished shots, no worth, or other bits on so many threads than on one."""
    ranking, other = evaluate(1), evaluate(threads)
    good = not ranking.unfinished.any() and np.isfinite(ranking.value).all() and ranking.points.max() > 1.0
    if not good or other.value.tobytes() != ranking.value.tobytes():
        raise RuntimeError("evaluate: unfinished shots, no worth, or other values on other threads")


# --- cases -----------------------------------------------------------------------------------------------------------


def thread_counts() -> tuple[int, ...]:
    """Those of `THREADS` that numba may use here."""
    return tuple(n for n in THREADS if n <= numba.config.NUMBA_NUM_THREADS)


@cache
def job() -> tuple[rules.Frame, rules.Candidates]:
    """What `evaluate` ranks."""
    frame = rules.Frame.named("mid_frame")
    return frame, rules.generate_candidates(frame, CANDIDATES, seed=1)


def evaluate(threads: int) -> rules.Ranking:
    """The main job: 40,000 refereed shots."""
    frame, candidates = job()
    return rules.evaluate(frame, candidates, noise=Noise.preset("pro"), samples=SAMPLES, seed=1, threads=threads)


def seconds(work: Callable[[], object]) -> float:
    """Time that a call takes, s."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def least_seconds(work: Callable[[], object], calls: int = 3) -> float:
    """The least time of some calls, s."""
    return min(seconds(work) for _ in range(calls))


def parts_of(workload: Workload, threads: int, events: int) -> list[Callable[[], object]]:
    """Pieces of a workload of so many events that take 3 ms at most, where that leaves shots enough for the threads."""
    n = len(workload.shots)
    wanted = math.ceil(least_seconds(partial(workload.run, threads=threads)) / ROUND_S)
    count = max(1, min(wanted, events // PART_EVENTS, n // (SERIAL_BELOW if threads > 1 else 1)))
    cuts = np.linspace(0, n, count + 1).astype(int).tolist()
    pieces = [workload.part(slice(*cut)) for cut in pairwise(cuts)]
    return [partial(piece.run, threads=threads) for piece in pieces]


def workload_cases(workload: Workload) -> list[Case]:
    """A workload on each number of threads."""
    n, events = len(workload.shots), int(workload.run().n_events.sum())
    return [Case(workload.name, t, parts_of(workload, t, events), n, events) for t in thread_counts()]


def evaluate_cases() -> list[Case]:
    """The ranking, in every twentieth round."""
    return [Case("evaluate", t, [partial(evaluate, t)], CANDIDATES * SAMPLES, None, 20) for t in thread_counts()]


def door_cases() -> list[Case]:
    """A single shot of two balls by itself, and as many copies of it in one call."""
    workload = WORKLOADS["2 balls"]()
    positions, shot = workload.positions[0], workload.shots[0]

    def alone() -> None:
        for _ in range(REPEATS):
            simcore.simulate(positions, shot, threads=1)

    many = Workload("", np.repeat(positions[None], 256, axis=0), workload.shots[np.zeros(256, dtype=int)])
    events = int(workload.part(slice(1)).run().n_events.sum())
    return [
        Case("one shot", 1, [alone], REPEATS, REPEATS * events),
        Case("one shot of many", 1, [partial(many.run, threads=1)], 256, 256 * events),
    ]


def batch_cases() -> list[Case]:
    """Shots of eight balls in batches of different size; large ones in fewer rounds."""
    shots = random_shots("batch", 8, max(BATCHES))
    cases = []
    for n in BATCHES:
        batch = shots.part(slice(n))
        events = int(batch.run().n_events.sum())
        cases += [
            Case(f"batch {n}", t, [partial(batch.run, threads=t)], n, events, 1 + n // 512) for t in thread_counts()
        ]
    return cases


OTHERS: dict[str, Callable[[], list[Case]]] = {
    "evaluate": evaluate_cases,
    "one shot": door_cases,
    "batches": batch_cases,
}
NAMES = (*WORKLOADS, *OTHERS)


def cases_of(names: Iterable[str]) -> list[Case]:
    """The cases of some names, in the order of all."""
    return [c for name in NAMES if name in names for c in (OTHERS[name]() if name in OTHERS else _of_workload(name))]


def _of_workload(name: str) -> list[Case]:
    return workload_cases(WORKLOADS[name]())


# --- clock -----------------------------------------------------------------------------------------------------------


def signatures() -> dict[str, int]:
    """Number of compiled signatures of every door of the package."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("simcore", "rules"):
            doors = [value for value in vars(module).values() if isinstance(value, Dispatcher)]
            found |= {f"{d.py_func.__module__}.{d.py_func.__name__}": len(d.signatures) for d in doors}
    return found


def time_rounds(cases: list[Case], rounds: int) -> list[np.ndarray]:
    """Times of each case's parts in its rounds (rounds, parts), s; RuntimeError if anything was compiled meanwhile."""
    times: list[list[list[float]]] = [[] for _ in cases]
    before = signatures()
    gc.collect()
    gc.disable()
    try:
        for k in range(rounds):
            for case, found in zip(cases, times, strict=True):
                if k % case.every == 0:
                    found.append([seconds(part) for part in case.parts])
    finally:
        gc.enable()
    if signatures() != before:
        raise RuntimeError(f"compiled while the clock ran: {differences({'': before}, {'': signatures()})}")
    return [np.array(found) for found in times]


def numbers(case: Case, times: np.ndarray) -> dict[str, Any]:
    """What is kept of a case."""
    return {
        "name": case.name,
        "threads": case.threads,
        "shots": case.shots,
        "events": case.events,
        "parts": len(case.parts),
        "rounds": len(times),
        "min_s": float(times.min(axis=0).sum()),
        "median_s": float(np.median(times, axis=0).sum()),
    }


# --- start of a process ----------------------------------------------------------------------------------------------

START = """
import json, time
began = time.perf_counter(); import numba
numba_s = time.perf_counter() - began
began = time.perf_counter(); import simcore
import_s = time.perf_counter() - began
began = time.perf_counter(); simcore.simulate([[0.5, 0.5], [1.0, 1.0]], simcore.Shots(2.0, 0.7))
print(json.dumps({"numba_s": numba_s, "import_s": import_s, "first_shot_s": time.perf_counter() - began}))
"""


def start_seconds(cache_folder: str | None = None) -> dict[str, float]:
    """Times of a new process: importing numba, then simcore, then the first shot; s."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if cache_folder is not None:
        environment["SNOOKERSIM_CACHE_DIR"] = cache_folder
    run = subprocess.run(
        [sys.executable, "-c", START], env=environment, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    return dict(json.loads(run.stdout))


def starts() -> dict[str, dict[str, float]]:
    """Start of a process with what was compiled before (the least of three), and with an empty cache."""
    warm = [start_seconds() for _ in range(4)][1:]
    with tempfile.TemporaryDirectory() as empty:
        cold = start_seconds(empty)
    return {"warm": {key: min(w[key] for w in warm) for key in cold}, "cold": cold}


# --- command line ----------------------------------------------------------------------------------------------------


def check_answers(names: Iterable[str], pin: bool = False) -> list[str]:
    """In words, which answers are wrong; with `pin` the answers of the workloads are pinned first."""
    workloads = {name: WORKLOADS[name]() for name in WORKLOADS if name in names}
    found = {name: check_threads(workload) for name, workload in workloads.items()}
    if pin:
        write_pins("answers", found)
    pinned = read_pins("answers")
    wrong = differences({name: pinned.get(name, {}) for name in found}, found)
    for workload in workloads.values():
        if workload.positions.shape[1] <= ORACLE_BALLS:
            wrong += oracle_faults(workload)
    if "evaluate" in names:
        check_ranking(max(thread_counts()))
    return wrong


def append(record: dict[str, Any], path: Path = RESULTS) -> None:
    """Add a line to the results, whole or not at all."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    text = before + json.dumps(record) + "\n"
    write_atomically(path, lambda target: target.write_text(text, encoding="utf-8"))


def line(n: dict[str, Any]) -> str:
    """The numbers of a case in words."""
    rate, median = n["shots"] / n["min_s"], n["shots"] / n["median_s"]
    text = f"{n['name']:17} {n['threads']} threads {rate:12,.0f} shots/s, median {median:12,.0f}"
    if n["events"] is not None:
        text += f"; {n['events'] / n['shots']:6.2f} events a shot, {n['min_s'] * n['threads'] / n['events'] * 1e6:.3f}"
        text += " µs an event and thread"
    return f"{text}; {n['rounds']} rounds of {n['parts']} x {n['min_s'] / n['parts'] * 1e3:.1f} ms"


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(NAMES)}; default all")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--append", action="store_true", help=f"keep the numbers in {RESULTS.name}; for all cases only")
    parser.add_argument("--pin", action="store_true", help="pin the answers found; for all workloads only")
    given = parser.parse_args(arguments)
    names = given.names or list(NAMES)
    if unknown := set(names) - set(NAMES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; expected some of {', '.join(NAMES)}")
    if given.names and (given.append or given.pin):
        parser.error("--append and --pin are for all cases: name none")
    if given.append and thread_counts() != THREADS:
        parser.error(f"--append needs {max(THREADS)} threads: numba may use {numba.config.NUMBA_NUM_THREADS} here")
    machine = describe()
    began = time.perf_counter()
    wrong = check_answers(names, given.pin)
    for sentence in wrong:
        sys.stderr.write(sentence + "\n")
    if wrong:
        return 1
    cases = cases_of(names)
    sys.stdout.write(f"answers checked and kernels compiled or loaded in {time.perf_counter() - began:.1f} s\n")
    times = time_rounds(cases, given.rounds)
    found = [numbers(case, t) for case, t in zip(cases, times, strict=True)]
    sys.stdout.write("\n".join(map(line, found)) + "\n")
    if given.append:
        append({**machine, "rounds": given.rounds, "starts": starts(), "cases": found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
