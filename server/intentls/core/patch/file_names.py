"""The file names of a patch: git's prefixes, C-style quotes, and the time stamps of plain diffs."""

from __future__ import annotations

import re

from msgspec import Struct

from intentls.core.errors import shorten
from intentls.late_pattern import late_pattern

_PREFIX = late_pattern("[abciow12]/")  # a/ b/, and git's c/ i/ o/ w/ (diff.mnemonicPrefix) and 1/ 2/ (--no-index)
_QUOTED = late_pattern(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = late_pattern(r"\\([0-3][0-7]{2}|.)")
_ESCAPED_CONTROL = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}

_TIME = late_pattern(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2}(?:\.[0-9]+)?) ([-+])([0-9]{2}):?([0-9]{2})"
)
_BARE_TIME = late_pattern(rf"\s{_TIME.pattern}\Z")
# ISO without a zone, and CVS with its revision; mercurial and ctime; CVS of old; subversion
_OTHER_TIME = late_pattern(
    r"[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[^\t]*(\t[0-9.]+)?|(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [^\t]*"
    r"|[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4}[^\t]*(\t[0-9.]+)?|\([^\t]*\)"
)
_UNCLEAR_TIME = late_pattern(r"\b(1969|1970)\b|\(nonexistent\)")


class BadName(ValueError):
    """A file name that can't be read. The message is a clause that says what is wrong with its line."""


class SideName(Struct, frozen=True):
    """The name of one side of a plain diff. `is_absent`: its time stamp says that there is no such file."""

    name: str
    is_absent: bool = False


def file_name(text: str) -> str:
    """The name, prefix and all, that `text` is, with its quotes taken off. Raises BadName."""
    if text.startswith('"'):
        name, rest = _unquoted(text)
        if rest.rstrip("\r"):
            raise BadName("has text after the quoted file name")
        return name
    return _checked(text.rstrip("\r"))


def side_name(text: str) -> SideName:
    r"""The name that follows `--- ` or `+++ `, and what the time stamp behind a tab says of it. Raises BadName.

    `a/f\t2026-01-01 10:00:00.000000000 +0000` is the file a/f. With the time `1970-01-01 01:00:00.000000000 +0100`,
    the epoch in any zone, it is a/f as well, but absent.
    """
    if text.startswith('"'):
        name, stamp = _unquoted(text)
        if stamp.rstrip("\r") and not stamp.startswith("\t"):
            raise BadName("has text after the quoted file name")
        stamp = stamp[1:]
    else:
        name, tab, stamp = text.partition("\t")
        if not tab and _BARE_TIME.search(name.rstrip("\r")):
            raise BadName("ends with a time stamp that no tab separates from the file name; write a tab before it")
    return SideName(_checked(name.rstrip("\r")), _says_absent(stamp.rstrip("\r")))


def _says_absent(stamp: str) -> bool:
    """Whether a time stamp is the epoch, by which `diff -N` says "no such file". Raises BadName if that is unclear."""
    time = _TIME.fullmatch(stamp)
    if time is not None:
        date, hour, minute, second, sign, zone_hours, zone_minutes = time.groups()
        days = {"1970-01-01": 0, "1969-12-31": -1}.get(date)
        offset = (int(zone_hours) * 60 + int(zone_minutes)) * (-1 if sign == "-" else 1)
        is_full_minute = not second.strip("0.")
        return days is not None and is_full_minute and days * 1440 + int(hour) * 60 + int(minute) == offset
    if stamp and _OTHER_TIME.fullmatch(stamp) is None:
        raise BadName(f"has a tab in its file name; write the name in quotes with \\t, or leave out {shorten(stamp)!r}")
    if _UNCLEAR_TIME.search(stamp):
        raise BadName(
            f"has a time stamp ({stamp}) that may say that there is no such file; write /dev/null, or no stamp"
        )
    return False


def git_header_name(text: str) -> str | None:
    """The one file that `diff --git` names twice (`text`: what follows these words).

    None if the two names are not the same but for their prefixes, as in a rename. Raises BadName.
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
    path = without_prefix(old)
    return path if path and path == without_prefix(new) else None


def without_prefix(name: str) -> str | None:
    """The path behind one of git's prefixes; None for a name without one."""
    return name[2:] if _PREFIX.match(name) else None


def _checked(name: str) -> str:
    if not name:
        raise BadName("has an empty file name")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadName("has a file name that is not UTF-8") from error
    return name


def _unquoted(text: str) -> tuple[str, str]:
    """The name that `text` begins with, in double quotes as C would write it, and what follows it."""
    match = _QUOTED.match(text)
    if match is None:
        raise BadName("has a file name whose quotes don't close")
    raw = _ESCAPE.sub(_unescaped, match[1]).encode("utf-8", "surrogateescape")
    return _checked(raw.decode("utf-8", "surrogateescape")), text[match.end() :]


def _unescaped(escape: re.Match[str]) -> str:
    r"""The byte that `\303` or `\t` stands for, as `surrogateescape` writes it."""
    code = escape[1]
    if len(code) == 1 and code not in _ESCAPED_CONTROL:
        raise BadName(f"has the unknown escape \\{code} in a file name")
    value = _ESCAPED_CONTROL[code] if len(code) == 1 else int(code, 8)
    return chr(value) if value < 128 else chr(0xDC00 + value)
