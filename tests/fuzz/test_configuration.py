"""Whatever bytes stand in `.orchestration/`, reading them ends in time, in values or in findings."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import inputs
from tests.fuzz.entrances import configuration
from tests.fuzz.strategies import mutated, texts


@settings(max_examples=250)
@given(mutated(inputs.INTENTS, inputs.YAML_TOKENS))
def test_any_intents_file_is_read_or_has_findings(data: bytes) -> None:
    """What is valid holds the intents and scopes that any reader of YAML finds; findings lie in the text."""
    configuration.intents(data)


@settings(max_examples=80)
@given(mutated(inputs.INTENTS, inputs.YAML_TOKENS))
def test_an_edit_of_any_intents_file_changes_one_intent_at_most(data: bytes) -> None:
    """A status, a glob and a new intent are put where they belong, or refused; the file stays valid."""
    configuration.intents_edits(data)


@settings(max_examples=250)
@given(mutated(inputs.POLICY, inputs.POLICY_TOKENS))
def test_any_policy_is_whole(data: bytes) -> None:
    """Each key has its written value, or its default."""
    configuration.policy(data)


@settings(max_examples=250)
@given(mutated(inputs.IGNORE, inputs.IGNORE_TOKENS))
def test_any_intentignore_answers_for_every_path(data: bytes) -> None:
    """No rule is slow, and none takes back what lies below an ignored folder."""
    configuration.intentignore(data)


@settings(max_examples=120)
@given(
    st.lists(texts(inputs.GLOB_TOKENS, 12), max_size=4),
    st.lists(texts((*"ab./", "src", ".py", "..", "\u00fc"), 10), max_size=4),
)
def test_any_scope_says_what_its_patterns_say(patterns: list[str], paths: list[str]) -> None:
    """Some positive pattern matches and no exclusion does; bad patterns are refused with advice."""
    configuration.globs(patterns, (*paths, *configuration.PATHS))
