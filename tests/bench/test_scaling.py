"""The measurement of what a second thread brings."""

import numpy as np

from bench import scaling


def test_a_batch_repeats_a_workload(monkeypatch):
    monkeypatch.setattr(scaling, "SHOTS", 70)
    scaling.batch.cache_clear()
    made = scaling.batch("break")
    scaling.batch.cache_clear()
    assert len(made.shots) == 70
    np.testing.assert_array_equal(made.shots.V0[64:], made.shots.V0[:6])
    np.testing.assert_array_equal(made.positions[64:], made.positions[:6])


def test_ratios_are_medians_and_processes_add_up(monkeypatch):
    found = {1: iter([10.0, 10.0, 10.0]), 2: iter([19.0, 2.0, 18.0])}
    monkeypatch.setattr(scaling, "shots_from", lambda name, threads, start: next(found[threads]))

    class Done:
        def result(self):
            return 9.5

    class Pool:
        def submit(self, *_):
            return Done()

    assert scaling.measure("8 balls", Pool(), 3) == (1.8, 1.9)
