"""Kernels compiled for tests: called from Python a kernel is plain Python, called from one of these it is compiled."""

import numba

from simcore.kernel.roots import first_crossing, line_crossing
from simcore.kernel.types import Relative


@numba.njit(error_model="numpy")
def first_crossings(rows, out):
    """Run `first_crossing` for rows of x, y, vx, vy, ax, ay, distance, window (n, 8) into out (n,)."""
    for k in range(rows.shape[0]):
        r = rows[k]
        out[k] = first_crossing(Relative(r[0], r[1], r[2], r[3], r[4], r[5]), r[6], r[7])


@numba.njit(error_model="numpy")
def line_crossings(rows, out):
    """Run `line_crossing` for rows of gap, rate, half, window (n, 4) into out (n,)."""
    for k in range(rows.shape[0]):
        out[k] = line_crossing(rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3])
