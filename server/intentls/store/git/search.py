"""Which files of a commit have a word."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from intentls.store.git.command import run_git
from intentls.store.git.commits import AS_COMMITTED, read_objects
from intentls.store.layout import ORCHESTRATION

_TIMEOUT_S = 60.0
_MAX_FILES = 1_000
_SEARCH = (
    "grep",
    "-I",
    "--files-with-matches",
    "-z",
    "--word-regexp",
    "--fixed-strings",
    "--full-name",
    "--no-textconv",
)


def files_with(top: Path, commit: str, words: Iterable[str]) -> dict[str, bytes] | None:
    """The content of each text file that has one of the words, by path, but for the ledger's. `commit` is an id.

    None where git can't tell, or too many files have one.
    """
    patterns = (option for word in words for option in ("-e", word))
    ours = f":(top,exclude,glob)**/{ORCHESTRATION}/**"
    result = run_git(top, AS_COMMITTED, *_SEARCH, *patterns, commit, "--", ":(top)", ours, timeout_s=_TIMEOUT_S)
    if result is None or result.returncode > 1:
        return None
    names = [os.fsdecode(name) for name in result.stdout.split(b"\0") if name]
    if len(names) > _MAX_FILES:
        return None
    return {name.partition(":")[2]: content for name, content in read_objects(top, names).items()}
