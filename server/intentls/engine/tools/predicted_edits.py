"""What a host's own tool is about to make of a file, as far as its parameters say: for rules about content.

Where they don't (another notation, a text that is not there), nothing is predicted: the tool then fails by itself, or
is recorded by what it changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from intentls.core.errors import InvalidArgument, InvalidPatch
from intentls.core.mutation.classes import Change
from intentls.core.patch.unified_diff import parse_patch
from intentls.core.text.encoding import replace_text
from intentls.engine.actions.plans import ApplyPatch, DeleteFile, EditFile, OneFile, RenameFile, WriteFile
from intentls.engine.actions.request import Plan, PlannedEdit
from intentls.engine.tools.tool_paths import PATCH_KEYS


class EditSteps(OneFile, frozen=True):
    """Several replacements in one file, one after the other."""

    steps: Sequence[EditFile]
    tool_name = "edit_file"

    def edits(self, paths: Mapping[str, str], contents: Mapping[str, bytes | None]) -> tuple[PlannedEdit, ...]:
        """The file with all of them made. Raises InvalidArgument where one does not fit."""
        path = paths[self.path]
        before = contents[path]
        if before is None:
            raise InvalidArgument("path", f"{path} does not exist")
        after = before
        for step in self.steps:
            after = replace_text(after, step.old_string, step.new_string, step.replace_all)
        return (PlannedEdit(path, Change.MODIFY, before, after),)


class PatchSteps(Struct, frozen=True):
    """A patch that is judged by other paths than its own names: a hook judges absolute paths.

    `path_arguments` maps each name in the patch to the path argument that is judged.
    """

    plan: ApplyPatch
    path_arguments: Mapping[str, str]
    tool_name = "apply_patch"

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path argument that is judged."""
        return tuple(self.path_arguments.values())

    def edits(self, paths: Mapping[str, str], contents: Mapping[str, bytes | None]) -> tuple[PlannedEdit, ...]:
        """Every file's new content. Raises HunkMismatch for the first that does not fit."""
        return self.plan.edits({name: paths[path] for name, path in self.path_arguments.items()}, contents)


def predict_plan(params: Mapping[str, Any], paths: Sequence[str], tool_name: str = "") -> Plan | None:
    """The plan that the parameters of a tool on `paths` describe; None where they describe none.

    `tool_name` is the contract's, for tools whose parameters don't say what they do.
    """
    if tool_name == DeleteFile.tool_name and len(paths) == 1:
        return DeleteFile(paths[0])
    if tool_name == RenameFile.tool_name and len(paths) == 2:
        return RenameFile(paths[0], paths[1])
    keys = PATCH_KEYS if tool_name == ApplyPatch.tool_name else PATCH_KEYS[:1]
    patch = next((params[key] for key in keys if isinstance(params.get(key), str)), None)
    if patch is not None:
        return _patch(patch, paths)
    if len(paths) != 1:
        return None
    content = params.get("content")
    if isinstance(content, str):
        return WriteFile(paths[0], content)
    described = params.get("edits") if isinstance(params.get("edits"), list) else [params]
    steps = [_step(paths[0], step) for step in described or ()]
    readable = [step for step in steps if step is not None]
    return EditSteps(paths[0], readable) if readable and len(readable) == len(steps) else None


def _patch(text: str, paths: Sequence[str]) -> Plan | None:
    try:
        plan = ApplyPatch(parse_patch(text))
    except InvalidPatch:
        return None
    first, *_ = plan.paths
    for path in paths:
        # All names of a patch start from the same directory: what stands before the first of them in one of the paths.
        directory = path.removesuffix(first)
        arguments = {name: directory + name for name in plan.paths}
        if path.endswith(first) and set(arguments.values()) <= set(paths):
            return PatchSteps(plan, arguments)
    return None


def _step(path: str, params: Any) -> EditFile | None:
    if not isinstance(params, dict):
        return None
    old, new = params.get("old_string"), params.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    return EditFile(path, old, new, params.get("replace_all") is True)
