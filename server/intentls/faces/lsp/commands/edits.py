"""The guarded edits."""

from __future__ import annotations

from typing import Any

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.request import EditResult
from intentls.engine.edits import perform
from intentls.engine.edits.read import read_file
from intentls.engine.intents import lessons
from intentls.engine.wire import arguments, requests, results
from intentls.faces.lsp.connection import Face

Json = dict[str, Any]


async def read(face: Face, given: Json) -> Json:
    """`intent.readFile`."""
    wanted = arguments.parse(arguments.ReadFile, given)
    session_id = wanted.session_id or face.session_id
    return results.read(await face.actions.run(lambda: read_file(face.engine, session_id, wanted.path)))


async def write(face: Face, given: Json) -> Json:
    """`intent.writeToFile`."""
    return results.edited(await _perform(face, arguments.parse(arguments.WriteToFile, given)))


async def edit(face: Face, given: Json) -> Json:
    """`intent.editFile`."""
    return results.edited(await _perform(face, arguments.parse(arguments.EditFile, given)))


async def patch(face: Face, given: Json) -> Json:
    """`intent.applyPatch`."""
    return results.patched(await _perform(face, arguments.parse(arguments.ApplyPatch, given)))


async def delete(face: Face, given: Json) -> Json:
    """`intent.deleteFile`."""
    return results.edited(await _perform(face, arguments.parse(arguments.DeleteFile, given)))


async def rename(face: Face, given: Json) -> Json:
    """`intent.renameFile`."""
    return results.edited(await _perform(face, arguments.parse(arguments.RenameFile, given)))


async def _perform(face: Face, wanted: arguments.Edit) -> EditResult | Refusal:
    request = requests.edit(wanted, face.session_id)
    outcome = await face.perform(lambda: perform.perform(face.engine, request))
    if isinstance(outcome, EditResult):
        face.chores.begin(lambda: lessons.lint_result(face.engine, outcome, request.session_id))
    face.changed()
    return outcome
