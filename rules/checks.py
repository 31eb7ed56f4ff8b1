"""The doors of the rules layer: what contradicts what, said with names and values.

Each check raises ValueError; none changes anything.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rules.ball_on import balls_on, colours_of
from rules.bed import NOSE_HEIGHT, may_be_placed
from rules.contradictions import contradiction, sentence
from rules.outcome import had_choice, stroke_case
from rules.ruleset import (
    BLACK,
    KIND_NAMES,
    MAX_BALLS,
    MAX_SCORE,
    NEVER,
    RED,
    SCORE_MARGIN,
    RuleSet,
    ball_name,
    ball_names,
    kind_name,
    kind_number,
)
from rules.sides import leading_sides, lot_options, side_of
from rules.state import (
    ANYWHERE,
    BALL_SETS,
    FREE_BALL,
    IN_HAND,
    KEEP_BALL_ON,
    OBSERVED_NAMES,
    ON_THE_TABLE,
    PHASE_CLEARANCE,
    PHASE_COLOUR,
    PHASE_NAMES,
    PHASE_OVER,
    PHASE_RED,
    PHASE_RESPOTTED,
    PLAY_AGAIN,
    PLAYER_0_FIRST,
    REPLACE_BALLS,
    RESTORE,
    Facts,
    Floats,
    FrameState,
    is_at_most_one,
)

if TYPE_CHECKING:
    from rules.frame import Frame
    from rules.strokes import Strokes
    from simcore import Table

LABELS = tuple(ball_name(ball) for ball in range(MAX_BALLS))


def check_integer(name: str, value: object, low: int, high: int | None = None) -> int:
    """The value as an int within [low, high]; True and 1.0 are not integers here."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} = {value!r:.80}: expected an integer")
    if value < low or (high is not None and value > high):
        span = f"{low} or more" if high is None else f"{low} to {high}"
        raise ValueError(f"{name} = {value}: expected {span}")
    return int(value)


