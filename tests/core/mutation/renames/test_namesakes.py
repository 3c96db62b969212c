"""Names of C that files have for something of their own, which do not see what a change renames."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

HEADS = {
    "a field": ("struct list { int {0}; };\n", "int f(struct list *a) { return a->{0}; }\n"),
    "a type": ("struct {0} { int b; };\n", "int f(struct {0} *a) { return a->b; }\n"),
    "a constant": ("enum kind { OTHER, {0} };\n", "int f(void) { return {0}; }\n"),
    "a macro": ("#define {0} 1\n", "int f(void) { return {0}; }\n"),
    "a name for a type": ("typedef int {0};\n", "{0} f({0} a) { return a; }\n"),
    "a function": ("int {0}(int);\n", "int {0}(int a) { return a; }\nint g(void) { return {0}(1); }\n"),
    "a variable": ("extern int {0};\n", "int {0};\nint f(void) { return {0}; }\n"),
}
OWN = {
    "a field": "struct map { int size; };\nint h(struct map *a) { return a->size; }\n",
    "a variable of a function": "int h(int a) { int size = a; return size; }\n",
    "a parameter": "int h(char *size, int a) { return a + *size; }\n",
    "a variable and a field": "static int size;\nstruct map { int size; };\nint h(struct map *a) { return a->size; }\n",
    "a constant": "enum map { size };\nint h = size;\n",
    "its own function": "static int size(int a) { return a; }\nint h = 1;\n",
}
INCLUDE = '#include "list.h"\n'


def _judged(
    kind: str, others: dict[str, str] | Repository, includes: str = INCLUDE, names: tuple[str, str] = ("size", "extent")
) -> set[MutationClass]:
    head, user = HEADS[kind]
    files = {"lib/list.h": head, "lib/list.c": f"{includes}{user}"}
    versions = {path: (text.replace("{0}", names[0]), text.replace("{0}", names[1])) for path, text in files.items()}
    return {verdict.mutation_class for verdict in judged(versions, others).values()}


@pytest.mark.parametrize("own", OWN)
@pytest.mark.parametrize("kind", HEADS)
def test_a_file_that_does_not_see_a_name_may_have_one_like_it(kind: str, own: str) -> None:
    for names in (("size", "extent"), ("extent", "size")):
        assert _judged(kind, {"map/map.c": OWN[own]}, names=names) == {REFACTOR}


def test_what_it_has_may_stand_in_a_header_of_its_own() -> None:
    others = {
        "map/map.h": "struct map { int size; };\n",
        "map/map.c": '#include "map.h"\nint h(struct map *a) { return a->size; }\n',
    }
    assert _judged("a field", others) == {REFACTOR}


MAP = OWN["a field"]
SEEN: dict[str, tuple[str, dict[str, str]]] = {
    "it includes the header": ("a type", {"map.c": f"{INCLUDE}{MAP}"}),
    "it includes a header that does": ("a type", {"map.c": f'#include "lib/all.h"\n{MAP}', "lib/all.h": INCLUDE}),
    "a file includes both": (
        "a type",
        {"map.h": "struct map { int size; };\n", "all.c": f'{INCLUDE}#include "map.h"\nint size_of(struct map *);\n'},
    ),
    "none of them declares it": ("a constant", {"map.c": "int h(void) { return size; }\n"}),
    "only another one declares it": ("a constant", {"map.c": "int h(void) { return size; }\n", "b.c": MAP}),
    "it calls it": ("a function", {"map.c": "int h(void) { int size; return size(2); }\n"}),
    "it declares it for the program": ("a function", {"map.c": "int h(void) { extern int size; return size; }\n"}),
    "it defines it for the program": ("a variable", {"map.c": "int size = 1;\n"}),
    "it declares it for the program, and has one": (
        "a function",
        {"map.c": "int h(void) { extern int size; return size; }\nint i(int size) { return size; }\n"},
    ),
    "it only uses it, beside a sign": ("a constant", {"map.c": "int h = 2 * size, i;\n"}),
    "it may define it for the program": ("a variable", {"map.c": "struct map size;\n"}),
    "where it stands can't be told": (
        "a variable",
        {"map.c": "#if A\nint h(void) {\n#else\nint h(int a) {\n#endif\n  int size = 1;\n  return size;\n}\n"},
    ),
    "it has a text of it": ("a function", {"map.c": 'int h(void) { int size = 1; return find("size") + size; }\n'}),
    "it is no C": ("a type", {"map.py": "size = 1\n"}),
}


@pytest.mark.parametrize("name", SEEN)
def test_a_name_that_a_file_may_see_has_to_follow(name: str) -> None:
    kind, others = SEEN[name]
    assert EVOLUTION in _judged(kind, others)


def test_a_field_is_no_variable_of_the_program() -> None:
    assert _judged("a field", {"map.c": "int size = 1;\n"}) == {REFACTOR}


def test_a_variable_whose_type_has_no_name_is_one_of_the_program() -> None:
    text = "struct { int b; } size;\nint f(void) { return size.b; }\n"
    for others, expected in (({"map.c": "int size;\n"}, EVOLUTION), ({"map.c": OWN["a parameter"]}, REFACTOR)):
        assert judged({"a.c": (text, text.replace("size", "extent"))}, others)["a.c"].mutation_class is expected


def test_a_header_may_say_the_name_of_a_type_in_a_comment() -> None:
    text = "struct load { int b; };\nint run(struct load *c) { return c->b; }\n"
    for said, expected in (("/* load */\n", REFACTOR), ("#error don't /* say\nload\n", EVOLUTION)):
        found = judged({"a.c": (text, text.replace("load", "read_it"))}, {"b.c": "int load;\n", "b.h": said})
        assert found["a.c"].mutation_class is expected


def test_where_includes_do_not_tell_who_sees_it_each_name_has_to_follow() -> None:
    """A compiler may be told to include a header."""
    assert EVOLUTION in _judged("a type", {"map.c": MAP}, includes="")


class _Half(Repository):
    """A repository that can't say who includes what."""

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        return None if self.unknown & set(words) else super().mentioning(words)

    unknown = frozenset({"list.h"})


