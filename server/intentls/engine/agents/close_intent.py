"""Closing intents: one that is finished, or those whose branches are merged."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from intentls.core.errors import ConfigurationError, LedgerUnavailable
from intentls.core.gate.policy import ClosePolicy
from intentls.core.gate.refusal import Refusal
from intentls.core.intents.intent import Intent, Status
from intentls.core.ledger.record_json import is_work
from intentls.engine.actions.effects import Steps
from intentls.engine.agents import request_scope
from intentls.engine.intents.intents_edit import IntentsEdit, change_status, declaring
from intentls.engine.workspace.default_intent import intent_of_branch
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.intents_in_refs import merged_or_gone
from intentls.store.ledger_search.query import RecordQuery


class Closing(Struct, frozen=True):
    """An intent that is closed now. `open_criteria` are its acceptance criteria, none of which closing checks."""

    intent_id: str
    status: Status
    open_criteria: tuple[str, ...]
    edit: IntentsEdit


def close(engine: Engine, session_id: str, intent_id: str) -> Steps[Closing | Refusal]:
    """Give the intent the status COMPLETED, or leave it as it is if it is closed; an agent's session asks a person.

    Raises InvalidArgument for an unknown intent, ConfigurationError.
    """
    intent = declaring(engine, intent_id).configuration().intents.intents[intent_id]
    status = Status.COMPLETED if intent.is_open else intent.status
    outcome = yield from request_scope.set_status(engine, session_id, intent_id, status.value)
    return outcome if isinstance(outcome, Refusal) else _closing(intent, status, outcome)


def intent_to_close(workspace: Workspace, session_id: str | None) -> str:
    """The intent that is meant where none is named: the session's, the branch's, or the one chosen for this tree.

    Raises ConfigurationError where there is none.
    """
    own = None if session_id is None else workspace.sessions.load(session_id).intent_id
    branch = workspace.git.branch()
    of_branch = None if branch is None else intent_of_branch(workspace.configuration(), branch)
    intent_id = own or of_branch or workspace.chosen_intent.read()
    if intent_id is None:
        raise ConfigurationError("Name the intent: none is selected here, and none is of this branch.")
    return intent_id


def merged_but_open(workspace: Workspace) -> tuple[Intent, ...]:
    """The open intents whose `branch` is merged into HEAD, or is gone, and under which work is on record.

    A branch that was just made is in HEAD as well: without work under the intent it is not taken for merged.
    """
    configuration = workspace.configuration()
    named = [intent for intent in configuration.intents.intents.values() if intent.is_open and intent.branch]
    if not named:
        return ()
    done = merged_or_gone(workspace.root, [str(intent.branch) for intent in named])
    return tuple(intent for intent in named if intent.branch in done and _has_work(workspace, intent.id))


def close_merged(engine: Engine, workspace: Workspace, session_id: str) -> Iterator[Closing]:
    """Close what `merged_but_open` finds, if policy says `close_intents: merge`. Raises ConfigurationError."""
    if workspace.configuration().policy.close_intents is not ClosePolicy.MERGE:
        return
    for intent in merged_but_open(workspace):
        edit = change_status(engine, intent.id, Status.COMPLETED.value, session_id)
        yield _closing(intent, Status.COMPLETED, edit)


def _closing(intent: Intent, status: Status, edit: IntentsEdit) -> Closing:
    return Closing(intent.id, status, tuple(str(criterion) for criterion in intent.acceptance_criteria), edit)


def _has_work(workspace: Workspace, intent_id: str) -> bool:
    try:
        return any(is_work(record) for record in workspace.ledger.search(RecordQuery(intent_id=intent_id)))
    except LedgerUnavailable:
        return False
