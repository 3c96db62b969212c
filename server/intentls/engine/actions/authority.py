"""Who may grant: a person may, an agent has to ask one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from intentls.store.sessions.agent_processes import is_language_server

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace
    from intentls.store.sessions.agent_processes import AgentAbove

AGENT_SESSION = "CLAUDE_CODE_SESSION_ID"
"""What an agent sets in the environment of the programs that it starts: the id of its session."""

OF_MCP_SERVER = "mcp-"
"""How the sessions begin that MCP servers make for themselves."""

_AGENT_FACES = frozenset({"mcp", "hook", "run"})


def acts_for_agent(workspace: Workspace, session_id: str, model: str | None = None) -> bool:
    """Whether a call of `session_id` comes from an agent; `model` is what the call itself names.

    It does over MCP, from a hook, in a program that an agent started, where the session names a model or was selected
    in one of these ways, and on a connection whose own session does: whoever has such a connection can name any
    session on it.

    Example: a person's editor that selects an intent without a model acts for nobody else; the same call with
    `model_identifier`, and every later one on that connection, is an agent's.
    """
    host = workspace.host
    if model is not None or host.face in _AGENT_FACES or is_started_by_agent(workspace):
        return True
    sessions = (workspace.sessions.load(name) for name in {session_id, host.own_session or session_id})
    return any(session.model is not None or session.face in _AGENT_FACES for session in sessions)


def is_started_by_agent(workspace: Workspace) -> bool:
    """Whether an agent started this program, as its environment or the processes above it say."""
    return bool(os.environ.get(AGENT_SESSION)) or _agent_above(workspace) is not None


def is_below_agent(workspace: Workspace, pid: int) -> bool:
    """Whether an agent started the process `pid`, as far as the processes above it say. In doubt it did.

    A language server that an agent's process started itself is not the agent's: an editor with an agent inside starts
    both.
    """
    return workspace.agents.above(but_direct=is_language_server(pid), pid=pid) is not None


def not_a_person(workspace: Workspace) -> str | None:
    """Why what this program is asked for does not count as a person's word, and how a person gets on; None if it does.

    Example: `intentls confirm --yes` in an agent's shell, also after `env -u CLAUDE_CODE_SESSION_ID`.
    """
    if os.environ.get(AGENT_SESSION):
        return f"{AGENT_SESSION} says that an agent started this. Only a person may do it, in a terminal of their own."
    above = _agent_above(workspace)
    if above is None:
        return None
    if above.process is not None:
        who = f"{above.process.name} (process {above.process.pid})"
        return f"This runs below the agent {who}. Only a person may do it, in a terminal outside of that program."
    return (
        "An agent works here, and this may be a program of its own: the processes above it can't be seen. A person "
        "does it in a terminal of their own, by saving the file in an editor, or after the agent has ended."
    )


def refused_session(workspace: Workspace, session_id: str) -> str | None:
    """Why a program that an agent started may not select an intent for this session; None if it may."""
    own = os.environ.get(AGENT_SESSION)
    if own == session_id:
        return None
    above = _agent_above(workspace)
    if own:
        return f"An agent selects for its own session ({own}) alone, not for {session_id}. A person can do that."
    if above is None or session_id in above.sessions:
        return None
    return f"An agent selects for its own session alone, not for {session_id}. {not_a_person(workspace)}"


def note_agent(workspace: Workspace, session_id: str) -> None:
    """A hook or the MCP server runs for this session, so the process that started it is an agent's."""
    workspace.agents.note(session_id)


def session_of_hooks(workspace: Workspace) -> str | None:
    """The session that the hooks of this program's agent named; None if they named none, or more than one.

    Example: of `("mcp-17-a0b1c2d3", "0c9e…")` it is `0c9e…`: the first is an MCP server's own.
    """
    named = [name for name in workspace.agents.sessions_of_caller() if not name.startswith(OF_MCP_SERVER)]
    return named[0] if len(named) == 1 else None


def _agent_above(workspace: Workspace) -> AgentAbove | None:
    return workspace.agents.above(but_direct=workspace.host.face == "lsp")
