"""Which rules a branch made less strict, named one by one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from intentls.core.branch.loosening import IgnoreLoosening, dropped_rules, ignore_loosenings, policy_loosenings
from intentls.core.gate.policy import (
    Attest,
    ContextPolicy,
    EmptyScope,
    Hitl,
    IdentityPolicy,
    LeasePolicy,
    LinterPolicy,
    Mode,
    MutationCheck,
    OnInvalid,
    OnTraceFailure,
    Policy,
    RunPolicy,
    Shell,
    Signatures,
)
from intentls.core.intents.intent import Command, Intent
from intentls.core.patterns.glob import Glob

STRICT = Policy(
    mode=Mode.ENFORCE,
    hitl=Hitl.DENY,
    on_invalid=OnInvalid.BLOCK,
    on_trace_failure=OnTraceFailure.BLOCK,
    require_base=True,
    empty_scope=EmptyScope.DENY,
    trace_on_save=True,
    shell=Shell.DENY,
    mutation_check=MutationCheck.BLOCK,
    leases=LeasePolicy.ENFORCE,
    lease_ttl_s=600,
    protected=(Glob("legal/**"), Glob("deploy/*.yml")),
    linters=(),
    attest=Attest.DENY,
    signatures=Signatures.REQUIRE,
    signed_by=("*", "ci@*"),
    signed_approvals=True,
    coordination="postgresql://db.example/intentls",
)
LAX: dict[str, object] = {
    "mode": Mode.ADVISE,
    "hitl": Hitl.ASK,
    "on_invalid": OnInvalid.ALLOW,
    "on_trace_failure": OnTraceFailure.WARN,
    "require_base": False,
    "empty_scope": EmptyScope.ALLOW,
    "trace_on_save": False,
    "shell": Shell.REVERT,
    "mutation_check": MutationCheck.WARN,
    "leases": LeasePolicy.ADVISE,
    "lease_ttl_s": 60,
    "protected": (Glob("legal/**"),),
    "identity": IdentityPolicy.NONE,
    "attest": Attest.REVIEW,
    "attest_authors": ("dependabot*",),
    "safe_tools": ("mcp__docs__*",),
    "signatures": Signatures.WARN,
    "signed_by": ("*",),
    "signed_approvals": False,
    "question_excerpts": True,
    "coordination": "files",
}


def linter(name: str, *command: str) -> LinterPolicy:
    return LinterPolicy(name, (Glob("**/*.py"),), command)


@pytest.mark.parametrize("key", LAX)
def test_a_key_that_became_weaker_is_named(key: str) -> None:
    """And the same change the other way round is none."""
    weaker = replace(STRICT, **{key: LAX[key]})  # type: ignore[arg-type]
    (message,) = policy_loosenings(STRICT, weaker)
    assert message.startswith(f"{key} was ")
    assert list(policy_loosenings(weaker, STRICT)) == []


def test_another_database_is_named() -> None:
    """It would say who holds what."""
    other = replace(STRICT, coordination="postgresql://elsewhere/intentls")
    assert len(list(policy_loosenings(STRICT, other))) == 1


def test_fewer_expected_authors_are_stricter() -> None:
    """A pattern that is new expects more; one that is gone does not."""
    two, one = Policy(attest_authors=("a*", "b*")), Policy(attest_authors=("a*",))
    assert list(policy_loosenings(two, one)) == []
    assert list(policy_loosenings(one, two)) == [
        "attest_authors was [a*] and is [a*, b*]: the gate is less strict than at the base."
    ]
    assert one.expects_author("ada", "ada@example.org") and not one.expects_author("bot", "b@example.org")


def test_each_pattern_of_signers_has_to_be_met() -> None:
    """By whoever: one signature may meet several."""
    policy = Policy(signed_by=("*@example.com", "ci@*"))
    assert policy.lacking_signers(["ada@example.com"]) == ("ci@*",)
    assert policy.lacking_signers(["ci@example.com"]) == ()
    assert policy.lacking_signers([]) == ("*@example.com", "ci@*")


def test_every_key_of_the_policy_is_judged() -> None:
    """Left out is only what gives nobody more rights: time, context, what git keeps, and how intents begin and end."""
    harmless = {"hitl_timeout_s", "context", "commit_derived", "default_intent", "close_intents", "closed_files"}
    assert set(Policy.__struct_fields__) == {*LAX, *harmless, "linters", "run"}
    longer = replace(STRICT, hitl_timeout_s=9, context=ContextPolicy(9, 9))
    assert list(policy_loosenings(STRICT, longer)) == []


def test_whatever_changes_how_commands_are_confined_is_named() -> None:
    """Another mode confines otherwise, and a folder more is a way out."""
    wider = replace(STRICT, run=RunPolicy(writable=("~/x",)))
    assert list(policy_loosenings(STRICT, wider)) == [
        "run was mode: auto, confine: hull, writable: [], max_changes: 200000 and is mode: auto, confine: hull, "
        "writable: [~/x], max_changes: 200000: the gate is less strict than at the base."
    ]
    assert list(policy_loosenings(STRICT, replace(STRICT, run=RunPolicy(max_changes=9)))) == []


def test_a_truth_value_is_shown_as_yaml_has_it() -> None:
    """`true`, not `True`."""
    (message,) = policy_loosenings(STRICT, replace(STRICT, require_base=False))
    assert message == "require_base was true and is false: the gate is less strict than at the base."


def test_linters_that_are_new_altered_or_gone_are_named() -> None:
    """A linter is a command that runs on people's machines."""
    old = replace(STRICT, linters=(linter("a", "a"), linter("b", "b"), linter("c", "c")))
    new = replace(STRICT, linters=(linter("a", "sh", "-c"), linter("c", "c"), linter("d", "d")))
    assert list(policy_loosenings(old, new)) == [
        "linters: a now runs `sh -c` on **/*.py, which the base does not.",
        "linters: d now runs `d` on **/*.py, which the base does not.",
        "linters: b is gone, so what it finds is no longer learned.",
    ]


