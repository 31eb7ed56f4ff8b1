"""The words of a stroke and of a decision: one form, read back exactly, refused with the word that is wrong."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.notation import BALL_CLAUSES, NOTHING, print_place
from rules.records.lines import CLAUSES, parse_line, print_line
from rules.ruleset import KIND_NAMES, MAX_BALLS
from rules.state import AT_ANY_TIME, OBSERVED_NAMES, OPTION_NAMES, Facts
from rules.steps import INTENTIONS, DecisionLine, ForfeitLine, StrokeLine

FRAME = rules.Frame.start()
BALLS = st.integers(0, (1 << MAX_BALLS) - 1)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
PLACES = st.one_of(st.just((math.nan, math.nan)), st.tuples(FINITE, FINITE))


@st.composite
def stroke_lines(draw):
    sets = {field: draw(st.one_of(st.just(0), BALLS)) for field in BALL_CLAUSES.values()}
    x, y = draw(PLACES)
    observed = draw(st.one_of(st.just(0), st.integers(0, (1 << len(OBSERVED_NAMES)) - 1)))
    played_by = draw(st.integers(-1, FRAME.ruleset.n_players - 1))
    gap = draw(st.one_of(st.just(math.nan), FINITE))
    facts = Facts(**sets, observed=observed, played_by=played_by, placed_x=x, placed_y=y, nearest_gap=gap)
    return StrokeLine(facts, draw(st.sampled_from((None, *KIND_NAMES[1:]))), draw(st.sampled_from(("", *INTENTIONS))))


LINES = st.one_of(
    stroke_lines(),
    st.builds(DecisionLine, st.sampled_from((*OPTION_NAMES, *AT_ANY_TIME))),
    st.builds(ForfeitLine, st.integers(0, 5), st.booleans()),
)


def facts_of(text):
    line = parse_line(FRAME, text)
    assert isinstance(line, StrokeLine)
    return line.facts


def told(**names):
    return rules.facts(FRAME, **names)


def bare(line):
    """A line as its numbers, to the last bit; nan is not equal to itself."""
    return repr([type(line), *(tuple(part) if isinstance(part, tuple) else part for part in line)])


@given(LINES)
def test_reading_inverts_writing(line):
    text = print_line(line)
    again = parse_line(FRAME, text)
    assert bare(again) == bare(line)
    assert print_line(again) == text
    assert "\n" not in text


def test_every_fact_has_its_words():
    told_apart = {*BALL_CLAUSES.values(), "observed", "played_by", "placed_x", "placed_y", "nearest_gap"}
    assert told_apart == set(Facts._fields)


def test_the_example_of_the_docstring():
    example, decision = rules.records.lines.__doc__.split("\n\n")[1].split("\n")
    facts = told(first="red 3", potted="red 3", placed=(0.9, 0.6), observed="push")
    assert parse_line(FRAME, example) == StrokeLine(facts, "black", "safety")
    assert parse_line(FRAME, decision) == DecisionLine("play_again")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("first red; pot red, red, cue", {"first": "red 1", "potted": ["red 1", "red 2", "cue"]}),
        ("  pot   red  7 ;first red 7 ", {"first": "red 7", "potted": "red 7"}),
        ("off cue", {"off_table": "cue"}),
        ("touching blue; touching_moved blue", {"touching": "blue", "touching_moved": "blue"}),
        ("jumped_before pink; touched red 4", {"jumped_before": "pink", "touched": "red 4"}),
        ("placed .5 , 6e-1", {"placed": (0.5, 0.6)}),
        ("played_by 1; gap 0.02; fell red 2", {"played_by": 1, "nearest_gap": 0.02, "fell": "red 2"}),
        (NOTHING, {}),
    ],
)
def test_what_a_scorer_may_write(text, names):
    assert bare([facts_of(text)]) == bare([told(**names)])


def test_a_red_without_a_number_is_one_still_on_the_table():
    frame = rules.Frame.from_text("snooker/current red 0:0 cue=0.5,0.5 red9=0.5,2 " + colours())
    assert parse_line(frame, "first red").facts.first_contacts == 1 << 15
    with pytest.raises(ValueError, match="more reds than the 1 on the table"):
        parse_line(frame, "pot red, red")


def colours():
    spots = FRAME.table.spots
    return " ".join(f"{name}={print_place(*spots[name])}" for name in KIND_NAMES[1:7])


@pytest.mark.parametrize("text", ["concede", "decide concede"])
def test_a_decision_at_any_time_needs_no_decide(text):
    assert parse_line(FRAME, text) == DecisionLine("concede")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["''", *CLAUSES, NOTHING]),
        ("frist red", ["'frist red'", "'frist'", "expected one of first", "concede"]),
        ("first", ["'first' stands alone", "first red 3, black"]),
        ("first red; first blue", ["'first' is given twice"]),
        ("first red 3,, blue", ["first 'red 3,, blue'", "beside a comma"]),
        ("pot red 3, red 3", ["pot: red 3 is named twice"]),
        ("touching_moved red 16", ["touching_moved: 'red 16' is not a ball"]),
        ("first white", ["first: 'white' is not a ball"]),
        ("nominated white", ["nominated 'white' is not a ball"]),
        ("nominated", ["'nominated' stands alone", "nominated black"]),
        ("placed 0.9", ["placed '0.9'", "x,y in metres"]),
        ("placed 0.9,0.6m", ["placed '0.6m'", "a finite number"]),
        ("placed nan,0.6", ["placed 'nan'"]),
        ("placed 1e999,0.6", ["placed '1e999'"]),
        ("placed 1_0,0.6", ["placed '1_0'"]),
        ("placed", ["'placed' stands alone", "0.9,0.6"]),
        ("observed sneeze", ["observed: 'sneeze' is not known", "push"]),
        ("observed", ["'observed' stands alone", "observed push"]),
        ("played_by 10", ["played_by '10'", "played_by 0"]),
        ("played_by", ["'played_by' stands alone", "played_by 1"]),
        ("intended red 16", ["intended 'red 16'", "expected safety"]),
        ("intended", ["'intended' stands alone", "intended safety"]),
        ("gap near", ["gap 'near'", "a finite number"]),
        ("gap", ["'gap' stands alone", "gap 0.02"]),
        ("first red; nothing", ["'nothing'"]),
        ("decide", ["decide ''", *OPTION_NAMES]),
        ("decide win", ["decide 'win'", *AT_ANY_TIME]),
        ("concede now", ["'concede' is not known"]),
        ("forfeit", ["forfeit ''", "forfeit 0"]),
        ("forfeit -1", ["forfeit '-1'"]),
        ("forfeit ²", ["forfeit '²'"]),
    ],
)
def test_what_is_wrong_is_quoted(text, words):
    with pytest.raises(ValueError, match=re.escape(words[0])) as error:
        parse_line(FRAME, text)
    for word in words:
        assert word in str(error.value)


def test_only_text_is_read():
    with pytest.raises(TypeError, match="expected str"):
        parse_line(FRAME, None)
