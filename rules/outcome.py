"""From a stroke's facts to the next state: points, turn, phase, spotting, free ball, miss, options, end of the frame.

`rule_stroke` is the whole referee for one stroke in the compiled subset; Python and batches call it alike. It decides
with the phase before the stroke (a colour after the last red comes back, one taken in order does not; spec 2.2).

Not modelled: a fallen ball's place at the pocket that another ball has taken meanwhile.
"""

import math
from typing import NamedTuple

from rules.ball_on import (
    BallsOn,
    balls_on,
    balls_on_of,
    colours_of,
    highest_value,
    kind_in_force,
    lowest_colour,
    reds_of,
)
from rules.bed import Bed, may_be_placed
from rules.faults import StrokeCase, Verdict, is_replayed, is_struck, is_to_be_counted, verdict_on
from rules.miss import (
    MISSES_THAT_LOSE,
    has_clear_target,
    has_full_target,
    hit_what_may_be_hit,
    is_excused_by_score,
    is_miss,
    miss_targets,
)
from rules.ruleset import ANY_FOUL, BLACK, FULL_BALL_MISS, LAST_MISS, PINK, RuleSet
from rules.sides import (
    leading_sides,
    lot_options,
    only_side,
    played_out_of_turn,
    player_after,
    player_of,
    side_of,
    sides_paid,
    with_points,
)
from rules.snookered import is_angled, snooker_at, snooker_on, snooker_to_play
from rules.spotting import spot_balls
from rules.state import (
    ANGLED,
    ANYWHERE,
    BEHIND_FREE_BALL,
    FREE_BALL,
    FULL_BALL_ON,
    HAMPERED,
    IN_HAND,
    KEEP_BALL_ON,
    NEXT_SNOOKERED,
    NO_STROKE,
    PHASE_CLEARANCE,
    PHASE_COLOUR,
    PHASE_OVER,
    PHASE_RED,
    PHASE_RESPOTTED,
    PLACED_OUTSIDE_D,
    PLAY,
    PLAY_AGAIN,
    REPLACE_BALLS,
    RESTORE,
    WRONG_CUE_BALL,
    Facts,
    Floats,
    FrameState,
    Scores,
    changed,
    count_balls,
    is_at_most_one,
)
from simcore.kernel.jit import door, inlined_kernel, kernel


class Outcome(NamedTuple):
    """What one stroke led to."""

    state: FrameState  # the next state, options included
    points: int  # scored by the striker
    penalty: int  # scored by the other side
    faults: int  # set of faults, bit i = FAULTS[i]
    label: int  # index of the fault that bears the penalty, -1 = fair
    spotted: int  # set of colours put back
    miss: int  # 1: a miss was called
    turn_passes: int  # 1: the striker does not play on
    kind: int  # kind declared or inferred, 0 = none


@kernel
def cue_position(facts: Facts, before: Floats) -> tuple[float, float]:
    """Where the cue ball was struck from: its placement, else where it lay; nan = in hand and not told."""
    if facts.placed_x == facts.placed_x:
        return facts.placed_x, facts.placed_y
    return before[0, 0], before[0, 1]


@kernel
def was_placed_outside(bed: Bed, state: FrameState, facts: Facts) -> int:
    """1 if the cue ball was in hand and placed outside the D, or where else it had to be placed."""
    if state.cue_in_hand == 0 or facts.placed_x != facts.placed_x:
        return 0
    return 0 if may_be_placed(bed, state.cue_in_hand, facts.placed_x, facts.placed_y) else 1


@kernel
def is_in_hand_after(state: FrameState, facts: Facts) -> int:
    """1 if the cue ball is to be placed next: it left the bed, or was in hand and neither placed nor struck (2.7)."""
    if is_replayed(facts):
        return state.cue_in_hand
    if (facts.potted | facts.off_table) & 1 != 0:
        return 1
    placed = facts.placed_x == facts.placed_x or facts.observed & PLACED_OUTSIDE_D != 0
    unplaced = state.cue_in_hand != 0 and not placed
    return 1 if unplaced and facts.observed & (NO_STROKE | WRONG_CUE_BALL) != 0 else 0


@kernel
def balls_left(state: FrameState, facts: Facts) -> int:
    """Balls on the bed when the stroke has ended and no colour has been put back."""
    if is_replayed(facts):
        return state.on_table
    left = (state.on_table | 1) & ~facts.potted & ~facts.off_table
    return left & ~is_in_hand_after(state, facts)


