"""The journal: an edit happens wholly and is on record, or not at all."""

from __future__ import annotations

import logging
import os
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from intentls.core.errors import InvalidPath, LockTimeout, StoreError
from intentls.core.hashing import hash_of
from intentls.store.journal import entry_slots as slots_module
from intentls.store.journal.entry_slots import EntrySlots
from intentls.store.journal.failures import TargetChanged
from intentls.store.journal.journal import FileOp
from intentls.store.journal.recovery import RecoveryOutcome
from tests.store.journaling import (
    Killed,
    Store,
    at_call,
    check_truth,
    die,
    fill,
    make_store,
    meddle,
    operations,
    record,
)


def ids(store: Store) -> list[str]:
    return [found["id"] for found in store.records]


# --- commit


def test_a_committed_edit_is_in_place_and_on_record(store: Store, root: Path) -> None:
    """Nothing of it stays in the journal."""
    before, after = {"src/a.py": b"old"}, {"src/a.py": b"new"}
    fill(root, before)
    assert store.journal.commit(operations(before, after), record(before, after)).traced
    assert store.content("src/a.py") == b"new"
    (found,) = store.records
    assert {key: found[key] for key in ("id", "files")} == {key: record(before, after)[key] for key in ("id", "files")}
    assert "recovered" not in found
    assert (store.leftovers(), store.journal.has_unfinished(), store.journal.recover()) == ([], False, [])


def test_many_files_are_added_changed_deleted_and_renamed_at_once(store: Store, root: Path) -> None:
    """One record for all of them."""
    before = {"a": b"1", "b": b"2", "deep/old": b"3"}
    after = {"a": b"one", "b": None, "new/folder/c": b"", "deep/new": b"3", "deep/old": None}
    fill(root, before)
    store.journal.commit(operations(before, after), record(before, after))
    assert {path: store.content(path) for path in after} == after
    assert (len(store.records), store.leftovers()) == (1, [])


def test_permissions_are_the_given_ones_or_those_of_any_new_file(store: Store, root: Path) -> None:
    """An executable stays one."""
    fill(root, {"run": b"old"})
    store.journal.commit([FileOp("run", hash_of(b"old"), b"new", 0o755), FileOp("plain", None, b"x")], record({}, {}))
    (root / "usual").touch()
    assert stat.S_IMODE((root / "run").stat().st_mode) == 0o755
    assert (root / "plain").stat().st_mode == (root / "usual").stat().st_mode


def test_an_edit_that_changes_nothing_is_recorded_all_the_same(store: Store, root: Path) -> None:
    """The same content again."""
    fill(root, {"a": b"same"})
    store.journal.commit([FileOp("a", hash_of(b"same"), b"same", 0o600)], record({}, {}))
    assert (store.content("a"), ids(store), store.leftovers()) == (b"same", ["r1"], [])


def test_success_is_answered_when_content_and_record_are_on_the_disk(store: Store, root: Path) -> None:
    """One durable write, before the file is touched, has both."""
    fill(root, {"a": b"1"})
    store.journal.commit([FileOp("a", hash_of(b"1"), b"2")], record({}, {}))
    with at_call(-1, die, late=False) as calls:
        store.journal.commit([FileOp("a", hash_of(b"2"), b"3")], record({}, {}, "r2"))
    assert [call for call in calls if call in ("fsync", "pwritev", "replace", "ftruncate")] == [
        *("pwritev", "replace", "ftruncate")
    ]


@pytest.mark.parametrize("path", [".git/config", ".orchestration/policy.yaml", "sub/.GIT/hooks/pre-commit"])
def test_no_edit_touches_a_protected_file(store: Store, path: str) -> None:
    """Whatever the gate thought."""
    with pytest.raises(InvalidPath, match="is protected"):
        store.journal.commit([FileOp(path, None, b"x")], record({}, {}))
    assert (store.content(path), store.records) == (None, [])


