"""A language client for measuring: one thread, blocking reads, no library; it costs either side the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks.node import CACHE

SERVE = [sys.executable, "-m", "intentls", "serve"]
"""The command line of our server."""
COMPILED = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(CACHE / "compiled")}
"""What is installed is compiled, and so must be what is measured, whatever is set here and whoever owns the files."""
Json = dict[str, Any]


class Client:
    """A server process and the pipes to it. What the server tells is dropped, unless it answers what was asked."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env={**os.environ, **COMPILED, **(env or {})},
            bufsize=0,
        )
        assert self.process.stdin
        assert self.process.stdout
        self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        self._rest = b""
        self.last_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def initialize(self, root: Path, **capabilities: Any) -> None:
        """The whole handshake, with one workspace folder."""
        uri = root.as_uri()
        folders = [{"uri": uri, "name": root.name}]
        process = os.getpid()  # which either side watches
        params = {"processId": process, "rootUri": uri, "workspaceFolders": folders, "capabilities": capabilities}
        self.request("initialize", params)
        self.notify("initialized", {})

    def command(self, name: str, **argument: Any) -> Json:
        """A command's answer. RuntimeError if it is an error or a refusal."""
        found: Json = self.request("workspace/executeCommand", {"command": name, "arguments": [argument]})
        if found and found.get("status") == "error":
            raise RuntimeError(f"{name}: {found}")
        return found

    def request(self, method: str, params: Any = None) -> Any:
        """Ask and wait. RuntimeError with what the server says."""
        return self.answer(self.ask(method, params))

    def ask(self, method: str, params: Any = None) -> int:
        """Ask without waiting: the id, for `answer`."""
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        return self.last_id

    def notify(self, method: str, params: Any = None) -> None:
        """Tell the server something."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, message: Json) -> None:
        """Send it, as it is."""
        self.raw(framed(message))

    def raw(self, data: bytes) -> None:
        """Send bytes: messages that were framed before the clock ran."""
        left = memoryview(data)
        while left:
            left = left[os.write(self._in, left) :]

    def decline(self, question: Any) -> None:
        """Answer the server's question with "method not found"."""
        self.send({"jsonrpc": "2.0", "id": question, "error": {"code": -32601, "message": "Method not found."}})

    def answer(self, asked: int) -> Any:
        """The result of what was asked; answers to anything else are dropped, questions are declined."""
        while True:
            message = self.read()
            if "method" in message:
                if "id" in message:
                    self.decline(message["id"])
            elif message["id"] == asked:
                if "error" in message:
                    raise RuntimeError(str(message["error"]))
                return message.get("result")

    def read(self) -> Json:
        """The next message, whatever it is. EOFError at the end of the stream."""
        head, end, rest = self._rest.partition(b"\r\n\r\n")
        while not end:
            self._more()
            head, end, rest = self._rest.partition(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        parts, have = [rest], len(rest)
        while have < length:
            self._rest = b""
            self._more()
            parts.append(self._rest)
            have += len(self._rest)
        body = b"".join(parts)
        self._rest = body[length:]
        found: Json = json.loads(body[:length])
        return found

    def _more(self) -> None:
        data = os.read(self._out, 1 << 20)
        if not data:
            raise EOFError(f"{self.process.args!r} ended")
        self._rest += data


def framed(message: Json) -> bytes:
    """A message with its header."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
