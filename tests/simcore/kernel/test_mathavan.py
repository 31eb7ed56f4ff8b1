"""The cushion impact in few steps: its error beside the converged one, and what its special cases must give."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.kernel import mathavan
from simcore.kernel.cushion import resolve_cushion
from simcore.kernel.tolerances import MANY_STEPS
from simcore.kernel.types import BallMotion
from simcore.physics import Physics

R = 0.02625
SIN = 0.036 / R - 1.0  # height of the nose over the ball's centre, in units of R
PHYSICS = Physics.snooker(e_cushion_slope=0.0)
CONVERGED = PHYSICS._replace(cushion_model=2, cushion_steps=2000)


def after(z: tuple[float, ...], physics: Physics = PHYSICS, radius: float = R) -> list[float]:
    """Motion after an impact on a cushion along x, in v and R omega like the motion before."""
    ball = BallMotion(z[0], z[1], z[2] / radius, z[3] / radius, z[4] / radius)
    motion = resolve_cushion(ball, 0.0, 1.0, radius, physics)
    return [*motion[:2], *(radius * w for w in motion[2:])]


def energy(z: list[float] | tuple[float, ...]) -> float:
    return z[0] ** 2 + z[1] ** 2 + 0.4 * (z[2] ** 2 + z[3] ** 2 + z[4] ** 2)


SLIPS = {  # motions whose slips do what the scheme treats apart
    "rolling: no slip on the cloth": (0.6, 0.6, -0.6, 0.6, 0.0),
    "rolling with side": (0.5, 0.3, -0.3, 0.5, -0.6),
    "square and rolling": (0.0, 1.0, -1.0, 0.0, 0.0),
    "square, with side: the slip on the cloth turns right round": (0.0, 0.66, 0.39, 0.0, 0.64),
    "square, screw: the nose is held, and let go where the cloth turns": (0.0, 0.941, 0.337, 0.0, 0.0),
    "stun: the nose is held while the cloth turns": (0.018, 1.0, 0.0, 0.0, 0.0),
    "the nose trails close to zero": (-0.335, 0.942, 0.0, 0.0, 0.0),
    "the slip at the nose turns right round": (-0.424, 0.406, -0.397, 0.683, -0.174),
    "the cloth passes close to zero": (0.437, 0.525, 0.569, 0.357, 0.288),
    "no slip at the nose": (0.5, 0.5, 0.5 * SIN, 0.5, 0.5 * (1.0 + SIN) / math.sqrt(1.0 - SIN * SIN)),
    "far more spin than speed": (0.01, 0.05, 0.4, -0.7, 0.6),
}  # fmt: skip


@pytest.mark.parametrize("e", [0.98, 0.4])
@pytest.mark.parametrize("z", SLIPS.values(), ids=SLIPS.keys())
def test_error_where_slips_vanish_or_turn(z: tuple[float, ...], e: float) -> None:
    """Source: Mathavan 2010, Eqs 13-17, in 2,000 steps; 2.5e-3 is half of what 20 steps are out by in such cases."""
    change = {"e_cushion": e, "e_cushion_floor": 0.0}
    exact = after(z, CONVERGED._replace(**change))
    assert after(z, PHYSICS._replace(**change)) == pytest.approx(exact, abs=2.5e-3)


@pytest.mark.parametrize("z", list(SLIPS.values())[:5])
def test_error_in_common_play(z: tuple[float, ...]) -> None:
    """Source: physics.md section 5 item 14, the tolerance of production, for the velocity."""
    assert after(z)[:2] == pytest.approx(after(z, CONVERGED)[:2], abs=1.5e-3)


@pytest.mark.parametrize("angle", [15.0, 30.0, 60.0, 75.0])
@pytest.mark.parametrize("height", [0.029, 0.036, 0.042])
@pytest.mark.parametrize(("mu_nose", "mu_table"), [(0.05, 0.1), (0.3, 0.212), (0.14, 0.3)])
def test_error_with_other_cushions(angle: float, height: float, mu_nose: float, mu_table: float) -> None:
    """Source: Mathavan 2010, Eqs 13-17, in 2,000 steps: low and high noses, smooth and rough."""
    change = {"nose_height": height, "mu_cushion": mu_nose, "mu_slide": mu_table}
    x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    z = (x, y, -0.4 * y, 0.4 * x, 0.5)
    exact = after(z, CONVERGED._replace(**change))
    assert after(z, PHYSICS._replace(**change)) == pytest.approx(exact, abs=4e-3)


@pytest.mark.parametrize("e", [1.0, 0.7, 0.0])
def test_without_friction_the_closed_form(e: float) -> None:
    """Source: Eqs 14-17 with mu = 0: v_Y -> -e v_Y, and nothing else changes (e = 0 asks for a root of rounding)."""
    smooth = PHYSICS._replace(mu_cushion=0.0, mu_slide=0.0, e_cushion=e, e_cushion_floor=0.0)
    for z in ((0.3, 0.8, 0.2, -0.5, 0.4), (0.0, 1.0, -1.0, 0.0, 0.0), (0.9, 1e-6, 0.0, 0.9, -0.3)):
        assert after(z, smooth) == pytest.approx([z[0], -e * z[1], *z[2:]], abs=1e-12 if e > 0.0 else 1e-7)


def test_square_ball_that_rolls_or_is_stunned_is_exact() -> None:
    """Source: Eqs 14-17: both slips keep their line, so the rates are constant between the zeros of the slips."""
    for spin in (-1.0, -0.5, 0.0, 0.2):
        z = (0.0, 1.0, spin, 0.0, 0.0)
        assert after(z) == pytest.approx(after(z, CONVERGED._replace(cushion_steps=20_000)), abs=2e-6)


@pytest.mark.parametrize("mu_nose", [0.0, 0.14, 1.0])
@pytest.mark.parametrize("mu_table", [0.0, 0.212, 1.0])
@pytest.mark.parametrize("height", [0.02626, 0.036, 0.048])
def test_any_motion_leaves_with_finite_numbers_and_no_more_energy(
    mu_nose: float, mu_table: float, height: float
) -> None:
    """Source: Eqs 14-17 only take energy for e <= 1; glancing hits, pure spin, zeros and mixed sizes."""
    rng = np.random.default_rng(11)
    for e in (0.0, 0.98, 1.0):
        change = {"mu_cushion": mu_nose, "mu_slide": mu_table, "nose_height": height}
        physics = PHYSICS._replace(e_cushion=e, e_cushion_floor=0.0, **change)
        motions = rng.normal(size=(40, 5)) * 10.0 ** rng.uniform(-4, 1, (40, 5))
        motions[rng.random((40, 5)) < 0.3] = 0.0
        motions[:, 1] = np.abs(motions[:, 1]) + 1e-9
        for z in motions.tolist():
            left = after(z, physics)
            assert all(math.isfinite(x) for x in left)
            assert left[1] <= 0.0
            assert energy(left) <= energy(z) * (1.0 + 1e-12)


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e150])
def test_motions_of_any_size_stay_finite(scale: float) -> None:
    """Source: contract of the kernels: no overflow and no division by zero."""
    for z in ((0.5, 0.5, -0.5, 0.5, 0.0), (0.0, 1.0, 0.0, 0.0, 0.0), (0.9, 1e-12, 0.3, -0.2, 0.7)):
        assert all(math.isfinite(x) for x in after(tuple(scale * x for x in z)))


@given(st.floats(-1.0, 1.0), st.floats(0.05, 1.0), st.floats(-1.5, 1.5))
def test_rounding_does_not_show(vx: float, vy: float, side: float) -> None:
    """Source: homogeneity (physics.md section 2), by a factor that rounds: no step hangs on the last bit of a slip."""
    z = (vx, vy, -vy, vx, side)
    longer = after(tuple(1.37 * x for x in z))
    assert longer == pytest.approx([1.37 * x for x in after(z)], abs=1e-9)


def test_an_impact_that_few_steps_do_not_end_is_solved_in_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Source: contract of the kernels: capped at 1 step, the impact says so and the published scheme takes over."""
    monkeypatch.setattr(mathavan, "MOST_STEPS", 1)
    longer = [z for z in SLIPS.values() if not mathavan.impact(BallMotion(*z), R, 0.98, PHYSICS)[1]]
    assert len(longer) > 5
    for z in longer:
        assert after(z) == after(z, PHYSICS._replace(cushion_model=2, cushion_steps=MANY_STEPS))


