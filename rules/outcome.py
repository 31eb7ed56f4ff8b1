"""From a stroke's facts to the next state: points, turn, phase, spotting, free ball, miss, options, end of the frame.

`rule_stroke` is the whole referee for one stroke in the compiled subset; Python and batches call it alike. It decides
with the phase before the stroke (a colour after the last red comes back, one taken in order does not; spec 2.2).

Not modelled: a fallen ball's place at the pocket that another ball has taken meanwhile.
"""

import math
from typing import NamedTuple

from rules.ball_on import balls_on, balls_on_of, colours_of, kind_in_force, lowest_colour, reds_of
from rules.bed import Bed, in_the_d
from rules.faults import StrokeCase, Verdict, is_replayed, is_single, made_stroke, played_out_of_turn, verdict_on
from rules.miss import MISSES_THAT_LOSE, has_clear_target, has_full_target, hit_what_may_be_hit, is_miss, miss_targets
from rules.ruleset import ALL_OTHERS, BLACK, PINK, PREVIOUS_PLAYER, RuleSet
from rules.snookered import Snooker, is_angled, is_snookered_in_hand, snooker_at
from rules.spotting import spot_balls
from rules.state import (
    ANGLED,
    FREE_BALL,
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
    RESTORE,
    WRONG_CUE_BALL,
    Facts,
    Floats,
    FrameState,
    Scores,
    count_balls,
)
from simcore.kernel.jit import door, kernel

NO_FACTS = Facts()


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
def side_of(rules: RuleSet, player: int) -> int:
    """Side of a player (spec 9: sides take turns)."""
    return player % rules.n_sides


@kernel
def with_points(scores: Scores, sides: int, points: int) -> Scores:
    """Scores after `points` for each side of the set `sides`."""
    a, b, c, d, e, f = scores
    return (
        a + points * (sides & 1),
        b + points * (sides >> 1 & 1),
        c + points * (sides >> 2 & 1),
        d + points * (sides >> 3 & 1),
        e + points * (sides >> 4 & 1),
        f + points * (sides >> 5 & 1),
    )


@kernel
def leading_sides(rules: RuleSet, scores: Scores, with_carried: bool) -> int:
    """Set of the sides with the most points, those of earlier frames that count too included if wanted."""
    best = -1
    sides = 0
    for side in range(rules.n_sides):
        points = scores[side] + (rules.carried[side] if with_carried else 0)
        if points > best:
            best = points
            sides = 0
        if points == best:
            sides |= 1 << side
    return sides


@kernel
def player_of(state: FrameState, facts: Facts) -> int:
    """Who made the stroke."""
    return facts.played_by if facts.played_by >= 0 else state.striker


@kernel
def player_after(rules: RuleSet, state: FrameState, facts: Facts) -> int:
    """Who comes to the table when the turn passes (3.3.1, 3.14; spec 9).

    The next in order; after a stroke out of turn the first from the turn taken on who is of another side. A re-spotted
    ball is played by those who are level only.
    """
    place = state.turn if state.turn >= 0 else state.striker
    out_of_turn = played_out_of_turn(state, facts)
    own = side_of(rules, player_of(state, facts))
    level = leading_sides(rules, state.scores, True)
    for step in range(0 if out_of_turn else 1, rules.n_players + 1):
        player = (place + step) % rules.n_players
        side = side_of(rules, player)
        if (out_of_turn and side == own) or (state.phase == PHASE_RESPOTTED and level >> side & 1 == 0):
            continue
        return player
    return state.striker


@kernel
def sides_paid(rules: RuleSet, state: FrameState, facts: Facts) -> int:
    """Set of the sides that get the penalty points (3.10.1; spec 9 for more than two)."""
    own = side_of(rules, player_of(state, facts))
    others = ((1 << rules.n_sides) - 1) & ~(1 << own)
    if rules.n_sides == 2 or rules.penalty_to == ALL_OTHERS:
        return others
    if rules.penalty_to == PREVIOUS_PLAYER:
        place = state.turn if state.turn >= 0 else state.striker
        before = side_of(rules, place + rules.n_players - 1)
        return 1 << before if before != own else 1 << side_of(rules, before + rules.n_sides - 1)
    return 1 << side_of(rules, player_after(rules, state, facts))


