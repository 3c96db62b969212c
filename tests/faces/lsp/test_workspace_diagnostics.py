"""The diagnostics of files that are not open: looked at after each edit, and converted only where they changed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.lsp import workspace_diagnostics
from intentls.faces.lsp.workspace_diagnostics import ChangedDocument, ChangedDocuments
from intentls.store.sessions.sessions import Session
from tests.support.workspaces import intents_yaml

SCOPES = {"INT-001": ["src/**", "nowhere/**"]}


@pytest.fixture
def converted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts whose diagnostics were converted."""
    texts: list[str] = []
    convert = workspace_diagnostics.to_lsp

    def counting(diagnostics: Any, text: str, *rest: Any) -> Any:
        texts.append(text)
        return convert(diagnostics, text, *rest)

    monkeypatch.setattr(workspace_diagnostics, "to_lsp", counting)
    return texts


@pytest.fixture
def changed(git_workspace: Path) -> ChangedDocuments:
    """The changed files of a repository, whose file of intents is one of them."""
    declare(git_workspace, SCOPES)
    engine = Engine(Headless("lsp", (git_workspace,)))
    host = SimpleNamespace(
        encoding="utf-16", capabilities=SimpleNamespace(related_information=True), open_files=list, open_document=str
    )
    return ChangedDocuments(host, engine, "s1")  # type: ignore[arg-type]  # all that it asks of a connection


def declare(root: Path, scopes: dict[str, list[str]]) -> None:
    (root / ".orchestration" / "active_intents.yaml").write_text(intents_yaml(scopes), "utf-8")


def shown(changed: ChangedDocuments) -> ChangedDocument:
    changed.forget()
    (document,) = changed.all()
    return document


def test_diagnostics_that_stay_as_they_are_are_converted_once(changed: ChangedDocuments, converted: list[str]) -> None:
    """An edit meanwhile would wait for it."""
    first, second = shown(changed), shown(changed)
    assert [item.code for item in first.items] == [item.code for item in second.items] != []
    assert (len(converted), first.result_id) == (1, second.result_id)


def test_diagnostics_of_another_text_are_converted_again(
    changed: ChangedDocuments, converted: list[str], git_workspace: Path
) -> None:
    """The same ones at the same characters, but one of these before them counts twice in UTF-16."""
    declare(git_workspace, {"INT-001": ["src/**", "!src/\N{BULLET}/**", "nowhere/**"]})
    first = shown(changed)
    declare(git_workspace, {"INT-001": ["src/**", "!src/\N{GRINNING FACE}/**", "nowhere/**"]})
    second = shown(changed)
    assert [item.range.start.character + 1 for item in first.items] == [
        item.range.start.character for item in second.items
    ]
    assert (len(converted), first.result_id != second.result_id) == (2, True)


def test_other_diagnostics_of_the_same_text_are_converted_again(
    changed: ChangedDocuments, converted: list[str], git_workspace: Path
) -> None:
    """A file outside the scope of the selected intent changed, and the file that declares this intent says so."""
    Engine(Headless("lsp", (git_workspace,))).workspace(git_workspace).sessions.save(Session("s1", "INT-001"))
    first = shown(changed)
    (git_workspace / "docs" / "more.md").write_text("More.\n")
    second = shown(changed)
    assert len(second.items) == len(first.items) + 1
    assert (len(converted), first.result_id != second.result_id) == (2, True)
