"""The write-ahead log: what an answer waits for, and what happens when a log is full, in use or can't be."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import StoreError
from intentls.core.hashing import hash_of
from intentls.core.ledger.hash_chain import encode
from intentls.store.fs import atomic_write, boot_id
from intentls.store.journal import write_ahead_log as log_module
from intentls.store.journal.checkpoint import Checkpoint
from intentls.store.journal.entry_slots import EntrySlots
from intentls.store.journal.failures import TargetChanged
from intentls.store.journal.journal import FileOp
from intentls.store.journal.write_ahead_log import LoggedEdit, WriteAheadLogs
from tests.store.journaling import Killed, Store, at_call, die, fill, meddle, operations, record

SYNCS = ("fsync", "pwritev", "replace")


def write(store: Store, path: str, data: bytes) -> None:
    before = {path: store.content(path)}
    store.journal.commit(operations(before, {path: data}), record(before, {path: data}, f"{path}={len(data)}"))


def logs_of(store: Store) -> WriteAheadLogs:
    return WriteAheadLogs(store.layout, Checkpoint(store.tree, store.ledger, EntrySlots(store.layout)).sync)


def logged(store: Store) -> list[LoggedEdit]:
    """What stands in all logs, read by another process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boot_id, "_FILE", Path("/dev/null"))
        found = list(logs_of(store).claim_others())
    for log in found:
        log.close()
    return [edit for log in found for edit in _edits(log.path)]


def _edits(path: Path) -> list[LoggedEdit]:
    descriptor = os.open(path, os.O_RDWR)
    try:
        return log_module.WriteAheadLog(descriptor, path).edits()
    finally:
        os.close(descriptor)


def wait_for_checkpoints() -> None:
    """Until no log is synced beside us any more."""
    for thread in threading.enumerate():
        if thread.name == "intentls-checkpoint":
            thread.join()


def test_an_edit_stands_in_the_log_with_contents_and_record(store: Store, root: Path) -> None:
    """Each one, in their order."""
    fill(root, {"a": b"1"})
    write(store, "a", b"2")
    before, after = {"a": b"2", "b": None}, {"a": None, "b": b""}
    store.journal.commit(operations(before, after), record(before, after, "r2"))
    first, second = logged(store)
    assert (first.contents, first.entry.record["id"]) == ((b"2",), "a=1")
    assert (second.contents, [operation.path for operation in second.entry.operations]) == ((None, b""), ["a", "b"])
    assert first.moment < second.moment


