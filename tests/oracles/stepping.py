"""A slow, obvious second opinion on whole shots: conservative stepping and bisection, no polynomial is ever solved.

The idea.  Between two changes of state every ball runs on an exact parabola (physics.md section 1).  At time t all gaps
(ball to ball, ball to jaw, ball to fall circle, ball to nose line) are evaluated from positions and one common step is
taken, short enough that no gap can change by more than `max(0.9 |gap|, FLOOR)`.  Gaps that could have closed in that
step are looked at closely; all the others provably could not.

Why thin contacts are not missed.  For a close look the step is halved until one of three statements is certain, with
M a bound of |gap''| over the step (relative speed squared over the smallest distance, plus relative acceleration):

* both ends are above zero by more than M h^2 / 8: a curve cannot dip further below its chord, so no contact;
* both ends are below zero by more than M h^2 / 8: no contact, as nothing can fall through zero;
* |gap'| in the middle exceeds M h / 2: the gap is monotone, so its signs at the ends decide, and a fall is bisected.

A minimum within about 1e-12 m of zero satisfies none of them however short the step: such a graze is not decided but
reported (`flag = "graze"`), like contacts within 1e-9 s of each other, touching pairs that press, and departures below
1 mm/s, where the rules for groups and pressing contacts (physics.md section 6) would take over.

Not modelled: groups of contacts, pressing contacts, airborne balls.  Shares no code with the package under test.
"""

import math
from dataclasses import dataclass, field

import numpy as np

FLOOR = 1e-3  # m, relative travel in a step near a contact
SHARE = 0.9  # part of a gap that may be used up in one step
T_SAME = 1e-9  # s, contacts closer in time than this are one instant
SHORTEST = 1e-7  # s, an undecided interval this short is a graze
TOUCHING = 1e-11  # m, gap below which a closing pair is pressing or part of a group
V_CLOSE = 1e-9  # m/s, slower approach than this is rounding
V_REST = 1e-3  # m/s, slower departures fall under the rule for pressing contacts
NO_SLIP = 1e-12  # m/s, slip that is rounding
REST, SPIN, ROLL, SLIDE = range(4)


@dataclass(frozen=True)
class Params:
    """Coefficients of physics.md section 3, SI units."""

    g: float = 9.81
    R: float = 0.02625
    m: float = 0.1406
    mu_slide: float = 0.212
    mu_roll: float = 0.0127
    alpha_spin: float = 10.0
    e_ball: float = 0.89
    mu_ball: tuple = (9.951e-3, 0.108, 1.088)  # floor, range, decay (s/m) of the friction law
    e_cushion: tuple = (0.98, 1.8, 0.085, 0.6)  # plateau, knee m/s, slope s/m, floor
    mu_cushion: float = 0.14
    nose_height: float = 0.036
    cushion_steps: int = 20
    cue_mass: float = 0.50
    e_tip: float = 0.73
    end_mass_ratio: float = 20.0

    @property
    def sin_nose(self):
        """Sine of the angle of the nose contact above the equator."""
        return (self.nose_height - self.R) / self.R

    @property
    def nose_distance(self):
        """Plan distance of a ball's centre from a nose it touches, m."""
        return math.sqrt(self.R**2 - (self.nose_height - self.R) ** 2)


@dataclass(frozen=True)
class Surface:
    """Fixed surfaces as arrays: nose lines (start, end, normal onto the bed), jaw arcs (radians), fall circles (m)."""

    nose_a: np.ndarray
    nose_b: np.ndarray
    nose_n: np.ndarray
    jaw_o: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    jaw_rho: np.ndarray = field(default_factory=lambda: np.zeros(0))
    jaw_range: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    fall_o: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    fall_r: np.ndarray = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class Contact:
    """One contact: time s, kind ("ball", "nose", "jaw", "pocket"), the ball (the lower one of two), what it met."""

    t: float
    kind: str
    ball: int
    other: int


@dataclass
class Outcome:
    """What happened: contacts in order, final positions (nan = potted), pocket of each ball (-1 none), duration s.

    `flag` is None or why the run was cut short at `t_end`: "together", "pressing", "graze", "limit".
    `states` holds all positions (n, 2) right after each contact.
    """

    contacts: list
    positions: np.ndarray
    pocket: np.ndarray
    duration: float
    t_end: float
    flag: str | None
    states: list
    velocities: np.ndarray
    spins: np.ndarray


