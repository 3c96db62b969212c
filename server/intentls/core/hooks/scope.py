"""Check 9: every path is in the selected intent's scope."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse paths that the intent does not own, and say who does."""
    intent = situation.intent
    if intent is None or not situation.intents_known:
        return None
    foreign = tuple(t.path for t in action.targets if not situation.admits(intent, t.path))
    if not foreign:
        return None
    return Refusal.of(
        Code.SCOPE_VIOLATION,
        f"Scope Violation: {intent.id} is not authorized to edit [{', '.join(foreign)}]. Request scope expansion.",
        paths=foreign,
        owners=situation.owners(*foreign),
    )
