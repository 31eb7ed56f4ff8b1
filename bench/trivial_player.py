"""A player just good enough to end frames: he pots what is plainly there, with some error, and else plays at a ball on.

Nominations and placements are drawn among those allowed. The straight ways to the pockets are found by a compiled scan
of all balls on, `simcore.aim` finds the stroke; a share of the strokes is wild, so that fouls of every kind happen.

Not modelled: position, safety, escapes; he does not care what he leaves.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import rules
import simcore
from rules.bed import may_be_placed
from rules.ruleset import KIND_NAMES
from rules.state import ON_THE_TABLE
from simcore import aim
from simcore.kernel.cushion import nose_distance
from simcore.kernel.jit import door, kernel
from simcore.kernel.types import JAW_RADIUS, JAW_X, JAW_Y, POCKET_X, POCKET_Y

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_CUT = math.cos(math.radians(62.0))  # thinner pots are left alone
MIDDLE_ANGLE = math.cos(math.radians(50.0))  # nor does he try a middle pocket from further aside
MIDDLE_POCKETS = 4  # pockets from this number on
SPEED_FACTORS = (1.2, 2.2)  # of the speed that just takes the ball to the pocket
MAX_SPEED = 6.0  # m/s
BANG_SPEEDS = (1.3, 4.0)  # m/s, of a stroke at a ball that he cannot pot
WAYS = 12  # ways to balls on that he looks at for such a stroke
THINNEST = 0.8  # share of two radii by which such a stroke may pass the ball's centre
WILD_SHARE = 0.02  # strokes in any direction
BANG_SHARE = 0.04  # strokes at any ball on although there is a pot
OUTSIDE_SHARE = 0.01  # placements in front of the D
UNDECLARED_SHARE = 0.03  # colours that he does not name
PLACE_TRIES = 1_000  # places tried in the D


class Choice(NamedTuple):
    """One stroke of each frame."""

    nominated: Ints  # kind declared, 0 = none (n,)
    placed: Floats  # (n, 2), m, where a cue ball in hand goes, nan = not in hand
    layouts: Floats  # (n, 22, 2), m, what the stroke is played into
    shots: simcore.Shots  # (n,)


class Pots(NamedTuple):
    """The easiest plain pot of each frame."""

    ball: Ints  # -1 = there is none (n,)
    target: Floats  # centre of the fall circle, m (n, 2)
    speed: Floats  # cue speed that just takes the ball there, m/s (n,)


@kernel
def near_way(px, py, ax, ay, bx, by, near):
    """Whether a point is nearer than `near` to the segment a-b; absent (nan) it never is."""
    dx, dy, qx, qy = bx - ax, by - ay, px - ax, py - ay
    share = min(max((qx * dx + qy * dy) / (dx * dx + dy * dy), 0.0), 1.0)
    ex, ey = qx - share * dx, qy - share * dy
    return ex * ex + ey * ey < near * near


@kernel
def is_way_clear(layout, skip, ax, ay, bx, by, radius):
    """Whether a ball can go from a to b without meeting any but the cue ball and `skip`."""
    for ball in range(1, layout.shape[0]):
        if ball != skip and near_way(layout[ball, 0], layout[ball, 1], ax, ay, bx, by, 2.0 * radius):
            return False
    return True


@kernel
def is_pocket_open(table, pocket, x, y, fx, fy, reach):
    """Whether the straight way from (x, y) to the fall centre f passes the pocket's jaws."""
    for k in range(table.jaw.shape[1]):
        near = table.jaw[JAW_RADIUS, k] + reach
        if table.jaw_pocket[k] == pocket and near_way(table.jaw[JAW_X, k], table.jaw[JAW_Y, k], x, y, fx, fy, near):
            return False
    return True


@kernel
def ease_of_pot(layout, ball, pocket, table, width, length, radius, reach):
    """How easy a pot is, 1/m², and its cut's cosine and the two ways, m; ease 0 = not to be tried."""
    nothing = 0.0, 1.0, 0.0, 0.0
    cx, cy, x, y = layout[0, 0], layout[0, 1], layout[ball, 0], layout[ball, 1]
    fx, fy = table.pocket[POCKET_X, pocket], table.pocket[POCKET_Y, pocket]
    run = math.sqrt((fx - x) * (fx - x) + (fy - y) * (fy - y))
    ux, uy = (fx - x) / run, (fy - y) / run
    gx, gy = x - 2.0 * radius * ux, y - 2.0 * radius * uy
    way = math.sqrt((gx - cx) * (gx - cx) + (gy - cy) * (gy - cy))
    if way < 1e-3 or not (reach < gx < width - reach and reach < gy < length - reach):
        return nothing
    cut = ((gx - cx) * ux + (gy - cy) * uy) / way
    if cut < MAX_CUT or (pocket >= MIDDLE_POCKETS and abs(ux) < MIDDLE_ANGLE):
        return nothing
    if not is_pocket_open(table, pocket, x, y, fx, fy, reach) or not is_way_clear(layout, ball, x, y, fx, fy, radius):
        return nothing
    if not is_way_clear(layout, ball, cx, cy, gx, gy, radius):
        return nothing
    return cut / (run * (way + 2.0 * radius)), cut, run, way


