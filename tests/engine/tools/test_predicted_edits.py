"""What a host's own tool is about to make of its files, read from what it was called with."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.engine.actions.request import PlannedEdit
from intentls.engine.tools.predicted_edits import predict_plan

PATCH = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+y\n"
CONTENTS = {"src/a.py": b"x = 1\n", "b.py": None}


def foreseen(tool: str, params: dict[str, Any], *paths: str) -> tuple[PlannedEdit, ...] | None:
    """The edits, with each path judged as if it lay below /work."""
    plan = predict_plan(params, paths, tool)
    if plan is None:
        return None
    return plan.edits({path: path.removeprefix("/work/") for path in paths}, CONTENTS)


@pytest.mark.parametrize("key", ["patch", "diff", "input"])
@pytest.mark.parametrize("folder", ["", "/work/"])
def test_a_patch_is_foreseen_wherever_its_names_begin(folder: str, key: str) -> None:
    """An editor judges the names as they are, a hook the absolute paths that they lead to."""
    edits = foreseen("apply_patch", {key: PATCH}, f"{folder}src/a.py", f"{folder}b.py")
    assert edits is not None
    assert [(edit.path, edit.after) for edit in edits] == [("src/a.py", b"x = 2\n"), ("b.py", b"y\n")]


def test_a_patch_whose_names_are_not_what_is_judged_tells_nothing() -> None:
    """Neither does one that can't be read, or a text that only happens to stand where a patch might."""
    assert foreseen("apply_patch", {"patch": PATCH}, "/work/src/a.py", "/elsewhere/b.py") is None
    assert foreseen("apply_patch", {"patch": "hello"}, "src/a.py") is None
    assert foreseen("search_replace", {"diff": PATCH}, "src/a.py") is None


def test_deleting_and_renaming_are_told_by_the_tools_name() -> None:
    """Their parameters are nothing but paths."""
    (deleted,) = foreseen("delete_file", {"path": "src/a.py"}, "/work/src/a.py") or ()
    assert (deleted.path, deleted.before, deleted.after) == ("src/a.py", b"x = 1\n", None)
    (renamed,) = foreseen("rename_file", {"path": "src/a.py", "new_path": "b.py"}, "src/a.py", "b.py") or ()
    assert (renamed.old_path, renamed.path, renamed.after) == ("src/a.py", "b.py", b"x = 1\n")
    assert foreseen("paint", {"path": "src/a.py"}, "src/a.py") is None
