"""Who committed a line, as `git blame` says: for lines that no record is of."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from intentls.store.git.command import ask_git

_TIMEOUT_S = 5.0  # a person waits with the pointer on a line


class LineCommit(Struct, frozen=True):
    """The commit that last changed a line: its author's name, its time (RFC 3339), its id and its subject."""

    author: str
    timestamp: str
    commit: str
    subject: str


def line_commit(root: Path, path: str, line: int, content: bytes) -> LineCommit | None:
    """The commit of a line (from 1) of `content`, which root-relative `path` holds now, saved or not.

    None where git has none: outside git, a file or a line that is not committed, or a git that does not answer.
    """
    arguments = ("-w", "--porcelain", "--no-textconv", "--contents", "-", "-L", f"{line},{line}", "--", path)
    output = ask_git(root, "blame", *arguments, stdin=content, timeout_s=_TIMEOUT_S, filters=True)
    return None if output is None else _parse(output.decode("utf-8", errors="replace"))


def _parse(output: str) -> LineCommit | None:
    lines = output.split("\n")
    commit = lines[0].partition(" ")[0]
    if not commit.strip("0"):
        return None  # not committed
    values = dict(line.split(" ", 1) for line in lines[1:] if " " in line and not line.startswith("\t"))
    try:
        moment = datetime.fromtimestamp(int(values["author-time"]), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return None
    time = moment.isoformat().replace("+00:00", "Z")
    return LineCommit(values.get("author", ""), time, commit, values.get("summary", ""))
