"""What a name means in a file of C: other includes change nothing where each name stays the same, nor does a move."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

LIST = """#ifndef LIST_H
#define LIST_H
struct item;
struct list { struct item *first; int len, *all[9]; unsigned flag : 1; };
#define LEN(a) ((a)->len)
#ifdef LIST_CHECKED
#define CHECK(a) check_list(a)
#else
#define CHECK(a)
#endif
#ifndef NAME_MAX
#define NAME_MAX 255
#endif
typedef int list_size;
list_size size_of(const struct list *len);
#endif
"""
OTHERS = {
    "src/list.h": LIST,
    "src/item.h": '#pragma once\n#include "list.h"\nstruct item { int id; };\nint id_of(struct item *a);\n',
    "src/more.h": "#pragma once\n#define MORE 1\ntypedef int more;\nstatic inline int len(void) { return 1; }\n",
}
USER = "int user(struct list *a, int len) {\n  CHECK(a);\n  return LEN(a) + len;\n}\n"
ONE, BOTH = '#include "list.h"\n', '#include "list.h"\n#include "item.h"\n'


def _included(before: str, after: str, user: str = USER) -> Versions:
    return {"src/a.c": (before + user, after + user)}


SAME: dict[str, tuple[Versions, dict[str, str]]] = {
    "a header goes that declares nothing of it": (_included(BOTH, ONE), {}),
    "a header comes": (
        _included(ONE, ONE + '#include "more.h"\n', USER.replace(" len)", " n)").replace("+ len", "")),
        {},
    ),
    "a header that has the other one": (_included(ONE, '#include "item.h"\n'), {}),
    "a header of the system, below": (_included(ONE + "#include <stdio.h>\n", ONE), {}),
    "a header of the system, above, that answers nothing": (_included("#include <stdio.h>\n" + ONE, ONE), {}),
    "a header of another project, by one of this": (
        _included(ONE, ONE + '#include "z.h"\n'),
        {"src/z.h": '#pragma once\n#include "zlib/zlib.h"\n#include <curses.h>\n'},
    ),
    "headers of POSIX": (_included(ONE, ONE + "#include <sys/types.h>\n#include <unistd.h>\n"), {}),
    "a header that the build names": (
        _included(ONE, ONE + '#include "extra.h"\n'),
        {"src/extra.h": "#pragma once\n#ifdef EXTRA_H\n#include EXTRA_H\n#endif\n"},
    ),
    "headers in another order": (_included(BOTH, '#include "item.h"\n#include "list.h"\n'), {}),
    "a type that goes to a header": (
        {
            "src/a.c": (
                ONE + "struct own { int b; };\nint f(struct own *a) { return a->b; }\n",
                ONE + '#include "own.h"\nint f(struct own *a) { return a->b; }\n',
            ),
            "src/own.h": (None, "#pragma once\nstruct own { int b; };\n"),
        },
        {},
    ),
    "a header that all of which stands below a check": (
        _included(ONE, ONE + '#include "checked.h"\n'),
        {
            "src/checked.h": "#ifndef __BUILD\n#error no\n#endif\n#ifndef CHECKED_H\n#define CHECKED_H\n"
            "#ifdef _WIN32\n#define CHECKED 1\n#endif\nint checked(void);\n#endif\n"
        },
    ),
    "a name that a header only gives to a parameter or a member": (
        _included(ONE, ONE + '#include "named.h"\n', "int f(int named) { return named; }\n"),
        {"src/named.h": "#pragma once\nint g(int named);\nstruct name { int named; };\nextern int (*h)(int *named);\n"},
    ),
    "a macro that is called, of the name of a member": (
        _included(ONE, ONE + '#include "called.h"\n'),
        {"src/called.h": "#pragma once\n#define len(a) more(a)\n"},
    ),
    "a header goes under a condition": (
        {"src/a.c": (f"#ifdef A\n{BOTH}#endif\n{USER}", f"#ifdef A\n{ONE}#endif\n{USER}")},
        {},
    ),
    "conditions that have only decided about it": (
        _included(f'{ONE}#if A\n#ifdef B\n#include "item.h"\n#else\n#include <stdio.h>\n#endif\n#endif\n', ONE),
        {},
    ),
    "types that are announced": ({"src/b.h": ("int a;\n", "struct list;\nunion b;\nint a;\n")}, {}),
}


@pytest.mark.parametrize("name", SAME)
def test_other_includes_are_a_refactor_where_each_name_is_the_same(name: str) -> None:
    versions, others = SAME[name]
    found = classes(versions, {**OTHERS, **others})
    assert {found[path] for path, (before, _) in versions.items() if before is not None} == {REFACTOR}, found


def test_the_reason_says_that_includes_are_others() -> None:
    found = judged(_included(BOTH, ONE), OTHERS)["src/a.c"]
    assert found.reasons == ("other includes, in which each name means the same",)


OTHER: dict[str, tuple[Versions, dict[str, str]]] = {
    "a macro that it uses": (
        _included(ONE, ONE + '#include "len.h"\n'),
        {"src/len.h": "#pragma once\n#define len 2\n"},
    ),
    "a macro that one of its macros uses": (
        _included(ONE, ONE + '#include "c.h"\n'),
        {"src/c.h": "#pragma once\n#define check_list(a) 1\n"},
    ),
    "a type that one of its types is made of": (
        _included('#include "size.h"\n' + ONE, ONE, "list_size f(struct list *a) { return size_of(a); }\n"),
        {"src/size.h": "#pragma once\n#define list_size long\n"},
    ),
    "what a condition of a header asks for": (
        _included("#define LIST_CHECKED 1\n" + ONE, ONE),
        {},
    ),
    "what a condition of a header asks for, from a header": (
        _included('#include "set.h"\n' + ONE, ONE),
        {"src/set.h": "#pragma once\n#define LIST_CHECKED 1\n"},
    ),
    "what the system may answer in a header": (
        _included("#include <limits.h>\n" + ONE, ONE, "int f(char a[NAME_MAX]) { return a[0]; }\n"),
        {},
    ),
    "what the system may answer below": (
        _included(ONE + "#include <limits.h>\n", ONE, "#ifdef PATH_MAX\nint f(void) { return 1; }\n#endif\n"),
        {},
    ),
    "a variable of a header": (_included(ONE, ONE + '#include "v.h"\n'), {"src/v.h": "#pragma once\nint v;\n"}),
    "a function of a header": (
        _included(ONE, ONE + '#include "v.h"\n'),
        {"src/v.h": "#pragma once\nint v(void) { }\n"},
    ),
    "headers that tell where they stand": (
        _included(ONE + '#include "v.h"\n', ONE + '#include "w.h"\n'),
        dict.fromkeys(("src/v.h", "src/w.h"), "#pragma once\nint v = sizeof(__FILE__);\n"),
    ),
    "what a header makes with a macro": (
        _included(ONE, ONE + '#include "v.h"\n'),
        {"src/v.h": "#pragma once\nMAKE(v);\n"},
    ),
    "what chooses a type": (
        _included(
            '#include "set.h"\n#include "size.h"\n', '#include "size.h"\n', "size_of_all f(void) { return 1; }\n"
        ),
        {
            "src/set.h": "#pragma once\n#define SMALL_SIZE 1\n",
            "src/size.h": "#pragma once\n#ifdef SMALL_SIZE\ntypedef short size_of_all;\n#else\n"
            "typedef long size_of_all;\n#endif\n",
        },
    ),
    "a setting of the system that comes too late": (
        _included("#define _GNU_SOURCE 1\n#include <stdio.h>\n", "#include <string.h>\n#define _GNU_SOURCE 1\n"),
        {},
    ),
    "a setting of the project that comes too late": (
        _included("#define LIST_CHECKED 1\n" + ONE, '#include "item.h"\n#define LIST_CHECKED 1\n'),
        {},
    ),
    "a type that a macro makes more of": (
        {"src/b.h": ("int a;\n", "struct made;\nint a;\n")},
        {"src/m.h": "#define made { int b; } c\n"},
    ),
    "a header that packs": (
        _included(ONE, ONE + '#include "p.h"\n'),
        {"src/p.h": "#pragma pack(1)\n"},
    ),
    "a header that is not there": (_included(ONE, ONE + '#include "none.h"\n'), {}),
    "a header with settings": (_included(ONE, ONE + '#include "build/config.h"\n'), {}),
    "one of two headers": (
        {"app/a.c": ("int f;\n", '#include "more.h"\nint f;\n')},
        {"lib/more.h": "#pragma once\n"},
    ),
    "a header with no end": (_included(ONE, ONE + '#include "odd.h"\n'), {"src/odd.h": '#ifndef A\nR"(\n'}),
    "a header that is too large": (
        _included(ONE, ONE + '#include "l.h"\n'),
        {"src/l.h": "#pragma once\n" + "int a(void);\n" * 40_000},
    ),
    "an order that matters to a call": (
        _included(
            '#include "a.h"\n#include "b.h"\n', '#include "b.h"\n#include "a.h"\n', "int f(void) { return b(); }\n"
        ),
        {
            "src/a.h": "#pragma once\n#define made(a) other(a)\n",
            "src/b.h": "#pragma once\nint made(int a);\nstatic inline int b(void) { return made(1); }\n",
        },
    ),
    "an order that matters": (
        _included(ONE + '#include "a.h"\n', '#include "a.h"\n' + ONE),
        {"src/a.h": "#pragma once\n#define len size\n"},
    ),
    "a header of the system that comes before the project's": (
        _included(ONE + "#include <limits.h>\n", "#include <limits.h>\n" + ONE, "char f[NAME_MAX];\n"),
        {},
    ),
    "a header of another project": (_included(ONE, ONE + '#include "zlib/zlib.h"\n'), {}),
    "a header that may have any name": (_included(ONE, ONE + "#include <curses.h>\n"), {}),
    "a header of the system that makes macros": (_included(ONE + "#include <tgmath.h>\n", ONE), {}),
    "settings of the system": (
        {"src/a.c": ("#define _GNU_SOURCE\n" + ONE + USER, ONE + '#include "item.h"\n' + USER)},
        {},
    ),
    "a file that is compiled in another way": (_included("#pragma pack(1)\n" + BOTH, "#pragma pack(1)\n" + ONE), {}),
    "a macro of the name of a member": (
        _included(ONE, ONE + '#include "f.h"\n', "struct list *f(struct list *a) { return a->first; }\n"),
        {"src/f.h": "#pragma once\n#define first last\n"},
    ),
    "a constant of the name of what it uses": (
        _included(ONE, ONE + '#include "e.h"\n', "int f(void) { return RED; }\n"),
        {"src/e.h": "#pragma once\nenum { RED };\n"},
    ),
    "a macro that it uses, under a condition": (
        _included(f'{ONE}#if A\n#include "f.h"\n#endif\n', ONE, "int f(int a) { return MORE(a); }\n"),
        {"src/f.h": "#pragma once\n#define MORE(a) 1\n"},
    ),
    "a condition that decides about more": (
        _included(f'{ONE}#if A\n#include "item.h"\nint b;\n#endif\n', ONE + "int b;\n"),
        {},
    ),
    "a condition that had nothing to decide": (_included(f"{BOTH}#if A\n#error A\n#endif\n", ONE), {}),
    "what a header of C++ has": ({"src/b.h": ("int a;\n", "struct list *b;\nint a;\n")}, {}),
}


@pytest.mark.parametrize("name", OTHER)
def test_other_includes_are_behaviour_where_a_name_may_be_another(name: str) -> None:
    versions, others = OTHER[name]
    assert EVOLUTION in classes(versions, {**OTHERS, **others}).values()


HELPER = "int helper(struct list *a) {\n  CHECK(a);\n  return LEN(a);\n}\n"
CALLS = "int call(struct list *a) { return helper(a); }\n"
ANNOUNCED = "#pragma once\nstruct list;\nint helper(struct list *of);\n"


def _opened(home: str = ONE, users: str = CALLS, header: str = ANNOUNCED, more: str = "") -> Versions:
    include = '#include "helper.h"\n'
    return {
        "src/a.c": (f"{home}{include}static {HELPER}{users}", f"{home}{include}{users}"),
        "lib/b.c": (f"{ONE}{more}int b;\n", f"{ONE}{more}int b;\n{HELPER}"),
        "src/helper.h": ("#pragma once\n", header),
    }


def _closed(users: str = "") -> Versions:
    return {
        "src/a.c": (f"{ONE}int a;\n{HELPER}", f"{ONE}int a;\n"),
        "lib/b.c": (f'{ONE}#include "helper.h"\n{CALLS}', f'{ONE}#include "helper.h"\nstatic {HELPER}{CALLS}'),
        "src/helper.h": (ANNOUNCED, "#pragma once\n"),
        **({"src/c.c": (f"{users}int c;\n", f"{users}int d;\n")} if users else {}),
    }


MOVED: dict[str, tuple[Versions, dict[str, str]]] = {
    "what only its file saw, and the whole program does": (_opened(), {}),
    "with the prototype that it had": (
        {
            path: (before.replace("static int helper", "static int helper(struct list *);\nstatic int helper"), after)
            for path, (before, after) in _opened().items()
            if before is not None
        },
        {},
    ),
    "what the whole program saw, and only its file does": (_closed(), {}),
    "a variable that a header announces": (
        {
            "src/a.c": (ONE + "static int total = 1;\nint a;\n", ONE + "int a;\n"),
            "src/b.c": (ONE + "int b;\n", ONE + "int b;\nint total = 1;\n"),
            "src/b.h": ("#pragma once\n", "#pragma once\nextern int total;\n"),
        },
        {},
    ),
    "what a header announces with a macro": (
        _opened(header="#pragma once\nAPI(int) helper(struct list *a);\n"),
        {"src/api.h": "#pragma once\n#define API(type) extern type\n"},
    ),
    "a header that both include first answers the rest": (
        _opened(home=ONE + "#include <limits.h>\n", users=CALLS),
        {},
    ),
    "what uses a type of the name of a function": (
        {
            "src/a.c": (
                BOTH + "int item(void) { return 1; }\nint f(struct item *a) { return a->id; }\n",
                BOTH + "int item(void) { return 1; }\n",
            ),
            "src/b.c": (BOTH + "int b;\n", BOTH + "int b;\nint f(struct item *a) { return a->id; }\n"),
        },
        {},
    ),
    "below brackets that two branches open": (
        {
            "src/a.c": (f"{ONE}int b;\n{HELPER}", f"{ONE}int b;\n"),
            "src/b.c": (
                ONE
                + "int c(int a) {\n#ifdef A\n  if (a) {\n#else\n  if (!a) {\n#endif\n    a++;\n  }\n  return a;\n}\n",
                ONE
                + "int c(int a) {\n#ifdef A\n  if (a) {\n#else\n  if (!a) {\n#endif\n    a++;\n  }\n  return a;\n}\n"
                + HELPER,
            ),
        },
        {},
    ),
    "a type that only one of them knows": (
        {
            "src/a.c": (BOTH + "int f(struct item *a) { return id_of(a); }\nint b;\n", BOTH + "int b;\n"),
            "src/b.c": (
                ONE + "int id_of(struct item *a);\n",
                ONE + "int id_of(struct item *a);\nint f(struct item *a) { return id_of(a); }\n",
            ),
        },
        {},
    ),
    "a macro under a condition of the project": (
        {
            "src/a.c": (
                f"{ONE}#ifdef LIST_TRACED\n{HELPER}#endif\nint b;\n",
                f"{ONE}#ifdef LIST_TRACED\n#endif\nint b;\n",
            ),
            "src/b.c": (f"{ONE}#ifdef LIST_TRACED\n#endif\n", f"{ONE}#ifdef LIST_TRACED\n{HELPER}#endif\n"),
        },
        {},
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_what_moves_may_be_seen_by_more_or_fewer_files(name: str) -> None:
    versions, others = MOVED[name]
    found = classes(versions, {**OTHERS, **others})
    assert {found[path] for path, (before, _) in versions.items() if before is not None} == {REFACTOR}, found


TORN: dict[str, tuple[Versions, Repository | dict[str, str]]] = {
    "another file has the name": (_opened(), {"src/z.c": "static int helper(void) { return 2; }\n"}),
    "another file of the change has the name": (_opened(more="int z(int helper) { return helper; }\n"), {}),
    "who uses it is not told of it": (_opened(header="#pragma once\n"), {}),
    "another file used what only one sees now": (_closed("int helper();\n"), {}),
    "a file beside the change uses it": (_closed(), {"src/z.c": "int helper();\nint z = helper(0);\n"}),
    "a type that one of them does not have": (
        {
            "src/a.c": (ONE + "list_size f(void) { return 1; }\nint b;\n", ONE + "int b;\n"),
            "src/b.c": ("int c;\n", "int c;\nlist_size f(void) { return 1; }\n"),
        },
        {},
    ),
    "a variable of a header that each file has": (
        {
            "src/a.c": ('#include "s.h"\nint f(void) { return s++; }\nint b;\n', '#include "s.h"\nint b;\n'),
            "src/b.c": ('#include "s.h"\nint c;\n', '#include "s.h"\nint c;\nint f(void) { return s++; }\n'),
        },
        {"src/s.h": "#pragma once\nstatic int s;\n"},
    ),
    "a function of a header that counts for each file": (
        {
            "src/a.c": ('#include "s.h"\nint f(void) { return s(); }\nint b;\n', '#include "s.h"\nint b;\n'),
            "src/b.c": ('#include "s.h"\nint c;\n', '#include "s.h"\nint c;\nint f(void) { return s(); }\n'),
        },
        {"src/s.h": "#pragma once\nstatic inline int s(void) { static int n; return n++; }\n"},
    ),
    "a name that a header gives to a macro": (
        {
            "src/a.c": ('#include "s.h"\nint f(void) { return made(); }\nint b;\n', '#include "s.h"\nint b;\n'),
            "src/b.c": ("int c;\n", "int c;\nint f(void) { return made(); }\n"),
        },
        {"src/s.h": "#pragma once\nMAKE(struct list, made)\n"},
    ),
    "a header that one of them includes under a condition": (
        {
            "src/a.c": (f"#ifdef A\n{ONE}#endif\n{HELPER}int b;\n", f"#ifdef A\n{ONE}#endif\nint b;\n"),
            "src/b.c": (ONE + "int c;\n", f"{ONE}int c;\n{HELPER}"),
        },
        {},
    ),
    "a header that a header includes under a condition": (
        {
            "src/a.c": (
                '#define A_SET 1\n#include "if.h"\nint f(void) { return MORE; }\nint b;\n',
                '#define A_SET 1\n#include "if.h"\nint b;\n',
            ),
            "src/b.c": ('#include "if.h"\nint c;\n', '#include "if.h"\nint c;\nint f(void) { return MORE; }\n'),
        },
        {"src/if.h": '#pragma once\n#ifdef A_SET\n#include "more.h"\n#endif\n'},
    ),
    "a header of the same name beside each": (
        {
            "src/a.c": ('#include "x.h"\nint f(void) { return X; }\nint b;\n', '#include "x.h"\nint b;\n'),
            "lib/b.c": ('#include "x.h"\nint c;\n', '#include "x.h"\nint c;\nint f(void) { return X; }\n'),
        },
        {"src/x.h": "#pragma once\n#define X 1\n", "lib/x.h": "#pragma once\n#define X 2\n"},
    ),
    "a header of which nobody can tell which it is": (
        {
            "src/a.c": ('#include "x.h"\nint f(void) { return X; }\nint b;\n', '#include "x.h"\nint b;\n'),
            "lib/b.c": ('#include "x.h"\nint c;\n', '#include "x.h"\nint c;\nint f(void) { return X; }\n'),
        },
        {"one/x.h": "#pragma once\n#define X 1\n", "two/x.h": "#pragma once\n#define X 1\n"},
    ),
    "tests that take a function of the program": (
        {
            "src/a.c": (f"{ONE}{HELPER}int b;\n", f"{ONE}int b;\n"),
            "tests/b.c": (f"{ONE}int c;\n", f"{ONE}int c;\n{HELPER}"),
        },
        {},
    ),
}


@pytest.mark.parametrize("name", TORN)
def test_what_moves_is_behaviour_where_someone_may_see_something_else(name: str) -> None:
    versions, others = TORN[name]
    found = classes(versions, {**OTHERS, **others} if isinstance(others, dict) else others)
    moved = {path for path, (before, after) in versions.items() if before != after and not path.endswith(".h")}
    assert EVOLUTION in {found[path] for path in moved}, found
