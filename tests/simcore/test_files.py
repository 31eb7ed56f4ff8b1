"""simcore.files: whole files or none."""

import os
import stat
from pathlib import Path

import pytest

from simcore.files import same_file, writable_target, write_atomically


def test_writes_and_leaves_nothing_else(tmp_path):
    write_atomically(tmp_path / "a.txt", lambda p: p.write_text("new"))
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "new"


def test_writer_gets_the_suffix_and_the_folder(tmp_path):
    seen = []
    write_atomically(str(tmp_path / "a.tar.gz"), lambda p: (seen.append(p), p.write_bytes(b"x")))
    assert seen[0].suffix == ".gz"
    assert seen[0].parent == tmp_path


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_failure_halfway_keeps_the_old_file(tmp_path, error):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def writer(path: Path) -> None:
        path.write_text("half")
        raise error

    with pytest.raises(error):
        write_atomically(target, writer)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_writer_that_removes_its_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "a.txt", lambda p: p.unlink())
    assert list(tmp_path.iterdir()) == []


def test_permissions_are_the_users(tmp_path):
    target = tmp_path / "a.txt"
    previous = os.umask(0o027)
    try:
        write_atomically(target, lambda p: p.write_text("1"))
    finally:
        os.umask(previous)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    target.chmod(0o604)
    write_atomically(target, lambda p: p.write_text("2"))
    assert stat.S_IMODE(target.stat().st_mode) == 0o604


def test_symbolic_link_is_followed(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    write_atomically(link, lambda p: p.write_text("new"))
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_bad_targets_are_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileNotFoundError, match=r"nowhere/a\.txt.*no folder.*nowhere"):
        writable_target(tmp_path / "nowhere" / "a.txt")
    with pytest.raises(NotADirectoryError, match="is not a folder"):
        writable_target(tmp_path / "file" / "a.txt")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        write_atomically(tmp_path, lambda p: None)
    with pytest.raises(FileExistsError, match="not a regular file"):
        writable_target(os.devnull)


def test_folder_without_permission(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # real permissions do not stop root
    with pytest.raises(PermissionError, match="no permission"):
        write_atomically(tmp_path / "a.txt", lambda p: p.write_text(""))
    assert list(tmp_path.iterdir()) == []


def test_links_in_a_circle_are_named(tmp_path):
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(OSError, match=r"a\.txt.*circle"):
        writable_target(one)


def test_same_file(tmp_path):
    real = tmp_path / "a.txt"
    assert same_file(real, tmp_path / "sub" / ".." / "a.txt")
    real.write_text("")
    (tmp_path / "soft").symlink_to(real)
    (tmp_path / "hard").hardlink_to(real)
    assert same_file(real, tmp_path / "soft")
    assert same_file(tmp_path / "hard", real)
    assert not same_file(real, tmp_path / "b.txt")
