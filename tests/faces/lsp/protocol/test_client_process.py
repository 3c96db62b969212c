"""The client's process."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from intentls.faces.lsp.protocol import client_process
from intentls.faces.lsp.protocol.client_process import ClientProcess, process_exists
from tests.support.patience import PATIENCE_S


def test_a_process_is_seen_alive_and_then_gone() -> None:
    """A named process is alive until it has ended."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    process = ClientProcess.named(child.pid)
    assert process is not None and process.is_alive()
    child.communicate(b"\n")
    assert not process.is_alive()
    assert ClientProcess.named(child.pid) is None, "what is gone at the start is not watched"


@pytest.mark.parametrize(
    "pid", [None, 0, -1, os.getpid(), 2**22 + 1, 2**70], ids=["none", "zero", "group", "own", "free", "huge"]
)
def test_what_can_not_be_watched(pid: int | None) -> None:
    """No id, our own, or one that does not exist here: nothing to watch, and no signal to a group."""
    assert ClientProcess.named(pid) is None


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX tells of a new parent")
def test_a_dead_parent_is_noticed_before_it_is_reaped() -> None:
    """A parent that died but was not waited for still has an id; its child knows better."""
    grandchild = (
        "import os, sys, time; from intentls.faces.lsp.protocol.client_process import ClientProcess\n"
        "process = ClientProcess.named(os.getppid()); assert process.is_alive(); print(flush=True)\n"
        f"end = time.monotonic() + {PATIENCE_S}\n"
        "while process.is_alive() and time.monotonic() < end: time.sleep(0.02)\n"
        "print('alive' if process.is_alive() else 'gone', flush=True)"
    )
    child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {grandchild!r}]); sys.stdin.read(1)"
    parent = subprocess.Popen([sys.executable, "-c", child], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdin and parent.stdout
    parent.stdout.readline()
    parent.stdin.write(b"\n")
    parent.stdin.close()
    assert parent.stdout.readline() == b"gone\n"
    assert process_exists(parent.pid), "not reaped yet: this is what the test is about"
    parent.wait()
    parent.stdout.close()


def test_a_foreign_process_exists() -> None:
    """A process that we may not signal is there all the same (process 1 always is)."""
    if sys.platform == "win32":
        pytest.skip("there is no process 1")
    assert process_exists(1)


@pytest.mark.parametrize("is_told", [True, False], ids=["the system tells", "it is looked at"])
def test_the_end_of_a_process_is_waited_for(monkeypatch: pytest.MonkeyPatch, is_told: bool) -> None:
    """The wait lasts as long as the process does, whether the system tells of its end or not."""
    if not is_told:
        monkeypatch.setattr(client_process, "_open_descriptor", lambda _: None)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    process = ClientProcess.named(child.pid)
    assert process is not None

    async def wait() -> None:
        waiting = asyncio.create_task(process.wait_for_end(0.01))
        await asyncio.sleep(0)
        assert not waiting.done(), "it runs"
        assert child.stdin is not None
        child.stdin.close()
        await asyncio.to_thread(child.wait)
        await asyncio.wait_for(waiting, PATIENCE_S)

    asyncio.run(wait())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of the end of a process")
def test_nothing_is_left_open_after_the_wait() -> None:
    """A wait that is given up closes what it opened, and so does one for a process that is gone already."""

    async def give_up() -> None:
        before = os.listdir("/proc/self/fd")
        waiting = asyncio.create_task(ClientProcess(os.getpid()).wait_for_end(0.01))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert os.listdir("/proc/self/fd") == before
        await ClientProcess(2**22 + 1).wait_for_end(0.01)
        assert os.listdir("/proc/self/fd") == before

    asyncio.run(give_up())
