"""Leases on disk: one small file a path, shared by all processes, lost without harm."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from intentls.core.errors import LockTimeout, StoreError
from intentls.core.intents.lease import Lease, Process
from intentls.store.fs import primitives
from intentls.store.fs.two_slots import newest
from intentls.store.sessions import keyed_files
from intentls.store.sessions.leases import Leases
from tests.support.patience import PATIENCE_S

NOON = datetime(2026, 2, 18, 12, 0, 0, 123456, tzinfo=UTC)
LEASE = Lease("src/ä\n.py", "s", "INT-001", NOON, NOON, NOON + timedelta(minutes=10), Process(42, "here"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A leases folder that does not exist yet."""
    return tmp_path.resolve() / "state" / "leases"


def put(leases: Leases, lease: Lease) -> None:
    leases.update(lease.path, lambda _: lease, "me")


def drop(leases: Leases, path: str) -> None:
    leases.update(path, lambda _: None, "me")


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def only_file(folder: Path) -> Path:
    (file,) = files(folder)
    return file


def test_an_unknown_path_is_free(folder: Path) -> None:
    """No file, no lease; looking makes nothing."""
    leases = Leases(folder)
    assert leases.load("src/a.py") is None
    assert leases.all() == ()
    assert not folder.exists()


@pytest.mark.parametrize("lease", [LEASE, replace(LEASE, process=None)])
def test_a_lease_comes_back_as_it_was_stored(folder: Path, lease: Lease) -> None:
    """Every value survives, to the microsecond, also for another process's eyes."""
    put(Leases(folder), lease)
    assert Leases(folder).load(lease.path) == lease
    assert Leases(folder).all() == (lease,)


def test_times_are_stored_so_that_anybody_can_read_them(folder: Path) -> None:
    """RFC 3339, in UTC."""
    put(Leases(folder), LEASE)
    stored = json.loads(newest(only_file(folder).read_bytes()))
    assert stored["since"] == "2026-02-18T12:00:00.123456+00:00"
    assert set(stored) == {"path", "session_id", "intent_id", "since", "renewed", "until", "process"}


def test_a_removed_lease_is_gone_for_everybody(folder: Path) -> None:
    """And removing it twice is fine."""
    leases = Leases(folder)
    put(leases, LEASE)
    for _ in range(2):
        drop(leases, LEASE.path)
        assert Leases(folder).load(LEASE.path) is None
    assert files(folder) == []


def test_an_update_that_changes_nothing_writes_nothing(folder: Path) -> None:
    """The file keeps its time and identity."""
    leases = Leases(folder)
    put(leases, LEASE)
    before = only_file(folder).stat()
    assert leases.update(LEASE.path, lambda found: found, "me") == LEASE
    after = only_file(folder).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


PATHS = st.text(st.characters(), min_size=1, max_size=200)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(PATHS, unique=True, min_size=1, max_size=4))
def test_any_path_has_a_file_of_its_own(folder: Path, paths: list[str]) -> None:
    """Folders, dots, odd bytes of old names, names that differ by case: each has its own, in the folder."""
    leases = Leases(folder)
    for path in paths:
        put(leases, replace(LEASE, path=path))
    assert [leases.load(path) for path in paths] == [replace(LEASE, path=path) for path in paths]
    assert {file.parent for file in folder.rglob("*.json")} == {folder}
    assert all(len(file.name.encode()) < 100 for file in files(folder))
    for path in paths:
        drop(leases, path)
    assert files(folder) == []


def test_all_leases_are_listed_by_path_without_the_damaged(folder: Path) -> None:
    """Locks and half-written files are no leases."""
    leases = Leases(folder)
    put(leases, replace(LEASE, path="broken"))
    only_file(folder).write_bytes(b"broken")
    for path in ("z", "a", "m/1"):
        put(leases, replace(LEASE, path=path))
    (folder / ".x.json.0123.tmp").write_text("{")
    assert [lease.path for lease in leases.all()] == ["a", "m/1", "z"]


def settle(folder: Path) -> None:
    """Let the folder look as if nothing had happened in it for a while."""
    long_ago = folder.stat().st_mtime - 60
    os.utime(folder, (long_ago, long_ago))


