"""The one-line notation of a frame: words separated by single spaces, exact to the last bit.

    snooker/current red 22:17 striker=1 cue=0.99,2.06 yellow=1.181,0.737 … red1=0.61,2.905 red3=…

Game/edition, phase, scores; then settings name=value, those at their default left out; then the balls on the table,
metres, as the shortest decimals that read back to the same number. A cue ball in hand is cue=hand, or cue=anywhere. A
frame that can be restored follows at the end after the word before.

The rules of a match are written alike, game/edition and rule.field=value, and so are numbers and places elsewhere. The
clauses in which facts are told, first red 3; pot red 3, are here too; `rules.records.lines` makes whole lines of them.

Not part of it: the table, which `Frame.from_text` is given, and a description.
"""

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.checks import check_integer, check_places, check_state
from rules.files import COUNTERS, changed_rules, rule_changes
from rules.frame import Frame, mask_of, read_only, standard_table
from rules.ruleset import EDITION_NAMES, GAME_NAMES, KIND_NAMES, MAX_BALLS, RED, RuleSet, ball_names, kind_number
from rules.state import MAX_SIDES, OBSERVED_NAMES, OPTION_NAMES, PHASE_NAMES, PLACE_NAMES, Facts, Floats, FrameState

if TYPE_CHECKING:
    from simcore import Table

BEFORE = " before "
RULE = "rule."
BALL_WORDS = (*KIND_NAMES[:RED], *(f"red{i}" for i in range(1, MAX_BALLS - RED + 1)))
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
TEXT = "frame text"
NOTHING = "nothing"
PLACED, OBSERVED, PLAYED_BY, GAP = "placed", "observed", "played_by", "gap"
BALL_CLAUSES = {
    "first": "first_contacts",
    "pot": "potted",
    "off": "off_table",
    "touching": "touching",
    "touching_moved": "touching_moved",
    "touched": "touched",
    "moving": "moving",
    "unspotted": "unspotted",
    "misspotted": "misspotted",
    "jumped_before": "jumped_before",
    "jumped_after": "jumped_after",
    "fell": "fell",
}
SETTINGS = ("striker", "nominated", "free_ball", "options", *COUNTERS)


def print_frame(frame: Frame) -> str:
    """The frame in one line."""
    words = frame_words(frame)
    for word, (x, y) in zip(BALL_WORDS, frame.positions, strict=True):
        if not np.isnan(x):
            words.append(f"{word}={print_place(x, y)}")
    text = " ".join(words)
    return text + BEFORE + print_frame(frame.before) if frame.before else text


def frame_words(frame: Frame) -> list[str]:
    """All but the balls on the table, and the frame that can be restored."""
    head, *rules = _rule_words(frame.ruleset)
    words = [head, frame.phase, ":".join(str(points) for points in frame.scores), *rules]
    words += [f"{name}={value}" for name, value in _settings(frame).items()]
    return [*words, f"cue={PLACE_NAMES[frame.state.cue_in_hand]}"] if frame.cue_in_hand else words


def fact_clauses(facts: Facts) -> dict[str, str]:
    """What is told of a stroke, the names by the keyword of their clause, exact."""
    sets = {word: getattr(facts, field) for word, field in BALL_CLAUSES.items()}
    told = {word: ", ".join(ball_names(mask)) for word, mask in sets.items() if mask}
    if not math.isnan(facts.placed_x):
        told[PLACED] = print_place(facts.placed_x, facts.placed_y)
    if facts.observed:
        told[OBSERVED] = ", ".join(name for i, name in enumerate(OBSERVED_NAMES) if facts.observed >> i & 1)
    if facts.played_by >= 0:
        told[PLAYED_BY] = str(facts.played_by)
    if not math.isnan(facts.nearest_gap):
        told[GAP] = repr(float(facts.nearest_gap))
    return told


def print_place(x: float, y: float) -> str:
    """A place, m, exact."""
    return f"{float(x)!r},{float(y)!r}"


def print_rules(ruleset: RuleSet) -> str:
    """The rules in one line: game/edition, and what differs from them."""
    return " ".join(_rule_words(ruleset))


def _rule_words(ruleset: RuleSet) -> list[str]:
    head = f"{GAME_NAMES[ruleset.game]}/{EDITION_NAMES[ruleset.edition]}"
    return [head, *(f"{RULE}{field}={_rule_word(value)}" for field, value in rule_changes(ruleset).items())]


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
        raise ValueError(f"{TEXT}: 'before' is given twice")
    before = parse_frame(earlier, table) if separator else None
    words = this.split()
    if len(words) < 3:
        raise ValueError(f"{TEXT} {this!r:.60}: expected game/edition, phase, scores and the balls")
    pairs = _pairs(TEXT, words[3:])
    ruleset = _ruleset(TEXT, words[0], pairs)
    positions, in_hand = _positions(pairs)
    check_places(positions, table, ruleset)
    state = _state(ruleset, words[1], words[2], pairs, positions, in_hand)
    if pairs:
        name = next(iter(pairs))
        known = ", ".join((*SETTINGS, f"{RULE}…", *BALL_WORDS[:RED], "red1", "…"))
        raise ValueError(f"{TEXT}: {name!r} is not known; expected one of {known}")
    check_state(ruleset, state, positions, before)
    return Frame(ruleset, state, read_only(positions), table, before)


