"""`simulate`: the Python door to the kernel. It checks, broadcasts, allocates and calls; the physics is in kernel/."""

import math
import operator
import os
import threading
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import ArrayLike

from simcore.kernel.batch import BLOCK, run_parallel, run_serial
from simcore.kernel.types import (
    STOP_FIRST_CONTACT,
    STOP_FIRST_POT,
    STOP_REST,
    EventLog,
    Facts,
    Floats,
    Ints,
    RunOptions,
    Start,
)
from simcore.physics import Physics
from simcore.positions import ball_radii, check_layouts, layout_array, one_for_each, same_for_all
from simcore.results import ShotResults, gather
from simcore.shots import Motion, Shots, common_shape
from simcore.table import Table

STOP_RULES = {"rest": STOP_REST, "first_contact": STOP_FIRST_CONTACT, "first_pot": STOP_FIRST_POT}

MAX_EVENTS = 200_000
"""Default event cap: the most absurd spin into a frozen line of six makes 71,000 events (physics.md section 6)."""

MOST = 2**63 - 1
"""Greatest count: kernels count in 64 bits, and numba would compile them anew for what does not fit."""

SERIAL_BELOW = 4 * BLOCK
"""Shots below which threads cost more than they bring."""


def simulate(  # noqa: PLR0913  the one public door: all but the first two are optional keywords
    positions: ArrayLike,
    shots: Shots | None = None,
    *,
    motion: Motion | None = None,
    table: Table | None = None,
    physics: Physics | None = None,
    radius: ArrayLike | None = None,
    mass: ArrayLike | None = None,
    log_events: bool = False,
    stop: str = "rest",
    threads: int | None = None,
    max_events: int = MAX_EVENTS,
) -> ShotResults:
    """Play shots from layouts of balls, each to its end.

    Parameters
    ----------
    positions : (..., n_balls, 2)
        Centres of the balls, m; index 0 is the cue ball, both coordinates nan = absent. Leading axes broadcast with
        those of `shots` or `motion`.
    shots : Shots, optional
        Strikes at the cue ball. Give either these or `motion`.
    motion : Motion, optional
        Velocities and spins of all balls at the start.
    table, physics : optional
        Default `Table.snooker()` and `Physics.snooker()`.
    radius, mass : () or (n_balls,), optional
        Of the balls, m and kg; default those of `physics`.
    log_events : bool
        Keep every event and motion segment: `.events`, `.segments`, `.trajectory`.
    stop : {"rest", "first_contact", "first_pot"}
        When a shot ends; the shorter ones give exactly the beginning of the full run.
    threads : int, optional
        At most this many; default all that numba may use. Results do not depend on it. A forked process uses one.
    max_events : int
        A shot that needs more ends with Status.EVENT_CAP.

    Returns
    -------
    ShotResults
        Arrays with the broadcast shot axes.

    Raises
    ------
    ValueError
        Naming what was given, where, and what was expected.
    """
    return play(positions, shots, motion, setting(table, physics, radius, mass, log_events, stop, threads, max_events))


class Setting(NamedTuple):
    """All that `simulate` is given beside layouts, shots and motions."""

    table: Table
    physics: Physics  # checked
    radius: ArrayLike | None
    mass: ArrayLike | None
    log_events: bool
    options: RunOptions
    threads: int | None


def setting(
    table: Table | None,
    physics: Physics | None,
    radius: ArrayLike | None,
    mass: ArrayLike | None,
    log_events: bool,
    stop: str,
    threads: int | None,
    max_events: int,
) -> Setting:
    """The keywords of `simulate` with its defaults; ValueError where what is wrong can be seen without a layout."""
    for name, value, kind in (("table", table, Table), ("physics", physics, Physics)):
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"{name} is {type(value).__name__}: expected simcore.{kind.__name__}")
    table = _TABLE if table is None else table
    physics = _PHYSICS if physics is None else physics.check()
    options = RunOptions(_stop_rule(stop), whole_number("max_events", max_events))
    return Setting(table, physics, radius, mass, log_events, options, threads)


