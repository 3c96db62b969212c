"""The ledger: nothing is lost, torn or rewritten, whoever appends, and whatever becomes of the file."""

from __future__ import annotations

import gc
import json
import logging
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.hash_chain import member
from intentls.store.layout import Layout
from intentls.store.ledger import appender
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger
from tests.support.ledgers import make_ledger
from tests.support.patience import PATIENCE_S, eventually

SPAWN = multiprocessing.get_context("spawn")


def add(ledger: Ledger, *ids: str, durable: bool = False, **more: Any) -> None:
    for id_ in ids:
        ledger.append({"id": id_, **more}, durable=durable)


def ids(ledger: Ledger) -> list[str]:
    return [record["id"] for record in ledger.oldest_first()]


def chains(ledger: Ledger) -> list[tuple[str, int]]:
    return [(record["chain"]["writer"], record["chain"]["seq"]) for record in ledger.oldest_first()]


def writers_of(ledger: Ledger) -> list[str]:
    return list(dict.fromkeys(writer for writer, _ in chains(ledger)))


def kinds(ledger: Ledger, **more: Any) -> list[tuple[int, str]]:
    return [(problem.line, problem.kind.value) for problem in ledger.verify(**more).problems]


# --- appending and reading


def test_nothing_is_written_to_where_a_link_in_the_segments_place_leads(
    ledger: Ledger, root: Path, tmp_path: Path
) -> None:
    """A repository could bring one that points anywhere."""
    (tmp_path / "elsewhere").mkdir()
    Layout(root).trace.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerUnavailable, match=r"trace is a link\. Put a folder in its place\."):
        add(ledger, "a")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_ledgers_stamp_changes_with_every_record(ledger: Ledger) -> None:
    """What was read from it counts as long as the stamp is the same."""
    seen = {ledger.stamp()}
    for name in ("a", "b"):
        add(ledger, name)
        seen.add(ledger.stamp())
        assert ledger.stamp() in seen
    assert len(seen) == 3
    assert () in seen


def test_records_come_back_in_both_orders(ledger: Ledger) -> None:
    """With their place in one chain."""
    add(ledger, "a", "b", "c")
    assert ids(ledger) == ["a", "b", "c"]
    assert [record["id"] for record in ledger.newest_first()] == ["c", "b", "a"]
    assert [seq for _, seq in chains(ledger)] == [1, 2, 3]
    assert len(writers_of(ledger)) == 1
    assert ledger.verify().ok


def test_without_a_file_there_is_nothing_and_nothing_is_made(ledger: Ledger, root: Path) -> None:
    """Reading and verifying leave no trace."""
    assert (list(ledger.newest_first()), list(ledger.oldest_first()), ledger.contains("x")) == ([], [], False)
    assert (ledger.size(), ledger.has_records(), ledger.verify().records) == (0, False, 0)
    assert not list((root / ".orchestration").iterdir())


def test_a_ledger_with_one_line_has_records(ledger: Ledger, root: Path) -> None:
    """An empty one has none; its size is in bytes."""
    Layout(root).ledger.touch()
    assert not ledger.has_records()
    add(ledger, "a")
    assert ledger.has_records()
    assert ledger.size() == Layout(root).ledger.stat().st_size


def test_lines_of_megabytes_are_read_from_both_ends(ledger: Ledger) -> None:
    """Far longer than a block."""
    add(ledger, "a", "b", "c", text="x" * 3_000_000)
    assert [len(record["text"]) for record in ledger.newest_first()] == [3_000_000] * 3
    assert ledger.contains("a")
    assert ledger.verify().ok


def test_rare_records_are_searched_for_before_anything_is_parsed(ledger: Ledger) -> None:
    """Only lines that contain the bytes come back."""
    for number in range(50):
        add(ledger, str(number), intent_id=f"INT-{number % 5}")
    found = ledger.newest_first(member("intent_id", "INT-3"))
    assert [record["id"] for record in found][:3] == ["48", "43", "38"]


