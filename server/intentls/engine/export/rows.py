"""The ledger as a table: one row for each range of lines; a file without ranges, or a record without files, has one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from intentls.core.ledger.record_json import objects

Row = tuple[str | int | bool | None, ...]
_Parts = tuple[dict[str, Any], ...]
"""Record, file, conversation, range, contributor; empty where there is none."""

_RECORD, _FILE, _CONVERSATION, _RANGE, _CONTRIBUTOR = range(5)
COLUMNS: Mapping[str, tuple[type, int, str]] = MappingProxyType(
    {
        "timestamp": (str, _RECORD, "timestamp"),
        "record_id": (str, _RECORD, "id"),
        "tool": (str, _RECORD, "tool.name"),
        "intent_id": (str, _RECORD, "intent_id"),
        "session_id": (str, _RECORD, "session_id"),
        "tool_name": (str, _RECORD, "tool_name"),
        "mutation_class": (str, _RECORD, "mutation_class"),
        "scope_validation": (str, _RECORD, "scope_validation"),
        "success": (bool, _RECORD, "success"),
        "code": (str, _RECORD, "code"),
        "imported": (bool, _RECORD, "imported"),
        "revision": (str, _RECORD, "vcs.revision"),
        "path": (str, _FILE, "path"),
        "old_path": (str, _FILE, "old_path"),
        "change": (str, _FILE, "change"),
        "pre_hash": (str, _FILE, "pre_hash"),
        "post_hash": (str, _FILE, "post_hash"),
        "contributor": (str, _CONTRIBUTOR, "type"),
        "model_id": (str, _CONTRIBUTOR, "model_id"),
        "name": (str, _CONTRIBUTOR, "name"),
        "on_behalf_of": (str, _CONTRIBUTOR, "on_behalf_of"),
        "attested_by": (str, _CONTRIBUTOR, "attested_by"),
        "override_by": (str, _RECORD, "override.by"),
        "start_line": (int, _RANGE, "start_line"),
        "end_line": (int, _RANGE, "end_line"),
        "content_hash": (str, _RANGE, "content_hash"),
    }
)
"""Each column's type, the object that has its value, and the key there. What is missing or of another type is None."""


def rows(record: dict[str, Any]) -> Iterator[Row]:
    """The rows of one record, in the order of COLUMNS."""
    for parts in _all_parts(record):
        yield tuple(_value(parts[part], key, kind) for kind, part, key in COLUMNS.values())


def _value(part: dict[str, Any], key: str, kind: type) -> str | int | bool | None:
    """The value at `key` (`a.b`: `b` of the object `a`), if it is of exactly this type."""
    outer, _, inner = key.partition(".")
    value: Any = part.get(outer)
    if inner:
        value = value.get(inner) if isinstance(value, dict) else None
    cell: str | int | bool | None = value
    return cell if type(value) is kind else None


def _all_parts(record: dict[str, Any]) -> Iterator[_Parts]:
    files = objects(record.get("files"))
    if not files:
        yield record, {}, {}, {}, {}
    for file in files:
        for conversation in objects(file.get("conversations")) or [{}]:
            for lines in objects(conversation.get("ranges")) or [{}]:
                # A range may name its own contributor.
                named = (part.get("contributor") for part in (lines, conversation))
                contributor = next((each for each in named if isinstance(each, dict)), {})
                yield record, file, conversation, lines, contributor
