"""The referee's two faces: one stroke of a frame in, the next frame and a ruling out; or whole batches as arrays.

Both call `rules.outcome.rule_stroke`, so there is one statement of every rule.

Not modelled: what a referee notices too late, and his conversation with the players.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rules.bed import Bed
from rules.checks import check_places, check_ready, checked_facts, nominated_kind, nomination_problem
from rules.contradictions import Found, contradiction, places_of_absent, sentence
from rules.decisions import decide, open_decisions
from rules.faults import FAULTS, is_replayed
from rules.frame import Frame, check_frame, read_only
from rules.miss import MISSES_THAT_LOSE
from rules.outcome import Outcome, balls_left, replace_fallen, rule_case, rule_stroke, stroke_case
from rules.ruleset import CURRENT, FULL_BALL_MISS, MAX_BALLS, MAX_KINDS, RED, RuleSet, ball_name, ball_names, kind_name
from rules.sides import player_of, side_of
from rules.state import (
    N_STATE,
    OBSERVED_NAMES,
    PHASE_COLOUR,
    PHASE_OVER,
    PHASE_RESPOTTED,
    RESTORE,
    SCORES,
    Facts,
    FactsArrays,
    Floats,
    FrameState,
    Ints,
    facts_at,
    pack_states,
    put_state,
    state_at,
    unpack_state,
)
from rules.wording import FOULS, FOULS_AND_MISSES, Call
from simcore.kernel.jit import door
from simcore.shots import float_array


class Decision(NamedTuple):
    """What the striker declares with a stroke, and the option he takes before it if any is open."""

    nominated: str | None = None  # colour to play, or free-ball nominee
    option: str | None = None  # one of frame.options


class Foul(NamedTuple):
    """One foul of a stroke."""

    name: str  # as in rules.faults.FAULTS
    words: str  # what was done
    clause: str  # in the text of the frame's edition
    clause_1995: str  # "" = not there
    clause_current: str  # "" = not there


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee says of one stroke."""

    points: int  # scored by the striker
    fouls: tuple[Foul, ...]  # all of them, in the order of the clauses
    penalty: int  # scored by the other side, or by those that the rules name: the highest single one
    foul: Foul | None  # the foul that bears the penalty
    free_ball: bool  # offered to the next player
    miss: bool  # a foul and a miss was called
    warned: bool  # the next such miss loses the frame
    last_miss_next: bool  # after the next miss the balls are not put back any more
    options: tuple[str, ...]  # open to the next player, as `Frame.options`: he takes one before a stroke is played
    decisions: tuple[str, ...]  # all that `rules.decide` takes next, as `Frame.decisions`
    striker: int  # who played
    lot_names_player: bool  # for the re-spotted black: the lot itself names who plays first, not its winner
    next_player: int | None  # who plays or decides next; None: the frame is over, or a lot decides
    turn_passes: bool  # the striker does not play on
    ball_on: str  # next: "red", "colour", a colour's name, "" when the frame is over
    potted: tuple[str, ...]  # balls that fell, the cue ball included
    replaced: tuple[str, ...]  # balls that fell unhit and were put back
    all_replaced: bool  # with them everything else, as the stroke would have hit one of them
    spotted: tuple[tuple[str, tuple[float, float]], ...]  # colours put back, with their places, m
    nominated: str | None  # declared or understood
    break_points: int  # the striker's break with this stroke, without a colour that an early stroke cancelled
    scores: tuple[int, ...]  # of the sides
    frame_over: bool
    winner: int | None  # None: not over, or a tie that stands

    def __str__(self) -> str:
        """In the words of the calls, with the clauses; players and sides are counted from 1."""
        return " ".join(_sentences(self))


