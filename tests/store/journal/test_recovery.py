"""Kills: whatever instant a process dies at, after the next start content and record agree."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.errors import StoreError
from intentls.core.hashing import content_hash, hash_of
from intentls.store.journal.entry_slots import EntrySlots
from intentls.store.journal.failures import TargetChanged
from intentls.store.journal.journal import FileOp
from intentls.store.journal.recovery import RecoveryOutcome
from intentls.store.layout import Layout
from tests.store.journaling import (
    Contents,
    Killed,
    Store,
    adopt,
    at_call,
    check_truth,
    die,
    fill,
    make_store,
    meddle,
    operations,
    record,
)
from tests.support.patience import PATIENCE_S

EVERY = 1 if os.environ.get("INTENTLS_LONG") == "1" else 3  # call of a recovery that is killed itself
SPAWN = multiprocessing.get_context("spawn")
ONE: tuple[Contents, Contents] = ({"a": b"old"}, {"a": b"new"})
ADD: tuple[Contents, Contents] = ({}, {"new/folder/a": b"new"})
DELETE: tuple[Contents, Contents] = ({"a": b"old"}, {"a": None})
MANY: tuple[Contents, Contents] = (
    {"a": b"1", "b": b"2", "d/old": b"3"},
    {"a": b"one", "b": None, "n/c": b"", "d/new": b"3", "d/old": None},
)
EDITS = {"one": ONE, "add": ADD, "delete": DELETE, "many": MANY}


def commit(store: Store, before: Contents, after: Contents) -> None:
    store.journal.commit(operations(before, after), record(before, after))


def killed_at(number: int, late: bool, action: Callable[[], object]) -> bool:
    """Run `action` and be killed at its `number`-th call; False if it was over before."""
    with at_call(number, die, late=late):
        try:
            action()
        except Killed:
            return True
    return False


def every_death(tmp_path: Path, before: Contents, after: Contents, late: bool) -> Iterator[Store]:
    """A root after a kill at the first call, at the second, and so on until the edit came through."""
    for number in range(300):
        store = make_store(tmp_path / str(number))
        fill(store.layout.root, before)
        killed = killed_at(number, late, lambda store=store: commit(store, before, after))  # type: ignore[misc]
        yield Store(store.layout.root)
        if not killed:
            return
    pytest.fail("the edit never came through")


@pytest.mark.parametrize("late", [False, True], ids=["before the call", "after the call"])
@pytest.mark.parametrize("edit", EDITS)
def test_a_kill_at_any_call_leaves_no_change_without_record_and_no_record_without_change(
    tmp_path: Path, edit: str, late: bool
) -> None:
    """And nothing in the journal or the stage; a second recovery finds nothing to do."""
    before, after = EDITS[edit]
    happened = []
    for store in every_death(tmp_path, before, after, late):
        store.journal.recover()
        happened.append(check_truth(store, before, after))
        assert store.journal.recover() == []
    assert happened[0] is False
    assert happened[-1] is True
    assert happened == sorted(happened)
    assert happened.count(True) > 3


def test_recovery_may_be_killed_at_any_call_itself(tmp_path: Path) -> None:
    """Whoever comes next finishes it."""
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": None}
    for store in every_death(tmp_path, before, after, late=True):
        root = store.layout.root
        if not store.journal.has_unfinished():
            continue
        saved = root.with_name("saved")
        shutil.copytree(root, saved)
        for number in range(0, 300, EVERY):
            killed = killed_at(number, number % 2 == 0, Store(root).journal.recover)
            Store(root).journal.recover()
            check_truth(Store(root), before, after)
            shutil.rmtree(root)
            if not killed:
                break
            shutil.copytree(saved, root)
            adopt(Layout(root))
        shutil.rmtree(saved)


@pytest.mark.parametrize("late", [False, True], ids=["before the call", "after the call"])
def test_a_kill_while_an_edit_is_undone_tells_the_truth_too(tmp_path: Path, late: bool) -> None:
    """Somebody changed a file in its midst: what is on record then is what still stands."""
    before, after = MANY
    for number in range(300):
        store = make_store(tmp_path / str(number))
        root = store.layout.root
        fill(root, before)
        meddle(store, after={"n/c": lambda root=root: (root / "d/old").write_bytes(b"theirs")})

        def attempt(store: Store = store) -> None:
            with contextlib.suppress(TargetChanged):
                commit(store, before, after)

        killed = killed_at(number, late, attempt)
        fresh = Store(root)
        fresh.journal.recover()
        stands = [path for path, data in after.items() if fresh.content(path) == data != before.get(path)]
        assert [file["path"] for found in fresh.records for file in found["files"]] == stands
        assert (fresh.content("d/old"), fresh.leftovers()) in ((b"theirs", []), (b"3", []), (None, []))
        if not killed:
            assert stands == []
            return
    pytest.fail("it never came to an end")


@given(st.data())
def test_chains_of_kills_and_edits_tell_the_truth_in_the_end(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Several edits of two files, each killed somewhere, recoveries killed, too: a model keeps the score."""
    store = make_store(tmp_path_factory.mktemp("root"))
    names = ["a", "b"]
    versions: dict[str, list[str | None]] = {name: [None] for name in names}
    for turn in range(data.draw(st.integers(1, 4))):
        Store(store.layout.root).journal.recover()
        before = {name: store.content(name) for name in names}
        chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        after = {
            name: None if data.draw(st.booleans()) and before[name] else b"%d%s" % (turn, name.encode())
            for name in chosen
        }
        edit = record(before, after, f"r{turn}", f"2026-01-01T00:00:0{turn}.000Z")
        late = data.draw(st.booleans())
        journal = Store(store.layout.root).journal
        killed_at(data.draw(st.integers(0, 40)), late, lambda: journal.commit(operations(before, after), edit))  # noqa: B023
        killed_at(data.draw(st.integers(0, 10)), late, Store(store.layout.root).journal.recover)
    final = Store(store.layout.root)
    final.journal.recover()
    for found in final.records:
        for file in found["files"]:
            assert versions[file["path"]][-1] == file["pre_hash"]
            versions[file["path"]].append(file["post_hash"])
    for name in names:
        assert hash_of(final.content(name)) == versions[name][-1]
    assert (final.leftovers(), final.ledger.verify().problems) == ([], ())


