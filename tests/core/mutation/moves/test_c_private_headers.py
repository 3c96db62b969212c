"""What headers of C declare for their repository alone: if nothing uses it, it may go; if one file does, be hidden."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
GUARD = "#ifndef A_H\n#define A_H\n{}int main_part(int a);\n#endif\n"
PUBLIC = {"include/lib.h": "#ifndef LIB_H\n#define LIB_H\nint lib(void);\n#endif\n"}
FUNCTION = "int total(int a)\n{\n\treturn a + 1;\n}\n"
REST = "int main_part(int a) { return a; }\n"


def _source(part: str) -> str:
    return f'#include "a.h"\n{part}{REST}'


def _gone(declared: str, defined: str = "", *, rest: str = "") -> Versions:
    """Something that a header declares and a file defines, before and after."""
    return {
        "src/a.h": (GUARD.format(declared), GUARD.format("")),
        "src/a.c": (_source(defined) + rest, _source("") + rest + ("" if defined else "/* same */\n")),
    }


UNUSED: dict[str, Versions] = {
    "a function": _gone("int total(int a);\n", FUNCTION),
    "functions that call each other": _gone(
        "int total(int a);\nint half(int a);\n",
        FUNCTION.replace("a + 1", "half(a)") + "int half(int a) { return total(a); }\n",
    ),
    "a function with a helper of its own": _gone(
        "int total(int a);\n", "static int one(int a) { return a; }\n" + FUNCTION.replace("a + 1", "one(a)")
    ),
    "a prototype without a function": _gone("int total(int a);\n"),
    "a macro": _gone("#define LIMIT 7\n"),
    "a type": _gone("struct pair { int first; };\n"),
    "a type, and a function of it": _gone(
        "struct pair { int first; };\nint total(struct pair *a);\n", "int total(struct pair *a) { return a->first; }\n"
    ),
    "a function that gives a type of the repository": _gone(
        "LOCAL_TYPE total(int a);\n", FUNCTION.replace("int total", "LOCAL_TYPE total")
    ),
}


@pytest.mark.parametrize("case", UNUSED)
def test_what_only_a_header_of_its_own_declares_may_go_if_nothing_uses_it(case: str) -> None:
    others = {**PUBLIC, "README.md": "total LIMIT pair\n", "src/types.h": "#define LOCAL_TYPE int\n#pragma once\n"}
    found = judged(UNUSED[case], others)
    assert EVOLUTION not in {verdict.mutation_class for verdict in found.values()}, found
    assert found["src/a.h"].mutation_class is REFACTOR
    assert "unused declarations" in found["src/a.h"].reasons


FUNCTION_GONE = UNUSED["a function"]
USED: dict[str, tuple[Versions, dict[str, str]]] = {
    "another file calls it": (FUNCTION_GONE, {"src/b.c": "int f(void) { return total(1); }\n"}),
    "another file finds it by its name": (FUNCTION_GONE, {"src/b.c": 'void *f(void) { return dlsym("total"); }\n'}),
    "a file of no C has its name": (FUNCTION_GONE, {"src/b.s": "call total\n"}),
    "a macro may paste its name": (FUNCTION_GONE, {"src/b.h": "#define CALL(a) to##a\nint f = CALL(tal)(1);\n"}),
    "there is no header for others": (FUNCTION_GONE, {"include/lib.h": ""}),
    "the header is for others": (
        {path.replace("src/a.h", "include/a.h"): texts for path, texts in FUNCTION_GONE.items()},
        {},
    ),
    "the file itself calls it": (
        {
            "src/a.h": FUNCTION_GONE["src/a.h"],
            "src/a.c": (
                _source(FUNCTION) + "int g(void) { return total(1); }\n",
                _source("") + "int g(void) { return 2; }\n",
            ),
        },
        {},
    ),
    "the program runs it": (
        _gone("int total(int a);\n", FUNCTION.replace("int total", "__attribute__((constructor)) int total")),
        {},
    ),
    "a macro before it may run it": (
        _gone("FIRST int total(int a);\n", FUNCTION.replace("int total", "FIRST int total")),
        {"src/b.h": "#define FIRST __attribute__((constructor))\n"},
    ),
    "a function used it": (
        {
            "src/a.h": (GUARD.format("#define LIMIT 7\n"), GUARD.format("")),
            "src/a.c": tuple(_source(f"int g(void) {{ return {limit}; }}\n") for limit in ("LIMIT", "8")),  # type: ignore[dict-item]
        },
        {},
    ),
    "the program finds it by its name": (
        {
            "src/a.h": FUNCTION_GONE["src/a.h"],
            "src/a.c": (_source(FUNCTION), _source('void *g(void) { return dlsym("total"); }\n')),
        },
        {},
    ),
    "a system may ask for it": (_gone("#define FD_SETSIZE 7\n"), {}),
    "it stands under a condition": (_gone("#ifdef WIN\nint total(int a);\n#endif\n", FUNCTION), {}),
    "another one comes": (
        {"src/a.h": (GUARD.format("#define LIMIT 7\n"), GUARD.format("#define LIMIT 8\n"))},
        {},
    ),
}


OWN = ("the file itself calls it", "the program runs it", "a macro before it may run it")


@pytest.mark.parametrize("case", USED)
def test_what_something_may_use_does_not_just_go(case: str) -> None:
    versions, others = USED[case]
    found = classes(versions, {**PUBLIC, **others})
    # What one file alone uses is no matter of a header.
    path = "src/a.c" if case in OWN else next(path for path in found if path.endswith(".h"))
    assert found[path] is EVOLUTION


def test_a_function_that_no_header_declares_may_be_what_others_begin_with() -> None:
    found = classes(_gone("int other(int a);\n", FUNCTION), PUBLIC)
    assert found == {"src/a.h": REFACTOR, "src/a.c": EVOLUTION}


CALLS = _source(FUNCTION) + "int g(void) { return total(1); }\n"
HIDDEN: dict[str, Versions] = {
    "a function": {
        "src/a.h": (GUARD.format("int total(int a);\n"), GUARD.format("")),
        "src/a.c": (CALLS, CALLS.replace("int total", "static int total")),
    },
    "a variable": {
        "src/a.h": (GUARD.format("extern int total;\n"), GUARD.format("")),
        "src/a.c": tuple(
            _source(f"{word}int total;\n") + "int g(void) { return total; }\n" for word in ("", "static ")
        ),  # type: ignore[dict-item]
    },
    "a list": {
        "src/a.h": (GUARD.format("extern int total[2];\n"), GUARD.format("")),
        "src/a.c": tuple(
            _source(f"{word}int total[2];\n") + "int g(void) { return total[1]; }\n" for word in ("", "static ")
        ),  # type: ignore[dict-item]
    },
}
HIDDEN |= {
    f"{name}, the other way round": {path: texts[::-1] for path, texts in case.items()} for name, case in HIDDEN.items()
}


@pytest.mark.parametrize("case", HIDDEN)
def test_what_one_file_alone_uses_may_be_hidden_in_it_or_be_announced(case: str) -> None:
    found = judged(HIDDEN[case], {**PUBLIC, "src/b.c": '#include "a.h"\nint f(void) { return main_part(1); }\n'})
    assert {verdict.mutation_class for verdict in found.values()} == {REFACTOR}, found
    assert found["src/a.h"].reasons == ("only one file uses it",)


SEEN = {
    "another file uses it": {"src/b.c": '#include "a.h"\nint f(void) { return total(1); }\n'},
    "another file finds it by its name": {"src/b.c": 'void *f(void) { return dlsym("total"); }\n'},
    "a file of no C has its name": {"src/b.s": "call total\n"},
    "a macro of a header has it": {"src/b.h": "#pragma once\n#define TWICE total(total(1))\n"},
    "a macro may paste its name": {"src/b.h": "#define CALL(a) to##a\nint f = CALL(tal)(1);\n"},
    "there is no header for others": {"include/lib.h": ""},
}


@pytest.mark.parametrize("case", SEEN)
def test_what_others_may_use_is_no_matter_of_one_file(case: str) -> None:
    assert EVOLUTION in classes(HIDDEN["a function"], {**PUBLIC, **SEEN[case]}).values()


def test_a_function_that_the_program_finds_by_its_name_is_not_hidden() -> None:
    finds = 'void *h(void) { return dlsym("total"); }\n'
    versions = {
        path: (before + finds * path.endswith(".c"), after + finds * path.endswith(".c"))
        for path, (before, after) in HIDDEN["a function"].items()
    }
    assert set(classes(versions, PUBLIC).values()) == {EVOLUTION}
    alone = {"src/a.c": versions["src/a.c"]}
    assert classes(alone, PUBLIC)["src/a.c"] is EVOLUTION


def test_what_another_library_defines_is_announced_for_the_file_that_uses_it() -> None:
    calls = _source("int g(void) { return total(1); }\n")
    versions: Versions = {
        "src/a.h": HIDDEN["a function"]["src/a.h"],
        "src/a.c": (calls, calls.replace("1", "2")),
    }
    assert classes(versions, PUBLIC)["src/a.h"] is EVOLUTION


def test_what_two_files_of_the_change_use_is_no_matter_of_one() -> None:
    user = "int f(void) { return total(1); }\n"
    versions = {**HIDDEN["a function"], "src/b.c": (user, user.replace("1", "2"))}
    assert classes(versions, PUBLIC)["src/a.h"] is EVOLUTION


def test_a_header_that_others_include_announces_for_them() -> None:
    public = {path.replace("src/a.h", "include/a.h"): texts for path, texts in HIDDEN["a function"].items()}
    assert set(classes(public, PUBLIC).values()) == {EVOLUTION}


class _Silent(Repository):
    """It can't be searched for its headers, or has too many files with the word."""

    def __init__(self, word: str) -> None:
        super().__init__(PUBLIC)
        self._word = word

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        return None if self._word in words else super().mentioning(words)


