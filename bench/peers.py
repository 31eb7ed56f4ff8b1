"""How much faster than pooltool: the same layouts and speeds of the cue ball in both, by turns, on one core each.

    python3 -m venv PEER && PEER/bin/pip install pooltool-billiards
    python -m bench.peers --python PEER/bin/python
    python -m bench.peers --python PEER/bin/python --append    # keep the numbers; then python -m bench.report

pooltool needs an environment of its own (bench/against_pooltool.py says more); `bench/pooltool_speed.py` runs there.
Each simulator plays to the end what it models by default: here everything of the README, there its frictional ball,
its compliant cushion and its snooker table, with the size, the balls and the coefficients of ours. The cue ball leaves
with the same speed and direction and without spin in both. Times are processor time of the thread that plays, the
least of all rounds for every shot of pooltool's and for our batch, in which the same shots come again and again;
compiling is not timed in either.
Shots in which pooltool raises an error are left out on both sides.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

import simcore
from bench.against_pooltool import ball_arguments, cue_arguments
from bench.gate import thread_seconds
from bench.machine import describe
from bench.report import PEERS
from bench.speed import append
from bench.workloads import WORKLOADS, Workload
from simcore.kernel.cue import struck_speed

CHILD = "pooltool_speed.py"
OURS = 512  # shots in our batch
SHOTS = {"2 balls": 20, "8 balls": 10, "16 balls": 5, "22 balls": 5, "break": 1}


class Compared(NamedTuple):
    """A workload in both: seconds and events a shot."""

    name: str
    shots: int
    theirs_s: float
    ours_s: float
    their_events: float
    our_events: float


def peer_shots(workload: Workload, physics: simcore.Physics) -> list[dict[str, Any]]:
    """Its shots for pooltool, whose tip is elastic: the cue's speed is such that the cue ball's is ours."""
    speeds = workload.shots.V0 * struck_speed(1.0, 0.0, 0.0, physics.m, physics)
    cue = cue_arguments(simcore.Shots(0.5 * speeds * (1.0 + physics.m / physics.cue_mass), workload.shots.phi))
    return [
        {"positions": layout.tolist(), **{name: float(values[k]) for name, values in cue.items()}}
        for k, layout in enumerate(workload.positions)
    ]


def question(workloads: dict[str, Workload]) -> dict[str, Any]:
    """What pooltool_speed.py is to be ready to play."""
    table, physics = simcore.Table.snooker(), simcore.Physics.snooker()
    return {
        "table": {"w": table.width, "l": table.length, "cushion_height": physics.nose_height},
        "pockets": True,
        "ball": ball_arguments(physics),
        "cue_mass": physics.cue_mass,
        "workloads": {name: peer_shots(workload, physics) for name, workload in workloads.items()},
    }


class Peer:
    """pooltool in a process of its own, which plays when told."""

    def __init__(self, process: "subprocess.Popen[str]", given: dict[str, Any]) -> None:
        self.process = process
        self.version = self.ask(json.dumps(given))

    def ask(self, line: str) -> Any:
        """Its answer to a line; RuntimeError if it has ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{CHILD} ended with {self.process.wait()}")
        return json.loads(answer)


@contextmanager
def peer(python: str, given: dict[str, Any]) -> Iterator[Peer]:
    """Start pooltool with another Python, in a home of its own, for it writes there; end it afterwards."""
    child = os.path.join(os.path.dirname(__file__), CHILD)
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "PYTHONPATH": ""}
        process = subprocess.Popen(
            [python, child], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, encoding="utf-8"
        )
        try:
            yield Peer(process, given)
        finally:
            process.communicate()


def compare(workload: Workload, other: Peer, rounds: int) -> Compared:
    """Play a workload in both by turns."""
    first = other.ask(workload.name)  # compiles, too
    good = np.array([k for k, s in enumerate(first["seconds"]) if s is not None], dtype=np.int64)
    if not len(good):
        raise RuntimeError(f"{workload.name}: pooltool played none of the shots to its end")
    times = max(1, OURS // len(good))
    ours = workload.part(np.tile(good, times))
    events = float(ours.run(threads=1).check().n_events.mean())
    theirs_s, ours_s = np.full(len(good), np.inf), np.inf
    for _ in range(rounds):
        ours_s = min(ours_s, thread_seconds(lambda: ours.run(threads=1)))
        theirs_s = np.minimum(theirs_s, np.array(other.ask(workload.name)["seconds"], dtype=np.float64)[good])
    their_events = float(np.mean([first["events"][k] for k in good]))
    return Compared(workload.name, len(good), theirs_s.mean(), ours_s / len(good) / times, their_events, events)


def line(c: Compared) -> str:
    """A comparison in words."""
    return (
        f"{c.name:9} {c.theirs_s / c.ours_s:7,.0f} times as fast: pooltool {1.0 / c.theirs_s:,.1f} shots/s with "
        f"{c.their_events:.0f} events, ours {1.0 / c.ours_s:,.0f} with {c.our_events:.0f}; {c.shots} shots"
    )


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="the Python of the environment that has pooltool")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--append", action="store_true", help=f"keep the numbers in {PEERS.name}; for all cases only")
    parser.add_argument("names", nargs="*", default=list(SHOTS), help=f"some of {', '.join(SHOTS)}; default all")
    given = parser.parse_args(arguments)
    if given.append and given.names != list(SHOTS):
        parser.error("--append is for all workloads: name none")
    machine = describe()
    workloads = {name: WORKLOADS[name]().part(slice(SHOTS[name])) for name in given.names}
    with peer(given.python, question(workloads)) as other:
        sys.stdout.write(f"pooltool {other.version}, {time.strftime('%Y-%m-%d')}, one core each\n")
        found = []
        for workload in workloads.values():
            found.append(compare(workload, other, given.rounds))
            sys.stdout.write(line(found[-1]) + "\n")
            sys.stdout.flush()
    if given.append:
        numbers = [compared._asdict() for compared in found]
        append({**machine, "pooltool": other.version, "rounds": given.rounds, "workloads": numbers}, PEERS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
