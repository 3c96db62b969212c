"""What a part of a file of C declares: names for the file alone, and names of the whole program."""

from __future__ import annotations

import pytest

from intentls.core.syntax.languages.c.declarations import declared, parts_of_file
from intentls.core.syntax.lexemes import lexemes_of_c

DECLARED: dict[str, tuple[str, str]] = {  # names for the file alone, and for the program
    "int sum(struct list *l, int n);": ("", "sum"),
    "int f(int) __attribute__((format(printf, 1, 2)));": ("", "f"),
    "int f(int a)": ("", "f"),  # its end stands behind a directive
    "__attribute__((format(printf, 1, 2)));": ("", ""),
    'static_assert(sizeof(a) == 2, "b");': ("", ""),
    "int (*cb)(int a), *b[3], c = f(d, e);": ("", "cb b c"),
    "extern int (*const p[2])(void);": ("", "p"),
    "void (*signal(int sig, void (*func)(int)))(int);": ("", "signal"),
    "int (f)(int a);": ("", "f"),
    "int (f);": ("f", ""),  # it may be a call
    "FOO(a, b)\nint c;": ("FOO a b c", ""),
    "typedef int (*reader)(int a, char *buf);": ("reader", ""),
    "typedef sds (getter)(int a, sds s);": ("getter", ""),
    "typedef void v(int a, int b);": ("v", ""),
    "typedef struct { int a; } b, *c;": ("b c", ""),
    "static int x = 1, y;": ("x y", ""),
    "struct a;": ("a", "a"),
    "struct a { int (*f)(enum e b, short c); } d;": ("a", "d"),
    "struct a {\n#ifdef X\n int b;\n#else\n long c[N];\n#endif\n#define M 1\n} d;": ("a M", "d"),
    "enum color { RED, BLUE = F(x) } c;": ("color RED BLUE", "c"),
    "static inline int __attribute__((noinline)) f(int a) { return a; }": ("f", ""),
    'NO_CHECK("bounds") sds *f(robj *a) { g(); }': ("", "f"),
    "DECLARE(x, y) int f(int a) { }": ("x y", "f"),
    "API(size_t) f(int a) { }": ("", "f"),
    "API(struct a *) f(int a, list *b);": ("", "f"),
    "extern API(list) f(void);": ("", "f"),
    "API_INLINE(list) f(void);": ("f", ""),
    "API(list) f(void) { }": ("", "f"),
    "API(a)(b);": ("API a b", ""),
    "int of_static(int a), is_hidden;": ("", "of_static is_hidden"),
    "int (*f(int a))(int b) { return 0; }": ("f a b", ""),
    "int f(int a) {\n#define M 1\n#undef N\n }": ("M N", "f"),
    "#define A(b) c": ("A", ""),
    "#undef A": ("A", ""),
    "#pragma once": ("", ""),
    "foo { a; }": ("foo a", ""),
    "x;": ("", "x"),
    ";": ("", ""),
}


@pytest.mark.parametrize("text", DECLARED)
def test_what_a_part_declares_is_told_from_what_it_only_mentions(text: str) -> None:
    lexemes = lexemes_of_c(f"{text}\n")
    assert lexemes is not None
    local, everywhere = declared(parts_of_file(lexemes)[0].lexemes)
    assert (local, everywhere) == tuple(set(names.split()) for names in DECLARED[text])


BRANCHES = {
    "each opens the same": "#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n",
    "one opens more": "#ifdef A\n  if (a) {\n#else\n  c();\n#endif\n  d();\n#ifdef A\n  }\n#endif\n",
    "the last opens more": "#ifdef A\n  c();\n#elif B\n  if (a) {\n#endif\n  d();\n#ifdef B\n  }\n#endif\n",
}


@pytest.mark.parametrize("name", BRANCHES)
def test_a_function_ends_where_it_does_whatever_its_branches_open(name: str) -> None:
    lexemes = lexemes_of_c(f"int f(int a) {{\n{BRANCHES[name]}}}\nint g(void) {{ return 1; }}\nint h;\n")
    assert lexemes is not None
    assert [declared(part.lexemes)[1] for part in parts_of_file(lexemes)] == [{"f"}, {"g"}, {"h"}]
