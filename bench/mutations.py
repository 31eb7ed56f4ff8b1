# ruff: noqa: E501 - the table of mistakes is read best with one to a line
"""Mutation check: make one small mistake in a kernel at a time, and show that a test fails.

    python -m bench.mutations                     # all files, table to stdout; an hour on two cores
    python -m bench.mutations roots schedule      # some files
    python -m bench.mutations --fast              # only the round of fast tests: what lives has still to meet the other
    python -m bench.mutations --check             # only: does every mistake still fit the sources?
    python -m bench.mutations --coverage          # only: which lines the fast tests reach; needs pytest-cov

Each mistake is made in a copy of the tree in a temporary folder. First the fast tests of its file run without
compiling; a mistake they let live then meets the compiled tests of the simulation. Without a mistake all these tests
must pass: that is looked at before. What lives through both is a gap in the tests (or changes nothing: say so in
EQUIVALENT). Exit status 1 if any lives or no longer fits. Lines that run compiled cannot be counted, so coverage is
that of the fast tests of all files, without compiling.
"""

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("simcore", "rules", "tests", "bench", "pyproject.toml")
T = "tests/simcore/"
SIMULTANEOUS, CASES, SIMULATE = (
    T + "test_simultaneous.py::Test",
    T + "test_public_cases.py::Test",
    T + "test_simulate.py::Test",
)

SHORT = (  # seconds, also as plain Python
    T + "test_closed_forms.py",
    *(SIMULTANEOUS + name for name in ("TwoBallsAtOnce", "FrozenLine", "SquareCorner")),
    *(CASES + name for name in ("SymmetricDoubleHit", "Stopping", "StunDrawFollow", "Doors")),
    T + "test_against_oracle.py::test_random_shots[0]",
)
FACTS = (SIMULATE + "Facts", SIMULATE + "StopRules", SIMULATE + "Log")
COMPILED = (  # what survivors meet, quick finders first
    T + "test_public_cases.py",
    T + "test_simultaneous.py",
    T + "test_simulate.py",
    T + "test_closed_forms.py",
    T + "test_against_oracle.py",
    T + "kernel",
    "tests/golden",
)

FIRST: dict[str, tuple[str, ...]] = {  # tests of the first round for each kernel file
    "roots": (T + "kernel/test_roots.py", *SHORT),
    "contacts": (T + "kernel/test_contacts.py", *SHORT, *FACTS, CASES + "Jaws::test_creeping_off_a_nose_and_back"),
    "motion": (T + "test_closed_forms.py", *SHORT),
    "schedule": (
        T + "kernel/test_schedule.py",
        *SHORT,
        *FACTS,
        SIMULATE + "MotionWithoutEnd::test_a_slow_ball_meets_a_far_one",
    ),
    "resolve": (T + "kernel/test_resolve.py", *SHORT, *FACTS),
    "ball_ball": (T + "kernel/test_ball_ball.py",),
    "cushion": (T + "kernel/test_cushion.py", T + "kernel/test_mathavan.py"),
    "mathavan": (T + "kernel/test_mathavan.py", T + "kernel/test_cushion.py"),
    "mathavan_steps": (T + "kernel/test_cushion.py",),
    "cue": (T + "kernel/test_cue.py",),
    "elementary": (T + "kernel/test_elementary.py",),
    "shot": (*FACTS, *SHORT),
    "log": (SIMULATE + "Log", T + "test_closed_forms.py"),
    "layout": (T + "kernel/test_layout.py", T + "test_positions.py"),
    "random_normal": (T + "test_noise.py",),
    "batch": (T + "kernel/test_batch.py", SIMULATE + "SameNumbersEverywhere", SIMULATE + "Log"),
    "tolerances": (*(T + f"kernel/test_{name}.py" for name in ("roots", "contacts", "mathavan")), *FACTS, *SHORT),
    "types": (*FACTS, *SHORT),
    "coefficients": (T + "test_physics.py",),
    "jit": (T + "kernel/test_jit.py",),
}
COMPILED_AT_ONCE = {"jit"}  # files that mean nothing without compiling

FIRST_S, COMPILED_S = 120, 300
"""CPU time of a round, s, some three times what it takes without a mistake: a mistake may make a loop endless."""

Mistake = tuple[str, str]  # text in the source, once; text in its place

