"""The protocol by itself: bytes in, messages out, no process and no stream."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound, JsonRpcRequestCancelled

from intentls.core.errors import InvalidInput, StoreError
from intentls.faces.lsp.protocol.command_table import progress_token
from intentls.faces.lsp.protocol.outgoing import _settle
from intentls.faces.lsp.protocol.protocol import Phase
from intentls.faces.lsp.protocol.serve import Server
from tests.support.patience import PATIENCE_S

URI = "file:///w/a.py"
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


class Client:
    """The other end: what it was sent, and what it says."""

    def __init__(self, *commands: Callable[..., Any]) -> None:
        self.server = Server("ours", "1.0", {f"c.{c.__name__}": c for c in commands})
        self.protocol = self.server.protocol
        self.sent: list[dict[str, Any]] = []
        self.stops = 0
        self.protocol.begin(self, self.stop)  # type: ignore[arg-type]

    def write(self, data: bytes) -> None:
        header, _, body = data.partition(b"\r\n\r\n")
        assert header == b"Content-Length: %d" % len(body)
        self.sent.append(json.loads(body))

    def stop(self) -> None:
        self.stops += 1

    async def says(self, **message: Any) -> list[dict[str, Any]]:
        """Sends a message and gives everything that came back once things are quiet."""
        before = len(self.sent)
        self.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())
        for _ in range(8):
            await asyncio.sleep(0)
        return self.sent[before:]

    async def asks(self, method: str, params: Any = None, id_: Any = 1) -> dict[str, Any]:
        (answer,) = await self.says(id=id_, method=method, **({} if params is None else {"params": params}))
        assert answer.pop("jsonrpc") == "2.0" and answer.pop("id") == id_
        return answer

    async def commands(self, name: str, **argument: Any) -> dict[str, Any]:
        return await self.asks("workspace/executeCommand", {"command": f"c.{name}", "arguments": [argument]})


async def running(*commands: Callable[..., Any]) -> Client:
    client = Client(*commands)
    assert "result" in await client.asks("initialize", INITIALIZE)
    assert await client.says(method="initialized", params={}) == []
    return client


def code(answer: dict[str, Any]) -> int:
    assert set(answer) == {"error"}, answer
    assert answer["error"]["message"].endswith(".")
    assert "Traceback" not in json.dumps(answer)
    return int(answer["error"]["code"])


# -- whose turn it is


async def test_before_initialize() -> None:
    """Before `initialize` a request is -32002 and a notification is dropped."""
    client = Client()
    assert code(await client.asks("textDocument/hover", {})) == -32002
    assert code(await client.asks("shutdown")) == -32002
    assert code(await client.asks("workspace/executeCommand", {"command": "c.x"})) == -32002
    item = {"uri": URI, "languageId": "x", "version": 1, "text": ""}
    assert await client.says(method="textDocument/didOpen", params={"textDocument": item}) == []
    await client.asks("initialize", INITIALIZE)
    assert client.protocol.workspace.open_document(URI) is None


async def test_initialize_only_once() -> None:
    """A second `initialize` is -32600 and changes nothing."""
    client = await running()
    before = client.protocol.workspace
    assert code(await client.asks("initialize", INITIALIZE)) == -32600
    assert client.protocol.workspace is before


async def test_a_bad_initialize_may_be_repeated() -> None:
    """After an `initialize` that could not be read, or whose handler failed, a good one is welcome."""
    client = Client()
    assert code(await client.asks("initialize", {})) == -32602
    fail = True
    folders: list[list[str]] = []

    @client.server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        folders.append(list(ls.workspace.folders))
        if fail:
            raise InvalidInput("not now.")

    assert code(await client.asks("initialize", INITIALIZE)) == -32602
    fail = False
    folder = {"uri": "file:///w", "name": "w"}
    assert "result" in await client.asks("initialize", {**INITIALIZE, "workspaceFolders": [folder]})
    assert folders == [[], ["file:///w"]]


async def test_initialize_of_a_newer_client(caplog: pytest.LogCaptureFixture) -> None:
    """A capability with a value of a later LSP is ignored; the rest of the client's capabilities counts."""
    client = Client()
    capabilities = {
        "general": {"positionEncodings": ["utf-8"]},
        "textDocument": {"documentSymbol": {"symbolKind": {"valueSet": [1, 99]}}},
    }
    result = (await client.asks("initialize", {**INITIALIZE, "capabilities": capabilities}))["result"]
    assert result["capabilities"]["positionEncoding"] == "utf-8"
    assert "symbolKind.valueSet[1]" in caplog.text


