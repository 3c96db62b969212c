"""What the definitions that a change touched were before, for its record."""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.blame.definition_origins import origins_of
from intentls.core.definitions.definition import Definition
from intentls.core.definitions.find import definitions_in, definitions_of_change
from intentls.core.definitions.lookup import name_line
from intentls.core.ledger.definition_origin import DefinitionOrigin
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.text.line_hashes import bare_lines
from intentls.core.text.lines import Hunk
from intentls.engine.actions.request import PlannedEdit


def former_definitions(
    edit: PlannedEdit, definitions: Sequence[Definition], hunks: Sequence[Hunk], budget: NodeBudget
) -> tuple[DefinitionOrigin, ...] | None:
    """The origins of those of `definitions`, in the new content, whose names the edit wrote; None: there are none such.

    Most edits write no line with a name: then the old content is not read. Of most others it is one name, which stayed.
    """
    if edit.before is None or edit.after is None or not any(hunk.old_lines for hunk in hunks):
        return None
    new = bare_lines(edit.after)
    written = {line for hunk in hunks for line in range(hunk.new_start, hunk.new_start + hunk.new_lines)}
    named = [definition for definition in definitions if name_line(definition, new) in written]
    if not named:
        return None
    old_touched = [(hunk.old_start, hunk.old_start + hunk.old_lines - 1) for hunk in hunks if hunk.old_lines]
    new_touched = [(hunk.new_start, hunk.new_start + hunk.new_lines - 1) for hunk in hunks if hunk.new_lines]
    if len(named) == 1:
        old = _alike(named[0], definitions_in(edit.path, edit.before, budget, old_touched, with_hashes=False))
        if len(old) == len(_alike(named[0], definitions)) == 1:  # then no hash is needed to find it again
            return origins_of((old, bare_lines(edit.before)), (named, new), written)
    contents, touched = (edit.before, edit.after), (old_touched, new_touched)
    before, after = definitions_of_change(edit.path, contents, touched, budget)
    if not before and edit.before.strip():
        return None  # it may not parse
    return origins_of((before, bare_lines(edit.before)), (after, new), written)


def _alike(one: Definition, definitions: Sequence[Definition]) -> list[Definition]:
    """Those that have its name and are of its kind."""
    return [other for other in definitions if (other.name, other.kind) == (one.name, one.kind)]
