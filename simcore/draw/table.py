"""A table, its balls and their paths, to scale and in the table's own frame (portrait, baulk at the bottom).

The straight noses, the jaw arcs and the fall circles are those of the simulation. Only decoration is made up: how deep
the cushions are behind the nose, the wood, and the colours.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcore.files import write_atomically
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
from simcore.table import CUSHION_DEPTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simcore.results import ShotResults
    from simcore.table import Table

Floats = NDArray[np.float64]

BALL_COLOURS = {
    "cue": "#f7f4e6",
    "white": "#f7f4e6",
    "red": "#b8101c",
    "yellow": "#f5c814",
    "green": "#0b6b35",
    "brown": "#7a4218",
    "blue": "#1546b0",
    "pink": "#f18fb0",
    "black": "#151515",
}
"""Shades in which balls of these names are drawn; any other colour is passed on to matplotlib."""

CLOTH, CUSHION, LINE = "#1f7a46", "#17653a", "#d9e6d5"
WOOD, WOOD_EDGE, LEATHER, HOLE = "#5a3217", "#351c0b", "#2a1a10", "#0b0b0b"
WOOD_WIDTH = 0.115  # m
LEATHER_WIDTH = 0.012  # rim around a fall circle, m
ARC_POINTS = 25
JOIN = 1e-6  # an arc belongs to the nose whose end it shares within this, m
FACE_SLOPE = 1e-3  # an arc end that runs back no faster than this has no face behind it
PATH_STEPS = 400  # points along a path besides its contacts
MOVED = 1e-4  # a ball that ends this close to its start is not drawn twice, m
RADIUS = 0.02625  # m
FIGURE_INCHES = (5.4, 9.8)
DPI = 160


# --- table -----------------------------------------------------------------------------------------------------------


def _arc(geometry: Any, jaw: int) -> Floats:
    """Points along jaw arc `jaw` from its clockwise end, (ARC_POINTS, 2)."""
    start = np.arctan2(geometry.jaw[JAW_FROM_Y, jaw], geometry.jaw[JAW_FROM_X, jaw])
    end = np.arctan2(geometry.jaw[JAW_TO_Y, jaw], geometry.jaw[JAW_TO_X, jaw])
    angles = start + np.linspace(0.0, (end - start) % (2 * np.pi), ARC_POINTS)
    centre = np.array([geometry.jaw[JAW_X, jaw], geometry.jaw[JAW_Y, jaw]])
    return np.asarray(centre + geometry.jaw[JAW_RADIUS, jaw] * np.column_stack([np.cos(angles), np.sin(angles)]))


def _arc_from(geometry: Any, point: Floats) -> Floats:
    """The jaw arc that starts at `point`, running away from it; `point` alone where none does."""
    for jaw in range(len(geometry.jaw[JAW_X])):
        arc = _arc(geometry, jaw)
        if np.linalg.norm(arc[0] - point) < JOIN:
            return arc
        if np.linalg.norm(arc[-1] - point) < JOIN:
            return arc[::-1]
    return point[None, :]


def _face(arc: Floats, normal: Floats, nose: Floats) -> Floats:
    """The straight face behind an arc, from its end on to the wood; only the wood's point below a bare nose end."""
    depth = CUSHION_DEPTH - float((nose - arc[-1]) @ normal)
    along = 1.5 * (arc[-1] - arc[-2]) - 0.5 * (arc[-2] - arc[-3]) if len(arc) > 1 else -normal  # tangent at the end
    slope = float(-along @ normal / np.linalg.norm(along))
    if depth <= 0.0 or slope < FACE_SLOPE:
        return np.empty((0, 2))
    return np.asarray(arc[-1] + along / np.linalg.norm(along) * depth / slope)[None, :]


def cushion_outlines(table: "Table") -> Iterator[Floats]:
    """Outline of each cushion: its straight nose, the jaw arcs that join it, and the back along the wood.

    table: its noses and jaws are used.
    Yields the corner points of one closed outline, m, (n_points, 2).
    """
    geometry = table.geometry
    for k in range(len(geometry.nose[NOSE_X])):
        normal = np.array([geometry.nose[NOSE_NX, k], geometry.nose[NOSE_NY, k]])
        start = np.array([geometry.nose[NOSE_X, k], geometry.nose[NOSE_Y, k]])
        end = start + geometry.nose[NOSE_LENGTH, k] * np.array([normal[1], -normal[0]])
        first, last = _arc_from(geometry, start), _arc_from(geometry, end)
        yield np.concatenate([_face(first, normal, start), first[::-1], last, _face(last, normal, end)])


