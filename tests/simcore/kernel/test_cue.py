"""Cue strike: published speeds, spins and squirt, the miscue limit, turning with the direction."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simcore.kernel.cue import is_miscue, squirt_tangent, strike
from simcore.kernel.types import BallMotion
from simcore.physics import Physics

R, M = 0.02625, 0.1406
PHYSICS = Physics.snooker()
STRAIGHT = Physics.snooker(end_mass_ratio=math.inf)

offsets = st.floats(-0.36, 0.36)


def struck(
    V0: float, phi: float = 0.0, theta: float = 0.0, a: float = 0.0, b: float = 0.0, physics: Physics = STRAIGHT
) -> BallMotion:
    motion, miscue = strike(V0, phi, theta, a, b, R, M, physics)
    assert not miscue
    return motion


@pytest.mark.parametrize(
    ("e", "mass", "speed"), [(1.0, 0.142, 1.557632), (0.73, 0.142, 1.347352), (1.0, M, 1.561037), (0.73, M, 1.350297)]
)
def test_speed_of_a_level_centre_strike(e: float, mass: float, speed: float) -> None:
    """Source: Alciatore TP A.30 (physics.md section 5 item 17): v = (1 + e) V / (1 + m/M)."""
    motion, _ = strike(1.0, 0.0, 0.0, 0.0, 0.0, R, mass, Physics.snooker(e_tip=e))
    assert motion.vx == pytest.approx(speed, abs=1e-6)
    assert motion.vx == pytest.approx((1.0 + e) / (1.0 + mass / 0.50), rel=1e-12)
    assert motion == (motion.vx, 0.0, 0.0, 0.0, 0.0)


def test_height_of_seven_fifths_rolls_at_once() -> None:
    """Source: physics.md section 5 item 17: b = .4 gives R omega = v."""
    motion = struck(2.0, b=0.4)
    assert R * motion.wy == pytest.approx(motion.vx, rel=1e-12)
    assert (motion.wx, motion.wz) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("ratio", "a", "degrees"), [(20.0, 0.25, 1.485), (20.0, 0.5, 2.709), (30.0, 0.25, 1.040), (30.0, 0.5, 1.886)]
)
def test_squirt(ratio: float, a: float, degrees: float) -> None:
    """Source: Alciatore TP A.31 (physics.md section 5 item 17): right side turns the ball to the left."""
    right = struck(1.0, a=a, physics=Physics.snooker(end_mass_ratio=ratio))
    left = struck(1.0, a=-a, physics=Physics.snooker(end_mass_ratio=ratio))
    assert math.degrees(math.atan2(right.vy, right.vx)) == pytest.approx(degrees, abs=1e-3)
    assert (left.vx, left.vy, left.wz) == (right.vx, -right.vy, -right.wz)


def test_squirt_can_be_switched_off() -> None:
    """Source: limit of an end without mass, m / m_e without bound."""
    assert squirt_tangent(0.4, 0.1, math.inf) == squirt_tangent(0.4, 0.1, 0.0) == 0.0 < squirt_tangent(0.4, 0.1, 1e9)


def test_right_side_turns_the_ball_counter_clockwise() -> None:
    """Source: physics.md section 2: R omega / v = 5/2 of the offset, a > 0 gives omega_z > 0."""
    motion = struck(1.0, phi=math.pi / 2, a=0.3)
    assert R * motion.wz / motion.vy == pytest.approx(0.75, rel=1e-12)


@given(st.floats(0.0, 1.2), offsets, offsets)
def test_spin_is_normal_to_the_cue_axis(theta: float, a: float, b: float) -> None:
    """Source: physics.md section 2: omega = (5J/2mR)(a e_u - b e_r), by vectors, for phi = 0.7."""
    phi = 0.7
    motion = struck(1.0, phi=phi, theta=theta, a=a, b=b)
    d = (math.cos(theta) * math.cos(phi), math.cos(theta) * math.sin(phi), -math.sin(theta))
    right = (math.sin(phi), -math.cos(phi), 0.0)
    up = (math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta))
    speed = 1.73 / (M / 0.5 + 1.0 + 2.5 * (a * a + b * b))
    assert motion[:2] == pytest.approx((speed * d[0], speed * d[1]), abs=1e-14)
    spin = [2.5 * speed / R * (a * u - b * r) for u, r in zip(up, right, strict=True)]
    assert motion[2:] == pytest.approx(spin, abs=1e-12)


@given(st.floats(0.0, 1.2), offsets, offsets)
def test_direction_after_the_swerve(theta: float, a: float, b: float) -> None:
    """Source: physics.md section 2 (Coriolis): final direction atan2(-a sin theta, cos theta + b) from the cue's."""
    motion = struck(1.0, phi=0.0, theta=theta, a=a, b=b)
    assume(math.cos(theta) + b > 0.05)
    final = (5.0 * motion.vx + 2.0 * R * motion.wy, 5.0 * motion.vy - 2.0 * R * motion.wx)
    expected = math.atan2(-a * math.sin(theta), math.cos(theta) + b)
    assert math.atan2(final[1], final[0]) == pytest.approx(expected, abs=1e-12)


