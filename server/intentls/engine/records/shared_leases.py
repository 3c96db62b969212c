"""What a record says of leases that many machines share: under which fence a file was changed, or that nobody knows."""

from __future__ import annotations

from msgspec.structs import replace

from intentls.core.errors import StoreError
from intentls.core.ledger.record import AWAY, FileChange
from intentls.engine.workspace.workspace import Workspace


def with_leases(
    workspace: Workspace, session_id: str, files: tuple[FileChange, ...]
) -> tuple[tuple[FileChange, ...], str | None]:
    """The changes with the leases that `session_id` has made them under, and `away` where other machines are that.

    As they are, and None, where this machine shares no leases.
    """
    coordination = workspace.coordination
    if not coordination.is_shared or not files:
        return files, None
    try:
        uses = coordination.fences(session_id, [file.path for file in files])
        away = AWAY if coordination.trouble() is not None else None
    except StoreError:
        return files, AWAY
    return tuple(replace(file, lease=uses.get(file.path)) for file in files), away
