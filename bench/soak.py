"""Play chained random shots for minutes or hours and check everything after every event.

    python -m bench.soak --seconds 60 --seed 1
    python -m bench.soak --seconds 60 --seed 1 --clusters     # touching balls in hard places: bench/clusters.py

Each layout is the end of the shot before; potted balls come back at random free places, some of them touching another
ball or a cushion, when few are left. Strikes reach 8 m/s, 60 degrees of elevation, the whole miscue circle and beyond;
half of them aim at a ball. The report counts violations by kind; each is printed as one line that plays the shot
again. Exit status 1 if there is any violation or any shot that did not finish.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

import simcore
from bench.clusters import is_free, random_starts
from bench.shot_checks import KINDS, violations
from simcore.kernel.jit import door, kernel
from simcore.kernel.tolerances import V_CLOSE
from simcore.positions import check_positions
from simcore.replay import shot_text

Floats = NDArray[np.float64]

N_BALLS = 22
CLUSTER_BALLS = 9
CHAINS = 1_000  # shots played at a time, each from its own layout
TRIES = 200  # places tried for a ball before it stays away
MISCUE_SHARE = 0.02
MISCUE_OFFSET = 0.5  # just inside the miscue limit of 0.5145 R
MAX_V0, MAX_ELEVATION = 8.0, math.radians(60.0)
BUCKETS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000)
FAULTS = (*KINDS, "status", "refused end")
SHOW = 20  # reproducers printed at most for each kind


@kernel
def at_pocket(x, y, width, length):
    """Whether a place is at or near the mouth of a pocket."""
    side, end = min(x, width - x), min(y, length - y)
    return (side < 0.1 and end < 0.1) or (side < 0.06 and abs(y - 0.5 * length) < 0.12)


@kernel
def random_place(layout, radius, reach, width, length, rng):
    """A place to try, m: anywhere, touching or nearly touching a cushion, or touching another ball."""
    x, y = rng.uniform(0.1, width - 0.1), rng.uniform(0.1, length - 0.1)
    kind = rng.random()
    gap = 0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-15.0, -5.0)
    if kind < 0.1:
        x = reach + gap if rng.random() < 0.5 else width - reach - gap
    elif kind < 0.15:
        y = reach + gap if rng.random() < 0.5 else length - reach - gap
    elif kind < 0.35:
        j, angle = int(rng.random() * layout.shape[0]), rng.uniform(0.0, 2.0 * math.pi)
        x = layout[j, 0] + (2.0 * radius + gap) * math.cos(angle)
        y = layout[j, 1] + (2.0 * radius + gap) * math.sin(angle)
    return x, y


@door
def put_back(layouts, radius, reach, width, length, rng):
    """Bring the cue ball back wherever it is gone, and all balls where few are left."""
    for k in range(layouts.shape[0]):
        layout = layouts[k]
        few = np.isnan(layout[:, 0]).sum() > int(rng.random() * layout.shape[0])
        for i in range(layout.shape[0]):
            if not math.isnan(layout[i, 0]) or (i > 0 and not few):
                continue
            for _ in range(TRIES):
                x, y = random_place(layout, radius, reach, width, length, rng)
                on_bed = reach <= x <= width - reach and reach <= y <= length - reach
                if on_bed and not at_pocket(x, y, width, length) and is_free(layout, x, y, 2.0 * radius - 1e-12):
                    layout[i, 0], layout[i, 1] = x, y
                    break


def random_strikes(rng: np.random.Generator, layouts: Floats, table: simcore.Table) -> simcore.Shots:
    """One strike for each layout."""
    n = len(layouts)
    speed = np.where(rng.random(n) < 0.5, rng.uniform(0.0, MAX_V0, n), 10.0 ** rng.uniform(-2.0, np.log10(MAX_V0), n))
    target = layouts[np.arange(n), rng.integers(1, N_BALLS, n)]
    aside = rng.uniform(-1.05, 1.05, n) * 0.0525
    to = np.where(np.isnan(target), (0.5 * table.width, 0.5 * table.length), target) - layouts[:, 0]
    distance = np.maximum(np.hypot(to[:, 0], to[:, 1]), 0.0525)
    aimed = np.arctan2(to[:, 1], to[:, 0]) + np.arcsin(np.clip(aside / distance, -1.0, 1.0))
    square = 0.5 * np.pi * rng.integers(0, 4, n)  # straight along or across: the cases with exact zeros
    phi = np.choose(rng.choice(3, n, p=(0.5, 0.45, 0.05)), (aimed, rng.uniform(-np.pi, np.pi, n), square))
    theta = np.where(rng.random(n) < 0.5, 0.0, rng.uniform(0.0, MAX_ELEVATION, n))
    limit = np.where(rng.random(n) < MISCUE_SHARE, 1.0, MISCUE_OFFSET)
    offset, around = limit * np.sqrt(rng.random(n)), rng.uniform(0.0, 2.0 * np.pi, n)
    offset = np.where(rng.random(n) < 0.2, 0.0, offset)
    return simcore.Shots(speed, phi, theta, offset * np.cos(around), offset * np.sin(around))


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclass
class Report:
    """What has been seen so far."""

    shots: int = 0
    events: int = 0
    miscues: int = 0
    potted: int = 0
    longest: int = 0
    longest_line: str = ""
    found: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FAULTS, 0))
    worst: dict[str, float] = field(default_factory=lambda: dict.fromkeys(FAULTS, 0.0))
    unfinished: int = 0
    histogram: NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(BUCKETS), np.int64))

    @property
    def bad(self) -> bool:
        """Whether anything is wrong."""
        return self.unfinished > 0 or any(self.found.values())

    def note(self, kind: str, amount: float, line: str) -> None:
        """One violation."""
        self.found[kind] += 1
        self.worst[kind] = max(self.worst[kind], amount)
        if self.found[kind] <= SHOW:
            say(f"{kind} {amount:.3g}: {line}")

    def add(self, results: simcore.ShotResults, found: Floats, line_of: Callable[[int], str]) -> None:
        """Count a batch; `line_of` a shot's number is the line that plays it again."""
        self.shots += len(results)
        self.events += int(results.n_events.sum())
        self.miscues += int((results.status == simcore.Status.MISCUE).sum())
        self.potted += int((results.pocket >= 0).sum())
        self.histogram += np.bincount(np.searchsorted(BUCKETS, results.n_events, "right") - 1, minlength=len(BUCKETS))
        k = int(results.n_events.argmax())
        if results.n_events[k] > self.longest:
            self.longest, self.longest_line = int(results.n_events[k]), line_of(k)
        for k, kind in zip(*np.nonzero(found), strict=True):
            self.note(KINDS[kind], found[k, kind], line_of(k))
        unfinished = ~results.finished
        self.unfinished += int(unfinished.sum())
        for k in np.flatnonzero(unfinished)[:SHOW]:
            say(f"unfinished {simcore.Status(int(results.status[k])).name}: {line_of(k)}")
        for k in np.flatnonzero(illegal_end(results) & ~unfinished):
            self.note("status", float(results.status[k]), line_of(k))

    def lines(self) -> Iterator[str]:
        """The report."""
        yield f"shots {self.shots:,}, events {self.events:,}, miscues {self.miscues:,}, balls potted {self.potted:,}"
        yield f"violations {sum(self.found.values())}, unfinished {self.unfinished}"
        for kind in FAULTS:
            yield f"  {kind:14} {self.found[kind]:8,}  worst {self.worst[kind]:.3g}"
        yield "events per shot:"
        for low, high, count in zip(BUCKETS, (*BUCKETS[1:], math.inf), self.histogram, strict=True):
            if count:
                yield f"  {low:7,} ... {high - 1:9,.0f}  {count:11,}"
        yield f"longest shot: {self.longest:,} events: {self.longest_line}"


