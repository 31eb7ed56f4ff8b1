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
    from rules.match import Match as Match
    from rules.playing import play as play
    from rules.prospects import points_available as points_available
    from rules.prospects import snookers_required as snookers_required
    from rules.ranking import Ranking as Ranking
    from rules.ranking import evaluate as evaluate
    from rules.records.calls import transcript as transcript
    from rules.records.lines import parse_line as parse_line
    from rules.records.lines import print_line as print_line
    from rules.records.match import match_of as match_of
    from rules.records.match import match_records as match_records
    from rules.records.record import Record as Record
    from rules.records.text import parse_records as parse_records
    from rules.records.text import read_records as read_records
    from rules.records.text import write_records as write_records
    from rules.ruleset import RuleSet as RuleSet
    from rules.ruling import Decision as Decision
    from rules.ruling import Foul as Foul
    from rules.ruling import Ruling as Ruling
    from rules.ruling import referee as referee
    from rules.ruling import referee_batch as referee_batch
    from rules.scoring.scorer import Scorer as Scorer
    from rules.scoring.session import Session as Session
    from rules.shots_csv import read_strokes as read_strokes
    from rules.standing import FrameResult as FrameResult
    from rules.standing import Standing as Standing
    from rules.state import Facts as Facts
    from rules.state import FrameState as FrameState
    from rules.statistics import PlayerStatistics as PlayerStatistics
    from rules.statistics import Visit as Visit
    from rules.statistics import player_statistics as player_statistics
    from rules.statistics import visits as visits
    from rules.steps import DecisionLine as DecisionLine
    from rules.steps import ForfeitLine as ForfeitLine
    from rules.steps import RecordEntry as RecordEntry
    from rules.steps import Step as Step
    from rules.steps import StrokeLine as StrokeLine
    from rules.steps import StrokeStep as StrokeStep
    from rules.stroke_facts import facts as facts
    from rules.stroke_facts import facts_arrays as facts_arrays
    from rules.stroke_facts import facts_from_results as facts_from_results
    from rules.strokes import Strokes as Strokes

__project__ = "snookersim"  # tells this package from the unrelated `rules` on PyPI

_HOMES = {
    "Candidates": "rules.candidates",
    "DecisionLine": "rules.steps",
    "Decision": "rules.ruling",
    "FAULTS": "rules.faults",
    "Facts": "rules.state",
    "ForfeitLine": "rules.steps",
    "Foul": "rules.ruling",
    "Frame": "rules.frame",
    "FrameResult": "rules.standing",
    "FrameState": "rules.state",
    "Frames": "rules.frames",
    "Match": "rules.match",
    "PlayerStatistics": "rules.statistics",
    "Ranking": "rules.ranking",
    "Record": "rules.records.record",
    "RecordEntry": "rules.steps",
    "RuleSet": "rules.ruleset",
    "Ruling": "rules.ruling",
    "Scorer": "rules.scoring.scorer",
    "Session": "rules.scoring.session",
    "Standing": "rules.standing",
    "Step": "rules.steps",
    "StrokeStep": "rules.steps",
    "Strokes": "rules.strokes",
    "StrokeLine": "rules.steps",
    "Visit": "rules.statistics",
    "decide": "rules.decisions",
    "evaluate": "rules.ranking",
    "facts": "rules.stroke_facts",
    "facts_arrays": "rules.stroke_facts",
    "facts_from_results": "rules.stroke_facts",
    "forfeit": "rules.decisions",
    "generate_candidates": "rules.candidates",
    "match_of": "rules.records.match",
    "match_records": "rules.records.match",
    "parse_line": "rules.records.lines",
    "parse_records": "rules.records.text",
    "play": "rules.playing",
    "player_statistics": "rules.statistics",
    "points_available": "rules.prospects",
    "position_names": "rules.files",
    "print_line": "rules.records.lines",
    "read_records": "rules.records.text",
    "read_strokes": "rules.shots_csv",
    "referee": "rules.ruling",
    "referee_batch": "rules.ruling",
    "snookers_required": "rules.prospects",
    "transcript": "rules.records.calls",
    "visits": "rules.statistics",
    "write_records": "rules.records.text",
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