def test_a_quiet_folder_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One `stat` tells that nothing changed: editors ask every second."""
    leases = Leases(folder)
    put(leases, LEASE)
    monkeypatch.setattr(primitives, "RACY_NS", -1)
    assert leases.all() == (LEASE,)
    monkeypatch.setattr(keyed_files.KeyedFiles, "_read", None)
    assert leases.all() == (LEASE,)


def test_every_change_in_a_folder_is_seen(folder: Path) -> None:
    """A lease that is taken, renewed or removed by another process shows at once, however quick it goes."""
    leases, others = Leases(folder), Leases(folder)
    put(leases, LEASE)
    settle(folder)
    assert leases.all() == (LEASE,)
    for number in range(200):
        renewed = replace(LEASE, renewed=LEASE.renewed + timedelta(milliseconds=number))
        put(others, renewed)
        assert leases.all() == (renewed,)
    drop(others, LEASE.path)
    assert leases.all() == ()


def test_a_change_within_one_tick_of_the_clock_is_seen(folder: Path) -> None:
    """File systems tell times apart only so far; a folder that was just changed is read again."""
    leases, others = Leases(folder), Leases(folder)
    put(leases, LEASE)
    tick = folder.stat().st_mtime_ns
    assert leases.all() == (LEASE,)
    drop(others, LEASE.path)
    os.utime(folder, ns=(tick, tick))
    assert leases.all() == ()


def test_a_deleted_folder_is_no_trouble(folder: Path) -> None:
    """`.state/` may go at any time: everything is free then, and can be leased again."""
    leases = Leases(folder)
    put(leases, LEASE)
    settle(folder)
    assert leases.all() == (LEASE,)
    shutil.rmtree(folder.parent)
    assert (leases.all(), leases.load(LEASE.path)) == ((), None)
    put(leases, LEASE)
    assert leases.all() == (LEASE,)


GOOD = {
    "path": "a",
    "session_id": "s",
    "intent_id": "INT-001",
    "since": "2026-02-18T12:00:00+00:00",
    "renewed": "2026-02-18T12:00:00+00:00",
    "until": "2026-02-18T12:10:00+00:00",
    "process": None,
}

WRONG: list[dict[str, object]] = [
    {"path": None},
    {"path": "b"},
    {"session_id": 1},
    {"intent_id": None},
    {"since": 0},
    {"since": "yesterday"},
    {"since": "0001-01-01T00:00:00+23:00"},
    {"until": "2026-02-18T11:00:00+00:00"},
    {"until": "2027-02-18T12:10:00+00:00"},
    {"process": 7},
    {"process": {"pid": 7}},
    {"process": {"pid": "7", "place": "here"}},
    {"process": {"pid": 0, "place": "here"}},
    {"process": {"pid": -1, "place": "here"}},
]


def write(folder: Path, data: bytes) -> Path:
    """Put `data` where the path `a` has its file."""
    put(Leases(folder), replace(LEASE, path="a"))
    file = only_file(folder)
    file.write_bytes(data)
    return file


def test_values_of_a_newer_version_and_other_zones_are_read(folder: Path) -> None:
    """A key that this version does not know harms nothing; a time is a time in any zone."""
    write(folder, json.dumps(GOOD | {"future": 1, "since": "2026-02-18T13:00:00+02:00"}).encode())
    found = Leases(folder).load("a")
    assert found is not None
    assert found.since == datetime(2026, 2, 18, 11, 0, tzinfo=UTC)


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
def test_a_damaged_file_is_no_lease_and_logged(data: bytes, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing raises; the next use of the path heals it."""
    file = write(folder, data)
    leases = Leases(folder)
    with caplog.at_level(logging.WARNING):
        assert leases.load("a") is None
    assert file.name in caplog.text
    put(leases, replace(LEASE, path="a"))
    assert leases.load("a") == replace(LEASE, path="a")


@pytest.mark.skipif(os.name == "nt", reason="makes links and FIFOs")
def test_a_link_or_fifo_in_place_of_a_file_is_no_lease(folder: Path, tmp_path: Path) -> None:
    """Nothing is followed and nothing hangs."""
    file = write(folder, b"")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(json.dumps(GOOD))
    file.unlink()
    file.symlink_to(elsewhere)
    assert Leases(folder).load("a") is None
    file.unlink()
    os.mkfifo(file)
    assert Leases(folder).all() == ()


def test_of_many_that_want_a_free_path_exactly_one_gets_it(folder: Path) -> None:
    """Looking and taking are one step, across processes."""
    program = (
        "import sys; from pathlib import Path; from datetime import *\n"
        "from intentls.store.sessions.leases import Leases; from intentls.core.intents.lease import use\n"
        "leases, me, now = Leases(Path(sys.argv[1])), sys.argv[2], datetime.now(UTC)\n"
        "won = 0\n"
        "for n in range(40):\n"
        "    path = f'src/{n}.py'\n"
        "    got = leases.update(path, lambda f: use(f, path, me, 'I', now, timedelta(minutes=10)), me)\n"
        "    won += got.session_id == me\n"
        "print(won)\n"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(folder), f"worker {number}"],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
        )
        for number in range(4)
    ]
    outputs = [worker.communicate(timeout=PATIENCE_S)[0] for worker in workers]
    assert sum(int(output) for output in outputs) == 40
    assert len(Leases(folder).all()) == 40


def test_a_lock_that_is_not_let_go_is_a_store_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for ever, and the error says who has it."""
    leases, held, done = Leases(folder), threading.Event(), threading.Event()

    def hold() -> None:
        def wait(found: Lease | None) -> Lease | None:
            held.set()
            done.wait(PATIENCE_S)
            return found

        Leases(folder).update("a", wait, "somebody else")

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(PATIENCE_S)
    original = keyed_files.Locks.hold
    monkeypatch.setattr(keyed_files.Locks, "hold", lambda self, names, holder: original(self, names, holder, 0.05))
    try:
        with pytest.raises(LockTimeout, match="somebody else"):
            leases.update("a", lambda _: LEASE, "me")
    finally:
        done.set()
        thread.join()


def test_a_disk_that_refuses_is_a_store_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the file and the reason."""

    def refuse(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keyed_files, "replace_bytes", refuse)
    with pytest.raises(StoreError, match="can't be written: the disk is full"):
        put(Leases(folder), LEASE)


def test_a_file_in_place_of_the_folder_is_a_store_error(folder: Path) -> None:
    """Leases can't be listed or stored there; a single path is free."""
    folder.parent.mkdir(parents=True)
    folder.write_text("x")
    with pytest.raises(StoreError, match="can't be listed"):
        Leases(folder).all()
    with pytest.raises(StoreError):
        put(Leases(folder), LEASE)
    assert Leases(folder).load("a") is None
