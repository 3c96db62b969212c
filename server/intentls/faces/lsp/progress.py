"""Long questions: the client sees how far they are, and can give them up.

With a `workDoneToken` of the client from the beginning; else, where the client can show it, after a second. Given
up by `window/workDoneProgress/cancel` or `$/cancelRequest`, the work ends at its next word about its progress.
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

from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.worker_queue import WorkerQueue

log = logging.getLogger(__name__)

T = TypeVar("T")
Note = Callable[[int, int], None]

_PATIENCE_S = 1.0  # before a client that sent no token is shown anything
_REPORT_S = 0.25
_CREATE_S = 5.0  # for the client to make room for it


class Cancelled(Exception):  # not an error: the one who asked no longer wants to know
    """Raised in the worker's thread, by its own word about its progress."""


async def watched(
    connection: LspConnection,
    title: str,
    work: Callable[[Note], T],
    token: types.ProgressToken | None = None,
    queue: WorkerQueue | None = None,
) -> T:
    """The result of `work`, done in the questions queue (or `queue`); it tells its argument (done, total) now and then.

    Raises JsonRpcRequestCancelled if the person gave it up.
    """
    watch = _Watch(connection, title, token)
    task = asyncio.ensure_future((queue or connection.questions).run(partial(work, watch.note)))
    try:
        await watch.accompany(task)
        return task.result()
    except Cancelled:
        raise JsonRpcRequestCancelled(f"{title} was cancelled.") from None
    finally:
        task.cancel()  # without effect where it has ended; else what it raises is nobody's business
        watch.end()


class _Watch:
    """One piece of work and what the client is shown of it."""

    def __init__(self, connection: LspConnection, title: str, token: types.ProgressToken | None) -> None:
        self._progress = connection.server.work_done_progress
        self._may_create = connection.host.capabilities is not None and connection.host.capabilities.shows_progress
        self._title = title
        self._token = token
        self._given_up = threading.Event()
        self._percentage = 0
        self._has_begun = False

    def note(self, done: int, total: int) -> None:
        """From the worker: so much is done. Raises GivenUp if it should not go on."""
        if self._given_up.is_set() or self._is_cancelled():
            raise Cancelled
        if total:
            self._percentage = max(self._percentage, min(100, 100 * done // total))

    async def accompany(self, task: asyncio.Future[T]) -> None:
        """Report until the work has ended."""
        if self._token is not None:
            self._begin(self._token)
        patience = _REPORT_S if self._has_begun else _PATIENCE_S
        while not (await asyncio.wait({task}, timeout=patience))[0]:
            if self._has_begun and self._token is not None:
                report = types.WorkDoneProgressReport(percentage=self._percentage)
                self._progress.report(self._token, report)
            elif self._may_create:
                await self._create()
            patience = _REPORT_S

    def end(self) -> None:
        """However it ended: the client's bar goes, and a worker that still runs stops."""
        self._given_up.set()
        if self._has_begun and self._token is not None:
            self._progress.end(self._token, types.WorkDoneProgressEnd())
            self._progress.tokens.pop(self._token, None)

    async def _create(self) -> None:
        self._may_create = False
        token = str(uuid.uuid4())
        try:
            await asyncio.wait_for(self._progress.create_async(token), _CREATE_S)
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