def _sentences(ruling: Ruling) -> list[str]:
    if ruling.foul:
        why = "; ".join(f"{foul.words} [{foul.clause}]" for foul in ruling.fouls)
        one, several = FOULS_AND_MISSES if ruling.miss else FOULS
        words = [(one if ruling.penalty == 1 else several).format(n=ruling.penalty, why=why)]
    elif ruling.points:
        words = [Call.POT.format(balls=", ".join(ruling.potted).capitalize(), n=ruling.break_points)]
    else:
        words = [Call.NO_SCORE]
    words += [f"{name.capitalize()} spotted." for name, _ in ruling.spotted]
    put_back = Call.ALL_PUT_BACK if ruling.all_replaced else Call.PUT_BACK
    words += [put_back.format(balls=", ".join(ruling.replaced))] if ruling.replaced else []
    return words + _what_follows(ruling)


def _what_follows(ruling: Ruling) -> list[str]:
    score = "–".join(str(points) for points in ruling.scores)
    if ruling.frame_over and ruling.winner is None:
        return [Call.FRAME_TIED.format(score=score)]
    if ruling.winner is not None:
        return [Call.FRAME_TO.format(name=f"side {ruling.winner + 1}", score=score)]
    if ruling.next_player is None:
        lot = (
            "The lot names who plays first." if ruling.lot_names_player else "The lot's winner chooses who plays first."
        )
        return [f"Score {score}.", Call.RE_SPOTTED, lot]
    following = Call.PLAYER.format(n=ruling.next_player + 1)
    if ruling.options:
        name = Call.PLAYER.format(n=ruling.striker + 1)
        warning = [Call.WARNING.format(name=name)] if ruling.warned else []
        warning += [Call.LAST_MISS.format(name=name)] if ruling.last_miss_next else []
        return [f"Score {score}.", *warning, f"{following}: {', '.join(ruling.options)}?"]
    return [f"Score {score}.", f"{following}: {ruling.ball_on} on."]


def _foul(index: int, edition: int) -> Foul:
    clause = FAULTS[index]
    text = clause.current if edition == CURRENT else clause.old
    return Foul(clause.name, clause.words, text, clause.old, clause.current)


def referee(
    frame: Frame, facts: Facts, decision: Decision | None = None, positions: Floats | None = None
) -> tuple[Frame, Ruling]:
    """Rule on one stroke.

    facts: what happened (see `rules.facts` for names instead of sets). decision: nomination and option, default none.
    positions: (n_balls, 2), m, where the balls came to rest; default: nothing moved but what fell or was placed.
    Returns the next frame and the ruling. Raises ValueError when the frame is over, an option is pending, facts or
    nomination contradict the frame, or balls left on the table overlap or lie off the bed; TypeError for arguments of
    another type. Source: spec 2 to 10.
    """
    check_frame(frame)
    if not isinstance(facts, Facts):
        raise TypeError(f"facts = {facts!r:.80}: expected rules.Facts, such as rules.facts(frame, first='red')")
    decision = Decision() if decision is None else decision
    if not isinstance(decision, Decision):
        raise TypeError(f"decision = {decision!r:.80}: expected rules.Decision, such as Decision(nominated='black')")
    if decision.option is not None:
        frame = decide(frame, decision.option)
    check_ready(frame)
    kind = nominated_kind(frame, decision.nominated)
    facts = checked_facts(frame, facts, kind)
    after = _resting_places(frame, facts, positions)
    before = np.array(frame.positions)
    outcome = rule_stroke(frame.ruleset, frame.bed, frame.state, facts, kind, before, after)
    state = unpack_state((*outcome.state[:SCORES], *outcome.state.scores))
    kept = frame if state.options & RESTORE else None
    following = Frame(frame.ruleset, state, read_only(after), frame.table, kept)
    return following, _ruling(frame, facts, following, outcome)


