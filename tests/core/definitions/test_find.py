"""Which definitions a content has, what they are called, and what their hashes overlook."""

from __future__ import annotations

import sys

import pytest
from msgspec.structs import replace

from intentls.core.definitions.definition import Definition
from intentls.core.definitions.find import definitions_in, definitions_of_change
from intentls.core.definitions.follow import follow
from intentls.core.syntax.canonicalize import NodeBudget

PYTHON = b'''\
# Not about anything below.

# Reads a city.
# In two lines.
@cache
def parse(text):
    """Reads."""
    return text.split(",")


class City:
    name: str = ""

    # About area.
    async def area(self):
        def inner():
            return self.width
        return inner() * self.height

LIMIT = 3
first, second = LIMIT, 4
'''


def found(path: str, content: bytes | str, touched: list[tuple[int, int]] | None = None) -> tuple[Definition, ...]:
    """The definitions; without their hashes they must be the same, for the same work."""
    data = content if isinstance(content, bytes) else content.encode()
    budget, other = NodeBudget(1_000_000), NodeBudget(1_000_000)
    definitions = definitions_in(path, data, budget, touched)
    bare = [replace(each, normalized_hash="", alpha_hash="", nameless_hash="", statements=()) for each in definitions]
    bare = [each if each.body_hash is None else replace(each, body_hash="") for each in bare]
    assert definitions_in(path, data, other, touched, with_hashes=False) == tuple(bare)
    assert other == budget
    return definitions


def one(path: str, content: bytes | str, name: str) -> Definition:
    (definition,) = [each for each in found(path, content) if each.name == name]
    return definition


def names(path: str, content: str) -> list[tuple[str, str]]:
    return [(each.name, each.kind) for each in found(path, content)]


