"""Records: read back exactly, replayed by the referee, and refused with the line that is wrong."""

import contextlib
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
import simcore
from rules.records.record import Record
from rules.records.text import print_records
from rules.ruleset import MAX_BALLS
from rules.state import OBSERVED_NAMES, Facts
from rules.steps import DecisionLine, ForfeitLine, RecordEntry, StrokeLine
from tests.rules.records.test_lines import bare
from tests.rules.records.test_record import record_of

FRAME = rules.Frame.start()
HEAD = '[Rules "snooker/current"]\n\n'
STROKE = HEAD + "1. player 0: first red; placed 0.8,0.6\n"
STARTS = (
    FRAME,
    rules.Frame.start(edition="es", striker=1),
    rules.Frame.start(n_players=4, striker=2),
    rules.Frame.start(n_players=3, n_sides=3, edition="1995", miss_level=2),
    *(rules.Frame.named(name) for name in ("mid_frame", "last_red", "colours_only")),
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=12).filter(lambda text: text.isprintable())
COMMENTS = st.lists(TEXT.map(str.strip), max_size=2).map(tuple)
TAGS = st.dictionaries(st.sampled_from(("Event", "Date", "Site", "Frame")), TEXT, max_size=3)


def some(rng, mask, most):
    """A few balls of a set."""
    balls = [ball for ball in range(MAX_BALLS) if mask >> ball & 1]
    return sum(1 << ball for ball in rng.sample(balls, min(len(balls), rng.randint(0, most))))


def random_facts(rng, frame, nominated):
    """Facts of a stroke that may well have happened: every other one is a fair pot."""
    on_table = frame.state.on_table & ~1
    on = sum(1 << ball for ball in frame.balls_on(nominated)[:1])
    fair = on and rng.random() < 0.5
    first = on if fair else some(rng, on_table, 2)
    potted = on if fair else some(rng, on_table if first else 0, 2) | (rng.random() < 0.2)
    inside = frame.cue_in_hand and rng.random() < 0.8
    return Facts(
        first_contacts=first,
        potted=potted,
        off_table=some(rng, on_table & ~potted, 1) if rng.random() < 0.1 else 0,
        touched=some(rng, on_table, 1) if rng.random() < 0.2 else 0,
        observed=1 << rng.randrange(len(OBSERVED_NAMES)) if rng.random() < 0.3 else 0,
        played_by=rng.randrange(frame.ruleset.n_players) if rng.random() < 0.1 else -1,
        placed_x=rng.uniform(0.65, 1.1) if inside else math.nan,
        placed_y=rng.uniform(0.5, 0.75) if inside else math.nan,
        nearest_gap=rng.choice((math.nan, rng.random())),
    )


def random_entry(rng, frame, comments):
    """A stroke, or a decision where one is due and now and then elsewhere."""
    if rng.random() < 0.03:
        lines = [*map(DecisionLine, frame.decisions), ForfeitLine(rng.randrange(frame.ruleset.n_players))]
        return RecordEntry(rng.choice(lines), comments=comments)
    if frame.options:
        return RecordEntry(DecisionLine(rng.choice(frame.options)), comments=comments)
    balls = [ball for ball in (0, rng.randrange(MAX_BALLS)) if rng.random() < 0.5]
    moved = {ball: (rng.uniform(0.1, 1.6), rng.uniform(0.1, 3.4)) for ball in balls}
    shot = simcore.Shots(rng.uniform(0, 9), rng.uniform(-6, 6), rng.random(), rng.uniform(-1, 1), rng.gauss(0, 0.2))
    nominated = rng.choice(frame.nominations() or (None,))
    return RecordEntry(
        StrokeLine(random_facts(rng, frame, nominated), nominated, rng.choice(("", "safety", "black"))),
        rng.choice((None, shot)),
        tuple((ball, *place) for ball, place in moved.items()),
        comments,
    )


@st.composite
def records(draw):
    """A record of random entries that the referee took; those that he refuses are left out."""
    record = Record(draw(st.sampled_from(STARTS)), (), tuple(draw(TAGS).items()), draw(COMMENTS))
    rng = draw(st.randoms(use_true_random=True))
    comments = draw(COMMENTS)
    for _ in range(rng.randint(1, 20)):
        if record.final.is_over:
            break
        with contextlib.suppress(ValueError):
            record = record.with_entry(random_entry(rng, record.final, rng.choice(((), comments))))
    return record


def exact(record):
    """All that a record says, nan made comparable."""
    return repr([(bare(entry.line), entry.shot, entry.moved, entry.comments) for entry in record.entries])


