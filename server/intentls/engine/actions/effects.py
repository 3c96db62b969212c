"""What a use case may need from a face on its way: it yields an effect and is sent the answer.

A guarded action is a generator. It holds no lock while it waits, so a question that nobody answers
holds nobody up. A face drives it with `.send(answer)`; one that can't do either effect uses `drive`.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.engine.actions.request import PlannedEdit
    from intentls.engine.workspace.host import OpenDocument

T = TypeVar("T")


class Answer(StrEnum):
    """A person's answer to a refusal that may be overridden. All but these two mean no."""

    APPROVE = "Approve"
    REJECT = "Reject"
    EXPAND_SCOPE = "Expand scope"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer and whose it is (`by`: a name for the ledger)."""

    answer: Answer
    by: str = "user"


@dataclass(frozen=True, slots=True)
class Ask:
    """May this refused action pass? Sent back: a `Reply`.

    `proposed`: what it would change as things stand now; empty where that can't be told.
    """

    refusal: Refusal
    intent_id: str | None
    tool_name: str
    offers: tuple[Answer, ...]
    timeout_s: float
    proposed: tuple[PlannedEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """An open document's new text."""

    document: OpenDocument
    new_text: str


@dataclass(frozen=True, slots=True)
class ApplyInEditor:
    """Apply these texts in the client, all or none. Sent back: whether the client did (bool)."""

    label: str
    edits: tuple[DocumentEdit, ...]


Effect = Ask | ApplyInEditor
Steps = Generator[Effect, Reply | bool, T]

REJECTED = Reply(Answer.REJECT)


def drive(steps: Steps[T]) -> T:
    """Run to the end for a face that can neither ask nor edit documents: every question is a no."""
    try:
        effect = next(steps)
        while True:
            effect = steps.send(REJECTED if isinstance(effect, Ask) else False)
    except StopIteration as end:
        result: T = end.value
        return result
