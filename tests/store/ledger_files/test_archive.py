"""Archives: the ledger's older part lies elsewhere, and not a byte, a record or a place in a chain is lost."""

from __future__ import annotations

import errno
import gzip
import json
import logging
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import LedgerUnavailable, StoreError
from intentls.core.hashing import content_hash
from intentls.core.ledger.archive_marker import KEY, TOOL_NAME, ArchiveMarker
from intentls.store.archiving import archiver
from intentls.store.archiving.archive_prefix import ArchiveAllBut, ArchiveBefore, LedgerPrefix, find_prefix
from intentls.store.archiving.archiver import ArchiveBusy, ArchiveMove, Archiver, LedgerChanged
from intentls.store.clock import timestamp
from intentls.store.fs.state_directory import sweep_state
from intentls.store.git.commits import is_on_another_branch
from intentls.store.git.head import Git
from intentls.store.git_segments.commits import SegmentCommits
from intentls.store.layout import Layout
from intentls.store.ledger import ledger as ledger_module
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger.open_segment import OpenSegment
from intentls.store.ledger_files import archive as archive_module
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable, archives
from intentls.store.ledger_files.archive_codec import MAX_BLOCK, BadBlock, Gzip, Zstd
from intentls.store.ledger_files.line_reader import opened
from tests.store.ledger.test_ledger import SPAWN, add, append_many, chains, ids, kinds, writers_of
from tests.store.segments.clones import clone, make_repository
from tests.support.ledgers import make_ledger
from tests.support.patience import PATIENCE_S

LONG = bool(os.environ.get("INTENTLS_LONG"))


@pytest.fixture(params=["zst", "gz"])
def suffix(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With and without the package zstandard."""
    if request.param == "gz":
        monkeypatch.setitem(sys.modules, "zstandard", None)
    suffix: str = request.param
    return suffix


def bridge_record(bridge: ArchiveMarker) -> dict[str, Any]:
    """With its time, so that it is the newest record, whoever wrote it."""
    return {"id": f"bridge to {bridge.file}", "timestamp": timestamp(), "tool_name": TOOL_NAME, KEY: bridge.to_json()}


def taken(root: Path) -> frozenset[str]:
    return SegmentCommits(Layout(root), Git(root)).taken()


def archive(root: Path, wish: ArchiveBefore | ArchiveAllBut, ledger: Ledger | None = None) -> ArchiveMove | None:
    """As the engine does it, but for the verification."""
    ledger = ledger or make_ledger(root)
    mover = Archiver(Layout(root), ledger)
    with mover.hold("a test"):
        ledger.move_over()
        finished = mover.finish("ada", bridge_record, taken(root))
        prefix = find_prefix(Layout(root), wish, taken(root))
        moved = mover.move(prefix, "ada", bridge_record) if prefix.lines else None
        return moved or finished


def live(root: Path) -> bytes:
    return Layout(root).ledger.read_bytes()


def carried(root: Path) -> dict[Path, bytes]:
    """The segments."""
    return {path: path.read_bytes() for path in sorted(Layout(root).trace.glob("*.jsonl"))}


def segment_of(root: Path) -> Path:
    """The only segment."""
    (path,) = carried(root)
    return path


def carried_lines(root: Path) -> list[bytes]:
    """The lines of all segments, sorted."""
    return sorted(line for data in carried(root).values() for line in data.splitlines())


def content(root: Path) -> bytes:
    """All that the archives hold."""
    return b"".join(block for each in archives(Layout(root)) for block in each.blocks())


def names(root: Path) -> list[str]:
    return [each.name for each in archives(Layout(root))]


def own_ids(ledger: Ledger) -> list[str]:
    """Without the bridges."""
    return [id_ for id_ in ids(ledger) if not id_.startswith("bridge")]


def is_sound(ledger: Ledger) -> bool:
    return ledger.verify().problems == ()


# --- moving and reading


def test_an_archived_ledger_reads_as_before(ledger: Ledger, root: Path, suffix: str) -> None:
    """From both ends, from the first record on, with the bridge as its newest record."""
    add(ledger, *map(str, range(20)))
    moved = archive(root, ArchiveAllBut(5))
    assert moved is not None
    assert names(root) == [moved.marker.file]
    assert moved.marker.file.startswith("0001-")
    assert moved.marker.file.endswith(f".jsonl.{suffix}")
    assert ids(ledger) == [*map(str, range(20)), f"bridge to {moved.marker.file}"]
    assert [record["id"] for record in ledger.newest_first()] == ids(ledger)[::-1]
    assert [seq for _, seq in chains(ledger)] == list(range(1, 22))
    assert len(writers_of(ledger)) == 1
    verification = ledger.verify()
    assert (verification.records, verification.problems) == (21, ())
    assert all(ledger.contains(str(number)) for number in range(20))
    assert not ledger.contains("20")


def test_every_byte_of_a_line_is_kept_in_its_place(ledger: Ledger, root: Path, suffix: str) -> None:
    """Archive and local file together are the ledger as it was, and then the bridge; a damaged line is a line, too."""
    add(ledger, *map(str, range(5)), text="\u00e4\u2028x")
    with segment_of(root).open("ab") as file:
        file.write(b'\n  \n{"torn\n')
    add(ledger, *map(str, range(5, 11)), text="\u00e4\u2028x")
    before = segment_of(root).read_bytes().replace(b"\n\n  \n", b"\n")
    assert before.count(b"\n") == 12
    assert ledger.size() == len(before)
    archive(root, ArchiveAllBut(3))
    assert (content(root) + live(root)).startswith(before)
    assert content(root).count(b"\n") == 9
    (bridge,) = (content(root) + live(root)).removeprefix(before).splitlines()
    assert json.loads(bridge)[KEY]["content_hash"] == content_hash(content(root))
    assert carried_lines(root) == sorted(live(root).splitlines())


def test_other_programs_can_read_an_archive(ledger: Ledger, root: Path, suffix: str) -> None:
    """`gunzip` and `zstd -d` see one file, of however many blocks."""
    add(ledger, *map(str, range(40)), text="x" * 100_000)
    archive(root, ArchiveAllBut(3))
    path = Layout(root).trace / names(root)[0]
    if suffix == "gz":
        assert gzip.decompress(path.read_bytes()) == content(root)
    else:
        import zstandard

        with path.open("rb") as file:
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            assert reader.read() == content(root)
    assert len(list(archives(Layout(root))[0].blocks())) == 4


def test_the_same_lines_make_the_same_archive(ledger: Ledger, root: Path, tmp_path: Path, suffix: str) -> None:
    """Byte for byte, so that two branches that did the same merge without a conflict."""
    add(ledger, *map(str, range(30)))
    shutil.copytree(root, tmp_path / "copy")
    archive(root, ArchiveAllBut(3))
    archive(tmp_path / "copy", ArchiveAllBut(3))
    first, second = ((Layout(each).trace / names(each)[0]) for each in (root, tmp_path / "copy"))
    assert (first.name, first.read_bytes()) == (second.name, second.read_bytes())


def test_archives_follow_each_other(ledger: Ledger, root: Path, suffix: str) -> None:
    """Each has the bridge to the one before; one chain goes through all of them."""
    for number in range(12):
        add(ledger, *(f"{number}-{i}" for i in range(10)))
        archive(root, ArchiveAllBut(4))
    assert len(names(root)) == 12
    assert [name[:4] for name in names(root)] == [f"{number:04d}" for number in range(1, 13)]
    assert own_ids(ledger) == [f"{number}-{i}" for number in range(12) for i in range(10)]
    assert [record["id"] for record in ledger.newest_first()] == ids(ledger)[::-1]
    assert ledger.verify().records == 132
    assert (is_sound(ledger), len(writers_of(ledger))) == (True, 1)


def test_both_ways_of_compressing_live_side_by_side(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One machine has zstandard, another one not yet."""
    add(ledger, "a", "b", "c")
    archive(root, ArchiveAllBut(1))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "zstandard", None)
        archive(root, ArchiveAllBut(0))
    assert [Path(name).suffix for name in names(root)] == [".zst", ".gz"]
    assert (own_ids(ledger), is_sound(ledger)) == (["a", "b", "c"], True)


