"""A power loss: what was answered is there after the next start, and what people changed since stays."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from intentls.core.errors import StoreError
from intentls.core.hashing import hash_of
from intentls.core.intents.lease import Lease
from intentls.store.derived.files import DerivedFiles
from intentls.store.journal.failures import TargetChanged
from intentls.store.journal.journal import FileOp
from intentls.store.layout import Layout
from intentls.store.sessions.leases import Leases
from intentls.store.sessions.sessions import Session, Sessions
from tests.faults.sampling import LONG
from tests.store.journaling import Killed, Store, at_call, die, fill, make_store, meddle, operations, record
from tests.store.power_loss import NOON, Held, History, OldTree, boot, edit_again, open_store

HISTORIES, LOSSES = (120, 60) if LONG else (16, 20)


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder that no disk is waited for, where the system has one."""
    memory = Path("/dev/shm")
    if not memory.is_dir():
        yield tmp_path
        return
    with TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_whatever_a_power_loss_takes_every_answered_edit_is_there_with_its_record(in_memory: Path, seed: int) -> None:
    """Files lost, torn or old, each on its own; the edit that was cut off is there wholly or not at all."""
    history = History(in_memory, seed)
    for number in range(LOSSES):
        tree = history.lose(random.Random(seed * 1000 + number))
        with boot("two", in_memory):
            store = open_store(history.root, tree)
            store.journal.recover()
            check(history, store)
            check_in_place(history, store)
            assert store.journal.recover() == []
            edit_again(store)
            assert store.content("next") == b"next"
            assert store.ledger.verify().problems == ()
        (history.root / "next").unlink()


def test_a_recovery_that_is_killed_at_any_call_is_finished_by_the_next(in_memory: Path) -> None:
    """After a power loss, too: nothing is restored half, nothing is on record twice."""
    history, tried = History(in_memory, 3), 0
    for number in range(0, 400, 1 if LONG else 4):
        tree = history.lose(random.Random(number % 4))
        with boot("two", in_memory):
            store = open_store(history.root, tree)
            with suppress(Killed), at_call(number, die, late=number % 2 == 0) as calls:
                store.journal.recover()
            store = open_store(history.root, tree)
            store.journal.recover()
            check(history, store)
        tried += 1
        if number > len(calls):
            break
    assert tried > 20


def check(history: History, store: Store) -> None:
    """Contents and records are what was answered, or with the edit that was cut off."""
    now = {path: store.content(path) for path in {**history.contents, **history.cut_off}}
    whole = {path: history.contents.get(path) for path in now}
    happened = bool(history.cut_off) and now == whole | history.cut_off
    assert happened or now == whole
    ids = [found["id"] for found in store.records]
    assert sorted(ids) == sorted([*history.answered, *(["cut"] if happened else [])])
    assert store.ledger.verify().problems == ()
    assert store.leftovers() == []
    assert os.listdir(store.layout.write_ahead) == []


def check_in_place(history: History, store: Store) -> None:
    """What is overwritten in place is as it once was, or not known; what is written next is there."""
    layout = Layout(history.root)
    sessions, leases = Sessions(layout.sessions, lambda: None), Leases(layout.leases)
    assert sessions.stored("s") in [None, *history.sessions]
    assert leases.load("a") in [None, *history.leases]
    lease = Lease("a", "s", "INT-next", NOON, NOON, NOON + timedelta(minutes=1), None)
    session = Session("s", reads={"a": "b"})
    sessions.update("s", lambda _: session)
    leases.update("a", lambda _: lease, "me")
    assert (sessions.stored("s"), leases.load("a")) == (session, lease)
    if history.maps:
        assert (
            DerivedFiles(layout).generation() != store.ledger.generation()
        )  # so the next edit makes the maps from the ledger


# --- one case each


def write(store: Store, path: str, data: bytes | None, id_: str = "r1") -> None:
    before = {path: store.content(path)}
    store.journal.commit(operations(before, {path: data}), record(before, {path: data}, id_))


