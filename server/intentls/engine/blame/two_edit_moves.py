"""A block that was cut in one file and pasted into another by two edits, each of which is a record of its own.

Whoever pasted it claims it. It stays with whoever wrote it if an earlier record wrote the same elsewhere, where it is
gone now: what still stands there was copied, and a copy is the copier's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import dropwhile, islice

from intentls.core.blame.moved_lines import Origin
from intentls.core.blame.version_graph import Node, VersionGraph
from intentls.core.text.line_hashes import MAX_LINES, OMITTED, bare_lines, is_unlikely_twice, line_hash, split_hashes
from intentls.core.text.lines import Hunk
from intentls.core.untrusted_json import Record
from intentls.engine.blame.line_lookup import LineSearch, removed_by, writes
from intentls.engine.blame.record_history import MADE, Histories, Owner, hunks_of

_MOST_ASKED = 12  # lines that are looked for
_MOST_VERSIONS = 200
_FEWEST_LINES, _FEWEST_UNIQUE = 3, 2


@dataclass(frozen=True, slots=True)
class _PastedBlock:
    """Lines of a version's claim from `start_line` on, one of which is looked for, at `at` in `hashes`.

    `telling` are lines, of these and others, that would hardly be written twice by chance.
    """

    node: Node
    entry: int
    start_line: int
    hashes: Sequence[bytes]
    at: int
    telling: Set[bytes]


def follow_moves(book: Histories, wanted: LineSearch, content: bytes, owners: Sequence[Owner | None]) -> bool:
    """Let `book` say where blocks came from that were moved by two edits. True if it says more now."""
    found = False
    for pasted in islice(_pasted(book, wanted, content, owners), _MOST_ASKED):
        wanted.followed.add((pasted.entry, pasted.hashes[pasted.at]))
        found |= _follow(book, wanted, pasted)
    return found


def _pasted(
    book: Histories, wanted: LineSearch, content: bytes, owners: Sequence[Owner | None]
) -> Iterator[_PastedBlock]:
    """For each record that wrote three lines or more in a row, a telling one of them, the newest first.

    Of what was formatted since, the lines that the record knew are no more.
    """
    standing: dict[int, dict[bytes, int]] = {owner[0]: {} for owner in owners if owner is not None}
    for owner, line in zip(owners, bare_lines(content), strict=True):
        if owner is not None and is_unlikely_twice(line):
            standing[owner[0]][line_hash(line)] = len(line)
    before = dict.fromkeys(_formatted(book), 0)
    before |= {
        line_hash(line): len(line) for text in book.rewritten for line in bare_lines(text) if is_unlikely_twice(line)
    }
    telling = before.keys() | {hash_ for lines in standing.values() for hash_ in lines}
    for entry, lines in sorted(standing.items(), reverse=True):
        blocks = [(start, hashes) for start, hashes in _blocks(book, entry) if len(hashes) >= _FEWEST_LINES]
        new = {hash_ for _, hashes in blocks for hash_ in hashes if (entry, hash_) not in wanted.followed}
        node, best = book.place(entry), _longest(lines, new) or _longest(before, new)
        if node is not None and best is not None:
            start, hashes = next((start, hashes) for start, hashes in blocks if best in hashes)
            yield _PastedBlock(node, entry, start, hashes, hashes.index(best), telling)


def _formatted(book: Histories) -> Iterator[bytes]:
    """The hashes that lines had before a record formatted them."""
    for version in (version for lineage in book.lineages for version in lineage):
        for origin in version.origins:
            told = split_hashes(origin.old_line_hashes, origin.old_end_line - origin.old_start_line + 1)
            yield from (hash_ for hash_ in told or () if hash_ != OMITTED)


def _longest(lines: Mapping[bytes, int], among: Set[bytes]) -> bytes | None:
    return max(lines.keys() & among, key=lambda hash_: (lines[hash_], hash_), default=None)


def _blocks(book: Histories, entry: int) -> Iterator[tuple[int, list[bytes]]]:
    """(first line, hashes) of each range that an entry claims."""
    node = book.place(entry)
    for claim in () if node is None else book.lineages[node[0]][node[1]].claims:
        count = claim.where.end_line - claim.where.start_line + 1
        yield claim.where.start_line, split_hashes(claim.where.line_hashes, count) or []


def _follow(book: Histories, wanted: LineSearch, pasted: _PastedBlock) -> bool:
    mine, hash_ = book.paths[pasted.node[0]], pasted.hashes[pasted.at]
    is_older = False
    for record, file in wanted.mentions(hash_):
        path = str(file["path"])
        if _is_own(book, pasted, record):
            is_older = True
            continue
        is_written = writes(file, hash_)
        is_cut = hash_ in removed_by(file) and not is_written
        # What stands in the file that is asked for may have gone and come back.
        came_back = path == book.paths[0] and (is_older or is_cut)
        if path != mine and (came_back or hash_ not in wanted.now_in(path)):
            if is_cut and _join_cut(book, pasted, record, file, None if is_older else wanted):
                return True
            if is_older and is_written and _join_written(book, pasted, path):
                return True
    return False


def _is_own(book: Histories, pasted: _PastedBlock, record: Record) -> bool:
    return record.get("id") == book.entries[pasted.entry][0].get("id")


def _join_cut(book: Histories, pasted: _PastedBlock, record: Record, file: Record, newer: LineSearch | None) -> bool:
    """Say that the lines are those that a record removed elsewhere.

    If that was later (`newer`), they may as well have gone from here to there: it must be known whose they were there,
    or somebody must have written them before they were pasted.
    """
    path = str(file["path"])
    gone, numbers = removed_by(file), [line for hunk in hunks_of(file) or () for line in _old_lines(hunk)]
    if len(gone) != len(numbers) or book.add(path) is None:
        return False
    book.settle()
    node = book.find(path, record)
    images = VersionGraph(book.lineages)
    base = None if node is None else images.base(node)
    if base is not None and images.leads_to(base, pasted.node):
        return False
    found = _same(pasted, gone)
    if found is None:
        return False
    is_known = base is not None and _has_owner(images, base, numbers[found[2]])
    if newer is not None and not is_known and not _was_written(book, newer, pasted, found):
        return False
    if base is None and node is not None and _join_written(book, pasted, path, before=node):
        return True
    return _join(book, pasted, found, numbers[found[2]], base)


def _has_owner(images: VersionGraph[Owner], node: Node, line: int) -> bool:
    image = images.build((node,)).get(node)
    return image is not None and line <= len(image.cells) and image.cells[line - 1][0] is not None


def _was_written(book: Histories, wanted: LineSearch, pasted: _PastedBlock, found: tuple[int, int, int]) -> bool:
    """Whether a record wrote one of the lines before they were pasted."""
    block = (hash_ for hash_ in pasted.hashes[found[0] : found[1] + 1] if hash_ in pasted.telling)
    for hash_ in islice(block, _MOST_ASKED):
        older = dropwhile(lambda mention: not _is_own(book, pasted, mention[0]), wanted.mentions(hash_))
        if any(writes(file, hash_) and not _is_own(book, pasted, record) for record, file in older):
            return True
    return False


def _old_lines(hunk: Hunk) -> range:
    return range(hunk.old_start, hunk.old_start + min(hunk.old_lines, MAX_LINES))


def _join_written(book: Histories, pasted: _PastedBlock, path: str, before: Node | None = None) -> bool:
    """Say that the lines are those of the last version of another file (`before` one of it) that had them."""
    number = book.add(path)
    if number is None:
        return False
    book.settle()
    images = VersionGraph(book.lineages)
    last = (len(book.lineages[number]) if before is None else before[1]) - 1
    nodes = [(number, place) for place in range(last, max(-1, last - _MOST_VERSIONS), -1)]
    nodes = [node for node in nodes if not images.leads_to(node, pasted.node)]
    built = images.build(nodes)
    for node in nodes:
        there = [hash_ or b"" for _, hash_, _ in built[node].cells] if node in built else []
        if pasted.hashes[pasted.at] in there:
            found = _same(pasted, there)
            return found is not None and _join(book, pasted, found, found[2] + 1, node)
    return False


def _same(pasted: _PastedBlock, there: Sequence[bytes]) -> tuple[int, int, int] | None:
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


def _join(
    book: Histories, pasted: _PastedBlock, found: tuple[int, int, int], old_line: int, source: Node | None
) -> bool:
    """Write down where the lines come from; from a version that nobody recorded, if `source` is None."""
    start, end, _ = found
    number, place = pasted.node
    version = book.lineages[number][place]
    name, first = f"{MADE}{len(version.origins)}", pasted.start_line
    origin = Origin(first + start, first + end, old_line, old_line + end - start, name)
    others = version.others if source is None else {**version.others, name: source}
    book.lineages[number][place] = replace(version, origins=(*version.origins, origin), others=others)
    return True