KILL = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.store.journaling import Store, at_call
from tests.store.journal.test_recovery import MANY, commit
store = Store(Path(sys.argv[2]))
with at_call(int(sys.argv[3]), lambda: os.kill(os.getpid(), signal.SIGKILL), late=sys.argv[4] == "late"):
    commit(store, *MANY)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("late", ["early", "late"])
def test_a_real_kill_is_no_different(tmp_path: Path, late: str) -> None:
    """A process of its own, killed by the system, at calls all over an edit."""
    codes = []
    for number in (9, 21, 36, 48, 200):
        store = make_store(tmp_path / str(number))
        fill(store.layout.root, MANY[0])
        command = [sys.executable, "-c", KILL, str(Path(__file__).parents[3]), str(store.layout.root)]
        codes.append(subprocess.run([*command, str(number), late]).returncode)
        store.journal.recover()
        check_truth(store, *MANY)
    assert set(codes) == {-signal.SIGKILL, 0}


def write_away(root: Path, seed: int, seconds: float) -> None:
    """Edit random files of a few, as an engine does: hold, read, commit."""
    store, rng = Store(root), random.Random(seed)
    ends = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < ends:
        turn += 1
        names = rng.sample(["a", "b", "c", "d"], rng.randint(1, 3))
        with store.journal.hold([str(root / name) for name in names], f"writer {seed}", timeout_s=60):
            before = {name: store.content(name) for name in names}
            after = {name: f"{seed}.{turn} ".encode() * rng.randint(1, 3000) for name in names}
            stamp = f"2026-01-01T00:00:00.{time.monotonic_ns():030}Z"
            store.journal.commit(operations(before, after), record(before, after, f"{seed}.{turn}", stamp))