def test_a_ledger_can_be_archived_wholly(ledger: Ledger, root: Path) -> None:
    """Then just the bridge is left, and the root still counts as one with records."""
    add(ledger, "a", "b")
    archive(root, ArchiveAllBut(0))
    assert live(root).count(b"\n") == 1
    assert (own_ids(ledger), ledger.has_records(), is_sound(ledger)) == (["a", "b"], True, True)
    assert ledger.archived_size() == (Layout(root).trace / names(root)[0]).stat().st_size


def test_a_last_record_without_its_newline_is_archived_as_it_is(ledger: Ledger, root: Path) -> None:
    """It gets a line of its own, and so does the bridge."""
    add(ledger, "a", "b")
    os.truncate(segment_of(root), ledger.size() - 1)
    before = segment_of(root).read_bytes()
    archive(root, ArchiveAllBut(0))
    assert content(root) == before + b"\n"
    add(ledger, "c")
    assert (own_ids(ledger), is_sound(ledger), len(writers_of(ledger))) == (["a", "b", "c"], True, 1)


def test_carriage_returns_of_a_checkout_make_no_other_archive(ledger: Ledger, root: Path, tmp_path: Path) -> None:
    """A checkout on Windows made them; they are no part of a line, and an archive is the same on every machine."""
    add(ledger, "a", "b", "c")
    shutil.copytree(root, tmp_path / "copy")
    segment_of(root).write_bytes(segment_of(root).read_bytes().replace(b"\n", b"\r\n"))
    for each in (root, tmp_path / "copy"):
        archive(each, ArchiveAllBut(1))
    assert content(root) == content(tmp_path / "copy")
    assert names(root) == names(tmp_path / "copy")
    assert (own_ids(ledger), is_sound(ledger)) == (["a", "b", "c"], True)


def test_lines_larger_than_a_block_are_archived(ledger: Ledger, root: Path, suffix: str) -> None:
    """A block is as large as its longest line."""
    add(ledger, "a", "b", "c", text="x" * 3_000_000)
    archive(root, ArchiveAllBut(1))
    assert [len(record["text"]) for record in ledger.newest_first(b'"text"')] == [3_000_000] * 3
    assert is_sound(ledger)


def test_rare_records_are_searched_for_in_archives_too(ledger: Ledger, root: Path) -> None:
    """Before anything is parsed, and each is told once."""
    for number in range(50):
        add(ledger, str(number), intent_id=f"INT-{number % 5}")
    (segment, before), *_ = carried(root).items()
    archive(root, ArchiveAllBut(7))
    found = [record["id"] for record in ledger.newest_first(b'"INT-3"')]
    assert found == [str(number) for number in range(48, 0, -5)]
    segment.write_bytes(before)
    assert ledger.size() > len(before)
    assert [record["id"] for record in ledger.newest_first(b'"INT-3"')] == found


def test_a_reader_is_told_how_far_it_is_through_all_files(ledger: Ledger, root: Path) -> None:
    """Backwards from the live file into the archives, block by block; never more than there is."""
    add(ledger, "a", "b", "c", text="x" * 3_000_000)
    archive(root, ArchiveAllBut(1))
    told: list[tuple[int, int]] = []
    assert len(list(ledger.newest_first(progress=lambda done, total: told.append((done, total))))) == 4
    total = ledger.size() + ledger.archived_size()
    assert told == sorted(told)
    assert (told[0], len(told) > 3) == ((0, total), True)
    assert (told[-1][0] < total, {known for _, known in told}) == (True, {total})


def test_the_mode_of_the_ledger_stays(ledger: Ledger, root: Path) -> None:
    """A local file that only its owner may read stays so, and so does what is left of a segment."""
    add(ledger, "a", "b")
    Layout(root).ledger.chmod(0o600)
    segment_of(root).chmod(0o600)
    archive(root, ArchiveAllBut(1))
    assert Layout(root).ledger.stat().st_mode & 0o777 == 0o600
    (rest,) = (path for path, data in carried(root).items() if b'"id":"b"' in data)
    assert rest.stat().st_mode & 0o777 == 0o600


