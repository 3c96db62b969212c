"""What kind of change something is: a commit of any repository, or two contents. Nothing is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from intentls.core.mutation.classes import Change, MutationClass, worst
from intentls.core.mutation.classify import FileClass, FileVersions, classify_change
from intentls.store.git.commits import changed_files, commit_id, work_tree

_MAX_NODES = 20_000_000  # a commit may be large, and no edit waits for the answer


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of the whole, and of each file."""

    mutation_class: MutationClass
    files: tuple[FileClass, ...]


def classify_commit(repository: Path, commit: str) -> Classification:
    """Judge all that a commit changed against its first parent. Raises ConfigurationError for what git can't tell."""
    top = work_tree(repository)
    files = changed_files(top, commit_id(top, commit))
    return _classified(
        tuple(FileVersions(file.path, file.change, file.before, file.after, file.old_path) for file in files)
    )


def classify_contents(path: str, before: bytes | None, after: bytes | None) -> Classification:
    """Judge two contents of the file that `path` names; None: there is no file."""
    change = Change.ADD if before is None else Change.DELETE if after is None else Change.MODIFY
    return _classified((FileVersions(path, change, before, after),))


def _classified(edits: tuple[FileVersions, ...]) -> Classification:
    files = classify_change(edits, nodes=_MAX_NODES)
    return Classification(worst(file.mutation_class for file in files), files)
