"""Which chain this clone writes in the ledger, and how far it has come: a small memory in `.state/`.

Every process of a clone appends under one writer's name. `chain.head` holds the current writer's newest
line and is overwritten in place with every append (always the same size, with a checksum, so that a full
disk and a crash do no harm); `writers.json` holds the earlier writers. Losing either costs only a new name.

Other processes append, git replaces the ledger, people edit it, `.state/` gets lost or copied. A writer goes on
only behind its newest line, found in the file and known by its hash; wherever that is in doubt a new writer
begins. So no chain ever forks, and a line that went missing shows:

    noted: writer A, line 7      ledger: ... A6 A7       -> A goes on with line 8
                                 ledger: ... A6 A7 A8    -> another process wrote A8: A goes on with line 9
                                 ledger: ... A6          -> A7 is gone, which `verify` reports; writer B begins
"""

from __future__ import annotations

import logging
import os
import sys
import zlib
from collections.abc import Callable, Collection

import msgspec

from intentls.core.ledger.hash_chain import NewestLine, line_hash, member, parse, read_link, strip_end
from intentls.store.fs.atomic_write import read_at, replace_bytes, write_at
from intentls.store.fs.file_lock import is_still_at
from intentls.store.fs.primitives import NO_LINK, closes_with, read_file
from intentls.store.fs.state_directory import prepare_state
from intentls.store.layout import Layout
from intentls.store.ledger_files.line_reader import find_last, lines_forward

log = logging.getLogger(__name__)

NOTED_ID = 128
"""Characters of a record's id: the note has its size."""

_HEAD_BYTES = 1024
_MAX_PAST = 64  # earlier writers that are remembered
# How many earlier writers are looked for in a file that was replaced, and how far back (bytes): every process that
# appends waits for that, and giving up costs no more than a new name.
_MAX_TRIED = 16
_REACH = 1 << 24


class ChainHead(msgspec.Struct, frozen=True, array_like=True):
    """A writer's newest line. `clone_id` is the clone it writes for; `seq` is 0 if it has written nothing.

    `offset` and `length` (bytes, without the line's end) say where the line is, `size` and `inode` what the
    local file was just after it; `segment` is the segment that has it, and `segment_size` what that was then.
    """

    writer: str
    clone_id: str
    seq: int = 0
    line_hash: str = ""
    record_id: str = ""
    offset: int = 0
    length: int = 0
    size: int = 0
    inode: int = 0
    segment: str = ""
    segment_size: int = 0

    @property
    def newest(self) -> NewestLine:
        """What the verifier needs of it."""
        return NewestLine(self.seq, self.line_hash, self.record_id)


_decode_past = msgspec.json.Decoder(list[ChainHead]).decode
_decode_head = msgspec.json.Decoder(ChainHead).decode
_encode = msgspec.json.Encoder().encode


class ChainHeads:
    """The memory of one root. It is changed only under the ledger's lock."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._head_file = layout.state / "chain.head"
        self._past_file = layout.state / "writers.json"
        self._descriptor: int | None = None
        self._close: Callable[[], object] = lambda: None
        self._process = 0
        self._clone_id = ""

    def current(self) -> ChainHead | None:
        """The current writer's newest line as some process of this clone noted it. Raises OSError."""
        return _unpacked(read_at(self._open(), _HEAD_BYTES, 0))

    def begin(self) -> ChainHead:
        """A writer with a name that no other has. Raises OSError."""
        self._open()
        return ChainHead(os.urandom(8).hex(), self._clone_id)

    def is_own(self, head: ChainHead) -> bool:
        """Whether it is of this very clone, not of the one that it was copied from."""
        return head.clone_id == self._clone_id

    def save(self, head: ChainHead) -> None:
        """Note the current writer's newest line. Raises OSError."""
        write_at(self._open() if self._descriptor is None else self._descriptor, _packed(head), 0)

    def retire(self, head: ChainHead) -> None:
        """Remember a writer that another one takes over from. Raises OSError."""
        others = [past for past in self.past() if past.writer != head.writer]
        replace_bytes(self._past_file, _encode([*others, head][-_MAX_PAST:]))

    def past(self) -> list[ChainHead]:
        """The earlier writers, longest ago first."""
        try:
            return _decode_past(self._past_file.read_bytes())
        except FileNotFoundError:
            return []
        except (msgspec.DecodeError, UnicodeDecodeError, OSError):
            log.warning("%s can't be read; earlier writers are forgotten", self._past_file, exc_info=True)
            return []

    def peek(self) -> ChainHead | None:
        """The current writer's newest line, None where it is not known. Only reads, and never fails."""
        try:
            return _unpacked(read_file(self._head_file))
        except OSError:
            return None

    def newest(self) -> dict[str, NewestLine]:
        """Every writer's newest line. Only reads, also where nothing may be written."""
        lines = {head.writer: head.newest for head in self.past()}
        head = self.peek()
        if head is not None and head.seq:
            lines[head.writer] = head.newest
        return lines

    def _open(self) -> int:
        """The head's descriptor, opened again if `.state/` was deleted meanwhile or the process forked."""
        if self._descriptor is not None:
            if self._process == os.getpid() and is_still_at(self._descriptor, self._head_file):
                return self._descriptor
            self._close()
            self._descriptor = None
        prepare_state(self._layout)
        descriptor = os.open(self._head_file, os.O_RDWR | os.O_CREAT | NO_LINK, 0o666)
        self._close = closes_with(self, descriptor)
        if os.fstat(descriptor).st_size < _HEAD_BYTES:
            write_at(descriptor, b" " * _HEAD_BYTES, 0)  # from now on it needs no space that might be lacking
        self._descriptor, self._process, self._clone_id = descriptor, os.getpid(), _clone_id(self._layout)
        return descriptor


