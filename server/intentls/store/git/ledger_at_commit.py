"""A ledger as some commit, the index or the disk has it: archives, the file of older repositories, and segments.

    .orchestration/archive/0001-5e1c.jsonl.gz     lines of the oldest records, packed before there were segments
    .orchestration/trace/0001-93a0.jsonl.zst      segments that were packed
    .orchestration/agent_trace.jsonl              only where git still has it
    .orchestration/trace/3f0c-00000042-9c1d.jsonl one segment of many

A line that stands in several of them counts once: lines are known by their hash, and an id is a part of its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from intentls.core.ledger.hash_chain import strip_end
from intentls.core.ledger.integrity_problems import IntegrityProblem
from intentls.core.ledger.verifier import Verifier
from intentls.late_pattern import late_pattern
from intentls.store.git.tree_snapshot import LINK, SUBMODULE, TreeSnapshot
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION, TRACE_NAME
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable
from intentls.store.ledger_files.segments import digest_of, in_order, lines_of
from intentls.store.ledger_files.signature_files import is_signature

_ARCHIVE = late_pattern(r"(?:archive|trace)/(?P<number>[0-9]*)[^/.][^/]*\.jsonl\.(?:zst|gz)", re.DOTALL)
_SEGMENT = late_pattern(rf"{TRACE_NAME}/[^/.][^/]*\.jsonl", re.DOTALL)


class LedgerCopy(Struct, frozen=True):
    """One version of a root's ledger, in the order in which its files are read.

    Files are known by their path below `.orchestration/`. `archives` are laid out on the disk, `texts` are the others;
    `objects` is what git calls the content of each (None: it is on the disk).
    """

    archives: Mapping[str, Archive]
    texts: Mapping[str, bytes]
    objects: Mapping[str, str | None]

    def is_shared(self, name: str, other: LedgerCopy) -> bool:
        """Whether both have this file with the same content."""
        oid = self.objects[name]
        if oid is not None and other.objects.get(name) is not None:
            return oid == other.objects[name]
        return name in self.texts and self.texts[name] == other.texts.get(name)

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file, without their ends, blank ones too. Raises LedgerUnavailable."""
        if name in self.archives:
            return (strip_end(line) for line in self.archives[name].lines())
        return (strip_end(line) for line in self.texts[name].split(b"\n"))

    def digests(self) -> set[bytes]:
        """What its lines are known by. Raises LedgerUnavailable."""
        packed = {digest_of(line) for name in self.archives for line in self.lines(name) if line.strip()}
        return packed.union(*({digest_of(line) for line in lines_of(text)} for text in self.texts.values()))

    def all_lines(self) -> Iterator[bytes]:
        """Every line once, in the order of the records. Raises LedgerUnavailable."""
        return self.new_lines(None)

    def new_lines(self, base: LedgerCopy | None) -> Iterator[bytes]:
        """The lines that `base` does not have, each once, in the order of the records. Raises LedgerUnavailable."""
        own = [name for name in self.objects if base is None or not self.is_shared(name, base)]
        seen = base.digests() if base is not None and own else set[bytes]()
        for name in own:
            for line in self.lines(name) if name in self.archives else ():
                digest = digest_of(line)
                if line.strip() and digest not in seen:
                    seen.add(digest)
                    yield line
        yield from in_order([self.texts[name] for name in own if name in self.texts], seen)

    def problems(self) -> tuple[IntegrityProblem, ...]:
        """What is wrong with its chains; `archive` is a file's name, None for `agent_trace.jsonl`."""
        verifier = Verifier()
        for archive in self.archives.values():
            verifier.begin(archive.name)
            content_hash, reason = None, ""
            try:
                for number, line in enumerate(archive.lines(), start=1):
                    verifier.feed(number, line)
                content_hash = archive.content_hash()
            except ArchiveUnreadable as error:
                reason = error.reason
            verifier.end(archive.name, content_hash, reason)
        for name in self.texts:
            verifier.begin(_shown(name))
            for number, line in enumerate(self.lines(name), start=1):
                verifier.feed(number, line)
            verifier.end(None)
        if verifier.needs_second_look:
            for name in self.objects:
                verifier.begin(_shown(name))
                for number, line in self._readable_lines(name):
                    verifier.look_again(number, line)
        return verifier.finish({})

    def file_of(self, problem: IntegrityProblem) -> str:
        """The file that a problem is in, by its path below `.orchestration/`."""
        return next((name for name in self.objects if _shown(name) == problem.archive), problem.archive or LEDGER_NAME)

    def line_at(self, problem: IntegrityProblem) -> bytes:
        """The line that a problem is about; empty where there is none."""
        name = self.file_of(problem)
        lines = self._readable_lines(name) if name in self.objects else ()
        return next((line for number, line in lines if number == problem.line), b"")

    def _readable_lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        """The numbered lines of a file, as far as it can be read."""
        try:
            yield from enumerate(self.lines(name), start=1)
        except ArchiveUnreadable:
            return


def _shown(name: str) -> str | None:
    return None if name == LEDGER_NAME else name.rpartition("/")[2]


def lay_out(
    snapshot: TreeSnapshot, prefix: str, directory: Callable[[], Path], known: LedgerCopy | None = None
) -> LedgerCopy:
    """The ledger of the root at `prefix` ("" or "services/billing/").

    Archives go into `directory()`, which is asked for only then. What `known` has already is not read again.
    """
    home = f"{prefix}{ORCHESTRATION}/"
    names = sorted(
        (path.removeprefix(home) for path in snapshot.entries if path.startswith(home)),
        key=lambda name: (name.endswith(".jsonl"), name.startswith(TRACE_NAME), _number(name), name),
    )
    entries = {name: snapshot.entries[home + name] for name in names if _is_ledger(name)}
    objects = {name: entry.oid for name, entry in entries.items() if entry.mode not in (LINK, SUBMODULE)}
    shared = {
        name: known.texts[name]
        for name, oid in objects.items()
        if known is not None and oid is not None and name in known.texts and known.objects[name] == oid
    }
    contents = dict(snapshot.read_all(home + name for name in objects if name not in shared))
    archives: dict[str, Archive] = {}
    texts: dict[str, bytes] = {}
    for name in objects:
        content = shared.get(name, contents.get(home + name, b""))
        if _ARCHIVE.fullmatch(name):
            file = directory() / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            archives[name] = Archive.at(file)
        else:
            texts[name] = content
    return LedgerCopy(archives, texts, objects)


def is_segment(name: str) -> bool:
    """Whether a path below `.orchestration/` is a segment's."""
    return _SEGMENT.fullmatch(name) is not None


def is_archive(name: str) -> bool:
    """Whether a path below `.orchestration/` is that of packed records."""
    return _ARCHIVE.fullmatch(name) is not None


def is_of_ledger(name: str) -> bool:
    """Whether a path below `.orchestration/` is that of a file which a commit only ever adds: signatures too."""
    return is_segment(name) or is_archive(name) or is_signature_path(name)


def is_signature_path(name: str) -> bool:
    """Whether a path below `.orchestration/` is that of a file of signatures."""
    return name.startswith(f"{TRACE_NAME}/") and is_signature(name.removeprefix(f"{TRACE_NAME}/"))


def _is_ledger(name: str) -> bool:
    return name == LEDGER_NAME or is_segment(name) or is_archive(name)


def _number(name: str) -> int:
    match = _ARCHIVE.fullmatch(name)
    return int(match["number"] or 0) if match is not None and name.startswith("archive/") else 0
