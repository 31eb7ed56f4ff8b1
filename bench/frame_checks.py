"""Check every stroke of many frames: is what the referee made of it possible? Written anew, from the rule texts.

The checks know the state before, the facts, the ruling and the state after, and reckon points, turns, phases and ends
by themselves; nothing is asked of the referee's parts. One function a check, (n,) true where a stroke violates it.

Not checked here: which faults the facts are, the miss, and what players decide between strokes (`bench.self_play`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bench.place_checks import COLOURS, DOUBTFUL, HIDDEN, OFF_BED, OVERLAPS, REDS, WRONG_SPOT
from rules.ruleset import ALL_OTHERS, ANY_FOUL, FULL_BALL_MISS, LAST_MISS, MAX_BALLS, NEVER, PREVIOUS_PLAYER, RuleSet
from rules.ruling import RulingArrays
from rules.state import (
    ANGLED,
    ANYWHERE,
    BEHIND_FREE_BALL,
    FREE_BALL,
    HAMPERED,
    IN_HAND,
    KEEP_BALL_ON,
    NEXT_SNOOKERED,
    NO_STROKE,
    PHASE_CLEARANCE,
    PHASE_COLOUR,
    PHASE_OVER,
    PHASE_RED,
    PHASE_RESPOTTED,
    PLAY,
    PLAY_AGAIN,
    PLAYER_0_FIRST,
    REPLACE_BALLS,
    RESTORE,
    SCORES,
    WOULD_BE_HIT,
    WRONG_CUE_BALL,
    FactsArrays,
    FrameState,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

VALUES = np.array([0, 2, 3, 4, 5, 6, 7] + [1] * 15)  # points of every ball by its index
BLACK = 1 << 6
PENALTIES = 4, 7  # least and greatest
HALVES = KEEP_BALL_ON | REPLACE_BALLS  # of what restoring a position restores
LOSING_MISSES = 3  # failures in a row, with a full ball on offer at the first


def columns(states: Ints) -> FrameState:
    """The states of an (n, N_STATE) array as one whose fields are arrays (n,), the scores one of (n, MAX_SIDES)."""
    return FrameState._make((*np.ascontiguousarray(states[:, :SCORES].T), states[:, SCORES:]))


# --- parts of the reckoning ------------------------------------------------------------------------------------------


def lowest(balls: Ints) -> Ints:
    """The ball of least index of every set, as a set; of colours the one of least value."""
    return balls & -balls


def value_of(balls: Ints) -> Ints:
    """Points of the balls of every set together."""
    bits = balls[:, None] >> np.arange(MAX_BALLS) & 1
    values: Ints = bits @ VALUES
    return values


@dataclass(frozen=True, eq=False)
class Strokes:
    """One stroke of each of n frames, as the checks see it."""

    rules: RuleSet
    before: FrameState  # every field an array, see `columns`
    layouts: Floats  # (n, 22, 2), m, when the cue ball was struck
    facts: FactsArrays
    nominated: Ints  # (n,)
    ends: Floats  # (n, 22, 2), m, where the balls came to rest
    rulings: RulingArrays
    after: FrameState  # as `before`
    scores: Ints  # (n, n_sides), reckoned by the caller before the stroke
    faults: Floats  # (n, 3), of `misplaced`
    views: Ints  # (n,), of `views_after`
    views_before: Ints  # (n,), of `views_before`, DOUBTFUL of a stroke that was made

    def seen(self, flags: int) -> Flags:
        """Whether any of some facts was observed."""
        seen: Flags = self.facts.observed & flags != 0
        return seen

    @cached_property
    def fair(self) -> Flags:
        """Whether there was no foul."""
        fair: Flags = self.rulings.penalty == 0
        return fair

    @cached_property
    def replayed(self) -> Flags:
        """Whether all balls are put back, since one fell by itself that would have been hit."""
        return (self.facts.fell != 0) & self.seen(WOULD_BE_HIT)

    @cached_property
    def void(self) -> Flags:
        """Whether nothing happened that counts."""
        return self.fair & (self.replayed | self.seen(NO_STROKE | WRONG_CUE_BALL))

    @cached_property
    def scored(self) -> Ints:
        """Balls that score if the stroke is fair, as sets."""
        colours = self.before.on_table & COLOURS
        declared = np.where(self.rulings.kind > 0, np.int64(1) << self.rulings.kind, 0) & colours
        on = np.where(self.before.phase == PHASE_RED, self.before.on_table & REDS, lowest(colours))
        free = np.where(self.before.free_ball == 1, declared, 0)
        return self.facts.potted & np.where(self.before.phase == PHASE_COLOUR, declared, on | free)

    @cached_property
    def points(self) -> Ints:
        """Points that the balls give, 0 in a foul stroke."""
        balls = self.scored
        low = value_of(lowest(self.before.on_table & COLOURS))
        cleared = np.where(balls != 0, low, 0)
        reds = np.bitwise_count(balls)
        points = np.choose(self.before.phase, (reds, value_of(balls), cleared, cleared, 0 * low))
        return np.where(self.fair & ~self.void, points, 0)

    @cached_property
    def gone(self) -> Ints:
        """Balls that left the bed, as sets."""
        gone = (self.facts.potted | self.facts.off_table) & self.before.on_table
        return np.where(self.replayed, 0, gone)

    @cached_property
    def last_ball(self) -> Flags:
        """Whether only the black was left."""
        last: Flags = (self.before.on_table & (COLOURS | REDS) == BLACK) & (self.before.phase >= PHASE_CLEARANCE)
        return last

    @cached_property
    def decided(self) -> Flags:
        """Whether the stroke was the last, or led to the re-spotted black."""
        return self.last_ball & (~self.fair | (self.points > 0))

    def leaders(self, carried: bool) -> Flags:
        """Sides that have the most points after the stroke (n, n_sides)."""
        scores = self.scores_after + (np.array(self.rules.carried[: self.rules.n_sides]) if carried else 0)
        leading: Flags = scores == scores.max(axis=1, keepdims=True)
        return leading

    @cached_property
    def respotted(self) -> Flags:
        """Whether the black is put back since sides are level."""
        tied = self.leaders(True).sum(axis=1) > 1
        return self.decided & tied & bool(self.rules.respot_on_tie)

    @cached_property
    def lost_by_misses(self) -> Flags:
        """Whether it was the third failure in a row from one position."""
        third = (self.before.misses >= LOSING_MISSES - 1) & (self.before.full_ball == 1)
        return third & (self.rulings.miss == 1) & (self.rules.miss_rule == FULL_BALL_MISS)

    @cached_property
    def last_miss(self) -> Flags:
        """Whether it was the last miss in a row after which the balls might have been put back."""
        most = self.rules.max_misses
        return (self.rulings.miss == 1) & (self.after.misses >= most) & (most > 0)

    @cached_property
    def over(self) -> Flags:
        """Whether the frame is over."""
        return (self.decided & ~self.respotted) | self.lost_by_misses

    @cached_property
    def actor(self) -> Ints:
        """Who played."""
        return np.where(self.facts.played_by >= 0, self.facts.played_by, self.before.striker)

    @cached_property
    def place(self) -> Ints:
        """Whose turn it was."""
        return np.where(self.before.turn >= 0, self.before.turn, self.before.striker)

    @cached_property
    def level_sides(self) -> Flags:
        """Sides that are in the game (n, n_sides): on the re-spotted black those that are level, else all."""
        scores = self.scores + np.array(self.rules.carried[: self.rules.n_sides])
        level: Flags = (scores == scores.max(axis=1, keepdims=True)) | (self.before.phase != PHASE_RESPOTTED)[:, None]
        level &= self.before.conceded[:, None] >> np.arange(self.rules.n_sides) & 1 == 0
        return level

    @cached_property
    def next_player(self) -> Ints:
        """Who comes when the turn passes: the next in order; after a stroke out of turn the first of another side.

        Only sides that are level play the re-spotted black.
        """
        n, sides = self.rules.n_players, self.rules.n_sides
        out_of_turn = self.actor != self.before.striker
        level = self.level_sides
        found = np.full(len(out_of_turn), -1)
        for step in range(n + 1):
            player = (self.place + step) % n
            own = player % sides == self.actor % sides
            fits = level[np.arange(len(player)), player % sides] & (~own if step == 0 else ~(own & out_of_turn))
            fits &= out_of_turn if step == 0 else True
            found = np.where((found < 0) & fits, player, found)
        return found

    @cached_property
    def paid_sides(self) -> Flags:
        """Sides that get a penalty (n, n_sides); on the re-spotted black only those who are level."""
        sides, own = self.rules.n_sides, self.actor % self.rules.n_sides
        each = np.arange(sides)
        others: Flags = (each != own[:, None]) & self.level_sides
        if sides == 2 or self.rules.penalty_to == ALL_OTHERS:
            return others
        back = self.rules.penalty_to == PREVIOUS_PLAYER
        player = self.place - 1 if back else self.next_player
        paid = np.full(len(own), -1)
        for step in range(self.rules.n_players):
            side = (player + (-step if back else step)) % self.rules.n_players % sides
            paid = np.where((paid < 0) & others[np.arange(len(own)), side], side, paid)
        return each == paid[:, None]

    @cached_property
    def cancelled(self) -> Ints:
        """Points of the colour just potted, lost by a stroke before it was back."""
        if not self.rules.early_stroke_cancels:
            return 0 * self.before.colour_points
        due = value_of(self.facts.unspotted & COLOURS) == self.before.colour_points
        early = (self.facts.unspotted != 0) & due & (self.actor == self.before.striker)
        return np.where(early, self.before.colour_points, 0)

    @cached_property
    def scores_after(self) -> Ints:
        """Scores of the sides after the stroke (n, n_sides)."""
        own = np.arange(self.rules.n_sides) == (self.before.striker % self.rules.n_sides)[:, None]
        points = self.points - self.cancelled
        return self.scores + own * points[:, None] + self.paid_sides * self.rulings.penalty[:, None]

    @cached_property
    def taken(self) -> Ints:
        """Colours that stay off: the one potted in order, and whatever goes with the last foul of a frame."""
        in_order = (self.before.phase >= PHASE_CLEARANCE) & self.fair
        taken = np.where(in_order, self.gone & lowest(self.before.on_table & COLOURS), 0)
        taken = np.where(self.decided, self.gone & COLOURS, taken)
        return np.where(self.respotted, 0, taken)

    @cached_property
    def remedied(self) -> Flags:
        """Whether the frame goes on after a foul with decisions of the next player."""
        return ~self.fair & ~self.over & ~self.respotted


# --- the checks ------------------------------------------------------------------------------------------------------


def check_points(s: Strokes) -> Flags:
    """Points of the balls that fell, none in a foul stroke."""
    return s.rulings.points != s.points


def check_penalty(s: Strokes) -> Flags:
    """A penalty of four to seven exactly when there is a fault, borne by one of them."""
    r = s.rulings
    foul = r.penalty > 0
    least, most = PENALTIES
    bad_label = np.where(foul, (r.label < 0) | (r.faults >> np.maximum(r.label, 0) & 1 == 0), r.label != -1)
    return bad_label | (foul != (r.faults != 0)) | (foul & ((r.penalty < least) | (r.penalty > most)))


def check_kind(s: Strokes) -> Flags:
    """The kind in force is the one declared; undeclared it is none, or a colour met first."""
    understood = np.where(s.before.phase == PHASE_COLOUR, s.facts.first_contacts & COLOURS, 0)
    fits = np.where(s.rulings.kind > 0, np.int64(1) << s.rulings.kind == understood, True)
    return np.where(s.nominated > 0, s.rulings.kind != s.nominated, ~fits)


def check_scores(s: Strokes) -> Flags:
    """Points are conserved: what was there, the striker's points, the penalty of those it is due to."""
    sides = s.rules.n_sides
    wrong = (s.after.scores[:, :sides] != s.scores_after).any(axis=1)
    return wrong | s.after.scores[:, sides:].any(axis=1)


