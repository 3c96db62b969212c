"""What an action that waits for a person's answer would change: the params of `intentls/proposed`."""

from __future__ import annotations

from typing import Any

from intentls.core.change_kind import Change
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.actions.effects import Ask
from intentls.engine.actions.request import PlannedEdit

Json = dict[str, Any]

_MOST_BYTES = 1 << 20  # of a file's content: nobody reads more than that before answering


def proposal(question: Ask, message: str) -> Json:
    """The question's facts; `message` is the text that it will be asked with, by which a client knows it again."""
    return {
        "message": message,
        "intent_id": question.intent_id,
        "tool_name": question.tool_name,
        "code": question.refusal.code.value,
        "error": question.refusal.error,
        "paths": list(question.refusal.paths),
        "timeout_s": question.timeout_s,
        "files": [_file(edit) for edit in question.proposed],
    }


def _file(edit: PlannedEdit) -> Json:
    named: Json = {"path": edit.path, "change": edit.change.value}
    if edit.change is Change.RENAME and edit.old_path is not None:
        named["old_path"] = edit.old_path
    contents = [content for content in (edit.before, edit.after) if content is not None]
    if any(is_binary(content) or len(content) > _MOST_BYTES for content in contents):
        return named
    return {**named, "before": _text(edit.before), "after": _text(edit.after)}


def _text(content: bytes | None) -> str | None:
    return None if content is None else TextFormat.of(content).decode(content)
