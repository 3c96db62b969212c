"""Tokens without a tree: equal for what a compiler can't tell apart, unequal or none for everything else."""

from __future__ import annotations

import re

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.syntax.lexemes import are_brackets_closed, lexemes_of_c, lexemes_of_script

_PRAGMA = re.compile(r"//\s*@jsx")


def _script(source: str) -> tuple[str, ...] | None:
    return lexemes_of_script(source, _PRAGMA)


SAME_C = [
    ("int a = 1;", "int a /* one */\n  = 1; // yes\n"),
    ("#define F(a) g(a) \\\n  + 1\n", "#define F(a)   g(a)  + 1 // why"),
    ("#include <a//b.h>\n", "# include  <a//b.h>  /* all\n of it */\n"),
    ('#line 7 "a.y"\nint b;', '#line 8 "a.y"\nint b;'),
    ("#error it's \"bad\n", "#error it's \"bad\r\n"),
    ('a = L"b" "c" \'"\';', 'a = L"b"\n  "c" \'"\'; /* \' */'),
    ("%: define A\n", "%:define A\n"),
    ("int a[] = { 1, 2, };", "int a[] = { 1, 2 };"),
    ('a = "FOR" "b"; /* R"( */', 'a = "FOR" "b";'),
    ("#ifdef A\nint a\n#else\nlong a\n#endif\n;", "#ifdef A\n  int a // less\n#else\n  long a\n#endif\n  ;"),
]


@pytest.mark.parametrize(("one", "other"), SAME_C)
def test_comments_and_space_are_no_tokens_of_c(one: str, other: str) -> None:
    assert lexemes_of_c(one) == lexemes_of_c(other) is not None


OTHER_C = [
    ("f({ 1, });", "f({ 1 });"),
    ("f(\n#if A\n1)\n#else\n2)\n#endif\n; g({ 1, });", "f(\n#if A\n1)\n#else\n2)\n#endif\n; g({ 1 });"),
    ("int a = 1;", "int a = 2;"),
    ("a = b - -c;", "a = b --c;"),
    ("a = b + ++c;", "a = b++ + c;"),
    ("#define A (b)\n", "#define A(b)\n"),
    ("#define A b+c\n", "#define A b + c\n"),
    ("#define A\nb\n", "#define A b\n"),
    ("// #if A\nb\n// #endif", "#if A\nb\n#endif"),
    ("// a \\\nb();", "// a\nb();"),
    ('a = "b  c";', 'a = "b c";'),
    ('a = "/* b */";', 'a = "/* c */";'),
    ("#include <a//b.h>\n", "#include <a//c.h>\n"),
    ('a = L"b";', 'a = L "b";'),
    ('a = "b"_d;', 'a = "b" _d;'),
    ("#if A // b\nc\n#endif", "#if A c // b\n#endif"),
]


@pytest.mark.parametrize(("one", "other"), OTHER_C)
def test_what_a_c_compiler_may_tell_apart_has_other_tokens(one: str, other: str) -> None:
    assert lexemes_of_c(one) != lexemes_of_c(other)


@pytest.mark.parametrize("comment", ["/* o--\\ \n   \\--o */", "/* objects/??/*.c */", "/* ??/\n */"])
def test_a_comment_between_its_signs_may_have_what_compilers_split_in_two_ways(comment: str) -> None:
    assert lexemes_of_c(f"a {comment} b") == ("a", "b")


@pytest.mark.parametrize(
    "source",
    ["a /* b", "a ??/\nb", "a \\ \nb", 'R"(a // b)"', 'u8R"(\n)"', "#error don't // say\n", "// ??/\nb", '"/*??/\n*/"'],
)
def test_c_that_compilers_may_split_in_two_ways_has_no_tokens(source: str) -> None:
    assert lexemes_of_c(source) is None


