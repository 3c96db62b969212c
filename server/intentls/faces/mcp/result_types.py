"""What each tool answers with, as types: where the output schemas come from. `engine.wire.results` makes the values.

The schemas are open. A client that checks them must not take an edit that was made for one that failed, because its
answer says more than was promised.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

Hash = str | None


class Answer(Struct, frozen=True, kw_only=True):
    """A success."""

    status: Literal["ok"]


class Intent(Struct, frozen=True):
    """A declared intent."""

    id: str
    name: str
    status: str
    open: bool
    owned_scope: list[str]
    constraints: list[str]
    acceptance_criteria: list[str]


class Intents(Answer, frozen=True, kw_only=True):
    """`list_intents`."""

    intents: list[Intent]


class Selected(Answer, frozen=True, kw_only=True):
    """`select_active_intent`."""

    intent_id: str
    session_id: str
    context: str
    truncated: bool


class Active(Answer, frozen=True, kw_only=True):
    """`get_active_intent` and `clear_active_intent`."""

    state: Literal["IDLE", "ACTIVE"]
    intent_id: str | None
    mutation_class: str | None
    session_id: str


class FileRead(Answer, frozen=True, kw_only=True):
    """`read_file`."""

    path: str
    content: str
    content_hash: str


class Allowed(Answer, frozen=True, kw_only=True):
    """`check_edit`."""

    allowed: Literal[True]
    warnings: list[str] | UnsetType = UNSET


class Done(Answer, frozen=True, kw_only=True):
    """What every guarded edit answers with."""

    mutation_class: str
    mutation_class_inferred: str | UnsetType = UNSET
    mutation_class_reasons: list[str] | UnsetType = UNSET
    trace_id: str | None
    applied: Literal["disk", "editor"]
    trace: Literal["degraded"] | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


class Edited(Done, frozen=True, kw_only=True):
    """A guarded edit of one file."""

    path: str
    pre_hash: Hash
    content_hash: Hash


class PatchedFile(Struct, frozen=True):
    """One file of a patch."""

    path: str
    change: Literal["add", "modify", "delete", "rename"]
    pre_hash: Hash
    content_hash: Hash


class Patched(Done, frozen=True, kw_only=True):
    """`apply_patch`."""

    files: list[PatchedFile]


class Position(Struct, frozen=True):
    """A place in a text, counted from 0."""

    line: int
    character: int


class Range(Struct, frozen=True):
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position


class TextEdit(Struct, frozen=True):
    """A text put in place of a range."""

    range: Range
    new_text: str


class Made(Answer, frozen=True, kw_only=True):
    """`set_status` and `request_scope_expansion`."""

    intent_id: str
    path: str
    edit: TextEdit
    trace_id: str | None
    trace: Literal["degraded"] | UnsetType = UNSET


class Learned(Answer, frozen=True, kw_only=True):
    """`record_lesson`."""

    recorded: int
    duplicates: int


class Entries(Answer, frozen=True, kw_only=True):
    """`query_trace`: records of the ledger, newest first."""

    entries: list[dict[str, Any]]


class Problem(Struct, frozen=True):
    """What is wrong with a line of the ledger."""

    line: int
    kind: str
    message: str
    archive: str | UnsetType = UNSET


class Verified(Answer, frozen=True, kw_only=True):
    """`verify_trace`."""

    ok: bool
    records: int
    problems: list[Problem]


class BlameRange(Struct, frozen=True):
    """Lines of one origin, counted from 1, ends included."""

    start_line: int
    end_line: int
    intent_id: str | None
    trace_id: str | None
    contributor: dict[str, Any]
    timestamp: str | None
    mutation_class: str | None
    model: str | None
    session_id: str | None
    approver: str | None


class Blamed(Answer, frozen=True, kw_only=True):
    """`blame`."""

    path: str
    ranges: list[BlameRange]
