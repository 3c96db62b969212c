"""The mutation class of an action: what was declared, what the trees say, and whether that contradicts it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.core.mutation.classes import ClassSource, MutationClass, infer, worst
from intentls.engine.actions.request import PlannedEdit

if TYPE_CHECKING:
    from intentls.core.mutation.file_class import FileClass

log = logging.getLogger(__name__)

# It is in the way of a guarded write: what is larger is INTENT_EVOLUTION.
_MAX_NODES = 80_000
_MAX_BYTES = 128 * 1024
_MAX_REASONS = 5

# What can be told for certain, and so contradicts any other declaration.
_CERTAIN = frozenset(MutationClass) - {MutationClass.INTENT_EVOLUTION, MutationClass.UNKNOWN}
# What claims that no behaviour changes, or that a file comes or goes; the comparison refutes that.
_CLAIMS = frozenset(
    {
        MutationClass.DOCUMENTATION,
        MutationClass.AST_REFACTOR,
        MutationClass.FILE_CREATION,
        MutationClass.FILE_DELETION,
    }
)


class Mutation(Struct, frozen=True):
    """A change's class, where it comes from, and an inference that contradicts a declaration, with its reasons.

    `formatted` are the paths of code of which the comparison says that it does the same, in another form; `too_large`
    those that it did not judge because they, or the whole change, exceed its bounds.
    """

    mutation_class: MutationClass
    source: ClassSource
    inferred: MutationClass | None = None
    reasons: tuple[str, ...] = ()
    formatted: frozenset[str] = frozenset()
    too_large: frozenset[str] = frozenset()

    @classmethod
    def of(cls, edits: Iterable[PlannedEdit], declared: MutationClass | None) -> Mutation:
        """The declared class, if any, else what comparing the contents says."""
        edits = tuple(edits)
        if not edits:  # a tool of which nothing is foreseen: there is nothing to compare
            known = declared or MutationClass.UNKNOWN
            return cls(known, ClassSource.INFERRED if declared is None else ClassSource.DECLARED)
        verdicts = _verdicts(edits, with_reasons=declared in _CLAIMS)
        inferred = worst(verdict.mutation_class for verdict in verdicts)
        formatted = _formatted(edits, verdicts)
        too_large = frozenset(verdict.path for verdict in verdicts if verdict.is_too_large)
        if declared is None:
            return cls(inferred, ClassSource.INFERRED, formatted=formatted, too_large=too_large)
        deciding = [verdict for verdict in verdicts if verdict.mutation_class is inferred]
        refuted = declared in _CLAIMS and any(not verdict.is_coarse for verdict in deciding)
        if inferred is declared or not (
            inferred in _CERTAIN or (refuted and inferred is MutationClass.INTENT_EVOLUTION)
        ):
            return cls(declared, ClassSource.DECLARED, formatted=formatted, too_large=too_large)
        reasons = tuple(f"{verdict.path}: {reason}" for verdict in deciding for reason in verdict.reasons)
        return cls(declared, ClassSource.DECLARED, inferred, reasons[:_MAX_REASONS], formatted, too_large)

    @property
    def contradiction(self) -> str | None:
        """One sentence, if the contents contradict the declaration."""
        if self.inferred is None:
            return None
        why = "; ".join(self.reasons)
        return f"this was declared {self.mutation_class.value}, but it is {self.inferred.value} ({why})"


def _formatted(edits: Iterable[PlannedEdit], verdicts: Iterable[FileClass]) -> frozenset[str]:
    prose = {edit.path for edit in edits if infer(edit.path, edit.change) is MutationClass.DOCUMENTATION}
    same = {verdict.path for verdict in verdicts if verdict.mutation_class is MutationClass.DOCUMENTATION}
    return frozenset(same - prose)


def _verdicts(edits: Iterable[PlannedEdit], *, with_reasons: bool) -> tuple[FileClass, ...]:
    # slow to import; most of a server's life has no edit
    from intentls.core.mutation import classify, file_class, file_versions

    made = [
        file_versions.FileVersions(edit.path, edit.change, edit.before, edit.after, edit.old_path) for edit in edits
    ]
    try:
        return classify.classify_change(made, nodes=_MAX_NODES, max_bytes=_MAX_BYTES, with_reasons=with_reasons)
    except Exception:  # a write must not fail because nobody can say what kind it is
        log.exception("a change could not be classed")
        return tuple(file_class.FileClass.unjudged(edit.path) for edit in made)
