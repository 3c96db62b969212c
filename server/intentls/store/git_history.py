"""Questions to git's history that only `git` itself can answer."""

from __future__ import annotations

import logging
import subprocess
from pathlib import Path

from intentls.store.layout import LEDGER_NAME, ORCHESTRATION

log = logging.getLogger(__name__)

_TIMEOUT_S = 60.0


def is_on_another_branch(root: Path, record_id: str) -> bool:
    """Whether a record of this id was committed to the ledger somewhere that HEAD does not include.

    A branch that is not checked out, or a stash. False outside git, and where git can't tell.
    """
    command = ["git", "log", "--all", "--not", "HEAD", f"-S{record_id}", "--format=%H", "-1", "--"]
    command.append(f"{ORCHESTRATION}/{LEDGER_NAME}")
    try:
        done = subprocess.run(
            command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.warning("git could not be asked for record %s: %s", record_id, error)
        return False
    return done.returncode == 0 and bool(done.stdout.strip())
