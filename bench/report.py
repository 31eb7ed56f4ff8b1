"""The README's numbers of speed and the picture in docs/, from the last lines of bench/results.jsonl and peers.jsonl.

    python -m bench.report            # write both
    python -m bench.report --check    # exit status 1 if the README is not what the last lines say

Targets are stated for both cores of a quiet two-core machine: shots/s on two threads, and µs an event and thread there.
"""

import argparse
import json
import sys
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from bench.speed import BATCHES, RESULTS
from simcore.files import write_atomically

ROOT = Path(__file__).resolve().parents[1]
README, PICTURE = ROOT / "README.md", ROOT / "docs" / "speed.svg"
WIDTH = 118
PEERS = Path(__file__).with_name("peers.jsonl")

Numbers = dict[str, Any]  # of a case, as bench/speed.py keeps them


class Target(NamedTuple):
    """What a case is to reach on two threads."""

    shots_per_s: float  # at least
    us_per_event: float | None  # µs an event and thread, at most


TARGETS = {
    "2 balls": Target(400_000, 0.6),
    "8 balls": Target(250_000, 0.9),
    "16 balls": Target(160_000, 1.3),
    "22 balls": Target(120_000, 1.6),
    "break": Target(18_000, 0.8),
    "evaluate": Target(100_000, None),
}
DOOR_US = 30.0  # target: what one call of `simulate` costs beside the shot
SCALING = 1.85  # target: two threads against one
PEER_RATIO = 1900  # target: on one core, against pooltool on eight balls
BALLS = {"2 balls": 2, "8 balls": 8, "16 balls": 16, "22 balls": 22, "break": 22}
HEADER = ("workload", "events a shot", "shots/s, 1 thread", "2 threads", "µs an event and thread", "target", "")


def last_record(path: Path = RESULTS) -> Numbers:
    """The last line of the results."""
    return dict(json.loads(path.read_text(encoding="utf-8").splitlines()[-1]))


def case(record: Numbers, name: str, threads: int) -> Numbers:
    """The numbers of a case; ValueError if the record has none."""
    for numbers in record["cases"]:
        if (numbers["name"], numbers["threads"]) == (name, threads):
            return dict(numbers)
    raise ValueError(f"the last results lack {name} on {threads} threads: run python -m bench.speed --append")


def rate(numbers: Numbers) -> float:
    """Shots a second."""
    return float(numbers["shots"] / numbers["min_s"])


def us_per_event(numbers: Numbers) -> float:
    """µs an event and thread."""
    return float(numbers["min_s"] * numbers["threads"] / numbers["events"] * 1e6)


def digits(value: float) -> str:
    """A number to three digits, with commas."""
    places = max(0, 2 - len(str(int(value))) + 1) if value < 100.0 else 0
    step = 10.0 ** max(0, len(str(int(value))) - 3)
    return f"{round(value / step) * step:,.0f}" if value >= 100.0 else f"{value:.{places}f}"


def verdict(shots_per_s: float, us: float | None, target: Target) -> str:
    """Whether a target is met, and by how much: every share above 1 is better than asked for."""
    shares = [shots_per_s / target.shots_per_s]
    if us is not None and target.us_per_event is not None:
        shares.append(target.us_per_event / us)
    least = min(shares)
    return f"met: {least:.2f} of it" if least >= 1.0 else f"**missed**: {least:.2f} of it"


def row(record: Numbers, name: str) -> tuple[str, ...]:
    """A line of the table."""
    one, two, target = case(record, name, 1), case(record, name, 2), TARGETS[name]
    us = us_per_event(two) if two["events"] is not None else None
    wanted = f"≥ {target.shots_per_s:,.0f}/s" + (f", ≤ {target.us_per_event} µs" if target.us_per_event else "")
    return (
        "`rules.evaluate`" if name == "evaluate" else name,
        f"{two['events'] / two['shots']:.1f}" if us is not None else "–",
        digits(rate(one)),
        digits(rate(two)),
        digits(us) if us is not None else "–",
        wanted,
        verdict(rate(two), us, target),
    )


def door_us(record: Numbers) -> float:
    """What a call of `simulate` costs beside its shot: one alone less one of a batch of the same, µs."""
    alone, many = case(record, "one shot", 1), case(record, "one shot of many", 1)
    return (1.0 / rate(alone) - 1.0 / rate(many)) * 1e6


def scaling(record: Numbers) -> tuple[float, float]:
    """Two threads against one over the batches of at least 512 shots: least and greatest ratio."""
    ratios = [rate(case(record, f"batch {n}", 2)) / rate(case(record, f"batch {n}", 1)) for n in BATCHES if n >= 512]
    return min(ratios), max(ratios)


def start_sentence(record: Numbers) -> str:
    """What the start of a process costs."""
    warm, cold = record["starts"]["warm"], record["starts"]["cold"]
    return (
        f"`import simcore` takes {warm['import_s']:.2f} s beside numba's own import, the first shot of a process "
        f"{warm['first_shot_s']:.2f} s, or {cold['first_shot_s']:.0f} s where nothing is compiled yet."
    )


