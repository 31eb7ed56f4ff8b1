"""Foul and a miss (spec 7): was a ball on in a clear line, and does the score excuse the striker (WPBSA 3.14).

A straight path exists to some part of a ball if it exists in one of finitely many directions: just inside the ball's
own edges, just beside the edges of an obstacle (ball or jaw), or beside a direction in which both would be met at the
same instant. Between two neighbouring such directions nothing changes.

Where the clauses leave a miss to the referee (a snookered player; by the old text everybody) his judgement enters as
the observed fact "miss_judged", or is made from the level of play (`is_judged_miss`).

Not modelled: the pace of an attempt, but for the observed fact "enough_strength".
"""

import math

from rules.ball_on import BallsOn, colours_of, points_on_table
from rules.bed import Bed
from rules.faults import StrokeCase, is_credited, is_to_be_counted
from rules.jaws import gap_to_jaw_on_path, path_length_to, path_length_to_any_jaw
from rules.ruleset import FULL_BALL_MISS, NO_MISS, RuleSet
from rules.sides import lead_of
from rules.snookered import squared_distance_to_segment
from rules.state import (
    ENOUGH_STRENGTH,
    IMPOSSIBLE,
    INTENTIONAL,
    MISS_JUDGED,
    PHASE_COLOUR,
    Facts,
    Floats,
    FrameState,
)
from rules.tolerances import CORRIDOR_SLACK, EDGE_NUDGE
from simcore.kernel.jit import kernel
from simcore.kernel.types import JAW_RADIUS, JAW_X, JAW_Y

MISS_GAPS = (math.inf, 0.3, 0.15, 0.0)  # m, by miss level: what a snookered player's honest attempt may miss by
MISSES_THAT_LOSE = 3  # failures with a full ball on offer, the position restored each time (WPBSA 3.14(d))


@kernel
def meets_target_first(
    bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int, ux: float, uy: float
) -> bool:
    """Whether a cue ball at c sent along u meets `target` before any of `others` or a jaw."""
    diameter = 2.0 * bed.radius
    goal = path_length_to(positions[target, 0] - cx, positions[target, 1] - cy, ux, uy, diameter)
    if not goal < math.inf:
        return False
    for ball in range(1, positions.shape[0]):
        if others >> ball & 1 == 0:
            continue
        if path_length_to(positions[ball, 0] - cx, positions[ball, 1] - cy, ux, uy, diameter) <= goal:
            return False
    return goal < path_length_to_any_jaw(bed, cx, cy, ux, uy)


@kernel
def edge_direction(dx: float, dy: float, reach: float, side: float, nudge: float) -> tuple[float, float]:
    """Unit vector that passes a point at offset d at the distance `reach`, turned outwards by `nudge` radians."""
    distance = math.sqrt(dx * dx + dy * dy)
    if distance <= 0.0:
        return 1.0, 0.0
    sine = min(reach / distance, 1.0)
    cosine = math.sqrt(1.0 - sine * sine)
    s, c = side * (sine + nudge * cosine), cosine - nudge * sine
    ux, uy = (c * dx - s * dy) / distance, (c * dy + s * dx) / distance
    norm = math.sqrt(ux * ux + uy * uy)
    return ux / norm, uy / norm


@kernel
def tie_direction(
    tx: float, ty: float, diameter: float, ox: float, oy: float, reach: float, side: float
) -> tuple[float, float]:
    """Unit vector along which a ball at offset t and an obstacle at o are met at the same instant; else to t."""
    dx, dy = ox - tx, oy - ty
    apart2 = dx * dx + dy * dy
    x, y = tx, ty
    if apart2 > 0.0:
        share = 0.5 * (apart2 + diameter * diameter - reach * reach) / apart2
        height2 = diameter * diameter / apart2 - share * share
        if height2 > 0.0:
            height = side * math.sqrt(height2)
            x, y = tx + share * dx - height * dy, ty + share * dy + height * dx
    norm = math.sqrt(x * x + y * y)
    return (x / norm, y / norm) if norm > 0.0 else (1.0, 0.0)


@kernel
def has_path_beside(
    bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int, ox: float, oy: float, reach: float
) -> bool:
    """Whether a path just beside an obstacle at offset o that keeps `reach` away meets `target` first."""
    tx, ty = positions[target, 0] - cx, positions[target, 1] - cy
    near = 2.0 * bed.radius + reach + CORRIDOR_SLACK  # a path to the target keeps within a diameter of the line to it
    if squared_distance_to_segment(ox, oy, 0.0, 0.0, tx, ty) > near * near:
        return False
    for side in (1.0, -1.0):
        ux, uy = edge_direction(ox, oy, reach, side, EDGE_NUDGE)
        if meets_target_first(bed, positions, others, cx, cy, target, ux, uy):
            return True
        ux, uy = tie_direction(tx, ty, 2.0 * bed.radius, ox, oy, reach, side)
        for nudge in (EDGE_NUDGE, -EDGE_NUDGE):
            if meets_target_first(bed, positions, others, cx, cy, target, ux - nudge * uy, uy + nudge * ux):
                return True
    return False


