"""Diagnostics of the engine as LSP's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from intentls.core.diagnostic import Diagnostic, Related
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.line_index import LineIndex

SOURCE = "intentls"


def to_lsp(diagnostics: Iterable[Diagnostic], text: str, root: Path, host: LspHost) -> list[types.Diagnostic]:
    """The diagnostics of `text`, a file's of the workspace at `root`. It may read the files that are related."""
    index, encoding = LineIndex(text), host.encoding
    with_related = host.capabilities.related_information
    return [
        types.Diagnostic(
            range=index.range_of(diagnostic.span, encoding),
            severity=types.DiagnosticSeverity(diagnostic.severity.value),
            code=diagnostic.code,
            source=SOURCE,
            message=diagnostic.message,
            related_information=[_related(related, root, host) for related in diagnostic.related if with_related]
            or None,
            data=diagnostic.data or None,
        )
        for diagnostic in diagnostics
    ]


def _related(related: Related, root: Path, host: LspHost) -> types.DiagnosticRelatedInformation:
    path = root / related.path
    # The span counts code points, LSP's range units of the encoding: only the text says how many those are.
    location = types.Location(path.as_uri(), LineIndex(_text(path, host)).range_of(related.span, host.encoding))
    return types.DiagnosticRelatedInformation(location, related.message)


def _text(path: Path, host: LspHost) -> str:
    """The text in the editor, or else on disk; "" if it can't be read."""
    document = host.open_document(path)
    if document is not None:
        return document.text
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
