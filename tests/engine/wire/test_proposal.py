"""What a client is told of an action that waits for an answer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from intentls.core.gate.refusal import Code, Refusal
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.actions.wording import Subject
from intentls.engine.wire.proposal import Proposal


def told(*edits: PlannedEdit) -> dict[str, Any]:
    refusal = Refusal.of(Code.SCOPE_VIOLATION, "Not in scope.", paths=("a.md",))
    subject = Subject(refusal, "apply_patch", "m", "INT-001", paths=("a.md",), edits=edits)
    params: dict[str, Any] = msgspec.to_builtins(Proposal.of(subject, 60.0))
    return params


def test_the_facts_of_the_question_are_told() -> None:
    """The text by which the question is known again, who asks for what, how long, and which paths."""
    assert told() == {
        "message": "m wants to change a.md. Not in scope.",
        "intent_id": "INT-001",
        "tool_name": "apply_patch",
        "code": "SCOPE_VIOLATION",
        "error": "Not in scope.",
        "paths": ["a.md"],
        "timeout_s": 60.0,
        "files": [],
    }


def test_texts_before_and_after_are_shown() -> None:
    """A file that is not there has no text; a renamed one names where it was."""
    files = told(
        PlannedEdit("a.md", Change.ADD, None, b"new\n"),
        PlannedEdit("b.md", Change.DELETE, b"old\n", None),
        PlannedEdit("d.md", Change.RENAME, b"same\n", b"same\n", old_path="c.md"),
    )["files"]
    assert files == [
        {"path": "a.md", "change": "add", "before": None, "after": "new\n"},
        {"path": "b.md", "change": "delete", "before": "old\n", "after": None},
        {"path": "d.md", "change": "rename", "old_path": "c.md", "before": "same\n", "after": "same\n"},
    ]


def test_text_is_shown_in_its_own_encoding() -> None:
    """UTF-16 without the byte order mark, and Latin-1, as an editor would show them."""
    (file,) = told(PlannedEdit("a.md", Change.MODIFY, "ä\n".encode("utf-16"), "ö\n".encode("latin-1")))["files"]
    assert (file["before"], file["after"]) == ("ä\n", "ö\n")


@pytest.mark.parametrize("content", [b"\x89PNG\0\1", b"x" * ((1 << 20) + 1)], ids=["binary", "large"])
def test_what_nobody_would_read_is_not_shown(content: bytes) -> None:
    """Binary and very large files are named without their content."""
    (file,) = told(PlannedEdit("a.md", Change.MODIFY, b"small\n", content))["files"]
    assert file == {"path": "a.md", "change": "modify"}
