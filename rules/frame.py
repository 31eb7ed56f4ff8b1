"""A frame of a game as an immutable value: the rules in force, the state, where the balls lie, and on which table.

Strokes and decisions make new frames (`rules.referee`, `rules.play`, `rules.decide`); nothing changes an old one.
A frame has a one-line text (`text`, `from_text`) and a JSON form (`to_json`, `from_json`), both exact.

Not modelled: matches of several frames (`rules.Match`).
"""

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.ball_on import balls_on, colours_of, kind_in_force
from rules.bed import Bed, bed_of
from rules.ruleset import BLACK, KIND_NAMES, MAX_BALLS, RED, RuleSet, ball_names, kind_name
from rules.state import OPTION_NAMES, PHASE_COLOUR, PHASE_NAMES, PHASE_OVER, PLAYER_0_FIRST, Floats, FrameState

if TYPE_CHECKING:
    from rules.snookered import Snookers
    from rules.strokes import Strokes
    from simcore import Table

APEX_GAP = 5e-4  # m from the pink to the first red: "as near as possible, not touching" (spec 1)
RACK_GAP = 1e-5  # m between neighbouring reds; both as in the opening that ships with the package


@lru_cache(maxsize=1)
def standard_table() -> "Table":
    """The table that frames are on unless another is given: full size, professional pockets."""
    from simcore import Table

    return Table.snooker()


def read_only(positions: Floats) -> Floats:
    """The array itself, no longer writable."""
    positions.setflags(write=False)
    return positions


def check_table(table: "Table | None") -> "Table":
    """The table, or the standard one for None; TypeError for anything else."""
    from simcore import Table

    if table is None:
        return standard_table()
    if not isinstance(table, Table):
        raise TypeError(f"table = {table!r}: expected simcore.Table, such as Table.snooker('club')")
    return table


def check_frame(frame: object) -> None:
    """TypeError unless it is a frame."""
    if not isinstance(frame, Frame):
        raise TypeError(f"frame = {frame!r:.80}: expected rules.Frame, such as rules.Frame.named('mid_frame')")


