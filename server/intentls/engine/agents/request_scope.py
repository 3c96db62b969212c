"""An agent asks for a wider scope or another status: a person decides, and the ledger has the answer and the reason."""

from __future__ import annotations

from msgspec.structs import replace

from intentls.core.errors import InvalidArgument, shorten
from intentls.core.gate.checks import MUST_CITE
from intentls.core.gate.refusal import ActionHint, Code, Refusal
from intentls.engine.actions.approval import NOBODY_LISTENS, ask_person, can_be_asked
from intentls.engine.actions.authority import acts_for_agent
from intentls.engine.actions.effects import Reply, Steps
from intentls.engine.actions.request import EditRequest
from intentls.engine.intents import intents_edit
from intentls.engine.intents.intents_edit import IntentsEdit, approved_expansion, declaring, scope_glob
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.tools.host_tools import HostTool
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session

TOOL = "request_scope_expansion"
STATUS_TOOL = "set_status"

_MAX_REASON = 300  # characters that a person is shown


def request_expansion(
    engine: Engine,
    session_id: str,
    intent_id: str | None,
    path: str | None,
    glob: str | None,
    reason: str,
    root: str | None = None,
) -> Steps[IntentsEdit | Refusal]:
    """Add one file, or a glob, to the scope of an intent (default: the session's) if a person says so.

    Raises InvalidGlob, InvalidPath, InvalidArgument, ConfigurationError.
    """
    workspace = engine.home(session_id) if intent_id is None else declaring(engine, intent_id, root)
    session = workspace.sessions.load(session_id) if workspace is not None else None
    intent_id = intent_id or (session.intent_id if session is not None else None)
    if workspace is None or session is None or intent_id is None:
        return Refusal.of(Code.INTENT_REQUIRED, MUST_CITE)
    new_glob = scope_glob(engine, workspace, intent_id, path, glob)
    _refuse_known(workspace, intent_id, path, new_glob)
    refusal = Refusal.of(
        Code.SCOPE_VIOLATION,
        f"Scope Violation: {intent_id} needs a person's approval to add [{shorten(path or new_glob)}] to its scope. "
        f"The reason given: {shorten(' '.join(reason.split()), _MAX_REASON) or 'none'}",
        paths=(path or new_glob,),
        action_hint=ActionHint.CHOOSE_ANOTHER_PATH,
    )
    reply = yield from _ask(workspace, refusal, session, intent_id, TOOL, " ".join(reason.split()))
    if isinstance(reply, Refusal):
        return reply
    return approved_expansion(workspace, intent_id, new_glob, session_id, by=reply.by, reason=reason)


def expand_scope(
    engine: Engine,
    session_id: str,
    intent_id: str,
    path: str | None,
    glob: str | None,
    reason: str,
    root: str | None = None,
) -> Steps[IntentsEdit | Refusal]:
    """Add one file, or a glob, to an intent's scope: at once for a person, by a question for an agent.

    Raises as `request_expansion`.
    """
    workspace = declaring(engine, intent_id, root)
    if acts_for_agent(workspace, session_id):
        return (yield from request_expansion(engine, session_id, intent_id, path, glob, reason, root))
    return intents_edit.expand_scope(engine, intent_id, path, glob, session_id, reason, root)


def set_status(
    engine: Engine, session_id: str, intent_id: str, status: str, root: str | None = None
) -> Steps[IntentsEdit | Refusal]:
    """Give an intent another status: at once for a person, by a question for an agent.

    Raises InvalidArgument, ConfigurationError.
    """
    new_status = intents_edit.known_status(status)
    workspace = declaring(engine, intent_id, root)
    current = workspace.configuration().intents.intents[intent_id].status
    if new_status is current or not acts_for_agent(workspace, session_id):
        return intents_edit.change_status(engine, intent_id, status, session_id, root=root)
    refusal = Refusal.of(
        Code.SCOPE_VIOLATION,
        f"Scope Violation: {intent_id} is {current}, and a person has to approve that it becomes {new_status}.",
        paths=(workspace.configuration().intents.paths[intent_id],),
        action_hint=ActionHint.CHOOSE_ANOTHER_PATH,
    )
    reply = yield from _ask(workspace, refusal, workspace.sessions.load(session_id), intent_id, STATUS_TOOL)
    if isinstance(reply, Refusal):
        return reply
    return intents_edit.change_status(engine, intent_id, status, session_id, approved_by=reply.by, root=root)


def _ask(
    workspace: Workspace, refusal: Refusal, session: Session, intent_id: str, tool_name: str, reason: str = ""
) -> Steps[Reply | Refusal]:
    """A person's yes, or the refusal, which is on record then; it says how a person can be asked if none could be."""
    session_id = session.session_id
    is_asked = can_be_asked(workspace, session_id)
    reply = yield from ask_person(
        workspace,
        refusal,
        session_id,
        intent_id,
        tool_name,
        expandable=False,
        reason=shorten(reason, _MAX_REASON) if reason else "",
    )
    if reply is not None:
        return reply
    request = EditRequest(HostTool(tool_name, refusal.paths), session.session_id)
    RecordWriter(workspace).refusal(request, refusal, session)
    is_asked = is_asked and can_be_asked(workspace, session_id)  # who listened may have left meanwhile
    return refusal if is_asked else replace(refusal, error=f"{refusal.error.rstrip('.')}. {NOBODY_LISTENS}")


def _refuse_known(workspace: Workspace, intent_id: str, path: str | None, glob: str) -> None:
    """Raises InvalidArgument for a path or glob that is in the scope already: no person is asked for it."""
    intent = workspace.configuration().intents.intents.get(intent_id)
    if intent is None:
        return  # gone since it was selected: the gate and the edit say so
    literal = glob.replace("\\", "")  # a path's glob is the path, with its magic escaped
    if glob in intent.scope.patterns or (path is not None and intent.scope.contains(literal)):
        name = "glob" if path is None else "path"
        raise InvalidArgument(name, f"{path or glob} is in the scope of {intent_id} already")
