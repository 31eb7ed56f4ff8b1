"""What a scorer types is written out in the words of records, or refused with what must be told."""

import re
from pathlib import Path

import pytest

import rules
from rules.notation import NOTHING
from rules.records.lines import CLAUSES, DECIDE, FORFEIT, FORFEIT_MATCH, parse_line
from rules.scoring.shorthand import BALLS, DECISIONS, SEEN, VERBS, write_out
from rules.state import AT_ANY_TIME, LOT_NAMES, OBSERVED_NAMES, OPTION_NAMES
from rules.steps import RecordEntry, advance

RED = rules.Frame.start(positions_known=0)


def after(frame, *lines):
    for line in lines:
        frame = advance(frame, RecordEntry(parse_line(frame, line))).after
    return frame


COLOUR = after(RED, "first red; pot red")
FOUL = after(RED, "nothing")
FREE = after(RED, "observed next_snookered")
MISSED = after(RED, "observed full_ball_on")
HAMPERED = after(COLOUR, "touched blue; observed no_stroke, hampered")
TAKEN = rules.decide(FREE, "free_ball")
CLEARANCE = rules.Frame.named("colours_only")


@pytest.mark.parametrize(
    ("frame", "text", "words"),
    [
        (RED, "r", "first red; pot red"),
        (RED, "RED", "first red; pot red"),
        (RED, "r  r w", "first red; pot red, red, cue"),
        (RED, "-", "first red"),
        (RED, "- y", "first yellow"),
        (RED, "in", "first red; pot cue"),
        (RED, "in bl", "first blue; pot cue"),
        (RED, "foul", "nothing"),
        (RED, "foul bl", "first blue"),
        (RED, "bl", "first blue; pot blue"),
        (RED, "foul miss", "observed miss_judged"),
        (RED, "foul bl full snookered", "first blue; observed full_ball_on, next_snookered"),
        (RED, "r push jump feet twice", "first red; pot red; observed push, jump, feet_off_floor, double_hit"),
        (RED, "touch bl", "touched blue; observed no_stroke"),
        (RED, "touch w hampered", "touched cue; observed hampered, no_stroke"),
        (RED, "touch bl p angled", "touched blue, pink; observed angled, no_stroke"),
        (RED, "- safe", "first red; intended safety"),
        (RED, "- try r", "first red; intended red"),
        (RED, "-; pot blue; touched pink", "first red; pot blue; touched pink"),
        (RED, "foul; off cue", "off cue"),
        (RED, "foul w", "pot cue"),
        (COLOUR, "foul w on bk", "pot cue; nominated black"),
        (RED, "-; played_by Bob", "first red; played_by 1"),
        (RED, "first red 3; pot red 3", "first red 3; pot red 3"),
        (RED, "concede", "concede"),
        (RED, "rerack", "re_rack"),
        (RED, "forfeit bob", "forfeit 1"),
        (RED, "forfeit 0", "forfeit 0"),
        (COLOUR, "bk", "first black; pot black; nominated black"),
        (COLOUR, "bk w", "first black; pot black, cue; nominated black"),
        (COLOUR, "- gr", "first green; nominated green"),
        (COLOUR, "- on gr", "first green; nominated green"),
        (COLOUR, "in br", "first brown; pot cue; nominated brown"),
        (COLOUR, "foul on bk", "nominated black"),
        (COLOUR, "foul r on bk", "first red; nominated black"),
        (COLOUR, "p on bk", "first pink; pot pink; nominated black"),
        (COLOUR, "touch y", "touched yellow; observed no_stroke"),
        (COLOUR, "touch y on p", "touched yellow; nominated pink; observed no_stroke"),
        (CLEARANCE, "-", "first yellow"),
        (CLEARANCE, "in", "first yellow; pot cue"),
        (TAKEN, "gr", "first green; pot green; nominated green"),
        (TAKEN, "free gr", "first green; pot green; nominated green"),
        (TAKEN, "- gr behind", "first green; nominated green; observed behind_free_ball"),
        (TAKEN, "foul r on gr", "first red; nominated green"),
        (TAKEN, "r", "first red; pot red"),
        (FOUL, "again", "decide play_again"),
        (FOUL, "decide play_again", "decide play_again"),
        (FREE, "free", "decide free_ball"),
        (MISSED, "back", "decide restore"),
        (HAMPERED, "back", "decide restore"),
        (HAMPERED, "keep", "decide keep_ball_on"),
        (HAMPERED, "replace", "decide replace_balls"),
    ],
)
def test_written_out(frame, text, words):
    assert write_out(frame, text, ("Ann", "Bob")) == (words,)
    parse_line(frame, words)


