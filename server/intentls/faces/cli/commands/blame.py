"""`intentls blame`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from intentls.core.errors import InvalidArgument
from intentls.core.intents.intent import names_of
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import split_lines
from intentls.engine.blame.blame import OwnedRange, blame_at
from intentls.engine.blame.definition_blame import blame_definition
from intentls.engine.blame.line_authors import AuthoredLines
from intentls.engine.wire import answers
from intentls.engine.wire.author_text import hover
from intentls.engine.wire.definition_history import BlamedDefinition, HistoryStep
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import OpenWorkspace, open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.output import Cell
from intentls.faces.cli.plain.blame import NO_SESSION, path_and_line
from intentls.store.clock import now

_BEGINNINGS = {
    "unrecorded": "What was before is not on record.",
    "lost": "What it was before is not proven, so its history ends here.",
}


@click.command()
@click.argument("file", metavar="FILE[:LINE]", type=click.Path())
@click.option("--symbol", metavar="NAME", help="Only this definition, such as Class.method, and its history.")
@root_option
@json_option
def command(file: str, symbol: str | None, root: Path | None, as_json: bool) -> int:
    """Show which intent, and who, wrote each line of FILE, or LINE alone.

    Lines without a record have no author: intentls never guesses.

    \b
    Example:
      intentls blame src/api/weather.py
      intentls blame src/api/weather.py:12 --json
      intentls blame src/api/weather.py --symbol City.rain
    """
    opened = open_root(root)
    path_argument, line = path_and_line(opened, file)
    if symbol is not None and line is not None:
        raise InvalidArgument("symbol", "give LINE or --symbol")
    if symbol is not None:
        _definition(opened, path_argument, symbol, as_json)
    else:
        _lines(opened, path_argument, line, as_json)
    sys.stdout.flush()
    opened.workspace.ledger.catch_up()
    return 0


def _lines(opened: OpenWorkspace, file: str, line: int | None, as_json: bool) -> None:
    """The file's lines, or the one that is asked for."""
    path, ranges = blame_at(opened.engine, NO_SESSION, opened.path(file), line)
    if as_json:
        output.print_json(answers.BlameAnswer.of(path, ranges))
        return
    if line is not None:
        _tell(opened, ranges[0])
    _show(opened, path, ranges, line)


def _definition(opened: OpenWorkspace, file: str, symbol: str, as_json: bool) -> None:
    """The lines of one definition, and below them its history."""
    blamed = blame_definition(opened.engine, NO_SESSION, opened.path(file), symbol)
    answer = BlamedDefinition.of(blamed)
    if as_json:
        output.print_json(answers.BlameAnswer.of(blamed.path, blamed.ranges, answer))
        return
    _show(opened, blamed.path, list(blamed.ranges), None)
    output.print_line("")
    output.print_line((f"{answer.kind} {answer.name}", output.STRONG))
    output.print_table([_step(step) for step in answer.history])
    if answer.beginning in _BEGINNINGS:
        output.print_line((_BEGINNINGS[answer.beginning], output.DIM))


def _step(step: HistoryStep) -> tuple[Cell, ...]:
    parts = {"renamed": f"renamed from {step.old_name}", "moved": f"moved from {step.old_path}"}
    what = ", ".join(parts.get(part, part) for part in step.what)
    who = output.author(step.contributor)
    return (str(step.intent_id), who, output.moment(step.timestamp), what)


def _tell(opened: OpenWorkspace, line_range: OwnedRange) -> None:
    """What is known of one line, in the words of the hover."""
    names = names_of(opened.workspace.configuration().intents.intents)
    written = AuthoredLines(line_range.start_line, line_range.end_line, line_range.record, line_range.conversation)
    for text in hover(written, names, now(), markdown=False).splitlines():
        output.print_line(text)
    if line_range.record is not None:
        output.print_line((f"record {line_range.record.get('id')}", output.DIM))
    output.print_line("")


def _show(opened: OpenWorkspace, path: str, ranges: list[OwnedRange], line: int | None) -> None:
    data = opened.workspace.contents.read(path).data or b""
    form = TextFormat.of(data)
    texts = [form.decode(text) for text in split_lines(data)]
    rows: list[tuple[Cell, ...]] = []
    for line_range in answers.BlameAnswer.of(path, ranges).ranges:
        for number in range(line_range.start_line, line_range.end_line + 1):
            if line in (None, number):
                rows.append((*_who(line_range), f"{number:>{len(str(len(texts)))}}", texts[number - 1].rstrip("\r\n")))
    output.print_table(rows)


def _who(line_range: answers.BlameRange) -> tuple[Cell, Cell, Cell]:
    if line_range.trace_id is None:
        return (("-", output.DIM), ("-", output.DIM), ("-", output.DIM))
    return (str(line_range.intent_id), output.author(line_range.contributor), output.moment(line_range.timestamp))
