"""What sets balls in motion: `Shots` of the cue, or `Motion`, velocities and spins given directly.

Both are frozen batches: arrays with any leading shot axes, checked when built and read-only afterwards. Two batches
are equal if their shapes and canonical bytes are (-0.0 is 0.0, every nan is the same).

Not modelled: the size and shape of the tip; offsets are those of the point where it meets the ball.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcore.kernel.types import Floats

MAX_ANGLE = 4.0 * math.pi  # rad; a larger |phi| is taken for degrees
RIGHT_ANGLE = math.pi / 2.0  # rad
MAX_SPEED = 100.0  # m/s; far above what an arm can do
CHUNK = 2**13  # shots at a time: 15 MB of results with 22 balls
FASTFIZ_RADIUS = 0.028575  # m, the ball of FastFiz


def canonical_bytes(*arrays: ArrayLike) -> bytes:
    """Shapes and values of float arrays as bytes, the same for equal contents: -0.0 as 0.0, one kind of nan."""
    parts = []
    for array in arrays:
        values = np.array(array, dtype=np.float64, order="C") + 0.0  # -0.0 + 0.0 is 0.0
        values = np.where(np.isnan(values), np.nan, values)
        parts += [repr(values.shape).encode(), values.tobytes()]
    return b"".join(parts)


def index_text(index: Iterable[Any], first_row: int = 0) -> str:
    """An index as it is written, "[2]" or "[0, 3]", its rows counted from `first_row`; nothing for a scalar."""
    numbers = [int(i) for i in index]
    return str([numbers[0] + first_row, *numbers[1:]]) if numbers else ""


def float_array(name: str, values: Any) -> Floats:
    """`values` as a new float64 array; ValueError naming `name` if they are not real numbers."""
    try:
        array = np.array(values)
    except ValueError:
        raise ValueError(f"{name}: expected an array of numbers, got lists of unequal length") from None
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} = {values!r}: expected numbers")
    return array.astype(np.float64, copy=False)  # np.array has made it new


def refuse_where(name: str, values: Floats, wrong: NDArray[np.bool_] | np.bool_, expected: str) -> None:
    """ValueError naming the first of `values` where `wrong` is set, if there is one."""
    if np.count_nonzero(wrong):  # a third of the time of np.any
        index = np.unravel_index(int(np.argmax(wrong)), values.shape)
        raise ValueError(f"{name}{index_text(index)} = {float(values[index])!r}: expected {expected}")


def unchecked(cls: type[Any], *arrays: Any) -> Any:
    """A frozen batch of class `cls` that owns read-only copies of `arrays`, which are known to fit."""
    batch = object.__new__(cls)
    for field, array in zip(fields(cls), arrays, strict=True):
        own = np.array(array, dtype=np.float64, order="C")
        own.setflags(write=False)
        object.__setattr__(batch, field.name, own)
    return batch


class _Batch:
    """What `Shots` and `Motion` share; the fields of the dataclass are arrays that start with the shot axes."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shot axes, () for a single shot."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """Number of shots."""
        return math.prod(self.shape)

    def _arrays(self) -> list[Floats]:
        return [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"a single {type(self).__name__} has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Self:
        """The shots that NumPy's rules select along the shot axes: integers, slices, masks, integer arrays."""
        axes = len(self.shape)
        if axes and isinstance(key, slice):  # costs what it takes out, and not the size of the batch
            part: Self = unchecked(type(self), *(array[key] for array in self._arrays()))
            return part
        rows = np.arange(self.size).reshape(self.shape)[key]
        picked = [array.reshape((self.size, *array.shape[axes:]))[rows] for array in self._arrays()]
        batch: Self = unchecked(type(self), *picked)
        return batch

    @classmethod
    def concatenate(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, along the first shot axis; single shots count as batches of one.

        Raises ValueError if there is none, or if their other axes differ.
        """
        parts = []
        for batch in batches:
            if not isinstance(batch, cls):
                raise TypeError(f"expected {cls.__name__}, got {type(batch).__name__}")
            parts.append([a if batch.shape else a[np.newaxis] for a in batch._arrays()])
        if not parts:
            raise ValueError(f"{cls.__name__}.concatenate: expected at least one batch")
        joined: Self = unchecked(cls, *(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
        return joined

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Batch) or type(other) is not type(self):
            return NotImplemented
        return canonical_bytes(*self._arrays()) == canonical_bytes(*other._arrays())

    def __hash__(self) -> int:
        return hash(canonical_bytes(*self._arrays()))

    def __reduce__(self) -> tuple[Any, ...]:  # so that copies from pickle and deepcopy are read-only too
        return unchecked, (type(self), *self._arrays())


@dataclass(frozen=True, eq=False, init=False)
class Shots(_Batch):
    """Strokes of the cue, one or many; the five arguments broadcast to one common shape.

    V0: speed of the cue at impact, m/s, in [0, 100].
    phi: direction of the cue, rad, counter-clockwise from +x; straight up the table is pi / 2.
    theta: elevation of the butt, rad, in [0, pi / 2).
    a, b: where the tip meets the ball, in units of R, measured perpendicular to the cue: a > 0 right of centre as the
        striker sees it, b > 0 above. Beyond the miscue limit a shot is a miscue; a^2 + b^2 <= 1 is a point on the ball.
    Raises ValueError naming field, index, value and what was expected.
    Source of the conventions: Alciatore TP A.30; physics.md section 2.
    """

    V0: Floats
    phi: Floats
    theta: Floats
    a: Floats
    b: Floats

    def __init__(
        self, V0: ArrayLike, phi: ArrayLike, theta: ArrayLike = 0.0, a: ArrayLike = 0.0, b: ArrayLike = 0.0
    ) -> None:
        given = {
            name: float_array(f"Shots.{name}", values)
            for name, values in zip(SHOT_FIELDS, (V0, phi, theta, a, b), strict=True)
        }
        for name, values in given.items():
            refuse_where(f"Shots.{name}", values, ~np.isfinite(values), "a finite number")
        _check_ranges(given["V0"], given["phi"], given["theta"])
        _check_offsets(given["a"], given["b"])
        for name, values in zip(SHOT_FIELDS, _broadcast_shots(given), strict=True):
            object.__setattr__(self, name, values)

    @property
    def shape(self) -> tuple[int, ...]:
        """The common shape of the five arrays, () for a single shot."""
        return self.V0.shape

    @classmethod
    def from_pooltool(
        cls, V0: ArrayLike, phi_deg: ArrayLike, theta_deg: ArrayLike = 0.0, a: ArrayLike = 0.0, b: ArrayLike = 0.0
    ) -> Self:
        """Shots from the cue parameters of pooltool, which has degrees, and a > 0 left of centre.

        V0: m/s; phi_deg: degrees counter-clockwise from +x, any number of turns; theta_deg: degrees; a, b: units of R,
        perpendicular to the cue. Raises ValueError as `Shots`. Source: documentation of pooltool's `Cue`.
        """
        theta = np.radians(float_array("theta_deg", theta_deg))
        return cls(V0, _radians("phi_deg", phi_deg), theta, -float_array("a", a), b)

    @classmethod
    def from_fastfiz(
        cls,
        a_mm: ArrayLike,
        b_mm: ArrayLike,
        theta_deg: ArrayLike,
        phi_deg: ArrayLike,
        v: ArrayLike,
        radius: float = FASTFIZ_RADIUS,
    ) -> Self:
        """Shots from the shot parameters of FastFiz, in its order.

        a_mm: right of centre, mm; b_mm: height over the centre, mm, along the vertical and not across the cue;
        theta_deg, phi_deg: elevation and direction, degrees; v: m/s; radius: of the ball that the offsets refer to, m.
        Raises ValueError as `Shots`. Source: Leckie & Greenspan 2006, Eqs 1-3.
        """
        theta = np.radians(float_array("theta_deg", theta_deg))
        right, up = float_array("a_mm", a_mm) / (1000.0 * radius), float_array("b_mm", b_mm) / (1000.0 * radius)
        _check_offsets(right, up)
        level = np.sqrt(np.maximum(0.0, 1.0 - right * right - up * up))  # from the centre plane back to the tip
        across = up * np.cos(theta) - level * np.sin(theta)
        return cls(v, _radians("phi_deg", phi_deg), theta, right, across)


SHOT_FIELDS = tuple(field.name for field in fields(Shots))


def _broadcast_shots(given: dict[str, Floats]) -> list[Floats]:
    """The arrays, which nobody else holds, with their common shape, contiguous and read-only."""
    try:
        shape = common_shape(*(values.shape for values in given.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {values.shape}" for name, values in given.items())
        raise ValueError(f"Shots: expected shapes that broadcast, got {shapes}") from None
    return [_frozen(values, shape) for values in given.values()]


def spans(n: int, size: int) -> Iterator[tuple[int, int]]:
    """0 to n in steps of `size`: the first number of each, and the one after its last."""
    return ((first, min(first + size, n)) for first in range(0, n, size))


def common_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """As np.broadcast_shapes, which is slow to say that equal shapes are equal."""
    return shapes[0] if shapes.count(shapes[0]) == len(shapes) else np.broadcast_shapes(*shapes)


def _frozen(values: Floats, shape: tuple[int, ...]) -> Floats:
    """A new array `values` with this shape, read-only; copied only where shape or order need it."""
    fits = values.shape == shape and values.flags.c_contiguous
    own = values if fits else np.array(np.broadcast_to(values, shape), order="C")
    own.setflags(write=False)
    return own


def _check_ranges(V0: Floats, phi: Floats, theta: Floats) -> None:
    refuse_where("Shots.V0", V0, V0 < 0.0, "a speed >= 0 m/s")
    refuse_where("Shots.V0", V0, V0 > MAX_SPEED, f"metres per second, at most {MAX_SPEED:.0f}")
    refuse_where("Shots.phi", phi, np.abs(phi) > MAX_ANGLE, "radians, at most 4 pi either way; degrees?")
    refuse_where("Shots.theta", theta, (theta < 0.0) | (theta >= RIGHT_ANGLE), "radians in [0, pi/2); degrees?")


def _check_offsets(a: Floats, b: Floats) -> None:
    """Refuse tips beside the ball; shapes that do not broadcast are left to the caller's own check."""
    try:
        reach = a * a + b * b
    except ValueError:
        return
    beside = reach > 1.0
    if np.count_nonzero(beside):
        at = np.unravel_index(int(np.argmax(beside)), reach.shape)
        x, y = (float(np.broadcast_to(values, reach.shape)[at]) for values in (a, b))
        where = index_text(at)
        raise ValueError(f"Shots.a{where} = {x!r} and Shots.b{where} = {y!r}: expected a^2 + b^2 <= 1, in units of R")


def _radians(name: str, degrees: ArrayLike) -> Floats:
    """Degrees of any number of turns as radians within one turn either way; the reduction is exact."""
    turned = float_array(name, degrees)
    refuse_where(name, turned, ~np.isfinite(turned), "a finite number of degrees")
    radians: Floats = np.radians(np.fmod(turned, 360.0))
    return radians


@dataclass(frozen=True, eq=False, init=False)
class Motion(_Batch):
    """Velocities and spins of all balls at the start, in place of a stroke.

    v: velocities (..., n_balls, 2), m/s; w: spins (..., n_balls, 3), rad/s, z counter-clockwise from above; without w
    the balls slide without spin. Leading axes broadcast. Rows of absent balls are not looked at, but must be finite.
    Raises ValueError naming field, index, value and what was expected.
    """

    v: Floats
    w: Floats

    def __init__(self, v: ArrayLike, w: ArrayLike | None = None) -> None:
        velocities = _vectors("Motion.v", v, 2)
        spins = np.zeros((*velocities.shape[:-1], 3)) if w is None else _vectors("Motion.w", w, 3)
        try:
            lead = common_shape(velocities.shape[:-1], spins.shape[:-1])
        except ValueError:
            shapes = f"v {velocities.shape}, w {spins.shape}"
            raise ValueError(f"Motion: expected shapes that broadcast, got {shapes}") from None
        object.__setattr__(self, "v", _frozen(velocities, (*lead, 2)))
        object.__setattr__(self, "w", _frozen(spins, (*lead, 3)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shot axes, () for a single start."""
        return self.v.shape[:-2]

    @property
    def n_balls(self) -> int:
        """Number of balls."""
        return int(self.v.shape[-2])


def _vectors(name: str, values: Any, components: int) -> Floats:
    array = float_array(name, values)
    if array.ndim < 2 or array.shape[-1] != components:
        raise ValueError(f"{name} has shape {array.shape}: expected (..., n_balls, {components})")
    refuse_where(name, array, ~np.isfinite(array), "a finite number")
    return array
