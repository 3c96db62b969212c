"""Sources that are being typed: whatever is missing in them, a change of them has a class."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.corpora import CORPORA
from tests.core.mutation.repository import judged

pytestmark = pytest.mark.no_cover  # it looks for what can't be judged, in ways that other tests take

WANTED = int(os.environ.get("INTENTLS_BROKEN", "50"))
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
# What the small programs have too little of.
_MORE = {
    "c": "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#if defined(MAX)\n#error no MAX\n#endif\n#define CAT(a, b) a##b\n"
    "static int (*hook)(int a);\ntypedef struct { int len; } pair;\nenum e { ONE = 1, TWO };\n#include <a.h>\n"
    "int CAT(x, y)(const char *s, ...) { switch (s[0]) { case 'a': return MAX(1, 2); default: goto out; }\n"
    "out: return 0; }\n",
}


def _broken(text: str, chance: random.Random) -> str:
    """The text with a few tokens missing, twice there, or in the place of others."""
    tokens = _TOKEN.findall(text)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(tokens))
        end = start + chance.choice((1, 1, 1, 2, 30))
        other = chance.randrange(len(tokens))
        tokens[start:end] = chance.choice(([], tokens[start:end] * 2, tokens[other : other + 1], ["\n"]))
    return "".join(tokens)


def _pairs(language: str) -> Iterator[tuple[str, str]]:
    chance = random.Random(f"{language} {WANTED}")
    source = CORPORA[language] + _MORE.get(language, "")
    for _ in range(WANTED):
        text = _broken(source, chance) if chance.random() < 0.7 else source
        words = sorted(set(re.findall(r"[^\W\d]\w{2,}", text)))
        renamed = re.sub(rf"\b{chance.choice(words)}\b", "another_name", text)
        yield text, chance.choice((_broken(text, chance), renamed, _broken(renamed, chance)))


@pytest.mark.parametrize("language", sorted(CORPORA))
def test_a_source_that_is_being_typed_has_a_class(language: str) -> None:
    for before, after in _pairs(language):
        rest = {f"b.{language}": after, f"c.{language}": before}
        verdict = judged({f"a.{language}": (before, after), f"d.{language}": (after, before)}, rest)[f"a.{language}"]
        assert verdict.mutation_class in MutationClass


_PY = '''
import json
from typing import Any

LIMIT = 3


class City:
    """A place."""

    count: int = 0

    def __init__(self, name: str, *, limit: int = LIMIT) -> None:
        self.name, self._limit = name, limit

    @property
    def label(self) -> str:
        return f"{self.name} {self.count:>{self._limit}}"

    def rain(self, *days: Any, **more: Any) -> list[str]:
        return [str(day) for day in days if day] + sorted(more)


def load(text: str) -> City:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise KeyError(text) from error
    return City(name=found["name"], limit=len(found))
'''


@pytest.mark.parametrize("language", [*sorted(CORPORA), "py"])
def test_any_name_may_get_another_one_in_all_files_that_have_it(language: str) -> None:
    """Whatever it is one of, a field, a type, a parameter, a word of the language: all files have a class."""
    source = _PY if language == "py" else CORPORA[language] + _MORE.get(language, "")
    for word in sorted(set(re.findall(r"[^\W\d]\w+", source))):
        renamed = re.sub(rf"\b{word}\b", f"{word}_other", source)
        found = judged({f"p/a.{language}": (source, renamed), f"q/b.{language}": (source, renamed)})
        assert {verdict.mutation_class for verdict in found.values()} <= set(MutationClass)
