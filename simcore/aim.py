"""Aiming geometry: which way an object ball must go to fall, whether a way is clear, and the stroke that sends it.

Directions are solved with the simulator itself: a stroke is played to the first contact, the path that the object ball
then takes is compared with the one wanted, and the aim is corrected. Throw, squirt and swerve are thereby all allowed
for, by the one physics there is.

Not modelled: pots off a cushion or a jaw, balls that rattle and fall, plants.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from simcore.kernel.cue import squirt_tangent
from simcore.kernel.jit import door, kernel
from simcore.kernel.motion import after_slide, segment_of
from simcore.kernel.types import (
    JAW_RADIUS,
    JAW_X,
    JAW_Y,
    NOSE_LENGTH,
    NOSE_NX,
    NOSE_NY,
    NOSE_X,
    NOSE_Y,
    POCKET_RADIUS,
    POCKET_X,
    POCKET_Y,
    REST,
    SLIDING,
    BallMotion,
    Flags,
    Floats,
    Ints,
)
from simcore.physics import Physics
from simcore.shots import Shots
from simcore.simulate import simulate
from simcore.table import Table

WINDOW_RAYS = 241
"""Directions tried across a fall circle; the ends of a window are known to one step, 0.4 % of the circle's width."""

WITHIN = 2e-4
"""m. An aim is solved when the object ball's predicted path passes this near its target."""

AIM_STEPS = 9
"""Most strokes played for one aim; throw converges in three or four, swerve in a few more."""

FULLER = 0.35
"""Share of the cut angle given up when a trial stroke misses its ball, to find the contact again."""

SECANT = (0.4, 2.5)
"""Least and greatest slope of path error by contact angle that a secant step trusts; it is near 1."""

SEGMENTS = 3  # a path on the cloth is at most slide, roll, rest
CONTACT_SLACK = 1e-9  # m; a ball tight on a cushion is rolled along it, not into it


class PocketWindows(NamedTuple):
    """Straight ways of points to pockets, nan where there is none; each array (n_points, n_pockets)."""

    direction: Floats  # rad, middle of the window
    half_width: Floats  # rad, half the angle through which the direction may turn; 0 where there is no way
    distance: Floats  # m, from the point along the middle direction to where the ball falls


class Aims(NamedTuple):
    """Solved strokes; each array (n,)."""

    phi: Floats  # rad
    error: Floats  # m, by which the object ball's path misses its target, left positive; nan if it does not get there
    solved: Flags


