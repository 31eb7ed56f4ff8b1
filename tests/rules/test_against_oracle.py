"""The referee against a second statement of the rules (`tests.oracles.snooker_rules`), over every combination of facts.

From each small position all consistent combinations of first contacts, balls potted and balls off the table are ruled
on twice, under the three editions, with a final position that leaves the next player clear and with one in which a
single colour hides every ball that will be on. The default run takes every so many of them, evenly; all of them:

    python -m tests.rules.test_against_oracle --all

How the geometry is known: a cue ball 6 cm behind a ball X, on the line from what is on through X, has X in front of all
of it and nearer than anything else, so the next player is snookered and X is the effective snookering ball. In hand, a
ball X beside the line in front of the ball on hides one edge of it from all of the D.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, combinations, islice
from typing import Any, NamedTuple

import numpy as np
import pytest

import rules
from rules.state import OBSERVED_NAMES, OPTION_NAMES, PHASE_NAMES, SCORES, FactsArrays, FrameState
from tests.oracles import snooker_rules as oracle
from tests.oracles.snooker_rules import COLOURS, CUE, EDITIONS, After, Before, Facts, Jumped

PER_SCENARIO = 400  # combinations of the default run, an edition and scenario
CHUNK = 20000  # combinations ruled on in one call

# --- balls and places ----------------------------------------------------------------------------------------------

SPOTS = {
    "yellow": (1.181, 0.737),
    "green": (0.597, 0.737),
    "brown": (0.889, 0.737),
    "blue": (0.889, 1.7845),
    "pink": (0.889, 2.67675),
    "black": (0.889, 3.245),
}
REDS = {"red 1": (0.30, 1.25), "red 2": (0.36, 1.25)}
PLACED = (0.889, 0.6)  # in the D
OPEN_CUE = (1.5, 1.3)  # from here nothing hides any of the balls above
CLOSE = 0.06  # m between the centres of the cue ball and the ball that hides what is on
ASIDE = 1e-4  # m between a wrongly spotted ball and its spot
TOUCHING = 0.05251  # m between the centres of the cue ball and a ball that touches it
FANNED = 0.55  # rad from two such balls to the line between them
MIDDLE = (0.889, 1.5)
FAR_REDS = {"red 1": (0.27, 3.0), "red 2": (0.33, 3.0)}  # for a cue ball in hand
FAR = (0.30, 3.0)

INDEX = {CUE: 0, **{colour: i for i, colour in enumerate(COLOURS, start=1)}, "red 1": 7, "red 2": 8}
BITS = {name: 1 << index for name, index in INDEX.items()}
KINDS = {None: 0, **{colour: i for i, colour in enumerate(COLOURS, start=1)}, "red": 7}


def mask(balls: Iterable[str]) -> int:
    return sum(BITS[ball] for ball in balls)


def behind(hider: str, hidden: Iterable[str]) -> tuple[float, float]:
    """Cue ball close behind `hider`, in line with the middle of what is hidden."""
    at, places = SPOTS[hider], [{**SPOTS, **REDS}[ball] for ball in hidden]
    dx = at[0] - sum(x for x, _ in places) / len(places)
    dy = at[1] - sum(y for _, y in places) / len(places)
    length = math.hypot(dx, dy)
    return at[0] + CLOSE * dx / length, at[1] + CLOSE * dy / length


def lying(cue: tuple[float, float] | None, places: dict[str, tuple[float, float]]) -> np.ndarray:
    positions = np.full((22, 2), np.nan)
    for ball, place in {**places, **({CUE: cue} if cue else {})}.items():
        positions[INDEX[ball]] = place
    return positions


def open_table(_: After) -> np.ndarray:
    return lying(OPEN_CUE, SPOTS | REDS)


def at_rest(before: Before, facts: Facts, positions: np.ndarray) -> np.ndarray:
    """The places of those balls only that the stroke left on the bed, before any is put back."""
    gone = facts.potted | facts.off
    placed = facts.placed or facts.outside_d
    unplaced = before.in_hand and not placed and (facts.no_stroke or facts.wrong_cue_ball)
    left = mask(before.table - gone) | (0 if unplaced or CUE in gone else BITS[CUE])
    return np.where((left >> np.arange(len(positions)) & 1 == 1)[:, None], positions, np.nan)


def hidden_table(after: After, hider: str) -> np.ndarray:
    """Balls at rest with `hider` in front of all that is on."""
    if not after.in_hand:
        return lying(behind(hider, after.on), SPOTS | REDS)
    if "red 1" in after.on or "red 2" in after.on:
        lone = len(after.on) == 1
        target = FAR_REDS[next(iter(after.on))] if lone else FAR
        return lying(OPEN_CUE, SPOTS | FAR_REDS | {hider: _in_front(target, 0.03 if lone else 0.0)})
    (on,) = after.on
    return lying(OPEN_CUE, SPOTS | {on: FAR, hider: _in_front(FAR, 0.03)})


def _in_front(target: tuple[float, float], aside: float) -> tuple[float, float]:
    """A place beside the line from the middle of the D to the target, 6 cm before it."""
    dx, dy = target[0] - 0.889, target[1] - 0.6
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    return target[0] - CLOSE * ux - aside * uy, target[1] - CLOSE * uy + aside * ux


def hiders(after: After) -> list[str]:
    """Colours that can hide what is on after the stroke, whichever balls went back to their spots."""
    able = [ball for ball in COLOURS if ball in after.table and ball not in after.on]
    if after.in_hand:
        able = [ball for ball in able if ball not in after.spotted and not after.on & after.spotted]
    return able


# --- scenarios -----------------------------------------------------------------------------------------------------


class Scenario(NamedTuple):
    name: str
    phase: str
    table: tuple[str, ...]
    free_ball: bool = False
    scores: tuple[int, int] = (0, 0)
    nominations: tuple[str | None, ...] = (None,)
    touching: tuple[tuple[str, ...], ...] = ((),)
    sizes: tuple[int, int, int] = (2, 3, 1)  # of first contacts, potted, off the table
    misses: int = 0
    full_ball: bool = False
    in_hand: bool = False
    colour_points: int = 0
    nominee_back: bool = False
    flags: bool = False  # flags and further sets instead of every combination of balls

    def before(self, edition: str) -> Before:
        return Before(
            edition,
            self.phase,
            frozenset(self.table),
            self.free_ball,
            self.scores,
            break_points=4,
            misses=self.misses,
            full_ball_first=self.full_ball,
            in_hand=self.in_hand,
            colour_just_scored=self.colour_points,
            unspotted_is_free_ball=self.nominee_back,
        )

    def places(
        self, touching: frozenset[str] = frozenset(), aside: frozenset[str] = frozenset()
    ) -> dict[str, tuple[float, float]]:
        """Where the balls lie; those that touch the cue ball on its far side from the others, some off their spots."""
        places = {ball: place for ball, place in (SPOTS | REDS).items() if ball in self.table}
        places |= {ball: (places[ball][0], places[ball][1] + ASIDE) for ball in aside}
        return places | self._beside_the_cue(sorted(touching))

    def _beside_the_cue(self, touching: list[str]) -> dict[str, tuple[float, float]]:
        (x, y), (fx, fy) = self.cue(), SPOTS[self.table[-1]] if self.free_ball else MIDDLE
        middle, turns = math.atan2(y - fy, x - fx), (0.0,) if len(touching) < 2 else (FANNED, -FANNED)
        return {
            ball: (x + TOUCHING * math.cos(middle + turn), y + TOUCHING * math.sin(middle + turn))
            for ball, turn in zip(touching, turns, strict=False)
        }

    def cue(self) -> tuple[float, float]:
        """Struck from: the open, or behind the last colour of what is on when a free ball is offered, or the D."""
        if self.in_hand:
            return PLACED
        if not self.free_ball:
            return OPEN_CUE
        reds = [ball for ball in self.table if oracle.is_red(ball)]
        return behind(self.table[-1], reds or [oracle.lowest(self.table)])

    def frame(
        self, edition: str, touching: frozenset[str] = frozenset(), aside: frozenset[str] = frozenset()
    ) -> rules.Frame:
        return rules.Frame.from_text(self.text(edition, touching, aside))

    def text(self, edition: str, touching: frozenset[str], aside: frozenset[str]) -> str:
        words = [f"snooker/{edition}", self.phase, f"{self.scores[0]}:{self.scores[1]}", "striker=0", "break_points=4"]
        words += ["free_ball=offered"] * self.free_ball + ["full_ball=1"] * self.full_ball
        words += [f"misses={self.misses}"] * bool(self.misses) + ["nominee_back=1"] * self.nominee_back
        words += [f"colour_points={self.colour_points}"] * bool(self.colour_points)
        words.append("cue=hand" if self.in_hand else "cue={!r},{!r}".format(*self.cue()))
        words += [f"{ball.replace(' ', '')}={x!r},{y!r}" for ball, (x, y) in self.places(touching, aside).items()]
        return " ".join(words)


LAST_RED = ("red 1", *COLOURS)
TWO_REDS = ("red 1", "red 2", *COLOURS)
ANY_COLOUR = (None, *COLOURS)


def clearances() -> Iterator[Scenario]:
    for i in range(5):
        left = COLOURS[i:]
        sizes = (3, 3, 2) if i > 2 else (2, 3, 1)
        yield Scenario(f"{left[0]} on", "clearance", left, scores=(30, 20), nominations=(None, left[0]), sizes=sizes)
        yield Scenario(f"free ball, {left[0]} on", "clearance", left, True, (30, 20), (None, *left), sizes=sizes)
        together = tuple((ball,) for ball in left) + tuple(combinations(left[:3], 2))
        yield Scenario(
            f"touching, {left[0]} on", "clearance", left, scores=(30, 20), touching=together, sizes=(1, 2, 1)
        )
        not_on = tuple((ball,) for ball in left[1:])
        yield Scenario(
            f"touching, free ball, {left[0]} on",
            "clearance",
            left,
            True,
            (30, 20),
            (None, *left[1:]),
            not_on,
            (1, 2, 1),
        )


def blacks() -> Iterator[Scenario]:
    for scores in ((50, 57), (57, 50), (50, 40), (60, 44), (44, 60)):
        yield Scenario(f"black only {scores}", "clearance", ("black",), scores=scores, sizes=(1, 2, 2))
        yield Scenario(
            f"touching black only {scores}",
            "clearance",
            ("black",),
            scores=scores,
            touching=(("black",),),
            sizes=(1, 2, 2),
        )
    yield Scenario("re-spotted black", "respotted", ("black",), scores=(57, 57), sizes=(1, 2, 2))
    yield Scenario(
        "touching re-spotted", "respotted", ("black",), scores=(57, 57), touching=(("black",),), sizes=(1, 2, 2)
    )


def with_reds() -> Iterator[Scenario]:
    yield Scenario("last red", "red", LAST_RED, nominations=(None, "red"))
    yield Scenario("colour, last red left", "colour", LAST_RED, nominations=ANY_COLOUR)
    yield Scenario("colour after the last red", "colour", COLOURS, nominations=ANY_COLOUR)
    yield Scenario("free ball, two reds", "red", TWO_REDS, True, nominations=(*ANY_COLOUR, "red"))
    touching = (("red 1",), ("yellow",), ("black",), ("red 1", "blue"), ("green", "pink"))
    yield Scenario("touching, last red", "red", LAST_RED, touching=touching, sizes=(2, 2, 1))
    yield Scenario("touching, colour", "colour", LAST_RED, nominations=ANY_COLOUR, touching=touching, sizes=(1, 2, 1))
    colours = (("yellow",), ("black",), ("green", "pink"))
    yield Scenario("touching, free ball", "red", TWO_REDS, True, (0, 0), ANY_COLOUR, colours, (1, 2, 1))


def flags_from(*given: Any, **more: Any) -> Scenario:
    return Scenario(*given, **more)._replace(flags=True)


FLAGGED = (
    flags_from("flags, last red", "red", LAST_RED),
    flags_from("flags, colour", "colour", LAST_RED, nominations=(None, "green", "black")),
    flags_from("flags, after the black", "red", LAST_RED, scores=(8, 0), colour_points=7),
    flags_from("flags, after a free ball", "colour", LAST_RED, nominations=(None, "yellow"), nominee_back=True),
    flags_from("flags, in hand", "red", LAST_RED, in_hand=True),
    flags_from("flags, free ball", "red", TWO_REDS, True, nominations=(None, "yellow", "black")),
    flags_from("flags, pink on", "clearance", ("pink", "black"), scores=(30, 20)),
    flags_from("flags, free ball, green on", "clearance", COLOURS[1:], True, (30, 20), (None, "brown", "black")),
    flags_from("flags, black only", "clearance", ("black",), scores=(50, 43)),
    flags_from("flags, re-spotted black", "respotted", ("black",), scores=(57, 57)),
)
SCORED = ((0, 0), (31, 0), (0, 31), (34, 0), (0, 35), (36, 0), (0, 36), (40, 0), (0, 47), (3, 44))
MISSED = tuple(
    Scenario(f"misses {misses} {scores}", "red", LAST_RED, False, scores, misses=misses, full_ball=full, flags=True)
    for scores in SCORED
    for misses, full in ((0, False), (1, False), (1, True), (2, False), (2, True))
)
SCENARIOS = (*with_reds(), *clearances(), *blacks())

# --- combinations of facts -----------------------------------------------------------------------------------------


def subsets(balls: Iterable[str], largest: int) -> list[frozenset[str]]:
    listed = list(balls)
    return [frozenset(some) for size in range(largest + 1) for some in combinations(listed, size)]


class Axes(NamedTuple):
    """Facts of one kind as a product of axes, any of which can be had by its number."""

    axes: tuple[list[Any], ...]
    make: Callable[..., Facts]

    def __len__(self) -> int:
        return math.prod(len(axis) for axis in self.axes)

    def __getitem__(self, number: int) -> Facts:
        chosen = []
        for axis in reversed(self.axes):
            number, at = divmod(number, len(axis))
            chosen.append(axis[at])
        return self.make(*reversed(chosen))


def combinations_of(scenario: Scenario) -> Axes:
    """Every combination of balls, contradictions included."""
    with_cue = (*scenario.table, CUE)
    n_first, n_potted, n_off = scenario.sizes
    touching = [
        (frozenset(together), moved) for together in scenario.touching for moved in subsets(together, len(together))
    ]
    first, potted, off = subsets(scenario.table, n_first), subsets(with_cue, n_potted), subsets(with_cue, n_off)
    return Axes(
        (touching, list(scenario.nominations), first, potted, off),
        lambda touch, nominated, first, potted, off: Facts(nominated, first, potted, off, *touch),
    )


BASES = (
    {},
    {"first": frozenset({"black"})},
    {"first": frozenset({"red 1"})},
    {"first": frozenset({"pink"}), "potted": frozenset({"pink"})},
    {"first": frozenset({"red 1"}), "potted": frozenset({"red 1"})},
    {"first": frozenset({"black"}), "potted": frozenset({"black", CUE})},
    {"touching": frozenset({"black"})},
    {"impossible": True, "enough_strength": True},
    {"potted": frozenset({"black"}), "touched": frozenset({"black"})},
)
OBSERVED = {
    "double_hit": "double_hit",
    "push": "push",
    "feet_off_floor": "feet_off_floor",
    "outside_d": "placed_outside_d",
    "jump": "jump",
    "wrong_cue_ball": "wrong_cue_ball",
    "aimed_at_red": "aimed_at_red",
    "off_table_ball_used": "off_table_ball_used",
    "non_standard_cue": "non_standard_cue",
    "conferring": "conferring",
    "touched_while_replacing": "touched_while_replacing",
    "not_declared": "not_declared",
    "no_stroke": "no_stroke",
    "intentional": "intentional",
    "impossible": "impossible",
    "enough_strength": "enough_strength",
    "miss_judged": "miss_judged",
    "angled": "angled",
    "hampered": "hampered",
}


def flags_of(scenario: Scenario) -> list[dict[str, Any]]:
    """Flags and further sets, one entry each."""
    low, high = scenario.table[0], scenario.table[-1]
    found: list[dict[str, Any]] = [{"out_of_turn": True}, *({flag: True} for flag in OBSERVED)]
    for balls in subsets((low, high, CUE), 2)[1:]:
        found += [{"touched": balls}, {"moving": balls}]
    for balls in ({low}, {CUE}):
        found += [{"touched": frozenset(balls), "no_stroke": True}]
    for ball in dict.fromkeys(ball for ball in (low, high) if ball in COLOURS):
        found += [{"unspotted": frozenset({ball})}, {"wrongly_spotted": frozenset({ball})}]
    if scenario.in_hand:
        found += [{"no_stroke": True, "placed": False}, {"outside_d": True, "placed": False}]
    for ball in dict.fromkeys((low, high)):
        found.append({"jumped": (Jumped(ball, before_first_contact=True, obstructed=True, landed_beyond=True),)})
        found.append({"jumped": (Jumped(ball, landed_beyond=True),)})
    return found


def flagged(scenario: Scenario) -> Axes:
    """One flag and two at a time with each of a few strokes."""
    flags = flags_of(scenario)
    pairs = [{}, *flags, *(one | other for one, other in combinations(flags, 2))]
    return Axes(
        (list(scenario.nominations), list(BASES), pairs),
        lambda nominated, base, extra: Facts(nominated, **{"placed": scenario.in_hand, **base, **extra}),
    )


def facts_of(scenario: Scenario) -> Axes:
    return flagged(scenario) if scenario.flags else combinations_of(scenario)


# --- one combination ruled on twice --------------------------------------------------------------------------------


class Case(NamedTuple):
    facts: Facts
    after: After
    positions: np.ndarray


class Sight(NamedTuple):
    """What is seen of one ball, or of the best of several, from the cue ball in straight lines."""

    any_part: bool
    middle: bool
    edges: bool  # both of one ball


@cache
def visible(scenario: Scenario, nominated: str | None, touching: frozenset[str]) -> Sight:
    """What of the balls that may be hit first is seen; of their edges, past balls that are not on."""
    view = oracle.view(scenario.before("current"), Facts(nominated))
    targets = oracle.may_be_first(view) if scenario.phase != "colour" else frozenset(COLOURS)
    places, cue = scenario.places(touching), scenario.cue()
    seen = [_seen(cue, places[ball], _others(places, targets)) for ball in targets & set(places)]
    on = {ball: view.on or {ball} for ball in oracle.may_be_first(view) or targets}
    edges = [_seen(cue, places[ball], _others(places, alike)).edges for ball, alike in on.items() if ball in places]
    return Sight(any(sight.any_part for sight in seen), any(sight.middle for sight in seen), any(edges))


def _others(places: dict[str, tuple[float, float]], targets: Iterable[str]) -> list[tuple[float, float]]:
    return [place for ball, place in places.items() if ball not in targets]


def _seen(cue: tuple[float, float], target: tuple[float, float], others: list[tuple[float, float]]) -> Sight:
    """Of one ball, by trying 401 lines of aim; an aim near the edge of another ball is an error."""
    distance = math.dist(cue, target)
    middle = math.atan2(target[1] - cue[1], target[0] - cue[0])
    half = math.asin(0.0525 / distance)
    tried = [middle + half * (k / 200 - 1) * 0.999 for k in range(401)]
    clear = [all(not _in_the_way(cue, phi, target, other) for other in others) for phi in tried]
    return Sight(any(clear), clear[200], clear[0] and clear[-1])


def _in_the_way(cue: tuple[float, float], phi: float, target: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether the cue ball sent at phi meets the other ball before the target."""
    first, second = _reach(cue, phi, other), _reach(cue, phi, target)
    return first is not None and (second is None or first < second)


