"""Execution noise: the draws bit for bit, their distribution, and what they do to shots."""

import copy
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from simcore.noise import Noise, sample_bits
from simcore.shots import Shots

UNIT = Noise(1.0, 1.0, 1.0, 1.0, 1.0)
GOLDEN = {  # (seed, stream, sample): draw of unit noise
    (0, 0, 0): [
        "-0x1.22cd198aad6f0p+1",
        "-0x1.67147405be6f1p-1",
        "-0x1.380f15f728cdfp+0",
        "0x1.4c209a0cbd7dap-3",
        "0x1.86e90d5955c4bp-8",
    ],
    (7, 0, 1000): [
        "-0x1.f9e13c6a0f9b9p-1",
        "-0x1.ba123a6f96356p+0",
        "0x1.483829d5ccd42p+0",
        "0x1.eabed80daf856p+0",
        "0x1.de803de0cb81ap-2",
    ],
    (2**64 - 1, 3, 2**40): [
        "-0x1.5f20c93548e15p-1",
        "0x1.7e895358003b1p-1",
        "-0x1.4476f89c854adp-3",
        "-0x1.0d89a007e0bc8p-1",
        "-0x1.26139e904f01cp-1",
    ],
}


def hexes(draw: np.ndarray) -> list[str]:
    return [float(x).hex() for x in draw]


@pytest.mark.parametrize("key", GOLDEN)
def test_golden_draws(key: tuple[int, int, int]) -> None:
    """A change here changes every result under noise that anyone has stored."""
    seed, stream, sample = key
    assert hexes(UNIT.draws(seed, sample, sample + 1, stream)[0]) == GOLDEN[key]


def test_draws_do_not_depend_on_the_range_asked_for() -> None:
    noise = Noise.preset("amateur")
    whole = noise.draws(5, 0, 257)
    for size in (1, 2, 3, 64, 100):
        parts = [noise.draws(5, at, min(at + size, 257)) for at in range(0, 257, size)]
        assert np.concatenate(parts).tobytes() == whole.tobytes()
    assert noise.draws(5, 40, 41).tobytes() == whole[40:41].tobytes()
    assert noise.draws(5, 9, 9).shape == (0, 5)


def test_each_sample_has_its_own_counter_block() -> None:
    """Salmon et al. 2011: sample k is a function of the key and of the counter values 2k + 1 and 2k + 2."""
    for sample in (0, 1, 17):
        key, counter = np.array([11, 4], dtype=np.uint64), np.array([2 * sample, 0, 0, 0], dtype=np.uint64)
        words = np.random.Philox(key=key, counter=counter).random_raw(8)[:5]
        assert sample_bits(11, sample, sample + 1, 4)[0].tolist() == [int(word) >> 12 for word in words]


def test_seeds_and_streams_are_independent_draws() -> None:
    draws = [UNIT.draws(seed, 0, 500, stream).ravel() for seed, stream in ((1, 0), (2, 0), (1, 1), (0, 1))]
    correlation = np.corrcoef(draws) - np.eye(4)
    assert np.abs(correlation).max() < 4.0 / math.sqrt(2500)


def test_no_draw_can_be_infinite() -> None:
    from simcore.kernel.random_normal import normal_from_bits

    least, most = normal_from_bits(0.0), normal_from_bits(2.0**52 - 1.0)
    assert -8.3 < least < -8.0
    assert most == -least


def test_draws_are_standard_normal_and_uncorrelated() -> None:
    """Moments and the empirical distribution of 200,000 draws of a fixed seed, at about 4.5 standard errors."""
    z = UNIT.draws(12345, 0, 40_000)
    n = len(z)
    assert np.abs(z.mean(axis=0)).max() < 4.5 / math.sqrt(n)
    assert np.abs(np.cov(z.T) - np.eye(5)).max() < 4.5 * math.sqrt(2.0 / n)
    assert np.abs((z**3).mean(axis=0)).max() < 4.5 * math.sqrt(15.0 / n)
    assert np.abs((z**4).mean(axis=0) - 3.0).max() < 4.5 * math.sqrt(96.0 / n)
    grid = np.linspace(-3.0, 3.0, 61)
    share = np.searchsorted(np.sort(z.ravel()), grid, side="right") / z.size
    exact = [0.5 * math.erfc(-x / math.sqrt(2.0)) for x in grid]
    assert np.abs(share - exact).max() < 2.2 / math.sqrt(z.size)
    lagged = (z[1:] * z[:-1]).mean(axis=0)
    assert np.abs(lagged).max() < 4.5 / math.sqrt(n)


