"""Files that a command made and let git ignore: what git ignored before the command counts.

before      after                                `docs/new.md`, which the command made
*.log       *.log, docs/                         compared: the rule is the command's
docs/       docs/, src/                          not compared: it would have been ignored
*.log       docs/, in a `.gitignore` of a pull   not compared: the rule is git's
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.patterns.ignore_lines import lines_at_top
from intentls.store.git.file_list import walk_files
from intentls.store.git.repository import read_regular, repository_at
from intentls.store.worktree.capture import content_at, inode_at, is_linked_work_tree, read_rules
from intentls.store.worktree.state import ABSENT, IGNORE_FILE, TreeChange, TreeState, git_mode, is_file

_MAX_FILES = 2_000  # that one command hides
_CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55"  # of https://bford.info/cachedir/


def hidden_changes(
    root: Path, before: TreeState, ignored: Iterable[str], changes: Iterable[TreeChange]
) -> tuple[TreeChange, ...]:
    """The new files among the `ignored` that git would have shown by its rules from before.

    `ignored`: what git ignores now and did not before, directories with a final slash. `changes`: what the command
    changed, without what git did; where it changed no rule, nothing is hidden.
    """
    own = {change.path: change for change in changes if _is_rule(change.path)}
    new = [path for path in ignored if path not in before.repositories and not before.is_ours(path)]
    made = {path for path in new if _is_rule(path)}
    if not new or not (own or made or _settings(root, before) != before.rules):
        return ()
    rules = _rules_before(root, before, new, own, made)
    hidden = (path for path in _files(root, before, new, rules) if not rules.excludes_path(_full(root, before, path)))
    found = (_change(root, path) for path in islice(hidden, _MAX_FILES))
    return tuple(change for change in found if change is not None)


def _settings(root: Path, before: TreeState) -> Mapping[str, str]:
    """The rules that no comparison shows, as they are now."""
    return read_rules(root, repository_at(Path(before.top or root)), before.ignored)


def _rules_before(
    root: Path, before: TreeState, new: Iterable[str], own: Mapping[str, TreeChange], made: set[str]
) -> IgnoreRules:
    """What git ignored before, of paths from the top of the work tree."""
    directories = {directory for path in new for directory in _above(path)}
    places = {_full(root, before, directory).rstrip("/"): directory for directory in directories}
    lines: list[str] = []
    for place in sorted({*places, *before.rules, ""}, key=lambda name: (name.count("/"), name != "", name)):
        lines += lines_at_top(place, before.rules.get(place, ""))
        path = f"{places[place]}/{IGNORE_FILE}".lstrip("/") if place in places else ""
        if path and path not in made and not before.ignores(path):
            data = own[path].before.data if path in own else read_regular(root / path)
            lines += lines_at_top(place, os.fsdecode(data or b""))
    return IgnoreRules(lines=tuple(lines))


def _files(root: Path, before: TreeState, new: Iterable[str], rules: IgnoreRules) -> Iterator[str]:
    """The files that are ignored now, those below an ignored directory too; all of them are new."""
    for path in new:
        if not path.endswith("/"):
            names: Iterable[str] = (path,)
        elif rules.excludes_path(_full(root, before, path)):
            continue
        else:
            names = (f"{path}{name}" for name in walk_files(root / path))
        apart: dict[str, bool] = {}
        for name in names:
            if before.ignores(name) or name in before.files or before.is_ours(name):
                continue
            for directory in _above(name):
                if directory not in apart:
                    apart[directory] = _is_apart(root, directory)
            if not any(apart[directory] for directory in _above(name)):
                yield name


def _is_apart(root: Path, directory: str) -> bool:
    """Whether it is another work tree of git's, or a cache or a Python environment that says so and ignores itself.

    Only one with a dot before its name: no language takes code from there.
    """
    folder = root / directory
    if directory and (folder / ".git").is_file() and is_linked_work_tree(root, directory):
        return True
    if not directory.rpartition("/")[2].startswith(".") or b"*" not in read_regular(folder / IGNORE_FILE).split():
        return False
    return read_regular(folder / "CACHEDIR.TAG").startswith(_CACHE_TAG) or (folder / "pyvenv.cfg").is_file()


def _change(root: Path, path: str) -> TreeChange | None:
    try:
        inode = inode_at(root / path)
    except OSError:
        return None
    if not is_file(inode):
        return None
    after = content_at(root / path, inode)
    return TreeChange(path, ABSENT, after, None, stat.S_ISLNK(inode[0]), git_mode(inode))


def _is_rule(path: str) -> bool:
    return path.rpartition("/")[2] == IGNORE_FILE


def _above(path: str) -> Iterator[str]:
    """The directories above a path, "" (the root) first."""
    parts = path.rstrip("/").split("/")
    return ("/".join(parts[:count]) for count in range(len(parts)))


def _full(root: Path, before: TreeState, path: str) -> str:
    """The path from the top of the work tree."""
    inner = root.relative_to(before.top or root).as_posix()
    return path if inner == "." else f"{inner}/{path}"
