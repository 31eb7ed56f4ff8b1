"""A scorer's session: calls and score after each line, back and forth, refused lines, whole matches."""

import contextlib
import random
import re
from dataclasses import replace

import pytest

import rules
from rules.records.text import print_records
from rules.scoring.scorer import COMMANDS, HELP, Scorer
from rules.scoring.shorthand import DECISIONS, SEEN


def entered(scorer, *lines):
    """The session after the lines, and what was said to the last of them."""
    said = []
    for line in lines:
        scorer, said = scorer.enter(line)
    return scorer, said


def state(scorer):
    """What is scored, whatever was typed."""
    return scorer.match, scorer.records


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
                "Points of the frames, Ann – Bob: 0–147",
                "Highest breaks: Ann 0, Bob 0",
            ],
        ),
        (
            ["forfeit_match bob"],
            [
                "  forfeit_match 1",
                "The match is awarded against Bob. Frame to Ann, 147–0.",
                "Frames 1–0. Ann wins the match.",
                "Points of the frames, Ann – Bob: 147–0",
                "Highest breaks: Ann 0, Bob 0",
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
    assert said[-3:] == [
        "Frames 1–2. Bob wins the match.",
        "Points of the frames, Ann – Bob: 0–0, 0–1, 0–0",
        "Highest breaks: Ann 0, Bob 1",
    ]
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
        assert state(scorer) == state(moment)
    assert said[0] == "undone: r (Ann: Red, break 1.)"
    with pytest.raises(ValueError, match="nothing to undo"):
        scorer.enter("undo")
    ruled = [
        "Ann: Red, break 1.",
        "Ann: Black, break 8.",
        "Ann: Foul, 5 points",
        "Bob plays. Bob: Red",
        "Bob concedes",
        "",
        "Bob",
    ]
    for line, words, moment in zip(lines, ruled, moments[1:], strict=True):
        scorer, said = entered(scorer, "redo")
        assert said[0].startswith(f"redone: {line} ({words}" if words else f"redone: {line}")
        assert state(scorer) == state(moment)
    for text in ("", "score"):
        assert entered(entered(scorer, "undo", text)[0], "redo")[0] == scorer
    with pytest.raises(ValueError, match="nothing to redo"):
        entered(scorer, "undo", "r", "redo")


def test_the_board_tells_what_is_left_and_the_snookers_needed():
    scorer, said = session(*["r", "bk"] * 14, "score")
    assert said == [
        "Frame 1, best of 1, frames 0–0",
        "  Ann: 112, 112 ahead, 35 available",
        "  Bob: 0, 112 behind, 35 available",
        "Ann: red on, break 112, 35 left.",
        "Bob needs 20 snookers: 112 behind, 35 available.",
    ]
    assert entered(scorer, "foul bk")[1][-1] == "Bob needs 18 snookers: 105 behind, 35 available."
    assert entered(scorer, "concede", "score")[1][1:] == [
        "Frames 0–1. Bob wins the match.",
        "Points of the frames, Ann – Bob: 112–0",
        "Highest breaks: Ann 112, Bob 0",
    ]


def test_snookers_needed_are_told_when_they_change():
    scorer, said = session(*["r", "bk"] * 14)
    assert said[-1].startswith("Bob needs 20 snookers")
    assert "needs" not in entered(scorer, "-")[1][-1]
    assert entered(scorer, "-", "score")[1][-1].startswith("Bob needs 20 snookers")


def test_the_board_between_frames_tells_those_that_are_over():
    _, said = session("r", "bk", "concede", "score", best_of=3)
    assert said == [
        "Frame 1, best of 3, frames 0–1",
        "Frames 0–1.",
        "Frame 2: Bob to break off.",
        "Points of the frames, Ann – Bob: 8–0",
        "Highest breaks: Ann 8, Bob 0",
    ]


def test_a_claim_is_said_to_be_open():
    lines = [" ".join(["r"] * 15), "y", "y", "gr", "br", "bl", "p"]
    assert session(*lines)[1][-1].endswith("black on, break 37, 7 left; claim is open.")


def test_decisions_are_listed_as_they_are_typed():
    assert session("foul full", "decisions")[1] == ["decisions: play, again, back, concede, rerack"]
    assert session("decisions")[1] == ["decisions: concede, rerack"]


def test_three_misses_lose_the_frame():
    _, said = session("foul full", "back", "foul miss", "back", "foul miss")
    assert said[-3:-1] == ["Frames 0–1. Bob wins the match.", "Points of the frames, Ann – Bob: 0–12"]


@pytest.mark.parametrize(
    ("lines", "text", "message"),
    [
        ((), "foul r", "red is on, so that is no foul: say what the foul was: in "),
        (("r",), "foul bk on bk", "black is on, so that is no foul"),
        (("foul snookered", "free"), "foul gr on gr", "green is on, so that is no foul"),
        ((), "- miss", "miss was observed, yet a ball on was hit"),
        ((), "r full", "full was observed, yet a ball on was hit"),
        ((), "in miss", "miss was observed, yet a ball on was hit"),
        (("r", "- bk", "r"), "touch bl miss", "miss was observed, yet no stroke was made with the cue ball"),
        (("r", "- bk", "r"), "touch bl full", "full was observed, yet no stroke was made with the cue ball"),
        ((), "foul bl hampered", "hampered was observed, yet a stroke was made"),
        (("r",), "bk not_declared", "not_declared was observed, yet a ball was nominated"),
        ((), "touch gr", "the frame begins with its first stroke"),
        ((), "- snookered", "snookered: said of a foul only"),
        ((), "foul behind", "behind was observed, yet no free ball was named"),
        (("foul miss", "back"), "foul full", "full counts only with the first miss"),
        (("foul snookered",), "bl", "the blue is not on: say 'free bl' for the free ball, or 'play bl'"),
        (("foul snookered",), "- gr", "say 'free - gr' for the free ball, or 'play - gr'"),
        (("foul",), "p", "play is typed in full"),
    ],
)
def test_what_cannot_be_meant_is_refused(lines, text, message):
    scorer, _ = session(*lines)
    with pytest.raises(ValueError, match=message):
        scorer.enter(text)


def test_what_can_be_meant_is_not():
    assert session("foul r push")[0].match.frame.scores == (0, 4)
    assert session("foul snookered", "play bl")[0].match.frame.scores == (5, 4)
    assert session("foul", "play p")[0].match.frame.scores == (6, 4)
    assert session("foul full", "back", "foul full")[0].match.frame.scores == (0, 8)


def test_a_colour_told_with_red_on_may_be_a_forgotten_red():
    hint = "(red was on; undo if a red was left out)"
    assert hint in session("bk")[1]
    assert hint in session("- bl")[1]
    for lines in (["foul bk"], ["r", "bk"], ["foul snookered", "free bk"], ["r w"]):
        assert hint not in session(*lines)[1]


def test_a_tie_goes_to_the_lot():
    scorer, said = session(" ".join(["r"] * 15), "y", "y", "gr", "-", "br", "bl", "p", "bk")
    assert said[-2:] == [
        "Bob: Black, break 22. Scores level: the black is re-spotted.",
        "Ann 22 – Bob 22. Lot: Ann, Bob?",
    ]
    assert scorer.prompt == "lot?> "
    scorer, said = entered(scorer, "Bob")
    assert said[-1] == "Ann 22 – Bob 22. Bob: black on, break 0, 7 left."
    assert entered(scorer, "foul")[1][-2] == "Points of the frames, Ann – Bob: 29–22"


def test_a_match_may_be_forfeited_between_frames():
    scorer, said = session("concede", "forfeit_match Ann", best_of=5)
    assert said[-3:-1] == ["Frames 0–3. Bob wins the match.", "Points of the frames, Ann – Bob: 0–0, 0–0, 0–0"]
    assert len(scorer.records) == 1
    assert state(Scorer.resume(rules.parse_records(print_records(scorer.records)))) == state(scorer)


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("zz", "'zz' is not known"),
        ("foul 4", "tell what happened, not the points"),
        ("play", "play is not offered"),
        ("undo 2", "undo stands alone"),
        ("foul; pot red", "yet nothing was hit or touched"),
        ("order a", "order: it is chosen between frames"),
        ("first red; pot red 16", "'red 16' is not a ball"),
    ],
)
def test_a_wrong_line_is_refused(text, message):
    scorer, _ = session("r", "bk")
    with pytest.raises(ValueError, match=message):
        scorer.enter(text)


