"""`intentls/state`: what holds for every root and folder of the editor, for a status line."""

from __future__ import annotations

from typing import Any

import msgspec

from intentls.engine.editor.state import folder_states
from intentls.engine.wire.folder_state import EditorState
from intentls.faces.lsp.connection import LspConnection

STATE = "intentls/state"


async def state(connection: LspConnection, _params: Any) -> Any:
    """The state as it is now."""
    await connection.edits.run(lambda: None)  # wait until what was asked before is done
    session_id = connection.session_id
    states = await connection.queries.run(lambda: folder_states(connection.engine, session_id))
    return msgspec.to_builtins(EditorState.of(session_id, states))
