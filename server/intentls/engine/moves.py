"""A block that was cut in one file and pasted into another by two edits, each of which is a record of its own.

Whoever pasted it claims it. It stays with whoever wrote it if an earlier record wrote the same elsewhere, where it is
gone now: what still stands there was copied, and a copy is the copier's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from intentls.core.foreign import Record
from intentls.core.images import Images, Node
from intentls.core.line_hashes import MOST_LINES, apart, bare_lines, is_telling, line_hash
from intentls.core.origins import Origin
from intentls.core.text import Hunk
from intentls.engine.lineages import MADE, Book, Owner, hunks_of
from intentls.engine.wanted_lines import WantedLines, removed_by, writes

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
    for pasted in islice(_pasted(book, wanted, content, owners), _MOST_ASKED):
        wanted.followed.add((pasted.entry, pasted.hashes[pasted.at]))
        found |= _follow(book, wanted, pasted)
    return found


def _pasted(book: Book, wanted: WantedLines, content: bytes, owners: Sequence[Owner | None]) -> Iterator[_Pasted]:
    """For each record that wrote three lines or more in a row, a telling line that still stands, the newest first."""
    best: dict[int, tuple[int, bytes]] = {}
    blocks = {entry: _has_block(book, entry) for entry in {owner[0] for owner in owners if owner is not None}}
    for owner, line in zip(owners, bare_lines(content), strict=True):
        if owner is not None and blocks[owner[0]] and is_telling(line):
            hash_ = line_hash(line)
            if (owner[0], hash_) not in wanted.followed:
                best[owner[0]] = max(best.get(owner[0], (0, b"")), (len(line), hash_))
    found = (_claimed(book, entry, hash_) for entry, (_, hash_) in sorted(best.items(), reverse=True))
    return (pasted for pasted in found if pasted is not None)


def _has_block(book: Book, entry: int) -> bool:
    node = book.place(entry)
    claims = () if node is None else book.lineages[node[0]][node[1]].claims
    return any(claim.where.end_line - claim.where.start_line + 1 >= _FEWEST_LINES for claim in claims)


def _claimed(book: Book, entry: int, hash_: bytes) -> _Pasted | None:
    node = book.place(entry)
    if node is None:
        return None
    for claim in book.lineages[node[0]][node[1]].claims:
        count = claim.where.end_line - claim.where.start_line + 1
        hashes = apart(claim.where.line_hashes, count) or []
        if count >= _FEWEST_LINES and hash_ in hashes:
            return _Pasted(node, entry, claim.where.start_line, hashes, hashes.index(hash_))
    return None


def _follow(book: Book, wanted: WantedLines, pasted: _Pasted) -> bool:
    mine, hash_ = book.paths[pasted.node[0]], pasted.hashes[pasted.at]
    is_older = False
    for record, file in wanted.mentions(hash_):
        path = str(file["path"])
        if record.get("id") == book.entries[pasted.entry][0].get("id"):
            is_older = True
        elif path != mine and ((is_older and path == book.paths[0]) or hash_ not in wanted.now_in(path)):
            is_written = writes(file, hash_)
            is_cut = hash_ in removed_by(file) and not is_written and _join_cut(book, pasted, record, file)
            if is_cut or (is_older and is_written and _join_written(book, pasted, path)):
                return True
    return False


def _join_cut(book: Book, pasted: _Pasted, record: Record, file: Record) -> bool:
    """Say that the lines are those that a record removed elsewhere."""
    path = str(file["path"])
    gone, numbers = removed_by(file), [line for hunk in hunks_of(file) or () for line in _old_lines(hunk)]
    if len(gone) != len(numbers) or book.add(path) is None:
        return False
    book.settle()
    node = book.find(path, record)
    images = Images(book.lineages)
    base = None if node is None else images.base(node)
    if base is not None and images.leads_to(base, pasted.node):
        return False
    found = _same(pasted, gone)
    return found is not None and _join(book, pasted, found, numbers[found[2]], base)


def _old_lines(hunk: Hunk) -> range:
    return range(hunk.old_start, hunk.old_start + min(hunk.old_lines, MOST_LINES))


def _join_written(book: Book, pasted: _Pasted, path: str) -> bool:
    """Say that the lines are those of the last version of another file that had them."""
    number = book.add(path)
    if number is None:
        return False
    book.settle()
    images = Images(book.lineages)
    last = len(book.lineages[number]) - 1
    nodes = [(number, place) for place in range(last, max(-1, last - _MOST_VERSIONS), -1)]
    nodes = [node for node in nodes if not images.leads_to(node, pasted.node)]
    built = images.build(nodes)
    for node in nodes:
        there = [hash_ or b"" for _, hash_, _ in built[node].cells] if node in built else []
        if pasted.hashes[pasted.at] in there:
            found = _same(pasted, there)
            return found is not None and _join(book, pasted, found, found[2] + 1, node)
    return False


def _same(pasted: _Pasted, there: Sequence[bytes]) -> tuple[int, int, int] | None:
    """The first and last of the lines around the one that was found that are the same in `there`, and from where on.

    None if they are too few, or could as well stand at another place.
    """
    counts = Counter(there)
    offset = there.index(pasted.hashes[pasted.at]) - pasted.at
    start = end = pasted.at
    while start > 0 and start + offset > 0 and pasted.hashes[start - 1] == there[start - 1 + offset]:
        start -= 1
    while end + 1 < min(len(pasted.hashes), len(there) - offset) and pasted.hashes[end + 1] == there[end + 1 + offset]:
        end += 1
    unique = sum(counts[pasted.hashes[at]] == 1 for at in range(start, end + 1))
    is_enough = end - start + 1 >= _FEWEST_LINES and unique >= _FEWEST_UNIQUE
    return (start, end, start + offset) if is_enough and counts[pasted.hashes[pasted.at]] == 1 else None


def _join(book: Book, pasted: _Pasted, found: tuple[int, int, int], old_line: int, source: Node | None) -> bool:
    """Write down where the lines come from; from a version that nobody recorded, if `source` is None."""
    start, end, _ = found
    number, place = pasted.node
    version = book.lineages[number][place]
    name, first = f"{MADE}{len(version.origins)}", pasted.start_line
    origin = Origin(first + start, first + end, old_line, old_line + end - start, name)
    others = version.others if source is None else {**version.others, name: source}
    book.lineages[number][place] = replace(version, origins=(*version.origins, origin), others=others)
    return True
