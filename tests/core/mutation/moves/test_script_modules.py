"""Files of JavaScript and TypeScript that move, and all the ways in which others name them."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository, Versions, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

OLD, NEW = "lib/city.js", "lib/places/town.js"
CITY = ("const b = require('./b')\nmodule.exports = b.c\n", "const b = require('../b')\nmodule.exports = b.c\n")

FOLLOWS = {
    "require": ("const c = require('./city')\nc()\n", "const c = require('./places/town')\nc()\n"),
    "require with a suffix": ("const c = require('./city.js').d\nc()\n", "const c = require('./places/town').d\nc()\n"),
    "a part of it": ("const {a} = require('./city')\na()\n", "const {a} = require('./places/town')\na()\n"),
    "require in a function": (
        "f(() => require('./city'))\n",
        "f(() => require('./places/town'))\n",
    ),
    "where it lies": ("f(require.resolve('./city'))\n", "f(require.resolve('./places/town'))\n"),
    "import()": ("import('./city').then(f)\n", "import('./places/town').then(f)\n"),
    "all of it": ("export * from './city'\n", "export * from './places/town'\n"),
    "names of it": ("export {a, b as c} from './city'\n", "export {a, b as c} from './places/town'\n"),
    "its effect": ("import './city'\n", "import './places/town'\n"),
    "a mock": ("jest.mock('./city')\n", "jest.mock('./places/town')\n"),
}


def _moved(
    users: dict[str, tuple[str, str]], others: dict[str, str], city: tuple[str, str] = CITY, new: str = NEW
) -> dict[str, MutationClass]:
    edits = [FileVersions(new, Change.RENAME, city[0].encode(), city[1].encode(), OLD)]
    for path, (was, now) in users.items():
        edits.append(FileVersions(path, Change.MODIFY, was.encode(), now.encode()))
    return {verdict.path: verdict.mutation_class for verdict in classify_change(edits, others=Repository(others))}


@pytest.mark.parametrize("name", FOLLOWS)
def test_who_names_a_file_where_it_is_now_is_a_refactor(name: str) -> None:
    assert _moved({"lib/u.js": FOLLOWS[name]}, {}) == {NEW: REFACTOR, "lib/u.js": REFACTOR}


@pytest.mark.parametrize("name", FOLLOWS)
def test_a_file_that_one_still_names_in_its_old_place_did_not_just_move(name: str) -> None:
    found = _moved({"lib/u.js": FOLLOWS["require"]}, {"lib/left.js": FOLLOWS[name][0]})
    assert found == {NEW: EVOLUTION, "lib/u.js": EVOLUTION}
    among_others = f"g()\n{FOLLOWS[name][0]}", f"h()\n{FOLLOWS[name][0]}"
    assert _moved({"lib/u.js": among_others}, {}) == {NEW: EVOLUTION, "lib/u.js": EVOLUTION}


ELSEWHERE = {
    "another file": ("const c = require('./city')\nc()\n", "const c = require('./places/city')\nc()\n"),
    "another directory": ("const c = require('./city')\nc()\n", "const c = require('../places/town')\nc()\n"),
    "a package": ("const c = require('city')\nc()\n", "const c = require('town')\nc()\n"),
    "what is read": ("f.read('./city')\n", "f.read('./places/town')\n"),
    "what is put together": ("require('./city' + a)\n", "require('./places/town' + a)\n"),
    "nothing": ("require()\n", "require(a)\n"),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_who_names_something_else_is_an_evolution(name: str) -> None:
    assert _moved({"lib/u.js": ELSEWHERE[name]}, {})["lib/u.js"] is EVOLUTION


UNCHANGED = [
    "const b = require('./b')\nmodule.exports = b.c\n",
    "module.exports = () => require('./b')\n",
    "export * from './b'\n",
    "f(); import('./b').then(f)\n",
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_a_file_that_moves_and_names_others_as_before_names_other_ones(text: str) -> None:
    assert _moved({}, {}, (text, text))[NEW] is EVOLUTION
    assert _moved({}, {}, (text, text), "lib/town.js")["lib/town.js"] is REFACTOR


SHORTER = [
    ("const b = require('./../b')\nb()\n", "const b = require('../b')\nb()\n"),
    ("const b = require('../lib/b')\nb()\n", "const b = require('./b')\nb()\n"),
    ("import b from './../c/b.js'\nb()\n", "import b from '../c/b.js'\nb()\n"),
    ("import b from '../lib/b.js'\nb()\n", "import b from './b.js'\nb()\n"),
    ("export * from './c/../b'\n", "export * from './b'\n"),
]
LONGER = [
    ("const b = require('./../b')\nb()\n", "const b = require('./b')\nb()\n"),
    ("const b = require('../lib/b')\nb()\n", "const b = require('lib/b')\nb()\n"),
    ("const b = require('../lib/b')\nb()\n", "const b = require('../lib/b/')\nb()\n"),
    ("const b = require('../')\nb()\n", "const b = require('./')\nb()\n"),
    ("const b = f('./../b')\nb()\n", "const b = f('../b')\nb()\n"),
    ("import b from '../src/b.js'\nb()\n", "import b from './b.js'\nb()\n"),
]


@pytest.mark.parametrize(("before", "after"), SHORTER)
def test_a_module_may_be_named_by_another_path(before: str, after: str) -> None:
    found = judged({"src/lib/a.js": (before, after)})["src/lib/a.js"]
    assert found.mutation_class is REFACTOR
    assert found.reasons == ("modules named by another path",)


@pytest.mark.parametrize(("before", "after"), LONGER)
def test_another_path_may_be_another_module(before: str, after: str) -> None:
    assert judged({"src/lib/a.js": (before, after)})["src/lib/a.js"].mutation_class is EVOLUTION
    assert judged({"a.js": ("import b from '../a/b'\nb()", "import b from './b'\nb()")})["a.js"].reasons != ()
    top = judged({"a.js": ("import b from '../lib/b'\nb()", "import b from './b'\nb()")})["a.js"]
    assert top.mutation_class is EVOLUTION


def test_a_file_of_python_that_moves_with_an_import_in_a_function_names_another_one() -> None:
    text = "def f():\n    from .b import c\n    return c\n"
    edits = [FileVersions("q/a.py", Change.RENAME, text.encode(), text.encode(), "p/a.py")]
    assert classify_change(edits, others=Repository({}))[0].mutation_class is EVOLUTION


BROKEN = "const a = (1;\n"


def test_a_file_without_a_tree_may_name_another_one_all_the_same() -> None:
    follows = {"lib/u.js": FOLLOWS["require"]}
    naming = f"{BROKEN}const c = require('./city')\n"
    assert _moved(follows, {"lib/left.js": naming})[NEW] is EVOLUTION
    assert _moved(follows, {"lib/left.js": f"{BROKEN}const c = city\n"})[NEW] is REFACTOR
    assert _moved({**follows, "lib/w.js": ("const d = (2;\n", naming)}, {})[NEW] is EVOLUTION
    unread = _moved({**follows, "lib/w.js": (naming, "const d = (2;\nconst c = require('./places/town')\n")}, {})
    assert unread == {NEW: REFACTOR, "lib/u.js": REFACTOR, "lib/w.js": EVOLUTION}
    assert _moved({**follows, "lib/w.py": ("def (:", "def [:")}, {})[NEW] is EVOLUTION
    assert _moved({**follows, "lib/w.py": ("a = 1", "a = 2")}, {})[NEW] is REFACTOR


def test_a_definition_that_a_file_without_a_tree_may_take_is_still_there() -> None:
    load = "export function load(a) {\n  return a + 1\n}\n"
    versions: Versions = {
        "lib/a.js": (f"{load}f(1)\n", "f(2)\n"),
        "lib/b.js": (None, load),
        "lib/u.js": ("import {load} from './a'\nload(1)\n", "import {load} from './b'\nload(1)\n"),
    }
    assert judged(versions)["lib/u.js"].mutation_class is REFACTOR
    left = {"lib/left.js": f"{BROKEN}import {{load}} from './a'\n"}
    assert judged(versions, left)["lib/u.js"].mutation_class is EVOLUTION
    assert judged(versions, {"lib/left.js": f"{BROKEN}load('a')\n"})["lib/u.js"].mutation_class is REFACTOR


def test_an_example_may_move_where_no_tool_looks_for_it_by_its_place() -> None:
    edits = [FileVersions("examples/b.js", Change.RENAME, b"f()\n", b"f()\n", "examples/a.js")]
    assert classify_change(edits, others=Repository({}))[0].mutation_class is REFACTOR
    edits = [FileVersions("examples/b.rs", Change.RENAME, b"fn f() {}\n", b"fn f() {}\n", "examples/a.rs")]
    assert classify_change(edits, others=Repository({}))[0].mutation_class is EVOLUTION
