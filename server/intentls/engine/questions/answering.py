"""The side that answers: the open questions of a root, what they are about, and a person's word."""

from __future__ import annotations

import logging
from typing import Final

from msgspec import UNSET, UnsetType

from intentls.core.errors import InvalidArgument
from intentls.core.text.encoding import TextFormat
from intentls.engine.actions.authority import acts_for_agent, is_started_by_agent, not_a_person
from intentls.engine.wire.question import (
    ChangeName,
    QuestionAnswered,
    QuestionContents,
    QuestionFile,
    QuestionItem,
    QuestionNotAnswered,
)
from intentls.engine.workspace.people import signature
from intentls.engine.workspace.workspace import Workspace
from intentls.store.questions.held_file import HeldFile
from intentls.store.questions.question_files import AskedFile, Question

log = logging.getLogger(__name__)

_CHANGES: Final[dict[str, ChangeName]] = {"add": "add", "delete": "delete", "rename": "rename"}
CLOSED = "This question is closed: it was answered, timed out or given up."


def open_questions(workspace: Workspace) -> list[Question]:
    """The questions of a root that wait for an answer, oldest first. Trouble with the disk is logged."""
    try:
        return workspace.questions.open()
    except OSError:
        log.warning("the open questions can't be read", exc_info=True)
        return []


def may_listen(workspace: Workspace, session_id: str | None) -> bool:
    """Whether this program may show questions and answer them: none that an agent started, or works through."""
    if workspace.host.face == "lsp":
        return not is_started_by_agent(workspace) and not acts_for_agent(workspace, session_id or "")
    return not_a_person(workspace) is None


def item_of(workspace: Workspace, question: Question, *, own: bool = False) -> QuestionItem:
    """The question as clients get it."""
    return QuestionItem(
        id=question.id,
        root=workspace.root.as_uri(),
        own=own,
        agent=question.agent,
        model=question.model,
        session_id=question.session_id,
        intent_id=question.intent_id,
        intent_name=question.intent_name,
        code=question.code,
        tool=question.tool,
        text=question.text,
        markdown=question.markdown,
        reason=question.reason,
        paths=list(question.paths),
        files=[QuestionFile(file.path, _change(file), file.old_path or UNSET) for file in question.files],
        actions=list(question.actions),
        asked_at=question.asked_at,
        timeout_s=question.timeout_s,
    )


def contents_of(workspace: Workspace, question: Question, path: str) -> QuestionContents:
    """One of its files, before and after. Raises InvalidArgument for a path that is none of them, OSError."""
    for index, file in enumerate(question.files):
        if file.path == path:
            before, after = (_text(workspace, question, index, which) for which in ("before", "after"))
            return QuestionContents(path, _change(file), file.old_path or UNSET, before, after)
    raise InvalidArgument("path", f"{path} is none of the files of {question.id}")


def find(workspace: Workspace, id_: str) -> Question | None:
    """The open question of that id."""
    return next((question for question in open_questions(workspace) if question.id == id_), None)


def give(
    workspace: Workspace, question: Question, action: str, session_id: str | None = None
) -> tuple[HeldFile, QuestionAnswered] | QuestionNotAnswered:
    """A person answers. The file is to be held until the question is closed. Raises OSError."""
    if workspace.host.face == "lsp":
        reason = None if may_listen(workspace, session_id) else "A person answers, not an agent's connection."
    else:
        reason = not_a_person(workspace)
    if reason is not None:
        return QuestionNotAnswered("error", question.id, "NOT_A_PERSON", reason)
    if action not in question.actions:
        choice = ", ".join(question.actions)
        return QuestionNotAnswered("error", question.id, "NOT_OFFERED", f"{action} is not offered; {choice} are.")
    by = signature(workspace)
    held = workspace.questions.answer(question, action, by)
    if held is None:
        return QuestionNotAnswered("error", question.id, "QUESTION_CLOSED", CLOSED)
    return held, QuestionAnswered("ok", question.id, action, by)


def not_taken(question: Question) -> QuestionNotAnswered:
    """Who asks did not take the answer: it came too late, or does not count."""
    message = "The answer was not taken by who asks: another one came first, or the time was up."
    return QuestionNotAnswered("error", question.id, "QUESTION_CLOSED", message)


def _change(file: AskedFile) -> ChangeName:
    return _CHANGES.get(file.change, "modify")


def _text(workspace: Workspace, question: Question, index: int, which: str) -> str | UnsetType | None:
    """A kept content as text; UNSET where it is not kept."""
    file = question.files[index]
    if not file.is_kept:
        return UNSET
    if (file.before if which == "before" else file.after) is None:
        return None
    data = workspace.questions.content(question, index, which)
    return UNSET if data is None else TextFormat.of(data).decode(data)
