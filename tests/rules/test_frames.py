"""Copies of frames, strokes and batches stay what they are; types at the doors; one physics and one D for a frame."""

import copy
import math
import pickle
import re

import numpy as np
import pytest

import rules
import rules.frames
from rules.bed import NOSE_HEIGHT, bed_of, in_the_d, physics_for
from rules.state import PHASE_CLEARANCE, PHASE_COLOUR, PHASE_RED, FactsArrays
from simcore import Physics, Shots, Table
from simcore.kernel.cushion import nose_distance
from tests.rules.test_snookered import is_clear_by_sampling

COPIES = [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]


@pytest.fixture(scope="module")
def frame():
    return rules.Frame.named("mid_frame")


@pytest.fixture(scope="module")
def strokes():
    return rules.Strokes(Shots(V0=[1.0, 2.0], phi=0.3), nominated=["black", None], cue_ball=[[0.8, 0.7], [np.nan] * 2])


# --- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("remake", COPIES)
def test_a_copied_frame_is_equal_and_read_only(frame, remake):
    foul, _ = rules.referee(frame, rules.facts(frame))
    for original in (frame, foul, rules.Frame.start()):
        other = remake(original)
        assert other == original
        assert hash(other) == hash(original)
        assert other.description == original.description
        with pytest.raises(ValueError, match="read-only"):
            other.positions[0] = 0.5


@pytest.mark.parametrize("remake", COPIES)
def test_copied_strokes_are_equal_and_read_only(strokes, remake):
    for original in (strokes, strokes[0], strokes[1]):
        other = remake(original)
        assert other == original
        assert hash(other) == hash(original)
        for array in (other.nominated, other.cue_ball, other.shots.V0):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 1


def test_strokes_differ_by_any_part(strokes):
    shots = strokes.shots
    places = strokes.cue_ball
    assert strokes == rules.Strokes(shots, ["black", None], places)
    assert strokes != rules.Strokes(Shots(V0=[1.0, 2.5], phi=0.3), ["black", None], places)
    assert strokes != rules.Strokes(shots, ["pink", None], places)
    assert strokes != rules.Strokes(shots, ["black", None])
    assert strokes[0] != strokes[:1]
    assert strokes != "strokes"


def test_frames_on_other_tables_differ(frame):
    small, large = (rules.Frame.from_text(frame.text, table=Table.closed(2.0, side)) for side in (4.0, 4.1))
    assert small != large
    assert small == rules.Frame.from_text(frame.text, table=Table.closed(2.0, 4.0))
    assert rules.Frame.from_text(frame.text, table=Table.snooker()) == frame
    with pytest.raises(ValueError, match=r"frames\[1\] has other rules or another table"):
        rules.Frames.of([small, large])
    assert len(rules.Frames.of([frame, rules.Frame.from_text(frame.text, table=Table.snooker())])) == 2


# --- batches ---------------------------------------------------------------------------------------------------------


def batch_of(frames, **words):
    """The frames as a batch, and the facts of one stroke of each."""
    facts = [rules.facts(each, **words) for each in frames]
    return rules.Frames.of(frames), FactsArrays(*(np.array(column) for column in zip(*facts, strict=True)))


def test_a_batch_refuses_nominations_out_of_place(frame):
    colour, _ = rules.referee(frame, rules.facts(frame, first="red", potted="red"))
    batch, facts = batch_of([frame, colour], first="black")
    assert batch.referee(facts, np.array([0, 6]), batch.positions).penalty.tolist() == [7, 0]
    with pytest.raises(ValueError, match=r"strokes\[0\]: nominated = 'black' in phase 'red'"):
        batch.referee(facts, np.array([6, 6]), batch.positions)
    with pytest.raises(ValueError, match=r"strokes\[1\]: nominated = 'red' when a colour is on"):
        batch.referee(facts, np.array([0, 7]), batch.positions)
    with pytest.raises(ValueError, match=r"strokes\[1\]: nominated = 'red' when a colour is on"):
        rules.referee_batch(colour, facts, np.array([6, 7]), batch.positions)
    with pytest.raises(ValueError, match=r"strokes\[1\]: nominated = 99: expected the kind of an object ball, 1 to 7"):
        rules.referee_batch(colour, facts, np.array([6, 99]), batch.positions)


