"""How matches stand, against a slow count of all ways in which they can go on (spec 10)."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from rules.standing import Format, FrameResult, standing


def results(winners, n_sides=2):
    return [FrameResult((), tuple(50 * (side == w) for side in range(n_sides)), w, "played") for w in winners]


def is_open(winners, n_sides, best_of):
    """Whether the winner of the game still depends on the frames to come."""
    endings = product(range(n_sides), repeat=best_of - len(winners))
    return len({champion([*winners, *ending], n_sides) for ending in endings}) > 1


def champion(winners, n_sides):
    counts = [list(winners).count(side) for side in range(n_sides)]
    return counts.index(max(counts)) if counts.count(max(counts)) == 1 else None


@given(st.sampled_from([(2, 1), (2, 3), (2, 5), (2, 7), (3, 3), (3, 5)]), st.data())
def test_a_game_stops_exactly_when_it_is_decided(size, data):
    n_sides, best_of = size
    winners = data.draw(st.lists(st.integers(0, n_sides - 1), min_size=best_of, max_size=best_of))
    for played in range(best_of + 1):
        now = standing(results(winners[:played], n_sides), Format(n_sides, best_of))
        assert now.is_over != is_open(winners[:played], n_sides, best_of)
        assert now.left == best_of - played
        if now.is_over:
            assert now.winner == champion(winners[:played], n_sides)
            break
        assert now.winner is None
        assert sum(now.frames) == played


def test_two_sides_play_to_the_majority():
    for best_of in (1, 3, 5, 7, 9):
        half = best_of // 2
        short = standing(results([0] * half + [1] * half), Format(2, best_of))
        assert (short.is_over, short.frames) == (False, (half, half))
        assert standing(results([0] * half + [1] * half + [1]), Format(2, best_of)).winner == 1


def test_games_are_counted_one_by_one():
    form = Format(2, best_of=3, games=3)
    now = standing(results([0, 1, 0, 1]), form)
    assert (now.games, now.frames, now.left, now.is_over) == ((1, 0), (0, 1), 2, False)
    assert standing(results([0, 0, 1, 1, 0, 1, 1]), form).winner == 1
    drawn = standing(results([0, 1]), Format(2, best_of=1, games=2))
    assert (drawn.games, drawn.is_over, drawn.winner) == ((1, 1), True, None)


def test_all_frames_of_an_aggregate_are_played_and_points_decide():
    form = Format(2, best_of=3, aggregate=True)
    frames = [
        FrameResult((), (60, 20), 0, "played"),
        FrameResult((), (50, 40), 0, "played"),
        FrameResult((), (10, 90), 1, "played"),
    ]
    assert not standing(frames[:2], form).is_over
    end = standing(frames, form)
    assert (end.frames, end.points, end.is_over, end.winner) == ((2, 1), (120, 150), True, 1)


def test_a_frame_that_nobody_won_counts_for_nobody():
    now = standing(results([None, 0, None], n_sides=3), Format(3, best_of=3))
    assert (now.frames, now.is_over, now.winner) == ((1, 0, 0), True, 0)


def test_who_forfeits_leaves_the_match_to_the_others():
    ahead = results([0, 0, 1], n_sides=3)
    assert standing(ahead, Format(3, best_of=5), forfeited=0).winner == 1
    assert standing(ahead, Format(3, best_of=5), forfeited=2).winner == 0
    assert standing([], Format(3), forfeited=2).winner is None
    assert standing([], Format(2, best_of=3), forfeited=0).winner == 1