def next_tick(folder: Path) -> None:
    """Until what is written now is younger than all that was written before."""
    file = folder / "tick"
    file.write_bytes(b"")
    begin = file.stat().st_ctime_ns
    while file.stat().st_ctime_ns == begin:
        file.write_bytes(b"")
    file.unlink()


def after_power_loss(tmp_path: Path, tree: OldTree | None = None) -> Store:
    """The root as the next run of the machine recovers it."""
    with boot("two", tmp_path):
        store = Store(tmp_path / "root") if tree is None else open_store(tmp_path / "root", tree)
        store.journal.recover()
        return store


def aside(store: Store) -> list[tuple[str, bytes]]:
    return [
        ((folder / "path").read_text(), (folder / "content").read_bytes()) for folder in store.layout.aside.iterdir()
    ]


@pytest.mark.parametrize("later", [b"old", b"", b"something else", None])
def test_what_a_person_made_of_a_file_later_stays(tmp_path: Path, later: bytes | None) -> None:
    """Also if that is what it held before, or nothing; and the record stands."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        fill(store.layout.root, {"src/a": b"old"})
        write(store, "src/a", b"new")
    next_tick(tmp_path)
    file = store.layout.root / "src/a"
    file.unlink()
    if later is not None:
        file.write_bytes(later)
    else:
        now = file.parent.stat().st_mtime_ns + 2_000_000_000
        os.utime(file.parent, ns=(now, now))
    store = after_power_loss(tmp_path)
    assert store.content("src/a") == later
    assert [found["id"] for found in store.records] == ["r1"]
    assert (store.leftovers(), store.layout.aside.exists()) == ([], False)


def test_a_person_who_goes_on_in_the_very_file_keeps_that(tmp_path: Path) -> None:
    """The inode is ours, the time is not."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        write(store, "a", b"new")
    next_tick(tmp_path)
    with (store.layout.root / "a").open("ab") as file:
        file.write(b" and more")
    assert after_power_loss(tmp_path).content("a") == b"new and more"


def test_a_file_that_was_brought_back_by_its_old_name_stays(tmp_path: Path) -> None:
    """An earlier version, with its own inode and time, but put there later."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        write(store, "a", b"first")
        (store.layout.root / "a").rename(store.layout.root / "a.orig")
        write(store, "a", b"second", "r2")
    next_tick(tmp_path)
    (store.layout.root / "a.orig").rename(store.layout.root / "a")
    assert after_power_loss(tmp_path).content("a") == b"first"


def test_what_is_neither_known_nor_younger_stays_and_the_logs_content_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In doubt nothing is lost, and the warning says where it is."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        fill(store.layout.root, {"a": b"theirs"})
        held = Held.of(store.layout.root / "a")
        write(store, "a", b"new")
    (store.layout.root / "a").write_bytes(b"something older")
    store = after_power_loss(tmp_path, OldTree(store.layout.root, {"a": held}, 0))
    assert store.content("a") == b"something older"
    assert aside(store) == [("a", b"new")]
    assert f"that is kept in {store.layout.aside}" in caplog.text


def test_a_folder_in_the_files_place_stays_and_the_logs_content_is_kept(tmp_path: Path) -> None:
    """It is no file any more."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        write(store, "a", b"new")
    (store.layout.root / "a").unlink()
    (store.layout.root / "a/b").mkdir(parents=True)
    store = after_power_loss(tmp_path)
    assert aside(store) == [("a", b"new")]
    assert [found["id"] for found in store.records] == ["r1"]


def test_a_refused_edit_is_not_brought_back(tmp_path: Path) -> None:
    """Another program was faster at its second file."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        root = store.layout.root
        fill(root, {"a": b"1", "b": b"1"})
        meddle(store, after={"a": lambda: (root / "b").write_bytes(b"theirs")})
        with pytest.raises(TargetChanged):
            store.journal.commit([FileOp("a", hash_of(b"1"), b"2"), FileOp("b", hash_of(b"1"), b"2")], record({}, {}))
    store = after_power_loss(tmp_path)
    assert (store.content("a"), store.content("b"), store.records) == (b"1", b"theirs", [])


def test_a_dropped_edit_is_not_brought_back(tmp_path: Path) -> None:
    """Its process was killed, and the next one of the same run dropped it."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        fill(store.layout.root, {"a": b"1"})
        meddle(store, before={"a": die})
        with pytest.raises(Killed):
            write(store, "a", b"2")
        Store(store.layout.root).journal.recover()
    store = after_power_loss(tmp_path)
    assert (store.content("a"), store.records) == (b"1", [])