def check_break(s: Strokes) -> Flags:
    """The break goes on with the points of a striker who plays on, and else ends."""
    plays_on = s.points > 0
    expected = np.where(plays_on, s.before.break_points + s.rulings.points, 0)
    return (s.after.break_points != expected) & ~s.over & ~s.respotted


def check_turn(s: Strokes) -> Flags:
    """Who scores plays on; else the next player comes."""
    plays_on = s.points > 0
    expected = np.where(plays_on, s.before.striker, s.next_player)
    passes = np.where(s.respotted, True, ~plays_on)
    wrong = (s.after.striker != expected) | (s.after.turn != -1)
    return (s.rulings.turn_passes != passes) | (wrong & ~s.decided)


def check_phase(s: Strokes) -> Flags:
    """The phase follows from what was scored and what is left."""
    red_left = s.after.on_table & REDS != 0
    scored_red = (s.before.phase == PHASE_RED) & (s.points > 0)
    low = np.where(s.before.phase == PHASE_RESPOTTED, PHASE_RESPOTTED, PHASE_CLEARANCE)
    expected = np.where(scored_red, PHASE_COLOUR, np.where(red_left, PHASE_RED, low))
    expected = np.where(s.respotted, PHASE_RESPOTTED, np.where(s.over, PHASE_OVER, expected))
    return s.after.phase != expected


