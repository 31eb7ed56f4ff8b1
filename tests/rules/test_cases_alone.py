"""The worked cases whose set-up or outcome the table-driven test does not cover, each by its id (rules/cases.json)."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import rules
from rules.files import frame_of
from rules.state import FactsArrays
from tests.rules.test_cases import BEYOND, CASES, HERE, LETTERS, SCATTER, SPOTS

EDITIONS = ("current", "1995", "es")
FEET = {"first": "red", "observed": "feet_off_floor"}


def layout(*, cue, reds=6, edition="current", left=tuple(SPOTS), scores=(0, 0), rules=None, places=None, **frame):
    """A frame with colours on their spots unless `places` has them, and `reds` (a number, or places)."""
    places = {**SPOTS, **(places or {})}
    reds = SCATTER[:reds] if isinstance(reds, int) else reds
    phase = "red" if reds else "clearance"
    return frame_of(
        {
            "game": "snooker",
            "edition": edition,
            "rules": rules or {},
            "balls": {
                "cue": list(cue) if cue else None,
                **{name: list(places[name]) if name in left else None for name in SPOTS},
                "red": [list(place) for place in reds],
            },
            "frame": {"phase": phase, "scores": list(scores), "striker": 0, "cue_in_hand": cue is None, **frame},
        }
    )


def of_case(name, edition="current", **changes):
    """The frame of a case that gives all positions."""
    given = CASES[name]["positions"]
    places = {LETTERS[key]: xy for key, xy in given.items() if len(key) == 1}
    reds = [given[key] for key in sorted(given) if key[0] == "R"]
    left = tuple(name for name in SPOTS if name in places) or tuple(SPOTS)
    cue = places.get("cue", (1.5, 1.0))
    return layout(cue=cue, reds=reds, edition=edition, places=places, left=left, **changes)


def rule(frame, nominated=None, option=None, positions=None, **facts):
    if option:
        frame = rules.decide(frame, option)
    return rules.referee(frame, rules.facts(frame, **facts), rules.Decision(nominated), positions)


CLEAR = (0.42, 2.2)  # sees the reds of SCATTER


class TestEndOfFrame:
    def test_c42_no_claim_at_seven_ahead(self):
        frame = layout(cue=CLEAR, reds=0, left=("pink", "black"), scores=(59, 58))
        after, _ = rule(frame, first="pink", potted="pink")
        assert after.scores == (65, 58)
        assert "claim" not in after.decisions

    @pytest.mark.parametrize(("edition", "offered"), [("current", True), ("1995", False), ("es", False)])
    def test_a_lead_of_eight_may_be_claimed(self, edition, offered):
        frame = layout(cue=CLEAR, reds=0, left=("black",), scores=(66, 58), edition=edition)
        assert ("claim" in frame.decisions) == offered
        if offered:
            over = rules.decide(frame, "claim")
            assert (over.is_over, over.state.winner, over.scores) == (True, 0, (66, 58))
        assert "claim" not in layout(cue=CLEAR, reds=0, left=("pink", "black"), scores=(90, 8)).decisions

    def test_c51_a_tied_frame_of_an_aggregate_match_stands(self):
        frame = layout(cue=CLEAR, reds=0, left=("black",), scores=(50, 57), rules={"respot_on_tie": 0})
        after, ruling = rule(frame, first="black", potted="black")
        assert (after.scores, after.is_over, ruling.winner) == ((57, 57), True, None)

    def test_c52_level_totals_after_the_last_frame(self):
        frame = layout(cue=CLEAR, reds=0, left=("black",), scores=(50, 50), rules={"carried": [210, 217]})
        after, ruling = rule(frame, first="black", potted="black")
        assert (after.phase, after.scores, after.cue_in_hand) == ("respotted", (57, 50), True)
        assert tuple(after.positions[6]) == pytest.approx(SPOTS["black"])
        assert (ruling.next_player, after.options) == (None, ("player_0_first", "player_1_first"))
        assert rules.Frame.from_text(after.text) == after

    def test_level_in_the_last_frame_of_an_aggregate_match_is_no_tie_of_the_match(self):
        frame = layout(cue=CLEAR, reds=0, left=("black",), scores=(50, 57), rules={"carried": [210, 217]})
        after, ruling = rule(frame, first="black", potted="black")
        assert (after.is_over, ruling.winner) == (True, None)

    def test_c102_forfeit_with_five_reds_left(self):
        frame = layout(cue=CLEAR, reds=5, scores=(40, 20))
        over = rules.forfeit(frame, 0)
        assert (over.is_over, over.scores, over.state.winner) == (True, (0, 87), 1)
        with pytest.raises(ValueError, match="the frame is over"):
            rules.forfeit(over, 0)
        with pytest.raises(ValueError, match="player = 2: expected a player, 0 to 1"):
            rules.forfeit(frame, 2)

    def test_c104_stalemate(self):
        frame = layout(cue=CLEAR, reds=5, scores=(40, 20), first_striker=1)
        again = rules.decide(frame, "re_rack")
        assert again == rules.Frame.start(striker=1)
        assert (again.scores, again.striker, again.reds_left, again.cue_in_hand) == ((0, 0), 1, 15, True)

    def test_concession(self):
        frame = layout(cue=CLEAR, reds=5, scores=(40, 20))
        over = rules.decide(frame, "concede")
        assert (over.is_over, over.scores, over.state.winner) == (True, (40, 20), 1)
        assert over.decisions == ()
        with pytest.raises(ValueError, match="'concede' was not offered; offered: nothing"):
            rules.decide(over, "concede")


class TestSnookered:
    @pytest.mark.parametrize("edition", EDITIONS)
    @pytest.mark.parametrize(("name", "free"), [("C68", False), ("C69", True), ("C70", False), ("C74", False)])
    def test_c68_c69_c70_c74(self, name, free, edition):
        after, ruling = rule(of_case(name, edition), **FEET)
        assert (ruling.penalty, ruling.free_ball) == (4, free)
        assert ("free_ball" in after.options) == free

    @pytest.mark.parametrize(("edition", "offered"), [("current", False), ("1995", True), ("es", True)])
    def test_c71_only_a_jaw_obstructs(self, edition, offered):
        frame = layout(cue=(0.03, 0.02), reds=[(0.889, 0.1)], edition=edition)
        after, ruling = rule(frame, **FEET)
        assert (ruling.penalty, ruling.free_ball) == (4, False)
        assert ("in_hand" in after.options) == offered

    def test_an_angled_player_has_no_other_red(self):
        frame = layout(cue=(0.03, 0.02), reds=[(0.889, 0.1), (0.9, 0.889)], edition="1995")
        after, _ = rule(frame, **FEET)
        assert "in_hand" not in after.options

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_a_jaw_nearer_than_the_ball_does_not_snooker(self, edition):
        """WPBSA 2.17(e): the brown hides the red, but the jaw is before it."""
        frame = layout(cue=(0.03, 0.02), reds=[(0.889, 0.1)], edition=edition, places={"brown": (0.45, 0.06)})
        assert not rule(frame, **FEET)[1].free_ball
        moved = layout(cue=(0.12, 0.06), reds=[(0.889, 0.1)], edition=edition, places={"brown": (0.45, 0.08)})
        assert rule(moved, **FEET)[1].free_ball

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c64_pink_and_black(self, edition):
        frame = of_case("C64", edition, free_ball="offered")
        after, ruling = rule(frame, "black", first="black")
        assert (ruling.penalty, ruling.free_ball, ruling.next_player, after.ball_on) == (0, False, 1, "pink")


BEHIND_BLUE = {  # where C62 has them: the blue hides both reds
    "cue": (0.889, 1.0),
    "reds": [(0.85, 3.2), (0.93, 3.2)],
    "free_ball": "offered",
    "places": {"brown": (0.2, 0.2), "pink": (0.3, 0.3), "black": (0.4, 0.2), "blue": (0.887937, 1.059991)},
}


class TestFreeBall:
    @pytest.mark.parametrize(("counted", "points"), [(1, 3), (0, 2)])
    def test_c59_and_the_spanish_clause_to_the_letter(self, counted, points):
        frame = layout(cue=CLEAR, reds=5, free_ball="offered", edition="es", rules={"nominee_with_reds": counted})
        _, ruling = rule(frame, "blue", first="blue", potted=["blue", "red 1", "red 2"])
        assert ruling.points == points

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c62_with_another_foul_the_turn_passes_all_the_same(self, edition):
        frame = layout(edition=edition, **BEHIND_BLUE)
        _, ruling = rule(frame, "blue", first="blue", potted="pink")
        assert [foul.name for foul in ruling.fouls] == ["snookered_behind_free_ball", "wrong_pot"]
        assert (ruling.penalty, ruling.foul.name) == (6, "wrong_pot")
        _, ruling = rule(frame, "blue", first="blue", potted="red 1")
        assert (ruling.fouls, ruling.next_player) == ((), 0), "he plays on"

    def test_c62_nothing_without_a_stroke(self):
        frame = layout(**BEHIND_BLUE)
        _, ruling = rule(frame, "blue", observed="no_stroke", touched="pink")
        assert [foul.name for foul in ruling.fouls] == ["touched_ball"]

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_a_ball_on_is_no_nominee(self, edition):
        """D18: naming the ball on, which the old texts allow, is playing it."""
        frame = layout(cue=CLEAR, reds=0, free_ball="offered", edition=edition)
        _, named = rule(frame, "yellow", first="yellow", potted="yellow")
        _, plain = rule(frame, first="yellow", potted="yellow")
        assert (named.points, named.fouls, named.spotted) == (plain.points, plain.fouls, plain.spotted) == (2, (), ())


class TestMiss:
    def test_c75_clear_path_missed(self):
        frame = layout(cue=CLEAR, reds=8, scores=(20, 15))
        _, ruling = rule(frame)
        assert (ruling.penalty, ruling.miss) == (4, True)

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c80_impossible_at_full_strength(self, edition):
        reds = SCATTER[:6]
        away = np.array(SPOTS["brown"]) - np.mean(reds, axis=0)
        cue = np.array(SPOTS["brown"]) + 0.0545 * away / np.hypot(*away)
        frame = layout(cue=tuple(cue), reds=6, edition=edition)
        _, ruling = rule(frame, observed=["impossible", "enough_strength"])
        assert (ruling.penalty, ruling.miss) == (4, False)

    def test_levels_judge_a_snookered_players_attempt_by_its_gap(self):
        reds = SCATTER[:6]
        away = np.array(SPOTS["brown"]) - np.mean(reds, axis=0)
        cue = np.array(SPOTS["brown"]) + 0.0545 * away / np.hypot(*away)
        called = {}
        for level, name in enumerate(("off", "amateur", "club", "pro")):
            frame = layout(cue=tuple(cue), reds=6, rules={"miss_level": level})
            assert not rule(frame, first=())[1].miss, "an attempt of unknown gap is believed"
            called[name] = [rule(frame, nearest_gap=gap)[1].miss for gap in (0.01, 0.2, 0.4)]
        assert called == {
            "off": [False, False, False],
            "amateur": [False, False, True],
            "club": [False, True, True],
            "pro": [True, True, True],
        }

    def test_c75_by_the_old_texts_is_the_referees_judgement(self):
        """D9: neither the clear path nor the scores decide."""
        for edition in ("1995", "es"):
            frame = layout(cue=CLEAR, reds=8, edition=edition, scores=(0, 140))
            assert not rule(frame)[1].miss
            assert rule(frame, observed="miss_judged")[1].miss

    def test_c83_asked_again_and_pots_a_red(self):
        frame = layout(cue=CLEAR, reds=6)
        after, _ = rule(frame, first="black")
        again, ruling = rule(after, option="play_again", first="red", potted="red")
        assert (ruling.points, ruling.next_player, again.phase, again.scores) == (1, 0, "colour", (1, 7))


class TestFallsByItself:
    """Clause 3.8, WPBSA 3.9: balls on the edge of a pocket."""

    AT_EDGE = ((0.05, 0.05), *SCATTER[1:6])

    def test_c95_between_strokes(self):
        frame = layout(cue=CLEAR, reds=self.AT_EDGE, scores=(7, 3))
        after, ruling = rule(frame, fell="red 1", observed="no_stroke")
        assert after == frame
        assert (ruling.points, ruling.penalty, ruling.next_player, ruling.replaced) == (0, 0, 0, ("red 1",))

    def test_during_a_stroke_that_would_not_have_hit_it(self):
        frame = layout(cue=CLEAR, reds=self.AT_EDGE)
        moved = np.array(frame.positions)
        moved[0], moved[7] = (0.6, 2.0), np.nan
        after, ruling = rule(frame, first="red 3", potted="red 2", fell="red 1", positions=moved)
        assert (ruling.points, ruling.next_player, after.reds_left) == (1, 0, 5)
        assert tuple(after.positions[7]) == self.AT_EDGE[0]
        assert tuple(after.positions[0]) == (0.6, 2.0)

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c96_about_to_be_hit(self, edition):
        frame = layout(cue=CLEAR, reds=self.AT_EDGE, edition=edition)
        moved = np.array(frame.positions)
        moved[0] = (0.1, 0.4)
        after, ruling = rule(frame, fell="red 1", observed="would_be_hit", positions=moved)
        assert after == frame, "everything replaced, the stroke replayed"
        assert (ruling.points, ruling.penalty, ruling.next_player) == (0, 0, 0)

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c97_and_a_foul(self, edition):
        frame = layout(cue=CLEAR, reds=self.AT_EDGE, edition=edition)
        after, ruling = rule(frame, fell="red 1", observed="would_be_hit", potted="cue")
        assert (ruling.penalty, ruling.next_player, ruling.miss) == (4, 1, False)
        assert [foul.name for foul in ruling.fouls] == ["in_off"]
        assert after.positions.tobytes() == frame.positions.tobytes()
        assert not after.cue_in_hand
        assert after.options == ("play", "play_again")

    def test_c98_a_ball_that_balanced_first_is_potted(self):
        after, ruling = rule(layout(cue=CLEAR, reds=self.AT_EDGE), first="red 1", potted="red 1")
        assert (ruling.points, after.phase) == (1, "colour")


class TestSpotting:
    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c100_plays_before_the_black_is_back(self, edition):
        frame = layout(cue=CLEAR, reds=11, edition=edition)
        frame, _ = rule(frame, first="red 1", potted="red 1")
        frame, _ = rule(frame, "black", first="black", potted="black")
        assert frame.scores == (8, 0)
        after, ruling = rule(frame, first="red 2", potted="red 2", unspotted="black")
        assert (ruling.points, ruling.penalty, ruling.next_player, after.reds_left) == (0, 7, 1, 9)
        assert after.scores == ((1, 7) if edition == "current" else (8, 7))
        assert [name for name, _ in ruling.spotted] == ["black"]
        assert tuple(after.positions[6]) == pytest.approx(SPOTS["black"])

    @pytest.mark.parametrize(("edition", "penalty"), [("current", 4), ("1995", 7)])
    def test_before_a_free_ball_is_back_the_current_text_counts_the_ball_on_only(self, edition, penalty):
        frame = layout(cue=CLEAR, reds=6, edition=edition, free_ball="offered")
        frame, _ = rule(frame, "black", first="black", potted="black")
        after, ruling = rule(frame, "yellow", first="yellow", unspotted="black")
        assert (ruling.penalty, after.scores) == (penalty, (1, penalty))
        name, clause = {"current": ("free_ball_not_back", "3.10(a)(i)"), "1995": ("not_spotted", "3.11.2(d)")}[edition]
        assert [(foul.name, foul.clause) for foul in ruling.fouls] == [(name, clause)]

    @pytest.mark.parametrize(("edition", "penalty"), [("current", 0), ("1995", 5), ("es", 5)])
    def test_a_wrongly_spotted_ball_counts_as_correctly_spotted_in_the_current_text(self, edition, penalty):
        """D4: the blue lay on another spot when the red was played."""
        aside = {"blue": (0.889, 1.79)}
        _, ruling = rule(layout(cue=CLEAR, reds=6, edition=edition, places=aside), first="red", misspotted="blue")
        assert ruling.penalty == penalty

    def test_c101_an_unnoticed_foul_is_condoned(self):
        frame = layout(cue=CLEAR, reds=6)
        _, ruling = rule(frame, first="red")
        assert (ruling.penalty, ruling.next_player) == (0, 1), "the referee knows nothing of the stroke before"


class TestEditions:
    """Differences of the texts that no worked case shows (spec 13)."""

    @pytest.mark.parametrize(("edition", "penalty"), [("current", 4), ("1995", 4), ("es", 7)])
    def test_d6_a_red_met_first_with_a_colour_nominated(self, edition, penalty):
        frame = layout(cue=CLEAR, reds=5, phase="colour", edition=edition)
        assert rule(frame, "green", first="red")[1].penalty == penalty
        assert rule(frame, "green", first="red", observed="aimed_at_red")[1].penalty == 7
        assert rule(frame, first="red")[1].penalty == 7

    @pytest.mark.parametrize(("edition", "jump"), [("current", True), ("1995", False), ("es", False)])
    def test_d27_over_a_ball_not_on_after_hitting_it(self, edition, jump):
        frame = layout(cue=CLEAR, reds=5, edition=edition)
        _, ruling = rule(frame, first="green", jumped_after="green")
        assert ("jump_shot" in [foul.name for foul in ruling.fouls]) == jump
        for over in ({"jumped_before": "green"}, {"jumped_after": "red 1"}):
            _, ruling = rule(frame, first="red 1", **over)
            assert [foul.name for foul in ruling.fouls] == ["jump_shot"]

    @pytest.mark.parametrize(("edition", "foul"), [("current", True), ("1995", False), ("es", False)])
    @pytest.mark.parametrize("name", ["non_standard_cue", "conferring", "touched_while_replacing", "not_declared"])
    def test_fouls_that_only_the_current_text_names(self, edition, foul, name):
        pairs = layout(cue=CLEAR, reds=5, edition=edition, rules={"n_players": 4})
        _, ruling = rule(pairs, first="red", observed=name)
        assert [given.name for given in ruling.fouls] == ([name] if foul else [])

    @pytest.mark.parametrize(("edition", "words"), [("current", "winner"), ("1995", "names"), ("es", "winner")])
    def test_d26_the_lot(self, edition, words):
        frame = layout(cue=CLEAR, reds=0, left=("black",), scores=(50, 57), edition=edition)
        _, ruling = rule(frame, first="black", potted="black")
        assert words in str(ruling)


class TestPairs:
    """Clause 3.14: players 0, 1, 2, 3 are A1, B1, A2, B2."""

    @staticmethod
    def pairs(**changes):
        return layout(cue=CLEAR, reds=6, rules={"n_players": 4}, **changes)

    def test_the_order_goes_round(self):
        frame, seen = self.pairs(), []
        for _ in range(5):
            seen.append(frame.striker)
            frame, _ = rule(frame, first="red")
        assert seen == [0, 1, 2, 3, 0]

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c105_play_again_keeps_the_order(self, edition):
        after, ruling = rule(self.pairs(edition=edition), first="red", observed="feet_off_floor")
        assert (ruling.penalty, after.scores, after.striker) == (4, (0, 4), 1)
        again = rules.decide(after, "play_again")
        assert (again.striker, again.state.free_ball) == (0, 0)
        following, _ = rule(again, first="red")
        assert following.striker == 1

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_c106_out_of_turn(self, edition):
        after, ruling = rule(self.pairs(edition=edition), first="red", played_by=2)
        assert (ruling.penalty, ruling.striker, ruling.next_player) == (4, 2, 1)
        assert after.scores == (0, 4)
        assert [foul.name for foul in ruling.fouls] == ["out_of_turn"]
        again = rules.decide(after, "play_again")
        assert again.striker == 2
        assert rules.Frame.from_text(again.text) == again
        following, _ = rule(again, first="red")
        assert following.striker == 1

    def test_out_of_turn_in_the_opponents_place(self):
        """The turn taken was B1's: he still has it."""
        frame = rule(self.pairs(), first="red")[0]
        after, _ = rule(frame, first="red", played_by=2)
        assert (after.striker, after.scores) == (1, (0, 4))
        after, _ = rule(frame, first="red", played_by=3)
        assert (after.striker, after.scores) == (2, (4, 0)), "his partner loses the turn that he took"

    def test_points_count_for_the_pair(self):
        frame = self.pairs(striker=2)
        after, _ = rule(frame, first="red", potted="red")
        assert (after.scores, after.striker) == ((1, 0), 2)

    def test_any_of_the_four_may_open_on_the_re_spotted_black(self):
        frame = layout(cue=CLEAR, reds=0, left=("black",), scores=(50, 57), rules={"n_players": 4}, striker=2)
        after, _ = rule(frame, first="black", potted="black")
        assert after.options == tuple(f"player_{player}_first" for player in range(4))
        chosen = rules.decide(after, "player_3_first")
        following, _ = rule(chosen, first="black", placed=(0.889, 0.6))
        assert following.striker == 0


