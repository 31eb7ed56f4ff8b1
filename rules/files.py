"""Position files: a frame as JSON, read with errors that say where, and written so that it reads back equal.

{"game": "snooker", "edition": "current", "description": "...",
 "balls": {"cue": [x, y] or null, "yellow": ..., ..., "black": ..., "red": [[x, y], null, ...]},
 "frame": {"phase": "red", "nominated": null, "free_ball": null or "offered", "scores": [0, 0], "striker": 0,
           "cue_in_hand": false, ...}}

Metres in the table's frame; null = not on the table (a red's place in the list is its number). Edition, description
and the counters that are 0 may be left out. "before" holds the frame that can be restored after a foul and a miss.

Not handled: layouts of games other than snooker.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.checks import check_integer, check_places, check_player, check_state
from rules.frame import Frame, mask_of, read_only, standard_table
from rules.ruleset import (
    CHANGEABLE,
    EDITION_NAMES,
    GAME_NAMES,
    KIND_NAMES,
    MAX_BALLS,
    POINTS,
    RED,
    RuleSet,
    kind_number,
)
from rules.state import MAX_SIDES, ON_THE_TABLE, OPTION_NAMES, PHASE_NAMES, PLACE_NAMES, Floats, FrameState
from simcore.files import read_text

if TYPE_CHECKING:
    from simcore import Table

FOLDER = Path(__file__).parent / "positions"
TOP_KEYS = ("game", "edition", "rules", "description", "balls", "frame", "before")
NEEDED = ("game", "balls", "frame")
FRAME_NEEDED = ("phase", "scores", "striker", "cue_in_hand")
COUNTERS = {  # fields of the state that are written only where they differ from this
    "first_striker": 0,
    "turn": -1,
    "break_points": 0,
    "colour_points": 0,
    "nominee_back": 0,
    "offender": -1,
    "misses": 0,
    "full_ball": 0,
    "winner": -1,
    "conceded": 0,
}
MAX_COUNT = 10**6  # of every integer in a file
MAX_DIGITS = 18  # of an integer that is converted at all
FRAME_KEYS = (*FRAME_NEEDED, "nominated", "free_ball", "options", *COUNTERS)


def position_names() -> tuple[str, ...]:
    """Names of the frames that ship with the package."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def named_frame(name: str, table: "Table | None" = None) -> Frame:
    """A frame that ships with the package; ValueError lists the names."""
    if name not in position_names():
        raise ValueError(f"position {name!r} is not known; expected one of {', '.join(position_names())}")
    return read_frame(FOLDER / f"{name}.json", table)


def read_frame(path: str | os.PathLike[str], table: "Table | None" = None) -> Frame:
    """The frame in a JSON file; ValueError names the file and what is wrong, OSError if it cannot be read."""
    text = read_text(path)
    try:
        return frame_of(parse_json(text), table)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def is_document(source: object) -> bool:
    """Whether this is JSON text of a frame itself and no path."""
    return isinstance(source, str) and source.lstrip().startswith("{")