def test_whatever_is_in_a_record_it_is_one_line(ledger: Ledger, root: Path) -> None:
    """For every program, and it comes back as it was."""
    odd = "a\u2028b\u2029c\x85d\ne\rf\x0cg\x00h\udcff"
    add(ledger, "x", text=odd)
    assert len(Layout(root).ledger.read_text("utf-8").splitlines()) == 1
    assert next(ledger.newest_first())["text"] == odd
    assert ledger.verify().ok


def test_lines_that_are_no_records_are_passed_over(ledger: Ledger, root: Path) -> None:
    """Torn, blank, no objects."""
    add(ledger, "a")
    with Layout(root).ledger.open("ab") as file:
        file.write(b'\n42\n{"id":"torn')
    add(ledger, "b")
    assert ids(ledger) == ["a", "b"]
    assert [record["id"] for record in ledger.newest_first()] == ["b", "a"]


def test_a_torn_record_is_not_contained(ledger: Ledger, root: Path) -> None:
    """Half a line with its id is no record of it."""
    add(ledger, "a")
    with Layout(root).ledger.open("ab") as file:
        file.write(b'{"id":"b","files":[')
    assert ledger.contains("a")
    assert not ledger.contains("b")
    add(ledger, "b")
    assert ledger.contains("b")
    assert not ledger.contains("")


# --- append-only


def test_a_torn_last_line_is_fenced_and_left(ledger: Ledger, root: Path) -> None:
    """The next record gets a line of its own; no byte before it changes."""
    add(ledger, "a")
    file = Layout(root).ledger
    with file.open("ab") as stream:
        stream.write(b'{"version":"0.1')
    before = file.read_bytes()
    add(ledger, "b")
    assert file.read_bytes().startswith(before + b"\n")
    assert kinds(ledger) == [(2, "torn")]
    assert [seq for _, seq in chains(ledger)] == [1, 2]


def test_a_whole_record_without_its_newline_is_a_record(ledger: Ledger, root: Path) -> None:
    """Just the last byte of a write was lost: the chain goes on behind it."""
    add(ledger, "a", "b")
    os.truncate(Layout(root).ledger, Layout(root).ledger.stat().st_size - 1)
    assert ledger.verify().ok
    add(ledger, "c")
    assert (ids(ledger), ledger.verify().ok, len(writers_of(ledger))) == (["a", "b", "c"], True, 1)


@pytest.mark.parametrize("durable", [False, True])
def test_each_record_is_one_write_behind_all_others(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    """To its segment, then to the local file; one call each, so that readers never see half of it.

    Durable ones are synced, outside the lock.
    """
    add(ledger, "first")
    events: list[str] = []
    real_write, real_fsync, real_unlock = os.write, os.fsync, appender.unlock
    size = ledger.size()
    monkeypatch.setattr(os, "write", lambda fd, data: (events.append(f"write {len(data)}"), real_write(fd, data))[1])
    monkeypatch.setattr(os, "fsync", lambda fd: (events.append("sync"), real_fsync(fd))[1])
    monkeypatch.setattr(appender, "unlock", lambda fd: (events.append("unlock"), real_unlock(fd))[1])
    add(ledger, "second", durable=durable)
    assert events == [*[f"write {ledger.size() - size}"] * 2, "unlock", *(["sync"] if durable else [])]


def test_no_durable_append_is_answered_before_a_sync_that_began_after_its_write(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever does it: eight threads, and syncs that end in any order."""
    real, change = os.fsync, threading.Lock()
    synced: list[int] = []  # as much of the file as the syncs that have ended are known to cover

    def sync(descriptor: int) -> None:
        begun = os.fstat(descriptor).st_size
        real(descriptor)
        threading.Event().wait(0.001 * (begun % 7))
        with change:
            synced.append(begun)

    def append(name: int) -> None:
        for number in range(25):
            add(ledger, f"{name}-{number}", durable=True)
            line = Layout(root).ledger.read_bytes().find(member("id", f"{name}-{number}"))
            with change:
                assert max(synced) > line

    add(ledger, "first")
    monkeypatch.setattr(os, "fsync", sync)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, range(8)))
    assert ledger.verify().ok


def test_appends_go_on_while_others_wait_for_the_disk(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody queues up behind a sync: all eight are written before the first one has ended."""
    all_written = threading.Barrier(8, timeout=PATIENCE_S)
    add(ledger, "first")
    monkeypatch.setattr(os, "fsync", lambda _: all_written.wait())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: add(ledger, str(n), durable=True), range(8)))
    assert sorted(ids(ledger)) == sorted(["first", *map(str, range(8))])


