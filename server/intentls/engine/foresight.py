"""What a host's own tool is about to make of a file, as far as its parameters tell: for rules about content.

Where they don't tell (another notation, a text that is not there), nothing is foreseen: the tool then fails by itself,
or is known only by what it did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from intentls.core.errors import InvalidArgument, InvalidPatch
from intentls.core.patch import Change, parse_patch
from intentls.core.textformat import replace_text
from intentls.engine.plans import ApplyPatch, EditFile, WriteFile
from intentls.engine.request import Plan, PlannedEdit


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


def foresee(params: Mapping[str, Any], paths: Sequence[str]) -> Plan | None:
    """The plan that the parameters of a tool on `paths` tell of; None where they tell of none."""
    patch = params.get("patch")
    if isinstance(patch, str):
        try:
            return ApplyPatch(parse_patch(patch))
        except InvalidPatch:
            return None
    if len(paths) != 1:
        return None
    content = params.get("content")
    if isinstance(content, str):
        return WriteFile(paths[0], content)
    steps = params.get("edits") if isinstance(params.get("edits"), list) else [params]
    found = [_step(paths[0], step) for step in steps or ()]
    known = [step for step in found if step is not None]
    return EditSteps(paths[0], known) if known and len(known) == len(found) else None


def _step(path: str, given: Any) -> EditFile | None:
    if not isinstance(given, dict):
        return None
    old, new = given.get("old_string"), given.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    return EditFile(path, old, new, given.get("replace_all") is True)