def test_an_edit_that_no_log_can_hold_is_synced_step_by_step(
    store: Store, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The content before it is renamed, the entry before that, the folders, the record last."""
    write(store, "a", b"1")
    monkeypatch.setattr(log_module, "MOST_LOGGED", 2000)
    with at_call(-1, die, late=False) as calls:
        write(store, "a", bytes(3000))
    assert [call for call in calls if call in SYNCS] == [*("fsync", "fsync", "replace", "fsync", "fsync")]
    assert [len(edit.contents[0] or b"") for edit in logged(store)] == [1]


def test_without_a_boot_id_each_step_is_synced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a system can't tell a power loss from a kill."""
    monkeypatch.setattr(boot_id, "_FILE", Path("/nowhere"))
    unsure = Store(store.layout.root)
    with at_call(-1, die, late=False) as calls:
        write(unsure, "a", b"1")
    assert "pwritev" not in calls
    assert calls.count("fsync") >= 5
    assert not unsure.layout.write_ahead.exists()


@pytest.mark.parametrize("error", [95, 22, 5])
def test_a_file_system_without_durable_writes_is_asked_for_a_write_and_a_sync(
    store: Store, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """A real error stays one, and nothing of the edit stands."""

    real, asked = os.pwritev, list[int]()

    def refuse(*args: Any) -> int:
        asked.append(error)
        if error == 5 and len(asked) > 1:
            return real(*args)
        raise OSError(error, "no")

    write(store, "a", b"1")
    monkeypatch.setattr(os, "pwritev", refuse)
    if error != 5:
        write(store, "a", b"22")
        assert [edit.contents for edit in logged(store)] == [(b"1",), (b"22",)]
        return
    with pytest.raises(StoreError):
        write(store, "a", b"22")
    assert (store.content("a"), len(store.records), store.leftovers()) == (b"1", 1, [])
    assert logged(store) == [], "a power loss must not bring it back"


def test_a_durable_write_that_was_taken_in_parts_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may take less at once."""
    real = os.pwritev
    monkeypatch.setattr(os, "pwritev", lambda fd, parts, offset, flags: real(fd, [parts[0][:3]], offset, flags))
    descriptor = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    atomic_write.write_durably_at(descriptor, b"0123456789", 2)
    os.close(descriptor)
    assert (tmp_path / "file").read_bytes() == b"\0\x000123456789"


def test_a_log_grows_and_is_emptied_when_it_is_full(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the edits: those take the next log, or are synced step by step, until it is free again."""
    monkeypatch.setattr(log_module, "_FULL", 1 << 17)
    for number in range(40):
        write(store, f"f{number % 7}", b"%05d" % number * 1000)
    wait_for_checkpoints()
    assert len(logged(store)) < 40
    assert len(store.records) == 40
    assert all(log.stat().st_size <= 1 << 17 for log in store.layout.write_ahead.iterdir())


def test_edits_at_the_same_time_have_a_log_each(store: Store, root: Path) -> None:
    """The first one's is locked until its files are in place."""
    fill(root, {"a": b"1"})

    def another() -> None:
        write(Store(root), "b", b"2")

    meddle(store, before={"a": another})
    write(store, "a", b"one")
    assert len(list(store.layout.write_ahead.iterdir())) == 2
    assert [edit.contents for edit in sorted(logged(store), key=lambda edit: edit.moment)] == [(b"one",), (b"2",)]


def test_a_refused_edit_leaves_the_log_before_its_refusal(store: Store, root: Path) -> None:
    """A power loss must not bring it back; what the log held besides is synced."""
    fill(root, {"a": b"1", "b": b"1"})
    write(store, "c", b"before it")
    meddle(store, after={"a": lambda: (root / "b").write_bytes(b"theirs")})
    before, after = {"a": b"1", "b": b"1"}, {"a": b"2", "b": b"2"}
    with pytest.raises(TargetChanged):
        store.journal.commit(operations(before, after), record(before, after))
    assert logged(store) == []
    write(store, "c", b"after it")
    assert [edit.contents for edit in logged(store)] == [(b"after it",)]


def test_a_dropped_edit_leaves_the_log_when_it_is_dropped(store: Store, root: Path) -> None:
    """Killed behind the log's write, before its file was touched."""
    fill(root, {"a": b"1"})
    write(store, "c", b"earlier")
    meddle(store, before={"a": die})
    with pytest.raises(Killed):
        write(store, "a", b"2")
    assert len(logged(store)) == 2
    Store(root).journal.recover()
    assert (logged(store), store.content("a")) == ([], b"1")


def test_a_log_in_use_is_waited_for_by_a_checkpoint(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for ever; the error says which."""
    write(store, "a", b"1")
    monkeypatch.setattr(log_module, "_PATIENCE_S", 0.0)
    logs = logs_of(store)
    held = logs.append(b"{}", (), (), 0)
    assert held is not None
    with pytest.raises(StoreError, match="is in use by another process"):
        logs.checkpoint()
    held.close()
    logs.checkpoint()
    assert logged(store) == []


def test_a_checkpoint_that_fails_leaves_the_log_as_it_is(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The next edit that finds it full tries again."""

    def refuse(*_: object) -> None:
        raise OSError(5, "no")

    write(store, "a", bytes(60_000))
    monkeypatch.setattr(log_module, "_FULL", 1 << 16)
    with monkeypatch.context() as patch:
        patch.setattr(store.ledger, "sync", refuse)
        write(store, "a", bytes(50_000))
        wait_for_checkpoints()
    assert "could not be synced; the next edit tries again" in caplog.text
    assert [len(edit.contents[0] or b"") for edit in logged(store)] == [60_000, 50_000]


def test_a_disk_without_room_for_a_log_syncs_each_step(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The edit is as durable as ever."""

    def refuse(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(log_module.WriteAheadLog, "make_room", refuse)
    with at_call(-1, die, late=False) as calls:
        write(store, "a", b"1")
    assert "each step is synced" in caplog.text
    assert (store.content("a"), "pwritev" in calls, len(store.records)) == (b"1", False, 1)


def test_a_deleted_state_costs_no_edit(store: Store) -> None:
    """The log is made again."""
    write(store, "a", b"1")
    shutil.rmtree(store.layout.state)
    write(store, "a", b"2")
    assert [edit.contents for edit in logged(store)] == [(b"2",)]


@pytest.mark.parametrize("damage", ["torn", "zeros", "another version", "no entry", "forged"])
def test_an_entry_that_is_not_whole_never_began(store: Store, damage: str) -> None:
    """Those before it count."""
    write(store, "a", b"1")
    (log,) = store.layout.write_ahead.iterdir()
    first = log.read_bytes()
    offset = log_module._CURSOR.unpack_from(first)[3]
    write(store, "a", b"22")
    data = bytearray(log.read_bytes())
    if damage == "torn":
        data[offset + 300 :] = bytes(len(data) - offset - 300)
    elif damage == "zeros":
        data[offset : offset + 100] = bytes(100)
    else:
        noted = _note(store, log)
        forged = encode({"txid": "0" * 32, "operations": [vars_of("a")], "record": {}})
        wrong = {
            "another version": b'{"origin":"?"}\n{}',
            "no entry": noted + b"\n{}",
            "forged": noted.replace(b'"length":2', b'"length":%d' % len(forged)) + b"\n" + forged,
        }[damage]
        _, number, _, generation, _ = log_module._HEAD.unpack_from(data, offset)
        digest = log_module.hashlib.sha256(wrong).digest()
        head = log_module._HEAD.pack(b"IWAL", number, len(wrong), generation, digest)
        data[offset : offset + len(head + wrong)] = head + wrong
    with open(os.open(log, os.O_WRONLY), "wb", closefd=True) as file:
        file.write(data)
    assert [edit.contents for edit in logged(store)] == [(b"1",)]


def vars_of(path: str) -> dict[str, Any]:
    """An operation whose content is in no log."""
    return {"path": path, "before_hash": None, "after_hash": hash_of(b"forged"), "mode": None}


def _note(store: Store, log: Path) -> bytes:
    origin = [store.layout.write_ahead.stat().st_ino, log.stat().st_ino]
    return encode({"origin": origin, "written_ns": 1, "moment": 1, "staged": [], "length": 2})


def test_the_record_and_its_edit_are_synced_before_a_log_is_emptied(store: Store, root: Path) -> None:
    """The file, its folders, the segment, and what still waits in the journal."""
    store.layout.ledger.mkdir()
    fill(root, {"deep/a": b"1"})
    before, after = {"deep/a": b"1"}, {"deep/a": b"2"}
    store.journal.commit([FileOp("deep/a", hash_of(b"1"), b"2")], record(before, after))
    store.layout.ledger.rmdir()
    synced: list[str] = []
    real = os.fsync

    def note(descriptor: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{descriptor}").removeprefix(str(root)))
        real(descriptor)

    write(store, "b", b"1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", note)
        logs_of(store).checkpoint()
    (segment,) = store.layout.trace.iterdir()
    assert {"", "/deep", "/deep/a", "/b", f"/.orchestration/trace/{segment.name}"} <= set(synced)
    assert logged(store) == []
