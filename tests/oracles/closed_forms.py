"""Formulas with known answers (physics.md section 5) as plain functions; SI units, angles in radians.

Nothing here simulates: every function is one line of algebra with its source.
"""

import math

import numpy as np

G, R, MU_SLIDE, MU_ROLL = 9.81, 0.02625, 0.212, 0.0127


def roll_time(v, mu_roll=MU_ROLL, g=G):
    """Time for a rolling ball of speed v to stop, s; constant deceleration mu_roll g (section 5.1)."""
    return v / (mu_roll * g)


def roll_distance(v, mu_roll=MU_ROLL, g=G):
    """Distance a rolling ball of speed v covers, m (section 5.1)."""
    return v * v / (2 * mu_roll * g)


def stun_slide_time(v, mu_slide=MU_SLIDE, g=G):
    """Time a ball without spin slides, s: 2 v / (7 mu g) (section 5.2)."""
    return 2 * v / (7 * mu_slide * g)


def stun_slide_distance(v, mu_slide=MU_SLIDE, g=G):
    """Distance a ball without spin slides, m: 12 v^2 / (49 mu g) (section 5.2)."""
    return 12 * v * v / (49 * mu_slide * g)


def rolling_velocity(v, w, radius=R):
    """Velocity (2,) once sliding has ended: 5/7 v - 2/7 R z x w, whatever the friction (Coriolis 1835; 5.3)."""
    return np.array([5 / 7 * v[0] + 2 / 7 * radius * w[1], 5 / 7 * v[1] - 2 / 7 * radius * w[0]])


def slide_displacement(v, w, mu_slide=MU_SLIDE, radius=R, g=G):
    """Displacement (2,) while sliding, m: the mean of first and last velocity times 2 |u| / (7 mu g) (section 1)."""
    slip = math.hypot(v[0] - radius * w[1], v[1] + radius * w[0])
    return (np.asarray(v) + rolling_velocity(v, w, radius)) / 2 * (2 * slip / (7 * mu_slide * g))


def dead_stop_spin(v, radius=R):
    """Spin about the rolling axis with which a ball of speed v stops dead as sliding ends, rad/s (section 5.4)."""
    return -2.5 * v / radius


def head_on(v, e):
    """Speeds (cue ball, object ball) just after a full hit without friction: (1 -+ e) v / 2 (section 5.5)."""
    return (1 - e) / 2 * v, (1 + e) / 2 * v


def head_on_rolling(v, e):
    """Speeds (cue ball, object ball) of a full hit by a rolling ball, once both roll again (section 5.5)."""
    return (2 / 7 + 5 / 7 * (1 - e) / 2) * v, 5 / 7 * (1 + e) / 2 * v


def stun_elastic(v, cut):
    """Speeds (cue ball, object ball) after an elastic stun hit without friction: the 90-degree rule (section 5.6)."""
    return v * math.sin(cut), v * math.cos(cut)


def natural_roll_deflection(cut, e):
    """Final deflection of a rolling cue ball without ball friction (section 5.7; e = 1 Wallace and Schroeder 1988)."""
    s, c = math.sin(cut), math.cos(cut)
    return math.atan((1 + e) / 2 * s * c / (s * s + (1 - e) / 2 * c * c + 0.4))


def natural_roll_speeds(v, cut, e):
    """Final speeds (cue ball, object ball) of the same shot: V x - (5/7)(1+e)/2 V cos(cut) n (section 5.7)."""
    given = 5 / 7 * (1 + e) / 2 * v * math.cos(cut)
    return math.hypot(v - given * math.cos(cut), given * math.sin(cut)), given


def stun_throw(cut, e, mu):
    """Throw, cue ball's angle off the tangent line, separation of a stun shot (Alciatore TP A.5; section 5.8)."""
    s, c = math.sin(cut), math.cos(cut)
    jn = (1 + e) / 2 * c
    jt = min(mu * jn, s / 7)
    throw, off = math.atan(jt / jn), math.atan((c - jn) / (s - jt))
    return throw, off, math.pi / 2 - throw - off


def cue_speed(V0, a=0.0, b=0.0, cue=0.50, ball=0.1406, e_tip=0.73):
    """Ball speed of a level strike at offset (a, b) in R (Leckie and Greenspan; TP A.30; section 5.17)."""
    return (1 + e_tip) * V0 / (ball / cue + 1 + 2.5 * (a * a + b * b))


def squirt(a, end_mass_ratio=20.0):
    """Squirt angle of a level strike with side a in R, away from the struck side (TP A.31; section 5.17)."""
    return math.atan(2.5 * a * math.sqrt(1 - a * a) / (1 + end_mass_ratio + 2.5 * (1 - a * a)))


def chase_time(gap, v_behind, v_ahead):
    """Time at which one of two equally slowing balls in line closes a gap, s (section 5.19)."""
    return gap / (v_behind - v_ahead)
