"""Long queries: the client shows their progress and can cancel them.

With a `workDoneToken` of the client progress is shown from the beginning; else, where the client can show it, after a
second. After `window/workDoneProgress/cancel` or `$/cancelRequest` the work ends when it next reports its progress.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled

from intentls.engine.workspace.progress import Progress
from intentls.faces.lsp.connection import LspConnection

log = logging.getLogger(__name__)

T = TypeVar("T")

_DELAY_S = 1.0  # until a progress bar is created for a client that sent no token
_INTERVAL_S = 0.25
_CREATE_TIMEOUT_S = 5.0


class WorkCancelled(Exception):
    """Raised in the worker's thread where it reports its progress: the client cancelled the work."""


async def run_with_progress(
    connection: LspConnection,
    title: str,
    work: Callable[[Progress], T],
    token: types.ProgressToken | None = None,
) -> T:
    """The result of `work`, run on the `queries` queue; it calls its argument with (done, total) now and then.

    Raises JsonRpcRequestCancelled if the client cancelled the progress.
    """
    bar = _ProgressBar(connection, title, token)
    task = asyncio.ensure_future(connection.queries.run(partial(work, bar.update)))
    try:
        await bar.show_until_done(task)
        return task.result()
    except WorkCancelled:
        raise JsonRpcRequestCancelled(f"{title} was cancelled.") from None
    finally:
        task.cancel()  # without effect if it has ended
        bar.end()


class _ProgressBar:
    """The client's progress bar for one piece of work."""

    def __init__(self, connection: LspConnection, title: str, token: types.ProgressToken | None) -> None:
        self._progress = connection.server.work_done_progress
        self._may_create = connection.host.capabilities.shows_progress
        self._title = title
        self._token = token
        self._has_ended = threading.Event()
        self._percentage = 0
        self._has_begun = False

    def update(self, done: int, total: int) -> None:
        """Called by the worker: `done` of `total`, which is 0 while unknown. Raises WorkCancelled."""
        if self._has_ended.is_set() or self._is_cancelled():
            raise WorkCancelled
        if total:
            self._percentage = max(self._percentage, min(100, 100 * done // total))

    async def show_until_done(self, task: asyncio.Future[T]) -> None:
        """Report the progress until the task has ended."""
        if self._token is not None:
            self._begin(self._token)
        timeout = _INTERVAL_S if self._has_begun else _DELAY_S
        while not (await asyncio.wait({task}, timeout=timeout))[0]:
            if self._has_begun and self._token is not None:
                report = types.WorkDoneProgressReport(percentage=self._percentage)
                self._progress.report(self._token, report)
            elif self._may_create:
                await self._create()
            timeout = _INTERVAL_S

    def end(self) -> None:
        """Remove the client's bar; a worker that still runs stops at its next report."""
        self._has_ended.set()
        if self._has_begun and self._token is not None:
            self._progress.end(self._token, types.WorkDoneProgressEnd())
            self._progress.tokens.pop(self._token, None)

    async def _create(self) -> None:
        self._may_create = False
        token = str(uuid.uuid4())
        try:
            await asyncio.wait_for(self._progress.create_async(token), _CREATE_TIMEOUT_S)
        except (TimeoutError, JsonRpcException) as error:
            log.info("the client shows no progress: %s", error or "no answer")
            return
        self._token = token
        self._begin(token)

    def _begin(self, token: types.ProgressToken) -> None:
        begin = types.WorkDoneProgressBegin(self._title, cancellable=True, percentage=self._percentage)
        self._progress.begin(token, begin)
        self._has_begun = True

    def _is_cancelled(self) -> bool:
        token = self._progress.tokens.get(self._token) if self._token is not None else None
        return token is not None and token.cancelled()
