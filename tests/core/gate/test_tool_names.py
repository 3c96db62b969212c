"""Which tools are safe, and which paths a call names."""

from __future__ import annotations

import pytest

from intentls.core.gate.policy import Policy
from intentls.core.gate.tool_class import ToolClass, classify, named_paths


@pytest.mark.parametrize("name", ["read_file", "list_files", "Grep", " search_files ", "select_active_intent", "ask"])
def test_reading_listing_searching_selecting_and_asking_are_safe(name: str) -> None:
    """Tools known to change nothing always pass."""
    assert classify(name) is ToolClass.SAFE


@pytest.mark.parametrize("name", ["write_to_file", "execute_command", "read_and_delete", "list_then_wipe", "", "x"])
def test_all_others_are_destructive(name: str) -> None:
    """What is not known to be safe is not, whatever it calls itself."""
    assert classify(name) is ToolClass.DESTRUCTIVE


def test_paths_are_found_under_every_usual_name_once() -> None:
    """Hosts name their path parameters differently; a path named twice counts once."""
    params = {"path": "a", "file_path": "b", "new_path": "a", "paths": ["c", 3, "b"], "files": "no list", "other": "x"}
    assert named_paths(params) == ("a", "b", "c")
    assert named_paths({"path": 7}) == ()


def test_only_tools_that_the_policy_names_are_trusted() -> None:
    """By patterns of names."""
    policy = Policy(safe_tools=("mcp__docs__*", "lookup"))
    assert [policy.trusts_tool(name) for name in ("mcp__docs__read", "lookup", "lookups", "mcp__files__write")] == [
        *(True, True, False, False),
    ]
