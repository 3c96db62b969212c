"""The decision is a pure function of facts, action and policy: what holds for every one of them."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from intentls.core.constraints.check import FileEdit
from intentls.core.constraints.rules import ForbidPattern
from intentls.core.gate import gate
from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.gate import Check, Decision, decide
from intentls.core.gate.policy import LeasePolicy, Mode, MutationCheck, OnInvalid, OnTraceFailure, Policy
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.lease import Lease
from intentls.core.intents.scope import Scope

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LEASE = Lease("src/leased.py", "ben", "INT-002", NOON, NOON, NOON + timedelta(minutes=10))
NEVER_ADVICE = {Code.PATH_OUTSIDE_WORKSPACE, Code.PROTECTED_PATH}
OVERRIDABLE = [code for code in Code if Refusal.of(code, "").overridable]

ORDER = {
    "the intents can't be read": Code.HOOK_ERROR,
    "no intent is selected": Code.INTENT_REQUIRED,
    "the intent is not declared": Code.INTENT_NOT_FOUND,
    "the intent is closed": Code.INTENT_CLOSED,
    "the intent is ignored": Code.INTENT_IGNORED,
    "the call cites another intent": Code.INTENT_MISMATCH,
    "a path is outside": Code.PATH_OUTSIDE_WORKSPACE,
    "a path is protected": Code.PROTECTED_PATH,
    "a path is ignored": Code.INTENTIGNORE_PATH_BLOCKED,
    "a path is out of scope": Code.SCOPE_VIOLATION,
    "a file has changed": Code.STALE_CONTEXT,
    "a file was not read": Code.BASE_HASH_REQUIRED,
    "a file is leased": Code.HOOK_ERROR,
    "the ledger can't be written": Code.HOOK_ERROR,
}
"""What may be wrong with an action before its content is known, in the contract's order, each with its code."""

CONTENT_ORDER = {
    "a constraint is broken": Code.CONSTRAINT_VIOLATION,
    "the class is contradicted": Code.MUTATION_CLASS_CONTRADICTED,
    "the ledger can't be written": Code.HOOK_ERROR,
}
"""The same for its content."""


@dataclass(frozen=True)
class Case:
    """An action with these flaws, and the facts and the policy under which each of them is one."""

    flaws: frozenset[str]
    is_content: bool = False
    is_lenient: bool = False

    def has(self, flaw: str) -> bool:
        """Whether this is wrong with it."""
        return flaw in self.flaws

    @property
    def facts(self) -> Facts:
        """One intent that owns `src/`, without the declared ones where the flaws say so."""
        status = Status.DONE if self.has("the intent is closed") else Status.IN_PROGRESS
        intent = Intent("INT-001", status=status, scope=Scope(("src/**",)), constraints=(ForbidPattern("eval("),))
        return Facts(
            selected=None if self.has("no intent is selected") else "INT-001",
            intents={} if self.has("the intent is not declared") else {"INT-001": intent},
            ignore=IgnoreRules(
                frozenset({"INT-001"}) if self.has("the intent is ignored") else frozenset(), ("src/secret/",)
            ),
            config_error="Broken." if self.has("the intents can't be read") else None,
            ledger_error="Full." if self.has("the ledger can't be written") else None,
        )

    @property
    def action(self) -> Action:
        """One target for each flaw of a path, after one that is right."""
        targets = {
            "a path is outside": Target("/etc/passwd", inside=False),
            "a path is protected": Target(".git/config"),
            "a path is ignored": Target("src/secret/key.py"),
            "a path is out of scope": Target("docs/a.md"),
            "a file has changed": Target("src/b.py", current_hash="now", base_hash="then"),
            "a file was not read": Target("src/c.py", current_hash="now"),
            "a file is leased": Target(LEASE.path, lease=LEASE),
        }
        text = b"eval(1)\n" if self.has("a constraint is broken") else b"1\n"
        return Action(
            "write_to_file",
            (Target("src/a.py"), *(target for flaw, target in targets.items() if self.has(flaw))),
            intent_id="INT-002" if self.has("the call cites another intent") else None,
            edits=(FileEdit("src/a.py", None, text),) if self.is_content else None,
            contradiction="it is a bug fix" if self.has("the class is contradicted") else None,
        )

    @property
    def policy(self) -> Policy:
        """Strict in all, so that each flaw counts; unless the case is lenient about the intents file."""
        return Policy(
            require_base=True,
            leases=LeasePolicy.ENFORCE,
            mutation_check=MutationCheck.BLOCK,
            on_trace_failure=OnTraceFailure.BLOCK,
            on_invalid=OnInvalid.ALLOW if self.is_lenient else OnInvalid.BLOCK,
        )

    def decide(self, mode: Mode = Mode.ENFORCE, waived: Sequence[Code] = ()) -> Decision:
        """The gate's decision, from objects that are made for it alone."""
        return decide(self.facts, self.action, replace(self.policy, mode=mode), waived=waived)


