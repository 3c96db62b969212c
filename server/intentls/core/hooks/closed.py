"""Check 4: the selected intent is open."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(_action: Action, situation: Situation) -> Refusal | None:
    """Refuse work under an intent that is completed, done or abandoned."""
    intent = situation.intent
    if intent is None or intent.is_open:
        return None
    return Refusal.of(Code.INTENT_CLOSED, f"Intent {intent.id} is {intent.status}. Select an open intent.")
