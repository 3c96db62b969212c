"""A source of blame: other files, which were renamed or lost lines to the blamed one without a record.

They are found in the ledger by the hashes of lines. `core.blame` takes a line for moved only if the other file has it
no more: what is in both is a copy, or chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import groupby

from msgspec.structs import replace

from intentls.core.blame.line_owners import Blame, SearchedFile
from intentls.core.errors import InvalidPath
from intentls.core.ledger.packed_lines import unpack_line_hashes
from intentls.core.ledger.record_json import FileJson, files_of, is_evidence_of_content, mentions_line, text_of
from intentls.core.text.line_hashes import WIDTH, bare_lines, line_hash, prove_a_block, split_hashes
from intentls.engine.blame.record_history import SYNTHETIC_PREFIX, Entry, Histories, LedgerReader, Owner, read_version
from intentls.engine.blame.searches import Searches
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_search.query import RecordQuery

_MAX_FORMS = 8  # of one line, by formatters one after the other
_MAX_RECORDS = 40  # that are looked at for one line
_MAX_BYTES = 512 * 1024 * 1024  # of ledger that are read for one blame, all searches together
_COMPRESSION = 8  # an archive holds about this many times its own size


class LineSearch:
    """The searches for one blame. A line is looked up once, and a file is read once.

    `only_here` are lines of which it is known that they stand in no record of a file but the blamed one.
    """

    def __init__(
        self, workspace: Workspace, only_here: Set[bytes] = frozenset(), searches: Searches | None = None
    ) -> None:
        self._workspace, self._only_here = workspace, only_here
        self._searches = Searches(workspace) if searches is None else searches
        self._entries: dict[bytes, list[Entry]] = {}
        self._current: dict[str, set[bytes]] = {}
        self._bytes_left = _MAX_BYTES
        self._refused: set[bytes] = set()  # lines for which too much of the ledger was read already
        self._size: int | None = None  # of the ledger

    def entries_with(self, hash_: bytes) -> list[Entry]:
        """The entries that wrote, removed or moved a line, the newest first; [] if too many bytes would be read."""
        if hash_ not in self._entries:
            self._entries[hash_] = list(self._search(hash_))
        return self._entries[hash_]

    def only_in(self, path: str) -> list[bytes] | None:
        """The lines that were searched for, if no record has one of them in another file; None if a record has."""
        if any(file.get("path") != path for entries in self._entries.values() for _, file in entries):
            return None
        return [hash_ for hash_ in self._entries if hash_ not in self._refused]

    def expect(self, hashes: Iterable[bytes]) -> None:
        """These lines will be looked up now, as far as there may be so many searches."""
        unknown = [hash_ for hash_ in dict.fromkeys(hashes) if hash_ not in self._entries]
        left = self._bytes_left // max(self._bytes_each(), 1)
        self._searches.expect(_naming(hash_) for hash_ in unknown[:left] if hash_ not in self._only_here)

    def _bytes_each(self) -> int:
        """How much of the ledger a search reads at most."""
        if self._size is None:
            ledger = self._workspace.ledger
            self._size = ledger.size() + _COMPRESSION * ledger.archived_size()
        return self._size

    def _search(self, hash_: bytes) -> Iterator[Entry]:
        # What is kept of earlier searches counts too: the answer must not depend on what was asked before.
        self._bytes_left -= self._bytes_each()
        if self._bytes_left < 0:
            self._refused.add(hash_)
            return
        if hash_ in self._only_here:
            return
        name = hash_.decode("ascii")
        for record in self._searches.newest(_naming(hash_), _MAX_RECORDS):
            for file in files_of(record) if record.get("success") is True and is_evidence_of_content(record) else ():
                if text_of(file, "path") is not None and mentions_line(file, name):
                    yield record, file

    def current_hashes(self, path: str) -> set[bytes]:
        """The hashes of the lines that a file has now; none if there is no such file."""
        if path not in self._current:
            try:
                data = self._workspace.contents.read(path).data
            except InvalidPath:
                data = None
            self._current[path] = set(map(line_hash, bare_lines(data or b"")))
        return self._current[path]

    def still_has(self, path: str, hash_: bytes) -> bool:
        """Whether a file has a line that it had, as it was or as records of the file formatted it since."""
        asked: set[bytes] = set()
        stack = [hash_]
        while stack:
            line = stack.pop()
            if line in asked or len(asked) == _MAX_FORMS:
                continue
            asked.add(line)
            if line in self.current_hashes(path):
                return True
            if self.current_hashes(path):
                for _, file in self.entries_with(line):
                    if file["path"] == path:
                        stack += formatted_to(file, line)
        return False


def _naming(hash_: bytes) -> RecordQuery:
    return RecordQuery(line_hash=hash_.decode("ascii"))


def writes(file: FileJson, hash_: bytes) -> bool:
    """Whether an entry claims a line."""
    return any(hash_ in _split(hashes) for hashes in unpack_line_hashes(file))


def removed_by(file: FileJson) -> list[bytes]:
    """The hashes of the lines that an entry removed or changed, in order."""
    return _split(text_of(file, "removed_line_hashes"))


def formatted_to(file: FileJson, hash_: bytes) -> Iterator[bytes]:
    """The lines that an entry made of a line when it formatted it; of several lines in the place of several, the first.

    Example: if it wrote `f( 1 )` over `f(1)`, and has this as an origin, it gives the hash of `f( 1 )`.
    """
    version = read_version(0, file)
    formatted = [origin for origin in version.origins if origin.old_line_hashes and origin.path is None]
    written: dict[int, bytes] = {}
    for claim in version.claims if formatted else ():
        written |= enumerate(_split(claim.where.line_hashes), claim.where.start_line)
    for origin in formatted:
        old = split_hashes(origin.old_line_hashes, origin.old_end_line - origin.old_start_line + 1) or []
        is_each = len(old) == origin.end_line - origin.start_line + 1
        for place, was in enumerate(old):
            line = origin.start_line + (place if is_each else 0)
            if was == hash_ and line in written:
                yield written[line]


def _split(text: str | None) -> list[bytes]:
    return split_hashes(text, len(text) // WIDTH) or [] if text else []


def _named(history: Histories) -> set[str]:
    """The other files from which records of the blamed one say, or show, that its lines were moved."""
    origins = (origin for version in history.graph.files[0] for origin in version.origins)
    return {origin.path.rpartition(SYNTHETIC_PREFIX)[2] for origin in origins if origin.path is not None}


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
                    is_named = path in _named(history)
                    file = SearchedFile(number, self._search.current_hashes(path), is_named)
                    return replace(history, searched_files=(*history.searched_files, file))
            while self._rounds < _MAX_ROUNDS and (hashes := self._longest_lines(blame)):
                self._rounds += 1
                self._looked_up.update(hashes)
                self._search.expect(hashes)
                entries = [
                    file for hash_ in hashes for _, file in self._search.entries_with(hash_) if writes(file, hash_)
                ]
                extended = self._ledger.read(history, dict.fromkeys(str(file["path"]) for file in entries))
                if len(extended.paths) > len(history.paths):
                    return extended
        self._rounds = 0
        return None

    def _longest_lines(self, blame: Blame[Owner]) -> list[bytes]:
        """The hashes of the longest lines that are unlikely to be written twice, at most two of each run.

        None of a run that has only one: it would prove nothing (see `prove_a_block`).
        """
        text, hashes = blame.text, blame.text.hashed.as_before(blame.ownership.roots).hashes
        longest: list[tuple[int, bytes]] = []
        for owner, run in groupby(range(len(hashes)), key=blame.owners.__getitem__):
            if owner is None:
                lines = {hashes[index]: len(text.bare_lines[index]) for index in run if text.unlikely_twice[index]}
                left = [(size, hash_) for hash_, size in lines.items() if hash_ not in self._looked_up]
                longest += sorted(left, reverse=True)[:_MAX_OF_RUN] if prove_a_block(lines) else []
        return [hash_ for _, hash_ in sorted(longest, reverse=True)[:_MAX_LINES]]
