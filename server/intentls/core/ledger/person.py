"""A person's name as records and answers show it: one line of text, whatever git's configuration or a record holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from intentls.core.errors import shorten
from intentls.core.ledger.record_json import text_of
from intentls.late_pattern import late_pattern

UNNAMED = "user"
"""Stands for a person in an override where no name is known, or none is to be written."""

MAX_NAME = 200
"""Characters of a name; a longer one is cut."""

# Controls, line ends, half surrogates, and what turns the direction of the text around a name.
_NOT_IN_NAME = late_pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")


def person_name(text: str | None) -> str | None:
    """`text` as a name: on one line, without characters that steer a terminal, at most MAX_NAME long.

    None where nothing is left.

    Example: `" Ada\\n  Lovelace\\x1b[31m "` is `"Ada Lovelace [31m"`.
    """
    words = _NOT_IN_NAME.sub(" ", text or "").split()
    return shorten(" ".join(words), MAX_NAME) or None


def name_in(contributor: Mapping[str, Any], key: str = "name") -> str | None:
    """The person whom a record's contributor names under `key`, whoever wrote the record; None if it names nobody."""
    return person_name(text_of(contributor, key))


def with_person(author: str, contributor: Mapping[str, Any]) -> str:
    """What to call a contributor that `author` describes by kind or model: people by name, agents with their person.

    Example: `human` by Ada is `Ada`, her agent's `claude-opus-4-5` is `claude-opus-4-5 for Ada`; without names both
    stay what they are.
    """
    kind = text_of(contributor, "type")
    if kind == "human":
        return name_in(contributor) or author
    served = name_in(contributor, "on_behalf_of") if kind == "ai" else None
    return author if served is None else f"{author} for {served}"
