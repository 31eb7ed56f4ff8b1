"""The oracles against closed forms, printed figures and a plain scan in time: they must be right before they judge."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest

from tests.oracles import closed_forms as cf
from tests.oracles import stepping

HALL = stepping.closed_table(60.0, 60.0)
PLAIN = stepping.Params(mu_ball=(0.0, 0.0, 0.0))


def run(balls, prm=PLAIN, table=HALL):
    """Run balls given as (x, y, vx, vy, wx, wy, wz) rows."""
    rows = np.array(balls, float)
    return stepping.simulate(rows[:, :2], rows[:, 2:4], rows[:, 4:], table, prm)


def rolling(x, y, vx, vy=0.0):
    return (x, y, vx, vy, -vy / cf.R, vx / cf.R, 0.0)


def stun(x, y, vx, vy=0.0):
    return (x, y, vx, vy, 0.0, 0.0, 0.0)


def struck_at(cut, start, v):
    """A ball along +x and a resting one that it hits at the cut angle, after 1 mm of travel."""
    gap = 2 * cf.R
    return [start(30.0, 30.0, v), stun(30.001 + gap * math.cos(cut), 30.0 + gap * math.sin(cut), 0.0)]


@pytest.mark.parametrize(
    ("printed", "value", "unit"),
    [
        (8.026520, cf.roll_time(1.0), 1e-6),
        (4.013260, cf.roll_distance(1.0), 1e-6),
        (0.274762, cf.stun_slide_time(2.0), 1e-6),
        (0.471021, cf.stun_slide_distance(2.0), 1e-6),
        (11.466457, cf.roll_time(10 / 7), 1e-6),
        (8.190326, cf.roll_distance(10 / 7), 1e-6),
        (0.5642857, cf.rolling_velocity((1, 0.5), (10, -20, 3))[0], 1e-7),
        (0.2821429, cf.rolling_velocity((1, 0.5), (10, -20, 3))[1], 1e-7),
        (0.28571, cf.head_on_rolling(1.0, 1.0)[0], 1e-5),
        (0.30357, cf.head_on_rolling(1.0, 0.95)[0], 1e-5),
        (0.32500, cf.head_on_rolling(1.0, 0.89)[0], 1e-5),
        (27.62649, math.degrees(cf.natural_roll_deflection(math.asin(0.25), 1.0)), 1e-5),
        (33.67050, math.degrees(cf.natural_roll_deflection(math.asin(0.5), 1.0)), 1e-5),
        (30.62412, math.degrees(cf.natural_roll_deflection(math.asin(0.5), 0.89)), 1e-5),
        (0.557875, cf.natural_roll_speeds(1.0, math.asin(0.5), 1.0)[0], 1e-6),
        (0.618590, cf.natural_roll_speeds(1.0, math.asin(0.5), 1.0)[1], 1e-6),
        (3.43363, math.degrees(cf.stun_throw(math.asin(0.5), 0.94, 0.06)[0]), 1e-5),
        (3.30726, math.degrees(cf.stun_throw(math.asin(0.5), 0.94, 0.06)[1]), 1e-5),
        (83.25911, math.degrees(cf.stun_throw(math.asin(0.5), 0.94, 0.06)[2]), 1e-5),
        (1.557632, cf.cue_speed(1.0, ball=0.142, e_tip=1.0), 1e-6),
        (1.347352, cf.cue_speed(1.0, ball=0.142), 1e-6),
        (1.561037, cf.cue_speed(1.0, e_tip=1.0), 1e-6),
        (1.350297, cf.cue_speed(1.0), 1e-6),
        (1.485, math.degrees(cf.squirt(0.25)), 1e-3),
        (2.709, math.degrees(cf.squirt(0.5)), 1e-3),
        (1.040, math.degrees(cf.squirt(0.25, 30.0)), 1e-3),
        (1.886, math.degrees(cf.squirt(0.5, 30.0)), 1e-3),
        (0.895, cf.chase_time(0.5 - 2 * cf.R, 1.0, 0.5), 1e-12),
    ],
)
def test_closed_forms_give_the_printed_figures(printed, value, unit):
    """physics.md section 5, items 1 to 8, 17 and 19, to one unit of the last printed digit."""
    assert abs(value - printed) <= unit


def test_one_ball_alone():
    """Items 1 to 4: rolling, stun, the Coriolis invariant's displacement, and the dead stop."""
    out = run([rolling(30, 30, 1.0)])
    assert out.duration == pytest.approx(cf.roll_time(1.0), rel=1e-12)
    assert out.positions[0] == pytest.approx([30 + cf.roll_distance(1.0), 30], rel=1e-13)
    out = run([stun(30, 30, 2.0)])
    assert out.duration == pytest.approx(cf.stun_slide_time(2.0) + cf.roll_time(10 / 7), rel=1e-12)
    v, w = (1.0, 0.5), (10.0, -20.0, 3.0)
    after = cf.rolling_velocity(v, w)
    speed = math.hypot(*after)
    expect = np.array([30, 30]) + cf.slide_displacement(v, w) + after / speed * cf.roll_distance(speed)
    assert run([(30, 30, *v, *w)]).positions[0] == pytest.approx(expect, rel=1e-13)
    out = run([(30, 30, 1.0, 0, 0, cf.dead_stop_spin(1.0), 0)])
    assert out.duration == pytest.approx(cf.stun_slide_time(3.5), rel=1e-12)