@kernel
def lift_absent(positions: Floats, on_table: int) -> None:
    """Write nan for every ball not in the set `on_table`."""
    for ball in range(positions.shape[0]):
        if on_table >> ball & 1 == 0:
            positions[ball, 0] = math.nan
            positions[ball, 1] = math.nan


@kernel
def replace_fallen(facts: Facts, before: Floats, after: Floats) -> None:
    """Put back what fell unhit: that ball, or every ball if the stroke would have hit it (3.8, WPBSA 3.9)."""
    everything = is_replayed(facts)
    for ball in range(after.shape[0]):
        if everything or facts.fell >> ball & 1 != 0:
            after[ball, 0] = before[ball, 0]
            after[ball, 1] = before[ball, 1]


@kernel
def is_last_ball(rules: RuleSet, state: FrameState) -> bool:
    """Whether only the final colour is left, or it was put back: the next score or foul ends the frame (3.3.8)."""
    if state.phase == PHASE_RESPOTTED:
        return True
    return state.phase == PHASE_CLEARANCE and count_balls(colours_of(rules, state.on_table)) == 1


@kernel
def next_phase(rules: RuleSet, state: FrameState, on_table: int, scored: bool) -> int:
    """Phase of the next stroke (spec 2.2, 5.1.3)."""
    if scored and state.phase == PHASE_RED:
        return PHASE_COLOUR
    if reds_of(rules, on_table) != 0:
        return PHASE_RED
    return PHASE_RESPOTTED if state.phase == PHASE_RESPOTTED else PHASE_CLEARANCE


@kernel
def is_snookered_after(rules: RuleSet, bed: Bed, state: FrameState, facts: Facts, positions: Floats) -> bool:
    """Whether the player who comes to `state` is snookered, as told or by geometry."""
    told = facts.observed & (NEXT_SNOOKERED | BEHIND_FREE_BALL) != 0
    return told or (rules.positions_known != 0 and snooker_on(rules, bed, state, positions, 0).is_snookered != 0)


@kernel
def not_to_snooker(rules: RuleSet, state: FrameState, aim: BallsOn) -> int:
    """Balls behind which the striker must not leave the next player snookered: a nominee, in six-red any colour on."""
    return aim.on if rules.nominee_snookers != 0 and state.phase == PHASE_COLOUR else aim.nominee


@kernel
def is_behind_nominee(case: StrokeCase, bed: Bed, spotted: int, after: Floats) -> bool:
    """Whether the nominee is the effective ball that snookers the next player (3.9.4b, WPBSA 3.12(b)(ii)).

    Asked when the turn passes, with the set `spotted` back on the table. With only pink and black left it is allowed. A
    nominee that left the table no longer counts.
    """
    rules, state, facts = case.rules, case.state, case.facts
    nominee = not_to_snooker(rules, state, case.aim)
    gone = facts.potted | facts.off_table
    no_stroke = facts.observed & NO_STROKE != 0 or is_replayed(facts)
    if nominee & ~gone == 0 or no_stroke or is_in_hand_after(state, facts) != 0:
        return False
    left = balls_left(state, facts) | spotted
    reds = reds_of(rules, left)
    if reds == 0 and colours_of(rules, left) == rules.kind_masks[PINK] | rules.kind_masks[BLACK]:
        return False
    if facts.observed & BEHIND_FREE_BALL != 0 or rules.positions_known == 0:
        return facts.observed & BEHIND_FREE_BALL != 0
    # The nominee is an ordinary ball again for the next player, so the balls on are the real ones.
    on = reds if reds != 0 else rules.kind_masks[lowest_colour(rules, left)]
    snooker = snooker_at(rules, bed, after, on, left & ~on & ~1, after[0, 0], after[0, 1])
    return snooker.is_snookered != 0 and snooker.effective & nominee != 0


@kernel
def open_state(
    state: FrameState, phase: int, on_table: int, striker: int, in_hand: int, scores: Scores, break_points: int
) -> FrameState:
    """Next state with nothing declared, offered or counted yet; who conceded stays out of it."""
    return FrameState(
        phase=phase,
        on_table=on_table,
        nominated=0,
        free_ball=0,
        striker=striker,
        first_striker=state.first_striker,
        turn=-1,
        cue_in_hand=in_hand,
        break_points=break_points,
        colour_points=0,
        nominee_back=0,
        options=0,
        offender=-1,
        misses=0,
        full_ball=0,
        winner=-1,
        conceded=state.conceded,
        scores=scores,
    )


