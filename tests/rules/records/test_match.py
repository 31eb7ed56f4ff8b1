"""Records of matches: a match written and read is the same match, and frames that do not follow are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
import simcore
from rules.records.calls import transcript
from rules.records.text import print_records
from tests.rules.records.test_lines import bare
from tests.rules.test_match import ACTIONS, FORMS, one
from tests.rules.told_strokes import clear, miss, pot, tied, told

PAIRS = [["Ann", "Al"], ["Ben", "Bo"]]


def written_and_read(match, tags=()):
    return rules.match_of(rules.parse_records(print_records(rules.match_records(match, tags))))


def same(match):
    """The match comes back equal, bit for bit."""
    again = written_and_read(match)
    assert again == match
    assert [bare(step.entry.line) for step in again.history] == [bare(step.entry.line) for step in match.history]
    return True


def lost(match, winner):
    """The match after a frame that the other side forfeits."""
    match = match.next_frame() if match.frame.is_over else match
    return match.forfeit(match.sides[1 - winner][0])


@given(st.sampled_from(sorted(FORMS)), st.lists(ACTIONS, min_size=1, max_size=2), st.integers(0, 1))
@settings(max_examples=15, deadline=None)
def test_a_match_comes_back_equal(name, frames, first):
    match = rules.Match.start(**FORMS[name][0], best_of=5, first=first)
    for actions in frames:
        match = match.next_frame() if match.frame.is_over else match
        for action in actions:
            if not match.frame.is_over and match.frame.phase != "respotted":
                match = one(match, action)
        match = match if match.frame.is_over else match.decide("concede")
        if match.is_over:
            break
    assert same(match)


def test_a_match_between_frames_and_before_the_first_stroke():
    match = rules.Match.start(["Ann", "Ben"], best_of=3, first=1)
    assert same(match)
    assert same(lost(match, 0))
    assert same(lost(match, 0).next_frame())
    assert same(lost(lost(match, 0), 0))


def test_what_was_read_is_not_ruled_again():
    match = miss(pot(rules.Match.start(["Ann", "Ben"]), "red"))
    (record,) = rules.match_records(match)
    assert [step.ruling for step in record.steps] == [step.ruling for step in match.history]
    (record,) = rules.parse_records(print_records([record]))
    again = rules.match_of([record])
    assert all(mine.ruling is told.ruling for mine, told in zip(again.history, record.steps, strict=True))


def test_comments_come_back_with_the_lines_they_are_on():
    match = lost(rules.Match.start(["Ann", "Ben"], best_of=3), 0).next_frame()
    match = match.with_line(rules.DecisionLine("concede"), ["lunch", "rain"])
    assert same(match)
    assert written_and_read(match).history[-1].entry.comments == ("lunch", "rain")


def test_pairs_and_teams_keep_their_orders():
    match = lost(rules.Match.start(PAIRS, n_players=4, best_of=3), 0).next_frame(["Bo", "Al", "Ben", "Ann"])
    assert same(pot(match, "red"))
    teams = rules.Match.start(PAIRS, order=["Al", "Ben"], best_of=3)
    assert same(teams.forfeit("Al").next_frame(["Bo", "Ann"]))
    assert dict(rules.match_records(teams)[0].tags)["Sides"] == "Ann, Al; Ben, Bo"


def test_a_frame_opened_by_the_wrong_side():
    match = lost(rules.Match.start(["Ann", "Ben"], best_of=5), 0)
    assert same(miss(match.next_frame(opener=0)))


def test_aggregate_matches_and_games():
    match = rules.Match.start(["Ann", "Ben"], best_of=2, games=3, aggregate=True)
    for _ in range(3):
        match = lost(match, 1)
    assert same(clear(match.next_frame()))
    assert dict(rules.match_records(match)[0].tags)["Match"] == "best of 2; games 3; aggregate"
    assert same(clear(rules.Match.start(["Ann", "Ben"], edition="1995", feet_foul=0)))


def test_the_longest_match_reads_back_and_none_is_longer():
    assert same(rules.Match.start(["Ann", "Ben"], best_of=9999, games=9999))
    assert same(rules.Match.start(["Ann", "Ben"], best_of=9998, aggregate=True))
    for name, number in (("best_of", 10_001), ("best_of", 0), ("games", 10_000), ("games", 0)):
        with pytest.raises(ValueError, match=f"{name} = {number}: expected 1 to 9999"):
            rules.Match.start(["Ann", "Ben"], **{name: number})


def test_forfeits():
    match = rules.Match.start(["Ann", "Ben"], best_of=5)
    assert same(pot(match, "red").forfeit_match("Ann"))
    assert same(lost(match, 0).forfeit_match("Ann"))
    assert same(match.forfeit("Ann").next_frame().forfeit_match("Ben"))
    three = rules.Match.start(["Ann", "Ben", "Cy"], best_of=3)
    assert same(three.forfeit_match("Cy"))


def test_a_player_who_does_not_play_the_frame_is_told_by_his_side():
    match = rules.Match.start(PAIRS, order=["Al", "Ben"]).forfeit("Bo")
    again = written_and_read(match)
    assert again.history[-1].player == "Ben"
    assert again.results == match.results


def test_simulated_strokes_and_what_was_meant_are_kept():
    match = rules.Match.start(["Ann", "Ben"])
    shot = simcore.Shots(4.0, 1.5, 0.0, 0.2, 0.1)
    match = match.play(rules.Strokes(shot, None, (0.8, 0.6)), intended="safety")
    match = match.decide("play") if match.frame.options else match
    assert same(match)
    assert same(told(match, first="red", potted="red", intended="red 3"))


def test_a_tie_on_the_black_comes_back():
    match = tied(rules.Match.start(["Ann", "Ben"]))
    assert match.frame.phase == "respotted"
    for chosen in (match, match.decide("player_1_first"), pot(match.decide("player_1_first"), "black")):
        assert same(chosen)
    aggregate = tied(rules.Match.start(["Ann", "Ben"], best_of=2, aggregate=True))
    assert same(aggregate)
    assert same(pot(tied(aggregate.next_frame()).decide("player_0_first"), "black"))


def test_other_tags_are_in_every_record():
    match = lost(rules.Match.start(["Ann", "Ben"], best_of=3), 0).next_frame()
    records = rules.match_records(match, [("Event", "Cup")])
    assert [dict(record.tags)["Event"] for record in records] == ["Cup", "Cup"]


# --- refused ---------------------------------------------------------------------------------------------------------


def texts(match):
    return [record.text for record in rules.match_records(match)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("best of 3", "first to 2", "frame 1: tag Match 'first to 2': expected one such as 'best of 5"),
        ("best of 3", "best of 2", "frame 1: best_of = 2"),
        ('[Match "best of 3"]\n', "", "frame 1: tag Match None"),
        ('[Frame "2"]', '[Frame "3"]', "frame 2: tag Frame '3': expected 2"),
        ('[Players "Ann; Ben"]\n', "", "frame 1: there is no tag Players"),
        ('[Frame "2"]\n[Players "Ann; Ben"]', '[Frame "2"]\n[Players "Ben; Ann"]', "frame 2: order"),
        ("snooker/current", "snooker/es", "frame 2: it starts as snooker/current"),
        ("1. referee: forfeit 1 -> frame to side 0, 147:0\n", "", "frame 2: frame 1 is not over"),
    ],
)
def test_frames_that_do_not_follow_are_refused(old, new, message):
    text = "\n".join(texts(lost(lost(rules.Match.start(["Ann", "Ben"], best_of=3), 0), 1)))
    assert old in text
    with pytest.raises(ValueError, match=message):
        rules.match_of(rules.parse_records(text.replace(old, new, 1)))


def test_no_record_is_no_match():
    with pytest.raises(ValueError, match="no record"):
        rules.match_of([])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Ann; A", "no comma or semicolon"),
        ("A, B", "no comma or semicolon"),
        (" Ann", "single spaces inside"),
        ("A\nB", "single spaces inside"),
        ("A\x07", "printable characters"),
    ],
)
def test_names_that_no_record_could_hold_are_refused_before_the_match(name, message):
    with pytest.raises(ValueError, match=message):
        rules.Match.start([name, "Ben"])


# --- called ----------------------------------------------------------------------------------------------------------


def test_the_standing_is_called_after_each_frame():
    match = lost(lost(rules.Match.start(["Ann", "Ben"], best_of=3), 0), 0)
    lines = transcript(rules.match_records(match))
    assert [lines[4], lines[-1]] == ["Frames 1–0.", "Frames 2–0. Ann wins the match."]
    aggregate = rules.Match.start(["Ann", "Ben"], best_of=1, games=2, aggregate=True)
    aggregate = lost(lost(aggregate, 0), 1)
    lines = transcript(rules.match_records(aggregate), "es")
    assert lines[-1] == "Juegos: 1–1. Rondas: 0–1. Puntos: 0–147. La partida termina en empate."
    forfeited = rules.match_records(rules.Match.start(["Ann", "Ben"], best_of=3).forfeit_match("Ann"))
    assert transcript(forfeited)[-2:] == [
        "  1    0–147  The match is awarded against Ann. Frame to Ben, 0–147.",
        "Frames 0–2. Ben wins the match.",
    ]
    unfinished = rules.match_records(rules.Match.start(["Ann", "Ben"]))
    assert transcript(unfinished) == ["Frame 1", "Ann – Ben", ""]


def test_a_name_that_could_not_be_written_is_not_read():
    text = rules.match_records(rules.Match.start(["Ann", "Bob"]))[0].text.replace("Ann; Bob", "Ann, X; Bob")
    with pytest.raises(ValueError, match="player 'Ann, X': expected no comma"):
        rules.match_of([rules.Record.from_text(text)])
