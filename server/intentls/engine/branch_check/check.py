"""`intentls check --base`: every root of a repository, judged one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.branch_check.attested_changes import AttestedChange
from intentls.engine.branch_check.comparison import ChangedPath, Comparison, ComparisonRequest, compare
from intentls.engine.branch_check.declarations import DECLARED
from intentls.engine.branch_check.root_check import RootCheck, open_root_check
from intentls.engine.branch_check.signature_findings import signature_findings
from intentls.late_pattern import late_pattern
from intentls.store.git.ledger_at_commit import is_segment
from intentls.store.git.tree_snapshot import TreeSnapshot, read_ahead
from intentls.store.layout import INTENTS_NAME, LEDGER_NAME, ORCHESTRATION, TRACE_NAME

_MARK = late_pattern(
    rf"(?P<prefix>(?:.*/)?){re.escape(ORCHESTRATION)}/"
    rf"(?:{re.escape(INTENTS_NAME)}|{re.escape(LEDGER_NAME)}|intents/[^/.][^/]*\.yaml|{TRACE_NAME}/[^/.][^/]*\.jsonl)",
    re.DOTALL,
)

_FEW = 100  # changes whose contents are read at once, with what the roots declare

Look = Callable[[RootCheck, Sequence[ChangedPath]], None]

_MISSING = frozenset({BranchCode.UNCOVERED_CHANGE, BranchCode.CONTENT_MISMATCH})


class BranchReport(Struct, frozen=True):
    """What was found. `roots` are those that were judged, by path from the top (`.` is the top); `files` the changes
    below them. `notes` are sentences about what was not judged, `attestations` what people vouched for.
    """

    top: Path
    base: str | None
    head: str
    roots: tuple[str, ...]
    files: int
    findings: tuple[BranchFinding, ...]
    notes: tuple[str, ...] = ()
    attestations: tuple[AttestedChange, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings fail the check."""
        return sum(finding.level is FindingLevel.ERROR for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many do not."""
        return len(self.findings) - self.errors


def check_branch(start: Path, request: ComparisonRequest, look: Look | None = None) -> BranchReport:
    """Judge what is requested, in the repository that has `start`. Changes and records nothing.

    `look` is called with each root that is judged, while its ledgers are laid out, and with the changes below it.
    Raises ConfigurationError where git can't answer, and LedgerUnavailable where an archive can't be read.
    """
    comparison = compare(start, request)
    old, new = roots_of(comparison.base), roots_of(comparison.head)
    only = None if request.only is None else prefix_of(comparison.top, request.only)
    changes = comparison.changed()
    files_of_roots = [prefix + name for prefix in old | new for name in DECLARED]
    read_ahead((comparison.base, comparison.head), [*files_of_roots, *(change.path for change in changes[:_FEW])])
    findings: list[BranchFinding] = list(_root_changes(old, new, only))
    attestations: list[AttestedChange] = []
    notes: list[str] = []
    files = 0
    judged = sorted(prefix for prefix in new if only in (None, prefix))
    for prefix in judged:
        mine = [change for change in changes if governing(change.path, new | old) == prefix]
        if prefix not in old and governing(prefix + "x", old) is None:
            folder = f"intentls was set up in {prefix}" if prefix else "intentls was set up"
            notes.append(f"{folder} on this branch: changes are judged from that commit on.")
            continue
        files += len(mine)
        with open_root_check(comparison, prefix) as root:
            of_root = list(root.findings(mine, request.lenient))
            of_root += root.leveled(signature_findings(comparison, prefix, root.ledgers), request.lenient)
            attestations += root.attestations
            if look is not None:
                look(root, mine)
            if comparison.is_committed:
                notes += [
                    f"{intent.id} is still {intent.status}, and its branch {intent.branch} is merged or gone: "
                    f"`intentls close {intent.id}`."
                    for intent in root.merged_but_open()
                ]
        findings += of_root
        if request.staged and any(finding.code in _MISSING for finding in of_root) and _is_behind(comparison, prefix):
            ledger = f"{prefix}{ORCHESTRATION}"
            notes.append(f"The ledger in {ledger} has records that are not staged: `git add {ledger}` may help.")
    return BranchReport(
        comparison.top,
        comparison.base_id,
        comparison.head_name,
        tuple(prefix.removesuffix("/") or "." for prefix in judged),
        files,
        tuple(sorted(findings, key=lambda finding: (finding.path, finding.lines, finding.code))),
        tuple(notes),
        tuple(sorted(attestations, key=lambda change: (change.path, change.lines))),
    )


def _root_changes(old: set[str], new: set[str], only: str | None) -> Iterator[BranchFinding]:
    for prefix in sorted(old - new):
        if only in (None, prefix):
            message = "The root is gone: nothing governs these files any more. Restore its intents and its ledger."
            yield BranchFinding(BranchCode.ROOT_CHANGED, prefix + INTENTS_FILE, message)
    for prefix in sorted(new - old):
        above = governing(prefix.removesuffix("/"), old)
        if above is not None and only in (None, prefix):
            message = (
                f"A root of its own begins inside {above or './'}, so the intents there no longer govern these files. "
                "Somebody who may decide that has to say so."
            )
            yield BranchFinding(BranchCode.ROOT_CHANGED, prefix + INTENTS_FILE, message)


def _is_behind(comparison: Comparison, prefix: str) -> bool:
    """Whether the ledger on the disk is not the one that is judged."""
    home = f"{prefix}{ORCHESTRATION}/"
    entries = comparison.head.entries
    names = [f"{TRACE_NAME}/{file.name}" for file in (comparison.top / home / TRACE_NAME).glob("*.jsonl")]
    segments = [name for name in names if is_segment(name)]
    if home + LEDGER_NAME not in entries and segments:
        return any(home + name not in entries for name in segments)
    try:
        return (comparison.top / home / LEDGER_NAME).read_bytes() != comparison.head.read(home + LEDGER_NAME)
    except OSError:
        return False


def roots_of(snapshot: TreeSnapshot) -> set[str]:
    """What the paths below each root begin with: "" at the top. A ledger with records makes a root as well."""
    matches = (_MARK.fullmatch(path) for path in snapshot.entries if ORCHESTRATION in path)
    return {match["prefix"] for match in matches if match is not None}


def governing(path: str, prefixes: Iterable[str]) -> str | None:
    fitting = [prefix for prefix in prefixes if path.startswith(prefix)]
    return max(fitting, key=len, default=None)


def prefix_of(top: Path, root: Path) -> str:
    inner = root.relative_to(top).as_posix() if root.is_relative_to(top) else f"{root}"
    return "" if inner == "." else f"{inner}/"
