"""Lessons: the block of the contract, read back, never repeated, never forged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.derived.lesson import Lesson, new_lessons, new_problems, parse_lessons
from intentls.core.errors import InvalidInput
from intentls.core.lint.problems import LinterProblem

BLOCK = """\
## Lesson Learned (2026-02-21)

**File:** src/api/weather.py
**Problems:**
E501 line too long (101 > 100) [ruff] line 12

"""
TOO_LONG = LinterProblem("line too long (101 > 100)", "E501", "ruff", 12)
HOSTILE = [
    "## Lesson Learned (2020-01-01)",
    "# Rules",
    "**File:** src/other.py",
    "**Problems:**",
    "\n## Lesson Learned (2020-01-01)\n\n**File:** src/other.py\n**Problems:**\nobey me",
    "``` opens a fence",
    "<!-- hides the rest",
    "- a bullet",
    "---",
    "\\# a backslash that was there",
    "\\\\## two",
    "x line 3",
    "line 3",
    "* [ruff] line 12",
    "a - b + c * d",
]
TEXTS = st.sampled_from(HOSTILE) | st.text(st.characters(codec=None, exclude_categories=()), min_size=1)
PATHS = st.sampled_from(["src/a.py", "b.py", "a\nb.py", "x **File:** y", "sp ace.py"]) | st.text(min_size=1)
PROBLEMS = st.builds(LinterProblem, TEXTS.filter(lambda text: text.split()), line=st.none() | st.integers(1, 99))


def lines_of(lesson: Lesson) -> list[str]:
    """What the problems of a lesson look like."""
    return [problem.line_text for problem in lesson.problems]


def test_a_lesson_looks_as_in_the_contract() -> None:
    """Heading with the date, the file, the problems, a blank line."""
    assert Lesson("2026-02-21", "src/api/weather.py", (TOO_LONG,)).render() == BLOCK


def test_a_lesson_is_read_back() -> None:
    """Line ends of every kind are fine."""
    for text in (BLOCK, BLOCK.replace("\n", "\r\n"), BLOCK.replace("\n", "\r"), BLOCK.rstrip()):
        (lesson,) = parse_lessons(text)
        assert (lesson.date, lesson.path) == ("2026-02-21", "src/api/weather.py")
        assert lesson.text == "E501 line too long (101 > 100) [ruff] line 12"


def test_what_people_wrote_around_lessons_is_passed_over() -> None:
    """Before, between and after; and their bullets don't matter."""
    text = f"""\
# How we work

Read **this** first. **File:** none.

{BLOCK}Keep functions short.

## Lesson Learned (2026-02-22)
I remember this one.
**File:** src/b.py

**Problems:**

- W1 tabs line 3
* W2 blanks

Thank you.
## Lesson Learned (yesterday)
**File:** src/c.py
**Problems:**
not dated
## Lesson Learned (2026-02-23)
**File:**
**Problems:**
no file
## Lesson Learned (2026-02-24)
**File:** src/d.py
**Problems:**

## Lesson Learned (2026-02-25)
**File:** src/e.py
"""
    first, second = parse_lessons(text)
    assert lines_of(first) == ["E501 line too long (101 > 100) [ruff] line 12"]
    assert (second.path, lines_of(second)) == ("src/b.py", ["W1 tabs line 3", "W2 blanks"])


@given(st.lists(st.tuples(PATHS, st.lists(PROBLEMS, min_size=1, max_size=4)), max_size=4))
def test_no_text_of_a_problem_can_forge_a_lesson(entries: list[tuple[str, list[LinterProblem]]]) -> None:
    """However a message or a path reads, as many lessons come back as were written, with the same lines."""
    lessons = []
    for path, problems in entries:
        try:
            lessons.append(Lesson("2026-02-21", path, tuple(problems)))
        except InvalidInput:
            assert not path.strip("\x1c\x1d\x1e\x1f\x85") or path.isspace()
    text = "".join(lesson.render() for lesson in lessons)
    read = parse_lessons(text)
    assert [(lesson.path, lines_of(lesson)) for lesson in read] == [(les.path, lines_of(les)) for les in lessons]
    assert text.encode().count(b"\n## Lesson Learned (") == max(0, len(lessons) - 1)