def test_a_batch_makes_no_frames_for_checking(frame, monkeypatch):
    batch, facts = batch_of([frame, frame, frame], first="red")
    monkeypatch.setattr(rules.Frames, "__getitem__", lambda self, i: pytest.fail("a frame was made"))
    assert batch.referee(facts, np.zeros(3, dtype=np.int64), batch.positions).penalty.tolist() == [0, 0, 0]


def test_a_batch_tells_which_frame_waits(frame):
    foul, _ = rules.referee(frame, rules.facts(frame))
    batch, facts = batch_of([frame, foul])
    with pytest.raises(ValueError, match=r"frames\[1\]: player 0 has a decision pending"):
        batch.referee(facts, np.zeros(2, dtype=np.int64), batch.positions)


def test_a_batch_refuses_arrays_that_do_not_fit(frame):
    batch, facts = batch_of([frame, frame], first="red")
    none = np.zeros(2, dtype=np.int64)
    for call in (batch.referee, lambda *rest: rules.referee_batch(frame, *rest)):
        with pytest.raises(ValueError, match=r"nominated has shape \(1,\): expected \(2,\)"):
            call(facts, none[:1], batch.positions)
        with pytest.raises(ValueError, match=r"facts.potted has shape \(1,\): expected \(2,\)"):
            call(facts._replace(potted=none[:1]), none, batch.positions)
        with pytest.raises(ValueError, match="nominated has type float64: expected integers"):
            call(facts, none + 0.5, batch.positions)
        with pytest.raises(ValueError, match=r"nominated = 9: expected the kind of an object ball, 1 to 7"):
            call(facts, none + 9, batch.positions)
        with pytest.raises(ValueError, match=r"positions of shape \(22, 2\): expected \(n, n_balls, 2\)"):
            call(facts, none, batch.positions[0])
        with pytest.raises(ValueError, match=r"positions"):
            call(facts, none, None)
    short = FactsArrays(*(column[:1] for column in facts))
    with pytest.raises(ValueError, match="positions are of 1 strokes: expected 2"):
        batch.referee(short, none[:1], batch.positions[:1])


# --- doors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [None, 3, rules.Frame.start()])
def test_a_batch_is_made_of_several_frames(wrong):
    with pytest.raises(TypeError, match=r"frames = .*: expected frames in a sequence"):
        rules.Frames.of(wrong)


@pytest.mark.parametrize("wrong", ["mid_frame", None, 3])
def test_other_things_than_frames_are_refused(frame, strokes, wrong):
    facts = rules.facts(frame)
    calls = [
        lambda: rules.play(wrong, strokes[1]),
        lambda: rules.referee(wrong, facts),
        lambda: rules.facts(wrong),
        lambda: rules.evaluate(wrong, strokes),
        lambda: rules.Frames.of([frame, wrong]),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"frame = .*: expected rules.Frame"):
            call()


@pytest.mark.parametrize("text", [None, b"snooker/current", 3])
def test_texts_are_str(text):
    with pytest.raises(TypeError, match=r"text = .*: expected str"):
        rules.Frame.from_text(text)


def test_tables_are_tables(frame):
    calls = [
        lambda: rules.Frame.start(table="club"),
        lambda: rules.Frame.named("mid_frame", table="club"),
        lambda: rules.Frame.from_text(frame.text, table="club"),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"table = 'club': expected simcore.Table"):
            call()
    with pytest.raises(ValueError, match=r"it has no yellow spot, expected one such as Table.snooker"):
        rules.Frame.start(table=Table.closed(1.778, 3.569))


@pytest.mark.parametrize("shots", [(1, 2), None, "x", 3.0])
def test_strokes_are_made_of_shots(shots):
    with pytest.raises(TypeError, match=r"shots = .*: expected simcore.Shots"):
        rules.Strokes(shots)


@pytest.mark.parametrize(
    ("nominated", "words"),
    [(3, "nominated = 3: expected a ball's name"), ([None, 3], r"nominated\[1\] = 3: expected a ball's name or None")],
)
def test_nominations_are_names(nominated, words):
    with pytest.raises(TypeError, match=words):
        rules.Strokes(Shots(1.0, 0.0), nominated)