class Undecided(Exception):
    """The run reached a configuration that this oracle does not judge."""


# --- table -----------------------------------------------------------------------------------------------------------


def snooker_table(corner_gap=0.084, middle_gap=0.088):
    """Six-pocket table of physics.md section 4 ("pro" by default), gaps in m between the ends of two jaws."""
    W, L, ym, rc, rm = 1.778, 3.569, 3.569 / 2, 0.0889, 0.0669
    K = corner_gap / math.sqrt(2) + rc * math.tan(math.pi / 8)
    Q = middle_gap / 2 + rm
    cut = math.degrees(math.acos(1 - 0.04763 / rm))
    noses = [
        ((K, 0), (W - K, 0), (0, 1)),
        ((K, L), (W - K, L), (0, -1)),
        ((0, K), (0, ym - Q), (1, 0)),
        ((0, ym + Q), (0, L - K), (1, 0)),
        ((W, K), (W, ym - Q), (-1, 0)),
        ((W, ym + Q), (W, L - K), (-1, 0)),
    ]
    jaws = [
        ((K, -rc), rc, (90, 135)),
        ((-rc, K), rc, (-45, 0)),
        ((W - K, -rc), rc, (45, 90)),
        ((W + rc, K), rc, (180, 225)),
        ((K, L + rc), rc, (225, 270)),
        ((-rc, L - K), rc, (0, 45)),
        ((W - K, L + rc), rc, (270, 315)),
        ((W + rc, L - K), rc, (135, 180)),
        ((-rm, ym - Q), rm, (0, cut)),
        ((-rm, ym + Q), rm, (-cut, 0)),
        ((W + rm, ym - Q), rm, (180 - cut, 180)),
        ((W + rm, ym + Q), rm, (180, 180 + cut)),
    ]
    d, dm = 0.04763, 0.05159
    falls = [(x, y, 0.0889) for y in (-d, L + d) for x in (-d, W + d)]
    falls += [(-dm, ym, 0.05319), (W + dm, ym, 0.05319)]
    return _surface(noses, jaws, falls)


def closed_table(width, length):
    """Four noses meeting in square corners, no pockets; sizes in m."""
    w, h = width, length
    corners = [(0, 0), (w, 0), (w, h), (0, h), (0, 0)]
    normals = [(0, 1), (-1, 0), (0, -1), (1, 0)]
    return _surface([(corners[k], corners[k + 1], normals[k]) for k in range(4)], [], [])


def _surface(noses, jaws, falls):
    a, b, n = (np.array([row[k] for row in noses], float) for k in range(3))
    if not jaws:
        return Surface(a, b, n)
    return Surface(
        a,
        b,
        n,
        np.array([j[0] for j in jaws], float),
        np.array([j[1] for j in jaws], float),
        np.radians(np.array([j[2] for j in jaws], float)),
        np.array([f[:2] for f in falls], float),
        np.array([f[2] for f in falls], float),
    )


# --- collision models ------------------------------------------------------------------------------------------------


def strike(V0, phi, theta=0.0, a=0.0, b=0.0, prm=None):
    """Velocity (2,) and spin (3,) of a ball struck by the cue; physics.md section 2, cue strike with squirt."""
    prm = prm or Params()
    c = math.sqrt(1 - a * a - b * b)
    J = (1 + prm.e_tip) * V0 / (1 / prm.cue_mass + (1 + 2.5 * (a * a + b * b)) / prm.m)
    d = np.array([math.cos(theta) * math.cos(phi), math.cos(theta) * math.sin(phi), -math.sin(theta)])
    right = np.array([math.sin(phi), -math.cos(phi), 0.0])
    up = np.cross(right, d)
    w = 2.5 * J / (prm.m * prm.R) * (a * up - b * right)
    squirt = math.atan(2.5 * a * c / (1 + prm.end_mass_ratio + 2.5 * (1 - a * a)))
    turn = np.array([[math.cos(squirt), -math.sin(squirt)], [math.sin(squirt), math.cos(squirt)]])
    return turn @ (J / prm.m * d[:2]), np.array([*(turn @ w[:2]), w[2]])


