"""One instant of contacts: gather all that happen now, resolve them together, look again (physics.md section 6).

Contacts whose times agree within T_SAME are one instant. In one pass, the ball-ball contacts of each connected
cluster get joint normal impulses J >= 0 (damped projected Jacobi from J = 0), then friction from the slips after
them; then noses and jaws act, averaged over both orders where a ball meets two. Touching contacts that are not
closing stay out, so a blow runs down a frozen line as a wavefront over the passes. Contacts are summed in the order
of their midpoints: numbers of balls do not matter.
Not modelled: the finite time of an impact (Hertz contact).
"""

import math
from typing import Any

from simcore.kernel.ball_ball import (
    add_motion,
    add_normal_impulse,
    closing_speed,
    friction_change,
    friction_impulse,
    inverse_mass,
    resolve_ball_ball,
    slip,
    touching_distance,
)
from simcore.kernel.contacts import in_zone, path_box, relative_motion, seen_from, time_to_jaw, time_to_nose
from simcore.kernel.cushion import resolve_cushion
from simcore.kernel.jit import kernel
from simcore.kernel.motion import advance, get_motion, mark_touched, set_motion
from simcore.kernel.roots import gap_and_rate, hop_speed
from simcore.kernel.tolerances import IMPULSE_ERROR, IMPULSE_STEPS, T_SAME
from simcore.kernel.types import (
    AFTER,
    BEFORE,
    C_FT,
    C_FU,
    C_GAP,
    C_IMPULSE,
    C_NEED,
    C_NX,
    C_NY,
    C_T,
    C_TARGET,
    C_X,
    C_Y,
    CONTACT_FIELDS,
    CONTACTS,
    CUSHIONS,
    DEGREE,
    DUE_BALL,
    DUE_COUNT,
    EVENTS,
    FIRST,
    GROUP,
    HAS_CONTACT,
    INSTANT,
    JAW,
    JAW_RADIUS,
    JAW_X,
    JAW_Y,
    JX,
    JY,
    K_GAP,
    K_HOP,
    K_NX,
    K_NY,
    K_T,
    MASS,
    MOVED_BY,
    MOVED_T,
    NOSE,
    NOSE_NX,
    NOSE_NY,
    NOSE_X,
    NOSE_Y,
    NOW,
    OWN_KIND,
    OWN_T,
    PUSH,
    RADIUS,
    REACH,
    TOUCHED,
    UNSETTLED,
    VX,
    VY,
    BallMotion,
    PairContact,
    TableGeometry,
    Workspace,
    X,
    Y,
)


@kernel
def touch(w: Workspace, i: int, now: float, alpha: float) -> None:
    """Bring ball `i` to `now` once, and mark it."""
    if not w.mark[TOUCHED, i]:
        advance(w, i, now, alpha)
        mark_touched(w, i)


@kernel
def on_cushion(w: Workspace, i: int, limit: float) -> bool:
    """Whether ball `i` meets a nose or jaw up to `limit`."""
    kind = w.mark[OWN_KIND, i]
    return w.ball[OWN_T, i] <= limit and kind in (NOSE, JAW)


@kernel
def pair_contact(w: Workspace, c: int) -> PairContact:
    """The contact in column `c`."""
    i, j = w.contact_ball[0, c], w.contact_ball[1, c]
    b = w.ball
    return PairContact(w.contact[C_NX, c], w.contact[C_NY, c], b[RADIUS, i], b[RADIUS, j], b[MASS, i], b[MASS, j])


