"""An edit is what it was declared to be, where policy asks for that."""

from __future__ import annotations

from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.checks import class_is_as_declared
from intentls.core.gate.policy import MutationCheck, Policy
from intentls.core.gate.refusal import ActionHint, Code, ErrorType

BLOCK = Policy(mutation_check=MutationCheck.BLOCK)
CONTRADICTED = Action(
    "write_to_file", (Target("a.py"),), contradiction="this was declared DOCUMENTATION, but it is not"
)


def test_a_contradicted_class_is_refused_where_policy_asks_for_it() -> None:
    refusal = class_is_as_declared(CONTRADICTED, Facts(), BLOCK)
    assert refusal is not None
    assert (refusal.code, refusal.error_type) == (Code.MUTATION_CLASS_CONTRADICTED, ErrorType.HOOK_BLOCKED)
    assert (refusal.action_hint, refusal.paths) == (ActionHint.DECLARE_ANOTHER_CLASS, ("a.py",))
    assert "declared DOCUMENTATION" in refusal.error


def test_elsewhere_and_without_a_contradiction_it_passes() -> None:
    assert class_is_as_declared(CONTRADICTED, Facts(), Policy()) is None
    assert class_is_as_declared(Action("write_to_file"), Facts(), BLOCK) is None
