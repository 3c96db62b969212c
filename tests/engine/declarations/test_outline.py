"""Symbols, folds and lenses of active_intents.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.engine.declarations import code_lenses as lenses_module
from intentls.engine.declarations.code_lenses import lenses
from intentls.engine.declarations.outline import outline
from intentls.engine.declarations.symbols import document_symbols, folds, workspace_symbols
from tests.engine.declarations.conftest import INTENTS, Desk, desk_in


def test_intents_are_symbols_with_their_status_and_globs() -> None:
    """The id is the name, the rest is detail; a closed one is marked."""
    first, second, third = document_symbols(INTENTS)
    assert (first.name, first.detail, first.is_closed) == ("INT-001", "Build Weather API [IN_PROGRESS]", False)
    assert [child.name for child in first.children] == ["status", "owned_scope"]
    assert [glob.name for glob in first.children[1].children] == ["src/**", "!src/generated/**"]
    assert (second.detail, third.is_closed) == ("Write the guide [PENDING]", True)
    assert (first.span.start_line, first.span.end_line, first.name_span.start_column) == (1, 4, 8)


@pytest.mark.parametrize("broken", ['    owned_scope: ["a\n', "    x: y: z\n", "\toops\n"])
def test_a_file_that_does_not_parse_still_has_its_intents(broken: str) -> None:
    """Each with its id, name and status at the right place."""
    text = INTENTS.replace("    status: DONE\n", f"    status: DONE\n{broken}")
    whole = outline(text)
    assert [(entry.id, entry.name, entry.status) for entry in whole.entries] == [
        ("INT-001", "Build Weather API", "IN_PROGRESS"),
        ("INT-002", "Write the guide", "PENDING"),
        ("INT-003", "First prototype", "DONE"),
    ]
    assert [entry.id_span for entry in whole.entries] == [entry.id_span for entry in outline(INTENTS).entries]
    assert [entry.whole.start_line for entry in whole.entries] == [1, 5, 9]


def test_symbols_of_the_workspace_are_found_by_words_or_letters(desk: Desk) -> None:
    """In ids and names, whatever the case."""

    def names(query: str) -> list[str]:
        return [found.symbol.name for found in workspace_symbols(desk.engine, query)]

    assert names("") == ["INT-001", "INT-002", "INT-003"]
    assert names("guide") == ["INT-002"]
    assert names("WEATHER build") == ["INT-001"]
    assert names("prtype") == ["INT-003"]
    assert names("zzz") == []


def test_everything_of_several_lines_folds() -> None:
    """The list, each intent, each list in block style, each block text."""
    text = INTENTS.replace("    status: DONE\n", "    status: DONE\n    description: |\n      a\n      b\n")
    assert folds(text) == [(0, 15), (1, 4), (5, 8), (7, 8), (9, 15), (12, 14)]


def test_lenses_select_and_count(desk: Desk) -> None:
    """Select is for open intents; the one that is selected says so; closed ones only count."""
    desk.write("src/new.py", session="me")
    shown = [(lens.span.start_line, lens.title, lens.selects) for lens in lenses(desk.workspace, INTENTS, "me")]
    assert shown == [
        (1, "Selected", None),
        (1, "1 change", None),
        (1, "4 files", None),
        (5, "Select", "INT-002"),
        (5, "0 changes", None),
        (5, "2 files", None),
        (9, "0 changes", None),
        (9, "0 files", None),
    ]
    (desk.root / ".intentignore").write_text("intent: INT-002\n")
    assert all(lens.selects is None for lens in lenses(desk.workspace, INTENTS, "me"))


def test_lenses_never_compare_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too much would have to be compared, the number of files is left out, and only that."""
    desk = desk_in(tmp_path / "w")
    monkeypatch.setattr(lenses_module, "_COMPARISONS", 3)
    titles = [lens.title for lens in lenses(desk.workspace, INTENTS, "me")]
    assert titles.count("Select") == 2
    assert not any("file" in title for title in titles)