def start_writing(root: Path, seed: int) -> SpawnProcess:
    process = SPAWN.Process(target=write_away, args=(root, seed, 120.0))
    process.start()
    return process


def kill(process: SpawnProcess) -> None:
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_writers_that_are_killed_at_random_never_leave_a_lie(tmp_path: Path) -> None:
    """Several at once, killed and replaced: every file's records lead from one content to the next, to what it is."""
    root = make_store(tmp_path / "root").layout.root
    rng = random.Random(5)
    watcher = Store(root)
    workers = [start_writing(root, seed) for seed in range(4)]
    for seed in range(4, 12):
        size, gives_up = watcher.ledger.size(), time.monotonic() + PATIENCE_S
        while watcher.ledger.size() == size and time.monotonic() < gives_up:
            time.sleep(rng.random() * 0.01)
        time.sleep(rng.random() * 0.05)
        kill(workers.pop(rng.randrange(4)))
        workers.append(start_writing(root, seed))
    for worker in workers:
        kill(worker)
    store = Store(root)
    store.journal.recover()
    contents: dict[str, str | None] = {}
    for found in store.records:
        for file in found["files"]:
            assert file["pre_hash"] == contents.get(file["path"])
            contents[file["path"]] = file["post_hash"]
    assert {name: hash_of(store.content(name)) for name in contents} == contents
    assert len(store.records) >= 8
    assert store.leftovers() == []
    assert {problem.kind.value for problem in store.ledger.verify().problems} <= {"torn"}


# --- what recovery decides


def half_done(tmp_path: Path, number_of_files: int) -> Store:
    """MANY, killed when so many of its files were in place."""
    for store in every_death(tmp_path, *MANY, late=False):
        done = [path for path, data in MANY[1].items() if store.content(path) == data]
        if store.records == [] and len(done) == number_of_files and store.journal.has_unfinished():
            return store
    return pytest.fail("it was never half done")


def test_an_edit_of_which_nothing_happened_is_dropped(tmp_path: Path) -> None:
    """Nobody was told of it; whoever tried again must find the file as it was."""
    store = half_done(tmp_path, 0)
    (done,) = store.journal.recover()
    assert (done.outcome, done.paths) == (RecoveryOutcome.DROPPED, ())
    assert not check_truth(store, *MANY)


def test_an_edit_of_which_something_happened_is_completed_and_says_so(tmp_path: Path) -> None:
    """The record is marked, the rest as it was meant."""
    store = half_done(tmp_path, 2)
    (done,) = store.journal.recover()
    assert (done.record_id, done.outcome, done.paths) == ("r1", RecoveryOutcome.COMPLETED, tuple(MANY[1]))
    (found,) = store.records
    assert list(found)[-3:] == ["recovered", "files", "chain"]
    assert found["recovered"] is True


def test_foreign_content_is_left_alone_and_the_record_speaks_only_of_what_was_done(tmp_path: Path) -> None:
    """Somebody edited a file after the crash and before the next start."""
    store = half_done(tmp_path, 2)
    (store.layout.root / "d/old").write_bytes(b"theirs")
    (done,) = store.journal.recover()
    assert (done.outcome, done.paths) == (RecoveryOutcome.PARTIAL, ("a", "b"))
    (found,) = store.records
    assert [file["path"] for file in found["files"]] == ["a", "b"]
    assert (store.content("d/old"), store.content("d/new"), store.content("n/c")) == (b"theirs", None, None)
    assert store.leftovers() == []


def test_a_file_that_was_done_and_edited_on_is_still_on_record(tmp_path: Path) -> None:
    """Its mark says that it was done, whatever it is now."""
    store = half_done(tmp_path, 2)
    (store.layout.root / "a").write_bytes(b"one, and more")
    (done,) = store.journal.recover()
    assert done.outcome is RecoveryOutcome.COMPLETED
    assert store.content("a") == b"one, and more"
    assert [file["path"] for file in store.records[0]["files"]] == list(MANY[1])