def _draw_frame(ax: "Axes", table: "Table") -> None:
    """Wood and the cloth that runs under the cushions."""
    from matplotlib.patches import FancyBboxPatch, Rectangle

    out, margin = CUSHION_DEPTH, WOOD_WIDTH
    box = FancyBboxPatch(
        (-out, -out), table.width + 2 * out, table.length + 2 * out, boxstyle=f"round,pad={margin},rounding_size=0.09"
    )
    box.set(facecolor=WOOD, edgecolor=WOOD_EDGE, linewidth=1.2, zorder=0)
    ax.add_patch(box)
    cloth = Rectangle((-out, -out), table.width + 2 * out, table.length + 2 * out)
    cloth.set(facecolor=CLOTH, edgecolor=WOOD_EDGE, linewidth=0.8, zorder=1)
    ax.add_patch(cloth)


def _draw_pockets_and_cushions(ax: "Axes", table: "Table") -> None:
    from matplotlib.patches import Circle, Polygon

    geometry = table.geometry
    for x, y, radius in zip(
        geometry.pocket[POCKET_X], geometry.pocket[POCKET_Y], geometry.pocket[POCKET_RADIUS], strict=True
    ):
        ax.add_patch(
            Circle((x, y), radius + LEATHER_WIDTH, facecolor=LEATHER, edgecolor="none", zorder=1.5, clip_on=False)
        )
        ax.add_patch(Circle((x, y), radius, facecolor=HOLE, edgecolor="none", zorder=2))
    for outline in cushion_outlines(table):
        ax.add_patch(Polygon(outline, closed=True, facecolor=CUSHION, edgecolor="#0f4627", linewidth=0.7, zorder=3))


def _draw_markings(ax: "Axes", table: "Table") -> None:
    """Baulk line, D and spots."""
    from matplotlib.patches import Arc

    style: dict[str, Any] = {"color": LINE, "linewidth": 0.9, "zorder": 2.5}
    ax.plot([0.0, table.width], [table.baulk_line, table.baulk_line], **style)
    diameter = 2 * table.d_radius
    ax.add_patch(Arc((table.d_x, table.baulk_line), diameter, diameter, theta1=180.0, theta2=360.0, **style))
    for x, y in table.spots.values():
        ax.plot([x], [y], marker="o", markersize=1.8, markeredgewidth=0.0, **style)


def draw_table(table: "Table", ax: "Axes | None" = None) -> "Axes":
    """Draw an empty table to scale.

    table: the table to draw.
    ax: where to draw; a new figure of the table's shape if None. Its data coordinates become the table's frame in m.
    Returns the axes drawn in.
    """
    if ax is None:
        ax = _new_figure().add_axes((0.0, 0.0, 1.0, 1.0))
    _draw_frame(ax, table)
    _draw_pockets_and_cushions(ax, table)
    if table.d_radius > 0.0:
        _draw_markings(ax, table)
    border = CUSHION_DEPTH + WOOD_WIDTH + 0.02
    ax.set(xlim=(-border, table.width + border), ylim=(-border, table.length + border), aspect="equal")
    ax.set_axis_off()
    return ax


# --- balls and paths -------------------------------------------------------------------------------------------------


def _shade(colour: str) -> str:
    return BALL_COLOURS.get(colour, colour)


