"""Well-known refactorings are recognised, and what only looks like one is not."""

from __future__ import annotations

import os
import random
from itertools import islice

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.refactorings.catalogue import (
    OTHERS,
    PROVEN,
    SOMETHING_ELSE,
    UNPROVEN,
    Case,
    cases,
    headings,
)
from tests.core.mutation.repository import judged

# `make mutants` has the time for more.
_MUTANTS = 40 if "INTENTLS_MUTANTS" in os.environ else 4


def _named(part: str) -> list[object]:
    return [pytest.param(case, id=f"{case.language}, {case.name}") for case in cases(part)]


def _class_of(case: Case, after: str) -> MutationClass:
    return judged({case.path: (case.before, after)}, OTHERS)[case.path].mutation_class


@pytest.mark.parametrize("case", _named(PROVEN))
def test_a_well_known_refactoring_is_recognised_there_and_back(case: Case) -> None:
    assert (
        judged({case.path: (case.before, case.after)}, OTHERS)[case.path].mutation_class is MutationClass.AST_REFACTOR
    )
    assert (
        judged({case.path: (case.after, case.before)}, OTHERS)[case.path].mutation_class is MutationClass.AST_REFACTOR
    )


@pytest.mark.no_cover  # it takes the ways that the test above takes
@pytest.mark.parametrize("case", _named(PROVEN))
def test_a_refactoring_with_another_change_in_it_is_none(case: Case) -> None:
    made = mutants(case.after, random.Random(case.name), 4 * _MUTANTS, case.suffix)
    # An unused parameter may have any name.
    inside = list(islice((mutant for mutant in made if mutant.after.startswith(case.head)), _MUTANTS))
    passed = [mutant for mutant in inside if _class_of(case, mutant.after) is not MutationClass.INTENT_EVOLUTION]
    assert inside
    assert not passed


@pytest.mark.parametrize("case", _named(SOMETHING_ELSE))
def test_what_only_looks_like_a_refactoring_is_none(case: Case) -> None:
    assert _class_of(case, case.after) is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize("case", _named(UNPROVEN))
def test_what_the_catalogue_calls_unproven_is_so_and_says_why(case: Case) -> None:
    assert case.why
    assert _class_of(case, case.after) is MutationClass.INTENT_EVOLUTION


def test_each_heading_of_the_catalogue_is_a_case() -> None:
    read = [*cases(PROVEN), *cases(UNPROVEN), *cases(SOMETHING_ELSE)]
    assert len(read) == headings()
