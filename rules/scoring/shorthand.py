"""Short forms of what a scorer types, each written out in the words of `rules.records.lines`.

    r                first red; pot red                    balls potted, the first of them the one hit first
    r r w            first red; pot red, red, cue          w is the cue ball
    bk               first black; pot black; nominated black     with a colour on, the one hit is the one nominated
    -                first red                             the ball on hit, nothing potted; which colour, as in - bk
    in               first red; pot cue                    in-off the ball on, or off another: in bk
    foul             nothing                               no ball hit
    foul bl on p     first blue; nominated pink            a wrong ball hit first; on: the ball nominated
    touch bl         touched blue; observed no_stroke      a ball touched, and no stroke made
    free gr          decide free_ball, then first green; pot green; nominated green

Balls are r, y, gr, br, bl, p, bk, w, or their names. After the balls may stand what was seen (miss, full, snookered,
behind, push …, any name of OBSERVED_NAMES) and what was meant (safe, or try with a ball); and after a semicolon any
clauses of `rules.records.lines`. Decisions are play, free, again, back, hand, keep, replace, concede, claim and rerack;
a lot is told by the name of the player who plays first, a frame or the match awarded against a player by forfeit or
forfeit_match and name.

A stroke told while a decision is open says which it was: play, or with free the free ball (free gr; play r). Lines of
full words pass.

Not part of it: what contradicts the frame; `rules.records.lines`, `rules.decide` and the referee refuse that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.frame import Frame
from rules.notation import NOTHING, OBSERVED, PLAYED_BY
from rules.records.lines import (
    CLAUSES,
    DECIDE,
    FORFEIT,
    FORFEIT_MATCH,
    INTENDED,
    NOMINATED,
    print_line,
)
from rules.ruleset import KIND_NAMES, RED
from rules.state import AT_ANY_TIME, CHOICE_NAMES, LOT_NAMES, OBSERVED_NAMES, RE_RACK
from rules.steps import SAFETY, DecisionLine

BALLS = {
    **{name: name for name in KIND_NAMES},
    **dict(zip(("w", "y", "gr", "br", "bl", "p", "bk", "r"), KIND_NAMES, strict=True)),
}
DECISIONS = {  # the short forms come last
    **{name: name for name in (*CHOICE_NAMES, *AT_ANY_TIME)},
    "free": "free_ball",
    "again": "play_again",
    "back": "restore",
    "hand": "in_hand",
    "keep": "keep_ball_on",
    "replace": "replace_balls",
    "rerack": RE_RACK,
}
SEEN = {
    **{name: name for name in OBSERVED_NAMES},
    "miss": "miss_judged",
    "full": "full_ball_on",
    "snookered": "next_snookered",
    "behind": "behind_free_ball",
    "twice": "double_hit",
    "feet": "feet_off_floor",
}
NO_POT, IN_OFF, FOUL, TOUCH, FREE, PLAY = "-", "in", "foul", "touch", "free", "play"
ON, SAFE, TRY = "on", "safe", "try"
NO_FOUL = "no foul is to be answered"
WHY_NOT = {  # of decisions that are not open
    "free_ball": "the next player was not said to be snookered (snookered)",
    "restore": "no miss was called (miss, full), nor a ball touched by a player said to be hampered (hampered)",
    "keep_ball_on": "no ball was touched by a player at a colour or a free ball, said to be hampered (hampered)",
    "replace_balls": "no ball was touched by a player at a colour or a free ball, said to be hampered (hampered)",
    "in_hand": "the cue ball was not said to be angled (angled)",
    "anywhere": "the rules give the whole table after no foul, not after this one, or snookers are required",
    "concede": "nobody is at the table before the lot is drawn",
    "claim": "only the black must be left, and the striker far enough ahead",
}
VERBS = (NO_POT, IN_OFF, FOUL, TOUCH)
WHOLE = (*CLAUSES, NOTHING)  # words that full lines of strokes begin with


@dataclass
class _Typed:
    """The words of a short form, sorted by what they are."""

    verb: str = ""  # one of VERBS, "" = balls potted
    free: bool = False
    balls: list[str] = field(default_factory=list)
    on: str = ""  # the ball nominated, "" = not told
    seen: list[str] = field(default_factory=list)
    meant: str = ""


def write_out(frame: Frame, text: str, players: Sequence[str] = ()) -> tuple[str, ...]:
    """The lines of `rules.records.lines` that a typed line stands for: one, or a decision and the stroke that tells it.

    frame: what the line is about. text: in short forms or full words. players: their names by number.
    Raises ValueError that quotes what is not understood, or says what must be told.
    """
    text = " ".join(text.split())
    decision = _decision(frame, text, players)
    if decision:
        return (decision,)
    head, semicolon, clauses = text.partition(";")
    words = head.lower().split()
    free = words[:1] == [FREE]
    if words[:1] == [PLAY] and frame.options:
        head, words = head.partition(" ")[2], words[1:]
    elif frame.options and not free:
        _check_play_is_meant(frame, words)
    if words and words[0] in WHOLE:
        stroke = head + semicolon + clauses
    else:
        stroke = _stroke(frame, _parsed(words)) + (f"; {clauses.strip()}" if semicolon else "")
        stroke = stroke.removeprefix(f"{NOTHING}; ")
    stroke = "; ".join(_with_number(clause.strip(), players) for clause in stroke.split(";"))
    return (*_decided_by(frame, free), stroke)


def _decision(frame: Frame, text: str, players: Sequence[str]) -> str:
    """The decision in full words, "" if the line tells a stroke."""
    if text.lower() in DECISIONS:
        _check_offered(frame, text.lower())
        return print_line(DecisionLine(DECISIONS[text.lower()]))
    word, _, rest = text.partition(" ")
    if word.lower() in (FORFEIT, FORFEIT_MATCH):
        return _with_number(f"{word.lower()} {rest}", players)
    number = _number_of(text, players) if set(LOT_NAMES) & set(frame.options) else None
    if number is not None:
        return f"{DECIDE} {LOT_NAMES[number]}"
    return text if word == DECIDE else ""


def _with_number(clause: str, players: Sequence[str]) -> str:
    """The words with the number of a player instead of his name, where a player is told; a stranger is refused."""
    word, _, rest = clause.partition(" ")
    if word not in (FORFEIT, FORFEIT_MATCH, PLAYED_BY):
        return clause
    name = rest.strip()
    number = _number_of(name, players)
    if number is None and not name.isdecimal():
        told = f" {name!r}" if name else ""
        raise ValueError(f"{word}{told}: expected the NAME of a player, {' or '.join(players) or 'such as A'}")
    return clause if number is None else f"{word} {number}"


def _number_of(name: str, players: Sequence[str]) -> int | None:
    """The number of the player of that name, of any case if only one is meant; None if it is nobody's."""
    if name in players:
        return players.index(name)
    numbers = [number for number, player in enumerate(players) if player.lower() == name.lower()]
    if len(numbers) > 1:
        meant = " or ".join(players[number] for number in numbers)
        raise ValueError(f"{name!r} may be {meant}: type the name as it is written")
    return numbers[0] if numbers else None


