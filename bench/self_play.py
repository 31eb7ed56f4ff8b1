"""Play whole frames by a trivial player and check everything after every stroke and every decision.

    python -m bench.self_play --frames 10000 --seed 1

Hundreds of frames go on side by side, one batch of simulated strokes a step; decisions are drawn among those offered,
and some strokes get an incident that only a scorer could see. Scores are reckoned here as well; all else is checked by
`bench.frame_checks`. Text, JSON and the single referee are compared for a sample of frames at each step and for all at
some steps. Each violation is printed as one line that `reproduce` rules on again. Exit status 1 if there is any.
"""

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import rules
import simcore
from bench import frame_checks, place_checks
from bench.decision_checks import decision_problem, forfeit_problem, reading_problem
from bench.incidents import add_incidents
from bench.shot_checks import Constants
from bench.trivial_player import Choice, TrivialPlayer
from rules.faults import FAULTS
from rules.frame import opening
from rules.ruleset import KIND_NAMES
from rules.ruling import RulingArrays
from rules.state import NO_STROKE, PHASE_OVER, PHASE_RESPOTTED, Facts, FactsArrays, pack_states
from simcore.replay import shot_text

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SLOTS = 500  # frames played side by side
SAMPLE = 10  # frames compared with text, JSON and the single referee at each step ...
ALL_EVERY = 50  # ... and all of them at every so many steps
INCIDENT_SHARE = 0.02
AIM_ERRORS = (0.0, 3e-4, 1e-3, 3e-3)  # rad; each frame's players have one of these spreads
MAX_STROKES = 500  # after these a frame is given up
SHOW = 20  # reproducers printed at most for each kind

DROPPED = "dropped after a violation"
DECIDE_SHARE = 5e-4  # strokes before which a frame is conceded, re-racked or forfeited out of the blue
CLAIM_SHARE = 0.1  # strokes before which a frame that may be claimed is

GAMES = {
    "current": rules.RuleSet.named(),
    "1995": rules.RuleSet.named(edition="1995"),
    "es": rules.RuleSet.named(edition="es"),
    "pairs": rules.RuleSet.named(n_players=4),
    "pairs, 1995": rules.RuleSet.named(edition="1995", n_players=4),
    "three players": rules.RuleSet.named(n_players=3, n_sides=3),
    "three players, all others paid": rules.RuleSet.named(n_players=3, n_sides=3, penalty_to=1),
    "three sides of two, previous paid": rules.RuleSet.named(n_players=6, n_sides=3, penalty_to=2),
    "aggregate": rules.RuleSet.named(respot_on_tie=0),
    "last of an aggregate": rules.RuleSet.named(carried=(20, 27)),
    "misses judged": rules.RuleSet.named(edition="1995", miss_level=3),
    "handicap": rules.RuleSet.named(handicap=(0, 60)),
    "six reds": rules.RuleSet.named(n_reds=6),
    "six-red": rules.RuleSet.named("six-red"),
    "six-red, 1995": rules.RuleSet.named("six-red", "1995", miss_level=3),
    "six-red-amateur": rules.RuleSet.named("six-red-amateur"),
}


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# --- reproducers -----------------------------------------------------------------------------------------------------


def stroke_line(frame: rules.Frame, facts: Facts, nominated: str | None, ends: Floats) -> str:
    """One line from which `reproduce` rules on a stroke again."""
    pairs = zip(Facts._fields, facts, Facts(), strict=True)
    told = {name: value for name, value, usual in pairs if value == value and value != usual}
    places = [None if math.isnan(x) else [x, y] for x, y in ends.tolist()]
    return json.dumps({"frame": frame.text, "facts": told, "nominated": nominated, "positions": places})


def decision_line(frame: rules.Frame, option: str) -> str:
    """One line from which `reproduce` takes a decision again."""
    return json.dumps({"frame": frame.text, "option": option})


