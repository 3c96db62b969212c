"""The first answer, given before the server is loaded: the same that the server gives, or none."""

from __future__ import annotations

import asyncio
import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intentls.faces.lsp.protocol.early_initialize import (
    EarlyAnswer,
    NotPlain,
    _answer_early,
    answer_early,
    early_result,
)
from intentls.faces.lsp.protocol.outgoing import CapabilityCheck
from intentls.faces.lsp.registry import create_connection

EDITORS = {
    path.stem: json.loads(path.read_text())["capabilities"]
    for path in (Path(__file__).parents[3] / "data" / "capabilities").glob("*.json")
}
PULLS_SOMEHOW = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": 1}}}
PLAIN: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
ODD = st.sampled_from(
    [None, True, False, 0, 1, -1, 1.5, "", "utf-8", [], ["utf-16"], ["x", "utf-32"], [5], {}, {"a": 1}]
).map(copy.deepcopy)


def body(params: Any, **more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params, **more}).encode()


def frame(data: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(data), data)


class Server:
    """The whole server, without a process: what it says, and whether it ended."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self.stops = 0
        self.connection = create_connection()
        self.connection.server.protocol.begin(self, self.stop)  # type: ignore[arg-type]

    def write(self, data: bytes) -> None:
        self.said.append(json.loads(data.partition(b"\r\n\r\n")[2]))

    def stop(self) -> None:
        self.stops += 1

    def hears(self, data: bytes) -> dict[str, Any]:
        """Its answer to one message."""

        async def converse() -> None:
            self.connection.server.protocol.receive(data)
            for _ in range(8):
                await asyncio.sleep(0)

        asyncio.run(converse())
        self.connection.close()
        return self.said[-1]


@pytest.mark.parametrize("name", EDITORS)
def test_the_first_answer_is_the_servers_own(name: str) -> None:
    """What real editors announce is answered at once, in the very words of the loaded server."""
    asked = body({**PLAIN, "capabilities": EDITORS[name]})
    id_, result = early_result(asked)
    assert Server().hears(asked) == {"jsonrpc": "2.0", "id": id_, "result": result}


@st.composite
def initializations(draw: st.DrawFn) -> Any:
    """Params of `initialize`, some with a value that does not belong where it is."""
    params = {**PLAIN, "capabilities": copy.deepcopy(draw(st.sampled_from([{}, *EDITORS.values()])))}
    extra = ("clientInfo", "trace", "workspaceFolders", "initializationOptions", "locale", "rootPath", "future")
    for key in draw(st.lists(st.sampled_from([*PLAIN, *extra]), max_size=2)):
        params[key] = draw(st.one_of(ODD, st.just({"name": "x"}), st.just([{"uri": "file:///w", "name": "w"}])))
    for key in draw(st.lists(st.sampled_from(sorted(PLAIN)), max_size=1)):
        if draw(st.booleans()):
            del params[key]
    inside = params.get("capabilities")
    for _ in range(draw(st.integers(0, 3))):
        place = inside
        while isinstance(place, dict) and place and draw(st.integers(0, 4)):
            key = draw(st.sampled_from(sorted(place)))
            if not isinstance(place[key], dict):
                place[key] = draw(ODD)
            place = place[key]
        if isinstance(place, dict):
            decisive = ("general", "positionEncodings", "textDocument", "diagnostic", "workspace", "diagnostics")
            place[draw(st.sampled_from([*decisive, "refreshSupport", "synchronization"]))] = draw(ODD)
    return params


@settings(deadline=None, max_examples=100)
@given(initializations())
def test_nothing_is_promised_that_the_server_would_not_say(params: Any) -> None:
    """Whatever a client sends: if it is answered at once, the server's own answer is the same."""
    asked = body(params)
    try:
        id_, result = early_result(asked)
    except NotPlain:
        return
    assert Server().hears(asked) == {"jsonrpc": "2.0", "id": id_, "result": result}