def collide_balls(r1, v1, w1, r2, v2, w2, prm):
    """States after the frictional impulse of two equal balls; physics.md section 2, ball-ball model 2."""
    n = np.array([*(r2 - r1), 0.0]) / np.linalg.norm(r2 - r1)
    rel = np.array([*(v1 - v2), 0.0])
    vn = rel @ n
    s = rel + prm.R * np.cross(w1 + w2, n)
    s = s - (s @ n) * n
    slip = np.linalg.norm(s)
    low, span, decay = prm.mu_ball
    jn = (1 + prm.e_ball) * vn / 2  # impulses per unit mass
    jt = min((low + span * math.exp(-decay * slip)) * jn, slip / 7)
    p = -jn * n - (jt * s / slip if slip > 0 else 0)
    dw = 2.5 / prm.R * np.cross(n, p)
    return v1 + p[:2], w1 + dw, v2 - p[:2], w2 + dw


def cushion_restitution(vn, prm):
    """Restitution coefficient at normal speed vn m/s; physics.md section 5.16."""
    plateau, knee, slope, low = prm.e_cushion
    return plateau if vn <= knee else max(low, plateau - slope * (vn - knee))


def collide_cushion(v, w, into, prm):
    """Velocity and spin after a cushion contact, `into` = unit vector from the ball's centre into the cushion."""
    Y = np.asarray(into, float)
    X = np.array([Y[1], -Y[0]])
    wxy, R = w[:2], prm.R
    local = [float(v @ X), float(v @ Y), R * float(wxy @ X), R * float(wxy @ Y), R * float(w[2])]
    vx, vy, wx, wy, wz = cushion_local(local, cushion_restitution(local[1], prm), prm)
    return vx * X + vy * Y, np.array([*((wx * X + wy * Y) / R), wz / R])


def cushion_local(state, e, prm):
    """Mathavan 2010 in the local frame: (v_X, v_Y, Rw_X, Rw_Y, Rw_Z) after; the scheme of physics.md section 2."""
    run = _Cushion(state, e, prm)
    run.phase(compress=True)
    run.z[1] = 0.0
    run.phase(compress=False)
    return run.z


class _Cushion:
    """The cushion impulse as it grows; pairs are (X, S) at the nose and (X, Y) on the cloth."""

    def __init__(self, state, e, prm):
        self.z, self.e = [float(x) for x in state], e
        self.sin = prm.sin_nose
        self.cos = math.sqrt(1 - self.sin**2)
        self.mu_s, self.mu_w = prm.mu_slide, prm.mu_cushion
        self.speed_in = math.sqrt(sum(x * x for x in self.z))
        self.h0 = self.z[1] / (prm.cushion_steps * self.cos)
        self.cap = 100 * prm.cushion_steps
        self.stored = self.released = 0.0

    def nose_slip(self, z):
        return (z[0] + self.sin * z[3] - self.cos * z[4], -self.sin * z[1] + z[2])

    def cloth_slip(self, z):
        return (z[0] - z[3], z[1] + z[2])

    def rates(self, f, q):
        s, c = self.sin, self.cos
        N = s + f[1] * c
        tx, ty = self.mu_s * N * q[0], self.mu_s * N * q[1]
        return (
            -(f[0] + tx),
            -(c - s * f[1] + ty),
            -2.5 * (f[1] + ty),
            -2.5 * (s * f[0] - tx),
            2.5 * c * f[0],
        )

    def unit(self, z):
        size = math.hypot(*z)
        return (z[0] / size, z[1] / size) if size > 1e-12 * self.speed_in else (0.0, 0.0)

    def slipping(self, s):
        return math.hypot(*s) > 1e-9 * self.speed_in

    def friction(self, s, s0, h, q):
        sn, c, mu_s = self.sin, self.cos, self.mu_s
        D = 2.5 + sn**2 + mu_s * q[1] * c * (2.5 - sn)
        B = mu_s * q[0] * (1 - 2.5 * sn)
        gs = (sn * c - mu_s * q[1] * sn * (2.5 - sn)) / D
        g = (-B * (sn + gs * c) / 3.5, gs)
        if math.hypot(*g) <= self.mu_w:
            rs = gs + s0[1] / (h * D)
            r = ((s0[0] / h - B * (sn + rs * c)) / 3.5, rs)
            if math.hypot(*r) <= self.mu_w:
                return r
        way = s if self.slipping(s) else g
        size = math.hypot(*way)
        return (self.mu_w * way[0] / size, self.mu_w * way[1] / size) if size > 0 else (0.0, 0.0)

    def step_and_rates(self):
        s, t, h = self.nose_slip(self.z), self.cloth_slip(self.z), self.h0
        q = self.unit(t)
        a = self.rates(self.friction(s, s, h, q), q)
        ds, dt = self.nose_slip(a), self.cloth_slip(a)
        h = nearest(t, dt, h)
        if self.slipping(s):
            h = nearest(s, ds, h)
        q = self.unit((t[0] + h / 2 * dt[0], t[1] + h / 2 * dt[1]))
        middle = (s[0] + h / 2 * ds[0], s[1] + h / 2 * ds[1])
        return h, self.rates(self.friction(middle, s, h, q), q)

    def phase(self, compress):
        for _ in range(self.cap):
            h, b = self.step_and_rates()
            h, last = self.end_of_compression(h, b) if compress else self.end_of_restitution(h, b)
            work = self.cos * h * (self.z[1] + h * b[1] / 2)
            if compress:
                self.stored += work
            else:
                self.released -= work
            self.z = [z + h * rate for z, rate in zip(self.z, b, strict=True)]
            if last:
                return

    def end_of_compression(self, h, b):
        return (-self.z[1] / b[1], True) if self.z[1] + h * b[1] <= 0 else (h, False)

    def end_of_restitution(self, h, b):
        goal = self.e**2 * self.stored
        if self.released - self.cos * h * (self.z[1] + h * b[1] / 2) < goal:
            return h, False
        G, alpha, beta = goal - self.released, -self.cos * b[1] / 2, -self.cos * self.z[1]
        return 2 * G / (beta + math.sqrt(beta**2 + 4 * alpha * G)), True


