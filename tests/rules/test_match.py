"""Matches: lot and alternating break, orders, best of n, aggregate points, how frames end, forfeits (spec 9, 10)."""

import pickle
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
import simcore
from rules.notation import print_rules
from rules.records.calls import transcript
from rules.standing import FrameResult
from tests.rules.told_strokes import clear, foul, miss, pot, tied, told

PAIRS = [["Ann", "Al"], ["Ben", "Bo"]]
SNOOKERED = (0.889, 0.684)  # m, in the D, just behind the brown


def singles(**more):
    return rules.Match.start(["Ann", "Ben"], **more)


def played(match, winners):
    """The match after frames that the loser forfeits at once."""
    for winner in winners:
        match = match.next_frame() if match.frame.is_over else match
        match = match.forfeit(match.sides[1 - winner][0])
    return match


# Who opens, who follows.


def test_the_lot_opens_and_the_break_alternates():
    match = singles(best_of=5, first=1)
    openers = [match.striker]
    for winner in (0, 0, 1):
        match = played(match, [winner]).next_frame()
        openers.append(match.striker)
    assert openers == ["Ben", "Ann", "Ben", "Ann"]
    assert [result.order for result in match.results] == [("Ben", "Ann"), ("Ann", "Ben"), ("Ben", "Ann")]


def test_strokes_pass_from_side_to_side():
    match = miss(pot(singles(), "red"))
    assert (match.striker, match.frame.scores, match.ruling.points) == ("Ben", (1, 0), 0)
    match = foul(match)
    assert (match.striker, match.frame.scores) == ("Ann", (5, 0))
    assert [step.player for step in match.history] == ["Ann", "Ann", "Ben"]
    assert all(isinstance(step, rules.StrokeStep) for step in match.history)


def test_pairs_play_in_a_fixed_order_and_open_in_turn():
    match = rules.Match.start(PAIRS, n_players=4, best_of=3)
    seen = []
    for _ in range(5):
        seen.append(match.striker)
        match = miss(match)
    assert seen == ["Ann", "Ben", "Al", "Bo", "Ann"]
    match = played(match, [0]).next_frame()
    assert match.order == ("Ben", "Al", "Bo", "Ann")
    match = played(match, [1]).next_frame(["Al", "Ben", "Ann", "Bo"])
    assert (match.striker, miss(match).striker, match.frame.striker) == ("Al", "Ben", 0)


def test_c105_play_again_keeps_the_order_of_pairs():
    match = foul(rules.Match.start(PAIRS, n_players=4))
    assert match.striker == "Ben"
    match = match.decide("play_again")
    assert (match.striker, match.history[-1].player) == ("Ann", "Ben")
    assert miss(match).striker == "Ben"


def test_c106_a_stroke_out_of_turn_is_entered_for_who_played():
    match = rules.Match.start(PAIRS, n_players=4)
    facts = rules.facts(match.frame, first="red", placed=(1.1, 0.6))
    match = match.referee(facts._replace(played_by=2))
    assert (match.history[-1].player, match.ruling.penalty, match.striker) == ("Al", 4, "Ben")


def test_teams_send_one_player_a_frame():
    match = rules.Match.start(PAIRS, best_of=3, order=["Al", "Ben"])
    assert match.order == ("Al", "Ben")
    match = played(match, [0]).next_frame()
    assert match.order == ("Ben", "Al")
    match = played(rules.Match.start(PAIRS, best_of=3), [1]).next_frame(["Bo", "Ann"])
    assert (match.striker, match.standing.frames) == ("Bo", (0, 1))


@pytest.mark.parametrize(("penalty_to", "scores"), [(0, (0, 0, 4)), (1, (4, 0, 4)), (2, (4, 0, 0))])
def test_three_players_and_who_gets_the_penalty(penalty_to, scores):
    match = rules.Match.start(["Ann", "Ben", "Cy"], best_of=3, penalty_to=penalty_to)
    match = foul(miss(match))
    assert (match.striker, match.frame.scores) == ("Cy", scores)
    opened = match.decide("play").forfeit("Ben").next_frame()
    assert opened.order == ("Ben", "Cy", "Ann")


