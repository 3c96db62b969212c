"""`intentls search`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.ledger.search import search
from intentls.engine.wire.answers import SearchAnswer, SearchResult
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.output import Cell
from intentls.faces.cli.progress import Progress

_SHOWN_FILES = 3


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1_000), help="At most so many.")
@root_option
@json_option
def command(words: tuple[str, ...], limit: int, root: Path | None, as_json: bool) -> int:
    """Find records, lessons, decisions and closed intents by WORDS, best first.

    What has all the words comes first; where nothing has, what has any of them. Words of file names, functions,
    people, reasons and of the intents' names and descriptions count.

    \b
    Example:
      intentls search token refresh
      intentls search parse_url --json
    """
    engine = open_root(root).engine
    with Progress("Searching the history") as progress:
        answer = SearchAnswer.of(search(engine, " ".join(words), limit, progress))
    if as_json:
        output.print_json(answer)
    elif answer.results:
        output.print_table(
            [_row(result) for result in answer.results], ("time", "kind", "intent", "by", "what", "files")
        )
    else:
        output.print_error("Nothing has any of these words.")
    return 0


def _row(result: SearchResult) -> tuple[Cell, ...]:
    title = result.title or "; ".join(result.notes[:1]) or ", ".join(result.symbols[:_SHOWN_FILES]) or "-"
    more = len(result.paths) - _SHOWN_FILES
    files = [*result.paths[:_SHOWN_FILES], *([f"and {more} more"] if more > 0 else [])]
    return (
        (output.moment(result.timestamp), output.DIM),
        result.kind,
        (result.intent_id or "-", output.STRONG),
        " + ".join(result.by) or "-",
        title if result.count == 1 else f"{title} ({output.count(result.count, 'record')})",
        ", ".join(files) or "-",
    )
