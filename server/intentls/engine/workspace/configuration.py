"""A root's configuration as it is now: intents, policy and ignore rules, each re-read when it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.gate.action import Facts
from intentls.core.gate.policy import DEFAULT, Policy, PolicyFile
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.workspace import linked_orchestration
from intentls.store.config.parse_cache_codec import known_intents, known_policy
from intentls.store.fs.cached_file import CachedFile, Reading, folder_stamp
from intentls.store.layout import MAX_BYTES, Layout
from intentls.store.sessions.sessions import Session

if TYPE_CHECKING:
    from intentls.store.config.intents_file import IntentsFile


# Of an .intentignore. Every pattern costs time, once when it is read and at every decision.
_MOST_BYTES = 1024 * 1024
_MOST_LINES = 20_000
_TOO_LONG = f"it has more than {_MOST_BYTES:,} bytes or {_MOST_LINES:,} lines"


@dataclass(frozen=True, slots=True)
class Configuration:
    """One consistent reading. `error` is a sentence when the root is invalid."""

    intents: IntentsFile
    policy_file: PolicyFile
    ignore: IgnoreRules
    error: str | None

    @property
    def policy(self) -> Policy:
        """How strict this workspace is."""
        return self.policy_file.policy

    def facts(self, session: Session) -> Facts:
        """What the gate rests on when `session` acts under this configuration."""
        return Facts(session.intent_id, self.intents.intents, self.ignore, self.error)


class ConfigurationReader:
    """Reads a root's configuration; `has_history` says whether its ledger holds records.

    `recalls`: it goes by what an earlier process found in the files, as long as they are the same. Never where
    something is recorded.
    """

    def __init__(self, layout: Layout, has_history: Callable[[], bool], *, recalls: bool) -> None:
        intents = known_intents(layout, _intents, believes=recalls)
        policy = known_policy(layout, _policy, believes=recalls)
        self._intents = CachedFile(layout.intents, intents.read, MAX_BYTES)
        self._policy = CachedFile(layout.policy, policy.read, MAX_BYTES)
        self._ignores = tuple(CachedFile(path, _text, _MOST_BYTES) for path in layout.ignore_files)
        self._rules = (("", ""), IgnoreRules())
        self._has_history = has_history
        self._layout = layout

    def current(self) -> Configuration:
        """The configuration at this moment."""
        intents = self._intents.get()
        inside, outside = self._ignores
        # Most roots have neither of the two files in the folder that may be missing: one look there instead of two.
        expected = self._policy.was_there or inside.was_there
        folder = None if expected else folder_stamp(self._layout.orchestration)
        policy, ignores = self._policy.get(folder), (inside.get(folder), outside.get())
        trouble = self._trouble(intents, policy, ignores) or self._error(intents.value)
        return Configuration(intents.value, policy.value, self._rules_of(ignores), trouble)

    def _rules_of(self, ignores: Sequence[Reading[str | None]]) -> IgnoreRules:
        texts = (ignores[0].value or "", ignores[1].value or "")
        known, rules = self._rules
        if texts != known:
            rules = IgnoreRules.parse(texts)
            self._rules = (texts, rules)
        return rules

    def _trouble(
        self, intents: Reading[IntentsFile], policy: Reading[PolicyFile], ignores: Sequence[Reading[str | None]]
    ) -> str | None:
        """Which file can't be read at all. What it would have forbidden is not known, so nothing is allowed."""
        if self._layout.instead is not None:
            return linked_orchestration.ADVICE
        files: list[tuple[Path, str | None]] = [
            (self._layout.intents, intents.trouble),
            (self._layout.policy, policy.trouble),
        ]
        for path, reading in zip(self._layout.ignore_files, ignores, strict=True):
            files.append((path, reading.trouble or (_TOO_LONG if reading.value is None else None)))
        for path, trouble in files:
            if trouble is not None:
                name = path.relative_to(self._layout.root).as_posix()
                return f"{name} can't be read ({trouble}). Make it a readable file and try again."
        return None

    def _error(self, file: IntentsFile) -> str | None:
        if not file.valid:
            from intentls.core.diagnostic import Severity

            first = next(finding for finding in file.findings if finding.severity is Severity.ERROR)
            place = f"{INTENTS_FILE}, line {first.span.start_line + 1}"
            return f"{place}: {first.message.rstrip('.')}. Fix the file and try again."
        if not file.intents and self._has_history():
            return (
                f"{INTENTS_FILE} is gone or declares no intents, but the ledger has records. Restore it and try again."
            )
        return None


def _intents(data: bytes | None) -> IntentsFile:
    from intentls.store.config.intents_parser import parse_intents  # YAML and schemas take long to import

    return parse_intents(data)


def _policy(data: bytes | None) -> PolicyFile:
    if not data:
        return PolicyFile(DEFAULT)
    from intentls.store.config.policy_parser import parse_policy  # YAML and schemas take long to import

    return parse_policy(data)


def _text(data: bytes | None) -> str | None:
    """The text of an ignore file, None if it is too long to be used."""
    if data is None:
        return ""
    if len(data) > _MOST_BYTES or data.count(b"\n") > _MOST_LINES:
        return None
    return data.decode("utf-8", errors="surrogateescape")
