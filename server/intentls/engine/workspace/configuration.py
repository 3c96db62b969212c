"""A root's configuration as it is now: intents, policy and ignore rules, each re-read when it changed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.gate.action import Facts
from intentls.core.gate.policy import Policy, PolicyFile
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.patterns.protected_paths import IGNORE_FILE, INTENTS_FILE, POLICY_FILE, is_single_intent_file
from intentls.engine.workspace.conflicts import Conflicts
from intentls.store.config.declared_files import DeclaredFiles
from intentls.store.config.declared_intents import DeclaredIntents
from intentls.store.config.intents_reader import IntentsReader, IntentsReading
from intentls.store.fs.cached_file import CachedFile, Reading, directory_stamp
from intentls.store.fs.primitives import Stamp
from intentls.store.fs.settings_links import SettingsLinks
from intentls.store.git.head import Git
from intentls.store.layout import IGNORE_NAME, LINKED, MAX_BYTES, ORCHESTRATION, Layout
from intentls.store.sessions.accepted_files import AcceptedFiles, AcceptedState
from intentls.store.sessions.sessions import Session

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

T = TypeVar("T")


def layout_of(root: Path) -> Layout:
    """Where the files of `root` lie now."""
    is_linked = os.path.islink(os.path.join(root, ORCHESTRATION))  # noqa: PTH114  (on every guarded edit)
    return Layout(root, Path(private_folder().name) / _name(root)) if is_linked else Layout(root)


def _name(root: Path) -> str:
    return root.as_posix().encode("utf-8", "surrogateescape").hex()[-200:]


@cache
def private_folder() -> TemporaryDirectory[str]:
    from tempfile import TemporaryDirectory  # slow to import, and hardly any root needs it

    return TemporaryDirectory(prefix="intentls-", ignore_cleanup_errors=True)


_IGNORE_PATHS = (f"{ORCHESTRATION}/{IGNORE_NAME}", IGNORE_NAME)
# Of an .intentignore. Every pattern costs time, once when it is read and at every decision.
_MAX_BYTES = 1024 * 1024
_MAX_LINES = 20_000
_TOO_LONG = f"it has more than {_MAX_BYTES:,} bytes or {_MAX_LINES:,} lines"


class Configuration(Struct, frozen=True):
    """What the root's files declare at one moment. `error` is a sentence when the root is invalid.

    `conflict` is one when a merge left conflict markers in a file, so that its version in HEAD counts. `unconfirmed`
    are files that an agent's command changed: what they said before it counts. `settings_links` are those of
    `SettingsLinks`.
    """

    intents: DeclaredIntents
    policy_file: PolicyFile
    ignore: IgnoreRules
    error: str | None
    conflict: str | None = None
    unconfirmed: tuple[str, ...] = ()
    settings_links: tuple[tuple[str, str], ...] = ()

    @property
    def policy(self) -> Policy:
        """How strict this workspace is."""
        return self.policy_file.policy

    def facts(self, session: Session) -> Facts:
        """What the gate rests on when `session` acts under this configuration."""
        return Facts(
            session.intent_id,
            self.intents.intents,
            self.ignore,
            self.error,
            conflict=self.conflict,
            settings_links=self.settings_links,
        )


class ConfigurationReader:
    """Reads a root's configuration; `has_history` says whether its ledger holds records.

    `trust_cache`: use what an earlier process parsed, as long as the files are the same. Never where something is
    recorded: another program of this user could have written the cache.
    """

    def __init__(
        self, layout: Layout, accepted: AcceptedFiles, has_history: Callable[[], bool], *, trust_cache: bool
    ) -> None:
        declared = DeclaredFiles(layout, trust_cache=trust_cache)
        self._conflicts = Conflicts(Git(layout.root))
        self._counting = CountingContents(accepted)
        self._intents = IntentsReader(layout, declared, self._effective, self._counting.more_names)
        self._policy = CachedFile(layout.policy, self._unconflicted(POLICY_FILE, declared.policy), MAX_BYTES)
        self._ignores = tuple(
            CachedFile(path, self._unconflicted(name, _text), _MAX_BYTES)
            for name, path in zip(_IGNORE_PATHS, layout.ignore_files, strict=True)
        )
        self._links = SettingsLinks(layout.root)
        self._rules = (("", ""), IgnoreRules())
        self._has_history = has_history
        self._layout = layout
        self._latest: Configuration | None = None

    def current(self) -> Configuration:
        """The configuration at this moment."""
        inside, outside = self._ignores
        # Most roots lack some of what may be in `.orchestration`, and nearly all that may be in the root itself: one
        # stat of each shows that nothing came.
        directory, root = directory_stamp(self._layout.orchestration), directory_stamp(self._layout.root)
        self._counting.begin(directory)
        intents = self._intents.get(directory)
        policy = self._counting.of(POLICY_FILE, self._policy, self._policy.get(directory))
        ignores = (
            self._counting.of(f"{ORCHESTRATION}/{IGNORE_NAME}", inside, inside.get(directory)),
            self._counting.of(IGNORE_FILE, outside, outside.get(root)),
        )
        unconfirmed = self._counting.unconfirmed
        error = self._unreadable(intents, policy, ignores) or self._invalid(intents.value)
        links = self._links.get(root)
        self._latest = Configuration(
            intents.value, policy.value, self._rules_of(ignores), error, self._conflicts.note(), unconfirmed, links
        )
        return self._latest

    def latest(self) -> Configuration:
        """The configuration as it was last read here: what changes seldom needs no other look."""
        return self._latest or self.current()

    def _effective(self, path: str, data: bytes | None) -> bytes | None:
        return self._conflicts.effective(path, self._counting.effective(path, data))

    def _unconflicted(self, path: str, parse: Callable[[bytes | None], T]) -> Callable[[bytes | None], T]:
        """`parse` of the declared file at root-relative `path`, of its version in HEAD if it has a merge conflict."""
        return lambda data: parse(self._conflicts.effective(path, data))

    def _rules_of(self, ignores: Sequence[Reading[str | None]]) -> IgnoreRules:
        texts = (ignores[0].value or "", ignores[1].value or "")
        parsed, rules = self._rules
        if texts != parsed:
            rules = IgnoreRules.parse(texts)
            self._rules = (texts, rules)
        return rules

    def _unreadable(
        self, intents: IntentsReading, policy: Reading[PolicyFile], ignores: Sequence[Reading[str | None]]
    ) -> str | None:
        """Which file can't be read at all. What it would have forbidden is not known, so nothing is allowed."""
        if self._layout.instead is not None:
            return LINKED
        lost = self._counting.lost
        files: list[tuple[str, str | None]] = [
            intents.unreadable or (INTENTS_FILE, None),
            (POLICY_FILE, policy.error),
            *(() if lost is None else (lost,)),
        ]
        for name, reading in zip(_IGNORE_PATHS, ignores, strict=True):
            files.append((name, reading.error or (_TOO_LONG if reading.value is None else None)))
        for name, reason in files:
            if reason is not None:
                return f"{name} can't be read ({reason}). Make it a readable file and try again."
        return None

    def _invalid(self, declared: DeclaredIntents) -> str | None:
        first = declared.first_error
        if first is not None:
            path, error = first
            line = f"{path}, line {error.span.start_line + 1}"
            return f"{line}: {error.message.rstrip('.')}. Fix the file and try again."
        if not declared.intents and self._has_history():
            return (
                f"{INTENTS_FILE} is gone or declares no intents, but the ledger has records. Restore it and try again."
            )
        return None


