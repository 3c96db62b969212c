"""The gate, through a real server: each check of the contract, with its exact code, text and hint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.core.hashing import content_hash
from tests.support.session import Session, session
from tests.support.workspaces import WEATHER_INTENTS, make_workspace, write_files

REFUSAL_KEYS = {
    *("status", "message", "error", "error_type", "code", "recoverable", "action_hint", "classification"),
    *("paths", "owners"),
}


@pytest.fixture
def server(workspace: Path) -> Iterator[Session]:
    with session(workspace) as started:
        yield started


def test_a_write_without_an_intent_is_refused_and_recorded(server: Session) -> None:
    """Whoever has no active intent may not write; the refusal is on record, and no file changed."""
    before = (server.root / "src/api/weather.py").read_bytes()
    answer = server.do("writeToFile", path="src/api/weather.py", content="x = 1\n")
    assert set(answer) == REFUSAL_KEYS
    assert (answer["status"], answer["message"]) == ("error", "The tool execution failed")
    assert (answer["error_type"], answer["code"]) == ("MISSING_OR_INVALID_INTENT", "INTENT_REQUIRED")
    assert answer["error"] == "You must cite a valid active Intent ID."
    assert answer["action_hint"] == "select_active_intent"
    assert (server.root / "src/api/weather.py").read_bytes() == before
    (record,) = server.ledger
    assert (record["success"], record["scope_validation"], record["code"]) == (False, "EXEMPT", "INTENT_REQUIRED")
    assert record["intent_id"] == "UNTRACKED"


def test_checking_out_returns_the_intents_own_context(server: Session) -> None:
    """A selection answers with the intent's context, and the session is active until it is cleared."""
    answer = server.do("selectActiveIntent", intent_id="INT-001", mutation_class="DOCS_UPDATE", model_identifier="m/1")
    assert answer["status"] == "ok" and answer["truncated"] is False
    for part in ("<intent_id>INT-001</intent_id>", "<path>src/api/**</path>", "external auth", "tests/api pass"):
        assert part in answer["context"]
    assert "INT-002" not in answer["context"]
    active = server.do("getActiveIntent")
    assert (active["state"], active["intent_id"], active["mutation_class"]) == ("ACTIVE", "INT-001", "DOCUMENTATION")
    assert server.do("clearActiveIntent")["state"] == "IDLE"
    assert server.do("getActiveIntent")["intent_id"] is None


def test_an_unknown_and_a_closed_intent_cannot_be_selected(server: Session) -> None:
    """Only an open intent that exists can be checked out."""
    unknown = server.do("selectActiveIntent", intent_id="INT-999")
    assert (unknown["code"], unknown["error"]) == ("INTENT_NOT_FOUND", "You must cite a valid active Intent ID.")
    assert server.do("selectActiveIntent", intent_id="INT-003")["code"] == "INTENT_CLOSED"


def test_out_of_scope_is_refused_and_names_the_owner(server: Session) -> None:
    """A write outside the scope is refused with the contract's sentence, and says whose path it is."""
    server.do("selectActiveIntent", intent_id="INT-001")
    answer = server.do("writeToFile", path="docs/design.md", content="x\n")
    assert answer["error"] == (
        "Scope Violation: INT-001 is not authorized to edit [docs/design.md]. Request scope expansion."
    )
    assert (answer["error_type"], answer["code"]) == ("SCOPE_VIOLATION", "SCOPE_VIOLATION")
    assert answer["action_hint"] == "request_scope_expansion"
    assert (answer["paths"], answer["owners"]) == (["docs/design.md"], ["INT-002"])
    assert server.ledger[-1]["scope_validation"] == "FAIL"


def test_an_exclusion_wins_over_the_scope(server: Session) -> None:
    """A `!` pattern takes paths out of an intent's scope."""
    server.do("selectActiveIntent", intent_id="INT-001")
    assert server.do("checkEdit", path="src/api/generated/schema.py")["code"] == "SCOPE_VIOLATION"
    assert server.do("checkEdit", path="src/api/deep/er/x.py") == {"status": "ok", "allowed": True}


