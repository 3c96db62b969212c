"""Check 2: the session has an active intent."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal

MUST_CITE = "You must cite a valid active Intent ID."


def check(_action: Action, situation: Situation) -> Refusal | None:
    """Refuse an edit that answers to no intent."""
    if situation.selected is not None or not situation.intents_known:
        return None
    return Refusal.of(Code.INTENT_REQUIRED, MUST_CITE)