def unit(angle: Floats) -> Floats:
    """Unit vectors (..., 2) at angles (...), rad."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def angle_of(vector: Floats) -> Floats:
    """Directions (...), rad, of vectors (..., 2)."""
    angle: Floats = np.arctan2(vector[..., 1], vector[..., 0])
    return angle


def wrapped(angle: Floats) -> Floats:
    """Angles, rad, within half a turn either way."""
    turned: Floats = np.mod(angle + math.pi, 2.0 * math.pi) - math.pi
    return turned


def ghost_ball(ball: Floats, direction: Floats, radius: float) -> Floats:
    """Centre (..., 2), m, of a ball that touches `ball` (..., 2) so as to drive it along `direction` (...), rad."""
    return ball - 2.0 * radius * unit(direction)


def distance_to_segments(points: Floats, starts: Floats, ends: Floats) -> Floats:
    """Distance of every point from every straight way, m.

    points: (n_points, 2), m, nan = absent; starts, ends: (n_ways, 2), m. Returns (n_ways, n_points), inf where absent.
    """
    way = ends - starts
    length2 = np.maximum((way * way).sum(axis=-1), np.finfo(float).tiny)
    from_start = points[None, :, :] - starts[:, None, :]
    share = np.clip((from_start * way[:, None, :]).sum(axis=-1) / length2[:, None], 0.0, 1.0)
    apart = from_start - share[..., None] * way[:, None, :]
    distance = np.sqrt((apart * apart).sum(axis=-1))
    return np.where(np.isnan(distance), np.inf, distance)


def _circle_entry(to_centre: Floats, direction: Floats, radius: Floats) -> Floats:
    """Distance along rays to where they enter circles, inf if they pass or leave; vectors (..., 2), rest (...)."""
    along = (to_centre * direction).sum(axis=-1)
    inside = radius * radius - (to_centre * to_centre).sum(axis=-1) + along * along
    entry = along - np.sqrt(np.maximum(inside, 0.0))
    return np.where((inside > 0.0) & (along > 0.0), entry, np.inf)


def _nose_entry(points: Floats, direction: Floats, table: Table, reach: float) -> Floats:
    """Distance, m, along rays to the first straight nose they meet, inf if none; points (n, 1, 1, 2)."""
    nose = table.geometry.nose
    first = np.full(direction.shape[:-1], np.inf)
    for k in range(nose.shape[1]):
        normal = np.array([nose[NOSE_NX, k], nose[NOSE_NY, k]])
        start = np.array([nose[NOSE_X, k], nose[NOSE_Y, k]])
        closing = -(direction * normal).sum(axis=-1)
        height = ((points - start) * normal).sum(axis=-1) - reach
        t = np.where(closing > 0.0, np.maximum(height, 0.0) / np.where(closing > 0.0, closing, 1.0), np.inf)
        foot = points + np.where(np.isfinite(t), t, 0.0)[..., None] * direction - start
        along = foot[..., 0] * normal[1] - foot[..., 1] * normal[0]
        on_nose = (along >= 0.0) & (along <= nose[NOSE_LENGTH, k])
        first = np.minimum(first, np.where(on_nose, t, np.inf))
    return first


def _jaw_entry(points: Floats, direction: Floats, table: Table, reach: float) -> Floats:
    """Distance, m, along rays (n_points, n_pockets, n_rays, 2) to the first jaw of the pocket they go to."""
    jaw = table.geometry.jaw
    first = np.full(direction.shape[:-1], np.inf)
    for k, pocket in enumerate(table.geometry.jaw_pocket):
        centre = np.array([jaw[JAW_X, k], jaw[JAW_Y, k]])
        radius = np.asarray(jaw[JAW_RADIUS, k] + reach - CONTACT_SLACK)
        entry = _circle_entry((centre - points)[:, 0], direction[:, pocket], radius)
        first[:, pocket] = np.minimum(first[:, pocket], entry)
    return first


def _longest_run(flags: Flags) -> tuple[Ints, Ints]:
    """First and last index of the longest run of true values along the last axis; the last is before the first if none.

    Returns two arrays (...).
    """
    index = np.arange(flags.shape[-1])
    last_false = np.maximum.accumulate(np.where(flags, -1, index), axis=-1)
    run = np.where(flags, index - last_false, 0)
    end = run.argmax(axis=-1)
    return end - run.max(axis=-1) + 1, end


def pocket_windows(points: Floats, table: Table, reach: float) -> PocketWindows:
    """Directions in which a ball at each point runs straight into each pocket, touching neither nose nor jaw.

    points: (n_points, 2), m, nan = absent; reach: distance of the ball's centre from a nose it touches, m.
    Returns the middle and the half-width of the window of every pocket. Other balls are not looked at.
    """
    pocket = table.geometry.pocket
    falls = np.stack([pocket[POCKET_X], pocket[POCKET_Y]], axis=-1)
    to_fall = falls - points[:, None, :]
    apart = np.maximum(np.sqrt((to_fall * to_fall).sum(axis=-1)), pocket[POCKET_RADIUS])
    spread = np.arcsin(pocket[POCKET_RADIUS] / apart)
    share = np.linspace(-1.0, 1.0, WINDOW_RAYS)
    angles = angle_of(to_fall)[..., None] + spread[..., None] * share
    rays = unit(angles)
    falls_at = _circle_entry(to_fall[:, :, None, :], rays, pocket[POCKET_RADIUS][:, None])
    start = points[:, None, None, :]
    stopped_at = np.minimum(_nose_entry(start, rays, table, reach), _jaw_entry(start, rays, table, reach))
    first, last = _longest_run(np.isfinite(falls_at) & (falls_at < stopped_at))
    is_way = last >= first
    middle = np.where(is_way, (first + last) // 2, 0)[..., None]
    half_step = spread * (share[1] - share[0]) / 2.0
    return PocketWindows(
        direction=np.where(is_way, np.take_along_axis(angles, middle, axis=-1)[..., 0], np.nan),
        half_width=np.where(is_way, half_step * (last - first), 0.0),
        distance=np.where(is_way, np.take_along_axis(falls_at, middle, axis=-1)[..., 0], np.nan),
    )


@kernel
def time_to_cover(left: float, v: float, a: float) -> float:
    """First time, s, at which v t + a t² reaches `left` > 0, inf if never."""
    under_root = v * v + 4.0 * a * left
    if under_root < 0.0 or v <= 0.0:
        return math.inf
    return 2.0 * left / (v + math.sqrt(under_root))


@kernel
def path_error(x: float, y: float, m: BallMotion, tx: float, ty: float, radius: float, physics: Any) -> float:
    """By how much a free ball passes a target, m, measured across the line to it, left positive; nan if it stops short.

    x, y: where the ball starts with motion m; tx, ty: target, m. Source: physics.md section 1.
    """
    dx, dy = tx - x, ty - y
    distance = math.sqrt(dx * dx + dy * dy)
    if distance <= 0.0:
        return 0.0
    ux, uy = dx / distance, dy / distance
    along, across = 0.0, 0.0
    for _ in range(SEGMENTS):
        state, m, ax, ay, length = segment_of(m, radius, physics)
        if state == REST:
            break
        v, a = m.vx * ux + m.vy * uy, ax * ux + ay * uy
        dt = time_to_cover(distance - along, v, a)
        arrives = dt <= length
        dt = min(dt, length)
        across += dt * (m.vy * ux - m.vx * uy + dt * (ay * ux - ax * uy))
        if arrives:
            return across
        along += dt * (v + dt * a)
        m = after_slide(m, radius) if state == SLIDING else BallMotion(0.0, 0.0, 0.0, 0.0, 0.0)
    return math.nan


@door
def path_errors(start: Floats, motion: Floats, target: Floats, radius: float, physics: Any, out: Floats) -> None:
    """`path_error` of many balls into out (n,); start, target (n, 2), m; motion: vx, vy, wx, wy, wz (n, 5), SI."""
    for i in range(out.size):
        m = BallMotion(motion[i, 0], motion[i, 1], motion[i, 2], motion[i, 3], motion[i, 4])
        out[i] = path_error(start[i, 0], start[i, 1], m, target[i, 0], target[i, 1], radius, physics)


class _Task(NamedTuple):
    """What is asked of `solve_aim`, one row an aim."""

    positions: Floats  # (n_balls, 2) or (n, n_balls, 2), m
    shots: Shots  # (n,), without direction
    ball: Ints  # (n,)
    cue: Floats  # (n, 2), m
    object_ball: Floats  # (n, 2), m
    target: Floats  # (n, 2), m
    wanted: Floats  # (n,) rad, from the object ball to its target
    distance: Floats  # (n,) m, the same
    table: Table | None
    physics: Physics
    radius: float  # m
    threads: int | None

    def of(self, rows: Ints) -> "_Task":
        """The task of some rows."""
        names = ("ball", "cue", "object_ball", "target", "wanted", "distance")
        picked: dict[str, Any] = {name: getattr(self, name)[rows] for name in names}
        layouts = self.positions if self.positions.ndim == 2 else self.positions[rows]
        return self._replace(positions=layouts, shots=self.shots[rows], **picked)

    def cue_direction(self, normal: Floats) -> Floats:
        """Directions (n,), rad, from the cue ball to where it meets its ball along `normal` (n,), rad."""
        return angle_of(ghost_ball(self.object_ball, normal, self.radius) - self.cue)


class _Trial(NamedTuple):
    """What strokes to the first contact gave; each array (n,)."""

    hit: Flags  # the cue ball met the right ball, alone and off no cushion
    normal: Floats  # rad, direction from the cue ball to the object ball at the contact
    error: Floats  # m, as Aims.error


def _task(
    positions: Floats,
    shots: Shots,
    ball: Ints,
    target: Floats,
    table: Table | None,
    physics: Physics,
    threads: int | None,
) -> _Task:
    layouts = positions if positions.ndim == 3 else positions[None]
    rows = np.arange(len(ball))
    cue = np.broadcast_to(layouts[:, 0], (len(ball), 2))
    object_ball = layouts[rows if len(layouts) > 1 else 0, ball]
    way = target - object_ball
    distance = np.sqrt((way * way).sum(axis=-1))
    run = table, physics, physics.R, threads
    return _Task(positions, shots, ball, cue, object_ball, target, angle_of(way), distance, *run)


def _play(task: _Task, phi: Floats) -> _Trial:
    """Play strokes in the directions `phi` to their first contact."""
    s = task.shots
    shots = Shots(s.V0, phi, s.theta, s.a, s.b)
    results = simulate(
        task.positions,
        shots,
        table=task.table,
        physics=task.physics,
        radius=task.radius,
        stop="first_contact",
        threads=task.threads,
    )
    rows = np.arange(len(phi))
    start, v, w = (array[rows, task.ball] for array in (results.positions, results.velocities, results.spins))
    only = results.first_contacts.sum(axis=-1) == 1
    hit = results.first_contacts[rows, task.ball] & only & (results.cushions_before[:, 0] == 0)
    error = np.empty(len(phi))
    motion = np.concatenate([v, w], axis=-1)
    path_errors(start, motion, np.array(task.target), task.radius, task.physics, error)
    return _Trial(hit, angle_of(start - results.positions[:, 0]), np.where(hit, error, np.nan))


def squirt_angles(shots: Shots, physics: Physics) -> Floats:
    """Angles (n,), rad, by which the cue ball leaves counter-clockwise of the cue's direction."""
    pairs = zip(shots.a.tolist(), shots.b.tolist(), strict=True)
    return np.arctan([float(squirt_tangent(a, b, physics.end_mass_ratio)) for a, b in pairs])


