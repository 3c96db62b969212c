"""A command's changes as edits, and their record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from intentls.core.gate.refusal import Refusal
from intentls.core.hashing import hash_of
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.tools import tool_reports
from intentls.engine.tools.shell_call import ShellCall
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session
from intentls.store.worktree.state import Presence, TreeChange


def edits_of(changes: Iterable[TreeChange], shared: Mapping[str, str | None] | None = None) -> tuple[PlannedEdit, ...]:
    """As edits; a file that vanished where the same content appeared elsewhere was renamed.

    `shared` has the newest hash on record of files that others changed, too, or may have.
    """
    shared = shared or {}
    changes = list(changes)
    own = [change for change in changes if change.path not in shared]
    vanished = {hash_of(c.before.data): c for c in own if c.after.presence is Presence.ABSENT and c.before.data}
    edits: list[PlannedEdit] = []
    renamed: set[str] = set()
    for change in changes:
        if change.path in shared:
            edits.append(_shared_edit(change, shared[change.path]))
            continue
        origin = vanished.get(hash_of(change.after.data)) if change.before.presence is Presence.ABSENT else None
        if origin is not None and origin.path not in renamed:
            renamed.add(origin.path)
            before, after = origin.before.data, change.after.data
            edits.append(PlannedEdit(change.path, Change.RENAME, before, after, old_path=origin.path))
        else:
            edits.append(_edit(change))
    return tuple(edit for edit in edits if not (edit.change is Change.DELETE and edit.path in renamed))


def _edit(change: TreeChange) -> PlannedEdit:
    before, after = change.before, change.after
    if after.presence is Presence.ABSENT:
        return PlannedEdit(change.path, Change.DELETE, before.data, None)
    is_new = before.presence is Presence.ABSENT and after.is_known
    return PlannedEdit(change.path, Change.ADD if is_new else Change.MODIFY, before.data, after.data)


def _shared_edit(change: TreeChange, newest: str | None) -> PlannedEdit:
    """The command's part of a file of which more than that part is new to us: whose each line is can't be told."""
    if change.after.presence is Presence.ABSENT:
        kind = Change.DELETE
    else:
        kind = Change.ADD if newest is None and change.before.presence is Presence.ABSENT else Change.MODIFY
    return PlannedEdit(change.path, kind, None, change.after.data, claimed_pre_hash=newest, is_shared=True)


def record(
    workspace: Workspace,
    call: ShellCall,
    session: Session,
    edits: tuple[PlannedEdit, ...],
    refusal: Refusal | None,
    *,
    undone: bool = False,
) -> None:
    """Append the record of `edits`, if there are any; `undone`: they were put back."""
    if not edits:
        return
    paths = {path for edit in edits for path in (edit.path, edit.old_path)}
    if refusal is not None:
        refusal = replace(refusal, paths=tuple(path for path in refusal.paths if path in paths))
    report = tool_reports.ToolReport(call.tool_name, success=not undone, model=call.model, overrides=call.overrides)
    tool_reports.record_edits(workspace, session, report, edits, refusal)
