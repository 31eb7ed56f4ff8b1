"""Impact of two balls: published numbers, conservation laws, symmetries to the bit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.kernel.ball_ball import (
    BALL_FRICTIONLESS,
    ball_friction,
    closing_speed,
    contact_tilt,
    friction_impulse,
    resolve_ball_ball,
    slip,
    touching_distance,
)
from simcore.kernel.types import BallMotion, PairContact
from simcore.physics import Physics

R, M = 0.02625, 0.1406
PHYSICS = Physics.snooker()
SMOOTH = Physics.snooker(ball_model=BALL_FRICTIONLESS)
AT_REST = BallMotion(0.0, 0.0, 0.0, 0.0, 0.0)


def rounded(low: float, high: float) -> st.SearchStrategy[float]:
    """Floats of six decimals: scaling by a power of 2 stays exact because nothing underflows."""
    return st.floats(low, high).map(lambda x: round(x, 6))


speeds = rounded(-8.0, 8.0)
spins = rounded(-300.0, 300.0)
targets = rounded(0.0, 5.0)
motions = st.builds(BallMotion, speeds, speeds, spins, spins, spins)
sizes = st.floats(0.02, 0.035)


def contact_at(angle: float, r1: float = R, r2: float = R, m1: float = M, m2: float = M) -> PairContact:
    return PairContact(math.cos(angle), math.sin(angle), r1, r2, m1, m2)


contacts = st.builds(contact_at, rounded(-math.pi, math.pi), sizes, sizes, st.floats(0.1, 0.2), st.floats(0.1, 0.2))


def along_x(V: float, roll: float = 0.0, side: float = 0.0) -> BallMotion:
    """Ball going along +x with R omega = roll * V about the rolling axis and R omega_z = side * V."""
    return BallMotion(V, 0.0, 0.0, roll * V / R, side * V / R)


def hit(b1: BallMotion, contact: PairContact, physics: Physics, e: float) -> tuple[BallMotion, BallMotion]:
    """Impact on a resting ball."""
    return resolve_ball_ball(b1, AT_REST, contact, e * closing_speed(b1, AT_REST, contact), physics)


def after_slip(ball: BallMotion) -> tuple[float, float]:
    """Velocity when slip has ended: 5/7 v - 2/7 R z x omega (physics.md section 5 item 3)."""
    return (5.0 * ball.vx + 2.0 * R * ball.wy) / 7.0, (5.0 * ball.vy - 2.0 * R * ball.wx) / 7.0


def speed_and_angle(v: tuple[float, float]) -> tuple[float, float]:
    return math.hypot(*v), math.degrees(math.atan2(v[1], v[0]))


def energy(ball: BallMotion, mass: float, radius: float) -> float:
    spin = 0.4 * radius * radius * (ball.wx**2 + ball.wy**2 + ball.wz**2)
    return 0.5 * mass * (ball.vx**2 + ball.vy**2 + spin)


def reflect(ball: BallMotion) -> BallMotion:
    """Mirror image under x -> -x: spins about y and z turn round."""
    return BallMotion(-ball.vx, ball.vy, ball.wx, -ball.wy, -ball.wz)


def scaled(ball: BallMotion, k: float) -> BallMotion:
    return BallMotion(*(k * value for value in ball))


def random_impacts(n: int, seed: int) -> list[tuple[BallMotion, BallMotion, PairContact, float]]:
    """Closing impacts of two spinning balls, half of them of different size, with any restitution."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(n):
        v = rng.normal(0.0, 2.0, 4)
        w = rng.normal(0.0, 2.0 / R, 6)
        angle = rng.uniform(-math.pi, math.pi)
        r2, m2 = (R, M) if k % 2 else (rng.uniform(0.02, 0.035), rng.uniform(0.1, 0.2))
        contact = contact_at(angle, r2=r2, m2=m2)
        b1, b2 = BallMotion(v[0], v[1], *w[:3].tolist()), BallMotion(v[2], v[3], *w[3:].tolist())
        vn = closing_speed(b1, b2, contact)
        if vn < 0.0:  # exchanging the velocities turns parting into closing
            b1, b2 = b1._replace(vx=b2.vx, vy=b2.vy), b2._replace(vx=b1.vx, vy=b1.vy)
            vn = -vn
        found.append((b1, b2, contact, rng.uniform(0.0, 1.0) * vn))
    return found


