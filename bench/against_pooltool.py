"""The first events of random shots, here and in pooltool, a simulator written independently, with matched models.

    python3 -m venv PEER && PEER/bin/pip install pooltool-billiards
    python -m bench.against_pooltool --python PEER/bin/python --shots 200 --seed 1

pooltool needs an environment of its own; `bench/pooltool_shots.py` runs there and answers in JSON. Written for pooltool
0.6.0. Where the build of panda3d that it asks for is not to be had, pip installs an old version without the ball model
compared here; `pip install --no-deps pooltool-billiards==0.6.0` beside any panda3d 1.10 does, for nothing is drawn.

Matched: radius, mass, frictions and gravity; ball on ball, frictional with the same law of friction or frictionless;
a cushion that is a mirror with a constant restitution, its nose at the height of the centre, for pooltool has cushions
touch at the distance R; a strike with an elastic tip and no squirt; a table without pockets. Restitution of balls is 1
unless asked: by mass, pooltool 0.6.0 limits friction to mu e v, v the closing speed, where the normal impulse is
(1 + e) v / 2 (with our mu times 2 e / (1 + e) both agree again); its frictionless model has no other e than 1.
What stays different: pooltool moves colliding bodies along their motion until a spacer of 1 micrometre is open. So
events up to and including the first contact agree to rounding, later ones to a few micrometres, which thin and slow
contacts magnify; `--spacer 1e-9` shows that the differences shrink with it. Where it finds no such motion pooltool
raises ValueError: about one shot in 300 ends there.

The report says how many events agree in kind and balls, the largest differences of time and of all balls' positions by
the number of contacts before, and each shot that goes another way. Exit status 1 if a first contact or anything before
it differs.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import simcore
from simcore import EventKind

Floats = NDArray[np.float64]
Event = dict[str, Any]  # kind: ball, cushion or transition; balls: indices; t: s; positions: of all balls, m

CHILD = Path(__file__).with_name("pooltool_shots.py")
TABLE = simcore.Table.closed(1.778, 3.569)
N_BALLS = 6
EXACT_S, EXACT_M = 1e-9, 1e-9  # up to the first contact: what roots of expanded quartics are good for
TIE_S = 1e-12  # balls can go over to rolling at the same time
MATCHED = {"cushion_model": "mirror", "e_cushion_slope": 0.0, "e_tip": 1.0, "end_mass_ratio": math.inf}
KINDS = {EventKind.BALL: "ball", EventKind.NOSE: "cushion", EventKind.TRANSITION: "transition"}


def matched_physics(ball_model: str, e_ball: float) -> simcore.Physics:
    """Our coefficients with the models that pooltool has too."""
    radius = simcore.Physics().R
    return simcore.Physics.snooker(ball_model=ball_model, e_ball=e_ball, nose_height=radius, **MATCHED)


def random_shots(rng: np.random.Generator, n: int) -> tuple[Floats, simcore.Shots]:
    """Layouts (n, N_BALLS, 2) without touching balls, and a strike for each that aims at or near ball 1."""
    radius, layouts = simcore.Physics().R, np.empty((n, N_BALLS, 2))
    for layout in layouts:
        apart = np.zeros(1)
        while apart.min() < 2.0 * radius + 1e-3:
            layout[:] = rng.uniform((0.1, 0.1), (TABLE.width - 0.1, TABLE.length - 0.1), (N_BALLS, 2))
            apart = np.linalg.norm(layout[:, None] - layout, axis=-1) + np.eye(N_BALLS)
    to = layouts[:, 1] - layouts[:, 0]
    aside = np.arcsin(rng.uniform(-1.1, 1.1, n) * 2.0 * radius / np.maximum(np.hypot(*to.T), 0.06))
    theta = np.where(rng.random(n) < 0.5, 0.0, rng.uniform(0.0, 0.3, n))
    off, around = 0.45 * np.sqrt(rng.random(n)), rng.uniform(0.0, 2.0 * np.pi, n)
    phi = np.arctan2(to[:, 1], to[:, 0]) + aside
    return layouts, simcore.Shots(rng.uniform(0.5, 4.0, n), phi, theta, off * np.cos(around), off * np.sin(around))


def cue_arguments(shots: simcore.Shots) -> dict[str, Floats]:
    """Strikes as pooltool's cue has them: degrees, and a > 0 left of centre."""
    return {
        "V0": shots.V0,
        "phi": np.degrees(shots.phi),
        "theta": np.degrees(shots.theta),
        "a": -shots.a,
        "b": shots.b,
    }


