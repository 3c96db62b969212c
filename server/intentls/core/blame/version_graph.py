"""Who owned each line after each version of a file.

A record names the content that it changed by its hash, so the records of a file form a tree, not a list: two branches
that were worked on side by side and joined in one ledger are two paths from one version. The owners of a version's
lines are those of the version it builds on, carried along its hunks; its own claims and origins come on top.

Two records of a file, whose first one wrote five lines:

    1  Ada: `one two three four five`    hunks [(0, 0, 1, 5)], claims lines 1 to 5
    2  Ben: `two one THREE four five`    hunks [(0, 0, 1, 1), (2, 2, 3, 1)], claims lines 1 and 3,
                                         origins [line 1 was line 2]

    version 1         Ada Ada Ada Ada Ada
    version 2, hunks   -  Ada  -  Ada Ada     line 1 is new, lines 2 and 3 became line 3, the others are carried
             claims   Ben Ada Ben Ada Ada     whoever made the record claims all that changed
             origins  Ada Ada Ben Ada Ada     but `two` was only moved, so it stays Ada's
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import is_
from types import MappingProxyType
from typing import Generic, TypeVar

from msgspec import Struct, field

from intentls.core.ledger.line_range import LineRange, Origin
from intentls.core.text.line_hashes import OMITTED, split_hashes
from intentls.core.text.lines import Hunk, carry

C = TypeVar("C")

MAX_LINES = 2_000_000
"""Files with more are not followed from record to record: a forged hunk of any length would take any memory."""

LineState = tuple[C | None, bytes | None, bytes | None]
"""A line's owner; its hash; and for a line without owner the hash it had before it was formatted. None: unknown."""


def is_moved(line: LineState[C]) -> bool:
    """Whether a record has the line, and it is not the record's own: it was moved from where its owner is unknown."""
    owner, hash_, _ = line
    return owner is None and hash_ is not None


VersionId = tuple[int, int]
"""The number of a file in the graph, and the place of the version in that file's history."""


class AuthoredRange(Struct, Generic[C], frozen=True):
    """`owner` wrote the lines of `where` in the content that `FileVersion.post_hash` names."""

    owner: C
    where: LineRange


class FileVersion(Struct, Generic[C], frozen=True):
    """What one record says of a file. `hunks` is None where the record does not have them.

    `others` are the versions of other files, by the names that `origins` have for them, as the record found them.
    `base` is the version this one builds on if its hash does not tell that.
    """

    pre_hash: str | None
    post_hash: str | None
    hunks: tuple[Hunk, ...] | None
    claims: tuple[AuthoredRange[C], ...]
    origins: tuple[Origin, ...] = ()
    others: Mapping[str, VersionId] = field(default_factory=dict)
    base: VersionId | None = None


FileHistory = Sequence[FileVersion[C]]
"""The versions of one file, in the order of the ledger."""


class Ownership(Struct, Generic[C]):
    """By line of a content: its owner so far, and the hash it had before it was formatted, where that is known.

    `moved`: a record says that it moved the line, from where nothing tells whose it is.
    """

    owners: list[C | None]
    roots: list[bytes | None]
    moved: list[bool]

    @classmethod
    def unknown(cls, count: int) -> Ownership[C]:
        """Of `count` lines."""
        return cls([None] * count, [None] * count, [False] * count)

    def copy(self) -> Ownership[C]:
        """One that may be changed, while this one stays as it is."""
        return Ownership(list(self.owners), list(self.roots), list(self.moved))


class LineOwners(Struct, Generic[C], frozen=True):
    """The lines of one version. If it is not `is_whole`, unknown lines may follow them."""

    lines: list[LineState[C]]
    is_whole: bool

    def ownership(self, count: int) -> Ownership[C] | None:
        """The owners of a content with `count` lines; None if the version can't have so many."""
        missing = count - len(self.lines)
        if missing < 0 or (missing and self.is_whole):
            return None
        unknown: LineState[C] = (None, None, None)
        lines = self.lines + [unknown] * missing
        return Ownership(
            [owner for owner, _, _ in lines],
            [root for _, _, root in lines],
            [is_moved(line) for line in lines],
        )