def test_a_call_that_cites_another_intent_is_refused(server: Session) -> None:
    """The cited intent has to be the selected one."""
    server.do("selectActiveIntent", intent_id="INT-001")
    answer = server.do("writeToFile", path="src/api/x.py", content="", intent_id="INT-002")
    assert (answer["code"], answer["action_hint"]) == ("INTENT_MISMATCH", "select_active_intent")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../outside.txt", "PATH_OUTSIDE_WORKSPACE"),
        ("/etc/passwd", "PATH_OUTSIDE_WORKSPACE"),
        ("src/api/../../../x", "PATH_OUTSIDE_WORKSPACE"),
        (".git/config", "PROTECTED_PATH"),
        ("src/api/.GIT/hooks/x", "PROTECTED_PATH"),
        (".git./config", "PROTECTED_PATH"),
        (".orchestration/agent_trace.jsonl", "PROTECTED_PATH"),
        (".orchestration/active_intents.yaml", "PROTECTED_PATH"),
        ("src/api/.orchestration/active_intents.yaml", "PROTECTED_PATH"),
        (".claude/settings.json", "PROTECTED_PATH"),
        ("src/api/.CODEX/hooks.json", "PROTECTED_PATH"),
        ("src/api/.mcp.json", "PROTECTED_PATH"),
    ],
)
def test_paths_outside_and_protected_paths_are_refused(server: Session, path: str, code: str) -> None:
    """No scope opens what lies outside the root, nor git's and our own folders."""
    server.do("selectActiveIntent", intent_id="INT-001")
    answer = server.do("writeToFile", path=path, content="x")
    assert (answer["code"], answer["error_type"], answer["action_hint"]) == (
        code,
        "SCOPE_VIOLATION",
        "choose_another_path",
    )


def test_a_symlink_is_judged_by_where_it_leads(server: Session, tmp_path: Path) -> None:
    """A link out of the root is outside; a link within leads to its target's path."""
    (server.root / "src/api/out").symlink_to(tmp_path)
    (server.root / "src/api/design.md").symlink_to(server.root / "docs/design.md")
    server.do("selectActiveIntent", intent_id="INT-001")
    assert server.do("writeToFile", path="src/api/out/x", content="")["code"] == "PATH_OUTSIDE_WORKSPACE"
    linked = server.do("writeToFile", path="src/api/design.md", content="")
    assert (linked["code"], linked["paths"]) == ("SCOPE_VIOLATION", ["docs/design.md"])


def test_stale_content_is_refused_and_rereading_heals_it(server: Session) -> None:
    """An edit of a file that changed since it was read is refused until it is read again."""
    server.do("selectActiveIntent", intent_id="INT-001")
    first = server.do("readFile", path="src/api/weather.py")
    assert first["content_hash"] == content_hash((server.root / "src/api/weather.py").read_bytes())
    (server.root / "src/api/weather.py").write_text("changed\n")
    stale = server.do("writeToFile", path="src/api/weather.py", content="mine\n")
    assert stale["error"] == (
        "Stale File: src/api/weather.py was modified since you read it. Re-read the file with read_file and try again."
    )
    assert (stale["error_type"], stale["code"], stale["action_hint"]) == ("STALE_FILE", "STALE_CONTEXT", "read_file")
    second = server.do("readFile", path="src/api/weather.py")
    older = server.do(
        "writeToFile", path="src/api/weather.py", content="m\n", expected_content_hash=first["content_hash"]
    )
    assert older["code"] == "STALE_CONTEXT", "a re-read does not re-bind a write that names an older hash"
    done = server.do("writeToFile", path="src/api/weather.py", content="mine\n")
    assert (done["status"], done["pre_hash"]) == ("ok", second["content_hash"])
    again = server.do("writeToFile", path="src/api/weather.py", content="mine again\n")
    assert again["status"] == "ok", "what a session wrote it knows"


