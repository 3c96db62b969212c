"""Rules that are checked: what breaks them, and that only what a change adds counts."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from intentls.core.constraints import rules
from intentls.core.constraints.check import Breach, ChangeSet, FileEdit, find_breaches
from intentls.core.constraints.import_lines import importing_lines
from intentls.core.constraints.rules import (
    SUFFIXES,
    AstGrep,
    ForbidImport,
    ForbidPattern,
    MaxChangedLines,
    RequiresChangeIn,
    is_in,
    parse_rule,
)
from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.gate import CONTENT, GATE, first_refusal
from intentls.core.gate.policy import DEFAULT, OnInvalid, Policy
from intentls.core.gate.refusal import ActionHint, Code, ErrorType
from intentls.core.intents.intent import Command, Intent
from intentls.core.intents.scope import Scope

NO_REQUESTS = ForbidImport("requests")


def edit(after: str | bytes | None, before: str | bytes | None = None, path: str = "src/a.py") -> FileEdit:
    def data(text: str | bytes | None) -> bytes | None:
        return text.encode() if isinstance(text, str) else text

    return FileEdit(path, data(before), data(after))


def judged(rule: Any, *files: FileEdit, whole: bool = False) -> list[tuple[str | None, int | None]]:
    return [(found.path, found.line) for found in find_breaches([rule], ChangeSet(files, whole))]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ({"forbid_import": "requests"}, "forbid_import: requests"),
        ({"forbid_pattern": "eval("}, "forbid_pattern: eval("),
        ({"max_changed_lines": 200}, "max_changed_lines: 200"),
        ({"requires_change_in": "tests/**"}, "requires_change_in: tests/**"),
        ({"ast_grep": {"language": "python", "pattern": "eval($A)"}}, "ast_grep: eval($A) (python)"),
    ],
)
def test_a_rule_reads_as_it_is_written(written: dict[str, Any], shown: str) -> None:
    """A client sees a rule as a text, and so does an agent in its context."""
    intent = Intent("A", constraints=("a text", parse_rule(written)))
    assert [str(rule) for rule in intent.rules] == [shown]


def test_a_command_reads_as_it_is_written() -> None:
    """A criterion that is run is shown with what is run."""
    assert str(Command("pytest tests/api")) == "run: pytest tests/api"


@pytest.mark.parametrize(
    "line",
    [
        "import requests",
        "import os, requests.auth as auth",
        "from requests import get",
        "from requests.auth import AuthBase",
        "    import requests",
        "import importlib; importlib.import_module('requests.api')",
        "__import__('requests')",
        "import \uff52equests",
    ],
)
def test_an_import_is_found_however_it_is_written(line: str) -> None:
    """Python's own parser says what is an import, dynamic ones of a plain name included."""
    source = f"def f():\n    pass\n{line}\n"
    assert judged(NO_REQUESTS, edit(source)) == [("src/a.py", 3)]


@pytest.mark.parametrize(
    "line",
    [
        "import requests_mock",
        "from . import requests",
        "from .requests import get",
        "text = 'import requests'",
        "# import requests",
        "import my.requests",
        "from my import requests",
        "load(requests)",
        "import_module(requests)",
        "import_module()  # requests",
        "f()('requests')",
    ],
)
def test_what_is_no_import_is_none(line: str) -> None:
    """Neither a similar name nor a relative import, a comment or a string."""
    assert judged(NO_REQUESTS, edit(f"{line}\n")) == []


def test_a_name_taken_from_its_package_is_an_import_of_it() -> None:
    """`from a import b` imports `a.b`, on whatever line the name stands."""
    assert judged(ForbidImport("google.cloud"), edit("from google import (\n    auth,\n    cloud,\n)\n")) == [
        ("src/a.py", 3)
    ]


def test_an_import_over_several_lines_is_new_if_one_of_them_is() -> None:
    """Taking one more name from a forbidden module is a new use of it."""
    before = "from requests import (\n    get,\n)\n"
    assert judged(NO_REQUESTS, edit(before.replace("get,", "get,\n    post,"), before)) == [("src/a.py", 3)]


