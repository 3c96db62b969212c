"""A block that was cut in one file and pasted into another by two edits, each of which is a record of its own.

Whoever pasted it claims it. It stays with whoever wrote it if an earlier record wrote the same elsewhere, where it is
gone now: what still stands there was copied, and a copy is the copier's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from intentls.core.images import Image, Images, Node
from intentls.core.line_hashes import apart, bare_lines, is_telling, line_hash
from intentls.core.origins import Origin
from intentls.engine.lineages import Book, Owner
from intentls.engine.wanted_lines import WantedLines

_MOST_ASKED = 12  # lines that are looked for
_MOST_VERSIONS = 200
_FEWEST_LINES, _FEWEST_UNIQUE = 3, 2


@dataclass(frozen=True, slots=True)
class _Pasted:
    """Lines of a version's claim from `start_line` on, one of which is looked for, at `at` in `hashes`."""

    node: Node
    entry: int
    start_line: int
    hashes: Sequence[bytes]
    at: int


def follow_moves(book: Book, wanted: WantedLines, content: bytes, owners: Sequence[Owner | None]) -> bool:
    """Let `book` say where blocks came from that were moved by two edits. True if it says more now."""
    found = False
    for pasted in _pasted(book, wanted, content, owners)[:_MOST_ASKED]:
        found |= _follow(book, wanted, pasted)
    return found


def _pasted(book: Book, wanted: WantedLines, content: bytes, owners: Sequence[Owner | None]) -> list[_Pasted]:
    """For each record that wrote three lines or more in a row, a telling line that still stands, the newest first."""
    best: dict[int, tuple[int, bytes]] = {}
    for owner, line in zip(owners, bare_lines(content), strict=True):
        if owner is not None and is_telling(line):
            hash_ = line_hash(line)
            if wanted.is_new(hash_):
                best[owner[0]] = max(best.get(owner[0], (0, b"")), (len(line), hash_))
    found = (_claimed(book, entry, hash_) for entry, (_, hash_) in sorted(best.items(), reverse=True))
    return [pasted for pasted in found if pasted is not None]


def _claimed(book: Book, entry: int, hash_: bytes) -> _Pasted | None:
    node = book.place(entry)
    for claim in book.lineages[node[0]][node[1]].claims:
        count = claim.where.end_line - claim.where.start_line + 1
        hashes = apart(claim.where.line_hashes, count) or []
        if count >= _FEWEST_LINES and hash_ in hashes:
            return _Pasted(node, entry, claim.where.start_line, hashes, hashes.index(hash_))
    return None


def _follow(book: Book, wanted: WantedLines, pasted: _Pasted) -> bool:
    hash_, mine = pasted.hashes[pasted.at], book.paths[pasted.node[0]]
    for path in _earlier(book, wanted, pasted, hash_):
        is_gone = path == book.paths[0] or hash_ not in wanted.now_in(path)
        number = book.add(path) if path != mine and is_gone else None
        if number is None:
            continue
        book.settle()
        source = _newest_with(book, number, hash_, pasted)
        if source is not None and _join(book, pasted, *source):
            return True
    return False


def _earlier(book: Book, wanted: WantedLines, pasted: _Pasted, hash_: bytes) -> Iterator[str]:
    """The files in which the line was written before."""
    is_earlier = False
    for record, path in wanted.writers(hash_):
        if is_earlier:
            yield path
        is_earlier = is_earlier or record.get("id") == book.entries[pasted.entry][0].get("id")


def _newest_with(book: Book, number: int, hash_: bytes, pasted: _Pasted) -> tuple[Node, Image[Owner]] | None:
    """The last version of another file that has the line."""
    last = len(book.lineages[number]) - 1
    nodes = [(number, place) for place in range(last, max(-1, last - _MOST_VERSIONS), -1)]
    images = Images(book.lineages)
    nodes = [node for node in nodes if not images.leads_to(node, pasted.node)]
    built = images.build(nodes)
    for node in nodes:
        if node in built and any(known == hash_ and owner is not None for owner, known, _ in built[node].cells):
            return node, built[node]
    return None


def _join(book: Book, pasted: _Pasted, node: Node, image: Image[Owner]) -> bool:
    """Say that the lines around the one that was found are those of `node`, if there are enough."""
    there = [hash_ for _, hash_, _ in image.cells]
    counts = Counter(there)
    place = there.index(pasted.hashes[pasted.at])
    if counts[there[place]] != 1:
        return False
    offset = place - pasted.at
    start = end = pasted.at
    while start > 0 and start + offset > 0 and pasted.hashes[start - 1] == there[start - 1 + offset]:
        start -= 1
    while end + 1 < min(len(pasted.hashes), len(there) - offset) and pasted.hashes[end + 1] == there[end + 1 + offset]:
        end += 1
    unique = sum(counts[pasted.hashes[at]] == 1 for at in range(start, end + 1))
    if end - start + 1 < _FEWEST_LINES or unique < _FEWEST_UNIQUE:
        return False
    number, at = pasted.node
    version = book.lineages[number][at]
    name = f"\0{len(version.others)}"
    first = pasted.start_line
    origin = Origin(first + start, first + end, start + offset + 1, end + offset + 1, name)
    origins, others = (*version.origins, origin), {**version.others, name: node}
    book.lineages[number][at] = replace(version, origins=origins, others=others)
    return True