def _check_offered(frame: Frame, word: str) -> None:
    """Refuse a decision that is not open, with the words that are typed and the reason."""
    name = DECISIONS[word]
    if name in frame.decisions:
        return
    is_answer = name in CHOICE_NAMES
    why = NO_FOUL if is_answer and not frame.options else WHY_NOT.get(name, NO_FOUL)
    typed = {name: word for word, name in DECISIONS.items()}
    offered = ", ".join(typed[name] for name in frame.decisions if name in typed)
    raise ValueError(f"{word} is not offered: {why}; offered: {offered or 'nothing'}")


def _decided_by(frame: Frame, free: bool) -> tuple[str, ...]:
    """The decision that a stroke tells by being played."""
    name = "free_ball" if free else "play"
    if free and frame.options and name not in frame.options:
        raise ValueError(f"{FREE}: no free ball was offered")
    if frame.options and name not in frame.options:
        raise ValueError(f"a decision comes first, one of {', '.join(frame.options)}")
    return (f"{DECIDE} {name}",) if frame.options else ()


def _check_play_is_meant(frame: Frame, words: list[str]) -> None:
    """Refuse a stroke that may have been meant as another decision than play."""
    if words == ["p"] and PLAY in frame.options:
        raise ValueError(f"p is the pink: {PLAY} is typed in full; {PLAY} p if the pink was potted")
    balls = words[1:] if words[:1] in ([NO_POT], [IN_OFF]) else words
    ball = BALLS.get("".join(balls[:1]), frame.ball_on)
    if "free_ball" in frame.options and ball != frame.ball_on:
        told = " ".join(words)
        raise ValueError(f"the {ball} is not on: say '{FREE} {told}' for the free ball, or '{PLAY} {told}'")


def told_as_foul(text: str) -> bool:
    """Whether a short form says by its own verb that the stroke was a foul."""
    return bool({FOUL, TOUCH} & set(_words_of_stroke(text)[:1]))


def told_as_fair(text: str) -> bool:
    """Whether a short form tells of a stroke as of one that was fair: a ball potted or hit."""
    first = _words_of_stroke(text)[:1]
    return bool(first) and (first[0] in BALLS or first[0] == NO_POT)


