"""Adds to each changed range of a record the definition around it and those in it, as they are found in the file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.record import Conversation
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.engine.actions.request import PlannedEdit

if TYPE_CHECKING:
    from intentls.core.definitions.definition import Definition

log = logging.getLogger(__name__)

# A guarded write waits for this, as for the comparison that gives its mutation class.
_MAX_BYTES = 128 * 1024
_MAX_NODES = 40_000
_MAX_DEFINITIONS = 100  # in the ranges of one record
_PLAIN = ("constant", "key")
_MIN_LEAVES = 12  # of a plain definition: a smaller one is not found again by its content


def with_definitions(
    parts: Sequence[tuple[PlannedEdit, tuple[Conversation, ...]]],
) -> list[tuple[tuple[Conversation, ...], bool]]:
    """The conversations of each file, their ranges with definitions, and whether the bounds left some out.

    Never raises: a range without definitions is valid.
    """
    if not any(conversation.ranges for _, conversations in parts for conversation in conversations):
        return [(conversations, False) for _, conversations in parts]  # a refusal, a deletion: nothing is imported
    budget = NodeBudget(_MAX_NODES, _MAX_BYTES)
    described: list[tuple[tuple[Conversation, ...], bool]] = []
    left = _MAX_DEFINITIONS
    for edit, conversations in parts:
        budget.is_exceeded = budget.nodes < 0  # then nothing more is looked for
        try:
            definitions = _definitions(edit, conversations, budget)
        except Exception:  # a write must not fail because its definitions can't be found
            log.exception("the definitions of a change could not be found")
            definitions = ()
        with_ranges = []
        for conversation in conversations if definitions else ():
            ranges = []
            for where in conversation.ranges:
                ranges.append(_describe(where, definitions, left))
                left -= len(ranges[-1].definitions)
            with_ranges.append(replace(conversation, ranges=tuple(ranges)))
        described.append((tuple(with_ranges) or conversations, budget.is_exceeded))
    return described


def _definitions(
    edit: PlannedEdit, conversations: tuple[Conversation, ...], budget: NodeBudget
) -> Sequence[Definition]:
    """The definitions of the new content that may hold or lie in a changed range."""
    from intentls.core.definitions.find import definitions_in  # loads grammars

    changed = [(where.start_line, where.end_line) for part in conversations for where in part.ranges]
    return definitions_in(edit.path, edit.after, budget, changed) if edit.after is not None and changed else ()


def _describe(where: LineRange, definitions: Sequence[Definition], limit: int) -> LineRange:
    """The range with the definition around it, and at most `limit` of those in it: the outermost and largest."""
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
    return replace(where, symbol=symbol, definitions=tuple(inside[:limit]))


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
