"""What an agent is told of earlier changes, and which files lie near its intent."""

from __future__ import annotations

from msgspec import Struct

from intentls.core.intents.scope import Scope

_MAGIC = frozenset("\\*?[{")


class RecentChange(Struct, frozen=True):
    """The newest edits of one file under the intent: `count` of them. Time, class and `lines` are the newest one's.

    `symbols` are the definitions that they changed, `by` their authors, each once, the newest edit's first. `reason`
    is what a person said of it.
    """

    timestamp: str
    path: str
    mutation_class: str
    count: int = 1
    symbols: tuple[str, ...] = ()
    lines: str = ""
    by: tuple[str, ...] = ()
    reason: str = ""


class EarlierWork(Struct, frozen=True):
    """A piece of work under another intent, `name` by its name. `why`: what it has in common, `scope`, `words` or both.

    `revision` is the commit on which it was done, None outside version control.
    """

    intent_id: str
    name: str
    timestamp: str
    paths: tuple[str, ...]
    symbols: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    count: int = 1
    revision: str | None = None
    why: str = ""


class ScopeFolders(Struct, frozen=True):
    """Which files lie near an intent: in its scope, or beside a file that the scope names literally."""

    scope: Scope
    folders: frozenset[str]

    @classmethod
    def of(cls, scope: Scope) -> ScopeFolders:
        """Example: of `src/api/**` and `docs/design.md` the folder `docs` counts too, for it holds the one file."""
        literal = (glob.pattern for glob in scope.included if not _MAGIC & set(glob.pattern))
        return cls(scope, frozenset(folder for folder in (path.rpartition("/")[0] for path in literal) if folder))

    def contain(self, path: str) -> bool:
        """Whether root-relative `path` is near."""
        return self.scope.contains(path) or path.rpartition("/")[0] in self.folders
