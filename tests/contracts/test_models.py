"""What every ball model, cushion model and table must keep: energy, momentum, finite numbers, balls apart and inside.

Seeded random shots are logged, and each log is walked event by event. Everything is worked out here from the logged
motion segments; nothing of the kernel is used but its names of states.
"""

import math
from itertools import product

import numpy as np
import pytest

import simcore
from simcore import EventKind, Physics, Shots, Status, Table
from simcore.kernel import types
from simcore.physics import BALL_MODELS, CUSHION_MODELS
from tests.simcore.shots_for_tests import R, break_motion, rack, scattered

M = Physics.snooker().m
REACH = math.sqrt(R * R - (0.036 - R) ** 2)
TABLES = {
    "closed": lambda: Table.closed(1.778, 3.569),
    "pro": Table.snooker,
    "club": lambda: Table.snooker("club"),
    "tight": lambda: Table.snooker("tight"),
}
CASES = list(product(BALL_MODELS, CUSHION_MODELS, TABLES))

OVERLAP = 1e-9  # m, DESIGN and issue: no pair closer than 2R - 1e-9
RELATIVE = 1e-12  # of the kinetic energy
PRESSING = 7.1e-8  # J: what a departure with V_REST may add, m V_REST² / 2 and a little rounding
V_REST, SAME = 1e-3, 1e-9
CONTACTS = (EventKind.BALL, EventKind.NOSE, EventKind.JAW)


class Walk:
    """The balls of one logged shot, moved on segment by segment."""

    def __init__(self, res, k, alpha):
        self.alpha = alpha
        layout = res.start_positions.reshape(-1, *res.start_positions.shape[-2:])[k]
        self.values = [np.array([0.0, *place, *[0.0] * 7]) for place in layout]
        self.state = [types.ABSENT if math.isnan(place[0]) else types.REST for place in layout]
        s = slice(res.segments.start[k], res.segments.start[k + 1])
        self.segments = list(zip(res.segments.values[s], res.segments.ball[s], res.segments.state[s], strict=True))

    def at(self, ball, t):
        """Position, velocity, spin of a ball at a time of its segment."""
        values, state = self.values[ball], self.state[ball]
        dt, r, v, a, w = t - values[0], values[1:3], values[3:5], values[5:7], values[7:10].copy()
        place, speed = r + dt * (v + dt * a), v + 2.0 * dt * a
        w[2] = math.copysign(max(abs(w[2]) - self.alpha * dt, 0.0), w[2])
        if state == types.ROLLING:
            w[:2] = -speed[1] / R, speed[0] / R
        elif state == types.SLIDING:
            w[:2] += 5.0 * dt / R * np.array([a[1], -a[0]])
        return place, speed, w

    def all_at(self, t):
        return {i: self.at(i, t) for i, state in enumerate(self.state) if state != types.ABSENT}

    def steps(self):
        """Time, motion before and after each change of segments: {ball: (place, velocity, spin)}."""
        k = 0
        while k < len(self.segments):
            t = self.segments[k][0][0]
            before = self.all_at(t) if t > 0.0 else None
            changed = []  # a pass writes its balls in ascending order
            while (
                k < len(self.segments)
                and self.segments[k][0][0] == t
                and self.segments[k][1] > max(changed, default=-1)
            ):
                values, ball, state = self.segments[k]
                changed.append(ball)
                self.values[ball], self.state[ball] = values, state
                k += 1
            yield t, before, self.all_at(t), changed


def energy(balls):
    """Kinetic energy, J; without the spin about the vertical of balls that lie still, which dies away by itself."""
    return sum(0.5 * M * float(v @ v) + 0.2 * M * R * R * float(w @ w) for _, v, w in balls.values())


