"""The worked cases of the specification, each a test by its id (rules/cases.json; how to read them: spec 14)."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import rules
from rules.bed import bed_of
from rules.files import frame_of
from rules.ruleset import KIND_NAMES, RED
from rules.snookered import snooker_at
from rules.state import PLAY, PLAY_AGAIN, RESTORE

CASES = {case["id"]: case for case in json.loads((Path(__file__).parent / "cases.json").read_text())}
LETTERS = dict(zip("WYGNBPKR", KIND_NAMES, strict=True))
HERE = [i for i in CASES if i[0] == "C" and int(i[1:]) <= 40]
BEYOND = [
    "C42",
    "C43",
    "C44",
    "C46",
    "C47",
    "C48",
    "C50",
    "C53",
    "C54",
    "C55",
    "C56",
    "C58",
    "C59",
    "C60",
    "C61",
    "C65",
    "C67",
    "C84",
    "C86",
    "C87",
    "C88",
]
SPOTS = {
    "yellow": (1.181, 0.737),
    "green": (0.597, 0.737),
    "brown": (0.889, 0.737),
    "blue": (0.889, 1.7845),
    "pink": (0.889, 2.67675),
    "black": (0.889, 3.245),
}
RACK = np.array(rules.Frame.start().positions[RED:])
SCATTER = [(0.3 + 0.2 * (i % 6), 2.85 + 0.12 * (i // 6)) for i in range(15)]
BEHIND = 0.057  # m from the centre of the ball that hides everything to the cue ball's
TOUCHING = 0.0525


def editions(case):
    return [case["edition"]] if case["edition"] in ("current", "1995") else ["current", "1995"]


ALL = [
    pytest.param(CASES[name], edition, id=f"{name}-{edition}")
    for name in HERE + BEYOND
    for edition in editions(CASES[name])
]


def number(text, default):
    found = re.search(r"(\d+) red", text)
    return int(found[1]) if found else default


def phase_of(case):
    word, _, free = case["phase"].partition("+")
    letter = re.search(r"\((\w)\)", word)
    name = {"RED": "red", "COLOUR": "colour", "RSB": "respotted"}.get(word, "clearance")
    return name, LETTERS[letter[1]] if letter else None, bool(free)


def document(case, edition, scores, cue):
    phase, lowest, free = phase_of(case)
    n_reds = number(case["setup"], 6 if phase in ("red", "colour") else 0)
    if "start" in case["setup"]:
        n_reds = 15
    left = KIND_NAMES[KIND_NAMES.index(lowest) if lowest else 1 : RED]
    if phase == "respotted":
        left = ("black",)
    given = {LETTERS[key[0]]: value for key, value in case.get("positions", {}).items() if key[0] != "R"}
    balls = {name: list(given.get(name, SPOTS[name])) if name in left else None for name in SPOTS}
    reds = RACK.tolist() if n_reds == 15 else [list(place) for place in SCATTER[:n_reds]]
    return {
        "game": "snooker",
        "edition": edition,
        "balls": {"cue": cue, **balls, "red": reds},
        "frame": {
            "phase": phase,
            "free_ball": "offered" if free else None,
            "scores": scores,
            "striker": 0,
            "cue_in_hand": cue is None,
        },
    }


def targets_and_others(frame):
    """Balls the next player would have on, and the rest, as sets."""
    balls = frame.state.on_table & ~1
    reds = balls & frame.ruleset.kind_masks[RED]
    on = reds or balls & -balls
    return on, balls & ~on


def is_snookered(frame, positions, cue):
    on, others = targets_and_others(frame)
    bed = bed_of(frame.table, frame.ruleset)
    return bool(snooker_at(frame.ruleset, bed, positions, on, others, *cue).is_snookered)


def clear_place(frame):
    """A place from which the ball on is seen on both edges, away from every ball."""
    positions = np.array(frame.positions)
    for place in ((0.42, 2.2), (0.75, 1.2), (1.1, 2.0), (1.35, 1.2), (0.3, 1.0), (0.889, 3.4)):
        apart = np.nanmin(np.hypot(*(positions[1:] - place).T))
        if apart > 0.2 and not is_snookered(frame, positions, place):
            return place
    raise AssertionError("no clear place")


def hidden_place(frame, positions):
    """A place just behind a ball not on, from which no ball on is seen."""
    on, others = targets_and_others(frame)
    seen = positions[[ball for ball in range(22) if on >> ball & 1]].mean(axis=0)
    for ball in (b for b in range(1, 22) if others >> b & 1 and not np.isnan(positions[b, 0])):
        away = positions[ball] - seen
        place = positions[ball] + BEHIND * away / np.hypot(*away)
        if is_snookered(frame, positions, place):
            return place
    raise AssertionError("no hidden place")


def names(word):
    return [LETTERS[letter] for letter in re.findall(r"[WYGNBPKR]", word)]


def facts_of(case, frame):
    """The case's events as facts, and where the cue ball was placed."""
    text = case["events"]
    facts = {"first": [], "potted": [], "off_table": [], "observed": [], "touching": []}
    for part in (part.strip() for part in text.split(";")):
        if part.startswith("first"):
            facts["first"] = names(part.removeprefix("first"))
        elif part.startswith("pot"):
            facts["potted"] = names(part.removeprefix("pot"))
        elif part.startswith("off"):
            facts["off_table"] = names(part.removeprefix("off"))
        elif part.startswith("touching"):
            facts["touching"] = names(part)
            facts |= {"touching_moved": names(part)} if "moved" in part else {}
        elif "double_hit" in part:
            facts["observed"].append("double_hit")
        elif "feet" in part:
            facts["observed"].append("feet_off_floor")
        elif "push" in part:
            facts["observed"].append("push")
        elif part == "flag jump":
            facts["jumped_before"] = "brown"
        elif part == "jump after contact":
            facts["jumped_after"] = "brown"
        elif part.startswith("struck"):
            facts["observed"].append("wrong_cue_ball")
        elif part.startswith("flag touch"):
            facts |= {"touched": "brown", "observed": ["no_stroke"]}
        elif part.startswith("cue placed"):
            along, across = (float(word) / 1000.0 for word in re.findall(r"\d+", part)[:2])
            facts["placed"] = (across, along)
        else:
            raise AssertionError(part)
    if frame.cue_in_hand and "placed" not in facts:
        facts["placed"] = (1.1, 0.65)
    return rules.facts(frame, **facts)


