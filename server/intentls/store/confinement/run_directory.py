"""Where a staged run keeps its layers: outside of the tree, since an overlay's layers may not lie in each other.

    ~/.local/state/intentls/runs/ROOT/RUN/upper      what the command changed
                                         /work       the overlay's own
                                         /git, /git-work   the same for git's directory, if it is not in the tree
                                         /temporary  its /tmp and /var/tmp
                                         /run.json   which run this is
                                         /bases.json what the files were whose landing the disk refused

The directory is locked as long as its run lives. What a killed run left is landed or held by the next one, or by the
next review. A directory without a note holds nothing: it is being made, or removed.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from intentls.core.errors import StoreError
from intentls.core.intents.lease import Process
from intentls.store.confinement.held_changes import HeldRun
from intentls.store.confinement.private_view import LayeredFolder
from intentls.store.fs.atomic_write import fsync_dir, replace_bytes
from intentls.store.fs.boot_id import boot_id
from intentls.store.fs.file_lock import lock_until, try_lock
from intentls.store.fs.primitives import names_in
from intentls.store.layout import Layout
from intentls.store.process.liveness import is_gone, this_process

log = logging.getLogger(__name__)

_NOTE, _LOCK, _BASES = "run.json", "lock", "bases.json"
_OPAQUE = "user.overlay.opaque"
_PATIENCE_S = 10.0


class RunNote(Struct, frozen=True):
    """What has to be known of a run to land what it left. `started_ns` is the stamp of its start in the tree.

    `head` is the commit that was checked out then, `model` the one that works in it, `boot` the machine's start. `git`
    is the repository's directory, where that has a layer of its own. `pid` and `place` name the process of the run.
    """

    root: str
    run: HeldRun
    started_ns: int
    head: str | None
    model: str | None
    boot: str = ""
    git: str | None = None
    pid: int = 0
    place: str = ""


class RunDirectory:
    """The directory of one run, locked by this process."""

    def __init__(self, path: Path, lock: int, note: RunNote) -> None:
        self.path = path
        self.note = note
        self._lock = lock

    @classmethod
    def create(
        cls, layout: Layout, run: HeldRun, head: str | None, model: str | None, git: Path | None
    ) -> RunDirectory:
        """A new one for `run`; `git` is the repository's directory that is not in the tree.

        Raises StoreError; nothing is left then.
        """
        path = _runs_of(layout.root) / run.id
        try:
            with _one_at_a_time(path.parent):
                lock = _lock(path)
            if lock is None:
                raise StoreError(f"{path} is in use.")
        except OSError as error:
            raise _no_room(path, error) from error
        try:
            for name in ("upper", "work", "temporary", *(("git", "git-work") if git is not None else ())):
                (path / name).mkdir()
            (path / "temporary").chmod(0o1777)
            elsewhere = None if git is None else str(git)
            own = this_process()
            note = RunNote(str(layout.root), run, _stamp(layout), head, model, boot_id(), elsewhere, own.pid, own.place)
            directory = cls(path, lock, note)
            directory._give_own_state(layout)
            replace_bytes(path / _NOTE, json.dumps(note, default=asdict).encode("ascii"), durable=True)
        except OSError as error:
            remove_tree(path)
            os.close(lock)
            raise _no_room(path, error) from error
        return directory

    @classmethod
    def left_behind(cls, layout: Layout) -> Iterator[RunDirectory]:
        """The directories of runs of this root that live no more, each locked. Raises OSError."""
        folder = _runs_of(layout.root)
        if not folder.is_dir():
            return
        with _one_at_a_time(folder):
            locked = [(folder / name, _lock(folder / name)) for name in sorted(names_in(folder)) if name != _LOCK]
        for path, free in locked:
            lock = _lock_once_ended(path) if free is None else free
            if lock is None:
                continue
            note = _read(path / _NOTE)
            if note is not None and note.root == str(layout.root):
                yield cls(path, lock, note)
                continue
            if not (path / _NOTE).exists():  # killed before its command was started, or when all was settled
                remove_tree(path)
            os.close(lock)

    @property
    def is_of_another_boot(self) -> bool:
        """Whether the machine was started since: what the command wrote last may not have reached the disk."""
        return self.note.boot != boot_id()

    @property
    def upper(self) -> Path:
        """What the command changed."""
        return self.path / "upper"

    @property
    def tree(self) -> LayeredFolder:
        """The tree and its layers."""
        return LayeredFolder(Path(self.note.root), self.upper, self.path / "work")

    @property
    def git(self) -> LayeredFolder | None:
        """The repository's directory and its layers, where it is not in the tree."""
        if self.note.git is None:
            return None
        return LayeredFolder(Path(self.note.git), self.path / "git", self.path / "git-work")

    @property
    def temporary(self) -> Path:
        """The command's temporary files."""
        return self.path / "temporary"

    def copies(self, files: Iterable[Path]) -> tuple[tuple[Path, Path], ...]:
        """A copy of each of these files for the command, with the file. Raises StoreError; nothing is left then."""
        pairs = []
        for number, file in enumerate(files):
            copy = self.path / f"copy-{number}"
            try:
                shutil.copy2(file, copy)
            except OSError as error:
                self.remove()
                raise _no_room(self.path, error) from error
            pairs.append((copy, file))
        return tuple(pairs)

    def note_bases(self, bases: Mapping[str, str | None]) -> None:
        """Note what the tree's files were (hash by path; None: no file) of which the command made others.

        A landing that is undone since the disk refuses leaves the same contents with a newer time. Raises OSError.
        """
        replace_bytes(self.path / _BASES, json.dumps(bases).encode("ascii"))

    def bases(self) -> dict[str, str | None]:
        """What `note_bases` noted; nothing where that can't be read."""
        try:
            values = json.loads((self.path / _BASES).read_bytes())
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}

    def remove(self) -> None:
        """Remove all of it: everything in it is landed, held, or private to the run.

        The note goes first, on the disk itself: what is removed by halves would look like a command's removals. Where
        the disk refuses, the next run or review finds that nothing is left to land, and removes it.
        """
        try:
            (self.path / _NOTE).unlink(missing_ok=True)
            fsync_dir(self.path)
            remove_tree(self.path)
        except OSError:
            log.warning("%s can't be removed", self.path, exc_info=True)
        os.close(self._lock)

    def release(self) -> None:
        """Leave it to a later process."""
        os.close(self._lock)

    def _give_own_state(self, layout: Layout) -> None:
        """Inside, the engine's state begins empty."""
        state = self.upper / layout.state.relative_to(layout.root)
        state.mkdir(parents=True)
        os.setxattr(state, _OPAQUE, b"y")
        (state / ".gitignore").write_text("*\n", encoding="ascii")


