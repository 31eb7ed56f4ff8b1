"""The README's table is the last line's, the words fit the numbers, and the picture is drawn."""

import copy
import json

import pytest

from bench import report
from bench.report import (
    README,
    RESULTS,
    TARGETS,
    block,
    case,
    digits,
    door_us,
    last_record,
    main,
    peers_block,
    verdict,
    with_block,
)


def test_readme_is_up_to_date(capsys):
    assert main(["--check"]) == 0, capsys.readouterr().err


@pytest.fixture
def here(tmp_path, monkeypatch):
    """README and results to write in."""
    for name, path in (("README", README), ("RESULTS", RESULTS)):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        monkeypatch.setattr(report, name, tmp_path / path.name)
    monkeypatch.setattr(report, "PICTURE", tmp_path / "speed.svg")
    monkeypatch.setattr(report, "last_record", lambda path=tmp_path / RESULTS.name: last_record(path))
    return tmp_path


def test_check_fails_until_the_table_is_written(here, capsys):
    record = last_record()
    for numbers in record["cases"]:
        numbers["min_s"] *= 0.5
    with (here / RESULTS.name).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    assert main(["--check"]) == 1
    assert "run python -m bench.report" in capsys.readouterr().err
    assert main([]) == 0
    assert main(["--check"]) == 0
    first = (here / "speed.svg").read_text(encoding="utf-8")
    assert "µs an event and thread" in first
    assert main([]) == 0
    assert (here / "speed.svg").read_text(encoding="utf-8") == first


@pytest.fixture
def record():
    """Every case takes 1 ms."""
    found = copy.deepcopy(last_record())
    for numbers in found["cases"]:
        numbers |= {"min_s": 1e-3, "shots": 200, "events": None if numbers["name"] == "evaluate" else 2000}
    return found


def test_numbers_of_the_table(record):
    rows = [text for text in block(record).splitlines() if text.startswith("| ")]
    assert len(rows) == 2 + len(TARGETS)
    assert rows[3] == ("| 8 balls | 10.0 | 200,000 | 200,000 | 1.00 | ≥ 250,000/s, ≤ 0.9 µs | **missed**: 0.80 of it |")
    assert rows[4].endswith("| ≥ 160,000/s, ≤ 1.3 µs | met: 1.25 of it |")
    case_of_one = next(numbers for numbers in record["cases"] if numbers["name"] == "one shot")
    case_of_one["min_s"] = 2.5e-3
    assert door_us(record) == pytest.approx(7.5)


def test_verdict_is_of_the_worse_half():
    assert verdict(500_000, 0.75, TARGETS["2 balls"]) == "**missed**: 0.80 of it"
    assert verdict(500_000, 0.5, TARGETS["2 balls"]) == "met: 1.20 of it"
    assert verdict(50_000, None, TARGETS["evaluate"]) == "**missed**: 0.50 of it"


def test_what_is_said_of_pooltool():
    record = last_record() | {"pooltool": "0.6.0", "date": "2026-11-30T10:00:00", "load": 0.25}
    record["workloads"] = [
        {"name": "8 balls", "theirs_s": 0.01, "ours_s": 1e-5},
        {"name": "break", "theirs_s": 0.5, "ours_s": 1e-4},
    ]
    text = " ".join(peers_block(record).split())
    assert "the shots of pooltool 0.6.0: 1,000 (8 balls), 5,000 (break)." in text
    assert "pooltool played 100 shots/s and this 100,000 (target: 1,900 times, **missed**: 0.53 of it)" in text
    assert "measured on 2026-11-30" in text
    assert text.endswith("load of the machine before: 0.2.")
    record["workloads"][0]["theirs_s"] = 0.02
    assert "(target: 1,900 times, met)" in " ".join(peers_block(record).split())


@pytest.mark.parametrize(
    ("value", "text"), [(412_345.0, "412,000"), (1_234.0, "1,230"), (100.4, "100"), (56.78, "56.8"), (0.5678, "0.57")]
)
def test_digits(value, text):
    assert digits(value) == text


def test_what_is_missing_is_named(record):
    with pytest.raises(ValueError, match="lack 2 balls on 3 threads"):
        case(record, "2 balls", 3)
    with pytest.raises(ValueError, match="speed: begin"):
        with_block("no markers", "speed", "")
