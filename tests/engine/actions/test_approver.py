"""What a person is asked."""

from __future__ import annotations

import pytest

from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.gate import decide
from intentls.core.gate.policy import Policy
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.scope import Scope
from intentls.engine.actions.approval import question_text
from intentls.engine.actions.effects import Answer, Ask

INTENTS = {
    "INT-001": Intent("INT-001", scope=Scope.parse(["src/**"])),
    "INT-002": Intent("INT-002", status=Status.DONE),
}
HASH, OTHER = "sha256:" + "a" * 64, "sha256:" + "b" * 64


@pytest.mark.parametrize(
    ("intent_id", "target", "asked"),
    [
        ("INT-001", Target("docs/a"), "Scope Violation: INT-001 is not authorized to edit [docs/a]."),
        ("INT-001", Target("src/a", True, OTHER, HASH), "Stale File: src/a was modified since you read it."),
        ("INT-001", Target("src/a", True, OTHER), "Base Hash Required: src/a was not read in this session."),
        ("INT-002", Target("src/a"), "Intent INT-002 is DONE."),
    ],
)
def test_a_person_is_asked_without_the_advice_that_is_meant_for_the_agent(
    intent_id: str, target: Target, asked: str
) -> None:
    """Why it was refused, as the gate says it, and not what an agent should do next."""
    facts = Facts(selected=intent_id, intents=INTENTS)
    refusal = decide(facts, Action("edit_file", (target,)), Policy(require_base=True)).refusal
    assert refusal is not None
    assert refusal.error.startswith(asked) and refusal.error != asked
    question = Ask(refusal, intent_id, "edit_file", (Answer.APPROVE, Answer.REJECT), 1)
    assert question_text(question) == f"{intent_id}: edit_file? {asked}"
