"""The pages in docs/ say what the code says: named places exist, tables are those the code makes, links are good."""

import ast
import re
from pathlib import Path

import pytest

from rules import FAULTS, RuleSet
from rules.ruleset import EDITION_NAMES
from rules.state import OBSERVED_NAMES

ROOT = Path(__file__).parents[1]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "games").glob("*.md")])
PLACE = re.compile(r"^\| [^|]+ \| `([\w/.]+\.py)` \| ((?:`[\w.]+`(?:, )?)+) \|$", re.MULTILINE)
PLACES = [
    (file, name)
    for file, names in PLACE.findall((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    for name in re.findall(r"`([\w.]+)`", names)
]


def names_in(body):
    """Functions, classes and assigned names of a module's or class's body, the members of classes with a dot."""
    names = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{member}" for member in names_in(node.body)}
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names |= {leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)}
    return names


@pytest.mark.parametrize(("file", "name"), PLACES)
def test_map_of_the_code_leads_somewhere(file, name):
    assert (ROOT / file).is_file()
    assert name in names_in(ast.parse((ROOT / file).read_text(encoding="utf-8")).body)


def test_every_row_of_the_map_is_read():
    rows = re.findall(r"^\| .* \| `", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == len(PLACE.findall((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))) > 40


def test_map_names_every_module_with_physics_or_a_rule_in_it():
    helpers = {"__init__.py", "types.py", "tolerances.py", "random_normal.py"}
    kernels = {f"simcore/kernel/{path.name}" for path in (ROOT / "simcore" / "kernel").glob("*.py")}
    assert {file for file in kernels if Path(file).name not in helpers} <= {file for file, _ in PLACES}


def markdown(header, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, ("---",) * len(header), *rows])


def fault_table():
    rows = [(c.name, c.words, c.old or "–", c.current or "–") for c in FAULTS]
    return markdown(("fault", "the striker …", "1995", "WPBSA"), [(f"`{name}`", *rest) for name, *rest in rows])


def edition_table():
    editions = [RuleSet.named("snooker", edition) for edition in EDITION_NAMES]
    different = [
        name for name in RuleSet._fields if name != "edition" and len({getattr(e, name) for e in editions}) > 1
    ]
    rows = [(f"`{name}`", *(str(getattr(e, name)) for e in editions)) for name in different]
    return markdown(("switch", *EDITION_NAMES), rows)


@pytest.mark.parametrize(("name", "make"), [("faults", fault_table), ("editions", edition_table)])
def test_table_is_the_codes(name, make):
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    block = page.partition(f"<!-- table: {name} -->\n\n")[2].partition("\n\n")[0]
    assert block == make(), f"docs/rules.md, table {name}, should be:\n{make()}"


def test_every_observed_fact_is_told():
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    block = page.partition("<!-- table: observed -->\n\n")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \| \w", block, re.MULTILINE)) == OBSERVED_NAMES


def test_every_switch_that_differs_is_explained():
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\| `(\w+)`", edition_table(), re.MULTILINE):
        assert f"- `{name}`: " in page


def test_every_difference_of_the_editions_is_told_and_shown():
    page = (ROOT / "docs" / "editions.md").read_text(encoding="utf-8")
    assert {int(number) for number in re.findall(r"\bD(\d+)\b", page)} == set(range(1, 28))
    rows = re.findall(r"^\| (?:D\d+|–) \|.*\| ([^|]*) \| ([^|]*) \|$", page, re.MULTILINE)
    switches = {name for names, _ in rows for name in re.findall(r"`(\w+)`", names)}
    assert set(re.findall(r"^\| `(\w+)`", edition_table(), re.MULTILINE)) <= switches <= set(RuleSet._fields)
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "rules").glob("test_*.py"))
    shown = [re.findall(r"`(test_\w+)`", names) for _, names in rows]
    assert all(shown)
    assert not [name for names in shown for name in names if f"def {name}(" not in tests]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_are_good(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_example_of_the_referee_runs(capsys):
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    exec(compile(code, "docs/rules.md", "exec"), {})
    (printed,) = re.findall(r"print\(ruling\)  # (.*)", code)
    assert capsys.readouterr().out == f"{printed}\n"
