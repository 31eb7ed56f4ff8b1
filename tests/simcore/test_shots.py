"""Shots and motions: broadcasting, checks, batches as sequences, and the conventions of other programs."""

import copy
import math
import pickle

import numpy as np
import pytest

from simcore.shots import Motion, Shots, canonical_bytes


def test_scalars_stay_scalars() -> None:
    shot = Shots(2.0, 1.57)
    assert shot.shape == ()
    assert shot.size == 1
    assert (float(shot.V0), float(shot.theta), float(shot.b)) == (2.0, 0.0, 0.0)
    with pytest.raises(TypeError, match="a single Shots has no length"):
        len(shot)


def test_fields_broadcast_to_one_shape() -> None:
    shots = Shots(V0=[[1.0], [2.0]], phi=[0.1, 0.2, 0.3], b=0.2)
    assert shots.shape == (2, 3)
    assert len(shots) == 2
    assert shots.size == 6
    for name in ("V0", "phi", "theta", "a", "b"):
        array = getattr(shots, name)
        assert array.shape == (2, 3)
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
        assert not array.flags.writeable
    assert shots.V0.tolist() == [[1.0] * 3, [2.0] * 3]


def test_the_callers_array_is_neither_kept_nor_frozen() -> None:
    speeds = np.array([1.0, 2.0])
    shots = Shots(speeds, 0.0)
    speeds[0] = 9.0
    assert shots.V0.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        shots.V0[0] = 5.0
    with pytest.raises(AttributeError):
        shots.V0 = speeds  # type: ignore[misc]


