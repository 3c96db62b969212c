"""Which two states are compared, and in which paths they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field

from intentls.core.branch.findings import BranchCode
from intentls.core.errors import ConfigurationError
from intentls.store.git.commits import changed_versions, commit_id, earlier_versions, git_path, merge_base, work_tree
from intentls.store.git.tree_snapshot import TreeEntry, TreeSnapshot, of_commit, of_disk, of_index

_MAX_EARLIER = 60  # commits that are searched for where a change was made that a rebase carried elsewhere
_MERGING = "MERGE_HEAD"


class ComparisonRequest(Struct, frozen=True):
    """What is to be judged: `head` (a commit) since it parted from `base`; or what is staged, or on the disk.

    `base` None is HEAD, for `staged` and `disk` only. `only` is the one root to judge, resolved. `index` is the one of
    a `git commit` under way. Findings of the codes in `lenient` are warnings.
    """

    base: str | None = None
    head: str = "HEAD"
    staged: bool = False
    disk: bool = False
    only: Path | None = None
    index: Path | None = None
    lenient: frozenset[BranchCode] = field(default_factory=frozenset)


class ChangedPath(Struct, frozen=True):
    """A path that differs; None where there is nothing."""

    path: str
    old: TreeEntry | None
    new: TreeEntry | None


class Comparison(Struct, frozen=True):
    """Two states. `base_id` is where they part (None: before the first commit), `head_id` the newest commit.

    `trusted_id` is the base itself, which may have gone on since they parted: what judges signatures is from there.
    `joined` is the other side of a merge that is under way and not committed: not this side's doing. `is_committed` is
    False where the head is the index or the disk.
    """

    top: Path
    base_id: str | None
    head_id: str | None
    base: TreeSnapshot
    head: TreeSnapshot
    head_name: str
    joined: TreeSnapshot | None = None
    joined_id: str | None = None
    is_committed: bool = True
    trusted_id: str | None = None

    def changed(self) -> tuple[ChangedPath, ...]:
        """All that differs, by path."""
        old, new = self.base.entries, self.head.entries
        other: Mapping[str, TreeEntry] = {} if self.joined is None else self.joined.entries
        paths = sorted(
            path
            for path in old.keys() | new.keys()
            if not _are_same(old.get(path), new.get(path))
            and not (self.joined is not None and _are_same(other.get(path), new.get(path)))
        )
        return tuple(ChangedPath(path, old.get(path), new.get(path)) for path in paths)

    def on_disk(self, path: str) -> bytes | None:
        """What the file that is staged holds in the working tree; None where nothing is staged, or it is none."""
        if self.is_committed or self.head.entries.get(path) is None:
            return None
        return self.in_work_tree(path)

    def in_work_tree(self, path: str) -> bytes | None:
        """What a regular file of the working tree holds; None where there is none."""
        file = self.top / path
        if file.is_symlink():
            return None
        try:
            return file.read_bytes() if file.is_file() else None
        except OSError:
            return None

    def pending(self) -> tuple[ChangedPath, ...]:
        """What the head has and the newest commit has not; nothing during a merge, which has two parents."""
        if self.is_committed or self.joined is not None:
            return ()
        tip = of_commit(self.top, self.head_id).entries
        head = self.head.entries
        paths = sorted(path for path in tip.keys() | head.keys() if not _are_same(tip.get(path), head.get(path)))
        return tuple(ChangedPath(path, tip.get(path), head.get(path)) for path in paths)

    def versions(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """By path, the objects that commits between the two states made of it, oldest first."""
        paths, versions = list(paths), dict[str, list[str]]()
        for head in (self.head_id, self.joined_id):
            if head is not None and self.base_id not in (None, head):
                for path, oids in changed_versions(self.top, self.base_id, head, paths).items():
                    versions[path] = [*versions.get(path, []), *oids]
        return versions

    def earlier(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """By path, the objects that commits up to the base made of it, newest first."""
        return {} if self.base_id is None else earlier_versions(self.top, self.base_id, paths, _MAX_EARLIER)


def compare(start: Path, request: ComparisonRequest) -> Comparison:
    """Open what is requested, from the directory `start`. Raises ConfigurationError, with advice."""
    top = work_tree(start)
    if not (request.staged or request.disk):
        return _commits(top, request)
    tip = _tip(top)
    base = trusted = tip
    if request.base is not None:
        trusted = commit_id(top, request.base)
        base = merge_base(top, trusted, tip or "HEAD")
    head = of_index(top, request.index) if request.staged else of_disk(top)
    joined = _joined(top)
    return Comparison(
        top,
        base,
        tip,
        of_commit(top, base),
        head,
        "the index" if request.staged else "the working tree",
        None if joined is None else of_commit(top, joined),
        joined,
        is_committed=False,
        trusted_id=trusted,
    )


def _commits(top: Path, request: ComparisonRequest) -> Comparison:
    base, head = commit_id(top, request.base or "HEAD"), commit_id(top, request.head)
    parting = merge_base(top, base, head)
    snapshots = of_commit(top, parting), of_commit(top, head)
    return Comparison(top, parting, head, *snapshots, request.head, trusted_id=base)


def _tip(top: Path) -> str | None:
    try:
        return commit_id(top, "HEAD")
    except ConfigurationError:
        return None  # nothing is committed yet


def _joined(top: Path) -> str | None:
    marker = git_path(top, _MERGING)
    return None if marker is None or not marker.is_file() else commit_id(top, _MERGING)


def _are_same(one: TreeEntry | None, other: TreeEntry | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.mode, one.oid) == (other.mode, other.oid) and one.oid is not None
