"""Records of what has happened already: in the journal first, in the ledger once, in their order."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import hash_of
from intentls.core.ledger.trace_state import TraceState
from intentls.store.fs.named_locks import Locks
from intentls.store.journal import entry_slots as slots_module
from intentls.store.journal import recovery as recovery_module
from intentls.store.journal.journal import FileOp
from tests.store.journaling import Killed, Store, at_call, die, fill, make_store, record

SPAWN = multiprocessing.get_context("spawn")


def save(id_: str, path: str = "a") -> dict[str, Any]:
    return record({path: b"1"}, {path: b"2"}, id_)


def put(store: Store, id_: str, *, durable: bool = True) -> TraceState:
    return store.journal.record(save(id_), durable=durable)


def ids(store: Store) -> list[str]:
    return [found["id"] for found in store.records]


def test_a_record_is_in_the_ledger_as_it_was_given_and_not_in_the_journal(store: Store) -> None:
    """Nothing waits, and nothing says that it had to."""
    assert put(store, "r1") is TraceState.RECORDED
    (found,) = store.records
    assert {key: value for key, value in found.items() if key != "chain"} == save("r1")
    assert (store.leftovers(), store.journal.has_unfinished()) == ([], False)


def test_a_record_is_entered_before_it_is_appended_and_synced_once(store: Store) -> None:
    """One sync, of the ledger, after the entry was written; a record that need not be durable costs none."""
    put(store, "r0")
    with at_call(-1, die, late=False) as calls:
        put(store, "r1")
    written = [call for call in calls if call in ("pwrite", "write", "fsync", "ftruncate")]
    assert (written[0], written[1], written[-1]) == ("pwrite", "write", "ftruncate"), "entry, line, forgotten"
    assert written.count("fsync") == 1
    with at_call(-1, die, late=False) as calls:
        put(store, "r2", durable=False)
    assert "fsync" not in calls


@pytest.mark.parametrize("late", [False, True], ids=["before the call", "after the call"])
@pytest.mark.parametrize("ledger", ["whole", "a folder"])
def test_a_kill_at_any_call_leaves_the_record_once_or_never_and_never_loses_an_entered_one(
    tmp_path: Path, late: bool, ledger: str
) -> None:
    """Once it was there after a kill, it is there after each later one, also where the ledger can't be written."""
    there = []
    for number in range(60):
        store = make_store(tmp_path / str(number))
        if ledger == "a folder":
            store.layout.ledger.mkdir()
        killed = True
        with at_call(number, die, late=late):
            try:
                put(store, "r1")
                killed = False
            except Killed:
                pass
        if ledger == "a folder":
            store.layout.ledger.rmdir()
        fresh = Store(store.layout.root)
        fresh.journal.recover()
        fresh.journal.recover()
        assert ids(fresh) in ([], ["r1"])
        assert fresh.leftovers() == []
        assert fresh.ledger.verify().problems == ()
        there.append(bool(ids(fresh)))
        if not killed:
            break
    assert there == sorted(there), "a record that was entered is gone"
    assert (there[0], there[-1]) == (False, True)
    assert there.count(True) >= 3


@pytest.mark.parametrize("late", [False, True], ids=["before the call", "after the call"])
def test_several_records_are_entered_as_one_and_a_kill_leaves_all_or_none(tmp_path: Path, late: bool) -> None:
    """In their order, none of them twice, also where some were appended before."""
    there = []
    for number in range(60):
        store = make_store(tmp_path / str(number))
        killed = True
        with at_call(number, die, late=late):
            try:
                store.journal.record_all([save(f"r{index}") for index in range(3)], durable=True)
                killed = False
            except Killed:
                pass
        fresh = Store(store.layout.root)
        fresh.journal.recover()
        assert ids(fresh) in ([], ["r0", "r1", "r2"])
        assert (fresh.leftovers(), fresh.ledger.verify().problems) == ([], ())
        there.append(bool(ids(fresh)))
        if not killed:
            break
    assert there == sorted(there)
    assert there.count(True) >= 5