def block(record: Numbers) -> str:
    """What stands between the README's markers."""
    rows = [HEADER, ("---",) * len(HEADER), *(row(record, name) for name in TARGETS)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    least, most = scaling(record)
    load = "" if record["load"] is None else f"; load of the machine before: {record['load']:.1f}"
    beside = (
        f"One shot by itself costs {digits(door_us(record))} µs more than in a batch (target: {DOOR_US:.0f}). "
        f"Two threads play batches of eight balls {least:.2f} to {most:.2f} times as fast as one (target: {SCALING}). "
        + start_sentence(record)
    )
    measured = (
        f"Measured on {record['date'][:10]} at commit {record['commit']} on {record['cores']} cores of "
        f"{record['processor']}, {versions}{load}. Shares above 1 are better than the target."
    )
    return "\n" + "\n\n".join([table, fill(beside, WIDTH), fill(measured, WIDTH)]) + "\n\n"


def peers_block(record: Numbers) -> str:
    """What the README says of pooltool."""
    found = {numbers["name"]: numbers for numbers in record["workloads"]}
    eight = found["8 balls"]
    ratios = ", ".join(f"{n['theirs_s'] / n['ours_s']:,.0f} ({name})" for name, n in found.items())
    ratio = eight["theirs_s"] / eight["ours_s"]
    stands = "met" if ratio >= PEER_RATIO else f"**missed**: {ratio / PEER_RATIO:.2f} of it"
    load = "" if record["load"] is None else f", load of the machine before: {record['load']:.1f}"
    text = (
        f"On one core, with the same layouts and speeds of the cue ball, it plays so many times the shots of pooltool "
        f"{record['pooltool']}: {ratios}. Of eight balls pooltool played {1.0 / eight['theirs_s']:,.0f} shots/s "
        f"and this {1.0 / eight['ours_s']:,.0f} (target: {PEER_RATIO:,} times, {stands}). Each models by default what "
        f"it does; measured on {record['date'][:10]} at commit {record['commit']} on {record['processor']}, python "
        f"{record['versions']['python']}, numba {record['versions']['numba']}{load}."
    )
    return "\n" + fill(text, WIDTH) + "\n\n"


def with_block(page: str, name: str, text: str) -> str:
    """A page with this between the markers of a name; ValueError where they are missing."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, found_begin, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError(f"expected the lines {begin.strip()} and {end.strip()}")
    return before + begin + text + end + after


def words(what: str, threads: int) -> str:
    """Name of a curve."""
    return f"{what}, {threads} thread{'s' if threads > 1 else ''}"


def draw_balls(axes: Axes, record: Numbers) -> None:
    """Cost against the number of balls."""
    balls = {name: count for name, count in BALLS.items() if name != "break"}
    for threads, marker in ((1, "o"), (2, "s")):
        costs = [us_per_event(case(record, name, threads)) for name in balls]
        (line,) = axes.plot(balls.values(), costs, marker=marker, label=words("scattered", threads))
        at, cost = BALLS["break"], us_per_event(case(record, "break", threads))
        axes.plot([at], [cost], marker=marker, color=line.get_color(), fillstyle="none", linestyle="", markersize=9)
        axes.annotate(words("break", threads), (at, cost), xytext=(6, -14), textcoords="offset points", ha="right")
    axes.set(xlabel="balls", ylabel="µs an event and thread", ylim=(0.0, None), xlim=(0.0, 24.0))
    axes.legend(frameon=False)


def draw_batches(axes: Axes, record: Numbers) -> None:
    """Cost against the number of shots in a call."""
    for threads, marker in ((1, "o"), (2, "s")):
        costs = [1e6 / rate(case(record, f"batch {n}", threads)) for n in BATCHES]
        axes.loglog(BATCHES, costs, marker=marker, label=words("eight balls", threads))
    axes.set(xlabel="shots in a call", ylabel="µs a shot", xticks=BATCHES, xticklabels=map(str, BATCHES))
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.legend(frameon=False)


def picture(record: Numbers) -> Figure:
    """Both charts."""
    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_balls(left, record)
    draw_batches(right, record)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG, the same for the same numbers."""
    with mpl.rc_context({"svg.hashsalt": "speed", "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata={"Date": None})


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.report", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the README is not up to date")
    given = parser.parse_args(arguments)
    record, readme = last_record(), README.read_text(encoding="utf-8")
    text = with_block(readme, "speed", block(record))
    text = with_block(text, "peers", peers_block(last_record(PEERS)))
    if given.check:
        if text != readme:
            sys.stderr.write(
                f"{README.name} is not what {RESULTS.name} and {PEERS.name} say: run python -m bench.report\n"
            )
        return int(text != readme)
    write_atomically(README, lambda path: path.write_text(text, encoding="utf-8"))
    write_atomically(PICTURE, lambda path: save(picture(record), path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
