"""A shot as one line of text that plays again to the same bits.

The line is "snookersim-shot 1" and a JSON object: balls, strike or motion, table, every coefficient, stop rule and
program version. Numbers are the shortest decimals that read back as the same double; an absent ball is null, an
infinite coefficient "inf". Nothing is left to defaults, so a later change of a default does not change the shot.

Not handled: batches (write a line for each shot), tables other than those of `Table.snooker` and `Table.closed`.
"""

import hashlib
import json
import math
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

import simcore
from simcore.physics import INT_FIELDS, Physics
from simcore.results import ShotResults
from simcore.shots import SHOT_FIELDS, Motion, Shots, canonical_bytes, float_array
from simcore.simulate import MAX_EVENTS, STOP_RULES, simulate
from simcore.table import Table

MARK = "snookersim-shot"
FORMAT = 1

FIELDS = ("version", "table", "physics", "positions", "radius", "mass", "stop", "max_events")  # and shot or motion
SHOT_KEYS, MOTION_KEYS = set(SHOT_FIELDS), {"v", "w"}


def shot_text(
    positions: ArrayLike,
    shots: Shots | None = None,
    *,
    motion: Motion | None = None,
    table: Table | None = None,
    physics: Physics | None = None,
    radius: ArrayLike | None = None,
    mass: ArrayLike | None = None,
    stop: str = "rest",
    max_events: int = MAX_EVENTS,
) -> str:
    """One shot as one line of text.

    Arguments as of `simulate`, for a single shot: positions (n_balls, 2), m; shots or motion without shot axes.
    Returns the line, without its end. Raises ValueError for a batch, both or neither of shots and motion, or a table
    that has no name to be found by. Whether the shot can be played is checked when it is played.
    """
    layout = float_array("positions", positions)
    if layout.ndim != 2 or layout.shape[1] != 2:
        raise ValueError(f"positions has shape {layout.shape}: expected (n_balls, 2), a line holds one shot")
    given = shots if motion is None else motion
    if given is None or (shots is not None and motion is not None):
        raise ValueError("shot_text: expected either shots or motion")
    if given.shape != ():
        raise ValueError(f"{type(given).__name__} has shot axes {given.shape}: expected one shot, a line holds one")
    physics = (Physics.snooker() if physics is None else physics).check()
    content: dict[str, Any] = {
        "version": simcore.__version__,
        "positions": [None if math.isnan(x) and math.isnan(y) else [_number(x), _number(y)] for x, y in layout],
        "shot" if motion is None else "motion": {
            name: _numbers(getattr(given, name)) for name in (SHOT_FIELDS if motion is None else ("v", "w"))
        },
        "table": _table_content(Table.snooker() if table is None else table),
        "physics": {name: _number(value) for name, value in physics._asdict().items()},
        "radius": _numbers(physics.R if radius is None else radius),
        "mass": _numbers(physics.m if mass is None else mass),
        "stop": stop,
        "max_events": int(max_events),
    }
    return f"{MARK} {FORMAT} " + json.dumps(content, separators=(",", ":"), allow_nan=False)


def play_text(line: str, *, log_events: bool = False) -> ShotResults:
    """Play a line that `shot_text` wrote.

    line: the text, with or without its end; log_events: keep events and motion, as in `simulate`.
    Returns the results, bit for bit those of the shot that was written, where program version and processor agree.
    Raises TypeError for what is no text, ValueError naming what is wrong with the line: no shot, another format, a
    field that is missing, unknown or of the wrong kind, a table whose measures have changed since; or as `simulate` for
    a shot that cannot be played.
    """
    content = _parsed(line)
    strike: dict[str, Any] = {}
    if "shot" in content:
        strike["shots"] = Shots(**_part(content, "shot", SHOT_KEYS))
    else:
        strike["motion"] = Motion(**_part(content, "motion", MOTION_KEYS))
    if not isinstance(content["stop"], str) or content["stop"] not in STOP_RULES:
        _refuse("stop", content["stop"], f"one of {', '.join(STOP_RULES)}")
    return simulate(
        _layout(content["positions"]),
        table=_table(content["table"]),
        physics=_physics(content["physics"]),
        radius=_array("radius", content["radius"]),
        mass=_array("mass", content["mass"]),
        stop=content["stop"],
        max_events=_whole("max_events", content["max_events"]),
        log_events=log_events,
        **strike,
    )


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    shown = repr(value)
    raise ValueError(f"shot text: {name} = {shown if len(shown) <= 80 else shown[:77] + '...'}: expected {expected}")


