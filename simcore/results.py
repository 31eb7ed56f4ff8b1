"""What `simulate` returns: one array a fact, all with the same leading shot axes."""

import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcore.files import write_atomically
from simcore.kernel import types
from simcore.kernel.types import Bytes, EventLog, Facts, Flags, Floats, Ints
from simcore.shots import index_text

SCHEMA = 1
"""Version of the files that `ShotResults.save` writes."""


class Status(IntEnum):
    """How a shot ended."""

    REST = types.DONE_REST
    """All balls are at rest or potted."""
    FIRST_CONTACT = types.DONE_FIRST_CONTACT
    """Stopped, as asked, when the cue ball first met a ball."""
    FIRST_POT = types.DONE_FIRST_POT
    """Stopped, as asked, when the first ball fell."""
    MISCUE = types.DONE_MISCUE
    """The tip slipped off: no ball moved."""
    EVENT_CAP = types.DONE_EVENT_CAP
    """More events than `max_events`: the shot is not finished."""
    NOT_FINITE = types.DONE_NOT_FINITE
    """The arithmetic overflowed: the shot's numbers mean nothing."""
    NOT_SETTLED = types.DONE_NOT_SETTLED
    """The joint impulses of an instant did not converge: the shot was stopped there."""


UNFINISHED = (Status.EVENT_CAP, Status.NOT_FINITE, Status.NOT_SETTLED)


class EventKind(IntEnum):
    """What an event is."""

    BALL = types.BALL
    NOSE = types.NOSE
    JAW = types.JAW
    POCKET = types.POCKET
    TRANSITION = types.TRANSITION


class SimulationError(RuntimeError):
    """Some shots did not finish."""


def _span(start: Ints, i: int) -> slice:
    """What shot `i` owns of a log; counted from the end if negative, as NumPy does."""
    return slice(int(start[:-1][i]), int(start[1:][i]))


@dataclass(frozen=True, eq=False)
class Events:
    """Logged events of many shots, one shot after the other: shot i owns the entries start[i] to start[i + 1].

    t: s (n_events,); kind: EventKind (n_events,); ball: index (n_events,); other: the other ball, or the index of
    the nose, jaw or pocket, -1 for a transition (n_events,); gap: what the contact left open, m (n_events,);
    start: (n_shots + 1,).
    """

    t: Floats
    kind: Ints
    ball: Ints
    other: Ints
    gap: Floats
    start: Ints

    def of(self, i: int) -> "Events":
        """The events of shot `i` (flat index, from the end if negative); IndexError if there is none of that number."""
        s = _span(self.start, i)
        n = s.stop - s.start
        return Events(self.t[s], self.kind[s], self.ball[s], self.other[s], self.gap[s], np.array([0, n]))

    def __len__(self) -> int:
        return len(self.t)


@dataclass(frozen=True, eq=False)
class Segments:
    """Logged motion segments: from t0 on, ball `ball` is at r + v (t - t0) + a (t - t0)².

    values: t0, x, y, vx, vy, ax, ay, wx, wy, wz (n_segments, 10), SI units; ball: (n_segments,); state: motion state
    of simcore.kernel.types (n_segments,); start: shot i owns start[i] to start[i + 1] (n_shots + 1,).
    """

    values: Floats
    ball: Ints
    state: Ints
    start: Ints

    def of(self, i: int, ball: int) -> tuple[Floats, Ints]:
        """Values and states of one ball's segments in shot `i`, numbered as in `Events.of`, in order of time."""
        s = _span(self.start, i)
        mine = self.ball[s] == ball
        return self.values[s][mine], self.state[s][mine]