def test_a_file_that_is_gone_can_be_made_again_once_the_agent_has_seen_that(server: Session) -> None:
    """Reading it fails, and what was read before counts no longer."""
    server.do("selectActiveIntent", intent_id="INT-001")
    server.do("readFile", path="src/api/weather.py")
    (server.root / "src/api/weather.py").unlink()
    assert server.do("writeToFile", path="src/api/weather.py", content="mine\n")["code"] == "STALE_CONTEXT"
    assert server.fails("readFile", path="src/api/weather.py")["code"] == -32602
    assert server.do("writeToFile", path="src/api/weather.py", content="mine\n")["status"] == "ok"


def test_require_base_refuses_unread_files_only(tmp_path: Path) -> None:
    """With `require_base`, an existing file has to be read first; a new one has nothing to read."""
    root = make_workspace(tmp_path / "w", policy="require_base: true\n")
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        refused = server.do("writeToFile", path="src/api/weather.py", content="")
        assert (refused["code"], refused["error_type"]) == ("BASE_HASH_REQUIRED", "STALE_FILE")
        assert server.do("writeToFile", path="src/api/new.py", content="x\n")["status"] == "ok"


def test_intentignore_takes_intents_and_paths_out_of_use(tmp_path: Path) -> None:
    """`intent:` lines exclude intents; all other lines are paths off limits, whoever owns them."""
    root = make_workspace(tmp_path / "w", ignore="intent: INT-002\n*.secret\n")
    with session(root) as server:
        ignored = server.do("selectActiveIntent", intent_id="INT-002")
        assert (ignored["code"], ignored["error"]) == ("INTENT_IGNORED", "Intent INT-002 is excluded by .intentignore.")
        server.do("selectActiveIntent", intent_id="INT-001")
        blocked = server.do("writeToFile", path="src/api/key.secret", content="")
        assert (blocked["code"], blocked["error_type"]) == ("INTENTIGNORE_PATH_BLOCKED",) * 2
        assert blocked["action_hint"] == "choose_another_path"


def test_a_broken_intents_file_blocks_and_fixing_it_heals(server: Session) -> None:
    """While the intents can't be read nothing may be written; the next call after the fix passes."""
    file = server.root / ".orchestration/active_intents.yaml"
    server.do("selectActiveIntent", intent_id="INT-001")
    file.write_text("active_intents: [")
    broken = server.do("writeToFile", path="src/api/x.py", content="")
    assert (broken["error_type"], broken["code"], broken["action_hint"]) == (
        "HOOK_BLOCKED",
        "HOOK_ERROR",
        "fix_configuration",
    )
    file.write_text(WEATHER_INTENTS)
    assert server.do("writeToFile", path="src/api/x.py", content="")["status"] == "ok"
    file.unlink()
    assert server.do("writeToFile", path="src/api/y.py", content="")["code"] == "HOOK_ERROR"


def test_on_invalid_allow_lets_edits_through_with_a_record(tmp_path: Path) -> None:
    """Policy may prefer to go on while the intents are broken; protected paths stay protected."""
    root = make_workspace(tmp_path / "w", intents="active_intents: [", policy="on_invalid: allow\n")
    with session(root) as server:
        assert server.do("writeToFile", path="x.py", content="x\n")["status"] == "ok"
        assert server.ledger[-1]["scope_validation"] == "EXEMPT"
        assert server.do("writeToFile", path=".git/config", content="x\n")["code"] == "PROTECTED_PATH"


def test_advise_mode_warns_and_records_but_does_not_block(tmp_path: Path) -> None:
    """`mode: advise` lets everything pass that harms no foreign data, and says what it would have said."""
    root = make_workspace(tmp_path / "w", policy="mode: advise\n")
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        done = server.do("writeToFile", path="docs/design.md", content="x\n")
        assert done["status"] == "ok" and "Scope Violation" in done["warnings"][0]
        record = server.ledger[-1]
        assert (record["success"], record["scope_validation"], record["code"]) == (True, "FAIL", "SCOPE_VIOLATION")
        assert server.do("writeToFile", path="../x", content="")["code"] == "PATH_OUTSIDE_WORKSPACE"


