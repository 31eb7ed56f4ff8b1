"""simcore.draw: to scale, without a display, and nothing half-written."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread
from matplotlib.patches import Circle, Polygon

import simcore
from simcore.draw import BALL_COLOURS, draw_balls, draw_table, picture, save_picture
from simcore.draw.table import CLOTH, CUSHION, HOLE, cushion_outlines, draw_paths
from simcore.kernel.types import (
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
    JAW_X,
    JAW_Y,
    NOSE_X,
    NOSE_Y,
)

COLOURS = ["white", "red", "black"]
POSITIONS = np.array([[0.889, 1.0], [0.889, 1.6], [0.889, 3.245]])


@pytest.fixture(scope="module")
def table():
    return simcore.Table.snooker()


def colour_at(figure, ax, x, y):
    """Colour of the pixel at a point of the table, 0..1."""
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())
    column, row = ax.transData.transform((x, y))
    return pixels[pixels.shape[0] - 1 - round(row), round(column), :3] / 255


@pytest.mark.parametrize("pockets", ["pro", "club", "tight"])
def test_outlines_are_the_simulated_cushions(pockets):
    table = simcore.Table.snooker(pockets=pockets)
    geometry = table.geometry
    outlines = list(cushion_outlines(table))
    assert len(outlines) == 6
    points = np.concatenate(outlines)
    for x, y in zip(geometry.nose[NOSE_X], geometry.nose[NOSE_Y], strict=True):
        assert np.hypot(points[:, 0] - x, points[:, 1] - y).min() < 1e-12
    centres = np.column_stack([geometry.jaw[JAW_X], geometry.jaw[JAW_Y]])
    for ux, uy, k in [
        (geometry.jaw[JAW_TO_X], geometry.jaw[JAW_TO_Y], 1),
        (geometry.jaw[JAW_FROM_X], geometry.jaw[JAW_FROM_Y], 0),
    ]:
        ends = centres + geometry.jaw[JAW_RADIUS, :, None] * np.column_stack([ux, uy])
        gap = np.linalg.norm(points[:, None] - ends, axis=-1).min(axis=0)
        assert gap.max() < 1e-9, k
    assert points[:, 0].min() == pytest.approx(-0.04763, abs=1e-9)
    assert points[:, 1].max() == pytest.approx(3.569 + 0.04763, abs=1e-9)


def test_throat_of_corner_faces_is_the_presets(table):
    left = next(o for o in cushion_outlines(table) if o[:, 0].max() < 0.01 and o[:, 1].min() < 0.5)
    bottom = next(o for o in cushion_outlines(table) if o[:, 1].max() < 0.01)
    gaps = np.linalg.norm(left[:, None] - bottom[None], axis=-1)
    assert gaps.min() == pytest.approx(0.084, abs=1e-4)


def test_closed_table_has_four_cushions_and_no_markings():
    table = simcore.Table.closed(1.0, 2.0)
    ax = draw_table(table)
    assert sum(isinstance(p, Polygon) and p.get_facecolor()[:3] == to_rgb(CUSHION) for p in ax.patches) == 4
    assert not ax.lines


def test_cloth_cushion_pocket_and_baulk_line_are_where_they_should_be(table):
    figure = picture(table, np.empty((0, 2)), [])
    ax = figure.axes[0]
    for point, expected in [
        ((0.5, 2.0), CLOTH),
        ((0.5, -0.02), CUSHION),
        ((-0.03, -0.03), HOLE),
        ((-0.03, 1.7845), HOLE),
        ((1.81, 3.6), HOLE),
    ]:
        assert colour_at(figure, ax, *point) == pytest.approx(to_rgb(expected), abs=0.02), point
    assert colour_at(figure, ax, 0.3, 0.737)[0] > 0.5
    assert colour_at(figure, ax, 0.889, 0.737 - 0.292)[0] > 0.4


def test_balls_are_round_to_scale_and_in_their_colours(table):
    figure = picture(table, POSITIONS, COLOURS)
    ax = figure.axes[0]
    figure.canvas.draw()
    width, height = ax.transData.transform((1.0, 1.0)) - ax.transData.transform((0.0, 0.0))
    assert width == pytest.approx(height, rel=1e-6)
    for (x, y), name in zip(POSITIONS, COLOURS, strict=True):
        for dx, dy in [(0.0, -0.5), (0.6, 0.0)]:
            colour = colour_at(figure, ax, x + dx * 0.02625, y + dy * 0.02625)
            assert colour == pytest.approx(to_rgb(BALL_COLOURS[name]), abs=0.03)
    assert colour_at(figure, ax, 0.889 + 0.031, 1.6) == pytest.approx(to_rgb(CLOTH), abs=0.03)


def test_absent_balls_are_left_out_and_colours_must_fit(table):
    ax = draw_table(table)
    before = len(ax.patches)
    draw_balls(ax, [[np.nan, np.nan], [0.5, 0.5]], ["white", "#ff00ff"])
    assert len(ax.patches) == before + 2
    with pytest.raises(ValueError, match="zip"):
        draw_balls(ax, [[0.5, 0.5]], ["white", "red"])


def made_up_results():
    """Two shots; in the second the cue ball drives up and stops, the red is potted at 1 s, the black stays."""

    def trajectory(i, times):
        path = np.repeat(POSITIONS[None], len(times), axis=0)
        path[:, 0, 1] += np.minimum(times, 0.5)
        path[:, 1, 0] -= np.clip(times - 0.5, 0.0, 0.5)
        path[times > 1.0, 1] = np.nan
        return path

    events = [SimpleNamespace(t=np.array([])), SimpleNamespace(t=np.array([0.5, 1.0]))]
    log = SimpleNamespace(of=events.__getitem__)
    return SimpleNamespace(duration=np.array([0.0, 1.25]), events=log, trajectory=trajectory)


def test_paths_of_moved_balls_with_sharp_corners(table):
    ax = draw_table(table)
    lines = len(ax.lines)
    draw_paths(ax, made_up_results(), 1, COLOURS)
    paths = [line.get_xydata() for line in ax.lines[lines:]]
    assert len(paths) == 2
    assert [line.get_color() for line in ax.lines[lines:]] == [BALL_COLOURS["white"], BALL_COLOURS["red"]]
    assert np.allclose(paths[0][-1], [0.889, 1.5])
    assert np.allclose(np.nanmin(paths[1], axis=0), [0.389, 1.6])
    ghosts = [p for p in ax.patches if isinstance(p, Circle) and p.get_alpha() == 0.55]
    assert [g.center for g in ghosts] == [(0.889, 1.5)]


def test_shot_in_a_picture_from_the_real_kernel(table, tmp_path):
    shot = simcore.Shots(V0=[2.0], phi=np.pi / 2)
    results = simcore.simulate(POSITIONS, shot, table=table, log_events=True)
    figure = picture(table, POSITIONS, COLOURS, shot=(results, 0), title="Straight up\nthe table")
    save_picture(figure, tmp_path / "shot.png")
    image = imread(tmp_path / "shot.png")
    assert image.shape[0] > 1.5 * image.shape[1]
    paths = [line.get_xydata() for line in figure.axes[0].lines if len(line.get_xydata()) > 100]
    assert len(paths) >= 2
    assert np.allclose([path[0] for path in paths], POSITIONS[: len(paths)])
    assert np.allclose(paths[0][-1], results.positions[0, 0])


def test_a_shot_without_a_log_is_refused(table):
    results = simcore.simulate(POSITIONS, simcore.Shots(V0=[1.0], phi=1.0), table=table)
    with pytest.raises(ValueError, match="log_events=True"):
        picture(table, POSITIONS, COLOURS, shot=(results, 0))


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_formats(table, tmp_path, suffix):
    save_picture(picture(table, POSITIONS, COLOURS), tmp_path / f"a.{suffix}")
    head = (tmp_path / f"a.{suffix}").read_bytes()[:100]
    assert {"png": b"PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix] in head


def test_unknown_format_leaves_nothing(table, tmp_path):
    with pytest.raises(ValueError, match="xyz"):
        save_picture(picture(table, POSITIONS, COLOURS), tmp_path / "a.xyz")
    assert list(tmp_path.iterdir()) == []


def test_drawing_touches_neither_pyplot_nor_matplotlib_before_it_is_asked():
    code = (
        "import sys, simcore, simcore.draw\n"
        "assert 'matplotlib' not in sys.modules\n"
        "simcore.draw.picture(simcore.Table.snooker(), [], [])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
