"""Check 1: the root's configuration can be trusted."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import ActionHint, Code, Refusal


def check(_action: Action, situation: Situation) -> Refusal | None:
    """Refuse while the intents can't be read, unless policy says `on_invalid: allow`."""
    if situation.config_error is None or situation.lenient:
        return None
    return untrusted(situation.config_error)


def untrusted(reason: str) -> Refusal:
    """What is said of a configuration that can't be trusted; also when policy only warns of it."""
    return Refusal.of(Code.HOOK_ERROR, f"Configuration Error: {reason}", action_hint=ActionHint.FIX_CONFIGURATION)