def test_sigmas_scale_the_same_draws() -> None:
    z = UNIT.draws(3, 0, 100)
    noise = Noise(V0=0.5, phi=0.25, theta=2.0, a=0.0, b=4.0)
    assert noise.draws(3, 0, 100).tobytes() == (z * [0.5, 0.25, 2.0, 0.0, 4.0] + 0.0).tobytes()
    assert noise.scaled(2.0) == Noise(1.0, 0.5, 4.0, 0.0, 8.0)
    assert noise.scaled(0.0) == Noise()
    assert noise.sigmas == {"V0": 0.5, "phi": 0.25, "theta": 2.0, "a": 0.0, "b": 4.0}


def test_presets() -> None:
    """Computer-pool tournaments: 0.075 m/s, 0.125 and 0.1 degrees, 0.5 mm; the others by the ratio of phi."""
    sigmas = Noise.preset("olympiad").sigmas
    mm = 0.5 / 26.25
    expected = [0.075, math.radians(0.125), math.radians(0.1), mm, mm]
    assert list(sigmas.values()) == pytest.approx(expected, rel=1e-14)
    for name, degrees in (("amateur", 0.06), ("club", 0.03), ("pro", 0.015)):
        ratio = degrees / 0.125
        assert list(Noise.preset(name).sigmas.values()) == pytest.approx([x * ratio for x in expected], rel=1e-14)
        assert Noise.preset(name).sigmas["phi"] == pytest.approx(math.radians(degrees), rel=1e-14)
    with pytest.raises(ValueError, match="'master': expected one of olympiad, amateur, club, pro"):
        Noise.preset("master")


def random_covariance(seed: int, rank: int) -> np.ndarray:
    root = np.random.default_rng(seed).normal(size=(5, rank)) * np.array([0.05, 1e-3, 1e-3, 0.02, 0.02])[:, None]
    return root @ root.T


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_covariances_of_every_rank(rank: int) -> None:
    covariance = random_covariance(rank, rank)
    spread = np.sqrt(np.diag(covariance))
    noise = Noise.from_covariance(covariance)
    assert np.abs((noise.covariance - covariance) / np.outer(spread, spread)).max() < 1e-10
    draws = noise.draws(8, 0, 50_000)
    sampled = np.cov((draws / spread).T)
    assert np.abs(sampled - covariance / np.outer(spread, spread)).max() < 4.5 * math.sqrt(2.0 / 50_000)
    assert np.linalg.matrix_rank(draws / spread, tol=1e-3) == rank


def test_a_diagonal_covariance_is_the_same_noise() -> None:
    sigmas = [0.5, 0.25, 2.0, 0.0, 4.0]
    assert Noise.from_covariance(np.diag(np.square(sigmas))) == Noise(*sigmas)
    assert Noise.from_covariance(np.zeros((5, 5))) == Noise()


