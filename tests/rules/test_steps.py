"""What is told of a stroke or decision, as values: entries that compare, are refused, and advance a frame."""

import math

import numpy as np
import pytest

import rules
import simcore
from rules.records.record import Record
from rules.state import Facts
from rules.steps import DecisionLine, ForfeitLine, RecordEntry, Step, StrokeLine, advance


def test_entries_compare():
    one = RecordEntry(StrokeLine(Facts(first_contacts=1 << 7)))
    nan = Facts(first_contacts=1 << 7, placed_x=float("nan"), placed_y=float("nan"))
    assert RecordEntry(StrokeLine(nan)) == one
    assert hash(RecordEntry(StrokeLine(nan))) == hash(one)
    assert one != RecordEntry(StrokeLine(one.line.facts, "red"))
    assert one != RecordEntry(StrokeLine(one.line.facts, None, "safety"))
    assert RecordEntry(DecisionLine("play")) != "play"
    assert RecordEntry(DecisionLine("concede")) != RecordEntry(ForfeitLine(0))


def test_only_strokes_have_a_ruling_and_only_decisions_a_name():
    frame = rules.Frame.start(positions_known=0)
    stroke = advance(frame, RecordEntry(StrokeLine(rules.facts(frame, first="blue"))))
    assert (stroke.ruling.penalty, stroke.decision) == (5, "")
    decided = advance(stroke.after, RecordEntry(DecisionLine("play")))
    assert (decided.ruling, decided.decision, decided.before) == (None, "play", stroke.after)
    lost = advance(decided.after, RecordEntry(ForfeitLine(1)))
    assert (lost.ruling, lost.decision, lost.after.is_over) == (None, "", True)


def test_a_played_stroke_is_recorded_with_all_that_it_needs():
    frame = rules.Frame.start()
    record = Record(frame)
    for nominated in (None, None, None):
        stroke = rules.Strokes(
            simcore.Shots(4.0, 1.5, 0.0, 0.2, 0.1), nominated, (0.8, 0.6) if frame.cue_in_hand else None
        )
        entry = RecordEntry.played(frame, stroke)
        frame, ruling = rules.play(frame, stroke)
        record = record.with_entry(entry)
        assert record.steps[-1].ruling == ruling
        assert record.final == frame
        assert entry.shot == stroke.shots
        if frame.options:
            record = record.with_entry(RecordEntry(DecisionLine("play")))
            frame = record.final
    again = Record.from_text(record.text)
    assert again == record
    assert np.array_equal(again.final.positions, frame.positions, equal_nan=True)


def test_balls_that_did_not_move_are_left_out():
    frame = rules.Frame.named("mid_frame")
    positions = np.array(frame.positions)
    positions[0] += 0.001
    positions[1] = np.nan
    entry = RecordEntry.stroke(frame, rules.facts(frame, first="red", potted="yellow"), positions=positions)
    assert entry.moved == ((0, *positions[0].tolist()),)
    assert entry.shot is None
    step = advance(frame, entry)
    assert isinstance(step, Step)
    assert tuple(step.after.positions[0]) == tuple(positions[0])
    assert tuple(step.after.positions[1]) == tuple(frame.positions[1])  # put back


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: RecordEntry("concede"), TypeError, "expected StrokeLine, DecisionLine or ForfeitLine"),
        (lambda: RecordEntry(StrokeLine("facts")), TypeError, "expected StrokeLine"),
        (lambda: RecordEntry(StrokeLine(Facts(), None, "win")), ValueError, "intended 'win'"),
        (lambda: RecordEntry(StrokeLine(Facts()), shot=1.0), TypeError, "expected simcore.Shots"),
        (lambda: RecordEntry(StrokeLine(Facts()), shot=simcore.Shots([1, 2], 0.0)), ValueError, "a single one"),
        (lambda: RecordEntry(DecisionLine("play"), moved=[(0, 1.0, 1.0)]), ValueError, "no stroke"),
        (lambda: RecordEntry(StrokeLine(Facts()), moved=[(22, 1.0, 1.0)]), ValueError, "ball 22"),
        (
            lambda: RecordEntry(StrokeLine(Facts()), moved=[(6, 1.0, 1.0), (6, 1.0, 1.0)]),
            ValueError,
            "black is given twice",
        ),
        (lambda: RecordEntry(StrokeLine(Facts()), moved=[(7, 1.0, math.nan)]), ValueError, "red 1 at .*finite"),
    ],
)
def test_what_cannot_be_an_entry_is_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()
