"""The batch that puts shots and referee together: candidates × noisy samples in, a refereed ranking out.

All candidates share their draws (common random numbers), so that differences between them are sharper than their
values. Work goes in chunks, which keeps memory flat; neither the chunks nor the threads nor the other candidates of a
batch change a number.

P(pot) is the probability that the stroke scores: it is fair and a ball on falls, whichever and wherever. P(foul) is
that of any foul. Points go to the striker, the penalty to the other side. The ranking is by expected points minus
expected penalty; ties go to the higher P(pot), then to the earlier candidate.

Not modelled: what the position left is worth, to either side; standard errors take the samples as they are, so a
probability that no sample contradicts has the standard error 0.
"""

import csv
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.bed import physics_for
from rules.candidates import Candidates
from rules.checks import check_integer, check_ready, check_strokes
from rules.frame import Frame, check_frame
from rules.ruleset import kind_name
from rules.ruling import referee_batch
from rules.state import Floats, Ints
from rules.stroke_facts import facts_arrays
from rules.strokes import Strokes
from simcore import Noise, Physics, ShotResults, Shots, Status, simulate
from simcore.files import write_atomically
from simcore.shots import spans

CHUNK_SHOTS = 2**14
"""Shots simulated at a time: some 40 MB of results."""

SAMPLE_BLOCK = 2**11
"""Samples of one candidate summed at a time. Sums are added block by block, so a change of this alters last digits."""

