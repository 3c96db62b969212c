"""A real server, driven by pytest-lsp with the capabilities that real editors really sent."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import pytest_lsp
from cattrs import Converter
from lsprotocol import converters, types
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.support.patience import PATIENCE_S
from tests.support.workspaces import make_workspace

_DATA = Path(__file__).parents[2] / "data" / "capabilities"
_CONVERTER: Converter = converters.get_converter()
TIMEOUT_S = float(PATIENCE_S)


@dataclass
class Editor:
    """One editor in one workspace, and the person who sits at it."""

    name: str
    encoding: str
    client: LanguageClient
    root: Path
    offered: types.ServerCapabilities = field(default_factory=types.ServerCapabilities)
    answer: Callable[[types.ShowMessageRequestParams], Any] = lambda _: None
    questions: list[types.ShowMessageRequestParams] = field(default_factory=list)

    @property
    def published(self) -> dict[str, Sequence[types.Diagnostic]]:
        """What the server pushed, by document."""
        return self.client.diagnostics

    @property
    def pulls(self) -> bool:
        """Whether this editor asks for diagnostics: Neovim could, but can't be told to ask again."""
        return self.offered.diagnostic_provider is not None

    async def do(self, command: str, **arguments: Any) -> dict[str, Any]:
        """The result of `intent.<command>`."""
        params = types.ExecuteCommandParams(f"intent.{command}", [arguments])
        result = await asyncio.wait_for(self.client.workspace_execute_command_async(params), TIMEOUT_S)
        assert isinstance(result, dict)
        return result

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str) -> None:
        text = (self.root / path).read_bytes().decode()
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri(path), "plaintext", 1, text))
        )

    async def diagnostics(self, path: str, fits: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """What the editor shows of the file, as soon as it fits: pulled or pushed, as this editor does."""
        end = asyncio.get_running_loop().time() + TIMEOUT_S
        while True:
            found = await self._pull(path) if self.pulls else list(self.published.get(self.uri(path), []))
            if fits(found):
                return found
            assert asyncio.get_running_loop().time() < end, f"last seen: {found}"
            await asyncio.sleep(0.05)

    async def _pull(self, path: str) -> list[types.Diagnostic]:
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.uri(path)))
        report = await asyncio.wait_for(self.client.text_document_diagnostic_async(params), TIMEOUT_S)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-m", "intentls", "serve"]))
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """A server process that nobody has greeted yet."""
    yield


@pytest_asyncio.fixture(params=["vscode", "neovim", "emacs"])
async def editor(request: pytest.FixtureRequest, client: LanguageClient, tmp_path: Path) -> AsyncIterator[Editor]:
    """The server with a client that claims to be VS Code (utf-16), Neovim (utf-8) or Emacs (utf-32)."""
    preset = json.loads((_DATA / f"{request.param}.json").read_text())
    root = make_workspace(tmp_path / "workspace")
    found = Editor(request.param, preset["encoding"], client, root)

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def ask(params: types.ShowMessageRequestParams) -> Any:
        found.questions.append(params)
        return found.answer(params)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        return None

    for view in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH):
        client.feature(view)(lambda *_: None)

    # eglot can ask, but does not announce it: its user says so.
    interactive = request.param == "emacs"
    result = await client.initialize_session(
        types.InitializeParams(
            capabilities=_CONVERTER.structure(preset["capabilities"], types.ClientCapabilities),
            root_uri=root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), "workspace")],
            initialization_options={"interactive": interactive},
        )
    )
    found.offered = result.capabilities
    yield found
    await client.shutdown_session()