def nearest(z, dz, h):
    """Impulse at which a slip passes closest to zero, where that lies inside the step h, else h."""
    size = dz[0] ** 2 + dz[1] ** 2
    k = -(z[0] * dz[0] + z[1] * dz[1]) / size if size > 0 else h
    return k if 1e-3 * h < k < h else h


# --- motion ----------------------------------------------------------------------------------------------------------


class World:
    """All balls: position C + B d + A d^2 with d = t - t0, until t_next; spin w0 + dw d; one row a ball."""

    def __init__(self, positions, v, w, table, prm):
        n = len(positions)
        self.prm, self.table, self.n = prm, table, n
        self.C, self.B, self.A = np.array(positions, float), np.zeros((n, 2)), np.zeros((n, 2))
        self.w0, self.dw = np.zeros((n, 3)), np.zeros((n, 2))
        self.t0, self.t_next = np.zeros(n), np.full(n, math.inf)
        self.state, self.still = np.full(n, REST), np.zeros(n)
        self.pocket = np.full(n, -1)
        self.here = np.isfinite(self.C[:, 0])
        self.pairs = [np.array(k) for k in np.triu_indices(n, 1)]
        self.t, self.rows = 0.0, None
        for i in np.flatnonzero(self.here):
            self.start(i, self.C[i], np.asarray(v[i], float), np.asarray(w[i], float))

    def start(self, i, r, v, w):
        """Begin a new segment of ball i at the current time from position, velocity and spin."""
        R, p = self.prm.R, self.prm
        slip = np.array([v[0] - R * w[1], v[1] + R * w[0]])
        size = math.hypot(*slip)
        if size > NO_SLIP:
            way = slip / size
            dw = 2.5 * p.mu_slide * p.g / R * np.array([-way[1], way[0]])
            self.put(i, SLIDE, r, v, -0.5 * p.mu_slide * p.g * way, w, dw, 2 * size / (7 * p.mu_slide * p.g))
        else:
            self.roll(i, r, v, w[2])

    def roll(self, i, r, v, wz):
        """Begin a rolling segment, or stand still where there is no speed."""
        speed, p = math.hypot(*v), self.prm
        if speed > NO_SLIP:
            way = v / speed
            dw = -p.mu_roll * p.g / p.R * np.array([-way[1], way[0]])
            w = np.array([-v[1] / p.R, v[0] / p.R, wz])
            self.put(i, ROLL, r, v, -0.5 * p.mu_roll * p.g * way, w, dw, speed / (p.mu_roll * p.g))
        else:
            self.put(i, SPIN if wz else REST, r, np.zeros(2), np.zeros(2), np.array([0, 0, wz]), np.zeros(2), math.inf)
            self.still[i] = self.t + abs(wz) / p.alpha_spin

    def put(self, i, state, r, v, a, w, dw, tau):
        self.rows = None  # which gaps can change is to be found anew
        self.state[i], self.t0[i], self.t_next[i] = state, self.t, self.t + tau
        self.C[i], self.B[i], self.A[i], self.w0[i], self.dw[i] = r, v, a, w, dw

    def now(self, i, t):
        """Position (2,), velocity (2,) and spin (3,) of ball i at time t."""
        d = t - self.t0[i]
        wz = self.w0[i, 2]
        wz = math.copysign(max(0.0, abs(wz) - self.prm.alpha_spin * d), wz)
        w = np.array([*(self.w0[i, :2] + self.dw[i] * d), wz])
        return self.C[i] + self.B[i] * d + self.A[i] * d * d, self.B[i] + 2 * self.A[i] * d, w

    def all_now(self, t):
        """Positions and velocities (n, 2) of all balls at time t."""
        d = (t - self.t0)[:, None]
        return self.C + self.B * d + self.A * d * d, self.B + 2 * self.A * d

    def transition(self, i):
        """Slide becomes roll, roll becomes rest; the new state is constructed, not evolved."""
        r, _, w = self.now(i, self.t)
        if self.state[i] == SLIDE:
            R, v0, w0 = self.prm.R, self.B[i], self.w0[i]
            slip = np.array([v0[0] - R * w0[1], v0[1] + R * w0[0]])
            self.roll(i, r, v0 - 2 / 7 * slip, w[2])
        else:
            self.roll(i, r, np.zeros(2), w[2])

    def remove(self, i, pocket):
        self.put(i, REST, np.full(2, np.nan), np.zeros(2), np.zeros(2), np.zeros(3), np.zeros(2), math.inf)
        self.here[i], self.pocket[i], self.still[i] = False, pocket, self.t


