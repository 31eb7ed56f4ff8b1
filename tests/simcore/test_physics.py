"""The coefficients: defaults, checks at the door, and that kernels can take them as they are."""

import math
import operator
import warnings
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from simcore.kernel import ball_ball, cushion
from simcore.kernel.jit import kernel
from simcore.physics import BALL_MODELS, CUSHION_MODELS, INT_FIELDS, LIMITS, Physics, _normalised


def test_defaults_are_those_of_physics_md() -> None:
    """physics.md section 3 and section 5 item 16."""
    physics = Physics.snooker()
    assert physics == Physics()
    assert physics._asdict() == {
        **{"g": 9.81, "R": 0.02625, "m": 0.1406, "mu_slide": 0.212, "mu_roll": 0.0127, "alpha_spin": 10.0},
        **{"ball_model": 0, "e_ball": 0.89},
        **{"mu_ball_floor": 9.951e-3, "mu_ball_range": 0.108, "mu_ball_decay": 1.088},
        **{"cushion_model": 0, "mu_cushion": 0.14, "nose_height": 0.036, "cushion_steps": 20},
        **{"e_cushion": 0.98, "e_cushion_knee": 1.8, "e_cushion_slope": 0.085, "e_cushion_floor": 0.6},
        **{"cue_mass": 0.5, "e_tip": 0.73, "end_mass_ratio": 20.0, "mu_tip": 0.6},
    }


def test_every_field_has_limits_and_a_type() -> None:
    physics = Physics.snooker()
    assert set(LIMITS) == set(Physics._fields)
    assert {name for name, value in physics._asdict().items() if type(value) is int} == INT_FIELDS
    assert all(type(value) in (int, float) for value in physics)


def test_numbers_of_any_kind_become_floats_and_ints() -> None:
    physics = Physics.snooker(e_ball=1, m=np.float32(0.5), cushion_steps=np.int64(7), mu_slide=np.array(0.3))
    assert type(physics.e_ball) is float
    assert type(physics.m) is float
    assert type(physics.mu_slide) is float
    assert type(physics.cushion_steps) is int
    assert physics.m == 0.5


