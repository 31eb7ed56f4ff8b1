"""Check every stroke of many frames: is what the referee made of it possible? Written anew, from the rule texts.

The checks know the state before, the facts, the ruling and the state after, and reckon points, turns, phases and ends
by themselves; nothing is asked of the referee's parts. One function a check, (n,) true where a stroke violates it.

Not checked here: which faults the facts are, the miss, and what players decide between strokes (`bench.self_play`).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import simcore
from bench.shot_checks import Constants, constants, depth_beyond
from bench.trivial_player import near_way
from rules.ruleset import KIND_NAMES, MAX_BALLS, RED, RuleSet
from rules.ruling import RulingArrays
from rules.state import (
    ANGLED,
    IN_HAND,
    NO_STROKE,
    PHASE_CLEARANCE,
    PHASE_COLOUR,
    PHASE_OVER,
    PHASE_RED,
    PHASE_RESPOTTED,
    PLAY,
    PLAY_AGAIN,
    PLAYER_0_FIRST,
    PLAYER_1_FIRST,
    RESTORE,
    WRONG_CUE_BALL,
    FactsArrays,
    FrameState,
)
from simcore.kernel.jit import door, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

VALUES = np.array([0, 2, 3, 4, 5, 6, 7] + [1] * 15)  # points of every ball by its index
COLOURS = 0b1111110  # the six colours as a set
BLACK = 1 << 6
REDS = ((1 << MAX_BALLS) - 1) & ~COLOURS & ~1
PENALTIES = 4, 7  # least and greatest
LOT = PLAYER_0_FIRST | PLAYER_1_FIRST
LOSING_MISSES = 3  # failures in a row, with a full ball on offer at the first

OVERLAP_M = 1e-9  # balls at rest may sink this far into each other or into a cushion
SPOT_ROOM_M = 1e-6  # a spotted ball keeps at least this clear of any other ...
SPOT_REACH_M = 1.1e-6  # ... and a spot is occupied if it could not
CORRIDOR_M = 1e-6  # a ball obstructs a corridor only if it reaches this far into it
DOUBT_M = 1e-8  # nearer than this to the border of a corridor either answer is right
TOUCHING_M = 5e-5  # nearer than this a ball is touching

SEEN, HIDDEN, DOUBTFUL = range(3)
OVERLAPS, OFF_BED, WRONG_SPOT = range(3)


class Strokes(NamedTuple):
    """One stroke of each of n frames, as the checks see it."""

    rules: RuleSet
    before: FrameState  # every field an array (n,)
    layouts: Floats  # (n, 22, 2), m, when the cue ball was struck
    facts: FactsArrays
    nominated: Ints  # (n,)
    ends: Floats  # (n, 22, 2), m, where the balls came to rest
    rulings: RulingArrays
    after: FrameState  # every field an array (n,)
    scores: Ints  # (n, n_sides), reckoned by the caller before the stroke
    faults: Floats  # (n, 3): depth of overlaps and of balls off the bed, m, > 0 = wrong; colours on a wrong spot


def columns(states: Ints) -> FrameState:
    """The states of an (n, N_STATE) array as one whose fields are arrays (n,)."""
    return FrameState(*np.ascontiguousarray(states.T))


# --- where balls lie -------------------------------------------------------------------------------------------------


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


def misplaced(rulings: RulingArrays, table: simcore.Table, marks: Constants) -> Floats:
    """How wrong the places after each stroke are, as `Strokes.faults`."""
    spots = np.array([table.spots.get(name, (np.nan, np.nan)) for name in KIND_NAMES[:RED]])
    out = np.zeros((len(rulings.points), 3))
    find_misplaced(rulings.positions, rulings.spotted, spots, marks, out)
    return out


# --- what can be seen ------------------------------------------------------------------------------------------------


@kernel
def edge_is_clear(layout, target, others, side, reach, radius):
    """Whether the cue ball's way to one edge of the target is clear, by angles."""
    cx, cy = layout[0, 0], layout[0, 1]
    dx, dy = layout[target, 0] - cx, layout[target, 1] - cy
    distance = math.sqrt(dx * dx + dy * dy)
    heading = math.atan2(dy, dx) + side * math.asin(min(2.0 * radius / distance, 1.0))
    path = math.sqrt(max(distance * distance - 4.0 * radius * radius, 0.0))
    ex, ey = cx + path * math.cos(heading), cy + path * math.sin(heading)
    for ball in range(1, layout.shape[0]):
        if others >> ball & 1 != 0 and near_way(layout[ball, 0], layout[ball, 1], cx, cy, ex, ey, reach):
            return False
    return True


