"""Behaviour mutants: not one may be called a refactor or documentation. `make mutants` makes many more."""

from __future__ import annotations

import ast
import os
import random
import sys
import sysconfig
from collections import Counter
from pathlib import Path

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.change_set_mutants import PROJECTS, change_set_mutants, renamed
from tests.core.mutation.corpora import CORPORA
from tests.core.mutation.mutants import Mutant, mutants
from tests.core.mutation.repository import Repository, classes

pytestmark = pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take

# Makers of many must have time: the quick sample runs in every `make test`.
WANTED = int(os.environ.get("INTENTLS_MUTANTS", "1000"))
_SHARE_OF_PYTHON = 0.4
_LONGEST = 12_000 if WANTED <= 2000 else 60_000  # characters of a source


def _library() -> list[str]:
    """Sources of the standard library, in one order everywhere."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    sources = []
    for path in sorted(folder.glob("*.py")):
        text = path.read_text("utf-8", errors="replace")
        if 500 < len(text) < _LONGEST:
            sources.append(text)
    return sources


def _escaped(sources: list[str], language: str, wanted: int) -> tuple[int, list[Mutant]]:
    chance = random.Random(f"{language} {wanted}")
    made, escaped = Counter[str](), []
    others = Repository({}) if language == "c" else None  # which proves that no macro knows a name
    while made.total() < wanted:
        before = made.total()
        for source in sources:
            for mutant in mutants(source, chance, max(20, wanted // len(sources)), language):
                edit = FileVersions(f"a.{language}", Change.MODIFY, mutant.before.encode(), mutant.after.encode())
                made[mutant.kind] += 1
                if classify_change([edit], others=others)[0].mutation_class is not MutationClass.INTENT_EVOLUTION:
                    escaped.append(mutant)
            if made.total() >= wanted:
                break
        assert made.total() > before, "the sources have no more mutants"
    sys.stdout.write(f"{language} {dict(made)} escaped: {len(escaped)}\n")
    return made.total(), escaped


@pytest.mark.parametrize("language", ["py", *sorted(CORPORA)])
def test_no_behaviour_mutant_is_called_a_refactor_or_documentation(language: str) -> None:
    if language == "py":
        made, escaped = _escaped(_library(), language, round(WANTED * _SHARE_OF_PYTHON))
    else:
        share = (1 - _SHARE_OF_PYTHON) / len(CORPORA)
        made, escaped = _escaped([CORPORA[language]], language, round(WANTED * share) + 1)
    assert made and not escaped, escaped[:3]


def _moved(source: str) -> tuple[str, str, str] | None:
    """A file of functions, the same without its first one, which it imports, and the new file that has it."""
    tree = ast.parse(source)
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.decorator_list]
    if len(functions) < 2:
        return None
    first, *others = (ast.unparse(node) for node in functions)
    used = {node.id for node in ast.walk(functions[0]) if isinstance(node, ast.Name)}
    held = "\n".join(ast.unparse(node) for node in imports)
    needed = [
        ast.unparse(node)
        for node in imports
        if {(name.asname or name.name).partition(".")[0] for name in node.names} & used
    ]
    rest = "\n".join(others)
    return (
        f"{held}\n{first}\n{rest}\n",
        f"{held}\nfrom moved import {functions[0].name}\n{rest}\n",
        "\n".join([*needed, first, ""]),
    )


def _first_class(before: str, after: str, target: str) -> MutationClass:
    made = (
        FileVersions("a.py", Change.MODIFY, before.encode(), after.encode()),
        FileVersions("moved.py", Change.ADD, None, target.encode()),
    )
    return classify_change(made)[0].mutation_class


def test_no_behaviour_mutant_passes_in_a_file_that_gave_a_function_away_or_in_the_one_that_has_it() -> None:
    chance = random.Random("moved")
    moved = made = 0
    for source in _library():
        parts = _moved(source)
        if made > WANTED // 20:
            break
        if parts is None or _first_class(*parts) is not MutationClass.AST_REFACTOR:
            continue
        moved += 1
        before, after, target = parts
        for side in (after, target):
            for mutant in mutants(side, chance, WANTED // 400, "py"):
                changed = (before, mutant.after, target) if side is after else (before, after, mutant.after)
                made += 1
                assert _first_class(*changed) is MutationClass.INTENT_EVOLUTION, mutant
    sys.stdout.write(f"{moved} functions moved, {made} mutants of them\n")
    assert moved > 5 and made > 50


@pytest.mark.parametrize("language", sorted(PROJECTS))
def test_a_rename_of_a_whole_project_is_a_refactor_and_none_that_is_wrong_in_one_place(language: str) -> None:
    project = PROJECTS[language]
    after = renamed(
        project, f"{project.name}{'_' if '_' in project.name else ''}" + ("due" if "_" in project.name else "Due")
    )
    right = classes({path: (text, after[path]) for path, text in project.files.items()})
    assert set(right.values()) == {MutationClass.AST_REFACTOR}, right
    made, escaped = Counter[str](), []
    for mutant in change_set_mutants(language, random.Random(language), max(24, WANTED // 60)):
        versions = {path: (text, mutant.after[path]) for path, text in mutant.before.items()}
        made[mutant.kind] += 1
        if MutationClass.INTENT_EVOLUTION not in classes(versions, mutant.others).values():
            escaped.append(mutant)
    sys.stdout.write(f"{language} {dict(made)} escaped: {len(escaped)}\n")
    assert made and not escaped, escaped[:3]
