"""Frames of note: their records read and replay as written, and the calls are those that were reviewed."""

import pytest

import rules
from rules.records.calls import LANGUAGES, transcript
from rules.records.text import print_records
from tests.golden.records import FOLDER, RECORDS, texts


def text_of(name):
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def records():
    return {name: rules.parse_records(text_of(f"{name}.txt")) for name in RECORDS}


def rulings(record):
    return [step.ruling for step in record.steps if step.ruling]


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_reads_and_is_called_as_written(name, records):
    assert print_records(records[name]) == text_of(f"{name}.txt")
    for language in LANGUAGES:
        assert transcript(records[name], language) == text_of(f"{name}.{language}.txt").splitlines()


def test_the_files_are_what_the_script_writes():
    made = texts()
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(made)
    for name, text in made.items():
        assert text_of(name) == text, f"{name}: if the change is meant, python -m tests.golden.records"


def test_the_maximum(records):
    (record,) = records["maximum_147"]
    assert record.final.is_over
    assert record.final.scores == (0, 147)
    assert max(ruling.break_points for ruling in rulings(record)) == 147
    assert len(record.entries) == 1 + 2 * 15 + 6


def test_the_greatest_break(records):
    (record,) = records["free_ball_155"]
    assert record.final.scores == (0, 5 + 155)
    assert max(ruling.break_points for ruling in rulings(record)) == 155
    assert [ruling.free_ball for ruling in rulings(record)] == [True] + [False] * 38


def test_the_re_spotted_black_of_1998(records):
    (record,) = records["masters_1998"]
    assert record.start.scores == (34, 56)
    (tie,) = [step for step in record.steps if step.after.phase == "respotted" != step.before.phase]
    assert tie.after.scores == (56, 56)
    assert sum(step.before.phase == "respotted" and step.ruling is not None for step in record.steps) == 8
    assert record.final.scores == (63, 56)
    assert record.final.state.winner == record.players.index("Mark Williams") == 0


def test_two_free_balls_and_three_misses(records):
    (record,) = records["misses"]
    assert sum(ruling.free_ball for ruling in rulings(record)) == 2
    assert [ruling.warned for ruling in rulings(record) if ruling.miss] == [False, True, False]
    assert rulings(record)[-1].miss
    assert rulings(record)[-1].frame_over
    assert record.final.state.winner == 0


def test_pairs_keep_their_order(records):
    (record,) = records["pairs"]
    played = [ruling.striker for ruling in rulings(record)]
    assert played == [0, 1, 1, 0, 3, 3, 3, 3, 0, 0, 0]
    assert record.final.scores == (11, 11)
    assert record.final.state.winner == 0  # the other pair conceded


def test_a_match(records):
    match = rules.match_of(records["match"])
    assert [result.ended for result in match.results] == ["conceded", "conceded", "forfeited"]
    assert [result.winner for result in match.results] == [1, 0, 1]
    assert match.winner == 1
    assert rules.match_records(match, [("Event", "A match")]) == records["match"]
