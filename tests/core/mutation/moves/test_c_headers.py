"""Files of C that moved: who includes them follows, if each include names one file before and after."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository

DOCS, REFACTOR, EVOLUTION = (
    MutationClass.DOCUMENTATION,
    MutationClass.AST_REFACTOR,
    MutationClass.INTENT_EVOLUTION,
)

LIST = '#ifndef LIST_H\n#define LIST_H\n#include "base.h"\nstruct list { int len; };\n#endif\n'
BASE = "#ifndef BASE_H\n#define BASE_H\n#endif\n"
OTHERS = {"include/base.h": BASE}
USER = '#include <stdio.h>\n#include "list.h"\nint len(struct list *a) { return a->len; }\n'
OLD, NEW = "include/list.h", "include/core/list.h"


def _judged(
    users: dict[str, tuple[str, str]],
    others: dict[str, str] | None = None,
    moved: tuple[str, str] = (LIST, LIST.replace("base.h", "../base.h")),
    paths: tuple[str, str] = (OLD, NEW),
    *,
    can_search: bool = True,
) -> dict[str, tuple[MutationClass, tuple[str, ...]]]:
    edits = [FileVersions(path, Change.MODIFY, *(text.encode() for text in texts)) for path, texts in users.items()]
    edits.append(FileVersions(paths[1], Change.RENAME, *(text.encode() for text in moved), paths[0]))
    verdicts = classify_change(edits, others=Repository({**OTHERS, **(others or {})}, can_search=can_search))
    return {verdict.path: (verdict.mutation_class, verdict.reasons) for verdict in verdicts}


def test_a_header_that_moved_and_who_includes_it_are_refactors() -> None:
    found = _judged(
        {"src/a.c": (USER, USER.replace("list.h", "core/list.h"))}, {"LICENSE": "list.h\n", "b.md": "list.h"}
    )
    assert found == {
        "src/a.c": (REFACTOR, (f"follows {NEW}",)),
        NEW: (REFACTOR, (f"moved from {OLD}",)),
    }


def test_a_header_may_be_named_from_where_it_stands() -> None:
    users = {"include/core/b.h": ('#pragma once\n#include "../list.h"\n', '#pragma once\n#include "list.h"\n')}
    assert _judged(users)["include/core/b.h"][0] is REFACTOR


NONE: dict[str, tuple[tuple[str, str], dict[str, str]]] = {
    "more than the include changed": (
        (USER, USER.replace("list.h", "core/list.h").replace("a->len", "a->len + 1")),
        {},
    ),
    "it includes another file": ((USER, USER.replace("list.h", "core/base.h")), {}),
    "two files may be meant": ((USER, USER.replace("list.h", "core/list.h")), {"lib/list.h": BASE}),
    "two files may be meant now": ((USER, USER.replace("list.h", "core/list.h")), {"lib/core/list.h": BASE}),
    "a header of the system may be meant": (
        (USER.replace('"list.h"', "<list.h>"), USER.replace("list.h", "core/list.h")),
        {},
    ),
}


@pytest.mark.parametrize("name", NONE)
def test_an_include_does_not_follow_if(name: str) -> None:
    texts, others = NONE[name]
    assert _judged({"src/a.c": texts}, others)["src/a.c"][0] is EVOLUTION


def test_a_name_of_the_standard_is_the_systems_unless_the_file_stands_beside() -> None:
    users = {"src/a.c": ('#include "time.h"\n', '#include "core/time.h"\n')}
    paths = ("include/time.h", "include/core/time.h")
    assert _judged(users, moved=(BASE, BASE), paths=paths)["src/a.c"][0] is EVOLUTION
    beside = {"include/a.c": ('#include "time.h"\n', '#include "core/time.h"\n')}
    assert _judged(beside, moved=(BASE, BASE), paths=paths)["include/a.c"][0] is REFACTOR


def test_a_header_that_asks_for_its_place_is_followed_by_no_one() -> None:
    placed = BASE.replace("#endif", "int line = sizeof(__FILE__);\n#endif")
    found = _judged({"src/a.c": (USER, USER.replace("list.h", "core/list.h"))}, moved=(placed, placed))
    assert found["src/a.c"][0] is EVOLUTION


STILL: dict[str, dict[str, str]] = {
    "a source": {"src/b.c": USER},
    "a list of files": {"Makefile.am": "headers = list.h\n"},
    "a source that can't be split": {"src/b.c": USER + 'char *a = R"(b)";\n'},
}


@pytest.mark.parametrize("name", STILL)
def test_a_file_whose_old_place_is_still_asked_for_has_not_just_moved(name: str) -> None:
    text = LIST.replace('#include "base.h"\n', "")
    assert _judged({}, STILL[name], (text, text + "int a;\n"))[NEW][0] is EVOLUTION
    assert _judged({}, STILL[name], (text, text))[NEW][0] is EVOLUTION


def test_what_moved_does_what_it_did_if_its_own_includes_lead_to_the_same_files() -> None:
    right = LIST.replace('"base.h"', '"../base.h"')
    assert _judged({}, moved=(LIST, right))[NEW] == (REFACTOR, (f"moved from {OLD}",))
    other = {"include/core/base.h": BASE + "int b;\n"}
    assert _judged({}, other, moved=(LIST, LIST))[NEW][0] is EVOLUTION


def test_it_is_not_followed_in_a_repository_that_can_not_be_searched() -> None:
    found = _judged({"src/a.c": (USER, USER.replace("list.h", "core/list.h"))}, can_search=False)
    assert {verdict[0] for verdict in found.values()} == {EVOLUTION}


class _Hesitant(Repository):
    """A repository that knows its headers, and can't say who has a name."""

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        return super().mentioning(words) if "ifndef" in words else None


def test_a_file_that_can_not_be_asked_for_has_not_just_moved() -> None:
    edit = FileVersions(NEW, Change.RENAME, BASE.encode(), BASE.encode(), OLD)
    assert classify_change([edit], others=Repository(OTHERS))[0].mutation_class is REFACTOR
    assert classify_change([edit], others=_Hesitant(OTHERS))[0].mutation_class is EVOLUTION


def test_nothing_is_followed_beside_a_file_that_can_not_be_split_or_is_too_large() -> None:
    follows = {"src/a.c": (USER, USER.replace("list.h", "core/list.h"))}
    for odd in ('char *a = R"(b)";\n', "int a = 1;\n" * 100_000):
        found = _judged({**follows, "src/odd.c": ("int a;\n", odd)})
        assert {verdict[0] for verdict in found.values()} == {EVOLUTION}
