"""The short way of `intentls check --staged`, with and without `--stage-ledger`: what git's hook waits for."""

from __future__ import annotations

from collections.abc import Sequence

from intentls.faces.cli import branch_report


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code; None for other options. Raises what the verb raises."""
    if sorted(arguments) not in (["--staged"], ["--stage-ledger", "--staged"]):
        return None
    request = branch_report.wanted(None, None, staged=True, worktree=False, root=None, warn=())
    return branch_report.judge(request, "text", stages="--stage-ledger" in arguments)
