"""What git sees of a working tree: which files differ from HEAD or are new, which it ignores or tracks."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from intentls.store.git.command import ask_git, run_git
from intentls.store.git.commits import AS_COMMITTED, batch_contents

_STATUS = (
    AS_COMMITTED,
    *("-c", "core.untrackedCache=keep", "-c", "submodule.recurse=false"),
    *("-c", "core.trustCtime=true", "-c", "core.checkStat=default"),  # a time of change that was set back hides nothing
    *("status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--no-renames"),
    "--ignore-submodules=all",
)
_NO_OBJECT = "0"
_SUBMODULE = "160000"
_HIDDEN = re.compile(rb"(?:\A|\0)[Sa-z] ")
_FILE_MODES = frozenset({"100644", "100755"})


@dataclass(frozen=True, slots=True)
class StatusEntry:
    """A path that is not as in HEAD. `blob` is HEAD's object (None: HEAD has none), `mode_changed`: its x bit has.

    `executable`: whether HEAD has the x bit; None where it has no such file.
    """

    blob: str | None = None
    mode_changed: bool = False
    executable: bool | None = None


@dataclass(frozen=True, slots=True)
class GitStatus:
    """`revision` is HEAD's commit, None before the first; `entries` by root-relative path.

    `ignored`, if asked for: what git leaves out, of a directory only its own path, with a final slash.
    """

    revision: str | None
    entries: Mapping[str, StatusEntry]
    ignored: tuple[str, ...] = ()


class GitFiles:
    """Asks git about files below `root`, named by their root-relative paths.

    Every answer is None where git has none: outside a work tree, or where git is not installed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def attribute(self, path: str, name: str) -> str | None:
        """The value of an attribute of `.gitattributes`; `unspecified` if no line sets it."""
        output = ask_git(self._root, "check-attr", "-z", name, "--", path)
        return None if output is None else os.fsdecode(output).split("\0")[2]

    def is_ignored(self, path: str) -> bool | None:
        """Whether a new file of this name would be left out."""
        result = run_git(self._root, "check-ignore", "--quiet", "--no-index", "--", path)
        return None if result is None or result.returncode not in (0, 1) else result.returncode == 0

    def is_tracked(self, path: str) -> bool | None:
        """Whether the file, or a file in the directory, is in git's index."""
        output = ask_git(self._root, "ls-files", "-z", "--", f":(literal){path}")
        return None if output is None else bool(output)

    def committed(self, path: str) -> bytes | None:
        """What the commit that is checked out has of the file, as a checkout writes it. None too if it has none."""
        return ask_git(self._root, "cat-file", "--filters", f"HEAD:./{path}", filters=True)


def read_status(root: Path, *, ignored: bool = False) -> GitStatus | None:
    """The state of the working tree below `root` (resolved), None where git has no answer."""
    prefix = _prefix(root)
    extra = ("--ignored=matching",) if ignored else ()
    output = None if prefix is None else ask_git(root, *_here(root, prefix), *_STATUS, *extra, "--", ".", filters=True)
    if output is None or prefix is None:
        return None
    revision: str | None = None
    entries: dict[str, StatusEntry] = {}
    left_out: list[str] = []
    for line in os.fsdecode(output).split("\0"):
        if line.startswith("# branch.oid "):
            oid = line.removeprefix("# branch.oid ")
            revision = None if oid.startswith("(") else oid
            continue
        if line.startswith("! "):
            left_out.append(line[2:].removeprefix(prefix))
            continue
        path, entry = _entry(line)
        if path.startswith(prefix) and not path.endswith("/"):  # a repository inside has its own affairs
            entries.setdefault(path[len(prefix) :], entry)  # one that is no longer in the index comes as new, too
    return GitStatus(revision, entries, tuple(left_out))


