"""Taking an option: what the next player may choose after a foul, or after the lot for the re-spotted black.

Clauses 3.10.3, 2.16 and 3.3.8 of the old text; WPBSA 3.11, 3.13, 3.14, 3.4 (spec 5.1, 10).

Not modelled yet: conceding, claiming, re-racking.
"""

from collections.abc import Callable

import numpy as np

from rules.frame import Frame, read_only
from rules.state import OPTION_NAMES, FrameState


def decide(frame: Frame, option: str) -> Frame:
    """The frame after the striker takes `option`, one of `frame.options`; ValueError names what was not offered."""
    if option not in frame.options:
        offered = ", ".join(frame.options) or "nothing: no decision is pending"
        known = "" if option in OPTION_NAMES else f" (known: {', '.join(OPTION_NAMES)})"
        raise ValueError(f"option {option!r} was not offered{known}; offered: {offered}")
    return CHOICES[option](frame)


def _settled(frame: Frame, **changes: int) -> Frame:
    """The frame with no option open, and the count of misses ended unless `changes` keeps it."""
    fields = {"options": 0, "offender": -1, "misses": 0, "full_ball": 0, **changes}
    return Frame(frame.ruleset, frame.state._replace(**fields), frame.positions, frame.table)


def _play(frame: Frame) -> Frame:
    return _settled(frame)


def _play_again(frame: Frame) -> Frame:
    # From the position left; the free ball was for the other player only (WPBSA 3.12(f)).
    return _settled(frame, striker=frame.state.offender, free_ball=0)


def _restore(frame: Frame) -> Frame:
    """The position before the foul, bit for bit; the penalty stands and the offender declares anew (spec 2)."""
    assert frame.before is not None
    old, now = frame.before.state, frame.state
    state: FrameState = old._replace(
        nominated=0,
        score_0=now.score_0,
        score_1=now.score_1,
        break_points=0,
        misses=now.misses,
        full_ball=now.full_ball,
    )
    return Frame(frame.ruleset, state, frame.before.positions, frame.table)


def _in_hand(frame: Frame) -> Frame:
    positions = np.array(frame.positions)
    positions[0] = np.nan
    lifted = Frame(frame.ruleset, frame.state, read_only(positions), frame.table)
    return _settled(lifted, cue_in_hand=1, on_table=frame.state.on_table & ~1, free_ball=0)


def _first(player: int, frame: Frame) -> Frame:
    return _settled(frame, striker=player)


CHOICES: dict[str, Callable[[Frame], Frame]] = {
    "play": _play,
    "play_again": _play_again,
    "restore": _restore,
    "in_hand": _in_hand,
    "player_0_first": lambda frame: _first(0, frame),
    "player_1_first": lambda frame: _first(1, frame),
}
