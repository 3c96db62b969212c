"""What a text from outside proposes for an intent: name, description, criteria, paths; never more than text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.intents import proposal
from intentls.core.intents.proposal import clean, name_of_branch, one_line, read_proposal, scope_of

FILES = ("src/api/a.py", "src/api/b.py", "docs/guide.md", "README.md", ".git/config", "a b/c.py")


def test_a_heading_names_the_intent_and_check_boxes_are_its_criteria() -> None:
    """The label of the kind of text is no part of the name, numbers of tasks none of the criteria."""
    text = "intro\n\n# Tasks: Weather alerts #\n\n\n\nWhy.  \n"
    text += "- [ ] T001 [P] [US1] Write a\n* [x] 1.2 Test it\n1. [X] Tell\n"
    found = read_proposal(text)
    assert found.name == "Weather alerts"
    assert found.criteria == ("Write a", "Test it", "Tell")
    assert found.description == "intro\n\nWhy."


def test_without_a_heading_the_first_line_is_the_name() -> None:
    """As a commit message or a mail has it."""
    assert read_proposal("\n  Fix the login \nIt fails.").name == "Fix the login"
    assert read_proposal(" \n\t\n").name == ""


@pytest.mark.parametrize(("text", "name"), [("---\nid: X\n---\n# A\n", "A"), ("---\nid: X\n", "---")])
def test_another_tools_front_matter_is_left_out(text: str, name: str) -> None:
    """One that does not end is no front matter."""
    assert read_proposal(text).name == name


def test_long_texts_are_cut_and_repeated_criteria_are_one() -> None:
    """An intent stays readable, however long its source."""
    boxes = "- [ ] same\n" * 3 + "".join(f"- [ ] number {n} of all\n" for n in range(80)) + "- [ ] T001 [P] \n"
    found = read_proposal(f"# {'n' * 500}\n{'d' * 9000}\n{boxes}")
    assert len(found.name) == 100 and found.name.endswith("…")
    assert len(found.description) == 4000 and found.description.endswith("…")
    assert len(found.criteria) == 50 and found.criteria[:2] == ("same", "number 0 of all")


def test_what_a_person_would_not_see_is_left_out() -> None:
    """Control characters, marks that turn the direction of text, half surrogates."""
    assert clean("a\x1b[2Jb\u202ec\r\nd\re\tf\ud800\u2028") == "a[2Jbc\nd\ne    f"
    assert one_line(" a\n\n b ") == "a b"


@given(st.text())
def test_any_text_gives_printable_lines(text: str) -> None:
    """Nothing in a name or a criterion is a control character or a line end."""
    found = read_proposal(text)
    assert all(part.isprintable() for part in (found.name, *found.criteria))


def test_paths_are_found_in_sentences_and_parts_of_urls_are_not() -> None:
    """A sentence's full stop is no part of a path; absolute paths and those at home are none of the workspace's."""
    text = (
        "# T\nSee `src/api/a.py`, docs/ and README.md. Not https://x.y/src/api/b.py, /etc/passwd, ~/z.py, word, 1.2\n"
    )
    assert read_proposal(text).paths[:3] == ("src/api/a.py", "docs/", "README.md")
    assert not {"src/api/b.py", "etc/passwd", "z.py", "word"} & set(read_proposal(text).paths)


def test_a_scope_is_proposed_for_files_folders_and_new_files_in_folders_that_there_are() -> None:
    """What is protected, outside or unknown is not; a file in a folder that is there already adds nothing."""
    named = [
        "src/api/a.py",
        "src/api/new.py",
        "docs/",
        "docs/guide.md",
        "README.md",
        "1.2",
        "lib/x.py",
        "src/api/plain",
    ]
    hostile = [
        ".git/config",
        ".orchestration/policy.yaml",
        ".claude/settings.json",
        "src/../x.py",
        "./README.md",
        "**",
        "/",
    ]
    expected = (("src/api/a.py", False), ("src/api/new.py", False), ("docs", True), ("README.md", False))
    assert scope_of([*named, *hostile], FILES) == expected
    assert scope_of(["src/**", "src/api/a.py"], FILES) == (("src", True),)


def test_a_scope_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that names a thousand files proposes the first of them."""
    monkeypatch.setattr(proposal, "_MAX_PATHS", 2)
    assert len(scope_of(["src/api/a.py", "src/api/b.py", "README.md"], FILES)) == 2


@pytest.mark.parametrize(
    ("branch", "name"),
    [("feature/PROJ-12-weather_alerts", "PROJ 12 weather alerts"), ("main", "main"), ("a/b/c\x1b", "c"), ("", "")],
)
def test_a_branch_names_its_intent(branch: str, name: str) -> None:
    """Its last part, in words."""
    assert name_of_branch(branch) == name
