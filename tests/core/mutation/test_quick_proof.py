"""The quick proof of a change of behaviour: what it proves, and that it never proves what the trees deny."""

from __future__ import annotations

import ast
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.quick_proof import does_something_else
from intentls.core.syntax.canonicalize import syntax_tree
from intentls.core.syntax.languages.javascript.adapter import JAVASCRIPT
from intentls.core.syntax.languages.python.adapter import PYTHON
from tests.core.mutation.equivalences import (
    test_joined_branches,
    test_python_linted,
    test_python_shorthands,
    test_python_stepwise,
    test_python_texts,
)

PROVEN = [
    ("total = price", "total = price * 2"),
    ("wait(1)", "wait(2)"),
    ("f(x)", "f(x, g())"),
    ("if a: b()", "while a: b()"),
    ("for a in b: c()", "while a: c()"),
    ("return_(a)", "return_(a)\nraise b"),
    ("x = 0x1F", "x = 0x1E"),
    ("def f(): return a", "def f(): yield a"),
    ("a[1:2]", "a[1]"),
]
LEFT_TO_THE_TREES = [
    ("if a: b()", "if not a: b()"),
    ("if a:\n    if b: c()", "if a and b: c()"),
    ("def f():\n if a in b: return True\n return False", "def f(): return a in b"),
    ("x = set([a])", "x = {a}"),
    ("x = '{a}'.format(a=b)", "x = f'{b}'"),
    ("def f(): return", "def f(): pass"),
    ("f(x)", "f(y)"),
    ("x = 0x1F", "x = 0X1f"),
    ("x = 1.0", "x = 2.0"),
    ("x = 'a'", "x = 'b'"),
    ("def f(a: List[int]) -> A: ...", "def f(a): ..."),
    ("x = f()  # 1", "x = (f())"),
    ("import a, b", "import b"),
    ("x = = 1", "x = = 1 + 2"),
    ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a", "x = 1"),
]


@pytest.mark.parametrize(("before", "after"), PROVEN)
def test_another_number_of_calls_branches_or_numbers_is_a_proof_both_ways_round(before: str, after: str) -> None:
    assert does_something_else(before.encode(), after.encode(), PYTHON)
    assert does_something_else(after.encode(), before.encode(), PYTHON)
    edit = FileVersions("a.py", Change.MODIFY, before.encode(), after.encode())
    (verdict,) = classify_change([edit], with_reasons=False)
    assert (verdict.mutation_class, verdict.is_coarse, verdict.is_too_large) == (
        MutationClass.INTENT_EVOLUTION,
        False,
        False,
    )
    assert verdict.reasons == ("it may do something else than before",)


@pytest.mark.parametrize(("before", "after"), LEFT_TO_THE_TREES)
def test_where_the_counts_say_nothing_the_trees_decide(before: str, after: str) -> None:
    assert not does_something_else(before.encode(), after.encode(), PYTHON)
    assert not does_something_else(after.encode(), before.encode(), PYTHON)


def test_a_language_of_which_nothing_is_counted_has_no_quick_proof() -> None:
    assert not does_something_else(b"f(1)", b"f(2)", JAVASCRIPT)


def test_what_is_counted_stands_in_the_grammar() -> None:
    """A kind that a later grammar no longer knows would be a proof that silently proves less."""
    tree = syntax_tree(b"x = 1", PYTHON.module, PYTHON.function)
    assert tree is not None
    language = tree.language
    assert PYTHON.counting is not None
    for kind in PYTHON.counting.kinds | PYTHON.counting.spelled:
        assert language.id_for_node_kind(kind, True) is not None, kind


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (Change.ADD, None, b"f(1)"),
        (Change.DELETE, b"f(1)", None),
        (Change.MODIFY, b"\0f(1)", b"f(2)"),
        (Change.MODIFY, b"f(1)", b"\0f(2)"),
    ],
)
def test_new_gone_and_binary_files_are_what_they_are_with_reasons(
    change: Change, before: bytes | None, after: bytes | None
) -> None:
    edit = FileVersions("a.py", change, before, after)
    assert classify_change([edit], with_reasons=False) == classify_change([edit])


def test_what_is_no_code_or_too_large_is_what_it_is_with_reasons() -> None:
    for path, size in (("a.toml", 1), ("a.md", 1), ("a.unknown", 1), ("a.py", 100)):
        edit = FileVersions(path, Change.MODIFY, b"a = 1\n" * size, b"a = 2\n" * size)
        assert classify_change([edit], max_bytes=99, with_reasons=False) == classify_change([edit], max_bytes=99)


def test_a_function_that_moves_to_another_file_of_the_change_is_not_proven_to_be_new() -> None:
    """Each file alone does something else; together they do the same."""
    function = "def _load(a):\n    for b in a:\n        yield int(b) + 1\n\n\n"
    edits = [
        FileVersions("a.py", Change.MODIFY, f"{function}x = 1\n".encode(), b"from b import _load\n\nx = 1\n"),
        FileVersions("b.py", Change.MODIFY, b"y = 2\n", f"y = 2\n\n\n{function}".encode()),
    ]
    classes = [verdict.mutation_class for verdict in classify_change(edits)]
    assert [verdict.mutation_class for verdict in classify_change(edits, with_reasons=False)] == classes
    assert does_something_else(edits[0].before or b"", edits[0].after or b"", PYTHON)


class _Bare(ast.NodeTransformer):
    """Takes docstrings and annotations away, as far as they say nothing at run time."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            node.body = node.body[1:] or [ast.Pass()]
        node.returns = None
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
        return node


FORMS = {
    "linted": test_python_linted.SAME,
    "shorthands": test_python_shorthands.SAME,
    "texts": test_python_texts.SAME,
    "steps": test_python_stepwise.SAME,
    "joined branches": [(old[1], new[1]) for old, new in test_joined_branches.SAME if old[0] == "a.py"],
}


@pytest.mark.parametrize("forms", FORMS.values(), ids=FORMS)
def test_no_form_of_an_equivalence_is_proven_to_be_something_else(forms: Sequence[tuple[str, str]]) -> None:
    for before, after in forms:
        assert not does_something_else(before.encode(), after.encode(), PYTHON), before


def test_no_rewriting_that_the_trees_call_the_same_is_proven_to_be_something_else() -> None:
    """The standard library: another form, no docstrings and annotations, functions in another order."""
    same = 0
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        source = path.read_bytes()
        if not 500 < len(source) < 6_000:
            continue
        for rewritten in _rewritten(source):
            edit = FileVersions("a.py", Change.MODIFY, source, rewritten)
            if does_something_else(source, rewritten, PYTHON):
                (verdict,) = classify_change([edit])
                assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, path
            else:
                same += 1
    assert same > 20


def _rewritten(source: bytes) -> list[bytes]:
    written, bare, moved = (ast.parse(source) for _ in range(3))
    functions = [node for node in moved.body if isinstance(node, ast.FunctionDef)]
    moved.body = [*(node for node in moved.body if node not in functions), *reversed(functions)]
    return [ast.unparse(tree).encode() for tree in (written, _Bare().visit(bare), moved)]
