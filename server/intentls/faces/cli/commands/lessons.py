"""`intentls lessons`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.records.recorded_lessons import current_lessons
from intentls.engine.wire import reports
from intentls.engine.wire.answers import LessonAnswer
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option

_BY = "intentls lessons"


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option("--record", nargs=2, metavar="PATH TEXT", help="Add a lesson about a file; TEXT has one problem a line.")
@root_option
@json_option
def command(paths: tuple[str, ...], record: tuple[str, str] | None, root: Path | None, as_json: bool) -> int:
    """Show the lessons about each PATH, or about all files: problems that changes caused.

    \b
    Example:
      intentls lessons src/api/weather.py
      intentls lessons --record src/api/weather.py "The unit of wind speed is m/s, not km/h"
    """
    if record is not None:
        if paths:
            raise click.UsageError("--record names its own file: give no other PATH with it.")
        return _record(*record, root, as_json)
    return _list(paths, root, as_json)


def _list(paths: tuple[str, ...], root: Path | None, as_json: bool) -> int:
    opened = open_root(root)
    selected = {
        opened.engine.path_resolver.resolve(opened.path(path)).relative_to(opened.workspace.root) for path in paths
    }
    lessons = [lesson for lesson in current_lessons(opened.workspace) if not paths or lesson.path in selected]
    lessons.sort(key=lambda lesson: lesson.path)  # of one file: as they were learned
    if as_json:
        output.print_json(reports.lessons(lessons))
        return 0
    if not lessons:
        output.print_error("No lesson was learned yet." if not paths else "No lesson was learned there yet.")
    last = None
    for lesson in lessons:
        if lesson.path != last:
            output.print_line((lesson.path, output.STRONG))
            last = lesson.path
        for problem in lesson.problems:
            output.print_line("  ", (lesson.date, output.DIM), f"  {problem.line_text}")
    return 0


def _record(path: str, text: str, root: Path | None, as_json: bool) -> int:
    from intentls.engine.intents.lessons import record_lesson  # linters come along, and most calls only read

    opened = open_root(root)
    learned = record_lesson(opened.engine, _BY, opened.path(path), text)
    if as_json:
        output.print_json(LessonAnswer(recorded=learned.recorded, duplicates=learned.duplicates))
        return 0
    suffix = f", {learned.duplicates} known already" if learned.duplicates else ""
    output.print_line(f"{output.count(learned.recorded, 'problem')} recorded{suffix}.")
    return 0
