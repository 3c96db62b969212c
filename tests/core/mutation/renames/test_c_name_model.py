"""Names of C against a model: random files of statics, fields, parameters and variables in nested blocks, in which some
places of names are changed. The model knows what each place means; a refactor must mean the same in each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

pytestmark = pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take

NAMES = ("aa", "bb", "cc", "dd")
FREE = "outer"  # what a header declares
Place = tuple[str, str]
"""What a name is here (`text` for none, `open` and `close` of a block, a declaration, a use, a field), and its text."""


def _file(chance: random.Random) -> list[Place]:
    """A file as its places, in source order."""
    places: list[Place] = [("text", "struct s { int "), ("field", chance.choice(NAMES)), ("text", "; };\n")]
    statics = chance.sample(NAMES, chance.randint(1, 3))
    for name in statics:
        places += [("text", "static int "), ("static", name), ("text", chance.choice((";\n", " = 1;\n", "[2];\n")))]
    for number in range(chance.randint(1, 3)):
        places += [("text", f"int f{number}"), ("open", "(")]
        if chance.random() < 0.5:
            places += [("text", "struct s *p, int "), ("local", chance.choice(NAMES))]
        else:
            places += [("text", "struct s *p")]
        places += [
            ("text", ") {\n"),
            *_body(chance, statics, 0),
            ("text", "return 1; "),
            ("close", "}"),
            ("text", "\n"),
        ]
    return places


def _body(chance: random.Random, statics: list[str], depth: int) -> Iterator[Place]:
    for _ in range(chance.randint(1, 4)):
        kind = chance.choice(("use", "use", "use", "choice", "field", "declare", "two", "block", "loop"))
        name, other = chance.choice(NAMES), chance.choice(statics)
        if kind == "use":
            first = ("use", name if chance.random() < 0.5 else other)
            yield from [("text", chance.choice(("g(", "*g("))), first, ("text", ", "), ("use", other), ("text", ");\n")]
        elif kind == "choice":
            yield from [("text", "g(1 ? 2 ? "), ("use", name), ("text", " : "), ("use", other), ("text", " : ")]
            yield from [("use", chance.choice(NAMES)), ("text", ", 3);\n")]
        elif kind == "field":
            yield from [("text", "p->"), ("field", name), ("text", " = "), ("use", other), ("text", ";\n")]
        elif kind == "declare":
            yield from [("text", "int "), ("local", name), ("text", chance.choice((";\n", " = 2;\n")))]
        elif kind == "two":
            yield from [("text", "int "), ("local", name), ("text", " = 3, *"), ("local", f"{name}x"), ("text", ";\n")]
        elif depth < 2:
            head = [("text", "for (int "), ("local", name), ("text", " = 0; "), ("use", name), ("text", " < 3;) ")]
            yield ("open", "")
            yield from (head if kind == "loop" else [])
            yield from [("text", "{\n"), *_body(chance, statics, depth + 1), ("text", "}\n"), ("close", "")]


def _meanings(places: list[Place]) -> list[str]:
    """What each place means: the number of its declaration, or the name itself if there is none."""
    scopes: list[dict[str, int]] = [{}]
    found: list[str] = []
    for index, (kind, text) in enumerate(places):
        if kind == "open":
            scopes.append({})
        elif kind == "close":
            scopes.pop()
        elif kind in ("static", "local"):
            if text in scopes[-1]:
                found.append(f"twice {text}")  # no compiler takes it
            scopes[-1][text] = index
        number = next((scope[text] for scope in reversed(scopes) if text in scope), None)
        is_named = kind in ("static", "local", "use") and number is not None
        found.append(f"{kind} {number}" if is_named else f"{kind} {text}")
    return found


def _changed(places: list[Place], chance: random.Random) -> list[Place]:
    """Some places under another name: all of one declaration, and maybe one more or less, or a few at random."""
    meanings = _meanings(places)
    named = [index for index, (kind, _) in enumerate(places) if kind in ("static", "local", "use")]
    start = chance.choice(named)
    number = meanings[start].split()[-1]
    chosen = {index for index in named if meanings[index].split()[-1] == number}
    if chance.random() < 0.4:
        chosen ^= set(chance.sample(named, 1))
    new = chance.choice((*NAMES, "ee", FREE))
    return [(kind, new if index in chosen else text) for index, (kind, text) in enumerate(places)]


def _source(places: list[Place]) -> str:
    return "".join(text for _, text in places)


@pytest.mark.parametrize("seed", range(8))
def test_a_file_of_c_under_other_names_is_a_refactor_only_if_each_name_means_what_it_did(seed: int) -> None:
    """Most of those that mean the same are told; those that no compiler takes may be anything but are none of them."""
    chance = random.Random(seed)
    told: Counter[tuple[bool, bool]] = Counter()
    for _ in range(150):
        before = _file(chance)
        after = _changed(before, chance)
        old, new = _source(before), _source(after)
        meanings = _meanings(before), _meanings(after)
        if old == new or any(meaning.startswith("twice") for found in meanings for meaning in found):
            continue
        is_same = meanings[0] == meanings[1]
        verdict = judged({"a.c": (old, new)}, {"a.h": f"extern int {FREE};\n"})["a.c"]
        is_refactor = verdict.mutation_class is MutationClass.AST_REFACTOR
        assert is_same or not is_refactor, (verdict.reasons, old, new)
        told[is_same, is_refactor] += 1
    assert told[True, True] > 9 * told[True, False]
    assert min(told[True, True], told[False, False]) > 20
