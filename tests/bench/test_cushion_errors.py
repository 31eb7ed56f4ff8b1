"""The error table of the cushion impact: the few steps are nowhere worse than the published scheme where it counts."""

import pytest

from bench.cushion_errors import CONVERGED, PUBLISHED, SHIPPED, R, after_impact, errors, families, table, time_ns

FAMILIES = families(2000, seed=3)


@pytest.fixture(scope="module")
def both():
    """Errors of the shipped and of the published model, by family."""
    exact = {name: after_impact(z, CONVERGED) for name, z in FAMILIES.items()}
    return {
        name: [errors(after_impact(z, p), exact[name]) for p in (SHIPPED, PUBLISHED)] for name, z in FAMILIES.items()
    }


@pytest.mark.parametrize("name", [n for n in FAMILIES if n not in ("glancing", "square, without side")])
def test_high_errors_are_no_greater_than_with_20_published_steps(both, name):
    """99th percentile and greatest error of v and R omega. (In the two left out 99 in 100 are below 3e-5 in both.)"""
    ours, theirs = both[name]
    assert ours.most <= theirs.most
    assert ours.greatest <= theirs.greatest


@pytest.mark.parametrize("name", FAMILIES)
def test_errors_in_all_directions(both, name):
    """Bounds for every family: a median of the velocity's error well under production's 1e-3, and no far outlier."""
    ours, _ = both[name]
    assert ours.median <= 5e-4
    assert ours.most <= 3.5e-3
    assert ours.greatest <= 9e-3
    assert ours.v_median <= 2.5e-4
    assert ours.v_most <= 1.5e-3


def test_motions_have_length_one_and_approach():
    for z in FAMILIES.values():
        assert (z[:, 1] > 0.0).all()
        assert (abs((z * z).sum(axis=1) - 1.0) < 1e-12).all()
    assert R == SHIPPED.R


def test_shipped_model_is_at_least_twice_as_fast():
    """It is 5 times; a shared machine and a slow day leave half of that standing."""
    ours, published = time_ns(FAMILIES["any direction"])
    assert published >= 2.0 * ours


def test_table_has_a_line_for_each_family():
    lines = table(500, 1)
    assert len(lines) == 2 + len(FAMILIES)
    assert all(line.count("|") == lines[0].count("|") for line in lines)