def shots_on(rng, table, physics, n_shots=14):
    """Logged shots into scattered balls, two of them at a frozen pair, and one break on a table with spots."""
    logged = []
    for k in range(n_shots):
        balls = scattered(rng, int(rng.integers(2, 9)))
        if k % 7 == 0:  # a frozen neighbour: pressing contacts
            angle = rng.uniform(0, 2 * np.pi)
            place = balls[1] + 2.0 * R * np.array([math.cos(angle), math.sin(angle)])
            if (place > 0.1).all() and (place < (1.6, 3.4)).all():
                away = np.linalg.norm(balls - place, axis=1) > 2.0 * R - 1e-12
                balls = np.array([*balls[away], place]) if away[1] and away[0] else balls
        aim = balls[1] - balls[0]
        phi = math.atan2(aim[1], aim[0]) + rng.uniform(-0.06, 0.06) if k % 2 else rng.uniform(-np.pi, np.pi)
        angle, off = rng.uniform(0, 2 * np.pi), 0.5 * math.sqrt(rng.uniform())
        side, up, theta = off * math.cos(angle), off * math.sin(angle), rng.uniform(0, 1.0) * (k % 3 == 0)
        shot = Shots([rng.uniform(0.3, 8.0)], phi, theta, side, up)
        logged.append(simcore.simulate(balls, shot, table=table, physics=physics, log_events=True))
    if table.name != "closed":
        layout = rack(1e-5)
        v, w = break_motion(rng, layout, 1)
        motion = simcore.Motion(v, w)
        logged.append(simcore.simulate(layout, motion=motion, table=table, physics=physics, log_events=True))
    return logged


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def logged(request):
    """Table, physics and logged shots of one choice of models."""
    ball, cushion, name = request.param
    table, physics = TABLES[name](), Physics.snooker(ball_model=ball, cushion_model=cushion)
    rng = np.random.default_rng([CASES.index(request.param), 7])
    return table, physics, shots_on(rng, table, physics)


def test_shots_end_in_a_legal_way(logged):
    _, _, results = logged
    for res in results:
        assert res.check().status[0] in (Status.REST, Status.MISCUE)
        pot = res.pocket[0] >= 0
        assert (np.isnan(res.positions[0]).all(-1) == (pot | np.isnan(res.start_positions[0, :, 0]))).all()
        assert (np.isfinite(res.pot_time[0]) == pot).all()
        assert not res.velocities.any()
        assert not res.spins.any()
        assert np.isfinite(res.duration).all()
    assert any((res.n_events > 10).any() for res in results)


def test_energy_never_rises(logged):
    """Between events friction only takes; at an event each pressing contact may add m V_REST² / 2."""
    _, physics, results = logged
    for res in results:
        walk, log = Walk(res, 0, physics.alpha_spin), res.events.of(0)
        contacts = log.t[np.isin(log.kind, CONTACTS)]
        last, last_balls = math.inf, {}
        for t, before, after, _ in walk.steps():
            if before is not None:
                assert energy(before) <= last * (1.0 + RELATIVE) + 1e-18
                now = np.abs(contacts - t) <= 2.0 * SAME
                allowed = RELATIVE * energy(before) + PRESSING * (now.sum() if _presses(before, after) else 0)
                fallen = {i: state for i, state in before.items() if i not in after}
                assert energy(after) + energy(fallen) <= energy(before) + allowed
            last, last_balls = energy(after), after
        assert energy(last_balls) < 1e-3 or not last_balls or all(not v.any() for _, v, _ in last_balls.values())


def _presses(before, after):
    """Whether some ball's speed changed by no more than a pressing contact may give."""
    changes = [np.linalg.norm(after[i][1] - before[i][1]) for i in after if i in before]
    return any(0.0 < change <= 4.0 * V_REST for change in changes)


def test_balls_stay_apart_inside_and_finite(logged):
    table, physics, results = logged
    for res in results:
        walk = Walk(res, 0, physics.alpha_spin)
        for _, before, after, _ in walk.steps():
            for balls in filter(None, (before, after)):
                places = np.array([state[0] for state in balls.values()]).reshape(-1, 2)
                assert np.isfinite(np.concatenate([np.concatenate(state) for state in balls.values()])).all()
                _assert_apart(places)
                _assert_inside(places, table)


def _assert_apart(places):
    i, j = np.triu_indices(len(places), 1)
    assert (np.hypot(*(places[i] - places[j]).T) >= 2.0 * R - OVERLAP).all()


