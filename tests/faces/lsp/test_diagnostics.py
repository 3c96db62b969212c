"""Diagnostics that are pushed are those of the document that is open now."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types

from intentls.faces.lsp.diagnostics import Diagnostics

URI = "file:///w/.orchestration/active_intents.yaml"


class Editor:
    """The documents of a client, and what was published to it."""

    def __init__(self) -> None:
        self.published: list[types.PublishDiagnosticsParams] = []
        self.document: Any = None
        self.workspace = SimpleNamespace(open_document=lambda _uri: self.document)

    def open(self) -> None:
        self.document = SimpleNamespace(version=1)

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append(params)


class SlowReview(Diagnostics):
    """During the review of the document, something happens to it."""

    def __init__(self, editor: Editor, happens: Any) -> None:
        self._server = editor  # type: ignore[assignment]  # all that a push asks of it
        self._happens = happens

    async def report(self, uri: str) -> list[types.Diagnostic]:
        self._happens()
        return []


@pytest.mark.asyncio
async def test_a_document_that_was_opened_again_does_not_get_the_diagnostics_of_its_earlier_text() -> None:
    """Both have version 1, as each document has when it is opened."""
    editor = Editor()
    editor.open()
    await SlowReview(editor, editor.open)._push(URI)
    assert editor.published == []


@pytest.mark.asyncio
async def test_a_document_that_stays_as_it_is_gets_its_diagnostics() -> None:
    editor = Editor()
    editor.open()
    await SlowReview(editor, lambda: None)._push(URI)
    assert [params.version for params in editor.published] == [1]
