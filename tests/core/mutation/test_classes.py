"""What can be told of a change from its kind and the file's name alone."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass, infer, parse_mutation_class, worst
from intentls.core.mutation.file_class import FileClass


@pytest.mark.parametrize(
    ("path", "change", "expected"),
    [
        ("src/a.py", Change.ADD, MutationClass.FILE_CREATION),
        ("src/a.py", Change.DELETE, MutationClass.FILE_DELETION),
        ("README.md", Change.MODIFY, MutationClass.DOCUMENTATION),
        ("pyproject.toml", Change.MODIFY, MutationClass.CONFIGURATION),
        ("deploy/Dockerfile", Change.MODIFY, MutationClass.CONFIGURATION),
        ("src/a.py", Change.MODIFY, MutationClass.INTENT_EVOLUTION),
        ("src/a.py", Change.RENAME, MutationClass.INTENT_EVOLUTION),
    ],
)
def test_the_kind_and_the_file_type_decide(path: str, change: Change, expected: MutationClass) -> None:
    """When unsure, the answer is INTENT_EVOLUTION."""
    assert infer(path, change) is expected


def test_docs_update_is_read_as_documentation() -> None:
    """The older name of the class still works; an unknown one does not."""
    assert parse_mutation_class("DOCS_UPDATE") is MutationClass.DOCUMENTATION
    assert parse_mutation_class("BUG_FIX") is MutationClass.BUG_FIX
    with pytest.raises(ValueError, match="MAGIC"):
        parse_mutation_class("MAGIC")


def test_a_change_of_several_files_counts_as_its_most_consequential() -> None:
    """Reviewers look at the hardest part; nothing at all is UNKNOWN."""
    classes = [MutationClass.DOCUMENTATION, MutationClass.INTENT_EVOLUTION, MutationClass.CONFIGURATION]
    assert worst(classes) is MutationClass.INTENT_EVOLUTION
    assert worst([]) is MutationClass.UNKNOWN


def test_a_file_that_could_not_be_judged_may_do_anything() -> None:
    unjudged = FileClass.unjudged("a.py")
    assert unjudged.mutation_class is MutationClass.INTENT_EVOLUTION
    assert unjudged.is_coarse and unjudged.reasons and not unjudged.renames
