"""What must hold in a root, whatever happened to the servers that worked in it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from intentls.core.hashing import hash_of
from intentls.store.layout import Layout
from tests.support.patience import PATIENCE_S
from tests.support.session import Json, Session, ledger_of

Contents = Mapping[str, bytes | None]

_TEMPORARY = re.compile(r"\.tmp$|-tmp$|~$|\.new$")


def contents(root: Path, paths: Iterator[str] | list[str]) -> dict[str, bytes | None]:
    """What the files hold now; None where there is none."""
    return {path: (root / path).read_bytes() if (root / path).exists() else None for path in paths}


def files(root: Path) -> set[str]:
    """Every file below the root, `.orchestration` and `.git` left out."""
    found = set()
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".orchestration", ".git")]
        found |= {(Path(folder) / name).relative_to(root).as_posix() for name in names}
    return found


def strays(root: Path) -> list[str]:
    """What an edit needs only while it is under way: staged contents, journal entries, temporary files."""
    layout = Layout(root)
    found = []
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder) / name
            pending = path.parent == layout.stage or (path.parent == layout.journal and _size(path))
            if pending or _TEMPORARY.search(name):
                found.append(path.relative_to(root).as_posix())
    return found


def _size(path: Path) -> int:
    """0 also for a file that a server has just taken away."""
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def lasting_strays(root: Path) -> list[str]:
    """Those that stay: a server that has just begun may be writing down what it found."""
    until = time.monotonic() + PATIENCE_S
    while (found := strays(root)) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def changes(root: Path) -> Iterator[tuple[Json, Json]]:
    """(record, file) of every change on record, oldest first."""
    for record in ledger_of(root, torn=True):
        if record["success"]:
            for file in record["files"]:
                yield record, file


def untraced(root: Path, first: Contents) -> list[str]:
    """Where the ledger and the files disagree: every change must build on the one before it, and the last one
    must be what stands there. `first` is what the files held before anything was recorded; all others must be
    on record from their beginning."""
    known = {path: hash_of(data) for path, data in first.items()}
    problems = []
    for record, file in changes(root):
        old = file.get("old_path") or file["path"]
        if known.get(old) != file["pre_hash"]:
            problems.append(f"{record['id']} changed {old} from {file['pre_hash']}, but it was {known.get(old)}")
        known[old] = None
        known[file["path"]] = file["post_hash"]
    for path in sorted(files(root) | set(known)):
        file = root / path
        now = hash_of(file.read_bytes()) if file.is_file() else None
        if now != known.get(path):
            problems.append(f"{path} is {now}, but on record as {known.get(path)}")
    return problems


def check_whole(session: Session) -> None:
    """The ledger verifies, and nothing unfinished lies about."""
    found = session.do("verifyTrace")
    assert (found["ok"], found["problems"]) == (True, [])
    assert lasting_strays(session.root) == []