def _resting_places(frame: Frame, facts: Facts, positions: Floats | None) -> Floats:
    after = np.full((MAX_BALLS, 2), np.nan)
    given = frame.positions if positions is None else float_array("positions", positions)
    if given.ndim != 2 or given.shape[1] != 2 or len(given) > MAX_BALLS:
        raise ValueError(f"positions of shape {given.shape}: expected (n_balls, 2) with at most {MAX_BALLS} balls")
    after[: len(given)] = given
    if positions is not None:
        found = places_of_absent(frame.state, after)
        if found.number >= 0:
            raise ValueError(sentence(found))
    if positions is None and not np.isnan(facts.placed_x):
        after[0] = facts.placed_x, facts.placed_y
    if frame.ruleset.positions_known == 0 and np.isnan(after[0]).any():
        after[0] = frame.bed.d_x, frame.bed.baulk_y - 0.5 * frame.bed.d_radius  # any place in the D is as good
    replace_fallen(facts, frame.positions, after)
    left = balls_left(frame.state, facts) & ~facts.unspotted
    stays = [ball for ball in range(MAX_BALLS) if left >> ball & 1]
    missing = [ball for ball in stays if np.isnan(after[ball]).any()]
    if missing == [0]:
        raise ValueError("the cue ball was in hand: tell where it was placed (placed) or came to rest (positions)")
    if missing:
        name = ball_name(missing[-1])
        raise ValueError(f"positions: {name} has none, yet it is neither potted nor off the table")
    resting = np.full_like(after, np.nan)
    resting[stays] = after[stays]
    try:
        check_places(resting, frame.table, frame.ruleset)
    except ValueError as error:
        given_as = "placed" if positions is None else "positions"
        raise ValueError(str(error).replace("positions", given_as, 1)) from None
    return after


def _ruling(frame: Frame, facts: Facts, following: Frame, outcome: Outcome) -> Ruling:
    state, edition = following.state, frame.ruleset.edition
    own = int(side_of(frame.ruleset, frame.striker))
    by_clauses = frame.ruleset.miss_rule == FULL_BALL_MISS
    lot = state.phase == PHASE_RESPOTTED and state.options != 0
    over = state.phase == PHASE_OVER
    places = [(ball, following.positions[ball]) for ball in range(MAX_BALLS) if outcome.spotted >> ball & 1]
    return Ruling(
        points=int(outcome.points),
        fouls=tuple(_foul(i, edition) for i in range(len(FAULTS)) if outcome.faults >> i & 1),
        penalty=int(outcome.penalty),
        foul=_foul(outcome.label, edition) if outcome.label >= 0 else None,
        free_ball=bool(state.free_ball),
        miss=bool(outcome.miss),
        warned=by_clauses and bool(state.full_ball) and state.misses == MISSES_THAT_LOSE - 1,
        last_miss_next=bool(outcome.miss) and not over and state.misses == frame.ruleset.max_misses - 1,
        options=following.options,
        decisions=open_decisions(following),
        striker=int(player_of(frame.state, facts)),
        lot_names_player=lot and bool(frame.ruleset.lot_names_player),
        next_player=None if over or lot else state.striker,
        turn_passes=bool(outcome.turn_passes),
        ball_on=following.ball_on,
        potted=ball_names(facts.potted),
        replaced=ball_names(facts.fell),
        all_replaced=bool(is_replayed(facts)),
        spotted=tuple((ball_name(ball), (float(xy[0]), float(xy[1]))) for ball, xy in places),
        nominated=kind_name(outcome.kind) if outcome.kind else None,
        break_points=frame.state.break_points + following.scores[own] - frame.scores[own],
        scores=following.scores,
        frame_over=over,
        winner=state.winner if over and state.winner >= 0 else None,
    )


class RulingArrays(NamedTuple):
    """Rulings of n strokes as arrays."""

    points: Ints  # (n,) scored by the striker
    penalty: Ints  # (n,) scored by the other side, 0 = fair
    faults: Ints  # (n,) set of faults, bit i = FAULTS[i]
    label: Ints  # (n,) index of the fault that bears the penalty, -1 = fair
    spotted: Ints  # (n,) set of colours put back
    miss: Ints  # (n,) 1: a miss was called
    turn_passes: Ints  # (n,) 1: the striker does not play on
    kind: Ints  # (n,) kind declared or understood, 0 = none
    states: Ints  # (n, N_STATE) next states, columns as FrameState
    positions: Floats  # (n, 22, 2) m, after spotting; nan = absent


