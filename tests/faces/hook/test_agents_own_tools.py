"""What hooks make of other tools than editing ones: patches in commands, our own tools, those of other servers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.operations.table import OPERATIONS
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.hook.always_allowed import OWN_TOOLS
from intentls.faces.hook.patch_in_command import patched_in
from intentls.faces.hook.transcript import model_in
from tests.support.hook_process import hook_here, records
from tests.support.workspaces import make_workspace

PATCH = "*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The weather workspace; no agent around the tests."""
    for name in ("CLAUDE_PROJECT_DIR", "INTENTLS_SESSION", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    return make_workspace(tmp_path / "work", policy='safe_tools: ["mcp__docs__*"]\n')


def ask(root: Path, tool: str, **values: Any) -> Any:
    """What Claude Code is answered before a tool."""
    common = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(root), "tool_name": tool}
    answered = hook_here("claude-code", json.dumps({**common, "tool_input": values}).encode())
    assert answered.code == 0, answered.err
    return answered.json and answered.json["hookSpecificOutput"]["permissionDecision"]


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        (f"apply_patch <<'EOF'\n{PATCH.format('a/b')}EOF", ("a/b",)),
        (f"cd docs && apply_patch <<'EOF'\n{PATCH.format('a')}EOF", ("docs/a",)),
        (f"cd docs; cd 'x y' && apply_patch <<EOF\n{PATCH.format('a')}EOF\nls", ("docs/x y/a",)),
        (f"applypatch <<'EOF'\n{PATCH.format('a')}EOF\napply_patch <<'X'\n{PATCH.format('/b')}X", ("a", "/b")),
        (f"cat > notes <<'EOF'\n{PATCH.format('a')}EOF", ()),
        ("apply_patch <<'EOF'\n*** Begin Patch\nnonsense\n*** End Patch\nEOF", ()),
        ("echo apply_patch", ()),
    ],
)
def test_the_files_of_a_patch_in_a_command_are_known(command: str, paths: tuple[str, ...]) -> None:
    assert patched_in(command) == paths


def test_a_patch_in_a_command_is_judged_before_it_runs(root: Path) -> None:
    """Codex applies it by itself and tells nothing afterwards."""
    drive(select(Engine(Headless("cli", (root,))), "s", "INT-001", None, None))
    command = f"apply_patch <<'EOF'\n{PATCH.format('docs/new.md')}EOF"
    assert ask(root, "Bash", command=command) == "deny"
    record = records(root)[-1]
    assert (record["code"], record["files"][0]["path"]) == ("SCOPE_VIOLATION", "docs/new.md")
    assert record["files"][0]["change"] == "add"


def test_a_refused_call_without_an_intent_names_its_file_from_the_root(root: Path) -> None:
    assert ask(root, "Write", file_path=str(root / "src/api/weather.py"), content="x\n") == "deny"
    file = records(root)[-1]["files"][0]
    assert (file["path"], file["change"]) == ("src/api/weather.py", "modify")


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("intentls list", "allow"),
        ("intentls status --json", "allow"),
        ("intentls confirm", "deny"),
        ("intentls list; rm -rf src", "deny"),
        ("intentls list && true", "deny"),
        ("intentls list $(rm a)", "deny"),
        ("intentls list > src/a", "deny"),
        ("intentls expand INT-001 docs/a.md --yes", "deny"),
        ("sudo intentls list", "deny"),
    ],
)
def test_only_our_bookkeeping_needs_no_approval(root: Path, command: str, decision: str) -> None:
    """Anything else is a shell command, which needs an intent."""
    assert ask(root, "Bash", command=command) == decision


def test_every_tool_of_our_mcp_server_is_known_by_name() -> None:
    assert {name for name, operation in OPERATIONS.items() if operation.in_mcp} == OWN_TOOLS


def test_a_tool_that_policy_trusts_needs_no_intent(root: Path) -> None:
    """By the agent's own name for it; another server's tools need one."""
    assert ask(root, "mcp__docs__search", query="x") is None
    assert ask(root, "mcp__files__put", where="x") == "deny"


@pytest.mark.parametrize(
    "lines",
    [
        [{"type": "assistant", "message": {"model": "m"}}, {"type": "user", "message": {"model": "no"}}],
        [{"type": "attachment", "attachment": {"identity": {"modelId": "m"}}}],
        [{"type": "gemini", "model": "old"}, {"type": "gemini", "model": "m"}],
    ],
)
def test_the_newest_model_of_a_transcript_counts(tmp_path: Path, lines: list[Any]) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"type": "gemini", "mod')
    assert model_in(str(path)) == "m"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_transcript_that_is_a_fifo_says_nothing_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert model_in(str(tmp_path / "fifo")) is None


@pytest.mark.parametrize("text", ["", "{}\n", '{"type": "assistant", "message": {"model": "<synthetic>"}}\n', "[1]\n"])
def test_a_transcript_that_names_no_model_says_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text(text)
    assert [model_in(str(path)), model_in(str(tmp_path)), model_in("relative"), model_in(None)] == [None] * 4


def test_a_refused_call_of_cline_can_become_one_that_does_nothing(root: Path) -> None:
    """With `--go-on`, for the CLI alone: the run goes on, and the model learns why. Else the run ends."""
    call = {"toolName": "editor", "parameters": {"path": str(root / "docs/a.md"), "new_text": "x"}}
    event = {"hookName": "tool_call", "taskId": "t", "workspaceRoots": [str(root)], "preToolUse": call}
    stopped = hook_here("cline", json.dumps(event).encode()).json
    assert stopped["cancel"] is True and "INT-001" in stopped["errorMessage"]
    going = hook_here("cline", json.dumps(event).encode(), goes_on=True).json
    assert (going["cancel"], going["overrideInput"]) == (False, {})
    ran = {**event, "hookName": "tool_result", "postToolUse": call}
    assert hook_here("cline", json.dumps(ran).encode(), goes_on=True).json["cancel"] is True