def draw_balls(
    ax: "Axes", positions: ArrayLike, colours: Sequence[str], radius: float = RADIUS, ghost: bool = False
) -> None:
    """Draw balls to scale with a highlight.

    ax: axes in the table's frame.
    positions: ball centres, m, (n_balls, 2); nan = absent.
    colours: one for each ball, a name in `BALL_COLOURS` or any colour of matplotlib, (n_balls,).
    radius: of all balls, m.
    ghost: draw them see-through, where balls come to rest, besides where they were.
    Raises ValueError if there are not as many colours as balls.
    """
    from matplotlib.patches import Circle

    alpha, order = (0.55, 6.0) if ghost else (1.0, 7.0)
    for (x, y), colour in zip(np.asarray(positions, dtype=float), colours, strict=True):
        if np.isnan(x):
            continue
        edge = "#ffffff" if ghost else "#00000088"
        ball = Circle(
            (x, y), radius, facecolor=_shade(colour), edgecolor=edge, linewidth=0.6, alpha=alpha, zorder=order
        )
        shine = Circle((x - 0.33 * radius, y + 0.36 * radius), 0.24 * radius, facecolor="#ffffff", alpha=0.6 * alpha)
        shine.set_zorder(order + 0.1)
        ax.add_patch(ball)
        ax.add_patch(shine)


def _path_times(results: "ShotResults", i: int) -> Floats:
    """Times at which to evaluate shot `i`, s: evenly, and at every contact so that corners are sharp."""
    if results.events is None:
        raise ValueError("no motion was logged: call simulate(..., log_events=True)")
    steps = np.linspace(0.0, float(results.duration.reshape(-1)[i]), PATH_STEPS)
    return np.unique(np.concatenate([steps, results.events.of(i).t]))


def draw_paths(ax: "Axes", results: "ShotResults", i: int, colours: Sequence[str], radius: float = RADIUS) -> None:
    """Draw the paths of all balls that move in one shot, from the exact motion, and where they come to rest.

    ax: axes in the table's frame.
    results: shots simulated with ``log_events=True``.
    i: number of the shot.
    colours: one for each ball, as in `draw_balls`, (n_balls,).
    radius: of all balls, m.
    Raises ValueError if nothing was logged.
    """
    from matplotlib.patheffects import Normal, Stroke

    path = results.trajectory(i, _path_times(results, i))
    moved = np.nanmax(np.abs(path - path[:1]), axis=(0, 2), initial=0.0) > MOVED
    for ball in np.flatnonzero(moved):
        outline = [Stroke(linewidth=2.6, foreground="#00000070"), Normal()]
        style: dict[str, Any] = {"color": _shade(colours[int(ball)]), "linewidth": 1.5, "solid_capstyle": "round"}
        ax.plot(path[:, ball, 0], path[:, ball, 1], zorder=5.0, path_effects=outline, **style)
    draw_balls(ax, np.where(moved[:, None], path[-1], np.nan), colours, radius, ghost=True)


def _new_figure() -> "Figure":
    """A figure that needs no display and that pyplot does not know of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=FIGURE_INCHES, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def picture(
    table: "Table",
    positions: ArrayLike,
    colours: Sequence[str],
    shot: "tuple[ShotResults, int] | None" = None,
    radius: float = RADIUS,
    title: str = "",
) -> "Figure":
    """A picture of a position and, if wanted, of what one shot makes of it.

    table: the table.
    positions: ball centres before the shot, m, (n_balls, 2); nan = absent.
    colours: one for each ball, as in `draw_balls`, (n_balls,).
    shot: results simulated with ``log_events=True`` and the number of the shot among them.
    radius: of all balls, m.
    title: text above the table; may have several lines.
    Returns a matplotlib figure; a notebook shows it, `save_picture` writes it.
    """
    figure = _new_figure()
    height = 0.965 - 0.02 * title.count("\n") if title else 1.0
    ax = draw_table(table, figure.add_axes((0.0, 0.0, 1.0, height)))
    if title:
        figure.text(0.5, 0.985, title, ha="center", va="top", fontsize=9.5)
    draw_balls(ax, positions, colours, radius)
    if shot is not None:
        draw_paths(ax, *shot, colours, radius)
    return figure


def save_picture(figure: "Figure", path: str | os.PathLike[str]) -> None:
    """Write a figure whole or not at all; the suffix says the format (png, svg, pdf).

    figure: as made by `picture`.
    path: the file to write.
    Raises OSError if the file cannot be written, ValueError if matplotlib does not know the suffix.
    """
    writer: Callable[[Path], object] = figure.savefig
    write_atomically(path, writer)
