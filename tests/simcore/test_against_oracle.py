"""simcore.simulate against the stepping oracle: 500 random shots on the default table, contact by contact.

How far two correct programs can agree.  A shot multiplies small differences, by ten or more at a full ball contact and
without bound at a thin one, and the step scheme of the cushion has switches where the last bit of the input decides
over 1e-10 of the output.  So the oracle runs each shot again from starts moved in random directions:

* by 1e-14 m, which is what rounding amounts to in ten contacts or so.  `SLACK` = 10 times the largest change in time
  and in the positions of all balls that any of these runs shows at contact k, plus `FLOOR_T` and `FLOOR_R` for the
  rounding of contact k itself, is what the kernel may differ by at contact k.  Over 1 200 shots
  it differs by 2e-4 of that in the median and by a fifth of it at most.
* by 1e-12 m.  Where one of these runs has changed by more than `HORIZON` = 1e-7 or goes another way, a small difference
  has grown 1e5 times, and a few contacts later the order of contacts is a matter of luck: the comparison ends there.

It also ends where the oracle declines to judge: a group of contacts, a pressing one, a graze.  Before the horizon
positions are compared far more closely than 1e-6 m.  That the test can fail is tested too: kernel inputs moved by
1e-8 m must be noticed in every shot.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import simcore
from simcore.kernel.types import (
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
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
)
from tests.oracles import stepping

N_SHOTS, CHUNK = 500, 25
FINE, COARSE = (1e-14,) * 3, (1e-12,) * 2  # m, nudges of the start: one run of the oracle each
HORIZON, SLACK, FLOOR_T, FLOOR_R = 1e-7, 10.0, 1e-12, 1e-12
RADIUS, EDGE = stepping.Params().R, stepping.Params().nose_distance
TABLE = stepping.snooker_table()
PHYSICS = simcore.Physics.snooker(cushion_model="mathavan2010_steps")  # the scheme that the oracle has too
KINDS = {"ball": 1, "nose": 2, "jaw": 3, "pocket": 4}


@dataclass(frozen=True)
class Shot:
    """A start: positions (n, 2) m, and either a strike (V0, phi, theta, a, b) or velocities and spins of all balls."""

    positions: np.ndarray
    strike: tuple | None
    v: np.ndarray
    w: np.ndarray

    def oracle(self, positions=None):
        return stepping.simulate(self.positions if positions is None else positions, self.v, self.w, TABLE)

    def kernel(self, positions=None):
        positions = self.positions if positions is None else positions
        if self.strike is None:
            motion = simcore.Motion(v=self.v, w=self.w)
            return simcore.simulate(positions, motion=motion, physics=PHYSICS, log_events=True)
        return simcore.simulate(positions, simcore.Shots(*self.strike), physics=PHYSICS, log_events=True)


# --- shots -----------------------------------------------------------------------------------------------------------


@cache
def make_shot(seed):
    """One of four families by the seed: aimed strikes, free motion of one ball, of all balls, and edge starts."""
    rng = np.random.default_rng([20240, seed])
    n, family = int(rng.integers(2, 9)), seed % 4
    positions = layout(rng, n, near_edges=family == 3, huddled=rng.random() < 0.5)
    v, w, strike = np.zeros((n, 2)), np.zeros((n, 3)), None
    if family in (0, 3):
        strike = random_strike(rng, positions)
        v[0], w[0] = stepping.strike(*strike)
    for ball in {1: range(1), 2: range(n)}.get(family, ()):
        speed, phi = rng.uniform(0.5, 5.0), aim(rng, positions, ball)
        v[ball] = speed * math.cos(phi), speed * math.sin(phi)
        w[ball] = rng.normal(0, 1.2, 3) * speed / RADIUS
    return Shot(positions, strike, v, w)


def aim(rng, positions, ball):
    """Direction from a ball to another one, anywhere from full to just missing it on either side."""
    other = (ball + rng.integers(1, len(positions))) % len(positions)
    to = positions[other] - positions[ball]
    return math.atan2(to[1], to[0]) + math.asin(rng.uniform(-1.02, 1.02) * 2 * RADIUS / max(math.hypot(*to), 0.06))


def random_strike(rng, positions):
    """A cue stroke at another ball, off-centre and a little elevated; ball speeds of about .5 to 5 m/s."""
    turn, off = rng.uniform(0, 2 * math.pi), 0.45 * math.sqrt(rng.uniform())
    theta = rng.uniform(0, 0.3)
    return rng.uniform(0.4, 4.0), aim(rng, positions, 0), theta, off * math.cos(turn), off * math.sin(turn)


def layout(rng, n, near_edges, huddled):
    """n free places; if asked for, half of them close to cushions, jaws and pockets, or the others in one area."""
    places, centre = [], rng.uniform((0.3, 0.3), (1.5, 3.2))
    while len(places) < n:
        if near_edges and rng.random() < 0.5:
            place = edge_place(rng)
        else:
            place = rng.normal(centre, 0.12) if huddled else rng.uniform((0.05, 0.05), (1.728, 3.519))
        if is_free(place, places):
            places.append(place)
    return np.array(places)


def edge_place(rng):
    """A place a little way (0.01 to 10 mm) from a nose or jaw, or in the mouth of a pocket."""
    off = 10 ** rng.uniform(-5, -2)
    if rng.random() < 0.4:
        k = rng.integers(len(TABLE.nose_a))
        along = TABLE.nose_a[k] + rng.uniform(0, 1) * (TABLE.nose_b[k] - TABLE.nose_a[k])
        return along + (EDGE + off) * TABLE.nose_n[k]
    if rng.random() < 0.6:
        k = rng.integers(len(TABLE.jaw_o))
        angle = rng.uniform(*TABLE.jaw_range[k])
        return TABLE.jaw_o[k] + (TABLE.jaw_rho[k] + EDGE + off) * np.array([math.cos(angle), math.sin(angle)])
    k = rng.integers(len(TABLE.fall_o))
    inward = np.array([0.889, 1.7845]) - TABLE.fall_o[k]
    return TABLE.fall_o[k] + (TABLE.fall_r[k] + 5 * off) * inward / math.hypot(*inward)


def is_free(place, others, gap=1e-6):
    """Whether a ball at `place` stands clear of balls, jaws, falls and noses: on the bed or in a pocket's mouth."""

    def clear(centres, distance):
        return len(centres) == 0 or np.all(np.hypot(*(np.asarray(centres) - place).T) > distance + gap)

    along, length = TABLE.nose_b - TABLE.nose_a, np.abs(TABLE.nose_b - TABLE.nose_a).sum(1)
    foot = ((place - TABLE.nose_a) * along).sum(1) / length
    depth = ((place - TABLE.nose_a) * TABLE.nose_n).sum(1)
    behind_nose = ((depth <= EDGE + gap) & (foot >= 0) & (foot <= length)).any()
    outside = np.any(place < -0.02) or np.any(place > (1.798, 3.589))
    in_cloth = clear(TABLE.jaw_o, TABLE.jaw_rho + EDGE) and clear(TABLE.fall_o, TABLE.fall_r)
    return clear(others, 2 * RADIUS) and in_cloth and not behind_nose and not outside