@pytest.mark.parametrize("e", [1.0, 0.95, 0.89])
def test_head_on_stun_shares_the_speed(e: float) -> None:
    """Source: physics.md section 5 item 5, (1 - e)/2 V and (1 + e)/2 V."""
    b1, b2 = hit(along_x(1.7), contact_at(0.0), PHYSICS, e)
    assert (b1.vx, b2.vx) == pytest.approx((0.85 * (1.0 - e), 0.85 * (1.0 + e)), rel=1e-12, abs=1e-15)
    assert (b1.vy, b2.vy, b1.wy, b2.wz) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(("e", "cue_ball"), [(1.0, 0.28571), (0.95, 0.30357), (0.89, 0.32500)])
def test_head_on_rolling_ends_rolling(e: float, cue_ball: float) -> None:
    """Source: physics.md section 5 item 5, 2/7 + (5/7)(1 - e)/2 and (5/7)(1 + e)/2 of V."""
    b1, b2 = hit(along_x(1.0, roll=1.0), contact_at(0.0), SMOOTH, e)
    assert after_slip(b1)[0] == pytest.approx(2.0 / 7.0 + 5.0 / 14.0 * (1.0 - e), rel=1e-12)
    assert after_slip(b1)[0] == pytest.approx(cue_ball, abs=1e-5)
    assert after_slip(b2)[0] == pytest.approx(5.0 / 14.0 * (1.0 + e), rel=1e-12)


@pytest.mark.parametrize("cut", [5.0, 30.0, 62.0, 85.0])
def test_stun_balls_part_at_a_right_angle(cut: float) -> None:
    """Source: physics.md section 5 item 6 (90 degree rule), V sin and V cos of the cut angle."""
    phi = math.radians(cut)
    b1, b2 = hit(along_x(2.0), contact_at(phi), SMOOTH, 1.0)
    assert math.hypot(b1.vx, b1.vy) == pytest.approx(2.0 * math.sin(phi), rel=1e-12)
    assert math.hypot(b2.vx, b2.vy) == pytest.approx(2.0 * math.cos(phi), rel=1e-12)
    assert b1.vx * b2.vx + b1.vy * b2.vy == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize(
    ("fullness", "e", "degrees"), [(0.75, 1.0, 27.62649), (0.5, 1.0, 33.67050), (0.5, 0.89, 30.62412)]
)
def test_natural_roll_deflection(fullness: float, e: float, degrees: float) -> None:
    """Source: Alciatore TP 3.3 / A.4 in physics.md section 5 item 7: formula and printed angles."""
    s = 1.0 - fullness
    c2 = 1.0 - s * s
    b1, _ = hit(along_x(1.0, roll=1.0), contact_at(math.asin(s)), SMOOTH, e)
    _, angle = speed_and_angle(after_slip(b1))
    formula = math.atan((1.0 + e) / 2.0 * s * math.sqrt(c2) / (s * s + (1.0 - e) / 2.0 * c2 + 0.4))
    assert -angle == pytest.approx(math.degrees(formula), rel=1e-12)
    assert -angle == pytest.approx(degrees, abs=1e-5)


def test_half_ball_final_speeds() -> None:
    """Source: physics.md section 5 item 7, half-ball, e = 1."""
    b1, b2 = hit(along_x(1.0, roll=1.0), contact_at(math.asin(0.5)), SMOOTH, 1.0)
    assert math.hypot(*after_slip(b1)) == pytest.approx(0.557875, abs=1e-6)
    assert math.hypot(*after_slip(b2)) == pytest.approx(0.618590, abs=1e-6)


@pytest.mark.parametrize("V", [0.3, 1.0, 5.0])
def test_stun_half_ball_with_constant_friction(V: float) -> None:
    """Source: Alciatore TP A.5 (physics.md section 5 item 8): e = .94, mu = .06, any speed."""
    physics = Physics.snooker(mu_ball_floor=0.06, mu_ball_range=0.0)
    b1, b2 = hit(along_x(V), contact_at(math.radians(30.0)), physics, 0.94)
    cue_ball, object_ball = (speed_and_angle((b.vx, b.vy))[1] for b in (b1, b2))
    assert 30.0 - object_ball == pytest.approx(3.43363, abs=1e-5)
    assert cue_ball + 60.0 == pytest.approx(3.30726, abs=1e-5)
    assert object_ball - cue_ball == pytest.approx(83.25911, abs=1e-5)


