"""The id of a new intent: the next number after all that are known, and letters that no other clone chooses.

known: INT-001, INT-041-k7mp, WEB-3    ->    INT-042, or INT-042-x4tz where there may be other clones
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

ALPHABET: Final = "23456789bcdfghjkmnpqrstvwxz"
"""Letters and digits that nobody takes for one another, without vowels: no words come about by chance."""

SUFFIX_LENGTH: Final = 4
"""Two clones that choose the same number agree in these by chance once in half a million."""

_FIRST: Final = "INT-"
_NUMBERED: Final = re.compile(r"([A-Za-z][A-Za-z_]*-)([0-9]{1,9})(?:-[0-9a-z]+)?")


def next_id(own: Iterable[str], others: Iterable[str], suffix: str) -> str:
    """The id after all of `own` (those that this root declares, which also say how ids look here) and `others`.

    `suffix` may be empty. The number is one that none of them has, with at least three digits.
    """
    numbers = [match for intent_id in own if (match := _NUMBERED.fullmatch(intent_id))]
    prefixes = Counter(match[1] for match in numbers)
    prefix = prefixes.most_common(1)[0][0] if prefixes else _FIRST
    width = max((len(match[2]) for match in numbers if match[1] == prefix), default=3)
    known = [*numbers, *(match for intent_id in others if (match := _NUMBERED.fullmatch(intent_id)))]
    number = 1 + max((int(match[2]) for match in known if match[1] == prefix), default=0)
    return f"{prefix}{number:0{width}}{f'-{suffix}' if suffix else ''}"