def play(
    positions: ArrayLike, shots: Shots | None, motion: Motion | None, given: Setting, first_row: int = 0
) -> ShotResults:
    """What `simulate` does; messages count the rows of the layouts from `first_row`."""
    table, physics = given.table, given.physics
    layouts = layout_array(positions)
    n_balls = layouts.shape[-2]
    radii = same_for_all(physics.R, n_balls) if given.radius is None else ball_radii(given.radius, n_balls)
    check_layouts(layouts, table, radii, physics.nose_height, None, first_row, shots is not None)
    if given.mass is None:
        masses = same_for_all(physics.m, n_balls)
    else:
        masses = one_for_each("mass", given.mass, n_balls, "kilograms > 0")
    shape, start = _start(layouts, shots, motion, radii, masses)
    n_threads = _thread_count(given.threads, start.layout_of.size)
    facts = _empty_facts(start.layout_of.size, n_balls)
    _run(start, n_threads, table, physics, given.options, facts, _NO_LOG)
    log = None
    if given.log_events:
        log = _empty_log(facts)
        _run(start, n_threads, table, physics, given.options, facts, log)
    if layouts.shape[:-2] != shape:
        layouts = np.broadcast_to(layouts, (*shape, n_balls, 2))
    layouts.setflags(write=False)
    return gather(facts, shape, layouts, log)


_TABLE, _PHYSICS = Table.snooker(), Physics.snooker()  # the defaults; no caller gets hold of this table

# What has no elements is made once too: kernels look at its length, and there is nothing in it to write to.
_NO_STROKE, _NO_VELOCITY, _NO_SPIN = np.empty((0, 5)), np.empty((0, 0, 2)), np.empty((0, 0, 3))
_NO_LOG = EventLog(  # a log that records nothing
    *(np.empty(0, np.int64), np.empty((0, 2)), np.empty((0, 3), np.int64)),
    *(np.empty(0, np.int64), np.empty((0, 10)), np.empty((0, 2), np.int64)),
)

_parallel = threading.Lock()  # not every threading layer of numba may be entered from two Python threads at once
_forked = False  # in a child of a process: its threads did not come along, and the OpenMP layer would end it


def _note_fork() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def _run(
    start: Start, threads: int, table: Table, physics: Physics, options: RunOptions, facts: Facts, log: EventLog
) -> None:
    """Call the serial or the parallel kernel, whichever suits the batch."""
    geometry, rest = tuple(table.geometry), (tuple(physics), tuple(options), tuple(facts), tuple(log))
    if threads == 1 or _forked:
        run_serial(tuple(start), geometry, *rest)
        return
    with _parallel:
        previous = numba.get_num_threads()
        numba.set_num_threads(threads)
        try:
            run_parallel(tuple(start), threads, geometry, *rest)
        finally:
            numba.set_num_threads(previous)


def _start(
    layouts: Floats, shots: Shots | None, motion: Motion | None, radii: Floats, masses: Floats
) -> tuple[tuple[int, ...], Start]:
    """The shot axes, and the start of every shot as rows of the given arrays."""
    n_balls = layouts.shape[-2]
    if (shots is None) == (motion is None):
        raise ValueError("simulate: expected either shots or motion")
    given = shots if shots is not None else motion
    name, kind = ("shots", Shots) if shots is not None else ("motion", Motion)
    if not isinstance(given, kind):
        raise TypeError(f"{name} is {type(given).__name__}: expected simcore.{kind.__name__}")
    if motion is not None and motion.n_balls != n_balls:
        raise ValueError(f"motion is for {motion.n_balls} balls: expected {n_balls}, as in positions")
    lead = layouts.shape[:-2]
    shape = broadcast_axes(lead, given.shape)
    rows = layouts.reshape(-1, n_balls, 2)
    layout_of = _row_of(lead, shape)
    if shots is not None:
        return shape, Start(rows, layout_of, _strokes(shots, shape), _NO_VELOCITY, _NO_SPIN, layout_of, radii, masses)
    assert motion is not None
    v, w = np.array(motion.v).reshape(-1, n_balls, 2), np.array(motion.w).reshape(-1, n_balls, 3)
    return shape, Start(rows, layout_of, _NO_STROKE, v, w, _row_of(motion.shape, shape), radii, masses)


