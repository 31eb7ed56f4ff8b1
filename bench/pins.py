"""What the measurements of this folder must find again: bench/pins.json, rewritten section by section by `--pin`.

answers: of each workload, its shots, events and a checksum of the end positions (bench/speed.py). work: calls of
kernels for a few shots (bench/work_counters.py). times: µs an event when the kept kernel was kept (bench/gate.py).
"""

import json
from pathlib import Path
from typing import Any

from simcore.files import write_atomically

PINS = Path(__file__).with_name("pins.json")


def read_pins(section: str, path: Path = PINS) -> dict[str, Any]:
    """A section of the pinned numbers by workload; KeyError if there is none."""
    return dict(json.loads(path.read_text(encoding="utf-8"))[section])


def write_pins(section: str, found: dict[str, Any], path: Path = PINS) -> None:
    """Replace a section of the pinned numbers, leaving the others as they are."""
    pins = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    text = json.dumps(dict(sorted({**pins, section: found}.items())), indent=1) + "\n"
    write_atomically(path, lambda target: target.write_text(text, encoding="utf-8"))


def differences(pinned: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """In words, where numbers by workload and name are not those pinned; empty if nowhere."""
    wrong = []
    for workload in {**pinned, **found}:
        old, new = pinned.get(workload, {}), found.get(workload, {})
        wrong += [
            f"{workload}, {name}: {new.get(name, 'nothing')}, pinned {old.get(name, 'nothing')}"
            for name in {**old, **new}
            if new.get(name) != old.get(name)
        ]
    return wrong
