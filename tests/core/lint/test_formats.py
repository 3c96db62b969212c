"""Linters' machine-readable output, in the shapes that real linters wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.diagnostic import Severity
from intentls.core.errors import InvalidInput
from intentls.core.lint.formats import FORMATS, from_json, from_sarif, parse_output, uri_path
from intentls.core.lint.problems import LinterProblem

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["message", "messages", "line", "code", "location", "runs", "results"]), inner
        )
    ),
    max_leaves=12,
)


def sarif(*results: dict[str, Any], **run: Any) -> dict[str, Any]:
    """A SARIF log with one run."""
    driver = {"name": "Ruff", "rules": run.pop("rules", [])}
    return {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": list(results), **run}]}


def at(uri: str | None, line: int, **artifact: str) -> list[dict[str, Any]]:
    """The `locations` of a result."""
    location = {**artifact} if uri is None else {"uri": uri, **artifact}
    return [{"physicalLocation": {"artifactLocation": location, "region": {"startLine": line, "startColumn": 8}}}]


UNUSED = {
    "ruleId": "F401",
    "level": "error",
    "message": {"text": "`os` imported but unused"},
    "locations": at("file:///w/src/a.py", 1),
}


# --- SARIF ------------------------------------------------------------------------------------------------


def test_a_sarif_result_is_a_problem() -> None:
    """Its tool is the driver's name."""
    problem = LinterProblem("`os` imported but unused", "F401", "ruff", 1, 8, Severity.ERROR)
    log = sarif(UNUSED)
    assert from_sarif(log) == from_sarif(json.dumps(log)) == from_sarif(json.dumps(log).encode()) == (problem,)


def test_results_about_other_files_are_left_out() -> None:
    """A result without a place, or without a file's name, belongs to the file that was linted."""
    nowhere: dict[str, Any] = {"message": {"text": "no config"}}
    unnamed = {"message": {"text": "somewhere"}, "locations": at(None, 3)}
    log = sarif(UNUSED, nowhere, unnamed, {"message": {"text": "both"}, "locations": at("b.py", 1) + at("c.py", 9)})
    assert [p.message for p in from_sarif(log, about="c.py".__eq__)] == ["no config", "somewhere", "both"]
    assert from_sarif(log, about="c.py".__eq__)[-1].line == 9
    assert from_sarif(log, about="/w/src/a.py".__eq__)[0].rule == "F401"


def test_a_base_id_is_put_before_the_uri() -> None:
    """`%SRCROOT%` and its like, where the log says what they are."""
    result = {"message": {"text": "m"}, "locations": at("a%20b.py", 1, uriBaseId="SRC")}
    log = sarif(result, originalUriBaseIds={"SRC": {"uri": "file:///w/"}})
    assert from_sarif(log, about="/w/a b.py".__eq__) != ()
    assert from_sarif(sarif(result), about="a b.py".__eq__) != ()


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a%20b.py", "/w/a b.py"),
        ("file:///C:/w/a.py", "C:/w/a.py"),
        ("FILE:/w/a.py", "/w/a.py"),
        ("file://localhost/w/a.py", "/w/a.py"),
        ("src/a.py", "src/a.py"),
        ("file://[", ""),
    ],
)
def test_a_uri_means_a_path(uri: str, path: str) -> None:
    """Percent signs decoded, whoever the host is, drive letters without a slash before them."""
    assert uri_path(uri) == path


@pytest.mark.parametrize(
    "extra",
    [
        {"suppressions": [{"kind": "inSource"}]},
        {"suppressions": [{"kind": "external", "status": "accepted"}]},
        {"kind": "pass"},
        {"baselineState": "absent"},
    ],
)
def test_settled_results_do_not_count(extra: dict[str, Any]) -> None:
    """Suppressed, passed, gone."""
    assert from_sarif(sarif({**UNUSED, **extra})) == ()


