"""Who this clone is in the ledger, and how far its chain has come: a small memory in `.state/`.

Every process of a clone appends under one writer's name. `chain.head` holds the current writer's newest
line and is overwritten in place with every append (always the same size, with a checksum, so that a full
disk and a crash do no harm); `writers.json` holds the earlier writers. Losing either costs only a new name.
"""

from __future__ import annotations

import logging
import os
import sys
import zlib

import msgspec

from intentls.core.ledger.hash_chain import NewestLine
from intentls.store.fs.atomic_write import OWN, read_at, replace_bytes, write_at
from intentls.store.fs.file_lock import is_still_at
from intentls.store.fs.state_directory import prepare_state
from intentls.store.layout import Layout

log = logging.getLogger(__name__)

_HEAD_BYTES = 1024
_MOST_KEPT = 64  # earlier writers
_FLAGS = os.O_RDWR | os.O_CREAT | OWN


class ChainHead(msgspec.Struct, frozen=True, array_like=True):
    """A writer's newest line. `home` is the clone it writes for; `seq` is 0 if it has written nothing.

    `offset` and `length` (bytes, without the line's end) say where the line is, `size` and `inode` what the
    ledger was just after it.
    """

    writer: str
    home: str
    seq: int = 0
    line_hash: str = ""
    record_id: str = ""
    offset: int = 0
    length: int = 0
    size: int = 0
    inode: int = 0

    @property
    def newest(self) -> NewestLine:
        """What the verifier needs of it."""
        return NewestLine(self.seq, self.line_hash, self.record_id)

    def moved_to(self, offset: int, length: int) -> ChainHead:
        """The same line, found at another place of a file that was replaced."""
        return ChainHead(self.writer, self.home, self.seq, self.line_hash, self.record_id, offset, length)


_notes = msgspec.json.Decoder(list[ChainHead])
_note = msgspec.json.Decoder(ChainHead)
_encode = msgspec.json.Encoder().encode


class ChainHeads:
    """The memory of one root. Whoever changes it holds the ledger's lock."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._head_file = layout.state / "chain.head"
        self._past_file = layout.state / "writers.json"
        self._descriptor: int | None = None
        self._process = 0
        self._home = ""

    def current(self) -> ChainHead | None:
        """The current writer's newest line as some process of this clone noted it. Raises OSError."""
        return _read_head(read_at(self._open(), _HEAD_BYTES, 0))

    def begin(self) -> ChainHead:
        """A writer that nobody has been yet. Raises OSError."""
        self._open()
        return ChainHead(os.urandom(16).hex(), self._home)

    def is_own(self, note: ChainHead) -> bool:
        """Whether the note is of this very clone, not of the one that it was copied from."""
        return note.home == self._home

    def save(self, note: ChainHead) -> None:
        """Note the current writer's newest line. Raises OSError."""
        write_at(self._open() if self._descriptor is None else self._descriptor, _head(note), 0)

    def retire(self, note: ChainHead) -> None:
        """Keep the note of a writer that another one takes over from. Raises OSError."""
        kept = [past for past in self.past() if past.writer != note.writer]
        replace_bytes(self._past_file, msgspec.json.encode([*kept, note][-_MOST_KEPT:]))

    def past(self) -> list[ChainHead]:
        """The earlier writers, longest ago first."""
        try:
            return _notes.decode(self._past_file.read_bytes())
        except FileNotFoundError:
            return []
        except (msgspec.DecodeError, UnicodeDecodeError, OSError):
            log.warning("%s can't be read; earlier writers are forgotten", self._past_file, exc_info=True)
            return []

    def newest(self) -> dict[str, NewestLine]:
        """Every writer's newest line. Only reads, also where nothing may be written."""
        known = {note.writer: note.newest for note in self.past()}
        try:
            head = _read_head(self._head_file.read_bytes())
        except OSError:
            head = None
        if head is not None:
            known[head.writer] = head.newest
        return known

    def _open(self) -> int:
        """The head's descriptor, opened anew if `.state/` was deleted meanwhile or the process forked."""
        if self._descriptor is not None:
            if self._process == os.getpid() and is_still_at(self._descriptor, self._head_file):
                return self._descriptor
            os.close(self._descriptor)
            self._descriptor = None
        prepare_state(self._layout)
        descriptor = os.open(self._head_file, _FLAGS, 0o666)
        if os.fstat(descriptor).st_size < _HEAD_BYTES:
            write_at(descriptor, b" " * _HEAD_BYTES, 0)  # from now on it needs no space that might be lacking
        self._descriptor, self._process, self._home = descriptor, os.getpid(), _home(self._layout)
        return descriptor


def _home(layout: Layout) -> str:
    """What tells this clone from a copy of it: its folder's number, its machine's (or container's) name."""
    found = layout.state.stat()
    machine = os.environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename
    return f"{found.st_dev}:{found.st_ino}@{machine}"


def _head(note: ChainHead) -> bytes:
    body = _encode(note)
    head = b"%08x %b" % (zlib.crc32(body), body)
    if len(head) > _HEAD_BYTES:
        raise OSError(f"a note of {len(head)} bytes does not fit")
    return head.ljust(_HEAD_BYTES)


def _read_head(data: bytes) -> ChainHead | None:
    checksum, _, body = data.rstrip().partition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    try:
        return _note.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
