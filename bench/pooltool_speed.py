"""Time shots in pooltool, when told to: lines of JSON on stdin and stdout. Run by bench.peers, in its own environment.

Imports pooltool, its neighbour pooltool_shots and nothing of this project. Written for pooltool 0.6.
First line: {"table", "pockets", "ball", "cue_mass", "workloads"}, the shots of each workload by name; the answer is
pooltool's version. Then each line names a workload, and the answer is {"seconds", "events"}: of each of its shots,
with null for one that pooltool raised an error in.
"""

import json
import sys
import time
from importlib.metadata import version

import pooltool as pt
from pooltool.physics import PhysicsEngine
from pooltool.physics.resolve.resolver import default_resolver
from pooltool_shots import system


def play(shot, model):
    """Processor seconds and events of a system played to its end; making it is not timed."""
    began = time.thread_time()
    try:
        pt.simulate(shot, engine=model, inplace=True)
    except (ValueError, ArithmeticError, AssertionError):
        return None, None
    return time.thread_time() - began, len(shot.events)


def main():
    """Read the shots, then play as told."""
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever pooltool prints is no part of the answers
    given = json.loads(sys.stdin.readline())
    resolver = default_resolver()
    resolver.stick_ball.squirt_throttle = 0.0
    model = PhysicsEngine(resolver)
    print(json.dumps(version("pooltool-billiards")), file=answers, flush=True)
    for line in sys.stdin:
        shots = given["workloads"][line.strip()]
        seconds, events = zip(*[play(system(given, shot), model) for shot in shots], strict=True)
        print(json.dumps({"seconds": seconds, "events": events}), file=answers, flush=True)


if __name__ == "__main__":
    main()
