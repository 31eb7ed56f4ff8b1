"""What happens next: for every ball its own next event and its next contact, kept up to date only where touched.

`pair` holds the next contact time of every two balls, each ball's row minimum stands beside it; after an event only
the rows of balls whose motion changed, and of those whose partner they were, are looked at again. The next event of
the table is the least entry of a linear scan: with some twenty balls a heap costs more than it saves.
"""

import math

from simcore.kernel.contacts import (
    in_zone,
    path_box,
    time_to_ball,
    time_to_jaw,
    time_to_nose,
    time_to_pocket,
    write_slacks,
)
from simcore.kernel.jit import kernel
from simcore.kernel.tolerances import LONGEST, T_SAME
from simcore.kernel.types import (
    ABSENT,
    DUE_BALL,
    DUE_COUNT,
    INSTANT,
    JAW,
    NOSE,
    NOTHING,
    OWN_INDEX,
    OWN_KIND,
    OWN_T,
    POCKET,
    REACH,
    REST,
    ROW_BALL,
    ROW_T,
    SLACK,
    STATE,
    T0,
    T_END,
    TOUCHED,
    TOUCHED_BALL,
    TOUCHED_COUNT,
    TRANSITION,
    UP_TO_DATE,
    Floats,
    Ints,
    TableGeometry,
    Workspace,
)

TRANSITION_RANK, CONTACT_RANK, FALL_RANK, NO_RANK = 0, 1, 2, 3


@kernel
def next_nose(ball: Floats, i: int, table: TableGeometry, window: float) -> float:
    """Seconds to the first nose that ball `i` meets within `window`; inf if none."""
    best = math.inf
    for k in range(table.nose.shape[1]):
        best = min(best, time_to_nose(ball, i, table, k, min(window, best) + T_SAME))
    return best


@kernel
def next_in_mouth(ball: Floats, i: int, table: TableGeometry, window: float) -> tuple[float, int, int]:
    """Seconds and kind of the first jaw or fall circle ball `i` meets within `window`, and its pocket; a jaw wins."""
    best, kind, pocket = math.inf, NOTHING, -1
    box = path_box(ball, i, window)
    for p in range(table.pocket.shape[1]):
        if not in_zone(box, ball[REACH, i], table, p):
            continue
        for k in range(table.jaw.shape[1]):
            s = time_to_jaw(ball, i, table, k) if table.jaw_pocket[k] == p else math.inf
            if s < best:
                best, kind, pocket = s, JAW, p
        s = time_to_pocket(ball, i, table, p)
        if s < best:
            best, kind, pocket = s, POCKET, p
    return best, kind, pocket


@kernel
def find_own_event(w: Workspace, i: int, table: TableGeometry) -> None:
    """Write the next event of ball `i` with the table or of its own motion; a transition comes first in a tie.

    A motion longer than LONGEST is looked at again after as long: a transition to itself.
    """
    ball, mark = w.ball, w.mark
    ball[OWN_T, i] = math.inf
    mark[OWN_KIND, i], mark[OWN_INDEX, i] = NOTHING, -1
    if mark[STATE, i] == REST or mark[STATE, i] == ABSENT:
        return
    window = min(ball[T_END, i] - ball[T0, i], LONGEST)
    nose_s = next_nose(ball, i, table, window)
    s, kind, pocket = next_in_mouth(ball, i, table, min(window, nose_s + T_SAME))
    if nose_s <= s:
        s, kind, pocket = nose_s, NOSE, -1
    t, end = ball[T0, i] + s, min(ball[T_END, i], ball[T0, i] + LONGEST)
    if t < end:
        ball[OWN_T, i] = t
        mark[OWN_KIND, i], mark[OWN_INDEX, i] = kind, pocket
    else:
        ball[OWN_T, i] = end
        mark[OWN_KIND, i] = TRANSITION


@kernel
def find_row(w: Workspace, i: int) -> None:
    """Write the earliest contact of ball `i` from its row of pair times."""
    best, partner = math.inf, -1
    for j in range(w.pair.shape[0]):
        if w.pair[i, j] < best:
            best, partner = w.pair[i, j], j
    w.ball[ROW_T, i] = best
    w.mark[ROW_BALL, i] = partner


@kernel
def may_meet(mark: Ints, i: int, j: int) -> bool:
    """Whether two balls are on the bed and at least one of them moves."""
    one, other = mark[STATE, i], mark[STATE, j]
    return i != j and one != ABSENT and other != ABSENT and (one != REST or other != REST)


@kernel
def refresh_pairs(w: Workspace, i: int, now: float) -> None:
    """Search ball `i`'s contacts anew, and mend the rows of the others."""
    ball, mark, pair = w.ball, w.mark, w.pair
    write_slacks(ball, i, now)
    best, partner = math.inf, -1
    for j in range(pair.shape[0]):
        t = math.inf
        if not ball[SLACK, j] > 0.0 and may_meet(mark, i, j):
            t = pair[i, j] if mark[TOUCHED, j] == UP_TO_DATE else time_to_ball(ball, i, j, now)
        if t < best:
            best, partner = t, j
        if t == pair[i, j]:
            continue
        pair[i, j] = t
        pair[j, i] = t
        if t < ball[ROW_T, j]:
            ball[ROW_T, j] = t
            mark[ROW_BALL, j] = i
        elif mark[ROW_BALL, j] == i and t > ball[ROW_T, j]:
            find_row(w, j)
    ball[ROW_T, i] = best
    mark[ROW_BALL, i], mark[TOUCHED, i] = partner, UP_TO_DATE


@kernel
def refresh(w: Workspace, table: TableGeometry, now: float) -> None:
    """Bring the schedule up to date for every ball marked as touched."""
    for k in range(w.tally[TOUCHED_COUNT]):
        find_own_event(w, w.mark[TOUCHED_BALL, k], table)
    for k in range(w.tally[TOUCHED_COUNT]):
        refresh_pairs(w, w.mark[TOUCHED_BALL, k], now)


@kernel
def rank(kind: int) -> int:
    """Order at equal times: transitions, then contacts, then falls."""
    if kind == TRANSITION:
        return TRANSITION_RANK
    return FALL_RANK if kind == POCKET else CONTACT_RANK


@kernel
def earliest(ball: Floats) -> float:
    """Time of the next event of all, inf if none: two minima side by side, for each step waits for the one before."""
    even, odd, n = math.inf, math.inf, ball.shape[1]
    for i in range(0, n, 2):
        even = min(even, min(ball[OWN_T, i], ball[ROW_T, i]))
    for i in range(1, n, 2):
        odd = min(odd, min(ball[OWN_T, i], ball[ROW_T, i]))
    return min(even, odd)


@kernel
def next_event(w: Workspace) -> tuple[float, int, int]:
    """Time, rank and ball of the next event, (inf, NO_RANK, -1) when nothing will happen any more.

    Also lists the balls that are due: that may have an event at the instant of that time.
    """
    ball, mark = w.ball, w.mark
    best, best_rank, who, n = earliest(ball), NO_RANK, -1, 0
    limit = max(best, w.clock[INSTANT]) + T_SAME
    for i in range(ball.shape[1]):
        own, row = ball[OWN_T, i], ball[ROW_T, i]
        if (own > limit and row > limit) or best == math.inf:
            continue
        mark[DUE_BALL, n] = i
        n += 1
        r = rank(mark[OWN_KIND, i]) if own == best else NO_RANK
        r = min(r, CONTACT_RANK) if row == best else r
        if r < best_rank:
            best_rank, who = r, i
    w.tally[DUE_COUNT] = n
    return best, best_rank, who
