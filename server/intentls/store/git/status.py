"""What git sees of a working tree: which files differ from HEAD or are new, which it ignores or tracks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from msgspec import Struct, field

from intentls.late_pattern import late_pattern
from intentls.store.git.command import ask_git, run_git
from intentls.store.git.commits import AS_COMMITTED, batch_contents

_STATUS = (
    AS_COMMITTED,
    *("-c", "core.untrackedCache=keep", "-c", "submodule.recurse=false"),
    # What a command may set so that git looks less closely.
    *("-c", "core.trustCtime=true", "-c", "core.checkStat=default", "-c", "core.ignoreStat=false"),
    *("status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--no-renames"),
    "--ignore-submodules=all",
)
_COMPLETE = ("-c", f"core.fileMode={'false' if os.name == 'nt' else 'true'}")
_NO_OBJECT = "0"
_SUBMODULE = "160000"
_HIDDEN = frozenset("Sabcdefghijklmnopqrstuvwxyz")  # flags of files that git was told not to look at
_ANY_HIDDEN = late_pattern(rb"(?:\A|\0)[Sa-z] ")
_ORCHESTRATED = late_pattern(rb"(?:\A|\0)[A-Za-z?] ((?:[^\0]*/)?\.orchestration/[^\0]*)")
_MAX_PATHS = 200  # in one question: a command line has an end
_NO_NAME = "31415926535897932384626433832795"  # digits alone, so that case does not matter
_FILE_MODES = frozenset({"100644", "100755"})


class StatusEntry(Struct, frozen=True):
    """A path that is not as in HEAD. `blob` is the index's object (None: it has none), `mode_changed`: its x bit has.

    `executable`: whether the index has the x bit; None where it has no such file. Not `in_work_tree`: only the index
    differs from HEAD.
    """

    blob: str | None = None
    mode_changed: bool = False
    executable: bool | None = None
    in_work_tree: bool = True


class IndexEntry(NamedTuple):
    """A file in the index: git's mode and object. `is_hidden`: git was told not to look at the file on the disk.

    `git update-index` has two such flags: `--assume-unchanged` and `--skip-worktree` (sparse checkouts set it, too).
    """

    mode: str
    oid: str
    is_hidden: bool = False


class TrackedFiles(Struct, frozen=True):
    """`orchestrated` are those in an `.orchestration` directory, `hidden` those that git does not look at, with their
    objects."""

    orchestrated: tuple[str, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)


class GitStatus(Struct, frozen=True):
    """`revision` is HEAD's commit, None before the first; `entries` by root-relative path.

    `ignored`, of a complete one: what git leaves out, of a directory only its own path, with a final slash.
    `repositories`: directories, with a final slash, that are repositories of their own.
    """

    revision: str | None
    entries: Mapping[str, StatusEntry]
    ignored: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()


class GitFiles:
    """Asks git about files below `root`, named by their root-relative paths.

    Every answer is None where git has none: outside a work tree, or where git is not installed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def attribute(self, path: str, name: str) -> str | None:
        """The value of an attribute of `.gitattributes`; `unspecified` if no line sets it."""
        output = ask_git(self._root, "check-attr", "-z", name, "--", path, about=(path,))
        return None if output is None else os.fsdecode(output).split("\0")[2]

    def is_ignored(self, path: str) -> bool | None:
        """Whether a new file of this name would be left out."""
        result = run_git(self._root, "check-ignore", "--quiet", "--no-index", "--", path, about=(path,))
        return None if result is None or result.returncode not in (0, 1) else result.returncode == 0

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Those of the paths that git ignores; none of them where git has no answer."""
        data = b"\0".join(map(os.fsencode, paths))
        output = ask_git(self._root, "check-ignore", "-z", "--stdin", stdin=data, about=paths) if paths else None
        return frozenset(os.fsdecode(output or b"").split("\0")[:-1])

    def ignored_folders(self, paths: Sequence[str]) -> frozenset[str]:
        """Those of the folders of which git ignores everything, whatever is made in them; they need not exist.

        A folder with a tracked file is none. Git says by which pattern it ignores a name that nothing has: where the
        pattern's last part does not match that name, it is the folder, or one above, that is ignored.

        Example: `build/` ignores the folder `build`; `logs/*` only names in `logs`, and `!logs/kept` may follow.
        """
        names = [f"{path}/{_NO_NAME}" for path in paths]
        data = b"\0".join(map(os.fsencode, names))
        output = ask_git(self._root, "check-ignore", "-v", "-z", "--stdin", stdin=data, about=names) if paths else None
        fields = iter(os.fsdecode(output or b"").split("\0")[:-1])
        folders = []
        for _, _, pattern, name in zip(fields, fields, fields, fields, strict=True):
            last = pattern.rstrip("/").rpartition("/")[2]
            if not pattern.startswith("!") and not set(last) & set("[\\") and not fnmatchcase(_NO_NAME, last):
                folders.append(name.removesuffix(f"/{_NO_NAME}"))
        tracked: set[str] = set()
        for start in range(0, len(folders), _MAX_PATHS):
            literal = (f":(literal){path}" for path in folders[start : start + _MAX_PATHS])
            for file in os.fsdecode(ask_git(self._root, "ls-files", "-z", "--", *literal) or b"").split("\0"):
                tracked.update(parent.as_posix() for parent in PurePosixPath(file).parents)
        return frozenset(path for path in folders if path not in tracked)

    def is_tracked(self, path: str) -> bool | None:
        """Whether the file, or a file in the directory, is in git's index."""
        output = ask_git(self._root, "ls-files", "-z", "--", f":(literal){path}")
        return None if output is None else bool(output)

    def committed(self, path: str) -> bytes | None:
        """What the commit that is checked out has of the file, as a checkout writes it. None too if it has none."""
        return ask_git(self._root, "cat-file", "--filters", f"HEAD:./{path}", filters=True, about=(path,))


