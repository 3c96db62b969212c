"""A small LSP client over the stdio of a child process, which plays an editor and an agent."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]

_TIMEOUT_S = 60.0


class Client:
    """One connection to `intentls serve`. One request at a time; the server's notifications are ignored."""

    def __init__(self, workspace: Path, command: Sequence[str] = (sys.executable, "-m", "intentls", "serve")) -> None:
        self._workspace = workspace
        self._command = list(command)
        self._messages: queue.Queue[Json | None] = queue.Queue()
        self._last_id = 0

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self._workspace
        )
        threading.Thread(target=self._read, daemon=True).start()
        uri = self._workspace.as_uri()
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": self._workspace.name}],
                "capabilities": {"general": {"positionEncodings": ["utf-8"]}},
                "clientInfo": {"name": "intentls demo"},
                "initializationOptions": {"trusted": True},
            },
        )
        self.notify("initialized", {})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.request("shutdown", None)
                self.notify("exit", None)
                self._process.wait(_TIMEOUT_S)
        finally:
            self._process.kill()
            self._process.wait()

    def command(self, name: str, **arguments: Any) -> Json:
        """Execute one of the server's commands; its result."""
        result: Json = self.request("workspace/executeCommand", {"command": name, "arguments": [arguments]})
        return result

    def open(self, path: str, text: str) -> None:
        """Open a file, as a person does."""
        document = {"uri": self._uri(path), "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, path: str, text: str) -> None:
        """Change the whole text of an open file, as a person does."""
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": self._uri(path), "version": 2}, "contentChanges": [{"text": text}]},
        )

    def save(self, path: str, text: str) -> None:
        """Save an open file, as an editor does: write it, then notify the server."""
        (self._workspace / path).write_text(text, encoding="utf-8")
        self.notify("textDocument/didSave", {"textDocument": {"uri": self._uri(path)}})

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result. Raises RuntimeError for an error or no answer."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, **({} if params is None else {"params": params})})
        while True:
            try:
                message = self._messages.get(timeout=_TIMEOUT_S)
            except queue.Empty:
                raise RuntimeError(f"the server did not answer {method} in {_TIMEOUT_S:g} s") from None
            if message is None:
                raise RuntimeError(f"the server ended while {method} was under way")
            if message.get("id") == self._last_id and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "id" in message:  # a request of the server: the demo has no editor for it
                self._send({"id": message["id"], "result": None})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, **({} if params is None else {"params": params})})

    def _uri(self, path: str) -> str:
        return (self._workspace / path).as_uri()

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self._messages.put(None)
                return
            self._messages.put(json.loads(stream.read(length)))
