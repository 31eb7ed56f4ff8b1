"""Check logged shots: after every event, is everything as physics allows? Compiled, so that millions can be checked.

The checker reads only what `simulate(..., log_events=True)` returns, walks the motion segments in order of time and
evaluates positions and speeds by itself; it shares no code with the kernel. Equal balls only.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

import simcore
from simcore.kernel.jit import kernel, parallel_door
from simcore.kernel.types import ABSENT, BALL, JAW, NOSE, REST, ROLLING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OVERLAP_M = 1e-9  # balls may sink this far into each other or into a cushion
GAP_M = 1e-12  # largest gap of a logged contact
GRAZE_M = 0.9e-12  # a logged contact sinks at least this deep (the kernel's limit, less the error of sampling)
TURN_M = 1e-14  # a gap that ends this far above its lowest has turned; less is rounding
ENERGY_RATIO = 1e-12  # kinetic energy may rise by this share at an event ...
ENERGY_PRESS_J = 7.1e-8  # ... and by m V_REST^2 / 2 at a pressing contact, more where several press, see press_energy
SLOW_M_S = 4e-3  # only a contact that closes slower than this can leave as a pressing one
SURE_M_S = 1e-3  # a contact that closes faster than this is no graze
SAME_S = 1e-9  # events this near in time are one instant
JUMP_M = 1e-12  # a ball may move this far while an event is taken

KINDS = ("overlap", "beyond cushion", "graze", "energy", "gap", "jump", "not finite", "order")
OVERLAPS, BEYOND, GRAZES, ENERGY, GAPS, JUMPS, NOT_FINITE, ORDER = range(len(KINDS))

T, PX, PY, VX, VY, AX, AY, WX, WY, WZ = range(10)  # columns of a logged segment


class Constants(NamedTuple):
    """What the checks need to know of physics and table."""

    radius: float  # m
    mass: float  # kg
    reach: float  # distance of a centre from a nose that it touches, m
    alpha: float  # decay of the vertical spin, rad/s2
    width: float  # m
    length: float  # m
    creep: float  # speed of closing at which a touching pair may be taken to stand still, m/s
    nose: Floats  # columns of x, y, nx, ny, length (5, n_noses)
    jaw: Floats  # columns of x, y, radius, from x, from y, to x, to y (7, n_jaws)
    pocket: Floats  # columns of x, y, radius, zone x0, x1, y0, y1 (7, n_pockets)


class Shot(NamedTuple):
    """The log of one shot, and what the walk through it keeps."""

    event: Floats  # t, gap (n_events, 2)
    what: Ints  # kind, ball, other (n_events, 3)
    segment: Floats  # (n_segments, 10)
    owner: Ints  # (n_segments, 2): ball, motion state
    now: Floats  # each ball's present segment (n_balls, 10)
    before: Floats  # the segment that the present one followed (n_balls, 10)
    state: Ints  # motion state of each ball's present segment, and of the one before (2, n_balls)
    found: Floats  # worst amount by which each kind was violated, 0 = never (n_kinds,)


@kernel
def place(segment, t):
    """Position on a segment at time t, m."""
    dt = t - segment[T]
    return segment[PX] + dt * (segment[VX] + dt * segment[AX]), segment[PY] + dt * (segment[VY] + dt * segment[AY])


@kernel
def energy(segment, state, t, c):
    """Kinetic energy on a segment at time t, J."""
    dt = t - segment[T]
    vx, vy = segment[VX] + 2.0 * dt * segment[AX], segment[VY] + 2.0 * dt * segment[AY]
    wx, wy = segment[WX] + 5.0 * dt * segment[AY] / c.radius, segment[WY] - 5.0 * dt * segment[AX] / c.radius
    if state == ROLLING:
        wx, wy = -vy / c.radius, vx / c.radius
    if state == REST:
        vx, vy, wx, wy = 0.0, 0.0, 0.0, 0.0
    wz = max(0.0, abs(segment[WZ]) - c.alpha * dt)
    inertia = 0.4 * c.mass * c.radius * c.radius
    return 0.5 * c.mass * (vx * vx + vy * vy) + 0.5 * inertia * (wx * wx + wy * wy + wz * wz)


@kernel
def note(shot, kind, amount):
    """Keep the worst violation of a kind."""
    shot.found[kind] = max(shot.found[kind], amount)


@kernel
def nose_distance_of(x, y, k, c):
    """Distance of a point from nose k's line, m; inf where its foot is beside the nose."""
    dx, dy, nx, ny = x - c.nose[0, k], y - c.nose[1, k], c.nose[2, k], c.nose[3, k]
    along = dx * ny - dy * nx
    return dx * nx + dy * ny if 0.0 <= along <= c.nose[4, k] else math.inf