@kernel
def cue_position(facts: Facts, before: Floats) -> tuple[float, float]:
    """Where the cue ball was struck from: its placement, else where it lay; nan = in hand and not told."""
    if facts.placed_x == facts.placed_x:
        return facts.placed_x, facts.placed_y
    return before[0, 0], before[0, 1]


@kernel
def was_placed_outside(bed: Bed, state: FrameState, facts: Facts) -> int:
    """1 if the cue ball was in hand and placed outside the D."""
    if state.cue_in_hand == 0 or facts.placed_x != facts.placed_x:
        return 0
    return 0 if in_the_d(bed, facts.placed_x, facts.placed_y) else 1


@kernel
def is_in_hand_after(state: FrameState, facts: Facts) -> int:
    """1 if the cue ball is to be placed next: it left the bed, or was in hand and neither placed nor struck (2.7)."""
    if is_replayed(facts):
        return state.cue_in_hand
    if (facts.potted | facts.off_table) & 1 != 0:
        return 1
    unplaced = state.cue_in_hand != 0 and facts.placed_x != facts.placed_x
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
def snooker_after(rules: RuleSet, bed: Bed, state: FrameState, positions: Floats) -> Snooker:
    """Snooker of the player who comes to `state`; in hand the whole D is tried and no ball is effective."""
    on = balls_on(rules, state, 0)
    others = state.on_table & ~on & ~1
    if state.cue_in_hand != 0:
        return Snooker(1 if is_snookered_in_hand(bed, positions, on, others) else 0, 0)
    return snooker_at(rules, bed, positions, on, others, positions[0, 0], positions[0, 1])


@kernel
def is_behind_free_ball(rules: RuleSet, bed: Bed, state: FrameState, facts: Facts, nominee: int, after: Floats) -> int:
    """1 if the turn passes and the nominee is the effective snookering ball (3.9.4b, WPBSA 3.12(b)(ii)).

    With only pink and black left it is allowed. A nominee that left the table no longer counts.
    """
    left = balls_left(state, facts)
    if is_replayed(facts):
        return 0
    if nominee == 0 or facts.potted & ~1 != 0 or left & nominee == 0 or is_in_hand_after(state, facts) != 0:
        return 0
    if colours_of(rules, left) == rules.kind_masks[PINK] | rules.kind_masks[BLACK] and reds_of(rules, left) == 0:
        return 0
    # The nominee is an ordinary ball again for the next player, so the balls on are the real ones.
    on = reds_of(rules, left)
    if on == 0:
        on = rules.kind_masks[lowest_colour(rules, left)]
    snooker = snooker_at(rules, bed, after, on, left & ~on & ~1, after[0, 0], after[0, 1])
    return 1 if snooker.is_snookered != 0 and snooker.effective & nominee != 0 else 0


@kernel
def open_state(
    state: FrameState, phase: int, on_table: int, striker: int, in_hand: int, scores: Scores, break_points: int
) -> FrameState:
    """Next state with nothing declared, offered or counted yet."""
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
        scores=scores,
    )


@kernel
def with_return(state: FrameState, colour_points: int, nominee_back: int) -> FrameState:
    """The state with what is known of the colour that goes back before its striker plays on."""
    return FrameState(
        phase=state.phase,
        on_table=state.on_table,
        nominated=state.nominated,
        free_ball=state.free_ball,
        striker=state.striker,
        first_striker=state.first_striker,
        turn=state.turn,
        cue_in_hand=state.cue_in_hand,
        break_points=state.break_points,
        colour_points=colour_points,
        nominee_back=nominee_back,
        options=state.options,
        offender=state.offender,
        misses=state.misses,
        full_ball=state.full_ball,
        winner=state.winner,
        scores=state.scores,
    )


@kernel
def with_remedies(
    state: FrameState, options: int, offender: int, free_ball: int, misses: int, full_ball: int
) -> FrameState:
    """The state with what a foul opens to the next player."""
    return FrameState(
        phase=state.phase,
        on_table=state.on_table,
        nominated=state.nominated,
        free_ball=free_ball,
        striker=state.striker,
        first_striker=state.first_striker,
        turn=-1,
        cue_in_hand=state.cue_in_hand,
        break_points=0,
        colour_points=0,
        nominee_back=0,
        options=options,
        offender=offender,
        misses=misses,
        full_ball=full_ball,
        winner=-1,
        scores=state.scores,
    )


