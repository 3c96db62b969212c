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


class Looks(Diagnostics):
    """What is looked at and shown, without a client: counts how often all is shown again."""

    def __init__(self) -> None:
        self._state = None
        self._rested_on = None
        self._is_behind = False
        self.state = SimpleNamespace(changed=lambda _: None)  # type: ignore[assignment]
        self.outside = SimpleNamespace(notice=self._notice)  # type: ignore[assignment]
        self.times = self.notices = 0

    def refresh(self) -> None:
        self.times += 1

    def look(self, version: str) -> int:
        self._show(SimpleNamespace(diagnostics=version, recorded=0, editor=None))  # type: ignore[arg-type]
        return self.times

    def review(self, *versions: str) -> None:
        for version in versions:
            self._rests_on(version)

    def _notice(self) -> None:
        self.notices += 1


def test_what_came_and_went_between_two_looks_does_not_stay_on_the_screen() -> None:
    """A file was reviewed while another session leased it, which neither look saw."""
    looks = Looks()
    assert looks.look("free") == 0
    looks.review("leased", "leased")
    assert looks.notices == 2
    assert looks.look("free") == 1
    looks.review("free", "free")
    assert (looks.look("free"), looks.notices) == (1, 2)


@pytest.mark.parametrize(("reviews", "times"), [((), 0), (("free",), 0), (("leased",), 1), (("leased", "free"), 1)])
def test_what_was_shown_before_the_first_look_is_compared_with_it(reviews: tuple[str, ...], times: int) -> None:
    looks = Looks()
    looks.review(*reviews)
    assert looks.look("free") == times
    assert looks.look("free") == times