async def test_after_shutdown() -> None:
    """After `shutdown` requests, another `shutdown` too, are -32600 and notifications are dropped."""
    client = await running()
    assert await client.asks("shutdown") == {"result": None}
    assert code(await client.asks("shutdown")) == -32600
    assert code(await client.asks("textDocument/hover", {})) == -32600
    assert code(await client.asks("initialize", INITIALIZE)) == -32600
    assert await client.says(method="textDocument/didSave", params={"nonsense": 1}) == []
    assert client.protocol.phase is Phase.SHUT_DOWN


@pytest.mark.parametrize(("polite", "exit_code"), [(True, 0), (False, 1)])
async def test_exit(polite: bool, exit_code: int) -> None:
    """`exit` stops the conversation, with 0 after `shutdown` and 1 without."""
    client = await running()
    seen = []
    client.server.feature(types.EXIT)(lambda *args: seen.append("exit"))
    client.server.feature(types.SHUTDOWN)(lambda *args: seen.append("shutdown"))
    if polite:
        await client.asks("shutdown", {})
    assert await client.says(method="exit", params={"odd": 1}) == []
    assert (client.protocol.exit_code, client.stops) == (exit_code, 1)
    assert seen == (["shutdown", "exit"] if polite else ["exit"])


async def test_exit_before_initialize() -> None:
    """`exit` is heard even before `initialize`."""
    client = Client()
    await client.says(method="exit")
    assert client.protocol.exit_code == 1


# -- bad messages


async def test_bad_params_of_a_request() -> None:
    """A known request with bad params is -32602 with a sentence that names them (pygls never answers)."""
    client = await running()
    client.server.feature(types.TEXT_DOCUMENT_HOVER)(lambda params: None)
    answer = await client.asks("textDocument/hover", {"nonsense": 1})
    assert code(answer) == -32602
    assert "`params.textDocument` is missing" in answer["error"]["message"]
    for params in ([], 5, "x", [1]):
        assert code(await client.asks("textDocument/hover", params)) == -32602
    assert code(await client.asks("textDocument/hover")) == -32602


async def test_a_bad_notification(caplog: pytest.LogCaptureFixture) -> None:
    """A bad notification is a line in the log, nothing the user sees; an unknown one less than that."""
    client = await running()
    assert await client.says(method="textDocument/didOpen", params={"textDocument": 5}) == []
    assert await client.says(method="textDocument/didOpen", params=[1]) == []
    assert "Bad params of textDocument/didOpen" in caplog.text
    for method in ("$/unknown", "unknown", "$/cancelRequest"):
        assert await client.says(method=method, params={"a": 1}) == []
    assert await client.says(method="$/cancelRequest", params={"id": 424242}) == []


async def test_an_unknown_request() -> None:
    """An unknown request is -32601 and names the method, whatever its params are."""
    client = await running()
    for method in ("foo/bar", "$/foo"):
        answer = await client.says(id="x", method=method, params={"type_name": 5})
        assert answer[0]["error"]["code"] == -32601
        assert method in answer[0]["error"]["message"]


async def test_what_is_no_message_is_answered_under_null() -> None:
    """Bytes that are no JSON, batches and worse get their code, and the server goes on."""
    client = await running()
    for body, expected in ((b"{not json", -32700), (b"[]", -32600), (b"7", -32600), (b"{}", -32600)):
        client.protocol.receive(body)
        assert client.sent[-1]["id"] is None
        assert client.sent[-1]["error"]["code"] == expected
    assert await client.asks("shutdown") == {"result": None}


# -- what handlers do


