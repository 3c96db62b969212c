"""A whole work tree at one moment: a commit's, the index's, or what lies on the disk now."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from intentls.core.errors import ConfigurationError
from intentls.store.git.command import run_git
from intentls.store.git.commits import AS_COMMITTED, read_objects

_TIMEOUT_S = 120.0
_BATCH = 500  # files that are asked for at once; to ask git for their sizes first takes longer than listing them
_DIFF = (
    *("diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv"),
    "--ignore-submodules=dirty",  # their commits count; to look for changes inside would run their own filters
)

LINK = "120000"
SUBMODULE = "160000"


class TreeEntry(Struct, frozen=True):
    """What stands at a path: git's mode, and the object, or None where the content is on the disk."""

    mode: str
    oid: str | None


_REGULAR = {"100644", "100755"}
_NOTHING = TreeEntry("", None)


class TreeSnapshot(Struct, frozen=True):
    """`entries` by path from `top`, the top of the work tree. `ahead`: objects that were read already."""

    top: Path
    entries: Mapping[str, TreeEntry]
    ahead: dict[str, bytes] = field(default_factory=dict)

    def read(self, path: str) -> bytes | None:
        """What git keeps for a file (of a link: its target); None if there is none."""
        return next((content for _, content in self.read_all((path,))), None)

    def read_all(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The contents of those that there are, a few at a time. Raises ConfigurationError for a missing object."""
        batch: list[tuple[str, str]] = []
        for path in paths:
            entry = self.entries.get(path)
            if entry is None or entry.mode == SUBMODULE:
                continue
            if entry.oid is None:
                yield path, _from_disk(self.top / path)
                continue
            batch.append((path, entry.oid))
            if len(batch) == _BATCH:
                yield from self._objects(batch)
                batch = []
        yield from self._objects(batch)

    def read_regular(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """As `read_all`, of those that are regular files."""
        return self.read_all(path for path in paths if self.entries.get(path, _NOTHING).mode in _REGULAR)

    def _objects(self, batch: list[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
        contents = {**self.ahead, **read_objects(self.top, (oid for _, oid in batch if oid not in self.ahead))}
        for path, oid in batch:
            if oid not in contents:
                raise ConfigurationError(
                    f"git does not have the content of {path} ({oid[:12]}): this clone is partial. Fetch it whole."
                )
            yield path, contents[oid]


def read_ahead(snapshots: Sequence[TreeSnapshot], paths: Collection[str]) -> None:
    """Read what will be asked for anyway by one process of git, instead of one for each question."""
    entries = [snapshot.entries.get(path) for snapshot in snapshots for path in paths]
    of_git = (entry.oid for entry in entries if entry is not None and entry.mode != SUBMODULE and entry.oid is not None)
    objects = read_objects(snapshots[0].top, of_git)
    for snapshot in snapshots:
        snapshot.ahead.update(objects)


def of_commit(top: Path, commit: str | None) -> TreeSnapshot:
    """What a commit holds; None: the state before the first commit. Raises ConfigurationError."""
    if commit is None:
        return TreeSnapshot(top, {})
    entries: dict[str, TreeEntry] = {}
    for line in _items(_ask(top, None, "ls-tree", "-r", "-z", "--full-tree", commit)):
        meta, _, path = line.partition(b"\t")
        mode, _, oid = meta.split()
        entries[os.fsdecode(path)] = TreeEntry(mode.decode(), oid.decode())
    return TreeSnapshot(top, entries)


def of_index(top: Path, index: Path | None = None) -> TreeSnapshot:
    """What is staged, in the repository's own index or another one. Raises ConfigurationError."""
    entries: dict[str, TreeEntry] = {}
    for line in _items(_ask(top, index, "ls-files", "--stage", "-z", "--full-name")):
        meta, _, path = line.partition(b"\t")
        mode, oid, stage = meta.split()
        if stage != b"0":
            raise ConfigurationError(f"{os.fsdecode(path)} has a conflict that is not resolved. Resolve it first.")
        entries[os.fsdecode(path)] = TreeEntry(mode.decode(), oid.decode())
    return TreeSnapshot(top, entries)


def of_disk(top: Path) -> TreeSnapshot:
    """What lies in the work tree now, but for what git ignores. Raises ConfigurationError."""
    entries = dict(of_index(top).entries)
    changed = _items(_ask(top, None, *_DIFF, filters=True))
    for meta, path in zip(changed[::2], changed[1::2], strict=False):
        name, status = os.fsdecode(path), meta.rsplit(b" ", 1)[-1]
        if status == b"D":
            entries.pop(name, None)
        elif meta.split(b" ")[1].decode() == SUBMODULE:
            entries[name] = TreeEntry(SUBMODULE, None)
        else:
            entries |= _entry(top, name)
    for path in _items(_ask(top, None, "ls-files", "--others", "--exclude-standard", "-z", "--full-name")):
        entries |= _entry(top, os.fsdecode(path))
    return TreeSnapshot(top, entries)


def _entry(top: Path, name: str) -> dict[str, TreeEntry]:
    try:
        mode = (top / name).lstat().st_mode
    except OSError:
        return {}
    if stat.S_ISLNK(mode):
        return {name: TreeEntry(LINK, None)}
    if not stat.S_ISREG(mode):
        return {}
    return {name: TreeEntry("100755" if mode & 0o100 else "100644", None)}


def _from_disk(path: Path) -> bytes:
    try:
        return os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path} can't be read ({error.strerror}). Make it readable and try again.") from error


def _items(output: bytes) -> list[bytes]:
    return output.split(b"\0")[:-1]


def _ask(top: Path, index: Path | None, *arguments: str, filters: bool = False) -> bytes:
    result = run_git(top, AS_COMMITTED, *arguments, timeout_s=_TIMEOUT_S, filters=filters, index=index)
    if result is None or result.returncode != 0:
        last_words = "" if result is None else os.fsdecode(result.stderr).strip().splitlines()[-1:]
        raise ConfigurationError(f"git can't tell what {top} holds: {''.join(last_words) or 'it did not answer'}.")
    return result.stdout
