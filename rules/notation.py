"""The one-line notation of a frame: words separated by single spaces, exact to the last bit.

    snooker/current red 22:17 striker=1 cue=0.99,2.06 yellow=1.181,0.737 … red1=0.61,2.905 red3=…

Game/edition, phase, scores; then settings name=value, those at their default left out; then the balls on the table,
metres, as the shortest decimals that read back to the same number. A cue ball in hand is cue=hand. A frame that can be
restored follows at the end after the word before.

Not part of it: the table, which `Frame.from_text` is given, and a description.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from rules.checks import check_integer, check_places, check_state
from rules.files import COUNTERS, changed_rules, rule_changes
from rules.frame import Frame, mask_of, read_only, standard_table
from rules.ruleset import EDITION_NAMES, GAME_NAMES, KIND_NAMES, MAX_BALLS, RED, RuleSet, kind_number
from rules.state import MAX_SIDES, OPTION_NAMES, PHASE_NAMES, Floats, FrameState

if TYPE_CHECKING:
    from simcore import Table

BEFORE = " before "
RULE = "rule."
BALL_WORDS = (*KIND_NAMES[:RED], *(f"red{i}" for i in range(1, MAX_BALLS - RED + 1)))
SETTINGS = ("striker", "nominated", "free_ball", "options", *COUNTERS)


def print_frame(frame: Frame) -> str:
    """The frame in one line."""
    state = frame.state
    head = f"{GAME_NAMES[frame.ruleset.game]}/{EDITION_NAMES[frame.ruleset.edition]}"
    words = [head, frame.phase, ":".join(str(points) for points in frame.scores)]
    words += [f"{RULE}{field}={_rule_word(value)}" for field, value in rule_changes(frame.ruleset).items()]
    words += [f"{name}={value}" for name, value in _settings(frame).items()]
    words += ["cue=hand"] if state.cue_in_hand else []
    for word, (x, y) in zip(BALL_WORDS, frame.positions, strict=True):
        if not np.isnan(x):
            words.append(f"{word}={float(x)!r},{float(y)!r}")
    text = " ".join(words)
    return text + BEFORE + print_frame(frame.before) if frame.before else text


def _rule_word(value: Any) -> str:
    return ",".join(repr(part) for part in value) if isinstance(value, tuple) else repr(value)


def _settings(frame: Frame) -> dict[str, object]:
    state = frame.state
    found: dict[str, object] = {"striker": state.striker}
    if state.nominated:
        found["nominated"] = KIND_NAMES[state.nominated]
    if state.free_ball:
        found["free_ball"] = "offered"
    if frame.options:
        found["options"] = ",".join(frame.options)
    return found | {name: getattr(state, name) for name, usual in COUNTERS.items() if getattr(state, name) != usual}


def parse_frame(text: str, table: "Table | None" = None) -> Frame:
    """The frame written in one line; ValueError quotes the word that is wrong."""
    table = table or standard_table()
    this, separator, earlier = text.strip().partition(BEFORE)
    if BEFORE in earlier:
        raise ValueError("frame text: 'before' is given twice")
    before = parse_frame(earlier, table) if separator else None
    words = this.split()
    if len(words) < 3:
        raise ValueError(f"frame text {this!r:.60}: expected game/edition, phase, scores and the balls")
    pairs = _pairs(words[3:])
    ruleset = _ruleset(words[0], pairs)
    positions, in_hand = _positions(pairs)
    check_places(positions, table, ruleset)
    state = _state(ruleset, words[1], words[2], pairs, positions, in_hand)
    if pairs:
        name = next(iter(pairs))
        known = ", ".join((*SETTINGS, f"{RULE}…", *BALL_WORDS[:RED], "red1", "…"))
        raise ValueError(f"frame text: {name!r} is not known; expected one of {known}")
    check_state(ruleset, state, positions, before)
    return Frame(ruleset, state, read_only(positions), table, before)


def _pairs(words: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"frame text: {word!r}: expected name=value")
        if name in pairs:
            raise ValueError(f"frame text: {name!r} is given twice")
        pairs[name] = value
    return pairs


def _ruleset(word: str, pairs: dict[str, str]) -> RuleSet:
    game, slash, edition = word.partition("/")
    if not slash:
        raise ValueError(f"frame text: {word!r}: expected game/edition, such as snooker/current")
    changes: dict[str, Any] = {}
    for name in [name for name in pairs if name.startswith(RULE)]:
        value = pairs.pop(name)
        changes[name.removeprefix(RULE)] = _rule_value(name, value)
    return changed_rules(game, edition, changes)


def _rule_value(name: str, word: str) -> Any:
    if "," in word:
        return tuple(_integer(name, part) for part in word.split(","))
    return _integer(name, word) if word.removeprefix("-").isdecimal() else _number(name, word)


def _integer(name: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise ValueError(f"frame text: {name}={text}: expected an integer")
    return int(text)


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"frame text: {name}={text}: expected a number") from None


def _positions(pairs: dict[str, str]) -> tuple[Floats, int]:
    positions = np.full((MAX_BALLS, 2), np.nan)
    in_hand = int(pairs.get("cue") == "hand")
    if in_hand:
        del pairs["cue"]
    for ball, word in enumerate(BALL_WORDS):
        if word not in pairs:
            continue
        x, comma, y = pairs[word].partition(",")
        if not comma:
            raise ValueError(f"frame text: {word}={pairs[word]}: expected x,y in metres")
        del pairs[word]
        positions[ball] = _number(word, x), _number(word, y)
        if not np.isfinite(positions[ball]).all():
            raise ValueError(f"frame text: {word}={x},{y}: expected finite metres")
    return positions, in_hand


def _state(
    ruleset: RuleSet, phase: str, scores: str, pairs: dict[str, str], positions: Floats, in_hand: int
) -> FrameState:
    if phase not in PHASE_NAMES:
        raise ValueError(f"frame text: phase {phase!r}: expected one of {', '.join(PHASE_NAMES)}")
    offered = pairs.pop("free_ball", None)
    if offered not in (None, "offered"):
        raise ValueError(f"frame text: free_ball={offered}: expected offered")
    return FrameState(
        phase=PHASE_NAMES.index(phase),
        on_table=mask_of(positions),
        nominated=kind_number(pairs.pop("nominated", None)),
        free_ball=int(offered is not None),
        striker=check_integer("striker", _integer("striker", pairs.pop("striker", "0")), 0),
        cue_in_hand=in_hand,
        options=_options(pairs.pop("options", "")),
        scores=_scores(ruleset, scores),
        **{
            name: check_integer(name, _integer(name, pairs.pop(name, str(usual))), min(usual, 0))
            for name, usual in COUNTERS.items()
        },
    )


def _scores(ruleset: RuleSet, word: str) -> tuple[int, ...]:
    points = tuple(check_integer("scores", _integer("scores", part), 0) for part in word.split(":"))
    if len(points) != ruleset.n_sides:
        raise ValueError(f"frame text: scores {word!r}: expected points of {ruleset.n_sides} sides, such as 0:0")
    return points + (0,) * (MAX_SIDES - len(points))


def _options(text: str) -> int:
    mask = 0
    for name in text.split(",") if text else ():
        if name not in OPTION_NAMES:
            raise ValueError(f"frame text: options: {name!r} is not known; expected one of {', '.join(OPTION_NAMES)}")
        mask |= 1 << OPTION_NAMES.index(name)
    return mask
