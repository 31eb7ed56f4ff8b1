"""The batch: independent of chunks, threads and company; honest errors; zero noise; writers; refused input."""

import builtins
import math
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import rules
import simcore
from rules.candidates import generate_candidates
from rules.strokes import Strokes

ARRAYS = (
    "p_pot", "p_pot_se", "p_foul", "p_foul_se", "points", "points_se", "penalty", "penalty_se", "value", "value_se",
    "p_in_off", "cue_ball", "cue_ball_se", "cue_ball_covariance", "clipped", "miscues", "unfinished",
)  # fmt: skip
AMATEUR = simcore.Noise.preset("amateur")


def module():
    """The module; the package's attribute of this name is the function."""
    return import_module("rules.ranking")


def equal(first, second, rows=slice(None)):
    """Bitwise equality of all estimates; `second` holds the given rows of `first`."""
    return all(np.array_equal(getattr(first, name)[rows], getattr(second, name), equal_nan=True) for name in ARRAYS)


@pytest.fixture(scope="module")
def frame():
    return rules.Frame.named("mid_frame")


@pytest.fixture(scope="module")
def candidates(frame):
    return generate_candidates(frame, 24, seed=1)


@pytest.fixture(scope="module")
def ranking(frame, candidates):
    return rules.evaluate(frame, candidates, noise=AMATEUR, samples=40, seed=5)


# --- common random numbers -------------------------------------------------------------------------------------------


def test_a_candidate_alone_gets_the_same_numbers(frame, candidates, ranking):
    for i in (0, 7, 23):
        alone = rules.evaluate(frame, candidates.strokes[i], noise=AMATEUR, samples=40, seed=5)
        assert equal(ranking, alone, slice(i, i + 1))


def test_order_of_candidates_does_not_matter(frame, candidates, ranking):
    back = rules.evaluate(frame, candidates.strokes[::-1], noise=AMATEUR, samples=40, seed=5)
    assert equal(ranking, back, slice(None, None, -1))


@pytest.mark.parametrize("chunk", [1, 100, 333])
def test_chunks_do_not_matter(frame, candidates, ranking, monkeypatch, chunk):
    monkeypatch.setattr(module(), "CHUNK_SHOTS", chunk)
    assert equal(ranking, rules.evaluate(frame, candidates, noise=AMATEUR, samples=40, seed=5))


def test_threads_do_not_matter(frame, candidates, ranking):
    assert equal(ranking, rules.evaluate(frame, candidates, noise=AMATEUR, samples=40, seed=5, threads=1))


def test_blocks_of_samples_change_rounding_at_most(frame, candidates, ranking, monkeypatch):
    monkeypatch.setattr(module(), "SAMPLE_BLOCK", 16)
    blocked = rules.evaluate(frame, candidates, noise=AMATEUR, samples=40, seed=5)
    for name in ("value", "value_se", "p_pot", "p_foul", "clipped"):
        assert np.array_equal(getattr(ranking, name), getattr(blocked, name))
    for name in ("cue_ball", "cue_ball_covariance"):
        assert getattr(blocked, name) == pytest.approx(getattr(ranking, name), rel=1e-9, abs=1e-12, nan_ok=True)


def test_other_seeds_give_other_numbers(frame, candidates, ranking):
    other = rules.evaluate(frame, candidates, noise=AMATEUR, samples=40, seed=6)
    assert not equal(ranking, other)


# --- estimates -------------------------------------------------------------------------------------------------------


