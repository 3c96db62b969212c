"""Edits where governance is off: they happen, and nothing is written but the edit itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from intentls.core.errors import HunkMismatch
from intentls.core.gate.checks import stale_text
from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.effects import ApplyInEditor, Steps
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import EditRequest, EditResult, PlannedEdit
from intentls.engine.edits.apply import document_edits
from intentls.engine.edits.folder_boundary import outside_folders
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.file_contents import Content, Contents
from intentls.engine.workspace.path_argument import ResolvedPath
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.rooted_files import RootedFiles


def perform_ungoverned(
    engine: Engine, request: EditRequest, resolved: Mapping[str, ResolvedPath]
) -> Steps[EditResult | Refusal]:
    """Carry out the plan inside the workspace folders; a named base still has to be the content now."""
    refusal = outside_folders(engine, resolved)
    if refusal is not None:
        return refusal
    paths = {argument: path.real.as_posix() for argument, path in resolved.items()}
    contents = {paths[argument]: _content(engine, path.real) for argument, path in resolved.items()}
    subject = paths[request.plan.paths[0]]
    if request.expected_hash is not None and request.expected_hash != contents[subject].hash:
        return Refusal.of(Code.STALE_CONTEXT, stale_text(subject), paths=(subject,))
    try:
        edits = request.plan.edits(paths, {path: content.data for path, content in contents.items()})
    except HunkMismatch as mismatch:
        return Refusal.of(Code.STALE_CONTEXT, stale_text(mismatch.path), paths=(mismatch.path,))
    in_editor = document_edits(edits, contents) if engine.host.can_apply_edits else ()
    if in_editor and (yield ApplyInEditor(request.plan.tool_name, in_editor)) is not True:
        rejected = "Edit Rejected: the editor did not apply the edit. Read the file again and retry."
        return Refusal.of(Code.EDIT_REJECTED, rejected, paths=tuple(paths.values()))
    open_paths = {edit.document.path.as_posix() for edit in in_editor}
    _write([edit for edit in edits if edit.path not in open_paths], contents)
    mutation = Mutation.of(edits, request.mutation_class)
    return EditResult(
        None, edits, mutation.mutation_class, mutation.inferred, mutation.reasons, in_editor=bool(in_editor)
    )


def _content(engine: Engine, path: Path) -> Content:
    directory = path.parent
    if not directory.is_dir():
        return Content(None)
    return Contents(directory, RootedFiles(directory), engine.host).read(path.name)


def _write(edits: list[PlannedEdit], contents: Mapping[str, Content]) -> None:
    """Every file or none: what is already written is put back if a later one can't be."""
    done: list[PlannedEdit] = []
    try:
        for edit in edits:
            _put(edit.path, edit.after, edit.mode or contents[edit.old_path or edit.path].mode)
            done.append(edit)
            if edit.old_path is not None and edit.old_path != edit.path:
                Path(edit.old_path).unlink()
    except OSError:
        for edit in reversed(done):
            origin = edit.old_path or edit.path
            _put(origin, edit.before, contents[origin].mode)
            if origin != edit.path:
                Path(edit.path).unlink(missing_ok=True)
        raise


def _put(path: str, data: bytes | None, mode: int | None) -> None:
    target = Path(path)
    if data is None:
        target.unlink(missing_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(target, data, mode=mode, durable=True)
