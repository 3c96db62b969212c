"""A disk that loses power: what was written since the last sync is there, lost, torn or old, each on its own.

A history of edits is made once in a real root, and what every file held after each step is remembered. A loss then
puts, for each file on its own, one of its states there, and the next run of the machine begins. Only the write-ahead
log is as it was: its writes were waited for. Stamps of files can't be set back, so recovery's tree is told them.
Sessions, leases and the spatial map are overwritten in place, too: of each, every sector is an old or a new one.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intentls.core.intents.lease import Lease
from intentls.store.derived import SpatialEntry, SpatialOperation
from intentls.store.derived.files import DerivedFiles
from intentls.store.fs import boot_id
from intentls.store.fs.rooted_files import FileState, RootedFiles
from intentls.store.journal.journal import FileOp, Journal
from intentls.store.layout import Layout
from intentls.store.sessions.leases import Leases
from intentls.store.sessions.sessions import Session, Sessions
from tests.store.journaling import Killed, Store, at_call, die, make_store, operations, record

FOLDERS = ("trace", ".state/journal", ".state/stage")
OLD_FILES = ("a", "src/b")
NEW_FILES = ("src/new", "deep/er/c")
NAMES = ("chain.head", "segments.json", "writers.json")
SECTOR = 512  # bytes
NOON = datetime(2026, 2, 18, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Held:
    """What one file held at one moment; `content` None where there was none."""

    content: bytes | None
    inode: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    mode: int = 0o644

    @classmethod
    def of(cls, path: Path) -> Held:
        if not path.is_file():
            return cls(None)
        found = path.stat()
        return cls(path.read_bytes(), found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_mode & 0o777)


class OldTree(RootedFiles):
    """A tree whose files have the stamps that they had before the machine stopped, until they are written."""

    def __init__(self, root: Path, held: dict[str, Held], folder_ns: int) -> None:
        super().__init__(root)
        self._held, self._folder_ns = held, folder_ns

    def read_with_state(self, rel: str) -> tuple[FileState, bytes] | None:
        found, held = super().read_with_state(rel), self._held.get(rel)
        if found is None or held is None:
            return found
        return FileState(held.mode, len(found[1]), held.mtime_ns, held.inode, held.ctime_ns), found[1]

    def nearest_folder(self, rel: str) -> tuple[str, int]:
        return super().nearest_folder(rel)[0], self._folder_ns

    def put(self, rel: str, staged: Path, mode: int | None, *, durable: bool = True) -> None:
        try:
            super().put(rel, staged, mode, durable=durable)
        finally:  # a kill comes before the file took its place, or after it
            if not staged.exists():
                self._held.pop(rel, None)


def open_store(root: Path, tree: RootedFiles) -> Store:
    """The stores of a root on another tree."""
    store = Store(root)
    store.tree = tree
    store.journal = Journal(store.layout, tree, store.ledger, store.locks)
    return store


@contextmanager
def boot(name: str, folder: Path) -> Iterator[None]:
    """Within, the machine runs for the time of this name."""
    file = folder / f"boot-{name}"
    file.write_text(name + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boot_id, "_FILE", file)
        patch.setattr(os, "fsync", lambda _: None)  # this disk loses what it pleases anyway
        yield


class InPlace:
    """Files that are overwritten in place or replaced, never synced: all that each may hold after a power loss."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        # By path: the files that had the name, each by all that it held; None where there was none.
        self._files: dict[Path, list[tuple[int, list[bytes]] | None]] = {}

    def remember(self) -> None:
        """Note what the files hold now."""
        paths = {path for folder in self._folders for path in folder.glob("*.json")}
        for path in paths | set(self._files):
            files = self._files.setdefault(path, [None])
            if path not in paths:
                files.append(None)
                continue
            inode, content = path.stat().st_ino, path.read_bytes()
            if files[-1] is None or files[-1][0] != inode:
                files.append((inode, []))
            assert files[-1] is not None
            files[-1][1].append(content)

    def lose(self, choice: random.Random) -> None:
        """Put into each file's place what a power loss might have left of it."""
        for folder in self._folders:
            for path in folder.glob("*.json"):
                path.unlink()
        for path, files in self._files.items():
            file = choice.choice(files)
            if file is not None:
                path.write_bytes(_mixed(file[1], choice))


def _mixed(contents: Sequence[bytes], choice: random.Random) -> bytes:
    """The newest, or each sector as it was at some time or never written, and the end may be missing."""
    if choice.random() < 0.3:
        return contents[-1]
    size = len(contents[-1])
    sectors = [
        bytes(SECTOR) if choice.random() < 0.05 else choice.choice(contents)[start : start + SECTOR]
        for start in range(0, size, SECTOR)
    ]
    return b"".join(sectors)[: choice.randrange(size + 1) if choice.random() < 0.1 else size]