class TestSeveralPlayers:
    """Each for himself (spec 9): the texts do not say who gets the penalty, so the rules name it."""

    @pytest.mark.parametrize(
        ("penalty_to", "scores"),
        [("next_player", (0, 4, 0)), ("all_others", (0, 4, 4)), ("previous_player", (0, 0, 4))],
    )
    def test_penalty(self, penalty_to, scores):
        names = ("next_player", "all_others", "previous_player")
        three = {"n_players": 3, "n_sides": 3, "penalty_to": names.index(penalty_to)}
        frame = layout(cue=CLEAR, reds=6, rules=three, scores=(0, 0, 0))
        after, _ = rule(frame, first="red", observed="feet_off_floor")
        assert (after.scores, after.striker) == (scores, 1)
        over = rules.forfeit(frame, 0)
        assert over.scores == tuple(75 if points else 0 for points in scores)

    def test_level_leaders_only_play_the_re_spotted_black(self):
        three = {"n_players": 3, "n_sides": 3}
        frame = layout(cue=CLEAR, reds=0, left=("black",), scores=(50, 20, 57), rules=three)
        after, _ = rule(frame, first="black", potted="black")
        assert after.options == ("player_0_first", "player_2_first")
        chosen = rules.decide(after, "player_0_first")
        assert rule(chosen, first="black", placed=(0.889, 0.6))[0].striker == 2
        over, ruling = rule(chosen, placed=(0.889, 0.6))
        assert (over.is_over, ruling.winner) == (True, 2)

    def test_sides_must_fit(self):
        with pytest.raises(ValueError, match="n_players = 3: expected n_sides = 2 times"):
            rules.Frame.start(n_players=3)
        with pytest.raises(ValueError, match="penalty_to = 7: expected an integer from 0 to 2"):
            rules.Frame.start(n_players=3, n_sides=3, penalty_to=7)
        with pytest.raises(ValueError, match="n_players = 9: expected an integer from 2 to 6"):
            rules.Frame.start(n_players=9, n_sides=9)
        with pytest.raises(ValueError, match="striker = 4: expected a player, 0 to 3"):
            rules.Frame.start(n_players=4, striker=4)


