"""A language client of nothing but the standard library: bytes out, bytes in, no LSP library in between.

    with Wire.start([sys.executable, "-m", "intentls", "serve"], cwd=root) as wire:
        wire.handlers["workspace/applyEdit"] = lambda params: {"applied": True}
        wire.initialize(rootUri=root.as_uri())
        response = wire.request("workspace/executeCommand", {"command": "intent.listIntents"})
        assert response["result"]["status"] == "ok"
        assert wire.shutdown() == 0

`request` gives the whole response, `{"result": ...}` or `{"error": ...}`; it never raises for an error.
A question of the server goes to `handlers[method]`, in a thread of its own; one without a handler is answered
with -32601. A handler may return `SILENCE` (no answer ever) or raise `Refuse` (an error).
"""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tests.support.patience import PATIENCE_S

Json = dict[str, Any]
SILENCE = object()
TIMEOUT_S = float(PATIENCE_S)


class Refuse(Exception):
    """Raised by a handler: the server's question is answered with this error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class ServerGone(AssertionError):
    """The server ended, or its stream did, while something was expected of it."""


class Wire:
    """One connection to a server."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes], process: subprocess.Popen[bytes] | None = None) -> None:
        self.handlers: dict[str, Callable[[Any], Any]] = {}
        self.process = process
        self.asked: list[Json] = []  # every question of the server, as it came
        self._reader, self._writer = reader, writer
        self._log: IO[bytes] | None = None
        self._connection: socket.socket | None = None
        self._last_id = 0
        self._answers: list[Json] = []
        self._told: list[Json] = []
        self._eof = False
        self._trouble = ""
        self._news = threading.Condition()
        self._write_lock = threading.Lock()
        threading.Thread(target=self._read_all, daemon=True).start()

    @classmethod
    def start(cls, cmd: Sequence[str], cwd: str | Path | None = None, env: Mapping[str, str] | None = None) -> Wire:
        """Starts a server and talks to it over its stdin and stdout; its stderr is kept for `log`."""
        log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the wire
        process = subprocess.Popen(cmd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=cwd, env=env)
        assert process.stdin and process.stdout
        wire = cls(process.stdout, process.stdin, process)
        wire._log = log
        return wire

    @classmethod
    def connect(cls, host: str, port: int, process: subprocess.Popen[bytes] | None = None) -> Wire:
        """Talks to a server that listens at host:port; tries until it does."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                connection = socket.create_connection((host, port), timeout=TIMEOUT_S)
                break
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        connection.settimeout(None)
        wire = cls(connection.makefile("rb"), connection.makefile("wb"), process)
        wire._connection = connection
        return wire

    def __enter__(self) -> Wire:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- to the server

    def request(self, method: str, params: Any = None, timeout: float = TIMEOUT_S) -> Json:
        """Asks and waits: the whole response."""
        return self.answer(self.ask(method, params), timeout)

    def ask(self, method: str, params: Any = None) -> int:
        """Asks without waiting: the id, for `answer`."""
        self._last_id += 1
        self.send({"id": self._last_id, "method": method, **_params(params)})
        return self._last_id

    def notify(self, method: str, params: Any = None) -> None:
        """Tells the server something."""
        self.send({"method": method, **_params(params)})

    def send(self, message: Json) -> None:
        """Sends a message; `jsonrpc` is added if it is not there."""
        self.raw(frame(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()))

    def raw(self, data: bytes) -> None:
        """Sends bytes as they are."""
        try:
            with self._write_lock:
                self._writer.write(data)
                self._writer.flush()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ServerGone(f"the server no longer reads\n{self.log()}") from error

    def initialize(self, **params: Any) -> Json:
        """`initialize` (with these params over the smallest ones) and `initialized`; the whole response."""
        smallest = {"processId": None, "rootUri": None, "capabilities": {}}
        response = self.request("initialize", {**smallest, **params})
        self.notify("initialized", {})
        return response

    def command(self, name: str, arguments: Any = None, timeout: float = TIMEOUT_S) -> Json:
        """`workspace/executeCommand` with one object; the whole response."""
        params = {"command": name} if arguments is None else {"command": name, "arguments": [arguments]}
        return self.request("workspace/executeCommand", params, timeout)

    # -- from the server

    def answer(self, id_: Any, timeout: float = TIMEOUT_S) -> Json:
        """The response to a request that was asked before."""
        return self._await(self._answers, lambda message: message["id"] == id_, timeout, f"an answer to {id_}")

    def expect_notification(
        self, method: str, predicate: Callable[[Any], bool] = lambda params: True, timeout: float = TIMEOUT_S
    ) -> Any:
        """The params of the oldest notification of that kind that was not taken yet; waits for it."""

        def fits(message: Json) -> bool:
            return message["method"] == method and predicate(message.get("params"))

        return self._await(self._told, fits, timeout, f"a {method}").get("params")

    def notifications(self, method: str) -> list[Any]:
        """The params of all notifications of that kind that came so far and were not taken."""
        with self._news:
            return [message.get("params") for message in self._told if message["method"] == method]

    def forget(self) -> None:
        """Drop what came and was not taken, as an editor does that has shown it."""
        with self._news:
            self._told.clear()
            self.asked.clear()

    def log(self) -> str:
        """What the server wrote to stderr so far."""
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    # -- the end

    def shutdown(self, timeout: float = TIMEOUT_S) -> int:
        """`shutdown`, `exit`; the exit code."""
        self.request("shutdown", timeout=timeout)
        self.notify("exit")
        return self.wait(timeout)

    def close(self, timeout: float = TIMEOUT_S) -> int:
        """Closes the stream to the server and waits for its end; the exit code."""
        self.disconnect()
        return self.wait(timeout)

    def disconnect(self) -> None:
        """Closes the stream to the server: there is nothing more to say."""
        try:
            self._writer.close()
            if self._connection is not None:
                self._connection.shutdown(socket.SHUT_WR)
        except OSError:  # the server left first
            return

    def wait(self, timeout: float = TIMEOUT_S) -> int:
        """Waits for the server's end; the exit code (0 if the process is not ours). Kills what hangs."""
        if self.process is None:
            return 0
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server did not end within {timeout} s\n{self.log()}") from None

    # -- inside

    def _await(self, box: list[Json], fits: Callable[[Json], bool], timeout: float, what: str) -> Json:
        deadline = time.monotonic() + timeout
        with self._news:
            while True:
                for place, message in enumerate(box):
                    if fits(message):
                        return box.pop(place)
                left = deadline - time.monotonic()
                if self._eof:
                    raise ServerGone(f"the stream ended{self._trouble}; expected {what}\n{self.log()}")
                if left <= 0:
                    raise AssertionError(f"waited {timeout} s for {what}\n{self.log()}")
                self._news.wait(left)

    def _read_all(self) -> None:
        try:
            while (message := self._read_next(self._reader)) is not None:
                self._sort(message)
        except (OSError, ValueError, KeyError) as error:
            self._trouble = f" ({error!r})"
        with self._news:
            self._eof = True
            self._news.notify_all()

    def _read_next(self, stream: IO[bytes]) -> Json | None:
        return read_message(stream)

    def _sort(self, message: Json) -> None:
        if "method" in message and "id" in message:
            self.asked.append(message)
            threading.Thread(target=self._reply, args=(message,), daemon=True).start()
        with self._news:
            if "method" not in message:
                self._answers.append(message)
            elif "id" not in message:
                self._told.append(message)
            self._news.notify_all()

    def _reply(self, question: Json) -> None:
        handler = self.handlers.get(question["method"], _not_found)
        try:
            result = handler(question.get("params"))
            if result is not SILENCE:
                self.send({"id": question["id"], "result": result})
        except Refuse as error:
            self.send({"id": question["id"], "error": {"code": error.code, "message": str(error)}})
        except ServerGone:
            return  # nobody is left to hear it


def _not_found(params: Any) -> Any:
    raise Refuse(-32601, "Method not found.")


def frame(body: bytes) -> bytes:
    """A body with its header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def read_message(stream: IO[bytes]) -> Json | None:
    """The next message, None at the end. ValueError for anything that is not LSP: nothing else may come."""
    fields: dict[bytes, bytes] = {}
    while (line := stream.readline()) != b"\r\n":
        if not line and not fields:
            return None
        name, colon, value = line.partition(b": ")
        if not colon or not line.endswith(b"\r\n") or not name.startswith(b"Content-"):
            raise ValueError(f"not an LSP header: {line!r}")
        fields[name] = value
    body = stream.read(int(fields[b"Content-Length"]))
    message = json.loads(body)
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise ValueError(f"not a JSON-RPC message: {body[:200]!r}")
    return message


def _params(params: Any) -> Json:
    return {} if params is None else {"params": params}
