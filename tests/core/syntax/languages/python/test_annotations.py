"""Annotations that nothing reads are no behaviour; whatever may read them makes them so."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions

UNREAD = {
    "a result": ("def f(a): return a", "def f(a) -> int: return a"),
    "a method's parameters": (
        "class A:\n    def m(self, a, b=1, *c, **d): return a",
        "class A:\n    def m(self, a: int, b: str | None = 1, *c: int, **d: int) -> None: return a",
    ),
    "a private function's parameters": ("def _f(a: int): return a", "def _f(a: str): return a"),
    "a test's, under a mark": (
        "import pytest\nfrom pathlib import Path\n@pytest.mark.slow\ndef test_a(tmp_path): assert Path(tmp_path)",
        "import pytest\nfrom pathlib import Path\n@pytest.mark.slow\ndef test_a(tmp_path: Path): assert Path(tmp_path)",
    ),
    "a function's in a function": (
        "def f():\n    def g(a): return a\n    return g",
        "def f():\n    def g(a: int): return a\n    return g",
    ),
    "a local": ("def f():\n    a = []\n    return [a]", "def f():\n    a: list[int] = []\n    return [a]"),
    "a property": (
        "class A:\n    @property\n    def m(self): return 1",
        "class A:\n    @property\n    def m(self) -> int: return 1",
    ),
    "the newer form, without the imports for the older": (
        "from typing import Dict, Optional\nclass A:\n    def m(self, a: Optional[Dict[str, int]]): return a",
        "class A:\n    def m(self, a: dict[str, int] | None): return a",
    ),
    "imports for types alone": (
        "def _f(a): return a",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from far import Away\ndef _f(a: 'Away'): return a",
    ),
    "beside a signature that is asked for its parameters": (
        "import inspect\ndef _f(a):\n    b = inspect.signature(a)\n"
        "    return b.parameters, inspect.signature(a).parameters",
        "import inspect\ndef _f(a: int):\n    b = inspect.signature(a)\n"
        "    return b.parameters, inspect.signature(a).parameters",
    ),
    "beside a text that names a module that reads some": (
        "def f(a):\n    '''The tool.'''\n    return 'cython'\ndef _f(a): return a",
        "def f(a):\n    '''The tool.'''\n    return 'cython'\ndef _f(a: int): return a",
    ),
    "an overload": (
        "from typing import overload\n@overload\ndef _f(a): ...",
        "from typing import overload\n@overload\ndef _f(a: int): ...",
    ),
    "a name that is there by then": (
        "def f():\n    def g(a): return a\n    return g\nclass A: pass",
        "def f():\n    def g(a: A): return a\n    return g\nclass A: pass",
    ),
    "a name that comes later, and is not computed": (
        "from __future__ import annotations\ndef _f(a): return a\nclass A: pass",
        "from __future__ import annotations\ndef _f(a: A): return a\nclass A: pass",
    ),
    "a name that another statement at the top gives": (
        "import os\nif os:\n    X = 1\nelse:\n    X = [y for y in os]\ndef _f(a): return a",
        "import os\nif os:\n    X = 1\nelse:\n    X = [y for y in os]\ndef _f(a: X): return a",
    ),
    "a local that is given a value later": (
        "def f(b):\n    if b: a = 1\n    else: a = [b for b in b]\n    return a",
        "def f(b):\n    a: int\n    if b: a = 1\n    else: a = [b for b in b]\n    return a",
    ),
    "beside definitions that stay": (
        "import os\nif os:\n    X = 1\ndef same(a: int) -> int: return a\ndef _f(a): return a",
        "import os\nif os:\n    X = 1\ndef same(a: int) -> int: return a\ndef _f(a: X): return a",
    ),
}
READ = {
    "a public function's parameter: a framework may be given it": (
        "def f(a: int): return a",
        "def f(a: str): return a",
    ),
    "a constructor's": (
        "class A:\n    def __init__(self, a: int): self.a = a",
        "class A:\n    def __init__(self, a: str): self.a = a",
    ),
    "under a decorator that may look": ("@app.get\ndef _f(a): return a", "@app.get\ndef _f(a) -> int: return a"),
    "in a class body": ("class A:\n    a: int = 1", "class A:\n    a: str = 1"),
    "of the file": ("a: int = 1", "a: str = 1"),
    "where the file reads annotations": (
        "from typing import get_type_hints\ndef _f(a: int): return a",
        "from typing import get_type_hints\ndef _f(a: str): return a",
    ),
    "where the file asks for a signature": (
        "from inspect import signature\ndef _f(a: int): return str(signature(a))",
        "from inspect import signature\ndef _f(a: str): return str(signature(a))",
    ),
    "where the file keeps a signature": (
        "import inspect\ndef _f(a: int):\n    b = inspect.signature(a)\n    return b",
        "import inspect\ndef _f(a: str):\n    b = inspect.signature(a)\n    return b",
    ),
    "where a text of the file names them": (
        "def _f(a: int): return getattr(a, '__annotations__')",
        "def _f(a: str): return getattr(a, '__annotations__')",
    ),
    "a name that is not there yet": ("def _f(a): return a\nclass A: pass", "def _f(a: A): return a\nclass A: pass"),
    "a class in itself": (
        "class A:\n    def m(self, a): return a",
        "class A:\n    def m(self, a: A): return a",
    ),
    "a name that is there for types alone": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from far import A\ndef _f(a): return a",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from far import A\ndef _f(a: A): return a",
    ),
    "names that are computed no more": (
        "def _f(a: A): return a\nclass A: pass",
        "from __future__ import annotations\ndef _f(a: A): return a\nclass A: pass",
    ),
    "a declaration makes a name local in a function around": (
        "def f():\n    def g():\n        a = 1\n    return a, g",
        "def f():\n    a: int\n    def g():\n        a = 1\n    return a, g",
    ),
    "a field's, that is computed": ("class A:\n    a = 1", "class A:\n    a: print() = 1"),
    "a name that is not there": ("def _f(a): return a", "def _f(a: Missing): return a"),
    "what is called": ("def _f(a): return a", "def _f(a: print()): return a"),
    "literal types": (
        "from typing import Literal\ndef _f(a: Literal[1]): return a",
        "from typing import Literal\ndef _f(a: Literal[2]): return a",
    ),
    "a field is declared before another one": (
        "def f():\n    a.b: int\n    c = 1",
        "def f():\n    a.b: int\n    c = 2",
    ),
    "a declaration makes a name local": ("def f():\n    return a", "def f():\n    a: int\n    return a"),
    "an import that does more than name a type": ("def _f(a): return a", "import far\ndef _f(a: far.Away): return a"),
    "an import that is still used": (
        "from typing import Any, cast\ndef _f(a: Any): return cast(Any, a)",
        "from typing import Any\ndef _f(a): return cast(Any, a)",
    ),
    "a default": ("def _f(a: int = 1): return a", "def _f(a=2): return a"),
    "what runs if types are not checked": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b\ndef _f(c): return c",
        "def _f(c): return c",
    ),
    "something beside it": ("def f(a): return a", "def f(a) -> int: return a + 1"),
}


def judged(before: str, after: str) -> tuple[MutationClass, tuple[str, ...]]:
    edit = FileVersions("a.py", Change.MODIFY, before.encode(), after.encode())
    (quick,), (verdict,) = classify_change([edit], with_reasons=False), classify_change([edit])
    assert quick.mutation_class is verdict.mutation_class
    return verdict.mutation_class, tuple(verdict.reasons)


@pytest.mark.parametrize("name", UNREAD)
def test_annotations_that_nothing_reads_are_a_refactor(name: str) -> None:
    """Both ways round."""
    before, after = UNREAD[name]
    expected = (MutationClass.AST_REFACTOR, ("only annotations",))
    assert judged(before, after) == judged(after, before) == expected


@pytest.mark.parametrize("name", READ)
def test_annotations_that_may_be_read_are_behaviour(name: str) -> None:
    """Unsure means behaviour."""
    before, after = READ[name]
    assert judged(before, after)[0] is MutationClass.INTENT_EVOLUTION
    assert judged(after, before)[0] is MutationClass.INTENT_EVOLUTION
