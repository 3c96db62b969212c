"""Every command with any arguments, through the whole server in this process."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from intentls.faces.lsp.commands import COMMANDS
from intentls.faces.lsp.protocol.jsonrpc import INVALID_PARAMS
from intentls.faces.lsp.registry import create_connection
from tests.fuzz.bounded import bounded
from tests.fuzz.sandbox import Sandbox, changes, forbidden

Call = tuple[str, object]
NAMES = tuple(COMMANDS)
# What it is there for; the others never change a file that people own.
_MAY_DECLARE = frozenset({"intent.expandScope", "intent.setStatus"})
_PATIENCE_S = 60.0  # no limit of a command's work (see `bounded`), only the end of waiting for what never comes
_INTENTS_FILE = "w/.orchestration/active_intents.yaml"


def calls(given: Sequence[Call]) -> None:
    """Commands in a row: each has an answer, no error but -32602, and none changes what it may not."""
    connection = _connection()
    before = connection.sandbox.everything()
    with bounded("answering"):
        answers = connection.ask(given)
    for (name, arguments), answer in zip(given, answers, strict=True):
        if "error" in answer:
            assert answer["error"]["code"] == INVALID_PARAMS, (name, arguments, answer)
            assert "Traceback" not in answer["error"]["message"]
        else:
            assert answer["result"]["status"] in ("ok", "error"), (name, arguments, answer)
    changed = changes(before, connection.sandbox.everything())
    if any(name in _MAY_DECLARE for name, _ in given):
        changed.discard(_INTENTS_FILE)
        connection.sandbox.restore()
    assert not forbidden(changed), (given, forbidden(changed))
    if changed:
        connection.sandbox.restore()


class _Connection:
    """One server and its loop, kept for all inputs: starting one costs more than a hundred commands."""

    def __init__(self) -> None:
        logging.getLogger("intentls").setLevel(logging.CRITICAL)
        self.sandbox = Sandbox()
        self._runner = asyncio.Runner()
        self._waiting: dict[Any, asyncio.Future[dict[str, Any]]] = {}
        self._last_id = 0
        self._runner.run(self._start())

    def ask(self, given: Sequence[Call]) -> list[dict[str, Any]]:
        return self._runner.run(self._ask(given))

    def write(self, data: bytes) -> None:
        """The server's writer."""
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message:
            answer = self._waiting.pop(message["id"])  # a second answer finds nobody
            answer.get_loop().call_soon_threadsafe(answer.set_result, message)

    async def _start(self) -> None:
        self._protocol = create_connection().server.protocol
        self._protocol.begin(self, lambda: None)  # type: ignore[arg-type]
        folders = [{"uri": self.sandbox.root.as_uri(), "name": "w"}]
        params = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
        await self._request("initialize", params)
        select = {"command": "intent.selectActiveIntent", "arguments": [{"intent_id": "INT-001"}]}
        await self._request("workspace/executeCommand", select)

    async def _ask(self, given: Sequence[Call]) -> list[dict[str, Any]]:
        return [
            await self._request("workspace/executeCommand", {"command": name, "arguments": [arguments]})
            for name, arguments in given
        ]

    async def _request(self, method: str, params: object) -> dict[str, Any]:
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        answer = self._waiting[self._last_id] = asyncio.get_running_loop().create_future()
        self._protocol.receive(json.dumps(message).encode())
        return await asyncio.wait_for(answer, _PATIENCE_S)


@cache
def _connection() -> _Connection:
    return _Connection()
