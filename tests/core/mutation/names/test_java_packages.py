"""Java files of one package see each other without an import: what one that moves takes, and what it leaves."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository, Versions

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
BASE = "src/main/java/org/a"
CACHE = ("package org.a;\npublic class Cache { }\n", "package org.a.inner;\npublic class Cache { }\n")


def _classes(users: Versions, others: dict[str, str] | None = None) -> dict[str, MutationClass]:
    """The classes when `Cache` went to `org.a.inner` and the users changed with it."""
    edits = [
        FileVersions(
            f"{BASE}/inner/Cache.java", Change.RENAME, CACHE[0].encode(), CACHE[1].encode(), f"{BASE}/Cache.java"
        )
    ]
    for path, (before, after) in users.items():
        old, _, new = path.rpartition(" -> ")
        change = Change.RENAME if old else Change.MODIFY
        contents = ((before or "").encode(), (after or "").encode())
        edits.append(FileVersions(f"{BASE}/{new}", change, *contents, f"{BASE}/{old}" if old else None))
    verdicts = classify_change(edits, others=Repository(others or {}))
    return {verdict.path.removeprefix(f"{BASE}/"): verdict.mutation_class for verdict in verdicts}


TOWN = "class Town {{ Cache c = {}; }}\n"
FOLLOWING: dict[str, tuple[str, str, str]] = {
    "it imports what left its package": (
        "Town.java",
        "package org.a;\nclass Town { Cache c; }\n",
        "package org.a;\n\nimport org.a.inner.Cache;\n\nclass Town { Cache c; }\n",
    ),
    "it has other imports": (
        "Town.java",
        "package org.a;\nimport b.B;\nclass Town extends B { Cache c; }\n",
        "package org.a;\nimport b.B;\nimport org.a.inner.Cache;\nclass Town extends B { Cache c; }\n",
    ),
    "what came to its package needs no import": (
        "inner/Town.java",
        "package org.a.inner;\nimport org.a.Cache;\nclass Town { Cache c; }\n",
        "package org.a.inner;\nclass Town { Cache c; }\n",
    ),
    "it goes along": (
        "Town.java -> inner/Town.java",
        "package org.a;\nclass Town { Cache c; }\n",
        "package org.a.inner;\nclass Town { Cache c; }\n",
    ),
    "it goes along and imports what stays": (
        "Town.java -> inner/Town.java",
        "package org.a;\nclass Town { Cache c; Stays s; }\n",
        "package org.a.inner;\nimport org.a.Stays;\nclass Town { Cache c; Stays s; }\n",
    ),
    "it goes where what it imported is": (
        "Town.java -> inner/Town.java",
        "package org.a;\nimport org.a.inner.There;\nclass Town { There s; }\n",
        "package org.a.inner;\nclass Town { There s; }\n",
    ),
    "it names another one, as before": (
        "Town.java",
        "package org.a;\nimport org.b.Cache;\nclass Town { Cache c; void f() { int i = 1; g(i, i); } }\n",
        "package org.a;\nimport org.b.Cache;\nclass Town { Cache c; void f() { int j = 1; g(j, j); } }\n",
    ),
    "a text that reflection takes": (
        "Town.java",
        'package org.a;\nclass Town { Object c = forName("org.a.Cache"); }\n',
        'package org.a;\nclass Town { Object c = forName("org.a.inner.Cache"); }\n',
    ),
    "a text with a resource": (
        "Town.java",
        'package org.a;\nclass Town { Object c = get("org/a/Cache.class"); }\n',
        'package org.a;\nclass Town { Object c = get("org/a/inner/Cache.class"); }\n',
    ),
    "a text of a class within": (
        "Town.java",
        'package org.a;\nclass Town { Object c = forName("org.a.Cache$Entry"); }\n',
        'package org.a;\nclass Town { Object c = forName("org.a.inner.Cache$Entry"); }\n',
    ),
}


@pytest.mark.parametrize("name", FOLLOWING)
def test_a_file_that_follows_a_class_of_its_package_is_a_refactor(name: str) -> None:
    path, before, after = FOLLOWING[name]
    assert set(_classes({path: (before, after)}).values()) == {REFACTOR}


WRONG: dict[str, tuple[str, str, str]] = {
    "it imports another one": (
        "Town.java",
        "package org.a;\nclass Town { Cache c; }\n",
        "package org.a;\nimport org.b.Cache;\nclass Town { Cache c; }\n",
    ),
    "it had another one": (
        "Town.java",
        "package org.a;\nimport org.b.Cache;\nclass Town { Cache c; }\n",
        "package org.a;\nimport org.a.inner.Cache;\nclass Town { Cache c; }\n",
    ),
    "it does not follow": (
        "Town.java",
        "package org.a;\nclass Town { Cache c; int i; }\n",
        "package org.a;\nclass Town { int i; Cache c; }\n",
    ),
    "it changes in more": (
        "Town.java",
        "package org.a;\nclass Town { Cache c; int i = 1; }\n",
        "package org.a;\nimport org.a.inner.Cache;\nclass Town { Cache c; int i = 2; }\n",
    ),
    "only a comment and a text name it": (
        "Town.java",
        'package org.a;\nclass Town { String c = "Cache"; /* Cache */ // Cache\n }\n',
        'package org.a;\nimport org.b.Cache;\nclass Town { Cache c = "Cache"; }\n',
    ),
    "it goes along and imports another one": (
        "Town.java -> inner/Town.java",
        "package org.a;\nclass Town { Stays s; }\n",
        "package org.a.inner;\nimport org.b.Stays;\nclass Town { Stays s; }\n",
    ),
    "it goes along, and a name may be of another package": (
        "Town.java -> inner/Town.java",
        "package org.a;\nimport org.b.*;\nclass Town { Stays s; }\n",
        "package org.a.inner;\nimport org.b.*;\nimport org.a.Stays;\nclass Town { Stays s; }\n",
    ),
    "it goes along, and had another one of that name": (
        "Town.java -> inner/Town.java",
        "package org.a;\nimport org.b.Stays;\nclass Town { Stays s; }\n",
        "package org.a.inner;\nimport org.a.Stays;\nclass Town { Stays s; }\n",
    ),
    "a text becomes another class": (
        "Town.java",
        'package org.a;\nclass Town { Object c = forName("org.a.Cache"); }\n',
        'package org.a;\nclass Town { Object c = forName("org.a.inner.Caches"); }\n',
    ),
    "the text is a log's name": (
        "Town.java",
        'package org.a;\nclass Town { Object c = getLogger("org.a.Cache"); }\n',
        'package org.a;\nclass Town { Object c = getLogger("org.a.inner.Cache"); }\n',
    ),
    "the text has more than the name": (
        "Town.java",
        'package org.a;\nclass Town { Object c = get("org.a.Cache.size"); }\n',
        'package org.a;\nclass Town { Object c = get("org.a.inner.Cache.size"); }\n',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_does_anything_else_is_an_evolution(name: str) -> None:
    path, before, after = WRONG[name]
    assert _classes({path: (before, after)})[path.rpartition(" -> ")[2]] is EVOLUTION


def test_a_class_whose_old_name_a_text_of_the_change_still_has_did_not_just_move() -> None:
    text = 'package org.a;\nclass Town {{ Object c = forName("org.a.Cache"), d = {}; }}\n'
    found = _classes({"Town.java": (text.format(1), text.format(2))})
    assert found["inner/Cache.java"] is EVOLUTION


def test_a_text_says_nothing_of_a_class_that_lies_where_no_sources_do() -> None:
    edits = [
        FileVersions(
            "x/a/d/C.java", Change.RENAME, b"package a.b;\nclass C {}", b"package a.d;\nclass C {}", "x/a/b/C.java"
        ),
        FileVersions(
            "x/U.java", Change.MODIFY, b'class U { Object o = f("a.b.C"); }', b'class U { Object o = f("a.d.C"); }'
        ),
    ]
    assert classify_change(edits, others=Repository({}))[1].mutation_class is EVOLUTION