MISTAKES: dict[str, list[Mistake]] = {
    "roots": [
        ("2.0 * (r.ax * r.vx + r.ay * r.vy),", "2.0 * (r.ax * r.vx - r.ay * r.vy),"),
        ("r.vx * r.vx + r.vy * r.vy + 2.0 * (r.x * r.ax + r.y * r.ay),", "r.vx * r.vx + r.vy * r.vy,"),
        ("root = math.sqrt(disc)\n    big = -half_b - root", "root = math.sqrt(disc)\n    big = -half_b + root"),
        ("        if following > right:\n            return right if", "        if following > right:\n            return math.inf if"),
        ("        s = max(following, left)", "        s = right"),
        ("        s, gap, rate = following, gap_there, rate_there", "        s, gap, rate = s, gap_there, rate_there"),
        ("    return rate < 0.0 or (rate <= V_CLOSE and", "    return rate > 0.0 or (rate <= V_CLOSE and"),
        ("[0], 0.0) - GRAZE", "[0], 0.0) + GRAZE"),
        ("math.sqrt(-2.0 * HOP * acceleration)", "math.sqrt(-200.0 * HOP * acceleration)"),
        ("    sideways = vx * vx + vy * vy - rate * rate", "    sideways = vx * vx + vy * vy + rate * rate"),
        ("        s = 2.0 * gap / (math.sqrt(disc) - rate)", "        s = 2.0 * gap / (math.sqrt(disc) + rate)"),
        ("        s = (rate + math.sqrt(max(disc, 0.0))) / (-2.0 * half)", "        s = (rate - math.sqrt(max(disc, 0.0))) / (-2.0 * half)"),
        ("(0.0, c.lo) if piece == 0 else (c.hi, c.window)", "(0.0, c.lo) if piece == 0 else (c.lo, c.window)"),
        ("        if found == math.inf and s < math.inf and piece == CONCAVE:", "        if found == math.inf and s == math.inf and piece == CONCAVE:"),
        ("    for piece in range(3):", "    for piece in range(2):"),
    ],
    "contacts": [
        ("xj - xi, yj - yi, vxj - vxi, vyj - vyi,", "xj - xi, yj - yi, vxj + vxi, vyj - vyi,"),
        ("    end = (rate + bend * window) * window", "    end = rate * window"),
        ("    turns = (rate < 0.0) & (-rate < 2.0", "    turns = (rate < 0.0) & (-rate < 1.0"),
        ("    return 4.0 * bend * gap - rate * rate if turns", "    return 8.0 * bend * gap - rate * rate if turns"),
        ("    return 4.0 * bend * gap - rate * rate if turns", "    return gap if turns"),
        ("        first = ball[OWN_T, j] if ball[OWN_T, j] < own else own", "        first = own"),
        ("    on = s + (time_onto(along, speed, bend) if along < 0.0", "    on = s + (time_onto(-along, speed, bend) if along < 0.0"),
        ("    nearest = min(miss, miss + change) if miss > 0.0", "    nearest = max(miss, miss + change) if miss > 0.0"),
        ("    return nearest > 0.0 and nearest * nearest >", "    return nearest > 0.0 and 2.0 * nearest * nearest >"),
        ("    gap = nx * r.x + ny * r.y - ball[REACH, i]", "    gap = nx * r.x + ny * r.y - ball[RADIUS, i]"),
        ("table.jaw[JAW_RADIUS, k] + ball[REACH, i]", "table.jaw[JAW_RADIUS, k] - ball[REACH, i]"),
        ("    inside = inside and x * table.jaw[JAW_TO_Y, k]", "    inside = inside or x * table.jaw[JAW_TO_Y, k]"),
        ("        turn = x - v * v / (4.0 * a)", "        turn = x - v * v / (2.0 * a)"),
        ("    if gap_on < min(gap, 0.0) - GRAZE:\n        return math.inf\n", ""),
        ("    return on + line_crossing(gap_on,", "    return on + line_crossing(gap,"),
        ("(r.vx * r.vx + r.vy * r.vy), UNDERFLOW)", "(r.vx * r.vx + r.vy * r.vy), 0.0)"),
    ],
    "motion": [
        ("    return m.vx - radius * m.wy, m.vy + radius * m.wx", "    return m.vx + radius * m.wy, m.vy + radius * m.wx"),
        ("rolling(m.vx - 2.0 / 7.0 * ux,", "rolling(m.vx - 2.0 / 5.0 * ux,"),
        ("    left = abs(wz) - alpha * dt", "    left = abs(wz) + alpha * dt"),
        ("b[WX, i] + 5.0 * dt * ay / radius", "b[WX, i] - 5.0 * dt * ay / radius"),
        ("ball[VX, i] + 2.0 * dt * ax", "ball[VX, i] + 1.0 * dt * ax"),
        ("length = slip / (7.0 * half) if", "length = slip / (3.5 * half) if"),
        ("    length = speed / (2.0 * half) if", "    length = speed / half if"),
        ("    return BallMotion(0.0, 0.0, 0.0, 0.0, wz)\n\n\n@kernel\ndef advance", "    return BallMotion(0.0, 0.0, 0.0, 0.0, 0.0)\n\n\n@kernel\ndef advance"),
    ],
    "schedule": [
        ("        best = min(best, time_to_nose(", "        best = max(best, time_to_nose("),
        ("                best, kind, pocket = s, JAW, p\n", "                best, kind, pocket = s, POCKET, p\n"),
        ("    if nose_s <= s:\n", "    if nose_s < math.inf:\n"),
        ("    t, end = ball[T0, i] + s, min(ball[T_END, i], ball[T0, i] + LONGEST)", "    t, end = s, min(ball[T_END, i], ball[T0, i] + LONGEST)"),
        ("min(ball[T_END, i], ball[T0, i] + LONGEST)", "ball[T_END, i]"),
        ("        if w.pair[i, j] < best:", "        if w.pair[i, j] > best:"),
        ("        pair[j, i] = t\n", ""),
        ("        elif mark[ROW_BALL, j] == i and t > ball[ROW_T, j]:\n            find_row(w, j)\n", ""),
        ("find_own_event(w, w.mark[TOUCHED_BALL, k], table)", "find_own_event(w, w.mark[TOUCHED_BALL, 0], table)"),
        ("mark[TOUCHED, j] == UP_TO_DATE", "mark[TOUCHED, j] != UP_TO_DATE"),
        ("    limit = max(best, w.clock[INSTANT]) + T_SAME", "    limit = best"),
        ("        r = min(r, CONTACT_RANK) if row == best else r", "        r = CONTACT_RANK if row == best else r"),
        ("    limit = max(best, w.clock[INSTANT]) + T_SAME", "    limit = best + T_SAME"),
        ("    return FALL_RANK if kind == POCKET else CONTACT_RANK", "    return CONTACT_RANK"),
    ],
    "resolve": [
        ("    target = max(e * max(-rate, 0.0), ", "    target = max(e * e * max(-rate, 0.0), "),
        ("0.0), hop_speed(acceleration))", "0.0), 0.0)"),
        ("contact[C_X, c] == contact[C_X, c - 1] and contact[C_Y, c] < contact[C_Y, c - 1]", "contact[C_X, c] < contact[C_X, c - 1]"),
        ("            b[JX, i] -= push / b[MASS, i] * w.contact[C_NX, c]", "            b[JX, i] += push / b[MASS, i] * w.contact[C_NX, c]"),
        ("            after = max(0.0, before + damping * step)", "            after = before + damping * step"),
        ("            w.contact[C_NEED, c] = closing + w.contact[C_TARGET, c]", "            w.contact[C_NEED, c] = closing"),
        ("friction_change(tu, p, p.m2, p.r2, -1.0)", "friction_change(tu, p, p.m2, p.r2, 1.0)"),
        ("w, k + (order + turn) % met, m", "w, k + turn % met, m"),
        ("mean_motion(m, other) if met == 2 else m", "m"),
        ("max(0.0, hop - (m.vx", "max(0.0, hop + (m.vx"),
        ("    row = AFTER if w.tally[HAS_CONTACT] else BEFORE", "    row = BEFORE if w.tally[HAS_CONTACT] else AFTER"),
        ("            if push > b[PUSH, k] and", "            if push >= 0.0 and"),
        (" and mark[MOVED_BY, k] != k)", ")"),
        ("    limit = w.clock[INSTANT] + T_SAME", "    limit = w.clock[INSTANT] - T_SAME"),
        ("            di, dj = float(mark[DEGREE, i]), float(mark[DEGREE, j])", "            di, dj = 1.0, 1.0"),
        ("w.contact[C_GAP, c] = gap_and_rate(r, distance, max(w.pair[i, j] - now, 0.0))[0]", "w.contact[C_GAP, c] = 0.0"),
        ("max(w.pair[i, j] - now, 0.0))[0]", "0.0)[0]"),
        ("w.cushion[K_T, k], w.cushion[K_GAP, k] = w.clock[NOW] + s, gap", "w.cushion[K_T, k], w.cushion[K_GAP, k] = w.clock[NOW] + s, 0.0"),
        ("            w.contact[C_NEED, c] = closing + w", "            w.contact[C_NEED, c] = w"),
        ("(w.contact[C_NEED, c] + gained)", "(w.contact[C_NEED, c] - gained)"),
        ("            b[VX, i] += b[JX, i]", "            b[VX, i] = b[JX, i]"),
        ("            b[JY, j] += push / b[MASS, j]", "            b[JY, j] += push / b[MASS, i]"),
        ("                cluster = cluster or (w.mark[GROUP, i] == group and", "                cluster = cluster or ("),
    ],
    "ball_ball": [
        ("exp(-physics.mu_ball_decay * slip)", "exp(physics.mu_ball_decay * slip)"),
        ("    return 2.0 * math.sqrt(r1 * r2)", "    return r1 + r2"),
        ("    wz = contact.r1 * b1.wz + contact.r2 * b2.wz", "    wz = contact.r1 * b1.wz - contact.r2 * b2.wz"),
        ("    sticking = speed / (3.5 * (", "    sticking = speed / (2.5 * ("),
        ("    scale = min(sliding, sticking) / speed", "    scale = sliding / speed"),
        ("    turn = 2.5 / (mass * radius)", "    turn = 2.0 / (mass * radius)"),
        ("        turn * (c * along_t),", "        turn * (-c * along_t),"),
        ("-normal / contact.m1)", "-normal / contact.m2)"),
    ],
    "cushion": [
        ("radius * radius - above * above", "radius * radius + above * above"),
        ("physics.e_cushion - physics.e_cushion_slope * above", "physics.e_cushion + physics.e_cushion_slope * above"),
        ("physics.cushion_model == CUSHION_MIRROR or not", "not"),
        ("    if physics.cushion_model == CUSHION_MATHAVAN:", "    if physics.cushion_model != CUSHION_MATHAVAN:"),
        ("        ball.vx * yy - ball.vy * yx,", "        ball.vx * yy + ball.vy * yx,"),
        ("    if not motion.vy > 0.0:\n        return ball\n", ""),
        ("        steps = MANY_STEPS\n", ""),
        ("        if solved:\n            return after\n", "        return after\n"),
        ("    s = math.sqrt(had / has)", "    s = 1.0"),
    ],
    "mathavan": [
        ("        -nose.cross * fx - table * (3.5 * qx),", "        nose.cross * fx - table * (3.5 * qx),"),
        ("(nose.press_more * y.ss) * per_nose)", "(nose.press_more * y.sx) * per_nose)"),
        ("    hold = nose.along + pull * nose.cos", "    hold = nose.along - pull * nose.cos"),
        ("    if at.per_nose > 0.5 / NO_NOSE_SLIP:\n", "    if at.per_nose < 0.0:\n"),
        ("        return y, Point(k, at.per_nose, 0.0, at.qx, at.qy)", "        return y, Point(k, at.per_nose, at.per_table, at.qx, at.qy)"),
        (" * often - min(zx * dx + zy * dy, 0.0))", " * often)"),
        ("    return min(max(1.0 / often, floor), rest) if", "    return min(1.0 / often, rest) if"),
        ("C2 * h, at.rates)", "C3 * h, at.rates)"),
        ("A31 * h, at.rates)", "A32 * h, at.rates)"),
        ("        if h * at.per_nose * nose.mu_nose * STIFF_STEP > 1.0:", "        if h < 0.0:"),
        ("            after = _state_at(y, step, x)\n", "            x = 1.0\n"),
        ("max(x, floor / step.length)", "max(x, 0.0)"),
        ("            end = (1.0 - e * e) *", "            end = (1.0 - e) *"),
        ("    return _work_at(c, min(max(x, 0.0), last))", "    return _work_at(c, last)"),
        ("    return max(x - 2.0 * excess / divisor, 0.0) if", "    return max(x - excess / divisor, 0.0) if"),
        ("    fx = (nose.cross * dt - 3.5 * ds) * scale", "    fx = (nose.cross * dt + 3.5 * ds) * scale"),
        ("    wx = after.ty - vy", "    wx = after.ty + vy"),
        ("+ abs(m.wz)), SMALLEST)", "+ abs(m.wz)), 0.0)"),
        ("min(vy, 0.0), wx", "vy, wx"),
        ("    if not _lets_cloth_slip(nose):", "    if nose.mu_nose < 0.0:"),
        ("hold * max(0.0, nose.sin - mu * nose.cos)", "hold * max(0.0, nose.sin + mu * nose.cos)"),
        ("    return nose.sin >= 0.0 and least", "    return least"),
    ],
    "mathavan_steps": [
        ("max(nose.cos, 3.5 * max(nose.mu_table, nose.mu_nose))", "nose.cos"),
        ("motion.wx - nose.sin * motion.vy", "motion.wx + nose.sin * motion.vy"),
        ("max(0.0, nose.sin + fs * nose.cos)", "max(0.0, nose.sin - fs * nose.cos)"),
        ("        -2.5 * (nose.sin * fx - tx),", "        -2.5 * (nose.sin * fx + tx),"),
        ("        h = _split(sx, ss, dsx, dss, h)", "        h = h"),
        ("            h = -motion.vy / rates.vy\n", "            h = h\n"),
        ("e * e * work", "e * work"),
        ("    divisor = beta + math.sqrt(", "    divisor = beta - math.sqrt("),
        ("        NO_TABLE_SLIP * speed,", "        1e12 * NO_TABLE_SLIP * speed,"),
    ],
    "cue": [
        ("physics.mu_tip / math.sqrt(1.0 + ", "physics.mu_tip / math.sqrt(1.0 - "),
        ("2.5 * a * depth / (1.0 + end_mass_ratio", "2.5 * a * depth / (1.0 - end_mass_ratio"),
        ("(mass / physics.cue_mass + 1.0", "(physics.cue_mass / mass + 1.0"),
        ("    along_x = (cos_phi - tangent * sin_phi) / scale", "    along_x = (cos_phi + tangent * sin_phi) / scale"),
        ("    swerve = a * sin_theta", "    swerve = -a * sin_theta"),
        ("        spin * (a * cos_theta),", "        spin * a,"),
    ],
    "elementary": [
        ("HALF_PI_3 = 6.36831716351095e-25", "HALF_PI_3 = 0.0"),
        ("    return -1.0 / 6.0 + z * s", "    return -1.0 / 6.0 - z * s"),
        ("    if quadrant == 1:\n        return c, -s", "    if quadrant == 1:\n        return c, s"),
        ("    low = k * LN2_2\n", "    low = 0.0\n"),
        ("    s = 1.0 / 24.0 + r * s\n", ""),
        ("    if mantissa < SQRT_HALF:", "    if mantissa > SQRT_HALF:"),
        ("    tail = _quantile_near(r - 1.6) if r <= 5.0", "    tail = _quantile_near(r - 1.5) if r <= 5.0"),
        ("    top = top * r + 2.96560571828504891230e-1", "    top = top * r + 2.9656e-1"),
    ],
    "shot": [
        ("        b[POT_T, i], b[MOVED_T, i] = math.inf, math.inf\n", "        b[POT_T, i], b[MOVED_T, i] = 0.0, math.inf\n"),
        ("    for f in range(COUNT_FIELDS):\n        w.tally[f] = 0\n", ""),
        ("        w.mark[MOVED_BY, i] = i\n", ""),
        ("    w.mark[FELL_IN, i] = w.mark[OWN_INDEX, i]", "    w.mark[FELL_IN, i] = 0"),
        ("    w.mark[STATE, i] = ABSENT\n", ""),
        ("w.tally[EVENTS] >= options.max_events or w.tally[STEPS] >", "w.tally[STEPS] >= options.max_events * 1000 or w.tally[STEPS] > 1000 *"),
        ("    return w.ball[T0, i] + spin / alpha if alpha > 0.0", "    return w.ball[T0, i] + 2.0 * spin / alpha if alpha > 0.0"),
        ("w.tally[HAS_CONTACT] > had_contact:", "w.tally[HAS_CONTACT] >= had_contact:"),
        ("            status = DONE_NOT_FINITE\n", "            status = DONE_REST\n"),
        ("+ TOUCH_GAP\n", "- TOUCH_GAP\n"),
        ("    if t >= w.ball[T_END, i]:\n        set_motion(w, i, m)", "    set_motion(w, i, m)"),
        ("= min(mark[BEFORE, i], MOST_COUNTED)", "= mark[BEFORE, i]"),
    ],
    "log": [
        ("log.event[at, 0], log.event[at, 1] = t, gap", "log.event[at, 0], log.event[at, 1] = t, 0.0"),
        ("(T0, X, Y, VX, VY, AX, AY, WX, WY, WZ)", "(T0, Y, X, VX, VY, AX, AY, WX, WY, WZ)"),
        ("        write_event(log, at, w.contact[C_T, c], w.contact[C_GAP, c], BALL,", "        write_event(log, at, w.clock[NOW] + 1.0, w.contact[C_GAP, c], BALL,"),
        ("        i, kind, index = w.cushion_what[0, k], w.cushion_what[1, k], w.cushion_what[2, k]", "        i, kind, index = w.cushion_what[0, k], w.cushion_what[2, k], w.cushion_what[1, k]"),
        ("    alone = 1 if w.tally[ALONE_KIND] != NOTHING else 0", "    alone = 0"),
        ("            at += 1\n", ""),
    ],
    "layout": [
        ("OVERLAP = 1e-7 ", "OVERLAP = 1e-5 "),
        ("    if math.isnan(x) != math.isnan(y):", "    if math.isnan(x) and math.isnan(y):"),
        ("    along = dx * ny - dy * nx\n", "    along = dx * ny + dy * nx\n"),
        ("    if past_from >= 0.0 and before_to >= 0.0:", "    if past_from >= 0.0 or before_to >= 0.0:"),
        ("fall_gap(x, y, pocket, geometry) < -OVERLAP", "fall_gap(x, y, pocket, geometry) < -1.0"),
        ("    if not (x - fx) * (bed_x - fx) + (y - fy) * (bed_y - fy) > 0.0:", "    if (x - fx) * (bed_x - fx) + (y - fy) * (bed_y - fy) > 0.0:"),
        ("        for other in range(ball + 1, n_balls):", "        for other in range(ball + 2, n_balls):"),
    ],
    "random_normal": [
        ("UNIFORM_BITS = 52 ", "UNIFORM_BITS = 53 "),
        ("(bits + 0.5) * UNIFORM_STEP", "bits * UNIFORM_STEP"),
        ("    for column in range(row + 1):", "    for column in range(row):"),
        ("factor[row, column] * normals[column]", "factor[column, row] * normals[column]"),
        ("            bits[sample, column] = normal_from_bits(bits[sample, column])", "            bits[sample, column] = normal_from_bits(bits[0, column])"),
    ],
    "batch": [
        ("    first = turn * BLOCK if turn < blocks", "    first = turn if turn < blocks"),
        ("blocks * BLOCK + turn - blocks)", "blocks * BLOCK + turn)"),
        ("first + (BLOCK if turn", "first + (BLOCK - 1 if turn"),
        ("    while first < n:", "    while first < n - BLOCK:"),
        ("        np.zeros((CONTACT_FIELDS, 3 * n)),", "        np.zeros((CONTACT_FIELDS, 1)),"),
    ],
    "tolerances": [
        ("T_SAME = 1e-9", "T_SAME = 1e-4"),
        ("T_SAME = 1e-9", "T_SAME = -1e-12"),
        ("V_CLOSE = 1e-9", "V_CLOSE = 1e-2"),
        ("A_PRESS = 1e-9", "A_PRESS = 1e3"),
        ("V_REST = 1e-3", "V_REST = 1e-1"),
        ("HOP = 4e-6", "HOP = 4e-2"),
        ("GRAZE = 1e-12", "GRAZE = 1e-6"),
        ("SLIP_ZERO = 1e-12", "SLIP_ZERO = 1e-3"),
        ("SPEED_ZERO = 1e-12", "SPEED_ZERO = 1e-3"),
        ("JOIN_SLACK = 1e-12", "JOIN_SLACK = 1e-2"),
        ("IMPULSE_ERROR = 1e-14", "IMPULSE_ERROR = 1e-3"),
        ("IMPULSE_STEPS = 20_000", "IMPULSE_STEPS = 20"),
        ("V_GRAZE = 1e-3", "V_GRAZE = 1e-8"),
        ("TOUCH_GAP = 5e-5", "TOUCH_GAP = 5e-3"),
        ("LONGEST = 1e5", "LONGEST = 1.0"),
        ("NO_TABLE_SLIP = 1e-14", "NO_TABLE_SLIP = 1e-2"),
        ("NOSE_TURN = 0.6", "NOSE_TURN = 6.0"),
        ("TABLE_TURN = 0.7", "TABLE_TURN = 7.0"),
        ("SHORTEST_STEP = 0.01", "SHORTEST_STEP = 0.5"),
        ("STIFF_STEP = 1.5", "STIFF_STEP = 15.0"),
        ("STABLE_STEP = 2.0", "STABLE_STEP = 20.0"),
        ("MOST_STEPS = 400", "MOST_STEPS = 2"),
        ("SMALLEST = 1e-300", "SMALLEST = 0.0"),
        ("UNDERFLOW = 1e-290", "UNDERFLOW = 0.0"),
        ("OVERSHOOT = 1.05", "OVERSHOOT = 0.5"),
        ("MANY_STEPS = 200", "MANY_STEPS = 20"),
        ("NO_NOSE_SLIP = 1e-9", "NO_NOSE_SLIP = 1e-1"),
        ("SHORTEST_SPLIT = 1e-3", "SHORTEST_SPLIT = 0.9"),
        ("STEP_CAP = 50", "STEP_CAP = 1"),
    ],
    "types": [
        ("C_NEED = 6 ", "C_NEED = 7 "),
        ("C_FT, C_FU = 8, 9", "C_FT, C_FU = 8, 8"),
        ("JX, JY = 18, 19", "JX, JY = 18, 18"),
        ("BALL_FIELDS = 22", "BALL_FIELDS = 21"),
        ("SLACK = 21 ", "SLACK = 11 "),
        ("BEFORE, AFTER = 9, 10", "BEFORE, AFTER = 9, 9"),
        ("MARK_FIELDS = 14", "MARK_FIELDS = 13"),
        ("K_HOP = 3 ", "K_HOP = 4 "),
        ("UNSETTLED = 9 ", "UNSETTLED = 4 "),
        ("JAW_TO_X, JAW_TO_Y = 5, 6", "JAW_TO_X, JAW_TO_Y = 3, 4"),
    ],
    "coefficients": [
        ("mu_slide: float = 0.212", "mu_slide: float = 0.2"),
        ("alpha_spin: float = 10.0", "alpha_spin: float = 22.0"),
        ("e_ball: float = 0.89", "e_ball: float = 0.95"),
        ("mu_ball_decay: float = 1.088", "mu_ball_decay: float = -1.088"),
        ("cushion_model: int = 0", "cushion_model: int = 1"),
        ("e_cushion_slope: float = 0.085", "e_cushion_slope: float = 0.0"),
        ("end_mass_ratio: float = 20.0", "end_mass_ratio: float = 0.05"),
    ],
    "jit": [
        ("path.name.encode() + b\"\\0\" + path.read_bytes()", "path.name.encode()"),
        ("else (KERNEL_FOLDER, source_folder))", "else (KERNEL_FOLDER,))"),
        ("        return [Path(chosen)]", "        pass"),
        ("    return [Path(user) / \"snookersim\", temporary]", "    return [Path(user) / \"snookersim\"]"),
        ("os.environ.get(\"XDG_CACHE_HOME\") or os", "os"),
        ("            with tempfile.TemporaryFile(dir=folder):\n                return str(folder)", "            return str(folder)"),
        ("            continue\n    return \"\"", "            continue\n    return str(folder)"),
        ("config.CACHE_DIR = folder or previous", "config.CACHE_DIR = previous"),
        ("    finally:\n        config.CACHE_DIR = previous", "    finally:\n        pass"),
        ("cache=bool(folder), error_model=\"numpy\"", "cache=False, error_model=\"numpy\""),
        ("cache=bool(folder), error_model=\"numpy\"", "cache=bool(folder), error_model=\"python\""),
        ("register_jitable(error_model=\"numpy\", no_cfunc_wrapper=True, _nrt=False)", "register_jitable(no_cfunc_wrapper=True, _nrt=False)"),
        ("_compile(function, nogil=True)", "_compile(function)"),
    ],
}  # fmt: skip

