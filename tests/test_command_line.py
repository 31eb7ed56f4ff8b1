"""The command line: all ten positions, refused input in one line, whole output files or none."""

import dataclasses
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import rules
import simcore
from rules.ranking import Ranking, evaluate
from simcore.__main__ import LEFT_OUT_IF_EMPTY, NUMBERS, _say_if_kernels_compile, app

ROOT = Path(__file__).parent.parent
POSITIONS = sorted(path.stem for path in (ROOT / "rules" / "positions").glob("*.json"))
TITLES = ["ball", "pocket", *(title for title, _ in NUMBERS if title not in LEFT_OUT_IF_EMPTY)]
FEW = ["--candidates", "12", "--samples", "4"]
START_S = 300.0  # longest wait for a first run that compiles
COMMAND = [sys.executable, "-m", "simcore"]


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def run_process(*arguments, **options):
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=START_S, check=False, **options)


def refused(result, *words):
    """The run ended with exit code 2 and one line that has these words."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.strip().splitlines()
    assert line.startswith("snookersim: ")
    for word in words:
        assert word in line


@pytest.fixture
def old(tmp_path):
    """A file that a failing run must leave alone."""
    path = tmp_path / "out.csv"
    path.write_text("old")
    return path


# --- what is printed and written -------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", POSITIONS)
def test_every_shipped_position_evaluates(position):
    result = run("evaluate", position, *FEW)
    assert result.exit_code == 0, result.output
    header, *rows = result.stdout.splitlines()
    assert all(title in header for title in TITLES)
    assert 1 <= len(rows) <= 10


def test_positions_are_listed():
    result = run("positions")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == POSITIONS


def test_same_seed_same_output_whatever_the_threads(tmp_path):
    tables = []
    for seed, threads in [(3, 1), (3, 1), (3, os.cpu_count()), (4, 1)]:
        out = tmp_path / "a.csv"
        result = run("evaluate", "last_red", *FEW, "--seed", seed, "--threads", threads, "--out", out)
        assert result.exit_code == 0, result.output
        tables.append(out.read_text())
    assert tables[0] == tables[1] == tables[2] != tables[3]


def test_outputs_agree_and_are_complete(tmp_path):
    frames = {}
    for suffix in ("csv", "parquet", "json"):
        path = tmp_path / f"a.{suffix}"
        result = run("evaluate", "mid_frame", *FEW, "--out", path, "--top", 1)
        assert result.exit_code == 0, result.output
        assert len(result.stdout.splitlines()) == 2
        frames[suffix] = {"csv": pd.read_csv, "parquet": pd.read_parquet, "json": pd.read_json}[suffix](path)
    json.loads((tmp_path / "a.json").read_text(), parse_constant=pytest.fail)
    assert len(frames["csv"]) > 1
    for other in ("parquet", "json"):
        assert list(frames[other].columns) == list(frames["csv"].columns)
        for name in ("V0", "phi", "p_pot", "points"):
            assert frames[other][name].to_numpy() == pytest.approx(frames["csv"][name].to_numpy(), rel=1e-12)


def test_picture_is_written(tmp_path):
    result = run("evaluate", "colours_only", *FEW, "--picture", tmp_path / "a.png")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert [p.name for p in tmp_path.iterdir()] == ["a.png"]


def test_a_position_file_is_taken_as_well_as_a_name(tmp_path):
    path = tmp_path / "mine.json"
    path.write_bytes((ROOT / "rules" / "positions" / "last_red.json").read_bytes())
    assert run("evaluate", path, *FEW).stdout == run("evaluate", "last_red", *FEW).stdout


def test_own_shots_are_ranked(tmp_path):
    shots = tmp_path / "shots.csv"
    shots.write_text("V0,phi_deg,b,nominated\n2.5,90,0.2,\n1.0,-90,0,\n3.0,80,0,\n")
    result = run("evaluate", "mid_frame", "--shots", shots, "--samples", 4, "--out", tmp_path / "a.csv")
    assert result.exit_code == 0, result.output
    assert sorted(pd.read_csv(tmp_path / "a.csv")["V0"]) == [1.0, 2.5, 3.0]


# --- pipes, terminals, interrupts ------------------------------------------------------------------------------------


def test_a_pipe_gets_a_plain_whole_table_and_no_bar():
    done = run_process("evaluate", "last_red", *FEW, env={**os.environ, "COLUMNS": "40", "FORCE_COLOR": ""})
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("snookersim: ") for line in done.stderr.splitlines())
    assert "\x1b" not in done.stdout + done.stderr
    assert "…" not in done.stdout
    assert all(title in done.stdout.splitlines()[0] for title in TITLES)


def test_a_reader_that_stops_early_is_no_error():
    command = " ".join([*COMMAND, "evaluate", "last_red", *FEW, "|", "true"])
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=START_S, check=False)
    assert "Traceback" not in done.stderr


def start_on_terminal(*arguments):
    """A run whose standard error is a terminal; returns the process and the terminal's other end."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, *map(str, arguments)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    os.close(theirs)
    return process, ours


