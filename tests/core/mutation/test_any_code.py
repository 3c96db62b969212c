"""Whatever stands beside a change, the change is judged: each construct of a language, in each place it may have.

A form that looks at more than what changed has to know every construct, also those that its own examples lack.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import product

import pytest
from msgspec import Struct

from tests.core.mutation.repository import judged

_NAME = re.compile(r"\b[de]\b")
ALL = "INTENTLS_LONG" in os.environ

pytestmark = pytest.mark.no_cover  # it looks for what can't be judged, in ways that other tests take


class Language(Struct, frozen=True):
    """What a function of a language may have, beside two of its lines in another form.

    `places` are lines with a gap for each of the words that `parts` has under the name of the gap.
    """

    around: str
    changes: tuple[tuple[str, str], ...]
    places: tuple[str, ...]
    parts: dict[str, tuple[str, ...]]


LANGUAGES = {
    "rs": Language(
        "fn z(a: i32, b: &[i32], s: &str) -> i32 {\n    LINES\n    1\n}\n",
        (
            ("let c = g(1); h(c);", "h(g(1));"),
            ("if !(x && y) { return 1; } k();", "if !x || !y { return 1; } k();"),
            ("let c; if x { c = 1; } else { c = 2; } h(c);", "let c = if x { 1 } else { 2 }; h(c);"),
            ("let mut c = 1; if x { c = 2; } h(c);", "let c = if x { 2 } else { 1 }; h(c);"),
            ("if x { h(1); } else { h(2); }", "if !x { h(2); } else { h(1); }"),
        ),
        (
            "let PATTERN = d;",
            "let PATTERN: D = d else { return 2 };",
            "if let PATTERN = a { e(); } else { f(); }",
            "if let PATTERN = d { e(); }",
            "while let PATTERN = d { e(); }",
            "for PATTERN in b { e(); }",
            "match s { PATTERN => e(), PATTERN if q => f(), _ => {} }",
            "match a { PATTERN => e(), _ => {} }",
            "let d = |PATTERN| e();",
            "let d = VALUE;",
            "d(VALUE);",
            "return VALUE;",
            "if let Some(c) = VALUE { h(c); }",
            "match VALUE { c => h(c) }",
        ),
        {
            "PATTERN": (
                *("| 1 | 2", "'c' | 'd'", "/* c */ 1", "b'c' | b'd'", "-1 | 1", '"c" | "d"'),
                *("_", "c", "mut c", "ref c", "&c", "&&c", "1 | 2", "(1 | 2)", "-1", "1..=2", "c @ 1..=2", "..", "C"),
                *(
                    "(c, d)",
                    "()",
                    "(c,)",
                    "[c, .., d]",
                    "[]",
                    "C(c)",
                    "C { c, .. }",
                    "C { c: Some(d) }",
                    "c::C",
                    "m!()",
                ),
                *("Some(ref mut c)", '"c"', "'c'", "C(1) | D(1)", "Self::C(c)", "<C as D>::E", "box c", "const { 1 }"),
            ),
            "VALUE": (
                *("1", "c", "-c", "!c", "*c", "&mut c", "&c[..]", "c?", "c.d()?", "c.0.1", "c as D", "(c, d)", "()"),
                *("[1; 2]", "[c, d]", "c..", "..=d", "C { c, ..d }", "m![c]", "m! { c => d }", "|c| d", "move || {}"),
                *("if c { 1 } else { 2 }", "match c { _ => 1 }", "loop { break 1 }", "'l: { break 'l 1 }", "async {}"),
                *("unsafe { c }", "{ let c = 1; c }", "c.await", "<C as D>::e()", "C::<D>::e(1)", "c = d", "c += 1"),
                *("return", "continue", 'b"c"', 'r#"c"#', "1_u8", "1.0", "if let C(1) | D = c { 1 } else { 2 }"),
            ),
        },
    ),
    "go": Language(
        "package p\n\nfunc z(a int, b []string) int {\n\tLINES\n\treturn 1\n}\n",
        (
            ("c := g(1)\n\th(c)", "h(g(1))"),
            ("if !(x && y) {\n\t\treturn 1\n\t}\n\tk()", "if !x || !y {\n\t\treturn 1\n\t}\n\tk()"),
            ("if x {\n\t\th(1)\n\t} else {\n\t\th(2)\n\t}", "if !x {\n\t\th(2)\n\t} else {\n\t\th(1)\n\t}"),
            ("var c int\n\tc = a\n\th(c)", "c := a\n\th(c)"),
            ("for i := range b {\n\t\th(b[i])\n\t}", "for _, c := range b {\n\t\th(c)\n\t}"),
        ),
        (
            "d := VALUE",
            "d(VALUE)",
            "return VALUE",
            "var d, e = VALUE, VALUE",
            "if d := VALUE; d != nil {\n\t\te()\n\t}",
            "switch d := VALUE; d {\n\tcase VALUE:\n\t\te()\n\t}",
            "for d := VALUE; d < 1; d++ {\n\t}",
            "for range VALUE {\n\t}",
            "go func() { VALUE }()",
            "STATEMENT",
            "{\n\t\tSTATEMENT\n\t}",
            "for {\n\t\tSTATEMENT\n\t}",
        ),
        {
            "VALUE": (
                *("1", "c", "-c", "!c", "*c", "&c", "&C{}", "C{c: 1}", "[]C{{1}, {2}}", "map[C]D{1: {}}", "c[1]"),
                *(
                    "c[1:2]",
                    "c[:]",
                    "c[1:2:3]",
                    "c.(D)",
                    "c.d.e",
                    "c.d().e",
                    "func() {}",
                    "func(c C) (D, error) { return }",
                ),
                *(
                    "<-c",
                    "C(c)",
                    "[]byte(c)",
                    "make(chan C)",
                    "new(C)",
                    "C[D](c)",
                    "c == d",
                    "c && d || e",
                    "`c`",
                    "'c'",
                ),
                *("1.5", "1i", "0x1", "c + d", "c << 1", "c &^ d", "c...", "interface{}(c)", "struct{}{}", "[...]C{1}"),
            ),
            "STATEMENT": (
                *("break", "continue", "goto l", "l:\n\tfor {\n\t}", "fallthrough", "defer c()", "go c()", "c <- d"),
                *(
                    "c++",
                    "c += 1",
                    "c, d = d, c",
                    "_ = c",
                    "var c C",
                    "const c = iota",
                    "type c = D",
                    "type c struct{ D }",
                ),
                *("select {\n\tcase c := <-d:\n\t\te(c)\n\tdefault:\n\t}", "switch {\n\tdefault:\n\t}", "return", ";"),
                *(
                    "switch c := d.(type) {\n\tcase C, D:\n\t\te(c)\n\tcase nil:\n\t}",
                    "for c := range 3 {\n\t\td(c)\n\t}",
                ),
                *(
                    "if c, ok := d[1]; ok {\n\t\te(c)\n\t} else if f {\n\t}",
                    "for ; c < 1; {\n\t}",
                    "var (\n\t\tc = 1\n\t)",
                ),
            ),
        },
    ),
    "java": Language(
        "package p;\n\nclass Z {\n    int z(int a, String[] b) {\n        LINES\n        return 1;\n    }\n}\n",
        (
            ("R c = new R(1); h(c);", "h(new R(1));"),
            ("if (!(x && y)) { return 1; } k();", "if (!x || !y) { return 1; } k();"),
            ("if (x) { h(1); } else { h(2); }", "if (!x) { h(2); } else { h(1); }"),
            ("int c; if (x) { c = 1; } else { c = 2; } h(c);", "int c = x ? 1 : 2; h(c);"),
            ("for (int i = 0; i < b.length; i++) { h(b[i]); }", "for (String c : b) { h(c); }"),
        ),
        (
            "D d = VALUE;",
            "d(VALUE);",
            "return VALUE;",
            "this.d = VALUE;",
            "if (VALUE) { e(); }",
            "for (D d = VALUE; d != null; d++) { }",
            "for (var d : VALUE) { e(); }",
            "switch (VALUE) { case D -> e(); default -> { } }",
            "synchronized (VALUE) { }",
            "STATEMENT",
            "{ STATEMENT }",
            "while (true) { STATEMENT }",
        ),
        {
            "VALUE": (
                *(
                    "1",
                    "c",
                    "-c",
                    "!c",
                    "c++",
                    "c = d",
                    "c += 1",
                    "(C) c",
                    "(C & D) c",
                    "new C()",
                    "new C<>() { int d; }",
                ),
                *(
                    "new int[1][]",
                    "new int[] {1}",
                    "c[1]",
                    "c.d",
                    "this.c",
                    "super.c()",
                    "c.<D>e()",
                    "C::d",
                    "C[]::new",
                ),
                *("() -> 1", "(C c, D d) -> { }", "c -> d", "c ? 1 : 2", "c instanceof D d", "c instanceof D(var e)"),
                *("C.class", "int[].class", "'c'", '"c" + d', '"""\n        c"""', "1L", "1.5f", "null", "c == d && e"),
                *("switch (c) { case 1, 2 -> 3; default -> { yield 4; } }", "c.new D()", "C.this.d", "~c", "c >>> 1"),
            ),
            "STATEMENT": (
                *(";", "return;", "break;", "continue;", "l: { break l; }", "throw c;", "assert c : d;", "class C { }"),
                *("try { e(); } catch (C | D c) { } finally { }", "try (C c = d; e) { }", "do { e(); } while (c);"),
                *(
                    "record C(int d) { C { } }",
                    "enum C { D { }, E }",
                    "interface C { default void d() { } }",
                    "var c = 1;",
                ),
                *(
                    "switch (c) { case 1: case 2: d(); break; default: }",
                    "final int c = 1, d[] = {2};",
                    "@C int c;",
                    "yield 1;",
                ),
            ),
        },
    ),
    "c": Language(
        "int z(int a, char **b)\n{\n    int c;\n    LINES\n    return 1;\n}\n",
        (
            ("c = g(1); h(c);", "h(g(1));"),
            ("if (!(a && c)) { return 1; } k();", "if (!a || !c) { return 1; } k();"),
            ("if (a) { h(1); } else { h(2); }", "if (!a) { h(2); } else { h(1); }"),
            ("c = 1; if (a) c = 2; h(c);", "if (a) c = 2; else c = 1; h(c);"),
            ("while (a) { if (!c) continue; h(1); }", "for (; a; ) { if (c) { h(1); } }"),
        ),
        (
            "d = VALUE;",
            "int d = VALUE, *e = VALUE;",
            "d(VALUE);",
            "return VALUE;",
            "if (VALUE) e();",
            "while (VALUE);",
            "for (d = VALUE; d; d++) { }",
            "switch (VALUE) { case 1: e(); break; default: ; }",
            "STATEMENT",
            "{ STATEMENT }",
            "do { STATEMENT } while (0);",
            "#ifdef D\nSTATEMENT\n#else\nSTATEMENT\n#endif",
        ),
        {
            "VALUE": (
                *(
                    "1",
                    "d",
                    "-d",
                    "!d",
                    "~d",
                    "*d",
                    "&d",
                    "d++",
                    "--d",
                    "d = e",
                    "d += 1",
                    "(D)d",
                    "(D){1, .e = 2}",
                    "d, e",
                ),
                *(
                    "d[1]",
                    "d.e",
                    "d->e",
                    "(*d)(1)",
                    "sizeof(D)",
                    "sizeof d",
                    "_Alignof(D)",
                    "d ? 1 : 2",
                    "d ?: 2",
                    "'d'",
                ),
                *(
                    '"d" "e"',
                    'L"d"',
                    "1UL",
                    "0x1p3",
                    "d << 1",
                    "d == e && f",
                    "({ d; })",
                    "_Generic(d, int: 1)",
                    "D(e)",
                ),
                *(
                    "__func__",
                    "offsetof(D, e)",
                    "va_arg(d, D)",
                    "(void)d",
                    "d##e",
                    "#d",
                    "&&l",
                    "(d)(e)",
                    "(d)-1",
                    "NULL",
                ),
            ),
            "STATEMENT": (
                *(
                    ";",
                    "return;",
                    "break;",
                    "continue;",
                    "goto l;",
                    "l: d();",
                    "l: ;",
                    "static int d = 1;",
                    "D *d;",
                    "d * e;",
                ),
                *("typedef int D;", "struct d { int e : 1; } f;", "enum { D, E = 2 };", "extern int d;", 'asm("d");'),
                *(
                    "case 1: d();",
                    "if (d) if (e) f(); else g();",
                    "do d(); while (e);",
                    "for (int d = 0; ; ) { }",
                    "D(e) { f(); }",
                ),
                *(
                    "\n#define D(e) do { f(e); } while (0)\n",
                    "\n#undef D\n",
                    "\n#pragma d\n",
                    "\n#include <d.h>\n",
                    "int d[] = {[1] = 2};",
                ),
                *(
                    "switch (d) { int e; case 1: { f(); } case 2 ... 3: break; }",
                    "int (*d)(int) = e;",
                    "int d(int);",
                    "__asm { d }",
                ),
            ),
        },
    ),
    "py": Language(
        "def z(a, b):\n    LINES\n    return 1\n",
        (
            ("c = 1\n    h(c)", "h(1)"),
            ("if not (x and y):\n        return 1\n    k()", "if not x or not y:\n        return 1\n    k()"),
            ("if x:\n        h(1)\n    else:\n        h(2)", "if not x:\n        h(2)\n    else:\n        h(1)"),
            ("if x:\n        c = 1\n    else:\n        c = 2\n    h(c)", "c = 1 if x else 2\n    h(c)"),
            ("c = []\n    for d in b:\n        c.append(g(d))", "c = [g(d) for d in b]"),
        ),
        (
            "d = VALUE",
            "d: D = VALUE",
            "d(VALUE, e=VALUE)",
            "return VALUE",
            "if VALUE:\n        e()",
            "while VALUE:\n        e()",
            "for d, *e in VALUE:\n        f()",
            "with VALUE as d, VALUE:\n        e()",
            "match VALUE:\n        case PATTERN:\n            e()\n        case _:\n            f()",
            "assert VALUE, VALUE",
            "STATEMENT",
            "for d in e:\n        STATEMENT",
        ),
        {
            "VALUE": (
                *(
                    "1",
                    "c",
                    "-c",
                    "not c",
                    "~c",
                    "c.d",
                    "c[1]",
                    "c[1:2, ::3]",
                    "c(*d, **e)",
                    "(c, d)",
                    "[]",
                    "{}",
                    "{1: 2}",
                ),
                *(
                    "{*c}",
                    "{**c}",
                    "lambda c, *d: e",
                    "c if d else e",
                    "c and d or e",
                    "c < d < e",
                    "c is not d",
                    "c not in d",
                ),
                *(
                    "[c for c in d if e]",
                    "{c: d for c, d in e}",
                    "(c async for c in d)",
                    "f'{c!r:>{d}}{e=}'",
                    "b'c' b'd'",
                ),
                *(
                    "(c := d)",
                    "await c",
                    "(yield)",
                    "(yield from c)",
                    "...",
                    "None",
                    "1j",
                    "c @ d",
                    "c ** -d",
                    "rf'{c}'",
                    "'c' 'd'",
                ),
            ),
            "PATTERN": (
                *(
                    "1",
                    "c",
                    "C()",
                    "C(1, d=e)",
                    "[c, *d]",
                    "(c, _)",
                    "{'c': d, **e}",
                    "1 | 2",
                    "C.D",
                    "c as d",
                    "None",
                    "-1",
                    "'c'",
                ),
                *("C(d) if e", "[]", "{}", "(1 | 2) as c", "*c, d", "1 + 2j", "b'c'", "[C(c), {'d': [e]}]"),
            ),
            "STATEMENT": (
                *(
                    "pass",
                    "break",
                    "continue",
                    "return",
                    "raise",
                    "raise c from d",
                    "del c, d[1]",
                    "global c",
                    "nonlocal c",
                ),
                *(
                    "import c.d as e, f",
                    "from . import c",
                    "from c import *",
                    "c: D",
                    "c += 1",
                    "c = d = e",
                    "c, *d = e",
                    "type C[D] = E",
                ),
                *(
                    "async def c(): pass",
                    "class C(D, e=1): pass",
                    "@c\n    def d(): pass",
                    "c; d; e",
                ),
                *(
                    "try: c()\n    except* D as e: pass",
                    "async with c as d: pass",
                    "(c)",
                    "print >>c",
                ),
            ),
        },
    ),
}


def _lines(language: Language) -> Iterator[str]:
    for place in language.places:
        gap = next(name for name in language.parts if name in place)
        for number, part in enumerate(language.parts[gap]):
            line = place.replace(gap, part)
            for name, parts in language.parts.items():
                line = line.replace(name, parts[number % len(parts)])
            yield line


def _pairs(suffix: str) -> Iterator[tuple[str, str]]:
    """Each line after or before a change; with all changes and in both orders, if there is time.

    A line that stays as it is need not be looked at, so that a name in it has changed as well.
    """
    language = LANGUAGES[suffix]
    indent = "\n\t" if suffix == "go" else "\n    "
    for number, line in enumerate(_lines(language)):
        some = product(language.changes, ("CHANGE\nSTAYS", "STAYS\nCHANGE"))
        for position, (change, lines) in enumerate(some):
            if ALL or position == number % (2 * len(language.changes)):
                around = language.around.replace("LINES", lines.replace("\n", indent))
                before, after = (around.replace("CHANGE", text) for text in change)
                yield before.replace("STAYS", line), after.replace("STAYS", _NAME.sub("w", line))


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_a_change_beside_any_code_is_judged(suffix: str) -> None:
    made = 0
    for pair in _pairs(suffix):
        made += 1
        assert judged({f"a.{suffix}": pair}, {})[f"a.{suffix}"].reasons, pair[0]
    assert made > 100