def test_a_frame_opened_by_the_wrong_side():
    match = played(singles(best_of=7), [0]).next_frame(opener=0)
    assert match.striker == "Ann"
    match = played(match, [1]).next_frame()
    assert [match.striker, played(match, [1]).next_frame().striker] == ["Ann", "Ben"]


# Best of n.


@given(st.sampled_from([1, 3, 5, 7]), st.lists(st.integers(0, 1), min_size=7, max_size=7))
@settings(max_examples=30, deadline=None)
def test_a_match_ends_when_a_side_has_won_more_than_half(best_of, winners):
    match = singles(best_of=best_of)
    for winner in winners:
        assert max(match.standing.frames) <= best_of // 2
        match = played(match, [winner])
        if match.is_over:
            break
    assert match.standing.frames[match.winner] == best_of // 2 + 1
    with pytest.raises(ValueError, match="the match is over"):
        match.next_frame()


def test_a_match_of_several_games():
    match = played(singles(best_of=3, games=3), [0, 1, 0, 1, 1])
    assert (match.standing.games, match.is_over) == ((1, 1), False)
    match = played(match, [0, 0])
    assert (match.standing.games, match.winner, len(match.results)) == ((2, 1), 0, 7)


def test_a_new_game_may_have_its_own_lot():
    match = played(singles(games=3), [0]).next_frame(opener=0)
    assert match.striker == "Ann"


# How frames end.


def test_a_frame_played_to_the_black():
    match = clear(singles())
    assert match.frame.is_over
    assert match.results == (rules.FrameResult(("Ann", "Ben"), (147, 0), 0, "played"),)
    assert match.winner == 0


def test_a_frame_is_claimed_and_conceded():
    match = clear(singles(best_of=3), until="black").decide("claim")
    assert match.results[0] == rules.FrameResult(("Ann", "Ben"), (140, 0), 0, "claimed")
    match = match.next_frame().decide("concede")
    assert match.results[1] == rules.FrameResult(("Ben", "Ann"), (0, 0), 0, "conceded")


def test_three_misses_lose_the_frame():
    match = told(singles(best_of=3))
    assert match.ruling.miss
    match = told(match, option="restore")
    assert match.ruling.warned
    match = told(match, option="restore")
    assert match.results[0] == rules.FrameResult(("Ann", "Ben"), (0, 12), 1, "three misses")
    assert [step.decision for step in match.history] == ["", "restore", "", "restore", ""]


def test_c104_a_stalemate_is_racked_again_by_the_same_side():
    match = foul(pot(singles(best_of=3, first=1), "red"))
    again = match.decide("re_rack")
    assert (again.striker, again.frame.scores, again.frame.reds_left, again.results) == ("Ben", (0, 0), 15, ())
    assert again.history[-1].player == ""
    assert again.number == 0


def test_level_scores_go_to_the_lot_and_the_re_spotted_black():
    match = tied(singles())
    assert (match.frame.phase, match.frame.scores, match.is_over) == ("respotted", (21, 21), False)
    chosen = match.decide("player_1_first")
    assert (chosen.history[-1].player, chosen.striker) == ("", "Ben")
    match = foul(chosen)
    assert match.results[0] == rules.FrameResult(("Ann", "Ben"), (28, 21), 0, "played")


# Aggregate points.


def test_tied_frames_stand_until_the_totals_are_level_after_the_last():
    match = tied(singles(best_of=2, aggregate=True))
    assert match.results == (rules.FrameResult(("Ann", "Ben"), (21, 21), None, "played"),)
    match = tied(match.next_frame())
    assert (match.frame.phase, match.is_over) == ("respotted", False)
    match = pot(match.decide("player_0_first"), "black")
    assert (match.standing.points, match.winner, match.frame.scores) == ((49, 42), 0, (28, 21))


