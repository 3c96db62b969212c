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