def test_a_write_that_is_cut_short_is_continued(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can come in between: the lock is held."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:7]))
    add(ledger, "a", "b")
    assert ledger.verify().ok
    assert ids(ledger) == ["a", "b"]


# --- many at once


def append_many(root: Path, name: str, count: int, size: int) -> None:
    ledger = make_ledger(root)
    for number in range(count):
        ledger.append({"id": f"{name}-{number}", "text": "x" * size}, durable=number % 50 == 0)


@pytest.mark.parametrize(("count", "size"), [(250, 100), (30, 70_000)])
def test_any_number_of_processes_append_at_once(root: Path, count: int, size: int) -> None:
    """Nothing lost, nothing interleaved, and all of them on one chain."""
    processes = [SPAWN.Process(target=append_many, args=(root, f"p{n}", count, size)) for n in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    ledger = make_ledger(root)
    found = ids(ledger)
    assert sorted(found) == sorted(f"p{n}-{number}" for n in range(8) for number in range(count))
    for n in range(8):
        own = [id_ for id_ in found if id_.startswith(f"p{n}-")]
        assert own == [f"p{n}-{number}" for number in range(count)]
    verification = ledger.verify()
    assert (verification.problems, verification.records) == ((), 8 * count)
    assert len(writers_of(ledger)) == 1


def test_threads_append_through_one_ledger(ledger: Ledger) -> None:
    """And durable appends among them."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: add(ledger, *(f"{n}-{i}" for i in range(50)), durable=n == 0), range(4)))
    assert len(ids(ledger)) == 200
    assert ledger.verify().ok


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system does not list open files")
def test_a_ledger_that_is_not_used_any_more_leaves_no_file_open(tmp_path: Path) -> None:
    """A server opens and leaves many folders: the system's limit of open files is not reached by that."""

    def open_below(folder: Path) -> list[str]:
        names = [os.readlink(file) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
        return [name for name in names if name.startswith(f"{folder}/")]

    (tmp_path / ".orchestration").mkdir()
    ledger = make_ledger(tmp_path)
    add(ledger, "a", "b")
    assert len(open_below(tmp_path)) >= 3
    del ledger
    gc.collect()
    assert open_below(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_does_not_share_its_parents_lock(ledger: Ledger) -> None:
    """It opens the ledger anew; both go on."""
    add(ledger, "a")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for number in range(100):
                add(ledger, f"child {number}")
            status = 0
        finally:
            os._exit(status)
    for number in range(100):
        add(ledger, f"parent {number}")
    assert os.waitpid(child, 0)[1] == 0
    assert len(ids(ledger)) == 201
    assert ledger.verify().ok
    assert len(writers_of(ledger)) == 1


def test_reading_and_verifying_go_on_while_others_append(root: Path) -> None:
    """A line that is just being written is never taken for a torn one."""
    process = SPAWN.Process(target=append_many, args=(root, "p", 150, 20_000))
    process.start()
    ledger = make_ledger(root)
    seen = 0
    end = time.monotonic() + PATIENCE_S
    while process.is_alive():
        assert time.monotonic() < end, "the other process hangs"
        assert ledger.verify().problems == ()
        now = sum(1 for _ in ledger.newest_first())
        assert now >= seen
        seen = now
    process.join()
    assert len(ids(ledger)) == 150


def test_a_ledger_that_begins_while_it_is_verified_is_not_taken_for_a_lost_one(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first record is noted just after it was looked for in vain."""
    real = ChainHeads.newest

    def newest(self: ChainHeads) -> Any:
        if not Layout(root).ledger.exists():
            add(make_ledger(root), "a")
        return real(self)

    monkeypatch.setattr(ChainHeads, "newest", newest)
    assert (ledger.verify().problems, ids(ledger)) == ((), ["a"])


def test_a_killed_writer_tears_at_most_its_own_line(root: Path) -> None:
    """And frees the lock."""
    for _ in range(5):
        victim = SPAWN.Process(target=append_many, args=(root, "v", 10_000, 30_000))
        victim.start()
        eventually(Layout(root).ledger.exists)
        threading.Event().wait(0.15)
        os.kill(victim.pid or 0, signal.SIGKILL)
        victim.join()
        add(make_ledger(root), "after")
    ledger = make_ledger(root)
    assert {kind for _, kind in kinds(ledger)} <= {"torn"}
    assert len(writers_of(ledger)) == 1


# --- who goes on with which chain


def test_a_crash_between_the_record_and_its_note_loses_neither(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one, in this process or another, follows the chain to its real end."""

    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    add(ledger, "a")
    with monkeypatch.context() as patch:
        patch.setattr(ChainHeads, "save", die)
        with pytest.raises(Killed):
            add(ledger, "b")
    add(make_ledger(root), "c")
    assert (ids(ledger), writers_of(ledger)) == (["a", "b", "c"], writers_of(ledger)[:1])
    assert ledger.verify().ok


def test_a_note_that_can_not_be_written_costs_nothing(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged; the record is there."""

    def refuse(*_: object) -> None:
        raise OSError("no")

    add(ledger, "a")
    with monkeypatch.context() as patch:
        patch.setattr(ChainHeads, "save", refuse)
        add(ledger, "b")
        assert "could not be noted" in caplog.text
    add(ledger, "c")
    assert (len(writers_of(ledger)), ledger.verify().ok) == (1, True)


def test_a_record_without_a_sensible_id_is_noted_all_the_same(ledger: Ledger, root: Path) -> None:
    """Even where the id is too long for the note."""
    ledger.append({"no": "id"}, durable=False)
    add(ledger, "x" * 5000, "b")
    add(make_ledger(root), "c")
    assert (len(writers_of(ledger)), ledger.verify().ok) == (1, True)


@pytest.mark.parametrize("fresh", [False, True])
def test_deleting_the_state_costs_only_a_new_writer(ledger: Ledger, root: Path, fresh: bool) -> None:
    """For a server that runs on, and for the next process."""
    add(ledger, "a")
    shutil.rmtree(Layout(root).state)
    add(make_ledger(root), "b")
    if fresh:
        ledger = make_ledger(root)
    add(ledger, "c")
    assert ledger.verify().ok
    assert len(writers_of(ledger)) == 2
    assert [seq for _, seq in chains(ledger)] == [1, 1, 2]


OTHER = b"%08x [1]" % zlib.crc32(b"[1]")  # whole, but of another version


@pytest.mark.parametrize("name", ["chain.head", "writers.json"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b'{"nonsense":1}', b"00000000 ", OTHER, b"x" * 2000])
def test_damaged_notes_cost_no_more_than_a_new_writer(ledger: Ledger, root: Path, name: str, content: bytes) -> None:
    """Whatever stands in them."""
    add(ledger, "a")
    (Layout(root).state / name).write_bytes(content.ljust(1024))
    add(make_ledger(root), "b")
    assert ledger.verify().ok
    assert ids(ledger) == ["a", "b"]


def test_a_note_that_a_power_cut_mixed_up_is_not_believed(ledger: Ledger, root: Path) -> None:
    """Its checksum tells; a wrong number would leave a gap in the chain."""
    add(ledger, "a")
    head = Layout(root).state / "chain.head"
    head.write_bytes(head.read_bytes().replace(b'",1,"sha256:', b'",8,"sha256:'))
    add(make_ledger(root), "b")
    assert ([seq for _, seq in chains(ledger)], ledger.verify().ok) == ([1, 1], True)


def test_a_copy_of_the_folder_begins_a_writer_of_its_own(ledger: Ledger, root: Path, tmp_path: Path) -> None:
    """So that both copies' ledgers can be merged one day."""
    add(ledger, "a")
    shutil.copytree(root, tmp_path / "copy")
    copy = make_ledger(tmp_path / "copy")
    add(copy, "theirs")
    add(ledger, "ours")
    assert copy.verify().ok
    assert len(writers_of(copy)) == 2
    merged = Layout(root).ledger.read_bytes() + Layout(tmp_path / "copy").ledger.read_bytes().split(b"\n", 1)[1]
    Layout(root).ledger.write_bytes(merged)
    assert ledger.verify().ok


def test_a_copy_still_misses_what_was_cut_from_it(ledger: Ledger, root: Path, tmp_path: Path) -> None:
    """It knows how far the original had come."""
    add(ledger, "a", "b")
    shutil.copytree(root, tmp_path / "copy")
    (file,) = Layout(tmp_path / "copy").trace.glob("*.jsonl")
    file.write_bytes(file.read_bytes().split(b"\n")[0] + b"\n")
    Layout(tmp_path / "copy").ledger.unlink()
    copy = make_ledger(tmp_path / "copy")
    add(copy, "c")
    assert kinds(copy) == [(1, "cut")]


def test_a_cut_tail_shows_and_a_new_writer_begins(ledger: Ledger, root: Path) -> None:
    """Going on with the old number would hide what is gone."""
    add(ledger, "a", "b", "c")
    file = Layout(root).ledger
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:2]))
    assert kinds(ledger) == [(2, "cut")]
    add(ledger, "d", "e")
    assert kinds(ledger) == [(2, "cut")]
    assert [seq for _, seq in chains(ledger)] == [1, 2, 1, 2]
    assert kinds(ledger, elsewhere=lambda id_: id_ == "c") == []
    shutil.rmtree(Layout(root).trace)
    assert {kind for _, kind in kinds(ledger)} == {"cut"}


def test_an_edited_last_line_shows_and_a_new_writer_begins(ledger: Ledger, root: Path) -> None:
    """Its hash is known here, even if its length stays the same."""
    for new in (b'"id":"forged"', b'"id":"X"'):
        add(ledger, "a", "b", "c")
        file = Layout(root).ledger
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines[:-1]) + lines[-1].replace(b'"id":"c"', new))
        assert (len(lines), "edited") in kinds(ledger)
    add(make_ledger(root), "d")
    assert [kind for _, kind in kinds(ledger)] == ["edited", "edited"]


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda lines: lines, []),
        (lambda lines: [lines[0], lines[1].replace(b"b", b"B", 1), *lines[2:]], [(2, "edited")]),
        (lambda lines: [lines[0], *lines[2:]], [(2, "removed")]),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], [(3, "reordered")]),
        (lambda lines: [*lines[:2], lines[1], *lines[2:]], [(3, "duplicated")]),
        (lambda lines: [*lines[:2], b'{"id":"x"}\n', *lines[2:]], [(3, "foreign")]),
        (lambda lines: [*lines[:3], lines[3][:20]], [(4, "torn"), (3, "cut")]),
        (lambda lines: [line.replace(b"\n", b"\r\n") for line in lines], []),
    ],
)
def test_damage_is_found_and_named(
    ledger: Ledger,
    root: Path,
    damage: Callable[[list[bytes]], list[bytes]],
    expected: list[tuple[int, str]],
) -> None:
    """Edited, removed, reordered, duplicated, foreign, torn and cut lines."""
    add(ledger, "a", "b", "c", "d")
    file = Layout(root).ledger
    file.write_bytes(b"".join(damage(file.read_bytes().splitlines(keepends=True))))
    assert sorted(kinds(ledger)) == sorted(expected)


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)