# --- gaps ------------------------------------------------------------------------------------------------------------


@dataclass
class Rows:
    """Which gaps can change, one row each: those of moving balls, and of pairs with a moving ball, on the table.

    The last rows, from `straight` on, are the noses.
    """

    kind: np.ndarray  # 0 ball, 1 jaw, 2 pocket, 3 nose
    ball: np.ndarray
    other: np.ndarray
    point: np.ndarray  # what the ball is seen from: another ball, or n_balls plus the index of a fixed point
    D: np.ndarray  # distance at contact, m
    straight: int
    normal: np.ndarray  # of the noses
    fixed: np.ndarray  # position, velocity and acceleration of the fixed points (3, n_points, 2)


def rows_now(world):
    """The rows for the balls that move now."""
    tb, prm = world.table, world.prm
    moving = world.here & (world.state >= ROLL)
    m = np.flatnonzero(moving)
    i, j = world.pairs
    keep = world.here[i] & world.here[j] & (moving[i] | moving[j])
    blocks = [(np.zeros(keep.sum(), int), i[keep], j[keep], j[keep], np.full(keep.sum(), 2 * prm.R))]
    first, reach = world.n, np.full(len(tb.nose_a), prm.nose_distance)
    for kind, D in ((1, tb.jaw_rho + prm.nose_distance), (2, tb.fall_r), (3, reach)):
        b, k = np.repeat(m, len(D)), np.tile(np.arange(len(D)), len(m))
        blocks.append((np.full(len(b), kind), b, k, first + k, D[k]))
        first += len(D)
    kind, ball, other, point, D = (np.concatenate([block[c] for block in blocks]) for c in range(5))
    straight = len(kind) - len(m) * len(tb.nose_a)
    points = np.concatenate([tb.jaw_o, tb.fall_o, tb.nose_a])
    fixed = np.stack([points, np.zeros_like(points), np.zeros_like(points)])
    return Rows(kind, ball, other, point, D, straight, tb.nose_n[other[straight:]], fixed)


@dataclass
class Gaps:
    """All gaps of one instant as columns.  Round ones: offset P + V s + A s^2 from a centre, distance D.

    Straight ones: the same with the normal component in column 0 and D = nose distance.
    """

    kind: np.ndarray  # as in Rows
    ball: np.ndarray
    other: np.ndarray
    P: np.ndarray
    V: np.ndarray
    A: np.ndarray
    D: np.ndarray


KINDS = ("ball", "jaw", "pocket", "nose")