@pytest.mark.parametrize(
    ("frame", "text", "words"),
    [
        (FOUL, "r", ("decide play", "first red; pot red")),
        (FOUL, "first red", ("decide play", "first red")),
        (FREE, "play bl", ("decide play", "first blue; pot blue")),
        (FOUL, "play p", ("decide play", "first pink; pot pink")),
        (FREE, "r", ("decide play", "first red; pot red")),
        (FREE, "free gr", ("decide free_ball", "first green; pot green; nominated green")),
        (FREE, "free - on gr", ("decide free_ball", "first green; nominated green")),
        (FREE, "free foul on gr", ("decide free_ball", "nominated green")),
    ],
)
def test_a_stroke_tells_the_decision_before_it(frame, text, words):
    assert write_out(frame, text) == words
    assert after(frame, *words) is not None


def test_the_lot_is_told_by_a_name():
    tied = rules.Frame.from_text(
        "snooker/current respotted 50:50 striker=0 options=player_0_first,player_1_first cue=hand black=0.889,3.245"
    )
    assert write_out(tied, "Bob", ("Ann", "Bob")) == ("decide player_1_first",)
    for ball in ("bk", "p"):
        with pytest.raises(ValueError, match="a decision comes first, one of player_0_first, player_1_first"):
            write_out(tied, ball, ("Ann", "Bob"))
    assert write_out(RED, "r", ("R", "B")) == ("first red; pot red",)


@pytest.mark.parametrize(
    ("frame", "text", "message"),
    [
        (RED, "zz", "'zz' is not known"),
        (RED, "r zz", "'zz' is not known"),
        (RED, "foul 4", "tell what happened, not the points"),
        (RED, "miss", "no ball is told"),
        (RED, "; pot red", "no ball is told"),
        (RED, "w r", "w comes after"),
        (RED, "foul w r", "expected one ball"),
        (RED, "foul bl p", "expected one ball"),
        (RED, "touch", "expected the ball that was touched"),
        (RED, "foul on", "'on': expected a ball after it"),
        (RED, "- try it", "'try': expected a ball after it"),
        (RED, "forfeit Cy", "forfeit 'Cy': expected the NAME of a player, Ann or Bob"),
        (RED, "-; played_by Zed", "played_by 'Zed': expected the NAME of a player, Ann or Bob"),
        (RED, "forfeit", "forfeit: expected the NAME of a player"),
        (RED, "play", "play is not offered: no foul is to be answered; offered: concede, rerack"),
        (RED, "claim", "claim is not offered: only the black must be left"),
        (FOUL, "free", "free is not offered: the next player was not said to be snookered .*; offered: play, again"),
        (FOUL, "back", "back is not offered: no miss was called"),
        (FOUL, "hand", "hand is not offered: the cue ball was not said to be angled"),
        (COLOUR, "- try bk", "tell which ball was hit, such as '- black try black'"),
        (COLOUR, "-", "tell which ball was hit, such as '- bk'"),
        (COLOUR, "in", "tell which ball was hit, such as 'in bk'"),
        (COLOUR, "foul", "tell which ball was nominated"),
        (COLOUR, "foul bl", "tell which ball was nominated"),
        (COLOUR, "r", "a colour is on, not a red: "),
        (TAKEN, "foul", "tell which ball was nominated"),
        (FREE, "free -", "tell which ball was hit"),
        (FREE, "free r", "a red is no free ball"),
        (FOUL, "free gr", "no free ball was offered"),
    ],
)
def test_refused_with_what_must_be_told(frame, text, message):
    with pytest.raises(ValueError, match=message):
        [parse_line(frame, words) for words in write_out(frame, text, ("Ann", "Bob"))]


def test_the_page_on_the_referee_has_every_word():
    page = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    told, typed = zip(
        *re.findall(r"^\| (`.+) \| .+ \| (.+) \|$", page.partition("## Records")[2], re.MULTILINE), strict=True
    )
    words = set(re.findall(r"`(\w+)`", " ".join(told)))
    assert words == {*CLAUSES, NOTHING, DECIDE, FORFEIT, FORFEIT_MATCH, *AT_ANY_TIME}
    short = {word for text in re.findall(r"`([^`]+)`", " ".join(typed)) for word in text.split()}
    assert {word for word, name in {**SEEN, **DECISIONS}.items() if word != name} <= short
    assert set(VERBS) <= short


def test_every_ball_decision_and_thing_seen_can_be_typed():
    assert set(BALLS.values()) == {"cue", "red", "yellow", "green", "brown", "blue", "pink", "black"}
    assert set(DECISIONS.values()) == {*OPTION_NAMES, *AT_ANY_TIME} - set(LOT_NAMES)
    assert set(SEEN.values()) == set(OBSERVED_NAMES)
    assert not set(SEEN) & set(BALLS)


@pytest.mark.parametrize("typed", ["foul bl on bk on p", "- bk safe try bk", "- bk try bk safe"])
def test_what_is_told_twice_is_refused(typed):
    with pytest.raises(ValueError, match="is told twice"):
        write_out(COLOUR, typed)


def test_nobody_concedes_at_the_lot_and_the_reason_is_told():
    level = "snooker/current respotted 57:57 striker=0 cue=hand options=player_0_first,player_1_first black=0.889,3.245"
    with pytest.raises(ValueError, match="concede is not offered: nobody is at the table before the lot is drawn"):
        write_out(rules.Frame.from_text(level), "concede")
