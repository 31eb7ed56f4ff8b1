"""The elementary functions against 40-digit values."""

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.kernel.elementary import exp, log, normal_quantile, sin_cos

mpmath.mp.dps = 40


def ulps(value: float, exact: mpmath.mpf) -> float:
    """Error of `value` in units of the last place of the exact value."""
    return float(abs(mpmath.mpf(value) - exact) / math.ulp(float(exact)))


def worst(function: Callable[[float], float], exact: Callable[[mpmath.mpf], mpmath.mpf], points: np.ndarray) -> float:
    return max(ulps(function(x), exact(mpmath.mpf(x))) for x in points.tolist())


def sine(x: float) -> float:
    return sin_cos(x)[0]


def cosine(x: float) -> float:
    return sin_cos(x)[1]


NEAR_MULTIPLES = np.array([math.nextafter(k * math.pi / 4, s) for k in range(-160, 161) for s in (-1e9, 1e9)])
SPREAD = np.random.default_rng(1).uniform(-100.0, 100.0, 1500)


@pytest.mark.parametrize(("function", "exact"), [(sine, mpmath.sin), (cosine, mpmath.cos)])
@pytest.mark.parametrize("points", [NEAR_MULTIPLES, SPREAD, SPREAD / 100.0, SPREAD * 100.0])
def test_sine_and_cosine_within_one_ulp(
    function: Callable[[float], float], exact: Callable[[mpmath.mpf], mpmath.mpf], points: np.ndarray
) -> None:
    """Source: mpmath at 40 digits."""
    assert worst(function, exact, points) <= 1.0


@given(st.floats(-100.0, 100.0))
def test_sine_is_odd_and_cosine_even_to_the_bit(x: float) -> None:
    """Source: sin(-x) = -sin x, cos(-x) = cos x; ties of the reduction must not break mirror symmetry."""
    s, c = sin_cos(x)
    assert sin_cos(-x) == (-s, c)


def test_exp_within_one_ulp() -> None:
    """Source: mpmath at 40 digits."""
    points = np.concatenate([np.random.default_rng(2).uniform(-700.0, 700.0, 1000), np.linspace(-1.5, 1.5, 601)])
    assert worst(exp, mpmath.exp, points) <= 1.0


def test_exp_at_the_ends_of_its_range() -> None:
    """Source: IEEE 754 limits; the C library's own exponential."""
    assert (exp(0.0), exp(-math.inf), exp(-800.0), exp(math.inf), exp(800.0)) == (1.0, 0.0, 0.0, math.inf, math.inf)
    assert exp(709.7) == pytest.approx(math.exp(709.7), rel=1e-15)
    assert exp(-740.0) == pytest.approx(math.exp(-740.0), abs=1e-323)
    assert math.isnan(exp(math.nan))


def test_log_within_one_ulp() -> None:
    """Source: mpmath at 40 digits; near 1 the result cancels, far away the exponent rules."""
    near_one = 1.0 + np.random.default_rng(3).uniform(-0.4, 0.6, 1000)
    wide = np.exp(np.random.default_rng(4).uniform(-700.0, 700.0, 1000))
    closest = np.array([math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0), 5e-324, 1.7e308])
    assert worst(log, mpmath.log, np.concatenate([near_one, wide, closest])) <= 1.0


def test_log_at_the_ends_of_its_range() -> None:
    """Source: limits of the logarithm."""
    assert (log(1.0), log(0.0), log(math.inf)) == (0.0, -math.inf, math.inf)
    assert all(math.isnan(log(x)) for x in (-1.0, -math.inf, math.nan))


def test_sine_of_a_huge_or_missing_angle_is_nan() -> None:
    """Source: contract of the kernels, which never raise."""
    assert all(math.isnan(v) for x in (math.nan, math.inf, -1e5) for v in sin_cos(x))


def test_normal_quantile_inverts_the_distribution() -> None:
    """Source: Wichura 1988 (AS241), good to 1e-16, and a few ulps of rounding; Newton's method at 40 digits."""
    rng = np.random.default_rng(5)
    points = np.concatenate([rng.uniform(0.0, 1.0, 300), 10.0 ** rng.uniform(-300.0, -1.0, 200), [0.075, 0.925, 1e-11]])
    for p in points.tolist():
        value = normal_quantile(p)
        x = mpmath.mpf(value)
        exact = x - (mpmath.ncdf(x) - p) / mpmath.npdf(x)
        exact -= (mpmath.ncdf(exact) - p) / mpmath.npdf(exact)
        assert abs(value - exact) <= 1e-15 * abs(exact)


@given(st.floats(1e-3, 1.0 - 1e-3))
def test_normal_quantile_is_monotone_and_antisymmetric(p: float) -> None:
    """Source: symmetry of the normal distribution (1 - p is rounded, hence the tolerance)."""
    assert normal_quantile(1.0 - p) == pytest.approx(-normal_quantile(p), rel=1e-12, abs=1e-15)
    assert normal_quantile(p) < normal_quantile(p + 1e-6)


def test_normal_quantile_at_the_ends() -> None:
    """Source: limits of the distribution; Wichura's check values for p = 0.25, 0.001 and 1e-20."""
    assert (normal_quantile(0.0), normal_quantile(0.5), normal_quantile(1.0)) == (-math.inf, 0.0, math.inf)
    assert all(math.isnan(normal_quantile(p)) for p in (-0.1, 1.1, math.nan))
    assert normal_quantile(0.25) == pytest.approx(-0.6744897501960817, rel=1e-15)
    assert normal_quantile(0.001) == pytest.approx(-3.090232306167814, rel=1e-15)
    assert normal_quantile(1e-20) == pytest.approx(-9.262340089798408, rel=1e-15)
