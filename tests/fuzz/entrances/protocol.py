"""Bytes from a client: the whole server in this process, with a reader and a writer of ours."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Any

from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.framing import Frames, FramingError
from intentls.faces.lsp.registry import create_connection
from tests.fuzz.bounded import bounded

INITIALIZE = {"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": {"processId": None, "capabilities": {}}}


class _Writer:
    """Keeps what the server sends; fails on anything that is not exactly one framed message."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        header, _, body = data.partition(b"\r\n\r\n")
        assert header == b"Content-Length: %d" % len(body), header
        message = json.loads(body)
        assert message["jsonrpc"] == "2.0"
        assert "Traceback" not in body.decode("utf-8", "replace")
        self.sent.append(message)

    def close(self) -> None:
        """Nothing to close."""

    async def flush(self, timeout_s: float) -> None:
        """Nothing waits."""


def stream(data: bytes, chunk: int = 1 << 16) -> None:
    """Any bytes on the stream: messages come out or the stream is given up, and every request is answered once."""
    chunks = [data[start : start + chunk] for start in range(0, len(data), chunk)]
    asyncio.run(_converse(chunks))


def bodies(given: Sequence[object], *, initialize: bool = True) -> None:
    """Any JSON values as messages, framed properly."""
    stream(b"".join(framed(value) for value in ([INITIALIZE] if initialize else []) + list(given)))


def framed(value: object) -> bytes:
    """A message as it comes over the stream."""
    body = json.dumps(value).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


async def _converse(chunks: list[bytes]) -> None:
    logging.getLogger("intentls").setLevel(logging.CRITICAL)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    connection, writer = create_connection(), _Writer()
    protocol = connection.server.protocol
    loop = asyncio.get_running_loop()
    failures: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: failures.append(context))
    frames, asked = Frames(), Counter[object]()
    protocol.begin(writer, lambda: None)
    try:
        with bounded("following the stream"):
            for chunk in chunks:
                frames.feed(chunk)
                for body in iter(frames.next, None):
                    asked.update(_answers_due(body))
                    protocol.receive(body)
                    await asyncio.sleep(0)
            frames.finish()
    except FramingError as lost:
        assert str(lost)
    protocol.client_gone()
    await protocol.settle(10)
    for _ in range(1_000):  # of two requests with one id, the first ends by itself, perhaps later on a busy machine
        await asyncio.sleep(0)
        if sum("method" not in message for message in writer.sent) >= asked.total():
            break
        await asyncio.sleep(0.01)
    connection.close()
    connection.server.shutdown()  # type: ignore[no-untyped-call]
    assert not failures, failures
    answers = Counter(message["id"] for message in writer.sent if "method" not in message)
    assert answers == asked, (answers, asked, writer.sent)


def _answers_due(body: bytes) -> list[object]:
    """The id under which this message must be answered, exactly once; None where it can't have one."""
    try:
        message = jsonrpc.parse(body)
    except jsonrpc.Rejected as rejected:
        return [rejected.id]
    return [message.id] if isinstance(message, jsonrpc.Request) else []
