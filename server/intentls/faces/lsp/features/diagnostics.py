"""Diagnostics on request."""

from __future__ import annotations

from lsprotocol import types

from intentls.faces.lsp.connection import LspConnection


async def pull(connection: LspConnection, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """`textDocument/diagnostic`."""
    return types.RelatedFullDocumentDiagnosticReport(
        items=await connection.diagnostics.report(params.text_document.uri)
    )