@pytest.mark.parametrize(
    ("rule", "value", "message"),
    [
        ("carried", 50, "expected points of at most 6 sides"),
        ("carried", (1,) * 7, "expected points of at most 6 sides"),
        ("carried", (1, -1), r"carried\[1\] = -1: expected an integer from 0"),
        ("carried", (1, 1, 1), r"carried\[2\] = 1: expected points of 2 sides only"),
        ("handicap", 21, "handicap = 21: expected points of at most 6 sides"),
        ("handicap", (148, 0), r"handicap\[0\] = 148: expected an integer from 0 to 147"),
        ("handicap", (0, -7), r"handicap\[1\] = -7: expected an integer from 0"),
        ("handicap", (0, 0, 7), r"handicap\[2\] = 7: expected points of 2 sides only"),
        ("handicap", (0, 7.0), r"handicap\[1\] = 7.0: expected an integer"),
        ("n_reds", 16, "n_reds = 16: expected an integer from 1 to 15"),
        ("feet_foul", 5, "feet_foul = 5: expected an integer from 0 to 1"),
        ("miss_rule", True, "miss_rule = True: expected an integer"),
        ("claim_lead", "x", "claim_lead = 'x': expected an integer"),
        ("ball_radius", -1.0, "ball_radius = -1.0: expected metres"),
        ("values", (), "rule 'values' is not known"),
    ],
)
def test_rules_of_the_wrong_type_or_range_are_refused(rule, value, message):
    with pytest.raises(ValueError, match=message):
        rules.Frame.start(**{rule: value})


