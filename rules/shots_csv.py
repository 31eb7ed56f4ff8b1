"""A user's own candidate strokes from a CSV file with a header line.

Columns, in any order: ``V0`` cue speed m/s; ``phi`` direction rad, or ``phi_deg``; ``theta`` cue elevation rad, or
``theta_deg`` (0 if left out); ``a`` and ``b`` tip offset in ball radii, right and up (0 if left out); ``nominated``
the ball named by the striker (empty = none); ``place_x`` and ``place_y`` where a cue ball in hand is placed, m (both
empty = it stays where it is). Only ``V0`` and one direction are needed.

Not handled: other separators than the comma, decimal commas, units other than those above.
"""

import csv
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.checks import check_ready, check_strokes
from rules.ruleset import kind_number
from rules.strokes import Strokes
from simcore.shots import Shots

if TYPE_CHECKING:
    from rules.frame import Frame

NUMBERS = ("V0", "phi", "phi_deg", "theta", "theta_deg", "a", "b", "place_x", "place_y")
COLUMNS = (*NUMBERS, "nominated")
PLACEMENT = ("place_x", "place_y")
EITHER = (("phi", "phi_deg"), ("theta", "theta_deg"))

Row = dict[str, str]


def _check_header(header: Sequence[str]) -> None:
    """Refuse a header that leaves something out, says it twice or has a word that is not known."""
    if len(header) == 1 and ";" in header[0]:
        raise ValueError("columns must be separated by commas, not semicolons")
    for name in header:
        if name not in COLUMNS:
            raise ValueError(f"unknown column {name!r}; known: {', '.join(COLUMNS)}")
        if list(header).count(name) > 1:
            raise ValueError(f"column {name!r} stands there twice")
    for pair in EITHER:
        if all(name in header for name in pair):
            raise ValueError(f"give {pair[0]} or {pair[1]}, not both")
    if "V0" not in header:
        raise ValueError("column V0 (cue speed, m/s) is missing")
    if "phi" not in header and "phi_deg" not in header:
        raise ValueError("column phi (direction, rad) or phi_deg is missing")
    if ("place_x" in header) != ("place_y" in header):
        raise ValueError("place_x and place_y belong together: one of them is missing")


def _number(text: str, name: str, line: int) -> float:
    """The number in one cell; an empty one is nan where a placement is left out and an error elsewhere."""
    if not text and name in PLACEMENT:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"line {line}, column {name}: {text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"line {line}, column {name}: {text!r} is not a finite number")
    return value


def _next_row(reader: "csv.DictReader[str]") -> Any:
    """The cells of the next row, None after the last; an error tells the line where the row starts."""
    start = reader.line_num + 1
    try:
        return next(reader, None)
    except csv.Error as error:
        raise ValueError(f"line {start}: {error}; is a quote left open?") from None


def _rows(reader: "csv.DictReader[str]") -> Iterable[tuple[int, Row]]:
    """Line number and cells of each row; rows with too many or too few cells are refused, blank lines skipped."""
    while (cells := _next_row(reader)) is not None:
        line = reader.line_num
        if None in cells:
            raise ValueError(f"line {line}: more cells than columns")
        missing = [name for name, text in cells.items() if text is None]
        if missing:
            raise ValueError(f"line {line}: no cell for column {missing[0]}")
        yield line, {name: text.strip() for name, text in cells.items()}


def _read_table(lines: Iterable[str]) -> tuple[list[int], list[Row]]:
    """Check the header and split the rows: their line numbers and cells."""
    reader = csv.DictReader(lines, strict=True, skipinitialspace=True)
    try:
        header = reader.fieldnames
    except csv.Error as error:
        raise ValueError(f"line 1: {error}; is a quote left open?") from None
    if header is None:
        raise ValueError("the file is empty: the first line must name the columns")
    reader.fieldnames = [name.strip() for name in header]
    _check_header(reader.fieldnames)
    numbered = list(_rows(reader))
    if not numbered:
        raise ValueError("no shots below the header line")
    return [line for line, _ in numbered], [row for _, row in numbered]