def check_reds(s: Strokes) -> Flags:
    """Reds that are gone never come back, and no other goes."""
    return s.after.on_table & REDS != s.before.on_table & REDS & ~s.gone


def check_colours(s: Strokes) -> Flags:
    """Colours come back unless taken in order; all are there while a red or a free colour is on, else the highest."""
    there = s.after.on_table & COLOURS
    suffix = ((there + lowest(there)) & COLOURS == 0) & (there & BLACK != 0)
    all_there = there == COLOURS
    in_order = np.choose(s.after.phase, (all_there, all_there, suffix, there == BLACK, np.ones_like(suffix)))
    return ~in_order | (there != s.before.on_table & COLOURS & ~s.taken)


def check_return(s: Strokes) -> Flags:
    """What is known of a colour that goes back: the points an early stroke loses, and whether it was a nominee."""
    goes_on = (s.points > 0) & ~s.decided
    colour = goes_on & (s.before.phase == PHASE_COLOUR)
    nominee = goes_on & ~colour & (s.rulings.spotted != 0)
    return (s.after.colour_points != np.where(colour, s.rulings.points, 0)) | (s.after.nominee_back != nominee)


def check_cue_ball(s: Strokes) -> Flags:
    """The cue ball is in hand exactly when it left the bed, was neither placed nor struck, or the black is put back."""
    unplaced = (s.before.cue_in_hand > 0) & np.isnan(s.facts.placed_x) & s.seen(NO_STROKE | WRONG_CUE_BALL)
    in_hand = ((s.facts.potted | s.facts.off_table) & 1 != 0) | unplaced
    in_hand = np.where(s.replayed, s.before.cue_in_hand, in_hand | s.respotted)
    return (s.after.cue_in_hand != in_hand) | (s.after.on_table & 1 != (in_hand == 0))


