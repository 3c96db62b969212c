"""Questions to git about commits: which one a name means, where two of them part, which versions a file had."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from intentls.core.errors import ConfigurationError
from intentls.store.git.command import run_git

AS_COMMITTED = "--no-replace-objects"
"""What is judged is what was committed, not what somebody told this clone to show in its place."""

_TIMEOUT_S = 120.0
_RAW = re.compile(rb":[0-7]{6} ([0-7]{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]\0([^\0]+)\0")
_MOST_PATHS = 200  # in one question: a command line has an end
_FILES = (b"100644", b"100755")


def work_tree(folder: Path) -> Path:
    """The top of the work tree that `folder` lies in. Raises ConfigurationError outside git."""
    told = _ask(folder, "rev-parse", "--show-toplevel")
    if not told:
        raise ConfigurationError(
            f"{folder} is in no git work tree (or git is not installed, or refuses to read it), and only git knows "
            "what a branch changed."
        )
    return Path(os.fsdecode(told).removesuffix("\n")).resolve()


def commit_id(top: Path, name: str) -> str:
    """The commit that a branch, a tag or an id names. Raises ConfigurationError."""
    told = None if name.startswith("-") else _ask(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if told is None:
        hint = f" `git fetch origin {name.removeprefix('origin/')}` may bring it." if not name.startswith("-") else ""
        raise ConfigurationError(f"git knows no commit {name!r} here.{hint}")
    return told.decode("ascii").strip()


def merge_base(top: Path, base: str, head: str) -> str:
    """Where two commits part. Raises ConfigurationError, with advice for a shallow clone."""
    told = _ask(top, "merge-base", base, head)
    if told is not None:
        return told.decode("ascii").strip()
    if _is_shallow(top):
        raise ConfigurationError(
            f"This clone is shallow: where {base[:12]} and {head[:12]} part is not in it. Fetch more history: "
            "`git fetch --unshallow`, or `fetch-depth: 0` in the checkout step."
        )
    raise ConfigurationError(f"{base[:12]} and {head[:12]} have no commit in common. Choose another base.")


def changed_versions(top: Path, base: str, head: str, paths: Iterable[str]) -> dict[str, list[str]]:
    """By path, the objects of the versions that the commits from `base` (excluded) to `head` made, oldest first."""
    return _versions(top, paths, ("--reverse", "--topo-order", "-m", f"{base}..{head}"))


def earlier_versions(top: Path, base: str, paths: Iterable[str], most: int) -> dict[str, list[str]]:
    """By path, the objects of the newest versions up to `base`, newest first; at most `most` commits are looked at."""
    return _versions(top, paths, (f"--max-count={most}", base))


def changed_paths(top: Path, commit: str) -> tuple[str, ...]:
    """The paths that a commit changed; of a merge, those in which it differs from each of its parents."""
    told = _ask(top, "diff-tree", "-r", "-c", "--root", "-z", "--no-commit-id", "--name-only", "--no-renames", commit)
    return tuple(os.fsdecode(path) for path in (told or b"").split(b"\0") if path)


def added_lines(top: Path, commit: str, path: str) -> list[bytes]:
    """The lines of a file, without their ends, that a commit has and none of its parents has."""
    told = _ask(top, "rev-list", "--parents", "--max-count=1", commit)
    parents = (told or b"").decode("ascii").split()[1:]
    known = {
        line for parent in parents for line in (_ask(top, "cat-file", "blob", f"{parent}:{path}") or b"").split(b"\n")
    }
    return [
        line for line in (_ask(top, "cat-file", "blob", f"{commit}:{path}") or b"").split(b"\n") if line not in known
    ]


def git_path(top: Path, name: str) -> Path | None:
    """Where the repository keeps something: `hooks`, `rebase-merge`. None outside git."""
    told = _ask(top, "rev-parse", "--git-path", name)
    return None if told is None else top / os.fsdecode(told).removesuffix("\n")


def _is_shallow(top: Path) -> bool:
    return (_ask(top, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"


def _versions(top: Path, paths: Iterable[str], choice: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    wanted = list(paths)
    for at in range(0, len(wanted), _MOST_PATHS):
        told = _ask(
            top,
            *("-c", "log.diffMerges=separate", "log"),
            *("--format=", "--raw", "--no-abbrev", "--no-renames", "-z", "--no-ext-diff", "--no-textconv"),
            *choice,
            "--",
            *(f":(top,literal){path}" for path in wanted[at : at + _MOST_PATHS]),
        )
        for mode, oid, path in _RAW.findall(told or b""):
            if mode in _FILES:
                _note(found, os.fsdecode(path), oid.decode("ascii"))
    return found


def _note(found: dict[str, list[str]], path: str, oid: str) -> None:
    versions = found.setdefault(path, [])
    if oid not in versions:
        versions.append(oid)


def read_objects(top: Path, oids: Iterable[str]) -> Mapping[str, bytes]:
    """The contents of objects, as git keeps them. One that is missing is left out."""
    wanted = list(dict.fromkeys(oids))
    if not wanted:
        return {}
    told = _ask(top, "cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in wanted).encode("ascii")) or b""
    found: dict[str, bytes] = {}
    at = 0
    for oid in wanted:
        end = told.find(b"\n", at)
        parts = told[at:end].split(b" ")
        at = end + 1
        if len(parts) == 3 and parts[2].isdigit():
            size = int(parts[2])
            found[oid] = told[at : at + size]
            at += size + 1
    return found


def _ask(top: Path, *arguments: str, stdin: bytes = b"") -> bytes | None:
    done = run_git(top, AS_COMMITTED, *arguments, stdin=stdin, timeout_s=_TIMEOUT_S)
    return None if done is None or done.returncode != 0 else done.stdout
