"""What the gate is asked (an action) and what it rests on (facts). The caller gathers both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from intentls.core.gate.policy import Policy
from intentls.core.intents.intent import Intent
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.lease import Lease
from intentls.core.intents.ownership_index import OwnershipIndex
from intentls.core.patterns.protected_paths import is_agent_settings, is_declared_file, is_protected

if TYPE_CHECKING:
    from intentls.core.constraints.check import FileEdit


class Target(Struct, frozen=True):
    """One path of an action.

    `path` is root-relative POSIX when `inside`, else as the caller gave it. `current_hash` is None when
    the file does not exist; `base_hash` is the content the caller says (or is known) to build on. `lease` is the one
    that another session holds on the path now. `unsaved_in` names an editor of another process that has changes of the
    file which are not saved; "" where none has.
    """

    path: str
    inside: bool = True
    current_hash: str | None = None
    base_hash: str | None = None
    lease: Lease | None = None
    unsaved_in: str = ""

    @property
    def exists(self) -> bool:
        """Whether there is a file at this path now."""
        return self.current_hash is not None


class Action(Struct, frozen=True):
    """A destructive tool call. `intent_id` is the one the call itself cites, if it does.

    `edits` are what it would make of its files, None as long as that is not known; `contradiction` says how they
    contradict the mutation class that was declared, if they do.
    """

    tool_name: str
    targets: tuple[Target, ...] = ()
    intent_id: str | None = None
    edits: tuple[FileEdit, ...] | None = None
    contradiction: str | None = None


class Facts(Struct, frozen=True):
    """What is true of the workspace and the session at the moment of a decision.

    `selected` is the id of the intent that the session works under. `config_error` is one sentence if the root's
    configuration can't be trusted; the intents are not known then. `ledger_error` is one sentence if an earlier change
    still waits to be put on record. `conflict` is one sentence if a declared file has a merge conflict, so that an
    older version of it counts. `acts_for_agent`: an agent acts; only known where a declared file is a target.
    `settings_links` are links at agents' settings: where each leads in the root, and its own path.
    """

    selected: str | None = None
    intents: Mapping[str, Intent] = field(default_factory=dict)
    ignore: IgnoreRules = field(default_factory=IgnoreRules)
    config_error: str | None = None
    ledger_error: str | None = None
    conflict: str | None = None
    acts_for_agent: bool = False
    settings_links: tuple[tuple[str, str], ...] = ()

    @property
    def intents_known(self) -> bool:
        """Whether the intents can be relied on."""
        return self.config_error is None

    @property
    def intent(self) -> Intent | None:
        """The selected intent, if there is one and it exists."""
        return self.intents.get(self.selected) if self.selected is not None else None

    def owners(self, policy: Policy, *paths: str) -> tuple[str, ...]:
        """The open, usable intents whose scope fits one of `paths`, in file order."""
        candidates = (
            self.intents.candidates(paths) if isinstance(self.intents, OwnershipIndex) else self.intents.values()
        )
        return tuple(
            intent.id
            for intent in candidates
            if intent.is_open
            and not self.ignore.excludes_intent(intent.id)
            and any(policy.admits(intent, path) for path in paths)
        )

    def is_off_limits(self, policy: Policy, path: str) -> bool:
        """Whether `path` is protected: no guarded edit may write it, whatever the scope says.

        The intents file and the root's `.intentignore` can be opened up, by a scope that names them and
        does not merely match them. Agents' settings and what policy lists as `protected` never open.
        """
        if policy.protects(path) or self._is_linked_settings(path):
            return True
        if is_declared_file(path):
            return self.intent is None or not self.intent.scope.names(path)
        return is_protected(path) or is_agent_settings(path)

    def _is_linked_settings(self, path: str) -> bool:
        """Whether an agent reads `path` as its settings, through a link.

        Example: with `.claude` linked to `src/claude`, `src/claude/settings.json` is such a file.
        """
        return any(
            (path == target or path.startswith(f"{target}/")) and is_agent_settings(link + path[len(target) :])
            for target, link in self.settings_links
        )