@kernel
def add_contact(w: Workspace, i: int, j: int, now: float, e: float) -> None:
    """Append the contact of balls `i` and `j`, both already brought to `now`."""
    b, c = w.ball, w.tally[CONTACTS]
    r = relative_motion(b, i, j, now)
    distance = touching_distance(b[RADIUS, i], b[RADIUS, j])
    _, rate, acceleration = gap_and_rate(r, distance, 0.0)
    apart = math.sqrt(r.x * r.x + r.y * r.y)
    target = max(e * max(-rate, 0.0), hop_speed(acceleration))
    w.contact[C_T, c] = w.pair[i, j]
    w.contact[C_GAP, c] = gap_and_rate(r, distance, max(w.pair[i, j] - now, 0.0))[0]
    w.contact[C_X, c], w.contact[C_Y, c] = b[X, i] + b[X, j], b[Y, i] + b[Y, j]
    w.contact[C_NX, c], w.contact[C_NY, c] = r.x / apart, r.y / apart
    w.contact[C_TARGET, c], w.contact[C_IMPULSE, c] = target, 0.0
    w.contact_ball[0, c], w.contact_ball[1, c] = i, j
    w.tally[CONTACTS] = c + 1


@kernel
def sort_contacts(w: Workspace) -> None:
    """Order the contacts by their midpoints (insertion sort: there are few)."""
    contact, balls = w.contact, w.contact_ball
    for last in range(1, w.tally[CONTACTS]):
        c = last
        while c > 0 and (
            contact[C_X, c] < contact[C_X, c - 1]
            or (contact[C_X, c] == contact[C_X, c - 1] and contact[C_Y, c] < contact[C_Y, c - 1])
        ):
            for f in range(CONTACT_FIELDS):
                contact[f, c], contact[f, c - 1] = contact[f, c - 1], contact[f, c]
            for f in range(2):
                balls[f, c], balls[f, c - 1] = balls[f, c - 1], balls[f, c]
            c -= 1


@kernel
def gather_contacts(w: Workspace, limit: float, e: float, alpha: float) -> None:
    """Collect the ball-ball contacts up to `limit`."""
    now, due, n = w.clock[NOW], w.mark[DUE_BALL], w.tally[DUE_COUNT]
    for k in range(n):
        i = due[k]
        for m in range(k + 1, n):
            j = due[m]
            if w.pair[i, j] <= limit and w.tally[CONTACTS] < w.contact.shape[1]:
                touch(w, i, now, alpha)
                touch(w, j, now, alpha)
                add_contact(w, i, j, now, e)
    sort_contacts(w)


@kernel
def add_cushion(w: Workspace, i: int, kind: int, index: int, s: float, table: TableGeometry) -> None:
    """Append ball `i`'s contact with a nose or jaw, `s` seconds from now."""
    k = w.tally[CUSHIONS]
    if kind == NOSE:
        r = seen_from(w.ball, i, table.nose[NOSE_X, index], table.nose[NOSE_Y, index])
        nx, ny = table.nose[NOSE_NX, index], table.nose[NOSE_NY, index]
        gap = nx * (r.x + s * (r.vx + s * r.ax)) + ny * (r.y + s * (r.vy + s * r.ay)) - w.ball[REACH, i]
        bend = 2.0 * (nx * r.ax + ny * r.ay)
    else:
        r = seen_from(w.ball, i, table.jaw[JAW_X, index], table.jaw[JAW_Y, index])
        apart = math.sqrt(r.x * r.x + r.y * r.y)
        nx, ny = r.x / apart, r.y / apart
        gap, _, bend = gap_and_rate(r, table.jaw[JAW_RADIUS, index] + w.ball[REACH, i], s)
    w.cushion[K_T, k], w.cushion[K_GAP, k] = w.clock[NOW] + s, gap
    w.cushion[K_NX, k], w.cushion[K_NY, k] = nx, ny
    w.cushion[K_HOP, k] = hop_speed(bend)
    w.cushion_what[0, k], w.cushion_what[1, k], w.cushion_what[2, k] = i, kind, index
    w.tally[CUSHIONS] = k + 1


