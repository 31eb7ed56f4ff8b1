"""Playing: simulate a stroke, collect its facts, and let the referee rule.

Not modelled: what only an observer can tell (feet, double hits, pushes of balls that were not touching).
"""

from typing import TYPE_CHECKING

import numpy as np

from rules.ball_on import balls_on_of
from rules.bed import physics_for
from rules.checks import check_strokes
from rules.frame import Frame, check_frame
from rules.miss import miss_targets
from rules.ruling import Decision, Ruling, referee
from rules.state import Facts, Floats
from rules.stroke_facts import facts_from_results, nearest_gap
from rules.strokes import Strokes

if TYPE_CHECKING:
    from simcore import Physics


def play(frame: Frame, stroke: Strokes, *, physics: "Physics | None" = None) -> tuple[Frame, Ruling]:
    """Play one stroke: physics, then the referee.

    stroke: a single stroke, such as strokes[0]. physics: default `Physics.snooker()`; balls are the frame's.
    Returns the next frame and the ruling. Raises ValueError when the frame is over, a decision is pending, the
    nomination is out of place, or the cue ball is placed outside the D, on another ball or when it is not in hand;
    ValueError too for a physics with another nose height; SimulationError if the shot does not finish.
    """
    facts, positions = simulated(frame, stroke, physics)
    return referee(frame, facts, Decision(stroke.nomination), positions)


def simulated(frame: Frame, stroke: Strokes, physics: "Physics | None" = None) -> tuple[Facts, Floats]:
    """Facts of one stroke and where the balls came to rest, (22, 2), m; arguments and errors as of `play`."""
    from simcore import simulate

    check_frame(frame)
    if not isinstance(stroke, Strokes):
        raise TypeError(f"stroke is {type(stroke).__name__}: expected rules.Strokes, such as rules.Strokes(shots)[0]")
    if stroke.shape != ():
        raise ValueError(f"play takes a single stroke, got strokes of shape {stroke.shape}: use strokes[i]")
    check_strokes(frame, stroke)
    judged = frame.ruleset.miss_level > 0
    results = simulate(
        frame.placed(stroke), stroke.shots, table=frame.table, physics=physics_for(frame, physics), log_events=judged
    ).check()
    facts = facts_from_results(results, placed=stroke.placement)
    if judged:
        aim = balls_on_of(frame.ruleset, frame.state, int(stroke.nominated))
        targets = miss_targets(frame.ruleset, frame.state, aim)
        if not targets & (facts.first_contacts | facts.touching):  # the gap is looked at now and then, a hit is known
            facts = facts._replace(nearest_gap=nearest_gap(results, targets, frame.ruleset.ball_radius))
    return facts, np.asarray(results.positions)
