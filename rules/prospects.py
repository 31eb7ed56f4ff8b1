"""What is still to be had in a frame: points available to a side, and the snookers it needs to draw level.

A side needs snookers when the balls alone can no longer bring it level: its deficit exceeds the points available to it
(WPBSA 3.14(b) says so of "penalty points"; at equality it can still tie, and a tie is played off with the black). The
number is that of the least fouls, each at the least penalty that a foul can then cost.

Not modelled: points that fouls add by balls they waste (a red potted in a foul takes eight points off the table).
"""

from rules.ball_on import colours_of, lowest_colour, points_on_table
from rules.checks import check_integer
from rules.frame import Frame, check_frame
from rules.outcome import is_last_ball
from rules.sides import side_of
from rules.state import PHASE_CLEARANCE, PHASE_COLOUR, PHASE_RED


def points_available(frame: Frame, side: int | None = None) -> int:
    """The most points that a side can still score by potting, 0 when the frame is over.

    side: number of the side, default that of the player at the table. He has the best colour with every red, the
    colours, the colour on after a red, and a free ball offered to him; the others what is left once his turn ends.
    Raises ValueError for a side that is not there. Source: spec 7.
    """
    side, state = _side(frame, side), frame.state
    if frame.is_over:
        return 0
    if side != side_of(frame.ruleset, state.striker):
        without_reds = PHASE_CLEARANCE if state.phase == PHASE_COLOUR else state.phase
        state = state._replace(free_ball=0, phase=PHASE_RED if frame.reds_left else without_reds)
    return int(points_on_table(frame.ruleset, state))


def deficit(frame: Frame, side: int | None = None) -> int:
    """Points by which a side is behind the best of the others, negative when it leads.

    side: number of the side, default that of the player at the table. In the last frame of an aggregate match the
    points of the earlier frames count too. Raises ValueError for a side that is not there.
    """
    side, rules = _side(frame, side), frame.ruleset
    totals = [points + carried for points, carried in zip(frame.scores, rules.carried, strict=False)]
    return max(points for other, points in enumerate(totals) if other != side) - totals[side]


def snookers_required(frame: Frame, side: int | None = None) -> int | None:
    """Least number of others' fouls after which a side could draw level by potting.

    side: number of the side, default that of the player at the table. 0 = it can do so now; None = no foul helps any
    more: the frame is over, or only the last ball is left, on which a foul ends it. With the colours taken in order no
    foul costs less than the lowest one left. Raises ValueError for a side that is not there.
    """
    missing = deficit(frame, side) - points_available(frame, side)
    if missing <= 0:
        return 0
    rules, state = frame.ruleset, frame.state
    if frame.is_over or is_last_ball(rules, state):
        return None
    least = rules.min_penalty
    if state.phase == PHASE_CLEARANCE:
        least = max(least, rules.values[lowest_colour(rules, colours_of(rules, state.on_table))])
    return -(-missing // least)


def _side(frame: Frame, side: int | None) -> int:
    """The number of a side, that of the player at the table for None."""
    check_frame(frame)
    if side is None:
        return int(side_of(frame.ruleset, frame.striker))
    return check_integer("side", side, 0, frame.ruleset.n_sides - 1)
