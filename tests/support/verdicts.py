"""One action put to every face, each in its own dialect, and what the face says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intentls.faces.cli import main as command_line
from intentls.store.sessions.sessions import Session, Sessions
from tests.support import dialects
from tests.support.hook_process import hook, hook_here, in_process
from tests.support.mcp_wire import McpWire
from tests.support.session import Session as Server

Json = dict[str, Any]
_CODES = re.compile(r" ?\(code: (?P<code>[A-Z_]+); action_hint: (?P<hint>[a-z_]+)[^()]*\)$")
_LSP = {
    **{"write_to_file": "writeToFile", "edit_file": "editFile", "apply_patch": "applyPatch"},
    **{"delete_file": "deleteFile", "rename_file": "renameFile"},
}


@dataclass(frozen=True)
class Action:
    """What an agent wants. `params` are those of the contract's tool, its paths relative to the root.

    `known`: what the session has read of which file; `cited` the intent that the call names, `expected` the hash.
    `acts`: a guarded edit can be made of it, which could only fail at the gate.
    """

    tool: str
    params: Mapping[str, Any]
    paths: tuple[str, ...]
    intent: str | None
    known: Mapping[str, str]
    cited: str | None = None
    expected: str | None = None
    acts: bool = False


@dataclass(frozen=True)
class Verdict:
    """`code` None: it may go on. `error` is the sentence, the root's own folder cut out of it."""

    code: str | None = None
    error: str = ""
    hint: str = ""

    @classmethod
    def of(cls, root: Path, answer: Json) -> Verdict:
        """From a refusal's JSON, or that of a success."""
        if answer["status"] == "ok":
            return cls()
        return cls(answer["code"], plain(root, answer["error"]), answer["action_hint"])


INVALID = Verdict("INVALID")
"""The call makes no sense, whoever asks for it."""


def plain(root: Path, text: str) -> str:
    """Faces that are given absolute paths say them."""
    return text.replace(f"{root.as_posix()}/", "")


def give_session(root: Path, session: str, action: Action) -> None:
    """Let a session stand where the action begins, as it would if it had done all that by itself."""
    held = Session(session, intent_id=action.intent, reads=dict(action.known))
    Sessions(root / ".orchestration" / ".state" / "sessions").save(held)


class LspFace:
    """Asks, announces, and edits."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def verdicts(self, action: Action, session: str) -> Iterator[tuple[str, Verdict]]:
        given = {"session_id": session} | _citing(action)
        yield "lsp check", self._do("checkEdit", tool_name=action.tool, paths=list(action.paths), **given)
        yield "lsp announce", self._do("preToolUse", tool_name=action.tool, params=dict(action.params), **given)
        if action.acts:
            yield "lsp edit", self._do(_LSP[action.tool], **action.params, **given)

    def _do(self, command: str, **arguments: Any) -> Verdict:
        answered = self.server.wire.command(f"intent.{command}", arguments)
        if "error" in answered:
            assert answered["error"]["code"] == -32602, answered
            return INVALID
        return Verdict.of(self.server.root, answered["result"])


class McpFace:
    """Asks, and edits."""

    def __init__(self, wire: McpWire, root: Path) -> None:
        self.wire, self.root = wire, root

    def verdicts(self, action: Action, session: str) -> Iterator[tuple[str, Verdict]]:
        given = {"session_id": session} | _citing(action)
        yield "mcp check", self._do("check_edit", tool_name=action.tool, paths=list(action.paths), **given)
        if action.acts:
            yield "mcp edit", self._do(action.tool, **action.params, **given)

    def _do(self, tool: str, **arguments: Any) -> Verdict:
        answered = self.wire.call(tool, **arguments)
        if "error" in answered:
            assert answered["error"]["code"] == -32602, answered
            return INVALID
        result = answered["result"]
        text = result["content"][0]["text"]
        return Verdict.of(self.root, json.loads(text)) if result.get("isError") else Verdict()


class CliFace:
    """`intentls check`, which can cite neither an intent nor a hash, and judges one path after the other."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def verdicts(self, action: Action, session: str) -> Iterator[tuple[str, Verdict]]:
        if _citing(action) or len(action.paths) != 1:
            return
        call = ["check", *action.paths, "--session", session, "--tool", action.tool, "--json"]
        code, said, err = in_process(lambda: command_line._code([*call, "--root", str(self.root)]))
        if code == 2:
            assert err.count("\n") == 1 and not said
            yield "cli check", INVALID
            return
        (found,) = json.loads(said)["checks"]
        assert code == (0 if found["status"] == "ok" else 1)
        yield "cli check", Verdict.of(self.root, found)


class HookFace:
    """The agents' hooks; `real`: through a process of its own, as an agent does."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def able(self, action: Action) -> tuple[str, ...]:
        """The agents that have a tool for it; none of them can cite anything."""
        if _citing(action):
            return ()
        return tuple(
            agent
            for agent in dialects.AGENTS
            if dialects.event(agent, self.root, "", action.tool, action.params) is not None
        )

    def verdicts(
        self, action: Action, session: str, *, agents: tuple[str, ...], real: bool = False
    ) -> Iterator[tuple[str, Verdict]]:
        for agent in agents:
            event = dialects.event(agent, self.root, session, action.tool, action.params)
            assert event is not None
            yield f"hook {agent}", self._ask(agent, event, real=real)

    def _ask(self, agent: str, event: Json, *, real: bool) -> Verdict:
        data = json.dumps(event).encode()
        answered = hook(agent, data, cwd=self.root) if real else hook_here(agent, data)
        if answered.code == 2:
            assert answered.closed
            return INVALID
        assert answered.code == 0, answered
        reason = dialects.refusal(agent, answered.json) if answered.out else None
        if reason is None:
            return Verdict()
        codes = _CODES.search(reason)
        assert codes is not None, reason
        sentence = reason[: codes.start()].partition(" Check an intent out with ")[0]
        sentence = sentence.partition(" No person could be asked: ")[0]
        return Verdict(codes["code"], plain(self.root, sentence), codes["hint"])


def _citing(action: Action) -> Json:
    cited = {"intent_id": action.cited, "expected_content_hash": action.expected}
    return {name: value for name, value in cited.items() if value is not None}
