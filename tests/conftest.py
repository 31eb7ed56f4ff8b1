"""One thing for all tests: with parallel workers, the kernels are compiled once and not by every worker at once.

Each worker takes a lock, makes one tiny run and gives the lock back: the first one compiles, the others read its
cache. The operating system drops the lock of a worker that dies; one that hangs is waited for only so long.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

WAIT_S = 400.0
POLL_S = 0.2


@contextmanager
def lock(path: Path, wait_s: float = WAIT_S) -> Iterator[bool]:
    """Hold an exclusive lock on `path`; false where it could not be had within `wait_s` or the system has no flock."""
    try:
        import fcntl
    except ImportError:
        yield False
        return
    deadline = time.monotonic() + wait_s
    with path.open("w") as file:  # closing the file gives the lock back
        held = False
        while not held and time.monotonic() < deadline:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                held = True
            except BlockingIOError:
                time.sleep(POLL_S)
        yield held


def warm_up() -> None:
    """Go once through the doors that most tests use, so that their kernels lie in the cache."""
    import rules

    frame = rules.Frame.named("colours_only")
    rules.evaluate(frame, rules.generate_candidates(frame, 4, seed=0), samples=2, seed=0)


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> None:
    """Let one parallel worker compile while the others wait; nothing to do in a single process."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    from simcore.kernel.jit import KERNEL_FOLDER, cache_folder

    folder = cache_folder(KERNEL_FOLDER)
    if folder and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0":
        with lock(Path(folder) / "tests.lock"):
            warm_up()