async def test_a_handler_that_fails(caplog: pytest.LogCaptureFixture) -> None:
    """A failing handler is -32603 with one sentence; the traceback is in the log and nowhere else."""
    client = await running()

    def sync(params: Any) -> None:
        raise ZeroDivisionError("secret")

    async def later(params: Any) -> None:
        raise KeyError("secret")

    client.server.feature(types.TEXT_DOCUMENT_CODE_LENS)(sync)
    client.server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(later)
    for method in ("textDocument/codeLens", "textDocument/documentSymbol"):
        answer = await client.asks(method, {"textDocument": {"uri": URI}})
        assert code(answer) == -32603
        assert f"ours failed at {method}" in answer["error"]["message"]
        assert "secret" not in json.dumps(answer)
    assert "ZeroDivisionError: secret" in caplog.text and "Traceback" in caplog.text
    assert all("method" not in message for message in client.sent), "no pop-up: the client has its answer"


async def test_errors_raised_on_purpose_keep_their_words() -> None:
    """`InvalidInput` is -32602 and other errors of ours -32603, each with its own sentence; pygls's keep all."""
    errors: list[Exception] = [
        InvalidInput("path: must not be empty."),
        StoreError("The disk is full."),
        JsonRpcException("Changed meanwhile.", code=-32801, data={"version": 3}),
    ]

    async def fails(params: dict[str, Any]) -> None:
        raise errors[params["which"]]

    client = await running(fails)
    answers = [(await client.commands("fails", which=which))["error"] for which in range(3)]
    assert answers == [
        {"code": -32602, "message": "path: must not be empty."},
        {"code": -32603, "message": "The disk is full."},
        {"code": -32801, "message": "Changed meanwhile.", "data": {"version": 3}},
    ]


async def test_a_result_that_is_no_json() -> None:
    """A result that can't be sent is -32603, so that nobody waits for ever."""

    async def odd(params: dict[str, Any]) -> Any:
        return {"a": [object()]}

    client = await running(odd)
    assert code(await client.commands("odd")) == -32603