def reproduce(line: str) -> tuple[rules.Frame, rules.Ruling | None]:
    """What becomes of the frame in a line that a violation was printed with; the ruling is None for a decision."""
    told = json.loads(line)
    frame = rules.Frame.from_text(told["frame"])
    if "option" in told:
        return rules.decide(frame, told["option"]), None
    places = np.array([place or (math.nan, math.nan) for place in told["positions"]])
    return rules.referee(frame, Facts(**told["facts"]), rules.Decision(told["nominated"]), places)


# --- what happened ---------------------------------------------------------------------------------------------------


@dataclass
class Report:
    """What has been seen so far."""

    strokes: int = 0
    single_rulings: int = 0
    round_trips: int = 0
    best_break: int = 0
    events: Counter[str] = field(default_factory=Counter)
    fouls: Counter[str] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)

    @property
    def frames(self) -> int:
        """Frames that came to an end."""
        return self.ends.total()

    @property
    def bad(self) -> bool:
        """Whether anything is wrong."""
        return self.found.total() > 0

    def note(self, kind: str, line: str) -> None:
        """One violation."""
        self.found[kind] += 1
        if self.found[kind] <= SHOW:
            say(f"{kind}: {line}")

    def add(self, rulings: RulingArrays, after: rules.FrameState) -> None:
        """Count a batch of strokes."""
        self.strokes += len(rulings.points)
        self.best_break = max(self.best_break, int(after.break_points.max(initial=0)))
        foul = rulings.penalty > 0
        seen = {
            "scoring strokes": rulings.points > 0,
            "foul strokes": foul,
            "free balls": after.free_ball == 1,
            "misses": rulings.miss == 1,
            "re-spotted blacks": (after.phase == PHASE_RESPOTTED) & (after.options != 0),
            "colours put back": rulings.spotted != 0,
            "in hand": after.cue_in_hand > 0,
        }
        self.events.update({name: int(flags.sum()) for name, flags in seen.items()})
        self.fouls.update({clause.name: int((rulings.faults >> i & 1).sum()) for i, clause in enumerate(FAULTS)})

    def lines(self) -> Iterator[str]:
        """The report."""
        yield f"frames {self.frames:,}, strokes {self.strokes:,}, highest break {self.best_break}"
        yield f"single rulings {self.single_rulings:,}, round trips of text and JSON {self.round_trips:,}"
        for title in ("ends", "events", "decisions", "fouls"):
            yield f"{title}:"
            counts = getattr(self, title)
            yield from (f"  {name:28} {count:10,}" for name, count in counts.most_common() if count)
        yield f"violations {self.found.total()}"
        yield from (f"  {kind:28} {count:10,}" for kind, count in self.found.most_common())


# --- play ------------------------------------------------------------------------------------------------------------


def single_problem(
    frame: rules.Frame, facts: Facts, nominated: str | None, ends: Floats, batch: RulingArrays, row: int
) -> str:
    """In what the single referee differs from row `row` of a batch, "" if in nothing."""
    after, ruling = rules.referee(frame, facts, rules.Decision(nominated), ends)
    single = {
        "points": ruling.points,
        "penalty": ruling.penalty,
        "faults": sum(1 << i for i, clause in enumerate(FAULTS) if clause.name in {f.name for f in ruling.fouls}),
        "label": [clause.name for clause in FAULTS].index(ruling.foul.name) if ruling.foul else -1,
        "spotted": sum(1 << KIND_NAMES.index(name) for name, _ in ruling.spotted),
        "miss": ruling.miss,
        "turn_passes": ruling.turn_passes,
        "kind": KIND_NAMES.index(ruling.nominated) if ruling.nominated else 0,
    }
    for name, value in single.items():
        if getattr(batch, name)[row] != value:
            return name
    if pack_states([after.state]).tobytes() != batch.states[row].tobytes():
        return "state"
    return "" if after.positions.tobytes() == batch.positions[row].tobytes() else "positions"