def test_models_by_name_and_by_code() -> None:
    """The names stand for the codes of the kernels, in their order."""
    assert BALL_MODELS.index("frictional") == ball_ball.BALL_FRICTIONAL
    assert BALL_MODELS.index("frictionless") == ball_ball.BALL_FRICTIONLESS
    assert CUSHION_MODELS.index("mathavan2010") == cushion.CUSHION_MATHAVAN
    assert CUSHION_MODELS.index("mirror") == cushion.CUSHION_MIRROR
    assert CUSHION_MODELS.index("mathavan2010_steps") == cushion.CUSHION_MATHAVAN_STEPS
    assert Physics.snooker(ball_model="frictionless").ball_model == ball_ball.BALL_FRICTIONLESS
    assert Physics.snooker(cushion_model="mirror").cushion_model == cushion.CUSHION_MIRROR
    assert Physics.snooker(cushion_model=1) == Physics.snooker(cushion_model="mirror")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"e_ball": 1.01}, r"Physics\.e_ball = 1\.01: expected a coefficient in \[0, 1\]"),
        ({"e_tip": -0.1}, r"e_tip = -0\.1"),
        ({"mu_slide": -0.2}, r"Physics\.mu_slide = -0\.2: expected a coefficient in \[0, 1\]"),
        ({"mu_cushion": 7.0}, r"Physics\.mu_cushion = 7\.0: expected a coefficient in \[0, 1\]"),
        ({"mu_roll": math.inf}, r"mu_roll = inf"),
        ({"R": 0.0}, r"Physics\.R = 0\.0: expected a length > 0 in metres"),
        ({"R": 26.25}, r"nose_height = 0\.036: expected metres in \[R, 2 R\), where R = 26\.25"),
        ({"m": math.nan}, r"m = nan"),
        ({"g": -9.81}, r"g = -9\.81"),
        ({"nose_height": 0.06}, r"nose_height = 0\.06"),
        ({"cushion_steps": 0}, r"cushion_steps = 0: expected an integer from 1"),
        ({"cushion_steps": 20.0}, r"cushion_steps = 20\.0: expected an integer"),
        ({"cushion_steps": True}, r"cushion_steps = True: expected an integer"),
        ({"ball_model": 2}, r"ball_model = 2: expected one of frictional, frictionless"),
        ({"ball_model": "elastic"}, r"ball_model = 'elastic': expected one of frictional, frictionless"),
        ({"cushion_model": "han2005"}, r"cushion_model = 'han2005': expected one of mathavan2010, mirror"),
        ({"e_ball": "0.9"}, r"e_ball = '0\.9': expected a number"),
        ({"e_ball": True}, r"e_ball = True: expected a number"),
        ({"e_ball": None}, r"e_ball = None: expected a number"),
        ({"e_ball": [0.9, 0.8]}, r"e_ball = \[0\.9, 0\.8\]: expected a number"),
        ({"e_ball": np.array([0.9, 0.8])}, r"e_ball = array\(.*\): expected a number"),
        ({"end_mass_ratio": 0.0}, r"end_mass_ratio = 0\.0"),
        ({"mu_slid": 0.2}, r"no field 'mu_slid'; did you mean mu_slide\?"),
        ({"colour": 0.2}, r"no field 'colour'.* Expected one of: g, R, m"),
    ],
)
def test_impossible_values_are_refused(overrides: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Physics.snooker(**overrides)


def test_check_refuses_what_was_built_unchecked() -> None:
    with pytest.raises(ValueError, match=r"e_ball = 2: expected|e_ball = 2\.0: expected"):
        Physics(e_ball=2).check()


def by_the_letter(physics: Physics) -> Physics:
    """`check` as one would write it for reading: field by field."""
    values = [_normalised(name, value) for name, value in zip(physics._fields, physics, strict=True)]
    checked = Physics(*values)
    for name, value in zip(checked._fields, values, strict=True):
        low, high, expected = LIMITS[name]
        if not low <= value <= high:
            raise ValueError(f"Physics.{name} = {value!r}: expected {expected}")
    if not checked.R <= checked.nose_height < 2.0 * checked.R:
        expected = f"metres in [R, 2 R), where R = {checked.R!r}"
        raise ValueError(f"Physics.nose_height = {checked.nose_height!r}: expected {expected}")
    return checked


def outcome(check: Callable[[Physics], Physics], physics: Physics) -> tuple[object, ...]:
    """What a check gives: its message, or the values and the type of each."""
    try:
        checked = check(physics)
    except ValueError as error:
        return (str(error),)
    return type(checked), *map(repr, checked), *map(type, checked)


class Odd(float):
    """A float of a class of its own."""


ANY_VALUES = [0, 1, 2, -1, 20, 10**400, 0.0, -0.0, 0.5, 0.05, 0.06, 1.0, 1.0 + 2**-52, -5e-324, 5e-324, 1.7e308]
ANY_VALUES += [math.inf, -math.inf, math.nan, True, False, None, "0.5", b"1", "frictional", 1j, [0.5], (1,), object]
ANY_VALUES += [np.float64(0.03), np.float32(0.5), np.int64(1), np.uint8(7), np.bool_(True), np.float64("nan")]
ANY_VALUES += [np.array(0.5), np.array(1), np.array([0.5]), np.array([0.5, 0.6]), np.array("1"), Odd(0.03), Fraction(1)]


@pytest.mark.parametrize("name", Physics._fields)
def test_check_is_the_check_field_by_field(name: str) -> None:
    """Values that are floats and ints already go a short way: it must refuse and give just what the long one does."""
    seen = set()
    for value in (*ANY_VALUES, LIMITS[name][0], LIMITS[name][1], math.nextafter(LIMITS[name][1], math.inf)):
        for physics in (Physics()._replace(**{name: value}), Physics(g=9, e_tip=2.0)._replace(**{name: value})):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of NumPy, for arrays of one number
                expected = outcome(by_the_letter, physics)
                assert outcome(Physics.check, physics) == expected
            seen.add(len(expected) == 1)
    assert seen == {True, False}


def test_check_gives_a_plain_physics() -> None:
    class Mine(Physics):
        pass

    checked = Mine().check()
    assert type(checked) is Physics
    assert checked == Physics()
    assert checked.check() == checked


def test_a_cue_without_squirt_can_be_asked_for() -> None:
    assert Physics.snooker(end_mass_ratio=math.inf).end_mass_ratio == math.inf


def test_a_kernel_takes_it_as_it_is() -> None:
    field = operator.attrgetter("e_ball")
    compiled = kernel(_rebound)
    assert compiled(Physics.snooker(e_ball=0.5)) == field(Physics.snooker(e_ball=0.5)) + 20


def _rebound(physics: Physics) -> float:
    return physics.e_ball + physics.cushion_steps