def test_estimates_are_those_of_single_strokes_refereed_one_by_one(frame, candidates):
    """The slow way: every noisy stroke played and refereed by `rules.play`'s parts, in plain Python."""
    i, samples = 3, 25
    ranking = rules.evaluate(frame, candidates, noise=AMATEUR, samples=samples, seed=9)
    shots, _ = AMATEUR.apply(candidates.strokes.shots[i : i + 1], AMATEUR.draws(9, 0, samples))
    rulings, places = [], []
    for k in range(samples):
        results = simcore.simulate(frame.positions, shots[0, k], table=frame.table)
        rulings.append(rules.referee(frame, rules.facts_from_results(results), None, results.positions)[1])
        places.append(results.positions[0])
    points, penalty = (np.array([getattr(r, name) for r in rulings]) for name in ("points", "penalty"))
    up = np.array(places)[~np.isnan(np.array(places)[:, 0])]
    assert ranking.points[i] == points.mean()
    assert ranking.penalty[i] == penalty.mean()
    assert ranking.p_pot[i] == (points > 0).mean()
    assert ranking.p_foul[i] == (penalty > 0).mean()
    assert ranking.value_se[i] == pytest.approx((points - penalty).std(ddof=1) / math.sqrt(samples), rel=1e-12)
    assert ranking.cue_ball[i] == pytest.approx(up.mean(axis=0), rel=1e-12)
    assert ranking.cue_ball_covariance[i] == pytest.approx(np.cov(up.T), rel=1e-9)
    assert ranking.cue_ball_se[i] == pytest.approx(up.std(axis=0, ddof=1) / math.sqrt(len(up)), rel=1e-9)


def test_without_noise_a_stroke_does_one_thing(frame, candidates):
    ranking = rules.evaluate(frame, candidates, samples=3)
    assert set(ranking.p_pot.tolist()) <= {0.0, 1.0}
    assert set(ranking.p_foul.tolist()) <= {0.0, 1.0}
    assert (ranking.p_pot[candidates.kind == "pot"] == 1.0).all()
    for name in ("p_pot_se", "points_se", "value_se", "cue_ball_se", "cue_ball_covariance"):
        assert (getattr(ranking, name) == 0.0).all()
    results = simcore.simulate(frame.positions, candidates.strokes.shots, table=frame.table)
    assert np.array_equal(ranking.cue_ball, results.positions[:, 0])


def test_errors_shrink_with_the_root_of_the_samples(frame, candidates):
    few, many = (rules.evaluate(frame, candidates, noise=AMATEUR, samples=n, seed=2) for n in (100, 1600))
    wide = (few.value_se > 0.03) & (many.value_se > 0.0)
    assert wide.sum() >= 5
    assert np.median(few.value_se[wide] / many.value_se[wide]) == pytest.approx(4.0, rel=0.2)
    apart = np.abs(few.value - many.value)[wide] / few.value_se[wide]
    assert np.sqrt(np.mean(apart**2)) < 2.0


def test_a_single_sample_has_no_error(frame, candidates):
    ranking = rules.evaluate(frame, candidates, noise=AMATEUR, samples=1)
    assert np.isnan(ranking.value_se).all()
    assert np.isnan(ranking.cue_ball_covariance).all()
    assert np.isfinite(ranking.value).all()


def test_a_miscue_is_a_foul_that_moves_nothing(frame):
    ranking = rules.evaluate(frame, Strokes(simcore.Shots([2.0], [1.0], a=[0.6])), samples=2)
    assert ranking.miscues.tolist() == [1.0]
    assert ranking.p_foul.tolist() == [1.0]
    assert np.array_equal(ranking.cue_ball[0], frame.positions[0])


def test_an_in_off_has_no_resting_place():
    frame = rules.Frame.named("last_red")
    corner = np.array([1.76, 3.55]) - frame.positions[0]
    strokes = Strokes(simcore.Shots([3.0, 3.0], [math.atan2(corner[1], corner[0]), -1.0]))
    ranking = rules.evaluate(frame, strokes, samples=2)
    assert ranking.p_in_off.tolist() == [1.0, 0.0]
    assert ranking.p_foul[0] == 1.0
    assert np.isnan(ranking.cue_ball[0]).all()
    assert np.isfinite(ranking.cue_ball[1]).all()