def test_every_frame_begins_with_the_handicap():
    match = singles(best_of=3, handicap=(0, 21))
    assert match.frame.scores == (0, 21)
    assert pot(match, "red").decide("re_rack").frame.scores == (0, 21)
    match = foul(match).decide("play").decide("concede")
    assert match.results[0].scores == (0, 25)
    assert match.next_frame().frame.scores == (0, 21)
    assert match.next_frame().forfeit("Ben").results[1].scores == (8 * 15 + 27, 0), "annulled with his points (4.3)"


def test_a_handicap_ties_and_wins_frames_and_counts_in_an_aggregate():
    level = tied(singles(handicap=(14, 14)))
    assert (level.frame.phase, level.frame.scores) == ("respotted", (35, 35))
    won = tied(singles(handicap=(0, 1)))
    assert (won.winner, won.frame.scores) == (1, (21, 22))
    match = tied(singles(best_of=2, aggregate=True, handicap=(0, 1))).next_frame()
    assert match.frame.ruleset.carried[:2] == (21, 22)
    assert tied(match).standing.points == (42, 44)


def test_frames_of_an_aggregate_match_are_not_claimed():
    match = clear(singles(best_of=1, aggregate=True), until="black")
    assert match.frame.decisions == ("concede", "re_rack")


def test_each_game_of_an_aggregate_match_has_its_own_total():
    match = singles(best_of=2, games=3, aggregate=True)
    carried = []
    for winner in (0, 0, 1, 1):
        carried.append(match.frame.ruleset.carried[:2])
        match = played(match, [winner])
        match = match.next_frame()
    assert carried == [(0, 0), (147, 0), (0, 0), (0, 147)]
    assert (match.standing.games, match.is_over) == ((1, 1), False)
    single = tied(played(singles(games=3, aggregate=True), [0]).next_frame())
    assert single.frame.phase == "respotted"


def test_a_tied_last_frame_stands_when_the_totals_differ():
    match = pot(singles(best_of=2, aggregate=True), "red").forfeit("Ann").next_frame()
    assert match.frame.ruleset.carried[:2] == (0, 139)
    match = tied(match)
    assert (match.is_over, match.results[1].winner, match.standing.points) == (True, None, (21, 160))
    assert match.winner == 1


def test_level_totals_go_to_the_black_though_the_frame_is_not_level():
    match = singles(best_of=2, aggregate=True)
    first = clear(match, until="pink").decide("concede")
    assert first.results[0].scores == (134, 13)
    last = first.next_frame()
    last = clear(last, until="pink")
    last = miss(miss(last))
    assert last.frame.scores == (0, 134)
    last = pot(miss(last), "pink")
    assert (last.frame.scores, last.frame.decisions) == ((6, 134), ("concede", "re_rack"))
    last = pot(last, "black")
    assert (last.frame.phase, last.frame.scores) == ("respotted", (13, 134))
    assert last.decide("player_1_first").frame.striker == 1


def test_a_conceded_frame_gives_the_balls_left_in_an_aggregate_match():
    match = miss(pot(singles(best_of=3, aggregate=True), "red")).decide("concede")
    assert match.results[0].scores == (1 + 14 * 8 + 27, 0)
    assert match.results[0].winner == 0