def throw(V: float, cut: float, roll: float = 0.0, side: float = 0.0) -> float:
    """Angle in degrees by which the object ball leaves the line of centres, towards the cue ball's line; e = 1."""
    _, b2 = hit(along_x(V, roll, side), contact_at(math.radians(cut)), PHYSICS, 1.0)
    return cut - math.degrees(math.atan2(b2.vy, b2.vx))


@pytest.mark.parametrize("V", [0.447, 1.341, 3.129])
def test_throw_of_a_sticking_stun_shot(V: float) -> None:
    """Source: Alciatore TP A.14 (physics.md section 5 item 9): tan(throw) = tan(cut) / 7 at 10 degrees."""
    assert throw(V, 10.0) == pytest.approx(math.degrees(math.atan(math.tan(math.radians(10.0)) / 7.0)), rel=1e-12)
    assert throw(V, 10.0) == pytest.approx(1.44295, abs=1e-5)


@pytest.mark.parametrize(
    ("V", "stun", "rolling"), [(0.447, 4.7150, 2.1864), (1.341, 3.5491, 1.0042), (3.129, 1.6976, 0.3879)]
)
def test_throw_at_thirty_degrees(V: float, stun: float, rolling: float) -> None:
    """Source: Alciatore TP A.14 (physics.md section 5 item 9)."""
    assert throw(V, 30.0) == pytest.approx(stun, abs=1e-4)
    assert throw(V, 30.0, roll=1.0) == pytest.approx(rolling, abs=1e-4)


@pytest.mark.parametrize(("V", "most", "cut"), [(0.447, 5.3026, 33.01), (1.341, 3.8758, 25.37), (3.129, 2.6981, 18.26)])
def test_largest_throw_of_a_stun_shot(V: float, most: float, cut: float) -> None:
    """Source: Alciatore TP A.14 (physics.md section 5 item 9): maxima over the cut angle."""
    low, high = cut - 3.0, cut + 3.0  # the throw rises to a kink, where sticking ends, and falls behind it
    for _ in range(60):
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        low, high = (left, high) if throw(V, left) < throw(V, right) else (low, right)
    assert throw(V, low) == pytest.approx(most, abs=1e-4)
    assert low == pytest.approx(cut, abs=0.01)


@pytest.mark.parametrize("cut", [5.0, 15.0, 40.0])
def test_outside_side_gears_the_balls(cut: float) -> None:
    """Source: physics.md section 5 item 10: R omega_z = V sin(cut) gives zero throw."""
    assert throw(1.0, cut, side=math.sin(math.radians(cut))) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("cut", [5.0, 15.0])
def test_inside_side_throws_more(cut: float) -> None:
    """Source: physics.md section 5 item 10, where stun sticks (beyond, faster slip rubs less and throws less)."""
    assert throw(1.0, cut, side=-math.sin(math.radians(cut))) > throw(1.0, cut) > 0.0


TABLE_I = [
    (1.539, 33.83, (0.816, 0.836, 35.96), (0.930, 0.841, 31.11)),
    (1.364, 40.52, (0.925, 0.700, 30.50), (0.927, 0.682, 29.37)),
    (0.942, 18.05, (0.365, 0.581, 29.86), (0.386, 0.577, 29.01)),
]


def played(V: float, cut: float) -> tuple[float, float, float]:
    """Speeds of cue ball and object ball and the cue ball's angle in degrees after slip, for a rolling cue ball."""
    b1, b2 = hit(along_x(V, roll=1.0), contact_at(math.radians(cut)), PHYSICS, PHYSICS.e_ball)
    cue_speed, angle = speed_and_angle(after_slip(b1))
    return cue_speed, math.hypot(*after_slip(b2)), -angle


@pytest.mark.parametrize(("V", "cut", "measured", "model"), TABLE_I)
def test_measured_oblique_impacts(V: float, cut: float, measured: tuple[float, ...], model: tuple[float, ...]) -> None:
    """Source: Mathavan et al. 2009, Table I (measured), and this model's values (physics.md section 5 item 11)."""
    result = played(V, cut)
    assert result[:2] == pytest.approx(measured[:2], rel=0.15)
    assert result[2] == pytest.approx(measured[2], abs=5.0)
    assert result[:2] == pytest.approx(model[:2], abs=1e-3)
    assert result[2] == pytest.approx(model[2], abs=1e-2)