def test_clamped_noise_is_counted(frame):
    strokes = Strokes(simcore.Shots([2.0, 2.0], 1.5, theta=[0.0, 0.5]))
    noise = simcore.Noise(theta=0.01)
    ranking = rules.evaluate(frame, strokes, noise=noise, samples=200)
    expected = (noise.draws(0, 0, 200)[:, 2] < 0.0).mean()
    assert ranking.clipped.tolist() == [expected, 0.0]
    assert noise.apply(strokes.shots, noise.draws(0, 0, 200))[1] == pytest.approx(ranking.clipped.mean())


def test_unfinished_shots_count_nowhere_else(frame, candidates, monkeypatch):
    real = simcore.simulate

    def short(*arguments, **options):
        return real(*arguments, **options, max_events=8)

    monkeypatch.setattr(module(), "simulate", short)
    ranking = rules.evaluate(frame, candidates, noise=AMATEUR, samples=10)
    gone = ranking.unfinished == 1.0
    assert gone.any()
    assert np.isnan(ranking.value[gone]).all()
    assert np.isnan(ranking.cue_ball[gone]).all()
    rank = np.argsort(ranking.order)
    if not gone.all():
        assert rank[gone].min() > rank[~gone].max()


def test_a_cue_ball_in_hand():
    frame = rules.Frame.named("respotted_black")
    candidates = generate_candidates(frame, 12)
    ranking = rules.evaluate(frame, candidates, noise=AMATEUR, samples=6)
    alone = rules.evaluate(frame, candidates.strokes[4], noise=AMATEUR, samples=6)
    assert equal(ranking, alone, slice(4, 5))
    assert not np.isnan(ranking.row(0)["place_x"])


# --- the ranking -----------------------------------------------------------------------------------------------------


def test_order_is_by_value_then_pots_then_index(ranking):
    order = ranking.order
    assert sorted(order.tolist()) == list(range(len(ranking)))
    keys = [(-ranking.value[i], -ranking.p_pot[i], i) for i in order]
    assert keys == sorted(keys)
    assert ranking.best == order[0]
    assert [row["candidate"] for row in ranking.rows()] == order.tolist()


def test_rows_are_plain_and_complete(ranking):
    row = next(ranking.rows())
    assert {type(value) for value in row.values()} <= {int, float, str, type(None)}
    for key in ("ball", "pocket", "V0", "phi", "theta", "a", "b", "p_pot", "p_pot_se", "p_foul", "points", "penalty"):
        assert key in row
    assert row["kind"] == "pot"


def test_own_strokes_are_described_by_what_they_do(frame, candidates):
    i = int(np.flatnonzero(candidates.kind == "pot")[0])
    row = rules.evaluate(frame, candidates.strokes[i], samples=1).row(0)
    assert row["kind"] is None
    assert (row["ball"], row["pocket"]) == (candidates.ball_names[i], candidates.pocket_names[i])


