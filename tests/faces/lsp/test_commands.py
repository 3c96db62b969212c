"""LSP's commands are rows of the one table."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from intentls.engine.operations.table import OPERATIONS
from intentls.engine.wire.answers import SessionAnswer
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.lsp.commands import COMMANDS, command_handlers
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.worker_queue import WorkerQueue
from tests.support.session import session
from tests.support.wire import frame


def test_a_command_is_named_after_its_operation() -> None:
    """`list_intents` of the table and of MCP is `intent.listIntents` in LSP."""
    assert COMMANDS["intent.listIntents"] is OPERATIONS["list_intents"]
    assert COMMANDS["intent.selectActiveIntent"] is OPERATIONS["select_active_intent"]
    assert COMMANDS["intent.blame"] is OPERATIONS["blame"]


async def test_what_is_known_is_answered_at_once_unless_earlier_edits_are_under_way(tmp_path: Path) -> None:
    """No thread is waited for, and no answer overtakes a change that the client asked for before."""
    engine = Engine(Headless("lsp", ()))
    edits = WorkerQueue("test-edits")
    connection: Any = SimpleNamespace(
        engine=engine, session_id="me", edits=edits, background=edits, index_later=lambda: None, has_ended=False
    )
    connection.perform = partial(LspConnection.perform, connection)
    active = command_handlers(lambda: connection)["intent.getActiveIntent"]
    assert isinstance(await active({}), SessionAnswer), "nothing is known yet"
    assert active({}) == SessionAnswer("IDLE", None, None, "me")
    assert (await active({"session_id": "other"})).session_id == "other", "nothing is known of that one"
    gate = threading.Event()
    under_way = asyncio.create_task(edits.run(gate.wait))
    await asyncio.sleep(0)
    waiting = active({})
    assert isinstance(waiting, Coroutine)
    task = asyncio.create_task(waiting)
    gate.set()
    assert await under_way
    assert (await task).session_id == "me"
    assert isinstance(active({}), SessionAnswer)
    edits.close()


async def test_an_answer_does_not_wait_for_what_the_editor_is_shown_next(workspace: Path) -> None:
    """Nor for what is to be done after it: both begin when it is on its way, unless the client is gone by then."""
    engine = Engine(Headless("lsp", (workspace,)))
    edits = WorkerQueue("test-edits")
    happened: list[str] = []
    connection: Any = SimpleNamespace(
        engine=engine,
        session_id="me",
        edits=edits,
        background=SimpleNamespace(begin=lambda _: happened.append("lints")),
        index_later=lambda: happened.append("indexes"),
        refresh_editor=lambda: happened.append("shows"),
        has_ended=False,
    )
    connection.perform = partial(LspConnection.perform, connection)
    handlers = command_handlers(lambda: connection)
    await handlers["intent.selectActiveIntent"]({"intent_id": "INT-001"})
    await asyncio.sleep(0)
    happened.clear()
    await handlers["intent.writeToFile"]({"path": "src/api/a.py", "content": "A = 1\n"})
    assert happened == []
    await asyncio.sleep(0)
    assert happened == ["lints", "indexes", "shows"]
    await handlers["intent.writeToFile"]({"path": "src/api/a.py", "content": "A = 2\n"})
    connection.has_ended = True
    await asyncio.sleep(0)
    assert happened == ["lints", "indexes", "shows"]
    edits.close()


def test_answers_that_are_known_never_overtake_what_was_asked_before(workspace: Path) -> None:
    """A client sends everything at once, and each answer is as if it had waited for those before."""
    with session(workspace) as editor:
        wire = editor.wire
        burst, expected = b"", []
        time.sleep(0.12)  # what is old enough is known from now on
        editor.do("getActiveIntent")
        for number in range(60):
            if number % 3 == 0:
                intent_id = None if number % 2 else f"INT-00{1 + number // 6 % 2}"
                burst += asked(
                    f"s{number}", "clearActiveIntent" if intent_id is None else "selectActiveIntent", intent_id
                )
            burst += asked(f"a{number}", "getActiveIntent")
            expected.append(intent_id)
        wire.raw(burst)
        assert [wire.answer(f"a{number}")["result"]["intent_id"] for number in range(60)] == expected


def asked(id_: str, command: str, intent_id: str | None = None) -> bytes:
    """A command as a client sends it."""
    arguments = [] if intent_id is None else [{"intent_id": intent_id}]
    params = {"command": f"intent.{command}", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": id_, "method": "workspace/executeCommand", "params": params}
    return frame(json.dumps(message).encode())