def scores_of(case):
    found = re.search(r"A (\d+) B (\d+)", case["setup"])
    if found:
        return [int(found[1]), int(found[2])]
    level = re.search(r"(\d+)-(\d+)", case["setup"])
    return [int(level[1]), int(level[2])] if level else [0, 0]


def set_up(case, edition, scores=None):
    in_hand = "in hand in D" in case["setup"] or "placed" in case["events"]
    scores = scores or scores_of(case)
    if in_hand:
        return frame_of(document(case, edition, scores, None))
    start = frame_of(document(case, edition, scores, [1.5, 1.8]))
    cue = clear_place(start)
    for name in names(case["events"]) if "touching" in case["events"] else ():
        ball = start.positions[KIND_NAMES.index(name)]
        away = np.array(cue) - ball
        cue = ball + (TOUCHING + 1e-6) * away / np.hypot(*away)
    return frame_of(document(case, edition, scores, [float(x) for x in cue]))


def resting_places(frame, facts, hide):
    """Where the balls come to rest: as they lay, but for a cue ball that ends hidden from the next balls on."""
    after = np.array(frame.positions)
    gone = facts.potted | facts.off_table
    after[[ball for ball in range(22) if gone >> ball & 1]] = np.nan
    if not gone & 1:
        after[0] = (1.3, 1.5) if frame.cue_in_hand else clear_place(frame) if facts.touching else frame.positions[0]
    if hide and gone & 1:
        hide_from_the_d(frame, after)
    elif hide:
        # What falls may come back: the place must be hidden with every ball of the next stroke on the table.
        spotted, _ = rules.referee(frame, facts, decision_of(hide), after)
        after[0] = hidden_place(spotted, np.array(spotted.positions))
    return after


def hide_from_the_d(frame, after):
    """Lay the balls so that from no place in the D the ball on is seen on both edges."""
    along = np.array([-0.163, 0.987])
    reds = [ball for ball in range(RED, 22) if not np.isnan(after[ball, 0])]
    for i, ball in enumerate(reds):
        after[ball] = np.array([0.5, 2.95]) + 0.0526 * i * along
    if reds:
        after[1], after[2] = np.array([0.5, 2.95]) - 0.0527 * along + (0.02, 0.0), (0.43, 2.89)
    else:
        # The brown lies on the green spot, so the green comes back on the black spot, behind pink and black.
        after[3] = SPOTS["green"]
        after[5], after[6] = (0.86, 3.19), (0.916, 3.19)


