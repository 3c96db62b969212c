"""A use case that asks on its way, and what drives it."""

from __future__ import annotations

from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.effects import (
    REJECTED,
    Answer,
    ApplyInEditor,
    Ask,
    FinalResult,
    Reply,
    Steps,
    advance,
    drive,
    refuse,
)

QUESTION = Ask(Refusal.of(Code.SCOPE_VIOLATION, "No."), "INT-001", "edit_file", (Answer.APPROVE,), 1)
EDIT = ApplyInEditor("edit_file", ())


def both() -> Steps[tuple[object, object]]:
    first = yield QUESTION
    second = yield EDIT
    return first, second


def test_each_effect_is_sent_the_answer_to_itself() -> None:
    yes = Reply(Answer.APPROVE, "Ada")
    assert drive(both(), lambda effect: yes if effect is QUESTION else True) == (yes, True)


def test_a_face_that_waits_takes_one_step_at_a_time() -> None:
    steps = both()
    assert advance(steps) is QUESTION
    assert advance(steps, REJECTED) is EDIT
    assert advance(steps, False) == FinalResult((REJECTED, False))


def test_a_face_that_can_neither_ask_nor_edit_says_no_to_both() -> None:
    assert drive(both()) == (Reply(Answer.REJECT), False)
    assert refuse(QUESTION) == REJECTED
