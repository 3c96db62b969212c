"""What the gate is asked (an action) and what it knows (a situation). Facts only: whoever asks gathers them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from intentls.core.intents.intent import Intent
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.lease import Lease
from intentls.core.intents.ownership_index import OwnershipIndex
from intentls.core.patterns.protected_paths import is_intents_file, is_protected

if TYPE_CHECKING:
    from intentls.core.constraints.check import FileEdit

IGNORE_NAME = ".intentignore"


@dataclass(frozen=True, slots=True)
class Target:
    """One path of an action.

    `path` is root-relative POSIX when `inside`, else as the caller gave it. `current_hash` is None when
    the file does not exist; `base_hash` is the content the caller says (or is known) to build on. `lease` is the one
    that another session holds on the path now.
    """

    path: str
    inside: bool = True
    current_hash: str | None = None
    base_hash: str | None = None
    lease: Lease | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a file at this path now."""
        return self.current_hash is not None


@dataclass(frozen=True, slots=True)
class Action:
    """A destructive tool call. `intent_id` is the one the call itself cites, if it does.

    `edits` are what it would make of its files, as far as that is known yet; `contradiction` says how they contradict
    the mutation class that was declared, if they do.
    """

    tool_name: str
    targets: tuple[Target, ...] = ()
    intent_id: str | None = None
    edits: tuple[FileEdit, ...] = ()
    contradiction: str | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What the workspace says at this moment.

    `config_error` is one sentence if the root's configuration can't be trusted. With `lenient` (policy
    `on_invalid: allow`) such a root is judged by paths and base hashes alone.
    """

    selected: str | None = None
    intents: Mapping[str, Intent] = field(default_factory=dict)
    ignore: IgnoreRules = field(default_factory=IgnoreRules)
    config_error: str | None = None
    lenient: bool = False
    require_base: bool = False
    empty_scope_denied: bool = False
    leases_enforced: bool = False
    mutation_class_enforced: bool = False

    @property
    def intents_known(self) -> bool:
        """Whether the intents can be relied on."""
        return self.config_error is None

    @property
    def intent(self) -> Intent | None:
        """The selected intent, if there is one and it exists."""
        return self.intents.get(self.selected) if self.selected is not None else None

    def owners(self, *paths: str) -> tuple[str, ...]:
        """The open, usable intents whose scope fits one of `paths`, in file order."""
        return tuple(
            intent.id
            for intent in (
                self.intents.near(paths) if isinstance(self.intents, OwnershipIndex) else self.intents.values()
            )
            if intent.is_open
            and not self.ignore.excludes_intent(intent.id)
            and any(self.admits(intent, path) for path in paths)
        )

    def admits(self, intent: Intent, path: str) -> bool:
        """Whether `path` is in the intent's scope under this workspace's policy."""
        if intent.scope.is_whole_workspace and self.empty_scope_denied:
            return False
        return intent.scope.contains(path)

    def is_off_limits(self, path: str) -> bool:
        """Whether `path` is protected: no guarded edit may write it, whatever the scope says.

        The intents file and the root's `.intentignore` can be opened up, by a scope that names them and
        does not merely match them.
        """
        if is_intents_file(path) or path == IGNORE_NAME:
            return self.intent is None or not self.intent.scope.names(path)
        return is_protected(path)
