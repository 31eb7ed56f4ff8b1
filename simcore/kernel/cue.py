"""Cue strike: an instantaneous impulse along the cue axis, with spin, squirt and the miscue limit.

physics.md section 2 "Cue strike" (Leckie and Greenspan 2006; Alciatore, Technical Proofs A.30 and A.31). Not modelled:
the vertical velocity of an elevated strike (the bed holds it), the loss of side spin that goes with squirt, a second
contact of tip and ball, the length and spin of the cue.
"""

import math
from typing import Any

from simcore.kernel.elementary import sin_cos
from simcore.kernel.jit import kernel
from simcore.kernel.types import BallMotion


@kernel
def is_miscue(a: float, b: float, physics: Any) -> bool:
    """Whether the tip slips off: offset beyond mu / sqrt(1 + mu^2), the friction cone (Alciatore TP A.30)."""
    limit = physics.mu_tip / math.sqrt(1.0 + physics.mu_tip * physics.mu_tip)
    return math.sqrt(a * a + b * b) > limit


@kernel
def squirt_tangent(a: float, b: float, end_mass_ratio: float) -> float:
    """Tangent of the squirt angle, counter-clockwise for right side (Alciatore TP A.31, Eq. for b = 0 generalised).

    a, b: offsets in units of R with a^2 + b^2 <= 1; end_mass_ratio: ball mass over the effective mass of the cue's
    end; 0 or less switches squirt off.
    """
    if end_mass_ratio <= 0.0:
        return 0.0
    depth = math.sqrt(max(0.0, 1.0 - a * a - b * b))
    return 2.5 * a * depth / (1.0 + end_mass_ratio + 2.5 * (1.0 - a * a))


@kernel
def struck_speed(V0: float, a: float, b: float, mass: float, physics: Any) -> float:
    """Speed of the ball along the cue axis, m/s: J/m = (1 + e) V0 / (m/M + 1 + 5/2 (a^2 + b^2)) (Alciatore TP A.30)."""
    return (1.0 + physics.e_tip) * V0 / (mass / physics.cue_mass + 1.0 + 2.5 * (a * a + b * b))


@kernel
def strike(
    V0: float, phi: float, theta: float, a: float, b: float, radius: float, mass: float, physics: Any
) -> tuple[BallMotion, bool]:
    """Motion of a resting ball after the strike, and whether it was a miscue (then the ball stays at rest).

    V0: cue speed, m/s; phi: direction, rad counter-clockwise from +x; theta: elevation of the butt, rad; a, b: offsets
    right and up in units of R; radius, m; mass, kg.
    Source: physics.md section 2 "Cue strike": v = (J/m) d, omega = (5J / 2mR)(a e_u - b e_r), both turned by squirt.
    """
    if is_miscue(a, b, physics):
        return BallMotion(0.0, 0.0, 0.0, 0.0, 0.0), True
    sin_phi, cos_phi = sin_cos(phi)
    sin_theta, cos_theta = sin_cos(theta)
    tangent = squirt_tangent(a, b, physics.end_mass_ratio)
    scale = math.sqrt(1.0 + tangent * tangent)
    along_x = (cos_phi - tangent * sin_phi) / scale  # the shot's direction turned by squirt
    along_y = (sin_phi + tangent * cos_phi) / scale
    speed = struck_speed(V0, a, b, mass, physics)
    spin = 2.5 * speed / radius
    swerve = a * sin_theta
    return BallMotion(
        speed * cos_theta * along_x,
        speed * cos_theta * along_y,
        spin * (swerve * along_x - b * along_y),
        spin * (swerve * along_y + b * along_x),
        spin * (a * cos_theta),
    ), False
