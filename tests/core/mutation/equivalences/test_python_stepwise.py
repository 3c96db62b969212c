"""Python that does in several steps what another form does in one, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

WAYS = "the same written in another way"
_SAME = [
    ("r = []\nfor x in a:\n    r.append(x.y())\nreturn g(r)", "r = [x.y() for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    if x:\n        r.append(g(x))\nreturn r", "return [g(x) for x in a if x]"),
    ("r: list[int] = []\nfor x in a:\n    r.append(g(x))\nreturn h(r, r)", "r = [g(x) for x in a]\nreturn h(r, r)"),
    ("r = []\nfor x, (y, *z) in a:\n    r.append(g(x, y, z))\nreturn r", "return [g(x, y, z) for x, (y, *z) in a]"),
    (
        "r = []\nfor x in a:\n    for y in x:\n        if y:\n            r.append(y)\nreturn r",
        "return [y for x in a for y in x if y]",
    ),
    ("r = set()\nfor x in a:\n    r.add(x.y)\nreturn r", "return {x.y for x in a}"),
    ("r = {}\nfor x in a:\n    r[x.k] = x.y\nreturn r", "return {x.k: x.y for x in a}"),
    ("r = {}\nfor x in a:\n    r[x] = g(x)\nreturn r", "return {x: g(x) for x in a}"),
    (
        "if b:\n    r = []\n    for x in a:\n        r.append(x)\n    g(r, r)",
        "if b:\n    r = [x for x in a]\n    g(r, r)",
    ),
    ("for x in a:\n    if x.y == b:\n        return True\nreturn False", "return any(x.y == b for x in a)"),
    (
        "for x in a:\n    if x:\n        if x in b:\n            return True\nreturn False",
        "return any(x in b for x in a if x)",
    ),
    ("if a:\n    x = g(1)\nelse:\n    x = h()\nreturn x", "if a:\n    return g(1)\nreturn h()"),
    (
        "if a:\n    x = 1\nelif b:\n    x = 3\nelse:\n    h()\n    x = 2\nreturn x",
        "if a:\n    return 1\nif b:\n    return 3\nh()\nreturn 2",
    ),
    ("x = None\nif a:\n    x = g(b)\nh(x, x)", "x = g(b) if a else None\nh(x, x)"),
    ("x = 'n'\nif a:\n    x = g(b)\nreturn x", "return g(b) if a else 'n'"),
]
_SAME += [
    ("x = 0\ng(x)\nif a:\n    x = h(x)\nelse:\n    x = 2\nreturn x", "x = 0\ng(x)\nif a:\n    return h(x)\nreturn 2"),
    ("r = 1\ng(r, r)\nr = []\nfor x in a:\n    r.append(x)\nreturn r", "r = 1\ng(r, r)\nreturn [x for x in a]"),
    ("if a is None:\n    a = g()\nreturn h(a, a)", "a = g() if a is None else a\nreturn h(a, a)"),
    ("if a:\n    a = g()\nreturn h(a, a)", "a = a if not a else g()\nreturn h(a, a)"),
    ("return h(a if a else b)", "return h(a or b)"),
]
_OTHER = [
    ("if a:\n    x = lambda: x\nelse:\n    x = 2\nreturn x", "if a:\n    return lambda: x\nreturn 2"),
    ("h = lambda: r\ng(h)\nr = [x for x in a]\nreturn r", "h = lambda: r\ng(h)\nreturn [x for x in a]"),
    ("return g(a.c if b else d)", "return g(a.c or d)"),
    ("if a is None:\n    a = g()\nreturn h(a, a)", "a = g() if a is None else b\nreturn h(a, a)"),
    ("if a is None:\n    a.c = g()\nreturn h(a, a)", "a.c = g() if a is None else a.c\nreturn h(a, a)"),
    ("return h(a.c if a.c else b)", "return h(a.c or b)"),
    ("return h(a if b else b)", "return h(a or b)"),
    ("r = []\nfor x in a:\n    r.append(x)\nreturn g(r, x)", "r = [x for x in a]\nreturn g(r, x)"),
    ("r = []\nfor x in a:\n    r.append(r)\nreturn g(r)", "r = [r for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.append(len(r))\nreturn g(r)", "r = [len(r) for x in a]\nreturn g(r)"),
    ("r = [1]\nfor x in a:\n    r.append(x)\nreturn g(r)", "r = [x for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.add(x)\nreturn g(r)", "r = [x for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.append(x, 1)\nreturn g(r)", "r = [x for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.append(*x)\nreturn g(r)", "r = [x for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.append(x)\n    h()\nreturn g(r)", "r = [x for x in a]\nreturn g(r)"),
    (
        "r = []\nfor x in a:\n    if x:\n        r.append(x)\n    else:\n        h()\nreturn g(r)",
        "r = [x for x in a if x]\nreturn g(r)",
    ),
    ("r = []\nfor x in a:\n    r.append(x)\nelse:\n    h()\nreturn g(r)", "r = [x for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.append((yield x))\nreturn g(r)", "r = [(yield x) for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.append(y := x)\nreturn g(r)", "r = [y := x for x in a]\nreturn g(r)"),
    ("r = []\nfor x.z in a:\n    r.append(b)\nreturn g(r)", "r = [b for x.z in a]\nreturn g(r)"),
    (
        "r = []\nh = lambda: r\nr = []\nfor x in a:\n    r.append(h(x))\nreturn g(r)",
        "r = []\nh = lambda: r\nr = [h(x) for x in a]\nreturn g(r)",
    ),
    ("r = []\nfor x in a:\n    r.append(super().f(x))\nreturn g(r)", "r = [super().f(x) for x in a]\nreturn g(r)"),
    ("r = []\nfor x in a:\n    r.append(locals())\nreturn g(r)", "r = [locals() for x in a]\nreturn g(r)"),
    (
        "try:\n    r = []\n    for x in a:\n        r.append(h(x))\nexcept E:\n    pass\nreturn g(r)",
        "try:\n    r = [h(x) for x in a]\nexcept E:\n    pass\nreturn g(r)",
    ),
    (
        "with b:\n    r = []\n    for x in a:\n        r.append(h(x))\nreturn g(r)",
        "with b:\n    r = [h(x) for x in a]\nreturn g(r)",
    ),
    ("global r\nr = []\nfor x in a:\n    r.append(h(x))\nreturn g(r)", "global r\nr = [h(x) for x in a]\nreturn g(r)"),
    ("r = {}\nfor x in a:\n    r[x.k] = x.pop()\nreturn g(r)", "r = {x.k: x.pop() for x in a}\nreturn g(r)"),
    ("r = {}\nfor x in a:\n    r[x] += 1\nreturn g(r)", "r = {x: 1 for x in a}\nreturn g(r)"),
    ("r = {}\nfor x in a:\n    b[x] = 1\nreturn g(r)", "r = {x: 1 for x in a}\nreturn g(r)"),
    ("for x in a:\n    if x.y():\n        return True\nreturn False", "return any(x.y() for x in a)"),
    ("for x in a:\n    if x.y:\n        return False\nreturn True", "return any(x.y for x in a)"),
    ("for x in a:\n    return True\nreturn False", "return any(x for x in a)"),
    (
        "for x in a:\n    if x:\n        for y in x:\n            return True\nreturn False",
        "return any(x for x in a for y in x)",
    ),
    ("for x in a:\n    if x.y:\n        return True\nreturn None", "return any(x.y for x in a)"),
    ("x = None\nif a:\n    x = g(x)\nh(x, x)", "x = g(x) if a else None\nh(x, x)"),
    ("x = g()\nif a:\n    x = b\nh(x, x)", "x = b if a else g()\nh(x, x)"),
    ("x = None\nif g(x):\n    x = b\nh(x, x)", "x = b if g(x) else None\nh(x, x)"),
    (
        "x = 1\nh = lambda: x\nx = None\nif h():\n    x = b\nh(x, x)",
        "x = 1\nh = lambda: x\nx = b if h() else None\nh(x, x)",
    ),
    (
        "try:\n    x = None\n    if g():\n        x = b\nfinally:\n    h(x, x)",
        "try:\n    x = b if g() else None\nfinally:\n    h(x, x)",
    ),
    ("if a:\n    x = 1\nelse:\n    x = 2\nh(x)\nreturn x", "h(x)\nif a:\n    return 1\nreturn 2"),
    ("if a:\n    x = 1\nelif b:\n    x = 2\nreturn x", "if a:\n    return 1\nelif b:\n    return 2"),
    ("if a:\n    x = 1\nelse:\n    x.b = 2\nreturn x", "if a:\n    return 1\nreturn 2"),
    ("if a:\n    x = 1\nelse:\n    y = 2\nreturn x", "if a:\n    return 1\nreturn 2"),
    (
        "try:\n    if a:\n        x = 1\n    else:\n        x = 2\n    return x\nfinally:\n    h(x)",
        "try:\n    if a:\n        return 1\n    return 2\nfinally:\n    h(x)",
    ),
]


def _in(body: str) -> str:
    indented = body.replace("\n", "\n    ")
    return f"def f(a, b):\n    {indented}\n"


SAME = [(_in(old), _in(new)) for old, new in _SAME]
OTHER = [
    *((_in(old), _in(new)) for old, new in _OTHER),
    *(
        (f"{name} = g\n{_in(_SAME[at][0])}", f"{name} = g\n{_in(_SAME[at][1])}")
        for name, at in (("set", 5), ("any", 9))
    ),
    ("r = []\nfor x in a:\n    r.append(x)\n", "r = [x for x in a]\n"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_takes_several_steps_or_one_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (old, new)})["a.py"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_steps_that_leave_something_else_behind_stay_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (old, new)})["a.py"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons
