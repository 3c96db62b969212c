"""A session is known by its id, whatever face it uses: one intent, checked out once, seen by everybody."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_process import claude, environment, hook
from tests.support.mcp_wire import McpWire
from tests.support.patience import PATIENCE_S
from tests.support.session import session

pytestmark = pytest.mark.usefixtures("each_store")

SESSION = "5c1b0e7e-shared"
WEATHER = "src/api/weather.py"


def _intentls(root: Path, *arguments: str) -> Any:
    """The document that a verb prints, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "intentls", *arguments, "--json"],
        cwd=root,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _workers(root: Path) -> dict[str, str | None]:
    """Who works on what, as `intentls status` says."""
    (found,) = _intentls(root, "status")["roots"]
    return {each["session_id"]: each["intent_id"] for each in found["sessions"]}


def _hook(root: Path, path: str) -> str:
    """What the agent's hook says to a write, in the session."""
    event = claude(root, "PreToolUse", "Write", {"file_path": str(root / path), "content": "x = 1\n"})
    answered = hook("claude-code", event | {"session_id": SESSION, "permission_mode": "dontAsk"}, cwd=root)
    assert answered.code == 0, answered
    return answered.out


def test_an_intent_checked_out_in_one_face_counts_in_all(git_workspace: Path) -> None:
    """The command line selects; the agent's hook, MCP and the editor find it; MCP changes it; the hook obeys."""
    root = git_workspace
    assert "INTENT_REQUIRED" in _hook(root, WEATHER)
    assert _intentls(root, "select", "INT-001", "--session", SESSION)["session_id"] == SESSION
    assert _hook(root, WEATHER) == ""
    assert "SCOPE_VIOLATION" in _hook(root, "docs/design.md")
    assert _workers(root) == {SESSION: "INT-001"}

    with McpWire.begin(root, None, "--session", SESSION) as wire, session(root) as editor:
        assert wire.do("get_active_intent")["intent_id"] == "INT-001"
        assert editor.do("getActiveIntent", session_id=SESSION)["intent_id"] == "INT-001"
        read = wire.do("read_file", path=WEATHER)
        (root / WEATHER).write_text("# by hand\n")
        assert "STALE_CONTEXT" in _hook(root, WEATHER)  # what MCP read, the hook knows
        assert wire.do("read_file", path=WEATHER)["content_hash"] != read["content_hash"]
        assert _hook(root, WEATHER) == ""

        assert wire.do("select_active_intent", intent_id="INT-002")["session_id"] == SESSION
        assert _workers(root)[SESSION] == "INT-002"
        assert _hook(root, "docs/design.md") == ""
        assert "SCOPE_VIOLATION" in _hook(root, WEATHER)
        assert wire.do("write_to_file", path="docs/design.md", content="# New\n")["status"] == "ok"
        (entry,) = editor.do("queryTrace", session_id=SESSION, path="docs/design.md", limit=1)["entries"]
        assert (entry["intent_id"], entry["session_id"]) == ("INT-002", SESSION)

        assert editor.do("clearActiveIntent", session_id=SESSION)["state"] == "IDLE"
    assert "INTENT_REQUIRED" in _hook(root, "docs/design.md")
