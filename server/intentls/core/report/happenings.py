"""Attempts, approvals and decisions of some records, equal ones together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from msgspec.structs import replace

from intentls.core.ledger.record_json import RecordJson, text_of
from intentls.core.report.content import Approval, Attempt, DeclaredStep
from intentls.core.report.records import (
    Kind,
    approver_of,
    code_of,
    intent_of,
    is_outside,
    kind_of,
    overrides_of,
    paths_of,
    timestamp_of,
    who_of,
)

_Repeated = TypeVar("_Repeated", Attempt, Approval)


def attempts(root: str, records: Iterable[RecordJson]) -> tuple[tuple[Attempt, ...], tuple[Attempt, ...]]:
    """What was tried outside of scopes, and what was refused or warned of for other reasons; in order of time.

    A later try of the same counts with the first: twice the same refusal is one attempt with `count` 2.
    """
    outside: list[Attempt] = []
    others: list[Attempt] = []
    for record in records:
        if overrides_of(record):
            continue
        if is_outside(record):
            outside.append(_attempt(root, record))
        elif code_of(record):
            others.append(_attempt(root, record))
    return _joined(outside, _attempt_key), _joined(others, _attempt_key)


def approvals(root: str, records: Iterable[RecordJson]) -> tuple[Approval, ...]:
    """What people let pass, in order of time."""
    return _joined(
        [
            Approval(
                root,
                intent_of(record),
                approver_of(override),
                text_of(override, "action") or "",
                code_of(override),
                paths_of(record),
                who_of(record),
                text_of(record, "reason") or "",
                1,
                timestamp_of(record),
                timestamp_of(record),
            )
            for record in records
            for override in overrides_of(record)
        ],
        lambda one: (one.root, one.intent_id, one.by, one.action, one.code, one.paths, one.who, one.reason),
    )


def decisions(root: str, records: Iterable[RecordJson]) -> tuple[DeclaredStep, ...]:
    """What people decided about intents, in order of time."""
    return tuple(
        DeclaredStep(
            root,
            intent_of(record),
            text_of(record, "tool_name") or "",
            who_of(record),
            text_of(record, "reason") or "",
            timestamp_of(record),
        )
        for record in records
        if kind_of(record) is Kind.DECIDED
    )


def _attempt(root: str, record: RecordJson) -> Attempt:
    return Attempt(
        root,
        intent_of(record),
        code_of(record) or "SCOPE_VIOLATION",
        paths_of(record),
        who_of(record),
        text_of(record, "tool_name") or "",
        text_of(record, "error") or "",
        record.get("success") is True,
        1,
        timestamp_of(record),
        timestamp_of(record),
    )


def _attempt_key(one: Attempt) -> Hashable:
    return (one.root, one.intent_id, one.code, one.paths, one.who, one.tool, one.message, one.went_ahead)


def _joined(all_: Iterable[_Repeated], key: Callable[[_Repeated], Hashable]) -> tuple[_Repeated, ...]:
    by_key: dict[Hashable, _Repeated] = {}
    for one in all_:
        first = by_key.setdefault(key(one), one)
        if first is not one:
            by_key[key(one)] = replace(
                first,
                count=first.count + 1,
                first=min(first.first, one.first),
                last=max(first.last, one.last),
            )
    return tuple(sorted(by_key.values(), key=lambda one: one.first))
