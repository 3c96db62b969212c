"""One connection in a thread of its own, so that nothing else ever waits for the network longer than it wants to.

A job is asked for with `ask`, which waits for its answer a moment and no longer. While there is no connection, or while
the database is late, it answers at once that the database is away. It is late from when somebody has waited in vain
while not one job ended, until one does. A job that is late goes on: the answer that nobody waited for still counts,
since a claim that was made is known then. One that hangs has its connection cut.
"""

from __future__ import annotations

import logging
import os
import select
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from time import monotonic
from typing import Generic, TypeVar

import psycopg
from psycopg.rows import TupleRow

from intentls.store.sessions.coordination.connecting import connect, cut, cut_after, reason
from intentls.store.sessions.coordination.looking import look_for
from intentls.store.sessions.coordination.protocol import CoordinationAway

log = logging.getLogger(__name__)

T = TypeVar("T")
_TOO_LATE = "the database takes too long to answer"
Open = psycopg.Connection[TupleRow]

_STUCK_S = 2.5  # after so long a job hangs: the server would have given up the statement before
_HANGS_S = 20.0  # nor does anything live take that long, also if nobody waits for it
_PAUSES_S = (0.2, 0.5, 1.0, 2.0, 5.0)  # between attempts to connect


class _Job(Generic[T]):
    """What is to be done with the connection, and the place for its answer."""

    def __init__(self, work: Callable[[Open], T]) -> None:
        self._work = work
        self.answer: Future[T] = Future()

    def run(self, connection: Open) -> None:
        """Do it, unless nobody waits for it any more. Raises psycopg.OperationalError where the connection is lost."""
        if not self.answer.set_running_or_notify_cancel():
            return
        try:
            self.answer.set_result(self._work(connection))
        except psycopg.Error as error:
            self.answer.set_exception(error)
            if connection.closed or connection.broken:
                raise
        except Exception as error:  # noqa: BLE001  a mistake of ours is the asker's, and costs no connection
            self.answer.set_exception(error)