MAX_SAMPLES = 10**9
"""Most samples of one candidate; a thousand million take days."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Ranking:
    """What candidate strokes are worth under noise; arrays (n,) in the order of the candidates, `order` ranks them.

    Names that end in `_se` are standard errors of the mean, nan for a single sample.
    """

    candidates: Candidates
    samples: int  # of each candidate
    seed: int  # of the noise
    p_pot: Floats  # probability that the stroke scores
    p_pot_se: Floats
    p_foul: Floats  # probability of a foul
    p_foul_se: Floats
    points: Floats  # expected, for the striker
    points_se: Floats
    penalty: Floats  # expected, for the other side
    penalty_se: Floats
    value: Floats  # expected points minus penalty
    value_se: Floats
    p_in_off: Floats  # probability that the cue ball falls
    cue_ball: Floats  # (n, 2), m, mean of where the cue ball stops when it stays up; nan if it never does
    cue_ball_se: Floats  # (n, 2), m
    cue_ball_covariance: Floats  # (n, 2, 2), m²; nan for fewer than two such samples
    clipped: Floats  # fraction of samples whose noise had to be clamped to what a cue can do
    miscues: Floats  # fraction of samples that are miscues
    unfinished: Floats  # fraction of samples that the simulator did not finish; they count nowhere else

    @property
    def strokes(self) -> Strokes:
        """The candidates' strokes (n,)."""
        return self.candidates.strokes

    def __len__(self) -> int:
        return len(self.value)

    @cached_property
    def order(self) -> Ints:
        """Indices of the candidates, best first: by value, then P(pot), then index; nan last."""
        worth = np.where(np.isnan(self.value), -np.inf, self.value)
        order: Ints = np.lexsort((np.arange(len(self)), -np.nan_to_num(self.p_pot), -worth))
        return order

    @property
    def best(self) -> int:
        """Index of the best candidate."""
        return int(self.order[0])

    def row(self, i: int) -> dict[str, Any]:
        """Candidate `i` as plain numbers and words, None or nan for what there is not; lengths in m, angles in rad."""
        c, s = self.candidates, self.strokes
        kind = int(s.nominated[i])
        named = {
            "candidate": i,
            "kind": str(c.kind[i]) or None,
            "ball": c.ball_names[i] or None,
            "pocket": c.pocket_names[i] or None,
            "nominated": kind_name(kind) if kind else None,
        }
        shot = {name: float(getattr(s.shots, name)[i]) for name in ("V0", "phi", "theta", "a", "b")}
        placed = {"place_x": float(s.cue_ball[i, 0]), "place_y": float(s.cue_ball[i, 1])}
        means = {name: float(getattr(self, name)[i]) for name in PLAIN_COLUMNS}
        return {**named, **shot, **placed, **means, **self._cue_ball_row(i), "samples": self.samples}

    def _cue_ball_row(self, i: int) -> dict[str, float]:
        covariance = self.cue_ball_covariance[i]
        return {
            "cue_x": float(self.cue_ball[i, 0]),
            "cue_x_se": float(self.cue_ball_se[i, 0]),
            "cue_y": float(self.cue_ball[i, 1]),
            "cue_y_se": float(self.cue_ball_se[i, 1]),
            "cue_xx": float(covariance[0, 0]),
            "cue_xy": float(covariance[0, 1]),
            "cue_yy": float(covariance[1, 1]),
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every candidate as `row` gives it, best first."""
        return (self.row(int(i)) for i in self.order)

    def to_pandas(self) -> Any:
        """A pandas DataFrame of `rows`; ImportError if pandas is not installed."""
        import pandas as pd

        return pd.DataFrame(list(self.rows()))

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write `rows` as Parquet, whole or not at all; ImportError without pandas and pyarrow, OSError as usual."""
        table = self.to_pandas()
        write_atomically(path, lambda file: table.to_parquet(file, index=False))

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write `rows` as CSV with exact numbers, empty where there is none, whole or not at all; OSError as usual."""
        write_atomically(path, self._write_csv)

    def _write_csv(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", encoding="utf-8", newline="") as file:
            rows = list(self.rows())
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows({k: "" if v is None or v != v else v for k, v in row.items()} for row in rows)

    def __repr__(self) -> str:
        best = self.best
        worth = f"{self.value[best]:.3f} ± {self.value_se[best]:.3f}"
        return f"<Ranking of {len(self)} candidates, {self.samples} samples each: best {best}, worth {worth}>"


PLAIN_COLUMNS = (
    "p_pot", "p_pot_se", "p_foul", "p_foul_se", "points", "points_se", "penalty", "penalty_se", "value", "value_se",
    "p_in_off", "clipped", "miscues", "unfinished",
)  # fmt: skip


# --- sums ------------------------------------------------------------------------------------------------------------


class _Sums(NamedTuple):
    """Running sums over samples, one row a candidate; those of whole numbers are exact."""

    finished: Ints  # samples that count (n,)
    scored: Ints  # of them, those that scored (n,)
    fouls: Ints  # those with a foul (n,)
    points: Ints  # (n, 2), sum and sum of squares
    penalty: Ints  # (n, 2)
    value: Ints  # (n, 2)
    up: Ints  # samples in which the cue ball stays up (n,)
    origin: Floats  # (n, 2), m, where it stopped in the first of these: zero of the sums below, nan = none yet
    place: Floats  # (n, 2), m, sum of its places from there
    product: Floats  # (n, 3), m², sums of xx, xy, yy of them
    miscues: Ints  # (n,)
    clipped: Ints  # (n,)
    samples: Ints  # all samples, finished or not (n,)

    def of(self, rows: slice) -> "_Sums":
        """Views of some rows."""
        return _Sums._make(array[rows] for array in self)


MOMENTS = ("points", "penalty", "value")  # have a sum of squares too


def _no_sums(n: int) -> _Sums:
    sums = {name: np.zeros((n, 2) if name in MOMENTS else n, dtype=np.int64) for name in _Sums._fields}
    places = {"origin": np.full((n, 2), np.nan), "place": np.zeros((n, 2)), "product": np.zeros((n, 3))}
    return _Sums._make({**sums, **places}.values())


def _add_moments(sums: Ints, values: Ints) -> None:
    sums[:, 0] += values.sum(axis=-1)
    sums[:, 1] += (values * values).sum(axis=-1)


def _add_places(sums: _Sums, places: Floats, counts: NDArray[np.bool_]) -> None:
    """Add where the cue ball stopped, (k, samples, 2), m, in the samples that count; each row is summed by itself."""
    up = counts & ~np.isnan(places[..., 0])
    sums.up[:] += up.sum(axis=-1)
    first = places[np.arange(len(up)), up.argmax(axis=-1)]
    new = np.isnan(sums.origin[:, 0]) & up.any(axis=-1)
    sums.origin[new] = first[new]
    away = np.where(up[..., None], places - sums.origin[:, None], 0.0)
    for i in range(len(up)):  # sums over whole arrays could be taken in an order that depends on the other rows
        x, y = np.ascontiguousarray(away[i].T)
        sums.place[i] += x.sum(), y.sum()
        sums.product[i] += (x * x).sum(), (x * y).sum(), (y * y).sum()


class _Batch(NamedTuple):
    """What all chunks share."""

    frame: Frame
    strokes: Strokes
    noise: Noise
    seed: int
    samples: int
    physics: Physics
    threads: int | None


def _simulated(batch: _Batch, strokes: Strokes, shots: Shots) -> ShotResults:
    """Results (k, samples) of noisy shots of k strokes."""
    in_hand = batch.frame.cue_in_hand
    positions = batch.frame.placed(strokes)[:, None] if in_hand else batch.frame.positions
    return simulate(positions, shots, table=batch.frame.table, physics=batch.physics, threads=batch.threads)


def _add_chunk(sums: _Sums, batch: _Batch, strokes: Strokes, first: int, last: int) -> None:
    """Simulate and referee samples first to last of some strokes, and add them to the sums of these."""
    draws = batch.noise.draws(batch.seed, first, last)
    shots, _ = batch.noise.apply(strokes.shots, draws)
    results = _simulated(batch, strokes, shots)
    shape = results.shape
    places = strokes.cue_ball[:, None] if batch.frame.cue_in_hand else None
    kinds = np.repeat(strokes.nominated, last - first)
    resting = results.positions.reshape(-1, *results.positions.shape[-2:])
    rulings = referee_batch(batch.frame, facts_arrays(results, places), kinds, resting)
    counts = results.finished
    points, penalty = (np.where(counts, array.reshape(shape), 0) for array in (rulings.points, rulings.penalty))
    sums.finished[:] += counts.sum(axis=-1)
    sums.scored[:] += (points > 0).sum(axis=-1)
    sums.fouls[:] += (penalty > 0).sum(axis=-1)
    _add_moments(sums.points, points)
    _add_moments(sums.penalty, penalty)
    _add_moments(sums.value, points - penalty)
    _add_places(sums, results.positions[..., 0, :], counts)
    sums.miscues[:] += (results.status == Status.MISCUE).sum(axis=-1)
    sums.clipped[:] += _clamped(strokes.shots, shots, draws)
    sums.samples[:] += last - first


def _clamped(meant: Shots, noisy: Shots, draws: Floats) -> Ints:
    """Number of samples of each stroke whose noise was clamped (k,): those that differ from what was drawn."""
    changed = np.zeros(noisy.shape, dtype=np.bool_)
    for column, name in enumerate(("V0", "phi", "theta", "a", "b")):
        changed |= getattr(noisy, name) != getattr(meant, name)[:, None] + draws[:, column]
    clamped: Ints = changed.sum(axis=-1)
    return clamped


# --- estimates -------------------------------------------------------------------------------------------------------


def _mean_and_error(sums: Ints, n: Ints) -> tuple[Floats, Floats]:
    """Means and their standard errors (k,) from sums and sums of squares (k, 2) of n values each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        total, squares = sums[:, 0].astype(float), sums[:, 1].astype(float)
        spread = np.maximum(n * squares - total * total, 0.0)  # whole numbers: exact while below 2^53
        return total / n, np.where(n > 1, np.sqrt(spread / (n - 1.0)) / n, np.nan)


def _count_and_error(count: Ints, n: Ints) -> tuple[Floats, Floats]:
    """Fractions and their standard errors (k,)."""
    return _mean_and_error(np.stack([count, count], axis=-1), n)


def _cue_ball(sums: _Sums) -> tuple[Floats, Floats, Floats]:
    """Mean (k, 2), its standard error (k, 2) and covariance (k, 2, 2) of where the cue ball stops."""
    n = sums.up.astype(float)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums.place / n
        products = np.stack([mean[:, 0] * mean[:, 0], mean[:, 0] * mean[:, 1], mean[:, 1] * mean[:, 1]], axis=-1)
        central = np.where(n > 1.0, (sums.product - n * products) / (n - 1.0), np.nan)
        central[:, ::2] = np.maximum(central[:, ::2], 0.0)
        error = np.sqrt(central[:, ::2] / n)
    return sums.origin + mean, error, central[:, [0, 1, 1, 2]].reshape(-1, 2, 2)


def _ranking(candidates: Candidates, batch: _Batch, sums: _Sums) -> Ranking:
    n = sums.finished
    cue_ball, cue_ball_se, covariance = _cue_ball(sums)
    p_pot, p_pot_se = _count_and_error(sums.scored, n)
    p_foul, p_foul_se = _count_and_error(sums.fouls, n)
    points, points_se = _mean_and_error(sums.points, n)
    penalty, penalty_se = _mean_and_error(sums.penalty, n)
    value, value_se = _mean_and_error(sums.value, n)
    return Ranking(
        candidates=candidates,
        samples=batch.samples,
        seed=batch.seed,
        p_pot=p_pot,
        p_pot_se=p_pot_se,
        p_foul=p_foul,
        p_foul_se=p_foul_se,
        points=points,
        points_se=points_se,
        penalty=penalty,
        penalty_se=penalty_se,
        value=value,
        value_se=value_se,
        p_in_off=_count_and_error(n - sums.up, n)[0],
        cue_ball=cue_ball,
        cue_ball_se=cue_ball_se,
        cue_ball_covariance=covariance,
        clipped=sums.clipped / sums.samples,
        miscues=sums.miscues / sums.samples,
        unfinished=1.0 - n / sums.samples,
    )


# --- the door --------------------------------------------------------------------------------------------------------


def _checked(frame: Frame, strokes: Strokes) -> Strokes:
    """The strokes (n,), refused if there is none or one of them cannot be played in this frame."""
    if strokes.shape == ():
        strokes = Strokes(Shots.concatenate([strokes.shots]), strokes.nomination, strokes.placement)
    if len(strokes.shape) != 1 or not len(strokes):
        raise ValueError(f"no candidates: strokes of shape {strokes.shape}, expected (n,) with n of at least 1")
    check_strokes(frame, strokes)
    return strokes


def _described(batch: _Batch) -> Candidates:
    """What a user's own strokes do without noise: the ball met first, and the pocket it falls into."""
    shots = batch.strokes.shots
    results = _simulated(batch, batch.strokes, shots[:, None])[:, 0]
    ball = results.first_contact
    pocket = np.where(ball >= 0, results.pocket[np.arange(len(ball)), ball], -1).astype(np.int64)
    return Candidates(batch.strokes, np.full(len(ball), "", dtype=np.str_), ball, pocket, batch.frame.table)


def evaluate(
    frame: Frame,
    strokes: Strokes | Candidates,
    *,
    noise: Noise | None = None,
    samples: int = 100,
    seed: int = 0,
    physics: Physics | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Ranking:
    """Play every candidate under noise, referee every outcome, and rank them.

    strokes: (n,), or what `generate_candidates` returns. noise: default none. samples: of each candidate. seed: of the
    noise. physics: default `Physics.snooker()`; balls and table are the frame's. threads: at most this many, default
    all. progress: called as progress(shots done, shots in all) after every chunk.
    Returns the ranking. Raises ValueError when the frame is over or a decision is pending, there are no candidates,
    samples < 1 or > MAX_SAMPLES, seed < 0, more threads than there are, a physics with another nose height, or a stroke
    that does not fit the frame (nomination, placement); TypeError for arguments of another type.
    """
    check_frame(frame)
    check_ready(frame)
    given = strokes.strokes if isinstance(strokes, Candidates) else strokes
    if not isinstance(given, Strokes):
        raise TypeError(
            f"strokes is {type(given).__name__}: expected rules.Strokes or what generate_candidates returns"
        )
    samples, seed = check_integer("samples", samples, 1, MAX_SAMPLES), check_integer("seed", seed, 0)
    noise = Noise() if noise is None else noise
    if not isinstance(noise, Noise):
        raise TypeError(f"noise = {noise!r:.80}: expected simcore.Noise, such as Noise.preset('pro')")
    given = _checked(frame, given)
    batch = _Batch(frame, given, noise, seed, samples, physics_for(frame, physics), threads)
    candidates = strokes if isinstance(strokes, Candidates) else _described(batch)
    return _ranking(candidates, batch, _all_sums(batch, progress))


def _all_sums(batch: _Batch, progress: Progress | None) -> _Sums:
    """Sums over all samples of all strokes, chunk by chunk."""
    n = len(batch.strokes)
    block = min(batch.samples, SAMPLE_BLOCK)
    rows = max(1, CHUNK_SHOTS // block)
    sums, done = _no_sums(n), 0
    for start, stop in spans(n, rows):
        chunk = slice(start, stop)
        for first, last in spans(batch.samples, block):
            _add_chunk(sums.of(chunk), batch, batch.strokes[chunk], first, last)
            done += (last - first) * (stop - start)
            if progress is not None:
                progress(done, n * batch.samples)
    return sums
