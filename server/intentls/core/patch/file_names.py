"""File names as diffs write them: prefixes, C-style quotes, `/dev/null`, time stamps."""

from __future__ import annotations

import re

_PREFIXES = frozenset("abciow12")  # a/ b/, and git's c/ i/ o/ w/ (diff.mnemonicPrefix) and 1/ 2/ (--no-index)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\([0-3][0-7]{2}|.)")
_CONTROL = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}

DEV_NULL = "/dev/null"


def file_name(text: str) -> str | None:
    """The name after `--- ` or `+++ `, prefix and all; None for `/dev/null`.

    Raises ValueError with a clause that says what is wrong.
    """
    if text.startswith('"'):
        name, rest = _unquoted(text)
        if rest.rstrip("\r") and not rest.startswith("\t"):
            raise ValueError("has text after the quoted file name")
        return name
    name = _checked(text.split("\t", 1)[0].rstrip("\r"))
    return None if name == DEV_NULL else name


def renamed(text: str) -> str:
    """The name after `rename from` or `rename to`: never with a prefix. Raises ValueError."""
    if text.startswith('"'):
        name, rest = _unquoted(text)
        if rest.rstrip("\r"):
            raise ValueError("has text after the quoted file name")
        return name
    return _checked(text.rstrip("\r"))


def git_header_name(text: str) -> str | None:
    """The one file that `diff --git` names twice (`text`: what follows these words).

    None if the two names are not the same but for their prefixes, as in a rename. Raises ValueError.
    """
    text = text.rstrip("\r")
    if text.startswith('"'):
        old, rest = _unquoted(text)
        if not rest.startswith(' "'):
            return None
        new, rest = _unquoted(rest[1:])
        return None if rest else common_name(old, new)
    # Names may hold spaces, but both halves are equally long if they name the same file.
    middle = len(text) // 2
    return common_name(text[:middle], text[middle + 1 :]) if text[middle : middle + 1] == " " else None


def common_name(old: str, new: str) -> str | None:
    """The file that both names mean: they are the same, or differ only in git's prefixes. Else None."""
    if old == new:
        return old
    same = old[2:] == new[2:] and len(old) > 2
    return old[2:] if same and _has_prefix(old) and _has_prefix(new) else None


def without_prefix(name: str, prefix: str) -> str:
    """`name` without `prefix` (`a/` or `b/`), where the other side is `/dev/null`. Raises ValueError."""
    return _checked(name.removeprefix(prefix))


def means(name: str, path: str) -> bool:
    """Whether `name`, with or without one of git's prefixes, is `path`."""
    return name == path or (_has_prefix(name) and name[2:] == path)


def _has_prefix(name: str) -> bool:
    return name[:1] in _PREFIXES and name[1:2] == "/"


def _checked(name: str) -> str:
    if not name:
        raise ValueError("has an empty file name")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("has a file name that is not UTF-8") from error
    return name


def _unquoted(text: str) -> tuple[str, str]:
    """The name that `text` begins with, in double quotes as C would write it, and what follows it."""
    match = _QUOTED.match(text)
    if match is None:
        raise ValueError("has a file name whose quotes don't close")
    raw = _ESCAPE.sub(_character, match[1]).encode("utf-8", "surrogateescape")
    return _checked(raw.decode("utf-8", "surrogateescape")), text[match.end() :]


def _character(escape: re.Match[str]) -> str:
    r"""The byte that `\303` or `\t` stands for, as `surrogateescape` writes it."""
    code = escape[1]
    if len(code) == 1 and code not in _CONTROL:
        raise ValueError(f"has the unknown escape \\{code} in a file name")
    value = _CONTROL[code] if len(code) == 1 else int(code, 8)
    return chr(value) if value < 128 else chr(0xDC00 + value)
