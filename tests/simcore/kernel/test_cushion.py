"""Impact on a cushion, both integrations of Mathavan's equations: published rebounds, measured rebounds, symmetries."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.kernel.cushion import CUSHION_MIRROR, cushion_restitution, nose_distance, resolve_cushion
from simcore.kernel.types import BallMotion
from simcore.physics import Physics

R = 0.02625
PHYSICS = Physics.snooker()
STEPS = Physics.snooker(cushion_model="mathavan2010_steps")
CONVERGED = STEPS._replace(cushion_steps=1000)
BOTH = pytest.mark.parametrize("physics", [PHYSICS, STEPS], ids=["few steps", "small steps"])

speeds = st.floats(-5.0, 5.0).map(lambda v: round(v, 6))
approach = st.floats(0.01, 5.0).map(lambda v: round(v, 6))
spins = st.floats(-300.0, 300.0).map(lambda v: round(v, 6))
motions = st.builds(BallMotion, speeds, approach, spins, spins, spins)


def rolling(degrees: float, V: float = 1.0, side: float = 0.0) -> BallMotion:
    """Rolling ball that meets a cushion along x (Y = +y) at an angle from the rail, with R omega_z = side."""
    vx, vy = V * math.cos(math.radians(degrees)), V * math.sin(math.radians(degrees))
    if degrees == 90.0:
        vx = 0.0
    return BallMotion(vx, vy, -vy / R, vx / R, side / R)


def rebound(ball: BallMotion, physics: Physics) -> tuple[float, float]:
    """Speed after over speed before, and angle from the rail in degrees."""
    after = resolve_cushion(ball, 0.0, 1.0, R, physics)
    return (
        math.hypot(after.vx, after.vy) / math.hypot(ball.vx, ball.vy),
        math.degrees(math.atan2(-after.vy, after.vx)),
    )


def energy(ball: BallMotion, radius: float = R) -> float:
    return ball.vx**2 + ball.vy**2 + 0.4 * radius * radius * (ball.wx**2 + ball.wy**2 + ball.wz**2)


def spinning_balls(n: int, seed: int) -> list[BallMotion]:
    """Approaching balls with speeds and R omega of the same order, speed 1 in all."""
    z = np.random.default_rng(seed).normal(size=(n, 5))
    z /= np.sqrt((z * z).sum(axis=1))[:, None]
    return [BallMotion(v[0], abs(v[1]), v[2] / R, v[3] / R, v[4] / R) for v in z.tolist()]


ITEM_14 = {
    0.03675: [(10, 0.94326, 10.336), (30, 0.86136, 34.001), (45, 0.84761, 52.678), (50, 0.85162, 58.559),
              (70, 0.88829, 76.588), (90, 0.91066, 90.0)],
    0.036: [(10, 0.94479, 10.326), (30, 0.86575, 33.902), (45, 0.85429, 52.467), (50, 0.85921, 58.334),
            (70, 0.89782, 76.514), (90, 0.92056, 90.0)],
}  # fmt: skip
CASES_14 = [(height, *row) for height, rows in ITEM_14.items() for row in rows]


@pytest.mark.parametrize(("height", "degrees", "ratio", "angle"), CASES_14)
@pytest.mark.parametrize(
    ("physics", "tolerance"),
    [(PHYSICS, (1e-3, 0.1)), (STEPS._replace(cushion_steps=10), (1e-3, 0.1)), (CONVERGED, (2e-5, 1e-3))],
    ids=["few steps", "10 small steps", "converged"],
)
def test_rebound_of_a_rolling_ball(
    height: float, degrees: float, ratio: float, angle: float, physics: Physics, tolerance: tuple[float, float]
) -> None:
    """Source: Mathavan 2010 model, physics.md section 5 item 14: the tolerances of production and of convergence."""
    found = rebound(rolling(degrees), physics._replace(nose_height=height))
    assert found[0] == pytest.approx(ratio, abs=tolerance[0])
    assert found[1] == pytest.approx(angle, abs=tolerance[1])


@pytest.mark.parametrize(("physics", "tolerance"), [(PHYSICS, 1e-3), (CONVERGED, 2e-5)])
def test_full_state_of_a_rolling_ball_at_45_degrees(physics: Physics, tolerance: float) -> None:
    """Source: physics.md section 5 item 14: local velocity and R omega for V = 1, h = 36 mm."""
    after = resolve_cushion(rolling(45.0), 0.0, 1.0, R, physics)
    assert after[:2] == pytest.approx((0.52044, -0.67745), abs=tolerance)
    assert [R * w for w in after[2:]] == pytest.approx((-0.20171, 0.53003, 0.43581), abs=tolerance)


MEASURED_13 = [(0.5, 0.897), (1.0, 0.948), (1.5, 0.936), (2.0, 0.908), (2.5, 0.874), (3.0, 0.836), (3.5, 0.797)]
MODEL_16 = [(0.5, 0.9206), (1.0, 0.9206), (1.5, 0.9206), (2.0, 0.9056), (2.5, 0.8682), (3.0, 0.8309), (3.5, 0.7937)]


@pytest.mark.parametrize(("V", "ratio"), MEASURED_13)
def test_measured_perpendicular_rebound(V: float, ratio: float) -> None:
    """Source: Mathavan et al. 2009 (measured), physics.md section 5 item 13, within 3 %."""
    assert rebound(rolling(90.0, V), PHYSICS)[0] == pytest.approx(ratio, rel=0.03)


@pytest.mark.parametrize(("V", "ratio"), MODEL_16)
def test_perpendicular_rebound_with_the_restitution_law(V: float, ratio: float) -> None:
    """Source: physics.md section 5 item 16."""
    assert rebound(rolling(90.0, V), PHYSICS)[0] == pytest.approx(ratio, abs=1e-4)


@pytest.mark.parametrize(("v", "e"), [(0.1, 0.98), (1.8, 0.98), (2.8, 0.895), (6.0, 0.623), (7.0, 0.6), (50.0, 0.6)])
def test_restitution_law(v: float, e: float) -> None:
    """Source: physics.md section 5 item 16: .98 up to 1.8 m/s, then .98 - .085 (v - 1.8), floor .6."""
    assert cushion_restitution(v, PHYSICS) == pytest.approx(e, rel=1e-14)


@BOTH
@given(degrees=st.floats(5.0, 85.0), factor=st.sampled_from([0.25, 4.0]))
def test_rebound_angle_does_not_depend_on_speed(physics: Physics, degrees: float, factor: float) -> None:
    """Source: physics.md section 5 item 15."""
    linear = physics._replace(e_cushion_slope=0.0)
    slow, fast = rebound(rolling(degrees, 1.0), linear), rebound(rolling(degrees, 1.37 * factor), linear)
    assert fast == pytest.approx(slow, rel=1e-9)


def test_loss_is_largest_at_42_degrees() -> None:
    """Source: physics.md section 5 item 15: ratio .84698 at 42 degrees for h = 1.4 R."""
    physics = STEPS._replace(nose_height=1.4 * R, cushion_steps=200)
    ratios = {d: rebound(rolling(d), physics)[0] for d in range(30, 60)}
    assert min(ratios, key=ratios.__getitem__) == 42
    assert ratios[42] == pytest.approx(0.84698, abs=2e-5)


@pytest.mark.parametrize("physics", [PHYSICS, CONVERGED], ids=["few steps", "converged"])
@pytest.mark.parametrize(("spin", "ratio"), [(-2.0, 0.98000), (0.0, 0.83732)])
def test_perpendicular_rebound_with_vertical_plane_spin(spin: float, ratio: float, physics: Physics) -> None:
    """Source: physics.md section 5 item 15, h = 1.4 R: topspin R omega = 2 V and stun, V = 1."""
    ball = BallMotion(0.0, 1.0, spin / R, 0.0, 0.0)
    after = resolve_cushion(ball, 0.0, 1.0, R, physics._replace(nose_height=1.4 * R))
    assert -after.vy == pytest.approx(ratio, abs=2e-5)
    assert (after.vx, after.wy, after.wz) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("physics", "tolerance"), [(PHYSICS, (1e-3, 0.1)), (CONVERGED, (2e-5, 1e-3))])
@pytest.mark.parametrize(("side", "ratio", "angle"), [(2.0, 1.11565, 36.974), (-2.0, 0.83793, 54.897)])
def test_running_and_check_side(
    side: float, ratio: float, angle: float, physics: Physics, tolerance: tuple[float, float]
) -> None:
    """Source: physics.md section 5 item 15, 45 degrees, h = 1.4 R, R omega_z = 2 V either way."""
    found = rebound(rolling(45.0, side=side), physics._replace(nose_height=1.4 * R))
    assert found[0] == pytest.approx(ratio, abs=tolerance[0])
    assert found[1] == pytest.approx(angle, abs=tolerance[1])


def mathavan_rates(s: list[float], m: float, physics: Physics) -> list[float]:
    """Right-hand sides of Mathavan 2010 Eqs 14-17 in SI units, slip directions by angle."""
    vx, vy, wx, wy, wz = s
    sine = (physics.nose_height - R) / R
    cosine = math.sqrt(1.0 - sine * sine)
    phi = math.atan2(-vy * sine + R * wx, vx + R * wy * sine - R * wz * cosine)
    phi_table = math.atan2(vy + R * wx, vx - R * wy)
    muw, mus, k = physics.mu_cushion, physics.mu_slide, 2.5 / (m * R)
    n = sine + muw * math.sin(phi) * cosine
    return [
        -(muw * math.cos(phi) + mus * math.cos(phi_table) * n) / m,
        -(cosine - muw * sine * math.sin(phi) + mus * math.sin(phi_table) * n) / m,
        -k * (muw * math.sin(phi) + mus * math.sin(phi_table) * n),
        -k * (muw * math.cos(phi) * sine - mus * math.cos(phi_table) * n),
        k * muw * math.cos(phi) * cosine,
    ]


@cache
def naive_cushion(ball: BallMotion, physics: Physics, steps: int = 8000) -> list[float]:
    """Obvious oracle: Euler steps of the normal impulse in SI units; sticking appears as chatter about zero slip."""
    m = physics.m
    cosine = nose_distance(R, physics.nose_height) / R
    s, step, work, limit = list(ball), m * ball.vy / steps, 0.0, math.inf
    while True:
        rates = mathavan_rates(s, m, physics)
        was = s[1]
        s = [x + step * r for x, r in zip(s, rates, strict=True)]
        work += step * cosine * abs(was + s[1]) / 2.0
        if was > 0.0 >= s[1]:
            limit, work = cushion_restitution(ball.vy, physics) ** 2 * work, 0.0
        if work >= limit:
            return s


@pytest.mark.parametrize("ball", [rolling(35.0, 1.3, 0.4), *spinning_balls(7, seed=5)])
def test_agrees_with_a_naive_integration(ball: BallMotion) -> None:
    """Source: Mathavan 2010, Eqs 14-17, integrated by Euler's method with 8000 steps."""
    exact = naive_cushion(ball, PHYSICS)
    for physics in (CONVERGED, PHYSICS):
        after = resolve_cushion(ball, 0.0, 1.0, R, physics)
        assert after[:2] == pytest.approx(exact[:2], abs=1e-3)
        assert [R * w for w in after[2:]] == pytest.approx([R * w for w in exact[2:]], abs=2e-3)


