"""Every foul as one small predicate, in the order of clause 3.11 of the old text (spec 5).

A predicate returns what its foul costs, 0 if it was not committed; `FAULTS` has the name and clauses of each in the
same order, so a fault is known by its place: bit i of a fault set is FAULTS[i]. Several fouls cost the highest single
value (3.10.2), and the ruling bears the first clause that reaches it.

Not modelled: the conduct of waiting players.
"""

from typing import NamedTuple

from rules.ball_on import BallsOn, highest_value, reds_of
from rules.ruleset import RuleSet
from rules.sides import played_out_of_turn
from rules.state import (
    AIMED_AT_RED,
    CONFERRING,
    DOUBLE_HIT,
    FEET_OFF_FLOOR,
    JUMP,
    NO_STROKE,
    NON_STANDARD_CUE,
    NOT_DECLARED,
    OFF_TABLE_BALL_USED,
    PHASE_COLOUR,
    PLACED_OUTSIDE_D,
    PUSH,
    TOUCHED_WHILE_REPLACING,
    WOULD_BE_HIT,
    WRONG_CUE_BALL,
    Facts,
    FrameState,
    is_at_most_one,
)
from simcore.kernel.jit import kernel


class Clause(NamedTuple):
    """Name of a foul and where the texts have it."""

    name: str  # as in rulings
    words: str  # what was done
    old: str  # clause of the 1995 text, "" = not there
    current: str  # clause of the WPBSA text, "" = not there


FAULTS = (
    Clause("balls_moving", "struck before all balls were at rest", "3.11.1(a)", "3.10(b)(i)"),
    Clause("double_hit", "hit the cue ball more than once", "3.11.1(b)", "3.10(a)(ii)"),
    Clause("feet_off_floor", "both feet off the floor", "3.11.1(c)", "3.10(a)(iii)"),
    Clause("out_of_turn", "played out of turn", "3.11.1(d)", "3.10(a)(iv)"),
    Clause("outside_d", "played improperly from in hand", "3.11.1(e)", "3.10(a)(v)"),
    Clause("missed_all", "the cue ball missed every object ball", "3.11.1(f)", "3.10(a)(vi)"),
    Clause("in_off", "the cue ball was pocketed", "3.11.1(g)", "3.10(a)(vii)"),
    Clause("snookered_behind_free_ball", "snookered the opponent behind the free ball", "3.11.1(h)", "3.10(a)(viii)"),
    Clause("jump_shot", "the cue ball jumped over a ball", "3.11.1(i)", "3.10(a)(ix)"),
    Clause("non_standard_cue", "used a non-standard cue", "", "3.10(a)(x)"),
    Clause("conferring", "conferred with the partner", "", "3.10(a)(xi)"),
    Clause("wrong_pot", "pocketed a ball not on", "3.11.2(a)", "3.10(b)(iii)"),
    Clause("wrong_first_contact", "the cue ball first hit a ball not on", "3.11.2(b)", "3.10(b)(iv)"),
    Clause("push_stroke", "made a push stroke", "3.11.2(c)", "3.10(b)(v)"),
    Clause("not_spotted", "played with a ball not correctly spotted", "3.11.2(d)", "3.10(b)(ii)"),
    Clause("free_ball_not_back", "played before the free ball was back", "", "3.10(a)(i)"),
    Clause("touched_ball", "touched a ball", "3.11.2(e)", "3.10(b)(vi)"),
    Clause("off_table", "forced a ball off the table", "3.11.2(f)", "3.10(b)(vii)"),
    Clause("simultaneous_hit", "first hit two balls at once", "3.11.3", "3.10(c)"),
    Clause("before_nomination", "a foul before nominating a colour", "3.11.4(a)", "3.10(d)(vii)"),
    Clause("off_table_ball_used", "used a ball off the table", "3.11.4(b)", "3.10(d)(i)"),
    Clause("successive_red", "played at a red when a colour was on", "3.11.4(c)", "3.10(d)(iv)"),
    Clause("wrong_cue_ball", "used another ball than the white as cue ball", "3.11.4(d)", "3.10(d)(v)"),
    Clause("touched_while_replacing", "touched a ball during its replacement", "", "3.10(d)(iii)"),
    Clause("not_declared", "did not declare the ball on", "", "3.10(d)(vi)"),
    Clause("snookered_behind_nominated", "snookered the opponent behind the nominated colour", "", "six-red"),
)
FAULT_BITS = {clause.name: 1 << i for i, clause in enumerate(FAULTS)}
BEFORE_NOMINATION = FAULT_BITS["before_nomination"]


