"""The text of a new file of one intent. What comes from outside is written so that it can be nothing but text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from intentls.core.errors import ConfigurationError
from intentls.core.intents.intent import Intent
from intentls.store.config.intents_parser import parse_intents
from intentls.store.yaml.edit import quote


def write_intent(intent: Intent, extra: Mapping[str, str], path: str) -> bytes:
    """The file's bytes; `extra` are further keys with a text each (`source`, `created_at`), in their order.

    Raises ConfigurationError if the text would not be read as exactly this intent.
    """
    for lines in (_lines(intent, extra, as_block=True), _lines(intent, extra, as_block=False)):
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        file = parse_intents(data, path)
        if file.valid and list(file.intents.values()) == [intent]:
            return data
    raise ConfigurationError(f"{path} can't be written so that it says what was meant; write it by hand")


def _lines(intent: Intent, extra: Mapping[str, str], *, as_block: bool) -> Iterator[str]:
    yield f"id: {quote(intent.id)}"
    yield f"name: {quote(intent.name)}"
    yield f"status: {intent.status.value}"
    if intent.branch is not None:
        yield f"branch: {quote(intent.branch)}"
    yield from (f"{key}: {quote(text)}" for key, text in extra.items())
    if intent.description:
        yield from _text("description", intent.description, as_block=as_block)
    yield from _list("owned_scope", intent.scope.patterns)
    yield from _list("acceptance_criteria", (str(criterion) for criterion in intent.acceptance_criteria))


def _text(key: str, text: str, *, as_block: bool) -> Iterator[str]:
    if not as_block:
        yield f"{key}: {quote(text, chr(34))}"
        return
    yield f"{key}: |"
    yield from (f"  {line}" if line else "" for line in text.split("\n"))


def _list(key: str, items: tuple[str, ...] | Iterator[str]) -> Iterator[str]:
    written = [quote(item, '"') for item in items]
    if written:
        yield f"{key}:"
        yield from (f"  - {item}" for item in written)
