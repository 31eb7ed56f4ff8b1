"""Many frames of one game as arrays, for compiled paths; frames[i] is a `Frame`.

Not kept: frames that can be restored. A batch is for frames in which a stroke is to be played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rules.bed import bed_of
from rules.checks import check_ready
from rules.frame import Frame, check_frame, read_only
from rules.ruleset import RuleSet
from rules.ruling import PHASE, RulingArrays, check_batch, empty_rulings, rule_strokes
from rules.state import PHASE_OVER, FactsArrays, Floats, FrameState, Ints, pack_states, unpack_state

if TYPE_CHECKING:
    from simcore import Table


OPTIONS = FrameState._fields.index("options")


@dataclass(frozen=True, eq=False)
class Frames:
    """Frames of one game on one table."""

    ruleset: RuleSet
    states: Ints  # (n, N_STATE), columns as FrameState
    positions: Floats  # (n, 22, 2), m, nan = absent
    table: "Table"

    @classmethod
    def of(cls, frames: Sequence[Frame]) -> "Frames":
        """A batch of frames; ValueError if there is none or their rules or tables differ."""
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
        state = unpack_state(self.states[i])
        return Frame(self.ruleset, state, read_only(np.array(self.positions[i])), self.table)

    def referee(self, facts: FactsArrays, nominated: Ints, positions: Floats) -> RulingArrays:
        """Rule on one stroke of each frame; arguments as of `rules.referee_batch`, row i for frame i.

        Raises ValueError as it does, with the index of the frame that is over or has an option pending.
        """
        self._check_ready()
        kinds = check_batch(self.ruleset, self.states, facts, nominated, positions)
        if len(kinds) != len(self):
            raise ValueError(f"positions are of {len(kinds)} strokes: expected {len(self)}, one of each frame")
        out = empty_rulings(positions)
        bed = bed_of(self.table, self.ruleset)
        rule_strokes(self.ruleset, bed, np.array(self.states), facts, kinds, np.array(self.positions), out)
        return out

    def _check_ready(self) -> None:
        waiting = (self.states[:, PHASE] == PHASE_OVER) | (self.states[:, OPTIONS] != 0)
        if waiting.any():
            i = int(waiting.argmax())
            try:
                check_ready(self[i])
            except ValueError as error:
                raise ValueError(f"frames[{i}]: {error}") from None
