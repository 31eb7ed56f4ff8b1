"""Machine code of an older source is never served: the cache folder follows the sources (numba issue 1833)."""

import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import numba
import numpy as np
import pytest
from numba import config

from simcore.kernel.jit import CACHE_VARIABLE, KERNEL_FOLDER, cache_folder, door, kernel, sources_hash

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
    assert config.DISABLE_JIT or list(cache.rglob("*.nbi"))  # there is something that could be stale
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


# --- where the machine code lies -------------------------------------------------------------------------------------


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A temporary folder in which the user's cache, the home and the system's temporary folder would be made."""
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


def place_of(places):
    """Where the cache of a source folder is that has not been asked for before, seen from `places`."""
    source = places / f"source{len(list(places.iterdir()))}"
    source.mkdir()
    folder = cache_folder(source)
    return os.path.relpath(folder, places) if folder else ""


def test_the_choice_of_the_user_comes_first(places, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(places / "chosen"))
    assert os.path.dirname(place_of(places)) == "chosen"
    assert not (places / "xdg").exists()


def test_without_a_choice_the_cache_of_the_user(places, monkeypatch):
    assert os.path.dirname(place_of(places)) == os.path.join("xdg", "snookersim")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert os.path.dirname(place_of(places)) == os.path.join("home", ".cache", "snookersim")


def test_where_the_user_has_no_cache_a_private_temporary_folder(places):
    (places / "xdg").write_text("a file, no folder")
    assert place_of(places).startswith(os.path.join("temporary", "snookersim-"))


def test_a_folder_that_takes_no_files_is_no_cache(places, monkeypatch):
    def refuse(**_):
        raise PermissionError

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert place_of(places) == ""


# --- what the decorators promise -------------------------------------------------------------------------------------


@kernel
def ratio(x, y):
    return x / y


@door
def quotient(x, y):
    return 2.0 * x / y


@numba.njit
def quotient_of_others(x, y):
    return ratio(x, y)


@door
def root_of_sums(n):
    total = 0.0
    for k in range(n):
        total = math.sqrt(total + k)
    return total


def test_division_by_zero_is_infinite_and_raises_nothing():
    with np.errstate(divide="ignore"):  # NumPy would warn where the kernels run uncompiled
        assert quotient(np.float64(1.0), np.float64(0.0)) == math.inf
        assert quotient_of_others(np.float64(-1.0), np.float64(0.0)) == -math.inf


def test_a_door_lets_other_threads_run():
    """The interpreter lock is free while compiled code runs: this thread wakes up many times meanwhile."""
    root_of_sums(1)
    worker = threading.Thread(target=root_of_sums, args=(2_000_000 if config.DISABLE_JIT else 40_000_000,))
    worker.start()
    wakes = 0
    while worker.is_alive():
        time.sleep(0.001)
        wakes += 1
    worker.join()
    assert wakes > 5
