"""What a verb says of an edit of a declared intent."""

from __future__ import annotations

from intentls.core.gate.refusal import Refusal
from intentls.engine.intents.intents_edit import IntentsEdit
from intentls.engine.wire.answers import DeclarationAnswer
from intentls.engine.wire.refusals import refused
from intentls.faces.cli import output

SESSION = "intentls"
"""Who acts where no session is named."""


def conclude(outcome: IntentsEdit | Refusal, done: str, *, as_json: bool) -> int:
    """Print the edit or the refusal; `done` is the sentence for people. The verb's exit code."""
    if as_json:
        output.print_json(refused(outcome) if isinstance(outcome, Refusal) else DeclarationAnswer.of(outcome))
    elif isinstance(outcome, Refusal):
        output.print_error(outcome.error)
    elif outcome.trace_id is None:
        output.print_error(f"Nothing to change in {outcome.path}.")
    else:
        output.print_error(f"{done} ({outcome.path})")
    return 1 if isinstance(outcome, Refusal) else 0