@cache
def converged(n: int, seed: int) -> list[tuple[BallMotion, BallMotion]]:
    """Spinning balls and their converged motion after the impact."""
    return [(ball, resolve_cushion(ball, 0.0, 1.0, R, CONVERGED)) for ball in spinning_balls(n, seed)]


@BOTH
def test_error_in_production(physics: Physics) -> None:
    """Source: physics.md section 2: n = 20 is within 1.2e-3 (99th percentile) of the converged velocity."""
    errors = []
    for ball, exact in converged(400, seed=6):
        fast = resolve_cushion(ball, 0.0, 1.0, R, physics)
        errors.append(math.hypot(fast.vx - exact.vx, fast.vy - exact.vy) / math.hypot(ball.vx, ball.vy))
    assert np.quantile(errors, 0.99) <= 1.2e-3
    assert max(errors) <= 7e-3


@BOTH
@pytest.mark.parametrize("radius", [0.85 * R, R, 1.25 * R])
@pytest.mark.parametrize("e", [1.0, 0.98, 0.5, 0.0])
def test_energy_never_rises_and_the_ball_leaves(e: float, radius: float, physics: Physics) -> None:
    """Source: physics.md section 2: kinetic energy after / before < 1 for random states and e <= 1."""
    physics = physics._replace(e_cushion=e, e_cushion_floor=0.0, e_cushion_slope=0.0)
    for ball in spinning_balls(600, seed=7):
        after = resolve_cushion(ball, 0.0, 1.0, radius, physics)
        assert energy(after, radius) < energy(ball, radius)
        assert after.vy <= 0.0