@pytest.mark.parametrize(
    ("covariance", "message"),
    [
        (np.eye(4), r"covariance has shape \(4, 4\): expected \(5, 5\)"),
        (np.diag([1.0, 1.0, -1.0, 1.0, 1.0]), "on the diagonal >= 0"),
        (np.diag([1.0, 1.0, math.nan, 1.0, 1.0]), "expected finite numbers"),
        (np.eye(5) + np.eye(5, k=1) * 0.1, "expected a symmetric matrix"),
        (np.ones((5, 5)) - np.diag([0.0, 0.0, 0.0, 0.0, 1.0]), "expected zeros beside a variance of zero"),
        (1.5 * np.ones((5, 5)) - 0.5 * np.eye(5), "expected a positive semidefinite matrix"),
        ("noise", "expected numbers"),
    ],
)
def test_impossible_covariances_are_refused(covariance: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Noise.from_covariance(covariance)  # type: ignore[arg-type]


def test_a_covariance_beyond_full_correlation_is_refused() -> None:
    covariance = np.diag([1.0, 4.0, 1.0, 1.0, 1.0])
    covariance[0, 1] = covariance[1, 0] = 2.0 + 1e-6
    with pytest.raises(ValueError, match="positive semidefinite"):
        Noise.from_covariance(covariance)


@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf, "1", None, [0.1, 0.2]])
def test_impossible_sigmas_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"Noise\.phi"):
        Noise(phi=value)  # type: ignore[arg-type]
    if not isinstance(value, (list, str, type(None))):
        with pytest.raises(ValueError, match="Noise scale factor"):
            UNIT.scaled(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 0, 1, 0), r"seed = -1: expected an integer in \[0, "),
        ((2**64, 0, 1, 0), "seed = 18446744073709551616"),
        ((1.5, 0, 1, 0), r"seed = 1\.5"),
        ((True, 0, 1, 0), "seed = True"),
        ((1, -1, 1, 0), "start = -1"),
        ((1, 5, 4, 0), "stop = 4: expected at least start = 5"),
        ((1, 0, 1, -2), "stream = -2"),
    ],
)
def test_impossible_seeds_and_ranges_are_refused(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        UNIT.draws(*arguments)


def test_all_candidates_share_the_draws() -> None:
    shots = Shots([[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]], 1.0, 0.2, 0.1, -0.1)
    draws = Noise.preset("pro").draws(1, 0, 50)
    noisy, clamped = Noise.preset("pro").apply(shots, draws)
    assert noisy.shape == (2, 3, 50)
    assert clamped == 0.0
    assert noisy.V0.tobytes() == (shots.V0[..., None] + draws[:, 0]).tobytes()
    assert noisy.phi[1, 2].tobytes() == (1.0 + draws[:, 1]).tobytes()
    assert noisy[0, 1] == Noise().apply(shots[0, 1], draws)[0]
    assert Noise().apply(shots[0, 1], draws)[0].shape == (50,)


def test_noise_free_draws_leave_shots_as_they_are() -> None:
    shots = Shots([0.0, 3.0], 1.0, 0.0, 0.6, 0.8)
    noisy, clamped = Noise().apply(shots, Noise().draws(1, 0, 3))
    assert clamped == 0.0
    assert all(noisy[:, k] == shots for k in range(3))


def test_clamping() -> None:
    """Speeds and elevations stop at 0, elevations below a right angle, tips at the edge of the ball; phi is free."""
    shots = Shots(1.0, 4.0 * math.pi, 0.1, 0.6, -0.3)
    draws = np.zeros((6, 5))
    draws[1, 0] = -1.5
    draws[2, 1] = 0.5
    draws[3, 2] = -0.2
    draws[4, 2] = 2.0
    draws[5, 3:] = 2.0, -0.9
    noisy, clamped = Noise().apply(shots, draws)
    assert clamped == 4.0 / 6.0
    assert noisy[0] == shots
    assert float(noisy.V0[1]) == 0.0
    assert float(noisy.phi[2]) == 4.0 * math.pi + 0.5
    assert float(noisy.theta[3]) == 0.0
    assert float(noisy.theta[4]) == math.nextafter(math.pi / 2.0, 0.0)
    a, b = float(noisy.a[5]), float(noisy.b[5])
    assert 1.0 - 1e-14 < a * a + b * b <= 1.0
    assert b / a == pytest.approx(-1.2 / 2.6, rel=1e-14)


def test_clamped_tips_are_on_the_ball() -> None:
    shots = Shots(1.0, 0.0, 0.0, np.linspace(-0.7, 0.7, 57), np.linspace(0.7, -0.7, 57))
    noise = Noise(a=3.0, b=3.0)
    noisy, clamped = noise.apply(shots, noise.draws(4, 0, 500))
    assert (noisy.a * noisy.a + noisy.b * noisy.b <= 1.0).all()
    assert clamped > 0.8
    Shots(noisy.V0, noisy.phi, noisy.theta, noisy.a, noisy.b)


def test_offsets_beyond_the_miscue_limit_are_left() -> None:
    draws = np.zeros((1, 5))
    draws[0, 3] = 0.3
    noisy, clamped = Noise().apply(Shots(1.0, 0.0, 0.0, 0.5, 0.0), draws)
    assert clamped == 0.0
    assert noisy.a.tolist() == [0.8]


def test_apply_refuses_other_shapes() -> None:
    with pytest.raises(ValueError, match=r"draws has shape \(5,\): expected \(n_samples, 5\)"):
        UNIT.apply(Shots(1.0, 0.0), np.zeros(5))


def test_noise_is_a_value() -> None:
    noise = Noise.from_covariance(random_covariance(1, 3))
    for other in (copy.deepcopy(noise), pickle.loads(pickle.dumps(noise))):
        assert other == noise
        assert hash(other) == hash(noise)
        assert not other.factor.flags.writeable
    assert noise != Noise()
    assert Noise() != "noise"
    assert "correlated" in repr(noise)
    assert repr(Noise(V0=0.5)) == "<Noise V0=0.5, phi=0, theta=0, a=0, b=0>"
    with pytest.raises(AttributeError):
        noise.factor = np.eye(5)  # type: ignore[misc]


def test_the_same_bits_without_compilation() -> None:
    code = "from simcore.noise import Noise; print(Noise.preset('club').draws(9, 3, 40, 2).tobytes().hex())"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == Noise.preset("club").draws(9, 3, 40, 2).tobytes().hex()