# --- comparison ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """The oracle's run, and what the kernel may differ by in time (s) and place (m) at each comparable contact."""

    run: stepping.Outcome
    within_t: np.ndarray
    within_r: np.ndarray
    whole: bool  # the comparison covers the end of the shot
    end_t: float  # what the kernel may differ by there, s
    end_r: float  # m


@cache
def judge(seed):
    """Judge the shot of a seed."""
    return judge_start(make_shot(seed), np.random.default_rng([77, seed]))


def judge_start(shot, rng):
    """Run the oracle from the start and from nudged ones, and see how far small differences stay small."""
    base = shot.oracle()
    fine, coarse = ([nudged_run(shot, nudge, rng) for nudge in nudges] for nudges in (FINE, COARSE))
    count = min(common(base, other) for other in (*fine, *coarse))
    t, r = changes(base, coarse, count)
    inside = int(np.sum((t < HORIZON) & (r < HORIZON)))
    t, r = changes(base, fine, inside)
    unflagged = not any(run.flag for run in (base, *fine, *coarse))
    same_length = all(len(b.contacts) == inside for b in (base, *fine, *coarse))
    whole = unflagged and same_length and max(end_changes(base, coarse)) < HORIZON
    end_t, end_r = end_changes(base, fine)
    return Judged(
        base, SLACK * t + FLOOR_T, SLACK * r + FLOOR_R, whole, SLACK * end_t + FLOOR_T, SLACK * end_r + FLOOR_R
    )


