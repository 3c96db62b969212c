"""The arguments of every operation, as types, so that all faces take and refuse the same.

The description of a field is what schemas and clients' types say of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from intentls.core.errors import InvalidArgument, InvalidGlob, InvalidInput, InvalidPath
from intentls.core.hashing import is_content_hash
from intentls.core.mutation.classes import ALIASES, MutationClass, parse_mutation_class
from intentls.store.clock import parse_timestamp

_NonEmpty = Annotated[str, Meta(min_length=1)]
_Identifier = Annotated[str, Meta(min_length=1, max_length=512)]

SessionId = Annotated[
    _Identifier, Meta(description="Whom this call acts for (default: this connection's own session).")
]
IntentId = Annotated[_Identifier, Meta(description="The intent's id, for example INT-001.")]
Root = Annotated[
    _NonEmpty,
    Meta(description="The folder that declares the intent (a path or a file: URI), where several declare the same id."),
]
Model = Annotated[
    _Identifier,
    Meta(description="The model that you are, for example anthropic/claude-opus-4-5; recorded with your changes."),
]
Class = Annotated[str, Meta(description="What the change does, if you know it.")]
Hash = Annotated[
    str,
    Meta(description="The content_hash that you build on; the edit is refused if the file has changed since."),
]
Path = Annotated[_NonEmpty, Meta(description="A file: relative to the workspace's root, absolute, or a file: URI.")]
OnlyPath = Annotated[_NonEmpty, Meta(description="The one file to add; give path or glob.")]
Glob = Annotated[_NonEmpty, Meta(description="What to add to the scope instead of one file, for example src/api/**.")]

_REASON = "Why it is needed, in a sentence for the person who decides."


class Arguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every operation takes."""

    session_id: SessionId | None = None


class SelectionArguments(Arguments, frozen=True, kw_only=True):
    """The intent to select, and what is known of the changes to come."""

    intent_id: IntentId
    root: Root | None = None
    mutation_class: Class | None = None
    model_identifier: Model | None = None


class ReadFileArguments(Arguments, frozen=True, kw_only=True):
    """The file to read."""

    path: Path


class CheckEditArguments(Arguments, frozen=True, kw_only=True):
    """`path` or `paths`; neither asks about a tool that names no path."""

    tool_name: Annotated[_Identifier, Meta(description="The tool that would be used.")] = "write_to_file"
    path: Path | None = None
    paths: Annotated[list[_NonEmpty], Meta(description="Several files, instead of path.")] | None = None
    intent_id: IntentId | None = None
    expected_content_hash: Hash | None = None


class EditArguments(Arguments, frozen=True, kw_only=True):
    """What every guarded edit takes."""

    intent_id: IntentId | None = None
    mutation_class: Class | None = None
    expected_content_hash: Hash | None = None
    model_identifier: Model | None = None


class WriteToFileArguments(EditArguments, frozen=True, kw_only=True):
    """A file and its whole new text."""

    path: Path
    content: Annotated[str, Meta(description="The file's whole new text.")]


class EditFileArguments(EditArguments, frozen=True, kw_only=True):
    """A text in a file, and what stands there afterwards."""

    path: Path
    old_string: Annotated[
        str,
        Meta(description="The text to replace, exactly as in the file; it must be unique unless replace_all is true."),
    ]
    new_string: Annotated[str, Meta(description="What stands there afterwards.")]
    replace_all: Annotated[bool, Meta(description="Replace every occurrence.")] = False


class ApplyPatchArguments(EditArguments, frozen=True, kw_only=True):
    """A unified diff."""

    expected_content_hash: (
        Annotated[str, Meta(description="The content_hash that the patch of one file builds on.")] | None
    ) = None
    patch: Annotated[
        str,
        Meta(
            description="A unified diff with git headers; it may add, change, delete and rename several files, "
            "all or none."
        ),
    ]


class DeleteFileArguments(EditArguments, frozen=True, kw_only=True):
    """The file to delete."""

    path: Path


class RenameFileArguments(EditArguments, frozen=True, kw_only=True):
    """Where a file is, and where it goes."""

    path: Annotated[_NonEmpty, Meta(description="The file, as it is called now.")]
    new_path: Annotated[_NonEmpty, Meta(description="Where the file goes.")]


class PreToolUseArguments(Arguments, frozen=True, kw_only=True):
    """The tool that a host is about to run, with the tool's own arguments."""

    tool_name: _Identifier
    params: dict[str, Any] = {}
    intent_id: IntentId | None = None
    expected_content_hash: Hash | None = None


class PostToolUseArguments(Arguments, frozen=True, kw_only=True):
    """The tool that a host has run, and how it went; `pre_hash` is what `PreToolUse` was answered with."""

    tool_name: _Identifier
    params: dict[str, Any] = {}
    success: bool
    pre_hash: str | UnsetType | None = UNSET
    error: str | None = None
    mutation_class: Class | None = None
    model_identifier: Model | None = None


class SetStatusArguments(Arguments, frozen=True, kw_only=True):
    """An intent and its new status."""

    intent_id: IntentId
    root: Root | None = None
    status: Annotated[str, Meta(description="The intent's new status.")]


