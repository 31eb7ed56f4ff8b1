"""Normal draws from random words, the same on every machine: no library function has a say in a last bit.

Not modelled: truncation; 52 bits a draw reach 8.2 standard deviations.
"""

from simcore.kernel.elementary import normal_quantile
from simcore.kernel.jit import door, kernel
from simcore.kernel.types import Floats

UNIFORM_BITS = 52  # one fewer than a mantissa has: adding a half is then exact, and neither 0 nor 1 can occur
UNIFORM_STEP = 2.0**-UNIFORM_BITS


@kernel
def normal_from_bits(bits: float) -> float:
    """Standard normal draw from UNIFORM_BITS random bits, given as an integral float."""
    return normal_quantile((bits + 0.5) * UNIFORM_STEP)


@kernel
def factor_row(factor: Floats, normals: Floats, row: int) -> float:
    """Element `row` of factor @ normals for a lower triangular factor, summed in one fixed order."""
    total = 0.0
    for column in range(row + 1):
        total += factor[row, column] * normals[column]
    return total


@door
def correlated_normals(bits: Floats, factor: Floats, draws: Floats) -> None:
    """Fill `draws` (n, k) with factor @ z, where z are the normal draws of the same row of `bits`.

    bits: (n, k), random bits as integral floats, overwritten with z; factor: (k, k), lower triangular.
    """
    for sample in range(draws.shape[0]):
        for column in range(draws.shape[1]):
            bits[sample, column] = normal_from_bits(bits[sample, column])
        for row in range(draws.shape[1]):
            draws[sample, row] = factor_row(factor, bits[sample], row)
