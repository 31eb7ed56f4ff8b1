"""A fixed piece of work that measures the machine and not this project: discs in a box, event by event.

Never edited: times in units of its time are pinned (bench/gate.py). It does what an event of the simulator does in
small: bring two bodies to a time, scan the partners of each for the next contact, and take the least entry of a table.
It imports nothing of the project. Discs of one size move straight; walls and impacts reverse speeds.
"""

import math

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

N_DISCS, SIDE, DIAMETER = 16, 2.0, 0.05
X, Y, VX, VY, T, NEXT = range(6)
WALL = -1


def start() -> Floats:
    """Discs on a grid with fixed speeds of about 1 m/s: rows x, y, vx, vy, time of these, time of the next event."""
    discs = np.zeros((6, N_DISCS))
    for i in range(N_DISCS):
        discs[X, i], discs[Y, i] = 0.3 + 0.45 * (i % 4), 0.3 + 0.45 * (i // 4)
        discs[VX, i], discs[VY, i] = 1.0 - 0.37 * (i * 7 % 6), 0.9 - 0.31 * (i * 5 % 7)
    return discs


@numba.njit(error_model="numpy")
def write_meetings(discs: Floats, i: int, now: float, times: Floats) -> None:
    """Time at which each disc next meets disc `i`, inf where it does not: one loop without a branch."""
    x, y = discs[X, i], discs[Y, i]
    vx, vy = discs[VX, i], discs[VY, i]
    for j in range(discs.shape[1]):
        dt = now - discs[T, j]
        rx, ry = discs[X, j] + dt * discs[VX, j] - x, discs[Y, j] + dt * discs[VY, j] - y
        wx, wy = discs[VX, j] - vx, discs[VY, j] - vy
        b, v2 = rx * wx + ry * wy, wx * wx + wy * wy
        d = b * b - v2 * (rx * rx + ry * ry - DIAMETER * DIAMETER)
        times[j] = now - (b + math.sqrt(max(d, 0.0))) / v2 if (b < 0.0) & (d > 0.0) else math.inf


@numba.njit(error_model="numpy")
def time_to_wall(discs: Floats, i: int) -> float:
    """Time at which disc `i`, which has just been brought to its time, meets a wall."""
    best = math.inf
    for axis in range(2):
        v = discs[VX + axis, i]
        if v != 0.0:
            s = ((SIDE if v > 0.0 else 0.0) - discs[X + axis, i]) / v
            best = min(best, max(s, 0.0))
    return discs[T, i] + best


@numba.njit(error_model="numpy")
def look_ahead(discs: Floats, partner: NDArray[np.int64], i: int, times: Floats) -> None:
    """Write the next event of disc `i`, and mend those of the discs that it will meet first."""
    now = discs[T, i]
    write_meetings(discs, i, now, times)
    discs[NEXT, i], partner[i] = time_to_wall(discs, i), WALL
    for j in range(discs.shape[1]):
        if j != i and times[j] < discs[NEXT, i] and times[j] < discs[NEXT, j]:
            discs[NEXT, i], partner[i] = times[j], j
    if partner[i] != WALL:
        discs[NEXT, partner[i]], partner[partner[i]] = discs[NEXT, i], i


@numba.njit(error_model="numpy")
def advance(discs: Floats, i: int, now: float) -> None:
    """Bring disc `i` to `now`."""
    dt = now - discs[T, i]
    discs[X, i] += dt * discs[VX, i]
    discs[Y, i] += dt * discs[VY, i]
    discs[T, i] = now


@numba.njit(error_model="numpy")
def bounce(discs: Floats, i: int) -> None:
    """Turn the speed of disc `i` round at the walls it has reached."""
    for axis in range(2):
        at = discs[X + axis, i]
        if at < 1e-9:
            discs[VX + axis, i] = abs(discs[VX + axis, i])
        elif at > SIDE - 1e-9:
            discs[VX + axis, i] = -abs(discs[VX + axis, i])


@numba.njit(error_model="numpy")
def collide(discs: Floats, i: int, j: int) -> None:
    """Exchange the speeds of two discs along their line of centres."""
    rx, ry = discs[X, j] - discs[X, i], discs[Y, j] - discs[Y, i]
    push = (rx * (discs[VX, j] - discs[VX, i]) + ry * (discs[VY, j] - discs[VY, i])) / (rx * rx + ry * ry)
    discs[VX, i] += push * rx
    discs[VY, i] += push * ry
    discs[VX, j] -= push * rx
    discs[VY, j] -= push * ry


@numba.njit(error_model="numpy", cache=True)
def run(discs: Floats, n_events: int) -> int:
    """Play events; how many of them were meetings of two discs."""
    n, met = discs.shape[1], 0
    partner, times = np.full(n, WALL), np.empty(n)
    discs[NEXT] = math.inf
    for i in range(n):
        look_ahead(discs, partner, i, times)
    for _ in range(n_events):
        i = int(np.argmin(discs[NEXT]))
        now, j = discs[NEXT, i], partner[i]
        advance(discs, i, now)
        if j == WALL:
            bounce(discs, i)
        else:
            met += 1
            advance(discs, j, now)
            collide(discs, i, j)
            discs[NEXT, j] = math.inf
        discs[NEXT, i] = math.inf
        look_ahead(discs, partner, i, times)
        if j != WALL:
            look_ahead(discs, partner, j, times)
        for k in range(n):  # a disc whose partner now meets another first has to look again
            if partner[k] != WALL and partner[partner[k]] != k:
                advance(discs, k, now)
                look_ahead(discs, partner, k, times)
    return met