def read_until(ours, word):
    """What the terminal shows until `word` is there or the other end is closed."""
    shown, deadline = b"", time.monotonic() + START_S
    while word not in shown and time.monotonic() < deadline:
        if select.select([ours], [], [], 1.0)[0]:
            try:
                shown += os.read(ours, 4096)
            except OSError:  # closed
                break
    return shown


def test_a_terminal_gets_a_bar():
    process, ours = start_on_terminal("evaluate", "last_red", *FEW)
    shown = read_until(ours, b"never shown")
    assert process.wait(START_S) == 0
    assert b"shots" in shown
    assert b"\x1b[" in shown
    os.close(ours)


def test_interrupt_exits_130_and_leaves_the_old_file(old):
    process, ours = start_on_terminal("evaluate", "mid_frame", "--samples", 200_000, "--out", old)
    assert b"shots" in read_until(ours, b"shots")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    shown = read_until(ours, b"interrupted")
    assert process.wait(60) == 130
    assert b"Traceback" not in shown
    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]
    os.close(ours)


def test_a_write_that_fails_halfway_leaves_the_old_file(old, monkeypatch):
    def write_csv(self, path):
        Path(path).write_text("half")
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Ranking, "_write_csv", write_csv)
    result = run("evaluate", "last_red", *FEW, "--out", old)
    assert result.exit_code == 1
    assert "No space left" in result.stderr
    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]


# --- refused input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no_such_position"], ["no_such_position", "mid_frame"]),
        (["nowhere.json"], ["nowhere.json", "No such file"]),
        (["mid_frame", "--noise", "drunk"], ["drunk", "pro"]),
        (["mid_frame", "--pockets", "wide"], ["wide", "club"]),
        (["mid_frame", "--threads", "100000"], ["threads", "100000"]),
        (["mid_frame", "--out", "a.xls"], ["a.xls", ".parquet"]),
        (["mid_frame", "--out", "nowhere/a.csv"], ["nowhere"]),
        (["mid_frame", "--picture", "a.txt"], ["a.txt", ".png"]),
        (["mid_frame", "--shots", "nowhere.csv"], ["nowhere.csv"]),
    ],
)
def test_bad_arguments_are_one_line(arguments, words):
    refused(run("evaluate", *arguments), *words)


@pytest.mark.parametrize("option", ["--candidates", "--samples", "--top", "--threads"])
@pytest.mark.parametrize("value", ["0", "-1", "x"])
def test_numbers_out_of_range_name_the_option(option, value):
    result = run("evaluate", "mid_frame", option, value)
    assert result.exit_code == 2
    assert option in result.stderr


def test_negative_seed_is_refused():
    assert run("evaluate", "mid_frame", "--seed", "-1").exit_code == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ["line 1", "column"]),
        ("[]", []),
        ('{"game": "snooker"}', []),
    ],
)
def test_bad_position_files_are_one_line(tmp_path, text, words):
    path = tmp_path / "bad.json"
    path.write_text(text)
    refused(run("evaluate", path), "bad.json", *words)


