"""What an action that waits for a person's answer would change: the params of `intentls/proposed`."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from intentls.core.mutation.classes import Change
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.actions.wording import Subject

_MAX_BYTES = 1 << 20  # of a file's content: nobody reads more than that before answering


class ProposedFile(Struct, frozen=True):
    """A file as it is and as it would be: null where there is none, left out where it can't be shown as text."""

    path: str
    change: Literal["add", "modify", "delete", "rename"]
    old_path: str | UnsetType = UNSET
    before: str | UnsetType | None = UNSET
    after: str | UnsetType | None = UNSET


class Proposal(Struct, frozen=True):
    """The question's facts; `message` is the text that it will be asked with, by which a client recognises it."""

    message: str
    intent_id: str | None
    tool_name: str
    code: str
    error: str
    paths: list[str]
    timeout_s: float
    files: list[ProposedFile]

    @classmethod
    def of(cls, subject: Subject, timeout_s: float) -> Proposal:
        """The params for a question about `subject`."""
        return cls(
            subject.message,
            subject.intent_id,
            subject.tool_name,
            subject.refusal.code.value,
            subject.refusal.error,
            list(subject.refusal.paths),
            timeout_s,
            [_file(edit) for edit in subject.edits],
        )


def _file(edit: PlannedEdit) -> ProposedFile:
    old_path = edit.old_path if edit.change is Change.RENAME and edit.old_path is not None else UNSET
    contents = [content for content in (edit.before, edit.after) if content is not None]
    if any(is_binary(content) or len(content) > _MAX_BYTES for content in contents):
        return ProposedFile(edit.path, edit.change.value, old_path)
    return ProposedFile(edit.path, edit.change.value, old_path, _text(edit.before), _text(edit.after))


def _text(content: bytes | None) -> str | None:
    return None if content is None else TextFormat.of(content).decode(content)
