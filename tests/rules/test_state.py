"""Facts as they are shown at a prompt."""

import math

import pytest

import rules
from rules.state import Facts

FRAME = rules.Frame.named("mid_frame")


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        (Facts(), "<Facts nothing>"),
        (
            rules.facts(FRAME, first="red 3", potted=["red 3", "cue"], observed=["push", "jump"]),
            "<Facts first red 3; pot cue, red 3; observed push, jump>",
        ),
        (
            Facts(fell=1 << 6, placed_x=0.8, placed_y=0.1 + 0.2, played_by=1, nearest_gap=0.02),
            "<Facts fell black; placed 0.8,0.30000000000000004; played_by 1; gap 0.02>",
        ),
    ],
)
def test_facts_show_what_is_told(facts, shown):
    assert repr(facts) == str(facts) == shown


@pytest.mark.parametrize(
    "wrong",
    [{"potted": 1 << 22}, {"potted": -1}, {"potted": "cue"}, {"observed": 1.5}, {"placed_x": "a"}, {"fell": None}],
)
def test_facts_that_stand_for_nothing_are_shown_as_they_are(wrong):
    ((name, value),) = wrong.items()
    shown = repr(Facts(**wrong))
    assert shown.startswith("<Facts (")
    assert repr(value) in shown
    assert Facts(**wrong)[Facts._fields.index(name)] == value


def test_equal_facts_look_alike_whatever_made_them():
    assert repr(Facts(nearest_gap=-math.nan)) == repr(Facts())
