"""Whose each line was after each record of a file: what a record builds on, carried along its hunks.

A record names the content that it changed by its hash, so the records of a file are a tree, not a list: branches that
were worked on side by side, and joined in one ledger, each have their own images.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from intentls.core.blame.moved_lines import Origin
from intentls.core.text.line_hashes import OMITTED, split_hashes
from intentls.core.text.lines import Hunk, LineRange, carry

C = TypeVar("C")

MAX_LINES = 2_000_000
"""Files with more are not followed from record to record: a forged hunk of any length would take any memory."""

Cell = tuple[C | None, bytes | None, bytes | None]
"""A line's owner; its hash; and of a line without owner the hash that it had before it was formatted. None: unknown."""

Node = tuple[int, int]
"""A version: the number of its lineage, and its place in it."""


@dataclass(frozen=True, slots=True)
class AuthoredRange(Generic[C]):
    """`owner` wrote the lines of `where` in the content that `FileVersion.post_hash` names."""

    owner: C
    where: LineRange


@dataclass(frozen=True, slots=True)
class FileVersion(Generic[C]):
    """What one record says of a file. `hunks` is None where the record does not tell them.

    `others`: the versions of other files, by the names that `origins` have for them, as the record found them.
    `base` is what the version builds on where its hash does not say so.
    """

    pre_hash: str | None
    post_hash: str | None
    hunks: tuple[Hunk, ...] | None
    claims: tuple[AuthoredRange[C], ...]
    origins: tuple[Origin, ...] = ()
    others: Mapping[str, Node] = field(default_factory=dict)
    base: Node | None = None


Lineage = Sequence[FileVersion[C]]
"""The versions of one file, in the order of the ledger."""


@dataclass(slots=True)
class Ownership(Generic[C]):
    """By line of a content: its owner so far, and the hash that it had before it was formatted, where that is known."""

    owners: list[C | None]
    roots: list[bytes | None]


@dataclass(frozen=True, slots=True)
class LineOwners(Generic[C]):
    """The lines of one content. Not `is_whole`: further lines may follow, of which nothing is known."""

    cells: list[Cell[C]]
    is_whole: bool

    def owned(self, count: int) -> Ownership[C] | None:
        """What is known of `count` lines; None if the content can't have so many."""
        missing = count - len(self.cells)
        if missing < 0 or (missing and self.is_whole):
            return None
        unknown: Cell[C] = (None, None, None)
        cells = self.cells + [unknown] * missing
        return Ownership([owner for owner, _, _ in cells], [root for _, _, root in cells])


class VersionGraph(Generic[C]):
    """The images of all versions of some files, made when they are asked for."""

    def __init__(self, lineages: Sequence[Lineage[C]]) -> None:
        self._lineages = lineages
        self._bases: dict[Node, Node] = {}
        self._newest: list[dict[str, Node]] = []
        for number, lineage in enumerate(lineages):
            newest: dict[str, Node] = {}
            for place, version in enumerate(lineage):
                base = version.base or newest.get(version.pre_hash or "")
                if base is not None:
                    self._bases[number, place] = base
                if version.post_hash is not None:
                    newest[version.post_hash] = (number, place)
            self._newest.append(newest)

    def find(self, lineage: int, content_hash: str | None) -> Node | None:
        """The newest version of a file with this content."""
        return None if content_hash is None else self._newest[lineage].get(content_hash)

    def base(self, node: Node) -> Node | None:
        """The version that left what this one builds on."""
        return self._bases.get(node)

    def leads_to(self, node: Node, goal: Node) -> bool:
        """Whether lines of `goal` can be in the image of `node`."""
        return goal in self._order((node,))

    def is_gap(self, node: Node) -> bool:
        """Whether a version builds on a content that no record left."""
        return self._version(node).pre_hash is not None and node not in self._bases

    def heads(self, lineage: int) -> list[Node]:
        """The versions that nothing was built on, newest first."""
        versions = self._lineages[lineage]
        built_on = {self._bases.get((lineage, place)) for place, version in enumerate(versions) if version.post_hash}
        places = range(len(versions) - 1, -1, -1)
        return [(lineage, place) for place in places if versions[place].post_hash and (lineage, place) not in built_on]

    def build(self, wanted: Iterable[Node]) -> dict[Node, LineOwners[C]]:
        """The images of these versions; a version that contradicts its own hashes has none."""
        goal = set(wanted)
        order = self._order(goal)
        uses = Counter(need for node in order for need in self._needs(node))
        made: dict[Node, LineOwners[C] | None] = {}
        for node in order:
            made[node] = self._step(node, made)
            for need in self._needs(node):
                uses[need] -= 1
                if not uses[need] and need not in goal:
                    made.pop(need, None)
        return {node: image for node in goal if (image := made[node]) is not None}

    def _version(self, node: Node) -> FileVersion[C]:
        return self._lineages[node[0]][node[1]]

    def _needs(self, node: Node) -> Iterator[Node]:
        if node in self._bases:
            yield self._bases[node]
        for origin in self._version(node).origins:
            source = self._version(node).others.get(origin.path or "")
            if source is not None:
                yield source

    def _order(self, goal: Iterable[Node]) -> list[Node]:
        """All that must be built, each after what it needs. Without recursion: there may be any number of records."""
        order: list[Node] = []
        seen: set[Node] = set()
        stack = [(node, False) for node in goal]
        while stack:
            node, is_ready = stack.pop()
            if is_ready:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack += ((need, False) for need in self._needs(node) if need not in seen)
        return order

    def _step(self, node: Node, made: Mapping[Node, LineOwners[C] | None]) -> LineOwners[C] | None:
        version = self._version(node)
        base: LineOwners[C] | None = None
        if version.hunks is not None and node in self._bases:
            base = made.get(self._bases[node])
        if base is None:
            base = LineOwners([], is_whole=version.hunks is not None and version.pre_hash is None)
        cells = _carried(base, version.hunks or ())
        if cells is None or not _claim(cells, version.claims, base.is_whole):
            return None
        for origin in version.origins:
            source = version.others.get(origin.path or "")
            known = base if origin.path is None else None if source is None else made.get(source)
            _inherit(cells, [] if known is None else known.cells, origin)
        return LineOwners(cells, base.is_whole)


