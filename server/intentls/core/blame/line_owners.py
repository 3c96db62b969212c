"""Who wrote each line of a content: a pure function of the known versions and the content. It never guesses.

If a record left exactly this content, its version's line owners are the answer. Lines without an owner are then looked
for by their hashes: in the newest versions, in the versions that wrote such a line, and in the files that lost lines
without a record. Claims without line hashes are found again only as whole blocks.

A file of five lines, two records, and an edit that no record saw:

    1  Ada writes    `one() two() three() four() five()`
    2  Ben writes    `one() TWO() three() four() five()`
    content          `one() TWO() three() new() five()`

No record left this content, so it is compared with the tip, which is version 2 with the owners Ada Ben Ada Ada Ada.
`one() TWO() three()` and `five()` are there in the same order and keep their owners. `new()` is in no version, so it
has none: Ada Ben Ada None Ada.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from itertools import groupby
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.blame.line_alignment import HashedText, Kinship, align
from intentls.core.blame.version_graph import AuthoredRange, FileVersion, LineOwners, Ownership, VersionGraph, VersionId
from intentls.core.hashing import content_hash, hash_of
from intentls.core.text.line_hashes import bare_lines, is_unlikely_twice, split_hashes
from intentls.core.text.lines import split_lines

C = TypeVar("C")

_MAX_TIPS = 8  # versions that are compared with the content, line by line
_MAX_WRITERS = 24  # and versions that wrote a line which is still looked for


class BlamedText:
    """A content, and what blame needs to know of its lines: each computed when it is first needed."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    @cached_property
    def lines(self) -> list[bytes]:
        """With their ends."""
        return split_lines(self.content)

    @cached_property
    def bare_lines(self) -> list[bytes]:
        """Without their ends."""
        return bare_lines(self.content)

    @cached_property
    def hashed(self) -> HashedText:
        """Their hashes."""
        return HashedText.of(self.bare_lines)

    @cached_property
    def unlikely_twice(self) -> list[bool]:
        """Whether each line would hardly be written twice by chance."""
        return list(map(is_unlikely_twice, self.bare_lines))


class SearchedFile(Struct, frozen=True):
    """Another file of the graph, by number, that may have lost lines to this one unseen.

    `current_hashes` are those of the lines it has now: a line that is in both files is a copy or chance, and stays
    without an owner. `is_named`: a record of the blamed file says that it moved lines from there.
    """

    number: int
    current_hashes: Set[bytes]
    is_named: bool = False


class BlameHistory(Struct, Generic[C], frozen=True, dict=True):
    """All that is known when a content is blamed; the content's own file is the first of `graph`.

    `imported_claims` are other programs' claims and attested ones, oldest first. They get only lines that have no owner
    otherwise, where their content hashes fit, or the hashes of lines of a block that was broken up.
    """

    graph: VersionGraph[C]
    imported_claims: tuple[AuthoredRange[C], ...] = ()
    searched_files: tuple[SearchedFile, ...] = ()


class Blame(Struct, Generic[C], frozen=True, dict=True):
    """The answer, and what it was made from.

    `is_exact`: a record left this content, and nothing happened between the records that no record tells of.
    """

    history: BlameHistory[C]
    text: BlamedText
    ownership: Ownership[C]
    is_exact: bool

    @property
    def owners(self) -> list[C | None]:
        """By line; None for lines that no record covers."""
        return self.ownership.owners


def blame(history: BlameHistory[C], content: bytes, earlier: Blame[C] | None = None) -> Blame[C]:
    """The owner of each line of `content`.

    `earlier` is the answer for an earlier history of the same content: what only adds to that one is not computed
    again. The answer is the same without it.
    """
    text = BlamedText(content) if earlier is None else earlier.text
    if earlier is not None and history.graph.continues(earlier.history.graph):
        ownership = earlier.ownership.copy()
        is_exact, searched = earlier.is_exact, len(earlier.history.searched_files)
    else:
        ownership, is_exact = _own_lines(history, text)
        searched = 0
    for file in history.searched_files[searched:]:
        _take_lost_lines(history.graph, file, text, ownership)
    return Blame(history, text, ownership, is_exact)


def _own_lines(history: BlameHistory[C], text: BlamedText) -> tuple[Ownership[C], bool]:
    """What the versions of the file itself say, and the versions that they took lines from."""
    graph, count = history.graph, len(text.lines)
    exact_id = graph.find(0, hash_of(text.content))
    version = None if exact_id is None else graph.build((exact_id,)).get(exact_id)
    exact = None if version is None else version.ownership(count)
    ownership: Ownership[C] = exact or Ownership.unknown(count)
    # If nothing is missing between the records, a line without owner was there before the first of them.
    has_gap = any(file_version.base is not None for file_version in graph.files[0]) or any(
        graph.is_gap((0, place)) for place in range(1, len(graph.files[0]))
    )
    if exact is None or has_gap:
        weights = [
            is_telling << is_moved for is_telling, is_moved in zip(text.unlikely_twice, ownership.moved, strict=True)
        ]
        kinships = (Kinship.LATEST, Kinship.EARLIER)
        _search(graph, 0, text.hashed, ownership, weights, kinships, without=exact_id)
        claims = (claim for file_version in graph.files[0] for claim in file_version.claims)
        _find_blocks(text.lines, [claim for claim in claims if _hashes(claim) is None], ownership.owners)
    for claim in _find_blocks(text.lines, history.imported_claims, ownership.owners):
        hashes = _hashes(claim)
        if hashes is not None:
            block = LineOwners([(claim.owner, hash_, None) for hash_ in hashes], is_whole=False)
            align(text.hashed, block, ownership, text.unlikely_twice, Kinship.LATEST)
    return ownership, exact is not None and not has_gap


