"""Impact of two rigid balls on the bed: restitution along the line of centres, friction across it.

The closed form of a frictional impulse with a coefficient frozen at first touch (physics.md section 2, model 2;
Alciatore, Technical Proof A.14, generalised to any spin). It comes in pieces, so that the solver of simultaneous
contacts applies the very same formulas: first every normal impulse, then every friction impulse.

Frame of a contact: n from ball 1 to ball 2, t = z x n horizontal, u = n x t upwards. Balls of different size rest
on the bed with their centres at different heights, so n = (c nx, c ny, (r2 - r1) / (r1 + r2)) with
c = 2 sqrt(r1 r2) / (r1 + r2); equal balls have c = 1. Normal impulses are counted in plan: J moves the balls by
J / m along (nx, ny), its full size is J / c, and the bed takes the vertical rest.

Every formula gives the same bits when the balls swap places and n turns round. Not modelled: vertical velocity (the
bed holds it), cloth friction during the impact, deformation (tangential rebound).
"""

import math
from typing import Any

from simcore.kernel.elementary import exp
from simcore.kernel.jit import kernel
from simcore.kernel.types import BallMotion, PairContact

BALL_FRICTIONAL = 0  # restitution and friction
BALL_FRICTIONLESS = 1  # restitution only


@kernel
def ball_friction(slip: float, physics: Any) -> float:
    """Coefficient of friction between two balls at a slip speed in m/s (Alciatore TP A.14: fit to Marlow's data)."""
    return physics.mu_ball_floor + physics.mu_ball_range * exp(-physics.mu_ball_decay * slip)


@kernel
def touching_distance(r1: float, r2: float) -> float:
    """Distance in plan, m, of the centres of two touching balls that rest on the bed (r1 + r2 if equal)."""
    return 2.0 * math.sqrt(r1 * r2)


@kernel
def contact_tilt(contact: PairContact) -> tuple[float, float]:
    """Horizontal share c and vertical part z of the three-dimensional unit normal, (1, 0) for equal balls."""
    total = contact.r1 + contact.r2
    return touching_distance(contact.r1, contact.r2) / total, (contact.r2 - contact.r1) / total


@kernel
def closing_speed(b1: BallMotion, b2: BallMotion, contact: PairContact) -> float:
    """Speed in plan, m/s, at which two balls approach along the line of centres; negative when they part."""
    return (b1.vx - b2.vx) * contact.nx + (b1.vy - b2.vy) * contact.ny


@kernel
def inverse_mass(contact: PairContact) -> float:
    """Closing speed lost per unit of normal impulse in plan, 1/kg (K_aa of physics.md section 6)."""
    return 1.0 / contact.m1 + 1.0 / contact.m2


@kernel
def slip(b1: BallMotion, b2: BallMotion, contact: PairContact) -> tuple[float, float]:
    """Slip of ball 1 over ball 2 at the contact, m/s, along t (horizontal) and along u (upwards)."""
    c, z = contact_tilt(contact)
    dx, dy = b1.vx - b2.vx, b1.vy - b2.vy
    wx = contact.r1 * b1.wx + contact.r2 * b2.wx
    wy = contact.r1 * b1.wy + contact.r2 * b2.wy
    wz = contact.r1 * b1.wz + contact.r2 * b2.wz
    along_t = (dy * contact.nx - dx * contact.ny) + (c * wz - z * (wx * contact.nx + wy * contact.ny))
    along_u = (wx * contact.ny - wy * contact.nx) - z * (dx * contact.nx + dy * contact.ny)
    return along_t, along_u


@kernel
def friction_impulse(
    slip_tu: tuple[float, float], normal: float, contact: PairContact, n1: float, n2: float, physics: Any
) -> tuple[float, float]:
    """Friction impulse on ball 1 along t and u, N s: what sliding gives or what stops the slip, whichever is less.

    slip_tu: slip before friction, m/s; normal: normal impulse in plan, N s; n1, n2: number of simultaneous ball-ball
    contacts of each ball (1.0 for a single impact), which share the power to stop the slip so that energy never rises.
    Source: physics.md section 2 model 2 and section 6, J_t = min(mu J_n, |s| / (7/2 (n1/m1 + n2/m2))).
    """
    speed = math.sqrt(slip_tu[0] * slip_tu[0] + slip_tu[1] * slip_tu[1])
    if physics.ball_model == BALL_FRICTIONLESS or speed == 0.0:
        return 0.0, 0.0
    sliding = ball_friction(speed, physics) * normal / contact_tilt(contact)[0]
    sticking = speed / (3.5 * (n1 / contact.m1 + n2 / contact.m2))
    scale = min(sliding, sticking) / speed
    return -scale * slip_tu[0], -scale * slip_tu[1]


@kernel
def add_normal_impulse(ball: BallMotion, nx: float, ny: float, impulse_over_mass: float) -> BallMotion:
    """Ball after a velocity change in m/s along the plan direction (nx, ny); it acts through the centre."""
    return BallMotion(ball.vx + impulse_over_mass * nx, ball.vy + impulse_over_mass * ny, ball.wx, ball.wy, ball.wz)


@kernel
def friction_change(
    friction_tu: tuple[float, float], contact: PairContact, mass: float, radius: float, side: float
) -> BallMotion:
    """Change of velocity and spin that a friction impulse makes: side = 1.0 for ball 1, -1.0 for ball 2.

    friction_tu: impulse on ball 1 along t and u, N s; mass, radius: of the ball asked for. Both balls turn the same
    way, like gears, and the spin about the line of centres stays: the change is n x P.
    """
    c, z = contact_tilt(contact)
    along_t, along_u = friction_tu
    push = side / mass
    turn = 2.5 / (mass * radius)
    level = z * along_u  # u leans against n by z
    return BallMotion(
        push * (-along_t * contact.ny - level * contact.nx),
        push * (along_t * contact.nx - level * contact.ny),
        turn * (along_u * contact.ny - z * along_t * contact.nx),
        turn * (-along_u * contact.nx - z * along_t * contact.ny),
        turn * (c * along_t),
    )


@kernel
def add_motion(ball: BallMotion, change: BallMotion) -> BallMotion:
    """Velocity and spin after a change."""
    return BallMotion(
        ball.vx + change.vx, ball.vy + change.vy, ball.wx + change.wx, ball.wy + change.wy, ball.wz + change.wz
    )


@kernel
def resolve_ball_ball(
    b1: BallMotion, b2: BallMotion, contact: PairContact, target: float, physics: Any
) -> tuple[BallMotion, BallMotion]:
    """Both balls after a single impact.

    b1, b2: motion before; contact: line of centres, radii, masses; target: speed in m/s at which the normal impulse
    leaves the balls parting (e times the closing speed, or V_REST). For equal balls that is their final parting speed;
    between unequal balls friction has a small part along the line of centres.
    Source: physics.md section 2 ball-ball model 2, J_n = m (1 + e) v_n / 2 for equal balls.
    """
    normal = max(0.0, (closing_speed(b1, b2, contact) + target) / inverse_mass(contact))
    b1 = add_normal_impulse(b1, contact.nx, contact.ny, -normal / contact.m1)
    b2 = add_normal_impulse(b2, contact.nx, contact.ny, normal / contact.m2)
    friction = friction_impulse(slip(b1, b2, contact), normal, contact, 1.0, 1.0, physics)
    return (
        add_motion(b1, friction_change(friction, contact, contact.m1, contact.r1, 1.0)),
        add_motion(b2, friction_change(friction, contact, contact.m2, contact.r2, -1.0)),
    )
