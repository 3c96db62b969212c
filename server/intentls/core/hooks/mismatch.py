"""Check 6: the intent a call cites is the one its session has selected."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse a call that cites another intent than the selected one."""
    if action.intent_id is None or situation.selected is None or action.intent_id == situation.selected:
        return None
    return Refusal.of(
        Code.INTENT_MISMATCH,
        f"Intent Mismatch: the call cites {action.intent_id}, but {situation.selected} is selected. "
        "Select the intent you work on.",
    )