def test_other_things_than_text_are_refused():
    with pytest.raises(TypeError, match="text = None"):
        Scorer.start().enter(None)


def test_the_help_names_all_that_can_be_typed():
    words = set(re.findall(r"\w+|- ", HELP))
    assert {*COMMANDS, "order", "safe", "try", "foul", "in", "touch", "free", "- "} <= words
    assert "  foul on bk " in HELP
    for word in ("play", "free", "again", "back", "hand", "keep", "replace", "concede", "claim", "rerack"):
        assert word in DECISIONS
        assert word in words
    assert {"miss", "full", "snookered", "behind", "push", "twice", "feet", "jump", "hampered"} <= set(SEEN) & words
    assert max(map(len, HELP.splitlines())) <= 120


def test_help_is_given_however_it_is_asked_for():
    for text in ("help", "help me", "?"):
        assert session(text)[1] == HELP.splitlines()


def test_the_frame_is_shown_in_its_notation():
    scorer, (text,) = session("r", "frame")
    assert rules.Frame.from_text(text) == scorer.match.frame


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
    "foul w",
    "free gr",
    "free foul r on gr",
    "free",
    "play r",
    "play bl twice",
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
        with contextlib.suppress(ValueError):
            scorer, _ = scorer.enter(rng.choices(VOCABULARY, weights)[0])
    records = rules.parse_records(print_records(scorer.records))
    assert records == scorer.records
    assert [record.steps for record in records] == [unnamed(record) for record in scorer.records]
    again = Scorer.resume(records)
    assert state(again) == state(scorer)
    assert again.enter("score") == (again, scorer.board())
    while again.at:
        again, _ = again.undo()
    assert again.match == Scorer.start(["Ann", "Bob"], best_of=5, edition=edition).match


