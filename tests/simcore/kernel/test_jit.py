"""Machine code of an older source is never served: the cache folder follows the sources (numba issue 1833)."""

import os
import shutil
import subprocess
import sys

import pytest

from simcore.kernel.jit import CACHE_VARIABLE, KERNEL_FOLDER, sources_hash

PROGRAM = """
import numba, sys
sys.path.insert(0, ".")
from pack.entry import outer
print(outer(1.0), repr(numba.config.CACHE_DIR))
"""
INNER = "from simcore.kernel.jit import kernel\n\n\n@kernel\ndef inner(x):\n    return x + {}\n"
OUTER = (
    "from pack.leaf import inner\nfrom simcore.kernel.jit import door\n\n\n@door\ndef outer(x):\n    return inner(x)\n"
)


def run(folder, cache):
    environment = {**os.environ, CACHE_VARIABLE: str(cache), "PYTHONPATH": str(KERNEL_FOLDER.parents[1])}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split(maxsplit=1)


def test_an_edit_to_an_imported_kernel_is_seen(tmp_path):
    """The caller's file stays as it is: only the hash over all sources tells."""
    pack, cache = tmp_path / "pack", tmp_path / "cache"
    pack.mkdir()
    (pack / "__init__.py").write_text("")
    (pack / "entry.py").write_text(OUTER)
    (pack / "leaf.py").write_text(INNER.format("1.0"))
    assert run(tmp_path, cache)[0] == "2.0"
    (pack / "leaf.py").write_text(INNER.format("5.0"))
    os.utime(pack / "leaf.py", (0, 0))  # an older time stamp does not hide the edit either
    value, setting = run(tmp_path, cache)
    assert value == "6.0"
    assert setting.strip() == "''"  # the user's own numba setting is as it was


@pytest.mark.parametrize("name", ["roots.py", "cushion.py", "tolerances.py"])
def test_every_kernel_source_counts(tmp_path, name):
    folder = tmp_path / "kernel"
    shutil.copytree(KERNEL_FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = sources_hash((folder,))
    assert before == sources_hash((KERNEL_FOLDER,))
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert sources_hash((folder,)) != before


def test_a_read_only_choice_still_runs(tmp_path):
    """A cache folder that cannot be made costs time, not the run."""
    (tmp_path / "file").write_text("")
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "__init__.py").write_text("")
    (pack / "entry.py").write_text(OUTER)
    (pack / "leaf.py").write_text(INNER.format("1.0"))
    assert run(tmp_path, tmp_path / "file" / "cache")[0] == "2.0"
