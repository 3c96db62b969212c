"""Others' text in Markdown: it makes no link, no mention, no reference and no layout, on no forge.

What stands in a code span is shown to the letter, and forges look for nothing in it. So plain words stay plain, and all
else is a code span: `Fix the login` as it is, `@ada` and `#12` as code.
"""

from __future__ import annotations

import re
from itertools import groupby

from intentls.core.text.visible import shortened, visible

_PARTS = re.compile(r"(?P<before>[(\"']*)(?P<core>.*?)(?P<after>[.,;:!?)\"']*)", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_NUMBER = re.compile(r"[0-9]{1,6}(?:-[0-9]{1,6})?%?")
_ITEM = re.compile(r"[0-9]+[.)].*")  # begins an item of a list where a line begins with it
_COMMIT = re.compile(r"[0-9a-fA-F]{7,}")  # may be a commit's id also where it looks like a word
_TICKS = re.compile("`+")


def code(text: object, limit: int, *, in_table: bool = False) -> str:
    """`text` as a code span on one line, cut to about `limit` characters; in a table no bar in it divides cells."""
    shown = visible(shortened(str(text), limit))
    if in_table:
        shown = shown.replace("|", "[U+007C]")
    if not shown.strip():
        return "(nothing)"
    fence = "`" * (max(map(len, _TICKS.findall(shown)), default=0) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: object, limit: int, *, in_table: bool = False) -> str:
    """`text` with its plain words plain and everything else as code; "" for nothing.

    Example: `ask @ada (urgent!)` is `ask` + a code span of `@ada` + `(urgent!)`.
    """
    words = [word for word in shortened(str(text), limit).split(" ") if word]
    plain = [_is_plain(word) and (place > 0 or _ITEM.fullmatch(word) is None) for place, word in enumerate(words)]
    parts: list[str] = []
    for is_plain, group in groupby(zip(plain, words, strict=True), key=lambda pair: pair[0]):
        run = [word for _, word in group]
        if is_plain:
            parts += run
        elif len(run) > 1:
            parts.append(code(" ".join(run), limit, in_table=in_table))
        else:
            before, core, after = _split(run[0])
            parts.append(f"{before}{code(core, limit, in_table=in_table)}{after}" if core else code(run[0], limit))
    return " ".join(parts)


def _split(word: str) -> tuple[str, str, str]:
    match = _PARTS.fullmatch(word)
    assert match is not None
    return match["before"], match["core"], match["after"]


def _is_plain(word: str) -> bool:
    core = _split(word)[1]
    if _COMMIT.fullmatch(core):
        return False
    return (_WORD.fullmatch(core) or _NUMBER.fullmatch(core)) is not None and visible(word) == word