@pytest.fixture
def repository(root: Path) -> Path:
    git(root, "init", "-q", "-b", "main")
    (root / ".gitattributes").write_text(".orchestration/agent_trace.jsonl merge=union\n")
    return root


def test_branches_merge_by_union_and_still_verify(repository: Path, ledger: Ledger) -> None:
    """Switching to and fro, a server running all the time, with commits on both sides."""
    known_to_git = True
    add(ledger, "a", "b")
    commit(repository, "base")
    git(repository, "checkout", "-qb", "side")
    add(ledger, "side 1", "side 2")
    commit(repository, "side")
    git(repository, "checkout", "-q", "main")
    add(ledger, "main 1")
    assert kinds(ledger, elsewhere=lambda _: known_to_git) == []
    commit(repository, "main")
    git(repository, "checkout", "-q", "side")
    add(make_ledger(repository), "side 3")
    commit(repository, "side again")
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "--no-edit", "side")
    add(ledger, "merged")
    assert kinds(ledger) == []
    assert sorted(ids(ledger)) == ["a", "b", "main 1", "merged", "side 1", "side 2", "side 3"]
    assert len(writers_of(ledger)) == 2


def test_two_clones_merge_by_union_and_still_verify(repository: Path, ledger: Ledger, tmp_path: Path) -> None:
    """Each wrote under its own name."""
    add(ledger, "a")
    commit(repository, "base")
    git(tmp_path, "clone", "-q", str(repository), "clone")
    clone = make_ledger(tmp_path / "clone")
    add(clone, "theirs")
    add(ledger, "ours")
    commit(repository, "ours")
    commit(tmp_path / "clone", "theirs")
    git(tmp_path / "clone", "pull", "-q", "--no-rebase", "--no-edit")
    add(clone, "later")
    assert clone.verify().ok
    assert len(ids(clone)) == 4


