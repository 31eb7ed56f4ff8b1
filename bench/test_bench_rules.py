"""Time the referee alone: rulings for given facts, branching a frame, snookers; answers are checked first.

The frames and facts are those of self-play, so they are as mixed as in play. Compilation is not timed.
"""

import dataclasses

import numpy as np
import pytest

import rules
from bench import place_checks
from bench.frame_checks import Strokes
from bench.self_play import Report, Session
from rules.state import FactsArrays

N_STROKES, N_FRAMES, SEED = 20_000, 500, 11


class Recorder(Session):
    """A session that keeps what it played."""

    def __init__(self) -> None:
        super().__init__(rules.RuleSet.named(), Report(), np.random.default_rng(SEED))
        self.batches: list[rules.Frames] = []
        self.kept: list[Strokes] = []

    def note_violations(self, s: Strokes) -> set[int]:
        """Keep a batch of strokes."""
        self.batches.append(rules.Frames.of(self.frames))
        self.kept.append(s)
        return super().note_violations(s)

    def record(self) -> None:
        """Play until there are strokes enough."""
        self.start(N_FRAMES)
        while sum(map(len, self.batches)) < N_STROKES:
            self.decide()
            self.stroke()
            self.steps += 1


@pytest.fixture(scope="module")
def played():
    """Frames as a batch, facts, nominations and ends of N_STROKES strokes."""
    session = Recorder()
    session.record()
    assert not session.report.bad
    first, kept = session.batches[0], session.kept
    states = np.concatenate([batch.states for batch in session.batches])[:N_STROKES]
    places = np.concatenate([batch.positions for batch in session.batches])[:N_STROKES]
    columns = zip(*(s.facts for s in kept), strict=True)
    facts = FactsArrays(*(np.concatenate(column)[:N_STROKES] for column in columns))
    nominated = np.concatenate([s.nominated for s in kept])[:N_STROKES]
    ends = np.concatenate([s.ends for s in kept])[:N_STROKES]
    return rules.Frames(first.ruleset, states, places, first.table), facts, nominated, ends


@pytest.mark.benchmark(group="rules")
def test_rulings_for_given_facts(benchmark, played):
    batch, facts, nominated, ends = played
    rulings = batch.referee(facts, nominated, ends)
    assert (rulings.penalty > 0).any()
    assert (rulings.points > 0).any()
    again = benchmark(batch.referee, facts, nominated, ends)
    assert again.states.tobytes() == rulings.states.tobytes()
    benchmark.extra_info["foul_share"] = float((rulings.penalty > 0).mean())
    if benchmark.stats is not None:  # None where timing is switched off
        benchmark.extra_info["rulings_per_s"] = N_STROKES / benchmark.stats.stats.min


@pytest.mark.benchmark(group="rules")
def test_single_ruling(benchmark):
    frame = rules.Frame.named("mid_frame")
    facts = rules.facts(frame, first="red", potted="red")
    after, ruling = benchmark(rules.referee, frame, facts)
    assert (ruling.points, after.ball_on) == (1, "colour")


@pytest.fixture
def foul():
    frame = rules.Frame.named("mid_frame")
    after, _ = rules.referee(frame, rules.facts(frame))
    assert after.options
    return after


@pytest.mark.benchmark(group="branch")
def test_branch_by_constructor(benchmark, foul):
    child = benchmark(lambda: rules.Frame(foul.ruleset, foul.state._replace(striker=0), foul.positions, foul.table))
    assert child.positions is foul.positions


@pytest.mark.benchmark(group="branch")
def test_branch_by_replace(benchmark, foul):
    child = benchmark(lambda: dataclasses.replace(foul, state=foul.state._replace(striker=0)))
    assert child.positions is foul.positions


@pytest.mark.benchmark(group="branch")
def test_branch_by_decision(benchmark, foul):
    assert benchmark(rules.decide, foul, "play_again").striker == foul.state.offender


@pytest.mark.benchmark(group="branch")
def test_frame_of_a_batch(benchmark, played):
    assert benchmark(played[0].__getitem__, 7).ruleset == played[0].ruleset


@pytest.mark.benchmark(group="snookers")
@pytest.mark.parametrize("in_hand", [0, 1])
def test_snookers(benchmark, played, in_hand):
    batch = played[0]
    rows = np.flatnonzero(batch.states[:, rules.FrameState._fields.index("cue_in_hand")] == in_hand)
    some = rules.Frames(batch.ruleset, batch.states[rows], batch.positions[rows], batch.table)
    found = benchmark(some.snookered)
    marks = place_checks.marks_of(batch.table, batch.ruleset)
    on_table = some.states[:, rules.FrameState._fields.index("on_table")]
    real = np.isin(some.states[:, 0], [0, 2])  # in these phases the balls on are not chosen
    view = place_checks.views_after(some.positions, on_table, real, batch.table, marks)
    assert not (found.is_snookered[view == place_checks.SEEN]).any()
    assert (found.is_snookered[view == place_checks.HIDDEN]).all()
    benchmark.extra_info["frames"] = len(rows)
    if benchmark.stats is not None:
        benchmark.extra_info["us_per_frame"] = benchmark.stats.stats.min / len(rows) * 1e6
