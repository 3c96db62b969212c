"""C that is spelled in another way: attributes for warnings, words of types, sizes, zeros, first values."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.syntax.languages.c.forms.attributes import ATTRIBUTES
from intentls.core.syntax.languages.c.forms.casts import CASTS
from intentls.core.syntax.languages.c.forms.directives import EMPTY
from intentls.core.syntax.languages.c.forms.types import SIZES, SPELLED
from intentls.core.syntax.languages.c.forms.values import FIRST, LENGTHS, SEMICOLONS, STARTED, ZEROS
from intentls.core.syntax.languages.c.functions import functions_of_both
from intentls.core.syntax.languages.c.names import LOCALS
from intentls.core.syntax.lexemes import lexemes_of_c
from tests.core.mutation.repository import judged, no_mutant_of_c_passes

Pair = tuple[str, str]
MACROS = {
    "m.h": '#define UNUSED __attribute__((unused))\n#define UNUSED_BY_ALL UNUSED __attribute__((deprecated("no")))\n'
    "#define PRINTF_LIKE(a, b) __attribute__((format(printf, a, b)))\n#define ATTR_NONE\n"
    "#define UNUSED_LOOP UNUSED_LOOP\n#define ATTR_WEAK __attribute__((weak))\n#define UNUSED_VALUE = 1\n"
    "#define SHOW(x) puts(#x)\n#define ATTR_ODD(\n#define text_t char *\n",
    "n.h": "#ifdef A\n#define ATTR_EITHER\n#else\n#define ATTR_EITHER __attribute__((packed))\n#endif\n",
}
SWITCH = "int f(int a) {{ switch (a) {{ case 1: g(); {} case 2: h(); }} return 1; }}"
SAME: dict[str, list[Pair]] = {
    ATTRIBUTES: [
        ("int f(int a, int b __attribute__((unused))) { return a; }", "int f(int a, int b) { return a; }"),
        ("int f(int a, int b __attribute__((unused, __unused__))) { return a; }", "int f(int a, int b) { return a; }"),
        ("int f(int a, int b UNUSED) { return a; }", "int f(int a, int b) { return a; }"),
        ("int f(int a, char *b UNUSED_BY_ALL) { return a; }", "int f(int a, char *b) { return a; }"),
        ("int f(int a, int b ATTR_NONE) { return a; }", "int f(int a, int b) { return a; }"),
        ("void f(char *a, ...) PRINTF_LIKE(1, 2);", "void f(char *a, ...);"),
        ("[[nodiscard]] int f(void) { return 1; }", "int f(void) { return 1; }"),
        (SWITCH.format("__attribute__((fallthrough));"), SWITCH.format("")),
    ],
    SPELLED: [
        (
            "int f(int b) { static size_t const a[] = { 1, 2 }; return g(a[b], a); }",
            "int f(int b) { static const size_t a[] = { 1, 2 }; return g(a[b], a); }",
        ),
        ("int f(uint8_t const *a) { return g(a); }", "int f(const uint8_t *a) { return g(a); }"),
        ("unsigned int f(unsigned int a) { return a; }", "unsigned f(unsigned a) { return a; }"),
        ("struct a { long int b; long unsigned int c; };", "struct a { long b; unsigned long c; };"),
        ("int f(int a, char *b[]) { return a; }", "int f(int a, char **b) { return a; }"),
        ("int f(int a, char b[8]) { return a; }", "int f(int a, char *b) { return a; }"),
        ("int f(int, struct s [LEN]);", "int f(int, struct s *);"),
        ("int f(int, const T []);", "int f(int, const T *);"),
    ],
    SIZES: [
        ("int f(struct s *a) { return g(a, sizeof(*a)); }", "int f(struct s *a) { return g(a, sizeof(struct s)); }"),
        ("int f(void) { struct s a; g(&a, sizeof a); }", "int f(void) { struct s a; g(&a, sizeof(struct s)); }"),
        ("int f(const T *a) { return sizeof(*a); }", "int f(const T *a) { return sizeof(T); }"),
        ("int f(char **a) { return sizeof(*a); }", "int f(char **a) { return sizeof(char *); }"),
    ],
    ZEROS: [
        ("void f(char *a) { *a = '\\0'; }", "void f(char *a) { *a = 0; }"),
        ("char *f(void) { return 0; }", "char *f(void) { return NULL; }"),
        ("int f(char *a) { g(a); a = 0; return g(a); }", "int f(char *a) { g(a); a = NULL; return g(a); }"),
        ("int f(void) { T *a = 0; g(&a); return h(a); }", "int f(void) { T *a = NULL; g(&a); return h(a); }"),
    ],
    FIRST: [
        ("int f(void) { int a = 0; a = g(); h(a); return a; }", "int f(void) { int a; a = g(); h(a); return a; }"),
        (
            "int f(int b) { char *a = NULL; if (b) { return 1; } a = g(); h(a); return b; }",
            "int f(int b) { char *a; if (b) { return 1; } a = g(); h(a); return b; }",
        ),
        ("int f(void) { struct s a = { 0 }; return g(&a); }", "int f(void) { struct s a = {}; return g(&a); }"),
        ("int f(void) { int a[3] = {0}; return g(a); }", "int f(void) { int a[3] = {}; return g(a); }"),
        ("int f(void) { static int a = 0; return a++; }", "int f(void) { static int a; return a++; }"),
    ],
    STARTED: [
        ("static int a = 0;\nint f(void) { return a++; }", "static int a;\nint f(void) { return a++; }"),
        ("static T *a[3] = { NULL };\nint f(void) { return g(a); }", "static T *a[3];\nint f(void) { return g(a); }"),
    ],
    LENGTHS: [
        ('int f(T *a) { return g(a, sizeof("abc") - 1); }', 'int f(T *a) { return g(a, strlen("abc")); }'),
        ('int f(int a) { return a + sizeof("a") - 1 + a; }', 'int f(int a) { return a + strlen("a") + a; }'),
    ],
    EMPTY: [
        ("int f(int a) {\n#if A\n#elif B\n#else\n#endif\n return a; }", "int f(int a) { return a; }"),
        ("#if A\n#if B\n#endif\n#endif\nint f(int a) { return a; }", "int f(int a) { return a; }"),
    ],
    SEMICOLONS: [("int f(int a) { return a; };", "int f(int a) { return a; }")],
    CASTS: [("int64_t f(int a) { return ((int64_t)a); }", "int64_t f(int a) { return (a); }")],
}
PAIRS = [(reason, pair) for reason, pairs in SAME.items() for pair in pairs]


@pytest.mark.parametrize(("reason", "pair"), PAIRS)
def test_c_that_is_spelled_in_another_way_is_a_refactor_and_says_which(reason: str, pair: Pair) -> None:
    for old, new in (pair, pair[::-1]):
        verdict = judged({"a.c": (f"{old}\n", f"{new}\n")}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


@pytest.mark.parametrize("pair", [*SAME[ATTRIBUTES][:7], *SAME[SPELLED]])
def test_what_is_so_for_cpp_too_is_so_in_a_header(pair: Pair) -> None:
    verdict = judged({"a.h": (f"{pair[0]}\n", f"{pair[1]}\n")}, MACROS)["a.h"]
    assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


FIRST_READ = "int f(int b) {{ int a{}; {} return a; }}"
OTHER: list[Pair] = [
    ("char_t *const a = b;", "char_t const *a = b;"),
    ("text_t const a = b;", "const text_t a = b;"),
    ("int f(int a) { return a * size_t const; }", "int f(int a) { return a * const size_t; }"),
    ("struct a { char b; int c; } __attribute__((packed));", "struct a { char b; int c; };"),
    ("int f(int a) __attribute__((unused, weak));", "int f(int a);"),
    ("int f(int a ATTR_WEAK);", "int f(int a);"),
    ("struct a { char b; int c; } ATTR_EITHER;", "struct a { char b; int c; };"),
    ("int f(int a UNUSED_LOOP) { return a; }", "int f(int a) { return a; }"),
    ("int f(int a UNUSED_NOWHERE) { return a; }", "int f(int a) { return a; }"),
    ("int f(int a ATTR_ODD) { return a; }", "int f(int a) { return a; }"),
    ("int f(void) { int a UNUSED_VALUE; return g(&a); }", "int f(void) { int a; return g(&a); }"),
    ("[[unsequenced]] int f(void);", "int f(void);"),
    ("[[gnu::weak]] int f(void);", "int f(void);"),
    ("int f(void) { g(); UNUSED_NOWHERE(h()); return 1; }", "int f(void) { g(); return 1; }"),
    ("struct a { signed int b : 3; };", "struct a { int b : 3; };"),
    ("unsigned f(void);", "signed f(void);"),
    ("long long f(void);", "long f(void);"),
    ("int f(int a) { SHOW(sizeof(unsigned int)); return a; }", "int f(int a) { SHOW(sizeof(unsigned)); return a; }"),
    ("int f(int a[][3]) { return a[1][2]; }", "int f(int **a) { return a[1][2]; }"),
    ("int f(int a[][3]) { return a[1][2]; }", "int f(int *a[3]) { return a[1][2]; }"),
    ("int f(int a[static 3]) { return a[1]; }", "int f(int *a) { return a[1]; }"),
    ("int f(int n, int a[n++]) { return a[n]; }", "int f(int n, int *a) { return a[n]; }"),
    ("int f(void) { int a[3]; return g(a); }", "int f(void) { int *a; return g(a); }"),
    ("int f(void) { char a[4]; return g(a, sizeof(a)); }", "int f(void) { char a[4]; return g(a, sizeof(char)); }"),
    ("int f(struct s *a) { return g(a, sizeof(a)); }", "int f(struct s *a) { return g(a, sizeof(struct s)); }"),
    ("int f(struct s *a) { return g(a, sizeof(*a)); }", "int f(struct s *a) { return g(a, sizeof(struct t)); }"),
    ("int f(jmp_buf a) { return g(a, sizeof(a)); }", "int f(jmp_buf a) { return g(a, sizeof(jmp_buf)); }"),
    ("int f(T *a) { SHOW(sizeof(*a)); return 1; }", "int f(T *a) { SHOW(sizeof(T)); return 1; }"),
    (
        "T *a; int f(void) { { S *a = g(); h(a); } return sizeof(*a); }",
        "T *a; int f(void) { { S *a = g(); h(a); } return sizeof(S); }",
    ),
    ("int f(void) { S a; { T a; g(&a, sizeof(a)); } }", "int f(void) { S a; { T a; g(&a, sizeof(S)); } }"),
    (
        "void f(T *a, S *b) { for (S *a = b; a; a = a->n) g(sizeof(*a)); }",
        "void f(T *a, S *b) { for (S *a = b; a; a = a->n) g(sizeof(T)); }",
    ),
    ("int f(int n) { g(n * a); return sizeof(a); }", "int f(int n) { g(n * a); return sizeof(n *); }"),
    ("void f(char *a) { SHOW(*a == '\\0'); }", "void f(char *a) { SHOW(*a == 0); }"),
    ("void f(char *a) { *a = '0'; }", "void f(char *a) { *a = 0; }"),
    ("int f(void) { return 0; }", "int f(void) { return NULL; }"),
    ("int f(int a) { a = 0; return g(a); }", "int f(int a) { a = NULL; return g(a); }"),
    ("int f(T *a, S *s) { s->a = 0; return g(a); }", "int f(T *a, S *s) { s->a = NULL; return g(a); }"),
    ("int f(struct s *a) { a->b = 0; return g(a); }", "int f(struct s *a) { a->b = NULL; return g(a); }"),
    (FIRST_READ.format(" = 0", "g(a); a = h();"), FIRST_READ.format("", "g(a); a = h();")),
    (FIRST_READ.format(" = 0", "if (b) a = h();"), FIRST_READ.format("", "if (b) a = h();")),
    (FIRST_READ.format(" = 0", "if (b) { a = h(); }"), FIRST_READ.format("", "if (b) { a = h(); }")),
    (FIRST_READ.format(" = 0", "if (b) g(); else a = h();"), FIRST_READ.format("", "if (b) g(); else a = h();")),
    (FIRST_READ.format(" = 0", "while (b--) a = h();"), FIRST_READ.format("", "while (b--) a = h();")),
    (FIRST_READ.format(" = 0", "a = a + b;"), FIRST_READ.format("", "a = a + b;")),
    (FIRST_READ.format(" = 0", "a += b;"), FIRST_READ.format("", "a += b;")),
    (FIRST_READ.format(" = 0", "g(&a, a = b);"), FIRST_READ.format("", "g(&a, a = b);")),
    (
        FIRST_READ.format(" = 0", "if (b) goto out; a = h(); out: g();"),
        FIRST_READ.format("", "if (b) goto out; a = h(); out: g();"),
    ),
    (FIRST_READ.format(" = 0", "\n#if B\n a = h();\n#endif\n"), FIRST_READ.format("", "\n#if B\n a = h();\n#endif\n")),
    (FIRST_READ.format(" = g()", "a = h();"), FIRST_READ.format("", "a = h();")),
    ("int f(void) { static int a = 1; a = h(); return a; }", "int f(void) { static int a; a = h(); return a; }"),
    ("int f(void) { int a[2] = {1}; return g(a); }", "int f(void) { int a[2] = {}; return g(a); }"),
    ("int f(void) { char a[] = {0}; return g(a); }", "int f(void) { char a[] = {}; return g(a); }"),
    ("static int a = 1;\nint f(void) { return a++; }", "static int a;\nint f(void) { return a++; }"),
    ("const int a = 0;\nint f(void) { return a; }", "const int a;\nint f(void) { return a; }"),
    ("int a = 0;\nint f(void) { return a++; }", "int a;\nint f(void) { return a++; }"),
    ("static int a[] = {};\nint f(void) { return g(a); }", "static int a[];\nint f(void) { return g(a); }"),
    ('int f(int a) { return a - sizeof("abc") - 1; }', 'int f(int a) { return a - strlen("abc"); }'),
    ('int f(int a) { return sizeof("abc") - 1 * a; }', 'int f(int a) { return strlen("abc") * a; }'),
    ('int f(void) { return sizeof("abc\\0d") - 1; }', 'int f(void) { return strlen("abc\\0d"); }'),
    ('int f(void) { return sizeof(L"abc") - 1; }', 'int f(void) { return strlen(L"abc"); }'),
    ('int f(void) { SHOW(sizeof("a") - 1); }', 'int f(void) { SHOW(strlen("a")); }'),
    ("int f(int a) {\n#if A\n#else\n g();\n#endif\n return a; }", "int f(int a) { return a; }"),
    ("#if A\n#error A\n#endif\nint f(int a) { return a; }", "int f(int a) { return a; }"),
    ("struct a { int b; };", "struct a { int b; }"),
    ("int64_t f(int a) { return ((int32_t)a); }", "int64_t f(int a) { return (a); }"),
]


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_c_that_says_something_else_stays_behaviour(old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        verdict = judged({"a.c": (f"{before}\n", f"{after}\n")}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_another_spelling_passes() -> None:
    no_mutant_of_c_passes([pair for _, pair in PAIRS], MACROS, "spelling of C")


def _classes(text: str, old: str, new: str) -> set[MutationClass]:
    return {judged({"a.c": (text, text.replace(old, new))})["a.c"].mutation_class}


CHECK = "static int check_a({}) {{ return 1; }}\n"
USER = "int f(int b) { return check_a(b); }\n"


def test_a_function_of_the_file_shows_no_name_whatever_it_is_called() -> None:
    """A macro of a library would have taken its definition apart. One that no file defines may make a text of `b`."""
    verdict = judged({"a.c": (CHECK.format("int a") + USER, CHECK.format("int a") + USER.replace("b", "c"))})["a.c"]
    assert (verdict.mutation_class, verdict.reasons) == (MutationClass.AST_REFACTOR, (LOCALS,))
    for head in ("a", "a, c"):
        assert _classes(CHECK.format(head).replace("static int", "static") + USER, "b", "c") == {
            MutationClass.INTENT_EVOLUTION
        }
    assert _classes(CHECK.format("a") + USER, "b", "c") == {MutationClass.INTENT_EVOLUTION}
    assert _classes(USER, "b", "c") == {MutationClass.INTENT_EVOLUTION}


def test_a_function_that_one_version_only_calls_may_be_a_macro_there() -> None:
    both = [lexemes_of_c(text) or () for text in (f"{CHECK.format('int a')}{USER}", USER, "int g(void) { return 1; }")]
    assert functions_of_both(both[0], both[0]) == {"check_a", "f"}
    assert functions_of_both(both[0], both[1]) == functions_of_both(both[1], both[0]) == {"f"}
    assert functions_of_both(both[0], both[2]) == {"check_a", "f", "g"}


def test_a_word_that_a_macro_only_says_to_people_is_none_that_it_means() -> None:
    unused = "static int cannot(void) { return 1; }\nint f(void) { return 2; }\n"
    after = "int f(void) { return 2; }\n"
    for text, expected in (
        ('puts("cannot open")', MutationClass.AST_REFACTOR),
        ('find("cannot")', MutationClass.INTENT_EVOLUTION),
        ('__asm__("call cannot")', MutationClass.INTENT_EVOLUTION),
    ):
        others = {"m.h": f"#define OPEN {text}\n"}
        assert judged({"a.c": (unused, after)}, others)["a.c"].mutation_class is expected, text
