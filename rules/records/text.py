"""The text of a record: tags, then numbered lines of who, what and how it was ruled; reading it replays every line.

    [Event "Club night"]
    [Players "Ann; Bob"]
    [Rules "snooker/current"]

    # Ann breaks off.
    1. player 0: first red 11; placed 0.8,0.6 -> no points, 0:0
         shot V0=4.2 phi=1.43 theta=0.0 a=0.3 b=0.1
         after cue=0.31,0.25 red11=0.74,2.9
    2. player 1: nothing -> foul and a miss 4, missed_all, 4:0
    3. player 0: decide play_again
    4. player 1: concede -> frame to side 0, 4:0

Tags come first and begin a record, so that a text may hold the frames of a match one after the other. The frame starts
as Rules and First (the player who opens, 0 if left out) say, or with the one-line text in the tag Start. What is told
of a stroke or decision is in the words of `rules.records.lines`; `shot` gives the cue's numbers (m/s, rad, ball radii),
`after` the places, m, of the balls that came to rest elsewhere. What follows an arrow is checked: each part must be
what the referee says. Lines that start with # are comments and belong to the entry that follows. Numbers are the
shortest decimals that read back to the same number.

Not part of it: the table, which the reader is given.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rules.frame import Frame, check_table, opening
from rules.notation import BALL_WORDS, parse_number, parse_place, parse_rules, print_place, print_rules
from rules.records.lines import parse_line, print_line
from rules.records.record import FIRST, RULES, START, START_TAGS, Record
from rules.state import NOBODYS
from rules.steps import DecisionLine, ForfeitLine, Line, Moved, RecordEntry, Step, StrokeLine
from simcore.files import read_text, write_atomically
from simcore.shots import Shots

if TYPE_CHECKING:
    from simcore import Table

ARROW, COMMENT, SHOT, AFTER, REFEREE = "->", "#", "shot", "after", "referee"
SHOT_FIELDS = ("V0", "phi", "theta", "a", "b")
TAG = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\.)*)"\]', re.ASCII)
ENTRY = re.compile(r"(\d{1,9})\.\s+([^:]*):\s*(.*)", re.ASCII)
INDENT = "     "
DISPLAY_DIGITS = 3
EXPECTED_LINE = "a tag, a comment (#), an entry such as '1. player 0: first red', or its shot or after"


# --- writing ---------------------------------------------------------------------------------------------------------


def print_record(record: Record) -> str:
    """The text of a record."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in (*record.tags, *_own_tags(record.start))]
    lines.append("")
    for number, step in enumerate(record.steps, 1):
        lines += _entry_lines(number, step)
    lines += comment_lines(record.comments)
    return "\n".join(lines).rstrip("\n") + "\n"


def print_records(records: Iterable[Record]) -> str:
    """The text of several records, such as the frames of a match."""
    return "\n".join(print_record(record) for record in records)


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write the records to a file, whole or not at all; OSError as `simcore.files.write_atomically`."""
    text = print_records(records)
    write_atomically(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def _own_tags(start: Frame) -> list[tuple[str, str]]:
    """The tags that say how the frame starts."""
    striker = start.state.first_striker
    if start != opening(start.ruleset, start.table, striker):
        return [(RULES, start.text.split(" ")[0]), (START, start.text)]
    rules = (RULES, print_rules(start.ruleset))
    return [rules, (FIRST, str(striker))] if striker else [rules]


def _entry_lines(number: int, step: Step) -> list[str]:
    entry = step.entry
    result = result_words(step)
    ruled = f" {ARROW} {', '.join(result)}" if result else ""
    lines = comment_lines(entry.comments)
    lines.append(f"{number}. {subject_of(step.before, entry.line)}: {print_line(entry.line)}{ruled}")
    if entry.shot is not None:
        numbers = " ".join(f"{name}={float(getattr(entry.shot, name))!r}" for name in SHOT_FIELDS)
        lines.append(f"{INDENT}{SHOT} {numbers}")
    if entry.moved:
        places = " ".join(f"{BALL_WORDS[ball]}={print_place(x, y)}" for ball, x, y in entry.moved)
        lines.append(f"{INDENT}{AFTER} {places}")
    return lines


def short_words(entry: RecordEntry) -> str:
    """An entry in one line to look at: numbers are rounded, so it does not read back."""
    line = entry.line
    if isinstance(line, StrokeLine):
        facts = {name: getattr(line.facts, name) for name in ("placed_x", "placed_y", "nearest_gap")}
        short = {name: round(value, DISPLAY_DIGITS) for name, value in facts.items()}
        line = line._replace(facts=line.facts._replace(**short))
    words = print_line(line)
    if entry.shot is not None:
        numbers = [f"{name}={getattr(entry.shot, name):.{DISPLAY_DIGITS}f}" for name in SHOT_FIELDS]
        words += f"; {SHOT} {' '.join(numbers)}"
    return words


def comment_lines(comments: Iterable[str]) -> list[str]:
    """The comments as they are written."""
    return [f"{COMMENT} {comment}".rstrip() for comment in comments]


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def subject_of(frame: Frame, line: Line) -> str:
    """Who acts: the player whose turn it is, or the referee for a lot, a re-rack and a forfeit."""
    referees = isinstance(line, ForfeitLine) or (isinstance(line, DecisionLine) and line.option in NOBODYS)
    return REFEREE if referees else f"player {frame.striker}"


def result_words(step: Step) -> tuple[str, ...]:
    """What the referee says of an entry, in parts that can be checked one by one; () if a decision changes no score."""
    before, after, ruling = step.before, step.after, step.ruling
    parts: list[str] = []
    if ruling is not None and ruling.foul:
        parts += [f"foul and a miss {ruling.penalty}" if ruling.miss else f"foul {ruling.penalty}"]
        parts += [foul.name for foul in ruling.fouls]
        parts += ["warned"] if ruling.warned else []
        parts += ["last miss next"] if ruling.last_miss_next else []
        parts += ["free ball"] if ruling.free_ball else []
    elif ruling is not None:
        parts.append({0: "no points", 1: "1 point"}.get(ruling.points, f"{ruling.points} points"))
    if after.phase == "respotted" and before.phase != "respotted":
        parts.append("black re-spotted")
    if after.is_over:
        parts.append("frame tied" if after.state.winner < 0 else f"frame to side {after.state.winner}")
    if parts or after.scores != before.scores:
        parts.append(":".join(str(points) for points in after.scores))
    return tuple(parts)


# --- reading ---------------------------------------------------------------------------------------------------------


class _Source(NamedTuple):
    """A part of a line and the line's number."""

    line: int
    text: str


