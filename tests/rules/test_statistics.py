"""Figures of players, counted from scripted frames."""

import pytest

import rules
from tests.rules.told_strokes import clear, foul, miss, pot, tied, told

SNOOKERED = (0.889, 0.684)  # m, in the D, just behind the brown


def start(**more):
    return rules.Match.start(["Ann", "Ben"], **{"best_of": 3, **more})


def figures(match, name="Ann"):
    return rules.player_statistics(match)[name]


def test_a_match_not_begun_has_no_figures():
    ann = figures(start())
    assert (ann.visits, ann.strokes, ann.points, ann.breaks, ann.highest_break) == (0, 0, 0, (), 0)
    assert (ann.pot_success, ann.safety_success) == (None, None)
    assert rules.visits(start()) == ()


def test_other_things_than_matches_are_refused():
    for call in (rules.player_statistics, rules.visits):
        for wrong in (None, rules.Frame.start()):
            with pytest.raises(TypeError, match=r"match = .*: expected rules.Match"):
                call(wrong)


def test_visits_and_breaks():
    match = miss(pot(pot(pot(start(), "red"), "black"), "red"))
    match = foul(pot(pot(match, "red"), "blue")).decide("play")
    match = miss(match)
    assert [(visit.player, visit.points, len(visit.strokes)) for visit in rules.visits(match)] == [
        ("Ann", 9, 4),
        ("Ben", 6, 3),
        ("Ann", 0, 1),
    ]
    ann, ben = figures(match), figures(match, "Ben")
    assert (ann.visits, ann.strokes, ann.points, ann.pots, ann.breaks) == (2, 5, 9, 3, (9,))
    assert (ben.points, ben.breaks, ben.fouls, ben.penalty, ben.misses) == (6, (6,), 1, 4, 0)


def test_two_reds_in_one_stroke_are_two_pots():
    ann = figures(pot(start(), "red", "red"))
    assert (ann.strokes, ann.pots, ann.points) == (1, 2, 2)


def test_balls_potted_in_a_foul_are_no_pots():
    match = told(start(), first="red", potted=["red", "cue"])
    ann = figures(match)
    assert (ann.pots, ann.points, ann.fouls, ann.strokes) == (0, 0, 1, 1)


def test_a_foul_without_a_stroke_is_a_foul_and_no_stroke():
    match = told(start(), first="red", potted="red")
    match = told(match, observed=["no_stroke", "off_table_ball_used"])
    ann = figures(match)
    assert (ann.visits, ann.strokes, ann.fouls, ann.penalty) == (1, 1, 1, 7)


def test_a_new_frame_is_a_new_visit():
    match = clear(miss(clear(start(best_of=5)).next_frame())).next_frame()
    match = pot(match, "red")
    assert [(visit.player, visit.points) for visit in rules.visits(match)][-2:] == [("Ann", 147), ("Ann", 1)]


def test_a_stroke_out_of_turn_is_a_visit_of_who_played_it():
    match = pot(rules.Match.start([["Ann", "Al"], ["Ben", "Bo"]], n_players=4), "red")
    facts = rules.facts(match.frame, first="black")
    match = match.referee(facts._replace(played_by=2), rules.Decision("black"))
    assert [(visit.player, visit.points) for visit in rules.visits(match)] == [("Ann", 1), ("Al", 0)]


def test_a_stroke_that_is_played_again_is_no_stroke():
    match = miss(miss(start()))
    facts = rules.facts(match.frame, fell="red 5", observed="would_be_hit")
    match = match.referee(facts)
    assert (match.striker, figures(match).strokes, figures(match).visits) == ("Ann", 1, 2)


def test_who_plays_again_has_a_new_visit():
    match = pot(foul(start()).decide("play_again"), "red")
    assert [(visit.player, visit.points) for visit in rules.visits(match)] == [("Ann", 0), ("Ann", 1)]


def test_a_maximum():
    match = clear(start())
    ann = figures(match)
    assert (ann.breaks, ann.maximums, ann.centuries, ann.fifties) == ((147,), 1, 1, 1)
    assert figures(clear(match.next_frame(), colour="pink"), "Ben").maximums == 0
    assert figures(clear(match.next_frame(), until="pink"), "Ben").highest_break == 134


def test_a_break_from_a_rack_that_is_not_full_is_no_maximum():
    match = clear(miss(miss(pot(start(), "red"))))
    ann = figures(match)
    assert (ann.breaks, ann.maximums) == ((1, 139), 0)


def test_155_with_a_free_ball():
    match = foul_behind_the_brown().decide("free_ball")
    match = pot(match, "green", nominated="green")
    assert (match.frame.phase, match.frame.reds_left) == ("colour", 15)
    ben = figures(clear(match), "Ben")
    assert (ben.breaks, ben.maximums) == ((155,), 1)
    assert figures(clear(pot(match, "pink")), "Ben").maximums == 0