@kernel
def gather_cushions(w: Workspace, limit: float, table: TableGeometry, alpha: float) -> None:
    """Collect up to two nose and jaw contacts of each ball that meets one up to `limit`."""
    now = w.clock[NOW]
    for d in range(w.tally[DUE_COUNT]):
        i = w.mark[DUE_BALL, d]
        if not on_cushion(w, i, limit):
            continue
        touch(w, i, now, alpha)
        full = w.tally[CUSHIONS] + 2
        for index in range(table.nose.shape[1]):
            s = time_to_nose(w.ball, i, table, index, T_SAME)
            if now + s <= limit and w.tally[CUSHIONS] < full:
                add_cushion(w, i, NOSE, index, s, table)
        box = path_box(w.ball, i, T_SAME)
        for index in range(table.jaw.shape[1]):
            if in_zone(box, w.ball[REACH, i], table, table.jaw_pocket[index]):
                s = time_to_jaw(w.ball, i, table, index)
                if now + s <= limit and w.tally[CUSHIONS] < full:
                    add_cushion(w, i, JAW, index, s, table)


@kernel
def label_groups(w: Workspace) -> None:
    """Give the balls of each connected cluster of contacts the same label, and count the contacts of each ball."""
    mark, balls, n = w.mark, w.contact_ball, w.tally[CONTACTS]
    for i in range(w.pair.shape[0]):
        mark[GROUP, i], mark[DEGREE, i] = i, 0
    for c in range(n):
        mark[DEGREE, balls[0, c]] += 1
        mark[DEGREE, balls[1, c]] += 1
    changed = True
    while changed:
        changed = False
        for c in range(n):
            i, j = balls[0, c], balls[1, c]
            least = min(mark[GROUP, i], mark[GROUP, j])
            if mark[GROUP, i] != least or mark[GROUP, j] != least:
                mark[GROUP, i], mark[GROUP, j] = least, least
                changed = True


@kernel
def spread_impulses(w: Workspace, group: int) -> None:
    """What a cluster's present normal impulses change in its balls' plan velocities."""
    b = w.ball
    for i in range(w.pair.shape[0]):
        b[JX, i], b[JY, i] = 0.0, 0.0
    for c in range(w.tally[CONTACTS]):
        i, j = w.contact_ball[0, c], w.contact_ball[1, c]
        if w.mark[GROUP, i] == group:
            push = w.contact[C_IMPULSE, c]
            b[JX, i] -= push / b[MASS, i] * w.contact[C_NX, c]
            b[JY, i] -= push / b[MASS, i] * w.contact[C_NY, c]
            b[JX, j] += push / b[MASS, j] * w.contact[C_NX, c]
            b[JY, j] += push / b[MASS, j] * w.contact[C_NY, c]


@kernel
def sweep(w: Workspace, group: int, damping: float) -> tuple[float, float]:
    """One Jacobi sweep over a cluster's normal impulses: greatest change made, and greatest impulse wanted, N s.

    Speeds are changes of the closing speed: of whole velocities of balls that move together, rounding alone would
    stay above the least change asked for.
    """
    b, most, wanted = w.ball, 0.0, 0.0
    for c in range(w.tally[CONTACTS]):
        i, j = w.contact_ball[0, c], w.contact_ball[1, c]
        if w.mark[GROUP, i] == group:
            nx, ny = w.contact[C_NX, c], w.contact[C_NY, c]
            gained = (b[JX, i] - b[JX, j]) * nx + (b[JY, i] - b[JY, j]) * ny
            step = (w.contact[C_NEED, c] + gained) / inverse_mass(pair_contact(w, c))
            before = w.contact[C_IMPULSE, c]
            after = max(0.0, before + damping * step)
            w.contact[C_IMPULSE, c] = after
            most, wanted = max(most, abs(after - before)), max(wanted, step)
    return most, wanted