@kernel
def jaw_distance_of(x, y, k, c):
    """Distance of a point from jaw k's arc, m; inf outside its sector."""
    dx, dy = x - c.jaw[0, k], y - c.jaw[1, k]
    if c.jaw[3, k] * dy - c.jaw[4, k] * dx < 0.0 or dx * c.jaw[6, k] - dy * c.jaw[5, k] < 0.0:
        return math.inf
    return math.sqrt(dx * dx + dy * dy) - c.jaw[2, k]


@kernel
def depth_beyond(x, y, c):
    """How far a centre is beyond a nose or a jaw, inside a fall circle, or off the bed, m; <= 0 if it is on the bed."""
    inset = 0.06  # the noses are the sides of the rectangle; jaws and falls are near pockets only
    depth = -math.inf
    for k in range(c.nose.shape[1]):
        depth = max(depth, c.reach - nose_distance_of(x, y, k, c))
    if inset < x < c.width - inset and inset < y < c.length - inset:
        return depth
    for k in range(c.jaw.shape[1]):
        depth = max(depth, c.reach - jaw_distance_of(x, y, k, c))
    off = max(max(-x, x - c.width), max(-y, y - c.length))
    for p in range(c.pocket.shape[1]):
        dx, dy = x - c.pocket[0, p], y - c.pocket[1, p]
        depth = max(depth, c.pocket[2, p] - math.sqrt(dx * dx + dy * dy))
        if c.pocket[3, p] <= x <= c.pocket[4, p] and c.pocket[5, p] <= y <= c.pocket[6, p]:
            off = -math.inf
    return max(depth, off)


@kernel
def check_ball(shot, i, t, c):
    """Ball i against the table and all other balls at time t."""
    x, y = place(shot.now[i], t)
    if not math.isfinite(x + y):
        note(shot, NOT_FINITE, 1.0)
        return
    note(shot, BEYOND, depth_beyond(x, y, c) - OVERLAP_M)
    near = 2.0 * c.radius - OVERLAP_M
    for j in range(shot.now.shape[0]):
        if j != i and shot.state[0, j] != ABSENT:
            xj, yj = place(shot.now[j], t)
            dx, dy = xj - x, yj - y
            if dx * dx + dy * dy < near * near:
                note(shot, OVERLAPS, near - math.sqrt(dx * dx + dy * dy))


@kernel
def check_moving(shot, t, c):
    """All moving balls at time t."""
    for i in range(shot.now.shape[0]):
        if shot.state[0, i] != ABSENT and shot.state[0, i] != REST:
            check_ball(shot, i, t, c)


@kernel
def segment_length(segment, state, c):
    """Seconds that a segment lasts if nothing hinders it."""
    a = math.sqrt(segment[AX] * segment[AX] + segment[AY] * segment[AY])
    if state == REST or a == 0.0:
        return math.inf
    if state == ROLLING:
        return math.sqrt(segment[VX] * segment[VX] + segment[VY] * segment[VY]) / (2.0 * a)
    ux, uy = segment[VX] - c.radius * segment[WY], segment[VY] + c.radius * segment[WX]
    return math.sqrt(ux * ux + uy * uy) / (7.0 * a)


@kernel
def contact_gap(shot, e, t, c):
    """Gap of logged contact e at time t if the balls had kept their motions, m."""
    kind, i, other = shot.what[e]
    x, y = place(shot.before[i], t)
    if kind == BALL:
        xj, yj = place(shot.before[other], t)
        return math.sqrt((xj - x) * (xj - x) + (yj - y) * (yj - y)) - 2.0 * c.radius
    if kind == NOSE:
        return (x - c.nose[0, other]) * c.nose[2, other] + (y - c.nose[1, other]) * c.nose[3, other] - c.reach
    dx, dy = x - c.jaw[0, other], y - c.jaw[1, other]
    return math.sqrt(dx * dx + dy * dy) - c.jaw[2, other] - c.reach


@kernel
def contact_rate(shot, e, t):
    """How fast the gap of a ball-ball or nose contact e changes at time t, m/s; for a jaw a sure bound."""
    kind, i, other = shot.what[e]
    b = shot.before[i]
    dt = t - b[T]
    vx, vy = b[VX] + 2.0 * dt * b[AX], b[VY] + 2.0 * dt * b[AY]
    x, y = place(b, t)
    nx, ny = 0.0, 0.0
    if kind == BALL:
        o = shot.before[other]
        dt = t - o[T]
        vx, vy = vx - o[VX] - 2.0 * dt * o[AX], vy - o[VY] - 2.0 * dt * o[AY]
        xj, yj = place(o, t)
        nx, ny = x - xj, y - yj
        apart = math.sqrt(nx * nx + ny * ny)
        return (vx * nx + vy * ny) / apart
    return -math.sqrt(vx * vx + vy * vy)