def test_a_logged_edit_that_was_never_put_is_completed(tmp_path: Path) -> None:
    """The power failed between the log's write and the file's: it may have been answered, for all the disk knows."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        fill(store.layout.root, {"a": b"1"})
        held = Held.of(store.layout.root / "a")
        meddle(store, before={"a": die})
        with pytest.raises(Killed):
            write(store, "a", b"2")
    store = after_power_loss(tmp_path, OldTree(store.layout.root, {"a": held}, 0))
    assert (store.content("a"), [found["id"] for found in store.records]) == (b"2", ["r1"])
    assert store.leftovers() == []


def test_a_staged_content_that_a_power_loss_took_is_not_put(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Only a slot knows of that edit: nothing in a log."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        fill(store.layout.root, {"a": b"1", "b": b"1"})
        meddle(store, before={"b": die})
        with pytest.raises(Killed):
            store.journal.commit([FileOp("a", hash_of(b"1"), b"2"), FileOp("b", hash_of(b"1"), b"2")], record({}, {}))
        for log in store.layout.write_ahead.iterdir():
            log.unlink()
    for staged in store.layout.stage.iterdir():
        staged.write_bytes(b"")
    store = after_power_loss(tmp_path)
    assert (store.content("a"), store.content("b")) == (b"2", b"1")
    assert "can't be completed" in caplog.text


def test_a_log_that_came_with_a_copy_of_the_tree_is_kept_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It was written for other files."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        fill(store.layout.root, {"a": b"old"})
        write(store, "a", b"new")
    (log,) = store.layout.write_ahead.iterdir()
    data = log.read_bytes()
    log.rename(tmp_path / "elsewhere")
    log.write_bytes(data)
    (store.layout.root / "a").unlink()
    store = after_power_loss(tmp_path)
    assert (store.content("a"), [file.name for file in store.layout.aside.iterdir()]) == (None, [log.name])
    assert f"edits of another place or version; it is kept in {store.layout.aside}" in caplog.text


def test_while_the_ledger_can_not_be_written_the_files_are_restored_and_the_records_wait(tmp_path: Path) -> None:
    """They follow as soon as it can."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        write(store, "a", b"new")
    (store.layout.root / "a").write_bytes(b"")
    held = Held(b"", 0, 0, 0)
    shutil.rmtree(store.layout.trace)
    store.layout.ledger.unlink()
    store.layout.ledger.mkdir()
    store = after_power_loss(tmp_path, OldTree(store.layout.root, {"a": held}, 0))
    assert store.journal.has_unfinished()
    store.layout.ledger.rmdir()
    store = after_power_loss(tmp_path)
    assert [found["id"] for found in store.records] == ["r1"]
    assert store.leftovers() == []


def test_an_edit_waits_until_what_a_power_loss_took_of_its_file_is_restored(tmp_path: Path) -> None:
    """Another process has one of the files just now."""
    with boot("one", tmp_path):
        store = make_store(tmp_path / "root")
        write(store, "a", b"new")
        write(store, "b", b"new", "r2")
    (store.layout.root / "a").unlink()
    with boot("two", tmp_path):
        store, other = Store(store.layout.root), Store(store.layout.root)
        names = [str(store.layout.root / name) for name in ("a", "b")]
        with (
            other.locks.hold(names[1:], "another"),
            pytest.raises(StoreError, match="An earlier edit of"),
            store.journal.hold(names[:1], "me", timeout_s=0),
        ):
            raise AssertionError
        with store.journal.hold(names[:1], "me"):
            assert store.content("a") == b"new"
