"""Frames as values: the opening, notation, position files, and what is refused at the door."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.files import document_of, frame_of, parse_json
from rules.frame import RACK_GAP

NAMES = rules.position_names()


def document(name="mid_frame", **changes):
    """A position file's value with single entries of "frame" or "balls" changed."""
    found = document_of(rules.Frame.named(name))
    for key, value in changes.items():
        found["balls" if key in found["balls"] else "frame"][key] = value
    return found


def test_the_ten_positions_are_here():
    assert len(NAMES) == 10
    assert "mid_frame" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_text_and_json_read_back_equal(name):
    frame = rules.Frame.named(name)
    assert rules.Frame.from_text(frame.text) == frame
    assert rules.Frame.from_text(frame.text).text == frame.text
    assert rules.Frame.from_json(frame.to_json()) == frame
    assert hash(rules.Frame.from_text(frame.text)) == hash(frame)
    assert "\n" not in frame.text
    assert frame.description


def test_the_opening():
    frame = rules.Frame.start("snooker", edition="1995", striker=1)
    assert (frame.phase, frame.scores, frame.striker, frame.reds_left) == ("red", (0, 0), 1, 15)
    assert frame.cue_in_hand
    assert np.isnan(frame.positions[0]).all()
    reds = frame.positions[7:]
    gaps = [np.hypot(*(reds[i] - reds[j])) for i in range(15) for j in range(i)]
    assert min(gaps) == pytest.approx(0.0525 + RACK_GAP, abs=1e-9)
    assert reds == pytest.approx(rules.Frame.named("opening").positions[7:], abs=1e-6)
    assert rules.Frame.from_text(frame.text) == frame


@pytest.mark.parametrize(
    ("frame", "shown", "said"),
    [
        (
            rules.Frame.start("snooker", "1995", striker=1),
            "<Frame snooker/1995 red 0:0 striker=1 first_striker=1 cue=hand, 21 on the table>",
            "0–0. Player 2: red on, break 0, 147 left.",
        ),
        (
            rules.Frame.named("free_ball_after_foul"),
            "<Frame snooker/current red 12:9 striker=0 free_ball=offered, 9 on the table>",
            "12–9. Player 1: free ball, break 0, 51 left.",
        ),
        (
            rules.decide(rules.Frame.named("mid_frame"), "concede"),
            "<Frame snooker/current over 22:17 striker=1 winner=0, 17 on the table>",
            "Frame to side 1, 22–17.",
        ),
    ],
)
def test_at_a_prompt(frame, shown, said):
    assert (repr(frame), str(frame)) == (shown, said)


def test_decisions_at_a_prompt():
    start = rules.Frame.named("mid_frame")
    foul, _ = rules.referee(start, rules.facts(start))
    assert str(foul) == "26–17. Player 1: play, play_again, restore?"
    assert repr(foul).endswith(
        "striker=0 options=play,play_again,restore offender=1 misses=1 full_ball=1, 17 on the table>"
    )
    level = "snooker/current respotted 57:57 striker=0 cue=hand options=player_0_first,player_1_first black=0.889,3.245"
    assert str(rules.Frame.from_text(level)) == "57–57. Lot: Player 1 or Player 2 first?"
    tied = "snooker/current over 57:57 rule.respot_on_tie=0 striker=0 cue=hand"
    assert str(rules.Frame.from_text(tied)) == "The frame is tied, 57–57."


def test_frames_do_not_change():
    frame = rules.Frame.named("mid_frame")
    with pytest.raises(ValueError, match="read-only"):
        frame.positions[0] = 1.0
    with pytest.raises(AttributeError):
        frame.state = None


def test_equality_counts_every_bit_and_every_nan_as_one():
    frame = rules.Frame.named("mid_frame")
    places = np.array(frame.positions)
    places[np.isnan(places)] = -np.nan
    assert rules.Frame(frame.ruleset, frame.state, places, frame.table) == frame
    places[0, 0] = np.nextafter(places[0, 0], 1.0)
    assert rules.Frame(frame.ruleset, frame.state, places, frame.table) != frame


