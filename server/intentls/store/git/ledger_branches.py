"""Questions to git's history that only `git` itself can answer."""

from __future__ import annotations

from pathlib import Path

from intentls.core.patterns.protected_paths import LEDGER_FILE
from intentls.store.git.command import run_git

_TIMEOUT_S = 60.0
# `-m`: a stash is a merge, and of merges git shows no changes unless it is asked to.
_SEARCH = ("log", "--all", "-m", "--not", "HEAD", "--no-ext-diff", "--no-textconv", "--format=%H", "-1")


def is_on_another_branch(root: Path, record_id: str) -> bool:
    """Whether a record of this id was committed to the ledger somewhere that HEAD does not include.

    A branch that is not checked out, or a stash. False outside git, and where git can't tell.
    """
    ledger = LEDGER_FILE
    done = run_git(root, *_SEARCH, f"-S{record_id}", "--", ledger, timeout_s=_TIMEOUT_S)
    return done is not None and done.returncode == 0 and bool(done.stdout.strip())