def test_a_rejected_suppression_suppresses_nothing() -> None:
    """Neither does an empty list of them."""
    assert from_sarif(sarif({**UNUSED, "suppressions": [{"status": "rejected"}]})) != ()
    assert from_sarif(sarif({**UNUSED, "suppressions": []})) != ()


def test_rule_level_and_message_may_come_from_the_rule() -> None:
    """A result can refer to a rule by its place in the list and fill in the rule's own words."""
    rule = {
        "id": "CA1",
        "defaultConfiguration": {"level": "warning"},
        "messageStrings": {"default": {"text": "{0} is not {1}, {2}"}},
    }
    for reference in ({"ruleIndex": 0}, {"rule": {"index": 0}}):
        log = sarif({**reference, "message": {"id": "default", "arguments": ["x", 1]}}, rules=[rule])
        assert from_sarif(log) == (LinterProblem("x is not 1, {2}", "CA1", "ruff", severity=Severity.WARNING),)


def test_a_log_without_a_tool_is_named_by_the_caller() -> None:
    """And what is missing or of the wrong kind is passed over."""
    log = {"runs": [{"results": [{"message": {"text": "m"}, "ruleIndex": 7, "level": 3, "locations": 4}]}, None]}
    assert from_sarif(log, source="Mine") == (LinterProblem("m", None, "mine"),)


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ({}, "no list of runs"),
        ([], "no list of runs"),
        (sarif() | {"runs": [{"results": ["x"]}]}, "must be an object"),
        (sarif({"message": {}}), "no message text"),
        (sarif({"message": {"text": " "}}), "no message text"),
    ],
)
def test_what_is_no_sarif_is_refused(document: object, text: str) -> None:
    """In one sentence that says what is wrong."""
    with pytest.raises(InvalidInput, match=text):
        from_sarif(document)


# --- JSON -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        pytest.param(
            [
                {
                    "code": "F401",
                    "filename": "/w/a.py",
                    "location": {"column": 8, "row": 1},
                    "message": "`os` unused",
                    "severity": "error",
                    "name": "unused-import",
                }
            ],
            LinterProblem("`os` unused", "F401", "t", 1, 8, Severity.ERROR),
            id="ruff",
        ),
        pytest.param(
            [
                {"filePath": "/w/b.js", "messages": [{"message": "other"}]},
                {
                    "filePath": "/w/a.py",
                    "messages": [
                        {
                            "ruleId": "semi",
                            "severity": 1,
                            "message": "m",
                            "line": 1,
                            "column": 12,
                            "messageId": "x",
                        }
                    ],
                    "errorCount": 1,
                },
            ],
            LinterProblem("m", "semi", "t", 1, 12, Severity.WARNING),
            id="eslint",
        ),
        pytest.param(
            [
                {
                    "filePath": "/w/a.py",
                    "messages": [{"ruleId": None, "severity": 2, "fatal": True, "message": "Parsing"}],
                }
            ],
            LinterProblem("Parsing", None, "t", severity=Severity.ERROR),
            id="eslint, fatal",
        ),
        pytest.param(
            [
                {
                    "type": "convention",
                    "line": 2,
                    "column": 0,
                    "path": "/w/a.py",
                    "symbol": "s",
                    "message": "m",
                    "message-id": "C1",
                }
            ],
            LinterProblem("m", "C1", "t", 2, severity=Severity.INFORMATION),
            id="pylint",
        ),
        pytest.param(
            {
                "messages": [
                    {
                        "type": "fatal",
                        "line": 2,
                        "absolutePath": "/w/a.py",
                        "path": "a.py",
                        "messageId": "C1",
                        "message": "m",
                    }
                ]
            },
            LinterProblem("m", "C1", "t", 2, severity=Severity.ERROR),
            id="pylint, json2",
        ),
        pytest.param(
            {
                "generalDiagnostics": [
                    {
                        "file": "/w/a.py",
                        "severity": "error",
                        "message": "m",
                        "range": {"start": {"line": 0, "character": 4}},
                        "rule": "reportX",
                    }
                ]
            },
            LinterProblem("m", "reportX", "t", 1, 5, Severity.ERROR),
            id="pyright",
        ),
        pytest.param(
            {"Issues": [{"FromLinter": "vet", "Text": "m", "Pos": {"Filename": "/w/a.py", "Line": 3, "Column": 2}}]},
            LinterProblem("m", "vet", "t", 3, 2),
            id="golangci-lint",
        ),
        pytest.param({"message": "m", "row": 4, "code": 7}, LinterProblem("m", "7", "t", 4), id="generic"),
        pytest.param([{"message": ""}], LinterProblem("(no message)", None, "t"), id="an empty message"),
    ],
)
def test_the_json_of_real_linters_is_read(document: object, problem: LinterProblem) -> None:
    """Each has its own names for the same things; other files' problems are left out."""
    assert from_json(document, source="T", about="/w/a.py".__eq__) == (problem,)


