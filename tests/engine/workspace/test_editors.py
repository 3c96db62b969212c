"""The selection of an editor outlives its server, whenever it is killed and whatever a thread of it notes late."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.editor.continuation import continue_editor
from intentls.engine.intents import checkout
from intentls.engine.workspace.editors import note_editor
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from tests.store.journaling import at_call
from tests.support.workspaces import make_workspace


def window(root: Path, session: str) -> Engine:
    """The engine of a new window's server."""
    return Engine(Headless("editor", (root,), own_session=session))


def opened(engine: Engine, session: str) -> Workspace:
    """The root in this window, with the selection that it goes on with."""
    (workspace,) = engine.workspaces()
    continue_editor(workspace, session, "editor")
    return workspace


def selection(workspace: Workspace, session: str) -> str | None:
    return workspace.sessions.load(session).intent_id


def select(engine: Engine, session: str) -> None:
    drive(checkout.select(engine, session, "INT-001", None, None))


def test_what_is_unsaved_is_noted_no_more_once_the_window_has_ended(tmp_path: Path) -> None:
    """A thread that compares documents is slower than the end: the next window still has the selection."""
    root = make_workspace(tmp_path / "root")
    engine = window(root, "first")
    workspace = opened(engine, "first")
    select(engine, "first")
    engine.end_editor("first", "editor")
    note_editor(workspace, "first", "editor", ["src/api/weather.py"])
    assert selection(opened(window(root, "second"), "second"), "second") == "INT-001"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a window is killed in a process of its own")
@pytest.mark.parametrize("late", [False, True], ids=["before the call", "after the call"])
def test_a_window_killed_at_any_call_while_it_opens_leaves_the_selection_to_the_next(
    tmp_path: Path, late: bool
) -> None:
    """The next window has what the first one selected, wherever the second one was killed."""
    kills = 0
    for number in range(200):
        root = make_workspace(tmp_path / str(number))
        first = window(root, "first")
        opened(first, "first")
        select(first, "first")
        first.end_editor("first", "editor")
        child = os.fork()
        if child == 0:
            with at_call(number, partial(os._exit, 9), late=late):
                opened(window(root, "second"), "second")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert selection(opened(window(root, "third"), "third"), "third") == "INT-001", f"killed at call {number}"
        if os.waitstatus_to_exitcode(status) == 0:
            break
        kills += 1
    assert kills > 5
