"""What the steps of a match say of its players: visits and breaks, pots, fouls, and success without flukes.

Only fair pots count (2.11.1), and nothing of a frame that was re-racked, which is not recorded (article of the source
on stalemates). A break is what is scored in one visit to the table; one that a foul ends keeps its points (3.10.1d).
Points that a forfeit annuls in the score stay in a player's figures.

What a striker meant is known only where it was told (`StrokeLine.intended`), and only from those strokes come attempts,
safeties and flukes. An attempt succeeds when the very ball that was meant is potted. A stroke that pots, but not the
ball that was meant, is a fluke; so is one that pots when safety was meant. A second ball beside the one meant is none.
Strokes of which nothing was told are counted as `untold`.

Not modelled: pockets (a ball that falls into another pocket than the one meant was potted), and how hard a pot was.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.ball_on import points_on_table
from rules.faults import is_to_be_counted
from rules.match import Match
from rules.sides import side_of
from rules.state import RE_RACK
from rules.steps import SAFETY, Step, StrokeStep


@dataclass(frozen=True, slots=True)
class Visit:
    """The strokes of one player from coming to the table until his turn ends."""

    number: int  # of the frame, from 0
    player: str
    strokes: tuple[StrokeStep, ...]  # at least one; a foul without a stroke is one of them

    @property
    def points(self) -> int:
        """Points scored, the break; an early stroke takes off those of the colour not yet back (WPBSA 3.3(g))."""
        return sum(points_of(step) for step in self.strokes)

    @property
    def is_maximum(self) -> bool:
        """Whether all there was from a full rack was scored: 147, or 155 beginning with a free ball (spec 10)."""
        first = self.strokes[0]
        rules, state = first.before.ruleset, first.before.state
        began_free = state.free_ball and first.ruling.nominated not in (None, "red")
        there_was = points_on_table(rules, state._replace(free_ball=int(began_free)))
        return first.before.reds_left == rules.n_reds and self.points == there_was


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """Figures of one player over a match; strokes, pots and points of fair strokes only."""

    visits: int  # to the table
    strokes: int  # played; fouls before the cue ball was struck and strokes to be played again are none
    points: int  # scored by potting
    pots: int  # balls potted
    breaks: tuple[int, ...]  # points of each visit that scored, in order
    maximums: int  # 147, or 155 with a free ball
    fouls: int  # strokes (or what came before them) with a foul
    misses: int  # of them called a foul and a miss
    penalty: int  # points of these fouls
    attempts: int  # strokes told to be meant as a pot
    successes: int  # of them potted the ball that was meant
    flukes: int  # strokes that potted, but not what was meant
    fluke_points: int  # scored by them
    safeties: int  # strokes told to be meant as a safety, and seen to hold or not
    held: int  # of them fair, and nothing was scored in the visit that followed
    untold: int  # strokes of which it is not told what was meant

    @property
    def highest_break(self) -> int:
        """Points of the best break, 0 without one."""
        return max(self.breaks, default=0)

    @property
    def fifties(self) -> int:
        """Breaks of 50 and more, centuries among them."""
        return sum(points >= 50 for points in self.breaks)

    @property
    def centuries(self) -> int:
        """Breaks of 100 and more."""
        return sum(points >= 100 for points in self.breaks)

    @property
    def pot_success(self) -> float | None:
        """Share of attempts that succeeded, flukes left out; None without attempts."""
        return self.successes / self.attempts if self.attempts else None

    @property
    def safety_success(self) -> float | None:
        """Share of safeties that held; None without any."""
        return self.held / self.safeties if self.safeties else None


def points_of(step: StrokeStep) -> int:
    """Points by which a stroke changed the score of the striker's side."""
    side = side_of(step.before.ruleset, step.ruling.striker)
    return step.after.scores[side] - step.before.scores[side]


def pots_of(step: StrokeStep) -> tuple[str, ...]:
    """Balls potted in a stroke, none if it was a foul."""
    return () if step.ruling.fouls else step.ruling.potted


