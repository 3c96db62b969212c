"""`intentls status`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.faces.cli.options import json_option, root_option

if TYPE_CHECKING:
    from intentls.engine.ledger.status import LedgerStatus, RootStatus
    from intentls.faces.cli.output import Cell


@click.command()
@root_option
@json_option
def command(root: Path | None, as_json: bool) -> int:
    """Show what governs this folder, who works on what, and the ledger's state.

    A ledger of up to 8 MB is verified on the way; for a larger one, run `intentls trace verify`. Exits 1 if the
    ledger has problems, 2 if the configuration can't be used.

    \b
    Example:
      intentls status
      intentls status --json
    """
    from intentls.engine.ledger.status import Soundness, status
    from intentls.engine.wire import overview
    from intentls.faces.cli import output
    from intentls.faces.cli.open_workspace import open_root

    found = status(open_root(root, trust_cache=True).engine)
    if as_json:
        output.emit(overview.status(found))
    else:
        for each in found:
            _show(each)
    if any(each.config_error is not None for each in found):
        return 2
    return 1 if any(each.ledger.soundness is Soundness.DAMAGED for each in found) else 0


def _show(found: RootStatus) -> None:
    from intentls.faces.cli import output

    working = [session for session in found.sessions if session.intent_id is not None]
    opened = sum(intent.is_open for intent in found.intents)
    rows: list[tuple[Cell, Cell]] = [("root", str(found.root)), ("policy", _policy(found))]
    if found.config_error is not None:
        rows.append(("intents", (found.config_error, output.BAD)))
    else:
        rows.append(("intents", f"{len(found.intents)} declared, {opened} open"))
    rows.append(("ledger", _ledger(found.ledger)))
    if found.unfinished:
        rows.append(("journal", ("an edit waits to be settled; see `intentls doctor`", output.WARN)))
    rows.append(("sessions", f"{output.count(len(working), 'session')} at work" if working else "nobody is at work"))
    output.columns(rows)
    output.columns(
        [
            (
                "",
                (session.intent_id or "", output.STRONG),
                session.session_id,
                session.model or "-",
                session.face or "-",
                output.moment(session.updated),
            )
            for session in working
        ],
        header=("", "intent", "session", "model", "through", "since"),
    )
    output.columns(
        [("", (work.intent_id, output.STRONG), work.session_id, work.path) for work in found.at_work],
        header=("", "intent", "session", "is changing"),
    )


def _policy(found: RootStatus) -> Cell:
    from intentls.faces.cli import output

    if found.policy_findings:
        what = output.count(found.policy_findings, "remark")
        return f"{found.policy.mode}; {what} on policy.yaml, see `intentls doctor`", output.WARN
    if found.policy.mode == "advise":
        return "advise: nothing is refused", output.WARN
    return str(found.policy.mode)


def _ledger(ledger: LedgerStatus) -> Cell:
    from intentls.engine.ledger.status import Soundness
    from intentls.faces.cli import output

    if not ledger.size:
        return "empty"
    amount = f"{output.count(ledger.records, 'record')}, {output.size(ledger.size)}"
    if ledger.soundness is Soundness.DAMAGED:
        return f"{amount}; {output.count(ledger.problems, 'problem')}, see `intentls trace verify`", output.BAD
    sound = "verified" if ledger.soundness is Soundness.SOUND else "not verified (`intentls trace verify` does it)"
    return f"{amount}, {sound}"