def _reach(cue: tuple[float, float], phi: float, ball: tuple[float, float]) -> float | None:
    dx, dy = ball[0] - cue[0], ball[1] - cue[1]
    along, across = dx * math.cos(phi) + dy * math.sin(phi), dx * math.sin(phi) - dy * math.cos(phi)
    if along <= 0 or abs(across) >= 0.0525:
        return None
    return along - math.sqrt(0.0525**2 - across**2)


def in_the_open(before: Before, facts: Facts) -> Case:
    """The oracle's ruling with all that is on in sight of the next player."""
    after = oracle.judge(before, facts)
    return Case(facts, after, at_rest(before, facts, open_table(after)))


def hidden(before: Before, case: Case, turn: int) -> Case:
    """The same stroke with one colour before all that is on; as it was if none can be."""
    after = case.after
    able = hiders(after) if not after.over and after.next_player is not None else []
    if not able:
        return case
    hider = able[turn % len(able)]
    nominee = oracle.view(before, case.facts).nominee
    facts = dataclasses.replace(case.facts, snookered=True, behind_nominee=hider == nominee and not after.in_hand)
    return Case(facts, oracle.judge(before, facts), at_rest(before, facts, hidden_table(after, hider)))


def cases_of(scenario: Scenario, edition: str, every: int) -> Iterator[Case]:
    """Cases of a scenario, each `every`-th combination of facts if consistent, in the open and hidden."""
    before, told = scenario.before(edition), facts_of(scenario)
    offset = zlib.crc32(f"{scenario.name} {edition}".encode()) % every  # not the same ones everywhere
    for turn, number in enumerate(range(offset, len(told), every)):
        facts = told[number]
        if oracle.contradictions(before, facts):
            continue
        sight = visible(scenario, facts.nominated, facts.touching)
        is_known = facts.placed or not scenario.in_hand  # where he struck from
        told_before = {
            "clear": sight.any_part and is_known,
            "full_ball": sight.middle and is_known,
            "snookered_before": not sight.edges,
        }
        facts = dataclasses.replace(facts, **told_before)
        case = in_the_open(before, facts)
        yield case
        yield hidden(before, case, turn)