@door
def find_pots(layouts, targets, table, width, length, radius, reach, out_ball, out_pocket, out_line):
    """The easiest pot of each layout among the balls of the set targets (n,): ball, pocket, cut and ways (n, 3)."""
    for i in range(layouts.shape[0]):
        best = 0.0
        for ball in range(1, layouts.shape[1]):
            if targets[i] >> ball & 1 == 0:
                continue
            for pocket in range(table.pocket.shape[1]):
                ease, cut, run, way = ease_of_pot(layouts[i], ball, pocket, table, width, length, radius, reach)
                if ease > best:
                    best = ease
                    out_ball[i], out_pocket[i] = ball, pocket
                    out_line[i, 0], out_line[i, 1], out_line[i, 2] = cut, run, way


@kernel
def nth_ball(balls, n):
    """The ball number n, counted from 0, of a set that has more."""
    ball = 0
    while True:
        if balls >> ball & 1 != 0:
            if n == 0:
                return ball
            n -= 1
        ball += 1


@kernel
def way_to(layout, ball, aside, radius):
    """Direction, rad, in which the cue ball's path passes `aside` of the ball's centre, and how far it runs, m."""
    dx, dy = layout[ball, 0] - layout[0, 0], layout[ball, 1] - layout[0, 1]
    apart = max(math.sqrt(dx * dx + dy * dy), 2.0 * radius)
    run = math.sqrt(apart * apart - aside * aside) - math.sqrt(4.0 * radius * radius - aside * aside)
    return math.atan2(dy, dx) + math.asin(aside / apart), run


@door
def find_ways(layouts, targets, drawn, radius, out):
    """For each layout the first clear way to a ball of the set targets (n,) among those drawn, (n, n_ways, 2) in 0..1.

    out: directions (n,), rad; where no way is clear, that of the last.
    """
    for i in range(layouts.shape[0]):
        count = 0
        for ball in range(layouts.shape[1]):
            count += targets[i] >> ball & 1
        for k in range(drawn.shape[1] if count > 0 else 0):
            ball = nth_ball(targets[i], int(drawn[i, k, 0] * count))
            aside = (2.0 * drawn[i, k, 1] - 1.0) * THINNEST * 2.0 * radius
            out[i], run = way_to(layouts[i], ball, aside, radius)
            x, y = layouts[i, 0, 0], layouts[i, 0, 1]
            ex, ey = x + run * math.cos(out[i]), y + run * math.sin(out[i])
            if run <= 0.0 or is_way_clear(layouts[i], ball, x, y, ex, ey, radius):
                break


def speed_needed(line: Floats, physics: simcore.Physics) -> Floats:
    """Cue speed, m/s, that just rolls the object ball to its pocket; line: cosine of the cut, ways of both balls."""
    cut, run, way = np.maximum(line, (MAX_CUT, 0.0, 0.0)).T
    roll = 2.0 * physics.mu_roll * physics.g
    at_contact = 1.4 * np.sqrt(roll * run) / (0.5 * (1.0 + physics.e_ball) * cut)
    struck = np.sqrt((1.4 * at_contact) ** 2 + 1.96 * roll * way)
    needed: Floats = struck * (physics.m / physics.cue_mass + 1.0) / (1.0 + physics.e_tip)
    return needed


def plain_pots(layouts: Floats, targets: Ints, table: simcore.Table, physics: simcore.Physics) -> Pots:
    """The easiest plain pot of each layout; targets: set of the balls that may be potted (n,)."""
    n, reach = len(layouts), float(nose_distance(physics.R, physics.nose_height))
    ball, pocket, line = np.full(n, -1), np.zeros(n, np.int64), np.zeros((n, 3))
    sizes = table.width, table.length, physics.R, reach
    find_pots(layouts, targets, table.geometry, *sizes, ball, pocket, line)
    falls = table.geometry.pocket[[POCKET_X, POCKET_Y]].T
    return Pots(ball, falls[pocket], speed_needed(line, physics))


