"""A match scored line by line, and kept in a file: what `snookersim score` does, from a terminal, a file or a pipe.

    session = rules.Session.start(Path("match.txt"), players=["Ann", "Bob"])
    said = session.enter("r")               # the referee's calls; the file is up to date

Besides the lines of a scorer (`rules.scoring.scorer`) it understands save and quit.

Not part of it: arguments and exit codes of the command.
"""

import importlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.records.calls import ENGLISH
from rules.records.text import read_records, write_records
from rules.scoring.scorer import Scorer
from simcore.files import same_file, writable_target

SAVE, QUIT = "save", "quit"
FILE_HELP = f"Files: {SAVE} FILE keeps the match there, line by line from then on; {QUIT} leaves it."
NOT_SAVED = f"! not saved: {SAVE} FILE keeps the match, {QUIT} again leaves it"


@dataclass
class Session:
    """A match that is being scored, and the file that it is kept in; build it with `start` or `resume`."""

    scorer: Scorer
    out: Path | None = None  # None: it is kept nowhere
    unsaved: bool = False
    is_warned: bool = False  # whether the last line was to quit, and something would be lost
    is_ended: bool = False
    stamp: tuple[int, int] | None = None  # of the file when it was read or written last

    @classmethod
    def start(cls, out: Path | str | None = None, **told: Any) -> "Session":
        """The session of a new match, kept in `out`; other arguments and errors as of `Scorer.start`."""
        return cls(Scorer.start(**told), None if out is None else _new_file(Path(out), None))

    @classmethod
    def resume(cls, record: Path | str, out: Path | str | None = None, language: str = ENGLISH) -> "Session":
        """The session that goes on with the match in a file of records, kept there or in `out`.

        Raises OSError and ValueError as `rules.read_records` and `Scorer.resume`, and ValueError for a file that holds
        something else.
        """
        record = Path(record)
        stamp = _stamp(record)
        scorer = Scorer.resume(read_records(record), language=language)
        return cls(scorer, record if out is None else _new_file(Path(out), record), stamp=stamp)

    def enter(self, text: str) -> list[str]:
        """What is said to a typed line; ValueError if it is refused, OSError if it cannot be saved: it is not kept."""
        word, _, name = text.strip().partition(" ")
        if text.strip().lower() == QUIT:
            return self._quit()
        self.is_warned = False
        if word.lower() == SAVE:
            return self._save_as(name.strip())
        scorer, said = self.scorer.enter(text)
        if scorer is not self.scorer:  # a line that cannot be saved is not taken either
            self._keep(scorer, self.out)
        return [*said, FILE_HELP] if word.lower() == "help" else said

    def _keep(self, scorer: Scorer, out: Path | None) -> None:
        """Go on with another moment of the match, once it is saved in `out`."""
        if out is not None:
            if out == self.out and _stamp(out) not in (None, self.stamp):
                raise ValueError(f"{out} was changed by something else: {SAVE} FILE keeps the match in another")
            write_records(out, scorer.records)
            self.stamp = _stamp(out)
        self.scorer, self.out, self.unsaved = scorer, out, out is None

    def where_kept(self) -> str:
        """Where the match is to be found, "" if there is nothing to find."""
        if self.unsaved:
            return "the match was not saved"
        return "" if self.out is None else f"the match is in {self.out}"

    def run_lines(self, lines: Iterable[str], show: Callable[[str], object], source: str = "") -> str:
        """Enter line by line, each shown with what is said to it; returns what was refused, "" if nothing was.

        source: what the number of a refused line is said to be of. Raises OSError if the match cannot be saved.
        """
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text.lower() == QUIT:
                break
            try:
                said = self.enter(text)
            except ValueError as error:
                return f"{source}line {number}: {error}"
            if text:
                show("\n".join((f"> {text}", *said)))
        return ""

    def converse(self, show: Callable[[str], object], reason: Callable[[Exception], str]) -> None:
        """Ask for lines on the terminal until the scorer quits; EOFError and KeyboardInterrupt end it too.

        reason: an error in one line.
        """
        with suppress(ImportError):
            importlib.import_module("readline")  # line editing and history for input()
        show("help tells what may be typed")
        while not self.is_ended:
            text = input(self.scorer.prompt)
            try:
                said = self.enter(text)
            except (ValueError, OSError) as error:
                said = [f"! {reason(error)}"]
            for line in said:
                show(line)

    def _quit(self) -> list[str]:
        """Leave, unless something would be lost of which nobody was warned yet."""
        self.is_ended = self.is_warned or not self.unsaved
        self.is_warned = not self.is_ended
        return [] if self.is_ended else [NOT_SAVED]

    def _save_as(self, name: str) -> list[str]:
        if not (name or self.out):
            raise ValueError(f"{SAVE}: expected the name of a file, such as {SAVE} match.txt")
        self._keep(self.scorer, _new_file(Path(name), self.out) if name else self.out)
        return [f"saved in {self.out}; every line is, from now on"]


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file is written: its time and size; None for one that is not there, or empty."""
    found = path.stat() if path.exists() else None
    return (found.st_mtime_ns, found.st_size) if found and found.st_size else None


def is_record(text: str) -> bool:
    """Whether a text is a record rather than lines to type: only a record has tags."""
    return any(line.lstrip().startswith("[") for line in text.splitlines())


def _new_file(path: Path, own: Path | None) -> Path:
    """The path, unless another match may be kept there."""
    writable_target(path)
    if path.exists() and path.stat().st_size and not (own and same_file(path, own)):
        raise ValueError(f"{path}: there is such a file; go on with a match by snookersim score {path}")
    return path