def strokes_of(
    batch: rules.Frames, choice: Choice, facts: FactsArrays, ends: Floats, rulings: RulingArrays, scores: Ints
) -> frame_checks.Strokes:
    """One stroke of each frame of a batch, for the checks; scores (n, n_sides): those before, reckoned elsewhere."""
    marks = place_checks.marks_of(batch.table, batch.ruleset)
    after = frame_checks.columns(rulings.states)
    foul = rulings.penalty > 0
    return frame_checks.Strokes(
        rules=batch.ruleset,
        before=frame_checks.columns(batch.states),
        layouts=choice.layouts,
        facts=facts,
        nominated=choice.nominated,
        ends=ends,
        rulings=rulings,
        after=after,
        scores=scores,
        faults=place_checks.misplaced(rulings.positions, rulings.spotted, batch.table, marks),
        views=place_checks.views_after(rulings.positions, after.on_table, foul, batch.table, marks),
        views_before=views_of_unstruck(batch, choice, facts, marks),
    )


def views_of_unstruck(batch: rules.Frames, choice: Choice, facts: FactsArrays, marks: Constants) -> Ints:
    """What the strikers who made no stroke saw of the balls on, DOUBTFUL for the others."""
    views = np.full(len(facts.observed), place_checks.DOUBTFUL)
    rows = np.flatnonzero(facts.observed & NO_STROKE)
    if len(rows):
        before = frame_checks.columns(batch.states[rows])
        layouts, kind = batch.positions[rows], choice.nominated[rows]
        views[rows] = place_checks.views_before(layouts, before, kind, batch.table, marks)
    return views


