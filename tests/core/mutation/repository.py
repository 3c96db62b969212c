"""A repository in memory: the files that a change set leaves alone."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Mapping

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.mutants import mutants


class Repository:
    """The text of each file by its path. `can_search` is whether it answers at all."""

    def __init__(self, files: Mapping[str, str], *, can_search: bool = True) -> None:
        self._files = files
        self._can_search = can_search

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        """The files that have one of the words."""
        found = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words))
        matching = {path: text.encode() for path, text in self._files.items() if found.search(text)}
        return matching if self._can_search else None


Versions = Mapping[str, tuple[str | None, str | None]]
"""By path, what each file of a change set held and holds; None: there is no file."""


def judged(versions: Versions, others: Mapping[str, str] | Repository | None = None) -> dict[str, FileClass]:
    """The class of each file, by path, in a repository that has the `others` too."""
    edits = []
    for path, (before, after) in versions.items():
        change = Change.ADD if before is None else Change.DELETE if after is None else Change.MODIFY
        contents = (None if text is None else text.encode() for text in (before, after))
        edits.append(FileVersions(path, change, *contents))
    repository = others if isinstance(others, Repository) else Repository(others or {})
    return {verdict.path: verdict for verdict in classify_change(edits, others=repository)}


def classes(versions: Versions, others: Mapping[str, str] | Repository | None = None) -> dict[str, MutationClass]:
    """The class of each file alone."""
    return {path: verdict.mutation_class for path, verdict in judged(versions, others).items()}


def no_mutant_of_c_passes(pairs: Iterable[tuple[str, str]], others: Mapping[str, str], seed: str) -> None:
    """Each pair is one file before and after, in another form; numbers and operators are changed on top of that."""
    chance = random.Random(seed)
    made = 0
    for before, after in pairs:
        for mutant in mutants(after, chance, 20, "c"):
            made += 1
            verdict = judged({"a.c": (before, mutant.after)}, others)["a.c"]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made
