"""What each tool does: its arguments to the engine, the engine's outcome to its answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio.from_thread

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.request import EditResult
from intentls.engine.agents.request_scope import request_expansion
from intentls.engine.blame.blame import blame_at
from intentls.engine.edits import perform
from intentls.engine.edits.read import read_file
from intentls.engine.intents import checkout, intents_edit, lessons
from intentls.engine.ledger import queries
from intentls.engine.tools import host_tools
from intentls.engine.wire import arguments, requests, results
from intentls.faces.mcp.connection import Face

Json = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool; `report(done, total)` tells the client how far it is."""

    face: Face
    report: Callable[[float, float], Coroutine[Any, Any, None]]

    def session(self, wanted: arguments.Arguments) -> str:
        """Whom the call acts for."""
        return wanted.session_id or self.face.session_id

    async def ask_engine(self, question: Callable[[Callable[[int, int], None]], T]) -> T:
        """The answer to a question that may take long: it tells how far it is, and ends if the call is taken back."""
        furthest = 0

        def note(done: int, total: int) -> None:
            nonlocal furthest
            anyio.from_thread.check_cancelled()
            if done > furthest:  # of several roots' ledgers the longest one counts: progress never goes back
                furthest = done
                anyio.from_thread.run(self.report, done, total)

        return await self.face.questions.run(lambda: question(note))


async def list_intents(call: Call, _: arguments.ListIntents) -> Json:
    """The declared intents."""
    return results.intents(await call.face.actions.run(lambda: checkout.list_intents(call.face.engine)))


async def select(call: Call, wanted: arguments.SelectActiveIntent) -> Json:
    """Check an intent out."""
    declared = arguments.mutation_class(wanted.mutation_class)
    outcome = await call.face.perform(
        lambda: checkout.select(
            call.face.engine, call.session(wanted), wanted.intent_id, declared, wanted.model_identifier
        )
    )
    return results.selected(outcome)


async def get_active(call: Call, wanted: arguments.GetActiveIntent) -> Json:
    """The session's intent."""
    return results.active(await call.face.actions.run(lambda: checkout.active(call.face.engine, call.session(wanted))))


async def clear(call: Call, wanted: arguments.ClearActiveIntent) -> Json:
    """Hand the intent back."""
    return results.active(await call.face.actions.run(lambda: checkout.clear(call.face.engine, call.session(wanted))))


async def read(call: Call, wanted: arguments.ReadFile) -> Json:
    """A file's text and hash, which the session knows from then on."""
    return results.read(
        await call.face.actions.run(lambda: read_file(call.face.engine, call.session(wanted), wanted.path))
    )


async def edit(call: Call, wanted: arguments.Edit) -> Json:
    """A guarded edit of one file."""
    return results.edited(await _perform(call, wanted))


async def patch(call: Call, wanted: arguments.ApplyPatch) -> Json:
    """A guarded edit of several files."""
    return results.patched(await _perform(call, wanted))


async def _perform(call: Call, wanted: arguments.Edit) -> EditResult | Refusal:
    face = call.face
    request = requests.edit(wanted, face.session_id)
    outcome = await face.perform(lambda: perform.perform(face.engine, request))
    if isinstance(outcome, EditResult):
        face.later(lambda: lessons.lint_result(face.engine, outcome, request.session_id))
    return outcome


async def check(call: Call, wanted: arguments.CheckEdit) -> Json:
    """What the gate would say."""
    request = requests.check(wanted, call.face.session_id)
    return results.checked(await call.face.actions.run(lambda: host_tools.check(call.face.engine, request)))


async def record_lesson(call: Call, wanted: arguments.RecordLesson) -> Json:
    """Problems of a file, kept as a lesson."""
    session_id = call.session(wanted)
    return results.learned(
        await call.face.actions.run(
            lambda: lessons.record_lesson(call.face.engine, session_id, wanted.path, wanted.problems)
        )
    )


async def query(call: Call, wanted: arguments.QueryTrace) -> Json:
    """Records of the ledger."""
    question = requests.question(wanted)
    found = await call.ask_engine(lambda note: queries.query(call.face.engine, question, note))
    call.face.later(lambda: queries.update_indexes(call.face.engine))
    return results.ok(entries=found)


async def verify(call: Call, _: arguments.VerifyTrace) -> Json:
    """Whether the ledger is whole."""
    return results.verification(await call.ask_engine(lambda note: queries.verify(call.face.engine, note)))


async def blame(call: Call, wanted: arguments.Blame) -> Json:
    """Who wrote each line."""
    path, ranges = await call.ask_engine(
        lambda note: blame_at(call.face.engine, call.session(wanted), wanted.path, wanted.line, note)
    )
    return results.blamed(path, ranges)


async def request_scope(call: Call, wanted: arguments.RequestScopeExpansion) -> Json:
    """A wider scope, if a person says so."""
    outcome = await call.face.perform(
        lambda: request_expansion(
            call.face.engine, call.session(wanted), wanted.intent_id, wanted.path, wanted.glob, wanted.reason
        )
    )
    return results.refused(outcome) if isinstance(outcome, Refusal) else results.made(outcome)


async def set_status(call: Call, wanted: arguments.SetStatus) -> Json:
    """Another status for an intent."""
    session_id = call.session(wanted)
    return results.made(
        await call.face.actions.run(
            lambda: intents_edit.change_status(call.face.engine, wanted.intent_id, wanted.status, session_id)
        )
    )
