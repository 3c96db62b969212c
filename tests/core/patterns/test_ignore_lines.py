"""Lines of ignore files in directories, as lines at the top."""

from __future__ import annotations

import pytest

from intentls.core.patterns.gitignore import GitIgnore
from intentls.core.patterns.ignore_lines import lines_at_top


@pytest.mark.parametrize(
    ("line", "at_top"),
    [
        ("*.log", "/docs/**/*.log"),
        ("/gen/", "/docs/gen/"),
        ("gen/", "/docs/**/gen/"),
        ("gen/  ", "/docs/**/gen/  "),
        ("!a/b", "!/docs/a/b"),
        ("!x", "!/docs/**/x"),
        ("\\!x", "/docs/**/\\!x"),
        ("\\#x", "/docs/**/\\#x"),
        ("**/x", "/docs/**/x"),
    ],
)
def test_a_line_of_a_directory_matches_below_it_alone(line: str, at_top: str) -> None:
    assert lines_at_top("docs", f"{line}\n") == [at_top]
    assert lines_at_top("", f"{line}\r\n") == [line]


def test_comments_and_empty_lines_are_left_out() -> None:
    assert lines_at_top("", "\ufeffa\n# b\n\nc") == ["a", "c"]


@pytest.mark.parametrize("line", ["/", "!", "!/", " ", "//"])
def test_a_line_without_a_name_matches_nothing(line: str) -> None:
    rules = GitIgnore(lines_at_top("docs", line))
    assert not any(rules.ignores(path) for path in ("docs/", "docs/a", "a", " "))


def test_a_directory_is_taken_by_its_letters() -> None:
    rules = GitIgnore(lines_at_top("a*[b]\\", "x"))
    assert rules.ignores("a*[b]\\/x") and rules.ignores("a*[b]\\/deep/x")
    assert not rules.ignores("ab/x") and not rules.ignores("x")
