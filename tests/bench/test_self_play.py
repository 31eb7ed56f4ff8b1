"""A short slice of self-play, in every game; and the checks themselves: each finds what it is there for."""

import dataclasses
import json

import numpy as np
import pytest

import rules
import rules.frames
from bench import frame_checks, place_checks, self_play
from bench import incidents as bench_incidents
from bench.decision_checks import decision_problem, forfeit_problem, reading_problem
from bench.incidents import INCIDENTS, add_incidents
from bench.self_play import GAMES, Report, Session, decision_line, main, reproduce, stroke_line
from rules.faults import FAULTS
from rules.state import PHASE_OVER, SCORES, FrameState, put_state

COLUMN = {name: i for i, name in enumerate(FrameState._fields[:-1])}
START = rules.Frame.start()


def session(game, seed, frames):
    made = Session(GAMES[game], Report(), np.random.default_rng(seed))
    made.start(frames)
    return made


def advance(playing, steps):
    for _ in range(steps):
        playing.decide()
        playing.stroke()
        playing.steps += 1


@pytest.mark.parametrize("game", GAMES)
def test_a_slice_of_every_game_without_a_violation(game):
    playing = session(game, 3, 24)
    advance(playing, 12)
    report = playing.report
    assert not report.bad, "\n".join(report.lines())
    assert report.strokes > 12 * 12
    assert report.single_rulings == report.round_trips >= 40
    assert report.fouls
    assert report.events["scoring strokes"] > 20


def test_whole_frames_by_the_command_line(capsys):
    assert main(["--frames", "12", "--seed", "5", "--games", "six reds"]) == 0
    out = capsys.readouterr().out
    assert "frames 12," in out
    assert "violations 0" in out
    last_scores = int(out.split("last score")[1].split()[0])
    assert last_scores >= 6


def test_the_same_seed_plays_the_same_frames():
    texts = []
    for _ in range(2):
        playing = session("three players", 8, 6)
        advance(playing, 5)
        texts.append([frame.text for frame in playing.frames])
    assert texts[0] == texts[1]


# --- broken referees -------------------------------------------------------------------------------------------------


class Kept(Session):
    """A session that keeps its strokes."""

    def note_violations(self, s):
        self.kept = [*getattr(self, "kept", []), s]
        return super().note_violations(s)


@pytest.fixture(scope="module")
def strokes():
    """Good strokes of many kinds as one batch, with some nearly finished frames."""
    playing = Kept(GAMES["current"], Report(), np.random.default_rng(2))
    playing.start(60)
    advance(playing, 60)
    assert not playing.report.bad
    return playing.kept


def spoilt(s, change, **arrays):
    """The strokes with the rulings changed: change(rulings, rows) on copies of the arrays."""
    copies = type(s.rulings)(*(array.copy() for array in s.rulings))
    change(copies)
    after = frame_checks.columns(copies.states)
    table, marks = START.table, place_checks.marks_of(START.table, s.rules)
    faults = place_checks.misplaced(copies.positions, copies.spotted, table, marks)
    given = {"rulings": copies, "after": after, "faults": faults, **arrays}
    values = {field.name: getattr(s, field.name) for field in dataclasses.fields(s)}
    return frame_checks.Strokes(**values | given)


def state(name, change):
    """A change of one column of the states."""

    def apply(r):
        r.states[:, COLUMN[name]] = change(r.states[:, COLUMN[name]], r)

    return apply


def add(name, value):
    def apply(r):
        getattr(r, name)[:] += value

    return apply


def score(r):
    r.states[:, SCORES] += 1


def third_side(r):
    r.states[:, SCORES + 2] = 1


def move_spotted(r):
    for row in np.flatnonzero(r.spotted):
        ball = int(r.spotted[row]).bit_length() - 1
        r.positions[row, ball, 0] += 1e-3


def move_resting(r):
    r.positions[:, 6, 0] += 1e-9


def overlap(r):
    r.positions[:, 5] = r.positions[:, 6] + (0.0525 - 2e-9, 0.0)


def off_bed(r):
    r.positions[:, 6, 1] = 3.6


def lose_a_red(r):
    r.states[:, COLUMN["on_table"]] &= ~(1 << 21)


def lose_a_colour(r):
    r.states[:, COLUMN["on_table"]] &= ~(1 << 5)


