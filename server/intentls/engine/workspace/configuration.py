"""A root's configuration as it is now: intents, policy and ignore rules, each re-read when it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.gate.action import Facts
from intentls.core.gate.policy import Policy, PolicyFile
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.patterns.protected_paths import INTENTS_FILE, POLICY_FILE
from intentls.engine.workspace.conflicts import Conflicts
from intentls.store.config.declared_files import DeclaredFiles
from intentls.store.config.declared_intents import DeclaredIntents
from intentls.store.config.intents_reader import IntentsReader, IntentsReading
from intentls.store.fs.cached_file import CachedFile, Reading, directory_stamp
from intentls.store.git.head import Git
from intentls.store.layout import MAX_BYTES, ORCHESTRATION, Layout
from intentls.store.sessions.sessions import Session

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

ADVICE = f"{ORCHESTRATION} is a symbolic link, and nothing is read or written through one. Make it a real folder."


def layout_of(root: Path) -> Layout:
    """Where the files of `root` lie now."""
    layout = Layout(root)
    return Layout(root, Path(_private_folder().name) / _name(root)) if layout.orchestration.is_symlink() else layout


def _name(root: Path) -> str:
    return root.as_posix().encode("utf-8", "surrogateescape").hex()[-200:]


@cache
def _private_folder() -> TemporaryDirectory[str]:
    from tempfile import TemporaryDirectory  # slow to import, and hardly any root needs it

    return TemporaryDirectory(prefix="intentls-", ignore_cleanup_errors=True)


# Of an .intentignore. Every pattern costs time, once when it is read and at every decision.
_MAX_BYTES = 1024 * 1024
_MAX_LINES = 20_000
_TOO_LONG = f"it has more than {_MAX_BYTES:,} bytes or {_MAX_LINES:,} lines"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the root's files declare at one moment. `error` is a sentence when the root is invalid.

    `conflict` is one when a merge left conflict markers in a file, so that its version in HEAD counts.
    """

    intents: DeclaredIntents
    policy_file: PolicyFile
    ignore: IgnoreRules
    error: str | None
    conflict: str | None = None

    @property
    def policy(self) -> Policy:
        """How strict this workspace is."""
        return self.policy_file.policy

    def facts(self, session: Session) -> Facts:
        """What the gate rests on when `session` acts under this configuration."""
        return Facts(session.intent_id, self.intents.intents, self.ignore, self.error, conflict=self.conflict)


class ConfigurationReader:
    """Reads a root's configuration; `has_history` says whether its ledger holds records.

    `trust_cache`: use what an earlier process parsed, as long as the files are the same. Never where something is
    recorded: another program of this user could have written the cache.
    """

    def __init__(self, layout: Layout, has_history: Callable[[], bool], *, trust_cache: bool) -> None:
        declared = DeclaredFiles(layout, trust_cache=trust_cache)
        self._conflicts = Conflicts(Git(layout.root))
        self._intents = IntentsReader(layout, declared, self._conflicts.effective)
        self._policy = CachedFile(layout.policy, declared.policy, MAX_BYTES)
        self._ignores = tuple(CachedFile(path, _text, _MAX_BYTES) for path in layout.ignore_files)
        self._rules = (("", ""), IgnoreRules())
        self._has_history = has_history
        self._layout = layout

    def current(self) -> Configuration:
        """The configuration at this moment."""
        inside, outside = self._ignores
        # Most roots lack some of what may be in `.orchestration`: one stat of it shows that nothing came.
        directory = directory_stamp(self._layout.orchestration)
        intents = self._intents.get(directory)
        policy, ignores = self._policy.get(directory), (inside.get(directory), outside.get())
        error = self._unreadable(intents, policy, ignores) or self._invalid(intents.value)
        return Configuration(intents.value, policy.value, self._rules_of(ignores), error, self._conflicts.note())

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
            return ADVICE
        files: list[tuple[str, str | None]] = [
            intents.unreadable or (INTENTS_FILE, None),
            (POLICY_FILE, policy.error),
        ]
        for path, reading in zip(self._layout.ignore_files, ignores, strict=True):
            name = path.relative_to(self._layout.root).as_posix()
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


def _text(data: bytes | None) -> str | None:
    """The text of an ignore file, None if it is too long to be used."""
    if data is None:
        return ""
    if len(data) > _MAX_BYTES or data.count(b"\n") > _MAX_LINES:
        return None
    return data.decode("utf-8", errors="surrogateescape")