@kernel
def sees_any(layout, on, others, reach, radius):
    """Whether both edges of some ball of the set `on` are clear."""
    for target in range(1, layout.shape[0]):
        if on >> target & 1 == 0:
            continue
        dx, dy = layout[target, 0] - layout[0, 0], layout[target, 1] - layout[0, 1]
        if math.sqrt(dx * dx + dy * dy) <= 2.0 * radius + TOUCHING_M:
            return True
        left = edge_is_clear(layout, target, others, 1.0, reach, radius)
        if left and edge_is_clear(layout, target, others, -1.0, reach, radius):
            return True
    return False


@door
def find_views(layouts, on, others, radius, out):
    """SEEN, HIDDEN or DOUBTFUL for each layout (n, 22, 2): can some ball of the set on (n,) be hit on both edges."""
    for i in range(layouts.shape[0]):
        reach = 2.0 * radius - CORRIDOR_M
        surely = sees_any(layouts[i], on[i], others[i], reach + DOUBT_M, radius)
        perhaps = sees_any(layouts[i], on[i], others[i], reach - DOUBT_M, radius)
        out[i] = SEEN if surely else (DOUBTFUL if perhaps else HIDDEN)


# --- parts of the reckoning ------------------------------------------------------------------------------------------


def lowest(balls: Ints) -> Ints:
    """The ball of least index of every set, as a set; of colours the one of least value."""
    return balls & -balls


def value_of(balls: Ints) -> Ints:
    """Points of the balls of every set together."""
    bits = balls[:, None] >> np.arange(MAX_BALLS) & 1
    values: Ints = bits @ VALUES
    return values


def is_fair(s: Strokes) -> Flags:
    return s.rulings.penalty == 0


def scored_balls(s: Strokes) -> Ints:
    """Balls that score if the stroke is fair, as sets."""
    colours = s.before.on_table & COLOURS
    declared = np.where(s.rulings.kind > 0, np.int64(1) << s.rulings.kind, 0) & s.before.on_table & COLOURS
    on = np.where(s.before.phase == PHASE_RED, s.before.on_table & REDS, lowest(colours))
    free = np.where(s.before.free_ball == 1, declared, 0)
    return s.facts.potted & np.where(s.before.phase == PHASE_COLOUR, declared, on | free)


def scored_points(s: Strokes) -> Ints:
    balls = scored_balls(s)
    low = value_of(lowest(s.before.on_table & COLOURS))
    cleared = np.where(balls != 0, low, 0)
    reds = np.bitwise_count(balls)
    points = np.choose(s.before.phase, (reds, value_of(balls), cleared, cleared, 0 * low))
    return np.where(is_fair(s), points, 0)


def gone_balls(s: Strokes) -> Ints:
    return (s.facts.potted | s.facts.off_table) & s.before.on_table


def is_last_ball(s: Strokes) -> Flags:
    return (s.before.on_table & (COLOURS | REDS) == BLACK) & (s.before.phase >= PHASE_CLEARANCE)


def is_decided(s: Strokes) -> Flags:
    """Whether the stroke was the last, or led to the re-spotted black."""
    return is_last_ball(s) & (~is_fair(s) | (scored_points(s) > 0))


def is_level(s: Strokes) -> Flags:
    best_two = np.sort(reckoned_scores(s), axis=1)[:, -2:]
    level: Flags = best_two[:, 0] == best_two[:, 1]
    return level


def is_respotted(s: Strokes) -> Flags:
    return is_decided(s) & is_level(s) if s.rules.respot_on_tie else np.zeros(len(s.nominated), np.bool_)


def is_lost_by_misses(s: Strokes) -> Flags:
    third = (s.before.misses >= LOSING_MISSES - 1) & (s.before.full_ball == 1)
    return third & (s.rulings.miss == 1)


def is_over(s: Strokes) -> Flags:
    return (is_decided(s) & ~is_respotted(s)) | is_lost_by_misses(s)


def next_player(s: Strokes) -> Ints:
    return 1 - s.before.striker


def reckoned_scores(s: Strokes) -> Ints:
    """Scores of the sides after the stroke."""
    scores, rows = s.scores.copy(), np.arange(len(s.nominated))
    scores[rows, s.before.striker] += scored_points(s)
    scores[rows, next_player(s)] += s.rulings.penalty
    return scores