async def test_trouble_outside_of_requests_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """A failing notification handler: all of it in the log, one guiding sentence to the user, and only once."""
    client = await running()

    def did_save(params: Any) -> None:
        raise ZeroDivisionError("secret")

    client.server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    save = {"method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}}}
    (message,) = await client.says(**save)
    assert message["method"] == "window/showMessage"
    assert message["params"]["message"] == "ours hit a problem of its own and went on. The details are in its log."
    assert await client.says(**save) == []
    assert caplog.text.count("The handler of textDocument/didSave failed.") == 2
    assert "ZeroDivisionError: secret" in caplog.text


async def test_finished_handlers_leave_nothing_behind() -> None:
    """Nothing is kept of a message that was handled (pygls keeps a future for every keystroke)."""

    async def quick(params: dict[str, Any]) -> None:
        return None

    client = await running(quick)

    async def did_save(params: Any) -> None:
        await asyncio.sleep(0)

    client.server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    for number in range(20):
        item = {"uri": URI, "languageId": "x", "version": number, "text": ""}
        await client.says(method="textDocument/didOpen", params={"textDocument": item})
        await client.says(method="textDocument/didSave", params={"textDocument": {"uri": URI}})
        await client.commands("quick")
    assert client.protocol._request_futures == {}
    assert client.protocol._open_requests == set()
    assert client.protocol._pending == {}


# -- commands


async def test_commands_are_advertised_in_order() -> None:
    """The capabilities list the commands in the table's order."""

    async def zebra(params: dict[str, Any]) -> None: ...

    async def ant(params: dict[str, Any]) -> None: ...

    client = Client(zebra, ant)
    result = (await client.asks("initialize", INITIALIZE))["result"]
    assert result["capabilities"]["executeCommandProvider"] == {"commands": ["c.zebra", "c.ant"]}
    assert result["serverInfo"] == {"name": "ours", "version": "1.0"}


async def test_a_command_gets_its_object_as_parsed() -> None:
    """The argument arrives as it was sent, also where it looks like a message (pygls never answers that)."""

    async def same(params: dict[str, Any]) -> Any:
        return params

    client = await running(same)
    argument = {"nested": {"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": 5}, "n": None}
    assert await client.commands("same", **argument) == {"result": argument}


async def test_bad_commands() -> None:
    """An unknown command and a wrong form of arguments are -32602."""

    async def same(params: dict[str, Any]) -> Any:
        return params

    client = await running(same)
    answer = await client.commands("unknown")
    assert code(answer) == -32602 and "'c.unknown'" in answer["error"]["message"]
    for params in (None, {}, [], {"command": 1}, {"command": "c.same", "arguments": [1]}):
        assert code(await client.asks("workspace/executeCommand", params)) == -32602


async def test_a_command_knows_its_progress_token() -> None:
    """The client's progress token is there inside the command that it came with, and only there."""

    async def token(params: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        return progress_token.get()

    client = await running(token)
    params = {"command": "c.token", "workDoneToken": "t-1"}
    assert await client.asks("workspace/executeCommand", params) == {"result": "t-1"}
    assert await client.commands("token") == {"result": None}


async def test_a_cancelled_command_stops() -> None:
    """A cancel is answered with -32800 and reaches the coroutine (pygls lets it run on)."""
    seen = []

    async def slow(params: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    client = await running(slow)
    assert await client.says(id="s", method="workspace/executeCommand", params={"command": "c.slow"}) == []
    (answer,) = await client.says(method="$/cancelRequest", params={"id": "s"})
    assert (answer["id"], answer["error"]["code"]) == ("s", -32800)
    assert seen == ["cancelled"]
    assert await client.says(method="$/cancelRequest", params={"id": "s"}) == []


async def test_shutdown_cancels_requests_and_lets_saves_finish() -> None:
    """`shutdown` with work under way raises nothing (#606): requests are -32800, notifications run on."""
    saved = asyncio.Event()
    finished = []

    async def slow(params: dict[str, Any]) -> None:
        await asyncio.sleep(60)

    client = await running(slow)

    async def did_save(params: Any) -> None:
        await saved.wait()
        finished.append("saved")

    client.server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    await client.says(method="textDocument/didSave", params={"textDocument": {"uri": URI}})
    for number in range(20):
        command = {"command": "c.slow"}
        await client.says(id=f"s{number}", method="workspace/executeCommand", params=command)
    answers = await client.says(id="end", method="shutdown")
    assert answers[0] == {"jsonrpc": "2.0", "id": "end", "result": None}
    assert {answer["id"]: answer["error"]["code"] for answer in answers[1:]} == {f"s{n}": -32800 for n in range(20)}
    saved.set()
    await client.protocol.settle(PATIENCE_S)
    assert finished == ["saved"]


async def test_settling_gives_up_after_its_time() -> None:
    """A handler that never ends does not keep the server for ever; with none there is nothing to wait for."""

    async def stuck(params: dict[str, Any]) -> None:
        await asyncio.sleep(60)

    client = await running(stuck)
    await client.protocol.settle(PATIENCE_S)
    await client.says(id=1, method="workspace/executeCommand", params={"command": "c.stuck"})
    await client.protocol.settle(0.01)
    assert set(client.protocol._request_futures) == {1}
    await client.says(method="$/cancelRequest", params={"id": 1})


# -- questions to the client


def question(client: Client) -> asyncio.Future[Any]:
    params = types.ShowMessageRequestParams(types.MessageType.Info, "Yes?", [types.MessageActionItem("Yes")])
    return asyncio.ensure_future(client.server.window_show_message_request_async(params))


async def asked(client: Client) -> tuple[str, asyncio.Future[Any]]:
    future = question(client)
    await asyncio.sleep(0)
    assert client.sent[-1]["method"] == "window/showMessageRequest"
    return client.sent[-1]["id"], future


async def test_a_question_and_its_answers() -> None:
    """An action, null, no result at all, an error: each comes back to the one who asked."""
    client = await running()
    id_, future = await asked(client)
    await client.says(id=id_, result={"title": "Yes"})
    assert (await future).title == "Yes"
    for nothing in ({"result": None}, {}):
        id_, future = await asked(client)
        await client.says(id=id_, **nothing)
        assert await future is None
    id_, future = await asked(client)
    await client.says(id=id_, error={"code": -32601, "message": "No such thing."})
    with pytest.raises(JsonRpcMethodNotFound, match="No such thing"):
        await future
    id_, future = await asked(client)
    await client.says(id=id_, error="odd")
    with pytest.raises(JsonRpcException, match="gave no reason"):
        await future


async def test_an_answer_that_can_not_be_read() -> None:
    """A result of the wrong form is an error to the one who asked (pygls leaves him waiting for ever)."""
    client = await running()
    id_, future = await asked(client)
    await client.says(id=id_, result={"nonsense": 1})
    with pytest.raises(JsonRpcException, match="window/showMessageRequest is not what LSP says"):
        await asyncio.wait_for(future, PATIENCE_S)


async def test_an_answer_that_comes_too_late(caplog: pytest.LogCaptureFixture) -> None:
    """An answer after we gave up, a second one, and one to nothing are ignored without a word (#621)."""
    caplog.set_level(logging.INFO)
    client = await running()
    id_, future = await asked(client)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await future
    assert client.protocol._pending == {}
    for late in ({"result": {"title": "Yes"}}, {"error": {"code": 1, "message": "x"}}):
        assert await client.says(id=id_, **late) == []
    for odd in ("nobody", 1, None, [1], {"a": 1}, True):
        assert await client.says(id=odd, result=5) == []
    assert "failed" not in caplog.text and "Traceback" not in caplog.text


def test_an_answer_that_races_with_giving_up() -> None:
    """An answer that arrives in the very moment in which a thread gives up is ignored as well (#621)."""
    given_up: Future[Any] = Future()
    given_up.cancel()
    _settle(given_up, result="late")
    _settle(given_up, error=ValueError("late"))
    assert given_up.cancelled()


async def test_answers_are_heard_after_shutdown() -> None:
    """An answer that arrives after `shutdown` still reaches the one who asked (#605)."""
    client = await running()
    id_, future = await asked(client)
    await client.asks("shutdown")
    await client.says(id=id_, result={"title": "Yes"})
    assert (await future).title == "Yes"


async def test_a_client_that_left_answers_nothing() -> None:
    """When the client is gone, open questions fail at once and so do later ones."""
    client = await running()
    _, future = await asked(client)
    client.protocol.client_gone()
    with pytest.raises(JsonRpcException, match="The client is gone"):
        await asyncio.wait_for(future, PATIENCE_S)
    sent = len(client.sent)
    with pytest.raises(JsonRpcException, match="The client is gone"):
        await asyncio.wait_for(question(client), PATIENCE_S)
    assert len(client.sent) == sent


async def test_a_client_can_not_answer_its_own_request() -> None:
    """A response under the id of a request of the client touches nothing: ids of each side are apart."""

    async def slow(params: dict[str, Any]) -> str:
        await asyncio.sleep(0.05)
        return "done"

    client = await running(slow)
    await client.says(id=9, method="workspace/executeCommand", params={"command": "c.slow"})
    assert await client.says(id=9, result="forged") == []
    await client.protocol.settle(PATIENCE_S)
    await asyncio.sleep(0)
    assert client.sent[-1] == {"jsonrpc": "2.0", "id": 9, "result": "done"}


async def test_callbacks_get_results_only() -> None:
    """A callback is called with a result; an error or a cancel is for who holds the future."""
    client = await running()
    got: list[Any] = []
    params = types.ConfigurationParams([])
    first = client.protocol.send_request("workspace/configuration", params, got.append, msg_id="a")
    await client.says(id="a", result=[1])
    second = client.protocol.send_request("workspace/configuration", params, got.append, msg_id="b")
    await client.says(id="b", error={"code": -32800, "message": "no"})
    client.protocol.send_request("workspace/configuration", params, got.append).cancel()
    assert got == [(1,)] and first.result() == (1,)
    assert isinstance(second.exception(), JsonRpcRequestCancelled)


async def test_a_method_of_our_own() -> None:
    """A method that lsprotocol does not know: params as parsed in, and as given out."""
    client = await running()
    client.server.feature("ours/twice")(lambda params: {"twice": params["n"] * 2})
    assert await client.asks("ours/twice", {"n": 2}) == {"result": {"twice": 4}}
    future = client.protocol.send_request("ours/ask", {"at": types.Position(1, 2)}, msg_id="q")
    assert client.sent[-1]["params"] == {"at": {"line": 1, "character": 2}}
    await client.says(id="q", result={"any": ["thing"]})
    assert future.result() == {"any": ["thing"]}


async def test_nobody_is_connected(caplog: pytest.LogCaptureFixture) -> None:
    """A message before anybody is there is dropped with a line in the log."""
    server = Server("ours", "1.0", {})
    server.window_log_message(types.LogMessageParams(types.MessageType.Log, "hello"))
    assert "nobody is connected" in caplog.text
