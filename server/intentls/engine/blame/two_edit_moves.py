"""A source of blame: blocks that were cut in one place and pasted in another by two edits with a record each.

The record of the paste claims the block. It stays its author's if an earlier record wrote the same lines in the same or
another file, which has them there no more. If it still has them, the block was copied, and a copy is its copier's.

    1  Ada writes a.py: `first_line() second_line() third_line()`
    2  Ben removes these lines from a.py: the record has their hashes
    3  Ben writes b.py: `first_line() second_line() third_line()`, and the record claims lines 1 to 3

Blame finds lines 1 to 3 of b.py to be Ben's. A search for `second_line()` finds record 2, which removed it from a.py,
and a.py has it no more. So version 3 gets an inferred origin: its lines 1 to 3 were lines 1 to 3 of what record 2 found
in a.py. That is version 1, so the lines are Ada's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from itertools import dropwhile, groupby, islice, takewhile

from msgspec.structs import replace

from intentls.core.blame.line_owners import Blame
from intentls.core.blame.version_graph import FileVersion, VersionId
from intentls.core.ledger.line_range import Origin
from intentls.core.ledger.record_json import Record
from intentls.core.text.line_hashes import OMITTED, bare_lines, is_unlikely_twice, line_hash, split_hashes
from intentls.engine.blame.pasted_blocks import BlockMatch, PastedBlock, claimed, far_apart, match_block, removed_lines
from intentls.engine.blame.record_history import SYNTHETIC_PREFIX, Entry, Histories, LedgerReader, Owner, hunks_of
from intentls.engine.blame.unrecorded_moves import LineSearch, formatted_to, removed_by, writes

_MAX_ROUNDS = 8  # moves of one block, one after the other
_MAX_VAIN = 2  # rounds of searches, one after the other, of which none finds a move
_FIRST_BLOCKS = 6  # in a round, as long as nothing was found: most files were pasted from nowhere
_MAX_BLOCKS = 24  # in one round
_MAX_LOOKUPS = 12  # lines of one block
_MAX_VERSIONS = 200  # of the other file


class CutAndPaste:
    """Adds an origin to each version that claims a pasted block."""

    def __init__(self, ledger: LedgerReader, search: LineSearch) -> None:
        self._ledger, self._search = ledger, search
        self._traced: set[tuple[int, bytes]] = set()  # lines, by entry, that were searched for
        self._rounds = 0
        self._has_found = False

    def extend(self, history: Histories, blame: Blame[Owner]) -> Histories | None:
        """The history with the origins that were found; None if there is no more."""
        if self._rounds == _MAX_ROUNDS:
            return None
        self._rounds += 1
        counts = Counter(map(line_hash, blame.text.bare_lines))
        unlikely_twice = (line_hash(line) for line in blame.text.bare_lines if is_unlikely_twice(line))
        copied = {hash_ for hash_ in unlikely_twice if counts[hash_] > 1}
        linker = _BlockLinker(self._ledger, self._search, history, copied)
        for blocks in self._searches(history, blame):
            self._search.expect(block.hash for block in blocks)
            self._traced.update((block.entry, block.hash) for block in blocks)
            is_linked = False
            for block in blocks:
                is_linked |= not linker.is_linked(block) and linker.link(block)
            if is_linked:
                self._has_found = True
                return linker.history
        return None

    def _searches(self, history: Histories, blame: Blame[Owner]) -> Iterator[list[PastedBlock]]:
        """The lines to search for, one list after the other as long as none of them tells where a block came from.

        Once a move was found, a short file has as many searches as a long one, though few of its lines are far apart.
        """
        if not self._has_found:
            for _ in range(_MAX_VAIN):
                yield self._blocks(history, blame)[:_FIRST_BLOCKS]
            return
        left = _MAX_VAIN * _MAX_BLOCKS
        while blocks := self._blocks(history, blame)[: min(left, _MAX_BLOCKS)]:
            left -= len(blocks)
            yield blocks

    def _blocks(self, history: Histories, blame: Blame[Owner]) -> list[PastedBlock]:
        """The lines to search for, of each record that wrote three or more in a row: the longest of each record first.

        Lines are taken that are still there. If a record's were formatted since, none is: then those are taken whose
        hash before the formatting is known.
        """
        lengths: dict[int, dict[bytes, int]] = {owner[0]: {} for owner in blame.owners if owner is not None}
        for owner, line, is_evidence in zip(
            blame.owners, blame.text.bare_lines, blame.text.unlikely_twice, strict=True
        ):
            if owner is not None and is_evidence:
                lengths[owner[0]][line_hash(line)] = len(line)
        former = dict.fromkeys(hashes_before_formatting(history), 0)
        former |= {
            line_hash(line): len(line)
            for text in history.rewritten
            for line in bare_lines(text)
            if is_unlikely_twice(line)
        }
        unlikely_twice = former.keys() | {hash_ for lines in lengths.values() for hash_ in lines}
        first: list[PastedBlock] = []
        more: list[PastedBlock] = []
        for entry, lines in sorted(lengths.items(), reverse=True):
            version = history.version(entry)
            if version is None:
                continue
            blocks = list(claimed(history.graph.version(version)))
            for known in (lines, former):
                untraced = {hash_: size for hash_, size in known.items() if (entry, hash_) not in self._traced}
                found = [
                    PastedBlock(version, entry, *block, place, unlikely_twice)
                    for block in blocks
                    for place in far_apart(untraced, block)
                ]
                found.sort(key=lambda block: (known[block.hash], block.hash), reverse=True)
                first += found[:1]
                more += found[1:]
                if found:
                    break
        return first + more


def hashes_before_formatting(history: Histories) -> Iterator[bytes]:
    """The hashes that lines had before a record formatted them."""
    for origin in (origin for file in history.graph.files for version in file for origin in version.origins):
        hashes = split_hashes(origin.old_line_hashes, origin.old_end_line - origin.old_start_line + 1)
        yield from (hash_ for hash_ in hashes or () if hash_ != OMITTED)


class _BlockLinker:
    """Finds out where pasted blocks came from. `history` has what was found so far.

    `copied` are lines that the blamed content has more than once, and that would hardly be written twice by chance.
    """

    def __init__(self, ledger: LedgerReader, search: LineSearch, history: Histories, copied: Set[bytes]) -> None:
        self._ledger, self._search, self.history, self._copied = ledger, search, history, copied

    def is_linked(self, block: PastedBlock) -> bool:
        """Whether it is known already where the line came from that is searched for."""
        line = block.start_line + block.index
        return any(origin.start_line <= line <= origin.end_line for origin in self._version(block).origins)

    def _version(self, block: PastedBlock) -> FileVersion[Owner]:
        return self.history.graph.version(block.version)

    def link(self, block: PastedBlock) -> bool:
        """Whether an entry of another file tells where the block came from, the newest entries first."""
        own_path = self.history.paths[block.version[0]]
        is_older = False  # than the record that claims the block
        for record, file in self._search.entries_with(block.hash):
            path = str(file["path"])
            if self._is_own(block, record):
                is_older = True
                continue
            is_written = writes(file, block.hash)
            is_removed = block.hash in removed_by(file) and not is_written and not any(formatted_to(file, block.hash))
            if path == own_path and is_removed and self._link_own(block, record, is_older=is_older):
                return True
            # The blamed file has the lines again if they went from it to another file and came back.
            came_back = path == self.history.paths[0] and (is_older or is_removed)
            is_gone = path != own_path and (came_back or not self._search.still_has(path, block.hash))
            if is_gone and not self._is_elsewhere(block, {own_path, path}):
                if is_removed and self._link_removed(block, (record, file), is_older=is_older):
                    return True
                if is_older and is_written and self._link_last_version(block, path):
                    return True
        return False

    def _is_elsewhere(self, block: PastedBlock, paths: Set[str]) -> bool:
        """Whether another file has the line, and had it before the paste, so that this may be a copy of that."""
        older = dropwhile(lambda entry: not self._is_own(block, entry[0]), self._search.entries_with(block.hash))
        others = {str(file["path"]) for _, file in older if writes(file, block.hash)} - paths
        return any(self._search.still_has(path, block.hash) for path in sorted(others))

    def _link_own(self, block: PastedBlock, record: Record, *, is_older: bool) -> bool:
        """Link the block to the lines of its own file that a record removed before or after the paste.

        They were the ones before that cut, or before the paste if that came first. Only lines that are in the file once
        now were moved: of the others one is a copy. A file's reduced history may lack the record: then the block counts
        as linked, so that the whole one is asked.
        """
        if block.version[0] != 0:
            return False
        cut = self.history.find(self.history.paths[0], record)
        if cut is None:
            return True
        graph = self.history.graph
        source = graph.base(cut if is_older else block.version)
        if source is None or not (is_older or graph.depends_on(cut, block.version)):
            return False
        built = graph.build((source,)).get(source)
        hashes = [hash_ or b"" for _, hash_, _ in built.lines] if built is not None else []
        match = match_block(block, hashes, self._copied) if block.hash in hashes else None
        if match is not None:
            self._add_origin(block, match, match.old_start + 1, source, self.history.paths[0])
        return match is not None

    def _is_own(self, block: PastedBlock, record: Record) -> bool:
        return record.get("id") == self.history.entries[block.entry][0].get("id")

    def _link_removed(self, block: PastedBlock, entry: Entry, *, is_older: bool) -> bool:
        """Link the block to the lines that a record removed from another file.

        If it removed them after the block was pasted, the lines may as well have gone the other way, from the block's
        file to that one. So their owner there must be known, or a record must have written them before the paste.
        """
        record, file = entry
        path = str(file["path"])
        lines = removed_lines(hunks_of(file) or (), removed_by(file))
        if lines is None or self._file(path) is None:
            return False
        numbers, removed = lines
        version = self.history.find(path, record)
        base = None if version is None else self.history.graph.base(version)
        if base is not None and self.history.graph.depends_on(base, block.version):
            return False  # the other file has the lines from this block
        match = match_block(block, removed)
        if match is None:
            return False
        old_line = numbers[match.old_start]
        if not is_older:  # to ask takes searches
            owner = None if base is None else self._owner(base, old_line)
            is_proven = self._was_written_before(block, match) if owner is None else self._is_older(owner, block)
            if not is_proven:
                return False
        if base is None and version is not None and self._link_last_version(block, path, before=version[1]):
            return True
        self._add_origin(block, match, old_line, base, path)
        return True

    def _file(self, path: str) -> int | None:
        """The number of a file in the history, which is read if need be; None if there are too many."""
        self.history = self._ledger.read(self.history, (path,))
        return self.history.paths.index(path) if path in self.history.paths else None

    def _owner(self, version: VersionId, line: int) -> Owner | None:
        owners = self.history.graph.build((version,)).get(version)
        return None if owners is None or line > len(owners.lines) else owners.lines[line - 1][0]

    def _is_older(self, owner: Owner, block: PastedBlock) -> bool:
        """Whether the owner's record is none that wrote the line after the paste: such a one made a copy of it."""
        newer = takewhile(lambda entry: not self._is_own(block, entry[0]), self._search.entries_with(block.hash))
        wrote = self.history.entries[owner[0]][0].get("id")
        return not any(record.get("id") == wrote for record, _ in newer)

    def _was_written_before(self, block: PastedBlock, match: BlockMatch) -> bool:
        """Whether an older record than the block's wrote one of the lines."""
        lines = (hash_ for hash_ in block.hashes[match.start : match.end + 1] if hash_ in block.unlikely_twice)
        for hash_ in islice(lines, _MAX_LOOKUPS):
            older = dropwhile(lambda entry: not self._is_own(block, entry[0]), self._search.entries_with(hash_))
            if any(writes(file, hash_) and not self._is_own(block, record) for record, file in older):
                return True
        return False

    def _link_last_version(self, block: PastedBlock, path: str, before: int | None = None) -> bool:
        """Link the block to the last version of another file that had its lines, if need be `before` a place."""
        file = self._file(path)
        if file is None:
            return False
        graph = self.history.graph
        last = (len(graph.files[file]) if before is None else before) - 1
        versions = [(file, place) for place in range(last, max(-1, last - _MAX_VERSIONS), -1)]
        versions = [version for version in versions if not graph.depends_on(version, block.version)]
        built = graph.build(versions)
        for version in versions:
            hashes = [hash_ or b"" for _, hash_, _ in built[version].lines] if version in built else []
            if block.hash in hashes:
                match = match_block(block, hashes)
                if match is not None:
                    self._add_origin(block, match, match.old_start + 1, version, path)
                return match is not None
        return False

    def _add_origin(
        self, block: PastedBlock, match: BlockMatch, old_line: int, source: VersionId | None, path: str
    ) -> None:
        """Add where the lines come from; if `source` is None, from a version of the file that no record left."""
        version = self._version(block)
        name = f"{SYNTHETIC_PREFIX}{len(version.origins)}{SYNTHETIC_PREFIX}{path}"
        places = (place for place in range(match.start, match.end + 1) if place not in block.kept)
        origins: list[Origin] = []
        for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
            run_places = [place for _, place in run]
            start, end = block.start_line + run_places[0], block.start_line + run_places[-1]
            old_start = old_line + run_places[0] - match.start
            origins.append(Origin(start, end, old_start, old_start + end - start, name))
        others = version.others if source is None else {**version.others, name: source}
        linked = replace(version, origins=(*version.origins, *origins), others=others)
        self.history = self.history.with_versions({block.version: linked})