def decision_of(case):
    letter = case["nominated"]
    return rules.Decision(LETTERS[letter] if letter not in (None, "-") else None)


def run(case, edition, hide=False, scores=None):
    frame = set_up(case, edition, scores)
    facts = facts_of(case, frame)
    after = resting_places(frame, facts, case if hide else None)
    return frame, *rules.referee(frame, facts, decision_of(case), after)


NEXT_ON = {"R": "red", "COLOUR": "colour", "-": ""}


def check_score(case, frame, following, ruling):
    expect = case["expect"]
    assert ruling.points == expect["pts"]
    assert ruling.penalty == expect["pen"]
    assert bool(ruling.fouls) == bool(expect["pen"])
    a, b = frame.scores
    assert following.scores == (a + expect["pts"], b + expect["pen"])


def check_next(case, following, ruling):
    expect = case["expect"]
    player = {"A": 0, "B": 1}.get(expect["next_player"][0])
    assert ruling.next_player == player
    word = re.match(r"(?:CLEAR|RSB)\((\w)\)", expect["next_on"])
    assert ruling.ball_on == (LETTERS[word[1]] if word else NEXT_ON[expect["next_on"]])
    if expect["next_on"].startswith("RSB"):
        assert following.phase == "respotted"
    if expect["cue"] != "-":
        assert following.cue_in_hand == (expect["cue"] == "in hand D")
        assert np.isnan(following.positions[0, 0]) == following.cue_in_hand
    over = expect["frame_over"].startswith("yes")
    assert ruling.frame_over == over
    if over and "frame tied" not in expect["frame_over"]:
        winner = re.search(r"[AB]", expect["frame_over"])
        assert ruling.winner == {"A": 0, "B": 1}[winner[0]]


def check_balls(case, following, ruling):
    expect = case["expect"]
    assert sorted(name for name, _ in ruling.spotted) == sorted(names(expect["respot"]))
    left = re.search(r"(\d+)(?: reds?)? left|reds left (\d+)", expect["note"])
    if left:
        assert following.reds_left == int(left[1] or left[2])
    if "stays off" in expect["note"] and "Y" in expect["note"]:
        assert np.isnan(following.positions[1, 0])


@pytest.mark.parametrize(("case", "edition"), ALL)
def test_case(case, edition):
    frame, following, ruling = run(case, edition)
    check_score(case, frame, following, ruling)
    check_next(case, following, ruling)
    check_balls(case, following, ruling)
    expect = case["expect"]
    assert not ruling.free_ball, "the next player sees the ball on"
    if edition == "current":
        assert ruling.miss == expect["miss"].startswith(("yes", "per W"))
    else:
        assert not ruling.miss
    if ruling.fouls and not ruling.frame_over and following.phase != "respotted":
        options = PLAY | PLAY_AGAIN | (RESTORE if ruling.miss else 0)
        assert following.state.options == options
    else:
        assert "play_again" not in ruling.options


SNOOKERED = [p for p in ALL if p.values[0]["expect"]["free_ball"] == "iff snookered"]


@pytest.mark.parametrize(("case", "edition"), SNOOKERED)
def test_case_that_leaves_the_next_player_snookered(case, edition):
    frame, following, ruling = run(case, edition, hide=True)
    check_score(case, frame, following, ruling)
    check_next(case, following, ruling)
    check_balls(case, following, ruling)
    assert ruling.free_ball
    again = rules.decide(following, "play_again")
    assert again.striker == 0
    assert not again.state.free_ball, "the free ball was for the other player only"


BY_SCORE = [CASES[i] for i in HERE + BEYOND if CASES[i]["expect"]["miss"].startswith("per W")]


@pytest.mark.parametrize("case", BY_SCORE, ids=lambda case: case["id"])
def test_no_miss_with_snookers_needed(case):
    _, following, ruling = run(case, "current", scores=[0, 140])
    assert ruling.penalty == case["expect"]["pen"]
    assert not ruling.miss
    assert "restore" not in following.options


def test_every_case_up_to_c40_is_here():
    assert len(HERE) == 35