class CountingContents(threading.local):
    """What counts of declared files while an agent's command runs, and after one changed them; else what they say.

    Each thread has its own view, from `begin` on.
    """

    def __init__(self, accepted: AcceptedFiles) -> None:
        self._accepted = accepted
        self._state = AcceptedState()
        self._unconfirmed: list[str] = []
        self.lost: tuple[str, str] | None = None

    def begin(self, directory: Stamp | None) -> None:
        """Look at how things stand now. `directory` is the stamp of `.orchestration`, if known."""
        self._state, self._unconfirmed, self.lost = self._accepted.state(directory), [], None

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The files of which something else counts, of those that were asked for."""
        return tuple(self._unconfirmed)

    def more_names(self) -> Iterable[str]:
        """The names of files of single intents that count, whether they are there or not."""
        for path in {**self._state.captured, **self._state.held}:
            if is_single_intent_file(path):
                yield path.rpartition("/")[2]

    def effective(self, path: str, data: bytes | None) -> bytes | None:
        """What counts of the file at root-relative `path` that has these bytes."""
        if self._state.is_empty:
            return data
        try:
            counting = self._accepted.content(self._state, path, data)
        except StoreError as error:
            self.lost = path, str(error)
            return None
        if counting != data:
            self._unconfirmed.append(path)
        return counting

    def of(self, path: str, file: CachedFile[T], reading: Reading[T]) -> Reading[T]:
        """The reading that counts: `reading` is of the file as it is, and stands where that can't be read."""
        if self._state.is_empty or reading.error is not None:
            return reading
        data = file.data
        counting = self.effective(path, data)
        return reading if counting == data else Reading(file.parse(counting))


def _text(data: bytes | None) -> str | None:
    """The text of an ignore file, None if it is too long to be used."""
    if data is None:
        return ""
    if len(data) > _MAX_BYTES or data.count(b"\n") > _MAX_LINES:
        return None
    return data.decode("utf-8", errors="surrogateescape")
