"""The ledger at one moment, as far as it takes to see later whether it only grew."""

from __future__ import annotations

import logging
import os
import stat
from dataclasses import dataclass
from hashlib import sha256

from intentls.store.fs.primitives import open_binary
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger_files.segments import in_order, read_segment, segments

log = logging.getLogger(__name__)

_CHECKED = 1024 * 1024  # bytes at the end of the ledger that are compared


@dataclass(frozen=True, slots=True)
class LedgerMark:
    """The ledger at one moment: its size in bytes, and the hash of its last bytes."""

    size: int = 0
    digest: str = ""

    @property
    def text(self) -> str:
        """As one word, for `read_mark`."""
        return f"{self.size}:{self.digest}"


def read_mark(text: str) -> LedgerMark:
    """The mark whose `text` this is; that of an empty ledger for any other."""
    size, _, digest = text.partition(":")
    return LedgerMark(int(size), digest) if size.isdecimal() else LedgerMark(0, _digest_of(b""))


def mark(layout: Layout) -> LedgerMark:
    """The ledger now."""
    size = size_of(layout)
    return LedgerMark(size, _digest(layout, size))


def end_of(layout: Layout, before: LedgerMark | None, size: int) -> int | None:
    """Where the ledger ended then, if it only grew since. What is no file, or lost what we wrote, did not."""
    if (
        not is_file_or_none(layout)
        or _lost_lines(layout, size)
        or before is None
        or size < before.size
        or _digest(layout, before.size) != before.digest
    ):
        return None
    return before.size


def size_of(layout: Layout) -> int:
    """Bytes of the live ledger; 0 for what is no file."""
    try:
        status = layout.ledger.lstat()
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _lost_lines(layout: Layout, size: int) -> bool:
    """Whether the local file is shorter than it was just after this clone's newest line."""
    head = ChainHeads(layout).peek()
    return head is not None and size < head.size


def is_file_or_none(layout: Layout) -> bool:
    """Whether a regular file stands in the local ledger's place, or nothing."""
    try:
        return stat.S_ISREG(layout.ledger.lstat().st_mode)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def read_newest_segments(layout: Layout, limit: int) -> list[bytes]:
    """The lines, with their ends, of the segments that changed last: those in about `limit` bytes."""
    contents: list[bytes] = []
    try:
        for segment in sorted(segments(layout), key=lambda one: one.changed, reverse=True):
            if limit < 0:
                break
            contents.append(read_segment(layout.trace / segment.name))
            limit -= segment.size
    except OSError:
        log.info("segments of the ledger can't be read", exc_info=True)
    return [line + b"\n" for line in in_order(contents)]


def _digest(layout: Layout, size: int) -> str:
    return _digest_of(read_part(layout, max(0, size - _CHECKED), size))


def _digest_of(data: bytes) -> str:
    return sha256(data).hexdigest()


def read_part(layout: Layout, start: int, end: int) -> bytes:
    """The ledger's bytes from `start` to `end`; none of what is no file."""
    try:
        with open_binary(layout.ledger) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return b""
            opened.seek(start)
            return opened.read(max(0, end - start))
    except OSError:
        return b""