@door
def rule_strokes(
    rules: RuleSet, bed: Bed, states: Ints, facts: FactsArrays, nominated: Ints, before: Floats, out: RulingArrays
) -> tuple[int, Found]:
    """`rule_stroke` for every stroke of a batch, up to the first whose facts contradict each other or its frame.

    states (1 or n, N_STATE) and before (1 or n, 22, 2) are of one frame for all strokes, or one each; nominated (n,).
    out.positions holds where the balls came to rest and is completed in place.
    Returns the stroke with a contradiction, -1 = none, and what contradicts what.
    """
    shared = states.shape[0] == 1
    for i in range(nominated.shape[0]):
        of = 0 if shared else i
        case = stroke_case(rules, bed, state_at(states, of), facts_at(facts, i), nominated[i])
        found = contradiction(bed, case, nominated[i], before[of])
        if found.number < 0:
            found = places_of_absent(case.state, out.positions[i])
        if found.number >= 0:
            return i, found
        result = rule_case(case, bed, before[of], out.positions[i])
        out.points[i] = result.points
        out.penalty[i] = result.penalty
        out.faults[i] = result.faults
        out.label[i] = result.label
        out.spotted[i] = result.spotted
        out.miss[i] = result.miss
        out.turn_passes[i] = result.turn_passes
        out.kind[i] = result.kind
        put_state(out.states, i, result.state)
    return -1, Found(-1, 0)


def empty_rulings(positions: ArrayLike) -> RulingArrays:
    """Arrays for the rulings of n strokes that left the balls at `positions` (n, n_balls ≤ 22, 2), copied."""
    positions = batch_positions(positions)
    n, n_balls = positions.shape[:2]
    places = np.empty((n, MAX_BALLS, 2))
    places[:, :n_balls] = positions
    places[:, n_balls:] = np.nan
    points, penalty, faults, label, spotted, miss, turn_passes, kind = np.zeros((8, n), dtype=np.int64)
    states = np.zeros((n, N_STATE), dtype=np.int64)
    return RulingArrays(points, penalty, faults, label, spotted, miss, turn_passes, kind, states, places)


def batch_positions(positions: ArrayLike) -> Floats:
    """Where the balls of n strokes came to rest as an array (n, n_balls ≤ 22, 2); ValueError tells another shape."""
    places = float_array("positions", positions)
    if places.ndim != 3 or places.shape[1] > MAX_BALLS or places.shape[2] != 2:
        raise ValueError(f"positions of shape {places.shape}: expected (n, n_balls, 2), at most {MAX_BALLS} balls")
    return places


PHASE, ON_TABLE, FREE_BALL = (FrameState._fields.index(name) for name in ("phase", "on_table", "free_ball"))


def check_batch(rules: RuleSet, states: Ints, facts: FactsArrays, nominated: Ints, positions: Floats) -> Ints:
    """Refuse arrays of a batch that do not fit each other, and nominations out of place.

    states: (1 or n, N_STATE), one for all strokes or one each; the others as of `referee_batch`.
    Returns the nominations as kernels take them. Raises ValueError with the index of the first stroke that is wrong.
    """
    kinds, n = np.asarray(nominated), len(batch_positions(positions))
    if not isinstance(facts, FactsArrays):
        raise TypeError(f"facts = {facts!r:.80}: expected rules.state.FactsArrays, such as of rules.facts_arrays")
    shapes: dict[str, Any] = {"nominated": kinds.shape}
    shapes |= {f"facts.{name}": np.shape(array) for name, array in zip(FactsArrays._fields, facts, strict=True)}
    for name, shape in shapes.items():
        if shape != (n,):
            raise ValueError(f"{name} has shape {shape}: expected {(n,)}, as many as there are positions")
    for name, array in zip(FactsArrays._fields, facts, strict=True):
        wanted = np.float64 if name in FLOAT_FACTS else np.int64
        if not isinstance(array, np.ndarray) or array.dtype != wanted:
            raise ValueError(f"facts.{name}: expected an array of {wanted.__name__}")
    if kinds.dtype.kind not in "iu":
        raise ValueError(f"nominated has type {kinds.dtype}: expected integers, the kinds of balls, 0 = none")
    if len(states) not in (1, n):
        raise ValueError(f"positions are of {n} strokes: expected {len(states)}, one of each frame")
    check_nominations(rules, states, kinds)
    _check_values(rules, facts)
    return np.ascontiguousarray(kinds, dtype=np.int64)


