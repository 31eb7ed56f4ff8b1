"""The values that kernels pass to each other: named tuples whose every field has a unit and a shape.

Scalars are float64 unless said otherwise; n_balls, n_noses, n_jaws, n_pockets and n_shots are lengths.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]


class BallMotion(NamedTuple):
    """Velocity and spin of one ball on the bed."""

    vx: float  # velocity across the table, m/s
    vy: float  # velocity along the table, m/s
    wx: float  # angular velocity about x, rad/s
    wy: float  # angular velocity about y, rad/s
    wz: float  # angular velocity about the vertical, counter-clockwise from above > 0, rad/s


class PairContact(NamedTuple):
    """Two balls in contact, seen from the first: the line of centres and what hangs on the sizes."""

    nx: float  # unit vector in plan from ball 1 to ball 2, x
    ny: float  # the same, y
    r1: float  # radius of ball 1, m
    r2: float  # radius of ball 2, m
    m1: float  # mass of ball 1, kg
    m2: float  # mass of ball 2, kg


# Fields of TableGeometry.nose: straight noses, one column each.
NOSE_X, NOSE_Y = 0, 1  # start point, m
NOSE_NX, NOSE_NY = 2, 3  # unit normal pointing onto the bed; the nose runs from its start along (ny, -nx)
NOSE_LENGTH = 4  # m
NOSE_FIELDS = 5

# Fields of TableGeometry.jaw: convex jaw arcs, each less than half a turn.
JAW_X, JAW_Y, JAW_RADIUS = 0, 1, 2  # centre and radius, m
JAW_FROM_X, JAW_FROM_Y = 3, 4  # unit vector from the centre to the clockwise end
JAW_TO_X, JAW_TO_Y = 5, 6  # unit vector from the centre to the counter-clockwise end
JAW_FIELDS = 7

# Fields of TableGeometry.pocket.
POCKET_X, POCKET_Y, POCKET_RADIUS = 0, 1, 2  # fall circle: a ball falls when its centre crosses it inwards, m
ZONE_X0, ZONE_X1, ZONE_Y0, ZONE_Y1 = 3, 4, 5, 6  # box of the pocket's jaws and fall circle, m
POCKET_FIELDS = 7


class TableGeometry(NamedTuple):
    """What balls can meet: straight noses, convex jaw arcs and fall circles; all in the table's frame."""

    nose: Floats  # (NOSE_FIELDS, n_noses)
    jaw: Floats  # (JAW_FIELDS, n_jaws)
    jaw_pocket: Ints  # pocket that each jaw belongs to (n_jaws,)
    pocket: Floats  # (POCKET_FIELDS, n_pockets)


# Fields of Workspace.ball: one row a field, one column a ball, so that a loop over partners runs along memory.
X, Y = 0, 1  # position at the segment's start, m
VX, VY = 2, 3  # velocity at the segment's start, m/s
AX, AY = 4, 5  # half the acceleration: position is r + v dt + a dt², m/s²
WX, WY, WZ = 6, 7, 8  # angular velocity at the segment's start, rad/s
T0, T_END = 9, 10  # start and end of the segment, s (inf for a ball that does not move)
OWN_T = 11  # next event of the ball alone (transition, nose, jaw, pocket), s
ROW_T = 12  # next contact with another ball, s
RADIUS, MASS = 13, 14  # m, kg
REACH = 15  # horizontal distance of the centre from a nose it touches, m
POT_T, MOVED_T = 16, 17  # when it fell, when it first moved, s (inf never)
JX, JY = 18, 19  # change of the plan velocity by the joint impulses found so far, m/s
PUSH = 20  # greatest normal impulse on the ball in the step just taken, N s
SLACK = 21  # > 0 if the ball surely keeps out of reach of the one whose contacts are searched
BALL_FIELDS = 22

