"""The stream of many shots: what it plays, and what counts as flat memory."""

import pytest

from bench import stream
from bench.stream import MOST_GROWTH, WARM, growth, main, resident_bytes


def test_memory_is_that_of_the_process():
    before = resident_bytes()
    block = bytearray(b"x") * (64 * 2**20)
    assert 60 * 2**20 < resident_bytes() - before < 80 * 2**20
    del block


def test_growth_is_over_the_warm_process():
    assert growth([10] * (WARM - 1) + [100, 103, 90]) == pytest.approx(0.03)


def test_a_short_run(capsys):
    assert main(["--shots", "1000", "--size", "100"]) in (0, 1)
    assert "1,000 shots of 2 balls in 10 chunks of 100: " in capsys.readouterr().out


@pytest.mark.parametrize(("grown", "status"), [(MOST_GROWTH + 0.01, 1), (MOST_GROWTH - 0.01, 0)])
def test_memory_that_grows_is_an_error(monkeypatch, capsys, grown, status):
    memory = [2**20] * WARM + [int(2**20 * (1.0 + grown))]
    monkeypatch.setattr(stream, "run", lambda *_: (1.0, memory))
    assert main([]) == status
    assert f"{grown:+.1%}" in capsys.readouterr().out


def test_too_few_chunks_are_refused(capsys):
    with pytest.raises(SystemExit):
        main(["--shots", "800", "--size", "100"])
    assert "expected more than 8 chunks of 100" in capsys.readouterr().err
