"""Check 5: the selected intent is not taken out of use by .intentignore."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(_action: Action, situation: Situation) -> Refusal | None:
    """Refuse work under an intent that `.intentignore` names."""
    selected = situation.selected
    if selected is None or not situation.ignore.excludes_intent(selected):
        return None
    return Refusal.of(Code.INTENT_IGNORED, f"Intent {selected} is excluded by .intentignore.")
