"""Which intents the branches of a repository declare, and what a branch changed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER
from intentls.late_pattern import late_pattern
from intentls.store.git.command import ask_git
from intentls.store.git.commits import batch_contents

_ID: Final = late_pattern(rb"""^[ \t]*(?:-[ \t]+)?["']?id["']?:[ \t]*["']?([^\s"'#,}]+)""", re.MULTILINE)
_MAX_REFS: Final = 5_000


def ids_in_refs(root: Path) -> frozenset[str]:
    """The ids of intents in every branch, local and remote, that git knows of; none outside git."""
    listed = ask_git(
        root, "for-each-ref", f"--count={_MAX_REFS}", "--format=%(objectname)", "refs/heads", "refs/remotes"
    )
    commits = list(dict.fromkeys((listed or b"").decode("ascii", "replace").split()))
    prefix = os.fsdecode(ask_git(root, "rev-parse", "--show-prefix") or b"").rstrip("\n")
    lists = _objects(root, (f"{commit}:{prefix}{INTENTS_FILE}" for commit in commits), b"blob")
    folders = _objects(root, (f"{commit}:{prefix}{INTENTS_FOLDER}" for commit in commits), b"tree")
    blobs = {*lists, *(oid for folder in folders for oid in _files(root, folder))}
    ids: set[str] = set()
    for content in _contents(root, sorted(blobs)):
        ids.update(match.decode("utf-8", "replace") for match in _ID.findall(content))
    return frozenset(ids)


def has_other_clones(root: Path) -> bool:
    """Whether somebody else may work on a copy of this repository: it has a remote, or another work tree."""
    remotes = ask_git(root, "remote")
    trees = ask_git(root, "worktree", "list", "--porcelain") or b""
    return bool(remotes) or trees.count(b"worktree ") > 1


def current_branch(root: Path) -> str | None:
    """The name of the branch that is checked out; None for a detached HEAD and outside git."""
    output = ask_git(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    return None if output is None else os.fsdecode(output).rstrip("\n") or None


def changed_on_branch(root: Path) -> tuple[str, ...]:
    """The paths below `root` that the branch changed since it left the main one, and those not committed yet."""
    base = next(
        filter(None, (_merge_base(root, name) for name in ("origin/HEAD", "origin/main", "main", "master"))), None
    )
    options = ("--name-only", "--relative", "-z", "--no-ext-diff", "--no-textconv", "--diff-filter=d")
    committed = None if base is None else ask_git(root, "diff", *options, base, "HEAD")
    pending = ask_git(root, "diff", *options, "HEAD", filters=True)
    new = ask_git(root, "ls-files", "--others", "--exclude-standard", "-z")
    names = b"\0".join(output for output in (committed, pending, new) if output).split(b"\0")
    return tuple(dict.fromkeys(os.fsdecode(name) for name in names if name))


def merged_or_gone(root: Path, branches: Iterable[str], commit: str = "HEAD") -> frozenset[str]:
    """Those of `branches` whose work is in `commit`, and those that no ref is of any more.

    The branch that is checked out is none of them.
    """
    listing = ("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
    known = _short(ask_git(root, *listing))
    merged = _short(ask_git(root, *listing[:1], f"--merged={commit}", *listing[1:]))
    current = current_branch(root)
    return frozenset(name for name in branches if name != current and (name in merged or name not in known))


def _short(listed: bytes | None) -> frozenset[str]:
    names = set()
    for ref in os.fsdecode(listed or b"").split("\n"):
        if ref.startswith("refs/heads/"):
            names.add(ref.removeprefix("refs/heads/"))
        elif ref.startswith("refs/remotes/"):
            names.add(ref.removeprefix("refs/remotes/").partition("/")[2])
    return frozenset(names - {"", "HEAD"})


def _merge_base(root: Path, name: str) -> str | None:
    output = ask_git(root, "merge-base", "--end-of-options", name, "HEAD")
    return None if output is None else output.decode("ascii", "replace").strip() or None


def _objects(root: Path, names: Iterable[str], kind: bytes) -> list[str]:
    """The ids of those objects that there are and that are of this kind."""
    asked = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    output = ask_git(root, "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked) or b""
    pairs = (line.split() for line in output.splitlines())
    return list(dict.fromkeys(pair[0].decode("ascii") for pair in pairs if len(pair) == 2 and pair[1] == kind))


def _files(root: Path, tree: str) -> Iterator[str]:
    output = ask_git(root, "ls-tree", "-z", tree) or b""
    for line in output.split(b"\0"):
        meta, _, name = line.partition(b"\t")
        if name.endswith(b".yaml"):
            yield meta.split()[2].decode("ascii")


def _contents(root: Path, oids: list[str]) -> Iterator[bytes]:
    if not oids:
        return
    output = ask_git(root, "cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in oids).encode()) or b""
    yield from (content for _, content in batch_contents(oids, output))