def test_a_definition_reaches_from_its_comments_and_decorators_to_its_last_line() -> None:
    """Lines count from 1; a comment apart from it is not its own."""
    assert [(each.name, each.kind, each.start_line, each.end_line) for each in found("a.py", PYTHON)] == [
        ("parse", "function", 3, 8),
        ("City", "class", 11, 18),
        ("City.area", "method", 14, 18),
        ("City.area.inner", "function", 16, 17),
        ("LIMIT", "constant", 20, 20),
    ]


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        (
            "a.js",
            "export default function f(a) {}\nconst g = a => 1, h = function() {}\nmodule.exports.k = () => 1\n"
            "A.prototype.m = function() {}\nclass A { static #x = () => 1; y = 2; n() {} }\n"
            "const o = { p() {}, q: () => 1, r: { s() {} } }\nfunction u() { const v = 1; w.z = {}; let t = {} }\n"
            "x = 1\nlet lonely\nconst { a, b } = c\n",
            [
                *(("f", "function"), ("g", "function"), ("h", "function"), ("k", "function"), ("A.m", "function")),
                *(("A", "class"), ("A.#x", "method"), ("A.n", "method"), ("o", "object"), ("o.p", "method")),
                *(("o.q", "method"), ("o.s", "method"), ("u", "function"), ("lonely", "constant")),
            ],
        ),
        (
            "a.ts",
            "interface I { f(): void }\ntype T = { a: 1 }\nenum E { A }\nnamespace N { export function q() {} }\n"
            "abstract class B { abstract m(): void }\ndeclare function z(): void\nexport const V = 1\n",
            [
                *(("I", "interface"), ("T", "type"), ("E", "enum"), ("N", "namespace"), ("N.q", "function")),
                *(("B", "class"), ("B.m", "method"), ("z", "function"), ("V", "constant")),
            ],
        ),
        (
            "a.go",
            "package a\nfunc (c *City) Parse(x int) int { return x }\nfunc (City) Of() {}\nfunc () odd() {}\n"
            "func F() { const k = 1 }\ntype S struct { A int }\ntype I interface { M() }\ntype (\n\tX int\n\tY = Z\n)\n"
            "const K = 1\n",
            [
                *(("City.Parse", "method"), ("City.Of", "method"), ("odd", "method"), ("F", "function")),
                *(("S", "struct"), ("I", "interface"), ("X", "type"), ("Y", "type"), ("K", "constant")),
            ],
        ),
        (
            "a.rs",
            "struct S { a: i32 }\nimpl S { fn n() {} }\nimpl fmt::Display for S { fn m(&self) {} }\n"
            "trait T { fn q(&self); }\nmod m { fn z() {} }\nmacro_rules! mm { () => {} }\nconst C: i32 = 1;\n",
            [
                *(("S", "struct"), ("S", "impl"), ("S.n", "method"), ("fmt.Display for S", "impl")),
                *(("fmt.Display for S.m", "method"), ("T", "trait"), ("T.q", "method"), ("m", "namespace")),
                *(("m.z", "function"), ("mm", "macro"), ("C", "constant")),
            ],
        ),
        (
            "A.java",
            "class A { A() {} @Override void m(int q) {} interface I { void z(); } enum E { P } record R(int a) {} }\n",
            [
                *(("A", "class"), ("A.A", "method"), ("A.m", "method"), ("A.I", "interface"), ("A.I.z", "method")),
                *(("A.E", "enum"), ("A.R", "class")),
            ],
        ),
        (
            "a.c",
            "static int f(int a) { return a; }\nint *g(void) { return 0; }\nint (*p(int a))(int) { return 0; }\n"
            "struct S { int a; };\nstruct S *x;\ntypedef struct { int b; } T;\n#define M(x) x\n#define N 1\n"
            "static const int k = 1;\nint proto(int);\n",
            [
                *(("f", "function"), ("g", "function"), ("p", "function"), ("S", "struct"), ("T", "type")),
                *(("M", "macro"), ("N", "constant"), ("k", "constant")),
            ],
        ),
        (
            "a.cpp",
            "namespace a { template<class T> class A { ~A() {} bool operator==(int o) { return 1; } }; }\n"
            "int A::foo(int q) { return 1; }\nint& A::r() { return x; }\nusing X = int;\n",
            [
                *(("a", "namespace"), ("a.A", "class"), ("a.A.~A", "method"), ("a.A.operator==", "method")),
                *(("A.foo", "function"), ("A.r", "function"), ("X", "type")),
            ],
        ),
        (
            "a.cs",
            "namespace N { class A { int P { get; set; } ~A() {} void M() {} public static int operator +(A a) => 1;\n"
            "int this[int i] { get { return 1; } } } }\n",
            [
                *(("N", "namespace"), ("N.A", "class"), ("N.A.P", "property"), ("N.A.~A", "method")),
                *(("N.A.M", "method"), ("N.A.operator+", "method"), ("N.A.this[]", "property")),
            ],
        ),
        (
            "a.rb",
            "module M\n  class A::B\n    X = 1\n    def m(a)\n      1\n    end\n    def self.s; end\n  end\nend\n"
            "Q = 2\n",
            [("M", "namespace"), ("M.A.B", "class"), ("M.A.B.m", "method"), ("M.A.B.s", "method"), ("Q", "constant")],
        ),
        (
            "a.php",
            "<?php\nnamespace N;\nclass A { const X = 1; function m($a) { return 1; } }\ntrait T {}\nconst K = 1;\n"
            "function f() {}\n",
            [("A", "class"), ("A.m", "method"), ("T", "trait"), ("K", "constant"), ("f", "function")],
        ),
        (
            "a.kt",
            "class A {\n  fun m(a: Int): Int = 1\n  companion object {\n    fun s() {}\n  }\n}\nobject O {}\n"
            "const val K = 1\ntypealias T = Int\n",
            [
                *(("A", "class"), ("A.m", "method"), ("A.Companion", "class"), ("A.Companion.s", "method")),
                *(("O", "class"), ("K", "constant"), ("T", "type")),
            ],
        ),
        (
            "a.swift",
            "class B {\n  init(a: Int) {\n  }\n  deinit {\n  }\n  subscript(i: Int) -> Int {\n    return 1\n  }\n}\n"
            "let K = 1\nprotocol P {\n  func q()\n}\n",
            [
                *(("B", "class"), ("B.init", "method"), ("B.deinit", "method"), ("B.subscript", "method")),
                *(("K", "constant"), ("P", "interface"), ("P.q", "method")),
            ],
        ),
        ("a.sh", "f() { x=1; }\nreadonly K=1\n", [("f", "function"), ("K", "constant")]),
        ("a.css", "a.b > c, d { color: red; }\n", [("a.b>c,d", "rule")]),
        ("a.toml", "[a.b]\nx = 1\n[[c]]\ny = 2\n", [("a.b", "table"), ("c", "table")]),
        ("a.yaml", "a: 1\nb:\n  c: 2\n", [("a", "key"), ("b", "key")]),
        ("a.json", '{"a": 1, "b": {"c": 2}}', [("a", "key"), ("b", "key")]),
        ("a.html", "<p>a</p>", []),
        ("a.xyz", "def f(): pass", []),
    ],
)
def test_each_language_names_its_own(path: str, source: str, expected: list[tuple[str, str]]) -> None:
    """The qualified names and kinds, outer ones first; who asks for a line alone gets the same ones around it."""
    assert names(path, source) == expected
    for line in range(1, source.count("\n") + 2):
        around, alone = (
            [each for each in some if each.start_line <= line <= each.end_line]
            for some in (found(path, source), found(path, source, [(line, line)]))
        )
        assert alone == around