def test_measured_speeds_in_the_mean() -> None:
    """Source: Mathavan et al. 2009, Table I; physics.md section 5 item 11: at most 7 % root mean square."""
    errors = [
        p / m - 1.0 for V, cut, measured, _ in TABLE_I for p, m in zip(played(V, cut)[:2], measured[:2], strict=True)
    ]
    assert math.sqrt(sum(x * x for x in errors) / len(errors)) <= 0.07


def test_blow_runs_down_a_line() -> None:
    """Source: physics.md section 5 item 18, (0, 0, 1) for e = 1 by impacts one after the other."""
    first, second = hit(along_x(1.0), contact_at(0.0), PHYSICS, 1.0)
    second, third = hit(second, contact_at(0.0), PHYSICS, 1.0)
    assert (first.vx, second.vx, third.vx) == (0.0, 0.0, 1.0)


def test_friction_law() -> None:
    """Source: physics.md section 2, mu_b(s) = 9.951e-3 + .108 exp(-1.088 s)."""
    assert ball_friction(0.0, PHYSICS) == 9.951e-3 + 0.108
    assert ball_friction(1.0, PHYSICS) == pytest.approx(9.951e-3 + 0.108 * math.exp(-1.088), rel=1e-15)
    assert ball_friction(1e4, PHYSICS) == 9.951e-3


def test_slip_is_the_tangential_part_of_the_relative_contact_velocity() -> None:
    """Source: physics.md section 2, s = (v1 - v2) + (r1 w1 + r2 w2) x n by cross products, balls of any size."""
    for b1, b2, contact, _ in random_impacts(200, seed=1):
        c, z = contact_tilt(contact)
        n = np.array([c * contact.nx, c * contact.ny, z])
        w = contact.r1 * np.array(b1[2:]) + contact.r2 * np.array(b2[2:])
        s = np.array([b1.vx - b2.vx, b1.vy - b2.vy, 0.0]) + np.cross(w, n)
        t = np.array([-contact.ny, contact.nx, 0.0])
        along_t, along_u = slip(b1, b2, contact)
        assert along_t * t + along_u * np.cross(n, t) == pytest.approx(s - (s @ n) * n, abs=1e-13)


def test_unequal_balls_touch_on_the_bed() -> None:
    """Source: DESIGN.md section 2: plan distance 2 sqrt(r1 r2), unit normal through the centres."""
    c, z = contact_tilt(contact_at(0.0, r1=0.02, r2=0.03))
    assert touching_distance(0.02, 0.03) == pytest.approx(math.sqrt(0.05**2 - 0.01**2), rel=1e-15)
    assert (c, z) == pytest.approx((touching_distance(0.02, 0.03) / 0.05, 0.2), rel=1e-15)
    assert contact_tilt(contact_at(0.3)) == (1.0, 0.0)


def test_conservation_and_energy_in_random_impacts() -> None:
    """Source: physics.md section 2 model 2: momentum and angular momentum to 1e-15, energy never rises, 40 000 cases.

    Per ball the spin gained is R (n x P) / I with P = m dv in plan, so the vertical part of the angular momentum and
    the spin about the line of centres are kept.
    """
    for b1, b2, contact, target in random_impacts(40_000, seed=2):
        a1, a2 = resolve_ball_ball(b1, b2, contact, target, PHYSICS)
        m1, m2 = contact.m1, contact.m2
        scale = sum(abs(x) for x in (*b1[:2], *b2[:2])) + R * sum(abs(x) for x in (*b1[2:], *b2[2:]))
        px = m1 * (a1.vx - b1.vx) + m2 * (a2.vx - b2.vx)
        py = m1 * (a1.vy - b1.vy) + m2 * (a2.vy - b2.vy)
        assert max(abs(px), abs(py)) <= 1e-15 * M * scale
        c, z = contact_tilt(contact)
        for ball, after, mass, radius, side in ((b1, a1, m1, contact.r1, 1.0), (b2, a2, m2, contact.r2, -1.0)):
            moment = side * radius * c * mass * (contact.nx * (after.vy - ball.vy) - contact.ny * (after.vx - ball.vx))
            inertia = 0.4 * mass * radius * radius
            assert abs(inertia * (after.wz - ball.wz) - moment) <= 2e-15 * M * R * scale
            dx, dy, dz = after.wx - ball.wx, after.wy - ball.wy, after.wz - ball.wz
            assert abs(c * (contact.nx * dx + contact.ny * dy) + z * dz) * R <= 1e-15 * scale
        before = energy(b1, m1, contact.r1) + energy(b2, m2, contact.r2)
        assert energy(a1, m1, contact.r1) + energy(a2, m2, contact.r2) <= before * (1.0 + 1e-15)


