"""What every game must keep: it starts, is written and read back, recorded, ranked, drawn, and played to its end."""

import numpy as np
import pytest

import rules
import simcore
from bench.self_play import Report, Session
from rules.ruleset import GAME_NAMES, RuleSet
from simcore.draw import picture
from simcore.positions import check_positions

EDITIONS = ("current", "1995", "es")
CUE = (0.889, 0.6)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("game", GAME_NAMES)
def test_opening_is_legal_and_read_back_equal(game, edition):
    frame = rules.Frame.start(game, edition)
    check_positions(frame.positions, frame.table, frame.ruleset.ball_radius, 0.036)
    assert frame.reds_left == frame.ruleset.n_reds
    assert (frame.scores, frame.cue_in_hand, frame.is_over) == ((0, 0), True, False)
    assert rules.Frame.from_text(frame.text) == frame
    assert frame.text.startswith(f"{game}/{edition} ")


@pytest.mark.parametrize("game", GAME_NAMES)
def test_frame_in_a_file_is_read_back_equal(game, tmp_path):
    frame = rules.Frame.start(game)
    (tmp_path / "frame.json").write_text(frame.to_json())
    assert rules.Frame.from_json(tmp_path / "frame.json") == frame


@pytest.mark.parametrize("game", GAME_NAMES)
def test_record_is_read_back_equal(game):
    record = rules.Record(rules.Frame.start(game))
    record = record.with_entry(
        rules.RecordEntry.stroke(record.start, rules.facts(record.start, first="red", placed=CUE))
    )
    told = rules.facts(record.final, first="blue")
    record = record.with_entry(rules.RecordEntry.stroke(record.final, told))
    for option in record.final.options[-1:]:
        record = record.with_entry(rules.RecordEntry(rules.DecisionLine(option)))
    assert rules.Record.from_text(record.text) == record
    assert record.final.scores[0] > 0


@pytest.mark.parametrize("game", GAME_NAMES)
def test_stroke_is_played_and_strokes_are_ranked(game):
    frame = rules.Frame.start(game)
    shots = simcore.Shots(V0=[3.0, 4.0], phi=[1.55, 1.5])
    strokes = rules.Strokes(shots, cue_ball=CUE)
    after, ruling = rules.play(frame, strokes[0])
    assert ruling.scores == after.scores
    ranking = rules.evaluate(frame, strokes, noise=simcore.Noise.preset("club"), samples=20, seed=1)
    assert np.isfinite(ranking.value).all()
    assert len(rules.generate_candidates(frame, 20)) > 0


@pytest.mark.parametrize("game", GAME_NAMES)
def test_picture_draws(game):
    frame = rules.Frame.start(game)
    figure = picture(frame.table, frame.positions, frame.colours, radius=frame.ruleset.ball_radius)
    assert len(figure.axes) == 1


@pytest.mark.parametrize("game", GAME_NAMES)
def test_errors_name_what_is_wrong(game):
    with pytest.raises(ValueError, match="edition 'newest' is not known"):
        rules.Frame.start(game, "newest")
    with pytest.raises(ValueError, match="rule 'reds' is not known"):
        rules.Frame.start(game, reds=3)
    with pytest.raises(ValueError, match="'lilac' is not a ball"):
        rules.facts(rules.Frame.start(game), first="lilac")


@pytest.mark.parametrize("game", GAME_NAMES)
def test_self_play_violates_nothing(game):
    report = Report()
    Session(RuleSet.named(game), report, np.random.default_rng(3)).run(4, 4)
    assert not report.bad
    assert report.frames == 4
