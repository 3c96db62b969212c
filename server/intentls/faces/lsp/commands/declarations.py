"""Changing what an intent declares: its status, its scope."""

from __future__ import annotations

from typing import Any

from intentls.core.errors import InvalidArgument
from intentls.core.trace import Contributor, ContributorType
from intentls.engine import scope_edit
from intentls.engine.wire import arguments, results
from intentls.faces.lsp.face import Face

Json = dict[str, Any]


async def set_status(face: Face, given: Json) -> Json:
    """`intent.setStatus`."""
    wanted = arguments.parse(arguments.SetStatus, given)
    session_id, by = _who(face, wanted)
    made = await face.actions.run(
        lambda: scope_edit.change_status(face.engine, wanted.intent_id, wanted.status, session_id, by)
    )
    face.changed()
    return results.made(made)


async def expand_scope(face: Face, given: Json) -> Json:
    """`intent.expandScope`."""
    wanted = arguments.parse(arguments.ExpandScope, given)
    if (wanted.path is None) == (wanted.glob is None):
        raise InvalidArgument("path", "give either path or glob")
    session_id, by = _who(face, wanted)
    made = await face.actions.run(
        lambda: scope_edit.expand_scope(
            face.engine, wanted.intent_id, wanted.path, wanted.glob, session_id, by, wanted.reason
        )
    )
    face.changed()
    return results.made(made)


def _who(face: Face, wanted: arguments.Arguments) -> tuple[str, Contributor]:
    """The connection's own session is the person at the editor; a session that is named is an agent's."""
    named = wanted.session_id is not None and wanted.session_id != face.session_id
    kind = ContributorType.AI if named else ContributorType.HUMAN
    return wanted.session_id or face.session_id, Contributor(kind)
