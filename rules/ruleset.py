"""What distinguishes one game and edition from another, as data: a named tuple of integers that kernels take as it is.

Editions follow the columns of spec 13: "1995" (the old text), "es" (the Spanish one, the old text where it is silent)
and "current" (WPBSA). A switch appears here when the referee reads it; the others of spec 13 come with their rules.

A variant of snooker is snooker with other data: `VARIANTS` has the fields in which each differs (spec 11), and the one
referee reads them.

Not modelled: Novuss.
"""

from typing import Any, NamedTuple

import numpy as np

from rules.state import MAX_SIDES

MAX_BALLS = 22  # balls in a layout, the cue ball included
MAX_KINDS = 10  # room for the kinds of every game of the family; unused kinds have an empty mask
YELLOW, GREEN, BROWN, BLUE, PINK, BLACK, RED = range(1, 8)  # kinds; 0 is the cue ball's
KIND_NAMES = ("cue", "yellow", "green", "brown", "blue", "pink", "black", "red")

SNOOKER = 0
GAME_NAMES = ("snooker", "six-red", "six-red-amateur")
CURRENT, OLD, SPANISH = range(3)
EDITION_NAMES = ("current", "1995", "es")
JUDGED_MISS, FULL_BALL_MISS, NO_MISS = range(3)
FREE_TABLE_NAMES = ("never", "last_miss", "any_foul")
NEVER, LAST_MISS, ANY_FOUL = range(3)
MISS_LEVEL_NAMES = ("off", "amateur", "club", "pro")
COMMON_BALL, NEAREST_BALL = range(2)
PENALTY_NAMES = ("next_player", "all_others", "previous_player")
NEXT_PLAYER, ALL_OTHERS, PREVIOUS_PLAYER = range(3)


class RuleSet(NamedTuple):
    """The rules in force: hashable, comparable, and passed by value into kernels."""

    game: int = SNOOKER  # index into GAME_NAMES
    edition: int = CURRENT  # index into EDITION_NAMES; only the wording of rulings reads it, rules read the switches
    kind_masks: tuple[int, ...] = ()  # ball set of each kind, bit i = ball i (MAX_KINDS,)
    values: tuple[int, ...] = ()  # points of each kind (MAX_KINDS,)
    n_reds: int = 15  # reds in the rack
    n_players: int = 2  # players, who play in turn; player p is of side p % n_sides
    n_sides: int = 2  # sides; pairs are four players of two sides (3.14), players each for himself as many sides
    penalty_to: int = NEXT_PLAYER  # whose side gets the penalty points: index into PENALTY_NAMES (spec 9)
    min_penalty: int = 4  # least penalty of any foul (spec D22)
    max_penalty: int = 7  # penalty of the fouls of clause 3.11.4, and the value of a colour not nominated
    moving_ball_counts: int = 1  # striking while balls move costs the moving ball's value too (D5)
    successive_red: int = 0  # 1: any red met first when a colour is on costs 7 (D6)
    miss_rule: int = FULL_BALL_MISS  # JUDGED_MISS: what the referee judged; FULL_BALL_MISS: WPBSA 3.14 (D9); NO_MISS
    max_misses: int = 0  # misses in a row after which the balls are not put back any more, 0 = there is no such number
    free_table: int = NEVER  # after what the next player may place the cue ball anywhere: index into FREE_TABLE_NAMES
    free_balls: int = 1  # 0: a player snookered after a foul gets no free ball
    nominee_snookers: int = 0  # 1: it is a foul to snooker the next player behind a nominated colour too (six-red)
    miss_level: int = 0  # how a miss is judged where the clauses leave it to the referee: index into MISS_LEVEL_NAMES
    hampered_restores: int = 1  # 1: a ball fouled in preparing a stroke when snookered or hampered may be put back
    angled_in_hand: int = 0  # 1: in hand may be chosen when angled after a foul (D11)
    effective_ball: int = COMMON_BALL  # which ball snookers when the balls on are hidden by different ones (D25)
    jump_over_any: int = 1  # 1: any ball jumped but for three exceptions; 0: one before the ball on, or that (D27)
    wrong_spot_foul: int = 0  # 1: playing with a wrongly spotted ball is a foul (D4)
    nominee_with_reds: int = 1  # 0: a nominee potted with reds scores nothing (Spanish clause 9.7 to the letter, D8)
    later_fouls: int = 1  # 1: fouls that only the current text names (cue, conferring, replacement, declaring)
    early_stroke_cancels: int = 1  # 1: a stroke before the colour just potted is back cancels its points (D4)
    respot_on_tie: int = 1  # 0: a tied frame stands (aggregate matches but for their last frame)
    carried: tuple[int, ...] = (0,) * MAX_SIDES  # points of earlier frames that count too (last frame of an aggregate)
    handicap: tuple[int, ...] = (0,) * MAX_SIDES  # points of the sides before every frame begins
    claim_lead: int = 7  # with only the black left, the frame may be claimed when further ahead; 0 = no claims (D16)
    lot_names_player: int = 0  # 1: the lot names who plays the re-spotted black first; 0: its winner chooses (D26)
    feet_foul: int = 1  # 0: wheelchair modification (spec 0, row 5)
    positions_known: int = 1  # 0: a match scored by hand: what positions decide is told as observed facts
    ball_radius: float = 0.02625  # m; 52.5 mm balls (spec 1)

    @classmethod
    def named(cls, game: str = "snooker", edition: str = "current", **changes: Any) -> "RuleSet":
        """Rules of `game` in `edition`, with single fields changed; ValueError names what is unknown."""
        if game not in GAME_NAMES:
            raise ValueError(f"game {game!r} is not known; expected one of {', '.join(GAME_NAMES)}")
        if edition not in EDITION_NAMES:
            raise ValueError(f"edition {edition!r} is not known; expected one of {', '.join(EDITION_NAMES)}")
        for name in sorted(changes):
            if name not in CHANGEABLE:
                raise ValueError(f"rule {name!r} is not known; expected one of {', '.join(CHANGEABLE)}")
        standard = _STANDARD[edition]._replace(game=GAME_NAMES.index(game), **VARIANTS[game])
        return checked_rules(standard._replace(**changes))


