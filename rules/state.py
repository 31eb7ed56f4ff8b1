"""The compiled value types of a frame: what the referee reads and writes, all integers but for a placement.

Ball sets are integers: bit i is ball i, bit 0 the cue ball. A player is an index; with two players it is his side too.
A state packs into one row of an int64 array (N_STATE columns, in the order of the fields), which is what batches hold.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcore.kernel.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PHASE_RED, PHASE_COLOUR, PHASE_CLEARANCE, PHASE_RESPOTTED, PHASE_OVER = range(5)
PHASE_NAMES = ("red", "colour", "clearance", "respotted", "over")

OPTION_NAMES = ("play", "play_again", "restore", "in_hand", "player_0_first", "player_1_first")
PLAY, PLAY_AGAIN, RESTORE, IN_HAND, PLAYER_0_FIRST, PLAYER_1_FIRST = (1 << i for i in range(len(OPTION_NAMES)))

OBSERVED_NAMES = (
    "double_hit",  # the tip met the cue ball more than once
    "push",  # the tip stayed on the cue ball
    "feet_off_floor",
    "out_of_turn",
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
    "angled",  # after the stroke a jaw obstructs every ball on
)
(
    DOUBLE_HIT,
    PUSH,
    FEET_OFF_FLOOR,
    OUT_OF_TURN,
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
) = (1 << i for i in range(len(OBSERVED_NAMES)))


class FrameState(NamedTuple):
    """Everything about a frame but where the balls lie."""

    phase: int = PHASE_RED  # PHASE_*
    on_table: int = 0  # set of balls on the bed; a cue ball in hand is not in it
    nominated: int = 0  # kind declared before the stroke (colour, or free-ball nominee), 0 = none yet
    free_ball: int = 0  # 1: a free ball is offered to the striker
    score_0: int = 0  # points of side 0
    score_1: int = 0  # points of side 1
    striker: int = 0  # player to play, or to decide when options are open
    first_striker: int = 0  # player who opened the frame
    cue_in_hand: int = 0  # 1: to be placed in the D
    break_points: int = 0  # points of the striker's break so far
    options: int = 0  # set of decisions open, PLAY | PLAY_AGAIN | …; 0 = the striker plays
    offender: int = -1  # player who committed the last foul while its options are open, else -1
    misses: int = 0  # misses called in a row from one restored position (spec 7)
    full_ball: int = 0  # 1: a full-ball contact was there at the first of these misses
    winner: int = -1  # side that won once the phase is over, -1 = undecided or tied


N_STATE = len(FrameState._fields)


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
    observed: int = 0  # set of OBSERVED_NAMES
    placed_x: float = math.nan  # where the cue ball was placed when in hand, m; nan = not placed or not told
    placed_y: float = math.nan  # the same, y


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
    observed: Ints
    placed_x: Floats
    placed_y: Floats


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
        facts.observed[i],
        facts.placed_x[i],
        facts.placed_y[i],
    )


@kernel
def state_at(states: Ints, i: int) -> FrameState:
    """State packed in row i of an (n, N_STATE) array."""
    return FrameState(
        states[i, 0],
        states[i, 1],
        states[i, 2],
        states[i, 3],
        states[i, 4],
        states[i, 5],
        states[i, 6],
        states[i, 7],
        states[i, 8],
        states[i, 9],
        states[i, 10],
        states[i, 11],
        states[i, 12],
        states[i, 13],
        states[i, 14],
    )


@kernel
def count_balls(mask: int) -> int:
    """Number of balls in a set."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count