def is_taken_off(s: Strokes) -> Ints:
    """Colours that stay off: the one potted in order, and whatever goes with the last foul of a frame."""
    in_order = (s.before.phase >= PHASE_CLEARANCE) & is_fair(s)
    taken = np.where(in_order, s.facts.potted & lowest(s.before.on_table & COLOURS), 0)
    taken = np.where(is_decided(s), gone_balls(s) & COLOURS, taken)
    return np.where(is_respotted(s), 0, taken)


# --- the checks ------------------------------------------------------------------------------------------------------


def check_points(s: Strokes) -> Flags:
    """Points of the balls that fell, none in a foul stroke."""
    return s.rulings.points != scored_points(s)


def check_penalty(s: Strokes) -> Flags:
    """A penalty of four to seven exactly when there is a fault, borne by one of them."""
    r = s.rulings
    foul = r.penalty > 0
    least, most = PENALTIES
    bad_label = np.where(foul, (r.label < 0) | (r.faults >> np.maximum(r.label, 0) & 1 == 0), r.label != -1)
    return bad_label | (foul != (r.faults != 0)) | (foul & ((r.penalty < least) | (r.penalty > most)))


def check_scores(s: Strokes) -> Flags:
    """Points are conserved: what was there, the striker's points, the other side's penalty."""
    wrong: Flags = (np.stack([s.after.score_0, s.after.score_1], axis=1) != reckoned_scores(s)).any(axis=1)
    return wrong


def check_break(s: Strokes) -> Flags:
    """The break goes on with the points of a striker who plays on, and else ends."""
    plays_on = scored_points(s) > 0
    expected = np.where(plays_on, s.before.break_points + s.rulings.points, 0)
    return (s.after.break_points != expected) & ~is_decided(s) & ~is_lost_by_misses(s)


def check_turn(s: Strokes) -> Flags:
    """Who scores plays on; else the next player comes."""
    expected = np.where(scored_points(s) > 0, s.before.striker, next_player(s))
    passes = np.where(is_respotted(s), 1, expected != s.before.striker)
    return (s.rulings.turn_passes != passes) | ((s.after.striker != expected) & ~is_decided(s))


def check_phase(s: Strokes) -> Flags:
    """The phase follows from what was scored and what is left."""
    red_left = s.after.on_table & REDS != 0
    scored_red = (s.before.phase == PHASE_RED) & (scored_points(s) > 0)
    low = np.where(s.before.phase == PHASE_RESPOTTED, PHASE_RESPOTTED, PHASE_CLEARANCE)
    expected = np.where(scored_red, PHASE_COLOUR, np.where(red_left, PHASE_RED, low))
    expected = np.where(is_respotted(s), PHASE_RESPOTTED, np.where(is_over(s), PHASE_OVER, expected))
    return s.after.phase != expected


def check_reds(s: Strokes) -> Flags:
    """Reds that are gone never come back, and no other goes."""
    return s.after.on_table & REDS != s.before.on_table & REDS & ~gone_balls(s)


def check_colours(s: Strokes) -> Flags:
    """Colours come back unless taken in order; all are there while a red or a free colour is on, else the highest."""
    there = s.after.on_table & COLOURS
    suffix = ((there + lowest(there)) & COLOURS == 0) & (there & BLACK != 0)
    all_there = there == COLOURS
    in_order = np.choose(s.after.phase, (all_there, all_there, suffix, there == BLACK, np.ones_like(suffix)))
    return ~in_order | (there != s.before.on_table & COLOURS & ~is_taken_off(s))


def check_cue_ball(s: Strokes) -> Flags:
    """The cue ball is in hand exactly when it left the bed, was neither placed nor struck, or the black is put back."""
    unstruck = s.facts.observed & (NO_STROKE | WRONG_CUE_BALL) != 0
    unplaced = (s.before.cue_in_hand == 1) & np.isnan(s.facts.placed_x) & unstruck
    in_hand = ((s.facts.potted | s.facts.off_table) & 1 != 0) | unplaced | is_respotted(s)
    return (s.after.cue_in_hand != in_hand) | (s.after.on_table & 1 != ~in_hand)


def check_places(s: Strokes) -> Flags:
    """Balls on the table have a place, others none; those not put back lie where they came to rest, bit for bit."""
    there = s.after.on_table[:, None] >> np.arange(MAX_BALLS) & 1 == 1
    kept = there & (s.rulings.spotted[:, None] >> np.arange(MAX_BALLS) & 1 == 0)
    absent = np.isnan(s.rulings.positions).any(axis=-1)
    moved = (s.rulings.positions != s.ends).any(axis=-1)
    wrong: Flags = ((there == absent) | (kept & moved)).any(axis=1)
    return wrong