class BackgroundConnection:
    """A connection that comes back by itself. `close` ends it and its thread.

    `greet` is called in the thread with each new connection, before anything else; `tick` every `tick_s` seconds;
    `hear` with the channel of each notification that came. Errors of the database in them cost the connection.
    """

    def __init__(
        self,
        address: str,
        *,
        greet: Callable[[Open], object],
        tick: Callable[[Open], object],
        hear: Callable[[str], object],
        tick_s: float = 20.0,
    ) -> None:
        self._address = address
        self._greet, self._tick, self._hear, self._tick_s = greet, tick, hear, tick_s
        self._jobs: deque[_Job[object]] = deque()
        self._lock = threading.Lock()
        self._connection: Open | None = None
        self._greeted: Open | None = None  # until it serves
        self._busy_since: float | None = None
        self._is_late = False
        self._ended = 0  # jobs, so far
        self._why = "the database is not connected yet"
        self._closed = threading.Event()
        self._settled = threading.Event()
        self._wake_up, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._thread = threading.Thread(target=self._run, name="intentls-database", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str | None:
        """Why the database is away; None while it is connected."""
        with self._lock:
            if self._cut_if_stuck(_HANGS_S):  # nobody may have asked for anything meanwhile
                return _TOO_LATE
            return None if self._connection is not None and not self._is_late else self._why

    def settle(self, wait_s: float) -> None:
        """Wait until the first attempt to connect has ended, but no longer than that."""
        self._settled.wait(wait_s)

    def ask(self, work: Callable[[Open], T], wait_s: float) -> T:
        """What `work` gives, within `wait_s` seconds. Raises CoordinationAway."""
        job = _Job(work)
        with self._lock:
            if self._connection is None or self._is_late:
                self._cut_if_stuck(_STUCK_S)
                raise CoordinationAway(self._why)
            self._jobs.append(job)  # type: ignore[arg-type]
            ended = self._ended
        self._wake_thread()
        try:
            return look_for(job.answer.result, wait_s)
        except TimeoutError:
            with self._lock:
                job.answer.cancel()  # it is not begun any more
                if self._ended == ended:
                    self._is_late, self._why = True, _TOO_LATE
            raise CoordinationAway(_TOO_LATE) from None
        except CancelledError:
            raise CoordinationAway(self._why) from None
        except psycopg.Error as error:
            raise CoordinationAway(f"the database refuses: {reason(error, self._address)}") from None

    def close(self) -> None:
        """End the connection and its thread; again is fine."""
        if self._closed.is_set():
            return
        self._closed.set()
        with self._lock:
            if self._connection is not None and self._busy_since is not None:
                cut(self._connection)
            if self._greeted is not None:
                cut(self._greeted)
        self._wake_thread()
        self._thread.join(10)
        if not self._thread.is_alive():
            os.close(self._wake)
            os.close(self._wake_up)

    def _wake_thread(self) -> None:
        with suppress(BlockingIOError):  # it is full: the thread wakes anyway
            os.write(self._wake, b".")

    def _cut_if_stuck(self, after_s: float) -> bool:
        """End a connection whose job takes longer; whether there is one."""
        since, connection = self._busy_since, self._connection
        if since is None or connection is None or monotonic() - since <= after_s:
            return False
        cut(connection)
        return True

    def _run(self) -> None:
        attempt = 0
        while not self._closed.is_set():
            try:
                connection = connect(self._address)
            except CoordinationAway as away:
                self._lost(str(away))
                self._closed.wait(_PAUSES_S[min(attempt, len(_PAUSES_S) - 1)])
                attempt += 1
                continue
            with connection:
                try:
                    self._begin(connection)
                    attempt = 0
                    self._serve(connection)
                except Exception as error:
                    if not isinstance(error, (psycopg.Error, OSError)):
                        log.exception("a mistake cost the connection to the database")
                    self._lost(f"the connection to the database is lost: {reason(error, self._address)}")
                    self._closed.wait(_PAUSES_S[min(attempt, len(_PAUSES_S) - 1)])
                    attempt += 1
        self._lost("the keeper ends")

    def _begin(self, connection: Open) -> None:
        """Greet, but not for ever. Raises psycopg.Error."""
        with self._lock:
            self._greeted = connection
        try:
            with cut_after(_HANGS_S, connection):
                if not self._closed.is_set():
                    self._greet(connection)
        finally:
            with self._lock:
                self._greeted = None

    def _serve(self, connection: Open) -> None:
        """Do the jobs until the connection is lost (psycopg.Error) or to be closed."""
        with self._lock:
            self._connection, self._is_late = connection, False
        self._settled.set()
        next_tick = monotonic() + self._tick_s
        while not self._closed.is_set():
            job = self._jobs.popleft() if self._jobs else None
            if job is not None:
                self._do(lambda job=job: job.run(connection))  # type: ignore[misc]
                continue
            for notice in connection.notifies(timeout=0):  # also those that were read with an answer
                self._hear(notice.channel)
            if monotonic() >= next_tick:
                self._do(lambda: self._tick(connection))
                next_tick = monotonic() + self._tick_s
                continue
            ready, _, _ = select.select([connection.fileno(), self._wake_up], [], [], max(0.0, next_tick - monotonic()))
            if self._wake_up in ready:
                os.read(self._wake_up, 4096)

    def _do(self, work: Callable[[], object]) -> None:
        self._busy_since = monotonic()
        try:
            work()
        finally:
            with self._lock:
                self._busy_since = None
                self._ended += 1
                self._is_late = False

    def _lost(self, why: str) -> None:
        with self._lock:
            if self._connection is not None or self._why != why:
                log.info("%s", why)
            self._connection, self._why, self._is_late = None, why, False
            left = list(self._jobs)
            self._jobs.clear()
        self._settled.set()
        for job in left:
            job.answer.cancel()
