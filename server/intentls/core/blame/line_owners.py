"""Whose each line is, from the ledger's records and the content alone. Never a guess.

Where a record left exactly this content, its image says whose each line is. Other lines are looked for by their
hashes in the newest images, then in the images of whatever record wrote such a line; claims without hashes of their
lines are found again only as whole blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from intentls.core.blame.line_alignment import HashedText, align
from intentls.core.blame.version_graph import (
    AuthoredRange,
    FileVersion,
    Lineage,
    LineOwners,
    Node,
    Ownership,
    VersionGraph,
)
from intentls.core.hashing import content_hash, hash_of
from intentls.core.text.line_hashes import split_hashes
from intentls.core.text.lines import split_lines

C = TypeVar("C")

_MOST_HEADS = 8  # images that are compared with the content, line by line
_MOST_SOURCES = 24


@dataclass(slots=True)
class Blame(Generic[C]):
    """What is known of every line; `is_exact` where a record left this content, and all before it is known."""

    owned: Ownership[C]
    is_exact: bool


def blame(
    versions: Iterable[FileVersion[C]], content: bytes, foreign: Sequence[AuthoredRange[C]] = ()
) -> list[C | None]:
    """One owner a line of `content`; None for lines that nobody recorded. `versions`: oldest first.

    `foreign` are claims of other programs, oldest first. They get only lines that are nobody's otherwise, and only
    where their content hashes fit.
    """
    return blame_within([list(versions)], content, foreign).owned.owners


def blame_within(lineages: Sequence[Lineage[C]], content: bytes, foreign: Sequence[AuthoredRange[C]] = ()) -> Blame[C]:
    """As `blame`, of the first lineage; the others are the files that lines came from."""
    lines = split_lines(content)
    images = VersionGraph(lineages)
    exact = images.find(0, hash_of(content))
    image = None if exact is None else images.build((exact,)).get(exact)
    found = None if image is None else image.owned(len(lines))
    owned: Ownership[C] = found or Ownership([None] * len(lines), [None] * len(lines))
    # Lines that were there when the first record was made are nobody's: nothing older could know them.
    has_gap = _has_gap(images, lineages[0])
    if found is None or has_gap:
        search(images, 0, lineages[0], HashedText.of(content), owned, without=exact)
        bare = [claim for version in lineages[0] for claim in version.claims if _hashes(claim) is None]
        owned.owners = _blocks(lines, bare, owned.owners)
    owned.owners = _blocks(lines, foreign, owned.owners)
    return Blame(owned, found is not None and not has_gap)


def search(
    images: VersionGraph[C],
    number: int,
    lineage: Lineage[C],
    text: HashedText,
    owned: Ownership[C],
    without: Node | None = None,
) -> None:
    """Fill in the owners, in one lineage, of lines that have none yet: those of the newest images first."""
    heads = [node for node in images.heads(number) if node != without][:_MOST_HEADS]
    _align_all(images, heads, text, owned)
    sources = _sources(number, lineage, text.as_before(owned.roots), owned.owners)
    _align_all(images, [node for node in sources if node != without], text, owned)


def _align_all(images: VersionGraph[C], nodes: Sequence[Node], text: HashedText, owned: Ownership[C]) -> None:
    built: dict[Node, LineOwners[C]] = images.build(nodes)
    for node in nodes:
        if node in built and None in owned.owners:
            align(text.as_before(owned.roots), built[node], owned)


def _sources(number: int, lineage: Lineage[C], text: HashedText, owners: Sequence[C | None]) -> list[Node]:
    """The newest versions that wrote lines which are nobody's yet."""
    lost = {
        hash_
        for hash_, owner, is_distinctive in zip(text.hashes, owners, text.distinctive, strict=True)
        if owner is None and is_distinctive
    }
    found: list[Node] = []
    for place in range(len(lineage) - 1, -1, -1):
        if not lost or len(found) == _MOST_SOURCES:
            break
        written, new = _written(lineage[place])
        if lost & written:
            lost -= new  # whoever only moved or formatted a line is not the last to be asked
            found.append((number, place))
    return found


def _written(version: FileVersion[C]) -> tuple[set[bytes], set[bytes]]:
    """The hashes of all lines that a version claims, and of those among them that come from nowhere else."""
    every: set[bytes] = set()
    new: set[bytes] = set()
    for claim in version.claims:
        hashes, first = _hashes(claim) or [], claim.where.start_line
        is_old = bytearray(len(hashes))
        for origin in version.origins:
            start, end = (min(max(at - first, 0), len(hashes)) for at in (origin.start_line, origin.end_line + 1))
            is_old[start:end] = b"\1" * (end - start)
        every.update(hashes)
        new.update(hash_ for hash_, old in zip(hashes, is_old, strict=True) if not old)
    return every, new


def _hashes(claim: AuthoredRange[C]) -> list[bytes] | None:
    return split_hashes(claim.where.line_hashes, claim.where.end_line - claim.where.start_line + 1)


def _has_gap(images: VersionGraph[C], lineage: Lineage[C]) -> bool:
    """Whether something happened between two records, or before the content, that no record tells."""
    return any(version.base is not None for version in lineage) or any(
        images.is_gap((0, place)) for place in range(1, len(lineage))
    )


def _blocks(lines: Sequence[bytes], claims: Sequence[AuthoredRange[C]], known: Sequence[C | None]) -> list[C | None]:
    """The newest claims first, each wherever its whole block stands in lines that nobody newer claimed."""
    owners = list(known)
    taken = [owner is not None for owner in known]
    windows: dict[int, dict[str, list[int]]] = {}
    for claim in reversed(claims):
        length = claim.where.end_line - claim.where.start_line + 1
        if length not in windows:
            windows[length] = _windows(lines, length)
        places = [
            start
            for start in windows[length].get(claim.where.content_hash, ())
            if not any(taken[start : start + length])
        ]
        if not places:
            continue
        nearest = min(places, key=lambda start: abs(start + 1 - claim.where.start_line))
        for index in range(nearest, nearest + length):
            owners[index], taken[index] = claim.owner, True
    return owners


def _windows(lines: Sequence[bytes], length: int) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for start in range(len(lines) - length + 1):
        found.setdefault(content_hash(b"".join(lines[start : start + length])), []).append(start)
    return found
