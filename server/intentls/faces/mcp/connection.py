"""One client, with its engine, its queues and its own session."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from intentls.core.errors import IntentlsError
from intentls.engine.actions.authority import note_agent, session_of_hooks
from intentls.engine.actions.effects import REJECTED, Ask, Effect, FinalResult, Reply, Steps, advance, drive
from intentls.engine.questions.posting import LOOK_FOR_LISTENERS_S
from intentls.engine.questions.watched_posting import WatchedPosting, news
from intentls.engine.tools.open_calls import settle_orphans
from intentls.engine.workspace.engine import Engine
from intentls.faces.mcp.client_roots import ClientRoots
from intentls.faces.mcp.elicitation_rounds import PendingCalls
from intentls.faces.mcp.host import McpHost, asker

log = logging.getLogger(__name__)

T = TypeVar("T")


class CallQueue:
    """`workers` threads, where calls of the engine run in the order in which the client made them."""

    def __init__(self, workers: int = 1) -> None:
        self._limiter = anyio.CapacityLimiter(workers)

    async def run(self, work: Callable[[], T]) -> T:
        """`work` in a thread. Once begun it is waited for, even if the call is cancelled."""
        return await anyio.to_thread.run_sync(work, limiter=self._limiter)


class McpConnection:
    """What belongs to one client. `tasks` end with the connection; `follow_roots`: work in the client's own folders.

    `listed` are the resources that the client was last told of; None if it never asked.
    """

    def __init__(self, host: McpHost, tasks: TaskGroup, *, follow_roots: bool) -> None:
        self.host = host
        self.engine = Engine(host, settle_orphans)
        self.pending = PendingCalls(tasks)
        self.roots = ClientRoots(host, follow=follow_roots)
        self.actions = CallQueue()
        self.questions = CallQueue(workers=2)
        self.listed: tuple[str, ...] | None = None
        self._chores = CallQueue()
        self._tasks = tasks
        self._noted: tuple[Path, ...] = ()

    async def note_agent_once(self) -> None:
        """What started this server is an agent, in each root that it works in.

        It is noted in the queue of actions: calls that came in a row go on in that row.
        """
        if tuple(self.host.folders()) != self._noted:
            await self.actions.run(self._note_agent)

    def _note_agent(self) -> None:
        folders = tuple(self.host.folders())
        try:
            for workspace in self.engine.workspaces():
                note_agent(workspace, self.session_id)
            self._noted = folders
        except (IntentlsError, OSError):
            log.warning("the agent's process could not be noted", exc_info=True)

    @property
    def session_id(self) -> str:
        """Whom a call acts for that names no session: the agent's own, if its hooks named just one to its process."""
        if self.host.own_session is None:
            return self.host.session_id
        try:
            named = {session_of_hooks(workspace) for workspace in self.engine.workspaces()} - {None}
        except (IntentlsError, OSError):
            log.warning("the agent's own session is not known", exc_info=True)
            named = set()
        return (named.pop() if len(named) == 1 else None) or self.host.session_id

    async def perform(self, steps: Steps[T]) -> T:
        """Run a use case on the actions queue, which is free while the person is asked."""
        outcome = await self.actions.run(partial(advance, steps, None))
        while not isinstance(outcome, FinalResult):
            # Whatever becomes of the call and its client, the answer, or that there was none, goes on record.
            try:
                answer = await _answer(outcome)
            except anyio.get_cancelled_exc_class():
                with anyio.CancelScope(shield=True):
                    await self.actions.run(partial(drive, steps))
                raise
            with anyio.CancelScope(shield=True):
                outcome = await self.actions.run(partial(advance, steps, answer))
        return outcome.value

    def later(self, work: Callable[[], object]) -> None:
        """`work` some time, beside the answer; what goes wrong is only logged."""

        async def run() -> None:
            try:
                await self._chores.run(work)
            except (IntentlsError, OSError):
                log.warning("something that follows an edit failed", exc_info=True)

        self._tasks.start_soon(run)

    def close(self) -> None:
        """The connection is over: its own session ends with it."""
        if self.host.own_session is not None:
            self.engine.end_session(self.host.own_session)


async def _answer(effect: Effect) -> Reply | bool:
    """What the person says, in time; there are no open documents to edit."""
    ask = asker.get()
    if not isinstance(effect, Ask):
        return False
    if effect.has_listener and (reply := await _ask_workspace(effect)) is not None:
        return reply
    if ask is None:
        return REJECTED
    with anyio.move_on_after(effect.timeout_s):
        return await ask(effect)
    log.info("nobody answered in %g s: rejected", effect.timeout_s)
    return REJECTED


async def _ask_workspace(question: Ask) -> Reply | None:
    """The first answer of any editor that has the root open, in time; None where the disk holds no question, or all who
    saw it have left.
    """
    try:
        posting = await anyio.to_thread.run_sync(WatchedPosting, question)
    except OSError:
        log.warning("the question could not be put to the workspace", exc_info=True)
        return None
    try:
        with anyio.move_on_after(question.timeout_s):
            while (reply := await anyio.to_thread.run_sync(posting.answer)) is None:
                if await anyio.to_thread.run_sync(posting.is_abandoned):
                    last = await anyio.to_thread.run_sync(posting.last_answer)
                    return None if last is REJECTED else last
                with anyio.move_on_after(LOOK_FOR_LISTENERS_S):
                    await news(posting.watch)
            return reply
        log.info("no answer came in %g s", question.timeout_s)
        return await anyio.to_thread.run_sync(posting.last_answer)
    except OSError:
        log.warning("the answer can't be read", exc_info=True)
    finally:
        posting.close()
    return REJECTED
