"""Execution noise: what a player's hand adds to the stroke he means.

Gaussian, one draw of five numbers (V0, phi, theta, a, b) a sample. Draws are counter-based: sample k of a seed and
stream is the same whatever range, chunk, thread or batch asks for it, and all candidates share it (common random
numbers), so that differences between candidates are sharper than their values.

Not modelled: noise that grows with the speed of the stroke, bias, errors of sight.
"""

import math
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcore.kernel.random_normal import UNIFORM_BITS, correlated_normals
from simcore.kernel.types import Floats
from simcore.shots import CHUNK, RIGHT_ANGLE, SHOT_FIELDS, Shots, canonical_bytes, float_array, spans, unchecked

N_NOISY = len(SHOT_FIELDS)  # numbers in one draw
BLOCK_WORDS = 4  # words that one value of the generator's counter gives
SAMPLE_BLOCKS = 2  # counter values set apart for each sample; 5 of the 8 words are used
MAX_WORD = 2**64 - 1  # greatest seed and stream
MAX_SAMPLE = 2**62  # greatest sample number, so that its counter fits in one word

NOT_NEGATIVE = 1e-12  # relative; a covariance may miss being positive semidefinite by rounding
BELOW_ONE = 1.0 - 1e-15  # offsets beyond the edge of the ball are drawn in to this, so that a^2 + b^2 <= 1 holds
STEEPEST = math.nextafter(RIGHT_ANGLE, 0.0)  # rad

