"""The last answer for each file, in `.state/blame/`: what records did since is added to it, if that is certain.

A kept answer says who wrote each line of one content, and up to which line of the ledger that is known:

    kept      a.py as record 7 left it: 400 lines of records 1, 5 and 7; the ledger was read up to its line 1,000
    appended  line 1,001: record 8 replaces line 12 of a.py
    blame     the kept owners with line 12 for record 8, if a.py is what record 8 left; only line 1,001 was read

It is the answer of the whole computation, or it is not used. An answer is kept only if nothing but the file's own
records had a part in it: a record left this content, no record is missing in between, and none of the lines that were
searched for in the ledger stands in a record of another file. What came since must be of the same kind. The sources
that look at other files are asked again after each change; where one of them would add anything, all is computed.

What is used is the ledger's: an owner is the place of a record, which is read there and must be the same line. Who may
write `.state/` may still make a line another record's of the same file. So nothing is decided by this.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

import intentls
from intentls.core.blame.line_owners import Blame, BlamedText
from intentls.core.blame.version_graph import FileVersion, Ownership, VersionGraph, next_owners
from intentls.core.hashing import hash_of
from intentls.core.ledger.hash_chain import parse
from intentls.core.ledger.line_range import Origin
from intentls.core.ledger.record_json import FileJson, files_of, is_evidence_of_content, is_imported
from intentls.core.text.line_hashes import WIDTH, bare_lines, line_hash
from intentls.core.text.lines import split_lines
from intentls.engine.blame.pasted_blocks import claimed
from intentls.engine.blame.record_history import Entry, Histories, LedgerReader, Owner, read_version
from intentls.engine.blame.two_edit_moves import CutAndPaste, hashes_before_formatting
from intentls.engine.blame.unrecorded_moves import LineSearch, OtherFiles, removed_by, writes
from intentls.engine.workspace.progress import Progress
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.own_file import read_own, write_own
from intentls.store.fs.primitives import keep_newest
from intentls.store.ledger.history import LedgerRecord
from intentls.store.ledger.ledger_mark import LedgerPosition, LinePlace
from intentls.store.ledger_search.query import RecordQuery

log = logging.getLogger(__name__)

_FORMAT: Final = 1
_MAX_KEPT: Final = 256  # files on disk, and
_MAX_BYTES: Final = 1 << 26  # as many bytes of them
_MAX_IN_MEMORY: Final = 16
_MAX_UNWRITTEN: Final = 1 << 16
"""Bytes of ledger: a new process reads so much of it sooner than the file system replaces a file."""


class _Note(msgspec.Struct, frozen=True, array_like=True):
    """One answer. `runs` are (lines, number of the place, conversation), with the number -1 for lines without owner.

    `places` are those of the owners' records, oldest first. `only_here` are the hashes of lines that were searched for
    and stand in no record of another file; `former` are those that lines had before a record formatted them.
    """

    version: tuple[int, str]
    path: str
    content: str | None
    mark: LedgerPosition
    places: tuple[LinePlace, ...]
    runs: tuple[tuple[int, int, int], ...]
    only_here: tuple[str, ...]
    former: str


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Note).decode
_VERSION: Final = (_FORMAT, intentls.__version__)


class Authorship(Struct, frozen=True):
    """Who wrote each line: an owner is an entry's number and a conversation's."""

    entries: tuple[Entry, ...]
    owners: list[Owner | None]


class KeptBlames:
    """The kept answers of one root. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._notes: OrderedDict[str, tuple[_Note, list[LedgerRecord]]] = OrderedDict()
        self._written: dict[str, int] = {}  # up to where in the ledger the file on disk goes

    @classmethod
    def of(cls, workspace: Workspace) -> KeptBlames:
        """Those of this root."""
        return workspace.part("kept blame", lambda: cls(workspace.layout.blame))

    def answer(self, workspace: Workspace, path: str, content: bytes, progress: Progress) -> Authorship | None:
        """What the whole computation would say; None if that is not certain. Raises LedgerUnavailable."""
        note, records = self._recall(path)
        appended = None if note is None else workspace.ledger.since(note.mark)
        if note is None or appended is None:
            return None
        records = workspace.ledger.records_at(note.places) if records is None else records
        entries = None if records is None else _entries(records, path)
        owners = None if entries is None else _owners(note, entries)
        if records is None or entries is None or owners is None:
            return None
        following = _Following(path, note, entries, owners)
        for offset, line in _lines(appended.start, appended.lines):
            if not following.takes(offset, line):
                return None
        if following.content != hash_of(content) or len(following.owners) != len(split_lines(content)):
            return None
        if following.cut_or_pasted and not following.cut_or_pasted.isdisjoint(map(line_hash, bare_lines(content))):
            return None  # it may have been moved within the file, from what no kept owner tells
        authorship = Authorship(tuple(following.entries), following.owners)
        if not following.is_changed:
            self._remember(path, msgspec.structs.replace(note, mark=appended.mark), records)
            return authorship
        only_here: Sequence[bytes] | None = following.needles
        if following.may_be_searched:
            only_here = _searched_again(workspace, path, content, note, authorship, progress)
        if only_here is not None:
            self._keep(workspace, path, appended.mark, content, authorship, only_here, note)
            return authorship
        return None

    def keep(
        self,
        workspace: Workspace,
        mark: LedgerPosition | None,
        ledger: LedgerReader,
        search: LineSearch,
        result: Blame[Owner],
        history: Histories,
    ) -> None:
        """Keep the answer of the whole computation, which began when the ledger ended at `mark`, if it may be kept."""
        path = history.paths[0]
        only_here = search.only_in(path)
        is_alone = history.paths == (path,) and list(ledger.names) == [path]
        is_plain = not (history.imported_claims or history.rewritten or any(result.ownership.roots))
        if mark is None or only_here is None or not (is_alone and is_plain and result.is_exact):
            return
        appended = workspace.ledger.since(mark)
        if appended is None or appended.lines:
            return  # what was read is not of one moment
        former = b"".join(dict.fromkeys(hashes_before_formatting(history))).decode("ascii")
        before = _Note(_VERSION, path, None, mark, (), (), (), former)
        authorship = Authorship(history.entries, result.owners)
        self._keep(workspace, path, mark, result.text.content, authorship, only_here, before)

    def _keep(
        self,
        workspace: Workspace,
        path: str,
        mark: LedgerPosition,
        content: bytes,
        authorship: Authorship,
        only_here: Sequence[bytes],
        before: _Note,
    ) -> None:
        numbers = sorted({owner[0] for owner in authorship.owners if owner is not None})
        records = [authorship.entries[number][0] for number in numbers]
        placed = [record for record in records if isinstance(record, LedgerRecord)]
        if len(placed) != len(records) or _entries(placed, path) is None:
            return
        order = {number: index for index, number in enumerate(numbers)}
        runs = tuple(
            (sum(1 for _ in lines), -1 if owner is None else order[owner[0]], 0 if owner is None else owner[1])
            for owner, lines in groupby(authorship.owners)
        )
        texts = tuple(hash_.decode("ascii") for hash_ in only_here)
        known = {place.offset: place for place in before.places}
        new = [record for record in placed if record.offset not in known]
        known |= {place.offset: place for place in workspace.ledger.places_of(new)}
        places = tuple(known[record.offset] for record in placed)
        note = _Note(_VERSION, path, hash_of(content), mark, places, runs, texts, before.former)
        self._remember(path, note, placed)
        with self._lock:
            written = self._written.get(path)
        if written is None or not before.places or mark.end - written > _MAX_UNWRITTEN:
            self._write(path, note)

    def _recall(self, path: str) -> tuple[_Note | None, list[LedgerRecord] | None]:
        with self._lock:
            if path in self._notes:
                self._notes.move_to_end(path)
                return self._notes[path]
        try:
            note = _decode(read_own(self._file(path), _MAX_BYTES))
        except FileNotFoundError:
            return None, None
        except (OSError, ValueError, msgspec.DecodeError) as error:
            log.debug("the kept blame of %s can't be used: %s", path, error)
            return None, None
        if (note.version, note.path) != (_VERSION, path):
            return None, None
        with self._lock:
            self._written[path] = note.mark.end
        return note, None

    def _remember(self, path: str, note: _Note, records: list[LedgerRecord]) -> None:
        with self._lock:
            self._notes[path] = note, records
            self._notes.move_to_end(path)
            while len(self._notes) > _MAX_IN_MEMORY:
                dropped, _ = self._notes.popitem(last=False)
                self._written.pop(dropped, None)

    def _write(self, path: str, note: _Note) -> None:
        file = self._file(path)
        try:
            is_new = not file.exists()
            write_own(file, _encode(note))
            with self._lock:
                self._written[path] = note.mark.end
            if is_new:
                keep_newest(self._folder, _MAX_KEPT, _MAX_BYTES)
        except OSError as error:
            log.debug("the blame of %s can't be kept: %s", path, error)

    def _file(self, path: str) -> Path:
        return self._folder / sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _entries(records: Sequence[LedgerRecord], path: str) -> list[Entry] | None:
    """What each record says of the file; None if one says nothing of it, or says it twice."""
    entries: list[Entry] = []
    for record in records:
        files = [file for file in files_of(record) if file.get("path") == path]
        if len(files) != 1 or record.get("success") is not True or not is_evidence_of_content(record):
            return None
        entries.append((record, files[0]))
    return entries


