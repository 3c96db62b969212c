"""How the process begins: an installation that can't start refuses, and parts are made once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.layout import Layout
from tests.support.hook_process import claude, environment, hook
from tests.support.workspaces import make_workspace


def test_an_installation_that_can_not_start_refuses(tmp_path: Path) -> None:
    """A module that can't be imported must not let the tool run: code 2, one line."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "json.py").write_text("raise RuntimeError('half an installation')\n")
    event = claude(tmp_path, "PreToolUse", "Glob", {})
    answered = hook("claude-code", event, cwd=tmp_path, env=environment(PYTHONPATH=str(broken)))
    assert answered.closed and "Reinstall" in answered.err
    assert hook("claude-code", event, cwd=tmp_path).code == 0


def test_an_agent_that_is_not_known_is_wrong_usage(tmp_path: Path) -> None:
    """The command line explains it, with the code that every agent takes for a no."""
    answered = hook("nobody", b"{}", cwd=tmp_path)
    assert answered.code == 2 and "is not one of 'claude-code'" in answered.err and not answered.out


@pytest.mark.parametrize("part", ["ledger", "journal", "derived", "git", "pending"])
def test_a_part_of_a_workspace_is_made_once(tmp_path: Path, part: str) -> None:
    """In any thread: two ledgers of one process would not know of each other."""
    workspace = Workspace(Layout(make_workspace(tmp_path / "work")), Headless("lsp", ()))
    with ThreadPoolExecutor(8) as threads:
        found = {id(each) for each in threads.map(lambda _: getattr(workspace, part), range(64))}
    assert found == {id(getattr(workspace, part))}


def test_what_other_rooms_keep_in_a_workspace_is_made_once(tmp_path: Path) -> None:
    """Each name has its own, and a second workspace has others."""
    first, second = (Workspace(Layout(make_workspace(tmp_path / name)), Headless("lsp", ())) for name in "ab")
    with ThreadPoolExecutor(8) as threads:
        made = {id(part) for part in threads.map(lambda _: first.part("files", object), range(64))}
    assert made == {id(first.part("files", object))}
    assert len({first.part("files", object), first.part("hints", object), second.part("files", object)}) == 3