@pytest.mark.parametrize("cut", [0.2, 0.5, 1.0, 1.5])
@pytest.mark.parametrize("e", [1.0, 0.89])
def test_two_balls_end_where_the_formulas_say(cut, e):
    """Items 5 to 7 by the final rest positions: direction and length of the paths after the slip has ended."""
    speed = math.sqrt(1 + 2 * cf.MU_ROLL * cf.G * 1e-3)  # so that it meets the other at 1 m/s after 1 mm
    out = run(struck_at(cut, rolling, speed), replace(PLAIN, e_ball=e))
    (contact,) = out.contacts
    assert (contact.kind, contact.ball, contact.other) == ("ball", 0, 1)
    object_speed = cf.natural_roll_speeds(1.0, cut, e)[1]
    slide = cf.slide_displacement((object_speed * 7 / 5, 0), (0, 0))[0]
    path = out.positions[1] - struck_at(cut, rolling, speed)[1][:2]
    assert path @ [math.cos(cut), math.sin(cut)] == pytest.approx(slide + cf.roll_distance(object_speed), rel=1e-9)
    assert path @ [-math.sin(cut), math.cos(cut)] == pytest.approx(0.0, abs=1e-9)


def test_natural_roll_direction():
    """Item 7, directly on the collision rule and the invariant: half-ball, e = .89, no friction."""
    n = np.array([math.cos(math.pi / 6), 0.5]) * 2 * cf.R
    spin, none = np.array([0, 1 / cf.R, 0]), np.zeros(3)
    hit = stepping.collide_balls(np.zeros(2), np.array([1.0, 0]), spin, n, np.zeros(2), none, PLAIN)
    end = cf.rolling_velocity(*hit[:2])
    assert -math.atan2(end[1], end[0]) == pytest.approx(cf.natural_roll_deflection(math.pi / 6, 0.89), rel=1e-13)


def test_throw():
    """Items 8 and 9: stun throw with constant and with speed-dependent friction, to the printed digits."""
    none = np.zeros(3)

    def throw(v, cut, prm):
        n = np.array([math.cos(cut), math.sin(cut)])
        hit = stepping.collide_balls(np.zeros(2), np.array([v, 0]), none, n * 2 * cf.R, np.zeros(2), none, prm)
        return math.degrees(cut - math.atan2(hit[2][1], hit[2][0]))

    constant = replace(PLAIN, e_ball=0.94, mu_ball=(0.06, 0.0, 0.0))
    assert throw(1.7, math.pi / 6, constant) == pytest.approx(3.43363, abs=1e-5)
    law = stepping.Params(e_ball=1.0)
    for v, at_10, at_30 in ((0.447, 1.44295, 4.7150), (1.341, 1.44295, 3.5491), (3.129, 1.44295, 1.6976)):
        assert throw(v, math.radians(10), law) == pytest.approx(at_10, abs=1e-5)
        assert throw(v, math.radians(30), law) == pytest.approx(at_30, abs=1e-4)