def rack(pink: tuple[float, float], radius: float, n_reds: int = 15) -> Floats:
    """Positions (n_reds, 2), m, of a triangle of reds behind the pink spot (spec 1)."""
    apex, pitch = pink[1] + 2.0 * radius + APEX_GAP, 2.0 * radius + RACK_GAP
    rows = [(row, i - 0.5 * row) for row in range(5) for i in range(row + 1)]
    places = [(pink[0] + across * pitch, apex + pitch * row * np.sqrt(0.75)) for row, across in rows]
    return np.array(places[:n_reds], dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One moment of a frame between strokes.

    Build with `start`, `named`, `from_json` or `from_text`, which check what they are given; the constructor trusts.
    """

    ruleset: RuleSet  # the rules in force
    state: FrameState  # phase, scores, who plays, what is open
    positions: Floats  # (22, 2), m, read-only; index 0 the cue ball, 1 to 6 the colours, then reds; nan = absent
    table: "Table"
    before: "Frame | None" = None  # the frame before a foul and a miss, kept while it can be restored
    description: str = ""  # what a position file says about it; no part of the value

    @classmethod
    def start(
        cls,
        game: str = "snooker",
        edition: str = "current",
        *,
        striker: int = 0,
        table: "Table | None" = None,
        **changes: Any,
    ) -> "Frame":
        """The opening of a frame: reds racked, colours on their spots, cue ball in hand.

        striker: who plays first, by his place in the order. table: one with the spots of snooker. changes: fields of
        `RuleSet` that differ, such as n_players=4 for pairs, or handicap=(0, 21) for points given before the start.
        Raises ValueError for an unknown game, edition, rule or player, or a table without spots. Source: spec 1, 3.2.
        """
        from rules.checks import check_player

        ruleset = RuleSet.named(game, edition, **changes)
        return opening(ruleset, check_table(table), check_player("striker", striker, ruleset.n_players))

    @classmethod
    def from_json(cls, path: str | os.PathLike[str], *, table: "Table | None" = None) -> "Frame":
        """The frame in a JSON file, or in the text that `to_json` gives, known by its first brace.

        Raises ValueError that tells the file, and the line and column or the entry that is wrong; OSError for a file
        that cannot be read; TypeError for anything else than a path or a text.
        """
        from rules.files import frame_of, is_document, parse_json, read_frame

        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"path = {path!r:.80}: expected a path of a JSON file, or the text of to_json")
        if is_document(path):
            return frame_of(parse_json(str(path)), check_table(table))
        return read_frame(path, check_table(table))

    @classmethod
    def named(cls, name: str, *, table: "Table | None" = None) -> "Frame":
        """A frame that ships with the package, one of `rules.position_names()`."""
        from rules.files import named_frame

        return named_frame(name, check_table(table))

    @classmethod
    def from_text(cls, text: str, *, table: "Table | None" = None) -> "Frame":
        """The frame written in the one-line notation; ValueError quotes the word that is wrong."""
        from rules.notation import parse_frame

        if not isinstance(text, str):
            raise TypeError(f"text = {text!r:.80}: expected str, a frame in the one-line notation")
        return parse_frame(text, check_table(table))

    @property
    def text(self) -> str:
        """The frame in one line, exact: `Frame.from_text(frame.text) == frame`."""
        from rules.notation import print_frame

        return print_frame(self)

    def to_json(self, description: str = "") -> str:
        """The frame as JSON text in the form of the position files, exact."""
        from rules.files import frame_document

        return frame_document(self, description)

    @property
    def bed(self) -> Bed:
        """Marks of the table as kernels take them."""
        return bed_of(self.table, self.ruleset)

    @property
    def phase(self) -> str:
        """Phase of play: "red", "colour", "clearance", "respotted" or "over"."""
        return PHASE_NAMES[self.state.phase]

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the sides."""
        return self.state.scores[: self.ruleset.n_sides]

    @property
    def striker(self) -> int:
        """Player to play or to decide."""
        return self.state.striker

    @property
    def is_over(self) -> bool:
        """Whether the frame is over."""
        return self.state.phase == PHASE_OVER

    @property
    def options(self) -> tuple[str, ...]:
        """Decisions open to the striker; while there are any, no stroke is played."""
        return tuple(name for i, name in enumerate(OPTION_NAMES) if self.state.options >> i & 1)

    @property
    def decisions(self) -> tuple[str, ...]:
        """All that `rules.decide` takes now: the options, then "concede", "claim" and "re_rack" where they are open."""
        from rules.decisions import open_decisions

        return open_decisions(self)

    @property
    def reds_left(self) -> int:
        """Number of reds on the table."""
        return int(self.state.on_table & self.ruleset.kind_masks[RED]).bit_count()

    @property
    def cue_in_hand(self) -> bool:
        """Whether the cue ball is to be placed, in the D or as `state.cue_in_hand` says."""
        return bool(self.state.cue_in_hand)

    @property
    def colours(self) -> tuple[str, ...]:
        """Kind of every ball by index, "cue", "yellow" … "red": what pictures colour them by (22 names)."""
        return KIND_NAMES[:RED] + (KIND_NAMES[RED],) * (MAX_BALLS - RED)

    def placed(self, strokes: "Strokes") -> Floats:
        """Where the balls lie when the cue ball is struck: (..., 22, 2), m, for strokes of shape (...)."""
        places = np.array(np.broadcast_to(self.positions, (*strokes.shape, MAX_BALLS, 2)))
        given = ~np.isnan(strokes.cue_ball[..., 0])
        places[given, 0] = strokes.cue_ball[given]
        return places

    def nominations(self) -> tuple[str | None, ...]:
        """What may be declared with the next stroke: colours to choose, None first when nothing need be declared."""
        state, ruleset = self.state, self.ruleset
        colours = ball_names(colours_of(ruleset, state.on_table))
        if state.phase == PHASE_COLOUR:
            return colours
        on = ball_names(balls_on(ruleset, state, 0))
        return (None, *(name for name in colours if name not in on)) if state.free_ball else (None,)

    def balls_on(self, nominated: str | None = None) -> tuple[int, ...]:
        """Indices of the balls that the next stroke may hit first when `nominated` is declared; () with none to choose.

        With a colour to choose and None, no ball is on yet. Raises ValueError for a nomination out of place.
        """
        from rules.ball_on import balls_on_of
        from rules.checks import nominated_kind

        kind = kind_in_force(self.ruleset, self.state, nominated_kind(self, nominated), 0)
        first = balls_on_of(self.ruleset, self.state, kind).first
        return tuple(ball for ball in range(MAX_BALLS) if first >> ball & 1)

    @property
    def is_snookered(self) -> bool:
        """Whether the player to play is snookered, as `Frames.snookered`."""
        return bool(self._snooker().is_snookered[0])

    @property
    def snookering_balls(self) -> tuple[str, ...]:
        """Names of the effective snookering balls, () for none; as `Frames.snookered`."""
        return ball_names(int(self._snooker().effective[0]))

    def _snooker(self) -> "Snookers":
        from rules.frames import Frames

        return Frames.of([self]).snookered()

    @property
    def ball_on(self) -> str:
        """The ball on in words: "red", a colour, "colour" when one is to be chosen, "" when the frame is over."""
        state = self.state
        if state.phase == PHASE_OVER:
            return ""
        if state.phase == PHASE_COLOUR:
            return kind_name(state.nominated) if state.nominated else "colour"
        names = ball_names(balls_on(self.ruleset, state, 0))
        return names[0].split()[0] if names else KIND_NAMES[BLACK]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frame):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        # All nans are one; the table counts by what it is, so that a frame read back equals the one written.
        places = np.where(np.isnan(self.positions), np.inf, self.positions).tobytes()
        return self.ruleset, self.state, places, self.table, self.before

    def __reduce__(self) -> tuple[Any, ...]:  # so that copies from pickle and deepcopy are read-only too
        return _remade, (self.ruleset, self.state, self.positions, self.table, self.before, self.description)

    def __repr__(self) -> str:
        """What the one-line notation says before the balls, and how many of these there are; `text` has all."""
        from rules.notation import frame_words

        return f"<Frame {' '.join(frame_words(self))}, {int(self.state.on_table).bit_count()} on the table>"

    def __str__(self) -> str:
        """The score and what is to come, for a person: players and sides are counted from 1."""
        from rules.prospects import points_available
        from rules.wording import Call

        score = "–".join(str(points) for points in self.scores)
        if self.is_over and self.state.winner < 0:
            return Call.FRAME_TIED.format(score=score)
        if self.is_over:
            return Call.FRAME_TO.format(name=f"side {self.state.winner + 1}", score=score)
        if self.state.options >= PLAYER_0_FIRST:
            level = [i for i in range(self.ruleset.n_players) if self.state.options & PLAYER_0_FIRST << i]
            return f"{score}. Lot: {' or '.join(Call.PLAYER.format(n=i + 1) for i in level)} first?"
        who = Call.PLAYER.format(n=self.striker + 1)
        if self.options:
            return f"{score}. {who}: {', '.join(self.options)}?"
        ball = "free ball" if self.state.free_ball else f"{self.ball_on} on"
        return f"{score}. {who}: {ball}, break {self.state.break_points}, {points_available(self)} left."


