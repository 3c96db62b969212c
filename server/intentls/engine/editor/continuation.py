"""An editor is started again: it goes on with the intent that it had."""

from __future__ import annotations

import logging

from intentls.core.errors import IntentlsError, StoreError
from intentls.engine.actions.authority import is_started_by_agent
from intentls.engine.workspace.editors import note_editor, take_over_selection
from intentls.engine.workspace.workspace import Workspace

log = logging.getLogger(__name__)


def continue_editor(workspace: Workspace, session_id: str, client: str) -> None:
    """Note that `client` has this root open, and select what its last window here had selected.

    A program that an agent started selects for itself: it does not get what a person selected.
    """
    try:
        if not is_started_by_agent(workspace):
            intent_id = take_over_selection(workspace, session_id, client)
            if intent_id is not None:
                log.info("%s is selected in %s, as in the window before", intent_id, workspace.root)
    except IntentlsError:
        log.warning("what was selected before can't be read", exc_info=True)
    try:
        note_editor(workspace, session_id, client)
    except StoreError:
        log.warning("that an editor is open can't be noted", exc_info=True)
