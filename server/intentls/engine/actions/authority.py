"""Who may grant: a person may, an agent has to ask one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace

AGENT_SESSION = "CLAUDE_CODE_SESSION_ID"
"""What an agent sets in the environment of the programs that it starts: the id of its session."""

_AGENT_FACES = frozenset({"mcp", "hook"})


def acts_for_agent(workspace: Workspace, session_id: str, model: str | None = None) -> bool:
    """Whether a call of `session_id` comes from an agent; `model` is what the call itself names.

    It does over MCP, from a hook, in a program that an agent started, where the session names a model or was selected
    in one of these ways, and on a connection whose own session does: whoever has such a connection can name any
    session on it.

    Example: a person's editor that selects an intent without a model acts for nobody else; the same call with
    `model_identifier`, and every later one on that connection, is an agent's.
    """
    host = workspace.host
    if model is not None or host.face in _AGENT_FACES or is_started_by_agent():
        return True
    sessions = (workspace.sessions.load(name) for name in {session_id, host.own_session or session_id})
    return any(session.model is not None or session.face in _AGENT_FACES for session in sessions)


def is_started_by_agent() -> bool:
    """Whether an agent started this program, as its environment says."""
    return bool(os.environ.get(AGENT_SESSION))


def refused_session(session_id: str) -> str | None:
    """Why a program that an agent started may not select an intent for this session; None if it may."""
    own = os.environ.get(AGENT_SESSION)
    if not own or own == session_id:
        return None
    return f"An agent selects for its own session ({own}) alone, not for {session_id}. A person can do that."