@pytest.mark.parametrize("obstacle", ["folder", "link", "stage"])
def test_what_can_not_be_completed_is_given_up(tmp_path: Path, obstacle: str, caplog: pytest.LogCaptureFixture) -> None:
    """A folder or a link in a file's place, a stage that somebody emptied: the record tells what there is."""
    store = half_done(tmp_path, 2)
    if obstacle == "folder":
        (store.layout.root / "n/c").mkdir()
    elif obstacle == "link":
        (store.layout.root / "n").rmdir()
        (store.layout.root / "n").symlink_to(tmp_path)
    else:
        shutil.rmtree(store.layout.stage)
    (done,) = store.journal.recover()
    assert done.outcome is RecoveryOutcome.PARTIAL
    assert [file["path"] for file in store.records[0]["files"]] == list(done.paths)
    assert {"a", "b"} <= set(done.paths)
    assert not (tmp_path / "c").exists()
    assert store.leftovers() == []


def test_of_a_rename_that_is_half_done_the_record_is_kept(tmp_path: Path) -> None:
    """Its one file entry names both paths."""
    store = make_store(tmp_path / "root")
    fill(store.layout.root, {"old": b"x"})
    ops = [FileOp("new", None, b"x"), FileOp("old", hash_of(b"x"), None)]
    edit = {"id": "r1", "files": [{"path": "new", "old_path": "old", "change": "rename"}, {"path": "other"}]}
    real = store.tree.remove
    store.tree.remove = lambda rel: die()  # type: ignore[method-assign]
    with pytest.raises(Killed):
        store.journal.commit(ops, edit)
    store.tree.remove = real  # type: ignore[method-assign]
    (store.layout.root / "old").write_bytes(b"theirs")
    assert [done.outcome for done in store.journal.recover()] == [RecoveryOutcome.PARTIAL]
    assert [file["path"] for file in store.records[0]["files"]] == ["new"]


def test_a_recorded_edit_is_not_done_again(tmp_path: Path) -> None:
    """A power cut can bring an old entry back; its files may long be others."""
    store = make_store(tmp_path / "root")
    fill(store.layout.root, ONE[0])
    slot = EntrySlots(store.layout).take()
    commit(store, *ONE)
    old = next(file for file in store.layout.journal.iterdir() if file.name == "001")
    slot.close()
    entry = half_written_entry(tmp_path)
    old.write_bytes(entry)
    adopt(store.layout)
    fill(store.layout.root, MANY[0])
    (store.layout.root / "a").write_bytes(b"one")
    (done,) = store.journal.recover()
    assert done.outcome is RecoveryOutcome.COMPLETED
    assert (store.content("b"), len(store.records)) == (b"2", 1)


def half_written_entry(tmp_path: Path) -> bytes:
    """The journal entry of MANY with nothing marked as done."""
    store = half_done(tmp_path / "other", 0)
    (file,) = (file for file in store.layout.journal.iterdir() if file.stat().st_size)
    return file.read_bytes()


def test_a_ledger_that_can_not_be_read_delays_only_the_record(tmp_path: Path) -> None:
    """The files are completed; the record comes when there is a ledger again."""
    store = half_done(tmp_path, 2)
    store.layout.ledger.mkdir()
    assert store.journal.recover() == []
    assert {path: store.content(path) for path in MANY[1]} == MANY[1]
    store.layout.ledger.rmdir()
    assert [done.outcome for done in store.journal.recover()] == [RecoveryOutcome.COMPLETED]
    check_truth(store, *MANY)


# --- entries that are none