def test_every_case_of_snooker_is_a_test():
    """Those of other games and of matches have tests of their own."""
    here = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    named = {word.upper() for name in re.findall(r"def (test_\w+)", here) for word in re.findall(r"c\d\d\d?", name)}
    named |= set(re.findall(r"C\d\d\d?", "".join(re.findall(r"ids=\[.*?\]", here))))
    snooker = {case["id"] for case in json.loads((Path(__file__).parent / "cases.json").read_text())}
    missing = {name for name in snooker if name[0] == "C"} - named - set(HERE) - set(BEYOND)
    assert not missing


class TestWithoutAStroke:
    """5.1: what happens before the cue ball is struck."""

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_a_ball_that_falls_while_a_colour_is_to_be_chosen_is_replaced(self, edition):
        frame = layout(cue=CLEAR, reds=5, phase="colour", edition=edition)
        after, ruling = rule(frame, fell="red 1", observed="no_stroke")
        assert (after, ruling.fouls) == (frame, ())
        assert rule(frame, observed="no_stroke")[1].fouls == ()

    def test_a_foul_then_costs_seven(self):
        frame = layout(cue=CLEAR, reds=5, phase="colour")
        _, ruling = rule(frame, touched="brown", observed="no_stroke")
        assert [foul.name for foul in ruling.fouls] == ["touched_ball", "before_nomination"]
        assert ruling.penalty == 7

    def test_the_colour_just_potted_counts(self):
        frame, _ = rule(layout(cue=CLEAR, reds=5, phase="colour"), "black", first="black", potted="black")
        after, ruling = rule(frame, touched="blue", unspotted="black", observed="no_stroke")
        assert (ruling.penalty, after.scores) == (5, (7, 5))
        assert [name for name, _ in ruling.spotted] == ["black"]

    def test_an_early_stroke_cancels_the_colour_that_is_due_only(self):
        frame, _ = rule(layout(cue=CLEAR, reds=5, phase="colour"), "black", first="black", potted="black")
        assert rule(frame, first="red", unspotted="yellow")[0].scores == (7, 4)
        after, ruling = rule(frame, first="red", unspotted="black")
        assert (after.scores, ruling.break_points) == ((0, 7), 0)


