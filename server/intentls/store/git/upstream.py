"""What a file is in a commit, and in the branch that this one follows elsewhere."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from intentls.store.git.command import ask_git

_PUSHED = b"push"


class FileInCommit(Struct, frozen=True):
    """A file in a commit; `data` is None where the commit has no such file."""

    data: bytes | None


def blob_at(root: Path, revision: str | None, path: str) -> FileInCommit | None:
    """The root-relative `path` in a commit; None where git can't tell."""
    if revision is None:
        return None
    listed = ask_git(root, "ls-tree", "-z", revision, f"./{path}")
    if listed is None:
        return None
    if not listed:
        return FileInCommit(None)
    object_id = listed.partition(b"\t")[0].split()[-1].decode("ascii")
    data = ask_git(root, "cat-file", "blob", object_id)
    return None if data is None else FileInCommit(data)


def blob_fetched_from_upstream(root: Path, path: str) -> FileInCommit | None:
    """The root-relative `path` in the upstream branch as last fetched; None without one, and where it was pushed.

    What this clone pushed is its own. Git's log of the branch says which of the two came last.
    """
    commit = ask_git(root, "rev-parse", "--verify", "--quiet", "@{upstream}")
    if not commit:
        return None
    newest = ask_git(root, "reflog", "show", "-1", "--format=%gs", "@{upstream}") or b""
    return None if _PUSHED in newest else blob_at(root, commit.decode("ascii").strip(), path)
