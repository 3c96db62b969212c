"""One key for all ways to format a content."""

from __future__ import annotations

import pytest

from intentls.core.mutation import canonical_form
from intentls.core.mutation.form import form_key

UNTIDY = b"x = f( 'a', )   #why\ndef g(a,b = u'c') :\n   'doc  of g'\n   return (a and\n     b)\n"
TIDY = b'x = f(\n    "a",\n)  # why\n\n\ndef g(a, b="c"):\n    "doc of g"\n    return a and b\n'


def test_two_formats_of_one_program_have_one_key() -> None:
    """Spaces, quotes, commas, brackets, lines."""
    assert form_key("a.py", UNTIDY) == form_key("a.py", TIDY)
    assert form_key("a.js", b"f('a' , 1) ; // why\n") == form_key("a.js", b'f("a", 1); // why\n')


@pytest.mark.parametrize(
    ("old", "new"), [(b"a and", b"a or"), (b"f(", b"h("), (b"why", b"who"), (b"doc", b"dog"), (b'"c"', b'" c"')]
)
def test_what_says_something_else_has_another(old: bytes, new: bytes) -> None:
    """A program, a name, a comment, a docstring, a space in a string."""
    assert old in TIDY
    assert form_key("a.py", TIDY.replace(old, new)) not in (None, form_key("a.py", TIDY))


def test_some_contents_have_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, prose, a syntax error, binary data, what is large."""
    assert form_key("a.py", None) is None
    assert form_key("a.md", b"# A\n") is None
    assert form_key("a.py", b"def (:\n") is None
    assert form_key("a.py", b"x = 1\0\n") is None
    assert form_key("a.py", b"#" * 70_000) is None
    monkeypatch.setattr(canonical_form, "_MAX_NODES", 3)
    assert form_key("a.py", TIDY) is None