@dataclass
class _Block:
    """The lines of one record, sorted by what they are."""

    tags: list[tuple[_Source, str]] = field(default_factory=list)  # name, value
    entries: list["_Lines"] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)  # that no entry has followed yet


@dataclass
class _Lines:
    """The lines of one entry."""

    number: int
    subject: str
    words: _Source
    comments: tuple[str, ...]
    shot: _Source | None = None
    after: _Source | None = None


def read_records(path: str | os.PathLike[str], *, table: "Table | None" = None) -> tuple[Record, ...]:
    """The records in a file; ValueError names the file, the line and what was expected, OSError if it is not there."""
    text = read_text(path)
    try:
        return parse_records(text, table)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def parse_records(text: str, table: "Table | None" = None) -> tuple[Record, ...]:
    """The records written in `text`; ValueError names the line and what was expected there."""
    if not isinstance(text, str):
        raise TypeError(f"text = {text!r:.80}: expected str, the text of a record")
    table = check_table(table)
    blocks = _blocks(text)
    if not blocks:
        raise ValueError(f'no record: expected tags such as [{RULES} "snooker/current"] and then entries')
    return tuple(_record(block, table) for block in blocks)


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Tell which line is wrong."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"line {line}: {error}") from None


def _blocks(text: str) -> list[_Block]:
    """The lines of each record; tags after anything else begin a new one."""
    blocks = [_Block()]
    in_tags = True
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        is_tag = line.startswith("[")
        if is_tag and not in_tags and blocks[-1].tags:
            blocks.append(_Block())
        in_tags = is_tag
        with _at(number):
            _sort_line(blocks[-1], number, line)
    return [block for block in blocks if block.tags]


def _sort_line(block: _Block, number: int, line: str) -> None:
    """Put a line where it belongs."""
    word, _, rest = line.partition(" ")
    if not line:
        return
    if line.startswith(COMMENT):
        block.comments.append(line.removeprefix(COMMENT).strip())
    elif line.startswith("["):
        block.tags.append(_tag(number, line))
    elif word in (SHOT, AFTER):
        _add_detail(block, word, _Source(number, rest))
    elif not block.tags:
        raise ValueError(f'{line!r:.60}: expected a tag first, such as [{RULES} "snooker/current"]')
    else:
        block.entries.append(_entry_of(number, line, tuple(block.comments)))
        block.comments.clear()


def _tag(number: int, line: str) -> tuple[_Source, str]:
    found = TAG.fullmatch(line)
    if not found:
        raise ValueError(f'{line!r:.60}: expected a tag such as [Event "Club night"]')
    return _Source(number, found[1]), re.sub(r"\\(.)", r"\1", found[2])


def _entry_of(number: int, line: str, comments: tuple[str, ...]) -> _Lines:
    found = ENTRY.fullmatch(line)
    if not found:
        raise ValueError(f"{line!r:.60}: expected {EXPECTED_LINE}")
    return _Lines(int(found[1]), found[2], _Source(number, found[3]), comments)