@kernel
def joint_impulses(w: Workspace, group: int) -> None:
    """Find the normal impulses J >= 0 of a cluster that leave every contact parting at its target or faster."""
    busiest = 2
    for c in range(w.tally[CONTACTS]):
        i, j = w.contact_ball[0, c], w.contact_ball[1, c]
        if w.mark[GROUP, i] == group:
            closing = closing_speed(get_motion(w, i), get_motion(w, j), pair_contact(w, c))
            w.contact[C_NEED, c] = closing + w.contact[C_TARGET, c]
            busiest = max(busiest, w.mark[DEGREE, i] + w.mark[DEGREE, j])
    spread_impulses(w, group)
    most, scale = sweep(w, group, 2.0 / busiest)
    for _ in range(IMPULSE_STEPS):
        if most <= IMPULSE_ERROR * scale:
            break
        spread_impulses(w, group)
        most = sweep(w, group, 2.0 / busiest)[0]
    if not most <= IMPULSE_ERROR * scale:
        w.tally[UNSETTLED] += 1
    spread_impulses(w, group)


@kernel
def resolve_cluster(w: Workspace, group: int, physics: Any) -> None:
    """Joint normal impulses of a cluster, then friction of all its contacts from the slips after them."""
    b, mark, contact = w.ball, w.mark, w.contact
    joint_impulses(w, group)
    for i in range(w.pair.shape[0]):
        if mark[GROUP, i] == group and mark[DEGREE, i] > 0:
            b[VX, i] += b[JX, i]
            b[VY, i] += b[JY, i]
    for c in range(w.tally[CONTACTS]):
        i, j = w.contact_ball[0, c], w.contact_ball[1, c]
        if mark[GROUP, i] == group:
            p = pair_contact(w, c)
            tu = slip(get_motion(w, i), get_motion(w, j), p)
            di, dj = float(mark[DEGREE, i]), float(mark[DEGREE, j])
            contact[C_FT, c], contact[C_FU, c] = friction_impulse(tu, contact[C_IMPULSE, c], p, di, dj, physics)
    for c in range(w.tally[CONTACTS]):
        i, j = w.contact_ball[0, c], w.contact_ball[1, c]
        if mark[GROUP, i] == group:
            p, tu = pair_contact(w, c), (contact[C_FT, c], contact[C_FU, c])
            set_motion(w, i, add_motion(get_motion(w, i), friction_change(tu, p, p.m1, p.r1, 1.0)))
            set_motion(w, j, add_motion(get_motion(w, j), friction_change(tu, p, p.m2, p.r2, -1.0)))


@kernel
def resolve_single(w: Workspace, c: int, physics: Any) -> None:
    """The closed form for a contact that shares no ball with another."""
    i, j, p = w.contact_ball[0, c], w.contact_ball[1, c], pair_contact(w, c)
    before, other = get_motion(w, i), get_motion(w, j)
    target = w.contact[C_TARGET, c]
    w.contact[C_IMPULSE, c] = max(0.0, (closing_speed(before, other, p) + target) / inverse_mass(p))
    after_i, after_j = resolve_ball_ball(before, other, p, target, physics)
    set_motion(w, i, after_i)
    set_motion(w, j, after_j)


@kernel
def resolve_contacts(w: Workspace, physics: Any) -> None:
    """Resolve all gathered ball-ball contacts, cluster by cluster."""
    n = w.tally[CONTACTS]
    if n == 1:
        resolve_single(w, 0, physics)
        return
    label_groups(w)
    for c in range(n):
        i, j = w.contact_ball[0, c], w.contact_ball[1, c]
        if w.mark[DEGREE, i] == 1 and w.mark[DEGREE, j] == 1:
            resolve_single(w, c, physics)
    for group in range(w.pair.shape[0]):
        if w.mark[GROUP, group] == group and w.mark[DEGREE, group] > 0:
            cluster = False
            for c in range(n):
                i, j = w.contact_ball[0, c], w.contact_ball[1, c]
                cluster = cluster or (w.mark[GROUP, i] == group and w.mark[DEGREE, i] + w.mark[DEGREE, j] > 2)
            if cluster:
                resolve_cluster(w, group, physics)


