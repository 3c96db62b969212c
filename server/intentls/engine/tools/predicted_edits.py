"""What a host's own tool is about to make of a file, as far as its parameters tell: for rules about content.

Where they don't tell (another notation, a text that is not there), nothing is foreseen: the tool then fails by itself,
or is known only by what it did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from intentls.core.change_kind import Change
from intentls.core.errors import InvalidArgument, InvalidPatch
from intentls.core.patch.unified_diff import parse_patch
from intentls.core.text.encoding import replace_text
from intentls.engine.actions.plans import ApplyPatch, DeleteFile, EditFile, RenameFile, WriteFile
from intentls.engine.actions.request import Plan, PlannedEdit
from intentls.engine.tools.host_tools import PATCH_KEYS


@dataclass(frozen=True, slots=True)
class EditSteps:
    """Several replacements in one file, one after the other."""

    path: str
    steps: Sequence[EditFile]
    tool_name = "edit_file"

    @property
    def paths(self) -> tuple[str, ...]:
        """The file."""
        return (self.path,)

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


@dataclass(frozen=True, slots=True)
class PatchSteps:
    """A patch whose names are called otherwise where it is judged: a hook judges absolute paths. `called` has both."""

    plan: ApplyPatch
    called: Mapping[str, str]
    tool_name = "apply_patch"

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path, as it is called where it is judged."""
        return tuple(self.called.values())

    def edits(self, paths: Mapping[str, str], contents: Mapping[str, bytes | None]) -> tuple[PlannedEdit, ...]:
        """Every file's new content. Raises HunkMismatch for the first that does not fit."""
        return self.plan.edits({name: paths[path] for name, path in self.called.items()}, contents)


def foresee(params: Mapping[str, Any], paths: Sequence[str], tool_name: str = "") -> Plan | None:
    """The plan that the parameters of a tool on `paths` tell of; None where they tell of none.

    `tool_name` is the contract's, for those whose parameters don't say what they do.
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
    steps = params.get("edits") if isinstance(params.get("edits"), list) else [params]
    found = [_step(paths[0], step) for step in steps or ()]
    known = [step for step in found if step is not None]
    return EditSteps(paths[0], known) if known and len(known) == len(found) else None


def _patch(text: str, paths: Sequence[str]) -> Plan | None:
    try:
        plan = ApplyPatch(parse_patch(text))
    except InvalidPatch:
        return None
    first, *_ = plan.paths
    for path in paths:
        # All names of a patch begin in the same folder: the one that leads from the first of them to a path.
        folder = path.removesuffix(first)
        called = {name: folder + name for name in plan.paths}
        if path.endswith(first) and set(called.values()) <= set(paths):
            return PatchSteps(plan, called)
    return None


def _step(path: str, given: Any) -> EditFile | None:
    if not isinstance(given, dict):
        return None
    old, new = given.get("old_string"), given.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    return EditFile(path, old, new, given.get("replace_all") is True)