class KeptOwners(Generic[C]):
    """The line owners of one version of a file, for a later graph that has the same versions up to it.

    So a file's thousandth version costs what its own hunks cost:

        graph 1    versions 1 to 999     builds all of them, and keeps the owners of 999
        graph 2    the same, and 1,000   the versions up to 999 are the very same: only 1,000 is built
    """

    def __init__(self) -> None:
        self._kept: tuple[tuple[FileVersion[C], ...], LineOwners[C]] | None = None

    def of(self, versions: Sequence[FileVersion[C]]) -> Mapping[VersionId, LineOwners[C]]:
        """What is known of the first file of a graph, which has these versions."""
        if self._kept is None:
            return {}
        kept, owners = self._kept
        is_same = len(kept) <= len(versions) and all(map(is_, kept, versions))
        return {(0, len(kept) - 1): owners} if is_same else {}

    def keep(self, versions: tuple[FileVersion[C], ...], owners: LineOwners[C]) -> None:
        """Keep the owners of the last of these versions, which are all up to it."""
        self._kept = versions, owners


class VersionGraph(Generic[C]):
    """All versions of some files. It never changes; `with_file` and `with_versions` make another one.

    The first file is the one that is asked about, the others are those that its lines may have come from. `kept` may
    know owners of it, and is given those that are built. As long as it is there, the first file's versions build on
    nothing but each other.
    """

    def __init__(self, files: Iterable[FileHistory[C]] = (), kept: KeptOwners[C] | None = None) -> None:
        self.files: tuple[tuple[FileVersion[C], ...], ...] = tuple(map(tuple, files))
        self._kept = kept

    def with_file(self, versions: FileHistory[C]) -> VersionGraph[C]:
        """With one more file, as the last one."""
        return VersionGraph((*self.files, versions), self._kept)

    def with_versions(self, versions: Mapping[VersionId, FileVersion[C]]) -> VersionGraph[C]:
        """With these versions replaced; a place one behind the last of a file appends to it."""
        files = {number: list(self.files[number]) for number, _ in versions}
        for (number, place), version in versions.items():
            files[number][place : place + 1] = [version]
        return VersionGraph(files.get(number, file) for number, file in enumerate(self.files))

    def continues(self, earlier: VersionGraph[C]) -> bool:
        """Whether this is the earlier graph, or that one with more files behind its own."""
        mine = self.files[: len(earlier.files)]
        return len(mine) == len(earlier.files) and all(
            one is other for one, other in zip(mine, earlier.files, strict=True)
        )

    @cached_property
    def _links(self) -> tuple[list[dict[str, VersionId]], dict[VersionId, VersionId]]:
        """The newest version of each content, by file; and by version the one that it builds on."""
        newest: list[dict[str, VersionId]] = []
        bases: dict[VersionId, VersionId] = {}
        for number, versions in enumerate(self.files):
            newest.append({})
            for place, version in enumerate(versions):
                # A content may come again, as after a revert: a record builds on the newest one before it.
                base = version.base or newest[-1].get(version.pre_hash or "")
                if base is not None:
                    bases[number, place] = base
                if version.post_hash is not None:
                    newest[-1][version.post_hash] = (number, place)
        return newest, bases

    def find(self, file: int, content_hash: str | None) -> VersionId | None:
        """The newest version of a file with this content."""
        return None if content_hash is None else self._links[0][file].get(content_hash)

    def base(self, id_: VersionId) -> VersionId | None:
        """The version that this one builds on."""
        return self._links[1].get(id_)

    def depends_on(self, id_: VersionId, other: VersionId) -> bool:
        """Whether lines of `other` can be among the lines of `id_`."""
        return other in self._build_order((id_,))

    def is_gap(self, id_: VersionId) -> bool:
        """Whether a version builds on a content that no record left, or no lines can be carried over to it."""
        version = self.version(id_)
        return version.hunks is None or (version.pre_hash is not None and self.base(id_) is None)

    def gaps(self) -> Iterator[tuple[VersionId, str]]:
        """Each such version, with the hash of the content that it builds on."""
        for number, versions in enumerate(self.files):
            for place, version in enumerate(versions):
                if version.pre_hash is not None and self.base((number, place)) is None:
                    yield (number, place), version.pre_hash

    def tips(self, file: int) -> list[VersionId]:
        """The versions whose lines no other one carries on, newest first. A deletion has no content, so it is none."""
        versions = self.files[file]
        carried = (place for place, version in enumerate(versions) if version.post_hash and version.hunks is not None)
        built_on = {self.base((file, place)) for place in carried}
        ids = [(file, place) for place in range(len(versions) - 1, -1, -1) if versions[place].post_hash]
        return [id_ for id_ in ids if id_ not in built_on]

    def build(self, ids: Iterable[VersionId]) -> dict[VersionId, LineOwners[C]]:
        """The line owners of these versions; a version that contradicts its own hashes has none."""
        goal = set(ids)
        known = {} if self._kept is None else self._kept.of(self.files[0])
        order = self._build_order(goal, known)
        # Each version is kept only until the last one that needs it is built.
        uses = Counter(dependency for id_ in order for dependency in self._dependencies(id_))
        built: dict[VersionId, LineOwners[C] | None] = dict(known)
        for id_ in order:
            built[id_] = self._build_one(id_, built)
            for dependency in self._dependencies(id_):
                uses[dependency] -= 1
                if not uses[dependency] and dependency not in goal:
                    built.pop(dependency, None)
        owners_of = {id_: owners for id_ in goal if (owners := built[id_]) is not None}
        if self._kept is not None and len(goal) == 1:
            for (file, place), owners in owners_of.items():
                if file == 0:
                    self._kept.keep(self.files[0][: place + 1], owners)
        return owners_of

    def version(self, id_: VersionId) -> FileVersion[C]:
        """What a record says of the file."""
        return self.files[id_[0]][id_[1]]

    def _dependencies(self, id_: VersionId) -> Iterator[VersionId]:
        """What must be built before: what the version builds on, and what it took lines from."""
        base = self.base(id_)
        if base is not None:
            yield base
        version = self.version(id_)
        for origin in version.origins:
            source = version.others.get(origin.path or "")
            if source is not None:
                yield source

    def _build_order(
        self, goal: Iterable[VersionId], known: Mapping[VersionId, object] = MappingProxyType({})
    ) -> list[VersionId]:
        """All that must be built, each after its dependencies; nothing that is known, and what only that depends on.

        This is a depth-first search with a stack of its own, since there may be more records than Python can recurse.
        Each version is pushed a second time, as ready, below its dependencies. In a ledger that goes in circles, which
        only a forged one does, a version that is being visited is not visited again.
        """
        order: list[VersionId] = []
        seen: set[VersionId] = set(known)
        stack = [(id_, False) for id_ in goal]
        while stack:
            id_, is_ready = stack.pop()
            if is_ready:
                order.append(id_)
            elif id_ not in seen:
                seen.add(id_)
                stack.append((id_, True))
                stack += ((dependency, False) for dependency in self._dependencies(id_) if dependency not in seen)
        return order

    def _build_one(self, id_: VersionId, built: Mapping[VersionId, LineOwners[C] | None]) -> LineOwners[C] | None:
        version, base_id = self.version(id_), self.base(id_)
        # Without hunks nothing can be carried. A base that contradicts itself counts as unknown, too.
        base = None if version.hunks is None or base_id is None else built.get(base_id)
        if base is None:
            base = LineOwners([], is_whole=version.hunks is not None and version.pre_hash is None)
        lines = _carry_lines(base, version.hunks or ())
        if lines is None or not _apply_claims(lines, version.claims, base.is_whole):
            return None
        for origin in version.origins:
            source_id = version.others.get(origin.path or "")
            source = base if origin.path is None else None if source_id is None else built.get(source_id)
            _apply_origin(lines, [] if source is None else source.lines, origin)
        return LineOwners(lines, base.is_whole)


