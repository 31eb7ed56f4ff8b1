"""The coefficients of the physical models: what each means, its unit, and where its value comes from.

Nothing is read from files and there are no hidden defaults: every number that a run uses is a field here or a dimension
of the table.

Not modelled: nap of the cloth, balls of different material, rails that wear; see the fields for what is estimated.
"""

from typing import NamedTuple


class Coefficients(NamedTuple):
    """The fields of `simcore.Physics`, as kernels see them.

    Sources: [P] the primary text, [S] several public transcriptions, [E] estimate (physics.md sections 2 and 3).
    """

    g: float = 9.81  # acceleration of gravity, m/s^2
    R: float = 0.02625  # radius of a ball, m; 52.5 mm balls, WPBSA rules [P]
    m: float = 0.1406  # mass of a ball, kg; Mathavan 2010 [P]
    mu_slide: float = 0.212  # friction of a sliding ball on the cloth; Mathavan 2009, by way of 2010 [P]
    mu_roll: float = 0.0127  # deceleration of a rolling ball over g; Mathavan 2009: 0.124-0.126 m/s^2 [S]
    alpha_spin: float = 10.0  # angular deceleration about the vertical, rad/s^2; Alciatore, 5-15 [S]

    ball_model: int = 0  # ball on ball: 0 frictional impulse, 1 restitution only (into BALL_MODELS)
    e_ball: float = 0.89  # restitution of two balls; fits snooker data, Mathavan 2014 [S]
    mu_ball_floor: float = 9.951e-3  # friction of two balls: floor + range * exp(-decay * slip); Alciatore TP A.14 [P]
    mu_ball_range: float = 0.108  # the same law, what friction falls by from slow to fast slips
    mu_ball_decay: float = 1.088  # the same law, per m/s of slip

    cushion_model: int = 0  # ball on cushion: 0 Mathavan 2010, 1 mirror, 2 Mathavan in steps (into CUSHION_MODELS)
    e_cushion: float = 0.98  # restitution at the nose at low speed; Mathavan 2010 [P]
    e_cushion_knee: float = 1.8  # normal speed above which restitution falls, m/s; physics.md section 5 item 16
    e_cushion_slope: float = 0.085  # fall of restitution per m/s above the knee; the same
    e_cushion_floor: float = 0.6  # least restitution; above 3.5 m/s an estimate [E]
    mu_cushion: float = 0.14  # friction of ball and nose; Mathavan 2010 [P]
    nose_height: float = 0.036  # height of the nose over the bed, m; Mathavan 2009 p. 791 [P]
    cushion_steps: int = 20  # steps in compression, mathavan2010_steps only; error about 1e-3 of the speed at 20

    cue_mass: float = 0.50  # mass of the cue, kg; 17-18 oz [S]
    e_tip: float = 0.73  # restitution of tip and ball; Alciatore, 0.71-0.75 [S]
    end_mass_ratio: float = 20.0  # mass of a ball over the end mass of the cue, inf = no squirt; Alciatore TP A.31 [S]
    mu_tip: float = 0.6  # friction of tip and ball, sets the miscue limit; Alciatore [S]
