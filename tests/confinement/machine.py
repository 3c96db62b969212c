"""What this machine can confine, tried; and folders for an ordinary user."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

NOBODY = 65534


@cache
def can_confine(mode: str, user: str) -> bool:
    """Whether a command can be run confined in this mode by this user (`root`, `nobody`); tried, not guessed."""
    if user == "nobody" and os.geteuid() != 0:
        return False
    trial = {
        "staged": "from intentls.store.confinement.probe import why_not_staged as why; import sys; sys.exit(why())",
        "strict": "from intentls.store.confinement import landlock; import sys; sys.exit(not landlock.is_usable())",
    }
    with tempfile.TemporaryDirectory() as state:
        Path(state).chmod(0o777)
        tried = subprocess.run(
            [sys.executable, "-c", trial[mode]],
            check=False,
            capture_output=True,
            cwd="/",
            env={**os.environ, "HOME": state, "XDG_STATE_HOME": state},
            **({"user": NOBODY, "group": NOBODY} if user == "nobody" else {}),
        )
    return tried.returncode == 0


def open_to_nobody(folder: Path) -> None:
    """Let the ordinary user own `folder` and all in it, and enter the folders above it."""
    for above in folder.parents:
        above.chmod(above.stat().st_mode | 0o111)
    for place, folders, names in os.walk(folder):
        for name in (".", *folders, *names):
            os.chown(Path(place, name), NOBODY, NOBODY, follow_symlinks=False)
