"""What kind of change something is: a commit of any repository, or two contents. Nothing is recorded."""

from __future__ import annotations

import logging
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import IntentlsError
from intentls.core.mutation.classes import Change, MutationClass, worst
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.engine.branch_check.repository_at_commit import RepositoryAtCommit
from intentls.store.git.commits import changed_files, commit_id, merge_base, repository

log = logging.getLogger(__name__)

_MAX_NODES = 20_000_000  # a commit may be large, and no edit waits for the answer


class Classification(Struct, frozen=True):
    """The class of the whole, and of each file."""

    mutation_class: MutationClass
    files: tuple[FileClass, ...]


def classify_commit(directory: Path, commit: str) -> Classification:
    """Judge all that a commit changed against its first parent, in the light of all files that it has.

    The repository is the one of `directory`, which may be bare. `BASE..HEAD` names the whole way from where the two
    part to HEAD. Raises ConfigurationError for what git can't tell.
    """
    top = repository(directory)
    start, is_range, end = commit.partition("..")
    revision = commit_id(top, (end or "HEAD") if is_range else commit)
    base = merge_base(top, commit_id(top, start or "HEAD"), revision) if is_range else None
    files = changed_files(top, revision, base)
    return _classified(
        tuple(FileVersions(file.path, file.change, file.before, file.after, file.old_path) for file in files),
        RepositoryAtCommit(top, revision, {file.path for file in files}),
    )


def classify_contents(path: str, before: bytes | None, after: bytes | None) -> Classification:
    """Judge two contents of the file that `path` names; None: there is no file."""
    change = Change.ADD if before is None else Change.DELETE if after is None else Change.MODIFY
    return _classified((FileVersions(path, change, before, after),))


def _classified(edits: tuple[FileVersions, ...], others: RepositoryText | None = None) -> Classification:
    try:
        files = classify_change(edits, nodes=_MAX_NODES, others=others)
    except (IntentlsError, OSError):  # the repository can't be read: who asked is told
        raise
    except Exception:  # of the other files something can be said
        log.exception("a change set could not be classed")
        files = tuple(map(_alone, edits))
    return Classification(worst(file.mutation_class for file in files), files)


def _alone(edit: FileVersions) -> FileClass:
    """The class of one file without what the others prove."""
    try:
        (verdict,) = classify_change((edit,), nodes=_MAX_NODES)
    except Exception:  # what nobody can judge may do anything
        log.exception("%s could not be classed", edit.path)
        return FileClass.unjudged(edit.path)
    return verdict