def code(refusal: Refusal | None) -> Code | None:
    """The code of a refusal that may be none."""
    return None if refusal is None else refusal.code


ALL_FLAWS = st.frozensets(st.sampled_from([*ORDER, *CONTENT_ORDER]))
CASES = st.builds(Case, ALL_FLAWS, st.booleans(), st.booleans())
WAIVERS = st.frozensets(st.sampled_from(OVERRIDABLE))


@given(CASES, WAIVERS, WAIVERS)
def test_a_waiver_never_refuses_what_passed(case: Case, waived: frozenset[Code], more: frozenset[Code]) -> None:
    """What passes with some waivers passes with more; and each waiver takes away no refusal but its own."""
    if case.decide(waived=waived).refusal is None:
        assert case.decide(waived=waived | more).refusal is None
    refusal = case.decide(waived=waived).refusal
    if refusal is not None and refusal.code not in more:
        assert case.decide(waived=waived | more).refusal == refusal


@given(CASES, WAIVERS)
def test_a_waived_code_never_refuses(case: Case, waived: frozenset[Code]) -> None:
    """Whatever else is wrong with the action."""
    assert code(case.decide(waived=waived).refusal) not in waived


@given(CASES, WAIVERS)
def test_advise_refuses_only_paths_that_are_never_writable(case: Case, waived: frozenset[Code]) -> None:
    """It refuses a path outside or protected whatever else is wrong, and nothing else."""
    refusal = case.decide(Mode.ADVISE, waived).refusal
    is_off_limits = case.has("a path is outside") or case.has("a path is protected")
    assert (refusal is not None) == is_off_limits
    assert refusal is None or refusal.code in NEVER_ADVICE


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(("link", "path"), [("src/.claude", "src/.claude/settings.json"), ("src/x.json", "src/x.json")])
def test_an_agent_grants_itself_nothing_in_any_mode(mode: Mode, link: str, path: str) -> None:
    """Declared files are a person's, unless one approved this action; agents' settings are protected through links."""
    intent = Intent("INT-001", scope=Scope(("src/**", ".intentignore")))
    links = ((link, ".claude" if "." in link[4:5] else ".mcp.json"),)
    facts = Facts("INT-001", {"INT-001": intent}, acts_for_agent=True, settings_links=links)
    declared = Action("write_to_file", (Target(".intentignore"),))
    assert code(decide(facts, declared, Policy(mode=mode)).refusal) == Code.SCOPE_VIOLATION
    assert decide(facts, declared, Policy(mode=mode), waived=[Code.SCOPE_VIOLATION]).refusal is None
    assert decide(replace(facts, acts_for_agent=False), declared, Policy(mode=mode)).refusal is None
    linked = Action("write_to_file", (Target(path),))
    assert code(decide(facts, linked, Policy(mode=mode)).refusal) == Code.PROTECTED_PATH
    plain = Action("write_to_file", (Target("src/a.py"),))
    assert decide(facts, plain, Policy(mode=mode)).refusal is None


@given(CASES)
def test_advise_warns_of_what_enforce_refuses(case: Case) -> None:
    """The same refusal, as advice, wherever advise lets the action pass and the ledger can be written."""
    advised, enforced = case.decide(Mode.ADVISE), case.decide()
    if advised.refusal is None and not case.has("the ledger can't be written"):
        assert advised.advice == (enforced.refusal or enforced.advice)