def random_place(frame: rules.Frame, rng: np.random.Generator) -> tuple[float, float]:
    """A place where the cue ball may lie and overlaps no other, drawn evenly; seldom one a little in front of the D."""
    bed = frame.bed
    apart = 2.0 * bed.radius + 1e-6
    whole = frame.state.cue_in_hand == ON_THE_TABLE
    wrong = rng.random() < OUTSIDE_SHARE and not whole
    for _ in range(PLACE_TRIES):
        x = bed.d_x + rng.uniform(-1.0, 1.0) * bed.d_radius
        y = bed.baulk_y - rng.uniform(0.0, 1.0) * bed.d_radius
        if whole:
            x, y = rng.uniform(bed.low_y, bed.high_x), rng.uniform(bed.low_y, bed.high_y)
        inside = may_be_placed(bed, frame.state.cue_in_hand, x, y)
        y = 2.0 * bed.baulk_y - y if wrong else y
        gaps = np.hypot(frame.positions[1:, 0] - x, frame.positions[1:, 1] - y)
        if inside and not (gaps < apart).any():
            return x, y
    raise RuntimeError(f"no free place in the D: {frame.text}")


def target_sets(frame: rules.Frame) -> dict[int, int]:
    """Balls that may be hit first for every kind that may be declared, as sets."""
    sets = {}
    for name in frame.nominations():
        kind = KIND_NAMES.index(name) if name else 0
        sets[kind] = sum(1 << ball for ball in frame.balls_on(name))
    return sets


class TrivialPlayer:
    """Plays one stroke of each of many frames on one table."""

    def __init__(self, table: simcore.Table, physics: simcore.Physics, rng: np.random.Generator) -> None:
        self.table, self.physics, self.rng = table, physics, rng

    def choose(self, frames: list[rules.Frame], errors: Floats) -> Choice:
        """Strokes for frames in which one is to be played; errors (n,): spread of his aim, rad."""
        layouts = np.array([frame.positions for frame in frames])
        placed = np.full((len(frames), 2), np.nan)
        for i, frame in enumerate(frames):
            if frame.cue_in_hand:
                placed[i] = layouts[i, 0] = random_place(frame, self.rng)
        sets = [target_sets(frame) for frame in frames]
        pots = plain_pots(layouts, np.array([self._wanted(each) for each in sets]), self.table, self.physics)
        nominated = np.array([self._nomination(each, int(b)) for each, b in zip(sets, pots.ball, strict=True)])
        targets = np.array([each[int(kind)] for each, kind in zip(sets, nominated, strict=True)])
        nominated[self.rng.random(len(frames)) < UNDECLARED_SHARE] = 0
        bang = (pots.ball < 0) | (self.rng.random(len(frames)) < BANG_SHARE)
        return Choice(nominated, placed, layouts, self._shots(layouts, targets, pots, bang, errors))

    def _wanted(self, sets: dict[int, int]) -> int:
        """Balls that he would pot: those of any declaration, or of one drawn."""
        union = 0
        for balls in sets.values():
            union |= balls
        return union if self.rng.random() < 0.9 else sets[list(sets)[self.rng.integers(len(sets))]]

    def _nomination(self, sets: dict[int, int], ball: int) -> int:
        """A declaration under which `ball` may be potted, any if there is no such ball."""
        fit = [kind for kind, balls in sets.items() if ball > 0 and balls >> ball & 1] or list(sets)
        return fit[self.rng.integers(len(fit))]

    def _shots(
        self, layouts: Floats, targets: Ints, pots: Pots, bang: NDArray[np.bool_], errors: Floats
    ) -> simcore.Shots:
        rng, n = self.rng, len(layouts)
        careful = np.isnan(layouts[:, 5, 0])  # the pink is gone: one more foul and the frame is over
        haste = np.where(careful, 0.2, 1.0) * rng.random((2, n))
        V0 = np.minimum(pots.speed * np.interp(haste[0], (0.0, 1.0), SPEED_FACTORS), MAX_SPEED)
        V0 = np.where(bang, np.interp(haste[1], (0.0, 1.0), BANG_SPEEDS), V0)
        a, b = np.where(bang, 0.0, rng.uniform(-0.1, 0.1, n)), rng.uniform(-0.3, 0.3, n)
        b = np.where(careful, -0.5 * np.abs(b), b)  # no running through into the pocket
        phi = self._at_a_ball(layouts, targets)
        rows = np.flatnonzero(~bang)
        if len(rows):
            shots = simcore.Shots(V0[rows], 0.0, 0.0, a[rows], b[rows])
            run = {"table": self.table, "physics": self.physics}
            aims = aim.solve_aim(layouts[rows], shots, pots.ball[rows], pots.target[rows], **run)
            phi[rows] = np.where(aims.solved, aims.phi, phi[rows]) + errors[rows] * rng.standard_normal(len(rows))
        phi = np.where((rng.random(n) < WILD_SHARE) & ~careful, rng.uniform(-math.pi, math.pi, n), phi)
        return simcore.Shots(V0, phi, 0.0, a, b)

    def _at_a_ball(self, layouts: Floats, targets: Ints) -> Floats:
        """Directions (n,), rad, to some part of a ball drawn from the set targets (n,), a clear way if one is found."""
        drawn = self.rng.random((len(layouts), WAYS, 2))
        directions = np.zeros(len(layouts))
        find_ways(layouts, targets, drawn, self.physics.R, directions)
        return directions
