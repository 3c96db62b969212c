"""The guarded edits."""

from __future__ import annotations

from typing import Any

from intentls.core.errors import InvalidArgument, InvalidPatch
from intentls.core.patch import parse_patch
from intentls.core.verdict import Refusal
from intentls.engine import edits, learn
from intentls.engine.plans import ApplyPatch, DeleteFile, EditFile, RenameFile, WriteFile
from intentls.engine.read import read_file
from intentls.engine.request import Done, Plan, Request
from intentls.engine.wire import arguments, results
from intentls.faces.lsp.face import Face

Json = dict[str, Any]


async def read(face: Face, given: Json) -> Json:
    """`intent.readFile`."""
    wanted = arguments.parse(arguments.ReadFile, given)
    session_id = wanted.session_id or face.session_id
    return results.read(await face.actions.run(lambda: read_file(face.engine, session_id, wanted.path)))


async def write(face: Face, given: Json) -> Json:
    """`intent.writeToFile`."""
    wanted = arguments.parse(arguments.WriteToFile, given)
    return results.edited(await _perform(face, wanted, WriteFile(wanted.path, wanted.content)))


async def edit(face: Face, given: Json) -> Json:
    """`intent.editFile`."""
    wanted = arguments.parse(arguments.EditFile, given)
    plan = EditFile(wanted.path, wanted.old_string, wanted.new_string, wanted.replace_all)
    return results.edited(await _perform(face, wanted, plan))


async def patch(face: Face, given: Json) -> Json:
    """`intent.applyPatch`."""
    wanted = arguments.parse(arguments.ApplyPatch, given)
    try:
        patches = parse_patch(wanted.patch)
    except InvalidPatch as error:
        raise InvalidArgument("patch", str(error)) from error
    if wanted.expected_content_hash is not None and len(patches) > 1:
        raise InvalidArgument("expected_content_hash", f"names one content, but the patch has {len(patches)} files")
    return results.patched(await _perform(face, wanted, ApplyPatch(patches)))


async def delete(face: Face, given: Json) -> Json:
    """`intent.deleteFile`."""
    wanted = arguments.parse(arguments.DeleteFile, given)
    return results.edited(await _perform(face, wanted, DeleteFile(wanted.path)))


async def rename(face: Face, given: Json) -> Json:
    """`intent.renameFile`."""
    wanted = arguments.parse(arguments.RenameFile, given)
    return results.edited(await _perform(face, wanted, RenameFile(wanted.path, wanted.new_path)))


async def _perform(face: Face, wanted: arguments.Edit, plan: Plan) -> Done | Refusal:
    request = Request(
        plan,
        wanted.session_id or face.session_id,
        intent_id=wanted.intent_id,
        mutation_class=arguments.mutation_class(wanted.mutation_class),
        expected_hash=wanted.expected_content_hash,
        model=wanted.model_identifier,
    )
    outcome = await face.perform(lambda: edits.perform(face.engine, request))
    if isinstance(outcome, Done):
        face.chores.begin(lambda: learn.lint_done(face.engine, outcome, request.session_id))
    face.changed()
    return outcome
