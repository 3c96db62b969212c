"""What the ledger says of changes since a moment: only lines that a process of this clone appended count.

A command can append to the ledger as to any file. What it writes there explains nothing, and is told:

    before    ... A6                      A is the writer of this clone; `.state/` knows its newest line
    now       ... A6 A7 X1 A8             `.state/` knows A8, which leads to A7: both count, X1 does not
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from intentls.core.errors import LedgerUnavailable
from intentls.core.hashing import hash_of
from intentls.core.ledger.hash_chain import line_hash, parse, read_link, strip_end
from intentls.core.ledger.record_json import files_of, text_of
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.primitives import READ
from intentls.store.git.worktree_state import TreeChange
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads

_CHECKED = 1024 * 1024  # bytes at the end of the ledger that are compared
_REACH = 16 * 1024 * 1024  # bytes that are read of a ledger that is another file now


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


@dataclass(frozen=True, slots=True)
class LedgerEvidence:
    """`written` has the newest hash on record (None: no file) of each path that was recorded since.

    `damage` says in a sentence what is wrong with the ledger; None if nothing is.
    """

    written: Mapping[str, str | None]
    damage: str | None = None


def mark(layout: Layout) -> LedgerMark:
    """The ledger now."""
    size = _size(layout)
    return LedgerMark(size, _digest(layout, size))


def evidence_since(workspace: Workspace, before: LedgerMark | None, at: str) -> LedgerEvidence:
    """What was recorded since `before`, which was at the time `at`; by the time alone where no mark was kept."""
    layout = workspace.layout
    size = _size(layout)
    start = _end_of(layout, before, size)
    is_same = start is not None
    lines = _read(layout, max(0, size - _REACH) if start is None else start, size).splitlines(keepends=True)
    own = _own_lines(layout, lines)
    written: dict[str, str | None] = {}
    foreign: dict[str, str | None] = {}
    for line in reversed(lines):
        record = parse(strip_end(line))
        is_later = record is not None and (is_same or str(record.get("timestamp", "")) >= at)
        if record is not None and is_later and record.get("success") is True:
            _note(written if line in own else foreign, record)
    damage = None if is_same or before is None else _damage(workspace)
    forged = sorted(path for path in foreign if written.get(path, "") != foreign[path])
    if forged and damage is None and is_same:
        names = ", ".join(forged)
        damage = f"Lines were added to the ledger that intentls did not write; they explain no change of {names}."
    return LedgerEvidence(written, damage)


def _end_of(layout: Layout, before: LedgerMark | None, size: int) -> int | None:
    """Where the ledger ended then, if it only grew since."""
    if before is None or size < before.size or _digest(layout, before.size) != before.digest:
        return None
    return before.size


def _note(written: dict[str, str | None], record: Mapping[str, Any]) -> None:
    for file in files_of(record):
        written.setdefault(str(file.get("path")), text_of(file, "post_hash"))
        if file.get("old_path") is not None:
            written.setdefault(str(file["old_path"]), None)


def _own_lines(layout: Layout, lines: list[bytes]) -> set[bytes]:
    """Those lines that lead, link by link, to the newest line that a process of this clone noted."""
    expected = {writer: line.line_hash for writer, line in ChainHeads(layout).newest().items()}
    own: set[bytes] = set()
    for line in reversed(lines):
        stripped = strip_end(line)
        link = read_link(stripped)
        if link is not None and expected.get(link.writer) == line_hash(stripped):
            own.add(line)
            expected[link.writer] = link.prev or ""
    return own


def _damage(workspace: Workspace) -> str | None:
    try:
        problems = workspace.ledger.verify().problems
    except LedgerUnavailable as error:
        return str(error)
    if not problems:
        return None
    return f"The ledger is damaged: {problems[0].message.rstrip('.')}. `intentls trace verify` says more."


def _size(layout: Layout) -> int:
    try:
        status = layout.ledger.lstat()
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _digest(layout: Layout, size: int) -> str:
    return _digest_of(_read(layout, max(0, size - _CHECKED), size))


def _digest_of(data: bytes) -> str:
    return sha256(data).hexdigest()


def _read(layout: Layout, start: int, end: int) -> bytes:
    try:
        with open(os.open(layout.ledger, READ), "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return b""
            opened.seek(start)
            return opened.read(max(0, end - start))
    except OSError:
        return b""


def is_recorded(change: TreeChange, written: Mapping[str, str | None]) -> bool:
    """Whether the file is as the newest record left it."""
    after = change.after
    return after.is_known and change.path in written and written[change.path] == hash_of(after.data)
