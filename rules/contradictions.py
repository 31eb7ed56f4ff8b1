"""Facts of one stroke that contradict each other or the frame: one table for single strokes, batches and scorers.

A contradiction is known by its place in `CONTRADICTIONS`, which has its sentence. Most are pairs of things that cannot
both be so (`PAIRS`): what was observed, or a circumstance found from the frame and the other facts. The rest are sets
of balls in which some ball cannot be. The first in the order of the table is the one told.

Told of a miss (`OF_A_MISS`), or of a striker who was hampered, a fact is refused too where no ruling could hear it.
"""

from typing import NamedTuple

from rules.ball_on import reds_of
from rules.bed import Bed, may_be_placed, narrower
from rules.faults import StrokeCase, is_credited, is_struck
from rules.miss import has_full_target, hit_what_may_be_hit, miss_targets
from rules.outcome import cue_position, not_to_snooker
from rules.ruleset import MAX_BALLS, RED, RuleSet, ball_names
from rules.state import (
    AIMED_AT_RED,
    ANGLED,
    BALL_SETS,
    BEHIND_FREE_BALL,
    CONFERRING,
    DOUBLE_HIT,
    FEET_OFF_FLOOR,
    FULL_BALL_ON,
    HAMPERED,
    IMPOSSIBLE,
    INTENTIONAL,
    JUMP,
    MISS_JUDGED,
    NEXT_SNOOKERED,
    NO_STROKE,
    NOT_DECLARED,
    OBSERVED_NAMES,
    PHASE_COLOUR,
    PHASE_RED,
    PLACED_OUTSIDE_D,
    PUSH,
    WOULD_BE_HIT,
    WRONG_CUE_BALL,
    Facts,
    Floats,
    FrameState,
    count_balls,
)
from rules.tolerances import SPOTTING_GAP, TOLD_TOUCHING_GAP
from simcore.kernel.jit import inlined_kernel, kernel

CIRCUMSTANCES = (  # bits after those of OBSERVED_NAMES, with the words for them
    "no free ball was named",
    "the cue ball was not in hand",
    "it was placed in the D",
    "in singles nobody has a partner",
    "there is no red that was not to be played",
    "a ball was nominated",
    "a ball on was hit",
    "no stroke was made with the cue ball",
    "a stroke was made",
    "the frame begins with its first stroke (3.2.2): before it nothing is a foul",
    "no ball on could be hit full from where the balls lie",
    "nothing fell (fell)",
    "another fact needs a stroke (moving, jumped_before, played_by)",
    "nearest_gap is more than 0",
    "nearest_gap = 0",
    "no ball was hit",
)
(
    NO_NOMINEE,
    NOT_IN_HAND,
    IN_THE_D,
    SINGLES,
    NO_RED_NOT_ON,
    NOMINATED,
    BALL_ON_HIT,
    UNSTRUCK,
    STRUCK,
    NOT_BEGUN,
    NO_FULL_BALL,
    NOTHING_FELL,
    PART_OF_STROKE,
    SOME_GAP,
    NO_GAP,
    NOTHING_MET,
) = (1 << len(OBSERVED_NAMES) + i for i in range(len(CIRCUMSTANCES)))
WORDS = (*(f"{name} was observed" for name in OBSERVED_NAMES), *CIRCUMSTANCES)

