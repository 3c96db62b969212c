"""A source of blame: other files, which were renamed or lost lines to the blamed one without a record.

They are found in the ledger by the hashes of lines. `core.blame` takes a line for moved only if the other file has it
no more: what is in both is a copy, or chance.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from intentls.core.blame.line_owners import Blame, SearchedFile
from intentls.engine.blame.line_lookup import LineSearch, writes
from intentls.engine.blame.record_history import Histories, LedgerReader, Owner

_MAX_ROUNDS = 8  # of looking lines up, until nothing is found or another source finds something
_MAX_LINES = 8  # that are looked up in a round
_MAX_OF_RUN = 2  # of them out of one run of lines without owner


class OtherFiles:
    """Adds one file after the other: first those in the history already, then those that the ledger has for a line."""

    def __init__(self, ledger: LedgerReader, search: LineSearch) -> None:
        self._ledger, self._search = ledger, search
        self._looked_up: set[bytes] = set()
        self._rounds = 0

    def extend(self, history: Histories, blame: Blame[Owner]) -> Histories | None:
        """The history with more to search for lines that have no owner; None if there is no more."""
        if None in blame.owners:
            searched = {file.number for file in history.searched_files}
            for number, path in enumerate(history.paths):
                if number and path and number not in searched:
                    file = SearchedFile(number, self._search.current_hashes(path))
                    return replace(history, searched_files=(*history.searched_files, file))
            while self._rounds < _MAX_ROUNDS and (hashes := self._longest_lines(blame)):
                self._rounds += 1
                self._looked_up.update(hashes)
                entries = [
                    file for hash_ in hashes for _, file in self._search.entries_with(hash_) if writes(file, hash_)
                ]
                extended = self._ledger.read(history, dict.fromkeys(str(file["path"]) for file in entries))
                if len(extended.paths) > len(history.paths):
                    return extended
        self._rounds = 0
        return None

    def _longest_lines(self, blame: Blame[Owner]) -> list[bytes]:
        """The hashes of the longest lines that are unlikely to be written twice, at most two of each run."""
        text, hashes = blame.text, blame.text.hashed.as_before(blame.ownership.roots).hashes
        longest: list[tuple[int, bytes]] = []
        for owner, run in groupby(range(len(hashes)), key=blame.owners.__getitem__):
            if owner is None:
                lines = {
                    (len(text.bare_lines[index]), hashes[index])
                    for index in run
                    if text.unlikely_twice[index] and hashes[index] not in self._looked_up
                }
                longest += sorted(lines, reverse=True)[:_MAX_OF_RUN]
        return [hash_ for _, hash_ in sorted(longest, reverse=True)[:_MAX_LINES]]