def check_player(name: str, value: object, n_players: int) -> int:
    """The value as a player's place in the order."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < n_players:
        raise ValueError(f"{name} = {value!r:.80}: expected a player, 0 to {n_players - 1}")
    return int(value)


def check_places(positions: Floats, table: "Table", ruleset: RuleSet) -> None:
    """Refuse balls off the bed or overlapping, naming them; positions (n, 2), m, nan = absent."""
    from simcore.positions import check_positions

    check_positions(positions, table, ruleset.ball_radius, NOSE_HEIGHT, labels=LABELS)


def check_state(ruleset: RuleSet, state: FrameState, positions: Floats, before: "Frame | None") -> None:
    """Refuse a state that contradicts itself, the balls on the table or the frame that can be restored."""
    if state.cue_in_hand and not np.isnan(positions[0, 0]):
        raise ValueError("the cue ball is in hand (cue_in_hand) and also has a position: expected one of them")
    if state.cue_in_hand == ON_THE_TABLE and ruleset.free_table == NEVER:
        raise ValueError("the cue ball is in hand anywhere, but the rules do not have it (free_table)")
    if not state.cue_in_hand and np.isnan(positions[0, 0]) and state.phase != PHASE_OVER:
        raise ValueError("the cue ball has no position and is not in hand (cue_in_hand is false)")
    _check_phase(ruleset, state)
    _check_players(ruleset, state)
    _check_counts(ruleset, state)
    if state.free_ball:
        _check_free_ball(ruleset, state)
    _check_options(ruleset, state, before)
    problem = nomination_problem(ruleset, state, state.nominated)
    if problem:
        raise ValueError(problem)


def _check_phase(ruleset: RuleSet, state: FrameState) -> None:
    reds = int(state.on_table & ruleset.kind_masks[RED]).bit_count()
    colours = [kind for kind in range(1, RED) if state.on_table >> kind & 1]
    if state.phase in (PHASE_RED, PHASE_COLOUR):
        _check_with_reds(PHASE_NAMES[state.phase], reds, colours)
    elif state.phase in (PHASE_CLEARANCE, PHASE_RESPOTTED):
        _check_without_reds(PHASE_NAMES[state.phase], reds, colours)
    if state.phase == PHASE_RESPOTTED:
        if colours != [BLACK]:
            raise ValueError("phase 'respotted': expected the black alone on the table")
        if is_at_most_one(leading_sides(ruleset, state.scores, True, state.conceded)):
            scores = "-".join(str(points) for points in state.scores[: ruleset.n_sides])
            left = f" among those not in conceded = {state.conceded}" if state.conceded else ""
            raise ValueError(f"phase 'respotted' but the scores {scores} are not level{left}")


def _check_players(ruleset: RuleSet, state: FrameState) -> None:
    for name, least in (("striker", 0), ("first_striker", 0), ("turn", -1), ("offender", -1)):
        if not least <= getattr(state, name) < ruleset.n_players:
            raise ValueError(f"{name} = {getattr(state, name)}: expected a player, {least} to {ruleset.n_players - 1}")
    if not -1 <= state.winner < ruleset.n_sides:
        raise ValueError(f"winner = {state.winner}: expected a side, 0 to {ruleset.n_sides - 1}, or -1")
    if max(state.scores) > MAX_SCORE:
        raise ValueError(f"scores = {list(state.scores[: ruleset.n_sides])}: expected at most {MAX_SCORE} points each")
    given = zip(state.scores, ruleset.handicap, strict=True)
    if state.phase != PHASE_OVER and any(points < before for points, before in given):
        begun = list(ruleset.handicap[: ruleset.n_sides])
        raise ValueError(f"scores = {list(state.scores[: ruleset.n_sides])}: expected at least the handicap, {begun}")
    if any(state.scores[ruleset.n_sides :]):
        raise ValueError(f"scores = {list(state.scores)}: expected {ruleset.n_sides} sides")


def _check_with_reds(phase: str, reds: int, colours: list[int]) -> None:
    missing = [KIND_NAMES[kind] for kind in range(1, RED) if kind not in colours]
    if missing:
        raise ValueError(f"phase {phase!r} but {missing[0]} is not on the table: in it every colour is put back")
    if phase == "red" and reds == 0:
        raise ValueError("phase 'red' but no red is on the table: expected phase 'clearance'")


def _check_without_reds(phase: str, reds: int, colours: list[int]) -> None:
    if reds:
        raise ValueError(f"phase {phase!r} but {reds} reds are on the table")
    if not colours or colours != list(range(RED - len(colours), RED)):
        names = ", ".join(KIND_NAMES[kind] for kind in colours) or "no colour"
        raise ValueError(f"phase {phase!r} with {names} on the table: colours are cleared in order, yellow first")


def _check_counts(ruleset: RuleSet, state: FrameState) -> None:
    if state.winner != -1 and state.phase != PHASE_OVER:
        raise ValueError(f"winner = {state.winner} in phase {PHASE_NAMES[state.phase]!r}: the frame is not over")
    if not 0 <= state.conceded < 1 << ruleset.n_sides or (state.conceded and state.phase != PHASE_RESPOTTED):
        sides = f"a set of {ruleset.n_sides} sides, in phase 'respotted' only"
        raise ValueError(f"conceded = {state.conceded} in phase {PHASE_NAMES[state.phase]!r}: expected {sides}")
    if state.conceded >> side_of(ruleset, state.striker) & 1 and not state.options:
        raise ValueError(f"conceded = {state.conceded}: the side of the striker, {state.striker}, has conceded")
    if state.full_ball not in (0, 1) or (state.full_ball and not state.misses):
        raise ValueError(f"full_ball = {state.full_ball} with misses = {state.misses}: expected 0, or 1 after a miss")
    if state.nominee_back not in (0, 1):
        raise ValueError(f"nominee_back = {state.nominee_back}: expected 0 or 1")
    if state.colour_points not in (0, *(ruleset.values[kind] for kind in range(1, RED))):
        raise ValueError(f"colour_points = {state.colour_points}: expected 0 or the value of a colour")
    own = state.scores[side_of(ruleset, state.striker)]
    if state.colour_points > own:
        raise ValueError(f"colour_points = {state.colour_points}: expected at most the striker's {own} points")


def _check_options(ruleset: RuleSet, state: FrameState, before: "Frame | None") -> None:
    if state.options & PLAY_AGAIN and state.offender < 0:
        raise ValueError(f"option 'play_again' is open but offender = {state.offender}: expected a player")
    if state.options & PLAY_AGAIN and state.offender == state.striker:
        raise ValueError(f"offender = {state.offender} is the striker: he does not decide after his own foul")
    if state.options and state.phase == PHASE_OVER:
        raise ValueError("options are open, yet the frame is over")
    if state.options & IN_HAND and not ruleset.angled_in_hand:
        raise ValueError("option 'in_hand' is open, but the rules do not have it (angled_in_hand)")
    if state.options & ANYWHERE and ruleset.free_table == NEVER:
        raise ValueError("option 'anywhere' is open, but the rules do not have it (free_table)")
    if before is not None and (before.ruleset != ruleset or before.state.options):
        raise ValueError("the frame before has other rules or an option open: expected that of the same frame")
    if bool(state.options & RESTORE) != (before is not None):
        raise ValueError("option 'restore' and a frame before to restore: expected both or neither")
    could_keep = before is not None and had_choice(before.state) and ruleset.hampered_restores
    if state.options & (KEEP_BALL_ON | REPLACE_BALLS) and not could_keep:
        expected = "a colour or a free ball on before the foul, and the rule hampered_restores"
        raise ValueError(f"option 'keep_ball_on' or 'replace_balls' is open: expected {expected}")
    if state.options & FREE_BALL and not state.free_ball:
        raise ValueError("option 'free_ball' is open but no free ball is offered")
    lot = state.options & -PLAYER_0_FIRST
    if lot and state.phase != PHASE_RESPOTTED:
        raise ValueError(f"a lot is open in phase {PHASE_NAMES[state.phase]!r}: only the re-spotted black has one")
    if lot & ~lot_options(ruleset, leading_sides(ruleset, state.scores, True, state.conceded)):
        raise ValueError("a lot is open to a player who is not there or not level")


def _check_free_ball(ruleset: RuleSet, state: FrameState) -> None:
    if state.phase not in (PHASE_RED, PHASE_CLEARANCE):
        phase = PHASE_NAMES[state.phase]
        raise ValueError(f"a free ball is offered in phase {phase!r}: expected phase 'red' or 'clearance'")
    if state.phase == PHASE_CLEARANCE and int(colours_of(ruleset, state.on_table)).bit_count() == 1:
        raise ValueError("a free ball is offered with only the black left")


def nomination_problem(ruleset: RuleSet, state: FrameState, kind: int) -> str:
    """What is wrong with declaring `kind` in `state`, "" if nothing is."""
    if kind == 0 or state.phase == PHASE_OVER:
        return ""
    if not 1 <= kind < len(KIND_NAMES):
        return f"nominated = {kind}: expected the kind of an object ball, 1 to {len(KIND_NAMES) - 1}, or none"
    name = kind_name(kind)
    on = balls_on(ruleset, state, kind)
    if state.phase == PHASE_COLOUR and kind == RED:
        return "nominated = 'red' when a colour is on: expected a colour"
    if not state.on_table & ruleset.kind_masks[kind]:
        return f"nominated = {name!r}, which is not on the table"
    if state.phase == PHASE_COLOUR or on & ruleset.kind_masks[kind] or state.free_ball:
        return ""
    word = ball_names(on)[0].split()[0]
    return (
        f"nominated = {name!r} in phase {PHASE_NAMES[state.phase]!r}: the ball on is {word} and there is no free ball"
    )


def nominated_kind(frame: "Frame", nominated: str | int | None) -> int:
    """Kind of the nomination declared with a stroke, 0 for None; refused when out of place."""
    if isinstance(nominated, bool):
        raise ValueError(f"nominated = {nominated}: expected a ball's name or None")
    kind = nominated if isinstance(nominated, int | np.integer) else kind_number(nominated)
    problem = nomination_problem(frame.ruleset, frame.state, int(kind))
    if problem:
        raise ValueError(problem)
    return int(kind)


def check_ready(frame: "Frame") -> None:
    """Refuse a stroke in a frame that is over or waits for a decision, or with scores beyond all play."""
    if frame.is_over:
        raise ValueError("the frame is over: no stroke can be played")
    if max(frame.scores) > MAX_SCORE - SCORE_MARGIN:
        raise ValueError(f"scores = {list(frame.scores)}: expected at most {MAX_SCORE - SCORE_MARGIN} to play on")
    if frame.options:
        options = ", ".join(frame.options)
        raise ValueError(f"player {frame.striker} has a decision pending, one of {options}: take it with rules.decide")


def check_places_known(ruleset: RuleSet) -> None:
    """Refuse what needs to know where the balls lie in a match scored by hand."""
    if ruleset.positions_known == 0:
        raise ValueError("positions_known = 0 in the rules of the frame: where its balls lie is not known")


def check_strokes(frame: "Frame", strokes: "Strokes") -> None:
    """Refuse strokes that cannot be played in the frame, with the index of the first that is wrong.

    Nomination out of place; cue ball placed outside the D, on another ball, when it is not in hand, or not when it is.
    """
    check_ready(frame)
    check_places_known(frame.ruleset)
    if strokes.nominated.size == 0:
        raise ValueError("strokes: expected at least one")
    for kind in np.unique(strokes.nominated):
        problem = nomination_problem(frame.ruleset, frame.state, int(kind))
        _refuse_strokes(strokes.nominated == kind if problem else False, problem)
    places = strokes.cue_ball
    given = ~np.isnan(places[..., 0])
    if frame.cue_in_hand:
        where = "anywhere" if frame.state.cue_in_hand == ON_THE_TABLE else "in the D"
        _refuse_strokes(~given, f"the cue ball is in hand: expected cue_ball = (x, y) {where}")
    else:
        _refuse_strokes(given, "cue_ball is given but the cue ball is not in hand")
    for at in zip(*np.nonzero(np.atleast_1d(given)), strict=True):
        x, y = np.atleast_2d(places)[at].tolist()
        if not may_be_placed(frame.bed, frame.state.cue_in_hand, x, y):
            outside = "off the bed" if frame.state.cue_in_hand == ON_THE_TABLE else "outside the D"
            raise ValueError(f"strokes{_index(at, strokes.shape)}: cue_ball = ({x!r}, {y!r}) is {outside}")
    if given.any():
        check_places(frame.placed(strokes), frame.table, frame.ruleset)


def _index(at: Iterable[int], shape: tuple[int, ...]) -> str:
    return str([int(i) for i in at]) if shape else ""


def _refuse_strokes(wrong: NDArray[np.bool_] | bool, problem: str) -> None:
    if np.any(wrong):
        at = np.argwhere(np.atleast_1d(wrong))[0]
        raise ValueError(f"strokes{_index(at, np.shape(wrong))}: {problem}")


def _metres(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or math.isinf(value):
        raise ValueError(f"{name} = {value!r:.80}: expected a finite number of metres, or nan = not told")
    return float(value)


def checked_facts(frame: "Frame", facts: Facts, nominated: int) -> Facts:
    """The facts in plain numbers; refused if they contradict each other or the frame, saying what contradicts what.

    nominated: kind declared with the stroke, 0 = none.
    """
    numbers = {field: check_integer(field, getattr(facts, field), 0, (1 << MAX_BALLS) - 1) for field in BALL_SETS}
    numbers["observed"] = check_integer("observed", facts.observed, 0, (1 << len(OBSERVED_NAMES)) - 1)
    numbers["played_by"] = check_integer("played_by", facts.played_by, -1, frame.ruleset.n_players - 1)
    gap = _metres("nearest_gap", facts.nearest_gap)
    if gap < 0.0:
        raise ValueError(f"nearest_gap = {gap!r}: expected metres from 0, or nan = not told")
    x, y = _metres("placed_x", facts.placed_x), _metres("placed_y", facts.placed_y)
    if math.isnan(x) != math.isnan(y):
        raise ValueError(f"placed = ({x}, {y}): expected two numbers or none")
    told = Facts(**numbers, placed_x=x, placed_y=y, nearest_gap=gap)
    case = stroke_case(frame.ruleset, frame.bed, frame.state, told, nominated)
    found = contradiction(frame.bed, case, nominated, frame.positions)
    if found.number >= 0:
        raise ValueError(sentence(found))
    return told
