"""The findings of the branch check, and the rules that one record may break."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from intentls.core.intents.intent import Intent
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.ledger.record_json import UNTRACKED, attestation_of


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
    INTENT_NEW = "INTENT_NEW"
    RULE_DROPPED = "RULE_DROPPED"
    POLICY_LOOSENED = "POLICY_LOOSENED"
    IGNORE_LOOSENED = "IGNORE_LOOSENED"
    UNCOVERED_DECLARATION = "UNCOVERED_DECLARATION"
    CONFIGURATION_INVALID = "CONFIGURATION_INVALID"
    ROOT_CHANGED = "ROOT_CHANGED"
    UNREVIEWED_ATTESTATION = "UNREVIEWED_ATTESTATION"
    UNSIGNED_RECORDS = "UNSIGNED_RECORDS"
    SIGNATURE_DAMAGED = "SIGNATURE_DAMAGED"
    SIGNATURE_NAMESPACE = "SIGNATURE_NAMESPACE"
    SIGNATURE_REPOSITORY = "SIGNATURE_REPOSITORY"
    SIGNATURE_SWAPPED = "SIGNATURE_SWAPPED"
    SIGNATURE_REPLAYED = "SIGNATURE_REPLAYED"
    SIGNATURE_REMOVED = "SIGNATURE_REMOVED"
    SEGMENT_TRUNCATED = "SEGMENT_TRUNCATED"
    SEGMENT_REBUILT = "SEGMENT_REBUILT"
    SIGNER_ADDED = "SIGNER_ADDED"
    SIGNER_NOT_ALLOWED = "SIGNER_NOT_ALLOWED"
    APPROVAL_UNSIGNED = "APPROVAL_UNSIGNED"
    LATE_WRITE = "LATE_WRITE"


class FindingLevel(StrEnum):
    """Whether a finding fails the check."""

    ERROR = "error"
    WARNING = "warning"


class BranchFinding(Struct, frozen=True):
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


class DeclaredRules(Struct, frozen=True):
    """What one version of a root's files declared. `empty_scope_denied`: its policy takes an empty scope for none."""

    intents: Mapping[str, Intent] = field(default_factory=dict)
    ignore: IgnoreRules = field(default_factory=IgnoreRules)
    empty_scope_denied: bool = False

    def allows(self, intent: Intent, path: str) -> bool:
        """Whether the scope of an intent that is declared here has `path`."""
        return not (intent.scope.is_whole_workspace and self.empty_scope_denied) and intent.scope.contains(path)


class BranchRules(Struct, frozen=True):
    """What a branch is judged by.

    `base` and `head` are declared before and after it. What was declared only `between` counts for intents that are
    `vouched` for: a record says that they were changed, and why. An intent that the base does not have needs no record,
    but the head must have it: what was declared for a moment only vouches for nothing.
    """

    base: DeclaredRules
    head: DeclaredRules
    between: tuple[DeclaredRules, ...] = ()
    vouched: frozenset[str] = frozenset()

    def violations(self, record: Mapping[str, Any], path: str) -> tuple[tuple[BranchCode, str], ...]:
        """The rules that a record broke by changing `path`, each with a message, in the gate's order."""
        if attestation_of(record) is not None:  # a person's word for a change stands outside of intents
            return ()
        waived = overridden_codes(record) - {BranchCode.INTENT_NOT_FOUND}  # what is not declared can't be let pass
        intent_id = str(record.get("intent_id") or UNTRACKED)
        found = [*self._intent_violations(intent_id, path)]
        if any(rules.ignore.excludes_path(path) for rules in (self.base, self.head)):
            found.append((BranchCode.INTENTIGNORE_PATH_BLOCKED, f"{path} is off limits by .intentignore"))
        return tuple((code, message) for code, message in found if code not in waived)

    def _intent_violations(self, intent_id: str, path: str) -> Iterator[tuple[BranchCode, str]]:
        if intent_id == UNTRACKED:
            yield BranchCode.INTENT_REQUIRED, "changed under no intent"
            return
        if intent_id not in self.base.intents and intent_id not in self.head.intents:
            yield BranchCode.INTENT_NOT_FOUND, f"changed under {intent_id}, which is not declared"
            return
        between = self.between if intent_id in self.vouched or intent_id not in self.base.intents else ()
        versions = (self.head, *between, self.base)
        declared = [(rules.intents[intent_id], rules) for rules in versions if intent_id in rules.intents]
        if not any(intent.is_open for intent, _ in declared):
            yield BranchCode.INTENT_CLOSED, f"changed under {intent_id}, which is {declared[0][0].status}"
        if any(rules.ignore.excludes_intent(intent_id) for rules in (self.base, self.head)):
            yield BranchCode.INTENT_IGNORED, f"changed under {intent_id}, which .intentignore takes out of use"
        if not any(rules.allows(intent, path) for intent, rules in declared):
            yield BranchCode.SCOPE_VIOLATION, f"changed under {intent_id}, whose scope does not have it"


def overridden_codes(record: Mapping[str, Any]) -> frozenset[str]:
    """The codes of the refusals that a person let pass for this record."""
    overrides = record.get("overrides")
    if not isinstance(overrides, list):
        overrides = [record.get("override")]
    return frozenset(str(override.get("code")) for override in overrides if isinstance(override, dict))
