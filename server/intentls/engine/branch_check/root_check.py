"""One root of the compared states: its declarations, its ledgers, and all that is wrong with its changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.branch.derived_changes import concerns_ledger_only
from intentls.core.branch.fences import late_writes
from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules, FindingLevel
from intentls.core.gate.policy import Attest, LeasePolicy
from intentls.core.intents.intent import Intent, names_of
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.branch_check.attested_changes import AttestationState, AttestedChange, attested_changes
from intentls.engine.branch_check.attested_declarations import AttestedDeclarations
from intentls.engine.branch_check.branch_ledgers import BranchLedgers, open_ledgers
from intentls.engine.branch_check.comparison import ChangedPath, Comparison
from intentls.engine.branch_check.constraint_findings import constraint_findings
from intentls.engine.branch_check.coverage import Coverage
from intentls.engine.branch_check.declarations import (
    DeclaredLineOwners,
    DeclaredVersion,
    Loosenings,
    branch_rules,
    intents_between,
    is_advisory,
    read_declarations,
)
from intentls.engine.branch_check.kept_files import KeptFiles, is_kept
from intentls.engine.branch_check.late_records import late_entries
from intentls.engine.branch_check.uncovered_versions import UncoveredVersion, uncovered_versions
from intentls.late_module import LateModule
from intentls.store.config.declared_files import parse_all_intents
from intentls.store.git.intents_in_refs import merged_or_gone
from intentls.store.layout import INTENTS_FOLDER_NAME, ORCHESTRATION

if TYPE_CHECKING:
    import tempfile
else:
    tempfile = LateModule("tempfile")  # only archives are laid out in a directory

REGULAR = "100644"
_MAP, _INTENTS = f"{ORCHESTRATION}/intent_map.md", f"{ORCHESTRATION}/{INTENTS_FOLDER_NAME}"
_UNRECORDED = frozenset({BranchCode.UNCOVERED_CHANGE, BranchCode.CONTENT_MISMATCH, BranchCode.UNCOVERED_DECLARATION})
_LOOSENED = frozenset({BranchCode.SCOPE_WIDENED, BranchCode.INTENT_REOPENED, BranchCode.RULE_DROPPED})
"""What a person may vouch for: a change that no record explains."""


class RootCheck(Struct, frozen=True, dict=True):
    """The root at `prefix` ("" or "services/billing/"), with what it declared at the base and at the head."""

    comparison: Comparison
    prefix: str
    base: DeclaredVersion
    head: DeclaredVersion
    ledgers: BranchLedgers
    rules: BranchRules
    attestations: list[AttestedChange]
    """What people vouched for on this branch."""
    attested: AttestedDeclarations

    @cached_property
    def coverage(self) -> Coverage:
        """What judges ordinary files."""
        return Coverage(self.comparison, self.prefix, self.ledgers, self.rules)

    def findings(
        self, changes: Sequence[ChangedPath], lenient: frozenset[BranchCode] = frozenset()
    ) -> Iterator[BranchFinding]:
        """What is wrong with `changes`, all of this root. Findings of the codes in `lenient` are warnings."""
        findings = [*self.ledgers.findings]
        if self.comparison.joined is None:  # what a merge brings in was judged where it was made
            late = partial(late_entries, self.comparison, self.ledgers, self.prefix)
            owners = DeclaredLineOwners(self.head.intents, self.ledgers, late)
            findings += Loosenings(self.prefix, self.base, self.head, owners, self.attested).findings()
        names = names_of({**self._on_disk(), **self.base.intents.intents, **self.head.intents.intents})
        kept: list[ChangedPath] = []
        ordinary: list[ChangedPath] = []
        for change in changes:
            if self._is_set_up(change):
                continue
            (kept if is_kept(change.path.removeprefix(self.prefix)) else ordinary).append(change)
        findings += KeptFiles(self.comparison, self.prefix, self.ledgers, names).findings(kept)
        findings += self.coverage.findings(ordinary)
        findings += constraint_findings(self.comparison, self.prefix, self.ledgers, self.rules, ordinary)
        findings = self._expected(findings, changes)
        findings += self._late_writes()
        findings += [change.finding() for change in self.attestations if change.state is AttestationState.UNREVIEWED]
        yield from self.leveled(findings, lenient)

    def _late_writes(self) -> list[BranchFinding]:
        """What was changed without a lease that counted: warnings, unless leases are enforced on either side."""
        late = late_writes(self.ledgers.records, self.ledgers.older_records, self.prefix)
        if LeasePolicy.ENFORCE in (self.base.policy.leases, self.head.policy.leases):
            return late
        return [replace(finding, level=FindingLevel.WARNING) for finding in late]

    def leveled(self, findings: Iterable[BranchFinding], lenient: frozenset[BranchCode]) -> Iterator[BranchFinding]:
        """The findings, as warnings where their code is in `lenient` or the policy only advises."""
        advisory = is_advisory(self.base, self.head)
        for finding in findings:
            is_warning = advisory or finding.code in lenient
            yield replace(finding, level=FindingLevel.WARNING) if is_warning else finding

    def merged_but_open(self) -> tuple[Intent, ...]:
        """The intents that are open although the base has the work of their branches, or the branches are gone."""
        base, declared = self.comparison.base_id, self.base.intents.intents
        named = [
            intent
            for intent in self.head.intents.intents.values()
            if intent.is_open and intent.branch and intent.id in declared
        ]
        if base is None or not named:
            return ()
        done = merged_or_gone(self.comparison.top, [str(intent.branch) for intent in named], base)
        return tuple(i for i in named if i.branch in done and self.ledgers.has_work_in_base(i.id))

    def _on_disk(self) -> Mapping[str, Intent]:
        """Before a commit, the intents that are declared and not staged: the map that git keeps may name them."""
        if self.comparison.is_committed or f"{self.prefix}{_MAP}" not in self.comparison.head.entries:
            return {}
        files = (self.comparison.top / self.prefix / _INTENTS).glob("*.yaml")
        names = [INTENTS_FILE, *(f"{_INTENTS}/{file.name}" for file in files)]
        contents = ((name, self.comparison.in_work_tree(self.prefix + name)) for name in names)
        return parse_all_intents({name: data for name, data in contents if data is not None}).intents

    def _is_set_up(self, change: ChangedPath) -> bool:
        """Whether this is what `intentls init` adds to `.gitattributes`."""
        if change.path != f"{self.prefix}.gitattributes" or change.new is None:
            return False
        if change.new.mode != REGULAR or (change.old is not None and change.old.mode != REGULAR):
            return False
        old, new = (
            (snapshot.read(change.path) or b"").decode("utf-8", "surrogateescape")
            for snapshot in (self.comparison.base, self.comparison.head)
        )
        return concerns_ledger_only(old, new)

    def uncovered(self, changes: Sequence[ChangedPath], author: str = "") -> dict[str, list[UncoveredVersion]]:
        """By path, the versions of `changes` that no record explains. `author` made what is not committed yet."""
        return uncovered_versions(self.coverage, changes, author)

    def _expected(self, findings: list[BranchFinding], changes: Sequence[ChangedPath]) -> list[BranchFinding]:
        """The findings, as warnings where only authors made them whom the policies of both sides expect."""
        policies = (self.base.policy, self.head.policy)
        open_ = [finding for finding in findings if finding.code in _UNRECORDED]
        if not open_ or not all(policy.attest_authors for policy in policies):
            return findings
        paths = {finding.path for finding in open_}
        authors = {
            path: {(version.author, version.address) for version in versions}
            for path, versions in self.uncovered([change for change in changes if change.path in paths]).items()
        }
        return [
            replace(
                finding,
                level=FindingLevel.WARNING,
                message=f"{finding.message} It is by {_names(authors[finding.path])}, as `attest_authors` expects.",
            )
            if finding.code in _UNRECORDED
            and authors.get(finding.path)
            and all(policy.expects_author(*who) for policy in policies for who in authors[finding.path])
            else finding
            for finding in findings
        ]


def is_attestable(finding: BranchFinding) -> bool:
    """Whether an attestation would close what was found, or make a warning of it."""
    is_open = finding.code in _LOOSENED and finding.level is FindingLevel.ERROR
    return is_open or finding.code in _UNRECORDED


@contextmanager
def open_root_check(comparison: Comparison, prefix: str) -> Iterator[RootCheck]:
    """The root at `prefix`, for as long as its ledgers are laid out. Raises LedgerUnavailable."""
    base, head = (read_declarations(snapshot, prefix) for snapshot in (comparison.base, comparison.head))
    with ExitStack() as stack:

        @cache
        def directory() -> Path:
            return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="intentls-check-")))

        ledgers = open_ledgers(comparison.base, comparison.head, prefix, directory)
        # The stricter of both policies, so that no branch can say for itself what counts.
        attest = max((base.policy.attest, head.policy.attest), key=tuple(Attest).index)
        ledgers.attestations_count = attest is not Attest.DENY
        attestations = attested_changes(ledgers.records, prefix, attest)
        between = intents_between(comparison, prefix, base, head)
        ends = (
            (path, file.encode(file.text)) for version in (base, head) for path, file in version.intents.files.items()
        )
        attested = AttestedDeclarations(attestations, prefix, [*between, *ends])
        rules = branch_rules(base, head, between, ledgers, attested)
        yield RootCheck(comparison, prefix, base, head, ledgers, rules, attestations, attested)


def _names(authors: set[tuple[str, str]]) -> str:
    return ", ".join(sorted({name for name, _ in authors}))