def ball_arguments(physics: simcore.Physics) -> dict[str, float]:
    """Coefficients as pooltool's balls have them; its spin slows by 5/2 u_sp g / R, u_sp = R u_sp_proportionality."""
    return {
        "m": physics.m,
        "R": physics.R,
        "g": physics.g,
        "u_s": physics.mu_slide,
        "u_r": physics.mu_roll,
        "u_sp_proportionality": physics.alpha_spin / (2.5 * physics.g),
        "e_b": physics.e_ball,
        "e_c": physics.e_cushion,
    }


def question(
    layouts: Floats, shots: simcore.Shots, physics: simcore.Physics, n_events: int, spacer: float | None
) -> dict[str, Any]:
    """What pooltool_shots.py is to play."""
    cue = cue_arguments(shots)
    return {
        "table": {"w": TABLE.width, "l": TABLE.length, "cushion_height": physics.nose_height},
        "pockets": False,
        "ball": ball_arguments(physics),
        "ball_model": simcore.physics.BALL_MODELS[physics.ball_model],
        "friction": [physics.mu_ball_floor, physics.mu_ball_range, physics.mu_ball_decay],
        "cue_mass": physics.cue_mass,
        "spacer": spacer,
        "n_events": n_events,
        "shots": [
            {"positions": layout.tolist(), **{name: float(values[i]) for name, values in cue.items()}}
            for i, layout in enumerate(layouts)
        ],
    }


def ask(python: str, given: dict[str, Any]) -> dict[str, Any]:
    """The answer of pooltool_shots.py, run by another Python; in a home of its own, for pooltool writes into it."""
    with tempfile.TemporaryDirectory() as home:
        run = subprocess.run(
            [python, str(CHILD)],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            env={**os.environ, "HOME": home, "PYTHONPATH": ""},
            check=False,
        )
    if run.returncode != 0:
        raise RuntimeError(f"{python} {CHILD.name} ended with {run.returncode}:\n{run.stderr[-2000:]}")
    return dict(json.loads(run.stdout))


def own_events(results: simcore.ShotResults, i: int, n_events: int) -> list[Event]:
    """Our first events of shot `i`, in the form of the answer."""
    log = results.events.of(i)
    events = []
    for kind, ball, other, t in list(zip(log.kind, log.ball, log.other, log.t, strict=True))[:n_events]:
        balls = sorted((int(ball), int(other))) if kind == EventKind.BALL else [int(ball)]
        places = results.trajectory(i, [t])[0].tolist()
        events.append({"kind": KINDS[EventKind(int(kind))], "balls": balls, "t": float(t), "positions": places})
    return events


class Compared(NamedTuple):
    """Two events of the same kind and balls."""

    contacts: int  # before them
    dt: float  # s
    dr: float  # greatest difference of a position, m


def name(event: Event) -> str:
    """An event in words."""
    return f"{event['kind']} {'-'.join(map(str, event['balls']))}"


def ties_by_name(events: list[Event]) -> list[Event]:
    """The events with those in order of their names that come at one time but for rounding."""
    groups: list[list[Event]] = []
    for event in events:
        if groups and event["t"] - groups[-1][-1]["t"] <= TIE_S:
            groups[-1].append(event)
        else:
            groups.append([event])
    return [event for group in groups for event in sorted(group, key=name)]


def compare(own: list[Event], other: list[Event]) -> tuple[list[Compared], str]:
    """The leading events that are the same, and in words where the two go different ways ('' if they do not)."""
    same: list[Compared] = []
    contacts = 0
    for mine, theirs in zip(own, other, strict=False):
        if name(mine) != name(theirs):
            return same, parting(own[len(same) :], other[len(same) :])
        apart = np.abs(np.array(mine["positions"]) - theirs["positions"]).max()
        same.append(Compared(contacts, abs(mine["t"] - theirs["t"]), float(apart)))
        contacts += mine["kind"] != "transition"
    return same, "" if len(own) == len(other) else parting(own[len(same) :], other[len(same) :])


