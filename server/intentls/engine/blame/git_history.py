"""What git knows of versions that no record left: a hint which lines went on standing, never who wrote them."""

from __future__ import annotations

import time
from dataclasses import replace

from intentls.core.blame.version_graph import FileVersion, Node, VersionGraph
from intentls.core.change_kind import Change
from intentls.core.hashing import content_hash
from intentls.core.text.lines import is_binary
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.blame.record_history import Histories, Owner
from intentls.engine.records.file_entries import file_changes
from intentls.store.git.file_versions import Version, file_versions

_TIME_S = 2.0
_MOST_BYTES = 1024 * 1024  # of one version


def bridge(book: Histories, content: bytes) -> bool:
    """Join the content, and records that build on what no record left, to older records through git's versions.

    Versions that differ in unrecorded ways are carried from one to the next: what changed between them is nobody's,
    what was only moved or formatted stays whose it was. True if anything was joined.
    """
    versions = [v for v in file_versions(book.workspace.root, book.paths[0]) if len(v.content) <= _MOST_BYTES]
    if not versions:
        return False
    for path in dict.fromkeys(version.path for version in versions):
        book.add(path)
    book.settle()
    return _GitLinker(book, _gaps(book)).build([*versions[::-1], Version(book.paths[0], content)])


def _gaps(book: Histories) -> dict[str, list[Node]]:
    """The versions that build on a content which nobody recorded, by that content's hash."""
    images = VersionGraph(book.lineages)
    found: dict[str, list[Node]] = {}
    for number, lineage in enumerate(book.lineages):
        for place, version in enumerate(lineage):
            if images.is_gap((number, place)) and version.pre_hash is not None:
                found.setdefault(version.pre_hash, []).append((number, place))
    return found


class _GitLinker:
    def __init__(self, book: Histories, gaps: dict[str, list[Node]]) -> None:
        self._book, self._gaps = book, gaps
        self._images = VersionGraph(book.lineages)
        self._made: list[FileVersion[Owner]] = []
        self._number = len(book.lineages)
        book.add_made(self._made)
        self._until = time.monotonic() + _TIME_S

    def build(self, versions: list[Version]) -> bool:
        """Carry what is known from version to version, oldest first."""
        last: tuple[Node, Version, str] | None = None
        is_joined = False
        for version in versions:
            hash_ = content_hash(version.content)
            node = self._find(hash_)
            if node is None and last is not None:
                node = self._carried(last, version, hash_)
            if node is None or is_binary(version.content):
                continue
            is_joined |= self._join(hash_, node)
            last = node, version, hash_
        if last is not None and last[0][0] != 0 and last[1] is versions[-1]:
            self._book.lineages[0].append(FileVersion(last[2], last[2], (), (), base=last[0]))
            is_joined = True
        return is_joined

    def _find(self, hash_: str) -> Node | None:
        found = (self._images.find(number, hash_) for number in range(self._number))
        return next((node for node in found if node is not None), None)

    def _carried(self, last: tuple[Node, Version, str], version: Version, hash_: str) -> Node | None:
        if time.monotonic() > self._until:
            return None
        edit = PlannedEdit(version.path, Change.MODIFY, last[1].content, version.content)
        (change,) = file_changes([(edit, ())], Mutation.of((edit,), None).formatted)
        if change.origins:
            self._book.rewritten.append(last[1].content)
        self._made.append(FileVersion(last[2], hash_, change.hunks, (), change.origins, base=last[0]))
        return self._number, len(self._made) - 1

    def _join(self, hash_: str, node: Node) -> bool:
        """Let the records that found this content build on it."""
        is_joined = False
        for gap in self._gaps.pop(hash_, []):
            number, place = gap
            # What came of a record is not what it was made of.
            if not VersionGraph(self._book.lineages).leads_to(self._recorded(node), gap):
                self._book.lineages[number][place] = replace(self._book.lineages[number][place], base=node)
                is_joined = True
        return is_joined

    def _recorded(self, node: Node) -> Node:
        """The record's version that one of git's was carried from."""
        while node[0] == self._number:
            base = self._made[node[1]].base
            if base is None:
                return node
            node = base
        return node
