"""A roofline on paper: the arithmetic and the loads an event needs, the peak of a core, and how far from it we are.

    python -m bench.roofline             # print the tables
    python -m bench.roofline --write     # and put them into docs/roofline.md

Counted: a child process plays the shots of bench/work_counters.py as plain Python, with numbers that count what is done
to them, and when they would be there if none waited but for its operands, and arrays that count what is read and
written, so the counts are those of the kernel's own equations. The kernels know nothing of it. What is done inside a
function of `PIECES`, and in what it calls, goes to that piece.

Needed: for an event of this kind of simulation at least one motion begun for every ball that an event changes, one
look at the four sides of the bed for it, one test of each other ball, one root for every contact or fall that happens,
and one impact for every contact. Each is charged what it costs in the kernel, on average over the workload.

Measured: throughput of independent chains and time of a single one, one core, in this process; the bandwidth of loads
by size of the array.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from functools import partial, wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

import simcore
from bench.gate import SHOTS as TIMED
from bench.gate import kernel_call, thread_seconds
from bench.machine import describe
from bench.report import with_block
from bench.work_counters import SHOTS, in_plain_python, kernel_modules, wrap_kernel
from bench.workloads import WORKLOADS
from simcore import EventKind
from simcore.files import write_atomically

Floats = NDArray[np.float64]
PAGE = Path(__file__).resolve().parents[1] / "docs" / "roofline.md"

OPERATIONS = ("add", "mul", "div", "sqrt", "compare", "load", "store")
PIECES = {
    "motion": ("motion.advance", "motion.begin_segment", "motion.end_of_segment"),
    "bed": ("contacts.path_box",),
    "noses": ("schedule.next_nose",),
    "mouths": ("schedule.next_in_mouth",),
    "partners": ("contacts.write_slacks",),
    "roots": ("contacts.time_to_ball", "contacts.time_to_jaw", "contacts.time_to_pocket"),
    "ball": ("ball_ball.resolve_ball_ball", "resolve.resolve_cluster"),
    "cushion": ("cushion.resolve_cushion",),
    "other": (),
}
"""Name of each piece of work, and the kernels that do it; "other" is the rest, such as the scan for what is next."""
WORDS = {
    "motion": "begin a motion",
    "bed": "its box",
    "noses": "look at all noses",
    "mouths": "look at all mouths",
    "partners": "test all partners",
    "roots": "search a contact of two balls, a jaw or a fall",
    "ball": "impact of two balls",
    "cushion": "impact on a cushion",
}


# --- counting -----------------------------------------------------------------------------------------------------


class Tally:
    """What was done in each piece of work, and how often the piece was called."""

    def __init__(self) -> None:
        self.stack = ["other"]
        self.latency = dict.fromkeys(OPERATIONS, 0.0)  # ns until a result can be used
        self.clear()

    def clear(self) -> None:
        """Forget what was counted."""
        self.done = {piece: dict.fromkeys(OPERATIONS, 0) for piece in PIECES}
        self.calls = dict.fromkeys(PIECES, 0)
        self.last = 0.0  # ns, when the last result is there if none waits but for its operands

    def note(self, operation: str) -> None:
        """One more operation."""
        self.done[self.stack[-1]][operation] += 1

    def result(self, operation: str, value: float, *operands: float) -> "Counted":
        """One more operation, and its result, which comes some time after the last of its operands."""
        self.note(operation)
        number = Counted(value, max(getattr(x, "ready", 0.0) for x in operands) + self.latency[operation])
        self.last = max(self.last, number.ready)
        return number


TALLY = Tally()


def counting(name: str, operation: str) -> Callable[..., Any]:
    """A method of float that notes its call."""
    method = getattr(float, name)
    compares = operation == "compare"

    def counted(a: float, b: float) -> Any:
        value = method(a, b)
        if compares:
            TALLY.note(operation)
            return value
        return value if value is NotImplemented else TALLY.result(operation, value, a, b)

    return counted


class Counted(float):
    """A number that counts what is done to it, and knows when it is there, ns; a change of sign costs nothing."""

    __slots__ = ("ready",)
    ready: float

    def __new__(cls, value: float, ready: float = 0.0) -> "Counted":
        """A number that is there at a time."""
        number = super().__new__(cls, value)
        number.ready = ready
        return number

    def __neg__(self) -> "Counted":
        return Counted(float.__neg__(self), self.ready)

    def __abs__(self) -> "Counted":
        return Counted(float.__abs__(self), self.ready)

    __hash__ = float.__hash__


for _operation, _names in {
    "add": ("__add__", "__radd__", "__sub__", "__rsub__"),
    "mul": ("__mul__", "__rmul__"),
    "div": ("__truediv__", "__rtruediv__"),
    "compare": ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"),
}.items():
    for _name in _names:
        setattr(Counted, _name, counting(_name, _operation))


def counted_sqrt(x: float) -> Counted:
    """The square root, counted."""
    return TALLY.result("sqrt", math.sqrt(x), x)


class CountedArray(np.ndarray):
    """An array of such numbers that counts what is read from it and written to it, one by one."""

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if not isinstance(value, np.ndarray):
            TALLY.note("load")
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        TALLY.note("store")
        super().__setitem__(key, value)


def counted_array(array: Any) -> Any:
    """A floating-point array as one that counts; anything else as it is."""
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
        return array
    numbers = np.empty(array.shape, dtype=object)
    for index, value in np.ndenumerate(array):
        numbers[index] = Counted(value)
    return numbers.view(CountedArray)


def attribute_work() -> None:
    """Let the kernels' work go to its piece, and their square roots be counted; the compiler has to be off."""
    for module in kernel_modules():
        if hasattr(module, "math"):
            module.math = SimpleNamespace(**{**vars(math), "sqrt": counted_sqrt})
    for piece, names in PIECES.items():
        for name in names:
            wrap_kernel(name, partial(attributed, piece))


