"""The declared files as a person left them: while an agent's commands run, and after such a command changed one.

While a command of an agent runs, what the declared files said before it counts. What it changed waits for a person's
word after it; until then the earlier content counts. Without any of this there is no file of ours, and the declared
files count as they are.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.errors import StoreError
from intentls.store.config.declared_paths import declared_paths
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.cached_file import CachedFile
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import Stamp
from intentls.store.fs.state_directory import make_directory
from intentls.store.git.head import Git
from intentls.store.git.upstream import blob_at, blob_fetched_from_upstream
from intentls.store.layout import MAX_BYTES, Layout
from intentls.store.sessions.agent_processes import AgentProcesses

log = logging.getLogger(__name__)

_MAX_INDEX = 4 * 1024 * 1024
_ABSENT = ""
_NO_PATHS: Mapping[str, Any] = MappingProxyType({})


class WaitingChange(Struct, frozen=True):
    """A declared file that waits for a person: `accepted` counts, `now` is there; None is no file."""

    path: str
    accepted: bytes | None
    now: bytes | None


class _HeldFile(Struct, frozen=True):
    """`accepted` and `unconfirmed` are hashes, "" for no file: the latter are the contents that do not count."""

    accepted: str
    unconfirmed: tuple[str, ...]


class AcceptedState(Struct, frozen=True):
    """What counts instead of the files, at one moment.

    `commands` are the announced ones with the agent that runs each (process and start, "" if not known); as long as
    there are any, `captured` is all that is declared. `held` are the files that a command changed. `head` is the
    commit that was checked out when the last command ended.
    """

    commands: Mapping[str, tuple[int, str]] = field(default_factory=lambda: _NO_PATHS)
    captured: Mapping[str, str] = field(default_factory=lambda: _NO_PATHS)
    held: Mapping[str, _HeldFile] = field(default_factory=lambda: _NO_PATHS)
    head: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the files count as they are."""
        return not self.commands and not self.held

    def counting(self, path: str, now: str) -> str:
        """The hash of the content that counts for `path`, where the file's is `now`."""
        if self.commands:
            return self.captured.get(path, _ABSENT)
        file = self.held.get(path)
        return file.accepted if file is not None and now in file.unconfirmed else now