def length(x):
    """Lengths of vectors (n, 2)."""
    return np.sqrt(x[:, 0] * x[:, 0] + x[:, 1] * x[:, 1])


def gaps_now(world, r, v):
    """Every gap that can change, and its present size (m)."""
    if world.rows is None:
        world.rows = rows_now(world)
    rows, k = world.rows, world.rows.straight
    motion = np.concatenate([(r, v, world.A), rows.fixed], axis=1)
    motion = motion[:, rows.ball] - motion[:, rows.point]
    motion[:, k:, 0] = (motion[:, k:] * rows.normal).sum(2)
    motion[:, k:, 1] = 0.0
    gaps = Gaps(rows.kind, rows.ball, rows.other, *motion, rows.D)
    apart = length(gaps.P)
    apart[k:] = gaps.P[k:, 0]
    return gaps, apart - rows.D


class Row:
    """One gap as a function of the time s since the start of the step, with a bound M of its curvature."""

    def __init__(self, gaps, k, h):
        (self.px, self.py), (self.vx, self.vy) = gaps.P[k].tolist(), gaps.V[k].tolist()
        (self.ax, self.ay), self.D = gaps.A[k].tolist(), float(gaps.D[k])
        self.kind, self.straight = KINDS[gaps.kind[k]], gaps.kind[k] == 3
        self.ball, self.other = int(gaps.ball[k]), int(gaps.other[k])
        acc, speed = math.hypot(self.ax, self.ay), math.hypot(self.vx, self.vy)
        nearest_r = math.hypot(self.px, self.py) - speed * h - acc * h * h
        bend = 0.0 if self.straight else (speed + 2 * acc * h) ** 2 / nearest_r
        self.M = 1.01 * (bend + 2 * acc)

    def offset(self, s):
        return self.px + (self.vx + self.ax * s) * s, self.py + (self.vy + self.ay * s) * s

    def gap(self, s):
        x, y = self.offset(s)
        return (x if self.straight else math.sqrt(x * x + y * y)) - self.D

    def rate(self, s):
        vx, vy = self.vx + 2 * self.ax * s, self.vy + 2 * self.ay * s
        if self.straight:
            return vx
        x, y = self.offset(s)
        return (x * vx + y * vy) / math.sqrt(x * x + y * y)

    def falls(self, lo, hi):
        """First time in [lo, hi] at which the gap falls through zero, or None; see the module's docstring."""
        g0, g1, h = self.gap(lo), self.gap(hi), hi - lo
        dip = self.M * h * h / 8
        if min(g0, g1) > dip or max(g0, g1) < -dip:
            return None
        middle = 0.5 * (lo + hi)
        if abs(self.rate(middle)) > self.M * h / 2:
            return self.bisect(lo, hi) if g0 > 0 >= g1 else None
        if h < SHORTEST:
            raise Undecided("graze")
        first = self.falls(lo, middle)
        return self.falls(middle, hi) if first is None else first

    def bisect(self, lo, hi):
        while True:
            middle = 0.5 * (lo + hi)
            if not lo < middle < hi or hi - lo < 1e-17:
                return hi
            if self.gap(middle) > 0:
                lo = middle
            else:
                hi = middle

    def check_touching(self):
        """Refuse pairs that touch and do not move apart: they belong to the rules for groups and pressing."""
        if self.kind != "pocket" and abs(self.gap(0.0)) < TOUCHING and self.rate(0.0) < V_CLOSE:
            raise Undecided("pressing")


def safe_step(gaps, gap):
    """Longest common step in which no gap changes by more than max(SHARE |gap|, FLOOR), and each gap's change in it."""
    budget = np.maximum(SHARE * np.abs(gap), FLOOR)
    speed, acc = length(gaps.V), length(gaps.A)
    root = speed + np.sqrt(speed**2 + 4 * acc * budget)
    h = np.min(2 * budget / np.maximum(root, 1e-300), initial=math.inf)
    return h, speed, acc


def meets(world, row, s):
    """Whether the contact at s lies on the nose segment or jaw arc (the fixed surfaces end, their lines do not)."""
    if row.kind == "nose":
        tb, k = world.table, row.other
        r = world.now(row.ball, world.t + s)[0]
        along = tb.nose_b[k] - tb.nose_a[k]
        return 0 <= (r - tb.nose_a[k]) @ along <= along @ along
    if row.kind == "jaw":
        x, y = row.offset(s)
        lo, hi = world.table.jaw_range[row.other]
        return (math.atan2(y, x) - lo) % (2 * math.pi) <= hi - lo
    return True