def _owners(note: _Note, entries: Sequence[Entry]) -> list[Owner | None] | None:
    """The owner of each line; None if the note names one that is not there."""
    owners: list[Owner | None] = []
    for count, number, conversation in note.runs:
        if not -1 <= number < len(entries) or count < 0:
            return None
        if number >= 0 and not 0 <= conversation < len(entries[number][1].get("conversations") or ()):
            return None
        owners += [None if number < 0 else (number, conversation)] * count
    return owners


def _lines(start: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    for line in data.splitlines(keepends=True):
        yield start, line.removesuffix(b"\n")
        start += len(line)


class _Following:
    """The kept owners, and what the records after them did to them."""

    def __init__(self, path: str, note: _Note, entries: list[Entry], owners: list[Owner | None]) -> None:
        self.content, self.entries, self.owners, self.is_changed = note.content, entries, owners, False
        self.needles = [hash_.encode("ascii") for hash_ in note.only_here]
        self.may_be_searched = bool(note.former) or None in owners
        self.cut_or_pasted: set[bytes] = set()  # lines that were searched for, and that a record removed or wrote since
        self._query = RecordQuery(path=path)

    def takes(self, offset: int, line: bytes) -> bool:
        """Whether it is certain what the next line of the ledger did."""
        is_named = self._query.required_bytes() in line
        if not is_named and not any(needle in line for needle in self.needles):
            return True
        record = parse(line)
        if record is None or not (record.get("success") is True or is_imported(record)):
            return True
        files = [file for file in files_of(record) if self._query.path in (file.get("path"), file.get("old_path"))]
        if not is_evidence_of_content(record):
            return not files
        searched = [needle for needle in self.needles if needle in line]
        is_searched = bool(searched)
        if is_searched and len(files) != len(files_of(record)):
            return False
        for file in files:
            removed = removed_by(file)
            self.cut_or_pasted.update(hash_ for hash_ in searched if (hash_ in removed) != writes(file, hash_))
        self.may_be_searched |= is_searched
        return not files or (len(files) == 1 and self._takes(LedgerRecord(record, offset, len(line)), files[0]))

    def _takes(self, record: LedgerRecord, file: FileJson) -> bool:
        if file.get("path") != self._query.path or file.get("old_path") is not None:
            return False
        version = read_version(len(self.entries), file)
        owners = None if version.pre_hash != self.content else next_owners(self.owners, version)
        if owners is None or version.post_hash is None:
            return False
        self.content, self.owners, self.is_changed = version.post_hash, owners, True
        self.may_be_searched |= None in owners or _may_be_searched(version, file)
        self.entries = [*self.entries, (record, file)]
        return True


def _may_be_searched(version: FileVersion[Owner], file: FileJson) -> bool:
    """Whether an edit may change what the sources search for, apart from lines whose hashes stand in its record.

    They search for lines of each block of three lines or more: the longest ones that are left of it. So a smaller edit
    that removed none of those lines changes nothing; the record must say which ones it removed.
    """
    removed = sum(hunk.old_lines for hunk in version.hunks or ())
    return len(removed_by(file)) != removed or any(claimed(version))


def _searched_again(
    workspace: Workspace, path: str, content: bytes, note: _Note, authorship: Authorship, progress: Progress
) -> list[bytes] | None:
    """The lines that the sources search for now, if they add nothing; None if one of them may add something.

    They see the records that still own a line, which are all that they ask a history of one file for, and the lines
    that formatted ones were before.
    """
    text = BlamedText(content)
    numbers = sorted({owner[0] for owner in authorship.owners if owner is not None})
    order = {number: index for index, number in enumerate(numbers)}
    owners: list[Owner | None] = [None if owner is None else (order[owner[0]], owner[1]) for owner in authorship.owners]
    history = Histories(VersionGraph()).add_read(path, [authorship.entries[number] for number in numbers])
    count = len(note.former) // WIDTH
    former: FileVersion[Owner] = FileVersion(None, None, None, (), (Origin(1, 1, 1, count, None, note.former),))
    history = history.add_inferred([former])
    blame = Blame(history, text, Ownership(owners, [None] * len(owners), [False] * len(owners)), is_exact=True)
    search = LineSearch(workspace, {hash_.encode("ascii") for hash_ in note.only_here})
    ledger = LedgerReader(workspace, progress)
    for source in (OtherFiles(ledger, search), CutAndPaste(ledger, search)):
        if source.extend(history, blame) is not None:
            return None
    return search.only_in(path)