SPOILERS = {
    "points": add("points", 1),
    "penalty": add("penalty", 4),
    "kind": add("kind", 1),
    "scores": score,
    "break": state("break_points", lambda old, r: old + 1),
    "turn": state("striker", lambda old, r: 1 - old),
    "phase": state("phase", lambda old, r: (old + 1) % 4),
    "reds": lose_a_red,
    "colours": lose_a_colour,
    "return": state("colour_points", lambda old, r: old + 1),
    "cue ball": state("cue_in_hand", lambda old, r: 1 - old),
    "places": move_resting,
    "overlap": overlap,
    "off the bed": off_bed,
    "spots": move_spotted,
    "end": state("winner", lambda old, r: old + 1),
    "options": state("options", lambda old, r: old | 1),
    "restore": state("options", lambda old, r: old ^ rules.state.RESTORE),
    "in hand": state("options", lambda old, r: old | rules.state.IN_HAND),
    "anywhere": state("options", lambda old, r: old ^ rules.state.ANYWHERE),
    "free ball": state("free_ball", lambda old, r: 1 - old),
    "misses": state("misses", lambda old, r: old + 1),
    "constants": state("first_striker", lambda old, r: 1 - old),
}


def test_every_check_has_a_spoiler():
    assert SPOILERS.keys() == frame_checks.CHECKS.keys()


@pytest.mark.parametrize("name", SPOILERS)
def test_a_broken_referee_is_noticed(strokes, name):
    assert any(name in frame_checks.violations(spoilt(s, SPOILERS[name])) for s in strokes)


def test_points_of_a_side_that_is_not_there(strokes):
    assert "scores" in frame_checks.violations(spoilt(strokes[0], third_side))


def test_a_frame_that_ends_too_early_or_never(strokes):
    early = state("phase", lambda old, r: PHASE_OVER)
    assert "phase" in frame_checks.violations(spoilt(strokes[0], early))
    last = [s for s in strokes if s.over.any()]
    assert last
    never = state("phase", lambda old, r: np.minimum(old, 2))
    assert "phase" in frame_checks.violations(spoilt(last[0], never))


def test_a_referee_who_scores_wrongly_ends_the_soak_with_a_reproducer(monkeypatch, capsys):
    real = rules.frames.rule_told

    def broken(*given):
        real(*given)
        given[-1].states[:, SCORES] += given[-1].points > 0

    monkeypatch.setattr(rules.frames, "rule_told", broken)
    assert main(["--frames", "4", "--seed", "1", "--games", "current", "--sample", "0"]) == 1
    lines = capsys.readouterr().out.splitlines()
    line = next(line for line in lines if line.startswith("scores: ")).split(": ", 1)[1]
    before = rules.Frame.from_text(json.loads(line)["frame"])
    after, ruling = reproduce(line)
    assert ruling.points > 0
    assert sum(after.scores) == sum(before.scores) + ruling.points


def test_a_referee_who_spots_wrongly_ends_the_soak(monkeypatch, capsys):
    real = rules.frames.rule_told

    def broken(*given):
        real(*given)
        move_spotted(given[-1])

    monkeypatch.setattr(rules.frames, "rule_told", broken)
    assert main(["--frames", "4", "--seed", "1", "--games", "current", "--sample", "0"]) == 1
    assert "spots: " in capsys.readouterr().out


def test_a_batch_that_differs_from_the_single_referee(monkeypatch, capsys):
    real = rules.frames.rule_told

    def broken(*given):
        real(*given)
        given[-1].faults[:] ^= (given[-1].penalty > 0) << (len(FAULTS) - 1)

    monkeypatch.setattr(rules.frames, "rule_told", broken)
    assert main(["--frames", "2", "--seed", "1", "--games", "current", "--sample", "2"]) == 1
    assert "single ruling: faults: " in capsys.readouterr().out


# --- reproducers, decisions, places ----------------------------------------------------------------------------------


@pytest.mark.parametrize("played_by", [-1, 0, 1])
def test_reproducers_play_again(played_by):
    frame = rules.Frame.named("mid_frame")
    facts = rules.facts(frame, first="red 3", potted=["red 3", "cue"], played_by=played_by)
    ends = np.array(frame.positions)
    ends[[0, 9]] = np.nan
    expected = rules.referee(frame, facts, None, ends)
    assert reproduce(stroke_line(frame, facts, None, ends)) == expected
    assert reproduce(decision_line(expected[0], "play")) == (rules.decide(expected[0], "play"), None)


@pytest.fixture
def foul():
    frame = rules.Frame.named("mid_frame")
    return rules.referee(frame, rules.facts(frame))[0]


def changed(frame, **fields):
    return rules.Frame(frame.ruleset, frame.state._replace(**fields), frame.positions, frame.table, frame.before)


