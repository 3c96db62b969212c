"""The gate: its checks in their fixed order, and the decision. The first refusal wins.

A new check is one function in `checks` and one line in `GATE` or `CONTENT`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.gate import checks
from intentls.core.gate.action import Action, Facts
from intentls.core.gate.policy import Mode, OnTraceFailure, Policy
from intentls.core.gate.refusal import Code, Override, Refusal

log = logging.getLogger(__name__)

Check = Callable[[Action, Facts, Policy], Refusal | None]

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
    checks.declared_files_are_a_persons,
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

ALWAYS: tuple[Check, ...] = (checks.paths_are_writable, checks.declared_files_are_a_persons)
"""The checks that hold even where policy only advises: what guards the disk itself, and what agents may do."""


class Decision(Struct, frozen=True):
    """What the gate says of an action: `refusal` stops it; `advice` is what policy lets pass, as a warning."""

    refusal: Refusal | None = None
    advice: Refusal | None = None


def decide(facts: Facts, action: Action, policy: Policy, *, waived: Collection[Code] = ()) -> Decision:
    """Whether `action` may happen. `waived` are the codes that a person let pass for this one action.

    An action is decided twice: by `GATE` before its edits are known, by `CONTENT` once they are (`action.edits`).
    Pure: the same facts, action and policy always give the same decision. A check that fails is a refusal.

    Example: a write to `docs/a.md` under an intent whose scope is `src/**` is refused with SCOPE_VIOLATION; with that
    code waived it passes; under `mode: advise` it passes, and the refusal is the advice. A write to `.git/config` is
    refused in each of the three cases, an agent's write to a declared file in all but the second.
    """
    order = GATE if action.edits is None else CONTENT
    advisory = policy.mode is Mode.ADVISE
    try:
        if advisory:
            # Advice ends at the first refusal, which must not hide one that holds always.
            final = first_refusal(facts, action, policy, ALWAYS, waived=waived)
            if final is not None:
                return Decision(final)
            refusal = first_refusal(facts, action, policy, order)
        else:
            refusal = first_refusal(facts, action, policy, order, waived=waived) or _ledger_refusal(facts, policy)
    except Exception:
        log.exception("a check of the gate failed for %s", action.tool_name)
        error = "Hook Error: a pre-hook failed, so the action was refused. See the log and retry."
        refusal = Refusal.of(Code.HOOK_ERROR, error)
    if refusal is None:
        reason = facts.config_error
        return Decision(advice=None if reason is None else checks.invalid_configuration(reason))
    return Decision(advice=refusal) if advisory else Decision(refusal)


def waived_codes(facts: Facts, action: Action, policy: Policy, overrides: Collection[Override]) -> frozenset[Code]:
    """The codes that `overrides` still let pass: an override is good for the paths that it was given for.

    Example: `Approve` for SCOPE_VIOLATION on `docs/a.md` waives that code for an action on `docs/a.md`. If by now
    `docs/b.md` of the same action is out of scope too, it waives nothing, and the person is asked again.
    """
    codes = frozenset(Code(override.code) for override in overrides)
    waived = set()
    for override in overrides:
        refusal = decide(facts, action, policy, waived=codes - {override.code}).refusal
        if refusal is None or refusal.code != override.code or set(refusal.paths) <= set(override.paths):
            waived.add(Code(override.code))
    return frozenset(waived)


def first_refusal(
    facts: Facts, action: Action, policy: Policy, order: tuple[Check, ...], *, waived: Collection[Code] = ()
) -> Refusal | None:
    """The first refusal of the checks in `order` whose code is not waived; None if there is none.

    While a declared file has a merge conflict the refusal says so: what was refused may be what the merge brings.
    """
    for check in order:
        refusal = check(action, facts, policy)
        if refusal is not None and refusal.code not in waived:
            return refusal if facts.conflict is None else replace(refusal, error=f"{refusal.error} {facts.conflict}")
    return None


def _ledger_refusal(facts: Facts, policy: Policy) -> Refusal | None:
    if facts.ledger_error is None or policy.on_trace_failure is not OnTraceFailure.BLOCK:
        return None
    return Refusal.of(Code.HOOK_ERROR, facts.ledger_error)
