"""The ledger at one moment, as far as it takes to see later whether it only grew."""

from __future__ import annotations

import os
import stat
from hashlib import sha256

from msgspec import Struct

from intentls.store.fs.primitives import open_binary
from intentls.store.layout import Layout

_CHECKED = 1024 * 1024  # bytes at the end of the ledger that are compared


class LedgerMark(Struct, frozen=True):
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
    return LedgerMark(size, digest(layout, size))


def size_of(layout: Layout) -> int:
    """Bytes of the live ledger; 0 for what is no file."""
    try:
        status = layout.ledger.lstat()
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def digest(layout: Layout, size: int) -> str:
    """Of the ledger's last bytes before `size`."""
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
