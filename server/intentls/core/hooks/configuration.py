"""Check 1: the root's configuration can be trusted."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import ActionHint, Code, Refusal


def check(_action: Action, situation: Situation) -> Refusal | None:
    """Refuse while the intents can't be read, unless policy says `on_invalid: allow`."""
    if situation.config_error is None or situation.lenient:
        return None
    return Refusal.of(
        Code.HOOK_ERROR,
        f"Configuration Error: {situation.config_error}",
        action_hint=ActionHint.FIX_CONFIGURATION,
    )