def check_overlap(s: Strokes) -> Flags:
    """No balls overlap."""
    return s.faults[:, OVERLAPS] > 0.0


def check_bed(s: Strokes) -> Flags:
    """No ball is off the bed."""
    return s.faults[:, OFF_BED] > 0.0


def check_spots(s: Strokes) -> Flags:
    """Put back are the colours that fell and are there again, each where it belongs."""
    back = np.where(is_respotted(s), BLACK, gone_balls(s) & COLOURS & ~is_taken_off(s))
    return (s.rulings.spotted != back) | (s.faults[:, WRONG_SPOT] > 0.0)


def check_end(s: Strokes) -> Flags:
    """A frame that is over has the side with more points as its winner, or the one that did not miss three times."""
    scores = reckoned_scores(s)
    best = np.where(is_level(s), -1, scores.argmax(axis=1))
    winner = np.where(is_lost_by_misses(s), next_player(s), best)
    return s.after.winner != np.where(is_over(s), winner, -1)


def check_options(s: Strokes) -> Flags:
    """The lot for the re-spotted black, remedies after a foul, else nothing; restoring after a miss only."""
    foul = ~is_fair(s) & ~is_over(s) & ~is_respotted(s)
    restores = (s.rulings.miss == 1) | ((s.before.misses > 0) & (s.facts.observed & NO_STROKE != 0))
    angled = (s.facts.observed & ANGLED != 0) & (s.rules.angled_in_hand == 1)
    remedies = PLAY | PLAY_AGAIN | np.where(restores, RESTORE, 0) | np.where(angled, IN_HAND, 0)
    expected = np.where(is_respotted(s), LOT, np.where(foul, remedies, 0))
    offender = np.where(foul, s.before.striker, -1)
    return (s.after.options != expected) | (s.after.offender != offender)


def check_free_ball(s: Strokes) -> Flags:
    """A free ball is offered after a foul that leaves no ball on in full view, and not otherwise."""
    foul = ~is_fair(s) & ~is_over(s) & ~is_respotted(s)
    rows = np.flatnonzero(foul & (s.after.cue_in_hand == 0))
    reds, colours = s.after.on_table & REDS, s.after.on_table & COLOURS
    on = np.where(reds != 0, reds, lowest(colours))
    view = np.full(len(foul), DOUBTFUL)
    seen = view[rows]
    find_views(s.rulings.positions[rows], on[rows], (s.after.on_table & ~on & ~1)[rows], s.rules.ball_radius, seen)
    view[rows] = seen
    wrong = (view != DOUBTFUL) & (s.after.free_ball != (view == HIDDEN))
    return wrong | (~foul & (s.after.free_ball != 0))


def check_misses(s: Strokes) -> Flags:
    """A miss is a foul; misses in a row are counted, and forgotten with the first stroke that is none."""
    unstruck = ~is_fair(s) & (s.facts.observed & (NO_STROKE | WRONG_CUE_BALL) != 0) & ~is_decided(s)
    other = np.where(unstruck, s.before.misses, 0)
    expected = np.where(s.rulings.miss == 1, s.before.misses + 1, other)
    counted = ~is_lost_by_misses(s)
    return (counted & (s.after.misses != expected)) | ((s.rulings.miss == 1) & is_fair(s))


def check_constants(s: Strokes) -> Flags:
    """What a stroke never changes; nothing is declared beforehand."""
    return (s.after.first_striker != s.before.first_striker) | (s.after.nominated != 0)


CHECKS: dict[str, Callable[[Strokes], Flags]] = {
    "points": check_points,
    "penalty": check_penalty,
    "scores": check_scores,
    "break": check_break,
    "turn": check_turn,
    "phase": check_phase,
    "reds": check_reds,
    "colours": check_colours,
    "cue ball": check_cue_ball,
    "places": check_places,
    "overlap": check_overlap,
    "off the bed": check_bed,
    "spots": check_spots,
    "end": check_end,
    "options": check_options,
    "free ball": check_free_ball,
    "misses": check_misses,
    "constants": check_constants,
}


def violations(strokes: Strokes) -> dict[str, Ints]:
    """Strokes (indices) that violate each check; checks that all pass are left out."""
    found = {name: np.flatnonzero(check(strokes)) for name, check in CHECKS.items()}
    return {name: rows for name, rows in found.items() if len(rows)}


def marks_of(table: simcore.Table, rules: RuleSet) -> Constants:
    """The numbers that the checks of places need."""
    return constants(table, simcore.Physics.snooker(R=rules.ball_radius))
