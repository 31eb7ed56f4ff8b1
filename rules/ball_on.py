"""What a stroke is at: the balls on, the nominee, what may be hit first and potted, and the value at stake (spec 2.1).

Not modelled: a nomination read off the line of aim (an interface may do that before the stroke).
"""

from typing import NamedTuple

from rules.ruleset import MAX_KINDS, RED, RuleSet
from rules.state import PHASE_COLOUR, PHASE_RED, FrameState, count_balls, is_at_most_one
from simcore.kernel.jit import kernel


class BallsOn(NamedTuple):
    """The balls on of one stroke, as sets."""

    on: int  # the real ball or balls on
    nominee: int  # free-ball nominee in force, 0 = none
    first: int  # balls that may be hit first alone
    playable: int  # balls that may be potted, or hit first together with a ball of `first`
    value: int  # value of the ball on, for penalties and for the nominee


@kernel
def kind_of(rules: RuleSet, ball_mask: int) -> int:
    """Kind of the ball in a set of one, 0 for none."""
    for kind in range(1, MAX_KINDS):
        if ball_mask & rules.kind_masks[kind] != 0:
            return kind
    return 0


@kernel
def highest_value(rules: RuleSet, balls: int) -> int:
    """Greatest value among the balls of a set, 0 for none."""
    best = 0
    for kind in range(1, MAX_KINDS):
        if balls & rules.kind_masks[kind] != 0:
            best = max(best, rules.values[kind])
    return best


@kernel
def reds_of(rules: RuleSet, balls: int) -> int:
    """The reds of a set."""
    return balls & rules.kind_masks[RED]


@kernel
def colours_of(rules: RuleSet, balls: int) -> int:
    """The colours of a set: object balls that are not red."""
    return balls & ~rules.kind_masks[RED] & ~rules.kind_masks[0]


@kernel
def lowest_colour(rules: RuleSet, balls: int) -> int:
    """Kind of the colour of least value in a set, 0 for none."""
    found = 0
    for kind in range(1, MAX_KINDS):
        if kind == RED or balls & rules.kind_masks[kind] == 0:
            continue
        if found == 0 or rules.values[kind] < rules.values[found]:
            found = kind
    return found


@kernel
def balls_on(rules: RuleSet, state: FrameState, nominated: int) -> int:
    """The real ball or balls on (spec 2.1); with a colour to choose and none chosen, none."""
    if state.phase == PHASE_RED:
        return reds_of(rules, state.on_table)
    if state.phase == PHASE_COLOUR:
        return state.on_table & rules.kind_masks[nominated] if nominated > 0 else 0
    return state.on_table & rules.kind_masks[lowest_colour(rules, state.on_table)]


@kernel
def value_on(rules: RuleSet, state: FrameState, nominated: int) -> int:
    """Value of the ball on: 1 for reds, 7 when no colour was nominated (WPBSA 3.10(d)(vi))."""
    if state.phase == PHASE_RED:
        return rules.values[RED]
    if state.phase == PHASE_COLOUR:
        return rules.values[nominated] if nominated > 0 else rules.max_penalty
    return rules.values[lowest_colour(rules, state.on_table)]


@kernel
def kind_in_force(rules: RuleSet, state: FrameState, nominated: int, first_contacts: int) -> int:
    """Kind declared for the stroke; undeclared in COLOUR: the single colour among the first contacts (spec 2.1)."""
    kind = nominated if nominated > 0 else state.nominated
    if kind > 0 or state.phase != PHASE_COLOUR:
        return kind
    colours = colours_of(rules, first_contacts)
    return kind_of(rules, colours) if is_at_most_one(colours) else 0


@kernel
def balls_on_of(rules: RuleSet, state: FrameState, kind: int) -> BallsOn:
    """The balls on of a stroke for which `kind` was declared (0: nothing, so a free ball offered is declined)."""
    on = balls_on(rules, state, kind)
    nominee = 0
    if state.free_ball != 0 and kind > 0 and kind != RED:
        nominee = state.on_table & rules.kind_masks[kind] & ~on
    first = nominee if nominee != 0 else on
    return BallsOn(on, nominee, first, on | nominee, value_on(rules, state, kind))


@kernel
def points_on_table(rules: RuleSet, state: FrameState) -> int:
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