class _OtherHalf(_Half):
    unknown = frozenset({"map.c"})


@pytest.mark.parametrize("repository", [_Half, _OtherHalf])
def test_where_it_can_not_be_told_who_sees_it_each_name_has_to_follow(repository: type[_Half]) -> None:
    assert EVOLUTION in _judged("a type", repository({"map.c": MAP}))


def test_names_that_few_files_have_are_followed_beside_one_that_many_have() -> None:
    """The file that has both is none, and the others are."""
    many = {f"{number}.c": "int size;\n" for number in range(61)}
    before, after = "int size;\nint load(void) { return 1; }\n", "int extent;\nint read_it(void) { return 1; }\n"
    user = "int load(void);\nint run = load();\n"
    versions = {"a.c": (before, after), "b.c": (user, user.replace("load", "read_it"))}
    found = judged(versions, many)
    assert (found["a.c"].mutation_class, found["b.c"].mutation_class) == (EVOLUTION, REFACTOR)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({".gitignore": "load\n"}, REFACTOR),
        ({".mailmap": "load\n"}, REFACTOR),
        ({"Makefile": "all: multi-load load-all\n"}, REFACTOR),
        ({"src/list.h": "/* load */\n"}, REFACTOR),
        ({"Makefile": "all: -Dload=1\n"}, EVOLUTION),
        ({"Makefile": "all: --wrap=load\n"}, EVOLUTION),
        ({"Makefile": "all: load-\n"}, EVOLUTION),
        ({"src/list.h": "#define CALL load()\n"}, EVOLUTION),
        ({"src/list.h": "#error don't /* say\n#define CALL load()\n"}, EVOLUTION),
    ],
)
def test_what_is_no_code_and_has_another_word_uses_no_name(others: dict[str, str], expected: MutationClass) -> None:
    text = f"{INCLUDE}static int load(void) {{ return 2; }}\nint run(void) {{ CALL; return load(); }}\n"
    found = judged({"src/a.c": (text, text.replace("load", "read_it"))}, {"b.c": "int load;\n", **others})
    assert found["src/a.c"].mutation_class is expected
