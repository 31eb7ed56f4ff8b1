"""Tables: markings, pockets against the printed values, and zones against sampled contacts."""

import copy
import itertools
import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from simcore.kernel.types import (
    JAW_FIELDS,
    JAW_FROM_X,
    JAW_FROM_Y,
    JAW_RADIUS,
    JAW_TO_X,
    JAW_TO_Y,
    JAW_X,
    JAW_Y,
    NOSE_FIELDS,
    NOSE_LENGTH,
    NOSE_NX,
    NOSE_NY,
    NOSE_X,
    NOSE_Y,
    POCKET_FIELDS,
    POCKET_RADIUS,
    POCKET_X,
    POCKET_Y,
    ZONE_X0,
    ZONE_X1,
    ZONE_Y0,
    ZONE_Y1,
    TableGeometry,
)
from simcore.table import POCKET_NAMES, POCKETS, Table

PRESETS = ("pro", "club", "tight")

# pocket, centre x, centre y, radius, first and last angle in degrees: pro, as printed in physics.md section 4
PRO_JAWS = [
    (0, 0.096221, -0.0889, 0.0889, 90, 135),
    (0, -0.0889, 0.096221, 0.0889, -45, 0),
    (1, 1.681779, -0.0889, 0.0889, 45, 90),
    (1, 1.8669, 0.096221, 0.0889, 180, 225),
    (2, 0.096221, 3.6579, 0.0889, 225, 270),
    (2, -0.0889, 3.472779, 0.0889, 0, 45),
    (3, 1.681779, 3.6579, 0.0889, 270, 315),
    (3, 1.8669, 3.472779, 0.0889, 135, 180),
    (4, -0.0669, 1.6736, 0.0669, 0, 73.259),
    (4, -0.0669, 1.8954, 0.0669, -73.259, 0),
    (5, 1.8449, 1.6736, 0.0669, 106.741, 180),
    (5, 1.8449, 1.8954, 0.0669, 180, 253.259),
]


def ends_of_noses(g: TableGeometry) -> np.ndarray:
    """Start and end points of the straight noses, (n_noses, 2, 2)."""
    start = np.stack([g.nose[NOSE_X], g.nose[NOSE_Y]], axis=-1)
    along = np.stack([g.nose[NOSE_NY], -g.nose[NOSE_NX]], axis=-1) * g.nose[NOSE_LENGTH, :, None]
    return np.stack([start, start + along], axis=1)


def ends_of_jaws(g: TableGeometry) -> np.ndarray:
    """Clockwise and counter-clockwise end points of the jaws, (n_jaws, 2, 2)."""
    centre = np.stack([g.jaw[JAW_X], g.jaw[JAW_Y]], axis=-1)
    unit = np.stack(
        [np.stack([g.jaw[JAW_FROM_X], g.jaw[JAW_FROM_Y]], -1), np.stack([g.jaw[JAW_TO_X], g.jaw[JAW_TO_Y]], -1)], axis=1
    )
    return centre[:, None, :] + g.jaw[JAW_RADIUS, :, None, None] * unit


def test_markings_and_spots() -> None:
    """WPBSA rules, section 1: values as printed in physics.md section 4, exact in their decimals."""
    table = Table.snooker()
    assert (table.width, table.length) == (1.778, 3.569)
    assert (table.baulk_line, table.d_x, table.d_radius) == (0.737, 0.889, 0.292)
    assert dict(table.spots) == {
        "yellow": (1.181, 0.737),
        "green": (0.597, 0.737),
        "brown": (0.889, 0.737),
        "blue": (0.889, 1.7845),
        "pink": (0.889, 2.67675),
        "black": (0.889, 3.245),
    }


@pytest.mark.parametrize(
    ("pockets", "k", "lower", "upper"),
    [
        ("pro", 0.096221, 1.6736, 1.8954),
        ("club", 0.099756, 1.6706, 1.8984),
        ("tight", 0.093491, 1.675315, 1.893685),
    ],
)
def test_ends_of_the_straight_noses(pockets: str, k: float, lower: float, upper: float) -> None:
    """physics.md section 4: K, y_m - Q and y_m + Q of each preset, printed to 6 decimals."""
    ends = ends_of_noses(Table.snooker(pockets).geometry)
    w, h = 1.778, 3.569
    expected = {
        frozenset({(k, 0), (w - k, 0)}),
        frozenset({(k, h), (w - k, h)}),
        frozenset({(0, k), (0, lower)}),
        frozenset({(0, upper), (0, h - k)}),
        frozenset({(w, k), (w, lower)}),
        frozenset({(w, upper), (w, h - k)}),
    }
    printed = {frozenset(tuple(round(float(v), 6) + 0.0 for v in end) for end in nose) for nose in ends}
    assert printed == {frozenset(tuple(round(v, 6) for v in end) for end in nose) for nose in expected}


