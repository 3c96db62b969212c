"""Putting the ledger's new files into git's index, as a commit hook does, so that a commit has the records with it.

What is staged is what lies on the disk, byte for byte: no filter and no attribute has a say in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from intentls.core.errors import ConfigurationError
from intentls.late_pattern import late_pattern
from intentls.store.fs.primitives import names_in
from intentls.store.git.command import ask_git, run_git
from intentls.store.git.commits import git_paths
from intentls.store.git.ledger_at_commit import is_of_ledger, is_segment
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION, TRACE_NAME

_HOME = late_pattern(rf"(?P<home>(?:.*/)?{re.escape(ORCHESTRATION)}/)(?P<name>.*)", re.DOTALL)
ENGINES_OWN = (LEDGER_NAME, "intent_map.md", "spatial_map.json")
"""What the engine alone writes, and older repositories (or the policy) keep in git."""
_MAX_TRIES = 3
_UNDER_WAY = ("MERGE_HEAD", "rebase-merge", "rebase-apply", "sequencer", "CHERRY_PICK_HEAD", "REVERT_HEAD")


def stage_ledger(top: Path, index: Path | None) -> tuple[str, ...]:
    """Stage the segments, archives and signatures that the index lacks, and what it has of the engine's other files.

    In every root that the index (None: the repository's own) has a file of. The paths from the top that were staged.
    Raises ConfigurationError where git can't.
    """
    listed = _entries(top, index)
    homes = sorted({match["home"] for path in listed if (match := _HOME.fullmatch(path)) is not None})
    paths = [path for home in homes for path in _candidates(top, home, listed)]
    return stage_files(top, index, paths, listed)


def staged_segments(
    top: Path, index: Path | None, is_wanted: Callable[[str], bool] = lambda _: True
) -> dict[str, dict[str, str]]:
    """By root (its path from the top, "" or "services/billing/"): the segments that the index has and HEAD has not.

    Each by its name in `trace/`, with the object that is its content. Roots that are not wanted are left out. Raises
    ConfigurationError where git can't tell.
    """
    staged: dict[str, dict[str, str]] = {}
    for path, oid in _entries(top, index).items():
        match = _HOME.fullmatch(path)
        if match is not None and is_segment(match["name"]):
            prefix = match["home"].removesuffix(f"{ORCHESTRATION}/")
            staged.setdefault(prefix, {})[match["name"].removeprefix(f"{TRACE_NAME}/")] = oid
    folders = {f"{prefix}{ORCHESTRATION}/{TRACE_NAME}/": prefix for prefix in staged if is_wanted(prefix)}
    if not folders:
        return {}
    result = run_git(top, "ls-tree", "-z", "--name-only", "HEAD", "--", *folders, index=index)
    committed = set() if result is None else {os.fsdecode(path) for path in result.stdout.split(b"\0")}
    new = {
        prefix: {name: oid for name, oid in staged[prefix].items() if folder + name not in committed}
        for folder, prefix in folders.items()
    }
    return {prefix: names for prefix, names in new.items() if names}


def stage_files(
    top: Path, index: Path | None, paths: Sequence[str], listed: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """Stage files, byte for byte; `listed` is what the index has of them. The paths that were staged.

    Raises ConfigurationError where git can't.
    """
    for _ in range(_MAX_TRIES):
        if not paths:
            return ()
        sizes = [_size(top / path) for path in paths]
        hashed = _ask(top, index, "hash-object", "-w", "--no-filters", "--stdin-paths", stdin=_lines(paths)).split()
        staged = [
            (path, oid.decode("ascii"))
            for path, oid in zip(paths, hashed, strict=True)
            if listed.get(path) != oid.decode()
        ]
        if staged:
            entries = "".join(f"100644 {oid} 0\t{path}\0" for path, oid in staged)
            _ask(top, index, "update-index", "-z", "--index-info", stdin=os.fsencode(entries))
        if [_size(top / path) for path in paths] == sizes:  # else somebody wrote on before it was staged
            return tuple(path for path, _ in staged)
    return tuple(paths)


def tree_of_index(top: Path, index: Path | None) -> str | None:
    """The tree that a commit of this index would have; None where git can't make one, as in a conflict."""
    output = ask_git(top, "write-tree", index=index)
    return None if output is None else output.decode("ascii").strip()


def is_merging(top: Path) -> bool:
    """Whether a merge, or a series of commits that git makes by itself, is under way."""
    return any(os.path.lexists(path) for path in git_paths(top, _UNDER_WAY))


def _entries(top: Path, index: Path | None) -> dict[str, str]:
    pathspec = f":(top,glob)**/{ORCHESTRATION}/**"
    output = _ask(top, index, "ls-files", "--stage", "-z", "--full-name", "--", pathspec)
    rows = (item.partition(b"\t") for item in output.split(b"\0")[:-1])
    return {os.fsdecode(path): meta.split()[1].decode("ascii") for meta, _, path in rows}


def _candidates(top: Path, home: str, listed: dict[str, str]) -> Iterator[str]:
    try:
        names = sorted(names_in(top / home / TRACE_NAME))
    except OSError:
        names = []  # there is none, or nobody can read it: then git has nothing to add either
    for name in (f"{TRACE_NAME}/{name}" for name in names):
        is_new = home + name not in listed and is_of_ledger(name)
        if is_new and _is_regular(top / home / name):
            yield home + name
    for name in ENGINES_OWN:
        if home + name in listed and _is_regular(top / home / name):
            yield home + name


def _is_regular(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and "\n" not in file.name


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except OSError:
        return None


def _lines(paths: Sequence[str]) -> bytes:
    return os.fsencode("".join(f"{path}\n" for path in paths))


def _ask(top: Path, index: Path | None, *arguments: str, stdin: bytes = b"") -> bytes:
    result = run_git(top, *arguments, stdin=stdin, index=index)
    if result is None or result.returncode != 0:
        words = "" if result is None else os.fsdecode(result.stderr).strip().splitlines()[-1:]
        raise ConfigurationError(f"git can't stage the ledger: {''.join(words) or 'it did not answer'}.")
    return result.stdout
