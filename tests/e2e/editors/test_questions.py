"""People in the loop: a refusal put to the person at the editor, and every way it can end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from tests.e2e.editors.conftest import TIMEOUT_S, Editor
from tests.support.session import ledger_of
from tests.support.workspaces import write_files

pytestmark = pytest.mark.usefixtures("each_store")

POLICY = ".orchestration/policy.yaml"


def _answering(title: str) -> Any:
    return lambda params: next(action for action in params.actions if action.title == title)


async def _write_outside(editor: Editor) -> dict[str, Any]:
    await editor.do("selectActiveIntent", intent_id="INT-001")
    return await editor.do("writeToFile", path="docs/design.md", content="# New\n")


async def test_approve_lets_this_one_action_pass_and_is_on_record(editor: Editor) -> None:
    """An approved edit lands, its record says who waived what, and the next one is asked about again."""
    editor.answer = _answering("Approve")
    assert (await _write_outside(editor))["status"] == "ok"
    (question,) = editor.questions
    assert [action.title for action in question.actions or []] == ["Approve", "Reject", "Expand scope"]
    assert "docs/design.md" in question.message
    record = ledger_of(editor.root)[-1]
    assert record["override"]["action"] == "Approve" and record["override"]["code"] == "SCOPE_VIOLATION"
    assert record["override"]["by"] and record["scope_validation"] == "EXEMPT"
    editor.answer = _answering("Reject")
    assert (await editor.do("writeToFile", path="docs/design.md", content="x\n"))["code"] == "SCOPE_VIOLATION"


async def test_expand_scope_edits_the_intents_file_and_lets_it_pass(editor: Editor) -> None:
    """The path joins the intent's owned_scope as a text edit, so the next edit needs no question."""
    editor.answer = _answering("Expand scope")
    assert (await _write_outside(editor))["status"] == "ok"
    assert '"docs/design.md"' in (editor.root / ".orchestration/active_intents.yaml").read_text()
    assert ledger_of(editor.root)[-1]["scope_validation"] == "PASS"
    assert (await editor.do("writeToFile", path="docs/design.md", content="x\n"))["status"] == "ok"
    assert len(editor.questions) == 1


async def test_reject_and_dismissal_and_nonsense_all_mean_no(editor: Editor) -> None:
    """Everything but a clear yes leaves the refusal as it is."""
    for answer in (_answering("Reject"), lambda _: None, lambda _: types.MessageActionItem("Maybe")):
        editor.answer = answer
        assert (await _write_outside(editor))["code"] == "SCOPE_VIOLATION"
    assert (editor.root / "docs/design.md").read_text() == "# Design\n"


async def test_while_a_question_is_open_everything_else_is_served(editor: Editor) -> None:
    """Only the call that it is about waits."""
    asked, go_on = _considered(editor)
    waiting = asyncio.ensure_future(_write_outside(editor))
    await asyncio.wait_for(asked.wait(), TIMEOUT_S)
    assert (await editor.do("writeToFile", path="src/api/other.py", content="x\n"))["status"] == "ok"
    assert not waiting.done()
    go_on.set()
    assert (await waiting)["code"] == "SCOPE_VIOLATION"


async def test_silence_means_no_after_a_while(editor: Editor) -> None:
    """A question that nobody answers ends as a refusal."""
    write_files(editor.root, {POLICY: "hitl_timeout_s: 1\n"})
    asked, go_on = _considered(editor)
    assert (await _write_outside(editor))["code"] == "SCOPE_VIOLATION"
    await asyncio.wait_for(asked.wait(), TIMEOUT_S)
    go_on.set()


def _considered(editor: Editor) -> tuple[asyncio.Event, asyncio.Event]:
    """A person who says no once the second event is there; the first one tells that they are asked."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def consider(params: types.ShowMessageRequestParams) -> None:
        asked.set()
        await go_on.wait()

    editor.client.protocol.fm.features.pop(types.WINDOW_SHOW_MESSAGE_REQUEST)
    editor.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(consider)
    return asked, go_on


async def test_what_nobody_may_override_is_not_asked_about(editor: Editor) -> None:
    """A protected path is refused without a question."""
    editor.answer = _answering("Approve")
    await editor.do("selectActiveIntent", intent_id="INT-001")
    answer = await editor.do("writeToFile", path=".git/config", content="x")
    assert (answer["code"], editor.questions) == ("PROTECTED_PATH", [])
