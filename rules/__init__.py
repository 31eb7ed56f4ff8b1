"""Games on the simulator: frame state, referee, spotting, options; and the batch that puts shots and referee together.

    frame = rules.Frame.start("snooker", edition="current")
    frame2, ruling = rules.play(frame, strokes[0])
    ranking = rules.evaluate(frame, strokes, noise=noise, samples=100, seed=1)

Names are loaded when they are first used, so importing the package costs next to nothing.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rules.candidates import generate_candidates as generate_candidates
    from rules.decisions import decide as decide
    from rules.evaluate import evaluate as evaluate
    from rules.facts import facts as facts
    from rules.facts import facts_arrays as facts_arrays
    from rules.facts import facts_from_results as facts_from_results
    from rules.faults import FAULTS as FAULTS
    from rules.files import position_names as position_names
    from rules.frame import Frame as Frame
    from rules.frames import Frames as Frames
    from rules.play import play as play
    from rules.referee import Decision as Decision
    from rules.referee import Foul as Foul
    from rules.referee import Ruling as Ruling
    from rules.referee import referee as referee
    from rules.referee import referee_batch as referee_batch
    from rules.ruleset import RuleSet as RuleSet
    from rules.shots_csv import read_strokes as read_strokes
    from rules.state import Facts as Facts
    from rules.state import FrameState as FrameState
    from rules.strokes import Strokes as Strokes

__project__ = "snookersim"  # tells this package from the unrelated `rules` on PyPI

_HOMES = {
    "Decision": "rules.referee",
    "FAULTS": "rules.faults",
    "Facts": "rules.state",
    "Foul": "rules.referee",
    "Frame": "rules.frame",
    "FrameState": "rules.state",
    "Frames": "rules.frames",
    "RuleSet": "rules.ruleset",
    "Ruling": "rules.referee",
    "Strokes": "rules.strokes",
    "decide": "rules.decisions",
    "evaluate": "rules.evaluate",
    "facts": "rules.facts",
    "facts_arrays": "rules.facts",
    "facts_from_results": "rules.facts",
    "generate_candidates": "rules.candidates",
    "play": "rules.play",
    "position_names": "rules.files",
    "read_strokes": "rules.shots_csv",
    "referee": "rules.referee",
    "referee_batch": "rules.referee",
}
__all__ = sorted(_HOMES)


class _Package(ModuleType):
    """Keeps `rules.referee` the function although there is a module of that name.

    The import system sets every submodule it loads as an attribute of its package, which would hide the function.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rules' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