# --- words to masks ------------------------------------------------------------------------------------------------


def fact_row(facts: Facts) -> list[float]:
    """The columns of `rules.state.Facts`."""
    observed = sum(1 << OBSERVED_NAMES.index(name) for flag, name in OBSERVED.items() if getattr(facts, flag))
    before = mask({item.ball for item in facts.jumped if item.before_first_contact})
    later = mask({item.ball for item in facts.jumped if not item.before_first_contact})
    sets = (facts.first, facts.potted, facts.off, facts.touching, facts.touching_moved)
    more = (facts.touched, facts.moving, facts.unspotted, facts.wrongly_spotted)
    placed = PLACED if facts.placed else (math.nan, math.nan)
    player = 1 if facts.out_of_turn else -1
    return [*map(mask, sets), *map(mask, more), before, later, 0, observed, player, *placed, math.nan]


def facts_arrays(cases: list[Case]) -> FactsArrays:
    rows = np.array([fact_row(case.facts) for case in cases])
    whole = len(FactsArrays._fields) - 3
    return FactsArrays(*(rows[:, k].astype(np.int64) for k in range(whole)), *(rows[:, whole:].T.copy()))


FAULT_NAMES = {
    "11.1(a)": "balls_moving",
    "11.1(b)": "double_hit",
    "11.1(c)": "feet_off_floor",
    "11.1(d)": "out_of_turn",
    "11.1(e)": "outside_d",
    "11.1(f)": "missed_all",
    "11.1(g)": "in_off",
    "11.1(h)": "snookered_behind_free_ball",
    "11.1(i)": "jump_shot",
    "11.2(a)": "wrong_pot",
    "11.2(b)": "wrong_first_contact",
    "11.2(c)": "push_stroke",
    "11.2(d)": "not_spotted",
    "11.2(d) misplaced": "not_spotted",
    "W 10(a)(i)": "free_ball_not_back",
    "11.2(e)": "touched_ball",
    "11.2(f)": "off_table",
    "11.3": "simultaneous_hit",
    "11.4(a)": "before_nomination",
    "11.4(b)": "off_table_ball_used",
    "11.4(c)": "successive_red",
    "11.4(d)": "wrong_cue_ball",
    "W not declared": "not_declared",
    "W non-standard cue": "non_standard_cue",
    "W touched while replacing": "touched_while_replacing",
}
FAULT_BITS = {clause: 1 << [fault.name for fault in rules.FAULTS].index(name) for clause, name in FAULT_NAMES.items()}
OPTION_WORDS = {
    "play": ("play",),
    "play again": ("play_again",),
    "restore": ("restore",),
    "in hand": ("in_hand",),
    "same ball on": ("keep_ball_on",),
    "balls replaced": ("replace_balls",),
    "lot names the player": ("player_0_first", "player_1_first"),
    "lot winner chooses": ("player_0_first", "player_1_first"),
    "claim": ("claim",),  # among the decisions, but no answer to a foul
}
OPTION_BITS = {
    word: sum(1 << OPTION_NAMES.index(option) for option in options if option in OPTION_NAMES)
    for word, options in OPTION_WORDS.items()
}


