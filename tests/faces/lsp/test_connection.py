"""A connection whose client may be asked is seen by whoever asks, from its first answer on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types

from intentls.faces.lsp.client_capabilities import Capabilities
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features import lifecycle
from intentls.store.fs.primitives import names_in


class Client:
    """What a connection sends to its client, and the folders that the client has open."""

    def __init__(self, folder: Path | None = None) -> None:
        self.workspace: Any = SimpleNamespace(folders={}, root_uri=None, text_documents={})
        self.protocol = SimpleNamespace(notify=lambda *_: None)
        if folder is not None:
            self.add(folder)

    def add(self, folder: Path) -> None:
        self.workspace.folders[folder.as_uri()] = types.WorkspaceFolder(folder.as_uri(), folder.name)


async def _listeners_at_next_call(connection: LspConnection, root: Path, event: Any) -> list[str]:
    """Who listens in the root when a call is run that the client sent right after the event."""
    handling = asyncio.create_task(event)
    await asyncio.sleep(0)  # the event is being handled: its work waits in the queue
    listeners = await connection.edits.run(lambda: names_in(root / ".orchestration/.state/listeners"))
    await handling
    connection.diagnostics.stop()
    connection.unsaved.stop()
    connection.questions.stop()
    connection.close()
    return [name for name in listeners if not name.startswith(".")]


@pytest.mark.asyncio
async def test_an_editor_listens_from_its_first_answer_on(workspace: Path) -> None:
    connection = LspConnection(Client(workspace))  # type: ignore[arg-type]  # all that is asked of it
    connection.host.capabilities = Capabilities(asks=True)
    event = lifecycle.initialized(connection, types.InitializedParams())
    assert len(await _listeners_at_next_call(connection, workspace, event)) == 1


@pytest.mark.asyncio
async def test_an_editor_listens_in_an_added_folder_from_the_next_answer_on(workspace: Path) -> None:
    client = Client()
    connection = LspConnection(client)  # type: ignore[arg-type]  # all that is asked of it
    connection.host.capabilities = Capabilities(asks=True)
    client.add(workspace)
    changes = types.DidChangeWorkspaceFoldersParams(types.WorkspaceFoldersChangeEvent([], []))
    event = lifecycle.folders_changed(connection, changes)
    assert len(await _listeners_at_next_call(connection, workspace, event)) == 1
