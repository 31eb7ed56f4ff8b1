"""Starts that are hard on the kernel: touching balls at noses, jaws and corners, moving together or pressed.

Chains grow straight, at 60 degrees or anyhow, with gaps of exactly 0 or 1e-15 ... 1e-5 m; balls start with a common
velocity, with one ball's blow or spin, or all apart, at 1e-9 ... 8 m/s. `python -m bench.soak --clusters` plays them.
"""

import math

import numpy as np
from numpy.typing import NDArray

import simcore
from simcore.kernel.jit import door, kernel
from simcore.kernel.layout import FAULT_NONE, OVERLAP, bed_fault, fall_gap
from simcore.kernel.types import (
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
    JAW_X,
    JAW_Y,
    NOSE_LENGTH,
    NOSE_NX,
    NOSE_NY,
    NOSE_X,
    NOSE_Y,
)

Floats = NDArray[np.float64]

TRIES = 20  # places tried for a ball before it stays away
ROUNDING = 1e-13  # balls may start this far in each other or in a cushion, m
SLOWEST, FASTEST = 1e-9, 8.0  # m/s


@kernel
def random_gap(rng):
    """A gap of 0 or of some rounding errors, m."""
    return 0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-15.0, -5.0)


@kernel
def random_speed(rng):
    """A speed, m/s, of any order of size."""
    return 10.0 ** rng.uniform(math.log10(SLOWEST), math.log10(FASTEST))


@kernel
def first_place(reach, geometry, width, length, rng):
    """Where a cluster begins: anywhere, at a nose (often near its end), or at a jaw."""
    kind = rng.random()
    if kind < 0.25:
        return rng.uniform(0.1, width - 0.1), rng.uniform(0.1, length - 0.1)
    if kind < 0.65 or geometry.jaw.shape[1] == 0:
        k = int(rng.random() * geometry.nose.shape[1])
        nx, ny = geometry.nose[NOSE_NX, k], geometry.nose[NOSE_NY, k]
        along = rng.random() * geometry.nose[NOSE_LENGTH, k]
        if rng.random() < 0.3:
            along = min(10.0 ** rng.uniform(-12.0, -1.0), geometry.nose[NOSE_LENGTH, k])
        if rng.random() < 0.5:
            along = geometry.nose[NOSE_LENGTH, k] - along
        away = reach + random_gap(rng)
        return geometry.nose[NOSE_X, k] + along * ny + away * nx, geometry.nose[NOSE_Y, k] - along * nx + away * ny
    k, part = int(rng.random() * geometry.jaw.shape[1]), rng.random()
    x = (1.0 - part) * geometry.jaw[JAW_FROM_X, k] + part * geometry.jaw[JAW_TO_X, k]
    y = (1.0 - part) * geometry.jaw[JAW_FROM_Y, k] + part * geometry.jaw[JAW_TO_Y, k]
    away = (geometry.jaw[JAW_RADIUS, k] + reach + random_gap(rng)) / math.sqrt(x * x + y * y)
    return geometry.jaw[JAW_X, k] + away * x, geometry.jaw[JAW_Y, k] + away * y


@kernel
def is_free(layout, x, y, apart):
    """Whether (x, y) is no nearer than `apart` to any ball that is there, not nan."""
    for j in range(layout.shape[0]):
        dx, dy = layout[j, 0] - x, layout[j, 1] - y
        if dx * dx + dy * dy < apart * apart:
            return False
    return True


@kernel
def next_direction(angle, rng):
    """Where a chain goes on from its last direction, rad."""
    kind = rng.random()
    if kind < 0.5:
        return angle
    if kind < 0.8:
        return angle + math.pi / 3.0 * int(rng.uniform(1.0, 6.0))
    return rng.uniform(0.0, 2.0 * math.pi)


@door
def place_clusters(layouts, radius, reach, geometry, width, length, rng):
    """Fill layouts (n, n_balls, 2), m, each with one cluster and a few single balls; nan where no place was free."""
    layouts[:] = math.nan
    for k in range(layouts.shape[0]):
        layout = layouts[k]
        angle = 0.5 * math.pi * int(rng.random() * 4.0) if rng.random() < 0.5 else rng.uniform(0.0, 2.0 * math.pi)
        for i in range(layout.shape[0]):
            for _ in range(TRIES):
                if i == 0 or rng.random() < 0.1:
                    x, y = first_place(reach, geometry, width, length, rng)
                else:
                    angle = next_direction(angle, rng)
                    j = i - 1 if rng.random() < 0.8 else int(rng.random() * i)
                    x = layout[j, 0] + (2.0 * radius + random_gap(rng)) * math.cos(angle)
                    y = layout[j, 1] + (2.0 * radius + random_gap(rng)) * math.sin(angle)
                exact = reach + OVERLAP - ROUNDING  # the door lets a ball sink in by OVERLAP
                on_bed = bed_fault(x, y, exact, geometry, width, length)[0] == FAULT_NONE
                for p in range(geometry.pocket.shape[1]):
                    on_bed = on_bed and fall_gap(x, y, p, geometry) >= 0.0
                if on_bed and is_free(layout, x, y, 2.0 * radius - ROUNDING):
                    layout[i, 0], layout[i, 1] = x, y
                    break


@door
def set_in_motion(layouts, v, w, radius, rng):
    """Fill velocities (n, n_balls, 2), m/s, and spins (n, n_balls, 3), rad/s: one ball, all together, or all apart."""
    n_balls = layouts.shape[1]
    for k in range(layouts.shape[0]):
        who, spinning, rolling = rng.random(), rng.random() < 0.5, rng.random() < 0.3
        i = int(rng.random() * n_balls)
        towards = layouts[k, int(rng.random() * n_balls)] - layouts[k, i]
        angle = math.atan2(towards[1], towards[0])
        if not math.isfinite(angle) or rng.random() < 0.5:
            angle = 0.5 * math.pi * int(rng.random() * 4.0) if rng.random() < 0.5 else rng.uniform(0.0, 2.0 * math.pi)
        speed = random_speed(rng)
        for b in range(n_balls):
            if who < 0.4 and b != i:
                continue
            if who > 0.7:
                angle, speed = rng.uniform(0.0, 2.0 * math.pi), random_speed(rng)
            elif b != i:
                speed = speed + (0.0 if rng.random() < 0.5 else random_speed(rng) * 1e-3)
            v[k, b, 0], v[k, b, 1] = speed * math.cos(angle), speed * math.sin(angle)
            if rolling:
                w[k, b, 0], w[k, b, 1] = -v[k, b, 1] / radius, v[k, b, 0] / radius
            elif spinning:
                for axis in range(3):
                    w[k, b, axis] = random_speed(rng) / radius * (1.0 if rng.random() < 0.5 else -1.0)


def random_starts(
    rng: np.random.Generator, n: int, n_balls: int, table: simcore.Table, physics: simcore.Physics
) -> tuple[Floats, simcore.Motion]:
    """Layouts (n, n_balls, 2), m, and motions; no two balls of a layout overlap by more than ROUNDING."""
    layouts, v, w = np.empty((n, n_balls, 2)), np.zeros((n, n_balls, 2)), np.zeros((n, n_balls, 3))
    reach = math.sqrt(physics.R**2 - (physics.nose_height - physics.R) ** 2)
    place_clusters(layouts, physics.R, reach, table.geometry, table.width, table.length, rng)
    set_in_motion(layouts, v, w, physics.R, rng)
    return layouts, simcore.Motion(v, w)
