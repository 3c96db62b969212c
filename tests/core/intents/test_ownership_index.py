"""Who owns a path is found without asking each scope, and always the same as by asking each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from intentls.core.errors import InvalidGlob
from intentls.core.gate.action import Facts
from intentls.core.gate.policy import EmptyScope, Policy
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.ownership_index import OwnershipIndex
from intentls.core.intents.scope import Scope
from tests.support.cost_growth import cost

SEGMENTS = (
    "a",
    "b",
    "ab",
    "*",
    "**",
    "a*",
    "?",
    "[ab]",
    "{a,b}",
    "a{1..3}",
    "\\a",
    "x{a}",
    "\N{SNAKE}",
    ".a",
    "{a/b,c}",
)
NAMES = ("a", "b", "ab", "a1", "xa", "x{a}", "\N{SNAKE}", ".a", "c")
patterns = st.builds(
    lambda bang, segments, slash: bang + slash.join(segments),
    st.sampled_from(("", "", "", "!")),
    st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=4),
    st.sampled_from(("/", "/", "//")),
)
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)


def declared(scopes: Sequence[Sequence[str]]) -> dict[str, Intent]:
    """An intent for each scope that can be read."""
    found = {}
    for number, scope in enumerate(scopes):
        try:
            found[f"I-{number}"] = Intent(f"I-{number}", scope=Scope.parse(scope), status=list(Status)[number % 8])
        except InvalidGlob:
            continue
    return found


@given(st.lists(st.lists(patterns, max_size=3), max_size=6), st.lists(paths, min_size=1, max_size=3))
@example([["a//b"], ["{a,b}/c"], ["a/b/c"], ["\\a/b"], []], ["a/b", "a/c", "a/b/c"])
def test_the_owners_are_those_that_each_scope_asked_in_turn_would_name(
    scopes: list[list[str]], asked: list[str]
) -> None:
    """Same intents, same order, whatever the globs; also under `empty_scope: deny` and with an intent out of use."""
    intents = declared(scopes)
    for ignore in (IgnoreRules(), IgnoreRules.parse(["intent: I-0"])):
        for policy in (Policy(), Policy(empty_scope=EmptyScope.DENY)):
            plain = Facts(intents=intents, ignore=ignore)
            indexed = Facts(intents=OwnershipIndex(intents), ignore=ignore)
            assert indexed.owners(policy, *asked) == plain.owners(policy, *asked)


def test_the_declared_are_a_mapping_in_the_files_order() -> None:
    """Like any other."""
    intents = declared([["a"], ["b"], []])
    known = OwnershipIndex(intents)
    assert (known, list(known), len(known), list(known.values())) == (intents, list(intents), 3, [*intents.values()])
    assert known.get("I-9") is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/api/**", "lib/a"),
        ("src/*.py", "src2/a.py"),
        ("src/a.py", "src/b.py"),
        ("{src,lib}/x/**", "docs/x/a"),
        ("src/{a,b}/c", "src/c/c"),
        ("src//api/*", "src/apis"),
    ],
)
def test_who_spells_out_another_folder_is_not_asked(pattern: str, path: str) -> None:
    """So a path has few possible owners."""
    assert OwnershipIndex(declared([[pattern]])).candidates([path]) == []


def test_a_glob_that_can_not_be_expanded_is_asked_where_its_text_fits() -> None:
    """Only whoever gives patterns unread can have one; it is never lost."""
    intents = declared([["src/**"]])
    known = OwnershipIndex(intents, lambda: [("I-0", ["src/a{1..5000}"])])
    assert known.candidates(["src/a7"]) == [intents["I-0"]] and known.candidates(["lib/a7"]) == []


def test_many_intents_cost_no_more_than_few() -> None:
    """Each in its own corner: five globs or five thousand, a path has one possible owner."""

    def facts(count: int) -> Facts:
        scopes = [[f"src/area{n}/**", f"tests/area{n}/test_*.py", f"docs/{{a,b}}/area{n}.md"] for n in range(count)]
        return Facts(intents=OwnershipIndex(declared(scopes)))

    few, many = facts(2), facts(2_000)
    assert many.owners(Policy(), "src/area1/x.py") == few.owners(Policy(), "src/area1/x.py") == ("I-1",)
    asked = lambda known: [known.owners(Policy(), f"{top}/area1/test_x.py") for top in ("src", "lib", "tests")]  # noqa: E731
    repeat = range(300)
    assert cost(lambda: [asked(many) for _ in repeat]) < 3 * cost(lambda: [asked(few) for _ in repeat])


def test_the_patterns_of_each_intent_can_be_asked_for() -> None:
    """Several files of intents are joined by them."""
    intents = {"A": Intent("A", scope=Scope.parse(["src/**"])), "B": Intent("B")}
    assert list(OwnershipIndex(intents).patterns()) == [("A", ("src/**",)), ("B", ())]