def unnamed(record):
    """The steps of a record as they are before they belong to a match."""
    return tuple(replace(step, number=0, player="") for step in record.steps)


# --- what is kept ----------------------------------------------------------------------------------------------------


def reread(scorer):
    return Scorer.resume(rules.parse_records(print_records(scorer.records)))


def test_the_records_are_those_of_the_match():
    scorer, _ = session("r", "bk", "- safe", "foul bl", "play", "concede", "-", best_of=3, edition="1995")
    assert rules.match_records(scorer.match) == scorer.records
    assert [step.told.intended for step in scorer.match.history if step.ruling] == ["", "", "safety", "", ""]
    assert scorer.records[0].final.scores == scorer.match.results[0].scores == (13, 0)
    assert scorer.match.striker == "Ann"
    assert [dict(record.tags) for record in scorer.records] == [
        {"Match": "best of 3", "Frame": "1", "Players": "Ann; Bob"},
        {"Frame": "2", "Players": "Ann; Bob"},
    ]


def test_pairs_read_back_are_the_same_match():
    names = ("Al", "Bo", "Cy", "Di")
    lines = ["# Cy is late", "r", "concede", "order Bo; Cy; Di; Al", "-", "foul", "# rain"]
    scorer, _ = session(*lines, players=names, pairs=True, best_of=3)
    again = reread(scorer)
    assert [moment.text for moment in again.moments[1:]] == [
        "first red 1; pot red 1",
        "concede",
        "first red 1",
        "nothing",
    ]
    assert (again.match.players, again.match.order) == (names, ("Bo", "Cy", "Di", "Al"))
    assert again.match == scorer.match
    assert again.records == scorer.records