@pytest.mark.parametrize(("physics", "n"), [(PHYSICS, 4), (STEPS, 60)], ids=["few steps", "small steps"])
@pytest.mark.parametrize(("mu_slide", "mu_cushion"), [(0.212, 0.14), (1.0, 0.0), (1.0, 1.0)])
@pytest.mark.parametrize("below_top", [1e-2, 1e-6, 1e-9, 1e-12])
def test_a_ball_jammed_under_a_high_nose_is_not_thrown_out(
    below_top: float, mu_slide: float, mu_cushion: float, n: int, physics: Physics
) -> None:
    """The cloth may hold such a ball; it was thrown out with up to 1e9 times its energy."""
    jamming = physics._replace(
        nose_height=2.0 * R * (1.0 - below_top),
        mu_slide=mu_slide,
        mu_cushion=mu_cushion,
        e_cushion=1.0,
        e_cushion_floor=1.0,
    )
    for ball in (BallMotion(0.02, 0.2, 0.0, 0.0, 0.0), rolling(60.0), *spinning_balls(n, 5)):
        after = resolve_cushion(ball, 0.0, 1.0, R, jamming.check())
        assert energy(after) <= energy(ball) * (1.0 + 1e-12)
        assert after.vy <= 0.0


def reflect(ball: BallMotion) -> BallMotion:
    """Mirror image under x -> -x: spins about y and z turn round."""
    return BallMotion(-ball.vx, ball.vy, ball.wx, -ball.wy, -ball.wz)


