"""What the definitions that a change touched were before, for its record."""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.blame.definition_origins import origins_of
from intentls.core.definitions.definition import Definition
from intentls.core.definitions.find import definitions_of_change
from intentls.core.definitions.lookup import name_line
from intentls.core.ledger.definition_origin import DefinitionOrigin
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.text.line_hashes import bare_lines
from intentls.core.text.lines import Hunk
from intentls.engine.actions.request import PlannedEdit


def former_definitions(
    edit: PlannedEdit, definitions: Sequence[Definition], hunks: Sequence[Hunk], budget: NodeBudget
) -> tuple[DefinitionOrigin, ...]:
    """The origins of those of `definitions`, in the new content, whose names the edit wrote or moved.

    Most edits write no line with a name; then the old content is not read.
    """
    if edit.before is None or edit.after is None or not any(hunk.old_lines for hunk in hunks):
        return ()
    new = bare_lines(edit.after)
    written = {line for hunk in hunks for line in range(hunk.new_start, hunk.new_start + hunk.new_lines)}
    if not any(name_line(definition, new) in written for definition in definitions):
        return ()
    old_touched = [(hunk.old_start, hunk.old_start + hunk.old_lines - 1) for hunk in hunks if hunk.old_lines]
    new_touched = [(hunk.new_start, hunk.new_start + hunk.new_lines - 1) for hunk in hunks if hunk.new_lines]
    contents, touched = (edit.before, edit.after), (old_touched, new_touched)
    before, after = definitions_of_change(edit.path, contents, touched, budget)
    return origins_of((before, bare_lines(edit.before)), (after, new), written)
