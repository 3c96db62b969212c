"""The hull has all of the scope, and says what it has beside it."""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.intents.hull import Hull, hull
from intentls.core.intents.scope import Scope

_PAIRS = 20_000 if os.environ.get("INTENTLS_LONG") == "1" else 400
"""Scopes, each with a tree of its own."""

_ALL_NAMES = ["a", "b", "src", "gen", "x.py", ".env", "Src", "a1", "ab", "é", "x y", "x#"]
_NAMES = st.sampled_from(["a", "b", "src", "gen", "x.py", ".env"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)
_SEGMENTS = st.sampled_from(["a", "b", "src", "gen", "x.py", "*", "*.py", "**", "{a,b}", "?", ".env"])
_GLOBS = st.lists(_SEGMENTS, min_size=1, max_size=4).map("/".join)
_SCOPES = st.lists(st.one_of(_GLOBS, _GLOBS.map("!{}".format)), max_size=4)


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["src/**"], Hull(("src",), (), ())),
        (["src/**", "src/api/**"], Hull(("src",), (), ())),
        (["README.md", "src/**", "src/a.py"], Hull(("src",), ("README.md",), ())),
        (["tests/api/*.py"], Hull(("tests/api",), (), ("tests/api/*.py becomes all of tests/api",))),
        (["*.md"], Hull(("",), (), ("*.md becomes all of the workspace",))),
        (["src/**", "!src/gen/**"], Hull(("src",), (), ("!src/gen/** can't be told to the kernel",))),
        ([], Hull(("",), (), ())),
        (["**"], Hull(("",), (), ())),
    ],
)
def test_a_hull_names_folders_and_files_and_what_is_wider(patterns: list[str], expected: Hull) -> None:
    assert hull(Scope.parse(patterns)) == expected


@given(_SCOPES, _PATHS)
def test_all_of_the_scope_is_in_its_hull_and_an_exact_hull_has_nothing_else(patterns: list[str], path: str) -> None:
    scope = Scope.parse(patterns)
    rough = hull(scope)
    inside = _is_in(rough, path)
    assert inside or not scope.contains(path)
    assert not (rough.is_exact and inside and not scope.contains(path))


def _is_in(rough: Hull, path: str) -> bool:
    return path in rough.files or any(not folder or path.startswith(f"{folder}/") for folder in rough.folders)


def _piece(draw: random.Random, names: list[str]) -> str:
    """A segment of a glob: a name, or one with wildcards, classes, alternatives or an escape in it."""
    name = draw.choice(names)
    cut = draw.randrange(len(name))
    forms = (name, name, name, "*", "**", "?" * len(name), f"{name[:cut]}*", f"*{name[cut:]}", f"{{{name},z}}")
    a_class = f"{name[:cut]}[{name[cut]}x]{name[cut + 1 :]}"
    return draw.choice((*forms, a_class, f"{name[:cut]}\\{name[cut:]}", f"{name}{{1..3}}", f"[!{name[0]}]*"))


def _tree(draw: random.Random, names: list[str]) -> list[str]:
    """The files of a tree: some below each other's folders."""
    folders = [""]
    for _ in range(draw.randint(1, 8)):
        folders.append(f"{draw.choice(folders)}{draw.choice(names)}/")
    return sorted({f"{draw.choice(folders)}{draw.choice(names)}" for _ in range(draw.randint(1, 30))})


def test_the_verdicts_of_a_hull_are_those_of_the_scope(figure: Callable[[str], None]) -> None:
    """In scope means in the hull; an exact hull has nothing else, and a wider one says so. Each by a tree's files."""
    files, exact, inside, beside = 0, 0, 0, 0
    for seed in range(_PAIRS):
        draw = random.Random(seed)
        names = draw.sample(_ALL_NAMES, draw.randint(3, 6))
        piece = draw.choice if draw.random() < 0.3 else functools.partial(_piece, draw)  # plain names, or globs
        globs = ["/".join(piece(names) for _ in range(draw.randint(1, 4))) for _ in range(draw.randint(1, 4))]
        globs = [f"{glob}/**" if draw.random() < 0.4 else glob for glob in globs]
        signs = ["", *("!" if draw.random() < 0.2 else "" for _ in globs[1:])]
        scope = Scope.parse([f"{sign}{glob}" for sign, glob in zip(signs, globs, strict=True)])
        rough = hull(scope)
        exact += rough.is_exact
        for path in _tree(draw, names):
            files += 1
            in_hull = _is_in(rough, path)
            in_scope = scope.contains(path)
            assert in_hull or not in_scope, (seed, scope.patterns, path)
            assert in_scope or not (rough.is_exact and in_hull), (seed, scope.patterns, path)
            inside += in_scope
            beside += in_hull and not in_scope
    figure(f"hulls: {_PAIRS} scopes ({exact} exact), {files} files: {inside} in scope, {beside} in the hull alone")
    assert min(exact, inside, beside) > _PAIRS / 20
