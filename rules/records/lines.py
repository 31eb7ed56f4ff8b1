"""What happened at the table in one line of words, and back: the facts of a stroke, or a decision.

    first red 3; pot red 3; nominated black; placed 0.9,0.6; observed push; intended safety
    decide play_again

Clauses are separated by semicolons, each a keyword and its names, separated by commas; no clause is given twice. Balls
are cue, a colour, red 3, or red for the first red that the clause has not named yet. A stroke of which there is nothing
to tell (no ball was met) is the word nothing. Lines are written in one form only, numbers as the shortest decimals that
read back to the same number, so that reading and writing are inverse.

Not part of it: the shot of the cue, where the balls came to rest, and the ruling; `rules.records.text` has them.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from rules.notation import (
    BALL_CLAUSES,
    GAP,
    NOTHING,
    OBSERVED,
    PLACED,
    PLAYED_BY,
    fact_clauses,
    parse_number,
    parse_place,
)
from rules.ruleset import kind_number
from rules.state import AT_ANY_TIME, OPTION_NAMES, Facts
from rules.steps import SAFETY, DecisionLine, ForfeitLine, Line, StrokeLine, check_intended
from rules.stroke_facts import facts

if TYPE_CHECKING:
    from rules.frame import Frame

NOMINATED, INTENDED = "nominated", "intended"
CLAUSES = (*BALL_CLAUSES, NOMINATED, PLACED, OBSERVED, PLAYED_BY, GAP, INTENDED)
DECIDE, FORFEIT, FORFEIT_MATCH = "decide", "forfeit", "forfeit_match"


def print_line(line: Line) -> str:
    """The line in words; `parse_line` reads it back."""
    if isinstance(line, DecisionLine):
        return line.option if line.option in AT_ANY_TIME else f"{DECIDE} {line.option}"
    if isinstance(line, ForfeitLine):
        return f"{FORFEIT_MATCH if line.of_match else FORFEIT} {line.player}"
    return _stroke_words(*line)


def _stroke_words(facts: Facts, nominated: str | None, intended: str) -> str:
    told = fact_clauses(facts)
    told |= {NOMINATED: nominated} if nominated is not None else {}
    told |= {INTENDED: intended} if intended else {}
    return "; ".join(f"{word} {told[word]}" for word in CLAUSES if word in told) or NOTHING


def parse_line(frame: "Frame", text: str) -> Line:
    """What a line says of the next stroke or decision of `frame`; ValueError quotes what is wrong in it.

    Whether it can have happened is not asked here: the referee and `rules.decide` do.
    """
    if not isinstance(text, str):
        raise TypeError(f"text = {text!r:.80}: expected str, a line such as 'first red; pot red'")
    word, _, rest = text.strip().partition(" ")
    if word in AT_ANY_TIME and not rest:
        return DecisionLine(word)
    if word == DECIDE:
        return DecisionLine(_option(rest.strip()))
    if word in (FORFEIT, FORFEIT_MATCH):
        return ForfeitLine(_player(word, rest.strip()), word == FORFEIT_MATCH)
    return _stroke(frame, text.strip())


def _option(name: str) -> str:
    known = (*OPTION_NAMES, *AT_ANY_TIME)
    if name not in known:
        raise ValueError(f"{DECIDE} {name!r}: expected one of {', '.join(known)}")
    return name


def _player(word: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) == 1):
        raise ValueError(f"{word} {text!r}: expected the number of a player, such as {word} 0")
    return int(text)


def _stroke(frame: "Frame", text: str) -> StrokeLine:
    clauses = _clauses(text)
    nominated = clauses.pop(NOMINATED, None)
    kind_number(nominated)
    intended = " ".join(clauses.pop(INTENDED, "").split())
    check_intended(intended)
    placed = clauses.pop(PLACED, None)
    place = None if placed is None else parse_place(placed, PLACED)
    observed = _names(OBSERVED, clauses.pop(OBSERVED)) if OBSERVED in clauses else ()
    played_by = _player(PLAYED_BY, clauses.pop(PLAYED_BY)) if PLAYED_BY in clauses else -1
    gap = parse_number(clauses.pop(GAP), GAP) if GAP in clauses else math.nan
    sets = {BALL_CLAUSES[word]: _names(word, names) for word, names in clauses.items()}
    first = sets.pop(BALL_CLAUSES["first"], ())
    try:
        told = facts(frame, first=first, observed=observed, placed=place, played_by=played_by, nearest_gap=gap, **sets)
    except ValueError as error:
        raise ValueError(_with_keyword(str(error))) from None
    return StrokeLine(told, nominated, intended)


def _with_keyword(message: str) -> str:
    """The message with the keyword that was written instead of the name of the field."""
    field, colon, rest = message.partition(":")
    words = {field: word for word, field in BALL_CLAUSES.items()}
    return f"{words.get(field, field)}{colon}{rest}"


def _clauses(text: str) -> dict[str, str]:
    """Keyword and names of each clause."""
    found: dict[str, str] = {}
    if text == NOTHING:
        return found
    for clause in text.split(";"):
        word, _, names = clause.strip().partition(" ")
        if word not in CLAUSES:
            expected = ", ".join((*CLAUSES, NOTHING, DECIDE, *AT_ANY_TIME, FORFEIT, FORFEIT_MATCH))
            raise ValueError(f"{clause.strip()!r}: {word!r} is not known; expected one of {expected}")
        if word in found:
            raise ValueError(f"{word!r} is given twice")
        if not names.strip():
            raise ValueError(f"{word!r} stands alone: {EXPECTED.get(word, _expected_balls)(word)}")
        found[word] = names.strip()
    return found


def _expected_balls(word: str) -> str:
    return f"expected balls, such as {word} red 3, black"


EXPECTED: dict[str, Callable[[str], str]] = {
    NOMINATED: lambda word: f"expected a ball, such as {word} black",
    PLACED: lambda word: f"expected x,y in metres, such as {word} 0.9,0.6",
    OBSERVED: lambda word: f"expected what was seen, such as {word} push",
    PLAYED_BY: lambda word: f"expected the number of a player, such as {word} 1",
    INTENDED: lambda word: f"expected what was meant, such as {word} {SAFETY} or {word} black",
    GAP: lambda word: f"expected a number of metres, such as {word} 0.02",
}


def _names(word: str, text: str) -> tuple[str, ...]:
    names = tuple(" ".join(name.split()) for name in text.split(","))
    if "" in names:
        raise ValueError(f"{word} {text!r}: a name is missing beside a comma")
    return names
