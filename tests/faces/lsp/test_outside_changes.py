"""Changes that no message announces: each is looked at, and many of them together."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from intentls.faces.lsp import outside_changes
from intentls.faces.lsp.outside_changes import OutsideChanges
from intentls.faces.lsp.worker_queue import WorkerQueue


class CountingQueue(WorkerQueue):
    """A queue that counts its turns."""

    turns = 0

    async def run(self, work: Any) -> Any:
        self.turns += 1
        return await super().run(work)


class State:
    """What is looked at: each look waits for leave."""

    def __init__(self) -> None:
        self.looks = 0
        self.shown: list[int] = []
        self.begun, self.leave = threading.Semaphore(0), threading.Semaphore(0)

    def read(self) -> int:
        self.looks += 1
        self.begun.release()
        self.leave.acquire(timeout=30)
        return self.looks


class Watch:
    """A watch to which each set of directories is new but the one before."""

    descriptor = -1
    directories: list[Path]

    def __init__(self) -> None:
        self.directories = []

    def set(self, directories: list[Path]) -> bool:
        before, self.directories = self.directories, directories
        return directories != before


@pytest.fixture
async def watched(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[OutsideChanges[int], State, CountingQueue]]:
    """Nothing waits but for a look."""
    monkeypatch.setattr(outside_changes, "_DEBOUNCE_S", 0)
    monkeypatch.setattr(outside_changes, "_AGAIN_S", 0)
    monkeypatch.setattr(outside_changes.ChangeWatch, "begin", lambda: None)
    state, queue = State(), CountingQueue("test")
    host: Any = SimpleNamespace(capabilities=SimpleNamespace(watches_files=True))
    outside = OutsideChanges(host, SimpleNamespace(), queue, state.read, state.shown.append)  # type: ignore[arg-type]
    outside.start()
    yield outside, state, queue
    outside.stop()
    state.leave.release(100)
    queue.close()


async def test_a_change_during_a_look_is_looked_at_afterwards(
    watched: tuple[OutsideChanges[int], State, CountingQueue],
) -> None:
    """What the look has read already may be older than the change."""
    outside, state, _ = watched
    await asyncio.to_thread(state.begun.acquire)
    outside.notice()
    state.leave.release()
    await asyncio.to_thread(state.begun.acquire)
    state.leave.release()
    while state.shown != [1, 2]:
        await asyncio.sleep(0)


async def test_many_changes_are_one_look_and_one_turn_of_a_thread(
    watched: tuple[OutsideChanges[int], State, CountingQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state and the directories to watch are read together; those that are new are looked at again."""
    outside, state, queue = watched
    await asyncio.to_thread(state.begun.acquire)
    for _ in range(50):
        outside.notice()
    state.leave.release()
    await asyncio.to_thread(state.begun.acquire)
    directories = [Path("a")]
    monkeypatch.setattr(outside_changes, "watched_directories", lambda _: list(directories))
    monkeypatch.setattr(outside, "_watch", Watch())  # the second look finds the directory
    state.leave.release()
    await asyncio.to_thread(state.begun.acquire)  # the third, as that was new
    state.leave.release()
    while len(state.shown) < 3:
        await asyncio.sleep(0)
    assert state.looks == queue.turns == 3
    monkeypatch.setattr(outside, "_watch", None)


async def test_between_two_looks_there_is_a_rest(
    watched: tuple[OutsideChanges[int], State, CountingQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A burst of writes does not make the server look at everything ten times a second."""
    outside, state, _ = watched
    slept: list[float] = []
    rest = asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds:
            slept.append(seconds)
        await rest(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(outside_changes, "_AGAIN_S", 1e6)
    await asyncio.to_thread(state.begun.acquire)
    outside.notice()
    state.leave.release()
    await asyncio.to_thread(state.begun.acquire)
    assert len(slept) == 1
    assert slept[0] > 9e5