def test_a_folder_is_not_a_position(tmp_path):
    assert run("evaluate", tmp_path).exit_code == 2


def test_parquet_without_pyarrow_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    refused(
        run("evaluate", "mid_frame", *FEW, "--out", tmp_path / "a.parquet"), "pyarrow", "snookersim[parquet]", ".csv"
    )


# --- the other package named rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["x = 1\n", "import no_such_module\n"])
def test_an_unrelated_rules_package_is_named(tmp_path, content):
    other = tmp_path / "rules"
    other.mkdir()
    (other / "__init__.py").write_text(content)
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    code = "from simcore.__main__ import main; main()"
    command = [sys.executable, "-c", code, "positions"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=START_S, check=False)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert str(other) in line
    assert "pip uninstall rules" in line
    assert "clone" in line


def test_help_has_examples_and_units():
    result = run("evaluate", "--help")
    assert result.exit_code == 0
    assert "snookersim evaluate mid_frame" in " ".join(result.stdout.split())
    assert "phi_deg" in result.stdout
    assert "m/s" in result.stdout


# --- outputs that would do harm --------------------------------------------------------------------------------------


def test_an_output_that_is_an_input_is_refused(tmp_path):
    position, shots = tmp_path / "p.json", tmp_path / "s.csv"
    position.write_bytes((ROOT / "rules" / "positions" / "mid_frame.json").read_bytes())
    shots.write_text("V0,phi_deg\n1,90\n")
    before = position.read_text()
    refused(run("evaluate", position, *FEW, "--out", tmp_path / "." / "p.json"), "--out", "POSITION", "same file")
    refused(run("evaluate", position, "--shots", shots, "--out", shots), "--out", "--shots", "same file")
    (tmp_path / "linked.csv").symlink_to(shots)
    refused(run("evaluate", position, "--shots", shots, "--out", tmp_path / "linked.csv"), "same file")
    (tmp_path / "hard.csv").hardlink_to(shots)
    refused(run("evaluate", position, "--shots", shots, "--out", tmp_path / "hard.csv"), "same file")
    assert position.read_text() == before
    assert shots.read_text() == "V0,phi_deg\n1,90\n"


def test_outputs_must_differ(tmp_path):
    (tmp_path / "b.csv").write_text("old")
    (tmp_path / "b.png").symlink_to(tmp_path / "b.csv")
    refused(run("evaluate", "mid_frame", "--out", tmp_path / "b.csv", "--picture", tmp_path / "b.png"), "same file")


def test_links_in_a_circle_are_one_line(tmp_path):
    (tmp_path / "a.csv").symlink_to(tmp_path / "b.csv")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    refused(run("evaluate", "mid_frame", "--out", tmp_path / "a.csv"), "a.csv", "circle")


def in_shell(text):
    command = ["bash", "-c", f"set -o pipefail; {text}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=START_S, check=False)


@pytest.mark.parametrize("arguments", [["positions"], ["evaluate", "last_red", *FEW]])
def test_a_closed_pipe_is_quiet_and_files_are_saved(arguments, tmp_path):
    out = tmp_path / "a.csv"
    saved = ["--out", str(out)] if arguments[0] == "evaluate" else []
    done = in_shell(" ".join([*COMMAND, *arguments, *saved, "| true"]))
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("snookersim: ") for line in done.stderr.splitlines())
    assert "roken pipe" not in done.stderr
    assert out.exists() == bool(saved)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_standard_output_is_one_line_and_files_are_saved(tmp_path):
    out = tmp_path / "a.csv"
    done = in_shell(" ".join([*COMMAND, "evaluate", "last_red", *FEW, "--out", str(out), "> /dev/full"]))
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1] == "snookersim: standard output: No space left on device"
    assert out.exists()


def test_no_shot_finished_is_a_failure(monkeypatch):
    def nothing_finished(*arguments, **options):
        ranking = evaluate(*arguments, **options)
        return dataclasses.replace(ranking, unfinished=np.ones(len(ranking)))

    monkeypatch.setattr(rules, "evaluate", nothing_finished)
    result = run("evaluate", "last_red", *FEW)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "no shot was finished" in result.stderr


