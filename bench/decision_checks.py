"""Check what a decision between strokes made of a frame, and that frames read back what is written.

Each function returns what is wrong, "" if nothing is.
"""

from collections.abc import Collection, Sequence

import numpy as np

import rules
from rules.files import frame_of, parse_json

VALUES = (0, 2, 3, 4, 5, 6, 7, *[8] * 15)  # of every ball left in a forfeited frame, reds with a colour each
RESTORED_ANEW = ("nominated", "striker", "turn", "scores", "break_points", "colour_points", "misses", "full_ball")
LOT = "player_"


def same_places(first: rules.Frame, second: rules.Frame) -> bool:
    """Whether all balls lie in the same places, bit for bit."""
    return first.positions.tobytes() == second.positions.tobytes()


def decision_problem(frame: rules.Frame, option: str, after: rules.Frame) -> str:
    """What is wrong with the frame after a decision."""
    if option == "re_rack":
        return re_rack_problem(frame, after)
    if after.scores != frame.scores:
        return "the scores changed"
    if option == "concede" and len(left := playing_on(frame)) > 1:
        return left_problem(frame, left, after)
    if option in ("concede", "claim"):
        return end_problem(frame, option, after)
    if option in ("restore", "replace_balls"):
        return restore_problem(frame, option, after)
    if option not in ("in_hand", "anywhere") and not same_places(frame, after):
        return "balls moved"
    if after.options or after.is_over:
        return "options stayed open, or the frame is over"
    return turn_problem(frame, option, after)


def turn_problem(frame: rules.Frame, option: str, after: rules.Frame) -> str:
    """Whether the right player comes, with the free ball if he takes it."""
    placed = {"in_hand": 1, "anywhere": 2}.get(option)
    if placed and (after.state.cue_in_hand != placed or not np.isnan(after.positions[0]).all()):
        return "the cue ball is not in hand"
    again = ("play_again", "keep_ball_on")
    striker = frame.state.offender if option in again else frame.striker
    kept = frame.before if option == "keep_ball_on" else None
    if (after.phase == "colour") != (kept is not None and kept.phase == "colour"):
        return "the wrong ball is on"
    striker = int(option.split("_")[1]) if option.startswith(LOT) else striker
    if after.striker != striker:
        return "the wrong player comes"
    is_free = option == "free_ball" or (kept is not None and kept.state.free_ball)
    return "the free ball is wrong" if after.state.free_ball != is_free else ""


def restore_problem(frame: rules.Frame, option: str, after: rules.Frame) -> str:
    """What is wrong with a restored frame: the position is that before the foul, bit for bit, and the ball on if asked.

    With another ball on it is no repetition of a stroke that was missed.
    """
    is_repeated, before = option == "restore", frame.before
    is_own = before is not None and frame.state.offender == before.striker
    anew = (*RESTORED_ANEW, *(() if is_repeated and is_own else ("phase", "free_ball")))
    if before is None or not same_places(before, after):
        return "not the position before the foul"
    for name in frame.state._fields:
        if name not in anew and getattr(before.state, name) != getattr(after.state, name):
            return f"{name} is not that before the foul"
    if after.state.striker != frame.state.offender:
        return "the offender does not play again"
    misses = (frame.state.misses, frame.state.full_ball) if is_repeated else (0, 0)
    if (after.state.misses, after.state.full_ball) != misses:
        return "the misses are not counted on"
    if not (is_repeated and is_own) and after.phase != ("red" if after.reds_left else "clearance"):
        return "the wrong ball is on"
    if not (is_repeated and is_own) and after.state.free_ball:
        return "a free ball that was another's, or is no longer on"
    return "options stayed open" if after.options or after.is_over else ""


def best_sides(scores: Sequence[int], without: Collection[int] = ()) -> list[int]:
    """Sides with most points, some left out."""
    others = [points for side, points in enumerate(scores) if side not in without]
    return [side for side, points in enumerate(scores) if side not in without and points == max(others)]


def out_of_it(frame: rules.Frame) -> list[int]:
    """Sides that have conceded, or do now."""
    sides = range(frame.ruleset.n_sides)
    return [side for side in sides if frame.state.conceded >> side & 1 or side == frame.striker % len(sides)]


def playing_on(frame: rules.Frame) -> list[int]:
    """Sides that play on for a re-spotted black when the striker concedes."""
    totals = [own + more for own, more in zip(frame.scores, frame.ruleset.carried, strict=False)]
    return best_sides(totals, out_of_it(frame)) if frame.phase == "respotted" else []


def left_problem(frame: rules.Frame, left: list[int], after: rules.Frame) -> str:
    """What is wrong with a re-spotted black that others play on for: the first of them in order comes."""
    n, start = frame.ruleset.n_players, frame.striker if frame.state.turn < 0 else frame.state.turn
    player = next(p % n for p in range(start + 1, start + n + 1) if p % n % frame.ruleset.n_sides in left)
    if after.is_over or after.options or not same_places(frame, after) or after.phase != "respotted":
        return "the black is not played on for as it lies"
    return "" if after.striker == player else "the wrong player comes"


def end_problem(frame: rules.Frame, option: str, after: rules.Frame) -> str:
    """What is wrong with a frame that was conceded or claimed."""
    side = frame.striker % frame.ruleset.n_sides
    best = best_sides(frame.scores, out_of_it(frame) if option == "concede" else ())
    if option == "claim" and (best != [side] or frame.state.on_table & ~1 != 1 << 6):
        return "claimed without the lead, or with more than the black left"
    winner = best[0] if len(best) == 1 else -1
    if not after.is_over or after.decisions or not same_places(frame, after):
        return "the frame is not over, or balls moved"
    return "" if after.state.winner == winner else "the wrong side won"


def re_rack_problem(frame: rules.Frame, after: rules.Frame) -> str:
    """What is wrong with a frame that begins anew."""
    first = frame.state.first_striker
    there = 1 + 6 + frame.ruleset.n_reds
    racked = rules.Frame.start(table=frame.table).positions[:there]
    begun = frame.ruleset.handicap[: frame.ruleset.n_sides]
    if after.positions[:there].tobytes() != racked.tobytes() or after.scores != begun:
        return "not the opening"
    if not np.isnan(after.positions[there:]).all():
        return "more reds than the game has"
    return "" if after.striker == first == after.state.first_striker else "the wrong player opens"


def forfeit_problem(frame: rules.Frame, player: int, after: rules.Frame) -> str:
    """What is wrong with a forfeited frame: the offender has nothing, the value of the balls left goes to others."""
    sides = frame.ruleset.n_sides
    side = player % sides
    value = sum(VALUES[ball] for ball in range(1, 22) if frame.state.on_table >> ball & 1)
    gains = [new - old for i, (new, old) in enumerate(zip(after.scores, frame.scores, strict=True)) if i != side]
    if after.scores[side] != 0 or not set(gains) <= {0, value} or (value and not any(gains)):
        return "the points are wrong"
    best = best_sides(after.scores)
    winner = best[0] if len(best) == 1 else -1
    return "" if after.is_over and after.state.winner == winner else "the wrong side won"


def reading_problem(frame: rules.Frame) -> str:
    """What is lost when the frame is written and read back."""
    if rules.Frame.from_text(frame.text, table=frame.table) != frame:
        return "text"
    return "" if frame_of(parse_json(frame.to_json()), frame.table) == frame else "json"
