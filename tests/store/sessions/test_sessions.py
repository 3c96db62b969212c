"""Sessions on disk: one small file each, shared by all processes, lost without harm."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from intentls.core.errors import InvalidArgument, StoreError
from intentls.core.mutation.classes import MutationClass
from intentls.store.fs.two_slots import newest
from intentls.store.sessions import keyed_files
from intentls.store.sessions.sessions import Session, Sessions
from tests.support.patience import PATIENCE_S

NOW = "2026-02-18T18:30:00.000Z"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sessions folder that does not exist yet."""
    return tmp_path.resolve() / "state" / "sessions"


def files(folder: Path) -> list[Path]:
    """The session files."""
    return sorted(folder.glob("*.json"))


def test_an_unknown_session_is_idle(folder: Path) -> None:
    """No file, no intent, nothing read; looking makes nothing."""
    sessions = Sessions(folder)
    assert sessions.load("s") == Session("s")
    assert sessions.all() == ()
    sessions.drop("s")
    assert not folder.exists()


def test_a_session_comes_back_as_it_was_saved(folder: Path) -> None:
    """Every value survives, also for another process's eyes."""
    session = Session("s", "INT-001", MutationClass.BUG_FIX, "some/model-1", {"src/ä\n.py": "sha256:1"}, "mcp", 42, NOW)
    Sessions(folder).save(session)
    assert Sessions(folder).load("s") == session
    assert Sessions(folder).all() == (session,)


def test_an_intent_is_taken_up_and_handed_back() -> None:
    """Methods return changed copies; what was read and the model stay known."""
    idle = Session("s", reads={"a": "h"})
    active = idle.select("INT-001", MutationClass.DOCUMENTATION, "m-1", "lsp", NOW)
    assert active == Session("s", "INT-001", MutationClass.DOCUMENTATION, "m-1", {"a": "h"}, "lsp", os.getpid(), NOW)
    assert active.select("INT-002", None, None, "lsp", NOW).mutation_class is None
    assert active.select("INT-002", None, None, "lsp", NOW).model == "m-1"
    assert active.select("INT-002", None, "m-2", "lsp", NOW).model == "m-2"
    cleared = active.clear("later")
    assert (cleared.intent_id, cleared.mutation_class, cleared.model) == (None, None, "m-1")
    assert cleared.reads == {"a": "h"}
    assert cleared.updated == "later"
    assert idle == Session("s", reads={"a": "h"})


def test_reads_are_remembered_replaced_and_forgotten() -> None:
    """The last content of a path counts; None forgets it; other copies don't change."""
    first = Session("s").with_read("a", "1").with_read("b", "2")
    second = first.with_read("a", "3")
    assert second.reads == {"a": "3", "b": "2"}
    assert second.with_read("a", None).reads == {"b": "2"}
    assert second.with_read("unknown", None) == second
    assert first.reads == {"a": "1", "b": "2"}