def test_version_suffixes_and_an_empty_position(tmp_path):
    assert run("--version").stdout == f"snookersim {simcore.__version__}\n"
    result = run("evaluate", "last_red", *FEW, "--out", tmp_path / "A.CSV", "--picture", tmp_path / "B.PNG")
    assert result.exit_code == 0, result.output
    assert "pot" in result.stdout.splitlines()[0]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["A.CSV", "B.PNG"]
    refused(run("evaluate", ""), "POSITION is empty")


def test_a_new_cache_and_none_are_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("simcore.__main__.cache_folder", lambda folder: str(tmp_path))
    _say_if_kernels_compile()
    assert "compiling the kernels (once" in capsys.readouterr().err
    (tmp_path / "a.nbi").write_text("")
    _say_if_kernels_compile()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("simcore.__main__.cache_folder", lambda folder: "")
    _say_if_kernels_compile()
    assert "SNOOKERSIM_CACHE_DIR" in capsys.readouterr().err


def test_own_shots_that_cannot_be_played_name_file_and_line(tmp_path):
    shots = tmp_path / "s.csv"
    shots.write_text("V0,phi\n1,1\n-1,1\n")
    refused(run("evaluate", "mid_frame", "--shots", shots), "s.csv", "line 3", "column V0")


# --- replay ----------------------------------------------------------------------------------------------------------

RECORD = """[Event "Club night"]
[Players "Ann; Bob"]
[Rules "snooker/current"]

1. player 0: first red; placed 0.8,0.6
2. player 1: nothing -> foul and a miss 4
3. player 0: concede
"""


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "frame.txt"
    path.write_text(RECORD)
    return path


def test_a_record_is_called_line_by_line(record):
    result = run("replay", record)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "Club night",
        "Ann – Bob",
        "",
        "  1      0–0  Ann: No score.",
        "  2      4–0  Bob: Foul and a miss, 4 points: the cue ball missed every object ball.",
        "  3      4–0  Ann concedes the frame. Frame to Bob, 4–0.",
    ]
    assert "first red 1; placed 0.8,0.6" in run("replay", record, "--strokes").stdout
    assert "Фол и промах, 4 очка" in run("replay", record, "--lang", "ru").stdout
    assert "Falta y fallo, 4 puntos" in run("replay", record, "--lang", "es").stdout


def test_the_frames_of_a_match_are_called_one_after_the_other(record):
    record.write_text(RECORD + "\n" + RECORD.replace("Club night", "Next frame"))
    lines = run("replay", record).stdout.splitlines()
    assert [lines[0], lines[6], lines[7]] == ["Club night", "", "Next frame"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("miss 4", "miss 5", ["frame.txt", "line 6", "'foul and a miss 5' contradicts", "foul and a miss 4"]),
        ("concede", "claim", ["line 7", "'claim' was not offered"]),
        ("3. ", "4. ", ["line 7", "numbered 4, expected 3"]),
        (RECORD, "", ["frame.txt", "no record"]),
    ],
)
def test_a_record_that_the_referee_contradicts_is_one_line(record, old, new, words):
    record.write_text(RECORD.replace(old, new))
    refused(run("replay", record), *words)


def test_replay_refuses_what_it_cannot_read(record, tmp_path):
    refused(run("replay", tmp_path / "none.txt"), "none.txt", "No such file")
    refused(run("replay", record, "--lang", "de"), "'de'", "en, ru, es")
    assert run("replay", tmp_path).exit_code == 2
    assert run("replay").exit_code == 2


def test_replay_help_has_examples():
    shown = " ".join(run("replay", "--help").stdout.split())
    assert "snookersim replay final.txt --lang es --strokes" in shown


def test_a_pipe_gets_the_calls_in_utf_8(record):
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": ""}
    done = subprocess.run(
        [*COMMAND, "replay", str(record), "--lang", "ru"],
        cwd=ROOT, capture_output=True, timeout=START_S, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Фол и промах" in done.stdout.decode()