def parting(own: list[Event], other: list[Event]) -> str:
    """In words, how two lists of events differ from their first entries on."""
    mine, theirs = ([f"{name(event)} at {event['t']:.9f} s" for event in events[:2]] for events in (own, other))
    if len(own) > 1 and len(other) > 1 and sorted(map(name, own[:2])) == sorted(map(name, other[:2])):
        return f"order: {', '.join(mine)}; pooltool {', '.join(theirs)}"
    return f"{', '.join(mine) or 'nothing'}; pooltool {', '.join(theirs) or 'nothing'}"


class Report(NamedTuple):
    """What a run found."""

    compared: list[list[Compared]]  # by shot
    partings: dict[int, tuple[int, str]]  # by shot: how many contacts came before, and how it differs

    @property
    def bad(self) -> list[int]:
        """Shots that differ by more than rounding in the first contact or before it."""
        early = {i for i, (contacts, _) in self.partings.items() if contacts == 0}
        for i, shot in enumerate(self.compared):
            if any(c.contacts == 0 and (c.dt > EXACT_S or c.dr > EXACT_M) for c in shot):
                early.add(i)
        return sorted(early)


def report(own: list[list[Event]], answers: list[dict[str, Any]]) -> Report:
    """Compare all shots: our events, and for each shot what pooltool_shots.py answered."""
    compared, partings = [], {}
    for i, (mine, answer) in enumerate(zip(own, answers, strict=True)):
        mine = ties_by_name(mine)
        same, text = compare(mine, ties_by_name(answer["events"]))
        compared.append(same)
        if text:
            ended = f"; it raised {answer['error']}" if answer["error"] else ""
            partings[i] = (sum(event["kind"] != "transition" for event in mine[: len(same)]), text + ended)
    return Report(compared, partings)


def lines(found: Report) -> list[str]:
    """The report as text."""
    n_shots, events = len(found.compared), sum(map(len, found.compared))
    first = sum(bool(shot) for shot in found.compared)
    text = [f"{n_shots} shots: first event the same in {first}, all compared events in {n_shots - len(found.partings)}"]
    text.append(f"{events} events the same; largest differences by the number of contacts before:")
    for contacts in sorted({c.contacts for shot in found.compared for c in shot}):
        rows = [c for shot in found.compared for c in shot if c.contacts == contacts]
        dt, dr = np.array([c.dt for c in rows]), np.array([c.dr for c in rows])
        text.append(
            f"  {contacts}: {len(rows):5} events, time {dt.max():.1e} s (median {np.median(dt):.0e}), "
            f"position {dr.max():.1e} m (median {np.median(dr):.0e})"
        )
    text += [f"shot {i} differs after {contacts} contacts: {how}" for i, (contacts, how) in found.partings.items()]
    return [*text, f"differ up to the first contact: {', '.join(map(str, found.bad)) or 'none'}"]


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="the Python of the environment that has pooltool")
    parser.add_argument("--shots", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--events", type=int, default=8, help="events compared in each shot")
    parser.add_argument("--ball-model", choices=simcore.physics.BALL_MODELS, default="frictional")
    parser.add_argument("--e-ball", type=float, default=1.0, help="restitution of two balls")
    parser.add_argument("--spacer", type=float, help="instead of pooltool's 1e-6 m")
    given = parser.parse_args(arguments)
    physics = matched_physics(given.ball_model, given.e_ball)
    layouts, shots = random_shots(np.random.default_rng(given.seed), given.shots)
    results = simcore.simulate(layouts, shots, table=TABLE, physics=physics, log_events=True).check()
    answer = ask(given.python, question(layouts, shots, physics, given.events, given.spacer))
    found = report([own_events(results, i, given.events) for i in range(given.shots)], answer["shots"])
    sys.stdout.write(f"pooltool {answer['version']}, {given.ball_model} balls, seed {given.seed}\n")
    sys.stdout.write("\n".join(lines(found)) + "\n")
    return int(bool(found.bad))


if __name__ == "__main__":
    sys.exit(main())