@pytest.mark.parametrize("aggregate", [False, True])
def test_two_of_three_play_on_for_a_re_spotted_black_that_one_concedes(aggregate):
    match = rules.Match.start(["Ann", "Ben", "Cy"], aggregate=aggregate)
    black = rules.Frame.from_text(
        f"{print_rules(match.frame.ruleset)} ".replace(" ", " respotted 20:20:20 ", 1)
        + "striker=1 cue=0.5,1.5 black=0.889,3.245"
    )
    match = replace(match, frame=black).decide("concede")
    assert (match.is_over, match.results, match.striker) == (False, (), "Cy")
    assert miss(miss(match)).striker == "Cy", "Ben is passed over"
    over = miss(match).decide("concede")
    left = 7 * aggregate  # the ball left goes to the one who did not concede (WPBSA 4.5(b))
    assert over.results == (FrameResult(("Ann", "Ben", "Cy"), (20, 20, 20 + left), 2, "conceded"),)
    assert [step.player for step in over.history] == ["Ben", "Cy", "Ann"]


# Forfeits.


def test_c102_a_forfeited_frame():
    match = foul(miss(pot(pot(singles(best_of=3), "red"), "black"))).forfeit("Ann")
    assert match.results[0] == rules.FrameResult(("Ann", "Ben"), (0, 14 * 8 + 27), 1, "forfeited")
    assert match.history[-1].entry.line == rules.ForfeitLine(0)
    assert (match.history[-1].player, match.is_over) == ("Ann", False)


def test_c103_an_aggregate_match_forfeited_with_three_frames_unplayed():
    match = clear(singles(best_of=4, aggregate=True)).forfeit_match("Ann")
    assert (match.standing.points, match.standing.left) == ((147, 441), 0)
    assert (match.is_over, match.winner, match.number) == (True, 1, 0)
    assert [result.ended for result in match.results] == ["played", "unplayed", "unplayed", "unplayed"]
    assert match.history[-1].entry.line == rules.ForfeitLine(0, of_match=True)


def test_who_forfeits_an_aggregate_match_loses_it_whatever_the_points():
    match = clear(singles(best_of=3, aggregate=True)).next_frame()
    match = clear(miss(match)).next_frame().forfeit_match("Ann")
    assert (match.standing.points, match.winner) == ((294, 147), 1)


def test_a_forfeited_match_loses_as_many_frames_as_it_takes():
    match = played(singles(best_of=7), [0, 0, 1]).next_frame().forfeit_match("Ann")
    assert (match.standing.frames, match.standing.points) == ((2, 4), (294, 294))
    assert [result.ended for result in match.results[3:]] == ["forfeited", "unplayed", "unplayed"]
    assert (match.winner, match.number) == (1, 3)


def test_one_of_three_who_forfeits_leaves_the_match_to_the_leader():
    match = miss(pot(rules.Match.start(["Ann", "Ben", "Cy"], best_of=5), "red")).decide("concede")
    match = miss(miss(pot(miss(match.next_frame()), "red"))).decide("concede")
    assert [result.winner for result in match.results] == [0, 2]
    assert match.forfeit_match("Cy").winner == 0
    match = match.next_frame().forfeit_match("Ann")
    assert (match.standing.frames, match.is_over, match.winner) == ((1, 1, 1), True, 1)


def test_one_of_three_who_forfeits_an_aggregate_match_loses_the_frames_to_both_others():
    match = rules.Match.start(["Ann", "Ben", "Cy"], best_of=3, aggregate=True, penalty_to=1)
    match = clear(match).forfeit_match("Ann")
    assert (match.standing.points, match.is_over, match.winner) == ((147, 294, 294), True, None)


# The value.


def test_wheelchair_players_have_no_feet_on_the_floor():
    assert miss(singles(feet_foul=0), observed="feet_off_floor").ruling.fouls == ()
    assert miss(singles(), observed="feet_off_floor").ruling.penalty == 4


def test_matches_branch_and_compare():
    match = pot(singles(), "red")
    one, other = miss(match), pot(match, "black")
    assert one != other
    assert (one.striker, other.striker, match.striker) == ("Ben", "Ann", "Ann")
    assert miss(match) == one
    assert hash(miss(match)) == hash(one)
    assert pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "<Match Ann – Ben, best of 1: frames 0–0, frame 1 1–0, Ben to play>"
    assert singles().ruling is None


