"""The queue from which threads take shots."""

import numpy as np
import pytest
from numba import prange

from simcore.kernel.batch import BLOCK, SINGLES, shots_of
from simcore.kernel.jit import parallel_door, take_turn


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("n", [0, 1, BLOCK, 2 * SINGLES - 1, 2 * SINGLES + BLOCK, 10 * SINGLES + 5])
def test_every_shot_is_taken_once(n, threads):
    """In blocks while there are many; the last ones, at least `SINGLES` for each thread, one by one."""
    taken, turn = [], 0
    while (shots := shots_of(turn, n, threads))[0] < n:
        taken.append(shots)
        turn += 1
    assert [k for first, end in taken for k in range(first, end)] == list(range(n))
    lengths = [end - first for first, end in taken]
    assert set(lengths) <= {1, BLOCK}
    assert lengths[-min(n, threads * SINGLES) :].count(1) == min(n, threads * SINGLES)
    assert shots_of(turn + threads, n, threads) == (n, n)


@parallel_door
def turns_taken(threads: int, n: int) -> np.ndarray:
    """How often each number was taken by threads that take `n` turns each."""
    queue, found = np.zeros(1, np.int64), np.zeros((threads, threads * n), np.int64)
    for t in prange(threads):
        for _ in range(n):
            found[t, take_turn(queue)] += 1
    return found.sum(axis=0)


def test_no_two_threads_take_the_same_turn():
    assert (turns_taken(2, 200_000) == 1).all()


def test_turns_without_compiling():
    queue = np.zeros(1, np.int64)
    assert [take_turn(queue) for _ in range(3)] == [0, 1, 2]
