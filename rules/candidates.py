"""Candidate strokes for a frame: pots over a grid of speeds and spins, safeties, and escapes off cushions.

Pots are aimed with `simcore.aim`, so throw, squirt and swerve are allowed for. Every candidate has been played once
without noise and refereed: a pot scores, the others make a legal first contact and, unless nothing better was found,
commit no foul. All is deterministic: the same frame, number and seed give the same strokes, bit for bit.

Not modelled: plants, doubles, cannons, raised cues; position for the next ball is left to the spread of speeds and
spins.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.ball_on import BallsOn, balls_on_of, kind_in_force
from rules.bed import may_be_placed, physics_for
from rules.checks import check_integer, check_places_known, check_ready
from rules.faults import FAULT_BITS
from rules.frame import Frame, check_frame
from rules.ruleset import MAX_BALLS, ball_name, kind_name, kind_number
from rules.ruling import referee_batch
from rules.state import Floats, Ints
from rules.stroke_facts import facts_arrays, pack_sets
from rules.strokes import Strokes
from rules.tolerances import TOUCHING_GAP
from simcore import Physics, ShotResults, Shots, Table, simulate
from simcore.aim import angle_of, distance_to_segments, ghost_ball, pocket_windows, solve_aim, unit, wrapped
from simcore.kernel.cushion import nose_distance

POT, SAFETY, ESCAPE = "pot", "safety", "escape"
SHARES = (0.7, 0.22, 0.08)  # of the candidates wanted: pots, safeties, escapes; what one lacks the others fill

MAX_CUT = math.radians(80.0)  # thinner pots are left out
SPEED_FACTORS = (1.6, 1.25, 2.3, 1.9, 3.2)  # cue speed of a pot over that which just takes the ball to the pocket
MAX_SPEED = 7.0  # m/s; harder strokes are rare and wild
SPINS = ((0.0, 0.0), (0.0, 0.3), (0.0, -0.3), (0.2, 0.1), (-0.2, 0.1), (0.0, 0.15), (0.0, -0.15))  # (a, b)
SIDE_RANGE, SPIN_RANGE = 0.25, 0.35  # of further pots, drawn evenly, units of R
SPEED_RANGE = (1.2, 3.5)  # of further pots, as SPEED_FACTORS
SPARE = 1.5  # pots aimed for each wanted: some turn out too weak or in-off

SAFETY_CONTACTS = (0.95, -0.95, 0.7, -0.7, 0.4, -0.4, 0.0)  # lateral offset of the contact, units of 2 R; 1 just misses
SAFETY_SPEEDS = (1.4, 2.2, 0.9, 3.2)  # m/s
SAFETY_SPINS = ((0.0, 0.0), (0.0, -0.2), (0.0, 0.2))

ESCAPE_ANGLES = 720  # directions tried for kicks
ESCAPE_SPEEDS = (1.8, 3.0, 4.5)  # m/s
MAX_CUSHIONS = 3  # cushions before the first contact
ESCAPE_PLACEMENTS = 3  # placements of a cue ball in hand that are searched for kicks

NEARBY_SPEED = 0.2  # further strokes near legal ones differ by up to this share of the speed
NEARBY_SPIN = 0.1  # and by up to this much side and spin, units of R; well inside the miscue limit with SIDE_RANGE
TRIES = 4  # times that two strokes are tried for each that is lacking

D_COLUMNS, D_ROWS = 7, 3  # grid of placements in the D
ROOM = 1e-3  # m kept free around a placed cue ball
LINES_A_GROUP = 6  # placements kept for each ball and pocket

FIRST_CONTACT_FAULTS = sum(
    FAULT_BITS[name]
    for name in ("missed_all", "wrong_first_contact", "simultaneous_hit", "push_stroke", "successive_red")
)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Strokes with what each is meant to do; arrays (n,)."""

    strokes: Strokes
    kind: NDArray[np.str_]  # "pot", "safety" or "escape"
    ball: Ints  # index of the ball aimed at
    pocket: Ints  # index of the pocket aimed at, -1 = none
    table: Table

    def __len__(self) -> int:
        return len(self.ball)

    @cached_property
    def ball_names(self) -> tuple[str, ...]:
        """Names of the balls aimed at, "" = none."""
        return tuple(ball_name(ball) if ball >= 0 else "" for ball in self.ball.tolist())

    @cached_property
    def pocket_names(self) -> tuple[str, ...]:
        """Names of the pockets aimed at, "" = none."""
        return tuple(self.table.pocket_names[pocket] if pocket >= 0 else "" for pocket in self.pocket.tolist())