@pytest.mark.parametrize(("first", "penalty"), [((), 7), ("blue", 7), ("yellow", 7), ("red", 7)])
def test_aiming_at_a_red_with_a_colour_on_costs_seven_whatever_is_hit(first, penalty):
    frame = layout(cue=CLEAR, reds=5, phase="colour")
    _, ruling = rule(frame, "yellow", first=first, observed="aimed_at_red")
    assert ruling.penalty == penalty
    assert ruling.foul.name == "successive_red"


@pytest.mark.parametrize("penalty_to", [0, 1, 2])
def test_a_foul_on_the_re_spotted_black_pays_those_who_play_it(penalty_to):
    three = {"n_players": 3, "n_sides": 3, "penalty_to": penalty_to}
    frame = layout(cue=None, reds=0, left=("black",), scores=(20, 20, 18), rules=three, phase="respotted")
    after, ruling = rule(frame, first="black", potted="cue", placed=(0.889, 0.6))
    assert (after.scores, ruling.winner) == ((20, 27, 18), 1)


def level_black(n_players, n_sides, scores, **more):
    given = {"n_players": n_players, "n_sides": n_sides, **more}
    return layout(cue=CLEAR, reds=0, left=("black",), scores=scores, rules=given, phase="respotted")


def test_of_three_level_on_a_re_spotted_black_two_play_on_when_one_concedes():
    left = rules.decide(level_black(3, 3, (20, 20, 20)), "concede")
    assert (left.phase, left.striker, left.scores, left.state.conceded) == ("respotted", 1, (20, 20, 20), 0b1)
    assert rules.Frame.from_text(left.text) == left
    missed, _ = rule(left, first="black")
    assert (missed.striker, missed.state.conceded) == (2, 0b1)
    again, _ = rule(missed, first="black")
    assert again.striker == 1, "the one who conceded is passed over"
    after, ruling = rule(missed, first="black", potted="cue")
    assert (ruling.winner, after.scores, after.state.conceded) == (1, (20, 27, 20), 0)
    over = rules.decide(left, "concede")
    assert (over.is_over, over.state.winner, over.scores) == (True, 2, (20, 20, 20))