@pytest.mark.parametrize("places", ["here", ["1", "2"], [True, False], [[0.1, 0.2], [0.3]]])
def test_placements_are_numbers(places):
    with pytest.raises(ValueError, match=r"cue_ball.*expected"):
        rules.Strokes(Shots(1.0, 0.0), cue_ball=places)


# --- physics and marks -----------------------------------------------------------------------------------------------


def test_the_balls_are_the_frames(frame):
    other = rules.Frame(frame.ruleset._replace(ball_radius=0.025), frame.state, frame.positions, frame.table)
    assert physics_for(other, None) == Physics.snooker(R=0.025)
    assert physics_for(frame, Physics.snooker(R=0.027, mu_roll=0.01)) == Physics.snooker(mu_roll=0.01)
    assert bed_of(other.table, other.ruleset).low_y == nose_distance(0.025, NOSE_HEIGHT)


def test_the_d_has_its_boundary():
    """Spec 1; the yellow and green spots lie on it although 1.181 - 0.889 is not the double nearest to 0.292."""
    bed = rules.Frame.start().bed
    within = [(0.889, 0.7), (0.889, 0.737), (1.181, 0.737), (0.597, 0.737), (0.889, 0.445)]
    within += [(0.889 + 0.292 * math.cos(at), 0.737 + 0.292 * math.sin(at)) for at in np.linspace(-3.1, -0.1, 301)]
    outside = [(0.889, 0.445 - 3e-9), (0.889, 0.737 + 3e-9), (1.181 + 3e-9, 0.737), (1.1, 0.5), (math.nan, math.nan)]
    assert all(in_the_d(bed, x, y) for x, y in within)
    assert not any(in_the_d(bed, x, y) for x, y in outside)
    assert not in_the_d(bed_of(Table.closed(2.0, 4.0), rules.RuleSet.named()), 0.889, 0.7)


# --- next frames, threads, snookers ----------------------------------------------------------------------------------


def alternatives(frame, n):
    """A batch of one frame n times, and facts of strokes that score, foul, and miss."""
    told = [
        rules.facts(frame, first="red", potted="red"),
        rules.facts(frame, first="black"),
        rules.facts(frame),
        rules.facts(frame, first="red", potted=["blue", "cue"]),
    ]
    facts = [told[i % len(told)] for i in range(n)]
    return rules.Frames.of([frame] * n), FactsArrays(*(np.array(column) for column in zip(*facts, strict=True))), facts


def test_the_frames_that_follow_are_those_of_the_single_referee(frame):
    batch, arrays, facts = alternatives(frame, 4)
    following = batch.after(batch.referee(arrays, np.zeros(4, dtype=np.int64), batch.positions))
    expected = [rules.referee(frame, told)[0] for told in facts]
    assert following == expected
    assert [each.before for each in following] == [None, frame, frame, None]
    assert "restore" in following[1].options
    assert rules.decide(following[1], "restore").positions.tobytes() == frame.positions.tobytes()
    given = [frame] * 4
    assert batch.after(batch.referee(arrays, np.zeros(4, dtype=np.int64), batch.positions), given)[1].before is given[1]
    with pytest.raises(ValueError, match="read-only"):
        following[0].positions[0] = 0.5


def test_rulings_do_not_depend_on_threads(frame, monkeypatch):
    batch, facts, _ = alternatives(frame, 99)
    nominated = np.zeros(99, dtype=np.int64)
    alone = batch.referee(facts, nominated, batch.positions, threads=1)
    monkeypatch.setattr(rules.frames, "SERIAL_BELOW", 1)
    shared = batch.referee(facts, nominated, batch.positions, threads=2)
    assert [array.tobytes() for array in shared] == [array.tobytes() for array in alone]
    with pytest.raises(ValueError, match="threads = 0"):
        batch.referee(facts, nominated, batch.positions, threads=0)


