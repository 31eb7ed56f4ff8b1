"""Seeded workloads that every timing shares: layouts, strikes, and how many shots a timed round plays.

The cue ball leaves the tip at 1 to 4 m/s in a random direction (4 to 8 m/s into the pack for a break), struck level
and centrally. An event is one contact of two balls, one of a ball with a nose or jaw, one transition of a ball from
sliding to rolling or from rolling to rest, or one fall.
"""

import math
import zlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import simcore
from simcore.kernel.cue import struck_speed
from simcore.shots import canonical_bytes

Floats = NDArray[np.float64]

SEED = 2026
MARGIN = 0.04  # m, scattered balls keep this far from the noses
APART = 1e-3  # m, and this far from each other


class Workload(NamedTuple):
    """What `simulate` is given: positions (n_shots, n_balls, 2), m, and as many strikes."""

    name: str
    positions: Floats
    shots: simcore.Shots

    def part(self, rows: slice | NDArray[np.int64]) -> "Workload":
        """Some of its shots."""
        return self._replace(positions=self.positions[rows], shots=self.shots[rows])

    def run(self, **options: object) -> simcore.ShotResults:
        """Simulate it."""
        return simcore.simulate(self.positions, self.shots, **options)


def scattered(rng: np.random.Generator, n_balls: int) -> Floats:
    """Free places on the bed, away from the mouths (n_balls, 2), m."""
    table, physics = simcore.Table.snooker(), simcore.Physics.snooker()
    least, most = MARGIN + physics.R, np.array([table.width, table.length]) - MARGIN - physics.R
    places: list[Floats] = []
    while len(places) < n_balls:
        place = rng.uniform(least, most)
        if all(math.dist(place, other) > 2.0 * physics.R + APART for other in places):
            places.append(place)
    return np.array(places)


def full_pack(rng: np.random.Generator) -> Floats:
    """Cue ball in the D, colours on their spots, and 15 reds with gaps of 10 to 90 micrometres (22, 2), m."""
    table, radius = simcore.Table.snooker(), simcore.Physics.snooker().R
    spots = [table.spots[name] for name in ("yellow", "green", "brown", "blue", "pink", "black")]
    pitch, (x, y) = 2.0 * radius + 5e-5, table.spots["pink"]
    reds = [
        (x + (k - 0.5 * row) * pitch, y + 2.0 * radius + 5e-4 + row * pitch * math.sqrt(0.75))
        for row in range(5)
        for k in range(row + 1)
    ]
    jitter = rng.uniform(-14e-6, 14e-6, (15, 2))
    cue = (table.spots["brown"][0] + rng.uniform(-0.2, 0.2), table.spots["brown"][1] - 0.12)
    return np.array([cue, *spots, *(np.array(reds) + jitter)])


def struck_at(speeds: Floats, directions: Floats) -> simcore.Shots:
    """Level, central strikes after which the cue ball has these speeds, m/s."""
    physics = simcore.Physics.snooker()
    return simcore.Shots(V0=speeds / struck_speed(1.0, 0.0, 0.0, physics.m, physics), phi=directions)


def random_shots(name: str, n_balls: int, n_shots: int) -> Workload:
    """Scattered balls, each shot from its own layout."""
    rng = np.random.default_rng((SEED, n_balls))
    positions = np.array([scattered(rng, n_balls) for _ in range(n_shots)])
    return Workload(name, positions, struck_at(rng.uniform(1.0, 4.0, n_shots), rng.uniform(-np.pi, np.pi, n_shots)))


def breaks(name: str, n_shots: int) -> Workload:
    """Full packs, hit within half a ball of the first red's centre, past the pink."""
    rng = np.random.default_rng((SEED, 22, 1))
    positions = np.array([full_pack(rng) for _ in range(n_shots)])
    corner = np.where(rng.random(n_shots) < 0.5, 17, 21)  # the ends of the last row
    to = positions[np.arange(n_shots), corner] - positions[:, 0]
    to_corner = np.array([math.atan2(y, x) for x, y in to])  # NumPy's differs in the last bit between processors
    directions = to_corner + rng.uniform(-0.01, 0.01, n_shots)
    return Workload(name, positions, struck_at(rng.uniform(4.0, 8.0, n_shots), directions))


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "2 balls": lambda: random_shots("2 balls", 2, 1024),
    "8 balls": lambda: random_shots("8 balls", 8, 512),
    "16 balls": lambda: random_shots("16 balls", 16, 384),
    "22 balls": lambda: random_shots("22 balls", 22, 256),
    "break": lambda: breaks("break", 64),
}
"""By name; the numbers of shots make a round of some 3 ms on two threads, and are enough for `simulate` to use two."""


def checksum(results: simcore.ShotResults) -> str:
    """Of the end positions to the last bit, as 8 hexadecimal digits."""
    return f"{zlib.crc32(canonical_bytes(results.positions)):08x}"
