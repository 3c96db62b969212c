"""Definitions that move to another file: a refactor only if nothing else can be meant, in either file."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
Contents = tuple[str | None, str, str | None, str]

PARSE = "def parse(x):\n    return re.sub('a', 'b', x)\n"
MAIN = "def main(x):\n    return parse(x)\n"
OTHER = "def other():\n    return 1\n"
MOVED: Contents = (
    f"import re\nimport sys\n{PARSE}{MAIN}",
    f"import sys\nfrom p.b import parse\n{MAIN}",
    f"import os\n{OTHER}",
    f"import os\nimport re\n{OTHER}{PARSE}",
)


def _judged(contents: Contents) -> tuple[FileClass, ...]:
    source, source_after, target, target_after = contents
    assert source is not None
    change = Change.ADD if target is None else Change.MODIFY
    before = None if target is None else target.encode()
    return classify_change(
        [
            FileVersions("p/a.py", Change.MODIFY, source.encode(), source_after.encode()),
            FileVersions("p/b.py", change, before, target_after.encode() if target_after is not None else None),
        ]
    )


def test_a_function_that_moves_with_its_imports_is_one_refactor_and_each_half_alone_is_none() -> None:
    found = _judged(MOVED)
    assert [verdict.mutation_class for verdict in found] == [REFACTOR, REFACTOR]
    assert [verdict.reasons for verdict in found] == [("moved parse to p/b.py",), ("moved parse from p/a.py",)]
    for path, before, after in (("p/a.py", MOVED[0], MOVED[1]), ("p/b.py", MOVED[2], MOVED[3])):
        assert before is not None
        alone = classify_change([FileVersions(path, Change.MODIFY, before.encode(), after.encode())])
        assert alone[0].mutation_class is EVOLUTION


def test_what_moves_to_a_new_file_leaves_a_refactor_behind() -> None:
    found = _judged((MOVED[0], MOVED[1], None, f"from __future__ import annotations\nimport re\n{PARSE}"))
    assert [verdict.mutation_class for verdict in found] == [EVOLUTION, MutationClass.FILE_CREATION]
    found = _judged((MOVED[0], MOVED[1], None, f"import re\n{PARSE}"))
    assert [verdict.mutation_class for verdict in found] == [REFACTOR, MutationClass.FILE_CREATION]


CLASSES = "class A:\n    x = 1\nclass B(A):\n    y = len('z')\n"
MOVES: list[Contents] = [
    # a private one, to its only user, which need no longer import it
    (
        "def _f(): return 1\ndef g(): return 2\n",
        "def g(): return 2\n",
        "from p.a import _f\ndef h(): return _f()\n",
        "def _f(): return 1\ndef h(): return _f()\n",
    ),
    (
        "def _f(): return 1\nx = g()\n",
        "x = g()\n",
        "from p.a import _f, x\ndef h(): return _f()\n",
        "from p.a import x\ndef _f(): return 1\ndef h(): return _f()\n",
    ),
    (
        "'Say.'\nimport re\nclass A:\n    b = 1\ndef _f(): return 1\n",
        "import re\nclass A:\n    b = 1\n",
        "from p.a import _f\ndef h(): return _f()\n",
        "def _f(): return 1\ndef h(): return _f()\n",
    ),
    # two that need each other, and one that calls itself
    (CLASSES, "from p.b import A, B\n", OTHER, OTHER + CLASSES),
    ("def f(x): return f(x - 1)\n", "from .b import f\n", None, "def f(x): return f(x - 1)\n"),
    # a relative import says the same in the same folder
    (
        "from .c import d\ndef f(): return d\ndef g(): return d\n",
        "from .c import d\nfrom .b import f\ndef g(): return d\n",
        None,
        "from .c import d\ndef f(): return d\n",
    ),
]


@pytest.mark.parametrize("contents", MOVES)
def test_a_definition_may_move_if_all_around_it_means_the_same_there(contents: Contents) -> None:
    found = _judged(contents)
    assert found[0].mutation_class is REFACTOR, found
    assert found[1].mutation_class in (REFACTOR, MutationClass.FILE_CREATION), found


def _but(at: int, old: str, new: str) -> Contents:
    contents = list(MOVED)
    held = contents[at] or ""
    assert old in held
    contents[at] = held.replace(old, new)
    return (contents[0], contents[1] or "", contents[2], contents[3])


B_BEFORE_A = CLASSES[CLASSES.index("class B") :] + CLASSES[: CLASSES.index("class B")]
FUTURE = "from __future__ import annotations\n"
BROKEN: list[Contents] = [
    _but(3, "'b'", "'c'"),  # another function
    _but(3, "import re\n", ""),  # what it needs is missing
    _but(3, "import re\n", "import json as re\n"),  # or something else
    _but(3, "import re\n", "import re\nimport json\n"),  # more than it needs
    _but(3, "import os\n", ""),  # less than was there
    _but(1, "p.b", "q.c"),  # from elsewhere
    _but(1, "import parse", "import parse as other"),
    _but(1, "import parse", "import *"),
    _but(1, "from p.b import parse\n", ""),  # who still uses it has it no longer
    _but(1, "import sys\n", ""),  # unused, and of the standard library, but ...
    _but(1, "return parse", "return not parse"),
    _but(3, "return 1", "return 2"),
    _but(3, OTHER + PARSE, "x = parse('a')\n" + OTHER + PARSE),
    _but(3, "import re\n", "import re\nfrom p.a import main\n"),
    (f"import re\n{PARSE}{OTHER}", OTHER, OTHER, f"import re\n{OTHER}{PARSE}"),  # it was public
    (
        f"import re\n{PARSE}",
        "from p.b import parse\nimport re\n",
        f"x = parse\n{OTHER}",
        f"import re\nx = parse\n{OTHER}{PARSE}",
    ),
    (f"import re\n{PARSE}", "from p.b import parse\nparse = 1\n", OTHER, f"import re\n{OTHER}{PARSE}"),
    (
        f"import re\n{PARSE}\ndef g():\n    global parse\n",
        "from p.b import parse\ndef g():\n    global parse\n",
        OTHER,
        f"import re\n{OTHER}{PARSE}",
    ),
    (
        "import a.b\nimport a.c\ndef f(): return a\n",
        "import a.b\nimport a.c\nfrom p.b import f\n",
        None,
        "import a.b\ndef f(): return a\n",
    ),
    # names that are not the same there
    ("X = 1\ndef f(): return X\n", "from p.b import f\nX = 1\n", "X = 2\n", "X = 2\ndef f(): return X\n"),
    ("def f(): return len('')\n", "from p.b import f\n", "len = 1\n", "len = 1\ndef f(): return len('')\n"),
    ("def f(): return __name__\n", "from p.b import f\n", OTHER, f"{OTHER}def f(): return __name__\n"),
    ("def f():\n    global x\n", "from p.b import f\n", OTHER, f"{OTHER}def f():\n    global x\n"),
    ("def f(): return eval('x')\n", "from p.b import f\n", OTHER, f"{OTHER}def f(): return eval('x')\n"),
    ("X = 1\ndef f(): return g('X')\n", "from p.b import f\nX = 1\n", OTHER, f"{OTHER}def f(): return g('X')\n"),
    # in another order, or twice
    (
        CLASSES,
        "from p.b import A, B\n",
        OTHER,
        OTHER + B_BEFORE_A,
    ),
    ("def f(): return 1\n" * 2, "from p.b import f\n", OTHER, f"{OTHER}{'def f(): return 1' + chr(10)}"),
    # a circle of imports, or a file that is no longer imported and does something
    ("def f(): return 1\n", "from p.b import f\n", "import p.c\n", "import p.c\ndef f(): return 1\n"),
    (
        "def _f(): return 1\nregister()\n",
        "register()\n",
        "from p.a import _f\ndef h(): return _f()\n",
        "def _f(): return 1\ndef h(): return _f()\n",
    ),
    ("import q\ndef f(): return q\n", "import q\nfrom p.b import f\n", OTHER, f"import q\n{OTHER}def f(): return q\n"),
    ("import q\ndef f(): return q\n", "from p.b import f\n", None, "import q\ndef f(): return q\n"),
    # `from __future__` on one side alone, an import that does not stand first
    (
        "from __future__ import annotations\ndef f(): return 1\n",
        "from __future__ import annotations\nfrom p.b import f\n",
        OTHER,
        f"{OTHER}def f(): return 1\n",
    ),
    ("def f(): return 1\nx()\n", "x()\nfrom p.b import f\n", OTHER, f"{OTHER}def f(): return 1\n"),
    # its own name was something else there
    ("def _f(): return 1\n", "", "def h(): return _f()\n", "def _f(): return 1\ndef h(): return _f()\n"),
    (
        "def _f(): return 1\n",
        "",
        "from q import _f\ndef h(): return _f()\n",
        "def _f(): return 1\ndef h(): return _f()\n",
    ),
    ("def f(): return 1\n", "from p.b import f\n", OTHER, "def f(: pass\n"),
]


@pytest.mark.parametrize("contents", BROKEN)
def test_a_definition_that_moves_and_may_mean_something_else_is_an_evolution(contents: Contents) -> None:
    found = _judged(contents)
    assert [verdict.mutation_class for verdict in found] != [REFACTOR, REFACTOR], found
    assert found[0].mutation_class is EVOLUTION, found


def test_a_relative_import_leads_elsewhere_from_another_folder() -> None:
    source, after = "from .c import d\ndef f(): return d\n", "from .c import d\nfrom .q.b import f\n"
    there = "from .c import d\ndef f(): return d\n"
    found = classify_change(
        [
            FileVersions("p/a.py", Change.MODIFY, source.encode(), after.encode()),
            FileVersions("p/q/b.py", Change.ADD, None, there.encode()),
        ]
    )
    assert found[0].mutation_class is EVOLUTION
