"""Aiming: windows against single balls rolled at pockets, paths against logged motion, aims against full shots."""

import math

import numpy as np
import pytest

import simcore
from simcore.aim import (
    AIM_STEPS,
    WITHIN,
    angle_of,
    distance_to_segments,
    ghost_ball,
    path_errors,
    pocket_windows,
    solve_aim,
    unit,
    wrapped,
)
from simcore.kernel.cushion import nose_distance

PHYSICS = simcore.Physics.snooker()
REACH = float(nose_distance(PHYSICS.R, PHYSICS.nose_height))
TABLE = simcore.Table.snooker()
SPEED = 2.5  # m/s; reaches every pocket from everywhere


def scattered(rng, n):
    """Points on the bed clear of noses, jaws and falls (n, 2)."""
    return rng.uniform((0.12, 0.12), (TABLE.width - 0.12, TABLE.length - 0.12), (n, 2))


def rolled(points, direction):
    """Results of single balls rolled from points (n, 2) in directions (n,)."""
    v = SPEED * unit(direction)
    w = np.stack([-v[:, 1], v[:, 0], np.zeros(len(v))], axis=-1) / PHYSICS.R
    motion = simcore.Motion(v[:, None], w[:, None])
    return simcore.simulate(points[:, None], motion=motion, table=TABLE)


def falls_straight(points, direction, pocket):
    results = rolled(points, direction)
    return (results.pocket[:, 0] == pocket) & (results.cushions_before[:, 0] == 0)


# --- geometry --------------------------------------------------------------------------------------------------------


def test_ghost_ball_touches_and_lies_behind():
    ball, way = np.array([[0.5, 1.0], [1.2, 3.0]]), np.array([0.3, -2.0])
    ghost = ghost_ball(ball, way, PHYSICS.R)
    assert np.linalg.norm(ball - ghost, axis=-1) == pytest.approx(2 * PHYSICS.R, rel=1e-14)
    assert angle_of(ball - ghost) == pytest.approx(way, rel=1e-12)


def test_wrapped_is_within_half_a_turn():
    angles = np.linspace(-20.0, 20.0, 101)
    turns = (angles - wrapped(angles)) / (2.0 * math.pi)
    assert np.abs(wrapped(angles)).max() <= math.pi
    assert turns == pytest.approx(np.round(turns), abs=1e-12)


def test_distance_to_segments_against_many_points_of_them():
    rng = np.random.default_rng(1)
    points, starts, ends = (rng.uniform(0.0, 2.0, (k, 2)) for k in (7, 5, 5))
    share = np.linspace(0.0, 1.0, 20_001)[:, None, None]
    along = starts + share * (ends - starts)
    expected = np.linalg.norm(along[:, :, None] - points, axis=-1).min(axis=0)
    assert distance_to_segments(points, starts, ends) == pytest.approx(expected, abs=1e-4)


def test_distance_to_a_way_of_no_length_and_of_an_absent_ball():
    points = np.array([[1.0, 2.0], [np.nan, np.nan]])
    at = np.array([[1.0, 0.5]])
    assert distance_to_segments(points, at, at).tolist() == [[1.5, math.inf]]


# --- windows ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pockets", ["pro", "club", "tight"])
def test_windows_of_the_centre_are_symmetric(pockets):
    windows = pocket_windows(np.array([TABLE.spots["blue"]]), simcore.Table.snooker(pockets), REACH)
    corners, middles = windows.half_width[0, :4], windows.half_width[0, 4:]
    step = 0.01 * corners[0]
    assert corners == pytest.approx(corners[0], abs=step)
    assert middles == pytest.approx(middles[0], abs=step)
    assert windows.direction[0, 5] == pytest.approx(0.0, abs=1e-12)
    assert windows.direction[0, 3] + windows.direction[0, 1] == pytest.approx(0.0, abs=1e-12)