@dataclass(frozen=True, eq=False)
class ShotResults:
    """Outcomes of a batch; `...` stands for the shot axes, () for a single shot. Index 0 is the cue ball.

    positions: m (..., n_balls, 2), nan = not on the table; velocities: m/s (..., n_balls, 2); spins: rad/s
    (..., n_balls, 3); pocket: pocket each ball fell into, -1 = none (..., n_balls); pot_time: s, inf = never
    (..., n_balls); first_contacts: balls the cue ball met at its first contact (..., n_balls); moved_by: ball that
    first moved each ball, itself if it moved from the start, -1 = never (..., n_balls); moved_time: s, inf = never
    (..., n_balls); cushions_before, cushions_after: nose and jaw contacts of each ball, up to 32,767, before, and from
    the first contact on (..., n_balls); touching: balls within 0.05 mm of the cue ball at the start (..., n_balls);
    duration: s, until the last spin has died away (...); n_events: transitions, contacts and falls (...); status:
    Status (...).
    """

    positions: Floats
    velocities: Floats
    spins: Floats
    pocket: Bytes
    pot_time: Floats
    first_contacts: Flags
    moved_by: NDArray[np.int16]
    moved_time: Floats
    cushions_before: NDArray[np.int16]
    cushions_after: NDArray[np.int16]
    touching: Flags
    duration: Floats
    n_events: Ints
    status: Bytes
    start_positions: Floats
    events: Events | None = None
    segments: Segments | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shot axes."""
        return self.status.shape

    @property
    def finished(self) -> Flags:
        """Whether each shot came to an end of its own or the one asked for (...)."""
        return ~np.isin(self.status, UNFINISHED)

    @property
    def first_contact(self) -> Ints:
        """Ball the cue ball met first, -1 = none; the lowest index if it met several at once (...)."""
        lowest = np.argmax(self.first_contacts, axis=-1)
        return np.where(self.first_contacts.any(axis=-1), lowest, -1)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("the result of a single shot has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator["ShotResults"]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> "ShotResults":
        """The shots that NumPy's rules select along the shot axes; the log stays with the whole batch."""
        axes = len(self.shape)
        rows = np.arange(self.status.size).reshape(self.shape)[key]
        picked = {}
        for field in fields(self):
            array = getattr(self, field.name)
            if isinstance(array, np.ndarray):
                picked[field.name] = array.reshape((self.status.size, *array.shape[axes:]))[rows]
        return ShotResults(**picked)

    def check(self, first_row: int = 0) -> "ShotResults":
        """These results, if every shot finished.

        first_row: number of the first row in what these results are a part of, for the message.
        Raises SimulationError naming the first shot that did not, and how many there are.
        """
        bad = np.argwhere(~self.finished)
        if len(bad):
            first = tuple(bad[0])
            status = Status(int(self.status[first])).name
            where = index_text(first, first_row)
            raise SimulationError(f"{len(bad)} of {self.status.size} shots did not finish: first shot{where}, {status}")
        return self

    def trajectory(self, i: int, times: ArrayLike) -> Floats:
        """Positions of all balls of shot `i`, numbered as in `Events.of`, at the given times.

        times: s (n_times,), from 0. Returns (n_times, n_balls, 2), m; nan where a ball is not on the table.
        Raises ValueError if nothing was logged, or a time is negative or not finite.
        """
        if self.segments is None:
            raise ValueError("no motion was logged: call simulate(..., log_events=True)")
        t = np.asarray(times, dtype=np.float64).reshape(-1)
        if not (np.isfinite(t).all() and (t >= 0.0).all()):
            raise ValueError("times: expected finite seconds >= 0")
        layout = self.start_positions.reshape(-1, *self.start_positions.shape[-2:])[i]
        out = np.broadcast_to(layout, (t.size, *layout.shape)).copy()
        for ball in range(layout.shape[0]):
            values, states = self.segments.of(i, ball)
            moved = t >= values[0, 0] if len(values) else np.zeros(t.size, np.bool_)
            out[moved, ball] = _positions_on(values, states, t[moved])
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write these results, the log too where there is one, to a compressed NumPy archive, whole or not at all.

        path: the file, usually *.npz; one that is there is replaced. Raises OSError naming the path.
        """
        arrays: dict[str, Any] = {"schema": np.array(SCHEMA)}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                arrays[field.name] = value
            elif value is not None:
                arrays |= {f"{field.name}.{part.name}": getattr(value, part.name) for part in fields(value)}
        write_atomically(path, lambda temporary: _write_arrays(temporary, arrays))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "ShotResults":
        """Results that `save` wrote, bit for bit; nothing in the file is run.

        Raises OSError if it cannot be read, ValueError naming the file if it holds no results or those of another
        schema.
        """
        try:
            with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
        except (ValueError, EOFError, TypeError, zlib.error, zipfile.BadZipFile) as error:
            raise ValueError(f"{path}: not a file of shot results ({error})") from None
        schema = arrays.pop("schema", None)
        if schema is None or schema.shape or int(schema) != SCHEMA:
            raise ValueError(f"{path}: schema {schema}: expected {SCHEMA}")
        return _from_arrays(str(path), arrays)


LOGS = {"events": Events, "segments": Segments}

DTYPES: dict[str, Any] = {
    **dict.fromkeys(("positions", "velocities", "spins", "pot_time", "moved_time", "duration"), np.float64),
    "pocket": np.int8,
    "first_contacts": np.bool_,
    "moved_by": np.int16,
    "cushions_before": np.int16,
    "cushions_after": np.int16,
    "touching": np.bool_,
    "n_events": np.int64,
    "status": np.int8,
    "start_positions": np.float64,
}


def _write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    with path.open("wb") as file:  # given a name, NumPy would add a suffix to it
        np.savez_compressed(file, **arrays)


def _from_arrays(path: str, arrays: dict[str, Any]) -> ShotResults:
    """Results from the arrays of a file; ValueError if they are not those that `save` writes."""
    logs = {name: {part.name for part in fields(kind)} for name, kind in LOGS.items()}
    found: dict[str, dict[str, Any]] = {name: {} for name in logs}
    for name in [name for name in arrays if "." in name]:
        log, _, part = name.partition(".")
        found.setdefault(log, {})[part] = arrays.pop(name)
    expected = {name: parts for name, parts in logs.items() if found.get(name)}
    if set(arrays) != set(DTYPES) or {n: set(parts) for n, parts in found.items() if parts} != expected:
        wrong = sorted(set(arrays) ^ set(DTYPES)) or sorted(found)
        raise ValueError(f"{path}: expected the arrays of shot results; missing or unknown: {', '.join(wrong)}")
    shape = arrays["status"].shape
    for name, array in arrays.items():
        if array.dtype != DTYPES[name] or array.shape[: len(shape)] != shape:
            raise ValueError(
                f"{path}: {name} is {array.dtype} {array.shape}: expected {DTYPES[name].__name__}, shots {shape}"
            )
    return ShotResults(**arrays, **{name: LOGS[name](**parts) for name, parts in found.items() if parts})


def _positions_on(values: Floats, states: Ints, t: Floats) -> Floats:
    """Positions (n_times, 2) on one ball's segments, none of them before the first; nan after it fell."""
    k = np.searchsorted(values[:, 0], t, side="right") - 1
    dt = (t - values[k, 0])[:, None]
    where = values[k, 1:3] + dt * (values[k, 3:5] + dt * values[k, 5:7])
    return np.where((states[k] == types.ABSENT)[:, None], np.nan, where)


def gather(facts: Facts, shape: tuple[int, ...], start_positions: Floats, log: EventLog | None) -> ShotResults:
    """The kernel's flat arrays as results with the shot axes `shape`."""
    flat: tuple[NDArray[Any], ...] = facts
    arrays = dict(zip(facts._fields, flat, strict=True))
    del arrays["n_segments"]
    if not shape:
        arrays = {name: array[0, ...] for name, array in arrays.items()}
    elif len(shape) > 1:
        arrays = {name: array.reshape((*shape, *array.shape[1:])) for name, array in arrays.items()}
    events = segments = None
    if log is not None:
        events = Events(
            log.event[:, 0],
            log.event_what[:, 0],
            log.event_what[:, 1],
            log.event_what[:, 2],
            log.event[:, 1],
            np.append(log.event_start, len(log.event)),
        )
        starts = np.append(log.segment_start, len(log.segment))
        segments = Segments(log.segment, log.segment_what[:, 0], log.segment_what[:, 1], starts)
    results = object.__new__(ShotResults)  # not by __init__: 17 setters of a frozen class cost a single shot dear
    vars(results).update(arrays, start_positions=start_positions, events=events, segments=segments)
    return results
