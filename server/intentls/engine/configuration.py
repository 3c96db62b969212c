"""A root's configuration as it is now: intents, policy and ignore rules, each re-read when it changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from intentls.core.finding import Severity
from intentls.core.ignore import IgnoreRules
from intentls.store.documents import MAX_BYTES
from intentls.store.intents import IntentsFile, parse_intents
from intentls.store.layout import INTENTS_NAME, ORCHESTRATION, Layout
from intentls.store.policy import Policy, PolicyFile, parse_policy
from intentls.store.watched import Watched

_NAME = f"{ORCHESTRATION}/{INTENTS_NAME}"


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

    @property
    def lenient(self) -> bool:
        """Whether policy lets edits through although the root is invalid."""
        return self.policy.on_invalid == "allow"


class ConfigurationReader:
    """Reads a root's configuration; `has_history` says whether its ledger holds records."""

    def __init__(self, layout: Layout, has_history: Callable[[], bool]) -> None:
        self._intents = Watched(layout.intents, parse_intents, MAX_BYTES)
        self._policy = Watched(layout.policy, parse_policy, MAX_BYTES)
        self._ignores = tuple(Watched(path, _text) for path in layout.ignore_files)
        self._rules = (("", ""), IgnoreRules())
        self._has_history = has_history

    def current(self) -> Configuration:
        """The configuration at this moment."""
        intents = self._intents.get()
        return Configuration(intents, self._policy.get(), self._ignore(), self._error(intents))

    def _ignore(self) -> IgnoreRules:
        texts = (self._ignores[0].get(), self._ignores[1].get())
        if texts != self._rules[0]:
            self._rules = (texts, IgnoreRules.parse(texts))
        return self._rules[1]

    def _error(self, file: IntentsFile) -> str | None:
        if self._intents.trouble is not None:
            return f"{_NAME} can't be read ({self._intents.trouble}). Make it a readable file and try again."
        if not file.valid:
            first = next(finding for finding in file.findings if finding.severity is Severity.ERROR)
            place = f"{_NAME}, line {first.span.start_line + 1}"
            return f"{place}: {first.message.rstrip('.')}. Fix the file and try again."
        if not file.intents and self._has_history():
            return f"{_NAME} is gone or declares no intents, but the ledger has records. Restore it and try again."
        return None


def _text(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", errors="surrogateescape")
