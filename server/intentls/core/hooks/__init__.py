"""The gate: pre-hooks in their fixed order. The first refusal wins.

A new check is one new file and one line in `GATE`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from intentls.core.action import Action, Situation
from intentls.core.hooks import (
    base,
    closed,
    configuration,
    constraint,
    contradicted,
    existing,
    ignored_intent,
    ignored_path,
    leased,
    mismatch,
    place,
    required,
    scope,
)
from intentls.core.verdict import Code, Refusal

PreHook = Callable[[Action, Situation], Refusal | None]

GATE: tuple[PreHook, ...] = (
    configuration.check,  # 1  the root's config can be trusted
    required.check,  # 2  the session has an active intent
    existing.check,  # 3  it still exists
    closed.check,  # 4  it is open
    ignored_intent.check,  # 5  it is not in .intentignore
    mismatch.check,  # 6  the call cites the selected one, if any
    place.check,  # 7  every path is inside and not protected
    ignored_path.check,  # 8  no path is ignored
    scope.check,  # 9  every path is in scope
    base.check,  # 10 nothing changed since it was read
    leased.check,  # 11 no path is leased to another session
)

CONTENT: tuple[PreHook, ...] = (
    constraint.check,  # 12 what it would make is within the intent's rules
    contradicted.check,  # 13 it is what it was declared to be
)
"""Judged of an action that passed the gate, once it is known what it would make of its files."""

SELECTION: tuple[PreHook, ...] = (
    configuration.check,
    existing.check,
    closed.check,
    ignored_intent.check,
)

PLACE: tuple[PreHook, ...] = (place.check,)


def judge(
    action: Action,
    situation: Situation,
    *,
    waived: Collection[Code] = (),
    hooks: tuple[PreHook, ...] = GATE,
) -> Refusal | None:
    """The first refusal whose code a person has not waived for this action; None lets it pass."""
    for hook in hooks:
        refusal = hook(action, situation)
        if refusal is not None and refusal.code not in waived:
            return refusal
    return None