def _assert_inside(places, table):
    """No centre beyond a nose's line where the nose is, in a jaw, inside a fall circle, or outside the whole table."""
    g = table.geometry
    for x, y, nx, ny, length in g.nose.T:
        away = (places - (x, y)) @ (nx, ny)
        along = (places - (x, y)) @ (ny, -nx)
        assert (away >= REACH - OVERLAP)[(along >= 0.0) & (along <= length)].all()
    for x, y, radius, fx, fy, tx, ty in g.jaw.T:
        dx, dy = (places - (x, y)).T
        sector = (fx * dy - fy * dx >= 0.0) & (dx * ty - dy * tx >= 0.0)
        assert (np.hypot(dx, dy) >= radius + REACH - OVERLAP)[sector].all()
    for x, y, radius in g.pocket[:3].T:
        assert (np.hypot(*(places - (x, y)).T) >= radius - OVERLAP).all()
    assert (places > -0.1).all()
    assert (places < (table.width + 0.1, table.length + 0.1)).all()


def test_ball_contacts_keep_momentum(logged):
    """At an instant with ball-ball contacts alone, momentum stays, and angular momentum about the vertical."""
    _, physics, results = logged
    seen = 0
    for res in results:
        walk, log = Walk(res, 0, physics.alpha_spin), res.events.of(0)
        for t, before, after, changed in walk.steps():
            kinds = set(log.kind[np.abs(log.t - t) <= 2.0 * SAME].tolist())
            if before is None or kinds != {EventKind.BALL} or set(before) != set(after):
                continue
            seen += 1
            given = sum(after[i][1] - before[i][1] for i in changed)
            size = sum(float(np.linalg.norm(before[i][1])) for i in changed) + 1e-3
            assert np.linalg.norm(given) <= 1e-13 * size
            turn = sum(_turning(after[i]) - _turning(before[i]) for i in changed)
            assert abs(turn) <= 1e-11 * size
    assert seen >= 5


def _turning(state):
    """Angular momentum about the vertical through the origin, per unit of mass."""
    (x, y), (vx, vy), (_, _, wz) = state
    return x * vy - y * vx + 0.4 * R * R * wz


def test_the_log_is_in_order_and_exact(logged):
    _, _, results = logged
    for res in results:
        log = res.events.of(0)
        assert len(log) == res.n_events[0]
        assert (np.diff(log.t) >= -SAME).all()
        balls = log.kind == EventKind.BALL
        assert (log.other[balls] > log.ball[balls]).all()
        assert np.abs(log.gap).max(initial=0.0) <= 1e-12 + 2.3e-13 * balls.any()
        assert (log.other[log.kind == EventKind.TRANSITION] == -1).all()
        falls = log.kind == EventKind.POCKET
        assert sorted(log.ball[falls].tolist()) == np.flatnonzero(res.pocket[0] >= 0).tolist()
        assert (res.pocket[0][log.ball[falls]] == log.other[falls]).all()
        assert (res.pot_time[0][log.ball[falls]] == log.t[falls]).all()


def test_facts_agree_with_the_log(logged):
    """First contact, cushion counts and what first moved each ball, counted from the log."""
    _, _, results = logged
    for res in results:
        log, n = res.events.of(0), res.positions.shape[1]
        hits = (log.kind == EventKind.BALL) & (log.ball == 0)
        first = log.t[hits].min(initial=math.inf)
        assert (res.first_contact[0] >= 0) == (first < math.inf)
        if first < math.inf:
            assert res.first_contacts[0][log.other[hits][np.argmin(log.t[hits])]]
        rails = np.isin(log.kind, (EventKind.NOSE, EventKind.JAW))
        counted = np.bincount(log.ball[rails], minlength=n)
        assert (res.cushions_before[0] + res.cushions_after[0] == counted).all()
        early = rails & (log.t < first - SAME)
        assert (res.cushions_before[0] >= np.bincount(log.ball[early], minlength=n)).all()
        moved = set(log.ball[log.kind == EventKind.BALL].tolist()) | set(log.other[log.kind == EventKind.BALL].tolist())
        assert set(np.flatnonzero(res.moved_by[0] >= 0).tolist()) <= moved | {0}