@BOTH
@given(ball=motions, turn=st.floats(-1.2, 1.2))
def test_mirror_image_changes_no_bit(physics: Physics, ball: BallMotion, turn: float) -> None:
    """Source: mirror symmetry of the laws, x -> -x, for cushions in any direction."""
    yx, yy = math.sin(turn), math.cos(turn)
    after = resolve_cushion(ball, yx, yy, R, physics)
    assert resolve_cushion(reflect(ball), -yx, yy, R, physics) == reflect(after)


def quarter_turn(ball: BallMotion) -> BallMotion:
    return BallMotion(-ball.vy, ball.vx, -ball.wy, ball.wx, ball.wz)


@given(motions)
def test_all_four_cushions_are_alike_to_the_bit(ball: BallMotion) -> None:
    """Source: the bed has no preferred direction; quarter turns are exact."""
    yx, yy, after = 0.0, 1.0, resolve_cushion(ball, 0.0, 1.0, R, PHYSICS)
    for _ in range(3):
        ball, after, yx, yy = quarter_turn(ball), quarter_turn(after), -yy, yx
        assert resolve_cushion(ball, yx, yy, R, PHYSICS) == after


@BOTH
@given(ball=motions, k=st.sampled_from([0.125, 16.0]))
def test_homogeneous_of_degree_one(physics: Physics, ball: BallMotion, k: float) -> None:
    """Source: physics.md section 2 (homogeneity for a given e); scaling by a power of 2 is exact."""
    linear = physics._replace(e_cushion_slope=0.0)
    after = resolve_cushion(ball, 0.0, 1.0, R, linear)
    big = resolve_cushion(BallMotion(*(k * v for v in ball)), 0.0, 1.0, R, linear)
    assert big == tuple(k * v for v in after)