@pytest.mark.parametrize("penalty_to", [0, 1, 2])
def test_penalty_points_do_not_go_to_one_who_conceded_the_re_spotted_black(penalty_to):
    left = rules.decide(level_black(4, 4, (20, 20, 20, 9), penalty_to=penalty_to), "concede")
    after, ruling = rule(left, first="black", potted="cue")
    assert (after.scores, ruling.winner) == ((20, 20, 27, 9), 2)


def test_the_black_is_re_spotted_again_without_the_one_who_conceded():
    left = rules.decide(level_black(4, 4, (20, 20, 20, 20), penalty_to=1), "concede")
    after, _ = rule(left, first="black", potted="cue")
    assert (after.scores, after.options) == ((20, 20, 27, 27), ("player_2_first", "player_3_first"))


def test_a_team_level_with_one_other_gives_it_the_frame_by_conceding():
    for frame in (level_black(2, 2, (20, 20)), level_black(4, 2, (20, 20)), level_black(3, 3, (20, 20, 18))):
        over = rules.decide(frame, "concede")
        assert (over.is_over, over.state.winner) == (True, 1)


def test_nobody_concedes_while_the_lot_is_open():
    after, _ = rule(layout(cue=CLEAR, reds=0, left=("black",), scores=(50, 57)), first="black", potted="black")
    assert after.decisions == ("player_0_first", "player_1_first", "re_rack")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"first": "red 1", "fell": "red 1"}, "red 1 cannot be in both first_contacts and fell"),
        ({"jumped_after": "red 1"}, "jumped_after: red 1, yet the cue ball hit no ball before"),
        ({"observed": ["no_stroke", "push"]}, "no_stroke was observed, yet push was observed"),
        ({"observed": "no_stroke", "moving": "black"}, "no_stroke was observed, yet another fact needs a stroke"),
        ({"first": "red", "nearest_gap": float("inf")}, "nearest_gap = inf: expected a finite number"),
        ({"first": "red", "nearest_gap": -0.1}, "nearest_gap = -0.1: expected metres from 0"),
        ({"first": "red", "played_by": 2}, "played_by = 2: expected -1 to 1"),
    ],
)
def test_facts_that_contradict_each_other(facts, message):
    with pytest.raises(ValueError, match=message):
        rule(layout(cue=CLEAR, reds=5), **facts)


