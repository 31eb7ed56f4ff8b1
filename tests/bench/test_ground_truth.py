"""Every item of ground truth within its tolerance, and the page in docs/ as the code makes it.

Sources stand with the items in bench/ground_truth.py and on the page.
"""

import pytest

from bench import ground_truth
from bench.ground_truth import ITEMS, Line, by_count, by_digits, by_formula, by_range, by_share, main, missed, signed


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"item {item.number}: {item.title}")
def test_item_holds(item):
    assert not missed({item.number: item.lines()})


def test_there_are_twenty_items_in_order():
    assert [item.number for item in ITEMS] == list(range(1, 21))
    assert all(item.source for item in ITEMS)


def test_page_is_up_to_date(capsys):
    assert main(["--check"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        by_formula("off the formula", "0.50000", 0.5 + 1e-11, 0.5),
        by_formula("formula off the print", "0.50000", 0.51, 0.51),
        by_digits("off by two units", "0.500", 0.5021),
        by_digits("off by more than allowed", "0.500", 0.52, 0.01),
        by_share("off by four per cent", "0.500", 0.52, 0.03),
        by_range("below", "0.1", "0.2", 0.09),
        by_range("above", "", "0.2", 0.21),
        by_count("one too many", 0, 1),
        by_digits("not a number", "0.500", float("nan")),
    ],
    ids=lambda line: line.quantity,
)
def test_a_value_outside_its_tolerance_is_named(line):
    assert not line.good
    (sentence,) = missed({7: [line]})
    assert sentence.startswith(f"item 7, {line.quantity}: ")


def test_check_fails_on_a_missed_value_and_on_a_stale_page(monkeypatch, tmp_path, capsys):
    item = ITEMS[0]._replace(lines=lambda: [Line("speed", "1.0", "2.0", "+1", "0.1", False)])
    monkeypatch.setattr(ground_truth, "ITEMS", (item,))
    monkeypatch.setattr(ground_truth, "PAGE", tmp_path / "page.md")
    assert main([]) == 1
    assert "| speed | 1.0 | 2.0 | +1 | 0.1 | **NO** |" in (tmp_path / "page.md").read_text(encoding="utf-8")
    good = item._replace(lines=lambda: [Line("speed", "1.0", "1.0", "< 1e-12", "0.1", True)])
    monkeypatch.setattr(ground_truth, "ITEMS", (good,))
    capsys.readouterr()
    assert main(["--check"]) == 1
    assert "run python -m bench.ground_truth" in capsys.readouterr().err
    assert main([]) == 0
    assert main(["--check"]) == 0


def test_rounding_is_shown_as_a_bound():
    assert signed(-3e-13) == signed(0.0) == "< 1e-12"
    assert signed(90.0 * 5e-13, 90.0) == "< 1e-12"
    assert signed(-4.85) == "−4.8"
    assert signed(3.4e-6) == "+3e-6"
