"""The answer of `accept`, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from intentls.core.gate.refusal import Refusal
from intentls.engine.wire.results import ok, refused

if TYPE_CHECKING:  # as in `results`
    from intentls.engine.intents.accept import AcceptResult, CriterionResult

Json = dict[str, Any]


def accepted(outcome: AcceptResult | Refusal) -> Json:
    """`accept`: whether the intent is completed, and every criterion with its result."""
    if isinstance(outcome, Refusal):
        return refused(outcome)
    edit = outcome.edit
    degraded: Json = {"trace": "degraded"} if edit is not None and edit.degraded else {}
    return ok(
        intent_id=outcome.intent_id,
        completed=edit is not None,
        criteria=[_criterion(result) for result in outcome.results],
        warnings=list(outcome.warnings),
        trace_id=None if edit is None else edit.trace_id,
        **degraded,
    )


def _criterion(result: CriterionResult) -> Json:
    return {
        "criterion": result.criterion,
        "result": result.outcome.value,
        "seconds": None if result.seconds is None else round(result.seconds, 3),
        "why": result.why,
        "output": result.output,
    }