def test_attributes_belong_to_what_they_stand_above() -> None:
    """In Rust, and decorators of a method in TypeScript."""
    assert one("a.rs", "fn a() {}\n/// Doc.\n#[derive(X)]\nstruct S {}\n", "S").start_line == 2
    assert one("a.rs", "/// Doc.\nconst A: i32 = 1;\nfn f() {}\n", "f").start_line == 3
    assert one("a.ts", "class A {\n  a() {}\n  @d()\n  m() {}\n}\n", "A.m").start_line == 3


def test_a_comment_behind_code_belongs_to_that_code() -> None:
    """Not to the definition in the next line."""
    assert one("a.py", "x = 1  # one\ndef f(): return 1\n", "f").start_line == 2


def test_formatting_comments_and_docstrings_leave_the_hashes_as_they_are() -> None:
    """Whatever reads docstrings elsewhere in the file."""
    before = one("a.py", "def f(a, b):\n    return g(a, 'x')\n", "f")
    after = one(
        "a.py", '@d\ndef f(\n    a,\n    b,\n):\n    """Doc."""\n    # why\n    return g(a, "x")\n\nf.__doc__\n', "f"
    )
    assert (after.normalized_hash, after.alpha_hash, after.body_hash, after.statements, after.leaves) == (
        before.normalized_hash,
        before.alpha_hash,
        before.body_hash,
        before.statements,
        before.leaves,
    )


def test_a_new_name_leaves_the_body_hash_and_new_names_everywhere_the_alpha_hash() -> None:
    """A name that stands for two others before is another shape; a member is not the parameter of that name."""
    first = one("a.py", "def f(name, b):\n    self.name = name + b\n", "f")
    renamed = one("a.py", "def g(name, b):\n    self.name = name + b\n", "g")
    inside = one("a.py", "def g(n, b):\n    self.name = n + b\n", "g")
    merged = one("a.py", "def g(n, b):\n    self.name = n + n\n", "g")
    assert first.normalized_hash != renamed.normalized_hash
    assert first.body_hash == renamed.body_hash != inside.body_hash
    assert first.alpha_hash == renamed.alpha_hash == inside.alpha_hash != merged.alpha_hash


def test_languages_whose_names_are_not_followed_have_shapes_too() -> None:
    """Every identifier of Rust is a name."""
    first = one("a.rs", "fn f(a: T) -> T { g(a, 1) }", "f")
    renamed = one("a.rs", "fn h(b: U) -> U { k(b, 1) }", "h")
    other = one("a.rs", "fn h(b: U) -> U { k(b, 2) }", "h")
    assert first.alpha_hash == renamed.alpha_hash != other.alpha_hash


def test_a_statement_is_hashed_without_what_stands_in_its_own_block() -> None:
    """So that one changed line is one changed statement."""
    before = one("a.py", "def f(a):\n    if a:\n        b()\n    c()\n", "f").statements
    after = one("a.py", "def f(a):\n    if a:\n        d()\n    c()\n", "f").statements
    assert len(before) == len(after) == 3
    assert len(set(before) & set(after)) == 2
    assert len(one("a.go", "package a\nfunc f() { g(); h() }\n", "f").statements) == 2


def test_only_what_is_touched_needs_to_be_read() -> None:
    """Comments above a definition are its own; a range between two definitions touches neither."""
    source = "# about a\ndef a():\n    return 1\n\n\ndef b():\n    return 2\n\n\n"
    source += "class C:\n    def d(self):\n        return 3\n"
    whole = {each.name: each for each in found("a.py", source)}
    assert found("a.py", source, [(1, 1)]) == (whole["a"],)
    assert found("a.py", source, [(7, 7)]) == (whole["b"],)
    assert found("a.py", source, [(12, 12)]) == (whole["C"], whole["C.d"])
    assert found("a.py", source, [(1, 12)]) == found("a.py", source) == tuple(whole.values())
    assert found("a.py", source, []) == ()
    assert [each.name for each in found("a.js", "function f() {} function g() {}\n", [(1, 1)])] == ["f", "g"]


def test_what_stands_twice_is_found_where_it_is_touched() -> None:
    """Although the other one of the same text is not."""
    source = "def a():\n    return 1\n\ndef a():\n    return 1\n"
    assert (4, 5) in [(each.start_line, each.end_line) for each in found("a.py", source, [(5, 5)])]


MACROS = """\
#ifndef RAIN_H
static int rain(void *data UNUSED) {
    return 1;
}

/* All of them. */
int snow(struct town *a) {
    for_each_city(city, a->cities) {
        measure(va_arg(a->list, const char *), city);
    }
    return 2;
}
#endif
"""