def test_equal_balls_part_at_the_target_speed() -> None:
    """Source: contract of resolve_ball_ball: friction has no part along the line of centres of equal balls."""
    for b1, b2, contact, target in random_impacts(400, seed=3)[1::2]:
        a1, a2 = resolve_ball_ball(b1, b2, contact, target, PHYSICS)
        assert closing_speed(a1, a2, contact) == pytest.approx(-target, abs=1e-14)


def test_unequal_smooth_balls_part_at_the_target_speed() -> None:
    """Source: contract of resolve_ball_ball: normal impulse reverses the plan closing speed to the target."""
    for b1, b2, contact, target in random_impacts(400, seed=4)[::2]:
        a1, a2 = resolve_ball_ball(b1, b2, contact, target, SMOOTH)
        assert closing_speed(a1, a2, contact) == pytest.approx(-target, abs=1e-14)
        assert (a1[2:], a2[2:]) == (b1[2:], b2[2:])


def test_sticking_stops_the_slip_of_equal_balls_in_plan() -> None:
    """Source: physics.md section 2 model 2: m |s| / 7 brings the slip to zero (k_t = 7/2 k_n)."""
    b1, b2 = along_x(1.0), AT_REST
    contact = contact_at(math.radians(5.0))
    a1, a2 = hit(b1, contact, PHYSICS, 1.0)
    assert slip(b1, b2, contact)[0] != 0.0
    assert slip(a1, a2, contact) == pytest.approx((0.0, 0.0), abs=1e-15)


@given(contacts, st.floats(0.01, 5.0), st.integers(1, 6), st.integers(1, 6))
def test_shared_contacts_share_the_sticking_impulse(contact: PairContact, s: float, n1: int, n2: int) -> None:
    """Source: physics.md section 6: J_t <= |s| / (7/2 (n1/m1 + n2/m2)), 2 m |s| / (7 (n1 + n2)) for equal masses."""
    along_t, along_u = friction_impulse((s, 0.0), 1e9, contact, float(n1), float(n2), PHYSICS)
    assert along_t == pytest.approx(-s / (3.5 * (n1 / contact.m1 + n2 / contact.m2)), rel=1e-14)
    assert along_u == 0.0
    equal = contact._replace(m1=M, m2=M)
    assert friction_impulse((s, 0.0), 1e9, equal, float(n1), float(n2), PHYSICS)[0] == pytest.approx(
        -2.0 * M * s / (7.0 * (n1 + n2)), rel=1e-14
    )


@given(motions, motions, contacts, targets)
def test_exchanging_the_balls_changes_no_bit(
    b1: BallMotion, b2: BallMotion, contact: PairContact, target: float
) -> None:
    """Source: DESIGN.md section 3.5: results do not depend on the numbering of the balls."""
    back = PairContact(-contact.nx, -contact.ny, contact.r2, contact.r1, contact.m2, contact.m1)
    a1, a2 = resolve_ball_ball(b1, b2, contact, target, PHYSICS)
    assert resolve_ball_ball(b2, b1, back, target, PHYSICS) == (a2, a1)


@given(motions, motions, contacts, targets)
def test_mirror_image_changes_no_bit(b1: BallMotion, b2: BallMotion, contact: PairContact, target: float) -> None:
    """Source: mirror symmetry of the laws, x -> -x."""
    a1, a2 = resolve_ball_ball(b1, b2, contact, target, PHYSICS)
    image = resolve_ball_ball(reflect(b1), reflect(b2), contact._replace(nx=-contact.nx), target, PHYSICS)
    assert image == (reflect(a1), reflect(a2))


@given(motions, motions, contacts, targets, st.sampled_from([0.25, 8.0]))
def test_homogeneous_for_constant_friction(
    b1: BallMotion, b2: BallMotion, contact: PairContact, target: float, k: float
) -> None:
    """Source: the impulse law is of degree 1 in speed for constant mu; scaling by a power of 2 is exact."""
    physics = Physics.snooker(mu_ball_floor=0.06, mu_ball_range=0.0)
    a1, a2 = resolve_ball_ball(b1, b2, contact, target, physics)
    big = resolve_ball_ball(scaled(b1, k), scaled(b2, k), contact, k * target, physics)
    assert big == (scaled(a1, k), scaled(a2, k))
