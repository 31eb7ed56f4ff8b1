"""What the README promises: its example runs as printed, and its two commands are there for `.ci/run` to run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


def test_example_prints_what_it_says():
    (example,) = blocks("python")
    assert len(example.strip().splitlines()) <= 12
    done = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    expected = blocks("text")[0]
    assert done.stdout == expected


@pytest.mark.parametrize("name", ["job", "tests"])
def test_each_command_is_one_line_that_makes_its_own_environment(name):
    (command,) = re.findall(rf"^<!-- command: {name} -->\n+```sh\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)
    assert len(command.splitlines()) == 1
    assert command.startswith("python3 -m venv .venv && .venv/bin/python -m pip install -q ")


def test_links_to_files_are_good():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
