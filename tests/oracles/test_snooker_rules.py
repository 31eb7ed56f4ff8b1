"""The second statement of the rules against the worked cases that concern one stroke between two players."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.oracles.snooker_rules import COLOURS, CUE, EDITIONS, OLD, Before, Facts, Jumped, judge

WORKED = {
    case["id"]: case for case in json.loads((Path(__file__).parents[1] / "rules" / "cases.json").read_text("utf-8"))
}
LETTERS = dict(zip("YGNBPK", COLOURS, strict=True))


def reds(count):
    return tuple(f"red {i + 1}" for i in range(count))


def sets(facts):
    """Facts with names in place of sets; "R" is the first red."""
    names = ("first", "potted", "off", "touching", "touching_moved", "touched", "moving", "unspotted")
    return Facts(**{key: frozenset(value) if key in names else value for key, value in facts.items()})


R1, R2, R3 = reds(3)
RED, COLOUR = ("red", (*reds(6), *COLOURS)), ("colour", (*reds(6), *COLOURS))
TEN = ("red", (*reds(10), *COLOURS))
AFTER_LAST = ("colour", COLOURS)


def clearance(lowest):
    return "clearance", COLOURS[COLOURS.index(lowest) :]


BLACK = clearance("black")
RESPOTTED = ("respotted", ("black",))
# id -> phase and balls, facts, further fields of `Before`
INPUT = {
    "C01": (RED, {"first": {R1}}, {}),
    "C02": (("red", (*reds(15), *COLOURS)), {}, {}),
    "C03": (RED, {"first": {R1}, "outside_d": True}, {}),
    "C04": (RED, {"first": {R1}, "potted": {R1}}, {}),
    "C05": (TEN, {"first": {R1}, "potted": {R1, R2, R3}}, {}),
    "C06": (TEN, {"first": {R1}, "potted": {R1, CUE}}, {}),
    "C08": (TEN, {"first": {"black"}}, {}),
    "C09": (TEN, {"first": {"yellow"}}, {}),
    "C10": (TEN, {"first": {R1, "black"}}, {}),
    "C11": (TEN, {"first": {R1, R2}, "potted": {R1}}, {}),
    "C13": (TEN, {"first": {R1}, "off": {"blue"}}, {}),
    "C14": (TEN, {"first": {R1}, "off": {R1}}, {}),
    "C15": (TEN, {"first": {R1}, "off": {CUE}}, {}),
    "C16": (TEN, {"first": {R1}, "double_hit": True}, {}),
    "C17": (COLOUR, {"nominated": "blue", "first": {"blue"}, "potted": {"blue"}, "feet_off_floor": True}, {}),
    "C18": (TEN, {"first": {R1}, "jumped": (Jumped("brown", True, True, True),)}, {}),
    "C19": (TEN, {"first": {R1}, "jumped": (Jumped("brown", landed_beyond=True),)}, {}),
    "C20": (COLOUR, {"nominated": "blue", "first": {"blue"}, "push": True}, {}),
    "C21": (COLOUR, {"nominated": "pink", "first": {"pink"}, "potted": {"pink"}}, {}),
    "C22": (COLOUR, {"nominated": "blue", "first": {"blue"}}, {}),
    "C24": (COLOUR, {"nominated": "black"}, {}),
    "C25": (COLOUR, {"nominated": "yellow"}, {}),
    "C26": (COLOUR, {"nominated": "green", "first": {"green"}, "potted": {"green", R1}}, {}),
    "C27": (COLOUR, {"nominated": "blue", "first": {"blue"}, "potted": {"blue", "pink"}}, {}),
    "C28": (COLOUR, {"nominated": "black", "first": {"black"}, "potted": {"black", CUE}}, {}),
    "C29": (COLOUR, {"touched": {"brown"}, "no_stroke": True}, {}),
    "C31": (RED, {"wrong_cue_ball": True}, {}),
    "C32": (AFTER_LAST, {"nominated": "pink", "first": {"pink"}}, {}),
    "C33": (AFTER_LAST, {"nominated": "black", "first": {"black"}, "potted": {"black"}}, {}),
    "C34": (clearance("yellow"), {"first": {"yellow"}, "potted": {"yellow"}}, {}),
    "C36": (clearance("blue"), {"first": {"pink"}}, {}),
    "C37": (clearance("green"), {"first": {"brown"}}, {}),
    "C38": (clearance("blue"), {"first": {"blue"}, "potted": {"blue", "black"}}, {}),
    "C39": (clearance("green"), {"first": {"green"}, "potted": {"green", CUE}}, {}),
    "C40": (clearance("pink"), {"first": {"pink"}, "double_hit": True}, {}),
    "C42": (clearance("pink"), {"first": {"pink"}, "potted": {"pink"}}, {"scores": (59, 58)}),
    "C43": (BLACK, {"first": {"black"}, "potted": {"black"}}, {"scores": (50, 57)}),
    "C44": (BLACK, {"first": {"black"}, "potted": {"black"}}, {"scores": (50, 40)}),
    "C46": (BLACK, {}, {"scores": (50, 44)}),
    "C47": (BLACK, {"first": {"black"}, "potted": {CUE}}, {"scores": (60, 44)}),
    "C48": (RESPOTTED, {"first": {"black"}, "potted": {"black"}}, {"scores": (57, 57)}),
    "C50": (RESPOTTED, {"first": {"black"}}, {"scores": (57, 57)}),
    "C53": (RED, {"nominated": "green", "first": {"green"}, "potted": {"green"}}, {"free_ball": True}),
    "C54": (
        ("red", (R1, *COLOURS)),
        {"nominated": "blue", "first": {"blue"}, "potted": {"blue"}},
        {"free_ball": True},
    ),
    "C55": (clearance("green"), {"nominated": "pink", "first": {"pink"}, "potted": {"pink"}}, {"free_ball": True}),
    "C56": (clearance("green"), {"nominated": "brown", "first": {"brown"}, "potted": {"green"}}, {"free_ball": True}),
    "C58": (RED, {"nominated": "blue", "first": {"blue"}, "potted": {R1}}, {"free_ball": True}),
    "C59": (RED, {"nominated": "blue", "first": {"blue"}, "potted": {"blue", R1, R2}}, {"free_ball": True}),
    "C60": (RED, {"nominated": "blue", "first": {R1}, "potted": {R1}}, {"free_ball": True}),
    "C61": (
        clearance("yellow"),
        {"nominated": "pink", "first": {"pink", "yellow"}, "potted": {"yellow"}},
        {"free_ball": True},
    ),
    "C62": (
        RED,
        {"nominated": "blue", "first": {"blue"}, "snookered": True, "behind_nominee": True},
        {"free_ball": True},
    ),
    "C64": (
        clearance("pink"),
        {"nominated": "black", "first": {"black"}, "snookered": True, "behind_nominee": True},
        {"free_ball": True},
    ),
    "C65": (RED, {"nominated": "black", "first": {"black"}, "potted": {"black", CUE}}, {"free_ball": True}),
    "C67": (clearance("green"), {"nominated": "black"}, {"free_ball": True}),
    "C75": (RED, {}, {"scores": (20, 15)}),
    "C78": (("red", (R1, *COLOURS)), {}, {"scores": (0, 40)}),
    "C80": (RED, {"clear": False, "impossible": True, "enough_strength": True}, {}),
    "C81": (RED, {}, {}),
    "C82": (RED, {"touched": {CUE}, "no_stroke": True}, {"misses": 2, "full_ball_first": True}),
    "C83": (RED, {"first": {R1}, "potted": {R1}}, {}),
    "C84": (RED, {"touching": {R1}}, {}),
    "C86": (RED, {"touching": {R1}, "touching_moved": {R1}}, {}),
    "C87": (RED, {"touching": {"black"}}, {}),
    "C88": (COLOUR, {"nominated": "yellow", "touching": {"yellow"}}, {}),
    "C100": (TEN, {"first": {R1}, "potted": {R1}, "unspotted": {"black"}}, {"colour_just_scored": 7, "scores": (8, 0)}),
}
CURRENT_MISS = {"C02", "C08", "C09", "C24", "C25", "C36", "C37", "C60", "C67", "C75", "C78", "C81", "C87"}


def ruling_of(name, edition):
    (phase, table), facts, more = INPUT[name]
    return judge(Before(edition, phase, frozenset(table), **more), sets(facts))


def next_on(after):
    if after.phase == "colour":
        return "COLOUR"
    letter = {colour: letter for letter, colour in LETTERS.items()}
    if after.phase == "red":
        return "R"
    (on,) = after.on
    return f"{'RSB' if after.phase == 'respotted' else 'CLEAR'}({letter[on]})"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", INPUT)
def test_worked_case(name, edition):
    expect, after = WORKED[name]["expect"], ruling_of(name, edition)
    assert (after.points, after.penalty) == (expect["pts"], expect["pen"])
    assert after.over == expect["frame_over"].startswith("yes")
    if after.over:
        winner = 0 if ", A " in expect["frame_over"] else 1
        assert after.winner == winner
        return
    assert next_on(after) == expect["next_on"]
    assert {None: "l", 0: "A", 1: "B"}[after.next_player] == expect["next_player"][0]
    spotted = {LETTERS[letter] for letter in expect["respot"].split(",")} if expect["respot"] != "-" else set()
    assert after.spotted == spotted
    assert after.in_hand == (expect["cue"] == "in hand D")
    assert after.free_ball == expect["free_ball"].startswith("yes")


@pytest.mark.parametrize("name", INPUT)
def test_miss_in_the_current_edition(name):
    expect, after = WORKED[name]["expect"], ruling_of(name, "current")
    assert after.miss == (expect["miss"].split()[0] in ("yes", "per", "yes,"))
    assert after.miss == (name in CURRENT_MISS - {"C78"})


def test_a_third_miss_with_a_full_ball_loses_the_frame_in_the_modern_text_only():
    def third(edition):
        before = Before(edition, "red", frozenset(RED[1]), misses=2, full_ball_first=True)
        return judge(before, Facts(full_ball=True, miss_judged=True))

    assert (third("current").over, third("current").winner) == (True, 1)  # C76
    assert not third("1995").over
    assert not third("es").over


def test_an_early_stroke_cancels_the_colour_in_the_modern_text_only():
    assert [ruling_of("C100", edition).scores for edition in EDITIONS] == [(1, 7), (8, 7), (8, 7)]


@pytest.mark.parametrize("edition", OLD)
def test_a_ball_that_was_flown_over_is_missed_itself_and_no_other(edition):
    before = Before(edition, "red", frozenset(RED[1]))
    flown = {
        "jumped": (Jumped(R1, before_first_contact=True, obstructed=True, landed_beyond=True),),
        "miss_judged": True,
    }
    assert judge(before, sets({"first": {R1}, **flown})).miss, "2.19 note 1"
    assert not judge(before, sets({"first": {R2}, **flown})).miss, "another ball on was hit"
    assert judge(before, sets({"first": {"black"}, **flown})).miss


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_the_current_text_warns(edition):
    before = Before(edition, "red", frozenset(RED[1]), misses=2, full_ball_first=True)
    assert judge(before, Facts(no_stroke=True)).warned == (edition == "current")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_hampered_striker_who_touches_a_ball(edition):
    touched = Facts(touched=frozenset({CUE}), no_stroke=True)
    for facts in (replace(touched, hampered=True), replace(touched, snookered_before=True)):
        found = judge(Before(edition, "colour", frozenset(COLOURS)), facts).options
        others = {"restore", "same ball on", "balls replaced"} if edition == "current" else set()
        assert found == {"play", "play again", *others}
    assert judge(Before(edition, "red", frozenset(RED[1])), touched).options == {"play", "play again"}