def valid_entry(path: str) -> bytes:
    """What a forger who knows the format would write."""
    import hashlib
    import json

    body = json.dumps(
        {
            "txid": "0" * 32,
            "operations": [
                {"path": path, "before_hash": None, "after_hash": content_hash(b"evil"), "mode": 0o755},
                {"path": "done", "before_hash": None, "after_hash": content_hash(b"done"), "mode": None},
            ],
            "record": {"id": "forged", "files": []},
            "version": 1,
        }
    ).encode()
    return b"-+\n" + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def plant(store: Store, entry: bytes, *, adopted: bool = True) -> None:
    store.layout.journal.mkdir(parents=True, exist_ok=True)
    store.layout.stage.mkdir(exist_ok=True)
    (store.layout.journal / "000").write_bytes(entry)
    (store.layout.stage / ("000-" + "0" * 32 + "-0")).write_bytes(b"evil")
    if adopted:
        adopt(store.layout)


def test_a_forged_entry_writes_no_protected_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A repository could bring a `.state/` along; git's own hooks are out of its reach."""
    store = make_store(tmp_path / "root")
    plant(store, valid_entry(".git/hooks/pre-commit"))
    assert store.journal.recover() == []
    assert "not ours" in caplog.text
    assert not (store.layout.root / ".git").exists()
    assert (store.records, store.leftovers()) == ([], [])


