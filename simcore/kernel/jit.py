"""The one place that decides how kernels are compiled and where their machine code is cached.

Doors are what Python calls; kernels are their parts.

numba checks the time stamp of the file that holds a cached function, but not of the files it calls into, so an edit
to an imported kernel would leave stale machine code in use (numba issue 1833). Every cache folder is therefore named
by a hash of all kernel sources: an edit to any of them starts a new folder. The user's numba settings are left alone.

Not modelled: sharing a cache between machines (machine code is specific to a processor).
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config, types
from numba.extending import intrinsic, overload, register_jitable

CACHE_VARIABLE = "SNOOKERSIM_CACHE_DIR"
KERNEL_FOLDER = Path(__file__).parent

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])


def _cache_roots() -> list[Path]:
    """Folders to try, best first: the user's choice, the user's cache, a private temporary folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return [Path(chosen)]
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    temporary = Path(tempfile.gettempdir()) / f"snookersim-{getattr(os, 'getuid', lambda: 'user')()}"
    return [Path(user) / "snookersim", temporary]


def sources_hash(folders: tuple[Path, ...]) -> str:
    """Hash of the names and contents of all Python files directly in `folders`, as 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(p for folder in folders for p in folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def cache_folder(source_folder: Path) -> str:
    """Cache folder for kernels whose source lies in `source_folder`; created if need be, '' if none can be written."""
    name = sources_hash((KERNEL_FOLDER,) if source_folder == KERNEL_FOLDER else (KERNEL_FOLDER, source_folder))
    for root in _cache_roots():
        folder = root / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return ""


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    folder = cache_folder(Path(function.__code__.co_filename).parent)
    previous = config.CACHE_DIR
    try:
        config.CACHE_DIR = folder or previous  # read while numba decorates, only then
        return numba.njit(function, cache=bool(folder), error_model="numpy", **options)
    finally:
        config.CACHE_DIR = previous


def kernel(function: AnyFunction) -> AnyFunction:
    """Make `function` part of the doors that call it; called from Python it runs as plain Python, with the same bits.

    A part has no wrapper for Python, no cache and no machine code of its own: most of the time numba spends on a
    small function with many fields goes there. It may use the arrays it is given but make none: so it counts no
    references, which would cost an atomic operation for every array of every call. No fastmath; IEEE division.
    """
    part: AnyFunction = register_jitable(error_model="numpy", no_cfunc_wrapper=True, _nrt=False)(function)
    return part


def inlined_kernel(function: AnyFunction) -> AnyFunction:
    """As `kernel`, for small parts of the hot path: never a call, whose many arguments cost more than the part."""
    part: AnyFunction = register_jitable(error_model="numpy", no_cfunc_wrapper=True, _nrt=False, forceinline=True)(
        function
    )
    return part


def making_kernel(function: AnyFunction) -> AnyFunction:
    """As `kernel`, for the few parts that make arrays or hold those another part made."""
    part: AnyFunction = register_jitable(error_model="numpy", no_cfunc_wrapper=True)(function)
    return part


def door(function: Callable[..., Any]) -> Any:
    """Compile `function` for calls from Python: cached, releasing the interpreter lock."""
    return _compile(function, nogil=True)


def parallel_door(function: Callable[..., Any]) -> Any:
    """As `door`, with `prange` over threads: for the batch entry points."""
    return _compile(function, parallel=True, nogil=True)


def take_turn(queue: Any) -> int:
    """What the array's one element holds, and then one more; in kernels at once: no two threads get the same."""
    turn = int(queue[0])
    queue[0] += 1
    return turn


def _fetch_and_add(_: Any, array: Any, number: Any) -> Any:
    """An atomic addition to the first element of an array of 64-bit integers; what it was before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", data, arguments[1], "monotonic")

    return types.int64(array, types.int64), generate


_atomic_add = intrinsic(_fetch_and_add)


def _take_turn_compiled(queue: Any) -> Any:
    def compiled(queue: Any) -> Any:
        return _atomic_add(queue, 1)

    return compiled


overload(take_turn)(_take_turn_compiled)
