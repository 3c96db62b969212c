"""What an editor's status line shows: it follows the files and git's branch, without any message of the editor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.session import Session, session
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

_STATES = {"states": True}


def news(window: Session, state: str) -> dict[str, Any]:
    """The next state of the only folder that is called so."""
    changed = window.wire.expect_notification(
        "intentls/stateChanged", lambda params: [root["state"] for root in params["roots"]] == [state]
    )
    root: dict[str, Any] = changed["roots"][0]
    return root


def test_a_switch_to_a_branch_without_intents_and_back_is_seen(tmp_path: Path) -> None:
    """By what git did alone: the state names the branch, nothing is checked there, and the selection is still there
    on the way back.
    """
    root = make_git_repo(tmp_path / "w", {"README.md": "# W\n"})
    git(root, "switch", "--quiet", "--create", "work")
    make_workspace(root)
    with session(root, options=_STATES) as window:
        news(window, "idle")
        window.do("selectActiveIntent", intent_id="INT-001")
        assert news(window, "active")["intent_id"] == "INT-001"
        assert window.do("writeToFile", path="src/api/rain.py", content="a = 1\n")["status"] == "ok"
        commit_all(root, "Work under an intent")
        git(root, "switch", "--quiet", "main")
        elsewhere = news(window, "other_branch")
        assert elsewhere["text"] == "This branch declares no intents: nothing is checked and nothing is recorded."
        assert (elsewhere["intent_id"], elsewhere["blocked"]) == (None, False)
        git(root, "switch", "--quiet", "work")
        assert news(window, "active")["intent_id"] == "INT-001"


def test_declared_files_that_break_and_heal_are_seen(workspace: Path) -> None:
    """With the place of the fault, and never as a folder where everything is allowed."""
    intents = workspace / ".orchestration/active_intents.yaml"
    good = intents.read_text()
    with session(workspace, options=_STATES) as window:
        news(window, "idle")
        intents.write_text(good.replace("status:", "status: [", 1))
        broken = news(window, "broken")
        assert broken["blocked"]
        assert broken["problem"]["path"] == ".orchestration/active_intents.yaml"
        intents.write_text(good)
        news(window, "idle")
