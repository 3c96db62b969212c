"""Replacing files: the old content or the new, never half of it, and nothing left behind."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.store.fs import atomic_write
from intentls.store.fs.atomic_write import (
    fsync_dir,
    overwrite_part,
    read_at,
    replace_bytes,
    sweep_temporaries,
    sync,
    write_all,
    write_at,
    write_new,
)
from intentls.store.fs.file_lock import try_lock

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="permission bits are POSIX's")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_made_or_replaced_as_a_whole(tmp_path: Path) -> None:
    """And nothing but the file is left."""
    target = tmp_path / "a.json"
    replace_bytes(target, b"one")
    replace_bytes(target, b"two", durable=True)
    assert target.read_bytes() == b"two"
    assert names(tmp_path) == ["a.json"]


@posix_only
def test_the_mode_is_the_given_one_or_that_of_any_new_file(tmp_path: Path) -> None:
    """A secret must not become readable because it was written anew."""
    replace_bytes(tmp_path / "secret", b"x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    (tmp_path / "usual").touch()
    replace_bytes(tmp_path / "plain", b"x")
    assert (tmp_path / "plain").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_failed_write_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full half way through."""
    target = tmp_path / "a.json"
    target.write_bytes(b"old")
    real = os.write
    room = [2]

    def write(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        room[0] -= (written := real(descriptor, data[: room[0]]))
        return written

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="No space"):
        replace_bytes(target, b"the new content")
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["a.json"]


