"""Go: `// +build` lines beside a `//go:build` line that says the same.

//go:build linux && (cgo || !amd64)
// +build linux
// +build cgo !amd64

What knows the first one reads no other, and who reads the others is told the same. So `gofmt` took them away. All lines
have to be so; of a line one part; of a part all that commas join; `!a` is so if `a` is not.
"""

from __future__ import annotations

import re
from itertools import chain, combinations

from intentls.core.syntax.tree import Node

_NEW = re.compile(r"//go:build[ \t]")
_OLD = re.compile(r"//[ \t]*\+build(?=[ \t])")
_TOKEN = re.compile(r"[()!]|&&|\|\||[\w.]+")
_PART = re.compile(r"(?:!?[\w.]+,)*!?[\w.]+\Z")
_MAX_TAGS = 8  # of which all sets are tried


def without_build_lines(source_file: Node) -> None:
    """Take the old lines away, if they stand before the package as the new one does."""
    head: list[Node] = []
    for child in source_file.children:
        if child.kind != "comment":
            break
        head.append(child)
    new = [child for child in head if _NEW.match(child.text or "")]
    old = [child for child in head if _OLD.match(child.text or "")]
    if len(new) != 1 or not old:
        return
    asked = _tokens((new[0].text or "").removeprefix("//go:build"))
    said = _tokens(_translated([(line.text or "").partition("+build")[2] for line in old]))
    tags = {token for token in asked + said if token[0].isalnum() or token[0] in "._"}
    if not asked or not said or len(tags) > _MAX_TAGS:
        return
    some = chain.from_iterable(combinations(sorted(tags), count) for count in range(len(tags) + 1))
    if all(_is_so(asked, have) == _is_so(said, have) is not None for have in some):
        dropped = {id(line) for line in old}
        source_file.children = [child for child in source_file.children if id(child) not in dropped]


def _translated(lines: list[str]) -> str:
    """The old lines as the new one says it; empty where one of them can't be read."""
    if not all(parts and all(map(_PART.match, parts)) for parts in map(str.split, lines)):
        return ""
    each = (" || ".join(f"({part.replace(',', ' && ')})" for part in line.split()) for line in lines)
    return " && ".join(f"({line})" for line in each)


def _tokens(text: str) -> list[str]:
    """The words and signs of a condition; none where it has something else in it."""
    return [] if _TOKEN.sub("", text).strip() else _TOKEN.findall(text)


def _is_so(tokens: list[str], tags: tuple[str, ...]) -> bool | None:
    """Whether a condition is so of what is built with these tags; None where it can't be read."""
    rest = tokens[::-1]

    def either() -> bool:
        found = both()
        while rest[-1:] == ["||"]:
            rest.pop()
            found = both() or found
        return found

    def both() -> bool:
        found = one()
        while rest[-1:] == ["&&"]:
            rest.pop()
            found = one() and found
        return found

    def one() -> bool:
        token = rest.pop()
        if token == "!":
            return not one()
        if token == "(":
            found = either()
            if rest.pop() != ")":
                raise IndexError
            return found
        if not _PART.match(token):
            raise IndexError
        return token in tags

    try:
        found = either()
    except IndexError:
        return None
    return None if rest else found
