"""Problems: what tools say, read into one form, and which of them a change introduced."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.diagnostic import Severity
from intentls.core.errors import InvalidInput
from intentls.core.lint.problems import (
    LinterProblem,
    from_diagnostics,
    from_linter_text,
    from_text,
    introduced,
    names_places,
)

MESSAGES = st.sampled_from(["unused import", "line too long (101 > 100)", "undefined name 'x'"])
PROBLEMS = st.builds(
    LinterProblem,
    message=MESSAGES,
    rule=st.sampled_from([None, "F401", "E501"]),
    source=st.sampled_from([None, "ruff", "eslint"]),
    line=st.none() | st.integers(1, 4),
)
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


def test_a_problem_reads_as_in_the_contract() -> None:
    """Rule, message, tool in brackets, line: in this order, on one line."""
    problem = LinterProblem("line too long (101 > 100)", "E501", "ruff", line=12, column=101)
    assert problem.line_text == "E501 line too long (101 > 100) [ruff] line 12"
    assert problem.standing == "E501 line too long (101 > 100) [ruff]"


def test_what_is_not_known_is_not_shown() -> None:
    """A bare message stays a bare message."""
    assert LinterProblem("tests fail").line_text == "tests fail"


def test_the_message_is_brought_onto_one_line() -> None:
    """Line ends of every kind, tabs and runs of blanks become one blank; what can't be printed is marked."""
    problem = LinterProblem(" a\r\nb\u2028c\x0cd\t\te \x1b[31m\ud800 ", "E1\n", "Ru\nff")
    assert problem.message == "a b c d e \ufffd[31m\ufffd"
    assert (problem.rule, problem.source) == ("E1", "ru ff")


def test_an_editor_and_a_linter_name_the_same_tool() -> None:
    """`Ruff` in VS Code is `ruff` on the command line: their problems are the same."""
    assert LinterProblem("m", "E1", "Ruff").key == LinterProblem("m", "E1", "ruff").key


def test_the_key_leaves_out_the_place() -> None:
    """The line, the column and the severity don't make another problem; rule, tool and message do."""
    problem = LinterProblem("m", "E1", "ruff", 1, 1, Severity.ERROR)
    assert problem.key == LinterProblem("m", "E1", "ruff", 9, 9, Severity.HINT).key
    others = [
        LinterProblem("n", "E1", "ruff"),
        LinterProblem("m", "E2", "ruff"),
        LinterProblem("m", "E1", "flake8"),
        LinterProblem("m"),
    ]
    assert problem.key not in [other.key for other in others]


@pytest.mark.parametrize("message", ["", " \n\t"])
def test_a_problem_without_a_message_is_refused(message: str) -> None:
    """There is nothing to learn from it."""
    with pytest.raises(InvalidInput, match="needs a message"):
        LinterProblem(message)


@given(ANY_TEXT, st.none() | ANY_TEXT, st.none() | ANY_TEXT, st.none() | st.integers(1, 10**8))
def test_any_problem_survives_its_own_line(
    message: str, rule: str | None, source: str | None, line: int | None
) -> None:
    """Whatever a tool writes, its line is one line that can be encoded; read back, it gives the same line."""
    try:
        problem = LinterProblem(message, rule, source, line)
    except InvalidInput:
        return
    again = LinterProblem.from_line_text(problem.line_text)
    assert again.line_text == problem.line_text
    assert again.standing == problem.standing
    assert len(problem.line_text.encode().splitlines()) == 1


def test_a_line_that_is_only_a_line_number_is_a_message() -> None:
    """`line 3` alone names no problem apart from itself."""
    assert LinterProblem.from_line_text(" line 3") == LinterProblem("line 3")


# --- introduced -------------------------------------------------------------------------------------------


def test_a_problem_that_merely_moved_is_not_new() -> None:
    """Ten lines inserted above it don't make it anybody's fault."""
    assert (
        introduced([LinterProblem("unused import", "F401", line=1)], [LinterProblem("unused import", "F401", line=11)])
        == ()
    )


def test_a_second_one_of_the_same_kind_is_new() -> None:
    """And it is the one on the new line, not the one that stood there before."""
    before = [LinterProblem("unused import", line=40)]
    after = [LinterProblem("unused import", line=3), LinterProblem("unused import", line=40)]
    assert introduced(before, after) == (LinterProblem("unused import", line=3),)


def test_of_two_that_are_now_three_the_one_left_over_is_new() -> None:
    """One stands where it stood, one moved, so one is new."""
    before = [LinterProblem("m", line=1), LinterProblem("m", line=2)]
    after = [LinterProblem("m", line=1), LinterProblem("m", line=5), LinterProblem("m", line=6)]
    assert introduced(before, after) == (LinterProblem("m", line=6),)


@given(st.lists(PROBLEMS), st.lists(PROBLEMS))
def test_introduced_is_a_multiset_difference(before: list[LinterProblem], after: list[LinterProblem]) -> None:
    """By key, and a selection of `after` in its order."""
    new = introduced(before, after)
    expected = Counter(p.key for p in after) - Counter(p.key for p in before)
    assert Counter(p.key for p in new) == expected
    rest = iter(after)
    assert all(any(problem is candidate for candidate in rest) for problem in new)


@given(st.lists(PROBLEMS), st.lists(PROBLEMS))
def test_nothing_is_introduced_by_standing_still_or_by_mending(
    problems: list[LinterProblem], more: list[LinterProblem]
) -> None:
    """The same problems, or fewer of them, are nobody's fault; with nothing before, all are."""
    assert introduced(problems, problems) == ()
    assert introduced([*problems, *more], problems) == ()
    assert introduced([], problems) == tuple(problems)


