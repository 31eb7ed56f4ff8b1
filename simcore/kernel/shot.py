"""One shot from its start to its end: place, strike, then step from event to event."""

import math
from typing import Any

from simcore.kernel.ball_ball import touching_distance
from simcore.kernel.cue import strike
from simcore.kernel.cushion import nose_distance
from simcore.kernel.jit import inlined_kernel, kernel
from simcore.kernel.log import record_step
from simcore.kernel.motion import (
    advance,
    begin_segment,
    clear_touched,
    end_of_segment,
    mark_touched,
    motion_at,
    position_at,
    set_motion,
)
from simcore.kernel.resolve import resolve_instant
from simcore.kernel.schedule import CONTACT_RANK, next_event, refresh
from simcore.kernel.tolerances import TOUCH_GAP
from simcore.kernel.types import (
    ABSENT,
    AFTER,
    ALONE_BALL,
    ALONE_INDEX,
    ALONE_KIND,
    BEFORE,
    CONTACTS,
    COUNT_FIELDS,
    CUSHIONS,
    DONE_EVENT_CAP,
    DONE_FIRST_CONTACT,
    DONE_FIRST_POT,
    DONE_MISCUE,
    DONE_NOT_FINITE,
    DONE_NOT_SETTLED,
    DONE_REST,
    EVENTS,
    FELL_IN,
    FIRST,
    HAS_CONTACT,
    INSTANT,
    MASS,
    MOST_COUNTED,
    MOVED_BY,
    MOVED_T,
    NOTHING,
    NOW,
    OWN_INDEX,
    OWN_KIND,
    OWN_T,
    POCKET,
    POT_T,
    RADIUS,
    REACH,
    REST,
    ROW_T,
    RUNNING,
    SEGMENTS,
    STATE,
    STEPS,
    STOP_FIRST_CONTACT,
    STOP_FIRST_POT,
    T0,
    T_END,
    TOUCHED_BALL,
    TOUCHED_COUNT,
    TRANSITION,
    UNSETTLED,
    WZ,
    BallMotion,
    EventLog,
    Facts,
    RunOptions,
    Start,
    TableGeometry,
    Workspace,
    X,
    Y,
)


@kernel
def place(w: Workspace, start: Start, k: int) -> None:
    """Put the balls of shot `k` on the bed, at rest, and clear all that the last shot left."""
    b, mark, layout = w.ball, w.mark, start.layout_of[k]
    w.clock[NOW], w.clock[INSTANT] = 0.0, -math.inf
    for f in range(COUNT_FIELDS):
        w.tally[f] = 0
    b[:], mark[:], w.pair[:] = 0.0, 0, math.inf
    for i in range(w.pair.shape[0]):
        b[X, i], b[Y, i] = start.layout[layout, i, 0], start.layout[layout, i, 1]
        b[T_END, i], b[OWN_T, i], b[ROW_T, i] = math.inf, math.inf, math.inf
        b[POT_T, i], b[MOVED_T, i] = math.inf, math.inf
        b[RADIUS, i], b[MASS, i] = start.radius[i], start.mass[i]
        mark[STATE, i] = ABSENT if math.isnan(b[X, i]) else REST
        mark[FELL_IN, i], mark[MOVED_BY, i] = -1, -1


@kernel
def set_moving(w: Workspace, i: int, m: BallMotion, physics: Any) -> None:
    """Let ball `i` start with this motion."""
    set_motion(w, i, m)
    begin_segment(w, i, physics)
    if w.mark[STATE, i] == REST and w.ball[WZ, i] == 0.0:
        return
    mark_touched(w, i)
    w.tally[SEGMENTS] += 1
    if w.mark[STATE, i] != REST:
        w.mark[MOVED_BY, i] = i
        w.ball[MOVED_T, i] = 0.0


