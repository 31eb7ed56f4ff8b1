"""The models give the same bits compiled and as plain Python (DESIGN.md section 3.10)."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from numba import config

from simcore.kernel.ball_ball import closing_speed, resolve_ball_ball
from simcore.kernel.cue import strike
from simcore.kernel.cushion import nose_distance, resolve_cushion
from simcore.kernel.elementary import exp, log, normal_quantile, sin_cos
from simcore.kernel.types import BallMotion, PairContact
from simcore.physics import Physics

ROOT = Path(__file__).parents[3]
R, M = 0.02625, 0.1406


def model_bits() -> list[str]:
    """Results of every model for 60 random inputs, as hexadecimal floats, one input a line."""
    rng = np.random.default_rng(11)
    physics = Physics.snooker()
    lines = []
    for _ in range(60):
        v, w = rng.normal(0.0, 2.0, (2, 2)).tolist(), rng.normal(0.0, 80.0, (2, 3)).tolist()
        b1, b2 = BallMotion(*v[0], *w[0]), BallMotion(*v[1], *w[1])
        nx, ny = sin_cos(rng.uniform(-7.0, 7.0))
        contact = PairContact(nx, ny, R, rng.choice([R, 0.03]).item(), M, M)
        a1, a2 = resolve_ball_ball(b1, b2, contact, abs(closing_speed(b1, b2, contact)), physics)
        after = resolve_cushion(b1, nx, ny, R, physics)
        motion, _ = strike(abs(v[0][0]), v[0][1], 0.1, 0.2 * nx, 0.3 * ny, R, M, physics)
        p = rng.uniform().__float__()
        scalars = (nx, ny, exp(-abs(w[0][0])), log(p), normal_quantile(p), nose_distance(R, 0.03 + 0.02 * p))
        lines.append(" ".join(float(x).hex() for x in (*a1, *a2, *after, *motion, *scalars)))
    return lines


def bits_the_other_way() -> list[str]:
    """The same from a new process: plain Python if this one compiles, compiled if it does not."""
    other = "0" if config.DISABLE_JIT else "1"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": other, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(Path(__file__))]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def test_models_give_the_same_bits_without_compilation() -> None:
    """Source: DESIGN.md section 3.10: JIT off gives bitwise equal results."""
    here = model_bits()
    assert len(here) == 60
    assert bits_the_other_way() == here


if __name__ == "__main__":
    sys.stdout.write("\n".join(model_bits()))