def test_other_files_in_the_folder_are_left_alone(ledger: Ledger, root: Path) -> None:
    """Notes, hidden files, and archives with names of their own, which count as the oldest."""
    add(ledger, "a", "b")
    archive(root, ArchiveAllBut(1))
    folder = Layout(root).trace
    (folder / names(root)[0]).rename(folder / "old.jsonl.zst")
    for name in ("README.md", ".hidden.jsonl.gz", ".hidden.jsonl", "y.gz"):
        (folder / name).write_text("x")
    assert (names(root), own_ids(ledger), is_sound(ledger)) == (["old.jsonl.zst"], ["a", "b"], True)


# --- where the ledger is cut


def at(day: int) -> str:
    return f"2026-01-{day:02d}T12:00:00.000Z"


def prefix(root: Path, wish: ArchiveBefore | ArchiveAllBut) -> LedgerPrefix:
    return find_prefix(Layout(root), wish, ())


def said(prefix: LedgerPrefix) -> tuple[int, int, str | None, str | None, int]:
    """What the prefix says of itself."""
    return (prefix.length, prefix.records, prefix.first, prefix.last, prefix.kept)


def test_the_newest_records_are_kept(ledger: Ledger, root: Path) -> None:
    """As many as asked for, if there are so many."""
    for day in (1, 2, 3):
        add(ledger, str(day), timestamp=at(day))
    lines = live(root).splitlines(keepends=True)
    assert said(prefix(root, ArchiveAllBut(1))) == (len(lines[0] + lines[1]), 2, at(1), at(2), 1)
    assert said(prefix(root, ArchiveAllBut(0))) == (len(live(root)), 3, at(1), at(3), 0)
    assert prefix(root, ArchiveAllBut(3)) == prefix(root, ArchiveAllBut(9)) == LedgerPrefix((), (), 3)


def test_the_ledger_is_cut_at_the_first_record_that_is_newer(ledger: Ledger, root: Path) -> None:
    """A prefix: older records behind it stay, so nothing is ever reordered."""
    for day in (1, 2, 7, 3):
        add(ledger, str(day), timestamp=at(day))
    assert prefix(root, ArchiveBefore(datetime(2026, 1, 5, tzinfo=UTC))).records == 2
    assert prefix(root, ArchiveBefore(datetime(2026, 1, 2, 12, tzinfo=UTC))).records == 1
    assert prefix(root, ArchiveBefore(datetime(2027, 1, 1, tzinfo=UTC))).records == 4
    assert prefix(root, ArchiveBefore(datetime(2025, 1, 1, tzinfo=UTC))).length == 0


@pytest.mark.parametrize("more", [{}, {"timestamp": 5}, {"timestamp": "yesterday"}])
def test_a_record_of_which_nobody_knows_when_it_was_stays(ledger: Ledger, root: Path, more: dict[str, Any]) -> None:
    """And all behind it."""
    add(ledger, "a", timestamp=at(1))
    add(ledger, "b", **more)
    add(ledger, "c", timestamp=at(2))
    assert prefix(root, ArchiveBefore(datetime(2027, 1, 1, tzinfo=UTC))).records == 1


def test_bridges_alone_are_not_archived(ledger: Ledger, root: Path) -> None:
    """Or each run would make another archive, of the last one's bridge."""
    add(ledger, "a", "b")
    archive(root, ArchiveAllBut(0))
    assert archive(root, ArchiveAllBut(0)) is None
    add(ledger, "c")
    assert prefix(root, ArchiveAllBut(1)).length == 0
    assert prefix(root, ArchiveAllBut(0)).records == 2


def test_without_a_ledger_there_is_nothing_to_cut(root: Path) -> None:
    """And a file in the folder's place is said so."""
    assert prefix(root, ArchiveAllBut(0)) == LedgerPrefix((), (), 0)
    assert archive(root, ArchiveAllBut(0)) is None
    assert list(Layout(root).orchestration.glob("[!.]*")) == []
    Layout(root).trace.touch()
    with pytest.raises(LedgerUnavailable, match=r"trace can't be read \(not a directory\)\. Make it a folder"):
        prefix(root, ArchiveAllBut(0))


# --- others at work meanwhile


def test_whoever_has_the_ledger_open_goes_on_in_the_new_file(ledger: Ledger, root: Path) -> None:
    """On the same chain: the newest line is found again in the file that took the old one's place."""
    add(ledger, *map(str, range(10)))
    other = make_ledger(root)
    add(other, "other")
    archive(root, ArchiveAllBut(2))
    add(ledger, "x")
    add(other, "y")
    archive(root, ArchiveAllBut(0), ledger)
    add(ledger, "z")
    add(make_ledger(root), "new")
    assert own_ids(ledger) == [*map(str, range(10)), "other", "x", "y", "z", "new"]
    assert (is_sound(ledger), len(writers_of(ledger))) == (True, 1)


def append_around(root: Path, prefix: str, moved: Any) -> None:
    """Append 400 records: the second half after some of the first were moved."""
    append_many(root, prefix, 200, 200)
    assert moved.wait(PATIENCE_S)
    append_many(root, f"{prefix}-later", 200, 200)


def test_records_that_are_appended_meanwhile_are_in_the_new_file(root: Path) -> None:
    """Real processes append while the ledger is archived again and again: nothing lost, one chain."""
    moved = SPAWN.Event()
    writers = [SPAWN.Process(target=append_around, args=(root, f"p{n}", moved)) for n in range(3)]
    for process in writers:
        process.start()
    ledger, rounds = make_ledger(root), 0
    end = time.monotonic() + PATIENCE_S
    while any(process.is_alive() for process in writers):
        assert time.monotonic() < end, "a writer hangs"
        if archive(root, ArchiveAllBut(20), ledger) is not None:
            rounds += 1
            moved.set()
        sum(1 for _ in ledger.newest_first())
        assert ledger.verify().problems == ()
    for process in writers:
        process.join()
        assert process.exitcode == 0
    assert rounds > 0
    written = [f"p{n}{part}-{number}" for n in range(3) for part in ("", "-later") for number in range(200)]
    assert sorted(own_ids(ledger)) == sorted(written)
    assert (is_sound(ledger), len(writers_of(ledger))) == (True, 1)


