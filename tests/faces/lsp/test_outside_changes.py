"""Changes that no message announces: each is looked at, and many of them together."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from intentls.faces.lsp import outside_changes
from intentls.faces.lsp.outside_changes import OutsideChanges
from intentls.faces.lsp.worker_queue import WorkerQueue
from tests.support.patience import PATIENCE_S, eventually_in_loop


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
        self.leave.acquire(timeout=PATIENCE_S)
        return self.looks

    async def next_look(self) -> None:
        """Until it has begun."""
        assert await asyncio.to_thread(self.begun.acquire, timeout=PATIENCE_S)


class Watch:
    """A watch to which each set of directories is new but the one before; it has news when a byte is written to it."""

    directories: list[Path]

    def __init__(self) -> None:
        self.directories = []
        self.descriptor, self.writer = os.pipe()
        os.set_blocking(self.descriptor, False)
        self.reads = 0

    def changes(self) -> list[tuple[Path, str]]:
        self.reads += 1
        try:
            return [(Path(), "") for _ in os.read(self.descriptor, 1)]
        except BlockingIOError:
            return []

    def close(self) -> None:
        os.close(self.descriptor)
        os.close(self.writer)

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
    await state.next_look()
    outside.notice()
    state.leave.release()
    await state.next_look()
    state.leave.release()
    await eventually_in_loop(lambda: state.shown == [1, 2])


async def test_many_changes_are_one_look_and_one_turn_of_a_thread(
    watched: tuple[OutsideChanges[int], State, CountingQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state and the directories to watch are read together; those that are new are looked at again."""
    outside, state, queue = watched
    await state.next_look()
    for _ in range(50):
        outside.notice()
    state.leave.release()
    await state.next_look()
    directories = [Path("a")]
    monkeypatch.setattr(outside_changes, "watched_directories", lambda _: list(directories))
    monkeypatch.setattr(outside, "_watch", Watch())  # the second look finds the directory
    state.leave.release()
    await state.next_look()  # the third, as that was new
    state.leave.release()
    await eventually_in_loop(lambda: len(state.shown) == 3)
    assert state.looks == queue.turns == 3


async def test_news_that_come_until_the_next_look_do_not_wake_the_loop(
    watched: tuple[OutsideChanges[int], State, CountingQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guarded write changes five files: the first one is noticed, and one look shows all of them."""
    outside, state, _ = watched
    await state.next_look()
    watch = Watch()
    monkeypatch.setattr(outside, "_watch", watch)
    monkeypatch.setattr(outside_changes, "watched_directories", lambda _: [])
    monkeypatch.setattr(outside_changes, "is_watched", lambda *_: True)
    outside.notice()
    state.leave.release()
    await state.next_look()  # the second look: from here on the watch is listened to
    before = watch.reads
    os.write(watch.writer, b"12345")
    await eventually_in_loop(lambda: watch.reads > before)
    for _ in range(100):
        await asyncio.sleep(0)
    assert watch.reads == before + 1  # the other four wait in it
    state.leave.release()
    await state.next_look()  # the third look, for all five
    assert watch.reads == before + 1 + 5
    os.write(watch.writer, b"6")  # during the look
    state.leave.release()
    await state.next_look()
    state.leave.release()
    await eventually_in_loop(lambda: state.shown == [1, 2, 3, 4])


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
    await state.next_look()
    outside.notice()
    state.leave.release()
    await state.next_look()
    assert len(slept) == 1
    assert slept[0] > 9e5