def attributed(piece: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose work, and that of what it calls unless that has a piece of its own, goes to a piece."""

    @wraps(function)
    def noted(*arguments: Any) -> Any:
        TALLY.calls[piece] += 1
        TALLY.stack.append(piece)
        try:
            return function(*arguments)
        finally:
            TALLY.stack.pop()

    return noted


def play(shots: dict[str, int], latency: dict[str, float]) -> dict[str, dict[str, Any]]:
    """Work, calls, events and the longest chains of each workload, in this process.

    latency: ns until a result can be used, by operation; 0 for those that are not named.
    """
    attribute_work()
    TALLY.latency |= latency
    batch, door = sys.modules["simcore.kernel.batch"], sys.modules["simcore.simulate"]
    make = batch.make_workspace
    batch.make_workspace = lambda n: type(make(n))(*map(counted_array, make(n)))
    run, found = door.run_serial, {}

    def run_counted(start: Any, table: Any, *others: Any) -> None:
        run(tuple(map(counted_array, start)), tuple(map(counted_array, table)), *others)

    door.run_serial = run_counted
    for name, n in shots.items():
        workload = WORKLOADS[name]().part(slice(n))
        TALLY.clear()
        results = workload.run(threads=1).check()
        done, calls, chains = TALLY.done, TALLY.calls, 0.0
        for k in range(n):
            TALLY.clear()
            workload.part(slice(k, k + 1)).run(threads=1)
            chains += TALLY.last
        kinds = workload.run(threads=1, log_events=True).events.kind
        found[name] = {
            "balls": workload.positions.shape[1],
            "events": int(results.n_events.sum()),
            "kinds": {kind.name: int((kinds == kind).sum()) for kind in EventKind},
            "calls": calls,
            "done": done,
            "chain_ns": chains / int(results.n_events.sum()),
        }
    return found


def count(shots: dict[str, int], latency: dict[str, float]) -> dict[str, dict[str, Any]]:
    """What `play` finds, from a child process without a compiler."""
    return in_plain_python("bench.roofline", shots, latency)


# --- what an event needs ------------------------------------------------------------------------------------------


class Work(NamedTuple):
    """Operations an event."""

    flops: float  # additions and multiplications
    hard: float  # divisions and square roots
    compares: float
    loads: float
    stores: float


def work_of(done: dict[str, float]) -> Work:
    """Operations by their names as `Work`."""
    return Work(done["add"] + done["mul"], done["div"] + done["sqrt"], done["compare"], done["load"], done["store"])


def scaled(done: dict[str, int], share: float) -> dict[str, float]:
    """Operations times a factor."""
    return {operation: number * share for operation, number in done.items()}


def total(parts: Iterator[dict[str, float]]) -> dict[str, float]:
    """The sum of operations."""
    parts_ = list(parts)
    return {operation: sum(part[operation] for part in parts_) for operation in OPERATIONS}


def done_work(n: dict[str, Any]) -> Work:
    """What the kernel does for an event of a workload, all pieces and the start and end of the shots."""
    return work_of(total(scaled(done, 1.0 / n["events"]) for done in n["done"].values()))


def needed_times(n: dict[str, Any], noses: int) -> dict[str, float]:
    """How often an event of a workload needs each piece, in calls of it."""
    kinds, cushions = n["kinds"], n["kinds"]["NOSE"] + n["kinds"]["JAW"]
    changed = kinds["TRANSITION"] + cushions + 2 * kinds["BALL"]
    often = {
        "motion": changed * n["calls"]["motion"] / n["calls"]["partners"],  # several kernels begin one motion
        "bed": changed,
        "partners": changed * (n["balls"] - 1) / n["balls"],  # a call looks at the ball itself, too
        "roots": kinds["BALL"] + kinds["JAW"] + kinds["POCKET"],
        "noses": kinds["NOSE"] / noses,
        "ball": kinds["BALL"],
        "cushion": cushions,
    }
    return {piece: number / n["events"] for piece, number in often.items()}


def needed_work(n: dict[str, Any], noses: int) -> Work:
    """The least that an event of a workload needs."""
    often = needed_times(n, noses)
    return work_of(total(scaled(n["done"][p], often[p] / max(n["calls"][p], 1)) for p in often))


# --- the peak of a core -------------------------------------------------------------------------------------------

CHAINS, TERMS = 8, 8


def _chains(n: int, a: float, b: float) -> float:
    """Eight independent chains of products and sums, scalar."""
    x0 = x1 = x2 = x3 = x4 = x5 = x6 = x7 = b
    for _ in range(n):
        x0, x1, x2, x3 = x0 * a + b, x1 * a + b, x2 * a + b, x3 * a + b
        x4, x5, x6, x7 = x4 * a + b, x5 * a + b, x6 * a + b, x7 * a + b
    return x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7


def _quotients(n: int, a: float, b: float) -> float:
    """Eight independent chains of divisions, scalar."""
    x0 = x1 = x2 = x3 = x4 = x5 = x6 = x7 = b
    for _ in range(n):
        x0, x1, x2, x3, x4, x5, x6, x7 = a / x0, a / x1, a / x2, a / x3, a / x4, a / x5, a / x6, a / x7
    return x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7


def _chain(n: int, a: float, b: float) -> float:
    """One chain of products and sums."""
    x = b
    for _ in range(n):
        x = x * a + b
    return x


def _quotient(n: int, a: float, b: float) -> float:
    """One chain of divisions."""
    x = b
    for _ in range(n):
        x = a / x
    return x


def _root(n: int, a: float, b: float) -> float:
    """One chain of square roots, each of a product and a sum."""
    x = b
    for _ in range(n):
        x = math.sqrt(x * a + b)
    return x


def _polynomials(x: Floats, y: Floats, a: float, b: float) -> None:
    """Eight terms of a polynomial of every element."""
    for i in range(x.size):
        s = x[i]
        y[i] = (((((((s * a + b) * s + b) * s + b) * s + b) * s + b) * s + b) * s + b) * s + b


def _ratios(x: Floats, y: Floats, a: float, b: float) -> None:
    """A division for every element."""
    for i in range(x.size):
        y[i] = a / x[i]


def _sums(x: Floats) -> float:
    """The sum over an array, four of its parts at a time."""
    n, s = x.size // 4, 0.0
    for i in range(n):
        s += (x[i] + x[i + n]) + (x[i + 2 * n] + x[i + 3 * n])
    return s


def least_seconds(work: Callable[[], object], rounds: int = 60) -> float:
    """The least processor time of a call, which has been made once before."""
    work()
    return min(thread_seconds(work) for _ in range(rounds))


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """A function as the kernels are compiled, but for the options."""
    return numba.njit(error_model="numpy", **options)(function)


def latencies(n: int = 100_000) -> dict[str, float]:
    """Nanoseconds from the operands of an operation to its result."""
    works = [partial(compiled(function), n, 0.5, 3.0) for function in (_chain, _quotient, _root)]
    one, quotient, root = (least_seconds(work) / n * 1e9 for work in works)
    return {"add": 0.5 * one, "mul": 0.5 * one, "div": quotient, "sqrt": root - one}


def peaks() -> dict[str, float]:
    """Operations a nanosecond of one core; bandwidth of loads in bytes a nanosecond."""
    n, x = 100_000, np.random.default_rng(1).uniform(0.5, 1.0, 1024)
    y = np.empty_like(x)
    chains, quotients, ratios = compiled(_chains), compiled(_quotients), compiled(_ratios)
    plain, fused = compiled(_polynomials), compiled(_polynomials, fastmath={"contract"})
    sums = compiled(_sums, fastmath={"reassoc", "nsz"})

    def repeated(work: Callable[..., Any], *arguments: Any) -> Callable[[], None]:
        return lambda: [work(*arguments) for _ in range(100)] and None

    call_s = least_seconds(repeated(plain, x[:0], y[:0], 0.5, 0.25)) / 100.0

    def vector(work: Callable[..., Any], operations: int) -> float:
        return operations * x.size / (least_seconds(repeated(work, x, y, 0.5, 0.25)) / 100.0 - call_s) * 1e-9

    def bandwidth(size: int) -> float:
        array, times = np.ones(size // 8), max(1, 2**22 // size)
        seconds = least_seconds(lambda: [sums(array) for _ in range(times)], 20) / times
        return size / (seconds - (call_s if size < 2**20 else 0.0)) * 1e-9

    return {
        "scalar": 2 * CHAINS * n / least_seconds(lambda: chains(n, 0.5, 0.25)) * 1e-9,
        "scalar hard": CHAINS * n / least_seconds(lambda: quotients(n, 1.5, 0.75)) * 1e-9,
        "vector": vector(plain, 2 * TERMS),
        "fused": vector(fused, 2 * TERMS),
        "vector hard": vector(ratios, 1),
        "L1": bandwidth(2**14),
        "L2": bandwidth(2**18),
        "memory": bandwidth(2**28),
    }


def bound_ns(work: Work, peak: dict[str, float], kind: str) -> float:
    """Time that work takes at least at a peak, "scalar" or "vector": that of its busiest resource, ns."""
    return max(work.flops / peak[kind], work.hard / peak[f"{kind} hard"], work.loads * 8.0 / peak["L1"])


def measured_ns(shots: dict[str, int], rounds: int = 200) -> dict[str, float]:
    """Time of an event on one thread, the least of interleaved rounds, ns."""
    calls = {name: kernel_call(simcore, WORKLOADS[name]().part(slice(n))) for name, n in shots.items()}
    times = {name: [thread_seconds(call)] for name, (call, _) in calls.items()}
    for _ in range(rounds):
        for name, (call, _) in calls.items():
            times[name].append(thread_seconds(call))
    return {name: min(times[name]) / events * 1e9 for name, (_, events) in calls.items()}


# --- the page -----------------------------------------------------------------------------------------------------


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows, the first of which is the header, in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], ("---",) * len(rows[0]), *rows[1:]])


def piece_table(found: dict[str, dict[str, Any]]) -> str:
    """What a call of each piece does, on average over all workloads."""
    rows = [("piece", "add", "multiply", "divide", "square root", "compare", "loads", "stores")]
    for piece, words in WORDS.items():
        calls = sum(n["calls"][piece] for n in found.values())
        if piece == "motion":
            calls = sum(n["calls"]["partners"] for n in found.values())
        done = [sum(n["done"][piece][operation] for n in found.values()) for operation in OPERATIONS]
        rows.append((words, *(f"{number / max(calls, 1):.1f}" for number in done)))
    return table(rows)


def workload_table(found: dict[str, dict[str, Any]], peak: dict[str, float], ns: dict[str, float], noses: int) -> str:
    """What an event needs, what is done for it, and what it takes."""
    rows = [
        (
            "workload",
            "",
            "add, multiply",
            "divide, root",
            "compare",
            "loads",
            "vector",
            "scalar",
            "chain",
            "measured",
        )
    ]
    for name, n in found.items():
        need, done = needed_work(n, noses), done_work(n)
        for words, work in (("needed", need), ("done", done)):
            numbers = (f"{x:.0f}" for x in (work.flops, work.hard, work.compares, work.loads))
            bounds = [bound_ns(work, peak, kind) for kind in ("vector", "scalar")]
            late = "" if words == "needed" else f"{n['chain_ns']:.0f} ns"
            took = f"{ns[name] / bounds[1]:.1f} × scalar" if words == "needed" else f"{ns[name]:.0f} ns"
            first = name if words == "needed" else ""
            rows.append((first, words, *numbers, *(f"{b:.0f} ns" for b in bounds), late, took))
    return table(rows)


def share_table(found: dict[str, dict[str, Any]]) -> str:
    """Where the operations of an event go, loads and stores among them, in per cent."""
    rows = [("of all that is done", *found)]
    for piece, words in {**WORDS, "other": "all else"}.items():
        shares = [
            sum(n["done"][piece].values()) / sum(sum(d.values()) for d in n["done"].values()) for n in found.values()
        ]
        rows.append((words, *(f"{100.0 * share:.0f} %" for share in shares)))
    return table(rows)


def peak_table(peak: dict[str, float], latency: dict[str, float]) -> str:
    """The peaks and latencies in words."""
    words = {
        "scalar": "add and multiply, scalar, operations a ns",
        "vector": "add and multiply, vector, operations a ns",
        "fused": "the same fused, which the kernels do not use, operations a ns",
        "scalar hard": "divide, scalar, operations a ns",
        "vector hard": "divide, vector, operations a ns",
        "L1": "loads from 16 KiB, GB/s",
        "L2": "loads from 256 KiB, GB/s",
        "memory": "loads from 256 MiB, GB/s",
    }
    late = {"mul": "product or sum", "div": "quotient", "sqrt": "square root"}
    rows = [(text, f"{peak[key]:.2f}") for key, text in words.items()]
    rows += [(f"from operands to {text}, ns", f"{latency[key]:.2f}") for key, text in late.items()]
    return table([("one core", "measured"), *rows])


def block() -> str:
    """What stands between the page's markers."""
    machine, noses = describe(), simcore.Table.snooker().geometry.nose.shape[1]
    latency, peak, ns = latencies(), peaks(), measured_ns(TIMED)
    found = count(SHOTS, latency)
    load = "" if machine["load"] is None else f"; load of the machine before: {machine['load']:.1f}"
    measured = (
        f"Counted and measured on {machine['date'][:10]} at commit {machine['commit']} on one core of "
        f"{machine['processor']}{load}."
    )
    tables = [peak_table(peak, latency), piece_table(found), workload_table(found, peak, ns, noses), share_table(found)]
    return "\n" + "\n\n".join([*tables, measured]) + "\n\n"


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.roofline", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    given = parser.parse_args(arguments)
    text = block()
    sys.stdout.write(text)
    if given.write:
        page = with_block(PAGE.read_text(encoding="utf-8"), "roofline", text)
        write_atomically(PAGE, lambda path: path.write_text(page, encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
