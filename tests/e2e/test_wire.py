"""The protocol ground, driven over real streams by a bare JSON-RPC client.

The server is tests/support/echo_server.py: our protocol, our transport, and a few commands without governance.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.wire import SILENCE, Refuse, Wire, frame

ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(ROOT)])}
COMMAND = [sys.executable, "-m", "tests.support.echo_server"]
URI = "file:///w/x.gp"
AT_0 = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


def start(stdin: str) -> Wire:
    """A server that reads a pipe, on the event loop, or a terminal, which only a thread can wait for."""
    if stdin == "pipe":
        return Wire.start(COMMAND, cwd=ROOT, env=ENV)
    import pty
    import tty

    ours, theirs = pty.openpty()
    tty.setraw(theirs)  # bytes as they are, without echo, signals or lines
    log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the wire
    process = subprocess.Popen(COMMAND, stdin=theirs, stdout=subprocess.PIPE, stderr=log, cwd=ROOT, env=ENV)
    os.close(theirs)
    assert process.stdout
    wire = Wire(process.stdout, os.fdopen(ours, "wb"), process)
    wire._log = log
    return wire


EITHER_READER = [
    "pipe",
    pytest.param("terminal", marks=pytest.mark.skipif(sys.platform == "win32", reason="no terminals of that kind")),
]


@pytest.fixture(params=EITHER_READER)
def fresh(request: pytest.FixtureRequest) -> Iterator[Wire]:
    """A server that was just started."""
    with start(request.param) as wire:
        yield wire


@pytest.fixture
def own(fresh: Wire) -> Wire:
    """A server that is initialized, for a test that ends it or leaves it changed."""
    assert "result" in fresh.initialize()
    return fresh


@pytest.fixture(scope="module", params=EITHER_READER)
def shared_wire(request: pytest.FixtureRequest) -> Iterator[Wire]:
    with start(request.param) as wire:
        wire.initialize()
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Iterator[Wire]:
    """The one server for all tests that leave it as it was: a start costs more than all they do."""
    yield shared_wire
    shared_wire.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    shared_wire.handlers.clear()


def code(response: dict[str, Any]) -> int:
    assert "error" in response, response
    assert "Traceback" not in json.dumps(response)
    return int(response["error"]["code"])


def open_document(wire: Wire, text: str) -> None:
    item = {"uri": URI, "languageId": "gp", "version": 1, "text": text}
    wire.notify("textDocument/didOpen", {"textDocument": item})


def text_of(wire: Wire) -> str:
    return str(wire.command("echo.text", {"uri": URI}, timeout=PATIENCE_S)["result"]["text"])


# -- a session by the book


def test_the_life_of_a_session(fresh: Wire) -> None:
    """Before `initialize` -32002, then everything, after `shutdown` -32600, and `exit` ends it with 0."""
    assert code(fresh.request("textDocument/hover", AT_0)) == -32002
    assert "executeCommandProvider" in fresh.initialize()["result"]["capabilities"]
    assert code(fresh.initialize()) == -32600
    assert code(fresh.request("foo/bar", {})) == -32601
    assert fresh.request("shutdown")["result"] is None
    assert code(fresh.request("textDocument/hover", AT_0)) == -32600
    fresh.notify("exit")
    assert fresh.wait() == 0


def test_exit_without_shutdown(own: Wire) -> None:
    """`exit` without `shutdown` ends the process with 1."""
    own.notify("exit")
    assert own.wait() == 1


@pytest.mark.parametrize(("polite", "exit_code"), [(True, 0), (False, 1)])
def test_the_stream_ends(own: Wire, polite: bool, exit_code: int) -> None:
    """When stdin ends the server leaves by itself; 0 if it was shut down before."""
    if polite:
        own.request("shutdown")
    assert own.close() == exit_code


def test_bad_messages_are_answered_and_survived(wire: Wire) -> None:
    """Bad params, bad JSON, batches, an old version: each gets its code, and the server goes on."""
    assert code(wire.request("textDocument/hover", {"nonsense": 1})) == -32602
    wire.notify("$/unknown", {"a": 1})
    wire.notify("foo/unknown", {})
    wire.notify("$/cancelRequest", {"id": 424242})
    wire.notify("textDocument/didOpen", {"textDocument": 5})
    for body, expected in ((b"{not json", -32700), (b"", -32700), (b"[{}]", -32600), (b"7", -32600)):
        wire.raw(frame(body))
        assert code(wire.answer(None)) == expected
    wire.send({"jsonrpc": "1.0", "id": 77, "method": "shutdown"})
    assert code(wire.answer(77)) == -32600
    assert code(wire.request("foo/bar", {})) == -32601
    assert wire.notifications("window/showMessage") == [], "nothing of this is the user's business"


def test_features_answer_for_any_position_and_file(wire: Wire) -> None:
    """Positions out of range and files that are not open are answered, not failed."""
    open_document(wire, "😀 TODO ä\n")
    far = {"textDocument": {"uri": URI}, "position": {"line": 999, "character": 999}}
    assert wire.request("textDocument/hover", far)["result"] is None
    assert wire.request("textDocument/hover", {**AT_0, "textDocument": {"uri": "file:///nope"}})["result"] is None
    inside = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 4}}
    assert wire.request("textDocument/hover", inside)["result"] == {"contents": "TODO"}
    answer = wire.command("echo.closed", {"uri": "file:///nope"})
    assert code(answer) == -32602
    assert "file:///nope is not open" in answer["error"]["message"]


# -- framing


def test_bytes_come_in_drops(wire: Wire) -> None:
    """A message that arrives in pieces of seven bytes, through the middle of its emoji, is read whole."""
    body = {"jsonrpc": "2.0", "id": 5, "method": "workspace/executeCommand"}
    body["params"] = {"command": "echo.same", "arguments": [{"a": "😀 é"}]}
    data = frame(json.dumps(body, ensure_ascii=False).encode())
    for place in range(0, len(data), 7):
        wire.raw(data[place : place + 7])
        time.sleep(0.0005)
    assert wire.answer(5)["result"] == {"a": "😀 é"}


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"Content-Type: x; charset=utf8\r\nCONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Length: %d\n\n",
    ],
)
def test_headers_in_other_dress(wire: Wire, header: bytes) -> None:
    """Header names in any case and order, and bare newlines, are understood."""
    body = b'{"jsonrpc": "2.0", "id": "x", "method": "foo/bar"}'
    wire.raw(header % len(body) + body)
    assert code(wire.answer("x")) == -32601


@pytest.mark.parametrize("data", [b"Hello: there\r\n\r\n{}", b"Content-Length: 300000000\r\n\r\n"])
def test_a_stream_that_can_not_be_followed(own: Wire, data: bytes) -> None:
    """A header without a usable length ends the server with 1, and the log says why."""
    own.raw(data)
    assert own.wait() == 1
    assert "Lost track of the client's messages" in own.log()


def test_large_messages(wire: Wire) -> None:
    """Ten megabytes go in and come out; a client that reads late loses nothing."""
    text = "é" * 5_000_000
    assert wire.command("echo.same", {"text": text}, timeout=PATIENCE_S)["result"]["text"] == text
    ids = [
        wire.ask("workspace/executeCommand", {"command": "echo.big", "arguments": [{"length": 400_000}]})
        for _ in range(20)
    ]
    assert [len(wire.answer(id_)["result"]) for id_ in ids] == [400_000] * 20


def test_only_lsp_on_stdout(wire: Wire) -> None:
    """What Python code, descriptor 1 or a child prints goes to stderr; a child that reads finds nothing."""
    assert wire.command("echo.prints")["result"] == 0
    assert wire.command("echo.same")["result"] == {}
    assert "this must not reach the client" in wire.log()
    assert wire.log().count("nor this") == 2


# -- documents


@pytest.mark.parametrize(
    ("encoding", "codec", "size"), [("utf-8", "utf-8", 1), ("utf-16", "utf-16-le", 2), ("utf-32", "utf-32-le", 4)]
)
def test_in_step_after_a_thousand_edits(fresh: Wire, encoding: str, codec: str, size: int) -> None:
    """After 1,000 pipelined incremental edits in the client's encoding the server has the client's text."""
    capabilities = {"general": {"positionEncodings": [encoding]}}
    agreed = fresh.initialize(capabilities=capabilities)["result"]["capabilities"]["positionEncoding"]
    assert agreed == encoding
    dice = random.Random(encoding)
    text = "😀 TODO ä\n\f x\r\n"
    open_document(fresh, text)

    def position(offset: int) -> dict[str, int]:
        before = text[:offset]
        ends = [found.end() for found in re.finditer(r"\r\n|\n|\r(?!\n)", before)]
        line = before[ends[-1] if ends else 0 :]
        return {"line": len(ends), "character": len(line.encode(codec)) // size}

    for version in range(2, 1002):
        places = [p for p in range(len(text) + 1) if text[max(0, p - 1) : p + 1] != "\r\n"]
        start = dice.choice(places)
        end = next((p for p in places if p >= start + dice.randrange(4)), len(text))
        new = dice.choice(["TODO", "😀", "\n", "x y", "", "é", "\r\n", "\u2028", "\f"])
        change = {"range": {"start": position(start), "end": position(end)}, "text": new}
        versioned = {"uri": URI, "version": version}
        fresh.notify("textDocument/didChange", {"textDocument": versioned, "contentChanges": [change]})
        text = text[:start] + new + text[end:]
    assert text_of(fresh) == text
    lenses = fresh.request("textDocument/codeLens", {"textDocument": {"uri": URI}})["result"]
    lines = re.split(r"\r\n|\n|\r", text)
    expected = [number for number, line in enumerate(lines) if re.search(r"\bTODO\b", line)]
    assert [lens["range"]["start"]["line"] for lens in lenses] == expected


def test_a_change_of_what_is_not_open(wire: Wire) -> None:
    """A change of a document that was never opened is ignored; the documents that are open are not touched."""
    open_document(wire, "a")
    stray = {"textDocument": {"uri": "file:///stray", "version": 2}, "contentChanges": [{"text": "b"}]}
    wire.notify("textDocument/didChange", stray)
    assert text_of(wire) == "a"
    assert wire.command("echo.text", {"uri": "file:///stray"})["result"] is None
    assert "never opened it" in wire.log()


def test_messages_are_handled_in_the_order_they_came(wire: Wire) -> None:
    """Of messages sent in one go, a command and a save see the document before the change that follows them."""
    open_document(wire, "before")
    command = {"command": "echo.text", "arguments": [{"uri": URI}]}
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": "after"}]}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": "r", "method": "workspace/executeCommand", "params": command},
        {"jsonrpc": "2.0", "method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}}},
        {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": change},
    ]
    wire.raw(b"".join(frame(json.dumps(message).encode()) for message in messages))
    assert wire.answer("r")["result"] == {"text": "before", "version": 1}
    assert wire.expect_notification("window/logMessage")["message"] == "saved before"
    assert text_of(wire) == "after"


# -- commands and failures


def test_commands(wire: Wire) -> None:
    """One object in, JSON out; a wrong command, a refused argument and a bug have a code and a sentence each."""
    odd = {"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {"deep": {"jsonrpc": "2.0"}}}
    assert wire.command("echo.same", odd)["result"] == odd
    for arguments in ({}, {"arguments": []}, {"arguments": [None]}):
        assert wire.request("workspace/executeCommand", {"command": "echo.same", **arguments})["result"] == {}
    assert code(wire.command("echo.nope")) == -32602
    assert wire.command("echo.invalid")["error"] == {"code": -32602, "message": "path: must not be empty."}
    broken = wire.command("echo.broken")
    assert code(broken) == -32603
    assert "secret" not in json.dumps(broken)
    assert "ZeroDivisionError: secret detail" in wire.log()
    assert code(wire.command("echo.unspeakable")) == -32603
    assert code(wire.request("textDocument/definition", AT_0)) == -32603, "in a thread, too"


def test_trouble_of_ours_is_one_sentence(own: Wire) -> None:
    """A failing save shows one guiding sentence, once; the detail is in the log."""
    for _ in range(3):
        own.notify("textDocument/didSave", {"textDocument": {"uri": "file:///fails"}})
    own.command("echo.same")
    assert [message["message"] for message in own.notifications("window/showMessage")] == [
        "echo hit a problem of its own and went on. The details are in its log."
    ]
    assert own.log().count("ValueError: secret detail") >= 3


def test_cancel(wire: Wire) -> None:
    """A cancelled request is answered with -32800 at once, and its command really stops."""
    id_ = wire.ask("workspace/executeCommand", {"command": "echo.sleep", "arguments": [{"seconds": 60}]})
    wire.command("echo.same")
    wire.notify("$/cancelRequest", {"id": id_})
    assert code(wire.answer(id_)) == -32800
    assert wire.expect_notification("window/logMessage")["message"] == "sleep was cancelled"


def test_shutdown_with_requests_in_flight(own: Wire) -> None:
    """`shutdown` under load answers everything: itself with null, the others with -32800 (#606)."""
    sleep = {"command": "echo.sleep", "arguments": [{"seconds": 60}]}
    ids = [own.ask("workspace/executeCommand", sleep) for _ in range(50)]
    assert own.request("shutdown")["result"] is None
    assert {code(own.answer(id_)) for id_ in ids} == {-32800}
    own.notify("exit")
    assert own.wait() == 0
    assert "RuntimeError" not in own.log()


def test_a_save_is_finished_before_the_end(own: Wire) -> None:
    """A save that is still being handled when the client says goodbye is handled to its end."""
    own.notify("textDocument/didSave", {"textDocument": {"uri": "file:///slow"}})
    assert own.shutdown() == 0
    assert own.expect_notification("window/logMessage")["message"] == "saved file:///slow"


def test_questions_end_in_four_ways(wire: Wire) -> None:
    """A question ends with an action, null, an error or silence; a late answer makes no noise (#621)."""
    wire.handlers["window/showMessageRequest"] = lambda params: {"title": "Yes"}
    assert wire.command("echo.ask", {"timeout": PATIENCE_S})["result"] == "Yes"
    wire.handlers["window/showMessageRequest"] = lambda params: None
    assert wire.command("echo.ask", {"timeout": PATIENCE_S})["result"] is None
    del wire.handlers["window/showMessageRequest"]
    assert "Method not found" in wire.command("echo.ask", {"timeout": PATIENCE_S})["result"]

    def refuse(params: Any) -> None:
        raise Refuse(-32603, "no human here")

    wire.handlers["window/showMessageRequest"] = refuse
    assert wire.command("echo.ask", {"timeout": PATIENCE_S})["result"] == "JsonRpcInternalError: no human here"
    wire.handlers["window/showMessageRequest"] = lambda params: SILENCE
    assert wire.command("echo.ask", {"timeout": 0.05})["result"] == "nobody"
    wire.send({"id": wire.asked[-1]["id"], "result": {"title": "Yes"}})
    wire.send({"id": "never asked", "result": None})
    assert wire.command("echo.same")["result"] == {}
    assert "InvalidStateError" not in wire.log()
    assert wire.notifications("window/showMessage") == []


def test_the_server_serves_while_a_question_is_open(own: Wire) -> None:
    """While one command waits for a person, others are answered; when the client leaves, it is over."""
    own.handlers["window/showMessageRequest"] = lambda params: SILENCE
    id_ = own.ask("workspace/executeCommand", {"command": "echo.ask", "arguments": [{"timeout": PATIENCE_S}]})
    assert own.command("echo.same")["result"] == {}
    assert own.close() == 1
    assert "The client is gone" in own.answer(id_)["result"]


# -- who is there


def test_the_server_leaves_with_its_client(tmp_path: Path) -> None:
    """A client whose process ended is gone, even if somebody else still holds its end of the pipe."""
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with Wire.start(COMMAND, cwd=ROOT, env=ENV) as wire:
        wire.initialize(processId=client.pid)
        time.sleep(0.4)
        assert wire.command("echo.same")["result"] == {}, "it stays while its client lives"
        client.communicate(b"\n")
        assert wire.wait() == 1
        assert "is gone" in wire.log()


def test_a_client_that_does_not_exist_here_is_not_watched(fresh: Wire) -> None:
    """A `processId` from another container is no reason to leave."""
    fresh.initialize(processId=2**22 + 1)
    time.sleep(0.4)
    assert fresh.command("echo.same")["result"] == {}


def test_a_client_that_stops_reading(tmp_path: Path) -> None:
    """A broken pipe while answers wait ends the server quietly, though stdin is still open."""
    big = {"command": "echo.big", "arguments": [{"length": 400_000}]}
    messages = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        *({"id": number, "method": "workspace/executeCommand", "params": big} for number in range(2, 5)),
    ]
    with (tmp_path / "log").open("w+b") as log:
        process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=ROOT, env=ENV
        )
        assert process.stdin and process.stdout
        process.stdin.write(b"".join(frame(json.dumps({"jsonrpc": "2.0", **m}).encode()) for m in messages))
        process.stdin.flush()
        assert process.stdout.read(1) == b"C"
        process.stdout.close()
        assert process.wait(PATIENCE_S) == 1
        process.stdin.close()
        log.seek(0)
        assert b"Traceback" not in log.read()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_ctrl_c(own: Wire) -> None:
    """An interrupt ends the server with its usual code and no traceback."""
    assert own.process is not None
    own.command("echo.same")
    own.process.send_signal(signal.SIGINT)
    assert own.wait() == 1
    assert "Traceback" not in own.log()


