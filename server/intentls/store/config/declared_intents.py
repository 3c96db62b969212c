"""All that a root's files declare, as one: the list first, then the files of single intents by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct, field

from intentls.core.hashing import content_hash
from intentls.core.intents.intent import Intent
from intentls.core.intents.ownership_index import OwnershipIndex, Patterns
from intentls.core.patterns.protected_paths import INTENTS_FILE

if TYPE_CHECKING:
    from intentls.core.diagnostic import Diagnostic
    from intentls.store.config.intents_file import IntentsFile, IntentSpans


class DeclaredIntents(Struct, frozen=True):
    """The intents without an error, by id, and the files that they are in, by root-relative path.

    `across` are the diagnostics that no file has by itself, by path: an id that two files declare, files that are too
    much together. `paths` says which file declares an intent.
    """

    files: Mapping[str, IntentsFile]
    intents: Mapping[str, Intent]
    paths: Mapping[str, str]
    content_hash: str
    across: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)

    @property
    def valid(self) -> bool:
        """Whether the gate may rely on these files: no diagnostic is an error."""
        return self.first_error is None

    @property
    def first_error(self) -> tuple[str, Diagnostic] | None:
        """The first diagnostic that is an error, with the path of its file."""
        return next(
            ((path, diagnostic) for path, diagnostic in self.diagnostics() if diagnostic.severity == 1),  # ERROR
            None,
        )

    def diagnostics(self) -> Iterator[tuple[str, Diagnostic]]:
        """All diagnostics, each with the path of its file."""
        for path in dict.fromkeys([*self.files, *self.across]):
            yield from ((path, diagnostic) for diagnostic in self.of(path))

    def of(self, path: str) -> tuple[Diagnostic, ...]:
        """The diagnostics of one file."""
        file = self.files.get(path)
        return (*(() if file is None else file.diagnostics), *self.across.get(path, ()))

    def spans(self, intent_id: str) -> IntentSpans | None:
        """Where an intent stands in its file; None if there is no such intent."""
        path = self.paths.get(intent_id)
        return None if path is None else self.files[path].spans.get(intent_id)


class _JoinedIntents(Mapping[str, Intent]):
    """The intents of several files; each is made when it is asked for, if its file does so."""

    def __init__(self, files: Mapping[str, IntentsFile], paths: Mapping[str, str]) -> None:
        self._files = files
        self._paths = paths

    def __getitem__(self, intent_id: str) -> Intent:
        return self._files[self._paths[intent_id]].intents[intent_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def join(
    files: Mapping[str, IntentsFile], across: Mapping[str, tuple[Diagnostic, ...]] | None = None
) -> DeclaredIntents:
    """What `files` declare together. Of an id that two declare the first counts; `across` says so of both."""
    paths: dict[str, str] = {}
    for path, file in files.items():
        for intent_id in file.intents:
            paths.setdefault(intent_id, path)
    listed = files.get(INTENTS_FILE)
    if listed is not None and len(files) == 1:
        return DeclaredIntents(files, listed.intents, paths, listed.content_hash, across or {})

    def patterns() -> Patterns:
        for path, file in files.items():
            own = file.intents
            if isinstance(own, OwnershipIndex):
                yield from (pair for pair in own.patterns() if paths[pair[0]] == path)

    digest = sha256()
    for path, file in files.items():
        digest.update(f"{path}\n{file.content_hash}\n".encode())
    intents = OwnershipIndex(_JoinedIntents(files, paths), patterns)
    own_hash = f"sha256:{digest.hexdigest()}" if files else content_hash(b"")
    return DeclaredIntents(files, intents, paths, own_hash, across or {})