def nudged_run(shot, nudge, rng):
    """The oracle's run with every ball moved by `nudge` in a direction of its own."""
    way = rng.normal(size=shot.positions.shape)
    return shot.oracle(shot.positions + nudge * way / np.hypot(*way.T)[:, None])


def changes(base, runs, count):
    """Largest differences of the runs from the first one, in time and place, up to each of the first contacts."""
    t = [[abs(b.contacts[k].t - base.contacts[k].t) for k in range(count)] for b in runs]
    r = [[apart(b.states[k], base.states[k]) for k in range(count)] for b in runs]
    return (np.maximum.accumulate(np.array(x).max(0)) if count else np.zeros(0) for x in (t, r))


def end_changes(base, runs):
    """Largest differences of the runs from the first one, in duration and final places."""
    return max(abs(b.duration - base.duration) for b in runs), max(apart(b.positions, base.positions) for b in runs)


def common(one, two):
    """Number of leading contacts that two runs share, but for the times."""
    pairs = zip(one.contacts, two.contacts, strict=False)
    alike = [(a.kind, a.ball, a.other) == (b.kind, b.ball, b.other) for a, b in pairs]
    return [*alike, False].index(False)


def apart(one, two, leave_out=False):
    """Largest distance of balls in two sets of positions; inf where only one of the sets has the ball."""
    leave_out = np.broadcast_to(leave_out, len(one))
    if np.any((np.isnan(one) != np.isnan(two))[~leave_out]):
        return math.inf
    return float(np.nanmax(np.abs(one - two)[~leave_out], initial=0.0))


def kernel_contacts(res):
    """Times and (kind, lower ball, other) of a logged shot's contacts, in the order of the log."""
    log = res.events.of(0)
    keep = log.kind != simcore.EventKind.TRANSITION
    t, names = log.t[keep], []
    for kind, ball, other in zip(log.kind[keep], log.ball[keep], log.other[keep], strict=True):
        names.append((int(kind), *(sorted((int(ball), int(other))) if kind == 1 else (int(ball), int(other)))))
    return t, names


def disagreements(shot, judged, positions=None):
    """What the kernel, from the given start, does differently from the oracle, in words; empty if nothing."""
    res = shot.kernel(positions)
    t, names = kernel_contacts(res)
    wrong = []
    for k, (within_t, within_r) in enumerate(zip(judged.within_t, judged.within_r, strict=True)):
        expect = judged.run.contacts[k]
        name = (KINDS[expect.kind], expect.ball, expect.other)
        if k >= len(names) or names[k] != name:
            return [*wrong, f"contact {k} at {expect.t!r}: {name}, kernel {names[k] if k < len(names) else 'none'}"]
        if abs(t[k] - expect.t) > within_t:
            wrong.append(f"contact {k} {name}: t {expect.t!r}, kernel {float(t[k])!r}, allowed {within_t:.1e}")
        off = apart(np.asarray(res.trajectory(0, [expect.t])).reshape(-1, 2), judged.run.states[k], potted(judged, k))
        if off > within_r:
            wrong.append(f"contact {k} {name}: positions differ by {off:.1e}, allowed {within_r:.1e}")
    return wrong + (end_disagreements(res, names, judged) if judged.whole else [])


def potted(judged, k):
    """The balls that are off the table after contact k; the instant of a fall is one rounding wide."""
    return np.isnan(judged.run.states[k][:, 0])


def end_disagreements(res, names, judged):
    """The same for the end of a shot that can be compared as a whole."""
    run, wrong = judged.run, []
    if len(names) != len(run.contacts):
        wrong.append(f"{len(run.contacts)} contacts, kernel {len(names)}: {names[len(run.contacts) :]}")
    if list(res.pocket) != list(run.pocket):
        wrong.append(f"pockets {list(run.pocket)}, kernel {list(res.pocket)}")
    off = apart(res.positions, run.positions)
    if off > judged.end_r:
        wrong.append(f"final positions differ by {off:.1e}, allowed {judged.end_r:.1e}")
    if abs(res.duration - run.duration) > judged.end_t:
        wrong.append(f"duration {run.duration!r}, kernel {float(res.duration)!r}, allowed {judged.end_t:.1e}")
    return wrong