def test_a_match_at_a_prompt():
    match = foul(singles(best_of=3))
    assert repr(match) == "<Match Ann – Ben, best of 3: frames 0–0, frame 1 0–4, Ben to decide>"
    match = match.decide("concede")
    assert repr(match) == "<Match Ann – Ben, best of 3: frames 1–0, frame 1 0–4, over>"
    assert repr(match.next_frame().decide("concede")) == "<Match Ann – Ben, best of 3: frames 2–0, Ann won>"
    assert repr(match.forfeit_match("Ann")) == "<Match Ann – Ben, best of 3: frames 1–2, Ben won>"
    pairs = rules.Match.start(PAIRS, n_players=4, best_of=2, games=3, aggregate=True)
    counted = "games 0–0, frames 0–0, points 0–0"
    assert repr(pairs) == f"<Match Ann/Al – Ben/Bo, aggregate of 2: {counted}, frame 1 0–0, Ann to play>"
    drawn = rules.Match.start(["Ann", "Ben"], best_of=2, aggregate=True, handicap=(7, 7))
    drawn = drawn.decide("concede").next_frame().decide("concede")
    assert repr(drawn).endswith(", drawn>")


def test_a_line_is_told_as_well_as_the_facts():
    match = singles(best_of=3)
    assert match.with_line(rules.StrokeLine(rules.facts(match.frame, first="red", placed=(1.1, 0.6)))) == miss(match)
    assert match.with_line(rules.DecisionLine("concede")) == match.decide("concede")
    assert match.with_line(rules.ForfeitLine(1)) == match.forfeit("Ben")
    assert match.with_line(rules.ForfeitLine(1, of_match=True)) == match.forfeit_match("Ben")
    assert match.with_line(rules.DecisionLine("concede"), ["late"]).history[0].entry.comments == ("late",)
    with pytest.raises(TypeError, match="expected StrokeLine"):
        match.with_line("concede")


def test_a_simulated_stroke_is_entered_with_its_facts():
    match = singles()
    stroke = rules.Strokes(simcore.Shots(V0=4.0, phi=1.62), cue_ball=(0.95, 0.6))
    after = match.play(stroke, intended="safety")
    frame, ruling = rules.play(match.frame, stroke)
    assert (after.frame, after.ruling) == (frame, ruling)
    (step,) = after.history
    assert (step.entry.shot, step.told.intended, step.player) == (stroke.shots, "safety", "Ann")
    assert step.told.facts.first_contacts
    told_again = match.referee(step.told.facts, positions=step.after.positions, intended="safety")
    assert (told_again.frame, told_again.ruling) == (frame, ruling)
    assert match.referee(step.told.facts, positions=step.after.positions, intended="safety", stroke=stroke) == after


def test_an_option_taken_with_a_stroke_is_a_step_of_its_own():
    match = foul(singles())
    facts = rules.facts(match.frame, first="red", placed=(1.1, 0.6))
    match = match.referee(facts, rules.Decision(option="play"))
    assert [(step.decision, step.player) for step in match.history[1:]] == [("play", "Ben"), ("", "Ben")]