def test_where_python_does_not_parse_the_name_alone_counts() -> None:
    """What can't be told is not allowed: half-written code may not name the module at all."""
    assert judged(NO_REQUESTS, edit("def f(:\n    requests.get()\n")) == [("src/a.py", 2)]
    assert judged(NO_REQUESTS, edit("def f(:\n    my.requests()\n    requestsish\n")) == []
    assert judged(NO_REQUESTS, edit("x = 1\n" * 50_000 + "# requests\n")) == [("src/a.py", 50_001)]


@pytest.mark.parametrize("path", ["a.js", "a.MJS", "a.ts", "a.tsx", "App.vue"])
@pytest.mark.parametrize(
    "text",
    [
        'import x from "lodash"',
        "import 'lodash'",
        "import {\n a,\n b } from `lodash/fp`",
        'const x = require( "lodash" )',
        'await import("lodash/get")',
        'export * from "lodash"',
        'import x = require("lodash")',
    ],
)
def test_an_import_of_a_script_is_found_by_its_spelling(path: str, text: str) -> None:
    """Every way in which JavaScript and TypeScript write one, on the line of the module's name."""
    line = text.count("\n") + 3
    assert judged(ForbidImport("lodash"), edit(f"\n\n{text}\nrequire('other')", path=path)) == [(path, line)]


def test_other_modules_and_other_languages_are_left_alone() -> None:
    """`lodash-es` is not `lodash`; and of a language that nobody knows nothing is said."""
    assert judged(ForbidImport("lodash"), edit('import x from "lodash-es"\nimport "./lodash"\n', path="a.js")) == []
    assert judged(NO_REQUESTS, edit('import "requests"\n', path="a.go")) == []


def test_hostile_white_space_takes_no_time() -> None:
    """The search is linear: a million blanks behind each of many keywords are read once."""
    source = ("import" + " " * 20_000) * 50
    assert importing_lines("a.js", [source], "x") == frozenset()


def test_only_lines_that_are_added_count() -> None:
    """What stood there before breaks nothing, wherever the change is; what goes away breaks nothing either."""
    rule = ForbidPattern("eval(")
    before = "eval(a)\nb\n"
    assert judged(rule, edit("eval(a)\nc\n", before)) == []
    assert judged(rule, edit("eval(a)\nb\neval(c)\n", before)) == [("src/a.py", 3)]
    assert (
        judged(rule, edit("b\n", before))
        == judged(rule, edit(None, before))
        == judged(rule, edit(before, before))
        == []
    )


def test_a_text_is_forbidden_literally() -> None:
    """No character of it has a meaning of its own, and files are read in their own encoding."""
    assert judged(ForbidPattern("a.c"), edit("abc\n")) == []
    assert judged(ForbidPattern("é"), edit("\ufeffx\r\né\r\n")) == [("src/a.py", 2)]
    assert judged(ForbidPattern("é"), edit("x\né\n".encode("utf-16"))) == [("src/a.py", 2)]
    assert judged(ForbidPattern("\ufeff"), edit("\ufeffx\n")) == []


def test_changed_lines_are_counted_as_git_does() -> None:
    """Added and removed lines of all files together."""
    files = (edit("a\nB\nc\n", "a\nb\nc\n"), edit("x\ny\n", path="b"))
    assert judged(MaxChangedLines(4), *files) == []
    (found,) = find_breaches([MaxChangedLines(3)], ChangeSet(files))
    assert (found.path, found.line, found.message) == (None, None, "it changes 4 lines, and 3 are allowed")


def test_a_required_change_is_asked_of_the_whole_only() -> None:
    """One edit can't be everything; a branch can."""
    rule = parse_rule({"requires_change_in": "tests/**"})
    source, test = edit("x\n"), edit("x\n", path="tests/test_a.py")
    assert judged(rule, source) == []
    assert judged(rule, source, whole=True) == [(None, None)]
    assert judged(rule, source, test, whole=True) == []


def test_a_piece_of_syntax_is_found_where_it_is_added() -> None:
    """ast-grep looks at code, not at text: a comment is none, and a call over several lines is one."""
    rule = AstGrep("python", "eval($$$A)")
    assert judged(rule, edit("# eval(x)\ny = 'eval(x)'\n")) == []
    assert judged(rule, edit("\r\nz = eval(\r\n  a,\r\n  b)\r\n")) == [("src/a.py", 2)]
    before = "eval(a)\n\nf(1)\n"
    assert judged(rule, edit("eval(a)\n\nf(2)\n", before)) == []
    assert judged(rule, edit("eval(a)\n\neval(2)\n", before)) == [("src/a.py", 3)]
    assert judged(rule, edit("eval(x)\n", path="a.js")) == []


