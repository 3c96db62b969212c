"""Check 12: what the edit would make is within the intent's rules. Judged last, since it needs the edit's content.

The contract has no code of its own for it: `CONSTRAINT_VIOLATION` is this project's addition. A rule that can't be
checked is not known to hold, so it refuses, too; trying again does not help, hence the hint.
"""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import ActionHint, Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse an edit that breaks a rule of the selected intent, or one that a rule can't be checked for."""
    intent = situation.intent
    if intent is None or not intent.rules or not situation.intents_known:
        return None
    from intentls.core.constraints import ChangeSet, broken  # slow to import, and most intents have no rules

    found = broken(intent.rules, ChangeSet(action.edits))
    if not found:
        return None
    what = "; ".join(f"{each.message} ({each.rule.key})" for each in found)
    paths = tuple(dict.fromkeys(each.path for each in found if each.path is not None))
    if all(each.checked for each in found):
        error = f"Constraint Violation: {intent.id} forbids this edit: {what}. Choose another edit."
        return Refusal.of(Code.CONSTRAINT_VIOLATION, error, paths=paths)
    error = f"Constraint Error: not every constraint of {intent.id} can be checked: {what}."
    return Refusal.of(Code.HOOK_ERROR, error, paths=paths, action_hint=ActionHint.FIX_CONFIGURATION)
