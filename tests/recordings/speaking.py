"""A client of LSP or MCP in one thread: what it sends and what it gets is noted in the order in which it is read.

A question of the server is answered while an answer is awaited, so everything that has a place in the protocol's
order has it in the transcript. Some messages have none: they follow from a timer or a poll, may come once or
twice, before or after an answer. These, `TIMED`, are put aside, and noted where the script waits for them, by
`await_message` (one of them, whole) or `marks` (diagnostics of a document once they name what they must name).
Progress is left out altogether: it is shown for what takes longer than a second.
"""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from tests.recordings.stage import Json, Stage
from tests.support.forked_servers import INTENTLS

TIMED = {
    "textDocument/publishDiagnostics",
    "workspace/diagnostic/refresh",
    "workspace/codeLens/refresh",
    "workspace/inlayHint/refresh",
    "window/showMessage",
    "client/registerCapability",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
}
_PROGRESS = {"$/progress", "window/workDoneProgress/create", "notifications/progress"}
_LONG_S = 60.0


class Talk:
    """One connection to `intentls serve` or `intentls mcp`."""

    def __init__(self, stage: Stage, root: Path, *arguments: str) -> None:
        self.stage, self.root = stage, root
        self.answers: dict[str, Callable[[Json], object]] = {}
        self._lines = arguments[0] == "mcp"
        self._last_id = 0
        self._aside: list[tuple[Json, str]] = []
        self._inbox: queue.Queue[str | None] = queue.Queue()
        self._versions: dict[str, int] = {}
        self.stage.lines.append(f"$ {' '.join(arguments)}")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the connection
        self._process = subprocess.Popen(
            [*INTENTLS, *arguments],
            cwd=root,
            env=stage.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        stage.processes.append(self._process)
        assert self._process.stdin and self._process.stdout
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._reading = threading.Thread(target=self._read, args=(self._stdout,), daemon=True)
        self._reading.start()

    # -- to the server

    def send(self, message: Json, *, derived: bool = False) -> None:
        """Send a message and note it, without the field that all have. `derived`: it holds what the program wrote."""
        self.stage.message(">", json.dumps(message, ensure_ascii=False), derived=derived)
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.raw(body + b"\n" if self._lines else b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def raw(self, data: bytes) -> None:
        """Send bytes."""
        self._stdin.write(data)
        self._stdin.flush()

    def request(self, method: str, params: Any = None) -> Any:
        """Ask, and answer what the server asks meanwhile; the result, or the error."""
        self._last_id += 1
        self.send({"id": self._last_id, "method": method, **({} if params is None else {"params": params})})
        while True:
            message, body = self._next()
            if "method" not in message and message.get("id") == self._last_id:
                self.stage.message("<", body)
                return message.get("result", message.get("error"))
            self._take(message, body)

    def notify(self, method: str, params: Any = None) -> None:
        """Tell."""
        self.send({"method": method, **({} if params is None else {"params": params})})

    def do(self, command: str, **arguments: Any) -> Any:
        """`intent.<command>`."""
        return self.request("workspace/executeCommand", {"command": f"intent.{command}", "arguments": [arguments]})

    def call(self, tool: str, **arguments: Any) -> Any:
        """A tool of MCP."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    # -- documents

    def uri(self, path: str) -> str:
        """The URI of a file of the root."""
        return (self.root / path).as_uri()

    def about(self, path: str, **more: Any) -> Json:
        """Params that name a document."""
        return {"textDocument": {"uri": self.uri(path)}, **more}

    def open(self, path: str, text: str | None = None, language: str = "python") -> None:
        """didOpen, with the text on disk unless another is given."""
        self._versions[path] = 1
        content = (self.root / path).read_text(encoding="utf-8") if text is None else text
        document = {"uri": self.uri(path), "languageId": language, "version": 1, "text": content}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}}, derived=text is None)

    def type(self, path: str, text: str, span: Json | None = None) -> None:
        """didChange: the whole text, or a range of it."""
        self._versions[path] += 1
        change = {"text": text} if span is None else {"range": span, "text": text}
        document = {"uri": self.uri(path), "version": self._versions[path]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def save(self, path: str, text: str) -> None:
        """Write the file as an editor does, and say so."""
        (self.root / path).write_bytes(text.encode())
        self.notify("textDocument/didSave", self.about(path))

    # -- what follows from a timer or a poll

    def await_message(self, method: str, fits: Callable[[Any], bool] = lambda params: True) -> None:
        """Wait for the newest message of that method to fit, and note it."""
        end = time.monotonic() + _LONG_S
        while True:
            bodies = [body for message, body in self._aside if message["method"] == method]
            if bodies and fits(json.loads(bodies[-1]).get("params")):
                self.stage.message("<", bodies[-1])
                self._aside = [item for item in self._aside if item[0]["method"] != method]
                return
            assert time.monotonic() < end, f"{method} does not come; it was {bodies[-1:]}"
            self._take(*self._next())

    def marks(self, path: str, number: int, code: str | None = None) -> None:
        """Wait until so many diagnostics are shown of a document as it is now, the first of that code; note them."""
        uri, version = self.uri(path), self._versions.get(path)

        def fits(params: Json) -> bool:
            codes = [mark.get("code") for mark in params["diagnostics"]]
            return len(codes) == number and params.get("version") == version and code in (None, *codes[:1])

        while True:
            shown = [item for item in self._aside if (item[0].get("params") or {}).get("uri") == uri]
            if shown and fits(shown[-1][0]["params"]):
                self.stage.message("<", shown[-1][1])
                self._aside = [item for item in self._aside if item not in shown]
                return
            self._take(*self._next(f"{number} {code} for {path}; it was {[body for _, body in shown][-1:]}"))

    # -- the end

    def end(self) -> None:
        """`shutdown` and `exit` of LSP, or the end of the stream; the exit code is noted."""
        if not self._lines:
            self.request("shutdown")
            self.notify("exit")
        self.leave()

    def leave(self) -> None:
        """Close the stream, and wait for the end."""
        self._stdin.close()
        self.stage.lines.append(f"= {self._process.wait(_LONG_S)}")
        self._reading.join(_LONG_S)
        self._stdout.close()

    # -- inside

    def _take(self, message: Json, body: str) -> None:
        """A message that no request of ours waits for."""
        method = message.get("method", "")
        if method in _PROGRESS:
            if "id" in message:
                self._answer(message, None, note=False)
        elif method in TIMED:
            self._aside.append((message, body))
            if "id" in message:
                self._answer(message, None, note=False)
        else:
            self.stage.message("<", body)
            if "id" in message and method:
                self._answer(message, self.answers.get(method, _nothing)(message.get("params") or {}), note=True)

    def _answer(self, question: Json, result: object, *, note: bool) -> None:
        answer: Json = {"id": question["id"], "result": result}
        if isinstance(result, Refusal):
            answer = {"id": question["id"], "error": {"code": result.code, "message": result.message}}
        if note:
            self.stage.message(">", json.dumps(answer, ensure_ascii=False))
        body = json.dumps({"jsonrpc": "2.0", **answer}, ensure_ascii=False).encode()
        self.raw(body + b"\n" if self._lines else b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _next(self, awaited: str = "a message") -> tuple[Json, str]:
        try:
            body = self._inbox.get(timeout=_LONG_S)
        except queue.Empty:
            raise AssertionError(f"waited for {awaited}\n{self._log_text()}") from None
        assert body is not None, f"the server has ended; awaited {awaited}\n{self._log_text()}"
        message: Json = json.loads(body)
        return message, body

    def _log_text(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def _read(self, stream: IO[bytes]) -> None:
        """Every message's bytes, as a text; nothing but messages may come."""
        while line := stream.readline():
            if self._lines:
                self._inbox.put(line.decode().removesuffix("\n"))
                continue
            name, _, number = line.partition(b": ")
            if name != b"Content-Length" or stream.readline() != b"\r\n":
                self._inbox.put(json.dumps({"method": "no header", "params": repr(line)}))
                break
            self._inbox.put(stream.read(int(number)).decode())
        self._inbox.put(None)


class Refusal:
    """An error as the client's answer."""

    def __init__(self, code: int, message: str) -> None:
        self.code, self.message = code, message


def _nothing(_params: Json) -> None:
    return None