def resume_chain(descriptor: int, ledger: os.stat_result, heads: ChainHeads) -> ChainHead:
    """The head of the writer that goes on in the open ledger, brought up to date. The ledger's lock is held."""
    head = heads.current()
    if head is not None and heads.is_own(head):
        if (head.size, head.inode) == (ledger.st_size, ledger.st_ino):
            return head
        if line_hash(read_at(descriptor, head.length, head.offset)) == head.line_hash:  # the line is still there
            return _catch_up(descriptor, head, ledger.st_size)
    successor = _find_again(descriptor, head, ledger.st_size, heads) or heads.begin()
    if head is not None and head.seq and head.writer != successor.writer:
        heads.retire(head)
    return successor


def _catch_up(descriptor: int, head: ChainHead, size: int) -> ChainHead:
    """Follow the chain through what was added: another process's lines, and one that a crash left unnoted."""
    mark = member("writer", head.writer)
    for offset, raw in lines_forward(descriptor, head.offset + head.length, size):
        line = strip_end(raw)
        link = read_link(line) if mark in line else None
        if link is not None and (link.writer, link.seq) == (head.writer, head.seq + 1):
            record_id = str((parse(line) or {}).get("id", ""))[:NOTED_ID]
            head = ChainHead(head.writer, head.clone_id, link.seq, line_hash(line), record_id, offset, len(line))
    return head


def catch_up_in_segment(descriptor: int, head: ChainHead) -> ChainHead:
    """The head after what a killed process wrote only to the open segment, which is its `segment`."""
    size = os.fstat(descriptor).st_size
    for _, raw in lines_forward(descriptor, min(head.segment_size, size), size):
        line = strip_end(raw)
        link = read_link(line)
        before = head.line_hash if head.seq else None
        if link is not None and (link.writer, link.seq, link.prev) == (head.writer, head.seq + 1, before):
            record_id = str((parse(line) or {}).get("id", ""))[:NOTED_ID]
            head = ChainHead(head.writer, head.clone_id, link.seq, line_hash(line), record_id, segment=head.segment)
    return msgspec.structs.replace(head, segment_size=size, size=0, inode=0)


def give_up_lost_line(descriptor: int, size: int, heads: ChainHeads, promised: Collection[str]) -> None:
    """After a power loss: let a new writer begin where the newest line is lost, and its record is appended again.

    `promised` are the records that are. The old writer ends with its last line in the open ledger, as the disk has it,
    and is never gone on with: git may have taken the lost line elsewhere. A line that is missing for another reason
    stays noted, so that `verify` reports it. The ledger's lock is held. Raises OSError.
    """
    head = heads.current()
    if head is None or not heads.is_own(head) or head.record_id not in promised:
        return
    mark = member("writer", head.writer)
    last = find_last(descriptor, max(0, size - _REACH), size, [mark]).get(mark)
    line = b"" if last is None else strip_end(last[1])
    link = read_link(line)
    if link is not None and line_hash(line) == head.line_hash:
        return
    if link is not None:
        record_id = str((parse(line) or {}).get("id", ""))[:NOTED_ID]
        heads.retire(ChainHead(head.writer, "", link.seq, line_hash(line), record_id))
    heads.save(heads.begin())


def _find_again(descriptor: int, head: ChainHead | None, size: int, heads: ChainHeads) -> ChainHead | None:
    """The latest of this clone's writers whose newest line is in the file, as its last line there."""
    candidates = [*heads.past()[-_MAX_TRIED:], *([head] if head is not None else ())]
    own = {member("writer", past.writer): past for past in candidates if heads.is_own(past)}
    last_lines = find_last(descriptor, max(0, size - _REACH), size, own)
    for mark, past in reversed(own.items()):
        if mark in last_lines:
            offset, raw = last_lines[mark]
            line = strip_end(raw)
            if line_hash(line) == past.line_hash:
                again: ChainHead = msgspec.structs.replace(past, offset=offset, length=len(line), size=0, inode=0)
                return again
    return None


def _clone_id(layout: Layout) -> str:
    """What tells this clone from a copy of it: its directory's number, its machine's (or container's) name."""
    status = layout.state.stat()
    machine = os.environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename
    return f"{status.st_dev}:{status.st_ino}@{machine}"


def _packed(head: ChainHead) -> bytes:
    body = _encode(head)
    data = b"%08x %b" % (zlib.crc32(body), body)
    if len(data) > _HEAD_BYTES:
        raise OSError(f"a note of {len(data)} bytes does not fit")
    return data.ljust(_HEAD_BYTES)


def _unpacked(data: bytes) -> ChainHead | None:
    checksum, _, body = data.rstrip().partition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    try:
        return _decode_head(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
