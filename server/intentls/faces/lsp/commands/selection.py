"""Checking intents out and in."""

from __future__ import annotations

from typing import Any

from intentls.engine.intents import checkout
from intentls.engine.intents.prompt import protocol_prompt
from intentls.engine.wire import arguments, results
from intentls.faces.lsp.connection import Face

Json = dict[str, Any]


async def list_intents(face: Face, given: Json) -> Json:
    """`intent.listIntents`."""
    arguments.parse(arguments.ListIntents, given)
    return results.intents(await face.actions.run(lambda: checkout.list_intents(face.engine)))


async def select(face: Face, given: Json) -> Json:
    """`intent.selectActiveIntent`."""
    wanted = arguments.parse(arguments.SelectActiveIntent, given)
    session_id = wanted.session_id or face.session_id
    declared = arguments.mutation_class(wanted.mutation_class)
    outcome = await face.perform(
        lambda: checkout.select(face.engine, session_id, wanted.intent_id, declared, wanted.model_identifier)
    )
    face.changed()
    return results.selected(outcome)


async def get_active(face: Face, given: Json) -> Json:
    """`intent.getActiveIntent`."""
    session_id = arguments.parse(arguments.GetActiveIntent, given).session_id or face.session_id
    return results.active(await face.actions.run(lambda: checkout.active(face.engine, session_id)))


async def clear(face: Face, given: Json) -> Json:
    """`intent.clearActiveIntent`."""
    session_id = arguments.parse(arguments.ClearActiveIntent, given).session_id or face.session_id
    session = await face.actions.run(lambda: checkout.clear(face.engine, session_id))
    face.changed()
    return results.active(session)


async def protocol(face: Face, given: Json) -> Json:
    """`intent.getProtocolPrompt`."""
    arguments.parse(arguments.GetProtocolPrompt, given)
    return results.ok(prompt=await face.actions.run(lambda: protocol_prompt(face.engine)))
