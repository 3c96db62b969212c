"""What one file of intents says, parsed (`intents_parser`) or out of the cache (`declared_files`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from intentls.core.patterns.protected_paths import INTENTS_FILE, is_single_intent_file

if TYPE_CHECKING:
    from intentls.core.diagnostic import Diagnostic, Span
    from intentls.core.intents.intent import Intent

_ERROR: Final = 1  # Severity.ERROR, whose module only files with diagnostics need


class IntentSpans(Struct, frozen=True):
    """Where an intent and its parts stand. `globs` are the items of `owned_scope`, in order."""

    whole: Span
    id: Span
    scope: Span | None
    globs: tuple[Span, ...]
    status: Span | None


class IntentsFile(Struct, frozen=True):
    """What the file says. `intents`: the entries without an error, in order; `spans`: all that have an id.

    `text` is the file without a BOM (spans and offsets refer to it); `encode` gives the bytes of a changed
    text. A missing file is like an empty one: valid, without intents. `path` says which file it is, and so whether it
    is the list or one intent. `weight` and `alternatives` count its values and its patterns' alternatives.
    """

    intents: Mapping[str, Intent]
    diagnostics: tuple[Diagnostic, ...]
    content_hash: str
    spans: Mapping[str, IntentSpans]
    text: str
    bom: bytes = b""
    path: str = INTENTS_FILE
    weight: int = 0
    alternatives: int = 0

    @property
    def is_single(self) -> bool:
        """Whether it is the file of one intent, not the list."""
        return is_single_intent_file(self.path)

    @property
    def valid(self) -> bool:
        """Whether the gate may rely on this file: no diagnostic is an error."""
        return self.first_error is None

    @property
    def first_error(self) -> Diagnostic | None:
        """The first diagnostic that is an error, if there is one."""
        return next((diagnostic for diagnostic in self.diagnostics if diagnostic.severity == _ERROR), None)

    def encode(self, text: str) -> bytes:
        """The bytes to write when `text` replaces the file's text."""
        return self.bom + text.encode("utf-8")
