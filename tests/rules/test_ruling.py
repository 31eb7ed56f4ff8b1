"""The referee beyond the worked cases: others' bugs, options, misses, contradictions, batches (spec 5 to 7)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.ball_on import BallsOn
from rules.faults import FAULT_BITS, FAULTS, StrokeCase, fault_costs
from rules.files import frame_of
from rules.ruleset import RuleSet
from rules.state import OBSERVED_NAMES, Facts, FactsArrays, FrameState, unpack_state

NAN = float("nan")
SPOTS = {name: list(rules.Frame.start().table.spots[name]) for name in ("yellow", "green", "brown", "blue", "pink")}
SPOTS["black"] = list(rules.Frame.start().table.spots["black"])


def frame(phase="red", *, reds=0, left=tuple(SPOTS), scores=(0, 0), cue=(0.42, 2.2), edition="current", free=False):
    return frame_of(
        {
            "game": "snooker",
            "edition": edition,
            "balls": {
                "cue": list(cue) if cue else None,
                **{name: SPOTS[name] if name in left else None for name in SPOTS},
                "red": [[0.3 + 0.2 * (i % 6), 2.85 + 0.12 * (i // 6)] for i in range(reds)],
            },
            "frame": {
                "phase": phase,
                "scores": list(scores),
                "striker": 0,
                "cue_in_hand": cue is None,
                "free_ball": "offered" if free else None,
            },
        }
    )


def rule(before, nominated=None, **facts):
    return rules.referee(before, rules.facts(before, **facts), rules.Decision(nominated))


def fouls(ruling):
    return [foul.name for foul in ruling.fouls]


# Bugs of other programs (rules/scoreboard_bugs.md).


def test_b1_air_shot_at_the_blue_costs_five():
    for left, penalty in ((("blue", "pink", "black"), 5), (("pink", "black"), 6)):
        _, ruling = rule(frame("clearance", left=left))
        assert (ruling.penalty, fouls(ruling)) == (penalty, ["missed_all"])
    _, ruling = rule(frame("clearance", left=("blue", "pink", "black")), first="pink")
    assert ruling.penalty == 6


def test_b2_pink_first_with_the_yellow_on():
    after, ruling = rule(frame("clearance"), first="pink", potted="pink")
    assert ruling.penalty == 6
    assert fouls(ruling) == ["wrong_pot", "wrong_first_contact"]
    assert tuple(after.positions[5]) == tuple(SPOTS["pink"])
    assert after.ball_on == "yellow"


def test_b3_the_winner_is_who_has_more_after_the_pot():
    for scores, winner in (((50, 56), 0), ((40, 56), 1)):
        _, ruling = rule(frame("clearance", left=("black",), scores=scores), first="black", potted="black")
        assert (ruling.frame_over, ruling.winner) == (True, winner)


def test_b4_yellow_in_order_stays_off_but_the_colour_after_the_last_red_comes_back():
    after, ruling = rule(frame("clearance"), first="yellow", potted="yellow")
    assert ruling.spotted == ()
    assert np.isnan(after.positions[1]).all()
    after, ruling = rule(frame("colour"), "yellow", first="yellow", potted="yellow")
    assert [name for name, _ in ruling.spotted] == ["yellow"]
    assert after.phase == "clearance"


def test_b6_level_on_the_black_goes_to_the_lot():
    after, ruling = rule(frame("clearance", left=("black",), scores=(30, 37)), first="black", potted="black")
    assert not ruling.frame_over
    assert ruling.next_player is None
    assert after.options == ("player_0_first", "player_1_first")
    assert after.cue_in_hand
    chosen = rules.decide(after, "player_1_first")
    assert (chosen.striker, chosen.options, chosen.phase) == (1, (), "respotted")
    assert rules.Frame.from_text(chosen.text) == chosen


def test_foul_on_the_black_that_levels_goes_to_the_lot_without_play_again():
    after, ruling = rule(frame("clearance", left=("black",), scores=(57, 50)))
    assert (ruling.penalty, ruling.frame_over, after.phase) == (7, False, "respotted")
    assert "play_again" not in after.options
    assert tuple(after.positions[6]) == tuple(SPOTS["black"])


def test_b11_reds_in_a_foul_stroke_and_three_in_one():
    after, ruling = rule(frame(reds=10), first="red", potted=["red", "red", "cue"])
    assert (ruling.points, ruling.penalty, after.reds_left) == (0, 4, 8)
    after, ruling = rule(frame(reds=10), first="red", potted=["red"] * 3)
    assert (ruling.points, after.reds_left) == (3, 7)


def test_b12_red_potted_when_a_colour_is_on():
    after, ruling = rule(frame("colour", reds=6), "blue", first="blue", potted="red")
    assert (ruling.penalty, after.reds_left, after.ball_on) == (5, 5, "red")
    _, ruling = rule(frame("colour", reds=6), first="red", potted="red")
    assert ruling.penalty == 7
    assert fouls(ruling) == ["wrong_pot", "before_nomination", "successive_red"]
    _, ruling = rule(frame("colour", reds=6), "yellow", first="red")
    assert (ruling.penalty, ruling.foul.name) == (4, "wrong_first_contact")
    _, ruling = rule(frame("colour", reds=6), "yellow", first="red", observed="aimed_at_red")
    assert ruling.penalty == 7
    _, ruling = rule(frame("colour", reds=6, edition="es"), "yellow", first="red")
    assert ruling.penalty == 7


def test_b13_misses_leave_the_ball_on_as_it_was():
    after, _ = rule(frame("clearance", left=("blue", "pink", "black")), first="blue")
    assert (after.ball_on, after.reds_left) == ("blue", 0)
    after, _ = rule(frame("colour", reds=4), "pink", first="pink")
    assert after.ball_on == "red"
    after, _ = rule(frame("colour"), "pink", first="pink")
    assert (after.phase, after.ball_on) == ("clearance", "yellow")


def test_b17_in_off_costs_the_ball_on_and_no_cushion_is_needed():
    _, ruling = rule(frame("colour", reds=6), "black", first="black", potted="cue")
    assert ruling.penalty == 7
    _, ruling = rule(frame(reds=6), first="red")
    assert not ruling.fouls


# All fouls are named; the highest single one counts.


def test_all_fouls_of_a_stroke_are_named_with_their_clauses():
    _, ruling = rule(frame(reds=6), first="pink", potted=["black", "cue"], observed="feet_off_floor")
    assert fouls(ruling) == ["feet_off_floor", "in_off", "wrong_pot", "wrong_first_contact"]
    assert (ruling.penalty, ruling.foul.name) == (7, "wrong_pot")
    assert ruling.foul.clause == "3.10(b)(iii)"
    _, ruling = rule(frame(reds=6, edition="1995"), first="pink")
    assert ruling.foul.clause == "3.11.2(b)"
    assert str(ruling) == (
        "Foul, 6 points: the cue ball first hit a ball not on [3.11.2(b)]. Score 0–6. Player 2: play, play_again?"
    )


@pytest.mark.parametrize(
    ("before", "nominated", "facts", "words"),
    [
        (frame(reds=6), None, {"first": "red", "potted": "red"}, "Red 1, break 1. Score 1–0. Player 1: colour on."),
        (
            frame("colour", reds=6, scores=(1, 0)),
            "black",
            {"first": "black", "potted": "black"},
            "Black, break 7. Black spotted. Score 8–0. Player 1: red on.",
        ),
        (frame(reds=6), None, {"first": "red"}, "No score. Score 0–0. Player 2: red on."),
        (
            frame(reds=6),
            None,
            {"first": "red", "fell": "red 2"},
            "No score. Put back: red 2. Score 0–0. Player 2: red on.",
        ),
        (
            frame(reds=6),
            None,
            {"first": "red", "fell": "red 2", "observed": "would_be_hit"},
            "No score. All balls are put back. Score 0–0. Player 1: red on.",
        ),
        (
            frame("clearance", left=("black",), scores=(50, 57)),
            None,
            {"first": "black", "potted": "black"},
            "Black, break 7. Black spotted. Score 57–57. Scores level: the black is re-spotted."
            " The lot's winner chooses who plays first.",
        ),
        (
            frame("clearance", left=("black",), scores=(50, 40)),
            None,
            {"first": "black", "potted": "cue"},
            "Foul, 7 points: the cue ball was pocketed [3.10(a)(vii)]. Frame to side 1, 50–47.",
        ),
    ],
)
def test_a_ruling_in_the_words_of_the_calls_counts_players_from_one(before, nominated, facts, words):
    assert str(rule(before, nominated, **facts)[1]) == words


def test_a_warning_is_said():
    missed, _ = rule(frame(reds=8))
    _, ruling = rule(rules.decide(missed, "restore"))
    assert "Player 1 is warned: another miss loses the frame. Player 2: play," in str(ruling)


def test_a_free_ball_and_a_tie_that_stands_in_words():
    hidden = np.array(frame(reds=1).positions)
    hidden[0], hidden[7] = (0.889, 0.64), (0.889, 2.9)
    facts = rules.facts(frame(reds=1), first="black", observed="miss_judged")
    ruling = rules.referee(frame(reds=1), facts, None, hidden)[1]
    assert str(ruling).endswith("Score 0–7. Player 2: play, free_ball, play_again, restore?")
    text = frame("clearance", left=("black",), scores=(50, 57)).text.replace(
        " striker", " rule.respot_on_tie=0 striker"
    )
    ruling = rule(rules.Frame.from_text(text), first="black", potted="black")[1]
    assert str(ruling).endswith("The frame is tied, 57–57.")


def test_every_fault_has_a_place_in_the_table_and_every_clause_a_text():
    assert len(set(FAULT_BITS)) == len(FAULTS)
    assert all(clause.old or clause.current for clause in FAULTS)
    case = StrokeCase(RuleSet.named(), FrameState(), Facts(), BallsOn(0, 0, 0, 0, 1), 0, 0, 0)
    assert len(fault_costs(case)) == len(FAULTS)


def test_moving_balls_count_in_the_current_text_only():
    _, ruling = rule(frame(reds=6), first="red", moving="black")
    assert (ruling.penalty, fouls(ruling)) == (7, ["balls_moving"])
    _, ruling = rule(frame(reds=6, edition="1995"), first="red", moving="black")
    assert ruling.penalty == 4


def test_d4_a_wrongly_spotted_ball_is_a_foul_in_the_old_text_only():
    for edition, penalty in (("current", 0), ("1995", 6)):
        before = frame(reds=6, edition=edition)
        places = np.array(before.positions)
        places[5, 0] += 0.002
        before = rules.Frame(before.ruleset, before.state, places, before.table)
        _, ruling = rule(before, first="red", misspotted="pink")
        assert ruling.penalty == penalty
    _, ruling = rule(frame(reds=6), first="red", potted="red", unspotted="black")
    assert (ruling.penalty, fouls(ruling)) == (7, ["not_spotted"])


def test_wheelchair_modification():
    before = frame(reds=6)
    before = rules.Frame(before.ruleset._replace(feet_foul=0), before.state, before.positions, before.table)
    _, ruling = rule(before, first="red", observed="feet_off_floor")
    assert not ruling.fouls


def test_where_the_cue_ball_is_must_be_told():
    before = frame(reds=6, cue=None)
    with pytest.raises(ValueError, match="tell where it was placed"):
        rule(before, first="red")
    after, ruling = rule(before, touched="black", observed="no_stroke")
    assert (ruling.penalty, after.cue_in_hand) == (7, True)
    after, ruling = rule(before, first="red", placed=(0.889, 0.8))
    assert (fouls(ruling), after.cue_in_hand) == (["outside_d"], False)


def test_a_cue_ball_seen_outside_the_d_was_placed():
    """2.7.2: it is in hand no more, though another ball was struck in its stead."""
    before = frame(reds=6, cue=None)
    after, _ = rules.referee(before, rules.facts(before, observed="wrong_cue_ball"), None, before.positions)
    assert after.cue_in_hand
    lying = before.positions.copy()
    lying[0] = 0.889, 0.9
    told = rules.facts(before, observed=["wrong_cue_ball", "placed_outside_d"])
    after, ruling = rules.referee(before, told, None, lying)
    assert not after.cue_in_hand
    assert after.positions[0].tolist() == [0.889, 0.9]
    assert "outside_d" in fouls(ruling)


def test_nomination_understood_from_the_ball_met_first():
    after, ruling = rule(frame("colour", reds=6), first="pink", potted="pink")
    assert (ruling.points, ruling.nominated, after.ball_on) == (6, "pink", "red")
    for facts in ({}, {"first": ["pink", "blue"]}):
        _, ruling = rule(frame("colour", reds=6), **facts)
        assert ruling.penalty == 7


def test_a_free_ball_not_named_is_declined():
    before = frame(reds=2, free=True)
    _, ruling = rule(before, first="blue")
    assert ruling.penalty == 5
    _, ruling = rule(before, first="red", potted="red")
    assert ruling.points == 1


def test_c62_snookering_behind_the_free_ball_and_the_pink_black_exception():
    before = frame(reds=2, free=True)
    places = np.array(before.positions)
    places[:10] = [
        (0.889, 1.0),
        (1.181, 0.737),
        (0.597, 0.737),
        (0.2, 0.2),
        (0.887937, 1.059991),
        (0.3, 0.3),
        (0.4, 0.2),
        (0.85, 3.2),
        (0.93, 3.2),
        (NAN, NAN),
    ]
    _, ruling = rules.referee(before, rules.facts(before, first="blue"), rules.Decision("blue"), places)
    assert (ruling.penalty, fouls(ruling)) == (4, ["snookered_behind_free_ball"])
    assert ruling.free_ball
    before = frame("clearance", left=("pink", "black"), free=True)
    places = np.array(before.positions)
    places[0] = (0.889, 3.2995)
    _, ruling = rules.referee(before, rules.facts(before, first="black"), rules.Decision("black"), places)
    assert not ruling.fouls


# Options and misses.


def test_c66_play_again_ends_the_free_ball():
    before = rules.Frame.named("free_ball_after_foul")
    after, ruling = rule(before, first="black")
    assert ruling.free_ball
    again = rules.decide(after, "play_again")
    assert (again.striker, again.state.free_ball, again.options) == (before.striker, 0, ())
    assert rules.decide(after, "free_ball").state.free_ball == 1
    assert rules.decide(after, "play").state.free_ball == 0, "declined"


def test_c76_three_misses_with_a_full_ball_lose_the_frame():
    first = frame(reds=8, scores=(20, 15))
    missed, ruling = rule(first)
    assert ruling.miss
    for expected_warning in (True, None):
        restored = rules.decide(missed, "restore")
        assert restored.positions.tobytes() == first.positions.tobytes()
        missed, ruling = rule(restored)
        assert ruling.miss
        if expected_warning:
            assert ruling.warned
    assert (ruling.frame_over, ruling.winner, ruling.scores) == (True, 1, (20, 27))


def test_c81_playing_from_the_position_left_starts_a_new_count():
    missed, _ = rule(frame(reds=8))
    again = rules.decide(missed, "play_again")
    missed, ruling = rule(again)
    assert ruling.miss
    assert missed.state.misses == 1


def test_c82_a_foul_while_addressing_keeps_the_warning():
    missed, _ = rule(frame(reds=8))
    missed, ruling = rule(rules.decide(missed, "restore"))
    assert ruling.warned
    restored = rules.decide(missed, "restore")
    after, ruling = rule(restored, touched="cue", observed="no_stroke")
    assert (ruling.penalty, ruling.miss, ruling.frame_over) == (4, False, False)
    assert after.state.misses == 2
    assert "restore" in after.options
    assert rules.decide(after, "restore").positions.tobytes() == restored.positions.tobytes()


PREPARING = {"touched": "cue", "observed": "no_stroke"}  # the cue ball touched before any stroke


@pytest.mark.parametrize(
    ("name", "nominated", "more", "restorable"),
    [
        ("snookered_behind_brown", None, {}, True),
        ("snookered_behind_brown", None, {"observed": ["no_stroke", "hampered"]}, True),
        ("mid_frame", None, {}, False),
        ("mid_frame", None, {"observed": ["no_stroke", "hampered"]}, True),
        ("mid_frame", None, {"touched": "blue", "observed": ["no_stroke", "hampered"]}, True),
        ("mid_frame", None, {"touched": (), "observed": ["no_stroke", "hampered", "off_table_ball_used"]}, False),
        ("free_ball_after_foul", None, {}, True),
        ("free_ball_after_foul", "green", {}, False),  # on the nominee he is not snookered
    ],
)
def test_a_ball_fouled_in_preparing_a_stroke_when_hampered(name, nominated, more, restorable):
    before = rules.Frame.named(name)
    after, ruling = rule(before, nominated, **{**PREPARING, **more})
    assert ("restore" in after.options) == restorable, "WPBSA 3.11(i)"
    assert not ruling.miss, "WPBSA 3.14(e): without a stroke none is called"
    old = frame_of(json.loads(before.to_json()) | {"edition": "1995"})
    assert "restore" not in rule(old, nominated, **{**PREPARING, **more})[0].options


def test_the_balls_that_he_moved_are_put_back_and_the_colour_stays_on():
    before = rules.Frame.named("colour_to_choose")
    facts = rules.facts(before, touched=["cue", "blue"], observed=["no_stroke", "hampered"])
    moved = np.array(before.positions)
    moved[[0, 4]] += (0.013, -0.004)
    after, ruling = rules.referee(before, facts, None, moved)
    assert (ruling.penalty, ruling.scores[1 - before.striker]) == (7, before.scores[1 - before.striker] + 7)
    again = rules.decide(after, "restore")  # WPBSA 3.11(i)(iii): a colour of his choice
    assert (again.striker, again.ball_on, again.options) == (before.striker, "colour", ())
    assert again.positions.tobytes() == before.positions.tobytes()
    assert again.scores == after.scores
    left = rules.decide(after, "play_again")
    assert (left.striker, left.ball_on) == (before.striker, "red")
    assert left.positions[[0, 4]].tobytes() == moved[[0, 4]].tobytes()


@pytest.mark.parametrize(("reds", "following"), [(1, "red"), (0, "yellow")])
def test_either_of_the_two_may_be_asked_for_when_a_colour_was_on(reds, following):
    before = frame("colour", reds=reds, scores=(1, 0))
    facts = rules.facts(before, touched="blue", observed=["no_stroke", "hampered"])
    moved = np.array(before.positions)
    moved[4] += (0.013, -0.004)
    after, _ = rules.referee(before, facts, None, moved)
    assert after.options == ("play", "play_again", "restore", "keep_ball_on", "replace_balls")
    assert rules.Frame.from_text(after.text) == after
    kept = rules.decide(after, "keep_ball_on")  # WPBSA 3.11(i)(iii)
    assert (kept.striker, kept.ball_on, kept.options, kept.before) == (0, "colour", (), None)
    assert kept.positions.tobytes() == after.positions.tobytes()
    replaced = rules.decide(after, "replace_balls")  # WPBSA 3.11(i)(iv)
    assert (replaced.striker, replaced.ball_on, replaced.options) == (0, following, ())
    assert replaced.positions.tobytes() == before.positions.tobytes()
    for again in (kept, replaced):
        assert (again.scores, again.state.misses) == (after.scores, 0)
        assert rules.Frame.from_text(again.text) == again
    assert rule(kept, "black", first="black", potted="black")[1].points == 7
    with pytest.raises(ValueError, match="a colour or a free ball on before the foul, and the rule hampered_restores"):
        rules.Frame.from_text(after.text.replace(" striker=", " rule.hampered_restores=0 striker="))


@pytest.mark.parametrize(("reds", "on"), [(6, "red"), (0, "yellow")])
def test_a_free_ball_stays_on_for_one_who_was_hampered_if_he_is_asked_to_play_at_it(reds, on):
    before = frame("red" if reds else "clearance", reds=reds, free=True)
    facts = rules.facts(before, touched="blue", observed=["no_stroke", "hampered"])
    moved = np.array(before.positions)
    moved[4] += (0.013, -0.004)
    after, _ = rules.referee(before, facts, None, moved)
    assert {"restore", "keep_ball_on", "replace_balls"} <= set(after.options)
    assert rules.Frame.from_text(after.text) == after
    for option, is_free, lying in (
        ("restore", 1, before),
        ("keep_ball_on", 1, after),
        ("replace_balls", 0, before),
        ("play_again", 0, after),
    ):
        again = rules.decide(after, option)
        assert (again.striker, again.state.free_ball, again.ball_on) == (before.striker, is_free, on), option
        assert again.positions.tobytes() == lying.positions.tobytes(), option
        assert rules.Frame.from_text(again.text) == again
    kept = rules.decide(after, "keep_ball_on")
    assert rule(kept, "black", first="black")[1].fouls == ()


def test_with_a_red_on_the_ball_on_is_the_same_in_any_case():
    after, _ = rule(rules.Frame.named("mid_frame"), touched="cue", observed=["no_stroke", "hampered"])
    assert after.options == ("play", "play_again", "restore")
    assert rules.decide(after, "restore").ball_on == rules.decide(after, "play_again").ball_on == "red"


def test_snookered_with_a_colour_to_choose_is_on_every_colour():
    behind = frame("colour", reds=1, cue=(0.889, 0.64), scores=(1, 0))
    assert "restore" not in rule(behind, **PREPARING)[0].options
    assert "restore" in rule(behind, "blue", **PREPARING)[0].options
    assert "restore" not in rule(behind, "yellow", **PREPARING)[0].options


def test_c78_no_miss_when_snookers_are_needed():
    _, ruling = rule(frame(reds=1, scores=(0, 40)))
    assert not ruling.miss
    _, ruling = rule(frame(reds=1, scores=(0, 40)), observed="intentional")
    assert ruling.miss


def test_a_snookered_miss_is_the_referees_judgement():
    before = rules.Frame.named("snookered_behind_brown")
    _, ruling = rule(before)
    assert not ruling.miss
    _, ruling = rule(before, observed="miss_judged")
    assert ruling.miss


def test_decisions_not_offered_are_refused_by_name():
    after, _ = rule(frame(reds=8), first="black", observed="feet_off_floor", potted="cue")
    with pytest.raises(ValueError, match="'in_hand' was not offered; offered: play, play_again"):
        rules.decide(after, "in_hand")
    with pytest.raises(ValueError, match="known: play"):
        rules.decide(after, "resign")
    with pytest.raises(ValueError, match="'play' was not offered; offered: concede, re_rack"):
        rules.decide(frame(reds=8), "play")
    with pytest.raises(ValueError, match="decision pending, one of play"):
        rules.referee(after, Facts())
    following, _ = rules.referee(
        after, rules.facts(after, first="red", placed=(0.889, 0.65)), rules.Decision(option="play")
    )
    assert following.striker == 0


def test_angled_by_the_old_text_may_be_taken_in_hand():
    after, _ = rule(frame(reds=8, edition="1995"), first="red", observed=["feet_off_floor", "angled"])
    taken = rules.decide(after, "in_hand")
    assert taken.cue_in_hand
    assert np.isnan(taken.positions[0]).all()
    after, _ = rule(frame(reds=8), first="red", observed=["feet_off_floor", "angled"])
    assert "in_hand" not in after.options


def test_breaks_add_up():
    current = frame(reds=3)
    current, ruling = rule(current, first="red", potted=["red", "red"])
    current, ruling = rule(current, "black", first="black", potted="black")
    assert (ruling.break_points, current.state.break_points) == (9, 9)
    current, ruling = rule(current, first="red")
    assert (ruling.break_points, current.state.break_points, current.striker) == (9, 0, 1)


# What contradicts what.


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (Facts(first_contacts=1 << 21), "first_contacts: red 15 was not on the table"),
        (Facts(first_contacts=1), "the cue ball cannot be one of them"),
        (Facts(first_contacts=1 << 7, potted=1 << 21), "potted: red 15 was not on the table"),
        (Facts(first_contacts=1 << 7, potted=1 << 6, off_table=1 << 6), "black cannot be in both potted and off_table"),
        (Facts(potted=1 << 7), "red 1, yet nothing was hit or touched"),
        (Facts(first_contacts=1 << 7, observed=1 << OBSERVED_NAMES.index("no_stroke")), "no_stroke was observed"),
        (Facts(first_contacts=1 << 7, touching_moved=1 << 8), "red 2 was not touching"),
        (Facts(first_contacts=1 << 7, placed_x=0.9, placed_y=0.7), "not in hand"),
        (Facts(first_contacts=1 << 7, placed_x=0.9), "expected two numbers or none"),
        (Facts(first_contacts=-1), "first_contacts = -1"),
        (Facts(first_contacts=1.0), "expected an integer"),
        (Facts(observed=1 << 40), "observed"),
    ],
)
def test_contradictory_facts(facts, message):
    with pytest.raises(ValueError, match=message):
        rules.referee(frame(reds=6), facts)


OPENING = rules.Frame.start()
PAIRS = rules.Frame.start(n_players=4)
HELD = frame(reds=6, cue=None)
FREE = frame(reds=2, free=True)


@pytest.mark.parametrize(
    ("before", "nominated", "told", "message"),
    [
        (frame(reds=6), None, {"observed": "behind_free_ball"}, "behind_free_ball was .*, yet no free ball was named"),
        (FREE, None, {"observed": "behind_free_ball"}, "yet no free ball was named"),
        (FREE, "blue", {"first": "blue", "observed": "behind_free_ball"}, ""),
        (frame(reds=6), None, {"first": "red", "observed": "placed_outside_d"}, "yet the cue ball was not in hand"),
        (HELD, None, {"first": "red", "placed": (0.889, 0.6), "observed": "placed_outside_d"}, "was placed in the D"),
        (HELD, None, {"first": "red", "placed": (0.889, 0.9), "observed": "placed_outside_d"}, ""),
        (frame(reds=6), None, {"first": "red", "observed": "conferring"}, "in singles nobody has a partner"),
        (PAIRS, None, {"first": "red", "placed": (0.8, 0.6), "observed": "conferring"}, ""),
        (frame(reds=6), None, {"observed": "aimed_at_red"}, "there is no red that was not to be played"),
        (frame("colour"), None, {"observed": "aimed_at_red"}, "there is no red that was not to be played"),
        (frame("colour", reds=1), None, {"observed": "aimed_at_red"}, ""),
        (frame("colour", reds=1), "black", {"first": "black", "observed": "not_declared"}, "a ball was nominated"),
        (frame("colour", reds=1), None, {"first": "black", "observed": "not_declared"}, ""),
        (frame(reds=6), None, {"observed": ["impossible", "full_ball_on"]}, "yet full_ball_on was observed"),
        (frame(reds=6), None, {"first": "red", "observed": "impossible"}, "yet a ball on was hit"),
        (frame(reds=6), None, {"first": "red", "fell": "black", "unspotted": "black"}, "both unspotted and fell"),
        (frame(reds=6), None, {"first": "red", "fell": "black", "misspotted": "black"}, "both misspotted and fell"),
        (frame(reds=6), None, {"first": "red", "fell": "black", "touched": "black"}, "both touched and fell"),
        (frame(reds=6), None, {"first": "red", "fell": "black", "moving": "black"}, "both moving and fell"),
        (OPENING, None, {"first": "red", "placed": (0.8, 0.6), "unspotted": "black"}, "nothing was struck before"),
        (OPENING, None, {"first": "red", "placed": (0.8, 0.6), "moving": "black"}, "nothing was struck before"),
        (frame(reds=6, edition="1995"), None, {"first": "red", "misspotted": "black"}, "black lies on its own spot"),
        (frame(reds=6), None, {"observed": "full_ball_on"}, ""),
        (frame(reds=6), None, {"first": "red", "observed": "miss_judged"}, "yet a ball on was hit"),
        (frame(reds=6), None, {"first": "red", "potted": "cue", "observed": "intentional"}, "yet a ball on was hit"),
        (
            frame(reds=6),
            None,
            {"first": "red", "nearest_gap": 1.0},
            "is more than 0, yet a ball on was hit",
        ),
        (frame(reds=6), None, {"nearest_gap": 0.0}, "nearest_gap = 0, yet no ball was hit"),
        (frame(reds=6), None, {"first": "red", "potted": "red", "observed": "hampered"}, "yet a stroke was made"),
        (frame(reds=6), None, {"observed": ["angled", "next_snookered"]}, "yet next_snookered was observed"),
        (OPENING, None, {"touched": "green", "observed": "no_stroke"}, "the frame begins with its first stroke"),
    ],
)
def test_what_cannot_both_be_so(before, nominated, told, message):
    facts, kind = rules.facts(before, **told), np.array([rules.ruleset.kind_number(nominated)])
    arrays = FactsArrays(*(np.array([value]) for value in facts))
    places = np.array(before.positions)
    places[0] = (1.5, 1.3) if np.isnan(places[0, 0]) else places[0]
    if not message:
        rules.referee(before, facts, rules.Decision(nominated))
        rules.referee_batch(before, arrays, kind, places[None])
        return
    for decided in (
        lambda: rules.referee(before, facts, rules.Decision(nominated)),
        lambda: rules.referee_batch(before, arrays, kind, places[None]),
        lambda: rules.Frames.of([before]).referee(arrays, kind, places[None]),
    ):
        with pytest.raises(ValueError, match=message):
            decided()


def test_full_ball_is_not_believed_where_none_can_be_seen():
    behind = rules.Frame.named("snookered_behind_brown")
    with pytest.raises(ValueError, match="no ball on could be hit full from where the balls lie"):
        rule(behind, observed="full_ball_on")


def test_integers_of_numpy_are_taken_as_they_are():
    for told in ({"potted": np.uint8(1 << 7)}, {"first_contacts": np.uint64(1 << 8)}):
        facts = rules.facts(frame(reds=6), first="red")._replace(**told)
        _, ruling = rules.referee(frame(reds=6), facts)
        assert (
            ruling
            == rules.referee(frame(reds=6), Facts(*(int(v) if v == v and i < 14 else v for i, v in enumerate(facts))))[
                1
            ]
        )


def test_contradictory_words():
    before = frame(reds=2)
    with pytest.raises(ValueError, match="black is named twice"):
        rules.facts(before, potted=["black", "black"])
    with pytest.raises(ValueError, match="more reds than the 2"):
        rules.facts(before, potted=["red"] * 3)
    with pytest.raises(ValueError, match="'purple' is not a ball"):
        rules.facts(before, first="purple")
    with pytest.raises(ValueError, match="'slept' is not known"):
        rules.facts(before, observed="slept")
    with pytest.raises(ValueError, match="fact 'spin' is not known"):
        rules.facts(before, spin="red")


@pytest.mark.parametrize(
    ("before", "nominated", "message"),
    [
        (frame(reds=6), "blue", "the ball on is red and there is no free ball"),
        (frame("colour", reds=6), "red", "'red' when a colour is on"),
        (frame("clearance", left=("pink", "black")), "blue", "not on the table"),
        (frame("clearance", left=("pink", "black")), "black", "the ball on is pink"),
        (frame(reds=6), "purple", "'purple' is not a ball"),
    ],
)
def test_nominations_out_of_place(before, nominated, message):
    with pytest.raises(ValueError, match=message):
        rules.referee(before, Facts(), rules.Decision(nominated))


def test_a_frame_that_is_over():
    after, _ = rule(frame("clearance", left=("black",), scores=(50, 0)), first="black", potted="black")
    with pytest.raises(ValueError, match="the frame is over"):
        rules.referee(after, Facts())


def test_positions_must_say_where_every_ball_is():
    before = frame(reds=6)
    places = np.array(before.positions)
    places[6] = NAN
    with pytest.raises(ValueError, match="black has none"):
        rules.referee(before, rules.facts(before, first="red"), None, places)
    with pytest.raises(ValueError, match="shape"):
        rules.referee(before, rules.facts(before, first="red"), None, places[:, 0])


def test_positions_must_be_places_on_the_bed():
    before = frame(reds=6)
    facts = rules.facts(before, first="red", potted="red 1")
    for ball, place, message in (
        (0, before.positions[8] + (0.02, 0.0), "cue and red 2 overlap"),
        (6, (0.9, 3.6), "black at .* is"),
        (9, (np.inf, 1.0), "red 3 at .* is not finite"),
        (9, (0.5, np.nan), "red 3 has none"),
    ):
        places = np.array(before.positions)
        places[ball] = place
        with pytest.raises(ValueError, match=message):
            rules.referee(before, facts, None, places)
    places = np.array(before.positions)
    places[7] = places[8]  # it fell: where it is said to lie does not matter
    assert rules.referee(before, facts, None, places)[1].points == 1
    with pytest.raises(ValueError, match=r"positions = .*: expected numbers"):
        rules.referee(before, facts, None, "here")


def test_a_cue_ball_cannot_be_placed_nowhere():
    in_hand = rules.Frame.named("respotted_black")
    with pytest.raises(ValueError, match=r"placed_x = inf: expected a finite number"):
        rules.referee(in_hand, rules.facts(in_hand)._replace(placed_x=np.inf, placed_y=0.5))


@pytest.mark.parametrize("wrong", [None, {}, (0, 0), "red"])
def test_other_things_than_facts_are_refused(wrong):
    with pytest.raises(TypeError, match=r"facts = .*: expected rules.Facts"):
        rules.referee(frame(reds=2), wrong)


@pytest.mark.parametrize("wrong", ["black", {}, 0, ("black", None)])
def test_other_things_than_decisions_are_refused(wrong):
    before = frame(reds=2)
    with pytest.raises(TypeError, match=r"decision = .*: expected rules.Decision"):
        rules.referee(before, rules.facts(before), wrong)


# Batches and plain Python give the same rulings.


@st.composite
def facts_strategy(draw):
    objects = range(1, 13)
    first = draw(st.sets(st.sampled_from(objects), max_size=2))
    potted = draw(st.sets(st.sampled_from(range(13)), max_size=3)) if first else draw(st.sampled_from([set(), {0}]))
    off = draw(st.sets(st.sampled_from(objects), max_size=1)) - potted if first else set()
    observed = draw(st.sampled_from([0, 0, 1, 2, 4, 32]))
    return Facts(*(sum(1 << b for b in balls) for balls in (first, potted, off)), observed=observed)


BATCH_FRAMES = {
    "red": frame(reds=6),
    "free": frame(reds=6, free=True),
    "colour": frame("colour", reds=6),
}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(BATCH_FRAMES)), facts_strategy(), st.sampled_from([0, 2, 5]))
def test_a_batch_row_is_the_single_ruling(name, facts, kind):
    before = BATCH_FRAMES[name]
    kind = 0 if name == "red" else kind
    nominated = rules.Decision(None if kind == 0 else ("yellow", "green", "brown", "blue", "pink")[kind - 1])
    after, ruling = rules.referee(before, facts, nominated)
    arrays = FactsArrays(*(np.array([value]) for value in facts))
    out = rules.referee_batch(before, arrays, np.array([kind]), np.array(before.positions)[None])
    assert (out.points[0], out.penalty[0], out.miss[0]) == (ruling.points, ruling.penalty, ruling.miss)
    assert unpack_state(out.states[0]) == after.state
    assert np.array_equal(out.positions[0], after.positions, equal_nan=True)
    check_invariants(before, after, ruling)


def check_invariants(before, after, ruling):
    assert sum(after.scores) - sum(before.scores) == ruling.points + ruling.penalty
    assert not (ruling.points and ruling.penalty)
    assert ruling.penalty in (0, 4, 5, 6, 7)
    present = {b for b in range(22) if not np.isnan(after.positions[b, 0])}
    assert present == {b for b in range(22) if after.state.on_table >> b & 1}
    if not ruling.frame_over:
        assert rules.Frame.from_text(after.text) == after


def random_stroke(rng, current):
    """A stroke that mostly meets the ball on, sometimes pots it, and now and then goes wrong."""
    nominations = current.nominations()
    nominated = nominations[rng.integers(len(nominations))]
    on = current.balls_on(nominated)
    others = [b for b in range(1, 22) if current.state.on_table >> b & 1]
    first = int(rng.choice(on if rng.random() < 0.9 else others))
    potted = {first} if rng.random() < 0.6 else set()
    potted |= {int(rng.choice(others))} if rng.random() < 0.05 else set()
    potted |= {0} if rng.random() < 0.03 else set()
    missed = rng.random() < 0.1
    placed = {"placed_x": 0.7 + 0.3 * rng.random(), "placed_y": 0.65} if current.cue_in_hand else {}
    masks = (0, 0) if missed else (1 << first, sum(1 << b for b in potted))
    return Facts(*masks, **placed), rules.Decision(nominated)


def random_places(rng, current):
    """The balls as they lay, the cue ball somewhere it touches nothing."""
    places = np.array(current.positions)
    while True:
        places[0] = rng.uniform((0.1, 0.1), (1.6, 3.4))
        if np.nanmin(np.hypot(*(places[1:] - places[0]).T)) > 0.053:
            return places


@pytest.mark.parametrize("seed", range(12))
def test_random_frames_end_and_add_up(seed):
    rng = np.random.default_rng(seed)
    current = rules.Frame.start(edition=("current", "1995", "es")[seed % 3])
    for _ in range(2000):
        if current.is_over:
            break
        if current.options:
            current = rules.decide(current, current.options[rng.integers(len(current.options))])
            continue
        facts, decision = random_stroke(rng, current)
        after, ruling = rules.referee(current, facts, decision, random_places(rng, current))
        check_invariants(current, after, ruling)
        pairs = after.positions[~np.isnan(after.positions[:, 0])]
        gaps = np.hypot(*(pairs[:, None] - pairs[None]).transpose(2, 0, 1)) + np.eye(len(pairs))
        assert gaps.min() >= 0.0525
        current = after
    assert current.is_over


def test_frames_batch():
    frames = [frame(reds=n) for n in (1, 2, 3)]
    batch = rules.Frames.of(frames)
    assert [batch[i] for i in range(3)] == frames
    facts = [rules.facts(f, first="red", potted="red") for f in frames]
    arrays = FactsArrays(*(np.array(column) for column in zip(*facts, strict=True)))
    out = batch.referee(arrays, np.zeros(3, dtype=np.int64), batch.positions)
    assert out.points.tolist() == [1, 1, 1]
    for i, f in enumerate(frames):
        assert unpack_state(out.states[i]) == rules.referee(f, facts[i])[0].state


SAME_IN_PYTHON = """
import rules
frame = rules.Frame.named("mid_frame")
for facts in ({}, {"first": "red", "potted": ["red", "red"]}, {"first": "black", "potted": ["black", "cue"]}):
    after, ruling = rules.referee(frame, rules.facts(frame, **facts))
    print(after.text, ruling)
"""


def test_plain_python_gives_the_same_texts():
    root = str(Path(__file__).parents[2])
    texts = [
        subprocess.run(
            [sys.executable, "-c", SAME_IN_PYTHON],
            env={**os.environ, "NUMBA_DISABLE_JIT": off, "PYTHONPATH": root},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert texts[0] == texts[1]
    assert texts[0].count("\n") == 3
