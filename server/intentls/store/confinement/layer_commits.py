"""The commits that a confined command made: its layer's objects and refs, brought into the repository.

Only objects and branches come back. Hooks, configuration, the index and the log of the layer are not read.

    layer/.git/refs/heads/fix   a branch that is new or has moved; its objects in layer/.git/objects
    -> the objects that the repository lacks, each checked, in one pack
    -> refs/intentls/run/RUN/heads/fix, and the branch itself where the caller finds its changes in scope
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.late_pattern import late_pattern
from intentls.store.fs.primitives import READ_NO_LINK
from intentls.store.git.command import ask_git, run_git

log = logging.getLogger(__name__)

_HEADS = "refs/heads/"
_OBJECT = late_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_REF = 1024
_MAX_PACKED = 16 * 1024 * 1024
_TIMEOUT_S = 120.0


class LayerBranch(Struct, frozen=True):
    """A branch that the command made or moved. `before` is the repository's commit, None for a new branch."""

    name: str
    before: str | None
    commit: str

    @property
    def ref(self) -> str:
        """Its full name."""
        return _HEADS + self.name


class LayerCommits:
    """The commits of one run. `root` is the top of a working tree, `git` the layer of its repository's directory."""

    def __init__(self, root: Path, git: Path) -> None:
        self._root = root
        self._git = git

    def branches(self) -> list[LayerBranch]:
        """The branches that are not as in the repository, sorted by name. Raises StoreError."""
        if not self._git.is_dir() or self._git.is_symlink():
            return []
        own = dict(self._own_heads())
        moved = {name: commit for name, commit in self._layer_heads() if own.get(name) != commit}
        return [LayerBranch(name, own.get(name), moved[name]) for name in sorted(moved) if self._is_name(name)]

    def bring(self, branch: LayerBranch, run_id: str) -> str:
        """Bring the branch's objects, checked, and name the commit for the run; that name. Raises StoreError."""
        listed = self._ask("rev-list", "--objects", branch.commit, "--not", "--all", with_layer=True)
        names = b"".join(line.split(b" ", 1)[0] + b"\n" for line in listed.splitlines())
        if names:
            pack = self._ask("pack-objects", "--stdout", "-q", stdin=names, with_layer=True)
            self._ask("index-pack", "--stdin", "--strict", stdin=pack)
        ref = f"refs/intentls/run/{run_id}/heads/{branch.name}"
        self._ask("update-ref", ref, branch.commit)
        return ref

    def changed_paths(self, branch: LayerBranch, start: str | None) -> tuple[str, ...] | None:
        """The files that its commits change since `start`; None where it does not follow from there."""
        if start is not None:
            result = run_git(self._root, "merge-base", "--is-ancestor", start, branch.commit)
            if result is None or result.returncode != 0:
                return None
        commits = branch.commit if start is None else f"{start}..{branch.commit}"
        output = self._ask("log", "--format=", "--name-only", "-z", "-m", "--root", "--no-renames", commits)
        names = (name.lstrip("\n") for name in os.fsdecode(output).split("\0"))
        return tuple(dict.fromkeys(name for name in names if name))

    def is_used_elsewhere(self, branch: LayerBranch) -> bool:
        """Whether another working tree has the branch checked out: it would differ from its files then."""
        trees = os.fsdecode(self._ask("worktree", "list", "--porcelain")).split("\n\n")
        own = f"worktree {self._root}"
        return any(f"branch {branch.ref}" in lines and own not in lines for lines in map(str.splitlines, trees))

    def advance(self, branch: LayerBranch, paths: tuple[str, ...]) -> bool:
        """Let the repository's branch be the layer's, if it is still as it was; the index too where it is checked out.

        A file that is staged otherwise than the branch had it stays the user's: then nothing is done.
        """
        is_current = (ask_git(self._root, "symbolic-ref", "-q", "HEAD") or b"").decode().strip() == branch.ref
        pathspec = "\0".join(paths).encode("utf-8", "surrogateescape")
        if is_current and branch.before is not None:
            staged = ask_git(self._root, "diff", "--cached", "--name-only", "-z", "--no-renames", branch.before)
            if staged is None or set(os.fsdecode(staged).split("\0")) & set(paths):
                return False
        old = branch.before or "0" * len(branch.commit)
        result = run_git(self._root, "update-ref", "-m", "intentls run", branch.ref, branch.commit, old)
        if result is None or result.returncode != 0:
            return False
        if is_current and paths:
            run_git(
                self._root,
                *("--literal-pathspecs", "reset", "-q", "--pathspec-from-file=-", "--pathspec-file-nul"),
                stdin=pathspec,
                filters=True,
            )
        return True

    def _own_heads(self) -> Iterator[tuple[str, str]]:
        output = self._ask("for-each-ref", "--format=%(objectname) %(refname)", _HEADS)
        for line in output.decode("utf-8", "surrogateescape").splitlines():
            commit, _, name = line.partition(" ")
            yield name.removeprefix(_HEADS), commit

    def _layer_heads(self) -> Iterator[tuple[str, str]]:
        for line in _read(self._git / "packed-refs", _MAX_PACKED).splitlines():
            commit, _, name = line.partition(" ")
            if name.startswith(_HEADS) and _OBJECT.fullmatch(commit):
                yield name.removeprefix(_HEADS), commit
        heads = self._git / "refs" / "heads"
        for folder, _, names in os.walk(heads):
            for name in names:
                file = Path(folder) / name
                commit = _read(file, _MAX_REF).strip()
                if _OBJECT.fullmatch(commit):
                    yield file.relative_to(heads).as_posix(), commit

    def _is_name(self, name: str) -> bool:
        result = run_git(self._root, "check-ref-format", _HEADS + name)
        return result is not None and result.returncode == 0

    def _ask(self, *arguments: str, stdin: bytes = b"", with_layer: bool = False) -> bytes:
        objects = self._git / "objects" if with_layer else None
        result = run_git(self._root, *arguments, stdin=stdin, timeout_s=_TIMEOUT_S, objects=objects)
        if result is None or result.returncode != 0:
            reason = "" if result is None else result.stderr.decode("utf-8", "replace").strip()[-500:]
            log.warning("git %s failed: %s", arguments[0], reason)
            raise StoreError("The command's commits can't be read by git, so they were not brought back.")
        return result.stdout


def _read(file: Path, limit: int) -> str:
    try:
        descriptor = os.open(file, READ_NO_LINK | os.O_NONBLOCK)
    except OSError:
        return ""
    with open(descriptor, "rb") as opened:
        try:
            return opened.read(limit).decode("utf-8", "surrogateescape")
        except OSError:
            return ""
