"""What linters print, clients report and lessons say, in any form."""

from __future__ import annotations

from hypothesis import given, settings

from tests.fuzz import inputs
from tests.fuzz.command_strategies import DIAGNOSTIC_KEYS
from tests.fuzz.entrances import problems
from tests.fuzz.strategies import json_values, mutated


@settings(max_examples=200)
@given(mutated(inputs.LINTER_OUTPUT, inputs.LINTER_TOKENS))
def test_any_linter_output_is_a_list_of_problems_or_refused(data: bytes) -> None:
    """As SARIF, as JSON and as text."""
    problems.linter_output(data.decode("utf-8", "replace"))


@settings(max_examples=200)
@given(json_values(DIAGNOSTIC_KEYS))
def test_any_diagnostics_are_problems_or_refused(value: object) -> None:
    """A client may send any JSON value."""
    problems.diagnostics(value)


@settings(max_examples=150)
@given(mutated(inputs.LESSONS, inputs.LESSON_TOKENS))
def test_any_agent_md_gives_lessons(data: bytes) -> None:
    """They fit into a context that is well-formed XML, and what was recorded once is not new."""
    problems.lessons(data.decode("utf-8", "replace"))
