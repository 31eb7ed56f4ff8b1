"""The shape of the repository and of what is installed from it."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import rules
import simcore

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", ".ci", "docs", "simcore", "rules", "bench", "notebooks", "tests"}
GIT_FILES = {".gitignore", ".gitattributes"}


def tracked() -> list[str]:
    git = shutil.which("git")
    listed = git and subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if not listed or listed.returncode or not listed.stdout:
        pytest.skip("not in a git clone: nothing says which files belong")
    return listed.stdout.splitlines()


def test_top_level_is_the_designs():
    assert {path.split("/")[0] for path in tracked()} <= TOP_LEVEL | GIT_FILES


def test_no_file_names_a_registry_or_a_machines_folder():
    address = re.compile(r"pypi\.org|pythonhosted|index-url|(?<![\w.])/(?:home|root|work|tmp)/\w")
    suffixes = {".py", ".toml", ".md", ".json", ".txt", ".lock", ""}
    for path in tracked():
        if path == "tests/test_packaging.py" or Path(path).suffix not in suffixes or not (ROOT / path).is_file():
            continue
        found = address.search((ROOT / path).read_text(encoding="utf-8"))
        assert found is None, (path, found)


def test_versions_agree():
    assert simcore.__version__ == PROJECT["project"]["version"]


def test_rules_carries_its_marker():
    assert rules.__project__ == PROJECT["project"]["name"]


def test_every_runtime_dependency_has_a_lower_bound():
    for requirement in PROJECT["project"]["dependencies"]:
        assert ">=" in requirement, requirement


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_wheel_holds_both_packages_and_their_data(wheel):
    names = set(wheel.namelist())
    tops = {name.split("/")[0] for name in names}
    assert tops == {"simcore", "rules", f"snookersim-{simcore.__version__}.dist-info"}
    assert {"simcore/py.typed", "rules/py.typed"} <= names
    shipped = {f"rules/positions/{path.name}" for path in (ROOT / "rules" / "positions").glob("*.json")}
    assert len(shipped) == 10
    assert shipped <= names
    assert {f"rules/records/locale/{language}/LC_MESSAGES/snookersim.mo" for language in ("es", "ru")} <= names


def test_wheel_says_who_what_and_how_to_start(wheel):
    info = f"snookersim-{simcore.__version__}.dist-info"
    metadata = wheel.read(f"{info}/METADATA").decode()
    assert "License-Expression: MIT" in metadata
    assert "Requires-Python: >=3.11" in metadata
    assert "snookersim = simcore.__main__:main" in wheel.read(f"{info}/entry_points.txt").decode()