OF_A_MISS = (MISS_JUDGED, INTENTIONAL, FULL_BALL_ON, IMPOSSIBLE)  # said of an attempt that reached no ball on
OF_A_STROKE = (DOUBLE_HIT, PUSH, JUMP, FEET_OFF_FLOOR, PLACED_OUTSIDE_D, WRONG_CUE_BALL, AIMED_AT_RED, WOULD_BE_HIT)
PAIRS = (
    (BEHIND_FREE_BALL, NO_NOMINEE),
    (PLACED_OUTSIDE_D, NOT_IN_HAND),
    (PLACED_OUTSIDE_D, IN_THE_D),
    (CONFERRING, SINGLES),
    (AIMED_AT_RED, NO_RED_NOT_ON),
    (NOT_DECLARED, NOMINATED),
    (NO_STROKE, NOT_BEGUN),
    *((NO_STROKE, flag) for flag in (*OF_A_STROKE, PART_OF_STROKE)),
    (WOULD_BE_HIT, NOTHING_FELL),
    *((flag, BALL_ON_HIT) for flag in (*OF_A_MISS, SOME_GAP)),
    *((flag, UNSTRUCK) for flag in OF_A_MISS),
    (NO_GAP, NOTHING_MET),
    (HAMPERED, STRUCK),
    (IMPOSSIBLE, FULL_BALL_ON),
    (FULL_BALL_ON, NO_FULL_BALL),
    (ANGLED, NEXT_SNOOKERED),
    (ANGLED, BEHIND_FREE_BALL),
)

MAY_BE_CUE = ("potted", "off_table", "touched", "moving")  # sets of facts in which the cue ball may be
OBJECT_SETS = tuple(i for i, name in enumerate(BALL_SETS) if name not in MAY_BE_CUE)
EXCLUSIVE = (  # sets of facts in which no ball can be both
    ("potted", "off_table"),
    *((name, "fell") for name in ("potted", "off_table", "first_contacts", "touching_moved", "touched", "moving")),
    *((name, "fell") for name in ("unspotted", "misspotted")),
    *((name, "unspotted") for name in ("misspotted", "first_contacts", "potted", "off_table", "touching", "moving")),
    *((name, "unspotted") for name in ("jumped_before", "jumped_after")),
)
EXCLUSIVE_SETS = tuple((BALL_SETS.index(first), BALL_SETS.index(second)) for first, second in EXCLUSIVE)
ODD_SETS = (  # of which no ball can be, in the order of `odd_sets`
    "touching_moved: {balls} was not touching",
    "unspotted, misspotted: {balls} has no spot; expected colours",
    "unspotted, moving: {balls}, yet nothing was struck before in this frame",
    "misspotted: {balls} lies on its own spot",
    f"touching: {{balls}} lies more than {1e3 * TOLD_TOUCHING_GAP:g} mm from the cue ball",
    "no_stroke was observed, yet {balls} was hit, moved or potted",
    "jumped_after: {balls}, yet the cue ball hit no ball before",
    "potted, off_table: {balls}, yet nothing was hit or touched (first_contacts, touched)",
)
CONTRADICTIONS = (
    *(f"{name}: {{balls}} was not on the table before the stroke" for name in BALL_SETS),
    *(f"{BALL_SETS[i]}: the cue ball cannot be one of them" for i in OBJECT_SETS),
    *(f"{{balls}} cannot be in both {first} and {second}" for first, second in EXCLUSIVE),
    *ODD_SETS,
    "the cue ball was placed although it was not in hand",
    "positions: {balls} has a place, yet it was not on the table before the stroke",
    *(f"{WORDS[one.bit_length() - 1]}, yet {WORDS[other.bit_length() - 1]}" for one, other in PAIRS),
)
FIRST_CUE = len(BALL_SETS)
FIRST_EXCLUSIVE = FIRST_CUE + len(OBJECT_SETS)
FIRST_ODD = FIRST_EXCLUSIVE + len(EXCLUSIVE)
PLACED_NOT_IN_HAND = FIRST_ODD + len(ODD_SETS)
PLACE_OF_ABSENT = PLACED_NOT_IN_HAND + 1
FIRST_PAIR = PLACE_OF_ABSENT + 1


class Found(NamedTuple):
    """What contradicts what."""

    number: int  # in CONTRADICTIONS, -1 = nothing
    balls: int  # the set of balls concerned, 0 = none


@kernel
def ball_sets(facts: Facts) -> tuple[int, ...]:
    """The facts that are sets of balls, in the order of BALL_SETS."""
    return (
        facts.first_contacts,
        facts.potted,
        facts.off_table,
        facts.touching,
        facts.touching_moved,
        facts.touched,
        facts.moving,
        facts.unspotted,
        facts.misspotted,
        facts.jumped_before,
        facts.jumped_after,
        facts.fell,
    )


