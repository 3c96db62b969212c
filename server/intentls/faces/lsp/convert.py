"""From domain values to LSP's."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from intentls.core.diagnostic import Diagnostic, Related
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.line_index import LineIndex

SOURCE = "intentls"


def diagnostic(finding: Diagnostic, index: LineIndex, encoding: str, root: Path, host: LspHost) -> types.Diagnostic:
    """A finding in the document that `index` is of."""
    capabilities = host.capabilities
    related = finding.related if capabilities is not None and capabilities.related_information else ()
    return types.Diagnostic(
        range=index.range_of(finding.span, encoding),
        severity=types.DiagnosticSeverity(finding.severity.value),
        code=finding.code,
        source=SOURCE,
        message=finding.message,
        related_information=[_related(place, encoding, root, host) for place in related] or None,
        data=finding.data or None,
    )


def _related(place: Related, encoding: str, root: Path, host: LspHost) -> types.DiagnosticRelatedInformation:
    path = root / place.path
    index = LineIndex(_text(path, host))
    location = types.Location(path.as_uri(), index.range_of(place.span, encoding))
    return types.DiagnosticRelatedInformation(location, place.message)


def _text(path: Path, host: LspHost) -> str:
    """Columns are counted in the client's units, so the text that the span is of is needed."""
    document = host.open_document(path)
    if document is not None:
        return document.text
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
