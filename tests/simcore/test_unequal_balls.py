"""Balls of different size and mass, 1.2 to 1 and 1.5 to 1: contact geometry, conservation, friction (issue item 8)."""

import math

import numpy as np
import pytest

import simcore
from simcore import EventKind, Motion, Physics, Shots, Table
from tests.simcore.shots_for_tests import R

BIG, SMALL = 0.0275, 0.0275 / 1.2
HEAVY, LIGHT = 0.165, 0.11
RADIUS, MASS = np.array([BIG, SMALL]), np.array([HEAVY, LIGHT])
DISTANCE = 2.0 * math.sqrt(BIG * SMALL)
LEVEL = DISTANCE / (BIG + SMALL)  # horizontal share of the line of centres
HALL, MIDDLE = Table.closed(1.0, 1.0), np.array([0.25, 0.25])
NO_FRICTION = {"mu_ball_floor": 0.0, "mu_ball_range": 0.0}


def collide(v, w, angle=0.0, swap=False, **physics):
    """Result right after the impact of two touching balls, ball 1 in direction `angle` from ball 0."""
    order = [1, 0] if swap else [0, 1]
    n = np.array([math.cos(angle), math.sin(angle)])
    places = np.array([MIDDLE, MIDDLE + (DISTANCE - 1e-15) * n])[order]
    motion = Motion(np.array(v, float)[order], np.array(w, float)[order])
    res = simcore.simulate(
        places, motion=motion, table=HALL, physics=Physics.snooker(**physics), radius=RADIUS[order], mass=MASS[order],
        stop="first_contact", log_events=True,
    )  # fmt: skip
    assert res.status == simcore.Status.FIRST_CONTACT
    assert res.duration <= 1e-14
    return res.velocities[order], res.spins[order], places[order]


def random_collisions(n, seed=3):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        angle = rng.uniform(-np.pi, np.pi)
        v, w = rng.normal(0.0, 2.0, (2, 2)), rng.normal(0.0, 80.0, (2, 3))
        if (v[0] - v[1]) @ (math.cos(angle), math.sin(angle)) > 0.05:
            yield angle, v, w, collide(v, w, angle)


@pytest.mark.parametrize("swap", [False, True])
def test_they_meet_at_twice_the_root_of_the_radii(swap):
    """Spheres on a bed: plan distance 2 sqrt(r1 r2) at the logged contact, and the gap there is zero."""
    places = np.array([[0.3, 0.5], [0.7, 0.51]])
    order = [1, 0] if swap else [0, 1]
    v = np.zeros((2, 2))
    v[1 if swap else 0, 0] = 1.0
    res = simcore.simulate(
        places[order], motion=Motion(v), table=HALL, radius=RADIUS[order], mass=MASS[order], log_events=True
    )
    log = res.events.of(0)
    hit = np.flatnonzero(log.kind == EventKind.BALL)
    at = res.trajectory(0, log.t[hit[:1]])[0]
    assert abs(np.linalg.norm(at[0] - at[1]) - DISTANCE) <= 1e-12
    assert DISTANCE < BIG + SMALL - 1e-4
    assert abs(log.gap[hit[0]]) <= 1e-12


@pytest.mark.parametrize("e", [1.0, 0.89, 0.5, 0.0])
@pytest.mark.parametrize("first", [0, 1])
def test_head_on(e, first):
    """Newton: the mover keeps (m - e m') / (m + m') of its speed, the other gets (1 + e) m / (m + m')."""
    v = np.zeros((2, 2))
    v[first, 0] = 1.3 if first == 0 else -1.3
    after, _, _ = collide(v, np.zeros((2, 3)), e_ball=e, **NO_FRICTION)
    own, other = MASS[first], MASS[1 - first]
    assert after[first, 0] / v[first, 0] == pytest.approx((own - e * other) / (own + other), abs=1e-14)
    assert after[1 - first, 0] / v[first, 0] == pytest.approx((1.0 + e) * own / (own + other), abs=1e-14)
    assert not after[:, 1].any()