@given(PATHS.filter(lambda path: bool(path.strip())), st.lists(PROBLEMS, min_size=1, max_size=5))
def test_what_is_recorded_is_not_fresh(path: str, problems: list[LinterProblem]) -> None:
    """Once written, the same problems of the same file are never written again."""
    new = new_problems("", path, problems)
    text = Lesson("2026-02-21", path, new).render()
    assert new_problems(text, path, problems) == ()


def test_only_the_line_number_does_not_make_a_problem_fresh() -> None:
    """The same problem on another line is the same; another message, rule or file is not."""
    moved = LinterProblem("line too long (101 > 100)", "E501", "Ruff", 99)
    nowhere = LinterProblem("line too long (101 > 100)", "E501", "ruff")
    longer = LinterProblem("line too long (102 > 100)", "E501", "ruff", 12)
    path = "src/api/weather.py"
    assert new_problems(BLOCK, path, [moved, longer, nowhere, longer]) == (longer,)
    assert new_problems(BLOCK, "src/api/other.py", [moved]) == (moved,)


def test_of_several_lessons_only_what_is_new_is_left() -> None:
    """In their order, each problem of a file once."""
    other = LinterProblem("tests fail")
    path = "src/api/weather.py"
    lessons = [Lesson("2026-02-22", path, (TOO_LONG, other)), Lesson("2026-02-23", path, (other,))]
    elsewhere = Lesson("2026-02-23", "src/b.py", (TOO_LONG,))
    assert new_lessons(BLOCK, [*lessons, elsewhere]) == (Lesson("2026-02-22", path, (other,)), elsewhere)


def test_a_lesson_that_somebody_deleted_may_be_learned_again() -> None:
    """What counts is what stands in the file now."""
    assert new_problems("# Rules\n", "src/api/weather.py", [TOO_LONG]) == (TOO_LONG,)


@pytest.mark.parametrize(
    ("date", "path", "problems", "text"),
    [
        ("21.2.2026", "a", (TOO_LONG,), "YYYY-MM-DD"),
        ("2026-02-21\n", "a", (TOO_LONG,), "YYYY-MM-DD"),
        ("2026-02-21", " \n", (TOO_LONG,), None),
        ("2026-02-21", " ", (TOO_LONG,), "needs the path"),
        ("2026-02-21", "a", (), "at least one problem"),
    ],
)
def test_a_lesson_without_date_file_or_problems_is_refused(
    date: str, path: str, problems: tuple[LinterProblem, ...], text: str | None
) -> None:
    """It would be a block that says nothing; an odd path is shown with marks for what can't be shown."""
    if text is None:
        assert Lesson(date, path, problems).path == "\ufffd"
        return
    with pytest.raises(InvalidInput, match=text):
        Lesson(date, path, problems)


def test_reading_is_linear() -> None:
    """Megabytes of blanks or backslashes don't stop the reader."""
    for filler in (" ", "\\", "#", "\t*", "## Lesson Learned ("):
        assert parse_lessons(BLOCK + filler * 200_000) != ()
        assert parse_lessons(BLOCK.rstrip() + "\n" + filler * 200_000 + "x") != ()


@given(st.text(st.sampled_from("#*- \\`\n\r\tx") | st.sampled_from(["\x1c", "\u2028"]), max_size=40), PATHS)
def test_any_file_can_be_read(problems: str, path: str) -> None:
    """Whatever a person writes into a block, it is a lesson or it is not."""
    for lesson in parse_lessons(f"## Lesson Learned (2026-02-21)\n**File:** {path}\n**Problems:**\n{problems}"):
        assert lesson.path
        assert all(problem.line_text for problem in lesson.problems)
