"""Which words of a repository that are no code use a name: what is written for people alone does not."""

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
_LISTS = re.compile(r"\.(git|docker|npm|eslint|prettier|hg)ignore\Z|\.mailmap\Z")  # of files, and of people
# How the pages begin that `man` and `info` show.
_MARKED = re.compile(rb"(?m)\A(\s|[.']\\\".*$)*([.'](\\\"|TH\b|Dd\b|so\b)|\\input texinfo|@node|@setfilename|@c\b)")


def is_prose(path: str) -> bool:
    """Whether a file is prose, by its name, or a list that names nothing of the code."""
    name = basename(path)
    is_text = infer(path, Change.MODIFY) is MutationClass.DOCUMENTATION
    return is_text or _NOTES.match(name) is not None or _LISTS.match(name) is not None


def may_use(content: bytes, name: str) -> bool:
    """Whether a file that is no C may mean a name of C: it has the word, alone or as a compiler is given it (`-DNAME`).

    `multi-name` and `name-list` are other words.
    """
    return re.search(rb"(?<!\w)(?<!\w-)D?" + re.escape(name.encode()) + rb"(?!\w|-\w)", content) is not None


def is_for_people(path: str, content: bytes) -> bool:
    """Whether a file is prose, by its name or as a page of a manual."""
    return is_prose(path) or (_MANUAL.search(path) is not None and _MARKED.search(content) is not None)