EQUIVALENT: dict[Mistake, str] = {}
"""Mistakes that change no result that anyone can see, and why."""


class Outcome(NamedTuple):
    """What became of one mistake."""

    file: str
    mistake: Mistake
    killer: str  # the test that failed; "" if none did, "does not fit" if the source has changed
    seconds: float


def kernel_file(tree: Path, file: str) -> Path:
    """Where a kernel file is in a tree."""
    return tree / "simcore" / "kernel" / f"{file}.py"


def fits(tree: Path, file: str, mistake: Mistake) -> bool:
    """Whether the text to be changed is there, just once."""
    return kernel_file(tree, file).read_text().count(mistake[0]) == 1


def tests(folder: Path, names: tuple[str, ...], compiled: bool) -> str:
    """Run tests in a copy until the first fails: its name, or '' if none does."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "SNOOKERSIM_CACHE_DIR": str(folder / "cache"),
        "NUMBA_DISABLE_JIT": "0" if compiled else "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
    command += ["--hypothesis-seed=0", *names]
    command += [] if compiled else ["-k", "not without_compil"]  # those would compile, in a child
    limit = partial(limit_time, COMPILED_S if compiled else FIRST_S)
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, preexec_fn=limit)
    if run.returncode == -signal.SIGXCPU:
        return "does not end"
    if run.returncode in (-signal.SIGINT, -signal.SIGTERM, -signal.SIGKILL):
        raise RuntimeError(f"the tests were ended from outside (exit status {run.returncode}): no verdict")
    if run.returncode == 0:
        return ""
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].split("::", 1)[-1] if failed else f"pytest ended with {run.returncode}"


def limit_time(cpu_s: int) -> None:
    """Let this process end when it has worked so long: on a busy machine a wall clock would end tests that pass."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))


