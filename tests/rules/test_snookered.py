"""Snooker and straight paths against slow sampling, and positions with a known answer (spec 6.1, 7)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.ball_on import points_on_table
from rules.bed import bed_of, in_the_d
from rules.frame import standard_table
from rules.miss import has_full_target, has_straight_path
from rules.ruleset import RuleSet
from rules.snookered import edge_point, is_snookered_in_hand, snooker_at
from rules.state import PHASE_CLEARANCE, PHASE_COLOUR, PHASE_RED, FrameState
from simcore.kernel.jit import kernel

RULES = RuleSet.named()
OLD = RuleSet.named(edition="1995")
BED = bed_of(standard_table(), RULES)
D = 2.0 * BED.radius


@kernel
def in_hand(bed, positions, on, others):
    return is_snookered_in_hand(bed, positions, on, others)


def layout(**balls):
    """Positions (22, 2) with the balls named; r1 … are reds."""
    order = {"W": 0, "Y": 1, "G": 2, "N": 3, "B": 4, "P": 5, "K": 6}
    positions = np.full((22, 2), np.nan)
    for name, place in balls.items():
        positions[order.get(name, 6 + int(name[1:] or 0) if name[0] == "R" else 0)] = place
    return positions


def masks(positions):
    present = sum(1 << ball for ball in range(1, 22) if not np.isnan(positions[ball, 0]))
    return present & ~0x7F, present & 0x7E


AWAY = {"Y": (1.181, 0.737), "G": (0.597, 0.737), "N": (0.2, 0.2), "P": (0.3, 0.3), "K": (0.4, 0.2)}
CASES = {
    "C62": ({"B": (0.887937, 1.059991), "R1": (0.85, 3.2), "R2": (0.93, 3.2)}, True),
    "C68": ({"B": (0.849927, 1.297445), "R1": (0.6, 3.2), "R2": (1.2, 3.2)}, False),
    "C69": ({"P": (0.889, 2.0), "B": (0.5, 0.3), "R1": (0.859, 3.0), "R2": (0.919, 3.0)}, True),
    "C70": ({"B": (0.5, 0.3), "R1": (0.889, 2.0), "R2": (0.889, 3.0), "R3": (0.87, 3.2)}, False),
    "C74": ({"K": (0.889, 2.5535), "B": (0.5, 0.3), "R1": (0.889, 2.5)}, False),
}


@pytest.mark.parametrize("name", CASES)
def test_the_cases_of_the_specification(name):
    balls, expected = CASES[name]
    positions = layout(W=(0.889, 1.0), **{**AWAY, **balls})
    on, others = masks(positions)
    assert snooker_at(RULES, BED, positions, on, others, 0.889, 1.0).is_snookered == expected


def test_c62_the_blue_is_the_effective_ball_and_the_stroke_a_foul():
    positions = layout(W=(0.889, 1.0), **{**AWAY, **CASES["C62"][0]})
    on, others = masks(positions)
    assert snooker_at(RULES, BED, positions, on, others, 0.889, 1.0).effective == 1 << 4


def test_c72_one_end_of_the_d_sees_a_red():
    positions = layout(
        R1=(1.6, 0.9), Y=(0.2, 0.2), G=(0.597, 0.737), N=(1.0, 0.8), B=(0.9, 0.85), P=(0.889, 2.67675), K=(1.35, 0.95)
    )
    on, others = masks(positions)
    assert not in_hand(BED, positions, on, others)
    assert not snooker_at(RULES, BED, positions, on, others, 1.181, 0.737).is_snookered


def test_d25_reds_hidden_by_different_balls():
    """The current text then has no effective snookering ball, the old one takes the nearest of all."""
    cue = np.array([0.889, 1.0])
    aside = np.array([0.894, 0.447])
    mirrored = aside * (-1, 1)
    positions = layout(Y=cue + 0.09 * aside, G=cue + 0.08 * mirrored, R1=cue + 0.6 * aside, R2=cue + 0.6 * mirrored)
    on, others = masks(positions)
    current = snooker_at(RULES, BED, positions, on, others, *cue)
    assert (current.is_snookered, current.effective) == (1, 0)
    assert snooker_at(OLD, BED, positions, on, others, *cue).effective == 1 << 2


def test_touching_a_ball_on_is_not_snookered():
    positions = layout(R1=(0.9, 1.0), Y=(0.9 - 0.0526, 1.03))
    assert not snooker_at(RULES, BED, positions, 1 << 7, 2, 0.9 - D, 1.0).is_snookered


def edges_by_angle(c, t):
    """End points of the two edge paths by trigonometry."""
    distance, heading = math.dist(c, t), math.atan2(t[1] - c[1], t[0] - c[0])
    path, turn = math.sqrt(distance**2 - D**2), math.asin(D / distance)
    return [(c[0] + path * math.cos(heading + s * turn), c[1] + path * math.sin(heading + s * turn)) for s in (1, -1)]


def is_clear_by_sampling(c, positions, target, others, slack=0.0):
    for end in edges_by_angle(c, positions[target]):
        path = np.linspace(c, end, 4000)
        for ball in others:
            if np.hypot(*(path - positions[ball]).T).min() < D - slack:
                return False
    return True


places = st.tuples(st.floats(0.1, 1.6), st.floats(0.1, 3.4))


def separate(points, least):
    return all(math.dist(p, q) > least for i, p in enumerate(points) for q in points[:i])


@settings(max_examples=150, deadline=None)
@given(st.lists(places, min_size=4, max_size=7), st.integers(1, 2))
def test_both_edges_agree_with_sampling(points, n_on):
    if not separate(points, D + 1e-4):
        return
    positions = np.full((22, 2), np.nan)
    positions[1 : len(points)] = points[1:]
    targets, others = range(1, 1 + n_on), range(1 + n_on, len(points))
    on, rest = sum(1 << b for b in targets), sum(1 << b for b in others)
    strict = any(is_clear_by_sampling(points[0], positions, t, others, -1e-5) for t in targets)
    loose = any(is_clear_by_sampling(points[0], positions, t, others, 1e-5) for t in targets)
    if strict == loose:
        assert snooker_at(RULES, BED, positions, on, rest, *points[0]).is_snookered == (not strict)


@settings(max_examples=100, deadline=None)
@given(places, places)
def test_edge_points_by_trigonometry(c, t):
    if math.dist(c, t) < D + 1e-3:
        return
    for side, expected in zip((1.0, -1.0), edges_by_angle(c, t), strict=True):
        assert edge_point(*c, *t, D, side) == pytest.approx(expected, abs=1e-12)


def first_ball_along(c, angle, points):
    """Index of the ball met first by a cue ball sent along `angle`, by the distances alone."""
    u = np.array([math.cos(angle), math.sin(angle)])
    offsets = np.asarray(points) - c
    along = offsets @ u
    across = np.abs(offsets @ np.array([-u[1], u[0]]))
    lengths = np.where((along > 0) & (across < D), along - np.sqrt(np.maximum(D**2 - across**2, 0)), np.inf)
    return int(np.argmin(lengths)) if np.isfinite(lengths).any() else -1


@settings(max_examples=60, deadline=None)
@given(st.lists(places, min_size=3, max_size=8))
def test_straight_path_agrees_with_all_directions(points):
    if not separate(points, D + 1e-4):
        return
    positions = np.full((22, 2), np.nan)
    positions[1 : len(points)] = points[1:]
    others = sum(1 << ball for ball in range(2, len(points)))
    found = has_straight_path(BED, positions, others, *points[0], 1)
    met = any(first_ball_along(points[0], a, points[1:]) == 0 for a in np.linspace(0, 2 * math.pi, 4001))
    assert found >= met, "a direction that reaches the ball was overlooked"
    if found and not met:  # a sliver between two sampled directions
        fine = np.linspace(0, 2 * math.pi, 400_001)
        heading = math.atan2(points[1][1] - points[0][1], points[1][0] - points[0][0])
        near = [a for a in fine if abs(math.remainder(a - heading, 2 * math.pi)) < math.pi / 2]
        assert any(first_ball_along(points[0], a, points[1:]) == 0 for a in near)


d_places = st.tuples(st.floats(0.3, 1.5), st.floats(0.06, 1.6))


@settings(max_examples=40, deadline=None)
@given(st.lists(d_places, min_size=5, max_size=7))
def test_in_hand_agrees_with_a_grid_over_the_d(points):
    if not separate(points, D + 1e-4):
        return
    positions = np.full((22, 2), np.nan)
    positions[1 : len(points) + 1] = points
    others = sum(1 << ball for ball in range(2, len(points) + 1))
    seen = False
    for x in np.linspace(0.597, 1.181, 40):
        for y in np.linspace(0.445, 0.737, 20):
            if not in_the_d(BED, x, y) or np.nanmin(np.hypot(*(positions[1:] - (x, y)).T)) < D:
                continue
            seen = seen or not snooker_at(RULES, BED, positions, 2, others, x, y).is_snookered
    snookered = in_hand(BED, positions, 2, others)
    assert not (snookered and seen), "a placement that sees the ball was overlooked"


def wall(gap):
    """A target behind a wall of balls across the whole D's view, with one opening `gap` wide between two of them."""
    positions = np.full((22, 2), np.nan)
    positions[1] = (0.889, 3.0)
    xs = [0.889 + side * (gap / 2 + BED.radius + i * (D + 0.0005)) for side in (1, -1) for i in range(5)]
    for ball, x in enumerate(xs, start=2):
        positions[ball] = (x, 2.9)
    return positions


