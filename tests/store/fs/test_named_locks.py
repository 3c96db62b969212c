"""Locks on names: one holder at a time, across threads and processes, and never for ever."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from intentls.core.errors import LockTimeout, StoreError
from intentls.store.fs.named_locks import Locks

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def locks(tmp_path: Path) -> Locks:
    return Locks(tmp_path / "locks")


def is_free(locks: Locks, *names: str) -> bool:
    """Whether somebody else could hold them now."""
    try:
        with locks.hold(names, "a test", timeout_s=0):
            return True
    except LockTimeout:
        return False


def test_a_held_name_is_held_for_everybody_else(locks: Locks) -> None:
    """Also for this very thread: locks don't nest."""
    with locks.hold(["a.py"], "me"):
        assert not is_free(locks, "a.py")
        assert is_free(locks, "b.py")
    assert is_free(locks, "a.py")


def test_who_waits_in_vain_is_told_who_has_it(locks: Locks) -> None:
    """The name, the holder, how long it was tried, and what to do."""
    with (
        locks.hold(["src/a.py"], "lsp process 7 (session x)"),
        pytest.raises(LockTimeout) as caught,
        locks.hold(["src/a.py"], "other", timeout_s=0.05),
    ):
        pass
    assert str(caught.value) == ("src/a.py is locked by lsp process 7 (session x); gave up after 0.05 s. Try again.")
    assert caught.value.holder == "lsp process 7 (session x)"


def test_a_holder_that_has_not_said_its_name_yet_is_another_process(locks: Locks, tmp_path: Path) -> None:
    """There is a moment between taking a lock and writing one's name into it."""
    with locks.hold(["a"], "me"):
        (file,) = (tmp_path / "locks").iterdir()
        file.write_bytes(b"")
        with pytest.raises(LockTimeout, match="locked by another process"), locks.hold(["a"], "you", 0):
            pass


def test_a_long_or_odd_name_of_a_holder_is_cut(locks: Locks) -> None:
    """The message stays a message."""
    with (
        locks.hold(["a"], "x" * 5000 + "\ud800"),
        pytest.raises(LockTimeout) as caught,
        locks.hold(["a"], "you", 0),
    ):
        pass
    assert caught.value.holder == "x" * 200


def test_a_short_name_covers_a_longer_one_that_stood_there(locks: Locks) -> None:
    """Nothing of the last holder shows."""
    with locks.hold(["a"], "a holder with a long name"):
        pass
    with locks.hold(["a"], "me"), pytest.raises(LockTimeout) as caught, locks.hold(["a"], "you", 0):
        pass
    assert caught.value.holder == "me"


def test_a_lock_is_let_go_when_its_holder_fails(locks: Locks) -> None:
    """Whatever goes wrong inside."""
    with pytest.raises(ZeroDivisionError), locks.hold(["a", "b"], "me"):
        raise ZeroDivisionError
    assert is_free(locks, "a", "b")


def test_who_gets_only_some_of_its_locks_keeps_none(locks: Locks) -> None:
    """A timeout frees what was taken before it."""
    with locks.hold(["b"], "me"):
        assert not is_free(locks, "a", "b", "c")
        assert is_free(locks, "a", "c")


def test_a_name_that_is_given_twice_is_locked_once(locks: Locks) -> None:
    """A holder never waits for itself."""
    with locks.hold(["a", "a", *map(str, range(2000))], "me", timeout_s=5):
        assert not is_free(locks, "a")


@pytest.mark.parametrize(("one", "other"), [("src/A.py", "src/a.py"), ("caf\u00e9", "cafe\u0301"), ("ß", "SS")])
def test_names_that_may_be_the_same_file_share_a_lock(locks: Locks, one: str, other: str) -> None:
    """macOS and Windows don't tell them apart."""
    with locks.hold([one], "me"):
        assert not is_free(locks, other)


def test_holders_of_several_never_wait_for_each_other(locks: Locks) -> None:
    """Whatever the order in which they name them."""
    names = [f"file {number}" for number in range(20)]
    held: list[int] = []

    def work(turn: int) -> None:
        for _ in range(10):
            with locks.hold(names if turn % 2 else reversed(names), f"thread {turn}", timeout_s=60):
                held.append(turn)
                assert len(held) == 1
                held.pop()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))


def test_a_waiter_gets_the_lock_when_it_comes_free(locks: Locks) -> None:
    """Well before its time is over."""
    with ExitStack() as stack:
        stack.enter_context(locks.hold(["a"], "me"))
        timer = threading.Timer(0.1, stack.pop_all().close)
        timer.start()
        started = time.monotonic()
        with locks.hold(["a"], "you", timeout_s=30):
            assert time.monotonic() - started < 25
        timer.join()


def test_the_folder_may_be_deleted_at_any_time(locks: Locks, tmp_path: Path) -> None:
    """The next holder makes it anew."""
    with locks.hold(["a"], "me"):
        for file in (tmp_path / "locks").iterdir():
            file.unlink()
        (tmp_path / "locks").rmdir()
        with locks.hold(["a"], "a forgetful one", timeout_s=0):
            pass
    assert is_free(locks, "a")


def test_a_lock_whose_file_was_replaced_is_taken_again(
    locks: Locks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking it: the old file's lock would exclude nobody."""
    assert is_free(locks, "a")
    (file,) = (tmp_path / "locks").iterdir()
    real, opened = os.open, []

    def open_and_replace(path: str | Path, flags: int, mode: int = 0o777) -> int:
        descriptor = real(path, flags, mode)
        if not opened:
            file.unlink()
        opened.append(descriptor)
        return descriptor

    monkeypatch.setattr(os, "open", open_and_replace)
    with locks.hold(["a"], "me"):
        assert len(opened) == 2
        assert not is_free(locks, "a")


def test_a_disk_that_refuses_is_said_in_a_sentence(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "locks").touch()
    locks = Locks(tmp_path / "locks")
    with (
        pytest.raises(StoreError, match=r"can't hold locks \(a part of it is a file, not a folder\)"),
        locks.hold(["a"], "me"),
    ):
        pass


def count_up(folder: Path, times: int) -> None:
    """Read, add one, write: without a lock, counts get lost."""
    locks = Locks(folder / "locks")
    for _ in range(times):
        with locks.hold(["counter"], "counter", timeout_s=120):
            value = int((folder / "counter").read_text())
            (folder / "counter").write_text(str(value + 1))


def test_several_processes_and_threads_take_turns(tmp_path: Path) -> None:
    """No count is lost."""
    (tmp_path / "counter").write_text("0")
    processes = [SPAWN.Process(target=count_up, args=(tmp_path, 100)) for _ in range(3)]
    for process in processes:
        process.start()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: count_up(tmp_path, 100), range(2)))
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert (tmp_path / "counter").read_text() == "500"


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    """The system frees it; nobody has to clean up."""
    code = (
        "import sys, time; from pathlib import Path; from intentls.store.fs.named_locks import Locks\n"
        "with Locks(Path(sys.argv[1])).hold(['a'], 'victim'):\n"
        "    print('held', flush=True)\n"
        "    time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == b"held\n" or os.name == "nt"
        assert not is_free(Locks(tmp_path), "a")
        victim.kill()
        victim.wait()
        assert is_free(Locks(tmp_path), "a")
