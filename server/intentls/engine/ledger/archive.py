"""Moving the ledger's older part into an archive, where it stays a part of the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct

import intentls
from intentls.core.gate.refusal import ScopeValidation
from intentls.core.ledger.archive_marker import KEY, TOOL_NAME, ArchiveMarker
from intentls.core.ledger.record import ClassSource, Record, Vcs
from intentls.core.mutation.classes import MutationClass
from intentls.engine.ledger.removed_segments import verify_root
from intentls.engine.workspace.workspace import Workspace
from intentls.store.archiving.archive_prefix import ArchiveAllBut, ArchiveBefore, LedgerPrefix, find_prefix
from intentls.store.archiving.archiver import ArchiveMove, Archiver
from intentls.store.archiving.packed_signatures import pack_signatures
from intentls.store.clock import timestamp
from intentls.store.ledger.ledger import Verification

Progress = Callable[[int, int], None]


class ArchiveRequest(Struct, frozen=True):
    """What is to be archived, on whose behalf (`by`: a name for the ledger). `dry_run` only looks."""

    wish: ArchiveBefore | ArchiveAllBut
    by: str
    session_id: str
    dry_run: bool = False


class ArchiveResult(Struct, frozen=True):
    """What was moved, or (in a dry run) would be: `prefix.length` is 0 if that is nothing.

    `moved` is None in a dry run, or if nothing was moved. `finished` is a move in which an earlier run was killed, and
    which was completed first.
    """

    prefix: LedgerPrefix
    moved: ArchiveMove | None = None
    finished: ArchiveMove | None = None


class UnverifiedLedger(Struct, frozen=True):
    """Nothing was moved, since the ledger does not verify: an archive would vouch for what is wrong in it."""

    verification: Verification


def archive(
    workspace: Workspace, order: ArchiveRequest, progress: Progress = lambda _done, _total: None
) -> ArchiveResult | UnverifiedLedger:
    """Move a prefix of the ledger into an archive, if the whole ledger is sound.

    `progress` is told now and then how many bytes of how many have been verified. Raises ArchiveBusy if somebody else
    does the same, StoreError where the disk refuses; then the ledger is as it was.
    """
    if order.dry_run:
        return _examine(workspace, order, progress)
    mover = Archiver(workspace.layout, workspace.ledger)
    record = partial(_record, workspace, order)
    with mover.hold(workspace.holder(order.session_id)):
        if not workspace.segment_commits.tracks_local_file():
            workspace.ledger.move_over()
        found = _examine(workspace, order, progress)
        if isinstance(found, UnverifiedLedger):
            return found
        finished = mover.finish(order.by, record, workspace.segment_commits.taken())
        prefix = found.prefix if finished is None else _prefix(workspace, order)
        moved = mover.move(prefix, order.by, record) if prefix.lines else None
        if moved is not None or finished is not None:
            pack_signatures(workspace.layout)
        return ArchiveResult(prefix, moved, finished)


def _examine(workspace: Workspace, order: ArchiveRequest, progress: Progress) -> ArchiveResult | UnverifiedLedger:
    verification = verify_root(workspace, progress)
    if not verification.ok:
        return UnverifiedLedger(verification)
    return ArchiveResult(_prefix(workspace, order))


def _prefix(workspace: Workspace, order: ArchiveRequest) -> LedgerPrefix:
    return find_prefix(workspace.layout, order.wish, workspace.segment_commits.taken())


def _record(workspace: Workspace, order: ArchiveRequest, bridge: ArchiveMarker) -> dict[str, Any]:
    """The bridge's record: no change of any file, so neither intent nor contributor; it says itself who it was."""
    head = workspace.git.head()
    record = Record(
        id=str(uuid.uuid4()),
        timestamp=timestamp(),
        vcs=None if head is None else Vcs(head.sha),
        tool_version=intentls.__version__,
        session_id=order.session_id,
        tool_name=TOOL_NAME,
        mutation_class=MutationClass.UNKNOWN,
        mutation_class_source=ClassSource.INFERRED,
        scope_validation=ScopeValidation.EXEMPT,
        success=True,
        files=(),
    )
    return record.to_json() | {KEY: bridge.to_json()}