@pytest.mark.parametrize(
    ("option", "fields", "problem"),
    [
        ("play", {"scores": (1,) * 6}, "the scores changed"),
        ("play", {"options": 1}, "options stayed open"),
        ("play", {"striker": 1}, "the wrong player comes"),
        ("play", {"free_ball": 1}, "the free ball is wrong"),
        ("play_again", {"striker": 0}, "the wrong player comes"),
        ("restore", {"phase": 2}, "phase is not that before the foul"),
        ("restore", {"misses": 0}, "the misses are not counted on"),
        ("concede", {"winner": 0}, "the wrong side won"),
        ("concede", {"phase": 0}, "the frame is not over"),
        ("re_rack", {"striker": 1}, "the wrong player opens"),
        ("re_rack", {"scores": (1,) * 6}, "not the opening"),
    ],
)
def test_a_wrong_decision_is_noticed(foul, option, fields, problem):
    foul = changed(foul, striker=1 - foul.striker) if foul.striker else foul
    after = rules.decide(foul, option)
    assert decision_problem(foul, option, after) == ""
    assert decision_problem(foul, option, changed(after, **fields)).startswith(problem)


@pytest.mark.parametrize(
    ("option", "fields", "problem"),
    [
        ("keep_ball_on", {"phase": 0}, "the wrong ball is on"),
        ("keep_ball_on", {"striker": 1}, "the wrong player comes"),
        ("replace_balls", {"phase": 1}, "the wrong ball is on"),
        ("replace_balls", {"misses": 1}, "the misses are not counted on"),
        ("replace_balls", {"striker": 1}, "the offender does not play again"),
        ("play_again", {"phase": 1}, "the wrong ball is on"),
    ],
)
def test_a_wrong_decision_after_a_hampered_foul_is_noticed(option, fields, problem):
    frame = rules.Frame.named("colour_to_choose")
    told = {"touched": "blue", "observed": ["no_stroke", "hampered"]}
    foul = rules.referee(frame, rules.facts(frame, **told))[0]
    after = rules.decide(foul, option)
    assert decision_problem(foul, option, after) == ""
    fields = {name: 1 - after.striker if name == "striker" else value for name, value in fields.items()}
    assert decision_problem(foul, option, changed(after, **fields)).startswith(problem)


def test_moved_balls_are_noticed_after_decisions(foul):
    places = np.array(foul.positions)
    places[3, 0] = np.nextafter(places[3, 0], 1.0)
    for option, problem in (("play", "balls moved"), ("restore", "not the position"), ("concede", "the frame is not")):
        after = rules.decide(foul, option)
        moved = rules.Frame(after.ruleset, after.state, places, after.table)
        assert decision_problem(foul, option, moved).startswith(problem)


def test_a_wrong_forfeit_is_noticed(foul):
    after = rules.forfeit(foul, 0)
    assert forfeit_problem(foul, 0, after) == ""
    assert forfeit_problem(foul, 1, after) == "the points are wrong"
    assert forfeit_problem(foul, 0, changed(after, winner=0)) == "the wrong side won"


def test_a_frame_that_reads_back_otherwise_is_noticed(foul, monkeypatch):
    assert reading_problem(foul) == ""
    other = START.to_json()
    monkeypatch.setattr(rules.Frame, "to_json", lambda self: other)
    assert reading_problem(foul) == "json"
    monkeypatch.setattr(rules.Frame, "from_text", lambda text, table: START)
    assert reading_problem(foul) == "text"


@pytest.mark.parametrize(
    ("name", "nominated", "view"),
    [
        ("mid_frame", None, place_checks.SEEN),
        ("snookered_behind_brown", None, place_checks.HIDDEN),
        ("free_ball_after_foul", None, place_checks.HIDDEN),
        ("free_ball_after_foul", "green", place_checks.SEEN),
        ("colour_to_choose", None, place_checks.SEEN),
        ("colour_to_choose", "yellow", place_checks.SEEN),
        ("opening", None, place_checks.SEEN),
    ],
)
def test_what_the_striker_saw(name, nominated, view):
    frame = rules.Frame.named(name)
    kind = np.array([rules.ruleset.kind_number(nominated)])
    marks = place_checks.marks_of(frame.table, frame.ruleset)
    state = frame_checks.columns(rules.state.pack_states([frame.state]))
    assert place_checks.views_before(frame.positions[None], state, kind, frame.table, marks) == [view]