def test_jaws_of_the_pro_table() -> None:
    """physics.md section 4, the table of jaw arcs."""
    g = Table.snooker().geometry
    for i, (pocket, x, y, radius, first, last) in enumerate(PRO_JAWS):
        assert g.jaw_pocket[i] == pocket
        assert (g.jaw[JAW_X, i], g.jaw[JAW_Y, i], g.jaw[JAW_RADIUS, i]) == pytest.approx((x, y, radius), abs=6e-7)
        for ux, uy, angle in (
            (g.jaw[JAW_FROM_X, i], g.jaw[JAW_FROM_Y, i], first),
            (g.jaw[JAW_TO_X, i], g.jaw[JAW_TO_Y, i], last),
        ):
            assert (ux, uy) == pytest.approx((math.cos(math.radians(angle)), math.sin(math.radians(angle))), abs=1e-5)
            assert math.hypot(ux, uy) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("pockets", PRESETS)
def test_fall_circles(pockets: str) -> None:
    """physics.md section 4: centres and radii of all presets."""
    g = Table.snooker(pockets).geometry
    assert g.pocket[POCKET_X].tolist() == pytest.approx(
        [-0.04763, 1.82563, -0.04763, 1.82563, -0.05159, 1.82959], abs=1e-15
    )
    assert g.pocket[POCKET_Y].tolist() == pytest.approx(
        [-0.04763, -0.04763, 3.61663, 3.61663, 1.7845, 1.7845], abs=1e-15
    )
    assert g.pocket[POCKET_RADIUS].tolist() == [0.0889] * 4 + [0.05319] * 2


@pytest.mark.parametrize("pockets", PRESETS)
def test_jaws_join_the_noses_tangentially(pockets: str) -> None:
    """Each end of a straight nose is the end of one jaw, where the jaw's direction is the nose's normal."""
    g = Table.snooker(pockets).geometry
    jaw_ends = ends_of_jaws(g).reshape(-1, 2)
    unit = np.stack([g.jaw[JAW_FROM_X], g.jaw[JAW_FROM_Y], g.jaw[JAW_TO_X], g.jaw[JAW_TO_Y]], axis=-1).reshape(-1, 2)
    for nose, ends in enumerate(ends_of_noses(g)):
        for end in ends:
            distance = np.hypot(*(jaw_ends - end).T)
            assert np.count_nonzero(distance < 1e-12) == 1
            assert unit[np.argmin(distance)].tolist() == [g.nose[NOSE_NX, nose], g.nose[NOSE_NY, nose]]


@pytest.mark.parametrize("pockets", PRESETS)
def test_gap_between_the_ends_of_the_jaws(pockets: str) -> None:
    """physics.md section 4: g is the corner throat; the middle gap is g + 5.67 mm at the depth of the cushion."""
    ends = ends_of_jaws(Table.snooker(pockets).geometry)
    template = POCKETS[pockets]
    corner = np.hypot(*(ends[0, 1] - ends[1, 0]))
    middle = np.hypot(*(ends[8, 1] - ends[9, 0]))
    assert corner == pytest.approx(template.corner_gap, abs=1e-12)
    assert middle == pytest.approx(template.middle_gap + 0.00567, abs=1e-5)
    assert ends[8, 1, 0] == pytest.approx(-0.04763, abs=1e-12)


@pytest.mark.parametrize("pockets", PRESETS)
def test_the_table_is_symmetric(pockets: str) -> None:
    g = Table.snooker(pockets).geometry
    centres = {(round(x, 12), round(y, 12)) for x, y in zip(g.jaw[JAW_X], g.jaw[JAW_Y], strict=True)}
    assert {(round(1.778 - x, 12), y) for x, y in centres} == centres
    assert {(x, round(3.569 - y, 12)) for x, y in centres} == centres


@pytest.mark.parametrize("pockets", PRESETS)
@pytest.mark.parametrize("reach", [0.02, 0.0243721152139, 0.06])
def test_zones_hold_every_contact(pockets: str, reach: float) -> None:
    """Centres sampled along every jaw at the contact distance, and all of every fall circle."""
    g = Table.snooker(pockets).geometry
    for jaw in range(g.jaw.shape[1]):
        share = np.linspace(0.0, 1.0, 101)
        ux = (1.0 - share) * g.jaw[JAW_FROM_X, jaw] + share * g.jaw[JAW_TO_X, jaw]
        uy = (1.0 - share) * g.jaw[JAW_FROM_Y, jaw] + share * g.jaw[JAW_TO_Y, jaw]
        stretch = (g.jaw[JAW_RADIUS, jaw] + reach) / np.hypot(ux, uy)
        inside_zone(
            g, int(g.jaw_pocket[jaw]), g.jaw[JAW_X, jaw] + stretch * ux, g.jaw[JAW_Y, jaw] + stretch * uy, reach
        )
    angle = np.linspace(0.0, 2.0 * math.pi, 101)
    for p in range(g.pocket.shape[1]):
        x, y = g.pocket[POCKET_RADIUS, p] * np.cos(angle), g.pocket[POCKET_RADIUS, p] * np.sin(angle)
        inside_zone(g, p, g.pocket[POCKET_X, p] + x, g.pocket[POCKET_Y, p] + y, 0.0)


