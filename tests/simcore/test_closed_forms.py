"""simcore.simulate against formulas: physics.md section 5, items 1 to 8, 17, 19 and 20.

Balls start in the middle of a hall of 40 by 40 m, so that cushions play no part. Pairs start touching where the state
right at the impact matters, as any run-up would change speed and spin. Formulas hold to 1e-12 relative (positions: of
the metres travelled); tests/oracles/test_oracles.py checks that they give the printed digits.
"""

import math

import numpy as np
import pytest

import simcore
from tests.oracles import closed_forms as cf

HALL = simcore.Table.closed(40.0, 40.0)
MIDDLE = np.array([20.0, 20.0])
NO_BALL_FRICTION = {"mu_ball_floor": 0.0, "mu_ball_range": 0.0}
HALF_BALL = math.asin(0.5)


def rolling_spin(v):
    return [-v[1] / cf.R, v[0] / cf.R, 0.0]


def run(positions, v, w=None, stop="rest", **physics):
    motion = simcore.Motion(v=np.array(v, float), w=np.zeros((len(v), 3)) if w is None else np.array(w, float))
    coefficients = simcore.Physics.snooker(**physics)
    return simcore.simulate(
        np.array(positions, float), motion=motion, table=HALL, physics=coefficients, log_events=True, stop=stop
    )


def one_ball(v, w=(0.0, 0.0, 0.0), **physics):
    return run([MIDDLE], [v], [w], **physics)


def hit(cut, v, rolling, stop="first_contact", **physics):
    """A ball moving along +x that touches a resting one at the cut angle: result after the impact, or at rest."""
    n = np.array([math.cos(cut), math.sin(cut)])
    w = [rolling_spin((v, 0.0)) if rolling else [0.0] * 3, [0.0] * 3]
    return run([MIDDLE, MIDDLE + 2 * cf.R * n], [(v, 0.0), (0.0, 0.0)], w, stop, **physics)


def speeds(res):
    return np.hypot(*np.moveaxis(res.velocities, -1, 0))


def rolling_speeds(res):
    """Speeds of the balls once their slip has ended, from their velocities and spins."""
    return np.array([math.hypot(*cf.rolling_velocity(*vw)) for vw in zip(res.velocities, res.spins, strict=True)])


def kinds(res):
    return [simcore.EventKind(k) for k in res.events.of(0).kind]


def position_at(res, t):
    """Positions (n, 2) of a single logged shot at time t."""
    return np.asarray(res.trajectory(0, np.array([t]))).reshape(-1, 2)


def same(value, expect, scale=0.0):
    """Equal to 1e-12 of the expected size, or of the scale if that is larger."""
    size = max(scale, float(np.max(np.abs(expect))))
    return float(np.max(np.abs(np.asarray(value) - expect))) <= 1e-12 * size


# --- one ball: items 1 to 4 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [0.01, 1.0, 2.0])
@pytest.mark.parametrize("direction", [0.0, 0.7, 2.0, -math.pi / 2])
def test_rolling_ball_stops(speed, direction):
    """Section 5.1: v / (mu g) seconds and v^2 / (2 mu g) metres; 8.026520 s and 4.013260 m at 1 m/s."""
    way = np.array([math.cos(direction), math.sin(direction)])
    res = one_ball(speed * way, rolling_spin(speed * way))
    assert same(res.duration, cf.roll_time(speed))
    assert same(res.positions[0] - MIDDLE, cf.roll_distance(speed) * way, scale=1.0)
    assert res.status == simcore.Status.REST


def test_stun_ball_slides_then_rolls():
    """Section 5.2: slides 2v/(7 mu g) s over 12v^2/(49 mu g) m, then rolls on at 5/7 of its speed."""
    res = one_ball((2.0, 0.0))
    assert kinds(res) == [simcore.EventKind.TRANSITION] * 2
    slide = res.events.of(0).t[0]
    assert same(slide, cf.stun_slide_time(2.0))
    assert same(position_at(res, slide)[0] - MIDDLE, [cf.stun_slide_distance(2.0), 0.0], scale=1.0)
    assert same(res.duration - slide, cf.roll_time(10 / 7))
    assert same(res.positions[0] - MIDDLE, [cf.stun_slide_distance(2.0) + cf.roll_distance(10 / 7), 0.0], scale=1.0)


