"""What this machine can confine, tried; and folders for an ordinary user."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

NOBODY = 65534
_REPOSITORY = Path(__file__).parents[2]
_SEEN = """
set -e
hidden=$1 count=$2
shift 2
mount -t tmpfs tmpfs /mnt
mkdir /mnt/all
mount --bind "$hidden" /mnt/all
mount -t tmpfs -o mode=755 tmpfs "$hidden"
for _ in $(seq "$count"); do
  mkdir -p "$hidden/$1"
  mount --bind "/mnt/all/$1" "$hidden/$1"
  shift
done
umount /mnt/all
umount /mnt
exec "$@"
"""
"""Only some folders of a folder that an ordinary user can't enter, where they were, seen by one command."""


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
        command = [sys.executable, "-c", trial[mode]]
        tried = subprocess.run(
            as_nobody(command) if user == "nobody" else command,
            check=False,
            capture_output=True,
            cwd="/",
            env={**os.environ, "HOME": state, "XDG_STATE_HOME": state},
        )
    return tried.returncode == 0


def as_nobody(command: Sequence[str], group: int = NOBODY, others: Sequence[int] = ()) -> list[str]:
    """What runs `command` as an ordinary user, who can run this Python wherever it lies, in a home of root's too."""
    groups = ("--groups", ",".join(map(str, others))) if others else ("--clear-groups",)
    changed = ("setpriv", "--reuid", str(NOBODY), "--regid", str(group), *groups, *command)
    folders = {Path(each).resolve() for each in (sys.base_prefix, sys.prefix, _REPOSITORY)}
    hidden = {
        above for folder in folders for above in (folder, *folder.parents) if not above.stat().st_mode & stat.S_IXOTH
    }
    if not hidden:
        return list(changed)
    top = min(hidden, key=lambda above: len(above.parts))
    seen = [str(folder.relative_to(top)) for folder in sorted(folders) if folder.is_relative_to(top)]
    return ["unshare", "--mount", "sh", "-c", _SEEN, "sh", str(top), str(len(seen)), *seen, *changed]


def open_to_nobody(folder: Path) -> None:
    """Let the ordinary user own `folder` and all in it, and enter the folders above it."""
    for above in folder.parents:
        above.chmod(above.stat().st_mode | 0o111)
    for place, folders, names in os.walk(folder):
        for name in (".", *folders, *names):
            os.chown(Path(place, name), NOBODY, NOBODY, follow_symlinks=False)