def _strokes(shots: Shots, shape: tuple[int, ...]) -> Floats:
    """The fields of `shots` as rows (n_shots, 5)."""
    given = shots.V0, shots.phi, shots.theta, shots.a, shots.b
    if not shape:  # a third of the time for a single shot
        return np.array([[float(field) for field in given]])
    strokes = np.empty((*shape, 5))
    for k, field in enumerate(given):
        strokes[..., k] = field
    return strokes.reshape(-1, 5)


def broadcast_axes(layouts: tuple[int, ...], shots: tuple[int, ...]) -> tuple[int, ...]:
    """The shot axes of a batch from those of the layouts and of the shots."""
    try:
        return common_shape(layouts, shots)
    except ValueError:
        raise ValueError(
            f"positions has shot axes {layouts}, the shots {shots}: expected axes that broadcast"
        ) from None


def _row_of(given: tuple[int, ...], shape: tuple[int, ...]) -> Ints:
    """For every shot of the broadcast axes, the row of an array whose leading axes are `given`."""
    rows = np.arange(math.prod(given))
    return rows if given == shape else np.array(np.broadcast_to(rows.reshape(given), shape)).reshape(-1)


def _stop_rule(stop: str) -> int:
    if not isinstance(stop, str) or stop not in STOP_RULES:
        raise ValueError(f"stop = {stop!r}: expected one of {', '.join(STOP_RULES)}")
    return STOP_RULES[stop]


def whole_number(name: str, value: int) -> int:
    """The value as an int; ValueError unless it is a whole number of at least 1 that fits in 64 bits."""
    try:
        whole = 0 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        whole = 0
    if whole < 1:
        raise ValueError(f"{name} = {value!r}: expected a whole number of at least 1")
    if whole > MOST:
        raise ValueError(f"{name} = {value!r}: expected at most {MOST}")
    return whole


def _thread_count(threads: int | None, n_shots: int) -> int:
    """Threads for this many shots; for a few, numba's are not even started to ask how many there are."""
    few = n_shots < SERIAL_BELOW
    if few and threads is None:
        return 1
    allowed = thread_count(threads)
    return 1 if few else allowed


def thread_count(threads: int | None) -> int:
    """Threads to use, all that numba may use for None; ValueError for more than those."""
    if threads is None:
        return int(numba.get_num_threads())
    most = int(numba.config.NUMBA_NUM_THREADS)
    if whole_number("threads", threads) > most:
        raise ValueError(f"threads = {threads}: expected at most {most}, the threads numba may use here")
    return int(threads)


def _empty_facts(n: int, n_balls: int) -> Facts:
    """Room for the facts of `n` shots; the kernel writes every element."""
    per_ball = (n, n_balls)
    return Facts(
        positions=np.empty((*per_ball, 2)),
        velocities=np.empty((*per_ball, 2)),
        spins=np.empty((*per_ball, 3)),
        pocket=np.empty(per_ball, np.int8),
        pot_time=np.empty(per_ball),
        first_contacts=np.empty(per_ball, np.bool_),
        moved_by=np.empty(per_ball, np.int16),
        moved_time=np.empty(per_ball),
        cushions_before=np.empty(per_ball, np.int16),
        cushions_after=np.empty(per_ball, np.int16),
        touching=np.empty(per_ball, np.bool_),
        duration=np.empty(n),
        n_events=np.empty(n, np.int64),
        n_segments=np.empty(n, np.int64),
        status=np.empty(n, np.int8),
    )


def _empty_log(facts: Facts) -> EventLog:
    """Room for the log of the shots whose facts are known."""

    def starts(counts: Ints) -> tuple[Ints, int]:
        ends = np.cumsum(counts, dtype=np.int64)
        return ends - counts, int(ends[-1]) if counts.size else 0

    event_start, n_events = starts(facts.n_events)
    segment_start, n_segments = starts(facts.n_segments)
    return EventLog(
        event_start,
        np.empty((n_events, 2)),
        np.empty((n_events, 3), np.int64),
        segment_start,
        np.empty((n_segments, 10)),
        np.empty((n_segments, 2), np.int64),
    )
