"""The command line, `snookersim` or `python -m simcore`: one subcommand for each thing to do.

The only module of simcore that knows the rules package, and it imports it in one place: an unrelated package on PyPI
has the same import name, and where both are installed the wrong one may be found.

Exit codes: 0 done, 1 something failed, 2 the input was refused, 130 interrupted; a reader of the table that stops early
(a broken pipe) is no failure. Files are saved before the table is printed. Tables go to the standard output, messages
and the progress bar to the standard error; the bar only shows on a terminal.
"""

import importlib
import importlib.util
import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations, islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as TextTable

import simcore
from simcore.files import read_text, same_file, writable_target, write_atomically
from simcore.kernel.jit import cache_folder

FAILED, INPUT_REFUSED, INTERRUPTED = 1, 2, 130
TABLE_WIDTH = 250  # characters; more than any table printed here needs
CANDIDATES, SAMPLES, SEED, TOP = 400, 50, 1, 10
NOISES = ("olympiad", "amateur", "club", "pro")

EPILOG = "Lengths are in metres, speeds in m/s, angles in radians; x runs across the table and y along it from baulk."

app = typer.Typer(
    name="snookersim",
    help="Simulate snooker shots and referee them.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


# --- the rules package -----------------------------------------------------------------------------------------------


class RulesClash(RuntimeError):
    """The module found under the name `rules` is not ours."""


def _rules_file() -> str:
    spec = importlib.util.find_spec("rules")
    return "nowhere" if spec is None else str(spec.origin or next(iter(spec.submodule_search_locations or []), "?"))


def _is_ours(module: Any) -> bool:
    return getattr(module, "__project__", None) == "snookersim"


def load_rules() -> Any:
    """The package `rules` of this project.

    Returns the module. Raises RulesClash if another package of that name is found first, naming where it lies.
    """
    try:
        module = importlib.import_module("rules")
    except ImportError:
        if Path(_rules_file()).parent == Path(__file__).parent.parent / "rules":
            raise  # ours, and broken: the original message says more
        module = None
    if _is_ours(module):
        return module
    raise RulesClash(
        f"the package 'rules' found at {_rules_file()} is not the one of snookersim; an unrelated package on PyPI has "
        "this name. Install snookersim in an environment of its own, or: pip uninstall rules, then reinstall "
        "snookersim from its clone (pip install --force-reinstall --no-deps . in its folder)"
    )


# --- errors, output --------------------------------------------------------------------------------------------------


def _say(message: object) -> None:
    """One line on the standard error."""
    typer.echo(f"snookersim: {message}", err=True)


def _reason(error: Exception) -> str:
    """What an exception says, in one line."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


@contextmanager
def errors_in_one_line(exit_code: int) -> Iterator[None]:
    """Turn refused input, failed files and an interrupt into one line and an exit code, without a traceback."""
    try:
        yield
    except (ValueError, OSError, RulesClash) as error:
        _say(_reason(error))
        raise typer.Exit(exit_code) from None
    except KeyboardInterrupt:
        _say("interrupted")
        raise typer.Exit(INTERRUPTED) from None


def _terminal(stream: Any) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


@contextmanager
def progress_bar(text: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on the standard error, or None where that is not a terminal; yields callable(done, total)."""
    if not _terminal(sys.stderr):
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _print_table(table: TextTable) -> None:
    """Print with no column cut; a narrow terminal wraps the lines, a pipe gets them without colours."""
    terminal, text = _terminal(sys.stdout), io.StringIO()
    console = Console(file=text, width=TABLE_WIDTH, force_terminal=terminal, color_system="auto" if terminal else None)
    console.print(table)
    _print("\n".join(line.rstrip() for line in text.getvalue().splitlines()))


def _print(text: str) -> None:
    """Print and flush at once; a reader that has gone is no error, OSError for anything else."""
    try:
        typer.echo(text)
    except OSError as error:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # or Python would fail once more on what is buffered, at exit
        if not isinstance(error, BrokenPipeError):
            raise OSError(f"standard output: {error.strerror}") from None


def _say_if_kernels_compile() -> None:
    """Warn before a first run that takes its time."""
    folder = cache_folder(Path(simcore.__file__).parent / "kernel")
    if not folder:
        _say("no cache folder can be written (set SNOOKERSIM_CACHE_DIR): compiling the kernels, about a minute")
    elif not any(Path(folder).rglob("*.nbi")):
        _say("compiling the kernels (once, about a minute)")


# --- evaluate --------------------------------------------------------------------------------------------------------

Row = dict[str, Any]  # one candidate of a ranking, as `Ranking.rows` gives it


def _fixed(key: str, digits: int) -> Callable[[Row], str]:
    """Formatter of a number in a row; nan is a dash."""

    def text(row: Row) -> str:
        value = float(row[key])
        return "-" if math.isnan(value) else f"{value:.{digits}f}"

    return text


def _with_error(key: str, digits: int) -> Callable[[Row], str]:
    mean, error = _fixed(key, digits), _fixed(f"{key}_se", digits)
    return lambda row: f"{mean(row)} ± {error(row)}"


def _word(key: str) -> Callable[[Row], str]:
    return lambda row: str(row[key] or "-")


def _spread(row: Row) -> str:
    """Root mean square distance of the cue ball's stops from their mean, m."""
    variance = float(row["cue_xx"]) + float(row["cue_yy"])
    return "-" if math.isnan(variance) else f"{math.sqrt(variance):.2f}"


WORDS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("kind", _word("kind")),
    ("ball", _word("ball")),
    ("pocket", _word("pocket")),
    ("nominated", _word("nominated")),
)
NUMBERS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("from x", _fixed("place_x", 3)),
    ("from y", _fixed("place_y", 3)),
    ("V0", _fixed("V0", 2)),
    ("phi", _fixed("phi", 4)),
    ("theta", _fixed("theta", 3)),
    ("a", _fixed("a", 2)),
    ("b", _fixed("b", 2)),
    ("P(pot)", _with_error("p_pot", 3)),
    ("P(foul)", _fixed("p_foul", 3)),
    ("points", _fixed("points", 2)),
    ("penalty", _fixed("penalty", 2)),
    ("value", _with_error("value", 2)),
    ("cue ball x", _fixed("cue_x", 2)),
    ("y", _fixed("cue_y", 2)),
    ("spread", _spread),
)
LEFT_OUT_IF_EMPTY = {"kind": "-", "nominated": "-", "from x": "-", "from y": "-", "theta": "0.000"}


