"""Reading records that other programs may have written (a tool, a merge, an attacker): unknown shapes are skipped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Record = dict[str, Any]


def objects(value: Any) -> list[Record]:
    """The JSON objects in a list; none if it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def files_of(record: Mapping[str, Any]) -> list[Record]:
    """A record's file entries."""
    return objects(record.get("files"))


def is_imported(record: Mapping[str, Any]) -> bool:
    """Whether `trace import` took the record over from another program, so that nothing vouches for it here."""
    return record.get("imported") is True


def text_of(entry: Mapping[str, Any], key: str) -> str | None:
    """The text under a key; None if there is none, or something else than text."""
    value = entry.get(key)
    return value if isinstance(value, str) else None
