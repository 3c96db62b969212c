"""Questions to the ledger, and lessons."""

from __future__ import annotations

from typing import Any

from intentls.engine import explain, learn
from intentls.engine.blame import blame_at
from intentls.engine.wire import arguments, results
from intentls.faces.lsp.face import Face

Json = dict[str, Any]


async def query(face: Face, given: Json) -> Json:
    """`intent.queryTrace`."""
    wanted = arguments.parse(arguments.QueryTrace, given)
    question = explain.Query(
        intent_id=wanted.intent_id,
        path=wanted.path,
        session_id=wanted.session_id,
        since=arguments.moment("since", wanted.since),
        limit=wanted.limit,
    )
    return results.ok(entries=await face.questions.run(lambda: explain.query(face.engine, question)))


async def verify(face: Face, given: Json) -> Json:
    """`intent.verifyTrace`."""
    arguments.parse(arguments.VerifyTrace, given)
    return results.verification(await face.questions.run(lambda: explain.verify(face.engine)))


async def blame(face: Face, given: Json) -> Json:
    """`intent.blame`."""
    wanted = arguments.parse(arguments.Blame, given)
    session_id = wanted.session_id or face.session_id
    path, ranges = await face.questions.run(lambda: blame_at(face.engine, session_id, wanted.path, wanted.line))
    return results.blamed(path, ranges)


async def record_lesson(face: Face, given: Json) -> Json:
    """`intent.recordLesson`."""
    wanted = arguments.parse(arguments.RecordLesson, given)
    session_id = wanted.session_id or face.session_id
    return results.learned(
        await face.actions.run(lambda: learn.record_lesson(face.engine, session_id, wanted.path, wanted.problems))
    )