def test_a_player_who_is_not_there_played_no_stroke():
    frame = layout(cue=CLEAR, reds=5)
    told = rules.facts(frame, first="red")
    for call in (
        lambda: rules.facts(frame, first="red", played_by=3),
        lambda: rules.referee(frame, told._replace(played_by=3)),
    ):
        with pytest.raises(ValueError, match="played_by = 3: expected -1 to 1"):
            call()


@pytest.mark.parametrize(("gap", "is_believed"), [(0.0, True), (0.99e-3, True), (1.01e-3, False), (0.1, False)])
def test_a_touching_ball_that_lies_apart_is_refused(gap, is_believed):
    place = (SPOTS["blue"][0] + 0.0525 + gap, SPOTS["blue"][1])
    lying = layout(cue=place, reds=5)
    held = layout(cue=None, reds=5, places={"blue": (0.889 + 0.0525 + gap, 0.6)})
    for frame, more in ((lying, {}), (held, {"placed": (0.889, 0.6)})):
        if is_believed:
            assert rule(frame, touching="blue", first="red", **more)[1].fouls == ()
            continue
        with pytest.raises(ValueError, match="touching: blue lies more than 1 mm from the cue ball"):
            rule(frame, touching="blue", first="red", **more)


def test_a_ball_that_was_not_there_has_no_place():
    frame = layout(cue=CLEAR, reds=5)
    told, places = rules.facts(frame, first="red 1", potted="red 1"), np.array(frame.positions)
    expected, _ = rules.referee(frame, told)
    for place in (places[7].tolist(), np.nan):  # where it lay, or none
        places[7] = place
        assert rules.referee(frame, told, None, places)[0] == expected
    places[[19, 20]] = (0.2, 0.2), (0.3, 0.2)
    message = "positions: red 13, red 14 has a place, yet it was not on the table before the stroke"
    with pytest.raises(ValueError, match=message):
        rules.referee(frame, told, None, places)
    arrays = FactsArrays(*(np.array([value, value]) for value in told))
    with pytest.raises(ValueError, match=r"strokes\[1\]: " + message):
        rules.referee_batch(frame, arrays, np.zeros(2, dtype=np.int64), np.array([frame.positions, places]))