def test_an_error_on_a_thread_is_not_lost(frame, monkeypatch):
    batch, facts, _ = alternatives(frame, 8)
    monkeypatch.setattr(rules.frames, "SERIAL_BELOW", 1)
    monkeypatch.setattr(rules.frames, "rule_told", lambda *given: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        batch.referee(facts, np.zeros(8, dtype=np.int64), batch.positions, threads=2)


def test_a_contradiction_on_any_thread_is_told_with_its_stroke(frame, monkeypatch):
    batch, facts, _ = alternatives(frame, 99)
    monkeypatch.setattr(rules.frames, "SERIAL_BELOW", 1)
    for row in (0, 49, 50, 98):
        observed = np.zeros(99, dtype=np.int64)
        observed[row:] = rules.facts(frame, observed="behind_free_ball").observed
        wrong = facts._replace(observed=observed)
        with pytest.raises(ValueError, match=rf"strokes\[{row}\]: behind_free_ball was observed, yet no free ball"):
            batch.referee(wrong, np.zeros(99, dtype=np.int64), batch.positions, threads=2)


def test_a_stranger_is_named_before_any_contradiction_on_any_thread(frame, monkeypatch):
    batch, facts, _ = alternatives(frame, 99)
    monkeypatch.setattr(rules.frames, "SERIAL_BELOW", 1)
    observed, players = np.zeros(99, dtype=np.int64), np.full(99, -1)
    observed[3], players[80] = rules.facts(frame, observed="behind_free_ball").observed, 2
    wrong = facts._replace(observed=observed, played_by=players)
    for threads in (1, 2):
        with pytest.raises(ValueError, match=r"strokes\[80\]: played_by = 2: expected -1 to 1"):
            batch.referee(wrong, np.zeros(99, dtype=np.int64), batch.positions, threads=threads)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("played_by", -2, "played_by = -2: expected -1 to 1"),
        ("observed", 1 << 40, "observed = 1099511627776: expected 0 to"),
        ("observed", -1, "observed = -1: expected 0 to"),
        ("placed_x", 0.8, "placed_x = 0.8: expected finite metres, or nan as placed_y"),
        ("placed_y", 0.6, "placed_x = nan: expected finite metres"),
        ("nearest_gap", -0.1, "nearest_gap = -0.1: expected metres from 0"),
        ("nearest_gap", np.inf, "nearest_gap = inf: expected metres from 0"),
    ],
)
def test_numbers_that_stand_for_nothing_are_refused_in_batches_too(frame, field, value, message):
    batch, facts, _ = alternatives(frame, 3)
    column = getattr(facts, field).copy()
    column[2] = value
    with pytest.raises(ValueError, match=r"strokes\[2\]: " + re.escape(message)):
        batch.referee(facts._replace(**{field: column}), np.zeros(3, dtype=np.int64), batch.positions)


def test_read_only_frames_are_ruled_on_alike(frame):
    batch, facts, _ = alternatives(frame, 9)
    nominated = np.zeros(9, dtype=np.int64)
    expected = batch.referee(facts, nominated, batch.positions)
    batch.states.setflags(write=False)
    batch.positions.setflags(write=False)
    again = batch.referee(facts, nominated, batch.positions)
    assert [array.tobytes() for array in again] == [array.tobytes() for array in expected]


def sees(frame, on, others):
    """Whether both edges of some ball on are clear, by slow sampling; None if it hangs on a hair."""
    cue, places = tuple(frame.positions[0].tolist()), frame.positions
    answers = {
        any(is_clear_by_sampling(cue, places, target, others, slack) for target in on) for slack in (-2e-5, 2e-5)
    }
    return answers.pop() if len(answers) == 1 else None


def scattered(rng, phase, n_reds):
    """A frame in a phase with the balls anywhere but near the pockets, where jaws play no part."""
    balls = [0, *range(1, 7), *range(7, 7 + n_reds)]
    places = np.full((22, 2), np.nan)
    for ball in balls:
        while True:
            x, y = rng.uniform((0.25, 0.6), (1.53, 2.9))
            apart = np.hypot(places[:, 0] - x, places[:, 1] - y)
            if not (apart < 0.054).any() and not (abs(y - 1.7845) < 0.25 and abs(x - 0.889) > 0.5):
                break
        places[ball] = x, y
    state = rules.FrameState(phase=phase, on_table=sum(1 << ball for ball in balls))
    return rules.Frame(rules.RuleSet.named(), state, places, Table.snooker())


