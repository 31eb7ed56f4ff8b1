"""Gaps to search for contacts: as they arise on the table, and hard ones by kind; all from seeds.

A pair is a row of x, y, vx, vy, ax, ay (r + v s + a s²), contact distance, window (8,); a line, a ball at a nose, one
of gap, rate, half, window (4,). SI units.
"""

import math

import numpy as np

import simcore
from simcore.kernel import types
from tests.simcore.shots_for_tests import R, break_motion, rack, scattered

SLIDE, ROLL = 0.5 * 0.212 * 9.81, 0.5 * 0.0127 * 9.81  # half the decelerations on the default cloth, m/s²
DISTANCES = (2.0 * R, 0.0889 + 0.024372, 0.0669 + 0.024372, 0.0889, 0.05319)  # ball, jaws, fall circles
NEAR = 0.1  # m: gaps that come this near are all kept, of the others FAR_SHARE
FAR_SHARE = 0.1


# --- as they arise: from the logs of random shots and breaks ---------------------------------------------------------


def _logged_shots(rng, n_shots):
    """One logged break and some shots into scattered balls, as lists of (segment values, ball, state)."""
    results = []
    layout = rack(10.0 ** rng.uniform(-9, -3))
    v, w = break_motion(rng, layout, 1)
    results.append(simcore.simulate(layout, motion=simcore.Motion(v, w), log_events=True))
    for _ in range(n_shots):
        balls = scattered(rng, int(rng.integers(2, 16)))
        a, b = 0.5 * math.sqrt(rng.uniform()) * np.array(_direction(rng))
        shot = simcore.Shots([rng.uniform(0.3, 8.0)], rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.5), a, b)
        results.append(simcore.simulate(balls, shot, log_events=True))
    return results


def _direction(rng):
    angle = rng.uniform(0, 2 * np.pi)
    return math.cos(angle), math.sin(angle)


def _end(values, state):
    """When a segment ends by itself, s."""
    t0, _, _, vx, vy, ax, ay, wx, wy, _ = values
    if state == types.ROLLING:
        return t0 + math.hypot(vx, vy) / (2.0 * math.hypot(ax, ay))
    if state == types.SLIDING:
        return t0 + math.hypot(vx - R * wy, vy + R * wx) / (7.0 * math.hypot(ax, ay))
    return math.inf


def _at(values, now):
    """Position, velocity and half the acceleration at `now` (6,)."""
    dt, r, v, a = now - values[0], values[1:3], values[3:5], values[5:7]
    return np.concatenate([r + dt * (v + dt * a), v + 2.0 * dt * a, a])


def _seen(values, now, obstacle, window):
    """Row for a ball and a jaw or fall circle at obstacle = (x, y, distance)."""
    row = _at(values, now)
    row[:2] -= obstacle[:2]
    return [*row, obstacle[2], window]


def _pairs_and_lines(res, table):
    """Every gap that a search could be asked for in one logged shot: pairs (n, 8), lines (m, 4)."""
    g, reach = table.geometry, math.sqrt(R * R - (0.036 - R) ** 2)
    round_things = [(*c[:2], c[2] + reach) for c in g.jaw.T] + [tuple(c[:3]) for c in g.pocket.T]
    active, pairs, lines = {}, [], []
    for ball, place in enumerate(res.start_positions.reshape(-1, 2)):
        active[ball] = (np.array([0.0, *place, *[0.0] * 7]), types.REST)
    for values, ball, state in zip(res.segments.values, res.segments.ball, res.segments.state, strict=True):
        active[ball] = (values, state)
        now, end = values[0], _end(values, state)
        if state in (types.ABSENT, types.REST) or not end > now:
            continue
        pairs += [_seen(values, now, thing, end - now) for thing in round_things]
        r, v, a = values[1:3], values[3:5], values[5:7]
        lines += [(n[2:4] @ (r - n[:2]) - reach, n[2:4] @ v, n[2:4] @ a, end - now) for n in g.nose.T]
        for j, (other, its_state) in active.items():
            window = min(end, _end(other, its_state)) - now
            if j != ball and its_state != types.ABSENT and window > 0.0:
                pairs.append([*(_at(other, now) - _at(values, now)), 2.0 * R, window])
    return np.array(pairs).reshape(-1, 8), np.array(lines).reshape(-1, 4)


def least_gap(rows, samples=200):
    """Least gap (n,) of pairs (n, 8) at equally spaced times of their windows, m."""
    s = np.linspace(0.0, 1.0, samples) * rows[:, 7:8]
    x = rows[:, 0:1] + s * (rows[:, 2:3] + s * rows[:, 4:5])
    y = rows[:, 1:2] + s * (rows[:, 3:4] + s * rows[:, 5:6])
    return (np.hypot(x, y) - rows[:, 6:7]).min(axis=1)


