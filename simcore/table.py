"""Tables: markings, spots, and the geometry that balls can meet.

Frame: origin at the left baulk corner of the nose rectangle, x across, y along from baulk, metres. A table is made of
straight noses, convex jaw arcs that join them tangentially, and fall circles in which a ball drops when its centre
crosses them inwards. The templates of professional pockets are not public; the presets follow public measurements
(physics.md section 4).

Not modelled: undercut of the jaws, the faces behind the jaws (a fall circle closes each mouth before they are met).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from simcore.kernel.types import (
    JAW_FIELDS,
    NOSE_FIELDS,
    POCKET_FIELDS,
    TableGeometry,
)
from simcore.shots import canonical_bytes, float_array

WIDTH = 1.778  # nose to nose across, m; WPBSA rules
LENGTH = 3.569  # nose to nose along, m
BAULK_LINE = 0.737  # from the bottom nose, m
D_RADIUS = 0.292  # m
BLACK_FROM_TOP = 0.324  # from the top nose to the black spot, m

CUSHION_DEPTH = 0.04763  # from the nose to the pocket edge behind it (1 7/8 inch), m
ZONE_MARGIN = 0.002  # m added around every zone

POCKET_NAMES = ("bottom left", "bottom right", "top left", "top right", "middle left", "middle right")

XY = tuple[float, float]


class PocketTemplate(NamedTuple):
    """Dimensions of the six pockets, m."""

    corner_gap: float  # throat, between the ends of the two jaws of a corner pocket
    corner_jaw: float  # radius of a corner jaw
    corner_fall: float  # radius of a corner fall circle
    corner_offset: float  # its centre lies this far outside both nose lines
    middle_gap: float  # between the points where the jaws of a middle pocket would have turned by 90 degrees
    middle_jaw: float  # radius of a middle jaw
    middle_fall: float  # radius of a middle fall circle
    middle_offset: float  # its centre lies this far outside the nose line

    @property
    def corner_setback(self) -> float:
        """Distance K of the end of a straight nose from the virtual corner, m."""
        return self.corner_gap / math.sqrt(2.0) + self.corner_jaw * (math.sqrt(2.0) - 1.0)  # tan 22.5 degrees

    @property
    def middle_setback(self) -> float:
        """Distance Q of the end of a straight nose from the middle of the cushion, m."""
        return self.middle_gap / 2.0 + self.middle_jaw

    @property
    def middle_turn(self) -> XY:
        """Cosine and sine of the angle through which a middle jaw turns before it is cut at the cushion's depth."""
        cosine = 1.0 - CUSHION_DEPTH / self.middle_jaw
        return cosine, math.sqrt(1.0 - cosine * cosine)


def _template(corner_gap: float, middle_gap: float) -> PocketTemplate:
    return PocketTemplate(corner_gap, 0.0889, 0.0889, 0.04763, middle_gap, 0.0669, 0.05319, 0.05159)


POCKETS: Mapping[str, PocketTemplate] = MappingProxyType(
    {
        "pro": _template(0.084, 0.088),
        "club": _template(0.089, 0.094),  # an estimate
        "tight": _template(0.08014, 0.08457),
    }
)


class _Nose(NamedTuple):
    x: float  # start, m
    y: float  # m
    nx: float  # unit normal onto the bed
    ny: float
    length: float  # m, from the start along (ny, -nx)


class _Jaw(NamedTuple):
    x: float  # centre, m
    y: float  # m
    radius: float  # m
    start: XY  # unit vector to the clockwise end
    end: XY  # unit vector to the counter-clockwise end
    pocket: int  # index


class _Fall(NamedTuple):
    x: float  # centre, m
    y: float  # m
    radius: float  # m


