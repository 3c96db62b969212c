"""`textDocument/diagnostic` and `workspace/diagnostic`: of one open document, and of all changed files."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from intentls.engine.workspace.progress import Progress
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.progress import run_with_progress
from intentls.faces.lsp.workspace_diagnostics import ChangedDocument

_CHUNK = 100  # files in one partial result
_Report = types.WorkspaceDocumentDiagnosticReport


async def document_diagnostic(
    connection: LspConnection, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """`textDocument/diagnostic`."""
    items = await connection.diagnostics.report(params.text_document.uri)
    return types.RelatedFullDocumentDiagnosticReport(items=items)


async def workspace_diagnostic(
    connection: LspConnection, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """`workspace/diagnostic`. With a `partialResultToken` all reports are partial results, and the answer is empty.

    Such a client asks again after each answer: where nothing happened since the last one, the answer waits for news.
    """
    if (
        not connection.diagnostics.looked_at()
        and params.partial_result_token is not None
        and params.previous_result_ids
    ):
        await connection.diagnostics.next_news()
        connection.diagnostics.looked_at()
    previous = _previous_results(connection, params)

    def work(progress: Progress) -> list[_Report]:
        reports = _ReportSink(connection, params.partial_result_token)
        for document in connection.diagnostics.changed_documents.all(progress):
            reports.add(_report(document, previous.pop(document.path, None)))
        for uri, _ in previous.values():  # files that are as in HEAD again, or deleted
            reports.add(types.WorkspaceFullDocumentDiagnosticReport(uri, []))
        return reports.finish()

    rest = await run_with_progress(connection, "Looking at the changed files", work, params.work_done_token)
    return types.WorkspaceDiagnosticReport(rest)


def _previous_results(
    connection: LspConnection, params: types.WorkspaceDiagnosticParams
) -> dict[Path, tuple[str, str]]:
    """(URI as the client spells it, result id) of what the client shows, by path."""
    results = ((connection.host.path(previous.uri), previous) for previous in params.previous_result_ids)
    return {path: (previous.uri, previous.value) for path, previous in results if path is not None}


def _report(document: ChangedDocument, previous: tuple[str, str] | None) -> _Report:
    uri, result_id = previous or (document.uri, None)
    if result_id == document.result_id:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, document.result_id, document.version)
    return types.WorkspaceFullDocumentDiagnosticReport(
        uri, document.items, document.version, result_id=document.result_id
    )


class _ReportSink:
    """Sends reports in chunks if the client gave a token, else collects them. Used in the worker's thread."""

    def __init__(self, connection: LspConnection, token: types.ProgressToken | None) -> None:
        self._protocol = connection.server.protocol
        self._token = token
        self._reports: list[_Report] = []

    def add(self, report: _Report) -> None:
        """Add a report; a full chunk is sent."""
        self._reports.append(report)
        if self._token is not None and len(self._reports) == _CHUNK:
            self._send(self._token)

    def finish(self) -> list[_Report]:
        """The reports for the answer, none if there is a token."""
        if self._token is not None:
            self._send(self._token)
        return self._reports

    def _send(self, token: types.ProgressToken) -> None:
        if self._reports:
            value = types.WorkspaceDiagnosticReportPartialResult(self._reports)
            self._protocol.notify(types.PROGRESS, types.ProgressParams(token, value))
            self._reports = []