def test_a_writer_goes_on_where_its_newest_line_came_back(repository: Path, ledger: Ledger) -> None:
    """And not on a branch where only its older lines are."""

    def chain_of(id_: str) -> tuple[str, int]:
        (chain,) = (record["chain"] for record in ledger.oldest_first() if record["id"] == id_)
        return chain["writer"], chain["seq"]

    add(ledger, "a")
    commit(repository, "one")
    git(repository, "checkout", "-qb", "side")
    add(ledger, "b")
    commit(repository, "two")
    git(repository, "checkout", "-q", "main")
    add(ledger, "c")
    commit(repository, "three")
    first, second = chain_of("a")[0], chain_of("c")[0]
    assert first != second
    git(repository, "checkout", "-q", "side")
    add(ledger, "d")
    assert [chain_of(id_) for id_ in "abd"] == [(first, 1), (first, 2), (first, 3)]
    commit(repository, "four")
    git(repository, "checkout", "-q", "main")
    add(ledger, "e")
    assert [chain_of(id_) for id_ in "ace"] == [(first, 1), (second, 1), (second, 2)]
    assert sorted(ids(ledger)) == ["a", "c", "e"]


def test_only_so_many_earlier_writers_are_remembered(ledger: Ledger, root: Path) -> None:
    """The memory stays small."""
    for number in range(70):
        add(ledger, str(number))
        shutil.rmtree(Layout(root).trace)
    add(ledger, "last")
    assert len(json.loads((Layout(root).state / "writers.json").read_bytes())) == 64


