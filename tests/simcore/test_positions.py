"""Where balls may lie: the door's checks, and the mouths of all pockets against a flood fill of sampled walls."""

import itertools
import math
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from scipy import ndimage
from scipy.spatial import KDTree

from simcore.kernel.cushion import nose_distance
from simcore.kernel.jit import kernel
from simcore.kernel.layout import (
    FAULT_FALL,
    FAULT_INFINITE,
    FAULT_JAW,
    FAULT_NONE,
    FAULT_NOSE,
    FAULT_OFF_BED,
    FAULT_ONE_NAN,
    FAULT_OVERLAP,
    OVERLAP,
    bed_fault,
    first_layout_fault,
    layout_fault,
)
from simcore.kernel.types import (
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
    JAW_X,
    JAW_Y,
    NOSE_LENGTH,
    NOSE_NX,
    NOSE_NY,
    NOSE_X,
    NOSE_Y,
    POCKET_RADIUS,
    POCKET_X,
    POCKET_Y,
)
from simcore.physics import Physics
from simcore.positions import ball_radii, check_positions
from simcore.table import POCKET_NAMES, Table

PHYSICS = Physics.snooker()
R, HEIGHT = PHYSICS.R, PHYSICS.nose_height
REACH = nose_distance(R, HEIGHT)
TABLE = Table.snooker()
W, L = TABLE.width, TABLE.length
NAN = math.nan

WALL_STEP = 1e-4  # spacing of the points that stand for the walls, m: distances to the wall are good to 5e-8
CELL = 4e-3  # size of a cell of the flood fill, m
UNSURE = 1e-6  # cells this near to a limit are not compared, m


def check(positions: object, **changes: object) -> np.ndarray:
    arguments = {"table": TABLE, "radius": R, "nose_height": HEIGHT, **changes}
    return check_positions(positions, **arguments)  # type: ignore[arg-type]


def opening() -> np.ndarray:
    """A full frame with the reds in a tight triangle."""
    reds = [
        (0.889 + (i - row / 2) * 2 * R, 2.72975 + row * R * math.sqrt(3)) for row in range(5) for i in range(row + 1)
    ]
    return np.array([(1.02, 0.7), *TABLE.spots.values(), *reds])


