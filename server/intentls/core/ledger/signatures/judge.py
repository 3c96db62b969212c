"""Is a segment signed by somebody who may sign? If not: what was done to the segment or to its signature?"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from intentls.core.hashing import content_hash
from intentls.core.ledger.hash_chain import line_hash, read_link, strip_end
from intentls.core.ledger.signatures.allowed_signers import AllowedSigners
from intentls.core.ledger.signatures.ssh_signature import SshSignature, parse_armour
from intentls.core.ledger.signatures.statement import (
    NAMESPACE,
    ChainPart,
    SignedStatement,
    Statement,
    chain_parts,
    plain_bytes,
)


class FaultCode(StrEnum):
    """Why a signature does not count."""

    SIGNATURE_DAMAGED = "SIGNATURE_DAMAGED"
    SIGNATURE_NAMESPACE = "SIGNATURE_NAMESPACE"
    SIGNATURE_REPOSITORY = "SIGNATURE_REPOSITORY"
    SIGNATURE_SWAPPED = "SIGNATURE_SWAPPED"
    SIGNATURE_REPLAYED = "SIGNATURE_REPLAYED"
    SEGMENT_TRUNCATED = "SEGMENT_TRUNCATED"
    SEGMENT_REBUILT = "SEGMENT_REBUILT"
    SIGNER_ADDED = "SIGNER_ADDED"
    SIGNER_NOT_ALLOWED = "SIGNER_NOT_ALLOWED"


class SignatureFault(NamedTuple):
    """What is wrong with one signature, and a sentence about it."""

    code: FaultCode
    message: str


class PackedLine(NamedTuple):
    """A line of an archive: its hash, and that of the writer's line before it."""

    line_hash: str
    prev: str | None


PackedLines = Mapping[tuple[str, int], PackedLine]
"""Lines by writer and number."""


class SegmentContent(Struct, frozen=True, dict=True):
    """A segment as it is now."""

    name: str
    content: bytes

    @cached_property
    def content_hash(self) -> str:
        """Of its bytes, as they were written."""
        return content_hash(plain_bytes(self.content))

    @cached_property
    def chains(self) -> dict[str, ChainPart]:
        """Where each writer's chain begins and ends in it."""
        return {part.writer: part for part in chain_parts(self.content.split(b"\n"))}

    def has_line(self, part: ChainPart) -> bool:
        """Whether a line has the last number of `part`, and its hash."""
        for raw in self.content.split(b"\n"):
            line = strip_end(raw)
            link = read_link(line) if line.strip() else None
            if link is not None and (link.writer, link.seq) == (part.writer, part.last):
                return line_hash(line) == part.head
        return False


class SignatureJudge(Struct, frozen=True):
    """Judges the signatures of the root at `root` ("." is the top) in the repository with these first commits.

    `allowed` is the list that counts; `proposed` the one that the branch in question has, for the message alone.
    """

    repositories: frozenset[str]
    root: str
    allowed: AllowedSigners
    proposed: AllowedSigners = field(default_factory=AllowedSigners)

    def of_segment(
        self, signed: SignedStatement, segment: SegmentContent, moment: datetime
    ) -> tuple[str, ...] | SignatureFault:
        """For whom the signature of a segment stands, or why it does not count. A key counts as of `moment`."""
        read = self._read(signed)
        if isinstance(read, SignatureFault):
            return read
        statement, signature = read
        if statement.segment != segment.name or statement.root != self.root:
            return _swapped(statement)
        return _content_fault(statement, segment) or self._signer(signature, moment)

    def of_packed(
        self, signed: SignedStatement, lines: PackedLines, moment: datetime
    ) -> tuple[str, ...] | SignatureFault:
        """The same for a segment that was packed: its lines are in an archive."""
        read = self._read(signed)
        if isinstance(read, SignatureFault):
            return read
        statement, signature = read
        if statement.root != self.root:
            return _swapped(statement)
        return _packed_fault(statement, lines) or self._signer(signature, moment)

    def _read(self, signed: SignedStatement) -> tuple[Statement, SshSignature] | SignatureFault:
        """What was signed, if it was signed as it stands there, in this repository."""
        # What it stands on takes longer to load than all else, and most ledgers have no signature.
        from intentls.core.ledger.signatures.ssh_keys import is_right

        signature, statement = parse_armour(signed.armour), signed.statement
        if signature is not None and signature.namespace != NAMESPACE.encode():
            name = signature.namespace.decode("utf-8", "replace")
            message = f"It was made for {name!r}, and one of a segment is made for {NAMESPACE!r}."
            return SignatureFault(FaultCode.SIGNATURE_NAMESPACE, message)
        if signature is None or statement is None or not is_right(signature, signed.message):
            message = "What stands there is not what was signed: it was altered, or damaged."
            return SignatureFault(FaultCode.SIGNATURE_DAMAGED, message)
        if statement.repository not in self.repositories:
            message = f"It was made in another repository, whose first commit is {statement.repository[:12]}."
            return SignatureFault(FaultCode.SIGNATURE_REPOSITORY, message)
        return statement, signature

    def _signer(self, signature: SshSignature, moment: datetime) -> tuple[str, ...] | SignatureFault:
        key, name = signature.key, signature.fingerprint
        names = self.allowed.names(key, NAMESPACE, moment)
        if names:
            return names
        if self.allowed.has(key):
            message = f"Its key {name} is listed, but not for this purpose or not for this time."
            return SignatureFault(FaultCode.SIGNER_NOT_ALLOWED, message)
        if self.proposed.has(key):
            message = f"Its key {name} is in the list of this branch alone. The base's list counts."
            return SignatureFault(FaultCode.SIGNER_ADDED, message)
        return SignatureFault(FaultCode.SIGNER_NOT_ALLOWED, f"Its key {name} is not in the list.")


def _swapped(statement: Statement) -> SignatureFault:
    place = "" if statement.root == "." else f" of the root {statement.root}"
    message = f"It was made for another segment: {statement.segment}{place}."
    return SignatureFault(FaultCode.SIGNATURE_SWAPPED, message)


def _content_fault(statement: Statement, segment: SegmentContent) -> SignatureFault | None:
    if statement.content == segment.content_hash:
        return None
    actual = segment.chains
    for part in statement.chains:
        last = actual[part.writer].last if part.writer in actual else part.first - 1
        if last < part.last:
            return _truncated(part, last)
    grown = any(actual[part.writer].last > part.last for part in statement.chains)
    if grown and all(segment.has_line(part) for part in statement.chains):
        part = statement.chains[0]
        message = f"It is an older one: it covers the records up to number {part.last}, and more stand there now."
        return SignatureFault(FaultCode.SIGNATURE_REPLAYED, message)
    return _REBUILT


def _packed_fault(statement: Statement, lines: PackedLines) -> SignatureFault | None:
    """From each writer's last line back to the first: each has the hash that the one behind it cites."""
    for part in statement.chains:
        expected: str | None = part.head
        for seq in range(part.last, part.first - 1, -1):
            line = lines.get((part.writer, seq))
            if line is None:
                return _truncated(part, seq - 1)
            if line.line_hash != expected:
                return _REBUILT
            expected = line.prev
        if expected != part.prev:
            return _REBUILT
    return None


def _truncated(part: ChainPart, last: int) -> SignatureFault:
    message = f"It covers the records {part.first} to {part.last} of a writer, and number {last + 1} is missing."
    return SignatureFault(FaultCode.SEGMENT_TRUNCATED, message)


_REBUILT = SignatureFault(
    FaultCode.SEGMENT_REBUILT,
    "Its records are not those that were signed: they were altered, or the chain was rebuilt.",
)
