"""What happens next: order at equal times, and which balls are due."""

import math

import pytest

from simcore.kernel.batch import make_workspace
from simcore.kernel.schedule import CONTACT_RANK, FALL_RANK, NO_RANK, TRANSITION_RANK, next_event
from simcore.kernel.tolerances import T_SAME
from simcore.kernel.types import DUE_BALL, DUE_COUNT, INSTANT, JAW, OWN_KIND, OWN_T, POCKET, ROW_T, TRANSITION


def workspace(*events):
    """A workspace with the time of each ball's own event, its kind, and the time of its next contact."""
    w = make_workspace(len(events))
    w.clock[INSTANT] = -math.inf
    for i, (own, kind, row) in enumerate(events):
        w.ball[OWN_T, i], w.mark[OWN_KIND, i], w.ball[ROW_T, i] = own, kind, row
    return w


def due(w):
    return w.mark[DUE_BALL, : w.tally[DUE_COUNT]].tolist()


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_the_least_time_of_all_wherever_it_stands(n):
    for who in range(n):
        for own, row in ((1.0, math.inf), (2.0, 1.0)):
            events = [(3.0, TRANSITION, 4.0)] * n
            events[who] = (own, TRANSITION, row)
            rank = TRANSITION_RANK if own == 1.0 else CONTACT_RANK
            assert next_event(workspace(*events)) == (1.0, rank, who)


def test_nothing_more_happens():
    w = workspace((math.inf, TRANSITION, math.inf), (math.inf, TRANSITION, math.inf))
    assert next_event(w) == (math.inf, NO_RANK, -1)
    assert due(w) == []


def test_at_equal_times_transitions_come_first_and_falls_last():
    """Of one ball or of several, whatever their order."""
    roll, jaw, fall = (1.0, TRANSITION, 9.0), (1.0, JAW, 9.0), (1.0, POCKET, 9.0)
    assert next_event(workspace((1.0, TRANSITION, 1.0), (9.0, TRANSITION, 1.0))) == (1.0, TRANSITION_RANK, 0)
    assert next_event(workspace((1.0, POCKET, 1.0), (9.0, TRANSITION, 1.0))) == (1.0, CONTACT_RANK, 0)
    assert next_event(workspace(fall, jaw, roll)) == (1.0, TRANSITION_RANK, 2)
    assert next_event(workspace(roll, jaw, fall)) == (1.0, TRANSITION_RANK, 0)
    assert next_event(workspace(fall, jaw)) == (1.0, CONTACT_RANK, 1)
    assert next_event(workspace(fall, fall)) == (1.0, FALL_RANK, 0)


def test_due_is_what_may_belong_to_the_instant():
    """Up to T_SAME after its earliest event, or after the start of the instant that is being resolved."""
    late = 1.0 + 0.9 * T_SAME
    events = [(late, JAW, 9.0), (9.0, JAW, 1.0), (1.0 + 2.0 * T_SAME, JAW, 9.0), (9.0, JAW, late)]
    w = workspace(*events)
    assert next_event(w) == (1.0, CONTACT_RANK, 1)
    assert due(w) == [0, 1, 3]
    w.clock[INSTANT] = 1.0 + 1.5 * T_SAME
    next_event(w)
    assert due(w) == [0, 1, 2, 3]
