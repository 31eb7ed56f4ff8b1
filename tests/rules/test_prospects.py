"""Points available and snookers required (spec 7)."""

import pytest

import rules
from rules.files import frame_of
from rules.prospects import deficit

SPOTS = {name: list(place) for name, place in rules.Frame.start().table.spots.items()}
COLOURS = ("yellow", "green", "brown", "blue", "pink", "black")


def frame(phase="red", *, reds=0, lowest="yellow", scores=(0, 0), free=False, **rule_changes):
    left = COLOURS[COLOURS.index(lowest) :]
    return frame_of(
        {
            "game": "snooker",
            "balls": {
                "cue": [0.42, 2.2],
                **{name: SPOTS[name] if name in left else None for name in COLOURS},
                "red": [[0.3 + 0.2 * (i % 6), 2.85 + 0.12 * (i // 6)] for i in range(reds)],
            },
            "frame": {
                "phase": phase,
                "scores": list(scores),
                "striker": 0,
                "cue_in_hand": False,
                "free_ball": "offered" if free else None,
            },
            "rules": rule_changes,
        }
    )


def test_a_handicap_counts_for_the_snookers_required():
    start = rules.Frame.start(n_reds=1, handicap=(0, 44))
    assert (deficit(start), rules.points_available(start), rules.snookers_required(start)) == (44, 35, 3)
    assert rules.snookers_required(start, 1) == 0


@pytest.mark.parametrize(
    ("striker", "other", "position"),
    [
        (147, 147, frame(reds=15)),
        (155, 147, frame(reds=15, free=True)),
        (43, 43, frame(reds=2)),
        (50, 43, frame("colour", reds=2)),
        (34, 27, frame("colour")),
        (27, 27, frame("clearance")),
        (29, 27, frame("clearance", free=True)),
        (13, 13, frame("clearance", lowest="pink")),
        (7, 7, frame("clearance", lowest="black")),
    ],
)
def test_points_available(striker, other, position):
    assert rules.points_available(position) == rules.points_available(position, 0) == striker
    assert rules.points_available(position, 1) == other


@pytest.mark.parametrize(
    ("needed", "position"),
    [
        (0, frame("clearance", scores=(0, 27))),  # level at best: a tie is played off
        (1, frame("clearance", scores=(0, 28))),
        (1, frame("clearance", scores=(0, 31))),
        (2, frame("clearance", scores=(0, 32))),
        (1, frame("clearance", lowest="blue", scores=(0, 18 + 5))),  # no foul costs less than the blue
        (2, frame("clearance", lowest="blue", scores=(0, 18 + 6))),
        (1, frame("clearance", lowest="pink", scores=(0, 13 + 6))),
        (0, frame("clearance", free=True, scores=(0, 29))),
        (0, frame("clearance", lowest="black", scores=(0, 7))),
        (None, frame("clearance", lowest="black", scores=(0, 8))),  # the next foul ends the frame
        (3, frame(reds=1, scores=(10, 10 + 35 + 12))),
        (0, frame(reds=1, scores=(90, 0))),
    ],
)
def test_snookers_required(needed, position):
    assert rules.snookers_required(position) == needed


def test_the_player_who_sits_does_not_have_the_colour_that_is_on():
    position = frame("colour", reds=1, scores=(40, 0))
    assert rules.points_available(position, 1) == 35
    assert rules.snookers_required(position, 1) == 2
    assert rules.snookers_required(frame("colour", reds=1, scores=(0, 40))) == 0  # 42 for the striker


def test_the_deficit_is_negative_of_who_leads():
    position = frame("clearance", scores=(10, 41, 20), n_players=3, n_sides=3)
    assert [deficit(position, side) for side in range(3)] == [31, -21, 21]
    assert deficit(position) == 31


def test_of_several_sides_the_best_other_counts():
    position = frame("clearance", scores=(10, 41, 20), n_players=3, n_sides=3)
    assert [rules.snookers_required(position, side) for side in range(3)] == [1, 0, 0]


def test_points_of_earlier_frames_count_in_the_last_of_an_aggregate_match():
    position = frame("clearance", scores=(20, 0), carried=[50, 0])
    assert rules.snookers_required(position, 1) == 11
    assert rules.snookers_required(position, 0) == 0


def test_nothing_is_left_of_a_frame_that_is_over():
    over = rules.decide(frame(reds=3, scores=(0, 9)), "concede")
    assert (rules.points_available(over), rules.points_available(over, 1)) == (0, 0)
    assert (rules.snookers_required(over, 0), rules.snookers_required(over, 1)) == (None, 0)


def test_a_side_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="side = 2: expected 0 to 1"):
        rules.points_available(frame(reds=1), 2)
    with pytest.raises(TypeError, match="expected rules"):
        rules.snookers_required("frame")