class _Scene(NamedTuple):
    """The frame as the generators see it."""

    frame: Frame
    physics: Physics
    threads: int | None
    places: Floats  # (n_places, 2), m, where the cue ball may be struck from; one row if it is not in hand
    declarable: tuple[tuple[int, BallsOn], ...]  # kind declared (0 = none) and what is then on
    rng: np.random.Generator

    def layouts(self, place: Ints) -> Floats:
        """Positions with the cue ball at the given places: (n, 22, 2), or (22, 2) if there is only one place."""
        if not self.frame.cue_in_hand:
            return self.frame.positions
        layouts = np.array(np.broadcast_to(self.frame.positions, (len(place), MAX_BALLS, 2)))
        layouts[:, 0] = self.places[place]
        return layouts

    def simulated(self, place: Ints, shots: Shots, stop: str = "rest") -> ShotResults:
        """Results (n,) of shots from the given places."""
        table, physics = self.frame.table, self.physics
        return simulate(self.layouts(place), shots, table=table, physics=physics, stop=stop, threads=self.threads)

    def targets(self) -> Iterator[tuple[int, int]]:
        """Kind declared and ball that may then be hit first."""
        for kind, on in self.declarable:
            for ball in range(1, MAX_BALLS):
                if on.first >> ball & 1:
                    yield kind, ball


class _Pool(NamedTuple):
    """Candidates in the making; arrays with one row each, best first."""

    shot: Floats  # V0, phi, a, b: m/s, rad, units of R (n, 4)
    place: Ints  # row of _Scene.places
    nominated: Ints  # kind declared, 0 = none
    ball: Ints
    pocket: Ints

    def of(self, rows: Ints) -> "_Pool":
        """Some rows."""
        return _Pool._make(array[rows] for array in self)

    @property
    def shots(self) -> Shots:
        """The strokes of the cue."""
        V0, phi, a, b = self.shot.T
        return Shots(V0, phi, 0.0, a, b)


EMPTY = _Pool(np.zeros((0, 4)), *(np.zeros(0, dtype=np.int64) for _ in range(4)))


def _joined(pools: list[_Pool]) -> _Pool:
    return _Pool._make(np.concatenate(arrays) for arrays in zip(*pools, strict=True))


# --- where from, at what ---------------------------------------------------------------------------------------------


def _declarable(frame: Frame) -> tuple[tuple[int, BallsOn], ...]:
    """What may be declared and what is then on; a nomination already made is kept."""
    state = frame.state
    names = (kind_name(state.nominated),) if state.nominated else frame.nominations()
    kinds = [kind_number(name) for name in names]
    in_force = [kind_in_force(frame.ruleset, state, kind, 0) for kind in kinds]
    return tuple((kind, balls_on_of(frame.ruleset, state, force)) for kind, force in zip(kinds, in_force, strict=True))


def _d_grid(frame: Frame) -> Floats:
    """Placements spread over the D, (n, 2), m, the middle of the baulk line first."""
    bed = frame.bed
    across = np.linspace(-0.96, 0.96, D_COLUMNS) * bed.d_radius
    back = np.linspace(0.0, 0.9, D_ROWS) * bed.d_radius
    x, y = (axis.ravel() for axis in np.meshgrid(bed.d_x + across, bed.baulk_y - back))
    middle_first = np.argsort(np.abs(x - bed.d_x) + 2.0 * (bed.baulk_y - y), kind="stable")
    grid: Floats = np.stack([x, y], axis=-1)[middle_first]
    return grid