# Doors.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sides": ["Ann"]}, "n_players = 1: expected an integer from 2"),
        ({"sides": ["Ann", "Ann"]}, "'Ann' is named twice"),
        ({"sides": ["Ann", " "]}, "' ' is not a name"),
        ({"sides": ["Ann", []]}, r"sides\[1\] has no player"),
        ({"best_of": 4}, "best_of = 4: expected an odd number of frames"),
        ({"best_of": 0}, "best_of = 0: expected 1 to 9999"),
        ({"games": True}, "games = True: expected an integer"),
        ({"first": 2}, "first = 2: expected 0 to 1"),
        ({"order": ["Ben", "Ann"]}, "order: 'Ben' in place 1: expected one of Ann"),
        ({"order": ["Ann"]}, "expected 2 different players"),
        ({"sides": PAIRS, "n_players": 4, "order": ["Ann", "Ben", "Ann", "Bo"]}, "expected 4 different players"),
        ({"order": "AB"}, "expected 2 different players"),
        ({"n_players": 4}, r"sides\[0\] has 1 players: expected at least 2"),
        ({"n_players": 3}, "n_players = 3: expected n_sides = 2 times"),
        ({"n_sides": 3, "n_players": 3}, "n_sides = 3: expected 2, as many as there are sides"),
        ({"game": "pool"}, "game 'pool' is not known"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        rules.Match.start(**{"sides": ["Ann", "Ben"], **arguments})


def test_sides_that_are_no_list_are_refused():
    with pytest.raises(TypeError, match="expected a list of sides"):
        rules.Match.start("Ann")


def test_what_does_not_fit_the_moment_is_refused():
    match = singles(best_of=3)
    with pytest.raises(ValueError, match="frame 1 is not over: there is no next frame yet"):
        match.next_frame()
    with pytest.raises(ValueError, match="player 'Cy' does not play in this match; expected one of Ann, Ben"):
        match.forfeit("Cy")
    with pytest.raises(ValueError, match="option 'claim' was not offered"):
        match.decide("claim")
    with pytest.raises(ValueError, match="intended 'pot': expected safety, or the ball meant"):
        miss(match, intended="pot")
    over = match.forfeit("Ann")
    with pytest.raises(ValueError, match="the frame is over"):
        over.forfeit("Ben")
    with pytest.raises(ValueError, match="the frame is over"):
        over.referee(rules.Facts())
    with pytest.raises(ValueError, match="the match is over: it cannot be forfeited"):
        over.forfeit_match("Ben").forfeit_match("Ann")
    with pytest.raises(ValueError, match="opener = 2: expected 0 to 1"):
        over.next_frame(opener=2)


# Whole frames at random, against a count that knows nothing of the referee.

ACTIONS = st.lists(st.sampled_from(["pot", "pot", "miss", "foul", "foul, again", "foul, restore"]), max_size=60)
FORMS = {
    "singles": ({"sides": ["Ann", "Ben"]}, 2, 2),
    "handicap": ({"sides": ["Ann", "Ben"], "handicap": (0, 21)}, 2, 2),
    "pairs": ({"sides": PAIRS, "n_players": 4}, 4, 2),
    "three": ({"sides": ["Ann", "Ben", "Cy"]}, 3, 3),
    "three, all": ({"sides": ["Ann", "Ben", "Cy"], "penalty_to": 1}, 3, 3),
    "three, previous": ({"sides": ["Ann", "Ben", "Cy"], "penalty_to": 2}, 3, 3),
}
COLOURS = ("yellow", "green", "brown", "blue", "pink", "black")


def one(match, action):
    """The match after an action, if it can still be done."""
    if action == "pot":
        on = match.frame.ball_on
        return pot(match, COLOURS[len(match.history) % 6] if on == "colour" else on)
    if action == "miss":
        return miss(match)
    match = foul(match)
    if match.frame.is_over or match.frame.phase == "respotted":
        return match
    wanted = {"foul, again": "play_again", "foul, restore": "restore"}.get(action, "play")
    return match.decide(wanted if wanted in match.frame.options else "play")


def expected_places(match, n_players):
    """Each stroke with the place in the order of its player: the next after a turn, or the offender asked again."""
    place = 0
    for step in match.history:
        if isinstance(step, rules.StrokeStep):
            yield step, place
            place = (place + step.ruling.turn_passes) % n_players
        elif step.decision in ("play_again", "restore"):
            place = (place - 1) % n_players


def paid(place, n_players, n_sides, penalty_to):
    """Sides that get a penalty: the next player's, all others', or the previous player's."""
    if n_sides == 2 or penalty_to == 1:
        return {side for side in range(n_sides) if side != place % n_sides}
    return {(place + (1 if penalty_to == 0 else -1)) % n_sides}


@given(st.sampled_from(sorted(FORMS)), ACTIONS)
@settings(max_examples=40, deadline=None)
def test_scores_are_the_sum_of_points_and_penalties_and_turns_follow_the_order(name, actions):
    arguments, n_players, n_sides = FORMS[name]
    match = rules.Match.start(**arguments)
    for action in actions:
        if not match.frame.is_over and match.frame.phase != "respotted":
            match = one(match, action)
    scores = list(arguments.get("handicap", [0] * n_sides))
    for step, place in expected_places(match, n_players):
        assert step.player == match.order[place]
        scores[place % n_sides] += step.ruling.points
        for side in paid(place, n_players, n_sides, arguments.get("penalty_to", 0)):
            scores[side] += step.ruling.penalty
    assert match.frame.scores == tuple(scores)
    figures = rules.player_statistics(match)
    for side, names in enumerate(match.sides):
        made = [step.ruling.points for step in match.history if step.player in names and step.ruling]
        assert sum(figures[name].points for name in names) == sum(made), side


@pytest.mark.parametrize(("games", "aggregate"), [(1, False), (3, False), (1, True), (3, True)])
def test_a_long_match_is_forfeited_as_a_short_one_is(games, aggregate):
    match = rules.Match.start(["Ann", "Bob"], best_of=1999, games=games, aggregate=aggregate)
    begun = time.process_time()
    lost = match.forfeit_match("Ann")
    assert time.process_time() - begun < 2.0  # s; with the cube of the frames it was ten
    assert (lost.is_over, lost.winner) == (True, 1)
    needed = 1999 if aggregate else 1000
    assert len(lost.results) == needed * (2 if games == 3 else 1)


def test_restored_after_a_stroke_out_of_turn_no_colour_is_on():
    before = rules.Frame.named("colour_to_choose")
    other = 1 - before.striker
    after, _ = rules.referee(before, rules.facts(before, played_by=other))
    again = rules.decide(after, "restore")
    assert (again.striker, again.phase, again.ball_on) == (other, "red", "red")
    assert again.positions.tobytes() == before.positions.tobytes()
    assert rules.Frame.from_text(again.text) == again
    own, _ = rules.referee(before, rules.facts(before))
    assert rules.decide(own, "restore").ball_on == "colour"


@pytest.mark.parametrize(
    ("sides", "told", "error", "message"),
    [
        ([], {}, ValueError, "none of them, expected at least 2"),
        (["A", None], {}, TypeError, r"sides\[1\] = None: expected a name"),
        (["A", "B"], {"order": 5}, TypeError, "order = 5: expected 2 names"),
        (["A", "B"], {"aggregate": "no"}, TypeError, "aggregate = 'no': expected True or False"),
        (["A", "B"], {"best_of": 3, "carried": (0, 21)}, ValueError, "carried: the match itself adds up"),
    ],
)
def test_what_no_match_can_begin_with(sides, told, error, message):
    with pytest.raises(error, match=message):
        rules.Match.start(sides, **told)


def test_points_of_a_long_aggregate_are_carried():
    match = rules.Match.start(["A", "B"], best_of=99, aggregate=True, handicap=(0, 147))
    lost = FrameResult(("A", "B"), (1_000_000, 1_000_000), 1, "forfeited")
    over = match.forfeit("A")
    long = replace(over, form=over.form._replace(best_of=9999), results=(lost,) * 9998)
    last = long.next_frame().frame
    assert rules.Frame.from_text(last.text) == last
    assert last.ruleset.carried[:2] == (9_998_000_000, 9_998_000_000)


def test_other_things_than_records_have_no_transcript():
    with pytest.raises(TypeError, match=r"records = 'x': expected rules\.Record"):
        transcript("x")
