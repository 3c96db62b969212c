"""Others' text made visible: nothing in it hides, turns the direction, or runs over its neighbours."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.text.visible import pieces, shortened, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("src/a.py", "src/a.py"),
        ("", ""),
        ("a\u202egpj.exe", "a[U+202E]gpj.exe"),
        ("\u2066x\u2069", "[U+2066]x[U+2069]"),
        ("pay\u200bpal", "pay[U+200B]pal"),
        ("two\nlines\r\x1b[31m", "two[U+000A]lines[U+000D][U+001B][31m"),
        ("\ud800", "[U+D800]"),
        ("a\u00a0b", "a[U+00A0]b"),
        ("\u3164", "[U+3164]"),
        ("x\ufe0f\U000e0041", "x[U+FE0F][U+E0041]"),
        ("é Зоя 李", "é Зоя 李"),
        ("e\u0301\u0301\u0301\u0301x\u0301", "e\u0301\u0301[U+0301][U+0301]x\u0301"),
    ],
)
def test_what_cannot_be_seen_is_shown_by_its_number(text: str, shown: str) -> None:
    """Controls, directions, joiners, odd blanks, piles of marks; letters of all scripts stay what they are."""
    assert visible(text) == shown


def test_the_pieces_say_which_of_them_stand_for_a_character() -> None:
    """So that a page can set them off."""
    assert list(pieces("a\u202e\u200bb")) == [("a", False), ("U+202E", True), ("U+200B", True), ("b", False)]


@given(st.text(st.characters(exclude_categories=())))
def test_nothing_hidden_is_left(text: str) -> None:
    """Whatever the text: one line, no control, no format character, no half surrogate; and it can be encoded."""
    shown = visible(text)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert shown.encode("utf-8").decode("utf-8") == shown


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    """A path's name is at its end."""
    assert shortened("short", 12) == "short"
    assert shortened("abcdefghijklmnopqrstuvwxyz", 12) == "abcdefghi…(14 more)…xyz"