def rule_told(first: int, *given: Any) -> None:
    """`rule_strokes` on facts that people may have told: those that contradict each other or their frame are refused.

    first: the index of the first of these strokes, for the message. given: the arguments of `rule_strokes`.
    """
    row, found = rule_strokes(*given)
    if row >= 0:
        raise ValueError(f"strokes[{first + row}]: {sentence(Found(*found))}")


FLOAT_FACTS = ("placed_x", "placed_y", "nearest_gap")


def check_nominations(rules: RuleSet, states: Ints, kinds: Ints) -> None:
    """Refuse kinds (n,) that may not be declared in states (1 or n, N_STATE), with the index of the first stroke."""
    known = np.clip(kinds, 0, MAX_KINDS - 1)
    colours = np.array(rules.kind_masks) & ~rules.kind_masks[RED]
    chosen = (states[:, PHASE] == PHASE_COLOUR) & (states[:, ON_TABLE] & colours[known] != 0) & (known == kinds)
    doubtful = np.flatnonzero((kinds != 0) & ~chosen)  # most declare nothing, or a colour where one is to be chosen
    rows = states[doubtful if len(states) > 1 else np.zeros_like(doubtful)][:, [PHASE, ON_TABLE, FREE_BALL]]
    for (phase, on_table, free_ball), kind, i in zip(rows.tolist(), kinds[doubtful].tolist(), doubtful, strict=True):
        state = FrameState(phase=phase, on_table=on_table, free_ball=free_ball)
        problem = nomination_problem(rules, state, kind)
        if problem:
            raise ValueError(f"strokes[{i}]: {problem}")


def _check_values(rules: RuleSet, facts: FactsArrays) -> None:
    """Refuse numbers that stand for nothing, as `rules.checks.checked_facts` does, naming the first stroke."""
    x, y, gap, player, seen = facts.placed_x, facts.placed_y, facts.nearest_gap, facts.played_by, facts.observed
    half, most = np.isnan(x) != np.isnan(y), (1 << len(OBSERVED_NAMES)) - 1
    for name, wrong, expected in (
        ("played_by", (player < -1) | (player >= rules.n_players), f"-1 to {rules.n_players - 1}"),
        ("observed", (seen < 0) | (seen > most), f"0 to {most}"),
        ("placed_x", half | np.isinf(x), "finite metres, or nan as placed_y"),
        ("placed_y", half | np.isinf(y), "finite metres, or nan as placed_x"),
        ("nearest_gap", (gap < 0.0) | np.isinf(gap), "metres from 0, or nan = not told"),
    ):
        if wrong.any():
            i = int(wrong.argmax())
            raise ValueError(f"strokes[{i}]: {name} = {getattr(facts, name)[i]}: expected {expected}")


def referee_batch(frame: Frame, facts: FactsArrays, nominated: Ints, positions: Floats) -> RulingArrays:
    """Rule on n alternative strokes of one frame.

    facts: arrays (n,). nominated: kinds (n,), 0 = none. positions: (n, n_balls, 2), m, where the balls came to rest.
    Returns arrays. Raises ValueError when the frame is over or an option is pending, a nomination is out of place, or
    shapes do not fit, facts contradict each other or the frame.
    Where the balls came to rest is taken as a simulator found it; use `referee` to have it checked.
    """
    check_frame(frame)
    check_ready(frame)
    states = pack_states([frame.state])
    kinds = check_batch(frame.ruleset, states, facts, nominated, positions)
    before = np.array(frame.positions)[None]
    out = empty_rulings(positions)
    rule_told(0, frame.ruleset, frame.bed, states, facts, kinds, before, out)
    return out