def test_a_file_as_stdin(tmp_path: Path) -> None:
    """A session recorded in a file can be played into the server."""
    messages = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"id": 2, "method": "workspace/executeCommand", "params": {"command": "echo.same", "arguments": [{"a": 1}]}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    ]
    session = tmp_path / "session"
    session.write_bytes(b"".join(frame(json.dumps({"jsonrpc": "2.0", **m}).encode()) for m in messages))
    with session.open("rb") as stdin, (tmp_path / "out").open("wb") as stdout:
        done = subprocess.run(COMMAND, stdin=stdin, stdout=stdout, cwd=ROOT, env=ENV, timeout=PATIENCE_S)
    assert done.returncode == 0
    assert b'{"jsonrpc":"2.0","id":2,"result":{"a":1}}' in (tmp_path / "out").read_bytes()


def free_port() -> int:
    """A port that nobody has, of those that no system gives to who asks for any: else it might, before it is used."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def test_tcp() -> None:
    """Over TCP one client is served, and the process ends with it."""
    port = free_port()
    process = subprocess.Popen(
        [*COMMAND, "--tcp", "127.0.0.1", str(port)], cwd=ROOT, env=ENV, stderr=subprocess.DEVNULL
    )
    with Wire.connect("127.0.0.1", port, process) as wire:
        wire.initialize()
        open_document(wire, "x" * 3_000_000)
        assert text_of(wire) == "x" * 3_000_000
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        assert wire.shutdown() == 0


def test_tcp_client_that_drops() -> None:
    """A TCP client that just closes its connection ends the server as well."""
    port = free_port()
    process = subprocess.Popen(
        [*COMMAND, "--tcp", "localhost", str(port)], cwd=ROOT, env=ENV, stderr=subprocess.DEVNULL
    )
    wire = Wire.connect("localhost", port, process)
    wire.initialize()
    wire.disconnect()
    assert wire.wait() == 1


def test_one_socket_for_both_directions() -> None:
    """A supervisor may hand over one socket as stdin and stdout (inetd and socat do)."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen(COMMAND, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, cwd=ROOT, env=ENV)
        theirs.close()
        wire = Wire(ours.makefile("rb"), ours.makefile("wb"), process)
        wire.initialize()
        assert wire.command("echo.big", {"length": 2_000_000})["result"] == "x" * 2_000_000
        assert wire.shutdown() == 0
