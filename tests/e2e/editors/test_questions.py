"""People in the loop: a refusal put to the person at the editor, and every way it can end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from tests.e2e.editors.conftest import Editor
from tests.support.session import ledger_of

pytestmark = pytest.mark.usefixtures("each_store")

POLICY = "hitl_timeout_s: 2\n"


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


async def test_silence_means_no_after_a_while_and_nobody_else_waits(editor: Editor) -> None:
    """While a question is open everything else is served; unanswered, it ends as a refusal."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def silent(params: types.ShowMessageRequestParams) -> None:
        asked.set()
        await go_on.wait()

    editor.client.protocol.fm.features.pop(types.WINDOW_SHOW_MESSAGE_REQUEST)
    editor.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(silent)
    waiting = asyncio.ensure_future(_write_outside(editor))
    await asyncio.wait_for(asked.wait(), 10)
    assert (await editor.do("writeToFile", path="src/api/other.py", content="x\n"))["status"] == "ok"
    assert not waiting.done()
    assert (await asyncio.wait_for(waiting, 20))["code"] == "SCOPE_VIOLATION"
    go_on.set()


async def test_what_nobody_may_override_is_not_asked_about(editor: Editor) -> None:
    """A protected path is refused without a question."""
    editor.answer = _answering("Approve")
    await editor.do("selectActiveIntent", intent_id="INT-001")
    answer = await editor.do("writeToFile", path=".git/config", content="x")
    assert (answer["code"], editor.questions) == ("PROTECTED_PATH", [])
