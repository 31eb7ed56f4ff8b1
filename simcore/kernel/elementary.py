"""Sine, cosine, exponential, logarithm and the normal quantile from + - * / sqrt and floor alone.

The C library's versions differ between systems in the last bit, and a simulation that grows an ulp to millimetres
must give the same bits everywhere. Reduction to a small argument in two or three parts (Cody and Waite 1980), then
Taylor series, long enough to leave less than 1e-18. Not meant for huge angles.
"""

import math

from simcore.kernel.jit import kernel

# pi / 2 and log 2 in parts of 40 bits, so that a part times an integer below 2^13 is exact; the last part is rounded
HALF_PI_1 = 1.5707963267941523
HALF_PI_2 = 7.443547480480255e-13
HALF_PI_3 = 6.36831716351095e-25
LN2_1 = 0.6931471805592082
LN2_2 = 7.371002565167799e-13
TWO_OVER_PI = 0.6366197723675814
ONE_OVER_LN2 = 1.4426950408889634
SQRT_HALF = 0.7071067811865476

SINE_MAX = 1e4  # beyond it the reduction is not exact
EXP_MAX = 709.782712893384  # log of the largest float64
EXP_MIN = -745.1332191019412  # log of the smallest positive float64


@kernel
def _sine_series(z: float) -> float:
    """(sin x - x) / x^3 for z = x^2, |x| <= pi / 4."""
    s = 1.0 / 355687428096000.0 - z / 121645100408832000.0
    s = -1.0 / 1307674368000.0 + z * s
    s = 1.0 / 6227020800.0 + z * s
    s = -1.0 / 39916800.0 + z * s
    s = 1.0 / 362880.0 + z * s
    s = -1.0 / 5040.0 + z * s
    s = 1.0 / 120.0 + z * s
    return -1.0 / 6.0 + z * s


@kernel
def _cosine_series(z: float) -> float:
    """(cos x - 1 + x^2 / 2) / x^4 for z = x^2, |x| <= pi / 4."""
    s = 1.0 / 20922789888000.0 - z / 6402373705728000.0
    s = -1.0 / 87178291200.0 + z * s
    s = 1.0 / 479001600.0 + z * s
    s = -1.0 / 3628800.0 + z * s
    s = 1.0 / 40320.0 + z * s
    s = -1.0 / 720.0 + z * s
    return 1.0 / 24.0 + z * s


@kernel
def _reduce_quadrant(x: float) -> tuple[float, float, int]:
    """X minus the nearest multiple k of pi / 2, as a sum of two floats, and k modulo 4."""
    k = math.floor(x * TWO_OVER_PI + 0.5)
    r = x - k * HALF_PI_1  # exact
    w = k * HALF_PI_2  # exact
    hi = r - w
    back = r - hi
    lo = ((r - (hi + back)) + (back - w)) - k * HALF_PI_3  # what rounding took from r - w (Knuth's two-sum)
    return hi, lo, int(k) & 3


@kernel
def sin_cos(x: float) -> tuple[float, float]:
    """Sine and cosine of x in rad, within one unit in the last place for |x| <= SINE_MAX, else nan.

    Source: Cody and Waite 1980, chapter 8 (reduction); Taylor series.
    """
    if not abs(x) <= SINE_MAX:
        return math.nan, math.nan
    r, low, quadrant = _reduce_quadrant(x)
    z = r * r
    half = 0.5 * z
    near_one = 1.0 - half
    s = r + (r * z * _sine_series(z) + low * near_one)
    c = near_one + (((1.0 - near_one) - half) + (z * z * _cosine_series(z) - r * low))
    if quadrant == 0:
        return s, c
    if quadrant == 1:
        return c, -s
    if quadrant == 2:
        return -s, -c
    return -c, s


@kernel
def _exp_series(r: float) -> float:
    """(exp r - 1 - r) / r^2 for |r| <= log(2) / 2."""
    s = 1.0 / 6227020800.0 + r / 87178291200.0
    s = 1.0 / 479001600.0 + r * s
    s = 1.0 / 39916800.0 + r * s
    s = 1.0 / 3628800.0 + r * s
    s = 1.0 / 362880.0 + r * s
    s = 1.0 / 40320.0 + r * s
    s = 1.0 / 5040.0 + r * s
    s = 1.0 / 720.0 + r * s
    s = 1.0 / 120.0 + r * s
    s = 1.0 / 24.0 + r * s
    s = 1.0 / 6.0 + r * s
    return 0.5 + r * s


@kernel
def exp(x: float) -> float:
    """Exponential of x within one unit in the last place; inf and 0 beyond the range of float64.

    Source: Cody and Waite 1980, chapter 6 (reduction); Taylor series.
    """
    if x > EXP_MAX:
        return math.inf
    if x < EXP_MIN:
        return 0.0
    if math.isnan(x):
        return x
    k = math.floor(x * ONE_OVER_LN2 + 0.5)
    r = x - k * LN2_1  # exact
    low = k * LN2_2
    r -= low
    half = math.ldexp(1.0 + (r + r * r * _exp_series(r)), int(k) - 1)  # 2^1024 itself would overflow
    return 2.0 * half


