"""Who signed the records of a branch? All that decides is from the base: its policy, its list, its first commits.

The base is taken as it is now, not as it was when the branch began: a key that was taken off the list since counts no
more. A branch can put into its own files what it likes; it only adds to what is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.core.gate.policy import Policy, Signatures
from intentls.core.ledger.hash_chain import line_hash, parse, read_link
from intentls.core.ledger.record_json import approvers_of
from intentls.core.ledger.signatures.allowed_signers import AllowedSigners, parse_allowed_signers
from intentls.core.ledger.signatures.judge import PackedLine, SegmentContent, SignatureFault, SignatureJudge
from intentls.core.ledger.signatures.ssh_signature import fingerprint
from intentls.core.ledger.signatures.statement import SignedStatement
from intentls.core.patterns.protected_paths import POLICY_FILE, SIGNERS_FILE
from intentls.engine.branch_check.branch_ledgers import BranchLedgers
from intentls.engine.branch_check.comparison import Comparison
from intentls.store.clock import now
from intentls.store.config.declared_files import parse_policy
from intentls.store.git.commits import first_commits, regular_files_at
from intentls.store.git.ledger_at_commit import is_segment, is_signature_path
from intentls.store.git.tree_snapshot import TreeSnapshot
from intentls.store.layout import TRACE_NAME
from intentls.store.ledger_files.segments import digest_of, lines_of
from intentls.store.ledger_files.signature_files import read_signatures, signed_segment

_REGULAR = frozenset({"100644", "100755"})
_TRACE = f"{TRACE_NAME}/"
_LATER = frozenset({BranchCode.UNSIGNED_RECORDS, BranchCode.APPROVAL_UNSIGNED, BranchCode.SIGNER_NOT_ALLOWED})
_ADVICE = "`intentls sign` signs it, with the key that git signs with; then commit what it wrote."


class SignatureRules(Struct, frozen=True):
    """What the base asks for, and whom it allows. `trusted_id` is its commit."""

    trusted_id: str
    policy: Policy
    allowed: AllowedSigners


class _SignatureFile(Struct, frozen=True):
    """A file of signatures of the head, by its path below `.orchestration/`. `signed` is None if it is unreadable."""

    name: str
    signed: tuple[SignedStatement, ...] | None


def signature_findings(comparison: Comparison, prefix: str, ledgers: BranchLedgers) -> Iterator[BranchFinding]:
    """What is wrong with the signatures of the root at `prefix`; nothing where the base's policy does not ask for any.

    Raises ConfigurationError in a clone that is too shallow, and LedgerUnavailable.
    """
    rules = _rules(comparison, prefix)
    if rules is None:
        return
    is_required = rules.policy.signatures is Signatures.REQUIRE
    for finding in _SignatureCheck(comparison, prefix, ledgers, rules).findings():
        # What is not committed can still be signed, or signed by another.
        is_early = not comparison.is_committed and finding.code in _LATER
        yield finding if is_required and not is_early else replace(finding, level=FindingLevel.WARNING)


def _rules(comparison: Comparison, prefix: str) -> SignatureRules | None:
    trusted = comparison.trusted_id
    if trusted is None:
        return None
    names = [prefix + POLICY_FILE, prefix + SIGNERS_FILE]
    if trusted == comparison.base_id:  # which was listed already
        files = dict(comparison.base.read_regular(names))
    else:
        files = regular_files_at(comparison.top, trusted, names)
    policy = parse_policy(files.get(prefix + POLICY_FILE)).policy
    if policy.signatures is Signatures.OFF:
        return None
    return SignatureRules(trusted, policy, parse_allowed_signers(files.get(prefix + SIGNERS_FILE, b"")))


class _SignatureCheck(Struct, frozen=True, dict=True):
    comparison: Comparison
    prefix: str
    ledgers: BranchLedgers
    rules: SignatureRules
    _signers: dict[bytes, frozenset[str]] = field(default_factory=dict)
    """Who signed each new line, by its digest."""

    def findings(self) -> Iterator[BranchFinding]:
        yield from self._new_signers()
        yield from self._removed()
        yield from self._colliding()
        for file in self._added.values():
            if file.signed is None:
                message = "This is no file of signatures. `intentls sign` makes one."
                yield BranchFinding(BranchCode.SIGNATURE_DAMAGED, self.ledgers.home + file.name, message)
        for name in self._new_segments:
            yield from self._segment(name)
        yield from self._late()
        yield from self._packed()
        if self.rules.policy.signed_approvals:
            yield from self._approvals()

    @cached_property
    def _judge(self) -> SignatureJudge:
        top, base = self.comparison.top, self.rules.trusted_id
        root = self.prefix.removesuffix("/") or "."
        return SignatureJudge(frozenset(first_commits(top, base)), root, self.rules.allowed, self._proposed)

    @cached_property
    def _proposed(self) -> AllowedSigners:
        """The lines of the list that the branch added."""
        before, head = (self._list_of(snapshot) for snapshot in (self.comparison.base, self.comparison.head))
        return AllowedSigners(head.beyond(self.rules.allowed, before))

    def _list_of(self, snapshot: TreeSnapshot) -> AllowedSigners:
        entry = snapshot.entries.get(self.prefix + SIGNERS_FILE)
        is_file = entry is not None and entry.mode in _REGULAR
        return parse_allowed_signers(snapshot.read(self.prefix + SIGNERS_FILE) or b"" if is_file else b"")

    def _new_signers(self) -> Iterator[BranchFinding]:
        for line in self._proposed.signers:
            who = f"{', '.join(line.names)} ({fingerprint(line.key)})"
            message = (
                f"{who} may sign as this branch has it, and not as the base has it. Decide it on a branch by itself."
            )
            yield BranchFinding(BranchCode.SIGNER_ADDED, self.prefix + SIGNERS_FILE, message)

    # -- files of signatures

    @cached_property
    def _added(self) -> Mapping[str, _SignatureFile]:
        """The files of signatures that the head has and the base has not, or has otherwise."""
        return self._files(self.comparison.head, self.comparison.base, self.comparison.joined)

    @cached_property
    def _gone(self) -> Mapping[str, _SignatureFile]:
        """Those that the base has and the head has not, or has otherwise."""
        return self._files(self.comparison.base, self.comparison.head)

    def _files(self, snapshot: TreeSnapshot, *others: TreeSnapshot | None) -> dict[str, _SignatureFile]:
        home = self.ledgers.home
        paths = [
            path
            for path, entry in snapshot.entries.items()
            if path.startswith(home)
            and is_signature_path(path.removeprefix(home))
            and entry.mode in _REGULAR
            and not any(_has_same(other, path, entry.oid) for other in others)
        ]
        files = ((path.removeprefix(home), content) for path, content in snapshot.read_all(paths))
        return {name: _SignatureFile(name, read_signatures(name, content)) for name, content in files}

    def _removed(self) -> Iterator[BranchFinding]:
        kept = {one.text for file in self._added.values() for one in file.signed or ()}
        for file in self._gone.values():
            if any(one.text not in kept for one in file.signed or ()):
                message = "Signatures of the base are gone or altered, and no other file has them. Restore the file."
                yield BranchFinding(BranchCode.SIGNATURE_REMOVED, self.ledgers.home + file.name, message)

    def _colliding(self) -> Iterator[BranchFinding]:
        """New files of the ledger whose names differ from another's in case alone."""
        home, base = self.ledgers.home + _TRACE, self.comparison.base.entries
        names: dict[str, list[str]] = {}
        for path in self.comparison.head.entries:
            if path.startswith(home):
                names.setdefault(path.casefold(), []).append(path)
        for path in (path for same in names.values() if len(same) > 1 for path in same if path not in base):
            message = "Another file has this name in other letters, and many systems can hold only one of the two."
            yield BranchFinding(BranchCode.SIGNATURE_SWAPPED, path, message)

    # -- segments

    @cached_property
    def _new_segments(self) -> tuple[str, ...]:
        """By their paths below `.orchestration/`."""
        base, head, joined = self.ledgers.base, self.ledgers.head, self.comparison.joined
        return tuple(
            name
            for name, oid in head.objects.items()
            if is_segment(name)
            and not (name in base.objects and base.is_shared(name, head))
            and not _has_same(joined, self.ledgers.home + name, oid)
        )

    @cached_property
    def _beside(self) -> Mapping[str, tuple[_SignatureFile, ...]]:
        """The files of signatures beside each new segment, those that the base has too."""
        home, wanted = self.ledgers.home + _TRACE, {name.removeprefix(_TRACE) for name in self._new_segments}
        head = self.comparison.head
        paths = [
            path
            for path, entry in head.entries.items()
            if path.startswith(home) and signed_segment(path.removeprefix(home)) in wanted and entry.mode in _REGULAR
        ]
        beside: dict[str, tuple[_SignatureFile, ...]] = {}
        for path, content in head.read_all(sorted(paths)):
            name = path.removeprefix(home)
            file = _SignatureFile(_TRACE + name, read_signatures(name, content))
            key = _TRACE + (signed_segment(name) or "")
            beside[key] = (*beside.get(key, ()), file)
        return beside

    def _segment(self, name: str) -> Iterator[BranchFinding]:
        segment = SegmentContent(name.removeprefix(_TRACE), self.ledgers.head.texts[name])
        names, faults = set[str](), list[tuple[str, SignatureFault]]()
        for file in self._beside.get(name, ()):
            for signed in file.signed or ():
                verdict = self._judge.of_segment(signed, segment, now())
                if isinstance(verdict, SignatureFault):
                    faults.append((file.name, verdict))
                else:
                    names.update(verdict)
        digests = [digest_of(line) for line in lines_of(segment.content)]
        self._signers.update(dict.fromkeys(digests, frozenset(names)))
        findings = [*self._judged(name, len(digests), names, faults)]
        if findings and (faults or not self._before.issuperset(digests)):
            yield from findings

    @cached_property
    def _before(self) -> set[bytes]:
        """The lines that the base has, wherever: those of an older repository may have moved to a segment."""
        return self.ledgers.base.digests()

    def _judged(
        self, name: str, records: int, names: set[str], faults: Iterable[tuple[str, SignatureFault]]
    ) -> Iterator[BranchFinding]:
        """What is to be said of records that `names` signed, beside signatures that do not count."""
        lacking = self.rules.policy.lacking_signers(names)
        if names and not lacking:
            return
        own = [BranchFinding(BranchCode(fault.code), self.ledgers.home + file, fault.message) for file, fault in faults]
        if own:
            yield from dict.fromkeys(own)
            return
        if names:
            message = f"Signed by {', '.join(sorted(names))}; the base asks for {_shown(lacking)} as well. {_ADVICE}"
        else:
            message = f"It has {_count(records)} that nobody has signed. {_ADVICE}"
        yield BranchFinding(BranchCode.UNSIGNED_RECORDS, self.ledgers.home + name, message)

    def _late(self) -> Iterator[BranchFinding]:
        """New signatures of segments that the base has already: none that does not count may come in."""
        new, texts = set(self._new_segments), self.ledgers.head.texts
        for file in self._added.values():
            name = _TRACE + (signed_segment(file.name.removeprefix(_TRACE)) or "")
            if name in new or name not in texts:
                continue
            segment = SegmentContent(name.removeprefix(_TRACE), texts[name])
            for signed in file.signed or ():
                verdict = self._judge.of_segment(signed, segment, now())
                if isinstance(verdict, SignatureFault):
                    yield BranchFinding(BranchCode(verdict.code), self.ledgers.home + file.name, verdict.message)

    # -- archives

    def _packed(self) -> Iterator[BranchFinding]:
        """Signatures whose segment is in an archive or gone, and new records in archives."""
        base, head = self.ledgers.base, self.ledgers.head
        before = {one.text for file in self._gone.values() for one in file.signed or ()}
        there = {name.removeprefix(_TRACE) for name in head.texts}
        loose = [
            (file.name, signed)
            for file in self._added.values()
            for signed in file.signed or ()
            if signed_segment(file.name.removeprefix(_TRACE)) not in there
        ]
        archives = [name for name in head.archives if not (name in base.objects and base.is_shared(name, head))]
        if not loose and not archives:
            return
        lines, digests = self._archived()
        names: dict[tuple[str, int], set[str]] = {}
        faults: list[tuple[str, SignatureFault]] = []
        for name, signed in loose:
            verdict = self._judge.of_packed(signed, lines, now())
            if isinstance(verdict, SignatureFault):
                if signed.text not in before:
                    faults.append((name, verdict))
                continue
            for part in () if signed.statement is None else signed.statement.chains:
                for seq in range(part.first, part.last + 1):
                    names.setdefault((part.writer, seq), set()).update(verdict)
        for name, fault in dict.fromkeys(faults):
            yield BranchFinding(BranchCode(fault.code), self.ledgers.home + name, fault.message)
        known = self._before.union(*(set(map(digest_of, lines_of(text))) for text in head.texts.values()))
        for name in archives:
            own = [digest_of(line) for line in head.lines(name) if line.strip()]
            new = [digest for digest in own if digest not in known and digest not in self._signers]
            self._signers.update({digest: frozenset(names.get(digests.get(digest, ("", 0)), ())) for digest in new})
            unsigned = [digest for digest in new if self._lacks(self._signers[digest])]
            if unsigned:
                yield from self._judged(name, len(unsigned), set(), ())

    def _lacks(self, names: frozenset[str]) -> bool:
        return not names or bool(self.rules.policy.lacking_signers(names))

    def _archived(self) -> tuple[dict[tuple[str, int], PackedLine], dict[bytes, tuple[str, int]]]:
        """The archived lines by their places, and the places by the lines' digests."""
        head = self.ledgers.head
        lines: dict[tuple[str, int], PackedLine] = {}
        digests: dict[bytes, tuple[str, int]] = {}
        for name in head.archives:
            for line in head.lines(name):
                link = read_link(line) if line.strip() else None
                if link is not None:
                    place = (link.writer, link.seq)
                    lines.setdefault(place, PackedLine(line_hash(line), link.prev))
                    if lines[place].line_hash == line_hash(line):
                        digests[digest_of(line)] = place
        return lines, digests

    # -- approvals

    def _approvals(self) -> Iterator[BranchFinding]:
        """Approvals and attestations in a name that signed nothing of them."""
        head = self.ledgers.head
        for name in (*head.archives, *self._new_segments):
            for number, line in enumerate(head.lines(name), start=1):
                signers = self._signers.get(digest_of(line))
                record = (None if signers is None else parse(line)) or {}
                for by in approvers_of(record):
                    if signers is None or by in signers:
                        continue
                    yield BranchFinding(
                        BranchCode.APPROVAL_UNSIGNED,
                        self.ledgers.home + name,
                        f"It says that {by} let this pass, and no signature in that name covers it. {by} signs it: "
                        "`intentls sign --countersign`.",
                        lines=((number, number),) if name in head.texts else (),
                        record_ids=(str(record.get("id")),),
                    )


def _has_same(snapshot: TreeSnapshot | None, path: str, oid: str | None) -> bool:
    entry = None if snapshot is None else snapshot.entries.get(path)
    return entry is not None and oid is not None and entry.oid == oid


def _count(number: int) -> str:
    return f"{number:,} record{'' if number == 1 else 's'}"


def _shown(patterns: Iterable[str]) -> str:
    return " and ".join(patterns)