def read_status(
    root: Path, *, complete: bool = False, index: Path | None = None, top: Path | None = None
) -> GitStatus | None:
    """The state of the working tree below `root` (resolved), None where git has no answer.

    `complete`: with what is ignored, and with the x bits whatever git is configured to look at. `index` takes the
    place of the repository's own. `top`: the top of the work tree, where it is known from before.
    """
    prefix = _prefix(root, top)
    arguments = (*_COMPLETE, *_STATUS, "--ignored=matching") if complete else _STATUS
    output = None if prefix is None else _ask(root, prefix, (*arguments, "--", "."), index, named=top is not None)
    if output is None or prefix is None:
        return None
    revision: str | None = None
    entries: dict[str, StatusEntry] = {}
    left_out: list[str] = []
    repositories: list[str] = []
    for line in os.fsdecode(output).split("\0"):
        if line.startswith("# branch.oid "):
            oid = line.removeprefix("# branch.oid ")
            revision = None if oid.startswith("(") else oid
            continue
        if line.startswith("! "):
            left_out.append(line[2:].removeprefix(prefix))
            continue
        path, entry = _entry(line)
        if not path.startswith(prefix):
            continue
        if path.endswith("/"):  # a repository inside has its own affairs
            repositories += [path[len(prefix) :]] if path != prefix and line.startswith("? ") else []
        else:
            entries[path[len(prefix) :]] = entry  # one that is no longer in the index comes as new, too: that counts
    return GitStatus(revision, entries, tuple(left_out), tuple(repositories))


def read_index(root: Path, paths: Sequence[str]) -> dict[str, IndexEntry] | None:
    """What git's index holds of the root-relative `paths`, and perhaps of others; None where git has no answer.

    Submodules and files with a conflict are left out.
    """
    few = [f":(literal){path}" for path in paths] if len(paths) <= _MAX_PATHS else ["."]
    output = ask_git(root, *_here(root, _prefix(root, None) or ""), "ls-files", "-v", "--stage", "-z", "--", *few)
    if output is None:
        return None
    entries: dict[str, IndexEntry] = {}
    for line in os.fsdecode(output).split("\0")[:-1]:
        meta, _, path = line.partition("\t")
        flag, mode, oid, stage = meta.split(" ")
        if mode != _SUBMODULE and stage == "0":
            entries[path] = IndexEntry(mode, oid, flag in _HIDDEN)
    return entries