def _carried(base: LineOwners[C], hunks: Sequence[Hunk]) -> list[Cell[C]] | None:
    """The lines after the hunks; None if they can't be of this content: not in order, not apart, not inside it."""
    done = 0
    for hunk in hunks:
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        if start < done or hunk.old_lines < 0 or hunk.new_lines < 0:
            return None
        done = start + hunk.old_lines
    count = len(base.cells) if base.is_whole else max(done, len(base.cells))
    if done > count or count + sum(hunk.new_lines for hunk in hunks) > MAX_LINES:
        return None
    unknown: Cell[C] = (None, None, None)
    return carry(base.cells + [unknown] * (count - len(base.cells)), hunks, unknown)


def _claim(cells: list[Cell[C]], claims: Iterable[AuthoredRange[C]], is_whole: bool) -> bool:
    """Give the lines to whoever claims them; False if there are no such lines."""
    for claim in claims:
        start, end = claim.where.start_line, claim.where.end_line
        if end > len(cells):
            if is_whole or end > MAX_LINES:
                return False
            cells += [(None, None, None)] * (end - len(cells))
        hashes = split_hashes(claim.where.line_hashes, end - start + 1)
        if hashes is None:
            cells[start - 1 : end] = [(claim.owner, None, None)] * (end - start + 1)
        else:
            cells[start - 1 : end] = [(claim.owner, hash_, None) for hash_ in hashes]
    return True


def _inherit(cells: list[Cell[C]], old: Sequence[Cell[C]], origin: Origin) -> None:
    """Give the lines to whoever wrote what they come from."""
    if origin.end_line > len(cells):
        return
    first, last = origin.old_start_line - 1, origin.old_end_line
    told = split_hashes(origin.old_line_hashes, last - first) or []
    lines = range(origin.start_line - 1, origin.end_line)
    if len(lines) == last - first:
        for index, at in zip(lines, range(first, last), strict=True):
            owner, root = _whose(old[at : at + 1], told[at - first : at - first + 1])
            cells[index] = (owner, cells[index][1], root)
    else:
        owner, root = _whose(old[first:last], told)
        cells[lines.start : lines.stop] = [(owner, hash_, root) for _, hash_, _ in cells[lines.start : lines.stop]]


def _whose(sources: Sequence[Cell[C]], told: Iterable[bytes]) -> tuple[C | None, bytes | None]:
    """Who wrote most of the lines; where nobody is known, the hash of the first, from the image or else the record."""
    owners = Counter(owner for owner, _, _ in sources if owner is not None).most_common(1)
    if owners:
        return owners[0][0], None
    roots = (root or hash_ for _, hash_, root in sources)
    return None, next((hash_ for hash_ in (*roots, *told) if hash_ not in (None, OMITTED)), None)