def archive_at_once(root: Path, barrier: Any, results: Any) -> None:
    barrier.wait()
    try:
        results.put("moved" if archive(root, ArchiveAllBut(10)) else "nothing")
    except ArchiveBusy as error:
        results.put(str(error))


def test_of_several_who_archive_at_once_one_does(root: Path) -> None:
    """The others say who it is, or that there is nothing left to move."""
    add(make_ledger(root), *map(str, range(4000)), text="x" * 500)
    barrier, results = SPAWN.Barrier(4), SPAWN.Queue()
    processes = [SPAWN.Process(target=archive_at_once, args=(root, barrier, results)) for _ in range(4)]
    for process in processes:
        process.start()
    found = sorted(results.get(timeout=120) for _ in processes)
    for process in processes:
        process.join()
    assert found.count("moved") == 1
    assert {text for text in found if text != "moved"} <= {
        "nothing",
        "a test is archiving this ledger now. Nothing was moved.",
        "another process is archiving this ledger now. Nothing was moved.",  # it has not said yet who it is
    }
    ledger = make_ledger(root)
    assert (len(names(root)), len(own_ids(ledger)), is_sound(ledger)) == (1, 4000, True)


def test_who_comes_second_is_told_who_archives(ledger: Ledger, root: Path) -> None:
    """At once: there is nothing to wait for."""
    add(ledger, "a", "b")
    with (
        Archiver(Layout(root), ledger).hold("cli process 7 (session x)"),
        pytest.raises(ArchiveBusy, match=r"^cli process 7 \(session x\) is archiving this ledger now\. Nothing"),
    ):
        archive(root, ArchiveAllBut(1))
    assert archive(root, ArchiveAllBut(1)) is not None


