"""What linters, compilers and editors say of a file, and the lessons that come of it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from intentls.core.derived.lesson import Lesson, new_problems, parse_lessons
from intentls.core.errors import InvalidInput
from intentls.core.intents.context_xml import build_context
from intentls.core.intents.intent import Intent, Status
from intentls.core.lint.formats import FORMATS, parse_output
from intentls.core.lint.problems import LinterProblem, from_diagnostics, from_text, introduced
from tests.fuzz.bounded import bounded

_PATH = "src/api/weather.py"


def linter_output(text: str) -> None:
    """A linter's output in any format is a list of problems, or it is refused."""
    for form in FORMATS:
        for about in (None, lambda name: name.endswith(".py")):
            with bounded(f"reading {form}"):
                try:
                    problems = parse_output(text, form, source="lint", about=about)
                except InvalidInput as refusal:
                    assert str(refusal)
                    continue
            _check_problems(problems)


def diagnostics(value: object) -> None:
    """A client's diagnostics are problems, or they are refused."""
    with bounded("reading diagnostics"):
        try:
            problems = from_diagnostics(value)
        except InvalidInput as refusal:
            assert str(refusal)
            return
    _check_problems(problems)


def lessons(text: str) -> None:
    """AGENT.md may hold any text: its lessons can be read, handed on as XML, and added to."""
    with bounded("reading lessons"):
        found = parse_lessons(text)
    intent = Intent("INT-001", "Name", Status.PENDING)
    context = build_context(intent, None, lessons=found)
    ElementTree.fromstring(context.text)
    assert len(context.text.encode()) <= 16_000
    with bounded("reading problems"):
        problems = from_text(text)
    _check_problems(problems)
    new = new_problems(text, _PATH, problems)
    if new:
        after = text + "\n\n" + Lesson("2026-02-21", _PATH, new).render()
        assert parse_lessons(after)[-1].path == _PATH
        assert new_problems(after, _PATH, new) == (), "what was just recorded counts as new"


def _check_problems(problems: tuple[LinterProblem, ...]) -> None:
    for problem in problems:
        assert problem.message and not re.search(r"[\r\n\x00]", problem.line_text)
        assert problem.line is None or problem.line >= 1
        assert problem.column is None or problem.column >= 1
        problem.line_text.encode()
        assert LinterProblem.from_line_text(problem.line_text).standing == problem.standing
    assert introduced(problems, problems) == ()
    assert introduced((), problems) == problems
