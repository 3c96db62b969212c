"""Open questions as clients and `intentls questions --json` get them, and what is answered to an answer."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

ChangeName = Literal["add", "modify", "delete", "rename"]


class QuestionFile(Struct, frozen=True):
    """A file that the action would change."""

    path: str
    change: ChangeName
    old_path: str | UnsetType = UNSET


class QuestionContents(Struct, frozen=True):
    """A file as it is and as it would be: null where there is none, left out where it can't be shown as text."""

    path: str
    change: ChangeName
    old_path: str | UnsetType = UNSET
    before: str | UnsetType | None = UNSET
    after: str | UnsetType | None = UNSET


class QuestionItem(Struct, frozen=True):
    """One open question. `own`: a call on the connection that it is sent to asks."""

    id: str
    root: str
    own: bool
    agent: str | None
    model: str | None
    session_id: str
    intent_id: str | None
    intent_name: str | None
    code: str
    tool: str
    text: str
    markdown: str
    reason: str | None
    paths: list[str]
    files: list[QuestionFile]
    actions: list[str]
    asked_at: str
    timeout_s: float


class QuestionList(Struct, frozen=True):
    """The params of `intentls/questions`: all open questions, oldest first."""

    questions: list[QuestionItem]


class QuestionAnswered(Struct, frozen=True):
    """The answer counts."""

    status: Literal["ok"]
    id: str
    action: str
    by: str


class QuestionNotAnswered(Struct, frozen=True):
    """The answer does not count; `message` says to a person why."""

    status: Literal["error"]
    id: str
    code: Literal["QUESTION_CLOSED", "NOT_OFFERED", "NOT_A_PERSON"]
    message: str
