"""`intentls classify`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.faces.cli.options import json_option

if TYPE_CHECKING:
    from intentls.engine.branch_check.classify_commit import Classification


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="COMMIT | BEFORE AFTER", type=click.Path())
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="The git repository that has the commit.  [default: the current folder's]",
)
@click.option("--path", metavar="P", help="The name by which to judge two files.  [default: AFTER's]")
@json_option
def command(what: tuple[str, ...], repo: Path, path: str | None, as_json: bool) -> int:
    """Say what kind of change a commit is, or the step from one file to another, and why.

    A commit is compared with its first parent; its files are judged together. Nothing is recorded, and the
    repository needs no intents. Use the null device for a file that does not exist.

    \b
    Example:
      intentls classify HEAD
      intentls classify old.py new.py --path src/weather.py --json
    """
    from intentls.engine.branch_check import classify_commit

    if len(what) == 1:
        if path is not None:
            raise click.UsageError("--path goes with two files, not with a commit.")
        found = classify_commit.classify_commit(repo, what[0])
    elif len(what) == 2:
        found = classify_commit.classify_contents(path or what[1], _read(what[0]), _read(what[1]))
    else:
        raise click.UsageError("Give one commit, or two files: BEFORE and AFTER.")
    _show(found, as_json)
    return 0


def _read(name: str) -> bytes | None:
    if name == os.devnull:
        return None
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{name} can't be read ({error.strerror}). For a commit give only its name.") from error


def _show(found: Classification, as_json: bool) -> None:
    from intentls.engine.wire.reports import classified
    from intentls.faces.cli import output

    if as_json:
        output.emit(classified(found))
        return
    output.say((found.mutation_class.value, output.STRONG))
    for file in found.files:
        output.say(f"  {file.path}  ", (file.mutation_class.value, output.STRONG))
        for reason in file.reasons:
            output.say(f"         {reason}")