@pytest.mark.parametrize(
    ("angle", "ratio", "rebound"),
    [
        (10, 0.94479, 10.326),
        (30, 0.86575, 33.902),
        (45, 0.85429, 52.467),
        (50, 0.85921, 58.334),
        (70, 0.89782, 76.514),
        (90, 0.92056, 90.0),
    ],
)
@pytest.mark.parametrize("steps", [20, 1000])
def test_cushion(angle, ratio, rebound, steps):
    """Item 14: rolling balls at a nose 36 mm high, at the production step count and converged."""
    prm, t = stepping.Params(cushion_steps=steps), math.radians(angle)
    vx, vy = math.cos(t), math.sin(t)
    z = stepping.cushion_local([vx, vy, -vy, vx, 0.0], 0.98, prm)
    within = (1e-3, 0.1) if steps == 20 else (2e-5, 1e-3)
    assert math.hypot(z[0], z[1]) == pytest.approx(ratio, abs=within[0])
    assert math.degrees(math.atan2(-z[1], z[0])) == pytest.approx(rebound, abs=within[1])


def test_cushion_state_and_frame():
    """Items 14 and 15: the full state at 45 degrees (h = 36 mm); side, topspin and stun (h = 1.4 R)."""
    s = math.sqrt(0.5)
    z = stepping.cushion_local([s, s, -s, s, 0.0], 0.98, stepping.Params(cushion_steps=1000))
    assert z == pytest.approx([0.52044, -0.67745, -0.20171, 0.53003, 0.43581], abs=1e-5)
    tall = stepping.Params(cushion_steps=1000, nose_height=1.4 * cf.R)
    for side, speed, angle in ((2.0, 1.11565, 36.974), (-2.0, 0.83793, 54.897)):
        v, w = np.array([-s, s]), np.array([-s, -s, side]) / cf.R  # up and to the left: the cushion is on its left
        after, _ = stepping.collide_cushion(v, w, np.array([-1.0, 0.0]), tall)
        assert math.hypot(*after) == pytest.approx(speed, abs=2e-5)
        assert math.degrees(math.atan2(after[0], after[1])) == pytest.approx(angle, abs=1e-3)
    for w_x, expect in ((-2.0, 0.98), (0.0, 0.83732)):
        assert stepping.cushion_local([0, 1, w_x, 0, 0], 0.98, tall)[1] == pytest.approx(-expect, abs=2e-5)


def test_events_of_two_rolling_balls():
    """Items 19 and 20: the chase in line has its contact, the ghost root of a stopping ball has none."""
    out = run([rolling(29.5, 30, 1.0), rolling(30, 30, 0.5)])
    assert out.contacts[0].t == pytest.approx(0.895, rel=1e-12)
    out = run([rolling(30, 30, 0.5), stun(29.8, 30, 0.0)])
    assert not out.contacts
    assert out.flag is None


def test_struck_balls():
    """Item 17 and section 2: speed, natural roll at b = .4, squirt to the left for right side, swerve direction."""
    v, w = stepping.strike(1.0, 0.3, b=0.4)
    assert math.hypot(*v) == pytest.approx(cf.cue_speed(1.0, b=0.4), rel=1e-13)
    assert np.allclose(cf.R * w, [-v[1], v[0], 0.0], atol=1e-13)
    v, w = stepping.strike(1.0, 0.3, a=0.25)
    assert math.atan2(v[1], v[0]) - 0.3 == pytest.approx(cf.squirt(0.25), rel=1e-12)
    assert w[2] == pytest.approx(2.5 * 0.25 * cf.cue_speed(1.0, a=0.25) / cf.R, rel=1e-12)
    v, w = stepping.strike(1.0, 0.0, theta=0.6, a=0.3, b=0.1)
    end = cf.rolling_velocity(v, w)
    turned = math.atan(2.5 * 0.3 * math.sqrt(0.9) / (21 + 2.5 * 0.91))
    assert math.atan2(end[1], end[0]) - turned == pytest.approx(math.atan2(-0.3 * math.sin(0.6), math.cos(0.6) + 0.1))


