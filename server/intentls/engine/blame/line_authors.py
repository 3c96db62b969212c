"""Who wrote the lines that an editor shows: the blame of what is saved, carried over to the text as it is now."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.errors import InvalidPath
from intentls.core.hashing import hash_of
from intentls.core.text.line_hashes import supports_line_blame
from intentls.core.text.lines import carry, diff, is_binary
from intentls.engine.blame.blame import OwnedRange, blame_content, blame_files
from intentls.engine.ledger.queries import Record
from intentls.engine.workspace.workspace import Workspace

_AT_ONCE = 2_000  # files whose shares are counted together: their contents are held meanwhile
_MAX_FILES = 64  # whose authors are remembered
_UNSAVED = -1


class AuthoredLines(Struct, frozen=True):
    """Consecutive lines (from 1, both ends included) with one author.

    `record` and `conversation` are None for lines that no record covers, and for those that are not `saved` yet.
    """

    start_line: int
    end_line: int
    record: Record | None = None
    conversation: Record | None = None
    saved: bool = True


class IntentLines(Struct, frozen=True):
    """Consecutive lines that were written for one intent. `authors`: each once, the newest first.

    `out_of_scope`: one of them was, at the time, and no person had approved it.
    """

    start_line: int
    end_line: int
    intent_id: str
    authors: tuple[Record, ...]
    timestamp: str
    out_of_scope: bool = False


class Authors:
    """Remembers who wrote the lines of files. A file is blamed again only if its saved content or the ledger changed.

    Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._blamed: OrderedDict[tuple[Path, str], tuple[Any, list[OwnedRange]]] = OrderedDict()
        self._shown: OrderedDict[tuple[Path, str], tuple[Any, list[AuthoredLines]]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, workspace: Workspace, path: str) -> list[AuthoredLines]:
        """The authors of every line of root-relative `path`; [] if it is binary or over 4 MiB.

        Raises InvalidPath if it is no regular file, LedgerUnavailable.
        """
        now = workspace.contents.read(path).data or b""
        saved = workspace.tree.read(path) or b""
        if not supports_line_blame(now) or is_binary(saved):
            return []
        key, state = (workspace.root, path), (hash_of(saved), workspace.ledger.stamp())
        shown: list[AuthoredLines] | None = self._recall(self._shown, key, (*state, hash_of(now)))
        if shown is None:
            blamed = self._recall(self._blamed, key, state)
            if blamed is None:
                blamed = blame_content(workspace, path, saved)
                self._keep(self._blamed, key, state, blamed)
            shown = list(_carried(blamed, saved, now))
            self._keep(self._shown, key, (*state, hash_of(now)), shown)
        return shown

    def _recall(self, memory: OrderedDict[tuple[Path, str], tuple[Any, Any]], key: tuple[Path, str], state: Any) -> Any:
        with self._lock:
            remembered, value = memory.get(key, (None, None))
            return value if remembered == state else None

    def _keep(
        self, memory: OrderedDict[tuple[Path, str], tuple[Any, Any]], key: tuple[Path, str], state: Any, value: Any
    ) -> None:
        with self._lock:
            memory[key] = (state, value)
            memory.move_to_end(key)
            while len(memory) > _MAX_FILES:
                memory.popitem(last=False)


def runs(written: Sequence[AuthoredLines]) -> list[IntentLines]:
    """Neighbours of the same intent, joined."""
    result = []
    for intent_id, group in groupby(written, key=_intent_id):
        parts = list(group)
        if intent_id is None:
            continue
        newest = sorted(parts, key=lambda part: _timestamp(part.record), reverse=True)
        authors = [_contributor(part.conversation) for part in newest]
        different = tuple(author for index, author in enumerate(authors) if author not in authors[:index])
        moment = _timestamp(newest[0].record)
        outside = any(_is_outside(part.record or {}) for part in parts)
        result.append(IntentLines(parts[0].start_line, parts[-1].end_line, intent_id, different, moment, outside))
    return result


def _carried(blamed: Sequence[OwnedRange], saved: bytes, now: bytes) -> Iterator[AuthoredLines]:
    if saved == now:
        for part in blamed:
            yield AuthoredLines(part.start_line, part.end_line, part.record, part.conversation)
        return
    labels = [number for number, part in enumerate(blamed) for _ in range(part.start_line, part.end_line + 1)]
    for label, lines in groupby(
        enumerate(carry(labels, diff(saved, now), _UNSAVED), start=1), key=lambda line: line[1]
    ):
        numbers = [number for number, _ in lines]
        if label == _UNSAVED:
            yield AuthoredLines(numbers[0], numbers[-1], saved=False)
        else:
            yield AuthoredLines(numbers[0], numbers[-1], blamed[label].record, blamed[label].conversation)


def _intent_id(part: AuthoredLines) -> str | None:
    value = None if part.record is None else part.record.get("intent_id")
    return value if isinstance(value, str) else None


def _is_outside(record: Record) -> bool:
    return record.get("scope_validation") == "FAIL" and not isinstance(record.get("override"), dict)


def _timestamp(record: Record | None) -> str:
    return str((record or {}).get("timestamp") or "")


def _contributor(conversation: Record | None) -> Record:
    contributor = (conversation or {}).get("contributor")
    return contributor if isinstance(contributor, dict) else {}


class Shares(Struct, frozen=True):
    """A file's lines by the intent they were written for, most first; None: lines that no record covers."""

    path: str
    lines: int
    by_intent: tuple[tuple[str | None, int], ...]

    def percent(self, intent_id: str | None) -> int:
        """How many of a hundred lines are an intent's, rounded; 0 of an empty file."""
        return round(100 * dict(self.by_intent).get(intent_id, 0) / self.lines) if self.lines else 0


def shares(workspace: Workspace, paths: Iterable[str]) -> list[Shares]:
    """The shares in each file that is there and is text, in order of path. Raises LedgerUnavailable.

    The ledger is read a few times for all files together, not some times for each.
    """
    result = []
    names = iter(sorted(set(paths)))
    while group := list(islice(names, _AT_ONCE)):
        contents = {path: content for path in group if (content := _content(workspace, path)) is not None}
        blamed = blame_files(workspace, contents)
        result += [_shares(path, blamed[path]) for path in contents]
    return result


def _shares(path: str, blamed: Sequence[OwnedRange]) -> Shares:
    counts: Counter[str | None] = Counter()
    for part in blamed:
        intent_id = None if part.record is None else part.record.get("intent_id")
        counts[intent_id if isinstance(intent_id, str) else None] += part.end_line - part.start_line + 1
    order = sorted(counts.items(), key=lambda count: (-count[1], count[0] or ""))
    return Shares(path, counts.total(), tuple(order))


def _content(workspace: Workspace, path: str) -> bytes | None:
    try:
        content = workspace.contents.read(path).data
    except InvalidPath:
        return None
    return content if content is not None and supports_line_blame(content) else None
