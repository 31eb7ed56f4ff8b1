"""Building and checking the coefficients of the physical models.

What each means, its unit, and where its value comes from stands in simcore.kernel.coefficients.
"""

import difflib
import math
import operator
from typing import Any, NoReturn

from simcore.kernel.coefficients import Coefficients

BALL_MODELS = ("frictional", "frictionless")  # names of the codes BALL_* of simcore.kernel.ball_ball, by code
CUSHION_MODELS = (
    "mathavan2010",
    "mirror",
    "mathavan2010_steps",
)  # names of the codes CUSHION_* of simcore.kernel.cushion, by code

MAX_CUSHION_STEPS = 1_000_000  # above this one impact would take a second


class Physics(Coefficients):
    """Coefficients of one run; build with `Physics.snooker`, or check with `Physics.check`.

    A named tuple of floats and ints: the fields of `Coefficients`, each with its meaning, unit and source there.
    """

    __slots__ = ()

    @classmethod
    def snooker(cls, **overrides: Any) -> "Physics":
        """Snooker balls, cloth, cushions and cue, with any field replaced.

        overrides: values by field name, in the unit of the field; the models also by name, ball_model="frictional" or
            "frictionless", cushion_model="mathavan2010", "mirror" or "mathavan2010_steps".
        Returns a checked Physics. Raises ValueError for an unknown field or an impossible value, naming both.
        Source: physics.md section 3.
        """
        for name in overrides:
            if name not in cls._fields:
                _refuse_field(name)
        for name, models in (("ball_model", BALL_MODELS), ("cushion_model", CUSHION_MODELS)):
            if isinstance(overrides.get(name), str):
                overrides[name] = _model_code(name, overrides[name], models)
        return cls(**overrides).check()

    def check(self) -> "Physics":
        """This Physics with floats as floats and ints as ints.

        Raises ValueError naming field, value and what was expected.
        """
        plain = type(self) is Physics and tuple(map(type, self)) == _TYPES  # as every checked one is
        checked = self if plain else Physics._make(map(_normalised, self._fields, self))
        if not (all(map(operator.le, _LEAST, checked)) and all(map(operator.le, checked, _MOST))):
            for name, value in zip(checked._fields, checked, strict=True):
                low, high, expected = LIMITS[name]
                if not low <= value <= high:
                    _refuse(name, value, expected)
        if not checked.R <= checked.nose_height < 2.0 * checked.R:
            _refuse("nose_height", checked.nose_height, f"metres in [R, 2 R), where R = {checked.R!r}")
        return checked


INT_FIELDS = frozenset({"ball_model", "cushion_model", "cushion_steps"})

_TINY, _HUGE = math.ulp(0.0), math.nextafter(math.inf, 0.0)  # least and greatest positive finite float
_POSITIVE = (_TINY, _HUGE, "finite and > 0")
_NOT_NEGATIVE = (0.0, _HUGE, "finite and >= 0")
_UNIT = (0.0, 1.0, "a coefficient in [0, 1]")
_LENGTH = (_TINY, _HUGE, "a length > 0 in metres")


def _choice(models: tuple[str, ...]) -> tuple[float, float, str]:
    return 0, len(models) - 1, f"one of {', '.join(models)} (0 to {len(models) - 1})"


LIMITS: dict[str, tuple[float, float, str]] = {  # least and greatest value allowed, and how to say so
    "g": _POSITIVE,
    "R": _LENGTH,
    "m": _POSITIVE,
    "mu_slide": _UNIT,
    "mu_roll": _NOT_NEGATIVE,
    "alpha_spin": _NOT_NEGATIVE,
    "ball_model": _choice(BALL_MODELS),
    "e_ball": _UNIT,
    "mu_ball_floor": _NOT_NEGATIVE,
    "mu_ball_range": _NOT_NEGATIVE,
    "mu_ball_decay": _NOT_NEGATIVE,
    "cushion_model": _choice(CUSHION_MODELS),
    "e_cushion": _UNIT,
    "e_cushion_knee": _NOT_NEGATIVE,
    "e_cushion_slope": _NOT_NEGATIVE,
    "e_cushion_floor": _UNIT,
    "mu_cushion": _UNIT,
    "nose_height": _LENGTH,
    "cushion_steps": (1, MAX_CUSHION_STEPS, f"an integer from 1 to {MAX_CUSHION_STEPS}"),
    "cue_mass": _POSITIVE,
    "e_tip": _UNIT,
    "end_mass_ratio": (_TINY, math.inf, "> 0, inf for a cue without squirt"),
    "mu_tip": _NOT_NEGATIVE,
}

_TYPES = tuple(int if name in INT_FIELDS else float for name in Physics._fields)
_LEAST = tuple(LIMITS[name][0] for name in Physics._fields)
_MOST = tuple(LIMITS[name][1] for name in Physics._fields)


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    raise ValueError(f"Physics.{name} = {value!r}: expected {expected}")


def _refuse_field(name: str) -> NoReturn:
    near = difflib.get_close_matches(name, Physics._fields, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ValueError(f"Physics has no field {name!r}{hint} Expected one of: {', '.join(Physics._fields)}")


def _model_code(name: str, value: str, models: tuple[str, ...]) -> int:
    if value not in models:
        _refuse(name, value, f"one of {', '.join(models)}")
    return models.index(value)


def _normalised(name: str, value: Any) -> float:
    return _as_int(name, value) if name in INT_FIELDS else _as_float(name, value)


def _as_float(name: str, value: Any) -> float:
    """`value` as a Python float; numbers only, so that a string or a flag is not taken for one."""
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__"):
        _refuse(name, value, "a number")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        _refuse(name, value, "a number")


def _as_int(name: str, value: Any) -> int:
    if isinstance(value, bool):
        _refuse(name, value, "an integer")
    try:
        return operator.index(value)
    except TypeError:
        _refuse(name, value, "an integer")