@pytest.mark.parametrize("path", ["../outside", "/etc/outside", "a/../../outside", "nul\0byte", ""])
def test_a_forged_entry_writes_nothing_outside_the_root(tmp_path: Path, path: str) -> None:
    """The tree refuses such paths."""
    store = make_store(tmp_path / "root")
    plant(store, valid_entry(path))
    store.journal.recover()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["root"]
    assert store.leftovers() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry[:-1],
        lambda entry: entry[:40],
        lambda entry: b"?" + entry[1:],
        lambda entry: entry[1:],
        lambda entry: b"\0" * len(entry),
        lambda entry: b"-+\n" + entry,
        lambda entry: entry.replace(b'"done"', b'"dine"'),
    ],
)
def test_an_entry_that_is_not_whole_never_began(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    """It was cut off while being written, before any file was touched."""
    store = make_store(tmp_path / "root")
    plant(store, change(valid_entry("a")))
    assert store.journal.recover() == []
    assert (store.content("a"), store.records, store.leftovers()) == (None, [], [])


def test_an_entry_of_another_version_is_kept_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is guessed, and nothing lost: the log says where the entry and its staged contents are."""
    import hashlib

    store = make_store(tmp_path / "root")
    for body in (b'{"version":2}', b"no json"):
        plant(store, b"-\n" + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        assert store.journal.recover() == []
        assert store.leftovers() == []
    assert "not written by this version" in caplog.text
    kept = sorted(store.layout.aside.iterdir())
    assert len(kept) == 2 and all(str(folder) in caplog.text for folder in kept)
    for folder in kept:
        assert {file.name for file in folder.iterdir()} == {"entry", "000-" + "0" * 32 + "-0"}
        assert (folder / ("000-" + "0" * 32 + "-0")).read_bytes() == b"evil"


def test_an_entry_that_does_not_say_where_it_was_written_is_kept_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As earlier versions wrote them: it may have come with a clone."""
    store = make_store(tmp_path / "root")
    plant(store, valid_entry("a"), adopted=False)
    assert store.journal.recover() == []
    (folder,) = store.layout.aside.iterdir()
    assert str(folder) in caplog.text
    assert (store.content("a"), store.records, store.leftovers()) == (None, [], [])


def test_files_that_are_none_of_ours_are_left_in_their_place(tmp_path: Path) -> None:
    """Only what has a slot's number is touched."""
    store = make_store(tmp_path / "root")
    plant(store, b"")
    for folder in (store.layout.journal, store.layout.stage):
        (folder / "README").write_text("hands off")
        (folder / "\u0661\u0662\u0663-x").write_text("digits, but not ours")
    assert store.journal.recover() == []
    assert len(store.leftovers()) == 4


def test_a_stage_without_its_slot_is_swept(tmp_path: Path) -> None:
    """Somebody deleted the journal folder alone."""
    store = make_store(tmp_path / "root")
    plant(store, b"")
    shutil.rmtree(store.layout.journal)
    assert store.journal.recover() == []
    assert store.leftovers() == []


def test_recoverers_do_not_get_in_each_others_way(tmp_path: Path) -> None:
    """What one is settling the others leave alone; it is recorded once."""
    store = half_done(tmp_path, 2)
    root = store.layout.root
    processes = [SPAWN.Process(target=recover_often, args=(root,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert check_truth(store, *MANY)


def recover_often(root: Path) -> None:
    for _ in range(30):
        Store(root).journal.recover()


def test_what_was_settled_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One line an edit."""
    with caplog.at_level(logging.INFO, logger="intentls.store.journal.recovery"):
        half_done(tmp_path, 2).journal.recover()
    assert "an interrupted edit was settled" in caplog.text


def test_an_unreadable_slot_is_said_in_a_sentence(tmp_path: Path) -> None:
    """A folder in a slot's place."""
    store = make_store(tmp_path / "root")
    (store.layout.journal / "000").mkdir(parents=True)
    (store.layout.journal / "000" / "x").touch()
    with contextlib.suppress(TargetChanged), pytest.raises(StoreError, match="can't be used"):
        store.journal.recover()


def test_an_entry_that_came_with_a_copy_is_not_carried_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A journal that was committed, and is in every clone then, changes nothing there; where it was written it does."""
    before, after = {"a": b"1", "b": b"2"}, {"a": b"one", "b": b"two"}
    number = 0
    while True:  # until it is killed between the two files
        root = tmp_path / str(number)
        store = make_store(root)
        fill(root, before)
        assert killed_at(number, True, lambda store=store: commit(store, before, after))  # type: ignore[misc]
        if (root / "a").read_bytes() == b"one":
            break
        number += 1
    clone = tmp_path / "clone"
    shutil.copytree(root, clone)
    with caplog.at_level(logging.WARNING):
        assert Store(clone).journal.recover() == []
    assert "was not written in this working tree" in caplog.text
    assert ((clone / "b").read_bytes(), Store(clone).records) == (b"2", [])
    assert not Store(clone).journal.has_unfinished()
    assert [edit.outcome for edit in Store(root).journal.recover()] == [RecoveryOutcome.COMPLETED]
    assert (root / "b").read_bytes() == b"two"


def test_an_edit_whose_files_are_in_use_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    """Nor their records: those that follow are of other files."""
    make_store(tmp_path)
    for one, two in (("a1", "a2"), ("b1", "b2")):  # as long as each other: such names never share a lock by chance
        before, after = {one: b"1", two: b"2"}, {one: b"one", two: b"two"}
        fill(tmp_path, before)
        dying = Store(tmp_path)
        meddle(dying, after={one: die})
        with pytest.raises(Killed):
            dying.journal.commit(operations(before, after), record(before, after, f"r-{one}"))
    fresh = Store(tmp_path)
    with fresh.locks.hold([str(tmp_path / "a1")], "somebody"):
        (settled,) = fresh.journal.recover()
    assert [item["id"] for item in fresh.records] == ["r-b1"]
    assert fresh.content("b2") == b"two" and fresh.content("a2") == b"2"
    assert settled.outcome is RecoveryOutcome.COMPLETED


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not tell which files are open")
def test_a_slot_that_another_process_has_is_left_without_a_trace(tmp_path: Path) -> None:
    """Looking for it a thousand times opens no file for good."""
    store = make_store(tmp_path)
    slots = EntrySlots(store.layout)
    slot = slots.claim(0)
    assert slot is not None
    before = len(os.listdir("/proc/self/fd"))
    assert [EntrySlots(store.layout).claim(0) for _ in range(3)] == [None, None, None]
    assert len(os.listdir("/proc/self/fd")) == before
    slot.close()