def test_what_moved_before_the_stroke_or_lies_nowhere_known_may_have_touched():
    frame = layout(cue=CLEAR, reds=5)
    assert "balls_moving" in [foul.name for foul in rule(frame, touching="blue", moving="blue")[1].fouls]
    assert "touched_ball" in [foul.name for foul in rule(frame, touching="blue", touched="cue")[1].fouls]
    rule(layout(cue=CLEAR, reds=5, rules={"positions_known": 0}), touching="blue", first="red")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("full_ball=7", "full_ball = 7"),
        ("winner=1", "winner = 1 in phase 'red'"),
        ("nominee_back=2", "nominee_back = 2"),
        ("conceded=1", "conceded = 1 in phase 'red'"),
        ("colour_points=9", "colour_points = 9"),
        ("colour_points=7", "colour_points = 7: expected at most the striker's 3 points"),
        ("options=in_hand", "the rules do not have it"),
        ("options=play_again offender=1", "offender = 1 is the striker"),
    ],
)
def test_states_that_cannot_be_are_refused(change, message):
    text = rules.Frame.named("mid_frame").text.replace(" striker=1", f" striker=1 {change}")
    text = text.replace("22:17", "17:3")
    with pytest.raises(ValueError, match=message):
        rules.Frame.from_text(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("conceded=8", "conceded = 8 in phase 'respotted': expected a set of 3 sides"),
        ("conceded=1", "the side of the striker, 0, has conceded"),
        ("conceded=6", "the scores 20-20-20 are not level"),
    ],
)
def test_who_conceded_a_re_spotted_black_must_fit_the_frame(change, message):
    text = level_black(3, 3, (20, 20, 20)).text
    with pytest.raises(ValueError, match=message):
        rules.Frame.from_text(text.replace(" striker=0", f" striker=0 {change}"))


def test_a_frame_out_of_a_batch_has_nothing_to_restore():
    after, _ = rule(layout(cue=CLEAR, reds=8))
    assert "restore" in after.options
    kept = rules.Frames.of([after])[0]
    assert "restore" not in kept.options
    assert rules.Frame.from_text(kept.text) == kept
