"""Reading records that anybody may have written (another tool, a merge, an attacker): odd shapes are passed over."""

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
    """Whether another program wrote the record and `trace import` took it in: nothing in it is our word."""
    return record.get("imported") is True


def text_of(entry: Mapping[str, Any], key: str) -> str | None:
    """The text under a key; None if there is none, or something that is no text."""
    value = entry.get(key)
    return value if isinstance(value, str) else None