def read_hidden(root: Path) -> dict[str, str] | None:
    """The root-relative paths that git was told not to look at, with their objects in the index; None as above.

    `git update-index` has two such flags: `--assume-unchanged` and `--skip-worktree` (sparse checkouts set it, too).
    """
    prefix = _prefix(root)
    if prefix is None:
        return None
    output = ask_git(root, *_here(root, prefix), "ls-files", "-v", "-z", "--", ".")
    if output is None or not _HIDDEN.search(output):
        return None if output is None else {}
    listed = ask_git(root, *_here(root, prefix), "ls-files", "-v", "--stage", "-z", "--", ".")
    if listed is None:
        return None
    lines = (os.fsdecode(line) for line in listed.split(b"\0") if _HIDDEN.match(line))
    rows = (line.partition("\t") for line in lines)
    return {path: meta.split(" ")[2] for meta, _, path in rows if meta.split(" ")[1] != _SUBMODULE}


def moved_between(root: Path, old: str | None, new: str | None) -> dict[str, str | None] | None:
    """The root-relative paths in which two commits differ, each with the object that the old one holds.

    None for a commit: the state before the first one. The answer is None where git can't tell, as of a commit that it
    does not have.
    """
    prefix = _prefix(root)
    if old == new:
        return {}
    if prefix is None:
        return None
    if old is None or new is None:
        output = ask_git(root, AS_COMMITTED, "ls-tree", "-r", "-z", "--full-tree", old or new or "")
        if output is None:
            return None
        lines = [line.partition("\t") for line in os.fsdecode(output).split("\0")[:-1]]
        files = [(path, meta.split(" ")) for meta, _, path in lines if not meta.startswith(_SUBMODULE)]
        objects = {path: None if old is None else oid for path, (_, _, oid) in files}
    else:
        output = ask_git(root, AS_COMMITTED, "diff-tree", "-r", "-z", "--no-renames", old, new, "--")
        if output is None:
            return None
        fields = os.fsdecode(output).split("\0")
        rows = zip(fields[::2], fields[1::2], strict=False)
        objects = {path: _object(meta.split(" ")[2]) for meta, path in rows if not meta.startswith(f":{_SUBMODULE}")}
    return {path[len(prefix) :]: oid for path, oid in objects.items() if path.startswith(prefix)}


def read_blobs(root: Path, blobs: Mapping[str, str]) -> dict[str, bytes]:
    """The contents of objects (by path), as a checkout would write them: line ends and filters applied."""
    if not blobs:
        return {}
    lines = "".join(f"{blob} {path.replace(chr(10), '_')}\n" for path, blob in blobs.items())
    output = ask_git(root, AS_COMMITTED, "cat-file", "--batch", "--filters", stdin=os.fsencode(lines), filters=True)
    return dict(batch_contents(blobs, output or b""))


def _entry(line: str) -> tuple[str, StatusEntry]:
    kind, _, rest = line.partition(" ")
    if kind == "?":
        return rest, StatusEntry()
    if kind == "1":
        _, _, head, _, work, blob, _, path = rest.split(" ", 7)
        executable = head == "100755" if head in _FILE_MODES else None
        return path, StatusEntry(_object(blob), head != work and {head, work} <= _FILE_MODES, executable)
    if kind == "u":
        return rest.split(" ", 9)[9], StatusEntry(_object(rest.split(" ", 9)[7]))
    return "/", StatusEntry()


def _here(root: Path, prefix: str) -> tuple[str, ...]:
    """The switch that keeps git from looking at another work tree than the one that `root` is in."""
    return ("--work-tree", str(root.parents[prefix.count("/") - 1] if prefix else root))


def _object(oid: str) -> str | None:
    return None if not oid.strip(_NO_OBJECT) else oid


def _prefix(root: Path) -> str | None:
    """What git's paths begin with for files below `root`: "" at the top, None outside git."""
    for directory in (root, *root.parents):
        if os.path.lexists(directory / ".git"):
            inner = root.relative_to(directory).as_posix()
            return "" if inner == "." else f"{inner}/"
    return None
