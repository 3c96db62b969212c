"""Reports of calls that were refused, or never announced: nothing becomes the agent's that is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import content_hash
from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.hook_process import claude, hook_here, records
from tests.support.session import session
from tests.support.workspaces import make_git_repo, make_workspace

API, DESIGN = "src/api/weather.py", "docs/design.md"
OLD = "def today():\n    return 'sunny'\n"
NEW = "def today():\n    return 'rain'\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The weather workspace, committed, with an agent's session under INT-001."""
    root = make_git_repo(
        make_workspace(tmp_path / "work", files={API: OLD, DESIGN: "# Design\n"}, policy="hitl: deny\n")
    )
    drive(select(Engine(Headless("cli", (root,))), "s1", "INT-001", None, None))
    return root


def tell(root: Path, event: str, path: str, call: str = "t1") -> str:
    given = {"file_path": str(root / path), "content": NEW}
    answered = hook_here(
        "claude-code", json.dumps(claude(root, event, "Write", given, call, tool_response={})).encode()
    )
    assert answered.code == 0, answered.err
    return answered.out


def changes(root: Path) -> list[dict[str, Any]]:
    """The files of all records of what happened."""
    return [file for record in records(root) if record["success"] for file in record["files"]]


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("touched", [False, True], ids=["as it was", "changed by somebody"])
def test_a_refused_write_that_is_reported_records_nothing(root: Path, touched: bool, times: int) -> None:
    """Whatever the file holds by then: who changed it is not known."""
    assert "deny" in tell(root, "PreToolUse", DESIGN)
    if touched:
        (root / DESIGN).write_text("# Mine\n")
    for _ in range(times):
        assert tell(root, "PostToolUse", DESIGN) == ""
    assert changes(root) == []


def test_a_refused_call_does_not_cost_a_later_one_its_record(root: Path) -> None:
    """The same file, once the session may edit it."""
    drive(select(Engine(Headless("cli", (root,))), "s1", "INT-002", None, None))
    assert "deny" in tell(root, "PreToolUse", API)
    drive(select(Engine(Headless("cli", (root,))), "s1", "INT-001", None, None))
    assert tell(root, "PreToolUse", API, "t2") == ""
    (root / API).write_text(NEW)
    tell(root, "PostToolUse", API, "t2")
    (file,) = changes(root)
    assert (file["change"], file["pre_hash"]) == ("modify", content_hash(OLD.encode()))


def test_a_call_that_is_refused_while_another_runs_does_not_cost_that_one_its_record(root: Path) -> None:
    """The session lost the right in between."""
    assert tell(root, "PreToolUse", API, "t1") == ""
    drive(select(Engine(Headless("cli", (root,))), "s1", "INT-002", None, None))
    assert "deny" in tell(root, "PreToolUse", API, "t2")
    (root / API).write_text(NEW)
    tell(root, "PostToolUse", API, "t1")
    tell(root, "PostToolUse", API, "t2")
    (file,) = changes(root)
    assert file["pre_hash"] == content_hash(OLD.encode())


def test_a_host_that_reports_a_refused_call_records_nothing(root: Path) -> None:
    """Over LSP, with and without a hash of its own."""
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        for more in ({}, {"pre_hash": content_hash(b"other")}):
            params = {"tool_name": "write_to_file", "params": {"path": DESIGN}}
            assert server.do("preToolUse", **params)["code"] == "SCOPE_VIOLATION"
            assert server.do("postToolUse", **params, success=True, **more)["trace_id"] is None
    assert changes(root) == []


def test_a_report_without_an_announcement_of_a_file_that_is_as_it_was_records_nothing(root: Path) -> None:
    """As it was committed, or as it was last recorded."""
    tell(root, "PostToolUse", API)
    assert changes(root) == []
    (root / API).write_text(NEW)
    for _ in range(3):
        tell(root, "PostToolUse", API)
    (file,) = changes(root)
    assert (file["change"], file["pre_hash"]) == ("modify", content_hash(OLD.encode()))
    (root / API).write_text(OLD + "# more\n")
    tell(root, "PostToolUse", API)
    assert changes(root)[-1]["pre_hash"] == content_hash(NEW.encode())
    (root / API).unlink()
    tell(root, "PostToolUse", API)
    assert changes(root)[-1]["change"] == "delete"
    tell(root, "PostToolUse", API)
    assert len(changes(root)) == 3