@kernel
def finished(state: FrameState, winner: int) -> FrameState:
    """The state of a frame that is over."""
    return FrameState(
        phase=PHASE_OVER,
        on_table=state.on_table,
        nominated=0,
        free_ball=0,
        striker=state.striker,
        first_striker=state.first_striker,
        turn=-1,
        cue_in_hand=state.cue_in_hand,
        break_points=state.break_points,
        colour_points=0,
        nominee_back=0,
        options=0,
        offender=-1,
        misses=state.misses,
        full_ball=state.full_ball,
        winner=winner,
        scores=state.scores,
    )


@kernel
def lot_options(rules: RuleSet, level: int) -> int:
    """Decisions of the lot: any player of the sides that are level may play first."""
    options = 0
    for player in range(rules.n_players):
        if level >> side_of(rules, player) & 1 != 0:
            options |= PLAYER_0_FIRST << player
    return options


@kernel
def respotted(rules: RuleSet, state: FrameState, level: int) -> FrameState:
    """The tied frame with the black back, the cue ball in hand, and the lot open to sides that are level (3.3.8)."""
    black = rules.kind_masks[BLACK]
    again = open_state(state, PHASE_RESPOTTED, black, state.striker, 1, state.scores, 0)
    return with_remedies(again, lot_options(rules, level), -1, 0, 0, 0)


@kernel
def only_side(sides: int) -> int:
    """The side of a set of one, -1 if there are more."""
    if not is_single(sides):
        return -1
    side = 0
    while sides > 1:
        sides >>= 1
        side += 1
    return side


@kernel
def end_of_frame(rules: RuleSet, state: FrameState) -> FrameState:
    """What follows the last score or foul: a winner, or level scores and the black re-spotted (3.3.8, spec 10)."""
    level = leading_sides(rules, state.scores, True)
    if rules.respot_on_tie != 0 and not is_single(level):
        return respotted(rules, state, level)
    return finished(state, only_side(leading_sides(rules, state.scores, False)))


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
        following = with_return(
            following, points if state.phase == PHASE_COLOUR else 0, 0 if state.phase == PHASE_COLOUR else 1
        )
    passes = 1 if scored == 0 or following.phase == PHASE_RESPOTTED else 0
    return Outcome(following, points, 0, 0, -1, spotted, 0, passes, case.kind)


@kernel
def nothing_happened(case: StrokeCase) -> bool:
    """Whether the striker finds everything as it was: no stroke, or one that is played again (3.8)."""
    return is_replayed(case.facts) or not made_stroke(case)


@kernel
def scores_after_foul(case: StrokeCase, penalty: int) -> Scores:
    """Penalty to the other side; a stroke before the colour just potted was back cancels its points (WPBSA 3.3(g))."""
    state, rules = case.state, case.rules
    scores = with_points(state.scores, sides_paid(rules, state, case.facts), penalty)
    early = case.facts.unspotted != 0 and not played_out_of_turn(state, case.facts)
    if early and rules.early_stroke_cancels != 0:
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
def with_free_ball(following: FrameState, free_ball: int) -> FrameState:
    """The state after a foul with a free ball offered or not."""
    return with_remedies(following, 0, -1, free_ball, 0, 0)


@kernel
def options_after_foul(case: StrokeCase, miss: bool, free_ball: bool, angled: bool) -> int:
    """Decisions open to the next player (3.10.3, WPBSA 3.11, 3.14; 2.16 for the angled ball of the old text)."""
    options = PLAY | PLAY_AGAIN
    if free_ball:
        options |= FREE_BALL
    # A foul made while addressing a replaced position leaves replacement open, though it is no miss (WPBSA 3.14(e)).
    replaced = case.state.misses > 0 and case.facts.observed & NO_STROKE != 0
    if miss or replaced:
        options |= RESTORE
    if angled:
        options |= IN_HAND
    return options


@kernel
def misses_in_a_row(case: StrokeCase, miss: bool) -> int:
    """Misses called in a row: another one, none, or as before if the foul came without a stroke (WPBSA 3.14(e))."""
    if miss:
        return case.state.misses + 1
    return 0 if made_stroke(case) else case.state.misses