@dataclass
class History:
    """Edits that were answered, and one that a power loss may have cut off."""

    folder: Path
    seed: int
    states: dict[str, list[Held]] = field(default_factory=dict)
    contents: dict[str, bytes | None] = field(default_factory=dict)
    answered: list[str] = field(default_factory=list)
    replaced: set[str] = field(default_factory=set)
    cut_off: dict[str, bytes | None] = field(default_factory=dict)
    sessions: list[Session] = field(default_factory=list)
    leases: list[Lease | None] = field(default_factory=list)
    maps: list[tuple[SpatialEntry, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.root = self.folder / "root"
        layout = Layout(self.root)
        self.in_place = InPlace((layout.sessions, layout.leases, layout.orchestration))
        with boot("one", self.folder):
            self._make(layout)
        for log in sorted((self.root / ".orchestration/.state/log").iterdir()):
            os.link(log, self.folder / log.name)

    def _make(self, layout: Layout) -> None:
        store = make_store(self.root)
        derived = DerivedFiles(layout)
        for path in OLD_FILES:
            (self.root / path).parent.mkdir(exist_ok=True)
            (self.root / path).write_bytes(b"first " + path.encode())
            self.contents[path] = b"first " + path.encode()
        self._remember()
        self.began_ns = (self.root / "a").stat().st_ctime_ns
        for number in range(self.random.randint(1, 5)):
            before, after = dict(self.contents), self._edit(number)
            store.journal.commit(operations(before, after), record(before, after, f"r{number}"))
            self.contents |= after
            self.answered.append(f"r{number}")
            self.replaced |= set(after)
            self._remember()
            for _ in range(self.random.randrange(6)):
                self._note_in_place(layout, derived)
        before, after = dict(self.contents), self._edit(99)
        at = self.random.randrange(60)
        try:
            with at_call(at, die, late=self.random.random() < 0.5):
                store.journal.commit(operations(before, after), record(before, after, "cut"))
                self.contents |= after
                self.answered.append("cut")
        except Killed:
            self.cut_off = after
        self._remember()

    def _note_in_place(self, layout: Layout, derived: DerivedFiles) -> None:
        """What an edit overwrites besides: its session, its lease, and its entries in the map."""
        number = len(self.sessions) + 1
        reads = {str(other): f"{number}" for other in range(self.random.randrange(60))}
        Sessions(layout.sessions, lambda: None).update("s", lambda _: Session("s", reads=reads))
        self.sessions.append(Session("s", reads=reads))
        lease = Lease("a", "s", f"INT-{number}", NOON, NOON, NOON + timedelta(minutes=number), None)
        self.leases.append(None if self.random.random() < 0.2 else lease)
        Leases(layout.leases).update("a", lambda _: self.leases[-1], "me")
        name = self.random.choice("abcdefgh") * 50
        derived.record_spatial([SpatialEntry(name, "INT-1", SpatialOperation.MODIFY, f"{number:030}")])
        self.maps.append(derived.read_spatial())
        self.in_place.remember()

    def _edit(self, number: int) -> dict[str, bytes | None]:
        """What some of the files are to hold."""
        names = self.random.sample(OLD_FILES + NEW_FILES, self.random.randint(1, 2))
        after: dict[str, bytes | None] = {}
        for name in names:
            remove = self.contents.get(name) is not None and self.random.random() < 0.2
            size = self.random.choice((0, 3, 5000))
            after[name] = None if remove else b"%d " % number + self.random.randbytes(size)
        return after

    def _remember(self) -> None:
        for path in self._files():
            is_synced = path in OLD_FILES or "/trace/" in path  # a segment's name is, before anything is in it
            first = [] if is_synced else [Held(None)]
            self.states.setdefault(path, first).append(Held.of(self.root / path))

    def _files(self) -> list[str]:
        state = self.root / ".orchestration/.state"
        mine = [path for folder in FOLDERS for path in (self.root / ".orchestration" / folder).glob("*")]
        mine += [state / name for name in NAMES] + [self.root / ".orchestration/agent_trace.jsonl"]
        names = {path.relative_to(self.root).as_posix() for path in mine}
        return sorted(names | set(self.states) | {*OLD_FILES, *NEW_FILES})

    def lose(self, choice: random.Random) -> OldTree:
        """Put one of its states into each file's place, as a power loss might have left them."""
        self._clear_later()
        held: dict[str, Held] = {}
        for path, states in self.states.items():
            state = choice.choice(states)
            content = state.content
            if content is not None and choice.random() < 0.3 and not content.startswith(b"first "):
                content = _torn(content, choice)
            if path in self.replaced and choice.random() < 0.1:
                content = None
            file = self.root / path
            if content is None:
                file.unlink(missing_ok=True)
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            with open(os.open(file, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as open_file:
                open_file.write(content)
                open_file.truncate()
            held[path] = state
        if choice.random() < 0.3:
            shutil.rmtree(self.root / "deep", ignore_errors=True)
        self.in_place.lose(choice)
        return OldTree(self.root, held, self.began_ns)

    def _clear_later(self) -> None:
        """Take away what an earlier recovery made, and put the logs back."""
        for path in self._files():
            if path not in self.states:
                (self.root / path).unlink()
        logs = self.root / ".orchestration/.state/log"
        for log in logs.iterdir():
            log.unlink()
        for name in os.listdir(self.folder):
            if name.startswith("one."):
                os.link(self.folder / name, logs / name)


def _torn(content: bytes, choice: random.Random) -> bytes:
    """Part of it: cut off, or with a hole of zeros."""
    start, end = sorted(choice.choices(range(len(content) + 1), k=2))
    if choice.random() < 0.5:
        return content[:start]
    return content[:start] + bytes(end - start) + content[end:]


def edit_again(store: Store) -> None:
    """Another edit after all that."""
    store.journal.commit([FileOp("next", None, b"next")], record({}, {"next": b"next"}, "next"))
