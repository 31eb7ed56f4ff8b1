"""Seeded layouts and shots that several tests share."""

import math

import numpy as np

R = 0.02625
COLOURS = [(1.181, 0.737), (0.597, 0.737), (0.889, 0.737), (0.889, 1.7845), (0.889, 2.67675), (0.889, 3.245)]


def rack(gap):
    """A full frame: cue ball, six colours, fifteen reds `gap` apart (15 + 7, 2)."""
    pitch = 2.0 * R + gap
    apex = 2.67675 + 2.0 * R + 5e-4
    reds = [
        (0.889 + (k - row / 2) * pitch, apex + row * pitch * math.sqrt(0.75))
        for row in range(5)
        for k in range(row + 1)
    ]
    return np.array([(1.02, 0.7), *COLOURS, *reds])


def scattered(rng, n_balls):
    """`n_balls` free places on the bed of a snooker table."""
    places = []
    while len(places) < n_balls:
        place = rng.uniform((0.03, 0.03), (1.748, 3.539))
        if all(math.dist(place, other) > 2.0 * R + 1e-6 for other in places):
            places.append(place)
    return np.array(places)


def break_motion(rng, layout, n_shots):
    """Cue-ball motions (v, w) at the pack, 4 to 8 m/s with random spins."""
    to = layout[7] - layout[0]
    angle = math.atan2(to[1], to[0]) + rng.uniform(-0.015, 0.015, n_shots)
    speed = rng.uniform(4.0, 8.0, n_shots)
    v, w = np.zeros((n_shots, len(layout), 2)), np.zeros((n_shots, len(layout), 3))
    v[:, 0, 0], v[:, 0, 1] = speed * np.cos(angle), speed * np.sin(angle)
    w[:, 0] = rng.normal(0.0, 1.0, (n_shots, 3)) * speed[:, None] / R
    return v, w