@kernel
def note_contacts(w: Workspace) -> None:
    """Facts of a pass: the cue ball's first contact, and what first moved each ball (the hardest push)."""
    b, mark, now = w.ball, w.mark, w.clock[NOW]
    first = w.tally[HAS_CONTACT] == 0
    for i in range(w.pair.shape[0]):
        b[PUSH, i] = 0.0
    for c in range(w.tally[CONTACTS]):
        i, j, push = w.contact_ball[0, c], w.contact_ball[1, c], w.contact[C_IMPULSE, c]
        if i == 0 and first:
            mark[FIRST, j] = 1
            w.tally[HAS_CONTACT] = 1
        for k, other in ((i, j), (j, i)):
            if push > b[PUSH, k] and (mark[MOVED_BY, k] < 0 or (b[MOVED_T, k] == now and mark[MOVED_BY, k] != k)):
                b[PUSH, k], b[MOVED_T, k], mark[MOVED_BY, k] = push, now, other


@kernel
def bounce(w: Workspace, k: int, m: BallMotion, physics: Any) -> BallMotion:
    """Motion of a ball after cushion contact `k`; at least its hop if it no longer closes, or not yet."""
    i = w.cushion_what[0, k]
    nx, ny, hop = w.cushion[K_NX, k], w.cushion[K_NY, k], w.cushion[K_HOP, k]
    closing = -(m.vx * nx + m.vy * ny)
    if closing > 0.0:
        m = resolve_cushion(m, -nx, -ny, w.ball[RADIUS, i], physics)
    return add_normal_impulse(m, nx, ny, max(0.0, hop - (m.vx * nx + m.vy * ny)))


@kernel
def mean_motion(p: BallMotion, q: BallMotion) -> BallMotion:
    """The mean of two motions."""
    return BallMotion(
        0.5 * (p.vx + q.vx), 0.5 * (p.vy + q.vy), 0.5 * (p.wx + q.wx), 0.5 * (p.wy + q.wy), 0.5 * (p.wz + q.wz)
    )


@kernel
def resolve_cushions(w: Workspace, physics: Any) -> None:
    """Noses and jaws after the balls; a ball on two at once gets the mean of both orders (kinetic energy is convex)."""
    n, k = w.tally[CUSHIONS], 0
    while k < n:
        i = w.cushion_what[0, k]
        met = 2 if k + 1 < n and w.cushion_what[0, k + 1] == i else 1
        m = other = get_motion(w, i)
        for order in range(met):
            other, m = m, get_motion(w, i)
            for turn in range(met):  # one call of `bounce` in the source, for its code is long
                m = bounce(w, k + (order + turn) % met, m, physics)
        set_motion(w, i, mean_motion(m, other) if met == 2 else m)
        k += met


@kernel
def note_cushions(w: Workspace) -> None:
    """Facts of a pass: cushion contacts of each ball, before or from the cue ball's first contact on."""
    row = AFTER if w.tally[HAS_CONTACT] else BEFORE
    for k in range(w.tally[CUSHIONS]):
        w.mark[row, w.cushion_what[0, k]] += 1


@kernel
def resolve_instant(w: Workspace, t: float, table: TableGeometry, physics: Any) -> None:
    """One pass over the contacts of the instant at time `t` (or of the instant that is being resolved already)."""
    if not t <= w.clock[INSTANT] + T_SAME:
        w.clock[INSTANT] = t
    w.clock[NOW] = max(w.clock[NOW], w.clock[INSTANT])
    limit = w.clock[INSTANT] + T_SAME
    gather_contacts(w, limit, physics.e_ball, physics.alpha_spin)
    gather_cushions(w, limit, table, physics.alpha_spin)
    if w.tally[CONTACTS] > 0:
        resolve_contacts(w, physics)
        note_contacts(w)
    if w.tally[CUSHIONS] > 0:
        resolve_cushions(w, physics)
        note_cushions(w)
    w.tally[EVENTS] += w.tally[CONTACTS] + w.tally[CUSHIONS]