@pytest.mark.parametrize("mu_slide", [0.1, 0.212, 0.6])
@pytest.mark.parametrize(
    ("v", "w"), [((1.0, 0.5), (10.0, -20.0, 3.0)), ((0.3, -1.2), (-60.0, 25.0, 80.0)), ((0.0, 0.0), (40.0, 30.0, 0.0))]
)
def test_rolling_velocity_does_not_depend_on_friction(v, w, mu_slide):
    """Section 5.3, Coriolis: v_roll = 5/7 v0 - 2/7 R z x w0; read from the length and direction of the roll."""
    res = one_ball(v, w, mu_slide=mu_slide)
    expect = cf.rolling_velocity(v, w)
    t = res.events.of(0).t
    start = position_at(res, t[0])[0]
    assert same(start - MIDDLE, cf.slide_displacement(v, w, mu_slide), scale=1.0)
    rolled = res.positions[0] - start
    speed = math.hypot(*expect)
    assert same(rolled, cf.roll_distance(speed) * expect / speed, scale=1.0)
    assert same(t[1] - t[0], cf.roll_time(speed))


@pytest.mark.parametrize("direction", [0.0, 1.1])
def test_backspin_that_stops_a_ball_dead(direction):
    """Section 5.4: with R w = -2.5 v about the rolling axis the ball stops as sliding ends; no roll follows."""
    way = np.array([math.cos(direction), math.sin(direction)])
    spin = cf.dead_stop_spin(1.0) * np.array([-way[1], way[0], 0.0])
    res = one_ball(way, spin)
    assert kinds(res) == [simcore.EventKind.TRANSITION]
    assert same(res.duration, cf.stun_slide_time(3.5))
    assert same(res.positions[0] - MIDDLE, way / 2 * cf.stun_slide_time(3.5), scale=1.0)
    assert not res.velocities.any()


# --- two balls: items 5 to 8 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("e", [1.0, 0.95, 0.89, 0.0])
@pytest.mark.parametrize("v", [0.3, 1.0, 4.0])
def test_head_on(v, e):
    """Section 5.5: (1 - e)/2 and (1 + e)/2 of V for stun; the rolling hit once both balls roll again."""
    stun = hit(0.0, v, rolling=False, e_ball=e, **NO_BALL_FRICTION)
    assert same(speeds(stun), np.array(cf.head_on(v, e)))
    roll = hit(0.0, v, rolling=True, e_ball=e, **NO_BALL_FRICTION)
    assert same(rolling_speeds(roll), np.array(cf.head_on_rolling(v, e)))


@pytest.mark.parametrize("cut", np.radians([5.0, 30.0, 45.0, 70.0, 89.0]))
def test_stun_balls_part_at_right_angles(cut):
    """Section 5.6: elastic, without friction: V sin and V cos of the cut angle, 90 degrees apart."""
    res = hit(cut, 1.5, rolling=False, e_ball=1.0, **NO_BALL_FRICTION)
    assert same(speeds(res), np.array(cf.stun_elastic(1.5, cut)))
    assert abs(res.velocities[0] @ res.velocities[1]) <= 1e-12 * 1.5**2


@pytest.mark.parametrize(
    ("cut", "e", "degrees"),
    [
        (math.asin(0.25), 1.0, 27.62649),
        (HALF_BALL, 1.0, 33.67050),
        (HALF_BALL, 0.89, 30.62412),
        (1.2, 0.95, None),
        (0.05, 0.7, None),
    ],
)
def test_natural_roll(cut, e, degrees):
    """Section 5.7: deflection of a rolling cue ball and both speeds after slip; printed angles to the last digit."""
    res = hit(cut, 1.0, rolling=True, e_ball=e, **NO_BALL_FRICTION)
    end = cf.rolling_velocity(res.velocities[0], res.spins[0])
    deflection = math.atan2(-end[1], end[0])
    assert same(deflection, cf.natural_roll_deflection(cut, e))
    assert same(rolling_speeds(res), np.array(cf.natural_roll_speeds(1.0, cut, e)))
    assert degrees is None or abs(math.degrees(deflection) - degrees) <= 1e-5


@pytest.mark.parametrize("cut", [0.1, HALF_BALL, 1.2])
def test_natural_roll_to_rest(cut):
    """Section 5.7 the whole way: both balls come to rest where slide and roll by the formulas take them."""
    res = hit(cut, 1.0, rolling=True, stop="rest", **NO_BALL_FRICTION)
    after = hit(cut, 1.0, rolling=True, **NO_BALL_FRICTION)
    n = np.array([math.cos(cut), math.sin(cut)])
    given = (1 + 0.89) / 2 * math.cos(cut)
    starts = np.array([MIDDLE, MIDDLE + 2 * cf.R * n])
    states = (((1.0, 0.0) - given * n, (0.0, 1 / cf.R)), (given * n, (0.0, 0.0)))
    for ball, (v, w) in enumerate(states):
        assert same(after.velocities[ball], v, scale=1.0)
        roll = cf.rolling_velocity(v, w)
        way = cf.slide_displacement(v, w) + cf.roll_distance(math.hypot(*roll)) * roll / math.hypot(*roll)
        assert same(res.positions[ball] - starts[ball], way, scale=1.0)