def test_good_layouts_come_back_bit_for_bit() -> None:
    layout = opening()
    layout[5] = NAN
    checked = check(layout)
    assert checked is not layout
    assert checked.tobytes() == layout.tobytes()
    assert checked.flags.c_contiguous
    assert checked.flags.writeable
    turned = np.asfortranarray(np.stack([layout, layout]))
    assert check(turned).flags.c_contiguous
    assert check([[1, 1], [0.5, 2]]).dtype == np.float64
    assert check(np.zeros((0, 3, 2))).shape == (0, 3, 2)
    assert check(np.full((3, 2), NAN)).shape == (3, 2)
    assert check(layout.reshape(1, 1, 22, 2)).shape == (1, 1, 22, 2)


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        ([0.5, 0.5], r"positions has shape \(2,\): expected \(\.\.\., n_balls, 2\)"),
        ([[0.5, 0.5, 0.0]], r"positions has shape \(1, 3\)"),
        (np.zeros((0, 2)), r"positions has shape \(0, 2\)"),
        ("cue", r"positions = 'cue': expected numbers"),
        ([[0.5, 0.5], [0.5]], "positions: expected an array of numbers"),
        ([[0.5, 0.5], [NAN, 0.5]], r"positions: ball 1 at \(nan, 0\.5\) has one coordinate nan"),
        ([[math.inf, NAN]], r"positions: ball 0 at \(inf, nan\) is not finite"),
        ([[0.5, 0.5], [0.55, 0.5]], r"ball 0 and ball 1 overlap: centres 0\.05 m apart, expected at least 0\.0525 m"),
        (
            [[0.5, 0.01]],
            r"ball 0 at \(0\.5, 0\.01\) is 0\.01 m from a cushion's nose line: expected at least 0\.0243721",
        ),
        ([[0.5, -1.0]], "is -1 m from a cushion's nose line"),
        ([[1.782, 1.71]], "is 0.00577303489 m from a jaw of the middle right pocket: expected at least 0.0243721"),
        ([[0.01, 3.569]], "m inside the fall circle of the top left pocket: expected a ball on the bed"),
        ([[-0.2, -0.2]], r"is off the bed: expected 0 to 1\.778 m across and 0 to 3\.569 m along"),
        ([[[0.5, 0.5]], [[0.5, 9.0]], [[9.0, 9.0]]], r"positions\[1\]: ball 0"),
        ([[[[0.5, 0.5]], [[0.5, 0.6]]], [[[0.5, 0.7]], [[0.5, 9.0]]]], r"positions\[1, 1\]: ball 0"),
    ],
)
def test_bad_layouts_are_refused(positions: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check(positions)


def test_labels_name_the_balls() -> None:
    with pytest.raises(ValueError, match="red 3 and pink overlap"):
        check([[0.5, 0.5], [0.6, 1.0], [0.6, 1.01]], labels=["cue ball", "red 3", "pink"])
    with pytest.raises(ValueError, match="labels has 2 names: expected one for each of the 3 balls"):
        check([[0.5, 0.5], [0.6, 1.0], [0.6, 1.1]], labels=["cue ball", "red"])


@pytest.mark.parametrize(
    ("radius", "message"),
    [
        ([R, R], r"radius has shape \(2,\): expected one number or one for each of the 3 balls"),
        (0.0, r"radius = 0\.0: expected a length > 0 in metres"),
        ([R, -R, R], r"radius\[1\] = -0\.02625"),
        ([R, NAN, R], r"radius\[1\] = nan"),
    ],
)
def test_bad_radii_are_refused(radius: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check([[0.5, 0.5], [0.6, 1.0], [0.6, 1.1]], radius=radius)
    assert ball_radii(R, 3).tolist() == [R] * 3


@pytest.mark.parametrize(("depth", "accepted"), [(0.0, True), (-1e-9, True), (0.9e-7, True), (1.1e-7, False)])
def test_overlaps_below_a_ten_millionth_metre_count_as_touching(depth: float, accepted: bool) -> None:
    """DESIGN section 2; the same allowance holds at noses and jaws."""
    limits = [
        [(0.5, 1.0), (0.5 + 2 * R - depth, 1.0)],
        [(0.889, REACH - depth)],
        [(W - REACH + depth, 1.2)],
    ]
    g = TABLE.geometry
    turn = math.radians(100.0)
    out = g.jaw[JAW_RADIUS, 0] + REACH - depth
    limits.append([(g.jaw[JAW_X, 0] + out * math.cos(turn), g.jaw[JAW_Y, 0] + out * math.sin(turn))])
    for layout in limits:
        if accepted:
            assert check(layout).tolist() == [list(ball) for ball in layout]
        else:
            with pytest.raises(ValueError, match="expected at least"):
                check(layout)


@pytest.mark.parametrize("step", [0.0, 1e-15, 1e-12, 1e-9, -1e-12])
def test_balls_tight_on_every_cushion(step: float) -> None:
    off = REACH + step
    check([(off, 1.0), (W - off, 1.0), (0.889, off), (0.889, L - off), (off, 2.5), (W - off, 2.5)])


def test_balls_of_different_size_meet_nearer() -> None:
    """Spheres on a bed: 2 sqrt(r1 r2) in plan."""
    small, least = 0.02, 2.0 * math.sqrt(R * 0.02)
    check([(0.5, 1.0), (0.5, 1.0 + least)], radius=[R, small])
    with pytest.raises(ValueError, match="overlap"):
        check([(0.5, 1.0), (0.5, 1.0 + least - 2e-7)], radius=[R, small])
    check([(0.5, nose_distance(small, 0.03))], radius=small, nose_height=0.03)


def test_absent_balls_are_nowhere() -> None:
    layout = opening()
    layout[1:, :] = NAN
    check(layout)
    layout[3] = layout[0]
    with pytest.raises(ValueError, match="ball 0 and ball 3 overlap"):
        check(layout)


def test_codes_of_the_faults() -> None:
    def fault(*layout: tuple[float, float]) -> tuple[int, int, int]:
        balls = np.array(layout)
        found: tuple[int, int, int] = layout_fault(balls, np.full(len(balls), R), HEIGHT, TABLE.geometry, W, L)
        return found

    spot = (0.889, 1.7845)
    assert fault(spot, (NAN, NAN)) == (FAULT_NONE, -1, -1)
    assert fault(spot, (1.0, NAN)) == (FAULT_ONE_NAN, 1, -1)
    assert fault(spot, (NAN, -math.inf)) == (FAULT_INFINITE, 1, -1)
    assert fault(spot, (0.5, 0.5), spot) == (FAULT_OVERLAP, 0, 2)
    assert fault(spot, (0.5, L)) == (FAULT_NOSE, 1, 1)
    assert fault(spot, (W, 1.69)) == (FAULT_JAW, 1, 10)
    assert fault(spot, (W + 0.01, 1.7845)) == (FAULT_FALL, 1, 5)
    assert fault(spot, (9.0, 9.0)) == (FAULT_OFF_BED, 1, -1)


# --- the mouths of the pockets ---------------------------------------------------------------------------------------


def wall_points(table: Table) -> np.ndarray:
    """Points along all noses and arcs of a table."""
    g = table.geometry
    parts = []
    for x, y, nx, ny, length in zip(
        g.nose[NOSE_X], g.nose[NOSE_Y], g.nose[NOSE_NX], g.nose[NOSE_NY], g.nose[NOSE_LENGTH], strict=True
    ):
        s = np.linspace(0.0, length, int(length / WALL_STEP) + 2)
        parts.append(np.stack([x + s * ny, y - s * nx], axis=-1))
    for i in range(g.jaw.shape[1]):
        first = math.atan2(g.jaw[JAW_FROM_Y, i], g.jaw[JAW_FROM_X, i])
        last = math.atan2(g.jaw[JAW_TO_Y, i], g.jaw[JAW_TO_X, i])
        angle = np.linspace(first, last if last > first else last + 2.0 * math.pi, int(0.15 / WALL_STEP))
        arc = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        parts.append(np.array([g.jaw[JAW_X, i], g.jaw[JAW_Y, i]]) + g.jaw[JAW_RADIUS, i] * arc)
    return np.concatenate(parts)


@kernel
def fault_codes(places, reach, geometry, width, length):  # type: ignore[no-untyped-def]
    codes = np.empty(len(places), np.int64)
    for i in range(len(places)):
        codes[i] = bed_fault(places[i, 0], places[i, 1], reach, geometry, width, length)[0]
    return codes


@cache
def flood_fill(pockets: str, reach: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells (n, 2) all over and around a table, whether a ball gets there from the middle, and which cells are sure.

    Knows walls only as points: a centre may be where it has at least `reach` to all of them, is not in a fall circle,
    and can be reached through such places.
    """
    table = Table.snooker(pockets)
    g = table.geometry
    xs = np.concatenate([np.arange(-0.2, 0.25, CELL), np.arange(0.25, 1.5, 0.03), np.arange(1.5, 1.98, CELL)])
    ys = [np.arange(-0.2, 0.25, CELL), np.arange(0.25, 1.55, 0.03), np.arange(1.55, 2.05, CELL)]
    ys = np.concatenate([*ys, np.arange(2.05, 3.3, 0.03), np.arange(3.3, 3.77, CELL)])
    cells = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1)
    cells += np.random.default_rng(0).uniform(0.0, 0.3 * CELL, cells.shape)
    to_wall, _ = KDTree(wall_points(table)).query(cells, workers=1, distance_upper_bound=2.0 * reach)
    falls = np.stack([g.pocket[POCKET_X], g.pocket[POCKET_Y]], axis=-1)
    to_fall = (np.hypot(*(cells[:, :, None, :] - falls).transpose(3, 0, 1, 2)) - g.pocket[POCKET_RADIUS]).min(axis=-1)
    free = (to_wall >= reach) & (to_fall >= 0.0)
    parts, _ = ndimage.label(free)
    reached = parts == parts[len(xs) // 2, np.searchsorted(ys, 1.0)]
    sure = (np.abs(to_wall - reach) > UNSURE) & (np.abs(to_fall) > UNSURE)
    return cells.reshape(-1, 2), reached.ravel(), sure.ravel()


@pytest.mark.parametrize("pockets", ["pro", "club", "tight"])
def test_bed_and_mouths_against_a_flood_fill(pockets: str) -> None:
    """Some 120,000 places in and around all six pockets, on the bed and beyond it."""
    table = Table.snooker(pockets)
    cells, reached, sure = flood_fill(pockets, REACH)
    legal = fault_codes(cells, REACH, table.geometry, W, L) == FAULT_NONE
    wrong = cells[sure & (legal != reached)]
    assert len(wrong) == 0, wrong[:5]
    assert reached.sum() > 10_000
    outside = (cells[:, 0] < 0.0) | (cells[:, 0] > W)
    assert (reached & outside).any()  # the mouths of the middle pockets reach beyond the nose line
    for i in range(0, len(cells), 200):
        place, radius = cells[i, None, None], np.array([R])
        assert (
            first_layout_fault(place, radius, HEIGHT, tuple(table.geometry), W, L, False)[1] == FAULT_NONE
        ) == legal[i]


@pytest.mark.parametrize("pockets", ["pro", "club", "tight"])
def test_places_along_the_joins_have_no_gap(pockets: str) -> None:
    """Behind the point where a jaw joins its nose, rounding must not open a slit between the two."""
    table = Table.snooker(pockets)
    g = table.geometry
    for ux, uy, jx, jy, radius in [
        *zip(g.jaw[JAW_FROM_X], g.jaw[JAW_FROM_Y], g.jaw[JAW_X], g.jaw[JAW_Y], g.jaw[JAW_RADIUS], strict=True),
        *zip(g.jaw[JAW_TO_X], g.jaw[JAW_TO_Y], g.jaw[JAW_X], g.jaw[JAW_Y], g.jaw[JAW_RADIUS], strict=True),
    ]:
        if abs(ux) + abs(uy) != 1.0:
            continue  # the end in the pocket
        for off in np.linspace(-0.6 * radius, 0.99 * REACH, 40):
            for ulps in range(-3, 4):
                x = jx + (radius + off) * ux + ulps * abs(uy) * 2.2e-16
                y = jy + (radius + off) * uy + ulps * abs(ux) * 4.4e-16
                assert bed_fault(x, y, REACH, g, W, L)[0] in (FAULT_NOSE, FAULT_JAW)


def test_where_balls_fall_along_the_jaws() -> None:
    """physics.md section 4: a ball on a pro corner jaw falls at 127.69 degrees of its arc, on a middle jaw at 54.08."""
    g = TABLE.geometry
    for jaw, angle, sign in ((0, 127.69, 1.0), (8, 54.08, 1.0)):
        for shift, code in ((-0.02, FAULT_NONE), (0.02, FAULT_FALL)):
            turn = math.radians(angle + sign * shift)
            out = g.jaw[JAW_RADIUS, jaw] + REACH
            x, y = g.jaw[JAW_X, jaw] + out * math.cos(turn), g.jaw[JAW_Y, jaw] + out * math.sin(turn)
            assert bed_fault(x, y, REACH, g, W, L)[0] == code


@pytest.mark.parametrize("pocket", range(6))
def test_centres_on_the_rim_of_a_fall_circle_may_stay(pocket: int) -> None:
    g = TABLE.geometry
    x, y = float(g.pocket[POCKET_X, pocket]), float(g.pocket[POCKET_Y, pocket])
    bed = np.array([min(max(x, 0.0), W), min(max(y, 0.0), L)])
    way = (bed - (x, y)) / np.hypot(*(bed - (x, y)))
    rim = np.array([x, y]) + g.pocket[POCKET_RADIUS, pocket] * way
    check([rim])
    check([rim - 0.5e-7 * way])
    with pytest.raises(ValueError, match=f"inside the fall circle of the {POCKET_NAMES[pocket]} pocket"):
        check([rim - 2e-7 * way])


def test_closed_table() -> None:
    table = Table.closed(2.0, 1.0)
    check([(REACH, REACH), (2.0 - REACH, 1.0 - REACH)], table=table)
    for place in ((REACH - 2e-7, 0.5), (0.0, 0.0), (1.0, 1.1)):
        with pytest.raises(ValueError, match="nose line"):
            check([place], table=table)
    for place in ((-0.1, -0.1), (3.0, 2.0), (-1e-9, -1e-9)):
        with pytest.raises(ValueError, match="off the bed"):
            check([place], table=table)


def test_overlap_pairs_against_all_distances() -> None:
    """Random crowds: the first pair found is the first that NumPy finds."""
    rng = np.random.default_rng(3)
    radii = rng.uniform(0.01, 0.03, 22)
    least = 2.0 * np.sqrt(radii[:, None] * radii) - OVERLAP
    seen = set()
    for _ in range(300):
        layout = rng.uniform(0.2, 0.2 + rng.uniform(0.3, 2.0), (22, 2)) * (0.8, 1.0)
        layout[rng.random(22) < 0.2] = NAN
        distance = np.hypot(*(layout[:, None] - layout).transpose(2, 0, 1))
        pairs = np.argwhere(np.triu(distance < least, 1))
        expected = (FAULT_OVERLAP, *pairs[0].tolist()) if len(pairs) else (FAULT_NONE, -1, -1)
        assert layout_fault(layout, radii, HEIGHT, TABLE.geometry, 4.0, 4.0) == expected
        seen.add(len(pairs) > 0)
    assert seen == {True, False}


@pytest.mark.parametrize("table", [TABLE, Table.closed(0.9, 1.3)], ids=["snooker", "closed"])
@pytest.mark.parametrize("n_balls", [1, 2, 5, 22])
def test_the_quick_look_at_a_layout_finds_no_fewer_faults(table: Table, n_balls: int) -> None:
    """Layouts that are clear at a glance are passed over: one by one, looked at closely, they have no fault either.

    Crowds over and around the table, with balls frozen to each other or to a cushion, absent, or no numbers.
    """
    rng = np.random.default_rng(n_balls)
    n, size = 4000, np.array([table.width, table.length])
    radii = R if n_balls == 2 else rng.uniform(0.02, R, n_balls)
    radius, reach = np.broadcast_to(radii, n_balls).copy(), nose_distance(R, HEIGHT)
    radius[0] = R
    layouts = rng.uniform(reach - 0.05 / n_balls**2, size - reach + 0.05 / n_balls**2, (n, n_balls, 2))
    layouts *= rng.choice([1.0, 1.0, 1.0, 1.02], (n, 1, 1))
    turn, frozen = rng.uniform(-np.pi, np.pi, n), rng.random(n) < 0.3
    apart = 2.0 * np.sqrt(radius[0] * radius[-1]) + rng.choice([0.0, 1e-12, -0.9e-7, -1.1e-7, 1e-3], n)
    layouts[frozen, -1] = (layouts[:, 0] + apart[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1))[frozen]
    layouts[rng.random((n, n_balls)) < 0.3] = NAN
    for axis, top in itertools.product((0, 1), (False, True)):
        tight, off = rng.random(n) < 0.1, reach + rng.choice([0.0, -0.9e-7, -1.1e-7], n)
        layouts[tight, 0, axis] = (size[axis] - off if top else off)[tight]
    odd = rng.random((n, n_balls, 2)) < 0.02 / n_balls
    layouts[odd] = rng.choice([NAN, math.inf, -math.inf], int(odd.sum()))
    geometry = tuple(table.geometry)
    closely = [layout_fault(layout, radius, HEIGHT, table.geometry, *map(float, size)) for layout in layouts]
    seen = set()
    for i, found in enumerate(closely):
        expected = (-1, FAULT_NONE, -1, -1) if found[0] == FAULT_NONE else (0, *found)
        assert first_layout_fault(layouts[i : i + 1], radius, HEIGHT, geometry, *map(float, size), False) == expected
        seen.add(found[0])
    assert seen >= {FAULT_NONE, FAULT_ONE_NAN, FAULT_INFINITE, FAULT_NOSE} | ({FAULT_OVERLAP} if n_balls > 1 else set())
    first = next(i for i, found in enumerate(closely) if found[0] != FAULT_NONE)
    assert first_layout_fault(layouts, radius, HEIGHT, geometry, *map(float, size), False) == (first, *closely[first])


def test_the_same_answers_without_compilation() -> None:
    code = (
        "import numpy as np; from simcore.table import Table; from simcore.kernel.layout import bed_fault\n"
        "g = Table.snooker().geometry; p = np.random.default_rng(5).uniform(-0.15, 0.15, (500, 2))\n"
        f"print([bed_fault(x, y, {REACH!r}, g, 1.778, 3.569) for x, y in p.tolist()])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        check=True,
    )
    places = np.random.default_rng(5).uniform(-0.15, 0.15, (500, 2)).tolist()
    expected = [bed_fault(x, y, REACH, TABLE.geometry, W, L) for x, y in places]
    assert run.stdout.strip() == str(expected)
    assert {code for code, _ in expected} >= {FAULT_NONE, FAULT_NOSE, FAULT_JAW, FAULT_FALL}
