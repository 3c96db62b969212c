"""The gate: its checks in their fixed order. The first refusal wins.

A new check is one function in `checks` and one line in `GATE` or `CONTENT`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from intentls.core.gate import checks
from intentls.core.gate.action import Action, Situation
from intentls.core.gate.refusal import Code, Refusal

Check = Callable[[Action, Situation], Refusal | None]

GATE: tuple[Check, ...] = (
    checks.configuration_is_valid,
    checks.intent_is_selected,
    checks.intent_exists,
    checks.intent_is_open,
    checks.intent_is_not_ignored,
    checks.cited_intent_is_selected,
    checks.paths_are_writable,
    checks.paths_are_not_ignored,
    checks.paths_are_in_scope,
    checks.base_is_current,
    checks.paths_are_not_leased,
)

CONTENT: tuple[Check, ...] = (checks.constraints_hold, checks.class_is_as_declared)
"""The checks of an action that passed the gate, once it is known what it would make of its files."""

SELECTION: tuple[Check, ...] = (
    checks.configuration_is_valid,
    checks.intent_exists,
    checks.intent_is_open,
    checks.intent_is_not_ignored,
)

PLACE: tuple[Check, ...] = (checks.paths_are_writable,)


def judge(
    action: Action,
    situation: Situation,
    *,
    waived: Collection[Code] = (),
    checks: tuple[Check, ...] = GATE,
) -> Refusal | None:
    """The first refusal whose code a person has not waived for this action; None lets it pass."""
    for check in checks:
        refusal = check(action, situation)
        if refusal is not None and refusal.code not in waived:
            return refusal
    return None
