"""opencode's events, as our own plugin for it sends them: it has no hooks that are programs.

The plugin (`engine.agents.opencode_plugin`) gives a subagent's calls its parent's session, throws where we refuse,
and adds what we tell to the tool's output.
"""

from __future__ import annotations

from intentls.faces.hook.always_allowed import OWN_TOOLS
from intentls.faces.hook.event import Event, EventKind, InvalidEvent, Json, folder, mapping, optional_text, pause, text
from intentls.faces.hook.response import Answer, Dialect
from intentls.faces.hook.tool_mapping import Toolbox

TOOLBOX = Toolbox(
    edits={
        "write": "write_to_file",
        "edit": "edit",
        "multiedit": "edit",
        "patch": "apply_patch",
        "apply_patch": "apply_patch",
    },
    shells=frozenset({"bash"}),
    reading=frozenset({"read"}),
    safe=frozenset(
        {
            *("glob", "grep", "list", "lsp", "webfetch", "websearch", "codesearch", "task", "skill", "question"),
            *("todowrite", "todoread", "plan_enter", "plan_exit", "invalid"),
            *(f"intentls_{tool}" for tool in OWN_TOOLS),
        }
    ),
)
_KINDS = {"tool.execute.before": EventKind.BEFORE, "tool.execute.after": EventKind.AFTER}
_PAUSES = frozenset({"session.idle", "session.deleted"})


class OpenCode(Dialect):
    """The plugin's events and answers."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        name = text(data, "hook_event_name")
        if name in _PAUSES:
            return pause(name, data, "session_id", "cwd", ended=name == "session.deleted")
        cwd, session_id, model = folder(text(data, "cwd")), text(data, "session_id"), optional_text(data, "model")
        if name == "session.created":
            return Event(EventKind.START, name, session_id, (cwd,), model=model)
        if name not in _KINDS:
            raise InvalidEvent("hook_event_name", f"is {name!r}, an event that is not known here")
        params = mapping(data, "tool_input")
        tool = TOOLBOX.tool(text(data, "tool_name"), params, cwd, optional_text(data, "tool_use_id"))
        workdir = optional_text(params, "workdir")
        where = cwd if workdir is None else cwd / workdir
        return Event(_KINDS[name], name, session_id, (cwd,), tool, model=model, cwd=where)

    def denied(self, event: Event, reason: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """The plugin throws it, and the model gets it as the tool's error."""
        return {"deny": reason}

    def context(self, event: Event, text: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """Joins the system prompt, or the tool's output."""
        return {"context": text}


DIALECT = OpenCode()