@given(st.floats(-12.0, 12.0), st.floats(0.0, 1.2), offsets, offsets)
def test_strike_turns_with_its_direction(phi: float, theta: float, a: float, b: float) -> None:
    """Source: the bed has no preferred direction; squirt and spin turn with the cue."""
    base, turned = (struck(2.0, p, theta, a, b, PHYSICS) for p in (0.0, phi))
    c, s = math.cos(phi), math.sin(phi)
    assert turned[:2] == pytest.approx((base.vx * c - base.vy * s, base.vx * s + base.vy * c), abs=1e-14)
    assert turned[2:] == pytest.approx((base.wx * c - base.wy * s, base.wx * s + base.wy * c, base.wz), abs=1e-12)


@given(st.floats(0.0, 1.2), offsets, offsets)
def test_mirror_image_changes_no_bit(theta: float, a: float, b: float) -> None:
    """Source: mirror symmetry about the cue's vertical plane: y -> -y, a -> -a."""
    motion = struck(2.0, 0.0, theta, a, b, PHYSICS)
    image = struck(2.0, 0.0, theta, -a, b, PHYSICS)
    assert image == BallMotion(motion.vx, -motion.vy, -motion.wx, motion.wy, -motion.wz)


@given(offsets, offsets)
def test_squirt_keeps_the_rolling_axis_across_the_path(a: float, b: float) -> None:
    """Source: physics.md section 2: omega_xy turns with v."""
    motion = struck(1.0, 0.4, 0.0, a, b, PHYSICS)
    assert R * (motion.wx * motion.vx + motion.wy * motion.vy) == pytest.approx(0.0, abs=1e-14)


def test_miscue_limit() -> None:
    """Source: physics.md section 2: sqrt(a^2 + b^2) <= mu / sqrt(1 + mu^2) = .5145 for mu = .6."""
    limit = 0.6 / math.sqrt(1.36)
    assert limit == pytest.approx(0.5145, abs=1e-4)
    assert not is_miscue(limit * (1.0 - 1e-15), 0.0, PHYSICS)
    assert is_miscue(0.0, -limit * (1.0 + 1e-15), PHYSICS)
    assert is_miscue(0.4, 0.4, PHYSICS)
    assert not is_miscue(0.36, 0.36, PHYSICS)


def test_miscue_leaves_the_ball_at_rest() -> None:
    """Source: physics.md section 6: a miscue leaves the balls unmoved."""
    assert strike(3.0, 1.0, 0.1, 0.6, 0.0, R, M, PHYSICS) == (BallMotion(0.0, 0.0, 0.0, 0.0, 0.0), True)
