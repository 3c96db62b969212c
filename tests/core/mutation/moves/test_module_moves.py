"""Definitions of Python that went to another module beside other changes, and what only looks like that."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
Files = dict[str, str]

LOAD = "def load(text):\n    return json.loads(text)\n"
REST, RENAMED = "def f(a):\n    b = a\n    return load(b, b)\n", "def f(a):\n    c = a\n    return load(c, c)\n"
BEFORE = f"import json\n{LOAD}{REST}"
AFTER = f"from p.b import load\n{RENAMED}"
NEW = f"import json\n{LOAD}"
AROUND = {"p/__init__.py": "", "p/c.py": "from p.a import f\nimport p.a\n"}


def _moved(before: str = BEFORE, after: str = AFTER, old: str | None = None, new: str = NEW) -> Versions:
    return {"p/a.py": (before, after), "p/b.py": (old, new)}


KEPT = "def kept(b):\n    return [b]\n"
PROVEN: dict[str, tuple[Versions, Files]] = {
    "to a new module": (_moved(), AROUND),
    "to a module that had something": (_moved(old=f"import json\n{KEPT}", new=f"import json\n{KEPT}{LOAD}"), AROUND),
    "by a relative import": (_moved(after=AFTER.replace("p.b", ".b")), AROUND),
    "a private one that only the other module uses": (
        _moved(
            f"import json\n{LOAD.replace('load(', '_load(', 1)}x = 1\n",
            "x = 1\n",
            f"from p.a import _load\n{REST.replace('load', '_load')}",
            f"import json\n{LOAD.replace('load(', '_load(', 1)}{RENAMED.replace('load', '_load')}",
        ),
        {"p/__init__.py": ""},
    ),
    "two, one of which uses the other": (
        _moved(
            f"import json\n{LOAD}def g(a): return load(a)\n{REST}",
            f"from p.b import load, g\n{RENAMED}",
            None,
            f"{NEW}def g(a): return load(a)\n",
        ),
        AROUND,
    ),
    "a class with a base that moved": (
        _moved(
            f"class A:\n    def m(self): return len('json')\nclass B(A):\n    b = 1\n{REST}",
            f"from p.b import A, B\n{RENAMED}",
            None,
            "class A:\n    def m(self): return len('json')\nclass B(A):\n    b = 1\n",
        ),
        AROUND,
    ),
    "past what stays": (
        _moved(
            f"import json\nfor i in range(3):\n    print(i == 1)\n{LOAD}{REST}",
            f"from p.b import load\nfor i in range(3):\n    print(i == 1)\n{RENAMED}",
        ),
        AROUND,
    ),
}
OPEN: dict[str, tuple[Versions, Files]] = {
    "another body": (_moved(new=NEW.replace("loads(text)", "loads(text, a=1)")), AROUND),
    "the old module has the name no more": (
        _moved(f"{BEFORE}print(1)\n".replace("load(b, b)", "b"), f"{RENAMED}print(1)\n".replace("load(c, c)", "c")),
        AROUND,
    ),
    "the name of another module's": (_moved(after=AFTER.replace("p.b", "p.d")), {**AROUND, "p/d.py": NEW}),
    "an import too late": (
        _moved(f"import json\n{LOAD}load(1)\n{REST}", f"load(1)\nfrom p.b import load\n{RENAMED}"),
        AROUND,
    ),
    "another module of that name there": (_moved(new=f"import q.json as json\n{LOAD}"), AROUND),
    "no such import there": (_moved(new=LOAD), AROUND),
    "an import behind it there": (_moved(new=f"{LOAD}import json\n"), AROUND),
    "a variable of the old module": (
        _moved(BEFORE.replace("import json", "json = g()"), f"json = g()\n{AFTER}", new=f"json = g()\n{LOAD}"),
        AROUND,
    ),
    "a name that the old module changes": (
        _moved(f"{BEFORE}json = g(json)\n", f"import json\n{AFTER}json = g(json)\n"),
        AROUND,
    ),
    "a circle of imports": (_moved(new=f"from p.a import f\n{NEW}"), AROUND),
    "a module that does something": (_moved(old=f"{KEPT}kept(1)\n", new=f"import json\n{KEPT}kept(1)\n{LOAD}"), AROUND),
    "a default that is computed": (
        _moved(BEFORE.replace("(text)", "(text=g())", 1), new=NEW.replace("(text)", "(text=g())", 1)),
        AROUND,
    ),
    "a global variable": (
        _moved(
            BEFORE.replace("return json", "global x; return json"),
            new=NEW.replace("return json", "global x; return json"),
        ),
        AROUND,
    ),
    "what asks for the module": (
        _moved(BEFORE.replace("(text)\ndef f", "(__name__)\ndef f"), new=NEW.replace("s(text)", "s(__name__)")),
        AROUND,
    ),
    "a name that another file sets": (_moved(), {**AROUND, "p/c.py": "patch('p.a.json', 1)\n"}),
    "a name that was another one's there": (
        _moved(old="from p.d import load\nx = 1\n", new=f"import json\nx = 1\n{LOAD}"),
        {**AROUND, "p/d.py": "def load(): pass\n"},
    ),
    "a base that comes later": (
        _moved(
            f"class A: pass\nclass B(A): pass\n{REST}",
            f"from p.b import A, B\n{RENAMED}",
            None,
            "class B(A): pass\nclass A: pass\n",
        ),
        AROUND,
    ),
    "it is used there before it is defined": (
        _moved(old="x = 1\n", new=f"import json\nx = [load]\n{LOAD}"),
        AROUND,
    ),
    "what all names of a module may be": (
        _moved(f"from q import *\n{BEFORE}", f"from q import *\n{AFTER}"),
        AROUND,
    ),
    "another future": (_moved(new=f"from __future__ import annotations\n{NEW}"), AROUND),
    "a private one that another file takes": (
        _moved(
            f"import json\n{LOAD.replace('load(', '_load(', 1)}x = 1\n",
            "x = 1\n",
            None,
            f"import json\n{LOAD.replace('load(', '_load(', 1)}",
        ),
        {"p/__init__.py": "", "p/c.py": "from p.a import _load\n"},
    ),
    "the new module loads the old one no more, which does something": (
        {
            "p/b.py": (
                f"from p.a import _load\n{REST.replace('load', '_load')}",
                f"{NEW.replace('load(t', '_load(t')}{REST.replace('load', '_load')}",
            ),
            "p/a.py": (f"import json\n{LOAD.replace('load(t', '_load(t')}print(1)\n", "print(1)\n"),
        },
        {"p/__init__.py": ""},
    ),
    "something else beside it": (_moved(after=AFTER.replace("c, c", "c, 1")), AROUND),
}


@pytest.mark.parametrize("name", PROVEN)
def test_what_a_module_still_has_is_the_same_wherever_it_is_defined(name: str) -> None:
    versions, others = PROVEN[name]
    found = classes(versions, others)
    assert {found[path] for path, (before, _) in versions.items() if before is not None} == {REFACTOR}


@pytest.mark.parametrize("name", OPEN)
def test_what_may_be_another_thing_elsewhere_is_behaviour(name: str) -> None:
    versions, others = OPEN[name]
    assert classes(versions, others)["p/a.py"] is EVOLUTION


def test_where_the_repository_can_not_be_searched_nothing_moved() -> None:
    assert classes(_moved(), Repository(AROUND, can_search=False))["p/a.py"] is EVOLUTION


class _Forgetful(Repository):
    """One in which too many files have some words."""

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        """Nothing of the module that something left."""
        return None if list(words) == ["a"] else super().mentioning(words)


def test_where_too_many_files_name_the_module_nothing_moved() -> None:
    assert classes(_moved(), _Forgetful(AROUND))["p/a.py"] is EVOLUTION