def test_momentum_and_angular_momentum_stay():
    """In plan, and about the vertical: the impulse acts at one point, c r1 and c r2 from the centres."""
    seen = 0
    for _, v, w, (after, spins, places) in random_collisions(200):
        seen += 1
        np.testing.assert_allclose(MASS @ after, MASS @ v, rtol=0, atol=1e-14)
        inertia = 0.4 * MASS * RADIUS**2

        def turning(v, wz, places=places, inertia=inertia):
            r = places - MIDDLE
            return MASS @ (r[:, 0] * v[:, 1] - r[:, 1] * v[:, 0]) + inertia @ wz

        assert turning(after, spins[:, 2]) == pytest.approx(turning(v, w[:, 2]), abs=1e-14)
    assert seen > 50


def test_energy_never_rises_in_a_hit():
    inertia = 0.4 * MASS * RADIUS**2
    for _, v, w, (after, spins, _) in random_collisions(300, seed=4):
        before = 0.5 * (MASS @ (v**2).sum(1) + inertia @ (w**2).sum(1))
        assert 0.5 * (MASS @ (after**2).sum(1) + inertia @ (spins**2).sum(1)) <= before * (1.0 + 1e-14)


def contact_frame(angle):
    """Line of centres in space, level and rising directions across it."""
    n = np.array([LEVEL * math.cos(angle), LEVEL * math.sin(angle), (SMALL - BIG) / (SMALL + BIG)])
    t = np.array([-math.sin(angle), math.cos(angle), 0.0])
    return n, t, np.cross(n, t)


def slip_at_contact(v, w, angle):
    """Velocity of ball 0's contact point over ball 1's, across the line of centres: along t and u, m/s."""
    n, t, u = contact_frame(angle)
    v3 = np.column_stack([v, np.zeros(2)])
    s = v3[0] + np.cross(w[0], BIG * n) - v3[1] - np.cross(w[1], -SMALL * n)
    return np.array([s @ t, s @ u])


@pytest.mark.parametrize("mu", [0.02, 0.06, 5.0])
def test_friction_impulse(mu):
    """Sliding mu times the normal impulse, sticking slip over 7/2 (1/m1 + 1/m2); spins turn by r n x P / I.

    The slip is that after the normal impulse; the tilted line of centres makes its full size J / c.
    """
    rng = np.random.default_rng(5)
    for _ in range(40):
        angle, v, w = rng.uniform(-np.pi, np.pi), rng.normal(0.0, 2.0, (2, 2)), rng.normal(0.0, 60.0, (2, 3))
        n2 = np.array([math.cos(angle), math.sin(angle)])
        closing = (v[0] - v[1]) @ n2
        if closing < 0.05:
            continue
        after, spins, _ = collide(v, w, angle, e_ball=0.9, mu_ball_floor=mu, mu_ball_range=0.0)
        normal = 1.9 * closing / (1.0 / HEAVY + 1.0 / LIGHT)
        pushed = v + np.array([-normal / HEAVY, normal / LIGHT])[:, None] * n2
        slip = slip_at_contact(pushed, w, angle)
        size = min(mu * normal / LEVEL, np.linalg.norm(slip) / (3.5 * (1.0 / HEAVY + 1.0 / LIGHT)))
        n, t, u = contact_frame(angle)
        impulse = -size * (slip[0] * t + slip[1] * u) / np.linalg.norm(slip)  # on ball 0
        np.testing.assert_allclose(after[0], pushed[0] + impulse[:2] / HEAVY, rtol=0, atol=1e-13)
        np.testing.assert_allclose(after[1], pushed[1] - impulse[:2] / LIGHT, rtol=0, atol=1e-13)
        for ball, (m, r) in enumerate(((HEAVY, BIG), (LIGHT, SMALL))):
            expect = w[ball] + np.cross(r * n, impulse) * 2.5 / (m * r * r)
            np.testing.assert_allclose(spins[ball], expect, rtol=0, atol=1e-11)


def test_names_of_the_balls_do_not_matter():
    rng = np.random.default_rng(6)
    for _ in range(20):
        angle, v, w = 0.0, rng.normal(0.0, 2.0, (2, 2)), rng.normal(0.0, 60.0, (2, 3))
        if v[0, 0] - v[1, 0] > 0.05:
            for one, two in zip(collide(v, w, angle), collide(v, w, angle, swap=True), strict=True):
                assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("radius", [BIG, SMALL])