@dataclass(frozen=True, eq=False)
class Table:
    """A table; build with `Table.snooker` or `Table.closed`.

    Markings that a table does not have are nan, and it then has no spots. Lengths in metres. Two tables are equal if
    their markings, pocket names and geometry are, whatever they are called.
    """

    name: str  # "snooker pro", "closed", ...
    width: float  # nose to nose across
    length: float  # nose to nose along
    baulk_line: float  # y of the baulk line
    d_x: float  # x of the centre of the D, which lies on the baulk line
    d_radius: float  # radius of the D
    spots: Mapping[str, XY]  # position of each spot by the name of its ball
    pocket_names: tuple[str, ...]  # by pocket index
    geometry: TableGeometry  # what balls meet

    @classmethod
    def snooker(cls, pockets: str = "pro") -> "Table":
        """A full-size snooker table.

        pockets: "pro", "club" (wider) or "tight" (narrower).
        Pocket indices follow `POCKET_NAMES`. Raises ValueError for an unknown name.
        Source: WPBSA rules, section 1; pockets physics.md section 4.
        """
        if pockets not in POCKETS:
            raise ValueError(f"pockets = {pockets!r}: expected one of {', '.join(POCKETS)}")
        template = POCKETS[pockets]
        middle = WIDTH / 2.0
        blue, black = LENGTH / 2.0, LENGTH - BLACK_FROM_TOP
        spots = {
            "yellow": (middle + D_RADIUS, BAULK_LINE),
            "green": (middle - D_RADIUS, BAULK_LINE),
            "brown": (middle, BAULK_LINE),
            "blue": (middle, blue),
            "pink": (middle, (blue + LENGTH) / 2.0),
            "black": (middle, black),
        }
        geometry = _geometry(
            _snooker_noses(WIDTH, LENGTH, template),
            _snooker_jaws(WIDTH, LENGTH, template),
            _snooker_falls(WIDTH, LENGTH, template),
        )
        return cls(
            name=f"snooker {pockets}",
            width=WIDTH,
            length=LENGTH,
            baulk_line=BAULK_LINE,
            d_x=middle,
            d_radius=D_RADIUS,
            spots=spots,
            pocket_names=POCKET_NAMES,
            geometry=geometry,
        )

    @classmethod
    def closed(cls, width: float, length: float) -> "Table":
        """A rectangle of four noses that meet in square corners, without pockets or markings.

        width, length: nose to nose across and along, m. Raises ValueError unless both are finite and > 0.
        """
        w, h = _side("width", width), _side("length", length)
        noses = [
            _Nose(0.0, 0.0, 0.0, 1.0, w),
            _Nose(w, h, 0.0, -1.0, w),
            _Nose(0.0, h, 1.0, 0.0, h),
            _Nose(w, 0.0, -1.0, 0.0, h),
        ]
        nan = math.nan
        return cls("closed", w, h, nan, nan, nan, {}, (), _geometry(noses, [], []))

    def __post_init__(self) -> None:
        object.__setattr__(self, "spots", MappingProxyType(dict(self.spots)))  # tables are shared
        object.__setattr__(self, "geometry", TableGeometry(*map(_read_only, self.geometry)))

    def __reduce__(self) -> tuple[Any, ...]:  # a view of a dict is not pickled
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return _made, ({**given, "spots": dict(self.spots)},)

    def _key(self) -> tuple[Any, ...]:
        names = sorted(self.spots)
        lines = (self.width, self.length, self.baulk_line, self.d_x, self.d_radius)
        spots = np.array([self.spots[name] for name in names], dtype=np.float64)
        return names, self.pocket_names, canonical_bytes(lines, spots, *self.geometry)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:  # of a part of what makes tables equal: it is asked for with every stroke
        return hash((self.width, self.length, self.pocket_names))

    def __repr__(self) -> str:
        return f"<Table {self.name!r}, {self.width} x {self.length} m, {len(self.pocket_names)} pockets>"


def _read_only(part: Any) -> Any:
    """A copy that cannot be written: kernels, to which such an array is a type of its own, meet no other."""
    own = np.array(part, order="C")
    own.setflags(write=False)
    return own


def _made(given: dict[str, Any]) -> Table:
    return Table(**given)


def _side(name: str, value: float) -> float:
    side = float_array(name, value)
    if side.shape != () or not 0.0 < side < math.inf:
        raise ValueError(f"{name} = {value!r}: expected a finite length > 0 in metres")
    return float(side)