@kernel
def _log_series(z: float) -> float:
    """(2 atanh s - 2 s) / (s z) for z = s^2, |s| <= 0.172."""
    s = 2.0 / 23.0 + z * (2.0 / 25.0)
    s = 2.0 / 21.0 + z * s
    s = 2.0 / 19.0 + z * s
    s = 2.0 / 17.0 + z * s
    s = 2.0 / 15.0 + z * s
    s = 2.0 / 13.0 + z * s
    s = 2.0 / 11.0 + z * s
    s = 2.0 / 9.0 + z * s
    s = 2.0 / 7.0 + z * s
    s = 2.0 / 5.0 + z * s
    return 2.0 / 3.0 + z * s


@kernel
def log(x: float) -> float:
    """Natural logarithm within one unit in the last place; -inf at 0, nan below.

    Source: Cody and Waite 1980, chapter 5 (reduction); log(1 + f) = 2 atanh(f / (2 + f)).
    """
    if not x > 0.0:
        return -math.inf if x == 0.0 else math.nan
    if x == math.inf:
        return x
    mantissa, exponent = math.frexp(x)
    if mantissa < SQRT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    f = mantissa - 1.0  # exact
    s = f / (2.0 + f)
    z = s * s
    correction = s * (f - z * _log_series(z))  # log(1 + f) = f - correction, since 2 s = f - s f
    return exponent * LN2_1 + (f - (correction - exponent * LN2_2))


@kernel
def _quantile_centre(r: float) -> float:
    """Quantile over q = p - 1/2 for r = 0.425^2 - q^2 >= 0 (AS241, coefficients a and b)."""
    top = 2509.0809287301226727 * r + 33430.575583588128105
    top = top * r + 67265.770927008700853
    top = top * r + 45921.953931549871457
    top = top * r + 13731.693765509461125
    top = top * r + 1971.5909503065514427
    top = top * r + 133.14166789178437745
    top = top * r + 3.3871328727963666080
    low = 5226.4952788528545610 * r + 28729.085735721942674
    low = low * r + 39307.895800092710610
    low = low * r + 21213.794301586595867
    low = low * r + 5394.1960214247511077
    low = low * r + 687.18700749205790830
    low = low * r + 42.313330701600911252
    return top / (low * r + 1.0)


@kernel
def _quantile_near(r: float) -> float:
    """Quantile of the upper tail for r = sqrt(-log p) - 1.6 <= 3.4 (AS241, coefficients c and d)."""
    top = 7.74545014278341407640e-4 * r + 2.27238449892691845833e-2
    top = top * r + 2.41780725177450611770e-1
    top = top * r + 1.27045825245236838258
    top = top * r + 3.64784832476320460504
    top = top * r + 5.76949722146069140550
    top = top * r + 4.63033784615654529590
    top = top * r + 1.42343711074968357734
    low = 1.05075007164441684324e-9 * r + 5.47593808499534494600e-4
    low = low * r + 1.51986665636164571966e-2
    low = low * r + 1.48103976427480074590e-1
    low = low * r + 6.89767334985100004550e-1
    low = low * r + 1.67638483018380384940
    low = low * r + 2.05319162663775882187
    return top / (low * r + 1.0)


@kernel
def _quantile_far(r: float) -> float:
    """Quantile of the upper tail for r = sqrt(-log p) - 5 > 0 (AS241, coefficients e and f)."""
    top = 2.01033439929228813265e-7 * r + 2.71155556874348757815e-5
    top = top * r + 1.24266094738807843860e-3
    top = top * r + 2.65321895265761230930e-2
    top = top * r + 2.96560571828504891230e-1
    top = top * r + 1.78482653991729133580
    top = top * r + 5.46378491116411436990
    top = top * r + 6.65790464350110377720
    low = 2.04426310338993978564e-15 * r + 1.42151175831644588870e-7
    low = low * r + 1.84631831751005468180e-5
    low = low * r + 7.86869131145613259100e-4
    low = low * r + 1.48753612908506148525e-2
    low = low * r + 1.36929880922735805310e-1
    low = low * r + 5.99832206555887937690e-1
    return top / (low * r + 1.0)


@kernel
def normal_quantile(p: float) -> float:
    """Standard normal value below which a share p lies, relative error under 1e-15; -inf at 0, inf at 1, nan outside.

    Source: Wichura 1988, "Algorithm AS 241: the percentage points of the normal distribution", PPND16.
    """
    if not 0.0 < p < 1.0:
        return -math.inf if p == 0.0 else (math.inf if p == 1.0 else math.nan)
    q = p - 0.5
    if abs(q) <= 0.425:
        return q * _quantile_centre(0.180625 - q * q)
    r = math.sqrt(-log(min(p, 1.0 - p)))
    tail = _quantile_near(r - 1.6) if r <= 5.0 else _quantile_far(r - 5.0)
    return -tail if q < 0.0 else tail
