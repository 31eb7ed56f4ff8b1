"""Check where balls lie after a stroke, and whether the next player sees a ball on: compiled, and by angles.

A spotted colour is where it belongs, no balls overlap, none is off the bed; the views are those that a free ball hangs
on. Nothing here is taken from the referee's own geometry; where a jaw is in the way the view is left in doubt.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import simcore
from bench.shot_checks import Constants, constants, depth_beyond
from bench.trivial_player import near_way
from rules.ruleset import KIND_NAMES, MAX_BALLS, RED, RuleSet
from rules.state import PHASE_COLOUR, PHASE_RED, FrameState
from simcore.kernel.jit import door, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

COLOURS = 0b1111110  # the six colours as a set
REDS = ((1 << MAX_BALLS) - 1) & ~COLOURS & ~1

OVERLAP_M = 1e-9  # balls at rest may sink this far into each other or into a cushion
SPOT_REACH_M = 1.1e-6  # a spot is occupied if a ball on it would not keep this clear of another
CORRIDOR_M = 1e-6  # a ball obstructs a corridor only if it reaches this far into it
DOUBT_M = 1e-8  # nearer than this to the border of a corridor either answer is right
TOUCHING_M = 5e-5  # nearer than this a ball is touching
D_STEPS = 8  # of the grid over the D, along its radius

SEEN, HIDDEN, DOUBTFUL = range(3)
OVERLAPS, OFF_BED, WRONG_SPOT = range(3)


@lru_cache(maxsize=64)
def marks_of(table: simcore.Table, rules: RuleSet) -> Constants:
    """The numbers that the checks of places need."""
    return constants(table, simcore.Physics.snooker(R=rules.ball_radius), creep=0.0)


@kernel
def gap_to_others(layout, ball, x, y):
    """Distance from (x, y) to the centre of the nearest ball but `ball`, m."""
    least = math.inf
    for j in range(layout.shape[0]):
        dx, dy = layout[j, 0] - x, layout[j, 1] - y
        if j != ball and dx * dx + dy * dy < least * least:
            least = math.sqrt(dx * dx + dy * dy)
    return least


@kernel
def is_spotted_right(layout, ball, spots, radius):
    """Whether a colour lies on its spot, on the highest free spot, or at the nearest place up or down from its own."""
    x, y = layout[ball, 0], layout[ball, 1]
    if not gap_to_others(layout, ball, x, y) > 2.0 * radius:
        return False
    if x == spots[ball, 0] and y == spots[ball, 1]:
        return True
    for k in range(spots.shape[0] - 1, 0, -1):
        if x == spots[k, 0] and y == spots[k, 1]:
            return gap_to_others(layout, ball, spots[ball, 0], spots[ball, 1]) < 2.0 * radius + SPOT_REACH_M
        if not gap_to_others(layout, ball, spots[k, 0], spots[k, 1]) < 2.0 * radius + SPOT_REACH_M:
            return False
    return x == spots[ball, 0] and gap_to_others(layout, ball, x, y) < 2.0 * radius + SPOT_REACH_M


@door
def find_misplaced(layouts, spotted, spots, c, out):
    """For every layout (n, 22, 2): deepest overlap, farthest off the bed, colours of the set spotted (n,) put wrong."""
    for i in range(layouts.shape[0]):
        layout = layouts[i]
        out[i, OVERLAPS], out[i, OFF_BED], out[i, WRONG_SPOT] = -math.inf, -math.inf, 0.0
        for ball in range(layout.shape[0]):
            x, y = layout[ball, 0], layout[ball, 1]
            if math.isnan(x):
                continue
            near = 2.0 * c.radius - OVERLAP_M - gap_to_others(layout, ball, x, y)
            out[i, OVERLAPS] = max(out[i, OVERLAPS], near)
            out[i, OFF_BED] = max(out[i, OFF_BED], depth_beyond(x, y, c) - OVERLAP_M)
            if spotted[i] >> ball & 1 != 0 and not is_spotted_right(layout, ball, spots, c.radius):
                out[i, WRONG_SPOT] += 1.0


def spots_of(table: simcore.Table) -> Floats:
    """Spots of the colours, m (7, 2); row 0, the cue ball's, is nan."""
    return np.array([table.spots.get(name, (np.nan, np.nan)) for name in KIND_NAMES[:RED]])


def misplaced(layouts: Floats, spotted: Ints, table: simcore.Table, marks: Constants) -> Floats:
    """Depth of overlaps and of balls off the bed, m, > 0 = wrong; number of colours put on a wrong spot (n, 3)."""
    out = np.zeros((len(layouts), 3))
    find_misplaced(layouts, spotted, spots_of(table), marks, out)
    return out


# --- what can be seen ------------------------------------------------------------------------------------------------


