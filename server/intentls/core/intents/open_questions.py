"""What agents ask a person now, as far as it concerns an intent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from intentls.core.intents.intent import Intent


class OpenQuestion(Struct, frozen=True):
    """A question that waits for a person, asked for the first time at `timestamp`, `count` times by now.

    `text` is the sentence that the person reads, `reason` what the agent gives as its reason.
    """

    timestamp: str
    intent_id: str
    text: str
    reason: str = ""
    paths: tuple[str, ...] = ()
    count: int = 1


def concerning(intent: Intent, questions: Iterable[OpenQuestion]) -> list[OpenQuestion]:
    """The questions that are asked under the intent or are about files in its scope; the same sentence once.

    They keep their order, which is that of the first time.

    Example: two sessions that both want `docs/a.md` under INT-001 are one question with `count` 2, which also an agent
    under INT-002 is told of that owns `docs/**`.
    """
    folded: dict[tuple[str, str, str], OpenQuestion] = {}
    for question in questions:
        if question.intent_id != intent.id and not any(map(intent.scope.contains, question.paths)):
            continue
        key = question.intent_id, question.text, question.reason
        known = folded.get(key)
        folded[key] = question if known is None else replace(known, count=known.count + question.count)
    return list(folded.values())
