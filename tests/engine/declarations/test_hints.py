"""Hints in active_intents.yaml: scopes that overlap, globs that match nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.diagnostic import Diagnostic, Severity
from intentls.core.intents.scope import Scope
from intentls.core.patterns.glob import Glob
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.declarations import hints as hints_module
from intentls.engine.declarations.glob_matches import ComparisonBudget, files_of_glob, files_of_scope
from intentls.engine.editor.diagnostics import review
from intentls.store.git.file_list import Files
from tests.engine.declarations.conftest import Desk, desk_in
from tests.support.workspaces import intents_yaml, write_files

FILES = {"src/a.py": "", "src/b.py": "", "docs/a.md": ""}


def findings(desk: Desk, text: str) -> list[Diagnostic]:
    return list(review(desk.workspace, INTENTS_FILE, text, "me"))


def codes(desk: Desk, text: str) -> list[tuple[str, int]]:
    return sorted((finding.code, finding.span.start_line) for finding in findings(desk, text))


@pytest.fixture
def small(tmp_path: Path) -> Desk:
    return desk_in(tmp_path / "w", files=FILES)


def test_open_intents_with_a_file_in_common_are_told_of_each_other(small: Desk) -> None:
    """Once at each; the hint names the other intent and a file, and points at the other's scope."""
    text = intents_yaml({"A": ["src/**"], "B": ["src/a*", "docs/**"], "C": ["docs/a.md"]})
    found = [finding for finding in findings(small, text) if finding.code == "overlap"]
    assert [finding.severity for finding in found] == [Severity.HINT] * 3
    first = next(finding for finding in found if finding.data["intent_id"] == "A")
    assert first.message == "A shares files with B: src/a.py is in the scope of both A and B."
    assert (first.span.start_line, first.related[0].span.start_line) == (4, 8)


def test_scopes_that_could_overlap_but_do_not_are_left_alone(small: Desk) -> None:
    """A file that really is in both decides, not the patterns; closed intents and exclusions don't count."""
    assert codes(small, intents_yaml({"A": ["src/a*"], "B": ["src/**", "!src/a*"]})) == []
    assert codes(small, intents_yaml({"A": ["src/**"], "B": ["src/**"]}, status="DONE")) == []


def test_a_glob_that_matches_nothing_is_marked_at_its_place(small: Desk) -> None:
    """The glob itself; an exclusion may wait for files to come; a new file takes the mark away."""
    text = intents_yaml({"A": ["src/**", "lib/**", "!gone/**"]})
    (found,) = findings(small, text)
    assert (found.code, found.severity, found.data["glob"]) == ("no-match", Severity.HINT, "lib/**")
    line = text.split("\n")[found.span.start_line]
    assert line[found.span.start_column : found.span.end_column] == "'lib/**'"
    write_files(small.root, {"lib/new.py": "", ".orchestration/agent_trace.jsonl": "{}\n"})
    assert findings(small, text) == []


def test_nothing_is_compared_again_while_other_text_is_typed(small: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keystroke in a description costs no look at the files, and the hints stay at the right lines."""
    text = intents_yaml({"A": ["lib/**"]})
    assert codes(small, text) == [("no-match", 4)]
    monkeypatch.setattr(hints_module, "_search", None)
    for number in range(1, 5):
        assert codes(small, "# typed\n" * number + text) == [("no-match", 4 + number)]


def test_a_search_ends_with_its_budget() -> None:
    """Also in the middle of a long list of files."""
    files, budget = Files(tuple(f"f{number:04d}" for number in range(1000))), ComparisonBudget(100)
    assert len(list(files_of_scope(files, Scope.parse(["**"]), budget))) < 100
    assert budget.is_spent
    assert list(files_of_glob(files, Glob("**"), budget)) == []


def test_the_work_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the comparisons run out, what was not reached gets no hint; nothing is claimed without a look."""
    desk = desk_in(tmp_path / "w", files={f"src/{number}.py": "" for number in range(50)})
    monkeypatch.setattr(hints_module, "_COMPARISONS", 200)
    assert codes(desk, intents_yaml({f"I{number}": ["**/x.none"] for number in range(40)})) == [("no-match", 4)]
