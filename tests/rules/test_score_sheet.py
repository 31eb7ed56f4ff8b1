"""A match scored by hand is kept as a match and as records, which agree and read back to the same match."""

import pytest

import rules
from rules.record_text import print_records
from rules.score_sheet import ScoreSheet, sheets_of
from rules.words import Choice, Told, parse_line


def scored(sheet, *lines):
    for line in lines:
        sheet = sheet.with_line(parse_line(sheet.begun().frame, line))
    return sheet


def reread(sheet):
    return sheets_of(rules.parse_records(print_records(sheet.records)))


PAIRS = ScoreSheet.start(["Al", "Bo", "Cy", "Di"], best_of=3, pairs=True)
MATCH = ScoreSheet.start(["Ann", "Bob"], best_of=3, edition="1995")


def test_the_match_and_the_records_tell_the_same():
    sheet = scored(MATCH, "first red; pot red", "first black; pot black; nominated black", "first red; intended safety")
    sheet = scored(sheet, "first blue", "decide play", "concede", "first red")
    assert sheet.frames[1].final == sheet.frame
    assert rules.match_records(sheet.match) == sheet.records
    assert sheet.frames[0].final.scores == sheet.match.results[0].scores == (13, 0)
    assert [entry.intended for entry in sheet.match.history] == ["", "", "safety", "", "", "", ""]
    assert sheet.match.striker == "Ann"
    assert [dict(record.tags) for record in sheet.records] == [
        {"Match": "best of 3", "Frame": "1", "Players": "Ann; Bob"},
        {"Frame": "2", "Players": "Ann; Bob"},
    ]


def test_read_back_it_is_the_same_match():
    sheet = scored(PAIRS.with_comment("Cy is late"), "first red; pot red", "concede")
    sheet = scored(sheet.begun(["Bo", "Cy", "Di", "Al"]), "first red", "nothing").with_comment("rain")
    sheets = reread(sheet)
    assert len(sheets) == 5
    assert sheets[-1].match.players == ("Al", "Bo", "Cy", "Di")
    assert sheets[-1].match.order == ("Bo", "Cy", "Di", "Al")
    assert sheets[-1].match == sheet.match
    assert sheets[-1].records == sheet.records
    assert sheets[0].match == PAIRS.match


def test_comments_belong_to_what_follows():
    sheet = scored(MATCH.with_comment("one").with_comment("two"), "first red").with_comment("three")
    assert reread(sheet)[-1].records == sheet.records
    assert sheet.records[-1].entries[0].comments == ("one", "two")
    assert sheet.records[-1].comments == ("three",)
    with pytest.raises(ValueError, match="printable"):
        MATCH.with_comment("a\nb")


def test_other_tags_are_kept_in_the_frames_that_follow():
    text = print_records(scored(MATCH, "concede").records).replace("[Frame", '[Event "Club night"]\n[Frame', 1)
    sheet = sheets_of(rules.parse_records(text))[-1]
    assert [dict(record.tags).get("Event") for record in sheet.begun().records] == ["Club night"] * 2
    assert [dict(record.tags).get("Match") for record in sheet.begun().records] == ["best of 3", None]


def test_comments_between_frames_belong_to_the_next():
    over, next_frame = print_records(scored(MATCH, "concede", "first red").records).split("\n\n[")
    sheet = sheets_of(rules.parse_records(f"{over}\n# lunch\n\n[{next_frame}"))[-1]
    assert sheet.records[1].entries[0].comments == ("lunch",)


def test_a_frame_opened_by_the_wrong_side_is_read_back():
    one, two = scored(MATCH, "concede", "first red").records
    wrong = rules.Record(rules.Frame.start(edition="1995", positions_known=0), two.entries, two.tags)
    sheet = sheets_of([one, wrong])[-1]
    assert (sheet.match.striker, sheet.match.number) == ("Bob", 1)


def test_what_is_refused_leaves_no_trace():
    with pytest.raises(ValueError, match="not offered"):
        MATCH.with_line(Choice("play"))
    over = scored(ScoreSheet.start(), "concede")
    assert over.begun() is over
    with pytest.raises(ValueError, match="the match is over"):
        over.with_line(Told(rules.facts(over.frame)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": ["Ann"]}, "n_players = 1"),
        ({"players": ["Ann", "Ann"]}, "named twice"),
        ({"players": ["Ann", ""]}, "not a name"),
        ({"players": ["Ann", "Bob; Cy"]}, "no comma or semicolon"),
        ({"players": ["Ann", "Bob"], "pairs": True}, "2 names, expected 4"),
        ({"best_of": 2}, "odd"),
        ({"edition": "1066"}, "edition '1066'"),
    ],
)
def test_settings_that_do_not_fit(settings, message):
    with pytest.raises(ValueError, match=message):
        ScoreSheet.start(**settings)


def test_records_of_something_else_are_refused():
    with pytest.raises(ValueError, match="no record"):
        sheets_of([])
    with pytest.raises(ValueError, match="frame 1: there is no tag Players"):
        sheets_of([rules.Record(rules.Frame.start(positions_known=0))])
    with pytest.raises(ValueError, match="positions_known"):
        sheets_of(rules.match_records(rules.Match.start(["Ann", "Bob"])))
    one, two = scored(MATCH, "concede", "concede").records
    for records in ([one, one], [two, one], [one, two, two]):
        with pytest.raises(ValueError, match=r"frame [123]: "):
            sheets_of(records)