def test_comments_belong_to_what_follows():
    scorer, _ = session("# one", "# two", "-", "# three")
    assert reread(scorer).records == scorer.records
    assert scorer.records[-1].entries[0].comments == ("one", "two")
    assert scorer.records[-1].comments == ("three",)
    with pytest.raises(ValueError, match="printable"):
        scorer.enter("# a\u2028b")


def test_other_tags_are_kept_and_go_on_in_the_frames_that_follow():
    text = print_records(session("concede", best_of=3)[0].records).replace("[Frame", '[Event "Club night"]\n[Frame', 1)
    scorer, _ = entered(Scorer.resume(rules.parse_records(text)), "-")
    assert [dict(record.tags).get("Event") for record in scorer.records] == ["Club night"] * 2
    assert [dict(record.tags).get("Match") for record in scorer.records] == ["best of 3", None]


def test_comments_between_frames_belong_to_the_next():
    over, next_frame = print_records(session("concede", "-", best_of=3)[0].records).split("\n\n[")
    scorer = Scorer.resume(rules.parse_records(f"{over}\n# lunch\n\n[{next_frame}"))
    assert scorer.records[1].entries[0].comments == ("lunch",)


def test_a_frame_opened_by_the_wrong_side_is_read_back():
    one, two = session("concede", "-", best_of=3)[0].records
    wrong = rules.Record(rules.Frame.start(positions_known=0), two.entries, two.tags)
    scorer = Scorer.resume([one, wrong])
    assert (scorer.match.striker, scorer.match.number) == ("Bob", 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": ["Ann"]}, "n_players = 1"),
        ({"players": ["Ann", "Ann"]}, "named twice"),
        ({"players": ["Ann", ""]}, "not a name"),
        ({"players": ["Ann", "Bob; Cy"]}, "no comma or semicolon"),
        ({"players": ["Ann", "Bob"], "pairs": True}, "2 names, expected 4"),
        ({"best_of": 2}, "odd"),
        ({"edition": "1066"}, "edition '1066'"),
    ],
)
def test_settings_that_do_not_fit(settings, message):
    with pytest.raises(ValueError, match=message):
        Scorer.start(**settings)


def test_records_of_something_else_are_refused():
    with pytest.raises(ValueError, match="no record"):
        Scorer.resume([])
    with pytest.raises(ValueError, match="frame 1: there is no tag Players"):
        Scorer.resume([rules.Record(rules.Frame.start(positions_known=0))])
    with pytest.raises(ValueError, match="positions_known"):
        Scorer.resume(rules.match_records(rules.Match.start(["Ann", "Bob"])))
    one, two = session("concede", "concede", best_of=3)[0].records
    for records in ([one, one], [two, one], [one, two, two]):
        with pytest.raises(ValueError, match=r"frame [123]: "):
            Scorer.resume(records)


def test_names_that_differ_in_case_only_are_told_as_they_are_written():
    scorer = Scorer.start(["Ann", "ANN"])
    assert scorer.enter("forfeit ANN")[0].match.frame.state.winner == 0
    assert scorer.enter("forfeit Ann")[0].match.frame.state.winner == 1
    with pytest.raises(ValueError, match="'ann' may be Ann or ANN"):
        scorer.enter("forfeit ann")


def test_names_that_could_not_be_typed_or_written_are_refused():
    for name in ("Ann  Lee", "Ann\tLee", "Ann, X"):
        with pytest.raises(ValueError, match="single spaces inside the name only"):
            Scorer.start([name, "Bob"])