@pytest.mark.parametrize("seed", range(4))
def test_no_contact_is_missed_or_invented(seed):
    """The search in a step against a scan of 40 001 instants, on short fast passes with thin hits among them."""
    rng = np.random.default_rng(seed)
    s = np.linspace(0.0, 2e-3, 40_001)[:, None]
    hits = 0
    for _ in range(250):
        speed, turn = rng.uniform(0.2, 6), rng.uniform(0, 2 * math.pi)
        side = rng.uniform(0.97, 1.005) * 2 * cf.R
        V, A = np.array([speed, 0.0]), rng.uniform(-5, 5, 2)
        back = -math.sqrt(max(0.0, (2 * cf.R + 2e-4) ** 2 - side**2)) - rng.uniform(0, 1e-3)
        M = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        P, V, A = (M @ x for x in (np.array([back, side]), V, A))
        one = [np.array([x]) for x in (0, 0, 1, P, V, A, 2 * cf.R)]
        first = stepping.Row(stepping.Gaps(*one), 0, s[-1, 0]).falls(0.0, s[-1, 0])
        gap = np.sqrt(((P + V * s + A * s * s) ** 2).sum(1)) - 2 * cf.R
        falls = np.flatnonzero((gap[1:] <= 0) & (gap[:-1] > 0))
        assert (first is not None) >= (len(falls) > 0)
        if first is None:
            continue
        hits += 1
        k = int(first / s[1, 0])
        if len(falls) and k != falls[0]:
            assert abs(first - s[falls[0], 0]) < 2 * s[1, 0]
        if not len(falls):  # thinner than the scan: its dip lies between two instants
            assert gap.min() < 1e-9
    assert 50 < hits < 250


def test_pocket():
    """Section 4: a ball at a pocket drops, one that runs along the side falls at y = 4.5 mm."""
    x = stepping.Params().nose_distance + 1e-9
    out = run([rolling(x, 0.3, 0.0, -1.0)], table=stepping.snooker_table())
    assert [c.kind for c in out.contacts] == ["pocket"]
    y = -0.04763 + math.sqrt(0.0889**2 - (x + 0.04763) ** 2)
    assert y == pytest.approx(0.0045, abs=1e-4)
    assert out.contacts[0].t == pytest.approx((0.3 - y) / 1.0, rel=0.03)
    assert out.pocket[0] == 0
    assert np.isnan(out.positions[0]).all()


@pytest.mark.parametrize("seed", range(6))
def test_nothing_overlaps_in_whole_shots(seed):
    """Sampled ten times in each step of some busy shots, no ball is ever inside another, a nose or a jaw."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(0.15, 1.7, 0.3), np.arange(0.2, 3.4, 0.4))
    places = np.stack([x.ravel(), y.ravel()], 1)
    places = places[rng.permutation(len(places))[:10]] + rng.uniform(-0.05, 0.05, (10, 2))
    tb, prm = stepping.snooker_table(), stepping.Params()
    world = stepping.World(places, rng.normal(0, 2, (10, 2)), rng.normal(0, 80, (10, 3)), tb, prm)
    contacts = 0
    for _ in range(400):
        before = copy.deepcopy(world)
        try:
            contacts += stepping.advance(world) is not None
        except stepping.Undecided:
            break
        for t in np.linspace(before.t, world.t, 10):
            assert deepest_overlap(before.all_now(t)[0], tb, prm) < 1e-12
        if not np.isfinite(world.t_next).any():
            break
    assert contacts > 10


def deepest_overlap(r, tb, prm):
    """How far balls at r (n, 2) reach into each other or into noses and jaws, m; negative if all stand clear."""
    i, j = np.triu_indices(len(r), 1)
    pair = 2 * prm.R - np.hypot(*(r[i] - r[j]).T)
    along, length = tb.nose_b - tb.nose_a, np.abs(tb.nose_b - tb.nose_a).sum(1)
    from_start = r[:, None] - tb.nose_a
    foot, depth = (from_start * along).sum(2) / length, (from_start * tb.nose_n).sum(2)
    nose = np.where((foot >= 0) & (foot <= length), prm.nose_distance - depth, -1.0)
    offset = r[:, None] - tb.jaw_o
    middle = tb.jaw_range.mean(1)
    turned = np.arctan2(offset[..., 1], offset[..., 0]) - middle
    turned = np.abs((turned + math.pi) % (2 * math.pi) - math.pi)
    jaw = tb.jaw_rho + prm.nose_distance - np.hypot(offset[..., 0], offset[..., 1])
    jaw = np.where(turned <= np.ptp(tb.jaw_range, axis=1) / 2, jaw, -1.0)
    return float(np.nanmax([np.nanmax(pair), np.nanmax(nose), np.nanmax(jaw)]))


def test_what_is_not_judged_is_flagged():
    """Two contacts at one instant, and a touching pair that is driven together."""
    h = 2 * cf.R
    c, s = math.cos(math.pi / 6) * h, 0.5 * h
    out = run([rolling(30, 30, 1.0), stun(30.5 + c, 30 + s, 0), stun(30.5 + c, 30 - s, 0)])
    assert out.flag == "together"
    out = run([stun(30, 30, 1.0), stun(30 + h, 30, 0)])
    assert out.flag == "pressing"
