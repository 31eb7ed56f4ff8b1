"""Putting colours back: own spot, the highest free spot, or the nearest place on the line through the own spot.

Clause 3.6 of the old text and WPBSA 3.7 (spec 8). A place is free if a ball on it would touch no other ball.

Not modelled: spots of tables without markings (their balls have no place to go).
"""

import math

from rules.bed import Bed
from rules.ruleset import MAX_KINDS, RED, RuleSet
from rules.state import Floats
from rules.tolerances import SPOTTING_GAP, SPOTTING_STEP
from simcore.kernel.jit import kernel


@kernel
def blocking_ball(positions: Floats, x: float, y: float, distance: float) -> int:
    """Index of a ball nearer than `distance` to (x, y), -1 = none; absent balls (nan) never are."""
    for ball in range(positions.shape[0]):
        dx = positions[ball, 0] - x
        dy = positions[ball, 1] - y
        if dx * dx + dy * dy < distance * distance:
            return ball
    return -1


@kernel
def is_spot_free(bed: Bed, positions: Floats, kind: int) -> bool:
    """Whether the spot of `kind` exists and a ball on it would touch no other (2.17)."""
    if not bed.spot_y[kind] > 0.0:
        return False
    return blocking_ball(positions, bed.spot_x[kind], bed.spot_y[kind], 2.0 * bed.radius + SPOTTING_GAP) < 0


@kernel
def highest_free_spot(rules: RuleSet, bed: Bed, positions: Floats) -> int:
    """Kind whose spot is the free one of highest value, 0 = all are occupied (3.6.2)."""
    best = 0
    for kind in range(1, MAX_KINDS):
        if kind == RED or not is_spot_free(bed, positions, kind):
            continue
        if best == 0 or rules.values[kind] > rules.values[best]:
            best = kind
    return best


@kernel
def place_on_line(bed: Bed, positions: Floats, kind: int, direction: float) -> float:
    """Nearest free y on the line through the spot of `kind`, up (+1) or down (-1) the table; nan = no room (3.6.3).

    Each step jumps to the far end of the interval that one ball blocks, so nothing free is passed over.
    """
    distance = 2.0 * bed.radius + SPOTTING_GAP
    x = bed.spot_x[kind]
    y = bed.spot_y[kind]
    while bed.low_y <= y <= bed.high_y:
        ball = blocking_ball(positions, x, y, distance)
        if ball < 0:
            return y
        dx = positions[ball, 0] - x
        end = positions[ball, 1] + direction * math.sqrt(max(distance * distance - dx * dx, 0.0))
        y = direction * max(direction * end, direction * y) + direction * SPOTTING_STEP
    return math.nan


@kernel
def spot_ball(rules: RuleSet, bed: Bed, positions: Floats, ball: int, kind: int) -> None:
    """Put one colour on its own spot, else the highest free one, else on the line, topward before baulkward."""
    at = kind if is_spot_free(bed, positions, kind) else highest_free_spot(rules, bed, positions)
    if at != 0:
        positions[ball, 0] = bed.spot_x[at]
        positions[ball, 1] = bed.spot_y[at]
        return
    y = place_on_line(bed, positions, kind, 1.0)
    if not y > 0.0:
        y = place_on_line(bed, positions, kind, -1.0)
    positions[ball, 0] = bed.spot_x[kind]
    positions[ball, 1] = y


@kernel
def next_to_spot(rules: RuleSet, bed: Bed, positions: Floats, waiting: int) -> int:
    """Kind to be spotted next: own spot free first, then the highest value (3.6.2, WPBSA 3.7(e)); 0 = none waits."""
    best = 0
    best_rank = -1
    for kind in range(1, MAX_KINDS):
        if waiting & rules.kind_masks[kind] == 0:
            continue
        rank = rules.values[kind] + (64 if is_spot_free(bed, positions, kind) else 0)
        if rank > best_rank:
            best_rank = rank
            best = kind
    return best


@kernel
def spot_balls(rules: RuleSet, bed: Bed, positions: Floats, waiting: int) -> None:
    """Put every colour of the set `waiting` back, writing into `positions` (n, 2)."""
    for ball in range(positions.shape[0]):
        if waiting >> ball & 1 != 0:
            positions[ball, 0] = math.nan
            positions[ball, 1] = math.nan
    while waiting != 0:
        kind = next_to_spot(rules, bed, positions, waiting)
        if kind == 0:
            return
        own = waiting & rules.kind_masks[kind]
        waiting &= ~own
        for ball in range(positions.shape[0]):
            if own >> ball & 1 != 0:
                spot_ball(rules, bed, positions, ball, kind)
