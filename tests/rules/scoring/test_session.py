"""A session keeps its match in a file, is left only when nothing is lost by it, and says how."""

import pytest

import rules
from rules.scoring.session import FILE_HELP, is_record

PLAYERS = {"players": ["Ann", "Bob"]}


def scores(path):
    return rules.match_of(rules.read_records(path)).frame.scores


def test_every_line_is_kept(tmp_path):
    path = tmp_path / "match.txt"
    session = rules.Session.start(path, **PLAYERS)
    assert session.where_kept() == f"the match is in {path}"
    session.enter("score")
    assert not path.exists()
    for line, points in (("r", (1, 0)), ("bk", (8, 0)), ("undo", (1, 0))):
        session.enter(line)
        assert scores(path) == points
    again = rules.Session.resume(path)
    again.enter("gr")
    assert scores(path) == (4, 0)


def test_a_match_kept_nowhere_is_left_on_the_second_word(tmp_path):
    session = rules.Session.start(**PLAYERS)
    session.enter("r")
    assert session.where_kept() == "the match was not saved"
    for _ in range(2):
        assert session.enter("quit")[0].startswith("! not saved")
        assert not session.is_ended
        session.enter("score")
    assert session.enter("quit")
    assert session.enter("QUIT") == []
    assert session.is_ended
    untouched = rules.Session.start(**PLAYERS)
    assert (untouched.enter("quit"), untouched.is_ended, untouched.where_kept()) == ([], True, "")


def test_help_names_the_words_of_the_session():
    assert rules.Session.start().enter("help")[-1] == FILE_HELP
    assert "save FILE" in FILE_HELP
    assert "quit" in FILE_HELP


def test_lines_end_at_quit_or_at_the_first_that_is_wrong():
    shown = []
    session = rules.Session.start(**PLAYERS)
    assert session.run_lines(["r", "", "bk", "quit", "zz"], shown.append) == ""
    assert [text.splitlines()[0] for text in shown] == ["> r", "> bk"]
    assert session.run_lines(["r", "zz", "r"], shown.append, "a.txt: ").startswith("a.txt: line 2: 'zz' is not known")
    assert session.scorer.match.frame.scores == (9, 0)


def test_another_file_is_not_overwritten(tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("old")
    with pytest.raises(ValueError, match="there is such a file"):
        rules.Session.start(other)
    with pytest.raises(ValueError, match="there is such a file"):
        rules.Session.start().enter(f"save {other}")
    with pytest.raises(ValueError, match="expected the name of a file"):
        rules.Session.start().enter("save")
    assert other.read_text() == "old"


def test_a_record_has_tags():
    assert is_record('# a match\n [Rules "snooker/current"]')
    assert not is_record("r\n# [no tag]\nbk")


def test_a_line_that_cannot_be_saved_is_not_taken(tmp_path):
    folder = tmp_path / "d"
    folder.mkdir()
    session = rules.Session.start(folder / "m.txt", **PLAYERS)
    session.enter("r")
    (folder / "m.txt").unlink()
    folder.rmdir()
    with pytest.raises(OSError, match="d"):
        session.enter("bk")
    assert session.scorer.match.frame.scores == (1, 0)
    session.enter(f"save {tmp_path / 'other.txt'}")
    session.enter("bk")
    assert scores(tmp_path / "other.txt") == (8, 0)


def test_a_file_that_something_else_changed_is_not_overwritten(tmp_path):
    path = tmp_path / "m.txt"
    session = rules.Session.start(str(path), **PLAYERS)
    session.enter("r")
    again = rules.Session.resume(path)
    session.enter("bk")
    with pytest.raises(ValueError, match="was changed by something else"):
        again.enter("gr")
    assert again.scorer.match.frame.scores == (1, 0)
    assert scores(path) == (8, 0)
    again.enter(f"save {tmp_path / 'other.txt'}")
    again.enter("gr")
    assert scores(tmp_path / "other.txt") == (4, 0)
