"""Diagnostics on request."""

from __future__ import annotations

from lsprotocol import types

from intentls.faces.lsp.connection import Face


async def pull(face: Face, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """`textDocument/diagnostic`."""
    return types.RelatedFullDocumentDiagnosticReport(items=await face.diagnostics.report(params.text_document.uri))