def contacts_within(world, gaps, rows, h):
    """Contacts (s, row) of the step, sorted by time."""
    found = []
    for k in rows:
        row = Row(gaps, k, h)
        row.check_touching()
        s = row.falls(0.0, h)
        if s is not None and meets(world, row, s):
            found.append((s, row))
    return sorted(found, key=lambda pair: pair[0])


# --- the loop --------------------------------------------------------------------------------------------------------


def simulate(positions, v, w, table=None, prm=None, max_contacts=300, max_steps=100_000):
    """Run a shot from positions (n, 2) m, velocities (n, 2) m/s and spins (n, 3) rad/s until all balls are at rest."""
    world = World(positions, v, w, table or snooker_table(), prm or Params())
    contacts, states, flag = [], [], None
    try:
        for _ in range(max_steps):
            if not np.isfinite(world.t_next).any():
                break
            contact = advance(world)
            if contact is not None:
                contacts.append(contact)
                states.append(world.all_now(world.t)[0])
            if len(contacts) >= max_contacts:
                raise Undecided("limit")
        else:
            raise Undecided("limit")
    except Undecided as reason:
        flag = str(reason)
    return outcome(world, contacts, states, flag)


def simulate_strike(positions, V0, phi, theta=0.0, a=0.0, b=0.0, **options):
    """Run a shot in which ball 0 is struck; angles in rad, offsets in units of R."""
    v, w = np.zeros((len(positions), 2)), np.zeros((len(positions), 3))
    v[0], w[0] = strike(V0, phi, theta, a, b, options.get("prm"))
    return simulate(positions, v, w, **options)


def outcome(world, contacts, states, flag):
    state = [world.now(i, world.t) for i in range(world.n)]
    r, v, w = (np.array([s[k] for s in state]) for k in range(3))
    still = world.still[world.here | (world.pocket >= 0)]
    return Outcome(contacts, r, world.pocket, float(np.max(still, initial=0.0)), world.t, flag, states, v, w)


def advance(world):
    """One step: to the next contact in it (returned), else to its end with the transitions due there."""
    r, v = world.all_now(world.t)
    gaps, gap = gaps_now(world, r, v)
    t_next = float(world.t_next.min())
    h, speed, acc = safe_step(gaps, gap)
    ends = world.t + h >= t_next
    h = max(t_next - world.t, 0.0) if ends else h
    near = np.flatnonzero(np.abs(gap) <= 1.01 * (speed * h + acc * h * h) + TOUCHING)
    found = contacts_within(world, gaps, near, h)
    if found:
        if len(found) > 1 and found[1][0] - found[0][0] < T_SAME:
            raise Undecided("together")
        return touch(world, *found[0])
    world.t = t_next if ends else world.t + h
    for i in np.flatnonzero(world.t_next <= world.t):
        world.transition(i)
    return None


def touch(world, s, row):
    """Apply the contact `row` s seconds after the current time."""
    i, k = row.ball, row.other
    if row.kind != "pocket" and row.rate(s) > -V_CLOSE:
        raise Undecided("pressing")
    world.t += s
    if row.kind == "pocket":
        world.remove(i, k)
    elif row.kind == "ball":
        touch_balls(world, i, k)
    else:
        x, y = row.offset(s)
        into = -world.table.nose_n[k] if row.kind == "nose" else -np.array([x, y]) / math.hypot(x, y)
        touch_cushion(world, i, into)
    return Contact(world.t, row.kind, i, k)


def touch_balls(world, i, j):
    (r1, v1, w1), (r2, v2, w2) = world.now(i, world.t), world.now(j, world.t)
    n = (r2 - r1) / np.linalg.norm(r2 - r1)
    if world.prm.e_ball * ((v1 - v2) @ n) < V_REST:
        raise Undecided("pressing")
    v1, w1, v2, w2 = collide_balls(r1, v1, w1, r2, v2, w2, world.prm)
    world.start(i, r1, v1, w1)
    world.start(j, r2, v2, w2)


def touch_cushion(world, i, into):
    r, v, w = world.now(i, world.t)
    v, w = collide_cushion(v, w, into, world.prm)
    if -(v @ into) < V_REST:
        raise Undecided("pressing")
    world.start(i, r, v, w)
