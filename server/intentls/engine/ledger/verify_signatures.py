"""The signatures of a root's ledger, as far as there are any: are they right, and by whom?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct, field

from intentls.core.errors import ConfigurationError
from intentls.core.ledger.hash_chain import line_hash, read_link, strip_end
from intentls.core.ledger.integrity_problems import IntegrityProblem, ProblemKind
from intentls.core.ledger.signatures.allowed_signers import AllowedSigners, parse_allowed_signers
from intentls.core.ledger.signatures.judge import (
    FaultCode,
    PackedLine,
    SegmentContent,
    SignatureFault,
    SignatureJudge,
)
from intentls.core.ledger.signatures.ssh_signature import parse_armour
from intentls.core.ledger.signatures.statement import ChainPart, SignedStatement
from intentls.core.patterns.protected_paths import SIGNERS_FILE
from intentls.engine.workspace.workspace import Workspace
from intentls.late_pattern import late_pattern
from intentls.store.clock import now, parse_timestamp
from intentls.store.git.commits import commit_id, first_commits, regular_files_at, work_tree
from intentls.store.ledger.ledger import SignatureSummary
from intentls.store.ledger_files.archive import ArchiveUnreadable, archives
from intentls.store.ledger_files.segments import read_segment, segment_names
from intentls.store.ledger_files.signature_files import all_signatures, signature_names, signed_segment

_TIME = late_pattern(rb'"timestamp": ?"([^"\\]*)"')
_ADVICE = {
    FaultCode.SIGNER_NOT_ALLOWED: " To take a key out of use, give its line a `valid-before` and keep the line.",
}


class SignatureReport(Struct):
    """What is wrong with the signatures, and what they cover; `summary` is None where there is none."""

    problems: list[IntegrityProblem] = field(default_factory=list)
    summary: SignatureSummary | None = None


class _Judging(Struct, frozen=True):
    """`is_listed` is whether there is a list of signers at all: without one each key stands for itself."""

    judge: SignatureJudge
    is_listed: bool

    def names(
        self, verdict: tuple[str, ...] | SignatureFault, signed: SignedStatement
    ) -> tuple[str, ...] | SignatureFault:
        signature = parse_armour(signed.armour)
        if not isinstance(verdict, SignatureFault) or self.is_listed or signature is None:
            return verdict
        return (signature.fingerprint,) if verdict.code is FaultCode.SIGNER_NOT_ALLOWED else verdict


def verify_signatures(workspace: Workspace, base: str | None = None) -> SignatureReport:
    """Judge every signature by the `allowed_signers` of `base`, or else of HEAD. Raises OSError, ConfigurationError.

    A segment is in order if one of its signatures is: another one beside it may be by a key that counts no more. A key
    counts as of the newest record that it signed.
    """
    layout, report = workspace.layout, SignatureReport()
    if not signature_names(layout):
        return report
    try:
        top = work_tree(workspace.root)
        tip = commit_id(top, base or "HEAD")
        repositories = frozenset(first_commits(top, tip))
    except ConfigurationError as error:
        if base is not None:
            raise
        report.summary = SignatureSummary(0, len(segment_names(layout)), (), f"Signatures are not verified: {error}")
        return report
    prefix = workspace.root.relative_to(top).as_posix()
    path = SIGNERS_FILE if prefix == "." else f"{prefix}/{SIGNERS_FILE}"
    listed = regular_files_at(top, tip, [path]).get(path)
    allowed = AllowedSigners() if listed is None else parse_allowed_signers(listed)
    judging = _Judging(SignatureJudge(repositories, prefix, allowed), listed is not None)
    _Verification(workspace, judging, report).run()
    return report


class _Verification(Struct):
    workspace: Workspace
    judging: _Judging
    report: SignatureReport

    def run(self) -> None:
        layout = self.workspace.layout
        names = set(segment_names(layout))
        beside: dict[str, list[tuple[str, SignedStatement]]] = {}
        packed: list[tuple[str, SignedStatement]] = []
        for name, signed in all_signatures(layout):
            if signed is None:
                self._add(name, SignatureFault(FaultCode.SIGNATURE_DAMAGED, "This is no file of signatures."))
            segment = signed_segment(name)
            for one in signed or ():
                if segment in names:
                    beside.setdefault(segment or "", []).append((name, one))
                else:
                    packed.append((name, one))
        signers, covered = Counter[str](), 0
        for segment, pairs in sorted(beside.items()):
            content = SegmentContent(segment, read_segment(layout.trace / segment))
            moment = _moment(content.content.rstrip(b"\r\n").rpartition(b"\n")[2])
            judged = [(name, one, self.judging.judge.of_segment(one, content, moment)) for name, one in pairs]
            signed_by = self._judged(judged)
            signers.update(signed_by)
            covered += bool(signed_by)
        lines, moments = self._packed_lines([part for _, one in packed for part in _parts(one)])
        by_statement: dict[bytes, list[tuple[str, SignedStatement, tuple[str, ...] | SignatureFault]]] = {}
        for name, one in packed:
            times = [moments[key] for part in _parts(one) if (key := (part.writer, part.last)) in moments]
            verdict = self.judging.judge.of_packed(one, lines, max(times, default=now()))
            by_statement.setdefault(one.message, []).append((name, one, verdict))
        for judged in by_statement.values():
            self._judged(judged)
        shown = tuple(sorted(signers.items()))
        self.report.summary = SignatureSummary(covered, len(names), shown)

    def _judged(
        self, judged: Iterable[tuple[str, SignedStatement, tuple[str, ...] | SignatureFault]]
    ) -> frozenset[str]:
        """Who signed, by the first of each signer's names; if nobody did who may, what is wrong is a problem."""
        names, faults = set[str](), list[tuple[str, SignatureFault]]()
        for file, one, first in judged:
            verdict = self.judging.names(first, one)
            if isinstance(verdict, SignatureFault):
                faults.append((file, verdict))
            else:
                names.update(verdict[:1])
        for file, fault in () if names else dict.fromkeys(faults):
            self._add(file, fault)
        return frozenset(names)

    def _add(self, file: str, fault: SignatureFault) -> None:
        kind = ProblemKind(fault.code.lower().replace("_", "-"))
        message = f"{fault.message}{_ADVICE.get(fault.code, '')}"
        self.report.problems.append(IntegrityProblem(0, kind, message, file))

    def _packed_lines(
        self, parts: list[ChainPart]
    ) -> tuple[dict[tuple[str, int], PackedLine], dict[tuple[str, int], datetime]]:
        """The archived lines of the writers in question, and the times of those that parts end with."""
        lines: dict[tuple[str, int], PackedLine] = {}
        moments: dict[tuple[str, int], datetime] = {}
        writers, ends = {part.writer for part in parts}, {(part.writer, part.last) for part in parts}
        for line in self._archived() if parts else ():
            link = read_link(line)
            if link is None or link.writer not in writers:
                continue
            place = (link.writer, link.seq)
            lines.setdefault(place, PackedLine(line_hash(line), link.prev))
            if place in ends:
                moments.setdefault(place, _moment(line))
        return lines, moments

    def _archived(self) -> Iterator[bytes]:
        for archive in archives(self.workspace.layout):
            try:
                yield from (line for raw in archive.lines() if (line := strip_end(raw)).strip())
            except ArchiveUnreadable:
                continue  # that is a problem by itself


def _parts(signed: SignedStatement) -> tuple[ChainPart, ...]:
    statement = signed.statement
    return () if statement is None else statement.chains


def _moment(line: bytes) -> datetime:
    """When a record was made, as it says itself; now, if it does not say."""
    match = _TIME.search(line)
    try:
        return now() if match is None else parse_timestamp(match[1].decode("ascii", "replace"))
    except ValueError:
        return now()