@kernel
def set_off(w: Workspace, start: Start, k: int, physics: Any) -> int:
    """Strike the cue ball of shot `k`, or give all balls their motions; RUNNING, or DONE_MISCUE."""
    if start.stroke.shape[0] > 0:
        s = start.stroke[k]
        m, miscue = strike(s[0], s[1], s[2], s[3], s[4], start.radius[0], start.mass[0], physics)
        if miscue:
            return DONE_MISCUE
        set_moving(w, 0, m, physics)
        return RUNNING
    row = start.motion_of[k]
    v, s = start.velocity[row], start.spin[row]
    for i in range(w.pair.shape[0]):
        if w.mark[STATE, i] != ABSENT:
            set_moving(w, i, BallMotion(v[i, 0], v[i, 1], s[i, 0], s[i, 1], s[i, 2]), physics)
    return RUNNING


@kernel
def take_transition(w: Workspace, i: int, t: float, alpha: float) -> None:
    """Ball `i` goes from sliding to rolling, or stops, at time `t`; before its segment's end it goes on as it does."""
    m = end_of_segment(w, i, t, alpha)
    advance(w, i, t, alpha)
    if t >= w.ball[T_END, i]:
        set_motion(w, i, m)


@kernel
def take_fall(w: Workspace, i: int, t: float, alpha: float) -> None:
    """Ball `i` drops into a pocket at time `t`."""
    advance(w, i, t, alpha)
    w.mark[FELL_IN, i] = w.mark[OWN_INDEX, i]
    w.mark[STATE, i] = ABSENT
    w.ball[POT_T, i], w.ball[T_END, i] = t, math.inf


@kernel
def take_alone(w: Workspace, i: int, t: float, alpha: float) -> None:
    """The transition or fall of ball `i` at time `t`."""
    w.clock[NOW] = t
    w.tally[ALONE_KIND], w.tally[ALONE_BALL], w.tally[ALONE_INDEX] = w.mark[OWN_KIND, i], i, w.mark[OWN_INDEX, i]
    if w.mark[OWN_KIND, i] == TRANSITION:
        take_transition(w, i, t, alpha)
    else:
        take_fall(w, i, t, alpha)
    mark_touched(w, i)
    w.tally[EVENTS] += 1


@kernel
def begin_touched(w: Workspace, physics: Any) -> None:
    """Start a new segment for every ball whose motion changed in this step."""
    w.tally[SEGMENTS] += w.tally[TOUCHED_COUNT]
    for k in range(w.tally[TOUCHED_COUNT]):
        i = w.mark[TOUCHED_BALL, k]
        if w.mark[STATE, i] != ABSENT:
            begin_segment(w, i, physics)


@inlined_kernel
def step(w: Workspace, table: TableGeometry, physics: Any, options: RunOptions) -> int:
    """Take the next event, or one pass of contacts, from a schedule brought up to date; the new status."""
    refresh(w, table, w.clock[NOW])
    t, rank, who = next_event(w)
    clear_touched(w)
    w.tally[CONTACTS], w.tally[CUSHIONS], w.tally[ALONE_KIND] = 0, 0, NOTHING
    if who < 0:
        return DONE_REST
    w.tally[STEPS] += 1
    if w.tally[EVENTS] >= options.max_events or w.tally[STEPS] > options.max_events:
        return DONE_EVENT_CAP
    if w.tally[UNSETTLED] > 0:
        return DONE_NOT_SETTLED
    had_contact = w.tally[HAS_CONTACT]
    if rank == CONTACT_RANK:
        resolve_instant(w, t, table, physics)
    else:
        take_alone(w, who, t, physics.alpha_spin)
    begin_touched(w, physics)
    if options.stop == STOP_FIRST_CONTACT and w.tally[HAS_CONTACT] > had_contact:
        return DONE_FIRST_CONTACT
    return DONE_FIRST_POT if options.stop == STOP_FIRST_POT and w.tally[ALONE_KIND] == POCKET else RUNNING