@kernel
def finished(state: FrameState, winner: int) -> FrameState:
    """The state of a frame that is over, its break, misses and scores left as they were."""
    plain = changed(state, free_ball=0, options=0, offender=-1, colour_points=0, nominee_back=0, conceded=0)
    return changed(plain, phase=PHASE_OVER, winner=winner)


@kernel
def respotted(rules: RuleSet, state: FrameState, level: int) -> FrameState:
    """The tied frame with the black back, the cue ball in hand, and the lot open to sides that are level (3.3.8)."""
    black = rules.kind_masks[BLACK]
    again = open_state(state, PHASE_RESPOTTED, black, state.striker, 1, state.scores, 0)
    return changed(again, options=lot_options(rules, level))


@kernel
def end_of_frame(rules: RuleSet, state: FrameState) -> FrameState:
    """What follows the last score or foul: a winner, or level scores and the black re-spotted (3.3.8, spec 10)."""
    level = leading_sides(rules, state.scores, True, state.conceded)
    if rules.respot_on_tie != 0 and not is_at_most_one(level):
        return respotted(rules, state, level)
    return finished(state, only_side(leading_sides(rules, state.scores, False, state.conceded)))


@kernel
def points_of(case: StrokeCase, scored: int) -> int:
    """Points of a fair stroke: one a red (nominee too) with reds on, else the ball on once (3.3.5b, 3.9.7)."""
    if scored == 0:
        return 0
    if case.state.phase != PHASE_RED:
        return case.aim.value
    reds = scored & ~case.aim.nominee
    return count_balls(reds if reds != 0 and case.rules.nominee_with_reds == 0 else scored) * case.aim.value


@kernel
def after_fair(case: StrokeCase) -> Outcome:
    """Outcome of a fair stroke (spec 2.2)."""
    state = case.state
    scored = case.facts.potted & case.aim.playable
    spotted = scored if state.phase == PHASE_COLOUR else scored & case.aim.nominee
    on_table = balls_left(state, case.facts) | spotted
    points = points_of(case, scored)
    scores = with_points(state.scores, 1 << side_of(case.rules, state.striker), points)
    striker = state.striker if scored != 0 else player_after(case.rules, state, case.facts)
    phase = next_phase(case.rules, state, on_table, scored != 0)
    break_points = state.break_points + points if scored != 0 else 0
    following = open_state(state, phase, on_table, striker, 0, scores, break_points)
    if on_table & ~1 == 0:
        following = end_of_frame(case.rules, following)
        spotted = following.on_table & ~1
    elif spotted != 0:
        is_colour = state.phase == PHASE_COLOUR
        following = changed(following, colour_points=points if is_colour else 0, nominee_back=0 if is_colour else 1)
    passes = 1 if scored == 0 or following.phase == PHASE_RESPOTTED else 0
    return Outcome(following, points, 0, 0, -1, spotted, 0, passes, case.kind)


@kernel
def scores_after_foul(case: StrokeCase, penalty: int) -> Scores:
    """Penalty to the other side; a stroke before the colour just potted was back cancels its points (WPBSA 3.3(g))."""
    state, rules = case.state, case.rules
    following = player_after(rules, state, case.facts)
    paid = sides_paid(rules, state, player_of(state, case.facts), following)
    scores = with_points(state.scores, paid, penalty)
    early = case.facts.observed & NO_STROKE == 0 and not played_out_of_turn(state, case.facts)
    due = highest_value(rules, case.facts.unspotted) == state.colour_points
    if early and due and rules.early_stroke_cancels != 0:
        scores = with_points(scores, 1 << side_of(rules, state.striker), -state.colour_points)
    return scores


@kernel
def foul_state(case: StrokeCase, penalty: int, spotted: int) -> FrameState:
    """State after a foul before its remedies: penalty to the other side, turn over, colour privilege gone (5.1)."""
    state = case.state
    on_table = balls_left(state, case.facts) | spotted
    phase = next_phase(case.rules, state, on_table, False)
    in_hand = is_in_hand_after(state, case.facts)
    striker = player_after(case.rules, state, case.facts)
    return open_state(state, phase, on_table, striker, in_hand, scores_after_foul(case, penalty), 0)


