"""How many changes the ledger holds for each intent. Counted once, then only what was appended since."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from intentls.core.ledger.settlement import SETTLE
from intentls.store.fs.atomic_write import read_at
from intentls.store.layout import Layout
from intentls.store.ledger.appender import unavailable
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_files.line_reader import lines_forward, opened

_YIELD_LINES: Final = 256  # lines
_TAIL: Final = 256  # bytes: a record's chain is in them


class _CountedChange(msgspec.Struct):
    """The little of a record that counts."""

    intent_id: str = ""
    success: bool = False
    tool_name: str = ""


_read = msgspec.json.Decoder(_CountedChange).decode


class ChangeCounts:
    """The successful records of each intent, but those that settle classes; archives included.

    Safe to use from several threads.
    """

    def __init__(self, layout: Layout, ledger: Ledger) -> None:
        self._layout = layout
        self._ledger = ledger
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._end = 0  # of what was counted, and the bytes before it
        self._tail = b""

    def counts(self) -> Mapping[str, int]:
        """By intent. Raises LedgerUnavailable."""
        try:
            self._ledger.size()  # brings the local file up to date
            with self._lock, opened(self._layout.ledger) as live:
                if live is None:
                    return Counter()
                if self._end == 0 or self._tail_of(live) != self._tail:
                    self._begin()
                self._count(live, os.fstat(live).st_size)
                self._tail = self._tail_of(live)
                return Counter(self._counts)
        except OSError as error:
            raise unavailable(self._layout.ledger, error, "read") from error

    def _begin(self) -> None:
        """A file that was not counted before, or another in its place: what is in the archives comes first."""
        self._end = 0
        self._counts = self._archived() if self._ledger.archived_size() else Counter()

    def _tail_of(self, descriptor: int) -> bytes:
        """The end of what was counted: where it still stands, the file is the same one, and has only grown."""
        length = min(_TAIL, self._end)
        return read_at(descriptor, length, self._end - length)

    def _archived(self) -> Counter[str]:
        """What the whole ledger has and the live file does not."""
        whole = Counter(
            str(record.get("intent_id", ""))
            for record in self._ledger.oldest_first()
            if record.get("success") is True and record.get("tool_name") != SETTLE
        )
        live: Counter[str] = Counter()
        with opened(self._layout.ledger) as descriptor:
            if descriptor is not None:
                for _, line in lines_forward(descriptor, 0, os.fstat(descriptor).st_size):
                    live.update(_intent_of(line))
        return whole - live

    def _count(self, descriptor: int, size: int) -> None:
        for number, (start, line) in enumerate(lines_forward(descriptor, self._end, size)):
            if not line.endswith(b"\n"):
                return  # it is still being written
            self._counts.update(_intent_of(line))
            self._end = start + len(line)
            if number % _YIELD_LINES == _YIELD_LINES - 1:
                time.sleep(0)  # lets other threads have the interpreter


def _intent_of(line: bytes) -> tuple[str, ...]:
    """The intent that a line is a change for; none for refusals, settled classes and what is no record."""
    try:
        change = _read(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ()
    return (change.intent_id,) if change.success and change.tool_name != SETTLE else ()
