"""Foul and a miss (spec 7): was a ball on in a clear line, and does the score excuse the striker (WPBSA 3.14).

A straight path exists to some part of a ball if it exists in one of finitely many directions: just inside the ball's
own edges, just beside an obstacle's edges, or beside a direction in which both would be met at the same instant.
Between two neighbouring such directions nothing changes.

Not modelled: the referee's judgement of a snookered player's attempt (it enters as the observed fact "miss_judged"),
jaws that hide a ball, and the old text's rule, which is that judgement alone.
"""

import math

from rules.ball_on import BallsOn, colours_of, reds_of
from rules.bed import Bed
from rules.faults import StrokeCase, is_credited, made_stroke
from rules.ruleset import FULL_BALL_MISS, MAX_KINDS, RED, RuleSet
from rules.snookered import squared_distance_to_segment
from rules.state import (
    ENOUGH_STRENGTH,
    IMPOSSIBLE,
    INTENTIONAL,
    MISS_JUDGED,
    PHASE_COLOUR,
    PHASE_RED,
    Floats,
    FrameState,
    count_balls,
)
from rules.tolerances import CORRIDOR_SLACK, EDGE_NUDGE
from simcore.kernel.jit import kernel

MISSES_THAT_LOSE = 3  # failures with a full ball on offer, the position restored each time (WPBSA 3.14(d))


@kernel
def path_length_to(dx: float, dy: float, ux: float, uy: float, diameter: float) -> float:
    """Distance a ball rolls along the unit vector u until it meets one at offset d; inf = never, m."""
    along = dx * ux + dy * uy
    across2 = dx * dx + dy * dy - along * along
    if along <= 0.0 or across2 >= diameter * diameter:
        return math.inf
    return along - math.sqrt(diameter * diameter - across2)


@kernel
def meets_target_first(
    bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int, ux: float, uy: float
) -> bool:
    """Whether a cue ball at c sent along u meets `target` before any of `others`."""
    diameter = 2.0 * bed.radius
    goal = path_length_to(positions[target, 0] - cx, positions[target, 1] - cy, ux, uy, diameter)
    if not goal < math.inf:
        return False
    for ball in range(1, positions.shape[0]):
        if others >> ball & 1 == 0:
            continue
        if path_length_to(positions[ball, 0] - cx, positions[ball, 1] - cy, ux, uy, diameter) <= goal:
            return False
    return True


@kernel
def edge_direction(dx: float, dy: float, diameter: float, side: float, nudge: float) -> tuple[float, float]:
    """Unit vector to the edge of the window of a ball at offset d, turned outwards by `nudge` radians."""
    distance = math.sqrt(dx * dx + dy * dy)
    if distance <= 0.0:
        return 1.0, 0.0
    sine = min(diameter / distance, 1.0)
    cosine = math.sqrt(1.0 - sine * sine)
    s, c = side * (sine + nudge * cosine), cosine - nudge * sine
    ux, uy = (c * dx - s * dy) / distance, (c * dy + s * dx) / distance
    norm = math.sqrt(ux * ux + uy * uy)
    return ux / norm, uy / norm


@kernel
def tie_direction(
    tx: float, ty: float, ox: float, oy: float, diameter: float, side: float, nudge: float
) -> tuple[float, float]:
    """Unit vector along which balls at offsets t and o are met at the same instant, turned by `nudge`; else to t."""
    hx, hy = 0.5 * (ox - tx), 0.5 * (oy - ty)
    half2 = hx * hx + hy * hy
    x, y = tx, ty
    if 0.0 < half2 < diameter * diameter:
        height = side * math.sqrt(diameter * diameter / half2 - 1.0)
        x, y = tx + hx - height * hy, ty + hy + height * hx
    norm = math.sqrt(x * x + y * y)
    if norm <= 0.0:
        return 1.0, 0.0
    ux, uy = x / norm, y / norm
    return ux - nudge * uy, uy + nudge * ux


@kernel
def has_straight_path(bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int) -> bool:
    """Whether some straight path from c reaches any part of `target` before one of `others`."""
    diameter = 2.0 * bed.radius
    tx, ty = positions[target, 0] - cx, positions[target, 1] - cy
    for side in (1.0, -1.0):
        ux, uy = edge_direction(tx, ty, diameter, side, -EDGE_NUDGE)
        if meets_target_first(bed, positions, others, cx, cy, target, ux, uy):
            return True
        for ball in range(1, positions.shape[0]):
            if others >> ball & 1 == 0:
                continue
            ox, oy = positions[ball, 0] - cx, positions[ball, 1] - cy
            ux, uy = edge_direction(ox, oy, diameter, side, EDGE_NUDGE)
            if meets_target_first(bed, positions, others, cx, cy, target, ux, uy):
                return True
            for nudge in (EDGE_NUDGE, -EDGE_NUDGE):
                ux, uy = tie_direction(tx, ty, ox, oy, diameter, side, nudge)
                if meets_target_first(bed, positions, others, cx, cy, target, ux, uy):
                    return True
    return False


@kernel
def has_full_ball_path(bed: Bed, positions: Floats, others: int, cx: float, cy: float, target: int) -> bool:
    """Whether `target` can be hit centre-full from c along a straight line that no other ball obstructs."""
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
    return True


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
def points_available(rules: RuleSet, state: FrameState) -> int:
    """Points left on the table (spec 7): a highest colour with each red, then the colours, and a free ball offered."""
    n_reds = count_balls(reds_of(rules, state.on_table))
    total = 0
    top = 0
    low = 0
    for kind in range(1, MAX_KINDS):
        if kind == RED or state.on_table & rules.kind_masks[kind] == 0:
            continue
        value = rules.values[kind]
        total += value
        top = max(top, value)
        low = value if low == 0 else min(low, value)
    total += n_reds * (rules.values[RED] + top)
    if state.phase == PHASE_COLOUR:
        total += top
    if state.free_ball != 0:
        total += rules.values[RED] + top if state.phase == PHASE_RED else low
    return total


@kernel
def is_excused_by_score(rules: RuleSet, before: FrameState, after: FrameState) -> bool:
    """Whether before or after the stroke the difference reaches the points available (WPBSA 3.14(b), equality too)."""
    was = abs(before.score_0 - before.score_1)
    now = abs(after.score_0 - after.score_1)
    return was >= points_available(rules, before) or now >= points_available(rules, after)


@kernel
def hit_what_may_be_hit(case: StrokeCase) -> bool:
    """Whether the first contact included a ball that may be hit first; a touching one counts as hit."""
    return is_credited(case) or case.facts.first_contacts & case.aim.first != 0


@kernel
def is_miss(case: StrokeCase, after: FrameState, is_clear: bool, is_second_full: bool) -> bool:
    """Whether a foul is also called a miss (WPBSA 3.14; editions with a judged miss: what the referee judged).

    after: state with the penalty added; is_clear: a ball on was in a clear line; is_second_full: a second failure in a
    row from the same position with a full ball on offer, which no score excuses.
    """
    flags = case.facts.observed
    if not made_stroke(case) or hit_what_may_be_hit(case):
        return False
    if case.rules.miss_rule != FULL_BALL_MISS:
        return flags & MISS_JUDGED != 0
    excused = is_excused_by_score(case.rules, case.state, after)
    if excused and flags & INTENTIONAL == 0 and not is_second_full:
        return False
    if flags & IMPOSSIBLE != 0 and flags & ENOUGH_STRENGTH != 0:
        return False
    return is_clear or flags & MISS_JUDGED != 0