@kernel
def is_hampered_foul(case: StrokeCase, bed: Bed, before: Floats) -> bool:
    """Whether a striker who was snookered or hampered fouled a ball in preparing his stroke (WPBSA 3.11(i)).

    That he was snookered is seen from the places, or told; that he was hampered in another way is told.
    """
    rules, facts = case.rules, case.facts
    if rules.hampered_restores == 0 or facts.observed & NO_STROKE == 0 or facts.touched == 0:
        return False
    if facts.observed & HAMPERED != 0 or rules.positions_known == 0:
        return facts.observed & HAMPERED != 0
    return snooker_to_play(rules, bed, case.state, before, case.kind).is_snookered != 0


@kernel
def had_choice(state: FrameState) -> bool:
    """Whether a colour or a free ball was on, which a foul takes from the striker unless it is left to him."""
    return state.phase == PHASE_COLOUR or state.free_ball != 0


@kernel
def is_table_free(case: StrokeCase, following: FrameState, is_last_miss: bool) -> bool:
    """Whether the next player may place the cue ball anywhere: never when snookers are required (spec 11.1)."""
    free = case.rules.free_table
    if not (free == ANY_FOUL or (free == LAST_MISS and is_last_miss)):
        return False
    return not is_excused_by_score(case.rules, case.state, following)


@kernel
def options_after_foul(case: StrokeCase, miss: bool, free_ball: bool, angled: bool, hampered: bool) -> int:
    """Decisions open to the next player (3.10.3, WPBSA 3.11, 3.14; 2.16 for the angled ball of the old text)."""
    options = PLAY | PLAY_AGAIN
    if free_ball:
        options |= FREE_BALL
    # A foul made while addressing a replaced position leaves replacement open, though it is no miss (WPBSA 3.14(e)).
    replaced = case.state.misses > 0 and case.facts.observed & NO_STROKE != 0
    if miss or hampered or (replaced and case.rules.miss_rule == FULL_BALL_MISS):
        options |= RESTORE
    if hampered and had_choice(case.state):  # else the ball on is the same in any case
        options |= KEEP_BALL_ON | REPLACE_BALLS
    if angled:
        options |= IN_HAND
    return options


@kernel
def misses_in_a_row(case: StrokeCase, miss: bool) -> int:
    """Misses called in a row: another one, none, or as before if the foul came without a stroke (WPBSA 3.14(e))."""
    if miss:
        return case.state.misses + 1
    return 0 if is_struck(case.facts) else case.state.misses


@kernel
def with_miss(
    case: StrokeCase, bed: Bed, before: Floats, following: FrameState, angled: bool
) -> tuple[FrameState, int]:
    """The state after a foul with options and the count of misses, and 1 if a miss was called (WPBSA 3.14).

    A third failure in a row from one position, with a full ball on offer at the first, loses the frame.
    """
    state = case.state
    is_full = case.facts.observed & FULL_BALL_ON != 0
    is_clear = is_full
    if is_struck(case.facts) and not hit_what_may_be_hit(case) and case.rules.positions_known != 0:
        cx, cy = cue_position(case.facts, before)
        targets = miss_targets(case.rules, state, case.aim)
        others = state.on_table & ~targets & ~1
        if cx == cx:
            is_clear = is_clear or has_clear_target(bed, before, targets, others, cx, cy)
            is_full = is_full or has_full_target(bed, before, targets, others, cx, cy)
    full_ball = state.full_ball if state.misses > 0 else (1 if is_full else 0)
    miss = is_miss(case, following, is_clear, state.misses > 0 and full_ball != 0)
    misses = misses_in_a_row(case, miss)
    by_clauses = case.rules.miss_rule == FULL_BALL_MISS  # the old texts know no three misses (D9)
    if miss and by_clauses and full_ball != 0 and misses >= MISSES_THAT_LOSE:
        return finished(following, side_of(case.rules, following.striker)), 1
    hampered = is_hampered_foul(case, bed, before)
    is_last_miss = miss and case.rules.max_misses > 0 and misses >= case.rules.max_misses
    options = options_after_foul(case, miss and not is_last_miss, following.free_ball != 0, angled, hampered)
    if is_table_free(case, following, is_last_miss):
        options |= ANYWHERE
    full_ball = full_ball if misses > 0 else 0
    called = 1 if miss else 0
    offender = player_of(state, case.facts)
    return changed(following, options=options, offender=offender, misses=misses, full_ball=full_ball), called