@pytest.mark.parametrize(
    "asked",
    [
        b"{not json",
        b"\xff",
        b"[" * 100_000,
        b"[]",
        body(PLAIN, jsonrpc="1.0"),
        body(PLAIN, id=True),
        body(PLAIN, id=None),
        body(PLAIN, method="shutdown"),
        body([]),
        body({"processId": None, "rootUri": None}),
        body({**PLAIN, "processId": "1"}),
        body({**PLAIN, "processId": 2**31}),
        body({**PLAIN, "trace": "loud"}),
        body({**PLAIN, "clientInfo": {"version": "1"}}),
        body({**PLAIN, "workspaceFolders": [{"uri": 1, "name": "a"}]}),
        body({**PLAIN, "workspaceFolders": ["file:///w"]}),
        body({**PLAIN, "unheardOf": 1}),
        body({**PLAIN, "initializationOptions": [float("nan")]}),
        body({**PLAIN, "capabilities": {"general": {"positionEncodings": "utf-8"}}}),
        body({**PLAIN, "capabilities": {"general": 5}}),
        body(
            {
                **PLAIN,
                "capabilities": {
                    "textDocument": {"diagnostic": {}},
                    "workspace": {"diagnostics": {"refreshSupport": 1}},
                },
            }
        ),
    ],
)
def test_what_is_not_plain_is_left_to_the_server(asked: bytes) -> None:
    """A message with anything unusual is not answered before the server has looked at it."""
    with pytest.raises(NotPlain):
        early_result(asked)


def answered(*chunks: bytes) -> tuple[EarlyAnswer, bytes]:
    """The early answer to a client that sends these bytes and then nothing more, and the bytes it was sent."""
    (read_fd, client_out), (client_in, write_fd) = os.pipe(), os.pipe()
    try:
        for chunk in chunks:
            os.write(client_out, chunk)
        os.close(client_out)
        early = _answer_early(read_fd, write_fd)
    finally:
        os.close(write_fd)
        os.close(read_fd)
    with open(client_in, "rb") as answers:
        return early, answers.read()


def test_all_that_was_read_is_handed_on() -> None:
    """Messages that came with the first one are not lost; the answer is one whole message."""
    data = frame(body(PLAIN)) + frame(b'{"jsonrpc":"2.0","method":"initialized"}') + b"Content-Le"
    early, answer = answered(data[:30], data[30:])
    assert (early.data, early.id) == (data, 1)
    assert answer.startswith(b"Content-Length: ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2]) == {"jsonrpc": "2.0", "id": 1, "result": early.result}


@pytest.mark.parametrize(
    "data",
    [b"", b"Content-Length: 99\r\n\r\n{", b"nonsense\r\n\r\n", frame(b"{}"), b"Content-Length: 5000000\r\n\r\n"],
    ids=["nothing", "half a message", "no message", "another message", "a huge message"],
)
def test_a_stream_that_begins_otherwise_is_handed_on_unanswered(data: bytes) -> None:
    """The server meets what was read, and nothing was said in its name."""
    assert answered(data) == (EarlyAnswer(data), b"")


def test_a_client_that_is_gone_gets_no_answer() -> None:
    """A stream that can't be written is the server's to deal with."""
    (read_fd, client_out), (client_in, write_fd) = os.pipe(), os.pipe()
    os.close(client_in)
    data = frame(body(PLAIN))
    os.write(client_out, data)
    os.close(client_out)
    assert _answer_early(read_fd, write_fd) == EarlyAnswer(data)
    os.close(read_fd)
    os.close(write_fd)


def test_an_interrupt_before_the_first_message_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in a server that waits for a client: its usual code, no traceback."""

    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "read", interrupted)
    with pytest.raises(SystemExit) as end:
        answer_early.__wrapped__()
    assert end.value.code == 1


def test_the_client_is_answered_once() -> None:
    """The server handles the message that was answered, says nothing again, and answers the next under that id."""
    server, asked = Server(), body(PLAIN)
    id_, result = early_result(asked)
    server.connection.server.protocol.capability_check = CapabilityCheck(id_, result, server.stop)

    async def converse() -> None:
        for data in (asked, body(None, method="no/such")):
            server.connection.server.protocol.receive(data)
            for _ in range(8):
                await asyncio.sleep(0)

    asyncio.run(converse())
    server.connection.close()
    assert [(said["id"], said["error"]["code"], server.stops) for said in server.said] == [(1, -32601, 0)]


@pytest.mark.parametrize("asked", [body({"processId": "x"}), body({**PLAIN, "capabilities": EDITORS["vscode"]})])
def test_a_promise_that_can_not_be_kept_ends_the_server(asked: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """A client that was told another offer, or that all is well when it is not, must not go on with this server."""
    server = Server()
    server.connection.server.protocol.capability_check = CapabilityCheck(1, early_result(body(PLAIN))[1], server.stop)
    server.said.append({"nothing": "said"})
    assert server.hears(asked) == {"nothing": "said"}
    assert server.stops == 1
    assert server.connection.server.protocol.code_of_leaving() == 1
    assert "can't be kept" in caplog.text