@kernel
def check_graze(shot, e, c):
    """A contact that closed slowly must have been about to sink in, or still be sinking when its motions end."""
    t, kind, i, other = shot.event[e, 0], shot.what[e, 0], shot.what[e, 1], shot.what[e, 2]
    if kind == BALL and contact_rate(shot, e, t) < -SURE_M_S:
        return
    step = 1e-8  # s, sooner than the fastest ball can turn away from a jaw
    window = segment_length(shot.before[i], shot.state[1, i], c) - (t - shot.before[i, T])
    if kind == BALL:
        left = segment_length(shot.before[other], shot.state[1, other], c) - (t - shot.before[other, T])
        window = min(window, left)
    lowest, last = contact_gap(shot, e, t, c), contact_gap(shot, e, t + window, c)
    while (
        lowest > -GRAZE_M and step < window
    ):  # the gap turns once: geometric steps cannot jump over the bottom by much
        lowest = min(lowest, contact_gap(shot, e, t + step, c))
        step *= 1.05
    if lowest > -GRAZE_M and last > lowest + TURN_M:
        note(shot, GRAZES, lowest + GRAZE_M)


@kernel
def group_end(shot, first):
    """One past the last segment that the step which began segment `first` began."""
    s = first + 1
    while (
        s < shot.owner.shape[0]
        and shot.segment[s, T] == shot.segment[first, T]
        and shot.owner[s, 0] > shot.owner[s - 1, 0]
    ):
        s += 1
    return s


@kernel
def take_segments(shot, first, end, c):
    """Let the balls of a step go on to their new segments; the energy gained and the energy before, J."""
    t, had, gained = shot.segment[first, T], 0.0, 0.0
    for i in range(shot.now.shape[0]):
        if shot.state[0, i] != ABSENT:
            had += energy(shot.now[i], shot.state[0, i], t, c)
    for s in range(first, end):
        i = shot.owner[s, 0]
        x, y = place(shot.now[i], t)
        if shot.owner[s, 1] != ABSENT:
            gained += energy(shot.segment[s], shot.owner[s, 1], t, c) - energy(shot.now[i], shot.state[0, i], t, c)
            note(shot, JUMPS, max(abs(x - shot.segment[s, PX]), abs(y - shot.segment[s, PY])) - JUMP_M)
        for f in range(10):
            shot.before[i, f], shot.now[i, f] = shot.now[i, f], shot.segment[s, f]
        shot.state[1, i], shot.state[0, i] = shot.state[0, i], shot.owner[s, 1]
    return gained, had


@kernel
def in_group(shot, first, end, ball):
    """Whether a step that began the segments first ... end began one for this ball."""
    found = False
    for s in range(first, end):
        found = found or shot.owner[s, 0] == ball
    return found


@kernel
def alone(shot, first, end):
    """Whether no other step with contacts of the same instant stands next to this one."""
    t = shot.segment[first, T]
    before = first > 0 and shot.segment[first - 1, T] >= t - SAME_S
    return not before and (end >= shot.owner.shape[0] or shot.segment[end, T] > t + SAME_S)


@kernel
def check_group_events(shot, first, end, e, c):
    """Check the events from e on that belong to the step; the next event, and how many contacts may have pressed."""
    t, pressed, single = shot.segment[first, T], 0, alone(shot, first, end)
    while e < shot.event.shape[0] and shot.event[e, 0] <= t + SAME_S:
        kind, ball, other = shot.what[e]
        if not in_group(shot, first, end, ball) or (kind == BALL and not in_group(shot, first, end, other)):
            break
        if kind in (BALL, NOSE, JAW):
            if single:
                check_graze(shot, e, c)
            if not single or kind != BALL or contact_rate(shot, e, shot.event[e, 0]) > -SLOW_M_S:
                pressed += 1
        e += 1
    return e, pressed


@kernel
def contacts_near(shot, t):
    """Number of contacts logged in the instant of time t."""
    lo, hi = 0, shot.event.shape[0]
    while lo < hi:
        middle = (lo + hi) // 2
        if shot.event[middle, 0] < t - 2.0 * SAME_S:
            lo = middle + 1
        else:
            hi = middle
    n = 0
    while lo < shot.event.shape[0] and shot.event[lo, 0] <= t + 2.0 * SAME_S:
        n += shot.what[lo, 0] in (BALL, NOSE, JAW)
        lo += 1
    return n


