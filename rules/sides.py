"""Sides and the order of play: whose turn it is, who leads, who gets the points of a foul (3.3.1, 3.14; spec 9).

A player is his place in the order; he is of side player % n_sides. A set of sides is an integer, bit i = side i.
"""

from rules.ruleset import ALL_OTHERS, PREVIOUS_PLAYER, RuleSet
from rules.state import PHASE_RESPOTTED, PLAYER_0_FIRST, Facts, FrameState, Scores, is_at_most_one
from simcore.kernel.jit import kernel


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
def leading_sides(rules: RuleSet, scores: Scores, with_carried: bool, conceded: int) -> int:
    """Set of the sides with the most points, those of earlier frames that count too included if wanted.

    conceded: the sides that are out of it.
    """
    best = -1
    sides = 0
    for side in range(rules.n_sides):
        if conceded >> side & 1 != 0:
            continue
        points = scores[side] + (rules.carried[side] if with_carried else 0)
        if points > best:
            best = points
            sides = 0
        if points == best:
            sides |= 1 << side
    return sides


@kernel
def played_out_of_turn(state: FrameState, facts: Facts) -> bool:
    """Whether another than the striker played (3.11.1(d))."""
    return facts.played_by >= 0 and facts.played_by != state.striker


@kernel
def player_of(state: FrameState, facts: Facts) -> int:
    """Who made the stroke."""
    return facts.played_by if facts.played_by >= 0 else state.striker


@kernel
def place_of(state: FrameState) -> int:
    """Place in the order that the stroke counts for: the striker's, unless he plays again out of turn."""
    return state.turn if state.turn >= 0 else state.striker


@kernel
def player_after(rules: RuleSet, state: FrameState, facts: Facts) -> int:
    """Who comes to the table when the turn passes (3.3.1, 3.14; spec 9).

    The next in order; after a stroke out of turn the first from the turn taken on who is of another side. A re-spotted
    ball is played by those only who are level and have not conceded.
    """
    place = place_of(state)
    out_of_turn = played_out_of_turn(state, facts)
    own = side_of(rules, player_of(state, facts))
    level = leading_sides(rules, state.scores, True, state.conceded)
    for step in range(0 if out_of_turn else 1, rules.n_players + 1):
        player = (place + step) % rules.n_players
        side = side_of(rules, player)
        if (out_of_turn and side == own) or (state.phase == PHASE_RESPOTTED and level >> side & 1 == 0):
            continue
        return player
    return state.striker


@kernel
def sides_paid(rules: RuleSet, state: FrameState, offender: int, following: int) -> int:
    """Set of the sides that get the penalty points of `offender` (3.10.1; spec 9 for more than two sides).

    following: who plays next. On a re-spotted ball only those who are level can be paid, as they alone play it.
    """
    others = ((1 << rules.n_sides) - 1) & ~(1 << side_of(rules, offender))
    if state.phase == PHASE_RESPOTTED:
        others &= leading_sides(rules, state.scores, True, state.conceded)
    if rules.n_sides == 2 or rules.penalty_to == ALL_OTHERS:
        return others
    step = -1 if rules.penalty_to == PREVIOUS_PLAYER else 1
    player = place_of(state) - 1 if rules.penalty_to == PREVIOUS_PLAYER else following
    for _ in range(rules.n_players):
        side = 1 << side_of(rules, player % rules.n_players)
        if others & side != 0:
            return side
        player += step
    return others


@kernel
def lead_of(rules: RuleSet, state: FrameState) -> int:
    """Points between the best side and the next best, those of earlier frames that count too included."""
    best = -1
    second = -1
    for side in range(rules.n_sides):
        points = state.scores[side] + rules.carried[side]
        if points > best:
            best, second = points, best
        elif points > second:
            second = points
    return best - second


@kernel
def lot_options(rules: RuleSet, level: int) -> int:
    """Decisions of the lot: any player of the sides that are level may play first."""
    options = 0
    for player in range(rules.n_players):
        if level >> side_of(rules, player) & 1 != 0:
            options |= PLAYER_0_FIRST << player
    return options


@kernel
def only_side(sides: int) -> int:
    """The side of a set of one, -1 if there are more."""
    if not is_at_most_one(sides):
        return -1
    side = 0
    while sides > 1:
        sides >>= 1
        side += 1
    return side
