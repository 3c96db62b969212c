"""Accepting an intent: its criteria are checked, and if none fails it is completed, on record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.constraints.rules import RequiresChangeIn
from intentls.core.errors import ConfigurationError
from intentls.core.gate.action import Action
from intentls.core.gate.gate import SELECTION, first_refusal
from intentls.core.gate.refusal import ActionHint, Code, Refusal
from intentls.core.gate.tool_class import ToolClass
from intentls.core.intents.intent import Command, Intent
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.actions.authority import is_started_by_agent
from intentls.engine.intents.intents_edit import IntentsEdit, complete
from intentls.engine.ledger.queries import files_of
from intentls.engine.workspace.people import signature
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.process.run import run_criterion
from intentls.store.sessions.sessions import Session

TOOL = "accept_intent"


class CriterionOutcome(StrEnum):
    """What became of a criterion."""

    PASSED = "passed"
    FAILED = "failed"
    UNFINISHED = "unfinished"
    PERSON = "for a person"


class CriterionResult(Struct, frozen=True):
    """One criterion: what became of it, how long it took, and how its output ended. `why`: of one that did not pass."""

    criterion: str
    outcome: CriterionOutcome
    seconds: float | None = None
    output: str = ""
    why: str = ""


class AcceptRequest(Struct, frozen=True):
    """Who wants an intent accepted. `strict`: a criterion that only a person can judge stands in the way."""

    intent_id: str
    session_id: str
    timeout_s: float
    strict: bool = False


class AcceptResult(Struct, frozen=True):
    """Every criterion with its result, and the edit that completed the intent: None if one stands in the way."""

    intent_id: str
    results: tuple[CriterionResult, ...]
    warnings: tuple[str, ...]
    edit: IntentsEdit | None


Told = Callable[[str, CriterionResult | None], None]
"""Told of each criterion when it begins (without a result), and when its result is there."""


def accept(workspace: Workspace, order: AcceptRequest, told: Told) -> AcceptResult | Refusal:
    """Check the criteria of an open intent in their order, and complete it if all commands pass.

    A refusal where the intent is unknown, closed or ignored, or where an agent wants it: what a text asks for only a
    person can judge. Raises ConfigurationError where it has commands and the
    user does not trust the workspace, or where it was changed meanwhile.
    """
    configuration = workspace.configuration()
    facts = configuration.facts(Session(order.session_id, intent_id=order.intent_id))
    refusal = first_refusal(facts, Action(TOOL, intent_id=order.intent_id), configuration.policy, SELECTION)
    intent = facts.intent
    if intent is None and refusal is None:  # a lenient root whose intents can't be read
        refusal = Refusal.of(Code.INTENT_NOT_FOUND, f"There is no intent {order.intent_id} that can be read.")
    if refusal is not None or intent is None:
        assert refusal is not None
        return replace(refusal, classification=ToolClass.SAFE)
    if is_started_by_agent(workspace):
        return _refuse_agent(intent.id)
    if not workspace.host.trusted and any(isinstance(each, Command) for each in intent.acceptance_criteria):
        raise ConfigurationError(
            f"{intent.id} has commands among its acceptance criteria; they are run only in a workspace that you trust: "
            f"read them, then run `intentls accept {intent.id} --trust`"
        )
    results = tuple(_check(workspace, intent, order, told))
    warnings = tuple(_warnings(workspace, intent))
    if any(_stands_in_the_way(result, order) for result in results):
        return AcceptResult(intent.id, results, warnings, None)
    return AcceptResult(
        intent.id, results, warnings, complete(workspace, intent, order.session_id, _on_record(workspace, results))
    )


def _refuse_agent(intent_id: str) -> Refusal:
    return Refusal.of(
        Code.SCOPE_VIOLATION,
        f"Scope Violation: a person accepts {intent_id}, not an agent. Ask one to run `intentls accept`.",
        paths=(INTENTS_FILE,),
        action_hint=ActionHint.CHOOSE_ANOTHER_PATH,
    )


def _check(workspace: Workspace, intent: Intent, order: AcceptRequest, told: Told) -> Iterator[CriterionResult]:
    for criterion in intent.acceptance_criteria:
        if isinstance(criterion, Command):
            told(str(criterion), None)
            result = _run(workspace, criterion, order.timeout_s)
        else:
            result = CriterionResult(criterion, CriterionOutcome.PERSON)
        told(result.criterion, result)
        yield result


def _run(workspace: Workspace, command: Command, timeout_s: float) -> CriterionResult:
    ran = run_criterion(command.line, workspace.root, timeout_s)
    if ran.passed:
        return CriterionResult(str(command), CriterionOutcome.PASSED, ran.seconds)
    if ran.returncode is None:
        return CriterionResult(str(command), CriterionOutcome.UNFINISHED, ran.seconds, ran.output, ran.error)
    return CriterionResult(
        str(command), CriterionOutcome.FAILED, ran.seconds, ran.output, f"it ended with {ran.returncode}"
    )


def _stands_in_the_way(result: CriterionResult, order: AcceptRequest) -> bool:
    if result.outcome is CriterionOutcome.PERSON:
        return order.strict
    return result.outcome is not CriterionOutcome.PASSED


def _warnings(workspace: Workspace, intent: Intent) -> Iterator[str]:
    """What the intent's rules want of its whole work, and the ledger does not show."""
    wanted = [rule for rule in intent.rules if isinstance(rule, RequiresChangeIn)]
    if not wanted:
        return
    changed = set(_changed(workspace, intent.id))
    for rule in wanted:
        if not any(rule.glob.matches(path) for path in changed):
            yield f"No change in {rule.glob.pattern} is on record under {intent.id}, and its constraints require one."


def _changed(workspace: Workspace, intent_id: str) -> Iterator[str]:
    for record in workspace.ledger.search(RecordQuery(intent_id=intent_id)):
        if record.get("success") is True:
            yield from (str(file.get("path")) for file in files_of(record))


def _on_record(workspace: Workspace, results: tuple[CriterionResult, ...]) -> dict[str, object]:
    return {
        "by": signature(workspace),
        "criteria": [
            {"criterion": result.criterion, "result": result.outcome.value}
            | ({} if result.seconds is None else {"seconds": round(result.seconds, 3)})
            for result in results
        ],
    }