def runs_directory() -> Path:
    """Where the runs of this user are."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state).resolve() / "intentls" / "runs"


def _runs_of(root: Path) -> Path:
    return runs_directory() / sha256(os.fsencode(root)).hexdigest()[:16]


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """While a directory is made and locked, nothing takes it for one that is left behind. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not lock_until(descriptor, time.monotonic() + _PATIENCE_S):
            raise TimeoutError(errno.ETIMEDOUT, "another process has it locked", str(folder))
        yield
    finally:
        os.close(descriptor)


def _no_room(path: Path, error: OSError) -> StoreError:
    return StoreError(f"The command was not started: its changes can't be kept in {path} ({error.strerror}).")


def _lock(path: Path) -> int | None:
    """The directory's lock, held until the descriptor is closed; None where another process has it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if try_lock(descriptor):
        return descriptor
    os.close(descriptor)
    return None


def _lock_once_ended(path: Path) -> int | None:
    """The lock of a killed run whose last processes the kernel is still ending; None while the run lives."""
    note = _read(path / _NOTE)
    if note is None or not is_gone(Process(note.pid, note.place)):
        return None
    try:
        descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:  # it was settled meanwhile
        return None
    if lock_until(descriptor, time.monotonic() + _PATIENCE_S):
        return descriptor
    os.close(descriptor)
    return None


def _stamp(layout: Layout) -> int:
    """The tree's own time now: the stamp that its file system gives a file that is written now."""
    marker = layout.state / "run-begins"
    marker.write_bytes(os.urandom(8))
    stamp = marker.stat().st_ctime_ns
    marker.unlink()
    return stamp


def _read(file: Path) -> RunNote | None:
    try:
        values: dict[str, Any] = json.loads(file.read_bytes())
        return RunNote(**{**values, "run": HeldRun(**values["run"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remove_tree(path: Path) -> None:
    """Remove a tree, also directories that its maker closed to everybody."""

    def open_up(_function: Callable[..., Any], name: str, _error: Any) -> None:
        with suppress(OSError):
            for place in (Path(name).parent, Path(name)):
                if not place.is_symlink() and place.is_dir():
                    place.chmod(stat.S_IRWXU)
            if Path(name).is_dir() and not Path(name).is_symlink():
                shutil.rmtree(name, ignore_errors=True)
            else:
                Path(name).unlink()

    shutil.rmtree(path, onerror=open_up)
