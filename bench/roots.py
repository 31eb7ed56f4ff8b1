"""First crossings against 50-digit roots: how many are missed or invented, and how exact the times are.

    python -m bench.roots                                      # 100,000 as they arise, 10,000 hard ones: minutes
    python -m bench.roots --table 2000 --hard 2000 --seed 3    # a slice
    python -m bench.roots --markdown roots.md --json roots.json

Pairs and lines come from logged random shots, hard ones by kind (tests/oracles/root_cases.py); what is right is
decided by the definition with 50 digits (tests/oracles/exact_roots.py). The exit status is 1 if anything is wrong.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from simcore.files import write_atomically
from tests.kernels import first_crossings, line_crossings
from tests.oracles import root_cases
from tests.oracles.exact_roots import Judgement, Line, Pair, judge

CHUNK = 1000
COUNTS = ("number", "contacts", "grazing", "ambiguous", "missed", "ghost", "late", "gap")
FIGURES = ("max_dt", "max_gap")
HEADINGS = {
    "number": "number",
    "contacts": "contacts",
    "grazing": "of them grazing",
    "ambiguous": "ambiguous",
    "missed": "missed",
    "ghost": "ghosts",
    "late": "time off",
    "gap": "gap off",
    "max_dt": "max abs dt, s",
    "max_gap": "max gap if grazing, m",
}

Row = dict[str, Any]


def tasks(table: int, hard: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Kind, seed and number of each chunk of work."""
    for first in range(0, table, CHUNK):
        yield "as they arise", seed + first, min(CHUNK, table - first)
    kinds = [*root_cases.HARD, "lines"]
    for k, kind in enumerate(kinds):
        number = hard // len(kinds) + (k < hard % len(kinds))
        for first in range(0, number, CHUNK):
            yield kind, seed + first, min(CHUNK, number - first)


def groups(kind: str, seed: int, number: int) -> dict[str, np.ndarray]:
    """The gaps of one chunk, pairs (n, 8) or lines (n, 4), by the name of their row in the table."""
    if kind == "as they arise":
        pairs, lines = root_cases.as_they_arise(seed, number)
        lines = lines[: number // 6]
        return {"table: balls, jaws, fall circles": pairs[: number - len(lines)], "table: noses": lines}
    if kind == "lines":
        return {"hard: noses": root_cases.hard_lines(seed, number)}
    return {f"hard: {kind}": root_cases.hard(kind, seed, number)}


def judged(rows: np.ndarray) -> list[Judgement]:
    """The compiled kernel's answers against the definition."""
    answers = np.empty(len(rows))
    (first_crossings if rows.shape[1] == 8 else line_crossings)(np.ascontiguousarray(rows), answers)
    motion = Pair if rows.shape[1] == 8 else Line
    return [judge(motion(row), float(answer)) for row, answer in zip(rows, answers, strict=True)]


def summary(rows: np.ndarray, results: list[Judgement]) -> Row:
    """Counts and largest errors of some gaps, and up to three that went wrong."""
    contacts = [j for j in results if j.verdict.kind == "contact"]
    row: Row = dict.fromkeys(COUNTS, 0)
    row["number"], row["contacts"] = len(results), len(contacts)
    row["grazing"] = sum(j.grazing for j in results)
    row["ambiguous"] = sum(j.verdict.kind == "ambiguous" for j in results)
    for fault in ("missed", "ghost", "late", "gap"):
        row[fault] = sum(j.fault == fault for j in results)
    row["max_dt"] = max((j.dt for j in contacts if not j.grazing), default=0.0)
    row["max_gap"] = max((j.gap for j in contacts if j.grazing), default=0.0)
    row["wrong"] = [(j.fault, values.tolist()) for j, values in zip(results, rows, strict=True) if j.fault][:3]
    return row


def run_task(task: tuple[str, int, int]) -> dict[str, Row]:
    return {name: summary(rows, judged(rows)) for name, rows in groups(*task).items()}


def add(total: Row, part: Row) -> None:
    """Add a chunk's figures to those of its row."""
    for name in COUNTS:
        total[name] = total.get(name, 0) + part[name]
    for name in FIGURES:
        total[name] = max(total.get(name, 0.0), part[name])
    total["wrong"] = [*total.get("wrong", []), *part["wrong"]][:3]


def run(table: int, hard: int, seed: int, processes: int) -> dict[str, Row]:
    """Rows of the table by name."""
    rows: dict[str, Row] = {}
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for parts in pool.imap(run_task, tasks(table, hard, seed)):
            for name, part in parts.items():
                add(rows.setdefault(name, {}), part)
    return rows


def markdown(rows: dict[str, Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| kind | " + " | ".join(HEADINGS.values()) + " |", "|---|" + "---|" * len(HEADINGS)]
    for name, row in rows.items():
        cells = [f"{row[c]:,}" for c in COUNTS] + [f"{row[c]:.1e}" for c in FIGURES]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="First crossings against 50-digit roots.")
    parser.add_argument("--table", type=int, default=100_000, help="gaps as they arise on the table")
    parser.add_argument("--hard", type=int, default=10_000, help="hard gaps, over all kinds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    given = arguments(argv)
    began = time.monotonic()
    rows = run(given.table, given.hard, given.seed, given.processes)
    text = markdown(rows)
    sys.stdout.write(text + f"\n{time.monotonic() - began:.0f} s\n")
    if given.markdown:
        write_atomically(given.markdown, lambda path: path.write_text(text, encoding="utf-8"))
    if given.json:
        figures = json.dumps({"seed": given.seed, "rows": rows}, indent=1)
        write_atomically(given.json, lambda path: path.write_text(figures, encoding="utf-8"))
    for name, row in rows.items():
        for fault, values in row["wrong"]:
            sys.stdout.write(f"{name}: {fault} {values}\n")
    return int(any(row["wrong"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
