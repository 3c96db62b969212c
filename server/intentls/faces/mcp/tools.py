"""Every tool, in one table, with what a client is told of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp import types

from intentls.engine.wire import arguments
from intentls.faces.mcp import handlers, result_types
from intentls.faces.mcp.schemas import input_schema, output_schema

Run = Callable[[handlers.Call, Any], Awaitable[dict[str, Any]]]

_GUARDED = " The gate decides; a refusal is an error whose action_hint says what to do."
_PATHS = {"path": "The file, as it is called now."}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `reads`: it changes nothing; `destroys`: what was there may be gone; `again`: twice is as good as once.

    `special` describes arguments that mean something else here than in other tools.
    """

    name: str
    title: str
    description: str
    arguments: type[arguments.Arguments]
    answer: type[result_types.Answer]
    run: Run
    reads: bool = False
    destroys: bool = False
    again: bool = True
    special: Mapping[str, str] = field(default_factory=dict)

    def shown(self) -> types.Tool:
        """What `tools/list` says of it."""
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=input_schema(self.arguments, self.special),
            output_schema=output_schema(self.answer),
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads,
                destructive_hint=self.destroys,
                idempotent_hint=self.again,
                open_world_hint=False,
            ),
        )


_ALL = (
    Tool(
        "list_intents",
        "List intents",
        "The intents that this workspace declares, with status, scope, constraints and acceptance criteria.",
        arguments.ListIntents,
        result_types.Intents,
        handlers.list_intents,
        reads=True,
    ),
    Tool(
        "select_active_intent",
        "Select an intent",
        "Check out the intent that covers your task; do so before you change anything. Answers with its "
        "<intent_context>: scope, constraints, criteria, related files, recent changes and lessons.",
        arguments.SelectActiveIntent,
        result_types.Selected,
        handlers.select,
    ),
    Tool(
        "get_active_intent",
        "Show the active intent",
        "Which intent this session has checked out, and the session's id.",
        arguments.GetActiveIntent,
        result_types.Active,
        handlers.get_active,
        reads=True,
    ),
    Tool(
        "clear_active_intent",
        "Hand the intent back",
        "Hand the checked-out intent back; nothing may be changed until another one is selected.",
        arguments.ClearActiveIntent,
        result_types.Active,
        handlers.clear,
    ),
    Tool(
        "read_file",
        "Read a file",
        "The text of a file, with its content_hash. Read before you edit: an edit of content that has changed since "
        "is refused.",
        arguments.ReadFile,
        result_types.FileRead,
        handlers.read,
        reads=True,
    ),
    Tool(
        "write_to_file",
        "Write a file",
        "Create a file, or replace its whole content." + _GUARDED,
        arguments.WriteToFile,
        result_types.Edited,
        handlers.edit,
        destroys=True,
    ),
    Tool(
        "edit_file",
        "Edit a file",
        "Replace a text in a file by another one." + _GUARDED,
        arguments.EditFile,
        result_types.Edited,
        handlers.edit,
        destroys=True,
        again=False,
    ),
    Tool(
        "apply_patch",
        "Apply a patch",
        "Apply a unified diff to several files, wholly or not at all." + _GUARDED,
        arguments.ApplyPatch,
        result_types.Patched,
        handlers.patch,
        destroys=True,
        again=False,
        special={"expected_content_hash": "The content_hash that the patch of one file builds on."},
    ),
    Tool(
        "delete_file",
        "Delete a file",
        "Delete a file." + _GUARDED,
        arguments.DeleteFile,
        result_types.Edited,
        handlers.edit,
        destroys=True,
    ),
    Tool(
        "rename_file",
        "Rename a file",
        "Move a file to another place; both must be in scope." + _GUARDED,
        arguments.RenameFile,
        result_types.Edited,
        handlers.edit,
        destroys=True,
        again=False,
        special=_PATHS,
    ),
    Tool(
        "check_edit",
        "Check an edit",
        "Whether the gate would let a tool change these files now. Changes nothing and asks nobody.",
        arguments.CheckEdit,
        result_types.Allowed,
        handlers.check,
        reads=True,
    ),
    Tool(
        "record_lesson",
        "Record a lesson",
        "Keep what went wrong in a file, so that the next one who works on it is told.",
        arguments.RecordLesson,
        result_types.Learned,
        handlers.record_lesson,
    ),
    Tool(
        "query_trace",
        "Query the ledger",
        "Records of what was changed or refused, newest first.",
        arguments.QueryTrace,
        result_types.Entries,
        handlers.query,
        reads=True,
        special={
            "intent_id": "Only records of this intent.",
            "path": "Only records that name this file.",
            "session_id": "Only records of this session.",
        },
    ),
    Tool(
        "verify_trace",
        "Verify the ledger",
        "Whether the ledger is whole: finds edited, removed, reordered, duplicated and torn lines.",
        arguments.VerifyTrace,
        result_types.Verified,
        handlers.verify,
        reads=True,
    ),
    Tool(
        "blame",
        "Blame a file",
        "Which intent, and who, wrote each line of a file.",
        arguments.Blame,
        result_types.Blamed,
        handlers.blame,
        reads=True,
    ),
    Tool(
        "request_scope_expansion",
        "Ask for a wider scope",
        "Ask a person to add a file, or a glob, to an intent's scope. Refused where nobody can be asked or says yes.",
        arguments.RequestScopeExpansion,
        result_types.Made,
        handlers.request_scope,
        special={
            "intent_id": "The intent to widen (default: the one that is checked out).",
            "path": "The one file to add; give path or glob.",
        },
    ),
    Tool(
        "set_status",
        "Set an intent's status",
        "Give an intent another status, for example IN_PROGRESS or BLOCKED. People close intents.",
        arguments.SetStatus,
        result_types.Made,
        handlers.set_status,
    ),
)

TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in _ALL}