def best_clearance(positions, others):
    """Greatest clearance of the edges of ball 1 over the D, m, by a grid and local refinement."""

    def clearance(x, y):
        if not in_the_d(BED, x, y):
            return -1.0
        worst = math.inf
        for end in edges_by_angle((x, y), positions[1]):
            a, b = np.array([x, y]), np.array(end)
            for ball in others:
                share = np.clip((positions[ball] - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
                worst = min(worst, math.dist(positions[ball], a + share * (b - a)) - D)
        return worst

    best = max((clearance(x, y), x, y) for x in np.linspace(0.597, 1.181, 60) for y in np.linspace(0.445, 0.737, 31))
    step = 0.01
    while step > 1e-9:
        value, x, y = best
        around = [(x + i * step, y + j * step) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        best = max([best, *((clearance(px, py), px, py) for px, py in around)])
        step = step if best[0] > value else step / 2
    return best[0]


@pytest.mark.parametrize("gap", [0.05, 0.1, 0.102, 0.104, 0.106, 0.11, 0.16])
def test_in_hand_turns_where_the_best_clearance_does(gap):
    positions = wall(gap)
    others = sum(1 << ball for ball in range(2, 12))
    clearance = best_clearance(positions, range(2, 12))
    assert in_hand(BED, positions, 2, others) == (clearance < -1e-5)


def test_full_ball_needs_the_whole_ball():
    c, target = (0.889, 1.0), (0.889, 2.0)
    for across, full in ((0.0530, True), (0.0520, False)):
        positions = layout(R1=target, Y=(0.889 + across, 1.5))
        assert has_full_target(BED, positions, 1 << 7, 2, *c) == full


@pytest.mark.parametrize(
    ("phase", "reds", "colours", "free", "points"),
    [
        (PHASE_RED, 15, 0x7E, 0, 147),
        (PHASE_COLOUR, 0, 0x7E, 0, 34),
        (PHASE_CLEARANCE, 0, 0x7E, 0, 27),
        (PHASE_CLEARANCE, 0, 0x60, 0, 13),
        (PHASE_RED, 2, 0x7E, 0, 43),
        (PHASE_RED, 15, 0x7E, 1, 155),
        (PHASE_CLEARANCE, 0, 0x7C, 1, 28),
    ],
)
def test_points_on_table(phase, reds, colours, free, points):
    on_table = ((1 << reds) - 1) << 7 | colours | 1
    assert points_on_table(RULES, FrameState(phase=phase, on_table=on_table, free_ball=free)) == points


def test_the_shipped_positions():
    for name, snookered in (("snookered_behind_brown", True), ("free_ball_after_foul", True), ("mid_frame", False)):
        frame = rules.Frame.named(name)
        on, others = masks(np.array(frame.positions))
        found = snooker_at(frame.ruleset, frame.bed, np.array(frame.positions), on, others, *frame.positions[0])
        assert bool(found.is_snookered) == snookered