IDS = st.text(min_size=1, max_size=512, alphabet=st.characters(exclude_categories=["Cs"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(IDS, unique=True, min_size=1, max_size=5))
def test_any_text_is_an_id_and_no_two_share_a_file(folder: Path, ids: list[str]) -> None:
    """Slashes, dots, NULs, emoji, names of devices: each id has a file of its own, in the folder."""
    sessions = Sessions(folder)
    for each in ids:
        sessions.save(Session(each, intent_id=f"of {each}"))
    for each in ids:
        assert sessions.load(each).intent_id == f"of {each}"
    assert {path.parent for path in folder.rglob("*")} == {folder}
    for each in ids:
        sessions.drop(each)
    assert files(folder) == []


@pytest.mark.parametrize("pair", [("a", "A"), ("a/b", "a-b"), ("x" * 500 + "1", "x" * 500 + "2"), ("é", "e\u0301")])
def test_ids_that_look_alike_have_files_that_no_disk_mixes_up(pair: tuple[str, str], folder: Path) -> None:
    """Names differ by more than case, and stay short enough for any file system."""
    for each in pair:
        Sessions(folder).save(Session(each))
    assert len({path.name.lower() for path in files(folder)}) == 2
    assert all(len(path.name.encode()) < 100 for path in files(folder))


@pytest.mark.parametrize("bad", ["", "x" * 513, "\ud800"])
def test_an_impossible_id_is_an_invalid_argument(bad: str, folder: Path) -> None:
    """Empty, too long or no Unicode: every method names the argument."""
    sessions = Sessions(folder)
    for use in (
        sessions.load,
        sessions.drop,
        lambda it: sessions.save(Session(it)),
        lambda it: sessions.update(it, same),
    ):
        with pytest.raises(InvalidArgument) as caught:
            use(bad)
        assert caught.value.argument == "session_id"
    assert not folder.exists()


def same(session: Session) -> Session:
    """Changes nothing."""
    return session


GOOD: dict[str, object] = {
    "session_id": "s",
    "intent_id": "INT-001",
    "mutation_class": None,
    "model": None,
    "reads": {"a": "h"},
    "face": "cli",
    "pid": 1,
    "updated": NOW,
}

WRONG: list[dict[str, object]] = [
    {"session_id": None},
    {"session_id": "other"},
    {"intent_id": 1},
    {"model": []},
    {"mutation_class": "NO_SUCH"},
    {"mutation_class": {}},
    {"reads": ["a"]},
    {"reads": {"a": 1}},
    {"face": None},
    {"pid": "1"},
    {"updated": 0},
]


def test_values_of_a_newer_version_are_passed_over(folder: Path) -> None:
    """A key that this version does not know harms nothing."""
    write(folder, json.dumps(GOOD | {"future": 1}).encode())
    assert Sessions(folder).load("s") == Session("s", "INT-001", reads={"a": "h"}, face="cli", pid=1, updated=NOW)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b"[" * 100_000,
        json.dumps(GOOD)[:-5].encode(),
        *(json.dumps(GOOD | change).encode() for change in WRONG),
    ],
)
def test_a_damaged_file_is_an_idle_session_and_logged(
    data: bytes, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing raises; the next save heals it."""
    file = write(folder, data)
    sessions = Sessions(folder)
    with caplog.at_level(logging.WARNING):
        assert sessions.load("s") == Session("s")
    assert file.name in caplog.text
    healed = sessions.update("s", lambda session: session.with_read("a", "1"))
    assert sessions.load("s") == healed == Session("s", reads={"a": "1"})


def write(folder: Path, data: bytes) -> Path:
    """Put `data` where the session `s` has its file."""
    Sessions(folder).save(Session("s"))
    (file,) = files(folder)
    file.write_bytes(data)
    return file


@pytest.mark.skipif(os.name == "nt", reason="makes links and FIFOs")
def test_a_link_or_fifo_in_place_of_a_file_is_an_idle_session(folder: Path, tmp_path: Path) -> None:
    """Nothing is followed and nothing hangs."""
    sessions = Sessions(folder)
    file = write(folder, b"")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(json.dumps(GOOD))
    file.unlink()
    file.symlink_to(elsewhere)
    assert sessions.load("s") == Session("s")
    file.unlink()
    os.mkfifo(file)
    assert sessions.load("s") == Session("s")
    assert sessions.all() == ()


def test_all_sessions_are_listed_by_id_without_the_damaged(folder: Path) -> None:
    """Locks and temporary files are no sessions."""
    sessions = Sessions(folder)
    write(folder, b"broken")
    for each in ("z", "a", "m/1"):
        sessions.update(each, lambda session: session.select("I", None, None, "cli", NOW))
    (folder / "notes.txt").write_text("x")
    assert [session.session_id for session in sessions.all()] == ["a", "m/1", "z"]


def test_an_update_that_changes_nothing_writes_nothing(folder: Path) -> None:
    """The file keeps its time and identity."""
    sessions = Sessions(folder)
    assert sessions.update("s", same) == Session("s")
    assert files(folder) == []
    sessions.save(Session("s", "INT-001"))
    before = files(folder)[0].stat()
    sessions.update("s", lambda session: replace(session, intent_id="INT-001"))
    after = files(folder)[0].stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_updates_of_many_threads_are_all_there(folder: Path) -> None:
    """Read, change and write happen under one lock: no thread's read is lost."""
    sessions = Sessions(folder)

    def note(worker: int) -> None:
        for number in range(20):
            path = f"{worker}/{number}"
            sessions.update("s", partial(Session.with_read, path=path, content_hash="h"))

    threads = [threading.Thread(target=note, args=(worker,)) for worker in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(sessions.load("s").reads) == 100


def test_updates_of_several_processes_are_all_there(folder: Path) -> None:
    """The lock holds across processes too."""
    program = (
        "import sys; from pathlib import Path; from intentls.store.sessions.sessions import Sessions\n"
        "for n in range(25):\n"
        "    Sessions(Path(sys.argv[1])).update('s', lambda s: s.with_read(f'{sys.argv[2]}/{n}', 'h'))\n"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(folder), str(worker)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for worker in range(3)
    ]
    assert [worker.wait(PATIENCE_S) for worker in workers] == [0, 0, 0]
    assert len(Sessions(folder).load("s").reads) == 75


def test_a_reader_never_sees_half_a_session(folder: Path) -> None:
    """Saving replaces the file in one step."""
    sessions = Sessions(folder)
    sizes = (1, 2000)
    sessions.save(Session("s", reads={"0": "h"}))
    stopped = threading.Event()

    def save() -> None:
        while not stopped.is_set():
            for size in sizes:
                sessions.save(Session("s", reads={str(number): "h" for number in range(size)}))

    writer = threading.Thread(target=save)
    writer.start()
    try:
        seen = {len(sessions.load("s").reads) for _ in range(200)}
    finally:
        stopped.set()
        writer.join()
    assert seen <= set(sizes)


def test_a_reader_finds_a_session_whole_while_it_is_overwritten(folder: Path) -> None:
    """An update writes into the same file: what is read is the session before it or after it."""
    sessions = Sessions(folder)
    sizes = (1, 300)
    sessions.save(Session("s", reads={str(number): "h" for number in range(300)}))
    inode = files(folder)[0].stat().st_ino
    stopped = threading.Event()

    def write() -> None:
        while not stopped.is_set():
            for size in sizes:
                reads = {str(number): "h" for number in range(size)}
                sessions.update("s", lambda session, reads=reads: replace(session, reads=reads))  # type: ignore[misc]

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen = {len(Sessions(folder).load("s").reads) for _ in range(300)}
    finally:
        stopped.set()
        writer.join()
    assert seen <= set(sizes)
    assert files(folder)[0].stat().st_ino == inode


def test_an_update_that_was_cut_off_leaves_the_session_before_it(folder: Path) -> None:
    """At whatever byte a kill or a power loss ended the write."""
    before, after = Session("s", "INT-001", reads={"a.py": "sha256:1"}), Session("s", "INT-002", reads={})
    Sessions(folder).save(before)
    (file,) = files(folder)
    old = file.read_bytes()
    assert Sessions(folder).update("s", lambda _: after) == after
    new = file.read_bytes()
    changed = [index for index in range(len(old)) if old[index] != new[index]]
    for end in range(changed[0], changed[-1] + 1):
        file.write_bytes(new[:end] + old[end:])
        assert Sessions(folder).load("s") == before
    file.write_bytes(new)
    assert Sessions(folder).load("s") == after


def test_a_session_that_outgrows_its_file_gets_a_new_one(folder: Path) -> None:
    """And one whose file is damaged, gone or of an earlier version."""
    sessions = Sessions(folder)
    sessions.save(Session("s"))
    for number in range(200):
        assert len(sessions.update("s", partial(Session.with_read, path=str(number), content_hash="h" * 64)).reads) == (
            number + 1
        )
    (file,) = files(folder)
    for content in (b"", b"torn", file.read_bytes()[:-9], newest(file.read_bytes())):
        file.write_bytes(content)
        sessions.update("s", partial(Session.with_read, path="last", content_hash="h"))
        assert Sessions(folder).load("s").reads["last"] == "h"
        assert newest(file.read_bytes()) != file.read_bytes()


def test_a_disk_that_refuses_is_a_store_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the file and the reason."""

    def refuse(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keyed_files, "replace_bytes", refuse)
    with pytest.raises(StoreError, match="can't be written: the disk is full"):
        Sessions(folder).save(Session("s"))


def test_a_file_in_place_of_the_folder_is_a_store_error(folder: Path) -> None:
    """Sessions can't be listed or saved there."""
    folder.parent.mkdir(parents=True)
    folder.write_text("x")
    with pytest.raises(StoreError, match="can't be listed"):
        Sessions(folder).all()
    with pytest.raises(StoreError, match="can't be written"):
        Sessions(folder).save(Session("s"))