def parse_json(text: str) -> Any:
    """The value of a JSON text; ValueError gives line and column, and refuses NaN, infinities and repeated keys."""
    try:
        return json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_number,
        )
    except _BadNumber as error:
        before = text[: text.find(error.word)]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ValueError(f"line {line}, column {column}: {error}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("nested too deeply to be a position") from None


class _BadNumber(ValueError):
    """A number that no position has; `word` is how it is written."""

    def __init__(self, word: str, problem: str) -> None:
        super().__init__(problem)
        self.word = word


def _integer(word: str) -> int:
    if len(word) > MAX_DIGITS:
        raise _BadNumber(word, f"{word[:12]}… is an integer of {len(word)} digits: expected at most {MAX_COUNT}")
    return int(word)


def _number(word: str) -> float:
    value = float(word)
    if not np.isfinite(value):
        raise _BadNumber(word, f"{word:.20} is too large for a number: expected metres or a count")
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key {key!r} is given twice")
        found[key] = value
    return found


def _refuse_constant(word: str) -> float:
    problem = f"{word} is not a number that JSON allows; use null for a ball that is not on the table"
    raise _BadNumber(word, problem)


def _check_keys(what: str, value: Any, known: tuple[str, ...], needed: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what}: expected an object with keys {', '.join(known)}, got {_kind(value)}")
    for key in value:
        if key not in known:
            raise ValueError(f"{what}: unknown key {key!r}; expected one of {', '.join(known)}")
    for key in needed:
        if key not in value:
            raise ValueError(f"{what}: key {key!r} is missing")
    return value


def _kind(value: Any) -> str:
    return "null" if value is None else f"{value!r:.40}"


def frame_of(document: Any, table: "Table | None" = None) -> Frame:
    """The frame that a parsed position file describes; ValueError tells what is wrong with it."""
    entries = _check_keys("position", document, TOP_KEYS, NEEDED)
    table = table or standard_table()
    ruleset = _ruleset(entries)
    positions = _positions(entries["balls"])
    check_places(positions, table, ruleset)
    state = _state(ruleset, entries["frame"], positions)
    before = _before(entries.get("before"), table)
    check_state(ruleset, state, positions, before)
    return Frame(ruleset, state, read_only(positions), table, before, _text(entries, "description", ""))


def _before(document: Any, table: "Table") -> Frame | None:
    if document is None:
        return None
    if isinstance(document, dict) and document.get("before") is not None:
        raise ValueError("before: a frame that can be restored has none before it")
    return frame_of(document, table)


def _text(entries: dict[str, Any], key: str, default: str) -> str:
    value = entries.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key}: expected text, got {_kind(value)}")
    return value


def _ruleset(entries: dict[str, Any]) -> RuleSet:
    changes = entries.get("rules", {})
    if not isinstance(changes, dict):
        raise ValueError(f"rules: expected an object, got {_kind(changes)}")
    return changed_rules(_text(entries, "game", ""), _text(entries, "edition", "current"), changes)


def changed_rules(game: str, edition: str, changes: dict[str, Any]) -> RuleSet:
    """Rules of a game and edition with single switches changed; ValueError names the one that is wrong."""
    for field in changes:
        if field not in CHANGEABLE:
            raise ValueError(f"rules: {field!r} is not a switch of the game")
    try:
        return RuleSet.named(game, edition, **changes)
    except ValueError as error:
        raise ValueError(f"rules: {error}" if changes else str(error)) from None


def rule_changes(ruleset: RuleSet) -> dict[str, Any]:
    """Fields in which `ruleset` differs from its game and edition; points of those sides only that are there."""
    standard = RuleSet.named(GAME_NAMES[ruleset.game], EDITION_NAMES[ruleset.edition])
    pairs = zip(RuleSet._fields, ruleset, standard, strict=True)
    changes: dict[str, Any] = {field: mine for field, mine, usual in pairs if mine != usual}
    return changes | {field: changes[field][: ruleset.n_sides] for field in POINTS if field in changes}


def _positions(balls: Any) -> Floats:
    if isinstance(balls, dict):
        for name in balls:
            if name not in KIND_NAMES:
                raise ValueError(f"balls: unknown ball {name!r}; expected one of {', '.join(KIND_NAMES)}")
    entries = _check_keys("balls", balls, KIND_NAMES, KIND_NAMES)
    positions = np.full((MAX_BALLS, 2), np.nan)
    for kind in range(RED):
        positions[kind] = _place(KIND_NAMES[kind], entries[KIND_NAMES[kind]])
    reds = entries["red"]
    if not isinstance(reds, list):
        raise ValueError(f"balls: red: expected a list of places, got {_kind(reds)}")
    if len(reds) > MAX_BALLS - RED:
        raise ValueError(f"balls: too many reds: {len(reds)}, expected at most {MAX_BALLS - RED}")
    for i, place in enumerate(reds):
        positions[RED + i] = _place(f"red {i + 1}", place)
    return positions


def _place(name: str, place: Any) -> tuple[float, float]:
    if place is None:
        return np.nan, np.nan
    numbers = isinstance(place, list) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in place)
    if not numbers or len(place) != 2:
        raise ValueError(f"balls: {name}: expected [x, y] in metres or null, got {_kind(place)}")
    if not all(abs(v) < 1e6 for v in place):
        raise ValueError(f"balls: {name}: {_kind(place)} is not on any table; expected metres")
    return float(place[0]), float(place[1])


