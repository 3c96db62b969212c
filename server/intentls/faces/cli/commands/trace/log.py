"""`intentls trace log`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from intentls.core.ledger.record_json import FileJson, files_of, is_imported, objects
from intentls.core.ledger.settlement import superseded_by
from intentls.engine.ledger import queries
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.completion import complete_intent, complete_session
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.output import Cell
from intentls.faces.cli.time_option import TIME_FORMS, moment
from intentls.store.ledger_search.query import DEFAULT_LIMIT, MAX_LIMIT


@click.command()
@click.option("--intent", metavar="ID", shell_complete=complete_intent, help="Only records under this intent.")
@click.option("--path", metavar="PATH", type=click.Path(), help="Only records of this file.")
@click.option("--session", metavar="ID", shell_complete=complete_session, help="Only records of this session.")
@click.option("--since", metavar="TIME", help=f"Only from this time on: {TIME_FORMS}.")
@click.option(
    "--limit", default=DEFAULT_LIMIT, show_default=True, type=click.IntRange(1, MAX_LIMIT), help="At most so many."
)
@root_option
@json_option
def command(
    intent: str | None,
    path: str | None,
    session: str | None,
    since: str | None,
    limit: int,
    root: Path | None,
    as_json: bool,
) -> int:
    """Show the newest records of the ledger: what was changed, what was refused, under which intent, by whom.

    \b
    Example:
      intentls trace log --path src/api/weather.py
      intentls trace log --intent INT-001 --since 7d --json
    """
    opened = open_root(root)
    question = queries.Query(
        intent_id=intent,
        path=None if path is None else opened.path(path),
        session_id=session,
        since=moment("--since", since),
        limit=limit,
    )
    entries = queries.query(opened.engine, question)
    if as_json:
        output.print_json(reports.ok(entries=entries))
    elif entries:
        output.print_table([_row(entry) for entry in entries], header=("time", "intent", "by", "what", "files"))
    else:
        output.print_error("No record fits." if opened.workspace.ledger.has_records() else "Nothing is on record yet.")
    sys.stdout.flush()
    opened.workspace.ledger.catch_up()  # the answer is out: what is left of the search makes the next one quicker
    return 0


def _row(entry: dict[str, Any]) -> tuple[Cell, ...]:
    files = files_of(entry)
    refused = entry.get("success") is not True
    label = str(entry.get("code") or "FAILED") if refused else str(entry.get("mutation_class", "-"))
    style = output.BAD if refused else output.GOOD
    if is_imported(entry):
        label, style = "IMPORTED", output.DIM
    return (
        (output.moment(entry.get("timestamp")), output.DIM),
        (str(entry.get("intent_id", "-")), output.STRONG),
        _who(files),
        (label, style),
        ", ".join(_file(file) for file in files) or _deed(entry),
    )


def _deed(entry: dict[str, Any]) -> str:
    superseded = superseded_by(entry)
    tool = str(entry.get("tool_name", "-"))
    return f"{tool}: the class of {output.count(len(superseded), 'record')}" if superseded else tool


def _file(file: FileJson) -> str:
    old_path = file.get("old_path")
    return f"{old_path} -> {file.get('path')}" if old_path else str(file.get("path"))


def _who(files: list[FileJson]) -> str:
    """Everybody who contributed, by name, model or kind."""
    conversations = [one for file in files for one in objects(file.get("conversations"))]
    authors = dict.fromkeys(output.author(one.get("contributor")) for one in conversations)
    return " + ".join(authors) or "-"