def test_a_frame_that_can_be_restored_reads_back_equal():
    frame = rules.Frame.named("mid_frame")
    following, _ = rules.referee(frame, rules.facts(frame))
    assert following.before == frame
    assert rules.Frame.from_text(following.text) == following
    assert frame_of(parse_json(following.to_json())) == following


on_bed = st.tuples(st.floats(0.1, 1.6), st.floats(0.1, 3.4))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(on_bed, min_size=8, max_size=22),
    st.integers(0, 300),
    st.integers(0, 300),
    st.booleans(),
    st.sampled_from(["current", "1995", "es"]),
)
def test_any_layout_reads_back_equal(points, score_0, score_1, in_hand, edition):
    kept = []
    for point in points:
        if all(np.hypot(point[0] - x, point[1] - y) > 0.0526 for x, y in kept):
            kept.append(point)
    if len(kept) < 8:
        return
    balls = dict(zip(("yellow", "green", "brown", "blue", "pink", "black"), map(list, kept[1:7]), strict=True))
    frame = frame_of(
        {
            "game": "snooker",
            "edition": edition,
            "balls": {"cue": None if in_hand else list(kept[0]), **balls, "red": [None, *map(list, kept[7:])][-15:]},
            "frame": {"phase": "red", "scores": [score_0, score_1], "striker": 1, "cue_in_hand": in_hand},
        }
    )
    text = frame.text
    assert rules.Frame.from_text(text) == frame
    assert rules.Frame.from_text(text).text == text


def test_changed_rules_are_written():
    frame = rules.Frame.named("mid_frame")
    changed = rules.Frame(frame.ruleset._replace(feet_foul=0), frame.state, frame.positions, frame.table)
    assert "rule.feet_foul=0" in changed.text
    assert rules.Frame.from_text(changed.text) == changed
    assert frame_of(parse_json(changed.to_json())) == changed