@kernel
def is_not_begun(rules: RuleSet, state: FrameState) -> bool:
    """Whether the frame has had no stroke yet (3.2.2): any leaves the cue ball on the table, or gives a penalty."""
    whole = count_balls(reds_of(rules, state.on_table)) == rules.n_reds
    return whole and state.phase == PHASE_RED and state.cue_in_hand != 0 and state.scores == rules.handicap


@kernel
def on_own_spot(rules: RuleSet, bed: Bed, balls: int, positions: Floats) -> int:
    """The balls of a set that are known to lie on their own spots."""
    found = 0
    for ball in range(1, RED if rules.positions_known != 0 else 1):
        dx, dy = positions[ball, 0] - bed.spot_x[ball], positions[ball, 1] - bed.spot_y[ball]
        if balls >> ball & 1 != 0 and dx * dx + dy * dy < SPOTTING_GAP * SPOTTING_GAP:
            found |= 1 << ball
    return found


@kernel
def lying_apart(rules: RuleSet, facts: Facts, positions: Floats, cx: float, cy: float) -> int:
    """Balls told as touching that lie apart: within TOLD_TOUCHING_GAP the referee's eye decides, not beyond (3.7).

    Nothing is said of balls that moved before the stroke, or of a cue ball whose place in hand is not told.
    """
    if rules.positions_known == 0 or facts.touching == 0 or (facts.moving | facts.touched) & 1 != 0:
        return 0
    found, at_rest = 0, facts.touching & ~facts.moving & ~facts.touched
    reach = 2.0 * rules.ball_radius + TOLD_TOUCHING_GAP
    for ball in range(1, positions.shape[0]):
        dx, dy = positions[ball, 0] - cx, positions[ball, 1] - cy
        if at_rest >> ball & 1 != 0 and dx * dx + dy * dy > reach * reach:
            found |= 1 << ball
    return found


@kernel
def odd_sets(
    rules: RuleSet, bed: Bed, state: FrameState, facts: Facts, before: Floats
) -> tuple[int, int, int, int, int, int, int, int]:
    """The sets of ODD_SETS, 0 = nothing odd."""
    cx, cy = cue_position(facts, before)
    late = facts.unspotted | facts.moving & ~1
    hit, gone = facts.first_contacts | facts.touching_moved, facts.potted | facts.off_table
    no_stroke = facts.observed & NO_STROKE != 0
    unmoved = (hit | facts.touched | facts.moving) == 0 and facts.observed & WRONG_CUE_BALL == 0
    return (
        facts.touching_moved & ~facts.touching,
        (facts.unspotted | facts.misspotted) & rules.kind_masks[RED],
        late if late != 0 and is_not_begun(rules, state) else 0,
        on_own_spot(rules, bed, facts.misspotted, before),
        lying_apart(rules, facts, before, cx, cy),
        (hit | (0 if facts.touched != 0 else gone)) if no_stroke else 0,
        facts.jumped_after if facts.first_contacts == 0 else 0,
        gone & ~1 if unmoved else 0,
    )


@kernel
def may_be_full(bed: Bed, case: StrokeCase, before: Floats) -> bool:
    """Whether a ball on may be seen full: from where the balls lie if that is known, as an eye may see them lie."""
    cx, cy = cue_position(case.facts, before)
    if case.rules.positions_known == 0 or cx != cx or case.facts.touched | case.facts.moving != 0:
        return True
    targets = miss_targets(case.rules, case.state, case.aim)
    narrow = narrower(bed, 0.5 * TOLD_TOUCHING_GAP)
    return has_full_target(narrow, before, targets, case.state.on_table & ~targets & ~1, cx, cy)


