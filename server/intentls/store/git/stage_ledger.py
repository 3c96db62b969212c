"""Putting the ledger's new files into git's index, as a commit hook does, so that a commit has the records with it.

What is staged is what lies on the disk, byte for byte: no filter and no attribute has a say in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from intentls.core.errors import ConfigurationError
from intentls.store.fs.primitives import names_in
from intentls.store.git.command import run_git
from intentls.store.git.ledger_at_commit import is_archive, is_segment
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION, TRACE_NAME

_HOME = re.compile(rf"(?P<home>(?:.*/)?{re.escape(ORCHESTRATION)}/)(?P<name>.*)", re.DOTALL)
ENGINES_OWN = (LEDGER_NAME, "intent_map.md", "spatial_map.json")
"""What the engine alone writes, and older repositories (or the policy) keep in git."""
_SIGNATURE = ".sig"
_MAX_TRIES = 3


def stage_ledger(top: Path, index: Path | None) -> tuple[str, ...]:
    """Stage the segments, archives and signatures that the index lacks, and what it has of the engine's other files.

    In every root that the index (None: the repository's own) has a file of. The paths from the top that were staged.
    Raises ConfigurationError where git can't.
    """
    listed = _entries(top, index)
    homes = sorted({match["home"] for path in listed if (match := _HOME.fullmatch(path)) is not None})
    paths = [path for home in homes for path in _candidates(top, home, listed)]
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
        is_new = home + name not in listed and (is_segment(name.removesuffix(_SIGNATURE)) or is_archive(name))
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
