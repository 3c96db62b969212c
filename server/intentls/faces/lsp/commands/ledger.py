"""Questions to the ledger, and lessons."""

from __future__ import annotations

from typing import Any

from intentls.engine.blame.blame import blame_at
from intentls.engine.intents import lessons
from intentls.engine.ledger import queries
from intentls.engine.wire import arguments, requests, results
from intentls.faces.lsp.connection import Face
from intentls.faces.lsp.progress import watched
from intentls.faces.lsp.protocol.command_table import progress_token

Json = dict[str, Any]


async def query(face: Face, given: Json) -> Json:
    """`intent.queryTrace`."""
    question = requests.question(arguments.parse(arguments.QueryTrace, given))
    found = await watched(
        face, "Searching the ledger", lambda note: queries.query(face.engine, question, note), progress_token.get()
    )
    face.chores.begin(lambda: queries.update_indexes(face.engine))
    return results.ok(entries=found)


async def verify(face: Face, given: Json) -> Json:
    """`intent.verifyTrace`."""
    arguments.parse(arguments.VerifyTrace, given)
    found = await watched(
        face, "Verifying the ledger", lambda note: queries.verify(face.engine, note), progress_token.get()
    )
    return results.verification(found)


async def blame(face: Face, given: Json) -> Json:
    """`intent.blame`."""
    wanted = arguments.parse(arguments.Blame, given)
    session_id = wanted.session_id or face.session_id
    path, ranges = await watched(
        face,
        "Looking for the authors",
        lambda note: blame_at(face.engine, session_id, wanted.path, wanted.line, note),
        progress_token.get(),
    )
    face.chores.begin(lambda: queries.update_indexes(face.engine))
    return results.blamed(path, ranges)


async def record_lesson(face: Face, given: Json) -> Json:
    """`intent.recordLesson`."""
    wanted = arguments.parse(arguments.RecordLesson, given)
    session_id = wanted.session_id or face.session_id
    return results.learned(
        await face.actions.run(lambda: lessons.record_lesson(face.engine, session_id, wanted.path, wanted.problems))
    )
