"""`intentls accept`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from intentls.core.gate.refusal import Refusal
from intentls.engine.intents.accept import AcceptRequest, AcceptResult, CriterionOutcome, CriterionResult, accept
from intentls.engine.wire import reports
from intentls.engine.wire.refusals import refused
from intentls.faces.cli import output
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option, session_option

_SESSION = "intentls accept"


@click.command()
@click.argument("intent", shell_complete=complete_intent)
@click.option("--trust", is_flag=True, help="Run the commands among the criteria. They come from the workspace.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="How long each command may take.",
)
@click.option("--strict", is_flag=True, help="Refuse if a criterion is a text that only a person can judge.")
@session_option("Who accepts it, for the ledger.")
@root_option
@json_option
def command(
    intent: str, trust: bool, timeout: float, strict: bool, session: str | None, root: Path | None, as_json: bool
) -> int:
    """Check INTENT's acceptance criteria, and complete it if none fails.

    A criterion with a command ({run: "pytest tests/api"}) is met if the command ends with 0; it is run by the system's
    shell, in the root. A criterion that is a text is shown for you to judge; running this verb accepts it. If
    one fails, nothing is changed and the exit code is 1; else the status becomes COMPLETED, and the results go into the
    ledger.

    \b
    Example:
      intentls accept INT-001 --trust
      intentls accept INT-001 --trust --strict --timeout 60 --json
    """
    order = AcceptRequest(intent, session or _SESSION, timeout, strict)
    outcome = accept(open_root(root, trusted=trust).workspace, order, _silent if as_json else _tell)
    if as_json:
        output.print_json(refused(outcome) if isinstance(outcome, Refusal) else reports.accepted(outcome))
    elif isinstance(outcome, Refusal):
        output.print_error(outcome.error)
    else:
        _conclude(outcome, strict=strict)
    return 1 if isinstance(outcome, Refusal) or outcome.edit is None else 0


def _silent(_criterion: str, _result: CriterionResult | None) -> None:
    """One document says it all at the end."""


def _tell(criterion: str, result: CriterionResult | None) -> None:
    if result is None:
        if sys.stderr.isatty():
            output.print_error(f"running {criterion}")
        return
    styles = {CriterionOutcome.PASSED: output.GOOD, CriterionOutcome.PERSON: output.WARN}
    took = "" if result.seconds is None else f"  {result.seconds:.1f} s"
    why = f"  ({result.why})" if result.why else ""
    output.print_line((f"{result.outcome:<12}", styles.get(result.outcome, output.BAD)), f"  {criterion}{took}{why}")


def _conclude(outcome: AcceptResult, *, strict: bool) -> None:
    for result in outcome.results:
        if result.output:
            output.print_line((f"{result.criterion} said at its end:", output.STRONG))
            for line in result.output.splitlines():
                output.print_line(f"  {line}")
    for warning in outcome.warnings:
        output.print_error(warning)
    by_person = [result for result in outcome.results if result.outcome is CriterionOutcome.PERSON]
    if outcome.edit is not None:
        judged = f", {output.count(len(by_person), 'criterion', 'criteria')} on your word" if by_person else ""
        output.print_error(f"{outcome.intent_id} is COMPLETED{judged}.")
        return
    failed = [one for one in outcome.results if one.outcome in (CriterionOutcome.FAILED, CriterionOutcome.UNFINISHED)]
    parts = [output.count(len(failed), "criterion is not met", "criteria are not met")] if failed else []
    if strict and by_person:
        parts.append(output.count(len(by_person), "criterion is", "criteria are") + " for a person to judge (--strict)")
    output.print_error(f"{outcome.intent_id} stays as it is: {', '.join(parts)}.")
