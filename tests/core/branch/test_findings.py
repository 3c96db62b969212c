"""What is to be said against a record of a branch."""

from __future__ import annotations

from typing import Any

from intentls.core.branch.findings import BranchCode, BranchRules, DeclaredRules, overridden_codes
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.scope import Scope


def intent(id_: str, *globs: str, status: Status = Status.IN_PROGRESS) -> Intent:
    return Intent(id_, status=status, scope=Scope.parse(globs))


def declared(*intents: Intent, ignore: str = "", denied: bool = False) -> DeclaredRules:
    return DeclaredRules({each.id: each for each in intents}, IgnoreRules.parse([ignore]), denied)


def codes(rules: BranchRules, path: str = "src/a.py", intent_id: str | None = "I-1", **keys: Any) -> list[BranchCode]:
    record = {"intent_id": intent_id, **keys} if intent_id is not None else keys
    return [code for code, _ in rules.violations(record, path)]


def override(code: str) -> dict[str, str]:
    return {"by": "ada", "action": "Approve", "code": code}


OPEN = declared(intent("I-1", "src/**"))


def test_nothing_is_said_against_a_change_in_scope() -> None:
    """Its intent is known, open and in use, and its scope has the file, at the base or at the head."""
    assert codes(BranchRules(OPEN, OPEN)) == []
    assert codes(BranchRules(OPEN, declared(intent("I-1", "docs/**")))) == []
    assert codes(BranchRules(declared(), OPEN)) == []


def test_an_intent_must_be_cited_known_open_and_in_use() -> None:
    """Each has its code; a person may have let it pass."""
    assert codes(BranchRules(OPEN, OPEN), intent_id="UNTRACKED") == [BranchCode.INTENT_REQUIRED]
    assert codes(BranchRules(OPEN, OPEN), intent_id=None) == [BranchCode.INTENT_REQUIRED]
    assert codes(BranchRules(OPEN, OPEN), intent_id="UNTRACKED", override=override("INTENT_REQUIRED")) == []
    assert codes(BranchRules(OPEN, OPEN), intent_id="I-9") == [BranchCode.INTENT_NOT_FOUND]
    closed = declared(intent("I-1", "src/**", status=Status.DONE))
    assert codes(BranchRules(closed, closed)) == [BranchCode.INTENT_CLOSED]
    assert codes(BranchRules(closed, closed), override=override("INTENT_CLOSED")) == []
    assert codes(BranchRules(OPEN, closed)) == []
    ignored = declared(intent("I-1", "src/**"), ignore="intent: I-1\n")
    assert codes(BranchRules(ignored, OPEN)) == codes(BranchRules(OPEN, ignored)) == [BranchCode.INTENT_IGNORED]
    assert codes(BranchRules(OPEN, ignored), overrides=[override("INTENT_IGNORED")]) == []


def test_a_path_must_be_in_scope_and_not_off_limits() -> None:
    """The base's rules and the head's both put a path off limits."""
    assert codes(BranchRules(OPEN, OPEN), "docs/a.md") == [BranchCode.SCOPE_VIOLATION]
    assert codes(BranchRules(OPEN, OPEN), "docs/a.md", override=override("SCOPE_VIOLATION")) == []
    strict = declared(intent("I-1", "src/**"), ignore="*.key\n")
    assert codes(BranchRules(strict, OPEN), "src/a.key") == [BranchCode.INTENTIGNORE_PATH_BLOCKED]
    assert codes(BranchRules(OPEN, strict), "src/a.key", override=override("INTENTIGNORE_PATH_BLOCKED")) == []


def test_no_scope_is_the_whole_workspace_unless_policy_says_no() -> None:
    """As in the gate."""
    assert codes(BranchRules(declared(), declared(intent("I-1")))) == []
    assert codes(BranchRules(declared(), declared(intent("I-1"), denied=True))) == [BranchCode.SCOPE_VIOLATION]


def test_what_held_for_a_moment_counts_only_if_a_record_says_why() -> None:
    """Or if the intent is new: then the branch may still be finding its scope."""
    wide = declared(intent("I-1", "src/**", "docs/**"))
    assert codes(BranchRules(OPEN, OPEN, (wide,)), "docs/a.md") == [BranchCode.SCOPE_VIOLATION]
    assert codes(BranchRules(OPEN, OPEN, (wide,), frozenset({"I-1"})), "docs/a.md") == []
    assert codes(BranchRules(declared(), OPEN, (wide,)), "docs/a.md") == []


def test_an_intent_that_was_declared_for_a_moment_only_vouches_for_nothing() -> None:
    """Neither the base nor the head has it, whatever a record says of it."""
    rules = BranchRules(declared(), declared(), (OPEN,), frozenset({"I-1"}))
    assert codes(rules) == [BranchCode.INTENT_NOT_FOUND]


def test_overrides_are_read_from_one_or_several() -> None:
    """What is no override waives nothing."""
    assert overridden_codes({"override": override("A")}) == {"A"}
    assert overridden_codes({"overrides": [override("A"), override("B"), "C"], "override": override("B")}) == {"A", "B"}
    assert overridden_codes({}) == frozenset()


def test_nothing_is_said_against_what_a_person_attests() -> None:
    """It stands outside of intents; a record that only has the name of one, or the key, is judged like any other."""
    attested = {"tool_name": "attest", "attestation": {"by": "ada", "reason": "a fix"}}
    assert codes(BranchRules(OPEN, OPEN), intent_id="UNTRACKED", **attested) == []
    for keys in ({"tool_name": "attest"}, {**attested, "tool_name": "edit"}, {**attested, "attestation": "ada"}):
        assert codes(BranchRules(OPEN, OPEN), intent_id="UNTRACKED", **keys) == [BranchCode.INTENT_REQUIRED]