SAME_SCRIPT = [
    ("f(a, [b, c]);", "f( // why\n  a,\n  [\n    b,\n    c,\n  ],\n);"),
    ("type A = {| b: ?C |};", "type A = {|\n  b: ?C, // why\n|};"),
    ("type A = M<B /* T */>;", "type A = M<\n  B /* U */,\n>;"),
    ("a ? b : c", "a\n  ? b\n  : c"),
    ("a = `b ${c({d: `e`})} // f`;", "a = `b ${c({ d: `e` })} // f`; // g"),
    ("a = /[/*]'/g.test(b) // c", "a = /[/*]'/g.test(b) // d"),
    ("a = b / 2 / c[0] / 'd'", "a = b / 2 /* e */ / c[0] / 'd'"),
    ("if (a) /b/.test(c)\nd", "if (a) /b/.test(c)\n  d"),
    ("x = a.return / b", "x = a.return  / b"),
    ("x = (a) / (b) / c\ny = (d) / e", "x = (a)/(b)/c\ny = (d)/e"),
    ("return /a'b/", "return /a'b/ // c"),
    ("/'/", "/'/ // a"),
    ("a = 1.5 + .5", "a = 1.5 +\r\n  .5"),
    ("f(a\nb)", "f(a b)"),
]


@pytest.mark.parametrize(("one", "other"), SAME_SCRIPT)
def test_comments_and_space_are_no_tokens_of_a_script(one: str, other: str) -> None:
    assert _script(one) == _script(other) is not None


OTHER_SCRIPT = [
    ("return a", "return\na"),
    ("return (a)", "return\n(a)"),
    ("return a", "return /*\n*/ a"),
    ("a\n++b", "a++\nb"),
    ("[a,,]", "[a,]"),
    ("[,]", "[]"),
    ("a + +b", "a++b"),
    ("a = 'b // c'", "a = 'b // d'"),
    ("a = `b // c`", "a = `b // d`"),
    ("a = `${b}// c`", "a = `${b}// d`"),
    ("// @jsx a\nb", "// @jsx c\nb"),
    ("a = /b \\/\\/ c/", "a = /b \\/\\/ d/"),
    ("x = {a\nget b() {}}", "x = {a get b() {}}"),
]


@pytest.mark.parametrize(("one", "other"), OTHER_SCRIPT)
def test_what_a_script_may_mean_otherwise_has_other_tokens(one: str, other: str) -> None:
    assert _script(one) != _script(other) is not None


UNSURE = [
    "a = <b>http://c</b>",
    "a = <b c='d//e' />",
    "<!-- a",
    "--> a",
    "if (a) /'/.test(b) // c",
    "a = b.return / '//'",
    "for (a of /b/) '//'",
    "a = /b",
    "a = `b",
    "a /* b",
    "a = 'b",
    "a = \\u0061",
    "f(a]",
    "f(a",
    "}",
]


@pytest.mark.parametrize("source", UNSURE)
def test_a_script_that_may_be_read_in_two_ways_has_no_tokens(source: str) -> None:
    assert _script(source) is None


def _class(path: str, before: str, after: str) -> MutationClass:
    return classify_change([FileVersions(path, Change.MODIFY, before.encode(), after.encode())])[0].mutation_class


def test_a_comment_in_a_file_that_does_not_parse_is_documentation() -> None:
    flow = "export type A = {| b: ?C |};\nf(a) // "
    assert _class("a.js", f"{flow}why", f"{flow}because") is MutationClass.DOCUMENTATION
    assert _class("a.js", f"{flow}why\ng()", f"{flow}why\nh()") is MutationClass.INTENT_EVOLUTION
    macros = "MACRO(int\nf(void) {{\n  BEGIN(\n  {}\n  g();\n}}\n"
    assert _class("a.c", macros.format("/* a */"), macros.format("/* b */")) is MutationClass.DOCUMENTATION
    assert _class("a.c", macros.format("a();"), macros.format("b();")) is MutationClass.INTENT_EVOLUTION
    assert _class("a.go", "package a\n// b\nfunc (", "package a\n// c\nfunc (") is MutationClass.INTENT_EVOLUTION


def test_what_a_tree_of_c_takes_for_another_program_is_told_by_its_tokens() -> None:
    assert _class("a.h", '#line 7 "a.y"\nint b;\n', '#line 8 "a.y"\nint b;\n') is MutationClass.DOCUMENTATION


@pytest.mark.parametrize(
    ("source", "expected"),
    [("f(a[1], {b});", True), ("", True), (")", False), ("f(a];", False), ("f(a;", False), ("} {", False)],
)
def test_brackets_are_closed_by_their_own_kind(source: str, expected: bool) -> None:
    found = lexemes_of_c(source)
    assert found is not None
    assert are_brackets_closed(found) is expected
