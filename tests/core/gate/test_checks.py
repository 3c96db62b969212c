"""The gate on paper: each check, their order, what a person may waive, and what policy makes of a refusal."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.gate import GATE, SELECTION, first_refusal, waived_codes
from intentls.core.gate.policy import DEFAULT, EmptyScope, OnInvalid, Policy
from intentls.core.gate.refusal import ActionHint, Code, ErrorType, Override, Refusal, ScopeValidation
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.scope import Scope
from intentls.core.patterns.glob import Glob

HASH, OTHER = "sha256:" + "a" * 64, "sha256:" + "b" * 64
INTENTS = {
    "INT-001": Intent("INT-001", scope=Scope.parse(["src/**"])),
    "INT-002": Intent("INT-002", scope=Scope.parse(["docs/**"])),
    "INT-003": Intent("INT-003", status=Status.DONE, scope=Scope.parse(["docs/**"])),
    "INT-004": Intent("INT-004"),
    "INT-005": Intent("INT-005", scope=Scope.parse([".orchestration/active_intents.yaml", "**"])),
    "INT-006": Intent("INT-006", scope=Scope.parse(["docs/**"])),
}
IGNORE = IgnoreRules.parse(["intent: INT-006\n*.secret\n"])


LENIENT = Policy(on_invalid=OnInvalid.ALLOW)
BASE_REQUIRED = Policy(require_base=True)
NO_EMPTY_SCOPE = Policy(empty_scope=EmptyScope.DENY)


def facts(selected: str | None = "INT-001", **changes: object) -> Facts:
    values: dict[str, object] = {"selected": selected, "intents": INTENTS, "ignore": IGNORE, **changes}
    return Facts(**values)  # type: ignore[arg-type]


def write(path: str, **state: object) -> Action:
    return Action("write_to_file", (Target(path, **state),))  # type: ignore[arg-type]


def judge(action: Action, facts: Facts, policy: Policy = DEFAULT, *, waived: Collection[Code] = ()) -> Refusal | None:
    return first_refusal(facts, action, policy, GATE, waived=waived)


def code(action: Action, facts: Facts, policy: Policy = DEFAULT, *, waived: Collection[Code] = ()) -> Code | None:
    refusal = judge(action, facts, policy, waived=waived)
    return refusal.code if refusal is not None else None


def test_an_edit_in_scope_on_known_content_passes() -> None:
    """Nothing stands against an edit inside the scope of the selected, open intent."""
    assert judge(write("src/a.py", current_hash=HASH, base_hash=HASH), facts()) is None


@pytest.mark.parametrize(
    ("action", "state", "expected"),
    [
        (write("src/a.py"), facts(config_error="broken"), Code.HOOK_ERROR),
        (write("src/a.py"), facts(None), Code.INTENT_REQUIRED),
        (write("src/a.py"), facts("INT-404"), Code.INTENT_NOT_FOUND),
        (write("docs/a.md"), facts("INT-003"), Code.INTENT_CLOSED),
        (write("docs/a.md"), facts("INT-006"), Code.INTENT_IGNORED),
        (Action("edit", (Target("src/a.py"),), "INT-002"), facts(), Code.INTENT_MISMATCH),
        (write("../a", inside=False), facts(), Code.PATH_OUTSIDE_WORKSPACE),
        (write(".git/config"), facts("INT-004"), Code.PROTECTED_PATH),
        (write("src/a.secret"), facts(), Code.INTENTIGNORE_PATH_BLOCKED),
        (write("docs/a.md"), facts(), Code.SCOPE_VIOLATION),
        (write("src/a.py", current_hash=OTHER, base_hash=HASH), facts(), Code.STALE_CONTEXT),
        (write("src/a.py", current_hash=None, base_hash=HASH), facts(), Code.STALE_CONTEXT),
        (write("src/a.py", current_hash=HASH, base_hash=HASH, unsaved_in="Neovim"), facts(), Code.STALE_CONTEXT),
        (write("src/a.py", current_hash=HASH), facts(), Code.BASE_HASH_REQUIRED),
    ],
)
def test_each_check_refuses_with_its_own_code(action: Action, state: Facts, expected: Code) -> None:
    """Every row of the contract's table."""
    assert code(action, state, BASE_REQUIRED if expected is Code.BASE_HASH_REQUIRED else DEFAULT) is expected


def test_the_first_refusal_wins() -> None:
    """Checks run in their order: configuration before intent, intent before path, path before content."""
    everything_wrong = Action("edit", (Target("../x", inside=False), Target("docs/a", True, OTHER, HASH)), "INT-002")
    assert code(everything_wrong, facts(None, config_error="broken")) is Code.HOOK_ERROR
    assert code(everything_wrong, facts(None)) is Code.INTENT_REQUIRED
    assert code(everything_wrong, facts()) is Code.INTENT_MISMATCH
    assert len(GATE) >= 10 and SELECTION[0] is GATE[0]


def test_a_waived_code_lets_the_next_check_speak() -> None:
    """An approval waives one code for one action, nothing else."""
    stale = write("docs/a.md", current_hash=OTHER, base_hash=HASH)
    assert code(stale, facts()) is Code.SCOPE_VIOLATION
    assert code(stale, facts(), waived=[Code.SCOPE_VIOLATION]) is Code.STALE_CONTEXT
    assert judge(stale, facts(), waived=[Code.SCOPE_VIOLATION, Code.STALE_CONTEXT]) is None
    assert judge(stale, facts(None), waived=[Code.INTENT_REQUIRED, Code.STALE_CONTEXT]) is None


