"""Spotting: the worked cases C90 to C94, and properties that hold whatever is in the way (spec 8)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.bed import bed_of
from rules.frame import standard_table
from rules.ruleset import KIND_NAMES, RuleSet
from rules.spotting import spot_balls
from rules.tolerances import SPOTTING_GAP
from simcore.kernel.jit import kernel

RULES = RuleSet.named()
BED = bed_of(standard_table(), RULES)
SPOTS = [(0.0, 0.0)] + [standard_table().spots[name] for name in KIND_NAMES[1:7]]
YELLOW, GREEN, BROWN, BLUE, PINK, BLACK = range(1, 7)
D = 0.0525
NEAR = 2.0 * SPOTTING_GAP


@kernel
def compiled(rules, bed, positions, waiting):
    spot_balls(rules, bed, positions, waiting)


def spotted(balls, *, reds=(), others=None):
    """Places of `balls` after they are put back on a table with reds, and the other colours where given."""
    positions = np.full((22, 2), np.nan)
    for kind, place in (others or {}).items():
        positions[kind] = place
    for i, place in enumerate(reds):
        positions[7 + i] = place
    compiled(RULES, BED, positions, sum(1 << ball for ball in balls))
    return positions


def test_own_spot_when_free():
    positions = spotted(range(1, 7))
    assert [tuple(positions[kind]) for kind in range(1, 7)] == SPOTS[1:]


def test_c90_and_physics_case_25_highest_free_spot():
    others = {kind: SPOTS[kind] for kind in (YELLOW, GREEN, BROWN, BLUE)}
    assert tuple(spotted([PINK], reds=[SPOTS[PINK]], others={**others, BLACK: (0.3, 3.4)})[PINK]) == SPOTS[BLACK]
    assert tuple(spotted([BLACK], reds=[SPOTS[BLACK]], others={**others, PINK: (0.3, 3.4)})[BLACK]) == SPOTS[PINK]
    taken = [SPOTS[BLACK], SPOTS[PINK]]
    assert tuple(spotted([BLACK], reds=taken, others={BROWN: SPOTS[BROWN]})[BLACK]) == SPOTS[BLUE]


def test_b5_green_spot_only_when_all_higher_are_taken():
    reds = [SPOTS[kind] for kind in (BLACK, PINK, BLUE, BROWN)]
    assert tuple(spotted([BLACK], reds=reds)[BLACK]) == SPOTS[GREEN]


def test_c91_higher_value_first_then_the_line():
    others = {YELLOW: SPOTS[YELLOW], GREEN: SPOTS[GREEN], BLACK: SPOTS[BLACK], PINK: (0.3, 3.4)}
    positions = spotted([BLUE, BROWN], reds=[SPOTS[BLUE], SPOTS[BROWN]], others=others)
    assert tuple(positions[BLUE]) == SPOTS[PINK]
    assert positions[BROWN] == pytest.approx((0.889, 0.7895), abs=NEAR)
    assert positions[BROWN][1] > 0.7895


def test_own_spots_are_filled_before_others_whatever_the_value():
    positions = spotted([BLACK, PINK], reds=[SPOTS[BLACK]], others={b: SPOTS[b] for b in (1, 2, 3, 4)})
    assert tuple(positions[PINK]) == SPOTS[PINK], "the pink takes its own spot, not the black"
    assert positions[BLACK] == pytest.approx((0.889, 3.2975), abs=NEAR)


@pytest.mark.parametrize(("kind", "place"), [(BLACK, (0.889, 3.2975)), (YELLOW, (1.181, 0.7895))], ids=["C92", "C94"])
def test_all_spots_occupied_towards_the_top(kind, place):
    others = {other: SPOTS[other] for other in range(1, 7) if other != kind}
    positions = spotted([kind], reds=[SPOTS[kind]], others=others)
    assert positions[kind] == pytest.approx(place, abs=NEAR)


def test_c93_no_room_towards_the_top():
    reds = [(0.889, 3.245 + D * i) for i in range(6)]
    positions = spotted([BLACK], reds=reds, others={kind: SPOTS[kind] for kind in range(1, 6)})
    assert positions[BLACK] == pytest.approx((0.889, 3.1925), abs=NEAR)
    assert positions[BLACK][1] < 3.1925


def test_the_last_place_below_the_top_cushion_is_used():
    reds = [(0.889, 3.245 + D * i) for i in range(5)]
    positions = spotted([BLACK], reds=reds, others={kind: SPOTS[kind] for kind in range(1, 6)})
    assert positions[BLACK] == pytest.approx((0.889, 3.5075), abs=5 * NEAR)
    assert positions[BLACK][1] <= BED.high_y


def crowd(draw_places, spots):
    """Balls around the spots of `spots`, none overlapping another."""
    found = []
    for spot, (dx, dy) in zip(spots, draw_places, strict=True):
        place = (spot[0] + dx, spot[1] + dy)
        if all(math.dist(place, other) >= D for other in found):
            found.append(place)
    return found


offsets = st.tuples(st.floats(-0.08, 0.08), st.floats(-0.08, 0.3))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=14, max_size=14), st.lists(offsets, min_size=14, max_size=14), st.data())
def test_never_touching_always_somewhere_and_nobody_else_moves(around, places, data):
    reds = crowd(places, [SPOTS[kind] for kind in around])
    waiting = data.draw(st.sets(st.integers(1, 6), min_size=1))
    positions = spotted(waiting, reds=reds)
    assert np.array_equal(positions[7 : 7 + len(reds)], np.array(reds).reshape(-1, 2))
    present = positions[~np.isnan(positions[:, 0])]
    assert len(present) == len(reds) + len(waiting)
    for kind in waiting:
        x, y = positions[kind]
        distances = np.sort(np.hypot(*(present - (x, y)).T))
        assert len(distances) == 1 or distances[1] >= D
        assert (x, y) in SPOTS or x == SPOTS[kind][0]
        assert BED.low_y <= y <= BED.high_y


@settings(max_examples=100, deadline=None)
@given(st.lists(offsets, min_size=6, max_size=12))
def test_the_place_on_the_line_is_the_nearest_one(places):
    """Against a fine scan of the line above the spot, all spots being occupied."""
    taken = [SPOTS[kind] for kind in range(1, 7)]
    reds = crowd([(0.0, 0.0)] * 6 + places, taken + [SPOTS[BLACK]] * len(places))
    positions = spotted([BLACK], reds=reds)
    y = positions[BLACK][1]
    if y < SPOTS[BLACK][1]:
        return
    scan = np.arange(SPOTS[BLACK][1], y - 1e-5, 1e-4)
    gaps = np.hypot(0.889 - np.array(reds)[:, None, 0], scan - np.array(reds)[:, None, 1])
    assert (gaps.min(axis=0) < D + 2e-6).all()
