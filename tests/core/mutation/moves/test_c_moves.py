"""Definitions of C that went to another file: a refactor if each name means the same there."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

HEADER = """#ifndef INTERNAL_H
#define INTERNAL_H
#ifdef __cplusplus
extern "C" {
#endif
#include "list.h"
int run(struct list *a);
#define LEN(a) ((a)->len)
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif
#define OPEN_MODE (1 | O_CLOEXEC)
#ifdef __cplusplus
}
#endif
#endif
"""
LIST = "#ifndef LIST_H\n#define LIST_H\nstruct list { int len; };\n#endif\n"
OTHERS = {"src/internal.h": HEADER, "src/list.h": LIST, "doc/a.md": "#ifndef\n", "src/old.h": '#ifndef A\nR"(\n'}
INCLUDE = '#include "internal.h"\n'
MADE = "static int made, *last = 0;\n#define STEP 2\n"
RUN = """int run(struct list *a) {
#ifndef NDEBUG
  made += STEP;
#endif
  return LEN(a);
}
"""
MAIN = "enum color { RED, BLUE };\nint main(void) { return run(0) + RED; }\n"
OTHER = "int other(int a) { return a; }\n"


def _moved(
    part: str = MADE + RUN,
    source: tuple[str, str] = (INCLUDE + MAIN, INCLUDE + MAIN),
    target: tuple[str, str] = (INCLUDE + OTHER, INCLUDE + OTHER),
    names: tuple[str, str] = ("src/core.c", "src/loop.c"),
) -> Versions:
    before, after = source
    had, has = target
    return {names[0]: (before + part, after), names[1]: (had, has + part)}


STDIO = "#include <stdio.h>\n"
SOUND: dict[str, Versions] = {
    "a function with its variable and its macro": _moved(),
    "with an include that it takes": _moved(
        source=(INCLUDE + STDIO + MAIN, INCLUDE + MAIN), target=(INCLUDE + OTHER, INCLUDE + STDIO + OTHER)
    ),
    "under a condition of the compiler": {
        "src/core.c": (f"#ifdef __GNUC__\n{RUN}#else\nint a;\n#endif\n", "#ifdef __GNUC__\n#else\nint a;\n#endif\n"),
        "src/loop.c": ("#ifdef __GNUC__\n#else\nint b;\n#endif\n", f"#ifdef __GNUC__\n{RUN}#else\nint b;\n#endif\n"),
    },
    "where headers stand in another order": _moved(
        source=('#include "internal.h"\n#include "list.h"\n#include "more.h"\n' + MAIN,) * 2,
        target=('#include "more.h"\n#include "list.h"\n#include "internal.h"\n' + OTHER,) * 2,
    ),
    "to another directory": _moved(names=("src/core.c", "lib/loop.c")),
    "past a part that only C++ reads": _moved(source=('extern "C" int a;\n' + INCLUDE + MAIN,) * 2),
    "with a header that has nothing of it": _moved(target=(INCLUDE + OTHER, INCLUDE + '#include "more.h"\n' + OTHER)),
    "with a header that mentions what others declare": _moved(
        target=(INCLUDE + OTHER, INCLUDE + '#include "talk.h"\n' + OTHER)
    ),
}
TALK = """#pragma once
struct list;
struct talk { struct list *a; int len; };
NO_CHECK("a") static struct list *talk_of(struct list *run, int len) { return run; }
enum { TALK_ONE, TALK_TWO };
int tell(struct list *a, int len)
#ifdef __GNUC__
  __attribute__((format(printf, 1, 2)))
#endif
  ;
