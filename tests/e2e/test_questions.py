"""Questions whose answer never comes, or comes as an error: seen with the bare client."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.session import ASKING, session
from tests.support.wire import SILENCE, Refuse
from tests.support.workspaces import make_workspace

pytestmark = pytest.mark.usefixtures("each_store")


def _fail(_: object) -> None:
    raise Refuse(-32601, "this client can't ask")


def test_a_client_that_answers_with_an_error_says_no(workspace: Path) -> None:
    """An error for an answer is a no, at once."""
    with session(workspace, ASKING) as server:
        server.wire.handlers["window/showMessageRequest"] = _fail
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do("deleteFile", path="docs/design.md")["code"] == "SCOPE_VIOLATION"


def test_a_client_that_never_answers_says_no(tmp_path: Path) -> None:
    """Silence ends with the policy's time-out, and the server goes on."""
    root = make_workspace(tmp_path / "w", policy="hitl_timeout_s: 1\n")
    with session(root, ASKING) as server:
        server.wire.handlers["window/showMessageRequest"] = lambda _: SILENCE
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do("deleteFile", path="docs/design.md")["code"] == "SCOPE_VIOLATION"
        assert server.do("deleteFile", path="src/api/weather.py")["status"] == "ok"


def test_a_client_that_leaves_while_it_is_asked_changed_nothing(workspace: Path) -> None:
    """Disconnection in the middle of a question is a no."""
    asked = threading.Event()
    with session(workspace, ASKING) as server:

        def wait(_: object) -> object:
            asked.set()
            return SILENCE

        server.wire.handlers["window/showMessageRequest"] = wait
        server.do("selectActiveIntent", intent_id="INT-001")
        server.wire.ask(
            "workspace/executeCommand", {"command": "intent.deleteFile", "arguments": [{"path": "docs/design.md"}]}
        )
        assert asked.wait(PATIENCE_S)
    assert (workspace / "docs/design.md").exists()


def test_hitl_deny_asks_nobody(tmp_path: Path) -> None:
    """With `hitl: deny` a refusal is final, whoever could be asked."""
    root = make_workspace(tmp_path / "w", policy="hitl: deny\n")
    with session(root, ASKING) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do("deleteFile", path="docs/design.md")["code"] == "SCOPE_VIOLATION"
        assert server.wire.asked == []


def test_a_client_that_wants_proposals_sees_what_it_is_asked_about(workspace: Path) -> None:
    """`intentls/proposed` comes before each question: the texts, or no files where the change can't be told."""
    with session(workspace, ASKING, {"proposals": True}) as server:
        server.wire.handlers["window/showMessageRequest"] = lambda _: None
        server.do("selectActiveIntent", intent_id="INT-001")
        server.do("writeToFile", path="docs/design.md", content="# Plan\n")
        shown = server.wire.expect_notification("intentls/proposed")
        server.do("preToolUse", tool_name="edit_file", params={"path": "docs/design.md"})
        unknown = server.wire.expect_notification("intentls/proposed")
        questions = [asked["params"]["message"] for asked in server.wire.asked]
    assert shown["files"] == [
        {"path": "docs/design.md", "change": "modify", "before": "# Design\n", "after": "# Plan\n"}
    ]
    assert (unknown["files"], unknown["paths"]) == ([], ["docs/design.md"])
    assert [shown["message"], unknown["message"]] == questions


def test_a_change_that_can_not_be_made_is_asked_about_without_it(workspace: Path) -> None:
    """The gate speaks before the arguments are looked at: no texts then, and the error comes after the answer."""
    with session(workspace, ASKING, {"proposals": True}) as server:
        server.wire.handlers["window/showMessageRequest"] = lambda _: {"title": "Approve"}
        server.do("selectActiveIntent", intent_id="INT-001")
        edit = {"path": "docs/design.md", "old_string": "absent", "new_string": "x"}
        assert server.fails("editFile", **edit)["code"] == -32602
        assert server.wire.expect_notification("intentls/proposed")["files"] == []


def test_other_clients_get_no_proposals(workspace: Path) -> None:
    """The wire is what LSP says for all who did not ask for more."""
    with session(workspace, ASKING) as server:
        server.wire.handlers["window/showMessageRequest"] = lambda _: None
        server.do("selectActiveIntent", intent_id="INT-001")
        server.do("deleteFile", path="docs/design.md")
        assert server.wire.notifications("intentls/proposed") == []