def test_wider_pockets_have_wider_windows():
    points = scattered(np.random.default_rng(2), 20)
    tight, pro, club = (
        pocket_windows(points, simcore.Table.snooker(name), REACH).half_width for name in ("tight", "pro", "club")
    )
    assert (club >= pro).mean() > 0.95  # both are known to a step
    assert (pro >= tight).mean() > 0.95
    assert club.sum() > pro.sum() > tight.sum()


def test_absent_balls_and_pockets_round_the_corner_have_no_window():
    along_the_cushion = [REACH, 0.6]
    windows = pocket_windows(np.array([[np.nan, np.nan], along_the_cushion]), TABLE, REACH)
    assert np.isnan(windows.direction[0]).all()
    assert (windows.half_width[0] == 0.0).all()
    assert np.isnan(windows.direction[1, 4])  # the middle pocket of its own side
    assert windows.half_width[1, 0] > 0.0  # the corner it is nearest to


def test_a_table_without_pockets_has_no_windows():
    windows = pocket_windows(np.array([[0.5, 0.5]]), simcore.Table.closed(1.0, 2.0), REACH)
    assert windows.direction.shape == (1, 0)


def test_balls_rolled_inside_a_window_fall_straight_and_outside_do_not():
    points = scattered(np.random.default_rng(3), 40)
    windows = pocket_windows(points, TABLE, REACH)
    row, pocket = np.nonzero(windows.half_width > math.radians(0.25))  # ten steps, to which the ends are known
    middle, half = windows.direction[row, pocket], windows.half_width[row, pocket]
    for share in (0.0, 0.9, -0.9):
        assert falls_straight(points[row], middle + share * half, pocket).all()
    for share in (1.3, -1.3):
        assert not falls_straight(points[row], middle + share * half, pocket).any()


def test_distance_of_a_window_is_where_the_ball_falls():
    points = scattered(np.random.default_rng(4), 10)
    windows = pocket_windows(points, TABLE, REACH)
    row, pocket = np.nonzero(windows.half_width > 0.0)
    falls = points[row] + windows.distance[row, pocket, None] * unit(windows.direction[row, pocket])
    x, y, radius = TABLE.geometry.pocket[:3, pocket]
    assert np.hypot(falls[:, 0] - x, falls[:, 1] - y) == pytest.approx(radius, abs=1e-12)


# --- paths -----------------------------------------------------------------------------------------------------------


def test_path_errors_against_logged_motion():
    rng = np.random.default_rng(5)
    n, table = 20, simcore.Table.closed(20.0, 20.0)
    v, w = rng.uniform(0.5, 3.0, (n, 2)), rng.uniform(-60.0, 60.0, (n, 3))
    start = np.array([[5.0, 5.0]])
    results = simcore.simulate(start, motion=simcore.Motion(v[:, None], w[:, None]), table=table, log_events=True)
    for i in range(n):
        end = results.positions[i, 0]
        target = start[0] + rng.uniform(0.2, 0.8) * (end - start[0]) + rng.uniform(-0.05, 0.05, 2)
        along = unit(angle_of(target - start[0]))
        path = results.trajectory(i, np.linspace(0.0, results.duration[i], 20_001))[:, 0] - start[0]
        passed = np.argmax(path @ along >= np.linalg.norm(target - start[0]))
        out = np.empty(1)
        path_errors(start, np.array([[*v[i], *w[i]]]), target[None], PHYSICS.R, PHYSICS, out)
        assert out[0] == pytest.approx(path[passed] @ [-along[1], along[0]], abs=5e-4)


def test_a_ball_that_stops_short_has_no_error():
    out = np.empty(2)
    motion = np.array([[0.3, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 5.0]])
    path_errors(np.zeros((2, 2)), motion, np.array([[3.0, 0.0]] * 2), PHYSICS.R, PHYSICS, out)
    assert np.isnan(out).all()


# --- aims ------------------------------------------------------------------------------------------------------------


