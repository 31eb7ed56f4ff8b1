"""The compiled value types of a frame: what the referee reads and writes, all integers but for a placement.

Ball sets are integers: bit i is ball i, bit 0 the cue ball. A player is his place in the order of play; he is of side
player % n_sides of the rule set, so with two players it is his side too.
A state packs into one row of an int64 array (N_STATE columns: the fields in their order, scores last), which is what
batches hold.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcore.kernel.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Scores = tuple[int, ...]  # points of the sides (MAX_SIDES,)

PHASE_RED, PHASE_COLOUR, PHASE_CLEARANCE, PHASE_RESPOTTED, PHASE_OVER = range(5)
PHASE_NAMES = ("red", "colour", "clearance", "respotted", "over")

MAX_SIDES = 6  # sides of a frame that there is room for

LOT_NAMES = tuple(f"player_{player}_first" for player in range(MAX_SIDES))
CHOICE_NAMES = (  # of the player at the table; their bits are below
    "play",
    "free_ball",
    "play_again",
    "restore",
    "in_hand",
    "keep_ball_on",
    "replace_balls",
    "anywhere",
)
OPTION_NAMES = (*CHOICE_NAMES, *LOT_NAMES)
CONCEDE, CLAIM, RE_RACK = AT_ANY_TIME = ("concede", "claim", "re_rack")  # decisions that are no answer to an option
NOBODYS = (*LOT_NAMES, RE_RACK)  # decisions of the lot, and of both sides or the referee
PLAY, FREE_BALL, PLAY_AGAIN, RESTORE, IN_HAND, KEEP_BALL_ON, REPLACE_BALLS, ANYWHERE = (1 << i for i in range(8))
PLAYER_0_FIRST = ANYWHERE << 1
PLACE_NAMES = ("", "hand", "anywhere")  # where a cue ball in hand may be placed, by `cue_in_hand`, in texts
ON_THE_TABLE = 2  # of PLACE_NAMES

OBSERVED_NAMES = (
    "double_hit",  # the tip met the cue ball more than once
    "push",  # the tip stayed on the cue ball
    "feet_off_floor",
    "placed_outside_d",  # seen to be so; a placement given in the facts is measured
    "jump",  # a foul jump in the observer's judgement; jumped_before and jumped_after are judged here
    "wrong_cue_ball",  # another ball than the white was struck
    "aimed_at_red",  # played at a red when a colour was on
    "off_table_ball_used",  # a ball off the table (or any object, to measure) was used
    "non_standard_cue",
    "conferring",  # with a partner, illegally
    "touched_while_replacing",  # a ball touched while its replacement is discussed
    "not_declared",  # no declaration when snookered or asked
    "no_stroke",  # the foul came before the cue ball was struck
    "intentional",  # a deliberate miss
    "impossible",  # the ball on could not be hit (spec 7)
    "enough_strength",  # played towards it hard enough to reach it
    "miss_judged",  # the referee judged a miss
    "angled",  # after the stroke a jaw obstructs every ball on, in the observer's judgement
    "would_be_hit",  # the balls that fell unhit would have been hit by the stroke in progress
    "next_snookered",  # after the stroke the next player is snookered, in the observer's judgement
    "behind_free_ball",  # he is, and by the free ball's nominee
    "full_ball_on",  # before the stroke a ball on could be hit full in a straight line, in the observer's judgement
    "hampered",  # before the stroke the striker was snookered, or hampered in another way
)
(
    DOUBLE_HIT,
    PUSH,
    FEET_OFF_FLOOR,
    PLACED_OUTSIDE_D,
    JUMP,
    WRONG_CUE_BALL,
    AIMED_AT_RED,
    OFF_TABLE_BALL_USED,
    NON_STANDARD_CUE,
    CONFERRING,
    TOUCHED_WHILE_REPLACING,
    NOT_DECLARED,
    NO_STROKE,
    INTENTIONAL,
    IMPOSSIBLE,
    ENOUGH_STRENGTH,
    MISS_JUDGED,
    ANGLED,
    WOULD_BE_HIT,
    NEXT_SNOOKERED,
    BEHIND_FREE_BALL,
    FULL_BALL_ON,
    HAMPERED,
) = (1 << i for i in range(len(OBSERVED_NAMES)))


class FrameState(NamedTuple):
    """Everything about a frame but where the balls lie."""

    phase: int = PHASE_RED  # PHASE_*
    on_table: int = 0  # set of balls on the bed; a cue ball in hand is not in it
    nominated: int = 0  # kind declared before the stroke (colour, or free-ball nominee), 0 = none yet
    free_ball: int = 0  # 1: a free ball is offered to the striker
    striker: int = 0  # player to play, or to decide when options are open
    first_striker: int = 0  # player who opened the frame
    turn: int = -1  # place in the order that the stroke counts for, -1 = the striker's own (else: out of turn, again)
    cue_in_hand: int = 0  # 1: to be placed in the D; 2: anywhere on the table
    break_points: int = 0  # points of the striker's break so far
    colour_points: int = 0  # those of the last stroke with a colour that goes back: an early stroke cancels them
    nominee_back: int = 0  # 1: the colour that goes back after the last stroke was a free ball's nominee
    options: int = 0  # set of decisions open, PLAY | PLAY_AGAIN | …; 0 = the striker plays
    offender: int = -1  # player who committed the last foul while its options are open, else -1
    misses: int = 0  # misses called in a row from one restored position (spec 7)
    full_ball: int = 0  # 1: a full-ball contact was there at the first of these misses
    winner: int = -1  # side that won once the phase is over, -1 = undecided or tied
    conceded: int = 0  # set of sides that conceded while others play on for the re-spotted black (3.3.8)
    scores: Scores = (0,) * MAX_SIDES  # points of the sides, 0 for those that are not there


SCORES = len(FrameState._fields) - 1  # first column of the scores in a packed state
N_STATE = SCORES + MAX_SIDES


class Facts(NamedTuple):
    """What happened in one stroke, told by a simulator, a scorer or a test; sets are masks, 0 = none."""

    first_contacts: int = 0  # object balls met at the first instant; one touched at rest only if driven into
    potted: int = 0  # balls in pockets, bit 0 = in-off
    off_table: int = 0  # balls forced off the table
    touching: int = 0  # object balls touching the cue ball before the stroke
    touching_moved: int = 0  # those of them that the stroke itself moved: a push
    touched: int = 0  # balls touched by anything but the tip on the cue ball
    moving: int = 0  # balls still moving when the cue ball was struck
    unspotted: int = 0  # colours not yet spotted when the cue ball was struck
    misspotted: int = 0  # colours that lay on a wrong spot when the cue ball was struck
    jumped_before: int = 0  # object balls the cue ball passed over before its first contact
    jumped_after: int = 0  # those passed over after it, before it met a cushion or a second ball
    fell: int = 0  # balls that fell from a pocket's edge without being hit (3.8)
    observed: int = 0  # set of OBSERVED_NAMES
    played_by: int = -1  # who played, -1 = the striker; another player plays out of turn
    placed_x: float = math.nan  # where the cue ball was placed when in hand, m; nan = not placed or not told
    placed_y: float = math.nan  # the same, y
    nearest_gap: float = math.nan  # least gap between the cue ball and a ball on in the stroke, m; nan = not told

    def __repr__(self) -> str:
        """What is told, in the words of records; the bare numbers if some stand for nothing."""
        from rules.notation import NOTHING, fact_clauses
        from rules.ruleset import MAX_BALLS

        *whole, x, y, gap = self
        are_numbers = all(isinstance(v, int) for v in whole) and all(isinstance(v, int | float) for v in (x, y, gap))
        if not are_numbers or any(v >> MAX_BALLS for v in whole[: len(BALL_SETS)]):
            return f"<Facts {tuple(self)}>"
        told = (f"{word} {names}" for word, names in fact_clauses(self).items())
        return f"<Facts {'; '.join(told) or NOTHING}>"


BALL_SETS = (
    "first_contacts",
    "potted",
    "off_table",
    "touching",
    "touching_moved",
    "touched",
    "moving",
    "unspotted",
    "misspotted",
    "jumped_before",
    "jumped_after",
    "fell",
)  # fields of `Facts` that are sets of balls


class FactsArrays(NamedTuple):
    """Facts of n strokes, field by field as in `Facts`, each (n,)."""

    first_contacts: Ints
    potted: Ints
    off_table: Ints
    touching: Ints
    touching_moved: Ints
    touched: Ints
    moving: Ints
    unspotted: Ints
    misspotted: Ints
    jumped_before: Ints
    jumped_after: Ints
    fell: Ints
    observed: Ints
    played_by: Ints
    placed_x: Floats
    placed_y: Floats
    nearest_gap: Floats


@kernel
def facts_at(facts: FactsArrays, i: int) -> Facts:
    """Facts of stroke i of a batch."""
    return Facts(
        facts.first_contacts[i],
        facts.potted[i],
        facts.off_table[i],
        facts.touching[i],
        facts.touching_moved[i],
        facts.touched[i],
        facts.moving[i],
        facts.unspotted[i],
        facts.misspotted[i],
        facts.jumped_before[i],
        facts.jumped_after[i],
        facts.fell[i],
        facts.observed[i],
        facts.played_by[i],
        facts.placed_x[i],
        facts.placed_y[i],
        facts.nearest_gap[i],
    )


@kernel
def state_at(states: Ints, i: int) -> FrameState:
    """State packed in row i of an (n, N_STATE) array."""
    s = states[i]
    scores = (s[SCORES], s[SCORES + 1], s[SCORES + 2], s[SCORES + 3], s[SCORES + 4], s[SCORES + 5])
    return FrameState(
        phase=s[0],
        on_table=s[1],
        nominated=s[2],
        free_ball=s[3],
        striker=s[4],
        first_striker=s[5],
        turn=s[6],
        cue_in_hand=s[7],
        break_points=s[8],
        colour_points=s[9],
        nominee_back=s[10],
        options=s[11],
        offender=s[12],
        misses=s[13],
        full_ball=s[14],
        winner=s[15],
        conceded=s[16],
        scores=scores,
    )


@kernel
def put_state(states: Ints, i: int, state: FrameState) -> None:
    """Pack a state into row i of an (n, N_STATE) array."""
    s = states[i]
    s[0], s[1], s[2], s[3] = state.phase, state.on_table, state.nominated, state.free_ball
    s[4], s[5], s[6], s[7] = state.striker, state.first_striker, state.turn, state.cue_in_hand
    s[8], s[9], s[10] = state.break_points, state.colour_points, state.nominee_back
    s[11], s[12], s[13], s[14] = state.options, state.offender, state.misses, state.full_ball
    s[15], s[16] = state.winner, state.conceded
    for side in range(MAX_SIDES):
        s[SCORES + side] = state.scores[side]


@kernel
def changed(  # noqa: PLR0913  one argument a field that is ever changed alone
    state: FrameState,
    phase: int | None = None,
    free_ball: int | None = None,
    cue_in_hand: int | None = None,
    break_points: int | None = None,
    colour_points: int | None = None,
    nominee_back: int | None = None,
    options: int | None = None,
    offender: int | None = None,
    misses: int | None = None,
    full_ball: int | None = None,
    winner: int | None = None,
    conceded: int | None = None,
) -> FrameState:
    """The state with the fields that are given, as `_replace` does, which kernels do not have."""
    return FrameState(
        state.phase if phase is None else phase,
        state.on_table,
        state.nominated,
        state.free_ball if free_ball is None else free_ball,
        state.striker,
        state.first_striker,
        state.turn,
        state.cue_in_hand if cue_in_hand is None else cue_in_hand,
        state.break_points if break_points is None else break_points,
        state.colour_points if colour_points is None else colour_points,
        state.nominee_back if nominee_back is None else nominee_back,
        state.options if options is None else options,
        state.offender if offender is None else offender,
        state.misses if misses is None else misses,
        state.full_ball if full_ball is None else full_ball,
        state.winner if winner is None else winner,
        state.conceded if conceded is None else conceded,
        state.scores,
    )


def pack_states(states: Iterable[FrameState]) -> Ints:
    """States as rows of an (n, N_STATE) array."""
    return np.array([(*state[:SCORES], *state.scores) for state in states], dtype=np.int64).reshape(-1, N_STATE)


def unpack_state(row: Iterable[int]) -> FrameState:
    """The state in a row of such an array, with plain integers."""
    values = [int(value) for value in row]
    return FrameState._make((*values[:SCORES], tuple(values[SCORES:])))


@kernel
def count_balls(mask: int) -> int:
    """Number of balls in a set."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@kernel
def is_at_most_one(members: int) -> bool:
    """Whether a set has at most one member."""
    return members & (members - 1) == 0
