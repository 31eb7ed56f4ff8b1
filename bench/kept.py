"""The kept kernel: simcore as it was when its speed was last meant to change, to run beside the present one.

    python -m bench.gate --keep     # keep the present one

`kept_simcore.zip` holds its sources. They are unpacked beside the cached kernels and imported as the package
`kept_simcore`, every "simcore" in them renamed; so both live in one process, each with its own compiled code.
"""

import hashlib
import importlib
import io
import os
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from types import ModuleType

import simcore
from simcore.files import write_atomically
from simcore.kernel.jit import KERNEL_FOLDER, cache_folder

ARCHIVE = Path(__file__).with_name("kept_simcore.zip")
PACKAGE = "kept_simcore"
SOURCES = Path(simcore.__file__).parent
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that equal sources make equal archives


def sources(folder: Path = SOURCES) -> dict[str, bytes]:
    """The package's files by their name in it: all that `simulate` needs, and not the command line or pictures."""
    files = sorted([*folder.glob("*.py"), *(folder / "kernel").glob("*.py")])
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files if path.name != "__main__.py"}


def packed(files: dict[str, bytes]) -> bytes:
    """Files as an archive, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), text, zipfile.ZIP_DEFLATED, compresslevel=9)
    return buffer.getvalue()


def keep(path: Path = ARCHIVE) -> None:
    """Keep the present sources."""
    archive = packed(sources())
    write_atomically(path, lambda target: target.write_bytes(archive))


def renamed(text: bytes) -> bytes:
    """A source with this package's name in place of simcore's."""
    return re.sub(rb"\bsimcore\b", PACKAGE.encode(), text)


def unpack(archive: Path, root: Path) -> Path:
    """The folder below `root` that holds the package; written once, whole or not at all, so its time stamps stay."""
    folder = root / f"kept-{hashlib.sha256(archive.read_bytes()).hexdigest()[:16]}"
    if folder.exists():
        return folder
    with tempfile.TemporaryDirectory(dir=root) as temporary, zipfile.ZipFile(archive) as kept:
        for name in kept.namelist():
            path = Path(temporary) / "new" / PACKAGE / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(renamed(kept.read(name)))
        try:
            os.rename(Path(temporary) / "new", folder)
        except OSError:  # another process was first
            if not folder.exists():
                raise
    return folder


def kept_simcore(archive: Path = ARCHIVE) -> ModuleType:
    """The kept package, imported; compiled code goes where that of simcore goes."""
    if PACKAGE not in sys.modules:
        root = Path(cache_folder(KERNEL_FOLDER) or tempfile.gettempdir()).parent
        sys.path.insert(0, str(unpack(archive, root)))
        try:
            importlib.import_module(PACKAGE)
        finally:
            del sys.path[0]
    return sys.modules[PACKAGE]