def easy_pots(rng, n):
    """Cue balls, one object ball each, a pocket and its target point, cut by at most 60 degrees."""
    cue, ball, pocket, target = [], [], [], []
    while len(cue) < n:
        c, o = scattered(rng, 2)
        k = int(rng.integers(6))
        windows = pocket_windows(o[None], TABLE, REACH)
        way = windows.direction[0, k]
        ghost = ghost_ball(o, way, PHYSICS.R)
        if windows.half_width[0, k] < math.radians(0.2) or np.linalg.norm(o - c) < 4 * PHYSICS.R:
            continue
        if abs(wrapped(angle_of(ghost - c) - way)) < math.radians(60.0):
            cue.append(c)
            ball.append(o)
            pocket.append(k)
            target.append(o + windows.distance[0, k] * unit(way))
    return np.stack([cue, ball], axis=1), np.array(pocket), np.array(target)


def test_solved_aims_pot():
    rng = np.random.default_rng(6)
    n = 150
    positions, pocket, target = easy_pots(rng, n)
    shots = simcore.Shots(rng.uniform(3.0, 5.0, n), 0.0, 0.0, rng.uniform(-0.25, 0.25, n), rng.uniform(-0.3, 0.3, n))
    aims = solve_aim(positions, shots, np.ones(n, dtype=np.int64), target, table=TABLE)
    assert aims.solved.mean() >= 0.97
    assert (np.abs(aims.error[aims.solved]) <= WITHIN).all()
    played = simcore.Shots(shots.V0, aims.phi, shots.theta, shots.a, shots.b)
    results = simcore.simulate(positions, played, table=TABLE)
    assert (results.pocket[aims.solved, 1] == pocket[aims.solved]).mean() >= 0.99


def test_a_raised_cue_swerves_and_is_still_aimed():
    positions = np.array([[0.9, 1.2], [1.1, 1.9]])
    target = np.array([[1.74, 3.53]])
    shots = simcore.Shots([3.0], 0.0, math.radians(8.0), 0.2, 0.1)
    aims = solve_aim(positions, shots, np.array([1]), target, table=TABLE)
    assert aims.solved.all()


def test_one_layout_and_one_for_each_give_the_same():
    positions = np.array([[0.9, 1.2], [1.1, 1.9], [0.4, 2.4]])
    shots = simcore.Shots([2.5, 3.0, 3.5], 0.0, a=[-0.2, 0.0, 0.2])
    ball, target = np.array([1, 2, 1]), np.array([[1.74, 3.53], [0.02, 3.54], [1.74, 3.53]])
    shared = solve_aim(positions, shots, ball, target, table=TABLE)
    each = solve_aim(np.stack([positions] * 3), shots, ball, target, table=TABLE)
    for k in range(3):
        alone = solve_aim(positions, shots[k : k + 1], ball[k : k + 1], target[k : k + 1], table=TABLE)
        assert alone.phi[0] == shared.phi[k] == each.phi[k]


def test_what_cannot_be_done_stays_unsolved():
    positions = np.array([[0.9, 1.2], [0.9, 1.5]])
    target = np.array([[0.9, 3.0], [0.9, 0.3], [1.7, 3.5]])  # too weak, backwards, a miscue
    shots = simcore.Shots([0.3, 3.0, 3.0], 0.0, a=[0.0, 0.0, 0.6])
    aims = solve_aim(positions, shots, np.array([1, 1, 1]), target, table=TABLE)
    assert not aims.solved.any()
    assert np.isfinite(aims.phi).all()


def test_steps_are_few(monkeypatch):
    """Throw is the only thing to learn for a level cue without side: four strokes are enough."""
    monkeypatch.setattr("simcore.aim.AIM_STEPS", 4)
    assert AIM_STEPS > 4
    positions, _, target = easy_pots(np.random.default_rng(7), 60)
    aims = solve_aim(positions, simcore.Shots(np.full(60, 4.0), 0.0), np.ones(60, dtype=np.int64), target, table=TABLE)
    assert aims.solved.mean() >= 0.95
