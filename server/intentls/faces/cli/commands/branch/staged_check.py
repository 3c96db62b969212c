"""The short way of `intentls check --staged`, with and without `--stage-ledger`: what git's hook waits for."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from intentls.faces.cli import branch_report

_INTERRUPTED = 2  # as the command line says it


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code; None for other options. Raises what the verb raises."""
    if sorted(arguments) not in (["--staged"], ["--stage-ledger", "--staged"]):
        return None
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that a locale can't show must not end the check
    try:
        request = branch_report.wanted(None, None, staged=True, worktree=False, root=None, warn=())
        return branch_report.judge(request, "text", stages="--stage-ledger" in arguments)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return _INTERRUPTED