def next_owners(owners: Sequence[C | None], version: FileVersion[C]) -> list[C | None] | None:
    """The owners of the lines of `version`, which changed a content whose lines have these owners.

    None where that is not certain from its hunks and claims alone: it has none, they are of another content, or some
    of its lines come from elsewhere.

        owners Ada Ada Ada, the version replaced line 2 by two and Ben claims lines 2 and 3    Ada Ben Ben Ada
    """
    if version.hunks is None or version.origins or version.base is not None:
        return None
    lines = _carry_lines(LineOwners([(owner, None, None) for owner in owners], is_whole=True), version.hunks)
    if lines is None or not _apply_claims(lines, version.claims, is_whole=True):
        return None
    return [owner for owner, _, _ in lines]


def _carry_lines(base: LineOwners[C], hunks: Sequence[Hunk]) -> list[LineState[C]] | None:
    """The lines after the hunks; None if they can't be of this content: not in order, not apart, not inside it."""
    end = 0
    for hunk in hunks:
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        if start < end or hunk.old_lines < 0 or hunk.new_lines < 0:
            return None
        end = start + hunk.old_lines
    count = len(base.lines) if base.is_whole else max(end, len(base.lines))
    if end > count or count + sum(hunk.new_lines for hunk in hunks) > MAX_LINES:
        return None
    unknown: LineState[C] = (None, None, None)
    return carry(base.lines + [unknown] * (count - len(base.lines)), hunks, unknown)


