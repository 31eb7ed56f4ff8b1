"""A scorer's session: calls and score after each line, back and forth, refused lines, whole matches."""

import random

import pytest

import rules
from rules.record_text import print_records
from rules.scorer import COMMANDS, HELP, Scorer
from rules.shorthand import DECISIONS, SEEN, VERBS


def entered(scorer, *lines):
    """The session after the lines, and what was said to the last of them."""
    said = []
    for line in lines:
        scorer, said = scorer.enter(line)
    return scorer, said


def session(*lines, players=("Ann", "Bob"), **settings):
    return entered(Scorer.start(players, **settings), *lines)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["r"], ["  first red; pot red", "Ann: Red, break 1.", "Ann 1 – Bob 0. Ann: colour on, break 1, 146 left."]),
        (
            ["r", "bk", "-"],
            ["  first red", "Ann, 8.", "Ann 8 – Bob 0. Bob: red on, break 0, 139 left."],
        ),
        (
            ["foul bl snookered"],
            [
                "  first blue; observed next_snookered",
                "Ann: Foul, 5 points: the cue ball first hit a ball not on. Free ball.",
                "Ann 0 – Bob 5. Bob: play, free, again?",
            ],
        ),
        (
            ["foul snookered", "free gr"],
            [
                "  decide free_ball",
                "Bob takes the free ball.",
                "  first green; pot green; nominated green",
                "Bob: Nominated: green. Green, break 1.",
                "Ann 0 – Bob 5. Bob: colour on, break 1, 154 left.",
            ],
        ),
        (
            ["foul snookered", "free"],
            [
                "  decide free_ball",
                "Bob takes the free ball.",
                "Ann 0 – Bob 4. Bob: free ball, break 0, 155 left.",
            ],
        ),
        (
            ["forfeit Ann"],
            [
                "  forfeit 0",
                "The frame is awarded against Ann. Frame to Bob, 0–147.",
                "Frames 0–1. Bob wins the match.",
                "(0–147)",
            ],
        ),
        (
            ["forfeit_match bob"],
            [
                "  forfeit_match 1",
                "The match is awarded against Bob. Frame to Ann, 147–0.",
                "Frames 1–0. Ann wins the match.",
                "(147–0)",
            ],
        ),
    ],
)
def test_what_is_said(lines, said):
    assert session(*lines)[1] == said


def test_calls_are_in_the_language_asked_for():
    assert session("r", language="ru")[1][1] == "Ann: Красный, серия 1."
    with pytest.raises(ValueError, match="language 'xx'"):
        Scorer.start(language="xx")


def test_frames_follow_each_other_until_the_match_is_won():
    scorer, said = session("concede", best_of=3)
    assert said[-2:] == ["Frames 0–1.", "Frame 2: Bob to break off."]
    assert scorer.prompt == "Bob> "
    scorer, said = entered(scorer, "r")
    assert said[-1].startswith("Ann 0 – Bob 1. Bob: colour on")
    scorer, said = entered(scorer, "concede", "concede")
    assert said[-2:] == ["Frames 1–2. Bob wins the match.", "(0–0, 0–1, 0–0)"]
    assert scorer.prompt == "match over> "
    with pytest.raises(ValueError, match="the match is over; undo"):
        scorer.enter("r")
    assert entered(scorer, "undo")[0].prompt == "Ann> "


def test_undo_and_redo_go_through_frames_and_decisions():
    lines = ["r", "bk", "foul bl", "r", "concede", "# a note", "r"]
    moments = [Scorer.start(["Ann", "Bob"], best_of=3)]
    for line in lines:
        moments.append(entered(moments[-1], line)[0])
    scorer = moments[-1]
    for moment in reversed(moments[:-1]):
        scorer, said = entered(scorer, "undo")
        assert scorer.sheet == moment.sheet
    assert said[0] == "undone: r"
    with pytest.raises(ValueError, match="nothing to undo"):
        scorer.enter("undo")
    for line, moment in zip(lines, moments[1:], strict=True):
        scorer, said = entered(scorer, "redo")
        assert said[0] == f"redone: {line}"
        assert scorer.sheet == moment.sheet
    for text in ("", "score"):
        assert entered(entered(scorer, "undo", text)[0], "redo")[0].sheet == scorer.sheet
    with pytest.raises(ValueError, match="nothing to redo"):
        entered(scorer, "undo", "r", "redo")


def test_the_board_tells_what_is_left_and_the_snookers_needed():
    scorer, said = session(*["r", "bk"] * 14, "score")
    assert said == [
        "Frame 1, best of 1, frames 0–0",
        "  Ann: 112, 112 ahead, 35 available",
        "  Bob: 0, 112 behind, 35 available",
        "Ann: red on, break 112, 35 left.",
        "Bob needs 20 snookers.",
    ]
    assert entered(scorer, "foul bk")[1][-1] == "Bob needs 18 snookers."
    assert entered(scorer, "concede", "score")[1][1:] == ["Frames 0–1. Bob wins the match.", "(112–0)"]


def test_decisions_are_listed_as_they_are_typed():
    assert session("foul full", "decisions")[1] == ["decisions: play, again, back, concede, rerack"]
    assert session("decisions")[1] == ["decisions: concede, rerack"]


