"""The rows that full-text search finds: pieces of work, decisions, lessons, closed intents; and the words of each.

A row stands for all records of one session under one intent on one commit, as a person would tell it:

    agent-1 writes a.py, then b.py, under INT-1; then c.py under INT-2; a write of d.py is refused
    record INT-1: a.py, b.py (2 records)     record INT-2: c.py     decision: refused, d.py
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, field

from intentls.core.hashing import content_hash
from intentls.core.ledger.record_json import Record, text_of
from intentls.core.ledger.record_text import RecordText, split_names, text_of_record

Kind = Literal["record", "decision", "lesson", "intent"]

_MAX_PATHS, _MAX_TEXTS = 400, 100  # of one row
_MAX_ID, _MAX_TITLE, _MAX_LESSON = 512, 300, 4_000  # characters


class Hit(Struct):
    """One row. `id` is that of the newest record, of the intent, or "" for a lesson; `count` how many records it is.

    `revision` is the commit on which the work was done. Texts are of one line each, lists without repeats.
    """

    kind: Kind
    id: str
    intent_id: str | None = None
    session_id: str | None = None
    revision: str | None = None
    timestamp: str = ""
    title: str = ""
    count: int = 1
    paths: list[str] = field(default_factory=list)
    symbols: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, part: RecordPart) -> None:
        """Take in a later record of the same piece of work."""
        self.id, self.timestamp, text = part.id, part.timestamp, part.text
        self.count += 1
        self.paths = _newest(text.paths, self.paths, _MAX_PATHS)
        self.symbols = _newest(text.symbols, self.symbols, _MAX_TEXTS)
        self.authors = _newest(text.authors, self.authors, _MAX_TEXTS)
        self.notes = _newest(text.notes, self.notes, _MAX_TEXTS)


class IntentText(Struct, frozen=True):
    """An intent as far as it can be searched."""

    name: str
    description: str
    is_open: bool


class TextSources(Struct, frozen=True):
    """What the index is made of. `stamp` is that of the ledger's file, see `store.fs.primitives.stamp_of`.

    `newest_first` gives the ledger's records. Of a lesson: date, path, text.
    """

    stamp: tuple[int, ...]
    newest_first: Callable[[], Iterator[Record]]
    lessons: tuple[tuple[str, str, str], ...] = ()
    intents: Mapping[str, IntentText] = field(default_factory=dict)


class RecordPart(Struct, frozen=True):
    """What a record adds to the row that `kind` and `key` name; `empty` is that row before its first record."""

    kind: Kind
    key: str
    empty: Hit
    id: str
    timestamp: str
    text: RecordText

    @classmethod
    def of(cls, record: Record) -> RecordPart | None:
        """None for a record of nothing that was changed or decided: of an archive, of a commit."""
        text, override = text_of_record(record), record.get("override")
        overridden = override if isinstance(override, dict) else None
        refused = record.get("success") is not True
        if not text.paths and not refused and overridden is None:
            return None
        vcs = record.get("vcs")
        place = (
            _id(record, "intent_id"),
            _id(record, "session_id"),
            _id(vcs if isinstance(vcs, dict) else {}, "revision_id"),
        )
        kind: Kind = "decision" if refused or overridden is not None else "record"
        title = _decision(record, overridden, refused=refused) if kind == "decision" else ""
        key = digest([*place, title, *(text.paths if kind == "decision" else ())])
        empty = Hit(kind, "", *place, title=title, count=0)
        return cls(kind, key, empty, _id(record, "id") or "", _id(record, "timestamp") or "", text)


def _decision(record: Record, override: Record | None, *, refused: bool) -> str:
    """`refused: SCOPE_VIOLATION`, or `Approve: SCOPE_VIOLATION (by Ada)`."""
    if override is None or refused:
        return one_line(f"refused: {text_of(record, 'code') or text_of(record, 'error') or 'failed'}", _MAX_TITLE)
    action, code, by = (text_of(override, key) or "unknown" for key in ("action", "code", "by"))
    return one_line(f"{action}: {code} (by {by})", _MAX_TITLE)


def _id(record: Mapping[str, Any], key: str) -> str | None:
    """A short text of a record that anybody may have written, as a database can hold it."""
    text = text_of(record, key)
    return None if text is None else one_line(text, _MAX_ID)


def intent_row(intent_id: str, intent: IntentText) -> tuple[str, Hit]:
    """The key and the row of a closed intent."""
    id_ = one_line(intent_id, _MAX_ID)
    return digest(intent_id), Hit("intent", id_, id_, title=one_line(intent.name, _MAX_TITLE))


def lesson_row(date: str, path: str, text: str) -> tuple[str, Hit]:
    """The key and the row of a lesson."""
    title, note = one_line(text, _MAX_TITLE), one_line(text, _MAX_LESSON)
    return digest([date, path, text]), Hit(
        "lesson", "", timestamp=date, title=title, paths=[one_line(path, _MAX_LESSON)], notes=[note]
    )


def words_of(hit: Hit, intents: Mapping[str, IntentText]) -> tuple[str, str, str, str]:
    """The four texts in which words are looked for: subject, body, paths, symbols."""
    intent = intents.get(hit.intent_id or "")
    name, description = ("", "") if intent is None else (intent.name, intent.description)
    subject = " ".join((hit.intent_id or "", hit.title, name))
    body = " ".join((description, *hit.notes, *hit.authors))
    texts = (subject, body, " ".join(hit.paths), " ".join(hit.symbols))
    first, second, third, fourth = (split_names(text.encode("utf-8", "replace").decode("utf-8")) for text in texts)
    return first, second, third, fourth


def digest(values: object) -> str:
    """The hash of JSON values."""
    return content_hash(json.dumps(values).encode("ascii"))


def is_plain(text: str) -> bool:
    """Whether `text` is as `one_line` leaves it: what is not names no row."""
    return one_line(text, _MAX_ID) == text


def one_line(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` characters, without half surrogates."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())[:limit]


def _newest(new: Iterable[str], old: Iterable[str], limit: int) -> list[str]:
    """The new texts before the old ones, each once."""
    return list(dict.fromkeys((*new, *old)))[:limit]
