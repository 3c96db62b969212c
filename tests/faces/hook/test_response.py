"""What an agent reads after its tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.engine.tools.shell_call import ShellChanges
from intentls.faces.hook.response import after_text

UNTRACED = (
    "trace: degraded. What was changed in {} is not on record: its ledger can't be written. "
    "Tell the user to make .orchestration/agent_trace.jsonl writable."
)


@pytest.mark.parametrize("changes", [None, ShellChanges()])
def test_where_all_is_on_record_nothing_is_said(changes: ShellChanges | None) -> None:
    assert after_text(changes, ()) == ""


def test_roots_whose_ledger_can_not_be_written_are_named(tmp_path: Path) -> None:
    """In order, behind what is said of the change."""
    one, two = tmp_path / "one", tmp_path / "two"
    assert after_text(None, (two, one)) == UNTRACED.format(f"{one}, {two}")
    failed = after_text(ShellChanges(git_failed=True), (one,))
    assert failed.startswith("After this command git can't tell")
    assert failed.endswith(UNTRACED.format(one))