class Session:
    """Frames of one game going on side by side."""

    def __init__(self, ruleset: rules.RuleSet, report: Report, rng: np.random.Generator, sample: int = SAMPLE) -> None:
        self.ruleset, self.report, self.rng, self.sample = ruleset, report, rng, sample
        self.table, self.physics = rules.Frame.start().table, simcore.Physics.snooker(R=ruleset.ball_radius)
        self.player = TrivialPlayer(self.table, self.physics, rng)
        self.frames: list[rules.Frame] = []
        self.begun = np.array(ruleset.handicap[: ruleset.n_sides])  # scores at the start of every frame
        self.scores = np.zeros((0, ruleset.n_sides), np.int64)  # reckoned here, a row a frame
        self.errors = np.zeros(0)  # rad, spread of the players' aim
        self.played = np.zeros(0, np.int64)  # strokes of each frame
        self.steps = 0

    def run(self, n_frames: int, slots: int = SLOTS) -> None:
        """Play frames until `n_frames` have ended."""
        while n_frames > 0 or self.frames:
            fresh = min(slots - len(self.frames), n_frames)
            n_frames -= fresh
            self.start(fresh)
            self.decide()
            if self.frames:
                self.stroke()
            self.steps += 1

    def start(self, n: int) -> None:
        """Begin n frames."""
        strikers = self.rng.integers(0, self.ruleset.n_players, n).tolist()
        self.frames += [opening(self.ruleset, self.table, striker) for striker in strikers]
        self.scores = np.concatenate([self.scores, np.tile(self.begun, (n, 1))])
        self.errors = np.concatenate([self.errors, self.rng.choice(AIM_ERRORS, n)])
        self.played = np.concatenate([self.played, np.zeros(n, np.int64)])

    def keep(self, rows: Ints) -> None:
        """Go on with some of the frames."""
        self.frames = [self.frames[i] for i in rows]
        self.scores, self.errors, self.played = self.scores[rows], self.errors[rows], self.played[rows]

    def decide(self) -> None:
        """Decide wherever a decision is pending, and seldom out of the blue; frames that are over then are dropped."""
        sudden = self.rng.random(len(self.frames)) < DECIDE_SHARE
        for i in range(len(self.frames)):
            while self.frames[i].options:
                self.take(i, self.drawn(self.frames[i].options))
            if "claim" in self.frames[i].decisions and self.rng.random() < CLAIM_SHARE:
                self.take(i, "claim")
            elif self.played[i] >= MAX_STROKES:
                self.take(i, "concede")
            elif sudden[i]:
                self.surprise(i)
        self.keep(np.flatnonzero([not frame.is_over for frame in self.frames]))

    def drawn(self, names: tuple[str, ...]) -> str:
        """One of some names."""
        return names[self.rng.integers(len(names))]

    def take(self, i: int, option: str) -> None:
        """Take a decision in frame i."""
        frame, after = self.frames[i], rules.decide(self.frames[i], option)
        problem = decision_problem(frame, option, after)
        if problem:
            self.report.note(f"decision: {problem}", decision_line(frame, option))
        self.report.decisions[option] += 1
        if after.is_over:
            self.report.ends[option if self.played[i] < MAX_STROKES else "conceded after too many strokes"] += 1
        if option == "re_rack":
            self.scores[i] = self.begun
        self.frames[i] = after

    def surprise(self, i: int) -> None:
        """Concede, begin anew or forfeit frame i."""
        option = self.drawn(("concede", "re_rack", "forfeit"))
        if option != "forfeit":
            self.take(i, option)
            return
        frame, player = self.frames[i], int(self.rng.integers(self.ruleset.n_players))
        self.frames[i] = rules.forfeit(frame, player)
        problem = forfeit_problem(frame, player, self.frames[i])
        if problem:
            self.report.note(f"forfeit: {problem}", f"player {player} in {frame.text}")
        self.report.ends["forfeit"] += 1

    def stroke(self) -> None:
        """One stroke of every frame."""
        try:
            choice, results = self.played_out(slice(None))
        except ValueError:
            self.drop_unplayable()
            return
        if not results.finished.all():
            self.drop_unfinished(choice, results)
            return
        facts, ends = rules.facts_arrays(results, choice.placed), results.positions
        facts = FactsArrays(*(np.array(column) for column in facts))  # some columns may be one array
        batch = rules.Frames.of(self.frames)
        add_incidents(facts, ends, choice.layouts, batch, choice.nominated, INCIDENT_SHARE, self.rng)
        rulings = batch.referee(facts, choice.nominated, ends)
        strokes = strokes_of(batch, choice, facts, ends, rulings, self.scores)
        self.report.add(rulings, strokes.after)
        wrong = self.note_violations(strokes) | self.compare(strokes)
        self.scores = strokes.scores_after
        self.frames = batch.after(rulings, self.frames)
        self.finish(strokes, wrong | self.round_trips())

    def played_out(self, rows: slice) -> tuple[Choice, simcore.ShotResults]:
        """Strokes of some of the frames and what becomes of them; ValueError for a layout that cannot be played."""
        choice = self.player.choose(self.frames[rows], self.errors[rows])
        return choice, simcore.simulate(choice.layouts, choice.shots, table=self.table, physics=self.physics)

    def drop_unplayable(self) -> None:
        """Note and drop the frames whose layout the simulator refuses."""
        fit = []
        for row, frame in enumerate(self.frames):
            try:
                self.played_out(slice(row, row + 1))
                fit.append(row)
            except ValueError as error:
                self.report.note("unplayable", f"{error}: {frame.text}")
        self.drop(np.isin(np.arange(len(self.frames)), fit, invert=True))

    def drop_unfinished(self, choice: Choice, results: simcore.ShotResults) -> None:
        """Note and drop the frames with a shot that does not finish."""
        for row in np.flatnonzero(~results.finished):
            self.report.note("unfinished", shot_text(choice.layouts[row], choice.shots[row]))
        self.drop(~results.finished)

    def drop(self, wrong: NDArray[np.bool_]) -> None:
        """Go on without the frames in which something went wrong."""
        self.report.ends[DROPPED] += int(wrong.sum())
        self.keep(np.flatnonzero(~wrong))

    def line(self, s: frame_checks.Strokes, row: int) -> str:
        """The reproducer of one stroke."""
        return stroke_line(self.frames[row], *self.told(s, row))

    def told(self, s: frame_checks.Strokes, row: int) -> tuple[Facts, str | None, Floats]:
        """Facts, nomination and final places of one stroke."""
        kind = int(s.nominated[row])
        facts = Facts(*(column[row].item() for column in s.facts))
        return facts, KIND_NAMES[kind] if kind else None, s.ends[row]

    def note_violations(self, s: frame_checks.Strokes) -> set[int]:
        """Check a batch of strokes; the rows that violate something."""
        found = frame_checks.violations(s)
        for kind, rows in found.items():
            for row in rows.tolist():
                self.report.note(kind, self.line(s, row))
        return {int(row) for rows in found.values() for row in rows}

    def sampled(self) -> list[int]:
        """Frames to look at one by one in this step."""
        n = len(self.frames)
        if self.steps % ALL_EVERY == ALL_EVERY - 1:
            return list(range(n))
        return self.rng.integers(0, n, min(self.sample, n)).tolist()

    def compare(self, s: frame_checks.Strokes) -> set[int]:
        """The single referee against the batch; the rows in which they differ."""
        wrong = set()
        for row in self.sampled():
            try:
                problem = single_problem(self.frames[row], *self.told(s, row), s.rulings, row)
            except ValueError as error:
                problem = str(error)
            self.report.single_rulings += 1
            if problem:
                self.report.note(f"single ruling: {problem}", self.line(s, row))
                wrong.add(row)
        return wrong

    def round_trips(self) -> set[int]:
        """Frames written and read back; the rows in which something is lost."""
        wrong = set()
        for row in self.sampled():
            try:
                problem = reading_problem(self.frames[row])
            except ValueError as error:
                problem = str(error)
            self.report.round_trips += 1
            if problem:
                self.report.note(f"round trip: {problem}", self.frames[row].text)
                wrong.add(row)
        return wrong

    def finish(self, s: frame_checks.Strokes, wrong: set[int]) -> None:
        """Count the frames that are over, and drop those that went wrong."""
        self.played += 1
        dropped = np.isin(np.arange(len(self.frames)), list(wrong))
        over, misses = (s.after.phase == PHASE_OVER) & ~dropped, s.lost_by_misses
        self.report.ends["three misses"] += int((over & misses).sum())
        self.report.ends["last score"] += int((over & ~misses & (s.rulings.points > 0)).sum())
        self.report.ends["last foul"] += int((over & ~misses & (s.rulings.penalty > 0)).sum())
        going_on = ~over
        self.keep(np.flatnonzero(going_on))
        self.drop(dropped[going_on])


def self_play(
    n_frames: int, seed: int, slots: int = SLOTS, sample: int = SAMPLE, games: tuple[str, ...] = tuple(GAMES)
) -> Report:
    """Play `n_frames` frames, shared among the games."""
    rng, report = np.random.default_rng(seed), Report()
    shares = np.diff(np.linspace(0, n_frames, len(games) + 1).astype(int))
    for game, share in zip(games, shares.tolist(), strict=True):
        Session(GAMES[game], report, rng, sample).run(share, slots)
    return report


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000, help="frames to be played")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slots", type=int, default=SLOTS, help="frames played side by side")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="frames compared one by one at each step")
    parser.add_argument(
        "--games", nargs="+", choices=GAMES, default=tuple(GAMES), metavar="GAME", help=", ".join(GAMES)
    )
    given = parser.parse_args(arguments)
    began = time.monotonic()
    report = self_play(given.frames, given.seed, given.slots, given.sample, tuple(given.games))
    took = time.monotonic() - began
    say("\n".join(report.lines()))
    say(f"seed {given.seed}, {took:.0f} s, {report.strokes / max(took, 1e-9):,.0f} strokes a second")
    return int(report.bad)


if __name__ == "__main__":
    sys.exit(main())