def test_progress_is_told_after_every_chunk(frame, candidates, monkeypatch):
    monkeypatch.setattr(module(), "CHUNK_SHOTS", 50)
    told = []
    rules.evaluate(frame, candidates, samples=10, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (240, 240)
    assert len(told) == 5
    assert told == sorted(told)


def test_writers_agree(ranking, tmp_path):
    ranking.to_csv(tmp_path / "a.csv")
    ranking.to_parquet(tmp_path / "a.parquet")
    first, second = pd.read_csv(tmp_path / "a.csv"), pd.read_parquet(tmp_path / "a.parquet")
    assert list(first.columns) == list(second.columns)
    assert len(first) == len(ranking)
    for name in ("V0", "phi", "value", "cue_x", "cue_xy"):
        assert np.array_equal(first[name].to_numpy(), second[name].to_numpy(), equal_nan=True)
    assert first["ball"].tolist() == second["ball"].tolist()


def test_a_failed_write_leaves_the_old_file(ranking, tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("old")
    monkeypatch.setattr("csv.DictWriter.writerows", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        ranking.to_csv(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_csv_needs_no_pandas(ranking, tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments):
        if name.split(".")[0] in ("pandas", "pyarrow"):
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    ranking.to_csv(tmp_path / "a.csv")
    with pytest.raises(ImportError):
        ranking.to_pandas()


# --- refused input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"samples": 0}, "samples = 0"),
        ({"samples": -3}, "samples = -3"),
        ({"samples": 2.5}, "samples"),
        ({"samples": True}, "samples"),
        ({"samples": 10**9 + 1}, "samples = 1000000001: expected 1 to 1000000000"),
        ({"physics": simcore.Physics.snooker(nose_height=0.035)}, "nose_height = 0.035: expected 0.036"),
        ({"seed": -1}, "seed = -1"),
        ({"threads": 0}, "threads"),
        ({"threads": 100_000}, "threads = 100000"),
    ],
)
def test_bad_numbers_are_refused(frame, candidates, options, words):
    with pytest.raises(ValueError, match=words):
        rules.evaluate(frame, candidates, **options)


def test_no_candidates_are_refused(frame):
    with pytest.raises(ValueError, match="no candidates"):
        rules.evaluate(frame, Strokes(simcore.Shots(np.zeros(0), np.zeros(0))))


def test_tables_of_strokes_are_refused(frame):
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        rules.evaluate(frame, Strokes(simcore.Shots(np.ones((2, 3)), 0.0)))


def test_other_things_than_strokes_are_refused(frame):
    with pytest.raises(TypeError, match="Shots"):
        rules.evaluate(frame, simcore.Shots([1.0], 0.0))


def test_other_things_than_noise_and_physics_are_refused(frame, candidates):
    with pytest.raises(TypeError, match=r"noise = 'pro': expected simcore.Noise, such as Noise.preset"):
        rules.evaluate(frame, candidates, noise="pro")
    with pytest.raises(TypeError, match=r"noise = 0: expected simcore.Noise"):
        rules.evaluate(frame, candidates, noise=0)
    with pytest.raises(TypeError, match=r"physics = 'x': expected simcore.Physics"):
        rules.evaluate(frame, candidates, physics="x")


def test_the_table_is_the_frames(frame):
    club = rules.Frame.named("mid_frame", table=simcore.Table.snooker("club"))
    strokes = generate_candidates(frame, 24, seed=1).strokes
    wide = rules.evaluate(club, strokes, noise=AMATEUR, samples=40, seed=5)
    assert wide.candidates.table is club.table
    assert wide.p_pot.sum() > rules.evaluate(frame, strokes, noise=AMATEUR, samples=40, seed=5).p_pot.sum()
    with pytest.raises(TypeError, match="table"):
        rules.evaluate(frame, strokes, table=club.table)


def test_strokes_that_do_not_fit_the_frame_are_refused(frame):
    with pytest.raises(ValueError, match="nominated"):
        rules.evaluate(frame, Strokes(simcore.Shots([1.0], 0.0), nominated="blue"))
    with pytest.raises(ValueError, match="not in hand"):
        rules.evaluate(frame, Strokes(simcore.Shots([1.0], 0.0), cue_ball=(0.9, 0.7)))
    in_hand = rules.Frame.named("respotted_black")
    with pytest.raises(ValueError, match="in hand"):
        rules.evaluate(in_hand, Strokes(simcore.Shots([1.0], 0.0)))
    with pytest.raises(ValueError, match="outside the D"):
        rules.evaluate(in_hand, Strokes(simcore.Shots([1.0], 0.0), cue_ball=(0.2, 0.7)))


def test_frames_in_which_nobody_plays_are_refused(frame, candidates):
    foul = rules.referee(frame, rules.facts(frame))[0]
    with pytest.raises(ValueError, match="decision pending"):
        rules.evaluate(foul, candidates)
