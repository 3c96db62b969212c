"""A scope decides by one expression, and exactly as its globs would one by one."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.errors import InvalidGlob
from intentls.core.intents.scope import Scope
from intentls.core.patterns.glob import Glob

CONTRACT = ("src/api/**", "tests/api/*.py", "!src/api/generated/**")


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("src/api/weather.py", True),
        ("tests/api/test_weather.py", True),
        ("tests/api/deep/test_weather.py", False),
        ("src/api/generated/client.py", False),
        ("src/api/generatedx", True),
        ("README.md", False),
        ("src/api/../../etc/passwd", False),
        ("/src/api/a.py", False),
        ("", False),
    ],
)
def test_a_path_is_in_scope_if_some_pattern_matches_and_no_exclusion_does(path: str, inside: bool) -> None:
    assert Scope.parse(CONTRACT).contains(path) is inside


def test_an_exclusion_wins_wherever_it_stands() -> None:
    assert not Scope.parse(["!a/b", "a/*"]).contains("a/b")
    assert not Scope.parse(["a/*", "!a/b", "a/b"]).contains("a/b")


def test_no_pattern_at_all_is_the_whole_workspace() -> None:
    scope = Scope()
    assert scope.is_whole_workspace
    assert scope == Scope.parse([])
    assert scope.contains("a")
    assert scope.contains(".github/workflows/ci.yml")
    assert not scope.contains("../a")


def test_exclusions_alone_leave_nothing_in_scope() -> None:
    scope = Scope.parse(["!docs/**"])
    assert not scope.is_whole_workspace
    assert not scope.contains("src/a.py")
    assert not scope.contains("docs/a.md")


@pytest.mark.parametrize("pattern", ["!!a", "!", "a/", "!../x", ""])
def test_a_bad_pattern_is_refused_when_the_scope_is_read(pattern: str) -> None:
    with pytest.raises(InvalidGlob):
        Scope.parse(["src/**", pattern])


def test_an_escaped_exclamation_mark_is_a_name() -> None:
    assert Scope.parse(["\\!important/**"]).contains("!important/a")


@pytest.mark.parametrize(
    ("patterns", "named"),
    [
        ([".orchestration/active_intents.yaml"], True),
        (["src/**", ".orchestration/*.yaml"], True),
        (["{.orchestration,a}/x"], True),
        (["**"], False),
        (["*/active_intents.yaml"], False),
        (["!.orchestration/**"], False),
        ([], False),
    ],
)
def test_a_protected_folder_counts_as_named_only_by_its_own_name(patterns: list[str], named: bool) -> None:
    assert Scope.parse(patterns).names(".orchestration/active_intents.yaml") is named


def test_a_scope_is_a_value() -> None:
    """It compares by its patterns, and can be copied and pickled before and after its first decision."""
    fresh, used = Scope.parse(CONTRACT), Scope.parse(iter(CONTRACT))
    assert used.contains("src/api/a.py")
    for scope in (fresh, used):
        assert scope == copy.deepcopy(scope) == pickle.loads(pickle.dumps(scope))
        assert scope.patterns == CONTRACT
    assert len({fresh, used, Scope()}) == 2


def test_thousands_of_patterns_are_one_decision() -> None:
    scope = Scope.parse(f"packages/p{n}/**/*.py" for n in range(3_000))
    assert scope.contains("packages/p2999/a/b.py")
    assert not scope.contains("packages/p3000/a/b.py")


_PATTERNS = st.lists(st.text("ab*?/{},![]-\\.é😀", min_size=1, max_size=8), max_size=6)
_PATHS = st.text("ab/!.-é😀\\{\n\udcff", max_size=8)


def _readable(pattern: str) -> bool:
    try:
        Scope.parse([pattern])
    except InvalidGlob:
        return False
    return True


@given(_PATTERNS, st.lists(_PATHS, max_size=8))
def test_a_scope_decides_as_its_definition_says(patterns: list[str], paths: list[str]) -> None:
    """In scope: some positive glob matches and no exclusion does; or there is no pattern at all."""
    patterns = [pattern for pattern in patterns if _readable(pattern)]
    included = [Glob(pattern) for pattern in patterns if pattern[0] != "!"] if patterns else [Glob("**")]
    excluded = [Glob(pattern[1:]) for pattern in patterns if pattern[0] == "!"]
    scope = Scope.parse(patterns)
    for path in paths:
        naive = any(glob.matches(path) for glob in included) and not any(glob.matches(path) for glob in excluded)
        assert scope.contains(path) is naive


def test_scopes_and_globs_are_what_their_patterns_are() -> None:
    """Equal, found in sets and shown by them alone, whatever was asked of one meanwhile."""
    asked, fresh = Scope.parse(["src/**", "!src/db/**"]), Scope.parse(["src/**", "!src/db/**"])
    assert asked.contains("src/a.py") and asked.included[0].matches("src/a.py")
    assert {asked, fresh} == {fresh} and {*asked.included, *fresh.included} == set(fresh.included)
    assert asked != Scope.parse(["src/**"]) and asked.included != asked.excluded
    assert asked != ("src/**", "!src/db/**") and asked.included[0] != "src/**"
    assert (repr(asked), repr(asked.included[0])) == ("Scope(('src/**', '!src/db/**'))", "Glob('src/**')")
