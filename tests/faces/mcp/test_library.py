"""Resources and the prompt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import types
from mcp.shared.exceptions import MCPError

from intentls.core.errors import StoreError
from intentls.faces.mcp import resources
from tests.faces.mcp.conftest import LEGACY, MODERN, Agent, agent
from tests.support.session import ledger_of
from tests.support.workspaces import intents_yaml, make_workspace

ERAS = pytest.mark.parametrize("mode", [LEGACY, MODERN])


async def _text(connected: Agent, uri: str) -> str:
    (content,) = (await connected.client.read_resource(uri, cache_mode="bypass")).contents
    assert isinstance(content, types.TextResourceContents)
    assert content.uri == uri
    return content.text


@ERAS
async def test_intents_and_lessons_are_resources(workspace: Path, mode: str) -> None:
    """The intents, each by itself, and the lessons can be read without a tool; reading checks nothing out."""
    async with agent(workspace, mode=mode) as connected:
        listed = (await connected.client.list_resources()).resources
        assert [resource.uri for resource in listed] == [
            "intentls://intents",
            "intentls://lessons",
            "intentls://intents/INT-001",
            "intentls://intents/INT-002",
            "intentls://intents/INT-003",
        ]
        (template,) = (await connected.client.list_resource_templates()).resource_templates
        assert template.uri_template == "intentls://intents/{id}"
        await connected.do("record_lesson", path="docs/design.md", problems="too short")
        assert json.loads(await _text(connected, "intentls://intents")) == await connected.do("list_intents")
        (lesson,) = json.loads(await _text(connected, "intentls://lessons"))["lessons"]
        assert (lesson["path"], lesson["problems"]) == ("docs/design.md", ["too short"])
        context = await _text(connected, "intentls://intents/INT-002")
        assert (await connected.do("get_active_intent"))["state"] == "IDLE"
        assert context == (await connected.do("select_active_intent", intent_id="INT-002"))["context"]
    assert [record["tool_name"] for record in ledger_of(workspace)] == ["record_lesson"]


async def test_an_id_may_hold_anything_but_white_space(tmp_path: Path) -> None:
    """An id's odd characters are escaped in its address."""
    root = make_workspace(tmp_path / "w", intents_yaml({"'A/B#1ü'": ["src/**"]}))
    async with agent(root) as connected:
        last = (await connected.client.list_resources()).resources[-1]
        assert last.uri == "intentls://intents/A%2FB%231%C3%BC"
        assert "<intent_id>A/B#1ü</intent_id>" in await _text(connected, last.uri)


@ERAS
@pytest.mark.parametrize("uri", ["intentls://intents/INT-9", "intentls://frob", "file:///etc/passwd"])
async def test_what_there_is_not_is_said(workspace: Path, uri: str, mode: str) -> None:
    """Any other address is -32602, with the known ones."""
    async with agent(workspace, mode=mode) as connected:
        with pytest.raises(MCPError, match=r"There is no resource .* Known are intentls://intents, ") as caught:
            await connected.client.read_resource(uri)
    assert caught.value.code == -32602


async def test_a_file_that_cannot_be_read_is_said(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the disk refuses is an error with the disk's reason."""

    def refuse(*_: object) -> None:
        raise StoreError("AGENT.md can't be read.")

    monkeypatch.setattr(resources, "all_lessons", refuse)
    async with agent(workspace) as connected:
        with pytest.raises(MCPError, match=r"AGENT\.md can't be read"):
            await connected.client.read_resource("intentls://lessons")


@ERAS
async def test_the_protocol_is_a_prompt(workspace: Path, tmp_path: Path, mode: str) -> None:
    """`intent_protocol` is the text that `intent.getProtocolPrompt` gives; where nothing governs it says so."""
    ungoverned = make_workspace(tmp_path / "u", intents=None)
    texts = []
    for root in (workspace, ungoverned):
        async with agent(root, mode=mode) as connected:
            (prompt,) = (await connected.client.list_prompts()).prompts
            (message,) = (await connected.client.get_prompt(prompt.name)).messages
            assert isinstance(message.content, types.TextContent)
            texts.append(message.content.text)
            with pytest.raises(MCPError, match="Known is intent_protocol"):
                await connected.client.get_prompt("frob")
            assert "select_active_intent" in (connected.client.instructions or "")
    assert texts[0].startswith("# Intent-driven protocol")
    assert texts[1].startswith("Nothing governs this folder")


async def test_a_client_hears_of_an_intent_that_came(workspace: Path) -> None:
    """Who listed the resources is told once, after the next change, that there are others now."""
    told = anyio.Event()
    count = 0

    async def hear(message: Any) -> None:
        nonlocal count
        if isinstance(message, types.ResourceListChangedNotification):
            count += 1
            told.set()

    async with agent(workspace, mode=LEGACY, message_handler=hear) as connected:
        await connected.client.list_resources()
        await connected.do("select_active_intent", intent_id="INT-001")
        assert count == 0
        file = workspace / ".orchestration" / "active_intents.yaml"
        file.write_text(file.read_text() + "  - id: INT-004\n    name: More\n    owned_scope: [more]\n")
        for _ in range(2):
            await connected.do("clear_active_intent")
        with anyio.fail_after(10):
            await told.wait()
    assert count == 1
