"""Check 13: the edit is what it was declared to be, where policy asks for that (`mutation_check: block`).

The contract has no code of its own for it: `MUTATION_CLASS_CONTRADICTED` is this project's addition.
"""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse an edit whose content contradicts the mutation class that was declared."""
    if action.contradiction is None or not situation.mutation_class_enforced:
        return None
    error = f"Mutation Class Contradicted: {action.contradiction}. Declare another class, or choose another edit."
    return Refusal.of(Code.MUTATION_CLASS_CONTRADICTED, error, paths=tuple(target.path for target in action.targets))
