"""Names the definitions that a change touched, those around each changed range and in it, and what they were before."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.ledger.definition_origin import DefinitionOrigin
from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.record import Conversation
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.text.lines import Hunk
from intentls.engine.actions.request import PlannedEdit

if TYPE_CHECKING:
    from intentls.core.definitions.definition import Definition

log = logging.getLogger(__name__)

# A guarded write waits for this, as for the comparison that gives its mutation class.
_MAX_BYTES = 128 * 1024
_MAX_NODES = 40_000
_MAX_DEFINITIONS = 100  # named in one record
_PLAIN = ("constant", "key")
_MIN_LEAVES = 12  # of a plain definition: a smaller one says little


class FileDefinitions(Struct, frozen=True):
    """What is known of the definitions that a change of a file touched.

    The `conversations` have their names, `origins` are the former names and places of those that were renamed, or
    whose names were written again; None where that was not looked for. `is_exceeded`: the bounds left some out.
    """

    conversations: tuple[Conversation, ...]
    origins: tuple[DefinitionOrigin, ...] | None = None
    is_exceeded: bool = False


def with_definitions(
    parts: Sequence[tuple[PlannedEdit, tuple[Conversation, ...], Sequence[Hunk]]],
) -> list[FileDefinitions]:
    """What each file's conversations changed, by definitions. Never raises: a conversation without names is valid."""
    if not any(conversation.ranges for _, conversations, _ in parts for conversation in conversations):
        return [FileDefinitions(conversations) for _, conversations, _ in parts]  # a refusal: nothing is imported
    budget = NodeBudget(_MAX_NODES, _MAX_BYTES)
    described: list[FileDefinitions] = []
    left = _MAX_DEFINITIONS
    for edit, conversations, hunks in parts:
        budget.is_exceeded = budget.nodes < 0  # then nothing more is looked for
        definitions: Sequence[Definition] = ()
        origins: tuple[DefinitionOrigin, ...] | None = None
        try:
            definitions = _definitions(edit, conversations, budget)
            if definitions and edit.before is not None:
                from intentls.engine.records.definition_origins import former_definitions  # loads grammars

                origins = former_definitions(edit, definitions, hunks, budget)
        except Exception:  # a write must not fail because its definitions can't be found
            log.exception("the definitions of a change could not be found")
        with_names = []
        for conversation in conversations if definitions else ():
            names = (name for where in conversation.ranges for name in _names(where, definitions))
            symbols = tuple(islice(dict.fromkeys(names), left))
            left -= len(symbols)
            with_names.append(replace(conversation, symbols=symbols))
        kept = None if origins is None or len(origins) > _MAX_DEFINITIONS else origins
        described.append(FileDefinitions(tuple(with_names) or conversations, kept, budget.is_exceeded))
    return described


def _definitions(
    edit: PlannedEdit, conversations: tuple[Conversation, ...], budget: NodeBudget
) -> Sequence[Definition]:
    """The definitions of the new content that may hold or lie in a changed range."""
    from intentls.core.definitions.find import definitions_in  # loads grammars

    changed = [(where.start_line, where.end_line) for part in conversations for where in part.ranges]
    if edit.after is None or not changed:
        return ()
    return definitions_in(edit.path, edit.after, budget, changed, with_hashes=False)


def _names(where: LineRange, definitions: Sequence[Definition]) -> Iterator[str]:
    """The name of the definition around the range, then of those in it, the outermost and largest first."""
    symbol = _innermost_around(where, definitions)
    inside = [
        definition
        for definition in definitions
        if definition is not symbol
        and where.start_line <= definition.start_line
        and definition.end_line <= where.end_line
        and (definition.leaves >= _MIN_LEAVES or definition.kind not in _PLAIN)
    ]
    inside.sort(key=lambda definition: (definition.name.count("."), -definition.leaves))
    yield from (definition.name for definition in (*filter(None, [symbol]), *inside))


def _innermost_around(where: LineRange, definitions: Sequence[Definition]) -> Definition | None:
    """The innermost definition that holds the whole range; of two side by side in one line, what holds them both."""
    chain: list[Definition] = []
    for definition in definitions:
        if definition.start_line > where.start_line or definition.end_line < where.end_line:
            continue
        if chain and not definition.name.startswith(f"{chain[-1].name}."):
            while chain and not definition.name.startswith(f"{chain[-1].name}."):
                chain.pop()
            break
        chain.append(definition)
    return chain[-1] if chain else None