def ranking_table(rows: list[Row]) -> TextTable:
    """The best candidates as a table of text.

    rows: as `Ranking.rows` gives them, best first.
    Returns a rich table, one line a row, without the columns that say nothing about any of these rows.
    """
    table = TextTable(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    columns = [[str(rank) for rank in range(1, len(rows) + 1)]]
    for title, text in WORDS + NUMBERS:
        cells = [text(row) for row in rows]
        if set(cells) != {LEFT_OUT_IF_EMPTY.get(title)}:
            table.add_column(title, justify="left" if (title, text) in WORDS else "right", no_wrap=True)
            columns.append(cells)
    for line in zip(*columns, strict=True):
        table.add_row(*line)
    return table


def _say_what_was_lost(ranking: Any) -> None:
    """Samples that are not what was asked for: clamped noise, miscues, shots the simulator gave up."""
    for share, words in (
        (ranking.clipped.mean(), "had noise limited to what a cue can do (a level cue, theta = 0, cannot be lowered)"),
        (ranking.miscues.mean(), "were miscues"),
        (ranking.unfinished.mean(), "were not finished by the simulator and are left out"),
    ):
        if share > 0.0:
            _say(f"{share:.2%} of the shots {words}")


def _check_finished(ranking: Any) -> None:
    """Refuse to rank what was never played to its end."""
    if ranking.unfinished.min() >= 1.0:
        raise ValueError("no shot was finished by the simulator: there is nothing to rank")


def _save_json(ranking: Any, out: Path) -> None:
    rows = [{key: None if value != value else value for key, value in row.items()} for row in ranking.rows()]  # nan
    text = json.dumps(rows, indent=1, allow_nan=False) + "\n"
    write_atomically(out, lambda path: path.write_text(text, encoding="utf-8"))


SAVE: dict[str, Callable[[Any, Path], object]] = {
    ".parquet": lambda ranking, out: ranking.to_parquet(out),
    ".csv": lambda ranking, out: ranking.to_csv(out),
    ".json": _save_json,
}
PICTURES = (".png", ".svg", ".pdf")


def _check_distinct(outputs: dict[str, Path | None], inputs: dict[str, Path | None]) -> None:
    """Refuse an output that would replace an input or the other output."""
    for (name, path), (other, taken) in combinations((*outputs.items(), *inputs.items()), 2):
        if name in outputs and path is not None and taken is not None and same_file(path, taken):
            raise ValueError(f"{name} {path}: the same file as {other} {taken}; give the output a name of its own")


def _check_outputs(out: Path | None, picture: Path | None) -> None:
    """Refuse what could not be written before any work is done."""
    for path, suffixes in ((out, tuple(SAVE)), (picture, PICTURES)):
        if path is None:
            continue
        if path.suffix.lower() not in suffixes:
            raise ValueError(f"{path}: the name must end in one of {', '.join(suffixes)}")
        writable_target(path)
    if out is not None and out.suffix.lower() == ".parquet":
        missing = [name for name in ("pandas", "pyarrow") if importlib.util.find_spec(name) is None]
        if missing:
            needs = " and ".join(missing)
            raise ValueError(f"{out}: Parquet needs {needs} (pip install 'snookersim[parquet]'); .csv does not")


def _load_frame(rules: Any, position: str, pockets: str) -> Any:
    """The frame in a file, or one shipped with the package."""
    if not position.strip():
        raise ValueError("POSITION is empty: expected a position file (JSON) or a name from `snookersim positions`")
    table = simcore.Table.snooker(pockets=pockets)
    if position.lower().endswith(".json") or Path(position).exists():
        return rules.Frame.from_json(position, table=table)
    return rules.Frame.named(position, table=table)


def _title(row: Row) -> Iterator[str]:
    """Two lines that say which shot is drawn and what it is worth."""
    aim = (
        f"{row['ball']} to the {row['pocket']} pocket" if row["pocket"] else f"{row['ball'] or 'no ball'}, no pot meant"
    )
    numbers = {title: text(row) for title, text in NUMBERS}
    yield f"{aim}: V0 {numbers['V0']} m/s, phi {numbers['phi']}, a {numbers['a']}, b {numbers['b']}"
    yield f"P(pot) {numbers['P(pot)']}, P(foul) {numbers['P(foul)']}, expected points {numbers['points']}"


def _best_picture(frame: Any, ranking: Any) -> Any:
    """The position and the best stroke played without noise."""
    from simcore.draw import picture

    stroke = ranking.strokes[ranking.best]
    positions = frame.placed(stroke)
    results = simcore.simulate(positions, stroke.shots, table=frame.table, log_events=True)
    title = "\n".join(_title(ranking.row(ranking.best)))
    return picture(frame.table, positions, frame.colours, shot=(results, 0), title=title)


def _save(ranking: Any, frame: Any, out: Path | None, picture: Path | None) -> None:
    if out is not None:
        SAVE[out.suffix.lower()](ranking, out)
        _say(f"wrote {out}")
    if picture is not None:
        from simcore.draw import save_picture

        save_picture(_best_picture(frame, ranking), picture)
        _say(f"wrote {picture}")


FILE = {"dir_okay": False, "show_default": False}


def _show_version(asked: bool) -> None:
    if asked:
        _print(f"snookersim {simcore.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Simulate snooker shots and referee them."""


@app.command(epilog=EPILOG)
def evaluate(  # noqa: PLR0913 - every option of a command is an argument
    position: Annotated[str, typer.Argument(help="A position file (JSON), or the name of one: snookersim positions.")],
    candidates: Annotated[int, typer.Option(min=1, help="How many candidate shots to generate.")] = CANDIDATES,
    samples: Annotated[int, typer.Option(min=1, help="Noisy samples of each candidate.")] = SAMPLES,
    noise: Annotated[str, typer.Option(help=f"How steady the player is: {', '.join(NOISES)}.")] = "pro",
    seed: Annotated[int, typer.Option(min=0, help="Seed of candidates and noise: same seed, same numbers.")] = SEED,
    shots: Annotated[Path | None, typer.Option(help="CSV file with your own candidates.", **FILE)] = None,
    out: Annotated[Path | None, typer.Option(help="Write all rows: .parquet, .csv or .json.", **FILE)] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the best shot: .png, .svg, .pdf.", **FILE)] = None,
    pockets: Annotated[str, typer.Option(help="How wide the pockets are: pro, club, tight.")] = "pro",
    threads: Annotated[int | None, typer.Option(min=1, help="Threads to use; all cores if left out.")] = None,
    top: Annotated[int, typer.Option(min=1, help="How many of the best to print.")] = TOP,
) -> None:
    """Rank candidate shots by what they are worth under execution noise.

    Columns of a --shots file, named in its first line: V0 (m/s); phi (rad) or phi_deg; theta or theta_deg, a, b (0 if
    left out; a and b in ball radii); nominated (a ball's name); place_x, place_y (m, for a cue ball in
    hand).

    For example:

    - `snookersim evaluate mid_frame --candidates 400 --samples 50 --out best.parquet --picture best.png`

    - `snookersim evaluate my_position.json --shots my_shots.csv --noise club`
    """
    with errors_in_one_line(INPUT_REFUSED):
        _check_outputs(out, picture)
        _check_distinct({"--out": out, "--picture": picture}, {"POSITION": Path(position or "."), "--shots": shots})
        rules = load_rules()
        frame = _load_frame(rules, position, pockets)
        spread = simcore.Noise.preset(noise)
        own = None if shots is None else rules.read_strokes(shots, frame)
        _say_if_kernels_compile()
        with progress_bar("shots") as progress:
            strokes = rules.generate_candidates(frame, candidates, seed=seed, threads=threads) if own is None else own
            ranking = rules.evaluate(
                frame, strokes, noise=spread, samples=samples, seed=seed, threads=threads, progress=progress
            )
    with errors_in_one_line(FAILED):
        _check_finished(ranking)
        _save(ranking, frame, out, picture)
        _say_what_was_lost(ranking)
        _print_table(ranking_table(list(islice(ranking.rows(), top))))


# --- replay ----------------------------------------------------------------------------------------------------------


@app.command()
def replay(
    record: Annotated[Path, typer.Argument(help="A file of records: one frame, or the frames of a match.", **FILE)],
    lang: Annotated[str, typer.Option(help="Language of the calls: en, ru, es.")] = "en",
    strokes: Annotated[bool, typer.Option("--strokes", help="Print each stroke too, numbers rounded.")] = False,
) -> None:
    """Replay a record: print the referee's calls and the score, line by line.

    Every line of the record is judged anew. Where it says something else than the referee, nothing is printed but the
    line and what was expected.

    For example:

    - `snookersim replay final.txt`

    - `snookersim replay final.txt --lang es --strokes`
    """
    with errors_in_one_line(INPUT_REFUSED):
        rules = load_rules()
        _say_if_kernels_compile()
        if not importlib.import_module("rules.scoring.session").is_record(read_text(record)):
            raise ValueError(f"{record}: this is no record; if these are typed lines: snookersim score {record}")
        lines = rules.transcript(rules.read_records(record), lang, strokes=strokes)
    with errors_in_one_line(FAILED):
        _print("\n".join(lines))


# --- score -----------------------------------------------------------------------------------------------------------


FOUR = 4  # players who may have been meant as pairs
MANY_DIGITS = 10  # of a number that is no handicap


def _begin(
    scoring: Any, file: Path | None, out: Path | None, lang: str, told: dict[str, Any]
) -> tuple[Any, str | None]:
    """The session that goes on with a record, or that of a new match; and the lines to enter, None to ask for them.

    scoring: the module rules.scoring.session. told: of a new match, what is not as usual.
    """
    text = None if file is None else read_text(file)
    if text is None or not scoring.is_record(text):
        session = scoring.Session.start(out, language=lang, **told)
        _say_if_kernels_compile()
        return session, text
    if told:
        raise ValueError(f"{file} is a record, which says who plays what: give only --lang and --out with it")
    _say_if_kernels_compile()
    return scoring.Session.resume(file, out, lang), None


def _names(players: str | None) -> list[str]:
    """The names of --players."""
    names = [name.strip() for name in players.split(";")] if players else []
    if len(names) == 1:
        raise ValueError(f"--players {players!r}: expected two names or more; separate the names by a semicolon")
    return names


def _points(handicap: str | None) -> tuple[int, ...]:
    """The points of --handicap, () if there are none."""
    points = [word.strip() for word in handicap.split(";")] if handicap is not None else []
    if len(points) == 1 or not all(word.isascii() and word.isdecimal() and len(word) < MANY_DIGITS for word in points):
        raise ValueError(f"--handicap {handicap!r:.80}: expected points of each side, separated by semicolons: '0; 21'")
    return tuple(map(int, points))


def _converse(session: Any) -> None:
    """Ask for lines until the scorer quits; where the match is kept is said if that is not by quitting."""
    try:
        session.converse(_print, _reason)
    except (EOFError, KeyboardInterrupt) as end:
        _print("")
        if session.where_kept():
            _say(session.where_kept())
        if isinstance(end, KeyboardInterrupt):
            raise


@app.command()
def score(  # noqa: PLR0913 - every option of a command is an argument
    file: Annotated[Path | None, typer.Argument(help="Lines to enter, or a record to go on with.", **FILE)] = None,
    edition: Annotated[str | None, typer.Option(help="Rules: current (if left out), 1995, es.")] = None,
    players: Annotated[str | None, typer.Option(help="Names in the order of play: 'Ann; Bob'.")] = None,
    best_of: Annotated[
        int | None, typer.Option(min=1, max=9999, help="Frames, odd unless added; 1 if left out.")
    ] = None,
    aggregate: Annotated[bool, typer.Option("--aggregate", help="Play all frames and add their points.")] = False,
    handicap: Annotated[str | None, typer.Option(help="Points before each frame, at most 147: '0; 21'.")] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Four players, the first and third together.")] = False,
    event: Annotated[str | None, typer.Option(help="Name of the event, kept with the match.")] = None,
    venue: Annotated[str | None, typer.Option(help="Where it is played.")] = None,
    date: Annotated[str | None, typer.Option(help="When it is played.")] = None,
    lang: Annotated[str, typer.Option(help="Language of the referee's calls: en, ru, es.")] = "en",
    out: Annotated[Path | None, typer.Option(help="Keep the match in this file, line by line.", **FILE)] = None,
) -> None:
    """Score a match played by people: type what happened, the referee says what follows.

    A line tells a stroke: r = a red was potted, bk = the black, - = nothing; foul bl = the blue was hit first. The line
    help lists all; undo takes the last one back. The file of --out is a record for `snookersim replay`, and
    `snookersim score` goes on from it.

    On a terminal lines are asked for. Those of FILE, or of a pipe, are entered one by one; the first that is refused
    ends the run with exit code 2.

    For example:

    - `snookersim score --players "Ann; Bob" --best-of 7 --out match.txt`

    - `snookersim score match.txt`
    """
    refused = ""
    with errors_in_one_line(INPUT_REFUSED):
        if best_of is not None and best_of % 2 == 0 and not aggregate:
            raise ValueError(f"--best-of {best_of}: expected an odd number of frames, or --aggregate")
        tags = tuple((name, value) for name, value in (("Event", event), ("Site", venue), ("Date", date)) if value)
        told: dict[str, Any] = {"players": _names(players), "best_of": best_of, "pairs": pairs, "edition": edition}
        told |= {"aggregate": aggregate, "handicap": _points(handicap), "tags": tags}
        load_rules()
        scoring = importlib.import_module("rules.scoring.session")
        session, lines = _begin(scoring, file, out, lang, {name: value for name, value in told.items() if value})
    with errors_in_one_line(FAILED):
        _print("\n".join(session.scorer.board()))
        if session.scorer.match.form.n_sides == FOUR:
            _print("Each for himself; --pairs for pairs.")
        if lines is not None:
            refused = session.run_lines(lines.splitlines(), _print, f"{file}: ")
        elif _terminal(sys.stdin):
            _converse(session)
        else:
            refused = session.run_lines(sys.stdin, _print)
    if refused:
        _say(refused)
        raise typer.Exit(INPUT_REFUSED)


@app.command()
def positions() -> None:
    """List the positions that come with the package."""
    with errors_in_one_line(INPUT_REFUSED):
        rules = load_rules()
        table = TextTable(box=None, pad_edge=False, header_style="bold")
        table.add_column("name", no_wrap=True)
        table.add_column("description")
        for name in rules.position_names():
            table.add_row(name, rules.Frame.named(name).description)
    with errors_in_one_line(FAILED):
        _print_table(table)


def main() -> None:
    """Entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
