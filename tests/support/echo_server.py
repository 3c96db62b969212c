"""A guinea-pig server on our protocol ground, without any governance: `echo_server.py [--tcp HOST PORT]`.

Features: hover names the word, a code lens on every line with TODO, a `didSave` handler that fails or is slow
on request. Commands: see COMMANDS.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import subprocess
import sys
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from intentls.core.errors import InvalidInput
from intentls.faces.lsp.protocol.command_table import progress_token
from intentls.faces.lsp.protocol.documents import Document
from intentls.faces.lsp.protocol.serve import Server, serve_stdio, serve_tcp
from tests.support.patience import PATIENCE_S

PARENT_POLL_S = 0.1


class Echo:
    """The commands' handlers; they meet their server when it exists."""

    server: Server

    async def same(self, params: dict[str, Any]) -> Any:
        return params

    async def text(self, params: dict[str, Any]) -> Any:
        document = self.server.protocol.workspace.open_document(params["uri"])
        return None if document is None else {"text": document.source, "version": document.version}

    async def closed(self, params: dict[str, Any]) -> Any:
        return self.server.workspace.get_text_document(params["uri"]).source

    async def invalid(self, params: dict[str, Any]) -> Any:
        raise InvalidInput("path: must not be empty.")

    async def broken(self, params: dict[str, Any]) -> Any:
        raise ZeroDivisionError("secret detail")

    async def unspeakable(self, params: dict[str, Any]) -> Any:
        return {"value": object.__new__(object)}

    async def sleep(self, params: dict[str, Any]) -> Any:
        try:
            await asyncio.sleep(params["seconds"])
        except asyncio.CancelledError:
            self.server.window_log_message(types.LogMessageParams(types.MessageType.Log, "sleep was cancelled"))
            raise
        return "slept"

    async def ask(self, params: dict[str, Any]) -> Any:
        question = types.ShowMessageRequestParams(types.MessageType.Info, "Yes?", [types.MessageActionItem("Yes")])
        try:
            async with asyncio.timeout(params["timeout"]):
                answer = await self.server.window_show_message_request_async(question)
        except TimeoutError:
            return "nobody"
        except JsonRpcException as error:
            return f"{type(error).__name__}: {error}"
        return answer and answer.title

    async def prints(self, params: dict[str, Any]) -> Any:
        print("this must not reach the client")  # noqa: T201 - the point of it
        os.write(1, b"nor this\n")
        child = subprocess.run(["cat"], timeout=PATIENCE_S)
        subprocess.run(["echo", "nor this"], check=True, timeout=PATIENCE_S)
        return child.returncode

    async def token(self, params: dict[str, Any]) -> Any:
        return progress_token.get()

    async def big(self, params: dict[str, Any]) -> Any:
        return "x" * params["length"]


def _word_at(document: Document, position: types.Position) -> str:
    offset = document.index.offset_at(position, document.encoding)
    words = re.finditer(r"\w+", document.source)
    return next((word[0] for word in words if word.start() <= offset <= word.end()), "")


COMMANDS = ("same", "text", "closed", "invalid", "broken", "unspeakable", "sleep", "ask", "prints", "token", "big")


def build() -> Server:
    echo = Echo()
    server = Server("echo", "1.0", {f"echo.{name}": getattr(echo, name) for name in COMMANDS})
    echo.server = server

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        document = ls.protocol.workspace.open_document(params.text_document.uri)
        word = _word_at(document, params.position) if document else ""
        return types.Hover(word) if word else None

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        document = ls.protocol.workspace.open_document(params.text_document.uri)
        lines = document.lines if document else ()
        found = [number for number, line in enumerate(lines) if re.search(r"\bTODO\b", line)]
        return [types.CodeLens(types.Range(types.Position(n, 0), types.Position(n, 0))) for n in found]

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @server.thread()
    def definition(params: types.DefinitionParams) -> None:
        raise KeyError("secret detail")

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        if "fails" in params.text_document.uri:
            raise ValueError("secret detail")
        if "slow" in params.text_document.uri:
            await asyncio.sleep(0.5)
        document = ls.protocol.workspace.open_document(params.text_document.uri)
        said = f"saved {params.text_document.uri}" if document is None else f"saved {document.source}"
        ls.window_log_message(types.LogMessageParams(types.MessageType.Log, said))

    return server


def main(args: list[str]) -> int:
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    if args[:1] == ["--tcp"]:
        return serve_tcp(build(), args[1], int(args[2]), parent_poll_s=PARENT_POLL_S)
    return serve_stdio(build(), parent_poll_s=PARENT_POLL_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
