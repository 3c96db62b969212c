"""What definition each changed range is in, and which lie in it: so that they are found again wherever they went."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.record import Conversation
from intentls.engine.actions.request import PlannedEdit

if TYPE_CHECKING:
    from intentls.core.definitions.definition import Definition
    from intentls.core.syntax.canonicalize import NodeBudget

log = logging.getLogger(__name__)

# It is in the way of a guarded write, like the comparison for the mutation class.
_BUDGET_S = 0.06
_MOST_BYTES = 128 * 1024
_MOST_NODES = 200_000
_MOST = 100  # definitions in the ranges of one record
_PLAIN = ("constant", "key")
_SMALL = 12  # leaves: plain ones that are smaller are not found again by their content


def with_definitions(
    parts: Sequence[tuple[PlannedEdit, tuple[Conversation, ...]]],
) -> list[tuple[Conversation, ...]]:
    """The conversations of each file, their ranges with definitions where there are some and they were found in time.

    Never raises: a range without them is a range, too.
    """
    if not any(conversation.ranges for _, conversations in parts for conversation in conversations):
        return [conversations for _, conversations in parts]  # a refusal, a deletion: then nothing is imported
    from intentls.core.syntax.canonicalize import NodeBudget  # slow to import

    deadline = time.monotonic() + _BUDGET_S
    budget = NodeBudget(_MOST_NODES, lambda: time.monotonic() > deadline, _MOST_BYTES)
    done: list[tuple[Conversation, ...]] = []
    left = _MOST
    for edit, conversations in parts:
        try:
            made, left = _described(edit, conversations, budget, left)
        except Exception:  # a write must not fail because nobody can say what it is in
            log.exception("the definitions of a change could not be found")
            made = conversations
        done.append(made)
    return done


def _described(
    edit: PlannedEdit, conversations: tuple[Conversation, ...], budget: NodeBudget, left: int
) -> tuple[tuple[Conversation, ...], int]:
    from intentls.core.definitions.find import definitions_in

    touched = [(each.start_line, each.end_line) for part in conversations for each in part.ranges]
    found = definitions_in(edit.path, edit.after, budget, touched) if edit.after is not None and touched else ()
    if not found:
        return conversations, left
    made = []
    for conversation in conversations:
        ranges = []
        for each in conversation.ranges:
            described = _with(each, found, left)
            left -= len(described.definitions)
            ranges.append(described)
        made.append(replace(conversation, ranges=tuple(ranges)))
    return tuple(made), left


def _with(where: LineRange, found: Sequence[Definition], most: int) -> LineRange:
    symbol = _around(where, found)
    inside = [
        one
        for one in found
        if one is not symbol
        and where.start_line <= one.start_line
        and one.end_line <= where.end_line
        and (one.leaves >= _SMALL or one.kind not in _PLAIN)
    ]
    inside.sort(key=lambda one: (one.name.count("."), -one.leaves))  # the outermost and largest
    return replace(where, symbol=symbol, definitions=tuple(inside[:most]))


def _around(where: LineRange, found: Sequence[Definition]) -> Definition | None:
    """The innermost definition that holds the whole range; of two side by side in one line, what holds them both."""
    chain: list[Definition] = []
    for one in found:
        if one.start_line > where.start_line or one.end_line < where.end_line:
            continue
        if chain and not one.name.startswith(f"{chain[-1].name}."):
            while chain and not one.name.startswith(f"{chain[-1].name}."):
                chain.pop()
            break
        chain.append(one)
    return chain[-1] if chain else None