def test_a_function_of_c_is_found_though_macros_hide_what_is_in_it() -> None:
    for path in ("a.c", "a.h", "a.cpp"):
        found = definitions_in(path, MACROS.encode(), NodeBudget(10_000))
        lines = [(one.name, one.start_line, one.end_line) for one in found]
        assert lines == [("rain", 2, 4), ("snow", 6, 12)]
    touched = definitions_in("a.c", MACROS.encode(), NodeBudget(10_000), [(9, 9)], with_hashes=False)
    assert "snow" in [one.name for one in touched]


def test_a_function_of_c_whose_end_can_not_be_told_is_not_found() -> None:
    """Both branches open a bracket, and the grammar can't read what follows: it may take that for a part of it."""
    unclear = "int hail(int a) {\n#if A\n    if (a) {\n#else\n    if (!a) {\n#endif\n        return 1;\n    }\n}\n"
    left_open = "int hail(int a) {\n    for_each_city(a, b) {\n        g(a);\n}\n"
    inside = MACROS.replace("#endif", "int hail(int a) {\n    g(a));\n}\n#endif")
    assert [one.name for one in definitions_in("a.h", inside.encode(), NodeBudget(10_000))] == ["rain", "snow"]
    behind, before, around = (
        [one.name for one in definitions_in("a.c", source.encode(), NodeBudget(10_000))]
        for source in (f"{MACROS}{unclear}", f"{unclear}{MACROS}", f"{left_open}{MACROS}")
    )
    assert behind == ["rain", "snow"]
    assert "hail" not in before
    assert around == []


def test_what_a_macro_hides_is_found_again_under_another_name() -> None:
    after = MACROS.replace("snow", "sleet").replace("cities", "towns")
    old, new = definitions_of_change("a.c", (MACROS.encode(), after.encode()), ([(7, 8)], [(7, 8)]), NodeBudget(10_000))
    assert [(old[i].name, new[j].name) for i, j in follow(old, new).items() if old[i].name != new[j].name] == [
        ("snow", "sleet")
    ]


@pytest.mark.parametrize(
    "content", [b"def f(:\n  return", b"def f(): return '\0'", b"def f():\r  return\n", b"", b"\xff\xfe"]
)
def test_what_is_no_source_has_no_definitions(content: bytes) -> None:
    """And nothing is raised."""
    assert found("a.py", content) == ()


def test_bytes_that_are_no_text_can_be_in_a_source() -> None:
    """They have hashes like all others; in a name each is a question mark, as a ledger is text."""
    assert one("a.c", b'char *f(void) { return "\xff"; }', "f").leaves > 5
    assert [each.name for each in found("a.json", b'{"\xff": 1}')] == ["?"]


def test_nothing_is_begun_that_is_too_large() -> None:
    """Bytes and nodes are limited."""
    assert definitions_in("a.py", PYTHON, NodeBudget(1_000_000, max_bytes=10)) == ()
    assert definitions_in("a.py", PYTHON, NodeBudget(20)) == ()


def test_without_the_grammars_there_are_no_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is optional."""
    monkeypatch.setattr("intentls.core.definitions.find.syntax_tree", lambda content, module, function: None)
    assert found("a.py", PYTHON) == ()


def test_a_thousand_definitions_in_one_another_are_no_trouble() -> None:
    """Those that are too deep count as a part of those around them; no name grows without limit."""
    deep = found("a.js", "".join(f"function the_{n}th() {{" for n in range(1000)) + "}" * 1000)
    assert 10 < len(deep) < 100
    assert max(len(each.name) for each in deep) <= 500
    expression = "f(" * 5000 + ")" * 5000
    assert sys.getrecursionlimit() < 5000
    assert [each.name for each in found("a.js", f"function f() {{ return {expression} }}")] == ["f"]


def test_of_a_change_all_is_read_that_one_of_its_contents_needs() -> None:
    """What is the same and untouched in both is left out; a copy of what is touched is there."""
    old = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n"
    new = old.replace("def b():\n    return 2\n", "def a():\n    return 1\n")
    contents = old.encode(), new.encode()
    before, after = definitions_of_change("a.py", contents, ([(5, 6)], [(5, 6)]), NodeBudget(10_000))
    assert [each.name for each in before] == ["a", "b"]
    assert [each.name for each in after] == ["a", "a"]
    assert all(each.normalized_hash for each in (*before, *after))


def test_of_a_change_nothing_is_told_unless_both_contents_can_be_read() -> None:
    good, bad = b"def a():\n    pass\n", b"\0"
    for contents in ((good, bad), (bad, good)):
        assert definitions_of_change("a.py", contents, ([(1, 1)], [(1, 1)]), NodeBudget(10_000)) == ((), ())