class StrokeCase(NamedTuple):
    """All that a predicate may look at."""

    rules: RuleSet
    state: FrameState  # before the stroke
    facts: Facts
    aim: BallsOn
    kind: int  # kind declared, 0 = none
    outside_d: int  # 1: the cue ball was placed outside the D
    behind_nominee: int  # 1: the turn passes and the nominee, in six-red any colour on, snookers the next player


class Verdict(NamedTuple):
    """The fouls of a stroke taken together."""

    faults: int  # set of faults, bit i = FAULTS[i]
    penalty: int  # highest single penalty, 0 = fair
    label: int  # index of the first fault that costs it, -1 = fair


@kernel
def at_least_on(case: StrokeCase, balls: int) -> int:
    """Penalty of a foul in which `balls` are concerned: max(4, ball on, those balls); a nominee counts as on (3.11)."""
    concerned = balls & ~case.aim.nominee
    return max(case.rules.min_penalty, case.aim.value, highest_value(case.rules, concerned))


@kernel
def observed(case: StrokeCase, flag: int) -> bool:
    """Whether the observer reported `flag`."""
    return case.facts.observed & flag != 0


@kernel
def is_credited(case: StrokeCase) -> bool:
    """Whether a touching ball that may be hit first already satisfies the first contact (spec 4; WPBSA 3.8)."""
    return case.facts.touching & case.aim.first != 0


@kernel
def is_replayed(facts: Facts) -> bool:
    """Whether a ball that the stroke would have hit fell by itself: everything is replaced (3.8.2, WPBSA 3.9)."""
    return facts.fell != 0 and facts.observed & WOULD_BE_HIT != 0


@kernel
def is_struck(facts: Facts) -> bool:
    """Whether the cue ball was struck: nothing before it counts as a stroke, nor does striking another ball."""
    return facts.observed & (NO_STROKE | WRONG_CUE_BALL) == 0


@kernel
def is_to_be_counted(facts: Facts) -> bool:
    """Whether a stroke was made, and is not to be played again because of a ball that fell (3.8.2)."""
    return is_struck(facts) and not is_replayed(facts)


@kernel
def cost_observed(case: StrokeCase, flag: int) -> int:
    """Observed foul that costs the ball on (3.11.1)."""
    return at_least_on(case, 0) if observed(case, flag) else 0


@kernel
def cost_seven(case: StrokeCase, flag: int) -> int:
    """Observed foul of clause 3.11.4: seven."""
    return case.rules.max_penalty if observed(case, flag) else 0


@kernel
def cost_balls_moving(case: StrokeCase) -> int:
    """3.11.1(a), WPBSA 3.10(b)(i): the old text counts the ball on only (D5)."""
    if case.facts.moving == 0:
        return 0
    return at_least_on(case, case.facts.moving if case.rules.moving_ball_counts != 0 else 0)


@kernel
def cost_feet(case: StrokeCase) -> int:
    """3.11.1(c), WPBSA 3.10(a)(iii); not for wheelchair players (spec 0, row 5)."""
    return cost_observed(case, FEET_OFF_FLOOR) if case.rules.feet_foul != 0 else 0


@kernel
def cost_out_of_turn(case: StrokeCase) -> int:
    """3.11.1(d), WPBSA 3.10(a)(iv)."""
    return at_least_on(case, 0) if played_out_of_turn(case.state, case.facts) else 0