def test_a_folder_in_the_way_is_an_error_and_nothing_is_left(tmp_path: Path) -> None:
    """Nothing takes a folder's place."""
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError, match="a"):
        replace_bytes(tmp_path / "a", b"x")
    assert names(tmp_path) == ["a"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """What it points to is none of our business."""
    (tmp_path / "elsewhere").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to("elsewhere")
    replace_bytes(tmp_path / "link", b"ours")
    assert (tmp_path / "elsewhere").read_bytes() == b"theirs"
    assert not (tmp_path / "link").is_symlink()


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    """`write_new` refuses what exists, a dangling link too."""
    (tmp_path / "a").touch()
    (tmp_path / "b").symlink_to("nowhere")
    for name in "ab":
        with pytest.raises(FileExistsError):
            write_new(tmp_path / name, b"x")


def test_a_write_that_the_system_cuts_short_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a file and in its middle."""
    real_write, real_pwrite = os.write, getattr(os, "pwrite", None)
    monkeypatch.setattr(os, "write", lambda descriptor, data: real_write(descriptor, data[:3]))
    if real_pwrite is not None:
        monkeypatch.setattr(os, "pwrite", lambda descriptor, data, at: real_pwrite(descriptor, data[:3], at))
    descriptor = os.open(tmp_path / "a", os.O_RDWR | os.O_CREAT)
    write_all(descriptor, b"0123456789")
    write_at(descriptor, b"abcdefg", 2)
    os.close(descriptor)
    assert (tmp_path / "a").read_bytes() == b"01abcdefg9"


def test_bytes_are_read_and_written_in_place_without_special_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no pwrite."""
    monkeypatch.setattr(atomic_write, "_HAS_PWRITE", False)
    descriptor = os.open(tmp_path / "a", os.O_RDWR | os.O_CREAT)
    write_all(descriptor, b"0123456789")
    write_at(descriptor, b"abc", 2)
    assert read_at(descriptor, 4, 1) == b"1abc"
    assert read_at(descriptor, 99, 8) == b"89"
    assert read_at(descriptor, 1, 99) == b""
    os.close(descriptor)


def test_durable_content_is_synced_before_its_name_and_the_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a power cut could leave the new name on an empty file."""
    calls: list[str] = []
    real_fsync, real_replace = os.fsync, os.replace

    def fsync(descriptor: int) -> None:
        calls.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "content")
        real_fsync(descriptor)

    def replace(*args: object, **more: object) -> None:
        calls.append("name")
        real_replace(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    replace_bytes(tmp_path / "a", b"x", durable=True)
    assert calls == ["content", "name", "folder"]
    calls.clear()
    replace_bytes(tmp_path / "a", b"x")
    assert calls == ["name"]


def test_a_file_system_that_cant_sync_folders_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some network file systems say EINVAL; any other error is one."""

    def fail(number: int) -> None:
        def fsync(_: int) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", fsync)

    fail(errno.EINVAL)
    fsync_dir(tmp_path)
    fail(errno.EIO)
    with pytest.raises(OSError, match="Input/output"):
        fsync_dir(tmp_path)


def test_syncing_works_on_this_system(tmp_path: Path) -> None:
    """Whatever its call is."""
    descriptor = os.open(tmp_path / "a", os.O_RDWR | os.O_CREAT)
    sync(descriptor)
    os.close(descriptor)


# --- what a killed process leaves


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    """Not what somebody is writing now, nor what only looks like it."""
    left = tmp_path / ".a.json.0123456789ab.tmp"
    for name in (left.name, "a.json", ".a.json.tmp", ".a.json.0123456789AB.tmp", "a.0123456789ab.tmp"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / ".folder.0123456789ab.tmp").mkdir()
    at_work = tmp_path / ".b.json.0123456789ab.tmp"
    with at_work.open("wb") as file:
        assert atomic_write.try_lock(file.fileno())
        before = names(tmp_path)
        sweep_temporaries(tmp_path)
        assert names(tmp_path) == [name for name in before if name != left.name]
    sweep_temporaries(tmp_path / "missing")


def test_a_writer_shows_that_it_is_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sweeps meanwhile leaves its file alone."""
    real = os.write

    def write_and_sweep(descriptor: int, data: bytes) -> int:
        sweep_temporaries(tmp_path)
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write_and_sweep)
    replace_bytes(tmp_path / "a", b"whole")
    assert (names(tmp_path), (tmp_path / "a").read_bytes()) == (["a"], b"whole")


@posix_only
def test_a_temporary_file_that_a_starting_program_holds_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The killed writer was just starting git, and a forked process has all locks of its parent."""
    monkeypatch.setattr(atomic_write, "_SWEEP_PATIENCE_S", 20)
    with open(tmp_path / ".a.json.0123456789ab.tmp", "wb") as file:
        assert try_lock(file.fileno())
        starting = subprocess.Popen(["sh", "-c", "sleep 0.2"], pass_fds=[file.fileno()])
    sweep_temporaries(tmp_path)
    assert names(tmp_path) == []
    assert starting.wait() == 0


def test_a_writer_that_was_swept_in_the_last_moment_writes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between writing and renaming nobody holds the file."""
    real, swept = Path.replace, []

    def sweep_and_replace(source: Path, target: Path) -> Path:
        if not swept:
            sweep_temporaries(tmp_path)
            swept.append(source)
        return real(source, target)

    monkeypatch.setattr(Path, "replace", sweep_and_replace)
    replace_bytes(tmp_path / "a", b"whole")
    assert (len(swept), names(tmp_path), (tmp_path / "a").read_bytes()) == (1, ["a"], b"whole")


def test_a_writer_that_is_swept_every_time_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the system's own error, and the old content stays."""
    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", lambda source, _: source.unlink() or source.stat())
    with pytest.raises(FileNotFoundError):
        replace_bytes(tmp_path / "a", b"new")
    assert (names(tmp_path), (tmp_path / "a").read_bytes()) == (["a"], b"old")


def test_a_folder_that_is_missing_is_an_error_at_once(tmp_path: Path) -> None:
    """There is nothing to try again."""
    with pytest.raises(FileNotFoundError):
        replace_bytes(tmp_path / "missing" / "a", b"x")


@given(st.binary(min_size=1, max_size=12), st.data())
def test_only_what_differs_is_overwritten(before: bytes, data: st.DataObject) -> None:
    """One write, from the first byte that differs to the last one."""
    after = data.draw(st.binary(min_size=len(before), max_size=len(before)).filter(lambda other: other != before))
    different = [index for index in range(len(before)) if before[index] != after[index]]
    assert atomic_write._difference(before, after) == (different[0], different[-1] + 1)


def test_a_part_is_overwritten_in_the_same_file(tmp_path: Path) -> None:
    """The file keeps its identity, and no name comes or goes beside it."""
    file, stamp = tmp_path / "map.json", (1, 1)
    before, after = b"x" * 5000 + b"1" + b"x" * 5000, b"x" * 5000 + b"2" + b"x" * 5000
    file.write_bytes(before)
    os.utime(tmp_path, ns=stamp)
    inode = file.stat().st_ino
    assert overwrite_part(file, before, after)
    assert (file.read_bytes(), file.stat().st_ino, tmp_path.stat().st_mtime_ns) == (after, inode, 1)


def test_nothing_is_overwritten_where_a_kill_could_leave_half(tmp_path: Path) -> None:
    """Another length, more than a page of memory, another file than expected, a second name, a folder."""
    file = tmp_path / "map.json"
    page = b"x" * 4096
    file.write_bytes(page + page)
    assert not overwrite_part(file, page + page, page + page + b"1")
    assert not overwrite_part(file, page + page, page[:-1] + b"12" + page[:-1])
    assert not overwrite_part(file, page, b"y" + page[1:])
    assert not overwrite_part(file, page + page, b"y" * 8192)
    (tmp_path / "second").hardlink_to(file)
    assert not overwrite_part(file, page + page, b"y" + page[1:] + page)
    assert file.read_bytes() == page + page
    with pytest.raises(OSError, match="map"):
        overwrite_part(tmp_path / "other" / "map.json", b"1", b"2")


@posix_only
def test_a_part_of_what_is_no_file_is_not_overwritten(tmp_path: Path) -> None:
    """A FIFO is not waited for, a link is not followed."""
    os.mkfifo(tmp_path / "fifo")
    assert not overwrite_part(tmp_path / "fifo", b"1", b"2")
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(OSError, match="link"):
        overwrite_part(tmp_path / "link", b"1", b"2")
    assert (tmp_path / "file").read_bytes() == b"1"