@pytest.mark.parametrize("mu_cushion", [0.0, 0.14, 0.3, 0.4])
def test_few_steps_wherever_the_cloth_cannot_hold_the_ball(mu_cushion: float) -> None:
    """Source: `_rates`: what else pushes the slip along Y exceeds 3.5 times the cloth's friction, as the nose rubs."""
    for z in SLIPS.values():
        assert mathavan.impact(BallMotion(*z), R, 0.98, PHYSICS._replace(mu_cushion=mu_cushion))[1]


HOLDING = {  # cushions on which the cloth can hold the ball, or that meet it below its centre
    "a nose below the centre": (0.04, {}),
    "a nose far below the centre": (0.05, {}),
    "rough and high": (R, {"mu_cushion": 0.3, "mu_slide": 0.4, "nose_height": 0.048}),
    "a high nose": (R, {"nose_height": 0.051}),
    "a small ball": (0.0185, {}),
    "rough": (R, {"mu_cushion": 0.5, "mu_slide": 0.7}),
}  # fmt: skip


@pytest.mark.parametrize(("radius", "change"), HOLDING.values(), ids=HOLDING.keys())
def test_cushions_on_which_a_slip_may_be_held(radius: float, change: dict[str, float]) -> None:
    """Source: Mathavan 2010, Eqs 13-17, in 2,000 steps."""
    x = math.sqrt(0.5)
    for z in ((0.0, 1.0, 0.0, 0.0, 0.0), (0.0, 1.0, -1.0, 0.0, 0.0), (x, x, -x, x, 0.0), (x, x, 0.0, 0.0, 0.5)):
        exact = after(z, CONVERGED._replace(**change), radius)
        assert after(z, PHYSICS._replace(**change), radius) == pytest.approx(exact, abs=6e-3)


def test_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Source: what makes the scheme fast; counted, since times vary: some four steps a hit, whatever the motion."""
    lengths: list[float] = []
    step_length = mathavan._step_length

    def counted(*given: object) -> float:
        lengths.append(step_length(*given))
        return lengths[-1]

    monkeypatch.setattr(mathavan, "_step_length", counted)
    rng = np.random.default_rng(4)
    z = rng.normal(size=(150, 5))
    z[:, 1] = np.abs(z[:, 1])
    z[:75, 2], z[:75, 3] = -z[:75, 1], z[:75, 0]  # half of them roll
    steps = []
    for motion in (*z.tolist(), *SLIPS.values()):
        lengths.clear()
        mathavan.impact(BallMotion(*motion), R, 0.98, PHYSICS)
        steps.append(len(lengths))
    assert np.mean(steps[:75]) <= 3.8
    assert np.mean(steps[75:]) <= 4.2
    assert max(steps) <= 25
    assert min(steps) == 1