def _snooker_noses(w: float, h: float, template: PocketTemplate) -> list[_Nose]:
    """The six straight noses of a table w by h: bottom, top, two left, two right."""
    k, q, middle = template.corner_setback, template.middle_setback, h / 2.0
    across, along = w - 2.0 * k, middle - q - k
    return [
        _Nose(k, 0.0, 0.0, 1.0, across),
        _Nose(w - k, h, 0.0, -1.0, across),
        _Nose(0.0, middle - q, 1.0, 0.0, along),
        _Nose(0.0, h - k, 1.0, 0.0, along),
        _Nose(w, k, -1.0, 0.0, along),
        _Nose(w, middle + q, -1.0, 0.0, along),
    ]


def _snooker_jaws(w: float, h: float, template: PocketTemplate) -> list[_Jaw]:
    """The twelve jaws, in the order of the table in physics.md section 4; directions are exact, not from angles."""
    k, rho = template.corner_setback, template.corner_jaw
    lower, upper = h / 2.0 - template.middle_setback, h / 2.0 + template.middle_setback
    sigma = template.middle_jaw
    c, s = template.middle_turn
    r = math.sqrt(0.5)
    east, north, west, south = (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)
    return [
        _Jaw(k, -rho, rho, north, (-r, r), 0),
        _Jaw(-rho, k, rho, (r, -r), east, 0),
        _Jaw(w - k, -rho, rho, (r, r), north, 1),
        _Jaw(w + rho, k, rho, west, (-r, -r), 1),
        _Jaw(k, h + rho, rho, (-r, -r), south, 2),
        _Jaw(-rho, h - k, rho, east, (r, r), 2),
        _Jaw(w - k, h + rho, rho, south, (r, -r), 3),
        _Jaw(w + rho, h - k, rho, (-r, r), west, 3),
        _Jaw(-sigma, lower, sigma, east, (c, s), 4),
        _Jaw(-sigma, upper, sigma, (c, -s), east, 4),
        _Jaw(w + sigma, lower, sigma, (-c, s), west, 5),
        _Jaw(w + sigma, upper, sigma, west, (-c, -s), 5),
    ]


def _snooker_falls(w: float, h: float, template: PocketTemplate) -> list[_Fall]:
    corner, middle = template.corner_offset, template.middle_offset
    corners = [(-corner, -corner), (w + corner, -corner), (-corner, h + corner), (w + corner, h + corner)]
    middles = [(-middle, h / 2.0), (w + middle, h / 2.0)]
    return [_Fall(x, y, template.corner_fall) for x, y in corners] + [
        _Fall(x, y, template.middle_fall) for x, y in middles
    ]


def _zone(fall: _Fall, jaws: list[_Jaw]) -> tuple[float, float, float, float]:
    """Box (x0, x1, y0, y1) of these jaws' arcs and the fall circle.

    Each arc spans less than a right angle between its ends and starts along an axis, so that its box is that of its
    ends.
    """
    xs, ys = [fall.x - fall.radius, fall.x + fall.radius], [fall.y - fall.radius, fall.y + fall.radius]
    for jaw in jaws:
        for ux, uy in (jaw.start, jaw.end):
            xs.append(jaw.x + jaw.radius * ux)
            ys.append(jaw.y + jaw.radius * uy)
    return min(xs) - ZONE_MARGIN, max(xs) + ZONE_MARGIN, min(ys) - ZONE_MARGIN, max(ys) + ZONE_MARGIN


def _geometry(noses: list[_Nose], jaws: list[_Jaw], falls: list[_Fall]) -> TableGeometry:
    """The parts as contiguous arrays."""
    zones = [_zone(fall, [jaw for jaw in jaws if jaw.pocket == i]) for i, fall in enumerate(falls)]

    def columns(rows: list[tuple[float, ...]], n_fields: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        return np.ascontiguousarray(np.array(rows, dtype=np.float64).reshape(-1, n_fields).T)

    return TableGeometry(
        nose=columns([(n.x, n.y, n.nx, n.ny, n.length) for n in noses], NOSE_FIELDS),
        jaw=columns([(j.x, j.y, j.radius, *j.start, *j.end) for j in jaws], JAW_FIELDS),
        jaw_pocket=np.array([j.pocket for j in jaws], dtype=np.int64),
        pocket=columns([(f.x, f.y, f.radius, *zone) for f, zone in zip(falls, zones, strict=True)], POCKET_FIELDS),
    )