def test_constraints_and_criteria_that_are_gone_are_named() -> None:
    """Also a command that tells whether an intent is met; what was added is no loss."""
    base = Intent("I", constraints=("no network", "small"), acceptance_criteria=("quick", Command("make test")))
    head = Intent("I", constraints=("small", "new"), acceptance_criteria=(Command("true"), "quick"))
    assert list(dropped_rules(base, head)) == [
        "I no longer has the constraint 'no network'.",
        "I no longer has the acceptance criterion 'run: make test'.",
    ]
    assert list(dropped_rules(base, base)) == []


def test_ignore_rules_that_are_gone_or_taken_back_are_named_with_their_place() -> None:
    """Lines of comments and those that only make it stricter say nothing."""
    old, new = ("# c\n\nintent: A\n*.key\n", "*.pem\n"), ("# d\n*.key\n*.more\n!b.key\n", "")
    assert list(ignore_loosenings(old, new)) == [
        IgnoreLoosening(0, None, "'intent: A' is gone: what it put off limits no longer is."),
        IgnoreLoosening(1, None, "'*.pem' is gone: what it put off limits no longer is."),
        IgnoreLoosening(0, 4, "'!b.key' takes something back that was off limits."),
    ]
    assert list(ignore_loosenings(new, ("   \n*.more\n!b.key\n *.x\n*.key\n",))) == []


def test_the_order_of_ignore_rules_counts() -> None:
    """The last one that matches decides, in one file or over two, and white space is a part of a pattern."""
    (moved,) = ignore_loosenings(("!a.log\n*.log\n*.txt\n",), ("*.txt\n*.log\n!a.log\n",))
    message = "'!a.log' now comes after '*.log', so it takes back what that puts off limits."
    assert moved == IgnoreLoosening(0, 3, message)
    assert list(ignore_loosenings(("*.log\n!a.log\n",), ("!a.log\n*.log\n",))) == []
    assert list(ignore_loosenings(("*.log\n", ""), ("", "*.log\n"))) == []
    (twice,) = ignore_loosenings(("*.log\n!a.log\n*.log\n",), ("*.log\n!a.log\n",))
    assert twice.line == 2
    (shifted,) = ignore_loosenings(("*.log",), (" *.log",))
    assert shifted.message.startswith("'*.log' is gone")
