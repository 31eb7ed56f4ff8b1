"""Variants of snooker: the cases V01 to V09 of the specification that are playable, and more from the same texts."""

import numpy as np
import pytest

import rules
import simcore
from rules.ruleset import GAME_NAMES
from rules.state import RESTORE
from tests.rules.test_cases import CASES

REDS = [(0.3 + 0.2 * i, 2.9) for i in range(6)]
SPOTS = rules.Frame.start().table.spots
SHOT = simcore.Shots(V0=1.0, phi=1.0)
CLEARED = ("yellow", "green", "brown", "blue", "pink", "black")


def frame_of(game, phase="red", scores="0:0", cue="0.3,1.2", reds=REDS, colours=CLEARED, words=(), edition="current"):
    """A frame of a game with the cue ball at a place, "hand" or "anywhere"."""
    places = {"cue": cue, **{name: "{},{}".format(*SPOTS[name]) for name in colours}}
    places |= {f"red{i + 1}": f"{x},{y}" for i, (x, y) in enumerate(reds)}
    balls = " ".join(f"{name}={place}" for name, place in places.items())
    return rules.Frame.from_text(" ".join([f"{game}/{edition}", phase, scores, *words, balls]))


def resting(frame, **places):
    """Where the balls came to rest: as they lay, but for those told."""
    positions = np.array(frame.positions)
    for name, place in places.items():
        positions[("cue", *CLEARED).index(name)] = place
    return positions


def play(frame, nominated=None, positions=None, **facts):
    return rules.referee(frame, rules.facts(frame, **facts), rules.Decision(nominated), positions)


# --- six-red ---------------------------------------------------------------------------------------------------------

BEHIND_BLACK = {"cue": (0.889, 3.5), "black": (0.889, 3.44)}  # everything else is hidden by the black


def snookered_by_black(frame):
    """Reds in one line with the black and the cue ball, so that the black hides them all."""
    return resting(frame, **BEHIND_BLACK)


CENTRAL = [(0.889, 2.9), (0.889, 2.96), (0.889, 3.02), (0.889, 2.84)]


@pytest.mark.parametrize("edition", ["current", "1995"])
def test_v01_the_nominated_colour_must_not_snooker(edition):
    frame = frame_of("six-red", "colour", reds=CENTRAL, edition=edition)
    after, ruling = play(frame, "black", snookered_by_black(frame), first="black")
    expected = CASES["V01"]["expect"]
    assert (ruling.points, ruling.penalty, ruling.next_player) == (expected["pts"], expected["pen"], 1)
    assert ruling.foul.name == "snookered_behind_nominated"
    assert ruling.free_ball
    assert not ruling.miss
    assert (after.ball_on, ruling.frame_over, after.cue_in_hand) == ("red", False, False)


def test_behind_the_nominated_colour_is_no_foul_in_snooker():
    frame = frame_of("snooker", "colour", reds=CENTRAL)
    _, ruling = play(frame, "black", snookered_by_black(frame), first="black")
    assert ruling.foul is None


def test_behind_a_colour_that_was_not_nominated_is_no_foul():
    frame = frame_of("six-red", "colour", reds=CENTRAL)
    positions = resting(frame, **BEHIND_BLACK)
    _, ruling = play(frame, "blue", positions, first="blue")
    assert ruling.foul is None


def test_a_nominated_colour_that_fell_snookers_nobody():
    frame = frame_of("six-red", "colour", reds=CENTRAL)
    after, ruling = play(frame, "black", resting(frame, cue=(0.889, 3.5)), first="black", potted="black")
    assert (ruling.points, after.striker, after.ball_on) == (7, 0, "red")


def test_behind_the_free_balls_nominee_is_a_foul_of_the_usual_clause():
    frame = frame_of("six-red", reds=CENTRAL, words=("free_ball=offered",))
    _, ruling = play(frame, "black", snookered_by_black(frame), first="black")
    assert (ruling.foul.name, ruling.penalty) == ("snookered_behind_free_ball", 4)


def five_misses(edition="current", scores="20:0", game="six-red"):
    """One red behind the black, seen neither full nor in part: every miss is judged."""
    reds = [(0.889, 3.305)]
    frame = frame_of(game, cue="0.889,2.9", reds=reds, scores=scores, edition=edition)
    rulings = []
    for i in range(5):
        frame, ruling = play(frame, observed="miss_judged")
        rulings.append(ruling)
        if i < 4 and "restore" in frame.options:
            frame = rules.decide(frame, "restore")
    return frame, rulings


@pytest.mark.parametrize("edition", ["current", "1995"])
def test_v02_the_fifth_miss_gives_the_whole_table(edition):
    frame, rulings = five_misses(edition)
    assert [ruling.penalty for ruling in rulings] == [4] * 5
    assert all(ruling.miss for ruling in rulings)
    assert [ruling.last_miss_next for ruling in rulings] == [False, False, False, True, False]
    assert "restore" not in frame.options
    assert {"play", "play_again", "anywhere"} <= set(frame.options)
    assert (frame.ball_on, frame.striker, frame.cue_in_hand) == ("red", 1, False)


