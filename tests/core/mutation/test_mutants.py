"""Behaviour mutants: not one may be called a refactor or documentation. `make mutants` makes many more."""

from __future__ import annotations

import os
import random
import sys
import sysconfig
from collections import Counter
from pathlib import Path

import pytest

from intentls.core.change import Change
from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.judge import Edit, judge
from tests.core.mutation.corpora import CORPORA
from tests.core.mutation.mutants import Mutant, mutants

# Makers of many must have time: the quick sample runs in every `make test`.
WANTED = int(os.environ.get("INTENTLS_MUTANTS", "2000"))
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
    while made.total() < wanted:
        before = made.total()
        for source in sources:
            for mutant in mutants(source, chance, max(20, wanted // len(sources)), language):
                edit = Edit(f"a.{language}", Change.MODIFY, mutant.before.encode(), mutant.after.encode())
                made[mutant.kind] += 1
                if judge([edit])[0].mutation_class is not MutationClass.INTENT_EVOLUTION:
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
