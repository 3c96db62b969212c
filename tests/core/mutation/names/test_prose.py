"""What of a repository is written for people alone."""

from __future__ import annotations

import pytest

from intentls.core.mutation.names.prose import is_for_people, is_prose


@pytest.mark.parametrize("path", ["a.md", "docs/a.rst", "ChangeLog", "a/NEWS", "CHANGES-1.2", "changelog.3", "LICENSE"])
def test_notes_are_prose_by_their_names(path: str) -> None:
    assert is_prose(path)
    assert is_for_people(path, b"")


@pytest.mark.parametrize("path", ["news.py", "todo.go", "notice.c", "history.js", "a.c", "Makefile", "changes.sh"])
def test_code_is_no_prose_whatever_it_is_about(path: str) -> None:
    assert not is_prose(path)
    assert not is_for_people(path, b".TH a 3\n")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("man/a.3", b".TH a 3\n"),
        ("man/a.3.in", b'.\\" of people\n\'\\" t\n.TH a 3\n'),
        ("man/a.1", b".Dd $Mdocdate$\n"),
        ("man/a.3ssl", b".so man3/b.3\n"),
        ("doc/a.texi", b"\\input texinfo @c -*-texinfo-*-\n"),
    ],
)
def test_pages_of_a_manual_are_for_people(path: str, text: bytes) -> None:
    assert is_for_people(path, text)
    assert not is_prose(path)


@pytest.mark.parametrize(("path", "text"), [("lib.so.1", b"\x7fELF"), ("a.3", b"local a\n"), ("a.py", b".TH a 3\n")])
def test_what_only_has_the_name_or_the_text_of_one_is_not(path: str, text: bytes) -> None:
    assert not is_for_people(path, text)