def _add_detail(block: _Block, word: str, source: _Source) -> None:
    if not block.entries or block.comments:
        raise ValueError(f"{word!r}: expected right below the entry that it belongs to")
    if getattr(block.entries[-1], word) is not None:
        raise ValueError(f"{word!r} is given twice for one entry")
    setattr(block.entries[-1], word, source)


def _record(block: _Block, table: "Table") -> Record:
    start = _start(block, table)
    tags = tuple((source.text, value) for source, value in block.tags if source.text not in START_TAGS)
    with _at(block.tags[0][0].line):
        record = Record(start, (), tags, tuple(block.comments))
    for number, lines in enumerate(block.entries, 1):
        record = _with_lines(record, number, lines)
    return record


def _start(block: _Block, table: "Table") -> Frame:
    """The frame that the tags say the record starts with."""
    own: dict[str, tuple[_Source, str]] = {}
    for source, value in block.tags:
        with _at(source.line):
            if source.text in own:
                raise ValueError(f"tag {source.text} is given twice")
        own[source.text] = source, value
    with _at(block.tags[0][0].line):
        if RULES not in own:
            raise ValueError(f'the tags lack {RULES}: expected one such as [{RULES} "snooker/current"]')
        if START in own and FIRST in own:
            raise ValueError(f"tags {START} and {FIRST}: expected one of them, {START} says who plays")
    if START in own:
        return _start_told(own, table)
    with _at(own[RULES][0].line):
        ruleset = parse_rules(own[RULES][1], f"tag {RULES}")
    source, value = own.get(FIRST, (own[RULES][0], "0"))
    with _at(source.line):
        if value not in map(str, range(ruleset.n_players)):
            raise ValueError(f"tag {FIRST} {value!r:.60}: expected a player, 0 to {ruleset.n_players - 1}")
        return opening(ruleset, table, int(value))


def _start_told(own: dict[str, tuple[_Source, str]], table: "Table") -> Frame:
    """The frame of the tag Start, which must be played by the rules of the tag Rules."""
    source, text = own[START]
    with _at(source.line):
        frame = Frame.from_text(text, table=table)
        head = text.split()[0]
        if own[RULES][1] != head:
            raise ValueError(f"tag {START} is of {head}, tag {RULES} says {own[RULES][1]!r:.60}: expected the same")
        return frame


def _with_lines(record: Record, number: int, lines: _Lines) -> Record:
    """The record with the entry that the lines tell, found to agree with what they say of the ruling."""
    words, arrow, result = lines.words.text.partition(ARROW)
    with _at(lines.words.line):
        if lines.number != number:
            raise ValueError(f"numbered {lines.number}, expected {number}")
        line = parse_line(record.final, words)
        subject = subject_of(record.final, line)
        if lines.subject != subject:
            raise ValueError(f"{lines.subject!r} acts, expected {subject!r}")
    shot: Shots | None = None
    moved: tuple[Moved, ...] = ()
    if lines.shot is not None:
        with _at(lines.shot.line):
            shot = _shot(lines.shot.text)
    if lines.after is not None:
        with _at(lines.after.line):
            moved = _after(lines.after.text)
    with _at(lines.words.line):
        record = record.with_entry(RecordEntry(line, shot, moved, lines.comments))
        if arrow:
            _check_result(record.steps[-1], result)
    return record


def _shot(text: str) -> Shots:
    """The shot written as name=value for each of its numbers."""
    found = _pairs(text)
    if tuple(found) != SHOT_FIELDS:
        raise ValueError(f"{SHOT} {text!r:.80}: expected {' '.join(f'{name}=…' for name in SHOT_FIELDS)}")
    return Shots(**{name: parse_number(value, name) for name, value in found.items()})


def _after(text: str) -> tuple[Moved, ...]:
    """The places written as ball=x,y."""
    found = _pairs(text)
    for name in found:
        if name not in BALL_WORDS:
            raise ValueError(f"{AFTER} {name!r}: expected a ball, such as cue, black or red3")
    return tuple((BALL_WORDS.index(name), *parse_place(value, f"{AFTER} {name}")) for name, value in found.items())


def _pairs(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in text.split() or [""]:
        name, equals, value = word.partition("=")
        if not equals or name in found:
            raise ValueError(f"{word!r}: expected name=value, each name once")
        found[name] = value
    return found


def _check_result(step: Step, text: str) -> None:
    """Refuse a ruling that the referee does not give; it need not be complete."""
    expected = result_words(step)
    for part in text.split(","):
        if part.strip() not in expected:
            ruled = ", ".join(expected) or "nothing"
            raise ValueError(f"{part.strip()!r} contradicts the referee: expected {ruled}")