def is_played(step: StrokeStep) -> bool:
    """Whether the cue ball was struck, and the stroke is not to be played again (3.8.2)."""
    return is_to_be_counted(step.told.facts)


def is_success(step: StrokeStep) -> bool:
    """Whether the ball that was meant was potted."""
    return any(step.told.intended in (name, name.split()[0]) for name in pots_of(step))


def is_fluke(step: StrokeStep) -> bool:
    """Whether something was potted, but not what was meant."""
    return step.told.intended != "" and bool(pots_of(step)) and not is_success(step)


def visits(match: Match) -> tuple[Visit, ...]:
    """All visits to the table in order, those of frames that were re-racked left out; TypeError for no match."""
    if not isinstance(match, Match):
        raise TypeError(f"match = {match!r:.80}: expected rules.Match, such as rules.Match.start(['Ann', 'Ben'])")
    groups: list[list[StrokeStep]] = []
    turn_over = True
    for step in _recorded(match.history):
        if not isinstance(step, StrokeStep):
            continue
        if turn_over or step.number != groups[-1][-1].number or step.player != groups[-1][-1].player:
            groups.append([])
        groups[-1].append(step)
        turn_over = step.ruling.turn_passes
    return tuple(Visit(group[0].number, group[0].player, tuple(group)) for group in groups)


def _recorded(history: Sequence[Step]) -> list[Step]:
    """The steps without those of each frame before its last re-rack."""
    kept: list[Step] = []
    for step in history:
        if step.decision == RE_RACK:
            kept = [earlier for earlier in kept if earlier.number != step.number]
        kept.append(step)
    return kept


def _holds(visit: Visit, following: Visit | None) -> bool | None:
    """Whether the safety that ended a visit held: None if none did, or nobody has played since.

    A foul does not hold, whatever follows; a fluke keeps the turn, so it is no safety.
    """
    last = visit.strokes[-1]
    if last.told.intended != SAFETY or pots_of(last):
        return None
    if last.ruling.fouls:
        return False
    return following.points == 0 if following and following.number == visit.number else None


def player_statistics(match: Match) -> dict[str, PlayerStatistics]:
    """Figures of every player of a match by name, in the order of the sides."""
    turns = visits(match)
    held = [_holds(turn, following) for turn, following in zip(turns, (*turns[1:], None), strict=False)]
    names = [name for side in match.sides for name in side]
    return {
        name: _figures(
            [turn for turn in turns if turn.player == name],
            [seen for turn, seen in zip(turns, held, strict=True) if turn.player == name and seen is not None],
        )
        for name in names
    }


def _figures(turns: Sequence[Visit], safeties: Sequence[bool]) -> PlayerStatistics:
    """Figures of a player from his visits, and from whether each of his safeties held."""
    steps = [step for turn in turns for step in turn.strokes]
    played = [step for step in steps if is_played(step)]
    fouls = [step.ruling for step in steps if step.ruling.fouls]
    flukes = [step for step in played if is_fluke(step)]
    attempts = [step for step in played if step.told.intended not in ("", SAFETY)]
    return PlayerStatistics(
        visits=len(turns),
        strokes=len(played),
        points=sum(turn.points for turn in turns),
        pots=sum(len(pots_of(step)) for step in played),
        breaks=tuple(turn.points for turn in turns if turn.points > 0),
        maximums=sum(turn.is_maximum for turn in turns),
        fouls=len(fouls),
        misses=sum(ruling.miss for ruling in fouls),
        penalty=sum(ruling.penalty for ruling in fouls),
        attempts=len(attempts),
        successes=sum(is_success(step) for step in attempts),
        flukes=len(flukes),
        fluke_points=sum(points_of(step) for step in flukes),
        safeties=len(safeties),
        held=sum(safeties),
        untold=sum(step.told.intended == "" for step in played),
    )
