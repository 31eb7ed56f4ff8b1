"""Candidates: legal in every shipped position, fairly spread, potting without noise, deterministic, refused input."""

import collections
from importlib import import_module

import numpy as np
import pytest

import rules
import simcore
from rules.bed import in_the_d
from rules.candidates import FIRST_CONTACT_FAULTS, SAFETY_CONTACTS, generate_candidates
from rules.ruling import referee_batch
from rules.stroke_facts import facts_arrays

POSITIONS = rules.position_names()
IN_HAND = ["respotted_black"]


def played(frame, strokes):
    """Results and rulings of the strokes without noise."""
    results = simcore.simulate(frame.placed(strokes), strokes.shots, table=frame.table)
    facts = facts_arrays(results, strokes.cue_ball if frame.cue_in_hand else None)
    return results, referee_batch(frame, facts, strokes.nominated, results.positions)


def same(first, second):
    s, t = first.strokes, second.strokes
    return (
        s.shots == t.shots
        and np.array_equal(s.nominated, t.nominated)
        and np.array_equal(s.cue_ball, t.cue_ball, equal_nan=True)
        and np.array_equal(first.kind, second.kind)
        and np.array_equal(first.ball, second.ball)
        and np.array_equal(first.pocket, second.pocket)
    )


@pytest.fixture(scope="module")
def mid_frame():
    return rules.Frame.named("mid_frame")


@pytest.fixture(scope="module")
def mid(mid_frame):
    return generate_candidates(mid_frame, 400, seed=1)


@pytest.mark.parametrize("name", POSITIONS)
def test_every_position_gets_legal_strokes(name):
    frame = rules.Frame.named(name)
    candidates = generate_candidates(frame, 60, seed=3)
    assert 30 <= len(candidates) <= 60
    _, rulings = played(frame, candidates.strokes)
    assert (rulings.faults & FIRST_CONTACT_FAULTS == 0).all()
    assert (rulings.penalty == 0).all()
    pots = candidates.kind == "pot"
    assert (rulings.points[pots] > 0).all()
    assert (candidates.pocket[pots] >= 0).all()
    assert (candidates.pocket[~pots] == -1).all()
    assert (candidates.ball >= 1).all()


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("n", [1, 7])
def test_few_are_exactly_as_many_as_asked(name, n):
    assert len(generate_candidates(rules.Frame.named(name), n)) == n


def test_an_ordinary_position_gives_exactly_n_of_all_kinds(mid):
    assert len(mid) == 400
    assert set(mid.kind.tolist()) == {"pot", "safety", "escape"}


def test_a_snookered_position_gives_escapes():
    frame = rules.Frame.named("snookered_behind_brown")
    candidates = generate_candidates(frame, 30)
    assert set(candidates.kind.tolist()) == {"escape"}
    results, _ = played(frame, candidates.strokes)
    assert (results.cushions_before[:, 0] >= 1).all()


def test_pots_at_moderate_speed_go_in_without_noise(mid_frame, mid):
    pots = mid.kind == "pot"
    results, rulings = played(mid_frame, mid.strokes)
    rows = np.flatnonzero(pots)
    assert (results.pocket[rows, mid.ball[rows]] == mid.pocket[rows]).all()
    assert (rulings.points[rows] > 0).all()


def test_pots_are_spread_evenly(mid):
    pots = mid.kind == "pot"
    counts = collections.Counter(zip(mid.ball[pots].tolist(), mid.pocket[pots].tolist(), strict=True))
    assert len(counts) >= 5
    assert max(counts.values()) <= 2.5 * np.median(list(counts.values()))
    speeds = mid.strokes.shots.V0[pots]
    assert speeds.max() > 1.8 * speeds.min()
    assert len(np.unique(mid.strokes.shots.b[pots])) >= 5


def test_same_seed_same_strokes_other_seed_others(mid_frame, mid):
    assert same(mid, generate_candidates(mid_frame, 400, seed=1))
    assert not same(mid, generate_candidates(mid_frame, 400, seed=2))


def test_a_colour_to_choose_is_nominated():
    candidates = generate_candidates(rules.Frame.named("colour_to_choose"), 100)
    assert (candidates.strokes.nominated == candidates.ball).all()
    assert len(np.unique(candidates.ball)) >= 3


