"""Functions of JavaScript that ask for `this` in several ways, texts in other quotes, and modules that nothing uses."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # Names of `this`.
    ("function f() { const self = this; self.a(1); g.map(b => self.c(b)); return () => () => self.d }",
     "function f() { this.a(1); g.map(b => this.c(b)); return () => () => this.d }"),
    ("function f() { var self = this; g.forEach(function (a) { self.b(a) }); h(1) }",
     "function f() { g.forEach(a => { this.b(a) }); h(1) }"),
    ("class A { b() { const that = this; g({ that, c: that }); h(2) } }",
     "class A { b() { g({ that: this, c: this }); h(2) } }"),
    ("function f() { const self = this; self.a(1); g(function () { self.b() }) }",
     "function f() { const self = this; this.a(1); g(function () { self.b() }) }"),
    ("g.map(function (a) { return this.b(a) }.bind(this)); h(1)", "g.map(a => this.b(a)); h(1)"),
    # Functions.
    ("app.use(async function (a, b) { await b(a) }); h(1)", "app.use(async (a, b) => { await b(a) }); h(1)"),
    # Texts.
    ("f(`it's`, `a \"b\"`, `c`)", "f(\"it's\", 'a \"b\"', 'c')"),
]  # fmt: skip
OTHER = [
    ("function f() { const self = this; g(function () { self.b() }); h(1) }",
     "function f() { g(function () { this.b() }); h(1) }"),
    ("function f() { let self = this; self.a(1); self = b; self.c(1) }", "function f() { this.a(1); this.c(1) }"),
    ("function f() { self.a(1); var self = this }", "function f() { this.a(1) }"),
    ("function f() { const self = this; g(self => self.a(1)); h(2) }", "function f() { g(self => this.a(1)); h(2) }"),
    ("function f() { const self = this; eval(a); self.b(1) }", "function f() { eval(a); this.b(1) }"),
    ("function f() { const self = b; self.a(1) }", "function f() { this.a(1) }"),
    ("function f() { const self = this; class A { a = self.b(1) } }", "function f() { class A { a = this.b(1) } }"),
    ("g(function (a) { return this.b(a) }.bind(this)); h(1)", "g(a => this.b(a)); h(1)"),
    ("g.map(function (a) { return this.b(a) }.bind(c)); h(1)", "g.map(a => this.b(a)); h(1)"),
    ("g.map(function (a) { return arguments.b(a) }.bind(this)); h(1)", "g.map(a => arguments.b(a)); h(1)"),
    ("g.map(function a(b) { return a(this) }.bind(this)); h(1)", "g.map(b => a(this)); h(1)"),
    ("g.map(function (a) { return this.b(a) }); h(1)", "g.map(a => this.b(a)); h(1)"),
    ("app.use(async function (a) { await this.b(a) }); h(1)", "app.use(async (a) => { await this.b(a) }); h(1)"),
    ("app.use(function (a) { b(a) }); h(1)", "app.use((a) => { b(a) }); h(1)"),
    ("f(`it's`)", "f(\"its\")"),
    ("f(`a\\`b`)", "f('a\\\\b')"),
    ("f(`a${b}`)", "f('a${b}')"),
]  # fmt: skip


def _class(path: str, before: str, after: str) -> MutationClass:
    return judged({path: (f"export default 1\n{before}\n", f"export default 1\n{after}\n")})[path].mutation_class


@pytest.mark.parametrize(("before", "after"), SAME)
def test_who_asks_for_the_same_in_another_way_does_the_same(before: str, after: str) -> None:
    for path in ("a.js", "a.ts"):
        assert _class(path, before, after) is _class(path, after, before) is MutationClass.AST_REFACTOR


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_that_stays_behaviour(before: str, after: str) -> None:
    assert _class("a.js", before, after) is _class("a.js", after, before) is MutationClass.INTENT_EVOLUTION


USED = "const fs = require('fs')\nconst a = require('./a')\n{}\nmodule.exports = () => {{\n  b(1)\n  {}\n}}\n"


@pytest.mark.parametrize(
    ("said", "is_same"),
    [
        ("// as fs does\n  return c(/* fs */ 1)", True),
        ("return c('// fs')", False),
        ("return c(`/* fs */`)", False),
        ("/* fs */ return c(fs)", False),
        ("return c(/['/*]/, fs, '*/')", False),
    ],
)
def test_a_comment_uses_no_module(said: str, *, is_same: bool) -> None:
    before, after = (USED.format("", said), USED.format("", said).replace("const fs = require('fs')\n", ""))
    verdict = judged({"lib/b.js": (before, after)})["lib/b.js"]
    assert (verdict.mutation_class is MutationClass.AST_REFACTOR) is is_same, verdict.reasons


@pytest.mark.parametrize(
    ("said", "is_same"),
    [
        ("// a List\n  return 1;", True),
        ("/* a List */ return 2;", True),
        ('return "// " + List.of() + "a";', False),
        ('return """\n // " /* """ + List.of() + /* b */ 1;', False),
        ("return '\"' + List.of() + '\"' /* c */;", False),
    ],
)
def test_a_comment_in_what_did_not_change_uses_no_class(said: str, *, is_same: bool) -> None:
    rest = f"class A {{\n Object m() {{\n  {said}\n }}\n}}\n"
    verdict = judged({"A.java": (f"import java.util.List;\n{rest}", rest)})["A.java"]
    assert (verdict.mutation_class is MutationClass.AST_REFACTOR) is is_same, verdict.reasons
