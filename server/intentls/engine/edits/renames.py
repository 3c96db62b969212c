"""A file that a person renamed in the editor: a record, so that its history goes on under the new name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from intentls.core.errors import InvalidPath
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.derived_maps import update_maps
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace

_MAX_FILES = 1_000  # of a folder that is renamed


def renamed(engine: Engine, old: Path, new: Path, session_id: str) -> list[str]:
    """Record that the editor has renamed a file or folder, from one real path to another; the ids of the records.

    Nothing where policy does not record what people do, where no root governs both, or where nothing is there now.
    """
    governing = engine.governing(new)
    if governing is None:
        return []
    workspace, path = governing
    before = engine.governing(old)
    if before is None or before[0] is not workspace or not workspace.configuration().policy.trace_on_save:
        return []
    pairs = islice(_files(workspace, before[1], path), _MAX_FILES)
    return [record_id for pair in pairs if (record_id := _record(workspace, *pair, session_id)) is not None]


def _record(workspace: Workspace, old: str, new: str, session_id: str) -> str | None:
    try:
        content = workspace.tree.read(new)
    except InvalidPath:
        return None
    if content is None:
        return None
    edit = PlannedEdit(new, Change.RENAME, content, content, old_path=old)
    record = RecordWriter(workspace).rename(edit, workspace.sessions.load(session_id))
    workspace.trace(record)
    update_maps(workspace, record, (edit,), workspace.configuration())
    return record.id


def _files(workspace: Workspace, old: str, new: str) -> Iterator[tuple[str, str]]:
    """The old and the new name of each file that was renamed: the file itself, or those in the folder."""
    top = workspace.root / new
    if not top.is_dir() or top.is_symlink():
        yield old, new
        return
    for directory, folders, names in os.walk(top):
        folders.sort()
        below = Path(directory).relative_to(top).as_posix()
        for name in sorted(names):
            relative = name if below == "." else f"{below}/{name}"
            yield f"{old}/{relative}", f"{new}/{relative}"
