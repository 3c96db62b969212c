"""`intentls blame`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.faces.cli.options import json_option, root_option

if TYPE_CHECKING:
    from intentls.engine.blame.blame import BlameRange
    from intentls.engine.wire import answers
    from intentls.faces.cli.open_workspace import OpenWorkspace
    from intentls.faces.cli.output import Cell

_WITH_LINE = re.compile(r"(?P<path>.+):(?P<line>[1-9][0-9]{0,8})")
_NOBODY = "intentls blame"


@click.command()
@click.argument("file", metavar="FILE[:LINE]", type=click.Path())
@root_option
@json_option
def command(file: str, root: Path | None, as_json: bool) -> int:
    """Show which intent, and who, wrote each line of FILE, or LINE alone.

    Lines that nobody recorded have no author: it is never guessed.

    \b
    Example:
      intentls blame src/api/weather.py
      intentls blame src/api/weather.py:12 --json
    """
    from intentls.engine.blame.blame import blame_at
    from intentls.engine.wire.answers import BlameAnswer
    from intentls.faces.cli import output
    from intentls.faces.cli.open_workspace import open_root

    opened = open_root(root)
    given, line = _split(opened, file)
    path, ranges = blame_at(opened.engine, _NOBODY, opened.path(given), line)
    if as_json:
        output.emit(BlameAnswer.of(path, ranges))
    else:
        if line is not None:
            _tell(opened, ranges[0])
        _show(opened, path, ranges, line)
    sys.stdout.flush()
    opened.workspace.ledger.catch_up()
    return 0


def _split(opened: OpenWorkspace, file: str) -> tuple[str, int | None]:
    """The path and the line; a file whose name really ends in `:12` is that file."""
    found = _WITH_LINE.fullmatch(file)
    if found is None or (opened.start / file).exists():
        return file, None
    return found["path"], int(found["line"])


def _tell(opened: OpenWorkspace, found: BlameRange) -> None:
    """What is known of one line, in the words of the hover."""
    from intentls.core.intents.intent import names_of
    from intentls.engine.blame.line_authors import AuthoredLines
    from intentls.engine.wire.author_text import hover
    from intentls.faces.cli import output

    names = names_of(opened.workspace.configuration().intents.intents)
    written = AuthoredLines(found.start_line, found.end_line, found.record, found.conversation)
    for text in hover(written, names, markdown=False).splitlines():
        output.say(text)
    if found.record is not None:
        output.say((f"record {found.record.get('id')}", output.DIM))
    output.say("")


def _show(opened: OpenWorkspace, path: str, ranges: list[BlameRange], line: int | None) -> None:
    from intentls.core.text.encoding import TextFormat
    from intentls.core.text.lines import split_lines
    from intentls.engine.wire.answers import BlameAnswer
    from intentls.faces.cli import output

    data = opened.workspace.contents.read(path).data or b""
    form = TextFormat.of(data)
    texts = [form.decode(text) for text in split_lines(data)]
    rows: list[tuple[Cell, ...]] = []
    for lines in BlameAnswer.of(path, ranges).ranges:
        for number in range(lines.start_line, lines.end_line + 1):
            if line in (None, number):
                rows.append((*_who(lines), f"{number:>{len(str(len(texts)))}}", texts[number - 1].rstrip("\r\n")))
    output.columns(rows)


def _who(lines: answers.BlameRange) -> tuple[Cell, Cell, Cell]:
    from intentls.faces.cli import output

    if lines.trace_id is None:
        return (("-", output.DIM), ("-", output.DIM), ("-", output.DIM))
    return (str(lines.intent_id), output.author(lines.contributor), output.moment(lines.timestamp))