def check_places(s: Strokes) -> Flags:
    """Balls on the table have a place, others none; those not put back lie where they came to rest, bit for bit."""
    balls = np.arange(MAX_BALLS)
    there = s.after.on_table[:, None] >> balls & 1 == 1
    kept = there & (s.rulings.spotted[:, None] >> balls & 1 == 0)
    replaced = (s.facts.fell[:, None] >> balls & 1 == 1) | s.replayed[:, None]
    expected = np.where(replaced[..., None], s.layouts, s.ends)
    absent = np.isnan(s.rulings.positions).any(axis=-1)
    moved = (s.rulings.positions != expected).any(axis=-1)
    wrong: Flags = ((there == absent) | (kept & moved)).any(axis=1)
    return wrong


def check_overlap(s: Strokes) -> Flags:
    """No balls overlap."""
    return s.faults[:, OVERLAPS] > 0.0


def check_bed(s: Strokes) -> Flags:
    """No ball is off the bed."""
    return s.faults[:, OFF_BED] > 0.0


def check_spots(s: Strokes) -> Flags:
    """Put back are the colours that fell or were not spotted and are there again, each where it belongs."""
    back = (s.gone | s.facts.unspotted) & COLOURS & ~s.taken
    back = np.where(s.decided, np.where(s.respotted, BLACK, 0), back)
    return (s.rulings.spotted != back) | (s.faults[:, WRONG_SPOT] > 0.0)


