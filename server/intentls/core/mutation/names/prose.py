"""Which files of a repository are written for people alone: a name in one is no use of it."""

from __future__ import annotations

import re
from posixpath import basename

from intentls.core.mutation.classes import Change, MutationClass, infer

# Notes without a suffix: what has one may be code.
_NOTES = re.compile(
    r"(?i)(authors|changelog|changes|contributors|copying|history|licen[cs]e|news|notice|readme|release-notes|thanks"
    r"|todo)[-.\d]*\Z"
)
_MANUAL = re.compile(r"\.([1-9]\w*|mdoc|man|texi|texinfo)(\.in)?\Z")
# How the pages begin that `man` and `info` show.
_MARKED = re.compile(rb"(?m)\A(\s|[.']\\\".*$)*([.'](\\\"|TH\b|Dd\b|so\b)|\\input texinfo|@node|@setfilename|@c\b)")


def is_prose(path: str) -> bool:
    """Whether a file is prose, by its name."""
    return infer(path, Change.MODIFY) is MutationClass.DOCUMENTATION or _NOTES.match(basename(path)) is not None


def is_for_people(path: str, content: bytes) -> bool:
    """Whether a file is prose, by its name or as a page of a manual."""
    return is_prose(path) or (_MANUAL.search(path) is not None and _MARKED.search(content) is not None)