def _apply_claims(lines: list[LineState[C]], claims: Iterable[AuthoredRange[C]], is_whole: bool) -> bool:
    """Give each claimed line to its claimant; False if there are no such lines."""
    for claim in claims:
        start, end = claim.where.start_line, claim.where.end_line
        if end > len(lines):
            if is_whole or end > MAX_LINES:
                return False
            lines += [(None, None, None)] * (end - len(lines))
        hashes: Sequence[bytes | None] | None = split_hashes(claim.where.line_hashes, end - start + 1)
        lines[start - 1 : end] = [(claim.owner, hash_, None) for hash_ in hashes or [None] * (end - start + 1)]
    return True


def _apply_origin(lines: list[LineState[C]], old: Sequence[LineState[C]], origin: Origin) -> None:
    """Give lines that were only moved or formatted back to the owners of the old lines they come from."""
    if origin.end_line > len(lines):
        return
    first, last = origin.old_start_line - 1, origin.old_end_line
    recorded = split_hashes(origin.old_line_hashes, last - first) or []
    new = range(origin.start_line - 1, origin.end_line)
    if len(new) == last - first:  # one by one
        for index, offset in zip(new, range(last - first), strict=True):
            source = first + offset
            owner, root = _majority_owner(old[source : source + 1], recorded[offset : offset + 1])
            lines[index] = (owner, lines[index][1], root)
    else:  # lines were joined or split, so each new one comes from all the old ones
        owner, root = _majority_owner(old[first:last], recorded)
        lines[new.start : new.stop] = [(owner, hash_, root) for _, hash_, _ in lines[new.start : new.stop]]


def _majority_owner(sources: Sequence[LineState[C]], recorded: Iterable[bytes]) -> tuple[C | None, bytes | None]:
    """The owner of most of the lines. If none has an owner, the first known hash, so that they can be searched for."""
    owners = Counter(owner for owner, _, _ in sources if owner is not None).most_common(1)
    if owners:
        return owners[0][0], None
    roots = (root or hash_ for _, hash_, root in sources)
    return None, next((hash_ for hash_ in (*roots, *recorded) if hash_ not in (None, OMITTED)), None)
