"""Whether a scope reaches further than it did; unsure means yes."""

from __future__ import annotations

import pytest

from intentls.core.intents.scope import Scope, widened_by


@pytest.mark.parametrize(
    ("old", "new", "wider"),
    [
        (["src/**"], ["src/**"], ()),
        (["src/**"], ["src/api/**"], ()),
        (["src/**"], ["src/api/*.py", "src/deep/x.py"], ()),
        (["src/*.py"], ["src/a.py"], ()),
        (["src/*.py"], ["src/a/b.py"], ("src/a/b.py",)),
        (["src/**"], ["src/**", "docs/**"], ("docs/**",)),
        (["src/api/**"], ["src/**"], ("src/**",)),
        (["s*/**"], ["src/**"], ("src/**",)),  # it does not, but who can tell
        (["**"], ["anything/**"], ()),
        ([], ["src/**"], ()),
        (["src/**"], [], ("**",)),
        (["src/**", "!src/gen/**"], ["src/**"], ("!src/gen/**",)),
        (["src/**", "!src/gen/**"], ["src/**", "!src/**"], ()),
        (["src/**", "docs/**", "!docs/old/**"], ["src/**"], ()),  # nothing is left that it excluded from
        (["src/**", "!src/gen.py"], ["src/gen.py"], ("!src/gen.py",)),
    ],
)
def test_what_makes_a_scope_reach_further(old: list[str], new: list[str], wider: tuple[str, ...]) -> None:
    """Added patterns that no old one surely had, and exclusions that are gone."""
    assert widened_by(Scope.parse(old), Scope.parse(new)) == wider
