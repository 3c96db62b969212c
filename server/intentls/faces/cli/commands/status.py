"""`intentls status`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from intentls.engine.ledger.status import LedgerStatus, RootStatus, Soundness, code_of, status
from intentls.engine.wire import reports
from intentls.engine.workspace.other_machines import OtherMachines, WorkElsewhere
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.output import Cell
from intentls.store.clock import timestamp

_MAX_ELSEWHERE, _MAX_PATHS = 20, 2
_MAX_NAME, _MAX_ID = 16, 10  # columns of what another machine calls something


@click.command()
@root_option
@json_option
def command(root: Path | None, as_json: bool) -> int:
    """Show what governs this folder, which sessions work on what, and the ledger's state.

    A ledger of up to 8 MB is verified on the way; for a larger one, run `intentls trace verify`. Exits 1 if the
    ledger has problems, 2 if the configuration cannot be used.

    \b
    Example:
      intentls status
      intentls status --json
    """
    roots = status(open_root(root, trust_cache=True).engine)
    if as_json:
        output.print_json(reports.status(roots))
    else:
        for root_status in roots:
            _show(root_status)
    return code_of(roots)


def _show(status: RootStatus) -> None:
    working = [session for session in status.sessions if session.intent_id is not None]
    opened = sum(intent.is_open for intent in status.intents)
    rows: list[tuple[Cell, Cell]] = [("root", str(status.root)), ("policy", _policy(status))]
    if status.config_error is not None:
        rows.append(("intents", (status.config_error, output.BAD)))
    else:
        rows.append(("intents", f"{len(status.intents)} declared, {opened} open"))
    if status.unconfirmed:
        waiting = f"{', '.join(status.unconfirmed)} changed during an agent's command; see `intentls confirm`"
        rows.append(("waiting", (waiting, output.WARN)))
    if status.held:
        held = f"{output.count(status.held, 'change')} of confined commands; see `intentls run --review`"
        rows.append(("held", (held, output.WARN)))
    rows.append(("ledger", _ledger(status.ledger)))
    if status.unfinished:
        rows.append(("journal", ("an edit waits to be settled; see `intentls doctor`", output.WARN)))
    rows.append(("sessions", f"{output.count(len(working), 'session')} at work" if working else "nobody is at work"))
    if status.elsewhere is not None:
        rows.append(("elsewhere", _elsewhere(status.elsewhere)))
    output.print_table(rows)
    output.print_table(
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
    output.print_table(
        [("", (work.intent_id, output.STRONG), work.session_id, work.path) for work in status.at_work if not work.host],
        header=("", "intent", "session", "is changing"),
    )
    _show_elsewhere(status.elsewhere.work if status.elsewhere is not None else ())


def _elsewhere(machines: OtherMachines) -> Cell:
    if machines.trouble is not None:
        return machines.trouble, output.WARN
    hosts = {work.session.host for work in machines.work}
    sessions = output.count(len(machines.work), "session")
    return f"{sessions} at work on {output.count(len(hosts), 'machine')}" if hosts else "nobody is at work"


def _show_elsewhere(others: Sequence[WorkElsewhere]) -> None:
    """The sessions of other machines, the newest first; each name is what that machine says."""
    newest = sorted(others, key=lambda work: work.session.since, reverse=True)
    output.print_table(
        [
            (
                "",
                (output.cut(work.session.intent_id or "-", _MAX_NAME), output.STRONG),
                output.cut(work.session.person or "-", _MAX_NAME),
                output.cut(work.session.host, _MAX_NAME),
                output.cut(work.session.branch or "-", _MAX_NAME),
                output.cut(work.session.session_id, _MAX_ID),
                output.moment(timestamp(work.session.since)),
                _changing(work.paths),
            )
            for work in newest[:_MAX_ELSEWHERE]
        ],
        header=("", "intent", "who", "on", "branch", "session", "since", "is changing"),
    )
    if len(newest) > _MAX_ELSEWHERE:
        output.print_line((f"  and {len(newest) - _MAX_ELSEWHERE} more; `intentls status --json` has all", output.DIM))


def _changing(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _MAX_PATHS} more" if len(paths) > _MAX_PATHS else ""
    return ", ".join(paths[:_MAX_PATHS]) + more if paths else "-"


def _policy(status: RootStatus) -> Cell:
    if status.policy_findings:
        remarks = output.count(status.policy_findings, "remark")
        return f"{status.policy.mode}; {remarks} on policy.yaml, see `intentls doctor`", output.WARN
    if status.policy.mode == "advise":
        return "advise: nothing is refused", output.WARN
    return str(status.policy.mode)


def _ledger(ledger: LedgerStatus) -> Cell:
    if not (ledger.size or ledger.records):
        return "empty"
    amount = output.count(ledger.records, "record")
    if ledger.size:  # else the segments alone have them
        amount += f", {output.size(ledger.size)}"
    if ledger.soundness is Soundness.DAMAGED:
        return f"{amount}; {output.count(ledger.problems, 'problem')}, see `intentls trace verify`", output.BAD
    sound = "verified" if ledger.soundness is Soundness.SOUND else "not verified (`intentls trace verify` does it)"
    return f"{amount}, {sound}"