# Fields of Workspace.mark: integers of a ball.
STATE = 0  # one of the motion states below
OWN_KIND, OWN_INDEX = 1, 2  # what the own event is, and the pocket it is at, -1 none
ROW_BALL = 3  # partner of the next contact, -1 none
TOUCHED = 4  # 1 if the ball's motion changed in the step just taken, UP_TO_DATE when its contacts are searched anew
DEGREE = 5  # ball-ball contacts of the ball in the instant being resolved
GROUP = 6  # label of its cluster in the instant being resolved
FELL_IN = 7  # pocket it fell into, -1 none
MOVED_BY = 8  # ball that first moved it, -1 none
BEFORE, AFTER = 9, 10  # cushion contacts before and from the cue ball's first contact on
FIRST = 11  # 1 if the cue ball met it at its first contact
TOUCHED_BALL = 12  # not of a ball, but a list: the balls that are marked as touched
DUE_BALL = 13  # another one: the balls that may have an event at the next instant
MARK_FIELDS = 14

# Fields of Workspace.contact: one column a ball-ball contact of the instant being resolved.
C_T = 0  # its own time, s
C_X, C_Y = 1, 2  # sum of the two positions, m: contacts are ordered by it, so that ball numbers do not matter
C_NX, C_NY = 3, 4  # unit normal in plan from the first ball to the second
C_TARGET = 5  # parting speed wanted, m/s
C_NEED = 6  # closing speed before the impulses plus parting speed wanted, m/s
C_IMPULSE = 7  # normal impulse, N s
C_FT, C_FU = 8, 9  # friction impulse on the first ball, level and upwards, N s
C_GAP = 10  # gap at its own time, m
CONTACT_FIELDS = 11

# Fields of Workspace.cushion: one column a contact with a nose or jaw of the instant being resolved.
K_T = 0  # its own time, s
K_NX, K_NY = 1, 2  # unit normal from the contact to the ball's centre
K_HOP = 3  # least parting speed, m/s: above 0 where the gap accelerates inwards
K_GAP = 4  # gap at its own time, m
CUSHION_FIELDS = 5

UP_TO_DATE = 2

# Motion states.
REST, ROLLING, SLIDING, ABSENT = 0, 1, 2, 3

# Event kinds (simcore.EventKind).
NOTHING, BALL, NOSE, JAW, POCKET, TRANSITION = 0, 1, 2, 3, 4, 5

# Stop rules, and how a run ended (simcore.Status); RUNNING is not an end.
STOP_REST, STOP_FIRST_CONTACT, STOP_FIRST_POT = 0, 1, 2
RUNNING = -1
DONE_REST, DONE_FIRST_CONTACT, DONE_FIRST_POT, DONE_MISCUE, DONE_EVENT_CAP, DONE_NOT_FINITE = 0, 1, 2, 3, 4, 5
DONE_NOT_SETTLED = 6

# Fields of Workspace.tally.
EVENTS = 0  # transitions, contacts and falls so far
SEGMENTS = 1  # motion segments begun so far
HAS_CONTACT = 2  # 1 once the cue ball has met another ball
CONTACTS, CUSHIONS = 3, 4  # ball-ball and cushion contacts of the step just taken
ALONE_KIND, ALONE_BALL, ALONE_INDEX = 5, 6, 7  # the transition or fall of the step just taken (NOTHING if a contact)
STEPS = 8  # steps so far: bounds the run even if a step makes no event
UNSETTLED = 9  # instants whose joint impulses did not converge
TOUCHED_COUNT, DUE_COUNT = 10, 11  # length of the lists in Workspace.mark
COUNT_FIELDS = 12

# Fields of Workspace.clock.
NOW = 0  # time of the step just taken, s
INSTANT = 1  # start of the instant whose contacts are being resolved, s
CLOCK_FIELDS = 2