def test_several_records_wait_as_one(store: Store) -> None:
    """Who asks meanwhile is given the newest first."""
    store.layout.ledger.mkdir()
    assert store.journal.record_all([save("r1"), save("r2")], durable=False) is TraceState.WAITING
    assert put(store, "r3") is TraceState.WAITING
    assert [found["id"] for found in store.journal.waiting()] == ["r3", "r2", "r1"]
    store.layout.ledger.rmdir()
    store.journal.recover()
    assert ids(store) == ["r1", "r2", "r3"]


def test_records_wait_for_a_ledger_that_can_not_be_written_and_keep_their_order(store: Store, root: Path) -> None:
    """Whoever records next, of any process, appends them first."""
    store.layout.ledger.mkdir()
    assert [put(store, f"r{number}") for number in range(12)] == [TraceState.WAITING] * 12
    assert store.journal.has_unfinished()
    store.layout.ledger.rmdir()
    assert put(Store(root), "r12") is TraceState.RECORDED
    assert ids(store) == [f"r{number}" for number in range(13)]
    assert [found.get("recovered") for found in store.records] == [True] * 12 + [None]
    assert store.leftovers() == []


def test_an_edit_and_the_records_before_it_keep_their_order(store: Store, root: Path) -> None:
    """The ledger heals in the midst of the edit: its record comes after those that waited all the same."""
    fill(root, {"b": b"1"})
    store.layout.ledger.mkdir()
    put(store, "r1")
    edit = record({"b": b"1"}, {"b": b"2"}, "r2")
    with store.journal.hold([str(root / "b")], "me"):
        store.layout.ledger.rmdir()
        assert store.journal.commit([FileOp("b", hash_of(b"1"), b"2")], edit).traced
    assert ids(store) == ["r1", "r2"]


