"""Diagnostics of the changed files of the working tree, on request: open ones and closed ones."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.progress import Note, watched
from intentls.faces.lsp.workspace_diagnostics import ChangedDocument

_CHUNK = 100  # files in one partial result
_Report = types.WorkspaceDocumentDiagnosticReport


async def pull(connection: LspConnection, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """`workspace/diagnostic`. With a `partialResultToken` everything is sent by it, and the answer is empty."""
    known = _previous(connection, params)

    def work(note: Note) -> list[_Report]:
        sink = _ReportSink(connection, params.partial_result_token)
        for shown in connection.diagnostics.changed.each(note):
            sink.take(_report(shown, known.pop(shown.path, None)))
        for uri, _ in known.values():  # they are as in HEAD again, or gone
            sink.take(types.WorkspaceFullDocumentDiagnosticReport(uri, []))
        return sink.rest()

    left = await watched(connection, "Looking at the changed files", work, params.work_done_token)
    return types.WorkspaceDiagnosticReport(left)


def _previous(connection: LspConnection, params: types.WorkspaceDiagnosticParams) -> dict[Path, tuple[str, str]]:
    """(URI, result id) of what the client shows, by path: clients spell a URI in their own way."""
    given = ((connection.host.path(known.uri), known) for known in params.previous_result_ids)
    return {path: (known.uri, known.value) for path, known in given if path is not None}


def _report(shown: ChangedDocument, known: tuple[str, str] | None) -> _Report:
    uri, result_id = known or (shown.uri, None)
    if result_id == shown.result_id:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, shown.result_id, shown.version)
    return types.WorkspaceFullDocumentDiagnosticReport(uri, shown.items, shown.version, result_id=shown.result_id)


class _ReportSink:
    """Where reports go to: to the client in chunks if it gave a token, else into the answer. In the worker's thread."""

    def __init__(self, connection: LspConnection, token: types.ProgressToken | None) -> None:
        self._protocol = connection.server.protocol
        self._token = token
        self._waiting: list[_Report] = []

    def take(self, report: _Report) -> None:
        """One more."""
        self._waiting.append(report)
        if self._token is not None and len(self._waiting) == _CHUNK:
            self._send(self._token)

    def rest(self) -> list[_Report]:
        """What belongs into the answer."""
        if self._token is not None:
            self._send(self._token)
        return self._waiting

    def _send(self, token: types.ProgressToken) -> None:
        if self._waiting:
            value = types.WorkspaceDiagnosticReportPartialResult(self._waiting)
            self._protocol.notify(types.PROGRESS, types.ProgressParams(token, value))
            self._waiting = []
