"""The contents that a file had in the commits that lead to HEAD, followed through renames."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from intentls.store.git.command import run_git
from intentls.store.git.commits import AS_COMMITTED, read_objects

_TIMEOUT_S = 3.0
_MOST_COMMITS = 200
_MOST_BYTES = 8 * 1024 * 1024  # of all versions together
_RAW = re.compile(rb":[0-7]{6} ([0-7]{6}) [0-9a-f]+ ([0-9a-f]+) (?:[RC][0-9]*\0([^\0]+)\0([^\0]+)|[A-Z]\0([^\0]+))\0")
_FILES = (b"100644", b"100755")
_LOG = (
    *("-c", "log.diffMerges=separate", "log", "-m", "--follow", f"--max-count={_MOST_COMMITS}", "--format="),
    *("--raw", "--no-abbrev", "-z", "--find-renames", "--no-ext-diff", "--no-textconv"),
)


@dataclass(frozen=True, slots=True)
class Version:
    """What a file held, and its name then, relative to the folder that was asked about."""

    path: str
    content: bytes


def file_versions(root: Path, path: str) -> list[Version]:
    """The versions of root-relative `path`, newest first; [] outside git, and where git can't tell in time."""
    done = run_git(root, AS_COMMITTED, *_LOG, "--relative", "--", f":(literal){path}", timeout_s=_TIMEOUT_S)
    if done is None or done.returncode != 0:
        return []
    named: dict[str, str] = {}
    for mode, oid, _old, renamed, name in _RAW.findall(done.stdout):
        if mode in _FILES:
            named.setdefault(oid.decode("ascii"), os.fsdecode(renamed or name))
    found: list[Version] = []
    left = _MOST_BYTES
    contents = read_objects(root, named)
    for oid, name in named.items():
        content = contents.get(oid)
        if content is None or len(content) > left:
            continue
        left -= len(content)
        found.append(Version(name, content))
    return found