@kernel
def with_miss(
    case: StrokeCase, bed: Bed, before: Floats, following: FrameState, angled: bool
) -> tuple[FrameState, int]:
    """The state after a foul with options and the count of misses, and 1 if a miss was called (WPBSA 3.14).

    A third failure in a row from one position, with a full ball on offer at the first, loses the frame.
    """
    state = case.state
    is_clear = False
    is_full = False
    if made_stroke(case) and not hit_what_may_be_hit(case):
        cx, cy = cue_position(case.facts, before)
        targets = miss_targets(case.rules, state, case.aim)
        others = state.on_table & ~targets & ~1
        if cx == cx:
            is_clear = has_clear_target(bed, before, targets, others, cx, cy)
            is_full = has_full_target(bed, before, targets, others, cx, cy)
    full_ball = state.full_ball if state.misses > 0 else (1 if is_full else 0)
    miss = is_miss(case, following, is_clear, state.misses > 0 and full_ball != 0)
    misses = misses_in_a_row(case, miss)
    if miss and full_ball != 0 and misses >= MISSES_THAT_LOSE:
        return finished(following, side_of(case.rules, following.striker)), 1
    options = options_after_foul(case, miss, following.free_ball != 0, angled)
    full_ball = full_ball if misses > 0 else 0
    called = 1 if miss else 0
    offender = player_of(state, case.facts)
    return with_remedies(following, options, offender, following.free_ball, misses, full_ball), called


@kernel
def may_play_from_hand(case: StrokeCase, bed: Bed, following: FrameState, after: Floats) -> bool:
    """Whether the next player is angled, by geometry or as observed, where that lets him play from in hand (2.16)."""
    if case.rules.angled_in_hand == 0 or following.cue_in_hand != 0 or following.free_ball != 0:
        return False
    on = balls_on(case.rules, following, 0)
    return case.facts.observed & ANGLED != 0 or is_angled(bed, after, on, after[0, 0], after[0, 1])


@kernel
def after_foul(case: StrokeCase, bed: Bed, verdict: Verdict, before: Floats, after: Floats) -> Outcome:
    """Outcome of a foul (spec 5.1); writes the colours put back into `after`."""
    gone = (case.facts.potted | case.facts.off_table) & case.state.on_table if not is_replayed(case.facts) else 0
    spotted = colours_of(case.rules, gone | case.facts.unspotted)
    miss = 0
    if is_last_ball(case.rules, case.state):
        following = end_of_frame(case.rules, foul_state(case, verdict.penalty, 0))
        spotted = following.on_table if following.phase == PHASE_RESPOTTED else 0
        spot_balls(case.rules, bed, after, spotted)
    else:
        following = foul_state(case, verdict.penalty, spotted)
        lift_absent(after, following.on_table)
        spot_balls(case.rules, bed, after, spotted)
        following = with_free_ball(following, snooker_after(case.rules, bed, following, after).is_snookered)
        angled = may_play_from_hand(case, bed, following, after)
        following, miss = with_miss(case, bed, before, following, angled)
    return Outcome(following, 0, verdict.penalty, verdict.faults, verdict.label, spotted, miss, 1, case.kind)


@door
def rule_stroke(
    rules: RuleSet, bed: Bed, state: FrameState, facts: Facts, nominated: int, before: Floats, after: Floats
) -> Outcome:
    """The referee: outcome of one stroke.

    nominated: kind declared with the stroke, 0 = none. before, after: positions (n_balls, 2), m, as the striker found
    them and when all balls had come to rest; `after` is completed in place: balls gone become nan, colours are spotted.
    """
    replace_fallen(facts, before, after)
    kind = kind_in_force(rules, state, nominated, facts.first_contacts)
    aim = balls_on_of(rules, state, kind)
    behind = is_behind_free_ball(rules, bed, state, facts, aim.nominee, after)
    case = StrokeCase(rules, state, facts, aim, kind, was_placed_outside(bed, state, facts), behind)
    lift_absent(after, balls_left(state, facts))
    verdict = verdict_on(case)
    if verdict.penalty > 0:
        outcome = after_foul(case, bed, verdict, before, after)
    elif nothing_happened(case):
        outcome = Outcome(state, 0, 0, 0, -1, 0, 0, 0, case.kind)
    else:
        outcome = after_fair(case)
        spot_balls(rules, bed, after, outcome.spotted)
    lift_absent(after, outcome.state.on_table)
    return outcome