def test_no_two_arrays_share_memory_and_all_lie_in_order() -> None:
    """Whatever shapes and orders are given: the fields are new, contiguous arrays of their own."""
    plain = np.linspace(0.1, 0.6, 6).reshape(2, 3)
    batches = [(given, Shots(*[given] * 5)) for given in (plain, plain.T, plain[:, ::-1], plain[:1, :1], plain[0, 0])]
    batches += [(v, Motion(v, np.ones(shape))) for v in (plain.T, plain.T[::-1]) for shape in ((3, 3), (2, 3, 3))]
    for given, batch in batches:
        arrays = list(vars(batch).values())
        for array in arrays:
            assert array.flags.c_contiguous
            assert not array.flags.writeable
            assert sum(np.shares_memory(array, other) for other in (*arrays, given)) == 1
        np.testing.assert_array_equal(arrays[0], np.broadcast_to(given, arrays[0].shape))
    assert plain.flags.writeable


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"V0": -1.0}, r"Shots\.V0 = -1\.0: expected a speed >= 0 m/s"),
        ({"V0": [1.0, 100.1]}, r"Shots\.V0\[1\] = 100\.1: expected metres per second, at most 100"),
        ({"V0": [1.0, math.nan]}, r"Shots\.V0\[1\] = nan: expected a finite number"),
        ({"V0": [[1.0, 2.0], [3.0, math.inf]]}, r"Shots\.V0\[1, 1\] = inf: expected a finite number"),
        ({"phi": [0.0, 1.0, 90.0]}, r"Shots\.phi\[2\] = 90\.0: expected radians.*degrees\?"),
        ({"phi": -13.0}, r"Shots\.phi = -13\.0: expected radians.*degrees\?"),
        ({"theta": -0.01}, r"Shots\.theta = -0\.01: expected radians in \[0, pi/2\)"),
        ({"theta": math.pi / 2}, r"Shots\.theta = 1\.57.*: expected radians in \[0, pi/2\)"),
        ({"theta": [0.0, 5.0]}, r"Shots\.theta\[1\] = 5\.0.*degrees\?"),
        ({"a": 0.8, "b": [0.5, 0.7]}, r"Shots\.a\[1\] = 0\.8 and Shots\.b\[1\] = 0\.7: expected a\^2 \+ b\^2 <= 1"),
        ({"a": "left"}, r"Shots\.a = 'left': expected numbers"),
        ({"b": None}, r"Shots\.b = None: expected numbers"),
        ({"V0": 1j}, r"Shots\.V0 = 1j: expected numbers"),
        ({"V0": [[1.0], [2.0, 3.0]]}, r"Shots\.V0: expected an array of numbers"),
        ({"V0": [1.0, 2.0], "phi": [0.0, 1.0, 2.0]}, r"V0 \(2,\), phi \(3,\), theta \(\), a \(\), b \(\)"),
        ({"a": [0.0, 0.1], "b": [0.0, 0.1, 0.2]}, r"expected shapes that broadcast"),
    ],
)
def test_bad_values_are_refused_by_name_and_index(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Shots(**{"V0": 1.0, "phi": 0.0, **given})  # type: ignore[arg-type]


def test_limits_themselves_are_accepted() -> None:
    Shots(0.0, 4.0 * math.pi, 0.0, 1.0, 0.0)
    Shots(100.0, -4.0 * math.pi, math.nextafter(math.pi / 2, 0.0), 0.0, -1.0)


def test_indexing_follows_numpy() -> None:
    shots = Shots(V0=[1.0, 2.0, 3.0, 4.0], phi=0.5)
    assert shots[1] == Shots(2.0, 0.5)
    assert shots[-1] == Shots(4.0, 0.5)
    assert shots[1:3] == Shots([2.0, 3.0], 0.5)
    assert shots[[True, False, False, True]] == Shots([1.0, 4.0], 0.5)
    assert shots[[3, 0, 3]] == Shots([4.0, 1.0, 4.0], 0.5)
    assert shots[...] == shots
    assert shots[None].shape == (1, 4)
    assert shots[:0].shape == (0,)
    assert [float(shot.V0) for shot in shots] == [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(IndexError):
        shots[4]
    grid = Shots(np.arange(6.0).reshape(2, 3), 0.0)
    assert grid[1] == Shots([3.0, 4.0, 5.0], 0.0)
    assert grid[:, 2] == Shots([2.0, 5.0], 0.0)
    assert grid[1, 2] == Shots(5.0, 0.0)
    assert not grid[1].V0.flags.writeable


def test_concatenate() -> None:
    one, two = Shots(1.0, 0.1), Shots([2.0, 3.0], 0.2)
    joined = Shots.concatenate([one, two, one])
    assert joined == Shots([1.0, 2.0, 3.0, 1.0], [0.1, 0.2, 0.2, 0.1])
    with pytest.raises(ValueError, match="expected at least one batch"):
        Shots.concatenate([])
    with pytest.raises(TypeError, match="expected Shots, got int"):
        Shots.concatenate([one, 3])  # type: ignore[list-item]


def test_equality_and_hash_go_by_canonical_bytes() -> None:
    assert Shots(1.0, 0.0, a=-0.0) == Shots(1.0, -0.0, a=0.0)
    assert hash(Shots(1.0, 0.0, a=-0.0)) == hash(Shots(1.0, -0.0, a=0.0))
    assert Shots(1.0, 0.0) != Shots([1.0], 0.0)
    assert Shots(1.0, 0.0) != Shots(1.0, math.ulp(0.0))
    assert Shots(1.0, 0.0) != "a shot"


def test_canonical_bytes() -> None:
    odd_nan = np.array([0x7FF8000000000123], dtype=np.uint64).view(np.float64)
    assert canonical_bytes([0.0, math.nan]) == canonical_bytes([-0.0, odd_nan[0]])
    assert canonical_bytes([math.nan]) == canonical_bytes([-math.nan])
    assert canonical_bytes([1.0, 2.0]) != canonical_bytes([[1.0, 2.0]])
    assert canonical_bytes([1.0], [2.0]) != canonical_bytes([1.0, 2.0])
    turned = np.arange(6.0).reshape(2, 3).T
    assert canonical_bytes(turned) == canonical_bytes(turned.copy())


@pytest.mark.parametrize("remake", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_are_equal_and_read_only(remake: object) -> None:
    for batch in (Shots([1.0, 2.0], 0.3), Motion(np.ones((4, 3, 2)))):
        other = remake(batch)  # type: ignore[operator]
        assert other == batch
        assert not next(iter(vars(other).values())).flags.writeable


def test_from_pooltool() -> None:
    """pooltool's `Cue`: phi 90 is up the table, a = -1 is the rightmost side of the ball."""
    shots = Shots.from_pooltool([2.0, 3.0], 90.0, 5.0, a=-0.3, b=0.25)
    assert shots.V0.tolist() == [2.0, 3.0]
    assert shots.phi.tolist() == [math.pi / 2] * 2
    assert shots.theta.tolist() == [math.radians(5.0)] * 2
    assert shots.a.tolist() == [0.3] * 2
    assert shots.b.tolist() == [0.25] * 2
    assert Shots.from_pooltool(1.0, 3600.0 + 45.0).phi == math.radians(45.0)
    with pytest.raises(ValueError, match=r"phi_deg\[1\] = nan: expected a finite number of degrees"):
        Shots.from_pooltool(1.0, [0.0, math.nan])
    with pytest.raises(ValueError, match=r"Shots\.a = 1\.5 and"):
        Shots.from_pooltool(1.0, 0.0, a=-1.5)


def test_from_fastfiz_level_cue() -> None:
    """FastFiz: a to the right and b up in mm, angles in degrees, v in m/s."""
    shot = Shots.from_fastfiz(a_mm=2.8575, b_mm=-5.715, theta_deg=0.0, phi_deg=180.0, v=4.5)
    expected = (4.5, math.pi, 0.0, 0.1, -0.2)
    assert tuple(float(getattr(shot, n)) for n in ("V0", "phi", "theta", "a", "b")) == pytest.approx(
        expected, abs=1e-15
    )
    assert Shots.from_fastfiz(2.625, 0.0, 0.0, 0.0, 1.0, radius=0.02625).a == pytest.approx(0.1, abs=1e-15)


@pytest.mark.parametrize("degrees", [0.0, 10.0, 45.0, 70.0])
def test_from_fastfiz_raised_cue(degrees: float) -> None:
    """Leckie & Greenspan 2006: the torque's arm is b cos - c sin with b vertical; ours is across the cue."""
    a, b, theta = 0.2, 0.35, math.radians(degrees)
    shot = Shots.from_fastfiz(a * 28.575, b * 28.575, degrees, 0.0, 1.0)
    level = math.sqrt(1.0 - a * a - b * b)
    ours_a, ours_b = float(shot.a), float(shot.b)
    depth = math.sqrt(1.0 - ours_a**2 - ours_b**2)
    assert ours_a == pytest.approx(a, abs=1e-15)
    assert ours_b * math.cos(theta) + depth * math.sin(theta) == pytest.approx(b, abs=1e-12)  # the same height
    assert depth * math.cos(theta) - ours_b * math.sin(theta) == pytest.approx(level, abs=1e-12)  # the same setback


def test_from_fastfiz_refuses_tips_beside_the_ball() -> None:
    with pytest.raises(ValueError, match=r"expected a\^2 \+ b\^2 <= 1"):
        Shots.from_fastfiz(30.0, 0.0, 0.0, 0.0, 1.0)


def test_motion_without_spin() -> None:
    motion = Motion([[1.0, 2.0], [0.0, 0.0]])
    assert motion.shape == ()
    assert motion.n_balls == 2
    assert motion.w.tolist() == [[0.0] * 3] * 2


def test_motion_broadcasts_and_indexes_along_the_shots() -> None:
    v, w = np.arange(12.0).reshape(3, 2, 2), np.arange(3.0) * np.ones((2, 3))
    motion = Motion(v, w)
    assert motion.shape == (3,)
    assert motion.w.shape == (3, 2, 3)
    assert motion[1] == Motion(v[1], w)
    assert motion[...] == motion
    assert motion[[True, False, True]] == Motion(v[[0, 2]], w)
    assert len(list(motion)) == 3
    with pytest.raises(IndexError):
        motion[0, 0]
    assert Motion.concatenate([motion[0], motion[1:]]) == motion
    assert not motion.v.flags.writeable


@pytest.mark.parametrize(
    ("v", "w", "message"),
    [
        ([1.0, 2.0], None, r"Motion\.v has shape \(2,\): expected \(\.\.\., n_balls, 2\)"),
        ([[1.0, 2.0, 3.0]], None, r"Motion\.v has shape \(1, 3\)"),
        ([[1.0, 2.0]], [[1.0, 2.0]], r"Motion\.w has shape \(1, 2\): expected \(\.\.\., n_balls, 3\)"),
        ([[1.0, 2.0], [math.nan, 0.0]], None, r"Motion\.v\[1, 0\] = nan: expected a finite number"),
        ([[1.0, 2.0]], [[0.0, math.inf, 0.0]], r"Motion\.w\[0, 1\] = inf"),
        (np.zeros((3, 2)), np.zeros((2, 3)), r"expected shapes that broadcast, got v \(3, 2\), w \(2, 3\)"),
    ],
)
def test_motion_refuses_bad_values(v: object, w: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Motion(v, w)  # type: ignore[arg-type]