def test_three_misses_lose_the_frame():
    _, said = session("foul full", "back", "foul miss", "back", "foul miss")
    assert said[-2:] == ["Frames 0–1. Bob wins the match.", "(0–12)"]


def test_a_tie_goes_to_the_lot():
    scorer, said = session(" ".join(["r"] * 15), "y", "y", "gr", "-", "br", "bl", "p", "bk")
    assert said[-2:] == [
        "Bob: Black, break 22. Scores level: the black is re-spotted.",
        "Ann 22 – Bob 22. Lot: Ann, Bob?",
    ]
    assert scorer.prompt == "lot?> "
    scorer, said = entered(scorer, "Bob")
    assert said[-1] == "Ann 22 – Bob 22. Bob: black on, break 0, 7 left."
    assert entered(scorer, "foul")[1][-1] == "(29–22)"


def test_a_match_may_be_forfeited_between_frames():
    scorer, said = session("concede", "forfeit_match Ann", best_of=5)
    assert said[-2:] == ["Frames 0–3. Bob wins the match.", "(0–0, 0–0, 0–0)"]
    assert len(scorer.records) == 1
    assert Scorer.resume(rules.parse_records(print_records(scorer.records))).sheet == scorer.sheet


def test_order_of_pairs_is_chosen_between_frames():
    names = ("Al", "Bo", "Cy", "Di")
    scorer, _ = session("concede", players=names, pairs=True, best_of=3)
    chosen, said = entered(scorer, "order Di; Al; Bo; Cy")
    assert said[-1].endswith("Di: red on, break 0, 147 left.")
    assert entered(chosen, "-")[0].prompt == "Al> "
    assert entered(scorer, "-")[0].prompt == "Cy> "
    with pytest.raises(ValueError, match="order"):
        scorer.enter("order Al; Bo; Cy; Di")
    with pytest.raises(ValueError, match="between frames"):
        chosen.enter("order Di; Al; Bo; Cy")


def test_three_players_each_for_himself():
    scorer, said = session("r", "bk", "-", players=("Al", "Bo", "Cy"))
    assert said[-1] == "Al 8 – Bo 0 – Cy 0. Bo: red on, break 0, 139 left."
    assert entered(scorer, "-")[0].prompt == "Cy> "


@pytest.mark.parametrize("text", ["zz", "foul 4", "play", "free", "bk 3", "undo 2", "order a", "first red; pot red 16"])
def test_a_wrong_line_is_refused_and_nothing_lost(text):
    scorer, _ = session("r", "bk")
    with pytest.raises(ValueError, match=r"\w+"):
        scorer.enter(text)
    assert scorer == session("r", "bk")[0]


def test_other_things_than_text_are_refused():
    with pytest.raises(TypeError, match="text = None"):
        Scorer.start().enter(None)


def test_the_help_names_all_that_can_be_typed():
    for word in (*COMMANDS, *VERBS, "order", "save", "quit", "safe", "try", "on", "behind"):
        assert word in HELP
    for word in ("play", "free", "again", "back", "hand", "concede", "claim", "rerack"):
        assert word in DECISIONS
        assert word in HELP
    assert {"miss", "full", "snookered", "behind", "push", "double", "feet", "jump"} <= set(SEEN)
    assert max(map(len, HELP.splitlines())) <= 120


def test_the_frame_is_shown_in_its_notation():
    scorer, (text,) = session("r", "frame")
    assert rules.Frame.from_text(text) == scorer.sheet.frame


VOCABULARY = (
    "r",
    "r r",
    "y",
    "gr",
    "bk",
    "bl w",
    "-",
    "- bk",
    "in",
    "in p",
    "foul",
    "foul full",
    "foul bl",
    "foul r on p miss",
    "foul snookered",
    "touch p",
    "free gr",
    "free",
    "play",
    "again",
    "back",
    "concede",
    "claim",
    "rerack",
    "forfeit Ann",
    "forfeit_match Bob",
    "Bob",
    "# note",
    "undo",
    "redo",
    "r; observed would_be_hit; fell black",
    "-; off cue",
)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_typed_the_records_tell_the_match(seed):
    rng = random.Random(seed)
    edition = rng.choice(("current", "1995", "es"))
    scorer = Scorer.start(["Ann", "Bob"], best_of=5, edition=edition)
    rare = {"concede": 0.1, "forfeit Ann": 0.1, "rerack": 0.1, "forfeit_match Bob": 0.02, "r": 3.0}
    weights = [rare.get(text, 1.0) for text in VOCABULARY]
    for _ in range(120):
        before = scorer
        try:
            scorer, _ = scorer.enter(rng.choices(VOCABULARY, weights)[0])
        except ValueError:
            assert scorer is before
    sheet = scorer.sheet
    assert sheet.frames[-1].final == sheet.frame
    records = rules.parse_records(print_records(scorer.records))
    assert records == scorer.records
    again = Scorer.resume(records)
    assert again.sheet == sheet
    assert again.enter("score") == (again, scorer.board())
    while again.earlier:
        again, _ = again.undo()
    assert again.sheet == Scorer.start(["Ann", "Bob"], best_of=5, edition=edition).sheet
