"""The main job: 400 candidates under noise, every shot refereed; the answer is checked before the clock starts."""

import numpy as np
import pytest

import rules
from simcore import Noise

CANDIDATES, SAMPLES = 400, 50


@pytest.mark.benchmark(group="evaluate", min_rounds=3)
def test_evaluate_mid_frame(benchmark):
    """20,000 refereed shots: `evaluate mid_frame --candidates 400 --samples 50 --noise pro`."""
    frame, noise = rules.Frame.named("mid_frame"), Noise.preset("pro")
    candidates = rules.generate_candidates(frame, CANDIDATES, seed=1)
    ranking = rules.evaluate(frame, candidates, noise=noise, samples=SAMPLES, seed=1)
    assert not ranking.unfinished.any()
    assert ranking.points.max() > 1.0
    assert np.isfinite(ranking.value).all()
    again = benchmark(rules.evaluate, frame, candidates, noise=noise, samples=SAMPLES, seed=1)
    assert again.value.tobytes() == ranking.value.tobytes()
