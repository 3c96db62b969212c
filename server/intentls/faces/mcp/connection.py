"""One connection with its engine, its lanes and its own session."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio
from anyio.abc import TaskGroup

from intentls.core.errors import IntentlsError
from intentls.engine.actions.effects import REJECTED, Ask, Effect, FinalResult, Reply, Steps, advance, drive
from intentls.engine.workspace.engine import Engine
from intentls.faces.mcp.host import McpHost, asker
from intentls.faces.mcp.worker_queue import CallQueue

log = logging.getLogger(__name__)

T = TypeVar("T")


class Face:
    """What every tool of one connection works with. `tasks` end with the connection.

    `listed` are the resources that the client was last told of; None if it never asked.
    """

    def __init__(self, host: McpHost, tasks: TaskGroup) -> None:
        self.host = host
        self.engine = Engine(host)
        self.tasks = tasks
        self.actions = CallQueue()
        self.questions = CallQueue(workers=2)
        self._chores = CallQueue()
        self.listed: tuple[str, ...] | None = None

    @property
    def session_id(self) -> str:
        """Whom a call acts for that names no session."""
        return self.host.session_id

    async def perform(self, begin: Callable[[], Steps[T]]) -> T:
        """Run a use case in the actions lane, which is free while the person is asked."""
        steps = begin()
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

        self.tasks.start_soon(run)

    def close(self) -> None:
        """The connection is over: its own session ends with it."""
        if self.host.own_session is not None:
            self.engine.end_session(self.host.own_session)


async def _answer(effect: Effect) -> Reply | bool:
    """What the person says, in time; there are no open documents to edit."""
    ask = asker.get()
    if not isinstance(effect, Ask):
        return False
    if ask is None:
        return REJECTED
    with anyio.move_on_after(effect.timeout_s):
        return await ask(effect)
    log.info("nobody answered in %g s: rejected", effect.timeout_s)
    return REJECTED
