"""Which roots' questions a connection shows, while their `.orchestration` comes and goes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from intentls.faces.lsp.registry import create_connection
from tests.support.patience import eventually_in_loop
from tests.support.session import ASKING

pytestmark = pytest.mark.usefixtures("each_store")


class Wire:
    """Where a connection without a process writes."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data.partition(b"\r\n\r\n")[2]))


async def test_an_answered_question_of_its_own_is_not_shown_as_anothers(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes until the open questions are read again."""
    connection, wire = create_connection(), Wire()
    protocol = connection.server.protocol
    protocol.begin(wire, lambda: None)  # type: ignore[arg-type]

    def send(method: str, params: dict[str, Any], **more: Any) -> None:
        protocol.receive(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode())

    def lists() -> list[list[dict[str, Any]]]:
        told = (one["params"] for one in wire.messages if one.get("method") == "intentls/questions")
        return [one["questions"] for one in told]

    def has_answer(number: int) -> bool:
        return any(one.get("id") == number and "result" in one for one in wire.messages)

    options = {"questions": True}
    root = {"processId": None, "rootUri": workspace.as_uri()}
    send("initialize", {**root, "capabilities": {}, "initializationOptions": options}, id=1)
    send("initialized", {})
    select = {"command": "intent.selectActiveIntent", "arguments": [{"intent_id": "INT-001"}]}
    write = {"command": "intent.writeToFile", "arguments": [{"path": "docs/design.md", "content": "# Plan\n"}]}
    try:
        send("workspace/executeCommand", select, id=2)
        await eventually_in_loop(lambda: has_answer(2))
        send("workspace/executeCommand", write, id=3)
        await eventually_in_loop(lambda: bool(lists()))
        await connection.questions._look()
        monkeypatch.setattr(connection.questions, "_read", lambda: None)
        await connection.questions.answer(lists()[-1][0]["id"], "Approve")
        await eventually_in_loop(lambda: has_answer(3))
        await eventually_in_loop(lambda: lists()[-1] == [])
        assert [[one["own"] for one in shown] for shown in lists()] == [[True], []]
    finally:
        connection.questions.stop()
        connection.close()


async def test_a_root_whose_intents_were_away_is_listened_to_again(workspace: Path, tmp_path: Path) -> None:
    """Meanwhile the connection does not make the folder itself."""
    connection, wire = create_connection(), Wire()
    connection.server.protocol.begin(wire, lambda: None)  # type: ignore[arg-type]
    params = {"processId": None, "rootUri": workspace.as_uri(), "capabilities": ASKING}
    for message in ({"id": 1, "method": "initialize", "params": params}, {"method": "initialized", "params": {}}):
        connection.server.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())
    listeners = workspace / ".orchestration/.state/listeners"
    try:
        await eventually_in_loop(lambda: listeners.is_dir() and any(listeners.glob("*.json")))
        await eventually_in_loop(lambda: connection.questions.follows(workspace))
        (workspace / ".orchestration").rename(tmp_path / "away")
        connection.refresh_editor()
        await eventually_in_loop(lambda: not connection.questions.follows(workspace))
        assert not (workspace / ".orchestration").exists()
        shutil.copytree(tmp_path / "away", workspace / ".orchestration", ignore=shutil.ignore_patterns(".state"))
        connection.refresh_editor()
        await eventually_in_loop(lambda: connection.questions.follows(workspace))
        assert any(listeners.glob("*.json"))
    finally:
        connection.questions.stop()
        connection.close()