def inside_zone(g: TableGeometry, pocket: int, x: np.ndarray, y: np.ndarray, reach: float) -> None:
    assert x.min() > g.pocket[ZONE_X0, pocket] - reach
    assert x.max() < g.pocket[ZONE_X1, pocket] + reach
    assert y.min() > g.pocket[ZONE_Y0, pocket] - reach
    assert y.max() < g.pocket[ZONE_Y1, pocket] + reach


@pytest.mark.parametrize("table", [Table.snooker(), Table.closed(2.0, 1.0)], ids=["snooker", "closed"])
def test_arrays_are_what_kernels_compile_for(table: Table) -> None:
    """A writable or strided array would be another type to numba, and one that is shared might be changed."""
    g = table.geometry
    fields = {"nose": NOSE_FIELDS, "jaw": JAW_FIELDS, "pocket": POCKET_FIELDS}
    for name, array in g._asdict().items():
        assert array.dtype == (np.int64 if name == "jaw_pocket" else np.float64)
        assert array.flags.c_contiguous
        assert not array.flags.writeable
        assert array.shape[:-1] == ((fields[name],) if name in fields else ())


def test_closed_table() -> None:
    """Four noses that meet in the corners, normals onto the bed, nothing to fall into, no markings."""
    table = Table.closed(2, 1.5)
    ends = {frozenset(tuple(end) for end in nose.tolist()) for nose in ends_of_noses(table.geometry)}
    corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.5), (0.0, 1.5)]
    assert ends == {frozenset({corners[i], corners[(i + 1) % 4]}) for i in range(4)}
    middle = np.array([1.0, 0.75])
    start = np.stack([table.geometry.nose[NOSE_X], table.geometry.nose[NOSE_Y]], axis=-1)
    normal = np.stack([table.geometry.nose[NOSE_NX], table.geometry.nose[NOSE_NY]], axis=-1)
    assert (((middle - start) * normal).sum(axis=-1) > 0.7).all()
    assert table.geometry.pocket.shape[1] == table.geometry.jaw.shape[1] == 0
    assert table.spots == {}
    assert type(table.width) is float


@pytest.mark.parametrize("width", [0.0, -1.0, math.nan, math.inf])
def test_closed_table_refuses_impossible_sides(width: float) -> None:
    with pytest.raises(ValueError, match=r"width = .*: expected a finite length > 0 in metres"):
        Table.closed(width, 1.0)


@pytest.mark.parametrize("width", ["2", None, True, 1j, 10**400, [1.0, 2.0], [1.0, [2.0]]])
def test_closed_table_names_what_is_no_length(width: object) -> None:
    with pytest.raises(ValueError, match=r"width.*: expected"):
        Table.closed(width, 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("remake", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_tables_can_be_sent_to_workers(remake: Callable[[Table], Table]) -> None:
    table = Table.snooker("club")
    other = remake(table)
    assert (other.name, other.spots, other.pocket_names) == (table.name, table.spots, table.pocket_names)
    assert all(np.array_equal(x, y) for x, y in zip(other.geometry, table.geometry, strict=True))
    assert not any(part.flags.writeable for part in other.geometry)


def test_unknown_pockets_are_refused() -> None:
    with pytest.raises(ValueError, match=r"pockets = 'loose': expected one of pro, club, tight"):
        Table.snooker(pockets="loose")


def test_pocket_names_tell_where_pockets_are() -> None:
    table = Table.snooker()
    assert table.pocket_names == POCKET_NAMES
    for name, x, y in zip(POCKET_NAMES, table.geometry.pocket[POCKET_X], table.geometry.pocket[POCKET_Y], strict=True):
        assert ("left" in name) == (x < 0.889)
        assert ("bottom" in name, "top" in name) == (y < 1.0, y > 3.0)


@pytest.mark.parametrize("make", [*(partial(Table.snooker, name) for name in PRESETS), partial(Table.closed, 2, 1)])
def test_tables_are_equal_by_what_they_are(make: Callable[[], Table]) -> None:
    table = make()
    for other in (make(), copy.deepcopy(table), pickle.loads(pickle.dumps(table)), replace(table, name="mine")):
        assert other == table
        assert hash(other) == hash(table)
    assert table != "snooker pro"


def test_tables_that_differ_are_not_equal() -> None:
    table = Table.snooker()
    moved = TableGeometry(*(np.array(part) for part in table.geometry))
    moved.jaw[0, 0] += 1e-9
    others = [Table.snooker("club"), Table.snooker("tight"), Table.closed(1.778, 3.569), Table.closed(1.778, 3.57)]
    others += [replace(table, d_radius=0.3), replace(table, geometry=moved)]
    others.append(replace(table, spots={**table.spots, "blue": (0.889, 1.8)}))
    assert all(a != b for a, b in itertools.combinations([table, *others], 2))