def test_the_warning_is_said():
    _frame, rulings = five_misses()
    assert "after another miss the balls are not put back" in str(rulings[3])
    assert "after another miss" not in str(rulings[4])


def test_misses_without_limit_in_snooker():
    frame, rulings = five_misses(game="snooker")
    assert "restore" in frame.options
    assert "anywhere" not in frame.options
    assert not any(ruling.last_miss_next for ruling in rulings)


def test_the_whole_table_is_not_given_when_snookers_are_required():
    frame, rulings = five_misses("1995", scores="90:0")
    assert rulings[-1].miss  # by the old text no score excuses one
    assert "anywhere" not in frame.options


def test_the_cue_ball_is_placed_anywhere():
    frame = rules.decide(five_misses()[0], "anywhere")
    assert (frame.cue_in_hand, frame.state.cue_in_hand, frame.state.misses) == (True, 2, 0)
    assert frame.striker == 1
    assert "cue=anywhere" in frame.text
    _after, ruling = play(frame, placed=(1.5, 3.0), first="red", potted="red", positions=None)
    assert (ruling.points, ruling.fouls) == (1, ())
    assert rules.Frame.from_text(frame.text) == frame


def test_a_ball_placed_anywhere_must_lie_on_the_bed_and_clear_of_others():
    frame = rules.decide(five_misses()[0], "anywhere")
    shot = rules.Strokes(SHOT, cue_ball=(1.5, 3.0))
    assert rules.play(frame, shot)[1] is not None
    with pytest.raises(ValueError, match="off the bed"):
        rules.play(frame, rules.Strokes(SHOT, cue_ball=(1.777, 3.0)))
    with pytest.raises(ValueError, match="overlap"):
        rules.play(frame, rules.Strokes(SHOT, cue_ball=SPOTS["blue"]))


def test_whoever_is_asked_to_play_again_after_the_fifth_miss_begins_a_new_count():
    frame = rules.decide(five_misses()[0], "play_again")
    assert (frame.striker, frame.state.misses) == (0, 0)
    after, ruling = play(frame, observed="miss_judged")
    assert after.state.options & RESTORE
    assert not ruling.last_miss_next


def test_three_misses_with_a_full_ball_on_offer_still_lose_the_frame():
    frame = frame_of("six-red")
    for _ in range(2):
        frame = rules.decide(play(frame, first="blue")[0], "restore")
    _after, ruling = play(frame, first="blue")
    assert (ruling.frame_over, ruling.winner) == (True, 1)


def test_amateur_six_red_knows_no_miss_but_a_free_table_after_every_foul():
    frame = frame_of("six-red-amateur")
    after, ruling = play(frame, first="blue")
    assert (ruling.miss, ruling.penalty) == (False, 5)
    assert after.options == ("play", "play_again", "anywhere")
    assert rules.decide(after, "anywhere").state.cue_in_hand == 2


def test_amateur_six_red_gives_no_free_ball():
    frame = frame_of("six-red-amateur", reds=CENTRAL)
    after, ruling = play(frame, None, snookered_by_black(frame), first="black")
    assert not ruling.free_ball
    assert after.options == ("play", "play_again", "anywhere")
    assert not after.state.free_ball


def test_amateur_six_red_forbids_the_snooker_behind_a_nominated_colour():
    frame = frame_of("six-red-amateur", "colour", reds=CENTRAL)
    after, ruling = play(frame, "black", snookered_by_black(frame), first="black")
    assert ruling.foul.name == "snookered_behind_nominated"
    assert "anywhere" in after.options


def test_amateur_six_red_has_no_free_table_when_snookers_are_required():
    after, _ = play(frame_of("six-red-amateur", scores="90:0"), first="blue")
    assert after.options == ("play", "play_again")


MAXIMUM = {"snooker": 147, "six-red": 75, "six-red-amateur": 75}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_maximum_break(game):
    """Red and the best colour as long as there are reds, then the colours in order: played through."""
    frame = rules.Frame.start(game)
    assert rules.points_available(frame) == MAXIMUM[game]
    placed = {"placed": (0.889, 0.6)}
    while not frame.is_over:
        on = frame.ball_on
        ball = "black" if on == "colour" else on
        nominated = ball if on == "colour" else None
        frame, ruling = play(frame, nominated, first=ball, potted=ball, **placed)
        assert ruling.fouls == ()
        placed = {}
    assert frame.scores == (MAXIMUM[game], 0)


def test_a_game_that_is_not_playable_cannot_be_started():
    with pytest.raises(ValueError, match="'novuss' is not known; expected one of snooker, six-red"):
        rules.Frame.start("novuss")
