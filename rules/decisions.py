"""Decisions: what the player at the table may choose, after a foul, after the lot for the re-spotted black, or always.

Options of a frame block play until one is taken (3.10.3, 2.16, 3.3.8; WPBSA 3.11 to 3.14, 3.4). When a striker who was
hampered fouled a ball in preparing to play a colour or a free ball, his opponent chooses whether that stays on, and
whether the balls are put back (WPBSA 3.11(i)): neither, "play_again"; both, "restore"; else "keep_ball_on" or
"replace_balls".

Three more decisions are open at any time: to concede, to claim a frame that is won (spec 10, D16), and to re-rack after
a stalemate (3.13, WPBSA 3.16), on which both sides agreed or which the referee ordered. A forfeit is the referee's
decision (4.3).

Not modelled: the opponent's refusal of a concession, and the warning before a stalemate is declared.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from rules.ball_on import colours_of, reds_of
from rules.checks import check_player
from rules.frame import Frame, check_frame, opening, read_only
from rules.outcome import finished, next_phase
from rules.ruleset import BLACK, MAX_KINDS, RED, RuleSet
from rules.sides import leading_sides, only_side, player_after, side_of, sides_paid, with_points
from rules.state import (
    CHOICE_NAMES,
    CLAIM,
    CONCEDE,
    LOT_NAMES,
    ON_THE_TABLE,
    OPTION_NAMES,
    PHASE_CLEARANCE,
    PHASE_RESPOTTED,
    PLAYER_0_FIRST,
    RE_RACK,
    Facts,
    FrameState,
    count_balls,
    is_at_most_one,
)

OPTION_BITS = {name: 1 << i for i, name in enumerate(OPTION_NAMES)}
FORFEIT_RED = 8  # points of each red left on the table in a forfeited frame (4.3)


def decide(frame: Frame, option: str) -> Frame:
    """The frame after the player at the table takes `option`, one of `frame.decisions`.

    Raises ValueError that names what was not offered, TypeError for a frame or an option of another type.
    """
    check_frame(frame)
    if not isinstance(option, str):
        raise TypeError(f"option = {option!r:.80}: expected a name, one of {', '.join(CHOICES)}")
    # An option is looked up by its bit, which keeps branching to a few microseconds; the names are for messages.
    if not frame.state.options & OPTION_BITS.get(option, 0) and option not in (offered := open_decisions(frame)):
        known = "" if option in CHOICES else f" (known: {', '.join(CHOICES)})"
        raise ValueError(f"option {option!r} was not offered{known}; offered: {', '.join(offered) or 'nothing'}")
    return CHOICES[option](frame)


def open_decisions(frame: Frame) -> tuple[str, ...]:
    """All decisions possible now: the options that block play, then those that are always there."""
    if frame.is_over:
        return ()
    lot = frame.state.options >= PLAYER_0_FIRST  # nobody is at the table yet
    open_now = {CONCEDE: not lot, CLAIM: may_claim(frame.ruleset, frame.state), RE_RACK: True}
    return (*frame.options, *(name for name, is_open in open_now.items() if is_open))


def may_claim(rules: RuleSet, state: FrameState) -> bool:
    """Whether the striker may claim the frame: only the black is left and he leads by more than `claim_lead`.

    In aggregate matches there are no claims: `rules.Match` sets `claim_lead` to 0.
    Source: WPBSA 2.1, the prose of the Russian text (spec 10, D16).
    """
    if rules.claim_lead == 0 or state.options or state.phase != PHASE_CLEARANCE:
        return False
    side = side_of(rules, state.striker)
    others = max(points for i, points in enumerate(state.scores[: rules.n_sides]) if i != side)
    return state.on_table & ~1 == rules.kind_masks[BLACK] and state.scores[side] - others > rules.claim_lead


def forfeit(frame: Frame, player: int) -> Frame:
    """The frame awarded by the referee because of `player`'s conduct.

    His side's points are annulled, and those who get penalty points get the value of the balls left, a red counting 8.
    Raises ValueError if the frame is over or there is no such player. Source: 4.3 (spec 10).
    """
    check_frame(frame)
    if frame.is_over:
        raise ValueError("the frame is over: it cannot be forfeited")
    rules = frame.ruleset
    offender = check_player("player", player, rules.n_players)
    side, scores = side_of(rules, offender), frame.state.scores
    at_table = frame.state._replace(striker=offender, turn=-1)
    paid = sides_paid(rules, at_table, offender, (offender + 1) % rules.n_players)
    scores = with_points(with_points(scores, 1 << side, -scores[side]), paid, value_left(rules, frame.state))
    return _over(frame, only_side(leading_sides(rules, scores, False, frame.state.conceded)), scores)


def value_left(rules: RuleSet, state: FrameState) -> int:
    """Points of the balls on the table, a red counting 8 (4.3)."""
    colours = colours_of(rules, state.on_table)
    value = sum(rules.values[kind] for kind in range(1, MAX_KINDS) if kind != RED and colours & rules.kind_masks[kind])
    return value + FORFEIT_RED * count_balls(reds_of(rules, state.on_table))


def _over(frame: Frame, winner: int, scores: tuple[int, ...]) -> Frame:
    state = finished(frame.state._replace(scores=scores, nominated=0, turn=-1), winner)
    return Frame(frame.ruleset, state, frame.positions, frame.table)


def _settled(frame: Frame, **changes: int) -> Frame:
    """The frame with no option open, and the count of misses ended unless `changes` keeps it."""
    fields: dict[str, Any] = {"options": 0, "offender": -1, "misses": 0, "full_ball": 0, **changes}
    return Frame(frame.ruleset, frame.state._replace(**fields), frame.positions, frame.table)


def _play(frame: Frame) -> Frame:
    return _settled(frame, free_ball=0)


def _free_ball(frame: Frame) -> Frame:
    return _settled(frame)


def _play_again(frame: Frame) -> Frame:
    # From the position left; the free ball was for the other player only (WPBSA 3.12(f)). The order of play stays: the
    # one who asks comes next (3.14.3), also if the offender had played in another's turn.
    return _settled(frame, striker=frame.state.offender, turn=_turn_taken(frame), free_ball=0)


def _turn_taken(frame: Frame) -> int:
    """Place in the order of the turn in which the offender fouled, -1 = his own."""
    state = frame.state
    taken = (state.striker - 1) % frame.ruleset.n_players
    return -1 if taken == state.offender else taken


def _restore(frame: Frame) -> Frame:
    """The position before the foul, bit for bit; the penalty stands and the offender declares anew (spec 2).

    One who played out of turn had no colour or free ball coming: a colour follows the striker's own red (spec 2.1), and
    the free ball was not his.
    """
    assert frame.before is not None
    old, now = frame.before.state, frame.state
    own = now.offender == old.striker
    state: FrameState = old._replace(
        phase=old.phase if own else next_phase(frame.ruleset, old, old.on_table, False),
        free_ball=old.free_ball if own else 0,
        nominated=0,
        striker=now.offender,
        turn=old.turn if own else _turn_taken(frame),
        scores=now.scores,
        break_points=0,
        colour_points=0,
        misses=now.misses,
        full_ball=now.full_ball,
    )
    return Frame(frame.ruleset, state, frame.before.positions, frame.table)


def _keep_ball_on(frame: Frame) -> Frame:
    assert frame.before is not None
    again = _play_again(frame)
    return _settled(again, phase=frame.before.state.phase, free_ball=frame.before.state.free_ball)


def _replace_balls(frame: Frame) -> Frame:
    restored = _restore(frame)
    phase = next_phase(frame.ruleset, restored.state, restored.state.on_table, False)
    return _settled(restored, phase=phase, free_ball=0)


def _in_hand(frame: Frame) -> Frame:
    positions = np.array(frame.positions)
    positions[0] = np.nan
    lifted = Frame(frame.ruleset, frame.state, read_only(positions), frame.table)
    return _settled(lifted, cue_in_hand=1, on_table=frame.state.on_table & ~1, free_ball=0)


def _anywhere(frame: Frame) -> Frame:
    lifted = _in_hand(frame)
    return _settled(lifted, cue_in_hand=ON_THE_TABLE)


def _first(player: int) -> Callable[[Frame], Frame]:
    return lambda frame: _settled(frame, striker=player)


def _concede(frame: Frame) -> Frame:
    """The frame goes to the other side, of several to the one that leads, to none if they are level; scores stand.

    Where the black was re-spotted for more than two sides, those left of them play on for it (3.3.8), in order.
    """
    rules = frame.ruleset
    state = frame.state._replace(conceded=frame.state.conceded | 1 << side_of(rules, frame.striker))
    playing_on = leading_sides(rules, state.scores, True, state.conceded)
    if frame.state.phase == PHASE_RESPOTTED and not is_at_most_one(playing_on):
        following = player_after(rules, state, Facts())
        return _settled(frame, conceded=state.conceded, striker=following, turn=-1, break_points=0)
    return _over(frame, only_side(leading_sides(rules, state.scores, False, state.conceded)), state.scores)


def _claim(frame: Frame) -> Frame:
    return _over(frame, side_of(frame.ruleset, frame.state.striker), frame.state.scores)


def _re_rack(frame: Frame) -> Frame:
    return opening(frame.ruleset, frame.table, frame.state.first_striker)


CHOICES: dict[str, Callable[[Frame], Frame]] = {
    **dict(
        zip(
            CHOICE_NAMES,
            (_play, _free_ball, _play_again, _restore, _in_hand, _keep_ball_on, _replace_balls, _anywhere),
            strict=True,
        )
    ),
    **{name: _first(player) for player, name in enumerate(LOT_NAMES)},
    CONCEDE: _concede,
    CLAIM: _claim,
    RE_RACK: _re_rack,
}
