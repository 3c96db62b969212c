"""`intentls classify`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from intentls.engine.branch_check import classify_commit
from intentls.engine.branch_check.classify_commit import Classification
from intentls.engine.wire.reports import classified
from intentls.faces.cli import output
from intentls.faces.cli.options import json_option


@click.command()
@click.argument("revisions", nargs=-1, required=True, metavar="COMMIT | BASE..HEAD | BEFORE AFTER", type=click.Path())
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="The git repository that has the commit.  [default: the current folder's]",
)
@click.option("--path", metavar="P", help="The name by which to judge two files.  [default: AFTER's]")
@json_option
def command(revisions: tuple[str, ...], repo: Path, path: str | None, as_json: bool) -> int:
    """Say what kind of change a commit or a branch is, or the step from one file to another, and why.

    A commit is compared with its first parent, BASE..HEAD from where the two part. The files are judged together, and
    in the light of all others of the repository: a public name is renamed only if no file still uses the old one.
    Nothing is recorded, and the repository needs no intents. Use the null device for a file that does not exist.

    \b
    Example:
      intentls classify HEAD
      intentls classify main..feature
      intentls classify old.py new.py --path src/weather.py --json
    """
    if len(revisions) == 1:
        if path is not None:
            raise click.UsageError("--path goes with two files, not with a commit.")
        classification = classify_commit.classify_commit(repo, revisions[0])
    elif len(revisions) == 2:
        classification = classify_commit.classify_contents(
            path or revisions[1], _read(revisions[0]), _read(revisions[1])
        )
    else:
        raise click.UsageError("Give one commit, or two files: BEFORE and AFTER.")
    _show(classification, as_json)
    return 0


def _read(name: str) -> bytes | None:
    if name == os.devnull:
        return None
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{name} can't be read ({error.strerror}). For a commit give only its name.") from error


def _show(classification: Classification, as_json: bool) -> None:
    if as_json:
        output.print_json(classified(classification))
        return
    output.print_line((classification.mutation_class.value, output.STRONG))
    for file in classification.files:
        output.print_line(f"  {file.path}  ", (file.mutation_class.value, output.STRONG))
        for reason in file.reasons:
            output.print_line(f"         {reason}")
