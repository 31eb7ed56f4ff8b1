"""The command line, `snookersim` or `python -m simcore`: one subcommand for each thing to do.

The only module of simcore that knows the rules package, and it imports it in one place: an unrelated package on PyPI
has the same import name, and where both are installed the wrong one may be found.

Exit codes: 0 done, 1 something failed, 2 the input was refused, 130 interrupted. Tables go to the standard output,
messages and the progress bar to the standard error; the bar only shows on a terminal.
"""

import importlib
import importlib.util
import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as TextTable

import simcore
from simcore.files import writable_target, write_atomically

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
        "this name. Use an environment of its own, or: pip uninstall rules, then pip install --force-reinstall "
        "--no-deps snookersim"
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
    console = Console(width=TABLE_WIDTH, color_system="auto" if _terminal(sys.stdout) else None)
    with console.capture() as text:
        console.print(table)
    typer.echo("\n".join(line.rstrip() for line in text.get().splitlines()))


# --- evaluate --------------------------------------------------------------------------------------------------------


def _fixed(key: str, digits: int) -> Callable[[dict[str, Any]], str]:
    """Formatter of a number in a row of the ranking; nan is a dash."""

    def text(row: dict[str, Any]) -> str:
        value = float(row[key])
        return "-" if math.isnan(value) else f"{value:.{digits}f}"

    return text


def _with_error(key: str, digits: int) -> Callable[[dict[str, Any]], str]:
    mean, error = _fixed(key, digits), _fixed(f"{key}_se", digits)
    return lambda row: f"{mean(row)} ± {error(row)}"


def _word(key: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: str(row[key] or "-")


COLUMNS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("ball", _word("ball")),
    ("pocket", _word("pocket")),
    ("V0", _fixed("V0", 2)),
    ("phi", _fixed("phi", 4)),
    ("theta", _fixed("theta", 3)),
    ("a", _fixed("a", 2)),
    ("b", _fixed("b", 2)),
    ("P(pot)", _with_error("p_pot", 3)),
    ("P(foul)", _with_error("p_foul", 3)),
    ("points", _with_error("points", 2)),
    ("penalty", _with_error("penalty", 2)),
    ("cue ball x", _fixed("cue_x", 2)),
    ("y", _fixed("cue_y", 2)),
)


def ranking_table(rows: list[dict[str, Any]]) -> TextTable:
    """The best candidates as a table of text.

    rows: as `Ranking.rows` gives them, best first.
    Returns a rich table, one line a row.
    """
    table = TextTable(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    for title, _ in COLUMNS:
        words = title in ("ball", "pocket")
        table.add_column(title, justify="left" if words else "right", no_wrap=True)
    for rank, row in enumerate(rows, start=1):
        table.add_row(str(rank), *(text(row) for _, text in COLUMNS))
    return table


def _write_json(ranking: Any, path: Path) -> None:
    rows = [{key: None if value != value else value for key, value in row.items()} for row in ranking.rows()]  # nan
    path.write_text(json.dumps(rows, indent=1, allow_nan=False) + "\n", encoding="utf-8")


WRITERS: dict[str, Callable[[Any, Path], object]] = {
    ".parquet": lambda ranking, path: ranking.to_parquet(path),
    ".csv": lambda ranking, path: ranking.to_csv(path),
    ".json": _write_json,
}
PICTURES = (".png", ".svg", ".pdf")


def _check_outputs(out: Path | None, picture: Path | None) -> None:
    """Refuse what could not be written before any work is done."""
    for path, suffixes in ((out, tuple(WRITERS)), (picture, PICTURES)):
        if path is None:
            continue
        if path.suffix not in suffixes:
            raise ValueError(f"{path}: the name must end in one of {', '.join(suffixes)}")
        writable_target(path)
    if out is not None and out.suffix == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise ValueError(f"{out}: Parquet needs pyarrow (pip install 'snookersim[parquet]'); .csv does not")


def _load_frame(rules: Any, position: str) -> Any:
    """The frame in a file, or one shipped with the package."""
    if position.endswith(".json") or Path(position).is_file():
        return rules.Frame.from_json(position)
    return rules.Frame.named(position)


def _strokes(rules: Any, frame: Any, shots: Path | None, candidates: int, seed: int, table: Any) -> Any:
    """The user's candidates, or generated ones."""
    if shots is not None:
        return rules.read_strokes(shots)
    return rules.generate_candidates(frame, candidates, seed=seed, table=table)


def _title(row: dict[str, Any]) -> Iterator[str]:
    """Two lines that say which shot is drawn and what it is worth."""
    aim = (
        f"{row['ball']} to the {row['pocket']} pocket" if row["pocket"] else f"{row['ball'] or 'no ball'}, no pot meant"
    )
    numbers = {key: text(row) for key, text in COLUMNS}
    yield f"{aim}: V0 {numbers['V0']} m/s, phi {numbers['phi']}, a {numbers['a']}, b {numbers['b']}"
    yield f"P(pot) {numbers['P(pot)']}, P(foul) {numbers['P(foul)']}, expected points {numbers['points']}"


def _best_picture(frame: Any, ranking: Any, table: Any) -> Any:
    """The position and the best stroke played without noise."""
    from simcore.draw import picture

    row = next(iter(ranking.rows()))
    stroke = ranking.strokes[ranking.best]
    positions = frame.placed(stroke)
    results = simcore.simulate(positions, stroke.shots, table=table, log_events=True)
    title = "\n".join(_title(row))
    return picture(table, positions, frame.colours, shot=(results, 0), title=title)


def _save(ranking: Any, frame: Any, table: Any, out: Path | None, picture: Path | None) -> None:
    if out is not None:
        write_atomically(out, lambda path: WRITERS[out.suffix](ranking, path))
        _say(f"wrote {out}")
    if picture is not None:
        from simcore.draw import save_picture

        save_picture(_best_picture(frame, ranking, table), picture)
        _say(f"wrote {picture}")


FILE = {"dir_okay": False, "show_default": False}


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
    left out; a and b in ball radii); nominated (a ball's name); cue_x, cue_y (m, for a cue ball in hand).

    For example:

    - `snookersim evaluate mid_frame --candidates 400 --samples 50 --out best.parquet --picture best.png`

    - `snookersim evaluate my_position.json --shots my_shots.csv --noise club`
    """
    with errors_in_one_line(INPUT_REFUSED):
        _check_outputs(out, picture)
        rules = load_rules()
        frame = _load_frame(rules, position)
        table = simcore.Table.snooker(pockets=pockets)
        strokes = _strokes(rules, frame, shots, candidates, seed, table)
        with progress_bar("shots") as progress:
            ranking = rules.evaluate(
                frame,
                strokes,
                noise=simcore.Noise.preset(noise),
                samples=samples,
                seed=seed,
                table=table,
                threads=threads,
                progress=progress,
            )
    _print_table(ranking_table(list(islice(ranking.rows(), top))))
    with errors_in_one_line(FAILED):
        _save(ranking, frame, table, out, picture)


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
        _print_table(table)


def main() -> None:
    """Entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
