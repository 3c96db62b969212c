"""What another machine is shown of a question's files, where policy lets it leave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from intentls.core.gate.refusal import Code, Refusal
from intentls.core.mutation.classes import Change
from intentls.engine.actions.effects import Answer, Ask
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.actions.wording import Subject
from intentls.engine.questions.excerpts import excerpts_of, shown_excerpt
from intentls.engine.questions.posting import Posting
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.workspaces import write_files

pytestmark = pytest.mark.usefixtures("each_store")

SAME = "⋯ lines that stay as they are ⋯\n"


def _excerpts(root: Path, *edits: PlannedEdit, policy: str = "question_excerpts: true\n") -> object:
    write_files(root, {".orchestration/policy.yaml": policy})
    workspace = Engine(Headless("cli", (root,))).workspace(root)
    refusal = Refusal(Code.SCOPE_VIOLATION, "It is outside.", paths=("docs/design.md",))
    subject = Subject(refusal, "apply_patch", "lab/m", "INT-001", paths=("docs/design.md",), edits=edits)
    posting = Posting(Ask(subject, (Answer.APPROVE,), 120, workspace, "agent-1"))
    try:
        return excerpts_of(workspace, posting.question)
    finally:
        posting.close()


def _lines(*numbers: object) -> str:
    return "".join(f"{number}\n" for number in numbers)


def _edit(before: str | None, after: str | None) -> PlannedEdit:
    change = Change.ADD if before is None else Change.DELETE if after is None else Change.MODIFY
    return PlannedEdit("docs/design.md", change, *(None if text is None else text.encode() for text in (before, after)))


def test_nothing_is_shown_unless_policy_says_so(workspace: Path) -> None:
    """Neither by default nor where the policy has an error."""
    for policy in ("", "question_excerpts: perhaps\n"):
        assert _excerpts(workspace, _edit("one\n", "two\n"), policy=policy) is None


def test_changed_lines_are_shown_with_three_around_them(workspace: Path) -> None:
    """Of the secrets at the other end of the file nothing leaves."""
    before, after = _lines(*range(40)), _lines(*range(10), "ten", *range(11, 30), "29b", *range(30, 40))
    assert _excerpts(workspace, _edit(before, after)) == [
        {
            "before": SAME + _lines(*range(7, 14)) + SAME + _lines(*range(27, 33)) + SAME,
            "after": SAME + _lines(7, 8, 9, "ten", 11, 12, 13) + SAME + _lines(27, 28, 29, "29b", 30, 31, 32) + SAME,
        }
    ]


def test_changes_near_each_other_and_at_the_ends_are_one_part(workspace: Path) -> None:
    before, after = _lines(*range(8)), _lines("first", *range(7))
    assert _excerpts(workspace, _edit(before, after)) == [{"before": before, "after": after}]


def test_a_file_that_comes_or_goes_is_shown_whole(workspace: Path) -> None:
    assert _excerpts(workspace, _edit(None, "new\n"), _edit("old\n", None)) == [
        {"before": None, "after": "new\n"},
        {"before": "old\n", "after": None},
    ]


def test_what_is_no_text_or_too_long_is_left_out(workspace: Path) -> None:
    """The rest of the question's files is shown; what escapes take counts."""
    long, emoji = _edit(None, "x" * 30_000), _edit(None, "\U0001f327" * 2_100)
    binary = PlannedEdit("docs/design.md", Change.ADD, None, b"\0\1")
    latin = PlannedEdit("docs/design.md", Change.ADD, None, "Grüße".encode("latin-1"))
    shown = _excerpts(workspace, long, emoji, binary, latin, _edit(None, "new\n"))
    assert shown == [None, None, None, None, {"before": None, "after": "new\n"}]


@pytest.mark.parametrize("entry", [{}, {"before": None, "after": None}, {"before": 3, "after": "x"}, {"after": "x"}])
def test_a_row_without_two_texts_shows_nothing(entry: dict[str, object]) -> None:
    assert shown_excerpt(entry) is None


def test_what_another_machine_writes_is_a_text_whatever_is_in_it() -> None:
    """Marks that hide text stay: the editor shows them to who decides."""
    entry = json.loads('{"before": "\\u202e\\ud800\\u0000", "after": null}')
    assert shown_excerpt(entry) == ("\u202e?\0".encode(), None)