@kernel
def cost_outside_d(case: StrokeCase) -> int:
    """3.11.1(e), WPBSA 3.10(a)(v): from in hand, the opening stroke included."""
    return at_least_on(case, 0) if case.outside_d != 0 or observed(case, PLACED_OUTSIDE_D) else 0


@kernel
def cost_missed_all(case: StrokeCase) -> int:
    """3.11.1(f), WPBSA 3.10(a)(vi)."""
    missed = case.facts.first_contacts | case.facts.touching_moved == 0 and is_to_be_counted(case.facts)
    return at_least_on(case, 0) if missed and not is_credited(case) else 0


@kernel
def cost_in_off(case: StrokeCase) -> int:
    """3.11.1(g), WPBSA 3.10(a)(vii): the value of the ball on, not always four."""
    return at_least_on(case, 0) if case.facts.potted & 1 != 0 else 0


@kernel
def cost_behind_free_ball(case: StrokeCase) -> int:
    """3.11.1(h), WPBSA 3.10(a)(viii)."""
    return at_least_on(case, 0) if case.behind_nominee != 0 and case.state.phase != PHASE_COLOUR else 0


@kernel
def cost_behind_nominated(case: StrokeCase) -> int:
    """Six-red (spec 11.1): the colour on is no free ball's nominee, and yet must not snooker the next player."""
    return at_least_on(case, 0) if case.behind_nominee != 0 and case.state.phase == PHASE_COLOUR else 0


@kernel
def cost_jump(case: StrokeCase) -> int:
    """3.11.1(i), WPBSA 3.10(a)(ix): over a ball before the first contact, or over the ball first hit (2.19, D27)."""
    facts = case.facts
    over_first = facts.jumped_after & facts.first_contacts
    if case.rules.jump_over_any == 0:
        over_first &= case.aim.playable
    return at_least_on(case, 0) if observed(case, JUMP) or facts.jumped_before | over_first != 0 else 0


@kernel
def cost_wrong_pot(case: StrokeCase) -> int:
    """3.11.2(a), WPBSA 3.10(b)(iii)."""
    wrong = case.facts.potted & ~case.aim.playable & ~1
    return at_least_on(case, wrong) if wrong != 0 else 0


@kernel
def is_simultaneous(case: StrokeCase) -> bool:
    """Whether the first contact was with several balls that are not all playable (3.5)."""
    return not is_at_most_one(case.facts.first_contacts) and case.facts.first_contacts & ~case.aim.playable != 0


@kernel
def is_successive_red(case: StrokeCase) -> bool:
    """Whether a red was played at with a colour on: aimed at, or hit with none nominated or by the edition (D6)."""
    if case.state.phase != PHASE_COLOUR:
        return False
    hit = reds_of(case.rules, case.facts.first_contacts) != 0 and (case.kind == 0 or case.rules.successive_red != 0)
    return hit or observed(case, AIMED_AT_RED)


@kernel
def cost_wrong_first(case: StrokeCase) -> int:
    """3.11.2(b), WPBSA 3.10(b)(iv); with a free ball the real balls on must not be met without the nominee (3.9.4a)."""
    contacts = case.facts.first_contacts
    if is_credited(case) or is_simultaneous(case):
        return 0
    if is_successive_red(case) and reds_of(case.rules, contacts) != 0:
        return 0  # the same act, of which the other clause speaks
    return at_least_on(case, contacts) if contacts != 0 and contacts & case.aim.first == 0 else 0


@kernel
def cost_simultaneous(case: StrokeCase) -> int:
    """3.11.3, WPBSA 3.10(c): both balls count."""
    foul = is_simultaneous(case) and not is_credited(case)
    return at_least_on(case, case.facts.first_contacts) if foul else 0


@kernel
def cost_push(case: StrokeCase) -> int:
    """3.11.2(c), WPBSA 3.10(b)(v): of the balls first met, or of touching ones that were moved (3.7: a push)."""
    if not observed(case, PUSH) and case.facts.touching_moved == 0:
        return 0
    pushed = case.facts.first_contacts if observed(case, PUSH) else 0
    return at_least_on(case, case.facts.touching_moved | pushed)