class ExpandScopeArguments(Arguments, frozen=True, kw_only=True):
    """An intent and what its scope shall have too: `path` (one file) or `glob`."""

    intent_id: IntentId
    root: Root | None = None
    path: OnlyPath | None = None
    glob: Glob | None = None
    reason: Annotated[str, Meta(description=_REASON)] = ""


class RequestScopeExpansionArguments(Arguments, frozen=True, kw_only=True):
    """The same as a question to a person, with its reason; `intent_id` defaults to the session's."""

    intent_id: (
        Annotated[_Identifier, Meta(description="The intent to widen (default: the one that is checked out).")] | None
    ) = None
    path: OnlyPath | None = None
    glob: Glob | None = None
    reason: Annotated[_NonEmpty, Meta(description=_REASON)]


class RecordLessonArguments(Arguments, frozen=True, kw_only=True):
    """A file and what is wrong in it."""

    path: Path
    problems: Annotated[
        str | list[Any], Meta(description="What is wrong: text, one problem a line, or a list of LSP diagnostics.")
    ]


class QueryTraceArguments(Arguments, frozen=True, kw_only=True):
    """Which records. `session_id` filters here; all sessions' are given by default."""

    session_id: Annotated[_Identifier, Meta(description="Only records of this session.")] | None = None
    intent_id: Annotated[_Identifier, Meta(description="Only records of this intent.")] | None = None
    path: Annotated[_NonEmpty, Meta(description="Only records that name this file.")] | None = None
    root: Annotated[_NonEmpty, Meta(description="Only records of this root: a path or a file: URI.")] | None = None
    since: (
        Annotated[str, Meta(description="Only records from then on: an RFC 3339 time such as 2026-02-18T18:30:00Z.")]
        | None
    ) = None
    limit: Annotated[int, Meta(ge=1, le=10_000, description="How many records at most.")] = 20


class SearchArguments(Arguments, frozen=True, kw_only=True):
    """Words to look for, and how many results are enough."""

    words: Annotated[
        str,
        Meta(min_length=1, max_length=10_000, description="Words to look for; no character of them has a meaning."),
    ]
    limit: Annotated[int, Meta(ge=1, le=1_000, description="How many results at most.")] = 20


class BlameArguments(Arguments, frozen=True, kw_only=True):
    """A file, or one line or definition of it."""

    path: Path
    line: Annotated[int, Meta(ge=1, description="Only the range that holds this line, counted from 1.")] | None = None
    symbol: (
        Annotated[
            _Identifier,
            Meta(description="Only the definition of this qualified name, such as Class.method, and its history."),
        ]
        | None
    ) = None


A = TypeVar("A", bound=Arguments)

_AT = re.compile(r" - at `\$\.?(?P<argument>[^`]*)`$")
_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]+)`")


def parse(kind: type[A], values: object) -> A:
    """`values` (parsed JSON) as arguments of `kind`. Raises InvalidArgument naming the argument."""
    try:
        arguments = msgspec.convert({} if values is None else values, kind)
    except msgspec.ValidationError as error:
        raise _explain(kind, str(error)) from error
    except UnicodeEncodeError as error:  # what msgspec refuses but can't name or quote
        raise InvalidArgument(_unquotable(kind, values), "has half a surrogate pair where none can be") from error
    _check_common(arguments)
    return arguments


def _unquotable(kind: type[Arguments], values: object) -> str:
    """The argument, in ASCII, for which msgspec has no words because of half a surrogate pair in it."""
    for name, value in values.items() if isinstance(values, dict) else ():
        try:
            msgspec.convert({name: value}, kind)
        except UnicodeEncodeError:
            return ascii(name)[1:-1]
        except msgspec.ValidationError:
            continue
    return "arguments"


def _explain(kind: type[Arguments], message: str) -> InvalidArgument:
    """msgspec's sentence, such as "Expected `str`, got `int` - at `$.path`", as one about the argument `path`."""
    if missing := _MISSING.search(message):
        return InvalidArgument(missing["field"], "is required")
    if unknown := _UNKNOWN.search(message):
        return InvalidArgument(unknown["field"], f"unknown argument; known are {', '.join(kind.__struct_fields__)}")
    match = _AT.search(message)
    sentence = _AT.sub("", message).replace("`", "")
    return InvalidArgument((match and match["argument"]) or "arguments", sentence[:1].lower() + sentence[1:])


def _check_common(arguments: Arguments) -> None:
    """What types can't say of a declared class and of hashes."""
    mutation_class(getattr(arguments, "mutation_class", None))
    for name in ("expected_content_hash", "pre_hash"):
        value = getattr(arguments, name, None)
        if isinstance(value, str) and not is_content_hash(value):
            raise InvalidArgument(name, "expected sha256: and 64 lower-case hex digits")


def naming(values: Mapping[str, Any], error: InvalidInput) -> InvalidInput:
    """An error about a path or a glob as one about the argument that holds it; any other as it is."""
    if isinstance(error, InvalidPath):
        name = next((name for name, value in values.items() if value == error.path), "path")
        return InvalidArgument(name, str(error))
    if isinstance(error, InvalidGlob):
        return InvalidArgument("glob", str(error))
    return error


def moment(argument: str, text: str | None) -> datetime | None:
    """The time that an argument names. Raises InvalidArgument for anything but RFC 3339."""
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
        names = ", ".join([*MutationClass, *ALIASES])
        raise InvalidArgument("mutation_class", f"unknown class {text!r}; known are {names}") from error
