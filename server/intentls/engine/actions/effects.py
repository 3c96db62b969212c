"""What a use case may need from a face on its way: it yields an effect and is sent the answer.

A guarded action is a generator. It holds no lock while it waits, so an open question delays no other edit. A face
that waits for people and editors takes each step with `advance`; one that can answer at once uses `drive`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from intentls.engine.actions.wording import Subject
    from intentls.engine.workspace.host import OpenDocument
    from intentls.engine.workspace.workspace import Workspace

T = TypeVar("T")


class Answer(StrEnum):
    """A person's answer to a refusal that may be overridden. All but these two mean no."""

    APPROVE = "Approve"
    REJECT = "Reject"
    EXPAND_SCOPE = "Expand scope"


class Reply(Struct, frozen=True):
    """An answer and whose it is. `by` is a name for the ledger; "" stands for the user of this machine."""

    answer: Answer
    by: str = ""


class Ask(Struct, frozen=True):
    """May this refused action pass? Sent back: a `Reply`.

    `asks_here`: the client of this connection may be asked. `has_listener`: so may others that have the root open.
    """

    subject: Subject
    offers: tuple[Answer, ...]
    timeout_s: float
    workspace: Workspace
    session_id: str
    model: str | None = None
    asks_here: bool = True
    has_listener: bool = False


class DocumentEdit(Struct, frozen=True):
    """An open document's new text."""

    document: OpenDocument
    new_text: str


class ApplyInEditor(Struct, frozen=True):
    """Apply these texts in the client, all or none. Sent back: whether the client did (bool)."""

    label: str
    edits: tuple[DocumentEdit, ...]


Effect = Ask | ApplyInEditor
Steps = Generator[Effect, Reply | bool, T]

REJECTED = Reply(Answer.REJECT)


class FinalResult(Struct, Generic[T], frozen=True):
    """A use case came to its end with this result."""

    value: T


def advance(steps: Steps[T], answer: Reply | bool | None = None) -> Effect | FinalResult[T]:
    """One step: the next effect, or the result. `answer` is to the last effect; None at first, and for no answer."""
    try:
        return next(steps) if answer is None else steps.send(answer)
    except StopIteration as end:
        return FinalResult(end.value)


def refuse(effect: Effect) -> Reply | bool:
    """The answer of a face that can neither ask a person nor edit documents."""
    return REJECTED if isinstance(effect, Ask) else False


def drive(steps: Steps[T], answer: Callable[[Effect], Reply | bool] = refuse) -> T:
    """Run to the end; `answer` gives the answer to each effect at once.

    Example: `drive(perform(engine, request))` is the result of a write for which no person is asked.
    """
    step = advance(steps)
    while not isinstance(step, FinalResult):
        step = advance(steps, answer(step))
    return step.value