@kernel
def may_play_from_hand(case: StrokeCase, bed: Bed, following: FrameState, after: Floats) -> bool:
    """Whether the next player is angled, by geometry or as observed, where that lets him play from in hand (2.16)."""
    if case.rules.angled_in_hand == 0 or following.cue_in_hand != 0 or following.free_ball != 0:
        return False
    if case.facts.observed & ANGLED != 0 or case.rules.positions_known == 0:
        return case.facts.observed & ANGLED != 0
    return is_angled(bed, after, balls_on(case.rules, following, 0), after[0, 0], after[0, 1])


@kernel
def spot_after_foul(case: StrokeCase, bed: Bed, after: Floats) -> int:
    """Put back the colours that a foul stroke took off, or that were not back before it; which, as a set."""
    if is_last_ball(case.rules, case.state):
        return 0
    gone = 0 if is_replayed(case.facts) else (case.facts.potted | case.facts.off_table) & case.state.on_table
    spotted = colours_of(case.rules, gone | case.facts.unspotted)
    spot_balls(case.rules, bed, after, spotted)
    return spotted


@kernel
def after_foul(case: StrokeCase, bed: Bed, verdict: Verdict, spotted: int, before: Floats, after: Floats) -> Outcome:
    """Outcome of a foul (spec 5.1); spotted: colours already put back. Writes a re-spotted black into `after`."""
    miss = 0
    following = foul_state(case, verdict.penalty, spotted)
    if is_last_ball(case.rules, case.state):
        following = end_of_frame(case.rules, following)
        spotted = following.on_table if following.phase == PHASE_RESPOTTED else 0
        spot_balls(case.rules, bed, after, spotted)
    else:
        is_snookered = is_snookered_after(case.rules, bed, following, case.facts, after)
        following = changed(following, free_ball=1 if is_snookered and case.rules.free_balls != 0 else 0)
        angled = may_play_from_hand(case, bed, following, after)
        following, miss = with_miss(case, bed, before, following, angled)
    return Outcome(following, 0, verdict.penalty, verdict.faults, verdict.label, spotted, miss, 1, case.kind)


@inlined_kernel
def stroke_case(rules: RuleSet, bed: Bed, state: FrameState, facts: Facts, nominated: int) -> StrokeCase:
    """A stroke as its predicates see it; nominated: kind declared with the stroke, 0 = none."""
    kind = kind_in_force(rules, state, nominated, facts.first_contacts)
    outside = was_placed_outside(bed, state, facts)
    return StrokeCase(rules, state, facts, balls_on_of(rules, state, kind), kind, outside, 0)


@inlined_kernel
def rule_case(case: StrokeCase, bed: Bed, before: Floats, after: Floats) -> Outcome:
    """`rule_stroke` of a case."""
    rules, state, facts, aim = case.rules, case.state, case.facts, case.aim
    replace_fallen(facts, before, after)
    lift_absent(after, balls_left(state, facts))
    verdict = verdict_on(case)
    spotted = spot_after_foul(case, bed, after) if verdict.penalty > 0 else 0
    passes = verdict.penalty > 0 or facts.potted & aim.playable == 0
    if passes and is_behind_nominee(case, bed, spotted, after):
        case = StrokeCase(rules, state, facts, aim, case.kind, case.outside_d, 1)
        verdict = verdict_on(case)
    if verdict.penalty > 0:
        outcome = after_foul(case, bed, verdict, spotted, before, after)
    elif not is_to_be_counted(facts):
        outcome = Outcome(state, 0, 0, 0, -1, 0, 0, 0, case.kind)  # as if nothing had happened
    else:
        outcome = after_fair(case)
        spot_balls(rules, bed, after, outcome.spotted)
    lift_absent(after, outcome.state.on_table)
    return outcome


@door
def rule_stroke(
    rules: RuleSet, bed: Bed, state: FrameState, facts: Facts, nominated: int, before: Floats, after: Floats
) -> Outcome:
    """The referee: outcome of one stroke.

    nominated: kind declared with the stroke, 0 = none. before, after: positions (n_balls, 2), m, as the striker found
    them and when all balls had come to rest; `after` is completed in place: balls gone become nan, colours are spotted.
    """
    return rule_case(stroke_case(rules, bed, state, facts, nominated), bed, before, after)
