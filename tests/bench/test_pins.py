"""Pinned numbers: sections are replaced one by one, and every difference is named."""

import json

import pytest

from bench.pins import PINS, differences, read_pins, write_pins
from bench.workloads import WORKLOADS


def test_a_section_is_replaced_and_the_others_stay(tmp_path):
    path = tmp_path / "pins.json"
    write_pins("work", {"a": {"n": 1}}, path)
    write_pins("answers", {"b": {"n": 2}}, path)
    write_pins("work", {"c": {"n": 3}}, path)
    assert json.loads(path.read_text(encoding="utf-8")) == {"answers": {"b": {"n": 2}}, "work": {"c": {"n": 3}}}
    assert read_pins("work", path) == {"c": {"n": 3}}
    with pytest.raises(KeyError):
        read_pins("times", path)


def test_differences_are_named():
    pinned = {"a": {"n": 1, "m": 2}, "gone": {"n": 1}}
    found = {"a": {"n": 1, "m": 3}, "new": {"n": 4}}
    assert differences(pinned, pinned) == []
    assert differences(pinned, found) == [
        "a, m: 3, pinned 2",
        "gone, n: nothing, pinned 1",
        "new, n: 4, pinned nothing",
    ]


@pytest.mark.parametrize("section", ["answers", "times", "work"])
def test_every_workload_is_pinned(section):
    assert list(read_pins(section)) == list(WORKLOADS)
    assert sorted(json.loads(PINS.read_text(encoding="utf-8"))) == ["answers", "times", "work"]