class Workspace(NamedTuple):
    """All that one running shot needs; made once a thread. Few arrays: each costs at every call that is not inlined."""

    ball: Floats  # (BALL_FIELDS, n_balls)
    mark: Ints  # (MARK_FIELDS, n_balls)
    pair: Floats  # next contact time of each pair, s (n_balls, n_balls), symmetric
    contact: Floats  # (CONTACT_FIELDS, 3 n_balls): all of a planar graph of balls; more wait for the next pass
    contact_ball: Ints  # the two balls of each contact (2, 3 n_balls)
    cushion: Floats  # (CUSHION_FIELDS, 2 n_balls)
    cushion_what: Ints  # ball, kind, index of nose or jaw (3, 2 n_balls)
    tally: Ints  # (COUNT_FIELDS,)
    clock: Floats  # (CLOCK_FIELDS,)


class Relative(NamedTuple):
    """Motion of one point relative to another: r + v s + a s² at s seconds after a common start."""

    x: float  # m
    y: float  # m
    vx: float  # m/s
    vy: float  # m/s
    ax: float  # m/s², half the acceleration
    ay: float  # m/s², half the acceleration


class Start(NamedTuple):
    """How the shots begin; a shot takes the row that its entry in the index array names."""

    layout: Floats  # positions, nan = absent, m (n_layouts, n_balls, 2)
    layout_of: Ints  # row of `layout` for each shot (n_shots,)
    stroke: Floats  # V0, phi, theta, a, b (n_shots, 5); (0, 5) when the shots start from motions
    velocity: Floats  # m/s (n_motions, n_balls, 2)
    spin: Floats  # rad/s (n_motions, n_balls, 3)
    motion_of: Ints  # row of `velocity` and `spin` for each shot (n_shots,)
    radius: Floats  # m (n_balls,)
    mass: Floats  # kg (n_balls,)


MOST_COUNTED = 2**15 - 1  # cushion contacts of a ball that are told apart: there may be as many as events


class Facts(NamedTuple):
    """What the referee and the user are told of each shot; every array has a leading shot axis."""

    positions: Floats  # at the end, nan when not on the table, m (n_shots, n_balls, 2)
    velocities: Floats  # at the end, m/s (n_shots, n_balls, 2)
    spins: Floats  # at the end, rad/s (n_shots, n_balls, 3)
    pocket: Bytes  # pocket each ball fell into, -1 none (n_shots, n_balls)
    pot_time: Floats  # s, inf never (n_shots, n_balls)
    first_contacts: Flags  # balls the cue ball met at its first contact (n_shots, n_balls)
    moved_by: NDArray[np.int16]  # ball that first moved each ball, itself at the start, -1 never (n_shots, n_balls)
    moved_time: Floats  # s, inf never (n_shots, n_balls)
    cushions_before: NDArray[np.int16]  # cushion contacts before the cue ball's first contact (n_shots, n_balls)
    cushions_after: NDArray[np.int16]  # from then on, both at most MOST_COUNTED (n_shots, n_balls)
    touching: Flags  # balls touching the cue ball at the start (n_shots, n_balls)
    duration: Floats  # until the end, spins included, s (n_shots,)
    n_events: Ints  # transitions, contacts and falls (n_shots,)
    n_segments: Ints  # motion segments begun (n_shots,)
    status: Bytes  # one of DONE_* (n_shots,)


class EventLog(NamedTuple):
    """Events and motion segments of logged shots, one shot after the other."""

    event_start: Ints  # first event of each shot (n_shots,); empty when nothing is logged
    event: Floats  # time s, gap m (n_events, 2)
    event_what: Ints  # kind, ball, other ball or index of nose, jaw, pocket (n_events, 3)
    segment_start: Ints  # first segment of each shot (n_shots,)
    segment: Floats  # t0, x, y, vx, vy, ax, ay, wx, wy, wz (n_segments, 10)
    segment_what: Ints  # ball, state (n_segments, 2)


class RunOptions(NamedTuple):
    """How a run ends, the same for all shots."""

    stop: int  # one of STOP_*
    max_events: int  # event cap