@BOTH
@given(ball=motions)
def test_depends_on_the_size_of_the_ball_only_through_the_nose(physics: Physics, ball: BallMotion) -> None:
    """Source: physics.md section 2: mass and size drop out for the same h / R and R omega."""
    after = resolve_cushion(ball, 0.0, 1.0, R, physics)
    small = BallMotion(*ball[:2], *(2.0 * w for w in ball[2:]))
    half = resolve_cushion(small, 0.0, 1.0, R / 2.0, physics._replace(R=R / 2.0, m=0.05, nose_height=0.018))
    assert half == BallMotion(*after[:2], *(2.0 * w for w in after[2:]))


def test_square_corner_reverses_the_ball() -> None:
    """Source: physics.md section 6: 45 degrees, rolling, V = 1, both orders averaged: (-.5306, -.5306), no side."""
    results = []
    for first, second in (((1.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (1.0, 0.0))):
        ball = resolve_cushion(rolling(45.0), *first, R, CONVERGED)
        results.append(resolve_cushion(ball, *second, R, CONVERGED))
    mean = [(p + q) / 2.0 for p, q in zip(*results, strict=True)]
    assert mean[:2] == pytest.approx((-0.5306, -0.5306), abs=1e-4)
    assert R * mean[4] == pytest.approx(0.0, abs=1e-12)


@given(motions)
def test_mirror_model_reverses_the_normal_speed(ball: BallMotion) -> None:
    """Source: definition of the oracle model, v_Y -> -e v_Y."""
    after = resolve_cushion(ball, 0.0, 1.0, R, Physics.snooker(cushion_model=CUSHION_MIRROR))
    assert after[:2] == (ball.vx, -cushion_restitution(ball.vy, PHYSICS) * ball.vy)
    assert after[2:] == pytest.approx(ball[2:], rel=1e-15)


@given(motions)
def test_ball_that_leaves_is_not_touched(ball: BallMotion) -> None:
    """Source: contract of resolve_cushion."""
    assert resolve_cushion(ball, 0.0, -1.0, R, PHYSICS) == ball


@pytest.mark.parametrize(("height", "distance"), [(0.036, 0.024372), (0.03675, 0.024059), (0.039, 0.022946)])
def test_nose_distance(height: float, distance: float) -> None:
    """Source: physics.md section 1: R_c = sqrt(R^2 - (h - R)^2)."""
    assert nose_distance(R, height) == pytest.approx(distance, abs=1e-6)
    assert nose_distance(R, height) == pytest.approx(math.sqrt(height * (2.0 * R - height)), rel=1e-12)


@pytest.mark.parametrize("height", [0.0, 2.0 * R, 0.08, -0.01])
def test_nose_that_cannot_be_met_sideways_never_raises(height: float) -> None:
    """Source: contract of the kernels; the door refuses such a nose, the mirror stands in."""
    assert nose_distance(R, height) == pytest.approx(0.0, abs=1e-9)
    after = resolve_cushion(rolling(45.0), 0.0, 1.0, R, PHYSICS._replace(nose_height=height))
    assert after.vy == pytest.approx(-0.98 * math.sqrt(0.5), rel=1e-12)