@kernel
def press_energy(n):
    """Energy that n contacts pressing at one instant may add, J.

    They all part with at most V_REST; that takes most in a line of n balls against a cushion, where the k-th ball
    leaves with k V_REST: m V_REST^2 / 2 times the sum of k^2.
    """
    return ENERGY_PRESS_J * (n * (n + 1.0) * (2.0 * n + 1.0) / 6.0)


@kernel
def check_events(shot, c):
    """Times in order, gaps closed, all finite."""
    for e in range(shot.event.shape[0]):
        t, gap = shot.event[e]
        if not math.isfinite(t + gap):
            note(shot, NOT_FINITE, 1.0)
        note(shot, GAPS, abs(gap) - GAP_M - c.creep * t)
        if e > 0:
            note(shot, ORDER, shot.event[e - 1, 0] - t - SAME_S)


@kernel
def check_shot(shot, c):
    """Walk through one shot's log."""
    check_events(shot, c)
    s, e = 0, 0
    while s < shot.owner.shape[0]:
        t, end = shot.segment[s, T], group_end(shot, s)
        gained, had = take_segments(shot, s, end, c)
        if t > 0.0 or e > 0 or s > 0:
            e, pressed = check_group_events(shot, s, end, e, c)
            if not alone(shot, s, end):
                pressed = contacts_near(shot, t)
            if gained > ENERGY_RATIO * had + press_energy(pressed):
                note(shot, ENERGY, gained)
        for g in range(s, end):
            i = shot.owner[g, 0]
            if shot.state[0, i] != ABSENT:
                check_ball(shot, i, t, c)
        if end < shot.owner.shape[0] and shot.segment[end, T] > t:
            check_moving(shot, 0.5 * (t + shot.segment[end, T]), c)
        s = end


@kernel
def start_shot(shot, layout):
    """All balls at rest in their places."""
    for i in range(layout.shape[0]):
        for f in range(10):
            shot.now[i, f], shot.before[i, f] = 0.0, 0.0
        shot.now[i, PX], shot.now[i, PY] = layout[i, 0], layout[i, 1]
        shot.state[0, i] = ABSENT if math.isnan(layout[i, 0]) else REST
        shot.state[1, i] = shot.state[0, i]


@parallel_door
def check_logs(layouts, event, what, event_start, segment, owner, segment_start, c):
    """Worst violation of each kind in each shot (n_shots, n_kinds), 0 = none."""
    found = np.zeros((layouts.shape[0], len(KINDS)))
    n = layouts.shape[1]
    for k in prange(layouts.shape[0]):
        shot = Shot(
            event[event_start[k] : event_start[k + 1]],
            what[event_start[k] : event_start[k + 1]],
            segment[segment_start[k] : segment_start[k + 1]],
            owner[segment_start[k] : segment_start[k + 1]],
            np.empty((n, 10)),
            np.empty((n, 10)),
            np.empty((2, n), np.int64),
            found[k],
        )
        start_shot(shot, layouts[k])
        check_shot(shot, c)
    return found


def constants(table: simcore.Table, physics: simcore.Physics, creep: float) -> Constants:
    """The numbers the checks need."""
    reach = math.sqrt(physics.R**2 - (physics.nose_height - physics.R) ** 2)
    g = table.geometry
    return Constants(
        physics.R, physics.m, reach, physics.alpha_spin, table.width, table.length, creep, g.nose, g.jaw, g.pocket
    )


def violations(
    results: simcore.ShotResults,
    table: simcore.Table | None = None,
    physics: simcore.Physics | None = None,
    creep: float = 0.0,
) -> Floats:
    """How badly each shot of a logged batch breaks each of KINDS, flat shots (n_shots, n_kinds); 0 = not at all.

    creep: m/s, by which touching balls may sink into each other in the course of a shot (tolerances.V_CLOSE where they
    lie together for thousands of events, each motion too short to sink by a graze).
    """
    table = simcore.Table.snooker() if table is None else table
    physics = simcore.Physics.snooker() if physics is None else physics
    events, segments = results.events, results.segments
    n_balls = results.start_positions.shape[-2]
    return check_logs(
        np.array(results.start_positions).reshape(-1, n_balls, 2),
        np.stack([events.t, events.gap], -1),
        np.stack([events.kind, events.ball, events.other], -1),
        events.start,
        segments.values,
        np.stack([segments.ball, segments.state], -1),
        segments.start,
        constants(table, physics, creep),
    )
