"""Every tolerance of the rules layer, in one place; lengths in metres, angles in radians."""

TOUCHING_GAP = 5e-5  # balls nearer than this are "touching" (spec 4); the simulator reports the set, a scorer may too
TOLD_TOUCHING_GAP = 1e-3  # what lies farther apart than this is not believed to be touching, whoever says so
SPOTTING_GAP = 1e-6  # a spotted ball is never nearer than this to another ball (spec 8)
SPOTTING_STEP = 1e-9  # least advance of the search along the spotting line, so that it always ends
CORRIDOR_SLACK = 1e-6  # a ball obstructs a corridor only if it reaches this far into it (spec 6.1)
IN_HAND_MARGIN = 1e-5  # clearance from the D that is "indeterminate" and counts as not snookered (spec 6.1)
VERTEX_SLACK = 1e-9  # rounding allowed when a corner of the clear region is checked against its own borders
EDGE_NUDGE = 1e-9  # how far inside an edge a direction is tried when looking for any visible part of a ball (spec 7)
SAME_DISTANCE = 1e-9  # snookering balls whose distances agree within this are equally near (spec 6.1)
D_SLACK = 1e-9  # the boundary of the D belongs to it (spec 1); rounding allowed on it
GAP_STEP = 1e-3  # s; how often the gap between the cue ball and the balls on is looked at to judge a miss (spec 7)
PUSH_WINDOW = 0.05  # s; a touching ball that the cue ball moves within it, before any cushion, was pushed (spec 4)
