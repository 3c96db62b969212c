"""Verification of one root with what git knows of its segments, and putting back those that history took out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from intentls.core.errors import LedgerUnavailable, StoreError
from intentls.core.ledger.hash_chain import strip_end
from intentls.core.ledger.integrity_problems import MAX_PROBLEMS, IntegrityProblem, ProblemKind
from intentls.engine.ledger.verify_signatures import verify_signatures
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.atomic_write import fsync_dir, write_new
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import names_in
from intentls.store.fs.state_directory import make_directory
from intentls.store.git.commits import is_on_another_branch
from intentls.store.git_segments.history import (
    RemovedSegment,
    has_ever_had,
    known_digests,
    removed_segments,
    removed_signatures,
)
from intentls.store.ledger.history import Progress
from intentls.store.ledger.ledger import Verification
from intentls.store.ledger_files.archive import ArchiveUnreadable, archives
from intentls.store.ledger_files.segments import digest_of, lines_of, read_segment


class RestoredSegment(Struct, frozen=True):
    """A segment that was put back, its lines, and the commit that had taken it out; None if no commit had."""

    name: str
    records: int
    commit: str | None


def verify_root(
    workspace: Workspace, progress: Progress = lambda _done, _total: None, base: str | None = None
) -> Verification:
    """Check the ledger against its chains; a record on another branch is not missing, a removed segment is named.

    Signatures are judged as `base` has the list of signers, or else HEAD. Raises LedgerUnavailable, and
    ConfigurationError for a `base` that can't be read.
    """
    verification = workspace.ledger.verify(partial(is_on_another_branch, workspace.root), progress)
    problems = tuple(_problem(segment) for segment in missing_segments(workspace))
    try:
        signatures = verify_signatures(workspace, base)
    except OSError as error:
        raise LedgerUnavailable(f"{workspace.layout.trace} can't be read ({because(error)}).") from error
    return Verification(
        verification.records,
        (*problems, *verification.problems, *signatures.problems)[:MAX_PROBLEMS],
        () if signatures.summary is None else (signatures.summary,),
    )


def missing_segments(workspace: Workspace) -> list[RemovedSegment]:
    """Those that history took out, and whose lines the ledger has nowhere else. Raises LedgerUnavailable."""
    gone = [*removed_segments(workspace.layout), *_never_committed(workspace)]
    if not gone:
        return []
    known = known_digests(workspace.layout)
    for archive in archives(workspace.layout):
        try:
            known.update(digest_of(strip_end(raw)) for raw in archive.lines())
        except ArchiveUnreadable:
            return []  # which lines it has can't be said; that it is damaged is a problem by itself
    return [segment for segment in gone if any(digest_of(line) not in known for line in lines_of(segment.content))]


def restore(workspace: Workspace) -> list[RestoredSegment]:
    """Put back every segment that is missing, byte for byte as it was, with its signatures. Raises StoreError."""
    directory = workspace.layout.trace
    restored = []
    try:
        for segment in missing_segments(workspace):
            make_directory(directory)
            write_new(directory / segment.name, segment.content, durable=True)
            restored.append(RestoredSegment(segment.name, len(lines_of(segment.content)), segment.commit))
        for signature in removed_signatures(workspace.layout, {segment.name for segment in restored}):
            write_new(directory / signature.name, signature.content, durable=True)
        if restored:
            fsync_dir(directory)
    except OSError as error:
        raise StoreError(f"{directory} can't be written: {because(error)}.") from error
    workspace.ledger.refresh()
    return restored


def _never_committed(workspace: Workspace) -> Iterator[RemovedSegment]:
    """Segments of this clone that were removed from the tree before any commit or stash had them."""
    kept, layout = workspace.layout.unsaved_segments, workspace.layout
    for name in sorted(names_in(kept)):
        if not (layout.trace / name).exists() and not has_ever_had(layout, name):
            yield RemovedSegment(name, read_segment(kept / name), None)


def _problem(segment: RemovedSegment) -> IntegrityProblem:
    records = len(lines_of(segment.content))
    who = f"removed by commit {segment.commit[:12]}" if segment.commit else "removed from the working tree"
    message = (
        f"The segment {segment.name} with {records} record{'' if records == 1 else 's'} was {who}. "
        "`intentls trace restore` puts it back."
    )
    return IntegrityProblem(0, ProblemKind.SEGMENT_REMOVED, message, segment.name)
