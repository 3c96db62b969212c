"""What can be said against a branch: codes, findings, and the case against one record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from intentls.core.intents.intent import Intent
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.ledger.record import UNTRACKED


class BranchCode(StrEnum):
    """What is wrong. Where the gate refuses for the same reason, the code is the gate's."""

    UNCOVERED_CHANGE = "UNCOVERED_CHANGE"
    CONTENT_MISMATCH = "CONTENT_MISMATCH"
    INTENT_REQUIRED = "INTENT_REQUIRED"
    INTENT_NOT_FOUND = "INTENT_NOT_FOUND"
    INTENT_CLOSED = "INTENT_CLOSED"
    INTENT_IGNORED = "INTENT_IGNORED"
    SCOPE_VIOLATION = "SCOPE_VIOLATION"
    INTENTIGNORE_PATH_BLOCKED = "INTENTIGNORE_PATH_BLOCKED"
    PROTECTED_PATH = "PROTECTED_PATH"
    CONSTRAINT_VIOLATION = "CONSTRAINT_VIOLATION"
    SUBMODULE_CHANGED = "SUBMODULE_CHANGED"
    LEDGER_REWRITTEN = "LEDGER_REWRITTEN"
    LEDGER_BROKEN = "LEDGER_BROKEN"
    SCOPE_WIDENED = "SCOPE_WIDENED"
    INTENT_REOPENED = "INTENT_REOPENED"
    INTENT_REMOVED = "INTENT_REMOVED"
    POLICY_LOOSENED = "POLICY_LOOSENED"
    IGNORE_LOOSENED = "IGNORE_LOOSENED"
    CONFIGURATION_INVALID = "CONFIGURATION_INVALID"
    ROOT_CHANGED = "ROOT_CHANGED"


class FindingLevel(StrEnum):
    """Whether a finding fails the check."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class BranchFinding:
    """`path` is relative to the top of the repository; `lines` (from 1, both included) are those of the new content.

    `record_ids` are the records in question, `intent_id` the intent.
    """

    code: BranchCode
    path: str
    message: str
    lines: tuple[tuple[int, int], ...] = ()
    intent_id: str | None = None
    record_ids: tuple[str, ...] = ()
    level: FindingLevel = FindingLevel.ERROR


@dataclass(frozen=True, slots=True)
class DeclaredRules:
    """What one version of a root's files declared. `empty_scope_denied` is its policy's."""

    intents: Mapping[str, Intent] = field(default_factory=dict)
    ignore: IgnoreRules = field(default_factory=IgnoreRules)
    empty_scope_denied: bool = False


@dataclass(frozen=True, slots=True)
class BranchRules:
    """What a branch is judged by.

    `base` and `head` declared what holds; what stood `between` counts for the intents that are `vouched` for only: a
    record says that they were changed, and why. What nobody declared before the branch is vouched for by itself.
    """

    base: DeclaredRules
    head: DeclaredRules
    between: tuple[DeclaredRules, ...] = ()
    vouched: frozenset[str] = frozenset()

    def faults(self, record: Mapping[str, Any], path: str) -> tuple[tuple[BranchCode, str], ...]:
        """What is to be said against a record that changed `path`, in the gate's order."""
        intent_id, waived = str(record.get("intent_id") or UNTRACKED), waived_codes(record)
        found = tuple(self._against_intent(intent_id, path, waived))
        if self.ignores(path) and BranchCode.INTENTIGNORE_PATH_BLOCKED not in waived:
            found += ((BranchCode.INTENTIGNORE_PATH_BLOCKED, f"{path} is off limits by .intentignore"),)
        return found

    def ignores(self, path: str) -> bool:
        """Whether the path is off limits, before the branch or after it."""
        return any(declared.ignore.excludes_path(path) for declared in (self.base, self.head))

    def versions(self, intent_id: str) -> Sequence[DeclaredRules]:
        """What counts for an intent, newest first."""
        between = self.between if intent_id in self.vouched or intent_id not in self.base.intents else ()
        return (self.head, *between, self.base)

    def _against_intent(self, intent_id: str, path: str, waived: frozenset[str]) -> Iterable[tuple[BranchCode, str]]:
        if intent_id == UNTRACKED:
            if BranchCode.INTENT_REQUIRED not in waived:
                yield BranchCode.INTENT_REQUIRED, "changed under no intent"
            return
        versions = self.versions(intent_id)
        known = [(each.intents[intent_id], each) for each in versions if intent_id in each.intents]
        if not known:
            yield BranchCode.INTENT_NOT_FOUND, f"changed under {intent_id}, which is not declared"
            return
        if BranchCode.INTENT_CLOSED not in waived and not any(intent.is_open for intent, _ in known):
            yield BranchCode.INTENT_CLOSED, f"changed under {intent_id}, which is {known[0][0].status}"
        if BranchCode.INTENT_IGNORED not in waived and any(
            declared.ignore.excludes_intent(intent_id) for declared in (self.base, self.head)
        ):
            yield BranchCode.INTENT_IGNORED, f"changed under {intent_id}, which .intentignore takes out of use"
        if BranchCode.SCOPE_VIOLATION not in waived and not any(
            _allows(intent, declared, path) for intent, declared in known
        ):
            yield BranchCode.SCOPE_VIOLATION, f"changed under {intent_id}, whose scope does not have it"


def waived_codes(record: Mapping[str, Any]) -> frozenset[str]:
    """The codes that a person let pass for this record."""
    listed = record.get("overrides")
    overrides = listed if isinstance(listed, list) else [record.get("override")]
    return frozenset(str(each.get("code")) for each in overrides if isinstance(each, dict))


def _allows(intent: Intent, declared: DeclaredRules, path: str) -> bool:
    if intent.scope.is_whole_workspace and declared.empty_scope_denied:
        return False
    return intent.scope.contains(path)
