"""May something beside us change files while git commits: a formatter in a commit hook?"""

from __future__ import annotations

import os
import re
from pathlib import Path

from intentls.late_pattern import late_pattern
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.git.repository import find_repository

OURS_BEGIN = "# >>> intentls: `intentls init --git-hooks --remove` takes this out again >>>\n"
OURS_END = "# <<< intentls <<<\n"
OURS = late_pattern(rf"{re.escape(OURS_BEGIN)}.*?{re.escape(OURS_END)}", re.DOTALL)
"""The marked block that is ours in a hook of git."""

_HOOK = "pre-commit"
_PLANS = (".pre-commit-config.yaml", ".husky", "lefthook.yml", ".lefthook.yml")  # of what installs such hooks
_HOOKS_PATH = late_pattern(rb"^\s*hookspath\s*=", re.IGNORECASE | re.MULTILINE)
_MAX_BYTES = 1024 * 1024


def runs_other_hooks(root: Path) -> bool:
    """Whether a commit of the repository that `root` lies in may run a hook that is not ours. Never raises.

    Files alone are asked, no git: this is part of every record.
    """
    repository = find_repository(root)
    if repository is None:
        return False
    if any(os.path.lexists(repository.top / name) for name in _PLANS):
        return True
    try:
        config = read_bounded(repository.common / "config", _MAX_BYTES) or b""
        hook = read_bounded(repository.common / "hooks" / _HOOK, _MAX_BYTES) or b""
    except OSError:
        return False
    if _HOOKS_PATH.search(config) is not None:
        return True
    rest = OURS.sub("", hook.decode("utf-8", "surrogateescape"))
    return any(line.strip() and not line.startswith("#") for line in rest.splitlines())