FREE_BALL_OPTION = 1 << OPTION_NAMES.index("free_ball")  # "play" declines it


def fault_mask(clauses: Iterable[str]) -> int:
    bits = 0
    for clause in clauses:
        bits |= FAULT_BITS[clause]
    return bits


def option_mask(options: Iterable[str]) -> int:
    return sum(OPTION_BITS[option] for option in options)


COLUMNS = {name: i for i, name in enumerate(FrameState._fields[:-1])} | {"score_0": SCORES, "score_1": SCORES + 1}


def expected(case: Case, edition: str) -> dict[str, int]:
    """What the oracle says, under the names of the arrays of the batch."""
    after = case.after
    told = {
        "points": after.points,
        "penalty": after.penalty,
        "faults": fault_mask(after.fouls),
        "score_0": after.scores[0],
        "score_1": after.scores[1],
        "phase": PHASE_NAMES.index(after.phase if not after.over else "over"),
        "options": option_mask(after.options) | (FREE_BALL_OPTION if after.free_ball and after.options else 0),
        "winner": -1 if after.winner is None else after.winner,
        "miss": int(after.miss),
    }
    if after.over:
        return told
    told |= {"spotted": mask(after.spotted), "free_ball": int(after.free_ball), "cue_in_hand": int(after.in_hand)}
    told["on_table"] = mask(after.table)
    if edition == "current":
        told |= {"misses": after.misses, "full_ball": int(after.full_ball_first)}
    if after.next_player is not None:
        told |= {"striker": after.next_player, "break_points": after.break_points}
    return told