def test_an_empty_report_has_no_problems() -> None:
    """In whichever shape."""
    assert from_json([]) == from_json({"messages": []}) == from_json([{"filePath": "a", "messages": []}]) == ()


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("x", "must be a list"),
        (None, "must be a list"),
        ([3], "must be an object with a message, not 3"),
        ([{"line": 3, "rule": "x"}], r"has no message \(its keys: line, rule\)"),
        ({}, r"has no message \(its keys: none\)"),
    ],
)
def test_what_is_no_list_of_problems_is_refused(document: object, text: str) -> None:
    """In one sentence that says what is wrong."""
    with pytest.raises(InvalidInput, match=text):
        from_json(document)


def test_json_nested_without_end_is_refused() -> None:
    """It must not bring the reader down."""
    nested: Any = []
    for _ in range(5_000):
        nested = [nested]
    with pytest.raises(InvalidInput, match="too deeply"):
        from_json(nested)


# --- by name ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_no_output_means_no_problems(form: str) -> None:
    """Many linters say nothing when there is nothing to say."""
    assert parse_output(" \n", form) == ()


def test_each_format_has_its_reader() -> None:
    """The same problem, three ways, and one JSON object a line as mypy writes it."""
    line = {"file": "a.py", "line": 3, "column": 0, "message": "m", "code": "E1"}
    problem = LinterProblem("m", "E1", "tool", 3)
    result = {"ruleId": "E1", "message": {"text": "m"}, "locations": at("a.py", 3)}
    result["locations"][0]["physicalLocation"]["region"].pop("startColumn")
    outputs = {
        "sarif": json.dumps({"runs": [{"results": [result]}]}),
        "json": json.dumps([line]),
        "text": "a.py:3: E1 m",
    }
    for form, text in outputs.items():
        assert parse_output(text, form, source="tool", about="a.py".__eq__) == (problem,)
    lines = json.dumps(line) + "\n\n" + json.dumps(line | {"file": "b.py"}) + "\n"
    assert parse_output(lines, "json", source="tool", about="a.py".__eq__) == (problem,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Oops", "the linter's output is not JSON"),
        ("Oops\nagain", "the linter's output is not JSON"),
        ('{"message": "m"}\nOops', "line 2 of the linter's output is not JSON"),
    ],
)
def test_output_that_is_no_json_is_refused(text: str, message: str) -> None:
    """And the line is named where there are lines."""
    with pytest.raises(InvalidInput, match=message):
        parse_output(text, "json")


@given(JSON)
def test_any_json_is_read_or_refused(document: object) -> None:
    """No document that a broken linter writes raises anything but InvalidInput."""
    for read in (from_json, from_sarif):
        try:
            problems = read(document, source="t", about=lambda name: len(name) < 2)
        except InvalidInput:
            continue
        assert all(problem.message for problem in problems)
