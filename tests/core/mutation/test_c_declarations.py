"""Declarations of C in another form: prototypes, `const`, `static`, local names and where they are declared."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.syntax.languages.c.forms.qualifiers import without_const
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import statement_end
from tests.core.mutation.repository import Repository, judged

PROTOTYPES = "prototypes"
CONSTANTS = "const of what no other function sees"
STATIC = "static, as no other file has the name"
DECLARED = "variables declared in another way"
RETURNED = "a value is returned without a name of its own"
UNUSED = "unused variables"
CASTS = "casts that change nothing"

Pair = tuple[str, str]
MACROS = {
    "m.h": "#define seen(x) (extra + x)\n#define SHOW(x) puts(#x)\n#define TYPE int\n#define POINTER int *\n"
    "#define WRAP(x) _Generic(x, int: 1)\n#define RETURN return\n#define MAKE(x) make(x)\n#define BAD(\n",
    "b.c": "int shared(void);\nextern int total;\n",
}

SAME: dict[str, list[Pair]] = {
    RETURNED: [
        ("int f(int a) { int b = g(a); return b; }", "int f(int a) { return g(a); }"),
        (
            "int f(int a) { if (a) { int b = g(a); return b; } return 5; }",
            "int f(int a) { if (a) { return g(a); } return 5; }",
        ),
        (
            "static struct s *f(int a) { struct s *b; h(); b = g(a); return b; }",
            "static struct s *f(int a) { h(); return g(a); }",
        ),
        ("int f(int a) { const int b = g(a) + 1; return b; }", "int f(int a) { return g(a) + 1; }"),
    ],
    PROTOTYPES: [
        ("int f(int a, struct s *b, char c[10], const T d);", "int f(int, struct s *, char [10], const T);"),
        ("extern int f(unsigned int);", "int f(unsigned int a);"),
        ("static int f(int a);\nint g(void) { return f(1); }\nstatic int f(int b) { return b; }\n", ""),
        ("static int f(int a);\nint g(int a) { return a; }\n", "int g(int a) { return a; }\n"),
        (
            "int f(void);\nint f() { return 1; }\nint g(void) { return f(); }",
            "int f(void) { return 1; }\nint g(void) { return f(); }",
        ),
        ("int f();\nint g(void) { return f(); }", "int f(void);\nint g(void) { return f(); }"),
    ],
    CONSTANTS: [
        ("int f(int a) { const char *b = g(a); return h(b); }", "int f(int a) { char *b = g(a); return h(b); }"),
        ("int f(int a) { const int b = g(a); return h(b); }", "int f(int a) { int b = g(a); return h(b); }"),
        ("int f(int a) { size_t const b = g(a); return h(b); }", "int f(int a) { size_t b = g(a); return h(b); }"),
        ("int f(int a) { char *const b = g(a, 1); return h(b); }", "int f(int a) { char *b = g(a, 1); return h(b); }"),
        ("int f(const int a, char *const b) { return h(a); }", "int f(int a, char *b) { return h(a); }"),
        (
            "static int f(const char *a) { return h((const char *)a + 1); }",
            "static int f(char *a) { return h((char *)a + 1); }",
        ),
        (
            "int f(int a) { struct s const *b = g(a); return b->c; }",
            "int f(int a) { struct s *b = g(a); return b->c; }",
        ),
    ],
    STATIC: [
        (
            "int f(int a) { return a; }\nint g(void) { return f(1); }",
            "static int f(int a) { return a; }\nint g(void) { return f(1); }",
        ),
        ("int n = 1;\nint g(void) { return n; }", "static int n = 1;\nint g(void) { return n; }"),
        ("int n[2];\nint g(void) { return n[0]; }", "static int n[2];\nint g(void) { return n[0]; }"),
        ("int n;\nint g(void) { return n; }", "static int n;\nint g(void) { return n; }"),
    ],
    DECLARED: [
        (
            "int f(int a) { int b = g(a), *c; c = h(b); return *c; }",
            "int f(int a) { int b; int *c; b = g(a); c = h(b); return *c; }",
        ),
        ("int f(int a) { int b; g(a); b = h(a); return b + b; }", "int f(int a) { g(a); int b = h(a); return b + b; }"),
        ("int f(int a) { if (a) { int b = g(a); h(b, b); } }", "int f(int a) { int b; if (a) { b = g(a); h(b, b); } }"),
        (
            "int f(int a) { while (a) { int b = g(a); h(b, b); } }",
            "int f(int a) { int b; while (a) { b = g(a); h(b, b); } }",
        ),
        (
            "int f(int a) { for (int i = 0; i < a; i += 1) g(i); }",
            "int f(int a) { int i; for (i = 0; i < a; i += 1) g(i); }",
        ),
        (
            "int f(int a) { g(a); if (a) { h(a); char *p = k(a); h(p, p); } }",
            "int f(int a) { char *p; g(a); if (a) { h(a); p = k(a); h(p, p); } }",
        ),
        (
            "int f(int a) { if (a) { char *p; h(a); if (a == 2) p = k(a); h(p); } }",
            "int f(int a) { char *p; if (a) { h(a); if (a == 2) p = k(a); h(p); } }",
        ),
        (
            "int f(int a) { if (a) { struct s b; g(a); b.c = a; h(b); } }",
            "int f(int a) { if (a) { g(a); struct s b; b.c = a; h(b); } }",
        ),
        (
            "int f(int a) { TYPE b, c; b = g(a); c = b; return c; }",
            "int f(int a) { TYPE b; TYPE c; b = g(a); c = b; return c; }",
        ),
        ("int f(int a) { g(a); char b[10 + SIZE]; h(b); }", "int f(int a) { char b[10 + SIZE]; g(a); h(b); }"),
        (
            "int f(int a) { int b; int c; c = g(a); b = c; h(b); }",
            "int f(int a) { int c; int b; c = g(a); b = c; h(b); }",
        ),
        (
            "int f(int a) { if (a) goto out; if (g()) { h(a); int b; b = a; h(b); }\nout: return 1; }",
            "int f(int a) { if (a) goto out; if (g()) { int b; h(a); b = a; h(b); }\nout: return 1; }",
        ),
    ],
    UNUSED: [
        ("int f(int a) { char *b; struct s c[2]; T d = NULL; T e = &a; return a; }", "int f(int a) { return a; }"),
        ("int f(int a) { size_t b, c; b = g(a); return h(b); }", "int f(int a) { size_t b; b = g(a); return h(b); }"),
    ],
    CASTS: [
        (
            "int f(struct s *a) { return made((struct s *)a, 1) + ((struct s *)a == g()); }",
            "int f(struct s *a) { return made(a, 1) + (a == g()); }",
        ),
        ("DWORD WINAPI f(int a) { return (DWORD)-1; }", "DWORD WINAPI f(int a) { return -1; }"),
        ("int f(int a) { struct s *b = (struct s *)MAKE(a); h(b); }", "int f(int a) { struct s *b = MAKE(a); h(b); }"),
    ],
}
RETURNED_OTHERWISE: list[Pair] = [
    ("int f(int a) { long b = g(a); return b; }", "int f(int a) { return g(a); }"),
    ("int f(int a) { static int b = 1; return b; }", "int f(int a) { return 1; }"),
    ("int f(int a) { int *b = g(a); return b; }", "int f(int a) { return g(a); }"),
    ("int f(int a) { int b = g(a); return b + 1; }", "int f(int a) { return g(a); }"),
    ("int f(int a) { int b = g(a); h(&b); return b; }", "int f(int a) { h(&b); return g(a); }"),
    ("int f(int a) { int extra = seen(a); return extra; }", "int f(int a) { return seen(a); }"),
    ("int f(int a) { int c; c = g(a); return b; }", "int f(int a) { return g(a); }"),
    ("int f(int a) { BAD b = g(a); return b; }", "int f(int a) { return g(a); }"),
    ("int f(int a) { BAD b; b = g(a); return b; }", "int f(int a) { return g(a); }"),
    ("struct s f(int a) { struct s b = { 1 }; return b; }", "struct s f(int a) { return { 1 }; }"),
]
OTHER: list[Pair] = [
    ("int f(int a, int b);", "int f(int a);"),
    ("int f(int a) { h((const T) + a); }", "int f(int a) { h((T) + a); }"),
    ("static int f(void);\nint f(void) { return 1; }", "int f(void) { return 1; }"),
    ("int f(int a) { h((const char) + a); }", "int f(int a) { h((char) + a); }"),
    ("int f(int a) { h(a, const b); }", "int f(int a) { h(a, b); }"),
    ("int f(int a) { const int b = (1; }", "int f(int a) { int b = (1; }"),
    (
        "int f(int a) { if (a) { struct s { int b; } c; g(c.b); } int d; d = 1; g(d); }",
        "int f(int a) { int d; if (a) { struct s { int b; } c; g(c.b); } d = 1; g(d); }",
    ),
    (
        "int f(int a) { while (a) { switch (a) { int b; case 1: g(); b = 1; break; case 2: g(b); } } }",
        "int f(int a) { int b; while (a) { switch (a) { case 1: g(); b = 1; break; case 2: g(b); } } }",
    ),
    ("int f(int a) { T b = other; return a; }", "int f(int a) { return a; }"),
    (
        "int f(void) __attribute__((weak)) { return 1; }\nint g(void) { return f(); }",
        "static int f(void) __attribute__((weak)) { return 1; }\nint g(void) { return f(); }",
    ),
    ("int f(int a, char *);", "int f(int a, int *);"),
    ("int f(int TYPE);", "int f(int);"),
    (
        "int f(long a);\nint g(void) { return f(1); }\nint f(long a) { return a; }",
        "int g(void) { return f(1); }\nint f(long a) { return a; }",
    ),
    ("static TYPE int f(int a);\n", "\n"),
    ("int f(int (*a)(int b));", "int f(int (*)(int));"),
    ("typedef int f(int a);", "typedef int f(int);"),
    ("int f(int n, int a[n]);", "int f(int, int a[n]);"),
    ("int f(const char *a) { return h(a); }", "int f(char *a) { return h(a); }"),
    ("int f(int a) { const char b[2] = {1}; return h(b); }", "int f(int a) { char b[2] = {1}; return h(b); }"),
    ("int f(int a) { const int b = 1; return h(&b); }", "int f(int a) { int b = 1; return h(&b); }"),
    ("int f(int a) { const T b = g(a); return h(b.c); }", "int f(int a) { T b = g(a); return h(b.c); }"),
    (
        "int f(int a) { const int b = 1, c = 2; h(&c); return b; }",
        "int f(int a) { int b = 1, c = 2; h(&c); return b; }",
    ),
    ("int f(int a) { const char *b = g(a); return WRAP(b); }", "int f(int a) { char *b = g(a); return WRAP(b); }"),
    (
        "int f(int a) { const char *b = g(a); return _Generic(b, int: 1); }",
        "int f(int a) { char *b = g(a); return _Generic(b, int: 1); }",
    ),
    ("int f(int a) {\n#define X const char *\n X b = g(a); }", "int f(int a) {\n#define X char *\n X b = g(a); }"),
    ("int f(int a) { const b = 1; return h(b); }", "int f(int a) { b = 1; return h(b); }"),
    (
        "int shared(void) { return 1; }\nint g(void) { return shared(); }",
        "static int shared(void) { return 1; }\nint g(void) { return shared(); }",
    ),
    ("int total;\nint g(void) { return total; }", "static int total;\nint g(void) { return total; }"),
    ("int f(void) { return 1; }", "static int f(void) { return 1; }"),
    (
        "TYPE f(void) { return 1; }\nint g(void) { return f(); }",
        "static TYPE f(void) { return 1; }\nint g(void) { return f(); }",
    ),
    (
        "int f(int a) { POINTER b, c; c = 1; b = g(c); return *b; }",
        "int f(int a) { POINTER b; POINTER c; c = 1; b = g(c); return *b; }",
    ),
    ("int f(int a) { RETURN b; g(b); }", "int f(int a) { g(b); RETURN b; }"),
    ("int f(int a) { int b = g(a); b = h(a); return b; }", "int f(int a) { int b = h(a); b = g(a); return b; }"),
    (
        "int f(int a) { int b; while (a) { if (b) g(); b = 1; } }",
        "int f(int a) { while (a) { int b; if (b) g(); b = 1; } }",
    ),
    (
        "int f(int a) { int b = 0; while (a) { b = b + g(); } }",
        "int f(int a) { while (a) { int b = 0; b = b + g(); } }",
    ),
    ("int f(int a) { int b; while (a) { b = 1; g(&b); } }", "int f(int a) { while (a) { int b; b = 1; g(&b); } }"),
    ("int f(int a) { T b; if (a) { b = g(); h(b.c); } }", "int f(int a) { if (a) { T b; b = g(); h(b.c); } }"),
    ("int f(int a) { g(b); int b = 1; return b; }", "int f(int a) { int b; g(b); b = 1; return b; }"),
    ("int f(int a) { int extra; seen(1); extra = 2; h(extra); }", "int f(int a) { seen(1); int extra = 2; h(extra); }"),
    ("int f(int a) { g(a); char b[a]; h(b); }", "int f(int a) { char b[a]; g(a); h(b); }"),
    (
        "int f(int a) { for (int i = 0; i < a; i++) g(i); return i; }",
        "int f(int a) { int i; for (i = 0; i < a; i++) g(i); return i; }",
    ),
    ("int f(int a) { static int b = 1; b += a; return b; }", "int f(int a) { static int b; b = 1; b += a; return b; }"),
    ("int f(int a) { int b = b + a; return b; }", "int f(int a) { int b; b = a + b; return b; }"),
    (
        "int f(int a) {\n#if A\n int b;\n#endif\n g(a); b = 1; h(b); }",
        "int f(int a) { int b;\n#if A\n#endif\n g(a); b = 1; h(b); }",
    ),
    (
        "int f(int a) { again: if (a) { char *p; if (g()) h(p); p = k(); goto again; } }",
        "int f(int a) { char *p; again: if (a) { if (g()) h(p); p = k(); goto again; } }",
    ),
    ("int f(int a) { T b = g(a); return a; }", "int f(int a) { return a; }"),
    ("int f(int a) { T b = a++; return a; }", "int f(int a) { return a; }"),
    ("int f(int a) { T extra; return seen(a); }", "int f(int a) { return seen(a); }"),
    ("int f(int a) { T b = MAKE; return a; }", "int f(int a) { return a; }"),
    ("int f(struct s *a) { return SHOW((struct s *)a); }", "int f(struct s *a) { return SHOW(a); }"),
    ("int f(struct s *a) { return g((struct t *)a + 1); }", "int f(struct s *a) { return g(a + 1); }"),
    ("int f(struct s *a) { return ((char)a)->b; }", "int f(struct s *a) { return a->b; }"),
    (
        "int f(int a) { { char a = 1; g(a); } return h((int)a + 1.5 * (int)a); }",
        "int f(int a) { { char a = 1; g(a); } return h(a + 1.5 * a); }",
    ),
    ("int f(int a) { return (char)-1; }", "int f(int a) { return -1; }"),
    ("int f(int a) { char *b = (char *)BAD; h(b); }", "int f(int a) { char *b = BAD; h(b); }"),
]


def _class(
    name: str, old: str, new: str, others: Repository | dict[str, str] = MACROS
) -> tuple[MutationClass, tuple[str, ...]]:
    verdict = judged({name: (f"{old}\n", f"{new}\n")}, others)[name]
    return verdict.mutation_class, verdict.reasons


@pytest.mark.parametrize(("reason", "pair"), [(reason, pair) for reason, pairs in SAME.items() for pair in pairs])
def test_declarations_in_another_form_are_a_refactor_and_say_which(reason: str, pair: Pair) -> None:
    one, other = pair
    if not other:
        other = one.partition("\n")[2]
        lines = other.splitlines()
        other = "\n".join(reversed(lines))
    for old, new in ((one, other), (other, one)):
        mutation_class, reasons = _class("a.c", old, new)
        assert mutation_class is MutationClass.AST_REFACTOR, reasons
        assert reason in reasons


@pytest.mark.parametrize(("old", "new"), [*OTHER, *RETURNED_OTHERWISE])
def test_declarations_that_say_something_else_stay_behaviour(old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        mutation_class, reasons = _class("a.c", before, after)
        assert mutation_class is MutationClass.INTENT_EVOLUTION, reasons


@pytest.mark.parametrize("reason", [CONSTANTS, STATIC, DECLARED, UNUSED])
def test_no_declaration_is_another_form_where_the_repository_is_not_known(reason: str) -> None:
    for old, new in SAME[reason]:
        assert _class("a.c", old, new, Repository({}, can_search=False))[0] is MutationClass.INTENT_EVOLUTION


def test_a_header_may_lose_the_names_of_parameters_alone() -> None:
    assert _class("a.h", "int f(int a);", "int f(int);")[0] is MutationClass.AST_REFACTOR
    assert _class("a.h", "static T f(a);", "")[0] is MutationClass.INTENT_EVOLUTION
    assert (
        _class("a.h", "int f(int a) { T b; return a; }", "int f(int a) { return a; }")[0]
        is MutationClass.INTENT_EVOLUTION
    )


def test_a_static_inline_function_is_a_static_one() -> None:
    one, other = (f"static {word}int f(int a) {{ return a; }}" for word in ("inline ", ""))
    assert _class("a.c", f"{one}\nint n;", f"{other}\nstatic int n;")[0] is MutationClass.INTENT_EVOLUTION
    assert (
        _class(
            "a.c", f"{one}\nint n;\nint g(void) {{ return n; }}", f"{other}\nstatic int n;\nint g(void) {{ return n; }}"
        )[0]
        is MutationClass.AST_REFACTOR
    )


def test_what_does_not_end_has_no_end() -> None:
    assert statement_end(("if", "(", "a"), 0) is None
    assert statement_end(("a", "b"), 0) is None
    open_one = ("int", "f", "(", ")", "{", "const", "int", "b", "=", "(", "1", "}")
    assert without_const(open_one, Macros(lambda _name: True, lambda _name: True)) == open_one
    in_brackets = ("int", "f", "(", ")", "{", "g", "(", "const", "T", "u", ")", ";", "}")
    assert without_const(in_brackets, Macros(lambda _name: True, lambda _name: True)) == in_brackets