@pytest.mark.parametrize("v", [0.2, 1.0, 6.0])
@pytest.mark.parametrize("cut", [0.02, HALF_BALL, 1.1])
def test_stun_throw(cut, v):
    """Section 5.8, Alciatore TP A.5: e = .94, mu = .06; throw, cue ball off the tangent line, separation, any V."""
    res = hit(cut, v, rolling=False, e_ball=0.94, mu_ball_floor=0.06, mu_ball_range=0.0)
    cue, ball = (math.atan2(*vel[::-1]) for vel in res.velocities)
    measured = np.array([cut - ball, cue - (cut - math.pi / 2), ball - cue])
    assert same(measured, np.array(cf.stun_throw(cut, 0.94, 0.06)), scale=1.0)
    if cut == HALF_BALL:
        assert np.all(np.abs(np.degrees(measured) - (3.43363, 3.30726, 83.25911)) <= 1e-5)


# --- the cue: item 17 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mass", "e_tip", "printed"), [(0.142, 0.73, 1.347352), (0.1406, 1.0, 1.561037)])
def test_cue_ball_speed(mass, e_tip, printed):
    """Section 5.17: a level centre strike; the speed is read from the time that the ball slides."""
    physics = simcore.Physics.snooker(m=mass, e_tip=e_tip)
    shot = simcore.Shots(V0=1.0, phi=0.0)
    res = simcore.simulate(MIDDLE[None], shot, table=HALL, physics=physics, log_events=True)
    speed = res.events.of(0).t[0] * 7 * cf.MU_SLIDE * cf.G / 2
    assert same(speed, cf.cue_speed(1.0, ball=mass, e_tip=e_tip))
    assert abs(speed - printed) <= 1e-6


def test_natural_roll_from_the_cue():
    """Section 5.17: struck at b = .4 the ball rolls at once."""
    res = simcore.simulate(MIDDLE[None], simcore.Shots(V0=1.0, phi=0.3, b=0.4), table=HALL)
    speed = cf.cue_speed(1.0, b=0.4)
    way = np.array([math.cos(0.3), math.sin(0.3)])
    assert same(res.positions[0] - MIDDLE, cf.roll_distance(speed) * way, scale=1.0)
    assert same(res.duration, cf.roll_time(speed))


@pytest.mark.parametrize("side", [-0.5, -0.25, 0.25, 0.5])
@pytest.mark.parametrize(("ratio", "printed"), [(20.0, (1.485, 2.709)), (30.0, (1.040, 1.886))])
def test_squirt(side, ratio, printed):
    """Section 5.17: a > 0, right of centre, sends the ball to the left by the squirt angle."""
    physics = simcore.Physics.snooker(end_mass_ratio=ratio)
    res = simcore.simulate(MIDDLE[None], simcore.Shots(V0=1.0, phi=0.0, a=side), table=HALL, physics=physics)
    turned = math.atan2(*(res.positions[0] - MIDDLE)[::-1])
    assert abs(turned - math.copysign(cf.squirt(abs(side), ratio), side)) <= 1e-12
    assert abs(abs(math.degrees(turned)) - printed[abs(side) == 0.5]) <= 1e-3


# --- windows: items 19 and 20 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", [0.0, 0.4, 3.0])
def test_chase_in_line(direction):
    """Section 5.19: two balls with equal deceleration (a degenerate quartic) meet at (.5 - 2R)/.5 = .895 s."""
    way = np.array([math.cos(direction), math.sin(direction)])
    v = [1.0 * way, 0.5 * way]
    res = run([MIDDLE - 0.5 * way, MIDDLE], v, [rolling_spin(x) for x in v], stop="first_contact")
    assert res.first_contact == 1
    assert same(res.events.of(0).t[-1], cf.chase_time(0.5 - 2 * cf.R, 1.0, 0.5))


def test_ghost_root_of_a_ball_that_has_stopped():
    """Section 5.20: the polynomial of a ball that has stopped goes on and comes back; no contact may come of it."""
    v = [(0.5, 0.0), (0.0, 0.0)]
    res = run([MIDDLE, MIDDLE - (0.2, 0.0)], v, [rolling_spin(x) for x in v])
    assert simcore.EventKind.BALL not in kinds(res)
    assert res.first_contact == -1
    assert same(res.duration, cf.roll_time(0.5))
    assert same(res.positions[0] - MIDDLE, [cf.roll_distance(0.5), 0.0], scale=1.0)