def test_147_with_the_free_ball_declined_is_a_maximum():
    match = foul_behind_the_brown().decide("free_ball")
    ben = figures(clear(match), "Ben")
    assert (ben.breaks, ben.maximums) == ((147,), 1)
    ben = figures(clear(pot(match, "red", nominated="red")), "Ben")
    assert (ben.breaks, ben.maximums) == ((147,), 1)
    ben = figures(clear(foul_behind_the_brown().decide("play")), "Ben")
    assert (ben.breaks, ben.maximums) == ((147,), 1)


def foul_behind_the_brown():
    match = told(start(), place=SNOOKERED)
    assert match.ruling.free_ball
    return match


def test_fifties_and_centuries_begin_at_50_and_100():
    match = start()
    for _ in range(6):
        match = pot(pot(match, "red"), "black")
    match = miss(pot(match, "red", "red"))
    assert (figures(match).breaks, figures(match).fifties, figures(match).centuries) == ((50,), 1, 0)
    match = match.decide("re_rack")
    for _ in range(12):
        match = pot(pot(match, "red"), "black")
    match = miss(pot(pot(match, "red"), "green"))
    assert (figures(match).breaks, figures(match).fifties, figures(match).centuries) == ((100,), 1, 1)


def test_misses_are_counted_among_the_fouls():
    match = told(told(start()), option="restore")
    ann = figures(match)
    assert (ann.fouls, ann.misses, ann.penalty, ann.strokes) == (2, 2, 8, 2)


def test_an_early_stroke_takes_the_colour_off_the_break():
    match = pot(pot(start(), "red"), "black")
    facts = rules.facts(match.frame, first="red", unspotted="black")
    match = match.referee(facts)
    assert match.frame.scores == (1, 7)
    assert figures(match).breaks == (1,)


def test_nothing_counts_of_a_frame_that_is_racked_again():
    match = clear(start(), until="pink").decide("re_rack")
    assert figures(match).points == 0
    match = miss(pot(match, "red"))
    assert (figures(match).points, figures(match).visits) == (1, 1)


def test_frames_that_were_finished_stay_when_a_later_one_is_racked_again():
    match = pot(clear(start()).next_frame(), "red").decide("re_rack")
    assert (figures(match).points, figures(match, "Ben").points) == (147, 0)


def test_points_of_a_forfeited_frame_stay_with_the_player():
    match = clear(start(), until="black").forfeit("Ann")
    assert match.results[0].scores == (0, 7)
    assert figures(match).points == 140


def test_flukes_are_told_from_pots_that_were_meant():
    match = pot(start(), "red", intended="red")
    match = pot(match, "pink", intended="pink")
    match = pot(match, "red 7", intended="red 9")  # a fluke
    match = pot(match, "black", intended="safety", nominated="black")  # another
    match = pot(match, "red 4", "red 5", intended="red 5")  # the red beside it is none
    match = pot(match, "blue")  # not told
    match = miss(match, intended="red 2")
    ann = figures(match)
    assert (ann.attempts, ann.successes, ann.flukes, ann.fluke_points, ann.untold) == (5, 3, 2, 8, 1)
    assert ann.pot_success == 3 / 5
    assert (ann.pots, ann.points) == (7, 1 + 6 + 1 + 7 + 2 + 5)
    assert ann.safeties == 0  # the one that potted a ball kept the turn


def test_an_attempt_that_ends_in_a_foul_fails():
    ann = figures(told(start(), first="red", potted=["red", "cue"], intended="red"))
    assert (ann.attempts, ann.successes, ann.flukes) == (1, 0, 0)


def test_safeties_hold_when_nothing_is_scored_in_the_visit_that_follows():
    match = miss(start(), intended="safety")
    assert figures(match).safeties == 0  # nobody has played since
    match = miss(match, intended="safety")
    assert (figures(match).safeties, figures(match).held) == (1, 1)
    match = miss(pot(match, "red"))
    assert (figures(match, "Ben").safeties, figures(match, "Ben").held) == (1, 0)
    match = foul(match, intended="safety").decide("play")
    ben = figures(match, "Ben")
    assert (ben.safeties, ben.held, ben.safety_success) == (2, 0, 0.0)
    assert figures(match).safety_success == 1.0


def test_a_safety_before_the_end_of_a_frame_is_not_seen_to_hold():
    match = miss(start(), intended="safety").decide("concede").next_frame()
    match = miss(match)
    assert figures(match).safeties == 0


def test_a_fluke_from_a_safety_on_the_last_black_is_no_safety():
    match = tied(start(), intended="safety").decide("player_1_first")
    match = miss(match)
    assert (figures(match).safeties, figures(match).flukes) == (0, 1)


def test_figures_go_by_player_and_not_by_side():
    match = rules.Match.start([["Ann", "Al"], ["Ben", "Bo"]], n_players=4)
    match = miss(pot(miss(miss(pot(match, "red"))), "red", "red"))
    found = rules.player_statistics(match)
    assert list(found) == ["Ann", "Al", "Ben", "Bo"]
    assert [found[name].points for name in found] == [1, 2, 0, 0]
    assert [found[name].visits for name in found] == [1, 1, 1, 0]
