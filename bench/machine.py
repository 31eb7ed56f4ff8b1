"""What a time was measured on: processor, cores, load, versions, commit."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import simcore

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("numpy", "numba", "llvmlite")


def processor() -> str:
    """The processor's model, as the system names it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor()


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def versions() -> dict[str, str]:
    """Of Python, this package and those that make its machine code."""
    return {"python": platform.python_version(), "snookersim": simcore.__version__} | {p: version(p) for p in PACKAGES}


def git(*arguments: str) -> str:
    """What git prints, '' where there is no git or no clone."""
    try:
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    except FileNotFoundError:
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""


def describe() -> dict[str, Any]:
    """Date, commit (with a + if files differ from it), versions, processor, cores and the load before measuring."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "simcore", "rules", "pyproject.toml")
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": git("rev-parse", "--short=12", "HEAD") + ("+" if changed else ""),
        "versions": versions(),
        "processor": processor(),
        "cores": cores(),
        "load": load,
    }
