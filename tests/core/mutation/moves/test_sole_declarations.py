"""Macros, types and prototypes of C that went to another file: one thing wherever they stand, or not."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
USER = '#include "a.h"\nint f(int b) { return g(b, LIMIT); }\n'
MACRO = "#define LIMIT 7\n"


def _moved(
    part: str = MACRO, header: str = "#ifndef A_H\n#define A_H\n{}int g(int a, int b);\n#endif\n", user: str = USER
) -> Versions:
    """The part goes from the header to the file that uses it."""
    after = user.replace('"a.h"\n', f'"a.h"\n{part}')
    return {"a.h": (header.format(part), header.format("")), "a.c": (user, after)}


TYPE = "struct pair { int first; int second; };\n"
TYPES_USER = '#include "a.h"\nint f(struct pair *b) { return g(b->first, 1); }\n'
ANNOUNCED = "int total(int a);\n"
ANNOUNCED_USER = '#include "a.h"\nint total(int a) { return g(a, 2); }\nint f(void) { return total(1); }\n'
PROVEN: dict[str, tuple[Versions, dict[str, str]]] = {
    "a macro": (_moved(), {"b.md": "LIMIT\n", "b.c": "int k(void) { return 1; }\n"}),
    "a macro with parameters": (
        _moved("#define TWICE(a) ((a) + (a))\n", user=USER.replace("LIMIT", "TWICE(b)")),
        {},
    ),
    "a type": (_moved(TYPE, user=TYPES_USER), {"b.c": '#include "a.h"\nstruct other { int pair; };\n'}),
    "a type with an array of a size that is one thing": (
        _moved("struct pair { int first[SIZE]; };\n", user=TYPES_USER),
        {"b.h": "#define SIZE 4\n"},
    ),
    "a prototype that only its own file needs": (_moved(ANNOUNCED, user=ANNOUNCED_USER), {}),
    "a prototype that went to another header": (
        {
            "a.h": (f"int g(void);\n{ANNOUNCED}", "int g(void);\n"),
            "b.h": ("int k(void);\n", f"int k(void);\n{ANNOUNCED}"),
        },
        {"b.c": '#include "a.h"\n#include "b.h"\nint f(void) { return total(1); }\n'},
    ),
}


@pytest.mark.parametrize("name", PROVEN)
def test_a_declaration_that_is_one_thing_anywhere_may_stand_anywhere(name: str) -> None:
    versions, others = PROVEN[name]
    found = judged(versions, others)
    assert {verdict.mutation_class for verdict in found.values()} == {REFACTOR}, found
    assert "to a.c" in str(found["a.h"].reasons) or "elsewhere" in str(found["a.h"].reasons)


OPEN: dict[str, tuple[Versions, dict[str, str]]] = {
    "another value": ({**_moved(), "a.c": (USER, USER.replace('"a.h"\n', '"a.h"\n#define LIMIT 8\n'))}, {}),
    "another file defines it": (_moved(), {"b.c": "#define LIMIT 8\nint k(void) { return LIMIT; }\n"}),
    "another file takes it back": (_moved(), {"b.h": "#undef LIMIT\n"}),
    "another file asks for it": (_moved(), {"b.c": "#ifdef LIMIT\nint k;\n#endif\n"}),
    "another file asks for its value": (_moved(), {"b.c": "#if LIMIT > 3\nint k;\n#endif\n"}),
    "another file has a variable of the name": (_moved(), {"b.c": "int LIMIT;\n"}),
    "it is put together elsewhere": (_moved(), {"b.h": "#define CAT(a, b) a##b\n", "b.c": "int k = CAT(LIM, IT);\n"}),
    "what is no C may have it": (_moved(), {"b.s": "mov LIMIT\n"}),
    "a file that can't be split has it": (_moved(), {"b.c": "#error don't /* LIMIT\nLIMIT\n"}),
    "too many files have it": (_moved(), {f"{number}.c": "int b; /* LIMIT */\n" for number in range(101)}),
    "a condition is around it": (
        _moved(header="#ifdef SMALL\n{}#endif\nint g(int a, int b);\n"),
        {},
    ),
    "a type that is packed": (
        _moved(TYPE, "#pragma pack(1)\n{}int g(int a, int b);\n", TYPES_USER),
        {},
    ),
    "a type of a size that is two things": (
        _moved("struct pair { int first[SIZE]; };\n", user=TYPES_USER),
        {"b.h": "#define SIZE 4\n", "c.h": "#define SIZE 5\n"},
    ),
    "a type beside another of the name": (_moved(TYPE, user=TYPES_USER), {"b.c": "struct pair { char *a; };\n"}),
    "a header of the system may ask for it": (
        _moved("#define FD_SETSIZE 7\n", user=USER.replace("LIMIT", "FD_SETSIZE")),
        {},
    ),
    "a name of the system's": (_moved("#define _LIMIT 7\n", user=USER.replace("LIMIT", "_LIMIT")), {}),
    "what nothing uses here may be for a system": (_moved(user=USER.replace("LIMIT", "1")), {}),
    "a header that comes after it may ask for it": (
        _moved(user=USER.replace('"a.h"\n', '"a.h"\n#include <b.h>\n', 1)),
        {},
    ),
    "a variable": (_moved("static int LIMIT = 7;\n"), {}),
    "a prototype that another file needs": (
        _moved(ANNOUNCED, user=ANNOUNCED_USER),
        {"b.c": '#include "a.h"\nint h(void) { return total(2); }\n'},
    ),
    "a prototype of something else": (
        _moved(ANNOUNCED, user=ANNOUNCED_USER.replace("int total(int a) {", "int total(long a) {")),
        {},
    ),
    "a prototype that a macro stands for": (
        _moved(ANNOUNCED, user=ANNOUNCED_USER),
        {"b.h": "#define total(a) other(a)\n"},
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_a_declaration_that_may_mean_two_things_may_not(name: str) -> None:
    versions, others = OPEN[name]
    assert EVOLUTION in classes(versions, others).values()


IDLE = "#define LIMIT 7\nint f(void) { return 1; }\n"


def test_a_macro_that_its_file_alone_sees_and_never_uses_may_go() -> None:
    found = judged({"a.c": (IDLE, IDLE.replace(MACRO, ""))}, {"b.c": "#define LIMIT 8\nint k = LIMIT;\n"})
    assert (found["a.c"].mutation_class, found["a.c"].reasons) == (REFACTOR, ("unused macros",))


@pytest.mark.parametrize(
    ("path", "text", "others"),
    [
        ("a.h", IDLE, {}),
        ("a.c", f"{IDLE}#include <b.h>\n", {}),
        ("a.c", f"{IDLE}int g = LIMIT;\n", {}),
        ("a.c", f"{IDLE}#ifdef LIMIT\nint g;\n#endif\n", {}),
        ("a.c", IDLE, {"b.c": '#include "a.c"\nint g = LIMIT;\n'}),
        ("a.c", "#define LIMIT 7\n#define CAT(a, b) a##b\nint f(void) { return CAT(LIM, IT); }\n", {}),
    ],
)
def test_a_macro_that_something_may_see_stays(path: str, text: str, others: dict[str, str]) -> None:
    assert classes({path: (text, text.replace(MACRO, ""))}, others)[path] is EVOLUTION


def test_a_file_that_moved_something_and_gave_a_declaration_away_says_both() -> None:
    function = "int k(int a) {\n  return a + 1;\n}\n"
    versions: Versions = {
        "a.c": (f"{MACRO}{function}int f(void) {{ return 1; }}\n", "int f(void) { return 1; }\n"),
        "b.c": ("int h(void) { return 2; }\n", f"int h(void) {{ return 2; }}\n{function}"),
        "c.h": ("int m(void);\n", f"int m(void);\n{MACRO}"),
        "d.c": ("int n = LIMIT;\nint o;\n", "int n = LIMIT;\nint p;\n"),
    }
    assert judged(versions)["a.c"].reasons == ("moved k to b.c", "moved LIMIT to c.h")


class _Silent(Repository):
    """A repository that does not say who has the word."""

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        return None if "LIMIT" in words else super().mentioning(words)


def test_a_repository_that_can_not_be_searched_proves_no_place() -> None:
    assert EVOLUTION in classes(_moved(), _Silent({})).values()
