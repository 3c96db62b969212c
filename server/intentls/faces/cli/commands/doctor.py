"""`intentls doctor`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.core.errors import IntentlsError
from intentls.engine.setup.doctor import CheckLevel, examine, examine_machine
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option


@click.command()
@root_option
@json_option
def command(root: Path | None, as_json: bool) -> int:
    """Look for the usual mistakes, and say how to fix them.

    Looks at git, the intents, the policy, the ledger, linters, clocks and agents' settings; changes nothing. Exits 0
    on warnings, 1 if something keeps the gate or the ledger from working.

    \b
    Example:
      intentls doctor
      intentls doctor --json
    """
    checks = examine_machine()
    trouble: IntentlsError | None = None
    try:
        checks = (*checks, *examine(open_root(root).workspace))
    except IntentlsError as error:
        trouble = error
    if as_json:
        output.print_json(reports.examined(checks))
    else:
        styles = {
            CheckLevel.OK: output.GOOD,
            CheckLevel.INFO: output.DIM,
            CheckLevel.WARNING: output.WARN,
            CheckLevel.ERROR: output.BAD,
        }
        for check in checks:
            output.print_line((f"{check.level:<9}", styles[check.level]), f"{check.name:<9} {check.message}")
            if check.advice:
                output.print_line(" " * 19, (check.advice, output.DIM))
    if trouble is not None:
        raise trouble
    return 1 if any(check.level is CheckLevel.ERROR for check in checks) else 0
