"""What is looked for in a ledger, and the words by which an index knows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zlib import crc32

from intentls.core.ledger.record_json import FileJson, files_of
from intentls.store.clock import parse_timestamp

_PLAIN = re.compile(r"[A-Za-z0-9_.-]+")  # no program escapes these


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """The conditions that a record must meet; None leaves one out.

    `path` is root-relative: the name that a file has after a change, or had before it.
    """

    intent_id: str | None = None
    path: str | None = None
    session_id: str | None = None
    since: datetime | None = None

    def meets(self, record: dict[str, Any]) -> bool:
        """Whether a record meets them all."""
        if self.intent_id is not None and record.get("intent_id") != self.intent_id:
            return False
        if self.session_id is not None and record.get("session_id") != self.session_id:
            return False
        if self.path is not None and not any(self.path in _names(file) for file in files_of(record)):
            return False
        return self.since is None or _is_since(record, self.since)

    def needle(self) -> bytes:
        """Bytes that stand in the line of every record that meets them."""
        return needle(self.intent_id, self.session_id, (self.path or "").rpartition("/")[2])

    def words(self) -> list[int]:
        """The words of every record that meets them, the rarest kind first."""
        kinds = (("path", self.path), ("session", self.session_id), ("intent", self.intent_id))
        return [word(kind, value) for kind, value in kinds if value is not None]


def needle(*names: str | None) -> bytes:
    """Bytes without which no record can have all these: the longest that every writer of JSON spells alike."""
    plain = [name for name in names if name is not None and _PLAIN.fullmatch(name)]
    return max(plain, key=len, default="").encode("ascii")


def word(kind: str, value: str) -> int:
    """The number by which an index knows a name. Two names may share one: what is found is looked at itself."""
    return crc32(f"{kind}\0{value}".encode("utf-8", "surrogatepass"))


def _is_since(record: dict[str, Any], moment: datetime) -> bool:
    try:
        return parse_timestamp(str(record.get("timestamp"))) >= moment
    except ValueError:
        return False


def _names(file: FileJson) -> tuple[Any, Any]:
    return file.get("path"), file.get("old_path")
