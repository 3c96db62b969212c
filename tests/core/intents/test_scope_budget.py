"""All scopes of a file together are bounded: what is too much for one decision is found, with whose scope it is."""

from __future__ import annotations

import pytest

from intentls.core.intents import scope_budget
from intentls.core.intents.scope import Scope
from intentls.core.intents.scope_budget import AlternativesBudget, Excess, find_excess


def weight(*patterns: str) -> int:
    """How much a scope weighs: the length of its regular expressions."""
    scope = Scope(patterns)
    return sum(len(source) for glob in (*scope.included, *scope.excluded) for source in glob.sources)


def test_scopes_that_may_own_one_path_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a directory and of all above it; exclusions count as well, and the heaviest scope is named."""
    wide, deep = ("src/**",), ("src/api/*.py", "!src/api/*_pb2.py")
    scopes = {"WIDE": Scope(wide), "DEEP": Scope(deep), "DOCS": Scope(("docs/**",))}
    together = weight(*wide) + weight(*deep)
    assert find_excess(scopes) is None
    monkeypatch.setattr(scope_budget, "MAX_WEIGHT", together)
    assert find_excess(scopes) is None
    monkeypatch.setattr(scope_budget, "MAX_WEIGHT", together - 1)
    assert find_excess(scopes) == Excess("DEEP", "src/api/", together)


def test_scopes_of_different_directories_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand intents, each with a directory of its own, are a large file and not a slow one."""
    monkeypatch.setattr(scope_budget, "MAX_WEIGHT", 2 * weight("m10/**"))
    assert find_excess({f"I-{number}": Scope((f"m{number}/**",)) for number in range(1000)}) is None


@pytest.mark.parametrize("patterns", [("**/*.py",), ("{a,b}*",)])
def test_a_scope_for_any_path_adds_up_with_each(patterns: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns that begin with a wildcard are possible for every path."""
    monkeypatch.setattr(scope_budget, "MAX_WEIGHT", weight("m1/**") + weight(*patterns) - 1)
    excess = find_excess({"ANY": Scope(patterns), "ONE": Scope(("m1/**",)), "TWO": Scope(("m2/**",))})
    assert excess is not None
    assert excess.directory == "m1/"


def test_braces_count_as_what_they_stand_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that can't be read counts once: it is reported where it stands."""
    monkeypatch.setattr(scope_budget, "MAX_ALTERNATIVES", 12)
    budget = AlternativesBudget()
    assert budget.covers(["a", "{1..3}/*.{py,pyi}", "!{a,b}", "{../x,y}"])
    assert budget.covers(["b", "c"])
    assert not budget.covers(["d"])
    assert not budget.covers(["d"])


def test_what_other_files_took_is_gone_from_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of intents share one budget."""
    monkeypatch.setattr(scope_budget, "MAX_ALTERNATIVES", 3)
    budget = AlternativesBudget()
    assert budget.covers(["{a,b}"])
    assert budget.used == 2
    assert not AlternativesBudget(budget.used).covers(["c", "d"])
