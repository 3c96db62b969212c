"""Which versions of a file git had before a command, or fetched during it: those the command did not write.

What the command committed is not among them, whatever it calls the commit:

    git pull                            commits that came by fetch: known
    git commit; git push                the log of HEAD says `commit`: not known, wherever `origin/main` leads
    git update-ref refs/remotes/o/x C   no fetch, says the log of that name: not known
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from intentls.store.git.command import ask_git
from intentls.store.git.commits import AS_COMMITTED
from intentls.store.git.repository import (
    KnownObjects,
    LogEntry,
    Repository,
    entries_since,
    fetched_heads,
    newest_log_message,
    refs,
)

MAX_COMMITS = 2_000
"""Commits that are looked through for versions of a file, the newest first."""

_MAX_TIPS = 200  # in which a file is looked up
_REMOTES = "refs/remotes/"
_FETCHING = ("fetch", "pull", "clone", "remote")
# What the log of HEAD says where a name only moves to a commit that is there; else the commit is a new one.
_MOVING = re.compile(
    r"(?!commit)(checkout|reset|branch|clone|fetch|rebase[^:]*\((start|finish|abort)\)|.*: (Fast-forward|fast-forward)"
    r"|.*returning to |initial pull|pull[^:]*: (checkout|storing head))"
)
_CHANGED = re.compile(rb":([0-7]{6}) ([0-7]{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z][0-9]*\0([^\0]+)\0")
_FILES = frozenset({"100644", "100755", "120000"})


class TreeVersion(NamedTuple):
    """A file in a tree: git's mode, which tells links and executable files, and the object."""

    mode: str
    oid: str


class Step(Struct, frozen=True):
    """How a commit changed a file; None: it was or is not there."""

    old: TreeVersion | None
    new: TreeVersion | None


