"""Strokes: what a player decides at the table. A shot of the cue, a nomination, and where a cue ball in hand goes.

Not modelled: calling pockets.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rules.ruleset import kind_name, kind_number
from rules.state import Floats, Ints
from simcore.shots import Shots, canonical_bytes, float_array

Nominations = str | None | Sequence[str | None]


@dataclass(frozen=True, eq=False, init=False)
class Strokes:
    """Strokes, one or many; shots, nominations and placements broadcast to one common shape.

    shots: simcore.Shots. nominated: a ball's name or None, for all or one for each stroke. cue_ball: (..., 2), m, where
    a cue ball in hand is placed, nan or None = it stays where it is.
    Two are equal if their shots, nominations and placements are.
    Raises ValueError for an unknown ball, one coordinate nan or infinite, or shapes that do not fit; TypeError for
    shots or nominations of another type.
    """

    shots: Shots
    nominated: Ints  # kind of the ball declared, 0 = none, the shape of the shots, read-only
    cue_ball: Floats  # (..., 2), m, nan = not placed, read-only

    def __init__(self, shots: Shots, nominated: Nominations = None, cue_ball: ArrayLike | None = None) -> None:
        if not isinstance(shots, Shots):
            raise TypeError(f"shots = {shots!r:.80}: expected simcore.Shots")
        kinds, places = _kinds(nominated), _places(cue_ball)
        try:
            shape = np.broadcast_shapes(shots.shape, kinds.shape, places.shape[:-1])
        except ValueError:
            shapes = f"shots {shots.shape}, nominated {kinds.shape}, cue_ball {places.shape}"
            raise ValueError(f"strokes: the shapes do not fit each other: {shapes}") from None
        if shots.shape != shape:
            fields = (shots.V0, shots.phi, shots.theta, shots.a, shots.b)
            shots = Shots(*(np.broadcast_to(field, shape) for field in fields))
        self._set(shots, np.array(np.broadcast_to(kinds, shape)), np.array(np.broadcast_to(places, (*shape, 2))))

    def _set(self, shots: Shots, kinds: Ints, places: Floats) -> None:
        kinds.setflags(write=False)
        places.setflags(write=False)
        for name, value in (("shots", shots), ("nominated", kinds), ("cue_ball", places)):
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, ...]:
        """The stroke axes, () for a single stroke."""
        return self.nominated.shape

    @property
    def nomination(self) -> str | None:
        """Name of the ball declared with a single stroke, None for none."""
        kind = int(self.nominated)
        return kind_name(kind) if kind else None

    @property
    def placement(self) -> Floats | None:
        """Where a single stroke places the cue ball, (2,) m, None for nowhere."""
        return None if np.isnan(self.cue_ball).any() else self.cue_ball

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single stroke has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator["Strokes"]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> "Strokes":
        """The strokes that NumPy's rules select along the stroke axes."""
        axes = len(self.shape)
        rows = np.arange(self.nominated.size).reshape(self.shape)[key]
        kinds, places = self.nominated.reshape(-1)[rows], self.cue_ball.reshape(-1, 2)[rows]
        return _remade(self.shots[key] if axes else self.shots, kinds, places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strokes):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.shots, canonical_bytes(self.nominated, self.cue_ball)

    def __reduce__(self) -> tuple[Any, ...]:  # so that copies from pickle and deepcopy are read-only too
        return _remade, (self.shots, self.nominated, self.cue_ball)

    def __repr__(self) -> str:
        return f"<{self.nominated.size} strokes>" if self.shape else f"<stroke {self.shots!r}>"


def _remade(shots: Shots, kinds: Ints, places: Floats) -> Strokes:
    """Strokes from the values of their fields, which are known to fit, with arrays of their own."""
    strokes = object.__new__(Strokes)
    strokes._set(shots, np.array(kinds), np.array(places))
    return strokes


def _kinds(nominated: Nominations) -> Ints:
    if nominated is None or isinstance(nominated, str):
        return np.array(kind_number(nominated), dtype=np.int64)
    if not isinstance(nominated, Iterable):
        raise TypeError(f"nominated = {nominated!r:.80}: expected a ball's name, None, or one of them for each stroke")
    nominated = list(nominated)
    for i, name in enumerate(nominated):
        if name is not None and not isinstance(name, str):
            raise TypeError(f"nominated[{i}] = {name!r:.80}: expected a ball's name or None")
    return np.array([kind_number(name, f"nominated[{i}]") for i, name in enumerate(nominated)], dtype=np.int64)


def _places(cue_ball: ArrayLike | None) -> Floats:
    if cue_ball is None:
        return np.full(2, np.nan)
    places = float_array("cue_ball", cue_ball)
    if places.ndim == 0 or places.shape[-1] != 2:
        raise ValueError(f"cue_ball has shape {places.shape}: expected (..., 2)")
    half = np.isnan(places).sum(axis=-1) == 1
    if half.any() or np.isinf(places).any():
        raise ValueError("cue_ball: expected two finite numbers in metres, or two nan = not placed")
    return places