def _words_of_stroke(text: str) -> list[str]:
    words = text.partition(";")[0].lower().split()
    return words[1:] if words[:1] in ([FREE], [PLAY]) else words


def _parsed(words: list[str]) -> _Typed:
    typed = _Typed()
    if words[:1] == [FREE]:
        typed.free, words = True, words[1:]
    if words and words[0] in VERBS:
        typed.verb, words = words[0], words[1:]
    rest = iter(words)
    for word in rest:
        if word in BALLS:
            typed.balls.append(BALLS[word])
        elif word == ON:
            _check_once(typed.on, "the ball nominated")
            typed.on = _ball_after(word, next(rest, ""))
        elif word in (TRY, SAFE):
            _check_once(typed.meant, f"what was meant ({SAFE}, {TRY})")
            typed.meant = SAFETY if word == SAFE else _ball_after(word, next(rest, ""))
        elif word in SEEN:
            typed.seen.append(SEEN[word])
        else:
            raise ValueError(_not_known(word))
    return typed


def _check_once(told: str, what: str) -> None:
    if told:
        raise ValueError(f"{what} is told twice")


def _not_known(word: str) -> str:
    if word.isdecimal():
        return f"{word!r}: tell what happened, not the points, such as 'foul bl' when the blue was hit first; see help"
    return f"{word!r} is not known; expected a ball (r y gr br bl p bk w), {', '.join(VERBS)} or {FREE}; see help"


def _ball_after(word: str, ball: str) -> str:
    if ball not in BALLS:
        raise ValueError(f"{word!r}: expected a ball after it, such as '{word} bk'")
    return BALLS[ball]


def _stroke(frame: Frame, typed: _Typed) -> str:
    if not (typed.verb or typed.balls):
        raise ValueError("no ball is told: expected balls that were potted, '-' or 'foul'; see help")
    first = _hit_first(frame, typed)
    is_in_off = typed.verb == IN_OFF or (typed.verb == FOUL and typed.balls == ["cue"])
    potted = typed.balls if not typed.verb else ["cue"] if is_in_off else []
    touched = typed.balls if typed.verb == TOUCH else []
    seen = [*typed.seen, *(["no_stroke"] if typed.verb == TOUCH else [])]
    clauses = [
        ("first", first),
        ("pot", ", ".join(potted)),
        ("touched", ", ".join(touched)),
        (NOMINATED, _nominated(frame, typed, first)),
        (OBSERVED, ", ".join(seen)),
        (INTENDED, typed.meant),
    ]
    return "; ".join(f"{word} {names}" for word, names in clauses if names) or NOTHING


def _hit_first(frame: Frame, typed: _Typed) -> str:
    """The ball hit first, "" = none."""
    if typed.verb == TOUCH:
        if not typed.balls:
            raise ValueError(f"{TOUCH}: expected the ball that was touched, such as '{TOUCH} bl'")
        return ""
    if typed.verb and len(typed.balls) > 1:
        raise ValueError(f"{typed.verb}: expected one ball, the one hit first; tell more in full words, see help")
    if typed.verb == FOUL and typed.balls == ["cue"]:
        return ""  # in-off, and no ball hit
    if typed.balls and typed.balls[0] == "cue":
        raise ValueError("w comes after the ball that was hit first, such as 'r w'; see help")
    if typed.balls or typed.verb == FOUL:
        return "".join(typed.balls[:1])
    if typed.on:
        return typed.on
    if typed.free or frame.ball_on == "colour":
        example = f"{typed.meant} {TRY} {typed.meant}" if typed.meant in BALLS else "bk"
        raise ValueError(f"{typed.verb}: tell which ball was hit, such as '{typed.verb} {example}'")
    return frame.ball_on


def _nominated(frame: Frame, typed: _Typed, first: str) -> str:
    """The ball nominated, "" where none need be."""
    if typed.on:
        return typed.on
    free = typed.free or (frame.state.free_ball and not frame.options)
    if typed.verb == TOUCH or not (free or frame.phase == "colour"):
        return ""
    if not typed.free and first == frame.ball_on:
        return ""  # a free ball that he does not name is declined
    if typed.free and not typed.verb and first == KIND_NAMES[RED]:
        raise ValueError("a red is no free ball: expected a colour, such as 'free gr'")
    if first == KIND_NAMES[RED] and not (free or typed.verb):
        raise ValueError(
            f"a colour is on, not a red: tell the colour, such as 'bk', or that nominated, as in 'r {ON} bk'"
        )
    if typed.verb == FOUL or first in ("", KIND_NAMES[RED]):
        raise ValueError(f"tell which ball was nominated after '{ON}', such as '{ON} bk'")
    return first
