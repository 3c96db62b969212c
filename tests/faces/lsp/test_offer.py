"""What the server offers to the editors that people use: the whole answer to `initialize`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import intentls
from intentls.faces.lsp.commands import COMMANDS
from intentls.faces.lsp.registry import create_connection
from tests.support.patience import eventually_in_loop

EDITORS = {
    path.stem: json.loads(path.read_text())["capabilities"]
    for path in (Path(__file__).parents[2] / "data" / "capabilities").glob("*.json")
}


class Wire:
    """Where a connection without a process writes."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.said.append(json.loads(data.partition(b"\r\n\r\n")[2]))


async def offered(capabilities: dict[str, Any]) -> Any:
    """The result of `initialize`."""
    connection, wire = create_connection(), Wire()
    connection.server.protocol.begin(wire, lambda: None)  # type: ignore[arg-type]
    params = {"processId": None, "rootUri": None, "capabilities": capabilities}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    connection.server.protocol.receive(json.dumps(message).encode())
    await eventually_in_loop(lambda: wire.said)
    connection.close()
    return wire.said[0]["result"]


def result(encoding: str, *, pulls_diagnostics: bool) -> dict[str, Any]:
    """The result of `initialize` for a client that counts columns in `encoding`, and pulls diagnostics or not."""
    offered: dict[str, Any] = {
        "positionEncoding": encoding,
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "completionProvider": {"triggerCharacters": ['"', "'", "/", ":", " ", "!", "-"], "resolveProvider": False},
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "documentSymbolProvider": True,
        "codeActionProvider": {"codeActionKinds": ["quickfix"], "resolveProvider": False},
        "codeLensProvider": {"resolveProvider": False},
        "documentLinkProvider": {"resolveProvider": False},
        "workspaceSymbolProvider": {"resolveProvider": False},
        "foldingRangeProvider": True,
        "executeCommandProvider": {"commands": list(COMMANDS), "workDoneProgress": True},
        "inlayHintProvider": {"resolveProvider": False},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
    }
    if pulls_diagnostics:
        options = {"interFileDependencies": True, "workspaceDiagnostics": True, "identifier": "intentls"}
        offered["diagnosticProvider"] = options
    return {"capabilities": offered, "serverInfo": {"name": "intentls", "version": intentls.__version__}}


@pytest.mark.parametrize("name", EDITORS)
async def test_each_editor_is_offered_all_that_it_can_use(name: str) -> None:
    """The offer as a whole; diagnostics are only for those that pull them, and columns as the editor counts them."""
    capabilities = EDITORS[name]
    encoding = next(iter(capabilities.get("general", {}).get("positionEncodings", [])), "utf-16")
    refreshes = capabilities.get("workspace", {}).get("diagnostics", {}).get("refreshSupport", False)
    pulls = refreshes and "diagnostic" in capabilities.get("textDocument", {})
    assert await offered(capabilities) == result(encoding, pulls_diagnostics=pulls)


async def test_columns_are_counted_as_the_client_prefers() -> None:
    """The first encoding of the client's that the server knows."""
    for encodings, agreed in ((["x", "utf-32"], "utf-32"), (["utf-8", "utf-16"], "utf-8"), ([], "utf-16")):
        offer = await offered({"general": {"positionEncodings": encodings}})
        assert offer["capabilities"]["positionEncoding"] == agreed