def test_without_a_root_everything_is_allowed_and_nothing_else_is_written(tmp_path: Path) -> None:
    """Where no intents are declared, governance is off."""
    root = make_workspace(tmp_path / "w", intents=None)
    with session(root) as server:
        done = server.do("writeToFile", path="src/new.py", content="x\n")
        assert (done["status"], done["trace_id"]) == ("ok", None)
        assert (root / "src/new.py").read_text() == "x\n"
        assert server.do("getProtocolPrompt") == {"status": "ok", "prompt": ""}
        assert not (root / ".orchestration").exists()


def test_a_multi_file_patch_is_judged_whole(server: Session) -> None:
    """One path out of scope refuses the whole patch, and nothing of it is applied."""
    server.do("selectActiveIntent", intent_id="INT-001")
    patch = (
        "diff --git a/src/api/new.py b/src/api/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/src/api/new.py\n"
        "@@ -0,0 +1 @@\n+x = 1\n"
        "diff --git a/docs/design.md b/docs/design.md\n--- a/docs/design.md\n+++ b/docs/design.md\n"
        "@@ -1 +1 @@\n-# Design\n+# Changed\n"
    )
    answer = server.do("applyPatch", patch=patch)
    assert (answer["code"], answer["paths"]) == ("SCOPE_VIOLATION", ["docs/design.md"])
    assert not (server.root / "src/api/new.py").exists()


def test_sessions_on_one_connection_are_apart(server: Session) -> None:
    """Several agents share a connection without sharing their intent or what they read."""
    server.do("selectActiveIntent", intent_id="INT-001", session_id="a")
    assert server.do("getActiveIntent", session_id="b")["state"] == "IDLE"
    assert server.do("writeToFile", path="src/api/x.py", content="", session_id="b")["code"] == "INTENT_REQUIRED"
    assert server.do("writeToFile", path="src/api/x.py", content="", session_id="a")["status"] == "ok"


def test_the_deepest_root_governs_a_path(tmp_path: Path) -> None:
    """A root inside a root is judged by its own intents."""
    root = make_workspace(tmp_path / "w")
    inner = make_workspace(root / "src/api/inner", files={"a.py": "x\n"})
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do("checkEdit", path="src/api/inner/src/api/a.py")["code"] == "INTENT_REQUIRED"
        assert server.do("checkEdit", path="src/api/a.py")["allowed"] is True
    assert json.dumps(str(inner))


def test_preToolUse_and_postToolUse_guard_a_hosts_own_tools(server: Session) -> None:  # noqa: N802
    """A host asks before and reports after; the record has the real ranges of what its tool changed."""
    assert server.do("preToolUse", tool_name="read_file", params={"path": "x"})["classification"] == "safe"
    refused = server.do("preToolUse", tool_name="execute_command", params={"command": "ls"})
    assert refused["code"] == "INTENT_REQUIRED"
    server.do("selectActiveIntent", intent_id="INT-001")
    allowed = server.do("preToolUse", tool_name="edit", params={"path": "src/api/weather.py"})
    assert (allowed["allowed"], allowed["classification"]) == (True, "destructive")
    write_files(server.root, {"src/api/weather.py": "def today():\n    return 'rain'\n"})
    done = server.do(
        "postToolUse",
        tool_name="edit",
        params={"path": "src/api/weather.py"},
        pre_hash=allowed["pre_hash"],
        success=True,
    )
    record = server.ledger[-1]
    assert record["id"] == done["trace_id"]
    (file,) = record["files"]
    assert file["pre_hash"] == allowed["pre_hash"]
    assert [(r["start_line"], r["end_line"]) for r in file["conversations"][0]["ranges"]] == [(2, 2)]
