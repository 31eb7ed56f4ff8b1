"""Many frames of one game as arrays, for compiled paths; frames[i] is a `Frame`.

Not kept: frames that can be restored. A batch is for frames in which a stroke is to be played.
"""

import operator
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.bed import Bed, bed_of
from rules.checks import check_places_known, check_ready
from rules.frame import Frame, check_frame, read_only
from rules.ruleset import MAX_SCORE, SCORE_MARGIN, RuleSet
from rules.ruling import PHASE, RulingArrays, check_batch, empty_rulings, rule_told
from rules.snookered import Snookers, find_snookers
from rules.state import (
    KEEP_BALL_ON,
    PHASE_OVER,
    REPLACE_BALLS,
    RESTORE,
    SCORES,
    FactsArrays,
    Floats,
    FrameState,
    Ints,
    pack_states,
    unpack_state,
)
from simcore.simulate import thread_count

if TYPE_CHECKING:
    from simcore import Table


OPTIONS = FrameState._fields.index("options")
NEEDS_BEFORE = RESTORE | KEEP_BALL_ON | REPLACE_BALLS  # options that need the frame before the foul
SERIAL_BELOW = 2_000  # strokes below which threads cost more than they bring


def rule_on_threads(threads: int, rules: RuleSet, bed: Bed, *arrays: Any) -> None:
    """`rule_told` with the strokes shared out among threads; the arrays are its own, one row a stroke in each.

    The door lets go of the interpreter, so plain threads will do; each writes rows of its own.
    """
    n = len(arrays[0])
    shares = [slice(n * k // threads, n * (k + 1) // threads) for k in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        runs = [
            pool.submit(rule_told, rows.start, rules, bed, *(_rows(array, rows) for array in arrays)) for rows in shares
        ]
        for run in runs:
            run.result()


def _plain(array: Any) -> Any:
    """The array, or a copy, as doors take it: one that is read-only or has gaps is another type to numba."""
    return np.require(array, requirements=("C", "A", "W"))


def _rows(arrays: Any, rows: slice) -> Any:
    """Rows of an array, or of every array of a named tuple, in the same memory."""
    return arrays[rows] if isinstance(arrays, np.ndarray) else arrays._make(array[rows] for array in arrays)


@dataclass(frozen=True, eq=False)
class Frames:
    """Frames of one game on one table."""

    ruleset: RuleSet
    states: Ints  # (n, N_STATE), columns as FrameState
    positions: Floats  # (n, 22, 2), m, nan = absent
    table: "Table"

    @classmethod
    def of(cls, frames: Sequence[Frame]) -> "Frames":
        """A batch of frames; ValueError if there is none or their rules or tables differ, TypeError for no frames."""
        if not isinstance(frames, Iterable):
            raise TypeError(f"frames = {frames!r:.80}: expected frames in a sequence, such as [frame]")
        frames = list(frames)
        if not frames:
            raise ValueError("frames: expected at least one")
        for frame in frames:
            check_frame(frame)
        first = frames[0]
        for i, frame in enumerate(frames):
            if frame.ruleset != first.ruleset or frame.table != first.table:
                raise ValueError(f"frames[{i}] has other rules or another table than frames[0]")
        states = pack_states(frame.state for frame in frames)
        return cls(first.ruleset, states, np.array([frame.positions for frame in frames]), first.table)

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[Frame]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> Frame:
        """Frame number i."""
        state = unpack_state(self.states[operator.index(i)])
        state = state._replace(options=state.options & ~NEEDS_BEFORE)  # the frame to restore is not kept
        return Frame(self.ruleset, state, read_only(np.array(self.positions[i])), self.table)

    def referee(
        self, facts: FactsArrays, nominated: Ints, positions: Floats, *, threads: int | None = None
    ) -> RulingArrays:
        """Rule on one stroke of each frame; arguments as of `rules.referee_batch`, row i for frame i.

        threads: at most this many, default all that numba may use; rulings do not depend on it.
        Raises ValueError as it does, with the index of the frame that is over or has an option pending.
        """
        self._check_ready()
        n_threads = thread_count(threads)
        kinds = check_batch(self.ruleset, self.states, facts, nominated, positions)
        if len(kinds) != len(self):
            raise ValueError(f"positions are of {len(kinds)} strokes: expected {len(self)}, one of each frame")
        out = empty_rulings(positions)
        bed = bed_of(self.table, self.ruleset)
        given = self.ruleset, bed, _plain(self.states), facts, kinds, _plain(self.positions), out
        if n_threads == 1 or len(self) < SERIAL_BELOW:
            rule_told(0, *given)
        else:
            rule_on_threads(n_threads, *given)
        return out

    def snookered(self) -> Snookers:
        """Whether the player to play is snookered in each frame, and by which balls.

        He is if no ball on can be hit on both extreme edges by straight paths that no ball not on obstructs; in hand,
        from any place in the D. With a colour to choose and none declared: on every colour. Source: spec 6.1.
        """
        check_places_known(self.ruleset)
        out = Snookers(*np.zeros((2, len(self)), dtype=np.int64))
        bed = bed_of(self.table, self.ruleset)
        find_snookers(self.ruleset, bed, _plain(self.states), _plain(self.positions), out)
        return out

    def after(self, rulings: RulingArrays, frames: Sequence[Frame] | None = None) -> list[Frame]:
        """The frames that follow rulings of `referee`; one that can be restored keeps the frame it came from.

        frames: those this batch was made of, if they are at hand.
        """
        following = []
        for i, (row, places) in enumerate(zip(rulings.states.tolist(), rulings.positions, strict=True)):
            state = unpack_state(row)
            restorable = state.options & RESTORE
            before = (frames[i] if frames is not None else self[i]) if restorable else None
            following.append(Frame(self.ruleset, state, read_only(np.array(places)), self.table, before))
        return following

    def _check_ready(self) -> None:
        waiting = (self.states[:, PHASE] == PHASE_OVER) | (self.states[:, OPTIONS] != 0)
        for side in range(self.ruleset.n_sides):
            waiting |= self.states[:, SCORES + side] > MAX_SCORE - SCORE_MARGIN
        if waiting.any():
            i = int(waiting.argmax())
            try:
                check_ready(self[i])
            except ValueError as error:
                raise ValueError(f"frames[{i}]: {error}") from None