class KnownVersions:
    """The versions of files that the commits behind `known`, and those that were fetched since, hold.

    Paths are relative to the top of the work tree. Where git has no answer, nothing is known. Where names lead to and
    where commits part is asked once: there may be hundreds of files, and each question is a process.
    """

    def __init__(self, repository: Repository, known: KnownObjects) -> None:
        self._top = repository.top
        self._objects: dict[str, str | None] = {}
        self._bases: dict[tuple[str, str], str | None] = {}
        self.moves = entries_since(repository, known)
        made = {entry.new for entry in self.moves or () if not is_move(entry)}
        self.tips = (*known.tips, *known.stashes)
        if self.moves is not None:
            self.tips += _fetched(repository, self.tips, made)

    def new_commits(self, commit: str) -> dict[str, tuple[str, ...]] | None:
        """The commits behind `commit` that are not known, with their parents; None where git can't tell."""
        if commit in self.tips:
            return {}
        output = self._ask(
            "rev-list", "--parents", f"--max-count={MAX_COMMITS}", "--ignore-missing", "--stdin",
            stdin=_lines([commit, *_without(self.tips)]),
        )  # fmt: skip
        if output is None:
            return None
        rows = (line.split() for line in output.decode("ascii").splitlines())
        return {row[0]: tuple(row[1:]) for row in rows}

    def at(self, commits: Iterable[str], paths: Collection[str]) -> dict[tuple[str, str], TreeVersion]:
        """What each of the commits (or trees) holds at each of the paths, by commit and path."""
        blobs = self.objects(commits, paths)
        # `ls-tree` would tell the mode but takes one commit at a time; a tree's entry tells it for all.
        modes = self._modes(sorted({commit for commit, _ in blobs}), sorted({path for _, path in blobs}))
        return {key: TreeVersion(modes.get(key, "100644"), oid) for key, oid in blobs.items()}

    def objects(self, commits: Iterable[str], paths: Collection[str]) -> dict[tuple[str, str], str]:
        """The same without the modes: the object of each file, in one question for all."""
        questions = [(commit, path) for commit in commits for path in paths if "\n" not in path]
        names = [f"{commit}:{path}" for commit, path in questions]
        output = self._ask("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=_lines(names))
        rows = zip(questions, os.fsdecode(output or b"").splitlines(), strict=False)
        return {question: answer[5:] for question, answer in rows if answer.startswith("blob ")}

    def steps(self, paths: Sequence[str], choice: Iterable[str] = ()) -> dict[str, list[Step]]:
        """By path, how the newest known commits changed it, newest first. `choice`: only these, as for `rev-list`."""
        commits = self._ask(
            "rev-list", f"--max-count={MAX_COMMITS}", "--ignore-missing", "--stdin",
            stdin=_lines(choice or self.tips),
        )  # fmt: skip
        limits = [f":(top,literal){path}" for path in paths] if len(paths) <= _MAX_TIPS else []
        output = self._ask(
            *("diff-tree", "--stdin", "-r", "-m", "--root", "-z", "--no-renames", "--no-commit-id", "--no-ext-diff"),
            "--",
            *limits,
            stdin=commits or b"",
        )
        wanted = set(paths)
        steps: dict[str, list[Step]] = {}
        for old_mode, new_mode, old, new, name in _CHANGED.findall(output or b""):
            path = os.fsdecode(name)
            if path in wanted:
                steps.setdefault(path, []).append(Step(_version(old_mode, old), _version(new_mode, new)))
        return steps

    def unknown(self, commits: Iterable[str]) -> set[str]:
        """Those of the commits that are not known, with what they come from; all of them where git can't tell."""
        commits = list(commits)
        if not commits:
            return set()
        output = self._ask(
            "rev-list", f"--max-count={MAX_COMMITS}", "--ignore-missing", "--stdin",
            stdin=_lines([*commits, *_without(self.tips)]),
        )  # fmt: skip
        return set(commits) if output is None else set(output.decode("ascii").split())

    def merge_base(self, one: str, other: str) -> str | None:
        """Where two commits part; None where they don't meet."""
        if (one, other) not in self._bases:
            self._bases[one, other] = _name(self._ask("merge-base", one, other))
        return self._bases[one, other]

    def look_up(self, commits: Sequence[str], trees: Sequence[str] = ()) -> None:
        """Ask once where all these names lead to, for `commit_of`, `commits_of` and `has_tree`."""
        names = [*(_as_commit(name) for name in commits), *(_as_tree(name) for name in trees)]
        new = [name for name in dict.fromkeys(names) if name not in self._objects]
        if new:
            output = self._ask("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=_lines(new))
            answers = os.fsdecode(output or b"").splitlines() or [""] * len(new)
            for name, (kind, _, oid) in zip(new, (answer.partition(" ") for answer in answers), strict=True):
                self._objects[name] = oid if name.endswith(f"^{{{kind}}}") else None

    def commit_of(self, name: str) -> str | None:
        """The commit that a name leads to."""
        self.look_up([name])
        return self._objects[_as_commit(name)]

    def has_tree(self, name: str) -> bool:
        """Whether a name of git's leads to a tree."""
        self.look_up([], [name])
        return self._objects[_as_tree(name)] is not None

    def commits_of(self, names: Sequence[str]) -> list[str]:
        """The commits that these names lead to, of those that there are; one question for all."""
        self.look_up(names)
        return [commit for name in names if (commit := self._objects[_as_commit(name)]) is not None]

    def _modes(self, commits: Iterable[str], paths: list[str]) -> dict[tuple[str, str], str]:
        modes: dict[tuple[str, str], str] = {}
        for commit in commits:
            few = paths if len(paths) <= _MAX_TIPS else []
            output = self._ask("ls-tree", "-r", "-z", "--full-tree", commit, "--", *few)
            for line in os.fsdecode(output or b"").split("\0")[:-1]:
                meta, _, path = line.partition("\t")
                modes[commit, path] = meta.split(" ")[0]
        return modes

    def _ask(self, *arguments: str, stdin: bytes = b"") -> bytes | None:
        return ask_git(self._top, AS_COMMITTED, *arguments, stdin=stdin)


def is_move(entry: LogEntry) -> bool:
    """Whether HEAD only moved to a commit that is there, by the log; else git made a new one."""
    return _MOVING.match(entry.message) is not None


def made_by(moves: Iterable[LogEntry], verb: str | tuple[str, ...]) -> bool:
    """Whether the log of HEAD tells of this verb of git's, or of one of these."""
    return any(entry.message.startswith(verb) for entry in moves)


def _fetched(repository: Repository, known: Iterable[str], made: set[str]) -> tuple[str, ...]:
    """The commits that a fetch brought, the newest of each line; none that the command made here, or built on one."""
    remote = [
        oid
        for oid, name in refs(repository.top)
        if name.startswith(_REMOTES) and newest_log_message(repository, name).startswith(_FETCHING)
    ]
    heads = dict.fromkeys([*remote, *fetched_heads(repository)])
    if not heads:
        return ()
    stdin = _lines([*heads, *_without(known)])
    output = ask_git(
        repository.top,
        *(AS_COMMITTED, "rev-list", "--parents", "--topo-order", "--reverse", f"--max-count={MAX_COMMITS}"),
        *("--ignore-missing", "--stdin"),
        stdin=stdin,
    )
    own = set(made)
    fetched: list[str] = []
    for commit, *parents in (line.split() for line in (output or b"").decode("ascii").splitlines()):
        if commit in own or own.intersection(parents):
            own.add(commit)
        else:
            fetched.append(commit)
    return tuple(reversed(fetched))


def _name(output: bytes | None) -> str | None:
    return None if output is None else output.decode("ascii").strip()


def _as_commit(name: str) -> str:
    return f"{name}^{{commit}}"


def _as_tree(name: str) -> str:
    return f"{name}^{{tree}}"


def _version(mode: bytes, oid: bytes) -> TreeVersion | None:
    return TreeVersion(mode.decode(), oid.decode()) if mode.decode() in _FILES else None


def _without(commits: Iterable[str]) -> list[str]:
    """As `git rev-list --stdin` reads commits that are left out, with all that they come from."""
    return [f"^{commit}" for commit in commits]


def _lines(names: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(name) + b"\n" for name in names)


def top_prefix(root: Path, top: Path) -> str:
    """What the paths from the top begin with for files below `root`."""
    inner = root.relative_to(top).as_posix()
    return "" if inner == "." else f"{inner}/"
