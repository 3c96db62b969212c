"""Editors that have a root open: what they have unsaved, and the selection that outlives their server."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from intentls.core.errors import StoreError
from intentls.core.mutation.classes import MutationClass
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.sessions.editors import Editor
from intentls.store.sessions.sessions import Session

log = logging.getLogger(__name__)

_MAX_ENDED = 8  # editors that have ended, whose selection is kept: more windows than people have on one folder


def note_editor(workspace: Workspace, session_id: str, client: str, unsaved: Iterable[str] = ()) -> None:
    """This process serves `client`, which has these root-relative paths unsaved. Raises StoreError."""
    workspace.editors.note(session_id, client, tuple(sorted(unsaved)), timestamp())


def unsaved_elsewhere(workspace: Workspace) -> Mapping[str, Editor]:
    """The root-relative paths that an editor of another process has unsaved."""
    try:
        return workspace.editors.unsaved_elsewhere()
    except StoreError:
        log.warning("what editors have unsaved can't be read", exc_info=True)
        return {}


def end_editor(workspace: Workspace, session_id: str, client: str) -> None:
    """An editor ends with its session, and what it selected is kept for the next one. Raises StoreError."""
    selection = _selection(workspace.sessions.stored(session_id))
    if selection:
        workspace.editors.note_ended(session_id, client, selection, timestamp())
    else:
        workspace.editors.drop(session_id)
    workspace.sessions.drop(session_id)


def take_over_selection(workspace: Workspace, session_id: str, client: str) -> str | None:
    """Select what the newest editor had selected whose server has ended; the intent's id, None if there is none.

    Each selection is taken over once, so that two windows that are opened again get one each. It is on disk at every
    instant: a server that is killed meanwhile leaves it to the next one. Raises StoreError.
    """
    ended = sorted(
        (editor for editor in workspace.editors.all() if editor.session_id != session_id and not editor.is_running),
        key=lambda editor: editor.seen,
        reverse=True,
    )
    taken: str | None = None
    for number, editor in enumerate(ended):
        selection = editor.selection or _selection(workspace.sessions.stored(editor.session_id))
        if selection and _is_usable(workspace, selection[0]):
            if taken is None:
                taken = selection[0]
                workspace.editors.note(session_id, client, (), timestamp(), selection)
                _select(workspace, session_id, selection)
            elif number < _MAX_ENDED:
                continue
        workspace.editors.drop(editor.session_id)
        workspace.sessions.drop(editor.session_id)
    return taken


def _select(workspace: Workspace, session_id: str, selection: tuple[str, ...]) -> None:
    mutation_class = MutationClass(selection[1]) if selection[1:] and selection[1] in set(MutationClass) else None

    def choose(session: Session) -> Session:
        return session.select(selection[0], mutation_class, None, workspace.host.face, timestamp())

    workspace.sessions.update(session_id, choose)


def _selection(session: Session | None) -> tuple[str, ...]:
    """The intent and the mutation class that a person selected; () where a model is named, or nothing is selected."""
    if session is None or session.intent_id is None or session.model is not None:
        return ()
    return (session.intent_id,) if session.mutation_class is None else (session.intent_id, session.mutation_class)


def _is_usable(workspace: Workspace, intent_id: str) -> bool:
    """Whether it may be selected; believed where the declarations can't be read now."""
    configuration = workspace.configuration()
    if configuration.error is not None:
        return True
    intent = configuration.intents.intents.get(intent_id)
    return intent is not None and intent.is_open and not configuration.ignore.excludes_intent(intent_id)
