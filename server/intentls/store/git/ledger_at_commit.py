"""A ledger as some commit has it, with its archives, laid out in a directory so that it is read like any other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from intentls.core.ledger.hash_chain import strip_end
from intentls.core.ledger.integrity_problems import IntegrityProblem
from intentls.core.ledger.verifier import Verifier
from intentls.store.git.tree_snapshot import TreeSnapshot
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION, Layout
from intentls.store.ledger.history import History
from intentls.store.ledger_files.archive import archives
from intentls.store.ledger_files.line_reader import lines_forward, opened


@dataclass(frozen=True, slots=True)
class LedgerCopy:
    """One version of a root's ledger. Its lines come without their ends, archives first."""

    layout: Layout

    def lines(self, start: int = 0) -> Iterator[bytes]:
        """Every line; from the offset `start` of the live file on if it is not 0. Raises LedgerUnavailable."""
        if not start:
            for archive in archives(self.layout):
                yield from (strip_end(line) for line in archive.lines())
        yield from self._live_lines(start)

    def problems(self) -> tuple[IntegrityProblem, ...]:
        """What is wrong with its chains. Raises LedgerUnavailable."""
        verifier = Verifier()
        with opened(self.layout.ledger) as descriptor:
            size = 0 if descriptor is None else os.fstat(descriptor).st_size
            History(tuple(archives(self.layout)), descriptor, size).verify(verifier, lambda _done, _total: None)
        return verifier.finish({})

    def line_at(self, problem: IntegrityProblem) -> bytes:
        """The line that a problem is about; empty where there is none."""
        lines = self._lines_of(problem.archive)
        return next((line for number, line in enumerate(lines, start=1) if number == problem.line), b"")

    def _lines_of(self, name: str | None) -> Iterator[bytes]:
        """The lines of the archive of this name; of the live file for None."""
        if name is None:
            return self._live_lines(0)
        return (
            strip_end(line) for archive in archives(self.layout) if archive.name == name for line in archive.lines()
        )

    def _live_lines(self, start: int) -> Iterator[bytes]:
        with opened(self.layout.ledger) as descriptor:
            if descriptor is not None:
                size = os.fstat(descriptor).st_size
                yield from (strip_end(line) for _, line in lines_forward(descriptor, start, size))


def continues(old: LedgerCopy, new: LedgerCopy) -> int | None:
    """Where in the new live file the old one ends, if that is just longer and no archive differs; else None."""
    before, after = _archived(old), _archived(new)
    if before != after:
        return None
    length = 0
    with opened(old.layout.ledger) as one, opened(new.layout.ledger) as other:
        if one is None:
            return 0
        if other is None:
            return None
        while block := os.read(one, 1 << 20):
            if os.read(other, len(block)) != block:
                return None
            length += len(block)
        os.lseek(one, max(0, length - 1), os.SEEK_SET)
        return length if not length or os.read(one, 1) == b"\n" else None


def lay_out(snapshot: TreeSnapshot, prefix: str, directory: Path) -> LedgerCopy:
    """The ledger of the root at `prefix` ("" or "services/billing/"), laid out in `directory`, which is new."""
    home = f"{prefix}{ORCHESTRATION}/"
    archived = f"{home}archive/"
    layout = Layout(directory)
    layout.archive.mkdir(parents=True)
    names = [path for path in snapshot.entries if path == home + LEDGER_NAME or path.startswith(archived)]
    for path, content in snapshot.read_all(names):
        name = path.removeprefix(home)
        if name == LEDGER_NAME:
            layout.ledger.write_bytes(content)
        elif "/" not in (inner := path.removeprefix(archived)):
            (layout.archive / inner).write_bytes(content)
    return LedgerCopy(layout)


def fingerprint(line: bytes) -> bytes:
    """What a line is known by, in little room."""
    return blake2b(line, digest_size=16).digest()


def _archived(copy: LedgerCopy) -> dict[str, bytes]:
    return {archive.name: blake2b(archive.path.read_bytes()).digest() for archive in archives(copy.layout)}