TIP_OFFSET = 0.5 / 26.25  # the olympiad's 0.5 mm in units of a snooker ball's radius
OLYMPIAD_PHI_DEG = 0.125
PRESET_PHI_DEG: Mapping[str, float] = MappingProxyType(  # the others are scaled from the olympiad's; estimates
    {"olympiad": OLYMPIAD_PHI_DEG, "amateur": 0.06, "club": 0.03, "pro": 0.015}
)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Noise:
    """Gaussian noise of a stroke, given by standard deviations; correlated noise by `Noise.from_covariance`.

    V0: m/s; phi, theta: rad; a, b: units of R; all >= 0. Raises ValueError naming the field and the value.
    """

    factor: Floats  # lower triangular (5, 5): a draw is factor @ z with z standard normal; order of SHOT_FIELDS

    def __init__(self, V0: float = 0.0, phi: float = 0.0, theta: float = 0.0, a: float = 0.0, b: float = 0.0) -> None:
        sigmas = [_sigma(name, value) for name, value in zip(SHOT_FIELDS, (V0, phi, theta, a, b), strict=True)]
        self._own(np.diag(sigmas))

    def _own(self, factor: Floats) -> None:
        own = np.array(factor, dtype=np.float64, order="C")
        own.setflags(write=False)
        object.__setattr__(self, "factor", own)

    @classmethod
    def _from_factor(cls, factor: Floats) -> Self:
        noise = object.__new__(cls)
        noise._own(factor)
        return noise

    @classmethod
    def preset(cls, name: str) -> Self:
        """Noise of a player: "olympiad", "amateur", "club" or "pro".

        olympiad: the computer-pool tournaments' V0 0.075 m/s, phi 0.125, theta 0.1 degrees, a and b 0.5 mm. The others
        have phi 0.06, 0.03 and 0.015 degrees and the rest in proportion (estimates).
        Raises ValueError for another name. Source: Archibald, Altman & Shoham 2009 for the olympiad's model.
        """
        if name not in PRESET_PHI_DEG:
            raise ValueError(f"Noise preset {name!r}: expected one of {', '.join(PRESET_PHI_DEG)}")
        olympiad = cls(0.075, math.radians(OLYMPIAD_PHI_DEG), math.radians(0.1), TIP_OFFSET, TIP_OFFSET)
        return olympiad.scaled(PRESET_PHI_DEG[name] / OLYMPIAD_PHI_DEG)

    @classmethod
    def from_covariance(cls, covariance: ArrayLike) -> Self:
        """Noise with a covariance (5, 5) of (V0, phi, theta, a, b), in m/s, rad, rad, units of R.

        Raises ValueError unless it is finite, symmetric and positive semidefinite.
        """
        return cls._from_factor(_lower_factor(_checked_covariance(covariance)))

    @property
    def covariance(self) -> Floats:
        """Covariance (5, 5) of one draw, in the squares and products of the units of the fields."""
        covariance: Floats = np.einsum("ik,jk->ij", self.factor, self.factor)
        return covariance

    @property
    def sigmas(self) -> dict[str, float]:
        """Standard deviation by field."""
        return dict(zip(SHOT_FIELDS, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    def scaled(self, factor: float) -> Self:
        """This noise with all standard deviations multiplied by a finite factor >= 0; else ValueError."""
        if not 0.0 <= factor < math.inf:
            raise ValueError(f"Noise scale factor = {factor!r}: expected a finite number >= 0")
        return self._from_factor(self.factor * float(factor))

    def draws(self, seed: int, start: int, stop: int, stream: int = 0) -> Floats:
        """Samples start to stop of this noise, (stop - start, 5): what is added to (V0, phi, theta, a, b).

        seed, stream: integers in [0, 2^64), together the key of the generator (Philox 4x64, Salmon et al. 2011).
        Sample k depends on the key, on k and on the noise only. Raises ValueError for a number out of range.
        """
        bits = sample_bits(seed, start, stop, stream)
        draws = np.empty_like(bits)
        correlated_normals(bits, self.factor.copy(), draws)  # a copy is writable, as the compiled signature wants
        return draws

    def apply(self, shots: Shots, draws: Floats) -> tuple[Shots, float]:
        """Every shot with every draw, (*shots.shape, n_samples), and the fraction of them that had to be clamped.

        draws: (n_samples, 5), from `draws`. Clamped are V0 < 0 to 0, theta to [0, pi/2), and offsets beyond the edge of
        the ball to the edge; offsets beyond the miscue limit are left, they are miscues. phi may leave the range that
        is asked of users. Raises ValueError if `draws` has another shape.
        """
        added = float_array("draws", draws)
        if added.ndim != 2 or added.shape[1] != N_NOISY:
            raise ValueError(f"draws has shape {added.shape}: expected (n_samples, {N_NOISY})")
        meant = (shots.V0, shots.phi, shots.theta, shots.a, shots.b)
        V0, phi, theta, a, b = (values[..., np.newaxis] + added[:, i] for i, values in enumerate(meant))
        reach = np.sqrt(a * a + b * b)
        beside = reach > 1.0
        clamped = (V0 < 0.0) | (theta < 0.0) | (theta > STEEPEST) | beside
        inwards = np.where(beside, BELOW_ONE / np.where(beside, reach, 1.0), 1.0)
        noisy: Shots = unchecked(
            Shots, np.maximum(V0, 0.0), phi, np.clip(theta, 0.0, STEEPEST), a * inwards, b * inwards
        )
        return noisy, float(np.count_nonzero(clamped)) / max(clamped.size, 1)

    def chunks(self, shots: Shots, samples: int, seed: int, size: int = CHUNK, stream: int = 0) -> Iterator[Shots]:
        """Shots with samples 0 to `samples` of this noise, `size` samples at a time: shot axes (..., at most `size`).

        Each chunk is made when it is asked for, by `apply` of the `draws` with its numbers, so it does not matter where
        samples are cut. Raises ValueError at the call for numbers out of range.
        """
        cuts = spans(_integer("samples", samples, MAX_SAMPLE), _integer("size", size, MAX_SAMPLE, least=1))
        self.draws(seed, 0, 0, stream)
        return (self.apply(shots, self.draws(seed, first, last, stream))[0] for first, last in cuts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Noise):
            return NotImplemented
        return canonical_bytes(self.factor) == canonical_bytes(other.factor)

    def __hash__(self) -> int:
        return hash(canonical_bytes(self.factor))

    def __reduce__(self) -> tuple[Any, ...]:  # so that copies are read-only too
        return self._from_factor, (self.factor,)

    def __repr__(self) -> str:
        text = ", ".join(f"{name}={value:.4g}" for name, value in self.sigmas.items())
        correlated = np.count_nonzero(self.factor - np.diag(np.diag(self.factor)))
        return f"<Noise {text}{', correlated' if correlated else ''}>"


def sample_bits(seed: int, start: int, stop: int, stream: int = 0) -> Floats:
    """Random bits of samples start to stop, (stop - start, 5), as integral floats below 2^52.

    Sample k owns the counter values 2k + 1 and 2k + 2, whatever range is asked for. Raises ValueError as `Noise.draws`.
    """
    key = [_integer("seed", seed, MAX_WORD), _integer("stream", stream, MAX_WORD)]
    first, last = _integer("start", start, MAX_SAMPLE), _integer("stop", stop, MAX_SAMPLE)
    if last < first:
        raise ValueError(f"stop = {last}: expected at least start = {first}")
    counter = np.array([SAMPLE_BLOCKS * first, 0, 0, 0], dtype=np.uint64)
    generator = np.random.Philox(counter=counter, key=np.array(key, dtype=np.uint64))
    words: NDArray[np.uint64] = generator.random_raw((last - first) * SAMPLE_BLOCKS * BLOCK_WORDS)
    used = words.reshape(-1, SAMPLE_BLOCKS * BLOCK_WORDS)[:, :N_NOISY]
    return np.ascontiguousarray(used >> np.uint64(64 - UNIFORM_BITS), dtype=np.float64)


def _integer(name: str, value: int, most: int, least: int = 0) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not least <= number <= most:
        raise ValueError(f"{name} = {value!r}: expected an integer in [{least}, {most}]")
    return number


def _sigma(name: str, value: float) -> float:
    sigma = float_array(f"Noise.{name}", value)
    if sigma.shape != () or not 0.0 <= sigma < math.inf:
        raise ValueError(f"Noise.{name} = {value!r}: expected one finite standard deviation >= 0")
    return float(sigma)


def _checked_covariance(covariance: ArrayLike) -> Floats:
    """`covariance` as an array, refused unless it is one; judged with each variable in its own unit of spread."""
    given = float_array("covariance", covariance)
    if given.shape != (N_NOISY, N_NOISY):
        raise ValueError(f"covariance has shape {given.shape}: expected ({N_NOISY}, {N_NOISY})")
    if not np.isfinite(given).all() or (np.diag(given) < 0.0).any():
        raise ValueError(f"covariance = {given.tolist()}: expected finite numbers, on the diagonal >= 0")
    spread = np.sqrt(np.diag(given))
    scale = np.outer(spread, spread)
    if (np.abs(given - given.T) > NOT_NEGATIVE * scale).any():
        raise ValueError(f"covariance = {given.tolist()}: expected a symmetric matrix")
    if (given[scale == 0.0] != 0.0).any():
        raise ValueError(f"covariance = {given.tolist()}: expected zeros beside a variance of zero")
    least = float(np.linalg.eigvalsh(given / np.where(scale > 0.0, scale, 1.0)).min())
    if least < -NOT_NEGATIVE:
        raise ValueError(f"covariance: expected a positive semidefinite matrix, its correlations have {least:.3g}")
    return given


def _lower_factor(covariance: Floats) -> Floats:
    """Cholesky factor of a checked covariance; a pivot that is zero up to rounding gets a column of zeros."""
    factor = np.zeros_like(covariance)
    for i in range(N_NOISY):
        for j in range(i + 1):
            rest = float(covariance[i, j])
            for k in range(j):
                rest -= float(factor[i, k]) * float(factor[j, k])
            if i == j:
                factor[i, i] = math.sqrt(rest) if rest > NOT_NEGATIVE * covariance[i, i] else 0.0
            elif factor[j, j] > 0.0:
                factor[i, j] = rest / factor[j, j]
    return factor