def check_end(s: Strokes) -> Flags:
    """A frame that is over is won by the side with most points, or by the one that did not miss three times."""
    leading = s.leaders(False)
    best = np.where(leading.sum(axis=1) > 1, -1, leading.argmax(axis=1))
    winner = np.where(s.lost_by_misses, s.next_player % s.rules.n_sides, best)
    return s.after.winner != np.where(s.over, winner, -1)


def lots(s: Strokes) -> Ints:
    """The players of whom a lot names the first to play the re-spotted black."""
    level = s.leaders(True)
    players = np.arange(s.rules.n_players)
    open_to = level[:, players % s.rules.n_sides] << players
    options: Ints = PLAYER_0_FIRST * open_to.sum(axis=1)
    return options


def check_options(s: Strokes) -> Flags:
    """The lot for the re-spotted black, remedies after a foul, else nothing."""
    remedies = s.remedied
    expected = PLAY | PLAY_AGAIN | (s.after.options & (RESTORE | HALVES | ANYWHERE))  # these are in checks of their own
    expected = expected | np.where(s.after.free_ball == 1, FREE_BALL, 0)
    expected = np.where(s.respotted, lots(s), np.where(remedies, expected, 0))
    offender = np.where(remedies, s.actor, -1)
    return (s.after.options & ~IN_HAND != expected) | (s.after.offender != offender)


def check_restore(s: Strokes) -> Flags:
    """Restoring is offered after a miss, and by the current text after fouls without a stroke.

    These are any in a replaced position, and that of touching a ball when snookered or hampered; if he was at a
    colour or a free ball, the position and the ball on may also be restored each without the other.
    """
    unstruck = s.seen(NO_STROKE)
    replaced = (s.before.misses > 0) & unstruck & (s.rules.miss_rule == FULL_BALL_MISS)
    touched = unstruck & (s.facts.touched != 0) & bool(s.rules.hampered_restores)
    may = ((s.rulings.miss == 1) & ~s.last_miss) | replaced | (touched & s.seen(HAMPERED))
    in_doubt = touched & (s.views_before == DOUBTFUL)
    offered = s.after.options & RESTORE != 0
    expected = may | (touched & (s.views_before == HIDDEN))
    wrong: Flags = (offered != expected) & (may | ~in_doubt)
    had_choice = (s.before.phase == PHASE_COLOUR) | (s.before.free_ball != 0)
    hampered = touched & (s.seen(HAMPERED) | (s.views_before == HIDDEN)) & had_choice
    halves = np.where(hampered, HALVES, 0)
    is_told = s.seen(HAMPERED) | ~in_doubt
    wrong = wrong | ((s.after.options & HALVES != halves) & is_told)
    return np.where(s.remedied, wrong, offered | (s.after.options & HALVES != 0))


def check_in_hand_option(s: Strokes) -> Flags:
    """Playing from in hand is offered to a player who is angled after a foul, by the old text only."""
    may = s.remedied & (s.after.free_ball == 0) & (s.after.cue_in_hand == 0) & bool(s.rules.angled_in_hand)
    offered = s.after.options & IN_HAND != 0
    return (offered & ~may) | (~offered & may & s.seen(ANGLED))


