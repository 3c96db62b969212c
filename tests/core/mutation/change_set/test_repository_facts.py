"""What a repository's other files prove about a change of one of them, and what they leave open."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.change_set.repository_facts import RepositoryFacts
from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
Change = tuple[str, str, str]
Files = dict[str, str]

ANNOTATED = ("a.py", "def f(a):\n    return a\n", "def f(a: int):\n    return a\n")
IN_CLASS = ("a.py", "class A(B):\n    b = 1\n", "class A(B):\n    b: int = 1\n    c: str\n")
VERSION = (
    "a.py",
    "import sys\nif sys.version_info >= (3, 8) and a:\n    b()\n",
    "import sys\nif a:\n    b()\n",
)
FUTURE = "from __future__ import annotations\n"
OLDEST = {"pyproject.toml": 'requires-python = ">=3.9"'}
METHOD = (
    "a.py",
    "class A:\n    def _drop_it(self): return 1\n    def g(self): return 2\n",
    "class A:\n    def g(self): return 2\n",
)
SUFFIX = (
    "s/a.js",
    "import { b } from './b.js'\nimport { c } from './c'\nb(c)",
    "import { b } from './b'\nimport { c } from './c'\nb(c)",
)


def _version(before: str, after: str) -> Change:
    return ("a.py", f"import sys\n{before}\nsys.exit()\n", f"import sys\n{after}\nsys.exit()\n")


PROVEN: dict[str, tuple[Change, Files]] = {
    "parameters where nothing reads annotations": (ANNOTATED, {"b.py": "from a import f\n"}),
    "a class with a base of our own": (IN_CLASS, {"b.py": "class B:\n    pass\n"}),
    "two classes with bases of our own": (
        ("a.py", "class A(B):\n b = 1\nclass D(C):\n b = 1\n", "class A(B):\n b: int = 1\nclass D(C):\n b: str = 1\n"),
        {"b.py": "class B(C): pass\nclass C: pass\n"},
    ),
    "a test case": (
        ("a.py", "class A(unittest.TestCase):\n    b = 1\n", "class A(unittest.TestCase):\n    b: int = 1\n"),
        {},
    ),
    "a name of the file": (("a.py", "b = 1\n", "b: int = 1\n"), {}),
    "a field": (("a.py", "def f(a):\n    a.b = 1\n", "def f(a):\n    a.b: int = 1\n"), {"c.py": "import pydantic\n"}),
    "an import for an annotation": (
        ("a.py", "from b import c\ndef f(a): return c", "from b import c, D\ndef f(a: D): return c"),
        {"b.py": "class D: pass\ndef c(): pass\n"},
    ),
    "literal types where nothing reads annotations": (
        (
            "a.py",
            "from typing import Literal\ndef f(a: Literal[1]): return a",
            "from typing import Literal\ndef f(a: Literal['b', -2, True]): return a",
        ),
        {},
    ),
    "annotations that are not computed any more": (
        ("a.py", "class A:\n    def m(self, a: 'A'): return a", FUTURE + "class A:\n    def m(self, a: A): return a"),
        {},
    ),
    "something is given an annotation": (ANNOTATED, {"b.py": "f.annotation = 1\n"}),
    "a private name of a type": (
        (
            "a.py",
            "from typing import Callable\n_F = Callable[[str], None]\ndef f(a: _F): return a",
            "from typing import Callable\n_F = Callable[[str], object]\ndef f(a: _F): return a",
        ),
        {},
    ),
    "a private name of a type that came": (
        (
            "a.py",
            "def f(a): return a",
            "import typing\nfrom typing import TypeVar\n_T = TypeVar('_T', bound='A', covariant=True)\n"
            "_L: typing.TypeAlias = typing.List[_T]\n_M = dict[str, _L]\ndef f(a: _M): return a",
        ),
        {},
    ),
    "a name of a type in a test": (
        (
            "tests/test_a.py",
            "def test_a(b): assert b",
            "from typing import Callable\nMaker = Callable[..., str]\ndef test_a(b: Maker): assert b",
        ),
        {},
    ),
    "an encoding that is so anyway": (("a.py", "# -*- coding: utf-8 -*-\nx = 'ä'\n", "x = 'ä'\n"), OLDEST),
    "errors that are one": (
        (
            "a.py",
            "try: a()\nexcept (IOError, OSError) as e: b(e)\nexcept (IOError, EnvironmentError): c()\n"
            "except (A, IOError, OSError): d()\nexcept (a.B, C): e()\nexcept D: f()",
            "try: a()\nexcept OSError as e: b(e)\nexcept OSError: c()\n"
            "except (A, OSError): d()\nexcept (a.B, C): e()\nexcept D: f()",
        ),
        OLDEST,
    ),
    "a type that typing has as well": (
        (
            "a.py",
            "from typing_extensions import Final, Protocol\nx: Final = f(Final, Protocol)",
            "from typing import Final\nfrom typing_extensions import Protocol\nx: Final = f(Final, Protocol)",
        ),
        OLDEST,
    ),
    "a version": (VERSION, OLDEST),
    "a version in a setup file": (VERSION, {"setup.py": "setup(python_requires='>=3.8')"}),
    "an older branch": (_version("if sys.version_info < (3, 8):\n    a()\nelse:\n    b()", "b()"), OLDEST),
    "an older branch alone": (_version("if not sys.version_info > (3, 7):\n    a()", ""), OLDEST),
    "a branch of the first version": (
        _version("if sys.version_info.major == 2 or c:\n    a()", "if c:\n    a()"),
        OLDEST,
    ),
    "an operand of three": (
        _version("if sys.version_info >= (3, 8) and c and d:\n    a()", "if c and d:\n    a()"),
        OLDEST,
    ),
    "an operand of three that decides nothing": (
        _version("if sys.version_info < (3, 8) or c or d:\n    a()", "if c or d:\n    a()"),
        OLDEST,
    ),
    "an operand of three that decides all": (
        _version("if sys.version_info < (3, 8) and c and d:\n    a()\nelse:\n    b()", "b()"),
        OLDEST,
    ),
    "one branch of two": (_version("if sys.version_info[:2] >= (3, 6):\n    a()\nelse:\n    b()", "a()"), OLDEST),
    "a branch in a function": (
        _version(
            "def f():\n    if sys.version_info >= (3, 6):\n        a()\n    else:\n        b()", "def f():\n    a()"
        ),
        OLDEST,
    ),
    "what __future__ brings anyway": (
        (
            "a.py",
            "from __future__ import division, annotations\nf(1 / 2)",
            "from __future__ import annotations\nf(1 / 2)",
        ),
        OLDEST,
    ),
    "what __future__ brings in all of version 3": (
        ("a.py", "from __future__ import print_function\nf()", "f()"),
        {"setup.cfg": "[options]\npython_requires = >=3"},
    ),
    "an unused private method": (METHOD, {"b.py": "from a import A\n"}),
    "an unused private method that prose mentions": (METHOD, {"b.md": "_drop_it", "CHANGELOG": "_drop_it"}),
    "an unused function of Go": (("a.go", "package a\nfunc dropIt() {}\nfunc g() {}", "package a\nfunc g() {}"), {}),
    "an unused function of Rust": (("a.rs", "fn drop_it() {}\nfn main() {}", "fn main() {}"), {}),
    "a suffix": (SUFFIX, {"s/b.js": "export const b = 1", "s/c.js": "export const c = 1"}),
}
OPEN: dict[str, tuple[Change, Files]] = {
    "a version without any bound": (VERSION, {}),
    "an import from nowhere": (
        ("a.js", "import { a } from 'b'\na()", "import { a, c } from 'b'\na()"),
        {"b.js": "export const c = 1"},
    ),
    "a declaration in a function": (("a.py", "def f():\n    return a\n", "def f():\n    a: int\n    return a\n"), {}),
    "something reads annotations": (ANNOTATED, {"b.py": "from typing import get_type_hints\nget_type_hints(f)"}),
    "a framework reads annotations": (ANNOTATED, {"b.py": "import pydantic\n"}),
    "a class with a base from elsewhere": (IN_CLASS, {"b.py": "from far import B\n"}),
    "a class with two bases of that name": (IN_CLASS, {"b.py": "class B: pass\n", "c.py": "class B(D): pass\n"}),
    "a decorated class": (
        ("a.py", "@c\nclass A:\n    b = 1\n", "@c\nclass A:\n    b: int = 1\n"),
        {},
    ),
    "an import of what is not there": (
        ("a.py", "from b import c\ndef f(a): return c", "from b import c, D\ndef f(a: D): return c"),
        {"b.py": "def c(): pass\n"},
    ),
    "an import of what is in a function there": (
        ("a.py", "from b import c\ndef f(a): return c", "from b import c, D\ndef f(a: D): return c"),
        {"b.py": "def c():\n    D = 1\n"},
    ),
    "a public name of a type": (
        (
            "a.py",
            "def f(a): return a",
            "from typing import Callable\nF = Callable[[str], None]\ndef f(a: F): return a",
        ),
        {},
    ),
    "a private name of a type that another file has": (
        (
            "a.py",
            "from typing import Callable\n_F = Callable[[str], None]\ndef f(a: _F): return a",
            "from typing import Callable\ndef f(a): return a",
        ),
        {"b.py": "from a import _F\n_F(1)\n"},
    ),
    "a name of a type that is used": (
        ("a.py", "from typing import List\n_F = List[str]\nf(_F)", "from typing import List\n_F = List[int]\nf(_F)"),
        {},
    ),
    "a name of a type that a text has": (
        (
            "a.py",
            "from typing import List\n_F = List[str]\nf('_F.b')",
            "from typing import List\n_F = List[int]\nf('_F.b')",
        ),
        {},
    ),
    "a name of what is no type": (("a.py", "_F = f[str]\ng()", "_F = f[int]\ng()"), {}),
    "a name of what another module makes": (
        ("a.py", "from b import TypeVar\n_T = TypeVar('_T')\ng()", "from b import TypeVar\n_T = TypeVar('_U')\ng()"),
        {},
    ),
    "a name of a sum": (("a.py", "from b import c\n_T = c | d\ng()", "from b import c\n_T = c | e\ng()"), {}),
    "code that is made of texts is read as the file is": (
        (
            "a.py",
            "def f(a: 'int'): return eval(a)",
            FUTURE + "def f(a: int): return eval(a)",
        ),
        {},
    ),
    "literal types where something reads annotations": (
        (
            "a.py",
            "from typing import Literal\ndef _f(a: Literal[1]): return a",
            "from typing import Literal\ndef _f(a: Literal[2]): return a",
        ),
        {"b.py": "import pydantic\n"},
    ),
    "errors that are two in an older version": (
        ("a.py", "try: a()\nexcept IOError: b()", "try: a()\nexcept OSError: b()"),
        {"setup.py": "setup(python_requires='>=2.7')"},
    ),
    "errors of the file's own": (
        ("a.py", "OSError = A\ntry: a()\nexcept IOError: b()", "OSError = A\ntry: a()\nexcept OSError: b()"),
        OLDEST,
    ),
    "a type that typing has in newer versions": (
        ("a.py", "from typing_extensions import TypeAlias\nf(TypeAlias)", "from typing import TypeAlias\nf(TypeAlias)"),
        OLDEST,
    ),
    "a type that is another one": (
        ("a.py", "from typing_extensions import Protocol\nf(Protocol)", "from typing import Protocol\nf(Protocol)"),
        OLDEST,
    ),
    "a version that is supported": (VERSION, {"pyproject.toml": 'requires-python = ">=3.7"'}),
    "what __future__ brings to an older version": (
        ("a.py", "from __future__ import division\nf(1 / 2)", "f(1 / 2)"),
        {"setup.py": "setup(python_requires='>=2.7')"},
    ),
    "what __future__ brings to no version yet": (
        ("a.py", "from __future__ import annotations\nf(1 / 2)", "f(1 / 2)"),
        OLDEST,
    ),
    "what __future__ gives another name": (
        ("a.py", "from __future__ import division as d\nf(d)", "f(d)"),
        OLDEST,
    ),
    "an encoding that older versions need": (
        ("a.py", "# -*- coding: utf-8 -*-\nx = 'ä'\n", "x = 'ä'\n"),
        {"setup.py": "setup(python_requires='>=2.7')"},
    ),
    "another encoding": (("a.py", "# -*- coding: latin-1 -*-\nx = 'a'\n", "x = 'a'\n"), OLDEST),
    "a version of something else": (VERSION, {"sub/pyproject.toml": 'requires-python = ">=3.9"'}),
    "an operand beside it": (_version("if sys.version_info >= (3, 8) and c and d:\n    a()", "if c:\n    a()"), OLDEST),
    "an alternative beside it": (
        _version("if sys.version_info < (3, 8) or c or d:\n    a()", "if c:\n    a()"),
        OLDEST,
    ),
    "another sign": (_version("if sys.version_info > (3, 9):\n    a()", "a()"), OLDEST),
    "another comparison": (_version("if sys.version_info >= b:\n    a()", "a()"), OLDEST),
    "a chain of versions": (_version("if (3, 6) < sys.version_info < (3, 8):\n    a()", ""), OLDEST),
    "what another condition decides": (
        _version("if sys.version_info < (3, 8):\n    a()\nelif b:\n    c()", "c()"),
        OLDEST,
    ),
    "a name that a branch makes local": (
        _version("def f():\n    if sys.version_info < (3, 6):\n        a = 1\n    return a", "def f():\n    return a"),
        OLDEST,
    ),
    "a private method that is used": (METHOD, {"b.py": "from a import A\nA()._drop_it()"}),
    "a private method that a text names": (METHOD, {"b.py": "getattr(a, '_drop_it')()"}),
    "a private method that a part of a text names": (METHOD, {"b.py": "getattr(a, '_drop_' + b)()"}),
    "a private method that a template names": (METHOD, {"b.xyz": "_drop_it"}),
    "a method with a computed default": (
        ("a.py", "def _drop_it(a=b()): return 1\ndef g(): return 2\n", "def g(): return 2\n"),
        {},
    ),
    "a public function": (("a.py", "def drop_it(): return 1\ndef g(): return 2\n", "def g(): return 2\n"), {}),
    "an exported function of Go": (("a.go", "package a\nfunc DropIt() {}\nfunc g() {}", "package a\nfunc g() {}"), {}),
    "a function of Rust that a test calls": (
        ("a.rs", "fn drop_it() {}\nfn main() {}", "fn main() {}"),
        {"b.rs": "fn f() { drop_it() }"},
    ),
    "a public function of Rust": (("a.rs", "pub fn drop_it() {}\nfn main() {}", "fn main() {}"), {}),
    "a test of Rust": (("a.rs", "#[test]\nfn drop_it() {}\nfn main() {}", "fn main() {}"), {}),
    "a suffix of one of two files": (SUFFIX, {"s/b.js": "export const b = 1", "s/b.ts": "export const b = 2"}),
    "a suffix of a file that lacks the name": (SUFFIX, {"s/b.js": "export const d = () => { const b = 1 }"}),
    "a suffix of a package": (
        ("s/a.js", SUFFIX[1].replace("./b", "b"), SUFFIX[2].replace("./b", "b")),
        {"s/b.js": "export const b = 1"},
    ),
    "a suffix where none is left out": (
        ("s/a.js", "import { b } from './b.js'\nb()", "import { b } from './b'\nb()"),
        {"s/b.js": "export const b = 1"},
    ),
}


@pytest.mark.parametrize("name", PROVEN)
def test_what_the_whole_repository_proves_is_a_refactor(name: str) -> None:
    (path, before, after), others = PROVEN[name]
    assert classes({path: (before, after)}, others)[path] is REFACTOR


@pytest.mark.parametrize("name", OPEN)
def test_what_it_leaves_open_is_behaviour(name: str) -> None:
    (path, before, after), others = OPEN[name]
    assert classes({path: (before, after)}, others)[path] is EVOLUTION


@pytest.mark.parametrize("name", PROVEN)
def test_a_repository_that_does_not_answer_proves_no_more_than_the_file_does(name: str) -> None:
    (path, before, after), _ = PROVEN[name]
    if name != "a field":
        assert classes({path: (before, after)}, Repository({}, can_search=False))[path] is EVOLUTION


class _Asked(Repository):
    """A repository that remembers what it was asked; of `define` it says nothing if too many files have it."""

    def __init__(self, files: Files, *, has_too_many: bool) -> None:
        super().__init__(files)
        self.asked: list[tuple[str, ...]] = []
        self._has_too_many = has_too_many

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        self.asked.append(tuple(words))
        return None if self._has_too_many and "define" in words else super().mentioning(words)


@pytest.mark.parametrize("has_too_many", [False, True])
def test_macros_are_read_once_for_all_names_where_they_can_be(has_too_many: bool) -> None:
    """The answers are the same either way: a name in the text of a macro, the macro's own name, and none of both."""
    files = {"a.h": "#define TWICE(x) \\\n  ((x) + once)\n# define EMPTY\nint far, defined;\n", "b.py": "#define = 1\n"}
    others = _Asked(files, has_too_many=has_too_many)
    facts = RepositoryFacts([], others, lambda _path, _content: None).of("c.c")
    names = ("TWICE", "x", "once", "EMPTY", "far", "defined", "nowhere", "on\u00e9")
    assert [name for name in names if not facts.is_in_no_macro(name)] == ["TWICE", "x", "once", "EMPTY"]
    assert [name for name in names if not facts.is_no_macro(name)] == ["TWICE", "EMPTY"]
    assert (len(others.asked) <= 3) is not has_too_many


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("A.java", "class A { private int seek() { return 1; } }", "class A { int seek() { return 2; } }"),
        ("src/a.rs", "pub fn seek() -> u8 { 1 }", "pub(crate) fn seek() -> u8 { 2 }"),
        ("a.py", "def _seek(a):\n    return a\nx = 1", "x = 2"),
    ],
)
def test_the_repository_is_asked_for_no_name_where_the_rest_differs_anyway(path: str, before: str, after: str) -> None:
    others = _Asked({}, has_too_many=False)
    assert classes({path: (before, after)}, others)[path] is EVOLUTION
    assert "seek" not in {word for words in others.asked for word in words}
    assert "_seek" not in {word for words in others.asked for word in words}


DEFERRED = "from __future__ import annotations\n\n"
STAYS = "\ndef _b(a: int) -> int:\n    return a\n"
OWN = "class A:\n    {}def __init__(self):\n        self.a = 1\n"


def test_a_file_that_defers_annotations_does_so_before_and_after() -> None:
    """Of what did not change no annotation is shown, and so it may seem that only one version has any."""
    before, after = (f"{DEFERRED}{OWN.format(more)}{STAYS}" for more in ("", "a: int\n\n    "))
    for old, new in ((before, after), (after, before)):
        assert judged({"a.py": (old, new)}, {})["a.py"].mutation_class is MutationClass.AST_REFACTOR


def test_what_computes_its_annotations_now_does_something_else() -> None:
    computed = STAYS.replace("a: int", "a: g()")
    before, after = (f"{head}{OWN.format('')}{computed}" for head in (DEFERRED, ""))
    for old, new in ((before, after), (after, before)):
        assert judged({"a.py": (old, new)}, {})["a.py"].mutation_class is MutationClass.INTENT_EVOLUTION