# --- what can go wrong


def test_a_folder_in_the_ledgers_place_is_said_in_a_sentence(ledger: Ledger, root: Path) -> None:
    """When writing and when reading."""
    Layout(root).ledger.mkdir()
    with pytest.raises(LedgerUnavailable, match=r"jsonl can't be written \(is a directory\)\. Move the folder"):
        add(ledger, "a")
    for read in (lambda: list(ledger.newest_first()), lambda: list(ledger.oldest_first()), ledger.verify):
        with pytest.raises(LedgerUnavailable, match=r"can't be read \(is a directory\)"):
            read()
    assert (ledger.has_records(), ledger.is_writable()) == (False, False)


def test_a_link_in_the_ledgers_place_is_not_followed(ledger: Ledger, root: Path, tmp_path: Path) -> None:
    """A repository could bring one that points at any file of its user."""
    (tmp_path / "precious").write_text("precious")
    Layout(root).ledger.symlink_to(tmp_path / "precious")
    with pytest.raises(LedgerUnavailable, match="symbolic link"):
        add(ledger, "a")
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_fifo_in_the_ledgers_place_does_not_hang(ledger: Ledger, root: Path) -> None:
    """It is no regular file."""
    os.mkfifo(Layout(root).ledger)
    with pytest.raises(LedgerUnavailable, match="not a regular file"):
        add(ledger, "a")


def test_without_its_folder_the_ledger_can_not_be_written(ledger: Ledger, root: Path) -> None:
    """Somebody took governance away meanwhile: the folder is not made again."""
    (root / ".orchestration").rmdir()
    with pytest.raises(LedgerUnavailable, match="no such file"):
        add(ledger, "a")
    assert not (root / ".orchestration").exists()