def table_of(cases: list[Case], edition: str) -> dict[str, np.ndarray]:
    """`expected` of all cases as arrays, with what is not compared as -9."""
    rows = [expected(case, edition) for case in cases]
    fields = sorted(set().union(*rows))
    return {name: np.array([row.get(name, -9) for row in rows]) for name in fields}


NAMES_ONLY = {"faults", "label"}


class Difference(NamedTuple):
    scenario: str
    edition: str
    facts: Facts
    fields: dict[str, tuple[Any, Any]]  # name -> (package, oracle)

    @property
    def is_of_names(self) -> bool:
        """Whether the rulings agree but for what the fouls are called."""
        return set(self.fields) <= NAMES_ONLY

    def __str__(self) -> str:
        usual = Facts(
            clear=self.facts.clear, full_ball=self.facts.full_ball, snookered_before=self.facts.snookered_before
        )
        said = [(field.name, getattr(self.facts, field.name)) for field in dataclasses.fields(Facts)]
        words = [
            f"{name}={sorted(value) if isinstance(value, frozenset) else value}"
            for name, value in said
            if value != getattr(usual, name)
        ]
        fields = [f"{name}: package {package}, oracle {other}" for name, (package, other) in self.fields.items()]
        return f"[{self.scenario}, {self.edition}] {', '.join(words)} -> {'; '.join(fields)}"