def left_on_table(state: FrameState) -> Ints:
    """Points that the balls still give: seven with every red and with a colour to choose, and a free ball's."""
    reds, colours = np.bitwise_count(state.on_table & REDS), state.on_table & COLOURS
    free = np.where(state.phase == PHASE_RED, 1 + VALUES[6], value_of(lowest(colours)))
    total = value_of(colours) + (1 + VALUES[6]) * reds + VALUES[6] * (state.phase == PHASE_COLOUR)
    return total + np.where(state.free_ball == 1, free, 0)


def lead(s: Strokes, scores: Ints) -> Ints:
    """By how much the leading side of two is ahead."""
    totals = scores[:, : s.rules.n_sides] + np.array(s.rules.carried[: s.rules.n_sides])
    best = np.sort(totals, axis=1)
    return best[:, -1] - best[:, -2]


def check_anywhere(s: Strokes) -> Flags:
    """The whole table is offered after the last miss or any foul, as the rules have it, unless snookers are needed."""
    due = {NEVER: s.last_miss & False, LAST_MISS: s.last_miss, ANY_FOUL: s.remedied}[s.rules.free_table]
    needed = (lead(s, s.scores) >= left_on_table(s.before)) | (lead(s, s.scores_after) >= left_on_table(s.after))
    return (s.after.options & ANYWHERE != 0) != (s.remedied & due & ~needed)


def check_free_ball(s: Strokes) -> Flags:
    """A free ball is offered after a foul that leaves no ball on in full view, and not otherwise."""
    if not s.rules.free_balls:
        return s.after.free_ball != 0
    told = s.seen(NEXT_SNOOKERED | BEHIND_FREE_BALL)  # which counts besides what is seen from the places
    wrong = np.where(told, s.after.free_ball == 0, (s.views != DOUBTFUL) & (s.after.free_ball != (s.views == HIDDEN)))
    return np.where(s.remedied, wrong, s.after.free_ball != 0)


def check_misses(s: Strokes) -> Flags:
    """A miss is a foul; misses in a row are counted, and forgotten with the first stroke that is none."""
    unstruck = s.remedied & s.seen(NO_STROKE | WRONG_CUE_BALL)
    expected = np.where(s.rulings.miss == 1, s.before.misses + 1, np.where(unstruck, s.before.misses, 0))
    counted = (s.after.misses == expected) | s.lost_by_misses
    return ~counted | ((s.rulings.miss == 1) & s.fair)


def check_constants(s: Strokes) -> Flags:
    """What a stroke never changes; nothing is declared beforehand."""
    return (s.after.first_striker != s.before.first_striker) | (s.after.nominated != 0)


def check_void(s: Strokes) -> Flags:
    """Nothing changes when nothing happened that counts."""
    pairs = zip(s.after, s.before, strict=True)
    same = [(new == old).reshape(len(s.nominated), -1).all(axis=1) for new, old in pairs]
    changed: Flags = ~np.all(same, axis=0)
    return changed


CHECKS: dict[str, Callable[[Strokes], Flags]] = {
    "points": check_points,
    "penalty": check_penalty,
    "kind": check_kind,
    "scores": check_scores,
    "break": check_break,
    "turn": check_turn,
    "phase": check_phase,
    "reds": check_reds,
    "colours": check_colours,
    "return": check_return,
    "cue ball": check_cue_ball,
    "places": check_places,
    "overlap": check_overlap,
    "off the bed": check_bed,
    "spots": check_spots,
    "end": check_end,
    "options": check_options,
    "restore": check_restore,
    "in hand": check_in_hand_option,
    "anywhere": check_anywhere,
    "free ball": check_free_ball,
    "misses": check_misses,
    "constants": check_constants,
}
ALWAYS = ("points", "penalty", "places", "overlap", "off the bed")  # checks that hold for void strokes too


def violations(strokes: Strokes) -> dict[str, Ints]:
    """Strokes (indices) that violate each check; checks that all pass are left out."""
    void = strokes.void
    found = {name: check(strokes) & ~(void & (name not in ALWAYS)) for name, check in CHECKS.items()}
    found["void"] = check_void(strokes) & void
    return {name: np.flatnonzero(flags) for name, flags in found.items() if flags.any()}
