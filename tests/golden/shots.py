"""Varied shots as lines of text, with checksums of what they give: another processor that differs is noticed.

python -m tests.golden.shots        # writes shots.txt anew, after a change that is meant to change bits
"""

import hashlib
import math
import platform
from dataclasses import fields
from pathlib import Path

import llvmlite
import numba
import numpy as np

import simcore
from simcore.files import write_atomically
from simcore.replay import play_text, shot_text
from tests.simcore.shots_for_tests import COLOURS, R, break_motion, rack, scattered

FILE = Path(__file__).with_name("shots.txt")
SEED = 40


def digest(results):
    """SHA-256 of every bit of the results, one kind of nan for all, as 16 hexadecimal digits."""
    total = hashlib.sha256()
    for field in fields(results):
        array = getattr(results, field.name)
        if isinstance(array, np.ndarray):
            if array.dtype == np.float64:
                array = np.where(np.isnan(array), np.nan, array)
            total.update(f"{field.name} {array.dtype} {array.shape} ".encode() + array.tobytes())
    return total.hexdigest()[:16]


def processor():
    """Name of this machine's processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return f"{platform.machine()}, {line.split(':')[1].strip()}"
    return f"{platform.machine()}, {platform.processor() or 'unknown'}"


def here():
    """Processor and compiler that decide the bits."""
    return f"{processor()}; numba {numba.__version__}, llvmlite {llvmlite.__version__}, numpy {np.__version__}"


def aimed(ball, target, **shot):
    """A strike from one place towards another."""
    return simcore.Shots(phi=math.atan2(target[1] - ball[1], target[0] - ball[0]), **shot)


def breaks(rng):
    for gap in (1e-3, 1e-5, 1e-9, 1e-12):
        layout = rack(gap)
        v, w = break_motion(rng, layout, 2)
        for k in range(2):
            yield "break", shot_text(layout, motion=simcore.Motion(v[k], w[k]))
    layout = rack(5e-5)
    yield "break, thin with side", shot_text(layout, aimed(layout[0], layout[-1] + (0.045, 0), V0=4.5, a=0.4, b=0.1))


def jaws(rng):
    """Balls at pocket jaws, a little off the middle of the mouth."""
    for pocket, mouth in enumerate(
        [(0.0, 0.0), (1.778, 0.0), (0.0, 3.569), (1.778, 3.569), (0.0, 1.7845), (1.778, 1.7845)]
    ):
        start = np.array([0.889, 1.2])
        shot = aimed(start, np.array(mouth) + rng.uniform(-0.05, 0.05, 2), V0=rng.uniform(1.0, 5.0))
        table = simcore.Table.snooker(("pro", "club", "tight")[pocket % 3])
        yield "jaws", shot_text([start], shot, table=table)


def pots(rng):
    """The black from its spot into a corner, with screw, stun, roll and side."""
    for b, a in ((-0.45, 0.0), (0.0, 0.0), (0.35, 0.0), (0.2, 0.3), (0.0, -0.35)):
        black, pocket = np.array(COLOURS[5]), np.array([1.778 - 0.005, 3.569 - 0.005])
        way = (pocket - black) / np.linalg.norm(pocket - black)
        ghost = black - 2.0 * R * way
        cue = ghost + rng.uniform(0.3, 0.9) * np.array([-0.5, -0.7])
        yield "pot", shot_text([cue, *COLOURS], aimed(cue, ghost, V0=rng.uniform(1.5, 4.0), a=a, b=b))


def strikes(rng):
    """Into scattered balls: kicks off cushions, side, elevation, all in one."""
    for k in range(14):
        balls = scattered(rng, int(rng.integers(2, 16)))
        balls[rng.random(len(balls)) < 0.1] = np.nan
        balls[0] = (0.889 + 0.01 * k, 0.4) if np.isnan(balls[0, 0]) else balls[0]
        balls[1:][np.linalg.norm(balls[1:] - balls[0], axis=1) < 2.0 * R + 1e-6] = np.nan
        angle, off = rng.uniform(0, 2 * np.pi), 0.5 * math.sqrt(rng.uniform())
        shot = simcore.Shots(
            rng.uniform(0.5, 8.0), rng.uniform(-np.pi, np.pi), rng.uniform(0, 1.0) * (k % 2), off * math.cos(angle),
            off * math.sin(angle),
        )  # fmt: skip
        yield "strike", shot_text(balls, shot)


def others():
    """Other models, tables, sizes and endings."""
    two = [[0.889, 0.9], [0.889, 1.9]]
    shot = simcore.Shots(3.0, math.pi / 2, a=0.2, b=-0.3)
    frictionless = simcore.Physics.snooker(ball_model="frictionless", cushion_model="mirror", e_ball=1.0)
    yield "simple models", shot_text(two, shot, physics=frictionless)
    yield "square corner", shot_text(two[:1], simcore.Shots(3.0, math.pi / 4), table=simcore.Table.closed(1.778, 1.789))
    yield "unequal balls", shot_text(two, shot, radius=[0.0275, 0.025], mass=[0.18, 0.12])
    yield "first contact", shot_text(two, shot, stop="first_contact")
    yield "miscue", shot_text(two, simcore.Shots(3.0, 1.0, a=0.6))
    yield "event cap", shot_text(two, shot, max_events=4)
    line = [[0.3, 1.0], *[[0.7 + 2 * R * k, 1.0] for k in range(4)]]
    yield "frozen line", shot_text(line, simcore.Shots(2.0, 0.0, b=0.3))


def lines():
    """Kind and text of every shot."""
    rng = np.random.default_rng(SEED)
    return [*breaks(rng), *jaws(rng), *pots(rng), *strikes(rng), *others()]


def read():
    """Where the checksums come from, and (kind, checksum, text) of every shot."""
    rows = FILE.read_text(encoding="utf-8").splitlines()
    written = rows[0].removeprefix("# written on ")
    return written, [tuple(row.split("\t")) for row in rows[1:]]


def main():
    rows = [f"# written on {here()}"]
    rows += [f"{kind}\t{digest(play_text(text))}\t{text}" for kind, text in lines()]
    write_atomically(FILE, lambda path: path.write_text("\n".join(rows) + "\n", encoding="utf-8"))


if __name__ == "__main__":
    main()
