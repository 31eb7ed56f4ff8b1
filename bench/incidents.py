"""What the simulator never tells but a scorer may see: random incidents put into the facts of some strokes.

They make fouls of every kind happen in self-play. What would contradict the frame is not told: the stroke stays as it
was.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import rules
from rules.checks import checked_facts
from rules.ruleset import MAX_BALLS, RED
from rules.state import HAMPERED, NO_STROKE, OBSERVED_NAMES, WOULD_BE_HIT, Facts, FactsArrays, FrameState

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SEEN = tuple(name for name in OBSERVED_NAMES if name not in ("no_stroke", "would_be_hit"))
ON_TABLE = FrameState._fields.index("on_table")
GAPS = 0.5  # m, greatest gap between the cue ball and a ball on that is told


class Stroke(NamedTuple):
    """One stroke of a batch: its row in arrays that may be written."""

    facts: FactsArrays
    ends: Floats  # (n, 22, 2), m, where the balls came to rest
    layouts: Floats  # (n, 22, 2), m, where they were when the cue ball was struck
    row: int
    on_table: int  # set of balls before the stroke, without a cue ball in hand
    n_players: int

    def ball(self, rng: np.random.Generator, low: int = 1, high: int = MAX_BALLS) -> int:
        """One of the object balls low to high - 1 on the table, as a set; 0 = there is none."""
        there = [1 << ball for ball in range(low, high) if self.on_table >> ball & 1]
        return there[rng.integers(len(there))] if there else 0


def see(stroke: Stroke, rng: np.random.Generator) -> None:
    """One of the observed facts."""
    stroke.facts.observed[stroke.row] |= 1 << OBSERVED_NAMES.index(SEEN[rng.integers(len(SEEN))])


def touch(stroke: Stroke, rng: np.random.Generator) -> None:
    """A ball was touched by hand."""
    stroke.facts.touched[stroke.row] |= stroke.ball(rng)


def strike_early(stroke: Stroke, rng: np.random.Generator) -> None:
    """A ball was still moving."""
    stroke.facts.moving[stroke.row] |= stroke.ball(rng)


def spot_late(stroke: Stroke, rng: np.random.Generator) -> None:
    """A colour was not spotted yet, and so met by none, or wrongly."""
    facts, row = stroke.facts, stroke.row
    met = facts.first_contacts[row] | facts.potted[row] | facts.off_table[row] | facts.touching[row]
    if rng.random() < 0.5:
        facts.misspotted[row] |= stroke.ball(rng, 1, RED)
    else:
        facts.unspotted[row] |= stroke.ball(rng, 1, RED) & ~met


def jump(stroke: Stroke, rng: np.random.Generator) -> None:
    """The cue ball jumped over a ball."""
    jumped = (stroke.facts.jumped_before, stroke.facts.jumped_after)[rng.integers(2)]
    jumped[stroke.row] |= stroke.ball(rng)


def force_off(stroke: Stroke, rng: np.random.Generator) -> None:
    """What fell flew off the table instead, or else a ball that stayed does."""
    facts, row = stroke.facts, stroke.row
    flown = int(facts.potted[row]) or stroke.ball(rng) & int(facts.first_contacts[row])
    facts.potted[row] &= ~flown
    facts.off_table[row] |= flown


def hit_two(stroke: Stroke, rng: np.random.Generator) -> None:
    """Another ball was met at the same instant."""
    if stroke.facts.first_contacts[stroke.row]:
        stroke.facts.first_contacts[stroke.row] |= stroke.ball(rng)


def play_out_of_turn(stroke: Stroke, rng: np.random.Generator) -> None:
    """Another player played, or it is told that the striker did."""
    stroke.facts.played_by[stroke.row] = rng.integers(stroke.n_players)


def tell_the_gap(stroke: Stroke, rng: np.random.Generator) -> None:
    """How near the cue ball came to a ball on was told, or that the attempt was a miss."""
    stroke.facts.nearest_gap[stroke.row] = rng.uniform(0.0, GAPS)


def fall(stroke: Stroke, rng: np.random.Generator) -> None:
    """A ball that the stroke did not move fell by itself; one that it would have hit makes the stroke void."""
    facts, row = stroke.facts, stroke.row
    still = (stroke.ends[row] == stroke.layouts[row]).all(axis=-1)
    ball = stroke.ball(rng)
    if ball and still[ball.bit_length() - 1]:
        facts.fell[row] |= ball
        stroke.ends[row, ball.bit_length() - 1] = np.nan
        facts.observed[row] |= WOULD_BE_HIT if rng.random() < 0.5 else 0


def foul_first(stroke: Stroke, rng: np.random.Generator) -> None:
    """Something was fouled before the cue ball was struck, when hampered or not: nothing moved, or was placed."""
    facts, row = stroke.facts, stroke.row
    for field in (facts.first_contacts, facts.potted, facts.touching_moved, facts.jumped_before, facts.jumped_after):
        field[row] = 0
    facts.observed[row] |= NO_STROKE | (HAMPERED if rng.random() < 0.3 else 0)
    facts.touched[row] |= stroke.ball(rng)
    stroke.ends[row] = stroke.layouts[row]
    if not stroke.on_table & 1 and rng.random() < 0.5:
        facts.placed_x[row], facts.placed_y[row] = np.nan, np.nan


INCIDENTS: tuple[Callable[[Stroke, np.random.Generator], None], ...] = (
    see,
    touch,
    strike_early,
    spot_late,
    jump,
    force_off,
    hit_two,
    play_out_of_turn,
    tell_the_gap,
    fall,
    foul_first,
)


def add_incidents(
    facts: FactsArrays,
    ends: Floats,
    layouts: Floats,
    frames: rules.Frames,
    nominated: Ints,
    share: float,
    rng: np.random.Generator,
) -> None:
    """Put an incident into about `share` of the strokes of some frames, in place; nominated: kinds (n,)."""
    on_table = frames.states[:, ON_TABLE]
    for row in np.flatnonzero(rng.random(len(on_table)) < share).tolist():
        before, end = Facts(*(column[row] for column in facts)), ends[row].copy()
        incident = INCIDENTS[rng.integers(len(INCIDENTS))]
        incident(Stroke(facts, ends, layouts, row, int(on_table[row]), frames.ruleset.n_players), rng)
        try:
            checked_facts(frames[row], Facts(*(column[row] for column in facts)), int(nominated[row]))
        except ValueError:
            for column, value in zip(facts, before, strict=True):
                column[row] = value
            ends[row] = end