def illegal_end(results: simcore.ShotResults) -> NDArray[np.bool_]:
    """Shots whose status or end is not a legal one: a ball is on the bed or in a pocket, and all is finite."""
    legal = (results.status == simcore.Status.REST) | (results.status == simcore.Status.MISCUE)
    was = np.isfinite(results.start_positions[..., 0])
    on_bed = np.isfinite(results.positions).all(-1)
    balls = (was == (on_bed ^ (results.pocket >= 0))) & (on_bed != ((results.pocket >= 0) | ~was))
    pots = np.isfinite(results.pot_time) == (results.pocket >= 0)
    still = ~results.velocities.any((-2, -1)) & ~results.spins.any((-2, -1))
    finite = np.isfinite(results.duration) & (results.duration >= 0.0)
    return ~(legal & balls.all(-1) & pots.all(-1) & still & finite)


def drop_refused(
    ends: Floats, table: simcore.Table, physics: simcore.Physics, report: Report, line_of: Callable[[int], str]
) -> None:
    """Ends that the door would refuse as a start are violations; those chains begin anew."""
    for k, end in enumerate(ends):
        try:
            check_positions(end, table, physics.R, physics.nose_height)
        except ValueError as error:
            report.note("refused end", 1.0, f"{error}: {line_of(k)}")
            ends[k] = np.nan