def test_a_free_ball_is_nominated_or_declined():
    frame = rules.Frame.named("free_ball_after_foul")
    candidates = generate_candidates(frame, 200)
    nominated = candidates.strokes.nominated
    assert (nominated > 0).any()
    named = nominated > 0
    assert (candidates.ball[named] == nominated[named]).all()
    assert (candidates.ball[~named] >= rules.Frame.named("free_ball_after_foul").colours.index("red")).all()


@pytest.mark.parametrize("name", IN_HAND)
def test_a_cue_ball_in_hand_is_placed_in_the_d_clear_of_balls(name):
    frame = rules.Frame.named(name)
    candidates = generate_candidates(frame, 200)
    places = candidates.strokes.cue_ball
    assert all(in_the_d(frame.bed, x, y) for x, y in places)
    assert len(np.unique(places, axis=0)) >= 5
    others = frame.positions[1:]
    assert np.nanmin(np.linalg.norm(places[:, None] - others, axis=-1)) > 2 * frame.ruleset.ball_radius


def test_the_opening_from_hand_has_legal_strokes():
    frame = rules.Frame.start()
    candidates = generate_candidates(frame, 20)
    assert len(candidates) == 20
    assert (played(frame, candidates.strokes)[1].penalty == 0).all()


def test_a_touching_ball_is_never_driven():
    frame = rules.Frame.named("touching_red")
    results, _ = played(frame, generate_candidates(frame, 60).strokes)
    touching = np.flatnonzero(results.touching[0])
    touching = touching[touching > 0]
    assert touching.size
    first = results.first_contacts[:, touching] & (results.cushions_before[:, :1] == 0)
    assert not first.any()


def test_names_are_for_people(mid):
    assert len(mid.ball_names) == len(mid.pocket_names) == len(mid)
    assert mid.ball_names[0].startswith("red ")
    assert mid.pocket_names[0] in simcore.Table.snooker().pocket_names
    assert mid.pocket_names[-1] == ""


def test_the_table_is_the_frames(mid):
    club = simcore.Table.snooker("club")
    wide = generate_candidates(rules.Frame.named("mid_frame", table=club), 400, seed=1)
    assert wide.table is club
    assert not same(wide, mid)


def test_threads_are_passed_on_and_do_not_matter(mid_frame, mid, monkeypatch):
    assert same(generate_candidates(mid_frame, 400, seed=1, threads=1), mid)
    used = set()
    for module in ("rules.candidates", "simcore.aim"):
        here = import_module(module)

        def counted(*args, real=here.simulate, **options):
            used.add(options["threads"])
            return real(*args, **options)

        monkeypatch.setattr(here, "simulate", counted)
    generate_candidates(mid_frame, 20, threads=1)
    assert used == {1}
    with pytest.raises(ValueError, match="threads = 0: expected"):
        generate_candidates(mid_frame, 20, threads=0)


@pytest.mark.parametrize("frame", ["mid_frame", None])
def test_other_things_than_frames_are_refused(frame):
    with pytest.raises(TypeError, match=r"frame = .*: expected rules.Frame"):
        generate_candidates(frame, 5)


def test_other_physics_are_refused(mid_frame):
    with pytest.raises(TypeError, match=r"physics = 'x': expected simcore.Physics"):
        generate_candidates(mid_frame, 5, physics="x")
    with pytest.raises(ValueError, match=r"nose_height = 0.035: expected 0.036"):
        generate_candidates(mid_frame, 5, physics=simcore.Physics.snooker(nose_height=0.035))


def test_frames_in_which_nobody_plays_are_refused(mid_frame):
    foul = rules.referee(mid_frame, rules.facts(mid_frame))[0]
    assert foul.options
    with pytest.raises(ValueError, match="decision pending"):
        generate_candidates(foul, 5)
    over = rules.Frame.named("respotted_black")
    over = rules.referee(over, rules.facts(over, first="black", potted="black", placed=(0.889, 0.7)))[0]
    assert over.is_over
    with pytest.raises(ValueError, match="over"):
        generate_candidates(over, 5)


@pytest.mark.parametrize(("n", "seed"), [(0, 0), (-1, 0), (True, 0), (2.5, 0), (5, -1), (5, True)])
def test_bad_numbers_are_refused(mid_frame, n, seed):
    with pytest.raises(ValueError, match=r"seed = |n = "):
        generate_candidates(mid_frame, n, seed=seed)


def test_safeties_are_not_aimed_past_the_ball():
    assert max(map(abs, SAFETY_CONTACTS)) < 1.0
