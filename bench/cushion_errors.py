"""How far the cushion impact is from Mathavan's equations solved, and what it takes: against the published scheme.

    python -m bench.cushion_errors               # table to stdout; two minutes, most of them for the converged answers
    python -m bench.cushion_errors --hits 2000   # fewer hits a family
    python -m bench.cushion_errors --seed 7      # other hits

Each family is a seeded sample of motions (v, R omega) of length 1 that approach the cushion: directions over the whole
sphere, and the families that play makes, which lie on its rims (a rolling ball has no slip on the cloth, a square one
no slip along the rail). The converged answer is the published scheme with 3,000 steps in compression. An error is the
greatest change of v and R omega, component by component, or the length of the change of v, for a motion of length 1.
Times are processor time of one thread, both models in turn in rounds of under 3 ms; the ratio is that of the medians.
"""

import argparse
import math
import sys
import time
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from simcore.kernel.cushion import resolve_cushion
from simcore.kernel.types import BallMotion
from simcore.physics import Physics

Floats = NDArray[np.float64]

SHIPPED = Physics.snooker(e_cushion_slope=0.0)  # one restitution, so that a motion and its double are alike
PUBLISHED = SHIPPED._replace(cushion_model=2)
CONVERGED = PUBLISHED._replace(cushion_steps=3000)
R = SHIPPED.R
ROUND, ROUNDS = 500, 200  # hits in a round of the timing; rounds


class Errors(NamedTuple):
    """Errors of one model in one family, for a motion of length 1."""

    median: float
    most: float  # 99th percentile
    greatest: float
    v_median: float  # the same for the velocity alone
    v_most: float
    v_greatest: float


@numba.njit(error_model="numpy")
def impacts(motions: Any, physics: Any, out: Any) -> None:
    """Motions (n, 5), v and R omega, after each meets a cushion along x in +y, into out (n, 5)."""
    radius = physics.R
    for k in range(motions.shape[0]):
        z = motions[k]
        ball = BallMotion(z[0], z[1], z[2] / radius, z[3] / radius, z[4] / radius)
        after = resolve_cushion(ball, 0.0, 1.0, radius, physics)
        out[k, 0], out[k, 1] = after.vx, after.vy
        out[k, 2], out[k, 3], out[k, 4] = radius * after.wx, radius * after.wy, radius * after.wz


def after_impact(motions: Floats, physics: Physics) -> Floats:
    """Motions (n, 5) after the impact."""
    out = np.empty_like(motions)
    impacts(motions, physics, out)
    return out


def families(hits: int, seed: int) -> dict[str, Floats]:
    """Motions (hits, 5) before the impact, v and R omega, of length 1, by the name of the family."""
    rng = np.random.default_rng([seed, 2010])
    any_way = rng.normal(size=(hits, 5))
    any_way[:, 1] = np.abs(any_way[:, 1])
    angle, side, roll = rng.uniform(0.01, math.pi - 0.01, hits), rng.uniform(-1.5, 1.5, hits), rng.uniform(-2, 2, hits)
    c, s, none = np.cos(angle), np.sin(angle), np.zeros(hits)
    glancing = any_way * (1.0, 0.05, 1.0, 1.0, 1.0)
    every = {
        "any direction": any_way,
        "rolling": np.stack([c, s, -s, c, none], 1),
        "rolling with side": np.stack([c, s, -s, c, side], 1),
        "stun": np.stack([c, s, none, none, none], 1),
        "screw and topspin": np.stack([c, s, -roll * s, roll * c, none], 1),
        "the same with side": np.stack([c, s, -roll * s, roll * c, side], 1),
        "square, without side": np.stack([none, none + 1.0, -roll, none, none], 1),
        "square, with side": np.stack([none, none + 1.0, -roll, none, side], 1),
        "glancing": glancing,
    }
    return {name: z / np.linalg.norm(z, axis=1)[:, None] for name, z in every.items()}


def errors(found: Floats, exact: Floats) -> Errors:
    """Errors of motions (n, 5) against the exact ones."""
    off = np.abs(found - exact)
    each, v = off.max(axis=1), np.hypot(off[:, 0], off[:, 1])
    return Errors(*(float(f) for e in (each, v) for f in (np.median(e), np.quantile(e, 0.99), e.max())))


def time_ns(motions: Floats) -> tuple[float, float]:
    """Median nanoseconds a hit of the shipped and of the published model, in turn."""
    spent: tuple[list[float], list[float]] = ([], [])
    for k in range(ROUNDS):
        part = motions[k * ROUND % (len(motions) - ROUND + 1) :][:ROUND]
        for physics, times in zip((SHIPPED, PUBLISHED), spent, strict=True):
            start = time.thread_time_ns()
            after_impact(part, physics)
            times.append((time.thread_time_ns() - start) / len(part))
    return float(np.median(spent[0])), float(np.median(spent[1]))


def row(name: str, cells: tuple[str, ...]) -> str:
    """One line of the table."""
    return f"| {name} | {' | '.join(cells)} |"


def three(a: float, b: float, c: float) -> str:
    """A median, a 99th percentile and a greatest error."""
    return f"{a:.1e} / {b:.1e} / {c:.1e}"


def table(hits: int, seed: int) -> list[str]:
    """The table, in Markdown: median / 99th percentile / greatest error of both models, and their times."""
    heads = ("v and Rω", "published, 20 steps", "v alone", "published, 20 steps", "ns a hit", "published", "ratio")
    lines = [row("family", heads), row("---", ("---",) * len(heads))]
    for name, motions in families(hits, seed).items():
        exact = after_impact(motions, CONVERGED)
        ours, theirs = (errors(after_impact(motions, p), exact) for p in (SHIPPED, PUBLISHED))
        ns, published = time_ns(motions)
        cells = [three(*e[k : k + 3]) for k in (0, 3) for e in (ours, theirs)]
        lines.append(row(name, (*cells, f"{ns:.0f}", f"{published:.0f}", f"{published / ns:.1f}")))
    return lines


def main() -> None:
    """The command line: see the module's docstring."""
    parser = argparse.ArgumentParser(description="Errors and times of the cushion impact.")
    parser.add_argument("--hits", type=int, default=20_000, help="hits a family, at least 500")
    parser.add_argument("--seed", type=int, default=1, help="of the hits")
    options = parser.parse_args()
    sys.stdout.write("\n".join(table(max(options.hits, ROUND), options.seed)) + "\n")


if __name__ == "__main__":
    main()
