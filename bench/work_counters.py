"""How much work a shot is: calls of kernels, counted exactly and the same on every machine.

    python -m bench.work_counters           # table; exit status 1 if a number is not the pinned one
    python -m bench.work_counters --pin     # pin the numbers found

A child process plays a few shots of each workload as plain Python, with the functions of `COUNTED` wrapped from
outside: the kernels themselves count nothing. Plain Python gives the bits of the compiled code, and the checksum of
the end positions, which is among the numbers, shows that the same shots were played.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial, wraps
from types import ModuleType
from typing import Any

from bench.pins import differences, read_pins, write_pins
from bench.workloads import WORKLOADS, checksum

SHOTS = {"2 balls": 24, "8 balls": 8, "16 balls": 4, "22 balls": 3, "break": 1}

COUNTED = {
    "shot.step": "steps: events, or passes over contacts at one instant",
    "schedule.find_own_event": "searches for a ball's next event with the table",
    "schedule.refresh_pairs": "searches for a ball's next contacts",
    "schedule.find_row": "rows of pair times scanned anew",
    "contacts.slack": "pairs looked at",
    "contacts.time_to_ball": "pairs left after the first bound",
    "contacts.time_to_nose": "noses looked at",
    "contacts.time_to_jaw": "jaws looked at",
    "roots.first_crossing": "quartic gaps searched",
    "roots.line_crossing": "quadratic gaps searched",
    "roots.value": "quartics evaluated",
    "roots.gap_and_rate": "gaps evaluated from positions",
    "ball_ball.resolve_ball_ball": "impacts of two balls",
    "resolve.resolve_cluster": "clusters of contacts resolved",
    "cushion.resolve_cushion": "impacts on cushions",
    "mathavan._step_length": "steps through impacts on cushions",
    "motion.advance": "motions brought to a time",
    "motion.begin_segment": "motions begun",
}
"""Module and name of each kernel that is counted, and what a call of it is."""


def count_calls(names: dict[str, str]) -> Counter[str]:
    """Wrap kernels wherever they are imported in simcore.kernel, and return their counter."""
    calls: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def counted(*arguments: Any) -> Any:
            calls[name] += 1
            return function(*arguments)

        return counted

    for name in names:
        wrap_kernel(name, partial(counting, name))
    return calls


def kernel_modules() -> list[ModuleType]:
    """The modules of simcore.kernel."""
    return [module for name, module in sys.modules.items() if name.startswith("simcore.kernel.")]


def wrap_kernel(name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put what `wrap` makes of a kernel, named by module and name, in its place wherever it is imported."""
    home, _, own = name.partition(".")
    original = getattr(sys.modules[f"simcore.kernel.{home}"], own)
    wrapped = wrap(original)
    for module in kernel_modules():
        for alias in [key for key, value in vars(module).items() if value is original]:
            setattr(module, alias, wrapped)


def play(shots: dict[str, int]) -> dict[str, dict[str, Any]]:
    """Numbers of each workload, in this process; the compiler has to be off before numba is imported."""
    calls, found = count_calls(COUNTED), {}
    for workload, n in shots.items():
        calls.clear()
        results = WORKLOADS[workload]().part(slice(n)).run(threads=1).check()
        numbers = {"shots": n, "events": int(results.n_events.sum()), "checksum": checksum(results)}
        found[workload] = numbers | {name: calls[name] for name in COUNTED}
    return found


def count(shots: dict[str, int] = SHOTS) -> dict[str, dict[str, Any]]:
    """Numbers of the first shots of each workload: shots, events, checksum, and calls by the names of `COUNTED`."""
    return in_plain_python("bench.work_counters", shots)


def in_plain_python(module: str, *arguments: Any) -> dict[str, dict[str, Any]]:
    """What the function `play` of a module returns for plain arguments in a child process without a compiler."""
    program = f"import json; from {module} import play; print(json.dumps(play(*{arguments!r})))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    return dict(json.loads(run.stdout))


def lines(found: dict[str, dict[str, Any]]) -> list[str]:
    """The numbers of an event, as a table."""
    text = [f"{'per event':44}" + "".join(f"{workload:>10}" for workload in found)]
    for name, meaning in COUNTED.items():
        text.append(f"{meaning:44.44}" + "".join(f"{n[name] / n['events']:10.2f}" for n in found.values()))
    return [*text, f"{'events a shot':44}" + "".join(f"{n['events'] / n['shots']:10.2f}" for n in found.values())]


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.work_counters", description=__doc__.partition("\n")[0])
    parser.add_argument("--pin", action="store_true", help="pin the numbers found")
    given = parser.parse_args(arguments)
    found = count()
    sys.stdout.write("\n".join(lines(found)) + "\n")
    if given.pin:
        write_pins("work", found)
    wrong = differences(read_pins("work"), found)
    for sentence in wrong:
        sys.stderr.write(sentence + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
