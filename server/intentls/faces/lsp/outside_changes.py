"""Notices changes that no message of the client announces: of other faces, other editors, git.

Where the system tells of changes (Linux), nothing runs until it does. Where only the client tells of them, it is
believed. Where neither does, the state is looked at every second.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from intentls.engine.editor.watched import is_watched, watched_directories
from intentls.engine.workspace.engine import Engine
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.worker_queue import WorkerQueue
from intentls.store.fs.change_watch import ChangeWatch

log = logging.getLogger(__name__)

_POLL_S = 1.0
_REST_S = 60.0  # leases end by time, and network drives tell of no change
_DEBOUNCE_S = 0.1
_AGAIN_S = 0.5  # while changes go on, between two looks

T = TypeVar("T")


class OutsideChanges(Generic[T]):
    """Reads the state soon after something changed, and shows it. Used on the event loop only.

    `read` runs in a thread of `queries`, `show` on the loop. A change during a look leads to another one.
    """

    def __init__(
        self, host: LspHost, engine: Engine, queries: WorkerQueue, read: Callable[[], T], show: Callable[[T], object]
    ) -> None:
        self._host = host
        self._engine = engine
        self._queries = queries
        self._read_state = read
        self._show = show
        self._watch: ChangeWatch | None = None
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to notice."""
        loop = asyncio.get_running_loop()
        self._watch = ChangeWatch.begin()
        self._task = loop.create_task(self._run())

    def stop(self) -> None:
        """Notice no more: the connection ends."""
        if self._task is not None:
            self._task.cancel()
        if self._watch is not None:
            asyncio.get_running_loop().remove_reader(self._watch.descriptor)
            self._watch.close()
            self._watch = None

    def notice(self) -> None:
        """Look soon: the client says that a file changed."""
        self._news.set()

    def _read(self, watch: ChangeWatch) -> None:
        """Until the next look, more news is none: a write changes five files, and each would wake the loop."""
        if any(is_watched(directory, name) for directory, name in watch.changes()):
            asyncio.get_running_loop().remove_reader(watch.descriptor)
            self._news.set()

    def _listen(self) -> None:
        """Wait for news, of what changes from now on."""
        if self._watch is not None:
            while self._watch.changes():
                pass
            asyncio.get_running_loop().add_reader(self._watch.descriptor, self._read, self._watch)
        self._news.clear()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self._listen()
            await self._look()
            looked = loop.time()
            try:
                # `wait_for` of Python 3.11 loses a cancellation that comes together with news: the server would stay.
                async with asyncio.timeout(self._rest_s):
                    await self._news.wait()
                await asyncio.sleep(max(_DEBOUNCE_S, looked + _AGAIN_S - loop.time()))
            except TimeoutError:
                pass

    async def _look(self) -> None:
        """Read the state and where to watch, in one turn of the thread; both cost some milliseconds."""
        state, directories = await self._queries.run(self._read_all)
        self._show(state)
        if self._watch is not None and self._watch.set(directories):
            self._news.set()  # what changed in it before it was watched

    def _read_all(self) -> tuple[T, list[Path]]:
        return self._read_state(), [] if self._watch is None else watched_directories(self._engine)

    @property
    def _rest_s(self) -> float:
        is_announced = self._watch is not None or self._host.capabilities.watches_files
        return _REST_S if is_announced else _POLL_S
