"""A root with a journal, edits to try on it, and what must hold whatever happens to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import content_hash, hash_of
from intentls.core.ledger.hash_chain import encode, parse
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.journal.journal import FileOp, Journal
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger

Contents = Mapping[str, bytes | None]

# Everything the store does to a disk.
CALLS = (
    "open",
    "write",
    "pwrite",
    "pwritev",
    "fsync",
    "ftruncate",
    "replace",
    "rename",
    "unlink",
    "mkdir",
    "chmod",
    "fchmod",
)


class Store:
    """The stores of one root, as one process opens them."""

    def __init__(self, root: Path) -> None:
        self.layout = Layout(root)
        self.tree = RootedFiles(root)
        self.locks = Locks(self.layout.locks)
        self.ledger = Ledger(self.layout, ChainHeads(self.layout))
        self.journal = Journal(self.layout, self.tree, self.ledger, self.locks)

    @property
    def records(self) -> list[dict[str, Any]]:
        return list(self.ledger.oldest_first())

    def content(self, path: str) -> bytes | None:
        return self.tree.read(path)

    def leftovers(self) -> list[str]:
        """What is in the journal and the stage; empty slots don't count."""
        folders = [folder for folder in (self.layout.journal, self.layout.stage) if folder.exists()]
        return [
            f"{folder.name}/{file.name}"
            for folder in folders
            for file in folder.iterdir()
            if folder == self.layout.stage or file.stat().st_size
        ]


def make_store(root: Path) -> Store:
    (root / ".orchestration").mkdir(parents=True, exist_ok=True)
    return Store(root)


def fill(root: Path, contents: Contents) -> None:
    for path, data in contents.items():
        if data is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)


def adopt(layout: Layout) -> None:
    """Make each whole entry that was copied into the journal look like one that was written in it."""
    for file in layout.journal.iterdir():
        marks, _, rest = file.read_bytes().partition(b"\n")
        checksum, _, body = rest.partition(b"\n")
        entry = parse(body) if checksum == sha256(body).hexdigest().encode() else None
        if entry is None:
            continue
        body = encode(entry | {"origin": [layout.journal.stat().st_ino, file.stat().st_ino]})
        file.write_bytes(marks + b"\n" + sha256(body).hexdigest().encode() + b"\n" + body)


def operations(before: Contents, after: Contents) -> list[FileOp]:
    return [FileOp(path, hash_of(before.get(path)), data) for path, data in after.items()]


def record(
    before: Contents, after: Contents, id_: str = "r1", timestamp: str = "2026-01-01T00:00:00.000Z"
) -> dict[str, Any]:
    """A record like the engine's, as far as the journal looks at it."""
    files = [
        {"path": path, "pre_hash": hash_of(before.get(path)), "post_hash": hash_of(data)}
        for path, data in after.items()
    ]
    return {"id": id_, "timestamp": timestamp, "success": True, "files": files}


class Killed(BaseException):
    """The process is gone at this point; nothing of ours runs any more but what the system does itself."""


@contextmanager
def at_call(number: int, act: Callable[[], object], *, late: bool) -> Iterator[list[str]]:
    """Run `act` at the `number`-th call (from 0) that changes a disk: before it, or just after with `late`.

    Yields the names of the calls that were made.
    """
    made: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            if hasattr(os, name):
                patch.setattr(os, name, _counted(name, getattr(os, name), made, number, act, late))
        # What asks which calls know folder handles must know the replaced ones, too.
        patch.setattr(os, "supports_dir_fd", {*os.supports_dir_fd, *(getattr(os, name) for name in CALLS)})
        patch.setattr(os, "supports_fd", {*os.supports_fd, *(getattr(os, name) for name in CALLS)})
        yield made


def _counted(
    name: str, real: Callable[..., Any], made: list[str], number: int, act: Callable[[], object], late: bool
) -> Callable[..., Any]:
    def call(*args: Any, **more: Any) -> Any:
        made.append(name)
        due = len(made) == number + 1
        if due and not late:
            act()
        try:
            result = real(*args, **more)
        except OSError:
            if due and late:
                act()
            raise
        if due and late:
            if name == "open":
                os.close(result)  # the system closes what a dead process had open
            act()
        return result

    return call


def die() -> None:
    raise Killed


def check_truth(store: Store, before: Contents, after: Contents, id_: str = "r1") -> bool:
    """Content and record agree, all or nothing, and nothing is left over. Returns whether it happened."""
    now = {path: store.content(path) for path in after}
    assert now in (dict(after), {path: before.get(path) for path in after})
    happened = now == dict(after)
    records = [found for found in store.records if found["id"] == id_]
    assert len(records) == (1 if happened else 0)
    for file in records[0]["files"] if records else ():
        content = after[file["path"]]
        assert file["post_hash"] == (None if content is None else content_hash(content))
    assert store.leftovers() == []
    assert store.ledger.verify().problems == ()
    return happened


class Meddler(RootedFiles):
    """A tree in which somebody else is at work: before and after the put of chosen files."""

    def __init__(self, root: Path, before: dict[str, Any], after: dict[str, Any]) -> None:
        super().__init__(root)
        self._before, self._after = before, after

    def put(self, rel: str, staged: Path, mode: int | None, *, durable: bool = True) -> None:
        if rel in self._before:
            self._before.pop(rel)()
        super().put(rel, staged, mode, durable=durable)
        if rel in self._after:
            self._after.pop(rel)()


def meddle(store: Store, before: dict[str, Any] | None = None, after: dict[str, Any] | None = None) -> None:
    store.tree = Meddler(store.layout.root, before or {}, after or {})
    store.journal = type(store.journal)(store.layout, store.tree, store.ledger, store.locks)
