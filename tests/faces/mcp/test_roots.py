"""Where the server works: the folder it was told, the client's own roots, else the current folder."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import types
from mcp.client.client import Client

from intentls.faces.mcp.server import McpOptions, build
from tests.faces.mcp.conftest import LEGACY, MODERN, Agent
from tests.support.patience import PATIENCE_S
from tests.support.workspaces import intents_yaml, make_workspace


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Another workspace, with an intent of its own."""
    return make_workspace(tmp_path / "else where", intents_yaml({"ELSE-1": ["docs/**"]}))


@asynccontextmanager
async def started_in(folder: Path, roots: Any = None, mode: str = LEGACY, **options: Any) -> AsyncIterator[Agent]:
    """A server started in `folder`, with a client that has these roots."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        async with Client(build(McpOptions(**options)), mode=mode, list_roots_callback=roots) as client:
            yield Agent(client)


def told(*folders: Path | str) -> Any:
    async def roots(_: Any) -> types.ListRootsResult:
        uris = [folder.as_uri() if isinstance(folder, Path) else folder for folder in folders]
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in uris])

    return roots


async def _intents(connected: Agent) -> list[str]:
    return [intent["id"] for intent in (await connected.do("list_intents"))["intents"]]


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
async def test_the_current_folder_is_the_default(workspace: Path, mode: str) -> None:
    """Started below a root, the server works in that root."""
    async with started_in(workspace / "src", mode=mode) as connected:
        assert (await _intents(connected))[0] == "INT-001"
        assert (await connected.do("read_file", path="docs/design.md"))["content"] == "# Design\n"


async def test_the_clients_roots_come_first(workspace: Path, elsewhere: Path) -> None:
    """A client that tells its roots is served there, from the first call on; both of two roots count."""
    async with started_in(workspace, told(elsewhere)) as connected:
        assert await _intents(connected) == ["ELSE-1"]
        await connected.do("select_active_intent", intent_id="ELSE-1")
        await connected.do("write_to_file", path="docs/a.md", content="a")
    assert (elsewhere / "docs/a.md").exists()
    async with started_in(workspace, told(elsewhere, workspace)) as connected:
        assert await _intents(connected) == ["ELSE-1", "INT-001", "INT-002", "INT-003"]


async def test_a_folder_that_was_named_stands(workspace: Path, elsewhere: Path) -> None:
    """With `--root` the client's roots are not asked for."""
    async with started_in(workspace, told(elsewhere), root=workspace) as connected:
        assert (await _intents(connected))[0] == "INT-001"


@pytest.mark.parametrize("uri", ["", "file:///nowhere/at/all", "file:///a%00b"])
async def test_roots_that_are_none_leave_us_where_we_are(workspace: Path, uri: str) -> None:
    """No roots, a folder that is not there, a name that can't be: the current folder it is."""
    async with started_in(workspace, told(*([uri] if uri else []))) as connected:
        assert (await _intents(connected))[0] == "INT-001"


async def test_a_client_that_does_not_say_after_all(workspace: Path) -> None:
    """An error for an answer leaves us in the current folder."""

    async def fail(_: Any) -> types.ErrorData:
        return types.ErrorData(code=-32603, message="no idea")

    async with started_in(workspace, fail) as connected:
        assert (await _intents(connected))[0] == "INT-001"


async def test_roots_may_change(workspace: Path, elsewhere: Path) -> None:
    """After `roots/list_changed` the new ones hold."""
    current = [workspace]

    async def roots(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=current[0].as_uri())])

    async with started_in(workspace, roots) as connected:
        assert (await _intents(connected))[0] == "INT-001"
        current[0] = elsewhere
        await connected.client.session.send_notification(types.RootsListChangedNotification())
        end = time.monotonic() + PATIENCE_S
        while await _intents(connected) != ["ELSE-1"]:
            assert time.monotonic() < end, "the new roots never held"