@pytest.mark.parametrize("language", SUFFIXES)
def test_ast_grep_knows_every_language_that_a_rule_can_name(language: str) -> None:
    """Its answer to a language it does not know would be a crash."""
    path = f"a{SUFFIXES[language][0]}"
    assert is_in(path, language)
    assert judged(AstGrep(language, "zz"), edit("x\n", path=path)) == []


def unchecked(rule: AstGrep, file: FileEdit) -> Breach:
    (found,) = find_breaches([rule], ChangeSet((file,)))
    assert (found.checked, found.path, found.line) == (False, file.path, None)
    return found


def test_a_rule_that_cannot_be_checked_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that is none, a file that is too long, a library that is missing."""
    assert "no single piece of python code" in unchecked(AstGrep("python", "a b c"), edit("x\n")).message
    assert "1,048,576" in unchecked(AstGrep("python", "a"), edit("x" * 1_048_577)).message
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)
    assert "pip install 'intentls[ast]'" in unchecked(AstGrep("python", "a"), edit("x\n")).message


# -- in the gate ----------------------------------------------------------------------------------------------


def gate(rules: tuple[Any, ...], *files: FileEdit, policy: Policy = DEFAULT, **facts: Any) -> Any:
    intents = {"A": Intent("A", scope=Scope.parse(["src/**"]), constraints=("a text", *rules))}
    action = Action("edit_file", tuple(Target(file.path) for file in files), edits=files)
    known = Facts(**{"selected": "A", "intents": intents, **facts})
    return first_refusal(known, action, policy, (*GATE, *CONTENT))


def test_an_edit_that_breaks_a_constraint_is_refused() -> None:
    """With a code of its own, all that is wrong, and the files; a person may let it pass."""
    refusal = gate((NO_REQUESTS, MaxChangedLines(1)), edit("import requests\nx\n"))
    assert refusal.error == (
        "Constraint Violation: A forbids this edit: src/a.py:1 imports requests (forbid_import); "
        "it changes 2 lines, and 1 are allowed (max_changed_lines). Choose another edit."
    )
    assert (refusal.code, refusal.error_type) == (Code.CONSTRAINT_VIOLATION, ErrorType.HOOK_BLOCKED)
    assert (refusal.action_hint, refusal.paths) == (ActionHint.CHOOSE_ANOTHER_EDIT, ("src/a.py",))
    assert refusal.overridable


def test_an_edit_within_the_constraints_passes() -> None:
    """Also where no intent is selected (a person let that pass) or the intents can't be relied on."""
    bad = edit("import requests\n")
    assert gate((NO_REQUESTS,), edit("import os\n")) is None
    assert gate((), bad) is None
    assert first_refusal(Facts(), Action("edit", edits=(bad,)), Policy(), CONTENT) is None
    assert gate((NO_REQUESTS,), bad, config_error="broken", policy=Policy(on_invalid=OnInvalid.ALLOW)) is None


def test_a_constraint_that_cannot_be_checked_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unsure means no, and nobody can approve it away: the sentence names what to install."""
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)
    refusal = gate((AstGrep("python", "eval($A)"),), edit("x\n"))
    assert (refusal.code, refusal.action_hint) == (Code.HOOK_ERROR, ActionHint.FIX_CONFIGURATION)
    assert "pip install 'intentls[ast]'" in refusal.error and not refusal.overridable


def test_the_place_of_a_glob_is_a_glob() -> None:
    """A bad one is refused when the file is read, not when the branch is judged."""
    assert isinstance(parse_rule({"requires_change_in": "a/*"}), RequiresChangeIn)
    with pytest.raises(ValueError, match="bad glob"):
        parse_rule({"requires_change_in": "../a"})


@pytest.mark.parametrize(
    "stated",
    [
        {"forbid_import": "requests"},
        {"forbid_pattern": "eval("},
        {"max_changed_lines": 3},
        {"requires_change_in": "tests/{a,b}/**"},
        {"ast_grep": {"language": "python", "pattern": "print($A)"}},
    ],
)
def test_a_rule_is_written_as_it_was_stated(stated: dict[str, object]) -> None:
    """From the mapping to the rule and back nothing is lost."""
    assert rules.written(parse_rule(stated)) == stated
