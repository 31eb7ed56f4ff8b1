"""Time `simcore.simulate` on one seeded workload, after checking what it answers.

Workload: 512 strikes at 1 to 6 m/s in all directions with side and screw, into one layout of 16 balls scattered over
the whole bed. Compilation is not timed.
"""

import numpy as np
import pytest

import simcore

N_SHOTS, N_BALLS, SEED = 512, 16, 20


def scattered(table: simcore.Table, rng: np.random.Generator) -> np.ndarray:
    """Ball centres that keep clear of each other, of the cushions and of the pockets, m (N_BALLS, 2)."""
    margin, apart = 0.1, 0.06
    placed: list[np.ndarray] = []
    while len(placed) < N_BALLS:
        point = rng.uniform((margin, margin), (table.width - margin, table.length - margin))
        if all(np.linalg.norm(point - other) > apart for other in placed):
            placed.append(point)
    return np.array(placed)


@pytest.fixture(scope="module")
def workload():
    rng = np.random.default_rng(SEED)
    table = simcore.Table.snooker()
    positions = scattered(table, rng)
    spin = rng.uniform(-0.35, 0.35, (2, N_SHOTS))
    shots = simcore.Shots(
        V0=rng.uniform(1.0, 6.0, N_SHOTS), phi=rng.uniform(0.0, 2 * np.pi, N_SHOTS), a=spin[0], b=spin[1]
    )
    return positions, shots, table


def check_answer(results: simcore.ShotResults, positions: np.ndarray, table: simcore.Table) -> None:
    """Every shot ends at rest, every ball is on the bed or in a pocket, and the shots did something."""
    results.check()
    on_bed = results.pocket < 0
    assert np.array_equal(np.isfinite(results.positions).all(axis=-1), on_bed)
    x, y = results.positions[on_bed].T
    assert ((x > 0) & (x < table.width) & (y > 0) & (y < table.length)).mean() > 0.999  # a few rest between jaws
    assert (results.positions[:, 0] != positions[0]).any(axis=-1).all()
    assert (~on_bed).any()


def test_simulate_512_shots(benchmark, workload):
    positions, shots, table = workload
    results = simcore.simulate(positions, shots, table=table)
    check_answer(results, positions, table)
    single = simcore.simulate(positions, shots, table=table, threads=1)
    assert np.array_equal(results.positions, single.positions, equal_nan=True)

    benchmark(simcore.simulate, positions, shots, table=table)
    if benchmark.stats is not None:  # None where timing is switched off
        benchmark.extra_info["shots_per_s"] = N_SHOTS / benchmark.stats.stats.min
    benchmark.extra_info["events_per_shot"] = float(results.n_events.mean())