@kernel
def circumstances(bed: Bed, case: StrokeCase, declared: int, before: Floats) -> int:
    """What is so in a stroke, as a set of CIRCUMSTANCES; those that only some fact asks for are left out without it."""
    rules, state, facts = case.rules, case.state, case.facts
    found = 0 if not_to_snooker(rules, state, case.aim) != 0 else NO_NOMINEE
    if state.cue_in_hand == 0:
        found |= NOT_IN_HAND
    elif facts.placed_x == facts.placed_x and may_be_placed(bed, state.cue_in_hand, facts.placed_x, facts.placed_y):
        found |= IN_THE_D
    if rules.n_players == rules.n_sides:
        found |= SINGLES
    if state.phase != PHASE_COLOUR or reds_of(rules, state.on_table) == 0:
        found |= NO_RED_NOT_ON
    if declared != 0:
        found |= NOMINATED
    if hit_what_may_be_hit(case):
        found |= BALL_ON_HIT
    found |= (0 if is_struck(facts) else UNSTRUCK) | (STRUCK if facts.observed & NO_STROKE == 0 else 0)
    if facts.touched & 1 == 0 and is_not_begun(rules, state):
        found |= NOT_BEGUN
    if facts.observed & FULL_BALL_ON != 0 and not may_be_full(bed, case, before):
        found |= NO_FULL_BALL
    if facts.fell == 0:
        found |= NOTHING_FELL
    if facts.moving != 0 or facts.jumped_before != 0 or facts.played_by >= 0:
        found |= PART_OF_STROKE
    if facts.nearest_gap == facts.nearest_gap:
        found |= SOME_GAP if facts.nearest_gap > 0.0 else NO_GAP
    if facts.first_contacts | facts.touching_moved == 0 and not is_credited(case):
        found |= NOTHING_MET
    return found


@inlined_kernel
def contradiction(bed: Bed, case: StrokeCase, nominated: int, before: Floats) -> Found:
    """The first contradiction in the facts of a stroke.

    nominated: kind declared with the stroke, 0 = none. before: positions (n_balls, 2), m, as the striker found them.
    """
    rules, state, facts = case.rules, case.state, case.facts
    sets = ball_sets(facts)
    for i in range(len(sets)):
        if sets[i] & ~(state.on_table | 1) != 0:
            return Found(i, sets[i] & ~(state.on_table | 1))
    for i in range(len(OBJECT_SETS)):
        if sets[OBJECT_SETS[i]] & 1 != 0:
            return Found(FIRST_CUE + i, 1)
    for i in range(len(EXCLUSIVE_SETS)):
        both = sets[EXCLUSIVE_SETS[i][0]] & sets[EXCLUSIVE_SETS[i][1]]
        if both != 0:
            return Found(FIRST_EXCLUSIVE + i, both)
    odd = odd_sets(rules, bed, state, facts, before)
    for i in range(len(odd)):
        if odd[i] != 0:
            return Found(FIRST_ODD + i, odd[i])
    if state.cue_in_hand == 0 and facts.placed_x == facts.placed_x:
        return Found(PLACED_NOT_IN_HAND, 0)
    if facts.observed == 0 and facts.nearest_gap != facts.nearest_gap:
        return Found(-1, 0)  # each pair has something observed, or the gap
    declared = nominated if nominated > 0 else state.nominated
    told = facts.observed | circumstances(bed, case, declared, before)
    for i in range(len(PAIRS)):
        if told & PAIRS[i][0] != 0 and told & PAIRS[i][1] != 0:
            return Found(FIRST_PAIR + i, 0)
    return Found(-1, 0)


@kernel
def places_of_absent(state: FrameState, after: Floats) -> Found:
    """The object balls that came to rest at a place, (n_balls, 2), m, though they were not there before the stroke.

    Nothing is said of a ball that fell or left the table in it: where it lay may be left as its place.
    """
    found = 0
    for ball in range(1, after.shape[0]):
        if state.on_table >> ball & 1 == 0 and after[ball, 0] == after[ball, 0]:
            found |= 1 << ball
    return Found(PLACE_OF_ABSENT if found != 0 else -1, found)


def sentence(found: Found) -> str:
    """What contradicts what, in words."""
    names = ball_names(found.balls) or (f"a ball beyond {MAX_BALLS - 1}",)
    return CONTRADICTIONS[found.number].format(balls=", ".join(names))