def as_they_arise(seed, n):
    """n pairs (n, 8) and n // 5 lines (n // 5, 4) out of logged random shots; near ones are kept, far ones sampled."""
    rng = np.random.default_rng(seed)
    table = simcore.Table.snooker()
    pairs, lines, found = [], [], [0, 0]
    while found[0] < n or found[1] < n // 5:
        for res in _logged_shots(rng, 12):
            p, line = _pairs_and_lines(res, table)
            p = p[(least_gap(p) < NEAR) | (rng.random(len(p)) < FAR_SHARE)]
            pairs.append(rng.permutation(p)[:150])
            lines.append(rng.permutation(line)[:60])
        found = [sum(map(len, pairs)), sum(map(len, lines))]
    return rng.permutation(np.concatenate(pairs))[:n], rng.permutation(np.concatenate(lines))[: n // 5]


# --- hard ones, by kind ----------------------------------------------------------------------------------------------


def _turned(rng, *vectors):
    """Vectors given along (normal, tangent), turned to a random direction; in one case of four along an axis."""
    axes = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
    c, s = _direction(rng) if rng.random() < 0.75 else axes[rng.integers(4)]
    return [np.array([c * p - s * q, s * p + c * q]) for p, q in vectors]


def _row(r, v, a, before, distance, after):
    """The pair that has (r, v, a) `before` seconds after its start, with a window that lasts `after` seconds more."""
    return [*(r - v * before + a * before * before), *(v - 2.0 * a * before), *a, distance, before + after]


def _log_uniform(rng, low, high):
    return 10.0 ** rng.uniform(math.log10(low), math.log10(high))


def _half_acceleration(rng):
    size = rng.choice([SLIDE, ROLL, SLIDE + ROLL, 2.0 * SLIDE]) * rng.uniform(0.5, 1.0)
    return size * np.array(_direction(rng))


def grazing(rng):
    """The gap turns within 1e-9 m of zero, on either side."""
    d, a = rng.choice(DISTANCES), _half_acceleration(rng)
    sideways = _log_uniform(rng, 0.3, 8.0)
    bend = sideways**2 / d + 2.0 * a[0]
    while bend < 0.1:
        a, bend = 0.5 * a, sideways**2 / d + a[0]
    depth = rng.choice([-1.0, 1.0]) * _log_uniform(rng, 1e-16, min(1e-9, 0.4e-6 / bend))
    r, v, a = _turned(rng, (d + depth, 0.0), (0.0, sideways * rng.choice([-1.0, 1.0])), a)
    return _row(r, v, a, rng.uniform(0.01, 1.0), d, rng.uniform(0.0, 0.5))


def _dyadic(rng, low, high, bits=6):
    """A multiple of 2**-bits: sums and products of a few of these are exact."""
    return rng.integers(math.ceil(low * 2**bits), math.floor(high * 2**bits) + 1) / 2**bits


def double_root(rng):
    """The gap touches zero and turns, from outside or from inside (an overlap that just vanishes and comes again)."""
    d, bend = 0.0625, _dyadic(rng, 0.25, 4.0)
    outside = rng.random() < 0.6
    sideways = _dyadic(rng, 0.25, 2.0)
    normal = 0.5 * ((bend if outside else -bend) - sideways**2 / d)
    before = _dyadic(rng, 0.125, 1.0) if outside else 2.0**-14
    swap = rng.random() < 0.5
    vectors = [np.array(u) for u in ((d, 0.0), (0.0, sideways), (normal, _dyadic(rng, -1, 1)))]
    if swap:
        vectors = [u[::-1] for u in vectors]
    if rng.random() < 0.5:
        vectors = _turned(rng, *vectors)
    return _row(*vectors, before, d, rng.uniform(0.05, 0.5))


def triple_root(rng):
    """The gap stands still at zero, without acceleration, and goes on falling."""
    exact = rng.random() < 0.5
    d = 0.0625 if exact else rng.choice(DISTANCES)
    sideways = _dyadic(rng, 0.0625, 0.4375) if exact else rng.uniform(0.02, 0.45)
    along = _dyadic(rng, 0.0625, 1.0) if exact else rng.uniform(0.01, 1.0)
    vectors = [np.array([d, 0.0]), np.array([0.0, sideways]), np.array([-(sideways**2) / (2.0 * d), -along])]
    if rng.random() < 0.5:
        vectors = _turned(rng, *vectors)
    before = _dyadic(rng, 0.015625, 0.25) if exact else rng.uniform(0.005, 0.25)
    return _row(*vectors, before, d, rng.uniform(0.05, 0.5))


def small_leading(rng):
    """Leading coefficient |a|² from 1e-16 down to 0."""
    size = rng.choice([0.0, _log_uniform(rng, 1e-12, 1e-8), _log_uniform(rng, 1e-160, 1e-12)])
    r, v = _turned(rng, (rng.choice(DISTANCES), 0.0), (-_log_uniform(rng, 1e-4, 5.0), rng.uniform(-4, 4)))
    a = size * np.array(_direction(rng))
    if rng.random() < 0.2:
        r = r * rng.uniform(1.01, 3.0)
    return _row(r, v, a, _log_uniform(rng, 1e-3, 1.0), rng.choice(DISTANCES), _log_uniform(rng, 1e-3, 8.0))


def equal_deceleration(rng):
    """Two balls that roll or slide the same way, the hinder one faster: their accelerations cancel, or nearly."""
    c, s = _direction(rng)
    half = rng.choice([SLIDE, ROLL])
    fast, slow = sorted(rng.uniform(0.2, 3.0, 2))[::-1]
    off = 2.0 * R * rng.choice([0.0, rng.uniform(0.0, 1.2), 1.0 + rng.choice([-1, 1]) * _log_uniform(rng, 1e-12, 1e-3)])
    ahead = rng.uniform(0.06, 1.0)
    a1 = -half * np.array([c, s])
    a2 = -half * np.array([c * slow, s * slow]) / math.hypot(c * slow, s * slow)
    r = np.array([c * ahead - s * off, s * ahead + c * off])
    return [*r, *((slow - fast) * np.array([c, s])), *(a2 - a1), 2.0 * R, min(slow / (2.0 * half), 8.0)]


def window_end(rng):
    """A plain contact just before or just after the window's end."""
    d = rng.choice(DISTANCES)
    r, v, a = _turned(rng, (d, 0.0), (-_log_uniform(rng, 2e-3, 8.0), rng.uniform(-4, 4)), _half_acceleration(rng))
    edge = rng.choice([-1.0, 1.0]) * _log_uniform(rng, 1e-15, 1e-6)
    return _row(r, v, a, rng.uniform(0.01, 1.0), d, edge)


def _touching(rng, normal_speed, bend):
    """A touching pair, placed as well as doubles can, with this normal speed and acceleration of the gap."""
    d = rng.choice(DISTANCES)
    sideways = rng.choice([0.0, rng.uniform(-1.0, 1.0)])
    along = rng.uniform(-1.0, 1.0)
    r, v, a = _turned(rng, (d, 0.0), (normal_speed, sideways), (0.5 * (bend - sideways**2 / d), along))
    return [*r, *v, *a, d, _log_uniform(rng, 1e-2, 2.0)]


def touching_pressing(rng):
    """No normal speed, or no more than rounding, and an acceleration into each other."""
    speed = rng.choice([0.0, rng.choice([-1, 1]) * _log_uniform(rng, 1e-20, 1e-10)])
    return _touching(rng, speed, -_log_uniform(rng, 1e-6, 4.0))


def touching_closing(rng):
    """Touching and closing: contact now, unless it would only graze."""
    return _touching(rng, -_log_uniform(rng, 1e-8, 4.0), rng.choice([-1, 1]) * _log_uniform(rng, 1e-3, 4.0))


def touching_parting(rng):
    """Touching and parting: for good, or to come back, or at right angles but for rounding."""
    speed = rng.choice([0.0, rng.choice([-1, 1]) * _log_uniform(rng, 1e-20, 1e-10), _log_uniform(rng, 1e-7, 2.0)])
    if speed <= 1e-9:
        return _touching(rng, speed, _log_uniform(rng, 1e-6, 4.0))
    return _touching(rng, speed, rng.choice([-1, 1]) * _log_uniform(rng, 1e-3, 4.0))


HARD = {
    "grazing within 1e-9 m": grazing,
    "double root": double_root,
    "triple root": triple_root,
    "leading coefficient 1e-16 to 0": small_leading,
    "equal deceleration": equal_deceleration,
    "around the window's end": window_end,
    "touching and pressing": touching_pressing,
    "touching and closing": touching_closing,
    "touching and parting": touching_parting,
}


def hard(kind, seed, n):
    """n pairs (n, 8) of one kind."""
    rng = np.random.default_rng([seed, list(HARD).index(kind)])
    return np.array([HARD[kind](rng) for _ in range(n)])


def hard_lines(seed, n):
    """n lines (n, 4): grazing, exact double roots, tiny curvature, around the window's end, touching."""
    rng = np.random.default_rng([seed, 99])
    rows = []
    for _ in range(n):
        half, before = rng.choice([SLIDE, ROLL, -SLIDE, -ROLL, 0.0]), rng.uniform(0.01, 1.0)
        speed = _log_uniform(rng, 1e-4, 5.0)
        kind = rng.integers(5)
        if kind == 0:  # turns within 1e-9 m of zero
            half = abs(half) + 0.01
            depth = rng.choice([-1, 1, 0]) * _log_uniform(rng, 1e-16, 1e-9)
            rows.append((depth + half * before**2, -2.0 * half * before, half, before + rng.uniform(0.0, 0.5)))
            continue
        if kind == 1:
            half = rng.choice([-1, 1]) * _log_uniform(rng, 1e-160, 1e-8)
        after = rng.choice([-1, 1]) * _log_uniform(rng, 1e-15, 1e-6) if kind == 2 else rng.uniform(0.0, 0.5)
        gap, rate = before * (speed + half * before), -speed - 2.0 * half * before
        if kind == 3:  # touching
            gap = rng.choice([0.0, -1e-8, 1e-17, -1e-17])
            rate = rng.choice([-1, 1]) * rng.choice([0.0, 1e-12, speed])
        rows.append((gap, rate, half, before + after))
    return np.array(rows)
