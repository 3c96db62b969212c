"""Names that modules of Node give to each other, renamed with all that take them."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import classes

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

Pair = tuple[str, str]

GIVEN: dict[str, Pair] = {
    "a function": (
        "function load(a) { return a }\nmodule.exports = { load }\n",
        "const { load } = require('./a')\nload(1)\n",
    ),
    "under its name": (
        "function load(a) { return a }\nmodule.exports = { load: load, x: 1 }\n",
        "const a = require('./a')\na.load(1)\n",
    ),
    "a method": ("module.exports = { load(a) { return a } }\n", "const b = 1, a = require('./a')\na.load(b)\n"),
    "a value": ("module.exports = { load: f(1) }\n", "const { load: b } = require('./a.js')\nb(1)\n"),
    "by exports": ("exports.load = function (a) { return a }\n", "require('./a').load(1)\n"),
    "by module.exports": ("module.exports.load = a => a\n", "const { load } = await import('./a')\nload(1)\n"),
    "before it is taken": (
        "exports.load = a => a\n",
        "const c = require('c')\nconst d = () => a.load(2)\nlet a = require('./a')\nc(d)\nf()\n",
    ),
    "all with a name": (
        "const all = { load: Symbol('a'), x: 1 }\n\nmodule.exports = all\n",
        "const { x, load } = require('./a')\nf(x)[load] = 1\n",
    ),
    "all with a name, twice": (
        "const all = { load: f() }\nexports = module.exports = all;\n",
        "require('./a').load()\n",
    ),
    "with an import": ("exports.load = a => a\n", "import { load } from './a'\nload(1)\n"),
    "in a statement that did not change": (
        "exports.load = a => a\n",
        "const a = require('./a'), b = require('b')\nb(2)\nb(a.load(1))\n",
    ),
}


def _judged(given: Pair, others: dict[str, str] | None = None) -> set[MutationClass]:
    versions = {f"lib/{name}.js": (text, text.replace("load", "fetch")) for name, text in zip("ab", given, strict=True)}
    return set(classes(versions, others).values())


@pytest.mark.parametrize("name", GIVEN)
def test_a_name_that_a_module_gives_is_renamed_with_who_takes_it(name: str) -> None:
    assert _judged(GIVEN[name]) == {REFACTOR}


@pytest.mark.parametrize("name", GIVEN)
def test_a_name_that_another_file_still_takes_was_not_just_renamed(name: str) -> None:
    assert _judged(GIVEN[name], {"c.js": "const { load } = require('./lib/a')\nload(1)\n"}) == {EVOLUTION}
    assert _judged(GIVEN[name], {"c.js": "require('./lib/a')['load'](1)\n"}) == {EVOLUTION}


OTHER: dict[str, Pair] = {
    "a setting": ("module.exports = { load: [1] }\n", "f(1)\n"),
    "a setting beside a namesake": ("module.exports = { load: [1] }\n", "const { load } = require('./c')\nload(1)\n"),
    "what a package gives": ("module.exports = { load: [1] }\n", "const { load } = require('a')\nload(1)\n"),
    "what anything gives": ("exports.load = a => a\n", "export function f({ load }) { return load(1) }\n"),
    "a key of what is also given away": (
        "const all = { load: 1 }\nf(all)\nmodule.exports = all\n",
        "const { load } = require('./a')\nf(load)\n",
    ),
    "a key of what is gone through": (
        "const all = { load: 1 }\nfor (const key in all) f(key)\nmodule.exports = all\n",
        "const { load } = require('./a')\nf(load)\n",
    ),
    "a key of what no module gives": (
        "const all = { load: 1 }\nb.exports = all\n",
        "const { load } = require('./a')\nf(load)\n",
    ),
    "a key of a part of what is given": (
        "const all = { x: { load: 1 } }\nmodule.exports = all\n",
        "const { load } = require('./a')\nf(load)\n",
    ),
    "a part of what is given": (
        "exports.load = a => a\n",
        "const { a: { load } } = require('./a')\nload(1)\n",
    ),
    "a key of a part": (
        "function load(a) { return a }\nmodule.exports = { load, x: { load: 1 } }\n",
        "const { load } = require('./a')\nload(1)\n",
    ),
    "what a function exports": (
        "function f() { exports.load = a => a }\nf()\n",
        "const { load } = require('./a')\nload(1)\n",
    ),
    "what something else is given": ("b.load = a => a\n", "const { load } = require('./a')\nload(1)\n"),
    "what is given with all else": (
        "exports.load = a => a\nObject.keys(exports)\n",
        "const { load } = require('./a')\nload(1)\n",
    ),
    "what no module gives": ("exports.load = a => a\n", "const { load } = require('./a')\nb.load(1)\n"),
    "what is computed": ("exports.load = a => a\n", "const b = 'a'\nconst { load } = require('./' + b)\nload(1)\n"),
    "what may be called by its name": (
        "const load = { g() { } }\nvisit({ load(a) { return a } })\n",
        "f(1)\n",
    ),
}


@pytest.mark.parametrize("name", OTHER)
def test_a_key_that_something_else_may_know_was_not_just_renamed(name: str) -> None:
    assert EVOLUTION in _judged(OTHER[name])


def test_a_name_that_frameworks_know_is_theirs() -> None:
    versions = {
        "a.js": ("exports.handler = a => a\n", "exports.handlers = a => a\n"),
        "b.js": ("require('./a').handler(1)\n", "require('./a').handlers(1)\n"),
    }
    assert EVOLUTION in classes(versions).values()


def test_a_method_that_the_repository_calls_is_its_own() -> None:
    before = "const a = { loadAll() { return 1 } }\nexport const b = () => a.loadAll()\n"
    assert set(classes({"a.js": (before, before.replace("loadAll", "fetchAll"))}).values()) == {REFACTOR}
    called = before.replace("() => a.loadAll()", "f(a)")
    assert set(classes({"a.js": (called, called.replace("loadAll", "fetchAll"))}).values()) == {EVOLUTION}
