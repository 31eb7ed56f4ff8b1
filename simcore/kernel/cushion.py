"""Impact of a ball on a cushion nose: frames, the restitution law, and the choice of the model.

Local frame: Y = unit vector from the ball's centre into the cushion, X = (Y_y, -Y_x), Z up. "Local motion" below is a
BallMotion along X, Y, Z whose spins are R times the angular velocity, m/s.
Not modelled: see `simcore.kernel.mathavan`.
"""

import math
from typing import Any

from simcore.kernel.jit import kernel
from simcore.kernel.mathavan import impact
from simcore.kernel.mathavan_steps import impact_in_steps
from simcore.kernel.tolerances import MANY_STEPS
from simcore.kernel.types import BallMotion

CUSHION_MATHAVAN = 0  # Mathavan's equations, in few steps where that can be, else in many
CUSHION_MIRROR = 1  # normal speed reversed and multiplied by e, nothing else: an oracle for tests
CUSHION_MATHAVAN_STEPS = 2  # Mathavan's equations, in many small steps, as published


@kernel
def nose_distance(radius: float, nose_height: float) -> float:
    """Distance in plan, m, of a ball's centre from the nose line at contact: R_c = sqrt(R^2 - (h - R)^2).

    radius: m; nose_height: m over the bed. Source: physics.md section 1; 0 if the ball cannot meet the nose sideways.
    """
    above = nose_height - radius
    return math.sqrt(max(0.0, radius * radius - above * above))


@kernel
def cushion_restitution(normal_speed: float, physics: Any) -> float:
    """Coefficient of restitution at a normal speed in m/s at first touch (physics.md section 5 item 16)."""
    above = max(0.0, normal_speed - physics.e_cushion_knee)
    return min(physics.e_cushion, max(physics.e_cushion_floor, physics.e_cushion - physics.e_cushion_slope * above))


@kernel
def _mirror(motion: BallMotion, physics: Any) -> BallMotion:
    """Local motion with the normal speed reversed and multiplied by e."""
    back = -cushion_restitution(motion.vy, physics) * motion.vy
    return BallMotion(motion.vx, back, motion.wx, motion.wy, motion.wz)


@kernel
def _energy(motion: BallMotion) -> float:
    """Twice the kinetic energy over the mass, of a motion with the spins multiplied by the radius, m²/s²."""
    spins = motion.wx * motion.wx + motion.wy * motion.wy + motion.wz * motion.wz
    return motion.vx * motion.vx + motion.vy * motion.vy + 0.4 * spins


@kernel
def _no_gain(after: BallMotion, before: BallMotion) -> BallMotion:
    """The motion after an impact, slowed to the energy before if it has more.

    Where the cloth holds a ball under a high nose, the error of the steps is of either sign (DESIGN section 3.5).
    """
    had, has = _energy(before), _energy(after)
    if not has > had:
        return after
    s = math.sqrt(had / has)
    return BallMotion(s * after.vx, s * after.vy, s * after.wx, s * after.wy, s * after.wz)


@kernel
def _rebound(motion: BallMotion, radius: float, physics: Any) -> BallMotion:
    """Local motion after the impact by the model chosen, for v_Y > 0; a nose that cannot be met sideways mirrors.

    Where few steps are not the way, Mathavan's equations are solved in many. A ball that friction jams under a high
    nose does not come out of the equations: it stays at the nose.
    """
    if physics.cushion_model == CUSHION_MIRROR or not nose_distance(radius, physics.nose_height) > 0.0:
        return _mirror(motion, physics)
    e = cushion_restitution(motion.vy, physics)
    steps = physics.cushion_steps
    if physics.cushion_model == CUSHION_MATHAVAN:
        after, solved = impact(motion, radius, e, physics)
        if solved:
            return after
        steps = MANY_STEPS
    after = impact_in_steps(motion, radius, e, steps, physics)
    return _no_gain(BallMotion(after.vx, min(after.vy, 0.0), after.wx, after.wy, after.wz), motion)


@kernel
def _to_local(ball: BallMotion, yx: float, yy: float, scale: float) -> BallMotion:
    """Motion along X = (yy, -yx), Y = (yx, yy), Z, with the spins multiplied by `scale`."""
    return BallMotion(
        ball.vx * yy - ball.vy * yx,
        ball.vx * yx + ball.vy * yy,
        scale * (ball.wx * yy - ball.wy * yx),
        scale * (ball.wx * yx + ball.wy * yy),
        scale * ball.wz,
    )


@kernel
def _to_table(motion: BallMotion, yx: float, yy: float, scale: float) -> BallMotion:
    """The inverse of `_to_local`, with the spins divided by `scale`."""
    return BallMotion(
        motion.vx * yy + motion.vy * yx,
        motion.vy * yy - motion.vx * yx,
        (motion.wx * yy + motion.wy * yx) / scale,
        (motion.wy * yy - motion.wx * yx) / scale,
        motion.wz / scale,
    )


@kernel
def resolve_cushion(ball: BallMotion, yx: float, yy: float, radius: float, physics: Any) -> BallMotion:
    """Ball after an impact on a nose or jaw; unchanged if it does not approach.

    ball: motion before; yx, yy: unit vector in plan from the ball's centre into the cushion; radius: m.
    Source: Mathavan, Jackson and Parkin 2010, Eqs 14-17, with the restitution law of physics.md section 5 item 16.
    """
    motion = _to_local(ball, yx, yy, radius)
    if not motion.vy > 0.0:
        return ball
    return _to_table(_rebound(motion, radius, physics), yx, yy, radius)
