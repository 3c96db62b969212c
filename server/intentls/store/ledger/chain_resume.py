"""Where this clone's chain stands in the ledger as it lies there now.

Other processes append, git replaces the file, people edit it, `.state/` gets lost or copied. A writer goes on
only behind its newest line, found in the file and known by its hash; wherever that is in doubt a new writer
begins. So no chain ever forks, and what went missing shows.
"""

from __future__ import annotations

import os

from intentls.core.ledger.hash_chain import line_hash, member, parse, read_link, strip_end
from intentls.store.fs.atomic_write import read_at
from intentls.store.ledger.chain_heads import ChainHead, ChainHeads
from intentls.store.ledger_files.line_reader import find_last, lines_forward

# How many earlier writers are looked for in a file that was replaced, and how far back (bytes): everybody waits
# for that, and giving up costs no more than a new name.
_MOST_TRIED = 16
_REACH = 1 << 24


def stand(descriptor: int, ledger: os.stat_result, writers: ChainHeads) -> ChainHead:
    """The note of the writer that goes on, brought up to date. The caller holds the ledger's lock."""
    note = writers.current()
    if note is not None and writers.is_own(note):
        if (note.size, note.inode) == (ledger.st_size, ledger.st_ino):
            return note
        if _is_in_place(descriptor, note):
            return _catch_up(descriptor, note, ledger.st_size)
    successor = _find_again(descriptor, note, ledger.st_size, writers) or writers.begin()
    if note is not None and note.writer != successor.writer:
        writers.retire(note)
    return successor


def _is_in_place(descriptor: int, note: ChainHead) -> bool:
    line = read_at(descriptor, note.length, note.offset)
    return line_hash(line) == note.line_hash


def _catch_up(descriptor: int, note: ChainHead, size: int) -> ChainHead:
    """Follow the chain through what was added: another process's lines, and one that a crash left unnoted."""
    mark = member("writer", note.writer)
    for offset, raw in lines_forward(descriptor, note.offset + note.length, size):
        line = strip_end(raw)
        link = read_link(line) if mark in line else None
        if link is not None and (link.writer, link.seq) == (note.writer, note.seq + 1):
            record_id = str((parse(line) or {}).get("id", ""))
            note = ChainHead(note.writer, note.home, link.seq, line_hash(line), record_id, offset, len(line))
    return note


def _find_again(descriptor: int, note: ChainHead | None, size: int, writers: ChainHeads) -> ChainHead | None:
    """The latest of this clone's writers whose newest line is in the file, as its last line there."""
    past: list[ChainHead] = [*writers.past()[-_MOST_TRIED:], *([note] if note is not None else ())]
    own = {member("writer", known.writer): known for known in past if writers.is_own(known)}
    found = find_last(descriptor, max(0, size - _REACH), size, own)
    for mark, known in reversed(own.items()):
        if mark in found:
            offset, raw = found[mark]
            line = strip_end(raw)
            if line_hash(line) == known.line_hash:
                return known.moved_to(offset, len(line))
    return None
