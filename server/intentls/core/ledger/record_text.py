"""What of a record people search for: files, definitions, authors, reasons; and the words of a text.

A record may have been written by anybody, so each part is one line of a bounded length, and there are boundedly many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct

from intentls.core.errors import shorten
from intentls.core.ledger.person import with_person
from intentls.core.ledger.record_json import files_of, objects, text_of
from intentls.late_pattern import late_pattern

MAX_PATHS = 1_000
"""Of one record; those of a larger one are left out of what can be searched."""

_MAX_SYMBOLS = 200
_MAX_LINE = 300
_MAX_PATH = 4_096
_MAX_WORDS = 64
_WORD = late_pattern(r"[^\W_]+")
_CAMEL = late_pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOTES = ("reason", "error")


class RecordText(Struct, frozen=True):
    """The texts of one record, each once, in the record's order. Paths are as the record has them."""

    paths: tuple[str, ...]
    symbols: tuple[str, ...]
    authors: tuple[str, ...]
    notes: tuple[str, ...]


def text_of_record(record: Mapping[str, Any]) -> RecordText:
    """What can be searched of a record.

    Example: of a write of `src/a.py` by an agent for Ada in `City.parse` these are the path, the qualified name and
    `claude-opus-4-5 for Ada`; its notes are empty unless it was refused or has a reason.
    """
    files = files_of(record)
    conversations = [part for file in files for part in objects(file.get("conversations"))]
    names = (text_of(file, key) for file in files for key in ("path", "old_path"))
    paths = dict.fromkeys(_encodable(name) for name in names if name and len(name) <= _MAX_PATH)
    return RecordText(
        tuple(islice(paths, MAX_PATHS)),
        _unique((name for part in conversations for name in symbols_of(part)), _MAX_SYMBOLS),
        _unique(map(author_of, conversations), _MAX_SYMBOLS),
        _unique((text_of(record, key) for key in _NOTES), len(_NOTES)),
    )


def author_of(conversation: Mapping[str, Any]) -> str:
    """Who contributed: a person by name, a model without its vendor and for whom it worked, else the kind."""
    contributor = conversation.get("contributor")
    if not isinstance(contributor, dict):
        return "unknown"
    model = (text_of(contributor, "model_id") or "").rpartition("/")[2]
    return with_person(model or text_of(contributor, "type") or "unknown", contributor)


def symbols_of(conversation: Mapping[str, Any]) -> Iterator[str]:
    """The names of the definitions that it changed. Records of intentls before 0.2 have them in the ranges."""
    symbols = conversation.get("symbols")
    yield from (name for name in symbols if isinstance(name, str)) if isinstance(symbols, list) else ()
    for where in objects(conversation.get("ranges")):
        if "symbol" in where or "definitions" in where:
            for definition in (*objects([where.get("symbol")]), *objects(where.get("definitions"))):
                name = text_of(definition, "name")
                if name:
                    yield name


def split_names(text: str) -> str:
    """`text` with the parts of names in camel case as words of their own behind it: `readFile` is found by `file`."""
    split = _CAMEL.sub(" ", text)
    return text if split == text else f"{text} {split}"


def words_in(text: str, limit: int = _MAX_WORDS) -> list[str]:
    """The first different words of a text in lower case: letters and digits alone, so that none is a query's syntax.

    Example: `Fix readFile() AND "parse_url"` has the words fix, readfile, and, parse, url, read, file.
    """
    words = (word.lower() for word in _WORD.findall(split_names(text)))
    return list(islice(dict.fromkeys(words), limit))


def _unique(texts: Iterable[str | None], limit: int) -> tuple[str, ...]:
    lines = (shorten(" ".join(_encodable(text).split()), _MAX_LINE) for text in texts if text)
    return tuple(islice(dict.fromkeys(filter(None, lines)), limit))


def _encodable(text: str) -> str:
    """`text` without half surrogates, which JSON can name and no database can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
