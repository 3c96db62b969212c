"""Changing what an intent declares: its status, its scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from intentls.core.errors import ConfigurationError, InvalidArgument, StoreError
from intentls.engine.intents import intents_edit
from intentls.engine.intents.intents_edit import IntentsEdit
from intentls.engine.wire import arguments, results
from intentls.faces.lsp.connection import Face

Json = dict[str, Any]


async def set_status(face: Face, given: Json) -> Json:
    """`intent.setStatus`."""
    wanted = arguments.parse(arguments.SetStatus, given)
    session_id = wanted.session_id or face.session_id
    return await _make(
        face, lambda: intents_edit.change_status(face.engine, wanted.intent_id, wanted.status, session_id)
    )


async def expand_scope(face: Face, given: Json) -> Json:
    """`intent.expandScope`."""
    wanted = arguments.parse(arguments.ExpandScope, given)
    if (wanted.path is None) == (wanted.glob is None):
        raise InvalidArgument("path", "give either path or glob")
    session_id = wanted.session_id or face.session_id
    return await _make(
        face,
        lambda: intents_edit.expand_scope(
            face.engine, wanted.intent_id, wanted.path, wanted.glob, session_id, wanted.reason
        ),
    )


async def _make(face: Face, edit: Callable[[], IntentsEdit]) -> Json:
    try:
        made = await face.actions.run(edit)
    except (ConfigurationError, StoreError) as trouble:
        return results.failed(trouble)
    face.changed()
    return results.made(made)
