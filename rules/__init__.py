"""Games on the simulator: frame state, referee, spotting, options; and the batch that puts shots and referee together.

    frame = rules.Frame.start("snooker", edition="current")
    frame2, ruling = rules.play(frame, strokes[0])
    ranking = rules.evaluate(frame, strokes, noise=noise, samples=100, seed=1)

Names are loaded when they are first used, so importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rules.candidates import Candidates as Candidates
    from rules.candidates import generate_candidates as generate_candidates
    from rules.decisions import decide as decide
    from rules.decisions import forfeit as forfeit
    from rules.faults import FAULTS as FAULTS
    from rules.files import position_names as position_names
    from rules.frame import Frame as Frame
    from rules.frames import Frames as Frames
    from rules.playing import play as play
    from rules.ranking import Ranking as Ranking
    from rules.ranking import evaluate as evaluate
    from rules.ruleset import RuleSet as RuleSet
    from rules.ruling import Decision as Decision
    from rules.ruling import Foul as Foul
    from rules.ruling import Ruling as Ruling
    from rules.ruling import referee as referee
    from rules.ruling import referee_batch as referee_batch
    from rules.shots_csv import read_strokes as read_strokes
    from rules.state import Facts as Facts
    from rules.state import FrameState as FrameState
    from rules.stroke_facts import facts as facts
    from rules.stroke_facts import facts_arrays as facts_arrays
    from rules.stroke_facts import facts_from_results as facts_from_results
    from rules.strokes import Strokes as Strokes

__project__ = "snookersim"  # tells this package from the unrelated `rules` on PyPI

_HOMES = {
    "Candidates": "rules.candidates",
    "Decision": "rules.ruling",
    "FAULTS": "rules.faults",
    "Facts": "rules.state",
    "Foul": "rules.ruling",
    "Frame": "rules.frame",
    "FrameState": "rules.state",
    "Frames": "rules.frames",
    "Ranking": "rules.ranking",
    "RuleSet": "rules.ruleset",
    "Ruling": "rules.ruling",
    "Strokes": "rules.strokes",
    "decide": "rules.decisions",
    "evaluate": "rules.ranking",
    "facts": "rules.stroke_facts",
    "facts_arrays": "rules.stroke_facts",
    "facts_from_results": "rules.stroke_facts",
    "forfeit": "rules.decisions",
    "generate_candidates": "rules.candidates",
    "play": "rules.playing",
    "position_names": "rules.files",
    "read_strokes": "rules.shots_csv",
    "referee": "rules.ruling",
    "referee_batch": "rules.ruling",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rules' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
