"""From the arguments of a command to what the engine is asked for: one way, so that every face asks the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from intentls.core.errors import InvalidArgument, InvalidGlob, InvalidInput, InvalidPatch, InvalidPath
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions.plans import ApplyPatch, DeleteFile, EditFile, RenameFile, WriteFile
from intentls.engine.actions.request import EditRequest, Plan
from intentls.engine.ledger.queries import Query
from intentls.engine.tools.host_tools import HostTool
from intentls.engine.wire import arguments


def edit(wanted: arguments.Edit, session_id: str) -> EditRequest:
    """A guarded edit; `session_id` is whose it is where the arguments name none. Raises InvalidArgument."""
    return EditRequest(
        _plan(wanted),
        wanted.session_id or session_id,
        intent_id=wanted.intent_id,
        mutation_class=arguments.mutation_class(wanted.mutation_class),
        expected_hash=wanted.expected_content_hash,
        model=wanted.model_identifier,
    )


def check(wanted: arguments.CheckEdit, session_id: str) -> EditRequest:
    """The question whether a tool may run. Raises InvalidArgument."""
    if wanted.path is not None and wanted.paths is not None:
        raise InvalidArgument("paths", "give path or paths, not both")
    paths = tuple(dict.fromkeys(wanted.paths or ([wanted.path] if wanted.path is not None else [])))
    if wanted.expected_content_hash is not None and len(paths) != 1:
        raise InvalidArgument("expected_content_hash", "names one content, so give exactly one path")
    return EditRequest(
        HostTool(wanted.tool_name, paths),
        wanted.session_id or session_id,
        intent_id=wanted.intent_id,
        expected_hash=wanted.expected_content_hash,
    )


def question(wanted: arguments.QueryTrace) -> Query:
    """Which records are wanted. Raises InvalidArgument for a moment that is none."""
    return Query(
        intent_id=wanted.intent_id,
        path=wanted.path,
        session_id=wanted.session_id,
        since=arguments.moment("since", wanted.since),
        limit=wanted.limit,
    )


def naming(given: Mapping[str, Any], error: InvalidInput) -> InvalidInput:
    """An error about a path or a glob as one about the argument that holds it; any other as it is."""
    if isinstance(error, InvalidPath):
        name = next((name for name, value in given.items() if value == error.path), "path")
        return InvalidArgument(name, str(error))
    if isinstance(error, InvalidGlob):
        return InvalidArgument("glob", str(error))
    return error


def _plan(wanted: arguments.Edit) -> Plan:
    match wanted:
        case arguments.WriteToFile():
            return WriteFile(wanted.path, wanted.content)
        case arguments.EditFile():
            return EditFile(wanted.path, wanted.old_string, wanted.new_string, wanted.replace_all)
        case arguments.DeleteFile():
            return DeleteFile(wanted.path)
        case arguments.RenameFile():
            return RenameFile(wanted.path, wanted.new_path)
        case arguments.ApplyPatch():
            return _patch(wanted)
    raise TypeError(f"{type(wanted).__name__} are the arguments of no edit")


def _patch(wanted: arguments.ApplyPatch) -> Plan:
    try:
        patches = parse_patch(wanted.patch)
    except InvalidPatch as error:
        raise InvalidArgument("patch", str(error)) from error
    if wanted.expected_content_hash is not None and len(patches) > 1:
        raise InvalidArgument("expected_content_hash", f"names one content, but the patch has {len(patches)} files")
    return ApplyPatch(patches)