"""


@pytest.mark.parametrize("name", SOUND)
def test_what_moved_to_another_file_is_a_refactor_of_both(name: str) -> None:
    more = {"src/more.h": "#pragma once\nint more(void);\ntypedef int more_t;\n", "src/talk.h": TALK}
    verdicts = judged(SOUND[name], {**OTHERS, **more})
    assert {verdict.mutation_class for verdict in verdicts.values()} == {REFACTOR}, verdicts


def test_the_reasons_say_what_moved_where() -> None:
    verdicts = judged(_moved(RUN.replace("made += STEP;", "")), OTHERS)
    assert verdicts["src/core.c"].reasons == ("moved run to src/loop.c",)
    assert verdicts["src/loop.c"].reasons == ("moved run from src/core.c",)


def test_a_new_file_may_take_it_and_a_header_announces_it() -> None:
    versions = {
        "src/core.c": (INCLUDE + RUN.replace("run", "walk") + MADE + MAIN, INCLUDE + MADE.replace("made", "m") + MAIN),
        "src/loop.c": (None, INCLUDE + RUN.replace("run", "walk")),
        "src/loop.h": ("int one(void);\n", "int one(void);\nextern int walk(struct list *a);\n"),
    }
    found = classes(versions, OTHERS)
    assert found["src/loop.h"] is EVOLUTION, "`made` is not there"
    whole = {**versions, "src/core.c": (INCLUDE + RUN.replace("run", "walk") + MAIN, INCLUDE + MAIN)}
    assert classes(whole, OTHERS)["src/core.c"] is REFACTOR
    assert judged(whole, OTHERS)["src/loop.h"].reasons == ("announces what moved",)


def test_a_name_that_the_change_renames_is_followed() -> None:
    new = RUN.replace("STEP", "PACE")
    versions = {
        "src/core.c": (INCLUDE + MAIN + MADE + RUN, INCLUDE + MAIN),
        "src/loop.c": (INCLUDE + OTHER, INCLUDE + OTHER + MADE.replace("STEP", "PACE") + new),
    }
    renamed = {**versions, "src/a.c": ("#define TWICE 2\nint b = TWICE;\n", "#define DOUBLE 2\nint b = DOUBLE;\n")}
    assert classes(renamed, OTHERS)["src/a.c"] is REFACTOR


TORN: dict[str, tuple[Versions, dict[str, str]]] = {
    "a macro of the other file": (_moved(target=(INCLUDE + "#define LEN(a) 1\n",) * 2), {}),
    "a macro of the file that it left": (_moved(source=(INCLUDE + "#define a b\n" + MAIN,) * 2), {}),
    "a hidden function of the other file": (
        _moved("int f(void) { return g(); }\n", target=("static int g(void) {}\n",) * 2),
        {},
    ),
    "a constant of the file that it left": (_moved("int f(void) { return RED; }\n"), {}),
    "a type of the other file": (_moved(target=(INCLUDE + "typedef struct { int b; } made;\n",) * 2), {}),
    "a variable that is used where it was": (_moved(source=(INCLUDE + MAIN, INCLUDE + MAIN + "int *c = &made;\n")), {}),
    "a variable that was another one there": (_moved(target=(INCLUDE + "int *b = &made;\n",) * 2), {}),
    "a macro of a header that one of them includes": (
        _moved(target=(INCLUDE + '#include "more.h"\n' + OTHER,) * 2),
        {"src/more.h": "#pragma once\n#define made 1\n"},
    ),
    "a macro that a header of both asks for": (
        _moved("int f(void) { return OPEN_MODE; }\n", target=('#include "more.h"\n' + INCLUDE + OTHER,) * 2),
        {"src/more.h": "#pragma once\n#define O_CLOEXEC 1\n"},
    ),
    "a type of a header of both that two other headers declare": (
        _moved(
            "long f(void) { return all; }\n",
            source=('#include "less.h"\n' + INCLUDE + MAIN,) * 2,
            target=('#include "more.h"\n' + INCLUDE,) * 2,
        ),
        {
            "src/more.h": "#pragma once\ntypedef int size;\n",
            "src/less.h": "#pragma once\ntypedef long size;\n",
            "src/internal.h": HEADER.replace("int run(", "extern size all;\nint run("),
        },
    ),
    "a header that is not there": (_moved(target=(INCLUDE + '#include "made.h"\n' + OTHER,) * 2), {}),
    "a header that can't be split": (_moved(target=(INCLUDE + '#include "old.h"\n' + OTHER,) * 2), {}),
    "a header of the system that may give what a header asks for": (
        _moved("int f(void) { return OPEN_MODE; }\n", target=("#include <fcntl.h>\n" + INCLUDE,) * 2),
        {},
    ),
    "a header of the system that makes macros of functions": (
        _moved(target=(INCLUDE + "#include <tgmath.h>\n",) * 2),
        {},
    ),
    "a condition of a header of the project": (_moved(RUN.replace("NDEBUG", "TRACE")), {}),
    "another condition there": (
        {
            "src/core.c": (INCLUDE + RUN + MAIN, INCLUDE + MAIN),
            "src/loop.c": (INCLUDE, INCLUDE + "#ifdef __linux__\n" + RUN + "#endif\n"),
        },
        {},
    ),
    "what tells where it stands": (_moved("int f(void) { return __LINE__; }\n"), {}),
    "what two headers of the system have": (_moved("int f(char *a) { return *basename(a); }\n"), {}),
    "other settings of the system's headers": (_moved(target=("#define _GNU_SOURCE\n" + INCLUDE,) * 2), {}),
    "an include in a function": (_moved(source=(INCLUDE + 'int f(void) {\n#include "f.h"\n}\n' + MAIN,) * 2), {}),
    "what no one can tell the names of": (_moved("MAKE(a)\n", names=("src/a.c", "src/b.c")), {}),
    "a macro that a function of the other file leaves behind": (
        _moved(target=("int g(void) {\n#define made 1\n}\n",) * 2),
        {},
    ),
    "the same headers in another order, where one needs the other": (
        _moved(
            source=('#include "more.h"\n#include "list.h"\n#include "internal.h"\n' + MAIN,) * 2,
            target=('#include "list.h"\n#include "more.h"\n#include "internal.h"\n' + OTHER,) * 2,
        ),
        {"src/more.h": "#pragma once\n#define len size\n"},
    ),
    "a file that is compiled in another way": (_moved(target=("#pragma pack(1)\n" + INCLUDE,) * 2), {}),
    "a function that a macro has a part in": (_moved("MAKE(a)\nint f(void) { return 1; }\n"), {}),
    "a file for one system": (_moved(names=("src/core.c", "src/core-linux.c")), {}),
    "a header": (_moved(names=("src/core.c", "src/core.h")), {}),
    "twice": ({**_moved(), "src/more.c": ("int m;\n", "int m;\n" + MADE + RUN)}, {}),
}


@pytest.mark.parametrize("name", TORN)
def test_it_is_none_if_a_name_may_mean_something_else_there(name: str) -> None:
    versions, headers = TORN[name]
    found = classes(versions, {**OTHERS, **headers})
    assert set(found.values()) == {EVOLUTION}, found


def test_a_macro_that_is_still_used_where_it_was_or_was_another_one_there_is_none_of_that_file() -> None:
    used = classes(_moved(source=(INCLUDE + MAIN, INCLUDE + MAIN + "int c = STEP;\n")), OTHERS)
    assert used["src/core.c"] is EVOLUTION
    other = classes(_moved(target=(INCLUDE + "int b = STEP;\n",) * 2), OTHERS)
    assert other["src/loop.c"] is EVOLUTION


def test_an_include_that_goes_is_none_if_what_stays_may_need_it() -> None:
    more = {**OTHERS, "src/more.h": "#pragma once\n#define RED 1\n"}
    versions = _moved(source=(INCLUDE + '#include "more.h"\n' + MAIN, INCLUDE + MAIN))
    assert classes(versions, more)["src/core.c"] is EVOLUTION
    asking = "#ifdef PATH_MAX\nint a;\n#endif\n"
    limits = _moved(source=(INCLUDE + "#include <limits.h>\n" + asking, INCLUDE + asking))
    assert classes(limits, OTHERS)["src/core.c"] is EVOLUTION


def test_what_only_a_compiler_of_cpp_reads_does_not_go_with_it() -> None:
    wrapped = '#ifdef __cplusplus\nextern "C" {\n#endif\nint one(void);\n#ifdef __cplusplus\n}\n#endif\n'
    bare = "#ifdef __cplusplus\n#endif\nint one(void);\n#ifdef __cplusplus\n}\n#endif\n"
    announced = "extern int run(struct list *a);\n"
    versions = {**_moved(), "src/loop.h": (wrapped, bare + announced)}
    assert classes(versions, OTHERS)["src/loop.h"] is EVOLUTION


def test_a_repository_that_can_not_be_searched_proves_nothing() -> None:
    assert set(classes(_moved(), Repository(OTHERS, can_search=False)).values()) == {EVOLUTION}


def test_files_that_can_not_be_split_or_are_too_large_prove_nothing() -> None:
    odd = {**_moved(), "src/odd.c": ("int a;\n", 'char *a = R"(b)";\n')}
    assert EVOLUTION in classes(odd, OTHERS).values()
    large = {**_moved(), "src/large.c": ("int a;\n", "int a = 1;\n" * 100_000)}
    assert set(classes(large, OTHERS).values()) == {EVOLUTION}


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_behaviour_mutant_passes_in_a_file_that_gave_something_away_or_in_the_one_that_has_it() -> None:
    chance = random.Random("moved")
    versions = _moved()
    made = 0
    for path, (before, after) in versions.items():
        for mutant in mutants(after or "", chance, 40, "c"):
            made += 1
            changed = {**versions, path: (before, mutant.after)}
            assert classes(changed, OTHERS)[path] is EVOLUTION, mutant
    assert made > 40
