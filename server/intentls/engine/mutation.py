"""The mutation class of an action: what was declared, and what contradicts it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from intentls.core.mutation.classes import MutationClass, infer, worst
from intentls.core.trace import ClassSource
from intentls.engine.request import PlannedEdit

# What can be told from a change's kind and a file's name alone, and so may contradict a declaration.
_CERTAIN = frozenset(MutationClass) - {MutationClass.INTENT_EVOLUTION, MutationClass.UNKNOWN}


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change's class, where it comes from, and an inference that contradicts a declaration."""

    mutation_class: MutationClass
    source: ClassSource
    inferred: MutationClass | None = None

    @classmethod
    def of(cls, edits: Iterable[PlannedEdit], declared: MutationClass | None) -> Mutation:
        """The declared class, if any, else what the edits' kinds and names say."""
        inferred = worst(infer(edit.path, edit.change) for edit in edits)
        if declared is None:
            return cls(inferred, ClassSource.INFERRED)
        contradicts = inferred in _CERTAIN and inferred is not declared
        return cls(declared, ClassSource.DECLARED, inferred if contradicts else None)
