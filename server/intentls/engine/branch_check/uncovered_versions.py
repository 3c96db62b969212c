"""Which versions of a file no record explains, commit by commit, and who made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from intentls.core.branch.change_path import uncovered_steps
from intentls.core.hashing import hash_of
from intentls.core.ledger.line_range import changed_ranges
from intentls.core.text.lines import is_binary
from intentls.engine.branch_check.comparison import ChangedPath
from intentls.engine.branch_check.coverage import Coverage
from intentls.store.git.commit_changes import CommittedVersion, committed_versions
from intentls.store.git.commits import read_objects


class UncoveredVersion(Struct, frozen=True):
    """A content of the file `path` that no record explains, with each content that it was made of, by hash.

    `after` is its hash. `commit` and `address` are "" for what is not committed. `lines` (from 1) are those of the
    content that `author` changed and no record has.
    """

    path: str
    before: tuple[str | None, ...]
    content: bytes | None
    author: str
    address: str
    commit: str
    lines: tuple[int, ...]
    after: str | None


_Version = tuple[CommittedVersion, bytes | None, list[bytes | None]]
"""A version with its content and those of its parents."""


def uncovered_versions(
    coverage: Coverage, changes: Sequence[ChangedPath], author: str
) -> dict[str, list[UncoveredVersion]]:
    """By path, the versions of each of `changes` that no record explains, oldest first.

    `author` is who made what is not committed. Raises ConfigurationError if git can't tell.
    """
    comparison = coverage.comparison
    paths = [change.path for change in changes]
    committed: Mapping[str, list[CommittedVersion]] = {}
    if paths and comparison.head_id is not None and comparison.head_id != comparison.base_id:
        committed = committed_versions(comparison.top, comparison.base_id, comparison.head_id, paths)
    earlier = comparison.earlier(paths)
    uncovered: dict[str, list[UncoveredVersion]] = {}
    for change in changes:
        own = committed.get(change.path, [])
        before = earlier.get(change.path, [])
        oids = {oid for version in own for oid in (version.oid, *version.parents) if oid is not None}
        objects = read_objects(comparison.top, [*oids, *before])
        old, new = comparison.base.read(change.path), comparison.head.read(change.path)
        versions: list[_Version] = [
            (version, objects.get(version.oid or ""), [objects.get(oid or "") for oid in version.parents])
            for version in own
        ]
        tip = versions[-1][1] if versions else old
        if new != tip or not versions:
            other = () if comparison.joined is None else (comparison.joined.read(change.path),)
            versions.append((CommittedVersion("", author, "", None, ()), new, [tip, *other]))
        coverage.note_formatted(change.path, [content for _, content, _ in versions])
        evidence = coverage.evidence(change, old, [objects[oid] for oid in before if oid in objects])
        steps = uncovered_steps(evidence, [content for _, content, _ in versions])
        uncovered[change.path] = [
            _uncovered(coverage, change.path, versions[number], step.hash) for number, step in steps
        ] or [_uncovered(coverage, change.path, versions[-1], hash_of(old))]  # of which only the mode changed
    return uncovered


def _uncovered(coverage: Coverage, path: str, version: _Version, before: str | None) -> UncoveredVersion:
    commit, content, parents = version
    # Of a merge each side counts: whichever is the base later, after a squash or a rebase, leads on to this.
    sides = [hash_of(parent) for parent in parents] if len(parents) > 1 else []
    return UncoveredVersion(
        path,
        tuple(dict.fromkeys([before, *sides])),
        content,
        commit.author,
        commit.address,
        commit.commit,
        tuple(_new_lines(content, parents, coverage.writers(path, content))),
        hash_of(content),
    )


def _new_lines(content: bytes | None, parents: Iterable[bytes | None], writers: Sequence[object]) -> list[int]:
    """The lines that no parent has like that, and that no record wrote."""
    if content is None or is_binary(content):
        return []
    changed = [
        {number for part in changed_ranges(parent, content) for number in range(part.start_line, part.end_line + 1)}
        for parent in parents
        if not is_binary(parent or b"")
    ]
    new = set.intersection(*changed) if changed else set()
    return [number for number in sorted(new) if not writers or writers[number - 1] is None]