@kernel
def edge_view(layout, cx, cy, target, others, side, c, jaws):
    """SEEN, HIDDEN or DOUBTFUL: the way of a cue ball at (cx, cy) to one edge of the target, by angles."""
    dx, dy = layout[target, 0] - cx, layout[target, 1] - cy
    distance = math.sqrt(dx * dx + dy * dy)
    heading = math.atan2(dy, dx) + side * math.asin(min(2.0 * c.radius / distance, 1.0))
    path = math.sqrt(max(distance * distance - 4.0 * c.radius * c.radius, 0.0))
    ex, ey = cx + path * math.cos(heading), cy + path * math.sin(heading)
    view = SEEN
    for k in range(jaws.shape[1]):
        if near_way(jaws[0, k], jaws[1, k], cx, cy, ex, ey, jaws[2, k] + c.reach):
            return DOUBTFUL
    reach = 2.0 * c.radius - CORRIDOR_M
    for ball in range(1, layout.shape[0]):
        if others >> ball & 1 == 0:
            continue
        if near_way(layout[ball, 0], layout[ball, 1], cx, cy, ex, ey, reach - DOUBT_M):
            return HIDDEN
        if near_way(layout[ball, 0], layout[ball, 1], cx, cy, ex, ey, reach + DOUBT_M):
            view = DOUBTFUL
    return view


@kernel
def target_view(layout, cx, cy, target, others, c, jaws):
    """View of both edges of a target; one in the way of a jaw is in doubt, whatever else hides it."""
    dx, dy = layout[target, 0] - cx, layout[target, 1] - cy
    if math.sqrt(dx * dx + dy * dy) <= 2.0 * c.radius + TOUCHING_M:
        return SEEN
    left = edge_view(layout, cx, cy, target, others, 1.0, c, jaws)
    right = edge_view(layout, cx, cy, target, others, -1.0, c, jaws)
    if left == DOUBTFUL or right == DOUBTFUL:
        return DOUBTFUL
    return HIDDEN if left == HIDDEN or right == HIDDEN else SEEN


@kernel
def best_view(layout, cx, cy, on, others, c, jaws):
    """The best view of the balls of the set `on`."""
    best = HIDDEN
    for target in range(1, layout.shape[0]):
        if on >> target & 1 != 0:
            view = target_view(layout, cx, cy, target, others, c, jaws)
            if view == SEEN:
                return SEEN
            if view == DOUBTFUL:
                best = DOUBTFUL
    return best


@kernel
def view_from_the_d(layout, on, others, spots, c, jaws):
    """SEEN if some place of a grid over the D has a view, else DOUBTFUL; brown's spot is the D's centre."""
    reach = spots[3, 0] - spots[2, 0]
    for i in range(-D_STEPS, D_STEPS + 1):
        for j in range(D_STEPS + 1):
            dx, dy = reach * i / D_STEPS, -reach * j / D_STEPS
            x, y = spots[3, 0] + dx, spots[3, 1] + dy
            if dx * dx + dy * dy > reach * reach or gap_to_others(layout, 0, x, y) < 2.0 * c.radius:
                continue
            if best_view(layout, x, y, on, others, c, jaws) == SEEN:
                return SEEN
    return DOUBTFUL


@door
def find_views(layouts, on, others, spots, c, jaws, out):
    """Whether some ball of the set on (n,) can be hit on both edges, for each layout (n, 22, 2) of out (n,)."""
    for i in range(layouts.shape[0]):
        if math.isnan(layouts[i, 0, 0]):
            out[i] = view_from_the_d(layouts[i], on[i], others[i], spots, c, jaws)
        else:
            out[i] = best_view(layouts[i], layouts[i, 0, 0], layouts[i, 0, 1], on[i], others[i], c, jaws)


def views_after(
    layouts: Floats, on_table: Ints, foul: NDArray[np.bool_], table: simcore.Table, marks: Constants
) -> Ints:
    """View of the balls on after each foul, DOUBTFUL after a fair stroke; layouts (n, 22, 2), on_table, foul (n,)."""
    view, rows = np.full(len(foul), DOUBTFUL), np.flatnonzero(foul)
    reds, colours = (on_table & REDS)[rows], (on_table & COLOURS)[rows]
    on = np.where(reds != 0, reds, colours & -colours)
    seen = view[rows]
    find_views(layouts[rows], on, colours & ~on, spots_of(table), marks, table.geometry.jaw, seen)
    view[rows] = seen
    return view


def views_before(layouts: Floats, state: FrameState, kind: Ints, table: simcore.Table, marks: Constants) -> Ints:
    """View of the balls on, or of the one declared, before strokes; with a colour to choose the best of all colours.

    layouts (n, 22, 2), m, nan = in hand; state: fields (n,); kind (n,): kind declared, 0 = none.
    """
    reds, colours = state.on_table & REDS, state.on_table & COLOURS
    declared = np.where(kind > 0, np.int64(1) << kind, 0) & colours
    on = np.where(state.phase == PHASE_RED, reds, colours & -colours)
    on = np.where(state.phase == PHASE_COLOUR, declared, on)
    free = np.where(state.free_ball == 1, declared, 0)
    view = np.full(len(kind), HIDDEN)
    chosen = (state.phase == PHASE_COLOUR) & (on == 0)
    for colour in range(1, RED):  # each alone, as the others may hide it
        alone = np.where(chosen, colours & (1 << colour), 0)
        target = np.where(chosen, alone, np.where(free != 0, free, on))
        others = (reds | colours) & ~np.where(chosen, alone, on | free)
        seen = view.copy()
        find_views(layouts, target, others, spots_of(table), marks, table.geometry.jaw, seen)
        view = np.where((view == SEEN) | (seen == SEEN), SEEN, np.maximum(view, seen))
    return view