def opening(ruleset: RuleSet, table: "Table", striker: int) -> Frame:
    """The frame about to be opened by `striker`; ValueError for a table without the spots of the game."""
    missing = [name for name in KIND_NAMES[1:RED] if name not in table.spots]
    if missing:
        raise ValueError(f"table = {table!r}: it has no {missing[0]} spot, expected one such as Table.snooker()")
    positions = np.full((MAX_BALLS, 2), np.nan)
    for kind in range(1, RED):
        positions[kind] = table.spots[KIND_NAMES[kind]]
    positions[RED : RED + ruleset.n_reds] = rack(table.spots["pink"], ruleset.ball_radius, ruleset.n_reds)
    state = FrameState(
        on_table=mask_of(positions),
        striker=striker,
        first_striker=striker,
        cue_in_hand=1,
        scores=ruleset.handicap,
    )
    return Frame(ruleset, state, read_only(positions), table)


def _remade(ruleset: RuleSet, state: FrameState, positions: Floats, *rest: Any) -> Frame:
    """A frame from the values of its fields, with positions of its own."""
    return Frame(ruleset, state, read_only(np.array(positions)), *rest)


def mask_of(positions: Floats) -> int:
    """Set of the balls that are present in `positions` (n, 2)."""
    present = np.flatnonzero(~np.isnan(positions[:, 0]))
    return sum(1 << int(ball) for ball in present)