@kernel
def cost_not_spotted(case: StrokeCase) -> int:
    """3.11.2(d), WPBSA 3.10(b)(ii): a wrongly spotted ball counts as correctly spotted in the current text (D4)."""
    wrong = case.facts.unspotted | (case.facts.misspotted if case.rules.wrong_spot_foul != 0 else 0)
    if wrong == 0 or observed(case, NO_STROKE) or is_before_free_ball_back(case):
        return 0
    return at_least_on(case, wrong)


@kernel
def is_before_free_ball_back(case: StrokeCase) -> bool:
    """Whether a stroke was made before a free ball's nominee was back, which the current text counts by itself."""
    early = case.facts.unspotted != 0 and not observed(case, NO_STROKE)
    return early and case.state.nominee_back != 0 and case.rules.wrong_spot_foul == 0


@kernel
def cost_free_ball_not_back(case: StrokeCase) -> int:
    """WPBSA 3.10(a)(i): the ball on only."""
    return at_least_on(case, 0) if is_before_free_ball_back(case) else 0


@kernel
def cost_touched(case: StrokeCase) -> int:
    """3.11.2(e), WPBSA 3.10(b)(vi)."""
    return at_least_on(case, case.facts.touched) if case.facts.touched != 0 else 0


@kernel
def cost_off_table(case: StrokeCase) -> int:
    """3.11.2(f), WPBSA 3.10(b)(vii); the cue ball costs the ball on."""
    return at_least_on(case, case.facts.off_table) if case.facts.off_table != 0 else 0


@kernel
def cost_before_nomination(case: StrokeCase) -> int:
    """3.11.4(a), WPBSA 3.10(d)(vii): what any foul costs with a colour to choose and none chosen yet."""
    return case.rules.max_penalty if case.state.phase == PHASE_COLOUR and case.kind == 0 else 0


@kernel
def cost_successive_red(case: StrokeCase) -> int:
    """3.11.4(c), WPBSA 3.10(d)(iv); the credit of a touching ball does not cover a stroke played at a red."""
    played_at = is_successive_red(case) and (observed(case, AIMED_AT_RED) or not is_credited(case))
    return case.rules.max_penalty if played_at else 0


@kernel
def fault_costs(case: StrokeCase) -> tuple[int, ...]:
    """What each foul costs, 0 = not committed; in the order of FAULTS."""
    later = case.rules.later_fouls != 0
    return (
        cost_balls_moving(case),
        cost_observed(case, DOUBLE_HIT),
        cost_feet(case),
        cost_out_of_turn(case),
        cost_outside_d(case),
        cost_missed_all(case),
        cost_in_off(case),
        cost_behind_free_ball(case),
        cost_jump(case),
        cost_observed(case, NON_STANDARD_CUE) if later else 0,
        cost_observed(case, CONFERRING) if later else 0,
        cost_wrong_pot(case),
        cost_wrong_first(case),
        cost_push(case),
        cost_not_spotted(case),
        cost_free_ball_not_back(case),
        cost_touched(case),
        cost_off_table(case),
        cost_simultaneous(case),
        cost_before_nomination(case),
        cost_seven(case, OFF_TABLE_BALL_USED),
        cost_successive_red(case),
        cost_seven(case, WRONG_CUE_BALL),
        cost_seven(case, TOUCHED_WHILE_REPLACING) if later else 0,
        cost_seven(case, NOT_DECLARED) if later else 0,
        cost_behind_nominated(case),
    )


@kernel
def verdict_on(case: StrokeCase) -> Verdict:
    """All fouls of a stroke, and the highest single penalty (3.10.2)."""
    costs = fault_costs(case)
    faults = 0
    penalty = 0
    label = -1
    for i in range(len(costs)):
        if costs[i] > 0:
            faults |= 1 << i
        if costs[i] > penalty:
            penalty = costs[i]
            label = i
    if faults == BEFORE_NOMINATION:  # which makes a foul dearer and is none by itself
        return Verdict(0, 0, -1)
    return Verdict(faults, penalty, label)