@given(st.lists(records(), min_size=1, max_size=2))
@settings(deadline=None, max_examples=100)
def test_reading_inverts_writing(many):
    text = print_records(many)
    again = rules.parse_records(text)
    assert list(again) == many
    assert [exact(record) for record in again] == [exact(record) for record in many]
    assert print_records(again) == text
    for one, other in zip(again, many, strict=True):
        assert one.final == other.final
        assert [step.ruling for step in one.steps] == [step.ruling for step in other.steps]


def test_the_text_of_the_docstring_is_a_record():
    import rules.records.text

    text = rules.records.text.__doc__.partition("\n\n")[2].partition("\nTags come")[0]
    record = Record.from_text(text)
    assert record.text.split() == text.split()
    assert record.players == ("Ann", "Bob")
    assert record.final.state.winner == 0


def test_a_record_made_by_hand_reads_as_written():
    record = record_of("first red 1; pot red 1; placed 0.8,0.6", "nominated black; first black; pot black")
    assert record.text == (
        '[Rules "snooker/current"]\n\n'
        "1. player 0: first red 1; pot red 1; placed 0.8,0.6 -> 1 point, 1:0\n"
        "2. player 0: first black; pot black; nominated black -> 7 points, 8:0\n"
    )
    assert repr(record) == "<record of 2 entries, 8:0>"


def test_who_opens_and_other_rules_are_in_the_tags():
    for start, tags in (
        (rules.Frame.start(striker=1), '[Rules "snooker/current"]\n[First "1"]\n'),
        (rules.Frame.start(edition="1995", n_players=4), '[Rules "snooker/1995 rule.n_players=4"]\n'),
        (
            rules.Frame.start(ball_radius=0.026, carried=(3, 4), respot_on_tie=0),
            '[Rules "snooker/current rule.respot_on_tie=0 rule.carried=3,4 rule.ball_radius=0.026"]\n',
        ),
        (
            rules.Frame.start(striker=1, handicap=(21,)),
            '[Rules "snooker/current rule.handicap=21,0"]\n[First "1"]\n',
        ),
    ):
        assert Record(start).text == tags
        assert Record.from_text(tags).start == start
    start = rules.Frame.named("last_red")
    assert Record(start).text == f'[Rules "snooker/current"]\n[Start "{start.text}"]\n'


def test_less_may_be_written_than_is_known():
    full = record_of("first red 1; placed 0.8,0.6", "nothing", "decide play", start=FRAME)
    assert Record.from_text(f"{HEAD}1. player 0: first red; placed 0.8,.6\n2. player 1: nothing\n\n"
                            "3. player 0:  decide  play") == full  # fmt: skip
    assert Record.from_text(f"{HEAD}1. player 0: first red; placed 0.8,0.6 -> 0:0\n2. player 1: nothing ->"
                            " 4:0, foul and a miss 4\n3.  player 0: decide play\n") == full  # fmt: skip


def test_lines_may_end_as_on_windows(tmp_path):
    record = record_of("first red 1; placed 0.8,0.6", tags=(("Event", "Café"),))
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbf" + record.text.replace("\n", "\r\n").encode())
    assert rules.read_records(path) == (record,)


def test_files_hold_one_record_or_several(tmp_path):
    path = tmp_path / "match.txt"
    many = [record_of("concede", tags=(("Frame", str(i)),), comments=("over",)) for i in (1, 2)]
    rules.write_records(path, many)
    assert rules.read_records(path) == tuple(many)
    with pytest.raises(ValueError, match="2 frames, expected one"):
        Record.from_text(path.read_text())