class AcceptedFiles:
    """What counts of one root's declared files. Safe to use from several threads and processes."""

    def __init__(self, layout: Layout, agents: AgentProcesses) -> None:
        self._layout = layout
        self._agents = agents
        self._git = Git(layout.root)
        self._folder = layout.accepted
        self._index = layout.accepted_index
        self._cached = CachedFile(self._index, self._parsed, _MAX_INDEX)
        # Taken while path locks are held, so it needs a directory of its own: locks of one directory don't nest.
        self._locks = Locks(layout.locks / "accepted")

    def state(self, directory: Stamp | None = None) -> AcceptedState:
        """How things stand now. A commit that a person made since has accepted what it took in.

        `directory` is the stamp of `.orchestration`, if known: it shows that there is still no index.
        """
        state = self._cached.get(directory).value
        if state.is_empty or not self._can_move_on(state):
            return state
        with self._changing() as box:
            return box.state

    def content(self, state: AcceptedState, path: str, now: bytes | None) -> bytes | None:
        """What counts for a root-relative path whose file has the bytes `now`. Raises StoreError if it is lost."""
        here = _hash(now)
        counts = state.counting(path, here)
        return now if counts == here else self._load(counts)

    def read(self, path: str) -> bytes | None:
        """What counts for a root-relative path. Raises OSError for what is no readable file, StoreError."""
        return self.content(self.state(), path, self._on_disk(path))

    def paths(self, state: AcceptedState) -> tuple[str, ...]:
        """All declared paths: those on disk, and those that count without being there."""
        return tuple(dict.fromkeys((*declared_paths(self._layout), *state.captured, *state.held)))

    def begin(self, key: str) -> None:
        """A command is announced: from now on what counts is what counted before it. Raises StoreError."""
        agent = self._agents.caller
        with self._changing() as box:
            state = box.state
            if not state.commands:
                contents = {path: self._content_or_error(state, path) for path in self.paths(state)}
                captured = {path: self._store(data) for path, data in contents.items() if data is not None}
                state = replace(state, captured=captured)
            box.state = replace(state, commands={**state.commands, key: agent or (0, "")})

    def end(self, key: str) -> None:
        """A command is reported: what it changed waits, except for what a pull brought. Raises StoreError."""
        if self._cached.get().value.is_empty:
            return
        with self._changing() as box:
            if key in box.state.commands:
                box.state = self._without_commands(box.state, {key})

    def accept(self, path: str, data: bytes | None) -> None:
        """A person's word: this content of the file counts. Raises StoreError."""
        if self._cached.get().value.is_empty:
            return
        with self._changing() as box:
            state = box.state
            held = {other: file for other, file in state.held.items() if other != path}
            captured = {other: hash_ for other, hash_ in state.captured.items() if other != path}
            if state.commands and data is not None:
                captured[path] = self._store(data)
            box.state = replace(state, held=held, captured=captured)

    def counts_meanwhile(self, path: str, data: bytes | None) -> bool:
        """Whether a command runs and this content counts all the same: it is as before, or a person accepted it."""
        state = self.state()
        return bool(state.commands) and state.counting(path, _hash(data)) == _hash(data)

    def waiting(self) -> tuple[WaitingChange, ...]:
        """The files whose present content does not count, by path. Raises StoreError."""
        state = self.state()
        changes = []
        for path in sorted(self.paths(state)) if not state.is_empty else ():
            try:
                now = self._on_disk(path)
            except OSError:
                continue  # it closes the gate, which is said elsewhere
            if state.counting(path, _hash(now)) != _hash(now):
                changes.append(WaitingChange(path, self._content_if_kept(state, path, now), now))
        return tuple(changes)

    # -- how the state changes

    def _can_move_on(self, state: AcceptedState) -> bool:
        if state.commands:
            return any(self._has_ended(agent) for agent in state.commands.values())
        return self._head() != state.head

    def _has_ended(self, agent: tuple[int, str]) -> bool:
        """Whether the agent that announced a command has certainly ended, so that nothing will report it."""
        return bool(agent[1]) and self._agents.is_gone(*agent)

    def _moved_on(self, state: AcceptedState) -> AcceptedState:
        """The state without the commands of agents that ended, and without what a commit accepted."""
        gone = {key for key, agent in state.commands.items() if self._has_ended(agent)}
        if gone:
            state = self._without_commands(state, gone)
        head = self._head()
        if state.commands or not state.held or head == state.head:
            return state
        held = {path: file for path, file in state.held.items() if not self._is_committed(path, state.head, head)}
        return replace(state, held=held, head=head)

    def _is_committed(self, path: str, before: str | None, after: str | None) -> bool:
        """Whether the commits since `before` made the file what it is now."""
        committed, earlier = blob_at(self._layout.root, after, path), blob_at(self._layout.root, before, path)
        return committed is not None and committed != earlier and committed.data == self._on_disk_or_error(path)

    def _without_commands(self, state: AcceptedState, keys: set[str]) -> AcceptedState:
        commands = {key: agent for key, agent in state.commands.items() if key not in keys}
        if commands:
            return replace(state, commands=commands)
        held: dict[str, _HeldFile] = {}
        for path in self.paths(state):
            now = self._on_disk_or_error(path)
            accepted = state.captured.get(path, _ABSENT)
            if _hash(now) == accepted or self._is_fetched(path, now):
                continue
            before = state.held.get(path)
            earlier = before.unconfirmed if before is not None and before.accepted == accepted else ()
            held[path] = _HeldFile(accepted, tuple(dict.fromkeys((*earlier, _hash(now)))))
        return AcceptedState(held=held, head=self._head())

    def _is_fetched(self, path: str, now: bytes | None) -> bool:
        fetched = blob_fetched_from_upstream(self._layout.root, path)
        return fetched is not None and fetched.data == now

    def _head(self) -> str | None:
        revision = self._git.head()
        return None if revision is None else revision.sha

    @contextmanager
    def _changing(self) -> Iterator[_Box]:
        """The state, alone; what the block makes of it is kept. Raises StoreError."""
        try:
            with self._locks.hold(["accepted"], f"process {os.getpid()}"):
                before = self._parsed(read_bounded(self._index, _MAX_INDEX))
                box = _Box(self._moved_on(before))
                yield box
                if box.state != before:
                    self._save(box.state)
        except OSError as error:
            raise StoreError(f"{self._folder} can't be used: {because(error)}.") from error

    # -- on disk

    def _on_disk(self, path: str) -> bytes | None:
        file = self._layout.root / path
        if file.is_symlink():
            raise OSError(f"{path} is a symbolic link")
        return read_bounded(file, MAX_BYTES)

    def _on_disk_or_error(self, path: str) -> bytes | None:
        """One that can't be read is like no earlier one."""
        try:
            return self._on_disk(path)
        except OSError:
            return _UNREADABLE

    def _content_or_error(self, state: AcceptedState, path: str) -> bytes | None:
        return self.content(state, path, self._on_disk_or_error(path))

    def _content_if_kept(self, state: AcceptedState, path: str, now: bytes | None) -> bytes | None:
        """What counts; None also where that is lost, so that a person who confirms sees the whole file as new."""
        try:
            return self.content(state, path, now)
        except StoreError:
            log.warning("%s: what counts of it is lost", path, exc_info=True)
            return None

    def _store(self, data: bytes) -> str:
        name = _hash(data)
        file = self._folder / name
        if not file.exists():
            make_directory(self._folder)
            replace_bytes(file, data)
        return name

    def _load(self, name: str) -> bytes | None:
        if name == _ABSENT:
            return None
        try:
            data = (self._folder / name).read_bytes()
        except OSError as error:
            raise StoreError(f"{_EARLIER} is lost: {because(error)}") from error
        if _hash(data) != name:
            raise StoreError(f"{_EARLIER} was changed as well")
        return data

    def _save(self, state: AcceptedState) -> None:
        if state.is_empty:
            for file in self._folder.iterdir():
                file.unlink(missing_ok=True)
            return
        make_directory(self._folder)
        held = {path: [file.accepted, *file.unconfirmed] for path, file in state.held.items()}
        body = {"folder": self._folder.stat().st_ino, "commands": {k: list(v) for k, v in state.commands.items()}}
        body |= {"captured": dict(state.captured), "held": held, "head": state.head}
        self._put_index(json.dumps(body).encode("ascii"))
        used = {*state.captured.values(), *(file.accepted for file in state.held.values()), self._index.name}
        for file in self._folder.iterdir():
            if file.name not in used and not file.name.startswith("."):
                file.unlink(missing_ok=True)

    def _put_index(self, data: bytes) -> None:
        """Write the index, and change the stamp of `.orchestration` with it (see `state`)."""
        directory = self._layout.orchestration
        try:
            replace_bytes(self._index, data, out_of=directory)
        except OSError:  # `.state` is on another file system, or no file can be made in `.orchestration`
            replace_bytes(self._index, data)
            os.utime(directory)

    def _parsed(self, data: bytes | None) -> AcceptedState:
        """What the index says; nothing where there is none, where it is damaged, or where it came with a copy."""
        if not data:
            return AcceptedState()
        try:
            values: Any = json.loads(data)
            if values["folder"] != self._folder.stat().st_ino:
                log.warning("%s came with a copy of the workspace and does not count here", self._index)
                return AcceptedState()
            held = {str(path): _HeldFile(names[0], tuple(names[1:])) for path, names in values["held"].items()}
            commands = {str(key): (int(agent[0]), str(agent[1])) for key, agent in values["commands"].items()}
            return AcceptedState(commands, dict(values["captured"]), held, values["head"])
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            log.warning("%s is damaged and does not count", self._index, exc_info=True)
            return AcceptedState()


class _Box(Struct):
    """A state that is being changed."""

    state: AcceptedState


_UNREADABLE = b"\0"  # no YAML
_EARLIER = "what it said before an agent's command changed it"


def _hash(data: bytes | None) -> str:
    return _ABSENT if data is None else sha256(data).hexdigest()