# --- text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("src/a.py:1:8: F401 [*] `os` unused", LinterProblem("`os` unused", "F401", None, 1, 8)),
        (
            "src/a.py:2:101: E501 line too long (117 > 100)",
            LinterProblem("line too long (117 > 100)", "E501", None, 2, 101),
        ),
        ("a.py:3:0: E0611: No name 'z' in module", LinterProblem("No name 'z' in module", "E0611", None, 3)),
        (
            "a.py:3: error: Bad type  [arg-type]",
            LinterProblem("Bad type", "arg-type", None, 3, severity=Severity.ERROR),
        ),
        (
            "src/a.ts(3,7): error TS2304: Cannot find name 'q'.",
            LinterProblem("Cannot find name 'q'.", "TS2304", None, 3, 7, Severity.ERROR),
        ),
        ("a.ts(3): note: see there", LinterProblem("see there", None, None, 3, severity=Severity.INFORMATION)),
        (r"C:\src\a b.py:4:2: W1 tab", LinterProblem("tab", "W1", None, 4, 2)),
        (
            "/tmp/my dir/x.c:9:1: fatal error: no such file",
            LinterProblem("no such file", None, None, 9, 1, Severity.ERROR),
        ),
        ("Makefile:3: missing separator", LinterProblem("missing separator", None, None, 3)),
        ("a.py:0:0: odd", LinterProblem("odd")),
        ("E501 too long [ruff] line 12", LinterProblem("E501 too long [ruff]", line=12)),
        ("at 12:30: the build broke", LinterProblem("at 12:30: the build broke")),
        ("  the tests fail  ", LinterProblem("the tests fail")),
        ("a.py:5:", LinterProblem("a.py:5:")),
        ("error: nothing works", LinterProblem("error: nothing works")),
    ],
)
def test_a_line_of_text_is_taken_apart(line: str, problem: LinterProblem) -> None:
    """The forms that linters and compilers use; anything else is kept as it is."""
    assert from_text(line) == (problem,)


def test_each_line_that_is_not_blank_is_a_problem() -> None:
    """Whatever the line ends are."""
    assert [p.message for p in from_text("a\r\n\r\n  \nb\rc")] == ["a", "b", "c"]
    assert from_text(" \n") == ()


def test_headings_and_totals_of_a_linter_are_no_problems() -> None:
    """Where some lines name a place, the others are about them."""
    text = "*** Module b\nb.py:2:0: C0301: Line too long\n    x = 1\n    ^\nFound 1 error.\n"
    assert from_linter_text(text, source="pylint") == (LinterProblem("Line too long", "C0301", "pylint", 2),)
    assert names_places(text)


def test_a_linter_that_names_no_places_is_taken_at_its_word() -> None:
    """Each of its lines is a problem."""
    assert from_linter_text("too slow\ntoo big\n", about=lambda _: False) == (
        LinterProblem("too slow"),
        LinterProblem("too big"),
    )
    assert not names_places("too slow\ntoo big\n")


def test_lines_about_other_files_are_left_out() -> None:
    """A compiler that reports the whole project is heard for one file only."""
    text = "a.c:1: bad\nb.c:2: worse\n2 errors\n"
    assert from_linter_text(text, about="b.c".__eq__) == (LinterProblem("worse", line=2),)
    assert from_linter_text(text, about="c.c".__eq__) == ()


# --- LSP diagnostics --------------------------------------------------------------------------------------


def test_a_diagnostic_counts_from_one() -> None:
    """LSP's line 0 is line 1 to people."""
    diagnostic = {
        "range": {"start": {"line": 11, "character": 100}, "end": {"line": 11, "character": 101}},
        "message": "line too long (101 > 100)",
        "code": "E501",
        "source": "Ruff",
        "severity": 2,
    }
    problem = LinterProblem("line too long (101 > 100)", "E501", "ruff", 12, 101, Severity.WARNING)
    assert from_diagnostics([diagnostic]) == (problem,)
    assert from_diagnostics(json.loads(json.dumps([diagnostic]))) == (problem,)


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (2304, "2304"),
        ("E501", "E501"),
        ({"value": "E501", "target": "u"}, "E501"),
        (None, None),
        (True, None),
        ("", None),
    ],
)
def test_a_code_is_a_number_a_text_or_an_object(code: object, rule: str | None) -> None:
    """All three are in use."""
    (problem,) = from_diagnostics([{"message": "m", "code": code}])
    assert problem.rule == rule


def test_a_diagnostic_may_lack_all_but_its_message() -> None:
    """And what it has of the wrong kind is ignored."""
    odd = {"message": {"kind": "markdown", "value": "**bad**"}, "range": [], "severity": 9, "source": 5}
    assert from_diagnostics([odd]) == (LinterProblem("**bad**", source="5"),)
    assert from_diagnostics([{"message": "m", "range": {"start": {"line": "1", "character": -7}}}]) == (
        LinterProblem("m"),
    )
    assert from_diagnostics([]) == ()


@pytest.mark.parametrize(
    ("diagnostics", "text"),
    [
        ({}, "must be a list"),
        (["x"], "diagnostic 1 is not an object"),
        ([{"message": "m"}, {"code": 1}], "diagnostic 2 has no message"),
        ([{"message": " "}], "diagnostic 1 has no message"),
        ([{"message": {"value": 3}}], "diagnostic 1 has no message"),
    ],
)
def test_bad_diagnostics_are_refused_with_their_number(diagnostics: object, text: str) -> None:
    """The sender is told which one, and what it lacks."""
    with pytest.raises(InvalidInput, match=text):
        from_diagnostics(diagnostics)