def _number(value: float) -> float | str:
    """A float as JSON can hold it: the infinite and nan as words."""
    number = int(value) if isinstance(value, int) else float(value)
    return number if math.isfinite(number) else str(number)


def _numbers(values: ArrayLike) -> Any:
    """An array as nested lists of numbers, a scalar as a number."""
    array = float_array("value", values)
    return _number(float(array)) if array.ndim == 0 else [_numbers(row) for row in array]


def _measures(table: Table) -> str:
    """Digest of all that balls can meet on a table, 16 hexadecimal digits."""
    g = table.geometry
    parts = canonical_bytes(g.nose, g.jaw, g.pocket, [table.width, table.length]) + g.jaw_pocket.tobytes()
    return hashlib.sha256(parts).hexdigest()[:16]


def _table_content(table: Table) -> dict[str, Any]:
    content = {"name": table.name, "width": table.width, "length": table.length, "measures": _measures(table)}
    try:
        _table(content)
    except ValueError:
        raise ValueError(f"table {table.name!r}: expected one of Table.snooker or Table.closed, unchanged") from None
    return content


def _table(content: Any) -> Table:
    """The table that a line names, refused if its measures are not those of the line."""
    _keys("table", content, {"name", "width", "length", "measures"})
    name = content["name"]
    if name == "closed":
        table = Table.closed(content["width"], content["length"])
    elif isinstance(name, str) and name.startswith("snooker "):
        table = Table.snooker(name.removeprefix("snooker "))
    else:
        _refuse("table.name", name, "closed, or snooker and its pockets")
    if content["measures"] != _measures(table):
        raise ValueError(f"shot text: table {name!r} has other measures here than when the line was written")
    return table


def _parsed(line: str) -> dict[str, Any]:
    """The object that a line holds, with all its fields."""
    if not isinstance(line, str):
        raise TypeError(f"shot text is {type(line).__name__}: expected str, a line that shot_text wrote")
    mark, _, rest = line.strip().partition(" ")
    number, _, text = rest.partition(" ")
    if mark != MARK:
        _refuse("line", line, f"a text that begins with {MARK!r}")
    if number != str(FORMAT):
        _refuse("format", number, f"{FORMAT}, the only one this version reads")
    try:
        content = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"shot text: what follows the format is not JSON: {error}") from None
    strike = "shot" if isinstance(content, dict) and "shot" in content else "motion"
    _keys("line", content, {*FIELDS, strike})
    return dict(content)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number: expected null for an absent ball, or a word in quotes")


def _keys(name: str, content: Any, expected: set[str]) -> None:
    if not isinstance(content, dict):
        _refuse(name, content, "an object")
    missing, unknown = sorted(expected - set(content)), sorted(set(content) - expected)
    if missing:
        raise ValueError(f"shot text: {name} lacks {', '.join(missing)}")
    if unknown:
        raise ValueError(f"shot text: {name} has unknown {', '.join(unknown)}")


def _part(content: dict[str, Any], name: str, keys: set[str]) -> dict[str, Any]:
    _keys(name, content[name], keys)
    return {key: _array(f"{name}.{key}", value) for key, value in content[name].items()}


def _array(name: str, value: Any) -> Any:
    """Nested lists of JSON numbers as an array; anything else is refused, flags too."""
    if isinstance(value, list):
        rows = [_array(f"{name}[{i}]", row) for i, row in enumerate(value)]
        if len({np.shape(row) for row in rows}) > 1:
            _refuse(name, value, "rows of equal length")
        return np.array(rows, dtype=np.float64)
    return _as_float(name, value)


def _as_float(name: str, value: Any) -> float:
    if value in ("inf", "-inf", "nan") and isinstance(value, str):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(name, value, "a number")
    try:
        return float(value)
    except OverflowError:
        _refuse(name, value, "a number that a double can hold")


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        _refuse(name, value, "a whole number")
    return value


def _layout(content: Any) -> Any:
    """Positions (n_balls, 2), nan for null."""
    if not isinstance(content, list):
        _refuse("positions", content, "a list of places")
    places = [[math.nan, math.nan] if place is None else place for place in content]
    return _array("positions", places)


def _physics(content: Any) -> Physics:
    _keys("physics", content, set(Physics._fields))
    values = {
        name: _whole(f"physics.{name}", value) if name in INT_FIELDS else _as_float(f"physics.{name}", value)
        for name, value in content.items()
    }
    return Physics.snooker(**values)
