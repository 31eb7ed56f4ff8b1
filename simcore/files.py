"""Text files read, and output files that are written whole or not at all.

A file is made under a temporary name in its own folder and put in place by one rename, so that a reader never sees
half of it, and a failure or an interrupt leaves an older file of that name as it was.

Not handled: a power cut between the rename and the folder's own write to disk, on systems that cannot sync a folder.
"""

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

DEFAULT_MODE = 0o666


def _mode_for(target: Path) -> int:
    """Permissions of the file that is replaced, or those that the user's mask gives to a new one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return DEFAULT_MODE & ~mask


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; ValueError names the file and byte of another."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from None


def same_file(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to one file, through symbolic or hard links too; neither need exist."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there
        return False


def writable_target(path: str | os.PathLike[str]) -> Path:
    """The file that a write to `path` would replace, checked beforehand: long work should not end in a bad path.

    path: the file to write; a symbolic link is followed.
    Returns the resolved path. Raises FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError,
    FileExistsError or, for links that lead in a circle, OSError, with one sentence that names the path and
    what is wrong with it.
    """
    target = Path(os.path.realpath(path))
    folder = target.parent
    if any(part.is_symlink() for part in (target, *target.parents)):  # a resolved path has no link left but in a loop
        raise OSError(f"cannot write {path}: its symbolic links lead in a circle")
    if not folder.exists():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {folder}")
    if not folder.is_dir():
        raise NotADirectoryError(f"cannot write {path}: {folder} is not a folder")
    if target.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder")
    if target.exists() and not target.is_file():
        raise FileExistsError(f"cannot write {path}: it is not a regular file")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"cannot write {path}: no permission to write in {folder}")
    return target


def write_atomically(path: str | os.PathLike[str], writer: Callable[[Path], object]) -> None:
    """Write a file through `writer`, whole or not at all.

    path: the file to write; one that is there is replaced and keeps its permissions.
    writer: called once with a temporary path of the same suffix in the same folder, which it must write.
    Raises OSError as `writable_target`; whatever `writer` raises passes through. The old file then stays as it was.
    """
    target = writable_target(path)
    mode = _mode_for(target)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=target.suffix)
    os.close(descriptor)
    temporary = Path(name)
    try:
        writer(temporary)
        temporary.chmod(mode)
        _sync(temporary)
        temporary.replace(target)
    except BaseException:  # an interrupt too must leave nothing behind
        temporary.unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):  # not every system can open a folder
        _sync(target.parent)
