"""Matches scored by hand: with positions not known, what they would decide is told (spec 2 to 7)."""

import numpy as np
import pytest

import rules
import simcore

START = rules.Frame.start(positions_known=0)


def told(frame, *observed, first=(), nominated=None, **sets):
    facts = rules.facts(frame, first=first, observed=observed, **sets)
    return rules.referee(frame, facts, rules.Decision(nominated))


def names(ruling):
    return [foul.name for foul in ruling.fouls]


def test_no_placement_is_asked_for():
    after, ruling = told(START, first="red", potted="red")
    assert ruling.points == 1
    assert not after.cue_in_hand
    assert rules.Frame.from_text(after.text) == after
    after, ruling = told(after, first="black", potted=("black", "cue"))
    assert after.cue_in_hand
    after, _ = told(rules.decide(after, "play"), first="red")
    assert not after.cue_in_hand
    with pytest.raises(ValueError, match="in hand: tell where"):
        told(rules.Frame.start(), first="red", potted="red")


@pytest.mark.parametrize("observed", [(), ("next_snookered",)])
def test_a_free_ball_is_what_the_referee_says(observed):
    for in_off in ((), "cue"):
        after, ruling = told(START, *observed, first="blue", potted=in_off)
        assert ruling.penalty == 5
        assert ruling.free_ball == bool(observed)
        assert ("free_ball" in after.options) == bool(observed)


def test_what_is_told_wins_over_the_positions():
    frame = rules.Frame.named("mid_frame")
    assert not told(frame)[1].free_ball
    assert told(frame, "next_snookered")[1].free_ball


@pytest.mark.parametrize(
    ("observed", "miss", "full"),
    [((), False, 0), (("miss_judged",), True, 0), (("full_ball_on",), True, 1)],
)
def test_a_miss_is_what_the_referee_says(observed, miss, full):
    after, ruling = told(START, *observed)
    assert (ruling.miss, after.state.full_ball, "restore" in after.options) == (miss, full, miss)


def test_three_misses_told_lose_the_frame():
    frame = START
    for _ in range(2):
        frame, ruling = told(frame, "full_ball_on")
        frame = rules.decide(frame, "restore")
    assert ruling.warned
    assert told(frame, "miss_judged")[1].winner == 1
    assert not told(frame)[1].frame_over


@pytest.mark.parametrize("observed", [(), ("behind_free_ball",)])
def test_snookering_behind_the_free_ball_is_told(observed):
    offered, _ = told(START, "next_snookered")
    free = rules.decide(offered, "free_ball")
    after, ruling = told(free, *observed, first="blue", nominated="blue")
    assert names(ruling) == (["snookered_behind_free_ball"] if observed else [])
    assert bool(after.state.free_ball) == bool(observed)
    fair, _ = told(free, *observed, first="blue", potted="blue", nominated="blue")
    assert fair.scores == (0, 5)


@pytest.mark.parametrize("observed", [(), ("hampered",)])
def test_that_he_was_hampered_is_told(observed):
    after, ruling = told(START, "no_stroke", *observed, touched="cue")
    assert ruling.penalty == 4
    assert ("restore" in after.options) == bool(observed), "WPBSA 3.11(i)"


@pytest.mark.parametrize("observed", [(), ("angled",)])
def test_angled_is_told(observed):
    after, _ = told(rules.Frame.start(edition="1995", positions_known=0), *observed, first="blue")
    assert ("in_hand" in after.options) == bool(observed)


def test_nothing_is_simulated():
    with pytest.raises(ValueError, match="positions_known"):
        rules.play(START, rules.Strokes(simcore.Shots(V0=2.0, phi=1.5), cue_ball=(0.8, 0.6)))
    assert np.isnan(START.positions[0, 0])
