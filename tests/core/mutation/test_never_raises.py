"""Whatever a change is, it is judged: programs of these tests, with a line or a word less, in one version or both."""

from __future__ import annotations

import importlib
import os
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.core.mutation.repository import Versions, judged

HERE = Path(__file__).parent
ROOMS = ("equivalences", "renames", "moves", "calls", "change_set")
MODULES = sorted(f"{room}.{path.stem}" for room in ROOMS for path in (HERE / room).glob("test_*.py"))
LANGUAGES = {"java": "java", "rust": "rs", "go": "go", "javascript": "js", "script": "js", "typescript": "ts", "c": "c"}
EACH = int(os.environ.get("INTENTLS_CUT", "6"))  # programs of a module
SEED = os.environ.get("INTENTLS_CUT_SEED", "")
_PATH = re.compile(r"[\w./-]+\.\w+\Z")
_PIECES = re.compile(r"\n|[^\n]+")
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def _changes(value: object, suffix: str) -> Iterator[Versions]:
    """What a module of tests says of changes: versions of files by path, or a pair of contents."""
    if isinstance(value, Mapping):
        if value and all(isinstance(key, str) and _PATH.match(key) and _is_pair(pair) for key, pair in value.items()):
            yield dict(value)
        else:
            for inner in value.values():
                yield from _changes(inner, suffix)
    elif _is_pair(value):
        yield {f"a/A.{suffix}": value}
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _changes(inner, suffix)


def _is_pair(value: object) -> bool:
    is_two = isinstance(value, tuple) and len(value) == 2
    return is_two and all(text is None or isinstance(text, str) for text in value) and any(value)


def _cut(text: str | None, pieces: re.Pattern[str], places: tuple[float, ...]) -> str | None:
    """Without some of its lines or words."""
    found = pieces.findall(text or "")
    for place in places:
        del found[int(place * len(found)) : int(place * len(found)) + 1]
    return text and "".join(found)


@pytest.mark.no_cover  # it looks for what can't be judged, in ways that other tests take
@pytest.mark.parametrize("module", MODULES)
def test_a_change_of_which_a_piece_is_missing_is_judged(module: str) -> None:
    suffix = next((LANGUAGES[word] for word in module.split("_")[1:] if word in LANGUAGES), "py")
    tests = importlib.import_module(f"tests.core.mutation.{module}")
    said = [value for name, value in vars(tests).items() if name.isupper()]
    changes = [change for value in said for change in _changes(value, suffix)]
    draw = random.Random(f"{module}{SEED}")
    for change in draw.sample(changes, min(EACH, len(changes))):
        for pieces in (_PIECES, _WORDS):
            for sides in ((True, True), (True, False), (False, True)):
                at = tuple(draw.random() for _ in range(draw.choice((1, 1, 2, 4))))
                cut = {
                    path: tuple(
                        _cut(text, pieces, at) if is_cut else text for text, is_cut in zip(pair, sides, strict=True)
                    )
                    for path, pair in change.items()
                }
                assert judged(cut, {}).keys() == cut.keys()


VALUES = (
    "a && b",
    "!a",
    "a ? b : c",
    "`x${a}`",
    "'x' + a",
    "[...a]",
    "{...a}",
    "(a) => { if (!a) { return 1 } }",
    "a?.b",
)
VALUES += (
    "f(a)",
    "new A()",
    "class { a = 1 }",
    "typeof a",
    "a = b",
    "await a",
    "(a)",
    "a ?? b",
    "/a/",
    "a, b",
    "1",
    "a",
)
TYPED = (*VALUES, "a as B", "a!", "a satisfies B", "f<A>(a)")
PLACES = ("export default {};", "export = {};", "module.exports = {};", "class A {{ q = {} }}", "export const a = {};")
BESIDE = (
    (
        "function z(a, b) { if (!(a && b)) { return g(1) } h(a) }",
        "function z(a, b) { if (!a || !b) { return g(1) } h(a) }",
    ),
    ("import {r, s} from 'm'", "import {s, r} from 'm'"),
    ("const q = 1", "let r = 2"),
)


@pytest.mark.no_cover  # it looks for what can't be judged, in ways that other tests take
@pytest.mark.parametrize(("suffix", "values"), [("js", VALUES), ("ts", TYPED), ("tsx", TYPED)])
def test_a_change_beside_any_value_that_stays_is_judged(suffix: str, values: tuple[str, ...]) -> None:
    for place in PLACES:
        for stays in map(place.format, values):
            for before, after in BESIDE:
                versions = (f"{before}\n{stays}\n", f"{after}\n{stays}\n")
                assert judged({f"a.{suffix}": versions}, {})[f"a.{suffix}"].reasons, stays


FOUND = {
    "an alias of a type": {"a.py": ("type A = int\nx = 1\n", "type A = str\nx = 1\n")},
    "a class without a package": {
        "A.java": ("class A { java.util.List<String> a; }\n", "import java.util.List;\nclass A { List<String> a; }\n")
    },
    "a parameter whose bracket is not closed": {"a.c": ("int f(char a[])\n{ }\n", "int f(char a[\n{ }\n")},
    "a function that returns what it has not announced": {
        "a.go": ("func f() { b := 1; h(b, b) }", "func f() { b := g(); h(b, b) }\nfunc g()  { return 1 }")
    },
    "a word that looks like an end": {
        "a.go": (
            'func f() bool { for _, c := range a { if "b" == c { return true } }\nreturnfalse }',
            'import "slices"\nfunc f() bool { return slices.Contains(a, "b") }',
        )
    },
}


@pytest.mark.parametrize("name", FOUND)
def test_a_change_that_once_could_not_be_judged_is_judged(name: str) -> None:
    assert judged(FOUND[name], {}).keys() == FOUND[name].keys()
