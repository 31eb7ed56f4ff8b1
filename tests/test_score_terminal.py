"""`snookersim score`: on a real terminal, from files and pipes; what is typed is kept whatever happens."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rules
from simcore.__main__ import app

ROOT = Path(__file__).parent.parent
START_S = 300.0  # longest wait for a first run that compiles
NO_ANSWER_S = 20.0  # after which a person presses a key again
ANN_AND_BOB = ("--players", "Ann; Bob")
ON_A_TERMINAL = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C becomes an interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the caller ignores interrupts
from simcore.__main__ import main
main()
"""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A run of `snookersim score` on a terminal of its own, which we hold the other end of."""

    def __init__(self, *arguments):
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_A_TERMINAL, "score", *map(str, arguments)],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", "INPUTRC": os.devnull},
        )
        os.close(theirs)
        self.unread = ""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        os.close(self.ours)
        self.process.kill()
        self.process.wait()

    def until(self, *words):
        """What is shown until all the words were, one after the other; what follows is left for the next call."""
        shown, deadline = "", time.monotonic() + START_S
        for word in words:
            while word not in self.unread:
                assert self.more(deadline), f"no {word!r} after {shown + self.unread!r}"
            before, found, self.unread = self.unread.partition(word)
            shown += before + found
        return shown

    def more(self, deadline):
        """Read on; False when the other end is closed or the time is over."""
        if not select.select([self.ours], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self.ours, 4096)
        except OSError:  # closed
            return False
        text = data.decode("utf-8", "replace")
        self.unread = ESCAPES.sub("", self.unread + text.replace("\r", ""))
        return bool(data)

    def type(self, line, *words):
        """Type a line and wait for words in the answer."""
        os.write(self.ours, line.encode() + b"\n")
        return self.until(*words)

    def press(self, key):
        """Press one key."""
        os.write(self.ours, key)

    def interrupt(self):
        """Press Ctrl-C, as a person does: once more if nothing happens.

        CPython's readline heeds a signal only while it waits for a key; one that comes while it takes a key waits for
        the next.
        """
        self.press(b"\x03")
        while not select.select([self.ours], [], [], NO_ANSWER_S)[0]:
            self.press(b"\x03")

    def ends(self, *words):
        """The exit code, after the last words."""
        self.until(*words)
        while self.more(time.monotonic() + START_S):
            pass
        return self.process.wait(START_S)


def test_a_match_is_typed_on_a_terminal(tmp_path):
    kept = tmp_path / "match.txt"
    with Terminal(*ANN_AND_BOB, "--best-of", 3, "--out", kept) as terminal:
        terminal.until("help tells what may be typed", "Ann> ")
        terminal.type("r", "first red; pot red", "Ann: Red, break 1.", "Ann 1 – Bob 0", "Ann> ")
        terminal.type("bk", "Black, break 8.", "Ann 8 – Bob 0", "Ann> ")
        terminal.type("rd", "! 'rd' is not known", "Ann> ")
        terminal.type("-; pot pink", "Foul, 6 points", "Ann 8 – Bob 6. Bob: play, again?", "Bob?> ")
        assert "observed" not in kept.read_text()
        terminal.type(
            "undo", "undone: -; pot pink (Ann: Foul, 6 points", "Ann 8 – Bob 0. Ann: red on, break 8", "Ann> "
        )
        terminal.type("foul full snookered", "Foul and a miss, 4 points", "play, free, again, back?", "Bob?> ")
        terminal.type("free gr", "Bob takes the free ball.", "Green, break 1.", "Bob> ")
        terminal.type("concede", "Frame to Ann, 8–5.", "Frames 1–0.", "Frame 2: Bob to break off.", "Bob> ")
        terminal.type("help", "Commands:", "Bob> ")
        assert len(rules.read_records(kept)[0].entries) == 6
        terminal.type("quit")
        assert terminal.ends() == 0
    match = rules.match_of(rules.read_records(kept))
    assert (match.standing.frames, match.results[0].scores) == ((1, 0), (8, 5))


def test_an_interrupt_loses_nothing_and_the_file_goes_on(tmp_path):
    kept = tmp_path / "match.txt"
    with Terminal(*ANN_AND_BOB, "--out", kept) as terminal:
        terminal.until("Ann> ")
        terminal.type("r", "break 1.", "Ann> ")
        terminal.press(b"bk")  # a line that is not finished
        terminal.until("bk")
        terminal.interrupt()
        assert terminal.ends(f"the match is in {kept}", "snookersim: interrupted") == 130
    with Terminal(kept) as terminal:
        terminal.until("Ann: 1, 1 ahead", "Ann> ")
        terminal.type("bk", "Ann 8 – Bob 0", "Ann> ")
        terminal.type("undo", "undone: bk", "Ann> ")
        terminal.type("undo", "undone: first red 1; pot red 1", "Ann> ")
        terminal.type("redo", "Ann 1 – Bob 0", "Ann> ")
        terminal.press(b"\x04")
        assert terminal.ends(f"the match is in {kept}") == 0
    assert rules.match_of(rules.read_records(kept)).frame.scores == (1, 0)


def test_a_match_kept_nowhere_is_not_left_by_mistake(tmp_path):
    other, kept = tmp_path / "other.txt", tmp_path / "kept.txt"
    other.write_text("old")
    with Terminal() as terminal:
        terminal.until("A> ")
        terminal.type("r", "break 1.", "A> ")
        terminal.type("quit", "! not saved: save FILE keeps the match", "A> ")
        terminal.type("save", "! save: expected the name of a file", "A> ")
        terminal.type(f"save {other}", "! ", "there is such a file", "A> ")
        terminal.type("save /nowhere/a.txt", "! cannot write /nowhere/a.txt", "A> ")
        terminal.type(f"save {kept}", f"saved in {kept}", "A> ")
        terminal.type("bk", "A 8 – B 0", "A> ")
        terminal.press(b"\x04")
        assert terminal.ends(f"the match is in {kept}") == 0
    assert other.read_text() == "old"
    assert rules.match_of(rules.read_records(kept)).frame.scores == (8, 0)


# --- files and pipes -------------------------------------------------------------------------------------------------


def run(*arguments, typed=None):
    return CliRunner().invoke(app, ["score", *map(str, arguments)], input=typed)


LINES = "# Club night\nr\nbk\n\nfoul bl\nconcede\n"


def test_lines_of_a_file_and_of_a_pipe_are_scored_alike(tmp_path):
    path, kept = tmp_path / "lines.txt", tmp_path / "kept.txt"
    path.write_text(LINES)
    from_file = run(path, *ANN_AND_BOB, "--out", kept)
    assert from_file.exit_code == 0, from_file.output
    assert from_file.stdout == run(*ANN_AND_BOB, typed=LINES).stdout
    assert from_file.stdout.splitlines()[:8] == [
        "Frame 1, best of 1, frames 0–0",
        "  Ann: 0, level, 147 available",
        "  Bob: 0, level, 147 available",
        "Ann: red on, break 0, 147 left.",
        "> # Club night",
        "> r",
        "  first red; pot red",
        "Ann: Red, break 1.",
    ]
    assert from_file.stdout.splitlines()[-3:] == [
        "Frames 1–0. Ann wins the match.",
        "Points of the frames, Ann – Bob: 8–5",
        "Highest breaks: Ann 8, Bob 0",
    ]
    (record,) = rules.read_records(kept)
    assert record.entries[0].comments == ("Club night",)
    replayed = CliRunner().invoke(app, ["replay", str(kept)])
    assert "Ann wins the match." in replayed.stdout


def test_four_who_are_no_pairs_are_told_so():
    four = ("--players", "Al; Bo; Cy; Di")
    assert "Each for himself; --pairs for pairs." in run(*four, typed="").stdout
    for arguments in ((*four, "--pairs"), ANN_AND_BOB):
        assert "--pairs" not in run(*arguments, typed="").stdout


def test_a_handicap_is_kept_and_replayed(tmp_path):
    kept = tmp_path / "match.txt"
    result = run(*ANN_AND_BOB, "--best-of", 3, "--handicap", "0; 21", "--out", kept, typed="r\nconcede\nr\n")
    assert result.exit_code == 0, result.output
    assert "  Ann: 0, 21 behind, 147 available" in result.stdout
    assert "Ann 1 – Bob 21. Ann: colour on" in result.stdout
    assert "Ann 0 – Bob 22. Bob: colour on" in result.stdout, "the next frame"
    match = rules.match_of(rules.read_records(kept))
    assert (match.results[0].scores, match.frame.scores) == ((1, 21), (0, 22))
    assert "  Ann: 0, 22 behind, 139 available" in run(kept, typed="").stdout
    shown = CliRunner().invoke(app, ["replay", str(kept)]).stdout.splitlines()
    assert [line for line in shown if line.startswith("Ann")] == ["Ann 0 – Bob 21", "Ann 0 – Bob 21"]
    assert [line.split()[1] for line in shown if line.startswith("  1")] == ["1–21", "0–22"]


def test_typed_lines_are_not_replayed_but_sent_to_score(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text(LINES)
    result = CliRunner().invoke(app, ["replay", str(path)])
    assert result.exit_code == 2
    assert f"snookersim score {path}" in result.stderr


def test_points_are_added_and_tags_kept(tmp_path):
    kept = tmp_path / "kept.txt"
    tags = ("--event", "Club night", "--venue", "Leeds", "--date", "2024.05.01")
    result = run(
        *ANN_AND_BOB, "--best-of", 2, "--aggregate", *tags, "--out", kept, typed="r\nconcede\nr\nbk\nconcede\n"
    )
    assert result.exit_code == 0, result.output
    assert "Frame 1, aggregate of 2, frames 0–0" in result.stdout
    records = rules.read_records(kept)
    assert rules.match_of(records).standing.is_over
    for record in records:
        told = dict(record.tags)
        assert (told["Event"], told["Site"], told["Date"]) == ("Club night", "Leeds", "2024.05.01")
    assert "is a record" in run(kept, "--event", "Cup", typed="").stderr


def test_a_record_goes_on_with_the_lines_of_a_pipe(tmp_path):
    kept, copy = tmp_path / "kept.txt", tmp_path / "copy.txt"
    assert run(*ANN_AND_BOB, "--out", kept, typed="r\nquit\nzz\n").exit_code == 0
    assert run(kept, "--out", copy, typed="bk\n").exit_code == 0
    assert run(kept, "--lang", "es", typed="undo\n").exit_code == 0
    scores = [rules.match_of(rules.read_records(path)).frame.scores for path in (kept, copy)]
    assert scores == [(0, 0), (8, 0)]


def test_the_first_wrong_line_ends_the_run_with_its_number(tmp_path):
    path, kept = tmp_path / "lines.txt", tmp_path / "kept.txt"
    path.write_text(LINES.replace("foul bl", "foul 5") + "r\n")
    result = run(path, "--out", kept)
    assert result.exit_code == 2
    assert result.stderr == (
        f"snookersim: {path}: line 5: '5': tell what happened, not the points, such as 'foul bl' when the blue was hit "
        "first; see help\n"
    )
    assert rules.match_of(rules.read_records(kept)).frame.scores == (8, 0)
    assert "line 2: " in run(typed="r\nr\n").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.txt"], "nowhere.txt"),
        (["--players", "Ann"], "separate the names by a semicolon"),
        (["--players", "Ann, Bob"], "separate the names by a semicolon"),
        (["--players", "Ann; Ann"], "named twice"),
        (["--pairs", "--players", "Ann; Bob"], "expected 4"),
        (["--best-of", "4"], "--best-of 4: expected an odd number of frames"),
        (["--edition", "1066"], "1066"),
        (["--handicap", "21"], "--handicap '21': expected points of each side"),
        (["--handicap", "0; -7"], "--handicap '0; -7': expected points of each side"),
        (["--handicap", "0; 148"], "handicap[1] = 148: expected an integer from 0 to 147"),
        (["--handicap", "0; 0; 7"], "handicap '0; 0; 7': expected points of each of the 2 sides"),
        (["--handicap", "0; 21; 0"], "handicap '0; 21; 0': expected points of each of the 2 sides"),
        (
            ["--players", "Ann; Bob; Cy", "--handicap", "0; 21"],
            "handicap '0; 21': expected points of each of the 3 sides",
        ),
        (["--pairs", "--handicap", "0; 0; 21; 21"], "expected points of each of the 2 sides"),
        (["--lang", "xx"], "'xx'"),
        (["--out", "nowhere/a.txt"], "nowhere"),
    ],
)
def test_bad_arguments_are_one_line(arguments, words):
    result = run(*arguments, typed="")
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line


def test_files_that_would_be_lost_or_are_not_understood_are_refused(tmp_path):
    old, bad, record = tmp_path / "old.txt", tmp_path / "bad.txt", tmp_path / "record.txt"
    old.write_text("old")
    bad.write_bytes(b"r\n\xff\n")
    assert run("--out", record, typed="r\n").exit_code == 0
    for arguments, words in (
        (["--out", old], "there is such a file"),
        ([bad], "not UTF-8"),
        ([record, *ANN_AND_BOB], "is a record"),
        ([record, "--pairs"], "is a record"),
        ([record, "--out", old], "there is such a file"),
    ):
        result = run(*arguments, typed="")
        assert result.exit_code == 2
        assert words in result.stderr
    record.write_text(record.read_text().replace("1 point, 1:0", "1 point, 2:0"))
    assert "line " in run(record, typed="").stderr
    assert old.read_text() == "old"
