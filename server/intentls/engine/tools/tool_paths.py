"""The paths that a tool call names in its parameters, those inside a patch included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from intentls.core.errors import InvalidArgument, InvalidPatch
from intentls.core.gate.tool_class import named_paths
from intentls.core.patch.unified_diff import parse_patch

PATCH_KEYS = ("patch", "diff", "input")
"""Parameters that hold a patch, the usual one first."""

# Tools that always change a named file: without a name there is nothing to judge, so the call makes no sense.
_NEED_PATH = frozenset(
    {
        *("write_to_file", "edit_file", "edit", "search_replace", "insert_code_block", "apply_diff"),
        *("apply_patch", "delete_file", "rename_file"),
    }
)


def paths_of(tool_name: str, params: Mapping[str, Any]) -> tuple[str, ...]:
    """Every path that a tool call names, each once.

    Raises InvalidArgument where an editing tool names no path: what can't be judged must not pass.
    """
    paths = list(named_paths(params))
    for key in PATCH_KEYS:
        text = params.get(key)
        if isinstance(text, str):
            paths.extend(_paths_in_patch(key, text, named=bool(paths), required=tool_name == "apply_patch"))
    if not paths and tool_name in _NEED_PATH:
        raise InvalidArgument("params", f"{tool_name} names no path")
    return tuple(dict.fromkeys(paths))


def _paths_in_patch(key: str, text: str, *, named: bool, required: bool) -> list[str]:
    try:
        patches = parse_patch(text)
    except InvalidPatch as error:
        if named or not required:
            return []  # some other notation; the parameters that name the path are judged
        raise InvalidArgument(f"params.{key}", str(error)) from error
    return [path for patch in patches for path in (patch.old_path, patch.path) if path is not None]