def test_verification_that_waited_for_an_archiving_looks_at_the_new_file(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what was appended since would seem to be cut off."""
    add(ledger, *map(str, range(10)))
    other, real, late = make_ledger(root), ledger_module.lock, []

    def lock_late(path: Path, descriptor: int) -> None:
        if not late:
            late.append(True)
            archive(root, ArchiveAllBut(3), ledger)
            add(ledger, "after")
        real(path, descriptor)

    monkeypatch.setattr(ledger_module, "lock", lock_late)
    assert other.verify().problems == ()
    assert other.verify().records == 12


def test_readers_that_began_before_end_with_what_they_began_with(ledger: Ledger, root: Path) -> None:
    """What moves under them is neither lost nor told twice."""
    add(ledger, *map(str, range(10)))
    old, new = ledger.oldest_first(), ledger.newest_first()
    seen = [next(old)["id"], next(new)["id"]]
    archive(root, ArchiveAllBut(3))
    add(ledger, "after")
    assert seen[:1] + [record["id"] for record in old] == [*map(str, range(10))]
    assert seen[1:] + [record["id"] for record in new] == [*map(str, range(9, -1, -1))]


# --- killed at any instant


CHANGING = ("write", "pwrite", "fsync", "replace", "rename", "link", "mkdir", "unlink", "chmod", "fchmod", "open")


def changes_disk(name: str, arguments: tuple[Any, ...]) -> bool:
    return name != "open" or bool(arguments[1] & os.O_CREAT)


def killed_at(root: Path, step: int, torn: bool) -> bool:
    """Archive in a process that is killed at its `step`-th call that changes the disk; False if it ends before.

    Just before the call, or (`torn`) in the middle of a write.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    calls = 0

    def arm(name: str) -> None:
        real = getattr(os, name)

        def counted(*arguments: Any, **more: Any) -> Any:
            nonlocal calls
            calls += changes_disk(name, arguments)
            if calls == step and changes_disk(name, arguments):
                if torn and name == "write":
                    real(arguments[0], arguments[1][: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **more)

        setattr(os, name, counted)

    try:
        for name in CHANGING:
            arm(name)
        archive(root, ArchiveAllBut(4))
    finally:
        os._exit(0 if sys.exc_info()[0] is None else 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("torn", [False, True])
def test_a_kill_at_any_instant_loses_no_line(ledger: Ledger, root: Path, tmp_path: Path, torn: bool) -> None:
    """Before each call that changes the disk, and in the middle of each write: all is there once, nothing is left
    over, and the next run ends what was begun.
    """
    add(ledger, *map(str, range(20)))
    archive(root, ArchiveAllBut(10))
    add(ledger, *map(str, range(20, 30)))
    moved, step = 0, 1
    before = sorted(content(root).splitlines() + carried_lines(root))
    while killed_at(shutil.copytree(root, tmp_path / f"{step}"), step, torn):
        copy = tmp_path / f"{step}"
        assert set(before) <= {*content(copy).splitlines(), *carried_lines(copy)}, step
        after = make_ledger(copy)
        assert own_ids(after) == [*map(str, range(30))], step
        assert [record["id"] for record in after.newest_first()] == ids(after)[::-1]
        allowed = {"torn"} if torn else set()
        assert {kind for _, kind in kinds(after)} <= allowed, step
        moved += len(carried_lines(copy)) < 10
        sweep_state(Layout(copy))
        assert list(copy.rglob("*.tmp")) == []
        archive(copy, ArchiveAllBut(4))
        add(after, "next")
        assert own_ids(after) == [*map(str, range(30)), "next"], step
        assert {kind for _, kind in kinds(after)} <= allowed, step
        assert live(copy).count(b"\n") <= 8
        assert len(names(copy)) <= 3
        step += 1
    sys.stdout.write(f"killed at {step - 1} places, {moved} of them behind the move\n")
    assert step > 20
    assert moved >= 1
    assert own_ids(make_ledger(tmp_path / f"{step}")) == [*map(str, range(30))]


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_move_that_was_cut_off_is_finished_first(ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The archive is there, its lines stand in a segment still: they leave it, and the archive stays one."""
    add(ledger, *map(str, range(20)))
    with monkeypatch.context() as patch:
        patch.setattr(OpenSegment, "close", full)
        with pytest.raises(StoreError):
            archive(root, ArchiveAllBut(10), ledger)
    assert (own_ids(ledger), ledger.verify().records) == ([*map(str, range(20))], 20)
    add(ledger, "20")
    moved = archive(root, ArchiveAllBut(15))
    assert moved is not None
    assert moved.marker.file == names(root)[0]
    assert (len(names(root)), own_ids(ledger), is_sound(ledger)) == (1, [*map(str, range(21))], True)
    assert len(carried_lines(root)) == len(live(root).splitlines()) == 12


def test_finishing_leaves_a_segment_that_git_has_unless_it_is_archived_wholly(ledger: Ledger, root: Path) -> None:
    """Else a commit's segment would be cut in two."""
    add(ledger, *map(str, range(4)))
    segment, before = segment_of(root), segment_of(root).read_bytes()
    archive(root, ArchiveAllBut(2))
    segment.write_bytes(before)
    mover = Archiver(Layout(root), ledger)
    with mover.hold("a test"):
        assert mover.finish("ada", bridge_record, {segment.name}) is None
        assert segment.read_bytes() == before
        segment.write_bytes(b"".join(before.splitlines(keepends=True)[:2]))
        assert mover.finish("ada", bridge_record, {segment.name}) is not None
    assert not segment.exists()
    assert (own_ids(ledger), is_sound(ledger)) == ([*map(str, range(4))], True)


def test_an_archive_that_was_made_but_never_used_is_used(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the next run moves just the same lines, there is one already; a broken one is made again."""
    add(ledger, *map(str, range(9)))
    layout = Layout(root)
    mover, lines = Archiver(layout, ledger), prefix(root, ArchiveAllBut(4))
    with mover.hold("a test"):
        with monkeypatch.context() as patch:
            patch.setattr(OpenSegment, "close", full)
            for _ in range(2):
                with pytest.raises(StoreError):
                    mover.move(lines, "ada", bridge_record)
        (made,) = names(root)
        (layout.trace / made).write_bytes((layout.trace / made).read_bytes()[:-3])
        assert mover.finish("ada", bridge_record, ()) is None
        moved = mover.move(lines, "ada", bridge_record)
    assert names(root) == [made, moved.archive.name]
    assert moved.archive.name == made.replace("0001", "0002")
    assert [problem.kind for problem in ledger.verify().problems] == ["archive-damaged"]
    (layout.trace / made).unlink()
    assert (own_ids(ledger), is_sound(ledger)) == ([*map(str, range(9))], True)


# --- what can go wrong


def while_archiving(monkeypatch: pytest.MonkeyPatch, step: str, act: Callable[[], object]) -> None:
    """Let `act` happen behind this step: the lines are written, or the marker is looked for."""
    place, name = {"written": (Archiver, "_store"), "looked": (Archiver, "_has_marker")}[step]
    real = getattr(place, name)

    def then_act(*arguments: Any) -> Any:
        result = real(*arguments)
        act()
        return result

    monkeypatch.setattr(place, name, then_act)


@pytest.mark.parametrize("step", ["written", "looked"])
@pytest.mark.parametrize(
    ("line", "new"),
    [
        (b'"id":"0"', b'"id":"X"'),
        (b'"id":"0"', b'"id":"longer"'),
        (b'"id":"5"', b'"id":"longer"'),
    ],
)
def test_a_line_that_is_edited_meanwhile_is_not_lost(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch, step: str, line: bytes, new: bytes
) -> None:
    """Nothing is moved: what is in the segment now is not what was looked at. The new archive goes, too."""
    add(ledger, *map(str, range(9)))
    segment = segment_of(root)
    edited = segment.read_bytes().replace(line, new)
    while_archiving(monkeypatch, step, lambda: segment.write_bytes(edited))
    with pytest.raises(LedgerChanged, match=r"was changed while it was being archived\. Nothing was moved; try again"):
        archive(root, ArchiveAllBut(3))
    assert (carried(root), names(root)) == ({segment: edited}, [])


@pytest.mark.parametrize(("line", "new"), [(b'"id":"7"', b'"id":"longer"'), (b'"id":"8"', b'"id":"X"')])
def test_a_line_that_stays_and_is_edited_meanwhile_stays_as_it_was_edited(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, new: bytes
) -> None:
    add(ledger, *map(str, range(9)))
    segment = segment_of(root)
    while_archiving(monkeypatch, "looked", lambda: segment.write_bytes(segment.read_bytes().replace(line, new)))
    assert archive(root, ArchiveAllBut(3)) is not None
    assert sum(new in line for line in carried_lines(root)) == 1
    assert len(carried_lines(root)) == 4


@pytest.mark.parametrize("line", [b'"id":"0"', b'"id":"8"'])
def test_a_segment_that_is_edited_at_the_last_moment_stays(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    """What stays of it was written by then: of both the edited line is there."""
    add(ledger, *map(str, range(9)))
    segment = segment_of(root)
    edited = segment.read_bytes().replace(line, b'"id":"longer"')
    real = archiver.replace_bytes

    def then_edit(*arguments: Any, **more: Any) -> None:
        real(*arguments, **more)
        segment.write_bytes(edited)

    monkeypatch.setattr(archiver, "replace_bytes", then_edit)
    assert archive(root, ArchiveAllBut(3)) is not None
    assert segment.read_bytes() == edited


@pytest.mark.parametrize("step", ["written", "looked"])
@pytest.mark.parametrize("gone", ["line", "file"])
def test_segments_that_are_cut_short_or_taken_away_meanwhile_are_left_alone(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch, step: str, gone: str
) -> None:
    """By a switch of branches, say: an archive would bring the other branch's lines to this one."""
    add(ledger, *map(str, range(9)))
    segment = segment_of(root)
    act = segment.unlink if gone == "file" else partial(os.truncate, segment, 300)
    while_archiving(monkeypatch, step, act)
    with pytest.raises(LedgerChanged):
        archive(root, ArchiveAllBut(3))
    assert names(root) == []
    assert len(b"".join(carried(root).values())) == (0 if gone == "file" else 300)
    assert list(root.rglob("*.tmp")) == []


def test_a_segment_that_was_replaced_by_its_like_is_archived(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git wrote it once more: what counts is its lines."""
    add(ledger, "a", "b", "c")
    segment = segment_of(root)

    def replace() -> None:
        (root / "new").write_bytes(segment.read_bytes())
        (root / "new").replace(segment)

    while_archiving(monkeypatch, "written", replace)
    assert archive(root, ArchiveAllBut(1)) is not None
    assert (own_ids(ledger), is_sound(ledger)) == (["a", "b", "c"], True)


def is_full_at(root: Path, monkeypatch: pytest.MonkeyPatch, step: int, ever: bool) -> str | None:
    """Archive on a disk that is full at the `step`-th call that needs room (`ever`: and from then on).

    What was said; "" if it was done nevertheless, None if there is no such call.
    """
    calls = 0

    def arm(patch: pytest.MonkeyPatch, name: str) -> None:
        real = getattr(os, name)

        def counted(*arguments: Any, **more: Any) -> Any:
            nonlocal calls
            if changes_disk(name, arguments):
                calls += 1
                if calls == step or (ever and calls > step):
                    raise OSError(errno.ENOSPC, "No space left on device")
            return real(*arguments, **more)

        patch.setattr(os, name, counted)

    with monkeypatch.context() as patch:
        for name in CHANGING:
            if name not in ("unlink", "chmod", "fchmod"):
                arm(patch, name)
        try:
            archive(root, ArchiveAllBut(3))
        except StoreError as error:
            return str(error)
    return "" if calls >= step else None


@pytest.mark.parametrize("ever", [False, True])
def test_a_full_disk_leaves_everything_as_it_was(
    ledger: Ledger, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ever: bool
) -> None:
    """At each call that needs room. The error says so in a sentence, and a later run does it."""
    add(ledger, *map(str, range(9)))
    before, step, refused = carried_lines(root), 1, 0
    while True:
        copy = shutil.copytree(root, tmp_path / f"{step}")
        segments = carried(copy)
        text = is_full_at(copy, monkeypatch, step, ever)
        if text is None:
            break
        if text:
            refused += 1
            assert "(no space left on device)" in text.lower(), step
        if "Nothing was moved" in text:
            left = carried(copy)
            assert segments.items() <= left.items(), step
            assert {line for data in left.values() for line in data.splitlines() if KEY.encode() not in line} == {
                *before
            }
        assert list(copy.rglob("*.tmp")) == [], step
        after = make_ledger(copy)
        assert (own_ids(after), is_sound(after)) == ([*map(str, range(9))], True), step
        archive(copy, ArchiveAllBut(3))
        assert (own_ids(after), is_sound(after)) == ([*map(str, range(9))], True), step
        assert len(names(copy)) <= 2, step
        step += 1
    sys.stdout.write(f"full at {step - 1} places, {refused} refused\n")
    assert refused > 10


def refusing(patch: pytest.MonkeyPatch, name: str, refuses: Callable[[Path, Any], bool]) -> None:
    """Let a method of Path fail for some paths, as on Windows, where another program has the file open."""
    real = getattr(Path, name)

    def refuse(self: Path, *arguments: Any, **more: Any) -> Any:
        if refuses(self, arguments):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(self, *arguments, **more)

    patch.setattr(Path, name, refuse)


def test_a_segment_that_can_not_be_removed_stays(ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bridge is there, the lines as well, and the next run ends it."""
    add(ledger, *map(str, range(9)))
    segment = segment_of(root)
    with monkeypatch.context() as patch:
        refusing(patch, "unlink", lambda path, _: path == segment)
        with pytest.raises(StoreError, match=r"permission denied\)\. Nothing is lost; archive again to end it\."):
            archive(root, ArchiveAllBut(3))
    assert (own_ids(ledger), is_sound(ledger), segment.exists()) == ([*map(str, range(9))], True, True)
    add(ledger, "9")
    moved = archive(root, ArchiveAllBut(10))
    assert moved is not None
    assert (own_ids(ledger), is_sound(ledger), len(names(root))) == ([*map(str, range(10))], True, 1)
    assert not segment.exists()


def test_a_local_file_that_can_not_be_replaced_hinders_no_archiving(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is derived: readers make it again when they can."""
    add(ledger, *map(str, range(9)))
    with monkeypatch.context() as patch:
        refusing(patch, "replace", lambda _, arguments: arguments[0] == Layout(root).ledger)
        assert archive(root, ArchiveAllBut(3)) is not None
        assert own_ids(ledger) == [*map(str, range(9))]
    assert (own_ids(ledger), is_sound(ledger), live(root).count(b"\n")) == ([*map(str, range(9))], True, 4)


def test_a_link_in_the_folders_place_is_refused(ledger: Ledger, root: Path, tmp_path: Path) -> None:
    """A repository could bring one that points anywhere."""
    add(ledger, "a", "b")
    elsewhere = tmp_path / "elsewhere"
    Layout(root).trace.rename(elsewhere)
    Layout(root).trace.symlink_to(elsewhere)
    before = {path: path.read_bytes() for path in elsewhere.iterdir()}
    with pytest.raises(StoreError, match=r"trace is a link\. Put a folder in its place"):
        archive(root, ArchiveAllBut(1))
    assert {path: path.read_bytes() for path in elsewhere.iterdir()} == before


@pytest.mark.parametrize("name", ["archive", "trace"])
def test_a_file_in_a_folders_place_is_said_in_a_sentence(ledger: Ledger, root: Path, name: str) -> None:
    """When archiving and when reading."""
    add(ledger, "a", "b")
    folder = Layout(root).orchestration / name
    if folder.exists():
        folder.rename(root / "away")
    folder.touch()
    for attempt in (
        lambda: archive(root, ArchiveAllBut(1)),
        ledger.verify,
        ledger.archived_size,
        lambda: list(ledger.newest_first()),
    ):
        with pytest.raises(StoreError, match=rf"{name} can't be (read|written) \(not a directory\)\. Make it a folder"):
            attempt()


# --- archives that are missing, damaged, or not ours


def damage_and_read(ledger: Ledger, root: Path, damage: Callable[[Path], object]) -> list[tuple[int, str, str | None]]:
    """Ten records in two archives, five live ones; then `damage` to the newer archive. What verification finds."""
    for first in (0, 5, 10):
        add(ledger, *map(str, range(first, first + 5)))
        if first < 10:
            archive(root, ArchiveAllBut(0))
    damage(Layout(root).trace / names(root)[1])
    return [(problem.line, problem.kind.value, problem.archive) for problem in ledger.verify().problems]


def test_a_missing_archive_is_named_and_not_called_removed(ledger: Ledger, root: Path) -> None:
    """What is left can be read, and goes on on the same chain."""
    problems = damage_and_read(ledger, root, Path.unlink)
    (marker,) = (path.name for path, data in carried(root).items() if b"bridge to 0002" in data)
    assert problems == [(1, "archive-missing", marker)]
    add(ledger, "next")
    assert own_ids(ledger) == [*map(str, [0, 1, 2, 3, 4, 10, 11, 12, 13, 14]), "next"]
    assert len(writers_of(ledger)) == 1


def other_content(path: Path) -> None:
    path.write_bytes(Gzip().compress(b"") if path.suffix == ".gz" else Zstd().compress(b""))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "it is cut off"),
        (lambda path: path.write_bytes(path.read_bytes()[:30]), "it is cut off"),
        (lambda path: path.write_bytes(path.read_bytes()[:3]), "it is"),
        (lambda path: path.write_bytes(path.read_bytes()[:-20] + bytes(20)), "it is"),
        (lambda path: path.write_bytes(b"x" * 500), "it is damaged"),
        (lambda path: path.write_bytes(path.read_bytes() + b"more"), "it is"),
        (lambda path: (path.unlink(), path.mkdir()), "not a regular file"),
        (lambda path: (path.unlink(), os.mkfifo(path)), "not a regular file"),
        (lambda path: (path.rename(path.with_name("x")), path.symlink_to("x")), "symbolic link"),
    ],
)
def test_an_archive_that_can_not_be_read_is_named_with_the_reason(
    ledger: Ledger,
    root: Path,
    suffix: str,
    damage: Callable[[Path], object],
    reason: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Verification says so; the newest records are told up to it, with a warning; the whole history is refused."""
    found = damage_and_read(ledger, root, damage)
    assert [kind for _, kind, _ in found] == ["archive-damaged"]
    assert found[0][2] == names(root)[1]
    message = ledger.verify().problems[0].message
    assert message.startswith("This archive can't be read: ")
    assert reason in message
    with caplog.at_level(logging.WARNING):
        newest = [record["id"] for record in ledger.newest_first() if not record["id"].startswith("bridge")]
    assert newest[:5] == [*map(str, range(14, 9, -1))]
    assert set(newest[5:]) <= {*map(str, range(5, 10))}
    assert "what is older is left out" in caplog.text
    with pytest.raises(ArchiveUnreadable, match=r"Restore it, or move it away\."):
        list(ledger.oldest_first())
    assert ledger.contains("0")


def test_an_archive_with_other_content_is_named(ledger: Ledger, root: Path, suffix: str) -> None:
    """It can be read, but is not what the bridge speaks of."""
    found = damage_and_read(ledger, root, other_content)
    assert [kind for _, kind, _ in found] == ["archive-damaged", "removed"]


def test_an_archive_that_needs_zstandard_says_so_where_it_is_not_installed(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the command that installs it."""
    add(ledger, "a", "b", "c")
    archive(root, ArchiveAllBut(1))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (problem,) = ledger.verify().problems
    assert "it needs the package zstandard: pip install 'intentls[archive]'" in problem.message
    assert [record["id"] for record in ledger.newest_first()][-1] == "c"


def test_damage_is_found_again_at_the_second_look(ledger: Ledger, root: Path) -> None:
    """Lines that came back are compared with what can be read."""
    add(ledger, *map(str, range(6)))
    segment, before = segment_of(root), segment_of(root).read_bytes()
    archive(root, ArchiveAllBut(2))
    segment.write_bytes(b"".join(before.splitlines(keepends=True)[:3]))
    path = Layout(root).trace / names(root)[0]
    assert is_sound(ledger)
    path.write_bytes(path.read_bytes() + b"more")
    assert [problem.kind for problem in ledger.verify().problems] == ["archive-damaged"]


def test_an_archive_compressed_anew_is_as_good(ledger: Ledger, root: Path) -> None:
    """With any program, as one block: only the content counts."""
    add(ledger, *map(str, range(9)))
    archive(root, ArchiveAllBut(2))
    (path,) = (each.path for each in archives(Layout(root)))
    path.with_suffix(".gz").write_bytes(gzip.compress(content(root)))
    path.unlink()
    assert (own_ids(ledger), is_sound(ledger)) == ([*map(str, range(9))], True)
    assert next(ledger.newest_first(b'"id":"3"'))["id"] == "3"


def zeros(count: int) -> bytes:
    """A gzip member that holds so many zeros."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return b"".join(deflate.compress(bytes(1 << 20)) for _ in range(count >> 20)) + deflate.flush()


def test_an_archive_that_would_fill_the_memory_is_refused(root: Path) -> None:
    """Anybody's branch may bring one: a few kilobytes that become gigabytes."""
    import zstandard

    Layout(root).trace.mkdir()
    bombs = {
        "1.jsonl.gz": zeros(2 * MAX_BLOCK),
        "2.jsonl.zst": zstandard.ZstdCompressor().compress(bytes(MAX_BLOCK + 1)),
    }
    for name, data in bombs.items():
        (Layout(root).trace / name).write_bytes(data)
    for each in archives(Layout(root)):
        for read in (each.lines, each.blocks_backward):
            with pytest.raises(ArchiveUnreadable, match="too large, so it is not from intentls"):
                list(read())


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b'{"a":1}\n{"b"') + gzip.compress(b":2}\n"),
        Gzip().compress(b'{"a":1}\n{"b"') + Gzip().compress(b":2}\n"),
    ],
    ids=["other program", "ours"],  # the first holds the time of day
)
def test_blocks_that_cut_lines_are_refused(root: Path, data: bytes) -> None:
    """They could not be read backwards."""
    Layout(root).trace.mkdir()
    (Layout(root).trace / "1.jsonl.gz").write_bytes(data)
    with pytest.raises(ArchiveUnreadable, match="not from intentls"):
        list(archives(Layout(root))[0].lines())


def file(folder: Path, data: bytes) -> Path:
    """A file with this content."""
    (folder / "blocks").write_bytes(data)
    return folder / "blocks"


@pytest.mark.parametrize("codec", [Gzip(), Zstd()], ids=["gz", "zst"])
def test_a_block_gives_its_own_length(codec: Gzip | Zstd, tmp_path: Path) -> None:
    """Without being decompressed, whatever is in it."""
    for text in (b"", b"x", b"x" * 5_000_000, os.urandom(300_000), b"ab" * 400_000 + os.urandom(10)):
        block = codec.compress(text)
        data = b"before" + block + b"behind"
        with opened(file(tmp_path, data)) as descriptor:
            assert descriptor is not None
            length = codec.length(descriptor, 6, len(data))
        assert (length, codec.decompress(block)) == (len(block), text)


@pytest.mark.parametrize("codec", [Gzip(), Zstd()], ids=["gz", "zst"])
def test_no_damage_to_a_block_goes_unnoticed(codec: Gzip | Zstd, tmp_path: Path) -> None:
    """Whichever byte is changed or lost, it is an error or it is what it was."""
    text = b"".join(b'{"id":"%d"}\n' % number for number in range(300))
    block = codec.compress(text)

    def read(data: bytes) -> bytes | None:
        try:
            with opened(file(tmp_path, data)) as descriptor:
                assert descriptor is not None
                return codec.decompress(data[: codec.length(descriptor, 0, len(data))])
        except BadBlock:
            return None

    assert read(block) == text
    for index in range(len(block)):
        changed = bytearray(block)
        changed[index] ^= 0x55
        assert read(bytes(changed)) in (None, text)
        assert read(block[:index]) is None


def test_a_gzip_member_that_lies_about_its_length_gets_nobody_into_a_loop(root: Path) -> None:
    """A length of nothing would be read again for ever."""
    block = bytearray(Gzip().compress(b"{}\n"))
    block[16:20] = struct.pack("<I", 0)
    Layout(root).trace.mkdir()
    (Layout(root).trace / "1.jsonl.gz").write_bytes(block)
    (archive,) = archives(Layout(root))
    for read in (archive.lines, archive.blocks_backward):
        with pytest.raises(ArchiveUnreadable):
            list(read())


def test_a_block_that_is_too_long_is_not_even_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it would become."""
    Layout(root).trace.mkdir()
    (Layout(root).trace / "1.jsonl.gz").write_bytes(gzip.compress(os.urandom(5000)))
    monkeypatch.setattr(archive_module, "MAX_BLOCK", 4000)
    with pytest.raises(ArchiveUnreadable, match="too large"):
        list(archives(Layout(root))[0].lines())


def test_an_archive_that_went_away_since_can_not_be_read(root: Path) -> None:
    """Between the look at its folder and the look at it."""
    assert Archive.at(root / "gone.jsonl.gz").size == 0
    with pytest.raises(ArchiveUnreadable, match="no such file"):
        list(Archive(root / "gone.jsonl.gz", 5).lines())


# --- branches


@pytest.mark.parametrize("keep", [0, 1, 4, 11])
def test_a_branch_that_archived_merges_with_one_that_wrote_on(tmp_path: Path, keep: int) -> None:
    """Without a conflict; each record is told once, and archiving goes on. (Both archive: tests/store/segments.)"""
    here = make_repository(tmp_path / "here")
    for number in range(10):
        here.add(f"base {number}")
        here.commit()
    here.git("switch", "-qc", "side")
    here.add(*(f"side {number}" for number in range(3)))
    here.commit()
    here.git("switch", "-q", "main")
    here.add("main 0", "main 1")
    here.commit()
    archive(here.root, ArchiveAllBut(keep), here.ledger)
    here.add("main, archived")
    here.commit()
    assert kinds(here.ledger, elsewhere=partial(is_on_another_branch, here.root)) == []
    here.git("merge", "-q", "--no-edit", "side")
    here.add("merged")
    expected = [f"base {n}" for n in range(10)] + [f"side {n}" for n in range(3)] + ["main 0", "main 1"]
    expected += ["main, archived", "merged"]
    assert sorted(own_ids(here.ledger)) == sorted(expected)
    assert sorted(record["id"] for record in here.ledger.newest_first()) == sorted(here.ids())
    assert (here.problems(), here.ledger.verify().records) == ([], len(here.ids()))
    here.commit()
    archive(here.root, ArchiveAllBut(1), here.ledger)
    here.add("later")
    assert sorted(own_ids(here.ledger)) == sorted([*expected, "later"])
    assert here.problems() == []


def test_a_clone_that_pulls_an_archived_ledger_goes_on(tmp_path: Path) -> None:
    """Though its own newest line went into the archive."""
    here = make_repository(tmp_path / "here")
    here.add("a")
    here.commit()
    there = clone(here, tmp_path / "there")
    there.add("theirs")
    there.commit()
    here.git("pull", "-q", "--no-rebase", "--no-edit", str(there.top), "main")
    archive(here.root, ArchiveAllBut(0), here.ledger)
    here.commit()
    there.git("pull", "-q", "--no-rebase", "--no-edit")
    there.add("later")
    assert (own_ids(there.ledger), there.problems()) == (["a", "theirs", "later"], [])


# --- large


@pytest.mark.skipif(not LONG, reason="INTENTLS_LONG=1 asks for it: these records take a minute")
def test_a_large_ledger_is_read_in_constant_memory_and_put_in_order_in_a_few_times_its_size(root: Path) -> None:
    """Each step in a process of its own, which reports its time and its memory; the segments have about 110 MB."""
    program = Path(__file__).parents[1] / "large_ledger.py"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for step, limit in (("write", 100), ("newest", 350), ("archive", 350), ("verify", 100), ("oldest", 100)):
        done = subprocess.run(
            [sys.executable, str(program), str(root), step], capture_output=True, text=True, check=True, env=environment
        )
        report = json.loads(done.stdout)
        sys.stdout.write(f"{step}: {report}\n")
        assert report["records"] == 200_001 - (step in ("write", "newest"))
        assert report["megabytes"] < limit
