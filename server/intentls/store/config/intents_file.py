"""What active_intents.yaml says, parsed (`intents_parser`) or out of the cache (`declared_files`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from intentls.core.diagnostic import Diagnostic, Span
    from intentls.core.intents.intent import Intent

_ERROR: Final = 1  # Severity.ERROR, whose module only files with diagnostics need


@dataclass(frozen=True, slots=True)
class IntentSpans:
    """Where an intent and its parts stand. `globs` are the items of `owned_scope`, in order."""

    whole: Span
    id: Span
    scope: Span | None
    globs: tuple[Span, ...]
    status: Span | None


@dataclass(frozen=True, slots=True)
class IntentsFile:
    """What the file says. `intents`: the entries without an error, in order; `spans`: all that have an id.

    `text` is the file without a BOM (spans and offsets refer to it); `encode` gives the bytes of a changed
    text. A missing file is like an empty one: valid, without intents.
    """

    intents: Mapping[str, Intent]
    diagnostics: tuple[Diagnostic, ...]
    content_hash: str
    spans: Mapping[str, IntentSpans]
    text: str
    bom: bytes = b""

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