@given(CASES, WAIVERS, st.sampled_from(Mode))
def test_the_same_input_gives_the_same_decision(case: Case, waived: frozenset[Code], mode: Mode) -> None:
    """Equal facts, actions and policies, each made anew, in one order of the waivers and the other."""
    assert case.decide(mode, sorted(waived)) == case.decide(mode, sorted(waived, reverse=True))


@given(CASES, WAIVERS, st.sampled_from(Mode))
def test_a_decision_refuses_or_advises(case: Case, waived: frozenset[Code], mode: Mode) -> None:
    """Never both; and what can't be read is at least advised of."""
    decision = case.decide(mode, waived)
    assert decision.refusal is None or decision.advice is None
    if case.has("the intents can't be read"):
        assert decision.refusal is not None or decision.advice is not None


@pytest.mark.parametrize(("order", "is_content"), [(ORDER, False), (CONTENT_ORDER, True)])
def test_the_first_flaw_in_the_contracts_order_is_the_refusal(order: dict[str, Code], is_content: bool) -> None:
    """With all that is wrong, then without the first, and so on to an action that passes."""
    flaws = list(order)
    codes = [code(Case(frozenset(flaws[number:]), is_content).decide().refusal) for number in range(len(flaws) + 1)]
    assert codes == [*order.values(), None]


@given(st.frozensets(st.sampled_from(list(ORDER)), max_size=3))
def test_any_flaws_are_refused_in_the_contracts_order(flaws: frozenset[str]) -> None:
    """The one that stands first in the table wins."""
    first = next((expected for flaw, expected in ORDER.items() if flaw in flaws), None)
    assert code(Case(flaws).decide().refusal) == first


def failing(_action: Action, _facts: Facts, _policy: Policy) -> Refusal | None:
    """A check with a bug."""
    raise RuntimeError("a bug")


def with_failing_check(checks: tuple[Check, ...], position: int) -> tuple[Check, ...]:
    """The checks with the failing one before `position`."""
    return (*checks[:position], failing, *checks[position:])


@pytest.mark.parametrize(
    ("name", "position"),
    [(name, position) for name in ("GATE", "CONTENT") for position in range(len(getattr(gate, name)) + 1)],
)
def test_a_check_that_raises_refuses(name: str, position: int) -> None:
    """Wherever it stands: an action that nobody could judge to its end must not pass, whatever was waived."""
    case = Case(frozenset(), is_content=name == "CONTENT")
    assert case.decide() == Decision()
    with patch.object(gate, name, with_failing_check(getattr(gate, name), position)):
        refusals = [case.decide(waived=waived).refusal for waived in ((), OVERRIDABLE)]
    assert [code(refusal) for refusal in refusals] == [Code.HOOK_ERROR] * 2
    assert all(refusal is not None and not refusal.overridable for refusal in refusals)


def test_facts_that_raise_refuse() -> None:
    """Not only a check may have a bug, but also what it looks at."""

    class BrokenIntents(UserDict[str, Intent]):
        def __getitem__(self, key: str) -> Intent:
            raise RuntimeError(key)

    facts = replace(Case(frozenset()).facts, intents=BrokenIntents({"INT-001": Intent("INT-001")}))
    assert code(decide(facts, Case(frozenset()).action, Policy()).refusal) is Code.HOOK_ERROR


def test_a_refusal_says_that_a_declared_file_has_a_merge_conflict() -> None:
    """What is refused may be what the merge brings; what is allowed needs no such word."""
    facts = Facts("INT-001", {"INT-001": Intent("INT-001", scope=Scope.parse(["src/**"]))}, conflict="Resolve it.")
    refusal = decide(facts, Action("edit_file", (Target("docs/a.md"),)), Policy()).refusal
    assert refusal is not None and refusal.error.endswith("Request scope expansion. Resolve it.")
    assert decide(facts, Action("edit_file", (Target("src/a.py"),)), Policy()).refusal is None
