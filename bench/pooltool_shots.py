"""Play shots in pooltool: JSON on stdin, JSON on stdout. Run by bench.against_pooltool, in an environment of its own.

Imports pooltool and nothing of this project. Written for pooltool 0.6.
Input: {"table", "pockets", "ball", "ball_model", "friction", "spacer", "n_events", "shots"}; see
`against_pooltool.question`.
Output: {"version", "shots"}: for each shot "events", its first ones, {"kind", "balls", "t", "positions"}, and "error",
what pooltool raised after them, else "".
"""

import json
import sys
from importlib.metadata import version

import pooltool as pt
from pooltool import constants
from pooltool.events import EventType
from pooltool.objects import BilliardTableSpecs, CueSpecs, SnookerTableSpecs, Table
from pooltool.physics import PhysicsEngine
from pooltool.physics.resolve.ball_ball.friction import AlciatoreBallBallFriction
from pooltool.physics.resolve.ball_ball.frictional_inelastic import FrictionalInelastic
from pooltool.physics.resolve.ball_ball.frictionless_elastic import FrictionlessElastic
from pooltool.physics.resolve.ball_cushion.unrealistic import UnrealisticCircular, UnrealisticLinear
from pooltool.physics.resolve.resolver import default_resolver

KINDS = {
    EventType.BALL_BALL: "ball",
    EventType.BALL_LINEAR_CUSHION: "cushion",
    EventType.SLIDING_ROLLING: "transition",
    EventType.ROLLING_SPINNING: "transition",
    EventType.ROLLING_STATIONARY: "transition",
}
MOST_EVENTS = 8  # for each one asked for: others, such as spins that die away, come between them


def engine(given):
    """The physics asked for."""
    resolver = default_resolver()
    if given["ball_model"] == "frictional":
        resolver.ball_ball = FrictionalInelastic(AlciatoreBallBallFriction(*given["friction"]))
    else:
        resolver.ball_ball = FrictionlessElastic()
    resolver.ball_linear_cushion = UnrealisticLinear(restitution=True)
    resolver.ball_circular_cushion = UnrealisticCircular(restitution=True)
    resolver.stick_ball.squirt_throttle = 0.0
    return PhysicsEngine(resolver)


def system(given, shot):
    """Table, balls and cue of one shot; cushions have numbers for names, so balls get others."""
    names = [f"ball {i}" for i in range(len(shot["positions"]))]
    balls = {
        name: pt.Ball.create(name, xy=place, **given["ball"])
        for name, place in zip(names, shot["positions"], strict=True)
    }
    cue = pt.Cue(
        specs=CueSpecs(M=given["cue_mass"]),
        cue_ball_id="ball 0",
        **{name: shot[name] for name in ("V0", "phi", "theta", "a", "b")},
    )
    specs = (SnookerTableSpecs if given["pockets"] else BilliardTableSpecs)(**given["table"])
    return pt.System(cue=cue, table=Table.from_table_specs(specs), balls=balls)


def number(name):
    """Index of a ball from its name."""
    return int(name.split()[1])


def places(played, k):
    """Positions of all balls at event `k`, before the event is resolved, m."""
    xy = {ball.id: ball.history[k].rvw[0][:2] for ball in played.balls.values()}
    for agent in played.events[k].agents:
        if agent.id in xy:
            xy[agent.id] = agent.initial.state.rvw[0][:2]
    return [[float(x) for x in xy[name]] for name in sorted(xy, key=number)]


def first_events(played, n_events):
    """The first events of a played shot that have a counterpart."""
    found = []
    for k, event in enumerate(played.events):
        if event.event_type in KINDS and len(found) < n_events:
            balls = sorted(number(agent.id) for agent in event.agents if agent.id in played.balls)
            found.append(
                {
                    "kind": KINDS[event.event_type],
                    "balls": balls,
                    "t": float(event.time),
                    "positions": places(played, k),
                }
            )
    return found


def play(shot, model, n_events):
    """The first events of a system, and the error that ended it, if one did."""
    error = ""
    try:
        pt.simulate(shot, engine=model, inplace=True, max_events=MOST_EVENTS * n_events)
    except (ValueError, ArithmeticError, AssertionError) as raised:
        error = f"{type(raised).__name__}: {raised}"
    return {"events": first_events(shot, n_events), "error": error}


def main():
    """Read the question, play, write the answer."""
    answer, sys.stdout = sys.stdout, sys.stderr  # whatever pooltool prints is no part of the answer
    given = json.load(sys.stdin)
    if given["spacer"] is not None:
        constants.MIN_DIST = given["spacer"]
    model = engine(given)
    shots = [play(system(given, shot), model, given["n_events"]) for shot in given["shots"]]
    json.dump({"version": version("pooltool-billiards"), "shots": shots}, answer)


if __name__ == "__main__":
    main()
