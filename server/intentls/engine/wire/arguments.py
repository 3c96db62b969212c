"""The arguments of every command, as types. One table, so that all faces take and refuse the same."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from intentls.core.errors import InvalidArgument
from intentls.core.hashing import is_content_hash
from intentls.core.mutation.classes import ALIASES, MutationClass, parse_mutation_class
from intentls.store.clock import parse_timestamp

Name = Annotated[str, Meta(min_length=1, max_length=512)]
Path = Annotated[str, Meta(min_length=1)]


class Arguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every command takes: the session it acts for (default: the connection's own)."""

    session_id: Name | None = None


class ListIntents(Arguments, frozen=True, kw_only=True):
    """`intent.listIntents`."""


class SelectActiveIntent(Arguments, frozen=True, kw_only=True):
    """`intent.selectActiveIntent`."""

    intent_id: Name
    mutation_class: str | None = None
    model_identifier: Name | None = None


class GetActiveIntent(Arguments, frozen=True, kw_only=True):
    """`intent.getActiveIntent`."""


class ClearActiveIntent(Arguments, frozen=True, kw_only=True):
    """`intent.clearActiveIntent`."""


class ReadFile(Arguments, frozen=True, kw_only=True):
    """`intent.readFile`."""

    path: Path


class CheckEdit(Arguments, frozen=True, kw_only=True):
    """`intent.checkEdit`: `path` or `paths`; neither asks about a tool that names no path."""

    tool_name: Name = "write_to_file"
    path: Path | None = None
    paths: list[Path] | None = None
    intent_id: Name | None = None
    expected_content_hash: str | None = None


class Edit(Arguments, frozen=True, kw_only=True):
    """What every guarded edit takes."""

    intent_id: Name | None = None
    mutation_class: str | None = None
    expected_content_hash: str | None = None
    model_identifier: Name | None = None


class WriteToFile(Edit, frozen=True, kw_only=True):
    """`intent.writeToFile`."""

    path: Path
    content: str


class EditFile(Edit, frozen=True, kw_only=True):
    """`intent.editFile`."""

    path: Path
    old_string: str
    new_string: str
    replace_all: bool = False


class ApplyPatch(Edit, frozen=True, kw_only=True):
    """`intent.applyPatch`."""

    patch: str


class DeleteFile(Edit, frozen=True, kw_only=True):
    """`intent.deleteFile`."""

    path: Path


class RenameFile(Edit, frozen=True, kw_only=True):
    """`intent.renameFile`."""

    path: Path
    new_path: Path


class PreToolUse(Arguments, frozen=True, kw_only=True):
    """`intent.preToolUse`: a host is about to run its own tool."""

    tool_name: Name
    params: dict[str, Any] = {}
    intent_id: Name | None = None
    expected_content_hash: str | None = None


class PostToolUse(Arguments, frozen=True, kw_only=True):
    """`intent.postToolUse`: a host has run its own tool."""

    tool_name: Name
    params: dict[str, Any] = {}
    success: bool
    pre_hash: str | UnsetType | None = UNSET
    error: str | None = None
    mutation_class: str | None = None
    model_identifier: Name | None = None


class SetStatus(Arguments, frozen=True, kw_only=True):
    """`intent.setStatus`."""

    intent_id: Name
    status: str


class ExpandScope(Arguments, frozen=True, kw_only=True):
    """`intent.expandScope`: `path` (one file) or `glob`."""

    intent_id: Name
    path: Path | None = None
    glob: Path | None = None
    reason: str = ""


class RequestScopeExpansion(Arguments, frozen=True, kw_only=True):
    """`request_scope_expansion` of MCP: `path` (one file) or `glob`; `intent_id` defaults to the session's."""

    intent_id: Name | None = None
    path: Path | None = None
    glob: Path | None = None
    reason: Annotated[str, Meta(min_length=1)]


class RecordLesson(Arguments, frozen=True, kw_only=True):
    """`intent.recordLesson`: text, or LSP diagnostics."""

    path: Path
    problems: str | list[Any]


class QueryTrace(Arguments, frozen=True, kw_only=True):
    """`intent.queryTrace`. `session_id` filters here; all are given by default."""

    intent_id: Name | None = None
    path: Path | None = None
    since: str | None = None
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 20


class VerifyTrace(Arguments, frozen=True, kw_only=True):
    """`intent.verifyTrace`."""


class Blame(Arguments, frozen=True, kw_only=True):
    """`intent.blame`. `line` counts from 1."""

    path: Path
    line: Annotated[int, Meta(ge=1)] | None = None


class GetProtocolPrompt(Arguments, frozen=True, kw_only=True):
    """`intent.getProtocolPrompt`."""


A = TypeVar("A", bound=Arguments)

_AT = re.compile(r" - at `\$\.?(?P<place>[^`]*)`$")
_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]+)`")


def parse(kind: type[A], given: object) -> A:
    """`given` (parsed JSON) as arguments of `kind`. Raises InvalidArgument naming the argument."""
    try:
        arguments = msgspec.convert({} if given is None else given, kind)
    except msgspec.ValidationError as error:
        raise _explain(kind, str(error)) from error
    except UnicodeEncodeError as error:  # what msgspec refuses but can't name or quote
        raise InvalidArgument(_unquotable(kind, given), "has half a surrogate pair where none can be") from error
    _check_common(arguments)
    return arguments


def _unquotable(kind: type[Arguments], given: object) -> str:
    """The argument, in ASCII, for which msgspec has no words because of half a surrogate pair in it."""
    for name, value in given.items() if isinstance(given, dict) else ():
        try:
            msgspec.convert({name: value}, kind)
        except UnicodeEncodeError:
            return ascii(name)[1:-1]
        except msgspec.ValidationError:
            continue
    return "arguments"


def _explain(kind: type[Arguments], message: str) -> InvalidArgument:
    place = _AT.search(message)
    sentence = _AT.sub("", message).replace("`", "")
    if missing := _MISSING.search(message):
        return InvalidArgument(missing["field"], "is required")
    if unknown := _UNKNOWN.search(message):
        known = ", ".join(kind.__struct_fields__)
        return InvalidArgument(unknown["field"], f"unknown argument; known are {known}")
    name = place["place"] if place is not None and place["place"] else "arguments"
    return InvalidArgument(name, sentence[:1].lower() + sentence[1:])


def _check_common(arguments: Arguments) -> None:
    declared = getattr(arguments, "mutation_class", None)
    if declared is not None:
        mutation_class(declared)
    for name in ("expected_content_hash", "pre_hash"):
        value = getattr(arguments, name, None)
        if isinstance(value, str) and not is_content_hash(value):
            raise InvalidArgument(name, "expected sha256: and 64 lower-case hex digits")


def moment(argument: str, text: str | None) -> datetime | None:
    """The time an argument names. Raises InvalidArgument for anything but RFC 3339."""
    if text is None:
        return None
    try:
        return parse_timestamp(text)
    except ValueError as error:
        raise InvalidArgument(argument, f"{text!r} is no RFC 3339 time such as 2026-02-18T18:30:00Z") from error


def mutation_class(text: str | None) -> MutationClass | None:
    """The declared class, None if none was. Raises InvalidArgument for an unknown one."""
    if text is None:
        return None
    try:
        return parse_mutation_class(text)
    except ValueError as error:
        known = ", ".join([*MutationClass, *ALIASES])
        raise InvalidArgument("mutation_class", f"unknown class {text!r}; known are {known}") from error
