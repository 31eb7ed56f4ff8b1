"""A second statement of the rules of two-player snooker, written from the rule texts only.

The idea: one table of fouls (clause, value, condition) and one table of transitions after a fair stroke, over sets of
ball names. Nothing here is taken from, or imports, the package under test: a difference between the two is settled by
the texts. Clause numbers are those of the 1995 text (3.11.1(a) is written "11.1(a)", as in the Spanish text, which has
the same numbers); ``W`` marks what only the modern text has. The three editions are ``current``, ``1995`` and ``es``
(the Spanish text; the 1995 text where it is silent).

Geometry stays outside: whether the next player is snookered, by which ball, and whether a ball on could be hit are
given as booleans.

Not modelled: pairs and sides, variants, spotting positions, outside interference, balls that fall by themselves,
concession, claims by agreement, aggregate scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

COLOURS = ("yellow", "green", "brown", "blue", "pink", "black")
CUE = "cue"
EDITIONS = ("current", "1995", "es")
OLD = ("1995", "es")
VALUE = {colour: value for value, colour in enumerate(COLOURS, start=2)}
MINIMUM = 4  # 3.11; edition es as well (spec D22)


def is_red(ball: str) -> bool:
    return ball[:3] == "red"


def kind(ball: str) -> str:
    """What a player names when he declares the ball."""
    return "red" if is_red(ball) else ball


def value_of(ball: str) -> int:
    """Points of a ball: a red 1, yellow to black 2 to 7; the cue ball has none of its own."""
    return 0 if ball == CUE else 1 if is_red(ball) else VALUE[ball]


def reds(balls: Iterable[str]) -> frozenset[str]:
    return frozenset(ball for ball in balls if is_red(ball))


def colours(balls: Iterable[str]) -> frozenset[str]:
    return frozenset(ball for ball in balls if ball in VALUE)


def lowest(table: Iterable[str]) -> str:
    """The colour of least value on the table (3.3.7b)."""
    return min(colours(table), key=value_of)


@dataclass(frozen=True)
class Jumped:
    """One object ball that the cue ball passed over (2.19, W 2.20)."""

    ball: str
    before_first_contact: bool = False
    obstructed: bool = False  # it lay between the cue ball and the ball on
    landed_beyond: bool = False
    touching: bool = False  # it is the ball that touched the cue ball
    after_cushion: bool = False  # the ball on was hit fairly, then a cushion or another ball, and only then the jump


@dataclass(frozen=True)
class Before:
    """What is known before the stroke. ``table`` holds the object balls in play."""

    edition: str
    phase: str  # "red", "colour", "clearance", "respotted"
    table: frozenset[str]
    free_ball: bool = False
    scores: tuple[int, int] = (0, 0)
    striker: int = 0
    break_points: int = 0
    misses: int = 0  # misses called in a row, the position put back after each
    full_ball_first: bool = False  # a full ball could be hit before the first of them
    in_hand: bool = False
    colour_just_scored: int = 0  # value scored with the colour potted in the stroke before
    unspotted_is_free_ball: bool = False  # the colour not yet back was potted as a free ball


@dataclass(frozen=True)
class Facts:
    """What happened. Sets of ball names; the cue ball is ``"cue"`` in ``potted``, ``off`` and ``touched``."""

    nominated: str | None = None
    first: frozenset[str] = frozenset()
    potted: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    touching: frozenset[str] = frozenset()
    touching_moved: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    moving: frozenset[str] = frozenset()
    unspotted: frozenset[str] = frozenset()
    wrongly_spotted: frozenset[str] = frozenset()
    jumped: tuple[Jumped, ...] = ()
    balls_moving: bool = False
    jump: bool = False  # a foul jump in the observer's judgement
    push: bool = False
    double_hit: bool = False
    feet_off_floor: bool = False
    out_of_turn: bool = False  # with two players only the one who is not the striker can do that
    placed: bool = False  # a cue ball in hand was put down
    outside_d: bool = False
    wrong_cue_ball: bool = False
    off_table_ball_used: bool = False
    not_declared: bool = False
    non_standard_cue: bool = False
    conferring: bool = False
    touched_while_replacing: bool = False
    aimed_at_red: bool = False
    no_stroke: bool = False
    # judged or geometrical
    snookered: bool = False  # the next player, on every ball that will be on
    behind_nominee: bool = False  # and the nominee is the effective snookering ball
    angled: bool = False  # a jaw hides what is on
    clear: bool = True  # some part of a ball on in a straight line before the stroke
    full_ball: bool = False
    snookered_before: bool = False  # the striker, on every ball on
    hampered: bool = False  # the striker, before the stroke, by that or in any other way
    impossible: bool = False
    enough_strength: bool = False
    intentional: bool = False
    miss_judged: bool = False


@dataclass(frozen=True)
class After:
    """The ruling and the state of the frame it leaves."""

    points: int
    penalty: int
    fouls: frozenset[str]
    decisive: frozenset[str]  # the fouls that reach the penalty
    next_player: int | None  # None: the lot decides, or the frame is over
    phase: str | None
    on: frozenset[str]
    spotted: frozenset[str]
    table: frozenset[str]
    in_hand: bool
    free_ball: bool
    miss: bool
    misses: int  # in a row from one position (editions with a count)
    full_ball_first: bool  # a full ball could be hit before the first of them
    warned: bool
    options: frozenset[str]
    over: bool
    winner: int | None
    scores: tuple[int, int]
    break_points: int


class View(NamedTuple):
    """The stroke as the tables read it."""

    before: Before
    facts: Facts
    player: int  # who played
    nominee: str | None  # the colour on, or the free ball
    free: bool  # a free ball is being played
    real: frozenset[str]  # balls on by the order of play
    on: frozenset[str]  # these and the nominee
    worth: int  # value of the ball on
    credit: bool  # a touching ball on: first contact is made already


def _nominee(before: Before, facts: Facts) -> str | None:
    if before.phase == "colour":
        if facts.nominated is not None:
            return facts.nominated
        single = colours(facts.first)
        return next(iter(single)) if len(single) == 1 else None
    if before.free_ball and facts.nominated not in {kind(ball) for ball in _real(before)}:
        return facts.nominated  # none: the offer is declined; a ball on anyway: the same
    return None


def _real(before: Before) -> frozenset[str]:
    if before.phase == "red":
        return reds(before.table)
    if before.phase == "colour":
        return frozenset()
    return frozenset({lowest(before.table)})


def _worth(before: Before, nominee: str | None) -> int:
    if before.phase == "colour":
        return 7 if nominee is None else value_of(nominee)
    return 1 if before.phase == "red" else value_of(lowest(before.table))


def view(before: Before, facts: Facts) -> View:
    """Work out which balls are on and what they count (spec 2.1)."""
    nominee = _nominee(before, facts)
    real = _real(before)
    free = before.phase != "colour" and nominee is not None
    on = real | ({nominee} if nominee else set())
    may_be_first = frozenset({nominee}) if nominee else on
    player = 1 - before.striker if facts.out_of_turn else before.striker
    credit = bool(may_be_first & facts.touching)
    return View(before, facts, player, nominee, free, real, on, _worth(before, nominee), credit)


def may_be_first(v: View) -> frozenset[str]:
    """The balls one of which must be in the first contact: with a free ball, the free ball (3.9.4a)."""
    return frozenset({v.nominee}) if v.nominee else v.on


# --- fouls ---------------------------------------------------------------------------------------------------------


def concerned(v: View, balls: Iterable[str]) -> list[int]:
    """Values of the balls concerned and of the ball on; the free ball counts as the ball on (3.9.3)."""
    return [v.worth] + [v.worth if v.free and ball == v.nominee else value_of(ball) for ball in balls]


def only_on(v: View) -> list[int]:
    return [v.worth]


def seven(_: View) -> list[int]:
    return [7]


def struck(v: View) -> bool:
    return not v.facts.no_stroke


def missed_all(v: View) -> bool:
    cue_ball_struck = struck(v) and not v.facts.wrong_cue_ball
    return cue_ball_struck and not v.facts.first and not v.credit and not v.facts.touching_moved


def wrong_first(v: View) -> bool:
    if v.credit or not v.facts.first or simultaneous(v) or (red_played(v) and reds(v.facts.first)):
        return False  # nothing met, met well, or another clause
    return not v.facts.first & may_be_first(v)


def simultaneous(v: View) -> bool:
    """3.5: two balls at once, but for balls on; two reds without the free ball are a first contact without it."""
    first = v.facts.first
    if v.credit or len(first) < 2:
        return False
    return not first <= v.on


def jump_foul(v: View) -> bool:
    rule = jump_old if v.before.edition in OLD else jump_current
    return v.facts.jump or any(rule(v, item) for item in v.facts.jumped)


def jump_current(v: View, item: Jumped) -> bool:
    """W 2.20 and its exceptions a, b, c; a touching ball is not "first struck"."""
    struck_it = item.ball in v.facts.first
    if not item.before_first_contact and not struck_it and not item.touching:
        return False  # (a) it struck one ball and jumped another
    if struck_it and not item.landed_beyond:
        return False  # (b)
    return not item.after_cushion  # (c)


def jump_old(v: View, item: Jumped) -> bool:
    """2.19: over an obstructing ball before the ball on; notes 1 and 2: beyond the ball on, but not after a cushion."""
    if item.after_cushion:
        return False
    return flew_over_ball_on(v, item) or (item.before_first_contact and item.obstructed)


def flew_over_ball_on(v: View, item: Jumped) -> bool:
    """2.19 note 1: it counts as a miss of the ball on, even when that was grazed; not if another was hit before."""
    came_first = item.before_first_contact or item.ball in v.facts.first
    return item.ball in v.on and came_first and item.landed_beyond and not item.after_cushion


def not_on_potted(v: View) -> frozenset[str]:
    return v.facts.potted - v.on - {CUE}


def pushed(v: View) -> frozenset[str]:
    return (v.facts.first if v.facts.push else frozenset()) | v.facts.touching_moved


def early_after_free_ball(v: View) -> bool:
    """W has a clause of its own, of the value of the ball on, for a stroke before the free ball is back."""
    early = bool(struck(v) and v.facts.unspotted)
    return early and v.before.edition == "current" and v.before.unspotted_is_free_ball


def early(v: View) -> bool:
    return bool(struck(v) and v.facts.unspotted) and not early_after_free_ball(v)


def moving_values(v: View) -> list[int]:
    return concerned(v, v.facts.moving) if v.before.edition == "current" else [v.worth]  # D5


def red_played(v: View) -> bool:
    """3.11.4(c), D6: a red played when a colour is on; a colour named and a red met first is 3.11.2(b) but in es."""
    if v.before.phase != "colour":
        return False
    met = bool(reds(v.facts.first)) and not v.credit
    return v.facts.aimed_at_red or (met and (v.nominee is None or v.before.edition == "es"))


class Foul(NamedTuple):
    clause: str
    editions: tuple[str, ...]
    when: Callable[[View], object]
    amounts: Callable[[View], list[int]]


FOULS = (
    Foul("11.1(a)", EDITIONS, lambda v: v.facts.balls_moving or v.facts.moving, moving_values),
    Foul("11.1(b)", EDITIONS, lambda v: v.facts.double_hit, only_on),
    Foul("11.1(c)", EDITIONS, lambda v: v.facts.feet_off_floor, only_on),
    Foul("11.1(d)", EDITIONS, lambda v: v.facts.out_of_turn, only_on),
    Foul("11.1(e)", EDITIONS, lambda v: v.facts.outside_d, only_on),
    Foul("11.1(f)", EDITIONS, missed_all, only_on),
    Foul("11.1(g)", EDITIONS, lambda v: CUE in v.facts.potted, only_on),
    Foul("11.1(i)", EDITIONS, jump_foul, only_on),
    Foul("11.2(a)", EDITIONS, not_on_potted, lambda v: concerned(v, not_on_potted(v))),
    Foul("11.2(b)", EDITIONS, wrong_first, lambda v: concerned(v, v.facts.first)),
    Foul("11.2(c)", EDITIONS, lambda v: v.facts.push or v.facts.touching_moved, lambda v: concerned(v, pushed(v))),
    Foul("11.2(d)", EDITIONS, early, lambda v: concerned(v, v.facts.unspotted)),
    Foul("W 10(a)(i)", ("current",), early_after_free_ball, only_on),
    Foul(
        "11.2(d) misplaced",
        OLD,
        lambda v: struck(v) and v.facts.wrongly_spotted,
        lambda v: concerned(v, v.facts.wrongly_spotted),
    ),
    Foul("11.2(e)", EDITIONS, lambda v: v.facts.touched, lambda v: concerned(v, v.facts.touched)),
    Foul("11.2(f)", EDITIONS, lambda v: v.facts.off, lambda v: concerned(v, v.facts.off)),
    Foul("11.3", EDITIONS, simultaneous, lambda v: concerned(v, v.facts.first)),
    Foul("11.4(b)", EDITIONS, lambda v: v.facts.off_table_ball_used, seven),
    Foul("11.4(c)", EDITIONS, red_played, seven),
    Foul("11.4(d)", EDITIONS, lambda v: v.facts.wrong_cue_ball, seven),
    Foul("W not declared", ("current",), lambda v: v.facts.not_declared, seven),
    Foul("W non-standard cue", ("current",), lambda v: v.facts.non_standard_cue, only_on),
    Foul("W touched while replacing", ("current",), lambda v: v.facts.touched_while_replacing, seven),
)


def fouls_of(v: View) -> dict[str, int]:
    """Clause -> penalty, without the two clauses that presuppose another ruling (``late_fouls``)."""
    found = {
        foul.clause: max(MINIMUM, *foul.amounts(v))
        for foul in FOULS
        if v.before.edition in foul.editions and foul.when(v)
    }
    if found and v.before.phase == "colour" and v.nominee is None:
        found["11.4(a)"] = 7  # any foul after a red and before a colour is named
    return found


def snookers_behind_nominee(v: View, goes_on: bool) -> bool:
    """3.9.4(b): judged when the turn passes; not with pink and black alone; a nominee that was respotted is no bar."""
    gone = v.facts.potted | v.facts.off
    last_two = v.before.table == {"pink", "black"}
    in_place = v.free and v.nominee not in gone and struck(v)
    return in_place and not goes_on and not last_two and v.facts.snookered and v.facts.behind_nominee


# --- fair strokes --------------------------------------------------------------------------------------------------


class Fair(NamedTuple):
    points: int
    spotted: frozenset[str]
    goes_on: bool
    phase: str  # for whoever plays next; the table after the stroke says "clearance" or "red" otherwise


def order_of_play(table: Iterable[str]) -> str:
    return "red" if reds(table) else "clearance"


def fair_red(v: View) -> Fair:
    """Rows 1, 2, 5 of spec 2.2 (3.3.5b, 3.9.5-3.9.7); all editions alike (D8: not the Spanish letter)."""
    fallen = reds(v.facts.potted)
    nominee = v.facts.potted & {v.nominee}
    points = len(fallen) + len(nominee)
    return Fair(points, nominee, points > 0, "colour" if points else "red")


def fair_colour(v: View) -> Fair:
    """Rows 3, 4 (3.3.6)."""
    fallen = v.facts.potted & {v.nominee}
    return Fair(v.worth if fallen else 0, fallen, bool(fallen), order_of_play(v.before.table))


def fair_clearance(v: View) -> Fair:
    """Rows 6 to 12 (3.3.7b, 3.9.5-3.9.7): the value of the ball on once, whatever fell."""
    return Fair(
        v.worth if v.facts.potted else 0,
        v.facts.potted & {v.nominee},
        bool(v.facts.potted),
        v.before.phase,
    )


FAIR = {"red": fair_red, "colour": fair_colour, "clearance": fair_clearance, "respotted": fair_clearance}


# --- misses --------------------------------------------------------------------------------------------------------


def points_left(table: frozenset[str], phase: str, free_ball: bool) -> int:
    """The most that can still be scored (spec 7)."""
    left = 8 * len(reds(table)) + sum(map(value_of, colours(table)))
    if phase == "colour":
        left += 7
    if free_ball:
        left += 8 if phase == "red" else value_of(lowest(table))
    return left


def scores_excuse(v: View, after: frozenset[str], phase: str, scores: tuple[int, int], free_ball: bool) -> bool:
    """W 3.14(a)(i): penalty points needed, or just not needed, by either player before or after the stroke."""
    lead = abs(v.before.scores[0] - v.before.scores[1])
    later = abs(scores[0] - scores[1])
    was = points_left(v.before.table, v.before.phase, v.before.free_ball)
    return lead >= was or later >= points_left(after, phase, free_ball)


def reached_ball_on(v: View) -> bool:
    """Whether a ball that may be hit first was hit, or touched the cue ball before.

    By the old text a ball on that was flown over is missed itself (2.19 note 1); another that was hit is not.
    """
    old = v.before.edition in OLD
    only_grazed = {item.ball for item in v.facts.jumped if old and flew_over_ball_on(v, item)}
    return v.credit or bool((v.facts.first - only_grazed) & may_be_first(v))


def could_be_miss(v: View) -> bool:
    """Whatever the edition: a stroke with the cue ball that did not reach a ball on (2.20, 3.3.9)."""
    return not (v.facts.no_stroke or v.facts.wrong_cue_ball or reached_ball_on(v))


def second_full_ball(v: View) -> bool:
    return v.before.misses >= 1 and v.before.full_ball_first and v.facts.full_ball


def is_miss(v: View, excused_by_score: bool) -> bool:
    if not could_be_miss(v) or (v.facts.impossible and v.facts.enough_strength):
        return False
    if v.before.edition in OLD:
        return v.facts.miss_judged
    if excused_by_score and not v.facts.intentional and not second_full_ball(v):
        return False
    return v.facts.clear or v.facts.miss_judged


def misses_after(v: View, miss: bool) -> int:
    """Misses in a row: only the modern text counts them; a foul without a stroke leaves the count (W 3.14(e))."""
    if v.before.edition in OLD:
        return 0
    if miss:
        return v.before.misses + 1
    return v.before.misses if v.facts.no_stroke or v.facts.wrong_cue_ball else 0  # C31: not a stroke either


# --- the ruling ----------------------------------------------------------------------------------------------------


def judge(before: Before, facts: Facts) -> After:
    """The ruling on one stroke (or on a foul without one)."""
    v = view(before, facts)
    found = fouls_of(v)
    fair = FAIR[before.phase](v)
    if snookers_behind_nominee(v, goes_on=not found and fair.goes_on):
        found["11.1(h)"] = max(MINIMUM, v.worth)
    if found:
        return after_foul(v, found)
    return nothing_done(v) if facts.no_stroke else after_fair(v, fair)


def _state(v: View, spotted: frozenset[str]) -> frozenset[str]:
    """Balls in play afterwards."""
    return (v.before.table - v.facts.potted - v.facts.off) | spotted


def _add(scores: tuple[int, int], player: int, points: int) -> tuple[int, int]:
    return tuple(score + (points if side == player else 0) for side, score in enumerate(scores))  # type: ignore


def last_black(v: View) -> bool:
    """Only the black is left (3.3.8)."""
    return v.before.phase in ("clearance", "respotted") and v.before.table == {"black"}


def ended(v: View, scores: tuple[int, int], **ruling: object) -> After:
    """3.3.8: the first score or foul on the last black ends the frame, unless the scores are then level."""
    level = scores[0] == scores[1]
    ending: dict[str, object] = {
        "next_player": None,
        "phase": "respotted" if level else None,
        "on": frozenset({"black"}) if level else frozenset(),
        "spotted": frozenset({"black"}) if level else frozenset(),
        "table": frozenset({"black"}) if level else frozenset(),
        "in_hand": level,
        "free_ball": False,
        "miss": False,
        "misses": 0,
        "full_ball_first": False,
        "warned": False,
        "options": frozenset({_lot(v.before.edition)}) if level else frozenset(),
        "over": not level,
        "winner": None if level else int(scores[1] > scores[0]),
        "scores": scores,
        "break_points": 0,
    }
    return After(**{**ending, **ruling})  # type: ignore[arg-type]


def _lot(edition: str) -> str:
    return "lot names the player" if edition == "1995" else "lot winner chooses"  # D26


def balls_on(table: frozenset[str], phase: str) -> frozenset[str]:
    if phase == "red":
        return reds(table)
    return colours(table) if phase == "colour" else frozenset({lowest(table)})


def may_claim(edition: str, table: frozenset[str], scores: tuple[int, int], player: int) -> bool:
    """W 2.1: the striker, black alone left and more than seven ahead (D16)."""
    return edition == "current" and table == {"black"} and scores[player] - scores[1 - player] > 7


def nothing_done(v: View) -> After:
    """No stroke and no foul that the facts name: the striker is still to play."""
    before = v.before
    return After(
        points=0,
        penalty=0,
        fouls=frozenset(),
        decisive=frozenset(),
        next_player=before.striker,
        phase=before.phase,
        on=balls_on(before.table, before.phase),
        spotted=frozenset(),
        table=before.table,
        in_hand=before.in_hand,
        free_ball=before.free_ball,
        miss=False,
        misses=before.misses,
        full_ball_first=before.full_ball_first,
        warned=before.edition == "current" and before.misses >= 2 and before.full_ball_first,
        options=frozenset(),
        over=False,
        winner=None,
        scores=before.scores,
        break_points=before.break_points,
    )


def after_fair(v: View, fair: Fair) -> After:
    scores = _add(v.before.scores, v.before.striker, fair.points)
    common = {"points": fair.points, "penalty": 0, "fouls": frozenset(), "decisive": frozenset()}
    if last_black(v) and fair.points:
        return ended(v, scores, **common)
    table = _state(v, fair.spotted)
    player = v.before.striker if fair.goes_on else 1 - v.before.striker
    claim = fair.phase == "clearance" and may_claim(v.before.edition, table, scores, player)
    return After(
        **common,  # type: ignore[arg-type]
        next_player=player,
        phase=fair.phase,
        on=balls_on(table, fair.phase),
        spotted=fair.spotted,
        table=table,
        in_hand=False,
        free_ball=False,
        miss=False,
        misses=0,
        full_ball_first=False,
        warned=False,
        options=frozenset({"claim"}) if claim else frozenset(),
        over=False,
        winner=None,
        scores=scores,
        break_points=v.before.break_points + fair.points if fair.goes_on else 0,
    )


def after_foul(v: View, found: dict[str, int]) -> After:
    penalty = max(found.values())
    scores = _add(v.before.scores, 1 - v.player, penalty)
    early = v.facts.unspotted and v.player == v.before.striker and struck(v)
    if v.before.edition == "current" and early and not v.before.unspotted_is_free_ball:
        scores = _add(scores, v.before.striker, -v.before.colour_just_scored)  # W 3.3(g)
    common = {
        "points": 0,
        "penalty": penalty,
        "fouls": frozenset(found),
        "decisive": frozenset(clause for clause, amount in found.items() if amount == penalty),
    }
    if last_black(v):
        return ended(v, scores, **common)
    return _play_on(v, scores, common)


def _play_on(v: View, scores: tuple[int, int], common: dict[str, object]) -> After:
    facts = v.facts
    spotted = colours(facts.potted | facts.off | facts.unspotted)
    table = _state(v, spotted)
    phase = order_of_play(table)
    miss = is_miss(v, scores_excuse(v, table, phase, scores, facts.snookered))
    misses = misses_after(v, miss)
    full_first = misses > 0 and (v.before.full_ball_first if v.before.misses else facts.full_ball)
    lost = misses >= 3 and second_full_ball(v)
    still_in_hand = v.before.in_hand and facts.no_stroke and not facts.placed  # 2.7.2
    in_hand = CUE in facts.potted | facts.off or still_in_hand
    over: dict[str, object] = {
        "next_player": None if lost else 1 - v.player,
        "over": lost,
        "winner": 1 - v.player if lost else None,
        "options": frozenset() if lost else options_after_foul(v, miss, in_hand),
    }
    return After(
        **common,  # type: ignore[arg-type]
        **over,  # type: ignore[arg-type]
        phase=phase,
        on=balls_on(table, phase),
        spotted=spotted,
        table=table,
        in_hand=in_hand,
        free_ball=facts.snookered and not lost,
        miss=miss,
        misses=misses,
        full_ball_first=full_first,
        warned=misses >= 2 and full_first and not lost,
        scores=scores,
        break_points=0,
    )


def options_after_foul(v: View, miss: bool, in_hand: bool) -> frozenset[str]:
    """3.10.3 b, c; 2.16 in the old texts; W 3.14(e): a foul at address after a replacement keeps the restoring."""
    options = {"play", "play again"}
    if miss or (v.before.edition == "current" and v.facts.no_stroke and v.before.misses > 0) or hampered_foul(v):
        options.add("restore")
    if hampered_foul(v) and (
        v.before.phase == "colour" or v.before.free_ball
    ):  # else the ball on is the same either way
        options |= {"same ball on", "balls replaced"}
    if v.before.edition in OLD and v.facts.angled and not v.facts.snookered and not in_hand:
        options.add("in hand")
    return frozenset(options)


def hampered_foul(v: View) -> bool:
    """W 3.11(i): a ball, the cue ball too, fouled while preparing a stroke when snookered or hampered in any way.

    If the offender is asked to play again, his opponent says whether the ball on is what it was, and whether balls
    moved are put back: "restore" is both, "play again" neither, the two others are one of them each.
    """
    facts = v.facts
    could_not_play_freely = facts.hampered or facts.snookered_before
    return v.before.edition == "current" and facts.no_stroke and bool(facts.touched) and could_not_play_freely


# --- what cannot have happened -------------------------------------------------------------------------------------


def contradictions(before: Before, facts: Facts) -> list[str]:
    """Why these facts cannot be true of one stroke; empty when they can.

    A ball falls or leaves the table only if something set it moving: the stroke, a hand, or an earlier stroke. A miss
    is said of a stroke that reached no ball on; that a striker was hampered, of a foul before any stroke (W 3.11(i)).
    ``outside_d`` is what was seen; a cue ball of which the place is known (``placed``) was put into the D.
    """
    gone = (facts.potted | facts.off) - {CUE}
    jumped = {item.ball for item in facts.jumped}
    later = [item for item in facts.jumped if not item.before_first_contact]
    by_stroke = facts.first or facts.touching_moved or facts.wrong_cue_ball
    on_the_bed = facts.first | facts.touching | gone | jumped | facts.moving | facts.wrongly_spotted
    of_a_stroke = (
        *(facts.first, facts.touching_moved, facts.jumped, facts.moving, facts.push, facts.double_hit, facts.jump),
        *(facts.feet_off_floor, facts.outside_d, facts.wrong_cue_ball, facts.aimed_at_red, facts.out_of_turn),
    )
    of_a_miss = facts.miss_judged or facts.intentional or facts.impossible
    reds_not_on = before.phase == "colour" and reds(before.table)
    tests = {
        "a ball both potted and off the table": facts.potted & facts.off,
        "a ball that is not in play": not on_the_bed - {CUE} <= before.table,
        "a colour not yet back and on the bed": facts.unspotted & on_the_bed,
        "a ball moved that was not touching": not facts.touching_moved <= facts.touching,
        "a ball moved and nothing moved it": gone and not (by_stroke or facts.touched or facts.moving),
        "a stroke and none": facts.no_stroke and any(of_a_stroke),
        "a jump after a contact, and no contact": later and not facts.first,
        "placed and not in hand": facts.placed and not before.in_hand,
        "outside the D and not from in hand": facts.outside_d and not before.in_hand,
        "outside the D and in it": facts.outside_d and facts.placed,
        "conferring without a partner": facts.conferring,
        "aimed at a red that is on, or at none": facts.aimed_at_red and not reds_not_on,
        "declared and not declared": facts.not_declared and facts.nominated is not None,
        "a miss and a ball on hit": of_a_miss and reached_ball_on(view(before, facts)),
        "a miss and no stroke": of_a_miss and (facts.no_stroke or facts.wrong_cue_ball),
        "hampered in a stroke that was made": facts.hampered and not facts.no_stroke,
        "a nomination that nobody may make": not nomination_allowed(before, facts.nominated),
    }
    return [why for why, true in tests.items() if true]


def nomination_allowed(before: Before, nominated: str | None) -> bool:
    """A colour when one is on; else what is on anyway (an offer is then declined, D18) or, if offered, a free ball."""
    if nominated is None:
        return True
    if before.phase == "colour":
        return nominated in VALUE
    known = before.table if before.free_ball else _real(before)
    return nominated in known or (nominated == "red" and any(map(is_red, known)))
