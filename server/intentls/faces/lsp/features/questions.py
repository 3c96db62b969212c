"""Our own requests about questions: list them, look at what one is about, answer it."""

from __future__ import annotations

from typing import Any

import msgspec

from intentls.core.errors import InvalidArgument
from intentls.faces.lsp.connection import LspConnection

LIST = "intentls/listQuestions"
CONTENTS = "intentls/questionContents"
ANSWER = "intentls/answerQuestion"


async def list_questions(connection: LspConnection, _params: Any) -> Any:
    """All open questions that this client shows."""
    return msgspec.to_builtins(connection.questions.list())


async def question_contents(connection: LspConnection, params: Any) -> Any:
    """A file of a question, before and after."""
    id_, path = _text(params, "id"), _text(params, "path")
    return msgspec.to_builtins(await connection.questions.contents(id_, path))


async def answer_question(connection: LspConnection, params: Any) -> Any:
    """The person at the client answers."""
    id_, action = _text(params, "id"), _text(params, "action")
    return msgspec.to_builtins(await connection.questions.answer(id_, action))


def _text(params: Any, name: str) -> str:
    value = params.get(name) if isinstance(params, dict) else None
    if not isinstance(value, str):
        raise InvalidArgument(name, "must be a text")
    return value
