"""From an agent's tool to what is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.errors import InvalidInput
from intentls.faces.hook.always_allowed import is_bookkeeping
from intentls.faces.hook.dialects.claude_code import TOOLBOX
from intentls.faces.hook.dialects.codex import TOOLBOX as CODEX

BASE = Path("/work")


@pytest.mark.parametrize(
    ("name", "given", "as_what", "paths"),
    [
        ("Write", {"file_path": "/work/a", "content": ""}, "write_to_file", ("/work/a",)),
        ("MultiEdit", {"file_path": "b/c", "edits": []}, "edit", ("/work/b/c",)),
        ("NotebookEdit", {"notebook_path": "/n.ipynb", "new_source": ""}, "edit", ("/n.ipynb",)),
        ("Read", {"file_path": "/work/a"}, "read_file", ("/work/a",)),
        ("Bash", {"command": "rm -r x"}, "execute_command", ()),
        ("mcp__files__write", {"path": "x"}, "mcp__files__write", ("/work/x",)),
        ("Write", {"file_path": "file:///etc/x"}, "write_to_file", ("/work/file:///etc/x",)),
    ],
)
def test_a_tool_is_judged_by_the_contracts_name_and_all_its_paths(
    name: str, given: dict[str, object], as_what: str, paths: tuple[str, ...]
) -> None:
    """Names are mapped; a relative path begins where the agent stands, and none is taken for a URI."""
    tool = TOOLBOX.tool(name, given, BASE, "t1")
    assert (tool.name, tool.paths, tool.is_free) == (as_what, paths, False)


def test_unknown_tools_may_write_anywhere_and_our_own_are_free() -> None:
    """An MCP tool counts as destructive; those of our own server are guarded there."""
    assert TOOLBOX.tool("mcp__x__y", {}, BASE, None).anywhere
    assert TOOLBOX.tool("mcp__intentls__write_to_file", {"path": "x"}, BASE, None).is_free
    assert not TOOLBOX.tool("mcp__intentls_evil__x", {}, BASE, None).is_free
    assert TOOLBOX.tool("Glob", {"path": "/etc"}, BASE, None).is_free


def test_a_tilde_is_judged_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some agents put the home folder in its place, some don't."""
    monkeypatch.setenv("HOME", "/home/ada")
    assert TOOLBOX.tool("Write", {"file_path": "~/x"}, BASE, None).paths == ("/work/~/x", "/home/ada/x")


@pytest.mark.parametrize("given", [{}, {"file_path": ""}, {"file_path": 7}, {"file_path": "a\0b"}])
def test_an_edit_of_nobody_knows_what_is_refused(given: dict[str, object]) -> None:
    """What can't be judged must not run."""
    with pytest.raises(InvalidInput):
        TOOLBOX.tool("Write", given, BASE, None)


def test_both_patch_notations_are_read() -> None:
    """Codex's own, and unified diffs; anything else is refused."""
    own = "*** Begin Patch\n*** Delete File: a\n*** End Patch"
    unified = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    assert CODEX.tool("apply_patch", {"command": own}, BASE, None).paths == ("/work/a",)
    assert CODEX.tool("apply_patch", {"input": unified}, BASE, None).paths == ("/work/x",)
    with pytest.raises(InvalidInput):
        CODEX.tool("apply_patch", {"command": "hello"}, BASE, None)


@pytest.mark.parametrize(
    ("command", "free"),
    [
        ("intentls select INT-001 --session abc", True),
        (" intentls list --json ", True),
        ("intentls status", True),
        ("intentls init", False),
        ("intentls", False),
        ("./intentls list", False),
        ("intentls list; rm x", False),
        ("intentls list > x", False),
        ("intentls list\nrm x", False),
        ("intentls list $(rm x)", False),
        ("intentls list && rm x", False),
        ("X=1 intentls list", False),
        ("intentls select 'a'", False),
    ],
)
def test_only_plain_bookkeeping_is_free(command: str, free: bool) -> None:
    """One line, one command, no quoting, no expansion."""
    assert is_bookkeeping(command) is free