CHANGEABLE = tuple(name for name in RuleSet._fields if name not in ("game", "edition", "kind_masks", "values"))
RANGES = {  # of the integers; of those not here, the switches, 0 to 1
    "n_reds": (1, 15),
    "n_players": (2, MAX_SIDES),
    "n_sides": (2, MAX_SIDES),
    "penalty_to": (0, len(PENALTY_NAMES) - 1),
    "miss_rule": (0, NO_MISS),
    "max_misses": (0, 100),
    "free_table": (0, len(FREE_TABLE_NAMES) - 1),
    "min_penalty": (1, 100),
    "max_penalty": (1, 100),
    "miss_level": (0, len(MISS_LEVEL_NAMES) - 1),
    "claim_lead": (0, 1000),
}
MAX_SCORE = 10**6  # points of a side in a frame; no stroke is played by a score so near to it that it might be passed
SCORE_MARGIN = 1000  # more than the points of any stroke or forfeit
POINTS = {"carried": 10**4 * MAX_SCORE - 1, "handicap": 147}  # of the rules that are points of sides: the most of one
RADII = (0.01, 0.05)  # m


def checked_rules(rules: RuleSet) -> RuleSet:
    """The rules if every field is of its type and range and sides and players fit; ValueError names what does not."""
    plain = [name for name in CHANGEABLE if name not in (*POINTS, "ball_radius")]
    changes: dict[str, Any] = {name: _integer(name, getattr(rules, name), *RANGES.get(name, (0, 1))) for name in plain}
    rules = rules._replace(**changes)
    radius = rules.ball_radius
    if isinstance(radius, bool) or not isinstance(radius, float | int) or not RADII[0] <= radius <= RADII[1]:
        raise ValueError(f"ball_radius = {radius!r}: expected metres, {RADII[0]} to {RADII[1]}")
    if rules.n_players % rules.n_sides:
        each = f"{rules.n_sides} times 1, 2 …; each for himself with n_sides={rules.n_players}"
        raise ValueError(f"n_players = {rules.n_players}: expected n_sides = {each}")
    if rules.max_penalty < rules.min_penalty:
        raise ValueError(f"max_penalty = {rules.max_penalty}: expected at least min_penalty = {rules.min_penalty}")
    carried = _points_of_sides("carried", rules.carried, rules.n_sides)
    handicap = _points_of_sides("handicap", rules.handicap, rules.n_sides)
    return rules._replace(ball_radius=float(radius), carried=carried, handicap=handicap)