def _columns(lines: list[int], rows: list[Row]) -> dict[str, Any]:
    """Number columns as arrays (n_rows,), angles in rad under their plain names."""
    columns: dict[str, Any] = {
        name: np.array([_number(row[name], name, line) for line, row in zip(lines, rows, strict=True)])
        for name in NUMBERS
        if name in rows[0]
    }
    for name, in_degrees in EITHER:
        if in_degrees in columns:
            columns[name] = np.radians(columns.pop(in_degrees))
    return columns


def _placements(columns: dict[str, Any], lines: list[int]) -> Any:
    """Cue-ball placements (n_rows, 2) m, nan where it stays; None if the file places none."""
    if "place_x" not in columns:
        return None
    placed = np.column_stack([columns.pop("place_x"), columns.pop("place_y")])
    half = np.isnan(placed).sum(axis=1) == 1
    if half.any():
        raise ValueError(f"line {lines[int(np.argmax(half))]}: place_x and place_y belong together, one is empty")
    return None if np.isnan(placed).all() else placed


def _in_columns(error: ValueError, row: Row) -> str:
    """What is wrong with a shot, in the words of the file."""
    text = str(error).replace("Shots.", "column ").replace("in the D", "in the D, in columns place_x, place_y")
    text = text.replace("cue_ball", "place_x, place_y").removeprefix("strokes: ")
    for plain, in_degrees in EITHER:
        if in_degrees in row:
            text = text.replace(f"column {plain} =", f"column {in_degrees}, in radians:").replace("; degrees?", "")
        elif f"column {plain} =" in text:
            text = text.replace("degrees?", f"for degrees name the column {in_degrees}")
    return text


def _check_rows(columns: dict[str, Any], lines: list[int], rows: list[Row]) -> None:
    """Refuse the first row whose shot or nomination cannot be, with its line."""
    names = [name for name in columns if name not in PLACEMENT]
    for i, (line, row) in enumerate(zip(lines, rows, strict=True)):
        try:
            Shots(**{name: columns[name][i] for name in names})
            kind_number(row.get("nominated") or None, "column nominated")
        except ValueError as error:
            raise ValueError(f"line {line}: {_in_columns(error, row)}") from None


def _check_playable(frame: "Frame", strokes: Strokes, lines: list[int], rows: list[Row]) -> None:
    """Refuse the first row that cannot be played in the frame, with its line."""
    check_ready(frame)
    try:
        check_strokes(frame, strokes)
        return
    except ValueError:
        pass
    for stroke, line, row in zip(strokes, lines, rows, strict=True):
        try:
            check_strokes(frame, stroke)
        except ValueError as error:
            raise ValueError(f"line {line}: {_in_columns(error, row)}") from None


def _strokes(lines: list[int], rows: list[Row]) -> Strokes:
    columns = _columns(lines, rows)
    _check_rows(columns, lines, rows)
    placed = _placements(columns, lines)
    nominated = [row.get("nominated") or None for row in rows]
    return Strokes(Shots(**columns), nominated=nominated if any(nominated) else None, cue_ball=placed)


def read_strokes(path: str | os.PathLike[str], frame: "Frame | None" = None) -> Strokes:
    """Read candidate strokes from a CSV file.

    path: the file, UTF-8; the columns and their units are listed at the top of this module.
    frame: the frame in which all of them must be playable; not checked if left out.
    Returns the strokes in the order of the file. Raises ValueError for a header or cell that is not understood or a
    value out of its range, naming file, line and column, and OSError if the file cannot be read.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            lines, rows = _read_table(file)
        strokes = _strokes(lines, rows)
        if frame is not None:
            _check_playable(frame, strokes, lines, rows)
        return strokes
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file in UTF-8 ({error.reason} at byte {error.start})") from None
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path}: {error}") from None