@pytest.mark.parametrize("word", ["pragma", "total"])
@pytest.mark.parametrize("versions", [FUNCTION_GONE, HIDDEN["a function"]])
def test_a_repository_that_can_not_be_searched_proves_nothing(word: str, versions: Versions) -> None:
    assert EVOLUTION in classes(versions, _Silent(word)).values()


SAID = "int total(int a);\n"
SAYS = '#include "a.h"\nint total(int b) { return b; }\nint f(void) { return total(1); }\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (SAID, f"{SAID}extern int total(int a);\n".replace("extern ", "")),
        (f"{SAID}int other(void);\n{SAID}", f"{SAID}int other(void);\n"),
        (f"{SAID}int other(void);\n", f"int other(void);\n{SAID}"),
    ],
)
def test_prototypes_may_be_said_twice_and_in_any_order(before: str, after: str) -> None:
    versions: Versions = {"a.h": (before, after)}
    assert classes(versions, {"a.c": SAYS, "tool.py": "total\n"})["a.h"] is REFACTOR


def test_one_prototype_is_needed() -> None:
    versions: Versions = {"a.h": (SAID, "int other(void);\n")}
    assert classes(versions, {"a.c": SAYS})["a.h"] is EVOLUTION
    exposed: Versions = {"a.h": ("int other(void);\n", f"int other(void);\n{SAID}")}
    assert classes(exposed, {"a.c": SAYS})["a.h"] is EVOLUTION
    twice: Versions = {"a.h": (f"{SAID}#define total(a) 1\n{SAID}", f"#define total(a) 1\n{SAID}")}
    assert classes(twice, {"a.c": SAYS})["a.h"] is EVOLUTION