def _points_of_sides(name: str, points: object, n_sides: int) -> tuple[int, ...]:
    """The points of the sides, 0 for those that are not told or not there."""
    if not isinstance(points, tuple | list | np.ndarray) or np.ndim(points) != 1 or len(points) > MAX_SIDES:
        raise ValueError(f"{name} = {points!r:.80}: expected points of at most {MAX_SIDES} sides")
    told = tuple(_integer(f"{name}[{side}]", of_side, 0, POINTS[name]) for side, of_side in enumerate(points))
    for side, of_side in enumerate(told):
        if of_side and side >= n_sides:
            raise ValueError(f"{name}[{side}] = {of_side}: expected points of {n_sides} sides only")
    return (*told, *(0,) * (MAX_SIDES - len(told)))


def _integer(name: str, value: object, low: int, high: int) -> int:
    is_integer = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_integer or not low <= value <= high:  # type: ignore[operator]
        raise ValueError(f"{name} = {value!r:.80}: expected an integer from {low} to {high}")
    return int(value)  # type: ignore[call-overload,no-any-return]


def _padded(entries: tuple[int, ...]) -> tuple[int, ...]:
    return entries + (0,) * (MAX_KINDS - len(entries))


_REDS_MASK = sum(1 << ball for ball in range(RED, MAX_BALLS))
_CURRENT = RuleSet(
    kind_masks=_padded((*(1 << ball for ball in range(RED)), _REDS_MASK)),
    values=_padded((0, 2, 3, 4, 5, 6, 7, 1)),
)
_OLD = _CURRENT._replace(
    edition=OLD,
    moving_ball_counts=0,
    miss_rule=JUDGED_MISS,
    hampered_restores=0,
    angled_in_hand=1,
    effective_ball=NEAREST_BALL,
    jump_over_any=0,
    wrong_spot_foul=1,
    later_fouls=0,
    early_stroke_cancels=0,
    claim_lead=0,
    lot_names_player=1,
)
_STANDARD = {
    "current": _CURRENT,
    "1995": _OLD,
    "es": _OLD._replace(edition=SPANISH, successive_red=1, lot_names_player=0),
}
VARIANTS: dict[str, dict[str, Any]] = {  # in what the rules of each game differ from those of snooker (spec 11)
    "snooker": {},
    "six-red": {"n_reds": 6, "max_misses": 5, "free_table": LAST_MISS, "nominee_snookers": 1},
    "six-red-amateur": {
        "n_reds": 6,
        "miss_rule": NO_MISS,
        "free_table": ANY_FOUL,
        "free_balls": 0,
        "nominee_snookers": 1,
    },
}


def kind_name(kind: int) -> str:
    """Name of a kind of ball; 0 (the cue ball's kind) stands for "none" in nominations and is refused here."""
    if not 1 <= kind < len(KIND_NAMES):
        raise ValueError(f"kind {kind} has no object ball; expected 1 to {len(KIND_NAMES) - 1}")
    return KIND_NAMES[kind]


def kind_number(name: str | None, what: str = "nominated") -> int:
    """Kind of the ball called `name`, 0 for None; ValueError quotes the name and lists the known ones."""
    if name is None:
        return 0
    if name not in KIND_NAMES[1:]:
        raise ValueError(f"{what} {name!r} is not a ball; expected one of {', '.join(KIND_NAMES[1:])} or None")
    return KIND_NAMES.index(name)


def ball_name(ball: int) -> str:
    """Name of a ball by its index: "cue", "yellow" … "black", "red 1" … "red 15"."""
    return KIND_NAMES[ball] if ball < RED else f"red {ball - RED + 1}"


def ball_names(mask: int) -> tuple[str, ...]:
    """Names of the balls of a set, by index."""
    return tuple(ball_name(ball) for ball in range(MAX_BALLS) if mask >> ball & 1)
