"""Macros of C and their texts: the same where the macro means one thing, and nothing makes a text of it."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, judged

EXPANDED = "a macro and its text"
REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
GUARDED = "#ifndef M_H\n#define M_H\n{}#endif\n"
INCLUDE = '#include "m.h"\n'
FIRST = "#define FIRST(a) ((a)->first)\n"


def _in(body: str, before: str = INCLUDE) -> str:
    return f"{before}int f(struct s *b) {{ {body} }}\n"


def _class(old: str, new: str, others: dict[str, str] | Repository) -> tuple[MutationClass, tuple[str, ...]]:
    verdict = judged({"a.c": (old, new)}, others)["a.c"]
    return verdict.mutation_class, verdict.reasons


SAME = [
    (FIRST, "return FIRST(b);", "return b->first;"),
    (FIRST, "return FIRST(g(1, 2));", "return g(1, 2)->first;"),
    (FIRST, "return FIRST(FIRST(b));", "return b->first->first;"),
    ("#define LIMIT 10\n", "return LIMIT;", "return 10;"),
    ("#define NOW() time(0)\n", "return NOW();", "return time(0);"),
    (f"{FIRST}#define HEAD(a) FIRST(a)\n", "return HEAD(b);", "return b->first;"),
    ("#define BOTH(a, b) do { g(a); h(b); } while (0)\n", "BOTH(b, 1);", "g(b); h(1);"),
    ("#define PAIR 1, 2\n", "return g(PAIR);", "return g(1, 2);"),
    ("#define WAIT {}\n".format("sleep(1)"), "WAIT; k(b);", "sleep(1); k(b);"),
]
OTHER = [
    (FIRST, "return FIRST(b);", "return b->second;"),
    (f"#ifdef A\n{FIRST}#endif\n", "return FIRST(b);", "return b->first;"),
    (f"#ifdef A\n#else\n{FIRST}#endif\n", "return FIRST(b);", "return b->first;"),
    (f"{FIRST}#undef FIRST\n", "return FIRST(b);", "return b->first;"),
    (f"{FIRST}#define FIRST(a) 1\n", "return FIRST(b);", "return b->first;"),
    ("#define NAME(a) #a\n", "return NAME(b);", 'return "b";'),
    ("#define JOIN(a) a##1\n", "return JOIN(b);", "return b1;"),
    ("#define MANY(...) g(__VA_ARGS__)\n", "return MANY(b);", "return g(b);"),
    ("#define ITSELF ITSELF + 1\n", "return ITSELF;", "return ITSELF + 1;"),
    ("#define ONE TWO + 1\n#define TWO ONE\n", "return ONE;", "return TWO + 1;"),
    (f"{FIRST}#define SHOW(a) g(#a, a)\n", "return SHOW(FIRST(b));", "return SHOW(((b)->first));"),
    (FIRST, "return assert(FIRST(b));", "return assert(((b)->first));"),
    ("#define PAIR 1, 2\n#define GIVE(a) g(a)\n", "return GIVE(PAIR);", "return GIVE(1, 2);"),
    (FIRST, "return FIRST;", "return first;"),
    ("#define ONE(a) g(a)\n", "ONE({1, 2});", "g({1, 2});"),
    (FIRST, "return FIRST(b, 1);", "return b->first;"),
    (FIRST, "return FIRST(\n#if A\nb\n#endif\n);", "return (\n#if A\nb\n#endif\n)->first;"),
    (FIRST, "return b->FIRST(b);", "return b->b->first;"),
    ("#define SUM 1 + 2\n", "return SUM * 2;", "return (1 + 2) * 2;"),
]


@pytest.mark.parametrize(("macros", "old", "new"), SAME)
def test_the_text_of_a_macro_may_stand_in_its_place(macros: str, old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        mutation_class, reasons = _class(_in(before), _in(after), {"m.h": GUARDED.format(macros)})
        assert mutation_class is REFACTOR, reasons
        assert EXPANDED in reasons


@pytest.mark.parametrize(("macros", "old", "new"), OTHER)
def test_another_text_is_behaviour(macros: str, old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        mutation_class, reasons = _class(_in(before), _in(after), {"m.h": GUARDED.format(macros)})
        assert mutation_class is EVOLUTION, reasons


@pytest.mark.parametrize(
    "others",
    [
        Repository({}, can_search=False),
        {},
        {"n.h": GUARDED.format(FIRST)},
        {"m.h": FIRST + "#error \"don't // say\n"},
        {"m.h": FIRST, "m.h.in": FIRST},
        {"m.h": FIRST, "other/m.h": FIRST},
        {"m.h": FIRST + " " * (1 << 19)},
    ],
)
def test_a_macro_that_the_file_may_not_see_is_another_thing(others: dict[str, str] | Repository) -> None:
    assert _class(_in("return FIRST(b);"), _in("return b->first;"), others)[0] is EVOLUTION


def test_a_header_that_another_one_includes_is_seen() -> None:
    others = {
        "m.h": '#pragma once\n#include <stdio.h>\n#include "n.h"\n',
        "n.h": GUARDED.format('#include "m.h"\n' + FIRST),
    }
    assert _class(_in("return FIRST(b);"), _in("return b->first;"), others)[0] is REFACTOR
    hidden = {**others, "m.h": '#ifndef X\n#pragma once\n#include "n.h"\n#endif\n'}
    assert _class(_in("return FIRST(b);"), _in("return b->first;"), hidden)[0] is EVOLUTION


def test_a_macro_of_the_file_itself_is_seen_below_its_definition() -> None:
    old = _in("return FIRST(b);", FIRST)
    assert _class(old, _in("return b->first;", ""), {})[0] is REFACTOR
    assert (
        _class(_in("\n#define ONE 1\n return ONE;", ""), _in("return 1;", ""), {"c.c": "#define ONE 2\n"})[0]
        is REFACTOR
    )
    above = f"int g(struct s *b) {{ return FIRST(b); }}\n{FIRST}int h;\n"
    assert _class(above, above.replace("FIRST(b)", "b->first"), {})[0] is EVOLUTION


def test_a_header_of_the_change_is_read_as_it_is_before_and_after() -> None:
    versions: Versions = {
        "a.c": (_in("return b->first;"), _in("return FIRST(b);")),
        "m.h": ("int k;\n", f"int k;\n{FIRST}"),
    }
    found = judged(versions)
    assert found["a.c"].mutation_class is REFACTOR
    assert found["m.h"].mutation_class is EVOLUTION


def test_many_macros_in_one_another_are_not_followed_for_ever() -> None:
    macros = "".join(f"#define A{number} A{number + 1}\n" for number in range(9)) + "#define A9 1\n"
    assert _class(_in("return A0;"), _in("return 1;"), {"m.h": GUARDED.format(macros)})[0] is EVOLUTION
    assert _class(_in("return A6;"), _in("return 1;"), {"m.h": GUARDED.format(macros)})[0] is REFACTOR


def test_a_local_name_in_a_macro_that_can_not_be_read_keeps_its_name() -> None:
    others = {
        "m.h": "#define ODD(x) ??/ result\n#define SEEN(x) (result + x)\n"
        "#define BLIND(x) (x + MORE(x))\n#define MORE(x) x\n"
    }
    for macro, mutation_class in (("ODD", EVOLUTION), ("SEEN", EVOLUTION), ("BLIND", REFACTOR)):
        old, new = (_in(f"int {name} = g(b); return {macro}(1) + {name};", "") for name in ("code", "result"))
        assert _class(old, new, others)[0] is mutation_class


def test_a_name_that_is_pasted_somewhere_is_not_unused() -> None:
    old = "#define JOIN(a, b) a##b\nint n;\n#define GONE_A 1\nint m = JOIN(GONE_, A);\n"
    assert _class(old, old.replace("#define GONE_A 1\n", ""), {})[0] is EVOLUTION
    here = old.replace("#define JOIN(a, b) a##b\n", "")
    assert _class(here, here.replace("#define GONE_A 1\n", ""), {"m.h": "#define JOIN(a, b) a##b\n"})[0] is EVOLUTION


UNUSED = [
    ("int n;\n#define GONE 1\nint m;\n", "int n;\nint m;\n", REFACTOR),
    ("int n;\n#define GONE(a) GONE\nint m;\n", "int n;\nint m;\n", REFACTOR),
    ("int n;\n#define GONE 1\nint m = GONE;\n", "int n;\nint m = GONE;\n", EVOLUTION),
    ("#define GONE 1\n#include <a.h>\nint m;\n", "#include <a.h>\nint m;\n", EVOLUTION),
    ("int n;\n#define GONE 1\n#ifdef GONE\nint m;\n#endif\n", "int n;\n#ifdef GONE\nint m;\n#endif\n", EVOLUTION),
    ("int n;\n#define GONE 1\n#define ALSO 2\nint m;\n", "int n;\n#define ALSO 2\nint m;\n", REFACTOR),
]


@pytest.mark.parametrize(("old", "new", "mutation_class"), UNUSED)
def test_a_macro_that_nothing_below_mentions_may_go(old: str, new: str, mutation_class: MutationClass) -> None:
    assert _class(old, new, {"b.c": "#define GONE 3\n"})[0] is mutation_class
    assert _class(old, new, {"b.c": '#include "x/a.c"\n'})[0] is EVOLUTION
    assert _class(old, new, Repository({}, can_search=False))[0] is EVOLUTION