# --- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["no record", '[Rules "snooker/current"]']),
        ("# only a comment", ["no record"]),
        ("1. player 0: first red", ["line 1", "'1. player 0: first red'", "expected a tag first"]),
        ('[Event "a]', ["line 1", "expected a tag such as"]),
        ('[event "a"]\n[Rules "snooker/current"]', ["line 1", "tag 'event'", "a capital first"]),
        ('[Event "a"]', ["line 1", "the tags lack Rules"]),
        ('[Event "a"]\n[Event "b"]\n[Rules "snooker/current"]', ["line 2", "tag Event is given twice"]),
        ('[Rules "snooker/current"]\n[Rules "snooker/current"]', ["line 2", "tag Rules is given twice"]),
        ('[Rules "snooker"]', ["line 1", "'snooker'", "game/edition"]),
        ('[Rules ""]', ["line 1", "''", "game/edition"]),
        ('[Rules "chess/current"]', ["line 1", "'chess'", "snooker"]),
        ('[Rules "snooker/2030"]', ["line 1", "'2030'", "1995"]),
        ('[Rules "snooker/current n_reds=6"]', ["line 1", "'n_reds=6'", "rule.n_players=4"]),
        ('[Rules "snooker/current rule.n_reds=six"]', ["line 1", "tag Rules: rule.n_reds 'six'"]),
        ('[Rules "snooker/current rule.ball_radius=0_1"]', ["line 1", "rule.ball_radius '0_1'"]),
        ('[Rules "snooker/current rule.colour=6"]', ["line 1", "'colour'"]),
        ('[Rules "snooker/current"]\n[First "2"]', ["line 2", "tag First '2'", "0 to 1"]),
        ('[Rules "snooker/current"]\n[First "x"]', ["line 2", "tag First 'x'"]),
        (f'[First "1"]\n[Rules "snooker/current"]\n[Start "{FRAME.text}"]', ["line 1", "tags Start and First"]),
        ('[Rules "snooker/current"]\n[Start "snooker/current"]', ["line 2", "frame text"]),
        (f'[Rules "snooker/es"]\n[Start "{FRAME.text}"]', ["line 2", "snooker/current", "snooker/es"]),
        ('[Rules "snooker/current"]\n[Players "A; B; C"]', ["tag Players: 3 names, expected 2"]),
        (HEAD + "first red", ["line 3", "'first red'", "an entry such as"]),
        (HEAD + "1. player 0: frist red", ["line 3", "'frist red'"]),
        (HEAD + "2. player 0: first red; placed 0.8,0.6", ["line 3", "numbered 2, expected 1"]),
        (HEAD + "1. player 1: first red; placed 0.8,0.6", ["line 3", "'player 1' acts, expected 'player 0'"]),
        (HEAD + "1. player 0: forfeit 0", ["line 3", "'player 0' acts, expected 'referee'"]),
        (HEAD + "1. referee: forfeit 7", ["line 3", "expected a player"]),
        (HEAD + "1. player 0: first red", ["line 3", "the cue ball was in hand"]),
        (HEAD + "1. player 0: decide play", ["line 3", "'play' was not offered"]),
        (HEAD + "1. player 0: concede\n2. player 0: first red", ["line 4", "the frame is over"]),
        (HEAD + "1. player 0: first red; placed 0.8,0.6 -> 1 point, 1:0", ["line 3", "'1 point' contradicts",
                                                                          "expected no points, 0:0"]),
        (HEAD + "1. player 0: first black; placed 0.8,0.6 -> foul 4", ["line 3", "expected foul and a miss 7, wrong_"]),
        (HEAD + "1. player 0: first red; placed 0.8,0.6 ->", ["line 3", "'' contradicts"]),
        (HEAD + "1. player 0: concede -> frame to side 0", ["line 3", "expected frame to side 1, 0:0"]),
        (HEAD + "shot V0=1.0 phi=1.0 theta=0.0 a=0.0 b=0.0", ["line 3", "'shot'", "below the entry"]),
        (STROKE + "# so\nafter cue=1.0,1.0", ["line 5", "'after'", "below"]),
        (STROKE + "after cue=1,1\nafter cue=1,2", ["line 5", "'after' is given"]),
        (STROKE + "shot V0=1.0 phi=1.0", ["line 4", "V0=… phi=… theta=… a=… b=…"]),
        (STROKE + "shot V0=-1 phi=1 theta=0 a=0 b=0", ["line 4", "V0"]),
        (STROKE + "shot V0=x phi=1 theta=0 a=0 b=0", ["line 4", "V0 'x'"]),
        (STROKE + "after", ["line 4", "''", "name=value"]),
        (STROKE + "after red 3=1,1", ["line 4", "'red'", "name=value"]),
        (STROKE + "after cue=1,1 cue=1,1", ["line 4", "each name once"]),
        (STROKE + "after white=1,1", ["line 4", "'white'", "red3"]),
        (STROKE + "after cue=1", ["line 4", "after cue '1'", "x,y in metres"]),
        (STROKE + "after cue=1,nan", ["line 4", "after cue 'nan'"]),
        (STROKE + "after cue=9,9", ["line 3", "cue"]),
        (HEAD + "1. player 0: first red; pot red; placed 0.8,0.6\nafter red1=1,1", ["line 3", "red 1 is not on the"]),
        (HEAD + "1. player 0: concede\nafter red1=1,1", ["line 3", "'concede' is no stroke"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(text, words):
    with pytest.raises(ValueError, match=r"line \d+: |no record") as error:
        rules.parse_records(text)
    for word in words:
        assert word in str(error.value)
    assert str(error.value).count("line ") <= 1


def test_a_wrong_file_is_named(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(HEAD + "1. player 0: sing")
    with pytest.raises(ValueError, match=r"a\.txt: line 3: 'sing'"):
        rules.read_records(path)
    path.write_bytes(b"\xff")
    with pytest.raises(ValueError, match=r"a\.txt: not UTF-8"):
        rules.read_records(path)
    with pytest.raises(FileNotFoundError):
        rules.read_records(tmp_path / "b.txt")