def found_in(rulings: Any, name: str) -> np.ndarray:
    """One column of the rulings of a batch."""
    column = getattr(rulings, name, None)
    column = rulings.states[:, COLUMNS[name]] if column is None else column
    return column & ~1 if name == "on_table" else column


def differences(scenario: Scenario, edition: str, cases: list[Case]) -> list[Difference]:
    """Cases on which the compiled face and the oracle differ."""
    alike: dict[tuple[frozenset[str], frozenset[str]], list[Case]] = {}
    for case in cases:
        alike.setdefault((case.facts.touching, case.facts.wrongly_spotted), []).append(case)
    return [
        difference
        for begun, some in alike.items()
        for difference in differences_in(scenario, scenario.frame(edition, *begun), edition, some)
    ]


def differences_in(scenario: Scenario, frame: rules.Frame, edition: str, cases: list[Case]) -> list[Difference]:
    """Differences of cases that begin with the same frame."""
    nominated = np.array([KINDS[case.facts.nominated] for case in cases], dtype=np.int64)
    positions = np.array([case.positions for case in cases])
    rulings = rules.referee_batch(frame, facts_arrays(cases), nominated, positions)
    table = table_of(cases, edition)
    wrong = {name: (values != -9) & (found_in(rulings, name) != values) for name, values in table.items()}
    decisive = np.array([fault_mask(case.after.decisive) for case in cases])
    label = np.where(rulings.label < 0, 0, 1 << np.maximum(rulings.label, 0))
    wrong["label"] = np.where(decisive == 0, label != 0, label & decisive == 0)
    found = []
    for i in np.flatnonzero(np.any(list(wrong.values()), axis=0)).tolist():
        fields = {name: (int(found_in(rulings, name)[i]), int(table[name][i])) for name in table if wrong[name][i]}
        faults = (fault_words(int(rulings.faults[i])), fault_words(fault_mask(cases[i].after.fouls)))
        fields |= {name: faults for name in NAMES_ONLY if wrong[name][i]}
        found.append(Difference(scenario.name, edition, cases[i].facts, fields))
    return found