def line_of_row(layouts: Floats, start: simcore.Shots | simcore.Motion, k: int) -> str:
    """Row k of a batch as a line."""
    return shot_text(layouts[k], **{"motion" if isinstance(start, simcore.Motion) else "shots": start[k]})


def soak_clusters(report: Report, seconds: float, max_shots: int, seed: int, starts: int = CHAINS) -> None:
    """Play starts from bench/clusters.py until the time or the number of shots is used up."""
    rng = np.random.default_rng(seed)
    table, physics = simcore.Table.snooker(), simcore.Physics.snooker()
    stop = time.monotonic() + seconds
    while report.shots < max_shots and time.monotonic() < stop:
        layouts, motion = random_starts(rng, starts, CLUSTER_BALLS, table, physics)
        line_of = partial(line_of_row, layouts, motion)
        results = simcore.simulate(layouts, motion=motion, table=table, physics=physics, log_events=True)
        report.add(results, violations(results, table, physics, creep=V_CLOSE), line_of)
        drop_refused(results.positions.copy(), table, physics, report, line_of)


def soak(report: Report, seconds: float, max_shots: int, seed: int, chains: int = CHAINS) -> None:
    """Play until the time or the number of shots is used up."""
    rng = np.random.default_rng(seed)
    table, physics = simcore.Table.snooker(), simcore.Physics.snooker()
    reach = math.sqrt(physics.R**2 - (physics.nose_height - physics.R) ** 2)
    layouts = np.full((chains, N_BALLS, 2), np.nan)
    put_back(layouts, physics.R, reach, table.width, table.length, rng)
    stop = time.monotonic() + seconds
    while report.shots < max_shots and time.monotonic() < stop:
        shots = random_strikes(rng, layouts, table)
        results = simcore.simulate(layouts, shots, table=table, physics=physics, log_events=True)
        line_of = partial(line_of_row, layouts, shots)
        report.add(results, violations(results, table, physics), line_of)
        ends = results.positions.copy()
        ends[(results.status != simcore.Status.REST) & (results.status != simcore.Status.MISCUE)] = np.nan
        put_back(ends, physics.R, reach, table.width, table.length, rng)
        drop_refused(ends, table, physics, report, line_of)
        layouts = ends
        layouts[np.isnan(layouts[:, 0, 0])] = np.nan
        put_back(layouts, physics.R, reach, table.width, table.length, rng)


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after this time, compilation included")
    parser.add_argument("--shots", type=float, default=math.inf, help="stop after this many shots")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--chains", type=int, default=CHAINS, help="shots played at a time")
    parser.add_argument("--clusters", action="store_true", help="touching balls in hard places, each shot afresh")
    given = parser.parse_args(arguments)
    if math.isinf(given.seconds) and math.isinf(given.shots):
        given.seconds = 60.0
    began = time.monotonic()
    play = soak_clusters if given.clusters else soak
    report = Report()
    with suppress(KeyboardInterrupt):  # hours of play are worth their report
        play(report, given.seconds, given.shots, given.seed, given.chains)
    took = time.monotonic() - began
    say("\n".join(report.lines()))
    say(f"seed {given.seed}, {took:.0f} s, {report.shots / max(took, 1e-9) * 3600 / 1e6:.2f} million shots an hour")
    return int(report.bad)


if __name__ == "__main__":
    sys.exit(main())
