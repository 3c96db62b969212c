"""What the ledger says of changes since a moment: only lines that a process of this clone appended count.

A command can append to the ledger as to any file. What it writes there explains nothing, and is told:

    before    ... A6                      A is the writer of this clone; `.state/` knows its newest line
    now       ... A6 A7 X1 A8             `.state/` knows A8, which leads to A7: both count, X1 does not
"""

from __future__ import annotations

import logging
import stat
from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from intentls.core.errors import LedgerUnavailable
from intentls.core.hashing import hash_of
from intentls.core.ledger.hash_chain import line_hash, parse, read_link, strip_end
from intentls.core.ledger.record_json import files_of, text_of
from intentls.engine.tools.ledger_mark import LedgerMark, digest, read_part, size_of
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.state_directory import is_settled
from intentls.store.git.commits import is_on_another_branch
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger_files.segments import in_order, read_segment, segments
from intentls.store.worktree.state import TreeChange

log = logging.getLogger(__name__)

_REACH = 16 * 1024 * 1024  # bytes that are read of a ledger that is another file now


class LedgerEvidence(Struct, frozen=True):
    """`written` has the newest hash on record (None: no file) of each path that was recorded since.

    `damage` says in a sentence what is wrong with the ledger; None if nothing is. Not `is_readable`: what others
    recorded is not known.
    """

    written: Mapping[str, str | None]
    damage: str | None = None
    is_readable: bool = True


def evidence_since(workspace: Workspace, before: LedgerMark | None, at: str) -> LedgerEvidence:
    """What was recorded since `before`, which was at the time `at`; by the time alone where no mark was kept."""
    layout = workspace.layout
    size = size_of(layout)
    start = _end_of(layout, before, size)
    is_same = start is not None
    lines = read_part(layout, max(0, size - _REACH) if start is None else start, size).splitlines(keepends=True)
    if not is_same and (before is not None or not _is_file_or_none(layout)):
        lines += _read_newest_segments(layout, _REACH)  # the local file may have lost what others recorded since
    own = _own_lines(layout, lines)
    written: dict[str, str | None] = {}
    for waiting in () if is_settled(layout) else workspace.journal.waiting():
        if str(waiting.get("timestamp", "")) >= at and waiting.get("success") is True:
            _note(written, waiting)
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
    return LedgerEvidence(written, damage, is_readable=_is_readable(workspace))


def _is_readable(workspace: Workspace) -> bool:
    try:
        next(workspace.ledger.newest_first(), None)
    except LedgerUnavailable:
        return False
    return True


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
        problems = workspace.ledger.verify(partial(is_on_another_branch, workspace.root)).problems
    except LedgerUnavailable as error:
        return str(error)
    if not problems:
        return None
    return f"The ledger is damaged: {problems[0].message.rstrip('.')}. `intentls trace verify` says more."


def is_recorded(change: TreeChange, written: Mapping[str, str | None]) -> bool:
    """Whether the file is as the newest record left it."""
    after = change.after
    return after.is_known and change.path in written and written[change.path] == hash_of(after.data)


def _end_of(layout: Layout, before: LedgerMark | None, size: int) -> int | None:
    """Where the ledger ended then, if it only grew since. What is no file, or lost what we wrote, did not."""
    if (
        not _is_file_or_none(layout)
        or _lost_lines(layout, size)
        or before is None
        or size < before.size
        or digest(layout, before.size) != before.digest
    ):
        return None
    return before.size


def _lost_lines(layout: Layout, size: int) -> bool:
    """Whether the local file is shorter than it was just after this clone's newest line."""
    head = ChainHeads(layout).peek()
    return head is not None and size < head.size


def _is_file_or_none(layout: Layout) -> bool:
    """Whether a regular file stands in the local ledger's place, or nothing."""
    try:
        return stat.S_ISREG(layout.ledger.lstat().st_mode)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _read_newest_segments(layout: Layout, limit: int) -> list[bytes]:
    """The lines, with their ends, of the segments that changed last: those in about `limit` bytes."""
    contents: list[bytes] = []
    try:
        for segment in sorted(segments(layout), key=lambda one: one.changed, reverse=True):
            if limit >= 0:
                contents.append(read_segment(layout.trace / segment.name))
                limit -= segment.size
    except OSError:
        log.info("segments of the ledger can't be read", exc_info=True)
    return [line + b"\n" for line in in_order(contents)]
