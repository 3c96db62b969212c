"""What a file of C declares for itself and never uses, and what nothing in a function reaches."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged, no_mutant_of_c_passes

UNUSED = "unused private definitions"
OUT = "nothing more after a way out"
LABELS = "labels that nothing goes to"

MACROS = {
    "m.h": "#define CALLS_H h(1)\n#define START __attribute__((constructor))\n#define INLINE inline\n"
    "#define CAT(a, b) a##b\n#define CHECK(x) if (x) goto out\n#define HERE(x) x: k()\n#define TWO(x) k(x); k(x)\n"
    "#define ONE(x) do { k(x); } while (0)\n#define CHOICE(x) ((x) ? 1 : 2)\n#define HALF(x) return x; k\n"
}
REST = "int k(int a) { return a + 2; }\n"
H = 'static int h(int a) { puts("a text"); return a; }\n'

GONE = {
    "a function": H,
    "functions that call each other": "static int h(int a);\nstatic int i(int a) { return h(a); }\n"
    "static int h(int a) { return a ? i(a - 1) : 0; }\n",
    "what only an unused one uses": '#define SIZE 3\nenum { A, B };\nstatic const char *names[SIZE] = { "a", "b" };\n'
    "static const char *name(int a) { return a == A ? names[B] : 0; }\n",
    "a variable": "static int total = 3, count;\n",
    "a type": "typedef struct town { int size; } town_t;\n",
    "a type of some names": "struct town { int size; };\n",
    "what a condition is around": f"#ifdef A\n{H}#endif\n",
    "what two conditions are around": f"#ifdef A\n#if B > 1\n{H}static int i;\n#endif\n#endif\n",
    "words of a macro before it": "INLINE static int i(int a) { return a; }\n",
}
KEPT = {
    "an exported function": "int h(int a) { return a; }\n",
    "an exported variable": "int h = 3;\n",
    "a use that is left": f"{H}int i(void) {{ return h(1); }}\n",
    "what a macro uses": H,
    "one that the loader runs": "static void __attribute__((constructor)) i(void) { k(1); }\n",
    "one that a macro may have the loader run": "static START void i(void) { k(1); }\n",
    "one that the linker finds": 'static int i __attribute__((section("x"))) = 3;\n',
    "another name of another one": 'static int i(void) __attribute__((alias("k")));\n',
    "a condition with two sides": f"#ifdef A\n{H}#else\nint n;\n#endif\n",
    "an assertion": '_Static_assert(sizeof(int) == 4, "");\n',
    "what is half typed": "static int i(\n",
}


@pytest.mark.parametrize("name", GONE)
def test_what_a_file_declares_for_itself_and_never_uses_may_go(name: str) -> None:
    others = {} if "h(" in GONE[name] else MACROS  # one of the macros has the name
    for before, after in ((REST + GONE[name], REST), (REST, GONE[name] + REST)):
        verdict = judged({"a.c": (before, after)}, others)["a.c"]
        assert (verdict.mutation_class, verdict.reasons) == (MutationClass.AST_REFACTOR, (UNUSED,))


@pytest.mark.parametrize("name", KEPT)
def test_what_may_be_used_may_not_go(name: str) -> None:
    for before, after in ((REST + KEPT[name], REST), (REST, REST + KEPT[name])):
        verdict = judged({"a.c": (before, after)}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


IDLE = "int n(struct town *a, char *b);\n"


@pytest.mark.parametrize("text", [IDLE, "extern void n(void);\n", f"#ifdef A\n{IDLE}#endif\n"])
def test_a_prototype_of_what_a_file_neither_has_nor_calls_may_go(text: str) -> None:
    for before, after in ((text + REST, REST), (REST, text + REST)):
        verdict = judged({"a.c": (before, after)}, {"b.c": "int n(struct town *a, char *b) { return 1; }\n"})["a.c"]
        assert (verdict.mutation_class, verdict.reasons[0]) == (MutationClass.AST_REFACTOR, "prototypes")


@pytest.mark.parametrize(
    ("path", "text", "others"),
    [
        pytest.param("a.h", IDLE, {}, id="a header"),
        pytest.param("a.c", IDLE, {"b.c": '#include "a.c"\n'}, id="a file that another one includes"),
        pytest.param("a.c", f"{IDLE}int m = N;\n", {"b.h": "#define N n(0, 0)\n"}, id="a macro that calls it"),
        pytest.param("a.c", f"{IDLE}int m(void) {{ return n(0, 0); }}\n", {}, id="a call"),
        pytest.param("a.c", "START int n(void);\n", MACROS, id="a macro before it"),
        pytest.param("a.c", f"{IDLE}{IDLE}", {}, id="two of them"),
    ],
)
def test_a_prototype_that_something_may_go_by_may_not_go(path: str, text: str, others: dict[str, str]) -> None:
    before = text + REST
    verdict = judged({path: (before, before.replace(text.partition("\n")[0] + "\n", "", 1))}, others)[path]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize(
    ("path", "text", "others"),
    [
        pytest.param("a.h", H + REST, {}, id="a header"),
        pytest.param("a.c", H + REST, {"b.c": '#include "a.c"\n'}, id="a file that another one includes"),
        pytest.param("a.c", f'{H}#include "b.h"\n{REST}', {"b.h": "int n(void) { return h(1); }\n"}, id="an include"),
        pytest.param("a.c", f"{H}{REST}int CAT(h, 1)(void) {{ return 1; }}\n", MACROS, id="names of parts"),
        pytest.param("a.c", f'{H}{REST}void n(void) {{ asm("call h"); }}\n', {}, id="the assembler"),
        pytest.param("a.c", f"{H}{REST}#define N(a) a##1\n", {}, id="names of parts in the file"),
    ],
)
def test_what_another_file_may_use_may_not_go(path: str, text: str, others: dict[str, str]) -> None:
    verdict = judged({path: (text, text.replace(H, ""))}, others)[path]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_what_stands_above_an_include_may_go_if_no_other_file_has_its_name() -> None:
    text = f'{H}#include "b.h"\n{REST}'
    verdict = judged({"a.c": (text, text.replace(H, ""))}, {"b.h": "int n(void);\n"})["a.c"]
    assert verdict.reasons == (UNUSED,)


Pair = tuple[str, str]
SAME: dict[str, list[Pair]] = {
    OUT: [
        ("k(1); return a; k(2); k(3);", "k(1); return a;"),
        ("if (a) { return 1; } else { k(2); } return 3;", "if (a) { return 1; } k(2); return 3;"),
        (
            "if (a) return 1; else if (b) return 2; else k(2); return 3;",
            "if (a) return 1; if (b) return 2; k(2); return 3;",
        ),
        ("while (a) { if (b) { k(1); continue; } else { k(2); } }", "while (a) { if (b) { k(1); continue; } k(2); }"),
        ("switch (a) { case 1: return 2; break; default: k(1); }", "switch (a) { case 1: return 2; default: k(1); }"),
        ("switch (a) { case 1: goto out; k(1); } out: k(2);", "switch (a) { case 1: goto out; } out: k(2);"),
        ("return a; if (b) { ONE(b); } else k(CHOICE(b));", "return a;"),
    ],
    LABELS: [
        ("k(1); end: k(2);", "k(1); k(2);"),
        ("if (a) { k(1); } end: return b->end;", "if (a) { k(1); } return b->end;"),
    ],
}
OTHER: list[Pair] = [
    ("if (a) { } else { k(1); }", "if (a) { } k(1);"),
    ("if (a) { k(1); return", "if (a) { k(1);"),
    ("if (b) { return a } k(2);", "if (b) { return a }"),
    ("if (b) goto out; return a; out: k(2);", "if (b) goto out; return a;"),
    ("if (a) return 1; k(2);", "if (a) return 1;"),
    ("if (a) { return 1; } k(3);", "if (a) { return 1; }"),
    ("switch (a) { case 1: return 2; case 2: k(1); }", "switch (a) { case 1: return 2; }"),
    ("switch (a) { case 1: return 2; default: k(1); }", "switch (a) { case 1: return 2; }"),
    ("switch (a) { int c; case 1: return 2; { case 2: k(1); } }", "switch (a) { int c; case 1: return 2; }"),
    ("return a;\n#if A\n k(1);\n#endif\n", "return a;\n#if A\n#endif\n"),
    ("HALF(a); k(1);", "HALF(a);"),
    ("return a; HERE(end); k(3);", "return a;"),
    ("if (a) { k(1); } else { k(2); } return 3;", "if (a) { k(1); } k(2); return 3;"),
    ("if (a) { if (b) return 1; } else { k(2); } return 3;", "if (a) { if (b) return 1; } k(2); return 3;"),
    ("for (; a; ) if (b) { TWO(b); return 1; } else { k(2); }", "for (; a; ) if (b) { TWO(b); return 1; } k(2);"),
    ("if (a) { k(1); } else if (b) { return 1; } else { k(2); }", "if (a) { k(1); } else if (b) { return 1; } k(2);"),
    ("k(1); goto end; k(2); end: k(3);", "k(1); goto end; k(2); k(3);"),
    ("k(1); CHECK(a); out: k(3);", "k(1); CHECK(a); k(3);"),
    ("void *c = &&end; end: k(1);", "void *c = &&end; k(1);"),
    ("k(1); return;", "k(1);"),
    ("switch (a) { default: k(1); }", "switch (a) { k(1); }"),
    ("a = b ? end : k(1);", "a = b ? k(1);"),
]


def _in(body: str) -> str:
    return f"int f(int a, struct s *b) {{ {body} }}\n{REST}"


@pytest.mark.parametrize(("reason", "pair"), [(reason, pair) for reason, pairs in SAME.items() for pair in pairs])
def test_what_nothing_reaches_may_go(reason: str, pair: Pair) -> None:
    for old, new in (pair, pair[::-1]):
        verdict = judged({"a.c": (_in(old), _in(new))}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


USER = "int main(void) { f(1); }\n"


def test_a_function_that_returns_nothing_ends_without_saying_so() -> None:
    for body in ("k(a);", "k(a); if (a) { k(2); }", ""):
        for head in ("void f(int a)", "static inline void f(int a)"):
            verdict = judged({"a.c": (f"{head} {{ {body} return; }}\n{USER}", f"{head} {{ {body} }}\n{USER}")})["a.c"]
            assert verdict.reasons == (OUT,)
    for head, body in (("void *f(int a)", "k(a);"), ("void f(int a)", "if (a)"), ("void f(int a)", "k(a); end:")):
        verdict = judged({"a.c": (f"{head} {{ {body} return; }}\n", f"{head} {{ {body} }}\n")})["a.c"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_something_reaches_stays(old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        verdict = judged({"a.c": (_in(before), _in(after))}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_ways_out_are_none_where_a_macro_is_called_so() -> None:
    old, new = SAME[OUT][1]
    verdict = judged({"a.c": (_in(old), _in(new))}, {"m.h": "#define return k(7); return\n"})["a.c"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize("reason", SAME)
def test_nothing_may_go_where_the_macros_are_not_known(reason: str) -> None:
    old, new = SAME[reason][0]
    verdict = judged({"a.c": (_in(old), _in(new))}, Repository({}, can_search=False))["a.c"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("reason", SAME)
def test_no_mutant_of_what_is_reached_passes(reason: str) -> None:
    no_mutant_of_c_passes([(_in(before), _in(after)) for before, after in SAME[reason]], MACROS, reason)
