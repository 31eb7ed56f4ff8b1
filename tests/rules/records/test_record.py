"""Records of frames are values that grow, compare and copy, and refuse what cannot have happened."""

import copy
import pickle

import pytest

import rules
from rules.records.lines import parse_line
from rules.records.record import Record
from rules.steps import DecisionLine, RecordEntry

FRAME = rules.Frame.start()


def record_of(*lines, start=FRAME, **settings):
    record = Record(start, **settings)
    for line in lines:
        record = record.with_entry(RecordEntry(parse_line(record.final, line)))
    return record


def test_values_compare_and_copy():
    record = record_of("first red 1; placed 0.8,0.6", "first red 1; pot red 1", tags=(("Event", "a"),))
    same = record_of("first red 1; placed 0.8,0.6", "first red 1; pot red 1", tags=(("Event", "a"),))
    assert record == same == copy.deepcopy(record) == pickle.loads(pickle.dumps(record))
    assert hash(record) == hash(same)
    assert record != record_of("first red 1; placed 0.8,0.6", "first red 1; pot red 1")
    meant = record_of("first red 1; placed 0.8,0.6", "first red 1; pot red 1; intended red", tags=(("Event", "a"),))
    assert record != meant
    assert record != "record"


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Record("frame"), TypeError, "expected rules.Frame"),
        (lambda: Record(FRAME, ["concede"]), TypeError, "expected rules.RecordEntry"),
        (
            lambda: Record(FRAME, [RecordEntry(DecisionLine("play"))]),
            ValueError,
            r"entry 1 \(decide play\): .* not offered",
        ),
        (lambda: Record(FRAME, tags=[("Start", "x")]), ValueError, "tag Start: written from the frame"),
        (lambda: Record(FRAME, tags=[("my tag", "x")]), ValueError, "tag 'my tag'"),
        (lambda: Record(FRAME, tags=[("Event", "a"), ("Event", "b")]), ValueError, "tag Event is given twice"),
        (lambda: Record(FRAME, tags=[("Event", "a\nb")]), ValueError, "printable"),
        (lambda: Record(FRAME, tags=[("Event", 1)]), TypeError, "expected str"),
        (lambda: Record(FRAME, tags=[("Players", "Ann")]), ValueError, "1 names, expected 2"),
        (lambda: Record(FRAME, comments=["a\u2028b"]), ValueError, "printable"),
        (lambda: Record(FRAME, comments=[" a"]), ValueError, "no spaces around"),
        (lambda: Record.from_text(None), TypeError, "expected str"),
        (lambda: Record(FRAME).with_entry("concede"), TypeError, "expected rules.RecordEntry"),
    ],
)
def test_what_cannot_be_a_record_is_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()
