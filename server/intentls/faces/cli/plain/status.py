"""The short way of `intentls status --json`."""

from __future__ import annotations

from collections.abc import Sequence

from intentls.engine.ledger.status import code_of, status
from intentls.engine.wire import reports
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.plain import json_output


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code; None for other options. Raises what the verb raises."""
    if list(arguments) != ["--json"]:
        return None
    roots = status(open_root(None, trust_cache=True).engine)
    json_output.write(reports.status(roots))
    return code_of(roots)