REFUSED = [
    ({"cue": None}, "cue ball has no position"),
    ({"cue_in_hand": True}, "in hand .* and also has a position"),
    ({"cue_in_hand": 1}, "cue_in_hand = 1: expected true or false"),
    ({"nominated": "blue"}, "nominated = 'blue' in phase 'red'"),
    ({"nominated": "purple"}, "'purple' is not a ball"),
    ({"striker": 2}, "striker = 2: expected a player, 0 to 1"),
    ({"striker": True}, "striker = True"),
    ({"scores": [-1, 0]}, r"scores\[0\] = -1: expected 0 to 1000000"),
    ({"scores": [1.5, 0]}, r"scores\[0\] = 1.5: expected an integer"),
    ({"scores": [1]}, "scores = "),
    ({"phase": "pink"}, "phase = 'pink': expected one of red, colour"),
    ({"phase": "clearance"}, "phase 'clearance' but 10 reds"),
    ({"phase": "respotted"}, "phase 'respotted' but 10 reds"),
    ({"phase": "colour", "free_ball": "offered"}, "free ball is offered in phase 'colour'"),
    ({"free_ball": "blue"}, "free_ball = 'blue'"),
    ({"yellow": None}, "yellow is not on the table"),
    ({"red": []}, "no red is on the table"),
    ({"red": [[0.3, 0.3]] * 16}, "too many reds: 16, expected at most 15"),
    ({"red": [[0.3, 0.3], [0.3, 0.34]]}, "red 1 and red 2 overlap"),
    ({"yellow": [0.99, 2.06]}, "cue and yellow overlap"),
    ({"blue": [5.0, 5.0]}, "blue at"),
    ({"blue": [0.01, 1.2]}, "blue at"),
    ({"blue": [1.0]}, r"blue: expected \[x, y\]"),
    ({"blue": "spot"}, r"blue: expected \[x, y\]"),
    ({"blue": [True, 1.0]}, r"blue: expected \[x, y\]"),
    ({"red": {"1": [0.5, 0.5]}}, "red: expected a list"),
    ({"options": ["concede"]}, "options = 'concede'"),
    ({"options": ["restore"]}, "expected both or neither"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_what_a_position_file_may_not_say(changes, message):
    with pytest.raises(ValueError, match=message):
        frame_of(document(**changes))


def test_clearance_in_order():
    with pytest.raises(ValueError, match="cleared in order"):
        frame_of(document("colours_only", green=None))


def test_unknown_keys_and_balls():
    found = document()
    found["balls"]["purple"] = None
    with pytest.raises(ValueError, match="unknown ball 'purple'"):
        frame_of(found)
    with pytest.raises(ValueError, match="unknown key 'speed'"):
        frame_of(document() | {"speed": 1})
    with pytest.raises(ValueError, match="key 'balls' is missing"):
        frame_of({"game": "snooker", "frame": {}})
    with pytest.raises(ValueError, match="game 'pool' is not known"):
        frame_of(document() | {"game": "pool"})
    with pytest.raises(ValueError, match="edition '2001' is not known"):
        frame_of(document() | {"edition": "2001"})
    with pytest.raises(ValueError, match="expected an object"):
        frame_of([1, 2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"game": "snooker",\n "balls": }', "line 2, column 11"),
        ('{"game": NaN}', "NaN is not a number"),
        ('{"game": 1, "game": 2}', "'game' is given twice"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_json_says_where(tmp_path, text, message):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        rules.Frame.from_json(path)
    assert str(path) in str(caught.value)


def test_the_text_of_a_frame_in_json_is_told_from_a_path():
    with pytest.raises(ValueError, match=r"^position: key 'balls' is missing"):
        rules.Frame.from_json(' {"game": "snooker", "frame": {}}')
    with pytest.raises(TypeError, match="path = None: expected a path of a JSON file, or the text of to_json"):
        rules.Frame.from_json(None)


def test_not_text_and_not_there(tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not UTF-8"):
        rules.Frame.from_json(path)
    with pytest.raises(FileNotFoundError):
        rules.Frame.from_json(tmp_path / "none.json")
    with pytest.raises(ValueError, match="'nowhere' is not known; expected one of colour_to_choose"):
        rules.Frame.named("nowhere")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("snooker/current", "snooker", "expected game/edition"),
        ("current", "modern", "edition 'modern'"),
        (" red ", " reds ", "phase 'reds'"),
        ("22:17", "22-17", "scores '22-17': expected an integer"),
        ("22:17", "22:17:3", "expected points of 2 sides"),
        ("22:17", "22:1e1", "expected an integer"),
        ("striker=1", "striker=3", "striker = 3"),
        ("blue=0.889,1.7845", "blue=0.889", "expected x,y"),
        ("blue=0.889,1.7845", "blue=0.889,nan", "finite"),
        ("blue=0.889,1.7845", "blue=0.889,__import__", "expected a finite number"),
        ("blue=0.889,1.7845", "blue=0.889,1_0", "blue '1_0': expected a finite number"),
        ("striker=1", "striker=1 rule.ball_radius=0_1", "rule.ball_radius '0_1': expected a finite number"),
        ("blue=", "pink2=", "'pink2' is not known"),
        ("blue=", "yellow=", "'yellow' is given twice"),
        ("striker=1", "striker", "expected name=value"),
    ],
)
def test_bad_texts(old, new, message):
    text = rules.Frame.named("mid_frame").text
    assert old in text
    with pytest.raises(ValueError, match=message):
        rules.Frame.from_text(text.replace(old, new, 1))


def test_what_may_be_declared_and_hit():
    colour = rules.Frame.named("colour_to_choose")
    assert colour.nominations() == ("yellow", "green", "brown", "blue", "pink", "black")
    assert colour.balls_on() == ()
    assert colour.balls_on("pink") == (5,)
    free = rules.Frame.named("free_ball_after_foul")
    assert free.nominations()[:2] == (None, "yellow")
    assert free.balls_on() == (7, 8)
    assert free.balls_on("brown") == (3,)
    clear = rules.Frame.named("colours_only")
    assert (clear.ball_on, clear.nominations(), clear.balls_on()) == ("yellow", (None,), (1,))
    with pytest.raises(ValueError, match="no free ball"):
        clear.balls_on("black")


def test_json_is_plain():
    assert json.loads(rules.Frame.named("opening").to_json())["balls"]["cue"] == [1.02, 0.7]


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("scores", [10**7, 0]),
        ("offender", 2),
        ("offender", 10**12),
        ("first_striker", 2),
        ("winner", 5),
        ("misses", 10**12),
        ("break_points", 10**7),
        ("full_ball", 10**7),
    ],
)
def test_integers_of_a_file_are_bounded(tmp_path, entry, value):
    document = json.loads(rules.Frame.named("last_red").to_json())
    document["frame"][entry] = value
    path = tmp_path / "p.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=f"p.json: (frame: )?{entry}.*expected"):
        rules.Frame.from_json(path)


def test_the_largest_counters_of_a_file_have_a_text_that_reads_back(tmp_path):
    document = json.loads(rules.Frame.named("last_red").to_json())
    document["frame"] |= {"scores": [10**6, 10**6], "misses": 10**6, "break_points": 10**6, "offender": 1}
    path = tmp_path / "p.json"
    path.write_text(json.dumps(document), encoding="utf-8-sig")  # with a byte order mark
    frame = rules.Frame.from_json(path)
    assert rules.Frame.from_text(frame.text) == frame


@pytest.mark.parametrize("word", ["1" * 5000, "1" + "0" * 30, "NaN", "-Infinity", "1e999"])
def test_numbers_that_no_position_has_are_told_with_line_and_column(tmp_path, word):
    path = tmp_path / "p.json"
    path.write_text('{"game": "snooker",\n "x": ' + word + "}")
    with pytest.raises(ValueError, match=r"p\.json: line 2, column 7: ") as caught:
        rules.Frame.from_json(path)
    assert len(str(caught.value)) < 300


def test_scores_stay_within_what_can_be_read_back():
    words = "snooker/current clearance {}:0 striker=0 cue=0.5,0.5 pink=0.889,2.67675 black=0.889,3.245"
    with pytest.raises(ValueError, match="expected at most 1000000 points each"):
        rules.Frame.from_text(words.format(999_999_999))
    last = rules.Frame.from_text(words.format(999_000))
    after, _ = rules.referee(last, rules.facts(last, first="pink", potted="pink"))
    assert rules.Frame.from_text(after.text) == after
    with pytest.raises(ValueError, match="expected at most 999000 to play on"):
        rules.referee(after, rules.facts(after))


def test_scores_in_play_are_no_less_than_the_handicap():
    text = rules.Frame.start(handicap=(0, 7)).text
    with pytest.raises(ValueError, match="expected at least the handicap"):
        rules.Frame.from_text(text.replace(" 0:7 ", " 0:0 "))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"min_penalty": 100, "max_penalty": 7}, "max_penalty = 7: expected at least min_penalty = 100"),
        ({"max_penalty": 0}, "max_penalty = 0: expected an integer from 1 to 100"),
    ],
)
def test_penalties_that_abolish_fouls_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        rules.RuleSet.named(**changes)


def test_points_of_sides_may_be_integers_of_numpy():
    given = rules.RuleSet.named(handicap=np.array([0, 21]))
    assert given == rules.RuleSet.named(handicap=(0, 21))
    assert all(type(points) is int for points in given.handicap)


def test_the_spots_of_a_table_cannot_be_moved_through_a_frame():
    table = rules.Frame.start().table
    with pytest.raises(TypeError):
        table.spots["pink"] = (0.5, 0.5)
    again = pickle.loads(pickle.dumps(table))
    assert (again, dict(again.spots)) == (table, dict(table.spots))


def test_players_each_for_himself_are_told_how():
    with pytest.raises(ValueError, match="each for himself with n_sides=3"):
        rules.Frame.start(n_players=3)
