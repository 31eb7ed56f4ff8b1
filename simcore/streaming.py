"""`stream`: `simulate` over chunks, one at a time, so that memory does not grow with the number of shots.

A chunk is what one call of `simulate` takes: layouts, and `Shots` or `Motion`. Chunks come from a generator, or from
arrays cut by `in_chunks`; noisy shots come in chunks from `Noise.chunks`. The results, one after the other, are those
of one batch of all shots, bit for bit, wherever it is cut.

Not done here: chunks of other than the given size are neither joined nor cut.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from simcore.physics import Physics
from simcore.results import ShotResults
from simcore.shots import CHUNK, Motion, Shots, spans
from simcore.simulate import MAX_EVENTS, Setting, broadcast_axes, play, setting, thread_count, whole_number
from simcore.table import Table

StartT = TypeVar("StartT", Shots, Motion)


def stream(  # noqa: PLR0913  the keywords are those of `simulate`
    chunks: Iterable[tuple[ArrayLike, Shots | Motion]],
    *,
    table: Table | None = None,
    physics: Physics | None = None,
    radius: ArrayLike | None = None,
    mass: ArrayLike | None = None,
    log_events: bool = False,
    stop: str = "rest",
    threads: int | None = None,
    max_events: int = MAX_EVENTS,
    check: bool = False,
) -> Iterator[ShotResults]:
    """Play chunk after chunk, as `simulate` plays each, and give its results before the next chunk is asked for.

    chunks: pairs of positions (..., n_balls, 2), m, and Shots or Motion; an endless generator will do. check: raise
    SimulationError if a shot does not finish. The other keywords are those of `simulate`.
    Ten million samples of one stroke: `stream((layout, some) for some in noise.chunks(shot, 10_000_000, seed=1))`.
    Yields the ShotResults of each chunk. Raises, while it is read, what `simulate` raises; messages count rows (the
    first axis) from the first chunk on, and say in which chunk. Keywords are refused at the call.
    """
    given = setting(table, physics, radius, mass, log_events, stop, threads, max_events)
    if threads is not None:
        thread_count(threads)
    return _played(iter(chunks), given, check)


def _played(chunks: Iterator[tuple[ArrayLike, Shots | Motion]], given: Setting, check: bool) -> Iterator[ShotResults]:
    row = 0
    for k, chunk in enumerate(chunks):
        try:
            results = _play_chunk(chunk, given, row)
            if check:
                results.check(row)
        except Exception as error:
            error.add_note(f"in chunk {k} of the stream, whose first row is row {row}")
            raise
        row += len(results) if results.shape else 1
        yield results
        del results  # not kept while the next chunk is made


def _play_chunk(chunk: tuple[ArrayLike, Shots | Motion], given: Setting, row: int) -> ShotResults:
    if not isinstance(chunk, tuple) or len(chunk) != 2 or not isinstance(chunk[1], Shots | Motion):
        raise TypeError(f"a chunk is {chunk!r:.80}: expected a pair of positions and simcore.Shots or simcore.Motion")
    positions, start = chunk
    if isinstance(start, Motion):
        return play(positions, None, start, given, row)
    return play(positions, start, None, given, row)


def in_chunks(positions: ArrayLike, start: StartT, size: int = CHUNK) -> Iterator[tuple[ArrayLike, StartT]]:
    """A batch that lies in memory, or in a memory-mapped file, cut along its first shot axis for `stream`.

    positions: (..., n_balls, 2), m, with leading axes that broadcast with those of `start`, Shots or Motion; size: rows
    of a chunk. Nothing is copied before its chunk is asked for. A single shot is one chunk. Raises ValueError for a
    size below 1, or axes that do not broadcast.
    """
    layouts, size = np.asarray(positions), whole_number("size", size)
    shape = broadcast_axes(layouts.shape[:-2], start.shape)
    if not shape:
        return iter([(layouts, start)])
    own_layouts, own_starts = (_has_rows(axes, shape) for axes in (layouts.shape[:-2], start.shape))
    return (
        (layouts[first:last] if own_layouts else layouts, start[first:last] if own_starts else start)
        for first, last in spans(shape[0], size)
    )


def _has_rows(axes: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether the first of the axes of a batch is that of the broadcast shape, and so to be cut."""
    return len(axes) == len(shape) and axes[0] == shape[0]
