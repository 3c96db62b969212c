"""A line's own hash, and which lines say something of their own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.text.line_hashes import (
    MAX_BYTES,
    WIDTH,
    bare_lines,
    is_distinctive,
    is_unlikely_twice,
    join_hashes,
    line_hash,
    prove_a_block,
    split_hashes,
    supports_line_blame,
)


@given(st.lists(st.binary(max_size=12)))
def test_hashes_of_lines_come_apart_as_they_were_joined(lines: list[bytes]) -> None:
    """One string holds the hashes of all lines, in order."""
    assert split_hashes(join_hashes(lines), len(lines)) == [line_hash(line) for line in lines]


@pytest.mark.parametrize(
    ("text", "count"), [(None, 1), ("", 1), ("12345678", 2), ("1234567+", 1), (7, 1), ("1234567ü", 1)]
)
def test_what_is_no_string_of_so_many_hashes_is_none(text: object, count: int) -> None:
    """A ledger may hold anything."""
    assert split_hashes(text, count) is None


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_a_lines_hash_does_not_know_how_the_line_ended(codec: str) -> None:
    """A file that gets other line ends keeps its authors, in UTF-16, too."""
    forms = [bare_lines(text.encode(codec)) for text in ("one\ntwo\n", "one\r\ntwo\r\n", "one\rtwo")]
    assert forms[0] == forms[1] == forms[2]
    assert len(forms[0]) == 2
    assert len(join_hashes(forms[0])) == 2 * WIDTH


@pytest.mark.parametrize("line", [b"", b"   ", b"}", b"});", b"else:", b"    return", b"# ----", b"a=1", b"END"])
def test_lines_that_stand_everywhere_say_nothing(line: bytes) -> None:
    """Brackets, bare keywords and the like prove no authorship."""
    assert not is_distinctive(line)


def test_some_lines_could_be_written_twice_by_chance() -> None:
    """Imports, comments and short lines are distinctive where they stand, but do not tell where they came from."""
    for line in (b"import json", b"from pathlib import Path", b"#include <a.h>", b"x = one", b"// Copyright someone"):
        assert is_distinctive(line)
        assert not is_unlikely_twice(line)
    assert is_unlikely_twice(b"    return parse_city(forecast)")
    assert is_unlikely_twice("größe = länge".encode())


def test_blame_answers_for_text_of_a_limited_size() -> None:
    """Neither for binary content nor for more than 4 MiB."""
    assert supports_line_blame(b"x" * MAX_BYTES)
    assert not supports_line_blame(b"x" * (MAX_BYTES + 1))
    assert not supports_line_blame(b"a\0b")


def test_two_different_lines_prove_a_block_and_one_does_not() -> None:
    assert prove_a_block([b"first_line()", b"second_line()"])
    assert not prove_a_block([b"first_line()", b"first_line()"])
    assert not prove_a_block([])
