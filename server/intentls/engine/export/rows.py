"""The ledger as a table: one row for each range of lines; a file without ranges, or a record without files, has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

Row = tuple[str | int | bool | None, ...]
_Parts = tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]
"""Record, file, conversation, range; empty where there is none."""


def _text(part: int, key: str, inner: str | None = None) -> Callable[[_Parts], str | None]:
    def find(parts: _Parts) -> str | None:
        found = parts[part].get(key)
        if inner is not None:
            found = found.get(inner) if isinstance(found, dict) else None
        return found if isinstance(found, str) else None

    return find


def _number(key: str) -> Callable[[_Parts], int | None]:
    def find(parts: _Parts) -> int | None:
        found = parts[_RANGE].get(key)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    return find


def _flag(key: str) -> Callable[[_Parts], bool | None]:
    def find(parts: _Parts) -> bool | None:
        found = parts[_RECORD].get(key)
        return found if isinstance(found, bool) else None

    return find


def _contributor(key: str) -> Callable[[_Parts], str | None]:
    def find(parts: _Parts) -> str | None:
        for part in (_RANGE, _CONVERSATION):  # a range may name its own
            found = parts[part].get("contributor")
            if isinstance(found, dict):
                value = found.get(key)
                return value if isinstance(value, str) else None
        return None

    return find


_RECORD, _FILE, _CONVERSATION, _RANGE = range(4)
COLUMNS: Mapping[str, tuple[type, Callable[[_Parts], str | int | bool | None]]] = MappingProxyType(
    {
        "timestamp": (str, _text(_RECORD, "timestamp")),
        "record_id": (str, _text(_RECORD, "id")),
        "tool": (str, _text(_RECORD, "tool", "name")),
        "intent_id": (str, _text(_RECORD, "intent_id")),
        "session_id": (str, _text(_RECORD, "session_id")),
        "tool_name": (str, _text(_RECORD, "tool_name")),
        "mutation_class": (str, _text(_RECORD, "mutation_class")),
        "scope_validation": (str, _text(_RECORD, "scope_validation")),
        "success": (bool, _flag("success")),
        "code": (str, _text(_RECORD, "code")),
        "imported": (bool, _flag("imported")),
        "revision": (str, _text(_RECORD, "vcs", "revision")),
        "path": (str, _text(_FILE, "path")),
        "old_path": (str, _text(_FILE, "old_path")),
        "change": (str, _text(_FILE, "change")),
        "pre_hash": (str, _text(_FILE, "pre_hash")),
        "post_hash": (str, _text(_FILE, "post_hash")),
        "contributor": (str, _contributor("type")),
        "model_id": (str, _contributor("model_id")),
        "start_line": (int, _number("start_line")),
        "end_line": (int, _number("end_line")),
        "content_hash": (str, _text(_RANGE, "content_hash")),
    }
)
"""Each column's type, and where its value stands. What is missing, or of another type, is None."""


def rows(record: dict[str, Any]) -> Iterator[Row]:
    """The rows of one record, in the order of COLUMNS."""
    for parts in _all_parts(record):
        yield tuple(find(parts) for _, find in COLUMNS.values())


def _all_parts(record: dict[str, Any]) -> Iterator[_Parts]:
    files = _objects(record, "files")
    if not files:
        yield record, {}, {}, {}
    for file in files:
        for conversation in _objects(file, "conversations") or [{}]:
            for where in _objects(conversation, "ranges") or [{}]:
                yield record, file, conversation, where


def _objects(holder: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = holder.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