def test_a_file_in_place_of_the_state_is_replaced_and_the_record_is_made(ledger: Ledger, root: Path) -> None:
    """Without a memory every record would begin a new chain; the state may be made anew at any time."""
    Layout(root).state.touch()
    add(ledger, "a")
    assert Layout(root).state.is_dir()
    assert ledger.size() > 0


def test_a_ledger_that_somebody_keeps_locked_is_given_up(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a sentence, for appending and for verifying alike."""
    add(ledger, "a")
    monkeypatch.setattr(appender, "_LOCK_TIMEOUT_S", 0.01)
    other = make_ledger(root)
    descriptor = other._appender._locked()[0].descriptor
    for attempt in (lambda: add(ledger, "b"), ledger.verify):
        with pytest.raises(LedgerUnavailable, match="locked by another process; gave up"):
            attempt()
    assert not ledger.is_writable()
    appender.unlock(descriptor)
    assert ledger.is_writable()


def test_a_ledger_that_is_replaced_while_it_is_waited_for_is_opened_anew(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record goes into the file that has the name then."""
    add(ledger, "a")
    replaced = []
    real = appender.try_lock

    def lock_late(descriptor: int) -> bool:
        if not replaced:
            replaced.append(True)
            file = Layout(root).ledger
            (root / "new").write_bytes(file.read_bytes())
            (root / "new").replace(file)
        return real(descriptor)

    monkeypatch.setattr(appender, "try_lock", lock_late)
    add(ledger, "b")
    assert ids(ledger) == ["a", "b"]
    assert len(writers_of(ledger)) == 1


def test_an_unreadable_place_is_an_error_for_the_size_too(root: Path) -> None:
    """`.orchestration` is a file, say."""
    (root / ".orchestration").rmdir()
    (root / ".orchestration").touch()
    with pytest.raises(LedgerUnavailable, match="not a directory"):
        make_ledger(root).size()


FULL = """
import resource, signal, sys
from pathlib import Path
from intentls.core.errors import LedgerUnavailable
sys.path.insert(0, sys.argv[2])
from tests.store.ledger.test_ledger import add
from tests.support.ledgers import make_ledger
ledger = make_ledger(Path(sys.argv[1]))
add(ledger, "a")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (ledger.size() + 2000, resource.RLIM_INFINITY))
for id_ in ("b", "c"):
    try:
        add(ledger, id_, text="x" * 5000)
    except LedgerUnavailable as error:
        print(error)
"""


def test_a_full_disk_leaves_a_torn_line_that_is_fenced_later(root: Path) -> None:
    """The error says so, and what was written before is whole."""
    repository = str(Path(__file__).parents[3])
    result = subprocess.run(
        [sys.executable, "-c", FULL, str(root), repository], capture_output=True, text=True, check=True
    )
    assert result.stdout.count("can't be written (file too large)") == 2
    ledger = make_ledger(root)
    assert ledger.size() > 2000
    assert [kind for _, kind in kinds(ledger)] == ["torn"]
    add(ledger, "d")
    assert ids(ledger) == ["a", "d"]
    assert (kinds(ledger), len(writers_of(ledger))) == ([(2, "torn")], 1)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_ledger_is_said_in_a_sentence(ledger: Ledger, root: Path) -> None:
    """With what to do about it."""
    add(ledger, "a")
    Layout(root).ledger.chmod(0o400)
    with pytest.raises(LedgerUnavailable, match=r"permission denied\)\. Make it a file that can be"):
        add(make_ledger(root), "b")


def test_open_files_do_not_pile_up(ledger: Ledger, root: Path) -> None:
    """However often the ledger is replaced, read, verified and synced."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc")
    add(ledger, "a")
    before = len(os.listdir("/proc/self/fd"))
    for number in range(20):
        add(ledger, str(number), durable=True)
        next(ledger.newest_first())
        ledger.verify()
        file = Layout(root).ledger
        (root / "new").write_bytes(file.read_bytes())
        (root / "new").replace(file)
    assert len(os.listdir("/proc/self/fd")) <= before


def test_what_was_not_logged_was_fine(ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
    """Ordinary work warns of nothing."""
    with caplog.at_level(logging.WARNING):
        add(ledger, "a", "b", durable=True)
        ledger.verify()
    assert not caplog.records
