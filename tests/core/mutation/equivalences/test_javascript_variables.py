"""Variables of JavaScript: in blocks, with one of several values, and for modules of Node; and unused imports."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

CHOSEN = [
    ("let x; if (q) x = g(1); else x = h(2); return k(x, x)", "const x = q ? g(1) : h(2); return k(x, x)"),
    ("let x; if (q) { x = g(1) } else { x = h(2) } return k(x, x)", "const x = q ? g(1) : h(2); return k(x, x)"),
    ("let x = 1; if (q) x = g(1); return k(x, x)", "const x = q ? g(1) : 1; return k(x, x)"),
    ("let x = 1; if (q) { x = g(1) } return k(x, x)", "let x; if (q) x = g(1); else x = 1; return k(x, x)"),
    ("let x = 1; if (q) x = g(1); return x", "return q ? g(1) : 1"),
    ("let x = q ? g(1) : h(2); x = k(x); return x", "let x; if (q) x = g(1); else x = h(2); x = k(x); return x"),
    (
        "let x; if (q) { z(); x = g(1) } else { if (y) x = 2; else x = 3 } return x",
        "if (q) { z(); return g(1) } if (y) return 2; return 3",
    ),
    (
        "let x; if (q) { x = g(1) } else if (y) { x = 2 } else { z(); x = 3 } return x",
        "if (q) return g(1); else if (y) return 2; z(); return 3",
    ),
    ("if (q === 1) return; g()", "if (q !== 1) { g() }"),
    ("if (!(q === 1)) return; g()", "if (q === 1) { g() }"),
    ("return !(q == 1)", "return q != 1"),
]
NOT_CHOSEN = [
    ("let x = 1; if (g(x)) x = g(1); return k(x, x)", "const x = g(x) ? g(1) : 1; return k(x, x)"),
    ("let x = 1; if (q) x = g(x); return k(x, x)", "let x; if (q) x = g(x); else x = 1; return k(x, x)"),
    ("let x = g(); if (q) x = h(1); return k(x, x)", "let x; if (q) x = h(1); else x = g(); return k(x, x)"),
    (
        "let x = 1; if (q) { x = h(1); g() } return k(x, x)",
        "let x; if (q) { x = h(1); g() } else x = 1; return k(x, x)",
    ),
    ("let x = 1; if (q) y = h(1); return k(x, x)", "let x; if (q) y = h(1); else x = 1; return k(x, x)"),
    ("let x = 1; if (q) x += h(1); return k(x, x)", "let x; if (q) x += h(1); else x = 1; return k(x, x)"),
    ("let x = 1; if (q) { } return k(x, x)", "let x; if (q) { } else x = 1; return k(x, x)"),
    (
        "let x; if (q) x = g(1); else x = h(2); return k(x, x); function g() { return x }",
        "const x = q ? g(1) : h(2); return k(x, x); function g() { return x }",
    ),
    (
        "const g = () => x; let x; if (q) x = g(1); else x = h(2); return k(x, x, g)",
        "const g = () => x; const x = q ? g(1) : h(2); return k(x, x, g)",
    ),
    (
        "let x = 1; if (g()) x = 2; return k(x, x); function g() { return x }",
        "let x; if (g()) x = 2; else x = 1; return k(x, x); function g() { return x }",
    ),
    ("let x; if (q) x = g(1); else x = () => 1; return k(x, x)", "const x = q ? g(1) : () => 1; return k(x, x)"),
    (
        "let x; if (q) x = g(1); else x = h(2); x = 1; return k(x, x)",
        "const x = q ? g(1) : h(2); x = 1; return k(x, x)",
    ),
    ("let x; if (q) x = g(1); else x = () => 1; return x", "if (q) return g(1); return () => 1"),
    ("let x; w(() => x); if (q) x = 1; else x = 2; return x", "w(() => x); if (q) return 1; return 2"),
    ("let x; if (w(() => x)) x = 1; else x = 2; return x", "if (w(() => x)) return 1; return 2"),
    ("let x; if (q) x = 1; else { x = 2; z() } return x", "if (q) return 1; z(); return 2"),
    ("let x; if (q) x = 1; else { } return x", "if (q) return 1; return"),
    ("let x; if (q) x = 1; else if (z) x = 2; return x", "if (q) return 1; if (z) return 2"),
    ("let x; if (q) x = 1; else { if (z) x = 2 } return x", "if (q) return 1; if (z) return 2"),
    ("let x; if (q) x = 1; else x = 2; return y", "if (q) return 1; return 2"),
    ("if (q < 1) return; g()", "if (q >= 1) { g() }"),
    ("return !(q < 1)", "return q >= 1"),
]

NARROW = [
    ("for (var i = 0; i < q; i++) { g(i) }", "for (let i = 0; i < q; i++) { g(i) }"),
    ("for (var i in q) { g(i) }", "for (const i in q) { g(i) }"),
    ("for (var i of q) g(i)", "for (const i of q) g(i)"),
    ("if (q) { var x = g(); h(x, x) }", "if (q) { const x = g(); h(x, x) }"),
    ("if (q) { var x; x = g(); h(x, x) }", "if (q) { let x; x = g(); h(x, x) }"),
    ("if (q) { var x = g(); h(() => x, x) }", "if (q) { const x = g(); h(() => x, x) }"),
    ("try { var x = g(); h(x, x) } finally { h() }", "try { const x = g(); h(x, x) } finally { h() }"),
    (
        "if (q) { var x = g(1); h(x, x) } else { var x = 1; h(x, x) }",
        "if (q) { const x = g(1); h(x, x) } else { const x = 1; h(x, x) }",
    ),
    (
        "for (var i = 0; i < q; i++) g(i); for (var i = 1; i < 9; i++) h(i)",
        "for (let i = 0; i < q; i++) g(i); for (let i = 1; i < 9; i++) h(i)",
    ),
    (
        "for (var i = 0, l = q.l; i < l; i++) { var y = g(i); h(y, y) }",
        "for (let i = 0, l = q.l; i < l; i++) { const y = g(i); h(y, y) }",
    ),
]
WIDE = [
    ("for (var i = 0; i < q; i++) { g(() => i) }", "for (let i = 0; i < q; i++) { g(() => i) }"),
    ("for (var i = 0; i < q; i++) { g(i) } return i", "for (let i = 0; i < q; i++) { g(i) } return i"),
    ("for (var i of q) { g(() => i) }", "for (const i of q) { g(() => i) }"),
    ("for (var i of i) { g(i) }", "for (const i of i) { g(i) }"),
    ("while (q) { var x = g(); h(() => x, x) }", "while (q) { const x = g(); h(() => x, x) }"),
    ("while (q) { var x; if (!x) x = 1; h(x) }", "while (q) { let x; if (!x) x = 1; h(x) }"),
    ("if (q) { h(x); var x = g(); h(x, x) }", "if (q) { h(x); const x = g(); h(x, x) }"),
    ("if (q) { var x = g(); h(x, x) } h(x)", "if (q) { const x = g(); h(x, x) } h(x)"),
    ("if (q) { var x = g(x); h(x, x) }", "if (q) { const x = g(x); h(x, x) }"),
    (
        "if (q) { var x = g(1); h(x, x); function g() { return x } }",
        "if (q) { const x = g(1); h(x, x); function g() { return x } }",
    ),
    ("if (q) { var x = 1; h(x, x); eval('x') }", "if (q) { const x = 1; h(x, x); eval('x') }"),
    ("switch (q) { case 1: var x = g(1); h(x, x) }", "switch (q) { case 1: const x = g(1); h(x, x) }"),
    ("if (q) { var q = g(1); h(q, q) }", "if (q) { const q = g(1); h(q, q) }"),
    (
        "for (var i = 0; i < q; i++) { for (var i = 1; i < 9; i++) h(i) }",
        "for (let i = 0; i < q; i++) { for (let i = 1; i < 9; i++) h(i) }",
    ),
    (
        "for (var i = 0; i < q; i++) g(i); for (var i = 1; i < 9; i++) h(() => i)",
        "for (let i = 0; i < q; i++) g(i); for (let i = 1; i < 9; i++) h(() => i)",
    ),
    (
        "for (var i = 0, l = q.l; i < l; i++) { g(i) } for (var i = 1; i < 9; i++) h(() => i)",
        "for (let i = 0, l = q.l; i < l; i++) { g(i) } for (let i = 1; i < 9; i++) h(() => i)",
    ),
]

LOADS = [
    (
        "'use strict'\nconst a = require('./a')\nconst fs = require('fs')\na(fs)",
        "'use strict'\nconst fs = require('fs')\nconst a = require('./a')\na(fs)",
    ),
    (
        "const p = require('path'), fs = require('node:fs')\nexports.a = p.x(fs)",
        "const fs = require('node:fs'), p = require('path')\nexports.a = p.x(fs)",
    ),
    (
        "const p = require('path'), g = require('gulp')\nexports.a = p.x(g)",
        "const g = require('gulp'), p = require('path')\nexports.a = p.x(g)",
    ),
    ("const a = require('./a')\nvar fs = require('fs')\na(1)", "const a = require('./a')\na(1)"),
    ("var a = require('./a'), fs = require('fs');\na(1)", "var a = require('./a')\na(1)"),
    (
        "const a = require('./a')\nconst b = a.b\nconst fs = require('fs')\nb(fs, b)",
        "const fs = require('fs')\nconst a = require('./a')\nconst b = a.b\nb(fs, b)",
    ),
    ("const fs = require('fs')\nconst os = require('os')", "const os = require('os')\nconst fs = require('fs')"),
]
NOT_LOADS = [
    (
        "const a = require('./a')\nconst b = require('./b')\na(b)",
        "const b = require('./b')\nconst a = require('./a')\na(b)",
    ),
    (
        "const a = require('./a')\na(1)\nconst fs = require('fs')\na(fs)",
        "const fs = require('fs')\nconst a = require('./a')\na(1)\na(fs)",
    ),
    (
        "const a = require('./a')(f)\nconst fs = require('fs')\na(fs)\nfunction f() { fs.x() }",
        "const fs = require('fs')\nconst a = require('./a')(f)\na(fs)\nfunction f() { fs.x() }",
    ),
    (
        "const a = require('./a')(() => fs.x())\nconst fs = require('fs')\na(fs)",
        "const fs = require('fs')\nconst a = require('./a')(() => fs.x())\na(fs)",
    ),
    (
        "const a = require('./a')\nconst {b} = require('fs')\na(b)",
        "const {b} = require('fs')\nconst a = require('./a')\na(b)",
    ),
    ("const a = require('./a')\nconst fs = require('fs')\na(1)", "const fs = require('fs')\na(1)"),
    (
        "const a = require('./a')\nlet fs = require('fs')\na(fs)\nfs = 1",
        "let fs = require('fs')\nconst a = require('./a')\na(fs)\nfs = 1",
    ),
    (
        "const a = require('./a')\nconst fs = require('fs')\na(fs, require)\nfunction f(require) { }",
        "const fs = require('fs')\nconst a = require('./a')\na(fs, require)\nfunction f(require) { }",
    ),
    (
        "const a = require('./a')\nconst fs = require(a)\na(fs)",
        "const fs = require(a)\nconst a = require('./a')\na(fs)",
    ),
    (
        "const a = require('./a')\nconst fs = require('fs')(1)\na(fs)",
        "const fs = require('fs')(1)\nconst a = require('./a')\na(fs)",
    ),
]

UNUSED = [
    ("import {a, b} from 'q'\na(c.b)", "import {a} from 'q'\na(c.b)"),
    ("import {a, b} from 'q'\na({b: 1})", "import {a} from 'q'\na({b: 1})"),
    ("import {a, React} from 'q'\na()", "import {a} from 'q'\na()"),
]
USED = [
    ("import {a, b} from 'q'\na(...b)", "import {a} from 'q'\na(...b)"),
    ("import {a, b} from 'q'\na({b})", "import {a} from 'q'\na({b})"),
    ("import {a, b} from 'q'\na('b')", "import {a} from 'q'\na('b')"),
    ("import React, {a} from 'react'\na(<b/>)", "import {a} from 'react'\na(<b/>)"),
    ("import React, {a} from 'react'\na(<b c='d'/>)", "import {a} from 'react'\na(<b c='d' />)"),
    ("import {h, a} from 'preact'\na(<b></b>)\nc()", "import {a} from 'preact'\na(<b></b>)\nc(1)"),
    ("import {h, a} from 'preact'\na(<b></b>)\nc()", "import {a} from 'preact'\na(<b></b>)\nc()"),
]


def _both(before: str, after: str, path: str = "a.js") -> set[MutationClass]:
    return {judged({path: pair})[path].mutation_class for pair in ((before, after), (after, before))}


def _in_function(text: str) -> str:
    return f"export function f(q) {{\n{text}\n}}\n"


@pytest.mark.parametrize(("before", "after"), CHOSEN + NARROW)
def test_a_variable_may_be_declared_in_other_ways(before: str, after: str) -> None:
    assert _both(_in_function(before), _in_function(after)) == {REFACTOR}


@pytest.mark.parametrize(("before", "after"), NOT_CHOSEN + WIDE)
def test_a_variable_that_something_else_may_ask_for_is_another_one(before: str, after: str) -> None:
    assert _both(_in_function(before), _in_function(after)) == {EVOLUTION}


def test_texts_and_numbers_are_types_that_typescript_may_tell() -> None:
    before, after = (_in_function(text) for text in CHOSEN[0])
    assert _both(before, after, "a.ts") == {REFACTOR}
    before, after = (text.replace("g(1)", "'a'") for text in (before, after))
    assert _both(before, after, "a.ts") == {EVOLUTION}
    assert _both(before, after, "a.js") == {REFACTOR}


def test_a_type_that_typescript_infers_stays() -> None:
    given = "let x; if (q) x = g(1); else x = h(2); return x", "if (q) return g(1); return h(2)"
    assert _both(*map(_in_function, given), "a.ts") == {REFACTOR}
    assert _both(*(_in_function(text.replace("g(1)", "'a'")) for text in given), "a.ts") == {EVOLUTION}
    assert _both(*map(_in_function, CHOSEN[3]), "a.ts") == {EVOLUTION}


def test_what_is_exported_may_be_asked_for_before_it_has_its_value() -> None:
    before, after = "let x; if (q) x = g(1); else x = h(2)\nk(x)\n", "const x = q ? g(1) : h(2)\nk(x)\n"
    module = "import g from 'g'\n"
    assert _both(module + before, module + after) == {REFACTOR}
    assert _both(f"{module}{before}export {{ x }}\n", f"{module}{after}export {{ x }}\n") == {EVOLUTION}


@pytest.mark.parametrize(("before", "after"), [CHOSEN[0], NARROW[3]])
def test_the_names_of_a_script_are_known_to_others(before: str, after: str) -> None:
    before, after = before.replace("return ", ""), after.replace("return ", "")
    module = "import g from 'g'\n"
    assert _both(module + before, module + after) == {REFACTOR}
    assert _both(before, after) == {EVOLUTION}


@pytest.mark.parametrize(("before", "after"), LOADS)
def test_a_module_of_node_may_be_loaded_at_another_time_or_not_at_all(before: str, after: str) -> None:
    if len(before) == len(after):
        assert _both(before, after) == {REFACTOR}
    else:
        assert judged({"a.js": (before, after)})["a.js"].mutation_class is REFACTOR


@pytest.mark.parametrize(("before", "after"), NOT_LOADS)
def test_a_module_that_does_something_is_loaded_when_it_was(before: str, after: str) -> None:
    assert _both(before, after) == {EVOLUTION}


@pytest.mark.parametrize("path", ["a.js", "a.tsx"])
@pytest.mark.parametrize(("before", "after"), UNUSED)
def test_a_member_is_no_use_of_an_import(before: str, after: str, path: str) -> None:
    assert judged({path: (before, after)})[path].mutation_class is REFACTOR


@pytest.mark.parametrize("path", ["a.js", "a.tsx"])
@pytest.mark.parametrize(("before", "after"), USED)
def test_an_import_that_may_be_used_stays(before: str, after: str, path: str) -> None:
    assert judged({path: (before, after)})[path].mutation_class is EVOLUTION
