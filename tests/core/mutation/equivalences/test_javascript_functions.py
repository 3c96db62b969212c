"""Functions of JavaScript that their file alone calls: how they are declared, and what they are given for nothing."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

# In a module of Node; `m` may be anything.
DECLARED = [
    ("function f(a) { return a + 1 }\nm(f(1))", "const f = a => a + 1\nm(f(1))"),
    ("function f(a) { return a + 1 }\nm(f(1))", "const f = (a) => { return a + 1 }\nm(f(1))"),
    ("function f(a) { return a + 1 }\nm(f(1))", "const f = function (a) { return a + 1 }\nm(f(1))"),
    ("function f(a) { return a + 1 }\nm(f(1))", "var f = function g(a) { return a + 1 }\nm(f(1))"),
    ("function f(a) { return a ? f(a - 1) : 1 }\nm(f(1))", "const f = a => a ? f(a - 1) : 1\nm(f(1))"),
    ("function f(a) { return this.b + 1 }\nm(f(1))", "const f = function (a) { return this.b + 1 }\nm(f(1))"),
    ("async function f(a) { return a }\nm(f())", "const f = async a => a\nm(f())"),
    ("function *f(a) { yield a }\nm(f())", "const f = function* (a) { yield a }\nm(f())"),
    (
        "function g() { return f() }\nfunction f() { return 1 }\nm(g)",
        "function g() { return f() }\nconst f = () => 1\nm(g)",
    ),
    ("const g = () => f()\nfunction f() { return 1 }\nm(g)", "const g = () => f()\nconst f = () => 1\nm(g)"),
    ("var a = m(1), f = function () { return a + a }\nm(f())", "var a = m(1)\nfunction f() { return a + a }\nm(f())"),
    (
        "function h(b) { function f(a) { return a }\nreturn f(b) }\nm(h)",
        "function h(b) { const f = a => a\nreturn f(b) }\nm(h)",
    ),
    ("m(1)\nfunction f(a) { return a + 1 }\nm(f(1))", "m(1)\nconst f = a => a + 1\nm(f(1))"),
]
HANDED = [
    ("function f(a) { return a }\nm(b.map(f), c.then(f, f))", "const f = a => a\nm(b.map(f), c.then(f, f))"),
    ("function f() { m(1) }\nb.on('c', f)", "const f = () => { m(1) }\nb.on('c', f)"),
    (
        "function h(b) { function f(a) { return a }\nreturn b.map(f) }\nm(h)",
        "function h(b) { const f = a => a\nreturn b.map(f) }\nm(h)",
    ),
]
NOT_DECLARED = [
    ("function f(a) { return this }\nm(b.map(f))", "const f = a => this\nm(b.map(f))"),
    ("function f(a) { return a }\nm(map(f))", "const f = a => a\nm(map(f))"),
    ("function f(a) { return a }\nm(b.use(f))", "const f = a => a\nm(b.use(f))"),
    ("m(b.map(f))\nfunction f(a) { return a }", "m(b.map(f))\nconst f = a => a"),
    ("function f(a) { return this.b + 1 }\nm(f(1))", "const f = a => this.b + 1\nm(f(1))"),
    ("function f() { return arguments }\nm(f(1))", "const f = () => arguments\nm(f(1))"),
    ("function f() { return () => new.target }\nm(f(1))", "const f = () => () => new.target\nm(f(1))"),
    ("function f(a) { return 1 }\nm(new f(1))", "const f = a => 1\nm(new f(1))"),
    ("function f(a) { return a }\nm(f)", "const f = a => a\nm(f)"),
    ("function f(a) { return a }\nm(f?.(1))", "const f = a => a\nm(f?.(1))"),
    ("function f(a) { return a }\nm(f`1`)", "const f = a => a\nm(f`1`)"),
    ("m(f(1))\nfunction f(a) { return 1 }", "m(f(1))\nconst f = a => 1"),
    (
        "m(g)\nfunction g() { return f() }\nfunction f() { return 1 }",
        "m(g)\nfunction g() { return f() }\nconst f = () => 1",
    ),
    (
        "m(g)\nfunction g() { return f() }\nfunction f() { return 2 }\nm(3)",
        "m(g)\nfunction g() { return f() }\nconst f = () => 2",
    ),
    ("function f() { return 1 }\nm(f())\nf = 2", "let f = () => 1\nm(f())\nf = 2"),
    ("var f = function g(a) { return a ? g(1) : 2 }\nm(f(1))", "function f(a) { return a ? g(1) : 2 }\nm(f(1))"),
    (
        "function h(b) { function f(a) { return a }\nreturn f(b) }\nm(h, f(2))",
        "function h(b) { const f = a => a\nreturn f(b) }\nm(h, f(2))",
    ),
    (
        "function h(b) { f(b)\nfunction f(a) { return a } }\nm(h)",
        "function h(b) { f(b)\nconst f = a => a }\nm(h)",
    ),
    (
        "function h(b) { if (b) { function f(a) { return a } }\nreturn f(b) }\nm(h)",
        "function h(b) { if (b) { const f = a => a }\nreturn f(b) }\nm(h)",
    ),
    ("const [f] = [a => a]\nm(f(1))", "function f(a) { return a }\nm(f(1))"),
]
EARLY = (
    "export function h(b) { return f(b) }\nfunction f(a) { return a }",
    "export function h(b) { return f(b) }\nconst f = a => a",
)

NEEDLESS = [
    ("function f(a, b) { return a + 1 }\nm(f(1, 2), f(3, 4))", "function f(a) { return a + 1 }\nm(f(1), f(3))"),
    ("function f(a) { return a + 1 }\nm(f(1, 'a'))", "function f(a) { return a + 1 }\nm(f(1))"),
    ("function f(a, b) { return a + 1 }\nm(f(1))", "function f(a) { return a + 1 }\nm(f(1))"),
    (
        "function f(b, a) { return a + 1 }\nm(x => { return f(x, x) })",
        "function f(a) { return a + 1 }\nm(x => { return f(x) })",
    ),
    (
        "function h(a, c) { return 1 }\nfunction f(a, b) { return h(a, b) }\nm(x => { return f(x, x) })",
        "function h() { return 1 }\nfunction f() { return h() }\nm(x => { return f() })",
    ),
    ("const f = (a, b) => a + 1\nm(f(1, undefined))", "function f(a) { return a + 1 }\nm(f(1))"),
]
MANY = ", ".join("abcdefghijkl")
NEEDED = [
    (f"function f({MANY}) {{ return 1 }}\nm(f())", "function f() { return 1 }\nm(f())"),  # more than one looks for
    ("function f(a, b) { return a }\nm(c.map(f), f(1, 2))", "function f(a) { return a }\nm(c.map(f), f(1))"),
    ("function f(b, a) { return a }\nm(x => f(x.y, x))", "function f(a) { return a }\nm(x => f(x))"),
    ("function f(a) { return 1 }\nm(x => f(x()))", "function f() { return 1 }\nm(x => f())"),
    ("function f(a, b) { return a }\nm(f(1, z)); const z = 1", "function f(a) { return a }\nm(f(1)); const z = 1"),
    ("function f(a) { return arguments }\nm(f(1, 2))", "function f(a) { return arguments }\nm(f(1))"),
    ("function f(a, b) { return eval(a) }\nm(f(1, 2))", "function f(a) { return eval(a) }\nm(f(1))"),
    ("function f(a, b) { return a }\nm(f)", "function f(a) { return a }\nm(f)"),
    ("function f(a, b) { return a }\nm(f(1, 2), f.length)", "function f(a) { return a }\nm(f(1), f.length)"),
    ("exports.f = f\nfunction f(a, b) { return a }\nm(f(1, 2))", "exports.f = f\nfunction f(a) { return a }\nm(f(1))"),
    ("function f(b, a) { return a }\nm(f(...m(1)))", "function f(a) { return a }\nm(f(...m(1)))"),
    ("function f(a, ...b) { return b }\nm(f(1, 2))", "function f(a, ...b) { return b }\nm(f(1))"),
    ("function f({a}, b) { return b }\nm(f(1, 2))", "function f(b) { return b }\nm(f(2))"),
    ("function f(a, b = m()) { return a }\nm(f(1))", "function f(a) { return a }\nm(f(1))"),
    ("function f(a, b) { return a }\nm(f(1, 2))", "function f(b, a) { return a }\nm(f(1, 2))"),
    (
        "function f(a) { return 1 }\nm(() => { f(x); let x = 1; m(x) })",
        "function f() { return 1 }\nm(() => { f(); let x = 1; m(x) })",
    ),
    ("function f(a) { return 1 }\n{ f(m); let m = 1 }", "function f(a) { return 1 }\n{ f(); let m = 1 }"),
    ("function f(a) { return 1 }\nm((b = f(c), c) => b)", "function f() { return 1 }\nm((b = f(), c) => b)"),
]

IDLE = [
    ("const x = m(1); return 1", "m(1); return 1"),
    ("const x = new A(1); return 1", "new A(1); return 1"),
    ("const x = await m(1); return 1", "await m(1); return 1"),
    ("const x = () => 2; return 1", "return 1"),
    ("const x = 'a'; return 1", "return 1"),
    ("function x() { return x() } return 1", "return 1"),
    (
        "m(() => { const x = g(); h() }); m(() => { const x = g(); h(x, x) })",
        "m(() => { g(); h() }); m(() => { const x = g(); h(x, x) })",
    ),
]
NOT_IDLE = [
    ("const x = q.y; return 1", "return 1"),
    ("const x = y; return 1", "return 1"),
    ("const x = [m(1)]; return 1", "return 1"),
    ("const x = m(1); return x", "m(1); return 1"),
    ("const x = m(1); return () => x", "m(1); return () => x"),
    ("const x = m(1); return eval('x')", "m(1); return eval('x')"),
    ("const x = m(1), y = eval; return 1", "m(1); const y = eval; return 1"),
    ("const {x} = m(1); return 1", "m(1); return 1"),
    ("function x() { return 1 } return m('x')", "return m('x')"),
    ("for (;;) { function x() { return 1 } m(2) } m(x)", "for (;;) { m(2) } m(x)"),
]

LISTS = [
    ("Object.keys(q).forEach(function (a) { this.b(a) }, this)", "Object.keys(q).forEach(a => { this.b(a) })"),
    ("[1, 2].map(function (a) { return this.b(a) }, this)", "[1, 2].map(a => this.b(a))"),
    (
        "Array.from(q).filter(m).map(function (a) { return this.b(a) }, this)",
        "Array.from(q).filter(m).map(a => this.b(a))",
    ),
]
PROMISES = [
    ("m(new Promise(function (a, b) { a(1) }))", "m(new Promise((a, b) => { a(1) }))"),
    ("m(new Promise(function (a, b) { setTimeout(a) }), 1)", "m(new Promise((a, b) => { setTimeout(a) }), 1)"),
]
NOT_LISTS = [
    ("m(new Promise(function (a, b) { a(this) }))", "m(new Promise((a, b) => { a(this) }))"),
    ("m(new Premise(function (a, b) { a(1) }))", "m(new Premise((a, b) => { a(1) }))"),
    ("q.forEach(function (a) { this.b(a) }, this)", "q.forEach(a => { this.b(a) })"),
    ("q.c().map(function (a) { this.b(a) }, this)", "q.c().map(a => { this.b(a) })"),
    ("m(q).map(function (a) { this.b(a) }, this)", "m(q).map(a => { this.b(a) })"),
    ("Object.keys(q).forEach(function (a) { this.b(a) }, that)", "Object.keys(q).forEach(a => { this.b(a) })"),
    ("Object.keys(q).forEach(function b(a) { this.b(a) }, this)", "Object.keys(q).forEach(a => { this.b(a) })"),
    (
        "Object.keys(q).forEach(function (a) { m(this, arguments) }, this)",
        "Object.keys(q).forEach(a => { m(this, arguments) })",
    ),
    ("Object.keys(q).reduce(function (a) { return this.b(a) }, this)", "Object.keys(q).reduce(a => this.b(a))"),
    ("Object.assign(q).map(function (a) { return this.b(a) }, this)", "Object.assign(q).map(a => this.b(a))"),
    (
        "const Object = m; Object.keys(q).map(function (a) { return this.b(a) }, this)",
        "const Object = m; Object.keys(q).map(a => this.b(a))",
    ),
]


def _both(before: str, after: str, path: str) -> set[MutationClass]:
    return {judged({path: pair})[path].mutation_class for pair in ((before, after), (after, before))}


def _in_module(text: str) -> str:
    return f"const m = require('m')\n{text}\n"


def _in_function(text: str) -> str:
    return f"export async function f(q) {{\n{text}\n}}\n"


@pytest.mark.parametrize(("before", "after"), DECLARED + HANDED + NEEDLESS)
def test_a_function_of_the_file_alone_may_be_declared_and_called_in_other_ways(before: str, after: str) -> None:
    assert _both(_in_module(before), _in_module(after), "a.js") == {REFACTOR}
    typed = [text.replace("const m = require('m')", "import m from 'm'") for text in map(_in_module, (before, after))]
    assert _both(typed[0], typed[1], "a.ts") == {REFACTOR}


@pytest.mark.parametrize(("before", "after"), NOT_DECLARED + NEEDED)
def test_a_function_that_something_else_may_know_stays_what_it_is(before: str, after: str) -> None:
    assert _both(_in_module(before), _in_module(after), "a.js") == {EVOLUTION}


@pytest.mark.parametrize(("before", "after"), [*DECLARED[:2], *NEEDLESS[:2]])
def test_a_function_of_a_script_is_known_to_others(before: str, after: str) -> None:
    assert _both(before, after, "a.js") == {EVOLUTION}


@pytest.mark.parametrize("name", ["'./q'", "'../q'", "'@/q'", "'~q/r'", "'q/r'", "'#q'"])
def test_who_is_imported_may_call_what_is_exported_before_it_has_its_value(name: str) -> None:
    for line in (f"import {name}\n", f"import q from {name}\n", f"export * from {name}\n"):
        assert _both(line + EARLY[0], line + EARLY[1], "a.js") == {EVOLUTION}


@pytest.mark.parametrize("name", ["'q'", "'@a/q'", "'node:fs/promises'"])
def test_a_package_does_not_call_what_is_exported(name: str) -> None:
    assert _both(f"import {name}\n" + EARLY[0], f"import {name}\n" + EARLY[1], "a.js") == {REFACTOR}


@pytest.mark.parametrize(("before", "after"), IDLE + LISTS + PROMISES)
def test_what_is_given_no_name_is_done_all_the_same(before: str, after: str) -> None:
    for path in ("a.js", "a.ts"):
        assert _both(_in_function(before), _in_function(after), path) == {REFACTOR}


@pytest.mark.parametrize(("before", "after"), NOT_IDLE + NOT_LISTS)
def test_a_name_or_a_this_that_is_asked_for_stays(before: str, after: str) -> None:
    assert _both(_in_function(before), _in_function(after), "a.js") == {EVOLUTION}


def test_what_a_near_file_gives_may_not_be_there_yet() -> None:
    for name, expected in (("'m'", REFACTOR), ("'./m'", EVOLUTION)):
        before = f"import m from {name}\nfunction f(a) {{ return 1 }}\nexport const b = f(m)\n"
        assert _both(before, before.replace("f(m)", "f()").replace("(a)", "()"), "a.js") == {expected}


def test_an_idle_name_of_a_module_goes_and_one_of_a_script_stays() -> None:
    assert _both("import m from 'm'\nconst x = m(1)\nm(2)\n", "import m from 'm'\nm(1)\nm(2)\n", "a.js") == {REFACTOR}
    assert _both("const x = m(1)\nm(2)\n", "m(1)\nm(2)\n", "a.js") == {EVOLUTION}


def test_what_is_handed_on_for_nothing_is_followed_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond that it is not proven."""
    before = "function f(a) { g(a) }\nfunction g(a) { m() }\nm(f(1))\nmodule.exports = m\n"
    versions = {"a.js": (before, before.replace("(a)", "()").replace("(1)", "()"))}
    assert judged(versions)["a.js"].mutation_class is REFACTOR
    monkeypatch.setattr("intentls.core.syntax.languages.javascript.parameters.MAX_ROUNDS", 1)
    assert judged(versions)["a.js"].mutation_class is EVOLUTION
