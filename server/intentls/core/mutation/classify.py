"""What a change set does: the class of each file's change, and the reasons, by comparing canonical trees.

Equal trees are DOCUMENTATION. Trees that a named equivalence makes equal are an AST_REFACTOR. All else, and all that
can't be told, is INTENT_EVOLUTION: a change of behaviour must never pass for less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename

from msgspec.structs import replace

from intentls.core.mutation.canonical_trees import NO_GRAMMAR, tree_of
from intentls.core.mutation.change_set.merged_packages import MergedPackage, merged_packages
from intentls.core.mutation.change_set.whole_repository import light_of, still_used
from intentls.core.mutation.classes import Change, MutationClass, infer
from intentls.core.mutation.compare import DARK, Light, compare
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.moves.moved_definitions import ChangedText, find_moves
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.quick_proof import does_something_else
from intentls.core.mutation.renames.file_renames import Rename, is_module
from intentls.core.syntax.canonicalize import TOO_LARGE, NodeBudget, NotClassifiable
from intentls.core.syntax.languages import adapter_of
from intentls.core.syntax.languages.python.adapter import PYTHON

MAX_NODES = 400_000
MAX_BYTES = 1 << 20  # parsing can't be interrupted, so what is larger is not begun
_DEFINED = re.compile(rb"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_REFACTOR, _EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION


def classify_change(
    edits: Iterable[FileVersions],
    nodes: int = MAX_NODES,
    max_bytes: int = MAX_BYTES,
    *,
    with_reasons: bool = True,
    others: RepositoryText | None = None,
) -> tuple[FileClass, ...]:
    """The class of each file's change, where one file of a change can prove what another one does.

    `nodes` bounds the work on all, `max_bytes` the size of each content. Without reasons it is quicker. With the
    repository's other files, names that all uses prove are followed, and those that one of them still uses are not.
    Never raises; a file that is too large to be judged, or does not parse, is INTENT_EVOLUTION and says why.
    """
    edits = tuple(edits)
    budget = NodeBudget(nodes, max_bytes)
    if not with_reasons and len(edits) == 1 and _is_proven(edits[0], budget):
        return (FileClass(edits[0].path, _EVOLUTION, (_BY_COUNTS,)),)
    settled = _judged(edits, budget, others)
    merged = [] if others is None else list(merged_packages(edits, settled, budget))
    return _with_merged(edits, settled, merged, NodeBudget(nodes, max_bytes), others) if merged else settled


def _judged(edits: Sequence[FileVersions], budget: NodeBudget, others: RepositoryText | None) -> tuple[FileClass, ...]:
    """The class of each file, where no files are read as one."""
    light = DARK if others is None else light_of(edits, others, budget)
    verdicts = _with_moves(edits, [_verdict(edit, budget, light) for edit in edits], budget, light)
    if others is not None:
        verdicts = [still_used(verdict, others, budget) for verdict in verdicts]
    return _settled(verdicts)


def _with_merged(
    edits: Sequence[FileVersions],
    verdicts: tuple[FileClass, ...],
    packages: Sequence[MergedPackage],
    budget: NodeBudget,
    others: RepositoryText | None,
) -> tuple[FileClass, ...]:
    """The verdicts, where the files of a package do the same together: all packages are read so at once."""
    whole_of = {path: package.whole for package in packages for path in package.paths}
    rest = [edit for edit in edits if edit.path not in whole_of]
    found = {file.path: file for file in _judged([*(package.whole for package in packages), *rest], budget, others)}
    said = {
        package.whole.path: f"what stands in {' and '.join(map(basename, package.paths))} does the same together"
        for package in packages
    }

    def together(verdict: FileClass) -> FileClass:
        whole = found[whole_of[verdict.path].path] if verdict.path in whole_of else verdict
        if verdict.mutation_class is not _EVOLUTION or whole.mutation_class is _EVOLUTION:
            return verdict
        return replace(verdict, mutation_class=_REFACTOR, reasons=(said[whole.path], *whole.reasons))

    return tuple(map(together, verdicts))


_BY_COUNTS = "it may do something else than before"


def _is_proven(edit: FileVersions, budget: NodeBudget) -> bool:
    """Whether a glance proves that a file that stays in its place does something else. It is the whole change."""
    adapter = adapter_of(edit.path)
    if adapter is None or edit.change is not Change.MODIFY or edit.before is None or edit.after is None:
        return False
    if b"\0" in edit.before or b"\0" in edit.after or max(len(edit.before), len(edit.after)) > budget.max_bytes:
        return False
    if infer(edit.path, edit.change) is not _EVOLUTION:
        return False
    return does_something_else(edit.before, edit.after, adapter)


def _with_moves(
    edits: Sequence[FileVersions], verdicts: list[FileClass], budget: NodeBudget, light: Light
) -> list[FileClass]:
    """What is nothing but definitions that went from one file of the change to another is a refactor."""
    files = [
        edit
        for edit, verdict in zip(edits, verdicts, strict=True)
        if adapter_of(edit.path) is PYTHON
        and edit.after is not None
        and verdict.mutation_class in (_EVOLUTION, MutationClass.FILE_CREATION)
        and edit.change in (Change.ADD, Change.MODIFY)
        and b"\0" not in edit.after
        and max(len(edit.after), len(edit.before or b"")) <= budget.max_bytes
    ]
    files = _exchanging(files)
    if not files:
        return verdicts
    try:
        reasons = find_moves([_trees(edit, budget) for edit in files], light.is_taken)
    except NotClassifiable:
        return verdicts
    return [
        replace(verdict, mutation_class=_REFACTOR, reasons=(reasons[verdict.path],))
        if verdict.path in reasons and verdict.mutation_class is _EVOLUTION
        else verdict
        for verdict in verdicts
    ]


def _exchanging(files: Sequence[FileVersions]) -> list[FileVersions]:
    """Those that lose a definition which another one gains, or gain such a one, as far as a glance tells."""
    had = [set(_DEFINED.findall(edit.before or b"")) for edit in files]
    has = [set(_DEFINED.findall(edit.after or b"")) for edit in files]
    gone = {name for old, new in zip(had, has, strict=True) for name in old - new}
    came = {name for old, new in zip(had, has, strict=True) for name in new - old}
    moved = gone & came
    return [edit for edit, old, new in zip(files, had, has, strict=True) if not moved.isdisjoint(old ^ new)]


def _trees(edit: FileVersions, budget: NodeBudget) -> ChangedText:
    before = None if edit.change is Change.ADD or edit.before is None else tree_of(edit.before, PYTHON, budget)
    return ChangedText(edit.path, before, tree_of(edit.after or b"", PYTHON, budget))


def _verdict(edit: FileVersions, budget: NodeBudget, light: Light) -> FileClass:
    by_name = infer(edit.path, edit.change)
    if edit.before is None or edit.after is None or edit.change in (Change.ADD, Change.DELETE):
        return FileClass(
            edit.path, by_name, (_BY_CHANGE.get(edit.change, "its content is not known"),), edit.change is Change.RENAME
        )
    if by_name is MutationClass.DOCUMENTATION:
        return FileClass(edit.path, by_name, ("prose",))
    if b"\0" in edit.before or b"\0" in edit.after:
        return FileClass(edit.path, by_name, ("binary",))
    if edit.old_path not in (None, edit.path) and by_name is _EVOLUTION:
        return _of_moved(edit, budget, light)
    verdict = _of_content(edit.path, edit.before, edit.after, budget, light)
    if by_name is MutationClass.CONFIGURATION and verdict.mutation_class is not MutationClass.DOCUMENTATION:
        return replace(verdict, mutation_class=by_name)
    return verdict


def _of_moved(edit: FileVersions, budget: NodeBudget, light: Light) -> FileClass:
    """The class of a file that moved, if all who import it are known to follow."""
    if edit.before is None or edit.after is None or not light.has_moved(edit.old_path):
        reason = f"moved from {edit.old_path}: who used it there can't be told"
        return FileClass(edit.path, _EVOLUTION, (reason,))
    reason = f"moved from {edit.old_path}"
    verdict = _of_content(edit.path, edit.before, edit.after, budget, replace(light, old_path=edit.old_path))
    if verdict.mutation_class is _EVOLUTION:
        return verdict
    reasons = verdict.reasons if verdict.mutation_class is _REFACTOR else ()
    return replace(verdict, mutation_class=_REFACTOR, reasons=(reason, *reasons))


_BY_CHANGE = {Change.ADD: "a new file", Change.DELETE: "the file is gone"}


def _of_content(path: str, before: bytes, after: bytes, budget: NodeBudget, light: Light) -> FileClass:
    adapter = adapter_of(path)
    if adapter is None:
        return FileClass(path, _EVOLUTION, ("this language's trees are not compared",), is_coarse=True)
    if before == after and light.old_path is None:
        return FileClass(path, _EVOLUTION, ("the content is the same; its mode may not be",))
    if max(len(before), len(after)) > budget.max_bytes:
        return FileClass(path, _EVOLUTION, (TOO_LARGE,))
    try:
        comparison = compare(before, after, adapter, path, budget, light)
    except NotClassifiable as reason:
        return FileClass(path, _EVOLUTION, (str(reason),), is_coarse=str(reason) == NO_GRAMMAR)
    return FileClass(path, comparison.mutation_class, comparison.reasons, renames=comparison.renames)


def _settled(verdicts: list[FileClass]) -> tuple[FileClass, ...]:
    """Refactors whose proof lies in another file are refactors if it does, else not.

    What loses its proof takes it from others too, so this is repeated until nothing changes.
    """
    while True:
        lost = {verdict.path for verdict in verdicts if _is_unproven(verdict, verdicts)}
        if not lost:
            return tuple(verdicts)
        verdicts = [_without(verdict) if verdict.path in lost else verdict for verdict in verdicts]


def _is_unproven(verdict: FileClass, all_of_them: list[FileClass]) -> bool:
    if verdict.mutation_class is not _REFACTOR:
        return False
    others = [other for other in all_of_them if other.path != verdict.path and other.mutation_class is _REFACTOR]
    return not all(rename.is_proven or any(_halves(verdict, rename, others)) for rename in verdict.renames)


def _halves(verdict: FileClass, rename: Rename, others: Iterable[FileClass]) -> Iterator[bool]:
    for other in others:
        for half in other.renames:
            if (half.old, half.new) != (rename.old, rename.new) or not half.is_public:
                continue
            if rename.origin and not half.origin:
                yield is_module(rename.origin, other.path, verdict.path)
            elif half.origin and not rename.origin:
                yield is_module(half.origin, verdict.path, other.path)


def _without(verdict: FileClass) -> FileClass:
    unproven = next(rename for rename in verdict.renames if not rename.is_proven)
    reason = f"{unproven.reason}, and who else uses it can't be told"
    return replace(verdict, mutation_class=_EVOLUTION, reasons=(reason,), renames=())