def balls_on_by_hand(frame):
    """Alternatives of balls on, each with the balls not on."""
    there = [ball for ball in range(1, 22) if frame.state.on_table >> ball & 1]
    if frame.state.phase == PHASE_COLOUR:
        return [([colour], [ball for ball in there if ball != colour]) for colour in range(1, 7)]
    on = [ball for ball in there if ball > 6] if frame.state.phase == PHASE_RED else [1]
    return [(on, [ball for ball in there if ball not in on])]


@pytest.mark.parametrize(
    ("phase", "n_reds", "n"), [(PHASE_RED, 2, 60), (PHASE_RED, 1, 60), (PHASE_COLOUR, 4, 15), (PHASE_CLEARANCE, 0, 60)]
)
def test_snookers_agree_with_slow_sampling(phase, n_reds, n):
    rng = np.random.default_rng(phase + n_reds)
    frames = [scattered(rng, phase, n_reds) for _ in range(n)]
    found = rules.Frames.of(frames).snookered()
    checked = []
    for frame, snookered in zip(frames, found.is_snookered.tolist(), strict=True):
        views = [sees(frame, on, others) for on, others in balls_on_by_hand(frame)]
        if True in views:
            assert not snookered
        elif None not in views:
            assert snookered
        checked.append(snookered)
    assert phase == PHASE_COLOUR or 0 < sum(checked) < n


def test_snookers_in_all_phases():
    named = {name: rules.Frame.named(name) for name in ("snookered_behind_brown", "free_ball_after_foul", "mid_frame")}
    found = rules.Frames.of(list(named.values())).snookered()
    assert found.is_snookered.tolist() == [1, 1, 0]
    assert found.effective[0] == 1 << 3
    assert found.effective[2] == 0
    over = rules.decide(named["snookered_behind_brown"], "concede")
    assert rules.Frames.of([over]).snookered().is_snookered.tolist() == [0]


def test_a_snooker_after_a_foul_is_a_free_ball():
    for name in ("snookered_behind_brown", "mid_frame"):
        frame = rules.Frame.named(name)
        after, ruling = rules.referee(frame, rules.facts(frame))
        assert rules.Frames.of([after]).snookered().is_snookered[0] == ruling.free_ball


def test_snookered_in_hand_is_so_from_the_whole_d():
    """The yellow in a ring of balls is hidden from every place of the D; without the ring it is not."""
    ring = [(0.9 + 0.0527 * math.cos(at), 2.6 + 0.0527 * math.sin(at)) for at in np.linspace(0, 2 * math.pi, 6)[:-1]]
    places = np.full((22, 2), np.nan)
    places[1] = 0.9, 2.6
    places[2:7] = ring
    state = rules.FrameState(phase=PHASE_CLEARANCE, on_table=0b1111110, cue_in_hand=1)
    hidden = rules.Frame(rules.RuleSet.named(), state, places, Table.snooker())
    moved = places.copy()
    moved[2:7] += (0.0, 0.5)
    seen = rules.Frame(rules.RuleSet.named(), state, moved, Table.snooker())
    found = rules.Frames.of([hidden, seen]).snookered()
    assert found.is_snookered.tolist() == [1, 0]
    assert found.effective.tolist() == [0, 0]


def test_a_nominee_and_the_real_ball_on_hide_neither():
    """Brown in the line to the only red: snookered on the red, not on the brown declared as free ball."""
    frame = rules.Frame.named("snookered_behind_brown")
    offered = rules.Frame(frame.ruleset, frame.state._replace(free_ball=1, nominated=3), frame.positions, frame.table)
    assert rules.Frames.of([frame, offered]).snookered().is_snookered.tolist() == [1, 0]


def test_a_single_frame_tells_its_snooker():
    hidden, seen = rules.Frame.named("snookered_behind_brown"), rules.Frame.named("mid_frame")
    assert (hidden.is_snookered, hidden.snookering_balls) == (True, ("brown",))
    assert (seen.is_snookered, seen.snookering_balls) == (False, ())