def test_an_override_is_good_for_its_own_paths() -> None:
    """A path that came to be refused since it was given is asked about again; one fewer is no new question."""
    both = Action("apply_patch", (Target("docs/a.md"), Target("docs/b.md")))
    of_both = Override("ada", "Approve", "SCOPE_VIOLATION", ("docs/a.md", "docs/b.md"))
    of_one = Override("ada", "Approve", "SCOPE_VIOLATION", ("docs/a.md",))
    assert waived_codes(facts(), both, DEFAULT, [of_one]) == frozenset()
    assert waived_codes(facts(), both, DEFAULT, [of_both]) == {Code.SCOPE_VIOLATION}
    assert waived_codes(facts(), write("docs/a.md"), DEFAULT, [of_both]) == {Code.SCOPE_VIOLATION}
    stale = Override("ada", "Approve", "STALE_CONTEXT", ("docs/a.md",))
    assert waived_codes(facts(), both, DEFAULT, [stale]) == {Code.STALE_CONTEXT}
    assert waived_codes(facts("INT-002"), both, DEFAULT, [of_one]) == {Code.SCOPE_VIOLATION}


def test_every_offending_path_is_named_and_so_are_the_owners() -> None:
    """A multi-file refusal lists all paths, and the open, usable intents whose scope fits one of them."""
    action = Action("apply_patch", (Target("src/ok.py"), Target("docs/a.md"), Target("docs/b.md")))
    refusal = judge(action, facts())
    assert refusal is not None
    assert refusal.paths == ("docs/a.md", "docs/b.md")
    assert refusal.owners == ("INT-002", "INT-004", "INT-005")
    assert "[docs/a.md, docs/b.md]" in refusal.error


def test_the_intents_file_opens_only_to_a_scope_that_names_it() -> None:
    """A bare `**` does not reach active_intents.yaml; naming it does."""
    file = write(".orchestration/active_intents.yaml")
    assert code(file, facts("INT-004")) is Code.PROTECTED_PATH
    assert judge(file, facts("INT-005")) is None
    assert code(write(".orchestration/policy.yaml"), facts("INT-005")) is Code.PROTECTED_PATH
    assert code(file, facts(config_error="broken", intents={}), LENIENT) is Code.PROTECTED_PATH


def test_a_declared_file_that_a_scope_names_is_a_question_for_an_agent() -> None:
    """A person may change it; an agent needs a person's approval, and for the other files nothing changes."""
    file = write(".orchestration/active_intents.yaml")
    assert judge(file, facts("INT-005")) is None
    refusal = judge(file, facts("INT-005", acts_for_agent=True))
    assert refusal is not None and refusal.overridable
    assert (refusal.code, refusal.paths) == (Code.SCOPE_VIOLATION, (".orchestration/active_intents.yaml",))
    assert judge(write("src/a"), facts("INT-005", acts_for_agent=True)) is None


def test_no_scope_opens_agents_settings_or_what_policy_protects() -> None:
    """Not even one that names them."""
    everywhere = facts("INT-004")
    assert code(write(".claude/settings.json"), everywhere) is Code.PROTECTED_PATH
    assert code(write("app/.mcp.json"), everywhere) is Code.PROTECTED_PATH
    guarded = Policy(protected=(Glob("deploy/**"), Glob(".orchestration/active_intents.yaml")))
    assert code(write("deploy/prod/a.yaml"), everywhere, guarded) is Code.PROTECTED_PATH
    assert code(write(".orchestration/active_intents.yaml"), facts("INT-005"), guarded) is Code.PROTECTED_PATH
    assert judge(write("deploy.md"), everywhere, guarded) is None


def test_an_empty_scope_is_the_whole_workspace_unless_policy_denies_it() -> None:
    """`empty_scope: deny` makes an intent without a scope own nothing."""
    assert judge(write("any/where.py"), facts("INT-004")) is None
    assert code(write("any/where.py"), facts("INT-004"), NO_EMPTY_SCOPE) is Code.SCOPE_VIOLATION


def test_a_lenient_root_is_judged_by_paths_and_content_alone() -> None:
    """`on_invalid: allow` goes on without intents, but not without the disk's own protection."""
    broken = facts("INT-404", config_error="broken")
    assert judge(write("docs/a.md"), broken, LENIENT) is None
    assert judge(write("docs/a.md"), facts(None, config_error="broken"), LENIENT) is None
    assert code(write("../a", inside=False), broken, LENIENT) is Code.PATH_OUTSIDE_WORKSPACE
    assert code(write("a", current_hash=OTHER, base_hash=HASH), broken, LENIENT) is Code.STALE_CONTEXT


def test_require_base_does_not_concern_new_files() -> None:
    """There is nothing to read where there is no file."""
    assert judge(write("src/new.py"), facts(), BASE_REQUIRED) is None


def test_a_refusal_knows_its_family_its_hint_and_whether_it_can_be_overridden() -> None:
    """Error type, action hint and overridability follow from the code."""
    stale = Refusal.of(Code.STALE_CONTEXT, "x")
    assert (stale.error_type, stale.action_hint, stale.overridable) == (
        ErrorType.STALE_FILE,
        ActionHint.READ_FILE,
        True,
    )
    assert stale.scope_validation is ScopeValidation.EXEMPT
    assert Refusal.of(Code.SCOPE_VIOLATION, "x").scope_validation is ScopeValidation.FAIL
    locked = {code for code in Code if not Refusal.of(code, "x").overridable}
    assert locked == {
        Code.HOOK_ERROR,
        Code.INTENT_NOT_FOUND,
        Code.INTENT_MISMATCH,
        Code.PATH_OUTSIDE_WORKSPACE,
        Code.PROTECTED_PATH,
        Code.EDIT_REJECTED,
    }
    blocked = judge(write("a"), facts(config_error="line 3: bad"))
    assert blocked is not None and blocked.action_hint is ActionHint.FIX_CONFIGURATION and "line 3" in blocked.error