def read_tracked(root: Path) -> TrackedFiles | None:
    """Of the files in git's index, those of which more must be known than that; None where git has no answer."""
    output = ask_git(root, *_here(root, _prefix(root, None) or ""), "ls-files", "-v", "-z", "--", ".")
    if output is None:
        return None
    inner = tuple(os.fsdecode(path) for path in _ORCHESTRATED.findall(output))
    if not _ANY_HIDDEN.search(output):
        return TrackedFiles(inner)
    entries = read_index(root, [os.fsdecode(line[2:]) for line in output.split(b"\0") if _ANY_HIDDEN.match(line)])
    hidden = {path: entry.oid for path, entry in (entries or {}).items() if entry.is_hidden}
    return None if entries is None else TrackedFiles(inner, hidden)


def read_blobs(root: Path, blobs: Mapping[str, str], limit: int) -> dict[str, bytes]:
    """The contents of objects (by path), as a checkout would write them: line ends and filters applied.

    Those of more than `limit` bytes are left out.
    """
    if not blobs:
        return {}
    names = "".join(f"{oid}\n" for oid in blobs.values()).encode("ascii")
    sizes = ask_git(root, AS_COMMITTED, "cat-file", "--batch-check=%(objectsize)", stdin=names)
    lines = (sizes or b"").split(b"\n")
    small = {
        path: oid
        for (path, oid), size in zip(blobs.items(), lines, strict=False)
        if size.isdigit() and int(size) <= limit
    }
    if not small:
        return {}
    questions = "".join(f"{blob} {path.replace(chr(10), '_')}\n" for path, blob in small.items())
    asked = os.fsencode(questions)
    output = ask_git(root, AS_COMMITTED, "cat-file", "--batch", "--filters", stdin=asked, filters=True, about=small)
    return dict(batch_contents(small, output or b""))


def _entry(line: str) -> tuple[str, StatusEntry]:
    kind, _, rest = line.partition(" ")
    if kind == "?":
        return rest, StatusEntry()
    if kind == "1":
        state, _, _, mode, work, _, blob, path = rest.split(" ", 7)
        executable = mode == "100755" if mode in _FILE_MODES else None
        mode_changed = mode != work and {mode, work} <= _FILE_MODES
        return path, StatusEntry(_object(blob), mode_changed, executable, in_work_tree=state[1] != ".")
    if kind == "u":
        return rest.split(" ", 9)[9], StatusEntry(_object(rest.split(" ", 9)[7]))
    return "/", StatusEntry()


def _ask(
    root: Path, prefix: str, arguments: tuple[str, ...], index: Path | None, *, named: bool = False
) -> bytes | None:
    """`named`: git is told which repository to look at, for a command may have made another one on the way to it."""
    top = root.parents[prefix.count("/") - 1] if prefix else root
    switches = ("--git-dir", str(top / ".git")) if named else ()
    result = run_git(root, *switches, *_here(root, prefix), *arguments, filters=True, index=index)
    return None if result is None or result.returncode != 0 else result.stdout


def _here(root: Path, prefix: str) -> tuple[str, ...]:
    """The switch that keeps git from looking at another work tree than the one that `root` is in."""
    return ("--work-tree", str(root.parents[prefix.count("/") - 1] if prefix else root))


def _object(oid: str) -> str | None:
    return None if not oid.strip(_NO_OBJECT) else oid


def _prefix(root: Path, top: Path | None) -> str | None:
    """What git's paths begin with for files below `root`: "" at the top, None outside git."""
    for directory in (root, *root.parents):
        if directory == top or (top is None and os.path.lexists(directory / ".git")):
            inner = root.relative_to(directory).as_posix()
            return "" if inner == "." else f"{inner}/"
    return None
