"""What one record tells a reviewer: its kind, who was at work, what was refused or let pass. One place for each key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from intentls.core.ledger.person import UNNAMED, person_name, with_person
from intentls.core.ledger.record_json import (
    UNTRACKED,
    RecordJson,
    attestation_of,
    files_of,
    objects,
    text_of,
)
from intentls.core.mutation.classes import ClassSource

_DECLARING = frozenset({"new_intent", "set_status", "expand_scope", "accept_intent"})
_OUTSIDE = "SCOPE_VIOLATION"
_KINDS = {"ai": "agent", "human": "person", "mixed": "several"}


class Kind(StrEnum):
    """What a record is of, for the timeline: one kind each, in the order in which lanes are drawn."""

    CHANGED = "changed"
    REFUSED = "refused"
    LET_PASS = "let pass"
    ATTESTED = "attested"
    DECIDED = "decided"
    OTHER = "other"


def kind_of(record: RecordJson) -> Kind:
    """The kind of a record. One that was refused is a refusal, one that a person let pass is no ordinary change."""
    if attestation_of(record) is not None:
        return Kind.ATTESTED
    if record.get("success") is not True:
        return Kind.REFUSED if code_of(record) else Kind.OTHER
    if any(overrides_of(record)):
        return Kind.LET_PASS
    if record.get("tool_name") in _DECLARING:
        return Kind.DECIDED
    return Kind.CHANGED if is_change(record) else Kind.OTHER


def is_change(record: RecordJson) -> bool:
    """Whether the record is of files that were changed: no decision, no attestation, no refusal.

    One that names files and no content of them is of what a person let pass, before it was done.
    """
    return (
        record.get("success") is True
        and attestation_of(record) is None
        and record.get("tool_name") not in _DECLARING
        and any(text_of(file, "pre_hash") or text_of(file, "post_hash") for file in files_of(record))
    )


def intent_of(record: Mapping[str, Any]) -> str:
    """The intent's id; UNTRACKED for none."""
    return text_of(record, "intent_id") or UNTRACKED


def code_of(record: Mapping[str, Any]) -> str:
    """The code of a refusal, or of what should have been one; "" for none."""
    return text_of(record, "code") or ""


def class_of(record: Mapping[str, Any], settled: Mapping[str, str]) -> str:
    """The mutation class that counts for a record: what `settled` has by its id, else the recorded one."""
    return settled.get(text_of(record, "id") or "") or text_of(record, "mutation_class") or "UNKNOWN"


def is_declared_class(record: Mapping[str, Any]) -> bool:
    """Whether somebody declared the class, so that nothing was inferred."""
    return record.get("mutation_class_source") == ClassSource.DECLARED


def timestamp_of(record: Mapping[str, Any]) -> str:
    """When, as the record has it; "" for none."""
    return text_of(record, "timestamp") or ""


def moment_of(timestamp: str) -> datetime | None:
    """The time that a text names, in UTC; None for what is none."""
    try:
        moment = datetime.fromisoformat(timestamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # overflow: the first or last day of all, in another time zone
        return None


def contributors_of(record: RecordJson) -> Iterator[Mapping[str, Any]]:
    """The contributor of each conversation of each file."""
    for file in files_of(record):
        for conversation in objects(file.get("conversations")):
            contributor = conversation.get("contributor")
            if isinstance(contributor, dict):
                yield contributor


def name_of(contributor: Mapping[str, Any]) -> str:
    """What to call a contributor: by name or model, else `agent`, `person`, for whom it worked where that is known."""
    model = (text_of(contributor, "model_id") or "").rpartition("/")[2]
    return with_person(model or _KINDS.get(text_of(contributor, "type") or "", "unknown"), contributor)


def who_of(record: RecordJson) -> str:
    """All who are named in a record, each once; its session where nobody is."""
    names = dict.fromkeys(name_of(contributor) for contributor in contributors_of(record))
    return ", ".join(names) or f"session {text_of(record, 'session_id') or 'unknown'}"


def paths_of(record: RecordJson) -> tuple[str, ...]:
    """The paths of its files, in their order, each once."""
    return tuple(dict.fromkeys(text_of(file, "path") or "?" for file in files_of(record)))


def overrides_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What people let pass for the record, in the order in which they did."""
    return objects(record.get("overrides")) or objects([record.get("override")])


def approver_of(override: Mapping[str, Any]) -> str:
    """The person who gave an override."""
    return person_name(text_of(override, "by")) or UNNAMED


def is_outside(record: RecordJson) -> bool:
    """Whether this was an attempt outside of the intent's scope, and no person let it pass."""
    if attestation_of(record) is not None or overrides_of(record):
        return False
    return record.get("scope_validation") == "FAIL" or code_of(record) == _OUTSIDE