def _state(ruleset: RuleSet, frame: Any, positions: Floats) -> FrameState:
    entries = _check_keys("frame", frame, FRAME_KEYS, FRAME_NEEDED)
    in_hand = entries["cue_in_hand"]
    if not isinstance(in_hand, bool) and in_hand != PLACE_NAMES[ON_THE_TABLE]:
        raise ValueError(f'frame: cue_in_hand = {_kind(in_hand)}: expected true or false, or "anywhere"')
    striker = check_player("frame: striker", entries["striker"], ruleset.n_players)
    counters = {
        name: check_integer(f"frame: {name}", entries.get(name, default), min(default, 0), MAX_COUNT)
        for name, default in COUNTERS.items()
    }
    return FrameState(
        phase=_index("phase", entries["phase"], PHASE_NAMES),
        on_table=mask_of(positions),
        nominated=_nominated(entries.get("nominated")),
        free_ball=_offered(entries.get("free_ball")),
        striker=striker,
        cue_in_hand=int(in_hand) if isinstance(in_hand, bool) else ON_THE_TABLE,
        options=_options(entries.get("options", [])),
        scores=_scores(ruleset, entries["scores"]),
        **counters,
    )


def _index(what: str, name: Any, names: tuple[str, ...]) -> int:
    if name not in names:
        raise ValueError(f"frame: {what} = {_kind(name)}: expected one of {', '.join(names)}")
    return names.index(name)


def _scores(ruleset: RuleSet, scores: Any) -> tuple[int, ...]:
    n = ruleset.n_sides
    if not isinstance(scores, list) or len(scores) != n:
        raise ValueError(f"frame: scores = {_kind(scores)}: expected a list of the points of {n} sides")
    points = tuple(check_integer(f"frame: scores[{i}]", score, 0, MAX_COUNT) for i, score in enumerate(scores))
    return points + (0,) * (MAX_SIDES - n)


def _nominated(name: Any) -> int:
    if name is not None and not isinstance(name, str):
        raise ValueError(f"frame: nominated = {_kind(name)}: expected a ball or null")
    return kind_number(name, "frame: nominated")


def _offered(value: Any) -> int:
    if value not in (None, "offered"):
        raise ValueError(f'frame: free_ball = {_kind(value)}: expected "offered" or null; the nominee is "nominated"')
    return int(value == "offered")


def _options(names: Any) -> int:
    if not isinstance(names, list):
        raise ValueError(f"frame: options = {_kind(names)}: expected a list")
    return sum({1 << _index("options", name, OPTION_NAMES) for name in names})


def document_of(frame: Frame, description: str = "") -> dict[str, Any]:
    """The frame as the value of a position file."""
    state = frame.state
    places = [None if np.isnan(place[0]) else [float(place[0]), float(place[1])] for place in frame.positions]
    reds = places[RED:]
    while reds and reds[-1] is None:
        reds.pop()
    document: dict[str, Any] = {
        "game": GAME_NAMES[frame.ruleset.game],
        "edition": EDITION_NAMES[frame.ruleset.edition],
        "description": description or frame.description,
        "balls": {**dict(zip(KIND_NAMES[:RED], places, strict=False)), "red": reds},
        "frame": {
            "phase": frame.phase,
            "nominated": KIND_NAMES[state.nominated] if state.nominated else None,
            "free_ball": "offered" if state.free_ball else None,
            "scores": list(frame.scores),
            "striker": state.striker,
            "cue_in_hand": PLACE_NAMES[ON_THE_TABLE] if state.cue_in_hand == ON_THE_TABLE else frame.cue_in_hand,
        },
    }
    extras = {name: getattr(state, name) for name, default in COUNTERS.items() if getattr(state, name) != default}
    document["frame"] |= extras | ({"options": list(frame.options)} if frame.options else {})
    changes = rule_changes(frame.ruleset)
    return (
        document
        | ({"rules": changes} if changes else {})
        | ({"before": document_of(frame.before)} if frame.before else {})
    )


def frame_document(frame: Frame, description: str = "") -> str:
    """The frame as JSON text that reads back equal."""
    return json.dumps(document_of(frame, description), indent=1, allow_nan=False) + "\n"