def test_the_intents_file_can_be_edited(store: Store) -> None:
    """It is protected by scope, which is the gate's business."""
    path = ".orchestration/active_intents.yaml"
    store.journal.commit([FileOp(path, None, b"active_intents: []\n")], record({}, {path: b""}))
    assert store.content(path) == b"active_intents: []\n"


# --- somebody else changes a file


def test_a_file_that_changed_since_it_was_read_stops_the_edit(store: Store, root: Path) -> None:
    """Nothing is written, nothing recorded; the error names it."""
    fill(root, {"a": b"1", "b": b"theirs"})
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": b"two"}
    with pytest.raises(TargetChanged, match=r"^b changed while it was being edited\. Read it again") as caught:
        store.journal.commit(operations(before, after), record(before, after))
    assert caught.value.path == "b"
    assert (store.content("a"), store.content("b"), store.records) == (b"1", b"theirs", [])
    assert store.leftovers() == []


BEFORE = {"a": b"1", "gone": b"2", "b": b"3"}
AFTER = {"a": b"one", "new/n": b"n", "gone": None, "b": b"three"}


def test_a_change_in_the_midst_of_an_edit_undoes_all_of_it(store: Store, root: Path) -> None:
    """The files that were done are as before, modes too; the foreign change stays."""
    fill(root, BEFORE)
    (root / "a").chmod(0o640)
    meddle(store, after={"new/n": lambda: (root / "b").write_bytes(b"theirs")})
    with pytest.raises(TargetChanged) as caught:
        store.journal.commit(operations(BEFORE, AFTER), record(BEFORE, AFTER))
    assert caught.value.path == "b"
    assert [store.content(path) for path in ("a", "new/n", "gone", "b")] == [b"1", None, b"2", b"theirs"]
    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o640
    assert (store.records, store.leftovers()) == ([], [])


def test_what_somebody_built_on_at_once_is_not_undone_but_recorded(store: Store, root: Path) -> None:
    """Undoing would destroy their work; the record speaks of that file alone."""
    fill(root, BEFORE)

    def build_on() -> None:
        (root / "a").write_bytes(b"one and more")
        (root / "b").write_bytes(b"theirs")

    meddle(store, after={"new/n": build_on})
    with pytest.raises(TargetChanged):
        store.journal.commit(operations(BEFORE, AFTER), record(BEFORE, AFTER))
    assert [store.content(path) for path in ("a", "new/n", "gone", "b")] == [b"one and more", None, b"2", b"theirs"]
    (found,) = store.records
    assert ([file["path"] for file in found["files"]], found["recovered"]) == (["a"], True)
    assert store.leftovers() == []


@pytest.mark.parametrize("late", [False, True])
def test_a_disk_that_fails_in_the_midst_of_an_edit_undoes_all_of_it(store: Store, root: Path, late: bool) -> None:
    """Also if it failed just after the file had changed: the file itself tells."""

    def fail() -> None:
        raise StoreError("b can't be written: input/output error.")

    fill(root, BEFORE)
    meddle(store, **{"after" if late else "before": {"b": fail}})
    with pytest.raises(StoreError, match="input/output"):
        store.journal.commit(operations(BEFORE, AFTER), record(BEFORE, AFTER))
    assert {path: store.content(path) for path in AFTER} == {path: BEFORE.get(path) for path in AFTER}
    assert (store.records, store.leftovers()) == ([], [])