@kernel
def still_time(w: Workspace, i: int, alpha: float) -> float:
    """When the spin of the resting ball `i` has died away, s."""
    spin = abs(w.ball[WZ, i])
    if spin == 0.0:
        return w.ball[T0, i]
    return w.ball[T0, i] + spin / alpha if alpha > 0.0 else math.inf


@kernel
def end_time(w: Workspace, status: int, alpha: float) -> float:
    """Time at which the shot is over: its last event, or when the last spin has died away."""
    t = w.clock[NOW]
    if status == DONE_REST:
        for i in range(w.pair.shape[0]):
            if w.mark[STATE, i] != ABSENT:
                t = max(t, still_time(w, i, alpha))
    return t


@kernel
def write_motion(w: Workspace, facts: Facts, k: int, i: int, status: int, t: float, alpha: float) -> None:
    """Where ball `i` is at the end of shot `k`, and how it moves."""
    x, y, m = math.nan, math.nan, BallMotion(0.0, 0.0, 0.0, 0.0, 0.0)
    if w.mark[STATE, i] != ABSENT:
        x, y = position_at(w, i, t)
        if status != DONE_REST:
            m = motion_at(w, i, t, alpha)
    facts.positions[k, i, 0], facts.positions[k, i, 1] = x, y
    facts.velocities[k, i, 0], facts.velocities[k, i, 1] = m.vx, m.vy
    facts.spins[k, i, 0], facts.spins[k, i, 1], facts.spins[k, i, 2] = m.wx, m.wy, m.wz


@kernel
def write_facts(w: Workspace, facts: Facts, k: int, status: int, alpha: float) -> None:
    """Copy what the shot told into row `k`; a result that is not finite is named so."""
    b, mark, t = w.ball, w.mark, end_time(w, status, alpha)
    for i in range(w.pair.shape[0]):
        write_motion(w, facts, k, i, status, min(t, w.clock[NOW]), alpha)
        present = mark[STATE, i] != ABSENT
        if present and not math.isfinite(facts.positions[k, i, 0] + facts.positions[k, i, 1]):
            status = DONE_NOT_FINITE
        facts.pocket[k, i], facts.pot_time[k, i] = mark[FELL_IN, i], b[POT_T, i]
        facts.first_contacts[k, i] = mark[FIRST, i] == 1
        facts.moved_by[k, i], facts.moved_time[k, i] = mark[MOVED_BY, i], b[MOVED_T, i]
        facts.cushions_before[k, i] = min(mark[BEFORE, i], MOST_COUNTED)
        facts.cushions_after[k, i] = min(mark[AFTER, i], MOST_COUNTED)
    facts.duration[k] = t
    facts.n_events[k], facts.n_segments[k] = w.tally[EVENTS], w.tally[SEGMENTS]
    facts.status[k] = status


@kernel
def write_touching(w: Workspace, facts: Facts, k: int) -> None:
    """Which balls touch the cue ball before shot `k`, as a referee sees it."""
    b = w.ball
    for i in range(w.pair.shape[0]):
        dx, dy = b[X, i] - b[X, 0], b[Y, i] - b[Y, 0]
        near = touching_distance(b[RADIUS, 0], b[RADIUS, i]) + TOUCH_GAP
        facts.touching[k, i] = i > 0 and dx * dx + dy * dy <= near * near


@inlined_kernel
def run_shot(
    w: Workspace,
    start: Start,
    k: int,
    table: TableGeometry,
    physics: Any,
    options: RunOptions,
    facts: Facts,
    log: EventLog,
) -> None:
    """Run shot `k` of a batch and write its facts, and its log where one is kept."""
    place(w, start, k)
    for i in range(w.pair.shape[0]):
        w.ball[REACH, i] = nose_distance(w.ball[RADIUS, i], physics.nose_height)
    write_touching(w, facts, k)
    status = set_off(w, start, k, physics)
    if status == RUNNING:
        record_step(w, log, k)
    while status == RUNNING:
        status = step(w, table, physics, options)
        record_step(w, log, k)
    write_facts(w, facts, k, status, physics.alpha_spin)