# --- tests -----------------------------------------------------------------------------------------------------------


def test_same_table():
    """The oracle's table and the package's: same noses, jaws and fall circles under the same numbers."""
    g = simcore.Table.snooker().geometry
    assert np.allclose(np.stack([g.nose[NOSE_NX], g.nose[NOSE_NY]], 1), TABLE.nose_n, atol=0)
    mine = np.sort(np.stack([TABLE.nose_a, TABLE.nose_b], 1), axis=1)
    start = np.stack([g.nose[NOSE_X], g.nose[NOSE_Y]], 1)
    end = start + g.nose[NOSE_LENGTH, :, None] * np.stack([g.nose[NOSE_NY], -g.nose[NOSE_NX]], 1)
    assert np.allclose(np.sort(np.stack([start, end], 1), axis=1), mine, atol=2e-15)
    assert np.allclose(np.stack([g.jaw[JAW_X], g.jaw[JAW_Y]], 1), TABLE.jaw_o, atol=2e-15)
    assert np.allclose(g.jaw[JAW_RADIUS], TABLE.jaw_rho, atol=0)
    for k, (x, y) in enumerate(((g.jaw[JAW_FROM_X], g.jaw[JAW_FROM_Y]), (g.jaw[JAW_TO_X], g.jaw[JAW_TO_Y]))):
        angle = TABLE.jaw_range[:, k]
        assert np.allclose(np.stack([x, y], 1), np.stack([np.cos(angle), np.sin(angle)], 1), atol=1e-14)
    assert np.allclose(np.stack([g.pocket[POCKET_X], g.pocket[POCKET_Y]], 1), TABLE.fall_o, atol=2e-15)
    assert np.allclose(g.pocket[POCKET_RADIUS], TABLE.fall_r, atol=0)


def test_same_parameters():
    """The oracle has its own copy of the default coefficients."""
    mine, physics = stepping.Params(), simcore.Physics.snooker()
    for name in ("g", "R", "m", "mu_slide", "mu_roll", "alpha_spin", "e_ball", "mu_cushion", "nose_height"):
        assert getattr(physics, name) == getattr(mine, name), name
    for name in ("cushion_steps", "cue_mass", "e_tip", "end_mass_ratio"):
        assert getattr(physics, name) == getattr(mine, name), name
    assert (physics.mu_ball_floor, physics.mu_ball_range, physics.mu_ball_decay) == mine.mu_ball
    law = (physics.e_cushion, physics.e_cushion_knee, physics.e_cushion_slope, physics.e_cushion_floor)
    assert law == mine.e_cushion


@pytest.mark.parametrize("chunk", range(N_SHOTS // CHUNK))
def test_random_shots(chunk):
    """Same contacts in the same order, times and places up to the chaos horizon; see the module's docstring."""
    seeds = range(chunk * CHUNK, (chunk + 1) * CHUNK)
    found = {seed: disagreements(make_shot(seed), judge(seed)) for seed in seeds}
    assert not {seed: wrong for seed, wrong in found.items() if wrong}
    compared = sum(len(judge(seed).within_t) for seed in seeds)  # the horizon must not make the comparison empty
    assert compared >= 0.8 * sum(len(judge(seed).run.contacts) for seed in seeds)
    assert compared >= 4 * CHUNK


@pytest.mark.parametrize("seed", range(0, N_SHOTS, 25))
def test_a_wrong_start_is_noticed(seed):
    """The same comparison fails when the kernel starts with all balls moved by 1e-8 m in some direction each."""
    shot, judged = make_shot(seed), judge(seed)
    way = np.random.default_rng(seed).normal(size=shot.positions.shape)
    moved = shot.positions + 1e-8 * way / np.hypot(*way.T)[:, None]
    assert disagreements(shot, judged, moved)