def parse_rules(text: str, what: str = "rules") -> RuleSet:
    """The rules written as game/edition and rule.field=value; ValueError names `what` and quotes what is wrong."""
    head, *words = text.split() or [""]
    pairs = _pairs(what, words)
    ruleset = _ruleset(what, head, pairs)
    if pairs:
        raise ValueError(f"{what}: {words[-1]!r}: expected {RULE}field=value, such as {RULE}n_players=4")
    return ruleset


def _pairs(what: str, words: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{what}: {word!r}: expected name=value")
        if name in pairs:
            raise ValueError(f"{what}: {name!r} is given twice")
        pairs[name] = value
    return pairs


def _ruleset(what: str, word: str, pairs: dict[str, str]) -> RuleSet:
    """The rules that the first word and some of the pairs tell; these are taken out."""
    game, slash, edition = word.partition("/")
    if not slash:
        raise ValueError(f"{what}: {word!r:.60}: expected game/edition, such as snooker/current")
    changes: dict[str, Any] = {}
    for name in [name for name in pairs if name.startswith(RULE)]:
        changes[name.removeprefix(RULE)] = _rule_value(f"{what}: {name}", pairs.pop(name))
    return changed_rules(game, edition, changes)


def _rule_value(what: str, word: str) -> Any:
    if "," in word:
        return tuple(_integer(what, part) for part in word.split(","))
    return _integer(what, word) if word.removeprefix("-").isdecimal() else parse_number(word, what)


def parse_place(text: str, what: str) -> tuple[float, float]:
    """The place written as x,y in metres; ValueError names `what`."""
    x, comma, y = text.partition(",")
    if not comma:
        raise ValueError(f"{what} {text!r}: expected x,y in metres")
    return parse_number(x, what), parse_number(y, what)


def parse_number(text: str, what: str) -> float:
    """The finite number written in decimals; ValueError names `what`."""
    value = float(text) if NUMBER.fullmatch(text.strip()) else math.nan
    if not math.isfinite(value):
        raise ValueError(f"{what} {text.strip()!r}: expected a finite number")
    return value


MAX_DIGITS = 10  # of an integer: as many as points of earlier frames may have


def _integer(what: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
        raise ValueError(f"{what} {text!r}: expected an integer")
    return int(text)


def _positions(pairs: dict[str, str]) -> tuple[Floats, int]:
    positions = np.full((MAX_BALLS, 2), np.nan)
    told = pairs.get("cue")
    in_hand = PLACE_NAMES.index(told) if told in PLACE_NAMES[1:] else 0
    if in_hand:
        del pairs["cue"]
    for ball, word in enumerate(BALL_WORDS):
        if word in pairs:
            positions[ball] = parse_place(pairs.pop(word), f"{TEXT}: {word}")
    return positions, in_hand


def _state(
    ruleset: RuleSet, phase: str, scores: str, pairs: dict[str, str], positions: Floats, in_hand: int
) -> FrameState:
    if phase not in PHASE_NAMES:
        raise ValueError(f"{TEXT}: phase {phase!r}: expected one of {', '.join(PHASE_NAMES)}")
    offered = pairs.pop("free_ball", None)
    if offered not in (None, "offered"):
        raise ValueError(f"{TEXT}: free_ball={offered}: expected offered")
    return FrameState(
        phase=PHASE_NAMES.index(phase),
        on_table=mask_of(positions),
        nominated=kind_number(pairs.pop("nominated", None)),
        free_ball=int(offered is not None),
        striker=check_integer("striker", _integer(f"{TEXT}: striker", pairs.pop("striker", "0")), 0),
        cue_in_hand=in_hand,
        options=_options(pairs.pop("options", "")),
        scores=_scores(ruleset, scores),
        **{
            name: check_integer(name, _integer(f"{TEXT}: {name}", pairs.pop(name, str(usual))), min(usual, 0))
            for name, usual in COUNTERS.items()
        },
    )


def _scores(ruleset: RuleSet, word: str) -> tuple[int, ...]:
    points = tuple(check_integer("scores", _integer(f"{TEXT}: scores", part), 0) for part in word.split(":"))
    if len(points) != ruleset.n_sides:
        raise ValueError(f"{TEXT}: scores {word!r}: expected points of {ruleset.n_sides} sides, such as 0:0")
    return points + (0,) * (MAX_SIDES - len(points))


def _options(text: str) -> int:
    mask = 0
    for name in text.split(",") if text else ():
        if name not in OPTION_NAMES:
            raise ValueError(f"{TEXT}: options: {name!r} is not known; expected one of {', '.join(OPTION_NAMES)}")
        mask |= 1 << OPTION_NAMES.index(name)
    return mask
