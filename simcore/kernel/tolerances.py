"""Every tolerance of a running shot, in one place, with its reason (physics.md sections 1 and 6: the measured grounds).

None of them decides whether balls touch: that is the sign of the gap. They decide what rounding noise may not do.
"""

T_SAME = 1e-9
"""s. Contacts whose times agree within this are one instant: two symmetric contacts differ by an ulp."""

V_CLOSE = 1e-9
"""m/s. A touching pair with at most this normal speed stands still, for the pressing rule and at the end of a motion.

A contact needs no such limit: what closes or presses counts if the gap sinks below -GRAZE, which rounding does not."""

A_PRESS = 1e-9
"""m/s2. A touching pair presses when its gap accelerates below minus this; less is rounding along a cushion."""

V_REST = 1e-3
"""m/s. A pressing contact parts with at least this speed, so that contacts stay finite; adds at most 7.0e-8 J."""

HOP = 4e-6
"""m. A weakly pressing contact parts more slowly, √(2 HOP a), so that it opens no further than this: rounding must not
kick a ball off a cushion. From a rolling ball's deceleration (0.125 m/s²) on, V_REST is the lesser."""

GRAZE = 1e-12
"""m. A crossing whose gap never sinks below minus this inside the window is a graze, not a contact."""

V_GRAZE = 1e-3
"""m/s. Closing faster than this, a gap sinks below GRAZE whatever follows, so the graze test is skipped."""

SLIP_ZERO = 1e-12
"""m/s. A cloth slip below this is rounding: the ball rolls."""

SPEED_ZERO = 1e-12
"""m/s. A rolling speed below this is rounding: the ball has stopped."""

TOUCH_GAP = 5e-5
"""m. Balls this near the cue ball at the start are reported as touching it (a referee's eye, not the physics)."""

UNDERFLOW = 1e-290
"""m4/s2. Squares below this have lost digits or vanished: nothing is promised from them."""

LONGEST = 1e5
"""s. Contacts are searched this far ahead; a motion that lasts longer (frictionless cloth) is then taken up anew."""

JOIN_SLACK = 1e-12
"""m. A nose reaches this far past its ends, so that no contact falls between a nose and the jaw that joins it."""

IMPULSE_STEPS = 20_000
"""Most sweeps of the joint-impulse iteration in one instant: a frozen pack broken took 85, one that implodes 562."""

IMPULSE_ERROR = 1e-14
"""Relative change of the joint impulses at which their iteration has converged."""

NO_TABLE_SLIP = 1e-14
"""Relative to the motion coming in: a cloth slip below this, in a cushion impact, is rounding without a direction."""

NO_NOSE_SLIP = 1e-9
"""The same for a slip at the nose, which friction may hold at zero."""

NOSE_TURN = 0.6
"""Tangent of the angle by which the slip at the nose may turn in one step of a cushion impact, if it goes straight on.
With what follows it is chosen for the least time at which the 99th percentile and the greatest of the errors of v and
R omega in bench/cushion_errors.py are no greater than those of the published scheme with 20 steps, in every family of
motions but the glancing and the square without side, where 99 in 100 of both are below 3e-5."""

TABLE_TURN = 0.7
"""The same for the slip on the cloth, whose friction is the lesser."""

SHORTEST_STEP = 0.01
"""However a slip turns, no step of a cushion impact is shorter, in impulse, than this share of the momentum that
comes in along Y, times 1 + sin: what turns within it is small in what it does."""

STIFF_STEP = 1.5
"""The slip at the nose is small for a step of impulse h, and may be stopped in it, if STIFF_STEP mu h exceeds it: an
explicit step would swing about the line that the slip trails on. Friction changes a slip by 2.6 to 3.5 mu h."""

STABLE_STEP = 2.0
"""In one step of a cushion impact friction of the cloth takes away at most this times the slip on the cloth: from 2.5
on, a slip across the drift would not settle but grow."""

OVERSHOOT = 1.05
"""The rest of a cushion impact is taken to be longer by this than constant rates say: its end is found inside."""

MOST_STEPS = 400
"""At most this many steps in one cushion impact; with our balls and cushions the most seen are 40."""

MANY_STEPS = 200
"""Steps in compression of an impact that few steps do not solve: with a slip that is held and let go, 20 are out by 5 %
of the motion, these by 0.5 %."""

SMALLEST = 1e-300
"""m/s. A motion below this is not scaled up to 1 before a cushion impact: the scale would be infinite."""

SHORTEST_SPLIT = 1e-3
"""A step of the cushion integral in small steps is not split closer to its start than this share of it."""

STEP_CAP = 50
"""At most this many times the nominal number of small steps in each phase of a cushion impact."""