def _straight_places(frame: Frame, reach: float) -> Floats:
    """Placements in the D from which some pot is straight: the middle of the stretch its line has in the D, (n, 2)."""
    bed = frame.bed
    windows = pocket_windows(frame.positions, frame.table, reach)
    balls, pockets = np.nonzero(~np.isnan(windows.direction))
    back = -unit(windows.direction[balls, pockets])
    t = np.linspace(2.5 * bed.radius, frame.table.length, 400)
    points = frame.positions[balls][:, None] + t[:, None] * back[:, None]
    inside = _in_d(frame, points)
    first = inside.argmax(axis=-1)
    last = inside.shape[-1] - 1 - inside[:, ::-1].argmax(axis=-1)
    rows = np.flatnonzero(inside.any(axis=-1))
    places: Floats = points[rows, (first[rows] + last[rows]) // 2]
    return places


def _in_d(frame: Frame, points: Floats) -> NDArray[np.bool_]:
    in_hand = frame.state.cue_in_hand
    flat = [may_be_placed(frame.bed, in_hand, x, y) for x, y in points.reshape(-1, 2).tolist()]
    return np.array(flat, dtype=np.bool_).reshape(points.shape[:-1])


def _places(frame: Frame, reach: float) -> Floats:
    """Where the cue ball may be struck from (n, 2), m: where it lies, or places in the D clear of other balls."""
    if not frame.cue_in_hand:
        return frame.positions[:1]
    places = np.concatenate([_d_grid(frame), _straight_places(frame, reach)])
    apart = distance_to_segments(frame.positions[1:], places, places).min(axis=-1)
    free: Floats = places[_in_d(frame, places) & (apart >= 2.0 * frame.bed.radius + ROOM)]
    return free


# --- pots ------------------------------------------------------------------------------------------------------------


class _Lines(NamedTuple):
    """Clear ways to pot: arrays with one row each, the easiest first within a ball and pocket."""

    place: Ints
    nominated: Ints
    ball: Ints
    pocket: Ints
    target: Floats  # (n, 2), m, where the object ball falls
    speed: Floats  # m/s, cue speed that just takes it there, estimated
    margin: Floats  # rad, by which the cue's direction may be off, estimated
    group: Ints  # number of the ball, pocket and nomination; easiest first


def _speed_needed(physics: Physics, cue_way: Floats, ball_way: Floats, cut: Floats) -> Floats:
    """Cue speed, m/s, that just rolls the object ball to its pocket after a sliding start; a starting value only."""
    roll = 2.0 * physics.mu_roll * physics.g
    object_speed = 1.4 * np.sqrt(roll * ball_way)
    at_contact = object_speed / (0.5 * (1.0 + physics.e_ball) * np.cos(cut))
    struck = np.sqrt((1.4 * at_contact) ** 2 + 1.96 * roll * cue_way)
    per_speed = (1.0 + physics.e_tip) / (physics.m / physics.cue_mass + 1.0)
    needed: Floats = struck / per_speed
    return needed


def _clear(scene: _Scene, starts: Floats, ends: Floats, ball: Ints) -> NDArray[np.bool_]:
    """Whether a ball can go each straight way (n, 2) to (n, 2) without meeting any but the cue ball and `ball` (n,)."""
    gaps = distance_to_segments(scene.frame.positions, starts, ends)
    gaps[:, 0] = np.inf
    gaps[np.arange(len(ball)), ball] = np.inf
    clear: NDArray[np.bool_] = gaps.min(axis=-1) >= 2.0 * scene.physics.R
    return clear


def _all_lines(scene: _Scene, reach: float) -> _Lines:
    """Every place, ball on and pocket with a clear straight way, in no order."""
    windows = pocket_windows(scene.frame.positions, scene.frame.table, reach)
    targets = np.array(list(scene.targets()), dtype=np.int64).reshape(-1, 2)
    shape = len(scene.places), len(targets), windows.direction.shape[1]
    place, target, pocket = (grid.ravel() for grid in np.indices(shape))
    nominated, ball = targets[target].T
    way, half, run = (array[ball, pocket] for array in windows)
    size, table = scene.physics.R, scene.frame.table
    cue, centre = scene.places[place], scene.frame.positions[ball]
    ghost = ghost_ball(centre, way, size)
    to_ghost = ghost - cue
    distance = np.sqrt((to_ghost * to_ghost).sum(axis=-1))
    cut = np.abs(wrapped(angle_of(to_ghost) - way))
    apart = np.sqrt(((centre - cue) ** 2).sum(axis=-1))
    on_bed = ((ghost >= reach) & (ghost <= np.array([table.width, table.length]) - reach)).all(axis=-1)
    rows = np.flatnonzero((cut <= MAX_CUT) & on_bed & (apart > 2.0 * size + TOUCHING_GAP))
    falls = centre + run[:, None] * unit(way)
    rows = rows[_clear(scene, cue[rows], ghost[rows], ball[rows])]
    rows = rows[_clear(scene, centre[rows], falls[rows], ball[rows])]
    speed = _speed_needed(scene.physics, distance, run, np.minimum(cut, MAX_CUT))
    margin = half * 2.0 * size * np.cos(cut) / np.maximum(distance, size)
    columns = (place, nominated, ball, pocket, falls, speed, margin, np.zeros_like(place))
    return _Lines._make(column[rows] for column in columns)


def _lines(scene: _Scene, reach: float) -> _Lines:
    """The best lines of every ball, pocket and nomination, groups numbered with the easiest first."""
    every = _all_lines(scene, reach)
    easiest = np.argsort(-every.margin, kind="stable")
    every = _Lines._make(column[easiest] for column in every)
    names = list(zip(every.nominated.tolist(), every.ball.tolist(), every.pocket.tolist(), strict=True))
    number: dict[tuple[int, int, int], int] = {}
    group = np.array([number.setdefault(name, len(number)) for name in names], dtype=np.int64)
    seen = np.zeros(len(number), dtype=np.int64)
    rank = np.empty_like(group)
    for i, g in enumerate(group):
        rank[i] = seen[g]
        seen[g] += 1
    keep = rank < LINES_A_GROUP
    return _Lines._make(column[keep] for column in every._replace(group=group))


def _variations(n: int, rng: np.random.Generator) -> Floats:
    """Speed factor, a and b of n different pots on one line (n, 3): a grid, the usual ones first, then drawn ones."""
    grid = [(factor, *spin) for factor in SPEED_FACTORS for spin in SPINS]
    usual, others = np.array(grid[: len(SPINS)]), np.array(grid[len(SPINS) :])
    drawn = rng.uniform(
        (SPEED_RANGE[0], -SIDE_RANGE, -SPIN_RANGE), (SPEED_RANGE[1], SIDE_RANGE, SPIN_RANGE), (max(n - len(grid), 0), 3)
    )
    return np.concatenate([usual, rng.permutation(others), drawn])[:n]


def _pots(scene: _Scene, n: int, reach: float) -> _Pool:
    """About n pots or more, spread evenly over balls and pockets; fewer where few can be solved."""
    lines = _lines(scene, reach)
    if not len(lines.ball):
        return EMPTY
    n_groups = int(lines.group.max()) + 1
    each = math.ceil(SPARE * n / n_groups)
    members = [np.flatnonzero(lines.group == g) for g in range(n_groups)]
    variation = np.stack([_variations(each, scene.rng) for _ in range(n_groups)], axis=1)  # (each, n_groups, 3)
    line = np.array([[rows[k % len(rows)] for rows in members] for k in range(each)]).ravel()
    factor, a, b = variation.reshape(-1, 3).T
    V0 = np.minimum(lines.speed[line] * factor, MAX_SPEED)
    pool = _Pool(
        np.stack([V0, np.zeros_like(V0), a, b], axis=-1),
        lines.place[line],
        lines.nominated[line],
        lines.ball[line],
        lines.pocket[line],
    )
    aims = solve_aim(
        scene.layouts(pool.place),
        pool.shots,
        pool.ball,
        lines.target[line],
        table=scene.frame.table,
        physics=scene.physics,
        threads=scene.threads,
    )
    pool.shot[:, 1] = aims.phi
    pool = pool.of(np.flatnonzero(aims.solved))
    return pool.of(np.flatnonzero(_judged(scene, pool).scores))


# --- safeties and escapes --------------------------------------------------------------------------------------------


class _Judged(NamedTuple):
    """What strokes come to without noise; each array (n,)."""

    scores: NDArray[np.bool_]  # the ball aimed at fell into its pocket and the stroke scored
    fair: NDArray[np.bool_]
    legal: NDArray[np.bool_]  # the first contact, whatever else was foul


def _judged(scene: _Scene, pool: _Pool) -> _Judged:
    """Play and referee the strokes of a pool without noise."""
    results = scene.simulated(pool.place, pool.shots)
    in_hand = scene.frame.cue_in_hand
    facts = facts_arrays(results, scene.places[pool.place] if in_hand else None)
    rulings = referee_batch(scene.frame, facts, pool.nominated, results.positions)
    fell = results.pocket[np.arange(len(pool.ball)), pool.ball] == pool.pocket
    fair = rulings.penalty == 0
    return _Judged(fell & fair & (rulings.points > 0), fair, rulings.faults & FIRST_CONTACT_FAULTS == 0)


def _best_legal(scene: _Scene, pool: _Pool) -> _Pool:
    """The strokes of a pool with a legal first contact, in order; the fair ones alone if there are any."""
    judged = _judged(scene, pool)
    return pool.of(np.flatnonzero(judged.fair if judged.fair.any() else judged.legal))


def _recipes(n: int, rng: np.random.Generator) -> Floats:
    """Contact, V0, a and b of n different safeties on one ball (n, 4): a grid, then drawn ones."""
    grid = [(c, V0, *spin) for spin in SAFETY_SPINS for V0 in SAFETY_SPEEDS for c in SAFETY_CONTACTS]
    edge, low, high = max(SAFETY_CONTACTS), min(SAFETY_SPEEDS), max(SAFETY_SPEEDS)
    lowest, highest = (-edge, low, -SIDE_RANGE, -SPIN_RANGE), (edge, high, SIDE_RANGE, SPIN_RANGE)
    return np.concatenate([np.array(grid), rng.uniform(lowest, highest, (max(n - len(grid), 0), 4))])


def _safeties(scene: _Scene, n: int) -> _Pool:
    """Up to n strokes that play a ball on directly, thick and thin, and have a legal first contact."""
    targets = np.array([(p, k, ball) for p in range(len(scene.places)) for k, ball in scene.targets()], dtype=np.int64)
    if not len(targets):
        return EMPTY
    targets = targets[scene.rng.permutation(len(targets))]
    recipes = _recipes(math.ceil(2 * n / len(targets)), scene.rng)  # not all are clear
    rank, target = (grid.ravel() for grid in np.indices((len(recipes), len(targets))))
    place, nominated, ball = targets[target].T
    contact, V0, a, b = recipes[(rank + target) % len(recipes)].T  # a small n gets different ones too
    cue, size = scene.places[place], scene.physics.R
    to_ball = scene.frame.positions[ball] - cue
    apart = np.sqrt((to_ball * to_ball).sum(axis=-1))
    offset = np.arcsin(np.minimum(2.0 * size / apart, 1.0) * contact)
    phi = wrapped(angle_of(to_ball) + offset)
    run = apart * np.cos(offset) - 2.0 * size * np.sqrt(1.0 - contact * contact)
    pool = _Pool(np.stack([V0, phi, a, b], axis=-1), place, nominated, ball, np.full(len(ball), -1))
    rows = np.flatnonzero(apart > 2.0 * size + TOUCHING_GAP)
    rows = rows[_clear(scene, cue[rows], (cue + run[:, None] * unit(phi))[rows], ball[rows])]
    return _topped_up(scene, _best_legal(scene, pool.of(rows[:n])), n)


def _nearby(scene: _Scene, pool: _Pool, n: int) -> _Pool:
    """As many strokes as n, with the directions of those in the pool and other speeds and spins, drawn."""
    more = pool.of(np.arange(n) % len(pool.ball))
    spread = np.array([NEARBY_SPEED, NEARBY_SPIN, NEARBY_SPIN])
    drawn = scene.rng.uniform(-spread, spread, (n, 3))
    more.shot[:, 0] *= 1.0 + drawn[:, 0]
    more.shot[:, 2:] += drawn[:, 1:]
    return more


def _topped_up(scene: _Scene, pool: _Pool, n: int) -> _Pool:
    """The first n of the pool, or if it has fewer, further ones near them that are legal too, as far as they go."""
    known = pool
    for _ in range(TRIES):
        lacking = n - len(pool.ball)
        if lacking <= 0 or not len(known.ball):
            break
        pool = _joined([pool, _best_legal(scene, _nearby(scene, known, 2 * lacking))])
    return pool.of(np.arange(min(n, len(pool.ball))))


def _depth(flags: NDArray[np.bool_]) -> Ints:
    """How many steps along the last, circular axis each true value is from the nearest false one (..., n_angles)."""
    depth = np.zeros(flags.shape, dtype=np.int64)
    for _ in range(flags.shape[-1]):
        if not flags.any():
            break
        depth += flags
        flags = flags & np.roll(flags, 1, axis=-1) & np.roll(flags, -1, axis=-1)
    return depth


def _interleaved(group: Ints) -> Ints:
    """Rows in turn from every group, each group's own in order; group: (n,)."""
    order = np.argsort(group, kind="stable")
    sorted_group = group[order]
    starts = np.flatnonzero(np.diff(sorted_group, prepend=sorted_group[:1] - 1))
    rank = np.arange(len(group)) - np.repeat(starts, np.diff(starts, append=len(group)))
    return order[np.argsort(rank, kind="stable")]


def _kicks(scene: _Scene, n: int) -> _Pool:
    """Up to n strokes that meet a ball on after one to three cushions, those with the widest angle first."""
    n_places = min(len(scene.places), ESCAPE_PLACEMENTS)
    angles = np.linspace(-math.pi, math.pi, ESCAPE_ANGLES, endpoint=False)
    place, V0, phi = np.meshgrid(np.arange(n_places), ESCAPE_SPEEDS, angles, indexing="ij")
    shots = Shots(V0.ravel(), phi.ravel())
    place_of = place.ravel().astype(np.int64)
    results = scene.simulated(place_of, shots, stop="first_contact")
    met = pack_sets(results.first_contacts).reshape(place.shape)
    cushions = results.cushions_before[:, 0].reshape(place.shape)
    pools, depths = [], []
    for kind, on in scene.declarable:
        legal = (met & on.first != 0) & (met & ~on.playable == 0) & (cushions >= 1) & (cushions <= MAX_CUSHIONS)
        rows = np.flatnonzero(legal)
        ball = np.log2((met.ravel() & on.first)[rows] & -(met.ravel() & on.first)[rows]).astype(np.int64)
        zero = np.zeros(len(rows))
        shot = np.stack([shots.V0[rows], shots.phi[rows], zero, zero], axis=-1)
        pools.append(_Pool(shot, place_of[rows], np.full(len(rows), kind), ball, np.full(len(rows), -1)))
        depths.append(_depth(legal).ravel()[rows])
    pool = _joined(pools)
    pool = pool.of(np.argsort(-np.concatenate(depths), kind="stable"))
    pool = pool.of(_interleaved(pool.nominated * MAX_BALLS + pool.ball)[:n])
    return _topped_up(scene, _best_legal(scene, pool), n)


def _attempts(scene: _Scene) -> _Pool:
    """A stroke straight towards every ball on, for a frame in which nothing better was found."""
    targets = np.array(list(scene.targets()), dtype=np.int64).reshape(-1, 2)
    n = len(targets)
    phi = angle_of(scene.frame.positions[targets[:, 1]] - scene.places[0])
    shot = np.stack([np.full(n, SAFETY_SPEEDS[0]), phi, np.zeros(n), np.zeros(n)], axis=-1)
    return _Pool(shot, np.zeros(n, dtype=np.int64), targets[:, 0], targets[:, 1], np.full(n, -1))


# --- all together ----------------------------------------------------------------------------------------------------


def _quotas(n: int, found: list[int]) -> list[int]:
    """How many of each kind to take: their shares, and what one kind lacks from the others in order."""
    take = [min(have, math.floor(n * share)) for have, share in zip(found, SHARES, strict=True)]
    for i, have in enumerate(found):
        take[i] += min(have - take[i], n - sum(take))
    return take


def _scene(frame: Frame, seed: int, physics: Physics | None, threads: int | None) -> tuple[_Scene, float]:
    """The scene, and the distance at which a ball touches a nose."""
    physics = physics_for(frame, physics)
    reach = float(nose_distance(physics.R, physics.nose_height))
    places, rng = _places(frame, reach), np.random.default_rng(seed)
    return _Scene(frame, physics, threads, places, _declarable(frame), rng), reach


def _candidates(scene: _Scene, pool: _Pool, kinds: list[str]) -> Candidates:
    names = [kind_name(kind) if kind else None for kind in pool.nominated.tolist()]
    cue_ball = scene.places[pool.place] if scene.frame.cue_in_hand else None
    return Candidates(
        Strokes(pool.shots, names, cue_ball), np.array(kinds, dtype=np.str_), pool.ball, pool.pocket, scene.frame.table
    )


def generate_candidates(
    frame: Frame, n: int, *, physics: Physics | None = None, seed: int = 0, threads: int | None = None
) -> Candidates:
    """Up to n strokes worth considering in a frame: pots, then safeties, then escapes.

    n: how many are wanted; fewer come back only where no more were found. physics: default `Physics.snooker()`; balls
    and table are the frame's. seed: of what is drawn; same seed, same strokes. threads: at most this many, default all.
    Returns the candidates. Raises ValueError when the frame is over, a decision is pending, n < 1, seed < 0, more
    threads than there are, or a physics with another nose height; TypeError for arguments of another type.
    """
    check_frame(frame)
    check_ready(frame)
    check_places_known(frame.ruleset)
    n, seed = check_integer("n", n, 1), check_integer("seed", seed, 0)
    scene, reach = _scene(frame, seed, physics, threads)
    pots = _pots(scene, n, reach)
    others = n - min(len(pots.ball), math.floor(n * SHARES[0]))
    safeties = _safeties(scene, others)
    lacking = max(math.floor(n * SHARES[2]), others - len(safeties.ball))
    pools = [pots, safeties, _kicks(scene, lacking) if lacking else EMPTY]
    if not any(len(pool.ball) for pool in pools):
        pools[2] = _attempts(scene)
    take = _quotas(n, [len(pool.ball) for pool in pools])
    kinds = [kind for kind, count in zip((POT, SAFETY, ESCAPE), take, strict=True) for _ in range(count)]
    chosen = _joined([pool.of(np.arange(count)) for pool, count in zip(pools, take, strict=True)])
    return _candidates(scene, chosen, kinds)