def _next_normal(task: _Task, trial: _Trial, tried: Floats, last: Floats) -> Floats:
    """Directions of contact to try next: a secant step, or a fuller contact where the ball was missed.

    tried: (n,), rad, what the strokes were meant to give; last: contact and path error, both rad, of the strokes
    before (2, n), nan = none.
    """
    turn = trial.error / task.distance
    run = wrapped(trial.normal - last[0])
    slope = (turn - last[1]) / np.where(run == 0.0, np.nan, run)
    slope = np.where((slope > SECANT[0]) & (slope < SECANT[1]), slope, 1.0)
    full = angle_of(task.object_ball - task.cue)
    return np.where(trial.hit, trial.normal - turn / slope, tried + FULLER * wrapped(full - tried))


def solve_aim(
    positions: Floats,
    shots: Shots,
    ball: Ints,
    target: Floats,
    *,
    table: Table | None = None,
    physics: Physics | None = None,
    threads: int | None = None,
) -> Aims:
    """Directions that send object balls over target points, the other numbers of the strokes being given.

    positions: (n_balls, 2) or (n, n_balls, 2), m; shots: (n,), their phi is not looked at; ball: (n,) object ball of
    each; target: (n, 2), m, where its centre shall pass. table, physics, threads: as `simulate`; balls have the radius
    of `physics`.
    Returns phi, error and whether it is within `WITHIN`; a stroke too weak or without a clean contact stays unsolved.
    Only the paths up to the first contact and the object ball's own are followed: other balls may be in its way.
    """
    physics = (Physics.snooker() if physics is None else physics).check()
    task = _task(positions, shots, ball, target, table, physics, threads)
    n = len(ball)
    normal = task.wanted.copy()
    phi = wrapped(task.cue_direction(normal) - squirt_angles(shots, task.physics))
    error, last = np.full(n, np.nan), np.full((2, n), np.nan)
    active = np.arange(n)
    for _ in range(AIM_STEPS):
        if not active.size:
            break
        trial = _play(task.of(active), phi[active])
        error[active] = trial.error
        go_on = ~((np.abs(trial.error) <= WITHIN) | (trial.hit & np.isnan(trial.error)))
        active, trial = active[go_on], _Trial._make(array[go_on] for array in trial)
        rest = task.of(active)
        following = _next_normal(rest, trial, normal[active], last[:, active])
        was = np.where(trial.hit, trial.normal, normal[active])
        last[:, active] = trial.normal, trial.error / rest.distance
        phi[active] = wrapped(phi[active] + rest.cue_direction(following) - rest.cue_direction(was))
        normal[active] = following
    return Aims(phi, error, np.abs(error) <= WITHIN)
