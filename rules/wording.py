"""What a referee says, in English: the one wording of `str(ruling)` and of the calls (`rules.records.calls`).

Players and sides are counted from 1, as people do; everywhere else their numbers begin with 0.

Not part of it: other languages; the catalogues of `rules.records` have them.
"""

from enum import StrEnum

from rules.faults import FAULTS
from rules.ruleset import KIND_NAMES
from rules.state import CHOICE_NAMES, CLAIM, CONCEDE, RE_RACK


class Call(StrEnum):
    """What can be said, in English; sentences about numbers and about decisions are below."""

    PLAYER = "Player {n}"
    FRAME_NUMBER = "Frame {n}"
    POT = "{balls}, break {n}."
    NO_SCORE = "No score."
    BREAK = "{name}, {n}."
    TOUCHING = "Touching ball."
    NOMINATED = "Nominated: {ball}."
    FREE_BALL = "Free ball."
    IN_HAND = "Cue ball in hand."
    PUT_BACK = "Put back: {balls}."
    ALL_PUT_BACK = "All balls are put back."
    WARNING = "{name} is warned: another miss loses the frame."
    LAST_MISS = "{name} is warned: after another miss the balls are not put back."
    RE_SPOTTED = "Scores level: the black is re-spotted."
    FRAME_TO = "Frame to {name}, {score}."
    FRAME_TIED = "The frame is tied, {score}."
    FORFEITED = "The frame is awarded against {name}."
    MATCH_FORFEITED = "The match is awarded against {name}."
    GAMES = "Games {score}."
    FRAMES = "Frames {score}."
    POINTS = "Points {score}."
    MATCH_TO = "{name} wins the match."
    MATCH_DRAWN = "The match is drawn."
    PLAYS_FIRST = "{name} plays first."


FOULS = ("Foul, {n} point: {why}.", "Foul, {n} points: {why}.")
FOULS_AND_MISSES = ("Foul and a miss, {n} point: {why}.", "Foul and a miss, {n} points: {why}.")
CHOSEN = (
    "{name} plays.",
    "{name} takes the free ball.",
    "{name} asks {other} to play again.",
    "{name} has the balls replaced: {other} plays again.",
    "{name} plays from in hand.",
    "{name} asks {other} to play again at the ball that was on.",
    "{name} has the balls replaced: {other} plays at the next ball on.",
    "{name} places the cue ball anywhere.",
)
DECIDED = {
    **dict(zip(CHOICE_NAMES, CHOSEN, strict=True)),
    CONCEDE: "{name} concedes the frame.",
    CLAIM: "{name} claims the frame.",
    RE_RACK: "The frame is void and is played again.",
}
MESSAGES = (*Call, *DECIDED.values(), *(clause.words for clause in FAULTS), *KIND_NAMES)
PLURALS = (FOULS, FOULS_AND_MISSES)