def test_what_can_not_be_undone_now_is_settled_later(
    store: Store, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The entry stays; recovery completes it, since a part of it is there."""

    def fail() -> None:
        raise StoreError("no")

    fill(root, BEFORE)
    meddle(store, before={"b": fail, "a": lambda: None}, after={"a": lambda: None})
    real = store.tree.remove

    def remove(rel: str, *, durable: bool = True) -> None:
        if rel == "new/n":
            raise StoreError("can't be removed")
        real(rel, durable=durable)

    store.tree.remove = remove  # type: ignore[method-assign]
    with pytest.raises(StoreError, match=r"^no\b"):
        store.journal.commit(operations(BEFORE, AFTER), record(BEFORE, AFTER))
    assert "recovery will settle it" in caplog.text
    assert store.journal.has_unfinished()
    fresh = Store(root)
    assert [done.outcome for done in fresh.journal.recover()] == [RecoveryOutcome.PARTIAL]
    (found,) = fresh.records
    assert [file["path"] for file in found["files"]] == [p for p in AFTER if fresh.content(p) == AFTER[p]]
    assert fresh.leftovers() == []


def test_an_interrupt_from_the_keyboard_is_like_a_kill(store: Store, root: Path) -> None:
    """Nobody tidies up in a hurry; the next start does."""
    fill(root, BEFORE)

    def interrupt() -> None:
        raise KeyboardInterrupt

    meddle(store, before={"b": interrupt})
    with pytest.raises(KeyboardInterrupt):
        store.journal.commit(operations(BEFORE, AFTER), record(BEFORE, AFTER))
    (done,) = Store(root).journal.recover()
    assert (done.record_id, done.outcome, done.paths) == ("r1", RecoveryOutcome.COMPLETED, tuple(AFTER))
    assert {path: store.content(path) for path in AFTER} == AFTER


# --- the disk or the ledger refuses


@pytest.mark.parametrize("late", [False, True])
def test_whatever_call_fails_the_edit_happens_wholly_or_not_at_all(tmp_path: Path, late: bool) -> None:
    """Each one in turn: with an error nothing of the edit stands, without one it is there and on record."""

    def fail() -> None:
        raise OSError(28, "No space left on device")

    failed = 0
    for number in range(200):
        store = make_store(tmp_path / str(number))
        fill(store.layout.root, BEFORE)
        with at_call(number, fail, late=late) as calls:
            try:
                store.journal.commit(operations(BEFORE, AFTER), record(BEFORE, AFTER))
                succeeded = True
            except StoreError:
                succeeded, failed = False, failed + 1
        store.journal.recover()
        assert check_truth(store, BEFORE, AFTER) == succeeded
        if number >= len(calls):
            break
    assert failed > 20


def test_a_state_folder_that_can_not_be_used_is_said_in_a_sentence(store: Store) -> None:
    """When committing and when recovering."""
    store.layout.state.mkdir()
    store.layout.journal.touch()
    for attempt in (lambda: store.journal.commit([], record({}, {})), store.journal.recover):
        with pytest.raises(StoreError, match=r"can't (hold the edit|be used) \(a part of it is a file, not a folder\)"):
            attempt()


def test_without_a_ledger_the_edit_stands_and_its_record_comes_later(
    store: Store, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Even if the file was edited again meanwhile; records keep their order."""
    fill(root, {"a": b"1"})
    store.layout.ledger.mkdir()
    first = store.journal.commit(
        [FileOp("a", hash_of(b"1"), b"2")], record({"a": b"1"}, {"a": b"2"}, "r1", "2026-01-01T00:00:01.000Z")
    )
    second = store.journal.commit(
        [FileOp("a", hash_of(b"2"), b"3")], record({"a": b"2"}, {"a": b"3"}, "r2", "2026-01-01T00:00:02.000Z")
    )
    assert (first.traced, second.traced, store.content("a")) == (False, False, b"3")
    assert "not on record yet" in caplog.text
    assert (store.journal.recover(), store.journal.has_unfinished()) == ([], True)
    store.layout.ledger.rmdir()
    assert [done.record_id for done in store.journal.recover()] == ["r1", "r2"]
    assert [(found["id"], found["recovered"]) for found in store.records] == [("r1", True), ("r2", True)]
    assert (store.journal.has_unfinished(), store.leftovers()) == (False, [])


def test_records_that_had_to_wait_keep_their_order_whatever_the_clock_says(store: Store, root: Path) -> None:
    """Nor does it matter in which slots they stand."""
    store.layout.ledger.mkdir()
    for number in range(12):
        before = None if number == 0 else b"%d" % (number - 1)
        data = b"%d" % number
        edit = record({"a": before}, {"a": data}, f"r{number}", f"2026-01-01T{23 - number}:00:00.000Z")
        store.journal.commit([FileOp("a", hash_of(before), data)], edit)
    store.layout.ledger.rmdir()
    assert [done.record_id for done in Store(root).journal.recover()] == [f"r{number}" for number in range(12)]
    assert [found["files"][0]["pre_hash"] for found in store.records[1:]] == [
        found["files"][0]["post_hash"] for found in store.records[:-1]
    ]


def test_a_degraded_edit_locks_nobody_out(store: Store, root: Path) -> None:
    """Its files can be edited on: only its record is missing."""
    fill(root, {"a": b"1"})
    store.layout.ledger.mkdir()
    store.journal.commit([FileOp("a", hash_of(b"1"), b"2")], record({}, {"a": b"2"}))
    with store.journal.hold([str(root / "a")], "me", timeout_s=0):
        assert store.content("a") == b"2"


def test_a_journal_that_can_not_be_cleared_is_cleared_by_recovery(
    store: Store, root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer is still a success, and nothing is recorded twice."""

    def refuse(*_: object) -> None:
        raise OSError("no")

    with monkeypatch.context() as patch:
        patch.setattr(os, "ftruncate", refuse)
        assert store.journal.commit([FileOp("a", None, b"x")], record({}, {"a": b"x"})).traced
    assert "could not be cleared" in caplog.text
    assert [done.outcome for done in store.journal.recover()] == [RecoveryOutcome.COMPLETED]
    assert (ids(store), store.leftovers()) == (["r1"], [])


def test_staged_contents_that_can_not_be_removed_are_removed_by_recovery(
    store: Store, root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The error is that of the edit, not that of tidying up."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(slots_module.EntrySlot, "write", refuse)
        patch.setattr(os, "unlink", refuse)
        with pytest.raises(StoreError, match="hold the edit"):
            store.journal.commit([FileOp("a", None, b"x")], record({}, {"a": b"x"}))
    assert "could not be removed" in caplog.text
    assert len(store.leftovers()) == 1
    assert store.journal.recover() == []
    assert store.leftovers() == []


def test_a_journal_full_of_unrecorded_edits_takes_no_more(
    store: Store, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is an end to edits without records."""
    monkeypatch.setattr(slots_module, "_MAX_SLOTS", 2)
    store.layout.ledger.mkdir()
    for name in "ab":
        assert not store.journal.commit([FileOp(name, None, b"x")], record({}, {name: b"x"})).traced
    with pytest.raises(StoreError, match="full of edits that could not be recorded"):
        store.journal.commit([FileOp("c", None, b"x")], record({}, {"c": b"x"}))
    assert store.content("c") is None


# --- several at once


def test_two_edits_at_once_have_a_slot_each(store: Store, root: Path) -> None:
    """And what one is doing, the other's recovery leaves alone."""
    seen = []

    def meanwhile() -> None:
        other = Store(root)
        seen.append((other.journal.recover(), other.journal.has_unfinished()))
        other.journal.commit([FileOp("other", None, b"y")], record({}, {"other": b"y"}, "r2"))

    meddle(store, before={"a": meanwhile})
    store.journal.commit([FileOp("a", None, b"x")], record({}, {"a": b"x"}))
    assert seen == [([], False)]
    assert sorted(ids(store)) == ["r1", "r2"]
    assert store.leftovers() == []


def test_holding_a_file_waits_for_its_holder(store: Store, root: Path) -> None:
    """And says who it is."""
    name = str(root / "a")
    with (
        store.journal.hold([name], "me"),
        pytest.raises(LockTimeout, match="locked by me"),
        store.journal.hold([name], "you", timeout_s=0.02),
    ):
        pass


def leave_half_done(store: Store, before: dict[str, bytes], after: dict[str, bytes | None]) -> None:
    """Be killed when the first file is in place and the second is not."""
    meddle(store, after={next(iter(after)): die})
    with pytest.raises(Killed):
        store.journal.commit(operations(before, after), record(before, after))


def test_who_holds_a_file_finds_every_earlier_edit_of_it_settled(store: Store, root: Path) -> None:
    """Its owner may have died while we waited for the lock it had."""
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": b"two"}
    fill(root, before)
    name = str(root / "b")
    waiting, died = threading.Event(), threading.Event()
    seen: list[bytes | None] = []

    def wait_for_it() -> None:
        waiter = Store(root)
        waiting.set()
        with waiter.journal.hold([name], "waiter", timeout_s=60):
            assert died.is_set()
            seen.append(waiter.content("b"))

    thread = threading.Thread(target=wait_for_it)
    with store.journal.hold([name, str(root / "a")], "victim"):
        thread.start()
        waiting.wait()
        leave_half_done(store, before, after)
        died.set()
    thread.join()
    assert seen == [b"two"]
    assert (ids(store), store.leftovers()) == (["r1"], [])


def test_an_edit_whose_other_files_are_locked_is_settled_when_they_are_free(store: Store, root: Path) -> None:
    """Recovery waits for nobody; who needs the file is told in a sentence."""
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": b"two"}
    fill(root, before)
    leave_half_done(store, before, after)
    fresh = Store(root)
    with fresh.locks.hold([str(root / "b")], "somebody"):
        assert fresh.journal.recover() == []
        with (
            pytest.raises(StoreError, match="earlier edit of a was cut off and can't be completed now"),
            fresh.journal.hold([str(root / "a")], "me", timeout_s=0.03),
        ):
            pass
        with fresh.journal.hold([str(root / "c")], "me", timeout_s=0):
            pass
    with fresh.journal.hold([str(root / "a")], "me"):
        assert (fresh.content("a"), fresh.content("b")) == (b"one", b"two")


def test_an_entry_that_another_recovery_has_is_waited_for(store: Store, root: Path) -> None:
    """Its slot is locked, but not by an owner at work: the owner's lock on the file is ours now."""
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": b"two"}
    fill(root, before)
    leave_half_done(store, before, after)
    (recovering,) = EntrySlots(store.layout).abandoned()
    timer = threading.Timer(0.1, recovering.close)
    with (
        pytest.raises(StoreError, match="earlier edit of a"),
        store.journal.hold([str(root / "a")], "me", timeout_s=0),
    ):
        pass
    timer.start()
    with Store(root).journal.hold([str(root / "a")], "me"):
        assert store.content("b") == b"two"
    timer.join()


@pytest.mark.parametrize("locked", [False, True])
def test_records_of_a_file_keep_their_order(store: Store, root: Path, locked: bool) -> None:
    """Whose files are all in place but not on record is recorded before anybody builds on them."""
    real = store.ledger.append
    store.ledger.append = lambda *_, **__: die()  # type: ignore[method-assign]
    with pytest.raises(Killed):
        store.journal.commit([FileOp("a", None, b"1")], record({}, {"a": b"1"}, "first"))
    store.ledger.append = real  # type: ignore[method-assign]
    blocked = store.journal.recover
    if locked:
        # It comes to light only under the lock: its owner died while we waited.
        store.journal.recover = list  # type: ignore[method-assign]
    with store.journal.hold([str(root / "a")], "me"):
        store.journal.commit([FileOp("a", hash_of(b"1"), b"2")], record({}, {"a": b"2"}, "second"))
    store.journal.recover = blocked  # type: ignore[method-assign]
    assert ids(store) == ["first", "second"]


def test_an_entry_that_is_just_being_written_is_no_obstacle(store: Store, root: Path) -> None:
    """Its owner has the locks of its files, so they are others."""
    with closing(EntrySlots(store.layout).take()) as slot:
        (store.layout.journal / f"{slot.number:03}").write_bytes(b"--\n0123")
        with store.journal.hold([str(root / "a")], "me", timeout_s=0):
            pass


def test_an_obstacle_that_vanishes_is_none(store: Store, root: Path) -> None:
    """Another recovery settled it between our look and our lock."""
    recovery, slots = store.journal._recovery, store.journal._slots
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": b"two"}
    fill(root, before)
    leave_half_done(store, before, after)
    seen = list(slots.entries())
    assert [done.outcome for done in Store(root).journal.recover()] == [RecoveryOutcome.COMPLETED]
    slots.entries = lambda: iter(seen)  # type: ignore[method-assign]
    store.journal._recovery._slots = slots
    assert recovery.obstacle([str(root / "a")]) is None


def test_a_disk_that_fails_while_obstacles_are_looked_for_is_said_in_a_sentence(store: Store, root: Path) -> None:
    """Not as a bare error of the system."""

    def refuse() -> None:
        raise OSError(5, "Input/output error")

    store.journal._recovery._slots.has_others = lambda _: True  # type: ignore[method-assign]
    store.journal._recovery._slots.entries = refuse  # type: ignore[method-assign, assignment]
    with (
        pytest.raises(StoreError, match=r"state can't be used \(Input/output error\)"),
        store.journal.hold([str(root / "a")], "me", timeout_s=0),
    ):
        pass


def test_an_error_inside_a_hold_comes_out_of_it(store: Store, root: Path) -> None:
    """And frees the lock."""
    with pytest.raises(ZeroDivisionError), store.journal.hold([str(root / "a")], "me"):
        raise ZeroDivisionError
    with store.journal.hold([str(root / "a")], "me", timeout_s=0):
        pass


def test_looking_for_work_is_cheap_where_there_is_none(store: Store, root: Path) -> None:
    """Before every guarded edit: no call that changes a disk."""
    store.journal.commit([FileOp("a", None, b"x")], record({}, {"a": b"x"}))
    with at_call(-1, die, late=False) as calls:
        assert store.journal.recover() == []
    assert calls == []


def test_slots_are_used_again(store: Store, root: Path) -> None:
    """However many edits there were."""
    content: bytes | None = None
    for number in range(5):
        new = str(number).encode()
        store.journal.commit([FileOp("a", hash_of(content), new)], record({}, {"a": new}, f"r{number}"))
        content = new
    assert len(list(store.layout.journal.iterdir())) == 1


def test_a_state_that_is_deleted_under_an_edit_costs_the_edit_only(store: Store, root: Path) -> None:
    """It is undone, and the next one works."""
    import shutil

    fill(root, {"a": b"1", "b": b"2"})
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": b"two"}
    meddle(store, before={"b": lambda: shutil.rmtree(store.layout.state)})
    with pytest.raises(StoreError):
        store.journal.commit(operations(before, after), record(before, after))
    assert store.content("b") == b"2"
    store.journal.commit([FileOp("b", hash_of(b"2"), b"3")], record({}, {"b": b"3"}, "r2"))
    assert (store.content("b"), ids(store)) == (b"3", ["r2"])


def test_a_slot_that_is_deleted_while_it_is_taken_is_made_anew(
    store: Store, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock on a file that has no name excludes nobody."""
    real, calls = slots_module.try_lock, []

    def lock_late(descriptor: int) -> bool:
        calls.append(descriptor)
        if len(calls) == 1:
            (store.layout.journal / "000").unlink()
        return real(descriptor)

    monkeypatch.setattr(slots_module, "try_lock", lock_late)
    slot = EntrySlots(store.layout).take()
    assert (slot.number, len(calls)) == (0, 2)
    slot.close()


def test_ordinary_work_warns_of_nothing(store: Store, root: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log is for trouble."""
    with caplog.at_level(logging.INFO):
        store.journal.commit([FileOp("a", None, b"x")], record({}, {"a": b"x"}))
        store.journal.recover()
    assert not caplog.records