def test_a_record_behind_one_that_can_not_be_appended_waits_too(
    store: Store, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own place is free, but its turn has not come."""
    store.layout.ledger.mkdir()
    put(store, "r1")
    store.layout.ledger.rmdir()
    with monkeypatch.context() as patch:
        patch.setattr(store.ledger, "is_writable", lambda: False)
        assert put(store, "r2") is TraceState.WAITING
    assert ids(store) == []
    store.journal.recover()
    assert ids(store) == ["r1", "r2"]


def test_a_waiting_record_is_on_the_disk_itself(store: Store) -> None:
    """It is synced once it is known that it has to wait, and so is the name of its file."""
    store.layout.ledger.mkdir()
    put(store, "r1")
    with at_call(-1, die, late=False) as calls:
        put(store, "r2", durable=False)
    assert calls.count("fsync") == 2


def test_a_record_whose_line_is_written_and_not_synced_is_not_written_twice(store: Store, root: Path) -> None:
    """The append failed, and the line is there: whoever settles it finds it."""
    put(store, "r0")

    def fail() -> None:
        raise OSError(5, "Input/output error")

    with at_call(-1, fail, late=False) as calls:
        put(store, "r1")
    with at_call(calls.index("fsync"), fail, late=False):
        assert put(store, "r2") is TraceState.WAITING
    Store(root).journal.recover()
    assert ids(store) == ["r0", "r1", "r2"]
    assert store.leftovers() == []


def test_who_holds_a_file_finds_the_waiting_record_of_it_appended(store: Store, root: Path) -> None:
    """Also where another process has it in hand just then: it is waited for."""
    store.layout.ledger.mkdir()
    put(store, "r1")
    store.layout.ledger.rmdir()
    slots = slots_module.EntrySlots(store.layout)
    slot = slots.claim(0)
    assert slot is not None
    threading.Timer(0.3, slot.close).start()
    began = time.monotonic()
    with store.journal.hold([str(root / "a")], "me"):
        assert ids(store) == ["r1"]
    assert time.monotonic() - began > 0.25
    with store.journal.hold([str(root / "b")], "me", timeout_s=0):
        pass


def test_a_record_waits_for_another_process_that_settles_the_earlier_ones(
    store: Store, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would come before them; and one that waits in vain is kept for later."""
    store.layout.ledger.mkdir()
    put(store, "r1")
    store.layout.ledger.rmdir()
    slot = slots_module.EntrySlots(store.layout).claim(0)
    assert slot is not None
    monkeypatch.setattr(recovery_module, "_SETTLE_TIMEOUT_S", 0.2)
    with closing(slot), Locks(store.layout.locks / "journal").hold(("settle",), "another process"):
        assert put(store, "r2") is TraceState.WAITING
        assert store.journal.recover() == []
    assert put(store, "r3") is TraceState.RECORDED
    assert ids(store) == ["r1", "r2", "r3"]


def test_processes_that_settle_at_once_append_each_record_once_and_in_order(store: Store, root: Path) -> None:
    """Four of them, and each records something of its own."""
    store.layout.ledger.mkdir()
    for number in range(40):
        put(store, f"r{number}")
    store.layout.ledger.rmdir()
    processes = [SPAWN.Process(target=record_one, args=(root, f"own {number}")) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert ids(store)[:40] == [f"r{number}" for number in range(40)]
    assert sorted(ids(store)[40:]) == [f"own {number}" for number in range(4)]
    assert store.ledger.verify().ok


def record_one(root: Path, id_: str) -> None:
    assert put(Store(root), id_) is TraceState.RECORDED


def spoil_state(store: Store) -> None:
    store.layout.state.parent.mkdir(exist_ok=True)
    store.layout.state.mkdir(exist_ok=True)
    store.layout.journal.write_bytes(b"a file in the journal's place")


def fill_slots(store: Store) -> None:
    slots = slots_module.EntrySlots(store.layout)
    for number in range(slots_module._MAX_SLOTS):
        slots.claim(number)  # its lock lives as long as this process


@pytest.mark.parametrize("spoil", [spoil_state, fill_slots])
def test_a_record_that_the_journal_can_not_hold_is_appended_or_lost_and_never_said_to_be_there(
    store: Store, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Store], None]
) -> None:
    """It is in the ledger, or the answer is that it is nowhere."""
    monkeypatch.setattr(slots_module, "_MAX_SLOTS", 2)
    assert store.journal.has_room()
    if spoil is spoil_state:
        for file in store.layout.journal.iterdir():
            file.unlink()
        store.layout.journal.rmdir()
    spoil(store)
    assert not store.journal.has_room()
    assert put(store, "r1") is TraceState.RECORDED
    store.layout.ledger.rename(store.layout.ledger.with_suffix(".away"))
    store.layout.ledger.mkdir()
    assert put(store, "r2") is TraceState.LOST


def test_a_record_that_can_neither_be_appended_nor_synced_is_lost_and_does_not_come_later(store: Store) -> None:
    """Its caller was told so, and may record it again."""
    store.layout.ledger.mkdir()
    put(store, "r0")

    def fail() -> None:
        raise OSError(5, "Input/output error")

    with at_call(-1, fail, late=False) as calls:
        put(store, "r1")
    with at_call(calls.index("fsync"), fail, late=False):
        assert put(store, "r2") is TraceState.LOST
    store.layout.ledger.rmdir()
    store.journal.recover()
    assert ids(store) == ["r0", "r1"]


def test_a_probe_leaves_nothing(store: Store, root: Path) -> None:
    """Nor does one that was cut off: it is no entry."""
    assert store.journal.has_room()
    assert (store.leftovers(), store.journal.has_unfinished()) == ([], False)
    slot = slots_module.EntrySlots(store.layout).take()
    (store.layout.journal / f"{slot.number:03}").write_bytes(bytes(4096))
    slot.close()
    assert Store(root).journal.recover() == []
    assert store.leftovers() == []


def test_a_selections_record_has_no_files_and_is_settled_as_it_was(store: Store, root: Path) -> None:
    """Nothing is added but that it came late."""
    store.layout.ledger.mkdir()
    store.journal.record({"id": "r1", "tool_name": "select_active_intent"}, durable=True)
    store.layout.ledger.rmdir()
    Store(root).journal.recover()
    (found,) = store.records
    assert {key: found[key] for key in found if key != "chain"} == {
        "id": "r1",
        "tool_name": "select_active_intent",
        "recovered": True,
    }