@kernel
def has_straight_path(bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int) -> bool:
    """Whether some straight path from c reaches any part of `target` before one of `others` or a jaw."""
    diameter = 2.0 * bed.radius
    tx, ty = positions[target, 0] - cx, positions[target, 1] - cy
    for side in (1.0, -1.0):
        ux, uy = edge_direction(tx, ty, diameter, side, -EDGE_NUDGE)
        if meets_target_first(bed, positions, others, cx, cy, target, ux, uy):
            return True
    for ball in range(1, positions.shape[0]):
        if others >> ball & 1 != 0:
            ox, oy = positions[ball, 0] - cx, positions[ball, 1] - cy
            if has_path_beside(bed, positions, others, cx, cy, target, ox, oy, diameter):
                return True
    for jaw in range(bed.jaw.shape[1]):
        ox, oy = bed.jaw[JAW_X, jaw] - cx, bed.jaw[JAW_Y, jaw] - cy
        if has_path_beside(bed, positions, others, cx, cy, target, ox, oy, bed.jaw[JAW_RADIUS, jaw] + bed.reach):
            return True
    return False


@kernel
def has_full_ball_path(bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int) -> bool:
    """Whether `target` can be hit centre-full from c along a straight line that neither ball nor jaw obstructs."""
    dx, dy = positions[target, 0] - cx, positions[target, 1] - cy
    distance = math.sqrt(dx * dx + dy * dy)
    share = max(1.0 - 2.0 * bed.radius / distance, 0.0) if distance > 0.0 else 0.0
    reach = 2.0 * bed.radius - CORRIDOR_SLACK
    for ball in range(1, positions.shape[0]):
        if others >> ball & 1 == 0:
            continue
        ox, oy = positions[ball, 0], positions[ball, 1]
        if squared_distance_to_segment(ox, oy, cx, cy, cx + share * dx, cy + share * dy) < reach * reach:
            return False
    return not gap_to_jaw_on_path(bed, cx, cy, cx + share * dx, cy + share * dy) < math.inf


@kernel
def miss_targets(rules: RuleSet, state: FrameState, aim: BallsOn) -> int:
    """Balls that the striker could have meant to hit: with a colour to choose any colour, else those on (spec 7)."""
    return colours_of(rules, state.on_table) if state.phase == PHASE_COLOUR else aim.first


@kernel
def has_clear_target(bed: Bed, positions: Floats, targets: int, others: int, cx: float, cy: float) -> bool:
    """Whether any target has some part in a clear straight line; other targets never obstruct."""
    for target in range(1, positions.shape[0]):
        if targets >> target & 1 != 0 and has_straight_path(bed, positions, others, cx, cy, target):
            return True
    return False


@kernel
def has_full_target(bed: Bed, positions: Floats, targets: int, others: int, cx: float, cy: float) -> bool:
    """Whether any target can be hit full; other targets never obstruct."""
    for target in range(1, positions.shape[0]):
        if targets >> target & 1 != 0 and has_full_ball_path(bed, positions, others, cx, cy, target):
            return True
    return False


@kernel
def is_excused_by_score(rules: RuleSet, before: FrameState, after: FrameState) -> bool:
    """Whether before or after the stroke the difference reaches the points available (WPBSA 3.14(b), equality too)."""
    was_decided = lead_of(rules, before) >= points_on_table(rules, before)
    return was_decided or lead_of(rules, after) >= points_on_table(rules, after)


@kernel
def hit_what_may_be_hit(case: StrokeCase) -> bool:
    """Whether the first contact included a ball that may be hit first; a touching one counts as hit.

    By the old text a ball that was jumped, if only grazed in passing, was missed (2.19, note 1).
    """
    jumped = case.facts.jumped_before | case.facts.jumped_after if case.rules.jump_over_any == 0 else 0
    hit = case.facts.first_contacts & ~jumped
    return is_credited(case) or hit & case.aim.first != 0


@kernel
def is_judged_miss(rules: RuleSet, facts: Facts) -> bool:
    """The referee's judgement of a miss: what he said, else by the level of play how near the cue ball came.

    The levels are a policy of this project (spec 7 leaves them open): the gap to the nearest ball on, MISS_GAPS, that
    an honest attempt may leave; an attempt of unknown gap is believed.
    """
    if facts.observed & MISS_JUDGED != 0:
        return True
    return rules.miss_level > 0 and facts.nearest_gap > MISS_GAPS[rules.miss_level]


@kernel
def is_miss(case: StrokeCase, after: FrameState, is_clear: bool, is_second_full: bool) -> bool:
    """Whether a foul is also called a miss (WPBSA 3.14; editions with a judged miss: what the referee judged).

    after: state with the penalty added; is_clear: a ball on was in a clear line; is_second_full: a second failure in a
    row from the same position with a full ball on offer, which no score excuses.
    """
    flags = case.facts.observed
    if case.rules.miss_rule == NO_MISS or not is_to_be_counted(case.facts) or hit_what_may_be_hit(case):
        return False
    if flags & IMPOSSIBLE != 0 and flags & ENOUGH_STRENGTH != 0:
        return False  # he is held to have tried (3.3.9 note)
    if case.rules.miss_rule != FULL_BALL_MISS:
        return is_judged_miss(case.rules, case.facts)
    excused = is_excused_by_score(case.rules, case.state, after)
    if excused and flags & INTENTIONAL == 0 and not is_second_full:
        return False
    return is_clear or is_judged_miss(case.rules, case.facts)