def broken_baseline(tree: Path, files: list[str], fast: bool) -> list[str]:
    """Tests that fail without any mistake: with them, no verdict would mean anything."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        folder = copy_tree(tree, Path(name))
        first = dict.fromkeys(name for file in files if file not in COMPILED_AT_ONCE for name in FIRST[file])
        rounds = [*([] if fast else [(COMPILED, True)]), *([(tuple(first), False)] if first else [])]
        return [killer for names, compiled in rounds if (killer := tests(folder, names, compiled))]


def try_mistake(tree: Path, file: str, mistake: Mistake, fast: bool) -> Outcome:
    """Make a mistake in a fresh copy of a tree, and run the tests."""
    began = time.monotonic()
    if not fits(tree, file, mistake):
        return Outcome(file, mistake, "does not fit", 0.0)
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        folder = copy_tree(tree, Path(name))
        kernel = kernel_file(folder, file)
        kernel.write_text(kernel.read_text().replace(*mistake))
        killer = tests(folder, FIRST[file], file in COMPILED_AT_ONCE)
        if not killer and not fast:
            killer = tests(folder, COMPILED, compiled=True)
    return Outcome(file, mistake, killer, time.monotonic() - began)


def coverage() -> int:
    """Print which lines of the kernels the fast tests reach without compiling; the exit status of pytest."""
    names = dict.fromkeys(
        (T + "kernel", *SHORT, *FACTS, SIMULATE + "Doors", T + "test_positions.py", T + "test_noise.py")
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--cov=simcore/kernel",
        "--cov-report=term-missing",
        "--cov-fail-under=95",
        *names,
    ]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=False).returncode


def copy_tree(tree: Path, folder: Path) -> Path:
    """What the tests need of a tree, in an empty folder."""
    skipped = shutil.ignore_patterns("__pycache__", ".pytest_cache", ".hypothesis")
    for name in COPIED:
        if (tree / name).is_dir():
            shutil.copytree(tree / name, folder / name, ignore=skipped)
        else:
            shutil.copy(tree / name, folder / name)
    return folder


def row(outcome: Outcome) -> str:
    """A line of the table."""
    old, new = (shorten(text) for text in outcome.mistake)
    killer = outcome.killer or EQUIVALENT.get(outcome.mistake, "**lives**")
    return f"| {outcome.file} | `{old}` | `{new}` | {killer} | {outcome.seconds:.0f} s |"


def shorten(text: str) -> str:
    """Source text on one line of a table."""
    line = " ".join(text.split()).replace("|", "\\|")
    return line if len(line) <= 70 else line[:67] + "..."


def outcomes(tree: Path, files: list[str], workers: int, fast: bool) -> Iterator[Outcome]:
    """Outcomes in order, as they come."""
    jobs = [(file, mistake) for file in files for mistake in MISTAKES[file]]
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda job: try_mistake(tree, *job, fast), jobs)


def report(tree: Path, files: list[str], workers: int, fast: bool) -> int:
    """Try all mistakes on a tree and print the table; how many live."""
    broken = broken_baseline(tree, files, fast)
    if broken:
        sys.stdout.write(f"fail without any mistake: {', '.join(broken)}\n")
        return len(broken)
    sys.stdout.write("| file | right | mistake | killed by | time |\n|---|---|---|---|---|\n")
    lives = killed = 0
    for outcome in outcomes(tree, files, workers, fast):
        lives += not outcome.killer and outcome.mistake not in EQUIVALENT
        killed += outcome.killer not in ("", "does not fit")
        sys.stdout.write(row(outcome) + "\n")
        sys.stdout.flush()
    sys.stdout.write(f"\n{killed} killed, {lives} live\n")
    return lives


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help=f"some of {', '.join(MISTAKES)}; default all")
    parser.add_argument("--workers", type=int, default=2, help="copies of the tree tested at a time")
    parser.add_argument("--fast", action="store_true", help="only the fast tests, without compiling")
    parser.add_argument("--check", action="store_true", help="run no tests")
    parser.add_argument("--coverage", action="store_true", help="make no mistakes")
    given = parser.parse_args(arguments)
    if given.coverage:
        return coverage()
    files = given.files or list(MISTAKES)
    stale = [(file, mistake[0]) for file in files for mistake in MISTAKES[file] if not fits(ROOT, file, mistake)]
    for file, text in stale:
        sys.stdout.write(f"{file}.py has not once: {shorten(text)}\n")
    if given.check:
        return int(bool(stale))
    with tempfile.TemporaryDirectory(
        prefix="mutations-"
    ) as name:  # the tree as it is now, whatever is edited meanwhile
        lives = report(copy_tree(ROOT, Path(name)), files, given.workers, given.fast)
    return int(bool(lives or stale))


if __name__ == "__main__":
    sys.exit(main())