def fault_words(bits: int) -> list[str]:
    return [fault.name for i, fault in enumerate(rules.FAULTS) if bits >> i & 1]


def compare(scenario: Scenario, edition: str, every: int) -> tuple[int, list[Difference]]:
    """Number of cases compared, and the differences."""
    cases, compared, found = cases_of(scenario, edition, every), 0, []
    while chunk := list(islice(cases, CHUNK)):
        compared += len(chunk)
        found += differences(scenario, edition, chunk)
    return compared, found


# --- the tests -----------------------------------------------------------------------------------------------------

FAMILIES = {
    "reds": tuple(with_reds()),
    "clearance": tuple(clearances()),
    "black": tuple(blacks()),
    "flags": FLAGGED,
    "misses": MISSED,
}


def stride(scenario: Scenario, wanted: int = PER_SCENARIO) -> int:
    """A step through the combinations that leaves about `wanted` and shares no factor with the lengths of the axes."""
    step = max(1, len(facts_of(scenario)) // wanted)
    while any(math.gcd(step, len(axis)) > 1 for axis in facts_of(scenario).axes):
        step += 1
    return step


@lru_cache
def family_differences(family: str, edition: str) -> tuple[Difference, ...]:
    wanted = PER_SCENARIO if family != "misses" else PER_SCENARIO // 5
    return tuple(
        difference
        for scenario in FAMILIES[family]
        for difference in compare(scenario, edition, stride(scenario, wanted))[1]
    )


def report(found: Iterable[Difference]) -> str:
    """The shortest differences, one for each set of fields."""
    listed = sorted(map(str, found), key=len)
    return f"{len(listed)} differences, among them\n" + "\n".join(listed[:12])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_rulings_agree(family, edition):
    found = [difference for difference in family_differences(family, edition) if not difference.is_of_names]
    assert not found, report(found)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_fouls_are_named_alike(family, edition):
    found = [difference for difference in family_differences(family, edition) if difference.is_of_names]
    assert not found, report(found)


def package_facts(frame: rules.Frame, facts: Facts) -> rules.Facts:
    """The facts through the door for names."""
    sets = {"first": facts.first, "potted": facts.potted, "off_table": facts.off, "touching": facts.touching}
    sets |= {"touching_moved": facts.touching_moved, "touched": facts.touched, "moving": facts.moving}
    sets |= {"unspotted": facts.unspotted, "misspotted": facts.wrongly_spotted}
    sets["jumped_before"] = frozenset(item.ball for item in facts.jumped if item.before_first_contact)
    sets["jumped_after"] = frozenset(item.ball for item in facts.jumped if not item.before_first_contact)
    return rules.facts(
        frame,
        **{name: sorted(balls) for name, balls in sets.items()},
        observed=[name for flag, name in OBSERVED.items() if getattr(facts, flag)],
        played_by=1 if facts.out_of_turn else -1,
        placed=PLACED if facts.placed else None,
    )


def said(case: Case) -> dict[str, Any]:
    """The oracle's ruling in the words of `rules.Ruling`."""
    after = case.after
    options = {word for option in after.options for word in OPTION_WORDS[option]}
    options |= {"free_ball"} if after.free_ball and after.options else set()
    lot = bool(after.options & {"lot names the player", "lot winner chooses"})
    options |= set() if after.over else {"re_rack"} if lot else {"concede", "re_rack"}
    told: dict[str, Any] = {
        "points": after.points,
        "penalty": after.penalty,
        "decisions": options,
        "next_player": after.next_player,
        "lot_names_player": "lot names the player" in after.options,
        "free_ball": after.free_ball,
        "miss": after.miss,
        "warned": after.warned,
        "scores": after.scores,
        "frame_over": after.over,
        "winner": after.winner,
        "ball_on": "" if after.over else _ball_on(after),
    }
    if not after.over:
        played = 1 if case.facts.out_of_turn else 0
        told |= {"spotted": set(after.spotted), "turn_passes": after.next_player != played or lot}
    return told


def _ball_on(after: After) -> str:
    if after.phase == "colour":
        return "colour"
    return "red" if any(map(oracle.is_red, after.on)) else next(iter(after.on))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_single_face_says_the_same_in_words(edition):
    wrong = []
    for scenario in chain.from_iterable(FAMILIES.values()):
        for case in islice(cases_of(scenario, edition, stride(scenario, 8)), 12):
            frame = scenario.frame(edition, case.facts.touching, case.facts.wrongly_spotted)
            if is_refused(frame, case.facts, case.positions):
                wrong.append(Difference(scenario.name, edition, case.facts, {"refused": (True, "possible")}))
                continue
            decision = rules.Decision(nominated=case.facts.nominated)
            _, ruling = rules.referee(frame, package_facts(frame, case.facts), decision, case.positions)
            told = said(case)
            got = {name: getattr(ruling, name) for name in told}
            got |= {"decisions": set(ruling.decisions)}
            got |= {"spotted": {ball for ball, _ in ruling.spotted}} if "spotted" in told else {}
            fields = {name: (got[name], value) for name, value in told.items() if got[name] != value}
            wrong += [Difference(scenario.name, edition, case.facts, fields)] if fields else []
    assert not wrong, report(wrong)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_claim_is_among_the_decisions_of_both(edition):
    scenario = Scenario("pink on", "clearance", ("pink", "black"), scores=(30, 20))
    facts = Facts(first=frozenset({"pink"}), potted=frozenset({"pink"}))
    case = in_the_open(scenario.before(edition), facts)
    frame = scenario.frame(edition)
    _, ruling = rules.referee(frame, package_facts(frame, facts))
    assert set(ruling.decisions) == said(case)["decisions"]
    assert ("claim" in ruling.decisions) == (edition == "current")
    assert differences(scenario, edition, [case]) == []


def is_refused(frame: rules.Frame, facts: Facts, positions: np.ndarray) -> bool:
    try:
        rules.referee(frame, package_facts(frame, facts), rules.Decision(nominated=facts.nominated), positions)
    except ValueError:
        return True
    return False


WRONG_NOMINATIONS = (
    (Scenario("last red", "red", LAST_RED), "black"),
    (Scenario("colour", "colour", LAST_RED), "red"),
    (Scenario("pink on", "clearance", ("pink", "black")), "black"),
    (Scenario("free ball", "clearance", ("pink", "black"), True), "yellow"),
)


def refusals_that_differ(scenario: Scenario, every: int) -> Iterator[Difference]:
    """Combinations that only one of the two calls impossible."""
    before, told = scenario.before("current"), facts_of(scenario)
    positions = lying(OPEN_CUE, SPOTS | REDS)
    for number in range(0, len(told), every):
        why = oracle.contradictions(before, told[number])
        there = set(scenario.table)
        frame = scenario.frame("current", told[number].touching & there, told[number].wrongly_spotted & there)
        if is_refused(frame, told[number], at_rest(before, told[number], positions)) != bool(why):
            fields = {"refused": (not why, ", ".join(why) or "possible")}
            yield Difference(scenario.name, "current", told[number], fields)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_cannot_be_is_refused_and_nothing_else(family):
    wrong = [
        difference
        for scenario in FAMILIES[family]
        for difference in refusals_that_differ(scenario, stride(scenario, 200 if family == "flags" else 40))
    ]
    assert not wrong, report(wrong)


@pytest.mark.parametrize(("scenario", "nominated"), WRONG_NOMINATIONS, ids=str)
def test_a_nomination_out_of_place_is_refused(scenario, nominated):
    facts = Facts(nominated, first=frozenset({"black"}))
    before = scenario.before("current")
    assert oracle.contradictions(before, facts)
    positions = at_rest(before, facts, lying(OPEN_CUE, SPOTS | REDS))
    assert is_refused(scenario.frame("current"), facts, positions)
    assert not is_refused(scenario.frame("current"), Facts(None, first=facts.first), positions)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def kind_of(difference: Difference) -> str:
    """What differs, and which fouls only one side names."""
    package, other = difference.fields.get("faults", ([], []))
    more, fewer = sorted(set(package) - set(other)), sorted(set(other) - set(package))
    fields = ", ".join(sorted(difference.fields))
    return f"{fields} (only package: {', '.join(more) or '-'}; only oracle: {', '.join(fewer) or '-'})"


def run_all(every: int) -> int:
    """Compare each `every`-th combination of every scenario; print the differences; return their number."""
    total, start = 0, time.process_time()
    kinds: dict[str, tuple[int, str]] = {}
    for scenario in chain.from_iterable(FAMILIES.values()):
        for edition in EDITIONS:
            compared, found = compare(scenario, edition, every)
            total += compared
            for kind, text in ((kind_of(difference), str(difference)) for difference in found):
                count, shortest = kinds.get(kind, (0, text))
                kinds[kind] = count + 1, min(shortest, text, key=len)
        differ = sum(count for count, _ in kinds.values())
        say(f"{time.process_time() - start:8.1f} s  {total:9d} compared  {differ:8d} differ  {scenario.name}")
    for kind, (count, shortest) in sorted(kinds.items(), key=lambda item: -item[1][0]):
        say(f"{count:8d} {kind}\n         {shortest}")
    return sum(count for count, _ in kinds.values())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare the referee with the second statement of the rules.")
    parser.add_argument("--all", action="store_true", help="every combination: half an hour of one core")
    parser.add_argument("--every", type=int, default=97, help="every so many of them otherwise")
    given = parser.parse_args()
    sys.exit(1 if run_all(1 if given.all else given.every) else 0)