def _take_lost_lines(graph: VersionGraph[C], file: SearchedFile, text: BlamedText, ownership: Ownership[C]) -> None:
    """Give lines that another file lost to their owners there, one run of consecutive lines at a time.

    A run is part of a block, which two different lines prove that would hardly be written twice and that the other file
    has no more; a line alone, equal or not, has no owner. See `core.blame.line_alignment`.
    """
    if None not in ownership.owners:
        return
    hashed = text.hashed.as_before(ownership.roots)
    there = replace(ownership, owners=[None] * len(text.lines))
    lost = [
        owner is None and is_telling and hash_ not in file.current_hashes
        for owner, is_telling, hash_ in zip(ownership.owners, text.unlikely_twice, hashed.hashes, strict=True)
    ]
    weights = [is_lost << (is_moved and file.is_named) for is_lost, is_moved in zip(lost, ownership.moved, strict=True)]
    kinship = Kinship.OTHER if file.current_hashes else Kinship.RENAMED
    _search(graph, file.number, hashed, there, weights, (kinship, kinship))
    new = [
        index
        for index, (owner, other) in enumerate(zip(ownership.owners, there.owners, strict=True))
        if owner is None and other is not None
    ]
    for run in _runs(new):
        if any(lost[index] for index in run):
            for index in run:
                if not hashed.distinctive[index] or hashed.hashes[index] not in file.current_hashes:
                    ownership.owners[index] = there.owners[index]


def _runs(indexes: Sequence[int]) -> Iterator[list[int]]:
    for _, group in groupby(enumerate(indexes), key=lambda pair: pair[1] - pair[0]):
        yield [index for _, index in group]


def _search(
    graph: VersionGraph[C],
    file: int,
    text: HashedText,
    ownership: Ownership[C],
    weights: Sequence[int],
    kinships: tuple[Kinship, Kinship],
    without: VersionId | None = None,
) -> None:
    """Fill in the owners, by one file's history, of lines that have none yet: those of the newest versions first.

    `weights`: see `align`. `kinships` are those of the newest versions, and of the others.
    """
    tips = [id_ for id_ in graph.tips(file) if id_ != without][:_MAX_TIPS]
    _align_all(graph, tips, text, ownership, weights, kinships[0])
    writers = _writers(graph, file, text.as_before(ownership.roots), ownership.owners)
    writers = [id_ for id_ in writers if id_ != without]
    _align_all(graph, writers, text, ownership, weights, kinships[1])


def _align_all(
    graph: VersionGraph[C],
    ids: Sequence[VersionId],
    text: HashedText,
    ownership: Ownership[C],
    weights: Sequence[int],
    kinship: Kinship,
) -> None:
    built = graph.build(ids)
    for id_ in ids:
        if id_ in built and None in ownership.owners:
            align(text.as_before(ownership.roots), built[id_], ownership, weights, kinship)


def _writers(graph: VersionGraph[C], file: int, text: HashedText, owners: Sequence[C | None]) -> list[VersionId]:
    """The newest versions that wrote lines which have no owner yet."""
    lost = {
        hash_
        for hash_, owner, is_distinctive in zip(text.hashes, owners, text.distinctive, strict=True)
        if owner is None and is_distinctive
    }
    ids: list[VersionId] = []
    for place in range(len(graph.files[file]) - 1, -1, -1):
        if not lost or len(ids) == _MAX_WRITERS:
            break
        claimed, new = _claimed_hashes(graph.files[file][place])
        if lost & claimed:
            lost -= new  # a line that was only moved or formatted here has an older writer, who is looked for further
            ids.append((file, place))
    return ids


def _claimed_hashes(version: FileVersion[C]) -> tuple[set[bytes], set[bytes]]:
    """The hashes of all lines that a version claims, and of those among them that have no origin."""
    claimed: set[bytes] = set()
    new: set[bytes] = set()
    for claim in version.claims:
        hashes, first = _hashes(claim) or [], claim.where.start_line
        has_origin = bytearray(len(hashes))
        for origin in version.origins:
            start, end = (min(max(line - first, 0), len(hashes)) for line in (origin.start_line, origin.end_line + 1))
            has_origin[start:end] = b"\1" * (end - start)
        claimed.update(hashes)
        new.update(hash_ for hash_, is_old in zip(hashes, has_origin, strict=True) if not is_old)
    return claimed, new


def _hashes(claim: AuthoredRange[C]) -> list[bytes] | None:
    return split_hashes(claim.where.line_hashes, claim.where.end_line - claim.where.start_line + 1)


def _find_blocks(
    lines: Sequence[bytes], claims: Sequence[AuthoredRange[C]], owners: list[C | None]
) -> list[AuthoredRange[C]]:
    """Give each claim, the newest first, its block if it is found whole in lines that have no owner yet.

    The claims whose blocks are not found, the newest first.
    """
    broken: list[AuthoredRange[C]] = []
    starts: dict[int, dict[str, list[int]]] = {}  # by length and content hash, where such a block begins
    for claim in reversed(claims):
        length = claim.where.end_line - claim.where.start_line + 1
        if length not in starts:
            starts[length] = {}
            for start in range(len(lines) - length + 1):
                hash_ = content_hash(b"".join(lines[start : start + length]))
                starts[length].setdefault(hash_, []).append(start)
        free = [
            start
            for start in starts[length].get(claim.where.content_hash, ())
            if all(owner is None for owner in owners[start : start + length])
        ]
        if free:
            nearest = min(free, key=lambda start: abs(start + 1 - claim.where.start_line))
            owners[nearest : nearest + length] = [claim.owner] * length
        else:
            broken.append(claim)
    return broken