def test_restoring_after_a_ball_was_touched_is_checked():
    for name, observed, offered in (
        ("mid_frame", (), False),
        ("mid_frame", "hampered", True),
        ("snookered_behind_brown", (), True),
    ):
        playing = session("current", 1, 1)
        playing.frames = [rules.Frame.named(name)]
        touched = {"touched": "cue", "observed": ["no_stroke", *([observed] if observed else [])]}
        told = rules.facts(playing.frames[0], **touched)
        facts = rules.state.FactsArrays(*(np.array([value]) for value in told))
        batch = rules.Frames.of(playing.frames)
        nothing = np.zeros(1, np.int64)
        rulings = batch.referee(facts, nothing, batch.positions)
        choice = self_play.Choice(nothing, np.full((1, 2), np.nan), batch.positions, None)
        strokes = self_play.strokes_of(batch, choice, facts, batch.positions, rulings, batch.states[:, SCORES:][:, :2])
        assert frame_checks.violations(strokes) == {}
        halves = spoilt(strokes, state("options", lambda old, r: old ^ rules.state.KEEP_BALL_ON))
        assert "restore" in frame_checks.violations(halves)
        assert bool(rulings.states[0, COLUMN["options"]] & rules.state.RESTORE) == offered
        assert "restore" in frame_checks.violations(spoilt(strokes, SPOILERS["restore"]))


SPOTS = place_checks.spots_of(START.table)
D = 2.0 * START.ruleset.ball_radius


@pytest.mark.parametrize(
    ("others", "place", "right"),
    [
        ({}, SPOTS[4], True),
        ({}, SPOTS[4] + (0.0, 1e-12), False),
        ({}, SPOTS[6], False),  # its own spot is free
        ({8: SPOTS[4]}, SPOTS[6], True),
        ({8: SPOTS[4]}, SPOTS[5], False),  # a higher spot is free
        ({8: SPOTS[4], 9: SPOTS[6]}, SPOTS[5], True),
        ({7 + k: SPOTS[k] for k in range(1, 7)}, SPOTS[4] + (0.0, D + 1e-6), True),
        ({7 + k: SPOTS[k] for k in range(1, 7)}, SPOTS[4] + (0.0, D + 1e-5), False),  # not as near as possible
        ({7 + k: SPOTS[k] for k in range(1, 7)}, SPOTS[4] + (D + 1e-6, 0.0), False),  # not on the line
        ({7 + k: SPOTS[k] for k in range(1, 6)}, SPOTS[4] + (0.0, D + 1e-6), False),  # the black's spot is free
    ],
)
def test_where_the_blue_may_be_spotted(others, place, right):
    layout = np.full((1, 22, 2), np.nan)
    layout[0, 4] = place
    for ball, at in others.items():
        layout[0, ball] = at
    marks = place_checks.marks_of(START.table, START.ruleset)
    wrong = place_checks.misplaced(layout, np.array([1 << 4]), START.table, marks)
    assert (wrong[0, place_checks.WRONG_SPOT] == 0) == right


@pytest.mark.parametrize("incident", INCIDENTS)
def test_incidents_leave_facts_that_the_referee_takes(incident, monkeypatch):
    monkeypatch.setattr(bench_incidents, "INCIDENTS", (incident,))
    rng = np.random.default_rng(4)
    frame = rules.Frame.named("mid_frame")
    told = False
    for turn in range(20):
        potted = "red 3" if turn % 2 else ()
        given = rules.facts(frame, first=potted or "blue", potted=potted)
        facts = rules.state.FactsArrays(*(np.array([value]) for value in given))
        ends, layouts = np.array([frame.positions]), np.array([frame.positions])
        if potted:
            ends[0, 9] = np.nan
        add_incidents(facts, ends, layouts, rules.Frames.of([frame]), np.zeros(1, np.int64), 1.0, rng)
        changed_facts = rules.state.Facts(*(column[0].item() for column in facts))
        rules.referee(frame, changed_facts, None, ends[0])
        told |= str(changed_facts) != str(given)
    assert told


def test_a_layout_that_cannot_be_played_is_noticed(capsys):
    playing = session("current", 6, 3)
    advance(playing, 2)
    places = np.array(playing.frames[1].positions)
    places[6] = places[5]
    frame = playing.frames[1]
    playing.frames[1] = rules.Frame(frame.ruleset, frame.state, places, frame.table, frame.before)
    playing.decide()
    playing.stroke()
    assert playing.report.found["unplayable"] == 1
    assert "overlap" in capsys.readouterr().out
    assert len(playing.frames) == 2
    assert self_play.DROPPED in playing.report.ends


def test_put_state_and_columns_agree():
    """The columns that the checks read are those that kernels write."""
    row = np.zeros((1, rules.state.N_STATE), np.int64)
    given = FrameState(*range(1, SCORES + 1), scores=tuple(range(20, 26)))
    put_state(row, 0, given)
    read = frame_checks.columns(row)
    assert [int(value[0]) for value in read[:-1]] == list(given[:-1])
    assert read.scores[0].tolist() == list(given.scores)