def test_each_size_has_its_own_reach_at_a_nose(radius):
    """Contact at sqrt(r² - (h - r)²) from the nose line: the nose is 36 mm high whatever the ball."""
    reach = math.sqrt(radius**2 - (0.036 - radius) ** 2)
    res = simcore.simulate([[0.5, 0.4]], motion=Motion([[0.0, -1.0]]), table=HALL, radius=radius, log_events=True)
    log = res.events.of(0)
    hit = np.flatnonzero(log.kind == EventKind.NOSE)[0]
    assert res.trajectory(0, log.t[hit : hit + 1])[0, 0, 1] == pytest.approx(reach, abs=1e-12)


@pytest.mark.parametrize("radius", [BIG, SMALL])
def test_each_size_rolls_at_its_own_spin(radius):
    res = simcore.simulate(
        [MIDDLE], motion=Motion([[1.0, 0.0]]), table=HALL, radius=radius, log_events=True, physics=Physics.snooker()
    )
    values, _ = res.segments.of(0, 0)
    assert values[1, 8] * radius == pytest.approx(5.0 / 7.0, rel=1e-14)  # rolling: R omega_y = v_x


def test_shots_with_balls_of_all_sizes():
    """Random shots: they end, balls stay apart at their own distances, kinetic energy at the contacts never rises."""
    rng = np.random.default_rng(7)
    table, count = Table.snooker(), 0
    for _ in range(25):
        n = int(rng.integers(3, 9))
        radius, mass = rng.uniform(SMALL, BIG, n), rng.uniform(LIGHT, HEAVY, n)
        places = rng.uniform((0.1, 0.2), (1.6, 3.3), (400, 2))
        chosen = [places[0]]
        for place in places[1:]:
            if len(chosen) < n and min(np.linalg.norm(place - other) for other in chosen) > 2.0 * BIG:
                chosen.append(place)
        phi = math.atan2(*(chosen[1] - chosen[0])[::-1]) + rng.uniform(-0.04, 0.04)
        res = simcore.simulate(
            np.array(chosen), Shots(rng.uniform(1.0, 7.0), phi, a=0.3, b=-0.2), table=table, radius=radius, mass=mass,
            log_events=True,
        ).check()  # fmt: skip
        log = res.events.of(0)
        count += int((log.kind == EventKind.BALL).sum())
        i, j = np.triu_indices(n, 1)
        for at in res.trajectory(0, np.concatenate([log.t, log.t[:-1] + 0.5 * np.diff(log.t)])):
            apart = np.linalg.norm(at[i] - at[j], axis=1) - 2.0 * np.sqrt(radius[i] * radius[j])
            assert not (apart < -1e-9).any()
        total = [kinetic(res, t, radius, mass) for t in log.t[log.kind == EventKind.BALL] + 1e-9]
        assert (np.diff(total) <= 1e-9 * total[0]).all() if total else True
    assert count > 15


def kinetic(res, t, radius, mass):
    """Kinetic energy at a time, J, without spin about the vertical (its decay needs no event)."""
    total = 0.0
    for ball in range(len(radius)):
        values, states = res.segments.of(0, ball)
        k = np.searchsorted(values[:, 0], t, side="right") - 1
        if k < 0 or states[k] in (0, 3):
            continue
        dt = t - values[k, 0]
        v = values[k, 3:5] + 2.0 * dt * values[k, 5:7]
        w = values[k, 7:9] + 5.0 * dt / radius[ball] * np.array([values[k, 6], -values[k, 5]])
        if states[k] == 1:
            w = np.array([-v[1], v[0]]) / radius[ball]
        total += 0.5 * mass[ball] * (v @ v + 0.4 * radius[ball] ** 2 * (w @ w))
    return total


def test_given_the_default_sizes_nothing_changes():
    places, shot = [[0.889, 0.9], [0.889, 1.9]], Shots(3.0, 1.55, a=0.2)
    plain = simcore.simulate(places, shot)
    sized = simcore.simulate(places, shot, radius=[R, R], mass=[0.1406, 0.1406])
    assert plain.positions.tobytes() == sized.positions.tobytes()


def test_a_heavier_cue_ball_is_struck_more_slowly():
    """physics.md section 2: v = (1 + e) V / (1 + m / M) for a level centre strike."""
    for mass in (0.1, 0.2):
        res = simcore.simulate([MIDDLE], Shots(1.0, 0.0), table=HALL, mass=mass, log_events=True)
        assert res.segments.values[0, 3] == pytest.approx(1.73 / (1.0 + mass / 0.5), rel=1e-14)
