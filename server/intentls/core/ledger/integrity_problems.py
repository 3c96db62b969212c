"""What is wrong with a ledger, and where: kinds of problems, and the list of those that were found."""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum

from msgspec import Struct

MAX_PROBLEMS = 1000  # that are listed; a file that is wrong throughout must not fill the memory


class ProblemKind(StrEnum):
    """What can be wrong with a ledger."""

    TORN = "torn"  # no JSON object: a write was cut off, or the line was damaged
    FOREIGN = "foreign"  # a JSON object without a place in any chain: not written by this program
    EDITED = "edited"  # not the content that its successor (or the machine that wrote it) knows
    REMOVED = "removed"  # numbers are missing
    REORDERED = "reordered"  # the writer's later lines stand before it
    DUPLICATED = "duplicated"  # the same line again
    FORKED = "forked"  # the same number again with other content: two copies of a workspace wrote on
    CUT = "cut"  # the newest lines that this machine wrote are gone
    SEGMENT_REMOVED = "segment-removed"  # a file that git had, and the working tree has not
    ARCHIVE_MISSING = "archive-missing"  # lines that went into an archive are gone with it
    ARCHIVE_DAMAGED = "archive-damaged"  # an archive can't be read, or is not what its marker says
    SIGNATURE_DAMAGED = "signature-damaged"  # a signature is altered, or damaged
    SIGNATURE_NAMESPACE = "signature-namespace"  # it was made for another purpose
    SIGNATURE_REPOSITORY = "signature-repository"  # it was made in another repository
    SIGNATURE_SWAPPED = "signature-swapped"  # it was made for another segment
    SIGNATURE_REPLAYED = "signature-replayed"  # it is an older one, and the segment has grown since
    SEGMENT_TRUNCATED = "segment-truncated"  # records are missing that were signed
    SEGMENT_REBUILT = "segment-rebuilt"  # a segment holds other records than those that were signed
    SIGNER_NOT_ALLOWED = "signer-not-allowed"  # it is by a key that may not sign


class IntegrityProblem(Struct, frozen=True):
    """`line` counts from 1 in its file; it is 0 if a line is missed from an empty one, or the file is missing.

    `archive` is that file's name, an archive's or a segment's; None for the local file.
    """

    line: int
    kind: ProblemKind
    message: str
    archive: str | None = None

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return _place(self.archive, self.line)


class IntegrityReport:
    """The problems of a ledger of one or several files. Lines are counted through all of them."""

    def __init__(self) -> None:
        self._problems: set[tuple[int, ProblemKind, str, str]] = set()
        self._files: dict[str | None, int] = {}  # and how many lines stand before each

    def begin(self, archive: str | None, before: int) -> int:
        """A file begins behind so many lines; the answer is where it began when it was met first."""
        return self._files.setdefault(archive, before)

    def add(self, line: int, kind: ProblemKind, message: str, archive: str = "") -> None:
        """Add a problem, unless there are enough. `archive` is its file where it is behind the last line of that."""
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.add((line, kind, message, archive))

    def problems(self) -> tuple[IntegrityProblem, ...]:
        """All of them, by line."""
        problems = []
        for line, kind, message, file in sorted(self._problems):
            archive, number = (file, line - self._files[file]) if file else self._locate(line)
            problems.append(IntegrityProblem(number, kind, message, archive))
        return tuple(problems)

    def place(self, line: int) -> str:
        """Where a line is, for people."""
        return _place(*self._locate(line))

    def _locate(self, line: int) -> tuple[str | None, int]:
        index = bisect_left(list(self._files.values()), line) - 1
        if index < 0:
            return None, line
        archive, before = list(self._files.items())[index]
        return archive, line - before


def _place(archive: str | None, line: int) -> str:
    return f"line {line}" if archive is None else f"line {line} of {archive}"
