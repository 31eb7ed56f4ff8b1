"""The batch loop: shots over threads, one workspace a thread, outputs by shot index.

The doors take plain tuples of the fields of `Start`, `TableGeometry` and so on, and name them inside: numba spends
some two microseconds more on every named tuple that it is given.

Threads take the shots in interleaved blocks, so that long and short shots mix; what a shot gives never depends on the
thread that runs it.
"""

import math
from typing import Any

import numpy as np
from numba import prange

from simcore.kernel.coefficients import Coefficients
from simcore.kernel.jit import door, making_kernel, parallel_door
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
"""Shots a thread takes at a time: few enough to balance, enough to keep threads out of each other's cache lines."""


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


@making_kernel
def run_share(
    start: Start,
    first: int,
    stride: int,
    table: TableGeometry,
    physics: Any,
    options: RunOptions,
    facts: Facts,
    log: EventLog,
) -> None:
    """Run the shots of every `stride`-th block from shot `first` on."""
    w = make_workspace(start.layout.shape[1])
    n = start.layout_of.size
    for block in range(first, n, stride):
        for k in range(block, min(block + BLOCK, n)):
            run_shot(w, start, k, table, physics, options, facts, log)


@door
def run_serial(start: Plain, table: Plain, physics: Plain, options: Plain, facts: Plain, log: Plain) -> None:
    """Run all shots on the calling thread."""
    run_share(
        Start(*start),
        0,
        BLOCK,
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
    for share in prange(threads):
        run_share(
            Start(*start),
            share * BLOCK,
            threads * BLOCK,
            TableGeometry(*table),
            Coefficients(*physics),
            RunOptions(*options),
            Facts(*facts),
            EventLog(*log),
        )
