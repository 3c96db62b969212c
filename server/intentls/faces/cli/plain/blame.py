"""The short way of `intentls blame FILE[:LINE] --json`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from intentls.engine.blame.blame import blame_at
from intentls.engine.wire import answers
from intentls.faces.cli.open_workspace import OpenWorkspace, open_root
from intentls.faces.cli.plain import json_output

NO_SESSION: Final = "intentls blame"
"""For whom a file is blamed: a reader has no session."""
_WITH_LINE = re.compile(r"(?P<path>.+):(?P<line>[1-9][0-9]{0,8})")


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code; None for other options. Raises what the verb raises."""
    match arguments:
        case [file, "--json"] | ["--json", file] if file and not file.startswith("-"):
            opened = open_root(None)
        case _:
            return None
    path_argument, line = path_and_line(opened, file)
    path, ranges = blame_at(opened.engine, NO_SESSION, opened.path(path_argument), line)
    json_output.write(answers.BlameAnswer.of(path, ranges))
    opened.workspace.ledger.catch_up()  # the answer is out
    return 0


def path_and_line(opened: OpenWorkspace, file: str) -> tuple[str, int | None]:
    """The path and the line; a file whose name really ends in `:12` is that file."""
    match = _WITH_LINE.fullmatch(file)
    if match is None or (opened.start / file).exists():
        return file, None
    return match["path"], int(match["line"])
