"""The event log: an onlooker that copies what each step left in the workspace, so that unlogged runs pay nothing.

A run is logged in a second pass over the same shots, when the first has told how much room each needs.
"""

from simcore.kernel.jit import kernel
from simcore.kernel.types import (
    ALONE_BALL,
    ALONE_INDEX,
    ALONE_KIND,
    AX,
    AY,
    BALL,
    C_GAP,
    C_T,
    CONTACTS,
    CUSHIONS,
    EVENTS,
    K_GAP,
    K_T,
    NOTHING,
    NOW,
    SEGMENTS,
    STATE,
    T0,
    TOUCHED,
    TOUCHED_COUNT,
    VX,
    VY,
    WX,
    WY,
    WZ,
    EventLog,
    Workspace,
    X,
    Y,
)


@kernel
def write_event(log: EventLog, at: int, t: float, gap: float, kind: int, ball: int, other: int) -> None:
    """Write one event into row `at`."""
    log.event[at, 0], log.event[at, 1] = t, gap
    log.event_what[at, 0], log.event_what[at, 1], log.event_what[at, 2] = kind, ball, other


@kernel
def write_segment(w: Workspace, log: EventLog, at: int, i: int) -> None:
    """Write the segment that ball `i` has just begun into row `at`."""
    b = w.ball
    for column, field in enumerate((T0, X, Y, VX, VY, AX, AY, WX, WY, WZ)):
        log.segment[at, column] = b[field, i]
    log.segment_what[at, 0], log.segment_what[at, 1] = i, w.mark[STATE, i]


@kernel
def record_events(w: Workspace, log: EventLog, at: int) -> None:
    """Write the events of the step just taken from row `at` on."""
    for c in range(w.tally[CONTACTS]):
        write_event(log, at, w.contact[C_T, c], w.contact[C_GAP, c], BALL, w.contact_ball[0, c], w.contact_ball[1, c])
        at += 1
    for k in range(w.tally[CUSHIONS]):
        i, kind, index = w.cushion_what[0, k], w.cushion_what[1, k], w.cushion_what[2, k]
        write_event(log, at, w.cushion[K_T, k], w.cushion[K_GAP, k], kind, i, index)
        at += 1
    if w.tally[ALONE_KIND] != NOTHING:
        write_event(log, at, w.clock[NOW], 0.0, w.tally[ALONE_KIND], w.tally[ALONE_BALL], w.tally[ALONE_INDEX])


@kernel
def record_step(w: Workspace, log: EventLog, k: int) -> None:
    """Append the step just taken to the log of shot `k`, if one is kept."""
    if log.event_start.size == 0:
        return
    alone = 1 if w.tally[ALONE_KIND] != NOTHING else 0
    record_events(w, log, log.event_start[k] + w.tally[EVENTS] - w.tally[CONTACTS] - w.tally[CUSHIONS] - alone)
    at = log.segment_start[k] + w.tally[SEGMENTS] - w.tally[TOUCHED_COUNT]
    for i in range(w.pair.shape[0]):
        if w.mark[TOUCHED, i]:
            write_segment(w, log, at, i)
            at += 1
