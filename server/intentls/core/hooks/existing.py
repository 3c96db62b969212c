"""Check 3: the selected intent still exists."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.hooks.required import MUST_CITE
from intentls.core.verdict import Code, Refusal


def check(_action: Action, situation: Situation) -> Refusal | None:
    """Refuse when the selected intent is gone from the intents file."""
    if situation.selected is None or situation.intent is not None or not situation.intents_known:
        return None
    return Refusal.of(Code.INTENT_NOT_FOUND, MUST_CITE)
