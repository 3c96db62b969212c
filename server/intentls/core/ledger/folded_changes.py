"""Many edits of one file as one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from intentls.core.intents.recent_work import RecentChange
from intentls.core.ledger.record_json import FileJson, files_of, objects, text_of
from intentls.core.ledger.record_text import author_of, symbols_of

_MAX_RANGES = 4


def fold_changes(records: Iterable[dict[str, Any]], limit: int) -> list[RecentChange]:
    """One line for each file that the records (newest first) changed, at most `limit`, the newest first.

    Example: 20 edits of `a.py` and then one of `b.py` are two lines, `b.py` and `a.py` with the count 20.
    """
    changes: dict[str, RecentChange] = {}
    for record in records:
        for file in files_of(record):
            change = _change(record, file)
            newer = changes.get(change.path)
            if newer is not None:
                changes[change.path] = _joined(newer, change)
            elif len(changes) < limit:
                changes[change.path] = change
    return list(changes.values())


def _change(record: dict[str, Any], file: FileJson) -> RecentChange:
    conversations = objects(file.get("conversations"))
    ranges = [where for part in conversations for where in objects(part.get("ranges"))]
    return RecentChange(
        text_of(record, "timestamp") or "",
        text_of(file, "path") or "",
        text_of(record, "mutation_class") or "",
        symbols=_unique(name for part in conversations for name in symbols_of(part)),
        lines=_lines([(where.get("start_line"), where.get("end_line")) for where in ranges]),
        by=_unique(map(author_of, conversations)),
        reason=text_of(record, "reason") or "",
    )


def _joined(newer: RecentChange, older: RecentChange) -> RecentChange:
    symbols, by = _unique((*newer.symbols, *older.symbols)), _unique((*newer.by, *older.by))
    return replace(newer, count=newer.count + 1, symbols=symbols, by=by, reason=newer.reason or older.reason)


def _lines(ranges: Sequence[tuple[Any, Any]]) -> str:
    """`3, 10-12`; the first ones, and a mark where there are more."""
    shown = [str(start) if start == end else f"{start}-{end}" for start, end in ranges if start and end]
    return ", ".join(shown[:_MAX_RANGES]) + (", …" if len(shown) > _MAX_RANGES else "")


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
