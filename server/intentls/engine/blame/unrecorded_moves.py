"""Lines that stood in another file before, which was renamed, or lost them, without anybody seeing it.

They are looked for in the ledger by their hashes, and taken for moved only if the other file has them no more: what
stands in both is a copy, or chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from intentls.core.blame.line_alignment import HashedText
from intentls.core.blame.line_owners import search
from intentls.core.blame.version_graph import Ownership, VersionGraph
from intentls.core.text.line_hashes import bare_lines, is_unlikely_twice
from intentls.engine.blame.line_lookup import LineSearch, writes
from intentls.engine.blame.record_history import Histories, Owner

_MOST_ROUNDS = 8
_MOST_ASKED = 8  # lines that are looked for in a round
_OF_EACH = 2  # stretch


def fill_from_elsewhere(book: Histories, wanted: LineSearch, content: bytes, owned: Ownership[Owner]) -> None:
    """Give lines that are nobody's to whoever wrote them in another file, from which they came unseen."""
    if None not in owned.owners:
        return
    here = _UnownedLines(book, wanted, content, owned)
    filled = 1
    for left in range(_MOST_ROUNDS, -1, -1):
        images = VersionGraph(book.lineages)
        for number in range(filled, len(book.paths)):
            here.fill_from(images, number)
        filled = len(book.paths)
        asked = here.to_ask() if left else []
        wanted.unowned.update(asked)
        if not asked:
            return
        for path in here.paths_with(asked):
            book.add(path)
        book.settle()


class _UnownedLines:
    def __init__(self, book: Histories, wanted: LineSearch, content: bytes, owned: Ownership[Owner]) -> None:
        self._book, self._wanted, self._owned = book, wanted, owned
        self._lines = bare_lines(content)
        self._plain = HashedText.of(content)
        self._telling = [is_unlikely_twice(line) for line in self._lines]

    @property
    def _text(self) -> HashedText:
        return self._plain.as_before(self._owned.roots)

    def paths_with(self, asked: Sequence[bytes]) -> list[str]:
        """Other files in which somebody wrote these lines."""
        found = [
            str(file["path"]) for hash_ in asked for _, file in self._wanted.mentions(hash_) if writes(file, hash_)
        ]
        return [path for path in dict.fromkeys(found) if path not in self._book.paths]

    def to_ask(self) -> list[bytes]:
        """The longest of the telling lines, two of each stretch that is nobody's."""
        text = self._text
        best: list[tuple[int, bytes]] = []
        for owner, stretch in groupby(range(len(self._lines)), key=lambda at: self._owned.owners[at]):
            if owner is None:
                open_ = [at for at in stretch if self._telling[at] and text.hashes[at] not in self._wanted.unowned]
                best += sorted({(len(self._lines[at]), text.hashes[at]) for at in open_}, reverse=True)[:_OF_EACH]
        return [hash_ for _, hash_ in sorted(best, reverse=True)[:_MOST_ASKED]]

    def fill_from(self, images: VersionGraph[Owner], number: int) -> None:
        """Take from another file what it lost. A stretch needs a telling line."""
        if None not in self._owned.owners or not self._book.paths[number]:
            return
        text = self._text
        there = self._wanted.now_in(self._book.paths[number])
        found: Ownership[Owner] = Ownership([None] * len(self._lines), list(self._owned.roots))
        search(images, number, self._book.lineages[number], text, found)
        self._owned.roots[:] = found.roots
        for stretch in _runs(self._new(found.owners)):
            if not any(self._telling[at] and text.hashes[at] not in there for at in stretch):
                continue
            for at in stretch:
                if not text.distinctive[at] or text.hashes[at] not in there:
                    self._owned.owners[at] = found.owners[at]

    def _new(self, found: Sequence[Owner | None]) -> list[int]:
        return [at for at, owner in enumerate(found) if owner is not None and self._owned.owners[at] is None]


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    for _, group in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        yield [number for _, number in group]
