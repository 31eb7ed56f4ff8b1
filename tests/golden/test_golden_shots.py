"""Shots kept as text give the same bits as when they were written (DESIGN section 3.10)."""

import pytest

from simcore import Status
from simcore.replay import play_text
from tests.golden.shots import digest, here, lines, read

WRITTEN, SHOTS = read()


@pytest.mark.parametrize("row", range(len(SHOTS)), ids=lambda row: f"{row}-{SHOTS[row][0]}")
def test_checksum(row):
    kind, checksum, text = SHOTS[row]
    found = digest(play_text(text))
    assert found == checksum, (
        f"{kind}: {found} is not {checksum}. Checksums written on {WRITTEN}; this is {here()}. If the physics was "
        "meant to change, write them anew: python -m tests.golden.shots"
    )


def test_shots_are_varied():
    assert len(SHOTS) >= 40
    results = [play_text(text) for _, _, text in SHOTS]
    unseen = {Status.FIRST_POT, Status.NOT_FINITE, Status.NOT_SETTLED}
    assert {Status(int(r.status)) for r in results} == set(Status) - unseen
    assert sum(int((r.pocket >= 0).any()) for r in results) >= 8
    assert max(int(r.n_events) for r in results) > 200
    assert len({checksum for _, checksum, _ in SHOTS}) == len(SHOTS)


def test_the_file_is_what_the_script_writes():
    """The texts; libm may differ in the last bit of an angle elsewhere, so only their form is compared."""
    made = lines()
    assert [kind for kind, _ in made] == [kind for kind, _, _ in SHOTS]
    assert all(
        len(text.split(",")) == len(kept.split(",")) for (_, text), (_, _, kept) in zip(made, SHOTS, strict=True)
    )
