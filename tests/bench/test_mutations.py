"""The mutation check itself: its mistakes fit the sources, and every kernel file has its share."""

from bench.mutations import COMPILED_AT_ONCE, EQUIVALENT, FIRST, MISTAKES, ROOT, fits, main
from simcore.kernel.jit import KERNEL_FOLDER


def test_every_mistake_fits_the_sources(capsys):
    assert main(["--check"]) == 0
    assert capsys.readouterr().out == ""
    assert not fits(ROOT, "jit", ("no such text", ""))


def test_every_kernel_file_has_at_least_five_mistakes():
    files = {path.stem for path in KERNEL_FOLDER.glob("*.py")} - {"__init__"}
    assert set(MISTAKES) == set(FIRST) == files >= COMPILED_AT_ONCE
    assert all(len(set(mistakes)) == len(mistakes) >= 5 for mistakes in MISTAKES.values())


def test_only_known_mistakes_are_excused():
    assert set(EQUIVALENT) <= {mistake for mistakes in MISTAKES.values() for mistake in mistakes}
