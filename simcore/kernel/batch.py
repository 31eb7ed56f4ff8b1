"""The batch loop: shots over threads, one workspace a thread, outputs by shot index.

The doors take plain tuples of the fields of `Start`, `TableGeometry` and so on, and name them inside: numba spends
some two microseconds more on every named tuple that it is given.

Threads take shots from one queue, each when it is free: shots differ in length, those of a break fourfold. What a shot
gives never depends on the thread that runs it.
"""

import math
from typing import Any

import numpy as np
from numba import prange

from simcore.kernel.coefficients import Coefficients
from simcore.kernel.jit import door, kernel, making_kernel, parallel_door, take_turn
from simcore.kernel.shot import run_shot
from simcore.kernel.types import (
    BALL_FIELDS,
    CLOCK_FIELDS,
    CONTACT_FIELDS,
    COUNT_FIELDS,
    CUSHION_FIELDS,
    MARK_FIELDS,
    EventLog,
    Facts,
    RunOptions,
    Start,
    TableGeometry,
    Workspace,
)

Plain = tuple[Any, ...]

BLOCK = 16
"""Shots a thread takes at a time, while there are many: enough to keep threads out of each other's cache lines."""

SINGLES = 2 * BLOCK
"""Shots for each thread that are left for the end, taken one at a time so that all threads end together."""


@making_kernel
def make_workspace(n: int) -> Workspace:
    """A workspace for shots of `n` balls."""
    return Workspace(
        np.zeros((BALL_FIELDS, n)),
        np.zeros((MARK_FIELDS, n), np.int64),
        np.full((n, n), math.inf),
        np.zeros((CONTACT_FIELDS, 3 * n)),
        np.zeros((2, 3 * n), np.int64),
        np.zeros((CUSHION_FIELDS, 2 * n)),
        np.zeros((3, 2 * n), np.int64),
        np.zeros(COUNT_FIELDS, np.int64),
        np.zeros(CLOCK_FIELDS),
    )


@kernel
def shots_of(turn: int, n: int, threads: int) -> tuple[int, int]:
    """First and end of the shots of the queue's `turn`-th taker, of `n` shots; none are left if the first is `n`."""
    blocks = max(0, n - threads * SINGLES) // BLOCK
    first = turn * BLOCK if turn < blocks else min(n, blocks * BLOCK + turn - blocks)
    return first, min(n, first + (BLOCK if turn < blocks else 1))


@making_kernel
def run_share(
    queue: Any,
    threads: int,
    start: Start,
    table: TableGeometry,
    physics: Any,
    options: RunOptions,
    facts: Facts,
    log: EventLog,
) -> None:
    """Run shots as long as the queue, whose one element counts the turns taken, has any."""
    w = make_workspace(start.layout.shape[1])
    n = start.layout_of.size
    first, end = shots_of(take_turn(queue), n, threads)
    while first < n:
        for k in range(first, end):
            run_shot(w, start, k, table, physics, options, facts, log)
        first, end = shots_of(take_turn(queue), n, threads)


@door
def run_serial(start: Plain, table: Plain, physics: Plain, options: Plain, facts: Plain, log: Plain) -> None:
    """Run all shots on the calling thread."""
    run_share(
        np.zeros(1, np.int64),
        1,
        Start(*start),
        TableGeometry(*table),
        Coefficients(*physics),
        RunOptions(*options),
        Facts(*facts),
        EventLog(*log),
    )


@parallel_door
def run_parallel(
    start: Plain, threads: int, table: Plain, physics: Plain, options: Plain, facts: Plain, log: Plain
) -> None:
    """Run all shots on `threads` threads."""
    queue = np.zeros(1, np.int64)
    for _ in prange(threads):
        run_share(
            queue,
            threads,
            Start(*start),
            TableGeometry(*table),
            Coefficients(*physics),
            RunOptions(*options),
            Facts(*facts),
            EventLog(*log),
        )
